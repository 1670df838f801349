// Ops that apply regions: reduce, reduce_window, select_and_scatter, scatter, map, sort, scan, top_k, and
// control flow, element by element as the specification says, in its order.
#include <algorithm>
#include <numeric>

#include "eval/naive/program.h"
#include "eval/naive/scalars.h"

namespace shlo::naive {
namespace {

Values Moderate(const Type& type, const Ints& shape, uint64_t seed = 1) {
  return Numbers(type, shape, seed, 128);
}

std::string ScalarText(const Type& type) { return TypeText(type.name, {}); }

// {^bb0(%x, %y): return op(%x, %y)}. `slow` adds an op that is not element-wise.
std::string Body(std::string_view op, const Type& type, bool slow = false) {
  const std::string t = ScalarText(type);
  const std::string operand = slow ? "%s" : "%x";
  return "{\n^bb0(%x: " + t + ", %y: " + t + "):\n  " +
         (slow ? "%s = \"stablehlo.reshape\"(%x) : (" + t + ") -> " + t + "\n  " : "") + "%z = \"" +
         std::string(op) + "\"(" + operand + ", %y) : (" + t + ", " + t + ") -> " + t +
         "\n  \"stablehlo.return\"(%z) : (" + t + ") -> ()\n}";
}
Scalar Combine(std::string_view op, const Type& type, Scalar a, Scalar b) {
  const Scalar both[] = {a, b};
  return *Apply(*MeaningOf(op), type, both);
}

const std::string_view kFolds[] = {"stablehlo.add",     "stablehlo.multiply", "stablehlo.maximum",
                                   "stablehlo.minimum", "stablehlo.and",      "stablehlo.or",
                                   "stablehlo.xor"};

TEST(NaiveBodies, Reduce) {
  int tried = 0;
  for (const Type& type : AllTypes())
    for (std::string_view op : kFolds)
      for (const Ints& dimensions :
           {Ints{}, Ints{0}, Ints{1}, Ints{2}, Ints{0, 1}, Ints{1, 2}, Ints{0, 2}, Ints{0, 1, 2}}) {
        const bool slow = dimensions.size() == 1 && type.width <= 16 && op == kFolds[0];
        const Values in = Moderate(type, {3, 4, 5}), init = Moderate(type, {}, 7);
        Ints kept;
        for (int64_t d = 0; d < 3; ++d)
          if (std::find(dimensions.begin(), dimensions.end(), d) == dimensions.end()) kept.push_back(d);
        Ints shape;
        for (int64_t d : kept) shape.push_back(in.shape[size_t(d)]);
        Values out(type, shape, init.at[0]);
        if (const Scalar both[] = {init.at[0], init.at[0]}; !Apply(*MeaningOf(op), type, both)) continue;
        for (const Ints& index : Indices(in.shape)) {
          Ints to;
          for (int64_t d : kept) to.push_back(index[size_t(d)]);
          out[to] = Combine(op, type, out[to], in[index]);
        }
        const OneOp one{.name = "stablehlo.reduce",
                        .operands = {in, init},
                        .results = {TypeText(out)},
                        .attributes = "dimensions = " + I64s(dimensions),
                        .regions = Body(op, type, slow)};
        if (!Verifies(one)) continue;
        ++tried;
        Expect(one, {out});
        if (HasFatalFailure()) return;
      }
  EXPECT_GT(tried, 1000);
}

// Two operands of different types, and a body that is not one op: the maximum with its index.
TEST(NaiveBodies, ReduceOfTwoOperands) {
  const Type number = *TypeOf("f32"), index = *TypeOf("i32");
  for (const Ints& dimensions : {Ints{0}, Ints{1}}) {
    const Values in = Moderate(number, {4, 6});
    Values indices(index, {4, 6});
    for (const Ints& i : Indices(in.shape)) indices[i].re = uint64_t(i[size_t(dimensions[0])]);
    const Values least(number, {}, Scalar{Encode(*number.format, -kInfinity)}),
        none(index, {}, Scalar{Wrap(index, -1)});
    const Ints shape = {in.shape[size_t(1 - dimensions[0])]};
    Values best(number, shape, least.at[0]), where(index, shape, none.at[0]);
    for (const Ints& i : Indices(in.shape)) {
      const Ints to = {i[size_t(1 - dimensions[0])]};
      if (Decode(*number.format, in[i].re) > Decode(*number.format, best[to].re))
        best[to] = in[i], where[to] = indices[i];
    }
    Expect({.name = "stablehlo.reduce",
            .operands = {in, indices, least, none},
            .results = {TypeText(best), TypeText(where)},
            .attributes = "dimensions = " + I64s(dimensions),
            .regions = R"({
^bb0(%a: tensor<f32>, %i: tensor<i32>, %b: tensor<f32>, %k: tensor<i32>):
  %p = "stablehlo.compare"(%b, %a) {comparison_direction = #stablehlo<comparison_direction GT>} : (tensor<f32>, tensor<f32>) -> tensor<i1>
  %v = "stablehlo.select"(%p, %b, %a) : (tensor<i1>, tensor<f32>, tensor<f32>) -> tensor<f32>
  %n = "stablehlo.select"(%p, %k, %i) : (tensor<i1>, tensor<i32>, tensor<i32>) -> tensor<i32>
  "stablehlo.return"(%v, %n) : (tensor<f32>, tensor<i32>) -> ()
})"},
           {best, where});
  }
}

// The accumulator may be wider than the operand.
TEST(NaiveBodies, ReductionsInAWiderType) {
  const Type narrow = *TypeOf("bf16"), wide = *TypeOf("f32");
  const Values in = Moderate(narrow, {64}), init(narrow, {});
  Values sum(wide, {});
  for (const Scalar& v : in.at)
    sum.at[0] =
        Combine("stablehlo.add", wide, sum.at[0], {Encode(*wide.format, Decode(*narrow.format, v.re))});
  Expect({.name = "stablehlo.reduce",
          .operands = {in, init},
          .results = {"tensor<f32>"},
          .attributes = "dimensions = array<i64: 0>",
          .regions = Body("stablehlo.add", wide)},
         {sum});
}

// Rows longer than a block of the evaluator.
TEST(NaiveBodies, LongRows) {
  const Type type = *TypeOf("i32");
  for (const Ints& dimensions : {Ints{0}, Ints{1}}) {
    const Values in = Moderate(type, {3, 700}), init(type, {}, Scalar{5});
    Values out(type, {in.shape[size_t(1 - dimensions[0])]}, init.at[0]);
    for (const Ints& i : Indices(in.shape)) {
      Scalar& to = out[{i[size_t(1 - dimensions[0])]}];
      to.re = Wrap(type, (Integer(type, to.re) * 3) ^ Integer(type, in[i].re));
    }
    Expect({.name = "stablehlo.reduce",
            .operands = {in, init},
            .results = {TypeText(out)},
            .attributes = "dimensions = " + I64s(dimensions),
            .regions = R"({
^bb0(%x: tensor<i32>, %y: tensor<i32>):
  %c = "stablehlo.constant"() {value = dense<3> : tensor<i32>} : () -> tensor<i32>
  %m = "stablehlo.multiply"(%x, %c) : (tensor<i32>, tensor<i32>) -> tensor<i32>
  %z = "stablehlo.xor"(%m, %y) : (tensor<i32>, tensor<i32>) -> tensor<i32>
  "stablehlo.return"(%z) : (tensor<i32>) -> ()
})"},
           {out});
  }
}

// --- Windows ----------------------------------------------------------------------------------------

struct Window {
  Ints sizes, strides, base_dilations, dilations;
  std::vector<Ints> padding;
};
const Window kWindows[] = {
    {{1, 1}, {1, 1}, {1, 1}, {1, 1}, {{0, 0}, {0, 0}}},    {{2, 3}, {1, 1}, {1, 1}, {1, 1}, {{0, 0}, {0, 0}}},
    {{2, 2}, {2, 3}, {1, 1}, {1, 1}, {{1, 0}, {0, 2}}},    {{2, 3}, {1, 2}, {2, 3}, {1, 1}, {{1, 1}, {2, 0}}},
    {{2, 2}, {1, 1}, {1, 1}, {3, 2}, {{0, 1}, {1, 1}}},    {{3, 2}, {2, 1}, {2, 1}, {2, 3}, {{2, 1}, {3, 2}}},
    {{2, 2}, {1, 1}, {1, 1}, {1, 1}, {{-1, 0}, {-1, -2}}}, {{9, 1}, {1, 1}, {1, 1}, {1, 1}, {{0, 0}, {0, 0}}},
};

// The operand, dilated and padded: index `p` of a dimension; -1 between elements and outside.
int64_t Under(const Window& w, size_t d, int64_t p, int64_t extent) {
  p -= w.padding[d][0];
  if (p < 0 || p % w.base_dilations[d] != 0) return -1;
  return p / w.base_dilations[d] < extent ? p / w.base_dilations[d] : -1;
}
Ints Positions(const Window& w, const Ints& shape) {
  Ints out;
  for (size_t d = 0; d < shape.size(); ++d) {
    const int64_t padded = w.padding[d][0] + (shape[d] - 1) * w.base_dilations[d] + 1 + w.padding[d][1];
    int64_t n = 0;
    for (int64_t at = 0; at + (w.sizes[d] - 1) * w.dilations[d] < padded; at += w.strides[d]) ++n;
    out.push_back(n);
  }
  return out;
}

TEST(NaiveBodies, ReduceWindow) {
  int tried = 0;
  for (const Type& type : AllTypes())
    for (std::string_view op : {"stablehlo.add", "stablehlo.maximum", "stablehlo.or"})
      for (const Window& w : kWindows) {
        const Values in = Moderate(type, {5, 6}), init = Moderate(type, {}, 3);
        if (const Scalar both[] = {init.at[0], init.at[0]}; !Apply(*MeaningOf(op), type, both)) continue;
        const Ints shape = Positions(w, in.shape);
        Values out(type, shape, init.at[0]);
        for (const Ints& to : Indices(shape))
          for (const Ints& k : Indices(w.sizes)) {
            Ints from;
            for (size_t d = 0; d < 2; ++d)
              from.push_back(Under(w, d, to[d] * w.strides[d] + k[d] * w.dilations[d], in.shape[d]));
            // The padding takes part, with the initial value.
            out[to] = Combine(op, type, out[to], from[0] < 0 || from[1] < 0 ? init.at[0] : in[from]);
          }
        const OneOp one{
            .name = "stablehlo.reduce_window",
            .operands = {in, init},
            .results = {TypeText(out)},
            .attributes = "window_dimensions = " + I64s(w.sizes) + ", window_strides = " + I64s(w.strides) +
                          ", base_dilations = " + I64s(w.base_dilations) +
                          ", window_dilations = " + I64s(w.dilations) + ", padding = " + Pairs(w.padding),
            .regions = Body(op, type, type.name == "i16")};
        if (!Verifies(one)) continue;
        ++tried;
        Expect(one, {out});
        if (HasFatalFailure()) return;
      }
  EXPECT_GT(tried, 500);
}

TEST(NaiveBodies, ReduceWindowOfAScalarAndOfTwoOperands) {
  const Type type = *TypeOf("i32");
  const Values one(type, {}, Scalar{40}), two(type, {}, Scalar{2});
  Expect({.name = "stablehlo.reduce_window",
          .operands = {one, two},
          .results = {"tensor<i32>"},
          .attributes = "window_dimensions = array<i64>",
          .regions = Body("stablehlo.add", type)},
         {Values(type, {}, Scalar{42})});
  // Sums and products of pairs.
  const Values in(type, {4}, std::vector<Scalar>{{1}, {2}, {3}, {4}});
  const Values zero(type, {}, Scalar{0}), unit(type, {}, Scalar{1});
  Expect({.name = "stablehlo.reduce_window",
          .operands = {in, in, zero, unit},
          .results = {"tensor<3xi32>", "tensor<3xi32>"},
          .attributes = "window_dimensions = array<i64: 2>",
          .regions = R"({
^bb0(%a: tensor<i32>, %b: tensor<i32>, %x: tensor<i32>, %y: tensor<i32>):
  %s = "stablehlo.add"(%a, %x) : (tensor<i32>, tensor<i32>) -> tensor<i32>
  %p = "stablehlo.multiply"(%b, %y) : (tensor<i32>, tensor<i32>) -> tensor<i32>
  "stablehlo.return"(%s, %p) : (tensor<i32>, tensor<i32>) -> ()
})"},
         {Values(type, {3}, std::vector<Scalar>{{3}, {5}, {7}}),
          Values(type, {3}, std::vector<Scalar>{{2}, {6}, {12}})});
}

