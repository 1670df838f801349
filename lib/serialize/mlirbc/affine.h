// Affine maps, integer sets and strided layouts: expression trees in MLIR bytecode, text in a module. Not for
// other attributes that are kept as text: see opaque.h.
//
// Layout, numbers as varints (s: zigzag):
//   map      dims << 2 | form, then by form:
//              0 identity      nothing
//              1 permutation   a dim per result
//              2 projection    count of results, a dim per result; all different
//              3 any           count of symbols, count of results, an expression per result
//   set      counts of dims, symbols and constraints; an expression per constraint, then a byte each: 1 for
//   == 0,
//            0 for >= 0
//   strided  offset (s), count of strides, each stride (s); the least i64 stands for '?'
//   expression, in pre-order: a tag, then for 0 dim and 1 symbol its index, for 2 constant its value (s), for
//   3 add,
//            4 mul, 5 mod, 6 floordiv, 7 ceildiv the two operands
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "serialize/mlirbc/cursor.h"
#include "shlo/kinds.h"

namespace shlo::mlirbc {

// The first release whose MLIR encodes these; before, they are text in bytecode, too. LLVM's pull requests
// 191970 and 207488 of June and July 2026 lie between 1.18.0 and 1.19.0.
inline constexpr Version kEncodedAffine{72};

bool IsAffine(AttrKind kind);

// The text that a module keeps, in MLIR's spelling. False after a failure of `c`.
bool ReadAffine(InCursor& c, AttrKind kind, std::string* text);

// Returns a map or set with its expressions as MLIR simplifies them when it reads text. A text that is not in
// MLIR's spelling, or is too deep, stays as it is.
std::string SimplifyAffine(AttrKind kind, std::string_view text);

// Returns the bytes after the code, or nullopt for text that is not one of the three in MLIR's spelling.
std::optional<std::string> EncodeAffine(AttrKind kind, std::string_view text);

}  // namespace shlo::mlirbc
