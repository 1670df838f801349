// Certificates as JSON, and as in-toto statements.
#include "shlo/certificate.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>
#include <utility>

#include "base/bounded_json.h"
#include "base/format.h"
#include "base/guarded.h"
#include "base/utf8.h"
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
  d.message = StrFormat("not a certificate: {}", what);
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

bool IsEvaluated(const Certificate& c) {
  return std::ranges::any_of(c.functions, [](const CertifiedFunction& f) {
    return f.evidence == Evidence::kSampled || f.evidence == Evidence::kExhaustive;
  });
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
    j["functions"].push_back(std::move(e));
  }
  // Without evaluation they say nothing, and nobody could tell whether they are right.
  if (IsEvaluated(c)) {
    j["seed"] = c.seed;
    j["max_inputs"] = c.max_inputs;
  }
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

// Reads members of an object; the first that is missing, has another type or is not known is remembered.
class Members {
 public:
  Members(const Json& json, std::string* why) : json_(json), why_(*why) {
    if (!json.is_object() && why_.empty()) why_ = "expected an object";
  }
  // An unread member would be a claim that nobody checks.
  ~Members() {
    for (const auto& [key, value] : json_.items())
      if (json_.is_object() && why_.empty() && !asked_.contains(key)) why_ = "a member has an unknown name";
  }
  Members(const Members&) = delete;
  Members& operator=(const Members&) = delete;

  bool Has(const char* key) {
    asked_.insert(key);
    return json_.is_object() && json_.contains(key);
  }
  const Json& Get(const char* key, Json::value_t type) {
    static const Json kNothing;
    asked_.insert(key);
    const auto found = json_.is_object() ? json_.find(key) : json_.end();
    if (json_.is_object() && found != json_.end() && found->type() == type) return *found;
    if (why_.empty()) why_ = StrFormat("'{}' is missing or has the wrong type", key);
    return kNothing;
  }
  std::string Text(const char* key, bool optional = false) {
    if (optional && !Has(key)) return {};
    const Json& value = Get(key, Json::value_t::string);
    return value.is_string() ? value.get<std::string>() : std::string();
  }
  uint64_t Number(const char* key, uint64_t most, bool optional = false) {
    if (optional && !Has(key)) return 0;
    const Json& value = Get(key, Json::value_t::number_unsigned);
    const uint64_t number = value.is_number_unsigned() ? value.get<uint64_t>() : 0;
    if (number > most && why_.empty()) why_ = StrFormat("'{}' is too large", key);
    return number;
  }
  const Json& List(const char* key) { return Get(key, Json::value_t::array); }

 private:
  const Json& json_;
  std::string& why_;
  std::set<std::string, std::less<>> asked_;
};

