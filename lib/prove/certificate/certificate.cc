// Certificates as JSON, and as in-toto statements.
#include "shlo/certificate.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>

#include "ir/guarded.h"
#include "ir/utf8.h"
#include "prove/law_record.h"

namespace shlo {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::string_view kFormat = "shlo-compat certificate";
constexpr uint32_t kFormatVersion = 1;
constexpr std::string_view kStatementType = "https://in-toto.io/Statement/v1";
// Not a page: it names the format of the predicate.
constexpr std::string_view kPredicateType = "urn:shlo-compat:certificate:v1";

Diagnostics Malformed(std::string_view what) {
  Diagnostic d;
  d.code = Code::kMalformed;
  d.message = fmt::format("not a certificate: {}", what);
  d.hint = "pass a file that 'shlo-compat prove --certificate' wrote";
  return {std::move(d)};
}

Json RunsJson(const std::vector<MatchRun>& runs) {
  Json list = Json::array();
  for (const MatchRun& run : runs) list.push_back({run.first, run.to, run.count});
  return list;
}

Json SubjectJson(const CertificateSubject& subject) {
  Json j;
  j["name"] = subject.name;
  if (!subject.sha256.empty()) j["sha256"] = subject.sha256;
  if (!subject.content_hash.empty()) j["content_hash"] = subject.content_hash;
  j["version"] = subject.version.n;
  return j;
}

Json ToJson(const Certificate& c) {
  Json j;
  j["format"] = kFormat;
  j["format_version"] = kFormatVersion;
  j["producer"] = c.producer;
  j["programs"] = {SubjectJson(c.programs[0]), SubjectJson(c.programs[1])};
  j["functions"] = Json::array();
  for (const CertifiedFunction& f : c.functions) {
    Json e;
    e["function"] = SymbolToJson(f.function);
    e["evidence"] = EvidenceName(f.evidence);
    if (f.inputs) e["inputs"] = f.inputs;
    if (f.parts) e["parts"] = f.parts;
    if (!f.detail.empty()) e["detail"] = f.detail;
    j["functions"].push_back(std::move(e));
  }
  j["seed"] = c.seed;
  j["max_inputs"] = c.max_inputs;
  j["laws"] = Json::array();
  for (size_t i = 0; i < c.laws.size(); ++i) {
    Json e;
    e["law"] = c.laws[i].name;
    e["ops"] = c.laws[i].count;
    e["approximate"] = c.laws[i].approximate;
    if (i < c.rungs.size()) e["rungs"] = c.rungs[i];
    j["laws"].push_back(std::move(e));
  }
  j["form"] = c.matching.form;
  j["matches"] = RunsJson(c.matching.matches);
  j["repeats"] = RunsJson(c.matching.repeats);
  return j;
}

// Reads members of an object; the first that is missing or has another type is remembered.
class Members {
 public:
  Members(const Json& json, std::string* why) : json_(json), why_(*why) {
    if (!json.is_object() && why_.empty()) why_ = "expected an object";
  }

  const Json& Get(const char* key, Json::value_t type) const {
    static const Json kNothing;
    const auto found = json_.is_object() ? json_.find(key) : json_.end();
    if (json_.is_object() && found != json_.end() && found->type() == type) return *found;
    if (why_.empty()) why_ = fmt::format("'{}' is missing or has the wrong type", key);
    return kNothing;
  }
  std::string Text(const char* key, bool optional = false) const {
    if (optional && (!json_.is_object() || !json_.contains(key))) return {};
    const Json& value = Get(key, Json::value_t::string);
    return value.is_string() ? value.get<std::string>() : std::string();
  }
  uint64_t Number(const char* key, uint64_t most, bool optional = false) const {
    if (optional && (!json_.is_object() || !json_.contains(key))) return 0;
    const Json& value = Get(key, Json::value_t::number_unsigned);
    const uint64_t number = value.is_number_unsigned() ? value.get<uint64_t>() : 0;
    if (number > most && why_.empty()) why_ = fmt::format("'{}' is too large", key);
    return number;
  }
  const Json& List(const char* key) const { return Get(key, Json::value_t::array); }

