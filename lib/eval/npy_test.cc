#include "shlo/npy.h"

#include <gtest/gtest.h>

#include "eval/test_program.h"

namespace shlo {
namespace {

TEST(Npy, WritesWhatNumpyReads) {
  const Tensor t = TensorOf<float>({TypeKind::kF32}, {2, 1}, {1.5f, -2.0f});
  const std::string bytes = *WriteNpy(t);
  EXPECT_EQ(bytes.substr(0, 8), std::string("\x93NUMPY\x01\x00", 8));
  EXPECT_NE(bytes.find("{'descr': '<f4', 'fortran_order': False, 'shape': (2, 1), }"), std::string::npos);
  EXPECT_EQ((bytes.size() - 8) % 64, 0u);
  const auto back = ReadNpy(bytes);
  ASSERT_TRUE(back) << back.error()[0].message;
  EXPECT_TRUE(BitEqual(*back, t));
}

TEST(Npy, ArchivesKeepNamesAndOrder) {
  const NamedTensors tensors = {{"b", TensorOf<int64_t>({TypeKind::kI64}, {}, {7})},
                                {"a", TensorOf<uint8_t>({TypeKind::kI1}, {3}, {1, 0, 1})}};
  const auto back = ReadNpz(*WriteNpz(tensors));
  ASSERT_TRUE(back) << back.error()[0].message;
  ASSERT_EQ(back->size(), 2u);
  EXPECT_EQ((*back)[0].first, "b");
  EXPECT_TRUE(BitEqual((*back)[1].second, tensors[1].second));
}

TEST(Npy, ArchivesAreLimited) {
  const NamedTensors many(0x10000, {"x", TensorOf<uint8_t>({TypeKind::kI1}, {}, {1})});
  const auto archive = WriteNpz(many);
  ASSERT_FALSE(archive);
  EXPECT_EQ(archive.error()[0].code, Code::kLimit);
}

TEST(Npy, DamageIsAnError) {
  const std::string npy = *WriteNpy(TensorOf<int32_t>({TypeKind::kI32}, {2}, {1, 2}));
  for (size_t n = 0; n < npy.size(); ++n) EXPECT_FALSE(ReadNpy(std::string_view(npy).substr(0, n))) << n;
  const std::string npz = *WriteNpz({{"x", TensorOf<int32_t>({TypeKind::kI32}, {2}, {1, 2})}});
  for (size_t n = 0; n < npz.size(); ++n) EXPECT_FALSE(ReadNpz(std::string_view(npz).substr(0, n))) << n;
  for (size_t i = 0; i < npz.size(); ++i) {
    std::string damaged = npz;
    damaged[i] ^= char(0xFF);
    (void)ReadNpz(damaged);
  }
}

}  // namespace
}  // namespace shlo
