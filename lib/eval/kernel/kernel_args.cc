#include "eval/kernel/kernel_args.h"

#include <algorithm>

#include "base/deadline.h"
#include "base/format.h"
#include "eval/loops/element_loop.h"
#include "ir/table/float_format.h"

namespace shlo {

tl::unexpected<Diagnostics> Invalid(std::string message) {
  return Error(Code::kInvalidProgram, std::move(message));
}

tl::unexpected<Diagnostics> NoMeaning(ElementType element) {
  return Error(Code::kUnsupported, StrFormat("elements of type {} are not supported", ElementName(element)));
}

Result<Ints> IntsOf(const KernelCall& call, std::string_view name) {
  const AttrId attr = call.module.AttributeOf(call.op, name);
  if (!attr) return Invalid(StrFormat("missing attribute '{}'", name));
  Ints values;
  if (call.module.AsI64s(attr, &values)) return values;
  // Booleans are integers here, too.
  if (const auto array = call.module.As<DenseArrayAttr>(attr)) {
    const auto element = ElementTypeOf(call.module, array->element);
    const Payload payload = call.module.payloads[array->payload];
    if (element && !IsFloat(element->kind)) {
      const int64_t extent[1] = {int64_t(payload.size / element->bytes())};
      const Tensor tensor = Tensor::Copy(MakeTensorType(*element, extent), payload.bytes());
      if (tensor) return IndexOf(tensor);
    }
  }
  if (call.module.attrs.KindOf(attr) == AttrKind::kElements) {
    Result<Tensor> tensor = TensorFromAttr(call.module, attr);
    if (tensor) return IndexOf(*tensor);
  }
  return Invalid(StrFormat("attribute '{}' is not a list of integers", name));
}

Result<Ints> IntsIfAny(const KernelCall& call, std::string_view name) {
  if (!call.module.AttributeOf(call.op, name)) return Ints();
  return IntsOf(call, name);
}

Result<Ints> IntsOr(const KernelCall& call, std::string_view name, size_t size, int64_t missing) {
  if (!call.module.AttributeOf(call.op, name)) return Ints(size, missing);
  Result<Ints> values = IntsOf(call, name);
  if (values && values->size() != size)
    return Invalid(
        StrFormat("attribute '{}' has {}, expected {}", name, Count(values->size(), "value"), size));
  return values;
}

Result<Ints> PairsOr(const KernelCall& call, std::string_view name, size_t size) {
  if (!call.module.AttributeOf(call.op, name)) return Ints(2 * size, 0);
  Ints values = SHLO_TRY(IntsOf(call, name));
  // A matrix of pairs, or a list in older versions. IndexOf expands splats.
  if (values.size() != 2 * size)
    return Invalid(
        StrFormat("attribute '{}' has {}, expected {}", name, Count(values.size(), "value"), 2 * size));
  return values;
}

Result<int64_t> IntOf(const KernelCall& call, std::string_view name, std::optional<int64_t> missing) {
  const AttrId attr = call.module.AttributeOf(call.op, name);
  if (!attr && missing) return *missing;
  int64_t value = 0;
  if (!attr || !call.module.AsInteger(attr, &value))
    return Invalid(StrFormat("missing integer attribute '{}'", name));
  return value;
}

Result<bool> FlagOf(const KernelCall& call, std::string_view name, bool missing) {
  const AttrId attr = call.module.AttributeOf(call.op, name);
  if (!attr) return missing;
  bool value = false;
  if (call.module.attrs[attr].kind == AttrKind::kUnit) return true;
  if (!call.module.AsBool(attr, &value)) return Invalid(StrFormat("attribute '{}' is not a boolean", name));
  return value;
}

Result<std::string_view> StringOf(const KernelCall& call, std::string_view name, std::string_view missing) {
  const AttrId attr = call.module.AttributeOf(call.op, name);
  std::string_view value = missing;
  if (attr && !call.module.AsString(attr, &value))
    return Invalid(StrFormat("attribute '{}' is not a string", name));
  return value;
}

Result<double> FloatOf(const KernelCall& call, std::string_view name) {
  const auto number = call.module.As<FloatAttr>(call.module.AttributeOf(call.op, name));
  if (!number) return Invalid(StrFormat("missing float attribute '{}'", name));
  const TypeKind kind = call.module.types.KindOf(number->type);
  if (!FloatFormatOf(kind) || number->bits.empty())
    return Invalid(StrFormat("attribute '{}' has an unsupported float type", name));
  return DecodeFloat(kind, uint64_t(number->bits[0]));
}

std::optional<std::span<const int64_t>> BitsOfNumber(const Module& module, AttrId attr) {
  const auto node = module.attrs[attr];
  if (const auto number = node.As<FloatAttr>()) return number->bits;
  if (const auto integer = node.As<IntegerAttr>()) return integer->value;
  return std::nullopt;
}

Result<int64_t> EnumOf(const KernelCall& call, std::string_view name, std::optional<int64_t> missing) {
  const AttrId attr = call.module.AttributeOf(call.op, name);
  if (!attr && missing) return *missing;
  const auto value = call.module.EnumValue(attr);
  if (!value) return Invalid(StrFormat("missing attribute '{}'", name));
  return *value;
}

Result<Ints> IndexOf(const Tensor& tensor) {
  const ElementType element = tensor.element();
  if ((!element.is_integer() && !element.is_bool()) || !tensor.type().is_tensor())
    return Invalid(StrFormat("expected an integer tensor, got {}", TypeName(tensor.type())));
  constexpr uint64_t kMost = 1ull << 27;
  if (tensor.count() > kMost)
    return Error(Code::kLimit, StrFormat("index tensor exceeds the limit of {} elements", kMost));
  Ints values(tensor.count());
  if (element.is_bool()) {
    for (uint64_t i = 0; i < tensor.count(); ++i) values[i] = *tensor.at(i);
    return values;
  }
  WithIntType(element.kind, [&]<typename T, int kWidth>() {
    for (uint64_t i = 0; i < tensor.count(); ++i) {
      if (i % 1024 == 0) Tick(100);
      const T value = LoadInt<T, kWidth>(tensor.at(i), 0);
      values[i] = std::is_unsigned_v<T> && uint64_t(value) > uint64_t(INT64_MAX) ? INT64_MAX : int64_t(value);
    }
    return true;
  });
  return values;
}

Result<Ints> IndexOf(std::span<const Tensor* const> scalars) {
  Ints values;
  for (const Tensor* scalar : scalars) {
    const Ints one = SHLO_TRY(IndexOf(*scalar));
    if (one.size() != 1) return Invalid("start index is not a scalar");
    values.push_back(one[0]);
  }
  return values;
}

Ints Joined(std::initializer_list<std::span<const int64_t>> lists) {
  Ints out;
  for (const auto& list : lists) out.insert(out.end(), list.begin(), list.end());
  return out;
}

Status CheckDimensions(std::string_view what, std::span<const int64_t> dimensions, int64_t rank) {
  std::vector<bool> seen(size_t(std::max<int64_t>(rank, 0)));
  for (int64_t d : dimensions) {
    if (d < 0 || d >= rank)
      return Invalid(StrFormat("{}: dimension {} is out of range for rank {}", what, d, rank));
    if (seen[size_t(d)]) return Invalid(StrFormat("{}: duplicate dimension {}", what, d));
    seen[size_t(d)] = true;
  }
  return {};
}

Status CheckArity(const KernelCall& call, size_t operands, size_t results) {
  if (call.operands.size() == operands && call.results.size() == results) return {};
  return Invalid(StrFormat("expected {} and {}", Count(operands, "operand"), Count(results, "result")));
}

TypeId DeclaredType(const KernelCall& call, size_t i) {
  const auto type = [&](uint32_t r) { return call.module.TypeOf(call.module.ResultOf(call.op, r)); };
  if (call.module.NumResults(call.op) == 1) {
    // The results of some custom calls are the members of a tuple.
    const auto tuple = call.module.As<TupleType>(type(0));
    if (tuple && call.results.size() == tuple->types.size() && i < tuple->types.size() &&
        (call.results.size() != 1 || !call.result_types[0] || call.result_types[0]->is_tensor()))
      return tuple->types[i];
  }
  return i < call.module.NumResults(call.op) ? type(uint32_t(i)) : TypeId();
}

Result<DeclaredElement> ElementOfResult(const KernelCall& call, size_t i) {
  if (const ValueTypePtr& declared = call.result_types[i]; declared && declared->is_tensor())
    return DeclaredElement{declared->element, declared->quantization};
  DeclaredElement out;
  const TypeId type = DeclaredType(call, i);
  if (const auto tensor = call.module.As<TensorType>(type)) {
    out.quantization = QuantizationOf(call.module, tensor->element, &out.element);
    if (out.quantization) return out;
    if (const auto element = ElementTypeOf(call.module, tensor->element)) {
      out.element = *element;
      return out;
    }
  }
  return Error(Code::kUnsupported, StrFormat("type of result {} cannot be evaluated", i));
}

Result<ValueTypePtr> ResultType(const KernelCall& call, size_t i, std::span<const int64_t> shape,
                                const DeclaredElement& element) {
  if (i < call.result_types.size()) {
    const ValueTypePtr& declared = call.result_types[i];
    if (declared && declared->element == element.element && std::ranges::equal(declared->shape, shape) &&
        (declared->quantization == element.quantization ||
         (declared->quantization && element.quantization &&
          *declared->quantization == *element.quantization)))
      return declared;
  }
  for (const int64_t extent : shape)
    if (extent < 0) return Error(Code::kEvaluation, StrFormat("result {} has a negative size {}", i, extent));
  ValueTypePtr type = MakeTensorType(element.element, shape, element.quantization);
  if (!type) return Error(Code::kLimit, StrFormat("shape of result {} is too large", i));
  return type;
}

Status AllocateResult(KernelCall& call, size_t i, std::span<const int64_t> shape,
                      const DeclaredElement& element, bool splat) {
  const ValueTypePtr type = SHLO_TRY(ResultType(call, i, shape, element));
  call.results[i] = call.host.Allocate(type, splat && type->count > 0);
  if (!call.results[i]) return OutOfMemory();
  return {};
}

Status TakeResults(KernelCall& call, Result<std::vector<Tensor>> values) {
  std::vector<Tensor> taken = SHLO_TRY(std::move(values));
  if (taken.size() != call.results.size())
    return Invalid(
        StrFormat("region returns {}, expected {}", Count(taken.size(), "value"), call.results.size()));
  std::ranges::move(taken, call.results.begin());
  return {};
}

Result<Ints> DeclaredShape(const KernelCall& call, size_t i) {
  const ValueTypePtr& declared = call.result_types[i];
  if (!declared || !declared->is_tensor())
    return Error(Code::kUnsupported, StrFormat("result {} does not have a static shape", i));
  return Ints(declared->shape.begin(), declared->shape.end());
}

}  // namespace shlo
