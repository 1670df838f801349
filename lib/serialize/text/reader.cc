// Driver of the text reader: top level, file metadata, versions and recovery.
#include <algorithm>
#include <cstring>

#include "base/aligned_bytes.h"
#include "base/format.h"
#include "base/guarded.h"
#include "base/hex.h"
#include "base/large_page.h"
#include "base/mapped_bytes.h"
#include "ir/module/op_nodes.h"
#include "ir/print/trace_nodes.h"
#include "ir/table/ops.h"
#include "serialize/text/reader_impl.h"
#include "shlo/text_reader.h"

namespace shlo {

Result<Module> ReadText(std::string_view text, Buffer owner, const TextReadOptions& options, Source* source) {
  return Guarded(
      options.limits,
      [&]() -> Result<Module> {
        if (text.size() >= UINT32_MAX * 8ull)
          return Error(Code::kLimit, "the text is longer than 32 GiB", {.file = options.source_name});
        text::Reader reader(text, owner, options, false, source);
        Result<Module> module = reader.Run();
        if (!reader.needs_wrapping()) return module;
        // The text has a module and other ops: an implicit module contains all of them.
        return text::Reader(text, owner, options, true, source).Run();
      },
      options.source_name);
}

namespace text {
Reader::Reader(std::string_view text, Buffer owner, const TextReadOptions& options, bool wrap, Source* source)
    : NameReader(text, std::move(owner), options), source_(source), wrap_(wrap) {}

namespace {

// Estimates the number of lines from samples: a line of megabytes is one constant.
size_t EstimatedLines(std::string_view text) {
  constexpr size_t kSamples = 32, kSample = 1024;
  if (text.size() <= kSamples * kSample) return size_t(std::ranges::count(text, '\n')) + 1;
  size_t lines = 0;
  for (size_t i = 0; i < kSamples; ++i)
    lines += size_t(std::ranges::count(text.substr(text.size() / kSamples * i, kSample), '\n'));
  return text.size() / (kSamples * kSample) * lines + lines + 1;
}

}  // namespace

// --- Recovery ---------------------------------------------------------------------------------------

// Continues after a broken op: at the next line on which an op may begin with all braces of the broken one
// closed, or at the brace that closes the enclosing region.
void Reader::Recover(const char* op_start) {
  const char* failed = std::max(failed_at_ ? failed_at_ : op_start, op_start);
  if (stop_ || failed == c_.end) {  // nothing follows; do not let every enclosing op search again
    c_.p = c_.end;
    return;
  }
  size_t depth = 0;
  for (const char* q = op_start; q < c_.end; ++q) {
    switch (*q) {
      case '"':
        for (++q; q < c_.end && *q != '"' && *q != '\n'; ++q)
          if (*q == '\\' && q + 1 < c_.end && q[1] != '\n') ++q;
        if (q < c_.end && *q == '\n') --q;
        break;
      case '/':
        if (q + 1 < c_.end && q[1] == '/') q = std::find(q, c_.end, '\n') - 1;
        break;
      case '{':
        ++depth;
        break;
      case '}':
        if (depth == 0) {
          c_.p = q;
          return;
        }
        --depth;
        break;
      case '\n':
        if (depth == 0 && q >= failed) {
          Cursor next(q, c_.end);
          const char ch = next.Peek();
          if (next.p == c_.end || Is(ch, kLetterChar) || ch == '%' || ch == '"' || ch == '^' || ch == '}' ||
              ch == '#' || ch == '!') {
            c_.p = next.p;
            return;
          }
        }
        break;
      default:
        break;
    }
  }
  c_.p = c_.end;
}

// --- Program ----------------------------------------------------------------------------------------

void Reader::ReadOps(bool top) {
  while (!stop_) {
    const char ch = c_.Peek();
    if (c_.p == c_.end) return;
    if (until_ && c_.p >= until_ && contexts_.size() == until_level_) return;
    if (is_part_ && top && (ch == '#' || ch == '!' || ch == '{')) return;
    if (top) {
      if (ch == '#' || ch == '!' || (ch == '{' && c_.At(1) == '-')) {
        const char* start = c_.p;
        if (!(ch == '{' ? ReadFileMetadata() : ReadAliasDefinition())) Recover(start);
        if (c_.p == start) ++c_.p;
        continue;
      }
      if (ch == '}' || ch == '^') {
        Fail(c_.p, std::string("unexpected '") + ch + "'");
        ++c_.p;
        continue;
      }
      if (!wrap_ && m_.top) {
        needs_wrapping_ = true;
        return;
      }
      // A lone module is the program itself, so no block is open for it yet.
      if (!wrap_ && m_.ops.size() == 1) {
        if (!c_.PeekWord("module") && !c_.PeekWord("builtin.module") &&
            std::string_view(c_.p, std::min<size_t>(c_.left(), 16)) != "\"builtin.module\"")
          return;
      }
    } else if (ch == '}' || ch == '^') {
      return;
    }
    if (!tried_parts_ && contexts_.back().module && (!top || wrap_)) {
      ReadOpsInParts();
      continue;
    }
    const char* start = c_.p;
    GiveBackPages(size_t(4) << 20);
    if (!ReadOp()) {
      Recover(start);
      if (top && !wrap_ && !m_.top) return;
    } else if (top && !wrap_) {
      m_.top = OpId(uint32_t(m_.ops.size() - 1));
    }
  }
}

void Reader::ReadTopLevel() {
  contexts_.push_back({.module = true});
  const Scope scope = EnterScope(true);
  if (!wrap_) ReadOps(true);
  if (!needs_wrapping_ && !stop_ && !m_.top && !c_.AtEnd()) {
    // No module: everything is in an implicit one.
    wrap_ = true;
    const RegionId region = builder_.NewRegion();
    region_ = region;
    const BlockId block = builder_.NewBlock();
    builder_.BeginBlock(region, block);
    ReadOps(true);
    builder_.EndBlock();
    builder_.EndRegion(region);
    if (m_.ops.size() > 1) AddImplicitModule(region);
  }
  if (!needs_wrapping_) LeaveScope(scope);
}

// Pages of large constants are read again soon. To map them once more would take longer than to read them.
bool Reader::KeepsPages() const {
  constexpr size_t kMost = size_t(256) << 20;
  return num_digits_ > text_.size() / 2 && text_.size() <= kMost;
}

// Releases the pages of the text before the cursor if they have at least `least` bytes. Large pages are
// released whole, because the next access would map all of one again. The last few MiB before are released a
// second time, because caches refer to them.
void Reader::GiveBackPages(size_t least) {
  if (KeepsPages()) return;
  const uintptr_t begin = reinterpret_cast<uintptr_t>(text_.data());
  const uintptr_t end = reinterpret_cast<uintptr_t>(c_.p) / kLargePage * kLargePage;
  if (end < begin + given_back_ + std::max<size_t>(least, 1)) return;
  constexpr size_t kCached = size_t(8) << 20;
  const size_t at = end - begin, from = given_back_ - std::min(given_back_, kCached);
  ReleasePages(text_.substr(from, at - from));
  given_back_ = at;
}

// Adds the module around a text without one.
void Reader::AddImplicitModule(RegionId region) {
  implicit_module_ = true;
  OpSpec spec;
  spec.revision = NewestRevision(ops::kModule);
  const RegionId regions[] = {region};
  spec.regions = regions;
  spec.loc = NowhereInFile();
  m_.top = builder_.AddOp(spec);
  places_.AddOps(m_.ops.size(), 0);
}

// An op takes a line, or more; this avoids most reallocations.
void Reader::ReserveFor(std::string_view text) {
  const size_t guess = std::min<size_t>(EstimatedLines(text), 1u << 24);
  builder_.Reserve(guess);
  places_.Reserve(guess);
}

Result<Module> Reader::Run() {
  places_.AddOps(1, 0);
  ReserveFor(text_);
  ReadTopLevel();
  if (needs_wrapping_) return Module();
  TraceNodes(m_, "read", options_.trace);
  if (diagnostics_.empty() && !m_.top && options_.allow_empty) {
    const RegionId region = builder_.NewRegion();
    builder_.BeginBlock(region, builder_.NewBlock());
    builder_.EndBlock();
    builder_.EndRegion(region);
    AddImplicitModule(region);
  }
  if (diagnostics_.empty() && !m_.top)
    Fail(text_.data() + text_.size(), "expected a program, found an empty file",
         "write at least one op or 'module {}'");
  if (diagnostics_.empty()) {
    std::sort(m_.resources.begin(), m_.resources.end(),
              [&](const Resource& a, const Resource& b) { return m_.strings[a.key] < m_.strings[b.key]; });
  }
  if (diagnostics_.empty()) DecideVersion();
  if (!diagnostics_.empty()) {
    // Report messages in the order of the text.
    std::stable_sort(diagnostics_.begin(), diagnostics_.end(), [](const Diagnostic& a, const Diagnostic& b) {
      return std::pair(a.place.line, a.place.column) < std::pair(b.place.line, b.place.column);
    });
    return tl::make_unexpected(std::move(diagnostics_));
  }
  if (source_) {
    source_->name = options_.source_name;
    source_->producer.clear();
    source_->first_line = options_.first_line;
    source_->implicit_module = implicit_module_;
    source_->version_written = !written_versions_.empty();
    source_->mhlo = IsMhlo();
    source_->places = std::move(places_);
  }
  if (!KeepsPages()) ReleasePages(text_);
  return std::move(m_);
}

// --- Versions ---------------------------------------------------------------------------------------

void Reader::NoteWrittenVersion(AttrId attr, const char* at) {
  int64_t n;
  if (!m_.AsInteger(attr, &n)) {
    Fail(at, "stablehlo.compat_version must be an integer, such as 37 : i32");
    return;
  }
  if (n < kMinimumVersion.n || n > kCurrentVersion.n || !FindVersion(Version{uint16_t(n)})) {
    const bool newer = n > kCurrentVersion.n;
    Fail(at,
         "version " + std::to_string(n) +
             (newer ? " is newer than the known versions " : " is not one of the known versions ") +
             std::to_string(kMinimumVersion.n) + " to " + std::to_string(kCurrentVersion.n),
         newer ? "update shlo-compat, or ask the producer for an older target" : "",
         newer ? Code::kNewerVersion : Code::kUnknownVersion);
    return;
  }
  written_versions_.push_back({Version{uint16_t(n)}, at});
}

// Returns whether the text is an MHLO program: it has types or attributes of MHLO, or ops that StableHLO or
// CHLO has, and no op of StableHLO. StableHLO programs hold other ops of MHLO, such as mhlo.copy.
bool Reader::IsMhlo() const {
  bool found = mhlo_nodes_;
  for (const OpName& name : op_names_) {
    if (!name.used) continue;
    found = found || (name.mhlo && name.mhlo->fate != mhlo::Fate::kNone);
    if (name.row && !name.mhlo && RowOf(name.row).dialect == "stablehlo") return false;
  }
  return found;
}

void Reader::DecideVersion() {
  const OpName* oldest = nullptr;  // the op that was removed first
  const OpName* newest = nullptr;  // the op that was added last
  for (const OpName& name : op_names_) {
    if (!name.used || !name.row) continue;
    if (!oldest || name.until < oldest->until) oldest = &name;
    if (!newest || name.since > newest->since) newest = &name;
  }
  for (const WrittenVersion& written : written_versions_)
    if (written.version != written_versions_.front().version) {
      Fail(written.at,
           "conflicting versions: " + VersionName(written_versions_.front().version) + " and " +
               VersionName(written.version),
           {}, Code::kInvalidProgram);
      return;
    }
  Version version = kCurrentVersion;
  if (options_.version.valid()) {
    version = options_.version;
  } else if (!written_versions_.empty()) {
    version = written_versions_.front().version;
  } else if (oldest && newest) {
    if (oldest->until < newest->since) {
      Fail(oldest->first_use,
           "no version contains both '" + std::string(oldest->name) + "' (removed after " +
               VersionName(oldest->until) + ") and '" + std::string(newest->name) + "' (added in " +
               VersionName(newest->since) + ")",
           "state the version of the text with stablehlo.compat_version", Code::kInvalidProgram);
      return;
    }
    version = oldest->until;
  }
  // A text without a version gets the newest that has all of its types, attributes and enum cases as well.
  if (!options_.version.valid() && written_versions_.empty() && !AllNodesIn(m_, version)) {
    const VersionSet set = VersionsOfNodes(m_) & Between(oldest ? newest->since : kMinimumVersion, version);
    if (!set) {
      const std::string missing = NodeNotIn(m_, version);
      Fail(oldest ? oldest->first_use : text_.data(),
           oldest && !missing.empty()
               ? StrFormat("no version contains both '{}' (removed after {}) and {}", oldest->name,
                           VersionName(oldest->until), missing)
               : "no version contains all types, attributes and enum cases of this text",
           "state the version of the text with stablehlo.compat_version", Code::kInvalidProgram);
      return;
    }
    version = Newest(set);
  }
  // A VHLO name implies a revision of its op; at another version the program would be a different one.
  for (const OpName& name : op_names_)
    if (name.used && name.vhlo && !RevisionOf(name.revision).LegalAt(version))
      Fail(name.first_use,
           "'" + std::string(name.name) + "' does not exist in " + VersionName(version) +
               ", only in versions " + std::to_string(name.since.n) + " to " + std::to_string(name.until.n),
           {}, Code::kInvalidProgram);
  if (!diagnostics_.empty()) return;
  // Most texts hold only revisions that their version has, of the ops that they name and that forms imply.
  const RowId kImplied[] = {ops::kModule, ops::kFuncReturn, ops::kReturn};
  const auto is_legal = [&](RevisionId id) { return !id || RevisionOf(id).LegalAt(version); };
  if (std::ranges::all_of(op_names_, [&](const OpName& name) { return is_legal(name.revision); }) &&
      std::ranges::all_of(kImplied, [&](RowId row) { return is_legal(NewestRevision(row)); }))
    m_.version = version;
  else
    m_.SetVersion(version);
}

// --- File metadata: {-# dialect_resources: { dialect: { key: "0x..." } } #-} ------------------------

bool Reader::ReadFileMetadata() {
  c_.p += 2;
  if (c_.At(0) != '#') return FailExpected("'{-#'");
  ++c_.p;
  while (!(c_.Peek() == '#' && c_.At(1) == '-' && c_.At(2) == '}')) {
    const std::string_view section = c_.Word();
    if (section.empty()) return FailExpected("a section of the file metadata");
    if (!Expect(':', "after the name of a section")) return false;
    const bool read = section == "dialect_resources"    ? ReadResources()
                      : section == "external_resources" ? ReadExternalResources()
                                                        : SkipMetadataSection();
    if (!read) return false;
    if (!c_.Eat(',') && c_.Peek() != '#') return FailExpected("',' or '#-}'");
  }
  c_.p += 3;
  return true;
}

bool Reader::SkipMetadataSection() {
  if (c_.Peek() == '{' && c_.SkipBalanced()) return true;
  return FailExpected("a section in braces");
}

bool Reader::ReadExternalResources() {
  return ReadList('{', "before the external resources", '}', "after the external resources", [&] {
    const std::string_view owner = c_.Word();
    if (owner.empty()) return FailExpected("the name of a group of external resources");
    if (!Expect(':', "after the name of a group of external resources")) return false;
    // Other groups do not belong to the program.
    return owner == kOutsideGroup ? ReadOutsideGroup() : SkipMetadataSection();
  });
}

bool Reader::ReadResourceKey(std::string_view* key) {
  if (c_.Peek() == '"') {
    if (!ReadString(key)) return false;
  } else {
    *key = c_.Word();
  }
  if (key->empty()) return FailExpected("the key of a resource");
  return Expect(':', "after the key of a resource");
}

// Constants that lie outside: { key: "sha256:... size:..." } (docs/outside.md).
bool Reader::ReadOutsideGroup() {
  const auto item = [&] {
    std::string_view key, text;
    const char* key_at = (c_.Skip(), c_.p);
    if (!ReadResourceKey(&key)) return false;
    Resource resource;
    resource.key = m_.strings.Intern(key);
    const char* at = (c_.Skip(), c_.p);
    if (c_.Peek() != '"' || !ReadString(&text)) return FailExpected("a string");
    const auto constant = ParseOutsideText(text, &resource.alignment);
    if (!constant)
      return Fail(at, "a constant outside is \"sha256:HEX size:N alignment:N file:NAME key:NAME\"");
    if (!resource_keys_.insert(resource.key.v).second)
      return Fail(key_at, "duplicate resource '" + std::string(m_.strings[resource.key]) + "'");
    auto found = ReadOutside(options_.outside, *constant);
    if (!found) return FailWith(at, found.error());
    resource.payload = m_.payloads.AddView(found->bytes.data(), found->bytes.size(), found->owner);
    m_.resources.push_back(resource);
    return true;
  };
  return ReadList('{', "before the external resources of a group", '}',
                  "after the external resources of a group", item);
}

bool Reader::ReadResources() {
  return ReadList('{', "before the resources", '}', "after the resources", [&] {
    if (c_.Word().empty()) return FailExpected("the name of a dialect");
    if (!Expect(':', "after the name of a dialect")) return false;
    return ReadList('{', "before the resources of a dialect", '}', "after the resources of a dialect", [&] {
      std::string_view key;
      const char* key_at = (c_.Skip(), c_.p);
      if (!ReadResourceKey(&key)) return false;
      c_.Skip();
      const char* at = c_.p;
      RawText literal;
      if (c_.Peek() != '"' || !c_.RawString(&literal)) return FailExpected("a string of hex digits");
      std::string_view hex = literal.raw;
      // "0x", the alignment in four bytes, the blob.
      uint8_t prefix[4];
      if (literal.escaped || hex.size() < 10 || hex.size() % 2 || !hex.starts_with("0x") ||
          !DecodeHex(hex.substr(2, 8), prefix))
        return Fail(at, "a resource is \"0x\", its alignment in 8 hex digits, and its bytes");
      Resource resource;
      resource.key = m_.strings.Intern(key);
      if (!resource_keys_.insert(resource.key.v).second)
        return Fail(key_at, "duplicate resource '" + std::string(m_.strings[resource.key]) + "'");
      resource.alignment = uint32_t(prefix[0]) | uint32_t(prefix[1]) << 8 | uint32_t(prefix[2]) << 16 |
                           uint32_t(prefix[3]) << 24;
      if (!resource.alignment || (resource.alignment & (resource.alignment - 1)))
        return Fail(at, "the alignment of a resource must be a power of two");
      hex.remove_prefix(10);
      const size_t size = hex.size() / 2;
      if (literal.upper_hex && size > PayloadTable::kDeduplicate && owner_) {
        resource.payload = m_.payloads.AddHex(hex, owner_);
        num_digits_ += hex.size();
      } else {
        const std::shared_ptr<uint8_t> bytes = AllocateAligned(size);
        if (!DecodeHex(hex, bytes.get()))
          return Fail(at, "the resource contains a character that is not a hex digit");
        resource.payload = m_.payloads.AddView(bytes.get(), size, bytes);
      }
      m_.resources.push_back(resource);
      return true;
    });
  });
}

}  // namespace text
}  // namespace shlo
