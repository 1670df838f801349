#include "serialize/mlirbc/reader_nodes.h"

#include <algorithm>

#include "base/deadline.h"
#include "base/format.h"
#include "base/stack.h"
#include "serialize/mlirbc/affine.h"
#include "serialize/text/reader_fragments.h"
#include "shlo/print.h"
#include "shlo/types.h"

namespace shlo::mlirbc {

// --- Offsets -------------------------------------------------------------------------------------

// Entries come in runs of one dialect: its number, the number of entries, and for each its size and whether
// it is encoded.
bool NodesIn::ReadEntries(InCursor& c, std::vector<Entry>& entries, uint64_t count, uint64_t* offset,
                          const char* what) {
  const std::string_view content = file_.ContentOf(kNodeSection);
  entries.reserve(count);
  while (c.ok() && entries.size() < count) {
    const uint32_t dialect = c.Index(file_.dialects().size(), "dialect");
    if (dialect > UINT16_MAX) return c.Fail("too many dialects", Code::kLimit);
    const char* at = c.position();
    const uint64_t group = c.Count("attribute or type");
    if (c.ok() && (group > count - entries.size() || group == 0))
      return c.FailAt(
          at, StrFormat("run of {} has {} entries, with only {} left", what, group, count - entries.size()));
    for (uint64_t i = 0; i < group && c.ok(); ++i) {
      at = c.position();
      const uint64_t word = c.Varint();
      const uint64_t size = word >> 1;
      if (!c.ok()) return false;
      if (size > content.size() - *offset)
        return c.FailAt(at, StrFormat("{} have an entry of size {}, with only {} left", what, size,
                                      Count(content.size() - *offset, "byte")));
      Entry entry;
      entry.at = content.data() + *offset;
      entry.size = size;
      entry.dialect = uint16_t(dialect);
      entry.encoded = word & 1;
      entries.push_back(entry);
      *offset += size;
    }
  }
  return c.ok();
}

bool NodesIn::ReadOffsets() {
  strings_.resize(file_.strings().size());
  InCursor c = file_.In(kNodeOffsetSection);
  const uint64_t attrs = c.Count("attribute"), types = c.Count("type");
  uint64_t offset = 0;
  if (!c.ok() || !ReadEntries(c, attrs_, attrs, &offset, "attributes") ||
      !ReadEntries(c, types_, types, &offset, "types"))
    return false;
  if (c.left()) return c.Fail("trailing data after the last type");
  if (offset != file_.ContentOf(kNodeSection).size())
    return c.Fail(
        StrFormat("attributes and types use {} of {} bytes", offset, file_.ContentOf(kNodeSection).size()));
  return true;
}

StringId NodesIn::String(uint64_t number) {
  StringId& id = strings_[number];
  if (!id) id = m_.strings.Intern(file_.strings()[number]);
  return id;
}

// --- Resources -------------------------------------------------------------------------------------------

// Groups of entries, first the external ones, which belong to no dialect; each entry has a key, a size and a
// kind. The data of a blob is its alignment, its size and, at that alignment, its bytes.
bool NodesIn::ReadResources() {
  if (!file_.Has(kResourceOffsetSection)) return true;
  InCursor c = file_.In(kResourceOffsetSection);
  InCursor data = file_.In(kResourceSection);
  uint64_t external = c.Count("resource group");
  while (c.ok() && (c.left() || external)) {
    const bool other = external > 0;
    if (other) --external;
    const uint32_t owner =
        other ? c.Index(file_.strings().size(), "string") : c.Index(file_.dialects().size(), "dialect");
    const uint64_t count = c.Count("resource", 3);
    for (uint64_t i = 0; i < count && c.ok(); ++i) {
      const uint32_t key = c.Index(file_.strings().size(), "string");
      const char* at = c.position();
      const uint64_t size = c.Varint();
      const uint8_t kind = c.Byte();
      if (!c.ok()) return false;
      if (kind > uint8_t(ResourceKind::kString))
        return c.FailAt(at, StrFormat("unknown resource kind {}", kind));
      if (size > data.left())
        return c.FailAt(
            at, StrFormat("resource has size {}, with only {} left", size, Count(data.left(), "byte")));
      InCursor entry = data.Part(data.Bytes(size, "resource"));
      if (!other) resources_.push_back({String(key), owner});
      if (ResourceKind(kind) != ResourceKind::kBlob || size == 0) continue;
      const uint64_t alignment = entry.Varint(), blob_size = entry.Varint();
      if (!entry.ok()) return false;
      if (alignment == 0 || (alignment & (alignment - 1)) || alignment > (1u << 31))
        return entry.Fail(
            StrFormat("resource alignment {} is not a power of two, or is too large", alignment));
      entry.Align(alignment, file_.bytes().data());
      const std::string_view blob = entry.Bytes(blob_size, "resource data");
      if (!entry.ok()) return false;
      if (entry.left()) return entry.Fail("trailing bytes after the data of a resource");
      if (other) continue;
      m_.resources.push_back(
          {String(key), m_.payloads.AddView(blob.data(), blob.size(), owner_), uint32_t(alignment)});
    }
  }
  if (!c.ok() || !data.ok()) return false;
  if (data.left()) return data.Fail("trailing data after the last resource");
  std::sort(m_.resources.begin(), m_.resources.end(),
            [&](const Resource& a, const Resource& b) { return m_.strings[a.key] < m_.strings[b.key]; });
  for (size_t i = 1; i < m_.resources.size(); ++i)
    if (m_.resources[i].key == m_.resources[i - 1].key)
      return c.Fail(StrFormat("duplicate resource '{}'", m_.strings[m_.resources[i].key]));
  return true;
}

// --- Decoding ------------------------------------------------------------------------------------

bool NodesIn::Begin(Entry& entry, const char* what) {
  InCursor c = file_.In(kNodeSection);
  Tick();
  if (*failure_) return false;
  if (entry.state == State::kOpen) return c.FailAt(entry.at, StrFormat("recursive {}", what));
  if (depth_ >= options_.limits.max_depth)
    return c.FailAt(
        entry.at,
        StrFormat("nesting of attributes and types exceeds the limit of {}", options_.limits.max_depth),
        Code::kLimit, "pass --max-depth to raise the limit");
  entry.state = State::kOpen;
  ++depth_;
  return true;
}

AttrId NodesIn::ReadLocation(InCursor& c, uint64_t number, const char* at) {
  if (number >= attrs_.size()) c.FailIndex(number, attrs_.size(), "attribute");
  const AttrId id = c.ok() ? Attr(uint32_t(number)) : AttrId();
  if (!id) return {};
  const AttrKind kind = m_.attrs.KindOf(id);
  const bool unknown = kind == AttrKind::kUnknownLoc;
  if (!unknown && !IsLocation(kind)) c.FailAt(at, "expected a location attribute");
  if (c.ok()) attrs_[number].state = unknown ? State::kUnknownLocation : State::kLocation;
  return unknown ? AttrId() : id;
}

namespace {

// Reads the text of a node without an encoding, which ends in NUL.
bool TextOf(InCursor& c, std::string_view* text) {
  *text = c.Bytes(c.left(), "text");
  if (text->empty()) return c.Fail("text of an attribute or type is empty");
  if (text->back() != '\0')
    return c.FailAt(text->data(), "text of an attribute or type is not NUL-terminated");
  text->remove_suffix(1);
  return true;
}

// Shortens a text that cannot be parsed.
std::string Excerpt(std::string_view text) {
  return std::string(text.substr(0, 60)) + (text.size() > 60 ? "..." : "");
}

}  // namespace

// Both tables share this code: `NodeT` names the differences.
struct NodesIn::AttrNode {
  using Id = AttrId;
  static constexpr const char *kName = "attribute", *kOne = "an attribute";
  static const WireAttr* Find(Dialect dialect, uint64_t code) { return FindWireAttr(dialect, code); }
  static Result<AttrId> ReadText(Module* m, std::string_view text, const Buffer& owner, uint32_t depth) {
    return ReadAttrText(m, text, owner, depth);
  }
};
struct NodesIn::TypeNode {
  using Id = TypeId;
  static constexpr const char *kName = "type", *kOne = "a type";
  static const WireType* Find(Dialect dialect, uint64_t code) { return FindWireType(dialect, code); }
  static Result<TypeId> ReadText(Module* m, std::string_view text, const Buffer& owner, uint32_t depth) {
    return ReadTypeText(m, text, owner, depth);
  }
};

namespace {

// Returns whether the bytes that are left are exactly the integers and lists of an encoding.
bool HasExactly(const InCursor& c, std::string_view encoding) {
  Failure none;
  InCursor probe({c.position(), c.left()}, c.section(), &none);
  for (size_t i = 0; i < encoding.size() && probe.ok(); i += 2) {
    const uint64_t count = encoding[i] == 'S' ? probe.Count("number") : 1;
    for (uint64_t k = 0; k < count && probe.ok(); ++k) probe.Varint();
  }
  return probe.ok() && !probe.left();
}

}  // namespace

template <typename NodeT>
typename NodeT::Id NodesIn::Decode(const Entry& entry, std::string_view* kind) {
  InCursor c = file_.In(kNodeSection).Part({entry.at, entry.size});
  const DialectEntry& dialect = file_.dialects()[entry.dialect];
  if (!entry.encoded) {
    std::string_view text;
    if (!TextOf(c, &text)) return {};
    const auto id = NodeT::ReadText(&m_, text, owner_, options_.limits.max_depth - depth_);
    if (id) return *id;
    c.FailAt(entry.at,
             StrFormat("cannot parse {} '{}': {}", NodeT::kName, Excerpt(text), id.error()[0].message));
    return {};
  }
  const uint64_t code = c.Varint();
  if (!c.ok()) return {};
  const auto* row = NodeT::Find(dialect.dialect, code);
  if (!row) {
    if constexpr (std::is_same_v<NodeT, AttrNode>)
      if (const OpaqueRow* opaque = FindOpaqueRow(dialect.name, code)) {
        *kind = opaque->mnemonic;
        return DecodeOpaque(c, *opaque);
      }
    if (dialect.dialect == Dialect::kMhlo)
      if (const auto id = DecodeMhloText(c, code, typename NodeT::Id()); id || !c.ok()) return id;
    if constexpr (std::is_same_v<NodeT, TypeNode>)
      if (dialect.dialect == Dialect::kQuant && code >= 1 && code <= 3) {
        const TypeId type = DecodeQuantizedAny(c, code);
        if (c.ok() && c.left()) c.Fail("trailing bytes after the type");
        return type;
      }
    if (dialect.dialect == Dialect::kOther)
      c.FailAt(entry.at,
               StrFormat("unknown encoding (code {}) of {} in dialect '{}'", code, NodeT::kOne, dialect.name),
               Code::kUnsupported,
               StrFormat("print the program as text with a tool that has the dialect '{}'", dialect.name));
    else
      file_.FailUnknown(c, entry.at,
                        StrFormat("unknown code {} of {} in dialect '{}'", code, NodeT::kOne, dialect.name));
    return {};
  }
  has_mhlo_ = has_mhlo_ || dialect.dialect == Dialect::kMhlo;
  *kind = RowOf(row->kind).mnemonic;
  auto as_written = *row;
  if constexpr (std::is_same_v<NodeT, AttrNode>)
    if (const char* former = FindFormerEncoding(row->dialect, code); former && HasExactly(c, former))
      as_written.encoding = former;
  size_t first;
  if (!DecodeWords(c, as_written, RowOf(row->kind).fields(), &first)) return {};
  if (c.left()) {
    c.Fail(StrFormat("trailing bytes after the {}", NodeT::kName));
    return {};
  }
  const auto id = Finish(c, *row, std::span<const uint64_t>(scratch_).subspan(first));
  scratch_.resize(first);
  return id;
}

// Says with a failure in which node it is, and in which ones that one is.
void NodesIn::NameNode(const char* what, uint32_t number, std::string_view kind) {
  constexpr int kNamed = 4;  // of a path that may be long
  if (++named_ > kNamed) return;
  Diagnostic& d = failure_->diagnostics.front();
  if (!d.hint.empty()) d.hint += "; ";
  d.hint += StrFormat("in {} {}", what, number);
  if (!kind.empty()) d.hint += StrFormat(", of kind '{}'", kind);
}

template <typename NodeT>
typename NodeT::Id NodesIn::Read(Entry& entry, uint32_t number) {
  std::string_view kind;
  if (!Begin(entry, NodeT::kName)) return NameNode(NodeT::kName, number, kind), typename NodeT::Id();
  const auto id = Decode<NodeT>(entry, &kind);
  --depth_;
  if (!id || *failure_) {
    if (*failure_) NameNode(NodeT::kName, number, kind);
    return {};
  }
  entry.id = id.v;
  entry.state = State::kRead;
  return id;
}

AttrId NodesIn::ReadAttr(uint32_t number) {
  CheckStack();
  const AttrId id = Read<AttrNode>(attrs_[number], number);
  if (id && options_.trace) options_.trace("readAttribute " + AttrText(m_, id));
  return id;
}

TypeId NodesIn::ReadType(uint32_t number) {
  CheckStack();
  const TypeId id = Read<TypeNode>(types_[number], number);
  if (id && options_.trace) options_.trace("readType " + TypeText(m_, id));
  return id;
}

// Decodes the items of an encoding, then puts the fields in the order of the kind. The words end up on
// scratch_ from *first on.
template <typename RowT>
bool NodesIn::DecodeWords(InCursor& c, const RowT& row, std::span<const FieldRow> fields, size_t* first) {
  FieldRun runs[std::tuple_size_v<decltype(KindRow::field_rows)>];
  *first = scratch_.size();
  if (!DecodeFields(c, row, runs)) return false;
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

namespace {

// A separate frame for building the message.
[[gnu::noinline]] bool Malformed(InCursor& c, std::string_view what) { return c.Fail(std::string(what)); }

}  // namespace

// Reads a layout; none for the identity of any rank, which is the layout of a type without one.
AttrId NodesIn::DecodeLayout(InCursor& c) {
  const AttrId attr = AttrAt(c);
  return c.ok() && IsDefaultLayout(m_, attr) ? AttrId() : attr;
}

// Reads scales or zero points: two attributes of the same shape, which is the field in front of the scales.
bool NodesIn::DecodeQuantizationField(InCursor& c, size_t field, FieldRun* runs) {
  FieldRun* run = &runs[field];
  const auto put = [&](uint64_t word) { scratch_.push_back(word); };
  const bool scales = field == kScales;
  const TypeId element{uint32_t(scratch_[runs[scales ? kExpressed : kStorage].first])};
  const AttrId attr = AttrAt(c);
  std::vector<int64_t> shape;
  std::vector<uint64_t> values;
  if (!c.ok() || !DecodeQuantization(c, attr, element, scratch_[runs[kFlags].first] & 1, &shape, &values))
    return false;
  if (scales) {
    runs[kScaleShape] = {uint32_t(scratch_.size()), uint32_t(shape.size() + 1), true};
    put(shape.size());
    for (int64_t dim : shape) put(uint64_t(dim));
  } else if (!std::ranges::equal(
                 shape, std::span(scratch_).subspan(runs[kScaleShape].first + 1, runs[kScaleShape].count - 1),
                 {}, [](int64_t dim) { return uint64_t(dim); })) {
    return c.Fail("scales and zero points have different shapes");
  }
  run->first = uint32_t(scratch_.size());
  put(values.size());
  scratch_.insert(scratch_.end(), values.begin(), values.end());
  run->count = uint32_t(scratch_.size()) - run->first;
  return c.ok();
}

// Reads the name of a nested symbol.
uint64_t NodesIn::DecodeNestedSymbol(InCursor& c) {
  const AttrId attr = AttrAt(c);
  std::string_view name;
  if (!c.ok()) return 0;
  if (m_.attrs.KindOf(attr) != AttrKind::kSymbolRef || !m_.AsSymbol(attr, &name)) {
    Malformed(c, "expected a symbol as nested symbol reference");
    return 0;
  }
  return m_.Get<SymbolRefAttr>(attr).root.v;
}

// Rare items, and those that hold no other node. Sets the runs itself.
bool NodesIn::DecodeOther(InCursor& c, char item, size_t field, TypeId type, FieldRun* runs) {
  FieldRun* run = &runs[field];
  const auto put = [&](uint64_t word) { scratch_.push_back(word); };
  switch (item) {
    case 'o': {
      const uint64_t word = c.Varint();
      if (!(word & 1)) {
        if (word) return Malformed(c, "flag of an optional attribute is neither 0 nor 1");
        put(0);
        break;
      }
      if ((word >> 1) >= attrs_.size())
        return c.Fail(StrFormat("attribute index {} out of range [0, {})", word >> 1, attrs_.size()));
      put(Attr(uint32_t(word >> 1)).v);
      break;
    }
    case 'h':
    case 'y': {
      const uint64_t there = item == 'h' ? c.Varint() : c.Byte();
      if (there > 1) return Malformed(c, "flag of an optional attribute is neither 0 nor 1");
      if (there)
        put(AttrAt(c).v);
      else
        put(0);
      break;
    }
    case 'l': {
      const AttrId array = AttrAt(c);
      if (!c.ok()) return false;
      if (m_.attrs.KindOf(array) != AttrKind::kArray) return Malformed(c, "expected an array attribute");
      const auto words = m_.attrs[array].words;
      scratch_.insert(scratch_.end(), words.begin(), words.end());
      break;
    }
    case 'q':
      put(String(c.Index(file_.strings().size(), "string")).v);
      break;
    case 'n': {
      StringId string;
      if (!DecodeString(c, AttrAt(c), &string)) return false;
      put(string.v);
      break;
    }
    case 'm': {
      AttrId attr = AttrAt(c);
      if (!c.ok()) return false;
      std::string_view name;
      if (m_.attrs.KindOf(attr) == AttrKind::kString && m_.AsString(attr, &name)) attr = m_.Symbol(name);
      put(attr.v);
      break;
    }
    case 'u': {
      const AttrId attr = LocationAt(c);
      put(attr.v);
      break;
    }
    case 'j':
      put(DecodeLayout(c).v);
      break;
    case 'i':
      if (!c.ok() || !DecodeInteger(c, type)) return false;
      break;
    case 'e':
      if (!c.ok() || !DecodeFloat(c, type)) return false;
      break;
    case 'B': {
      const uint64_t value = c.Varint();
      if (value > 1) return Malformed(c, "boolean is neither 0 nor 1");
      put(m_.Type(TypeKind::kI1).v);
      run->count = 1;
      run = &runs[field + 1];
      run->first = uint32_t(scratch_.size());
      run->given = true;
      put(1);
      put(value);
      break;
    }
    case 'p':
      if (!c.ok() || !DecodeElements(c, type)) return false;
      run->count = 1;
      runs[field + 1] = {run->first + 1, 1, true};
      return c.ok();
    case 'k': {
      const char* at = c.position();
      const uint64_t count = c.Varint();
      const std::string_view blob = c.Bytes(c.Varint(), "array");
      if (!c.ok()) return false;
      const uint64_t size = m_.ElementBytes(type);
      if (size == 0 || blob.size() % size || blob.size() / size != count)
        return c.FailAt(at, StrFormat("expected array data of {}, got {}", Count(count, "element"),
                                      Count(blob.size(), "byte")));
      put(m_.payloads.AddView(blob.data(), blob.size(), owner_).v);
      break;
    }
    case 'w': {
      const uint64_t splat = c.Varint();
      const ShapedType tensor(m_, type);
      uint64_t count = 1;
      if (splat > 1) return Malformed(c, "boolean is neither 0 nor 1");
      if (!c.ok()) return false;
      if (!splat && (!tensor.IsTensorOrVector() || !Module::ElementCount(tensor.shape, &count)))
        return Malformed(c, "elements attribute does not have a statically shaped type");
      if (count > c.left()) return Malformed(c, "fewer strings than elements");
      put(splat);
      run->count = 1;
      run = &runs[field + 1];
      run->first = uint32_t(scratch_.size());
      run->given = true;
      put(count);
      for (uint64_t i = 0; i < count && c.ok(); ++i) put(String(c.Index(file_.strings().size(), "string")).v);
      break;
    }
    case 'g': {
      uint64_t v[4] = {0, 0, 0, 0};
      const uint64_t count = c.Varint();
      if (count > 4) return Malformed(c, "location has more than 4 line and column numbers");
      for (uint64_t i = 0; i < count; ++i) v[i] = c.Varint();
      // start line; start column; end column, or end line and end column
      const uint64_t range[4] = {v[0], v[1], count == 4 ? v[2] : v[0],
                                 count == 4   ? v[3]
                                 : count == 3 ? v[2]
                                              : v[1]};
      for (size_t i = 0; i < 4; ++i) {
        runs[field + i] = {uint32_t(scratch_.size()), 1, true};
        put(range[i]);
      }
      return c.ok();
    }
    case 'z': {
      const uint32_t handle = c.Index(resources_.size(), "resource");
      put(c.ok() ? resources_[handle].key.v : 0);
      break;
    }
    case 'W': {
      const uint64_t word = c.Varint();
      if ((word & 3) == 3 || word >> 2 == 0 || word >> 2 > uint64_t(kMaxIntegerWidth))
        return Malformed(c, "invalid width or signedness of an integer type");
      put(word >> 2);
      run->count = 1;
      runs[field + 1] = {uint32_t(scratch_.size()), 1, true};
      put(word & 3);
      return c.ok();
    }
    case 'x':
      put(uint64_t(distinct_++));
      break;
    case 'M':
    case 'I':
    case 'L': {
      std::string text;
      const AttrKind kind = item == 'M'   ? AttrKind::kAffineMap
                            : item == 'I' ? AttrKind::kIntegerSet
                                          : AttrKind::kStridedLayout;
      if (!ReadAffine(c, kind, &text)) return false;
      put(m_.strings.Intern(text).v);
      break;
    }
    default:
      return c.Fail("encoding is not implemented", Code::kUnsupported);
  }
  if (!c.ok()) return false;
  run->count = uint32_t(scratch_.size()) - run->first;
  return true;
}

// The items that nest deeply. This function recurses, so it has few variables; other items have their own
// functions.
template <typename RowT>
bool NodesIn::DecodeFields(InCursor& c, const RowT& row, FieldRun* runs) {
  TypeId type;  // the last type read: it says how a number is encoded
  for (const char* item = row.encoding; *item; item += 2) {
    const size_t field = size_t(item[1] - '0');
    FieldRun* run = &runs[field];
    *run = {uint32_t(scratch_.size()), 0, true};
    const auto put = [&](uint64_t word) { scratch_.push_back(word); };
    // A list: its count, then the items.
    const auto list = [&](uint64_t bytes_each, auto&& read) {
      const uint64_t n = c.Count("list item", bytes_each);
      put(n);
      for (uint64_t i = 0; i < n && c.ok(); ++i) {
        const uint64_t word = read();
        put(word);
      }
    };
    switch (*item) {
      case 'v':
        put(c.Varint());
        break;
      case 's':
        put(uint64_t(c.SignedVarint()));
        break;
      case 'f':
        put(uint64_t(c.SignedVarint()));
        break;
      case 'b': {
        const uint8_t byte = c.Byte();
        if (byte > 1) return Malformed(c, "boolean is neither 0 nor 1");
        put(byte);
        break;
      }
      case 'S':
      case 'F':
        list(1, [&] { return uint64_t(c.SignedVarint()); });
        break;
      case 'D':
        list(1, [&] { return uint64_t(c.Byte() != 0); });
        break;
      case 't':
        type = TypeAt(c);
        put(type.v);
        break;
      case 'T':
        list(1, [&] { return uint64_t(TypeAt(c).v); });
        break;
      case 'a':
        put(AttrAt(c).v);
        break;
      case 'A':
        list(1, [&] { return uint64_t(AttrAt(c).v); });
        break;
      case 'd':
        list(2, [&]() -> uint64_t {
          StringId name;
          if (!DecodeString(c, AttrAt(c), &name)) return 0;
          put(name.v);
          return AttrAt(c).v;
        });
        break;
      case 'N':
        list(1, [&] { return DecodeNestedSymbol(c); });
        break;
      case 'Q':
        if (!DecodeQuantizationField(c, field, runs)) return false;
        continue;
      default:
        if (!DecodeOther(c, *item, field, type, runs)) return false;
        continue;
    }
    if (!c.ok()) return false;
    run->count = uint32_t(scratch_.size()) - run->first;
  }
  return c.ok();
}

}  // namespace shlo::mlirbc
