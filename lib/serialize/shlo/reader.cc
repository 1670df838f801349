// Reads a file in order: docs/shlo-format.md sections 2, 4 and 6.
#include <algorithm>

#include "artifact_generated.h"
#include "base/format.h"
#include "base/guarded.h"
#include "ir/module/op_nodes.h"
#include "ir/print/trace_nodes.h"
#include "serialize/shlo/reader_file.h"
#include "serialize/shlo/reader_program.h"
#include "serialize/shlo/reader_tables.h"
#include "serialize/shlo/writer_tables.h"
#include "shlo/shlo_reader.h"

namespace shlo {
namespace {

using namespace format;

struct FunctionEntry {
  uint64_t name = 0, ops = 0;
};
struct FunctionTable {
  std::vector<FunctionEntry> functions;
  std::vector<uint64_t> in_page;  // functions per page
};

Result<FunctionTable> ReadFunctionTable(const Content& content, size_t num_strings, size_t num_pages) {
  const std::string_view name = SectionName(kFunctions);
  uint64_t counts[2];
  Cursor c[function::kNumColumns];
  if (!SplitColumns(content.bytes, counts, c)) return Malformed(name, "columns do not fill the section");
  if (counts[0] > c[function::kNames].left() || counts[1] != num_pages ||
      num_pages > c[function::kPages].left())
    return Malformed(name, "more functions than the section can hold");
  FunctionTable table;
  Tracked next_name;
  table.functions.reserve(counts[0]);
  for (uint64_t i = 0; i < counts[0]; ++i) {
    FunctionEntry entry{next_name.Decode(c[function::kNames].Varint()), c[function::kOps].Varint()};
    if (entry.name >= num_strings)
      return Malformed(name, StrFormat("name of function {} is out of range", i + 1));
    table.functions.push_back(entry);
  }
  uint64_t left = counts[0];
  for (uint64_t i = 0; i < counts[1]; ++i) {
    const uint64_t n = c[function::kPages].Varint();
    if (n == 0 || n > left) return Malformed(name, "numbers of functions and pages differ");
    left -= n;
    table.in_page.push_back(n);
  }
  if (left) return Malformed(name, "numbers of functions and pages differ");
  for (const Cursor& column : c)
    if (!column.done()) return Malformed(name, "columns differ in number of entries");
  return table;
}

// Everything one read needs. Steps return false with `errors` filled.
class Reading {
 public:
  Reading(std::string_view bytes, Buffer owner, const ShloReadOptions& options)
      : options_(options),
        file_(bytes, std::move(owner), options),
        tables_(&module_, &file_, options),
        program_(&module_, &file_, &tables_, std::min(options.limits.max_depth, kMaxDepth)) {}

  Result<Module> Run(Source* source) {
    if (!Open() || !Tables() || !Resources() || !Program() || !Bodies() || !Debug() || !Constants() ||
        !Versions() || !ContentHash())
      return tl::unexpected(std::move(errors_));
    if (source) {
      const Preamble& p = file_.preamble();
      *source = Source();
      source->name = options_.source_name;
      source->producer = file_.header().producer()->str();
      source->implicit_module = p.flags & kImplicitModule;
      source->version_written = p.flags & kVersionWritten;
    }
    TraceNodes(module_, "read", options_.trace);
    return std::move(module_);
  }

 private:
  template <typename T>
  bool Keep(Result<T> result) {
    if (!result) errors_ = std::move(result.error());
    return result.has_value();
  }
  template <typename T>
  bool Keep(Result<T> result, T* out) {
    if (result) *out = std::move(*result);
    return Keep(std::move(result));
  }
  bool Fail(tl::unexpected<Diagnostics> error) {
    errors_ = std::move(error.value());
    return false;
  }
  bool LoadSection(SectionId id, Content* content) {
    return Keep(file_.Load(*file_.Section(id), SectionName(id)), content) && (Hash(id, *content), true);
  }
  void Hash(SectionId id, const Content& content) {
    if (id < kDebugStrings) AddRecord(content.bytes);
  }
  void AddRecord(std::string_view bytes) {
    if (options_.functions.empty() && options_.verify_checksums) AddRecord(bytes.size(), HashOf(bytes));
  }
  void AddRecord(uint64_t size, const format::Hash& hash) {
    records_.Word(size);
    records_.Word(hash.low);
    records_.Word(hash.high);
  }

  bool Open() {
    if (!Keep(file_.Open())) return false;
    const Preamble& p = file_.preamble();
    module_.version = Version{uint16_t(p.program_version)};
    records_.Word(module_.version.n);
    return true;
  }

