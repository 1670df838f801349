// Constants of the `.shlo` format that its reader and writer share (docs/shlo-format.md), and the one walk
// over the fields of a type or attribute that drives both. Internal to reader and writer.
#pragma once

#include <array>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

#include "ir/module/node_words.h"
#include "serialize/varint.h"
#include "shlo/kinds.h"
#include "shlo/module.h"
#include "shlo/op_table.h"

namespace shlo::format {

inline constexpr std::string_view kMagic("\x89SHLO\r\n\x1a", 8);
inline constexpr uint32_t kFormatVersion = 1;
inline constexpr uint64_t kPreambleSize = 64;
inline constexpr uint64_t kAlignment = 64;  // of external constants
// The writer keeps smaller constants in the payload section.
inline constexpr uint64_t kExternalPayload = 1024;
// The writer begins a new page when the last one has this size.
inline constexpr uint64_t kPageSize = 1 << 20;
inline constexpr uint64_t kMaxRatio = 33000;       // of sizes before and after compression
inline constexpr uint32_t kMaxDepth = 500;         // of regions, and of types and attributes
inline constexpr uint64_t kMaxCount = 0xFFFFFFF0;  // ids are 32-bit

constexpr uint64_t AlignUp(uint64_t offset) { return (offset + (kAlignment - 1)) & ~(kAlignment - 1); }

enum Flag : uint32_t {
  kImplicitModule = 1,
  kVersionWritten = 2,
  kDebug = 4,
  kOutside = 8,
  kBits = 16,
  kAllFlags = 31
};

struct Preamble {
  char magic[8] = {};
  uint32_t format_version = 0;
  uint32_t program_version = 0;
  uint32_t flags = 0;
  uint32_t zero = 0;
  uint64_t header_offset = 0;
  uint64_t header_size = 0;
  uint64_t file_size = 0;
  uint64_t header_checksum = 0;
  uint64_t checksum = 0;
};
static_assert(sizeof(Preamble) == kPreambleSize);

enum SectionId : uint32_t {
  kStrings = 1,
  kPayloads = 2,
  kNodes = 3,
  kSignatures = 4,
  kResources = 5,
  kProgram = 6,
  kFunctions = 7,
  kDebugStrings = 16,
  kDebugPayloads = 17,
  kDebugNodes = 18,
  kDebugProgram = 19,
};
inline constexpr std::array kSections = {kStrings,       kPayloads,   kNodes,       kSignatures,
                                         kResources,     kProgram,    kFunctions,   kDebugStrings,
                                         kDebugPayloads, kDebugNodes, kDebugProgram};
inline constexpr size_t kNumProgramSections = 7;
constexpr std::string_view SectionName(uint32_t id) {
  switch (id) {
    case kStrings:
      return "strings";
    case kPayloads:
      return "payloads";
    case kNodes:
      return "types and attributes";
    case kSignatures:
      return "signatures";
    case kResources:
      return "resources";
    case kProgram:
      return "program";
    case kFunctions:
      return "functions";
    case kDebugStrings:
      return "debug strings";
    case kDebugPayloads:
      return "debug payloads";
    case kDebugNodes:
      return "debug types and attributes";
    case kDebugProgram:
      return "debug program";
  }
  return "unknown";
}

// Columns of the sections, in file order.
namespace payload {
// Small constants of 2, 4 and 8 bytes have separate columns, as planes: first the first byte of each of them,
// then the second, and so on.
enum Column { kSizes, kBytes, kPlanes2, kPlanes4, kPlanes8, kNumColumns };
constexpr int PlanesOf(uint64_t size) {
  return size == 2 ? kPlanes2 : size == 4 ? kPlanes4 : size == 8 ? kPlanes8 : kBytes;
}
// Number of planes in a column, 0 where it has none.
constexpr uint64_t PlanesIn(int column) { return column < kPlanes2 ? 0 : 2ull << (column - kPlanes2); }
}  // namespace payload
namespace node {
enum Column { kKinds, kInts, kCounts, kItems, kFloats, kStrings, kTypes, kAttrs, kPayloads, kNumColumns };
}
namespace signature {
enum Column {
  kOps,
  kRevisions,
  kOperands,
  kRegions,
  kSuccessors,
  kResults,
  kTypes,
  kDiscardableAttrs,
  kNames,
  kInherentAttrs,
  kNumColumns
};
}
namespace function {
enum Column { kNames, kOps, kPages, kNumColumns };
}
namespace stream {
enum Column {
  kSignatures,
  kAttrs,
  kOperands,
  kFar,
  kRegions,
  kArguments,
  kLengths,
  kTypes,
  kSuccessors,
  kNumColumns
};
enum Header { kOps, kFirstSignature, kFirstAttr, kNumHeader };
}  // namespace stream

// How a signature names a revision: by its ordinal, or without one by the first version it is legal at. Both
// are permanent, and no ordinal reaches the first version.
constexpr uint64_t RevisionCode(const OpRevision& revision) {
  return revision.ordinal ? revision.ordinal : revision.since.n;
}

// Walks the fields of a kind. The codec moves one value between its column and the words of the node: Count
// returns the number of items, and every call returns false on failure.
template <typename Codec>
bool WalkFields(const KindRow& row, Codec& codec) {
  for (const FieldRow& field : row.fields()) {
    uint64_t n = 1;
    if (IsList(field.type) && !codec.Count(&n)) return false;
    for (uint64_t i = 0; i < n; ++i) {
      bool ok = true;
      switch (ItemOf(field.type)) {
        case FieldType::kInt:
          ok = IsList(field.type) ? codec.Item() : codec.Int();
          break;
        case FieldType::kFloat:
          ok = codec.Float();
          break;
        case FieldType::kString:
          ok = codec.String();
          break;
        case FieldType::kType:
          ok = codec.Type();
          break;
        case FieldType::kAttr:
          ok = (field.type != FieldType::kNamed || codec.String()) &&
               codec.Attr(field.type == FieldType::kOptAttr);
          break;
        default:
          ok = codec.Payload();
      }
      if (!ok) return false;
    }
  }
  return true;
}

// The counter of a column of tracked references: code 0 is the next number never mentioned, code k + 1 is k.
class Tracked {
 public:
  explicit Tracked(uint64_t next = 1) : next_(next) {}
  uint64_t Encode(uint64_t number) {
    if (number == next_) {
      ++next_;
      return 0;
    }
    if (number > next_) next_ = number + 1;
    return number + 1;
  }
  uint64_t Decode(uint64_t code) {
    if (code == 0) return next_++;
    const uint64_t number = code - 1;
    if (number >= next_) next_ = number + 1;
    return number;
  }
  uint64_t next() const { return next_; }