// Selects by >=, and adds the source where the maximum of each window is.
TEST(NaiveBodies, SelectAndScatter) {
  int tried = 0;
  for (const Type& type : AllTypes()) {
    if (type.complex) continue;
    for (const Window& w : {Window{{2, 2}, {1, 1}, {1, 1}, {1, 1}, {{0, 0}, {0, 0}}},
                            Window{{2, 3}, {2, 3}, {1, 1}, {1, 1}, {{1, 0}, {0, 0}}},
                            Window{{3, 2}, {2, 1}, {1, 1}, {1, 1}, {{1, 1}, {2, 1}}}}) {
      const Values in = Moderate(type, {4, 6}), init = Moderate(type, {}, 5);
      const Values source = Moderate(type, Positions(w, in.shape), 9);
      Values out(type, in.shape, init.at[0]);
      const Meaning& add = *MeaningOf("stablehlo.add");
      if (const Scalar both[] = {init.at[0], init.at[0]}; !Apply(add, type, both)) continue;
      const auto number = [&](Scalar v) {
        return type.format ? Decode(*type.format, v.re) : Wide(Integer(type, v.re));
      };
      for (const Ints& s : Indices(source.shape)) {
        Ints best;
        for (const Ints& k : Indices(w.sizes)) {
          Ints at;
          for (size_t d = 0; d < 2; ++d) at.push_back(Under(w, d, s[d] * w.strides[d] + k[d], in.shape[d]));
          if (at[0] < 0 || at[1] < 0) continue;
          if (best.empty() || !(number(in[best]) >= number(in[at]))) best = at;
        }
        if (best.empty()) continue;
        // The source is first combined with the initial value.
        out[best] =
            Combine("stablehlo.add", type, Combine("stablehlo.add", type, init.at[0], source[s]), out[best]);
      }
      const std::string t = ScalarText(type);
      const OneOp one{
          .name = "stablehlo.select_and_scatter",
          .operands = {in, source, init},
          .results = {TypeText(in)},
          .attributes = "window_dimensions = " + I64s(w.sizes) + ", window_strides = " + I64s(w.strides) +
                        ", padding = " + Pairs(w.padding),
          .regions = "{\n^bb0(%a: " + t + ", %b: " + t +
                     "):\n  %p = \"stablehlo.compare\"(%a, %b) {comparison_direction = "
                     "#stablehlo<comparison_direction GE>} : (" +
                     t + ", " + t + ") -> tensor<i1>\n  \"stablehlo.return\"(%p) : (tensor<i1>) -> ()\n}, " +
                     Body("stablehlo.add", type)};
      if (!Verifies(one)) continue;
      ++tried;
      Expect(one, {out});
      if (HasFatalFailure()) return;
    }
  }
  EXPECT_GT(tried, 60);
}

