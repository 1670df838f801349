// `roundtrip`: writes a module in every format, reads it back, and compares it attribute by attribute.
#include "base/format.h"
#include "commands.h"
#include "many.h"
#include "shlo/compare.h"
#include "shlo/program_io.h"

namespace shlo::tool {
namespace {

struct Leg {
  const char* name;
  Format format = Format::kText;
  bool generic = false;
  Spelling spelling = Spelling::kStablehlo;
  bool defaults = true;  // the format distinguishes absent attributes from written defaults
  bool custom_forms = false;
};
constexpr Leg kLegs[] = {
    // Custom forms omit attributes that have their default value.
    {.name = "text", .defaults = false, .custom_forms = true},
    {.name = "generic", .generic = true},
    {.name = "vhlo", .spelling = Spelling::kVhlo, .defaults = false},
    {.name = "shlo", .format = Format::kShlo},
    // VHLO states every attribute.
    {.name = "mlirbc", .format = Format::kMlirBytecode, .defaults = false},
};

struct LegResult {
  const Leg* leg;
  bool skipped = false;  // the format cannot represent the program
  std::string difference;
  uint64_t bytes = 0;
};

Buffer Keep(std::string* bytes) {
  auto owner = std::make_shared<std::string>(std::move(*bytes));
  return {owner, owner->data()};
}

// Writes and reads a module. Errors of the writer and the reader are differences, too.
LegResult RunLeg(Context& ctx, const Leg& leg, const Program& program) {
  const Module& module = program.module;
  LegResult result{&leg};
  const auto failed = [&](const char* when, const Diagnostics& why) {
    ctx.Report(why);
    result.difference = StrFormat("{}: {}", when, why[0].message);
    return result;
  };
  WriteOptions write;
  write.format = leg.format;
  write.text.spelling = leg.spelling;
  write.text.generic = leg.generic;
  write.text.locations = true;
  write.limits = ctx.limits();
  write.shlo.producer = program.source.producer;
  write.trace = ctx.MakeTrace();
  auto written = WriteProgram(program, write);
  if (!written) {
    const Code code = written.error()[0].code;
    if (code == Code::kLimit || ((leg.spelling == Spelling::kVhlo || leg.format == Format::kMlirBytecode) &&
                                 (code == Code::kUnsupported || code == Code::kBlocked))) {
      result.skipped = true;
      result.difference = written.error()[0].message;
      return result;
    }
    return failed("cannot be written", written.error());
  }
  result.bytes = written->size();
  const size_t size = written->size();
  const Buffer owner = Keep(&*written);
  const std::string_view bytes(static_cast<const char*>(owner.get()), size);
  ReadOptions read =
      ctx.MakeReadOptions(StrFormat("<{} of {}>", leg.name, program.source.name), bytes.size());
  read.version = module.version;
  auto back = ReadProgram(bytes, owner, read);
  if (!back) return failed("cannot be read back", back.error());
  CompareOptions compare;
  compare.defaults = leg.defaults;
  compare.custom_forms = leg.custom_forms;
  compare.columns = leg.format != Format::kText;
  compare.source = &program.source;
  result.difference = FirstDifference(module, back->module, compare);
  return result;
}

FileResult RoundtripFile(Context& ctx, const std::string& path) {
  FileResult result;
  Input input;
  ctx.keeps_mhlo = true;
  result.code = ReadVerified(ctx, path, &input);
  Json programs = Json::array();
  for (const Program& program : input.programs) {
    Json legs = Json::array();
    for (const Leg& leg : kLegs) {
      const LegResult of = RunLeg(ctx, leg, program);
      const bool equal = !of.skipped && of.difference.empty();
      if (!equal && !of.skipped) result.code = std::max<int>(result.code, kFinding);
      const char* verdict = equal ? "equal" : of.skipped ? "not possible" : "DIFFERENT";
      std::string where = NameText(path);
      if (!program.name.empty())
        where += StrFormat(" ({})", NameText(program.name));
      else if (input.programs.size() > 1)
        where += StrFormat(":{}", program.source.first_line);
      result.text.Add("{}: {}: {}", where, leg.name, verdict);
      if (equal) result.text.Add(" ({} bytes)", of.bytes);
      if (!equal) result.text.Add(": {}", shlo::Shown(of.difference));
      result.text += "\n";
      Json l;
      l["format"] = leg.name;
      l["result"] = equal ? "equal" : of.skipped ? "not possible" : "different";
      if (!equal) l["detail"] = of.difference;
      l["size"] = of.bytes;
      legs.push_back(std::move(l));
    }
    Json p = ProgramJson(program);
    p["formats"] = std::move(legs);
    programs.push_back(std::move(p));
  }
  result.json = FileJson(path, std::move(programs));
  return result;
}

}  // namespace

void AddRoundtrip(Options& options, Context& ctx) {
  AddInputs(options, ctx, "programs to write and read back",
            [](Context& of, const uint64_t& jobs, Answer* out) {
              return RunOnInputs(of, jobs, {"writing and reading", "checked", "", {}, RoundtripFile}, out);
            });
  AddReadFlags(options, ctx);
}

}  // namespace shlo::tool
