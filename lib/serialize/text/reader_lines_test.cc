#include <fmt/format.h>
#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "shlo/source.h"
#include "shlo/text_reader.h"
#include "shlo/text_writer.h"
#include "shlo/verify.h"

namespace shlo {
namespace {

// Everything that reading a text tells: the program with its locations, the places of its parts, messages.
std::string Told(const std::string& text, TextReadOptions options) {
  Source source;
  const auto owner = std::make_shared<std::string>(text);
  const auto module = ReadText(*owner, owner, options, &source);
  std::string told;
  if (!module) {
    for (const Diagnostic& d : module.error()) told += Render(d) + "\n";
    return told;
  }
  TextWriteOptions write;
  write.locations = true;
  told = *WriteText(*module, write);
  for (uint32_t i = 1; i < module->ops.size(); ++i) {
    const Op& op = module->ops[i];
    told += fmt::format("{} {}", source.places.OffsetOfOp(OpId(i)), source.places.OffsetOfTypes(OpId(i)));
    if (op.revision)
      for (const Cell& cell : RevisionOf(op.revision).attrs)
        for (const auto part : {SourcePlaces::Part::kAttr, SourcePlaces::Part::kDictionary})
          told += fmt::format(" {}", source.places.OffsetOfAttr(OpId(i), cell.name, part));
    for (const NamedAttr& attr : module->DiscardableAttrsOf(op))
      told += fmt::format(" {}", source.places.OffsetOfAttr(OpId(i), module->strings[attr.name]));
    for (const RegionId region : module->RegionsOf(op))
      told += fmt::format(" in {}", module->regions[region.v].parent.v);
    told += '\n';
  }
  VerifyOptions verify;
  verify.source = &source;
  for (const Diagnostic& d : Verify(*module, verify)) told += Render(d) + "\n";
  return told;
}

// Reads a text; then without the lines before, as a trace is read: both must tell the same.
std::string Same(const std::string& text, TextReadOptions options = {}) {
  std::string told = Told(text, options);
  options.trace = [](std::string_view) {};
  EXPECT_EQ(told, Told(text, options)) << text;
  return told;
}

// A function of these lines.
std::string Function(const std::string& lines) {
  return "func.func @main(%a: tensor<4xf32>, %b: tensor<4xf32>, %w: tensor<8xf32>) {\n" + lines +
         "return\n}\n";
}

TEST(KnownLines, OtherNames) {
  const std::string told =
      Same(Function("%0 = stablehlo.subtract %a, %b : tensor<4xf32>\n"
                    "%1 = stablehlo.subtract %b, %0 : tensor<4xf32>\n"
                    "%x-1 = stablehlo.subtract %1, %a : tensor<4xf32>\n"
                    "  %123456789 = stablehlo.subtract %x-1, %x-1 : tensor<4xf32>  \n"
                    "%007 = stablehlo.subtract %123456789, %1 : tensor<4xf32>\r\n"
                    "%c = stablehlo.constant dense<1.0> : tensor<4xf32>\n"
                    "%d = stablehlo.constant dense<1.0> : tensor<4xf32>\n"
                    "%8 = stablehlo.subtract %007, %d : tensor<4xf32>\n"));
  EXPECT_NE(told.find("%4 = stablehlo.subtract %3, %1 :"), told.npos) << told;
  EXPECT_NE(told.find("%5 = stablehlo.subtract %4, %cst_0 :"), told.npos) << told;
}

// Numbers that are large for their text are names like others, in known lines, too.
TEST(KnownLines, LargeNumbers) {
  for (int number = 91; number < 400; ++number)
    for (const int other : {number - 30, number + 30}) {
      const std::string told =
          Same(Function(fmt::format("%1 = stablehlo.add %a, %b : tensor<4xf32>\n"
                                    "%90 = stablehlo.add %a, %b : tensor<4xf32>\n"
                                    "%{0} = stablehlo.add %a, %b : tensor<4xf32>\n"
                                    "%{1} = stablehlo.add %a, %b : tensor<4xf32>\n"
                                    "\"x.y\"(%{0}, %{1}) : (tensor<4xf32>, tensor<4xf32>) -> ()\n",
                                    number, other == 90 ? 89 : other)));
      EXPECT_EQ(told.find("error"), told.npos) << told;
    }
}

TEST(KnownLines, OtherTypesOfOperands) {
  EXPECT_NE(Same(Function("%0 = stablehlo.add %a, %b : tensor<4xf32>\n"
                          "%1 = stablehlo.add %a, %w : tensor<4xf32>\n"))
                .find("use of value '%w' expects different type than prior uses"),
            std::string::npos);
  // The types of what a form does not write are those of its operands.
  Same(
      Function("%c = stablehlo.constant dense<1> : tensor<1xindex>\n"
               "%d = stablehlo.constant dense<1> : tensor<2xindex>\n"
               "%p = shape.const_witness true\n"
               "%0 = shape.value_as_shape %c : tensor<1xindex> -> !shape.shape\n"
               "%s = shape.shape_of %a : tensor<4xf32> -> tensor<1xindex>\n"
               "%e = tensor.extract %c[%i] : tensor<1xindex>\n"));
}

TEST(KnownLines, NamesThatDoNotFit) {
  const std::string first =
      "%0 = stablehlo.add %a, %b : tensor<4xf32>\n"
      "%2:2 = \"x.two\"(%a) : (tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>)\n"
      "%3 = stablehlo.add %2#0, %2#1 : tensor<4xf32>\n";
  for (const char* line :
       {"%1 = stablehlo.add %a, %nothing : tensor<4xf32>\n", "%0 = stablehlo.add %a, %b : tensor<4xf32>\n",
        "%4 = stablehlo.add %0#0, %0#1 : tensor<4xf32>\n", "%4 = stablehlo.add %2#0, %2#2 : tensor<4xf32>\n",
        "%4 = stablehlo.add %2#1, %2#0 : tensor<4xf32>\n", "%4 = stablehlo.add %, %a : tensor<4xf32>\n",
        "%4:2 = stablehlo.add %a, %a : tensor<4xf32>\n", "%4, %5 = stablehlo.add %a, %a : tensor<4xf32>\n",
        "stablehlo.add %a, %a : tensor<4xf32>\n", "% = stablehlo.add %a, %a : tensor<4xf32>\n",
        "%4:1 = stablehlo.add %a, %a : tensor<4xf32>\n",
        "%4 = stablehlo.add %99999999999, %a : tensor<4xf32>\n",
        "%4 = stablehlo.add %0_, %a : tensor<4xf32>\n",
        "%4 = stablehlo.add %later, %a : tensor<4xf32>\n"
        "%later = stablehlo.add %a, %a : tensor<4xf32>\n"})
    Same(Function(first + line));
}

TEST(KnownLines, WhatFollowsTheLine) {
  const std::string first =
      "%0 = stablehlo.add %a, %b : tensor<4xf32>\n"
      "%1 = \"stablehlo.negate\"(%a) : (tensor<4xf32>) -> tensor<4xf32>\n";
  for (const char* rest :
       {"-> tensor<4xf32>\n", ", tensor<4xf32>\n", "loc(\"here\")\n", "   loc(\"here\")\n", "// %a\n",
        "\n\n  %5 = stablehlo.add %a, %b : tensor<4xf32>\n", "// %a\nloc(\"here\")\n",
        ", tensor<4xf32> -> tensor<4xf32>\n", "{a = 1}\n", "return\n", "return_value\n", "stablehlo\n",
        "\"x.y\"() : () -> ()\n", "stablehlo.custom_call @f() : () -> ()\n", "location\n"})
    Same(Function(first + "%3 = stablehlo.add %a, %b : tensor<4xf32>\n" + rest +
                  "%4 = \"stablehlo.negate\"(%a) : (tensor<4xf32>) -> tensor<4xf32>\n" + rest));
  // Values of other functions and regions, and of an op that has an error.
  const std::string uses = "%1 = stablehlo.add %0, %0 : tensor<4xf32>\n";
  Same(Function("%0 = stablehlo.add %a, %b : tensor<4xf32>\n" + uses) +
       "func.func @g(%a: tensor<4xf32>) {\n" + uses + "return\n}\n");
  Same("func.func @f(%a: tensor<4xf32>) {\n%0 = stablehlo.add %a, %a : tensor<4xf32>\n" + uses +
       "module {\n" + "func.func @g(%a: tensor<4xf32>) {\n" + uses + "return\n}\n}\nreturn\n}\n");
  Same(Function("%c = \"x.region\"() ({\n%0 = stablehlo.add %a, %b : tensor<4xf32>\n" + uses +
                "}) : () -> tensor<4xf32>\n" + uses));
  Same(Function("%0 = stablehlo.add %a, %b : tensor<4xf32>\n" + uses) +
       "func.func @g(%a: tensor<4xf32>) {\n%0 = stablehlo.bad %a\n" + uses + "return\n}\n");
  // The text ends with a line.
  Same(
      "func.func @f(%a: tensor<4xf32>) {\n%0 = stablehlo.add %a, %a : tensor<4xf32>\n"
      "%1 = stablehlo.add %a, %a : tensor<4xf32>");
  Same(
      "func.func @f(%a: tensor<4xf32>) {\n%0 = stablehlo.add %a, %a : tensor<4xf32>\n"
      "%1 = stablehlo.add %a, %a : tensor<4xf32>\n");
}

TEST(KnownLines, Locations) {
  const std::string lines =
      "%0 = stablehlo.add %a, %b : tensor<4xf32> loc(\"one\")\n"
      "%1 = stablehlo.add %a, %b : tensor<4xf32> loc(\"two\"(\"f.py\":1:2))\n"
      "%2 = stablehlo.add %0, %1 : tensor<4xf32>\n"
      "%3 = stablehlo.add %0, %1 : tensor<4xf32> loc(#l)\n"
      "%4 = stablehlo.add %0, %1 : tensor<4xf32> loc(\"% loc(\")\n"
      "%5 = stablehlo.add %0, %1 : tensor<4xf32> loc(unknown)\n"
      "\"x.y\"(%0) {n = \"a loc(b)\"} : (tensor<4xf32>) -> ()\n"
      "\"x.y\"(%1) {n = \"a loc(b)\"} : (tensor<4xf32>) -> ()\n";
  const std::string told = Same(Function(lines) + "#l = loc(\"last\")\n");
  for (const char* name : {"loc(\"one\")", "loc(\"two\"(", "loc(\"last\")", "loc(\"% loc(\")"})
    EXPECT_NE(told.find(name), told.npos) << told;
  TextReadOptions options;
  options.implicit_locations = "m.mlir";
  Same(Function(lines) + "#l = loc(\"last\")\n", options);
  Same(Function(lines + "%6 = stablehlo.add %0, %1 : tensor<4xf32> loc(\n"));
  Same(Function(
      lines +
      "%6 = stablehlo.add %0, %1 : tensor<4xf32> loc(bad)\n%7 = stablehlo.add %6, %a : tensor<4xf32>\n"));
}

// Places, in dictionaries and elsewhere.
TEST(KnownLines, Places) {
  std::string lines;
  for (const char* name : {"%a", "%b", "%long_name", "%c"})
    lines += fmt::format(
        "{0}0 = stablehlo.add %a, %b {{x.y = 1 : i32, mhlo.sharding = \"s\"}} : tensor<4xf32>\n"
        "{0}1 = stablehlo.compare LT, %a, {0}0, FLOAT : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>\n"
        "{0}2 = stablehlo.transpose {0}0, dims = [1] : (tensor<4xf32>) -> tensor<4xf32>\n"
        "{0}3 = \"stablehlo.slice\"({0}2) {{limit_indices = array<i64: 9>, start_indices = array<i64: 0>,"
        " strides = array<i64: 1>}} : (tensor<4xf32>) -> tensor<4xf32>\n"
        "{0}4 = \"stablehlo.slice\"({0}2) <{{limit_indices = array<i64: 4>, start_indices = array<i64: 0>,"
        " strides = array<i64: 1>}}> {{x.z}} : (tensor<4xf32>) -> tensor<4xf32>\n"
        "{0}5 = stablehlo.custom_call @f({0}0) {{backend_config = \"%1\"}} : (tensor<4xf32>) -> "
        "tensor<4xf32>\n"
        "{0}6 = stablehlo.iota dim = 0 : tensor<4xf32>\n",
        name);
  const std::string told = Same(Function(lines));
  EXPECT_NE(told.find("error"), told.npos) << told;
}

TEST(KnownLines, SurroundingsOfReturns) {
  // In VHLO one op ends functions and regions.
  const std::string inner =
      "%3 = \"vhlo.case_v1\"(%2) ({\n\"vhlo.return_v1\"(%0) : (!vhlo.tensor_v1<4x!vhlo.f32_v1>) -> ()\n"
      "}) : (!vhlo.tensor_v1<!vhlo.i32_v1>) -> !vhlo.tensor_v1<4x!vhlo.f32_v1>\n"
      "\"vhlo.return_v1\"(%0) : (!vhlo.tensor_v1<4x!vhlo.f32_v1>) -> ()\n";
  const std::string vhlo =
      "vhlo.func_v1 @{}(%0: !vhlo.tensor_v1<4x!vhlo.f32_v1>, %2: !vhlo.tensor_v1<!vhlo.i32_v1>) -> "
      "(!vhlo.tensor_v1<4x!vhlo.f32_v1>) {{\n"
      "{}}} {{arg_attrs = #vhlo.array_v1<[]>, res_attrs = #vhlo.array_v1<[]>, "
      "sym_visibility = #vhlo.string_v1<\"\">}}\n";
  Same(fmt::format(fmt::runtime(vhlo), "f", inner) + fmt::format(fmt::runtime(vhlo), "g", inner));

  Same(
      "func.func @f(%a: tensor<i32>, %b: tensor<f32>) -> tensor<f32> {\n"
      "%0 = \"stablehlo.case\"(%a) ({\nstablehlo.return %b : tensor<f32>\n}, {\nstablehlo.return %b : "
      "tensor<f32>\n})"
      " : (tensor<i32>) -> tensor<f32>\n"
      "func.return %0 : tensor<f32>\n}\n"
      "\"stablehlo.func\"() ({\n^bb0(%b: tensor<f32>):\n\"stablehlo.return\"(%b) : (tensor<f32>) -> ()\n"
      "}) {sym_name = \"g\", function_type = (tensor<f32>) -> tensor<f32>} : () -> ()\n");
  Same(
      "func.func @f(%a: tensor<f32>) -> tensor<f32> {\nreturn %a : tensor<f32>\n}\n"
      "stablehlo.func @g(%a: tensor<f32>) -> tensor<f32> {\nreturn %a : tensor<f32>\n}\n");
  Same(
      "stablehlo.func @g(%a: tensor<f32>) {\n%0 = add %a, %a : tensor<f32>\nstablehlo.return\n}\n"
      "func.func @f(%a: tensor<f32>) {\n%0 = add %a, %a : tensor<f32>\nreturn\n}\n");
  // A name without its dialect.
  Same(
      "func.func @f(%a: tensor<f32>) {\nreturn\n}\nfunc.func @g(%a: tensor<f32>) -> tensor<f32> {\n"
      "%0 = call @g(%a) : (tensor<f32>) -> tensor<f32>\n%1 = call @g(%0) : (tensor<f32>) -> tensor<f32>\n"
      "return %1 : tensor<f32>\n}\n");
}

// A known line has no blocks and regions.
TEST(KnownLines, RegionsAndBlocks) {
  std::string lines;
  for (int i = 0; i < 3; ++i)
    lines += fmt::format(
        "%r{0} = stablehlo.constant dense<0.0> : tensor<f32>\n"
        "%s{0} = stablehlo.reduce(%a init: %r{0}) applies stablehlo.add across dimensions = [0] : "
        "(tensor<4xf32>, tensor<f32>) -> tensor<f32>\n"
        "%t{0} = \"x.region\"(%a) ({{ \"x.end\"() : () -> () }}) : (tensor<4xf32>) -> tensor<4xf32>\n"
        "\"x.jump\"() [^bb1, ^bb1] : () -> ()\n",
        i);
  Same(Function(lines + "^bb1:\n"));
  Same(
      Function("%0 = \"x.empty\"(%a) ({}) : (tensor<4xf32>) -> tensor<4xf32>\n"
               "%1 = \"x.empty\"(%b) ({}) : (tensor<4xf32>) -> tensor<4xf32>\n"));
  const std::string jump = "\"x.y\"(%a)[^bb1] : (tensor<4xf32>) -> ()\n";
  Same(Function(jump + jump + "^bb1:\n") + "func.func @g(%a: tensor<4xf32>) {\n^bb0:\n" + jump + "}\n");
  Same(Function(jump + jump + "^bb1:\n") + "func.func @g(%a: tensor<4xf32>) {\n" + jump + jump +
       "^bb1:\nreturn\n}\n");
  Same(
      Function("%0 = stablehlo.add %a, %b : tensor<4xf32>\n\"x.jump\"()[^bb2] : () -> ()\n"
               "^bb1:\n%1 = stablehlo.add %0, %2 : tensor<4xf32>\n\"x.jump\"()[^bb2] : () -> ()\n"
               "^bb2:\n%2 = stablehlo.add %a, %a : tensor<4xf32>\n"));
}

// Casts between two spellings of a type are not in the program.
TEST(KnownLines, Casts) {
  Same(
      "func.func @f(%a: tensor<4xf32>) {\n"
      "%0 = \"builtin.unrealized_conversion_cast\"(%a) : (tensor<4xf32>) -> !vhlo.tensor_v1<4x!vhlo.f32_v1>\n"
      "%1 = \"builtin.unrealized_conversion_cast\"(%a) : (tensor<4xf32>) -> !vhlo.tensor_v1<4x!vhlo.f32_v1>\n"
      "%2 = \"builtin.unrealized_conversion_cast\"(%a) : (tensor<4xf32>) -> tensor<5xf32>\n"
      "%3 = \"builtin.unrealized_conversion_cast\"(%a) : (tensor<4xf32>) -> tensor<5xf32>\nreturn\n}\n");
}

// More lines than are kept; and lines that are never seen again, after which few are looked up.
TEST(KnownLines, ManyLines) {
  std::string lines;
  for (int i = 0; i < 10000; ++i)
    lines += fmt::format(
        "%{0} = stablehlo.constant dense<{1}> : tensor<i32>\n\"x.y\"(%{0}) {{n = {1} : i32}} : (tensor<i32>) "
        "-> ()\n",
        i, i % 2 ? i : i % 100);
  Same(Function(lines));
}

TEST(KnownLines, NamesAndBytesOfALine) {
  std::string names = "%a", types = "tensor<4xf32>";
  for (int i = 1; i < 12; ++i) {
    names += ", %b";
    types += ", tensor<4xf32>";
    const std::string line = fmt::format("\"x.many\"({}) {{n = \"\"}} : ({}) -> ()\n", names, types);
    Same(Function(line + line + line));
  }
  for (size_t size = 430; size < 470; ++size) {
    const std::string line =
        fmt::format("\"x.long\"(%a) {{n = \"{}\"}} : (tensor<4xf32>) -> ()\n", std::string(size, 'x'));
    Same(Function(line + line));
  }
  for (const char* line :
       {"\"x.y\"()", "\"x.y\"() : () -> ()", "%%", "x.y", "%0 =", "%0 = x.y", "%0 = \"x", "%0 = \"x.y\"() :"})
    Same(Function(fmt::format("{0}\n{0}\n{0}", line)));
}

}  // namespace
}  // namespace shlo
