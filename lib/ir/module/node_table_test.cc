#include "shlo/node_table.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "base/hex.h"

namespace shlo {
namespace {

TEST(PayloadTable, DigitsAreDecodedWhenBytesAreAskedFor) {
  std::string bytes(size_t(1) << 20, 0);
  for (size_t i = 0; i < bytes.size(); ++i) bytes[i] = char(i * 7 / 3);
  const auto digits = std::make_shared<std::string>();
  AppendHex(bytes, digits.get());
  PayloadTable table;
  const PayloadId small = table.AddCopy("small");
  const PayloadId first = table.AddHex(*digits, digits);
  const PayloadId second = table.AddHex(std::string_view(*digits).substr(2), digits);
  EXPECT_EQ(table.SizeOf(first), bytes.size());
  EXPECT_TRUE(table.StoredOf(first).hex);
  EXPECT_EQ(table.StoredOf(first).size(), bytes.size());
  EXPECT_FALSE(table.StoredOf(small).hex);
  const PayloadTable copy = table;
  std::vector<std::thread> threads;
  std::vector<const uint8_t*> data(8);
  for (size_t i = 0; i < data.size(); ++i)
    threads.emplace_back([&, i] { data[i] = (i % 2 ? table : copy)[first].data; });
  for (std::thread& thread : threads) thread.join();
  // All of them, and copies of the table, share the same bytes.
  for (const uint8_t* other : data) EXPECT_EQ(other, data[0]);
  EXPECT_TRUE(copy[first].bytes() == bytes);
  EXPECT_FALSE(copy.StoredOf(first).hex);
  EXPECT_TRUE(table.StoredOf(second).hex);
  EXPECT_TRUE(table[second].bytes() == std::string_view(bytes).substr(1));
  EXPECT_EQ(table[small].bytes(), "small");
}

}  // namespace
}  // namespace shlo
