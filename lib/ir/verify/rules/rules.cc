#include "ir/verify/rules/rules.h"

#include <fmt/ranges.h>

#include <cstring>
#include <type_traits>

#include "ir/table/constraints.h"
#include "ir/table/ops.h"
#include "shlo/print.h"

namespace shlo {
namespace {

// Types, because addresses of functions cannot be compared at compile time with sanitizers.
template <RuleFn f>
using Function = std::integral_constant<RuleFn, f>;
template <RuleFn f>
constexpr RuleFn kOrNull = std::is_same_v<Function<f>, Function<None>> ? nullptr : f;
constexpr RuleRow kRules[] = {
    {},
#define SHLO_RULE(name, invariant, verify, infer) {kOrNull<invariant>, kOrNull<verify>, kOrNull<infer>},
#include "schema/rules.inc"
};

}  // namespace

bool None(OpCheck&) { return true; }
const RuleRow& RowOf(Rule rule) { return kRules[size_t(rule)]; }

// --- Attributes ---------------------------------------------------------------------------------------

IntElements::IntElements(const Module& m, AttrId attr) {
  const auto elements = m.As<ElementsAttr>(attr);
  if (!elements) return;
  const ShapedType tensor(m, elements->type);
  const TypeKind kind = m.types.KindOf(tensor.element);
  if (!IsSignlessInteger(kind) && !IsUnsignedInteger(kind) && kind != TypeKind::kIndex) return;
  bytes_ = uint32_t(m.ElementBytes(tensor.element));
  splat_ = elements->splat != 0;
  const Payload payload = m.payloads[elements->payload];
  data_ = payload.data;
  shape_ = tensor.shape;
  if (!Module::ElementCount(tensor.shape, &size_) || bytes_ == 0 || bytes_ > 8) return;
  ok_ = splat_ ? payload.size >= bytes_ || size_ == 0 : payload.size >= size_ * bytes_;
}

int64_t IntElements::operator[](uint64_t i) const {
  uint64_t value = 0;
  std::memcpy(&value, data_ + (splat_ ? 0 : i * bytes_), bytes_);
  const unsigned unused = 64 - 8 * bytes_;
  // Elements are read as signed numbers of their width, as shapes are.
  return unused ? int64_t(value << unused) >> unused : int64_t(value);
}

int64_t OpCheck::Int(std::string_view name, int64_t absent) const {
  int64_t value;
  return m.AsInteger(Attr(name), &value) ? value : absent;
}

bool OpCheck::Flag(std::string_view name) const {
  bool value;
  return m.AsBool(Attr(name), &value) && value;
}

DimSpan OpCheck::Ints(std::string_view name) const {
  const auto array = m.As<I64ArrayAttr>(Attr(name));
  return array ? array->values : DimSpan();
}

size_t OpCheck::ArraySize(std::string_view name) const { return m.ElementsOf(Attr(name)).size(); }

IntElements OpCheck::Constant(size_t i) {
  constexpr uint64_t kLargest = 1 << 16;  // no list of dimensions is longer
  saw_others_ = true;
  const OpId source = m.values[operands_[i].v].op;
  if (!source) return {};
  const Op& op = m.ops[source.v];
  if (!m.Is(op, ops::kConstant) && !m.Is(op, ops::kChloConstant) && !m.Is(op, ops::kArithConstant)) return {};
  const IntElements elements(m, m.InherentAttrOf(op, "value"));
  // A constant whose value does not match its type is reported at the constant.
  if (elements.size() > kLargest || !std::ranges::equal(elements.shape(), In(i).shape)) return {};
  return elements;
}

// --- Regions ------------------------------------------------------------------------------------------

bool OpCheck::HasBlock(size_t region) const {
  return region < op_->regions.count && !m.BlocksOf(m.RegionsOf(*op_)[region]).empty();
}

const Block& OpCheck::BlockOf(size_t region) const {
  return m.blocks[m.BlocksOf(m.RegionsOf(*op_)[region]).front().v];
}

std::vector<TypeId> OpCheck::arg_types(size_t region) const {
  std::vector<TypeId> types(num_args(region));
  for (size_t i = 0; i < types.size(); ++i) types[i] = arg(region, i);
  return types;
}

std::span<const TypeId> OpCheck::Returned(size_t region) const {
  if (!HasBlock(region)) return {};
  const auto ops = OpsOf(region);
  return ops.empty() ? std::span<const TypeId>() : m.SignatureOf(m.ops[ops.back().v]).operand_types;
}

// --- Messages -----------------------------------------------------------------------------------------

std::string OpCheck::T(TypeId type) const { return StrFormat("'{}'", TypeText(m, type)); }

std::string OpCheck::A(AttrId attr) const { return AttrText(m, attr); }

std::string OpCheck::T(const Inferred& type) const {
  if (type.type) return T(type.type);
  std::string out = type.ranked ? "'tensor<" : "'tensor<*x";
  for (size_t i = 0; i < type.shape.size(); ++i)
    out += type.shape[i] == kDynamic ? std::string("?x") : StrFormat("{}x", type.shape[i]);
  const ElementRef& e = type.element;
  std::string element(RowOf(e.kind).mnemonic);
  if (e.type) {
    const std::string quoted = T(e.type);
    element = quoted.size() > 2 && quoted.front() == '\'' ? quoted.substr(1, quoted.size() - 2) : quoted;
  }
  out += e.complex ? StrFormat("complex<{}>", element) : element;
  if (!type.bounds.empty()) {
    if (std::ranges::any_of(DimSpan(type.bounds), [](int64_t b) { return b != kDynamic; })) {
      out += ", #stablehlo.bounds<";
      for (size_t i = 0; i < type.bounds.size(); ++i) {
        if (i) out += ", ";
        out += type.bounds[i] == kDynamic ? std::string("?") : StrFormat("{}", type.bounds[i]);
      }
      out += '>';
    }
  } else if (type.encoding) {
    out += StrFormat(", {}", A(type.encoding));
  }
  return out + ">'";
}

std::string OpCheck::Types(std::span<const TypeId> types) const {
  std::string out;
  for (TypeId type : types) {
    if (!out.empty()) out += ", ";
    out += T(type);
  }
  return out;
}

std::string OpCheck::List(DimSpan dims) { return StrFormat("{}", fmt::join(dims, ", ")); }

std::string OpCheck::Sizes(DimSpan dims) {
  std::string out = "[";
  for (size_t i = 0; i < dims.size(); ++i) {
    if (i) out += ", ";
    out += dims[i] == kDynamic ? std::string("?") : StrFormat("{}", dims[i]);
  }
  return out + "]";
}

// --- Hints --------------------------------------------------------------------------------------------

std::string OpCheck::HintOf(std::string_view label) const {
  if (label.empty()) return {};
  const RowId row = revision().row;
  const Constraint* constraint = FindConstraint(row, label);
  if (!constraint) return StrFormat("{} of {} is not in schema/constraints.inc", label, ShortName(row));
  return StrFormat("{} of {}: {}", label, ShortName(row), constraint->text);
}

namespace {

// Joins the constraints that are enforced in a certain way: "C7 of reduce: ...; C8: ...".
std::string HintOfAll(RowId row, EnforcedBy by) {
  std::string out;
  for (const Constraint& constraint : ConstraintsOf(row)) {
    if (!constraint.Is(by)) continue;
    out += out.empty() ? StrFormat("{} of {}: ", constraint.label(), ShortName(row))
                       : StrFormat("; {}: ", constraint.label());
    out += constraint.text;
  }
  return out;
}

}  // namespace

std::string OpCheck::HintOfRelations() const { return HintOfAll(revision().row, EnforcedBy::kRelated); }
std::string OpCheck::HintOfInference() const { return HintOfAll(revision().row, EnforcedBy::kInferred); }

// --- Inference ----------------------------------------------------------------------------------------

Inferred& OpCheck::NewInferred() {
  if (num_inferred_ == inferred_.size()) inferred_.emplace_back();
  Inferred& type = inferred_[num_inferred_++];
  type.type = {};
  type.ranked = true;
  type.shape.clear();
  type.bounds.clear();
  type.encoding = {};
  type.element = {};
  return type;
}

void OpCheck::Infer(TypeId type) { NewInferred().type = type; }

Inferred& OpCheck::InferTensor(DimSpan shape, ElementRef element) {
  Inferred& type = NewInferred();
  type.shape.append(shape);
  type.element = element;
  return type;
}

void OpCheck::InferTensor(DimSpan shape, ElementRef element, AttrId encoding) {
  InferTensor(shape, element).encoding = encoding;
}

void OpCheck::InferTensor(DimSpan shape, ElementRef element, AttrId encoding, DimSpan bounds) {
  Inferred& type = InferTensor(shape, element);
  type.bounds.append(bounds);
  type.encoding = encoding;
}

}  // namespace shlo
