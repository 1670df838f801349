// Assembles the file: sections in memory, compressed, then preamble, header, sections, bodies, constants.
// docs/shlo-format.md sections 1 and 2.
#include <zstd.h>

#include <algorithm>
#include <deque>
#include <memory>
#include <optional>

#include "artifact_generated.h"
#include "base/guarded.h"
#include "base/hex.h"
#include "base/try.h"
#include "base/workers.h"
#include "ir/print/trace_nodes.h"
#include "serialize/bits.h"
#include "serialize/shlo/format.h"
#include "serialize/shlo/writer_program.h"
#include "serialize/shlo/writer_tables.h"
#include "shlo/shlo_writer.h"

namespace shlo {
namespace {

using namespace format;

constexpr std::string_view kProducer = "shlo 0.1.0";

// Bytes of one chunk as they will be stored.
struct Stored {
  artifact::Chunk chunk;
  StoredBytes bytes;
};

// Kinds of chunk contents, for the compressor.
enum class Data { kNumbers, kBytes, kConstant };

// One zstd context for the whole file, and the memory of the compressed chunks.
class Compressor {
 public:
  explicit Compressor(int level) : context_(ZSTD_createCCtx(), ZSTD_freeCCtx), level_(level) {}

  // Stores bytes, which must stay alive, compressed if that makes them smaller. Advances `offset`.
  Result<Stored> Store(std::string_view bytes, std::span<const size_t> cuts, Data data, uint64_t* offset) {
    std::string_view stored = bytes;
    // Below this a zstd frame saves too little to be worth a reader's call.
    if (level_ != 0 && bytes.size() >= 32) {
      if (!context_) return Error(Code::kLimit, "out of memory for the compressor");
      const size_t size = Compress(bytes, cuts, data);
      if (size != 0 && size < bytes.size() && bytes.size() / size < kMaxRatio) {
        stored = {next_, size};
        next_ += size;
        left_ -= size;
      }
    }
    const uint64_t at = *offset;
    *offset += stored.size();
    const uint64_t checksum =
        data == Data::kConstant && stored.size() == bytes.size() ? 0 : ChecksumOf(stored);
    return Stored{artifact::Chunk(at, stored.size(), bytes.size(), checksum), {stored}};
  }

 private:
  // Compresses one frame to next_; returns 0 on failure. Columns differ in the numbers they hold, so each
  // large one gets separate blocks, and with them separate code tables.
  size_t Compress(std::string_view bytes, std::span<const size_t> cuts, Data data) {
    constexpr size_t kMinBlock = 1024;
    const size_t bound = ZSTD_compressBound(bytes.size()) + 64 * (cuts.size() + 1);
    if (left_ < bound) {
      left_ = std::max<size_t>(bound, 1 << 20);
      blocks_.push_back(std::make_unique_for_overwrite<char[]>(left_));
      next_ = blocks_.back().get();
    }
    Configure(data);
    if (ZSTD_isError(ZSTD_CCtx_setPledgedSrcSize(context_.get(), bytes.size()))) return 0;
    ZSTD_outBuffer out{next_, left_, 0};
    ZSTD_inBuffer in{bytes.data(), 0, 0};
    for (size_t cut : cuts) {
      if (cut - in.pos < kMinBlock || bytes.size() - cut < kMinBlock) continue;
      in.size = cut;
      if (ZSTD_compressStream2(context_.get(), &out, &in, ZSTD_e_flush) != 0) return 0;
    }
    in.size = bytes.size();
    return ZSTD_compressStream2(context_.get(), &out, &in, ZSTD_e_end) == 0 ? out.pos : 0;
  }

  void Configure(Data data) {
    const auto set = [&](ZSTD_cParameter parameter, int value) {
      ZSTD_CCtx_setParameter(context_.get(), parameter, value);
    };
    ZSTD_CCtx_reset(context_.get(), ZSTD_reset_session_and_parameters);
    set(ZSTD_c_compressionLevel, level_);
    if (data != Data::kNumbers) return;
    // A short match costs more than the code words of a few small numbers. Long ones are rare and worth a
    // search; tables larger than a column would only cost clearing them.
    set(ZSTD_c_minMatch, 6);
    if (level_ < 4 || level_ > 12) return;
    set(ZSTD_c_strategy, ZSTD_lazy2);
    set(ZSTD_c_searchLog, 6);
    set(ZSTD_c_hashLog, 17);
    set(ZSTD_c_chainLog, 17);
  }

