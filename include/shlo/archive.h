// Archives: folders that keep models in all their versions, with shared weights stored once. docs/archive.md
// is the user's page and docs/archive-format.md the layout. This header opens, lists, reads and adds to
// archives; archive_work.h has the work on whole archives: verify, migrate, prune, repair.
#pragma once

#include <array>
#include <compare>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "shlo/diagnostics.h"
#include "shlo/file_io.h"
#include "shlo/limits.h"
#include "shlo/outside.h"
#include "shlo/program_io.h"
#include "shlo/prove.h"
#include "shlo/sink.h"
#include "shlo/version.h"

namespace shlo::archive {

// The SHA-256 of some bytes, which names them. Zeros: none.
struct ContentId {
  std::array<uint8_t, 32> bytes = {};  // of the digest
  // Returns whether it names anything.
  explicit operator bool() const { return *this != ContentId(); }
  friend auto operator<=>(const ContentId&, const ContentId&) = default;
};
// Returns the id of bytes.
ContentId IdOf(std::string_view bytes);
// Returns 64 lower-case digits, and the id of such a text.
std::string IdText(const ContentId& id);
std::optional<ContentId> ParseId(std::string_view text);

// --- What an archive says of a model --------------------------------------------------------------------

// A file of a model.
struct ArchivedFile {
  std::string path;   // its name; in a folder, the path below it
  ContentId id;       // of its bytes
  uint64_t size = 0;  // in bytes
  friend bool operator==(const ArchivedFile&, const ArchivedFile&) = default;
};

// A public function of a program.
struct ArchivedFunction {
  std::string name;  // symbol name
  std::string type;  // "(tensor<4xf32>) -> tensor<4xf32>"
};

// Facts about a program that are known without reading it.
struct ArchivedProgram {
  std::string name;                         // in its container; else empty
  Version version;                          // of the program
  uint64_t ops = 0;                         // number of ops
  uint64_t constants = 0;                   // number of constants
  uint64_t constant_bytes = 0;              // their size
  std::vector<ArchivedFunction> functions;  // public ones, or all if none is, in program order
  std::vector<std::string> custom_calls;    // targets, sorted
  std::vector<std::string> dialects;        // of its ops, sorted
};

// A proof that a program of a form equals the one that it was converted from.
struct ArchivedProof {
  std::string program;                  // name in the container; else empty
  ContentId certificate;                // id of a certificate (shlo/certificate.h)
  Evidence evidence = Evidence::kNone;  // the weakest of its functions
  friend bool operator==(const ArchivedProof&, const ArchivedProof&) = default;
};

// A model at one program version: as it was added, or converted from another form.
struct ArchivedForm {
  ContentId entry;                        // of the journal; the model's for its first form
  ContentId from;                         // form that it was converted from; none: it was added
  std::string time;                       // when it was added
  std::string tool;                       // that wrote the entry
  Format format = Format::kText;          // of its file
  std::vector<ArchivedFile> files;        // one, or all of a folder
  std::vector<ArchivedProgram> programs;  // of the file
  std::vector<ContentId> outside;         // external constants of the files
  std::vector<ArchivedProof> proofs;      // of the programs, in the same order; none for the first form
  // The checker has accepted the proofs of this form and of its source forms in this archive. True for the
  // first form. Other forms are claimed: they are shown, but not used.
  bool accepted = false;
  bool removed = false;  // its files no longer count
  // Returns whether it may be used as the model.
  bool usable() const { return accepted && !removed; }
  // Returns the lowest version of its programs.
  Version version() const;
  // Returns the size of all files.
  uint64_t size() const;
};

// A tensor of a golden.
struct ArchivedTensor {
  std::string name;   // of the argument or result
  std::string type;   // "tensor<4xf32>"
  ContentId id;       // of its elements, in the layout of a constant
  uint64_t size = 0;  // in bytes
};

// Inputs and results of a function, to compute again.
struct ArchivedGolden {
  ContentId entry;                      // of the journal
  std::string time;                     // when it was added
  std::string tool;                     // that computed the results
  std::string program;                  // name in the container, or number in a text, from 2; else empty
  std::string function;                 // symbol name; "" for main
  std::vector<ArchivedTensor> inputs;   // arguments, in order
  std::vector<ArchivedTensor> results;  // in order
  double tolerance = 0;                 // see GoldenDifference; 0: the same bits
  std::string reason;                   // why this tolerance
};

// A version of a model.
struct ArchivedModel {
  ContentId entry;                              // of the journal
  std::string name;                             // such as "vision/resnet"
  uint64_t version = 0;                         // from 1
  bool removed = false;                         // it no longer counts
  bool shadowed = false;                        // an earlier one has the same name and version
  std::string producer;                         // of the file, or as the user states it
  std::vector<std::string> tags;                // sorted
  std::map<std::string, std::string> metadata;  // free
  std::vector<ContentId> parents;               // models that it was made from
  std::vector<ArchivedForm> forms;              // the first is the added one
  uint64_t claimed = 0;                         // present forms that were not accepted
  std::vector<ArchivedGolden> goldens;          // in the order of the journal
  // Returns "resnet@3"; with "~" and the beginning of its entry if it is shadowed.
  std::string label() const;
  // Returns the index of the newest form that is usable: with the highest version, the last of several; 0 if
  // none is.
  size_t newest() const;
};

// Returns the index of the newest form that is usable. Fails with kUsage if the files of all of them were
// removed.
Result<size_t> NewestForm(const ArchivedModel& model);

// A line of the journal.
struct JournalLine {
  uint64_t ordinal = 0;  // place in the journal, from 1
  ContentId id;          // of the entry
  std::string text;      // JSON
  std::string type;      // "model", "form", ...
  std::string time;      // when it was made
  std::string model;     // "resnet@3"; empty if it is about none
};

// --- Reading --------------------------------------------------------------------------------------------

struct State;  // of an open archive

// Options of Archive::Open.
struct OpenOptions {
  std::string catalog;  // file of the catalog; empty: in the folder
  Limits limits;        // deadline, threads
};

// Sizes of an archive, in bytes, and numbers of things.
struct ArchiveStats {
  uint64_t models = 0;         // that count
  uint64_t names = 0;          // different ones
  uint64_t forms = 0;          // of these models
  uint64_t goldens = 0;        // of these models
  uint64_t entries = 0;        // lines of the journal
  uint64_t files_size = 0;     // of all files of these models, as if each was stored apart
  uint64_t packs = 0;          // number
  uint64_t packs_size = 0;     // on disk
  uint64_t records = 0;        // in packs
  uint64_t content_size = 0;   // of the data records, each stored once
  uint64_t stored_size = 0;    // of these, as they are stored
  uint64_t overhead_size = 0;  // of packs beyond their data records
};

// An open archive. Copies share the state. May be used by several threads.
class Archive {
 public:
  // Creates an archive in a folder that does not exist, or is empty. `id` has 32 hexadecimal digits; empty:
  // random ones.
  static Result<void> Create(const std::string& folder, const std::string& id = {});
  // Opens an archive, and brings its catalog up to date. Fails with kUsage if the folder is not an archive.
  static Result<Archive> Open(const std::string& folder, const OpenOptions& options = {});
  // Returns whether a folder is an archive, as far as its mark says.
  static bool IsArchive(const std::string& folder);

