// Nodes that no text can state, as binary readers may decode them: each has one fault.
#include "ir/verify/node_invariants.h"

#include <gtest/gtest.h>

#include <string>
#include <tuple>
#include <vector>

#include "ir/verify/type_invariants.h"
#include "shlo/module.h"
#include "shlo/types.h"

namespace shlo {
namespace {

class NodeInvariants : public testing::Test {
 protected:
  std::string_view Of(AttrId id) const {
    return Describe(CheckNode(m, m.attrs.KindOf(id), m.attrs[id].words));
  }
  std::string_view Of(TypeId id) const {
    return Describe(CheckNode(m, m.types.KindOf(id), m.types[id].words));
  }

  Module m;
  const TypeId i8 = m.Type(TypeKind::kI8), f32 = m.Type(TypeKind::kF32);
  const AttrId number = m.I64(1);
  const AttrId loc = m.Make(UnknownLoc{});
  const StringId name = m.strings.Intern("x");
};

TEST_F(NodeInvariants, Integers) {
  EXPECT_EQ(Of(m.Make(IntegerType{.width = 5, .signedness = 0})), "");
  EXPECT_EQ(Of(m.Make(IntegerType{.width = 32, .signedness = 0})), "integer type has a dedicated type kind");
  EXPECT_EQ(Of(m.Make(IntegerType{.width = 0, .signedness = 0})),
            "invalid width or signedness of an integer type");
  EXPECT_EQ(Of(m.Make(IntegerType{.width = 5, .signedness = 3})),
            "invalid width or signedness of an integer type");
  EXPECT_EQ(Of(m.Make(IntegerType{.width = 5, .signedness = -1})),
            "invalid width or signedness of an integer type");
}

TEST_F(NodeInvariants, StoredIntegers) {
  const auto quantized = [&](int64_t flags, int64_t min, int64_t max) {
    return m.Make(UniformQuantizedType{.storage = i8,
                                       .expressed = f32,
                                       .flags = flags,
                                       .scale = 0.5,
                                       .storage_min = min,
                                       .storage_max = max});
  };
  EXPECT_EQ(Of(quantized(1, -128, 127)), "");
  EXPECT_EQ(Of(quantized(8, -128, 127)), "flag of a quantized type is not 0 or 1");
  for (const auto& [storage, fault] :
       {std::pair(TypeKind::kToken, "the storage type of a quantized type must be an integer type"),
        {TypeKind::kF32, "the storage type of a quantized type must be an integer type"},
        {TypeKind::kF8E4M3FN, ""},
        {TypeKind::kUI8, ""}}) {
    const TypeId type = m.Make(UniformQuantizedType{.storage = m.Type(storage),
                                                    .expressed = f32,
                                                    .flags = 1,
                                                    .scale = 0.5,
                                                    .storage_min = -100,
                                                    .storage_max = 448});
    EXPECT_EQ(Of(type), fault);
    if (storage == TypeKind::kF8E4M3FN) {
      EXPECT_EQ(WhyUnsound(m, type), "");
    }
    if (storage == TypeKind::kUI8) {
      EXPECT_EQ(WhyUnsound(m, type), "illegal storage min and storage max: (-100:448)");
    }
  }
  for (const auto& [flags, min, max] : {std::tuple(1, -128, 127), {1, 3, 4}, {0, 0, 255}, {0, 255 - 1, 255}})
    EXPECT_EQ(WhyUnsound(m, quantized(flags, min, max)), "");
  for (const auto& [flags, min, max] :
       {std::tuple(1, -129, 127), {1, -128, 128}, {1, 5, 5}, {1, 5, 3}, {0, -1, 255}, {0, 0, 256}})
    EXPECT_EQ(
        WhyUnsound(m, quantized(flags, min, max)),
        "illegal storage min and storage max: (" + std::to_string(min) + ":" + std::to_string(max) + ")");
}

TEST_F(NodeInvariants, Scales) {
  const double scales[] = {0.5, 0.25};
  const int64_t zeros[] = {0, 0}, one[] = {2}, shape[] = {2, 1}, three[] = {3};
  const auto per_axis = [&](std::span<const int64_t> zero_points) {
    return m.Make(UniformQuantizedPerAxisType{.storage = i8,
                                              .expressed = f32,
                                              .flags = 1,
                                              .storage_min = -128,
                                              .storage_max = 127,
                                              .scales = scales,
                                              .zero_points = zero_points});
  };
  EXPECT_EQ(Of(per_axis(zeros)), "");
  EXPECT_EQ(Of(per_axis(one)), "numbers of scales and zero points differ");
  EXPECT_TRUE(IsSound(m, per_axis(zeros)));
  EXPECT_EQ(WhyUnsound(m, per_axis(one)), "illegal number of scales and zeroPoints: 2, 1");
  const auto sub_channel = [&](std::span<const int64_t> dimensions, std::span<const int64_t> blocks,
                               std::span<const int64_t> scale_shape, std::span<const int64_t> zero_points) {
    return m.Make(UniformQuantizedSubChannelType{.storage = i8,
                                                 .expressed = f32,
                                                 .flags = 1,
                                                 .quantized_dimensions = dimensions,
                                                 .block_sizes = blocks,
                                                 .scale_shape = scale_shape,
                                                 .scales = scales,
                                                 .zero_points = zero_points});
  };
  EXPECT_EQ(Of(sub_channel(one, one, shape, zeros)), "");
  EXPECT_EQ(Of(sub_channel(one, zeros, shape, zeros)), "numbers of dimensions and block sizes differ");
  EXPECT_EQ(Of(sub_channel(one, one, shape, one)), "numbers of scales and zero points differ");
  EXPECT_EQ(Of(sub_channel(one, one, three, zeros)), "numbers of scales and zero points differ");
}

TEST_F(NodeInvariants, Strings) {
  const int64_t shape[] = {2};
  const TypeId type = m.TensorType(shape, f32);
  const StringId values[] = {name, name};
  const auto strings = [&](TypeId of, int64_t splat, std::span<const StringId> list) {
    return m.Make(StringElementsAttr{.type = of, .splat = splat, .values = list});
  };
  EXPECT_EQ(Of(strings(type, 0, values)), "");
  EXPECT_EQ(Of(strings(type, 1, std::span(values, 1))), "");
  EXPECT_EQ(Of(strings(type, 1, values)), "number of strings does not match the elements type");
  EXPECT_EQ(Of(strings(type, 0, std::span(values, 1))), "number of strings does not match the elements type");
  EXPECT_EQ(Of(strings(type, 2, values)), "splat flag is not 0 or 1");
  EXPECT_EQ(Of(strings(f32, 0, values)), "elements attribute has no static shape");
}

TEST_F(NodeInvariants, Locations) {
  const AttrId good[] = {loc, loc}, bad[] = {loc, number};
  EXPECT_EQ(Of(m.Make(NameLoc{.name = name, .child = loc})), "");
  EXPECT_EQ(Of(m.Make(NameLoc{.name = name})), "");
  EXPECT_EQ(Of(m.Make(NameLoc{.name = name, .child = number})), "not a location");
  EXPECT_EQ(Of(m.Make(CallSiteLoc{.callee = loc, .caller = loc})), "");
  EXPECT_EQ(Of(m.Make(CallSiteLoc{.callee = number, .caller = loc})), "not a location");
  EXPECT_EQ(Of(m.Make(CallSiteLoc{.callee = loc, .caller = number})), "not a location");
  EXPECT_EQ(Of(m.Make(FusedLoc{.locations = good})), "");
  EXPECT_EQ(Of(m.Make(FusedLoc{.locations = bad})), "not a location");
  constexpr int64_t kLarge = int64_t(1) << 32;
  EXPECT_EQ(Of(m.Make(FileLineColLoc{.file = name, .line = kLarge - 1, .column = 1})), "");
  EXPECT_EQ(Of(m.Make(FileLineColLoc{.file = name, .line = kLarge, .column = 1})),
            "line or column exceeds 32 bits");
  EXPECT_EQ(Of(m.Make(FileLineColLoc{.file = name, .line = 1, .column = kLarge})),
            "line or column exceeds 32 bits");
}

TEST_F(NodeInvariants, PartsOfStablehloAttributes) {
  const AttrId mode = m.Enum(AttrKind::kResultAccuracyMode, 0),
               axis = m.Make(MeshAxisAttr{.name = name, .size = 2});
  EXPECT_EQ(Of(m.Make(ResultAccuracyAttr{.mode = mode})), "");
  EXPECT_EQ(Of(m.Make(ResultAccuracyAttr{.mode = number})), "not an accuracy mode");
  const AttrId part = m.Make(SubAxisInfoAttr{.pre_size = 1, .size = 2}),
               ref = m.Make(AxisRefAttr{.name = name});
  EXPECT_EQ(Of(ref), "");
  EXPECT_EQ(Of(m.Make(AxisRefAttr{.name = name, .sub_axis_info = part})), "");
  EXPECT_EQ(Of(m.Make(AxisRefAttr{.name = name, .sub_axis_info = number})), "not a sub-axis");
  const AttrId axes[] = {axis}, mixed[] = {axis, number};
  const AttrId mesh = m.Make(MeshAttr{.axes = axes});
  EXPECT_EQ(Of(mesh), "");
  EXPECT_EQ(Of(m.Make(MeshAttr{.axes = mixed})), "not a mesh axis");
}

}  // namespace
}  // namespace shlo