 private:
  const Json& json_;
  std::string& why_;
};

CertificateSubject SubjectOf(const Json& json, std::string* why) {
  const Members m(json, why);
  CertificateSubject subject;
  subject.name = m.Text("name");
  subject.sha256 = m.Text("sha256", true);
  subject.content_hash = m.Text("content_hash", true);
  subject.version.n = uint16_t(m.Number("version", UINT16_MAX));
  return subject;
}

std::vector<MatchRun> RunsOf(const Json& list, std::string* why) {
  std::vector<MatchRun> runs;
  for (const Json& item : list) {
    uint32_t words[3] = {};
    bool good = item.is_array() && item.size() == std::size(words);
    for (size_t i = 0; good && i < std::size(words); ++i) {
      good = item[i].is_number_unsigned() && item[i].get<uint64_t>() <= UINT32_MAX;
      if (good) words[i] = item[i].get<uint32_t>();
    }
    if (!good) {
      if (why->empty()) *why = "expected runs of three numbers";
      break;
    }
    runs.push_back({words[0], words[1], words[2]});
  }
  return runs;
}

Result<Certificate> Parse(std::string_view text) {
  Json json = Json::parse(text, nullptr, /*allow_exceptions=*/false);
  if (json.is_discarded()) return tl::unexpected(Malformed("it is not JSON"));
  // A statement has the certificate as its predicate.
  if (json.is_object() && json.contains("predicateType")) {
    if (json["predicateType"] != kPredicateType || !json.contains("predicate"))
      return tl::unexpected(Malformed("the predicate of the statement has another type"));
    Json predicate = std::move(json["predicate"]);
    json = std::move(predicate);
  }
  std::string why;
  const Members m(json, &why);
  if (m.Text("format") != kFormat) return tl::unexpected(Malformed("'format' is missing or another"));
  if (m.Number("format_version", UINT32_MAX) != kFormatVersion)
    return tl::unexpected(Malformed(fmt::format("expected 'format_version' {}", kFormatVersion)));
  Certificate c;
  c.producer = m.Text("producer");
  const Json& programs = m.List("programs");
  if (programs.size() != c.programs.size()) return tl::unexpected(Malformed("expected two programs"));
  for (size_t i = 0; i < c.programs.size(); ++i) c.programs[i] = SubjectOf(programs[i], &why);
  for (const Json& item : m.List("functions")) {
    const Members members(item, &why);
    CertifiedFunction& f = c.functions.emplace_back();
    f.function = SymbolFromJson(members.Text("function"));
    const std::string evidence = members.Text("evidence");
    const auto found = EvidenceOfName(evidence);
    if (!found) return tl::unexpected(Malformed("unknown 'evidence'"));
    f.evidence = *found;
    f.inputs = members.Number("inputs", UINT64_MAX, true);
    f.parts = uint32_t(members.Number("parts", UINT32_MAX, true));
    f.detail = members.Text("detail", true);
  }
  c.seed = m.Number("seed", UINT64_MAX);
  c.max_inputs = uint32_t(m.Number("max_inputs", UINT32_MAX));
  for (const Json& item : m.List("laws")) {
    const Members members(item, &why);
    Law& law = c.laws.emplace_back();
    law.name = members.Text("law");
    law.count = members.Number("ops", UINT64_MAX);
    const Json& approximate = members.Get("approximate", Json::value_t::boolean);
    law.approximate = approximate.is_boolean() && approximate.get<bool>();
    auto& rungs = c.rungs.emplace_back();
    const Json& counts = members.List("rungs");
    for (size_t rung = 0; rung < rungs.size(); ++rung) {
      const bool good = counts.size() == rungs.size() && counts[rung].is_number_unsigned();
      if (good) rungs[rung] = counts[rung].get<uint64_t>();
      if (!good && why.empty()) why = "expected the counts of 8 rungs";
    }
  }
  c.matching.form = m.Text("form");
  c.matching.matches = RunsOf(m.List("matches"), &why);
  c.matching.repeats = RunsOf(m.List("repeats"), &why);
  if (!why.empty()) return tl::unexpected(Malformed(why));
  return c;
}

}  // namespace

Result<Certificate> CertificateOf(const Proof& proof, const ProveOptions& options, const Module& a,
                                  const Module& b) {
  const bool differs = proof.verdict == Verdict::kDifferent || proof.verdict == Verdict::kOtherContract;
  const bool any = std::ranges::any_of(proof.functions, [](const FunctionProof& f) {
    return f.verdict == Verdict::kEqual && f.evidence != Evidence::kNone;
  });
  if (differs || !any || !proof.contract.empty()) {
    Diagnostic d;
    d.code = Code::kNotEqual;
    d.message = differs || !proof.contract.empty() ? "no certificate: the programs are different"
                                                   : "no certificate: no function is known to be equal";
    return tl::unexpected(Diagnostics{std::move(d)});
  }
  Certificate c;
  c.matching = proof.matching;
  if (!proof.matching.form.empty()) c.laws = proof.laws;
  for (const Law& law : c.laws) {
    const LawRecord* const record = FindLawRecord(law.name);
    c.rungs.push_back(record ? record->counts : decltype(record->counts)());
  }
  c.seed = proof.seed;
  c.max_inputs = options.max_inputs;
  for (const FunctionProof& f : proof.functions) {
    CertifiedFunction& certified = c.functions.emplace_back();
    certified.function = f.function;
    if (f.verdict == Verdict::kEqual) certified.evidence = f.evidence;
    certified.inputs = f.inputs;
    certified.parts = f.cut_outs;
    certified.detail = f.detail;
  }
  // Few programs need repeats.
  const std::vector<MatchRun> repeats = std::exchange(c.matching.repeats, {});
  auto check = CheckCertificate(c, a, b);
  if (!check && !repeats.empty()) {
    c.matching.repeats = repeats;
    check = CheckCertificate(c, a, b);
  }
  if (!check) return tl::unexpected(std::move(check.error()));
  return c;
}

std::string CertificateText(const Certificate& certificate) {
  return ToJson(certificate).dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
}

std::string CertificateStatement(const Certificate& certificate) {
  Json j;
  j["_type"] = kStatementType;
  j["subject"] = Json::array();
  for (const CertificateSubject& program : certificate.programs) {
    Json e;
    e["name"] = program.name;
    e["digest"]["sha256"] = program.sha256;
    j["subject"].push_back(std::move(e));
  }
  j["predicateType"] = kPredicateType;
  j["predicate"] = ToJson(certificate);
  return j.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
}

Result<Certificate> ParseCertificate(std::string_view json) {
  return Guarded([&] { return Parse(json); });
}

}  // namespace shlo
