// Builtin attributes and locations.
#include "serialize/text/reader_attrs.h"

#include <algorithm>
#include <bit>
#include <charconv>
#include <cmath>

#include "base/format.h"
#include "ir/print/attr_printer.h"
#include "ir/table/float_format.h"
#include "serialize/mlirbc/affine.h"

namespace shlo::text {

// Looks up constants, arrays and dialect attributes by their text first.
bool AttrReader::ReadAttr(AttrId* attr) {
  Nest nest(this);
  if (!nest) return false;
  const char ch = c_.Peek();
  const char* from = c_.p;
  size_t size = 0;
  if (ch == '[' || ch == '{' || ch == '#' || ch == 'a') {
    size = BracketedSize(from, c_.end);
    // An attribute of another dialect may continue with a type.
    if (ch == '#' && size && Cursor(from + size, c_.end).Peek() == ':') size = 0;
  } else if (ch == 'd') {  // dense<...> : tensor<...>
    size = BracketedSize(from, c_.end);
    const size_t type = size ? BracketedSize(from + size, c_.end) : 0;
    size = type ? size + type : 0;
  }
  if (!size) return ReadNewAttr(attr);
  const std::string_view text(from, size);
  auto& entry = attr_cache_[text];
  if (entry.Moves(text)) {
    *attr = entry.value;
    c_.p += size;
    return true;
  }
  if (!ReadNewAttr(attr)) return false;
  if (c_.p == from + size) entry.Set(text, *attr);
  return true;
}

bool AttrReader::ReadNewAttr(AttrId* attr) {
  const char ch = c_.Peek();
  switch (ch) {
    case '"': {
      std::string_view value;
      if (!ReadString(&value)) return false;
      if (c_.Peek() == ':' && c_.At(1) != ':') {
        ++c_.p;
        TypeId type;
        if (!ReadType(&type)) return false;
        if (m_.types.KindOf(type) == TypeKind::kNone) return *attr = m_.String(value), true;
        *attr = m_.Make(TypedStringAttr{.value = m_.strings.Intern(value), .type = type});
        return true;
      }
      *attr = m_.String(value);
      return true;
    }
    case '@':
      return ReadSymbolRef(attr);
    case '[':
      return ReadArrayAttr(attr);
    case '{':
      return ReadDictAttr(attr);
    case '#':
      return ReadHashAttr(attr);
    case '-':
      return ReadNumberAttr(attr);
    default:
      break;
  }
  if (Is(ch, kDigitChar)) return ReadNumberAttr(attr);
  if (Is(ch, kLetterChar)) return ReadWordAttr(attr);
  if (ch == '!' || ch == '(') {
    TypeId type;
    if (!ReadType(&type)) return false;
    *attr = m_.TypeAttr(type);
    return true;
  }
  return FailExpected("an attribute");
}

bool AttrReader::ReadWordAttr(AttrId* attr) {
  const Cursor before = c_;
  const std::string_view word = c_.Word();
  switch (word[0]) {
    case 't':
      if (word == "true") return *attr = m_.Bool(true), true;
      break;
    case 'f':
      if (word == "false") return *attr = m_.Bool(false), true;
      break;
    case 'u':
      if (word == "unit") return *attr = m_.Unit(), true;
      break;
    case 'd':
      if (word == "dense") return ReadDense(attr);
      if (word == "dense_resource") return ReadDenseResource(attr);
      if (word == "distinct") return ReadDistinct(attr);
      break;
    case 'a':
      if (word == "array") return ReadDenseArray(attr);
      if (word == "affine_map") return ReadOpaqueBody(AttrKind::kAffineMap, attr);
      if (word == "affine_set") return ReadOpaqueBody(AttrKind::kIntegerSet, attr);
      break;
    case 's':
      if (word == "sparse") return ReadSparse(attr);
      if (word == "strided") return ReadOpaqueBody(AttrKind::kStridedLayout, attr);
      break;
    case 'l':
      if (word == "loc") {
        c_ = before;
        return ReadLoc(attr);
      }
      break;
    default:
      break;
  }
  c_ = before;
  TypeId type;
  if (!ReadType(&type)) return false;
  *attr = m_.TypeAttr(type);
  return true;
}

bool AttrReader::ReadString(std::string_view* value) {
  const char* at = (c_.Skip(), c_.p);
  if (c_.Peek() != '"') return FailExpected("a string");
  RawText text;
  if (!c_.RawString(&text)) return Fail(at, "the string does not end on its line");
  *value = text.raw;
  if (!text.escaped) return true;
  unescaped_.emplace_back();
  if (!Unescape(*value, &unescaped_.back()))
    return Fail(at, "the string contains an unknown escape",
                "escapes are \\n, \\t, \\\", \\\\ and two hex digits");
  *value = unescaped_.back();
  return true;
}

bool AttrReader::ReadSymbol(std::string_view* name) {
  const char* at = (c_.Skip(), c_.p);
  if (!c_.Eat('@')) return FailExpected("a symbol, such as @main");
  if (c_.At(0) == '"') {
    return ReadString(name);  // also an empty one
  }
  *name = Is(c_.At(0), kLetterChar) ? c_.Word() : std::string_view();
  if (name->empty()) return Fail(at, "a symbol needs a name after '@'");
  return true;
}

bool AttrReader::ReadSymbolRef(AttrId* attr) {
  std::string_view name;
  if (!ReadSymbol(&name)) return false;
  const StringId root = m_.strings.Intern(name);
  std::vector<StringId> nested;
  while (c_.Peek() == ':' && c_.At(1) == ':') {
    c_.p += 2;
    if (!ReadSymbol(&name)) return false;
    nested.push_back(m_.strings.Intern(name));
  }
  *attr = m_.Make(SymbolRefAttr{.root = root, .nested = nested});
  return true;
}

bool AttrReader::ReadArrayAttr(AttrId* attr) {
  std::vector<AttrId> elements;
  if (!ReadList('[', "", ']', "after the elements of an array",
                [&] { return ReadAttr(&elements.emplace_back()); }))
    return false;
  *attr = m_.Array(elements);
  return true;
}

bool AttrReader::ReadOpaqueBody(AttrKind kind, AttrId* attr) {
  const char* at = (c_.Skip(), c_.p);
  if (c_.Peek() != '<') return FailExpected("'<'");
  if (!c_.SkipBalanced()) return Fail(at, "the brackets of the attribute do not match");
  const std::string_view body(at + 1, size_t(c_.p - at - 2));
  if (kind == AttrKind::kAffineMap)
    *attr =
        m_.Make(AffineMapAttr{.text = m_.strings.Intern(mlirbc::SimplifyAffine(kind, CanonicalMap(body)))});
  else if (kind == AttrKind::kIntegerSet)
    *attr =
        m_.Make(IntegerSetAttr{.text = m_.strings.Intern(mlirbc::SimplifyAffine(kind, CanonicalMap(body)))});
  else
    *attr = m_.Make(StridedLayoutAttr{.text = m_.strings.Intern(body)});
  return true;
}

bool AttrReader::ReadDistinct(AttrId* attr) {
  int64_t id;
  AttrId inner = m_.Unit();
  if (!Expect('[', "after 'distinct'") || !ReadInt64(&id) || !Expect(']', "after the id") ||
      !Expect('<', "before the attribute"))
    return false;
  if (!c_.Eat('>') && (!ReadAttr(&inner) || !Expect('>', "after the attribute"))) return false;
  *attr = m_.Make(DistinctAttr{.id = id, .attribute = inner});
  return true;
}

bool AttrReader::ReadHashAttr(AttrId* attr) {
  const char* at = c_.p++;
  const std::string_view name = c_.Name();
  if (name.empty()) return Fail(at, "an attribute needs a name after '#'");
  const size_t dot = name.find('.');
  if (dot == std::string_view::npos && c_.At(0) != '<') {
    Alias alias;
    if (!UseAlias({at, name.size() + 1}, at, &alias)) return false;
    *attr = alias.attr;
    return true;
  }
  const std::string_view dialect = name.substr(0, dot);
  return ReadDialectAttr(dialect, dot == std::string_view::npos ? "" : name.substr(dot + 1), at, attr);
}

// --- Numbers ----------------------------------------------------------------------------------------

bool AttrReader::IntegerShape(TypeId type, int* width, int* signedness) const {
  const auto node = m_.types[type];
  *signedness = 0;
  if (const auto integer = node.As<IntegerType>()) {
    *width = int(integer->width);
    *signedness = int(integer->signedness);
    return true;
  }
  if (node.kind == TypeKind::kIndex || IsSignlessInteger(node.kind) || IsUnsignedInteger(node.kind)) {
    *width = BitWidth(node.kind);
    if (IsUnsignedInteger(node.kind)) *signedness = 2;
    return true;
  }
  return false;
}

bool AttrReader::FailNumber(const Number& number, NumberIn in, int width, int signedness) {
  const bool attr = in == NumberIn::kAttr, array = in == NumberIn::kArray;
  if (number.real)
    return Fail(number.begin, attr    ? "floating point value not valid for specified type"
                              : array ? "expected integer literal"
                                      : "expected integer elements, but parsed floating-point");
  if (number.negative && signedness == 2 && !array)
    return Fail(number.begin, attr ? "negative integer literal not valid for unsigned integer type"
                                   : "expected unsigned integer elements, but parsed negative value");
  return Fail(number.begin,
              StrFormat("integer constant out of range{}", attr    ? " for attribute"
                                                           : array ? ""
                                                                   : " for type"),
              StrFormat("the type has {} bit{}", width, width == 1 ? "" : "s"));
}

// Returns the value modulo 2^width, not extended. Signless integers may be written signed or unsigned.
bool AttrReader::FitSmall(const Number& number, int width, int signedness, NumberIn in, uint64_t* value) {
  uint64_t magnitude;
  const uint64_t all = width == 64 ? ~0ull : (1ull << width) - 1;
  const uint64_t half = 1ull << (width - 1);
  bool fits = !number.real && SmallMagnitude(number, &magnitude);
  if (fits && number.negative)
    fits = magnitude != 0 && signedness != 2 && magnitude <= half;  // MLIR rejects -0
  else if (fits)
    fits = magnitude <= (signedness == 1 && !number.hex ? half - 1 : all);
  if (!fits) return FailNumber(number, in, width, signedness);
  *value = (number.negative ? 0 - magnitude : magnitude) & all;
  return true;
}

bool AttrReader::FitInteger(const Number& number, TypeId type, NumberIn in, std::vector<uint64_t>* limbs) {
  int width = 0, signedness = 0;
  if (!IntegerShape(type, &width, &signedness))
    return Fail(number.begin, "an integer must have an integer type");
  if (width <= 64) {
    uint64_t value;
    if (!FitSmall(number, width, signedness, in, &value)) return false;
    // Stored sign-extended; a boolean is 0 or 1.
    if (m_.types.KindOf(type) != TypeKind::kI1 && width < 64)
      value = uint64_t(int64_t(value << (64 - width)) >> (64 - width));
    limbs->assign(1, value);
    return true;
  }
  if (number.real) return FailNumber(number, in, width, signedness);
  if (!IntegerLimbs(number, limbs))
    return Fail(number.begin, "integer exceeds the limit of " + Count(kMaxIntegerDigits, "digit"), {},
                Code::kLimit);
  const size_t count = size_t(width + 63) / 64;
  // Bits of the magnitude, plus one for a sign.
  size_t bits = limbs->empty() ? 0 : limbs->size() * 64 - size_t(__builtin_clzll(limbs->back()));
  bool power_of_two = !limbs->empty() && (limbs->back() & (limbs->back() - 1)) == 0 &&
                      std::all_of(limbs->begin(), limbs->end() - 1, [](uint64_t l) { return l == 0; });
  const size_t limit = size_t(width);
  const bool fits = number.negative
                        ? bits != 0 && signedness != 2 && (bits < limit || (bits == limit && power_of_two))
                        : bits < limit || (bits == limit && (signedness != 1 || number.hex));
  if (!fits) return FailNumber(number, in, width, signedness);
  limbs->resize(count);
  if (number.negative) {
    uint64_t carry = 1;
    for (uint64_t& limb : *limbs) {
      limb = ~limb + carry;
      carry = carry && limb == 0;
    }
  }
  const int top_bits = width % 64;
  if (top_bits) limbs->back() = uint64_t(int64_t(limbs->back() << (64 - top_bits)) >> (64 - top_bits));
  return true;
}

bool AttrReader::IntegerAttr(const Number& number, TypeId type, AttrId* attr) {
  std::vector<uint64_t> limbs;
  if (!FitInteger(number, type, NumberIn::kAttr, &limbs)) return false;
  *attr = m_.Make(shlo::IntegerAttr{.type = type,
                                    .value = {reinterpret_cast<const int64_t*>(limbs.data()), limbs.size()}});
  return true;
}

namespace {

// Returns the bits of a double as f80 or f128, which represent every double exactly.
void Widen(double value, TypeKind kind, uint64_t* bits, uint64_t* high) {
  const uint64_t raw = std::bit_cast<uint64_t>(value);
  uint64_t fraction = raw << 12;  // without the leading one, at the top of the word
  uint64_t exponent = raw >> 52 & 0x7FF;
  const bool special = exponent == 0x7FF, zero = (raw << 1) == 0;
  if (exponent == 0 && !zero) {  // a denormal double is a normal number there
    const int shift = std::countl_zero(fraction) + 1;
    fraction = shift < 64 ? fraction << shift : 0;
    exponent = uint64_t(1 - shift);
  }
  exponent = special ? 0x7FFF : zero ? 0 : exponent + 16383 - 1023;
  const uint64_t sign_exponent = raw >> 63 << 15 | exponent;
  if (kind == TypeKind::kF80) {
    *bits = uint64_t(!zero) << 63 | fraction >> 1;
    *high = sign_exponent;
  } else {
    *bits = fraction << 48;
    *high = sign_exponent << 48 | fraction >> 16;
  }
}

}  // namespace

bool AttrReader::FloatBits(const Number& number, TypeKind kind, uint64_t* bits, uint64_t* high) {
  const int width = BitWidth(kind);
  *high = 0;
  if (number.hex) {
    std::vector<uint64_t> limbs;
    if (number.negative) return Fail(number.begin, "a hexadecimal bit pattern has no sign");
    if (!IntegerLimbs(number, &limbs))
      return Fail(number.begin, "bit pattern exceeds the limit of " + Count(kMaxIntegerDigits, "digit"), {},
                  Code::kLimit);
    limbs.resize(std::max<size_t>(limbs.size(), 2));
    const bool fits = limbs.size() == 2 && (width >= 64 || limbs[0] >> width == 0) &&
                      (width >= 128 || (width <= 64 ? limbs[1] == 0 : limbs[1] >> (width - 64) == 0));
    if (!fits)
      return Fail(number.begin, "the bit pattern does not fit in its type",
                  "the type has " + std::to_string(width) + " bits");
    *bits = limbs[0];
    *high = limbs[1];
    return true;
  }
  if (!number.real)
    return Fail(number.begin, "unexpected decimal integer literal for a floating point value",
                "add a decimal point, or write the bit pattern in hexadecimal");
  // As in MLIR: round to double, then to the type.
  double value = 0;
  const char* last = number.text.data() + number.text.size();
  const auto result = std::from_chars(number.text.data(), last, value);
  if (result.ec == std::errc::result_out_of_range) {
    // Underflow is zero, overflow is infinity. The exponent tells which.
    const size_t e = number.text.find_first_of("eE");
    const bool small = e != std::string_view::npos && e + 1 < number.text.size() && number.text[e + 1] == '-';
    const bool leading_zero = number.text.starts_with("0.");
    value = small || (leading_zero && e == std::string_view::npos) ? 0 : HUGE_VAL;
  }
  if (number.negative) value = -value;
  switch (kind) {
    case TypeKind::kF32:
      *bits = std::bit_cast<uint32_t>(float(value));
      break;
    case TypeKind::kF64:
      *bits = std::bit_cast<uint64_t>(value);
      break;
    case TypeKind::kF80:
    case TypeKind::kF128:
      Widen(value, kind, bits, high);
      break;
    default:
      *bits = EncodeFloat(kind, value);
  }
  return true;
}

bool AttrReader::FloatAttr(const Number& number, TypeId type, AttrId* attr) {
  const TypeKind kind = m_.types.KindOf(type);
  uint64_t bits, high;
  if (!FloatBits(number, kind, &bits, &high)) return false;
  const int64_t limbs[] = {int64_t(bits), int64_t(high)};
  *attr = m_.Make(shlo::FloatAttr{.type = type, .bits = {limbs, BitWidth(kind) > 64 ? 2u : 1u}});
  return true;
}

bool AttrReader::ReadNumberAttr(AttrId* attr) {
  Number number;
  if (!ReadNumber(c_, &number)) return FailExpected("a number");
  TypeId type;
  if (c_.Peek() == ':' && c_.At(1) != ':') {
    ++c_.p;
    if (!ReadType(&type)) return false;
  } else {
    type = m_.Type(number.real ? TypeKind::kF64 : TypeKind::kI64);
  }
  if (IsFloat(m_.types.KindOf(type))) return FloatAttr(number, type, attr);
  return IntegerAttr(number, type, attr);
}

bool AttrReader::ReadInt64(int64_t* value) {
  Number number;
  if (!ReadNumber(c_, &number)) return FailExpected("integer value");
  if (number.real) return Fail(number.begin, "expected integer value");
  uint64_t bits;
  if (!FitSmall(number, 64, 1, NumberIn::kAttr, &bits)) return false;
  *value = int64_t(bits);
  return true;
}

bool AttrReader::ReadDouble(double* value) {
  Number number;
  if (!ReadNumber(c_, &number)) return FailExpected("a number");
  if (!number.hex) number.real = true;  // "1" is accepted
  uint64_t bits, high;
  if (!FloatBits(number, TypeKind::kF64, &bits, &high)) return false;
  *value = std::bit_cast<double>(bits);
  return true;
}

// --- Locations --------------------------------------------------------------------------------------

bool AttrReader::ReadLoc(AttrId* attr) {
  if (!ExpectWord("loc") || !Expect('(', "after 'loc'")) return false;
  return ReadLocBody(attr) && Expect(')', "at the end of a location");
}

bool AttrReader::ReadOptionalLoc(AttrId* loc) {
  return c_.Peek() != 'l' || !c_.PeekWord("loc") || ReadLoc(loc);
}

bool AttrReader::ReadLocNumber(std::string_view what, int64_t* value) {
  const char* at = c_.p;
  Number number;
  uint64_t bits;
  if (!ReadNumber(c_, &number) || number.real || number.negative || !SmallMagnitude(number, &bits) ||
      bits > UINT32_MAX)
    return Fail(at, StrFormat("expected integer {} in FileLineColRange", what));
  *value = int64_t(bits);
  return true;
}

// Reads the inside of loc( ), or a location nested in another, which may have its own "loc( )".
bool AttrReader::ReadLocBody(AttrId* attr) {
  Nest nest(this);
  if (!nest) return false;
  const char ch = c_.Peek();
  const char* at = c_.p;
  if (ch == '#') {
    if (!ReadHashAttr(attr)) return false;
    return IsLocation(m_.attrs.KindOf(*attr)) || Fail(at, "the alias is not a location");
  }
  if (ch == '"') {
    std::string_view name;
    if (!ReadString(&name)) return false;
    StringId id = m_.strings.Intern(name);
    if (c_.Eat(':')) {
      if (name.empty()) id = m_.strings.Intern("-");  // MLIR's name of a file without a name
      int64_t line, column = 0;
      if (!ReadLocNumber("line number", &line)) return false;
      if (c_.Eat(':') && !ReadLocNumber("column number", &column)) return false;
      int64_t end_line = line, end_column = column;
      if (c_.EatWord("to")) {
        if (c_.Peek() != ':' && !ReadLocNumber("line number", &end_line)) return false;
        if (!Expect(':', "after the last line") || !ReadLocNumber("column number", &end_column)) return false;
      }
      if (line == end_line && column == end_column) {
        *attr = m_.Make(FileLineColLoc{.file = id, .line = line, .column = column});
        return true;
      }
      *attr = m_.Make(FileRangeLoc{.file = id,
                                   .start_line = line,
                                   .start_column = column,
                                   .end_line = end_line,
                                   .end_column = end_column});
      return true;
    }
    AttrId child;
    if (c_.Eat('(') && (!ReadLocBody(&child) || !Expect(')', "after the child location"))) return false;
    *attr = m_.Make(NameLoc{.name = id, .child = child});
    return true;
  }
  if (c_.EatWord("unknown")) {
    *attr = m_.Make(UnknownLoc{});
    return true;
  }
  if (c_.PeekWord("loc")) return ReadLoc(attr);
  if (c_.PeekWord("callsite"))
    return ReadAttrFields(AttrKind::kCallSiteLoc, TextOf(AttrKind::kCallSiteLoc).text, attr);
  if (c_.PeekWord("fused")) {
    FieldWriter words;
    if (!ReadByFormat(RowOf(AttrKind::kFusedLoc), TextOf(AttrKind::kFusedLoc).text, &words)) return false;
    const auto fused = Decode<FusedLoc>(words.words());
    *attr = m_.FusedLoc(fused.locations.ToVector(), fused.metadata);
    return true;
  }
  return FailExpected("a location");
}

}  // namespace shlo::text
