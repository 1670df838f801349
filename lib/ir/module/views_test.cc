#include "shlo/views.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "shlo/module.h"
#include "shlo/types.h"

namespace shlo {
namespace {

TEST(Views, TakeApartWhatTheyMade) {
  Module m;
  const int64_t shape[] = {2, kDynamic}, bounds[] = {kDynamic, 16};
  const AttrId encoding = m.Make(TypeExtensionsAttr{.bounds = bounds});
  const TypeId f32 = m.Type(TypeKind::kF32);
  const TypeId type = m.Make(TensorType{.element = f32, .encoding = encoding, .shape = shape});
  EXPECT_EQ(type, m.TensorType(shape, f32, encoding));
  const auto tensor = m.As<TensorType>(type);
  ASSERT_TRUE(tensor);
  EXPECT_EQ(tensor->element, f32);
  EXPECT_EQ(tensor->encoding, encoding);
  EXPECT_TRUE(std::ranges::equal(tensor->shape, shape));
  EXPECT_FALSE(m.As<VectorType>(type));
  EXPECT_FALSE(m.As<TensorType>(TypeId()));
}

TEST(Views, ListsAreValues) {
  Module m;
  const TypeId types[] = {m.Type(TypeKind::kF32), m.Type(TypeKind::kI1)};
  const auto function = m.As<FunctionType>(m.Make(FunctionType{.inputs = types}));
  ASSERT_TRUE(function);
  EXPECT_EQ(function->inputs, IdList<TypeId>(types));
  EXPECT_EQ(std::ranges::find(function->inputs, types[1]) - function->inputs.begin(), 1);
  EXPECT_TRUE(function->results.empty());

  const AttrId dict = m.Dict({{m.strings.Intern("b"), m.I64(2)}, {m.strings.Intern("a"), m.I64(1)}});
  const auto entries = m.Get<DictionaryAttr>(dict).entries;
  ASSERT_EQ(entries.size(), 2u);
  EXPECT_EQ(m.strings[entries[0].name], "a");
  EXPECT_EQ(entries[1].value, m.I64(2));

  const double scales[] = {0.5, -0.0};
  const TypeId axis = m.Make(UniformQuantizedPerAxisType{.storage = m.Type(TypeKind::kI8), .scales = scales});
  EXPECT_EQ(m.Get<UniformQuantizedPerAxisType>(axis).scales.ToVector(), (std::vector<double>{0.5, -0.0}));
}

// The lists of a view may be words of the very table that grows.
TEST(Views, MakeFromAViewOfTheTable) {
  Module m;
  const std::vector<int64_t> shape(100, 3);
  TypeId type = m.TensorType(shape, m.Type(TypeKind::kF32));
  for (int i = 0; i < 50; ++i) {
    auto tensor = *m.As<TensorType>(type);
    tensor.shape = tensor.shape.subspan(1);
    type = m.Make(tensor);
  }
  EXPECT_TRUE(std::ranges::equal(m.Get<TensorType>(type).shape, std::vector<int64_t>(50, 3)));
}

TEST(Views, ShapedAndQuantizedTypesShareTheirFields) {
  Module m;
  const int64_t shape[] = {4};
  const TypeId quantized = m.Make(UniformQuantizedType{.storage = m.Type(TypeKind::kI8),
                                                       .expressed = m.Type(TypeKind::kF32),
                                                       .flags = 1,
                                                       .scale = 0.25,
                                                       .zero_point = -3,
                                                       .storage_min = -128,
                                                       .storage_max = 127});
  for (const TypeId type : {m.Make(TensorType{.element = quantized, .shape = shape}),
                            m.Make(MemRefType{.element = quantized, .shape = shape}),
                            m.Make(VectorType{.element = quantized, .shape = shape})}) {
    const ShapedType shaped(m, type);
    EXPECT_TRUE(shaped.has_rank());
    EXPECT_EQ(shaped.element, quantized);
    EXPECT_EQ(shaped.rank(), 1);
  }
  const QuantizedType quant(m, quantized);
  ASSERT_TRUE(quant.ok);
  EXPECT_FALSE(quant.per_axis);
  EXPECT_EQ(quant.scales[0], 0.25);
  EXPECT_EQ(quant.zero_points[0], -3);
  EXPECT_EQ(quant.storage_max, 127);
}

}  // namespace
}  // namespace shlo
