// Shared by the commands of `shlo-compat archive`: finding the archive, its flags, and how models are
// printed.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "parts.h"
#include "shlo/archive.h"
#include "shlo/archive_work.h"

namespace shlo::tool {

// --archive, --catalog, and for commands that write --wait.
struct ArchiveFlags {
  std::string folder, catalog;
  uint64_t wait = 60;
};
void AddArchiveFlags(Options& options, ArchiveFlags* flags);
void AddWaitFlag(Options& options, ArchiveFlags* flags);
// --part.
void AddPartFlag(Options& options, std::string* part);
// Parses I/N. Returns kDone, or reports an error.
int ParsePart(Context& ctx, const std::string& text, archive::WorkPart* part);

// Opens the archive of --archive, of SHLO_ARCHIVE, or the one that the current folder is in, and reports its
// warnings.
Result<archive::Archive> OpenArchive(Context& ctx, const ArchiveFlags& flags);
// Returns whether a model, or a form of it, was removed after it was read: then its bytes may be gone.
bool IsRemoved(const archive::Archive& archive, const archive::ArchivedModel& model);
// Returns the options of a writer for ctx.command. Waiting is a note.
archive::WriterOptions WriterOptionsFor(Context& ctx, const ArchiveFlags& flags);
// Splits "DIR:MODEL" if DIR is an archive and there is no file of that name.
std::optional<std::pair<std::string, std::string>> SplitModelPath(const std::string& path);

// Returns "1.5 GiB", "12 bytes".
std::string SizeText(uint64_t bytes);
// Returns "1.9.0 (62)", or the number of a version that this release does not know.
std::string ArchivedVersion(Version version);

// Keys of a model in all documents; `details` adds what `show` prints.
Json ToJson(const archive::ArchivedModel& model, bool details);
Json FormJson(const archive::ArchivedModel& model, size_t form);
Json ToJson(const archive::ArchiveDamage& damage);
// Returns a line about each damage.
TerminalText DamageText(const std::vector<archive::ArchiveDamage>& damage);

// The commands, each in archive_<name>.cc or with others like it.
void AddArchiveAdd(Options& options, Context& ctx);
void AddArchiveDiff(Options& options, Context& ctx);
void AddArchiveExport(Options& options, Context& ctx);
void AddArchiveGet(Options& options, Context& ctx);
void AddArchiveImport(Options& options, Context& ctx);
void AddArchiveInit(Options& options, Context& ctx);
void AddArchiveLog(Options& options, Context& ctx);
void AddArchiveLs(Options& options, Context& ctx);
void AddArchiveMigrate(Options& options, Context& ctx);
void AddArchivePrune(Options& options, Context& ctx);
void AddArchiveRebuild(Options& options, Context& ctx);
void AddArchiveRepair(Options& options, Context& ctx);
void AddArchiveShow(Options& options, Context& ctx);
void AddArchiveStats(Options& options, Context& ctx);
void AddArchiveTag(Options& options, Context& ctx);
void AddArchiveVerify(Options& options, Context& ctx);

}  // namespace shlo::tool
