#include "serialize/mlirbc/affine.h"

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <limits>
#include <numeric>
#include <vector>

#include "base/format.h"
#include "base/stack.h"
#include "serialize/mlirbc/out.h"

namespace shlo::mlirbc {
namespace {

enum Tag : uint8_t { kDim, kSymbol, kConstant, kAdd, kMul, kMod, kFloorDiv, kCeilDiv, kNumTags };
enum MapForm : uint8_t { kIdentity, kPermutation, kProjection, kAnyMap };

constexpr uint64_t kMaxNames = 128;  // dims, symbols: a few bytes with more of them would be a long text
constexpr int kMaxDepth = 200;       // of an expression
constexpr int64_t kAffineDynamic = std::numeric_limits<int64_t>::min();

// Nodes are in the order of the text or the bytes; operands are indices.
struct Expr {
  Tag tag;
  int64_t value = 0;  // index or constant
  int lhs = -1, rhs = -1;
  int depth = 0;  // of the operands below
};

struct Affine {
  uint64_t dims = 0, symbols = 0;
  std::vector<Expr> nodes;
  std::vector<int> results;
  std::vector<bool> equal;  // of constraints

  const Expr& at(int i) const { return nodes[size_t(i)]; }
  // -1 where the expression would be too deep.
  int Add(Expr expr) {
    if (expr.lhs >= 0) expr.depth = 1 + std::max(at(expr.lhs).depth, at(expr.rhs).depth);
    if (expr.depth > kMaxDepth) return -1;
    nodes.push_back(expr);
    return int(nodes.size()) - 1;
  }
  bool IsConstant(int i) const { return at(i).tag == kConstant; }
};

// --- Simplification -------------------------------------------------------------------------------

// Builds expressions as MLIR does, which simplifies each when it is made. -1 means none: one that is
// too deep, or whose constants overflow.
class Simplifier {
 public:
  explicit Simplifier(Affine* affine) : a_(*affine) {}

  int Constant(int64_t value) { return a_.Add({kConstant, value}); }
  int Make(Tag tag, int lhs, int rhs) {
    if (lhs < 0 || rhs < 0) return -1;
    CheckStack();
    switch (tag) {
      case kAdd:
        return Sum(lhs, rhs);
      case kMul:
        return Product(lhs, rhs);
      default:
        return Quotient(tag, lhs, rhs);
    }
  }

 private:
  bool IsConstant(int i) const { return a_.IsConstant(i); }
  int64_t ValueOf(int i) const { return a_.at(i).value; }
  // Returns whether an expression is a sum or product whose second operand is a constant.
  bool EndsWithConstant(int i, Tag tag) const { return a_.at(i).tag == tag && IsConstant(a_.at(i).rhs); }
  bool HasNoDims(int i) const {
    CheckStack();
    const Expr& e = a_.at(i);
    return e.tag != kDim && (e.lhs < 0 || (HasNoDims(e.lhs) && HasNoDims(e.rhs)));
  }
  bool Same(int i, int k) const {
    CheckStack();
    const Expr &x = a_.at(i), &y = a_.at(k);
    return i == k || (x.tag == y.tag && x.value == y.value && (x.lhs < 0) == (y.lhs < 0) &&
                      (x.lhs < 0 || (Same(x.lhs, y.lhs) && Same(x.rhs, y.rhs))));
  }
  // Returns a number that divides the value of an expression; 0 for the constant 0.
  int64_t Divisor(int i) const {
    CheckStack();
    const Expr& e = a_.at(i);
    if (e.tag == kConstant) return e.value == kAffineDynamic ? 1 : std::abs(e.value);
    if (e.tag <= kSymbol) return 1;
    const int64_t lhs = Divisor(e.lhs), rhs = Divisor(e.rhs);
    int64_t product;
    switch (e.tag) {
      case kMul:
        return __builtin_mul_overflow(lhs, rhs, &product) ? 1 : product;
      case kAdd:
      case kMod:
        return std::gcd(lhs, rhs);
      default:
        return IsConstant(e.rhs) && rhs != 0 && lhs % rhs == 0 ? lhs / rhs : 1;
    }
  }
  int Fold(Tag tag, int64_t x, int64_t y) {
    int64_t value = 0;
    if (tag == kAdd ? __builtin_add_overflow(x, y, &value) : __builtin_mul_overflow(x, y, &value)) return -1;
    return Constant(value);
  }

