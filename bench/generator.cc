#include "generator.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <vector>

namespace shlo::bench {
namespace {

struct Random {
  uint64_t state;
  uint64_t Next() {  // splitmix64
    uint64_t z = (state += 0x9E3779B97F4A7C15);
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EB;
    return z ^ (z >> 31);
  }
};

// Sizes of one layer. Layers differ, like the stages of a real model, but repeat.
struct Sizes {
  int batch, length, width, hidden;
};
constexpr Sizes kSizes[] = {
    {8, 128, 256, 1024}, {8, 64, 512, 2048}, {4, 256, 128, 512}, {16, 32, 768, 3072}, {2, 512, 64, 256}};

class Writer {
 public:
  std::string out;
  uint64_t ops = 0;

  // One layer as a function of about 90 ops.
  void Layer(uint64_t index, uint64_t kind) {
    s_ = kSizes[index % std::size(kSizes)];
    next_ = 0;
    Random random{kind};
    const std::string x = Type({s_.batch, s_.length, s_.width});
    const std::string w1 = Type({s_.width, s_.hidden}), w2 = Type({s_.hidden, s_.width});
    Line("  func.func private @layer_{}(%arg0: {}, %arg1: {}, %arg2: {}, %arg3: {}) -> {} {{", index, x, w1,
         w2, Type({s_.width}), x);
    ++ops;
    std::string v = Normalise("%arg0", x);
    v = Attention(v, x);
    v = Binary("add", v, "%arg0", x);
    const std::string residual = v;
    v = Normalise(v, x);
    v = Feed(v, x, w1, w2, index);
    v = Mask(v, x, index);
    v = Chain(v, x, &random);
    if (random.Next() % 4 == 0) v = Loop(v, x);
    if (random.Next() % 3 == 0) v = Table(v, x);
    if (random.Next() % 5 == 0) v = Custom(v, x);
    v = Binary("add", v, residual, x);
    Line("    return {} : {}", v, x);
    Line("  }}");
    ++ops;
  }

  // The entry function: calls every layer once, with separate weights.
  void Main(uint64_t layers) {
    next_ = 0;
    Line("  func.func public @main() {{");
    ops += 2;
    for (uint64_t i = 0; i < layers; ++i) {
      s_ = kSizes[i % std::size(kSizes)];
      const std::string x = Type({s_.batch, s_.length, s_.width});
      const std::string w1 = Type({s_.width, s_.hidden}), w2 = Type({s_.hidden, s_.width});
      const std::string a = Splat(0.5 + double(i) / 1024, x), b = Splat(0.01 + double(i) / 65536, w1);
      const std::string c = Splat(-0.02, w2), d = Splat(1.0, Type({s_.width}));
      Define("func.call @layer_{}({}, {}, {}, {}) : ({}, {}, {}, {}) -> {}", i, a, b, c, d, x, w1, w2,
             Type({s_.width}), x);
    }
    Line("    return");
    Line("  }}");
  }

  template <typename... Args>
  void Line(fmt::format_string<Args...> format, Args&&... args) {
    fmt::format_to(std::back_inserter(out), format, std::forward<Args>(args)...);
    out += '\n';
  }

 private:
  static std::string Type(std::initializer_list<int> shape, const char* element = "f32") {
    std::string type = "tensor<";
    for (int d : shape) type += fmt::format("{}x", d);
    return type + element + ">";
  }

