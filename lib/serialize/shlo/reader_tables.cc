#include "serialize/shlo/reader_tables.h"

#include <memory>
#include <new>

#include "artifact_generated.h"
#include "base/deadline.h"
#include "base/format.h"
#include "base/try.h"
#include "ir/verify/node_invariants.h"

namespace shlo::format {
namespace {

// Moves fields from the columns to words, and maps references to ids of the module.
struct ColumnReader {
  Cursor* columns;
  const TableReader& tables;
  TrackedSteps next_string;
  Tracked next_payload;
  std::vector<uint64_t> words;
  const std::vector<uint16_t>& type_depth;
  const std::vector<uint16_t>& attr_depth;
  uint64_t budget;  // items left in all lists; bounded by the number of bytes
  uint32_t depth = 0;
  const char* error = nullptr;

  bool Fail(const char* why) {
    if (!error) error = why;
    return false;
  }
  bool Put(uint64_t word) {
    words.push_back(word);
    return true;
  }
  bool Count(uint64_t* n) {
    *n = columns[node::kCounts].Varint();
    if (*n > budget) return Fail("list exceeds the section");
    budget -= *n;
    return Put(*n);
  }
  bool Int() { return Put(uint64_t(UnZigZag(columns[node::kInts].Varint()))); }
  bool Item() {
    if (columns[node::kItems].left() == 0) return Fail("list item column ends early");
    return Put(uint64_t(UnZigZag(columns[node::kItems].Varint())));
  }
  bool Float() {
    if (columns[node::kFloats].left() == 0) return Fail("float column ends early");
    return Put(columns[node::kFloats].Word());
  }
  bool String() {
    if (columns[node::kStrings].left() == 0) return Fail("string column ends early");
    const uint64_t number = next_string.Decode(columns[node::kStrings].Varint());
    if (number >= tables.strings().size()) return Fail("string index out of range");
    return Put(tables.strings()[number].v);
  }
  bool Type() {
    const uint64_t number = columns[node::kTypes].Varint();
    if (number == 0 || number >= tables.types().size()) return Fail("type index out of range");
    depth = std::max<uint32_t>(depth, type_depth[number]);
    return Put(tables.types()[number].v);
  }
  bool Attr(bool optional) {
    if (columns[node::kAttrs].left() == 0) return Fail("attribute column ends early");
    const uint64_t back = columns[node::kAttrs].Varint();
    if (back == 0) return optional ? Put(0) : Fail("required attribute is missing");
    if (back >= tables.attrs().size()) return Fail("attribute index out of range");
    const uint64_t number = tables.attrs().size() - back;
    depth = std::max<uint32_t>(depth, attr_depth[number]);
    return Put(tables.attrs()[number].v);
  }
  bool Payload() {
    const uint64_t number = next_payload.Decode(columns[node::kPayloads].Varint());
    if (number == 0 || number >= tables.payloads().size()) return Fail("constant index out of range");
    return Put(tables.payloads()[number].v);
  }
};

}  // namespace

Result<void> TableReader::ReadStrings(const Content& content, std::string_view name) {
  uint64_t count = 0;
  Cursor columns[2];
  if (!SplitColumns(content.bytes, {&count, 1}, columns))
    return Malformed(name, "columns do not fill the section");
  if (count > columns[0].left() || count + strings_.size() > kMaxCount)
    return Malformed(name, "more strings than the section can hold");
  if (!file_.Take(count * 48 + columns[1].left())) return OutOfMemory(name);
  strings_.reserve(strings_.size() + count);
  for (uint64_t i = 0; i < count; ++i)
    strings_.push_back(m_.strings.Intern(columns[1].Bytes(columns[0].Varint())));
  if (!columns[0].done() || !columns[1].done())
    return Malformed(name, "lengths differ from the number of bytes");
  return {};
}

// Small constants of one size, assembled from their planes.
struct Planes {
  std::string_view bytes;  // all planes
  uint64_t size = 1, count = 0, next = 0;
  std::shared_ptr<char[]> memory;

