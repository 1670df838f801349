// Archives in temporary folders, and programs to put into them, for tests.
#pragma once

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <stdlib.h>

#include <filesystem>
#include <fstream>
#include <optional>
#include <random>
#include <sstream>
#include <string>

#include "shlo/archive.h"
#include "shlo/archive_work.h"

namespace shlo::archive {

inline std::string RandomBytes(size_t size, uint64_t seed) {
  std::mt19937_64 random(seed);
  std::string bytes(size, '\0');
  for (char& c : bytes) c = char(random() >> 56);
  return bytes;
}

// Returns bytes that a text may have in a comment.
inline std::string CommentBytes(size_t size, uint64_t seed) {
  std::string bytes = RandomBytes(size, seed);
  for (char& c : bytes)
    if (c == '\n' || c == '\0' || c == '\r') c = 'x';
  return bytes;
}
// Returns a text of a program that ends with a comment: models are programs, with any content.
inline std::string ProgramWith(const std::string& comment) {
  return "func.func @main() {\n  return\n}\n// " + comment;
}

inline std::string Words(const Diagnostics& diagnostics) {
  std::string out;
  for (const Diagnostic& d : diagnostics) out += Render(d);
  return out;
}

template <typename T>
T Must(Result<T> result) {
  EXPECT_TRUE(result) << (result ? "" : Words(result.error()));
  if (!result) throw std::runtime_error("a step of the test failed");
  return std::move(*result);
}
inline void Must(Result<void> result) {
  EXPECT_TRUE(result) << (result ? "" : Words(result.error()));
  if (!result) throw std::runtime_error("a step of the test failed");
}

// A folder that is removed at the end, with an archive in it.
class ArchiveTest : public testing::Test {
 protected:
  void SetUp() override {
    std::string name = (std::filesystem::temp_directory_path() / "shlo-archive-XXXXXX").string();
    ASSERT_NE(::mkdtemp(name.data()), nullptr);
    root_ = name;
    Must(Archive::Create(Folder(), "00112233445566778899aabbccddeeff"));
  }
  void TearDown() override { std::filesystem::remove_all(root_); }

  std::string Folder() const { return root_ + "/a"; }
  std::string Path(const std::string& name) const { return root_ + "/" + name; }
  Archive Open(const std::string& folder = {}) const {
    return Must(Archive::Open(folder.empty() ? Folder() : folder));
  }
  static WriterOptions Options() {
    WriterOptions options;
    options.tool = "test";
    options.time = "2026-01-31T12:00:00Z";
    options.wait_seconds = 0;
    return options;
  }

  // Adds bytes as a model, which may be no program.
  static ContentId Add(Writer& writer, const std::string& name, const std::string& bytes,
                       std::span<const ConstantRange> constants = {}) {
    NewModel model;
    model.name = name;
    model.files.push_back({name + ".bin", Must(writer.AddBytes(bytes, constants)), bytes.size()});
    Diagnostics errors;
    const ProgramFile file = ReadPrograms({bytes, nullptr, ""}, {}, &errors);
    for (const Program& program : file.programs) model.programs.push_back(DescribeProgram(program));
    uint64_t version = 0;
    bool existed = false;
    return Must(writer.AddModel(model, &version, &existed));
  }
  // Adds models to an archive, and commits.
  static void AddAll(const Archive& archive, const std::vector<std::pair<std::string, std::string>>& models) {
    Writer writer = Must(Writer::Begin(archive, Options()));
    for (const auto& [name, bytes] : models) Add(writer, name, bytes);
    Must(writer.Commit());
  }
  static std::string Bytes(const Archive& archive, const std::string& selector) {
    const ArchivedModel model = Must(archive.Find(selector));
    return std::string(Must(archive.Load(model.forms[0].files[0].id, selector)).bytes);
  }
  static std::string ReadFile(const std::string& path) {
    std::ifstream in(path, std::ios::binary);
    std::ostringstream bytes;
    bytes << in.rdbuf();
    return bytes.str();
  }
  static void PutFile(const std::string& path, std::string_view bytes) {
    std::ofstream(path, std::ios::binary).write(bytes.data(), std::streamsize(bytes.size()));
  }
  std::string Pack(uint64_t sequence, const std::string& folder = {}) const {
    return fmt::format("{}/packs/{:010}.pack", folder.empty() ? Folder() : folder, sequence);
  }
  static size_t NumPacks(const std::string& folder) {
    return size_t(std::distance(std::filesystem::directory_iterator(folder + "/packs"),
                                std::filesystem::directory_iterator()));
  }

  std::string root_;
};

}  // namespace shlo::archive