// --- Scatter ------------------------------------------------------------------------------------------

struct ScatterCase {
  Ints operand, indices, updates;  // shapes
  Ints window_dims, inserted, batching, index_batching, map;
  int64_t vector_dim;
};
const ScatterCase kScatters[] = {
    {{5, 4}, {3, 1}, {3, 4}, {1}, {0}, {}, {}, {0}, 1},
    {{5, 4}, {3}, {3}, {}, {0, 1}, {}, {}, {1}, 1},
    {{5, 4}, {2, 2, 3}, {2, 2, 3, 3}, {1, 3}, {}, {}, {}, {1, 0}, 0},
    {{2, 5, 4}, {2, 3, 1}, {2, 3, 2}, {2}, {1}, {0}, {0}, {1}, 2},
    {{4, 3, 2}, {3, 2, 1}, {3, 2, 2}, {2}, {}, {1, 2}, {0, 1}, {0}, 2},
    {{4, 300}, {2, 2}, {2, 290}, {1}, {0}, {}, {}, {0, 1}, 1},
    {{5}, {}, {}, {}, {0}, {}, {}, {0}, 0},
};

TEST(NaiveBodies, Scatter) {
  int tried = 0;
  for (const ScatterCase& c : kScatters)
    for (const Type& type : AllTypes())
      for (std::string_view op : {"stablehlo.add", "stablehlo.subtract", "stablehlo.maximum"}) {
        if (const Scalar zeros[2] = {}; !Apply(*MeaningOf(op), type, zeros)) continue;
        Values indices(*TypeOf("i32"), c.indices);
        for (size_t i = 0; i < indices.at.size(); ++i)
          indices.at[i].re = Wrap(indices.type, int64_t(i * 5 % 8) - 2);
        const Values in = Moderate(type, c.operand), updates = Moderate(type, c.updates, 4);
        const auto has = [](const Ints& list, int64_t d) {
          return std::find(list.begin(), list.end(), d) != list.end();
        };
        Values out = in;
        for (const Ints& u : Indices(c.updates)) {
          Ints batch, window;
          for (int64_t d = 0; d < int64_t(u.size()); ++d)
            (has(c.window_dims, d) ? window : batch).push_back(u[size_t(d)]);
          Ints at(c.operand.size(), 0);
          for (size_t k = 0; k < c.map.size(); ++k) {
            Ints where = batch;
            if (c.vector_dim < int64_t(c.indices.size()))
              where.insert(where.begin() + c.vector_dim, int64_t(k));
            at[size_t(c.map[k])] = int64_t(Integer(indices.type, indices[where].re));
          }
          for (size_t k = 0; k < c.batching.size(); ++k) {
            const int64_t d = c.index_batching[k];
            at[size_t(c.batching[k])] = batch[size_t(d < c.vector_dim ? d : d - 1)];
          }
          size_t w = 0;
          bool inside = true;
          for (size_t d = 0; d < c.operand.size(); ++d) {
            if (!has(c.inserted, int64_t(d)) && !has(c.batching, int64_t(d))) at[d] += window[w++];
            inside = inside && at[d] >= 0 && at[d] < c.operand[d];
          }
          if (inside) out[at] = Combine(op, type, out[at], updates[u]);
        }
        const OneOp one{.name = "stablehlo.scatter",
                        .operands = {in, indices, updates},
                        .results = {TypeText(in)},
                        .attributes = "scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = " +
                                      List(c.window_dims) + ", inserted_window_dims = " + List(c.inserted) +
                                      ", input_batching_dims = " + List(c.batching) +
                                      ", scatter_indices_batching_dims = " + List(c.index_batching) +
                                      ", scatter_dims_to_operand_dims = " + List(c.map) +
                                      ", index_vector_dim = " + std::to_string(c.vector_dim) + ">",
                        .regions = Body(op, type, type.name == "i8")};
        if (!Verifies(one)) continue;
        ++tried;
        Expect(one, {out});
        if (HasFatalFailure()) return;
      }
  EXPECT_GT(tried, 150);
}

