#include "base/pipe_copy.h"

#include <errno.h>
#include <fcntl.h>
#include <gtest/gtest.h>
#include <stdlib.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

namespace shlo {
namespace {

class PipeCopyTest : public testing::Test {
 protected:
  PipeCopyTest() {
    std::string name = (std::filesystem::temp_directory_path() / "pipe_copy_test_XXXXXX").string();
    folder_ = mkdtemp(name.data());
    for (size_t i = 0; i < 20 * PipeCopy::kStep; ++i) bytes_ += char(i * 7 + i / 251);
    std::ofstream(folder_ / "from", std::ios::binary) << bytes_;
    from_ = ::open((folder_ / "from").c_str(), O_RDONLY);
    to_ = OpenTo(0);
  }
  ~PipeCopyTest() override {
    ::close(from_);
    ::close(to_);
    std::filesystem::remove_all(folder_);
  }
  int OpenTo(int flags) const {
    return ::open((folder_ / "to").c_str(), O_WRONLY | O_CREAT | O_TRUNC | flags, 0600);
  }
  std::string Written() const {
    std::ifstream in(folder_ / "to", std::ios::binary);
    std::stringstream bytes;
    bytes << in.rdbuf();
    return bytes.str();
  }
  std::filesystem::path folder_;
  std::string bytes_;
  int from_ = -1, to_ = -1;
};

#ifdef __linux__

TEST_F(PipeCopyTest, CopiesParts) {
  PipeCopy copy;
  std::string expected;
  for (const auto& [offset, size] : {std::pair(size_t(0), size_t(1)),
                                     {4095, 2},
                                     {17, PipeCopy::kStep},
                                     {4096, 0},
                                     {1, 20 * PipeCopy::kStep - 1}}) {
    size_t copied = 7;
    ASSERT_EQ(copy.Append(from_, offset, size, to_, expected.size(), &copied), 0);
    EXPECT_EQ(copied, size + 7);
    expected += bytes_.substr(offset, size);
  }
  EXPECT_TRUE(Written() == expected);
}

TEST_F(PipeCopyTest, FilesEndAndSinksFail) {
  PipeCopy copy;
  size_t copied = 0;
  EXPECT_EQ(copy.Append(from_, bytes_.size() - 5000, 5001, to_, 0, &copied), EFAULT);
  EXPECT_EQ(copied, 5000u);
  EXPECT_EQ(copy.Append(from_, 0, 10, from_, 5000, &copied), EBADF);
}

// Linux does not splice to files that are open for appending.
TEST_F(PipeCopyTest, NothingIsCopiedWhereTheSystemCannot) {
  PipeCopy copy;
  const int appending = OpenTo(O_APPEND);
  size_t copied = 0;
  for (const int to : {appending, to_}) {
    EXPECT_EQ(copy.Append(from_, 0, 100, to, 0, &copied), 0);
    EXPECT_EQ(copied, 0u);
  }
  EXPECT_EQ(Written(), "");
  ::close(appending);
}

#endif

}  // namespace
}  // namespace shlo
