// Building and editing programs. The module of a builder has records for all ops, values, blocks and regions
// that were ever made; which of them belong to the program, and in which order, is kept with it until
// shlo_builder_finish, which copies them into a new module.
#include <algorithm>
#include <optional>
#include <unordered_map>

#include "base/format.h"
#include "base/printable.h"
#include "capi/internal.h"
#include "ir/module/node_words.h"
#include "ir/module/rebuild.h"
#include "ir/nearest_names.h"
#include "ir/table/attr_class.h"
#include "ir/table/ops.h"
#include "ir/table/trait.h"
#include "ir/verify/infer.h"
#include "serialize/text/reader_fragments.h"
#include "shlo/print.h"
#include "shlo/text_reader.h"
#include "tasks/json.h"

namespace shlo::capi {
namespace {

// Copies what belongs to the program.
class Compactor : public Rebuilder {
 public:
  explicit Compactor(const Module& from) : Rebuilder(from) {}
  using Rebuilder::Rebuild;
};

}  // namespace

class Editor {
 public:
  explicit Editor(Program program) : program_(std::move(program)), m_(program_.module) {
    block_ops_.resize(m_.blocks.size());
    region_blocks_.resize(m_.regions.size());
    live_.resize(m_.ops.size());
    for (uint32_t i = 1; i < m_.blocks.size(); ++i) {
      const auto ops = m_.OpsOf(BlockId(i));
      block_ops_[i].assign(ops.begin(), ops.end());
    }
    for (uint32_t i = 1; i < m_.regions.size(); ++i) {
      const auto blocks = m_.BlocksOf(RegionId(i));
      region_blocks_[i].assign(blocks.begin(), blocks.end());
    }
    // Ops that no op of the program contains have no way back into it.
    MarkLive(m_.top);
    InsertAtEnd(region_blocks_[RegionsOf(m_.top)[0].v][0]);
  }
  Editor(const Editor&) = delete;
  Editor& operator=(const Editor&) = delete;

  Module& module() { return m_; }
  const Module& module() const { return m_; }

  // --- Checks of numbers ---------------------------------------------------------------------------
  OpId CheckedOp(shlo_op op) const {
    if (op == 0 || op >= live_.size() || !live_[op])
      Fail(Code::kUsage, shlo::StrFormat("there is no op {}", op));
    return OpId(op);
  }
  BlockId CheckedBlock(shlo_block block) const {
    if (!IsBlock(block)) Fail(Code::kUsage, shlo::StrFormat("there is no block {}", block));
    return BlockId(block);
  }
  RegionId CheckedRegion(shlo_region region) const {
    const bool is = region && region < m_.regions.size() && IsOp(m_.regions[region].parent);
    if (!is) Fail(Code::kUsage, shlo::StrFormat("there is no region {}", region));
    return RegionId(region);
  }
  ValueId CheckedValue(shlo_value value) const {
    if (!IsValue(value)) Fail(Code::kUsage, shlo::StrFormat("there is no value {}", value));
    return ValueId(value);
  }
  TypeId CheckedType(shlo_type type) const {
    if (type == 0 || type >= m_.types.size())
      Fail(Code::kUsage, shlo::StrFormat("there is no type {}", type));
    return TypeId(type);
  }
  AttrId CheckedAttr(shlo_attr attr) const {
    if (attr == 0 || attr >= m_.attrs.size())
      Fail(Code::kUsage, shlo::StrFormat("there is no attribute {}", attr));
    return AttrId(attr);
  }
  AttrId CheckedLocation(shlo_attr attr) const {
    if (attr == 0) return {};
    const AttrId location = CheckedAttr(attr);
    if (!IsLocation(m_.attrs.KindOf(location)))
      Fail(Code::kUsage, shlo::StrFormat("attribute {} is not a location", attr),
           "parse one: loc(\"a.py\":1:2)");
    return location;
  }
  bool IsOp(OpId op) const { return op && op.v < live_.size() && live_[op.v]; }
  bool IsBlock(shlo_block block) const {
    return block && block < m_.blocks.size() && IsOp(m_.regions[m_.blocks[block].parent.v].parent);
  }
  bool IsValue(shlo_value value) const {
    if (value == 0 || value >= m_.values.size()) return false;
    const Value& v = m_.values[value];
    if (v.block) return IsBlock(v.block.v);
    if (!IsOp(v.op)) return false;
    const Range results = m_.ResultsOf(m_.ops[v.op.v]);
    return value - results.first < results.count;
  }

  // --- Parts ---------------------------------------------------------------------------------------
  std::span<const RegionId> RegionsOf(OpId op) const { return m_.RegionsOf(m_.ops[op.v]); }
  const std::vector<BlockId>& BlocksOf(RegionId region) const { return region_blocks_[region.v]; }

