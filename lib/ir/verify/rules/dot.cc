// Products of matrices and tensors.
#include "ir/verify/rules/common.h"

namespace shlo {
namespace {

bool CheckResultShape(OpCheck& c, std::string_view label, DimSpan shape) {
  const ShapedType result = c.Out();
  if (result.unranked || CompatibleShapes(shape, result.shape)) {
    c.InferTensor(shape, {result.element});
    return true;
  }
  return c.Fail(label, "inferred shape '{}' is incompatible with return type of operation {}", c.Sizes(shape),
                c.T(result.type));
}

}  // namespace

bool VerifyDot(OpCheck& c) {
  if (!CheckPrecisionConfig(c, "R1")) return false;
  const ShapedType lhs = c.In(0), rhs = c.In(1);
  Dims shape;
  const bool ranks = lhs.rank() >= 1 && lhs.rank() <= 2 && rhs.rank() >= 1 && rhs.rank() <= 2;
  if (!ranks || !CompatibleDims(lhs.shape.back(), rhs.shape.front()))
    return c.Fail("R2", "expected both lhs/rhs ranks to be either 1 or 2");
  if (lhs.rank() == 2) shape.push_back(lhs.dim(0));
  if (rhs.rank() == 2) shape.push_back(rhs.dim(1));
  return CheckResultShape(c, "R3", shape);
}

namespace {

// Combinations of precision types that some hardware computes, with their numbers of primitive operations.
struct DotAlgorithm {
  TypeKind lhs, rhs, accumulation;
  int64_t primitive_operations;
};
constexpr DotAlgorithm kDotAlgorithms[] = {
    {TypeKind::kF8E4M3FN, TypeKind::kF8E4M3FN, TypeKind::kF32, 3},
    {TypeKind::kF8E4M3FN, TypeKind::kF8E4M3FN, TypeKind::kF32, 4},
    {TypeKind::kF16, TypeKind::kF16, TypeKind::kF16, 1},
    {TypeKind::kF16, TypeKind::kF16, TypeKind::kF32, 1},
    {TypeKind::kBF16, TypeKind::kBF16, TypeKind::kBF16, 1},
    {TypeKind::kBF16, TypeKind::kBF16, TypeKind::kF32, 1},
    {TypeKind::kBF16, TypeKind::kBF16, TypeKind::kF32, 3},
    {TypeKind::kBF16, TypeKind::kBF16, TypeKind::kF32, 6},
    {TypeKind::kBF16, TypeKind::kBF16, TypeKind::kF32, 9},
    {TypeKind::kTF32, TypeKind::kTF32, TypeKind::kF32, 1},
    {TypeKind::kTF32, TypeKind::kTF32, TypeKind::kF32, 3},
    {TypeKind::kF32, TypeKind::kF32, TypeKind::kF32, 1},
    {TypeKind::kF64, TypeKind::kF64, TypeKind::kF64, 1},
};

bool IsKnownAlgorithm(const DotAlgorithm& a, int64_t lhs_components, int64_t rhs_components, bool imprecise) {
  // Every known algorithm takes its operands as one component each.
  if (lhs_components != 1 || rhs_components != 1) return false;
  const auto f8 = [](TypeKind k) { return BitWidth(k) == 8 && IsFloat(k) && k != TypeKind::kF8E8M0FNU; };
  if (f8(a.lhs) && f8(a.rhs) && a.accumulation == TypeKind::kF32 && a.primitive_operations == 1) return true;
  if (imprecise) return false;
  return std::ranges::any_of(kDotAlgorithms, [&](const DotAlgorithm& k) {
    return k.lhs == a.lhs && k.rhs == a.rhs && k.accumulation == a.accumulation &&
           k.primitive_operations == a.primitive_operations;
  });
}

// Of dot_general.
bool CheckAlgorithm(OpCheck& c) {
  const auto type_of = [&](std::string_view name) {
    const auto type = c.m.As<TypeAttr>(c.Attr(name));
    return type ? type->type : TypeId();
  };
  const TypeId lhs = type_of("lhs_precision_type"), rhs = type_of("rhs_precision_type"),
               accumulation = type_of("accumulation_type");
  const int64_t lhs_components = c.Int("lhs_component_count", 1),
                rhs_components = c.Int("rhs_component_count", 1),
                operations = c.Int("num_primitive_operations", 1);
  const bool imprecise = c.Flag("allow_imprecise_accumulation");
  if (lhs_components < 1) return c.FailAt("C22", "algorithm", "lhs component count must be positive");
  if (rhs_components < 1) return c.FailAt("C23", "algorithm", "rhs component count must be positive");
  if (operations < 1) return c.FailAt("C24", "algorithm", "num primitive operations must be positive");
  const DotAlgorithm algorithm{c.m.types.KindOf(lhs), c.m.types.KindOf(rhs), c.m.types.KindOf(accumulation),
                               operations};
  if (IsKnownAlgorithm(algorithm, lhs_components, rhs_components, imprecise)) return true;
  return c.FailAt("R1", "algorithm",
                  "dot algorithm not known to be supported on any hardware: {{lhs:{}, rhs:{}, accum:{}, "
                  "lhs_components:{}, rhs_components:{}, primitive_ops:{}, imprecise:{}}}",
                  c.T(lhs), c.T(rhs), c.T(accumulation), lhs_components, rhs_components, operations,
                  int(imprecise));
}

// The dimensions of `operand` that are in neither list.
void AppendOthers(const ShapedType& operand, DimSpan batching, DimSpan contracting, DimSpan group,
                  Dims* shape) {
  for (int64_t i = 0; i < operand.rank(); ++i)
    if (!Contains(batching, i) && !Contains(contracting, i) && !Contains(group, i))
      shape->push_back(operand.dim(i));
}

bool IsDefaultPrecision(const OpCheck& c) {
  return std::ranges::all_of(c.m.ElementsOf(c.Attr("precision_config")), [&](AttrId item) {
    return c.m.EnumValue(item, AttrKind::kPrecision).value_or(0) == 0;
  });
}

}  // namespace

bool VerifyDotGeneral(OpCheck& c) {
  constexpr DotLabels kLabels = {"C1", "C2", "C3", "C4", "C5", "C6", "C7", "C8", "C9", "C10", "C11"};
  const bool has_algorithm = c.Has("lhs_precision_type");
  if (has_algorithm && !CheckAlgorithm(c)) return false;
  const ShapedType lhs = c.In(0), rhs = c.In(1);
  const DimSpan lb = c.Ints("lhs_batching_dimensions"), rb = c.Ints("rhs_batching_dimensions"),
                lc = c.Ints("lhs_contracting_dimensions"), rc = c.Ints("rhs_contracting_dimensions");
  if (!CheckDotDimensions(c, kLabels, lhs, rhs, lb, rb, lc, rc)) return false;
  // C12: batching dimensions, then the rest of lhs, then of rhs.
  Dims shape;
  for (size_t i = 0; i < lb.size(); ++i) {
    SizeAndBound both;
    if (!MostSpecific(c, int64_t(i), {lhs.dim(lb[i]), lhs.bound(lb[i])}, {rhs.dim(rb[i]), rhs.bound(rb[i])},
                      &both))
      return false;
    shape.push_back(both.size);
  }
  AppendOthers(lhs, lb, lc, {}, &shape);
  AppendOthers(rhs, rb, rc, {}, &shape);
  if (!CheckResultShape(c, "C12", shape)) return false;
  if (has_algorithm && !IsDefaultPrecision(c))
    return c.Fail("C21", "must specify DEFAULT precision config when algorithm is set.");
  if (!IsQuantized(c.m, lhs.element) && !IsQuantized(c.m, rhs.element) && !IsQuantized(c.m, c.out_element()))
    return true;
  const QuantizedType l(c.m, lhs.element), r(c.m, rhs.element), o(c.m, c.out_element());
  const bool zero = std::ranges::all_of(r.zero_points, [](int64_t z) { return z == 0; });
  if (r.ok && !zero)
    return r.per_axis ? c.Fail("C15", "Zero points of rhs should be 0")
                      : c.Fail("C15", "Zero point of rhs should be 0");
  if (r.per_axis && Contains(rc, r.dimension))
    return c.Fail("C16", "Quantization dimension of rhs should not be in the contracting dimension of rhs");
  return CheckProductQuantization(c, {"C14", "C17", "C18", "C19", "C20"}, lhs.element, rhs.element,
                                  c.out_element());
}

bool VerifyRaggedDot(OpCheck& c) {
  constexpr DotLabels kLabels = {"R1", "R2", "R3", "R4", "R5", "R6", "R7", "R8", "R9", "R10", "R11"};
  const ShapedType lhs = c.In(0), rhs = c.In(1), groups = c.In(2);
  if (!lhs.ranked || !rhs.ranked) return true;
  const auto numbers = c.m.Get<RaggedDotDimensionNumbersAttr>(c.Attr("ragged_dot_dimension_numbers"));
  const DimSpan lb = numbers.lhs_batching_dimensions, rb = numbers.rhs_batching_dimensions,
                lc = numbers.lhs_contracting_dimensions, rc = numbers.rhs_contracting_dimensions,
                ragged = numbers.lhs_ragged_dimensions, group = numbers.rhs_group_dimensions;
  if (!CheckDotDimensions(c, kLabels, lhs, rhs, lb, rb, lc, rc)) return false;
  if (ragged.size() != 1) return c.Fail("R12", "There must be exactly one ragged dimension in the lhs.");
  const int64_t dim = ragged[0];
  if (!CheckInBounds(c, "R12", dim, lhs.rank(), "lhs_ragged_dim", "lhs_rank")) return false;
  const bool batch = Contains(lb, dim), contracting = !batch && Contains(lc, dim);
  // group_sizes has the dimensions that precede the ragged one, and the groups.
  Dims prefix;
  for (int64_t d : lb) {
    if (batch && d == dim) break;
    prefix.push_back(lhs.dim(d));
  }
  if (contracting) {
    for (int64_t d : lc) {
      if (d == dim) break;
      prefix.push_back(lhs.dim(d));
    }
  } else if (!batch) {
    for (int64_t d = 0; d < dim; ++d)
      if (!Contains(lb, d) && !Contains(lc, d)) prefix.push_back(lhs.dim(d));
  }
  if (groups.rank() != 1) {
    if (groups.rank() != int64_t(prefix.size()) + 1)
      return c.Fail("R13", "expected group_sizes to have rank {}, got {}", prefix.size() + 1, groups.rank());
    if (!std::ranges::equal(DimSpan(prefix), groups.shape.first(prefix.size()))) {
      Dims expected = prefix;
      expected.push_back(groups.shape.back());
      return c.Fail("R13", "group_sizes is expected to have shape [{}], got [{}]", c.List(expected),
                    c.List(groups.shape));
    }
  }
  const int64_t num_groups = groups.shape.back();
  for (int64_t d : group)
    if (!CheckInBounds(c, "R14", d, rhs.rank(), "rhs_group_dim", "rhs_rank")) return false;
  if (!CheckDistinct(c, "R14", group, rb, "rhs_group_dimensions", "rhs_batching_dimensions") ||
      !CheckDistinct(c, "R14", group, rc, "rhs_group_dimensions", "rhs_contracting_dimensions"))
    return false;
  if (batch || contracting) {
    if (!group.empty())
      return c.Fail("R15",
                    "There must be zero group dimensions in the rhs when the ragged dimension is batch or "
                    "contracting.");
  } else if (group.size() != 1) {
    return c.Fail("R15",
                  "There must be exactly one group dimension in the rhs when the lhs ragged dimension is "
                  "non-contracting.");
  } else if (!CompatibleDims(num_groups, rhs.dim(group[0]))) {
    return c.Fail("R15", "rhs group dimension is expected to have size={}, got {}", num_groups,
                  rhs.dim(group[0]));
  }
  Dims shape;
  if (contracting) shape.push_back(num_groups);
  for (int64_t d : lb) shape.push_back(lhs.dim(d));
  AppendOthers(lhs, lb, lc, {}, &shape);
  AppendOthers(rhs, rb, rc, group, &shape);
  return CheckResultShape(c, "R16", shape);
}

}  // namespace shlo
