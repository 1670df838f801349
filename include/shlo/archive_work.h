// Work on whole archives: goldens, verification, migration, prune, repair, and models that go from one
// archive to another (docs/archive.md). All of it can be repeated: finished work is
// skipped.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "shlo/archive.h"
#include "shlo/consumers.h"
#include "shlo/convert.h"
#include "shlo/evaluate.h"
#include "shlo/tensor.h"
#include "shlo/window.h"

namespace shlo::archive {

// One of several equal parts of some work, such as one machine's.
struct WorkPart {
  uint64_t index = 1;  // from 1
  uint64_t count = 1;  // of parts
  // Returns whether a thing belongs to this part: the same on every machine.
  bool Has(const ContentId& id) const;
  bool Has(uint64_t number) const;
};

// --- Goldens --------------------------------------------------------------------------------------------

// A tolerance, and why.
struct Justified {
  double tolerance = 0;  // see GoldenDifference
  std::string reason;    // for people
};
// Returns the tolerance that evaluation justifies for a program (docs/archive.md, "Goldens").
Justified JustifiedTolerance(const Module& module);

// Inputs and results of a function.
struct NewGolden {
  std::string program;          // name in the container, or number in a text, from 2; else empty
  std::string function;         // symbol name; "" for main
  std::vector<Tensor> inputs;   // arguments, in order
  std::vector<Tensor> results;  // in order
  double tolerance = 0;         // see GoldenDifference
  std::string reason;           // why this tolerance
};
// Evaluates a function and stores arguments and results. Fails if evaluation or a check in the program fails,
// or if a value is not a tensor.
Result<NewGolden> ComputeGolden(const Program& program, const std::string& function,
                                std::vector<Tensor> inputs, const EvalOptions& options);
// Adds a golden and its tensors. Returns its entry.
Result<ContentId> AddGolden(Writer& writer, const ContentId& model, const NewGolden& golden);

// Returns the inputs or results of a golden, as the archive has them.
Result<std::vector<Tensor>> LoadTensors(const Archive& archive, std::span<const ArchivedTensor> tensors);
// Evaluates the function of a golden again. Returns what differs, a sentence per result; empty: nothing.
Result<std::vector<std::string>> CheckGolden(const Archive& archive, const ArchivedGolden& golden,
                                             const Program& program, const EvalOptions& options);

// --- Migration ------------------------------------------------------------------------------------------

// Options of Migrate.
struct MigrateOptions {
  Version target;                       // to convert to
  CompatibilityWindow window;           // how old a program may be
  bool allow_outside_window = false;    // ignore the window
  bool allow_other_dialects = false;    // see ConvertOptions
  bool lenient = false;                 // violated constraints are warnings
  bool expand = false;                  // rewrite ops that the target lacks, and CHLO (shlo/expand.h)
  Evidence at_least = Evidence::kLaws;  // of a proof that counts
  std::string tool;                     // that writes files and certificates: "shlo-compat 0.1.0"
  Limits limits;                        // of each program
};

// The outcome for a model.
enum class MigrateOutcome : uint8_t {
  kMigrated,       // there is a new form
  kUpToDate,       // the newest form is at the target already, or newer
  kOutsideWindow,  // too old to be converted
  kBlocked,        // the target cannot represent it
  kNotProved,      // converted, but the proof is too weak
  kFailed,         // it could not be read, written or proved
};
// Returns "migrated", "up-to-date", "outside-window", "blocked", "not-proved" or "failed".
std::string_view OutcomeName(MigrateOutcome outcome);

// A model at another version, not added yet.
struct Migration {
  MigrateOutcome outcome = MigrateOutcome::kFailed;  // of all programs of the file
  Version from;                                      // of the programs; the lowest of several
  Version to;                                        // that they were converted to
  Evidence evidence = Evidence::kNone;               // the weakest of the programs
  std::vector<Law> laws;                             // that the proofs needed
  Diagnostics diagnostics;                           // why it did not become migrated; warnings
  ArchivedForm form;                                 // to add
  std::string bytes;                                 // of the file that holds the programs
  std::vector<ConstantRange> constants;              // in it
  std::vector<std::string> certificates;             // of the programs
};
// Converts the newest form of a model, reads the result back, and proves that it is equal. Needs no lock:
// several models may be migrated at the same time, or on several machines.
Migration Migrate(const Archive& archive, const ArchivedModel& model, const MigrateOptions& options);
// Adds a form that was migrated, and records that the checker has accepted it. Returns its entry.
Result<ContentId> AddMigration(Writer& writer, const ArchivedModel& model, Migration migration);

// Returns the last day on which a program of a version is inside the backward window, if a release comes out
// that day.
Date LastDayInWindow(Version version, const CompatibilityWindow& window);

// A table of a policy of migration (docs/archive.md, "Migration").
struct MigrateRule {
  std::vector<std::string> match;       // patterns of names
  std::string target;                   // version, as ParseVersion takes it
  Evidence at_least = Evidence::kLaws;  // see MigrateOptions
  bool expand = false;                  // see MigrateOptions
  bool skip = false;                    // leave the models alone
};
// Reads a policy. Fails with kUsage and the line.
Result<std::vector<MigrateRule>> ParseMigratePolicy(std::string_view text, std::string name);

// Runs the checker again on a form's certificates, which state that its programs equal the programs of its
// source form. Repeats evaluations. Returns the claims that do not hold; empty: all hold. Fails with kUsage
// if the source form was removed.
Result<Diagnostics> CheckForm(const Archive& archive, const ArchivedModel& model, size_t form,
                              const Limits& limits);
// Likewise, that the newest form of a model can replace an older one: by the checker, or by a new proof if no
// certificate is about both. A record of acceptance is not enough to delete a form.
Result<Diagnostics> CheckSuperseded(const Archive& archive, const ArchivedModel& model, size_t older,
                                    const Limits& limits);

// --- Verification ---------------------------------------------------------------------------------------

// Something that is damaged or missing.
struct ArchiveDamage {
  Place place;                      // file, and offset in it
  std::string what;                 // for people
  ContentId id;                     // of the damaged data; none: unknown
  std::vector<std::string> models;  // that need it, by label, sorted
};

// Options of Scrub.
struct ScrubOptions {
  uint32_t threads = 0;   // 0: one per processor
  bool content = true;    // decompress, and compare SHA-256; else only checksums
  bool assemble = false;  // assemble each file of each model, too
  WorkPart part;          // of the packs, and of the models to assemble
  std::function<void(uint64_t done, uint64_t all)> progress;  // bytes; from the calling thread
};

// The findings of Scrub.
struct ScrubReport {
  std::vector<ArchiveDamage> damage;  // by pack and offset
  uint64_t packs = 0;                 // that were read
  uint64_t records = 0;               // in them
  uint64_t bytes = 0;                 // of them
  uint64_t files = 0;                 // that were assembled
};

// Reads all packs and compares every byte with its checksum; then the chain of packs, what models need with
// the content of the packs, and the catalog with the packs.
Result<ScrubReport> Scrub(const Archive& archive, const ScrubOptions& options = {});

// Returns what differs between the catalog and one that is made from the packs, by table; empty: nothing.
Result<std::vector<std::string>> CompareCatalog(const Archive& archive);
// Makes the catalog again.
Result<void> RebuildCatalog(const Archive& archive, const WriterOptions& options);

// Content that two models have, in bytes of pieces that are stored once.
struct ContentOverlap {
  uint64_t a = 0;       // of the first model
  uint64_t b = 0;       // of the second one
  uint64_t shared = 0;  // of both
};
// Compares the content of all forms of two models.
Result<ContentOverlap> CompareContent(const Archive& archive, const ArchivedModel& a, const ArchivedModel& b);

// --- Space ----------------------------------------------------------------------------------------------

// Options of Prune, which frees the content of models and forms that Writer::Remove has removed.
struct PruneOptions {
  bool dry_run = false;  // only compute
  // A pack is written again if this part of it is not needed, or if it is small.
  double garbage = 0.25;
  uint64_t small = uint64_t(16) << 20;
  WorkDone* work_done = nullptr;  // if not null, receives how many records are written again
};
// The effect of Prune, actual or with a dry run.
struct PruneReport {
  uint64_t packs_before = 0;     // number of packs
  uint64_t packs_after = 0;      // likewise, afterwards
  uint64_t size_before = 0;      // bytes of the packs
  uint64_t size_after = 0;       // likewise, afterwards
  uint64_t rewritten = 0;        // packs that were replaced
  uint64_t removed_records = 0;  // that nothing needs
};
// Moves needed data out of packs with much unneeded data into new packs, and removes the old ones.
Result<PruneReport> Prune(const Archive& archive, const WriterOptions& writer, const PruneOptions& options);

// The effect of Repair.
struct RepairReport {
  uint64_t packs_copied = 0;        // whole
  uint64_t records_repaired = 0;    // one by one
  std::vector<ArchiveDamage> left;  // what the other copy does not have either
};
// Replaces damaged or missing data from copies: archives, or folders with some of its packs.
Result<RepairReport> Repair(const Archive& archive, std::span<const std::string> copies,
                            const WriterOptions& writer);

// --- Models from one archive to another -----------------------------------------------------------------

// The output of Export.
struct ExportReport {
  uint64_t models = 0;   // with all their forms and goldens
  uint64_t records = 0;  // of content
  uint64_t size = 0;     // of the bundle
};
// Writes a bundle of some models. `without`, if given, is an archive that has some of the content already:
// the bundle then lacks it.
Result<ExportReport> Export(const Archive& archive, std::span<const ArchivedModel> models,
                            const std::string& path, const Archive* without);

// Options of Import.
struct ImportOptions {
  // Evidence of a form that is accepted. One with weaker evidence, or whose original is not there to compare
  // it with, is added as claimed.
  Evidence at_least = Evidence::kLaws;
  // Limit of memory for reading a program or certificate; 0: 16 MiB, and 256 times the bytes read from
  // the source.
  uint64_t max_memory = 0;
  Limits limits;         // depth, work, deadline; the memory is max_memory
  bool lenient = false;  // accept programs that violate the specification only
};

// The outcome for a model that was imported.
struct ImportedModel {
  std::string from;      // its label in the source
  std::string label;     // its label here
  bool existed = false;  // the archive had it
};
// The effect of Import.
struct ImportReport {
  std::vector<ImportedModel> models;  // in the order of the source
  uint64_t records = 0;               // of content that were added
  uint64_t entries = 0;               // of the journal that were added
  std::vector<std::string> notes;     // changes against the source, with reasons
};
// Adds what a bundle, or another archive, has. Before anything of it is visible, every record is compared
// with its id, every form is read as a program, and the checker is run on every certificate. Fails, and adds
// nothing, if anything is not as it is stated, if a bundle has something that this release does not know or
// nothing needs, or if a model needs something that neither has.
Result<ImportReport> Import(Writer& writer, const std::string& source, const ImportOptions& options = {});

}  // namespace shlo::archive
