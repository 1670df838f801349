#include <fmt/format.h>
#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "serialize/text/lexer.h"
#include "shlo/compare.h"
#include "shlo/text_reader.h"
#include "shlo/verify.h"

namespace shlo {
namespace {

Result<Module> Read(const std::string& text, TextReadOptions options = {}, Source* source = nullptr) {
  auto owner = std::make_shared<std::string>(text);
  return ReadText(*owner, owner, options, source);
}

Module MustRead(const std::string& text, Source* source = nullptr) {
  auto module = Read(text, {}, source);
  if (!module) {
    for (const Diagnostic& d : module.error()) ADD_FAILURE() << Render(d);
    return Module();
  }
  for (const Diagnostic& d : Verify(*module, {.strictness = Strictness::kLenient}))
    if (d.severity == Severity::kError) ADD_FAILURE() << Render(d);
  return std::move(*module);
}

Diagnostics MustFail(const std::string& text) {
  auto module = Read(text);
  EXPECT_FALSE(module.has_value()) << text;
  if (module) return {};
  EXPECT_FALSE(module.error().empty());
  return module.error();
}

// Returns the first message for a text that cannot be read.
std::string Message(const std::string& text) {
  const Diagnostics list = MustFail(text);
  return list.empty() ? "" : list[0].message;
}

// Returns the ops of the top module, then those in the body of its first function.
const Op& TopOp(const Module& m, size_t i) {
  return m.ops[m.OpsOf(m.BlocksOf(m.RegionsOf(m.ops[m.top.v])[0])[0])[i].v];
}
const Op& BodyOp(const Module& m, size_t i, size_t function = 0) {
  return m.ops[m.OpsOf(m.BlocksOf(m.RegionsOf(TopOp(m, function))[0])[0])[i].v];
}

// Reads `text` as a discardable attribute of a module.
AttrId Attr(Module* m, const std::string& text) {
  *m = MustRead("module attributes {a.b = " + text + "} {}");
  return m->top ? m->AttributeOf(m->ops[m->top.v], "a.b") : AttrId();
}
TypeId Type(Module* m, const std::string& text) {
  const auto attr = m->As<TypeAttr>(Attr(m, text));
  return attr ? attr->type : TypeId();
}
std::string ElementBytes(const std::string& text) {
  Module m;
  const auto elements = m.As<ElementsAttr>(Attr(&m, text));
  if (!elements) return "not elements";
  const Payload payload = m.payloads[elements->payload];
  std::string hex = elements->splat ? "splat " : "";
  for (uint64_t i = 0; i < payload.size; ++i) {
    constexpr char kDigits[] = "0123456789abcdef";
    hex += kDigits[payload.data[i] >> 4];
    hex += kDigits[payload.data[i] & 15];
  }
  return hex;
}
uint64_t FloatBits(const std::string& text) {
  Module m;
  const auto number = m.As<FloatAttr>(Attr(&m, text));
  return number ? uint64_t(number->bits[0]) : ~0ull;
}

TEST(TextReader, ReadsTheExampleOfTheTalk) {
  Source source;
  const Module m = MustRead(R"(
func.func private @test_sub(%arg0: tensor<2xi1>) -> () attributes {stablehlo.compat_version = 37 : i32} {
  %0 = "stablehlo.sub"(%arg0, %arg0) : (tensor<2xi1>, tensor<2xi1>) -> tensor<2xi1>
  func.return
})",
                            &source);
  EXPECT_EQ(m.version.n, 37);
  EXPECT_TRUE(source.version_written);
  EXPECT_TRUE(source.implicit_module);
  EXPECT_EQ(m.SymbolOf(TopOp(m, 0)), "test_sub");
  EXPECT_EQ(m.NameOf(BodyOp(m, 0)), "stablehlo.sub");
  EXPECT_EQ(m.NameOf(BodyOp(m, 1)), "func.return");
  std::string_view visibility;
  ASSERT_TRUE(m.AsString(m.InherentAttrOf(TopOp(m, 0), "sym_visibility"), &visibility));
  EXPECT_EQ(visibility, "private");
  // On a function the version attribute is kept; on a module it becomes the module's version.
  EXPECT_TRUE(m.AttributeOf(TopOp(m, 0), "stablehlo.compat_version"));
  const Module n = MustRead("module @m attributes {stablehlo.compat_version = 41 : i32} {}", &source);
  EXPECT_EQ(n.version.n, 41);
  EXPECT_FALSE(source.implicit_module);
  EXPECT_EQ(n.SymbolOf(n.ops[n.top.v]), "m");
  EXPECT_TRUE(n.DiscardableAttrsOf(n.ops[n.top.v]).empty());
}

TEST(TextReader, TakesTheNewestVersionThatHasAllOps) {
  EXPECT_EQ(
      MustRead("func.func @f(%a: tensor<f32>) { %0 = stablehlo.sub %a, %a : tensor<f32> return }").version.n,
      39);
  EXPECT_EQ(MustRead("func.func @f(%a: tensor<f32>) { %0 = stablehlo.subtract %a, %a : tensor<f32> return }")
                .version,
            kCurrentVersion);
  EXPECT_NE(Message("func.func @f(%a: tensor<f32>) {\n %0 = stablehlo.sub %a, %a : tensor<f32>\n"
                    " %1 = stablehlo.subtract %a, %a : tensor<f32>\n return }")
                .find("no version contains both"),
            std::string::npos);
  EXPECT_NE(Message("module attributes {stablehlo.compat_version = 40 : i32} {\n"
                    "func.func private @f() attributes {stablehlo.compat_version = 41 : i32} }")
                .find("conflicting versions"),
            std::string::npos);
  TextReadOptions options;
  options.version = Version{50};
  EXPECT_EQ(Read("module attributes {stablehlo.compat_version = 40 : i32} {}", options)->version.n, 50);
  EXPECT_EQ(MustFail("module attributes {stablehlo.compat_version = 99 : i32} {}")[0].code,
            Code::kNewerVersion);
}

TEST(TextReader, WrapsSeveralOpsAndUnwrapsOneModule) {
  Source source;
  MustRead("module {\n}\n", &source);
  EXPECT_FALSE(source.implicit_module);
  const Module m = MustRead("module @a {}\nfunc.func private @f()\n", &source);
  EXPECT_TRUE(source.implicit_module);
  EXPECT_EQ(m.NameOf(TopOp(m, 0)), "builtin.module");
  EXPECT_EQ(m.NameOf(TopOp(m, 1)), "func.func");
  EXPECT_NE(Message("  // nothing\n").find("expected a program"), std::string::npos);
  EXPECT_NE(Message("").find("expected a program"), std::string::npos);
}

TEST(TextReader, ReadsGenericOpsWithRegionsAndSuccessors) {
  const Module m = MustRead(R"(
"func.func"() <{function_type = (tensor<i1>) -> tensor<i1>, sym_name = "f"}> ({
^bb0(%arg0: tensor<i1>):
  %0:2 = "my.pair"(%arg0) {flag, "odd name" = [1, 2]} : (tensor<i1>) -> (tensor<i1>, tensor<f32>) loc("x.py":3:4)
  "my.branch"(%0#0)[^bb2, ^bb1] : (tensor<i1>) -> ()
^bb1:
  "func.return"(%0#0) : (tensor<i1>) -> ()
^bb2:
  "my.jump"()[^bb1] : () -> ()
}) : () -> ())");
  ASSERT_TRUE(m.top);
  const Op& pair = BodyOp(m, 0);
  EXPECT_EQ(m.NameOf(pair), "my.pair");
  EXPECT_EQ(m.NumResults(pair), 2u);
  EXPECT_EQ(m.DiscardableAttrsOf(pair).size(), 2u);
  EXPECT_EQ(m.attrs.KindOf(pair.loc), AttrKind::kFileLineColLoc);
  const Op& branch = BodyOp(m, 1);
  const auto blocks = m.BlocksOf(m.RegionsOf(TopOp(m, 0))[0]);
  ASSERT_EQ(blocks.size(), 3u);
  EXPECT_EQ(m.SuccessorsOf(branch)[0], blocks[2]);
  EXPECT_EQ(m.SuccessorsOf(branch)[1], blocks[1]);
  EXPECT_EQ(m.OperandsOf(branch)[0], m.ResultOf(pair, 0));
}

TEST(TextReader, ResolvesUsesBeforeDefinitionsInGraphs) {
  const Module m = MustRead("%0 = \"a.use\"(%1#1) : (i8) -> i8\n%1:2 = \"a.def\"() : () -> (i4, i8)\n");
  EXPECT_EQ(m.OperandsOf(TopOp(m, 0))[0], m.ResultOf(TopOp(m, 1), 1));
  EXPECT_NE(Message("\"a.use\"(%x) : (i8) -> ()").find("use of undeclared SSA value name"),
            std::string::npos);
  EXPECT_NE(Message("\"a.use\"(%1) : (i8) -> ()\n%1 = \"a.def\"() : () -> i4")
                .find("definition of SSA value '%1#0' has type 'i4'"),
            std::string::npos);
  EXPECT_NE(Message("%1 = \"a.def\"() : () -> i4\n\"a.use\"(%1) : (i8) -> ()")
                .find("expects different type than prior uses"),
            std::string::npos);
  EXPECT_NE(
      Message("%1 = \"a.def\"() : () -> i4\n%1 = \"a.def\"() : () -> i4").find("redefinition of SSA value"),
      std::string::npos);
  // A function cannot use values from outside; a region of another op can, and may reuse its names once it
  // is closed.
  EXPECT_NE(Message("%1 = \"a.def\"() : () -> i4\nfunc.func @f() { \"a.use\"(%1) : (i4) -> () return }")
                .find("use of undeclared SSA value name"),
            std::string::npos);
  MustRead(
      "%1 = \"a.def\"() : () -> i4\n\"a.b\"() ({ \"a.use\"(%1) : (i4) -> ()\n %2 = \"a.c\"() : () -> i1 }) : "
      "() -> ()\n"
      "%2 = \"a.c\"() : () -> i8");
}

TEST(TextReader, ReportsSeveralErrorsAndGoesOn) {
  const Diagnostics list = MustFail(
      "func.func @f(%a: tensor<2xf32>) -> tensor<2xf32> {\n"
      "  %0 = stablehlo.add %a, %zzz : tensor<2xf32>\n"
      "  %1 = stablehlo.add %a, : tensor<2xf32>\n"
      "  %2 = stablehlo.nope %1 : tensor<2xf32>\n"
      "  return %2 : tensor<2xf32>\n"
      "}\n"
      "func.func @g(%a: tensor<2xq7>) { return }\n");
  ASSERT_EQ(list.size(), 4u);
  EXPECT_EQ(list[0].place.line, 2u);
  EXPECT_EQ(list[0].place.column, 26u);
  EXPECT_EQ(list[0].place.source_line, "  %0 = stablehlo.add %a, %zzz : tensor<2xf32>");
  EXPECT_EQ(list[1].place.line, 3u);
  EXPECT_EQ(list[2].place.line, 4u);
  EXPECT_EQ(list[3].place.line, 7u);
  EXPECT_EQ(list[3].message, "expected non-function type");
}

// Reading continues after a broken op where its braces are closed, whatever strings and comments have in
// them.
TEST(TextReader, ContinuesAfterTheBrokenOp) {
  struct Row {
    const char* broken;
    uint32_t lines;  // of the broken op
  };
  constexpr Row kRows[] = {
      {"%1 = stablehlo.nope %a : tensor<2xf32>", 1},
      {"%1 = stablehlo.nope %a // } \"", 1},
      {"%1 = stablehlo.nope %a // {", 1},
      {"%1 = stablehlo.nope %a / {\n  %9 = stablehlo.nope\n  }", 3},
      {"%1 = stablehlo.nope %a {x = \"} \\\" }\"}", 1},
      {"%1 = stablehlo.nope %a {x = \"{\"}", 1},
      {"%1 = stablehlo.nope %a \"{", 1},
      {"%1 = stablehlo.nope %a {x = {\n  %9 = stablehlo.nope\n  }, y = {\n  %9 = stablehlo.nope }\n  }", 5},
      {"%1 = stablehlo.nope %a\n    * 2,\n    + 3", 3},
  };
  for (const Row& row : kRows) {
    const Diagnostics list = MustFail("func.func @f(%a: tensor<2xf32>) {\n  " + std::string(row.broken) +
                                      "\n  %2 = stablehlo.nope %a : tensor<2xf32>\n  return\n}\n"
                                      "func.func @g(%a: tensor<2xq7>) { return }\n");
    std::vector<uint32_t> lines;
    for (const Diagnostic& d : list) lines.push_back(d.place.line);
    EXPECT_EQ(lines, (std::vector<uint32_t>{2, 2 + row.lines, 5 + row.lines})) << row.broken;
  }
}

// An op may begin with a letter, a value, a string, a label, or an alias, or the region or the text may end.
TEST(TextReader, ContinuesAtWhateverBeginsAnOp) {
  const auto lines = [](const std::string& text) {
    std::vector<uint32_t> lines;
    for (const Diagnostic& d : MustFail(text)) lines.push_back(d.place.line);
    return lines;
  };
  using Lines = std::vector<uint32_t>;
  const std::string broken = "  stablehlo.nope %a\n", begin = "func.func @f(%a: tensor<2xf32>) {\n" + broken;
  EXPECT_EQ(lines(begin + broken + "  return\n}\n"), (Lines{2, 3}));
  EXPECT_EQ(lines(begin + "    + 2\n" + broken + "  return\n}\n"), (Lines{2, 4}));
  EXPECT_EQ(lines(begin + "  %1 = stablehlo.nope %a\n  return\n}\n"), (Lines{2, 3}));
  EXPECT_EQ(lines(begin + "  \"a.b\"(%c) : (i8) -> ()\n  return\n}\n"), (Lines{2, 3}));
  EXPECT_EQ(lines(begin + "^bb1:\n" + broken + "  return\n}\n"), (Lines{2, 4}));
  EXPECT_EQ(lines(begin + "}\n" + begin + "}\n"), (Lines{2, 5}));
  // A string ends with its line, also after a backslash; a brace in it opens nothing.
  for (const char* open : {"\"{", "\"{\\", "\"{\\\""})
    EXPECT_EQ(lines("func.func @f(%a: tensor<2xf32>) {\n  stablehlo.nope %a " + std::string(open) + "\n" +
                    broken + "  return\n}\n"),
              (Lines{2, 3}))
        << open;
  EXPECT_EQ(lines(begin), (Lines{2, 2}));  // the region does not end, either
  EXPECT_EQ(lines("stablehlo.nope\n#a = nope\n!t = nope\nstablehlo.nope\n"), (Lines{1, 2, 3, 4}));
}

TEST(TextReader, IntegerTypesHaveAWidth) {
  const auto message = [](const std::string& type) {
    return Message("module attributes {a.b = tensor<2x" + type + ">} {}");
  };
  for (const char* type : {"i", "si", "ui", "ix", "i3x", "six", "s8", "u8", "x8", "f8", "I8"})
    EXPECT_EQ(message(type), "expected non-function type") << type;
  for (const char* type : {"i0", "si0", "ui0"})
    EXPECT_EQ(message(type), "an integer has at least one bit") << type;
  for (const char* type : {"i16777216", "si16777216", "i4294967295"})
    EXPECT_EQ(message(type), "integer bitwidth is limited to 16777215 bits") << type;
  for (const char* type : {"i4294967296", "i99999999999999999999"})
    EXPECT_EQ(message(type), "invalid integer width") << type;
  Module m;
  for (const char* type : {"i1", "si1", "ui1", "i7", "i16777215"})
    EXPECT_TRUE(Type(&m, std::string("tensor<2x") + type + ">")) << type;
}

TEST(TextReader, AnAppliedReductionHasTensors) {
  const auto message = [](const std::string& types) {
    return Message(
        "func.func @f(%a: tensor<2xf32>, %b: tensor<f32>) {\n  %0 = stablehlo.reduce(%a init: %b) applies "
        "stablehlo.add across dimensions = [0] : " +
        types + "\n  return\n}");
  };
  EXPECT_EQ(message("() -> tensor<f32>"), "the inputs of the reduction must be tensors");
  EXPECT_EQ(message("(i32, tensor<f32>) -> tensor<f32>"), "the inputs of the reduction must be tensors");
}

// One mistake is one diagnostic: what follows from it is not reported.
TEST(TextReader, AMistakeIsReportedOnce) {
  const auto convolution = [](const std::string& window) {
    return "func.func @f(%a: tensor<1x8x8x2xf32>, %b: tensor<3x3x2x4xf32>) {\n"
           "  %0 = stablehlo.convolution(%a, %b) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], "
           "window = {" +
           window +
           "} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x8x8x2xf32>, "
           "tensor<3x3x2x4xf32>) -> tensor<1x6x6x4xf32>\n  return\n}";
  };
  const auto located = [](const std::string& loc) { return "module {} loc(" + loc + ")"; };
  const auto attr = [](const std::string& text) { return "module attributes {a.b = " + text + "} {}"; };
  const std::pair<std::string, const char*> kMistakes[] = {
      {convolution("pad = [[0, 0], [x, 0]]"), "expected integer value"},
      {convolution("pad = [[0, 0], [0]]"), "Expected array with 2 elements, got 1 elements instead"},
      {convolution("pad = [[0, 0], [0, 0, 0]]"), "Expected array with 2 elements, got 3 elements instead"},
      {convolution("pad = 1"), "expected '['"},
      {convolution("pad = [[0, 0]"), "expected ']'"},
      {convolution("stride = [1, x]"), "expected integer value"},
      {convolution("stride [1, 1]"), "expected '='"},
      {convolution("stride = [1, 1], stride = [1, 1]"), "Unexpected keyword stride"},
      {convolution("strides = [1, 1]"), "Unexpected keyword strides"},
      {convolution("reverse = true"), "expected '['"},
      {convolution("reverse = [maybe]"), "expected integer value"},
      {convolution("reverse = [true, false"), "expected ']'"},
      {located("#"), "an attribute needs a name after '#'"},
      {located("#nope"), "undefined symbol alias id"},
      {"#a = 1 : i8\n" + located("#a"), "the alias is not a location"},
      {located("fused[#nope, \"a\"]"), "undefined symbol alias id"},
      {located("#stablehlo.axis_ref<nope = \"a\">"), "expected one of: `name`, `sub_axis_info`"},
      {located("\"a\":x:1"), "expected integer line number in FileLineColRange"},
      {located("\"a\":1:x"), "expected integer column number in FileLineColRange"},
      {located("\"a\":1:2 to :x"), "expected integer column number in FileLineColRange"},
      {located("\"a\":4294967296:1"), "expected integer line number in FileLineColRange"},
      {attr("dense<[1]> : tensor<1x!my.string>"), "a string"},
      {attr("dense<[\"a\", \"b\"]> : tensor<3x!my.string>"), "expected 3 elements, got 2"},
      {attr("dense<[\"a\"> : tensor<1x!my.string>"), "the brackets of the elements do not match"},
      {attr("#stablehlo.replica_group_mesh_axes<axes = []>"), "field 'mesh' is missing"},
      {attr("#stablehlo.axis_ref<>"), "field 'name' is missing"},
      {attr("#stablehlo.channel_handle<handle = 1>"), "field 'type' is missing"},
      {attr("#stablehlo.dot_algorithm<lhs_precision_type = f32, rhs_precision_type = f32>"),
       "field 'accumulation_type' is missing"},
  };
  for (const auto& [text, message] : kMistakes) {
    const Diagnostics list = MustFail(text);
    ASSERT_FALSE(list.empty()) << text;
    EXPECT_EQ(list.size(), 1u) << text << Render(list.back());
    EXPECT_NE(list[0].message.find(message), std::string::npos) << text << list[0].message;
  }
}

TEST(TextReader, FieldsThatMayBeMissing) {
  Module m;
  const auto accuracy = m.As<ResultAccuracyAttr>(Attr(&m, "#stablehlo.result_accuracy<ulps = 3>"));
  ASSERT_TRUE(accuracy);
  EXPECT_EQ(accuracy->atol, 0);
  EXPECT_EQ(accuracy->rtol, 0);
  EXPECT_EQ(accuracy->ulps, 3);
  EXPECT_EQ(accuracy->mode, m.Enum(AttrKind::kResultAccuracyMode, 0));
  const auto numbers = m.As<GatherDimensionNumbersAttr>(Attr(&m, "#stablehlo.gather<index_vector_dim = 2,>"));
  ASSERT_TRUE(numbers);
  EXPECT_TRUE(numbers->offset_dims.empty());
  EXPECT_EQ(numbers->index_vector_dim, 2);
  const auto algorithm = m.As<DotAlgorithmAttr>(Attr(&m,
                                                     "#stablehlo.dot_algorithm<lhs_precision_type = f32, "
                                                     "rhs_precision_type = f32, accumulation_type = f32>"));
  ASSERT_TRUE(algorithm);
  EXPECT_EQ(algorithm->lhs_component_count, 0);
  EXPECT_FALSE(algorithm->allow_imprecise_accumulation);
}

TEST(TextReader, ReadsStringElements) {
  const auto values = [](const std::string& text) {
    Module m;
    const auto elements = m.As<StringElementsAttr>(Attr(&m, text));
    if (!elements) return std::string("not strings");
    std::string out = elements->splat ? "splat" : "list";
    for (StringId value : elements->values) out += " " + std::string(m.strings[value]);
    return out;
  };
  EXPECT_EQ(values("dense<\"a\"> : tensor<2x!my.string>"), "splat a");
  EXPECT_EQ(values("dense<[\"a\", \"a\"]> : tensor<2x!my.string>"), "splat a");
  EXPECT_EQ(values("dense<[\"a\", \"b\"]> : tensor<2x!my.string>"), "list a b");
  EXPECT_EQ(values("dense<[[\"a\"], [\"b\"]]> : tensor<2x1x!my.string>"), "list a b");
  EXPECT_EQ(values("dense<[]> : tensor<0x!my.string>"), "list");
  EXPECT_EQ(values("dense<[[], []]> : tensor<2x0x!my.string>"), "list");
}

TEST(TextReader, RefusesDigitsPastTheLimit) {
  const std::string digits(4096, '1');
  for (const auto& [value, message] :
       {std::pair("1" + digits + " : i20000", "integer exceeds the limit of 4096 digits"),
        std::pair("0x" + digits + " : f64", "bit pattern exceeds the limit of 4096 digits")}) {
    const Diagnostics list = MustFail("module attributes {a.b = " + value + "} {}");
    ASSERT_FALSE(list.empty());
    EXPECT_EQ(list[0].message, message);
    EXPECT_EQ(list[0].code, Code::kLimit);
    EXPECT_EQ(list[0].place.column, 26u);
  }
  MustRead("module attributes {a.b = " + digits + " : i20000} {}");
}

TEST(TextReader, RefusesNestingPastTheLimit) {
  std::string deep;
  for (int i = 0; i < 100000; ++i) deep += '[';
  EXPECT_EQ(MustFail("module attributes {a.b = " + deep + "} {}")[0].code, Code::kLimit);
  deep.clear();
  for (int i = 0; i < 100000; ++i) deep += "tuple<";
  EXPECT_EQ(MustFail("func.func private @f(" + deep + ")")[0].code, Code::kLimit);
  deep.clear();
  for (int i = 0; i < 10000; ++i) deep += "\"a.b\"() ({\n";
  // A function type in the results of a function type, and so on: each is read once.
  std::string inner = "i1";
  for (int i = 0; i < 100; ++i) inner = "() -> (" + inner + ") -> i1";
  MustRead("module attributes {a.b = " + inner + "} {}");
  EXPECT_EQ(MustFail(deep)[0].code, Code::kLimit);
}

TEST(TextReader, ExpandsStructAttrsIntoInherentAttrs) {
  const Module m = MustRead(R"(
func.func @f(%a: tensor<3x4x2xi32>, %b: tensor<2x3x2xi64>, %t: !stablehlo.token) -> !stablehlo.token {
  %0 = "stablehlo.gather"(%a, %b) {dimension_numbers = #stablehlo.gather<offset_dims = [2, 3],
    collapsed_slice_dims = [0], start_index_map = [1, 0], index_vector_dim = 2>,
    slice_sizes = dense<[1, 2, 2]> : tensor<3xi64>, indices_are_sorted = false, my.note = "x"}
    : (tensor<3x4x2xi32>, tensor<2x3x2xi64>) -> tensor<2x3x2x2xi32>
  %1 = "stablehlo.send"(%a, %t) {channel_handle = #stablehlo.channel_handle<handle = 5, type = 2>,
    is_host_transfer = true} : (tensor<3x4x2xi32>, !stablehlo.token) -> !stablehlo.token
  %2 = "stablehlo.collective_permute"(%a) {source_target_pairs = dense<[[0, 1]]> : tensor<1x2xi64>,
    channel_handle = #stablehlo.channel_handle<handle = 7, type = 0>} : (tensor<3x4x2xi32>) -> tensor<3x4x2xi32>
  return %1 : !stablehlo.token
})");
  ASSERT_TRUE(m.top);
  std::vector<int64_t> list;
  const Op& gather = BodyOp(m, 0);
  ASSERT_TRUE(m.AsI64s(m.InherentAttrOf(gather, "offset_dims"), &list));
  EXPECT_EQ(list, (std::vector<int64_t>{2, 3}));
  EXPECT_FALSE(m.InherentAttrOf(gather, "operand_batching_dims"));
  EXPECT_EQ(m.attrs.KindOf(m.InherentAttrOf(gather, "slice_sizes")), AttrKind::kI64Array);
  EXPECT_EQ(m.DiscardableAttrsOf(gather).size(), 1u);
  int64_t n = 0;
  ASSERT_TRUE(m.AsInteger(m.InherentAttrOf(BodyOp(m, 1), "channel_id"), &n));
  EXPECT_EQ(n, 5);
  ASSERT_TRUE(m.AsInteger(m.InherentAttrOf(BodyOp(m, 1), "channel_type"), &n));
  EXPECT_EQ(n, 2);
  EXPECT_FALSE(m.InherentAttrOf(BodyOp(m, 2), "channel_type"));
}

TEST(TextReader, ReadsVhloAsTheSameProgram) {
  const Module m = MustRead(R"(
vhlo.func_v1 @main(%arg0: !vhlo.tensor_v1<2x?x!vhlo.f32_v1, #vhlo.type_extensions_v1<bounds = [?, 4]>>)
    -> (!vhlo.tensor_v1<!vhlo.f32_v1>) {
  %0 = "vhlo.constant_v1"() <{value = #vhlo.tensor_v1<dense<1.0> : tensor<f32>>}> : () -> !vhlo.tensor_v1<!vhlo.f32_v1>
  %1 = "vhlo.custom_call_v1"(%0) <{call_target_name = #vhlo.string_v1<"foo">, has_side_effect = #vhlo.bool_v1<true>,
    api_version = #vhlo<api_version_v1 API_VERSION_STATUS_RETURNING>, backend_config = #vhlo.string_v1<"">,
    called_computations = #vhlo.array_v1<[#vhlo.string_v1<"main">]>, operand_layouts = #vhlo.array_v1<[]>,
    result_layouts = #vhlo.array_v1<[]>, output_operand_aliases = #vhlo.array_v1<[]>}>
    {a.d = #vhlo.dict_v1<{#vhlo.string_v1<"k"> = #vhlo.integer_v1<1 : i64>}>}
    : (!vhlo.tensor_v1<!vhlo.f32_v1>) -> !vhlo.tensor_v1<!vhlo.f32_v1>
  "vhlo.return_v1"(%1) : (!vhlo.tensor_v1<!vhlo.f32_v1>) -> ()
} {arg_attrs = #vhlo.array_v1<[]>, res_attrs = #vhlo.array_v1<[]>, sym_visibility = #vhlo.string_v1<"">})");
  ASSERT_TRUE(m.top);
  EXPECT_EQ(m.NameOf(TopOp(m, 0)), "func.func");
  EXPECT_EQ(m.NameOf(BodyOp(m, 0)), "stablehlo.constant");
  const Op& call = BodyOp(m, 1);
  EXPECT_EQ(m.NameOf(call), "stablehlo.custom_call");
  EXPECT_EQ(RevisionOf(m.RevisionIdOf(call)).ordinal, 1);
  EXPECT_EQ(m.version.n, 70);  // the last with this shape
  int64_t n = 0;
  ASSERT_TRUE(m.AsInteger(m.InherentAttrOf(call, "api_version"), &n));
  EXPECT_EQ(n, 2);
  // VHLO writes defaults.
  for (std::string_view name : {"backend_config", "operand_layouts", "output_operand_aliases"})
    EXPECT_FALSE(m.InherentAttrOf(call, name)) << name;
  EXPECT_EQ(m.attrs.KindOf(m.AttributeOf(call, "a.d")), AttrKind::kDict);
  EXPECT_EQ(m.NameOf(BodyOp(m, 2)), "func.return");
  EXPECT_EQ(MustFail("\"vhlo.constant_v99\"() : () -> ()")[0].code, Code::kNewerVersion);
}

TEST(TextReader, ReadsReduceInItsForms) {
  const Module m = MustRead(R"(
func.func @f(%a: tensor<2x3xf32>, %b: tensor<f32>) -> (tensor<2xf32>, tensor<2xf32>) {
  %0 = stablehlo.reduce(%a init: %b) applies stablehlo.add across dimensions = [1] : (tensor<2x3xf32>, tensor<f32>) -> tensor<2xf32>
  %1 = stablehlo.reduce(%a init: %b) across dimensions = [1] : (tensor<2x3xf32>, tensor<f32>) -> tensor<2xf32>
    reducer(%x: tensor<f32>, %y: tensor<f32>) {
    %2 = stablehlo.maximum %x, %y : tensor<f32>
    stablehlo.return %2 : tensor<f32>
  }
  return %0, %1 : tensor<2xf32>, tensor<2xf32>
})");
  ASSERT_TRUE(m.top);
  for (size_t i : {0, 1}) {
    const Op& reduce = BodyOp(m, i);
    const BlockId body = m.BlocksOf(m.RegionsOf(reduce)[0])[0];
    EXPECT_EQ(m.blocks[body.v].args.count, 2u);
    EXPECT_EQ(m.NameOf(m.ops[m.OpsOf(body)[0].v]), i ? "stablehlo.maximum" : "stablehlo.add");
    EXPECT_EQ(m.NameOf(m.ops[m.OpsOf(body)[1].v]), "stablehlo.return");
  }
}

TEST(TextReader, NamesTheOpWhoseCustomFormIsUnknown) {
  const Diagnostics list = MustFail(
      "func.func @f(%a: tensor<4xf32>) {\n  %0 = other.slice %a [0:2] : (tensor<4xf32>) -> "
      "tensor<2xf32>\n  return\n}");
  ASSERT_EQ(list.size(), 1u);
  EXPECT_EQ(list[0].code, Code::kUnsupported);
  EXPECT_NE(list[0].message.find("other.slice"), std::string::npos);
  EXPECT_NE(list[0].hint.find("generic form"), std::string::npos);
}

TEST(TextReader, ReadsOlderSpellings) {
  const Module m = MustRead(R"(
stablehlo.func @main(%a: tensor<2xsi32>) -> tensor<2xsi32> {
  %0 = stablehlo.not %a : tensor<2xsi32>
  "stablehlo.return"(%0) : (tensor<2xsi32>) -> ()
}
ml_program.func @p(%arg: tensor<4xf32>) -> tensor<4xf32> {
  %1 = stablehlo.floor %arg : tensor<4xf32>
  ml_program.return %1 : tensor<4xf32>
}
func private @q())");
  ASSERT_TRUE(m.top);
  EXPECT_EQ(m.NameOf(TopOp(m, 0)), "func.func");
  EXPECT_EQ(m.NameOf(BodyOp(m, 1)), "func.return");
  EXPECT_EQ(m.NameOf(BodyOp(m, 1, 1)), "ml_program.return");
  EXPECT_EQ(m.NameOf(TopOp(m, 2)), "func.func");
}

TEST(TextReader, ReadsTypes) {
  Module m;
  EXPECT_EQ(m.types.KindOf(Type(&m, "tensor<0x2xf8E4M3FN>")), TypeKind::kTensor);
  EXPECT_EQ(m.types.KindOf(Type(&m, "tensor<*xbf16>")), TypeKind::kUnrankedTensor);
  EXPECT_EQ(m.types.KindOf(Type(&m, "vector<[4]x2xi8>")), TypeKind::kVector);
  EXPECT_EQ(m.types.KindOf(Type(&m, "memref<2x?xf32, strided<[1, ?]>, 3>")), TypeKind::kMemref);
  EXPECT_EQ(m.types.KindOf(Type(&m, "(i1, index) -> (tuple<>, none)")), TypeKind::kFunction);
  EXPECT_EQ(m.types.KindOf(Type(&m, "!quant.uniform<u4<1:9>:f32, 0.5>")), TypeKind::kUniformQuantized);
  // The widest storage: its largest element is the largest that fits.
  EXPECT_EQ(Type(&m, "!quant.uniform<u63:f32, 0.5>"),
            Type(&m, "!quant.uniform<u63<0:9223372036854775807>:f32, 0.5>"));
  EXPECT_EQ(m.types.KindOf(Type(&m, "!quant.uniform<i8:f32:{0:1, 1:2}, {{2.0, 3.0:1}, {4.0, 5.0}}>")),
            TypeKind::kUniformQuantizedSubChannel);
  EXPECT_EQ(m.types.KindOf(Type(&m, "!shape.witness")), TypeKind::kWitness);
  EXPECT_EQ(m.types.KindOf(Type(&m, "!my.type<\"a>\", [-> x]>")), TypeKind::kOpaqueType);
  const TypeId quantized = Type(&m, "!quant.uniform<i8<-127:127>:f32:1, {0.5:-30, 0.25}>");
  const auto quant = m.As<UniformQuantizedPerAxisType>(quantized);
  ASSERT_TRUE(quant);
  EXPECT_EQ(m.types.KindOf(quant->storage), TypeKind::kI8);
  EXPECT_EQ(m.types.KindOf(quant->expressed), TypeKind::kF32);
  EXPECT_EQ(quant->flags, 1);  // signed
  EXPECT_EQ(quant->quantized_dimension, 1);
  EXPECT_EQ(quant->storage_min, -127);
  EXPECT_EQ(quant->storage_max, 127);
  EXPECT_EQ(quant->scales.ToVector(), (std::vector<double>{0.5, 0.25}));
  EXPECT_EQ(quant->zero_points[0], -30);
  EXPECT_NE(Message("func.func private @f(tensor<99999999999999999999xf32>)").find("too large"),
            std::string::npos);
  EXPECT_NE(Message("func.func private @f(i99999999)").find("width"), std::string::npos);
}

TEST(TextReader, ReadsNumbers) {
  Module m;
  int64_t n = 0;
  ASSERT_TRUE(m.AsInteger(Attr(&m, "-0x10 : i16"), &n));
  EXPECT_EQ(n, -16);
  ASSERT_TRUE(m.AsInteger(Attr(&m, "18446744073709551615 : ui64"), &n));
  EXPECT_EQ(n, -1);
  ASSERT_TRUE(m.AsInteger(Attr(&m, "255 : i8"), &n));
  EXPECT_EQ(n, -1);  // the same bits
  const auto wide = m.As<IntegerAttr>(Attr(&m, "-170141183460469231731687303715884105728 : i128"));
  ASSERT_TRUE(wide);
  const auto limbs = wide->value;
  ASSERT_EQ(limbs.size(), 2u);
  EXPECT_EQ(limbs[0], 0);
  EXPECT_EQ(limbs[1], INT64_MIN);
  for (const char* bad :
       {"256 : i8", "-129 : i8", "128 : si8", "-1 : ui8", "2 : i1", "1.5 : i8", "-0 : i8", "-0 : i128"})
    EXPECT_NE(Message("module attributes {a.b = " + std::string(bad) + "} {}"), "") << bad;
  EXPECT_EQ(FloatBits("0.1 : f32"), 0x3dcccccdu);
  EXPECT_EQ(FloatBits("0.1"), 0x3fb999999999999aull);
  EXPECT_EQ(FloatBits("0xFF80 : bf16"), 0xff80u);
  EXPECT_EQ(FloatBits("-0.0 : f16"), 0x8000u);
  EXPECT_EQ(FloatBits("1.0e400 : f64"), 0x7ff0000000000000ull);
  EXPECT_EQ(FloatBits("1.0e-400 : f64"), 0u);
  // 1 + 2^-8 is halfway between two bf16 values and rounds to even; slightly more rounds up. A double
  // limits how much more is visible: decimals are rounded to double first, as in MLIR.
  EXPECT_EQ(FloatBits("1.00390625 : bf16"), 0x3f80u);
  EXPECT_EQ(FloatBits("1.00390625000001 : bf16"), 0x3f81u);
  EXPECT_EQ(FloatBits("1.00390625000000001 : bf16"), 0x3f80u);
  EXPECT_NE(Message("module attributes {a.b = 0x1FFFF : f16} {}").find("bit pattern"), std::string::npos);
  EXPECT_NE(Message("module attributes {a.b = 1 : f32} {}"), "");
}

// Any digits and exponent yield the nearest double, and from it the nearest float.
TEST(TextReader, RoundsDecimalsAsTheReference) {
  std::vector<std::string> decimals = {"0.0",
                                       "-0.0",
                                       "1.0",
                                       "16777217.0",
                                       "16777219.0",
                                       "9007199254740993.0",
                                       "1.00000005960464478",
                                       "1.00000005960464477",
                                       "-1.00000017881393433e+00",
                                       "3.40282347e+38",
                                       "3.402823669e+38",
                                       "1.0e39",
                                       "1.17549421e-38",
                                       "1.4e-45",
                                       "0.7e-45",
                                       "1.0e-60",
                                       "123456789012345678.0",
                                       "1234567890123456789.5",
                                       "4.9e-324",
                                       "1.7976931348623159e308",
                                       "0.000000000000000000000001",
                                       "9.0e22",
                                       "9.0e23",
                                       "9007199254740992.0e22",
                                       "1.0e-22",
                                       "1.0e-23"};
  uint64_t random = 88172645463325252;
  const auto next = [&](uint64_t limit) {
    random ^= random << 13;
    random ^= random >> 7;
    random ^= random << 17;
    return random % limit;
  };
  for (int i = 0; i < 20000; ++i) {
    std::string text = std::to_string(next(1000)) + "." + std::to_string(next(uint64_t(1) << (1 + next(62))));
    if (next(4)) text += "e" + std::to_string(int(next(60)) - 30);
    decimals.push_back((next(2) ? "-" : "") + text);
  }
  std::string list;
  for (const std::string& text : decimals) list += (list.empty() ? "" : ", ") + text;
  Module m =
      MustRead(fmt::format("module attributes {{a.x = dense<[{0}]> : tensor<{1}xf32>, a.y = dense<[{0}]> : "
                           "tensor<{1}xf64>}} {{}}",
                           list, decimals.size()));
  const auto values = [&](const char* name, auto zero) {
    Payload payload;
    for (const NamedAttr& discardable : m.DiscardableAttrsOf(m.ops[m.top.v]))
      if (m.strings[discardable.name] == name)
        if (const auto elements = m.As<ElementsAttr>(discardable.value))
          payload = m.payloads[elements->payload];
    std::vector<decltype(zero)> out(decimals.size());
    EXPECT_EQ(payload.size, out.size() * sizeof(zero));
    if (payload.size == out.size() * sizeof(zero)) std::memcpy(out.data(), payload.data, payload.size);
    return out;
  };
  const std::vector<float> floats = values("a.x", 0.0f);
  const std::vector<double> doubles = values("a.y", 0.0);
  for (size_t i = 0; i < decimals.size(); ++i) {
    const double nearest = std::strtod(decimals[i].c_str(), nullptr);
    EXPECT_EQ(std::bit_cast<uint32_t>(floats[i]), std::bit_cast<uint32_t>(float(nearest))) << decimals[i];
    EXPECT_EQ(std::bit_cast<uint64_t>(doubles[i]), std::bit_cast<uint64_t>(nearest)) << decimals[i];
  }
}

TEST(TextReader, ReadsDenseElements) {
  EXPECT_EQ(ElementBytes("dense<[[1, -1], [0x7f, 3]]> : tensor<2x2xi8>"), "01ff7f03");
  EXPECT_EQ(ElementBytes("dense<[1, -1]> : tensor<2xi4>"), "010f");
  EXPECT_EQ(ElementBytes("dense<[7, 7, 7]> : tensor<3xi16>"), "splat 0700");
  EXPECT_EQ(ElementBytes("dense<true> : tensor<i1>"), "splat 01");
  EXPECT_EQ(ElementBytes("dense<[(1.0, -2.0)]> : tensor<1xcomplex<f32>>"), "splat 0000803f000000c0");
  EXPECT_EQ(ElementBytes("dense<> : tensor<0x4xf32>"), "");
  EXPECT_EQ(ElementBytes("dense<\"0x0102030405060708\"> : tensor<2xi32>"), "0102030405060708");
  EXPECT_EQ(ElementBytes("dense<\"0x0000C07F\"> : tensor<5xf32>"), "splat 0000c07f");
  EXPECT_EQ(ElementBytes("dense<\"0x8A\"> : tensor<8xi1>"), "0001000100000001");
  EXPECT_EQ(ElementBytes("dense<\"0x0501\"> : tensor<9xi1>"), "010001000000000001");
  EXPECT_EQ(ElementBytes("dense<\"0x0580\"> : tensor<16xi1>"), "01000100000000000000000000000001");
  EXPECT_NE(Message("module attributes {a.b = dense<\"0x058001\"> : tensor<16xi1>} {}"), "");
  EXPECT_EQ(ElementBytes("dense<[1.0, // -> \">\n 2.0]> : tensor<2xf16>"), "003c0040");
  for (const char* bad :
       {"dense<[1, 2]> : tensor<3xi8>", "dense<[[1, 2], [3]]> : tensor<2x2xi8>",
        "dense<[1]> : tensor<1x1xi8>", "dense<[[1]]> : tensor<1xi8>", "dense<\"0x010203\"> : tensor<2xi8>",
        "dense<\"0x01G3\"> : tensor<2xi8>", "dense<1> : tensor<?xi8>", "dense<[1.5]> : tensor<1xi8>",
        "dense<1> : tensor<4611686018427387904x8xi8>", "dense<256> : tensor<2xi8>",
        "dense<[1, 2> : tensor<2xi8>", "dense<\"0x02\"> : tensor<1xi1>"})
    EXPECT_NE(Message("module attributes {a.b = " + std::string(bad) + "} {}"), "") << bad;
  Module m;
  EXPECT_EQ(m.attrs.KindOf(Attr(&m, "dense<[\"a\", \"b>\"]> : tensor<2x!my.string>")),
            AttrKind::kStringElements);
  EXPECT_EQ(m.attrs.KindOf(Attr(&m, "sparse<[[0, 1], [2, 3]], [1.0, 2.0]> : tensor<4x4xf32>")),
            AttrKind::kSparseElements);
  EXPECT_EQ(m.attrs.KindOf(Attr(&m, "array<i64: 1, -2>")), AttrKind::kI64Array);
  EXPECT_EQ(m.attrs.KindOf(Attr(&m, "array<i1: true, false>")), AttrKind::kDenseArray);
}

TEST(TextReader, ReadsResourcesBehindTheProgram) {
  const Module m = MustRead(
      "module attributes {a.b = dense_resource<blob> : tensor<2xi8>} {}\n"
      "{-# dialect_resources: { builtin: { blob: \"0x040000000A0B\" } }, external_resources: { x: { y: \"z\" "
      "} } #-}\n");
  ASSERT_EQ(m.resources.size(), 1u);
  EXPECT_EQ(m.strings[m.resources[0].key], "blob");
  EXPECT_EQ(m.resources[0].alignment, 4u);
  EXPECT_EQ(m.payloads[m.resources[0].payload].bytes(), "\x0a\x0b");
  EXPECT_NE(Message("module {}\n{-# dialect_resources: { builtin: { blob: \"0x030000000A\" } } #-}")
                .find("power of two"),
            std::string::npos);
}

TEST(TextReader, ReadsAliasesAlsoFromBehind) {
  const Module m = MustRead(
      "!t = tensor<2xi8>\n#a = 5 : i8\n"
      "func.func private @f(!t) attributes {x.y = #a, x.z = [#later]} loc(#loc1)\n"
      "#later = \"late\"\n#loc = loc(\"f.py\":1:2)\n#loc1 = loc(callsite(#loc at fused<#a>[\"n\"(#loc), "
      "unknown]))\n");
  ASSERT_TRUE(m.top);
  EXPECT_EQ(m.attrs.KindOf(TopOp(m, 0).loc), AttrKind::kCallSiteLoc);
  EXPECT_NE(Message("module attributes {a.b = #c} {}\n#c = [#d]\n#d = [#c]\n").find("refers to itself"),
            std::string::npos);
  EXPECT_NE(Message("module attributes {a.b = #nope} {}").find("undefined symbol alias id"),
            std::string::npos);
}

TEST(TextReader, ReadsStringsAndOtherAttributes) {
  Module m;
  std::string_view value;
  ASSERT_TRUE(m.AsString(Attr(&m, "\"a\\n\\t\\22\\5C\\\\\\00\\FF\""), &value));
  EXPECT_EQ(value, std::string_view("a\n\t\"\\\\\0\xff", 8));
  EXPECT_EQ(m.attrs.KindOf(Attr(&m, "@a::@\"b c\"::@d")), AttrKind::kSymbolRef);
  EXPECT_EQ(m.attrs.KindOf(Attr(&m, "affine_set<(d0) : (d0 - 1 >= 0)>")), AttrKind::kIntegerSet);
  EXPECT_EQ(m.attrs.KindOf(Attr(&m, "distinct[1]<>")), AttrKind::kDistinct);
  EXPECT_EQ(m.attrs.KindOf(Attr(&m, "#sparse_tensor.encoding<{ map = (d0) -> (d0 : compressed) }>")),
            AttrKind::kOpaqueAttr);
  const AttrId conv = Attr(&m, "#stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 1, 0, f]>");
  const auto dims = m.As<ConvDimensionNumbersAttr>(conv);
  ASSERT_TRUE(dims);
  EXPECT_EQ(dims->input_batch_dimension, 0);
  EXPECT_EQ(dims->input_feature_dimension, 3);
  EXPECT_EQ(dims->kernel_input_feature_dimension, 2);
  EXPECT_EQ(dims->kernel_output_feature_dimension, 3);
  EXPECT_EQ(dims->output_batch_dimension, 0);
  EXPECT_EQ(dims->output_feature_dimension, 3);
  EXPECT_EQ(dims->input_spatial_dimensions[1], 2);
  EXPECT_EQ(dims->kernel_spatial_dimensions[0], 0);
  EXPECT_EQ(dims->output_spatial_dimensions[0], 2);  // spatial dimension 0 of the output comes second
  EXPECT_EQ(m.attrs.KindOf(Attr(&m,
                                "#stablehlo.replica_group_mesh_axes<mesh = @m, axes = "
                                "[#stablehlo.axis_ref<name = \"x\", sub_axis_info = (1)2>]>")),
            AttrKind::kReplicaGroupMeshAxes);
  EXPECT_NE(Message("module attributes {a.b = #stablehlo<precision NOPE>} {}").find("to be one of: "),
            std::string::npos);
  EXPECT_NE(Message("module attributes {a.b = {x, x}} {}").find("duplicate key"), std::string::npos);
}

TEST(TextReader, SplitsChunks) {
  const auto chunks = *SplitText("a\n// -----\nb\n // -----\n// -----  \nc");
  ASSERT_EQ(chunks.size(), 4u);
  EXPECT_EQ(chunks[0].text, "a\n");
  EXPECT_EQ(chunks[1].text, "\nb\n ");
  EXPECT_EQ(chunks[1].first_line, 2u);
  EXPECT_EQ(chunks[2].text, "\n");
  EXPECT_EQ(chunks[3].text, "  \nc");
  EXPECT_EQ(chunks[3].first_line, 5u);
}

// A marker is a separate line; blanks may be around it.
TEST(TextReader, BannersAreComments) {
  const std::string one[] = {
      "// ------------------------------------------------\n// Layer 1\na",
      "// ------\na",
      "// -----x\na",
      "a // -----\nb",
      "a // -----",
      "// // -----\na",
      "//// -----\na",
      "// ----- the second program\na",
      "// -----//\na",
      "\"// -----\"\na",
      "// ----\na",
      "//  -----\na",
      "//-----\na",
      "// -----\v\na",
  };
  for (const std::string& text : one) {
    const auto chunks = *SplitText(text);
    ASSERT_EQ(chunks.size(), 1u) << text;
    EXPECT_EQ(chunks[0].text, text);
  }
  const std::string two[] = {"a\n// -----\nb",     "a\n// -----  \nb",  "a\n// -----\t\r\nb",
                             "a\r\n// -----\r\nb", "a\n \t// -----\nb", "a\n// -----",
                             "// -----\na",        "// -----"};
  for (const std::string& text : two) EXPECT_EQ(SplitText(text)->size(), 2u) << text;
}

TEST(TextReader, SplitsAroundLargeConstants) {
  const std::string marker = "// -----", digits(9 << 20, 'A');
  for (size_t before : {size_t(0), (size_t(7) << 20) - 8, size_t(1) << 20}) {
    const std::string first = std::string(before, 'x') + "\"0x" + digits + "\"\n";
    const std::string text = first + marker + "\ny\n" + marker + "\n" + first;
    const auto chunks = *SplitText(text, /*threads=*/3);
    ASSERT_EQ(chunks.size(), 3u) << before;
    EXPECT_EQ(chunks[0].text, first);
    EXPECT_EQ(chunks[1].text, "\ny\n");
    EXPECT_EQ(chunks[2].text, "\n" + first);
    EXPECT_EQ(chunks[1].first_line, 2u);
    EXPECT_EQ(chunks[2].first_line, 4u);
  }
}

TEST(TextReader, RemembersWhereOpsBegin) {
  const std::string text = "module {\n  func.func private @f()\n}\n";
  Source source;
  const Module m = MustRead(text, &source);
  EXPECT_EQ(source.places.OffsetOfOp(m.top), 0u);
  EXPECT_EQ(source.places.OffsetOfOp(OpId(1)), text.find("func.func"));
  EXPECT_EQ(source.places.OffsetOfOp(OpId(3)), SourcePlaces::kNone);
  EXPECT_EQ(PlaceOf(m, OpId(1), &source).line, 2u);
  EXPECT_EQ(PlaceOf(m, OpId(1), &source).source_line, "  func.func private @f()");
  EXPECT_EQ(PlaceOf(m, OpId(1), nullptr).line, 0u);
}

// Offsets are those of words that occur once in the text.
TEST(TextReader, RemembersWhereAttributesAndTypesAre) {
  const std::string text = R"(func.func @f(%a: tensor<2x3xf32>, %b: tensor<f32>) -> tensor<2xf32>
    attributes {my.note = "n"} {
  %0 = "mine.op"(%a)
      <{inside = 1 : i64}> {"outside" = 2 : i64} : (tensor<2x3xf32>) -> tensor<9xf32>
  %1 = stablehlo.tanh %a
      {my.mark, result_accuracy = #stablehlo.result_accuracy<mode = #stablehlo.result_accuracy_mode<HIGHEST>>}
      : tensor<2x3xf32>
  %2 = stablehlo.reduce(%1 init: %b) across dimensions = [1]
      : (tensor<2x3xf32>, tensor<f32>) -> tensor<2xf32>
      reducer(%x: tensor<f32>, %y: tensor<f32>) {
    %3 = stablehlo.add %x, %y : tensor<f32>
    stablehlo.return %3 : tensor<f32>
  }
  return %2 : tensor<2xf32>
})";
  Source source;
  const Module m = MustRead(text, &source);
  const SourcePlaces& places = source.places;
  const auto op = [&](std::string_view name) {
    for (uint32_t i = 1; i < m.ops.size(); ++i)
      if (m.NameOf(m.ops[i]) == name) return OpId(i);
    return OpId();
  };
  const auto at = [&](std::string_view words, size_t plus = 0) { return text.find(words) + plus; };
  using Part = SourcePlaces::Part;
  const OpId function = op("func.func"), generic = op("mine.op"), tanh = op("stablehlo.tanh"),
             reduce = op("stablehlo.reduce"), add = op("stablehlo.add");
  EXPECT_EQ(places.OffsetOfAttr(function, "sym_name"), at("@f"));
  EXPECT_EQ(places.OffsetOfAttr(function, "my.note"), at("my.note"));
  EXPECT_EQ(places.OffsetOfAttr(function, "my.note", Part::kDictionary), at("{my.note"));
  EXPECT_EQ(places.OffsetOfTypes(function), at("(%a: tensor"));
  EXPECT_EQ(places.OffsetOfAttr(generic, "inside"), at("inside"));
  EXPECT_EQ(places.OffsetOfAttr(generic, "outside"), at("\"outside\""));
  EXPECT_EQ(places.OffsetOfAttr(generic, "outside", Part::kDictionary), SourcePlaces::kNone);
  EXPECT_EQ(places.OffsetOfAttr(generic, "neither"), SourcePlaces::kNone);
  EXPECT_EQ(places.OffsetOfTypes(generic), at("(tensor<2x3xf32>) -> tensor<9xf32>"));
  EXPECT_EQ(places.OffsetOfAttr(tanh, "result_accuracy"), at("result_accuracy"));
  EXPECT_EQ(places.OffsetOfAttr(tanh, "result_accuracy", Part::kDictionary), at("{my.mark"));
  EXPECT_EQ(places.OffsetOfTypes(tanh), at(": tensor<2x3xf32>\n  %2", 2));
  EXPECT_EQ(places.OffsetOfAttr(reduce, "dimensions"), at("across"));
  EXPECT_EQ(places.OffsetOfTypes(reduce), at("(tensor<2x3xf32>, tensor<f32>) -> tensor<2xf32>"));
  EXPECT_EQ(places.OffsetOfTypes(add), at("%x, %y : tensor<f32>", 9));
  const BlockId body = m.BlocksOf(m.RegionsOf(m.ops[reduce.v])[0])[0];
  EXPECT_EQ(places.OffsetOfArg(m.ArgOf(body, 1)), at("%y: tensor", 4));
  EXPECT_EQ(PlaceOfArg(m, m.ArgOf(body, 1), &source).line, 10u);
  const Place place = PlaceOfAttr(m, tanh, "my.mark", &source);
  EXPECT_EQ(place.line, 6u);
  EXPECT_EQ(place.column, 8u);
  EXPECT_EQ(place.function, "f");
  // A part that the text does not contain has the place of the op.
  EXPECT_EQ(PlaceOfAttr(m, tanh, "other", &source).line, 5u);
}

TEST(TextReader, NoPrefixOfAProgramIsTrouble) {
  const std::string text =
      "#a = [1.5, {b = dense<[[1], [2]]> : tensor<2x1xi8>}]\n"
      "func.func @f(%x: tensor<2x!quant.uniform<i8:f32, 1.0:2>> {a.b = #a}) -> (i1 {c.d}) attributes {e.f} "
      "{\n"
      "  %0:2 = \"a.b\"(%x)[^bb1] <{p = \"\\41\"}> ({ ^bb0(%y: i1): \"c.d\"(%y) : (i1) -> () }) {q = "
      "@s::@t}\n"
      "    : (tensor<2x!quant.uniform<i8:f32, 1.0:2>>) -> (i1, i2) loc(fused[\"x\":1:2, unknown])\n"
      "^bb1:\n  return %0#0 : i1\n}\n{-# dialect_resources: { builtin: { k: \"0x0100000007\" } } #-}\n";
  EXPECT_TRUE(Read(text).has_value());
  for (size_t n = 0; n <= text.size(); ++n) {
    const auto module = Read(text.substr(0, n));
    EXPECT_TRUE(module || !module.error().empty()) << n;
  }
}

}  // namespace
}  // namespace shlo
