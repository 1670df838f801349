#include "archive/pack_writer.h"

#include "archive/limits.h"
#include "base/format.h"
#include "base/try.h"

namespace shlo::archive {

Result<std::unique_ptr<PackWriter>> PackWriter::Create(const std::string& path, const PackHeader& header) {
  std::unique_ptr<PackWriter> writer(new PackWriter(path, (header.flags & kBundle) != 0));
  SHLO_TRY(writer->file_.Open(/*binary=*/true));
  writer->header_ = header;
  Seal(&writer->header_);
  writer->file_.Append(BytesOf(writer->header_));
  writer->offset_ = sizeof(PackHeader);
  return writer;
}

Result<void> PackWriter::Add(RecordKind kind, const ContentId& id, uint64_t content_size,
                             const StoredContent& stored, uint64_t ordinal) {
  RecordHeader header;
  std::string_view bytes = stored.bytes();
  header.encoding = stored.encoding;
  header.planes = stored.planes;
  // Readers refuse a higher compression ratio.
  if (stored.encoding == Encoding::kZstd && !stored.raw.empty() &&
      content_size > MaxContent(kind, bytes.size())) {
    bytes = stored.raw;
    header.encoding = Encoding::kRaw;
    header.planes = 1;
  }
  header.kind = kind;
  header.stored = bytes.size();
  header.size = content_size;
  header.ordinal = ordinal;
  header.id = id;
  header.checksum = Checksum(bytes);
  Seal(&header);
  // A record that was written can be read.
  if (content_size > MaxContent(kind) || ordinal > kMaxNumber)
    return Error(Code::kLimit, ordinal > kMaxNumber
                                   ? StrFormat("the journal has {} entries, and holds no more", kMaxNumber)
                                   : StrFormat("a record of {} exceeds {} MiB", Count(content_size, "byte"),
                                               MaxContent(kind) >> 20));
  Copy(header, bytes);
  return {};
}

void PackWriter::Copy(const RecordHeader& header, std::string_view stored) {
  records_.push_back({offset_, header});
  file_.Append(BytesOf(header));
  file_.Append(stored);
  offset_ += sizeof header + stored.size();
}

Result<void> PackWriter::Finish() {
  std::string index;
  index.reserve(records_.size() * sizeof(RecordHeader));
  for (const PackRecord& record : records_) index += BytesOf(record.header);
  PackTrailer trailer;
  trailer.index_offset = offset_;
  trailer.records = records_.size();
  trailer.file_size = offset_ + index.size() + sizeof trailer;
  trailer.index_checksum = Checksum(index);
  trailer.hash = hash_ = HashOf(header_, index);
  Seal(&trailer);
  file_.Append(index);
  file_.Append(BytesOf(trailer));
  offset_ = trailer.file_size;
  return file_.Commit();
}

}  // namespace shlo::archive
