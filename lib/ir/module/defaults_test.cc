#include <gtest/gtest.h>

#include "ir/table/attr_class.h"
#include "shlo/module.h"

namespace shlo {
namespace {

// For each kind of default: values that are it, and values next to it.
TEST(Defaults, ValuesAndThoseNextToThem) {
  Module m;
  const auto ints = [&](std::vector<int64_t> values) { return m.I64s(values); };
  const auto elements = [&](std::vector<int64_t> shape, std::vector<int64_t> values) {
    return m.I64Elements(shape, values);
  };
  const auto array = [&](std::vector<AttrId> items) { return m.Array(items); };
  const auto precision = [&](int64_t value) { return m.Enum(AttrKind::kPrecision, value); };
  const auto flags = [&](std::string_view bytes) {
    return m.Make(DenseArrayAttr{.element = m.Type(TypeKind::kI1), .payload = m.payloads.AddCopy(bytes)});
  };
  const auto accuracy = [&](double atol, double rtol, int64_t ulps, int64_t mode) {
    return m.Make(ResultAccuracyAttr{
        .atol = atol, .rtol = rtol, .ulps = ulps, .mode = m.Enum(AttrKind::kResultAccuracyMode, mode)});
  };
  const auto type = [&](TypeKind kind) { return m.TypeAttr(m.Type(kind)); };
  const AttrId text = m.String("x"), empty_text = m.String(""), zero = m.I64(0), empty_dict = m.Dict({}),
               dict = m.Dict({{m.strings.Intern("a"), zero}});
  struct Row {
    Default kind;
    std::vector<AttrId> defaults, others;
  };
  const Row rows[] = {
      {Default::kRequired, {}, {zero, empty_text}},
      {Default::kOptional, {}, {zero, empty_text}},
      {Default::kTextOnly, {}, {zero, empty_text}},
      {Default::kFalse, {m.Bool(false)}, {m.Bool(true), text}},
      {Default::kTrue, {m.Bool(true)}, {m.Bool(false), text}},
      {Default::kZero, {zero, m.I32(0)}, {m.I64(1), m.I64(-1), text}},
      {Default::kOne, {m.I64(1)}, {zero, m.I64(2), m.I64(-1), text}},
      {Default::kMinusOne, {m.I64(-1)}, {zero, m.I64(1), m.I64(-2), text}},
      {Default::kEmptyString, {empty_text}, {text, zero}},
      {Default::kEmptyI64s, {ints({}), elements({0}, {})}, {ints({0}), elements({1}, {0}), text}},
      {Default::kEmptyArray, {array({})}, {array({zero}), text, empty_dict}},
      {Default::kEmptyDict, {empty_dict}, {dict, empty_text}},
      {Default::kNoneType, {type(TypeKind::kNone)}, {type(TypeKind::kI1), text}},
      {Default::kFirstCase, {precision(0)}, {precision(1), m.Enum(AttrKind::kFftType, 0), zero}},
      {Default::kOnes, {ints({1}), ints({1, 1})}, {ints({1, 2}), ints({0}), ints({2, 1}), text}},
      {Default::kZeroPairs,
       {elements({2, 2}, {0, 0, 0, 0}), ints({0, 0})},
       {elements({2, 2}, {0, 0, 0, 1}), elements({2, 2}, {1, 1, 1, 1}), ints({0, 1}), text}},
      {Default::kFalses, {flags(std::string(2, 0))}, {flags(std::string("\0\1", 2)), text}},
      {Default::kDefaultPrecisions,
       {array({precision(0)}), array({precision(0), precision(0)})},
       {array({}), array({precision(0), precision(1)}), array({zero}), precision(0)}},
      {Default::kDefaultAccuracy,
       {accuracy(0, 0, 0, 0), accuracy(-0.0, -0.0, 0, 0)},
       {accuracy(1, 0, 0, 0), accuracy(0, 1, 0, 0), accuracy(0, 0, 1, 0), accuracy(0, 0, 0, 1), text}},
      {Default::kEmptyConfig, {empty_text, empty_dict}, {text, dict, zero}},
      {Default::kNoOverflow,
       {m.Opaque("arith", ".overflow<none>")},
       {m.Opaque("arith", ".overflow<nsw>"), m.Opaque("x", ".overflow<none>"), text}},
      {Default::kNoFastMath,
       {m.Opaque("arith", ".fastmath<none>")},
       {m.Opaque("arith", ".fastmath<nnan>"), m.Opaque("x", ".fastmath<none>"), text}},
  };
  for (size_t i = 0; i < std::size(rows); ++i) {
    ASSERT_EQ(size_t(rows[i].kind), i) << "each kind has a row";
    const Cell cell = {.tag = CellTag::kAttr, .b = uint8_t(i), .x = uint16_t(AttrKind::kPrecision)};
    for (AttrId value : rows[i].defaults) EXPECT_TRUE(m.IsDefaultValue(cell, value)) << i;
    for (AttrId value : rows[i].others) EXPECT_FALSE(m.IsDefaultValue(cell, value)) << i;
  }
  EXPECT_EQ(std::size(rows), size_t(Default::kNoFastMath) + 1);
}

}  // namespace
}  // namespace shlo
