// The consumers of `--for`: those that are known, and those of the user's files.
#include "shlo/consumers.h"

#include "base/format.h"
#include "base/try.h"
#include "commands.h"
#include "shlo/file_io.h"
#include "versioning/consumers_json.h"

namespace shlo::tool {
Result<std::vector<Consumer>> ReadConsumers(const std::string& path) {
  const auto file = SHLO_TRY(OpenInput(path));
  return ParseConsumers(file.bytes, file.name);
}

namespace {

// A consumer that is not known is a guess.
void ReportConsumer(Context& ctx, const std::string& requirement, const NamedConsumer& consumer) {
  if (consumer.package->assumed_as.empty())
    return Note(ctx, StrFormat("--for={}: {} has StableHLO {}, target {}", requirement, consumer.name,
                               consumer.package->release, VersionName(consumer.version)));
  ctx.Report(AssumedWarning(*consumer.package));
}

}  // namespace

int ListConsumers(Context& ctx, std::vector<Consumer>* out) {
  *out = KnownConsumers();
  for (const std::string& path : ctx.consumers.files) {
    auto own = SHLO_TAKE(ctx, ReadConsumers(path));
    out->insert(out->begin(), own.begin(), own.end());
  }
  return kDone;
}

int ResolveConsumers(Context& ctx, Version* target) {
  std::vector<Consumer> all;
  if (const int code = ListConsumers(ctx, &all); code != kDone) return code;
  Date today;
  if (!GetToday(ctx, &today)) return kUsage;
  for (const std::string& requirement : ctx.consumers.requirements) {
    auto consumer = SHLO_TAKE(ctx, ResolveConsumer(requirement, all, today));
    if (!target->valid() || consumer.version < *target) *target = consumer.version;
    if (consumer.is_version)
      NoteRelease(ctx, "--for", requirement, consumer.version);
    else
      ReportConsumer(ctx, requirement, consumer);
    ctx.consumers.resolved.push_back(ConsumerJson(requirement, consumer));
    if (consumer.package) ctx.consumers.found.push_back(std::move(*consumer.package));
  }
  return kDone;
}

void AddConsumerFlags(Options& of_command, Context& ctx, const char* help) {
  of_command.Repeated("--for", &ctx.consumers.requirements, "CONSUMER", help);
  Options options = of_command.Below(kWindowFlags);
  options.Repeated("--consumers", &ctx.consumers.files, "FILE", "JSON file with more consumers");
  options.Option("--today", &ctx.today, "DATE",
                 "day that WEEK_4 and WEEK_12 count back from (default: today)");
}

}  // namespace shlo::tool