  bool Tables() {
    Content c;
    return LoadSection(kStrings, &c) && Keep(tables_.ReadStrings(c, SectionName(kStrings))) &&
           LoadSection(kPayloads, &c) && Keep(tables_.ReadPayloads(c, SectionName(kPayloads), true)) &&
           LoadSection(kNodes, &c) && Keep(tables_.ReadNodes(c, SectionName(kNodes), 1, 1)) &&
           LoadSection(kSignatures, &c) && Keep(program_.ReadSignatures(c));
  }

  bool Resources() {
    Content content;
    if (!LoadSection(kResources, &content)) return false;
    const std::string_view name = SectionName(kResources);
    uint64_t count = 0;
    Cursor c[3];
    if (!SplitColumns(content.bytes, {&count, 1}, c))
      return Fail(Malformed(name, "columns do not fill the section"));
    if (count > c[0].left()) return Fail(Malformed(name, "more resources than the section can hold"));
    if (!file_.Take(count * sizeof(Resource))) return Fail(OutOfMemory(name));
    for (uint64_t i = 0; i < count; ++i) {
      const uint64_t key = c[0].Varint(), payload = c[1].Varint(), alignment = c[2].Varint();
      if (key == 0 || key >= tables_.strings().size() || payload == 0 ||
          payload >= tables_.payloads().size() || alignment > 31)
        return Fail(Malformed(name, StrFormat("resource {} has a reference that is out of range", i + 1)));
      const StringId id = tables_.strings()[key];
      if (i && module_.strings[module_.resources.back().key] >= module_.strings[id])
        return Fail(Malformed(name, "resources are not sorted by key"));
      module_.resources.push_back({id, tables_.payloads()[payload], 1u << alignment});
    }
    for (const Cursor& column : c)
      if (!column.done()) return Fail(Malformed(name, "columns differ in number of entries"));
    return true;
  }

  bool Program() {
    Content content;
    bodies_.resize(1);
    if (!LoadSection(kProgram, &content) || !Keep(program_.ReadProgram(content), &bodies_[0])) return false;
    if (!LoadSection(kFunctions, &content) ||
        !Keep(ReadFunctionTable(content, tables_.strings().size(), file_.header().pages()->size()), &table_))
      return false;
    if (table_.functions.size() != program_.functions().size())
      return Fail(Malformed("functions", "numbers of functions in the table and in the program differ"));
    for (size_t i = 0; i < table_.functions.size(); ++i)
      if (module_.strings[tables_.strings()[table_.functions[i].name]] !=
          module_.SymbolOf(module_.ops[program_.functions()[i].v]))
        return Fail(Malformed(
            "functions",
            StrFormat("name of function {} in the table differs from its name in the program", i + 1)));
    return true;
  }

  bool Wanted(size_t i) const {
    if (options_.functions.empty()) return true;
    const std::string_view name = module_.SymbolOf(module_.ops[program_.functions()[i].v]);
    return std::find(options_.functions.begin(), options_.functions.end(), name) != options_.functions.end();
  }

  bool Bodies() {
    for (const std::string& name : options_.functions) {
      const auto named = [&](OpId op) { return module_.SymbolOf(module_.ops[op.v]) == name; };
      if (std::none_of(program_.functions().begin(), program_.functions().end(), named))
        return Fail(Error(Code::kUsage, StrFormat("unknown function '{}'", name)));
    }
    const auto& pages = *file_.header().pages();
    uint64_t total = 0, page_bytes = 0;  // an op takes a byte of a page at least
    for (size_t i = 0; i < table_.functions.size(); ++i)
      if (Wanted(i)) total += std::min<uint64_t>(table_.functions[i].ops, 1 << 24);
    for (const artifact::Chunk* page : pages) page_bytes += page->size();
    total = std::min<uint64_t>({total, page_bytes, 1 << 24});  // above this, growing costs little
    module_.ops.reserve(module_.ops.size() + total);
    module_.values.reserve(module_.values.size() + total + total / 8);
    const ModuleLists lists(&module_);
    lists.ops.reserve(lists.ops.size() + total);
    lists.operands.reserve(lists.operands.size() + 2 * total);
    bodies_.resize(1 + table_.functions.size());
    size_t function = 0;
    for (uint32_t p = 0; p < pages.size(); ++p) {
      const size_t end = function + table_.in_page[p];
      Content page;
      if (!LoadPage(*pages.Get(p), "page of functions", function, end, &page)) return false;
      if (page.bytes.empty()) {
        function = end;
        continue;
      }
      AddRecord(page.bytes);
      if (!Keep(program_.OpenPage(page))) return false;
      for (; function < end; ++function)
        if (!Keep(program_.ReadBody(program_.functions()[function], table_.functions[function].ops,
                                    Wanted(function)),
                  &bodies_[1 + function]))
          return false;
      if (!Keep(program_.ClosePage())) return false;
    }
    return true;
  }