  int Sum(int lhs, int rhs) {
    if (IsConstant(lhs) && IsConstant(rhs)) return Fold(kAdd, ValueOf(lhs), ValueOf(rhs));
    if (IsConstant(lhs) || (HasNoDims(lhs) && !HasNoDims(rhs))) return Sum(rhs, lhs);
    if (IsConstant(rhs) && ValueOf(rhs) == 0) return lhs;
    const Tag tag = a_.at(lhs).tag;
    if (tag <= kSymbol && tag == a_.at(rhs).tag && ValueOf(lhs) > ValueOf(rhs)) return Sum(rhs, lhs);
    if (EndsWithConstant(lhs, kAdd) && IsConstant(rhs))
      return Make(kAdd, a_.at(lhs).lhs, Fold(kAdd, ValueOf(a_.at(lhs).rhs), ValueOf(rhs)));
    // Two multiples of one expression.
    const auto term = [&](int i, int64_t* factor) {
      *factor = EndsWithConstant(i, kMul) ? ValueOf(a_.at(i).rhs) : 1;
      return EndsWithConstant(i, kMul) ? a_.at(i).lhs : i;
    };
    int64_t x, y;
    const int first = term(lhs, &x), second = term(rhs, &y);
    if (Same(first, second)) return Make(kMul, first, Fold(kAdd, x, y));
    // Constants come last.
    if (EndsWithConstant(lhs, kAdd)) return Make(kAdd, Make(kAdd, a_.at(lhs).lhs, rhs), a_.at(lhs).rhs);
    return Remainder(lhs, rhs);
  }
  // e - (e floordiv q) * q is e mod q.
  int Remainder(int lhs, int rhs) {
    const int plain = a_.Add({kAdd, 0, lhs, rhs});
    if (a_.at(rhs).tag != kMul) return plain;
    int quotient = a_.at(rhs).lhs, divisor = a_.at(rhs).rhs;
    if (IsConstant(divisor) && ValueOf(divisor) == -1 && a_.at(quotient).tag == kMul) {
      divisor = a_.at(quotient).rhs;
      quotient = a_.at(quotient).lhs;
    } else if (IsConstant(divisor) && ValueOf(divisor) != kAffineDynamic) {
      divisor = Constant(-ValueOf(divisor));
    } else {
      return plain;
    }
    const Expr& e = a_.at(quotient);
    return e.tag == kFloorDiv && Same(e.lhs, lhs) && Same(e.rhs, divisor) ? Make(kMod, lhs, divisor) : plain;
  }
  int Product(int lhs, int rhs) {
    if (IsConstant(lhs) && IsConstant(rhs)) return Fold(kMul, ValueOf(lhs), ValueOf(rhs));
    if (IsConstant(lhs) || (!HasNoDims(rhs) && HasNoDims(lhs))) return Product(rhs, lhs);
    if (IsConstant(rhs) && ValueOf(rhs) == 1) return lhs;
    if (IsConstant(rhs) && ValueOf(rhs) == 0) return rhs;
    if (EndsWithConstant(lhs, kMul)) {
      const Expr e = a_.at(lhs);
      return IsConstant(rhs) ? Make(kMul, e.lhs, Fold(kMul, ValueOf(e.rhs), ValueOf(rhs)))
                             : Make(kMul, Make(kMul, e.lhs, rhs), e.rhs);
    }
    return a_.Add({kMul, 0, lhs, rhs});
  }
  int Quotient(Tag tag, int lhs, int rhs) {
    const int plain = a_.Add({tag, 0, lhs, rhs});
    if (!IsConstant(rhs) || ValueOf(rhs) < 1) return plain;
    const int64_t by = ValueOf(rhs);
    if (IsConstant(lhs)) {
      const int64_t value = ValueOf(lhs), floor = value / by - (value % by < 0);
      return Constant(tag == kMod        ? value - floor * by
                      : tag == kFloorDiv ? floor
                                         : floor + (value % by != 0));
    }
    const Expr e = a_.at(lhs);
    if (tag == kMod) {
      if (Divisor(lhs) % by == 0) return Constant(0);
      if (e.tag == kAdd && Divisor(e.lhs) % by == 0) return Make(kMod, e.rhs, rhs);
      if (e.tag == kAdd && Divisor(e.rhs) % by == 0) return Make(kMod, e.lhs, rhs);
      if (e.tag == kMod && IsConstant(e.rhs) && ValueOf(e.rhs) >= 1 && ValueOf(e.rhs) % by == 0)
        return Make(kMod, e.lhs, rhs);
      return plain;
    }
    if (by == 1) return lhs;
    if (EndsWithConstant(lhs, kMul) && ValueOf(e.rhs) % by == 0)
      return Make(kMul, e.lhs, Constant(ValueOf(e.rhs) / by));
    if (tag == kFloorDiv && e.tag == kAdd && (Divisor(e.lhs) % by == 0 || Divisor(e.rhs) % by == 0))
      return Make(kAdd, Make(kFloorDiv, e.lhs, rhs), Make(kFloorDiv, e.rhs, rhs));
    return plain;
  }

