// Dialects defined by a file: ops, types and attributes, in numbered versions. Programs store them like any
// unknown dialect (Module: ops without a row, opaque types and attributes); these functions verify and
// convert them. docs/dialect.md describes the file.
//
// A program states the version in an attribute of its module, such as acme.version; one that states none is
// at the newest version.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "shlo/diagnostics.h"
#include "shlo/limits.h"
#include "shlo/module.h"
#include "shlo/program.h"
#include "shlo/source.h"
#include "shlo/verify.h"
#include "shlo/version.h"

namespace shlo {

// The versions that have a part of a dialect: [since, until].
struct DialectInterval {
  static constexpr uint16_t kNoEnd = 0xFFFF;  // `until` without an end
  uint16_t since = 1;                         // first version
  uint16_t until = kNoEnd;                    // last version
  // Returns whether a version is within.
  bool Has(uint16_t version) const { return since <= version && version <= until; }
};

// A version of a dialect.
struct DialectVersion {
  uint16_t number = 0;  // from 1, without gaps
  std::string release;  // another name for it, such as "1.4.0", or ""
  Version
      stablehlo;  // first release of StableHLO with this version; by default the same as of the one before
};

// A set of types. See docs/dialect.md for the notation.
struct TypePattern {
  // The form of a type around its element type.
  enum class Container : uint8_t { kAny, kTensor, kScalar, kStatic, kPlain, kToken, kTuple, kOwn };
  // One of several; a type need fit only one.
  struct Alternative {
    Container container = Container::kAny;  // of the type
    std::vector<std::string> elements;      // words or MLIR's names of element types; empty: any
    std::string own;                        // kOwn: name of a type of the dialect
  };
  std::vector<Alternative> alternatives;  // in the order of the text
  std::string text;                       // as it is written
};

// A kind of attribute, or a list of such.
struct AttributePattern {
  // MLIR's kinds; kOwn: an attribute of the dialect.
  enum class Kind : uint8_t {
    kAny,
    kBool,
    kInteger,
    kFloat,
    kString,
    kSymbol,
    kType,
    kUnit,
    kArray,
    kDictionary,
    kElements,
    kDenseArray,
    kOwn
  };
  Kind kind = Kind::kAny;  // of the attribute, or of each in a list
  std::string name;   // kInteger, kFloat, kDenseArray: MLIR's name of the type, or "": any; kOwn: its name
  bool list = false;  // an array of these
  std::string text;   // as it is written
};

// Whether a part occurs once, at most once, or any number of times.
enum class Arity : uint8_t { kOne, kOptional, kList };

// An operand or a result.
struct DialectValue {
  std::string name;           // for messages and relations
  TypePattern type;           // of each value
  Arity arity = Arity::kOne;  // how many there are
  uint16_t list_since = 0;    // kList: the first version in which it is a list; before, it is one value
  DialectInterval versions;   // that have it
  // Returns the arity in a version.
  Arity ArityAt(uint16_t version) const { return version < list_since ? Arity::kOne : arity; }
};

// An attribute of an op. Absent means its default, if it has one.
struct DialectAttribute {
  std::string name;           // as programs have it
  AttributePattern kind;      // of its values
  std::string default_value;  // as MLIR writes it, or "": none
  bool optional = false;      // may be absent without a default
  DialectInterval versions;   // that have it
};

// A region of an op, or a list of them at its end.
struct DialectRegion {
  std::string name;           // for messages
  Arity arity = Arity::kOne;  // kOne or kList
  DialectInterval versions;   // that have it
};

// A name that an op has in some versions.
struct DialectName {
  std::string name;          // without the dialect
  DialectInterval versions;  // in which it is the op's
};

// Values whose types are equal in some respect.
struct DialectRelation {
  // Compares types, shapes, or element types.
  enum class Kind : uint8_t { kType, kShape, kElement };
  Kind kind = Kind::kType;          // of the relation
  std::vector<std::string> values;  // names of operands and results
  DialectInterval versions;         // in which it must hold
};

// An op.
struct DialectOp {
  std::vector<DialectName> names;      // oldest first, without gaps; the last one is the name of the row
  std::vector<DialectValue> operands;  // in order
  std::vector<DialectValue> results;   // in order
  std::vector<DialectAttribute> attributes;  // in any order
  std::vector<DialectRegion> regions;        // in order
  std::vector<DialectRelation> relations;    // between operands and results
  DialectInterval versions;                  // that have the op
  uint32_t line = 0;                         // in the file
  // Returns the name in a version, or the nearest one outside of `versions`.
  const std::string& NameAt(uint16_t version) const;
};

// A parameter of a type or attribute: the text between commas in <...>.
struct DialectParameter {
  // Restricts the text; kCase: to one of `cases`.
  enum class Kind : uint8_t { kType, kInteger, kString, kCase, kAttribute };
  // A word that kCase permits.
  struct Case {
    std::string name;          // the word
    DialectInterval versions;  // that have it
  };
  std::string name;              // for messages
  Kind kind = Kind::kAttribute;  // of the parameter
  std::vector<Case> cases;       // of kCase
};

// A type or attribute: !acme.name<parameters> or #acme.name<parameters>.
struct DialectKind {
  std::string name;                          // without the dialect
  std::vector<DialectParameter> parameters;  // in order
  DialectInterval versions;                  // that have it
  uint32_t line = 0;                         // in the file
};

// A dialect.
struct Dialect {
  std::string name;                      // "acme"
  std::string file;                      // for places
  std::vector<DialectVersion> versions;  // by number, from 1
  std::vector<DialectOp> ops;            // as in the file, like the next two
  std::vector<DialectKind> types;        // !acme.NAME
  std::vector<DialectKind> attributes;   // #acme.NAME

