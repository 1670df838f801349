// The rows of schema/mhlo.inc: what became of each op, attribute and type of MHLO.
#pragma once

#include <cstdint>
#include <string_view>

#include "shlo/op_table.h"

namespace shlo::mhlo {

// How text prints an op.
enum class Form : uint8_t {
  kSame,        // as the op that it became
  kGeneric,     // in generic form only
  kSameType,    // %a, %b {attributes} : type, or : (types) -> type
  kFunctional,  // %a, %b {attributes} : (types) -> type
  kTopK,        // (%a, k=1, largest=true) {attributes} : type -> (type, type)
  kTrace,       // %a, "tag" {attributes} : type
  kShapes,      // %a, %b {attributes} : types -> types
  kResultless,  // {attributes}
};

// The fate of an op of MHLO.
enum class Fate : uint8_t { kStablehlo, kChlo, kNone };
struct OpRow {
  std::string_view name;  // "mhlo.add"
  Fate fate;
  Form form;
  RowId row;                         // kStablehlo, kChlo: the op that it became
  std::string_view attr, value;      // an attribute that the name implies, and its value
  std::string_view properties = {};  // kChlo, kNone: the names of its attributes, as in SHLO_WIRE_OP
  std::string_view why = {};         // kNone: what to do instead
};

// Returns the row of an op by its name, also in a former dialect, or nullptr.
const OpRow* FindOpRow(std::string_view name);
// Returns the row of the op of MHLO that became `row` of StableHLO, or nullptr.
const OpRow* OpRowOf(RowId row);
// Returns whether an op has an inherent attribute of this name that no row of schema/ops.inc has.
bool HasProperty(const OpRow& row, std::string_view name);
// Returns whether such an attribute means nothing. `text` is an attribute of the dialect without "#mhlo".
bool MeansNothing(const OpRow& row, std::string_view name, std::string_view text);

// Returns whether an op passed an operand to each of its regions, which the region has by itself today.
bool PassesOperands(const OpRow& row);
// Returns whether MHLO can omit an attribute of an op that StableHLO requires.
bool IsOptional(const OpRow& row, std::string_view name);

// Returns the present name of a dialect: "chlo" for "hlo_client".
std::string_view DialectNow(std::string_view dialect);
// Returns whether a dialect was made of MHLO, but of buffers, so that it is not read.
bool IsRefused(std::string_view dialect);
// Returns the present name of an attribute; "" if it has no other name than this one.
std::string_view AttrNow(RowId row, std::string_view name);
// Return the kind of #mhlo.mnemonic or !mhlo.mnemonic; kInvalid if it is kept as text.
AttrKind FindAttr(std::string_view mnemonic);
TypeKind FindType(std::string_view mnemonic);

}  // namespace shlo::mhlo