// Each operand has its own type and its own part of the body's results.
TEST(NaiveBodies, ScatterOfThreeOperands) {
  const Type types[] = {*TypeOf("f64"), *TypeOf("i16"), *TypeOf("ui32")};
  const std::string_view ops[] = {"stablehlo.add", "stablehlo.subtract", "stablehlo.maximum"};
  std::string args, body, names, returned;
  for (size_t i = 0; i < 3; ++i) {
    const std::string n = std::to_string(i), t = ScalarText(types[i]), comma = i ? ", " : "";
    args += comma + "%x" + n + ": " + t;
    body += "  %z" + n + " = \"" + std::string(ops[i]) + "\"(%x" + n + ", %y" + n + ") : (" + t + ", " + t +
            ") -> " + t + "\n";
    names += comma + "%z" + n;
    returned += comma + t;
  }
  for (size_t i = 0; i < 3; ++i) args += ", %y" + std::to_string(i) + ": " + ScalarText(types[i]);
  const std::string region = "{\n^bb0(" + args + "):\n" + body + "  \"stablehlo.return\"(" + names + ") : (" +
                             returned + ") -> ()\n}";
  // Windows along rows, whose targets are contiguous, and along columns.
  for (const int64_t along : {int64_t(1), int64_t(0)}) {
    Values indices(*TypeOf("i32"), {5, 1});
    const int64_t targets[] = {2, 0, 2, -1, 1};
    for (size_t k = 0; k < 5; ++k) indices.at[k].re = Wrap(indices.type, targets[k]);
    OneOp one{.name = "stablehlo.scatter",
              .attributes =
                  "scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], "
                  "inserted_window_dims = [" +
                  std::to_string(1 - along) + "], scatter_dims_to_operand_dims = [" +
                  std::to_string(1 - along) + "], index_vector_dim = 1>",
              .regions = region};
    std::vector<Values> out, updates;
    for (size_t i = 0; i < 3; ++i) {
      const Ints shape = along ? Ints{3, 4} : Ints{4, 3};
      const Values in = Moderate(types[i], shape, i), update = Moderate(types[i], {5, 4}, i + 10);
      one.operands.push_back(in);
      one.results.push_back(TypeText(in));
      updates.push_back(update);
      out.push_back(in);
      for (int64_t u = 0; u < 5; ++u)
        for (int64_t w = 0; w < 4 && targets[u] >= 0; ++w) {
          Scalar& to = out[i][along ? Ints{targets[u], w} : Ints{w, targets[u]}];
          to = Combine(ops[i], types[i], to, update[{u, w}]);
        }
    }
    one.operands.push_back(indices);
    one.operands.insert(one.operands.end(), updates.begin(), updates.end());
    EXPECT_TRUE(Verifies(one));
    Expect(one, out);
  }
}

