// Limits, days and dialects of callers; versions and consumers.
#include <algorithm>
#include <chrono>

#include "base/format.h"
#include "capi/internal.h"
#include "ir/module/limits.h"
#include "versioning/consumers_json.h"

namespace shlo::capi {

constinit thread_local shlo_cancellation* cancellation_of_thread = nullptr;

Limits LimitsOf(const shlo_limits* given, uint64_t bytes) {
  constexpr uint64_t kMost = uint64_t(1) << 60;  // sums of a few do not overflow
  constexpr uint64_t kMostMilliseconds = uint64_t(1) << 40;
  constexpr uint32_t kMostThreads = 1024;
  const shlo_limits options = OptionsOf(given, "shlo_limits");
  Limits limits = Limits::ForInput(bytes);
  if (options.max_memory) limits.max_memory = std::min(options.max_memory, kMost);
  if (options.max_output) limits.max_output = std::min(options.max_output, kMost);
  if (options.max_steps) limits.max_steps = std::min(options.max_steps, kMost);
  if (options.max_work) limits.max_work = std::min(options.max_work, kMost);
  if (options.max_depth) limits.max_depth = options.max_depth;
  limits.threads = options.threads;
  if (options.max_depth > kMaxNesting)
    Fail(Code::kUsage,
         shlo::StrFormat("max_depth is {}, and the most is {}", options.max_depth, kMaxNesting));
  if (options.threads > kMostThreads)
    Fail(Code::kUsage, shlo::StrFormat("threads is {}, and the most is {}", options.threads, kMostThreads));
  if (options.timeout_ms)
    limits.deadline =
        Limits::Clock::now() + std::chrono::milliseconds(std::min(options.timeout_ms, kMostMilliseconds));
  const shlo_cancellation* const cancellation =
      options.cancellation ? options.cancellation : cancellation_of_thread;
  if (cancellation) limits.cancellation = &cancellation->flag;
  return limits;
}

Date TodayOf(const char* today) {
  if (!today) return Today();
  const auto date = ParseDate(today);
  if (!date) Fail(Code::kUsage, date.error(), "write YYYY-MM-DD");
  return *date;
}

std::vector<Dialect> DialectsOf(const shlo_dialect* const* dialects, size_t count) {
  std::vector<Dialect> out;
  for (size_t i = 0; i < count; ++i) {
    Require(dialects, "dialects");
    Require(dialects[i], "dialects[i]");
    const Dialect& dialect = dialects[i]->dialect;
    if (std::ranges::find(out, dialect.name, &Dialect::name) != out.end())
      Fail(Code::kUsage, shlo::StrFormat("dialect '{}' is defined twice", dialect.name));
    out.push_back(dialect);
  }
  return out;
}

}  // namespace shlo::capi

using namespace shlo::capi;
using shlo::Code;

