#include "prove/proof_report.h"

#include <algorithm>

#include "base/format.h"
#include "prove/laws.h"
#include "shlo/counterexample.h"

namespace shlo {

namespace {

std::string LawsText(const std::vector<Law>& laws) {
  const size_t approximate = size_t(std::ranges::count_if(laws, &Law::approximate));
  std::string out = Count(laws.size(), "law");
  if (approximate) out += StrFormat(", up to the error of {}", Count(approximate, "approximation"));
  return out;
}

// The evidence of equality as a phrase: "equal by congruence and 3 laws".
std::string EqualityText(const FunctionProof& f, const std::vector<Law>& laws) {
  const std::string by = laws.empty() ? "congruence" : "congruence and " + LawsText(laws);
  const std::string parts =
      f.cut_outs ? StrFormat("equal by {} but for {}, ", by, Count(f.cut_outs, "part")) : "";
  switch (f.evidence) {
    case Evidence::kCongruence:
      return "equal by congruence";
    case Evidence::kLaws:
      return "equal by " + by;
    case Evidence::kExhaustive:
      return StrFormat("{}equal on all {}", parts, Count(f.inputs, "possible input"));
    case Evidence::kSampled:
      return StrFormat("{}not told apart by {}", parts, Count(f.inputs, "input set"));
    case Evidence::kNone:
      return "";
  }
  return "";
}

std::string VerdictText(const FunctionProof& f, const std::vector<Law>& laws) {
  if (f.verdict == Verdict::kEqual) return EqualityText(f, laws);
  if (f.verdict == Verdict::kOtherContract)
    return StrFormat("different contract; values are {}", EqualityText(f, laws));
  return std::string(VerdictName(f.verdict, f.evidence));
}

TerminalText ContractText(const Diagnostics& contract) {
  TerminalText out;
  for (const Diagnostic& d : contract) {
    out.Add("  contract: '{}'", Shown(d.op));
    if (d.place.line)
      out.Add(" at {}:{}", d.place.line, d.place.column);
    else if (!d.place.location.empty())
      out.Add(" at {}", Shown(d.place.location));
    out.Add(": {}\n", Shown(d.message));
  }
  return out;
}

Json CoverageJson(const Coverage& c) {
  Json e = Json::object();
  e["compared"] = c.compared;
  e["failed"] = c.failed;
  e["unfinished"] = c.unfinished;
  e["elements"] = c.elements;
  e["telling"] = c.telling;
  e["regions"] = c.regions;
  e["regions_run"] = c.regions_run;
  e["not_run"] = c.not_run;
  e["blind"] = c.blind;
  e["extents"] = c.extents;
  return e;
}

Json FunctionJson(const FunctionProof& f) {
  Json e = Json::object();
  e["name"] = f.function;
  e["verdict"] = std::string(VerdictName(f.verdict, f.evidence));
  e["evidence"] = std::string(EvidenceName(f.evidence));
  e["inputs"] = f.inputs;
  e["exhaustive"] = f.exhaustive;
  e["parts"] = f.cut_outs;
  e["coverage"] = CoverageJson(f.coverage);
  if (!f.detail.empty()) e["detail"] = f.detail;
  e["contract"] = ToJson(f.contract);
  return e;
}

// Returns how far the programs may be from each other, and for which operands that is known.
std::vector<std::string> ErrorsOf(const Law& law) {
  if (law.approximate)
    for (const LawRow& row : Laws())
      if (row.name == law.name) return StatedErrors(row);
  return {};
}

Json LawJson(const Law& law) {
  Json e = Json::object();
  e["name"] = law.name;
  e["op_count"] = law.count;
  e["approximate"] = law.approximate;
  e["errors"] = ErrorsOf(law);
  return e;
}

}  // namespace

TerminalText LawLines(const std::vector<Law>& laws) {
  TerminalText out;
  for (const Law& law : laws) {
    out.Add("law: {} ({}{})\n", law.name, Count(law.count, "op"), law.approximate ? ", approximate" : "");
    for (const std::string& error : ErrorsOf(law)) out.Add("  error: {}\n", error);
  }
  return out;
}

TerminalText ProofText(const Proof& proof) {
  TerminalText out;
  for (const FunctionProof& f : proof.functions) {
    out.Add("{}: {}", SymbolText(f.function), VerdictText(f, proof.laws));
    if (!f.detail.empty()) out.Add(": {}", Shown(f.detail));
    out += "\n" + ContractText(f.contract);
  }
  out += ContractText(proof.contract);
  if (proof.evidence != Evidence::kNone) out += LawLines(proof.laws);
  return out;
}

Json ProofJson(const Proof& proof, std::string_view at_least) {
  Json j = Json::object();
  j["verdict"] = std::string(VerdictName(proof.verdict, proof.evidence));
  j["evidence"] = std::string(EvidenceName(proof.evidence));
  j["at_least"] = std::string(at_least);
  j["seed"] = proof.seed;
  j["laws"] = Json::array();
  for (const Law& law : proof.laws) j["laws"].push_back(LawJson(law));
  j["contract"] = ToJson(proof.contract);
  j["functions"] = Json::array();
  for (const FunctionProof& f : proof.functions) j["functions"].push_back(FunctionJson(f));
  return j;
}

TerminalText SummaryText(const Proof& proof, Version a, Version b) {
  return TerminalText::Of("{} ({} against {}, seed {})\n", VerdictName(proof.verdict, proof.evidence),
                          VersionName(a), VersionName(b), proof.seed);
}

std::optional<Result<Module>> FirstCounterexample(const Proof& proof, const Module& a, const Module& b,
                                                  std::string* what) {
  for (const bool different : {true, false})
    for (const FunctionProof& f : proof.functions) {
      if ((f.verdict == Verdict::kDifferent) != different) continue;
      if (f.part) {
        auto module = CounterexampleProgram(f.part->a, f.part->b, f.part->function, f.part->counterexample);
        *what = StrFormat("{} of the first program and {} of the second one, a part of {}",
                          Count(f.part->ops_a, "op"), Count(f.part->ops_b, "op"), SymbolText(f.function));
        if (!different) *what += "; its input may never occur in the function";
        if (module) return module;
      }
      *what = StrFormat("the whole of {}", SymbolText(f.function));
      if (!f.counterexample.empty()) return CounterexampleProgram(a, b, f.function, f.counterexample);
    }
  return std::nullopt;
}

}  // namespace shlo