// Huge indices are out of bounds, also where a window is added to them.
TEST(NaiveBodies, ScatterSkipsHugeIndices) {
  const Type type = *TypeOf("i32");
  for (std::string_view name : {"i64", "ui64"}) {
    Values indices(*TypeOf(name), {4, 1});
    indices.at = {{uint64_t(INT64_MAX)}, {1ull << 63}, {1}, {~0ull}};
    const Values in(type, {4}, Scalar{10}), updates(type, {4, 2}, Scalar{1});
    Values out = in;
    out.at[1].re = out.at[2].re = 11;
    // -1 as a signed number: the second element of the window is inside.
    if (name == "i64") out.at[0].re = 11;
    Expect({.name = "stablehlo.scatter",
            .operands = {in, indices, updates},
            .results = {TypeText(in)},
            .attributes = "scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], "
                          "scatter_dims_to_operand_dims = [0], index_vector_dim = 1>",
            .regions = Body("stablehlo.add", type)},
           {out});
  }
}

// --- Map, sort, top_k -----------------------------------------------------------------------------------

TEST(NaiveBodies, Map) {
  for (const Type& type : AllTypes())
    for (std::string_view op : {"stablehlo.subtract", "stablehlo.multiply"}) {
      if (const Scalar zeros[2] = {}; !Apply(*MeaningOf(op), type, zeros)) continue;
      const Values a = Moderate(type, {3, 100}), b = Moderate(type, {3, 100}, 6);
      Values out = a;
      for (size_t i = 0; i < a.at.size(); ++i) out.at[i] = Combine(op, type, a.at[i], b.at[i]);
      for (bool slow : {false, true}) {
        const OneOp one{.name = "stablehlo.map",
                        .operands = {a, b},
                        .results = {TypeText(a)},
                        .attributes = "dimensions = array<i64: 0, 1>",
                        .regions = Body(op, type, slow)};
        if (!Verifies(one)) continue;
        Expect(one, {out});
        if (HasFatalFailure()) return;
      }
    }
}