  std::unique_ptr<ZSTD_CCtx, size_t (*)(ZSTD_CCtx*)> context_;
  int level_;
  std::vector<std::unique_ptr<char[]>> blocks_;
  char* next_ = nullptr;
  size_t left_ = 0;
};

// Collects the records that the content hash covers.
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

ChunkOut WriteResources(const Module& m, TableWriter* tables) {
  ByteBuffer columns[3];
  ChunkOut out;
  for (const Resource& resource : m.resources) {
    columns[0].Varint(tables->String(resource.key));
    columns[1].Varint(tables->Payload(resource.payload));
    columns[2].Varint(uint64_t(std::countr_zero(std::max(resource.alignment, 1u))));
  }
  AppendColumns(std::array{uint64_t(m.resources.size())}, columns, &out);
  return out;
}

ChunkOut WriteFunctions(const Module& m, const ProgramOut& program, TableWriter* tables) {
  ByteBuffer columns[function::kNumColumns];
  ChunkOut out;
  Tracked next_name;
  for (const FunctionOut& function : program.functions) {
    const StringId name = m.strings.Find(m.SymbolOf(m.ops[function.op.v]));
    columns[function::kNames].Varint(next_name.Encode(tables->String(name)));
    columns[function::kOps].Varint(function.num_ops);
  }
  for (const StreamOut& page : program.pages) columns[function::kPages].Varint(page.num_functions);
  AppendColumns(std::array{uint64_t(program.functions.size()), uint64_t(program.pages.size())}, columns,
                &out);
  return out;
}

flatbuffers::DetachedBuffer BuildHeader(
    const std::vector<artifact::Section>& sections, const std::vector<artifact::Chunk>& pages,
    const std::vector<artifact::Chunk>& debug_pages, const std::vector<artifact::Payload>& payloads,
    const std::vector<std::pair<uint32_t, const OutsideConstant*>>& outside,
    const std::vector<uint32_t>& bits, std::string_view producer, const artifact::Hash128& content_hash,
    std::string_view certificate) {
  flatbuffers::FlatBufferBuilder fbb(1024 + pages.size() * 64 + payloads.size() * 56 + certificate.size());
  std::vector<flatbuffers::Offset<artifact::Outside>> outside_tables;
  for (const auto& [payload, constant] : outside) {
    const auto sha256_at = fbb.CreateVector(constant->sha256.data(), constant->sha256.size());
    const auto file_at = fbb.CreateString(constant->file), key_at = fbb.CreateString(constant->key);
    outside_tables.push_back(artifact::CreateOutside(fbb, payload, sha256_at, file_at, key_at));
  }
  const auto outside_at = outside_tables.empty() ? 0 : fbb.CreateVector(outside_tables);
  const auto bits_at = bits.empty() ? 0 : fbb.CreateVector(bits);
  const auto producer_at = fbb.CreateString(producer.data(), producer.size());
  const auto sections_at = fbb.CreateVectorOfStructs(sections);
  const auto pages_at = fbb.CreateVectorOfStructs(pages);
  const auto debug_at = fbb.CreateVectorOfStructs(debug_pages);
  const auto payloads_at = fbb.CreateVectorOfStructs(payloads);
  const auto certificate_at = certificate.empty() ? flatbuffers::Offset<flatbuffers::String>()
                                                  : fbb.CreateString(certificate.data(), certificate.size());
  fbb.Finish(artifact::CreateArtifact(fbb, producer_at, &content_hash, sections_at, pages_at, debug_at,
                                      payloads_at, certificate_at, outside_at, bits_at));
  return fbb.Release();
}

const OutsideConstant* FindIn(const OutsideTable* outside, PayloadId id) {
  if (!outside) return nullptr;
  const auto found = outside->find(id);
  return found == outside->end() ? nullptr : &found->second;
}

// Returns booleans as bits; none if a byte is neither 0 nor 1, which only a malformed file can have.
std::optional<std::string> BitsOf(const StoredBytes& booleans) {
  BitPacker packer(booleans.size());
  if (!VisitBytes(booleans, [&](std::string_view piece) { return packer.Add(piece); })) return std::nullopt;
  return packer.Take();
}

std::string_view View(const void* data, size_t size) { return {static_cast<const char*>(data), size}; }

Result<uint64_t> WriteTo(const Module& m, const ShloWriteOptions& options, const Sink& sink) {
  if (!m.top) return Error(Code::kInvalidProgram, "cannot write an empty module");

  // Encode. Sections must be taken in this order, which is not file order.
  TraceNodes(m, "write", options.trace);
  TableWriter tables(m);
  ProgramWriter program(m, &tables, options.locations, options.source);
  auto encoded = SHLO_TRY(program.Run());
  ChunkOut parts[kSections.size()];
  std::vector<ChunkOut> debug_pages;
  parts[6] = WriteFunctions(m, encoded, &tables);
  parts[4] = WriteResources(m, &tables);
  parts[3] = program.TakeSignatures();
  parts[5] = std::move(encoded.program.content);
  parts[2] = tables.TakeNodes(1, 1);
  parts[0] = tables.TakeStrings();
  parts[1] = tables.TakePayloads(/*may_be_external=*/true);
  const auto located = [](const StreamOut& s) { return !s.op_locs.empty() || !s.arg_locs.empty(); };
  const bool debug = options.locations && (located(encoded.program) ||
                                           std::any_of(encoded.pages.begin(), encoded.pages.end(), located));
  if (debug) {
    const uint32_t strings = tables.num_strings(), payloads = tables.num_payloads();
    parts[10] = program.TakeLocations(encoded.program);
    for (const StreamOut& page : encoded.pages) debug_pages.push_back(program.TakeLocations(page));
    parts[9] = tables.TakeNodes(strings + 1, payloads + 1);
    parts[7] = tables.TakeStrings();
    parts[8] = tables.TakePayloads(/*may_be_external=*/false);
  }
  if (tables.too_deep())
    return Error(Code::kLimit, "types and attributes nest more than 500 levels deep, the limit of .shlo");

  // Compress, at offsets counted from the end of the header, and hash.
  Compressor compressor(options.zstd_level);
  ContentHasher hasher(m.version);
  uint64_t offset = 0;
  std::vector<Stored> chunks;  // sections, pages, debug sections, debug pages
  const auto store = [&](const ChunkOut& part, Data data) -> Result<void> {
    auto stored = SHLO_TRY(compressor.Store(part.bytes.view(), part.cuts, data, &offset));
    chunks.push_back(stored);
    return {};
  };
  const auto store_sections = [&](size_t first, size_t last) -> Result<void> {
    for (size_t i = first; i < last; ++i) {
      const bool numbers = kSections[i] != kStrings && kSections[i] != kPayloads &&
                           kSections[i] != kDebugStrings && kSections[i] != kDebugPayloads;
      SHLO_TRY(store(parts[i], numbers ? Data::kNumbers : Data::kBytes));
      if (i < kNumProgramSections) hasher.Add(parts[i].bytes.view());
    }
    return {};
  };
  SHLO_TRY(store_sections(0, kNumProgramSections));
  const std::vector<StreamOut>& pages = encoded.pages;
  for (const StreamOut& page : pages) {
    SHLO_TRY(store(page.content, Data::kNumbers));
    hasher.Add(page.content.bytes.view());
  }
  if (debug) {
    SHLO_TRY(store_sections(kNumProgramSections, kSections.size()));
    for (const ChunkOut& page : debug_pages) SHLO_TRY(store(page, Data::kNumbers));
  }
  const uint64_t chunks_size = offset;
  std::vector<Stored> constants;
  std::vector<std::pair<uint32_t, const OutsideConstant*>> outside;
  std::vector<uint32_t> in_bits;   // numbers of constants
  std::deque<std::string> packed;  // their bits
  for (size_t i = 0; i < tables.num_externals(); ++i) {
    const PayloadId id = tables.External(i);
    const uint64_t size = m.payloads.SizeOf(id);
    if (const OutsideConstant* constant = FindIn(options.outside, id)) {
      constants.push_back({artifact::Chunk(0, 0, size, 0), {}});
      outside.emplace_back(uint32_t(constants.size()), constant);
      continue;
    }
    std::optional<std::string> bits;
    if (tables.IsBoolean(i)) bits = BitsOf(m.payloads.StoredOf(id));
    if (bits) {
      packed.push_back(std::move(*bits));
      in_bits.push_back(uint32_t(constants.size() + 1));
    }
    if (!options.compress_constants) {
      // A raw constant needs no checksum, having a hash.
      const StoredBytes bytes = bits ? StoredBytes{packed.back()} : m.payloads.StoredOf(id);
      constants.push_back({artifact::Chunk(0, bytes.size(), size, 0), bytes});
      continue;
    }
    uint64_t unused = 0;
    const std::string_view bytes = bits ? std::string_view(packed.back()) : m.payloads[id].bytes();
    auto stored = SHLO_TRY(compressor.Store(bytes, {}, Data::kConstant, &unused));
    const artifact::Chunk& chunk = stored.chunk;
    constants.push_back({artifact::Chunk(0, chunk.stored_size(), size, chunk.checksum()), stored.bytes});
  }

  tables.HashExternals(NumThreads(options.limits.threads));
  for (size_t i = 0; i < tables.num_externals(); ++i)
    hasher.Add(m.payloads.SizeOf(tables.External(i)), tables.HashOfExternal(i));
  const artifact::Hash128 content_hash = hasher.Finish();
  std::string certificate;
  if (options.certificate)
    certificate = options.certificate(HashText({content_hash.low(), content_hash.high()}));

  // The header's size does not depend on offsets.
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
      const Hash hash = tables.HashOfExternal(i);
      if (c.stored_size() == 0) {
        payloads.emplace_back(0, 0, c.size(), 0, artifact::Hash128(hash.low, hash.high));
        continue;
      }
      const uint64_t start = AlignUp(file_size);
      payloads.emplace_back(start, c.stored_size(), c.size(), c.checksum(),
                            artifact::Hash128(hash.low, hash.high));
      file_size = start + c.stored_size();
    }
    return BuildHeader(sections, page_chunks, debug_chunks, payloads, outside, in_bits, producer,
                       content_hash, certificate);
  };
  const uint64_t base = kPreambleSize + build(0).size();
  Shift(&chunks, base);
  // Returns what precedes the chunks.
  const auto head = [&] {
    const flatbuffers::DetachedBuffer header = build(base);
    Preamble preamble;
    std::memcpy(preamble.magic, kMagic.data(), kMagic.size());
    preamble.format_version = kFormatVersion;
    preamble.program_version = m.version.n;
    preamble.flags = (options.source && options.source->implicit_module ? kImplicitModule : 0u) |
                     (options.source && options.source->version_written ? kVersionWritten : 0u) |
                     (debug ? kDebug : 0u) | (outside.empty() ? 0u : kOutside) |
                     (in_bits.empty() ? 0u : kBits);
    preamble.header_offset = kPreambleSize;
    preamble.header_size = header.size();
    preamble.file_size = file_size;
    preamble.header_checksum = ChecksumOf(View(header.data(), header.size()));
    preamble.checksum = ChecksumOf(View(&preamble, offsetof(Preamble, checksum)));
    return std::string(View(&preamble, sizeof preamble)).append(View(header.data(), header.size()));
  };