  // --- Insertion -----------------------------------------------------------------------------------
  void InsertAtEnd(BlockId block) {
    block_ = block;
    before_ = {};
  }
  void InsertBefore(OpId op) {
    if (!m_.ops[op.v].parent) Fail(Code::kUsage, "nothing can be inserted before the module");
    block_ = m_.ops[op.v].parent;
    before_ = op;
  }

  BlockId AddBlock(RegionId region, std::span<const TypeId> args) {
    const BlockId block(uint32_t(m_.blocks.size()));
    m_.blocks.emplace_back();
    m_.blocks[block.v].parent = region;
    m_.blocks[block.v].args = {uint32_t(m_.values.size()), uint32_t(args.size())};
    for (size_t i = 0; i < args.size(); ++i)
      m_.values.push_back({args[i], OpId(), block, uint32_t(i), AttrId()});
    block_ops_.resize(m_.blocks.size());
    region_blocks_[region.v].push_back(block);
    InsertAtEnd(block);
    return block;
  }

  OpId AddOp(const shlo_op_spec& spec) {
    Require(spec.name, "name");
    EditedSignature signature;
    NameOp(spec.name, &signature);
    const OpRevision& revision = RevisionOf(signature.revision);
    std::vector<AttrId>& slots = signature.inherent_attrs;
    slots.resize(revision.attrs.size());
    for (size_t i = 0; i < spec.attr_count; ++i) {
      Require(spec.attr_names, "attr_names");
      Require(spec.attrs, "attrs");
      Require(spec.attr_names[i], "attr_names[i]");
      Place(spec.attr_names[i], CheckedAttr(spec.attrs[i]), &signature);
    }
    FillStructAttrs(&signature);
    for (size_t i = 0; i < slots.size(); ++i)
      if (!slots[i] && revision.attrs[i].filled()) slots[i] = m_.DefaultOf(revision, slots, int(i));
    Op op;
    op.loc = CheckedLocation(spec.location);
    if (spec.operand_count) Require(spec.operands, "operands");
    if (spec.result_count) Require(spec.results, "results");
    if (spec.successor_count) Require(spec.successors, "successors");
    std::vector<ValueId> operands;
    for (size_t i = 0; i < spec.operand_count; ++i) operands.push_back(CheckedValue(spec.operands[i]));
    std::vector<TypeId> results;
    for (size_t i = 0; i < spec.result_count; ++i) results.push_back(CheckedType(spec.results[i]));
    std::vector<BlockId> successors;
    for (size_t i = 0; i < spec.successor_count; ++i) successors.push_back(CheckedBlock(spec.successors[i]));
    if (spec.infer_results && spec.result_count)
      Fail(Code::kUsage, "result types are stated, and to be inferred", "state the result types");
    // Other ops have the results of their regions, which have no blocks yet.
    const bool from_operands = signature.revision && HasTypesOfOperands(RowOf(signature.revision));
    const bool none = signature.revision && revision.results.empty();
    if (spec.infer_results && spec.region_count && !from_operands && !none)
      Fail(Code::kUsage, "result types of an op with regions cannot be inferred", "state the result types");
    // Nothing of the program has changed so far.
    const OpId id(uint32_t(m_.ops.size()));
    op.first_operand = Append(&m_.operands, std::span<const ValueId>(operands)).first;
    for (const ValueId operand : operands) signature.operand_types.push_back(m_.TypeOf(operand));
    op.signature = m_.signatures.Intern(signature.view());
    op.successors = Append(&m_.successors, std::span<const BlockId>(successors));
    op.parent = block_;
    m_.ops.push_back(op);
    live_.resize(m_.ops.size());
    if (spec.infer_results && !spec.region_count)
      results = Take(InferResults(&m_, id));
    else if (spec.infer_results && from_operands)
      results = signature.operand_types;
    m_.ops[id.v].first_result = uint32_t(m_.values.size());
    for (size_t i = 0; i < results.size(); ++i)
      m_.values.push_back({results[i], id, BlockId(), uint32_t(i), AttrId()});
    m_.EditSignature(id, [&](EditedSignature& s) { s.result_types = results; });
    std::vector<RegionId> regions;
    for (size_t i = 0; i < spec.region_count; ++i) {
      regions.emplace_back(uint32_t(m_.regions.size()));
      m_.regions.emplace_back();
      m_.regions[regions.back().v].parent = id;
    }
    region_blocks_.resize(m_.regions.size());
    m_.ops[id.v].regions = Append(&m_.region_lists, std::span<const RegionId>(regions));
    live_[id.v] = true;
    Insert(id);
    return id;
  }

