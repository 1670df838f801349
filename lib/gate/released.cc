#include "gate/released.h"

#include <algorithm>
#include <charconv>

#include "base/format.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

#include "base/tsv.h"
#include "gate/embedded.h"
#include "gate/witness.h"

namespace shlo::gate {
namespace {

constexpr std::string_view kNames[] = {
#define SHLO_GATE_SECTION(enumerator, name, ...) name,
#include "gate/sections.inc"
};
constexpr std::string_view kMagic = "gate 1";

std::vector<std::string> Fields(std::string_view line) {
  std::vector<std::string> fields;
  for (;;) {
    const size_t tab = std::min(line.find('\t'), line.size());
    fields.push_back(UnescapedField(line.substr(0, tab)));
    if (tab == line.size()) return fields;
    line.remove_prefix(tab + 1);
  }
}

std::string Line(std::initializer_list<std::string_view> fields) {
  std::string out;
  for (const std::string_view field : fields) out += (out.empty() ? "" : "\t") + EscapedField(field);
  return out + "\n";
}

bool IsOfWitness(Section section) { return section == Section::kProgram || IsWitnessPart(section); }

template <typename T>
bool Number(std::string_view text, T* out) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), *out);
  return error == std::errc() && end == text.data() + text.size();
}

// The first line of a file.
struct Header {
  const ReleasedFile* file = nullptr;
  Version version;
  std::string predecessor;
};

class Reader {
 public:
  Result<Released> Read(std::span<const ReleasedFile> files) {
    for (const ReleasedFile& file : files)
      if (!AddFile(file)) return Error(std::move(problem_));
    std::ranges::sort(headers_, {}, &Header::version);
    std::string checksum = "-";
    for (const Header& header : headers_) {
      if (!out_.versions.empty() && out_.versions.back() == header.version)
        return Error(Code::kMalformed, "version is frozen twice", {.file = header.file->name});
      if (header.predecessor != checksum) out_.edited.push_back(out_.newest());
      checksum = ChecksumOf(header.file->bytes);
      out_.versions.push_back(header.version);
      if (!ReadFile(header)) return Error(std::move(problem_));
    }
    if (out_.versions.empty()) return Error(Code::kMalformed, "no release is frozen");
    out_.last_checksum = checksum;
    for (auto& [name, run] : open_) Close(name, run, out_.newest());
    for (const auto& [key, witness] : out_.witnesses)
      for (const Section part : kWitnessParts)
        out_.facts.Add(part, key, parts_[key][part], witness.version, out_.newest(), witness.line);
    return std::move(out_);
  }

 private:
  bool Fail(const ReleasedFile& file, uint32_t line, std::string message) {
    problem_.code = Code::kMalformed;
    problem_.place.file = file.name;
    problem_.place.line = line;
    problem_.message = std::move(message);
    problem_.hint = "restore the file: frozen data is never edited";
    return false;
  }

  bool AddFile(const ReleasedFile& file) {
    const auto fields = Fields(std::string_view(file.bytes).substr(0, file.bytes.find('\n')));
    Header header{.file = &file};
    if (fields.size() != 4 || fields[0] != kMagic || !Number(fields[1], &header.version.n))
      return Fail(file, 1, "not frozen data: expected 'gate 1', N, release and checksum");
    header.predecessor = fields[3];
    headers_.push_back(std::move(header));
    return true;
  }

  void Close(const FactName& name, const FactRun& run, Version until) {
    out_.facts.Add(name.first, name.second, run.value, run.since, until, run.line);
  }

  bool ReadFile(const Header& header) {
    std::string_view rest = header.file->bytes;
    for (uint32_t line = 1; !rest.empty(); ++line) {
      const size_t end = rest.find('\n');
      if (end == rest.npos) return Fail(*header.file, line, "the last line is incomplete");
      const auto fields = Fields(rest.substr(0, end));
      rest.remove_prefix(end + 1);
      if (line > 1 && !ReadLine(header, line, fields)) return false;
    }
    return true;
  }

