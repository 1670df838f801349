// Programs of other types. A generator makes programs that its author had in mind; from each, this makes
// those with every element type, dynamic or bounded sizes, at one operand or result of the op or everywhere.
// Rows and constraints say which of them are programs: what they do not allow, the verifier refuses.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "ir/module/builder.h"
#include "ir/module/sample.h"
#include "ir/table/float_format.h"
#include "ir/table/trait.h"
#include "law_checks.h"
#include "programs.h"
#include "prove/signature.h"
#include "shlo/types.h"
#include "shlo/verify.h"

namespace shlo::laws {
namespace {

// Adds an element type to a module. Quantized ones have different parameters; the axis is dimension 0.
TypeId AddElement(Module* m, const VariedElement& to, std::span<const int64_t> shape) {
  const auto f32 = m->Type(TypeKind::kF32), i8 = m->Type(TypeKind::kI8);
  constexpr int64_t kSigned = 1, kLow = -128, kHigh = 127;
  switch (to.quantized) {
    case VariedElement::kNot:
      return to.element.complex ? m->ComplexType(m->Type(to.element.kind)) : m->Type(to.element.kind);
    case VariedElement::kPerTensor:
    case VariedElement::kOtherParameters: {
      const bool other = to.quantized == VariedElement::kOtherParameters;
      return m->Make(UniformQuantizedType{.storage = i8,
                                          .expressed = f32,
                                          .flags = kSigned,
                                          .scale = other ? 0.25 : 0.5,
                                          .zero_point = other ? -1 : 3,
                                          .storage_min = kLow,
                                          .storage_max = kHigh});
    }
    case VariedElement::kPerAxis:
      break;
  }
  if (shape.empty() || shape[0] <= 0) return {};
  std::vector<double> scales;
  std::vector<int64_t> zero_points;
  for (int64_t i = 0; i < shape[0]; ++i) scales.push_back(0.5 + double(i)), zero_points.push_back(i % 5);
  return m->Make(UniformQuantizedPerAxisType{.storage = i8,
                                             .expressed = f32,
                                             .flags = kSigned,
                                             .quantized_dimension = 0,
                                             .storage_min = kLow,
                                             .storage_max = kHigh,
                                             .scales = scales,
                                             .zero_points = zero_points});
}

// Returns the type with these sizes. Bounds are the sizes, or one more.
TypeId WithSizes(Module* m, TypeId type, Sizes sizes) {
  const ShapedType shaped(*m, type);
  if (!shaped.ranked || shaped.rank() == 0 || sizes == Sizes::kStatic || !shaped.bounds.empty()) return type;
  Dims shape(shaped.shape.begin(), shaped.shape.end()), bounds(shape.size(), kDynamic);
  for (size_t d = 0; d < shape.size(); ++d) {
    // Dimensions of one size change together, so that types which were equal still are.
    const bool changes = shape[d] != kDynamic && (sizes == Sizes::kDynamic || shape[d] % 2 == 1);
    if (!changes) continue;
    if (sizes == Sizes::kBounded) bounds[d] = shape[d] + (shape[d] > 1);
    shape[d] = kDynamic;
  }
  const bool bounded = std::ranges::any_of(bounds, [](int64_t b) { return b != kDynamic; });
  const TypeId element = shaped.element;
  return m->TensorType(shape, element,
                       bounded ? m->Make(TypeExtensionsAttr{.bounds = bounds}) : shaped.encoding);
}

// Gives functions the types of their arguments and of what they return.
void UpdateFunctionTypes(Module* m) {
  for (uint32_t i = 1; i < m->ops.size(); ++i) {
    if (!m->Has(m->ops[i], Trait::kFunction)) continue;
    const auto regions = m->RegionsOf(m->ops[i]);
    if (regions.size() != 1 || m->BlocksOf(regions[0]).size() != 1) continue;
    const BlockId block = m->BlocksOf(regions[0])[0];
    std::vector<TypeId> args, results;
    for (uint32_t k = 0; k < m->blocks[block.v].args.count; ++k)
      args.push_back(m->TypeOf(m->ArgOf(block, k)));
    for (ValueId value : m->OperandsOf(m->ops[m->OpsOf(block).back().v])) results.push_back(m->TypeOf(value));
    const int slot = RevisionOf(m->RevisionIdOf(m->ops[i])).FindSlot("function_type");
    m->SetInherentAttr(OpId(i), slot, m->TypeAttr(m->FunctionType(args, results)));
  }
}

// Returns an argument with another type; numbers of the same class keep their values.
Tensor Retyped(Source& s, const Tensor& arg, const ValueTypePtr& type) {
  const ElementType from = arg.element(), to = type->element;
  const bool floats = IsFloat(from.kind) && IsFloat(to.kind) && !from.complex && !to.complex;
  const bool integers = IsInteger(from.kind) && IsInteger(to.kind);
  std::string bytes;
  for (uint64_t i = 0; i < type->count; ++i)
    for (int part = 0; part <= int(to.complex); ++part) {
      uint64_t bits = 0;
      if (floats) {
        bits = EncodeFloat(to.kind, DecodeFloat(from.kind, ElementBits(arg, i)));
      } else if (integers) {
        bits = ElementBits(arg, i);
        const int unused = 64 - BitWidth(from.kind), lost = 64 - BitWidth(to.kind);
        const int64_t value =
            IsUnsignedInteger(from.kind) ? int64_t(bits) : int64_t(bits << unused) >> unused;
        const int64_t kept = IsUnsignedInteger(to.kind) ? int64_t(uint64_t(value) << lost >> lost)
                                                        : int64_t(uint64_t(value) << lost) >> lost;
        // Small numbers may be sizes, which stay valid; others are data.
        constexpr int64_t kSmall = 64;
        if (kept != value) bits = std::abs(value) < kSmall ? 0 : AnyBits(s, to.kind);
        if (kept == value) bits = uint64_t(value) << lost >> lost;
      } else {
        bits = AnyBits(s, to.kind);
      }
      bytes.append(reinterpret_cast<const char*>(&bits), to.part_bytes());
    }
  return Tensor::Copy(type, bytes);
}

// Gives each argument of the functions that are run the type that it has now. Returns false if a type cannot
// be evaluated.
bool UpdateArguments(Source& s, Program* program) {
  Module& m = program->module;
  size_t next = 0;
  const std::vector<std::string> one{"main"};
  for (const std::string& name : program->grid.empty() ? one : program->grid) {
    const OpId function = [&] {
      for (uint32_t i = 1; i < m.ops.size(); ++i)
        if (m.SymbolOf(m.ops[i]) == name) return OpId(i);
      return OpId();
    }();
    if (!function) return false;
    const BlockId block = m.BlocksOf(m.RegionsOf(m.ops[function.v])[0])[0];
    for (uint32_t k = 0; k < m.blocks[block.v].args.count; ++k, ++next) {
      const auto declared = DeclaredTypeOf(m, m.TypeOf(m.ArgOf(block, k)));
      if (!declared || next >= program->args.size()) return false;
      Tensor& arg = program->args[next];
      if (!arg.type().is_tensor()) continue;
      Dims extents;
      for (size_t d = 0; d < declared->shape.size(); ++d)
        if (declared->shape[d] == kDynamic) extents.push_back(arg.type().shape[d]);
      const ValueTypePtr type = declared->With(extents);
      if (!type || type->shape != arg.type().shape) return false;
      if (!(*type == arg.type())) arg = Retyped(s, arg, type);
    }
  }
  return true;
}

// Returns the operand or result of the op that a variation is about, or none.
ValueId PlaceIn(const Module& m, OpId op, int place) {
  const auto operands = m.OperandsOf(m.ops[op.v]);
  if (place >= 0) return size_t(place) < operands.size() ? operands[size_t(place)] : ValueId();
  const uint32_t result = uint32_t(-place - 1);
  return result < m.NumResults(m.ops[op.v]) ? m.ResultOf(m.ops[op.v], result) : ValueId();
}

}  // namespace

std::vector<Variation> VariationsOf(RowId op, Version version) {
  const OpRevision& revision = RevisionOf(RevisionAt(op, version));
  std::vector<Variation> all;
  const auto add_place = [&](int place, const Cell& cell) {
    std::vector<VariedElement> elements{{.same = true}};
    for (const ElementType& element : ElementTypesFor(version, cell.type_class()))
      elements.push_back({element});
    for (const auto quantized :
         {VariedElement::kPerTensor, VariedElement::kOtherParameters, VariedElement::kPerAxis})
      elements.push_back({{TypeKind::kI8}, quantized});
    for (const VariedElement& element : elements)
      for (const bool everywhere : {true, false})
        for (const Sizes sizes : {Sizes::kStatic, Sizes::kDynamic, Sizes::kBounded})
          if (!element.same || sizes != Sizes::kStatic) all.push_back({place, element, everywhere, sizes});
  };
  for (size_t i = 0; i < revision.operands.size(); ++i) add_place(int(i), revision.operands[i]);
  for (size_t i = 0; i < revision.results.size(); ++i) add_place(-int(i) - 1, revision.results[i]);
  return all;
}

std::string Variation::Describe() const {
  constexpr std::string_view kSizes[] = {"static", "dynamic", "bounded"};
  constexpr std::string_view kQuantized[] = {"", "quantized", "otherwise quantized", "quantized per axis"};
  const std::string what = element.same        ? "the same type"
                           : element.quantized ? std::string(kQuantized[element.quantized])
                                               : ElementName(element.element);
  return fmt::format("{} {}{}: {}, {}", place < 0 ? "result" : "operand", place < 0 ? -place - 1 : place,
                     everywhere ? " and its like" : "", what, kSizes[size_t(sizes)]);
}

bool Vary(RowId op, const Variation& variation, Source& s, Program* program) {
  Module& m = program->module;
  const OpId id = FindOp(m, op);
  const ValueId value = id ? PlaceIn(m, id, variation.place) : ValueId();
  if (!value) return false;
  const TypeId from = m.TypeOf(value);
  const ShapedType shaped(m, from);
  if (!shaped.ranked) return false;
  const TypeId element = shaped.element;
  const auto change = [&](ValueId v) {
    TypeId& type = m.values[v.v].type;
    const ShapedType old(m, type);
    if (!old.ranked) return;
    if (!variation.element.same && old.element == element) {
      const Dims shape(old.shape.begin(), old.shape.end());
      const AttrId encoding = old.encoding;
      if (const TypeId to = AddElement(&m, variation.element, shape))
        type = m.TensorType(shape, to, encoding);
    }
    type = WithSizes(&m, type, variation.sizes);
  };
  if (variation.everywhere)
    for (uint32_t v = 1; v < m.values.size(); ++v) change(ValueId(v));
  else
    change(value);
  if (m.TypeOf(value) == from) return false;
  for (uint32_t i = 1; i < m.ops.size(); ++i) UpdateTypes(&m, OpId(i));
  UpdateFunctionTypes(&m);
  for (const Diagnostic& d : Verify(m, {.strictness = Strictness::kStrict}))
    if (d.severity == Severity::kError) return false;
  if (!UpdateArguments(s, program)) return false;
  if (!variation.element.same) {
    program->expected.clear();
    if (program->of_law.ulps != 0 && !SetTolerance(op, program)) return false;
  }
  return true;
}

}  // namespace shlo::laws