  // Parses an attribute of an op; of an enum, the name of a case will do, and what else Completed adds.
  AttrId ParseAttr(std::string_view op, std::string_view name, const std::string& text) {
    if (const Cell* cell = SlotOf(op, name); cell && cell->attr_class() == AttrClass::kEnum && IsWord(text)) {
      const AttrKind kind = cell->attr_kind();
      if (const EnumCase* found = FindCase(kind, text)) return m_.Enum(kind, found->value);
      Nearest nearest(text);
      std::string all;
      for (const EnumCase& c : CasesOf(kind)) {
        nearest.Try(c.name);
        all += (all.empty() ? "" : ", ") + std::string(c.name);
      }
      Fail(Code::kUsage, shlo::StrFormat("attribute '{}' of '{}' has no case '{}'", name, op, text),
           DidYouMean(nearest.best(), "pass one of " + all));
    }
    const auto owner = std::make_shared<std::string>(Completed(op, name, PrecisionsOf(op, name, text)));
    return Take(ReadAttrText(&m_, *owner, owner));
  }

  // --- Changes -------------------------------------------------------------------------------------
  void SetAttr(OpId id, std::string_view name, AttrId value) {
    m_.EditSignature(id, [&](EditedSignature& signature) {
      Clear(name, &signature);
      if (value) Place(name, value, &signature);
    });
  }

  void SetOperand(OpId op, size_t i, ValueId value) {
    const uint32_t count = m_.NumOperands(m_.ops[op.v]);
    if (i >= count)
      Fail(Code::kUsage, shlo::StrFormat("the op has {}, not {}", Count(count, "operand"), i + 1));
    m_.operands[m_.ops[op.v].first_operand + i] = value;
  }

  void ReplaceUses(ValueId value, ValueId with) {
    for (uint32_t i = 1; i < m_.ops.size(); ++i) {
      if (!live_[i]) continue;
      const uint32_t first = m_.ops[i].first_operand;
      for (uint32_t k = first; k < first + m_.NumOperands(m_.ops[i]); ++k)
        if (m_.operands[k] == value) m_.operands[k] = with;
    }
  }

  void Erase(OpId op) {
    if (op == m_.top) Fail(Code::kUsage, "the module cannot be erased");
    std::vector<OpId> inside;
    Collect(op, &inside);
    std::vector<bool> erased(m_.ops.size());
    for (const OpId id : inside) erased[id.v] = true;
    const auto goes = [&](ValueId value) {
      const Value& v = m_.values[value.v];
      const OpId owner = v.block ? m_.regions[m_.blocks[v.block.v].parent.v].parent : v.op;
      return bool(erased[owner.v]);
    };
    for (uint32_t i = 1; i < m_.ops.size(); ++i) {
      if (!live_[i] || erased[i]) continue;
      for (const ValueId operand : m_.OperandsOf(m_.ops[i]))
        if (goes(operand))
          Fail(Code::kUsage, shlo::StrFormat("op {} has a use: an operand of op {}", op.v, i),
               "replace its uses first");
    }
    Remove(op);
    for (const OpId id : inside) live_[id.v] = false;
    if (before_ && !live_[before_.v]) before_ = {};
    if (!IsBlock(block_.v)) InsertAtEnd(region_blocks_[RegionsOf(m_.top)[0].v][0]);
  }

  void MoveBefore(OpId op, OpId before) {
    if (op == before) return;
    std::vector<OpId> inside;
    Collect(op, &inside);
    if (op == m_.top || std::ranges::find(inside, before) != inside.end() || !m_.ops[before.v].parent)
      Fail(Code::kUsage, "an op cannot be moved into itself, and nothing before the module");
    Remove(op);
    const auto [block, at] = std::pair(block_, before_);
    InsertBefore(before);
    m_.ops[op.v].parent = block_;
    Insert(op);
    block_ = block;
    before_ = at;
  }

  void RenameSymbol(std::string_view name, std::string_view to) {
    const BlockId body = region_blocks_[RegionsOf(m_.top)[0].v][0];
    std::vector<OpId> defining;
    for (const OpId id : block_ops_[body.v]) {
      if (m_.SymbolOf(m_.ops[id.v]) == to)
        Fail(Code::kUsage, shlo::StrFormat("there is a symbol {}", SymbolText(to)));
      if (m_.SymbolOf(m_.ops[id.v]) == name) defining.push_back(id);
    }
    if (defining.empty()) Fail(Code::kUsage, shlo::StrFormat("there is no symbol {}", SymbolText(name)));
    const AttrId renamed = m_.String(to);
    const StringId from = m_.strings.Find(name), into = m_.strings.Intern(to);
    for (const OpId id : defining) SetAttr(id, "sym_name", renamed);
    std::unordered_map<uint32_t, AttrId> known;
    const auto change = [&](AttrId attr) { return attr ? WithSymbol(attr, from, into, &known) : attr; };
    m_.RewriteSignatures([&](SignatureId, EditedSignature* op) {
      for (AttrId& slot : op->inherent_attrs) slot = change(slot);
      for (NamedAttr& attr : op->discardable_attrs) attr.value = change(attr.value);
    });
  }

