#include "shlo/program_io.h"

#include <gtest/gtest.h>
#include <stdlib.h>

#include <filesystem>
#include <fstream>

#include "serialize/container/test_files.h"

namespace shlo {
namespace {

namespace fs = std::filesystem;

TEST(ProgramIo, ContainersHoldPrograms) {
  container::TestExport outer;
  outer.programs = {container::TestExport().Bytes()};
  const auto read = ReadProgram(outer.Bytes(), nullptr, {.source_name = "outer.bin"});
  ASSERT_FALSE(read);
  EXPECT_EQ(read.error()[0].message, "a container in a container");
  EXPECT_EQ(read.error()[0].place.file, "outer.bin");
  const auto program = ReadProgram("module {}", nullptr);
  ASSERT_TRUE(program);
  for (const Format format : {Format::kJaxExport, Format::kSavedModel}) {
    const auto written = WriteProgram(*program, {.format = format});
    ASSERT_FALSE(written);
    EXPECT_EQ(written.error()[0].message, "a container is written around its programs, not in place of one");
    EXPECT_EQ(written.error()[0].code, Code::kUsage);
  }
}

TEST(ProgramIo, AFileOfTwoProgramsIsNotOne) {
  std::string folder = (fs::temp_directory_path() / "program_io_test_XXXXXX").string();
  ASSERT_TRUE(mkdtemp(folder.data()));
  const std::string path = folder + "/two.mlir";
  std::ofstream(path) << "module {}\n// -----\nmodule {}\n";
  const auto read = ReadProgramFile(path);
  fs::remove_all(folder);
  ASSERT_FALSE(read);
  EXPECT_EQ(read.error()[0].message, "expected 1 program, the file has 2");
  EXPECT_EQ(read.error()[0].hint, "split the file at its '// -----' lines");
  EXPECT_EQ(read.error()[0].place.file, path);
}

}  // namespace
}  // namespace shlo
