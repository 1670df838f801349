#include <gtest/gtest.h>

#include "ir/print/attr_printer.h"
#include "shlo/print.h"

namespace shlo::text {
namespace {

TEST(PrintAttrs, DimensionsOfAConvolution) {
  const auto text = [](std::initializer_list<int64_t> named, std::vector<int64_t> input,
                       std::vector<int64_t> kernel, std::vector<int64_t> output) {
    ConvolutionRoles roles;
    std::copy(named.begin(), named.end(), roles.named);
    roles.spatial[0] = input, roles.spatial[1] = kernel, roles.spatial[2] = output;
    TextBuffer out;
    out += 'x';
    const bool fits = PutConvolution(out, roles);
    EXPECT_EQ(fits, out.view() != "x");
    return std::string(out.view());
  };
  // In the order of `named`: batch and feature of the input, input and output feature of the kernel, as of
  // the output.
  EXPECT_EQ(text({0, 3, 2, 3, 0, 3}, {1, 2}, {0, 1}, {1, 2}), "x[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]");
  EXPECT_EQ(text({1, 0, 1, 0, 2, 0}, {2}, {2}, {1}), "x[f, b, 0]x[o, i, 0]->[f, 0, b]");
  EXPECT_EQ(text({0, 1, 0, 1, 0, 1}, {}, {}, {}), "x[b, f]x[i, o]->[b, f]");
  EXPECT_EQ(text({0, 1, 0, 1, 0, 1}, {4}, {3, 2}, {}), "x[b, f, ?, ?, 0]x[i, o, 1, 0]->[b, f]");
  // Positions that are negative, used twice, or far away, in each of the lists.
  EXPECT_EQ(text({-1, 1, 0, 1, 0, 1}, {}, {}, {}), "x");
  EXPECT_EQ(text({0, -1, 0, 1, 0, 1}, {}, {}, {}), "x");
  EXPECT_EQ(text({0, 1, 0, 1, 0, 1}, {-1}, {}, {}), "x");
  EXPECT_EQ(text({0, 1, 0, 0, 0, 1}, {}, {}, {}), "x");
  EXPECT_EQ(text({0, 1, 0, 1, 0, 1}, {}, {1}, {}), "x");
  EXPECT_EQ(text({0, 1, 0, 1, 0, 1}, {}, {}, {2, 2}), "x");
  EXPECT_EQ(text({0, 1, 0, 1, INT64_MIN, 1}, {}, {}, {}), "x");
  EXPECT_EQ(text({0, 1, 0, 1, 0, 1}, {4096}, {}, {}), "x");
  EXPECT_EQ(text({0, 4096, 0, 1, 0, 1}, {}, {}, {}), "x");
  EXPECT_EQ(text({0, 1, 0, 1, 0, 1}, {}, {1ll << 40}, {}), "x");
  EXPECT_EQ(text({0, 1, 0, 1, 0, 1}, {}, {}, {INT64_MAX}), "x");
  EXPECT_EQ(text({INT64_MAX, 1, 0, 1, 0, 1}, {}, {}, {}), "x");
  EXPECT_EQ(text({0, 1, 0, 1, 0, 1}, {4095}, {}, {}).size(),
            text({0, 1, 0, 1, 0, 1}, {2}, {}, {}).size() + 3 * 4093);
}

// Elements that do not fit their type are not printed as if they did.
TEST(PrintAttrs, StringElements) {
  Module m;
  const StringId a = m.strings.Intern("a"), b = m.strings.Intern("b");
  const auto printed = [&](TypeId type, bool splat, std::vector<StringId> values) {
    std::string out;
    const AttrId attr = m.Make(StringElementsAttr{.type = type, .splat = splat, .values = values});
    return PrintAttr(m, attr, Spelling::kStablehlo, 1000, &out) ? out : "fails";
  };
  const TypeId element = m.Type(TypeKind::kI1);
  const auto tensor = [&](std::vector<int64_t> shape) { return m.TensorType(shape, element); };
  EXPECT_EQ(printed(tensor({2}), false, {a, b}), "dense<[\"a\", \"b\"]> : tensor<2xi1>");
  EXPECT_EQ(printed(tensor({2, 1}), false, {a, b}), "dense<[[\"a\"], [\"b\"]]> : tensor<2x1xi1>");
  EXPECT_EQ(printed(tensor({2}), true, {b}), "dense<\"b\"> : tensor<2xi1>");
  EXPECT_EQ(printed(tensor({}), false, {a}), "dense<\"a\"> : tensor<i1>");
  EXPECT_EQ(printed(tensor({0}), false, {}), "dense<> : tensor<0xi1>");
  EXPECT_EQ(printed(tensor({2}), false, {a}), "fails");
  EXPECT_EQ(printed(tensor({2}), true, {}), "fails");
  EXPECT_EQ(printed(tensor({kDynamic}), false, {a, b}), "fails");
  EXPECT_EQ(printed(element, false, {a, b}), "fails");
}

}  // namespace
}  // namespace shlo::text
