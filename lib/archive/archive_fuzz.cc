// libFuzzer target: the input as a pack, a list, a census and an entry of an archive. Reading stays
// within its limits, and values that were read are written and read again. The first byte chooses.
#include <cstdint>
#include <string>

#include "archive/census.h"
#include "archive/codec.h"
#include "archive/journal.h"
#include "archive/list_record.h"
#include "archive/pack_reader.h"
#include "fuzz/require.h"
#include "shlo/archive_work.h"
#include "shlo/outside.h"

namespace shlo::archive {
namespace {

// Seals the headers of a pack, so that code after the checks of checksums is reached as well.
std::string Sealed(std::string bytes) {
  const auto seal = [&](size_t at, auto structure) {
    if (at > bytes.size() || bytes.size() - at < sizeof structure) return;
    std::memcpy(&structure, bytes.data() + at, sizeof structure);
    Seal(&structure);
    std::memcpy(bytes.data() + at, &structure, sizeof structure);
  };
  seal(0, PackHeader());
  for (size_t at = sizeof(PackHeader); at + sizeof(RecordHeader) <= bytes.size();) {
    RecordHeader header;
    std::memcpy(&header, bytes.data() + at, sizeof header);
    if (header.mark != kRecordMark) break;
    const uint64_t left = bytes.size() - at - sizeof header;
    if (header.stored > left) break;
    header.checksum = Checksum(std::string_view(bytes).substr(at + sizeof header, header.stored));
    Seal(&header);
    std::memcpy(bytes.data() + at, &header, sizeof header);
    at += sizeof header + header.stored;
  }
  if (bytes.size() < sizeof(PackTrailer)) return bytes;
  PackTrailer trailer;
  const size_t at = bytes.size() - sizeof trailer;
  std::memcpy(&trailer, bytes.data() + at, sizeof trailer);
  if (trailer.index_offset <= at)
    trailer.index_checksum =
        Checksum(std::string_view(bytes).substr(trailer.index_offset, at - trailer.index_offset));
  Seal(&trailer);
  std::memcpy(bytes.data() + at, &trailer, sizeof trailer);
  return bytes;
}

void ReadAll(std::string_view bytes) {
  const MemorySource pack(bytes);
  const auto index = ReadPackIndex(pack, "input");
  if (!index) return;
  for (const PackRecord& record : index->records) {
    // A frame of zeros may stand for much: one record at a time, as a reader has it.
    if (record.header.size > 1 << 20) continue;
    auto stored = ReadStored(pack, "input", record, /*whole=*/true);
    if (!stored) continue;
    const auto content = DecodeRecord("input", record, std::move(*stored));
    if (content)
      fuzz::Require(content->size() == record.header.size, "a content has another size than its header");
  }
}

void ReadParts(std::string_view bytes) {
  if (const auto list = ReadList(bytes)) {
    const std::string again = WriteList(*list);
    const auto back = ReadList(again);
    fuzz::Require(back && back->size == list->size && back->parts.size() == list->parts.size(),
                  "a list changes when it is written");
  }
  if (const auto census = ReadCensus(bytes)) {
    const auto back = ReadCensus(WriteCensus(*census));
    fuzz::Require(back && back->live == census->live && back->replaced == census->replaced,
                  "a census changes when it is written");
  }
  ArchivedModel model;
  const ContentId id = IdOf(bytes);
  if (ApplyEntry(id, bytes, &model)) {
    fuzz::Require(NameProblem(model.name).empty() && model.version != 0, "a model without a name");
    ApplyEntry(id, bytes, &model);
    NeededIds(model);
  }
  // Entries that an import takes are those that this release writes.
  if (EntryProblem(id, bytes).empty())
    fuzz::Require(IsWellFormed(id, bytes), "an entry without a problem is malformed");
  ReadHead(id, bytes);
  WithEntryIds(bytes, {{id, id}});
  uint32_t alignment = 0;
  if (const auto constant = ParseOutsideText(bytes, &alignment)) {
    const auto back = ParseOutsideText(OutsideText(*constant, alignment), &alignment);
    fuzz::Require(back && back->key == constant->key && back->file == constant->file,
                  "a constant outside changes when it is written");
  }
  (void)ParseMigratePolicy(bytes, "input");
}

}  // namespace
}  // namespace shlo::archive

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace shlo::archive;
  if (size == 0) return 0;
  const std::string bytes(reinterpret_cast<const char*>(data + 1), size - 1);
  if (data[0] % 3 == 0) ReadAll(bytes);
  if (data[0] % 3 == 1) ReadAll(Sealed(bytes));
  if (data[0] % 3 == 2) ReadParts(bytes);
  return 0;
}
