#include "shlo/negotiation.h"

#include <algorithm>
#include <string_view>
#include <utility>

#include "base/format.h"
#include "base/guarded.h"
#include "base/try.h"
#include "ir/nearest_names.h"
#include "ir/table/release.h"
#include "shlo/verify.h"

namespace shlo {
namespace {

// The versions of one side that are known here; `minimum` may be newer than all.
struct Range {
  Version minimum, current;
};
constexpr Version kNewerThanAll{0xFFFF};

// Returns a version that a side states; one that is newer than all known ones is kNewerThanAll.
Result<Version> Stated(std::string_view side, std::string_view bound, const std::string& text, Date today) {
  if (const auto version = ParseVersion(text, today)) return *version;
  const auto release = ParseReleaseNumber(text);
  if (release && *release > NumberOf(kCurrentVersion)) return kNewerThanAll;
  if (release && !VersionOfRelease(*release).valid()) return kMinimumVersion;
  return Error(
      Code::kUnknownVersion,
      StrFormat("{} version '{}' of the {}: {}", bound, text, side, ParseVersion(text, today).error()), {},
      DidYouMean(NearestVersionWord(text), "pass a release, such as 1.9.0"));
}

Result<Range> RangeOf(std::string_view side, const StatedVersions& stated, Version newest, Date today) {
  Range range{kFirstRelease, newest};
  if (!stated.minimum.empty()) {
    const auto minimum = SHLO_TRY(Stated(side, "minimum", stated.minimum, today));
    range.minimum = minimum;
  }
  if (!stated.current.empty()) {
    const auto current = SHLO_TRY(Stated(side, "current", stated.current, today));
    range.current = std::min(current, kCurrentVersion);
  }
  return range;
}

std::string TextOf(const Range& range) {
  if (range.minimum == kNewerThanAll) return "only releases that are not known here";
  return StrFormat("{} to {}", VersionName(range.minimum), VersionName(range.current));
}

// Returns why a version does not do: the window, or blockers.
Diagnostics InTheWay(const NegotiationRequest& request, Version version) {
  const Version from = request.program->module.version;
  const ConversionRequest& conversion = request.conversion;
  if (version != from && !conversion.allow_outside_window)
    if (auto inside = CheckCompatibilityWindow(from, version, conversion.window); !inside)
      return std::move(inside.error());
  ConversionRequest to = conversion;
  to.target = version;
  return Blockers(*request.program, to);
}

Result<Version> Find(const NegotiationRequest& request) {
  if (!request.named && request.consumer.current.empty())
    return Error(Code::kUsage, "the consumer states no version", {},
                 "pass a consumer, or the newest version that it reads");
  const auto producer = SHLO_TRY(RangeOf("producer", request.producer, kCurrentVersion, request.today));
  const auto consumer = SHLO_TRY(RangeOf(
      "consumer", request.consumer, request.named ? request.named->version : kCurrentVersion, request.today));
  const Version low = std::max({producer.minimum, consumer.minimum, kFirstRelease});
  const Version high = std::min(producer.current, consumer.current);
  if (low > high)
    return Error(Code::kBlocked,
                 StrFormat("no release is common to both sides: the producer writes {}, and the consumer "
                           "reads {}",
                           TextOf(producer), TextOf(consumer)),
                 {},
                 producer.minimum > consumer.current ? "update the consumer, or use an older producer"
                                                     : "update the producer, or use an older consumer");
  if (!request.program) return high;
  const ConversionRequest& conversion = request.conversion;
  // Without rewriting, one look at the program says which versions it can have.
  std::optional<std::vector<Version>> possible;
  if (!conversion.expand && !conversion.expand_composites && !conversion.fold && !conversion.drop_hints) {
    possible = SHLO_TRY(PossibleTargets(request.program->module, OptionsOf(conversion, *request.program)));
  }
  Diagnostics in_the_way;
  for (Version version = high; version >= low; --version.n) {
    const bool blocked = possible && std::ranges::find(*possible, version) == possible->end();
    if (blocked && !in_the_way.empty()) continue;
    Diagnostics found = InTheWay(request, version);
    if (!HasErrors(found)) return version;
    const bool outside = found[0].code == Code::kOutsideWindow;
    // The newest version is the one to make possible.
    if (in_the_way.empty()) in_the_way = std::move(found);
    // Versions that are older still are outside, too.
    if (outside && version < request.program->module.version) break;
  }
  return tl::unexpected(std::move(in_the_way));
}

}  // namespace

Result<Version> Negotiate(const NegotiationRequest& request) {
  return Guarded(request.conversion.limits, [&] { return Find(request); });
}

}  // namespace shlo
