// Programs with one planted change each: the report names that change and nothing else.
#include "shlo/diff.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <chrono>
#include <string>

#include "shlo/convert.h"
#include "shlo/mlirbc_reader.h"
#include "shlo/mlirbc_writer.h"
#include "shlo/text_reader.h"

namespace shlo {
namespace {

Module Read(const std::string& text) {
  const Buffer owner = std::make_shared<std::string>(text);
  auto m = ReadText(*static_cast<const std::string*>(owner.get()), owner);
  EXPECT_TRUE(m) << (m ? "" : Render(m.error()[0])) << text;
  return m ? std::move(*m) : Module();
}

std::string Line(const Difference& d) {
  std::string out = fmt::format(" {}", AspectName(d.aspect));
  if (d.aspect == Aspect::kOperand || d.aspect == Aspect::kArgument || d.aspect == Aspect::kResult)
    out += fmt::format(" {}", d.index);
  if (!d.name.empty()) out += " " + d.name;
  if (d.aspect == Aspect::kConstant)
    return out + fmt::format(": {}: {} of {}, {}", d.elements.type, d.elements.differ, d.elements.count,
                             d.elements.largest);
  if (d.before.empty() && d.after.empty()) return out;
  return out + fmt::format(": {} -> {}", d.before, d.after);
}

std::string Lines(const std::vector<Difference>& differences) {
  std::string out;
  for (const Difference& d : differences) out += Line(d) + ";";
  return out;
}

// The report, one line per thing that differs.
std::string Report(const Module& a, const Module& b, const DiffOptions& options = {}) {
  const auto diff = Diff(a, b, options);
  if (!diff) return diff.error()[0].message;
  std::string out;
  if (!diff->module.empty()) out += "module:" + Lines(diff->module) + "\n";
  const auto put_ops = [&](const std::vector<OpDifference>& ops) {
    for (const OpDifference& op : ops) {
      if (!op.a)
        out += fmt::format("+ {}\n", b.NameOf(b.ops[op.b.v]));
      else
        out += fmt::format("{} {}{}\n", op.b ? '~' : '-', a.NameOf(a.ops[op.a.v]), Lines(op.differences));
    }
  };
  for (const SymbolDifference& symbol : diff->symbols) {
    const Op& op = symbol.a ? a.ops[symbol.a.v] : b.ops[symbol.b.v];
    if (!symbol.a || !symbol.b || !symbol.differences.empty())
      out += fmt::format("{}@{}{}\n",
                         !symbol.a   ? "+"
                         : !symbol.b ? "-"
                                     : "",
                         (symbol.a ? a : b).SymbolOf(op), Lines(symbol.differences));
    put_ops(symbol.ops);
  }
  put_ops(diff->others);
  EXPECT_EQ(diff->equal(), out.empty());
  return out;
}

std::string Report(const std::string& a, const std::string& b, const DiffOptions& options = {}) {
  const Module m = Read(a), n = Read(b);
  EXPECT_EQ(Report(m, m, options), "");
  EXPECT_EQ(Report(n, n, options), "");
  return Report(m, n, options);
}

// A function of two f32 vectors with these ops.
std::string Main(const std::string& body) {
  return "func.func @main(%a: tensor<4xf32>, %b: tensor<4xf32>) -> tensor<4xf32> {\n" + body + "\n}\n";
}
// The same, with the op given in the middle of others.
std::string Around(const std::string& op) {
  return Main("%0 = stablehlo.tanh %a : tensor<4xf32>\n%1 = stablehlo.exponential %b : tensor<4xf32>\n" + op +
              "\n%3 = stablehlo.multiply %2, %0 : tensor<4xf32>\n"
              "%4 = stablehlo.abs %3 : tensor<4xf32>\nreturn %4 : tensor<4xf32>");
}
constexpr const char* kSubtract = "%2 = stablehlo.subtract %0, %1 : tensor<4xf32>";

TEST(Diff, NamesOfValuesMakeNoDifference) {
  std::string renamed = Around(kSubtract);
  for (const char* name : {"0", "1", "2", "3", "4"})
    for (size_t at; (at = renamed.find(std::string("%") + name)) != renamed.npos;)
      renamed.replace(at, 2, std::string("%value") + "abcde"[name[0] - '0']);
  EXPECT_NE(renamed, Around(kSubtract));
  EXPECT_EQ(Report(Around(kSubtract), renamed), "");
}

TEST(Diff, OrderOfIndependentOpsMakesNoDifference) {
  const std::string rest = "%2 = stablehlo.subtract %0, %1 : tensor<4xf32>\nreturn %2 : tensor<4xf32>";
  EXPECT_EQ(
      Report(Main("%0 = stablehlo.tanh %a : tensor<4xf32>\n%1 = stablehlo.tanh %b : tensor<4xf32>\n" + rest),
             Main("%1 = stablehlo.tanh %b : tensor<4xf32>\n%0 = stablehlo.tanh %a : tensor<4xf32>\n" + rest)),
      "");
}

TEST(Diff, OneChangeOfAnOp) {
  const std::string before = Around(kSubtract);
  EXPECT_EQ(Report(before, Around("%2 = stablehlo.subtract %1, %0 : tensor<4xf32>")),
            "~ stablehlo.subtract operand 0; operand 1;\n");
  EXPECT_EQ(Report(before, Around("%2 = stablehlo.subtract %0, %0 : tensor<4xf32>")),
            "~ stablehlo.subtract operand 1;\n");
  EXPECT_EQ(Report(before, Around("%2 = stablehlo.add %0, %1 : tensor<4xf32>")),
            "~ stablehlo.subtract name: stablehlo.subtract -> stablehlo.add;\n");
  EXPECT_EQ(Report(before, Around("%2 = stablehlo.subtract %0, %1 {note = 1 : i32} : tensor<4xf32>")),
            "~ stablehlo.subtract attribute note:  -> 1 : i32;\n");
  // One op more, and the operand of its user.
  const std::string inserted =
      "%5 = stablehlo.subtract %0, %1 : tensor<4xf32>\n%2 = stablehlo.negate %5 : tensor<4xf32>";
  EXPECT_EQ(Report(before, Around(inserted)), "+ stablehlo.negate\n~ stablehlo.multiply operand 0;\n");
  EXPECT_EQ(Report(Around(inserted), before), "- stablehlo.negate\n~ stablehlo.multiply operand 0;\n");
  // An op of the same kind as its neighbor.
  EXPECT_EQ(Report(before, Around("%5 = stablehlo.subtract %0, %1 : tensor<4xf32>\n"
                                  "%2 = stablehlo.subtract %5, %1 : tensor<4xf32>")),
            "+ stablehlo.subtract\n~ stablehlo.multiply operand 0;\n");
  // An op without uses.
  EXPECT_EQ(Report(before, Around(std::string(kSubtract) + "\n%9 = stablehlo.cosine %2 : tensor<4xf32>")),
            "+ stablehlo.cosine\n");
}

TEST(Diff, SeveralChangesOfAChain) {
  const auto chain = [](const char* second, const char* fifth) {
    return Main(
        fmt::format("%0 = stablehlo.tanh %a : tensor<4xf32>\n{}\n%2 = stablehlo.abs %1 : tensor<4xf32>\n"
                    "%3 = stablehlo.sine %2 : tensor<4xf32>\n%4 = stablehlo.abs %3 : tensor<4xf32>\n{}\n"
                    "%6 = stablehlo.cosine %5 : tensor<4xf32>\nreturn %6 : tensor<4xf32>",
                    second, fifth));
  };
  // Ops between the changes have other sources and other users.
  EXPECT_EQ(
      Report(chain("%1 = stablehlo.add %0, %b : tensor<4xf32>", "%5 = stablehlo.negate %4 : tensor<4xf32>"),
             chain("%1 = stablehlo.multiply %0, %b : tensor<4xf32>",
                   "%5 = stablehlo.negate %4 {note} : tensor<4xf32>")),
      "~ stablehlo.add name: stablehlo.add -> stablehlo.multiply;\n"
      "~ stablehlo.negate attribute note:  -> unit;\n");
}

TEST(Diff, AttributesOfGather) {
  const auto gather = [](const char* sizes, const char* more) {
    return fmt::format(R"(func.func @main(%a: tensor<4x5xf32>, %i: tensor<3x1xi32>) -> tensor<3x?xf32> {{
  %0 = "stablehlo.gather"(%a, %i) <{{dimension_numbers = #stablehlo.gather<offset_dims = [1],
    collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>,
    slice_sizes = array<i64: {}>{}}}> : (tensor<4x5xf32>, tensor<3x1xi32>) -> tensor<3x?xf32>
  return %0 : tensor<3x?xf32>
}}
)",
                       sizes, more);
  };
  EXPECT_EQ(Report(gather("1, 2", ""), gather("1, 3", "")),
            "~ stablehlo.gather attribute slice_sizes: [1, 2] -> [1, 3];\n");
  EXPECT_EQ(Report(gather("1, 2", ""), gather("1, 2", ", indices_are_sorted = true")),
            "~ stablehlo.gather attribute indices_are_sorted: false -> true;\n");
  // A default that is written out.
  EXPECT_EQ(Report(gather("1, 2", ""), gather("1, 2", ", indices_are_sorted = false")), "");
}

