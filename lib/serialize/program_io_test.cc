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

TEST(ProgramIo, ProgramsAreToldFromOtherFiles) {
  for (const std::string_view program :
       {"module {", "// A comment.\n\n  module @m {}", "module attributes {a} {}", "func.func @f(",
        "builtin.module {}", "\"stablehlo.add\"(%a)", "\"vhlo.func_v1\" () <{",
        "%0 = ", "%0:2 = ", "%a, %b = ", "#loc = loc(unknown)", "#a = #stablehlo<x>", "!t = tensor<2xf32>",
        "{-# dialect_resources", "stablehlo.constant dense<1>", "ML\xefR", "\x89SHLO\r\n\x1a\n"})
    EXPECT_TRUE(LooksLikeProgram(program)) << program;
  for (const std::string_view other : {"",
                                       "\n \n",
                                       "// Only a comment.",
                                       "module Main where",
                                       "module github.com/a/b",
                                       "modules {",
                                       "# Title\n",
                                       "#!/bin/sh\n",
                                       "#x = 3",
                                       "#include <a>",
                                       "\"text\": 3",
                                       "\"a.b\": 3",
                                       "\".a\"(",
                                       "{\"a.b\": 3}",
                                       "%!PS-Adobe",
                                       "% LaTeX\n",
                                       "!",
                                       "! a = b",
                                       "func @f() {",
                                       "import a.b",
                                       "a.b",
                                       "stablehlo",
                                       "The quick brown fox.",
                                       "PK\x03\x04",
                                       "\x7f"
                                       "ELF"})
    EXPECT_FALSE(LooksLikeProgram(other)) << other;
  EXPECT_FALSE(LooksLikeProgram(std::string_view("module {\0", 9)));
}

}  // namespace
}  // namespace shlo
