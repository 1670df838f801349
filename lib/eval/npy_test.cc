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

// Returns a file as NumPy writes it.
std::string Npy(std::string_view descr, bool fortran, std::string_view shape, std::string_view elements) {
  std::string header = "{'descr': '" + std::string(descr) +
                       "', 'fortran_order': " + (fortran ? "True" : "False") +
                       ", 'shape': " + std::string(shape) + ", }";
  header.append((64 - (10 + header.size() + 1) % 64) % 64, ' ');
  header += '\n';
  return std::string("\x93NUMPY\x01\x00", 8) + char(header.size()) + char(header.size() >> 8) + header +
         std::string(elements);
}

TEST(Npy, FortranOrderIsTransposed) {
  // [[1, 2, 3], [4, 5, 6]] by columns.
  const auto read = ReadNpy(Npy("|i1", true, "(2, 3)", "\x01\x04\x02\x05\x03\x06"));
  ASSERT_TRUE(read) << read.error()[0].message;
  EXPECT_TRUE(BitEqual(*read, TensorOf<int8_t>({TypeKind::kI8}, {2, 3}, {1, 2, 3, 4, 5, 6})));
}

TEST(Npy, BigEndianNumbersAreSwappedPartByPart) {
  const auto read = ReadNpy(Npy(">c8", false, "(1,)", std::string("\x3f\x80\0\0\xc0\0\0\0", 8)));
  ASSERT_TRUE(read) << read.error()[0].message;
  EXPECT_TRUE(BitEqual(*read, TensorOf<float>({TypeKind::kF32, true}, {1}, {1, -2})));
}

TEST(Npy, TheSignatureStatesTypesThatNumpyDoesNotHave) {
  const ValueTypePtr bf16 = MakeTensorType({TypeKind::kBF16}, std::vector<int64_t>{2});
  const std::string opaque = Npy("<V2", false, "(2,)", std::string("\x80\x3f\x00\xc0", 4));
  const auto read = ReadNpy(opaque, bf16);
  ASSERT_TRUE(read) << read.error()[0].message;
  EXPECT_TRUE(BitEqual(*read, TensorOf<uint16_t>({TypeKind::kBF16}, {2}, {0x3f80, 0xc000})));
  EXPECT_FALSE(ReadNpy(opaque));  // opaque bytes alone have no type
  // int4 is sign-extended in ml_dtypes; bits that the type does not use are cleared.
  const auto i4 = ReadNpy(Npy("|V1", false, "(2,)", "\xff\x07"),
                          MakeTensorType({TypeKind::kI4}, std::vector<int64_t>{2}));
  ASSERT_TRUE(i4) << i4.error()[0].message;
  EXPECT_TRUE(BitEqual(*i4, TensorOf<uint8_t>({TypeKind::kI4}, {2}, {0x0f, 0x07})));
  // A type that NumPy has is not reinterpreted: the caller sees that it differs.
  const auto kept = ReadNpy(Npy("<f2", false, "(2,)", "abcd"), bf16);
  ASSERT_TRUE(kept);
  EXPECT_EQ(kept->element().kind, TypeKind::kF16);
}

TEST(Npy, OwnedBytesAreNotCopied) {
  const auto owner =
      std::make_shared<const std::string>(Npy("<f4", false, "(1,)", std::string("\0\0\x80\x3f", 4)));
  const auto read = ReadNpy(*owner, nullptr, owner);
  ASSERT_TRUE(read);
  EXPECT_EQ(reinterpret_cast<const char*>(read->data()), owner->data() + owner->size() - 4);
}

TEST(Npy, DamageIsAnError) {
  const std::string npy = *WriteNpy(TensorOf<int32_t>({TypeKind::kI32}, {2}, {1, 2}));
  for (size_t n = 0; n < npy.size(); ++n) EXPECT_FALSE(ReadNpy(std::string_view(npy).substr(0, n))) << n;
  for (std::string_view shape : {"(2", "(2, x)", "(-1,)", "[2]", "(99999999999999999999,)"})
    EXPECT_FALSE(ReadNpy(Npy("<i4", false, shape, "12345678"))) << shape;
  EXPECT_FALSE(ReadNpy(Npy("[('a', '<i4')]", false, "(2,)", "12345678")));
}