  Affine& a_;
};

// --- Printing, in the spelling of MLIR ------------------------------------------------------------

class Printer {
 public:
  explicit Printer(const Affine& affine) : a_(affine) {}

  std::string Take() && { return std::move(out_); }

  void Names() {
    out_ += '(';
    List(a_.dims, [&](uint64_t i) { out_ += StrFormat("d{}", i); });
    out_ += ')';
    if (!a_.symbols) return;
    out_ += '[';
    List(a_.symbols, [&](uint64_t i) { out_ += StrFormat("s{}", i); });
    out_ += ']';
  }
  void Results() {
    out_ += " -> (";
    List(a_.results.size(), [&](uint64_t i) { Print(a_.results[i], false); });
    out_ += ')';
  }
  void Constraints() {
    out_ += " : (";
    List(a_.results.size(), [&](uint64_t i) {
      Print(a_.results[i], false);
      out_ += a_.equal[i] ? " == 0" : " >= 0";
    });
    out_ += ')';
  }

 private:
  template <typename Fn>
  void List(uint64_t count, Fn&& item) {
    for (uint64_t i = 0; i < count; ++i) {
      if (i) out_ += ", ";
      item(i);
    }
  }
  // `tight`: the operand of an operator that binds, so that operators need parentheses.
  void Print(int index, bool tight) {
    CheckStack();
    const Expr& e = a_.at(index);
    switch (e.tag) {
      case kDim:
      case kSymbol:
        out_ += StrFormat("{}{}", e.tag == kDim ? 'd' : 's', e.value);
        return;
      case kConstant:
        out_ += StrFormat("{}", e.value);
        return;
      default:
        break;
    }
    if (tight) out_ += '(';
    e.tag == kAdd ? PrintSum(e) : PrintProduct(e);
    if (tight) out_ += ')';
  }
  void PrintProduct(const Expr& e) {
    constexpr std::string_view kSpelling[kNumTags] = {"",    "",      "",           "",
                                                      " * ", " mod ", " floordiv ", " ceildiv "};
    if (e.tag == kMul && a_.IsConstant(e.rhs) && a_.at(e.rhs).value == -1) {
      out_ += '-';
      return Print(e.lhs, true);
    }
    Print(e.lhs, true);
    out_ += kSpelling[e.tag];
    Print(e.rhs, true);
  }
  // Prints terms that are negative, or have a negative factor, as subtractions.
  void PrintSum(const Expr& e) {
    Print(e.lhs, false);
    const Expr& rhs = a_.at(e.rhs);
    const auto minus = [&](int64_t value) { return uint64_t(0) - uint64_t(value); };
    if (rhs.tag == kMul && a_.IsConstant(rhs.rhs) && a_.at(rhs.rhs).value < 0) {
      const int64_t factor = a_.at(rhs.rhs).value;
      out_ += " - ";
      if (factor == -1) return Print(rhs.lhs, a_.at(rhs.lhs).tag == kAdd);
      Print(rhs.lhs, true);
      out_ += StrFormat(" * {}", minus(factor));
    } else if (rhs.tag == kConstant && rhs.value < 0) {
      out_ += StrFormat(" - {}", minus(rhs.value));
    } else {
      out_ += " + ";
      Print(e.rhs, false);
    }
  }

