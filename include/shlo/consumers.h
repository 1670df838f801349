// Consumers: packages that read portable artifacts, such as jaxlib 0.4.30. A consumer has a release of
// StableHLO, dialects and element types.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "shlo/convert.h"
#include "shlo/diagnostics.h"
#include "shlo/module.h"
#include "shlo/version.h"

namespace shlo {

// A version of a package.
struct Consumer {
  std::string package;                   // "jaxlib", in lower case with '-' for '_'
  std::string version;                   // "0.4.30"
  std::string release;                   // of StableHLO: "1.1.3"
  std::vector<std::string> dialects;     // in addition to VHLO, func, builtin and quant: "chlo"
  std::vector<std::string> lacks_types;  // element types that it does not have, as MLIR spells them
  // Dialects that only one of its deserializers has, and that deserializer: {"sdy", "jax.export"}.
  std::vector<std::pair<std::string, std::string>> partial_dialects;
  // Types and ops that it reads, but cannot compile: element types ("f6E2M3FN"), and ops as far as they need
  // a release
  // ("stablehlo.gather@1.1.0").
  std::vector<std::string> uncompiled;
  // Of an unknown `version`: the version of all other facts, "0.12.0.1". Else empty.
  std::string assumed_as;
};

// Returns "jaxlib 0.4.30", or "jaxlib 5.0 (assumed as 0.12.0.1)".
std::string NameOf(const Consumer& consumer);

// Returns a warning about an unknown version of a consumer, with the assumption.
Diagnostic AssumedWarning(const Consumer& consumer);

// Returns the consumers of schema/consumers.inc, by package, oldest first.
std::vector<Consumer> KnownConsumers();

// Returns whether some known consumer has a dialect.
bool IsDialectOfConsumers(std::string_view dialect);

// Returns the consumer that a requirement names: "jaxlib==0.4.30" or "jaxlib>=0.4.30" (the oldest version
// that meets it). A version may be shortened: "tensorflow==2.13". A version that is not in `consumers` is
// assumed to equal the newest one before it. Fails with kUsage; the hint lists the known ones.
Result<Consumer> FindConsumer(std::string_view requirement, std::span<const Consumer> consumers);

// Returns the version to convert to for a consumer. Fails with kUnknownVersion if the release is older than
// the first one; a release newer than all known ones is the newest known.
Result<Version> VersionFor(const Consumer& consumer);

// A reader of programs, as a user names it: a package, or the release that the reader embeds.
struct NamedConsumer {
  std::string name;                 // as messages have it: NameOf, or "WEEK_12"
  Version version;                  // that it reads
  std::optional<Consumer> package;  // what else it has and lacks; none: nothing is known
  bool is_version = false;          // `package` is only the newest known one with at most that release
};

// Returns the consumer that `text` names: a version in any notation of ParseVersion, where WEEK_4 and WEEK_12
// count back from `today`, or a requirement as of FindConsumer. Fails with kUsage or kUnknownVersion.
Result<NamedConsumer> ResolveConsumer(std::string_view text, std::span<const Consumer> consumers, Date today);

// Returns the parts of a program that a consumer lacks in any version: ops, attributes and types of other
// dialects, and element types. A gap of only some deserializers is a warning.
Diagnostics ConsumerBlockers(const Module& module, const Consumer& consumer,
                             const ConvertOptions& options = {});

// Returns the newest version that has nothing of the ops that a consumer reads and cannot compile: VersionFor
// if it compiles all. Fails with kUsage if `uncompiled` is malformed.
Result<Version> CompiledVersionFor(const Consumer& consumer);
// Returns a warning for each thing in a program, at a version that the consumer reads, that it cannot
// compile.
Diagnostics CompileWarnings(const Module& module, const Consumer& consumer,
                            const ConvertOptions& options = {});

// Returns what keeps readers of a release from reading a portable artifact of the module: they upgrade an op
// with regions and the ops in these together, and refuse the program if both are of an older revision.
Diagnostics ReaderFaults(const Module& module, Version reader, const ConvertOptions& options = {});

}  // namespace shlo
