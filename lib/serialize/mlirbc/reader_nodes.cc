#include "serialize/mlirbc/reader_nodes.h"

#include <algorithm>

#include "base/deadline.h"
#include "base/format.h"
#include "base/stack.h"
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

AttrId NodesIn::FlaggedAttrAt(InCursor& c, bool* given) {
  const uint64_t word = c.Varint();
  *given = word & 1;
  if (!*given && word) c.Fail(kWrongFlag);
  if (*given && word >> 1 >= attrs_.size()) c.FailIndex(word >> 1, attrs_.size(), "attribute");
  return *given && c.ok() ? Attr(uint32_t(word >> 1)) : AttrId();
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
  const char* encoding = row->encoding;
  if constexpr (std::is_same_v<NodeT, AttrNode>)
    if (const char* former = FindFormerEncoding(row->dialect, code); former && HasExactly(c, former))
      encoding = former;
  size_t first;
  if (!DecodeWords(c, encoding, RowOf(row->kind).fields(), &first)) return {};
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

}  // namespace shlo::mlirbc