  // Loads a page if one of the functions [first, end) in it is requested; otherwise it stays empty.
  bool LoadPage(const artifact::Chunk& chunk, std::string_view name, size_t first, size_t end,
                Content* page) {
    for (size_t i = first; i < end; ++i)
      if (Wanted(i)) {
        if (!Keep(file_.Load(chunk, name), page)) return false;
        return !page->bytes.empty() || Fail(Malformed("header", "page is empty"));
      }
    return true;
  }

  bool Debug() {
    if (!file_.has_debug()) return true;
    const uint64_t strings = tables_.strings().size(), payloads = tables_.payloads().size();
    Content c;
    if (!LoadSection(kDebugStrings, &c) || !Keep(tables_.ReadStrings(c, SectionName(kDebugStrings))) ||
        !LoadSection(kDebugPayloads, &c) ||
        !Keep(tables_.ReadPayloads(c, SectionName(kDebugPayloads), false)) || !LoadSection(kDebugNodes, &c) ||
        !Keep(tables_.ReadNodes(c, SectionName(kDebugNodes), strings, payloads)) ||
        !LoadSection(kDebugProgram, &c) ||
        !Keep(program_.ReadLocations(c, {&bodies_[0], 1}, SectionName(kDebugProgram))))
      return false;
    const auto& pages = *file_.header().debug_pages();
    constexpr std::string_view kName = "debug page of functions";
    size_t function = 0;
    for (uint32_t p = 0; p < pages.size(); ++p) {
      const size_t end = function + table_.in_page[p];
      Content page;
      if (!LoadPage(*pages.Get(p), kName, function, end, &page)) return false;
      if (!page.bytes.empty() && !Keep(program_.ReadLocations(
                                     page, std::span(bodies_).subspan(1 + function, end - function), kName)))
        return false;
      function = end;
    }
    return true;
  }

  // For a part of the functions, checks only the constants that they use.
  bool Constants() {
    if (options_.functions.empty() || !options_.verify_checksums) return true;
    std::vector<uint8_t> attrs(module_.attrs.size()), payloads(module_.payloads.size());
    std::vector<AttrId> pending;
    const auto use = [&](AttrId attr) {
      if (attr && !attrs[attr.v]) {
        attrs[attr.v] = 1;
        pending.push_back(attr);
      }
    };
    for (uint32_t i = 1; i < module_.signatures.size(); ++i) {
      const OpSignature signature = module_.signatures[SignatureId(i)];
      for (AttrId slot : signature.inherent_attrs) use(slot);
      for (const NamedAttr& discardable : signature.discardable_attrs) use(discardable.value);
    }
    while (!pending.empty()) {
      const auto view = module_.attrs[pending.back()];
      pending.pop_back();
      ForEachWord(RowOf(view.kind), view.words, [&](FieldType type, size_t at, const FieldRow&) {
        const uint32_t word = uint32_t(view.words[at]);
        if (type == FieldType::kPayload) payloads[word] = 1;
        if (type == FieldType::kAttr) use(AttrId(word));
      });
    }
    for (const Resource& resource : module_.resources) payloads[resource.payload.v] = 1;
    for (size_t i = 1; i < tables_.externals().size(); ++i)
      if (tables_.externals()[i] && payloads[tables_.payloads()[i].v] &&
          !Keep(file_.LoadPayload(tables_.externals()[i] - 1, true)))
        return false;
    return true;
  }

  bool ContentHash() {
    if (!options_.functions.empty() || !options_.verify_checksums) return true;
    for (const artifact::Payload* p : *file_.header().payloads())
      AddRecord(p->size(), {p->hash().low(), p->hash().high()});
    const format::Hash hash = HashOf(records_.view());
    const artifact::Hash128& stated = *file_.header().content_hash();
    if (hash.low != stated.low() || hash.high != stated.high())
      return Fail(Error(Code::kChecksum, "content hash mismatch", {.section = "header"}));
    return true;
  }

  // Checks for types, attributes and enum cases that the version of the program does not have.
  bool Versions() {
    const std::string missing = NodeNotIn(module_, module_.version);
    return missing.empty() ||
           Fail(Error(Code::kInvalidProgram,
                      StrFormat("{} does not exist in version {}, the version of the program", missing,
                                VersionName(module_.version)),
                      {.section = std::string(SectionName(kNodes))}));
  }

