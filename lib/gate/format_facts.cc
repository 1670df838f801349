// Facts of the formats: fields of the .shlo header, codes of MLIR bytecode, and differences of older texts.
#include "base/format.h"
#include "gate/embedded.h"
#include "gate/facts.h"
#include "serialize/text/program_style.h"

namespace shlo::gate {
namespace {

// The structs and tables of a FlatBuffers schema: "Chunk 0" is "struct, offset: ulong".
void AddShloFields(Facts& facts, std::string_view schema) {
  std::string kind, name;
  unsigned field = 0;
  while (!schema.empty()) {
    const size_t end = std::min(schema.find('\n'), schema.size() - 1);
    std::string_view line = schema.substr(0, end);
    schema.remove_prefix(end + 1);
    line = line.substr(0, line.find("//"));
    const size_t begin = line.find_first_not_of(' ');
    if (begin == line.npos) continue;
    line = line.substr(begin, line.find_last_not_of(" ;") + 1 - begin);
    if (line.ends_with('{')) {
      const size_t space = line.find(' ');
      kind = line.substr(0, space);
      name = line.substr(space + 1, line.rfind(' ') - space - 1);
      field = 0;
    } else if (line.find(": ") != line.npos) {
      facts.Add(Section::kShloField, StrFormat("{} {}", name, field++), StrFormat("{}, {}", kind, line),
                kMinimumVersion, kCurrentVersion);
    }
  }
}

void AddCodes(Facts& facts) {
  const auto add = [&](Section section, std::string key, std::string value) {
    facts.Add(section, std::move(key), std::move(value), kMinimumVersion, kCurrentVersion);
  };
#define SHLO_WIRE_TYPE(dialect, code, kind, encoding) \
  add(Section::kTypeCode, #dialect " " #code, #kind); \
  add(Section::kEncoding, #dialect " type " #code " " #kind, encoding);
#define SHLO_WIRE_ATTR(dialect, code, kind, encoding) \
  add(Section::kAttrCode, #dialect " " #code, #kind); \
  add(Section::kEncoding, #dialect " attribute " #code " " #kind, encoding);
#define SHLO_WIRE_FORMER(dialect, code, encoding) \
  add(Section::kEncoding, #dialect " attribute " #code " in older releases", encoding);
#define SHLO_WIRE_PROPERTY(op, name, version) \
  add(Section::kEncoding, op " property " name, "since " #version);
#define SHLO_WIRE_OP(op, properties) add(Section::kEncoding, op " properties", properties);
#define SHLO_WIRE_OPAQUE(dialect, code, mnemonic, encoding, text) \
  add(Section::kAttrCode, dialect " " #code, mnemonic);           \
  add(Section::kEncoding, dialect " attribute " #code, mnemonic ", " encoding ", " text);
#include "schema/bytecode.inc"
#define SHLO_MHLO_CHLO(op, became, form, properties) add(Section::kEncoding, op " properties", properties);
#define SHLO_MHLO_ALONE(op, form, properties, why) add(Section::kEncoding, op " properties", properties);
#include "schema/mhlo.inc"
}

}  // namespace

void AddFormatFacts(Facts& facts) {
  AddShloFields(facts, EmbeddedArtifactSchema());
  AddCodes(facts);
  for (const text::TextChange& change : text::TextChanges())
    facts.Add(Section::kOlderText, StrFormat("{} {}", change.op.empty() ? "all" : change.op, change.since.n),
              StrFormat("{} to {}", change.before, change.after), change.since, kCurrentVersion);
}

}  // namespace shlo::gate
