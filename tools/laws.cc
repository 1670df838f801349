// `laws`: prints the laws of conversion, and how far each was checked.
#include "prove/laws.h"

#include <algorithm>

#include "base/format.h"
#include "base/nearest.h"
#include "commands.h"

namespace shlo::tool {
namespace {

constexpr std::string_view kExact = "exact", kApproximate = "approximate";

std::string_view ExactnessOf(const LawRow& law) { return law.exact ? kExact : kApproximate; }

// Every law has a record, or the tool does not build (law_rows.cc); an empty one is for the compiler.
const LawRecord& RecordOf(const LawRow& law) {
  static constexpr LawRecord kNone{};
  const LawRecord* const record = FindLawRecord(law.name);
  return record ? *record : kNone;
}

std::string ToText(const LawRow& law) {
  const LawRecord& record = RecordOf(law);
  std::string out = StrFormat("{}\n  {}, {}\n", law.name, LawKindName(law.kind), ExactnessOf(law));
  for (const std::string& error : StatedErrors(law)) out += StrFormat("  error: {}\n", error);
  out += StrFormat("  last checked on {}\n", record.date);
  for (size_t i = 0; i < Rungs().size(); ++i) {
    const Rung& rung = Rungs()[i];
    out += StrFormat("  {}  {}: ", rung.name, rung.checks);
    if (record.counts[i])
      out += Count(record.counts[i], rung.unit) + "\n";
    else
      out += StrFormat("none, because {}\n", GapReason(law.name, i));
  }
  return out;
}

Json LawJson(const LawRow& law) {
  const LawRecord& record = RecordOf(law);
  Json j;
  j["name"] = law.name;
  j["kind"] = std::string(LawKindName(law.kind));
  j["exact"] = law.exact;
  j["op"] = law.op ? Json(std::string(RowOf(law.op).name)) : Json(nullptr);
  j["errors"] = StatedErrors(law);
  j["date"] = std::string(record.date);
  Json rungs = Json::array();
  for (size_t i = 0; i < Rungs().size(); ++i) {
    Json rung;
    rung["name"] = std::string(Rungs()[i].name);
    rung["count"] = record.counts[i];
    rung["unit"] = std::string(Rungs()[i].unit);
    if (record.counts[i] == 0) rung["reason"] = std::string(GapReason(law.name, i));
    rungs.push_back(std::move(rung));
  }
  j["rungs"] = std::move(rungs);
  return j;
}

std::string Table(const std::vector<LawRow>& laws) {
  size_t width = 0;
  std::array<size_t, kNumRungs> reached{};
  for (const LawRow& law : laws) width = std::max(width, law.name.size());
  std::string out = StrFormat("{:{}}  {:9}  {:11}", "law", width, "kind", "exactness");
  for (const Rung& rung : Rungs()) out += StrFormat("  {:>7}", rung.name);
  out += "  date\n";
  for (const LawRow& law : laws) {
    const LawRecord& record = RecordOf(law);
    out += StrFormat("{:{}}  {:9}  {:11}", law.name, width, LawKindName(law.kind), ExactnessOf(law));
    for (size_t i = 0; i < kNumRungs; ++i) {
      reached[i] += record.counts[i] > 0;
      out += StrFormat("  {:>7}", record.counts[i] ? std::to_string(record.counts[i]) : "-");
    }
    out += StrFormat("  {}\n", record.date);
  }
  out += StrFormat("{:{}}  {:9}  {:11}", Count(laws.size(), "law") + " that reach the rung", width, "", "");
  for (size_t n : reached) out += StrFormat("  {:>7}", n);
  return out + "\n";
}

// Returns the part of a law's name, such as an op, that is nearest to `name`, or "".
std::string NearestLaw(const std::string& name) {
  Nearest nearest(name);
  const std::vector<LawRow> laws = Laws();
  for (const LawRow& law : laws) {
    const std::string_view whole = law.name, from = whole.substr(0, whole.find(' ')),
                           op = from.substr(from.find('.') + 1);
    nearest.Try(from);
    nearest.Try(op);
    nearest.Try(op.substr(0, op.rfind("_v")));
  }
  return std::string(nearest.best());
}

int RunLaws(Context& ctx, const std::string& name, Answer* answer) {
  std::vector<LawRow> laws = Laws();
  if (!name.empty()) {
    const bool whole = std::ranges::find(laws, name, &LawRow::name) != laws.end();
    std::erase_if(laws, [&](const LawRow& law) {
      return whole ? law.name != name : law.name.find(name) == std::string::npos;
    });
  }
  if (laws.empty())
    return ctx.Fail(Code::kUsage, StrFormat("unknown law '{}'", name), {},
                    DidYouMean(NearestLaw(name), "run 'shlo-compat laws' for the list"));
  answer->json["laws"] = Json::array();
  for (const LawRow& law : laws) answer->json["laws"].push_back(LawJson(law));
  std::string out = name.empty() ? Table(laws) : "";
  if (!name.empty())
    for (const LawRow& law : laws) out += (out.empty() ? "" : "\n") + ToText(law);
  answer->text = TerminalText::Lines(out);
  return kDone;
}

}  // namespace

void AddLaws(Options& options, Context& ctx) {
  auto name = AddAnswer<std::string>(options, ctx, RunLaws);
  options.Argument("NAME", name.get(),
                   "name of a law, or a part of names, such as gather (default: list all)",
                   /*required=*/false);
}

}  // namespace shlo::tool