// A comparator of the first operand.
std::string Comparator(const std::vector<Type>& types, std::string_view direction, std::string_view order,
                       bool swapped, bool slow) {
  std::string arguments;
  for (size_t i = 0; i < types.size(); ++i)
    for (std::string_view side : {"x", "y"})
      arguments += (arguments.empty() ? "%" : ", %") + std::string(side) + std::to_string(i) + ": " +
                   ScalarText(types[i]);
  const std::string t = ScalarText(types[0]);
  std::string attributes =
      "{comparison_direction = #stablehlo<comparison_direction " + std::string(direction) + ">";
  if (!order.empty()) attributes += ", compare_type = #stablehlo<comparison_type " + std::string(order) + ">";
  return "{\n^bb0(" + arguments + "):\n  " +
         (slow ? "%s = \"stablehlo.reshape\"(%x0) : (" + t + ") -> " + t + "\n  " : "") +
         "%p = \"stablehlo.compare\"(" +
         (swapped ? "%y0, %x0"
          : slow  ? "%s, %y0"
                  : "%x0, %y0") +
         ") " + attributes + "} : (" + t + ", " + t +
         ") -> tensor<i1>\n  \"stablehlo.return\"(%p) : (tensor<i1>) -> ()\n}";
}

TEST(NaiveBodies, Sort) {
  int tried = 0;
  for (const Type& type : AllTypes()) {
    if (type.complex) continue;
    // Boundary values and ties, without NaN where that would not be an order.
    std::vector<Scalar> all;
    for (uint64_t code : CodesOf(type)) all.push_back({code});
    for (std::string_view order : {"", "TOTALORDER", "WEAKORDER"})
      for (std::string_view direction : {"LT", "GT"})
        for (const auto& [dimension, swapped, slow] :
             {std::tuple(0, false, false), std::tuple(1, true, false), std::tuple(-1, false, true)}) {
          const Type index = *TypeOf("i32");
          const Ints shape = {24, 7};
          Values keys(type, shape), numbers(index, shape);
          const size_t d = dimension == 0 ? 0 : 1;
          for (size_t i = 0, k = 0; i < keys.at.size(); ++k) {
            const Scalar v = all[k * 13 % all.size()];
            if (order.empty() && type.format && IsNan(Decode(*type.format, v.re))) continue;
            keys.at[i].re = v.re;
            numbers.at[i] = {i};
            ++i;
          }
          const auto before = [&](uint64_t x, uint64_t y) {
            if (!type.format) return Integer(type, x) < Integer(type, y);
            const Wide a = Decode(*type.format, x), b = Decode(*type.format, y);
            if (order == "TOTALORDER") {
              if (type.format->special == Special::kPowers) return x < y;
              const uint64_t sign = 1ull << (type.width - 1);
              if ((x & sign) != (y & sign)) return (x & sign) != 0;
              return x & sign ? x > y : x < y;
            }
            if (IsNan(a) || IsNan(b)) return !IsNan(a) && IsNan(b);  // the weak order
            return a < b;
          };
          const bool descending = (direction == "GT") != swapped;
          Values sorted = keys, moved = numbers;
          for (int64_t other = 0; other < shape[1 - d]; ++other) {
            const auto at = [&](int64_t i) { return d == 0 ? Ints{i, other} : Ints{other, i}; };
            std::vector<int64_t> positions(static_cast<size_t>(shape[d]));
            std::iota(positions.begin(), positions.end(), 0);
            // Insertion: equal ones keep their order.
            for (size_t i = 1; i < positions.size(); ++i)
              for (size_t k = i; k > 0; --k) {
                const uint64_t x = keys[at(positions[k])].re, y = keys[at(positions[k - 1])].re;
                if (!(descending ? before(y, x) : before(x, y))) break;
                std::swap(positions[k], positions[k - 1]);
              }
            for (int64_t i = 0; i < shape[d]; ++i) {
              sorted[at(i)] = keys[at(positions[size_t(i)])];
              moved[at(i)] = numbers[at(positions[size_t(i)])];
            }
          }
          const OneOp one{
              .name = "stablehlo.sort",
              .operands = {keys, numbers},
              .results = {TypeText(keys), TypeText(numbers)},
              .attributes = "dimension = " + std::to_string(dimension) + " : i64, is_stable = true",
              .regions = Comparator({type, index}, direction, order, swapped, slow)};
          if (!Verifies(one)) continue;
          ++tried;
          Expect(one, {sorted, moved});
          if (HasFatalFailure()) return;
        }
  }
  EXPECT_GT(tried, 150);
}

