#include "prove/certificate/program_view.h"

#include <algorithm>
#include <cstring>

#include "base/mapped_bytes.h"
#include "base/stack.h"
#include "eval/kernels/kernels.h"
#include "ir/module/limits.h"
#include "ir/module/node_words.h"
#include "ir/module/symbols.h"
#include "ir/table/op_rows.h"
#include "ir/table/ops.h"
#include "ir/table/trait.h"

namespace shlo::certificate {
namespace {

// The rows of promises.inc are data that prover and checker both read.
constexpr std::string_view kFunctions[] = {
#define SHLO_FUNCTION(op) op,
#define SHLO_OTHER_FUNCTION(op) op,
#include "prove/promises.inc"
};

constexpr std::string_view kChecks[] = {
#define SHLO_CHECK(target) target,
#include "prove/promises.inc"
};

constexpr std::string_view kMayFail[] = {
#define SHLO_MAY_FAIL(op) op,
#include "prove/promises.inc"
};

// Returns whether an op depends on nothing but its operands, and changes nothing.
bool IsPure(const Module& m, const Op& op) {
  if (m.Has(op, Trait::kTerminator)) return true;
  if (m.Is(op, ops::kCustomCall)) {
    bool effect = false;
    m.AsBool(m.InherentAttrOf(op, "has_side_effect"), &effect);
    std::string_view target;
    m.AsString(m.InherentAttrOf(op, "call_target_name"), &target);
    return !effect && !target.starts_with("check.") &&
           std::ranges::find(kChecks, target) == std::end(kChecks);
  }
  if (std::ranges::find(kFunctions, m.NameOf(op)) != std::end(kFunctions)) return true;
  if (!m.NumResults(op) && !EndsBlock(m, op)) return false;  // an assertion
  const KernelEntry& entry = KernelOf(m, op);
  return entry.kernel && entry.reach == Reach::kOperands;
}

bool IsLoop(const Module& m, const Op& op) { return m.Is(op, ops::kWhile) || m.NameOf(op) == "scf.while"; }

// Returns whether an op fails for some values or sizes of its operands.
bool IsPartial(const Module& m, const Op& op) {
  if (std::ranges::find(kMayFail, m.NameOf(op)) != std::end(kMayFail)) return true;
  if (!m.RevisionIdOf(op) || m.Has(op, Trait::kTerminator)) return false;
  const auto operands = m.OperandsOf(op);
  return operands.size() > 1 && std::ranges::any_of(operands, [&](ValueId v) {
           const auto tensor = m.As<TensorType>(m.TypeOf(v));
           return tensor && std::ranges::find(tensor->shape, kDynamic) != tensor->shape.end();
         });
}

template <typename IdT>
uint64_t Key(IdT a, IdT b) {
  return uint64_t(a.v) << 32 | b.v;
}

bool InName(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '$' ||
         c == '.' || c == '-';
}

// Returns whether `bytes` is `element`, repeated.
bool Repeats(std::string_view bytes, std::string_view element) {
  if (element.empty() || bytes.size() % element.size() != 0) return false;
  return bytes.substr(0, element.size()) == element &&
         std::memcmp(bytes.data(), bytes.data() + element.size(), bytes.size() - element.size()) == 0;
}

}  // namespace

bool InOrder(const Module& module, RegionId region) {
  const Op& op = module.ops[module.regions[region.v].parent.v];
  const auto blocks = module.BlocksOf(region);
  if (!module.RevisionIdOf(op) || module.Has(op, Trait::kGraph) || blocks.size() != 1) return true;
  const auto list = module.OpsOf(blocks[0]);
  return list.empty() || !module.Has(module.ops[list.back().v], Trait::kTerminator);
}

ProgramView::ProgramView(const Module& m) : module(m), ops(1), numbers(m.ops.size()), flags_(m.ops.size()) {
  for (const Resource& resource : m.resources) resources_.emplace(resource.key.v, resource.payload);
  top_level = m.BodyOpsOf(m.ops[m.top.v]);
  symbols_ = SymbolsOf(m);
  for (OpId op : top_level) NumberOps(op, 0);
  if (too_deep) return;
  for (OpId op : top_level) FlagsOf(op);
  CountUses();
}

void ProgramView::CountUses() {
  uses_.resize(module.ops.size());
  const auto count = [&](OpId user, int by, std::vector<OpId>* unused) {
    for (ValueId operand : module.OperandsOf(module.ops[user.v]))
      if (const OpId definition = module.values[operand.v].op)
        if ((uses_[definition.v] += uint32_t(by)) == 0 && unused) unused->push_back(definition);
  };
  std::vector<OpId> unused;
  for (uint32_t n = 1; n < ops.size(); ++n) {
    const Op& op = module.ops[ops[n].v];
    uses_[ops[n].v] += !module.NumResults(op) || !IsPure(module, op) || IsLoop(module, op);
    count(ops[n], 1, nullptr);
  }
  for (uint32_t n = 1; n < ops.size(); ++n)
    if (uses_[ops[n].v] == 0) unused.push_back(ops[n]);
  while (!unused.empty()) {
    const OpId op = unused.back();
    unused.pop_back();
    count(op, -1, &unused);
  }
}

void ProgramView::NumberOps(OpId op, uint32_t depth) {
  CheckStack();
  too_deep = too_deep || depth > kMaxNesting;
  if (too_deep) return;
  numbers[op.v] = uint32_t(ops.size());
  ops.push_back(op);
  for (OpId nested : module.BodyOpsOf(module.ops[op.v])) NumberOps(nested, depth + 1);
}

OpId ProgramView::Definition(std::string_view symbol) const {
  const auto found = symbols_.find(symbol);
  return found == symbols_.end() ? OpId() : found->second;
}

std::optional<Payload> ProgramView::ResourceOf(StringId key) const {
  const auto found = resources_.find(key.v);
  if (found == resources_.end()) return std::nullopt;
  return module.payloads[found->second];
}

bool ProgramView::IsFunctionOp(OpId op) const { return module.Has(module.ops[op.v], Trait::kFunction); }

bool ProgramView::IsPublic(OpId function) const {
  return module.VisibilityOf(module.ops[function.v]) == "public";
}

uint8_t ProgramView::FlagsOf(OpId id) {
  CheckStack();
  uint8_t& known = flags_[id.v];
  if (known & kKnown) return known;
  // A function that calls itself may do anything.
  if (known & kOpen) return kAllFlags;
  known = kOpen;
  const Op& op = module.ops[id.v];
  uint8_t flags = 0;
  const auto regions = module.RegionsOf(op);
  if (IsFunctionOp(id)) {
    if (regions.empty() || module.BlocksOf(regions[0]).empty()) flags |= kEffects;
  } else {
    if (!IsPure(module, op)) flags |= kEffects;
    if (IsLoop(module, op)) flags |= kLoops;
    if (IsPartial(module, op)) flags |= kFails;
    if (module.RevisionIdOf(op) && RowOf(module.RevisionIdOf(op)).refers)
      for (AttrId attr : module.InherentAttrsOf(op))
        if (attr) flags |= FlagsOfSymbols(attr);
  }
  for (RegionId region : regions) {
    const auto blocks = module.BlocksOf(region);
    if (blocks.size() > 1) flags |= kLoops;  // branches can go back
    for (BlockId block : blocks)
      for (OpId nested : module.OpsOf(block)) flags |= FlagsOf(nested) & kAllFlags;
  }
  flags_[id.v] = flags | kKnown;
  return flags;
}

uint8_t ProgramView::FlagsOfSymbols(AttrId attr) {
  uint8_t flags = 0;
  std::string_view name;
  if (module.attrs.KindOf(attr) == AttrKind::kSymbolRef && module.AsSymbol(attr, &name)) {
    const OpId definition = Definition(name);
    flags |= definition && IsFunctionOp(definition) ? FlagsOf(definition) : uint8_t(kEffects);
  }
  for (AttrId item : module.ElementsOf(attr)) flags |= FlagsOfSymbols(item);
  return flags & kAllFlags;
}

bool NodeEquality::Equal(TypeId a, TypeId b) {
  CheckStack();
  if (!a || !b) return !a && !b;
  if (types_.contains(Key(a, b))) return true;
  const auto x = a_.module.types[a], y = b_.module.types[b];
  if (x.kind != y.kind || !EqualFields(x, y)) return false;
  const auto opaque = x.template As<OpaqueType>();
  if (opaque && !EqualMentions(a_.module.strings[opaque->text])) return false;
  types_.insert(Key(a, b));
  return true;
}

bool NodeEquality::Equal(AttrId a, AttrId b) {
  CheckStack();
  if (!a || !b) return !a && !b;
  if (attrs_.contains(Key(a, b))) return true;
  const auto x = a_.module.attrs[a], y = b_.module.attrs[b];
  Elements of_a, of_b;
  if (ElementsOf(a_, a, &of_a) && ElementsOf(b_, b, &of_b)) {
    if (!EqualElements(of_a, of_b)) return false;
  } else if (x.kind != y.kind || x.kind == AttrKind::kResourceElements) {
    // Content that is not in the file equals nothing.
    return false;
  } else if (const auto p = x.template As<SymbolRefAttr>()) {
    const auto q = y.template As<SymbolRefAttr>();
    if (!EqualSymbols(a_.module.strings[p->root], b_.module.strings[q->root]) ||
        !std::ranges::equal(p->nested, q->nested, [&](StringId u, StringId v) { return Equal(u, v); }))
      return false;
  } else {
    if (!EqualFields(x, y)) return false;
    const auto opaque = x.template As<OpaqueAttr>();
    if (opaque && !EqualMentions(a_.module.strings[opaque->text])) return false;
  }
  attrs_.insert(Key(a, b));
  return true;
}

template <typename NodeT>
bool NodeEquality::EqualFields(const NodeT& a, const NodeT& b) {
  return EveryWord(RowOf(a.kind), a.words, [&](FieldType type, size_t at, const FieldRow&) {
    return at < b.words.size() && EqualField(type, a.words[at], b.words[at]);
  });
}

bool NodeEquality::EqualField(FieldType type, uint64_t a, uint64_t b) {
  const uint32_t x = uint32_t(a), y = uint32_t(b);
  switch (type) {
    case FieldType::kString:
      return Equal(StringId(x), StringId(y));
    case FieldType::kType:
      return Equal(TypeId(x), TypeId(y));
    case FieldType::kAttr:
      return Equal(AttrId(x), AttrId(y));
    case FieldType::kPayload:
      return EqualBytes(a_.module.payloads[PayloadId(x)].bytes(), b_.module.payloads[PayloadId(y)].bytes());
    default:
      return a == b;
  }
}

bool NodeEquality::EqualSymbols(std::string_view a, std::string_view b) const {
  const OpId x = a_.Definition(a), y = b_.Definition(b);
  return x && y ? same_(x, y) : !x && !y && a == b;
}

// Text of an unknown dialect, which is the same in both programs, may mention symbols.
bool NodeEquality::EqualMentions(std::string_view text) const {
  for (size_t at = text.find('@'); at != text.npos; at = text.find('@', at)) {
    size_t first = ++at, end = at;
    if (at < text.size() && text[at] == '"') {
      end = text.find('"', ++first);
      if (end == text.npos) return true;
    } else {
      while (end < text.size() && InName(text[end])) ++end;
    }
    const std::string_view name = text.substr(first, end - first);
    if (!EqualSymbols(name, name)) return false;
    at = end;
  }
  return true;
}

bool NodeEquality::ElementsOf(const ProgramView& program, AttrId attr, Elements* out) {
  const Module& m = program.module;
  if (const auto elements = m.As<ElementsAttr>(attr)) {
    *out = {elements->type, elements->splat != 0, m.payloads[elements->payload].bytes()};
    return true;
  }
  const auto resource = m.As<ResourceElementsAttr>(attr);
  const auto payload = resource ? program.ResourceOf(resource->key) : std::nullopt;
  if (payload) *out = {resource->type, false, payload->bytes()};
  return payload.has_value();
}

bool NodeEquality::EqualElements(const Elements& a, const Elements& b) {
  if (!Equal(a.type, b.type)) return false;
  const auto tensor = a_.module.As<shlo::TensorType>(a.type);
  uint64_t count = 0;
  if (tensor && Module::ElementCount(tensor->shape, &count) && count == 0) return true;
  if (a.splat == b.splat) return EqualBytes(a.bytes, b.bytes);
  return a.splat ? Repeats(b.bytes, a.bytes) : Repeats(a.bytes, b.bytes);
}

}  // namespace shlo::certificate
