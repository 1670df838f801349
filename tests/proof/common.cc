#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "ir/table/float_format.h"
#include "ir/table/ulp_distance.h"
#include "law_checks.h"

namespace shlo::laws {

uint64_t Source::Any() {
  uint64_t z = state_ += 0x9E3779B97F4A7C15u;
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
  return z ^ (z >> 31);
}

uint64_t Source::Pick(uint64_t n) {
  if (!every_) return Any() % n;
  if (position_ == path_.size()) path_.push_back({n, 0});
  return path_[position_++].chosen;
}

bool Source::Next() {
  position_ = 0;
  while (!path_.empty() && path_.back().chosen + 1 == path_.back().n) path_.pop_back();
  if (path_.empty()) return false;
  ++path_.back().chosen;
  return true;
}

int64_t CountOf(const Dims& shape) {
  int64_t count = 1;
  for (int64_t d : shape) count *= d;
  return count;
}

int64_t Offset(const Dims& shape, const Dims& index) {
  int64_t offset = 0;
  for (size_t d = 0; d < shape.size(); ++d) offset = offset * shape[d] + index[d];
  return offset;
}

void ForEachIndex(const Dims& shape, const std::function<void(const Dims&)>& visit) {
  if (CountOf(shape) == 0) return;
  Dims index(shape.size());
  for (;;) {
    visit(index);
    size_t d = shape.size();
    while (d > 0 && ++index[d - 1] == shape[d - 1]) index[--d] = 0;
    if (d == 0) return;
  }
}

Tensor TensorOfInts(TypeKind kind, const Dims& shape, const std::vector<int64_t>& values) {
  std::string bytes;
  const size_t size = size_t(BitWidth(kind) + 7) / 8;
  const uint64_t mask = BitWidth(kind) >= 64 ? ~0ull : (1ull << BitWidth(kind)) - 1;
  for (int64_t value : values) {
    const uint64_t bits = uint64_t(value) & mask;
    bytes.append(reinterpret_cast<const char*>(&bits), size);
  }
  return Tensor::Copy(MakeTensorType({kind}, shape), bytes);
}

std::vector<int64_t> IntsOfTensor(const Tensor& tensor) {
  std::vector<int64_t> values;
  const TypeKind kind = tensor.element().kind;
  const int unused = 64 - BitWidth(kind);
  for (uint64_t i = 0; i < tensor.count(); ++i) {
    const uint64_t bits = ElementBits(tensor, i);
    const bool is_signed = !IsUnsignedInteger(kind) && kind != TypeKind::kI1;
    values.push_back(is_signed ? int64_t(bits << unused) >> unused : int64_t(bits));
  }
  return values;
}

Result<std::vector<Tensor>> Run(const Program& program, const Module& module) {
  auto result = program.grid.empty() ? Evaluate(module, "main", program.args, program.options)
                                     : EvaluateParallel(module, program.grid, program.partitions,
                                                        program.args, {}, program.options);
  if (!result) return tl::unexpected(std::move(result.error()));
  return std::move(result->results);
}

std::string Differ(const std::vector<Tensor>& values, const std::vector<Tensor>& right, Tolerance tolerance) {
  if (values.size() != right.size())
    return fmt::format("{} results, expected {}", values.size(), right.size());
  for (size_t i = 0; i < values.size(); ++i) {
    if (!values[i].type().is_tensor() && !right[i].type().is_tensor()) continue;
    if (!(values[i].type() == right[i].type()))
      return fmt::format("result {} has type {}, expected {}", i, TypeName(values[i].type()),
                         TypeName(right[i].type()));
    const auto at = FirstDifference(values[i], right[i]);
    if (!at) continue;
    const TypeKind kind = values[i].element().kind;
    if (tolerance.ulps == 0 || !IsFloat(kind))
      return fmt::format("result {} is {} at {}, expected {}", i, PrintElement(values[i], *at), *at,
                         PrintElement(right[i], *at));
    const int parts = values[i].element().complex ? 2 : 1;
    // Subnormal numbers on the way lose digits.
    const double least = std::ldexp(1.0, 16 - FloatFormatOf(kind)->bias);
    for (uint64_t e = 0; e < values[i].count(); ++e) {
      double expected[2] = {0, 0}, size = 0;
      for (int p = 0; p < parts; ++p) expected[p] = DecodeFloat(kind, ElementBits(right[i], e, p));
      if (parts == 2) size = std::max(std::fabs(expected[0]), std::fabs(expected[1]));
      if (!std::isfinite(size)) size = 0;
      for (int p = 0; p < parts; ++p) {
        const double value = DecodeFloat(kind, ElementBits(values[i], e, p));
        const double error = UlpDistance(kind, value, expected[p], std::max(tolerance.floor, size));
        const double of_part =
            parts == 2 && tolerance.part != 0 ? UlpDistance(kind, value, expected[p], least) : 0;
        if (error > tolerance.ulps || of_part > tolerance.part)
          return fmt::format("result {} is {} at {}, expected {}: {} ULP", i, PrintElement(values[i], e), e,
                             PrintElement(right[i], e), std::max(error, of_part));
      }
    }
  }
  return {};
}

bool LawRun::Expect(bool holds, int rung, const std::function<std::string()>& failure, uint64_t count) {
  checks[size_t(rung)] += count;
  if (holds) return true;
  if (failed_rung < 0) failed_rung = rung;
  if (failures.size() < 5) failures.push_back(fmt::format("{}: L{}: {}", law.name, rung, failure()));
  return false;
}

}  // namespace shlo::laws
