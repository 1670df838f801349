#include "serialize/mlirbc/reader_file.h"

#include "base/format.h"
#include "ir/table/release.h"

namespace shlo::mlirbc {

ArtifactRelease ReleaseOf(std::string_view producer) {
  ArtifactRelease release;
  if (!producer.starts_with(kProducerPrefix)) return release;
  release.text = producer.substr(kProducerPrefix.size());
  if (const auto number = ParseReleaseNumber(release.text)) {
    release.version = VersionOfRelease(*number);
    release.newer = *number > NumberOf(kCurrentVersion);
  }
  return release;
}

std::string UpdateHint(const ArtifactRelease& release) {
  return StrFormat("update shlo-compat: release {} wrote the artifact, and {} is the newest known",
                   release.text, FindVersion(kCurrentVersion)->release);
}

bool FileIn::FailUnknown(InCursor& c, const char* at, std::string message) const {
  const ArtifactRelease release = ReleaseOf(producer_);
  if (release.newer) return c.FailAt(at, std::move(message), Code::kNewerVersion, UpdateHint(release));
  if (!release.text.empty())
    return c.FailAt(at, std::move(message), Code::kMalformed,
                    StrFormat("the file is damaged, because release {} has no such thing: copy it again, or "
                              "make it again",
                              release.text));
  return c.FailAt(at, std::move(message), Code::kMalformed,
                  StrFormat("copy the file again, or make it again; update shlo-compat if a release after {} "
                            "wrote it",
                            FindVersion(kCurrentVersion)->release));
}

bool FileIn::Open() {
  InCursor c(bytes_, kNumSections, failure_);
  if (bytes_.empty()) return c.Fail("file is empty");
  if (bytes_.size() < kMagic.size())
    return c.Fail(
        StrFormat("file has {}, fewer than the magic number of MLIR bytecode", Count(bytes_.size(), "byte")));
  if (!bytes_.starts_with(kMagic)) return c.Fail("magic number of MLIR bytecode is missing");
  c.Bytes(kMagic.size(), "magic number");
  format_ = c.Varint();
  if (!c.ok()) return false;
  const char* const producer = c.position();
  const void* end = std::memchr(producer, 0, c.left());
  if (end) producer_ = {producer, size_t(static_cast<const char*>(end) - producer)};
  if (format_ > kNewestFormat) {
    std::string message =
        StrFormat("unknown bytecode format {}; the newest known format is {}", format_, kNewestFormat);
    if (format_ > kFarthestFormat || (!ReleaseOf(producer_).text.empty() && !ReleaseOf(producer_).newer))
      return FailUnknown(c, producer, std::move(message));
    return c.Fail(std::move(message), Code::kNewerVersion, "update shlo-compat");
  }
  if (!end) return c.Fail("producer string is not NUL-terminated");
  c.Bytes(producer_.size(), "producer string");
  c.Byte();
  while (c.ok() && c.left()) {
    const char* at = c.position();
    Section id;
    std::string_view content;
    if (!ReadSection(c, &id, &content)) return false;
    if (Has(id)) return c.FailAt(at, StrFormat("duplicate section '{}'", SectionName(id)));
    sections_[id] = content;
  }
  if (!c.ok()) return false;
  for (Section id : {kStringSection, kDialectSection, kNodeSection, kNodeOffsetSection, kIrSection})
    if (!Has(id)) return c.Fail(StrFormat("section '{}' is missing", SectionName(id)));
  if (format_ >= kProperties && !Has(kPropertySection))
    return c.Fail(StrFormat("section '{}' is missing", SectionName(kPropertySection)));
  if (format_ < kProperties && Has(kPropertySection))
    return c.Fail(
        StrFormat("bytecode format {} has no section '{}'", format_, SectionName(kPropertySection)));
  if (Has(kDialectVersionSection))
    return c.Fail(StrFormat("section '{}' is outside of section '{}'", SectionName(kDialectVersionSection),
                            SectionName(kDialectSection)));
  if (Has(kResourceSection) != Has(kResourceOffsetSection))
    return c.Fail("file has only one of the sections 'resources' and 'resource offsets'");
  return true;
}

bool FileIn::ReadSection(InCursor& c, Section* id, std::string_view* content) const {
  const char* at = c.position();
  const uint8_t code = c.Byte();
  const uint64_t size = c.Varint();
  if (!c.ok()) return false;
  const uint8_t number = code & uint8_t(~kAlignedSection);
  if (number >= kNumSections) return c.FailAt(at, StrFormat("unknown section {}", number));
  *id = Section(number);
  if (code & kAlignedSection) {
    const uint64_t alignment = c.Varint();
    c.Align(alignment, bytes_.data());
  }
  if (!c.ok()) return false;
  if (size > c.left())
    return c.FailAt(at, StrFormat("section '{}' has size {}, with only {} left", SectionName(*id), size,
                                  Count(c.left(), "byte")));
  *content = c.Bytes(size, "section");
  return c.ok();
}

bool FileIn::ReadStrings() {
  InCursor c = In(kStringSection);
  const uint64_t count = c.Count("string", 2);  // a size and a NUL each
  if (!c.ok()) return false;
  strings_.resize(count);
  // Sizes come last string first, so that the data of the last one ends with the section.
  const std::string_view data(c.position(), c.left());
  size_t end = data.size();
  for (size_t i = count; i-- > 0;) {
    const char* at = c.position();
    const uint64_t size = c.Varint();
    if (!c.ok()) return false;
    if (size == 0 || size > end)
      return c.FailAt(at, StrFormat("string {} has size {}, with only {} left", i, size, Count(end, "byte")));
    end -= size;
    if (data[end + size - 1] != '\0')
      return c.FailAt(data.data() + end, StrFormat("string {} is not NUL-terminated", i));
    strings_[i] = data.substr(end, size - 1);
  }
  if (c.position() != data.data() + end)
    return c.Fail("string sizes do not fill the section, or overlap the string data");
  return true;
}

bool FileIn::ReadDialects() {
  InCursor c = In(kDialectSection);
  const uint64_t count = c.Count("dialect");
  if (!c.ok()) return false;
  dialects_.resize(count);
  for (DialectEntry& entry : dialects_) {
    const char* at = c.position();
    uint64_t name = c.Varint();
    bool versioned = false;
    if (format_ >= kDialectVersions) {
      versioned = name & 1;
      name >>= 1;
    }
    if (!c.ok()) return false;
    if (name >= strings_.size())
      return c.FailAt(
          at, StrFormat("dialect name has string index {} out of range [0, {})", name, strings_.size()));
    entry.name = strings_[name];
    entry.dialect = FindDialect(entry.name);
    if (!versioned) continue;
    const char* section_at = c.position();
    Section id;
    if (!ReadSection(c, &id, &entry.version)) return false;
    if (id != kDialectVersionSection)
      return c.FailAt(section_at, "expected section 'dialect version' for the version of a dialect");
  }
  uint64_t names = 0;
  if (format_ >= kElidedLocations) names = c.Count("op name");
  op_names_.reserve(names);
  while (c.ok() && c.left()) {
    const uint32_t dialect = c.Index(dialects_.size(), "dialect");
    const uint64_t group = c.Count("op name");
    for (uint64_t i = 0; i < group && c.ok(); ++i) {
      const char* at = c.position();
      OpNameEntry entry;
      entry.dialect = dialect;
      uint64_t name = c.Varint();
      if (format_ >= kProperties) {
        entry.registered = name & 1;
        name >>= 1;
      }
      if (!c.ok()) return false;
      if (name >= strings_.size())
        return c.FailAt(at,
                        StrFormat("op name has string index {} out of range [0, {})", name, strings_.size()));
      entry.name = strings_[name];
      op_names_.push_back(entry);
    }
  }
  if (!c.ok()) return false;
  if (format_ >= kElidedLocations && names != op_names_.size())
    return c.Fail(StrFormat("expected {}, got {}", Count(names, "op name"), op_names_.size()));
  return true;
}

}  // namespace shlo::mlirbc
