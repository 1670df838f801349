// Prints constants: dense elements as lists, splats and hexadecimal; dense arrays; sparse elements.
#include <cstring>

#include "base/deadline.h"
#include "base/hex.h"
#include "base/stack.h"
#include "ir/print/attr_printer.h"
#include "shlo/types.h"

namespace shlo::text {

namespace {

// Returns the sign-extended words of a little-endian integer.
std::vector<int64_t> LoadLimbs(const uint8_t* bytes, uint64_t size, int64_t width, bool is_unsigned) {
  std::vector<int64_t> limbs((size + 7) / 8, 0);
  std::memcpy(limbs.data(), bytes, size);
  const int top_bits = int(width - int64_t(limbs.size() - 1) * 64);
  if (top_bits > 0 && top_bits < 64) {
    const uint64_t top = uint64_t(limbs.back()) << (64 - top_bits);
    limbs.back() = is_unsigned ? int64_t(top >> (64 - top_bits)) : int64_t(top) >> (64 - top_bits);
  }
  return limbs;
}

uint64_t Load64(const uint8_t* bytes, uint64_t size) {
  uint64_t value = 0;
  std::memcpy(&value, bytes, size < 8 ? size : 8);
  return value;
}

}  // namespace

// Prints items in row-major order in nested brackets; `item(i)` prints the i-th. No brackets for rank 0.
template <typename Item>
void AttrPrinter::NestedList(std::span<const int64_t> shape, Item&& item) {
  uint64_t next = 0;
  const auto nest = [&](auto&& self, size_t dim) -> void {
    CheckStack();
    if (dim == shape.size()) return item(next++);
    Put('[');
    for (int64_t i = 0; i < shape[dim] && !failed_; ++i) {
      if (i) Put(", ");
      self(self, dim + 1);
    }
    Put(']');
  };
  if (shape.size() > 1000) return Fail();
  nest(nest, 0);
}

void AttrPrinter::OneElement(TypeId element, const uint8_t* bytes) {
  CheckStack();
  Tick();
  const auto node = m_.types[element];
  const uint64_t size = m_.ElementBytes(element);
  if (const auto complex = node.As<ComplexType>()) {
    const TypeId part = complex->element;
    Put('(');
    OneElement(part, bytes);
    Put(',');
    OneElement(part, bytes + size / 2);
    return Put(')');
  }
  if (ElementWidth(m_, element) == 1) return Put(*bytes & 1 ? "true" : "false");
  if (IsFloat(node.kind)) {
    if (size <= 8) return PutFloat(out_, node.kind, Load64(bytes, size));
    std::string reversed(reinterpret_cast<const char*>(bytes), size);
    Put("0x");
    PutHex(out_, std::string(reversed.rbegin(), reversed.rend()));
    return;
  }
  int64_t width = BitWidth(node.kind);
  bool is_unsigned = IsUnsignedInteger(node.kind);
  if (const auto integer = node.As<IntegerType>()) {
    width = integer->width;
    is_unsigned = integer->signedness == 2;
  }
  if (width <= 0) return Fail();
  if (size <= 8) {
    const uint64_t value = Load64(bytes, size) << (64 - width);
    return is_unsigned ? PutUnsigned(out_, value >> (64 - width))
                       : PutInt(out_, int64_t(value) >> (64 - width));
  }
  PutBigInt(out_, LoadLimbs(bytes, size, width, is_unsigned), is_unsigned);
}

// Prints the digits of a constant, or leaves them out until the text is written out.
void AttrPrinter::Digits(const StoredBytes& bytes) {
  if (large_ && bytes.size() >= LargeConstants::kLeastBytes) return large_->Add(out_, bytes);
  VisitDigits(bytes, [&](std::string_view digits) {
    Put(digits);
    return !too_long();
  });
}

// Prints "dense<...> : type", or with `bare` only the inside of the brackets.
void AttrPrinter::Elements(AttrId attr, bool bare) {
  const auto elements = m_.Get<ElementsAttr>(attr);
  const TypeId type = elements.type;
  const bool splat = elements.splat != 0;
  const uint64_t stored = m_.payloads.SizeOf(elements.payload);
  const ShapedType shaped(m_, type);
  const TypeId element = shaped.element;
  const std::span<const int64_t> shape = shaped.shape;
  const uint64_t size = shaped.has_rank() ? m_.ElementBytes(element) : 0;
  uint64_t count = 0;
  if (size == 0 || !Module::ElementCount(shape, &count) ||
      stored < (splat ? (count ? size : 0) : size * count))
    return Fail();
  const bool elided = !splat && elide_ && count > elide_;
  if (!bare) Put(elided ? "dense_resource<" : "dense<");
  if (elided) {
    Put("__elided__");
  } else if (splat && stored >= size) {
    OneElement(element, m_.payloads[elements.payload].data);
  } else if (count == 0) {
    // dense<> for any shape
  } else if (count > kHexLimit && !(list_booleans_ && ElementWidth(m_, element) == 1)) {
    Put("\"0x");
    Digits(m_.payloads.StoredOf(elements.payload).First(size * count));
    Put('"');
  } else {
    const Payload payload = m_.payloads[elements.payload];
    NestedList(shape, [&](uint64_t i) { OneElement(element, payload.data + i * size); });
  }
  if (bare) return;
  Put("> : ");
  Type(type, Spelling::kStablehlo);
}

void AttrPrinter::StringElements(AttrId attr, bool bare) {
  const auto elements = m_.Get<StringElementsAttr>(attr);
  const TypeId type = elements.type;
  const bool splat = elements.splat != 0;
  const IdList<StringId> values = elements.values;
  const ShapedType tensor(m_, type);
  uint64_t count = 0;
  if (!tensor.IsTensorOrVector() || !Module::ElementCount(tensor.shape, &count) ||
      values.size() < (splat ? 1 : count))
    return Fail();
  if (!bare) Put("dense<");
  const auto item = [&](uint64_t i) { PutQuoted(out_, m_.strings[values[i]]); };
  if (splat)
    item(0);
  else if (count)
    NestedList(tensor.shape, item);
  if (bare) return;
  Put("> : ");
  Type(type, Spelling::kStablehlo);
}

// "sparse<indices, values> : type", with the lists as inside of dense<...>
void AttrPrinter::SparseElements(AttrId attr) {
  const auto sparse = m_.Get<SparseElementsAttr>(attr);
  Put("sparse<");
  const auto list = [&](AttrId elements) {
    switch (m_.attrs.KindOf(elements)) {
      case AttrKind::kElements:
        return Elements(elements, /*bare=*/true);
      case AttrKind::kStringElements:
        return StringElements(elements, /*bare=*/true);
      default:
        return Fail();
    }
  };
  const auto tensor = m_.As<TensorType>(m_.TypeOf(sparse.indices));
  uint64_t count = 0;
  if (!tensor || !Module::ElementCount(tensor->shape, &count)) return Fail();
  if (count) {
    list(sparse.indices);
    Put(", ");
    list(sparse.values);
  }
  Put("> : ");
  Type(sparse.type, Spelling::kStablehlo);
}

// "array<T: 1, 2>"
void AttrPrinter::DenseArray(AttrId attr) {
  const auto array = m_.Get<DenseArrayAttr>(attr);
  const TypeId element = array.element;
  const Payload payload = m_.payloads[array.payload];
  const uint64_t size = m_.ElementBytes(element);
  Put("array<");
  Type(element, Spelling::kStablehlo);
  if (size == 0) return Fail();
  for (uint64_t i = 0; (i + 1) * size <= payload.size; ++i) {
    Put(i ? ", " : ": ");
    OneElement(element, payload.data + i * size);
  }
  Put('>');
}

}  // namespace shlo::text
