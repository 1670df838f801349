// A dialect for tests: every kind of part, in versions.
#pragma once

#include <gtest/gtest.h>

#include <string>

#include "shlo/dialect.h"
#include "shlo/text_reader.h"

namespace shlo {

inline constexpr char kTestDialect[] = R"(
dialect = "acme"
version = [{ number = 1 }, { number = 2, release = "1.1", stablehlo = "1.9.0" }, { number = 3, release = "2.0", stablehlo = "1.11.0" }, { number = 4 , release = "2.1", stablehlo = "1.14.0" }]

[[type]]
name = "packed"
since = 2
parameters = [
  { name = "element", kind = "type" },
  { name = "lanes", kind = "integer" },
  { name = "layout", kind = "case", cases = [{ name = "row", until = 3 }, { name = "tile", since = 3 }] },
]
[[type]]
name = "handle"
until = 3

[[attribute]]
name = "info"
parameters = [{ name = "text", kind = "string" }, { name = "value", kind = "attribute" }]

[[op]]
name = "all"
operands = [
  { name = "a", type = "tensor<f32 | bf16>" },
  { name = "b", type = ["scalar<integer>", "i32", "!packed"], arity = "optional" },
  { name = "c", type = "static", arity = "list" },
]
results = [{ name = "r" , type = "tensor<float>", arity = "optional" }]
attributes = [
  { name = "flag", kind = "bool", default = "false" },
  { name = "count", kind = "i64" },
  { name = "info", kind = "#info", optional = true },
  { name = "words", kind = "string[]", optional = true },
  { name = "sizes", kind = "array<i32>", optional = true },
]
regions = [{ name = "body" }, { name = "more", arity = "list" }]
same = [{ what = "element", of = ["a", "r"] }]

[[op]]
name = "sum"
formerly = [{ name = "add", until = 1 }, { name = "plus", until = 2 }]
operands = [
  { name = "x", type = "tensor", arity = "list", list-since = 2 },
  { name = "scale", type = "scalar<float>", arity = "optional", since = 3 },
]
results = [{ name = "out", type = "tensor" }]
attributes = [
  { name = "mode", kind = "string", default = "\"fast\"", since = 2 },
  { name = "old", kind = "integer", optional = true, until = 2 },
  { name = "id", kind = "i32" },
]
regions = [{ name = "hooks", arity = "list", since = 4 }]
same = [{ what = "type", of = ["x", "out"] }]

[[op]]
name = "late"
since = 3

[[op]]
name = "pair"
operands = [{ name = "p" }, { name = "q" }]
same = [{ what = "shape", of = ["p", "q"], since = 4 }]

[[op]]
name = "tail"
operands = [{ name = "head" }, { name = "rest", arity = "list" }]

[[op]]
name = "early"
until = 2
)";

inline Dialect TestDialect() {
  auto dialect = ParseDialect(kTestDialect, "acme.toml");
  EXPECT_TRUE(dialect) << (dialect ? "" : Render(dialect.error()[0]));
  return dialect ? std::move(*dialect) : Dialect();
}

inline Module ReadProgram(const std::string& text, Source* source = nullptr) {
  const Buffer owner = std::make_shared<std::string>(text);
  auto module = ReadText(*static_cast<const std::string*>(owner.get()), owner, {}, source);
  EXPECT_TRUE(module) << (module ? "" : Render(module.error()[0])) << text;
  return module ? std::move(*module) : Module();
}

// Returns a function with these ops at a version.
inline std::string ProgramAt(int version, const std::string& ops) {
  return "module attributes {acme.version = " + std::to_string(version) +
         " : i64} {\n"
         "func.func @main(%f: tensor<2xf32>, %d: tensor<?xf32>, %i: tensor<i32>, %n: i32, %s: tensor<f32>) "
         "{\n" +
         ops + "\nreturn\n}\n}\n";
}

}  // namespace shlo
