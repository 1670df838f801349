// Tensors as lists of numbers (number.h), and programs of one op to run on them.
#pragma once

#include <gtest/gtest.h>

#include <map>
#include <numeric>

#include "base/try.h"
#include "eval/naive/number.h"
#include "shlo/evaluate.h"
#include "shlo/text_reader.h"
#include "shlo/verify.h"

namespace shlo::naive {

using Ints = std::vector<int64_t>;

// A tensor: its elements in row-major order.
struct Values {
  Type type;
  Ints shape;
  std::vector<Scalar> at;

  Values() = default;
  Values(Type t, Ints s, Scalar fill = {}) : type(std::move(t)), shape(std::move(s)) {
    int64_t n = 1;
    for (int64_t d : shape) n *= d;
    at.assign(size_t(n), fill);
  }
  Values(Type t, Ints s, std::vector<Scalar> v) : type(std::move(t)), shape(std::move(s)), at(std::move(v)) {}
  // The position of an index.
  size_t Position(const Ints& index) const {
    size_t position = 0;
    for (size_t d = 0; d < shape.size(); ++d) position = position * size_t(shape[d]) + size_t(index[d]);
    return position;
  }
  Scalar& operator[](const Ints& index) { return at[Position(index)]; }
  const Scalar& operator[](const Ints& index) const { return at[Position(index)]; }
};

// All indices of a shape, in row-major order.
inline std::vector<Ints> Indices(const Ints& shape) {
  std::vector<Ints> all = {{}};
  for (int64_t extent : shape) {
    std::vector<Ints> longer;
    for (const Ints& index : all)
      for (int64_t i = 0; i < extent; ++i) {
        longer.push_back(index);
        longer.back().push_back(i);
      }
    all = std::move(longer);
  }
  return all;
}

inline std::string TypeText(std::string_view element, const Ints& shape) {
  std::string text = "tensor<";
  for (int64_t d : shape) text += (d < 0 ? "?" : std::to_string(d)) + "x";
  return text + std::string(element) + ">";
}
inline std::string TypeText(const Values& values) { return TypeText(values.type.name, values.shape); }

// "[1, 2]"; with a prefix, "array<i64: 1, 2>".
inline std::string List(const Ints& values, std::string_view prefix = "", std::string_view suffix = "") {
  std::string text(prefix);
  if (prefix.empty()) text = "[";
  for (size_t i = 0; i < values.size(); ++i) text += (i ? ", " : "") + std::to_string(values[i]);
  return text + (prefix.empty() ? "]" : std::string(suffix));
}
inline std::string I64s(const Ints& values) {
  return values.empty() ? "array<i64>" : List(values, "array<i64: ", ">");
}
inline std::string Pairs(const std::vector<Ints>& rows) {
  std::string text = "dense<[";
  for (size_t i = 0; i < rows.size(); ++i) text += (i ? ", " : "") + List(rows[i]);
  if (rows.empty())
    text = "dense<";
  else
    text += "]";
  return text + "> : tensor<" + std::to_string(rows.size()) + "x" +
         std::to_string(rows.empty() ? 2 : rows[0].size()) + "xi64>";
}

inline TypeKind KindOf(const Type& type) {
  std::string_view name = type.name;
  if (type.complex) name = name.substr(8, name.size() - 9);
  for (const KindRow& row : TypeKinds())
    if (row.mnemonic == name && BitWidth(TypeKind(row.id)) > 0) return TypeKind(row.id);
  return TypeKind::kInvalid;
}
inline Tensor ToTensor(const Values& values) {
  std::string bytes;
  for (const Scalar& v : values.at) {
    bytes.append(reinterpret_cast<const char*>(&v.re), values.type.part_bytes());
    if (values.type.complex) bytes.append(reinterpret_cast<const char*>(&v.im), values.type.part_bytes());
  }
  return Tensor::Copy(MakeTensorType({KindOf(values.type), values.type.complex}, values.shape), bytes);
}
inline Values FromTensor(const Tensor& tensor) {
  std::optional<Type> type = TypeOf(ElementName(tensor.element()));
  Values values(type.value_or(Type{}), tensor.type().shape);
  for (size_t i = 0; i < values.at.size(); ++i)
    values.at[i] = {ElementBits(tensor, i), values.type.complex ? ElementBits(tensor, i, 1) : 0};
  return values;
}

// An op with its operands. Types are those of the operands unless `operand_types` states others.
struct OneOp {
  std::string name;
  std::vector<Values> operands;
  std::vector<std::string> results;  // types
  std::string attributes;            // "a = 1 : i64, b = ..."
  std::string regions;               // "{...}, {...}"
  std::vector<std::string> operand_types = {};
  std::vector<std::string> argument_types =
      {};  // where they differ from the operand types (quantized values)