  // Returns the program.
  Program Finished() const {
    Program out{m_, program_.source, program_.name};
    Module& m = out.module;
    m.op_lists.clear();
    m.block_lists.clear();
    // Types of values may have changed since the ops that use them were added.
    for (uint32_t i = 1; i < m.ops.size(); ++i) {
      Tick();
      if (live_[i]) m.UpdateTypes(OpId(i));
    }
    for (uint32_t i = 1; i < m.blocks.size(); ++i) {
      Tick(1 + block_ops_[i].size() / 16);
      m.blocks[i].ops = Append(&m.op_lists, std::span<const OpId>(block_ops_[i]));
    }
    for (uint32_t i = 1; i < m.regions.size(); ++i)
      m.regions[i].blocks = Append(&m.block_lists, std::span<const BlockId>(region_blocks_[i]));
    Module compact = Compactor(m).Rebuild(&out.source.places);
    m = std::move(compact);
    return out;
  }

 private:
  // Returns the cell of an inherent attribute of an op, by the names of both; null if there is none.
  const Cell* SlotOf(std::string_view op, std::string_view name) const {
    const RowId row = FindOp(op);
    const RevisionId id = row ? RevisionAt(row, m_.version) : RevisionId();
    const int slot = id ? RevisionOf(id).FindSlot(name) : -1;
    return slot < 0 ? nullptr : &RevisionOf(id).attrs[size_t(slot)];
  }
  // Returns "[#stablehlo<precision HIGH>]" for "[HIGH]" where an op has precisions, and other texts as they
  // are.
  std::string PrecisionsOf(std::string_view op, std::string_view name, const std::string& text) const {
    const Cell* cell = SlotOf(op, name);
    if (!cell || cell->attr_class() != AttrClass::kPrecisions) return text;
    std::string out, word;
    for (const char c : text) {
      if (IsWord({&c, 1})) {
        word += c;
        continue;
      }
      if (c != '[' && c != ']' && c != ',' && c != ' ') return text;
      if (!word.empty()) out += StrFormat("#stablehlo<precision {}>", std::exchange(word, {}));
      out += c;
    }
    return out + word;
  }
  // Returns a text with what the class of the attribute implies: quotes of a string, '@' of a symbol, the
  // type of a number.
  std::string Completed(std::string_view op, std::string_view name, std::string text) const {
    const Cell* cell = SlotOf(op, name);
    if (!cell) return text;
    const char first = text.empty() ? ' ' : text[0];
    switch (cell->attr_class()) {
      case AttrClass::kStr:
        return first == '"' ? text : QuotedText(text);
      case AttrClass::kConfig:
        return first == '"' || first == '{' ? text : QuotedText(text);
      case AttrClass::kSymbol:
        return first == '@' ? text : "@" + QuotedText(text);
      default:
        break;
    }
    const std::string_view type = NumberTypeOf(cell->attr_class());
    const bool number = text.find_first_not_of("0123456789.eE+-") == text.npos && !text.empty();
    if (!number || type.empty()) return text;
    const bool whole = text.find_first_of(".eE") == text.npos;
    return StrFormat("{}{} : {}", text, type == "f32" && whole ? ".0" : "", type);
  }
  // Returns the type of numbers of a class, where it is not the one that MLIR has without a type.
  static std::string_view NumberTypeOf(AttrClass c) {
    switch (c) {
      case AttrClass::kI32:
      case AttrClass::kApiVersion:
        return "i32";
      case AttrClass::kUI32:
        return "ui32";
      case AttrClass::kUI64:
        return "ui64";
      case AttrClass::kIndex:
        return "index";
      case AttrClass::kF32:
        return "f32";
      default:
        break;
    }
    for (const WordsClass& words : kWordsClasses)
      if (words.attr_class == c && words.type == TypeKind::kI32) return "i32";
    return "";
  }
  static bool IsWord(std::string_view text) {
    return !text.empty() && text.find_first_not_of(
                                "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_"
                                "0123456789") == text.npos;
  }

  template <typename T>
  static Range Append(Pool<T>* pool, std::span<const T> items) {
    const Range range{uint32_t(pool->size()), uint32_t(items.size())};
    pool->Append(items);
    return range;
  }

  void MarkLive(OpId op) {
    std::vector<OpId> inside;
    Collect(op, &inside);
    for (const OpId id : inside) live_[id.v] = true;
  }
  // Lists an op and those in its regions.
  void Collect(OpId op, std::vector<OpId>* out) const {
    out->push_back(op);
    for (size_t i = 0; i < out->size(); ++i)
      for (const RegionId region : RegionsOf((*out)[i]))
        for (const BlockId block : region_blocks_[region.v])
          out->insert(out->end(), block_ops_[block.v].begin(), block_ops_[block.v].end());
  }

