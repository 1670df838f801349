// Adds bytes, divided into pieces that the archive may have already, and entries of the journal.
#include <algorithm>
#include <mutex>

#include "archive/chunker.h"
#include "archive/writer_state.h"
#include "base/format.h"
#include "base/guarded.h"
#include "base/hex.h"
#include "base/mapped_bytes.h"
#include "base/try.h"
#include "base/workers.h"

namespace shlo::archive {
namespace {

// Shorter runs between constants are in the list itself.
constexpr size_t kLiteral = 128;
// Chunks that one thread compresses at a time.
constexpr size_t kBatch = size_t(4) << 20;

// A run of bytes of a file.
struct Run {
  std::string_view bytes;  // of the file
  bool hex = false;        // digits
  bool literal = false;
  ContentId id;
};

std::vector<Run> RunsOf(std::string_view file, std::span<const ConstantRange> constants) {
  std::vector<Run> runs;
  const auto between = [&](uint64_t from, uint64_t to) {
    if (from < to) runs.push_back({file.substr(from, to - from), false, to - from < kLiteral, {}});
  };
  uint64_t at = 0;
  for (const ConstantRange& c : constants) {
    between(at, c.offset);
    runs.push_back({file.substr(c.offset, c.size), c.hex, false, {}});
    at = c.offset + c.size;
  }
  between(at, file.size());
  // A file that is one literal would be a list of itself.
  if (runs.size() == 1) runs[0].literal = false;
  return runs;
}

std::string Decoded(std::string_view digits) {
  std::string bytes(digits.size() / 2, '\0');
  DecodeHex(digits, reinterpret_cast<uint8_t*>(bytes.data()));
  return bytes;
}

// Encoders that threads take and give back.
class Encoders {
 public:
  std::unique_ptr<Encoder> Take() {
    const std::lock_guard lock(mutex_);
    if (free_.empty()) return std::make_unique<Encoder>();
    auto encoder = std::move(free_.back());
    free_.pop_back();
    return encoder;
  }
  void Give(std::unique_ptr<Encoder> encoder) {
    const std::lock_guard lock(mutex_);
    free_.push_back(std::move(encoder));
  }

