// Ops that move elements, on every element type: each index of the result, by the formulas of the
// specification.
#include <algorithm>

#include "eval/naive/program.h"

namespace shlo::naive {
namespace {

// Different values at all positions, as far as the type has them.
Values Numbered(const Type& type, const Ints& shape, uint64_t first = 1) {
  Values values(type, shape);
  for (size_t i = 0; i < values.at.size(); ++i) {
    values.at[i].re = ((i + first) * 0x9E3779B97F4A7C15ull >> 7) & Ones(type.width);
    if (type.complex) values.at[i].im = ((i + first) * 0xC2B2AE3D27D4EB4Full >> 5) & Ones(type.width);
  }
  return values;
}
Values OfInts(std::string_view type, const Ints& shape, const Ints& numbers) {
  Values values(*TypeOf(type), shape);
  for (size_t i = 0; i < numbers.size(); ++i) values.at[i].re = Wrap(values.type, numbers[i]);
  return values;
}
Values Vector(const Ints& numbers, std::string_view type = "i64") {
  return OfInts(type, {int64_t(numbers.size())}, numbers);
}
std::string Dynamic(const Values& values) {
  return TypeText(values.type.name, Ints(values.shape.size(), -1));
}

// The value that an index of the result has.
template <typename F>
Values Fill(const Type& type, const Ints& shape, F f) {
  Values values(type, shape);
  for (const Ints& index : Indices(shape)) values[index] = f(index);
  return values;
}

template <typename F>
void ForTypes(F f) {
  for (const Type& type : AllTypes()) {
    f(type);
    if (::testing::Test::HasFatalFailure()) return;
  }
}
int64_t Clamp(int64_t v, int64_t low, int64_t high) { return v < low ? low : v > high ? high : v; }

TEST(NaiveMovement, Reshape) {
  ForTypes([](const Type& type) {
    const Values in = Numbered(type, {2, 3, 4});
    for (const Ints& shape : {Ints{24}, Ints{4, 6}, Ints{1, 3, 8, 1}}) {
      const Values out(type, shape, in.at);
      Expect({.name = "stablehlo.reshape", .operands = {in}, .results = {TypeText(out)}}, {out});
      Expect({.name = "stablehlo.dynamic_reshape",
              .operands = {in, Vector(shape, "i32")},
              .results = {Dynamic(out)}},
             {out});
    }
    Expect({.name = "stablehlo.optimization_barrier", .operands = {in}, .results = {TypeText(in)}}, {in});
  });
}

TEST(NaiveMovement, Transpose) {
  ForTypes([](const Type& type) {
    const Values in = Numbered(type, {2, 3, 5});
    for (const Ints& permutation :
         {Ints{0, 1, 2}, Ints{2, 1, 0}, Ints{1, 0, 2}, Ints{1, 2, 0}, Ints{0, 2, 1}}) {
      Ints shape;
      for (int64_t d : permutation) shape.push_back(in.shape[size_t(d)]);
      const Values out = Fill(type, shape, [&](const Ints& to) {
        Ints from(3);
        for (size_t d = 0; d < 3; ++d) from[size_t(permutation[d])] = to[d];
        return in[from];
      });
      Expect({.name = "stablehlo.transpose",
              .operands = {in},
              .results = {TypeText(out)},
              .attributes = "permutation = " + I64s(permutation)},
             {out});
    }
  });
}

// Sizes around those of blocks in which transposes copy.
TEST(NaiveMovement, TransposeOfLargerMatrices) {
  for (std::string_view name : {"i8", "bf16", "f32", "f64", "complex<f64>"}) {
    const Type type = *TypeOf(name);
    for (const Ints& shape : {Ints{65, 33}, Ints{3, 130}, Ints{128, 64}}) {
      const Values in = Numbered(type, shape);
      const Values out = Fill(type, {shape[1], shape[0]}, [&](const Ints& to) { return in[{to[1], to[0]}]; });
      Expect({.name = "stablehlo.transpose",
              .operands = {in},
              .results = {TypeText(out)},
              .attributes = "permutation = array<i64: 1, 0>"},
             {out});
    }
  }
}

TEST(NaiveMovement, Broadcast) {
  ForTypes([](const Type& type) {
    const struct {
      Ints in, dimensions, out;
    } cases[] = {{{3}, {1}, {2, 3}},          {{3}, {0}, {3, 2}},       {{}, {}, {2, 2}},
                 {{1, 3}, {0, 2}, {4, 2, 3}}, {{2, 3}, {1, 0}, {3, 2}}, {{1}, {0}, {0}}};
    for (const auto& c : cases) {
      const Values in = Numbered(type, c.in);
      const Values out = Fill(type, c.out, [&](const Ints& to) {
        Ints from;
        for (size_t d = 0; d < c.in.size(); ++d)
          from.push_back(c.in[d] == 1 ? 0 : to[size_t(c.dimensions[d])]);
        return in[from];
      });
      const std::string dimensions = "broadcast_dimensions = " + I64s(c.dimensions);
      Expect({.name = "stablehlo.broadcast_in_dim",
              .operands = {in},
              .results = {TypeText(out)},
              .attributes = dimensions},
             {out});
      Expect({.name = "stablehlo.dynamic_broadcast_in_dim",
              .operands = {in, Vector(c.out)},
              .results = {Dynamic(out)},
              .attributes = dimensions},
             {out});
    }
    const Values in = Numbered(type, {2, 3});
    Expect({.name = "stablehlo.broadcast",
            .operands = {in},
            .results = {TypeText(type.name, {4, 1, 2, 3})},
            .attributes = "broadcast_sizes = array<i64: 4, 1>"},
           {Fill(type, {4, 1, 2, 3}, [&](const Ints& to) {
             return in[{to[2], to[3]}];
           })});
  });
}

TEST(NaiveMovement, Slice) {
  ForTypes([](const Type& type) {
    const Values in = Numbered(type, {5, 7});
    const struct {
      Ints start, limit, strides;
    } cases[] = {{{0, 0}, {5, 7}, {1, 1}},
                 {{1, 2}, {4, 7}, {2, 3}},
                 {{3, 0}, {3, 7}, {1, 2}},
                 {{4, 6}, {5, 7}, {9, 1}}};
    for (const auto& c : cases) {
      Ints shape;
      for (size_t d = 0; d < 2; ++d) {
        int64_t n = 0;
        for (int64_t i = c.start[d]; i < c.limit[d]; i += c.strides[d]) ++n;
        shape.push_back(n);
      }
      const Values out = Fill(type, shape, [&](const Ints& to) {
        return in[{c.start[0] + to[0] * c.strides[0], c.start[1] + to[1] * c.strides[1]}];
      });
      Expect({.name = "stablehlo.slice",
              .operands = {in},
              .results = {TypeText(out)},
              .attributes = "start_indices = " + I64s(c.start) + ", limit_indices = " + I64s(c.limit) +
                            ", strides = " + I64s(c.strides)},
             {out});
      Expect({.name = "stablehlo.real_dynamic_slice",
              .operands = {in, Vector(c.start, "i32"), Vector(c.limit, "i32"), Vector(c.strides, "i32")},
              .results = {Dynamic(out)}},
             {out});
    }
  });
}

// Start indices of every integer type are clamped so that the slice is inside.
TEST(NaiveMovement, DynamicSlices) {
  ForTypes([](const Type& type) {
    const Values in = Numbered(type, {4, 6}), update = Numbered(type, {2, 3}, 1000);
    for (const Ints& start : {Ints{0, 0}, Ints{1, 3}, Ints{3, 4}, Ints{-1, 2}, Ints{2, -1}, Ints{100, 100}}) {
      for (std::string_view index : {"i8", "i32", "i64", "ui8", "ui64"}) {
        const Values row = OfInts(index, {}, {start[0]}), column = OfInts(index, {}, {start[1]});
        // As an unsigned number, -1 is beyond every end.
        const auto at = [](const Values& v) {
          const __int128 n = Integer(v.type, v.at[0].re);
          return int64_t(n > 1000 ? 1000 : n);
        };
        const int64_t r = Clamp(at(row), 0, 2), c = Clamp(at(column), 0, 3);
        Expect({.name = "stablehlo.dynamic_slice",
                .operands = {in, row, column},
                .results = {TypeText(type.name, {2, 3})},
                .attributes = "slice_sizes = array<i64: 2, 3>"},
               {Fill(type, {2, 3}, [&](const Ints& to) {
                 return in[{r + to[0], c + to[1]}];
               })});
        Expect({.name = "stablehlo.dynamic_update_slice",
                .operands = {in, update, row, column},
                .results = {TypeText(in)}},
               {Fill(type, in.shape, [&](const Ints& to) {
                 const bool inside = to[0] >= r && to[0] < r + 2 && to[1] >= c && to[1] < c + 3;
                 return inside ? update[{to[0] - r, to[1] - c}] : in[to];
               })});
      }
    }
  });
}

// result[low + i * (interior + 1)] = operand[i], where that is inside.
TEST(NaiveMovement, Pad) {
  ForTypes([](const Type& type) {
    const Values in = Numbered(type, {3, 4}), value = Numbered(type, {}, 99);
    const struct {
      Ints low, high, interior;
    } cases[] = {{{0, 0}, {0, 0}, {0, 0}},    {{1, 2}, {3, 0}, {0, 0}},   {{0, 1}, {1, 1}, {2, 1}},
                 {{-1, -2}, {0, 1}, {0, 0}},  {{1, 0}, {-2, -1}, {1, 2}}, {{-2, 0}, {-2, 0}, {0, 0}},
                 {{-1, -3}, {-1, -1}, {1, 2}}};
    for (const auto& c : cases) {
      Ints shape;
      for (size_t d = 0; d < 2; ++d)
        shape.push_back(
            std::max<int64_t>(0, c.low[d] + in.shape[d] + (in.shape[d] - 1) * c.interior[d] + c.high[d]));
      Values out(type, shape, value.at[0]);
      for (const Ints& from : Indices(in.shape)) {
        Ints to;
        bool inside = true;
        for (size_t d = 0; d < 2; ++d) {
          to.push_back(c.low[d] + from[d] * (c.interior[d] + 1));
          inside = inside && to[d] >= 0 && to[d] < shape[d];
        }
        if (inside) out[to] = in[from];
      }
      Expect({.name = "stablehlo.pad",
              .operands = {in, value},
              .results = {TypeText(out)},
              .attributes = "edge_padding_low = " + I64s(c.low) + ", edge_padding_high = " + I64s(c.high) +
                            ", interior_padding = " + I64s(c.interior)},
             {out});
      Expect({.name = "stablehlo.dynamic_pad",
              .operands = {in, value, Vector(c.low), Vector(c.high), Vector(c.interior)},
              .results = {Dynamic(out)}},
             {out});
    }
    const Values empty(type, {0, 2});
    Expect({.name = "stablehlo.pad",
            .operands = {empty, value},
            .results = {TypeText(type.name, {3, 2})},
            .attributes = "edge_padding_low = array<i64: 1, 0>, edge_padding_high = array<i64: 2, 0>, "
                          "interior_padding = array<i64: 5, 0>"},
           {Values(type, {3, 2}, value.at[0])});
  });
}

TEST(NaiveMovement, Concatenate) {
  ForTypes([](const Type& type) {
    for (int64_t dimension : {0, 1, 2}) {
      std::vector<Values> parts;
      Ints shape = {2, 3, 2};
      int64_t total = 0;
      for (int64_t extent : {2, 0, 1, 3}) {
        shape[size_t(dimension)] = extent;
        parts.push_back(Numbered(type, shape, uint64_t(total) * 100));
        total += extent;
      }
      shape[size_t(dimension)] = total;
      const Values out = Fill(type, shape, [&](const Ints& to) {
        Ints from = to;
        size_t part = 0;
        for (; from[size_t(dimension)] >= parts[part].shape[size_t(dimension)]; ++part)
          from[size_t(dimension)] -= parts[part].shape[size_t(dimension)];
        return parts[part][from];
      });
      Expect({.name = "stablehlo.concatenate",
              .operands = parts,
              .results = {TypeText(out)},
              .attributes = "dimension = " + std::to_string(dimension) + " : i64"},
             {out});
    }
  });
}

TEST(NaiveMovement, Reverse) {
  ForTypes([](const Type& type) {
    const Values in = Numbered(type, {3, 2, 5});
    for (const Ints& dimensions : {Ints{}, Ints{0}, Ints{2}, Ints{0, 2}, Ints{2, 1, 0}})
      Expect({.name = "stablehlo.reverse",
              .operands = {in},
              .results = {TypeText(in)},
              .attributes = "dimensions = " + I64s(dimensions)},
             {Fill(type, in.shape, [&](Ints to) {
               for (int64_t d : dimensions) to[size_t(d)] = in.shape[size_t(d)] - 1 - to[size_t(d)];
               return in[to];
             })});
  });
}

TEST(NaiveMovement, Iota) {
  ForTypes([](const Type& type) {
    if (type.is_bool() || type.name == "index") return;  // not allowed
    const Ints shape = {3, 17, 2};
    for (int64_t dimension : {0, 1, 2}) {
      const Values out = Fill(type, shape, [&](const Ints& to) {
        const int64_t i = to[size_t(dimension)];
        return Scalar{type.format ? Encode(*type.format, Wide(i)) : Wrap(type, i)};
      });
      const std::string attribute = "iota_dimension = " + std::to_string(dimension) + " : i64";
      Expect({.name = "stablehlo.iota", .results = {TypeText(out)}, .attributes = attribute}, {out});
      Expect({.name = "stablehlo.dynamic_iota",
              .operands = {Vector(shape)},
              .results = {Dynamic(out)},
              .attributes = attribute},
             {out});
    }
  });
}

TEST(NaiveMovement, DimensionSizes) {
  ForTypes([](const Type& type) {
    const Values in = Numbered(type, {4, 3});
    for (int64_t d : {0, 1})
      Expect({.name = "stablehlo.get_dimension_size",
              .operands = {in},
              .results = {"tensor<i32>"},
              .attributes = "dimension = " + std::to_string(d) + " : i64"},
             {OfInts("i32", {}, {in.shape[size_t(d)]})});
    for (int64_t size : {0, 1, 4})
      Expect({.name = "stablehlo.set_dimension_size",
              .operands = {in, OfInts("i32", {}, {size})},
              .results = {"tensor<?x3x" + type.name + ", #stablehlo.bounds<4, ?>>"},
              .attributes = "dimension = 0 : i64"},
             {Fill(type, {size, 3}, [&](const Ints& to) { return in[to]; })});
  });
}

// The bits of a tensor's elements in a row, least significant first; a complex number begins with its real
// part.
std::vector<bool> BitsOf(const Values& values) {
  std::vector<bool> bits;
  for (const Scalar& v : values.at) {
    for (int i = 0; i < values.type.width; ++i) bits.push_back(v.re >> i & 1);
    for (int i = 0; values.type.complex && i < values.type.width; ++i) bits.push_back(v.im >> i & 1);
  }
  return bits;
}

TEST(NaiveMovement, BitcastBetweenAllPairsOfTypes) {
  int tried = 0;
  for (const Type& from : AllTypes())
    for (const Type& to : AllTypes()) {
      const int a = from.width * (from.complex ? 2 : 1), b = to.width * (to.complex ? 2 : 1);
      Ints in = {3, 2}, out = {3, 2};
      if (a > b && a % b == 0)
        out.push_back(a / b);
      else if (a < b && b % a == 0)
        in.push_back(b / a);
      else if (a != b)
        continue;
      const Values values = Numbered(from, in);
      const OneOp op{
          .name = "stablehlo.bitcast_convert", .operands = {values}, .results = {TypeText(to.name, out)}};
      const std::vector<Values> results = ResultsOf(op);
      ASSERT_EQ(results.size(), 1u) << op.Text();
      ASSERT_EQ(BitsOf(results[0]), BitsOf(values)) << op.Text();
      ASSERT_EQ(results[0].shape, out);
      ++tried;
    }
  EXPECT_GT(tried, 300);
}

// --- Indices in tensors -----------------------------------------------------------------------------

struct GatherCase {
  Ints operand, indices;  // shapes
  Ints offset_dims, collapsed, batching, index_batching, start_map;
  int64_t vector_dim;
  Ints sizes;
  Ints result;
};
// The specification's example, each kind of dimension alone and together, vectors in the middle, and implicit
// vectors.
const GatherCase kGathers[] = {
    {{5, 4}, {3, 1}, {1}, {0}, {}, {}, {0}, 1, {1, 4}, {3, 4}},
    {{5, 4}, {3}, {0}, {1}, {}, {}, {1}, 1, {2, 1}, {2, 3}},
    {{5, 4}, {2, 2, 3}, {1, 3}, {}, {}, {}, {1, 0}, 0, {2, 3}, {2, 2, 3, 3}},
    {{2, 5, 4}, {2, 3, 1}, {2}, {1}, {0}, {0}, {1}, 2, {1, 1, 2}, {2, 3, 2}},
    {{4, 3, 2}, {3, 2, 2}, {}, {0}, {1, 2}, {0, 2}, {0}, 3, {1, 1, 1}, {3, 2, 2}},
    {{5}, {}, {}, {0}, {}, {}, {0}, 0, {1}, {}},
    {{3, 4}, {2, 0}, {1, 2}, {}, {}, {}, {}, 1, {2, 2}, {2, 2, 2}},
};

TEST(NaiveMovement, Gather) {
  for (const GatherCase& c : kGathers) {
    Values indices = OfInts("i32", c.indices, {});
    for (size_t i = 0; i < indices.at.size(); ++i)
      indices.at[i].re = Wrap(indices.type, int64_t(i * 5 % 9) - 2);
    ForTypes([&](const Type& type) {
      const Values in = Numbered(type, c.operand);
      const auto has = [](const Ints& list, int64_t d) {
        return std::find(list.begin(), list.end(), d) != list.end();
      };
      const bool implicit = c.vector_dim == int64_t(c.indices.size());
      const Values out = Fill(type, c.result, [&](const Ints& to) {
        Ints batch, offset;
        for (int64_t d = 0; d < int64_t(to.size()); ++d)
          (has(c.offset_dims, d) ? offset : batch).push_back(to[size_t(d)]);
        // The specification's formulas: full start index + full batching index + full offset index.
        Ints at(c.operand.size(), 0);
        for (size_t k = 0; k < c.start_map.size(); ++k) {
          Ints where = batch;
          if (!implicit) where.insert(where.begin() + c.vector_dim, int64_t(k));
          const size_t d = size_t(c.start_map[k]);
          at[d] = Clamp(int64_t(Integer(indices.type, indices[where].re)), 0, c.operand[d] - c.sizes[d]);
        }
        for (size_t k = 0; k < c.batching.size(); ++k) {
          const int64_t d = c.index_batching[k];
          at[size_t(c.batching[k])] = batch[size_t(d < c.vector_dim ? d : d - 1)];
        }
        size_t o = 0;
        for (size_t d = 0; d < c.operand.size(); ++d)
          if (!has(c.collapsed, int64_t(d)) && !has(c.batching, int64_t(d))) at[d] += offset[o++];
        return in[at];
      });
      std::string numbers = "dimension_numbers = #stablehlo.gather<offset_dims = " + List(c.offset_dims) +
                            ", collapsed_slice_dims = " + List(c.collapsed) +
                            ", operand_batching_dims = " + List(c.batching) +
                            ", start_indices_batching_dims = " + List(c.index_batching) +
                            ", start_index_map = " + List(c.start_map) +
                            ", index_vector_dim = " + std::to_string(c.vector_dim) + ">";
      Expect({.name = "stablehlo.gather",
              .operands = {in, indices},
              .results = {TypeText(out)},
              .attributes = numbers + ", slice_sizes = " + I64s(c.sizes) + ", indices_are_sorted = false"},
             {out});
      Expect({.name = "stablehlo.dynamic_gather",
              .operands = {in, indices, Vector(c.sizes)},
              .results = {Dynamic(out)},
              .attributes = numbers},
             {out});
    });
  }
}

TEST(NaiveMovement, TorchIndexSelect) {
  ForTypes([](const Type& type) {
    const Values in = Numbered(type, {2, 4, 3}), index = OfInts("i32", {2, 3}, {0, 3, 1, -1, 9, 2});
    const auto at = [&](const Ints& where) {
      return Clamp(int64_t(Integer(index.type, index[where].re)), 0, 3);
    };
    // batch_dims 0, dim 1: result[b, i, j, c] = operand[b, index[i, j], c].
    Expect({.name = "stablehlo.torch_index_select",
            .operands = {in, index},
            .results = {TypeText(type.name, {2, 2, 3, 3})},
            .attributes = "dim = 1 : i64, batch_dims = 0 : i64"},
           {Fill(type, {2, 2, 3, 3}, [&](const Ints& to) {
             return in[{to[0], at({to[1], to[2]}), to[3]}];
           })});
    // batch_dims 1: result[b, j, c] = operand[b, index[b, j], c]; both counted from the end, too.
    for (std::string_view attributes :
         {"dim = 1 : i64, batch_dims = 1 : i64", "dim = -2 : i64, batch_dims = -1 : i64"})
      Expect({.name = "stablehlo.torch_index_select",
              .operands = {in, index},
              .results = {TypeText(type.name, {2, 3, 3})},
              .attributes = std::string(attributes)},
             {Fill(type, {2, 3, 3}, [&](const Ints& to) {
               return in[{to[0], at({to[0], to[1]}), to[2]}];
             })});
  });
}

// --- Selection ------------------------------------------------------------------------------------

TEST(NaiveMovement, Select) {
  ForTypes([](const Type& type) {
    const Values a = Numbered(type, {11}), b = Numbered(type, {11}, 500);
    const Values pred = Numbered(*TypeOf("i1"), {11}, 3);
    const Values out = Fill(type, {11}, [&](const Ints& i) { return pred[i].re ? a[i] : b[i]; });
    Expect({.name = "stablehlo.select", .operands = {pred, a, b}, .results = {TypeText(a)}}, {out});
    for (uint64_t p : {0, 1})
      Expect({.name = "stablehlo.select",
              .operands = {Values(*TypeOf("i1"), {}, Scalar{p}), a, b},
              .results = {TypeText(a)}},
             {p ? a : b});
    // The predicate is a column, one alternative a row, and the other a scalar.
    const Values column = Numbered(*TypeOf("i1"), {4, 1}, 3), row = Numbered(type, {3}),
                 scalar = Numbered(type, {}, 77);
    Expect({.name = "chlo.broadcast_select",
            .operands = {column, row, scalar},
            .results = {TypeText(type.name, {4, 3})}},
           {Fill(type, {4, 3}, [&](const Ints& i) {
             return column[{i[0], 0}].re ? row[{i[1]}] : scalar.at[0];
           })});
  });
}

TEST(NaiveMovement, SplatsMoveAsTheirElements) {
  for (std::string_view name : {"i1", "i8", "bf16", "f32", "complex<f64>"}) {
    const Type type = *TypeOf(name);
    const Values one = Numbered(type, {}, 5), in(type, {3, 4}, one.at[0]);
    const Tensor splat = Tensor::Copy(
        ToTensor(in).type_ptr(), {reinterpret_cast<const char*>(ToTensor(in).data()), type.bytes()}, true);
    const auto expect = [&](OneOp op, const Ints& shape) {
      op.operands.insert(op.operands.begin(), in);
      op.results = {TypeText(type.name, shape)};
      std::vector<Tensor> args = {splat};
      for (size_t i = 1; i < op.operands.size(); ++i) args.push_back(ToTensor(op.operands[i]));
      const auto result = RunText(op.Text(), args);
      ASSERT_TRUE(result) << op.Text() << Message(result.error());
      EXPECT_EQ(FirstDifference(FromTensor(result->results[0]), Values(type, shape, one.at[0])), "")
          << op.Text();
    };
    const Values zero = OfInts("i32", {}, {0});
    expect({.name = "stablehlo.reshape"}, {12});
    expect({.name = "stablehlo.transpose", .attributes = "permutation = array<i64: 1, 0>"}, {4, 3});
    expect({.name = "stablehlo.reverse", .attributes = "dimensions = array<i64: 1>"}, {3, 4});
    expect({.name = "stablehlo.broadcast_in_dim", .attributes = "broadcast_dimensions = array<i64: 0, 2>"},
           {3, 2, 4});
    expect({.name = "stablehlo.slice",
            .attributes = "start_indices = array<i64: 1, 0>, limit_indices = array<i64: 3, "
                          "4>, strides = array<i64: 1, 3>"},
           {2, 2});
    expect({.name = "stablehlo.dynamic_slice",
            .operands = {zero, zero},
            .attributes = "slice_sizes = array<i64: 2, 2>"},
           {2, 2});
    expect(
        {.name = "stablehlo.dynamic_update_slice", .operands = {Values(type, {2, 1}, one.at[0]), zero, zero}},
        {3, 4});
    expect({.name = "stablehlo.pad",
            .operands = {one},
            .attributes = "edge_padding_low = array<i64: 1, 0>, "
                          "edge_padding_high = array<i64: 0, 2>, "
                          "interior_padding = array<i64: 0, 1>"},
           {4, 9});
    expect({.name = "stablehlo.concatenate", .operands = {in}, .attributes = "dimension = 0 : i64"}, {6, 4});
    expect(
        {.name = "stablehlo.gather",
         .operands = {OfInts("i32", {2, 1}, {1, 0})},
         .attributes = "dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], "
                       "start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 4>"},
        {2, 4});
  }
}

}  // namespace
}  // namespace shlo::naive