  void Insert(OpId op) {
    std::vector<OpId>& ops = block_ops_[block_.v];
    ops.insert(before_ ? std::ranges::find(ops, before_) : ops.end(), op);
  }
  void Remove(OpId op) {
    std::vector<OpId>& ops = block_ops_[m_.ops[op.v].parent.v];
    ops.erase(std::ranges::find(ops, op));
  }

  void NameOp(std::string_view name, EditedSignature* op) {
    const RowId row = FindOp(name);
    if (row && RowOf(row).name == name) {
      op->revision = RevisionAt(row, m_.version);
      if (op->revision) return;
      const OpRow& r = RowOf(row);
      Fail(Code::kUsage, shlo::StrFormat("'{}' does not exist in version {}, only in {} to {}", name,
                                         VersionName(m_.version),
                                         VersionName(RevisionOf(RevisionId{r.first_revision}).since),
                                         VersionName(RevisionOf(NewestRevision(row)).until)));
    }
    // Other dialects may have any op.
    const size_t dot = name.find('.');
    const bool closed = name.starts_with("stablehlo.") || name.starts_with("vhlo.") ||
                        name.starts_with("chlo.") || name.starts_with("func.") ||
                        name.starts_with("builtin.");
    if (closed || dot == 0 || dot == name.npos || dot + 1 == name.size())
      Fail(Code::kUsage, shlo::StrFormat("unknown op '{}'", name), DidYouMean(NearestOp(name)));
    op->name = m_.strings.Intern(name);
  }

  // Puts an attribute where ops keep it: in a slot, in those that a struct attribute groups, or in the list.
  void Place(std::string_view name, AttrId value, EditedSignature* op) {
    const OpRevision& revision = RevisionOf(op->revision);
    const auto put = [&](int slot, AttrId attr) {
      const Cell& cell = revision.attrs[size_t(slot)];
      AttrId& placed = op->inherent_attrs[size_t(slot)];
      if (placed) Fail(Code::kUsage, shlo::StrFormat("attribute '{}' is stated twice", cell.name));
      if (attr) placed = m_.NormalizeInherentAttr(cell, attr);
    };
    if (const int slot = revision.FindSlot(name); slot >= 0) return put(slot, value);
    for (const Cell& struct_attr : revision.struct_attrs) {
      if (struct_attr.name != name) continue;
      if (m_.attrs.KindOf(value) != struct_attr.attr_kind())
        Fail(Code::kUsage,
             shlo::StrFormat("attribute '{}' is not a #{}.{}", name, RowOf(struct_attr.attr_kind()).dialect,
                             RowOf(struct_attr.attr_kind()).mnemonic));
      std::vector<Module::SlotValue> values;
      m_.ExpandStructAttr(struct_attr, revision, value, &values);
      for (const Module::SlotValue& v : values) put(v.slot, v.value);
      return;
    }
    if (name.empty()) Fail(Code::kUsage, "an attribute has no name");
    const StringId key = m_.strings.Intern(name);
    const auto at = std::ranges::lower_bound(op->discardable_attrs, name, {},
                                             [&](const NamedAttr& a) { return m_.strings[a.name]; });
    if (at != op->discardable_attrs.end() && at->name == key)
      Fail(Code::kUsage, shlo::StrFormat("attribute '{}' is stated twice", name));
    op->discardable_attrs.insert(at, {key, value});
  }

  // Lists that are left out of a struct attribute with other fields are empty, as in its text.
  void FillStructAttrs(EditedSignature* op) {
    const OpRevision& revision = RevisionOf(op->revision);
    for (const Cell& struct_attr : revision.struct_attrs) {
      const auto fields = RowOf(struct_attr.attr_kind()).fields();
      const bool any = std::ranges::any_of(fields, [&](const FieldRow& field) {
        const int slot = revision.FindSlot(field.name);
        return slot >= 0 && op->inherent_attrs[size_t(slot)];
      });
      for (const FieldRow& field : fields) {
        const int slot = any && field.type == FieldType::kInts ? revision.FindSlot(field.name) : -1;
        if (slot < 0 || op->inherent_attrs[size_t(slot)]) continue;
        if (revision.attrs[size_t(slot)].attr_default() == Default::kRequired)
          op->inherent_attrs[size_t(slot)] = m_.I64s({});
      }
    }
  }

  void Clear(std::string_view name, EditedSignature* op) const {
    const OpRevision& revision = RevisionOf(op->revision);
    if (const int slot = revision.FindSlot(name); slot >= 0) op->inherent_attrs[size_t(slot)] = {};
    for (const Cell& struct_attr : revision.struct_attrs) {
      if (struct_attr.name != name) continue;
      for (const FieldRow& field : RowOf(struct_attr.attr_kind()).fields())
        if (const int slot = revision.FindSlot(field.name); slot >= 0) op->inherent_attrs[size_t(slot)] = {};
    }
    std::erase_if(op->discardable_attrs, [&](const NamedAttr& a) { return m_.strings[a.name] == name; });
  }

