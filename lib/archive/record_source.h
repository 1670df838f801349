// Where import and export take records from: an archive, or a bundle.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "archive/assemble.h"

namespace shlo::archive {

class RecordSource {
 public:
  virtual ~RecordSource() = default;
  // Returns the stored bytes of the record of an id, compared with their checksum, and its header.
  virtual Result<std::pair<RecordHeader, std::string>> Raw(const ContentId& id) = 0;
  // Returns the lines of the journal, in order.
  virtual Result<std::vector<PackContent::Line>> Lines() = 0;
  // Returns its name, for diagnostics.
  virtual const std::string& name() const = 0;
  // Returns its size in bytes.
  virtual uint64_t size() const = 0;
  // Returns the headers of all records of a bundle; nullptr for an archive, which has others besides.
  virtual const std::unordered_map<ContentId, PackRecord, IdHash>* bundle() const = 0;
};

// Opens an archive or a bundle; the content decides.
Result<std::unique_ptr<RecordSource>> OpenSource(const std::string& path);
// Returns a source of an archive that is open.
std::unique_ptr<RecordSource> SourceOf(const Archive& archive);

// Returns the records of a source, decoded.
Fetch FetchFrom(RecordSource& source);

}  // namespace shlo::archive
