// Entries of the journal as JSON (docs/archive-format.md, section 5), and what they say together. The one
// place that knows their keys.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "archive/content_id.h"

namespace shlo::archive {

// The writer of an entry, and the time.
struct EntryOrigin {
  std::string time, tool;
};

// Return the text of an entry.
std::string ModelEntry(const NewModel& model, uint64_t version, const ContentId& imported,
                       const EntryOrigin& origin);
std::string FormEntry(const ContentId& model, const ArchivedForm& form, const EntryOrigin& origin);
std::string GoldenEntry(const ContentId& model, const ArchivedGolden& golden, const EntryOrigin& origin);
std::string AnnotateEntry(const ContentId& model, const Annotation& annotation, const EntryOrigin& origin);
// Records that a form's proofs were accepted. The id of the form binds the bytes: its entry has the ids of
// its files, of its certificates and of the entry that it comes from, which in turn has its own ids.
std::string AcceptEntry(const ContentId& model, const ContentId& form, const EntryOrigin& origin);
std::string RemoveEntry(const ArchivedModel& model, const ContentId& form, const EntryOrigin& origin);

// The keys that all entries have.
struct EntryHead {
  std::string type;
  std::string time;
  ContentId model;     // that it is about; for a model the entry itself
  ContentId imported;  // id that the entry had elsewhere; none: its own
};
// Reads them. Returns nothing if the text is not an entry.
std::optional<EntryHead> ReadHead(const ContentId& id, std::string_view text);

// Returns what is wrong with an entry by itself; "" for nothing. Keys and types of later releases are wrong,
// too, and so is an entry that is not spelled as this one spells it: for entries that enter an archive.
std::string EntryProblem(const ContentId& id, std::string_view text);
// Returns whether an entry means something, or has a type that only later releases know.
bool IsWellFormed(const ContentId& id, std::string_view text);

// Changes a model as an entry about it says; the first one must be of type `model`. Returns false, and
// changes nothing, for an entry that is malformed or of an unknown type.
bool ApplyEntry(const ContentId& id, std::string_view text, ArchivedModel* model);

// Returns a text that is the same for the same facts about programs.
std::string ProgramsText(const std::vector<ArchivedProgram>& programs);

// Returns the ids that the files, tensors and certificates of an entry have. A form that was removed has
// none that matter: see NeededIds.
std::vector<ContentId> IdsOf(const ArchivedForm& form);
// Returns the ids of all bytes that a model needs: none if it was removed.
std::vector<ContentId> NeededIds(const ArchivedModel& model);

// Returns an entry with other ids in the place of those of other entries, for import; or as it is. `ids` maps
// the old ids to the new ones.
std::string WithEntryIds(std::string_view text, const std::map<ContentId, ContentId>& ids);
// Returns a model's entry with another version, and with the id that it had as `imported`.
std::string WithVersion(std::string_view text, uint64_t version, const ContentId& imported);

// Returns what stands for the content of a model: equal for equal files.
ContentId ContentOf(const std::vector<ArchivedFile>& files, Format format);

// Returns the format that FormatName returns the name of.
std::optional<Format> FormatOfName(std::string_view name);

// Returns "2026-01-31T12:00:00Z"; "" if SOURCE_DATE_EPOCH is not a time.
std::string TimeNow();
// Returns whether a text is a time of the years 1970 to 9999.
bool IsTime(std::string_view text);

}  // namespace shlo::archive
