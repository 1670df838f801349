// Reads the tables of a `.shlo` file: strings, payloads, types and attributes, into a Module. Maps the file's
// numbers to the ids of the module.
#pragma once

#include <vector>

#include "serialize/shlo/reader_file.h"
#include "shlo/module.h"

namespace shlo::format {

class TableReader {
 public:
  TableReader(Module* module, FileReader* file, const ShloReadOptions& options)
      : m_(*module), file_(*file), options_(options) {}

  // Each reads a section, and continues the numbers of the previous one.
  Result<void> ReadStrings(const Content& content, std::string_view name);
  Result<void> ReadPayloads(const Content& content, std::string_view name, bool may_be_external);
  Result<void> ReadNodes(const Content& content, std::string_view name, uint64_t next_string,
                         uint64_t next_payload);

  // By number in the file; entry 0 is null.
  const std::vector<StringId>& strings() const { return strings_; }
  const std::vector<TypeId>& types() const { return types_; }
  const std::vector<AttrId>& attrs() const { return attrs_; }
  const std::vector<PayloadId>& payloads() const { return payloads_; }
  // By number in the file: the constant's index in the payload table of the header plus one, 0 for others.
  const std::vector<uint32_t>& externals() const { return externals_; }

 private:
  Module& m_;
  FileReader& file_;
  const ShloReadOptions& options_;
  std::vector<StringId> strings_{StringId()};
  std::vector<TypeId> types_{TypeId()};
  std::vector<AttrId> attrs_{AttrId()};
  std::vector<PayloadId> payloads_{PayloadId()};
  std::vector<uint32_t> externals_{0};
  std::vector<uint16_t> type_depth_{0}, attr_depth_{0};
};

}  // namespace shlo::format
