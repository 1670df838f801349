// The file as a whole: sections in memory, compressed, then preamble, header, sections, bodies, constants.
// docs/shlo-format.md sections 1 and 2.
#include "serialize/shlo_writer.h"

#include <zstd.h>

#include <memory>

#include "artifact_generated.h"
#include "serialize/shlo_format.h"
#include "serialize/shlo_writer_program.h"
#include "serialize/shlo_writer_tables.h"

namespace shlo {
namespace {

using namespace format;

constexpr std::string_view kProducer = "shlo 0.1.0";

// Bytes of one chunk as they will be stored.
struct Stored {
  artifact::Chunk chunk;
  std::string_view bytes;
};

// One zstd context for the whole file, and the memory of what it compressed.
class Compressor {
 public:
  explicit Compressor(int level) : context_(ZSTD_createCCtx(), ZSTD_freeCCtx), level_(level) {}

  // Stores bytes that stay where they are, compressed where that makes them smaller. `offset` moves on.
  // A raw constant needs no checksum, having a hash.
  Result<Stored> Store(std::string_view bytes, bool compress, bool constant, uint64_t* offset) {
    std::string_view stored = bytes;
    // Below this a zstd frame cannot be smaller by enough to be worth a reader's call.
    if (compress && level_ != 0 && bytes.size() >= 32) {
      if (!context_) return Error(Code::kLimit, "out of memory for the compressor");
      const size_t bound = ZSTD_compressBound(bytes.size());
      if (left_ < bound) {
        left_ = std::max<size_t>(bound, 1 << 20);
        blocks_.emplace_back(new char[left_]);
        next_ = blocks_.back().get();
      }
      const size_t size = ZSTD_compressCCtx(context_.get(), next_, left_, bytes.data(), bytes.size(), level_);
      if (!ZSTD_isError(size) && size < bytes.size() && bytes.size() / size < kMaxRatio) {
        stored = {next_, size};
        next_ += size;
        left_ -= size;
      }
    }
    const uint64_t at = *offset;
    *offset += stored.size();
    const uint64_t checksum = constant && stored.size() == bytes.size() ? 0 : ChecksumOf(stored);
    return Stored{artifact::Chunk(at, stored.size(), bytes.size(), checksum), stored};
  }

 private:
  std::unique_ptr<ZSTD_CCtx, size_t (*)(ZSTD_CCtx*)> context_;
  int level_;
  std::vector<std::unique_ptr<char[]>> blocks_;
  char* next_ = nullptr;
  size_t left_ = 0;
};

// Collects the records the content hash is made of.
class ContentHasher {
 public:
  explicit ContentHasher(Version version) { records_.Word(version.n); }
  void Add(uint64_t size, Hash hash) {
    records_.Word(size);
    records_.Word(hash.low);
    records_.Word(hash.high);
  }
  void Add(std::string_view bytes) { Add(bytes.size(), HashOf(bytes)); }
  artifact::Hash128 Finish() const {
    const Hash hash = HashOf(records_.view());
    return artifact::Hash128(hash.low, hash.high);
  }

