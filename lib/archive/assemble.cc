#include "archive/assemble.h"

#include "base/deadline.h"
#include "base/format.h"
#include "base/hex.h"
#include "base/stack.h"
#include "base/try.h"

namespace shlo::archive {
namespace {

Diagnostics MalformedList(const ContentId& id, const std::string& file) {
  return Error(Code::kMalformed, StrFormat("the list of {} is malformed", IdText(id)), {.file = file},
               "run 'shlo-compat archive verify'")
      .value();
}

class Assembler {
 public:
  Assembler(const Fetch& fetch, const Sink& sink, const std::string& name)
      : fetch_(fetch), sink_(sink), name_(name) {}

  Result<uint64_t> Run(const ContentId& id) {
    auto size = SHLO_TRY(Pass(id, 0));
    if (hasher_.Finish() != id)
      return Error(Code::kChecksum, StrFormat("the assembled bytes differ from {}", IdText(id)),
                   {.file = name_}, "run 'shlo-compat archive verify'");
    return size;
  }

 private:
  Result<uint64_t> Pass(const ContentId& id, int depth) {
    CheckStack();
    auto fetched = SHLO_TRY(fetch_(id));
    if (fetched.header.kind != RecordKind::kList) return Put(fetched.content);
    const auto malformed = [&] { return tl::unexpected(MalformedList(id, name_)); };
    const auto list = depth < kMaxListDepth ? ReadList(fetched.content) : std::nullopt;
    if (!list) return malformed();
    for (const ListPart& part : list->parts) {
      Tick(100);
      const bool hex = part.code == PartCode::kHexPiece;
      // Digits of digits have no meaning.
      if (hex && hex_) return malformed();
      hex_ = hex_ || hex;
      auto size = part.code == PartCode::kLiteral ? Put(part.literal) : Pass(part.id, depth + 1);
      if (hex) hex_ = false;
      if (!size) return size;
      if (*size != part.size) return malformed();
    }
    return list->size;
  }

  Result<uint64_t> Put(std::string_view bytes) {
    const uint64_t size = bytes.size();
    std::string digits;
    if (hex_) {
      AppendHex(bytes, &digits);
      bytes = digits;
    }
    hasher_.Add(bytes);
    Tick(bytes.size() / 16);
    if (!bytes.empty() && !sink_(bytes))
      return Error(Code::kIo, "cannot write the whole file", {.file = name_});
    return size;
  }

  const Fetch& fetch_;
  const Sink& sink_;
  const std::string& name_;
  IdHasher hasher_;
  bool hex_ = false;
};

Result<void> Walk(const Fetch& fetch, const ContentId& id, const ClosureVisitor& visit, int depth,
                  IdSet* ids) {
  CheckStack();
  if (ids->contains(id)) return {};
  if (visit.leaf && visit.leaf(id)) {
    ids->insert(id);
    return {};
  }
  auto fetched = fetch(id);
  if (!fetched) {
    ids->insert(id);
    return visit.missing ? visit.missing(id, fetched.error()) : tl::unexpected(std::move(fetched.error()));
  }
  if (fetched->header.kind == RecordKind::kList) {
    const auto list = depth < kMaxListDepth ? ReadList(fetched->content) : std::nullopt;
    if (!list) {
      Diagnostics why = MalformedList(id, visit.name);
      ids->insert(id);
      return visit.missing ? visit.missing(id, why) : tl::unexpected(std::move(why));
    }
    for (const ListPart& part : list->parts)
      if (part.code != PartCode::kLiteral) SHLO_TRY(Walk(fetch, part.id, visit, depth + 1, ids));
  }
  ids->insert(id);
  return visit.record ? visit.record(id, *fetched) : Result<void>();
}

}  // namespace

Fetch FetchFrom(State& state) {
  return [&state](const ContentId& id) { return FetchRecord(state, id); };
}

bool IsData(State& state, const ContentId& id) {
  const std::lock_guard lock(state.mutex);
  const auto places = state.catalog->Locate(id);
  return places && !places->empty() && places->front().kind != RecordKind::kList;
}

Result<uint64_t> StatedSize(State& state, const ContentId& id) {
  {
    const std::lock_guard lock(state.mutex);
    const auto size = state.catalog->DataSize(id);
    if (size && *size != 0) return *size;
  }
  return SizeOf(FetchFrom(state), id, state.folder);
}

Result<uint64_t> SizeOf(const Fetch& fetch, const ContentId& id, const std::string& name) {
  const auto fetched = SHLO_TRY(fetch(id));
  if (fetched.header.kind != RecordKind::kList) return fetched.header.size;
  const auto list = ReadList(fetched.content);
  if (!list) return tl::unexpected(MalformedList(id, name));
  return list->size;
}

Result<uint64_t> Assemble(const Fetch& fetch, const ContentId& id, const Sink& sink,
                          const std::string& name) {
  return Assembler(fetch, sink, name).Run(id);
}

Result<void> AddClosure(const Fetch& fetch, const ContentId& id, const ClosureVisitor& visit, IdSet* ids) {
  return Walk(fetch, id, visit, 0, ids);
}

}  // namespace shlo::archive
