// Reads the items of an encoding into the fields of a node: the codec of WalkItems. Mirrors writer_items.h.
#include <algorithm>

#include "base/format.h"
#include "serialize/mlirbc/affine.h"
#include "serialize/mlirbc/items.h"
#include "serialize/mlirbc/reader_nodes.h"
#include "shlo/types.h"

namespace shlo::mlirbc {

// The words of the fields end up on scratch_, in the order of the items; `runs` says where. Types and
// attributes recurse, so functions with many variables are not inlined into the walk.
class NodesIn::FieldsIn {
 public:
  FieldsIn(NodesIn& nodes, InCursor& c, FieldRun* runs)
      : nodes_(nodes), m_(nodes.m_), words_(nodes.scratch_), c_(c), runs_(runs) {}

  bool ok() const { return c_.ok(); }
  void Begin(size_t field) {
    field_ = field;
    runs_[field] = {uint32_t(words_.size()), 0, true};
  }
  void End() { runs_[field_].count = uint32_t(words_.size()) - runs_[field_].first; }
  uint64_t Count(uint64_t bytes_each) {
    const uint64_t count = c_.Count("list item", bytes_each);
    Put(count);
    return count;
  }

  void Varint() { Put(c_.Varint()); }
  void Signed() { Put(uint64_t(c_.SignedVarint())); }
  void Bool() { Put(Flag(c_.Byte(), "boolean is neither 0 nor 1")); }
  void Byte() { Put(c_.Byte() != 0); }
  void Type() {
    type_ = nodes_.TypeAt(c_);
    Put(type_.v);
  }
  void Attr() { Put(nodes_.AttrAt(c_).v); }
  void FlaggedAttr() {
    bool given;
    Put(nodes_.FlaggedAttrAt(c_, &given).v);
  }
  void CountedAttr() { Flag(c_.Varint(), kWrongFlag) ? Attr() : Put(0); }
  void ByteAttr() { Flag(c_.Byte(), kWrongFlag) ? Attr() : Put(0); }
  void Array() {
    const AttrId array = nodes_.AttrAt(c_);
    if (!ok()) return;
    if (m_.attrs.KindOf(array) != AttrKind::kArray) return Fail("expected an array attribute");
    const auto words = m_.attrs[array].words;
    words_.insert(words_.end(), words.begin(), words.end());
  }
  void String() { Put(nodes_.String(c_.Index(nodes_.file_.strings().size(), "string")).v); }
  void StringAttr() {
    StringId string;
    if (nodes_.DecodeString(c_, nodes_.AttrAt(c_), &string)) Put(string.v);
  }
  // A nested symbol.
  void Symbol() {
    const AttrId attr = nodes_.AttrAt(c_);
    std::string_view name;
    if (!ok()) return;
    if (m_.attrs.KindOf(attr) != AttrKind::kSymbolRef || !m_.AsSymbol(attr, &name))
      return Fail("expected a symbol as nested symbol reference");
    Put(m_.Get<SymbolRefAttr>(attr).root.v);
  }
  void SymbolOrAttr() {
    const AttrId attr = nodes_.AttrAt(c_);
    std::string_view name;
    if (!ok()) return;
    const bool string = m_.attrs.KindOf(attr) == AttrKind::kString && m_.AsString(attr, &name);
    Put(string ? m_.Symbol(name).v : attr.v);
  }
  void Location() { Put(nodes_.LocationAt(c_).v); }
  // None for the identity of any rank, which is the layout of a type without one.
  void Layout() {
    const AttrId attr = nodes_.AttrAt(c_);
    Put(ok() && IsDefaultLayout(m_, attr) ? 0 : attr.v);
  }
  void Entry() {
    StringAttr();
    if (ok()) Attr();
  }
  void Integer() { nodes_.DecodeInteger(c_, type_); }
  void Float() { nodes_.DecodeFloat(c_, type_); }
  void BooleanAttr() {
    const uint64_t value = Flag(c_.Varint(), "boolean is neither 0 nor 1");
    Put(m_.Type(TypeKind::kI1).v);
    NextField();
    Put(1);
    Put(value);
  }
  void Elements() {
    if (!nodes_.DecodeElements(c_, type_)) return;
    const uint32_t splat = runs_[field_].first;
    runs_[field_++].count = 1;
    runs_[field_] = {splat + 1, 0, true};
  }
  // Scales or zero points: two attributes of the same shape, which is the field before the scales.
  [[gnu::noinline]] void Quantization() {
    const bool scales = field_ == kScales;
    const TypeId element{uint32_t(words_[runs_[scales ? kExpressed : kStorage].first])};
    const AttrId attr = nodes_.AttrAt(c_);
    std::vector<int64_t> shape;
    std::vector<uint64_t> values;
    if (!ok() ||
        !nodes_.DecodeQuantization(c_, attr, element, words_[runs_[kFlags].first] & 1, &shape, &values))
      return;
    if (scales) {
      runs_[kScaleShape] = {uint32_t(words_.size()), uint32_t(shape.size() + 1), true};
      Put(shape.size());
      words_.insert(words_.end(), shape.begin(), shape.end());
    } else if (!std::ranges::equal(
                   shape,
                   std::span(words_).subspan(runs_[kScaleShape].first + 1, runs_[kScaleShape].count - 1), {},
                   [](int64_t dim) { return uint64_t(dim); })) {
      return Fail("scales and zero points have different shapes");
    }
    runs_[field_].first = uint32_t(words_.size());
    Put(values.size());
    words_.insert(words_.end(), values.begin(), values.end());
  }
  [[gnu::noinline]] void ArrayBytes() {
    const char* at = c_.position();
    const uint64_t count = c_.Varint();
    const std::string_view blob = c_.Bytes(c_.Varint(), "array");
    if (!ok()) return;
    const uint64_t size = m_.ElementBytes(type_);
    if (size == 0 || blob.size() % size || blob.size() / size != count)
      return void(c_.FailAt(at, StrFormat("expected array data of {}, got {}", shlo::Count(count, "element"),
                                          shlo::Count(blob.size(), "byte"))));
    Put(m_.payloads.AddView(blob.data(), blob.size(), nodes_.owner_).v);
  }
  // An array of any type has the same code, and its row is before this one's.
  void I64Bytes() { c_.Fail("encoding is not implemented", Code::kUnsupported); }
  [[gnu::noinline]] void Strings() {
    const uint64_t splat = Flag(c_.Varint(), "boolean is neither 0 nor 1");
    const ShapedType tensor(m_, type_);
    uint64_t count = 1;
    if (!ok()) return;
    if (!splat && (!tensor.IsTensorOrVector() || !Module::ElementCount(tensor.shape, &count)))
      return Fail("elements attribute does not have a statically shaped type");
    if (count > c_.left()) return Fail("fewer strings than elements");
    Put(splat);
    NextField();
    Put(count);
    for (; count > 0 && ok(); --count) String();
  }
  // Start line; start column; end column, or end line and end column.
  void Range() {
    uint64_t v[4] = {0, 0, 0, 0};
    const uint64_t count = c_.Varint();
    if (count > 4) return Fail("location has more than 4 line and column numbers");
    for (uint64_t i = 0; i < count; ++i) v[i] = c_.Varint();
    const bool lines = count == 4;
    const uint64_t range[] = {v[0], v[1], lines ? v[2] : v[0], lines ? v[3] : count == 3 ? v[2] : v[1]};
    Put(range[0]);
    for (size_t i = 1; i < 4; ++i) {
      NextField();
      Put(range[i]);
    }
  }
  void Resource() {
    const uint32_t handle = c_.Index(nodes_.resources_.size(), "resource");
    Put(ok() ? nodes_.resources_[handle].key.v : 0);
  }
  void Width() {
    const uint64_t word = c_.Varint();
    if ((word & 3) == 3 || word >> 2 == 0 || word >> 2 > uint64_t(kMaxIntegerWidth))
      return Fail("invalid width or signedness of an integer type");
    Put(word >> 2);
    NextField();
    Put(word & 3);
  }
  void Distinct() { Put(uint64_t(nodes_.distinct_++)); }
  void Map() { Affine(AttrKind::kAffineMap); }
  void Set() { Affine(AttrKind::kIntegerSet); }
  void Strided() { Affine(AttrKind::kStridedLayout); }

