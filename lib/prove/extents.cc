#include "prove/extents.h"

#include <algorithm>
#include <set>

#include "shlo/kinds.h"

namespace shlo {
namespace {

constexpr int64_t kSizes[] = {3, 2, 5, 1, 8, 4, 6, 7};
constexpr int64_t kMaxFromConstant = 64;
constexpr size_t kMaxConstants = 12;
constexpr size_t kRandom = 96;

}  // namespace

std::vector<std::vector<int64_t>> ExtentsToTry(std::span<const DynamicDim> dims,
                                               std::span<const Number> numbers) {
  std::vector<std::vector<int64_t>> out;
  std::set<std::vector<int64_t>> seen;
  const auto add = [&](auto size_of) {
    std::vector<int64_t> sizes;
    for (size_t i = 0; i < dims.size(); ++i) {
      const int64_t size = size_of(i);
      sizes.push_back(dims[i].bound == kDynamic ? size : std::min(size, dims[i].bound));
    }
    if (seen.insert(sizes).second) out.push_back(std::move(sizes));
  };
  size_t arguments = 0, last_dim = 0;
  for (const DynamicDim& d : dims) {
    arguments = std::max(arguments, d.argument);
    last_dim = std::max(last_dim, d.dim);
  }
  const auto size = [](size_t i) { return kSizes[i % std::size(kSizes)]; };
  add([&](size_t) { return size(0); });
  add([&](size_t i) { return size(dims[i].dim); });  // as many as there are dimensions
  add([&](size_t i) { return size(i); });            // all differ
  add([&](size_t i) { return size(dims[i].argument); });
  for (size_t s = 1; s < 5; ++s) add([&](size_t) { return size(s); });  // 2, 5, 1, 8
  for (size_t s = 1; s < 4; ++s) {
    add([&](size_t i) { return size(dims[i].dim + s); });
    add([&](size_t i) { return size(i + s); });
  }
  add([&](size_t) { return int64_t(0); });
  for (const DynamicDim& d : dims) add([&](size_t) { return d.bound == kDynamic ? size(0) : d.bound; });
  // Sizes in programs depend on constants: a multiple of 8, more than 4.
  std::set<int64_t> constants;
  for (const Number& n : numbers) {
    if (n.is_float || n.integer < 2 || n.integer > kMaxFromConstant || constants.size() >= kMaxConstants)
      continue;
    if (!constants.insert(n.integer).second) continue;
    for (const int64_t c : {n.integer, n.integer + 1, n.integer - 1, 2 * n.integer})
      add([&](size_t) { return c; });
  }
  // One dimension differs: the others may depend on it, or it on constants.
  for (size_t odd = 0; odd < std::min<size_t>(dims.size(), 8); ++odd)
    for (const int64_t other : {0, 1, 2, 6, 9}) add([&](size_t i) { return i == odd ? other : int64_t(3); });
  SplitMix64 random(dims.size());
  std::vector<int64_t> choices = {1, 2, 3, 4, 5, 6, 8, 9, 10, 12, 16};
  choices.insert(choices.end(), constants.begin(), constants.end());
  for (size_t n = 0; n < kRandom; ++n) {
    std::vector<int64_t> by_dim;
    for (size_t d = 0; d <= std::max(last_dim, dims.size()); ++d)
      by_dim.push_back(choices[random.Next() % choices.size()]);
    const bool same_in_dim = n % 2 == 0;
    add([&](size_t i) { return by_dim[same_in_dim ? dims[i].dim : i]; });
  }
  return out;
}

}  // namespace shlo
