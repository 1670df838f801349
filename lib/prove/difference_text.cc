#include "prove/difference_text.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "base/format.h"
#include "base/printable.h"
#include "ir/table/float_format.h"
#include "prove/simpler_inputs.h"

namespace shlo {
namespace {

// Limit of elements that a message prints per argument.
constexpr uint64_t kShownElements = 16;

std::string Bits(const Tensor& t, uint64_t i) {
  const int digits = (BitWidth(t.element().kind) + 3) / 4;
  std::string out = StrFormat("{} (bits 0x{:0{}X}", PrintElement(t, i), ElementBits(t, i), digits);
  if (t.element().complex) out += StrFormat(", 0x{:0{}X}", ElementBits(t, i, 1), digits);
  return out + ")";
}

}  // namespace

std::string Describe(const Diagnostic& d) {
  std::string out;
  if (!d.op.empty()) out += StrFormat("'{}'", d.op);
  if (!d.place.function.empty()) out += StrFormat(" in {}", SymbolText(d.place.function));
  if (d.place.line != 0)
    out += StrFormat(" at {}:{}", d.place.line, d.place.column);
  else if (!d.place.location.empty())
    out += StrFormat(" at {}", d.place.location);
  return out.empty() ? d.message : StrFormat("{}: {}", out, d.message);
}

Gap GapOf(const Tensor& a, const Tensor& b, uint64_t element) {
  // More than a rounding of any type, and less than a person overlooks.
  constexpr double kMostRounding = 1e-3;
  const TypeKind kind = a.element().kind;
  Gap most = Gap::kNone;
  for (int part = 0; part < (a.element().complex ? 2 : 1); ++part) {
    const uint64_t bits_a = ElementBits(a, element, part), bits_b = ElementBits(b, element, part);
    if (bits_a == bits_b) continue;
    if (!IsFloat(kind)) return Gap::kVisible;
    const double x = DecodeFloat(kind, bits_a), y = DecodeFloat(kind, bits_b);
    if (x == y || (std::isnan(x) && std::isnan(y))) continue;
    if (!(std::abs(x - y) <= kMostRounding * std::max(std::abs(x), std::abs(y)))) return Gap::kVisible;
    most = Gap::kRounding;
  }
  return most;
}

std::optional<ShownElement> MostVisible(const Tensor& a, const Tensor& b) {
  const auto first = FirstDifference(a, b);
  if (!first) return std::nullopt;
  ShownElement most{*first, GapOf(a, b, *first)};
  const bool one = a.splat() && b.splat();
  for (uint64_t i = *first + 1; i < a.count() && !one && most.gap != Gap::kVisible; ++i)
    if (const Gap gap = GapOf(a, b, i); gap > most.gap) most = {i, gap};
  return most;
}

std::string DifferenceText(const std::string& what, const Tensor& a, const Tensor& b, uint64_t at,
                           std::span<const Tensor> args) {
  std::string count;
  if (a.count() > 1) {
    uint64_t n = 0;
    for (uint64_t i = 0; i < a.count(); ++i) n += std::memcmp(a.at(i), b.at(i), a.element().bytes()) != 0;
    count = StrFormat("; {} of {} differ{}", n, Count(a.count(), "element"), n == 1 ? "s" : "");
  }
  return StrFormat("{} differs at {}: {} in the first program, {} in the second{}{}", what,
                   IndexString(a.type(), at), Bits(a, at), Bits(b, at), count,
                   ArgumentsText(args, std::make_pair(&a.type(), at)));
}

std::string ArgumentsText(std::span<const Tensor> args,
                          std::optional<std::pair<const ValueType*, uint64_t>> where) {
  std::string out;
  for (size_t i = 0; i < args.size(); ++i) {
    if (!args[i].type().is_tensor()) continue;
    out += StrFormat("{}%arg{} = ", out.empty() ? "; for " : ", ", i);
    const bool large = args[i].count() > kShownElements && !args[i].splat();
    if (const auto sparse = large ? PrintSparse(args[i], kShownElements / 2) : std::nullopt)
      out += *sparse;
    else if (large && where && args[i].type().shape == where->first->shape)
      out += StrFormat("{} at that index", Bits(args[i], where->second));
    else
      out += PrintTensor(args[i], kShownElements);
  }
  return out;
}

}  // namespace shlo