extern "C" {

shlo_error* shlo_cancellation_create(shlo_poll poll, void* context, shlo_cancellation** out) {
  return Make(out, [&] {
    auto cancellation = std::make_unique<shlo_cancellation>();
    cancellation->flag.poll = poll;
    cancellation->flag.context = context;
    return cancellation.release();
  });
}

void shlo_cancel(shlo_cancellation* cancellation) {
  static_assert(std::atomic<bool>::is_always_lock_free);  // for signal handlers
  if (cancellation) cancellation->flag.requested = true;
}

int shlo_is_canceled(const shlo_cancellation* cancellation) {
  return cancellation && cancellation->flag.requested;
}

shlo_cancellation* shlo_cancellation_use(shlo_cancellation* cancellation) {
  return std::exchange(cancellation_of_thread, cancellation);
}

void shlo_cancellation_free(shlo_cancellation* cancellation) { delete cancellation; }

shlo_version shlo_version_current(void) { return shlo::kCurrentVersion.n; }
shlo_version shlo_version_minimum(void) { return shlo::kMinimumVersion.n; }
shlo_version shlo_version_first_release(void) { return shlo::kFirstRelease.n; }

size_t shlo_version_count(void) { return shlo::VersionLine().size(); }

shlo_version shlo_version_at(size_t i) {
  return i < shlo::VersionLine().size() ? shlo::VersionLine()[i].version.n : 0;
}

int shlo_version_get(shlo_version version, shlo_version_info* out) {
  const shlo::VersionRow* row =
      version <= UINT16_MAX ? shlo::FindVersion(shlo::Version{uint16_t(version)}) : nullptr;
  if (!row) return 0;
  shlo_version_info info{};
  info.version = version;
  info.release = Str(row->release);
  info.year = uint32_t(row->date.year);
  info.month = row->date.month;
  info.day = row->date.day;
  info.date_is_bound = row->date_is_bound;
  info.bytecode_format = row->bytecode_format;
  info.change = Str(row->change);
  return Put(info, out);
}

shlo_error* shlo_version_parse(const char* text, const char* today, shlo_version* out) {
  return Try([&] {
    Require(out, "out");
    *out = 0;
    Require(text, "text");
    const auto version = shlo::ParseVersion(text, TodayOf(today));
    if (!version) Fail(Code::kUnknownVersion, version.error());
    *out = version->n;
  });
}

shlo_error* shlo_consumers_create(const char* json, size_t size, shlo_consumers** out) {
  return Make(out, [&] {
    auto consumers = std::make_unique<shlo_consumers>();
    if (json) consumers->packages = Take(shlo::ParseConsumers({json, size}, "<consumers>"));
    const std::vector<shlo::Consumer> known = shlo::KnownConsumers();
    consumers->packages.insert(consumers->packages.end(), known.begin(), known.end());
    for (const shlo::Consumer& package : consumers->packages) {
      shlo_consumer consumer;
      consumer.consumer.name = package.package + " " + package.version;
      consumer.consumer.version = Take(shlo::VersionFor(package));
      consumer.consumer.package = package;
      consumers->list.push_back(std::move(consumer));
    }
    return consumers.release();
  });
}

size_t shlo_consumers_count(const shlo_consumers* consumers) {
  return consumers ? consumers->list.size() : 0;
}

const shlo_consumer* shlo_consumers_at(const shlo_consumers* consumers, size_t i) {
  return i < shlo_consumers_count(consumers) ? &consumers->list[i] : nullptr;
}

shlo_error* shlo_consumer_find(const shlo_consumers* consumers, const char* text, const char* today,
                               shlo_consumer** out) {
  return Make(out, [&] {
    Require(text, "text");
    auto consumer = std::make_unique<shlo_consumer>();
    consumer->consumer = Take(shlo::ResolveConsumer(
        text, consumers ? consumers->packages : shlo::KnownConsumers(), TodayOf(today)));
    return consumer.release();
  });
}

int shlo_consumer_get(const shlo_consumer* consumer, shlo_consumer_info* out) {
  if (!consumer) return 0;
  const shlo::NamedConsumer& from = consumer->consumer;
  shlo_consumer_info info{};
  info.name = Str(from.name);
  info.version = from.version.n;
  info.package = info.package_version = info.release = info.assumed_as = {"", 0};
  if (from.package) {
    info.package = Str(from.package->package);
    info.package_version = Str(from.package->version);
    info.release = Str(from.package->release);
    info.assumed_as = Str(from.package->assumed_as);
  }
  info.is_version = from.is_version;
  return Put(info, out);
}

shlo_error* shlo_consumers_json(const shlo_consumers* consumers, shlo_buffer** out) {
  return Make(out, [&] {
    Require(consumers, "consumers");
    return NewBuffer(shlo::ConsumersText(consumers->packages));
  });
}

void shlo_consumers_free(shlo_consumers* consumers) { delete consumers; }
void shlo_consumer_free(shlo_consumer* consumer) { delete consumer; }

shlo_error* shlo_dialect_read(const char* toml, size_t size, const char* name, shlo_dialect** out) {
  return Make(out, [&] {
    Require(toml, "toml");
    auto dialect = std::make_unique<shlo_dialect>();
    dialect->dialect = Take(shlo::ParseDialect({toml, size}, name ? name : "<dialect>"));
    return dialect.release();
  });
}

shlo_str shlo_dialect_name(const shlo_dialect* dialect) {
  return dialect ? Str(dialect->dialect.name) : shlo_str{nullptr, 0};
}

void shlo_dialect_free(shlo_dialect* dialect) { delete dialect; }

}  // extern "C"