  // Write.
  uint64_t written = 0;
  const auto put = [&](std::string_view bytes) {
    written += bytes.size();
    return bytes.empty() || sink(bytes);
  };
  bool ok = put(head());
  for (size_t i = 0; ok && i < chunks.size(); ++i) ok = put(chunks[i].bytes.stored);
  static constexpr char kZeros[kAlignment] = {};
  for (size_t i = 0; ok && i < constants.size(); ++i) {
    if (constants[i].chunk.stored_size() == 0) continue;
    ok = put({kZeros, size_t(AlignUp(written) - written)}) &&
         VisitBytes(constants[i].bytes, put, NumThreads(options.limits.threads));
  }
  if (!ok) return Error(Code::kIo, "cannot write the whole artifact");
  return written;
}

}  // namespace

Result<uint64_t> WriteShloTo(const Module& module, const ShloWriteOptions& options, const Sink& sink) {
  return Guarded(options.limits, [&] { return WriteTo(module, options, sink); });
}

Result<std::string> WriteShlo(const Module& module, const ShloWriteOptions& options) {
  return Guarded(options.limits, [&]() -> Result<std::string> {
    std::string bytes;
    SHLO_TRY(WriteTo(module, options, [&](std::string_view piece) {
      if (bytes.empty()) {  // the preamble says how much there will be
        Preamble preamble;
        std::memcpy(&preamble, piece.data(), sizeof preamble);
        bytes.reserve(preamble.file_size);
      }
      bytes.append(piece);
      return true;
    }));
    return bytes;
  });
}

}  // namespace shlo
