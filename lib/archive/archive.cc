#include "shlo/archive.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>

#include "archive/assemble.h"
#include "archive/form_check.h"
#include "archive/journal.h"
#include "archive/state.h"
#include "base/archive_files.h"
#include "base/format.h"
#include "base/guarded.h"
#include "base/hex.h"
#include "base/mapped_bytes.h"
#include "base/try.h"

namespace shlo::archive {
namespace {

namespace fs = std::filesystem;

// Assembled bytes beyond this are kept in a file.
constexpr uint64_t kInMemory = uint64_t(256) << 20;

bool IsId(std::string_view text) {
  return text.size() == 32 && text.find_first_not_of("0123456789abcdef") == text.npos;
}

std::string MarkText(const std::string& id) {
  const std::string lines = StrFormat("shlo-compat archive\nformat {}\nid {}\n", kFormatVersion, id);
  return lines + StrFormat("sha256 {}\n", IdText(IdOf(lines)));
}

// Returns the id in a mark.
Result<std::string> ReadMark(const std::string& folder) {
  const std::string path = folder + "/" + std::string(kArchiveMark);
  std::error_code error;
  if (!fs::exists(path, error)) {
    if (!fs::exists(folder, error))
      return Error(Code::kIo, "cannot open: No such file or directory", {.file = folder});
    return Error(Code::kUsage, "the folder is not an archive", {.file = folder},
                 "pass --archive=DIR, or make one with 'shlo-compat archive init'");
  }
  auto file = SHLO_TRY(OpenInput(path, kNoStream, /*copy_below=*/1 << 20));
  constexpr std::string_view kFirst = "shlo-compat archive\nformat ", kId = "\nid ";
  const std::string_view text = file.bytes;
  const size_t at = text.find(kId);
  if (text.starts_with(kFirst) && at != text.npos) {
    const std::string id(text.substr(at + kId.size(), 32));
    if (text == MarkText(id) && IsId(id)) return id;
    const std::string_view format = text.substr(kFirst.size(), at - kFirst.size());
    if (format != "1" && !format.empty() && format.find_first_not_of("0123456789") == format.npos)
      return Error(Code::kNewerVersion, StrFormat("the archive has format {}", format), {.file = path},
                   "update shlo-compat");
  }
  return Error(Code::kChecksum, "the mark of the archive is damaged", {.file = path},
               "copy the file from another copy of the archive");
}

std::string RandomId() {
  std::string bytes(16, '\0'), digits;
  if (::getrandom(bytes.data(), bytes.size(), 0) != ssize_t(bytes.size())) return {};
  AppendHex(bytes, &digits);
  for (char& c : digits) c = c >= 'A' && c <= 'F' ? char(c - 'A' + 'a') : c;
  return digits;
}

// A file without a name that is mapped when it is complete.
class TemporaryFile {
 public:
  ~TemporaryFile() {
    if (fd_ >= 0) ::close(fd_);
  }
  Result<void> Create() {
    const char* const root = ::getenv("TMPDIR");
    path_ = StrFormat("{}/shlo-XXXXXX", root && *root ? root : "/tmp");
    fd_ = ::mkostemp(path_.data(), O_CLOEXEC);
    if (fd_ < 0) return Failure("cannot create a temporary file");
    ::unlink(path_.c_str());
    return {};
  }
  bool Append(std::string_view bytes) {
    while (!bytes.empty()) {
      const ssize_t n = ::write(fd_, bytes.data(), bytes.size());
      if (n < 0 && errno == EINTR) continue;
      if (n < 0) {
        error_ = errno;
        return false;
      }
      bytes.remove_prefix(size_t(n));
    }
    return true;
  }
  Result<InputFile> Map(size_t size, const std::string& name) {
    void* const data = ::mmap(nullptr, size, PROT_READ, MAP_PRIVATE, fd_, 0);
    if (data == MAP_FAILED) return tl::unexpected(Failure("cannot map a temporary file").error());
    const int fd = std::exchange(fd_, -1);
    AddMapping(data, size, fd, path_);
    Buffer owner(data, [size, fd](const void* p) {
      RemoveMapping(p);
      ::munmap(const_cast<void*>(p), size);
      ::close(fd);
    });
    return InputFile{{static_cast<const char*>(data), size}, std::move(owner), name};
  }
  bool failed() const { return error_ != 0; }
  Result<void> Failure(std::string_view what) const {
    return Error(Code::kIo, StrFormat("{}: {}", what, strerror(error_ ? error_ : errno)), {.file = path_},
                 "set TMPDIR to a folder with more space");
  }