  // Returns an attribute with another symbol wherever it has one.
  AttrId WithSymbol(AttrId attr, StringId from, StringId to, std::unordered_map<uint32_t, AttrId>* known) {
    if (const auto found = known->find(attr.v); found != known->end()) return found->second;
    const AttrKind kind = m_.attrs.KindOf(attr);
    // A copy: the table may grow.
    const std::vector<uint64_t> words(m_.attrs[attr].words.begin(), m_.attrs[attr].words.end());
    const auto changed = MappedWords(RowOf(kind), words, [&](FieldType type, uint64_t word) -> uint64_t {
      if (type == FieldType::kString && kind == AttrKind::kSymbolRef && word == from.v) return to.v;
      const bool inner = type == FieldType::kAttr || type == FieldType::kOptAttr || type == FieldType::kAttrs;
      return inner && word ? WithSymbol(AttrId(uint32_t(word)), from, to, known).v : word;
    });
    const AttrId out = changed == words ? attr : m_.attrs.Intern(kind, changed);
    known->emplace(attr.v, out);
    return out;
  }

  Program program_;
  Module& m_;
  std::vector<std::vector<OpId>> block_ops_;         // by block
  std::vector<std::vector<BlockId>> region_blocks_;  // by region
  std::vector<bool> live_;                           // by op: belongs to the program
  BlockId block_;                                    // the insertion point
  OpId before_;                                      // none: the end of the block
};

}  // namespace shlo::capi

struct shlo_builder {
  explicit shlo_builder(shlo::Program program, uint64_t size) : editor(std::move(program)), bytes(size) {}
  shlo::capi::Editor editor;
  uint64_t bytes;  // of the program that was copied, for limits
};

using namespace shlo::capi;
using shlo::Code;
using shlo::TypeId;

namespace {

Editor& EditorOf(shlo_builder* builder) {
  Require(builder, "builder");
  return builder->editor;
}

std::vector<TypeId> Types(const Editor& editor, const shlo_type* types, size_t count) {
  if (count) Require(types, "types");
  std::vector<TypeId> out;
  for (size_t i = 0; i < count; ++i) out.push_back(editor.CheckedType(types[i]));
  return out;
}

}  // namespace

