#include "shlo/compare.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <string>

#include "shlo/text_reader.h"

namespace shlo {
namespace {

std::string Difference(const std::string& a, const std::string& b, CompareOptions options = {}) {
  Source source;
  const auto read = [](const std::string& text, Source* places) {
    auto module = ReadText(text, {}, {}, places);
    EXPECT_TRUE(module) << module.error()[0].message << "\n" << text;
    return module ? std::move(*module) : Module();
  };
  const Module first = read(a, &source), second = read(b, nullptr);
  options.source = &source;
  return FirstDifference(first, second, options);
}

// Compares a function with one in which a part of the text is another.
std::string With(std::string body, const std::string& from, const std::string& to) {
  const std::string text = "func.func @f(%a: tensor<2xf32>, %b: tensor<2xf32>) {\n" + body + "  return\n}\n";
  std::string other = text;
  const size_t at = other.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  other.replace(at, from.size(), to);
  EXPECT_EQ(Difference(text, text), "");
  EXPECT_EQ(Difference(other, other), "");
  return Difference(text, other);
}

const std::string kAdd = "  %0 = stablehlo.add %a, %b : tensor<2xf32>\n";
const std::string kUse = "  \"foo.use\"(%a) {x = 1 : i32} : (tensor<2xf32>) -> ()\n";

TEST(Compare, NamesTheOpAndWhatDiffers) {
  EXPECT_EQ(With(kAdd, "add", "multiply"),
            "'stablehlo.add' in @f at line 2: is 'stablehlo.multiply' in the second program");
  EXPECT_EQ(With(kAdd, "%a, %b", "%b, %b"), "'stablehlo.add' in @f at line 2: operand #0 differs");
  EXPECT_EQ(With(kAdd, "%a, %b", "%a, %a"), "'stablehlo.add' in @f at line 2: operand #1 differs");
  EXPECT_EQ(With(kUse, "x = 1", "x = 2"), "'foo.use' in @f at line 2: attribute 'x' differs");
  EXPECT_EQ(With(kUse, "x = 1", "y = 1"), "'foo.use' in @f at line 2: attribute 'x' differs");
  EXPECT_EQ(With(kUse, "{x = 1 : i32}", "{x = 1 : i32, y}"),
            "'foo.use' in @f at line 2: has 1 and 2 discardable attributes");
  EXPECT_EQ(With(kUse, "(%a) {x = 1 : i32} : (tensor<2xf32>)",
                 "(%a, %a) {x = 1 : i32} : (tensor<2xf32>, tensor<2xf32>)"),
            "'foo.use' in @f at line 2: has 1 and 2 operands");
  EXPECT_EQ(With("  %0:2 = \"foo.two\"() : () -> (i32, i32)\n", "(i32, i32)", "(i32, i64)"),
            "'foo.two' in @f at line 2: type of #1 of the results differs");
  EXPECT_EQ(With("  %0:2 = \"foo.two\"() : () -> (i32, i32)\n", "%0:2 = \"foo.two\"() : () -> (i32, i32)",
                 "%0 = \"foo.two\"() : () -> (i32)"),
            "'foo.two' in @f at line 2: 2 and 1 results");
  EXPECT_EQ(With("  %0 = stablehlo.iota dim = 0 : tensor<2x2xi32>\n", "dim = 0", "dim = 1"),
            "'stablehlo.iota' in @f at line 2: attribute 'iota_dimension' differs");
  EXPECT_EQ(With("  \"foo.use\"() ({\n  }) : () -> ()\n", "({\n  })", "({\n  }, {\n  })"),
            "'foo.use' in @f at line 2: has 1 and 2 regions");
  EXPECT_EQ(With("  \"foo.use\"() ({\n  ^a:\n    \"foo.end\"() : () -> ()\n  }) : () -> ()\n",
                 "() : () -> ()\n  })", "() : () -> ()\n  ^b:\n    \"foo.end\"() : () -> ()\n  })"),
            "'foo.use' in @f at line 2: has 1 and 2 blocks");
  EXPECT_EQ(With("  \"foo.use\"() ({\n  ^a(%x: i32):\n    \"foo.end\"() : () -> ()\n  }) : () -> ()\n",
                 "(%x: i32)", "(%x: i64)"),
            "'foo.use' in @f at line 2: type of #0 of the block arguments differs");
  EXPECT_EQ(With(kAdd, kAdd, kAdd + kAdd.substr(0, 3) + "1" + kAdd.substr(4)),
            "'func.return' in @f at line 3: is 'stablehlo.add' in the second program");
  EXPECT_EQ(With("  \"foo.use\"() ({\n    \"foo.a\"() : () -> ()\n  }) : () -> ()\n", "() : () -> ()\n  })",
                 "() : () -> ()\n    \"foo.a\"() : () -> ()\n  })"),
            "'foo.use' in @f at line 2: has blocks of 1 and 2 ops");
}

TEST(Compare, NumbersOfDistinctAttributesOnlyTellThemApart) {
  const auto program = [](int x, int y, int z) {
    return fmt::format(
        "\"t.a\"() {{x = distinct[{}]<1>, y = distinct[{}]<1>, z = distinct[{}]<1>}} : () -> ()", x, y, z);
  };
  EXPECT_EQ(Difference(program(0, 0, 1), program(7, 7, 3)), "");
  EXPECT_EQ(Difference(program(0, 1, 2), program(2, 1, 0)), "");
  EXPECT_EQ(Difference(program(0, 0, 1), program(0, 1, 1)), "'t.a' at line 1: attribute 'y' differs");
  EXPECT_EQ(Difference(program(0, 1, 1), program(0, 0, 1)), "'t.a' at line 1: attribute 'y' differs");
  EXPECT_NE(Difference(program(0, 1, 1),
                       "\"t.a\"() {x = distinct[0]<1>, y = distinct[1]<2>, z = "
                       "distinct[1]<2>} : () -> ()"),
            "");
}

TEST(Compare, Successors) {
  const std::string text =
      "func.func @f() {\n  \"foo.br\"()[^x] : () -> ()\n^x:\n  \"foo.br\"()[^y] : () -> ()\n^y:\n  "
      "return\n}\n";
  std::string other = text;
  other.replace(other.find("[^x]"), 4, "[^y]");
  EXPECT_EQ(Difference(text, other), "'foo.br' in @f at line 2: successor #0 differs");
  other = text;
  other.replace(other.find("[^x]"), 4, "[^x, ^y]");
  EXPECT_EQ(Difference(text, other), "'foo.br' in @f at line 2: has 1 and 2 successors");
}

TEST(Compare, ForwardReferences) {
  const std::string text =
      "\"foo.graph\"() ({\n  \"foo.use\"(%0) : (i32) -> ()\n  %0 = \"foo.a\"() : () -> i32\n"
      "  %1 = \"foo.a\"() : () -> i32\n}) : () -> ()\n";
  std::string other = text;
  other.replace(other.find("(%0)"), 4, "(%1)");
  EXPECT_EQ(Difference(text, text), "");
  EXPECT_EQ(Difference(text, other), "'builtin.module' at line 1: a forward reference differs");
}

TEST(Compare, VersionsAndResources) {
  const auto version = [](int n) {
    return "func.func private @f() attributes {stablehlo.compat_version = " + std::to_string(n) + " : i32}\n";
  };
  EXPECT_EQ(Difference(version(62), version(63)), "versions differ: 1.9.0 (62) and 1.10.0 (63)");
  const auto resource = [](const char* key, const char* bytes) {
    return "module {\n}\n{-#\n  dialect_resources: {\n    builtin: {\n      " + std::string(key) +
           ": \"0x04000000" + bytes + "\"\n    }\n  }\n#-}\n";
  };
  EXPECT_EQ(Difference(resource("a", "01"), resource("a", "01")), "");
  EXPECT_EQ(Difference(resource("a", "01"), resource("a", "02")), "dense resources differ");
  EXPECT_EQ(Difference(resource("a", "01"), resource("b", "01")), "dense resources differ");
  EXPECT_EQ(Difference(resource("a", "01"), "module {\n}\n"), "dense resources differ");
}

}  // namespace
}  // namespace shlo
