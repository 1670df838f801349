// Programs of ops that have an expansion. The op's own kernel gives the right results, which is independent
// of the expansion: kernels of CHLO compute functions directly (lib/eval/numeric), expansions by ops of
// StableHLO.
#include <algorithm>
#include <cmath>

#include "ir/table/float_format.h"
#include "programs.h"
#include "versioning/expand/recipe.h"

namespace shlo::laws {
namespace {

struct Bound {
  std::string_view op;
  double low, high, f64, f32, narrow, floor;
  bool subnormals;
  double low2, high2;
};
constexpr Bound kBounds[] = {
#define SHLO_REAL_ERROR(op, low, high, f64, f32, f16, bf16, floor, subnormals, low2, high2) \
  {op, low, high, f64, f32, f16 > bf16 ? f16 : bf16, floor, subnormals, low2, high2},
#include "versioning/expand/error_bounds.inc"
};
struct ComplexBound {
  std::string_view op;
  double largest, f64, f32, floor;
  bool infinities, tiny;
};
constexpr ComplexBound kComplexBounds[] = {
#define SHLO_COMPLEX_ERROR(op, largest, f64, f32, floor, infinities, tiny) \
  {op, largest, f64, f32, floor, infinities, tiny},
#include "versioning/expand/error_bounds.inc"
};
template <size_t n, typename T>
const T* Find(const T (&rows)[n], std::string_view op) {
  for (const T& row : rows)
    if (row.op == op) return &row;
  return nullptr;
}

// Returns bits of a number within an interval, or of one of its ends.
uint64_t BitsWithin(Source& s, TypeKind kind, double low, double high, bool subnormals) {
  const FloatFormat& format = *FloatFormatOf(kind);
  const auto fits = [&](uint64_t bits) {
    const double x = DecodeFloat(kind, bits);
    const bool subnormal = x != 0 && std::fabs(x) < std::ldexp(1.0, 1 - format.bias);
    return x >= low && x <= high && (subnormals || !subnormal);
  };
  for (int i = 0; i < 8; ++i)
    if (const uint64_t bits = AnyBits(s, kind); fits(bits)) return bits;
  const double a = std::max(low, -1e3), b = std::min(high, 1e3);
  const uint64_t bits = EncodeFloat(kind, a + (b - a) * (double(s.Any() >> 11) * 0x1p-53));
  return fits(bits) ? bits : EncodeFloat(kind, std::isfinite(low) && low > 0 ? std::ceil(low) : 0);
}

// Sums ten terms of the Hurwitz zeta function and the first 12 of the Euler-Maclaurin formula, from Bernoulli
// numbers. `size` becomes the sum of what was added, without signs.
long double TruncatedZeta(long double x, long double q, long double* size) {
  constexpr long double kBernoulli[] = {
      1.0L / 6, -1.0L / 30,     1.0L / 42,      -1.0L / 30,       5.0L / 66,       -691.0L / 2730,
      7.0L / 6, -3617.0L / 510, 43867.0L / 798, -174611.0L / 330, 854513.0L / 138, -236364091.0L / 2730};
  long double sum = 0;
  *size = 0;
  const auto add = [&](long double term) {
    sum += term;
    *size += std::fabs(term);
  };
  for (int k = 0; k < 10; ++k) add(std::pow(q + (long double)(k), -x));
  const long double a = q + 10, last = std::pow(a, -x);
  add(last * a / (x - 1));
  add(last / 2);
  long double factor = x / 2 / a;  // x (x + 1) ... (x + 2k) / (2k + 2)! / a^(2k + 1)
  for (int k = 0; k < 12; ++k) {
    add(last * factor * kBernoulli[k]);
    factor *= (x + 2 * k + 1) * (x + 2 * k + 2) / ((long double)(2 * k + 3) * (2 * k + 4)) / (a * a);
  }
  return sum;
}

// Fills the operands of zeta or polygamma for what the usual ones do not reach: terms that are too small for
// positive arguments; poles, and where there is no value; and order 0. Returns false for the usual operands.
bool SpecialZeta(Source& s, std::string_view op, TypeKind kind, Dims* shape,
                 std::vector<std::vector<uint64_t>>* bits, Program* out) {
  const bool zeta = op == "chlo.zeta";
  if (s.every() || (!zeta && op != "chlo.polygamma")) return false;
  const uint64_t what = s.Any() % 4;
  if (what > 1) return false;
  bits->assign(2, {});
  if (what == 0) {
    if (kind != TypeKind::kF32 && kind != TypeKind::kF64) return false;
    // For a negative argument, the last terms are the large ones. The kernel adds further ones.
    const int64_t x = s.AnyBetween(2, 12);
    const double q = double(s.AnyBetween(-9, -1)) + 0.25 * double(s.AnyBetween(1, 3));
    long double size = 0, value = TruncatedZeta((long double)(x), q, &size);
    if (!zeta) {
      const long double factorial = std::tgamma((long double)(x));  // of the order x - 1
      value *= x % 2 == 0 ? factorial : -factorial;
      size *= factorial;
    }
    shape->clear();
    (*bits)[0] = {EncodeFloat(kind, double(zeta ? x : x - 1))};
    (*bits)[1] = {EncodeFloat(kind, q)};
    out->of_law = {512, double(size)};
    out->expected = {TensorOfBits({kind}, {}, {EncodeFloat(kind, double(value))})};
    out->of_formula = true;
    return true;
  }
  // Narrow types round the numbers below.
  if (zeta && FloatFormatOf(kind)->mantissa_bits < 7) return false;
  *shape = {s.AnyBetween(1, 6)};
  const Bound& bound = *Find(kBounds, zeta ? op : "chlo.digamma");
  out->of_law = {kind == TypeKind::kF64   ? bound.f64
                 : kind == TypeKind::kF32 ? bound.f32
                                          : bound.narrow,
                 bound.floor};
  // Its powers overflow, and the terms for the rest of the sum do so before they are multiplied by 0.
  const double huge = kind == TypeKind::kF64 ? 1e200 : kind == TypeKind::kF16 ? 6e4 : 1e30;
  for (int64_t i = 0; i < (*shape)[0]; ++i) {
    const double places[][2] = {{2.0 * double(s.AnyBetween(1, 8)), -double(s.AnyBetween(0, 8))},
                                {1.5 + double(s.AnyBetween(0, 8)), -0.5 - double(s.AnyBetween(0, 8))},
                                {0.5, 1.5},
                                {-double(s.AnyBetween(0, 8)), 2},
                                {1, 0.5 * double(s.AnyBetween(1, 8))},
                                {NAN, 2},
                                {2, NAN},
                                {huge, 0.5},
                                {huge, 1}};
    const auto& place = places[s.Any() % std::size(places)];
    const bool is_huge = FloatFormatOf(kind)->mantissa_bits >= 7 && s.Any() % 4 == 0;
    uint64_t x = EncodeFloat(kind, place[0]), q = EncodeFloat(kind, place[1]);
    if (!zeta) {
      x = EncodeFloat(kind, is_huge ? huge : 0);
      q = is_huge ? EncodeFloat(kind, 0.5) : BitsWithin(s, kind, bound.low, bound.high, bound.subnormals);
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
      if (part > 1 || std::fabs(DecodeFloat(element.kind, x)) > limits.largest)
        x = BitsWithin(s, element.kind, -limits.largest, limits.largest, true);
      const double value = DecodeFloat(element.kind, x);
      // Results on branch cuts are those of positive zeros.
      if ((value == 0 && std::signbit(value)) || (value != 0 && std::fabs(value) < least)) continue;
      (*bits)[0].push_back(x);
    }
    for (size_t i = 1; i < operands; ++i) (*bits)[i] = (*bits)[0];
    return true;
  }
  if (bound && IsFloat(element.kind))
    out->of_law = {element.kind == TypeKind::kF64                                      ? bound->f64
                   : element.kind == TypeKind::kF32 || element.kind == TypeKind::kTF32 ? bound->f32
                                                                                       : bound->narrow,
                   bound->floor};
  const double low = bound ? bound->low : -INFINITY, high = bound ? bound->high : INFINITY;
  const auto put = [&](size_t operand, uint64_t x) {
    if (bound && IsFloat(element.kind) && out->of_law.ulps != 0) {
      const double from = operand ? bound->low2 : low, to = operand ? bound->high2 : high;
      const double value = DecodeFloat(element.kind, x);
      const bool order = op == "chlo.polygamma" && operand == 0;
      if (!(value >= from && value <= to) || (order && value != std::round(value)))
        x = EncodeFloat(element.kind, order ? 1 + double(s.Any() % 6) : std::clamp(1.5, from, to));
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
      put(operand, anything ? AnyBits(s, element.kind)
                            : BitsWithin(s, element.kind, operand ? bound->low2 : low,
                                         operand ? bound->high2 : high, bound->subnormals));
  return true;
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
  const ElementType element = types[s.Pick(types.size())];
  Dims shape;
  std::vector<std::vector<uint64_t>> bits;
  if (!Fill(s, RowOf(op).name, element, revision.operands.size(), &shape, &bits, out)) return false;
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
  std::vector<ElementType> types;
  for (const ElementType& type : ElementTypesFor(version, revision.operands[select ? 1 : 0].type_class())) {
    const bool real = !type.complex, is_float = IsFloat(type.kind);
    const bool fits = base == "and" || base == "or" || base == "xor" ? !is_float
                      : base.starts_with("shift")                    ? !is_float && type.kind != TypeKind::kI1
                      : base == "atan2" || base == "next_after" || base == "polygamma" || base == "zeta"
                          ? is_float && real
                      : complex ? real && (type.kind == TypeKind::kF32 || type.kind == TypeKind::kF64)
                      : base == "subtract" || base == "divide" || base == "power" || base == "remainder"
                          ? type.kind != TypeKind::kI1
                          : true;
    if (fits) types.push_back(type);
  }
  if (types.empty()) return false;
  const ElementType element = types[s.Pick(types.size())];
  Dims whole(s.Pick(s.every() ? 3 : 4));
  for (int64_t& d : whole) d = s.every() ? 1 + int64_t(s.Pick(2)) : s.AnyBetween(0, 4);
  std::vector<Dims> shapes;
  for (size_t i = 0; i < revision.operands.size(); ++i) shapes.push_back(PartOf(s, whole, i == 0));
  if (s.Flip()) std::swap(shapes[0], shapes.back());
  std::string_view bound_of = base == "polygamma"    ? "chlo.polygamma"
                              : base == "zeta"       ? "chlo.zeta"
                              : base == "next_after" ? "chlo.next_after"
                                                     : "";
  std::vector<std::vector<uint64_t>> special;
  if (Dims same; SpecialZeta(s, bound_of, element.kind, &same, &special, out))
    shapes = {same, same};
  else
    special.clear();
  if (select) {  // scalars or the whole shape
    shapes = {s.Flip() ? Dims() : whole, s.Flip() ? Dims() : whole, s.Flip() ? Dims() : whole};
  }
  Dims shape;
  size_t rank = 0;
  for (const Dims& part : shapes) rank = std::max(rank, part.size());
  shape.assign(rank, 1);
  for (const Dims& part : shapes)
    for (size_t d = 0; d < part.size(); ++d)
      if (int64_t& size = shape[rank - part.size() + d]; part[d] != 1) size = part[d];
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
        x = base == "polygamma" && i == 0
                ? EncodeFloat(of.kind, 1 + double(s.Any() % 6))
                : BitsWithin(s, of.kind, i ? bound->low2 : bound->low, i ? bound->high2 : bound->high, true);
        out->of_law = {of.kind == TypeKind::kF64 ? bound->f64 : bound->f32, bound->floor};
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
    if (!select && shapes[0].size() != shapes[1].size() && s.Flip()) {
      const size_t less = std::min(shapes[0].size(), shapes[1].size());
      Dims dims;
      for (size_t d = 0; d < less; ++d) dims.push_back(int64_t(rank - less + d));
      attrs.push_back({"broadcast_dimensions", m.I64s(dims)});
    }
    return std::vector<ValueId>{p.Op(name, a, {result}, attrs)};
  });
  out->module = p.Done();
  return true;
}

bool ConstantProgram(RowId op, Version version, Source& s, Program* out) {
  const std::vector<ElementType> types =
      ElementTypesFor(version, RevisionOf(RevisionAt(op, version)).results[0].type_class());
  const bool like = RowOf(op).name == "chlo.constant_like";
  ElementType element = types[s.Pick(types.size())];
  if (like && element.complex) return false;
  Dims shape(s.Pick(3));
  for (int64_t& d : shape) d = s.every() ? 1 + int64_t(s.Pick(2)) : s.AnyBetween(0, 4);
  std::vector<uint64_t> bits;
  for (int64_t i = 0; i < (like ? 1 : CountOf(shape)) * (element.complex ? 2 : 1); ++i)
    bits.push_back(AnyBits(s, element.kind));
  TestProgram p(version);
  Module& m = p.module();
  const TypeId type = TypeOf(p, element, shape);
  p.Function("main", {type}, {type}, [&](std::vector<ValueId> a) {
    const Tensor value = TensorOfBits(element, like ? Dims() : shape, bits);
    const std::string bytes = value.ToBytes();
    AttrId attr;
    if (!like) {
      attr = m.Elements(type, m.payloads.AddCopy(bytes), false);
    } else if (IsFloat(element.kind)) {
      attr = m.Float(m.Type(element.kind), bits[0]);
    } else {
      const int unused = 64 - BitWidth(element.kind);
      attr = m.Integer(m.Type(element.kind), IsUnsignedInteger(element.kind) || element.kind == TypeKind::kI1
                                                 ? int64_t(bits[0])
                                                 : int64_t(bits[0] << unused) >> unused);
    }
    return std::vector<ValueId>{
        p.Op(RowOf(op).name, like ? a : std::vector<ValueId>(), {type}, {{"value", attr}})};
  });
  out->module = p.Done();
  std::vector<uint64_t> any;
  for (int64_t i = 0; i < CountOf(shape) * (element.complex ? 2 : 1); ++i)
    any.push_back(AnyBits(s, element.kind));
  out->args = {TensorOfBits(element, shape, any)};
  return true;
}

bool TopKProgram(RowId, Version version, Source& s, Program* out) {
  std::vector<ElementType> types;
  for (const TypeKind kind : {TypeKind::kI8, TypeKind::kI32, TypeKind::kUI8, TypeKind::kF32, TypeKind::kBF16})
    types.push_back({kind});
  const ElementType element = types[s.Pick(types.size())];
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
    Op& op = m.ops[m.values[first.v].op.v];
    const auto sizes = [&] {
      const int32_t one[] = {1, 1};
      return m.Make(DenseArrayAttr{
          .element = m.Type(TypeKind::kI32),
          .payload = m.payloads.AddCopy(std::string_view(reinterpret_cast<const char*>(one), sizeof one))});
    };
    op.discardable.first = uint32_t(m.discardable_attrs.size());
    op.discardable.count = 2;
    m.discardable_attrs.push_back({m.strings.Intern("operandSegmentSizes"), sizes()});
    m.discardable_attrs.push_back({m.strings.Intern("resultSegmentSizes"), sizes()});
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