TEST(Diff, Constants) {
  const auto constant = [](const char* value) {
    return Main(
        fmt::format("%0 = stablehlo.constant dense<{}> : tensor<4xf32>\n%1 = stablehlo.add %a, %0 : "
                    "tensor<4xf32>\nreturn %1 : tensor<4xf32>",
                    value));
  };
  EXPECT_EQ(Report(constant("[1.0, 2.0, 3.0, 4.0]"), constant("[1.0, 2.5, 3.0, 1.0]")),
            "~ stablehlo.constant constant value: tensor<4xf32>: 2 of 4, 3;\n");
  EXPECT_EQ(Report(constant("1.0"), constant("0.5")),
            "~ stablehlo.constant constant value: tensor<4xf32>: 4 of 4, 0.5;\n");
  EXPECT_EQ(Report(constant("[1.0, 1.0, 1.0, 1.0]"), constant("1.0")), "");
  EXPECT_EQ(Report(constant("0x7FC00000"), constant("1.0")),
            "~ stablehlo.constant constant value: tensor<4xf32>: 4 of 4, ;\n");
}

TEST(Diff, EqualConstantsStandForEachOther) {
  const auto add = [](const char* constants, const char* x, const char* y) {
    return Main(
        fmt::format("{}%1 = stablehlo.add %a, {} : tensor<4xf32>\n%2 = stablehlo.multiply %1, {} : "
                    "tensor<4xf32>\nreturn %2 : tensor<4xf32>",
                    constants, x, y));
  };
  const std::string one = "%c = stablehlo.constant dense<1.0> : tensor<4xf32>\n";
  const std::string two = one + "%d = stablehlo.constant dense<1.0> : tensor<4xf32>\n";
  EXPECT_EQ(Report(add(two.c_str(), "%c", "%d"), add(two.c_str(), "%d", "%c")), "");
  EXPECT_EQ(Report(add(one.c_str(), "%c", "%c"), add(two.c_str(), "%c", "%d")), "+ stablehlo.constant\n");
}

