// Contents of types and attributes: numbers, elements, and the constraints of a kind on its fields.
#include <algorithm>
#include <bit>
#include <cstring>

#include "base/format.h"
#include "ir/table/float_format.h"
#include "ir/verify/node_invariants.h"
#include "serialize/bits.h"
#include "serialize/mlirbc/reader_nodes.h"
#include "shlo/types.h"

namespace shlo::mlirbc {

bool NodesIn::DecodeString(InCursor& c, AttrId attr, StringId* string) {
  if (!c.ok()) return false;
  const auto name = m_.As<StringAttr>(attr);
  if (!name) return c.Fail("expected a string attribute as name");
  *string = name->value;
  return true;
}

// Reads an integer of the width of its type: up to 8 bits one byte, up to 64 a varint of the bits, otherwise
// a count of 64-bit words and the words.
bool NodesIn::DecodeInteger(InCursor& c, TypeId type) {
  const auto node = m_.types[type];
  const auto integer = node.As<IntegerType>();
  const int64_t width = integer ? integer->width : BitWidth(node.kind);
  if (width == 0 || IsFloat(node.kind)) return c.Fail("integer attribute has a non-integer type");
  if (width > 64) {
    const uint64_t words = c.Count("integer word");
    const uint64_t limbs = uint64_t(width + 63) / 64;
    if (words > limbs) return c.Fail("integer is wider than its type");
    if (limbs > 1024) return c.Fail("integer width exceeds the limit of 65536 bits", Code::kLimit);
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
  if (!IsFloat(kind)) return c.Fail("float attribute has a non-float type");
  if (width <= 8) {
    scratch_.push_back(1);
    scratch_.push_back(c.Byte() & ((1u << width) - 1));
  } else if (width <= 64) {
    scratch_.push_back(1);
    const uint64_t bits = uint64_t(c.SignedVarint());
    scratch_.push_back(width == 64 ? bits : bits & ((uint64_t(1) << width) - 1));
  } else {
    const uint64_t words = c.Count("float word");
    if (words > 2) return c.Fail("float is wider than its type");
    scratch_.push_back(2);
    for (uint64_t i = 0; i < 2; ++i) scratch_.push_back(i < words ? uint64_t(c.SignedVarint()) : 0);
  }
  return c.ok();
}

// Reads a blob of all elements, of one for all, or of bits for booleans. Pushes splat and payload.
bool NodesIn::DecodeElements(InCursor& c, TypeId type) {
  const char* at = c.position();
  const std::string_view blob = c.Bytes(c.Varint(), "constant");
  if (!c.ok()) return false;
  const ShapedType tensor(m_, type);
  if (!tensor.IsTensorOrVector()) return c.FailAt(at, "elements attribute has a non-shaped type");
  uint64_t count;
  const uint64_t size = m_.ElementBytes(tensor.element);
  if (!Module::ElementCount(tensor.shape, &count))
    return c.FailAt(at, "elements attribute does not have a static shape");
  if (size == 0) return c.FailAt(at, "element type cannot be stored in an elements attribute");
  const bool boolean = ElementWidth(m_, tensor.element) == 1;  // of any signedness
  const auto push = [&](bool splat, PayloadId payload) {
    scratch_.push_back(splat);
    scratch_.push_back(payload.v);
    return true;
  };
  if (boolean) {
    if (blob.size() == 1 && uint8_t(blob[0]) == 0xFF)
      return push(true, m_.payloads.AddCopy(std::string_view("\1", 1)));
    if (blob.size() == BytesOfBits(count) && blob.size() != count) {
      unpacked_ += count;
      if (unpacked_ > options_.limits.max_memory)
        return c.FailAt(at,
                        StrFormat("bit-packed booleans exceed the memory limit of {}",
                                  Count(options_.limits.max_memory, "byte")),
                        Code::kLimit, "pass --max-memory to raise the limit");
      const std::shared_ptr<char[]> bytes(new char[count]);
      UnpackBits(blob, count, bytes.get());
      return push(false, m_.payloads.AddView(bytes.get(), count, bytes));
    }
    for (char byte : blob)
      if (uint8_t(byte) > 1) return c.FailAt(at, "boolean is neither 0 nor 1");
  }
  if (blob.size() % size == 0 && blob.size() / size == count)
    return push(false, m_.payloads.AddView(blob.data(), blob.size(), owner_));
  // One element for all, also for zero elements: the text may have stated a splat.
  if (blob.size() == size) return push(true, m_.payloads.AddView(blob.data(), blob.size(), owner_));
  return c.FailAt(at, StrFormat("expected {} of {}, got {}", Count(count, "element"), Count(size, "byte"),
                                Count(blob.size(), "byte")));
}

// Returns the values of an attribute of elements, floats as doubles.
bool NodesIn::DecodeQuantization(InCursor& c, AttrId attr, TypeId element, bool is_signed,
                                 std::vector<int64_t>* shape, std::vector<uint64_t>* values) {
  constexpr uint64_t kMaxValues = 1u << 20;  // a splat takes few bytes, but becomes a long list
  const auto elements = m_.As<ElementsAttr>(attr);
  const auto tensor = elements ? m_.As<TensorType>(elements->type) : std::nullopt;
  if (!tensor || tensor->element != element) return c.Fail("scales or zero points are not dense elements");
  const TypeKind kind = m_.types.KindOf(element);
  const uint64_t size = m_.ElementBytes(element);
  const int64_t width = ElementWidth(m_, element);
  if ((IsFloat(kind) ? !FloatFormatOf(kind) : width == 0) || size > 8)
    return c.Fail("unsupported type of scales or zero points", Code::kUnsupported);
  uint64_t count = 0;
  shape->assign(tensor->shape.begin(), tensor->shape.end());
  Module::ElementCount(*shape, &count);  // all elements attributes have a static shape
  if (count > kMaxValues)
    return c.Fail(StrFormat("number of scales exceeds the limit of {}", kMaxValues), Code::kLimit);
  const bool splat = elements->splat != 0;
  const Payload payload = m_.payloads[elements->payload];
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

// --- Invariants of a kind ------------------------------------------------------------------------

namespace {

// Message for an invariant that other readers word differently.
std::string_view MessageOf(NodeFault fault) {
  switch (fault) {
    case NodeFault::kNegativeDimension:
      return "negative dimension";
    case NodeFault::kAccuracyMode:
      return "expected a result_accuracy_mode attribute as mode";
    case NodeFault::kSubAxis:
      return "expected a sub_axis_info attribute as part of an axis";
    case NodeFault::kCallSitePart:
      return "call site is not a location";
    case NodeFault::kFusedPart:
      return "part of a fused location is not a location";
    default:
      return Describe(fault);
  }
}

}  // namespace

AttrId NodesIn::Finish(InCursor& c, const WireAttr& row, std::span<const uint64_t> words) {
  const auto fail = [&](std::string_view message) {
    c.Fail(std::string(message));
    return AttrId();
  };
  if (IsEnum(row.kind)) {
    if (!FindCase(row.kind, int64_t(words[0]))) {
      file_.FailUnknown(c, c.position(),
                        StrFormat("unknown case {} of {}", words[0], RowOf(row.kind).mnemonic));
      return {};
    }
    return m_.attrs.Intern(row.kind, words);
  }
  const NodeView<AttrKind> node{row.kind, words};
  if (const auto dict = node.As<DictionaryAttr>()) {
    // The encoding is sorted by name, and names are unique; the order of another writer may differ.
    std::vector<StringId> names;
    for (const NamedAttr entry : dict->entries) names.push_back(entry.name);
    std::ranges::sort(names);
    if (std::ranges::adjacent_find(names) != names.end()) return fail("dictionary has a duplicate key");
    return m_.Dict(dict->entries.ToVector());
  }
  if (const NodeFault fault = CheckNode(m_, row.kind, words); fault != NodeFault::kNone)
    return fail(MessageOf(fault));
  if (const auto elements = node.As<ElementsAttr>())
    return m_.Elements(elements->type, elements->payload, elements->splat != 0);
  if (const auto array = node.As<DenseArrayAttr>();
      array && m_.types.KindOf(array->element) == TypeKind::kI64) {
    const Payload payload = m_.payloads[array->payload];
    std::vector<int64_t> values(payload.size / 8);
    if (!values.empty()) std::memcpy(values.data(), payload.data, values.size() * 8);
    return m_.I64s(values);
  }
  // A range that ends where it begins is a position. A line without a column is not, although it looks like
  // one.
  if (const auto range = node.As<FileRangeLoc>(); range && range->start_column &&
                                                  range->start_line == range->end_line &&
                                                  range->start_column == range->end_column)
    return m_.Make(
        FileLineColLoc{.file = range->file, .line = range->start_line, .column = range->start_column});
  return m_.attrs.Intern(row.kind, words);
}

TypeId NodesIn::Finish(InCursor& c, const WireType& row, std::span<const uint64_t> words) {
  const NodeView<TypeKind> node{row.kind, words};
  // A width that has its own kind (i32) becomes that kind.
  if (const auto integer = node.As<IntegerType>())
    return m_.IntegerType(integer->width, int(integer->signedness));
  std::vector<uint64_t> complete;
  if (auto vector = node.As<VectorType>(); vector && vector->scalable.empty()) {
    // Short encoding for vectors that are not scalable.
    const std::vector<int64_t> fixed(vector->shape.size());
    vector->scalable = fixed;
    Encode(*vector, &complete);
    words = complete;
  }
  if (const NodeFault fault = CheckNode(m_, row.kind, words); fault != NodeFault::kNone) {
    c.Fail(std::string(MessageOf(fault)));
    return {};
  }
  return m_.types.Intern(row.kind, words);
}

}  // namespace shlo::mlirbc