// A header is an expression of Python. It means what it means there, or is refused.
TEST(Npy, HeadersAreWhatNumpyWrites) {
  const auto reads = [](std::string header, std::string version = std::string("\x01\x00", 2)) {
    header += "\n";
    std::string size{char(header.size()), 0};
    if (version[0] > 1) size += std::string(2, '\0');
    const auto read = ReadNpy("\x93NUMPY" + version + size + header + "12345678");
    return read ? TypeName(read->type()) : read.error()[0].message;
  };
  for (const char* good : {"{'descr': '<i4', 'fortran_order': False, 'shape': (2,), }",
                           "{'shape':(2,),'fortran_order':False,'descr':'<i4'}",
                           R"({"descr": "<i4", "fortran_order": False, "shape": (2, ), })",
                           "{'descr': '=i4', 'fortran_order': True, 'shape': (2L,)}",
                           "{ 'descr': '|i4', 'fortran_order': False, 'shape': (2,) }  "}) {
    EXPECT_EQ(reads(good), "tensor<2xi32>") << good;
    for (const char* version : {"\x02\x00", "\x03\x00"})
      EXPECT_EQ(reads(good, std::string(version, 2)), "tensor<2xi32>");
  }
  EXPECT_EQ(reads("{'descr': '<i8', 'fortran_order': False, 'shape': ()}"), "tensor<i64>");
  EXPECT_EQ(reads("{'descr': '<i4', 'fortran_order': False, 'shape': (1, 2)}"), "tensor<1x2xi32>");
  for (const char* bad : {"{'descr': '<i4', 'fortran_order': False, 'shape': (2,), 'descr': '<f4'}",
                          "{'descr': '<i4', 'fortran_order': False, 'shape': (2,), 'other': '<f4'}",
                          "{'x': \"'descr': '<f4'\", 'descr': '<i4', 'fortran_order': False, 'shape': (2,)}",
                          "{'descr': '<i4', 'fortran_order': Falsehood, 'shape': (2,)}",
                          "{'descr': '<i4', 'fortran_order': 0, 'shape': (2,)}",
                          "{'descr': '<i4', 'shape': (2,)}",
                          "{'fortran_order': False, 'shape': (2,)}",
                          "{'descr': '<i4', 'fortran_order': False}",
                          "{'descr': '<i4', 'fortran_order': False, 'shape': (2)}",
                          "{'descr': '<i4', 'fortran_order': False, 'shape': (,)}",
                          "{'descr': '<i4', 'fortran_order': False, 'shape': (02,)}",
                          "{'descr': '<i4', 'fortran_order': False, 'shape': (2,,)}",
                          "{'descr': '<i4', 'fortran_order': False, 'shape': (2 1)}",
                          "{'descr': '<i4', 'fortran_order': False, 'shape': (2,) + (1,)}",
                          "{'descr': '<i4', 'fortran_order': False, 'shape': (0x2,)}",
                          "{'descr': '<i4', 'fortran_order': False, 'shape': (-0, 2)}",
                          "{'descr': '<i4', 'fortran_order': False, 'shape': (2,)}, {}",
                          "{'descr': '<i4', 'fortran_order': False, 'shape': (2,)",
                          "{'descr': '<i4' 'fortran_order': False, 'shape': (2,)}",
                          "{'de\\x73cr': '<i4', 'fortran_order': False, 'shape': (2,)}",
                          "",
                          "x"})
    EXPECT_EQ(reads(bad), "malformed NumPy header") << bad;
  const std::string good = "{'descr': '<i4', 'fortran_order': False, 'shape': (2,)}";
  EXPECT_EQ(reads(good, std::string("\x04\x00", 2)), "unknown version 4.0 of NumPy files");
  EXPECT_EQ(reads(good, "\x01\x01"), "unknown version 1.1 of NumPy files");
  EXPECT_EQ(reads("{'descr': '!i4', 'fortran_order': False, 'shape': (2,)}"),
            "NumPy header has no simple dtype");
  EXPECT_EQ(reads("{'descr': [('a', '<i4')], 'fortran_order': False, 'shape': (2,)}"),
            "NumPy header has no simple dtype");
}

// Several fields, and opaque bytes, whose order of bytes means nothing.
TEST(Npy, SizesAreWholeNumbersAndOpaqueBytesKeepTheirOrder) {
  const ValueTypePtr bf16 = MakeTensorType({TypeKind::kBF16}, std::vector<int64_t>{2});
  EXPECT_FALSE(ReadNpy(Npy("<V2,<V2", false, "(2,)", "1234"), bf16));
  EXPECT_FALSE(ReadNpy(Npy("<u2x", false, "(2,)", "1234"), bf16));
  const auto read = ReadNpy(Npy(">V2", false, "(2,)", std::string("\x80\x3f\x00\xc0", 4)), bf16);
  ASSERT_TRUE(read);
  EXPECT_TRUE(BitEqual(*read, TensorOf<uint16_t>({TypeKind::kBF16}, {2}, {0x3f80, 0xc000})));
}

TEST(Npy, Words) {
  const ValueTypePtr f32 = MakeTensorType({TypeKind::kF32}, std::vector<int64_t>{2});
  const auto words = [](const Result<Tensor>& read) { return read ? "reads" : read.error()[0].message; };
  EXPECT_EQ(words(ReadNpy(Npy("<V3", false, "(2,)", "123456"), f32)),
            "expected NumPy elements of 4 bytes for tensor<2xf32>, got dtype '<V3'");
  EXPECT_EQ(words(ReadNpy(Npy("<f4", false, "(9223372036854775807, 2)", "12345678"))),
            "NumPy array is too large");
  EXPECT_EQ(words(ReadNpy(Npy("<f4", false, "(3,)", "12345678"), f32)),
            "expected a NumPy array of shape tensor<2xf32>, got (3)");
  EXPECT_EQ(words(ReadNpy(Npy("<f4", false, "(2,)", "1234"), f32)),
            "expected 8 bytes of NumPy data for tensor<2xf32>, got 4");
}

}  // namespace
}  // namespace shlo
