// Constants of the MLIR bytecode format that its reader and writer share (docs/mlir-bytecode.md): sections,
// masks, the first format with each feature, and the layout of types and attributes of each dialect
// (schema/bytecode.inc). Nothing here reads or writes.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "ir/module/attr_names.h"
#include "shlo/kinds.h"
#include "shlo/op_table.h"
#include "shlo/version.h"

namespace shlo::mlirbc {

inline constexpr std::string_view kMagic = "ML\xEFR";
inline constexpr std::string_view kProducerPrefix = "StableHLO_v";
inline constexpr uint8_t kPaddingByte = 0xCB;

// The format, and the first one that has a feature.
inline constexpr uint64_t kNewestFormat = 6;
// MLIR had as many formats in its first years. A greater number is damage, not a format of a later MLIR.
inline constexpr uint64_t kFarthestFormat = kNewestFormat + 10;
inline constexpr uint64_t kDialectVersions = 1;
inline constexpr uint64_t kLazyRegions = 2;
inline constexpr uint64_t kUseListOrders = 3;
inline constexpr uint64_t kElidedLocations = 4;  // of block arguments; op names are counted
inline constexpr uint64_t kProperties = 5;
inline constexpr uint64_t kSegmentArrays = 6;  // sizes of variadic operands as numbers, not as an attribute

enum Section : uint8_t {
  kStringSection,
  kDialectSection,
  kNodeSection,
  kNodeOffsetSection,
  kIrSection,
  kResourceSection,
  kResourceOffsetSection,
  kDialectVersionSection,
  kPropertySection,
  kNumSections,
};
inline constexpr uint8_t kAlignedSection = 0x80;
std::string_view SectionName(Section section);

// Fields of a sub-channel quantized type (schema/kinds.inc), two of which are encoded as attributes of
// elements.
enum SubChannelField : uint8_t { kStorage, kExpressed, kFlags, kScaleShape = 7, kScales, kZeroPoints };

// Which parts an op has.
inline constexpr uint8_t kHasAttrs = 1;
inline constexpr uint8_t kHasResults = 2;
inline constexpr uint8_t kHasOperands = 4;
inline constexpr uint8_t kHasSuccessors = 8;
inline constexpr uint8_t kHasRegions = 16;
inline constexpr uint8_t kHasUseLists = 32;
inline constexpr uint8_t kHasProperties = 64;

// Discardable attributes of the module that are encoded as properties.
inline constexpr std::string_view kSegmentSizes[] = {kOperandSegmentSizes, kResultSegmentSizes};
// Number of segments whose sizes are written, or 0 if at most one is variadic (its size is implied).
size_t WrittenSegments(std::span<const Cell> cells);

enum class ResourceKind : uint8_t { kBlob, kBool, kString };

// Dialects whose types and attributes have an encoding; those of others are text.
enum class Dialect : uint8_t { kOther, kBuiltin, kVhlo, kStablehlo, kChlo, kQuant, kMhlo };
Dialect FindDialect(std::string_view name);
std::string_view DialectName(Dialect dialect);

// A row of schema/bytecode.inc.
template <typename KindT>
struct WireRow {
  Dialect dialect;
  uint8_t code;
  KindT kind;
  const char* encoding;
};
using WireType = WireRow<TypeKind>;
using WireAttr = WireRow<AttrKind>;

// A property that a later MLIR added to an op of another dialect; the op's row may lack it.
struct WireProperty {
  std::string_view op;
  std::string_view name;
  Version since;  // the release of the first writer that has it
};
std::span<const WireProperty> WireProperties();

// The properties of an op without a row, as schema/bytecode.inc spells them.
struct WireOp {
  std::string_view op;
  std::string_view properties;
  // Calls visit(name, optional, filled) for each; `filled` is the value, an attribute of the dialect arith,
  // that replaces a missing one, or "".
  template <typename VisitT>
  void ForEach(VisitT&& visit) const {
    ForEachWord([&](std::string_view word) {
      if (word[0] == '#') return;
      const size_t equals = word.find('=');
      const bool optional = word.ends_with('?') || equals != word.npos;
      const std::string_view name = word.substr(0, equals);
      visit(name.substr(0, name.size() - size_t(word.ends_with('?'))), optional,
            equals == word.npos ? std::string_view() : word.substr(equals + 1));
    });
  }
  // Returns the number of segments of the operands; 0 if their sizes are not written.
  size_t operand_groups() const {
    size_t groups = 0;
    ForEachWord([&](std::string_view word) {
      if (word[0] == '#') groups = size_t(word[1] - '0');
    });
    return groups;
  }

  template <typename VisitT>
  void ForEachWord(VisitT&& visit) const {
    for (std::string_view rest = properties; !rest.empty();) {
      const size_t end = rest.find(' ');
      visit(rest.substr(0, end));
      rest = end == std::string_view::npos ? std::string_view() : rest.substr(end + 1);
    }
  }
};
const WireOp* FindWireOp(std::string_view op);  // nullptr if its properties are not known

// Returns the rows of a kind in a dialect, in order; empty if it has no encoding there.
std::span<const WireType> WireRowsOf(Dialect dialect, TypeKind kind);
std::span<const WireAttr> WireRowsOf(Dialect dialect, AttrKind kind);
// Returns the row of a code, or nullptr if no release has it.
const WireType* FindWireType(Dialect dialect, uint64_t code);
const WireAttr* FindWireAttr(Dialect dialect, uint64_t code);
// Returns the encoding of a code in older releases, or nullptr if there is none.
const char* FindFormerEncoding(Dialect dialect, uint64_t code);

}  // namespace shlo::mlirbc