TEST(NaiveBodies, TopK) {
  for (const Type& type : AllTypes()) {
    if (type.complex) continue;
    const std::vector<uint64_t> all = CodesOf(type);
    Values in(type, {3, 11});
    for (size_t i = 0; i < in.at.size(); ++i) in.at[i].re = all[i * 17 % all.size()];
    // The key of a float is its position in the total order.
    const auto key = [&](uint64_t code) -> __int128 {
      if (!type.format) return Integer(type, code);
      if (type.format->special == Special::kPowers) return __int128(code);  // no sign
      const uint64_t sign = 1ull << (type.width - 1);
      return code & sign ? -1 - __int128(code & (sign - 1)) : __int128(code);
    };
    for (int64_t k : {0, 1, 5, 11}) {
      Values best(type, {3, k}), where(*TypeOf("i32"), {3, k});
      for (int64_t row = 0; row < 3; ++row) {
        std::vector<bool> taken(11);
        for (int64_t i = 0; i < k; ++i) {
          int64_t top = -1;
          for (int64_t c = 0; c < 11; ++c)
            if (!taken[size_t(c)] && (top < 0 || key(in[{row, c}].re) > key(in[{row, top}].re))) top = c;
          taken[size_t(top)] = true;
          best[{row, i}] = in[{row, top}];
          where[{row, i}].re = uint64_t(top);
        }
      }
      const OneOp one{.name = "chlo.top_k",
                      .operands = {in},
                      .results = {TypeText(best), TypeText(where)},
                      .attributes = "k = " + std::to_string(k) + " : i64"};
      if (!Verifies(one)) continue;
      Expect(one, {best, where});
      if (HasFatalFailure()) return;
    }
  }
}