  // Returns whether there is memory for them. The column has whole constants.
  bool Open(Cursor column, uint64_t element_size) {
    size = element_size;
    count = column.left() / size;
    bytes = column.Bytes(column.left());
    if (bytes.empty()) return true;
    memory.reset(new (std::nothrow) char[bytes.size()]);
    if (!memory) return false;
    for (uint64_t plane = 0; plane < size; ++plane)
      for (uint64_t i = 0; i < count; ++i) memory[i * size + plane] = bytes[plane * count + i];
    return true;
  }
};

Result<void> TableReader::ReadPayloads(const Content& content, std::string_view name, bool may_be_external) {
  namespace p = payload;
  uint64_t count = 0;
  Cursor columns[p::kNumColumns];
  if (!SplitColumns(content.bytes, {&count, 1}, columns))
    return Malformed(name, "columns do not fill the section");
  if (count > columns[p::kSizes].left() || count + payloads_.size() > kMaxCount)
    return Malformed(name, "more constants than the section can hold");
  if (!file_.Take(count * 64 + content.bytes.size())) return OutOfMemory(name);
  Planes planes[p::kNumColumns];
  for (int column = p::kPlanes2; column < p::kNumColumns; ++column) {
    if (columns[column].left() % p::PlanesIn(column)) return Malformed(name, "planes differ in length");
    if (!planes[column].Open(columns[column], p::PlanesIn(column))) return OutOfMemory(name);
  }
  const auto& table = *file_.header().payloads();
  uint32_t next_external = 0;
  const bool verify = options_.verify_checksums && options_.functions.empty();
  std::vector<uint32_t> raw;  // to be hashed, each in a thread
  payloads_.reserve(payloads_.size() + count);
  externals_.reserve(payloads_.size() + count);
  for (uint64_t i = 0; i < count; ++i) {
    const uint64_t code = columns[p::kSizes].Varint(), size = code >> 1;
    externals_.push_back(0);
    if (code & 1) {
      if (!may_be_external || next_external >= table.size() || table.Get(next_external)->size() != size)
        return Malformed(name, "constant differs from the payload table");
      const uint32_t index = next_external++;
      const bool is_raw = file_.IsRaw(index);
      if (is_raw && verify) raw.push_back(index);
      auto payload = SHLO_TRY(file_.LoadPayload(index, verify && !is_raw));
      payloads_.push_back(m_.payloads.AddView(payload.bytes.data(), size, payload.owner));
      externals_.back() = next_external;
    } else if (const int column = p::PlanesOf(size); column != p::kBytes) {
      Planes& from = planes[column];
      if (from.next == from.count) return Malformed(name, "sizes differ from the number of bytes");
      payloads_.push_back(m_.payloads.AddView(from.memory.get() + size * from.next++, size, from.memory));
    } else {
      const std::string_view bytes = columns[p::kBytes].Bytes(size);
      if (bytes.size() != size) return Malformed(name, "sizes differ from the number of bytes");
      payloads_.push_back(m_.payloads.AddView(bytes.data(), size, content.owner));
    }
  }
  bool done = columns[p::kSizes].done() && columns[p::kBytes].done() &&
              (!may_be_external || next_external == table.size());
  for (const Planes& from : planes) done &= from.next == from.count;
  if (!done) return Malformed(name, "sizes differ from the number of bytes");
  return file_.CheckHashes(raw);
}

Result<void> TableReader::ReadNodes(const Content& content, std::string_view name, uint64_t next_string,
                                    uint64_t next_payload) {
  uint64_t counts[2] = {};
  Cursor columns[node::kNumColumns];
  if (!SplitColumns(content.bytes, counts, columns))
    return Malformed(name, "columns do not fill the section");
  const uint64_t bytes = content.bytes.size();
  if (counts[0] > bytes || counts[1] > bytes || counts[0] + counts[1] > columns[node::kKinds].left() ||
      types_.size() + counts[0] > kMaxCount || attrs_.size() + counts[1] > kMaxCount)
    return Malformed(name, "more types and attributes than the section can hold");
  // A node takes a row and index entries, a field at most a word per byte.
  if (!file_.Take((counts[0] + counts[1]) * 64 + bytes * 8)) return OutOfMemory(name);
  const uint64_t num_types = types_.size() + counts[0], num_attrs = attrs_.size() + counts[1];
  types_.reserve(num_types);
  attrs_.reserve(num_attrs);
  type_depth_.reserve(num_types);
  attr_depth_.reserve(num_attrs);
  ColumnReader reader{columns,     *this, TrackedSteps(next_string), Tracked(next_payload), {}, type_depth_,
                      attr_depth_, bytes};
  const uint32_t max_depth = std::min(options_.limits.max_depth, kMaxDepth);
  const auto fail = [&](uint64_t index, std::string_view why) {
    return Malformed(name, StrFormat("type or attribute {}: {}", index + 1, why));
  };
  for (uint64_t i = 0; i < counts[0] + counts[1]; ++i) {
    Tick();
    const uint64_t code = columns[node::kKinds].Varint();
    const bool is_attr = code & 1;
    if (code >> 1 > 0xFFFF) return fail(i, "unknown kind");
    const uint16_t kind = uint16_t(code >> 1);
    const KindRow& row = is_attr ? RowOf(AttrKind(kind)) : RowOf(TypeKind(kind));
    if (row.id == 0) return fail(i, "unknown kind");
    reader.words.clear();
    reader.depth = 0;
    if (!WalkFields(row, reader)) return fail(i, reader.error);
    for (const Cursor& column : columns)
      if (!column.ok()) return fail(i, "column ends early");
    if (reader.depth >= max_depth)
      return Error(Code::kLimit,
                   StrFormat("types and attributes nest more than {} deep", Count(max_depth, "level")),
                   {.section = std::string(name)});
    const NodeFault fault =
        is_attr ? CheckNode(m_, AttrKind(kind), reader.words) : CheckNode(m_, TypeKind(kind), reader.words);
    if (fault != NodeFault::kNone) return fail(i, Describe(fault));
    if (is_attr && IsEnum(AttrKind(kind)) && !FindCase(AttrKind(kind), int64_t(reader.words[0])))
      return fail(i, StrFormat("unknown case {} of {}", int64_t(reader.words[0]), row.mnemonic));
    if (is_attr) {
      attrs_.push_back(m_.attrs.Intern(AttrKind(kind), reader.words));
      attr_depth_.push_back(uint16_t(reader.depth + 1));
    } else {
      types_.push_back(m_.types.Intern(TypeKind(kind), reader.words));
      type_depth_.push_back(uint16_t(reader.depth + 1));
    }
  }
  if (types_.size() != num_types || attrs_.size() != num_attrs)
    return Malformed(name, "number of types and attributes differs from the stated one");
  for (const Cursor& column : columns)
    if (!column.done()) return Malformed(name, "trailing bytes in a column");
  return {};
}

}  // namespace shlo::format
