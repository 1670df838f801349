// Numbers of MLIR's dialects arith and index: scalars, and tensors element by element. Integers have no sign;
// the op says how it reads them. An index has 64 bits. Where MLIR leaves a result undefined (a division by
// zero, a shift by too much), it is that of the like op of StableHLO.
#include <bit>
#include <cmath>

#include "base/deadline.h"
#include "base/format.h"
#include "eval/kernel/kernel_args.h"
#include "eval/kernel/move_elements.h"
#include "eval/kernels/kernels.h"
#include "ir/table/float_format.h"

namespace shlo {
namespace {

using U128 = unsigned __int128;

// The operands of a function of integers: zero-extended, and sign-extended.
struct Word {
  uint64_t u = 0;
  int64_t s = 0;
};
Word WordOf(uint64_t bits, int width) {
  const int unused = 64 - width;
  return {bits, int64_t(bits << unused) >> unused};
}

// The result; bits above the width of its type are dropped.
using OfWords = uint64_t (*)(Word a, Word b, int width);

uint64_t Divided(Word a, Word b, int width) {
  if (b.s == 0) return ~uint64_t(0);
  return b.s == -1 ? 0 - a.u : uint64_t(a.s / b.s) & (~uint64_t(0) >> (64 - width));
}
uint64_t Remainder(Word a, Word b, int) { return b.s == 0 ? a.u : b.s == -1 ? 0 : uint64_t(a.s % b.s); }
// The quotient rounded down, or up.
uint64_t Rounded(Word a, Word b, int width, bool up) {
  if (b.s == 0) return ~uint64_t(0);
  const bool exact = Remainder(a, b, width) == 0, negative = (a.s < 0) != (b.s < 0);
  return Divided(a, b, width) + (exact || negative == up ? 0 : up ? 1 : ~uint64_t(0));
}

constexpr struct WordRow {
  std::string_view arith, index;  // names in the two dialects
  OfWords low, high = nullptr;    // the result, and the second one
} kWordRows[] = {
    {"addi", "add", [](Word a, Word b, int) { return a.u + b.u; }},
    {"subi", "sub", [](Word a, Word b, int) { return a.u - b.u; }},
    {"muli", "mul", [](Word a, Word b, int) { return a.u * b.u; }},
    {"divsi", "divs", Divided},
    {"divui", "divu", [](Word a, Word b, int) { return b.u == 0 ? ~uint64_t(0) : a.u / b.u; }},
    {"ceildivsi", "ceildivs", [](Word a, Word b, int width) { return Rounded(a, b, width, true); }},
    {"floordivsi", "floordivs", [](Word a, Word b, int width) { return Rounded(a, b, width, false); }},
    {"ceildivui", "ceildivu",
     [](Word a, Word b, int) { return b.u == 0 ? ~uint64_t(0) : a.u / b.u + (a.u % b.u != 0); }},
    {"remsi", "rems", Remainder},
    {"remui", "remu", [](Word a, Word b, int) { return b.u == 0 ? a.u : a.u % b.u; }},
    {"maxsi", "maxs", [](Word a, Word b, int) { return a.s > b.s ? a.u : b.u; }},
    {"maxui", "maxu", [](Word a, Word b, int) { return a.u > b.u ? a.u : b.u; }},
    {"minsi", "mins", [](Word a, Word b, int) { return a.s < b.s ? a.u : b.u; }},
    {"minui", "minu", [](Word a, Word b, int) { return a.u < b.u ? a.u : b.u; }},
    {"andi", "and", [](Word a, Word b, int) { return a.u & b.u; }},
    {"ori", "or", [](Word a, Word b, int) { return a.u | b.u; }},
    {"xori", "xor", [](Word a, Word b, int) { return a.u ^ b.u; }},
    {"shli", "shl", [](Word a, Word b, int width) { return b.u >= uint64_t(width) ? 0 : a.u << b.u; }},
    {"shrui", "shru", [](Word a, Word b, int width) { return b.u >= uint64_t(width) ? 0 : a.u >> b.u; }},
    {"shrsi", "shrs",
     [](Word a, Word b, int width) { return uint64_t(a.s >> std::min(b.u, uint64_t(width - 1))); }},
    {"addui_extended", "", [](Word a, Word b, int) { return a.u + b.u; },
     [](Word a, Word b, int width) { return uint64_t((U128(a.u) + b.u) >> width); }},
    {"subui_extended", "", [](Word a, Word b, int) { return a.u - b.u; },
     [](Word a, Word b, int) { return uint64_t(a.u < b.u); }},
    {"mului_extended", "", [](Word a, Word b, int) { return a.u * b.u; },
     [](Word a, Word b, int width) { return uint64_t(U128(a.u) * b.u >> width); }},
    {"mulsi_extended", "", [](Word a, Word b, int) { return a.u * b.u; },
     [](Word a, Word b, int width) { return uint64_t(__int128(a.s) * b.s >> width); }},
};

// Returns the name of an op without its dialect.
std::string_view ShortName(const KernelCall& call) {
  const std::string_view name = call.module.NameOf(call.op);
  return name.substr(name.find('.') + 1);
}

bool IsWord(ElementType element) { return element.is_integer() || element.is_bool(); }

// Checks that an op has this many operands, of one type, and results of their shape.
Status CheckAlike(const KernelCall& call, size_t operands, size_t results = 1) {
  SHLO_TRY(CheckArity(call, operands, results));
  for (const Tensor* operand : call.operands)
    if (operand->type() != call.operand(0).type())
      return Error(Code::kEvaluation, StrFormat("operand types differ: {} and {}",
                                                TypeName(call.operand(0).type()), TypeName(operand->type())));
  return {};
}

// Sets result `r`, of the shape of operand 0: of(i) has the bits of element i, of which those that the type
// has count. Splats stay splats.
template <typename Of>
Status PutElements(KernelCall& call, size_t r, Of of) {
  const DeclaredElement declared = SHLO_TRY(ElementOfResult(call, r));
  bool splat = call.operand(0).count() > 0;
  for (const Tensor* operand : call.operands) splat = splat && operand->splat();
  SHLO_TRY(AllocateResult(call, r, call.operand(0).type().shape, declared, splat));
  const uint64_t n = splat ? 1 : call.results[r].count();
  constexpr double kNanoseconds = 8;
  CountWork(call.host, double(n) * kNanoseconds);
  const size_t bytes = declared.element.bytes();
  const uint64_t mask = ~uint64_t(0) >> (64 - BitWidth(declared.element.kind));
  uint8_t* const out = call.results[r].mutable_data();
  for (uint64_t i = 0; i < n; ++i) {
    Tick();
    const uint64_t bits = of(i) & mask;
    std::memcpy(out + i * bytes, &bits, bytes);
  }
  return {};
}

Status NearestOnly(const KernelCall& call) {
  const int64_t mode = SHLO_TRY([&]() -> Result<int64_t> {
    const AttrId attr = call.module.AttributeOf(call.op, "roundingmode");
    int64_t value = 0;
    if (!attr || call.module.AsInteger(attr, &value)) return value;
    const auto opaque = call.module.As<OpaqueAttr>(attr);
    return opaque && call.module.strings[opaque->text].find("to_nearest_even") != std::string_view::npos ? 0
                                                                                                         : 1;
  }());
  if (mode == 0) return {};
  return Error(Code::kUnsupported, "only rounding to nearest, ties to even, is supported");
}

}  // namespace

// arith and index: functions of one or two integers.
Status EvaluateWords(KernelCall& call) {
  const std::string_view name = ShortName(call);
  const bool index = call.module.NameOf(call.op).starts_with("index.");
  const auto row = std::ranges::find(kWordRows, name, index ? &WordRow::index : &WordRow::arith);
  if (row == std::end(kWordRows)) return Invalid("unknown op");
  SHLO_TRY(CheckAlike(call, 2, row->high ? 2 : 1));
  const ElementType element = call.operand(0).element();
  if (!IsWord(element)) return NoMeaning(element);
  const int width = BitWidth(element.kind);
  const auto put = [&](size_t r, OfWords of) {
    return PutElements(call, r, [&](uint64_t i) {
      return of(WordOf(ElementBits(call.operand(0), i), width),
                WordOf(ElementBits(call.operand(1), i), width), width);
    });
  };
  SHLO_TRY(put(0, row->low));
  return row->high ? put(1, row->high) : Status();
}

namespace {

// The number of a predicate: an integer in arith, text in index ("#index<cmp_predicate slt>").
Result<int64_t> PredicateOf(const KernelCall& call) {
  constexpr std::string_view kNames[] = {"eq", "ne", "slt", "sle", "sgt", "sge", "ult", "ule", "ugt", "uge"};
  const bool index = call.module.NameOf(call.op).starts_with("index.");
  const AttrId attr = call.module.AttributeOf(call.op, index ? "pred" : "predicate");
  int64_t value = 0;
  if (attr && call.module.AsInteger(attr, &value)) return value;
  if (const auto opaque = attr ? call.module.As<OpaqueAttr>(attr) : std::nullopt) {
    std::string_view text = call.module.strings[opaque->text];
    while (!text.empty() && (text.back() == '>' || text.back() == ' ')) text.remove_suffix(1);
    text.remove_prefix(std::min(text.find_last_of(" <") + 1, text.size()));
    const auto found = std::ranges::find(kNames, text);
    if (found != std::end(kNames)) return found - std::begin(kNames);
  }
  return Invalid("missing predicate");
}

bool Compared(int64_t predicate, Word a, Word b) {
  switch (predicate) {
    case 0:
      return a.u == b.u;
    case 1:
      return a.u != b.u;
    case 2:
      return a.s < b.s;
    case 3:
      return a.s <= b.s;
    case 4:
      return a.s > b.s;
    case 5:
      return a.s >= b.s;
    case 6:
      return a.u < b.u;
    case 7:
      return a.u <= b.u;
    case 8:
      return a.u > b.u;
    default:
      return a.u >= b.u;
  }
}

}  // namespace

// arith.cmpi, index.cmp.
Status EvaluateCompareWords(KernelCall& call) {
  SHLO_TRY(CheckAlike(call, 2));
  const int64_t predicate = SHLO_TRY(PredicateOf(call));
  const ElementType element = call.operand(0).element();
  if (predicate < 0 || predicate > 9) return Invalid("unknown predicate");
  if (!IsWord(element)) return NoMeaning(element);
  const int width = BitWidth(element.kind);
  return PutElements(call, 0, [&](uint64_t i) {
    return uint64_t(Compared(predicate, WordOf(ElementBits(call.operand(0), i), width),
                             WordOf(ElementBits(call.operand(1), i), width)));
  });
}

namespace {

using OfFloats = double (*)(double a, double b);

// -0 is less than +0. `nan`: the result if one operand is NaN is NaN; otherwise, the other one.
double Extreme(double a, double b, bool greatest, bool nan) {
  if (std::isnan(a) || std::isnan(b)) return nan == std::isnan(a) ? a : b;
  if (a == b) return std::signbit(a) == greatest ? b : a;
  return (a > b) == greatest ? a : b;
}

// Exact results rounded to f64, and then to the type: see numeric/float_codec.h.
constexpr struct FloatRow {
  std::string_view name;
  OfFloats of;
} kFloatRows[] = {
    {"addf", [](double a, double b) { return a + b; }},
    {"subf", [](double a, double b) { return a - b; }},
    {"mulf", [](double a, double b) { return a * b; }},
    {"divf", [](double a, double b) { return a / b; }},
    {"remf", [](double a, double b) { return std::fmod(a, b); }},
    {"maximumf", [](double a, double b) { return Extreme(a, b, true, true); }},
    {"minimumf", [](double a, double b) { return Extreme(a, b, false, true); }},
    {"maxnumf", [](double a, double b) { return Extreme(a, b, true, false); }},
    {"minnumf", [](double a, double b) { return Extreme(a, b, false, false); }},
    {"negf", [](double a, double) { return -a; }},
    {"scaling_extf", [](double a, double b) { return a * b; }},
    {"scaling_truncf", [](double a, double b) { return a / b; }},
};

double FloatAt(const Tensor& tensor, uint64_t i) {
  return DecodeFloat(tensor.element().kind, ElementBits(tensor, i));
}

}  // namespace

// arith: functions of one or two floats.
Status EvaluateFloats(KernelCall& call) {
  const std::string_view name = ShortName(call);
  const auto row = std::ranges::find(kFloatRows, name, &FloatRow::name);
  if (row == std::end(kFloatRows)) return Invalid("unknown op");
  const bool scaled = name.starts_with("scaling_");
  const size_t arity = name == "negf" ? 1 : 2;
  SHLO_TRY(scaled ? CheckArity(call, 2) : CheckAlike(call, arity));
  SHLO_TRY(NearestOnly(call));
  const DeclaredElement declared = SHLO_TRY(ElementOfResult(call));
  for (const ElementType element :
       {call.operand(0).element(), call.operand(arity - 1).element(), declared.element})
    if (!element.is_float()) return NoMeaning(element);
  if (call.operand(arity - 1).type().shape != call.operand(0).type().shape)
    return Error(Code::kEvaluation, "operand shapes differ");
  return PutElements(call, 0, [&](uint64_t i) {
    const double value = row->of(FloatAt(call.operand(0), i), FloatAt(call.operand(arity - 1), i));
    return EncodeFloat(declared.element.kind, arity == 1 ? value : CanonicalNan(value));
  });
}

// arith.cmpf. The bits of a predicate from 0 to 15: equal, greater, less, and unordered.
Status EvaluateCompareFloats(KernelCall& call) {
  SHLO_TRY(CheckAlike(call, 2));
  const int64_t predicate = SHLO_TRY(PredicateOf(call));
  if (predicate < 0 || predicate > 15) return Invalid("unknown predicate");
  if (!call.operand(0).element().is_float()) return NoMeaning(call.operand(0).element());
  // In MLIR's order: false, oeq, ogt, oge, olt, ole, one, ord, ueq, ugt, uge, ult, ule, une, uno, true.
  constexpr uint8_t kCases[16] = {0, 1, 2, 3, 4, 5, 6, 7, 9, 10, 11, 12, 13, 14, 8, 15};
  const uint8_t cases = kCases[predicate];
  return PutElements(call, 0, [&](uint64_t i) {
    const double a = FloatAt(call.operand(0), i), b = FloatAt(call.operand(1), i);
    return uint64_t((cases & (a == b ? 1 : a > b ? 2 : a < b ? 4 : 8)) != 0);
  });
}

namespace {

// Converts an integer to a float, rounding once: to a narrower type through the f64 rounded to odd.
uint64_t FloatOf(TypeKind kind, bool negative, uint64_t magnitude) {
  double value = double(magnitude);
  if (BitWidth(kind) < 64) {
    const int cut = std::max(int(std::bit_width(magnitude)) - 53, 0);
    const uint64_t kept = magnitude >> cut;
    value = std::ldexp(double(kept | uint64_t((kept << cut) != magnitude)), cut);
  }
  return EncodeFloat(kind, negative ? -value : value);
}

// Rounds toward zero. A value out of range becomes the nearest one, and NaN 0.
uint64_t IntegerOf(double value, int width, bool is_signed) {
  if (std::isnan(value)) return 0;
  const double limit = std::ldexp(1.0, is_signed ? width - 1 : width);
  const uint64_t most = ~uint64_t(0) >> (is_signed ? 65 - width : 64 - width);
  if (value >= limit) return most;
  if (is_signed && value < -limit) return most + 1;
  if (!is_signed && value <= 0) return 0;
  return is_signed ? uint64_t(int64_t(value)) : uint64_t(value);
}

}  // namespace

// arith and index: casts, which read their operand as the name says.
Status EvaluateCast(KernelCall& call) {
  SHLO_TRY(CheckArity(call, 1));
  SHLO_TRY(NearestOnly(call));
  const std::string_view name = ShortName(call);
  const DeclaredElement declared = SHLO_TRY(ElementOfResult(call));
  const Tensor& operand = call.operand(0);
  const ElementType from = operand.element(), to = declared.element;
  if (from.complex || to.complex) return NoMeaning(from);
  const int width = BitWidth(from.kind), to_width = BitWidth(to.kind);
  if (name == "bitcast") {
    if (width != to_width) return Invalid("element type widths do not match");
    return PutElements(call, 0, [&](uint64_t i) { return ElementBits(operand, i); });
  }
  const bool is_unsigned =
      name == "extui" || name == "index_castui" || name == "castu" || name == "uitofp" || name == "fptoui";
  if (from.is_float() && to.is_float())
    return PutElements(call, 0, [&](uint64_t i) { return EncodeFloat(to.kind, FloatAt(operand, i)); });
  if (from.is_float())
    return PutElements(call, 0,
                       [&](uint64_t i) { return IntegerOf(FloatAt(operand, i), to_width, !is_unsigned); });
  return PutElements(call, 0, [&](uint64_t i) {
    const Word word = WordOf(ElementBits(operand, i), width);
    if (!to.is_float()) return is_unsigned ? word.u : uint64_t(word.s);
    const bool negative = !is_unsigned && word.s < 0;
    return FloatOf(to.kind, negative, negative ? 0 - uint64_t(word.s) : word.u);
  });
}

// arith.flush_denormals: zeros of the same sign for denormal numbers.
Status EvaluateFlushDenormals(KernelCall& call) {
  SHLO_TRY(CheckArity(call, 1));
  const FloatFormat* const format = FloatFormatOf(call.operand(0).element().kind);
  if (!format || !call.operand(0).element().is_float()) return NoMeaning(call.operand(0).element());
  const uint64_t exponent = ((uint64_t(1) << format->exponent_bits) - 1) << format->mantissa_bits;
  const uint64_t sign = format->is_signed() ? uint64_t(1) << (format->width - 1) : 0;
  return PutElements(call, 0, [&](uint64_t i) {
    const uint64_t bits = ElementBits(call.operand(0), i);
    // A format with one zero has its NaN in place of -0.
    const bool one_zero = format->flavor == FloatFormat::kFnuz || format->flavor == FloatFormat::kFnu;
    if ((bits & exponent) != 0 || !format->is_signed()) return bits;
    return one_zero ? (bits == sign ? bits : 0) : bits & sign;
  });
}

// index.sizeof: the bits of an index.
Status EvaluateSizeOfIndex(KernelCall& call) {
  SHLO_TRY(CheckArity(call, 0));
  SHLO_TRY(AllocateResult(call, 0, {}, DeclaredElement{{TypeKind::kIndex}, {}}));
  Store<int64_t>(call.results[0].mutable_data(), 0, 64);
  return {};
}

}  // namespace shlo
