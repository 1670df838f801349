// `simplify`: applies rewrites that keep what a program computes.
#include "shlo/simplify.h"

#include "base/format.h"
#include "commands.h"
#include "proofs.h"

namespace shlo::tool {
namespace {

struct SimplifyFlags {
  std::string file;
  std::vector<std::string> only, allow;
  bool report = false, prove = false, list = false;
};

WriteOptions SimplifiedWriteOptions(const Context& ctx) {
  const std::string_view named = EmitOfName(ctx.out);
  WriteOptions options;
  if (named == "shlo") options.format = Format::kShlo;
  if (named == "mlirbc") options.format = Format::kMlirBytecode;
  options.limits = ctx.limits();
  options.text.locations = true;
  options.shlo.producer = ToolName();
  return options;
}

// Splits lists at commas.
std::vector<std::string> NamesIn(const std::vector<std::string>& lists) {
  std::vector<std::string> names;
  for (std::string_view list : lists) {
    for (size_t comma; (comma = list.find(',')) != list.npos; list.remove_prefix(comma + 1))
      names.emplace_back(list.substr(0, comma));
    names.emplace_back(list);
  }
  return names;
}

Result<Exactness> AllowedOf(const SimplifyFlags& flags) {
  Exactness allowed;
  for (const std::string& name : NamesIn(flags.allow)) {
    bool* const kind = name == "nan"         ? &allowed.nan
                       : name == "zero-sign" ? &allowed.zero_sign
                       : name == "rounding"  ? &allowed.rounding
                                             : nullptr;
    if (!kind)
      return Error(Code::kUsage, StrFormat("unknown difference '{}'", name), {},
                   "pass --allow with nan, zero-sign or rounding");
    *kind = true;
  }
  return allowed;
}

// --- The list of rewrites --------------------------------------------------------------------------------

std::string ExactnessText(Exactness exactness) {
  std::string text;
  const auto add = [&](bool holds, std::string_view word) {
    if (holds) text += StrFormat("{}{}", text.empty() ? "" : ", ", word);
  };
  add(exactness.nan, "nan");
  add(exactness.zero_sign, "zero-sign");
  add(exactness.rounding, "rounding");
  add(exactness.wrong, "wrong");
  return text.empty() ? "exact" : text;
}

// Markdown: a `|` in a cell would end it.
std::string RewriteTable() {
  std::string out =
      "| Rewrite | Elements | What it does | Exactness | Counterexample |\n|---|---|---|---|---|\n";
  for (const RewriteInfo& rewrite : AllRewrites()) {
    std::string cell(rewrite.counterexample);
    if (!rewrite.reference.empty())
      cell += StrFormat("{}reference: {}", cell.empty() ? "" : "; ", rewrite.reference);
    out += StrFormat("| `{}` | {} | `{}` | {} | {} |\n", rewrite.name, rewrite.elements, rewrite.summary,
                     ExactnessText(rewrite.exactness), cell);
  }
  return out;
}

int ListRewrites(Context& ctx) {
  if (!ctx.json) return Print(ctx, TerminalText::Lines(RewriteTable()));
  Json list = Json::array();
  for (const RewriteInfo& rewrite : AllRewrites())
    list.push_back({{"name", rewrite.name},
                    {"op", rewrite.op.empty() ? Json(nullptr) : Json(rewrite.op)},
                    {"elements", rewrite.elements},
                    {"summary", rewrite.summary},
                    {"exactness", ExactnessText(rewrite.exactness)},
                    {"counterexample", rewrite.counterexample},
                    {"reference", rewrite.reference}});
  Json j;
  j["rewrites"] = std::move(list);
  return PrintJson(ctx, j, kDone);
}

// --- Simplification --------------------------------------------------------------------------------------

// Proves that the simplified program is equal.
int ProveSimplified(Context& ctx, const Program& before, const Program& after, Json* j) {
  ProveOptions options;
  options.source_a = &before.source;
  options.source_b = &after.source;
  options.limits = ctx.ProofLimits();
  ctx.progress.Step("proving {}", NameText(before.source.name));
  options.limits.work_done = ctx.progress.Counted("function");
  const auto proof = Prove(before.module, after.module, options);
  if (!proof) return ctx.Fail(proof.error());
  const Json about = ProofJson(*proof, "exhaustive");
  for (const char* key : {"verdict", "evidence"}) (*j)[key] = about.at(key);
  const bool equal = proof->verdict == Verdict::kEqual && proof->evidence >= Evidence::kExhaustive;
  if (!ctx.json) ctx.PutError(SummaryText(*proof, before.module.version, after.module.version));
  return equal ? kDone : kFinding;
}

std::string AppliedText(const SimplifyReport& report) {
  std::string text;
  for (const auto& [name, times] : report.applied) text += StrFormat("{:>8}  {}\n", times, name);
  return text;
}

int WriteSimplified(Context& ctx, const Program& program, Json* j) {
  const WriteOptions options = SimplifiedWriteOptions(ctx);
  const auto bytes = WriteProgram(program, options);
  if (!bytes) return ctx.Fail(bytes.error());
  (*j)["output"] = ctx.out;
  if (ctx.json && ctx.out == "-") {
    (*j)["text"] = *bytes;
    return kDone;
  }
  return WriteOut(ctx, ctx.out, *bytes, options.format != Format::kText);
}

int SimplifyFile(Context& ctx, const SimplifyFlags& flags, Json* j) {
  if (flags.file.empty()) return ctx.Fail(Code::kUsage, "expected a program", {}, "pass FILE, or --list");
  (*j)["files"] = Json::array({FileJson(flags.file, Json::array())});
  Program program;
  if (const int code = ReadOne(ctx, flags.file, &program); code != kDone) return code;
  (*j)["files"] = Json::array({FileJson(flags.file, Json::array({ProgramJson(program)}))});
  SimplifyOptions options;
  const auto allowed = AllowedOf(flags);
  if (!allowed) return ctx.Fail(allowed.error());
  options.allowed = *allowed;
  options.only = NamesIn(flags.only);
  options.limits = ctx.limits();
  const Program before = flags.prove ? program : Program();
  const auto report = Simplify(&program, options);
  if (!report) return ctx.Fail(report.error());
  (*j)["ops_before"] = report->ops_before;
  (*j)["ops_after"] = report->ops_after;
  (*j)["applied"] = Json::array();
  uint64_t rewrites = 0;
  for (const auto& [name, times] : report->applied) {
    (*j)["applied"].push_back({{"name", name}, {"count", times}});
    rewrites += times;
  }
  int code = flags.prove ? ProveSimplified(ctx, before, program, j) : kDone;
  code = std::max(code, WriteSimplified(ctx, program, j));
  if (ctx.json) return code;
  if (flags.report) ctx.PutError(TerminalText::Lines(AppliedText(*report)));
  Note(ctx, StrFormat("{} of {} left after {}", report->ops_after, Count(report->ops_before, "op"),
                      Count(rewrites, "rewrite")));
  return code;
}

int RunSimplify(Context& ctx, const SimplifyFlags& flags) {
  if (flags.list) return ListRewrites(ctx);
  Json j;
  const int code = SimplifyFile(ctx, flags, &j);
  return ctx.json ? PrintJson(ctx, j, code) : code;
}

}  // namespace

void AddSimplify(Options& options, Context& ctx) {
  auto flags = AddRun<SimplifyFlags>(options, ctx, RunSimplify);
  options.Argument("FILE", &flags->file, "program to simplify", /*required=*/false);
  options.Repeated("--only", &flags->only, "NAME,...", "rewrites to apply (default: all)");
  options.Repeated("--allow", &flags->allow, "KIND,...",
                   "differences of results that rewrites may make: nan, zero-sign, rounding (default: none)");
  options.Flag("--report", &flags->report, "print how often each rewrite was applied");
  options.Flag("--prove", &flags->prove, "prove that the program remains equal; exit code 1 if it is not");
  options.Flag("--list", &flags->list, "print all rewrites as a table in Markdown");
  options.Option(
      "-o,--output", &ctx.out, "OUT",
      "output file; .shlo, .mlirbc and .bc decide its format, otherwise it is a text (default: -, standard "
      "output)");
  AddEvaluationFlags(options, ctx);
  AddReadFlags(options, ctx);
}

}  // namespace shlo::tool