 private:
  uint64_t next_;
};

// The counter of a column of tracked steps: as Tracked, but a number that is not the next one is given by its
// distance from the last such number.
class TrackedSteps {
 public:
  explicit TrackedSteps(uint64_t next = 1) : next_(next) {}
  uint64_t Encode(uint64_t number) {
    if (number == next_) {
      ++next_;
      return 0;
    }
    const uint64_t code = ZigZag(int64_t(number - expected_)) + 1;
    Mention(number);
    return code;
  }
  // A malformed code can result in any number.
  uint64_t Decode(uint64_t code) {
    if (code == 0) return next_++;
    const uint64_t number = expected_ + uint64_t(UnZigZag(code - 1));
    Mention(number);
    return number;
  }

 private:
  void Mention(uint64_t number) {
    expected_ = number + 1;
    if (number >= next_) next_ = number + 1;
  }
  uint64_t next_, expected_ = 1;
};

// Returns the first field of an attribute if it is a type, as for elements; otherwise none.
inline TypeId LeadingType(const Module& m, AttrId attr) {
  if (!attr) return {};
  const auto view = m.attrs[attr];
  const auto fields = RowOf(view.kind).fields();
  return fields.empty() || fields[0].type != FieldType::kType ? TypeId() : FieldReader(view.words).Type();
}

}  // namespace shlo::format