TEST(Diff, Functions) {
  const auto program = [](const char* helper, const char* op, const char* visibility = "private ") {
    return fmt::format(R"(func.func @main(%a: tensor<4xf32>) -> tensor<4xf32> {{
  %0 = func.call @{0}(%a) : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}}
func.func {2}@{0}(%a: tensor<4xf32>) -> tensor<4xf32> {{
  %0 = stablehlo.{1} %a : tensor<4xf32>
  return %0 : tensor<4xf32>
}}
)",
                       helper, op, visibility);
  };
  const std::string before = program("helper", "tanh");
  EXPECT_EQ(Report(before, program("other", "tanh")), "@helper name: helper -> other;\n");
  EXPECT_EQ(Report(before, program("helper", "sine")),
            "~ stablehlo.tanh name: stablehlo.tanh -> stablehlo.sine;\n");
  EXPECT_EQ(Report(before, program("other", "sine")),
            "~ func.call attribute callee: @helper -> @other;\n-@helper\n+@other\n");
  EXPECT_EQ(Report(before, program("helper", "tanh", "")),
            "@helper attribute sym_visibility: \"private\" -> \"\";\n");
  const std::string added = "func.func @more() {\n  return\n}\n";
  EXPECT_EQ(Report(before, before + added), "+@more\n");
  EXPECT_EQ(Report(before + added, before), "-@more\n");
  // A private function whose name was taken by a new one.
  EXPECT_EQ(Report(before, program("helper_0", "tanh") + "func.func private @helper() {\n  return\n}\n"),
            "@helper name: helper -> helper_0;\n+@helper\n");
}

TEST(Diff, Signatures) {
  const auto program = [](const char* arguments, const char* result = "tensor<4xf32>") {
    return fmt::format("func.func @main({}) -> ({}) {{\n  return %a : tensor<4xf32>\n}}\n", arguments,
                       result);
  };
  const std::string before = program("%a: tensor<4xf32>, %b: tensor<2xf32>");
  EXPECT_EQ(Report(before, program("%a: tensor<4xf32>, %b: tensor<3xf32>")),
            "@main argument 1: tensor<2xf32> -> tensor<3xf32>;\n");
  EXPECT_EQ(Report(before, program("%a: tensor<4xf32>, %b: tensor<2xf32>, %c: tensor<f32>")),
            "@main argument 2:  -> tensor<f32>;\n");
  EXPECT_EQ(Report(before, program("%a: tensor<4xf32>")), "@main argument 1: tensor<2xf32> -> ;\n");
  EXPECT_EQ(
      Report(before, program("%a: tensor<4xf32> {mhlo.sharding = \"{replicated}\"}, %b: tensor<2xf32>")),
      "@main argument 0 mhlo.sharding:  -> \"{replicated}\";\n");
  EXPECT_EQ(Report(before, program("%a: tensor<4xf32>, %b: tensor<2xf32>",
                                   "tensor<4xf32> {jax.result_info = \"x\"}")),
            "@main result 0 jax.result_info:  -> \"x\";\n");
}