 private:
  std::mutex mutex_;
  std::vector<std::unique_ptr<Encoder>> free_;
};

struct Chunk {
  std::string_view bytes;
  ContentId id;
  bool known = false;
  StoredContent stored;
};

// Adds a piece that is not there yet.
Result<void> AddPiece(WriterState& w, std::string_view bytes, const ContentId& id) {
  const StoragePlan plan = w.encoder.PlanFor(bytes);
  const std::vector<size_t> sizes = ChunkSizes(bytes);
  if (sizes.size() <= 1) return w.Put(RecordKind::kData, id, bytes.size(), w.encoder.Encode(bytes, plan));
  std::vector<std::vector<Chunk>> batches;
  size_t at = 0, batch = kBatch;
  for (const size_t size : sizes) {
    if (batch >= kBatch) {
      batches.emplace_back();
      batch = 0;
    }
    batches.back().push_back({bytes.substr(at, size), {}, false, {}});
    at += size;
    batch += size;
  }
  Encoders encoders;
  ListContent list;
  Result<void> result;
  const auto work = [&](size_t i) {
    auto encoder = encoders.Take();
    for (Chunk& chunk : batches[i]) {
      chunk.id = IdOf(chunk.bytes);
      const std::lock_guard lock(w.state().mutex);
      const auto has = w.state().catalog->Has(chunk.id);
      chunk.known = has && *has;
    }
    for (Chunk& chunk : batches[i])
      if (!chunk.known) chunk.stored = encoder->Encode(chunk.bytes, plan);
    encoders.Give(std::move(encoder));
  };
  const auto take = [&](size_t i) {
    for (Chunk& chunk : batches[i]) {
      if (!chunk.known && result)
        result = w.Put(RecordKind::kData, chunk.id, chunk.bytes.size(), chunk.stored);
      list.parts.push_back({PartCode::kPiece, chunk.bytes.size(), chunk.id, {}});
    }
    ReleasePages(
        {batches[i][0].bytes.data(), size_t(batches[i].back().bytes.data() + batches[i].back().bytes.size() -
                                            batches[i][0].bytes.data())});
    batches[i] = {};
    return result.has_value();
  };
  RunInOrder(batches.size(), w.threads(), 2 * w.threads(), work, take);
  if (!result) return result;
  list.size = bytes.size();
  const std::string content = WriteList(list);
  return w.Put(RecordKind::kList, id, content.size(), {.raw = content});
}

Result<ContentId> AddFile(WriterState& w, std::string_view bytes, std::span<const ConstantRange> constants) {
  std::vector<Run> runs = RunsOf(bytes, constants);
  if (runs.empty()) {
    const ContentId id = IdOf(bytes);
    SHLO_TRY(w.Put(RecordKind::kData, id, 0, {}));
    return id;
  }
  const bool whole = runs.size() == 1 && !runs[0].hex;
  ContentId id;
  RunParts(runs.size() + !whole, w.threads(), [&](size_t i) {
    if (i == runs.size())
      id = IdOf(bytes);
    else if (!runs[i].literal)
      runs[i].id = runs[i].hex ? IdOf(Decoded(runs[i].bytes)) : IdOf(runs[i].bytes);
  });
  if (whole) id = runs[0].id;
  if (const bool has = SHLO_TRY(w.Has(id)); has) return id;
  ListContent list;
  list.size = bytes.size();
  for (const Run& run : runs) {
    if (!run.literal) {
      const bool has = SHLO_TRY(w.Has(run.id));
      SHLO_TRY(has       ? Result<void>()
               : run.hex ? AddPiece(w, Decoded(run.bytes), run.id)
                         : AddPiece(w, run.bytes, run.id));
    }
    list.parts.push_back({run.literal ? PartCode::kLiteral
                          : run.hex   ? PartCode::kHexPiece
                                      : PartCode::kPiece,
                          run.hex ? run.bytes.size() / 2 : run.bytes.size(), run.id,
                          run.literal ? run.bytes : std::string_view()});
  }
  if (whole) return id;
  const std::string content = WriteList(list);
  SHLO_TRY(w.Put(RecordKind::kList, id, content.size(), {.raw = content}));
  return id;
}

tl::unexpected<Diagnostics> Usage(std::string message, std::string hint = {}) {
  return Error(Code::kUsage, std::move(message), {}, std::move(hint));
}

bool SameTensors(const std::vector<ArchivedTensor>& a, const std::vector<ArchivedTensor>& b) {
  return std::ranges::equal(a, b, [](const ArchivedTensor& x, const ArchivedTensor& y) {
    return x.name == y.name && x.type == y.type && x.id == y.id;
  });
}

}  // namespace

Result<ContentId> Writer::AddBytes(std::string_view bytes, std::span<const ConstantRange> constants) {
  return Guarded([&] { return AddFile(*state_, bytes, constants); });
}

Result<ContentId> Writer::AddModel(const NewModel& model, uint64_t* version, bool* existed) {
  return Guarded([&]() -> Result<ContentId> {
    WriterState& w = *state_;
    *existed = false;
    if (const std::string problem = NameProblem(model.name); !problem.empty())
      return Usage(StrFormat("'{}' cannot be the name of a model: {}", model.name, problem),
                   "pass another one with --name");
    for (const std::string& tag : model.tags)
      if (const std::string problem = TagProblem(tag); !problem.empty())
        return Usage(StrFormat("'{}' cannot be a tag: {}", tag, problem));
    if (model.files.empty()) return Usage("a model has at least one file");
    const ContentId content = ContentOf(model.files, model.format);
    WriterState::Name& name = w.names[model.name];
    uint64_t last = 0;
    std::optional<ArchivedModel> same;
    {
      const std::lock_guard lock(w.state().mutex);
      last = SHLO_TRY(w.state().catalog->LastVersion(model.name));
      same = SHLO_TRY(w.state().catalog->ModelWith(model.name, content));
    }
    name.version = std::max(name.version, last);
    const auto pending = name.by_content.find(content);
    if (!model.again && (same || pending != name.by_content.end())) {
      *existed = true;
      *version = same ? same->version : pending->second.first;
      const ContentId entry = same ? same->entry : pending->second.second;
      if (model.version != 0 && model.version != *version)
        return Usage(StrFormat("{}@{} has the same content", model.name, *version),
                     "pass --new-version to add it again");
      return entry;
    }
    if (model.version > kLastModelVersion)
      return Usage(StrFormat("{}@{}: the last version is {}", model.name, model.version, kLastModelVersion));
    if (name.version >= kLastModelVersion)
      return Error(
          Code::kLimit,
          StrFormat("'{}' has version {}, the last one that a name can have", model.name, name.version), {},
          "add the model under another name: --name=NAME");
    if (model.version != 0 && model.version <= name.version)
      return Usage(StrFormat("{}@{} has been used", model.name, model.version),
                   StrFormat("the next version is {}", name.version + 1));
    *version = model.version != 0 ? model.version : name.version + 1;
    const std::string text = ModelEntry(model, *version, {}, w.origin);
    auto entry = SHLO_TRY(w.PutEntry(text, w.next_ordinal++));
    name.version = *version;
    name.by_content.try_emplace(content, *version, entry);
    return entry;
  });
}

Result<ContentId> Writer::AddForm(const ContentId& model, ArchivedForm form) {
  return Guarded([&]() -> Result<ContentId> {
    const auto known = SHLO_TRY(state_->ModelOf(model));
    for (const ArchivedForm& other : known.forms)
      if (!other.removed && other.files == form.files && other.from == form.from &&
          (other.accepted || other.proofs == form.proofs))
        return other.entry;
    return state_->PutEntry(FormEntry(model, form, state_->origin), state_->next_ordinal++);
  });
}

Result<void> Writer::Accept(const ContentId& model, const ContentId& form) {
  return Guarded([&]() -> Result<void> {
    if (state_->is_bundle()) return {};
    const auto known = SHLO_TRY(state_->ModelOf(model));
    for (const ArchivedForm& other : known.forms)
      if (other.entry == form && other.accepted) return {};
    SHLO_TRY(state_->PutEntry(AcceptEntry(model, form, state_->origin), state_->next_ordinal++));
    return {};
  });
}

Result<ContentId> Writer::AddGolden(const ContentId& model, ArchivedGolden golden) {
  return Guarded([&]() -> Result<ContentId> {
    const auto known = SHLO_TRY(state_->ModelOf(model));
    for (const ArchivedGolden& other : known.goldens)
      if (other.program == golden.program && other.function == golden.function &&
          other.tolerance == golden.tolerance && SameTensors(other.inputs, golden.inputs) &&
          SameTensors(other.results, golden.results))
        return other.entry;
    return state_->PutEntry(GoldenEntry(model, golden, state_->origin), state_->next_ordinal++);
  });
}

Result<void> Writer::Annotate(const ArchivedModel& model, const Annotation& annotation) {
  return Guarded([&]() -> Result<void> {
    for (const std::string& tag : annotation.add)
      if (const std::string problem = TagProblem(tag); !problem.empty())
        return Usage(StrFormat("'{}' cannot be a tag: {}", tag, problem));
    const auto known = SHLO_TRY(state_->ModelOf(model.entry));
    Annotation change;
    const auto has = [&](const std::string& tag) {
      return std::ranges::find(known.tags, tag) != known.tags.end();
    };
    std::ranges::copy_if(annotation.add, std::back_inserter(change.add),
                         [&](const auto& t) { return !has(t); });
    std::ranges::copy_if(annotation.remove, std::back_inserter(change.remove), has);
    for (const auto& [key, value] : annotation.metadata) {
      const auto now = known.metadata.find(key);
      const bool is =
          value ? now != known.metadata.end() && now->second == *value : now == known.metadata.end();
      if (!is) change.metadata[key] = value;
    }
    if (change.add.empty() && change.remove.empty() && change.metadata.empty()) return {};
    SHLO_TRY(state_->PutEntry(AnnotateEntry(model.entry, change, state_->origin), state_->next_ordinal++));
    return {};
  });
}

Result<void> Writer::Remove(const ArchivedModel& model, const ContentId& form) {
  return Guarded([&]() -> Result<void> {
    const auto known = SHLO_TRY(state_->ModelOf(model.entry));
    if (known.removed) return {};
    for (const ArchivedForm& other : known.forms)
      if (form && other.entry == form && other.removed) return {};
    SHLO_TRY(state_->PutEntry(RemoveEntry(model, form, state_->origin), state_->next_ordinal++));
    return {};
  });
}

}  // namespace shlo::archive
