// The consumers of `--for`: those that are known, and those of the user's files.
#include "shlo/consumers.h"

#include <fmt/format.h>

#include "commands.h"
#include "shlo/file_io.h"

namespace shlo::tool {
namespace {

constexpr const char* kFormat =
    "write {\"consumers\": [{\"package\": \"plugin\", \"version\": \"2.1\", \"stablehlo\": \"1.4.0\", "
    "\"dialects\": [\"chlo\"], \"lacks_types\": [\"f4E2M1FN\"]}]}";

bool GetString(const Json& entry, const char* key, std::string* out) {
  const auto found = entry.find(key);
  if (found == entry.end() || !found->is_string()) return false;
  *out = found->get<std::string>();
  return !out->empty();
}

// A list of strings, which may be absent.
bool GetStrings(const Json& entry, const char* key, std::vector<std::string>* out) {
  const auto found = entry.find(key);
  if (found == entry.end()) return true;
  if (!found->is_array()) return false;
  for (const Json& item : *found) {
    if (!item.is_string()) return false;
    out->push_back(item.get<std::string>());
  }
  return true;
}

}  // namespace

Result<std::vector<Consumer>> ReadConsumers(const std::string& path) {
  auto file = OpenInput(path);
  if (!file) return tl::unexpected(std::move(file.error()));
  const auto invalid = [&](std::string why) {
    return Error(Code::kUsage, std::move(why), {.file = file->name}, kFormat);
  };
  const Json json = Json::parse(file->bytes.begin(), file->bytes.end(), nullptr, /*allow_exceptions=*/false);
  if (!json.is_object()) return invalid("not a JSON object");
  const auto list = json.find("consumers");
  if (list == json.end() || !list->is_array()) return invalid("expected a list 'consumers'");
  std::vector<Consumer> consumers;
  for (const Json& entry : *list) {
    Consumer& consumer = consumers.emplace_back();
    if (!entry.is_object() || !GetString(entry, "package", &consumer.package) ||
        !GetString(entry, "version", &consumer.version) ||
        !GetString(entry, "stablehlo", &consumer.release) ||
        !GetStrings(entry, "dialects", &consumer.dialects) ||
        !GetStrings(entry, "lacks_types", &consumer.lacks_types))
      return invalid(fmt::format("entry {} of 'consumers' is not valid", consumers.size()));
    if (auto version = VersionFor(consumer); !version) return tl::unexpected(std::move(version.error()));
    // Its own requirement names an entry, unless its version is not one.
    auto self = FindConsumer(consumer.package + "==" + consumer.version, {&consumer, 1});
    if (!self) return invalid(fmt::format("entry {}: {}", consumers.size(), self.error()[0].message));
  }
  return consumers;
}

int ResolveConsumers(Context& ctx, Version* target) {
  std::vector<Consumer> all = KnownConsumers();
  for (const std::string& path : ctx.consumers.files) {
    auto own = ReadConsumers(path);
    if (!own) return ctx.Fail(own.error());
    all.insert(all.begin(), own->begin(), own->end());
  }
  Date today;
  if (!GetToday(ctx, &today)) return kUsage;
  for (const std::string& requirement : ctx.consumers.requirements) {
    auto consumer = ResolveConsumer(requirement, all, today);
    if (!consumer) return ctx.Fail(consumer.error());
    if (!target->valid() || consumer->version < *target) *target = consumer->version;
    if (consumer->is_version)
      NoteRelease(ctx, "--for", requirement, consumer->version);
    else
      Note(ctx, fmt::format("--for={}: {} has StableHLO {}, target {}", requirement, consumer->name,
                            consumer->package->release, VersionName(consumer->version)));
    if (consumer->package) ctx.consumers.found.push_back(std::move(*consumer->package));
  }
  return kDone;
}

void AddConsumerFlags(Options& options, Context& ctx) {
  options.Repeated("--for", &ctx.consumers.requirements, "CONSUMER",
                   "consumer that must read the output, such as jaxlib==0.4.30 or WEEK_12; of several, the "
                   "oldest decides");
  options.Repeated("--consumers", &ctx.consumers.files, "FILE", "JSON file that describes further consumers");
  options.Option("--today", &ctx.today, "DATE",
                 "the day from which WEEK_4 and WEEK_12 count back (default: today)");
}

}  // namespace shlo::tool