TEST(Diff, ArgumentsInTheMiddle) {
  EXPECT_EQ(Report("func.func @main(%a: tensor<f32>, %b: tensor<f32>) -> tensor<f32> {\n"
                   "  %0 = stablehlo.subtract %a, %b : tensor<f32>\n  return %0 : tensor<f32>\n}\n",
                   "func.func @main(%a: tensor<f32>, %c: tensor<f32>, %b: tensor<f32>) -> tensor<f32> {\n"
                   "  %0 = stablehlo.subtract %a, %b : tensor<f32>\n  return %0 : tensor<f32>\n}\n"),
            "@main argument 1:  -> tensor<f32>;\n");
}

std::string Loop(const char* body, const char* bound = "%n") {
  return fmt::format(R"(func.func @main(%a: tensor<f32>, %n: tensor<f32>) -> tensor<f32> {{
  %c = stablehlo.constant dense<2.0> : tensor<f32>
  %0 = stablehlo.while(%i = %a) : tensor<f32>
  cond {{
    %1 = stablehlo.compare LT, %i, {} : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  }} do {{
    {}
    stablehlo.return %2 : tensor<f32>
  }}
  %3 = stablehlo.tanh %0 : tensor<f32>
  return %3 : tensor<f32>
}}
)",
                     bound, body);
}

TEST(Diff, Regions) {
  const std::string before = Loop("%2 = stablehlo.multiply %i, %c : tensor<f32>");
  EXPECT_EQ(Report(before, Loop("%2 = stablehlo.add %i, %c : tensor<f32>")),
            "~ stablehlo.multiply name: stablehlo.multiply -> stablehlo.add;\n");
  EXPECT_EQ(Report(before, Loop("%1 = stablehlo.multiply %i, %c : tensor<f32>\n"
                                "%2 = stablehlo.negate %1 : tensor<f32>")),
            "+ stablehlo.negate\n~ stablehlo.return operand 0;\n");
  // A value from outside of the region.
  EXPECT_EQ(Report(before, Loop("%2 = stablehlo.multiply %i, %c : tensor<f32>", "%c")),
            "~ stablehlo.compare operand 1;\n");
  EXPECT_EQ(Report(before, Loop("%2 = stablehlo.multiply %i, %n : tensor<f32>")),
            "~ stablehlo.multiply operand 1;\n");
}

TEST(Diff, SideEffectsKeepTheirOrder) {
  const auto calls = [](const char* first, const char* second) {
    return Main(
        fmt::format("stablehlo.custom_call @{}(%a) {{has_side_effect = true}} : (tensor<4xf32>) -> ()\n"
                    "stablehlo.custom_call @{}(%a) {{has_side_effect = true}} : (tensor<4xf32>) -> ()\n"
                    "return %a : tensor<4xf32>",
                    first, second));
  };
  EXPECT_EQ(Report(calls("x", "y"), calls("y", "x")), "~ stablehlo.custom_call order;\n");
}

TEST(Diff, Locations) {
  const auto program = [](const char* loc) {
    return Main(
        fmt::format("%0 = stablehlo.tanh %a : tensor<4xf32> loc({})\nreturn %0 : tensor<4xf32>", loc));
  };
  EXPECT_EQ(Report(program("\"x.py\":1:2"), program("\"x.py\":3:4")), "");
  EXPECT_EQ(Report(program("\"x.py\":1:2"), program("\"x.py\":3:4"), {.locations = true}),
            "~ stablehlo.tanh location: loc(\"x.py\":1:2) -> loc(\"x.py\":3:4);\n");
}