  // Writes "%n = ..." and returns the name of the result.
  template <typename... Args>
  std::string Define(fmt::format_string<Args...> format, Args&&... args) {
    std::string name = fmt::format("%{}", next_++);
    out += "    " + name + " = ";
    fmt::format_to(std::back_inserter(out), format, std::forward<Args>(args)...);
    out += '\n';
    ++ops;
    return name;
  }
  std::string Binary(std::string_view op, const std::string& a, const std::string& b,
                     const std::string& type) {
    return Define("stablehlo.{} {}, {} : {}", op, a, b, type);
  }
  std::string Unary(std::string_view op, const std::string& a, const std::string& type) {
    return Define("stablehlo.{} {} : {}", op, a, type);
  }
  std::string Splat(double value, const std::string& type) {
    return Define("stablehlo.constant dense<{:e}> : {}", value, type);
  }
  std::string Broadcast(const std::string& a, const std::string& from, const std::string& to,
                        std::string_view dims) {
    return Define("\"stablehlo.broadcast_in_dim\"({}) {{broadcast_dimensions = array<i64{}{}>}} : ({}) -> {}",
                  a, dims.empty() ? "" : ": ", dims, from, to);
  }
  std::string Reduce(std::string_view op, const std::string& a, const std::string& from,
                     const std::string& to, double init, int dim) {
    const std::string zero = Splat(init, "tensor<f32>");
    std::string name = Define("\"stablehlo.reduce\"({}, {}) ({{", a, zero);
    Line("    ^bb0(%lhs: tensor<f32>, %rhs: tensor<f32>):");
    Line("      %r = stablehlo.{} %lhs, %rhs : tensor<f32>", op);
    Line("      \"stablehlo.return\"(%r) : (tensor<f32>) -> ()");
    Line("    }}) {{dimensions = array<i64: {}>}} : ({}, tensor<f32>) -> {}", dim, from, to);
    ops += 2;
    return name;
  }
  std::string Dot(const std::string& a, const std::string& b, std::string_view numbers, const std::string& ta,
                  const std::string& tb, const std::string& to) {
    return Define(
        "\"stablehlo.dot_general\"({}, {}) {{dot_dimension_numbers = #stablehlo.dot<{}>, precision_config = "
        "[#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}} : ({}, {}) -> {}",
        a, b, numbers, ta, tb, to);
  }

