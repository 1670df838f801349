// Programs of the ops that have several revisions, but for those that move elements by index or between
// processes.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "ir/module/builder.h"
#include "ir/table/float_format.h"
#include "ir/verify/type_class.h"
#include "programs.h"

namespace shlo::laws {

TypeKind AnyElement(Source& s) {
  constexpr TypeKind kKinds[] = {TypeKind::kI8,  TypeKind::kI16,  TypeKind::kI32, TypeKind::kI64,
                                 TypeKind::kUI8, TypeKind::kUI32, TypeKind::kUI64};
  return kKinds[s.Any() % std::size(kKinds)];
}

uint64_t AnyBits(Source& s, TypeKind kind) {
  const unsigned width = unsigned(BitWidth(kind));
  const uint64_t mask = width >= 64 ? ~0ull : (1ull << width) - 1;
  const FloatFormat* const format = IsFloat(kind) ? FloatFormatOf(kind) : nullptr;
  if (!format) {
    const uint64_t sign = 1ull << (width - 1);
    const uint64_t kBoundary[] = {0, 1, 2, mask, mask - 1, sign, sign - 1, sign + 1, 7};
    return (s.Any() % 4 ? s.Any() : kBoundary[s.Any() % std::size(kBoundary)]) & mask;
  }
  switch (s.Any() % 8) {
    case 0: {  // special values, and their neighbors
      const double kSpecial[] = {0.0,       -0.0, 1,    -1,   0.5,   2,     INFINITY,
                                 -INFINITY, NAN,  1e-3, 88.7, -88.7, 709.8, 1e30};
      const uint64_t bits = EncodeFloat(kind, kSpecial[s.Any() % std::size(kSpecial)]);
      return (bits + s.Any() % 3 - 1) & mask;
    }
    case 1:  // subnormal numbers
      return (s.Any() & ((1ull << std::max(1, format->mantissa_bits)) - 1)) | (s.Any() & 1) << (width - 1);
    case 2:  // any bits: NaN payloads, huge numbers
      return s.Any() & mask;
    default: {  // numbers of moderate size
      const double magnitude = std::ldexp(double(s.Any() >> 11) * 0x1p-53, int(s.AnyBetween(-20, 8)));
      return EncodeFloat(kind, s.Any() & 1 ? -magnitude : magnitude) & mask;
    }
  }
}

Tensor TensorOfBits(ElementType element, const Dims& shape, const std::vector<uint64_t>& bits) {
  std::string bytes;
  for (uint64_t part : bits) bytes.append(reinterpret_cast<const char*>(&part), element.part_bytes());
  return Tensor::Copy(MakeTensorType(element, shape), bytes);
}

RegionId Body(TestProgram& p, const std::vector<TypeId>& args, const TestProgram::Fill& fill) {
  Builder& b = p.builder();
  const RegionId region = b.NewRegion();
  const BlockId block = b.NewBlock();
  std::vector<ValueId> values;
  for (TypeId type : args) values.push_back(b.AddBlockArg(block, type));
  b.BeginBlock(region, block);
  p.Op("stablehlo.return", fill(values));
  b.EndBlock();
  b.EndRegion(region);
  return region;
}

std::vector<ElementType> ElementTypesFor(Version version, TypeClass type_class) {
  std::vector<std::pair<ElementType, TypeId>> candidates;
  Module m;
  m.version = version;
  const int64_t shape[] = {2};
  for (const KindRow& row : TypeKinds()) {
    const TypeKind kind = TypeKind(row.id);
    if (row.since > version || row.until < version) continue;
    if ((!IsFloat(kind) && !IsInteger(kind) && kind != TypeKind::kI1) || kind == TypeKind::kIndex) continue;
    if (kind == TypeKind::kF80 || kind == TypeKind::kF128) continue;
    candidates.push_back({{kind}, m.TensorType(shape, m.Type(kind))});
    if (kind == TypeKind::kF32 || kind == TypeKind::kF64)
      candidates.push_back({{kind, true}, m.TensorType(shape, m.ComplexType(m.Type(kind)))});
  }
  const TypeClasses classes(m);
  std::vector<ElementType> types;
  for (const auto& [element, type] : candidates)
    if (classes.Fits(type, type_class)) types.push_back(element);
  return types;
}

namespace {

using Function = long double (*)(long double);
struct ReferenceRow {
  std::string_view op;
  Function function;
};
// The functions whose ops have an accuracy, in the precision of the C library.
constexpr ReferenceRow kReferences[] = {
    {"stablehlo.cbrt", [](long double x) { return std::cbrt(x); }},
    {"stablehlo.cosine", [](long double x) { return std::cos(x); }},
    {"stablehlo.exponential", [](long double x) { return std::exp(x); }},
    {"stablehlo.exponential_minus_one", [](long double x) { return std::expm1(x); }},
    {"stablehlo.log", [](long double x) { return std::log(x); }},
    {"stablehlo.log_plus_one", [](long double x) { return std::log1p(x); }},
    {"stablehlo.logistic", [](long double x) { return 1 / (1 + std::exp(-x)); }},
    {"stablehlo.rsqrt", [](long double x) { return 1 / std::sqrt(x); }},
    {"stablehlo.sine", [](long double x) { return std::sin(x); }},
    {"stablehlo.sqrt", [](long double x) { return std::sqrt(x); }},
    {"stablehlo.tan", [](long double x) { return std::tan(x); }},
    {"stablehlo.tanh", [](long double x) { return std::tanh(x); }},
};

Function ReferenceOf(RowId op) {
  for (const ReferenceRow& row : kReferences)
    if (row.op == RowOf(op).name) return row.function;
  return nullptr;
}

}  // namespace

namespace {

// Returns the nearest number of a type; NaN, also where an overflow is NaN, is the positive quiet one.
uint64_t Rounded(TypeKind kind, double value) {
  const uint64_t bits = EncodeFloat(kind, value);
  return std::isnan(DecodeFloat(kind, bits)) ? EncodeFloat(kind, NAN) : bits;
}

}  // namespace

TypeId TypeOf(TestProgram& p, ElementType element, const Dims& shape) {
  return element.complex ? p.ComplexTensor(element.kind, shape) : p.Tensor(element.kind, shape);
}

bool FunctionProgram(RowId op, Version version, Source& s, Program* out) {
  const OpRevision& revision = RevisionOf(RevisionAt(op, version));
  if (revision.operands.size() != 1 || revision.results.size() != 1 || revision.operands[0].variadic)
    return false;
  const std::vector<ElementType> types = ElementTypesFor(version, revision.operands[0].type_class());
  if (types.empty()) return false;
  const ElementType element = types[s.Pick(types.size())];
  const uint32_t parts = element.complex ? 2 : 1, width = uint32_t(BitWidth(element.kind));
  Dims shape;
  std::vector<uint64_t> bits;
  if (s.every() && width <= 16 && !element.complex) {
    shape = {int64_t(1) << width};
    for (uint64_t i = 0; i < 1ull << width; ++i) bits.push_back(i);
  } else {
    const uint64_t rank = s.every() ? 1 : s.Any() % 4;
    for (uint64_t d = 0; d < rank; ++d) shape.push_back(s.every() ? 64 : s.AnyBetween(0, 8));
    for (int64_t i = 0; i < CountOf(shape) * parts; ++i) bits.push_back(AnyBits(s, element.kind));
  }
  TestProgram p(version);
  const TypeId type = TypeOf(p, element, shape);
  p.Function("main", {type}, {type},
             [&](std::vector<ValueId> a) { return std::vector<ValueId>{p.Op(RowOf(op).name, a, {type})}; });
  out->module = p.Done();
  out->args = {TensorOfBits(element, shape, bits)};
  const Function function = ReferenceOf(op);
  if (!function || element.complex) return true;
  // Rounding twice, from the long double by way of double, may miss the nearest number of f64 and f32.
  out->of_reference = {1.0, 0};
  std::vector<uint64_t> right;
  for (uint64_t x : bits) {
    const double value = double(function(DecodeFloat(element.kind, x)));
    right.push_back(Rounded(element.kind, value));
  }
  out->expected = {TensorOfBits(element, shape, right)};
  return true;
}

// stablehlo.sub of versions 37 to 39, and stablehlo.subtract: modulo 2^n, or the IEEE difference.
bool SubtractProgram(RowId op, Version version, Source& s, Program* out) {
  const std::vector<ElementType> types =
      ElementTypesFor(version, RevisionOf(RevisionAt(op, version)).operands[0].type_class());
  const ElementType element = types[s.Pick(types.size())];
  const uint32_t width = uint32_t(BitWidth(element.kind));
  std::vector<uint64_t> a, b;
  Dims shape;
  if (s.every() && width <= 8 && !element.complex) {
    shape = {int64_t(1) << width, int64_t(1) << width};
    for (uint64_t i = 0; i < 1ull << (2 * width); ++i)
      a.push_back(i >> width), b.push_back(i & ((1u << width) - 1));
  } else {
    const uint64_t rank = s.every() ? 1 : s.Any() % 4;
    for (uint64_t d = 0; d < rank; ++d) shape.push_back(s.every() ? 64 : s.AnyBetween(0, 8));
    for (int64_t i = 0; i < CountOf(shape) * (element.complex ? 2 : 1); ++i)
      a.push_back(AnyBits(s, element.kind)), b.push_back(AnyBits(s, element.kind));
  }
  TestProgram p(version);
  const TypeId type = TypeOf(p, element, shape);
  p.Function("main", {type, type}, {type},
             [&](std::vector<ValueId> x) { return std::vector<ValueId>{p.Op(RowOf(op).name, x, {type})}; });
  out->module = p.Done();
  out->args = {TensorOfBits(element, shape, a), TensorOfBits(element, shape, b)};
  std::vector<uint64_t> right;
  const uint64_t mask = width >= 64 ? ~0ull : (1ull << width) - 1;
  for (size_t i = 0; i < a.size(); ++i) {
    if (!IsFloat(element.kind)) {
      right.push_back((a[i] - b[i]) & mask);
      continue;
    }
    // The exact difference of narrow numbers is a double; NaN is the quiet one.
    const double x = DecodeFloat(element.kind, a[i]), y = DecodeFloat(element.kind, b[i]);
    right.push_back(Rounded(element.kind, x - y));
  }
  // Differences of NaN and of infinities have no bits that the specification states.
  out->expected = {TensorOfBits(element, shape, right)};
  return true;
}

bool DynamicConvProgram(Version version, Source& s, Program* out) {
  const int64_t spatial = 1 + int64_t(s.Pick(2));
  const bool wide = !s.every();
  const int64_t groups = wide && s.Pick(3) == 0 ? 2 : 1,
                batch_groups = wide && groups == 1 && s.Pick(4) == 0 ? 2 : 1;
  const int64_t batch = batch_groups * (1 + int64_t(wide ? s.Pick(2) : 0)),
                features_in_group = 1 + int64_t(s.Pick(2)),
                outputs = groups * batch_groups * (1 + int64_t(wide ? s.Pick(2) : 0));
  const size_t rank = size_t(spatial) + 2;
  Dims extent, window, stride, base, dilation, padding;
  std::string reversal;
  for (int64_t d = 0; d < spatial; ++d) {
    extent.push_back(s.Between(wide ? 0 : 1, wide ? 5 : 3));
    window.push_back(s.Between(1, wide ? 3 : 2));
    stride.push_back(s.Between(1, wide ? 3 : 2));
    base.push_back(wide ? s.Between(1, 3) : 1);
    dilation.push_back(wide ? s.Between(1, 2) : 1);
    padding.push_back(s.Between(-1, wide ? 3 : 1));
    padding.push_back(wide ? s.Between(-1, 3) : padding.back());
    reversal.push_back(char(s.Pick(2)));
  }
  Dims out_extent;
  for (size_t d = 0; d < size_t(spatial); ++d) {
    const int64_t padded =
        padding[2 * d] + (extent[d] == 0 ? 0 : (extent[d] - 1) * base[d] + 1) + padding[2 * d + 1];
    const int64_t reach = (window[d] - 1) * dilation[d] + 1;
    out_extent.push_back(padded <= 0 || reach > padded ? 0 : (padded - reach) / stride[d] + 1);
  }
  // Where each dimension is.
  const auto places = [&] {
    Dims order;
    for (size_t d = 0; d < rank; ++d) order.push_back(int64_t(d));
    if (wide) s.Shuffle(&order);
    return order;
  };
  const Dims in = places(), kernel = places(), result = places();
  const auto arrange = [&](const Dims& at, int64_t first, int64_t second, const Dims& rest) {
    Dims shape(rank);
    shape[size_t(at[0])] = first, shape[size_t(at[1])] = second;
    for (size_t d = 0; d < size_t(spatial); ++d) shape[size_t(at[d + 2])] = rest[d];
    return shape;
  };
  const Dims lhs = arrange(in, batch, features_in_group * groups, extent),
             rhs = arrange(kernel, features_in_group, outputs, window),
             shape = arrange(result, batch / batch_groups, outputs, out_extent);
  const TypeKind kind = TypeKind::kI32;
  TestProgram p(version);
  Module& m = p.module();
  const TypeId of_lhs = p.Tensor(kind, lhs), of_rhs = p.Tensor(kind, rhs), of_result = p.Tensor(kind, shape),
               of_padding = p.Tensor(TypeKind::kI64, {spatial, 2});
  const auto rest = [](const Dims& at) { return Dims(at.begin() + 2, at.end()); };
  const bool written = s.Flip();
  p.Function("main", {of_lhs, of_rhs, of_padding}, {of_result}, [&](std::vector<ValueId> a) {
    std::vector<std::pair<std::string_view, AttrId>> attrs = {
        {"window_strides", m.I64s(stride)},
        {"lhs_dilation", m.I64s(base)},
        {"rhs_dilation", m.I64s(dilation)},
        {"window_reversal",
         m.Make(DenseArrayAttr{.element = m.Type(TypeKind::kI1), .payload = m.payloads.AddCopy(reversal)})},
        {"input_batch_dimension", m.I64(in[0])},
        {"input_feature_dimension", m.I64(in[1])},
        {"input_spatial_dimensions", m.I64s(rest(in))},
        {"kernel_input_feature_dimension", m.I64(kernel[0])},
        {"kernel_output_feature_dimension", m.I64(kernel[1])},
        {"kernel_spatial_dimensions", m.I64s(rest(kernel))},
        {"output_batch_dimension", m.I64(result[0])},
        {"output_feature_dimension", m.I64(result[1])},
        {"output_spatial_dimensions", m.I64s(rest(result))},
        {"feature_group_count", m.I64(groups)},
        {"batch_group_count", m.I64(batch_groups)}};
    // The first revision has an attribute of this name, too, and its text lets the operand decide.
    if (RevisionOf(RevisionAt(FindOp("stablehlo.dynamic_conv"), version)).FindSlot("padding") >= 0 &&
        written) {
      const int64_t pairs[] = {spatial, 2};
      attrs.push_back({"padding", m.I64Elements(pairs, Dims(size_t(2 * spatial)))});
    }
    return std::vector<ValueId>{p.Op("stablehlo.dynamic_conv", a, {of_result}, attrs)};
  });
  out->module = p.Done();
  std::vector<int64_t> x(size_t(CountOf(lhs))), k(size_t(CountOf(rhs)));
  for (int64_t& value : x) value = s.AnyBetween(-100, 100);
  for (int64_t& value : k) value = s.AnyBetween(-100, 100);
  out->args = {TensorOfInts(kind, lhs, x), TensorOfInts(kind, rhs, k),
               TensorOfInts(TypeKind::kI64, {spatial, 2}, padding)};
  std::vector<int64_t> right;
  ForEachIndex(shape, [&](const Dims& at) {
    const int64_t b = at[size_t(result[0])], o = at[size_t(result[1])];
    const int64_t group = o / (outputs / groups), batch_group = o / (outputs / batch_groups);
    int64_t sum = 0;
    ForEachIndex(window, [&](const Dims& w) {
      Dims position(static_cast<size_t>(spatial));
      for (size_t d = 0; d < size_t(spatial); ++d) {
        // In the base area: dilated, with padding before it.
        const int64_t place = at[size_t(result[d + 2])] * stride[d] + w[d] * dilation[d] - padding[2 * d];
        if (place < 0 || place % base[d] != 0 || place / base[d] >= extent[d]) return;
        position[d] = place / base[d];
      }
      Dims tap = w;
      for (size_t d = 0; d < tap.size(); ++d)
        if (reversal[d]) tap[d] = window[d] - 1 - w[d];
      for (int64_t f = 0; f < features_in_group; ++f) {
        const Dims from = arrange(in, batch_group * (batch / batch_groups) + b, group * features_in_group + f,
                                  position),
                   by = arrange(kernel, f, o, tap);
        sum += x[size_t(Offset(lhs, from))] * k[size_t(Offset(rhs, by))];
      }
    });
    right.push_back(sum);
  });
  out->expected = {TensorOfInts(kind, shape, right)};
  return true;
}

bool DotGeneralProgram(Version version, Source& s, Program* out) {
  const size_t batching = s.Pick(2), contracting = s.Pick(3), free_l = s.Pick(2), free_r = s.Pick(2);
  const int64_t most = s.every() ? 2 : 4;
  // Each dimension: its size and its role, to be shuffled.
  struct Dim {
    int64_t size;
    size_t role;  // 0.. batching, 10.. contracting, 20.. free
  };
  std::vector<Dim> l, r;
  for (size_t i = 0; i < batching; ++i) l.push_back({s.Between(1, most), i}), r.push_back(l.back());
  for (size_t i = 0; i < contracting; ++i)
    l.push_back({s.Between(s.every() ? 1 : 0, most), 10 + i}), r.push_back(l.back());
  for (size_t i = 0; i < free_l; ++i) l.push_back({s.Between(1, most), 20 + i});
  for (size_t i = 0; i < free_r; ++i) r.push_back({s.Between(1, most), 20 + i});
  s.Shuffle(&l), s.Shuffle(&r);
  const auto shape_of = [](const std::vector<Dim>& dims) {
    Dims shape;
    for (const Dim& d : dims) shape.push_back(d.size);
    return shape;
  };
  const auto place = [](const std::vector<Dim>& dims, size_t role) {
    for (size_t i = 0; i < dims.size(); ++i)
      if (dims[i].role == role) return int64_t(i);
    return int64_t(-1);
  };
  const auto places = [&](const std::vector<Dim>& dims, size_t first, size_t count) {
    Dims at;
    for (size_t i = 0; i < count; ++i) at.push_back(place(dims, first + i));
    return at;
  };
  const auto free_of = [](const std::vector<Dim>& dims) {
    Dims at;
    for (size_t i = 0; i < dims.size(); ++i)
      if (dims[i].role >= 20) at.push_back(int64_t(i));
    return at;
  };
  const Dims ls = shape_of(l), rs = shape_of(r), lb = places(l, 0, batching), rb = places(r, 0, batching),
             lc = places(l, 10, contracting), rc = places(r, 10, contracting), lf = free_of(l),
             rf = free_of(r);
  Dims shape, sum_shape;
  for (int64_t d : lb) shape.push_back(ls[size_t(d)]);
  for (int64_t d : lf) shape.push_back(ls[size_t(d)]);
  for (int64_t d : rf) shape.push_back(rs[size_t(d)]);
  for (int64_t d : lc) sum_shape.push_back(ls[size_t(d)]);
  const TypeKind kind = TypeKind::kI32;
  TestProgram p(version);
  Module& m = p.module();
  const TypeId of_l = p.Tensor(kind, ls), of_r = p.Tensor(kind, rs), of_result = p.Tensor(kind, shape);
  const uint64_t precision = s.Pick(4);
  p.Function("main", {of_l, of_r}, {of_result}, [&](std::vector<ValueId> a) {
    std::vector<std::pair<std::string_view, AttrId>> attrs = {{"lhs_batching_dimensions", m.I64s(lb)},
                                                              {"rhs_batching_dimensions", m.I64s(rb)},
                                                              {"lhs_contracting_dimensions", m.I64s(lc)},
                                                              {"rhs_contracting_dimensions", m.I64s(rc)}};
    if (precision) {
      const AttrId pair[] = {m.Enum(AttrKind::kPrecision, int64_t(precision - 1)),
                             m.Enum(AttrKind::kPrecision, 0)};
      attrs.push_back({"precision_config", m.Array(pair)});
    }
    return std::vector<ValueId>{p.Op("stablehlo.dot_general", a, {of_result}, attrs)};
  });
  out->module = p.Done();
  std::vector<int64_t> x(size_t(CountOf(ls))), y(size_t(CountOf(rs)));
  for (int64_t& value : x) value = int32_t(s.Any());
  for (int64_t& value : y) value = int32_t(s.Any());
  out->args = {TensorOfInts(kind, ls, x), TensorOfInts(kind, rs, y)};
  std::vector<int64_t> right;
  ForEachIndex(shape, [&](const Dims& at) {
    uint32_t sum = 0;
    ForEachIndex(sum_shape, [&](const Dims& c) {
      Dims i(ls.size()), j(rs.size());
      for (size_t k = 0; k < lb.size(); ++k) i[size_t(lb[k])] = at[k], j[size_t(rb[k])] = at[k];
      for (size_t k = 0; k < lf.size(); ++k) i[size_t(lf[k])] = at[lb.size() + k];
      for (size_t k = 0; k < rf.size(); ++k) j[size_t(rf[k])] = at[lb.size() + lf.size() + k];
      for (size_t k = 0; k < lc.size(); ++k) i[size_t(lc[k])] = c[k], j[size_t(rc[k])] = c[k];
      sum += uint32_t(x[size_t(Offset(ls, i))]) * uint32_t(y[size_t(Offset(rs, j))]);
    });
    right.push_back(int32_t(sum));
  });
  out->expected = {TensorOfInts(kind, shape, right)};
  return true;
}

namespace {

// The meaning of the custom call: it depends on the order of its operands and on the attributes.
std::vector<int64_t> Mixed(const std::vector<std::vector<int64_t>>& operands, int64_t config, int64_t api) {
  std::vector<int64_t> values = operands.empty() ? std::vector<int64_t>{0} : operands[0];
  for (size_t i = 1; i < operands.size(); ++i)
    for (size_t e = 0; e < values.size(); ++e)
      values[e] = int32_t(uint32_t(values[e]) * 3u + uint32_t(operands[i][e % operands[i].size()]));
  for (int64_t& value : values) value = int32_t(value + 17 * config + 1000 * api);
  return values;
}

}  // namespace

bool CustomCallProgram(Version version, Source& s, Program* out) {
  const size_t count = 1 + s.Pick(3);
  const int64_t size = s.Between(1, s.every() ? 2 : 5);
  const uint64_t config = s.Pick(4), api = s.Pick(3);
  const bool effect = s.Flip(), layouts = s.Flip(), twice = s.Flip();
  const TypeKind kind = TypeKind::kI32;
  TestProgram p(version);
  Module& m = p.module();
  const TypeId type = p.Tensor(kind, {size});
  const std::vector<TypeId> results(twice ? 2 : 1, type);
  p.Function("main", std::vector<TypeId>(count, type), results, [&](std::vector<ValueId> a) {
    std::vector<std::pair<std::string_view, AttrId>> attrs = {{"call_target_name", m.String("law.mix")}};
    if (config) attrs.push_back({"backend_config", m.String(std::string(config, 'c'))});
    if (api) attrs.push_back({"api_version", m.I32(int32_t(api))});
    if (effect) attrs.push_back({"has_side_effect", m.Bool(true)});
    if (layouts) {
      const int64_t one[] = {1};
      const TypeId index = m.TensorType(one, m.Type(TypeKind::kIndex));
      const AttrId layout = m.Elements(index, m.payloads.AddCopy(std::string(8, '\0')), true);
      attrs.push_back({"operand_layouts", m.Array(std::vector<AttrId>(count, layout))});
      attrs.push_back({"result_layouts", m.Array(std::vector<AttrId>(results.size(), layout))});
    }
    const ValueId first = p.Op("stablehlo.custom_call", a, results, attrs);
    std::vector<ValueId> values{first};
    if (twice) values.push_back(ValueId(first.v + 1));
    return values;
  });
  out->module = p.Done();
  out->options.custom_calls["law.mix"] = [](const Module& module, const Op& op,
                                            std::span<const Tensor> operands) -> Result<std::vector<Tensor>> {
    std::vector<std::vector<int64_t>> values;
    for (const Tensor& operand : operands) values.push_back(IntsOfTensor(operand));
    std::string_view text;
    int64_t number = 1;
    module.AsString(module.InherentAttrOf(op, "backend_config"), &text);
    module.AsInteger(module.InherentAttrOf(op, "api_version"), &number);
    std::vector<Tensor> made;
    const std::vector<int64_t> mixed = Mixed(values, int64_t(text.size()), number);
    made.push_back(TensorOfInts(TypeKind::kI32, {int64_t(mixed.size())}, mixed));
    if (module.NumResults(op) == 2) made.push_back(operands[0]);
    return made;
  };
  std::vector<std::vector<int64_t>> values(count);
  for (auto& list : values) {
    for (int64_t i = 0; i < size; ++i) list.push_back(int32_t(s.Any()));
    out->args.push_back(TensorOfInts(kind, {size}, list));
  }
  out->expected = {TensorOfInts(kind, {size}, Mixed(values, int64_t(config), api ? int64_t(api) : 1))};
  if (twice) out->expected.push_back(out->args[0]);
  return true;
}

// The decomposition computes (x * y - x, y), or the other way around.
bool CompositeProgram(Version version, Source& s, Program* out) {
  const int64_t size = s.Between(1, s.every() ? 3 : 6);
  const bool swapped = s.Flip(), attributes = s.Flip(), versioned = s.Flip();
  const TypeKind kind = TypeKind::kI32;
  TestProgram p(version);
  Module& m = p.module();
  const TypeId type = p.Tensor(kind, {size});
  const auto subtract = SubtractAt(version);
  p.Function(
      "law.impl", {type, type}, {type, type},
      [&](std::vector<ValueId> a) {
        const ValueId product = p.Op("stablehlo.multiply", {a[0], a[1]}, {type});
        std::vector<ValueId> values{p.Op(subtract, {product, a[0]}, {type}), a[1]};
        if (swapped) std::swap(values[0], values[1]);
        return values;
      },
      "private");
  p.Function("main", {type, type}, {type, type}, [&](std::vector<ValueId> a) {
    std::vector<std::pair<std::string_view, AttrId>> attrs = {{"name", m.String("law.composite")},
                                                              {"decomposition", m.Symbol("law.impl")}};
    if (attributes) attrs.push_back({"composite_attributes", m.Dict({{m.strings.Intern("k"), m.I64(3)}})});
    if (versioned) attrs.push_back({"version", m.I32(2)});
    const ValueId first = p.Op("stablehlo.composite", a, {type, type}, attrs);
    return std::vector<ValueId>{first, ValueId(first.v + 1)};
  });
  out->module = p.Done();
  std::vector<int64_t> x, y, right;
  for (int64_t i = 0; i < size; ++i) {
    x.push_back(int32_t(s.Any())), y.push_back(int32_t(s.Any()));
    right.push_back(int32_t(uint32_t(x.back()) * uint32_t(y.back()) - uint32_t(x.back())));
  }
  out->args = {TensorOfInts(kind, {size}, x), TensorOfInts(kind, {size}, y)};
  out->expected = {TensorOfInts(kind, {size}, right), out->args[1]};
  if (swapped) std::swap(out->expected[0], out->expected[1]);
  return true;
}

Generator StepGenerator(RowId op) {
  const std::string_view name = RowOf(op).name;
  if (name == "stablehlo.gather" || name == "stablehlo.dynamic_gather")
    return [](RowId row, Version v, Source& s, Program* p) { return GatherProgram(row, v, s, false, p); };
  if (name == "stablehlo.scatter")
    return [](RowId row, Version v, Source& s, Program* p) { return ScatterProgram(row, v, s, false, p); };
  if (name == "stablehlo.sub" || name == "stablehlo.subtract") return SubtractProgram;
  if (name == "stablehlo.dynamic_conv")
    return [](RowId, Version v, Source& s, Program* p) { return DynamicConvProgram(v, s, p); };
  if (name == "stablehlo.dot_general")
    return [](RowId, Version v, Source& s, Program* p) { return DotGeneralProgram(v, s, p); };
  if (name == "stablehlo.custom_call")
    return [](RowId, Version v, Source& s, Program* p) { return CustomCallProgram(v, s, p); };
  if (name == "stablehlo.composite")
    return [](RowId, Version v, Source& s, Program* p) { return CompositeProgram(v, s, p); };
  if (name == "stablehlo.send" || name == "stablehlo.recv")
    return [](RowId, Version v, Source& s, Program* p) { return SendProgram(v, s, p); };
  if (name.find("all_") != name.npos || name.find("collective") != name.npos)
    return [](RowId row, Version v, Source& s, Program* p) { return CollectiveProgram(row, v, s, {}, p); };
  return FunctionProgram;
}

}  // namespace shlo::laws
