#include "shlo/tensor_file.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "eval/test_program.h"
#include "shlo/npy.h"

namespace shlo {
namespace {

Result<TensorFile> Open(const std::string& bytes, TensorFileOptions options = {}) {
  const auto owner = std::make_shared<const std::string>(bytes);
  return TensorFile::Open(*owner, owner, "some.file", options);
}

const NamedTensors& Some() {
  static const NamedTensors tensors = {{"b", TensorOf<int64_t>({TypeKind::kI64}, {}, {7})},
                                       {"a", TensorOf<uint8_t>({TypeKind::kI1}, {3}, {1, 0, 1})},
                                       {"c", TensorOf<float>({TypeKind::kF32, true}, {1}, {1, -2})}};
  return tensors;
}

void ExpectSome(const Result<TensorFile>& file) {
  ASSERT_TRUE(file) << file.error()[0].message;
  ASSERT_EQ(file->size(), Some().size());
  for (size_t i = 0; i < Some().size(); ++i) {
    EXPECT_EQ(file->name(i), Some()[i].first);
    const auto tensor = file->Read(i);
    ASSERT_TRUE(tensor) << tensor.error()[0].message;
    EXPECT_TRUE(BitEqual(*tensor, Some()[i].second)) << i;
  }
}

// Splats are written in blocks, of which the last is a part.
TEST(TensorFile, SplatsAreWrittenInFull) {
  for (const int64_t count : {0, 1, 4096, 4097, 10000}) {
    const ValueTypePtr type =
        TensorOf<float>({TypeKind::kF32}, {count}, std::vector<float>(count)).type_ptr();
    const float element = 1.5f;
    const std::string_view bytes(reinterpret_cast<const char*>(&element), sizeof element);
    const NamedTensors tensors{{"x", Tensor::Copy(type, bytes, /*splat=*/true)}};
    for (const auto& written : {WriteNpz(tensors), WriteSafetensors(tensors)}) {
      ASSERT_TRUE(written);
      const auto file = Open(*written);
      ASSERT_TRUE(file) << file.error()[0].message;
      const auto tensor = file->Read(0);
      ASSERT_TRUE(tensor) << tensor.error()[0].message;
      EXPECT_TRUE(BitEqual(*tensor, tensors[0].second)) << count;
    }
  }
}

// The pieces are the file; a sink that has no room ends it.
TEST(TensorFile, WritesInPieces) {
  NamedTensors tensors = Some();
  const ValueTypePtr type = TensorOf<int8_t>({TypeKind::kI8}, {9000}, std::vector<int8_t>(9000)).type_ptr();
  tensors.emplace_back("splat", Tensor::Copy(type, "\x07", /*splat=*/true));
  for (const auto& [write, whole] :
       {std::pair{&WriteNpzTo, &WriteNpz}, {&WriteSafetensorsTo, &WriteSafetensors}}) {
    const std::string expected = *whole(tensors);
    size_t pieces = 0;
    std::string all;
    ASSERT_TRUE(write(tensors, [&](std::string_view piece) {
      ++pieces;
      all += piece;
      return true;
    }));
    EXPECT_EQ(all, expected);
    EXPECT_GT(pieces, 5u);
    for (size_t most = 0; most < pieces; ++most) {
      size_t calls = 0;
      const auto written = write(tensors, [&](std::string_view) { return calls++ < most; });
      ASSERT_FALSE(written);
      EXPECT_EQ(written.error()[0].code, Code::kIo);
      EXPECT_EQ(calls, most + 1);
    }
  }
}

TEST(TensorFile, ArchivesKeepNamesAndOrder) { ExpectSome(Open(*WriteNpz(Some()))); }

// Arrays of an archive are where its headers and names leave them.
TEST(TensorFile, StoredArraysAreViewsAtAnyAddress) {
  NamedTensors tensors;
  for (size_t i = 1; i <= 4; ++i)
    tensors.emplace_back(std::string(i, 'n'), TensorOf<float>({TypeKind::kF32}, {3}, {1, 2, float(i)}));
  const auto bytes = std::make_shared<const std::string>(*WriteNpz(tensors));
  const auto file = TensorFile::Open(*bytes, bytes, "some.npz", {});
  ASSERT_TRUE(file) << file.error()[0].message;
  const auto begin = reinterpret_cast<const uint8_t*>(bytes->data());
  std::vector<bool> seen(4);
  for (size_t i = 0; i < tensors.size(); ++i) {
    const auto tensor = file->Read(i);
    ASSERT_TRUE(tensor) << tensor.error()[0].message;
    EXPECT_TRUE(tensor->data() > begin && tensor->data() < begin + bytes->size());
    EXPECT_TRUE(BitEqual(*tensor, tensors[i].second));
    seen[size_t(tensor->data() - begin) % 4] = true;
  }
  EXPECT_GT(std::count(seen.begin(), seen.end(), true), 1);
}

TEST(TensorFile, SafetensorsKeepNamesAndOrder) {
  const auto bytes = WriteSafetensors(Some());
  ASSERT_TRUE(bytes) << bytes.error()[0].message;
  ExpectSome(Open(*bytes));
  EXPECT_FALSE(WriteSafetensors({{"x", TensorOf<uint8_t>({TypeKind::kI4}, {1}, {1})}}));
}

// The format: 8 bytes with the size of the header, little-endian; the header, JSON, here padded with spaces
// so that the elements are aligned; the elements.
TEST(TensorFile, BytesOfSafetensors) {
  for (const size_t arrays : {0u, 1u, 2u, 3u, 5u, 9u, 1500u}) {
    NamedTensors tensors;
    std::string elements;
    for (size_t i = 0; i < arrays; ++i) {
      const uint8_t value = uint8_t(i);
      tensors.push_back({std::string(1 + i % 8, 'n') + std::to_string(i),
                         TensorOf<uint8_t>({TypeKind::kUI8}, {2}, {value, uint8_t(value + 1)})});
      elements += {char(value), char(value + 1)};
    }
    const auto bytes = WriteSafetensors(tensors);
    ASSERT_TRUE(bytes);
    uint64_t size = 0;
    for (size_t i = 8; i-- > 0;) size = size << 8 | uint8_t((*bytes)[i]);
    ASSERT_EQ(8 + size + elements.size(), bytes->size()) << arrays;
    EXPECT_EQ(size % 8, 0u);
    const std::string header = bytes->substr(8, size);
    EXPECT_EQ(header[0], '{');
    const size_t last = header.find_last_not_of(' ');
    EXPECT_EQ(header[last], '}');
    EXPECT_LT(size - last - 1, 8u);
    EXPECT_EQ(bytes->substr(8 + size), elements);
    const auto file = Open(*bytes);
    ASSERT_TRUE(file) << file.error()[0].message;
    ASSERT_EQ(file->size(), arrays);
    for (size_t i = 0; i < arrays; ++i) {
      EXPECT_EQ(file->name(i), tensors[i].first);
      EXPECT_TRUE(BitEqual(*file->Read(i), tensors[i].second));
    }
  }
  EXPECT_EQ(WriteSafetensors({{"x", TensorOf<int16_t>({TypeKind::kI16}, {1, 2}, {3, 4})}})->substr(8, 56),
            R"({"x":{"dtype":"I16","shape":[1,2],"data_offsets":[0,4]}})");
}

// Arrays without elements share their place; they keep the order of the header, and the others that of
// places.
TEST(TensorFile, SafetensorsOrder) {
  const Tensor none = TensorOf<float>({TypeKind::kF32}, {0}, {});
  const Tensor one = TensorOf<float>({TypeKind::kF32}, {}, {1});
  const auto file = Open(*WriteSafetensors({{"z", none}, {"a", none}, {"m", one}, {"y", none}, {"b", none}}));
  ASSERT_TRUE(file);
  std::string names;
  for (size_t i = 0; i < file->size(); ++i) names += file->name(i);
  EXPECT_EQ(names, "zamyb");
  const std::string header =
      R"({"x":{"dtype":"U8","shape":[1],"data_offsets":[1,2]},"y":{"dtype":"U8","shape":[],"data_offsets":[0,1]}})";
  const auto swapped = Open(char(header.size()) + std::string(7, '\0') + header + "ab");
  ASSERT_TRUE(swapped) << swapped.error()[0].message;
  EXPECT_EQ(swapped->name(0), "y");
  EXPECT_EQ(PrintValues(*swapped->Read(0)), "97");
  EXPECT_EQ(PrintValues(*swapped->Read(1)), "[98]");
}

// {'x': int8 [1, 1, 1, 1, 1, 1, 1, 1]} by np.savez_compressed.
TEST(TensorFile, CompressedArraysAreInflatedAndChecked) {
  const unsigned char kFile[] = {
      0x50, 0x4b, 0x03, 0x04, 0x2d, 0x00, 0x00, 0x00, 0x08, 0x00, 0x00, 0x00, 0x21, 0x00, 0x13, 0x21, 0x6e,
      0xb1, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x05, 0x00, 0x14, 0x00, 0x78, 0x2e, 0x6e, 0x70,
      0x79, 0x01, 0x00, 0x10, 0x00, 0x88, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x47, 0x00, 0x00, 0x00,
      0x00, 0x00, 0x00, 0x00, 0x9b, 0xec, 0x17, 0xea, 0x1b, 0x10, 0xc9, 0xc8, 0x50, 0xc6, 0x50, 0xad, 0x9e,
      0x92, 0x5a, 0x9c, 0x5c, 0xa4, 0x6e, 0xa5, 0xa0, 0x5e, 0x93, 0x69, 0xa8, 0xae, 0xa3, 0xa0, 0x9e, 0x96,
      0x5f, 0x54, 0x52, 0x94, 0x98, 0x17, 0x9f, 0x5f, 0x94, 0x92, 0x0a, 0x12, 0x77, 0x4b, 0xcc, 0x29, 0x4e,
      0x05, 0x8a, 0x17, 0x67, 0x24, 0x16, 0xa4, 0x02, 0xf9, 0x1a, 0x16, 0x3a, 0x9a, 0x3a, 0x0a, 0xb5, 0x0a,
      0x14, 0x00, 0x2e, 0x46, 0x28, 0x00, 0x00, 0x50, 0x4b, 0x01, 0x02, 0x2d, 0x03, 0x2d, 0x00, 0x00, 0x00,
      0x08, 0x00, 0x00, 0x00, 0x21, 0x00, 0x13, 0x21, 0x6e, 0xb1, 0x47, 0x00, 0x00, 0x00, 0x88, 0x00, 0x00,
      0x00, 0x05, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x80, 0x01, 0x00, 0x00,
      0x00, 0x00, 0x78, 0x2e, 0x6e, 0x70, 0x79, 0x50, 0x4b, 0x05, 0x06, 0x00, 0x00, 0x00, 0x00, 0x01, 0x00,
      0x01, 0x00, 0x33, 0x00, 0x00, 0x00, 0x7e, 0x00, 0x00, 0x00, 0x00, 0x00};
  const std::string bytes(reinterpret_cast<const char*>(kFile), sizeof kFile);
  const auto file = Open(bytes);
  ASSERT_TRUE(file) << file.error()[0].message;
  ASSERT_EQ(file->size(), 1u);
  EXPECT_EQ(file->name(0), "x");
  const auto tensor = file->Read(0);
  ASSERT_TRUE(tensor) << tensor.error()[0].message;
  EXPECT_TRUE(BitEqual(*tensor, TensorOf<int8_t>({TypeKind::kI8}, {8}, {1, 1, 1, 1, 1, 1, 1, 1})));
  const auto limited = Open(bytes, {.limits = {.max_memory = 100}});
  ASSERT_FALSE(limited);
  EXPECT_EQ(limited.error()[0].code, Code::kLimit);
  // Nothing is deflated to less than a thousandth; the size is at 24 in the entry of the directory, and in
  // the field of ZIP64 after the local header's name.
  std::string impossible = bytes;
  impossible.replace(bytes.find("PK\x01\x02") + 24, 4, 4, '\x7f');
  impossible.replace(30 + 5 + 4, 4, 4, '\x7f');
  const auto size = Open(impossible);
  ASSERT_FALSE(size);
  EXPECT_EQ(size.error()[0].message, "'x.npy' in the ZIP archive has an impossible size");
  // The checksum is after the local header's first 14 bytes, and in the directory.
  std::string damaged = bytes;
  damaged[bytes.find("PK\x01\x02") + 16] ^= 1;
  damaged[14] ^= 1;
  const auto found = Open(damaged);
  ASSERT_FALSE(found);
  EXPECT_EQ(found.error()[0].code, Code::kChecksum);
}

// The same archive with all sizes and places in the fields of ZIP64, as large archives have them.
TEST(TensorFile, Zip64FieldsAreRead) {
  const Tensor tensor = TensorOf<int32_t>({TypeKind::kI32}, {2}, {1, 2});
  const std::string plain = *WriteNpz({{"x", tensor}});
  const size_t central = plain.find("PK\x01\x02"), end = plain.find("PK\x05\x06");
  const auto number = [](uint64_t value, int bytes) {
    std::string out;
    for (int i = 0; i < bytes; ++i) out += char(value >> (8 * i));
    return out;
  };
  const size_t size = WriteNpy(tensor)->size();
  std::string header = plain.substr(central, end - central);
  header.replace(20, 8, 8, '\xff');  // both sizes
  header.replace(42, 4, 4, '\xff');  // the place of the local header
  header.replace(30, 2, number(28, 2));
  header += number(1, 2) + number(24, 2) + number(size, 8) + number(size, 8) + number(0, 8);
  std::string large = plain.substr(0, central) + header;
  const size_t end64 = large.size();
  large += "PK\x06\x06" + number(44, 8) + number(45, 2) + number(45, 2) + number(0, 8) + number(1, 8) +
           number(1, 8) + number(header.size(), 8) + number(central, 8);
  large += "PK\x06\x07" + number(0, 4) + number(end64, 8) + number(1, 4);
  large += "PK\x05\x06" + number(0, 4) + number(0xFFFF, 2) + number(0xFFFF, 2) + std::string(8, '\xff') +
           number(0, 2);
  const auto file = Open(large);
  ASSERT_TRUE(file) << file.error()[0].message;
  ASSERT_EQ(file->size(), 1u);
  const auto read = file->Read(0);
  ASSERT_TRUE(read) << read.error()[0].message;
  EXPECT_TRUE(BitEqual(*read, tensor));
  for (size_t i = central; i < large.size(); ++i) {
    std::string damaged = large;
    damaged[i] ^= char(0xFF);
    const auto found = Open(damaged);
    for (size_t k = 0; found && k < found->size(); ++k) (void)found->Read(k);
  }
}

std::string LittleEndian(uint64_t value, int count) {
  std::string out;
  for (int i = 0; i < count; ++i) out += char(value >> (8 * i));
  return out;
}

// An archive is the same whatever bit is damaged, or it is refused.
TEST(TensorFile, NoBitOfAnArchiveChangesItsMeaning) {
  const std::string whole = *WriteNpz(Some());
  size_t opened = 0;
  for (size_t i = 0; i < 8 * whole.size(); ++i) {
    std::string damaged = whole;
    damaged[i / 8] ^= char(1 << (i % 8));
    const auto file = Open(damaged);
    if (!file) continue;
    ++opened;
    ExpectSome(file);
  }
  // Versions, times and attributes of members, which mean nothing here.
  EXPECT_LT(opened, 3 * 8 * 24u);
}

// {"x": int8 [1, 2]} as an archive, whose parts can be changed.
struct ZipText {
  std::string name = "x.npy", local_name = name;
  std::string member = *WriteNpy(TensorOf<int8_t>({TypeKind::kI8}, {2}, {1, 2}));
  uint64_t flags = 0, local_flags = 0;
  std::string local_numbers = Numbers(), central_numbers = Numbers();
  std::string descriptor, before, between, after;
  size_t count = 1;

