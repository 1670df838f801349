// Programs with one mistake each, made from a valid one: evaluation refuses them or computes something, and
// never crashes.
#pragma once

#include <algorithm>
#include <set>

#include "eval/naive/program.h"

namespace shlo::naive {

// A tensor of some codes, in turn; without any, of small ones.
inline Values Of(std::string_view type, const Ints& shape, std::vector<uint64_t> codes = {}) {
  Values values(*TypeOf(type), shape);
  for (size_t i = 0; i < values.at.size(); ++i)
    values.at[i].re = codes.empty() ? i % 3 : codes[i % codes.size()];
  return values;
}

// {^bb0(%x, %y): return op(%x, %y)}; compare is >=.
inline std::string Body(std::string_view op, std::string_view element, std::string_view result = "") {
  const std::string t = TypeText(element, {}), r = result.empty() ? t : TypeText(result, {});
  return "{\n^bb0(%x: " + t + ", %y: " + t + "):\n  %z = \"" + std::string(op) + "\"(%x, %y) " +
         (op == "stablehlo.compare" ? "{comparison_direction = #stablehlo<comparison_direction GE>} " : "") +
         ": (" + t + ", " + t + ") -> " + r + "\n  \"stablehlo.return\"(%z) : (" + r + ") -> ()\n}";
}

// Splits "a = 1, b = <2, 3>" at the commas outside of brackets.
inline std::vector<std::string> Entries(const std::string& attributes) {
  std::vector<std::string> entries;
  int depth = 0;
  std::string entry;
  for (char c : attributes) {
    depth += c == '<' || c == '[' || c == '{';
    depth -= c == '>' || c == ']' || c == '}';
    if (c == ',' && depth == 0) {
      entries.push_back(entry);
      entry.clear();
    } else if (!(entry.empty() && c == ' ')) {
      entry += c;
    }
  }
  if (!entry.empty()) entries.push_back(entry);
  return entries;
}
inline std::string Joined(const std::vector<std::string>& entries) {
  std::string text;
  for (const std::string& entry : entries) text += (text.empty() ? "" : ", ") + entry;
  return text;
}
// Replaces the n-th number after the name of an attribute; empty if there are fewer.
inline std::string WithNumber(const std::string& entry, size_t n, const std::string& number) {
  size_t at = entry.find('=');
  while (at < entry.size()) {
    const auto digit = [&](size_t i) { return i < entry.size() && entry[i] >= '0' && entry[i] <= '9'; };
    const auto starts = [&](size_t i) {
      return digit(i) &&
             (entry[i - 1] == ' ' || entry[i - 1] == '[' || entry[i - 1] == '<' || entry[i - 1] == '-');
    };
    if (!starts(at)) {
      ++at;
      continue;
    }
    size_t end = at;
    while (digit(end)) ++end;
    if (n-- == 0) {
      const size_t begin = entry[at - 1] == '-' ? at - 1 : at;
      return entry.substr(0, begin) + number + entry.substr(end);
    }
    at = end;
  }
  return "";
}

inline std::vector<OneOp> Damaged(const OneOp& op) {
  std::vector<OneOp> all;
  const auto add = [&](auto change) {
    OneOp copy = op;
    change(copy);
    all.push_back(std::move(copy));
  };
  for (size_t i = 0; i < op.operands.size(); ++i) {
    add([&](OneOp& o) { o.operands.erase(o.operands.begin() + ptrdiff_t(i)); });
    add([&](OneOp& o) { o.operands.push_back(o.operands[i]); });
    const Values& operand = op.operands[i];
    add([&](OneOp& o) { o.operands[i] = Values(operand.type, {}); });
    add([&](OneOp& o) { o.operands[i] = Values(operand.type, {2}); });
    add([&](OneOp& o) { o.operands[i].shape.push_back(1); });
    for (size_t d = 0; d < operand.shape.size(); ++d)
      for (int64_t extent : {operand.shape[d] + 1, int64_t(0)})
        add([&](OneOp& o) {
          Ints shape = operand.shape;
          shape[d] = extent;
          o.operands[i] = Values(operand.type, shape);
        });
    for (std::string_view element : {"i1", "i8", "f32", "f64", "f8E5M2", "complex<f32>", "ui64"})
      if (element != operand.type.name)
        add([&](OneOp& o) { o.operands[i] = Values(*TypeOf(element), operand.shape); });
    // Indices and sizes out of range.
    if (operand.type.is_integer())
      for (uint64_t v : {~0ull, 1ull << 40, 7ull})
        add([&](OneOp& o) {
          o.operands[i] = Values(operand.type, operand.shape, Scalar{v & Ones(operand.type.width)});
        });
  }
  const std::vector<std::string> entries = Entries(op.attributes);
  for (size_t i = 0; i < entries.size(); ++i) {
    std::vector<std::string> fewer = entries;
    fewer.erase(fewer.begin() + ptrdiff_t(i));
    add([&](OneOp& o) { o.attributes = Joined(fewer); });
    const std::string name = entries[i].substr(0, entries[i].find(' '));
    for (const char* value :
         {"unit", "\"text\"", "array<i64>", "array<i64: 1, 2, 3, 4, 5>", "-1 : i64", "array<f32: 1.0>"}) {
      std::vector<std::string> other = entries;
      other[i] = name + " = " + value;
      add([&](OneOp& o) { o.attributes = Joined(other); });
    }
    for (size_t n = 0; n < 8; ++n)
      for (const char* number : {"-1", "0", "1", "2", "5", "1099511627776"}) {
        std::vector<std::string> other = entries;
        other[i] = WithNumber(entries[i], n, number);
        if (!other[i].empty()) add([&](OneOp& o) { o.attributes = Joined(other); });
      }
  }
  for (size_t i = 0; i < op.results.size(); ++i) {
    add([&](OneOp& o) { o.results.erase(o.results.begin() + ptrdiff_t(i)); });
    add([&](OneOp& o) { o.results.push_back(o.results[i]); });
    for (const char* type : {"tensor<i1>", "tensor<3xi8>", "tensor<*xf32>", "tensor<?x?x?x?xf32>",
                             "!stablehlo.token", "tensor<2x!quant.uniform<i8:f32, 5.0e-01>>", "tensor<4xi3>"})
      add([&](OneOp& o) { o.results[i] = type; });
  }
  if (!op.regions.empty()) {
    add([&](OneOp& o) { o.regions.clear(); });
    add([&](OneOp& o) { o.regions += ", {\n  \"stablehlo.return\"() : () -> ()\n}"; });
    add([&](OneOp& o) { o.regions = "{\n  \"stablehlo.return\"() : () -> ()\n}"; });
    add([&](OneOp& o) {
      o.regions =
          "{\n^bb0(%p: tensor<2xi32>, %q: tensor<2xi32>):\n  \"stablehlo.return\"(%p) : (tensor<2xi32>) -> "
          "()\n}";
    });
    add([&](OneOp& o) {
      o.regions = "{\n^bb0(%p: tensor<i32>):\n  \"stablehlo.return\"(%p) : (tensor<i32>) -> ()\n}";
    });
  }
  return all;
}

// Returns how many of them were refused.
inline int ExpectDamageIsRefusedOrHarmless(const OneOp& op) {
  static constexpr Code kCodes[] = {Code::kInvalidProgram, Code::kEvaluation, Code::kUnsupported,
                                    Code::kLimit};
  int refused = 0;
  for (const OneOp& damaged : Damaged(op)) {
    const std::string text = damaged.Text();
    const Result<Module> module = Read(text);
    if (!module) continue;
    std::vector<Tensor> args;
    for (const Values& operand : damaged.operands) args.push_back(ToTensor(operand));
    EvalOptions options;
    options.limits.max_memory = 64 << 20;
    options.limits.max_steps = 100'000;
    const Result<EvalResult> result = Evaluate(*module, "main", args, options);
    if (result) continue;
    ++refused;
    EXPECT_TRUE(std::ranges::find(kCodes, result.error()[0].code) != std::end(kCodes))
        << text << Message(result.error());
    EXPECT_FALSE(result.error()[0].message.empty()) << text;
  }
  return refused;
}

}  // namespace shlo::naive