  // Returns the folder, as it was given.
  const std::string& folder() const;
  // Returns the id of the archive: 32 digits.
  const std::string& id() const;
  // Returns warnings about its state: packs that are missing or damaged, a catalog that cannot be written.
  const Diagnostics& warnings() const;

  // Returns the models that patterns choose (docs/archive.md, "Models"), by name and version; all for no
  // patterns. "NAME" and "NAME@TAG" choose one version of each name, as in Find; "NAME@*" chooses all. Fails
  // with kUsage for a pattern that is malformed, or matches nothing. Without `details`, only name, version,
  // tags and the first file and program of the newest form are filled in, which is fast.
  Result<std::vector<ArchivedModel>> Select(std::span<const std::string> patterns, bool details = true) const;
  // Returns the model that "NAME", "NAME@VERSION" or "NAME@TAG" names. Fails with kUsage.
  Result<ArchivedModel> Find(const std::string& selector) const;
  // Returns the model of an entry, or nullopt.
  Result<std::optional<ArchivedModel>> FindEntry(const ContentId& entry) const;
  // Returns the journal, or the lines about some models.
  Result<std::vector<JournalLine>> Journal(std::span<const ContentId> models = {}) const;
  // Computes sizes.
  Result<ArchiveStats> Stats() const;

  // Returns whether the archive has the bytes of an id, as far as the catalog says.
  bool Has(const ContentId& id) const;
  // Passes the bytes of an id to a sink, in pieces, and compares them with the id: kChecksum if they differ,
  // after all pieces were passed. Returns their number.
  Result<uint64_t> Read(const ContentId& id, const Sink& sink) const;
  // Likewise for a file of a model. Fails with kMalformed, and passes nothing, if it does not have the size
  // that its entry states.
  Result<void> ReadFile(const ArchivedModel& model, const ArchivedFile& file, const Sink& sink) const;
  // Returns the bytes of an id: in memory, or in a temporary file if they are many. `name` is for
  // diagnostics.
  Result<InputFile> Load(const ContentId& id, const std::string& name) const;
  // Returns what finds constants of programs in this archive, by their SHA-256.
  FindOutside Outside() const;
  // Returns the file of a form that holds its programs: the only one, or saved_model.pb of a folder. Reading
  // it gives the programs. Its name is "resnet@3" and the file's path.
  Result<InputFile> LoadForm(const ArchivedModel& model, size_t form) const;

