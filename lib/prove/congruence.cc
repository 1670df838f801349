#include "prove/congruence.h"

#include <algorithm>

#include "base/deadline.h"
#include "base/stack.h"
#include "ir/module/limits.h"
#include "ir/module/symbols.h"
#include "ir/table/attr_class.h"
#include "ir/table/ops.h"
#include "ir/table/trait.h"
#include "prove/contract.h"

namespace shlo::prove {
namespace {

// Neither text nor bytecode distinguishes an absent list from one of empty dictionaries.
bool OnlyEmptyDicts(const Module& m, AttrId list) {
  return std::ranges::all_of(m.ElementsOf(list), [&](AttrId item) {
    const auto dict = m.As<DictionaryAttr>(item);
    return dict && dict->entries.empty();
  });
}

}  // namespace

void AddTargetsWithEffects(const Module& module, Targets* targets) {
  for (size_t i = 1; i < module.ops.size(); ++i) {
    const Op& op = module.ops[i];
    std::string_view target;
    if (module.Is(op, ops::kCustomCall) && !IsFunction(module, op) &&
        module.AsString(module.InherentAttrOf(op, "call_target_name"), &target))
      targets->emplace(target);
  }
}

Numbering::Numbering(const Module& module, Compared compared, const Targets& effects, ClassTable* table,
                     SharedBytes* bytes)
    : module_(module),
      compared_(compared),
      effects_(effects),
      table_(*table),
      nodes_(module, table, bytes, compared == Compared::kAll,
             [this](std::string_view name) { return SymbolClass(name); }),
      failures_(module),
      values_(module.values.size()),
      ops_(module.ops.size()),
      flags_(module.ops.size()),
      by_ops_(module.regions.size()) {
  symbols_ = SymbolsOf(module);
}

OpId Numbering::Definition(std::string_view symbol) const {
  const auto found = symbols_.find(symbol);
  return found == symbols_.end() ? OpId() : found->second;
}

ClassId Numbering::SymbolClass(std::string_view name) {
  const OpId definition = Definition(name);
  if (!definition) return 0;
  return module_.Has(module_.ops[definition.v], Trait::kFunction) ? OfFunction(definition).id
                                                                  : OfTopLevel(definition);
}

ClassId Numbering::OfTopLevel(OpId op) {
  if (ops_[op.v]) return ops_[op.v];
  if (!open_.insert(op.v).second) return table_.Unique();
  State state;
  const ClassId id = OfOp(op, 0, &state, false);
  open_.erase(op.v);
  return id;
}

Numbering::Function Numbering::OfFunction(OpId id) {
  CheckStack();
  if (const auto found = functions_.find(id.v); found != functions_.end()) return found->second;
  // A recursive function equals nothing: its class would refer to itself.
  if (!open_.insert(id.v).second) return {table_.Unique(), true, true, true};
  const Op& op = module_.ops[id.v];
  Function function;
  const auto regions = module_.RegionsOf(op);
  const bool has_body = !regions.empty() && !module_.BlocksOf(regions[0]).empty();
  Words words{uint32_t(has_body ? Tag::kFunction : Tag::kDeclaration)};
  words.push_back(module_.RevisionIdOf(op) ? RevisionOf(module_.RevisionIdOf(op)).row.v : 0);
  words.push_back(nodes_.Of(module_.InherentAttrOf(op, "function_type")));
  uint8_t flags = 0;
  if (has_body) {
    words.push_back(OfRegion(regions[0], module_.Has(op, Trait::kGraph), 0, &flags));
  } else {
    words.push_back(nodes_.Of(module_.InherentAttrOf(op, "sym_name")));
    flags = kEffects;
  }
  if (compared_ == Compared::kAll) {
    for (const std::string_view list : {"arg_attrs", "res_attrs"}) {
      const AttrId attr = module_.InherentAttrOf(op, list);
      words.push_back(!attr || OnlyEmptyDicts(module_, attr) ? 0 : nodes_.Of(attr));
    }
    PutDiscardable(op, &words);
  }
  open_.erase(id.v);
  function.id = table_.Intern(words);
  function.effects = flags & kEffects;
  function.loops = flags & kLoops;
  function.fails = flags & kFails;
  ops_[id.v] = function.id;
  flags_[id.v] = flags;
  functions_[id.v] = function;
  return function;
}

// Returns whether a region is one block of definitions before uses, and then a terminator.
bool Numbering::Simple(RegionId region) const {
  const auto blocks = module_.BlocksOf(region);
  if (blocks.size() != 1) return false;
  const auto ops = module_.OpsOf(blocks[0]);
  if (ops.empty() || !module_.Has(module_.ops[ops.back().v], Trait::kTerminator)) return false;
  // Ids of values do not follow the order of ops, so that what is not numbered when it is used decides.
  return true;
}

ClassId Numbering::OfRegion(RegionId region, bool by_ops, uint32_t depth, uint8_t* flags) {
  CheckStack();
  if (nesting_ >= kMaxNesting) {
    too_deep_ = true;
    return table_.Unique();
  }
  ++nesting_;
  ClassId id = 0;
  uint8_t found = 0;
  if (!by_ops && Simple(region)) id = OfBlockInOrder(module_.BlocksOf(region)[0], depth, &found);
  if (!id) {
    found = 0;
    by_ops_[region.v] = 1;
    id = OfAllOps(region, depth, &found);
  }
  *flags |= found;
  --nesting_;
  return id;
}

void Numbering::PutArguments(BlockId block, uint32_t index, uint32_t depth, Words* words) {
  const Range args = module_.blocks[block.v].args;
  words->push_back(args.count);
  for (uint32_t i = 0; i < args.count; ++i) {
    const ValueId arg = module_.ArgOf(block, i);
    const ClassId type = nodes_.Of(module_.TypeOf(arg));
    const uint32_t symbol[] = {uint32_t(Tag::kArgument), depth, index, i, type};
    values_[arg.v] = table_.Intern(symbol);
    words->push_back(type);
  }
}

void Numbering::PutLoops(State* state, Words* words) {
  std::ranges::sort(state->loops);
  state->loops.erase(std::unique(state->loops.begin(), state->loops.end()), state->loops.end());
  words->push_back(uint32_t(state->loops.size()));
  words->insert(words->end(), state->loops.begin(), state->loops.end());
  state->loops.clear();
}

void Numbering::PutUnusedFailures(BlockId block, const State& state, Words* words) {
  std::vector<ClassId> classes;
  for (const auto& [id, op] : state.unused_failures) {
    if (state.used_failures.contains(id)) continue;
    classes.push_back(id);
    unused_failures_[block.v].push_back(op);
  }
  std::ranges::sort(classes);
  words->push_back(uint32_t(classes.size()));
  words->insert(words->end(), classes.begin(), classes.end());
}

// Returns none if a value is used before its definition.
ClassId Numbering::OfBlockInOrder(BlockId block, uint32_t depth, uint8_t* flags) {
  Words words{uint32_t(Tag::kRegion)};
  PutArguments(block, 0, depth, &words);
  const uint32_t start[] = {uint32_t(Tag::kEffectStart), depth};
  State state;
  state.effect = table_.Intern(start);
  ClassId last = 0;
  for (OpId op : module_.OpsOf(block)) {
    for (ValueId operand : module_.OperandsOf(module_.ops[op.v]))
      if (!values_[operand.v]) return 0;
    last = OfOp(op, depth, &state, false);
  }
  words.push_back(last);
  words.push_back(state.flags & kEffects ? state.effect : 0);
  PutLoops(&state, &words);
  PutUnusedFailures(block, state, &words);
  *flags |= state.flags;
  return table_.Intern(words);
}

ClassId Numbering::OfAllOps(RegionId region, uint32_t depth, uint8_t* flags) {
  Words words{uint32_t(Tag::kRegionByOps)};
  const auto blocks = module_.BlocksOf(region);
  words.push_back(uint32_t(blocks.size()));
  for (uint32_t b = 0; b < blocks.size(); ++b) {
    PutArguments(blocks[b], b, depth, &words);
    uint32_t n = 0;
    for (OpId op : module_.OpsOf(blocks[b])) {
      const Range results = module_.ResultsOf(module_.ops[op.v]);
      for (uint32_t i = 0; i < results.count; ++i) {
        const uint32_t symbol[] = {uint32_t(Tag::kPosition), depth, b, n, i};
        values_[results.first + i] = table_.Intern(symbol);
      }
      ++n;
    }
  }
  State state;
  for (BlockId block : blocks) {
    const auto ops = module_.OpsOf(block);
    words.push_back(uint32_t(ops.size()));
    for (OpId op : ops) {
      words.push_back(OfOp(op, depth, &state, true));
      const auto successors = module_.SuccessorsOf(module_.ops[op.v]);
      words.push_back(uint32_t(successors.size()));
      for (BlockId to : successors) words.push_back(uint32_t(std::ranges::find(blocks, to) - blocks.begin()));
    }
  }
  // Control flow can go back.
  *flags |= state.flags | (blocks.size() > 1 ? kLoops : 0);
  return table_.Intern(words);
}

bool Numbering::IsFunction(const Op& op) const {
  std::string_view target;
  if (compared_ == Compared::kValues && module_.Is(op, ops::kCustomCall) &&
      module_.AsString(module_.InherentAttrOf(op, "call_target_name"), &target))
    return !effects_.contains(std::string(target));
  return prove::IsFunction(module_, op);
}

void Numbering::AddFlagsOf(AttrId attr, uint8_t* flags) {
  CheckStack();
  std::string_view name;
  if (module_.attrs.KindOf(attr) == AttrKind::kSymbolRef && module_.AsSymbol(attr, &name)) {
    const OpId definition = Definition(name);
    if (!definition || !module_.Has(module_.ops[definition.v], Trait::kFunction)) {
      *flags |= kEffects;
      return;
    }
    const Function function = OfFunction(definition);
    if (function.effects) *flags |= kEffects;
    if (function.loops) *flags |= kLoops;
    if (function.fails) *flags |= kFails;
  }
  for (AttrId item : module_.ElementsOf(attr)) AddFlagsOf(item, flags);
}

void Numbering::PutDiscardable(const Op& op, Words* words) {
  const size_t count = words->size();
  words->push_back(0);
  for (const NamedAttr& attr : module_.DiscardableAttrsOf(op)) {
    const std::string_view name = module_.strings[attr.name];
    if (IsAboutTheFile(name) || (compared_ == Compared::kValues && IsPromise(module_, op, name))) continue;
    words->push_back(nodes_.Of(attr.name));
    words->push_back(nodes_.Of(attr.value));
    ++(*words)[count];
  }
}

void Numbering::PutAttributes(const Op& op, Words* words, uint8_t* flags) {
  const auto inherent = module_.InherentAttrsOf(op);
  const auto cells = RevisionOf(module_.RevisionIdOf(op)).attrs;
  const bool refers = module_.RevisionIdOf(op) && RowOf(module_.RevisionIdOf(op)).refers;
  for (size_t i = 0; i < inherent.size(); ++i) {
    const bool compare = compared_ == Compared::kAll ||
                         (!IsPromise(cells[i]) && cells[i].attr_default() != Default::kTextOnly);
    const bool absent = !inherent[i] || module_.IsDefaultValue(cells[i], inherent[i]);
    words->push_back(!compare || absent ? 0 : nodes_.Of(inherent[i]));
    if (refers && inherent[i]) AddFlagsOf(inherent[i], flags);
  }
  PutDiscardable(op, words);
}

ClassId Numbering::OfAttributes(OpId id) {
  Tick();
  const Op& op = module_.ops[id.v];
  Words words{uint32_t(Tag::kAttributes), module_.RevisionIdOf(op).v,
              module_.RevisionIdOf(op) ? 0 : nodes_.Of(module_.NameIdOf(op))};
  uint8_t flags = 0;
  if (!module_.Is(op, ops::kCall)) PutAttributes(op, &words, &flags);
  return table_.Intern(words);
}

ClassId Numbering::OfOp(OpId id, uint32_t depth, State* state, bool named) {
  const Op& op = module_.ops[id.v];
  uint8_t flags = IsFunction(op) ? 0 : kEffects;
  if (MayLoop(module_, op)) flags |= kLoops;
  if (failures_.MayFail(op)) flags |= kFails;
  Words words{uint32_t(Tag::kOp), module_.RevisionIdOf(op).v,
              module_.RevisionIdOf(op) ? 0 : nodes_.Of(module_.NameIdOf(op))};
  const auto operands = module_.OperandsOf(op);
  words.push_back(uint32_t(operands.size()));
  // A use before the definition, in an invalid program, equals nothing.
  for (ValueId operand : operands) words.push_back(values_[operand.v] ? values_[operand.v] : table_.Unique());
  PutAttributes(op, &words, &flags);
  const auto regions = module_.RegionsOf(op);
  words.push_back(uint32_t(regions.size()));
  const bool by_ops = !module_.RevisionIdOf(op) || module_.Has(op, Trait::kGraph);
  for (RegionId region : regions) words.push_back(OfRegion(region, by_ops, depth + 1, &flags));
  words.push_back(module_.NumResults(op));
  for (uint32_t i = 0; i < module_.NumResults(op); ++i)
    words.push_back(nodes_.Of(module_.TypeOf(module_.ResultOf(op, i))));
  if (flags & kEffects) {
    words.push_back(state->effect);
    PutLoops(state, &words);
  }
  const ClassId number = table_.Intern(words);
  if (flags & kEffects) {
    const uint32_t after[] = {uint32_t(Tag::kEffect), number};
    state->effect = table_.Intern(after);
  } else if (flags & kLoops) {
    state->loops.push_back(number);
  }
  if (flags & kFails && !(flags & (kEffects | kLoops))) {
    if (failures_.IsUnused(id))
      state->unused_failures.emplace(number, id);
    else
      state->used_failures.insert(number);
  }
  state->flags |= flags;
  ops_[id.v] = number;
  flags_[id.v] = flags;
  for (uint32_t i = 0; i < module_.NumResults(op) && !named; ++i) {
    const uint32_t result[] = {uint32_t(Tag::kResult), number, i};
    values_[module_.ResultOf(op, i).v] = table_.Intern(result);
  }
  return number;
}

}  // namespace shlo::prove
