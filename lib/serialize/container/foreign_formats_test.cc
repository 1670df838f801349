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

TEST(ForeignFormats, TextIsNotAmongThem) {
  for (const char* text : {"", "\n", "module {}", "// BZh", "\n\nfunc.func @f() { return }", "{-#",
                           "#loc = loc(\"x\")", "\"builtin.module\"() ({}) : () -> ()", "0123456789"})
    EXPECT_EQ(DetectForeignFormat(text), nullptr) << text;
}

}  // namespace
}  // namespace shlo::container