extern "C" {

shlo_error* shlo_builder_create(shlo_version version, shlo_builder** out) {
  return Try([&] {
    Require(out, "out");
    *out = nullptr;
    shlo::ReadOptions options;
    options.source_name = "<builder>";
    options.version = version ? shlo::Version{uint16_t(version)} : shlo::kCurrentVersion;
    if (version > UINT16_MAX || !shlo::FindVersion(options.version))
      Fail(Code::kUnknownVersion, shlo::StrFormat("unknown version {}", version));
    shlo::Program program = Take(shlo::ReadProgram("module {\n}\n", nullptr, options));
    program.source.places = {};
    *out = new shlo_builder(std::move(program), 0);
  });
}

shlo_error* shlo_builder_copy(const shlo_program* program, shlo_builder** out) {
  return Try([&] {
    Require(out, "out");
    *out = nullptr;
    const shlo::Limits limits = LimitsOf(nullptr, Get(program).bytes);
    const shlo_program& from = Valid(program, limits);
    *out = new shlo_builder(from.program, from.bytes);
  });
}

void shlo_builder_free(shlo_builder* builder) { delete builder; }

shlo_error* shlo_builder_finish(const shlo_builder* builder, const shlo_verify_options* given,
                                shlo_program** out) {
  return Try([&] {
    Require(out, "out");
    *out = nullptr;
    Require(builder, "builder");
    const shlo_verify_options options = OptionsOf(given, "shlo_verify_options");
    if (options.warnings) *options.warnings = nullptr;
    const std::vector<shlo::Dialect> dialects = DialectsOf(options.dialects, options.dialect_count);
    ProgramPtr program = NewProgram(builder->editor.Finished());
    const shlo::Module& m = program->program.module;
    program->bytes = builder->bytes;
    for (uint32_t i = 1; i < m.payloads.size(); ++i) program->bytes += m.payloads.SizeOf(shlo::PayloadId(i));
    shlo::VerifyOptions verify;
    if (options.lenient) verify.strictness = shlo::Strictness::kLenient;
    if (options.max_diagnostics) verify.max_diagnostics = options.max_diagnostics;
    verify.limits = LimitsOf(options.limits, program->bytes);
    shlo::Diagnostics found = shlo::VerifyProgram(program->program, dialects, verify);
    if (shlo::HasErrors(found)) throw Failed{std::move(found), shlo::tasks::kFinding};
    program->findings = found;
    program->verified = true;
    PutDiagnostics(std::move(found), options.warnings);
    *out = program.release();
  });
}

shlo_error* shlo_builder_type(shlo_builder* builder, const char* text, shlo_type* out) {
  return Try([&] {
    Require(out, "out");
    *out = 0;
    Require(text, "text");
    const auto owner = std::make_shared<std::string>(text);
    *out = Take(shlo::ReadTypeText(&EditorOf(builder).module(), *owner, owner)).v;
  });
}

shlo_error* shlo_builder_attr(shlo_builder* builder, const char* text, shlo_attr* out) {
  return Try([&] {
    Require(out, "out");
    *out = 0;
    Require(text, "text");
    const auto owner = std::make_shared<std::string>(text);
    *out = Take(shlo::ReadAttrText(&EditorOf(builder).module(), *owner, owner)).v;
  });
}

shlo_error* shlo_builder_op_attr(shlo_builder* builder, const char* op, const char* name, const char* text,
                                 shlo_attr* out) {
  return Try([&] {
    Require(out, "out");
    *out = 0;
    Require(op, "op");
    Require(name, "name");
    Require(text, "text");
    *out = EditorOf(builder).ParseAttr(op, name, text).v;
  });
}

shlo_error* shlo_builder_type_text(const shlo_builder* builder, shlo_type type, shlo_buffer** out) {
  return Try([&] {
    Require(out, "out");
    *out = nullptr;
    Require(builder, "builder");
    const Editor& editor = builder->editor;
    std::string text;
    if (!shlo::PrintType(editor.module(), editor.CheckedType(type), shlo::Spelling::kStablehlo,
                         LimitsOf(nullptr, builder->bytes).max_output, &text))
      Fail(Code::kLimit, "the text is too long, or nested too deeply");
    *out = NewBuffer(std::move(text));
  });
}

shlo_error* shlo_builder_elements(shlo_builder* builder, shlo_type type, const void* data, size_t size,
                                  int splat, int borrow, shlo_release release, void* context,
                                  shlo_attr* out) {
  return Try([&] {
    const shlo::InputFile bytes = BytesOf(data, size, borrow != 0, release, context, {});
    Require(out, "out");
    *out = 0;
    Editor& editor = EditorOf(builder);
    shlo::Module& m = editor.module();
    const auto tensor = m.As<shlo::TensorType>(editor.CheckedType(type));
    uint64_t count = 0;
    const uint64_t element = tensor ? m.ElementBytes(tensor->element) : 0;
    if (!tensor || !element || !shlo::Module::ElementCount(tensor->shape, &count))
      Fail(Code::kUsage, "expected a static tensor type whose elements have bytes");
    if (splat) count = 1;
    if (bytes.bytes.size() / element != count || bytes.bytes.size() % element)
      Fail(Code::kUsage,
           shlo::StrFormat("expected {} ({} of {}), got {}", shlo::Count(count * element, "byte"),
                           shlo::Count(count, "element"), shlo::Count(element, "byte"), size));
    *out = m.Elements(TypeId(type), m.payloads.AddView(bytes.bytes.data(), bytes.bytes.size(), bytes.owner),
                      splat != 0)
               .v;
  });
}

shlo_error* shlo_builder_string(shlo_builder* builder, const char* data, size_t size, shlo_attr* out) {
  return Try([&] {
    Require(out, "out");
    *out = 0;
    if (size) Require(data, "data");
    *out = EditorOf(builder).module().String({data, size}).v;
  });
}

shlo_error* shlo_builder_function(shlo_builder* builder, const char* name, const shlo_type* inputs,
                                  size_t input_count, const shlo_type* results, size_t result_count,
                                  shlo_op* out) {
  return Try([&] {
    if (out) *out = 0;
    Require(name, "name");
    Editor& editor = EditorOf(builder);
    shlo::Module& m = editor.module();
    const std::vector<TypeId> args = Types(editor, inputs, input_count);
    const std::vector<TypeId> returned = Types(editor, results, result_count);
    const char* const names[] = {"sym_name", "function_type"};
    const shlo_attr attrs[] = {m.String(name).v, m.TypeAttr(m.FunctionType(args, returned)).v};
    shlo_op_spec spec{};
    spec.name = "func.func";
    spec.attr_names = names;
    spec.attrs = attrs;
    spec.attr_count = 2;
    spec.region_count = 1;
    editor.InsertAtEnd(editor.BlocksOf(editor.RegionsOf(m.top)[0])[0]);
    const shlo::OpId function = editor.AddOp(spec);
    editor.AddBlock(editor.RegionsOf(function)[0], args);
    if (out) *out = function.v;
  });
}

shlo_error* shlo_builder_op(shlo_builder* builder, const shlo_op_spec* spec, shlo_op* out) {
  return Try([&] {
    if (out) *out = 0;
    Require(spec, "spec");
    const shlo::OpId op = EditorOf(builder).AddOp(OptionsOf(spec, "shlo_op_spec"));
    if (out) *out = op.v;
  });
}

shlo_error* shlo_builder_insert_at_end(shlo_builder* builder, shlo_block block) {
  return Try([&] {
    Editor& editor = EditorOf(builder);
    editor.InsertAtEnd(editor.CheckedBlock(block));
  });
}

shlo_error* shlo_builder_insert_before(shlo_builder* builder, shlo_op op) {
  return Try([&] {
    Editor& editor = EditorOf(builder);
    editor.InsertBefore(editor.CheckedOp(op));
  });
}

shlo_error* shlo_builder_block(shlo_builder* builder, shlo_region region, const shlo_type* args,
                               size_t arg_count, shlo_block* out) {
  return Try([&] {
    if (out) *out = 0;
    Editor& editor = EditorOf(builder);
    const shlo::RegionId checked = editor.CheckedRegion(region);
    const shlo::BlockId block = editor.AddBlock(checked, Types(editor, args, arg_count));
    if (out) *out = block.v;
  });
}

shlo_value shlo_builder_result(const shlo_builder* builder, shlo_op op, size_t i) {
  if (!builder || !builder->editor.IsOp(shlo::OpId(op))) return 0;
  const shlo::Module& module = builder->editor.module();
  const shlo::Range results = module.ResultsOf(module.ops[op]);
  return i < results.count ? results.first + uint32_t(i) : 0;
}

shlo_region shlo_builder_region(const shlo_builder* builder, shlo_op op, size_t i) {
  if (!builder || !builder->editor.IsOp(shlo::OpId(op))) return 0;
  const auto regions = builder->editor.RegionsOf(shlo::OpId(op));
  return i < regions.size() ? regions[i].v : 0;
}

shlo_block shlo_builder_region_block(const shlo_builder* builder, shlo_region region, size_t i) {
  return Ask(0u, [&] {
    if (!builder) return 0u;
    const auto& blocks = builder->editor.BlocksOf(builder->editor.CheckedRegion(region));
    return i < blocks.size() ? blocks[i].v : 0;
  });
}

shlo_value shlo_builder_block_arg(const shlo_builder* builder, shlo_block block, size_t i) {
  if (!builder || !builder->editor.IsBlock(block)) return 0;
  const shlo::Range args = builder->editor.module().blocks[block].args;
  return i < args.count ? args.first + uint32_t(i) : 0;
}

shlo_type shlo_builder_value_type(const shlo_builder* builder, shlo_value value) {
  if (!builder || !builder->editor.IsValue(value)) return 0;
  return builder->editor.module().values[value].type.v;
}

shlo_error* shlo_builder_set_attr(shlo_builder* builder, shlo_op op, const char* name, shlo_attr value) {
  return Try([&] {
    Require(name, "name");
    Editor& editor = EditorOf(builder);
    const shlo::OpId checked = editor.CheckedOp(op);
    editor.SetAttr(checked, name, value ? editor.CheckedAttr(value) : shlo::AttrId());
  });
}

shlo_error* shlo_builder_set_location(shlo_builder* builder, shlo_op op, shlo_attr location) {
  return Try([&] {
    Editor& editor = EditorOf(builder);
    const shlo::OpId checked = editor.CheckedOp(op);
    editor.module().ops[checked.v].loc = editor.CheckedLocation(location);
  });
}

shlo_error* shlo_builder_set_operand(shlo_builder* builder, shlo_op op, size_t i, shlo_value value) {
  return Try([&] {
    Editor& editor = EditorOf(builder);
    const shlo::OpId checked = editor.CheckedOp(op);
    editor.SetOperand(checked, i, editor.CheckedValue(value));
  });
}

shlo_error* shlo_builder_set_type(shlo_builder* builder, shlo_value value, shlo_type type) {
  return Try([&] {
    Editor& editor = EditorOf(builder);
    const shlo::ValueId checked = editor.CheckedValue(value);
    editor.module().values[checked.v].type = editor.CheckedType(type);
  });
}

shlo_error* shlo_builder_replace_uses(shlo_builder* builder, shlo_value value, shlo_value with) {
  return Try([&] {
    Editor& editor = EditorOf(builder);
    const shlo::ValueId checked = editor.CheckedValue(value);
    editor.ReplaceUses(checked, editor.CheckedValue(with));
  });
}

shlo_error* shlo_builder_erase(shlo_builder* builder, shlo_op op) {
  return Try([&] {
    Editor& editor = EditorOf(builder);
    editor.Erase(editor.CheckedOp(op));
  });
}

shlo_error* shlo_builder_move_before(shlo_builder* builder, shlo_op op, shlo_op before) {
  return Try([&] {
    Editor& editor = EditorOf(builder);
    const shlo::OpId checked = editor.CheckedOp(op);
    editor.MoveBefore(checked, editor.CheckedOp(before));
  });
}

shlo_error* shlo_builder_rename_symbol(shlo_builder* builder, const char* name, const char* to) {
  return Try([&] {
    Require(name, "name");
    Require(to, "to");
    EditorOf(builder).RenameSymbol(name, to);
  });
}

}  // extern "C"