  bool ReadLine(const Header& header, uint32_t line, const std::vector<std::string>& fields) {
    std::string_view section = fields[0];
    const bool ends = section.starts_with('-');
    if (ends) section.remove_prefix(1);
    const auto* const name = std::ranges::find(kNames, section);
    // Parts of witnesses have no lines.
    if (name == std::end(kNames) || (IsOfWitness(Section(name - kNames)) && (ends || section != "witness")))
      return Fail(*header.file, line, StrFormat("unknown section '{}'", section));
    const Section which = Section(name - kNames);
    const size_t expected = ends ? 2 : which == Section::kProgram ? std::size(kWitnessParts) + 3 : 3;
    if (fields.size() != expected)
      return Fail(*header.file, line, StrFormat("expected {} fields, got {}", expected, fields.size()));
    ++out_.num_facts;
    if (which == Section::kProgram) return AddWitness(header, line, fields);
    const FactName fact{which, fields[1]};
    const auto known = open_.find(fact);
    if (known != open_.end()) {
      Close(fact, known->second, Version{uint16_t(header.version.n - 1)});
      open_.erase(known);
    } else if (ends) {
      return Fail(*header.file, line, "a fact ends that did not hold");
    }
    if (!ends) open_[fact] = {header.version, {}, fields[2], line};
    return true;
  }

  bool AddWitness(const Header& header, uint32_t line, const std::vector<std::string>& fields) {
    Witness witness{header.version, header.version, fields.back(), line};
    auto& parts = parts_[fields[1]];
    for (size_t i = 0; i < std::size(kWitnessParts); ++i) parts[kWitnessParts[i]] = fields[2 + i];
    const std::string_view upgrade = parts[Section::kUpgrade];
    if (upgrade != kNoPart && !Number(upgrade.substr(0, upgrade.find(' ')), &witness.newest.n))
      return Fail(*header.file, line, "expected the number of a version and a hash");
    if (!out_.witnesses.emplace(fields[1], std::move(witness)).second)
      return Fail(*header.file, line, "witness is frozen twice");
    return true;
  }

  Released out_;
  std::vector<Header> headers_;
  std::map<FactName, FactRun> open_;
  std::map<std::string, WitnessParts> parts_;
  Diagnostic problem_;
};

}  // namespace

std::string FileNameOf(const Versions::Row& version) { return version.short_name + ".tsv"; }

std::string ChecksumOf(std::string_view bytes) {
  const XXH128_hash_t hash = XXH3_128bits(bytes.data(), bytes.size());
  return StrFormat("{:016x}{:016x}", hash.high64, hash.low64);
}

Result<Released> ReadReleased(std::span<const ReleasedFile> files) { return Reader().Read(files); }

std::string WriteRelease(const Versions::Row& row, const Facts& working,
                         const std::map<std::string, Witness>& witnesses, const std::string& predecessor,
                         std::map<FactName, std::string>* state) {
  const Version version = row.version;
  std::string out = Line({kMagic, StrFormat("{}", version.n), row.short_name, predecessor});
  std::map<FactName, std::string> now;
  for (const auto& [name, runs] : working.all)
    if (!IsOfWitness(name.first))
      if (const FactRun* run = working.At(name.first, name.second, version)) now[name] = run->value;
  for (const auto& [name, value] : *state)
    if (!now.contains(name)) out += Line({"-" + std::string(kNames[size_t(name.first)]), name.second});
  for (const auto& [name, value] : now)
    if (const auto before = state->find(name); before == state->end() || before->second != value)
      out += Line({kNames[size_t(name.first)], name.second, value});
  for (const auto& [key, witness] : witnesses) {
    if (witness.version != version) continue;
    out += StrFormat("witness\t{}", EscapedField(key));
    for (const Section part : kWitnessParts)
      out += "\t" + EscapedField(working.At(part, key, version)->value);
    out += "\t" + EscapedField(witness.text) + "\n";
  }
  *state = std::move(now);
  return out;
}

}  // namespace shlo::gate

namespace shlo {

std::vector<ReleasedFile> BuiltInReleases() {
  std::vector<ReleasedFile> files;
  const std::string releases = gate::EmbeddedReleases();
  std::string_view rest = releases;
  const std::string begin = std::string(gate::kMagic) + "\t";
  while (!rest.empty()) {
    size_t end = rest.find("\n" + begin);
    end = end == rest.npos ? rest.size() : end + 1;
    const auto fields = gate::Fields(rest.substr(0, rest.find('\n')));
    files.push_back({fields.size() > 2 ? fields[2] + ".tsv" : "", std::string(rest.substr(0, end))});
    rest.remove_prefix(end);
  }
  return files;
}

}  // namespace shlo