  // Returns the number of the newest version.
  uint16_t newest() const { return uint16_t(versions.size()); }
  // Returns "acme 2", or "acme 1.4.0 (2)" if it has a release.
  std::string VersionName(uint16_t version) const;
  // Returns the op that has a name, with the dialect, at a version, or nullptr.
  const DialectOp* Find(std::string_view name, uint16_t version) const;
};

// Reads a dialect from TOML. Fails with kUsage and the line; a misspelled key gets the nearest one. Checks
// that every program can be upgraded: what a version adds to an op is optional or has a default.
Result<Dialect> ParseDialect(std::string_view toml, std::string file);

// Parses a version: its number or release. Fails with kUnknownVersion.
Result<uint16_t> ParseDialectVersion(const Dialect& dialect, std::string_view text);
// Returns the newest version for a release of StableHLO; 0 for none.
uint16_t DialectVersionFor(const Dialect& dialect, Version stablehlo);

// Returns the version that a program states, or the newest. Fails with kUnknownVersion.
Result<uint16_t> DialectVersionOf(const Module& module, const Dialect& dialect,
                                  const Source* source = nullptr);

// Returns whether a program has ops, types or attributes of a dialect.
bool UsesDialect(const Module& module, const Dialect& dialect);

// Options of VerifyDialect and ConvertDialect.
struct DialectOptions {
  const Source* source = nullptr;  // of the module, for places
  size_t max_diagnostics = 1000;   // a note counts the rest
  Limits limits;                   // deadline
};

// Returns the errors of a dialect's ops, types and attributes, at the version that the program states,
// in program order.
Diagnostics VerifyDialect(const Module& module, const Dialect& dialect, const DialectOptions& options = {});

// Verifies a program, and if it has no errors its parts of these dialects.
Diagnostics VerifyProgram(const Program& program, std::span<const Dialect> dialects,
                          const VerifyOptions& options = {});
// Returns the dialects of a program whose ops nothing verifies, and how many ops they have.
std::map<std::string, uint64_t> UncheckedOps(const Module& module, std::span<const Dialect> dialects);

// A change that a conversion made, with the number of ops that have it.
struct DialectStep {
  std::string change;     // "acme.scale -> acme.scale_by", "acme.pad: attribute 'mode'"
  uint16_t boundary = 0;  // first version that has the newer form
  uint64_t ops = 0;       // that it was made in
};

// A converted module.
struct DialectConversion {
  Module module;                   // at the target version
  uint16_t from = 0;               // version of the program before
  uint16_t to = 0;                 // target
  std::vector<DialectStep> steps;  // in version order
};

// Converts the ops of a dialect, and states the version. Fails with kInvalidProgram if the program does not
// verify, and with every blocker (kBlocked) if `target` cannot represent it.
Result<DialectConversion> ConvertDialect(const Module& module, const Dialect& dialect, uint16_t target,
                                         const DialectOptions& options = {});

// Returns the blockers of a conversion, or the errors of the program.
Diagnostics DialectBlockers(const Module& module, const Dialect& dialect, uint16_t target,
                            const DialectOptions& options = {});

}  // namespace shlo
