#include "diff/flow.h"

#include <algorithm>

#include "base/deadline.h"
#include "ir/table/attr_class.h"
#include "prove/contract.h"

namespace shlo::diff {
namespace {

// The first word of a class.
enum class Tag : uint32_t {
  kArgument,
  kCapture,
  kUnknown,
  kKind,
  kSelf,
  kDown,
  kUp,
  kResult,
  kRegion,
  kUse,
  kUses
};

}  // namespace

Flow::Flow(const Module& module, prove::NodeClasses* nodes, const prove::Numbering& effects,
           prove::ClassTable* table)
    : module_(module),
      nodes_(*nodes),
      effects_(effects),
      table_(*table),
      ops_(module.ops.size()),
      values_(module.values.size()),
      regions_(module.regions.size()),
      seen_(module.values.size()) {
  const std::vector<RegionId> regions = RegionsOutsideIn();
  for (size_t i = regions.size(); i-- > 0;) NumberRegion(regions[i]);
  CollectUses(regions);
  Words words;
  for (RegionId region : regions) NumberUses(region, &words);
}

std::vector<RegionId> Flow::RegionsOutsideIn() const {
  std::vector<RegionId> regions;
  for (RegionId region : module_.RegionsOf(module_.ops[module_.top.v])) regions.push_back(region);
  for (size_t i = 0; i < regions.size(); ++i)
    for (BlockId block : module_.BlocksOf(regions[i]))
      for (OpId op : module_.OpsOf(block))
        for (RegionId inner : module_.RegionsOf(module_.ops[op.v])) regions.push_back(inner);
  return regions;
}

RegionId Flow::RegionOf(ValueId id) const {
  const Value& value = module_.values[id.v];
  const BlockId block = value.op ? module_.ops[value.op.v].parent : value.block;
  return block ? module_.blocks[block.v].parent : RegionId();
}

// Regions inside are numbered before. A region's content is closed: its captures are numbers, which the op
// that has the region binds to values as it does its operands.
void Flow::NumberRegion(RegionId id) {
  RegionClasses& region = regions_[id.v];
  const auto blocks = module_.BlocksOf(id);
  Words words, content{uint32_t(Tag::kRegion), uint32_t(blocks.size())};
  for (uint32_t b = 0; b < blocks.size(); ++b) {
    const Range args = module_.blocks[blocks[b].v].args;
    content.push_back(args.count);
    for (uint32_t i = 0; i < args.count; ++i) {
      const uint32_t symbol[] = {uint32_t(Tag::kArgument), b, i};
      values_[args.first + i].down = table_.Intern(symbol);
      values_[args.first + i].exact = true;
      content.push_back(nodes_.Of(module_.values[args.first + i].type));
    }
  }
  // Values that regions of ops capture are inputs of these ops.
  const uint32_t round = ++round_;
  for (BlockId block : blocks) {
    uint32_t position = 0;
    for (OpId op : module_.OpsOf(block)) {
      Tick();
      ops_[op.v].position = position++;
      Range& inputs = ops_[op.v].inputs;
      inputs.first = uint32_t(inputs_.size());
      for (ValueId operand : module_.OperandsOf(module_.ops[op.v])) inputs_.push_back(operand);
      for (RegionId inner : module_.RegionsOf(module_.ops[op.v]))
        for (ValueId captured : regions_[inner.v].captures) inputs_.push_back(captured);
      inputs.count = uint32_t(inputs_.size()) - inputs.first;
      for (ValueId input : InputsOf(op)) {
        if (RegionOf(input) == id || seen_[input.v] == round) continue;
        seen_[input.v] = round;
        region.captures.push_back(input);
      }
    }
  }
  // While the region is numbered, captured values have the classes of captures.
  std::vector<ValueClasses> outside;
  for (uint32_t i = 0; i < region.captures.size(); ++i) {
    ValueClasses& value = values_[region.captures[i].v];
    outside.push_back(value);
    const uint32_t symbol[] = {uint32_t(Tag::kCapture), i};
    value.down = table_.Intern(symbol);
    value.exact = false;
  }
  for (BlockId block : blocks) {
    const size_t first = content.size();
    ClassId last = 0;
    for (OpId op : module_.OpsOf(block)) {
      NumberOp(op, id, &words);
      last = ops_[op.v].down;
      content.push_back(last);
    }
    // The order of independent ops makes no difference.
    std::sort(content.begin() + ptrdiff_t(first), content.end());
    content.push_back(last);
    content.push_back(uint32_t(content.size() - first));
  }
  for (size_t i = 0; i < region.captures.size(); ++i) values_[region.captures[i].v] = outside[i];
  region.content = table_.Intern(content);
}

void Flow::PutSelf(const Op& op, Words* words) {
  const auto inherent = module_.InherentAttrsOf(op);
  const auto cells = RevisionOf(module_.RevisionIdOf(op)).attrs;
  const size_t count = words->size();
  words->push_back(0);
  for (size_t i = 0; i < inherent.size(); ++i) {
    // VHLO has lost what only text can represent.
    if (!inherent[i] || cells[i].attr_default() == Default::kTextOnly ||
        module_.IsDefaultValue(cells[i], inherent[i]))
      continue;
    words->push_back(uint32_t(i));
    words->push_back(nodes_.Of(inherent[i]));
    ++(*words)[count];
  }
  for (const NamedAttr& attr : module_.DiscardableAttrsOf(op)) {
    if (prove::IsAboutTheFile(module_.strings[attr.name])) continue;
    words->push_back(nodes_.Of(attr.name));
    words->push_back(nodes_.Of(attr.value));
  }
}

void Flow::NumberOp(OpId id, RegionId region, Words* words) {
  Tick();
  const Op& op = module_.ops[id.v];
  OpClasses& classes = ops_[id.v];
  const RowId row = module_.RevisionIdOf(op) ? RevisionOf(module_.RevisionIdOf(op)).row : RowId();
  *words = {uint32_t(Tag::kKind), row.v, row ? 0 : nodes_.Of(module_.NameIdOf(op)), module_.NumResults(op),
            op.regions.count};
  classes.kind = table_.Intern(*words);

  // Slots are those of a revision.
  *words = {uint32_t(Tag::kSelf), classes.kind, module_.RevisionIdOf(op).v};
  PutSelf(op, words);
  for (uint32_t i = 0; i < module_.NumResults(op); ++i)
    words->push_back(nodes_.Of(module_.TypeOf(module_.ResultOf(op, i))));
  for (RegionId inner : module_.RegionsOf(op)) words->push_back(regions_[inner.v].content);
  if (const auto successors = module_.SuccessorsOf(op); !successors.empty()) {
    const auto blocks = module_.BlocksOf(region);
    for (BlockId to : successors) words->push_back(uint32_t(std::ranges::find(blocks, to) - blocks.begin()));
  }
  classes.self = table_.Intern(*words);

  *words = {uint32_t(Tag::kDown), classes.self};
  bool exact = !HasEffects(id);
  for (ValueId input : InputsOf(id)) {
    const ValueClasses& value = values_[input.v];
    words->push_back(value.down ? value.down : uint32_t(Tag::kUnknown));
    exact = exact && value.down && value.exact;
  }
  classes.down = table_.Intern(*words);
  for (uint32_t i = 0; i < module_.NumResults(op); ++i) {
    const uint32_t result[] = {uint32_t(Tag::kResult), classes.down, i};
    ValueClasses& value = values_[module_.ResultOf(op, i).v];
    value.down = table_.Intern(result);
    value.exact = exact;
  }
}

void Flow::CollectUses(std::span<const RegionId> regions) {
  const auto for_each_use = [&](const auto& visit) {
    for (RegionId region : regions)
      for (BlockId block : module_.BlocksOf(region))
        for (OpId op : module_.OpsOf(block)) {
          Tick();
          const auto inputs = InputsOf(op);
          for (uint32_t i = 0; i < inputs.size(); ++i)
            if (RegionOf(inputs[i]) == region) visit(inputs[i], Use{op, i});
        }
  };
  for_each_use([&](ValueId value, const Use&) { ++values_[value.v].uses.count; });
  uint32_t end = 0;
  for (ValueClasses& value : values_) {
    value.uses.first = end;
    end += value.uses.count;
    value.uses.count = 0;
  }
  uses_.resize(end);
  for_each_use([&](ValueId value, const Use& use) {
    Range& uses = values_[value.v].uses;
    uses_[uses.first + uses.count++] = use;
  });
}

void Flow::PutUses(ValueId value, Words* words) const {
  const size_t first = words->size();
  for (const Use& use : UsesOf(value)) {
    const uint32_t key[] = {uint32_t(Tag::kUse), ops_[use.op.v].up, use.index};
    words->push_back(table_.Intern(key));
  }
  std::sort(words->begin() + ptrdiff_t(first), words->end());
  words->push_back(uint32_t(words->size() - first));
}

ClassId Flow::UpOf(ValueId value) const {
  Words words{uint32_t(Tag::kUses)};
  PutUses(value, &words);
  return table_.Intern(words);
}

void Flow::NumberUses(RegionId region, Words* words) {
  const auto blocks = module_.BlocksOf(region);
  for (size_t b = blocks.size(); b-- > 0;) {
    const auto ops = module_.OpsOf(blocks[b]);
    for (size_t i = ops.size(); i-- > 0;) {
      Tick();
      const Op& op = module_.ops[ops[i].v];
      *words = {uint32_t(Tag::kUp), ops_[ops[i].v].self};
      for (uint32_t r = 0; r < module_.NumResults(op); ++r) PutUses(module_.ResultOf(op, r), words);
      ops_[ops[i].v].up = table_.Intern(*words);
    }
  }
}

}  // namespace shlo::diff
