#include "shlo/editor.h"

#include <algorithm>
#include <array>
#include <utility>

#include "base/deadline.h"
#include "base/try.h"
#include "ir/editor/copier.h"
#include "ir/module/builder.h"
#include "ir/module/lists.h"
#include "ir/table/ops.h"
#include "ir/verify/infer.h"

namespace shlo {
namespace {

// Moves all of a module but its ops, values, blocks and regions.
Module TakeNodes(Module* m) {
  Module out;
  out.version = m->version;
  out.strings = std::move(m->strings);
  out.types = std::move(m->types);
  out.attrs = std::move(m->attrs);
  out.signatures = std::move(m->signatures);
  out.payloads = std::move(m->payloads);
  out.resources = std::move(m->resources);
  return out;
}

}  // namespace

ModuleEditor::ModuleEditor(Module module) : m_(std::move(module)) {
  if (!m_.top) {
    Builder builder(&m_);
    const RegionId region = builder.NewRegion();
    builder.BeginBlock(region, builder.NewBlock());
    builder.EndBlock();
    builder.EndRegion(region);
    m_.top = builder.AddOp({.revision = RevisionAt(ops::kModule, m_.version), .regions = std::array{region}});
  }
  Adopt(m_.top);
  for (uint32_t i = 1; i < origins_.size(); ++i) origins_[i] = OpId(i);
  InsertAtEnd(body());
}

ModuleEditor::ModuleEditor(Version version)
    : ModuleEditor([version] {
        Module empty;
        empty.version = version;
        return empty;
      }()) {}

ModuleEditor ModuleEditor::WithNodesOf(const Module& module) {
  Module copy = module;
  return ModuleEditor(TakeNodes(&copy));
}

// --- Records of the module that are new ------------------------------------------------------------------

void ModuleEditor::Grow() {
  live_.resize(m_.ops.size());
  links_.resize(m_.ops.size());
  origins_.resize(m_.ops.size());
  ends_.resize(m_.blocks.size());
  blocks_.resize(m_.regions.size());
  first_use_.resize(m_.values.size());
  uses_.resize(ModuleLists(&m_).operands.size());
}

// Makes an op, and the ops in its regions, which the module lists, part of the program.
void ModuleEditor::Adopt(OpId root) {
  Grow();
  std::vector<OpId> todo{root};
  while (!todo.empty()) {
    Tick();
    const OpId id = todo.back();
    todo.pop_back();
    live_[id.v] = true;
    AddUses(id);
    for (const RegionId region : m_.RegionsOf(m_.ops[id.v])) {
      const auto blocks = m_.BlocksOf(region);
      blocks_[region.v].assign(blocks.begin(), blocks.end());
      for (const BlockId block : blocks) {
        OpId last;
        const auto ops = m_.OpsOf(block);
        for (const OpId op : ops) {
          links_[op.v] = {last, {}};
          if (last) links_[last.v].next = op;
          last = op;
        }
        if (last) ends_[block.v] = {ops.front(), last};
        todo.insert(todo.end(), ops.begin(), ops.end());
      }
    }
  }
}

// Lets the module list the ops and blocks of the program.
const Module& ModuleEditor::Settled() {
  const ModuleLists lists(&m_);
  lists.ops.clear();
  lists.blocks.clear();
  std::vector<OpId> ops;
  for (uint32_t i = 1; i < m_.blocks.size(); ++i) {
    if (!Has(BlockId(i))) continue;
    ops.clear();
    for (OpId op = ends_[i].first; op; op = links_[op.v].next) ops.push_back(op);
    Tick(1 + ops.size() / 16);
    m_.blocks[i].ops = AppendTo(&lists.ops, std::span<const OpId>(ops));
  }
  for (uint32_t i = 1; i < m_.regions.size(); ++i)
    m_.regions[i].blocks = AppendTo(&lists.blocks, std::span<const BlockId>(blocks_[i]));
  return m_;
}

// --- The program -----------------------------------------------------------------------------------------

bool ModuleEditor::Has(RegionId region) const {
  return region && region.v < m_.regions.size() && Has(m_.regions[region.v].parent);
}

bool ModuleEditor::Has(BlockId block) const {
  return block && block.v < m_.blocks.size() && Has(m_.blocks[block.v].parent);
}

bool ModuleEditor::Has(ValueId value) const {
  if (!value || value.v >= m_.values.size()) return false;
  const Value& v = m_.values[value.v];
  if (v.block ? !Has(v.block) : !Has(v.op)) return false;
  const Range range = v.block ? m_.blocks[v.block.v].args : m_.ResultsOf(m_.ops[v.op.v]);
  return value.v - range.first < range.count;
}

BlockId ModuleEditor::body() const {
  const auto regions = m_.RegionsOf(m_.ops[m_.top.v]);
  return regions.empty() || BlocksOf(regions[0]).empty() ? BlockId() : BlocksOf(regions[0])[0];
}

std::vector<OpId> ModuleEditor::OpsOf(BlockId block) const {
  std::vector<OpId> ops;
  for (OpId op = FirstOf(block); op; op = After(op)) ops.push_back(op);
  return ops;
}

std::vector<OpId> ModuleEditor::OpsIn(OpId root) const {
  std::vector<OpId> ops, todo{root};
  while (!todo.empty()) {
    const OpId op = todo.back();
    todo.pop_back();
    ops.push_back(op);
    // What comes first is pushed last.
    const auto regions = m_.RegionsOf(m_.ops[op.v]);
    for (size_t r = regions.size(); r-- > 0;)
      for (size_t b = blocks_[regions[r].v].size(); b-- > 0;)
        for (OpId last = LastOf(blocks_[regions[r].v][b]); last; last = Before(last)) todo.push_back(last);
  }
  return ops;
}

OpId ModuleEditor::FindSymbol(std::string_view name) const {
  for (OpId op = FirstOf(body()); op; op = After(op))
    if (m_.SymbolOf(m_.ops[op.v]) == name) return op;
  return {};
}

// --- Uses ------------------------------------------------------------------------------------------------

void ModuleEditor::AddUse(OpId op, uint32_t i) {
  const uint32_t operand = m_.ops[op.v].first_operand + i;
  const ValueId value = ModuleLists(&m_).operands[operand];
  if (!value) return;
  uint32_t& first = first_use_[value.v];
  if (first) uses_[first - 1].previous = operand + 1;
  uses_[operand] = {op, i, 0, first};
  first = operand + 1;
}

void ModuleEditor::AddUses(OpId op) {
  const uint32_t count = m_.NumOperands(m_.ops[op.v]);
  for (uint32_t i = 0; i < count; ++i) AddUse(op, i);
}

void ModuleEditor::RemoveUse(uint32_t operand) {
  const ValueId value = ModuleLists(&m_).operands[operand];
  if (!value) return;
  const UseLink link = uses_[operand];
  (link.previous ? uses_[link.previous - 1].next : first_use_[value.v]) = link.next;
  if (link.next) uses_[link.next - 1].previous = link.previous;
}

bool ModuleEditor::HasUses(OpId op) const {
  const Range results = m_.ResultsOf(m_.ops[op.v]);
  for (uint32_t i = 0; i < results.count; ++i)
    if (HasUses(ValueId(results.first + i))) return true;
  return false;
}

OpId ModuleEditor::UserOutside(OpId op) const {
  const std::vector<OpId> inside = OpsIn(op);
  std::vector<uint32_t> ids;
  ids.reserve(inside.size());
  for (const OpId id : inside) ids.push_back(id.v);
  std::ranges::sort(ids);
  OpId user;
  const auto note = [&](const Range& values) {
    for (uint32_t i = 0; i < values.count; ++i)
      ForEachUse(ValueId(values.first + i), [&](OpId use, uint32_t) {
        if ((!user || use < user) && !std::ranges::binary_search(ids, use.v)) user = use;
      });
  };
  for (const OpId id : inside) {
    note(m_.ResultsOf(m_.ops[id.v]));
    for (const RegionId region : m_.RegionsOf(m_.ops[id.v]))
      for (const BlockId block : blocks_[region.v]) note(m_.blocks[block.v].args);
  }
  return user;
}

void ModuleEditor::ReplaceUses(ValueId value, ValueId with) {
  if (value == with) return;
  const bool retype = m_.TypeOf(value) != m_.TypeOf(with);
  uint32_t last = 0;
  ForEachUse(value, [&](OpId op, uint32_t i) {
    const uint32_t operand = m_.ops[op.v].first_operand + i;
    ModuleLists(&m_).operands[operand] = with;
    last = operand + 1;
  });
  if (!last) return;
  const uint32_t first = std::exchange(first_use_[value.v], 0), next = first_use_[with.v];
  uses_[last - 1].next = next;
  if (next) uses_[next - 1].previous = last;
  first_use_[with.v] = first;
  if (retype) SetType(with, m_.TypeOf(with));
}

// --- Insertion -------------------------------------------------------------------------------------------

void ModuleEditor::InsertAtEnd(BlockId block) {
  block_ = block;
  before_ = {};
}

void ModuleEditor::InsertAtStart(BlockId block) {
  block_ = block;
  before_ = FirstOf(block);
}

void ModuleEditor::InsertBefore(OpId op) {
  block_ = m_.ops[op.v].parent;
  before_ = op;
}

void ModuleEditor::InsertAfter(OpId op) {
  block_ = m_.ops[op.v].parent;
  before_ = After(op);
}

// Makes the insertion point one that exists. A block may be in a region that no op has yet.
void ModuleEditor::Aim() {
  if (before_ && (!Has(before_) || m_.ops[before_.v].parent != block_)) before_ = {};
  if (const OpId around = ParentOf(block_); around && !Has(around)) InsertAtEnd(body());
}

// Links an op that is in no block at the insertion point.
void ModuleEditor::Place(OpId op) {
  Aim();
  m_.ops[op.v].parent = block_;
  const OpId previous = before_ ? links_[before_.v].previous : ends_[block_.v].last;
  links_[op.v] = {previous, before_};
  (previous ? links_[previous.v].next : ends_[block_.v].first) = op;
  (before_ ? links_[before_.v].previous : ends_[block_.v].last) = op;
}

void ModuleEditor::Unlink(OpId op) {
  const auto [previous, next] = links_[op.v];
  Ends& ends = ends_[m_.ops[op.v].parent.v];
  (previous ? links_[previous.v].next : ends.first) = next;
  (next ? links_[next.v].previous : ends.last) = previous;
}

// Makes an op that the module has part of the program, at the insertion point.
void ModuleEditor::Enter(OpId op) {
  Grow();
  live_[op.v] = true;
  AddUses(op);
  Place(op);
}

OpId ModuleEditor::Insert(const OpSpec& spec, OpId origin) {
  const OpId op = Builder(&m_).AddOp(spec);
  Enter(op);
  origins_[op.v] = origin;
  return op;
}

OpId ModuleEditor::Insert(OpSpec spec, std::initializer_list<Attr> attrs, OpId origin) {
  const OpRevision& revision = RevisionOf(spec.revision);
  std::vector<AttrId> inherent(revision.attrs.size());
  for (const Attr& attr : attrs)
    if (const int slot = revision.FindSlot(attr.name); slot >= 0) inherent[size_t(slot)] = attr.value;
  spec.inherent_attrs = inherent;
  return Insert(spec, origin);
}

Result<OpId> ModuleEditor::InsertInferred(const OpSpec& spec) {
  Aim();
  const OpId op = Builder(&m_).AddOp(spec);
  m_.ops[op.v].parent = block_;
  auto types = SHLO_TRY(InferResults(&m_, op));
  m_.ops[op.v].first_result = uint32_t(m_.values.size());
  for (size_t i = 0; i < types.size(); ++i)
    m_.values.push_back({types[i], op, BlockId(), uint32_t(i), AttrId()});
  m_.EditSignature(op, [&](EditedSignature& s) { s.result_types = types; });
  Enter(op);
  return op;
}

RegionId ModuleEditor::NewRegion() {
  const RegionId region(uint32_t(m_.regions.size()));
  m_.regions.emplace_back();
  Grow();
  return region;
}

BlockId ModuleEditor::AddBlock(RegionId region, std::span<const TypeId> args) {
  const BlockId block(uint32_t(m_.blocks.size()));
  m_.blocks.emplace_back().parent = region;
  blocks_[region.v].push_back(block);
  SetArgs(block, args);
  return block;
}

// --- The result ------------------------------------------------------------------------------------------

Module ModuleEditor::FinishInPlace() && {
  Settled();
  return std::move(m_);
}

Module ModuleEditor::Finish(SourcePlaces* places, std::vector<OpId>* origins) && {
  const Module& from = Settled();
  Module out = TakeNodes(&m_);
  Builder builder(&out);
  Copier copier(from, &builder);
  out.top = copier.Copy(from.top);
  for (const Copier::Late& late : copier.TakeLate())
    ModuleLists(&out).operands[out.ops[late.op.v].first_operand + late.operand] = late.value;
  std::vector<OpId> first(out.ops.size());
  for (uint32_t i = 1; i < first.size(); ++i) first[i] = OriginOf(copier.op_origins()[i]);
  if (places) *places = places->Rearranged(first, copier.arg_origins());
  if (origins) *origins = std::move(first);
  return out;
}

}  // namespace shlo
