#include "prove/difference_text.h"

#include "ir/format.h"
#include "ir/printable.h"
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

std::string DifferenceText(const std::string& what, const Tensor& a, const Tensor& b, uint64_t at,
                           std::span<const Tensor> args) {
  return StrFormat("{} differs at {}: {} in the first program, {} in the second{}", what,
                   IndexString(a.type(), at), Bits(a, at), Bits(b, at),
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
