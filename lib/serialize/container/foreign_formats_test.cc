#include "serialize/container/foreign_formats.h"

#include <gtest/gtest.h>

#include "serialize/container/test_files.h"

namespace shlo::container {
namespace {

using namespace std::string_literals;

TEST(ForeignFormats, AreNamed) {
  const std::string zeros(300, '\0');
  std::string tar = zeros;
  tar.replace(257, 5, "ustar");
  const TestMessage opset = TestMessage().Number(2, 17);
  const std::string onnx =
      TestMessage().Number(1, 9).Bytes(2, "pytorch").Bytes(7, "graph").Add(8, opset).str();
  const std::string hlo =
      TestMessage().Bytes(1, "m").Bytes(2, "main").Bytes(3, "computation").Number(5, 1).str();
  const TestMessage node = TestMessage().Bytes(1, "x").Bytes(2, "Placeholder");
  const std::string graph = TestMessage().Add(1, node).Add(4, opset).str();
  const std::pair<std::string, std::string_view> kFiles[] = {
      {"\xef\xbb\xbfmodule {}", "text with a UTF-8 byte order mark, which MLIR refuses"},
      {"\xff\xfem\0o\0"s, "text in UTF-16"},
      {"\xfe\xff\0m\0o"s, "text in UTF-16"},
      {"m\0o\0d\0u\0l\0e\0"s, "text in UTF-16"},
      {"\xff\xfe\0\0m\0\0\0"s, "text in UTF-32"},
      {"\x1f\x8b\x08", "a gzip archive"},
      {"\x28\xb5\x2f\xfd", "a zstd archive"},
      {"BZh9", "a bzip2 archive"},
      {tar, "a tar archive"},
      {"PK\x03\x04", "a zip archive (also .npz, .keras, .pt and .pt2)"},
      {"\x93NUMPY\x01", "a NumPy array"},
      {"\x0c\0\0\0\0\0\0\0{\"a\":[1,2]} "s, "a safetensors file"},
      {"\x89HDF\r\n\x1a\n", "an HDF5 file (also .h5 models of Keras)"},
      {"\x80\x04K\x01.", "a Python pickle (also .pkl and old .pt)"},
      {"\x1c\0\0\0TFL3"s, "a TensorFlow Lite model"},
      {onnx, "an ONNX model"},
      {hlo, "an HLO module (protobuf)"},
      {TestMessage().Bytes(1, hlo).str(), "an HLO module (protobuf)"},
      {TestMessage().Bytes(1, "m").Bytes(2, "main").Bytes(3, "c").Bytes(4, "shape").str(),
       "an HLO module (protobuf)"},
      {TestMessage().Bytes(1, "m").Bytes(2, "main").Bytes(3, "c").Number(6, 9).str(),
       "an HLO module (protobuf)"},
      {"HloModule jit_f, entry_computation_layout={}", "HLO text"},
      {graph, "a TensorFlow graph"},
      {"saved_model_schema_version: 1\n", "a SavedModel in text form"},
      {"BC\xc0\xde", "LLVM bitcode"},
      {"\x7f"
       "ELF\x02",
       "an ELF binary"},
      {"\x89PNG\r\n", "a PNG image"},
  };
  for (const auto& [bytes, name] : kFiles) {
    const ForeignFormat* format = DetectForeignFormat(bytes);
    ASSERT_TRUE(format) << name;
    EXPECT_EQ(format->name, name);
    // Reading says it, once.
    const auto program = ReadProgram(bytes, nullptr);
    ASSERT_FALSE(program);
    ASSERT_EQ(program.error().size(), 1u);
    EXPECT_EQ(program.error()[0].message, "the file is " + std::string(name));
    EXPECT_FALSE(program.error()[0].hint.empty());
  }
}

TEST(ForeignFormats, MagicNumbersMayBeDamaged) {
  EXPECT_EQ(DamagedMagic("ML\xefS\x0d"), "MLIR bytecode");
  EXPECT_EQ(DamagedMagic("\0L\xefR"s), "MLIR bytecode");
  EXPECT_EQ(DamagedMagic("\x89SHLO\r\n\x1b"), "a .shlo archive");
  for (const std::string& bytes :
       {""s, "ML\xefR"s, "MLIS"s, "ML\xef"s, "\x89SHLO\r\n\x1a"s, "\x89SHLO\r\r\x1b"s})
    EXPECT_EQ(DamagedMagic(bytes), bytes == "ML\xef" ? "MLIR bytecode" : "") << bytes;
}

TEST(ForeignFormats, TextIsNotAmongThem) {
  for (const char* text : {"", "\n", "module {}", "// BZh", "\n\nfunc.func @f() { return }", "{-#",
                           "#loc = loc(\"x\")", "\"builtin.module\"() ({}) : () -> ()", "0123456789"})
    EXPECT_EQ(DetectForeignFormat(text), nullptr) << text;
}

// Files with all but one of the signs of a format.
TEST(ForeignFormats, NearMissesAreNotNamed) {
  const auto name = [](const std::string& bytes) {
    const ForeignFormat* format = DetectForeignFormat(bytes);
    return format ? format->name : std::string_view("none");
  };
  const TestMessage opset = TestMessage().Number(2, 17);
  const auto cut = [](std::string bytes) { return bytes.substr(0, bytes.size() - 1); };

  const auto onnx = [&](uint64_t version) {
    return TestMessage().Number(1, version).Bytes(7, "g").Add(8, opset).str();
  };
  for (uint64_t version : {1, 99}) EXPECT_EQ(name(onnx(version)), "an ONNX model") << version;
  for (uint64_t version : {0, 100}) EXPECT_EQ(name(onnx(version)), "none") << version;
  for (const std::string& bytes : {cut(onnx(9)), TestMessage().Number(1, 9).Bytes(7, "g").str(),
                                   TestMessage().Number(1, 9).Add(8, opset).str(),
                                   TestMessage().Number(1, 9).Number(7, 1).Add(8, opset).str(),
                                   TestMessage().Number(1, 9).Bytes(7, "g").Number(8, 1).str(),
                                   TestMessage().Bytes(7, "g").Number(1, 9).Add(8, opset).str()})
    EXPECT_EQ(name(bytes), "none");

  const std::string hlo = TestMessage().Bytes(1, "m").Bytes(2, "f").Bytes(3, "c").Number(5, 1).str();
  for (const std::string& bytes :
       {hlo, TestMessage().Bytes(1, hlo).str(), TestMessage().Bytes(1, hlo).Number(2, 1).str()})
    EXPECT_EQ(name(bytes), "an HLO module (protobuf)");
  for (const std::string& bytes :
       {cut(hlo), TestMessage().Bytes(1, "m").Bytes(3, "c").Number(5, 1).str(),
        TestMessage().Bytes(1, "m").Bytes(2, "f").Number(5, 1).str(),
        TestMessage().Bytes(1, "m").Bytes(2, "f").Bytes(3, "c").str(),
        TestMessage().Bytes(1, "m").Bytes(2, "f").Bytes(3, "c").Bytes(5, "x").str(),
        TestMessage().Bytes(1, "m").Number(2, 1).Bytes(3, "c").Number(5, 1).str(),
        TestMessage().Number(1, 1).Bytes(2, "f").Bytes(3, "c").Number(5, 1).str()}) {
    EXPECT_EQ(name(bytes), "none");
    EXPECT_EQ(name(TestMessage().Bytes(1, bytes).str()), "none");
  }
  EXPECT_EQ(name(TestMessage().Bytes(1, hlo).str() + "\x0a"), "none");

  const auto node = [](std::string_view name, std::string_view op) {
    TestMessage message;
    if (!name.empty()) message.Bytes(1, std::string(name));
    if (!op.empty()) message.Bytes(2, std::string(op));
    return message;
  };
  const auto graph = [&](const TestMessage& first) { return TestMessage().Add(1, first).Add(4, opset); };
  EXPECT_EQ(name(graph(node("x", "Const")).str()), "a TensorFlow graph");
  for (int library : {2, 5, 32})
    EXPECT_EQ(name(graph(node("x", "Const")).Bytes(library, "").str()), "a TensorFlow graph") << library;
  for (int other : {3, 6, 31})
    EXPECT_EQ(name(graph(node("x", "Const")).Bytes(other, "").str()), "none") << other;
  for (const std::string& bytes :
       {graph(node("", "Const")).str(), graph(node("x", "")).str(), cut(graph(node("x", "Const")).str()),
        TestMessage().Add(1, node("x", "Const")).str(),
        TestMessage().Add(1, node("x", "Const")).Number(4, 1).str()})
    EXPECT_EQ(name(bytes), "none");

  const std::string_view pickle = "a Python pickle (also .pkl and old .pt)", tensors = "a safetensors file";
  const std::pair<std::string, std::string_view> kOthers[] = {
      {"\x80\x02N.", pickle},
      {"\x80\x05N.", pickle},
      {"\x80\x01N.", "none"},
      {"\x80\x06N.", "none"},
      {"\x80\x04.", "none"},
      {"\x80\x04N,", "none"},
      {"\x81\x04N.", "none"},
      {"\2\0\0\0\0\0\0\0{}"s, tensors},
      {"\3\0\0\0\0\0\0\0{\"a"s, tensors},
      {"\4\0\0\0\0\0\0\0{\"a"s, "none"},
      {"\1\0\0\0\0\0\0\0{}"s, "none"},
      {"\2\0\0\0\0\0\0\0[}"s, "none"},
      {"\2\0\0\0\0\0\0\0{1"s, "none"},
      {"\1\0\0\0\0\0\0\0{"s, "none"},
      {"\x1c\0\0\0ORTM"s, "an ONNX Runtime model"},
      {"\x1c\0\0TFL3"s, "none"},
      {"  \t\r\nHloModule m", "HLO text"},
      {"the HloModule m", "none"},
  };
  for (const auto& [bytes, expected] : kOthers) EXPECT_EQ(name(bytes), expected) << bytes;
}

}  // namespace
}  // namespace shlo::container