  // For lib/archive.
  State& state() const { return *state_; }

 private:
  explicit Archive(std::shared_ptr<State> state) : state_(std::move(state)) {}
  std::shared_ptr<State> state_;
};

// Splits "resnet@3" at its '@'. Returns an empty version if it has none.
std::pair<std::string, std::string> SplitSelector(std::string_view selector);
// The highest version that a name can have.
inline constexpr uint64_t kLastModelVersion = 1'000'000'000;
// Returns the problem of a model's name or of a tag; "" for none.
std::string NameProblem(std::string_view name);
std::string TagProblem(std::string_view tag);

// --- Adding ---------------------------------------------------------------------------------------------

// Options of Writer::Begin.
struct WriterOptions {
  std::string command = "write";                           // for others that wait
  uint64_t wait_seconds = 60;                              // for the lock
  std::function<void(const std::string& holder)> waiting;  // called once before it waits
  std::function<void(const Diagnostic& warning)> warn;     // called if the folder cannot be locked
  std::string bundle;    // write a bundle to this file, and nothing to the archive; empty: no
  std::string tool;      // that writes entries: "shlo-compat 0.1.0"
  std::string time;      // of entries; empty: now
  uint32_t threads = 1;  // that hash and compress; 0: one per processor
};

// Part of a file that is one constant, or the digits of one.
struct ConstantRange {
  uint64_t offset = 0;  // in the file
  uint64_t size = 0;    // in the file
  bool hex = false;     // upper-case digits, two for each byte of the constant
};
// Returns where a file has the constants of its programs as they are, in order of their offsets, without
// overlaps (docs/archive-format.md, section 4).
std::vector<ConstantRange> ConstantRanges(std::string_view file, std::span<const Program> programs);

// Returns what an archive says of a program.
ArchivedProgram DescribeProgram(const Program& program);

// A model to add.
struct NewModel {
  std::string name;                             // see NameProblem
  uint64_t version = 0;                         // 0: the next one
  Format format = Format::kText;                // of the file
  std::vector<ArchivedFile> files;              // that AddFile has added
  std::vector<ArchivedProgram> programs;        // of the file
  std::string producer;                         // may be empty
  std::vector<std::string> tags;                // in any order
  std::map<std::string, std::string> metadata;  // free
  std::vector<ContentId> parents;               // entries of models
  std::vector<ContentId> outside;               // constants that AddBytes has added (shlo/outside.h)
  bool again = false;                           // add it even if a version of the name has the same content
};

// A change of tags and metadata.
struct Annotation {
  std::vector<std::string> add;                                // tags
  std::vector<std::string> remove;                             // tags
  std::map<std::string, std::optional<std::string>> metadata;  // nullopt: remove the key
};

struct WriterState;

// The one writer of an archive, or of a bundle. What it adds is in the archive when Commit has returned, and
// not before; without Commit, nothing is. Not for several threads.
class Writer {
 public:
  // Locks the archive. Fails with kIo if another writer holds the lock for too long.
  static Result<Writer> Begin(const Archive& archive, const WriterOptions& options);
  Writer(Writer&&) noexcept;
  Writer& operator=(Writer&&) noexcept;
  ~Writer();

  // Adds bytes, divided at the constants, and returns their id.
  Result<ContentId> AddBytes(std::string_view bytes, std::span<const ConstantRange> constants = {});
  // Adds a model. Returns its entry, and its version in `version`; if a version of the name has the same
  // files, returns that one and sets `existed`.
  Result<ContentId> AddModel(const NewModel& model, uint64_t* version, bool* existed);
  // Adds a form, golden or annotation of a model, or removes it or one of its forms. One that is there
  // already is not added again. `entry`, `time` and `tool` of the argument are set here.
  Result<ContentId> AddForm(const ContentId& model, ArchivedForm form);
  // Records that the checker has accepted the proofs of a form: the caller has run it (archive_work.h,
  // CheckForm) on the bytes that the entries name. In a bundle nothing is recorded: import checks again.
  Result<void> Accept(const ContentId& model, const ContentId& form);
  Result<ContentId> AddGolden(const ContentId& model, ArchivedGolden golden);
  Result<void> Annotate(const ArchivedModel& model, const Annotation& annotation);
  Result<void> Remove(const ArchivedModel& model, const ContentId& form = {});

  // Returns the bytes that were added to packs since Begin.
  uint64_t stored() const;
  // Returns whether so much was added since the last Commit that one should follow.
  bool full() const;
  // Makes all additions durable: after this the archive has them.
  Result<void> Commit();

  // For lib/archive.
  WriterState& state() const { return *state_; }

 private:
  explicit Writer(std::unique_ptr<WriterState> state);
  std::unique_ptr<WriterState> state_;
};

}  // namespace shlo::archive