  const Affine& a_;
  std::string out_;
};

// --- Reading bytes --------------------------------------------------------------------------------

class ByteReader {
 public:
  ByteReader(InCursor& cursor, Affine* affine) : c_(cursor), a_(*affine) {}

  bool Map() {
    const uint64_t head = c_.Varint();
    const uint64_t form = head & 3;
    a_.dims = head >> 2;
    if (form == kAnyMap) a_.symbols = c_.Varint();
    if (!CheckNames()) return false;
    const uint64_t count = form == kIdentity || form == kPermutation ? a_.dims : c_.Count("result");
    for (uint64_t i = 0; i < count && c_.ok(); ++i) {
      const int result = form == kIdentity ? a_.Add({kDim, int64_t(i)})
                         : form == kAnyMap ? Read(0)
                                           : a_.Add({kDim, int64_t(c_.Index(a_.dims, "dimension"))});
      a_.results.push_back(result);
    }
    return c_.ok();
  }
  bool Set() {
    a_.dims = c_.Varint();
    a_.symbols = c_.Varint();
    if (!CheckNames()) return false;
    const uint64_t count = c_.Count("constraint", 3);
    for (uint64_t i = 0; i < count && c_.ok(); ++i) a_.results.push_back(Read(0));
    for (uint64_t i = 0; i < count && c_.ok(); ++i) {
      const uint8_t equal = c_.Byte();
      if (equal > 1) return c_.Fail("a constraint is neither == 0 nor >= 0");
      a_.equal.push_back(equal != 0);
    }
    return c_.ok();
  }

 private:
  bool CheckNames() {
    if (a_.dims <= kMaxNames && a_.symbols <= kMaxNames) return c_.ok();
    return c_.Fail(StrFormat("an affine map or set has {} dimensions and {} symbols; the limit is {} each",
                             a_.dims, a_.symbols, kMaxNames),
                   Code::kLimit);
  }
  int Read(int depth) {
    CheckStack();
    if (depth > kMaxDepth) {
      c_.Fail(StrFormat("an affine expression is nested more than {} levels deep", kMaxDepth), Code::kLimit);
      return -1;
    }
    const uint64_t tag = c_.Varint();
    switch (tag) {
      case kDim:
        return a_.Add({kDim, int64_t(c_.Index(a_.dims, "dimension"))});
      case kSymbol:
        return a_.Add({kSymbol, int64_t(c_.Index(a_.symbols, "symbol"))});
      case kConstant:
        return a_.Add({kConstant, c_.SignedVarint()});
      default:
        break;
    }
    if (tag >= kNumTags) {
      c_.Fail(StrFormat("affine expressions have no operator {}", tag));
      return -1;
    }
    const int lhs = Read(depth + 1);
    if (!c_.ok()) return -1;
    const int rhs = Read(depth + 1);
    return c_.ok() ? a_.Add({Tag(tag), 0, lhs, rhs}) : -1;
  }

  InCursor& c_;
  Affine& a_;
};

// --- Reading text ---------------------------------------------------------------------------------

// Reads the spelling that Printer writes and the text reader keeps; rejects any other.
class TextReader {
 public:
  TextReader(std::string_view text, Affine* affine) : rest_(text), a_(*affine) {}

  bool Map() { return Names() && Eat("->") && Eat("(") && Items(false); }
  bool Set() { return Names() && Eat(":") && Eat("(") && Items(true); }

