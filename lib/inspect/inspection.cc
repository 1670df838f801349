#include "inspect/inspection.h"

#include <algorithm>
#include <map>
#include <tuple>
#include <unordered_map>

#include "base/deadline.h"
#include "base/format.h"
#include "base/sha256.h"
#include "base/try.h"
#include "ir/table/ops.h"
#include "ir/table/trait.h"
#include "serialize/container/report.h"
#include "shlo/consumers.h"
#include "shlo/convert.h"
#include "shlo/mhlo.h"
#include "shlo/mlirbc_reader.h"
#include "shlo/shlo_reader.h"

namespace shlo {
namespace {

struct OpCount {
  std::string name;
  std::string vhlo;
  Version since;
  Version until;
  uint64_t count = 0;
};

struct FunctionInfo {
  std::string name;
  bool is_private = false;
  uint64_t ops = 0;
};

struct Summary {
  std::vector<OpCount> ops;  // most frequent first
  std::vector<FunctionInfo> functions;
  std::vector<std::pair<std::string, uint64_t>> custom_calls;  // by name
  uint64_t constant_bytes = 0;
};

// Counts ops of all nesting levels, and attributes them to their enclosing function.
Summary Summarize(const Module& m) {
  Summary s;
  std::unordered_map<uint64_t, uint64_t> counts;  // by revision, or by name for ops not in the op table
  std::unordered_map<std::string_view, uint64_t> calls;
  std::vector<uint32_t> function_of(m.ops.size());  // index + 1 into s.functions
  const RowId custom_call = ops::kCustomCall;
  // Parents follow their regions in the arrays, so a first walk collects the functions.
  for (uint32_t i = 1; i < m.ops.size(); ++i) {
    Tick();
    const Op& op = m.ops[i];
    counts[m.RevisionIdOf(op) ? m.RevisionIdOf(op).v : (uint64_t(m.NameIdOf(op).v) << 16)]++;
    if (m.Has(op, Trait::kFunction)) {
      s.functions.push_back({std::string(m.SymbolOf(op)), m.VisibilityOf(op) == "private", 0});
      function_of[i] = uint32_t(s.functions.size());
    }
    std::string_view target;
    if (m.Is(op, custom_call) && m.AsString(m.InherentAttrOf(op, "call_target_name"), &target))
      calls[target]++;
  }
  // Find the enclosing function by walking up. Results are stored, so every chain is walked once.
  std::vector<OpId> chain;
  for (uint32_t i = 1; i < m.ops.size(); ++i) {
    Tick();
    OpId at(i);
    chain.clear();
    while (at && !function_of[at.v]) {
      chain.push_back(at);
      const BlockId block = m.ops[at.v].parent;
      at = block ? m.regions[m.blocks[block.v].parent.v].parent : OpId();
    }
    const uint32_t owner = at ? function_of[at.v] : 0;
    if (!owner) continue;
    for (OpId id : chain) function_of[id.v] = owner;
    if (at.v != i) s.functions[owner - 1].ops++;
  }
  for (const auto& [key, count] : counts) {
    OpCount c;
    c.count = count;
    if (const RevisionId revision{uint16_t(key)}; revision) {
      c.name = RowOf(revision).name;
      c.vhlo = VhloName(revision);
      c.since = RevisionOf(revision).since;
      c.until = RevisionOf(revision).until;
    } else {
      c.name = m.strings[StringId(uint32_t(key >> 16))];
    }
    s.ops.push_back(std::move(c));
  }
  std::sort(s.ops.begin(), s.ops.end(), [](const OpCount& a, const OpCount& b) {
    return a.count != b.count ? a.count > b.count : a.name < b.name;
  });
  for (const auto& [name, count] : calls) s.custom_calls.emplace_back(name, count);
  std::sort(s.custom_calls.begin(), s.custom_calls.end());
  for (uint32_t i = 1; i < m.payloads.size(); ++i) s.constant_bytes += m.payloads.SizeOf(PayloadId(i));
  return s;
}

// The versions of a package that read a program, once it is converted for them: this one and all later ones.
struct Readers {
  std::string package, since;
};

std::vector<Readers> ReadersOf(const Program& program, Version lowest, const InspectOptions& options) {
  std::vector<Readers> out;
  if (!lowest.valid()) return out;
  ConvertOptions convert;
  convert.limits = options.limits;
  const std::vector<Consumer> consumers = KnownConsumers();
  const auto takes = [&](const Consumer& consumer) {
    return !HasErrors(ConsumerBlockers(program.module, consumer, convert));
  };
  // A program that a consumer without dialects and with all gaps takes, as most are, every consumer takes.
  Consumer least;
  for (const Consumer& consumer : consumers)
    least.lacks_types.insert(least.lacks_types.end(), consumer.lacks_types.begin(),
                             consumer.lacks_types.end());
  const bool all_take = takes(least);
  // Most versions of a package have the same dialects and types.
  std::map<std::tuple<std::vector<std::string>, std::vector<std::string>>, bool> known;
  const auto reads = [&](const Consumer& consumer) {
    const auto version = VersionFor(consumer);
    if (!version || *version < lowest) return false;
    if (all_take) return true;
    const auto [found, is_new] = known.try_emplace({consumer.dialects, consumer.lacks_types});
    if (is_new) found->second = takes(consumer);
    return found->second;
  };
  bool all_later = true;
  for (size_t i = consumers.size(); i-- > 0;) {
    const bool is_newest = i + 1 == consumers.size() || consumers[i + 1].package != consumers[i].package;
    all_later = (all_later || is_newest) && reads(consumers[i]);
    if (!all_later) continue;
    if (is_newest) out.insert(out.begin(), {consumers[i].package, ""});
    out.front().since = consumers[i].version;
  }
  return out;
}

TerminalText ReadersText(const std::vector<Readers>& readers) {
  if (readers.empty()) return TerminalText("read by        no known consumer\n");
  TerminalText out;
  for (const Readers& r : readers)
    out.Add("{}{} {} and later\n", std::string_view(out.empty() ? "read by        " : "               "),
            r.package, r.since);
  return out;
}

Json SummaryJson(const Program& program, const Summary& s, Version lowest,
                 const std::vector<Readers>& readers) {
  const Module& m = program.module;
  Json j = ProgramJson(program);
  j["dialect"] = program.source.mhlo ? "mhlo" : "stablehlo";
  j["version_written"] = program.source.version_written;
  j["producer"] = program.source.producer.empty() ? Json(nullptr) : Json(program.source.producer);
  j["lowest_target"] = ToJson(lowest);
  j["readers"] = Json::array();
  for (const Readers& r : readers) j["readers"].push_back({{"package", r.package}, {"since", r.since}});
  j["op_count"] = m.ops.size() - 1;
  j["constant_bytes"] = s.constant_bytes;
  Json functions = Json::array(), ops = Json::array(), calls = Json::array(), resources = Json::array();
  for (const FunctionInfo& f : s.functions) {
    functions.push_back({{"name", f.name}, {"private", f.is_private}, {"op_count", f.ops}});
  }
  for (const OpCount& c : s.ops) {
    Json o = Json::object();
    o["name"] = c.name;
    o["vhlo"] = c.vhlo.empty() ? Json(nullptr) : Json(c.vhlo);
    o["count"] = c.count;
    o["since"] = ToJson(c.since);
    o["until"] = VersionJson(c.until, kCurrentVersion);
    ops.push_back(std::move(o));
  }
  for (const auto& [name, count] : s.custom_calls) calls.push_back({{"target", name}, {"count", count}});
  for (const Resource& r : m.resources) {
    resources.push_back({{"key", std::string(m.strings[r.key])},
                         {"size", m.payloads.SizeOf(r.payload)},
                         {"alignment", r.alignment}});
  }
  j["functions"] = std::move(functions);
  j["ops"] = std::move(ops);
  j["custom_call_targets"] = std::move(calls);
  j["resources"] = std::move(resources);
  return j;
}

std::string DatedVersion(Version v) {
  const VersionRow* row = FindVersion(v);
  return row ? StrFormat("{}, released {}", VersionName(v), ReleaseDateString(*row)) : "unknown";
}

TerminalText ToText(const Program& program, const Summary& s, Version lowest,
                    const std::vector<Readers>& readers, std::string_view version_origin) {
  const Module& m = program.module;
  TerminalText out;
  if (program.source.mhlo) out += "dialect        MHLO, from before StableHLO; read as StableHLO\n";
  out.Add("version        {}{}\n", DatedVersion(m.version), version_origin);
  if (!program.source.producer.empty()) out.Add("producer       {}\n", NameText(program.source.producer));
  out.Add("lowest target  {}\n", lowest.valid() ? VersionName(lowest) : "none");
  out += ReadersText(readers);
  out.Add("constants      {}\n", Count(s.constant_bytes, "byte"));
  out.Add("functions      {}\n", s.functions.size());
  for (const FunctionInfo& f : s.functions) {
    out.Add("  {}{}: {}\n", SymbolText(f.name), f.is_private ? " (private)" : "", Count(f.ops, "op"));
  }
  out.Add("ops            {}\n", m.ops.size() - 1);
  for (const OpCount& c : s.ops) {
    out.Add("  {:>8}  {}", c.count, NameText(c.name));
    if (!c.vhlo.empty()) out.Add("{:{}} {}", "", 36 - std::min<size_t>(NameText(c.name).size(), 36), c.vhlo);
    if (!c.since.valid()) out += " (not in the op table)";
    if (c.since > kMinimumVersion) out.Add(" since {}", VersionName(c.since));
    if (c.until.valid() && c.until < kCurrentVersion) out.Add(" until {}", VersionName(c.until));
    out += "\n";
  }
  if (!s.custom_calls.empty()) out += "custom_call targets\n";
  for (const auto& [name, count] : s.custom_calls) out.Add("  {:>8}  {}\n", count, NameText(name));
  if (!m.resources.empty()) out += "resources\n";
  for (const Resource& r : m.resources) {
    out.Add("  {:>12} bytes  {}\n", m.payloads.SizeOf(r.payload), NameText(m.strings[r.key]));
  }
  return out;
}

// Information about the file rather than the program.
Json ArtifactJson(const ShloInfo& info) {
  Json j = Json::object();
  j["format_version"] = info.format_version;
  j["content_hash"] = info.content_hash;
  Json sections = Json::array();
  for (const ShloSection& section : info.sections) {
    sections.push_back({{"name", section.name},
                        {"offset", section.offset},
                        {"stored_size", section.stored_size},
                        {"size", section.size},
                        {"checksum", StrFormat("{:016x}", section.checksum)}});
  }
  j["sections"] = std::move(sections);
  if (info.outside.empty()) return j;
  j["outside"] = Json::array();
  for (const OutsideConstant& constant : info.outside)
    j["outside"].push_back({{"sha256", Sha256Text(constant.sha256)},
                            {"size", constant.size},
                            {"file", constant.file},
                            {"key", constant.key}});
  return j;
}

TerminalText ToText(const ShloInfo& info) {
  TerminalText out = TerminalText::Of("content hash   {}\n", info.content_hash);
  out.Add("sections                   {:>12} {:>12} {:>12}\n", "offset", "stored", "size");
  for (const ShloSection& s : info.sections) {
    out.Add("  {:24} {:>12} {:>12} {:>12}\n", s.name, s.offset, s.stored_size, s.size);
  }
  for (const OutsideConstant& constant : info.outside)
    out.Add("outside        {}: {} in {}\n", NameText(constant.key), Count(constant.size, "byte"),
            constant.file.empty() ? "an archive" : NameText(constant.file));
  return out;
}

Json ArtifactJson(const MlirBytecodeInfo& info) {
  Json j = Json::object();
  j["format_version"] = info.format;
  j["producer"] = info.producer;
  j["version"] = ToJson(info.version);
  Json sections = Json::array(), dialects = Json::array();
  for (const MlirBytecodeSection& section : info.sections)
    sections.push_back({{"name", section.name}, {"offset", section.offset}, {"size", section.size}});
  for (const MlirBytecodeDialect& dialect : info.dialects)
    dialects.push_back({{"name", dialect.name}, {"ops", dialect.operations}});
  j["sections"] = std::move(sections);
  j["dialects"] = std::move(dialects);
  j["attributes"] = info.attributes;
  j["types"] = info.types;
  return j;
}

TerminalText ToText(const MlirBytecodeInfo& info) {
  TerminalText out =
      TerminalText::Of("written by     {}\n", info.producer.empty() ? "unknown" : NameText(info.producer));
  for (const MlirBytecodeDialect& dialect : info.dialects)
    out.Add("dialect        {}, {}\n", NameText(dialect.name), Count(dialect.operations.size(), "op name"));
  out.Add("attributes     {}\n", info.attributes);
  out.Add("types          {}\n", info.types);
  out.Add("sections                               {:>12} {:>12}\n", "offset", "size");
  for (const MlirBytecodeSection& s : info.sections)
    out.Add("  {:36} {:>12} {:>12}\n", s.name, s.offset, s.size);
  return out;
}

// Whether a program in a container is a portable artifact with a release.
bool StatesVersion(const ProgramFile& input, const std::string& name) {
  if (name.empty()) return false;
  const auto list = ListContainedPrograms(input.file.bytes);
  for (size_t i = 0; list && i < list->size(); ++i) {
    if ((*list)[i].name != name) continue;
    const auto info = InspectMlirBytecode((*list)[i].bytes);
    return info && info->version.valid();
  }
  return false;
}

Result<Version> LowestTargetOf(const Program& program, const InspectOptions& options) {
  ConvertOptions convert;
  convert.limits = options.limits;
  convert.allow_other_dialects = options.allow_other_dialects;
  if (!program.source.mhlo) return LowestTarget(program.module, convert);
  Module left = program.module;
  if (!LeaveMhlo(&left, nullptr).empty()) return Version();  // its ops block all targets
  return LowestTarget(left, convert);
}

}  // namespace

Result<Json> InspectProgram(const Program& program, const InspectOptions& options) {
  const auto lowest = SHLO_TRY(LowestTargetOf(program, options));
  return SummaryJson(program, Summarize(program.module), lowest, ReadersOf(program, lowest, options));
}

Inspection InspectFile(const std::string& path, const ProgramFile& input, bool is_read,
                       const InspectOptions& options) {
  Inspection out;
  out.json = FileJson(path, Json::array());
  Json& j = out.json;
  TerminalText& text = out.text;
  const uint64_t size = input.file.bytes.size();
  bool version_stated = input.format == Format::kShlo;
  // The header and sections of bytecode may be readable even if the program is not.
  if (input.format == Format::kMlirBytecode) {
    if (auto info = InspectMlirBytecode(input.file.bytes)) {
      text.Add("file           {}, MLIR bytecode format {}, {}\n", NameText(path), info->format,
               Count(size, "byte"));
      text += ToText(*info);
      j["artifact"] = ArtifactJson(*info);
      version_stated = info->version.valid();
    }
  }
  if (IsContainer(input.format)) {
    ContainerOptions container;
    container.source_name = input.file.name;
    container.limits = options.limits;
    if (auto info = InspectContainer(input.file.bytes, container)) {
      text.Add("file           {}, {}, {}\n", NameText(path),
               input.format == Format::kJaxExport ? "jax.export file" : "TensorFlow SavedModel",
               Count(size, "byte"));
      text += ContainerText(*info);
      j["container"] = ContainerJson(*info);
    }
  }
  if (!is_read) return out;
  j["format"] = FormatName(input.format);
  j["size"] = size;
  if (input.format == Format::kShlo) {
    auto info = InspectShlo(input.file.bytes);
    if (info) {
      text.Add("file           {}, .shlo format {}, {}\n", NameText(path), info->format_version,
               Count(size, "byte"));
      text += ToText(*info);
      j["artifact"] = ArtifactJson(*info);
    } else {
      out.failures.push_back(std::move(info.error()));
    }
  } else if (input.format == Format::kText) {
    text.Add("file           {}, MLIR text, {}\n", NameText(path), Count(size, "byte"));
  }
  Json programs = Json::array();
  for (const Program& program : input.programs) {
    const Summary summary = Summarize(program.module);
    const auto lowest = LowestTargetOf(program, options);
    if (!lowest) {
      out.failures.push_back(lowest.error());
      continue;
    }
    if (!program.name.empty())
      text.Add("program        {}\n", NameText(program.name));
    else if (input.programs.size() > 1)
      text.Add("program        at line {}\n", program.source.first_line);
    const bool stated =
        version_stated || program.source.version_written || StatesVersion(input, program.name);
    const std::string_view inferred =
        program.source.mhlo ? " (MHLO has no versions)" : " (inferred from the op names)";
    const std::vector<Readers> readers = ReadersOf(program, *lowest, options);
    text += ToText(program, summary, *lowest, readers,
                   stated                  ? ""
                   : options.version_given ? " (set by --from)"
                                           : inferred);
    programs.push_back(SummaryJson(program, summary, *lowest, readers));
  }
  j["programs"] = std::move(programs);
  return out;
}

Json VerifyJson(const std::string& path, const ProgramFile& file, std::span<const Dialect> dialects,
                bool verifies) {
  Json programs = Json::array();
  for (const Program& program : file.programs) {
    Json p = ProgramJson(program);
    p["op_count"] = program.module.ops.size() - 1;
    p["unchecked"] = Json::array();
    for (const auto& [dialect, count] : UncheckedOps(program.module, dialects))
      p["unchecked"].push_back({{"dialect", dialect}, {"op_count", count}});
    programs.push_back(std::move(p));
  }
  Json j = FileJson(path, std::move(programs));
  j["verifies"] = verifies;
  return j;
}

}  // namespace shlo
