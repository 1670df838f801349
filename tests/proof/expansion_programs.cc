// Programs of ops that have an expansion. The op's own kernel gives the right results, which is independent
// of the expansion: kernels of CHLO compute functions directly (lib/eval/numeric), expansions by ops of
// StableHLO.
#include <algorithm>
#include <cmath>

#include "ir/module/sample.h"
#include "ir/table/float_format.h"
#include "programs.h"
#include "prove/signature.h"
#include "versioning/expand/recipe.h"

namespace shlo::laws {
namespace {

struct Bound {
  std::string_view op;
  double low, high, f64, f32, narrow, floor;
  bool terms;
  double low2, high2;
};
constexpr Bound kBounds[] = {
#define SHLO_REAL_ERROR(op, low, high, f64, f32, f16, bf16, floor, terms, low2, high2) \
  {op, low, high, f64, f32, f16 > bf16 ? f16 : bf16, floor, terms, low2, high2},
#include "versioning/expand/error_bounds.inc"
};
struct ComplexBound {
  std::string_view op;
  double f64, f32, floor;
  bool infinities, tiny;
};
constexpr ComplexBound kComplexBounds[] = {
#define SHLO_COMPLEX_ERROR(...) {__VA_ARGS__},
#include "versioning/expand/error_bounds.inc"
};
template <size_t n, typename T>
const T* Find(const T (&rows)[n], std::string_view op) {
  for (const T& row : rows)
    if (row.op == op) return &row;
  return nullptr;
}

double UlpsOf(const Bound& bound, TypeKind kind) {
  return kind == TypeKind::kF64                              ? bound.f64
         : kind == TypeKind::kF32 || kind == TypeKind::kTF32 ? bound.f32
                                                             : bound.narrow;
}

// Returns the nearest number that a type has.
double EncodedAs(TypeKind kind, double x) { return DecodeFloat(kind, EncodeFloat(kind, x)); }

// Returns bits of a number within an interval, NaN, or one of the interval's ends.
uint64_t BitsWithin(Source& s, TypeKind kind, double low, double high) {
  const auto fits = [&](uint64_t bits) {
    const double x = DecodeFloat(kind, bits);
    return !(x < low || x > high);
  };
  for (int i = 0; i < 8; ++i)
    if (const uint64_t bits = AnyBits(s, kind); fits(bits)) return bits;
  const double a = std::max(low, -1e3), b = std::min(high, 1e3);
  const uint64_t bits = EncodeFloat(kind, a + (b - a) * (double(s.Any() >> 11) * 0x1p-53));
  return fits(bits) ? bits : EncodeFloat(kind, std::isfinite(low) && low > 0 ? std::ceil(low) : 0);
}

// Returns an order of polygamma: an integer most of the time. Order 0 has its own programs.
uint64_t Order(Source& s, TypeKind kind, double most) {
  const uint64_t bits = BitsWithin(s, kind, -INFINITY, most);
  return s.Any() % 4 == 0 && DecodeFloat(kind, bits) != 0
             ? bits
             : EncodeFloat(kind, 1 + double(s.Any() % uint64_t(most)));
}

bool IsZeta(std::string_view op) { return op == "chlo.zeta" || op == "chlo.polygamma"; }

// Returns whether terms of these operands may cancel.
bool Cancels(std::string_view op, double x, double q) {
  const double power = op == "chlo.polygamma" ? x + 1 : x;
  return IsZeta(op) && q < 0 && q != std::floor(q) && power == std::floor(power);
}

// Fills the operands of zeta or polygamma for what random bits seldom reach: sums that begin below 0, poles,
// places without a value, and order 0. Returns false for the usual operands.
bool SpecialZeta(Source& s, std::string_view op, TypeKind kind, Dims* shape,
                 std::vector<std::vector<uint64_t>>* bits, Program* out) {
  const bool zeta = op == "chlo.zeta";
  if (s.every() || !IsZeta(op)) return false;
  const uint64_t what = s.Any() % 4;
  if (what > 1) return false;
  bits->assign(2, {});
  const Bound& bound = *Find(kBounds, op);
  out->of_law = {UlpsOf(bound, kind), bound.floor};
  if (what == 0) {
    // Large terms may cancel: results are measured in last places of the largest one.
    const double x =
        EncodedAs(kind, double(zeta ? s.AnyBetween(2, 12) : s.AnyBetween(1, int64_t(bound.high))));
    const double far[] = {1, 8, 64, 1e3, 1e6};
    const double q = EncodedAs(kind, -(1 + double(s.Any() % 4096) / 512) * far[s.Any() % std::size(far)]);
    const double fraction = std::min(q - std::floor(q), std::ceil(q) - q);
    double term = fraction > 0 ? std::pow(fraction, zeta ? -x : -(x + 1)) : 0;
    if (!zeta) term *= std::tgamma(x + 1);
    out->of_law.floor = std::isfinite(term) ? term : 0;
    shape->clear();
    (*bits)[0] = {EncodeFloat(kind, x)};
    (*bits)[1] = {EncodeFloat(kind, q)};
    return true;
  }
  *shape = {s.AnyBetween(1, 6)};
  // Its powers overflow, and the terms for the rest of the sum do so before they are multiplied by 0.
  const double huge = kind == TypeKind::kF64 ? 1e200 : kind == TypeKind::kF16 ? 6e4 : 1e30;
  const double tiny = std::ldexp(1.0, 1 - FloatFormatOf(kind)->bias);
  const bool order_0 = !zeta && s.Any() % 2;
  if (order_0) out->of_law.floor = Find(kBounds, "chlo.digamma")->floor;
  for (int64_t i = 0; i < (*shape)[0]; ++i) {
    // Sums near the smallest normal number.
    const double unit = double(s.Any() >> 11) * 0x1p-53;
    const double power = double(s.AnyBetween(2, 8));
    const double places[][2] = {{2.0 * double(s.AnyBetween(1, 8)), -double(s.AnyBetween(0, 8))},
                                {1 + 2.0 * double(s.AnyBetween(1, 8)), -double(s.AnyBetween(0, 8))},
                                {1.5 + double(s.AnyBetween(0, 8)), -0.5 - double(s.AnyBetween(0, 8))},
                                {0.5, 1.5},
                                {-double(s.AnyBetween(0, 8)), 2},
                                {1, 0.5 * double(s.AnyBetween(-4, 8))},
                                {NAN, 2},
                                {1, NAN},
                                {2, NAN},
                                {huge, 0.5},
                                {huge, 1},
                                {huge, 1.5},
                                {INFINITY, 0.5 * double(s.AnyBetween(-8, 8))},
                                {-INFINITY, 2},
                                {2, INFINITY},
                                {2, -INFINITY},
                                {1.5, huge},
                                {1.5, tiny},
                                {double(s.AnyBetween(2, 8)), huge},
                                {double(s.AnyBetween(2, 8)), 0.0},
                                {double(s.AnyBetween(2, 8)), -0.0},
                                {double(s.AnyBetween(2, 8)), 3 * tiny},
                                {1 + std::ldexp(1.0, -FloatFormatOf(kind)->mantissa_bits), 2}};
    const double small[] = {power, std::exp2((FloatFormatOf(kind)->bias + 16 * unit - 2) / (power - 1))};
    const auto& place = s.Any() % 4 == 0 ? small : places[s.Any() % std::size(places)];
    uint64_t x = EncodeFloat(kind, place[0]), q = EncodeFloat(kind, place[1]);
    if (!zeta) {  // an order is one less
      x = EncodeFloat(kind, order_0 ? 0 : std::min(place[0] - 1, bound.high));
      // Order 0 is digamma, everywhere.
      if (order_0)
        q = s.Any() % 4 ? AnyBits(s, kind) : q;
      else if (place[0] == 1)
        x = EncodeFloat(kind, 2);
    }
    (*bits)[0].push_back(x);
    (*bits)[1].push_back(q);
  }
  return true;
}

// Returns a number near a power of two at which formulas change: the square root of the largest number or of
// the smallest one, the number of digits, or its double.
double NearThreshold(Source& s, const FloatFormat& format, int anchor) {
  const int digits = format.mantissa_bits + 1, half = format.bias / 2;
  const int kAnchors[] = {0, digits, 2 * digits, half, -half};
  const int exponent = kAnchors[anchor] + int(s.AnyBetween(-10, 10));
  const double size = std::ldexp(1 + double(s.Any() >> 11) * 0x1p-53, exponent);
  return s.Any() & 1 ? -size : size;
}

// Fills the operands of an element-wise op: every value of narrow types, or some of each kind.
bool Fill(Source& s, std::string_view op, ElementType element, size_t operands, Dims* shape,
          std::vector<std::vector<uint64_t>>* bits, Program* out) {
  if (SpecialZeta(s, op, element.kind, shape, bits, out)) return true;
  const uint32_t width = uint32_t(BitWidth(element.kind));
  const Bound* const bound = Find(kBounds, op);
  bits->assign(operands, {});
  if (element.complex) {
    const ComplexBound* const complex = Find(kComplexBounds, op);
    if (!complex) return false;
    const ComplexBound& limits = *complex;
    out->of_law = {element.kind == TypeKind::kF64 ? limits.f64 : limits.f32, limits.floor};
    // Computed apart from each other, without differences of numbers that are close.
    if (op == "chlo.atanh" || op == "chlo.atan") out->of_law.part = 16;
    const double least = limits.tiny ? 0 : element.kind == TypeKind::kF64 ? 1e-150 : 1e-18;
    *shape = {s.every() ? 256 : s.AnyBetween(0, 16)};
    int anchor = -1;
    while (int64_t((*bits)[0].size()) < 2 * (*shape)[0]) {
      // Both parts of every other number are near the same threshold, or have the same size.
      std::vector<uint64_t>& parts = (*bits)[0];
      const size_t part = parts.size() % 4;
      if (part == 0) anchor = int(s.Any() % 5);
      uint64_t x = EncodeFloat(element.kind, NearThreshold(s, *FloatFormatOf(element.kind), anchor));
      if (part == 1 && s.Any() % 4 == 0) x = parts.back() ^ (s.Any() & 1) << (BitWidth(element.kind) - 1);
      if (part > 1) x = AnyBits(s, element.kind);
      const double value = DecodeFloat(element.kind, x);
      // Results on branch cuts are those of positive zeros.
      if ((value == 0 && std::signbit(value)) || (value != 0 && std::fabs(value) < least)) continue;
      if (std::isnan(value) || (std::isinf(value) && !limits.infinities)) continue;
      (*bits)[0].push_back(x);
    }
    for (size_t i = 1; i < operands; ++i) (*bits)[i] = (*bits)[0];
    return true;
  }
  if (bound && IsFloat(element.kind)) out->of_law = {UlpsOf(*bound, element.kind), bound->floor};
  const double low = bound ? bound->low : -INFINITY, high = bound ? bound->high : INFINITY;
  const auto put = [&](size_t operand, uint64_t x) {
    if (out->of_law.ulps != 0) {
      const double value = DecodeFloat(element.kind, x);
      const bool order = op == "chlo.polygamma" && operand == 0;
      if (order && (value > high || value == 0))
        x = EncodeFloat(element.kind, 1 + double(s.Any() % uint64_t(high)));
      // Those are left to separate programs, where the terms are known.
      if (operand == 1 && !s.every() && Cancels(op, DecodeFloat(element.kind, (*bits)[0].back()), value))
        x = EncodeFloat(element.kind, -value);
    }
    (*bits)[operand].push_back(x);
  };
  if (s.every() && width * operands <= 16) {
    *shape = {int64_t(1) << (width * operands)};
    for (uint64_t i = 0; i < 1ull << (width * operands); ++i)
      for (size_t operand = 0; operand < operands; ++operand)
        put(operand, (i >> (width * operand)) & ((1ull << width) - 1));
    return true;
  }
  if (s.every())
    *shape = {128};
  else {
    shape->resize(s.Any() % 3);
    for (int64_t& d : *shape) d = s.AnyBetween(0, 6);
  }
  const bool anything = out->of_law.ulps == 0 || !IsFloat(element.kind);
  for (int64_t i = 0; i < CountOf(*shape); ++i)
    for (size_t operand = 0; operand < operands; ++operand)
      put(operand, anything                                 ? AnyBits(s, element.kind)
                   : op == "chlo.polygamma" && operand == 0 ? Order(s, element.kind, high)
                   : operand ? BitsWithin(s, element.kind, bound->low2, bound->high2)
                             : BitsWithin(s, element.kind, low, high));
  return true;
}

// Returns numbers of f32 or f64 on both sides of every threshold: special ones, and a grid with a random
// step.
std::vector<uint64_t> Sweep(Source& s, TypeKind kind) {
  const FloatFormat& format = *FloatFormatOf(kind);
  const uint64_t sign = 1ull << (format.width - 1), normal = 1ull << format.mantissa_bits;
  const uint64_t inf = EncodeFloat(kind, INFINITY);
  std::vector<uint64_t> bits{0,      1,          2,       normal / 2, normal - 1,
                             normal, normal + 1, inf - 1, inf,        EncodeFloat(kind, NAN)};
  const double steps[] = {0.03, 0.25, 0.5, 1, 12};
  const double step = steps[s.Any() % std::size(steps)];
  for (int k = 1; k < 64; ++k)
    bits.push_back(EncodeFloat(kind, step * (k + double(s.Any() >> 11) * 0x1p-53)));
  const size_t count = bits.size();
  for (size_t i = 0; i < count; ++i)
    if (!std::isnan(DecodeFloat(kind, bits[i]))) bits.push_back(bits[i] | sign);
  return bits;
}

// An op whose expansion is a recipe.
bool RecipeProgram(RowId op, Version version, Source& s, Program* out) {
  const OpRevision& revision = RevisionOf(RevisionAt(op, version));
  std::vector<ElementType> types;
  Module scratch;
  for (const ElementType& type : ElementTypesFor(version, revision.operands[0].type_class())) {
    const TypeId kind = scratch.Type(type.kind);
    if (FindRecipe(RowOf(op).name, scratch, type.complex ? scratch.ComplexType(kind) : kind))
      types.push_back(type);
  }
  if (types.empty()) return false;
  ElementType element = types[s.Pick(types.size())];
  Dims shape;
  std::vector<std::vector<uint64_t>> bits;
  const bool has_f32 = std::ranges::find(types, ElementType{TypeKind::kF32}) != types.end();
  const bool sweep = !s.every() && revision.operands.size() == 1 && has_f32 && s.Any() % 4 == 0;
  if (sweep) element = {s.Flip() ? TypeKind::kF32 : TypeKind::kF64};
  if (!Fill(s, RowOf(op).name, element, revision.operands.size(), &shape, &bits, out)) return false;
  if (sweep) {
    bits[0] = Sweep(s, element.kind);
    shape = {int64_t(bits[0].size())};
  }
  TestProgram p(version);
  const TypeId type = TypeOf(p, element, shape);
  const bool predicate = RowOf(op).name.starts_with("chlo.is_");
  const TypeId result = predicate ? p.Tensor(TypeKind::kI1, shape) : type;
  p.Function("main", std::vector<TypeId>(bits.size(), type), {result},
             [&](std::vector<ValueId> a) { return std::vector<ValueId>{p.Op(RowOf(op).name, a, {result})}; });
  out->module = p.Done();
  for (const auto& list : bits) out->args.push_back(TensorOfBits(element, shape, list));
  return true;
}

// The part of a shape that an operand has: dimensions of size 1, or none.
Dims PartOf(Source& s, const Dims& shape, bool leading) {
  Dims part = shape;
  for (int64_t& d : part)
    if (s.Pick(3) == 0) d = 1;
  while (leading && !part.empty() && s.Pick(3) == 0) part.erase(part.begin());
  return part;
}

bool BroadcastingProgram(RowId op, Version version, Source& s, Program* out) {
  const OpRevision& revision = RevisionOf(RevisionAt(op, version));
  const std::string_view name = RowOf(op).name;
  const bool select = name == "chlo.broadcast_select", compare = name == "chlo.broadcast_compare",
             complex = name == "chlo.broadcast_complex";
  const std::string_view base = name.substr(std::string_view("chlo.broadcast_").size());
  // Those of the op that is applied to the broadcast operands.
  std::string inner = "stablehlo." + std::string(base);
  if (!FindOp(inner)) inner = "chlo." + std::string(base);
  const Cell& cell = RevisionOf(NewestRevision(FindOp(inner))).operands[select ? 1 : 0];
  std::vector<ElementType> types = ElementTypesFor(version, cell.type_class());
  if (types.empty()) return false;
  const ElementType element = types[s.Pick(types.size())];
  Dims whole(s.Pick(s.every() ? 3 : 4));
  for (int64_t& d : whole) d = s.every() ? 1 + int64_t(s.Pick(2)) : s.AnyBetween(0, 4);
  std::vector<Dims> shapes;
  for (size_t i = 0; i < revision.operands.size(); ++i) shapes.push_back(PartOf(s, whole, i == 0));
  if (s.Flip()) std::swap(shapes[0], shapes.back());
  const std::string_view bound_of = inner;
  std::vector<std::vector<uint64_t>> special;
  if (Dims same; SpecialZeta(s, bound_of, element.kind, &same, &special, out))
    shapes = {same, same};
  else
    special.clear();
  if (select && s.Flip())  // scalars or the whole shape
    shapes = {s.Flip() ? Dims() : whole, s.Flip() ? Dims() : whole, s.Flip() ? Dims() : whole};
  size_t rank = 0;
  for (const Dims& part : shapes) rank = std::max(rank, part.size());
  // Where dimensions of the operand of lower rank go.
  const bool written = !select && shapes[0].size() != shapes[1].size() && s.Flip();
  Dims to;
  if (written) {
    Dims& less = shapes[0].size() < shapes[1].size() ? shapes[0] : shapes[1];
    const Dims& large = shapes[0].size() < shapes[1].size() ? shapes[1] : shapes[0];
    for (size_t d = 0; d < rank; ++d) to.push_back(int64_t(d));
    while (to.size() > less.size()) to.erase(to.begin() + ptrdiff_t(s.Pick(to.size())));
    for (size_t d = 0; d < less.size(); ++d)
      if (less[d] != 1 && large[size_t(to[d])] != 1) less[d] = large[size_t(to[d])];
  }
  Dims shape(rank, 1);
  for (const Dims& part : shapes)
    for (size_t d = 0; d < part.size(); ++d)
      if (int64_t& size = shape[written && part.size() < rank ? size_t(to[d]) : rank - part.size() + d];
          part[d] != 1)
        size = part[d];
  TestProgram p(version);
  Module& m = p.module();
  std::vector<TypeId> args;
  for (size_t i = 0; i < shapes.size(); ++i) {
    const ElementType of = select && i == 0 ? ElementType{TypeKind::kI1} : element;
    args.push_back(TypeOf(p, of, shapes[i]));
    if (!special.empty()) {
      out->args.push_back(TensorOfBits(of, shapes[i], special[i]));
      continue;
    }
    std::vector<uint64_t> bits;
    const Bound* const bound = Find(kBounds, bound_of);
    for (int64_t k = 0; k < CountOf(shapes[i]) * (of.complex ? 2 : 1); ++k) {
      uint64_t x = AnyBits(s, of.kind);
      if (bound && bound->f64 != 0) {
        out->of_law = {UlpsOf(*bound, of.kind), bound->floor};
        if (base == "polygamma" && i == 0) x = Order(s, of.kind, bound->high);
        // Any of the second operands may meet any of the first.
        const double value = DecodeFloat(of.kind, x);
        if (i == 1 && value < 0 && value != std::floor(value)) x = EncodeFloat(of.kind, -value);
      }
      bits.push_back(x);
    }
    out->args.push_back(TensorOfBits(of, shapes[i], bits));
  }
  const ElementType of_result = compare   ? ElementType{TypeKind::kI1}
                                : complex ? ElementType{element.kind, true}
                                          : element;
  const TypeId result = TypeOf(p, of_result, shape);
  p.Function("main", args, {result}, [&](std::vector<ValueId> a) {
    std::vector<std::pair<std::string_view, AttrId>> attrs;
    if (compare) {
      attrs.push_back(
          {"comparison_direction", m.Enum(AttrKind::kChloComparisonDirection, int64_t(s.Pick(6)))});
      if (IsFloat(element.kind) && !element.complex && s.Flip())
        attrs.push_back({"compare_type", m.Enum(AttrKind::kChloComparisonType, 1 + int64_t(s.Pick(2)))});
    }
    if (written) attrs.push_back({"broadcast_dimensions", m.I64s(to)});
    return std::vector<ValueId>{p.Op(name, a, {result}, attrs)};
  });
  out->module = p.Done();
  return true;
}

bool ConstantProgram(RowId op, Version version, Source& s, Program* out) {
  const OpRevision& revision = RevisionOf(RevisionAt(op, version));
  const std::vector<ElementType> types = ElementTypesFor(version, revision.results[0].type_class());
  const bool like = !revision.operands.empty();
  const ElementType element = types[s.Pick(types.size())];
  Dims shape(s.Pick(3));
  for (int64_t& d : shape) d = s.every() ? 1 + int64_t(s.Pick(2)) : s.AnyBetween(0, 4);
  std::vector<uint64_t> bits;
  for (int64_t i = 0; i < (like ? 1 : CountOf(shape)) * (element.complex ? 2 : 1); ++i)
    bits.push_back(AnyBits(s, element.kind));
  TestProgram p(version);
  Module& m = p.module();
  const TypeId type = TypeOf(p, element, shape);
  // The operand gives the shape only.
  std::vector<TypeId> args;
  if (like) {
    const std::vector<ElementType> others = ElementTypesFor(version, revision.operands[0].type_class());
    const ElementType other = s.Flip() ? element : others[s.Pick(others.size())];
    args.push_back(TypeOf(p, other, shape));
    std::vector<uint64_t> any;
    for (int64_t i = 0; i < CountOf(shape) * (other.complex ? 2 : 1); ++i)
      any.push_back(AnyBits(s, other.kind));
    out->args = {TensorOfBits(other, shape, any)};
  }
  p.Function("main", args, {type}, [&](std::vector<ValueId> a) {
    AttrId attr;
    if (!like || element.complex || s.Flip()) {
      const TypeId of_value = like ? TypeOf(p, element, {}) : type;
      const Tensor value = TensorOfBits(element, like ? Dims() : shape, bits);
      attr = m.Elements(of_value, m.payloads.AddCopy(value.ToBytes()), false);
    } else if (IsFloat(element.kind)) {
      attr = m.Float(m.Type(element.kind), bits[0]);
    } else {
      const int unused = 64 - BitWidth(element.kind);
      attr = m.Integer(m.Type(element.kind), IsUnsignedInteger(element.kind) || element.kind == TypeKind::kI1
                                                 ? int64_t(bits[0])
                                                 : int64_t(bits[0] << unused) >> unused);
    }
    return std::vector<ValueId>{p.Op(RowOf(op).name, a, {type}, {{"value", attr}})};
  });
  out->module = p.Done();
  return true;
}

bool TopKProgram(RowId, Version version, Source& s, Program* out) {
  // Few at random; the rest are variations.
  constexpr TypeKind kKinds[] = {TypeKind::kI8, TypeKind::kI32, TypeKind::kUI8, TypeKind::kF32,
                                 TypeKind::kBF16};
  const ElementType element{kKinds[s.Pick(std::size(kKinds))]};
  Dims shape(1 + s.Pick(2));
  for (int64_t& d : shape) d = s.Between(1, s.every() ? 3 : 6);
  const int64_t k = s.Between(0, shape.back());
  Dims result = shape;
  result.back() = k;
  TestProgram p(version);
  Module& m = p.module();
  const TypeId type = TypeOf(p, element, shape), values = TypeOf(p, element, result),
               indices = p.Tensor(TypeKind::kI32, result);
  p.Function("main", {type}, {values, indices}, [&](std::vector<ValueId> a) {
    const ValueId first = p.Op("chlo.top_k", a, {values, indices}, {{"k", m.I64(k)}});
    return std::vector<ValueId>{first, ValueId(first.v + 1)};
  });
  out->module = p.Done();
  std::vector<uint64_t> bits;
  for (int64_t i = 0; i < CountOf(shape); ++i)
    // Equal values, to see that the order is stable.
    bits.push_back(!bits.empty() && s.Any() % 3 == 0 ? bits.back() : AnyBits(s, element.kind));
  out->args = {TensorOfBits(element, shape, bits)};
  return true;
}

bool ScanProgram(RowId, Version version, Source& s, Program* out) {
  const bool reverse = s.Flip(), written = s.Flip();
  const int64_t dimension = int64_t(s.Pick(2));
  Dims shape{s.Between(s.every() ? 1 : 0, 4), s.Between(1, 3)};
  if (dimension == 1) std::swap(shape[0], shape[1]);
  const Dims rest{shape[size_t(1 - dimension)]};
  const TypeKind kind = TypeKind::kI32;
  TestProgram p(version);
  Module& m = p.module();
  const TypeId whole = p.Tensor(kind, shape), part = p.Tensor(kind, rest);
  p.Function("main", {whole, part}, {whole, part}, [&](std::vector<ValueId> a) {
    const RegionId body = Body(p, {part, part}, [&](std::vector<ValueId> x) {
      const ValueId product = p.Op("stablehlo.multiply", {x[0], x[1]}, {part});
      const ValueId next = p.Op(SubtractAt(version), {x[0], x[1]}, {part});
      return std::vector<ValueId>{product, next};
    });
    std::vector<std::pair<std::string_view, AttrId>> attrs = {{"dimension", m.I64(dimension)}};
    if (reverse || written) attrs.push_back({"is_reverse", m.Bool(reverse)});
    const ValueId first = p.Op("chlo.scan", a, {whole, part}, attrs, {body});
    // The sizes of the lists are discardable attributes.
    const auto sizes = [&] {
      const int32_t one[] = {1, 1};
      return m.Make(DenseArrayAttr{
          .element = m.Type(TypeKind::kI32),
          .payload = m.payloads.AddCopy(std::string_view(reinterpret_cast<const char*>(one), sizeof one))});
    };
    m.SetDiscardableAttrs(m.values[first.v].op, {{m.strings.Intern("operandSegmentSizes"), sizes()},
                                                 {m.strings.Intern("resultSegmentSizes"), sizes()}});
    return std::vector<ValueId>{first, ValueId(first.v + 1)};
  });
  out->module = p.Done();
  std::vector<int64_t> x(size_t(CountOf(shape))), y(size_t(CountOf(rest)));
  for (int64_t& value : x) value = int32_t(s.Any());
  for (int64_t& value : y) value = int32_t(s.Any());
  out->args = {TensorOfInts(kind, shape, x), TensorOfInts(kind, rest, y)};
  return true;
}

// Products of two matrices by groups of rows, columns or summands; with a batch dimension or not.
bool RaggedDotProgram(RowId, Version version, Source& s, Program* out) {
  const uint64_t mode = s.Pick(3);  // the ragged dimension is free, summed up, or a batch
  const int64_t groups = s.Between(1, 3), b = s.Between(1, 2), rows = s.Between(1, 3), k = s.Between(1, 3),
                n = s.Between(1, 2);
  const int64_t ragged = mode == 0 ? rows : mode == 1 ? k : b;
  const TypeKind kind = s.Flip() ? TypeKind::kI32 : TypeKind::kF32;
  TestProgram p(version);
  Module& m = p.module();
  const Dims l{b, rows, k}, r = mode == 0 ? Dims{groups, b, k, n} : Dims{b, k, n};
  const Dims result = mode == 1 ? Dims{groups, b, rows, n} : Dims{b, rows, n};
  const TypeId of_l = p.Tensor(kind, l), of_r = p.Tensor(kind, r),
               of_sizes = p.Tensor(TypeKind::kI64, {groups}), type = p.Tensor(kind, result);
  const Dims batch{0}, contract_l{2}, contract_r{mode == 0 ? 2 : 1}, batch_r{mode == 0 ? 1 : 0},
      ragged_dim{mode == 0   ? 1
                 : mode == 1 ? 2
                             : 0},
      group_dim = mode == 0 ? Dims{0} : Dims{};
  p.Function("main", {of_l, of_r, of_sizes}, {type}, [&](std::vector<ValueId> a) {
    const AttrId numbers = m.Make(RaggedDotDimensionNumbersAttr{.lhs_batching_dimensions = batch,
                                                                .rhs_batching_dimensions = batch_r,
                                                                .lhs_contracting_dimensions = contract_l,
                                                                .rhs_contracting_dimensions = contract_r,
                                                                .lhs_ragged_dimensions = ragged_dim,
                                                                .rhs_group_dimensions = group_dim});
    return std::vector<ValueId>{
        p.Op("chlo.ragged_dot", a, {type}, {{"ragged_dot_dimension_numbers", numbers}})};
  });
  out->module = p.Done();
  // NaN and infinities show which operands are multiplied by zero; integers have no rounding errors.
  const bool floats = kind == TypeKind::kF32;
  if (floats) out->of_law = {1, 0};  // payloads of NaN are free
  const auto fill = [&](const Dims& shape) {
    std::vector<uint64_t> values(size_t(CountOf(shape)));
    for (uint64_t& bits : values) {
      const int64_t value = s.AnyBetween(-50, 50);
      bits = !floats ? uint64_t(value) & 0xFFFFFFFF
                     : EncodeFloat(kind, value > 44    ? NAN
                                         : value < -44 ? INFINITY
                                                       : double(value));
    }
    return TensorOfBits({kind}, shape, values);
  };
  std::vector<int64_t> sizes(static_cast<size_t>(groups));
  int64_t left = ragged;
  for (int64_t& size : sizes) left -= size = s.AnyBetween(0, left);
  out->args = {fill(l), fill(r), TensorOfInts(TypeKind::kI64, {groups}, sizes)};
  return true;
}

}  // namespace

bool SetTolerance(RowId op, Program* program) {
  std::string name(RowOf(op).name);
  constexpr std::string_view kBroadcast = "chlo.broadcast_";
  if (name.starts_with(kBroadcast)) name = "chlo." + name.substr(kBroadcast.size());
  const Module& m = program->module;
  const auto type = DeclaredTypeOf(m, m.TypeOf(m.OperandsOf(m.ops[FindOp(m, op).v])[0]));
  // The operands of complex functions are chosen with care.
  if (!type || type->element.complex || !IsFloat(type->element.kind)) return false;
  // Of other ops, only the payloads of NaN are free.
  if (const Bound* const bound = Find(kBounds, name))
    program->of_law.ulps = UlpsOf(*bound, type->element.kind);
  return true;
}

Generator CallGenerator() {
  return [](RowId, Version version, Source& s, Program* out) {
    const uint64_t depth = 1 + s.Pick(3), calls = 1 + s.Pick(2);
    const int64_t size = s.Between(1, 3);
    TestProgram p(version);
    Module& m = p.module();
    const TypeId type = p.Tensor(TypeKind::kI32, {size});
    std::string callee;
    for (uint64_t level = 0; level < depth; ++level) {
      const std::string name = "f" + std::to_string(level);
      p.Function(
          name, {type, type}, {type, type},
          [&](std::vector<ValueId> a) {
            ValueId x = a[0], y = a[1];
            if (!callee.empty())
              for (uint64_t i = 0; i < calls; ++i) {
                x = p.Op("func.call", {y, x}, {type, type}, {{"callee", m.Symbol(callee)}});
                y = ValueId(x.v + 1);
              }
            const ValueId z = p.Op("stablehlo.multiply", {x, y}, {type});
            return std::vector<ValueId>{p.Op(SubtractAt(version), {z, a[0]}, {type}), x};
          },
          "private");
      callee = name;
    }
    p.Function("main", {type, type}, {type, type}, [&](std::vector<ValueId> a) {
      const ValueId x = p.Op("func.call", a, {type, type}, {{"callee", m.Symbol(callee)}});
      return std::vector<ValueId>{ValueId(x.v + 1), x};
    });
    out->module = p.Done();
    for (int i = 0; i < 2; ++i) {
      std::vector<int64_t> values(static_cast<size_t>(size));
      for (int64_t& value : values) value = int32_t(s.Any());
      out->args.push_back(TensorOfInts(TypeKind::kI32, {size}, values));
    }
    return true;
  };
}

std::vector<Generator> ExpansionGenerators(RowId op) {
  const std::string_view name = RowOf(op).name;
  const auto form = [](CollectiveForm f) -> Generator {
    return [f](RowId row, Version v, Source& s, Program* p) { return CollectiveProgram(row, v, s, f, p); };
  };
  if (name == "stablehlo.gather" || name == "stablehlo.dynamic_gather")
    return {[](RowId row, Version v, Source& s, Program* p) { return GatherProgram(row, v, s, true, p); }};
  if (name == "stablehlo.scatter")
    return {[](RowId row, Version v, Source& s, Program* p) { return ScatterProgram(row, v, s, true, p); }};
  if (name == "stablehlo.composite")
    return {[](RowId, Version v, Source& s, Program* p) { return CompositeProgram(v, s, p); }};
  if (name == "stablehlo.reduce_scatter") return {form({1, true})};
  if (name == "stablehlo.collective_broadcast") return {form({1, true}), form({2, false})};
  if (name == "stablehlo.all_gather" || name == "stablehlo.all_reduce" || name == "stablehlo.all_to_all")
    return {form({2, false}), form({1, true}), form({2, true})};
  if (name == "chlo.constant" || name == "chlo.constant_like") return {ConstantProgram};
  if (name == "chlo.top_k") return {TopKProgram};
  if (name == "chlo.scan") return {ScanProgram};
  if (name == "chlo.ragged_dot") return {RaggedDotProgram};
  if (name.starts_with("chlo.broadcast_")) return {BroadcastingProgram};
  return {RecipeProgram};
}

}  // namespace shlo::laws