  std::string Normalise(const std::string& v, const std::string& x) {
    const std::string row = Type({s_.batch, s_.length});
    std::string sum = Reduce("add", v, x, row, 0, 2);
    const std::string n = Splat(s_.width, row);
    const std::string mean = Broadcast(Binary("divide", sum, n, row), row, x, "0, 1");
    const std::string centred = Binary("subtract", v, mean, x);
    sum = Reduce("add", Binary("multiply", centred, centred, x), x, row, 0, 2);
    const std::string variance = Binary("divide", sum, n, row);
    const std::string scale = Unary("rsqrt", Binary("add", variance, Splat(1e-5, row), row), row);
    const std::string scaled = Binary("multiply", centred, Broadcast(scale, row, x, "0, 1"), x);
    return Binary("multiply", scaled, Broadcast("%arg3", Type({s_.width}), x, "2"), x);
  }
  std::string Attention(const std::string& v, const std::string& x) {
    const std::string scores = Type({s_.batch, s_.length, s_.length}), row = Type({s_.batch, s_.length});
    std::string a = Dot(v, v,
                        "lhs_batching_dimensions = [0], rhs_batching_dimensions = [0], "
                        "lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [2]",
                        x, x, scores);
    a = Binary("multiply", a, Splat(0.125, scores), scores);
    const std::string top = Reduce("maximum", a, scores, row, -1e30, 2);
    a = Unary("exponential", Binary("subtract", a, Broadcast(top, row, scores, "0, 1"), scores), scores);
    const std::string sum = Reduce("add", a, scores, row, 0, 2);
    a = Binary("divide", a, Broadcast(sum, row, scores, "0, 1"), scores);
    return Dot(a, v,
               "lhs_batching_dimensions = [0], rhs_batching_dimensions = [0], "
               "lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [1]",
               scores, x, x);
  }
  std::string Feed(const std::string& v, const std::string& x, const std::string& w1, const std::string& w2,
                   uint64_t index) {
    const std::string flat = Type({s_.batch * s_.length, s_.width}),
                      wide = Type({s_.batch * s_.length, s_.hidden});
    const std::string half = Type({s_.batch * s_.length, s_.hidden}, "bf16");
    std::string a = Define("\"stablehlo.reshape\"({}) : ({}) -> {}", v, x, flat);
    a = Dot(a, "%arg1", "lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]", flat, w1, wide);
    a = index % 2 ? Unary("tanh", a, wide) : Binary("maximum", a, Splat(0, wide), wide);
    a = Define("\"stablehlo.convert\"({}) : ({}) -> {}", a, wide, half);
    a = Define("\"stablehlo.convert\"({}) : ({}) -> {}", a, half, wide);
    a = Dot(a, "%arg2", "lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]", wide, w2, flat);
    return Define("\"stablehlo.reshape\"({}) : ({}) -> {}", a, flat, x);
  }
  // Random element-wise ops on earlier values, as in fused activations.
  std::string Chain(const std::string& v, const std::string& x, Random* random) {
    static constexpr std::string_view kBinary[] = {"add",    "subtract", "multiply",
                                                   "divide", "maximum",  "minimum"};
    static constexpr std::string_view kUnary[] = {"negate",   "abs",  "exponential",
                                                  "logistic", "sqrt", "floor"};
    std::vector<std::string> values = {v, "%arg0", Splat(double(random->Next() % 1000) / 256, x)};
    const uint64_t count = 8 + random->Next() % 24;
    for (uint64_t i = 0; i < count; ++i) {
      const uint64_t r = random->Next();
      const std::string& a = values[values.size() - 1 - r % std::min<size_t>(values.size(), 6)];
      const std::string& b = values[(r >> 16) % values.size()];
      values.push_back((r >> 32) % 3 ? Binary(kBinary[(r >> 40) % 6], a, b, x)
                                     : Unary(kUnary[(r >> 40) % 6], a, x));
    }
    return values.back();
  }
  std::string Mask(const std::string& v, const std::string& x, uint64_t index) {
    const std::string positions = Type({s_.batch, s_.length, s_.width}, "i32");
    const std::string flags = Type({s_.batch, s_.length, s_.width}, "i1");
    const std::string at = Define("\"stablehlo.iota\"() {{iota_dimension = 1 : i64}} : () -> {}", positions);
    const std::string limit =
        Define("stablehlo.constant dense<{}> : {}", s_.length - int(index % 7) - 1, positions);
    const std::string keep = Define(
        "\"stablehlo.compare\"({}, {}) {{comparison_direction = #stablehlo<comparison_direction LT>, "
        "compare_type = "
        "#stablehlo<comparison_type SIGNED>}} : ({}, {}) -> {}",
        at, limit, positions, positions, flags);
    return Define("\"stablehlo.select\"({}, {}, {}) : ({}, {}, {}) -> {}", keep, v, Splat(0, x), flags, x, x,
                  x);
  }
  std::string Loop(const std::string& v, const std::string& x) {
    const std::string zero = Define("stablehlo.constant dense<0> : tensor<i32>");
    const std::string name = fmt::format("%{}", next_++);
    Line("    {}:2 = \"stablehlo.while\"({}, {}) ({{", name, zero, v);
    Line("    ^bb0(%i: tensor<i32>, %x: {}):", x);
    Line("      %n = stablehlo.constant dense<{}> : tensor<i32>", s_.length);
    Line(
        "      %c = \"stablehlo.compare\"(%i, %n) {{comparison_direction = #stablehlo<comparison_direction "
        "LT>}} : "
        "(tensor<i32>, tensor<i32>) -> tensor<i1>");
    Line("      \"stablehlo.return\"(%c) : (tensor<i1>) -> ()");
    Line("    }}, {{");
    Line("    ^bb0(%i: tensor<i32>, %x: {}):", x);
    Line("      %one = stablehlo.constant dense<1> : tensor<i32>");
    Line("      %j = stablehlo.add %i, %one : tensor<i32>");
    Line("      %y = stablehlo.cosine %x : {}", x);
    Line("      \"stablehlo.return\"(%j, %y) : (tensor<i32>, {}) -> ()", x);
    Line("    }}) : (tensor<i32>, {0}) -> (tensor<i32>, {0})", x);
    ops += 8;
    return name + "#1";
  }
  std::string Table(const std::string& v, const std::string& x) {
    const std::string flat = Type({s_.batch * s_.length, s_.width}),
                      indices = Type({s_.batch * s_.length, 1}, "i32");
    const std::string a = Define("\"stablehlo.reshape\"({}) : ({}) -> {}", v, x, flat);
    const std::string at = Define("\"stablehlo.iota\"() {{iota_dimension = 0 : i64}} : () -> {}", indices);
    const std::string rows = Define(
        "\"stablehlo.gather\"({}, {}) {{dimension_numbers = #stablehlo.gather<offset_dims = [1], "
        "collapsed_slice_dims "
        "= [0], start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = true, slice_sizes = "
        "array<i64: 1, "
        "{}>}} : ({}, {}) -> {}",
        a, at, s_.width, flat, indices, flat);
    const std::string part = Type({s_.batch * s_.length / 2, s_.width});
    const auto slice = [&](int from, int to) {
      return Define(
          "\"stablehlo.slice\"({}) {{limit_indices = array<i64: {}, {}>, start_indices = array<i64: {}, 0>, "
          "strides = "
          "array<i64: 1, 1>}} : ({}) -> {}",
          rows, to, s_.width, from, flat, part);
    };
    const int middle = s_.batch * s_.length / 2;
    const std::string low = slice(0, middle), high = slice(middle, 2 * middle);
    const std::string joined =
        Define("\"stablehlo.concatenate\"({}, {}) {{dimension = 0 : i64}} : ({}, {}) -> {}", high, low, part,
               part, flat);
    return Define("\"stablehlo.reshape\"({}) : ({}) -> {}", joined, flat, x);
  }
  std::string Custom(const std::string& v, const std::string& x) {
    const std::string turned = Type({s_.batch, s_.width, s_.length});
    const std::string a = Define(
        "\"stablehlo.transpose\"({}) {{permutation = array<i64: 0, 2, 1>}} : ({}) -> {}", v, x, turned);
    const std::string b = Define(
        "\"stablehlo.custom_call\"({}) {{call_target_name = \"Sharding\", backend_config = \"\", "
        "has_side_effect = "
        "false, api_version = 1 : i32, mhlo.sharding = \"{{devices=[{},1,1]<=[{}]}}\"}} : ({}) -> {}",
        a, s_.batch, s_.batch, turned, turned);
    return Define("\"stablehlo.transpose\"({}) {{permutation = array<i64: 0, 2, 1>}} : ({}) -> {}", b, turned,
                  x);
  }