  const ShloReadOptions& options_;
  Module module_;
  FileReader file_;
  TableReader tables_;
  ProgramReader program_;
  FunctionTable table_;
  std::vector<BodyIn> bodies_;  // of section 6, then of functions
  ByteBuffer records_;
  Diagnostics errors_;
};

// Names the file in the errors of `result`.
template <typename T>
Result<T> InFile(const std::string& name, Result<T> result) {
  if (!result)
    for (Diagnostic& d : result.error()) d.place.file = name;
  return result;
}

}  // namespace

bool IsShlo(std::string_view bytes) { return bytes.starts_with(kMagic); }

Result<Module> ReadShlo(std::string_view bytes, Buffer owner, const ShloReadOptions& options,
                        Source* source) {
  // A file may stay within its limits and still need more memory than this machine has.
  return Guarded(
      options.limits,
      [&] { return InFile(options.source_name, Reading(bytes, std::move(owner), options).Run(source)); },
      options.source_name, Code::kLimit);
}

namespace {

Result<ShloInfo> Inspect(std::string_view bytes, const ShloReadOptions& options) {
  FileReader file(bytes, nullptr, options);
  const auto fail = [](Diagnostics errors) { return tl::unexpected(std::move(errors)); };
  if (auto ok = file.Open(); !ok) return fail(std::move(ok.error()));
  const artifact::Artifact& h = file.header();
  ShloInfo info;
  info.format_version = file.preamble().format_version;
  info.version = Version{uint16_t(file.preamble().program_version)};
  info.producer = h.producer()->str();
  info.content_hash = HashText({h.content_hash()->low(), h.content_hash()->high()});
  if (h.certificate()) info.certificate = h.certificate()->str();
  for (const auto& [index, constant] : file.outside()) info.outside.push_back(constant);

  info.sections.push_back({"preamble", 0, kPreambleSize, kPreambleSize, file.preamble().checksum});
  info.sections.push_back({"header", kPreambleSize, file.preamble().header_size, file.preamble().header_size,
                           file.preamble().header_checksum});
  // Chunks of one kind count as one section, which has no separate checksum.
  const auto add = [&](std::string name, const auto& chunks) {
    if (!chunks.size()) return;
    ShloSection sum{std::move(name), chunks.Get(0)->offset(), 0, 0, 0};
    for (const auto* c : chunks) {
      sum.stored_size += c->stored_size();
      sum.size += c->size();
    }
    info.sections.push_back(std::move(sum));
  };
  for (const artifact::Section* s : *h.sections()) {
    if (s->id() == kDebugStrings) add("pages of functions", *h.pages());
    info.sections.push_back({std::string(SectionName(s->id())), s->chunk().offset(), s->chunk().stored_size(),
                             s->chunk().size(), s->chunk().checksum()});
  }
  if (!file.has_debug()) add("pages of functions", *h.pages());
  add("debug pages of functions", *h.debug_pages());
  // Those outside have no place in the file.
  ShloSection constants{"constants", 0, 0, 0, 0};
  for (const artifact::Payload* p : *h.payloads()) {
    if (p->offset() && !constants.offset) constants.offset = p->offset();
    constants.stored_size += p->stored_size();
    constants.size += p->offset() ? p->size() : 0;
  }
  if (constants.offset) info.sections.push_back(std::move(constants));

  Module scratch;
  TableReader tables(&scratch, &file, options);
  for (SectionId id : {kStrings, kDebugStrings}) {
    const artifact::Chunk* chunk = file.Section(id);
    if (!chunk) continue;
    auto content = file.Load(*chunk, SectionName(id));
    if (!content) return fail(std::move(content.error()));
    if (auto ok = tables.ReadStrings(*content, SectionName(id)); !ok) return fail(std::move(ok.error()));
  }
  for (size_t i = 1; i < tables.strings().size(); ++i)
    info.strings.emplace_back(scratch.strings[tables.strings()[i]]);
  auto content = file.Load(*file.Section(kFunctions), SectionName(kFunctions));
  if (!content) return fail(std::move(content.error()));
  auto table = ReadFunctionTable(*content, tables.strings().size(), h.pages()->size());
  if (!table) return fail(std::move(table.error()));
  for (const FunctionEntry& f : table->functions)
    info.functions.push_back({std::string(scratch.strings[tables.strings()[f.name]]), f.ops});
  return info;
}

}  // namespace

Result<ShloInfo> InspectShlo(std::string_view bytes, const ShloReadOptions& options) {
  return Guarded(
      options.limits, [&] { return InFile(options.source_name, Inspect(bytes, options)); },
      options.source_name, Code::kLimit);
}

}  // namespace shlo