  // "[1, ?], offset: 2", without the offset where it is 0.
  bool Strided(int64_t* offset, std::vector<int64_t>* strides) {
    if (!Eat("[")) return false;
    if (!Eat("]")) {
      do {
        if (!NumberOrDynamic(&strides->emplace_back())) return false;
      } while (Eat(","));
      if (!Eat("]")) return false;
    }
    *offset = 0;
    if (!Eat(",")) return AtEnd();
    return Eat("offset") && Eat(":") && NumberOrDynamic(offset) && AtEnd();
  }

 private:
  void Skip() { rest_.remove_prefix(std::min(rest_.find_first_not_of(' '), rest_.size())); }
  bool AtEnd() { return Skip(), rest_.empty(); }
  bool Eat(std::string_view token) {
    Skip();
    if (!rest_.starts_with(token)) return false;
    rest_.remove_prefix(token.size());
    return true;
  }
  bool Number(int64_t* value) {
    Skip();
    const auto [end, error] = std::from_chars(rest_.data(), rest_.data() + rest_.size(), *value);
    if (error != std::errc()) return false;
    rest_.remove_prefix(size_t(end - rest_.data()));
    return true;
  }
  bool NumberOrDynamic(int64_t* value) {
    if (!Eat("?")) return Number(value) && *value != kAffineDynamic;
    *value = kAffineDynamic;
    return true;
  }
  // "d0, d1" or "s0, s1", numbered in order, and what ends them.
  bool NameList(char letter, std::string_view end, uint64_t* count) {
    if (Eat(end)) return true;
    do {
      int64_t number = 0;
      if (!Eat(std::string_view(&letter, 1)) || !Number(&number) || uint64_t(number) != (*count)++)
        return false;
    } while (Eat(","));
    return *count <= kMaxNames && Eat(end);
  }
  bool Names() {
    return Eat("(") && NameList('d', ")", &a_.dims) && (!Eat("[") || NameList('s', "]", &a_.symbols));
  }
  bool Items(bool constraints) {
    if (Eat(")")) return AtEnd();
    do {
      const int result = Sum(0);
      if (result < 0) return false;
      a_.results.push_back(result);
      if (!constraints) continue;
      const bool equal = Eat("==");
      int64_t zero = 0;
      if ((!equal && !Eat(">=")) || !Number(&zero) || zero != 0) return false;
      a_.equal.push_back(equal);
    } while (Eat(","));
    return Eat(")") && AtEnd();
  }
  int Sum(int depth) {
    int lhs = Product(depth);
    while (lhs >= 0) {
      const bool minus = !rest_.starts_with("->") && Eat("-");
      if (!minus && !Eat("+")) break;
      int rhs = Product(depth);
      if (minus) rhs = make_.Make(kMul, rhs, make_.Constant(-1));
      lhs = make_.Make(kAdd, lhs, rhs);
    }
    return lhs;
  }
  int Product(int depth) {
    int lhs = Operand(depth);
    while (lhs >= 0) {
      const Tag tag = Eat("*")          ? kMul
                      : Eat("mod")      ? kMod
                      : Eat("floordiv") ? kFloorDiv
                      : Eat("ceildiv")  ? kCeilDiv
                                        : kNumTags;
      if (tag == kNumTags) break;
      lhs = make_.Make(tag, lhs, Operand(depth));
    }
    return lhs;
  }
  int Operand(int depth) {
    CheckStack();
    if (depth > kMaxDepth) return -1;
    if (Eat("-")) {
      return make_.Make(kMul, Operand(depth + 1), make_.Constant(-1));
    }
    if (Eat("(")) {
      const int inner = Sum(depth + 1);
      return inner >= 0 && Eat(")") ? inner : -1;
    }
    const Tag tag = Eat("d") ? kDim : Eat("s") ? kSymbol : kConstant;
    int64_t value = 0;
    if (!Number(&value)) return -1;
    if (tag != kConstant && uint64_t(value) >= (tag == kDim ? a_.dims : a_.symbols)) return -1;
    return a_.Add({tag, value});
  }
  std::string_view rest_;
  Affine& a_;
  Simplifier make_{&a_};
};

// --- Writing bytes --------------------------------------------------------------------------------

void WriteExpr(const Affine& a, int index, BytesOut* out) {
  CheckStack();
  const Expr& e = a.at(index);
  out->Varint(e.tag);
  if (e.tag == kConstant) return out->SignedVarint(e.value);
  if (e.tag <= kSymbol) return out->Varint(uint64_t(e.value));
  WriteExpr(a, e.lhs, out);
  WriteExpr(a, e.rhs, out);
}

MapForm FormOf(const Affine& a) {
  if (a.symbols) return kAnyMap;
  std::vector<bool> seen(a.dims);
  bool identity = a.results.size() == a.dims;
  for (size_t i = 0; i < a.results.size(); ++i) {
    const Expr& e = a.at(a.results[i]);
    if (e.tag != kDim || seen[size_t(e.value)]) return kAnyMap;
    seen[size_t(e.value)] = true;
    identity &= e.value == int64_t(i);
  }
  if (identity) return kIdentity;
  return a.results.size() == a.dims ? kPermutation : kProjection;
}

void WriteMap(const Affine& a, BytesOut* out) {
  const MapForm form = FormOf(a);
  out->Varint(a.dims << 2 | form);
  if (form == kIdentity) return;
  if (form == kAnyMap) out->Varint(a.symbols);
  if (form != kPermutation) out->Varint(a.results.size());
  for (int result : a.results) {
    if (form == kAnyMap)
      WriteExpr(a, result, out);
    else
      out->Varint(uint64_t(a.at(result).value));
  }
}

void WriteSet(const Affine& a, BytesOut* out) {
  out->Varint(a.dims);
  out->Varint(a.symbols);
  out->Varint(a.results.size());
  for (int result : a.results) WriteExpr(a, result, out);
  for (bool equal : a.equal) out->Byte(equal);
}

std::string Spelled(int64_t size) { return size == kAffineDynamic ? "?" : StrFormat("{}", size); }

}  // namespace

bool IsAffine(AttrKind kind) {
  return kind == AttrKind::kAffineMap || kind == AttrKind::kIntegerSet || kind == AttrKind::kStridedLayout;
}

bool ReadAffine(InCursor& c, AttrKind kind, std::string* text) {
  if (kind == AttrKind::kStridedLayout) {
    const int64_t offset = c.SignedVarint();
    *text = "[";
    const uint64_t count = c.Count("stride");
    for (uint64_t i = 0; i < count && c.ok(); ++i) *text += (i ? ", " : "") + Spelled(c.SignedVarint());
    *text += ']';
    if (offset) *text += ", offset: " + Spelled(offset);
    return c.ok();
  }
  Affine affine;
  const bool map = kind == AttrKind::kAffineMap;
  ByteReader reader(c, &affine);
  if (!(map ? reader.Map() : reader.Set())) return false;
  Printer printer(affine);
  printer.Names();
  map ? printer.Results() : printer.Constraints();
  *text = std::move(printer).Take();
  return true;
}

std::string SimplifyAffine(AttrKind kind, std::string_view text) {
  Affine affine;
  TextReader reader(text, &affine);
  const bool map = kind == AttrKind::kAffineMap;
  if (kind == AttrKind::kStridedLayout || !(map ? reader.Map() : reader.Set())) return std::string(text);
  Printer printer(affine);
  printer.Names();
  map ? printer.Results() : printer.Constraints();
  return std::move(printer).Take();
}

std::optional<std::string> EncodeAffine(AttrKind kind, std::string_view text) {
  BytesOut out;
  Affine affine;
  TextReader reader(text, &affine);
  if (kind == AttrKind::kStridedLayout) {
    int64_t offset = 0;
    std::vector<int64_t> strides;
    if (!reader.Strided(&offset, &strides)) return std::nullopt;
    out.SignedVarint(offset);
    out.Varint(strides.size());
    for (int64_t stride : strides) out.SignedVarint(stride);
  } else if (kind == AttrKind::kAffineMap) {
    if (!reader.Map()) return std::nullopt;
    WriteMap(affine, &out);
  } else {
    if (!reader.Set()) return std::nullopt;
    WriteSet(affine, &out);
  }
  return std::string(out.small_bytes());
}

}  // namespace shlo::mlirbc
