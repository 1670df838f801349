#include <cmath>
#include <string>

#include "base/deadline.h"
#include "base/format.h"
#include "ir/table/float_format.h"
#include "shlo/evidence.h"

namespace shlo {
namespace {

bool IsNear(double x, double y, double tolerance) {
  if (std::isnan(x) || std::isnan(y)) return std::isnan(x) && std::isnan(y);
  if (std::isinf(x) || std::isinf(y)) return x == y;
  return std::abs(x - y) <= tolerance * (1 + std::abs(y));
}

bool ElementIsNear(const Tensor& a, const Tensor& b, uint64_t i, double tolerance) {
  const int parts = a.element().complex ? 2 : 1;
  for (int part = 0; part < parts; ++part) {
    const uint64_t x = ElementBits(a, i, part), y = ElementBits(b, i, part);
    if (x == y) continue;
    const TypeKind kind = a.element().kind;
    if (tolerance == 0 || !IsFloat(kind) || !IsNear(DecodeFloat(kind, x), DecodeFloat(kind, y), tolerance))
      return false;
  }
  return true;
}

}  // namespace

std::string GoldenDifference(const Tensor& result, const Tensor& kept, double tolerance) {
  if (result.type() != kept.type())
    return StrFormat("has type {}, but {} was kept", TypeName(result.type()), TypeName(kept.type()));
  if (!result.type().is_tensor()) return "";
  uint64_t first = 0, count = 0;
  for (uint64_t i = 0; i < result.count(); ++i) {
    Tick();
    if (!ElementIsNear(result, kept, i, tolerance) && count++ == 0) first = i;
  }
  if (count == 0) return "";
  return StrFormat("differs in {} of {}: {} at {}, but {} was kept", count, Count(result.count(), "element"),
                   PrintElement(result, first), IndexString(result.type(), first), PrintElement(kept, first));
}

}  // namespace shlo