 private:
  ByteBuffer records_;
};

// Moves all chunks by a distance.
void Shift(std::vector<Stored>* chunks, uint64_t by) {
  for (Stored& s : *chunks)
    s.chunk =
        artifact::Chunk(s.chunk.offset() + by, s.chunk.stored_size(), s.chunk.size(), s.chunk.checksum());
}

ByteBuffer WriteResources(const Module& m, TableWriter* tables) {
  ByteBuffer columns[3], out;
  for (const Resource& resource : m.resources) {
    columns[0].Varint(tables->String(resource.key));
    columns[1].Varint(tables->Payload(resource.payload));
    columns[2].Varint(uint64_t(std::countr_zero(std::max(resource.alignment, 1u))));
  }
  AppendColumns(std::array{uint64_t(m.resources.size())}, columns, &out);
  return out;
}

// The function table, and the bodies laid into pages.
ByteBuffer WriteFunctions(const Module& m, std::vector<StreamOut>& streams, TableWriter* tables,
                          std::vector<ByteBuffer>* pages) {
  ByteBuffer columns[function::kNumColumns], out;
  Tracked next_name;
  uint64_t in_page = 0, signature = 1, attr = 1;
  for (StreamOut& stream : streams) {
    if (!stream.function) continue;
    if (pages->empty() || pages->back().size() >= kPageSize) {
      if (in_page) columns[function::kPages].Varint(in_page);
      in_page = 0;
      pages->emplace_back();
    }
    ++in_page;
    stream.page = pages->size() - 1;
    const StringId name = m.strings.Find(m.SymbolOf(m.ops[stream.function.v]));
    columns[function::kNames].Varint(next_name.Encode(tables->String(name)));
    columns[function::kOps].Varint(stream.num_ops);
    pages->back().Varint(stream.bytes.size());
    columns[function::kFirstSignatures].Varint(stream.first_signature - signature);
    columns[function::kFirstAttrs].Varint(stream.first_attr - attr);
    signature = stream.first_signature;
    attr = stream.first_attr;
    pages->back().Bytes(stream.bytes.view());
  }
  if (in_page) columns[function::kPages].Varint(in_page);
  AppendColumns(std::array{uint64_t(streams.size() - 1), uint64_t(pages->size())}, columns, &out);
  return out;
}

flatbuffers::DetachedBuffer BuildHeader(const std::vector<artifact::Section>& sections,
                                        const std::vector<artifact::Chunk>& pages,
                                        const std::vector<artifact::Chunk>& debug_pages,
                                        const std::vector<artifact::Payload>& payloads,
                                        std::string_view producer, const artifact::Hash128& content_hash) {
  flatbuffers::FlatBufferBuilder fbb(1024 + pages.size() * 64 + payloads.size() * 56);
  const auto producer_at = fbb.CreateString(producer.data(), producer.size());
  const auto sections_at = fbb.CreateVectorOfStructs(sections);
  const auto pages_at = fbb.CreateVectorOfStructs(pages);
  const auto debug_at = fbb.CreateVectorOfStructs(debug_pages);
  const auto payloads_at = fbb.CreateVectorOfStructs(payloads);
  fbb.Finish(artifact::CreateArtifact(fbb, producer_at, &content_hash, sections_at, pages_at, debug_at,
                                      payloads_at));
  return fbb.Release();
}

std::string_view View(const void* data, size_t size) { return {static_cast<const char*>(data), size}; }

}  // namespace

Result<uint64_t> WriteShloTo(const Module& m, const ShloWriteOptions& options,
                             const std::function<bool(std::string_view)>& sink) {
  if (!m.top) return Error(Code::kInvalidProgram, "an empty module cannot be written");

  // Encode. Sections come in the order in which they must be taken, not in file order.
  TableWriter tables(m, options.trace);
  ProgramWriter program(m, &tables, options.locations);
  auto streams = program.Run();
  if (!streams) return tl::unexpected(std::move(streams.error()));
  ByteBuffer parts[kSections.size()];
  std::vector<ByteBuffer> pages, debug_pages;
  parts[6] = WriteFunctions(m, *streams, &tables, &pages);
  parts[4] = WriteResources(m, &tables);
  parts[3] = program.TakeSignatures();
  parts[5] = std::move((*streams)[0].bytes);
  parts[2] = tables.TakeNodes(1, 1);
  parts[0] = tables.TakeStrings();
  parts[1] = tables.TakePayloads(/*may_be_external=*/true);
  bool debug = false;
  if (options.locations)
    for (const StreamOut& s : *streams) debug |= !s.op_locs.empty() || !s.arg_locs.empty();
  if (debug) {
    const uint32_t strings = tables.num_strings(), payloads = tables.num_payloads();
    for (const StreamOut& s : *streams) {
      ByteBuffer body = program.TakeDebugBody(s);
      if (!s.function) {
        parts[10] = std::move(body);
        continue;
      }
      debug_pages.resize(s.page + 1);
      debug_pages[s.page].Varint(body.size());
      debug_pages[s.page].Bytes(body.view());
    }
    parts[9] = tables.TakeNodes(strings + 1, payloads + 1);
    parts[7] = tables.TakeStrings();
    parts[8] = tables.TakePayloads(/*may_be_external=*/false);
  }
  if (tables.too_deep())
    return Error(Code::kLimit, "types and attributes nest more than 500 deep, which .shlo cannot say");

  // Compress, at offsets counted from the end of the header, and hash.
  Compressor compressor(options.zstd_level);
  ContentHasher hasher(m.version);
  uint64_t offset = 0;
  std::vector<Stored> chunks;  // sections, pages, debug sections, debug pages
  const auto store = [&](const ByteBuffer& part) -> Result<bool> {
    auto stored = compressor.Store(part.view(), true, false, &offset);
    if (!stored) return tl::unexpected(std::move(stored.error()));
    chunks.push_back(*stored);
    return true;
  };
  for (size_t i = 0; i < kNumProgramSections; ++i) {
    if (auto ok = store(parts[i]); !ok) return tl::unexpected(std::move(ok.error()));
    hasher.Add(parts[i].view());
  }
  for (const ByteBuffer& page : pages) {
    if (auto ok = store(page); !ok) return tl::unexpected(std::move(ok.error()));
    hasher.Add(page.view());
  }
  if (debug) {
    for (size_t i = kNumProgramSections; i < kSections.size(); ++i)
      if (auto ok = store(parts[i]); !ok) return tl::unexpected(std::move(ok.error()));
    for (const ByteBuffer& page : debug_pages)
      if (auto ok = store(page); !ok) return tl::unexpected(std::move(ok.error()));
  }
  const uint64_t chunks_size = offset;
  std::vector<Stored> constants;
  for (const TableWriter::External& external : tables.externals()) {
    hasher.Add(external.bytes.size(), external.hash);
    uint64_t unused = 0;
    auto stored = compressor.Store(external.bytes, options.compress_constants, true, &unused);
    if (!stored) return tl::unexpected(std::move(stored.error()));
    constants.push_back(*stored);
  }

  // The header's size does not depend on offsets, so it is built twice.
  const std::string_view producer = options.producer.empty() ? kProducer : std::string_view(options.producer);
  uint64_t file_size = 0;
  const auto build = [&](uint64_t base) {
    std::vector<artifact::Section> sections;
    std::vector<artifact::Chunk> page_chunks, debug_chunks;
    std::vector<artifact::Payload> payloads;
    auto at = chunks.begin();
    for (size_t i = 0; i < kNumProgramSections; ++i) sections.emplace_back(kSections[i], (at++)->chunk);
    for (size_t i = 0; i < pages.size(); ++i) page_chunks.push_back((at++)->chunk);
    if (debug) {
      for (size_t i = kNumProgramSections; i < kSections.size(); ++i)
        sections.emplace_back(kSections[i], (at++)->chunk);
      for (size_t i = 0; i < debug_pages.size(); ++i) debug_chunks.push_back((at++)->chunk);
    }
    file_size = base + chunks_size;
    for (size_t i = 0; i < constants.size(); ++i) {
      const artifact::Chunk& c = constants[i].chunk;
      const Hash& hash = tables.externals()[i].hash;
      const uint64_t start = AlignUp(file_size);
      payloads.emplace_back(start, c.stored_size(), c.size(), c.checksum(),
                            artifact::Hash128(hash.low, hash.high));
      file_size = start + c.stored_size();
    }
    return BuildHeader(sections, page_chunks, debug_chunks, payloads, producer, hasher.Finish());
  };
  flatbuffers::DetachedBuffer header = build(0);
  const uint64_t base = kPreambleSize + header.size();
  Shift(&chunks, base);
  header = build(base);

  Preamble preamble;
  std::memcpy(preamble.magic, kMagic.data(), kMagic.size());
  preamble.format_version = kFormatVersion;
  preamble.program_version = m.version.n;
  preamble.flags = (m.implicit_module ? kImplicitModule : 0u) | (m.version_written ? kVersionWritten : 0u) |
                   (debug ? kDebug : 0u);
  preamble.header_offset = kPreambleSize;
  preamble.header_size = header.size();
  preamble.file_size = file_size;
  preamble.header_checksum = ChecksumOf(View(header.data(), header.size()));
  preamble.checksum = ChecksumOf(View(&preamble, offsetof(Preamble, checksum)));

  // Write.
  uint64_t written = 0;
  const auto put = [&](std::string_view bytes) {
    written += bytes.size();
    return bytes.empty() || sink(bytes);
  };
  bool ok = put(View(&preamble, sizeof preamble)) && put(View(header.data(), header.size()));
  for (size_t i = 0; ok && i < chunks.size(); ++i) ok = put(chunks[i].bytes);
  static constexpr char kZeros[kAlignment] = {};
  for (size_t i = 0; ok && i < constants.size(); ++i)
    ok = put({kZeros, size_t(AlignUp(written) - written)}) && put(constants[i].bytes);
  if (!ok) return Error(Code::kIo, "the artifact could not be written completely");
  return written;
}

Result<std::string> WriteShlo(const Module& module, const ShloWriteOptions& options) {
  std::string bytes;
  auto written = WriteShloTo(module, options, [&](std::string_view piece) {
    if (bytes.empty()) {  // the preamble says how much there will be
      Preamble preamble;
      std::memcpy(&preamble, piece.data(), sizeof preamble);
      bytes.reserve(preamble.file_size);
    }
    bytes.append(piece);
    return true;
  });
  if (!written) return tl::unexpected(std::move(written.error()));
  return bytes;
}

}  // namespace shlo
