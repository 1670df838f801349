// Files whose columns lie: every chunk can be replaced, with all checksums and offsets as they should be, so
// that the reader's checks of the columns are all that is left. The columns are those of docs/shlo-format.md.
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>

#include "ir/module/builder.h"
#include "serialize/shlo/test_damage.h"
#include "serialize/shlo/test_programs.h"
#include "serialize/varint.h"
#include "shlo/shlo_reader.h"
#include "shlo/shlo_writer.h"

namespace shlo {
namespace {

// The header numbers and the columns of a chunk.
struct Columns {
  std::vector<uint64_t> header;
  std::vector<std::string> columns;
};

Columns Split(std::string_view bytes, size_t num_header, size_t num_columns) {
  Columns out{std::vector<uint64_t>(num_header), std::vector<std::string>(num_columns)};
  std::vector<Cursor> columns(num_columns);
  EXPECT_TRUE(format::SplitColumns(bytes, out.header, columns));
  for (size_t i = 0; i < num_columns; ++i) out.columns[i] = columns[i].Bytes(columns[i].left());
  return out;
}

std::string Join(const Columns& c) {
  ByteBuffer out;
  for (const uint64_t x : c.header) out.Varint(x);
  for (const std::string& column : c.columns) out.Varint(column.size());
  for (const std::string& column : c.columns) out.Bytes(column);
  return std::string(out.view());
}

std::string Varints(std::initializer_list<uint64_t> numbers) {
  ByteBuffer out;
  for (const uint64_t x : numbers) out.Varint(x);
  return std::string(out.view());
}

// Which chunk of a file: a section, or the first page of the functions or of their locations.
enum class Part { kSection, kPage, kDebugPage };
struct ChunkId {
  Part part = Part::kSection;
  format::SectionId section{};
};

// Returns the file with another content of a chunk, stored without compression. The program has no constants
// that are stored apart from the sections.
std::string WithChunk(const std::string& file, ChunkId id,
                      const std::function<std::string(std::string_view)>& change) {
  format::Preamble p;
  std::memcpy(&p, file.data(), sizeof p);
  std::vector<uint64_t> words(p.header_size / 8 + 1);  // aligned
  std::memcpy(words.data(), file.data() + format::kPreambleSize, p.header_size);
  const auto* root = format::ParseHeader(reinterpret_cast<const uint8_t*>(words.data()), p.header_size);
  EXPECT_TRUE(root && root->payloads()->size() == 0);
  std::vector<const artifact::Chunk*> chunks;
  const artifact::Chunk* wanted = nullptr;
  for (const artifact::Section* s : *root->sections()) {
    chunks.push_back(&s->chunk());
    if (id.part == Part::kSection && s->id() == id.section) wanted = chunks.back();
  }
  for (const auto* c : *root->pages()) chunks.push_back(c);
  for (const auto* c : *root->debug_pages()) chunks.push_back(c);
  if (id.part == Part::kPage) wanted = root->pages()->Get(0);
  if (id.part == Part::kDebugPage) wanted = root->debug_pages()->Get(0);
  std::sort(chunks.begin(), chunks.end(), [](auto* a, auto* b) {
    return std::pair(a->offset(), a->stored_size()) < std::pair(b->offset(), b->stored_size());
  });
  std::string out = file.substr(0, format::kPreambleSize + p.header_size);
  for (const artifact::Chunk* c : chunks) {
    std::string content = file.substr(c->offset(), c->stored_size());
    EXPECT_EQ(c->stored_size(), c->size());
    if (c == wanted) content = change(content);
    const artifact::Chunk moved(out.size(), content.size(), content.size(), 0);
    out += content;
    const size_t place =
        size_t(reinterpret_cast<const char*>(c) - reinterpret_cast<const char*>(words.data()));
    std::memcpy(out.data() + format::kPreambleSize + place, &moved, sizeof moved);
  }
  RepairChecksums(&out);
  return out;
}

// Returns the section and the message of the error, or "" if a file is read.
std::string Said(const std::string& file) {
  const auto module = ReadShlo(file, nullptr);
  return module ? "" : module.error()[0].place.section + ": " + module.error()[0].message;
}

class ShloReaderColumns : public testing::Test {
 protected:
  static std::string Uncompressed(const Module& m) {
    auto bytes = WriteShlo(m, {.zstd_level = 0});
    EXPECT_TRUE(bytes);
    return bytes ? *bytes : "";
  }
  // Returns what the reader says after a change of the columns of a chunk.
  static std::string After(const std::string& file, ChunkId id, size_t num_header, size_t num_columns,
                           const std::function<void(Columns&)>& change) {
    return Said(WithChunk(file, id, [&](std::string_view content) {
      Columns columns = Split(content, num_header, num_columns);
      change(columns);
      return Join(columns);
    }));
  }
  // Likewise, in a program with constants of 1 to 8 bytes.
  static std::string Payloads(const std::function<void(Columns&)>& change) {
    static const std::string file = Uncompressed(Constants({"a", "bc", "de", "fghi", "jklmnopq"}));
    return After(file, {Part::kSection, format::kPayloads}, 1, format::payload::kNumColumns, change);
  }
  static std::string Strings(const std::function<void(Columns&)>& change) {
    static const std::string file = Uncompressed(TwoFunctions());
    return After(file, {Part::kSection, format::kStrings}, 1, 2, change);
  }
  static std::string Functions(const std::function<void(Columns&)>& change) {
    static const std::string file = Uncompressed(TwoFunctions());
    return After(file, {Part::kSection, format::kFunctions}, 2, format::function::kNumColumns, change);
  }
  static std::string Page(const std::function<void(Columns&)>& change) {
    static const std::string file = Uncompressed(TwoFunctions());
    return After(file, {Part::kPage}, format::stream::kNumHeader, format::stream::kNumColumns, change);
  }
  static void Nothing(Columns&) {}
};

TEST_F(ShloReaderColumns, AreReadAsTheyWere) {
  EXPECT_EQ(Payloads(Nothing), "");
  EXPECT_EQ(Strings(Nothing), "");
  EXPECT_EQ(Functions(Nothing), "");
  EXPECT_EQ(Page(Nothing), "");
}

TEST_F(ShloReaderColumns, Strings) {
  EXPECT_EQ(Strings([](Columns& c) { c.header[0] = c.columns[0].size() + 1; }),
            "strings: more strings than the section can hold");
  EXPECT_EQ(Strings([](Columns& c) { c.columns[0].back()++; }),
            "strings: lengths differ from the number of bytes");
  EXPECT_EQ(Strings([](Columns& c) { c.columns[1] += 'x'; }),
            "strings: lengths differ from the number of bytes");
  EXPECT_EQ(Strings([](Columns& c) { c.columns[0] += '\0'; }),
            "strings: lengths differ from the number of bytes");
}

TEST_F(ShloReaderColumns, Payloads) {
  namespace p = format::payload;
  const std::string differ = "payloads: sizes differ from the number of bytes";
  for (const int planes : {p::kPlanes2, p::kPlanes4, p::kPlanes8}) {
    EXPECT_EQ(Payloads([&](Columns& c) { c.columns[size_t(planes)] += 'x'; }),
              "payloads: planes differ in length");
    // One constant more than sizes, and one less.
    const size_t size = size_t(p::PlanesIn(planes));
    EXPECT_EQ(Payloads([&](Columns& c) { c.columns[size_t(planes)] += std::string(size, 'x'); }), differ);
    EXPECT_EQ(Payloads([&](Columns& c) {
                c.columns[size_t(planes)].resize(c.columns[size_t(planes)].size() - size);
              }),
              differ);
  }
  EXPECT_EQ(Payloads([](Columns& c) { c.columns[p::kBytes] += 'x'; }), differ);
  EXPECT_EQ(Payloads([](Columns& c) { c.columns[p::kBytes].clear(); }), differ);
  EXPECT_EQ(Payloads([](Columns& c) { c.columns[p::kSizes] += '\0'; }), differ);
  EXPECT_EQ(Payloads([](Columns& c) { c.header[0] = c.columns[p::kSizes].size() + 1; }),
            "payloads: more constants than the section can hold");
  // The first constant claims to be the first one that is stored apart.
  EXPECT_EQ(Payloads([](Columns& c) { c.columns[p::kSizes][0] |= 1; }),
            "payloads: constant differs from the payload table");
}

TEST_F(ShloReaderColumns, Functions) {
  namespace f = format::function;
  EXPECT_EQ(Functions([](Columns& c) { c.header[0] = c.columns[f::kNames].size() + 1; }),
            "functions: more functions than the section can hold");
  EXPECT_EQ(Functions([](Columns& c) { c.columns[f::kNames][0] = 1; }),
            "functions: name of function 1 in the table differs from its name in the program");
  EXPECT_EQ(Functions([](Columns& c) {
              c.header[0] = 1;
              c.columns[f::kNames].pop_back();
              c.columns[f::kOps].pop_back();
              c.columns[f::kPages] = Varints({1});
            }),
            "functions: numbers of functions in the table and in the program differ");
  for (const uint64_t functions : {0, 1, 3})
    EXPECT_EQ(Functions([&](Columns& c) { c.columns[f::kPages] = Varints({functions}); }),
              "functions: numbers of functions and pages differ");
  EXPECT_EQ(Functions([](Columns& c) { c.header[1] = 2; }),
            "functions: more functions than the section can hold");
  EXPECT_EQ(Functions([](Columns& c) { c.columns[f::kNames][0] = 100; }),
            "functions: name of function 1 is out of range");
  for (size_t column = 0; column < f::kNumColumns; ++column)
    EXPECT_EQ(Functions([&](Columns& c) { c.columns[column] += '\0'; }),
              "functions: columns differ in number of entries");
}

TEST_F(ShloReaderColumns, PagesOfFunctions) {
  namespace s = format::stream;
  const std::string page = "page of functions: ";
  EXPECT_EQ(Page([](Columns& c) { c.header[s::kOps] = c.columns[s::kSignatures].size() + 1; }),
            page + "more ops than the stream can hold");
  EXPECT_EQ(Page([](Columns& c) { --c.header[s::kOps]; }), page + "more ops than the stream declares");
  EXPECT_EQ(Page([](Columns& c) { c.header[s::kFirstSignature] = 1000; }),
            page + "first signature or attribute is out of range");
  EXPECT_EQ(Page([](Columns& c) { c.header[s::kFirstAttr] = 0; }),
            page + "first signature or attribute is out of range");
  EXPECT_EQ(Page([](Columns& c) {
              c.columns[s::kRegions] = Varints({1000, 1});
            }),
            page + "more blocks than the stream can hold");
  EXPECT_EQ(Page([](Columns& c) {
              c.columns[s::kArguments] = Varints({1000, 1});
            }),
            page + "more arguments than the stream can hold");
  EXPECT_EQ(Page([](Columns& c) { c.columns[s::kLengths][0] = 100; }),
            page + "more ops than the body declares");
  EXPECT_EQ(Page([](Columns& c) { c.columns[s::kLengths][0] = 2; }), page + "more ops than the blocks hold");
  for (size_t column = 0; column < s::kNumColumns; ++column)
    EXPECT_EQ(Page([&](Columns& c) { c.columns[column] += '\0'; }),
              page + "columns and ops differ in number of entries")
        << column;
}

TEST_F(ShloReaderColumns, EmptyPages) {
  const std::string file = Uncompressed(TwoFunctions());
  const auto empty = [](std::string_view) { return std::string(); };
  EXPECT_EQ(Said(WithChunk(file, {Part::kPage}, empty)), "program: more regions than the pages can hold");
  EXPECT_EQ(Said(WithChunk(file, {Part::kDebugPage}, empty)), "header: page is empty");
}

// Counts of a signature are multiplied by the ops that have it: no sum overflows, and nothing is reserved.
TEST_F(ShloReaderColumns, SumsOfCounts) {
  namespace s = format::signature;
  const std::string file = Uncompressed(MakeModule([](Builder* b) {
    for (int i = 0; i < 300; ++i) b->AddOp({.name = b->module().strings.Intern("x.y")});
  }));
  const auto with = [&](s::Column column, uint64_t count) {
    return After(file, {Part::kSection, format::kSignatures}, 1, s::kNumColumns, [&](Columns& c) {
      // The first signature is that of the module; the second is that of x.y, whose counts are all 0.
      EXPECT_EQ(c.columns[column][1], 0);
      c.columns[column].replace(1, 1, Varints({count}));
    });
  };
  const std::string exceeds = "program: number of operands, results or regions exceeds the limit";
  EXPECT_EQ(with(s::kOperands, format::kMaxCount), exceeds);
  EXPECT_EQ(with(s::kRegions, 2 * format::kMaxCount), exceeds);
  EXPECT_EQ(with(s::kSuccessors, 2 * format::kMaxCount), exceeds);
  EXPECT_EQ(with(s::kOperands, format::kMaxCount + 1), "signatures: signature 2: count is too large");
  EXPECT_EQ(with(s::kOperands, 1), "program: column ends early");
}

}  // namespace
}  // namespace shlo