CertificateSubject SubjectOf(const Json& json, std::string* why) {
  Members m(json, why);
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

// Reads the two files that a statement is about, which a signature covers and people look at. Returns what is
// wrong with them.
std::string ReadSubjects(const Json& list, const Certificate& c) {
  std::string why;
  if (list.size() != c.programs.size()) return "the statement does not have two subjects";
  for (size_t i = 0; i < c.programs.size() && why.empty(); ++i) {
    Members subject(list[i], &why);
    const std::string name = subject.Text("name");
    Members digest(subject.Get("digest", Json::value_t::object), &why);
    if (digest.Text("sha256") != c.programs[i].sha256 || name != c.programs[i].name)
      why = "the subjects of the statement are not the programs of the certificate";
  }
  return why;
}

CertifiedFunction ReadFunction(const Json& json, std::string* why) {
  Members m(json, why);
  CertifiedFunction f;
  f.function = SymbolFromJson(m.Text("function"));
  const auto evidence = EvidenceOfName(m.Text("evidence"));
  if (!evidence && why->empty()) *why = "unknown 'evidence'";
  f.evidence = evidence.value_or(Evidence::kNone);
  f.inputs = m.Number("inputs", UINT64_MAX, true);
  f.parts = uint32_t(m.Number("parts", UINT32_MAX, true));
  return f;
}

void ReadLaw(const Json& json, Certificate* c, std::string* why) {
  Members m(json, why);
  Law& law = c->laws.emplace_back();
  law.name = m.Text("law");
  law.count = m.Number("ops", UINT64_MAX);
  const Json& approximate = m.Get("approximate", Json::value_t::boolean);
  law.approximate = approximate.is_boolean() && approximate.get<bool>();
  auto& rungs = c->rungs.emplace_back();
  const Json& counts = m.List("rungs");
  for (size_t rung = 0; rung < rungs.size(); ++rung) {
    const bool good = counts.size() == rungs.size() && counts[rung].is_number_unsigned();
    if (good) rungs[rung] = counts[rung].get<uint64_t>();
    if (!good && why->empty()) *why = "expected the counts of 8 rungs";
  }
}

Certificate ReadCertificate(const Json& json, std::string* why) {
  Certificate c;
  Members m(json, why);
  if (m.Text("format") != kFormat) *why = "'format' is missing or another";
  if (m.Number("format_version", UINT32_MAX) != kFormatVersion && why->empty())
    *why = StrFormat("expected 'format_version' {}", kFormatVersion);
  c.producer = m.Text("producer");
  const Json& programs = m.List("programs");
  if (programs.size() != c.programs.size() && why->empty()) *why = "expected two programs";
  for (size_t i = 0; i < c.programs.size() && why->empty(); ++i) c.programs[i] = SubjectOf(programs[i], why);
  for (const Json& item : m.List("functions")) c.functions.push_back(ReadFunction(item, why));
  if (IsEvaluated(c)) {
    c.seed = m.Number("seed", UINT64_MAX);
    c.max_inputs = uint32_t(m.Number("max_inputs", UINT32_MAX));
  }
  for (const Json& item : m.List("laws")) ReadLaw(item, &c, why);
  c.matching.form = m.Text("form");
  c.matching.matches = RunsOf(m.List("matches"), why);
  c.matching.repeats = RunsOf(m.List("repeats"), why);
  return c;
}

Result<Certificate> Parse(std::string_view text, const Limits& limits) {
  constexpr uint32_t kDepth = 8;  // a statement has 5
  std::string why;
  auto json = ParseJson<Json>(text, {.max_depth = kDepth, .max_memory = limits.max_memory}, &why);
  if (!json) return tl::unexpected(Malformed(why));
  // A statement has the certificate as its predicate.
  if (!json->is_object() || !json->contains("predicateType")) {
    Certificate c = ReadCertificate(*json, &why);
    if (!why.empty()) return tl::unexpected(Malformed(why));
    return c;
  }
  Certificate c;
  {
    Members statement(*json, &why);
    if (statement.Text("_type") != kStatementType || statement.Text("predicateType") != kPredicateType)
      return tl::unexpected(Malformed("the statement, or its predicate, has another type"));
    c = ReadCertificate(statement.Get("predicate", Json::value_t::object), &why);
    if (std::string other = ReadSubjects(statement.List("subject"), c); why.empty()) why = std::move(other);
  }
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
  // Only of functions that are equal by congruence or laws.
  const bool matched = std::ranges::any_of(proof.functions, [](const FunctionProof& f) {
    return f.verdict == Verdict::kEqual && f.evidence >= Evidence::kLaws;
  });
  if (matched) c.matching = proof.matching;
  if (matched) c.laws = proof.laws;
  c.programs[0].version = a.version;
  c.programs[1].version = b.version;
  for (const Law& law : c.laws) {
    const LawRecord* const record = FindLawRecord(law.name);
    c.rungs.push_back(record ? record->counts : decltype(record->counts)());
  }
  for (const FunctionProof& f : proof.functions) {
    CertifiedFunction& certified = c.functions.emplace_back();
    certified.function = f.function;
    // Functions not known to be equal have no numbers to check.
    if (f.verdict != Verdict::kEqual) continue;
    certified.evidence = f.evidence;
    if (f.evidence >= Evidence::kLaws) continue;
    certified.inputs = f.inputs;
    certified.parts = f.cut_outs;
  }
  if (IsEvaluated(c)) {
    c.seed = proof.seed;
    c.max_inputs = options.max_inputs;
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

Result<Certificate> ParseCertificate(std::string_view json, const Limits& limits) {
  return Guarded(limits, [&] { return Parse(json, limits); });
}

}  // namespace shlo
