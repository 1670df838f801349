#include "archive/record_source.h"

#include <algorithm>
#include <filesystem>

#include "base/format.h"
#include "base/try.h"

namespace shlo::archive {
namespace {

class ArchiveSource : public RecordSource {
 public:
  explicit ArchiveSource(Archive archive) : archive_(std::move(archive)) {}

  Result<std::pair<RecordHeader, std::string>> Raw(const ContentId& id) override {
    auto fetched = SHLO_TRY(FetchStored(archive_.state(), id));
    return std::pair(fetched.header, std::move(fetched.content));
  }

  Result<std::vector<PackContent::Line>> Lines() override {
    auto journal = SHLO_TRY(archive_.Journal());
    std::vector<PackContent::Line> lines;
    for (JournalLine& line : journal) lines.push_back({line.ordinal, line.id, std::move(line.text)});
    return lines;
  }

  const std::string& name() const override { return archive_.folder(); }
  uint64_t size() const override {
    const auto stats = archive_.Stats();
    return stats ? stats->packs_size : 0;
  }
  const std::unordered_map<ContentId, PackRecord, IdHash>* bundle() const override { return nullptr; }

 private:
  Archive archive_;
};

class BundleSource : public RecordSource {
 public:
  static Result<std::unique_ptr<RecordSource>> Open(const std::string& path) {
    auto pack = SHLO_TRY(FileSource::Open(path));
    auto index = SHLO_TRY(ReadPackIndex(*pack, path));
    if (!index.damage.empty()) {
      const bool other = index.damage[0].what == "not a pack";
      return Error(other ? Code::kUnsupported : Code::kChecksum,
                   other ? "the file is not a bundle, and the folder of no archive" : index.damage[0].what,
                   {.file = path, .offset = index.damage[0].offset},
                   other ? "pass a file of 'archive export', or an archive" : "export it again");
    }
    const PackHeader& header = index.header;
    if (!(header.flags & kBundle) || header.sequence != 0 || header.previous != PackHash())
      return Error(Code::kMalformed, "the file is a pack of an archive, and no bundle", {.file = path},
                   "pass the folder of the archive");
    std::unique_ptr<BundleSource> source(new BundleSource(path, std::move(pack)));
    for (const PackRecord& record : index.records) {
      const bool fresh = source->records_.try_emplace(record.header.id, record).second;
      if (!fresh || record.header.kind == RecordKind::kCensus)
        return Error(Code::kMalformed,
                     fresh ? "the bundle has a census, which only packs of archives have"
                           : StrFormat("the bundle has {} twice", IdText(record.header.id)),
                     {.file = path, .offset = record.offset}, "export it again");
    }
    return source;
  }

  Result<std::pair<RecordHeader, std::string>> Raw(const ContentId& id) override {
    const auto found = records_.find(id);
    if (found == records_.end())
      return Error(Code::kMalformed, "it does not have the bytes of " + IdText(id), {.file = path_});
    auto stored = SHLO_TRY(ReadStored(*pack_, path_, found->second, /*whole=*/true));
    return std::pair(found->second.header, std::move(stored));
  }

  Result<std::vector<PackContent::Line>> Lines() override {
    std::vector<PackContent::Line> lines;
    for (const auto& [id, record] : records_) {
      if (record.header.kind != RecordKind::kEntry) continue;
      auto stored = ReadStored(*pack_, path_, record, /*whole=*/true);
      auto text = SHLO_TRY(stored ? DecodeRecord(path_, record, std::move(*stored)) : stored);
      if (IdOf(text) != id)
        return Error(Code::kChecksum, StrFormat("the entry {} is not the one that its id names", IdText(id)),
                     {.file = path_, .offset = record.offset}, "export it again");
      lines.push_back({record.header.ordinal, id, std::move(text)});
    }
    std::ranges::sort(lines, [](const auto& a, const auto& b) {
      return std::tie(a.ordinal, a.id) < std::tie(b.ordinal, b.id);
    });
    return lines;
  }

  const std::string& name() const override { return path_; }
  uint64_t size() const override { return pack_->size(); }
  const std::unordered_map<ContentId, PackRecord, IdHash>* bundle() const override { return &records_; }

 private:
  BundleSource(std::string path, std::shared_ptr<FileSource> pack)
      : path_(std::move(path)), pack_(std::move(pack)) {}

  const std::string path_;
  std::shared_ptr<FileSource> pack_;
  std::unordered_map<ContentId, PackRecord, IdHash> records_;
};

}  // namespace

Result<std::unique_ptr<RecordSource>> OpenSource(const std::string& path) {
  std::error_code error;
  if (!std::filesystem::is_directory(path, error)) return BundleSource::Open(path);
  auto archive = SHLO_TRY(Archive::Open(path));
  return SourceOf(archive);
}

std::unique_ptr<RecordSource> SourceOf(const Archive& archive) {
  return std::make_unique<ArchiveSource>(archive);
}

Fetch FetchFrom(RecordSource& source) {
  return [&source](const ContentId& id) -> Result<Fetched> {
    auto raw = SHLO_TRY(source.Raw(id));
    const RecordHeader header = raw.first;
    auto content = SHLO_TRY(DecodeRecord(source.name(), {0, header}, std::move(raw.second)));
    return Fetched{header, std::move(content)};
  };
}

}  // namespace shlo::archive