TEST(Diff, ModulesAndDeclarations) {
  const auto program = [](const char* attribute, const char* mesh) {
    return fmt::format(
        "module @m attributes {{{}}} {{\n  \"sdy.mesh\"() {{mesh = #sdy.mesh<[\"x\"={}]>, sym_name = "
        "\"mesh\"}} : () -> ()\n  func.func @main() {{\n"
        "    return\n  }}\n}}\n",
        attribute, mesh);
  };
  EXPECT_EQ(
      Report(program("mhlo.num_partitions = 2 : i32", "2"), program("mhlo.num_partitions = 4 : i32", "2")),
      "module: attribute mhlo.num_partitions: 2 : i32 -> 4 : i32;\n");
  EXPECT_EQ(Report(program("", "2"), program("", "4")).substr(0, 17), "@mesh attribute m");
}

TEST(Diff, VersionsAndFormats) {
  const std::string text = Around(kSubtract);
  Module a = Read(text);
  auto old = Convert(a, *ParseVersion("0.9.0"));
  ASSERT_TRUE(old);
  const auto bytes = WriteMlirBytecode(old->module);
  ASSERT_TRUE(bytes);
  auto b = ReadMlirBytecode(*bytes, nullptr);
  ASSERT_TRUE(b);
  ASSERT_NE(a.version, b->version);
  ASSERT_TRUE(BringToOneVersion(&a, &*b));
  EXPECT_EQ(b->version, a.version);
  EXPECT_EQ(Report(a, *b), "");
}

TEST(Diff, Counts) {
  const auto diff = Diff(Read(Around(kSubtract)), Read(Around("%2 = stablehlo.add %0, %1 : tensor<4xf32>")));
  ASSERT_TRUE(diff);
  ASSERT_EQ(diff->counts.size(), 2u);
  EXPECT_EQ(diff->counts[0].name, "stablehlo.add");
  EXPECT_EQ(diff->counts[0].added, 1u);
  EXPECT_EQ(diff->counts[0].removed, 0u);
  EXPECT_EQ(diff->counts[1].name, "stablehlo.subtract");
  EXPECT_EQ(diff->counts[1].removed, 1u);
  EXPECT_EQ(diff->ops_a, 6u);
  EXPECT_EQ(diff->matched, 6u);
}

// A chain of ops of several kinds, with one op more after some.
std::string Chain(size_t count, const std::vector<std::pair<size_t, std::string>>& inserted = {}) {
  constexpr std::string_view kKinds[] = {"tanh", "abs", "sine", "add", "negate", "abs", "cosine"};
  std::string out = "func.func @main(%v0: tensor<4xf32>) -> tensor<4xf32> {\n";
  std::string value = "%v0";
  size_t next = 0, id = 0;
  const auto add = [&](std::string_view kind) {
    const std::string result = fmt::format("%v{}", ++id);
    out += fmt::format("{} = stablehlo.{} {}{} : tensor<4xf32>\n", result, kind, value,
                       kind == "add" ? ", %v0" : "");
    value = result;
  };
  for (size_t i = 0; i < count; ++i) {
    add(kKinds[i % std::size(kKinds)]);
    if (next < inserted.size() && inserted[next].first == i) add(inserted[next++].second);
  }
  return out + fmt::format("return {} : tensor<4xf32>\n}}\n", value);
}

TEST(Diff, AnOpInTheMiddleOfManyIsOne) {
  // The user of the result of op i is op i + 1, of kind (i + 1) % 7.
  EXPECT_EQ(Report(Chain(50000), Chain(50000, {{25000, "log"}})),
            "+ stablehlo.log\n~ stablehlo.negate operand 0;\n");
  EXPECT_EQ(Report(Chain(50000, {{25000, "log"}}), Chain(50000)),
            "- stablehlo.log\n~ stablehlo.negate operand 0;\n");
  // Of two ops of the same kind in a row, the second one is new.
  EXPECT_EQ(Report(Chain(50000), Chain(50000, {{25000, "negate"}})),
            "+ stablehlo.negate\n~ stablehlo.abs operand 0;\n");
  EXPECT_EQ(Report(Chain(20000), Chain(20000, {{1, "log"}, {10000, "floor"}, {19000, "ceil"}})),
            "+ stablehlo.log\n~ stablehlo.sine operand 0;\n+ stablehlo.floor\n~ stablehlo.abs operand 0;\n"
            "+ stablehlo.ceil\n~ stablehlo.add operand 0;\n");
}

TEST(Diff, StopsAtTheDeadline) {
  const Module a = Read(Chain(20000));
  DiffOptions options;
  options.limits.deadline = Limits::Clock::now() - std::chrono::seconds(1);
  const auto diff = Diff(a, a, options);
  ASSERT_FALSE(diff);
  EXPECT_EQ(diff.error()[0].code, Code::kLimit);
}

}  // namespace
}  // namespace shlo