 private:
  std::string path_;
  int fd_ = -1;
  int error_ = 0;
};

// An archive may come from anywhere: what is not as large as it says need not be assembled.
Result<void> CheckSize(State& state, const ArchivedModel& model, const ArchivedFile& file) {
  const auto size = SHLO_TRY(StatedSize(state, file.id));
  if (size == file.size) return {};
  return Error(Code::kMalformed,
               StrFormat("'{}' of {} does not have the size that its entry states", file.path, model.label()),
               {.file = state.folder}, "run 'shlo-compat archive verify'");
}

// Returns why the bytes of a form cannot be had: `why`, unless a writer removed them meanwhile.
Diagnostics WhyNotRead(const Archive& archive, const ArchivedModel& model, const ArchivedFile& file,
                       Diagnostics why) {
  if (StillNeeds(archive, model.entry, file.id)) return why;
  return Error(Code::kUsage, StrFormat("{} was removed while it was read", model.label()),
               {.file = archive.folder()}, "run 'shlo-compat archive ls' to see what the archive has")
      .value();
}

}  // namespace

bool StillNeeds(const Archive& archive, const ContentId& model, const ContentId& id) {
  const auto now = archive.FindEntry(model);
  if (!now || !*now) return true;
  const std::vector<ContentId> needed = NeededIds(**now);
  return std::ranges::find(needed, id) != needed.end();
}

// --- Models ---------------------------------------------------------------------------------------------

Version ArchivedForm::version() const {
  Version lowest;
  for (const ArchivedProgram& program : programs)
    if (!lowest.valid() || program.version < lowest) lowest = program.version;
  return lowest;
}

uint64_t ArchivedForm::size() const {
  uint64_t sum = 0;
  for (const ArchivedFile& file : files) sum += file.size;
  return sum;
}

std::string ArchivedModel::label() const {
  return StrFormat("{}@{}{}", name, version, shadowed ? "~" + IdText(entry).substr(0, 8) : "");
}

size_t ArchivedModel::newest() const {
  size_t best = 0;
  for (size_t i = 1; i < forms.size(); ++i)
    if (forms[i].usable() && (!forms[best].usable() || forms[i].version() >= forms[best].version())) best = i;
  return best;
}

Result<size_t> NewestForm(const ArchivedModel& model) {
  const size_t newest = model.newest();
  if (model.forms[newest].usable()) return newest;
  return Error(
      Code::kUsage,
      model.claimed
          ? StrFormat("{} has only claimed forms: their certificates were not accepted here", model.label())
          : StrFormat("the files of {} were removed", model.label()),
      {},
      model.claimed
          ? StrFormat(
                "run 'shlo-compat archive show {0}', and 'shlo-compat archive get {0} --claimed' to use it",
                model.label())
          : StrFormat("run 'shlo-compat archive show {}' to see its forms", model.label()));
}

// --- Archives -------------------------------------------------------------------------------------------

Result<void> Archive::Create(const std::string& folder, const std::string& id) {
  return Guarded(
      [&]() -> Result<void> {
        std::error_code error;
        if (IsArchive(folder))
          return Error(Code::kUsage, "the folder is an archive already", {.file = folder});
        if (fs::exists(folder, error) && !fs::is_directory(folder, error))
          return Error(Code::kUsage, "the path is a file, not a folder", {.file = folder},
                       "pass a new folder");
        if (fs::exists(folder, error) && !fs::is_empty(folder, error))
          return Error(Code::kUsage, "the folder is not empty", {.file = folder}, "pass a new folder");
        const std::string own = id.empty() ? RandomId() : id;
        if (!IsId(own))
          return Error(Code::kUsage, StrFormat("'{}' is not an id", id), {},
                       "pass 32 digits 0 to 9 and a to f");
        fs::create_directories(folder + "/packs", error);
        if (error)
          return Error(Code::kIo, StrFormat("cannot create the folder: {}", error.message()),
                       {.file = folder});
        // The mark is last: without it the folder is not an archive.
        return WriteFile(folder + "/" + std::string(kArchiveMark), MarkText(own), /*binary=*/false,
                         Sync::kAlways);
      },
      folder);
}

bool Archive::IsArchive(const std::string& folder) {
  return ::access((folder + "/" + std::string(kArchiveMark)).c_str(), F_OK) == 0;
}

Result<Archive> Archive::Open(const std::string& folder, const OpenOptions& options) {
  return Guarded(
      options.limits,
      [&]() -> Result<Archive> {
        auto id = SHLO_TRY(ReadMark(folder));
        auto state = std::make_shared<State>();
        state->folder = folder;
        state->id_text = id;
        state->limits = options.limits;
        state->catalog_path = options.catalog.empty() ? folder + "/catalog.sqlite" : options.catalog;
        const fs::path catalog = state->catalog_path;
        std::error_code error;
        state->own_catalog = catalog.filename() == "catalog.sqlite" &&
                             fs::equivalent(fs::absolute(catalog, error).parent_path(), folder, error);
        DecodeHex(id, state->id.data());
        SHLO_TRY(OpenCatalog(*state));
        KeepCatalog(*state, /*locked=*/false);
        return Archive(std::move(state));
      },
      folder);
}

const std::string& Archive::folder() const { return state_->folder; }
const std::string& Archive::id() const { return state_->id_text; }
const Diagnostics& Archive::warnings() const { return state_->warnings; }

Result<std::optional<ArchivedModel>> Archive::FindEntry(const ContentId& entry) const {
  return Guarded([&] { return Ask(*state_, [&](Catalog& catalog) { return catalog.Model(entry); }); });
}

Result<std::vector<JournalLine>> Archive::Journal(std::span<const ContentId> models) const {
  return Guarded([&] {
    return Ask(*state_, [&](Catalog& catalog) -> Result<std::vector<JournalLine>> {
      std::vector<JournalLine> lines;
      SHLO_TRY(catalog.Journal(models, [&](JournalLine line) { lines.push_back(std::move(line)); }));
      return lines;
    });
  });
}

Result<ArchiveStats> Archive::Stats() const {
  return Guarded([&] { return Ask(*state_, [](Catalog& catalog) { return catalog.Stats(); }); });
}

bool Archive::Has(const ContentId& id) const {
  const std::lock_guard lock(state_->mutex);
  const auto has = state_->catalog->Has(id);
  return has && *has;
}

Result<uint64_t> Archive::Read(const ContentId& id, const Sink& sink) const {
  return Guarded(
      state_->limits, [&] { return Assemble(FetchFrom(*state_), id, sink, state_->folder); }, state_->folder,
      Code::kLimit);
}

Result<void> Archive::ReadFile(const ArchivedModel& model, const ArchivedFile& file, const Sink& sink) const {
  return Guarded(
      state_->limits,
      [&]() -> Result<void> {
        if (auto checked = CheckSize(*state_, model, file); !checked)
          return tl::unexpected(WhyNotRead(*this, model, file, std::move(checked.error())));
        auto read = Assemble(FetchFrom(*state_), file.id, sink, state_->folder);
        if (!read) return tl::unexpected(WhyNotRead(*this, model, file, std::move(read.error())));
        return {};
      },
      state_->folder, Code::kLimit);
}

Result<InputFile> AssembleFile(const Fetch& fetch, const ContentId& id, const std::string& name,
                               const std::string& where) {
  const auto size = SHLO_TRY(SizeOf(fetch, id, where));
  if (size <= kInMemory) {
    auto text = std::make_shared<std::string>();
    const Sink append = [&](std::string_view bytes) { return text->append(bytes), true; };
    SHLO_TRY(Assemble(fetch, id, append, where));
    return InputFile{*text, text, name};
  }
  TemporaryFile file;
  SHLO_TRY(file.Create());
  const Sink append = [&](std::string_view bytes) { return file.Append(bytes); };
  auto read = Assemble(fetch, id, append, where);
  if (!read && file.failed()) return tl::unexpected(file.Failure("cannot write a temporary file").error());
  if (!read) return tl::unexpected(std::move(read.error()));
  return file.Map(*read, name);
}

Result<InputFile> Archive::Load(const ContentId& id, const std::string& name) const {
  return Guarded(
      state_->limits, [&] { return AssembleFile(FetchFrom(*state_), id, name, state_->folder); }, name,
      Code::kLimit);
}

FindOutside Archive::Outside() const {
  return [archive = *this](const OutsideConstant& constant) -> Result<InputFile> {
    const ContentId id{constant.sha256};
    if (!archive.Has(id))
      return Error(Code::kIo, StrFormat("the archive does not have the constant '{}'", OutsideName(constant)),
                   {.file = archive.folder()});
    return archive.Load(id, archive.folder());
  };
}

Result<InputFile> Archive::LoadForm(const ArchivedModel& model, size_t form) const {
  const ArchivedForm& chosen = model.forms[form];
  if (chosen.removed)
    return Error(Code::kUsage, StrFormat("the file of {} was removed", model.label()), {.file = folder()},
                 "run 'shlo-compat archive show' to see its forms");
  const ArchivedFile& file = MainFile(chosen);
  auto checked = CheckSize(*state_, model, file);
  auto loaded = checked ? Load(file.id, model.label()) : tl::make_unexpected(std::move(checked.error()));
  if (!loaded) return tl::unexpected(WhyNotRead(*this, model, file, std::move(loaded.error())));
  return loaded;
}

}  // namespace shlo::archive