// --- Scan --------------------------------------------------------------------------------------------

// output[i] = carry + input[i]; the carry is the last of them.
TEST(NaiveBodies, Scan) {
  for (const Type& type : AllTypes()) {
    if (const Scalar zeros[2] = {}; !Apply(*MeaningOf("stablehlo.add"), type, zeros)) continue;
    for (int64_t dimension : {0, 1})
      for (bool reverse : {false, true}) {
        const Values in = Moderate(type, {3, 4}), init = Moderate(type, {in.shape[size_t(1 - dimension)]}, 8);
        Values carry = init, out = in;
        const int64_t extent = in.shape[size_t(dimension)];
        for (int64_t step = 0; step < extent; ++step) {
          const int64_t i = reverse ? extent - 1 - step : step;
          for (int64_t o = 0; o < carry.shape[0]; ++o) {
            const Ints at = dimension == 0 ? Ints{i, o} : Ints{o, i};
            carry[{o}] = out[at] = Combine("stablehlo.add", type, carry[{o}], in[at]);
          }
        }
        const std::string t = TypeText(init);
        const OneOp one{
            .name = "chlo.scan",
            .operands = {in, init},
            .results = {TypeText(in), t},
            .attributes = "dimension = " + std::to_string(dimension) +
                          " : i64, is_reverse = " + (reverse ? "true" : "false") +
                          ", operandSegmentSizes = array<i32: 1, 1>, resultSegmentSizes = array<i32: 1, 1>",
            .regions = "{\n^bb0(%x: " + t + ", %c: " + t + "):\n  %z = \"stablehlo.add\"(%c, %x) : (" + t +
                       ", " + t + ") -> " + t + "\n  \"stablehlo.return\"(%z, %z) : (" + t + ", " + t +
                       ") -> ()\n}"};
        if (!Verifies(one)) continue;
        Expect(one, {out, carry});
        if (HasFatalFailure()) return;
      }
  }
}

}  // namespace
}  // namespace shlo::naive
