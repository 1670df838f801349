// Constants and attributes, for rules.
#include <algorithm>
#include <cstring>

#include "eval/evaluator.h"
#include "ir/table/float_format.h"
#include "ir/table/ops.h"
#include "rewrite/gather_constants.h"
#include "shlo/types.h"

namespace shlo::rewrite {
namespace {

// Returns the bits of a number in a type of at most 64 bits.
uint64_t NumberBits(ElementType element, int64_t number) {
  if (IsFloat(element.kind)) return EncodeFloat(element.kind, double(number));
  const uint32_t width = uint32_t(BitWidth(element.kind));
  return width < 64 ? uint64_t(number) & ((uint64_t(1) << width) - 1) : uint64_t(number);
}

void PutBits(uint64_t bits, uint32_t bytes, uint8_t* out) {
  for (uint32_t i = 0; i < bytes && i < 8; ++i) out[i] = uint8_t(bits >> (8 * i));
}

void PutAttr(std::vector<NamedAttr>* attrs, NamedAttr attr) {
  for (NamedAttr& other : *attrs)
    if (other.name == attr.name) return void(other = attr);
  attrs->push_back(attr);
}

}  // namespace

Rewriter::Rewriter(ModuleEditor* editor, const RuleOptions& options, const Limits& limits)
    : editor_(*editor), options_(options), limits_(limits) {}

Rewriter::~Rewriter() = default;

Result<std::vector<Tensor>> Rewriter::Evaluate(OpId op, std::span<const Tensor> operands) {
  if (!evaluator_) {
    EvalOptions options;
    options.limits = limits_;
    evaluator_ = std::make_unique<Evaluator>(module(), options);
  }
  std::vector<const Tensor*> pointers;
  for (const Tensor& operand : operands) pointers.push_back(&operand);
  return evaluator_->RunAlone(op, pointers);
}

AttrId Rewriter::ConstantOf(ValueId value) const {
  const OpId op = module().values[value.v].op;
  if (!op || !IsConstant(module(), editor_[op])) return {};
  return module().InherentAttrOf(editor_[op],
                                 module().Is(editor_[op], ops::kShapeConstShape) ? "shape" : "value");
}

Tensor Rewriter::TensorOf(ValueId value) const {
  const AttrId constant = ConstantOf(value);
  if (!constant || !module().As<TensorType>(module().TypeOf(value))) return {};
  auto tensor = TensorFromAttr(module(), constant);
  return tensor ? std::move(*tensor) : Tensor();
}

std::optional<std::vector<int64_t>> Rewriter::IntegersOf(ValueId value) const {
  const AttrId constant = ConstantOf(value);
  if (!constant) return std::nullopt;
  if (int64_t number = 0; module().AsInteger(constant, &number)) return std::vector{number};
  const auto tensor = TensorFromAttr(module(), constant);
  if (!tensor || !*tensor || tensor->element().is_float() || tensor->element().complex ||
      tensor->type().quantization)
    return std::nullopt;
  std::vector<int64_t> numbers(tensor->count());
  const int unused = 64 - int(tensor->element().width());
  if (unused < 0) return std::nullopt;
  const bool extend = !tensor->element().is_unsigned() && !tensor->element().is_bool();
  for (uint64_t i = 0; i < numbers.size(); ++i) {
    const uint64_t bits = ElementBits(*tensor, i);
    numbers[i] = extend ? int64_t(bits << unused) >> unused : int64_t(bits);
  }
  return numbers;
}

ValueId Rewriter::EmitConstant(TypeId type, AttrId value) {
  const auto tensor = module().As<TensorType>(type);
  const bool stablehlo = tensor && module().types.KindOf(tensor->element) != TypeKind::kIndex;
  return Emit(stablehlo ? ops::kConstant : ops::kArithConstant, {}, type, {{"value", value}});
}

ValueId Rewriter::EmitConstant(TypeId type, const Tensor& value) {
  const std::string_view bytes(reinterpret_cast<const char*>(value.data()), value.stored_bytes());
  return EmitConstant(type, nodes().Elements(type, nodes().payloads.AddCopy(bytes), value.splat()));
}

ValueId Rewriter::EmitSplat(TypeId type, int64_t value) {
  const auto tensor_type = TensorTypeOf(module(), type);
  if (!tensor_type || !tensor_type->is_tensor() || tensor_type->quantization) return {};
  Tensor tensor = Tensor::Uninitialized(tensor_type, /*splat=*/tensor_type->count > 0);
  if (!tensor) return {};
  const ElementType element = tensor_type->element;
  if (tensor_type->count > 0) {
    std::memset(tensor.mutable_data(), 0, element.bytes());
    PutBits(NumberBits(element, value), element.part_bytes(), tensor.mutable_data());
  }
  return EmitConstant(type, tensor);
}

// The op that remains has its own payload.
AttrId Rewriter::MergedFrontendAttrs(AttrId from, AttrId into) {
  const auto a = module().As<DictionaryAttr>(from), b = module().As<DictionaryAttr>(into);
  if (!a || !b) return from;
  std::vector<NamedAttr> merged(b->entries.begin(), b->entries.end());
  for (const NamedAttr attr : std::vector<NamedAttr>(a->entries.begin(), a->entries.end())) {
    const bool payload = module().strings[attr.name] == "xla_metadata_payload";
    const bool has = std::ranges::find(merged, attr.name, &NamedAttr::name) != merged.end();
    if (!payload || !has) PutAttr(&merged, attr);
  }
  return nodes().Dict(std::move(merged));
}

void Rewriter::MergeAttrs(OpId op, ValueId into) {
  const OpId definer = module().values[into.v].op;
  const auto added = module().DiscardableAttrsOf(editor_[op]);
  if (!definer || definer == op || added.empty()) return;
  const auto current = module().DiscardableAttrsOf(editor_[definer]);
  std::vector<NamedAttr> merged(current.begin(), current.end());
  for (NamedAttr attr : std::vector<NamedAttr>(added.begin(), added.end())) {
    const auto other = std::ranges::find(merged, attr.name, &NamedAttr::name);
    if (other != merged.end() && module().strings[attr.name] == "mhlo.frontend_attributes")
      attr.value = MergedFrontendAttrs(attr.value, other->value);
    PutAttr(&merged, attr);
  }
  editor_.module().SetDiscardableAttrs(definer, std::move(merged));
}

}  // namespace shlo::rewrite
