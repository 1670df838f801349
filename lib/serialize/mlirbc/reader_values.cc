// What types and attributes hold: numbers, elements, and what a kind demands of its fields.
#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstring>

#include "ir/table/float_format.h"
#include "serialize/mlirbc/reader_nodes.h"
#include "shlo/types.h"

namespace shlo::mlirbc {

bool NodesIn::DecodeString(InCursor& c, AttrId attr, StringId* string) {
  if (!c.ok()) return false;
  if (m_.attrs.KindOf(attr) != AttrKind::kString) return c.Fail("a name is an attribute of another kind");
  *string = StringId(uint32_t(m_.attrs[attr].words[0]));
  return true;
}

// An integer of the width of its type: up to 8 bits one byte, up to 64 a varint of the bits, with more a
// count of 64-bit words and the words.
bool NodesIn::DecodeInteger(InCursor& c, TypeId type) {
  const auto node = m_.types[type];
  const int64_t width = node.kind == TypeKind::kInteger ? int64_t(node.words[0]) : BitWidth(node.kind);
  if (width == 0 || IsFloat(node.kind)) return c.Fail("an integer has a type that is none");
  if (width > 64) {
    const uint64_t words = c.Count("words of an integer");
    const uint64_t limbs = uint64_t(width + 63) / 64;
    if (words > limbs) return c.Fail("an integer is wider than its type");
    if (limbs > 1024) return c.Fail("an integer is wider than the limit", Code::kLimit);
    scratch_.push_back(limbs);
    for (uint64_t i = 0; i < limbs && c.ok(); ++i) {
      uint64_t limb = i < words ? uint64_t(c.SignedVarint()) : 0;
      if (i + 1 == limbs && width % 64) {
        const int unused = int(64 - width % 64);
        limb = uint64_t(int64_t(limb << unused) >> unused);
      }
      scratch_.push_back(limb);
    }
    return c.ok();
  }
  uint64_t bits = width <= 8 ? c.Byte() : uint64_t(c.SignedVarint());
  if (!c.ok()) return false;
  const int unused = int(64 - width);
  bits = node.kind == TypeKind::kI1 ? bits & 1 : uint64_t(int64_t(bits << unused) >> unused);
  scratch_.push_back(1);
  scratch_.push_back(bits);
  return true;
}

bool NodesIn::DecodeFloat(InCursor& c, TypeId type) {
  const TypeKind kind = m_.types.KindOf(type);
  const int width = BitWidth(kind);
  if (!IsFloat(kind)) return c.Fail("a float has a type that is none");
  if (width <= 8) {
    scratch_.push_back(1);
    scratch_.push_back(c.Byte() & ((1u << width) - 1));
  } else if (width <= 64) {
    scratch_.push_back(1);
    const uint64_t bits = uint64_t(c.SignedVarint());
    scratch_.push_back(width == 64 ? bits : bits & ((uint64_t(1) << width) - 1));
  } else {
    const uint64_t words = c.Count("words of a float");
    if (words > 2) return c.Fail("a float is wider than its type");
    scratch_.push_back(2);
    for (uint64_t i = 0; i < 2; ++i) scratch_.push_back(i < words ? uint64_t(c.SignedVarint()) : 0);
  }
  return c.ok();
}

// A blob of all elements, of one for all, or of bits where they are booleans. Pushes splat and payload.
bool NodesIn::DecodeElements(InCursor& c, TypeId type) {
  const char* at = c.position();
  const std::string_view blob = c.Bytes(c.Varint(), "a constant");
  if (!c.ok()) return false;
  Module::TensorView tensor;
  if (!m_.AsTensorOrVector(type, &tensor)) return c.FailAt(at, "elements have a type that is no tensor");
  uint64_t count;
  const uint64_t size = m_.ElementBytes(tensor.element);
  if (!Module::ElementCount(tensor.shape, &count))
    return c.FailAt(at, "elements have a type without a static shape");
  if (size == 0) return c.FailAt(at, "elements have a type that cannot be stored");
  const bool boolean = ElementWidth(m_, tensor.element) == 1;  // of whatever signedness
  const auto push = [&](bool splat, PayloadId payload) {
    scratch_.push_back(splat);
    scratch_.push_back(payload.v);
    return true;
  };
  if (boolean) {
    if (blob.size() == 1 && uint8_t(blob[0]) == 0xFF)
      return push(true, m_.payloads.AddCopy(std::string_view("\1", 1)));
    if (blob.size() == (count + 7) / 8 && blob.size() != count) {
      unpacked_ += count;
      if (unpacked_ > options_.max_unpacked)
        return c.FailAt(at, "booleans stored as bits take more memory than the limit", Code::kLimit);
      const std::shared_ptr<char[]> bytes(new char[count]);
      for (uint64_t i = 0; i < count; ++i) bytes[i] = char(uint8_t(blob[i / 8]) >> (i % 8) & 1);
      return push(false, m_.payloads.AddView(bytes.get(), count, bytes));
    }
    for (char byte : blob)
      if (uint8_t(byte) > 1) return c.FailAt(at, "a boolean is neither 0 nor 1");
  }
  if (blob.size() % size == 0 && blob.size() / size == count)
    return push(false, m_.payloads.AddView(blob.data(), blob.size(), owner_));
  // One element for all, also where there are none: the text may have said so.
  if (blob.size() == size) return push(true, m_.payloads.AddView(blob.data(), blob.size(), owner_));
  return c.FailAt(at,
                  fmt::format("{} elements of {} bytes are stored in {} bytes", count, size, blob.size()));
}

// The values of an attribute of elements, floats as doubles.
bool NodesIn::DecodeQuantization(InCursor& c, AttrId attr, TypeId element, bool is_signed,
                                 std::vector<int64_t>* shape, std::vector<uint64_t>* values) {
  constexpr uint64_t kMaxValues = 1u << 20;  // one for all takes few bytes, and a list many
  const auto node = m_.attrs[attr];
  Module::TensorView tensor;
  if (node.kind != AttrKind::kElements || !m_.AsTensor(TypeId(uint32_t(node.words[0])), &tensor) ||
      tensor.element != element)
    return c.Fail("scales or zero points are something else");
  const TypeKind kind = m_.types.KindOf(element);
  const uint64_t size = m_.ElementBytes(element);
  const int64_t width = ElementWidth(m_, element);
  if ((IsFloat(kind) ? !FloatFormatOf(kind) : width == 0) || size > 8)
    return c.Fail("scales or zero points have a type that cannot be held", Code::kUnsupported);
  uint64_t count = 0;
  shape->assign(tensor.shape.begin(), tensor.shape.end());
  if (!Module::ElementCount(*shape, &count)) return c.Fail("scales have a type without a static shape");
  if (count > kMaxValues) return c.Fail("a type has more scales than the limit", Code::kLimit);
  const bool splat = node.words[1] != 0;
  const Payload payload = m_.payloads[PayloadId(uint32_t(node.words[2]))];
  for (uint64_t i = 0; i < count; ++i) {
    uint64_t bits = 0;
    std::memcpy(&bits, payload.data + (splat ? 0 : i * size), size);
    if (IsFloat(kind)) {
      bits = std::bit_cast<uint64_t>(shlo::DecodeFloat(kind, bits));
    } else if (width < 64) {
      bits <<= 64 - width;
      bits = is_signed ? uint64_t(int64_t(bits) >> (64 - width)) : bits >> (64 - width);
    }
    values->push_back(bits);
  }
  return true;
}

// --- What a kind still has to fulfil
// -------------------------------------------------------------------------

AttrId NodesIn::Finish(InCursor& c, const WireAttr& row, std::span<const uint64_t> words) {
  const auto fail = [&](std::string message) {
    c.Fail(std::move(message));
    return AttrId();
  };
  if (IsEnum(row.kind)) {
    if (!FindCase(row.kind, int64_t(words[0]))) {
      c.Fail(fmt::format("{} is no case of {}", words[0], RowOf(row.kind).mnemonic), Code::kNewerVersion,
             "it may come from a newer release");
      return {};
    }
    return m_.attrs.Intern(row.kind, words);
  }
  const auto is = [&](uint64_t word, AttrKind kind) {
    return word == 0 || m_.attrs.KindOf(AttrId(uint32_t(word))) == kind;
  };
  const auto is_location = [&](uint64_t word) { return IsLocation(m_.attrs.KindOf(AttrId(uint32_t(word)))); };
  switch (row.kind) {
    case AttrKind::kElements: {
      const TypeId type{uint32_t(words[0])};
      return m_.Elements(type, PayloadId(uint32_t(words[2])), words[1] != 0);
    }
    case AttrKind::kDenseArray:
      if (m_.types.KindOf(TypeId(uint32_t(words[0]))) == TypeKind::kI64) {
        const Payload payload = m_.payloads[PayloadId(uint32_t(words[1]))];
        std::vector<int64_t> values(payload.size / 8);
        if (!values.empty()) std::memcpy(values.data(), payload.data, values.size() * 8);
        return m_.I64s(values);
      }
      break;
    case AttrKind::kDict: {
      // The order of the file is by name, and names are unique; the order of another writer may not be.
      std::vector<NamedAttr> entries(words[0]);
      for (size_t i = 0; i < entries.size(); ++i)
        entries[i] = {StringId(uint32_t(words[1 + 2 * i])), AttrId(uint32_t(words[2 + 2 * i]))};
      std::vector<uint32_t> names(entries.size());
      for (size_t i = 0; i < names.size(); ++i) names[i] = entries[i].name.v;
      std::sort(names.begin(), names.end());
      if (std::adjacent_find(names.begin(), names.end()) != names.end())
        return fail("a dictionary has a key twice");
      return m_.Dict(std::move(entries));
    }
    case AttrKind::kResultAccuracy:
      if (!is(words[3], AttrKind::kResultAccuracyMode))
        return fail("the mode of an accuracy is something else");
      break;
    case AttrKind::kAxisRef:
      if (!is(words[1], AttrKind::kSubAxisInfo)) return fail("the part of an axis is something else");
      break;
    case AttrKind::kCallSiteLoc:
      if (!is_location(words[0]) || !is_location(words[1])) return fail("a call site is no location");
      break;
    case AttrKind::kFusedLoc:
      for (uint64_t i = 0; i < words[1]; ++i)
        if (!is_location(words[2 + i])) return fail("a part of a location is no location");
      break;
    case AttrKind::kFileLineColLoc:
    case AttrKind::kFileRangeLoc:
      if (std::any_of(words.begin() + 1, words.end(), [](uint64_t word) { return word > UINT32_MAX; }))
        return fail("a line or column is too large");
      // A range that ends where it begins is a place. A line without a column is not, though it looks like
      // one.
      if (row.kind == AttrKind::kFileRangeLoc && words[2] && words[1] == words[3] && words[2] == words[4])
        return m_.attrs.Intern(AttrKind::kFileLineColLoc, words.first(3));
      break;
    default:
      break;
  }
  return m_.attrs.Intern(row.kind, words);
}

TypeId NodesIn::Finish(InCursor& c, const WireType& row, std::span<const uint64_t> words) {
  switch (row.kind) {
    case TypeKind::kInteger:
      return m_.IntegerType(int64_t(words[0]), int(words[1]));
    case TypeKind::kTensor:
    case TypeKind::kVector:
    case TypeKind::kMemref: {
      FieldReader r(words);
      if (row.kind == TypeKind::kTensor) r.Int(), r.Int();
      if (row.kind == TypeKind::kVector) r.Int();
      if (row.kind == TypeKind::kMemref) r.Int(), r.Int(), r.Int();
      for (int64_t dim : r.Ints())
        if (dim < 0 && dim != kDynamic) {
          c.Fail("a dimension is negative");
          return {};
        }
      if (row.kind == TypeKind::kVector && r.List().empty()) {
        // The shorter form, of vectors that do not scale.
        std::vector<uint64_t> fixed(words.begin(), words.end());
        fixed.back() = words[1];
        fixed.resize(fixed.size() + words[1]);
        return m_.types.Intern(row.kind, fixed);
      }
      break;
    }
    case TypeKind::kUniformQuantizedPerAxis:
    case TypeKind::kUniformQuantizedSubChannel: {
      FieldReader r(words);
      for (int i = 0; i < (row.kind == TypeKind::kUniformQuantizedPerAxis ? 6 : 5); ++i) r.Int();
      const size_t one = r.List().size();
      if (r.List().size() == one) break;
      c.Fail(row.kind == TypeKind::kUniformQuantizedPerAxis
                 ? "scales and zero points do not agree in number"
                 : "dimensions and block sizes do not agree in number");
      return {};
    }
    default:
      break;
  }
  return m_.types.Intern(row.kind, words);
}

}  // namespace shlo::mlirbc
