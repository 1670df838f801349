// Writes the fields of a node as the items of its encoding: the codec of WalkItems. Mirrors reader_items.cc.
#pragma once

#include <algorithm>
#include <bit>
#include <string>
#include <vector>

#include "ir/module/node_words.h"
#include "serialize/mlirbc/items.h"
#include "serialize/mlirbc/writer_nodes.h"
#include "shlo/types.h"

namespace shlo::mlirbc {

// `words` are a copy: items may intern. `holds_encoding`: an attribute in the node is the encoding of a VHLO
// type, which TypeKey has checked.
template <typename SinkT>
class NodesOut::FieldsOut {
 public:
  FieldsOut(NodesOut& nodes, std::span<const FieldRow> fields, const std::vector<uint64_t>& words, bool vhlo,
            bool holds_encoding, SinkT& sink)
      : nodes_(nodes),
        m_(nodes.m_),
        words_(words),
        starts_(fields, words),
        vhlo_(vhlo),
        holds_encoding_(holds_encoding),
        sink_(sink) {}

  static constexpr bool ok() { return true; }
  void Begin(size_t field) {
    field_ = field;
    at_ = starts_[field];
  }
  void End() {}
  uint64_t Count(uint64_t) {
    sink_.Varint(words_[at_]);
    return words_[at_++];
  }