 private:
  void Put(uint64_t word) { words_.push_back(word); }
  void NextField() {
    End();
    Begin(field_ + 1);
  }
  [[gnu::noinline]] void Fail(const char* what) { c_.Fail(what); }
  uint64_t Flag(uint64_t value, const char* mistake) {
    if (value <= 1) return value;
    Fail(mistake);
    return 0;
  }
  [[gnu::noinline]] void Affine(AttrKind kind) {
    std::string text;
    if (ReadAffine(c_, kind, &text)) Put(m_.strings.Intern(text).v);
  }

  NodesIn& nodes_;
  Module& m_;
  std::vector<uint64_t>& words_;
  InCursor& c_;
  FieldRun* const runs_;
  size_t field_ = 0;
  TypeId type_;  // the last one: it says how a number is encoded
};

// Decodes the items of an encoding, then puts the fields in the order of the kind. The words end up on
// scratch_ from *first on.
bool NodesIn::DecodeWords(InCursor& c, const char* encoding, std::span<const FieldRow> fields,
                          size_t* first) {
  FieldRun runs[std::tuple_size_v<decltype(KindRow::field_rows)>];
  *first = scratch_.size();
  FieldsIn codec(*this, c, runs);
  WalkItems(encoding, codec);
  if (!c.ok()) return false;
  const size_t decoded = scratch_.size();
  // One allocation at most: the words of all fields are in scratch_ already.
  scratch_.reserve(scratch_.size() * 2 + fields.size());
  for (size_t i = 0; i < fields.size(); ++i) {
    if (!runs[i].given)
      scratch_.push_back(0);
    else
      for (uint32_t k = 0; k < runs[i].count; ++k) scratch_.push_back(scratch_[runs[i].first + k]);
  }
  scratch_.erase(scratch_.begin() + ptrdiff_t(*first), scratch_.begin() + ptrdiff_t(decoded));
  return true;
}

}  // namespace shlo::mlirbc