  std::string Text() const {
    std::string types, arguments, names, outs, returned;
    for (size_t i = 0; i < operands.size(); ++i) {
      const std::string type = operand_types.empty() ? TypeText(operands[i]) : operand_types[i];
      const std::string comma = i ? ", " : "", n = std::to_string(i);
      types += comma + type;
      names += comma + "%a" + n;
      arguments += comma + "%a" + n + ": " + type;
    }
    for (size_t i = 0; i < results.size(); ++i) {
      outs += (i ? ", " : "") + results[i];
      returned += (i ? ", " : "") + std::string("%r#") + std::to_string(i);
    }
    const std::string head = results.empty() ? "" : "%r:" + std::to_string(results.size()) + " = ";
    return "func.func @main(" + arguments + ") -> (" + outs + ") {\n  " + head + "\"" + name + "\"(" + names +
           ")" + (regions.empty() ? "" : " (" + regions + ")") +
           (attributes.empty() ? "" : " {" + attributes + "}") + " : (" + types + ") -> (" + outs + ")\n  " +
           (results.empty() ? "return\n}\n" : "return " + returned + " : " + outs + "\n}\n");
  }
};

inline Result<Module> Read(std::string_view text) { return ReadText(text, Buffer(), {}); }

// Evaluates the function `main` of a program.
inline Result<EvalResult> RunText(const std::string& text, const std::vector<Tensor>& args,
                                  const EvalOptions& options = {}) {
  Module module = SHLO_TRY(Read(text));
  Result<EvalResult> result = Evaluate(module, "main", args, options);
  if (result)
    for (Tensor& tensor : result->results) tensor = tensor.Owned();
  return result;
}
inline std::string Message(const Diagnostics& diagnostics) {
  return diagnostics.empty() ? "no message" : diagnostics[0].op + ": " + diagnostics[0].message;
}

// Different numbers of any type; floats are below 1000 / divisor, so that sums of them round and do not
// overflow at once.
inline Values Numbers(const Type& type, const Ints& shape, uint64_t seed, int divisor) {
  Values values(type, shape);
  for (size_t i = 0; i < values.at.size(); ++i) {
    const uint64_t h = (i + seed * 977) * 0x9E3779B97F4A7C15ull >> 20;
    const auto part = [&](uint64_t v) {
      if (!type.format) return v & Ones(type.width);
      return Encode(*type.format, (Wide(int64_t(v % 2001)) - 1000) / divisor);
    };
    values.at[i] = {part(h), type.complex ? part(h >> 11) : 0};
  }
  return values;
}

// With too little memory or too few steps evaluation fails with an error that says so, or else gives the same
// result.
inline void ExpectLimitsHold(const Module& module, const std::vector<Tensor>& args, const EvalResult& whole,
                             uint64_t peak) {
  constexpr uint64_t kParts = 24;
  for (uint64_t part = 0; part < 2 * kParts; ++part) {
    EvalOptions options;
    if (part < kParts)
      options.limits.max_memory = peak * part / kParts;
    else
      options.limits.max_steps = part - kParts;
    const Result<EvalResult> result = Evaluate(module, "main", args, options);
    if (!result) {
      ASSERT_EQ(result.error()[0].code, Code::kLimit) << Message(result.error());
      continue;
    }
    for (size_t i = 0; i < whole.results.size(); ++i)
      ASSERT_TRUE(BitEqual(result->results[i], whole.results[i]))
          << options.limits.max_memory << " " << options.limits.max_steps;
  }
}

// Evaluates one op. No values, and a failure of the test, if that fails. The first program of each op runs
// again with lower limits.
inline std::vector<Values> ResultsOf(const OneOp& op) {
  static std::map<std::string, int> runs;
  std::vector<Tensor> args;
  for (const Values& operand : op.operands) args.push_back(ToTensor(operand));
  const std::string text = op.Text();
  std::vector<Values> out;
  const Result<Module> module = Read(text);
  if (!module) {
    ADD_FAILURE() << text << Message(module.error());
    return out;
  }
  EvalProfile profile;
  EvalOptions options;
  const bool first = runs[op.name]++ % 100 == 0;
  if (first) options.profile = &profile;
  const Result<EvalResult> result = Evaluate(*module, "main", args, options);
  if (!result) {
    ADD_FAILURE() << text << Message(result.error());
    return out;
  }
  if (first) {
    SCOPED_TRACE(text);
    EXPECT_EQ(profile.ops[op.name].runs, 1u);
    ExpectLimitsHold(*module, args, *result, profile.peak_bytes);
  }
  for (const Tensor& tensor : result->results) out.push_back(FromTensor(tensor));
  return out;
}

// Whether the op table allows an op with these types and attributes.
inline bool Verifies(const OneOp& op) {
  const Result<Module> module = Read(op.Text());
  return module && Verify(*module).empty();
}

// "[1, 0]: 0x3f800000" of the first element that differs; empty if none does.
inline std::string FirstDifference(const Values& actual, const Values& expected) {
  if (!(actual.type == expected.type))
    return "type " + actual.type.name + " instead of " + expected.type.name;
  if (actual.shape != expected.shape)
    return "shape " + List(actual.shape) + " instead of " + List(expected.shape);
  char text[160];
  for (size_t i = 0; i < expected.at.size(); ++i)
    if (!(actual.at[i] == expected.at[i])) {
      std::snprintf(text, sizeof text, "element %zu: (0x%llx, 0x%llx) instead of (0x%llx, 0x%llx)", i,
                    (unsigned long long)actual.at[i].re, (unsigned long long)actual.at[i].im,
                    (unsigned long long)expected.at[i].re, (unsigned long long)expected.at[i].im);
      return text;
    }
  return "";
}
// Runs an op and expects these results, bit for bit.
inline void Expect(const OneOp& op, const std::vector<Values>& expected) {
  const std::vector<Values> actual = ResultsOf(op);
  if (actual.empty() && !expected.empty()) return;
  ASSERT_EQ(actual.size(), expected.size()) << op.Text();
  for (size_t i = 0; i < expected.size(); ++i) {
    const std::string difference = FirstDifference(actual[i], expected[i]);
    ASSERT_EQ(difference, "") << "result " << i << " of\n" << op.Text();
  }
}

// Every element type that can be evaluated, from the rows; a failure for one without a definition in
// number.h.
inline std::vector<Type> AllTypes() {
  std::vector<Type> types;
  for (const KindRow& row : TypeKinds()) {
    const TypeKind kind = TypeKind(row.id);
    if (BitWidth(kind) <= 0 || BitWidth(kind) > 64) continue;  // f80 and f128 are only stored
    const std::optional<Type> type = TypeOf(row.mnemonic);
    if (!type || type->width != BitWidth(kind)) {
      ADD_FAILURE() << "lib/eval/naive/number.h does not define " << row.mnemonic;
      continue;
    }
    types.push_back(*type);
  }
  types.push_back(*TypeOf("complex<f32>"));
  types.push_back(*TypeOf("complex<f64>"));
  return types;
}

// The names of the kernel table's rows.
inline const std::vector<std::string_view>& EvaluableOps() {
  static const std::vector<std::string_view> kNames = {
#define SHLO_ELEMENTWISE(op, picker) op,
#define SHLO_BROADCASTING(op, picker) op,
#define SHLO_KERNEL(op, ...) op,
#define SHLO_MOVING(op, ...) op,
#define SHLO_OUTSIDE(op, ...) op,
#define SHLO_PROCESSES(op, ...) op,
#define SHLO_UPSTREAM(op, ...) op,
#define SHLO_OTHER_DIALECT(op, ...) op,
#include "eval/kernels/kernel_rows.inc"
  };
  return kNames;
}

}  // namespace shlo::naive