  void Varint() { sink_.Varint(Next()); }
  void Signed() { sink_.SignedVarint(int64_t(Next())); }
  void Bool() { sink_.Byte(Next() != 0); }
  void Byte() { sink_.Byte(Next() != 0); }
  void Type() {
    type_ = TypeId(uint32_t(Next()));
    sink_.Type(nodes_.TypeKey(type_, vhlo_));
  }
  void Attr() { sink_.Attr(KeyOf(Next())); }
  void FlaggedAttr() {
    const uint64_t word = Next();
    sink_.OptionalAttr(word ? KeyOf(word) : Key());
  }
  void CountedAttr() {
    sink_.Varint(words_[at_] != 0);
    if (words_[at_]) Attr();
  }
  void ByteAttr() {
    sink_.Byte(words_[at_] != 0);
    if (words_[at_]) Attr();
  }
  void Array() {
    const IdList<AttrId> items(words_.data() + at_ + 1, words_[at_]);
    sink_.Attr(nodes_.AttrKey(m_.Array(items.ToVector()), vhlo_));
  }
  void String() { sink_.String(m_.strings[NextString()]); }
  void StringAttr() { sink_.Attr(nodes_.AttrKey(m_.String(m_.strings[NextString()]), vhlo_)); }
  void Symbol() { Own(m_.Symbol(m_.strings[NextString()])); }
  void SymbolOrAttr() { Attr(); }
  void Location() {
    const AttrId location{uint32_t(Next())};
    Own(location ? location : m_.Make(UnknownLoc{}));
  }
  void Layout() {
    const AttrId layout{uint32_t(Next())};
    Own(layout ? layout : nodes_.IdentityLayout(Decode<MemRefType>(words_).shape.size()));
  }
  void Entry() {
    StringAttr();
    Attr();
  }
  // Up to 8 bits a byte, up to 64 a varint of the bits, otherwise the words up to the highest nonzero one.
  void Integer() {
    const uint64_t width = uint64_t(ElementWidth(m_, type_));
    const uint64_t last =
        width % 64 ? (uint64_t(1) << width % 64) - 1 : ~uint64_t(0);  // bits of the last word
    const std::span limbs_of(words_.data() + at_ + 1, words_[at_]);
    if (width <= 8) return sink_.Byte(uint8_t(limbs_of[0] & last));
    if (width <= 64) return sink_.SignedVarint(int64_t(limbs_of[0] & last));
    std::vector<uint64_t> limbs(limbs_of.begin(), limbs_of.end());
    if (limbs.size() * 64 > width) limbs.back() &= last;
    while (limbs.size() > 1 && limbs.back() == 0) limbs.pop_back();
    sink_.Varint(limbs.size());
    for (const uint64_t limb : limbs) sink_.SignedVarint(int64_t(limb));
  }
  void Float() { Integer(); }
  void BooleanAttr() { sink_.Varint(uint64_t(Decode<IntegerAttr>(words_).value[0])); }
  void Elements() {
    const auto elements = Decode<ElementsAttr>(words_);
    const ShapedType tensor(m_, type_);
    uint64_t count = 0;
    if (!tensor.IsTensorOrVector() || ElementWidth(m_, tensor.element) != 1 ||
        !Module::ElementCount(tensor.shape, &count))
      return sink_.Blob(m_.payloads.StoredOf(elements.payload));
    const Payload payload = m_.payloads[elements.payload];
    // Booleans are stored as bits, or a splat as one byte; a single one as either.
    std::string bits;
    if (count > 1 ? elements.splat != 0 : count == 1 && !vhlo_) {
      bits.push_back(payload.size && payload.data[0] ? char(0xFF) : '\0');
    } else {
      bits.resize((count + 7) / 8);
      for (uint64_t i = 0; i < std::min<uint64_t>(count, payload.size); ++i)
        if (payload.data[i]) bits[i / 8] = char(uint8_t(bits[i / 8]) | 1u << (i % 8));
    }
    sink_.Bits(bits);
  }
  void Quantization() {
    const auto quant = Decode<UniformQuantizedSubChannelType>(words_);
    sink_.Attr(nodes_.AttrKey(nodes_.QuantizationElements(quant, field_ == kScales), false));
  }
  void ArrayBytes() {
    const StoredBytes bytes = m_.payloads.StoredOf(PayloadId(uint32_t(Next())));
    const uint64_t size = m_.ElementBytes(type_);
    sink_.Varint(size ? bytes.size() / size : 0);
    sink_.Blob(bytes);
  }
  void I64Bytes() {
    const uint64_t count = words_[at_];
    sink_.Type(nodes_.TypeKey(m_.Type(TypeKind::kI64), vhlo_));
    sink_.Varint(count);
    sink_.Bits(std::string(reinterpret_cast<const char*>(words_.data() + at_ + 1), count * 8));
  }
  void Strings() {
    sink_.Varint(Next());
    for (const StringId value : Decode<StringElementsAttr>(words_).values) sink_.String(m_.strings[value]);
  }
  // How many numbers follow, and those that do not follow from the others.
  void Range() {
    const auto range = Decode<FileRangeLoc>(words_);
    const bool one_line = range.start_line == range.end_line;
    const bool point = one_line && range.start_column == range.end_column;
    std::vector<int64_t> numbers;
    if (!one_line || range.start_column)
      numbers = {range.start_line, range.start_column};
    else if (range.start_line || range.end_column)
      numbers = {range.start_line};
    if (!one_line) numbers.push_back(range.end_line);
    if (numbers.size() > 1 && !point) numbers.push_back(range.end_column);
    sink_.Varint(numbers.size());
    for (const int64_t number : numbers) sink_.Varint(uint64_t(number));
  }
  void Resource() { sink_.Resource(NextString()); }
  void Width() {
    const auto integer = Decode<IntegerType>(words_);
    sink_.Varint(uint64_t(integer.width) << 2 | uint64_t(integer.signedness));
  }
  void Distinct() {}
  // EncodeAffineAttr writes these.
  void Map() {}
  void Set() {}
  void Strided() {}

 private:
  uint64_t Next() { return words_[at_++]; }
  StringId NextString() { return StringId(uint32_t(Next())); }
  void Own(AttrId attr) { sink_.Attr({attr.v, KeySpace::kOwn}); }
  Key KeyOf(uint64_t word) {
    if (holds_encoding_) return {uint32_t(word), KeySpace::kVhlo};
    return nodes_.AttrKey(AttrId(uint32_t(word)), vhlo_);
  }

  NodesOut& nodes_;
  Module& m_;
  const std::vector<uint64_t>& words_;
  const FieldStarts starts_;
  const bool vhlo_, holds_encoding_;
  SinkT& sink_;
  size_t field_ = 0, at_ = 0;
  TypeId type_;  // the last one: it says how a number is encoded
};

}  // namespace shlo::mlirbc