  Sizes s_ = kSizes[0];
  int next_ = 0;
};

}  // namespace

std::string MakeProgram(uint64_t ops, uint64_t layer_kinds) {
  Writer w;
  w.out.reserve(ops * 110);
  w.out = "module @bench attributes {stablehlo.compat_version = 73 : i32} {\n";
  uint64_t layers = 0;
  // Every layer adds five ops to the entry function.
  while (w.ops + 5 * layers + 3 < ops) {
    w.Layer(layers, layers % layer_kinds);
    ++layers;
  }
  w.Main(layers);
  w.out += "}\n";
  return std::move(w.out);
}

std::string MakeWeights(uint64_t bytes) {
  constexpr int kConstants = 16;
  const uint64_t floats = bytes / 4 / kConstants;
  std::string out = "module @weights {\n  func.func public @main() {\n";
  out.reserve(bytes * 2 + 4096);
  Random random{1};
  for (int i = 0; i < kConstants; ++i) {
    out += fmt::format("    %{} = stablehlo.constant dense<\"0x", i);
    for (uint64_t f = 0; f < floats; ++f) {
      // Uniform in (1, 2) with both signs: all mantissa bits are random, as in trained weights.
      const uint64_t r = random.Next();
      const uint32_t bits = 0x3F800000 | uint32_t(r & 0x807FFFFF);
      for (int byte = 0; byte < 4; ++byte) {
        out += "0123456789ABCDEF"[bits >> (8 * byte + 4) & 15];
        out += "0123456789ABCDEF"[bits >> (8 * byte) & 15];
      }
    }
    out += fmt::format("\"> : tensor<{}xf32>\n", floats);
  }
  return out + "    return\n  }\n}\n";
}

std::string MakeDecimals(uint64_t bytes) {
  constexpr uint64_t kElements = 100000;
  std::string out = "module @decimals {\n  func.func public @main() {\n";
  out.reserve(bytes + (bytes >> 3));
  Random random{1};
  for (int n = 0; out.size() < bytes; ++n) {
    const bool real = n % 2 == 0;
    out += fmt::format("    %{} = stablehlo.constant dense<[", n);
    for (uint64_t k = 0; k < kElements; ++k) {
      const uint64_t r = random.Next();
      if (k) out += ", ";
      if (real)
        out += fmt::format("{:.6e}", (double(r >> 11) / double(1ull << 53) - 0.5) * 8);
      else
        out += std::to_string(int32_t(r >> (r & 24)));
    }
    out += fmt::format("]> : tensor<{}x{}>\n", kElements, real ? "f32" : "i32");
  }
  return out + "    return\n  }\n}\n";
}

}  // namespace shlo::bench
