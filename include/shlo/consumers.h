// Consumers: packages that read portable artifacts, such as jaxlib 0.4.30. A consumer stands for the release
// of StableHLO that it embeds, and for the dialects and element types that it has.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "shlo/diagnostics.h"
#include "shlo/module.h"
#include "shlo/source.h"
#include "shlo/version.h"

namespace shlo {

// A version of a package.
struct Consumer {
  std::string package;                   // "jaxlib", in lower case with '-' for '_'
  std::string version;                   // "0.4.30"
  std::string release;                   // of StableHLO: "1.1.3"
  std::vector<std::string> dialects;     // in addition to VHLO and those of MLIR: "chlo", "sdy"
  std::vector<std::string> lacks_types;  // element types that it does not have, as MLIR spells them
};

// Returns the consumers of schema/consumers.inc, by package, oldest first.
std::vector<Consumer> KnownConsumers();

// Returns the consumer that a requirement names: "jaxlib==0.4.30" or "jaxlib>=0.4.30" (the oldest version
// that meets it). A version may be shortened: "tensorflow==2.13". One that is not among `consumers` gets the
// release of the newest version before it. Fails with kUsage; the hint lists what is known.
Result<Consumer> FindConsumer(std::string_view requirement, std::span<const Consumer> consumers);

// Returns the version to convert to for a consumer. Fails with kUnknownVersion if the release is older than
// the first one; a release newer than all known ones is the newest known.
Result<Version> VersionFor(const Consumer& consumer);

// Returns what a program holds that a consumer does not have, whatever the version: ops, attributes and types
// of other dialects, and element types. `source` may be null.
Diagnostics ConsumerBlockers(const Module& module, const Consumer& consumer, const Source* source);

}  // namespace shlo