  // Checksum and sizes.
  std::string Numbers() const {
    const std::string plain = *WriteNpz({{"x", TensorOf<int8_t>({TypeKind::kI8}, {2}, {1, 2})}});
    return plain.substr(14, 12);
  }
  std::string Text() const {
    const std::string local = before + "PK\x03\x04" + LittleEndian(20, 2) + LittleEndian(local_flags, 2) +
                              LittleEndian(0, 6) + local_numbers + LittleEndian(local_name.size(), 2) +
                              LittleEndian(0, 2) + local_name + member + descriptor;
    std::string central;
    for (size_t i = 0; i < count; ++i)
      central += "PK\x01\x02" + LittleEndian(20, 2) + LittleEndian(20, 2) + LittleEndian(flags, 2) +
                 LittleEndian(0, 6) + central_numbers + LittleEndian(name.size(), 2) + LittleEndian(0, 12) +
                 LittleEndian(before.size(), 4) + name;
    const std::string start = local + between;
    return start + central + "PK\x05\x06" + LittleEndian(0, 4) + LittleEndian(count, 2) +
           LittleEndian(count, 2) + LittleEndian(central.size(), 4) + LittleEndian(start.size(), 4) +
           LittleEndian(after.size(), 2) + after;
  }
};
std::string WordsFor(const ZipText& archive) {
  const auto file = Open(archive.Text());
  if (!file) return file.error()[0].message;
  const auto tensor = file->Read(0);
  return tensor ? PrintValues(*tensor) : tensor.error()[0].message;
}

TEST(TensorFile, HeadersAgreeAndBytesBelongToMembers) {
  const ZipText plain;
  ASSERT_EQ(WordsFor(plain), "[1, 2]");
  ZipText a;
  a.member.back() = 3;
  EXPECT_EQ(WordsFor(a), "'x.npy' in the ZIP archive is damaged");
  a = plain, a.local_name = "y.npy";
  EXPECT_EQ(WordsFor(a), "the header of 'x.npy' in the ZIP archive is not what the directory says");
  for (size_t i = 0; i < 12; ++i) {
    a = plain, a.local_numbers[i] ^= 1;
    EXPECT_EQ(WordsFor(a), "the header of 'x.npy' in the ZIP archive is not what the directory says") << i;
    a = plain, a.central_numbers[i] ^= 1;
    EXPECT_NE(WordsFor(a), "[1, 2]") << i;
  }
  a = plain, a.count = 2;
  EXPECT_EQ(WordsFor(a), "the ZIP archive has two members 'x.npy'");
  a = plain, a.before = "#!";
  EXPECT_EQ(WordsFor(a), "not a file of tensors");
  a = plain, a.before = "PK\x03\x04";
  EXPECT_EQ(WordsFor(a), "members of the ZIP archive overlap, or there are bytes before them");
  a = plain, a.between = "hidden";
  EXPECT_EQ(WordsFor(a), "the ZIP archive has bytes after 'x.npy' that belong to no member");
  a = plain, a.after = "comment";
  EXPECT_EQ(WordsFor(a), "the ZIP archive does not end with its directory");
  a = plain, a.flags = a.local_flags = 1;
  EXPECT_EQ(WordsFor(a), "'x.npy' is encrypted");
  a = plain, a.flags = a.local_flags = 0x20;
  EXPECT_EQ(WordsFor(a), "'x.npy' in the ZIP archive has unknown flags");
  EXPECT_EQ(Open(plain.Text() + "x").error()[0].message, "the ZIP archive does not end with its directory");
  // Readers take such names as UTF-8, as code page 437, or up to the zero byte.
  for (const std::string& name :
       {std::string("\xc3\xa4.npy"), std::string("\xff.npy"), std::string("x\0y.npy", 7)}) {
    a = plain, a.name = a.local_name = name;
    EXPECT_EQ(WordsFor(a), "a name in the ZIP archive is not UTF-8 text");
  }
  a = plain, a.name = a.local_name = "\xc3\xa4.npy", a.flags = a.local_flags = 0x800;
  EXPECT_EQ(WordsFor(a), "[1, 2]");
}

// Python's zipfile writes this to a stream: numbers after the member.
TEST(TensorFile, DescriptorsAgree) {
  ZipText a;
  const std::string numbers = a.central_numbers;
  const uint64_t size = a.member.size();
  a.flags = a.local_flags = 8;
  a.local_numbers = std::string(12, '\0');
  EXPECT_EQ(WordsFor(a), "the ZIP archive has bytes after 'x.npy' that belong to no member");
  const std::string wide = numbers.substr(0, 4) + LittleEndian(size, 8) + LittleEndian(size, 8);
  for (const std::string& good : {numbers, "PK\x07\x08" + numbers, wide, "PK\x07\x08" + wide}) {
    a.descriptor = good;
    EXPECT_EQ(WordsFor(a), "[1, 2]");
    for (size_t i = 0; i < good.size(); ++i) {
      a.descriptor = good;
      a.descriptor[i] ^= 1;
      EXPECT_NE(WordsFor(a), "[1, 2]") << i;
    }
    a.descriptor = good + "x";
    EXPECT_NE(WordsFor(a), "[1, 2]");
  }
}

TEST(TensorFile, NamesThatNoFileHasAreNotWritten) {
  const Tensor tensor = TensorOf<int8_t>({TypeKind::kI8}, {1}, {1});
  for (const auto& write : {&WriteNpz, &WriteSafetensors}) {
    const auto words = [&](const NamedTensors& tensors) {
      const auto written = write(tensors);
      return written ? "writes" : written.error()[0].message;
    };
    EXPECT_EQ(words({{"a", tensor}, {"a", tensor}}), "two arrays are called 'a'");
    EXPECT_EQ(words({{"\xff", tensor}}), "'\xff' is not a name of UTF-8 text");
    EXPECT_EQ(words({{std::string("a\0", 2), tensor}}), std::string("'a\0' is not a name of UTF-8 text", 32));
    EXPECT_EQ(words({{std::string(70000, 'a'), tensor}}),
              "a name of 70000 bytes is too long for a file of tensors");
    const std::string name = "\xc3\xa4";
    const auto file = Open(*write({{name, tensor}}));
    ASSERT_TRUE(file) << file.error()[0].message;
    EXPECT_EQ(file->name(0), name);
  }
  EXPECT_FALSE(WriteSafetensors({{"__metadata__", tensor}}));
}

TEST(TensorFile, ErrorsNameFileAndArray) {
  const auto file = Open(*WriteNpz({{"weights", TensorOf<int32_t>({TypeKind::kI32}, {2}, {1, 2})}}));
  ASSERT_TRUE(file);
  const auto wrong = file->Read(0, MakeTensorType({TypeKind::kI32}, std::vector<int64_t>{3}));
  ASSERT_FALSE(wrong);
  EXPECT_EQ(wrong.error()[0].place.file, "some.file");
  EXPECT_NE(wrong.error()[0].message.find("array 'weights'"), std::string::npos);
  const auto other = Open("neither");
  ASSERT_FALSE(other);
  EXPECT_EQ(other.error()[0].place.file, "some.file");
}

TEST(TensorFile, DamageIsAnError) {
  const std::string npz = *WriteNpz(Some());
  const auto safetensors = WriteSafetensors(Some());
  ASSERT_TRUE(safetensors);
  for (const std::string& whole : {npz, *safetensors}) {
    for (size_t n = 0; n < whole.size(); ++n) EXPECT_FALSE(Open(whole.substr(0, n))) << n;
    for (size_t i = 0; i < whole.size(); ++i) {
      std::string damaged = whole;
      damaged[i] ^= char(0xFF);
      const auto file = Open(damaged);
      for (size_t k = 0; file && k < file->size(); ++k) (void)file->Read(k);
    }
  }
  const auto header = [](std::string text) {
    return char(text.size()) + std::string(7, '\0') + text + "12345678";
  };
  EXPECT_TRUE(Open(header(R"({"x":{"dtype":"F32","shape":[2],"data_offsets":[0,8]}})")));
  for (const char* bad : {R"({"x":{"dtype":"F32","shape":[2],"data_offsets":[4,8]}})",
                          R"({"x":{"dtype":"F32","shape":[2],"data_offsets":[8,16]}})",
                          R"({"x":{"dtype":"F32","shape":[-2],"data_offsets":[0,8]}})",
                          R"({"x":{"dtype":"F32","shape":[9223372036854775807,2],"data_offsets":[0,8]}})",
                          R"({"x":{"dtype":7,"shape":[2],"data_offsets":[0,8]}})", R"({"x":[]})", R"({"x")"})
    EXPECT_FALSE(Open(header(bad))) << bad;
}

TEST(TensorFile, WordsForSafetensors) {
  const auto words = [](const std::string& text) {
    const auto file = Open(char(text.size()) + std::string(7, '\0') + text + "12345678");
    return file ? "opens" : file.error()[0].message;
  };
  EXPECT_EQ(words(R"({"x":{"dtype":"F32","shape":[2],"data_offsets":[0]}})"),
            "array 'x' has a malformed header");
  EXPECT_EQ(words(R"({"x":{"dtype":"F32","data_offsets":[0,4]}})"), "array 'x' has a malformed header");
  EXPECT_EQ(words(R"({"x":{"dtype":"U8","shape":[4],"data_offsets":[0,4]}})"),
            "the arrays end at byte 4, but the file has 8 bytes of elements");
  EXPECT_EQ(words(R"({"x":{"dtype":"U8","shape":[4],"data_offsets":[4,8]}})"),
            "array 'x' begins at byte 4, but the arrays before it end at 0");
  EXPECT_EQ(words(R"({"x":{"dtype":"U8","shape":[5],"data_offsets":[0,5]},)"
                  R"("y":{"dtype":"U8","shape":[4],"data_offsets":[4,8]}})"),
            "array 'y' begins at byte 4, but the arrays before it end at 5");
  // An array without elements may be at any border.
  EXPECT_EQ(words(R"({"x":{"dtype":"U8","shape":[8],"data_offsets":[0,8]},)"
                  R"("y":{"dtype":"U8","shape":[0],"data_offsets":[0,0]},)"
                  R"("z":{"dtype":"U8","shape":[0],"data_offsets":[8,8]}})"),
            "opens");
  EXPECT_EQ(words(R"({"x":{"dtype":"U8","shape":[8],"data_offsets":[0,8]},)"
                  R"("y":{"dtype":"U8","shape":[0],"data_offsets":[3,3]}})"),
            "array 'y' begins at byte 3, but the arrays before it end at 8");
  const std::string array = R"({"dtype":"U8","shape":[8],"data_offsets":[0,8]})";
  EXPECT_EQ(words(R"({"__metadata__":{"a":"b"},"x":)" + array + "} \n"), "opens");
  for (const std::string& bad :
       {R"({"x":)" + array + R"(,"x":)" + array + "}", R"({"x":)" + array + R"(,"\u0078":)" + array + "}",
        R"({"__metadata__":{"a":"b"},"__metadata__":{},"x":)" + array + "}",
        R"({"__metadata__":{"a":"b","a":"c"},"x":)" + array + "}",
        R"({"__metadata__":{"a":1},"x":)" + array + "}", R"({"__metadata__":[],"x":)" + array + "}",
        R"({"__metadata__":"a","x":)" + array + "}", R"({"__metadata__":{"a":{}},"x":)" + array + "}",
        std::string(R"({"x":{"dtype":"U8","dtype":"U8","shape":[8],"data_offsets":[0,8]}})"),
        std::string(R"({"x":{"dtype":"U8","shape":[2],"shape":[4],"data_offsets":[0,8]}})"),
        std::string(R"({"x":{"dtype":"U8","shape":[8],"data_offsets":[0],"data_offsets":[8]}})"),
        std::string(R"({"x":{"dtype":"U8","shape":[8],"data_offsets":[0,8],"more":"x"}})"),
        std::string(R"({"x":{"dtype":["U8"],"shape":[8],"data_offsets":[0,8]}})"),
        std::string(R"({"x":{"dtype":"U8","shape":["8"],"data_offsets":[0,8]}})"),
        std::string(R"({"x":{"dtype":"U8","shape":[8.0],"data_offsets":[0,8]}})"),
        R"({"x":)" + array + "}" + std::string("\0}", 2), R"({"x":)" + array + "}{}"})
    EXPECT_EQ(words(bad), "malformed safetensors header") << bad;
  EXPECT_EQ(words(R"({"x":{"dtype":"Q8","shape":[2],"data_offsets":[0,8]}})"),
            "array 'x' has unsupported dtype 'Q8'");
  EXPECT_EQ(words(R"({"x":{"dtype":"F32","shape":[3],"data_offsets":[0,8]}})"),
            "array 'x' has 8 bytes, which do not match its shape");
  // The first 8 bytes are the size of the header.
  std::string large(100'000'009 + 8, ' ');
  constexpr std::string_view kSize("\x01\xe1\xf5\x05\0\0\0\0{", 9);  // 100,000,001
  large.replace(0, kSize.size(), kSize);
  const auto file = TensorFile::Open(large, {}, "some.file");
  ASSERT_FALSE(file);
  EXPECT_EQ(file.error()[0].message, "safetensors header exceeds the limit of 100000000 bytes");
}

}  // namespace
}  // namespace shlo
