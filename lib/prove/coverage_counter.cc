#include "prove/coverage_counter.h"

#include <algorithm>

#include "base/format.h"
#include "eval/input_generator.h"
#include "ir/table/float_format.h"
#include "shlo/diagnostics.h"

namespace shlo {
namespace {

// Elements of a result that are counted, and shapes of a result.
constexpr uint64_t kSample = 1u << 12;
constexpr size_t kMaxShapes = 16;

uint64_t Mix(uint64_t a, uint64_t b) { return SplitMix64(a ^ b * 0x9E3779B97F4A7C15ull).Next(); }

}  // namespace

bool IsFinite(const Tensor& tensor, uint64_t i) {
  const TypeKind kind = tensor.element().kind;
  if (!IsFloat(kind)) return true;
  for (int part = 0; part <= int(tensor.element().complex); ++part) {
    const uint64_t bits = ElementBits(tensor, i, part);
    if (IsNan(kind, bits) || IsInf(kind, bits)) return false;
  }
  return true;
}

bool CoverageCounter::Add(std::span<const Tensor> results) {
  results_.resize(std::max(results_.size(), results.size()));
  uint64_t all = 0;
  bool any_finite = false;
  for (size_t r = 0; r < results.size(); ++r) {
    const Tensor& result = results[r];
    ResultCounts& counts = results_[r];
    ++counts.inputs;
    if (!result.type().is_tensor() || result.count() == 0) continue;
    counts.any_elements = true;
    bool finite = false;
    uint64_t hash = 0;
    for (int64_t extent : result.type().shape) hash = Mix(hash, uint64_t(extent));
    Elements* elements = nullptr;
    if (counts.by_shape.size() < kMaxShapes || counts.by_shape.count(result.type().shape) > 0)
      elements = &counts.by_shape[result.type().shape];
    const uint64_t n = std::min(result.count(), kSample);
    if (elements) {
      elements->first.resize(n);
      elements->state.resize(n);
    }
    for (uint64_t i = 0; i < n; ++i) {
      // Spread the sample; an odd offset meets all rows and columns.
      const uint64_t at = n == result.count() ? i : (i * (result.count() / n) + i % 7) % result.count();
      uint64_t value = ElementBits(result, at);
      if (result.element().complex) value = Mix(value, ElementBits(result, at, 1));
      hash = Mix(hash, value);
      if (!IsFinite(result, at)) continue;
      counts.any_finite = any_finite = finite = true;
      if (!elements) continue;
      uint8_t& state = elements->state[i];
      if (state == 0) {
        state = 1;
        elements->first[i] = value;
      } else if (elements->first[i] != value) {
        state = 2;
      }
    }
    if (finite) counts.distinct.insert(hash);
    all = Mix(all, hash + r);
  }
  return distinct_.insert(all).second && any_finite;
}

void CoverageCounter::Conclude(const std::vector<bool>& dependent, std::string_view what,
                               Coverage* coverage) const {
  coverage->distinct = distinct();
  for (size_t r = 0; r < results_.size(); ++r) {
    const ResultCounts& counts = results_[r];
    uint64_t telling = 0;
    for (const auto& [shape, elements] : counts.by_shape) {
      coverage->elements += elements.state.size();
      telling += uint64_t(std::count(elements.state.begin(), elements.state.end(), 2));
    }
    coverage->telling += telling;
    if (!counts.any_elements || (r < dependent.size() && !dependent[r])) continue;
    if (!counts.any_finite)
      coverage->blind.push_back(StrFormat("{} {} is never finite", what, r));
    else if (telling == 0 && counts.distinct.size() < 2 && dependent.size() > r)
      coverage->blind.push_back(StrFormat("{} {} is the same for all inputs", what, r));
  }
}

}  // namespace shlo
