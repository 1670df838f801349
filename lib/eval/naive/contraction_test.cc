// Contractions, linear algebra, transforms, normalization: sums as the specification writes them, each step
// rounded.
#include <algorithm>
#include <initializer_list>
#include <utility>

#include "base/test_sanitizers.h"
#include "eval/loops/instruction_set.h"
#include "eval/naive/program.h"
#include "eval/naive/scalars.h"

namespace shlo::naive {
namespace {

// Small ones, because the sums are long.
Values Moderate(const Type& type, const Ints& shape, uint64_t seed = 1) {
  return Numbers(type, shape, seed, 512);
}

Scalar Combine(std::string_view op, const Type& type, Scalar a, Scalar b) {
  const Scalar both[] = {a, b};
  return *Apply(*MeaningOf(op), type, both);
}
// sum + a * b, rounding twice.
void AddProduct(const Type& type, Scalar* sum, Scalar a, Scalar b) {
  *sum = Combine("stablehlo.add", type, *sum, Combine("stablehlo.multiply", type, a, b));
}
// The type has sums and products.
bool HasSums(const Type& type) { return type.name != "index"; }

bool Has(const Ints& list, int64_t d) { return std::find(list.begin(), list.end(), d) != list.end(); }

struct DotCase {
  Ints lhs, rhs;
  Ints lhs_batch, rhs_batch, lhs_contract, rhs_contract;
};
const DotCase kDots[] = {
    {{3, 4}, {4, 5}, {}, {}, {1}, {0}},
    {{4, 3}, {5, 4}, {}, {}, {0}, {1}},
    {{2, 3, 4}, {2, 4, 5}, {0}, {0}, {2}, {1}},
    {{3, 2, 4}, {5, 4, 2}, {1}, {2}, {2}, {1}},
    {{2, 3, 4}, {4, 2, 3}, {}, {}, {0, 2}, {1, 0}},
    {{3}, {3}, {}, {}, {0}, {0}},
    {{2, 3}, {4}, {}, {}, {}, {}},
    {{0, 3}, {3, 2}, {}, {}, {1}, {0}},
    {{2, 0}, {0, 3}, {}, {}, {1}, {0}},
    {{17, 9}, {9, 33}, {}, {}, {1}, {0}},  // wider than a tile
};

// Specification, "dot_general": batch dimensions, then those of lhs, then those of rhs; sums in row-major
// order of the contracting dimensions, in the type of the result.
Values Dot(const DotCase& c, const Values& lhs, const Values& rhs, const Type& type) {
  Ints lhs_free, rhs_free, shape, contracted;
  for (int64_t d = 0; d < int64_t(c.lhs.size()); ++d)
    if (!Has(c.lhs_batch, d) && !Has(c.lhs_contract, d)) lhs_free.push_back(d);
  for (int64_t d = 0; d < int64_t(c.rhs.size()); ++d)
    if (!Has(c.rhs_batch, d) && !Has(c.rhs_contract, d)) rhs_free.push_back(d);
  for (int64_t d : c.lhs_batch) shape.push_back(c.lhs[size_t(d)]);
  for (int64_t d : lhs_free) shape.push_back(c.lhs[size_t(d)]);
  for (int64_t d : rhs_free) shape.push_back(c.rhs[size_t(d)]);
  for (int64_t d : c.lhs_contract) contracted.push_back(c.lhs[size_t(d)]);
  Values out(type, shape);
  const auto convert = [&](const Values& from, const Ints& at) {
    if (from.type == type || !type.format) return from[at];
    const uint64_t code = from[at].re;
    return Scalar{Encode(
        *type.format, from.type.format ? Decode(*from.type.format, code) : Wide(Integer(from.type, code)))};
  };
  for (const Ints& to : Indices(shape))
    for (const Ints& k : Indices(contracted)) {
      Ints l(c.lhs.size()), r(c.rhs.size());
      size_t d = 0;
      for (size_t b = 0; b < c.lhs_batch.size(); ++b, ++d)
        l[size_t(c.lhs_batch[b])] = r[size_t(c.rhs_batch[b])] = to[d];
      for (int64_t f : lhs_free) l[size_t(f)] = to[d++];
      for (int64_t f : rhs_free) r[size_t(f)] = to[d++];
      for (size_t i = 0; i < k.size(); ++i)
        l[size_t(c.lhs_contract[i])] = r[size_t(c.rhs_contract[i])] = k[i];
      AddProduct(type, &out[to], convert(lhs, l), convert(rhs, r));
    }
  return out;
}
std::string Numbers(const DotCase& c) {
  return "dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = " + List(c.lhs_batch) +
         ", rhs_batching_dimensions = " + List(c.rhs_batch) +
         ", lhs_contracting_dimensions = " + List(c.lhs_contract) +
         ", rhs_contracting_dimensions = " + List(c.rhs_contract) + ">";
}

// Expects the results with each instruction set.
void ExpectEverywhere(const OneOp& one, const std::vector<Values>& results) {
  for (const InstructionSet set : {InstructionSet::kPlain, InstructionSet::kAvx2, InstructionSet::kAvx512}) {
    const LimitInstructionSet limit(set);
    Expect(one, results);
  }
}

TEST(NaiveContraction, DotGeneral) {
  int tried = 0;
  for (const DotCase& c : kDots)
    for (const Type& type : AllTypes()) {
      if (!HasSums(type)) continue;
      const Values lhs = Moderate(type, c.lhs), rhs = Moderate(type, c.rhs, 5);
      const Values out = Dot(c, lhs, rhs, type);
      const OneOp one{.name = "stablehlo.dot_general",
                      .operands = {lhs, rhs},
                      .results = {TypeText(out)},
                      .attributes = Numbers(c) +
                                    ", precision_config = [#stablehlo<precision HIGH>, #stablehlo<precision "
                                    "HIGHEST>]"};
      if (!Verifies(one)) continue;
      ++tried;
      ExpectEverywhere(one, {out});
      if (HasFatalFailure()) return;
    }
  EXPECT_GT(tried, 200);
}

// Operands are converted to the type of the result first.
TEST(NaiveContraction, DotGeneralInAWiderType) {
  for (const auto& [from, to] : {std::pair("bf16", "f32"), std::pair("f8E4M3FN", "f32"),
                                 std::pair("f16", "f64"), std::pair("i8", "f32"), std::pair("f32", "bf16")}) {
    const Type narrow = *TypeOf(from), wide = *TypeOf(to);
    const Values lhs = Moderate(narrow, kDots[2].lhs), rhs = Moderate(narrow, kDots[2].rhs, 3);
    const Values out = Dot(kDots[2], lhs, rhs, wide);
    for (const std::string algorithm :
         {"",
          ", algorithm = #stablehlo.dot_algorithm<lhs_precision_type = tf32, rhs_precision_type = tf32, "
          "accumulation_type = f32, lhs_component_count = 1, rhs_component_count = 1, "
          "num_primitive_operations = 1, "
          "allow_imprecise_accumulation = false>"})
      Expect({.name = "stablehlo.dot_general",
              .operands = {lhs, rhs},
              .results = {TypeText(out)},
              .attributes = Numbers(kDots[2]) + algorithm},
             {out});
  }
}

// With EvalOptions::fast, the order of a sum is free: results are near the exact sum, and integers are the
// same.
TEST(NaiveContraction, FastProductsAreNear) {
  for (std::string_view name : {"f32", "f64", "i32", "i64"}) {
    const Type type = *TypeOf(name);
    const DotCase c{{19, 130}, {130, 70}, {}, {}, {1}, {0}};
    const Values lhs = Moderate(type, c.lhs), rhs = Moderate(type, c.rhs, 5);
    const OneOp one{.name = "stablehlo.dot_general",
                    .operands = {lhs, rhs},
                    .results = {TypeText(name, {19, 70})},
                    .attributes = Numbers(c)};
    EvalOptions options;
    options.fast = true;
    const auto result = RunText(one.Text(), {ToTensor(lhs), ToTensor(rhs)}, options);
    ASSERT_TRUE(result) << Message(result.error());
    const Values actual = FromTensor(result->results[0]);
    if (!type.format) {
      EXPECT_EQ(FirstDifference(actual, Dot(c, lhs, rhs, type)), "");
      continue;
    }
    for (const Ints& at : Indices({19, 70})) {
      Wide sum = 0, size = 0;
      for (int64_t k = 0; k < 130; ++k) {
        const Wide product =
            Decode(*type.format, lhs[{at[0], k}].re) * Decode(*type.format, rhs[{k, at[1]}].re);
        sum += product, size += Abs(product);
      }
      const Wide error = Abs(Decode(*type.format, actual[at].re) - sum);
      EXPECT_TRUE(error <= Scale(size, -type.format->mantissa_bits) * 8) << name << List(at);
    }
  }
}

TEST(NaiveContraction, DotAndEinsum) {
  for (const Type& type : AllTypes()) {
    if (!HasSums(type)) continue;
    const struct {
      DotCase dot;
      std::string_view einsum;
    } cases[] = {{{{3, 4}, {4, 5}, {}, {}, {1}, {0}}, "ij,jk->ik"},
                 {{{4}, {4, 5}, {}, {}, {0}, {0}}, "j,jk->k"},
                 {{{3, 4}, {4}, {}, {}, {1}, {0}}, "ij,j->i"},
                 {{{4}, {4}, {}, {}, {0}, {0}}, "i,i->"}};
    for (const auto& c : cases) {
      const Values lhs = Moderate(type, c.dot.lhs), rhs = Moderate(type, c.dot.rhs, 5);
      const Values out = Dot(c.dot, lhs, rhs, type);
      const OneOp dot{.name = "stablehlo.dot", .operands = {lhs, rhs}, .results = {TypeText(out)}};
      if (!Verifies(dot)) continue;
      Expect(dot, {out});
      Expect({.name = "stablehlo.einsum",
              .operands = {lhs, rhs},
              .results = {TypeText(out)},
              .attributes = "einsum_config = \"" + std::string(c.einsum) + "\""},
             {out});
      if (HasFatalFailure()) return;
    }
    // Transposed and batched, with dimensions that have no letter, and a size of 1 that stretches.
    const Values a = Moderate(type, {2, 3, 4}), b = Moderate(type, {2, 4, 5}, 5),
                 one = Moderate(type, {1, 4, 5}, 6);
    Values out(type, {5, 2, 3}), batched(type, {2, 3, 5}), stretched(type, {2, 3, 5}), row(type, {2, 4}),
        trace(type, {});
    for (const Ints& i : Indices({2, 3, 5}))
      for (int64_t k = 0; k < 4; ++k) {
        AddProduct(type, &out[{i[2], i[0], i[1]}], a[{i[0], i[1], k}], b[{i[0], k, i[2]}]);
        AddProduct(type, &batched[i], a[{i[0], i[1], k}], b[{i[0], k, i[2]}]);
        AddProduct(type, &stretched[i], a[{i[0], i[1], k}], one[{0, k, i[2]}]);
      }
    const auto einsum = [&](const Values& rhs, std::string_view config, const Values& expected) {
      Expect({.name = "stablehlo.einsum",
              .operands = {a, rhs},
              .results = {TypeText(expected)},
              .attributes = "einsum_config = \"" + std::string(config) + "\""},
             {expected});
    };
    einsum(b, "bij, bjk -> kbi", out);
    einsum(b, "...ij,...jk->...ik", batched);
    einsum(one, "...ij,...jk->...ik", stretched);
    for (const Ints& i : Indices({2, 3, 4}))
      row[{i[0], i[2]}] = Combine("stablehlo.add", type, row[{i[0], i[2]}], a[i]);
    Expect({.name = "stablehlo.unary_einsum",
            .operands = {a},
            .results = {TypeText(row)},
            .attributes = "einsum_config = \"aib->ab\""},
           {row});
    const Values square = Moderate(type, {3, 3});
    for (int64_t i = 0; i < 3; ++i) trace.at[0] = Combine("stablehlo.add", type, trace.at[0], square[{i, i}]);
    Expect({.name = "stablehlo.unary_einsum",
            .operands = {square},
            .results = {TypeText(trace)},
            .attributes = "einsum_config = \"ii->\""},
           {trace});
    if (HasFatalFailure()) return;
  }
}

// --- Ragged dot -----------------------------------------------------------------------------------------

std::string RaggedNumbers(const DotCase& c, int64_t ragged, const Ints& group) {
  return "ragged_dot_dimension_numbers = #chlo.ragged_dot<lhs_batching_dimensions = " + List(c.lhs_batch) +
         ", rhs_batching_dimensions = " + List(c.rhs_batch) +
         ", lhs_contracting_dimensions = " + List(c.lhs_contract) +
         ", rhs_contracting_dimensions = " + List(c.rhs_contract) +
         ", lhs_ragged_dimensions = " + List({ragged}) + ", rhs_group_dimensions = " + List(group) + ">";
}

TEST(NaiveContraction, RaggedDot) {
  for (std::string_view name : {"f32", "bf16", "i32", "f64"}) {
    const Type type = *TypeOf(name);
    for (const Ints& lengths : {Ints{3, 1, 3}, Ints{0, 5, 2}, Ints{2, 0, 1}}) {
      Values sizes(*TypeOf("i64"), {3});
      for (size_t i = 0; i < 3; ++i) sizes.at[i].re = uint64_t(lengths[i]);
      const auto group_of = [&](int64_t i) {  // 3: none
        int64_t g = 0;
        for (; g < 3 && i >= lengths[size_t(g)]; ++g) i -= lengths[size_t(g)];
        return g;
      };
      // Rows of lhs in groups, each with its own matrix; rows without a group are zero.
      const Values lhs = Moderate(type, {7, 4}), rhs = Moderate(type, {3, 4, 5}, 4);
      Values rows(type, {7, 5});
      for (const Ints& i : Indices({7, 5, 4}))
        if (const int64_t g = group_of(i[0]); g < 3)
          AddProduct(type, &rows[{i[0], i[1]}], lhs[{i[0], i[2]}], rhs[{g, i[2], i[1]}]);
      Expect({.name = "chlo.ragged_dot",
              .operands = {lhs, rhs, sizes},
              .results = {TypeText(rows)},
              .attributes = RaggedNumbers({{}, {}, {}, {}, {1}, {1}}, 0, {0})},
             {rows});
      // Groups of the contracted dimension, each with its own result.
      const Values left = Moderate(type, {4, 7}), right = Moderate(type, {7, 5}, 4);
      Values parts(type, {3, 4, 5});
      for (const Ints& i : Indices({4, 5, 7}))
        if (const int64_t g = group_of(i[2]); g < 3)
          AddProduct(type, &parts[{g, i[0], i[1]}], left[{i[0], i[2]}], right[{i[2], i[1]}]);
      Expect({.name = "chlo.ragged_dot",
              .operands = {left, right, sizes},
              .results = {TypeText(parts)},
              .attributes = RaggedNumbers({{}, {}, {}, {}, {1}, {0}}, 1, {})},
             {parts});
      // Groups of batches change nothing.
      const DotCase batch{{7, 2, 4}, {7, 4, 3}, {0}, {0}, {2}, {1}};
      const Values a = Moderate(type, batch.lhs), b = Moderate(type, batch.rhs, 4);
      const Values product = Dot(batch, a, b, type);
      Expect({.name = "chlo.ragged_dot",
              .operands = {a, b, sizes},
              .results = {TypeText(product)},
              .attributes = RaggedNumbers(batch, 0, {})},
             {product});
      if (HasFatalFailure()) return;
    }
  }
}

// --- Convolution ------------------------------------------------------------------------------------------

struct ConvCase {
  int64_t batch, features, outputs;
  Ints spatial, window, strides, lhs_dilation, rhs_dilation;
  std::vector<Ints> padding;
  std::vector<bool> reversal;
  int64_t feature_groups, batch_groups;
};
const ConvCase kConvolutions[] = {
    {2, 3, 4, {5, 6}, {2, 3}, {1, 1}, {1, 1}, {1, 1}, {{0, 0}, {0, 0}}, {false, false}, 1, 1},
    {1, 2, 2, {5, 6}, {3, 2}, {2, 3}, {1, 1}, {1, 1}, {{1, 2}, {0, 1}}, {false, true}, 1, 1},
    {1, 2, 3, {4, 3}, {2, 2}, {1, 2}, {2, 3}, {1, 1}, {{1, 0}, {2, 1}}, {true, true}, 1, 1},
    {2, 2, 2, {7, 6}, {2, 3}, {1, 1}, {1, 1}, {3, 2}, {{0, 1}, {-1, 2}}, {false, false}, 1, 1},
    {2, 6, 4, {5}, {3}, {1}, {1}, {1}, {{1, 1}}, {false}, 2, 1},
    {4, 3, 6, {5}, {2}, {2}, {1}, {2}, {{1, 0}}, {true}, 1, 2},
    {2, 3, 4, {}, {}, {}, {}, {}, {}, {}, 1, 1},
    {1,
     1,
     2,
     {3, 4, 3},
     {2, 2, 2},
     {1, 1, 2},
     {1, 2, 1},
     {1, 1, 1},
     {{1, 0}, {0, 0}, {0, 1}},
     {false, false, true},
     1,
     1},
    {1, 2, 1, {3}, {5}, {1}, {1}, {1}, {{0, 0}}, {false}, 1, 1},
    // Depthwise.
    {2, 21, 21, {4, 19}, {3, 3}, {1, 1}, {1, 1}, {1, 1}, {{1, 1}, {1, 1}}, {false, false}, 21, 1},
    {1, 5, 5, {5, 38}, {2, 3}, {2, 2}, {1, 1}, {1, 2}, {{0, 1}, {3, 0}}, {true, true}, 5, 1},
    {1, 3, 3, {4, 6}, {2, 2}, {1, 1}, {2, 3}, {1, 1}, {{1, 0}, {-1, 2}}, {false, true}, 3, 1},
    {2, 4, 4, {23}, {4}, {1}, {1}, {3}, {{2, 30}}, {false}, 4, 1},
    {1,
     2,
     2,
     {3, 2, 9},
     {2, 1, 3},
     {1, 1, 3},
     {1, 1, 1},
     {1, 1, 1},
     {{1, 0}, {0, 0}, {1, 1}},
     {false, true, false},
     2,
     1},
    {1, 3, 6, {7}, {3}, {1}, {1}, {1}, {{1, 1}}, {false}, 3, 1},
};

// Lists the features first, last, or in between, so that each of the dimension numbers matters.
struct Layout {
  std::string_view text;  // of rank 2 + spatial: "b", "f", "o", "i", and "s" for the spatial dimensions
};
Ints Arrange(const std::string& order, std::initializer_list<std::pair<char, int64_t>> named,
             const Ints& spatial) {
  Ints out;
  out.reserve(order.size());
  size_t s = 0;
  for (char c : order) {
    const auto at =
        std::find_if(named.begin(), named.end(), [&](const auto& size) { return size.first == c; });
    out.push_back(at != named.end() ? at->second : spatial[s++]);
  }
  return out;
}
std::string Order(const std::string& order) {
  std::string text = "[";
  int s = 0;
  for (size_t i = 0; i < order.size(); ++i) {
    if (i) text += ", ";
    if (order[i] == 's')
      text += std::to_string(s++);
    else
      text += order[i];
  }
  return text + "]";
}

TEST(NaiveContraction, Convolution) {
  int tried = 0;
  SomeCases cases(4);
  for (const ConvCase& c : kConvolutions)
    for (const Type& type : AllTypes()) {
      if (!HasSums(type) || !cases.Next()) continue;
      const size_t n = c.spatial.size();
      const std::string s(n, 's');
      const bool odd = type.width % 3 == 2;  // both kinds of layouts occur with each class of types
      const std::string in_order = odd ? "f" + s + "b" : "b" + s + "f";
      const std::string kernel_order = odd ? "o" + s + "i" : s + "io";
      const std::string out_order = odd ? "bf" + s : "b" + s + "f";
      Ints positions;
      for (size_t d = 0; d < n; ++d) {
        const int64_t padded = c.padding[d][0] + (c.spatial[d] - 1) * c.lhs_dilation[d] + 1 + c.padding[d][1];
        int64_t count = 0;
        for (int64_t at = 0; at + (c.window[d] - 1) * c.rhs_dilation[d] < padded; at += c.strides[d]) ++count;
        positions.push_back(count);
      }
      const int64_t depth = c.features / c.feature_groups;
      const Values lhs = Moderate(type, Arrange(in_order, {{'b', c.batch}, {'f', c.features}}, c.spatial));
      const Values rhs = Moderate(type, Arrange(kernel_order, {{'i', depth}, {'o', c.outputs}}, c.window), 3);
      const int64_t out_batch = c.batch / c.batch_groups;
      Values out(type, Arrange(out_order, {{'b', out_batch}, {'f', c.outputs}}, positions));
      for (int64_t b = 0; b < out_batch; ++b)
        for (int64_t o = 0; o < c.outputs; ++o)
          for (const Ints& p : Indices(positions)) {
            Scalar& sum = out[Arrange(out_order, {{'b', b}, {'f', o}}, p)];
            for (const Ints& w : Indices(c.window))
              for (int64_t f = 0; f < depth; ++f) {
                Ints at, tap = w;
                bool inside = true;
                for (size_t d = 0; d < n; ++d) {
                  // A reversed window is the kernel backwards.
                  if (c.reversal[d]) tap[d] = c.window[d] - 1 - w[d];
                  const int64_t q = p[d] * c.strides[d] + tap[d] * c.rhs_dilation[d] - c.padding[d][0];
                  inside =
                      inside && q >= 0 && q % c.lhs_dilation[d] == 0 && q / c.lhs_dilation[d] < c.spatial[d];
                  at.push_back(q / c.lhs_dilation[d]);
                }
                const int64_t feature = o / (c.outputs / c.feature_groups) * depth + f;
                const int64_t batch = o / (c.outputs / c.batch_groups) * out_batch + b;
                Scalar left;  // zero in the padding, which takes part
                if (inside) left = lhs[Arrange(in_order, {{'b', batch}, {'f', feature}}, at)];
                AddProduct(type, &sum, left, rhs[Arrange(kernel_order, {{'i', f}, {'o', o}}, w)]);
              }
          }
      std::string reversal;
      for (bool r : c.reversal)
        reversal += (reversal.empty() ? "" : ", ") + std::string(r ? "true" : "false");
      const std::string attributes =
          "window_strides = " + I64s(c.strides) + ", lhs_dilation = " + I64s(c.lhs_dilation) +
          ", rhs_dilation = " + I64s(c.rhs_dilation) +
          ", window_reversal = " + (n ? "array<i1: " + reversal + ">" : "array<i1>") +
          ", dimension_numbers = #stablehlo.conv<" + Order(in_order) + "x" + Order(kernel_order) + "->" +
          Order(out_order) + ">, feature_group_count = " + std::to_string(c.feature_groups) +
          " : i64, batch_group_count = " + std::to_string(c.batch_groups) + " : i64";
      const OneOp one{.name = "stablehlo.convolution",
                      .operands = {lhs, rhs},
                      .results = {TypeText(out)},
                      .attributes = attributes + ", padding = " + Pairs(c.padding)};
      if (!Verifies(one)) continue;
      ++tried;
      ExpectEverywhere(one, {out});
      if (HasFatalFailure()) return;
      if (n == 0) continue;
      Values padding(*TypeOf("i64"), {int64_t(n), 2});
      for (size_t d = 0; d < n; ++d)
        for (int64_t side : {0, 1}) padding[{int64_t(d), side}].re = uint64_t(c.padding[d][size_t(side)]);
      Expect({.name = "stablehlo.dynamic_conv",
              .operands = {lhs, rhs, padding},
              .results = {TypeText(type.name, Ints(out.shape.size(), -1))},
              .attributes = attributes},
             {out});
      if (HasFatalFailure()) return;
    }
  EXPECT_GT(tried, kSanitized ? 40 : 150);
}

}  // namespace
}  // namespace shlo::naive
