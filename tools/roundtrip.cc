// `roundtrip`: writes a module in every format, reads it back, and compares it attribute by attribute.
#include <fmt/format.h>

#include "commands.h"
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
    result.difference = fmt::format("{}: {}", when, why[0].message);
    return result;
  };
  WriteOptions write;
  write.format = leg.format;
  write.text.spelling = leg.spelling;
  write.text.generic = leg.generic;
  write.text.locations = true;
  write.text.limits = write.shlo.limits = write.bytecode.limits = ctx.limits();
  write.shlo.producer = program.source.producer;
  write.text.trace = write.shlo.trace = write.bytecode.trace = ctx.MakeTrace();
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
      ctx.MakeReadOptions(fmt::format("<{} of {}>", leg.name, program.source.name), bytes.size());
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

int RunRoundtrip(Context& ctx) {
  int worst = kDone;
  std::string out;
  Json files = Json::array();
  for (const std::string& path : ctx.files) {
    Input input;
    worst = std::max(worst, ReadVerified(ctx, path, &input));
    Json programs = Json::array();
    for (const Program& program : input.programs) {
      Json legs = Json::array();
      for (const Leg& leg : kLegs) {
        const LegResult result = RunLeg(ctx, leg, program);
        const bool equal = !result.skipped && result.difference.empty();
        if (!equal && !result.skipped) worst = std::max<int>(worst, kFinding);
        const char* verdict = equal ? "equal" : result.skipped ? "not possible" : "DIFFERENT";
        std::string where = path;
        if (!program.name.empty())
          where += fmt::format(" ({})", program.name);
        else if (input.programs.size() > 1)
          where += fmt::format(":{}", program.source.first_line);
        out += fmt::format("{}: {}: {}", where, leg.name, verdict);
        if (equal) out += fmt::format(" ({} bytes)", result.bytes);
        if (!equal) out += fmt::format(": {}", result.difference);
        out += '\n';
        Json l;
        l["format"] = leg.name;
        l["result"] = equal ? "equal" : result.skipped ? "not possible" : "different";
        if (!equal) l["detail"] = result.difference;
        l["size"] = result.bytes;
        legs.push_back(std::move(l));
      }
      Json p = ProgramJson(program);
      p["formats"] = std::move(legs);
      programs.push_back(std::move(p));
    }
    files.push_back(FileJson(path, std::move(programs)));
  }
  if (!ctx.json) {
    const int printed = Print(ctx, out);
    return printed == kDone ? worst : printed;
  }
  Json j;
  j["files"] = std::move(files);
  return PrintJson(ctx, j, worst);
}

}  // namespace

void AddRoundtrip(Options& options, Context& ctx) {
  options.Arguments("FILE", &ctx.files, "programs to write and read back");
  AddReadFlags(options, ctx);
  AddCommonFlags(options, ctx);
  options.OnChosen([&ctx] { ctx.run = [&ctx] { return RunRoundtrip(ctx); }; });
}

}  // namespace shlo::tool
