// Dense elements: lists, splats and hexadecimal, dense arrays, resources and sparse elements.
//
// The literal precedes its type, so the reader first finds its end, then reads the type, then the literal
// in the format of its elements. An element is ceil(width / 8) bytes, little-endian, with zeros above its
// width; a complex one has two parts.
#include <fmt/ranges.h>

#include <algorithm>
#include <bit>

#include "base/aligned_bytes.h"
#include "base/deadline.h"
#include "base/format.h"
#include "base/hex.h"
#include "serialize/bits.h"
#include "serialize/text/reader_attrs.h"
#include "shlo/types.h"

namespace shlo::text {
namespace {

constexpr size_t kCopyLimit = 4096;  // larger constants have their own memory

}  // namespace

bool AttrReader::FormatFor(TypeId element, ElementFormat* format) const {
  auto node = m_.types[element];
  *format = {};
  if (const auto complex = node.As<ComplexType>()) {
    format->complex = true;
    element = complex->element;
    node = m_.types[element];
  }
  format->kind = node.kind;
  format->type = element;
  if (IsFloat(node.kind)) {
    format->real = true;
    format->width = BitWidth(node.kind);
  } else if (!IntegerShape(element, &format->width, &format->signedness)) {
    return false;
  }
  // Elements of thousands of bits would let a short text allocate much memory.
  if (format->width > 4096) return false;
  format->bytes = size_t(format->width + 7) / 8;
  return true;
}

AttrId AttrReader::ElementsOf(TypeId type, std::string_view bytes, bool splat) {
  if (bytes.size() <= kCopyLimit) return m_.Elements(type, m_.payloads.AddCopy(bytes), splat);
  std::shared_ptr<uint8_t> copy = AllocateAligned(bytes.size());
  std::memcpy(copy.get(), bytes.data(), bytes.size());
  return m_.Elements(type, m_.payloads.AddView(copy.get(), bytes.size(), copy), splat);
}

bool AttrReader::ReadDense(AttrId* attr) {
  if (!Expect('<', "after 'dense'")) return false;
  c_.Skip();
  const Cursor body = c_;
  RawText literal;
  if (c_.Peek() == '"') {
    if (!c_.RawString(&literal)) return Fail(body.p, "the string does not end on its line");
    c_.Skip();
  } else {
    // Numbers contain no brackets; a comment or a string may.
    const void* close = std::memchr(c_.p, '>', c_.left());
    if (!close) return Fail(body.p, "'dense<' is not closed");
    const char* end = static_cast<const char*>(close);
    if (std::memchr(c_.p, '"', size_t(end - c_.p)) || std::memchr(c_.p, '/', size_t(end - c_.p))) {
      --c_.p;
      while (*c_.p != '<') --c_.p;
      if (!c_.SkipBalanced()) return Fail(body.p, "the brackets of the elements do not match");
      --c_.p;
    } else {
      c_.p = end;
    }
  }
  if (!Expect('>', "after the elements")) return false;
  const char* body_end = c_.p - 1;
  TypeId type, element;
  if (!Expect(':', "before the type of the elements")) return false;
  const char* type_at = (c_.Skip(), c_.p);
  if (!ReadType(&type)) return false;
  const Cursor after = c_;
  const ShapedType tensor(m_, type);
  if (!tensor.IsTensorOrVector()) return Fail(type_at, "dense elements must have a tensor or vector type");
  element = tensor.element;
  // Interning moves the words of types, so the shape is copied.
  const std::vector<int64_t> shape(tensor.shape.begin(), tensor.shape.end());
  uint64_t count;
  if (std::find(shape.begin(), shape.end(), kDynamic) != shape.end())
    return Fail(type_at, "elements literal type must have static shape");
  if (!Module::ElementCount(shape, &count)) return Fail(type_at, "number of elements is too large");

  c_ = Cursor(body.p, body_end);
  ElementFormat format;
  bool ok;
  if (!FormatFor(element, &format)) {
    ok = c_.Peek() == '"' || c_.Peek() == '[' || (c_.AtEnd() && count == 0)
             ? ReadStringElements(type, shape, attr)
             : Fail(type_at, "element type cannot be stored in dense elements");
  } else if (c_.Peek() == '"') {
    ok = ReadHexElements(format, literal, type, count, attr);
  } else {
    std::vector<uint8_t> bytes;
    bool splat = false;
    ok = ReadElements(format, shape, &bytes, &splat);
    if (ok) *attr = ElementsOf(type, {reinterpret_cast<const char*>(bytes.data()), bytes.size()}, splat);
  }
  if (ok && !c_.AtEnd()) ok = FailExpected("'>' after the elements");
  c_ = after;
  return ok;
}

// Reads a splat, a nested list in the given shape, or nothing if there are no elements.
bool AttrReader::ReadElements(const ElementFormat& format, std::span<const int64_t> shape,
                              std::vector<uint8_t>* bytes, bool* splat) {
  const char* at = c_.p;
  uint64_t count = 0;
  Module::ElementCount(shape, &count);
  if (c_.AtEnd()) return count == 0 || Fail(at, "the elements are missing");
  if (*c_.p != '[') {
    *splat = true;
    return ReadElement(format, bytes);
  }
  bytes->reserve(size_t(std::min<uint64_t>(count, c_.left())) * format.bytes * (format.complex ? 2 : 1));
  const size_t rank = shape.size();
  // Counts of the open lists, outermost first. Lengths are checked when a list closes, so that a message is
  // at the wrong list.
  std::vector<int64_t> open;
  do {
    Tick();
    while (c_.Eat('[')) {
      if (open.size() == rank && count != 0) return FailShape(at, c_.p - 1, shape);
      if (open.size() > options_.limits.max_depth)
        return Fail(c_.p, "nesting is deeper than the limit of " + std::to_string(options_.limits.max_depth),
                    "pass --max-depth to raise the limit", Code::kLimit);
      open.push_back(0);
    }
    if (c_.Peek() != ']') {
      if (count == 0 || open.size() < rank) return FailShape(at, c_.p, shape);
      // The innermost list is most of the text.
      do {
        if (!ReadElement(format, bytes)) return false;
        ++open.back();
      } while (c_.Eat(','));
    }
    while (!open.empty() && c_.Peek() == ']') {
      const size_t level = open.size() - 1;
      if (count != 0 && open.back() != shape[level]) return FailShape(at, c_.p, shape);
      ++c_.p;
      open.pop_back();
      if (!open.empty()) ++open.back();
    }
  } while (!open.empty() && c_.Eat(','));
  return open.empty() || FailExpected("',' or ']' in the elements");
}

// Reports the shape of the whole literal when one place in it is wrong.
bool AttrReader::FailShape(const char* literal, const char* at, std::span<const int64_t> shape) {
  std::vector<int64_t> inferred, open;
  size_t scalar_rank = 0;
  bool consistent = true, empty = false, in_number = false;
  for (const char* p = literal; p < c_.end; ++p) {
    if (*p == '[') {
      open.push_back(1);
      if (open.size() > options_.limits.max_depth) break;
      empty = true;
    } else if (*p == ',' && !in_number && !open.empty()) {
      ++open.back();
    } else if (*p == ']' && !open.empty()) {
      const size_t level = open.size() - 1;
      const int64_t size = empty ? 0 : open.back();
      if (inferred.size() <= level) inferred.resize(level + 1, -1);
      consistent &= inferred[level] == -1 || inferred[level] == size;
      inferred[level] = size;
      open.pop_back();
      empty = false;
      if (open.empty()) break;
    } else if (!Is(*p, kSpaceChar)) {
      if (*p == '(' || *p == ')') in_number = *p == '(';
      consistent &= scalar_rank == 0 || scalar_rank == open.size();
      scalar_rank = open.size();
      empty = false;
    }
  }
  if (!consistent) return Fail(at, "tensor literal is invalid; ranks are not consistent between elements");
  return Fail(at, StrFormat("inferred shape of elements literal ([{}]) does not match type ([{}])",
                            fmt::join(inferred, ", "), fmt::join(shape, ", ")));
}

namespace {

constexpr double kTens[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
                            1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
constexpr uint64_t kIntegerTens[] = {1, 10, 100, 1000, 10000, 100000, 1000000, 10000000, 100000000};

// Appends the digits at p to a number, up to eight per step while eight bytes remain. Returns the position
// after them. The number wraps around after 19 digits.
[[gnu::always_inline]] inline const char* TakeDigits(const char* p, const char* end, uint64_t* number) {
  while (end - p >= 8) {
    uint64_t x;
    std::memcpy(&x, p, 8);
    x ^= 0x3030303030303030;  // digits become their values; the first one is the lowest byte
    const uint64_t others = ((x + 0x7676767676767676) | x) & 0x8080808080808080;
    const int count = others ? std::countr_zero(others) / 8 : 8;
    if (count == 0) return p;
    x <<= 64 - 8 * count;  // leading zeros
    // Pairs, then all: 10 a + b in each even byte, and those by powers of 100.
    x = x * 10 + (x >> 8);
    x = ((x & 0x000000FF000000FF) * 0x000F424000000064 +
         (x >> 16 & 0x000000FF000000FF) * 0x0000271000000001) >>
        32;
    *number = *number * kIntegerTens[count] + uint32_t(x);
    p += count;
    if (count < 8) return p;
  }
  while (p < end && Is(*p, kDigitChar)) *number = *number * 10 + uint64_t(*p++ - '0');
  return p;
}

// Parses a decimal such as -1.250000e-01 whose digits and power of ten are exact doubles: one
// multiplication or division, hence correctly rounded (Clinger, "How to read floating point numbers
// accurately", 1990). Returns the position after it, or null for all others, which take the slow path.
const char* ReadExactDecimal(const char* p, const char* end, double* value) {
  const bool negative = p < end && *p == '-';
  p += negative;
  uint64_t digits = 0;
  const char* from = p;
  p = TakeDigits(p, end, &digits);
  if (p == from || p == end || *p != '.') return nullptr;
  const char* point = p++;
  p = TakeDigits(p, end, &digits);
  if (p - from > 19) return nullptr;  // the digits may have wrapped around
  int exponent = int(point + 1 - p);
  if (p < end && (*p | 0x20) == 'e') {
    ++p;
    const bool down = p < end && *p == '-';
    if (p < end && (*p == '+' || down)) ++p;
    uint64_t written = 0;
    const char* first = p;
    p = TakeDigits(p, end, &written);
    if (p == first || p - first > 4) return nullptr;
    exponent += down ? -int(written) : int(written);
  }
  if (digits > 1ull << 53 || exponent < -22 || exponent > 22 || (p < end && Is(*p, kWordChar)))
    return nullptr;
  const double exact = double(digits);
  const double magnitude = exponent < 0 ? exact / kTens[-exponent] : exact * kTens[exponent];
  *value = std::bit_cast<double>(std::bit_cast<uint64_t>(magnitude) | uint64_t(negative) << 63);
  return p;
}

}  // namespace

bool AttrReader::ReadElement(const ElementFormat& format, std::vector<uint8_t>* bytes) {
  if (!format.complex) return ReadPart(format, bytes);
  return Expect('(', "before a complex number") && ReadPart(format, bytes) &&
         Expect(',', "between the parts of a complex number") && ReadPart(format, bytes) &&
         Expect(')', "after a complex number");
}

bool AttrReader::ReadPart(const ElementFormat& format, std::vector<uint8_t>* bytes) {
  const auto put = [&](uint64_t value) {
    const auto* raw = reinterpret_cast<const uint8_t*>(&value);
    if (format.bytes == 4) {
      bytes->insert(bytes->end(), raw, raw + 4);  // a constant size compiles to a store
    } else {
      bytes->insert(bytes->end(), raw, raw + std::min<size_t>(format.bytes, 8));
      bytes->resize(bytes->size() + (format.bytes > 8 ? format.bytes - 8 : 0));
    }
  };
  if (!format.real && format.width <= 64) {
    const char first = c_.Peek();
    if (first == 't' || first == 'f') {
      const char* at = c_.p;
      const bool value = c_.EatWord("true");
      if (!value && !c_.EatWord("false")) return FailExpected("an element");
      if (format.width != 1) return Fail(at, "expected i1 type for 'true' or 'false' values");
      put(value);
      return true;
    }
    if (format.in == NumberIn::kArray && format.width == 1)
      return Fail(c_.p, "expected 'true' or 'false' values for i1 type");
    // Plain decimals, the common case.
    const char* p = c_.p + (first == '-');
    const char* from = p;
    uint64_t magnitude = 0;
    p = TakeDigits(p, c_.end, &magnitude);
    const char next = p < c_.end ? *p : '\0';
    if (p > from && p - from < 18 && !Is(next, kWordChar)) {
      const uint64_t half = 1ull << (format.width - 1);
      const uint64_t all = format.width == 64 ? ~0ull : (1ull << format.width) - 1;
      const uint64_t limit = first == '-'             ? (format.signedness == 2 ? 0 : half)
                             : format.signedness == 1 ? half - 1
                                                      : all;
      if (magnitude <= limit && !(magnitude == 0 && first == '-')) {
        c_.p = p;
        put((first == '-' ? 0 - magnitude : magnitude) & all);
        return true;
      }
    }
  }
  if (format.kind == TypeKind::kF32 || format.kind == TypeKind::kF64) {
    c_.Skip();
    double value;
    const char* after = ReadExactDecimal(c_.p, c_.end, &value);
    if (after) {
      c_.p = after;
      // Rounded twice, as FloatBits does.
      put(format.kind == TypeKind::kF32 ? std::bit_cast<uint32_t>(float(value))
                                        : std::bit_cast<uint64_t>(value));
      return true;
    }
  }
  Number number;
  if (!ReadNumber(c_, &number)) return FailExpected("an element");
  if (format.real) {
    uint64_t bits, high;
    if (!FloatBits(number, format.kind, &bits, &high)) return false;
    put(bits);
    if (format.bytes > 8)
      std::memcpy(bytes->data() + bytes->size() - (format.bytes - 8), &high, format.bytes - 8);
    return true;
  }
  if (format.width <= 64) {
    uint64_t value;
    if (!FitSmall(number, format.width, format.signedness, format.in, &value)) return false;
    put(value);
    return true;
  }
  std::vector<uint64_t> limbs;
  if (!FitInteger(number, format.type, format.in, &limbs)) return false;
  const size_t at = bytes->size();
  bytes->resize(at + format.bytes);
  std::memcpy(bytes->data() + at, limbs.data(), format.bytes);
  if (format.width % 8) bytes->back() &= uint8_t((1 << format.width % 8) - 1);
  return true;
}

// Reads "0x...": all elements, one for all, or i1 packed to bits.
bool AttrReader::ReadHexElements(const ElementFormat& format, const RawText& literal, TypeId type,
                                 uint64_t count, AttrId* attr) {
  const char* const at = c_.p;
  std::string_view hex = literal.raw;
  c_.p = hex.data() + hex.size() + 1;
  if (!hex.starts_with("0x") || hex.size() % 2)
    return Fail(at, "hexadecimal elements must be \"0x\" and two digits per byte");
  hex.remove_prefix(2);
  const uint64_t element = format.bytes * (format.complex ? 2 : 1);
  const uint64_t size = hex.size() / 2;
  const bool whole = size % element == 0 && size / element == count;
  const bool packed = !whole && format.width == 1 && !format.complex && size == BytesOfBits(count);
  const bool splat = !whole && !packed && size == element && count != 0;
  if (!whole && !packed && !splat)
    return Fail(at, "expected " + Count(count, "element") + " of " + Count(element, "byte") + ", got " +
                        Count(size, "byte"));
  const int odd = format.width % 8;
  if (literal.upper_hex && whole && !odd && size > PayloadTable::kDeduplicate && owner_) {
    *attr = m_.Elements(type, m_.payloads.AddHex(hex, owner_), false);
    num_digits_ += hex.size();
    return true;
  }
  const std::shared_ptr<uint8_t> bytes = AllocateAligned(size);
  if (!DecodeHex(hex, bytes.get()))
    return Fail(at, "the string contains a character that is not a hex digit");
  uint8_t* data = bytes.get();
  if (packed) {
    const std::shared_ptr<uint8_t> bools = AllocateAligned(count);
    UnpackBits({reinterpret_cast<const char*>(data), size}, count, reinterpret_cast<char*>(bools.get()));
    *attr = ElementsOf(type, {reinterpret_cast<const char*>(bools.get()), count}, false);
    return true;
  }
  if (odd) {
    // Clear the bits above the width. A splat of true may be FF.
    const uint8_t mask = uint8_t((1 << odd) - 1);
    for (uint64_t i = format.bytes - 1; i < size; i += format.bytes) {
      if (format.width == 1 && data[i] > 1 && !(splat && data[i] == 0xff))
        return Fail(at, "expected 00 or 01 for each boolean byte");
      data[i] &= mask;
    }
  }
  if (size <= kCopyLimit)
    *attr = ElementsOf(type, {reinterpret_cast<const char*>(data), size}, splat);
  else
    *attr = m_.Elements(type, m_.payloads.AddView(data, size, bytes), splat);
  return true;
}

bool AttrReader::ReadStringElements(TypeId type, std::span<const int64_t> shape, AttrId* attr) {
  const char* at = c_.p;
  uint64_t count = 0;
  Module::ElementCount(shape, &count);
  std::vector<StringId> values;
  std::string_view value;
  bool splat = false;
  if (c_.Peek() == '"') {
    if (!ReadString(&value)) return false;
    values.push_back(m_.strings.Intern(value));
    splat = true;
  } else {
    size_t depth = 0;
    while (!c_.AtEnd()) {
      while (c_.Eat('[')) ++depth;
      if (c_.Peek() == '"') {
        if (!ReadString(&value)) return false;
        values.push_back(m_.strings.Intern(value));
      } else if (c_.Peek() != ']') {
        return FailExpected("a string");
      }
      while (depth && c_.Eat(']')) --depth;
      if (!depth || !c_.Eat(',')) break;
    }
    if (depth) return FailExpected("']' after the elements");
    if (values.size() != count)
      return Fail(at, "expected " + Count(count, "element") + ", got " + std::to_string(values.size()));
    splat = !values.empty() && std::ranges::count(values, values[0]) == std::ptrdiff_t(values.size());
    if (splat) values.resize(1);
  }
  *attr = m_.Make(StringElementsAttr{.type = type, .splat = splat, .values = values});
  return true;
}

bool AttrReader::ReadDenseArray(AttrId* attr) {
  if (!Expect('<', "after 'array'")) return false;
  const char* at = (c_.Skip(), c_.p);
  TypeId element;
  if (!ReadType(&element)) return false;
  ElementFormat format;
  if (!FormatFor(element, &format) || format.complex)
    return Fail(at, "array elements must be integers or floats");
  if (format.width != 1 && format.width % 8) return Fail(at, "element type bitwidth must be a multiple of 8");
  format.in = NumberIn::kArray;
  if (format.kind == TypeKind::kI64) {
    std::vector<int64_t> values;
    if (c_.Eat(':')) {
      do {
        if (const char next = c_.Peek(); next == 't' || next == 'f')
          return Fail(c_.p, "expected i1 type for 'true' or 'false' values");
        if (!ReadInt64(&values.emplace_back())) return false;
      } while (c_.Eat(','));
    }
    if (!Expect('>', "at the end of an array")) return false;
    *attr = m_.I64s(values);
    return true;
  }
  std::vector<uint8_t> bytes;
  if (c_.Eat(':')) {
    do {
      if (!ReadPart(format, &bytes)) return false;
    } while (c_.Eat(','));
  }
  if (!Expect('>', "at the end of an array")) return false;
  const PayloadId payload = m_.payloads.AddCopy({reinterpret_cast<const char*>(bytes.data()), bytes.size()});
  *attr = m_.Make(DenseArrayAttr{.element = element, .payload = payload});
  return true;
}

bool AttrReader::ReadDenseResource(AttrId* attr) {
  if (!Expect('<', "after 'dense_resource'")) return false;
  std::string_view key;
  if (c_.Peek() == '"') {
    if (!ReadString(&key)) return false;
  } else {
    key = c_.Word();
  }
  if (key.empty()) return FailExpected("the key of a resource");
  const StringId id = m_.strings.Intern(key);
  TypeId type;
  if (!Expect('>', "after the key of a resource") || !Expect(':', "before the type of a resource") ||
      !ReadType(&type))
    return false;
  *attr = m_.Make(ResourceElementsAttr{.type = type, .key = id});
  return true;
}

// sparse<indices, values> : type. The indices are elements of i64, one row of them per value.
bool AttrReader::ReadSparse(AttrId* attr) {
  const char* at = (c_.Skip(), c_.p);
  if (c_.Peek() != '<') return FailExpected("'<' after 'sparse'");
  const Cursor body(c_.p + 1, c_.end);
  if (!c_.SkipBalanced()) return Fail(at, "the brackets of the elements do not match");
  const char* body_end = c_.p - 1;
  TypeId type, element;
  if (!Expect(':', "before the type of the elements")) return false;
  const char* type_at = (c_.Skip(), c_.p);
  if (!ReadType(&type)) return false;
  const Cursor after = c_;
  const ShapedType tensor(m_, type);
  element = tensor.element;
  ElementFormat format, index_format;
  if (!tensor.IsTensorOrVector() || !FormatFor(element, &format))
    return Fail(type_at, "sparse elements must have a tensor type with numeric elements");
  const int64_t rank = tensor.rank();
  FormatFor(m_.Type(TypeKind::kI64), &index_format);
  c_ = Cursor(body.p, body_end);
  // Reads a literal of `columns` per row (0: a flat list) and counts its rows.
  const auto read = [&](const ElementFormat& part, int64_t columns, std::vector<uint8_t>* bytes,
                        int64_t* rows) {
    *rows = 0;
    if (c_.Peek() != '[') {
      *rows = 1;
      return ReadElement(part, bytes);
    }
    ++c_.p;
    if (c_.Eat(']')) return true;
    do {
      if (columns > 0 && c_.Eat('[')) {
        int64_t n = 0;
        do {
          if (!ReadElement(part, bytes)) return false;
          ++n;
        } while (c_.Eat(','));
        if (n != columns)
          return Fail(c_.p, "expected " + Count(uint64_t(columns), "coordinate") + " per index, got " +
                                std::to_string(n));
        if (!Expect(']', "after an index")) return false;
      } else if (!ReadElement(part, bytes)) {
        return false;
      }
      ++*rows;
    } while (c_.Eat(','));
    return Expect(']', "after a list");
  };
  std::vector<uint8_t> indices, values;
  int64_t index_rows = 0, value_rows = 0;
  bool ok = true, one_by_one = true;
  if (!c_.AtEnd()) {
    ok = read(index_format, rank, &indices, &index_rows) && Expect(',', "between indices and values");
    one_by_one = c_.Peek() == '[';
    ok = ok && read(format, 0, &values, &value_rows);
    if (ok && !c_.AtEnd()) ok = FailExpected("'>' after the elements");
  }
  c_ = after;
  if (!ok) return false;
  // One value may be a splat.
  const bool splat = !one_by_one && index_rows > 0;
  if (splat) value_rows = index_rows;
  // A single index may be flat, as its coordinates.
  if (index_rows == rank && int64_t(indices.size()) == rank * 8 && value_rows == 1) index_rows = 1;
  if (rank == 0 || index_rows != value_rows || int64_t(indices.size()) != index_rows * rank * 8)
    return Fail(at, "expected one index per value, with one coordinate per dimension of the type");
  const int64_t index_shape[] = {index_rows, rank};
  const int64_t value_shape[] = {value_rows};
  const TypeId index_type = m_.TensorType(index_shape, m_.Type(TypeKind::kI64));
  const TypeId value_type = m_.TensorType(value_shape, element);
  const auto view = [](const std::vector<uint8_t>& v) {
    return std::string_view(reinterpret_cast<const char*>(v.data()), v.size());
  };
  const AttrId index_attr = ElementsOf(index_type, view(indices), false);
  const AttrId value_attr = ElementsOf(value_type, view(values), splat);
  *attr = m_.Make(SparseElementsAttr{.type = type, .indices = index_attr, .values = value_attr});
  return true;
}

}  // namespace shlo::text
