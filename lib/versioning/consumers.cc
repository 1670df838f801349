#include "shlo/consumers.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <iterator>
#include <utility>

#include "base/format.h"
#include "base/guarded.h"
#include "base/try.h"
#include "ir/blocker_list.h"
#include "ir/module/node_versions.h"
#include "ir/nearest_names.h"
#include "ir/table/release.h"
#include "shlo/op_table.h"
#include "versioning/consumer_faults.h"
#include "versioning/hint_remedy.h"

namespace shlo {
namespace {

struct Row {
  std::string_view package, version, release, dialects, uncompiled;
};
constexpr Row kRows[] = {
#define SHLO_CONSUMER(package, version, release, dialects, uncompiled) \
  {package, version, release, dialects, uncompiled},
#include "schema/consumers.inc"
};

struct Alias {
  std::string_view name, package;
};
constexpr Alias kAliases[] = {
#define SHLO_CONSUMER_ALIAS(name, package) {name, package},
#include "schema/consumers.inc"
};

// Dialects that the deserializer of StableHLO registers itself. Other dialects of MLIR, such as arith, depend
// on the consumer.
constexpr std::string_view kCommonDialects[] = {"builtin", "func", "quant", "stablehlo", "vhlo"};

std::vector<std::string> Words(std::string_view text) {
  std::vector<std::string> words;
  while (!text.empty()) {
    const size_t end = std::min(text.find(' '), text.size());
    if (end) words.emplace_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return words;
}

Consumer ConsumerOf(const Row& row) {
  Consumer consumer;
  consumer.package = row.package;
  consumer.version = row.version;
  consumer.release = row.release;
  consumer.uncompiled = Words(row.uncompiled);
  for (std::string& word : Words(row.dialects)) {
    const size_t at = word.find('@');
    if (at == word.npos)
      consumer.dialects.push_back(std::move(word));
    else
      consumer.partial_dialects.emplace_back(word.substr(0, at), word.substr(at + 1));
  }
  return consumer;
}

// Returns the newest known consumer that has no newer release than a version, if any.
std::optional<Consumer> ConsumerWith(Version version) {
  std::optional<Consumer> found;
  Version newest;
  for (const Row& row : kRows) {
    Consumer consumer = ConsumerOf(row);
    const auto its = VersionFor(consumer);
    if (!its || *its > version || (found && *its <= newest)) continue;
    newest = *its;
    found = std::move(consumer);
  }
  return found;
}

// Names of packages are compared as package indexes do.
std::string PackageName(std::string_view text) {
  std::string name(text);
  for (char& c : name) {
    if (c >= 'A' && c <= 'Z') c = char(c - 'A' + 'a');
    if (c == '_') c = '-';
  }
  for (const Alias& alias : kAliases)
    if (alias.name == name) return std::string(alias.package);
  return name;
}

// Parses "0.4.30"; false for anything but numbers and dots.
bool ParseNumbers(std::string_view text, std::vector<uint32_t>* numbers) {
  while (true) {
    uint32_t number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error != std::errc()) return false;
    numbers->push_back(number);
    text.remove_prefix(size_t(end - text.data()));
    if (text.empty()) return true;
    if (text.front() != '.') return false;
    text.remove_prefix(1);
  }
}

bool StartsWith(const std::vector<uint32_t>& version, const std::vector<uint32_t>& prefix) {
  return version.size() >= prefix.size() && std::equal(prefix.begin(), prefix.end(), version.begin());
}

std::string ListVersions(std::span<const Consumer> consumers, std::string_view package) {
  std::vector<std::string_view> names;
  for (const Consumer& consumer : consumers) {
    const std::string_view name = package.empty() ? consumer.package : consumer.version;
    if ((package.empty() || PackageName(consumer.package) == package) &&
        (names.empty() || names.back() != name))
      names.push_back(name);
  }
  return StrFormat("{}", fmt::join(names, ", "));
}

Result<Consumer> Find(std::string_view requirement, std::span<const Consumer> consumers) {
  const size_t op = requirement.find_first_of("=<>!~ ");
  const std::string package = PackageName(requirement.substr(0, op));
  const auto known = [&](const Consumer& consumer) { return PackageName(consumer.package) == package; };
  if (std::ranges::none_of(consumers, known))
    return Error(Code::kUsage, StrFormat("unknown consumer '{}'", package), {},
                 "known: " + ListVersions(consumers, {}));
  std::string_view text = op == requirement.npos ? std::string_view() : requirement.substr(op);
  const auto hint = [&] {
    const auto first = std::ranges::find_if(consumers, known);
    const Consumer* last = &*first;
    for (const Consumer& consumer : consumers)
      if (known(consumer)) last = &consumer;
    return StrFormat("write {0}==VERSION, from {1} to {2}; 'shlo-compat consumers {0}' lists them", package,
                     first->version, last->version);
  };
  std::vector<uint32_t> wanted;
  if (!text.starts_with("==") && !text.starts_with(">="))
    return Error(Code::kUsage, StrFormat("expected a version of '{}'", package), {}, hint());
  text.remove_prefix(2);
  if (!ParseNumbers(text, &wanted))
    return Error(Code::kUsage, StrFormat("invalid version '{}' of '{}'", text, package), {}, hint());
  const Consumer* before = nullptr;
  for (const Consumer& consumer : consumers) {
    std::vector<uint32_t> version;
    if (!known(consumer) || !ParseNumbers(consumer.version, &version)) continue;
    if (StartsWith(version, wanted)) return consumer;  // the oldest one
    if (version < wanted) before = &consumer;
  }
  if (!before)
    return Error(Code::kUsage, StrFormat("'{}' {} is older than the versions that are known", package, text),
                 {}, hint());
  Consumer found = *before;
  found.assumed_as = std::exchange(found.version, std::string(text));
  return found;
}

Result<NamedConsumer> Resolve(std::string_view text, std::span<const Consumer> consumers, Date today) {
  if (const auto version = ParseVersion(text, today)) {
    auto reader = ConsumerWith(*version);
    if (reader) reader->uncompiled.clear();  // a version says nothing of a compiler
    return NamedConsumer{std::string(text), *version, std::move(reader), true};
  }
  auto package = Find(text, consumers);
  if (!package) {
    // Without a requirement, it may as well be a misspelled version.
    const std::string_view near = NearestVersionWord(text);
    if (text.find_first_of("=<>!~ ") != text.npos || near.empty())
      return tl::unexpected(std::move(package.error()));
    return Error(Code::kUsage, StrFormat("unknown consumer '{}'", text), {}, DidYouMean(near));
  }
  const auto version = SHLO_TRY(VersionFor(*package));
  return NamedConsumer{NameOf(*package), version, std::move(*package)};
}

// Looks for what a consumer cannot read, or for types that it reads and cannot compile.
enum class Looking : uint8_t { kRead, kCompile };

class Finder {
 public:
  Finder(const Module& module, const Consumer& consumer, const ConvertOptions& options, Looking looking)
      : m_(module),
        consumer_(consumer),
        looking_(looking),
        types_(looking == Looking::kRead ? consumer.lacks_types : consumer.uncompiled),
        source_(options.source),
        found_(options.every_place, options.max_blockers),
        nodes_(module, NodeVersions::Rows::kAll),
        missing_(nodes_.size()),
        seen_(nodes_.size()),
        first_(nodes_.size(), kUnknown) {
    for (uint32_t i = 1; i < m_.types.size(); ++i) NoteType(TypeId(i));
    for (uint32_t i = 1; i < m_.attrs.size(); ++i) NoteAttr(AttrId(i));
  }

  Diagnostics Run() {
    for (uint32_t i = 1; i < m_.ops.size(); ++i) {
      const OpId id(i);
      const Op& op = m_.ops[i];
      const std::string_view name = m_.NameOf(op);
      const std::string_view dialect = name.substr(0, name.find('.'));
      if (const Lack lack = Lacks(dialect)) {
        Report(id, *lack, StrFormat("dialect '{}'", dialect));
        continue;  // its attributes are of the same dialect
      }
      for (const ValueId value : m_.OperandsOf(op)) Check(id, nodes_.NodeOf(m_.TypeOf(value)));
      for (uint32_t r = 0; r < m_.NumResults(op); ++r)
        Check(id, nodes_.NodeOf(m_.TypeOf(m_.ResultOf(op, r))));
      for (const AttrId attr : m_.InherentAttrsOf(op))
        if (attr) Check(id, nodes_.NodeOf(attr));
      for (const NamedAttr& attr : m_.DiscardableAttrsOf(op)) Check(id, nodes_.NodeOf(attr.value));
    }
    return found_.Finish();
  }

 private:
  // The only deserializer that has something, "" if none does, or nothing if all do.
  using Lack = std::optional<std::string_view>;

  Lack Lacks(std::string_view dialect) const {
    // The dialect of a builtin kind is "".
    if (looking_ == Looking::kCompile || dialect.empty() ||
        std::ranges::find(kCommonDialects, dialect) != std::end(kCommonDialects) ||
        std::ranges::find(consumer_.dialects, dialect) != consumer_.dialects.end())
      return std::nullopt;
    for (const auto& [name, reader] : consumer_.partial_dialects)
      if (name == dialect) return reader;
    return "";
  }

  void NoteType(TypeId type) {
    const KindRow& row = RowOf(m_.types.KindOf(type));
    const auto opaque = m_.As<OpaqueType>(type);
    const bool lacks = std::ranges::find(types_, row.mnemonic) != types_.end();
    missing_[nodes_.NodeOf(type)] =
        lacks ? "" : Lacks(opaque ? std::string_view(m_.strings[opaque->dialect]) : row.dialect);
  }

  void NoteAttr(AttrId attr) {
    const auto opaque = m_.As<OpaqueAttr>(attr);
    missing_[nodes_.NodeOf(attr)] =
        Lacks(opaque ? std::string_view(m_.strings[opaque->dialect]) : RowOf(m_.attrs.KindOf(attr)).dialect);
  }

  // Reports what is missing inside of a node that an op holds. Each node is searched once, and after that
  // stands for the first thing that is missing in it.
  void Check(OpId op, uint32_t root) {
    std::vector<uint32_t> stack{root};
    while (!stack.empty()) {
      const uint32_t node = stack.back();
      stack.pop_back();
      if (seen_[node]) {
        if (const uint32_t first = FirstMissing(node); first != kNone) ReportNode(op, first);
        continue;
      }
      seen_[node] = true;
      if (missing_[node]) ReportNode(op, node);
      nodes_.VisitChildren(node, [&](uint32_t child) { stack.push_back(child); });
    }
  }

  // Returns the first node inside of a node, or itself, that is missing; kNone if none is.
  uint32_t FirstMissing(uint32_t root) {
    std::vector<uint32_t> stack{root};
    while (!stack.empty()) {
      const uint32_t node = stack.back();
      uint32_t first = missing_[node] ? node : kNone;
      bool complete = true;
      if (first == kNone && first_[node] == kUnknown)
        nodes_.VisitChildren(node, [&](uint32_t child) {
          if (first_[child] == kUnknown) {
            stack.push_back(child);
            complete = false;
          } else if (first == kNone) {
            first = first_[child];
          }
        });
      if (!complete) continue;
      if (first_[node] == kUnknown) first_[node] = first;
      stack.pop_back();
    }
    return first_[root];
  }

  // A node that an op holds several times is one place.
  void ReportNode(OpId op, uint32_t node) {
    if (op != reported_op_) reported_nodes_.clear();
    reported_op_ = op;
    if (std::ranges::find(reported_nodes_, node) != reported_nodes_.end()) return;
    reported_nodes_.push_back(node);
    Report(op, *missing_[node], nodes_.Describe(node));
  }

  void Report(OpId op, std::string_view only, std::string_view missing) {
    found_.Add(missing, [&] {
      Diagnostic d;
      const bool error = looking_ == Looking::kRead && only.empty();
      d.severity = error ? Severity::kError : Severity::kWarning;
      d.code = Code::kBlocked;
      d.place = PlaceOf(m_, op, source_);
      d.op = std::string(m_.NameOf(m_.ops[op.v]));
      const std::string consumer = NameOf(consumer_);
      d.message = looking_ == Looking::kCompile
                      ? StrFormat("{} reads {}, but cannot compile it", consumer, missing)
                  : error ? StrFormat("{} does not have {}", consumer, missing)
                          : StrFormat("only the {} deserializer of {} has {}", only, consumer, missing);
      return d;
    });
  }

  const Module& m_;
  const Consumer& consumer_;
  const Looking looking_;
  const std::vector<std::string>& types_;  // that the consumer lacks
  const Source* const source_;
  BlockerList found_;
  NodeVersions nodes_;
  std::vector<Lack> missing_;  // by node
  std::vector<bool> seen_;     // by node
  static constexpr uint32_t kUnknown = ~uint32_t(0), kNone = ~uint32_t(0) - 1;
  std::vector<uint32_t> first_;  // by node: FirstMissing
  OpId reported_op_;             // the last op with something missing, and what
  std::vector<uint32_t> reported_nodes_;
};

}  // namespace

std::string NameOf(const Consumer& consumer) {
  const std::string name = StrFormat("{} {}", consumer.package, consumer.version);
  return consumer.assumed_as.empty() ? name : StrFormat("{} (assumed as {})", name, consumer.assumed_as);
}

std::vector<Consumer> KnownConsumers() {
  std::vector<Consumer> consumers;
  for (const Row& row : kRows) consumers.push_back(ConsumerOf(row));
  return consumers;
}

bool IsDialectOfConsumers(std::string_view dialect) {
  return std::ranges::any_of(kRows, [&](const Row& row) {
    std::string_view left = row.dialects;
    while (!left.empty()) {
      const std::string_view word = left.substr(0, left.find(' '));
      if (word.substr(0, word.find('@')) == dialect) return true;
      left.remove_prefix(std::min(word.size() + 1, left.size()));
    }
    return false;
  });
}

Result<Consumer> FindConsumer(std::string_view requirement, std::span<const Consumer> consumers) {
  return Guarded([&] { return Find(requirement, consumers); });
}

Diagnostic AssumedWarning(const Consumer& consumer) {
  const auto version = VersionFor(consumer);
  return Warning(Code::kUnknownVersion,
                 StrFormat("{} {} is not a known version; it is assumed to have StableHLO {}, as {} has{}",
                           consumer.package, consumer.version, consumer.release, consumer.assumed_as,
                           version ? ": target " + VersionName(*version) : ""),
                 {}, StrFormat("'shlo-compat consumers {}' lists the known versions", consumer.package));
}

Result<Version> VersionFor(const Consumer& consumer) {
  return Guarded([&]() -> Result<Version> {
    const auto release = ParseReleaseNumber(consumer.release);
    if (!release)
      return Error(Code::kUsage, StrFormat("invalid release '{}' of '{}' {}", consumer.release,
                                           consumer.package, consumer.version));
    if (*release > NumberOf(kCurrentVersion)) return kCurrentVersion;
    const Version version = VersionOfRelease(*release);
    if (!version.valid())
      return Error(Code::kUnknownVersion, StrFormat("release {} of '{}' {} is older than the first release",
                                                    consumer.release, consumer.package, consumer.version));
    return version;
  });
}

Result<NamedConsumer> ResolveConsumer(std::string_view text, std::span<const Consumer> consumers,
                                      Date today) {
  return Guarded([&] { return Resolve(text, consumers, today); });
}

Diagnostics ConsumerBlockers(const Module& module, const Consumer& consumer, const ConvertOptions& options) {
  return Guarded(options.limits, [&] {
    const auto find = [&](const Module& m) { return Finder(m, consumer, options, Looking::kRead).Run(); };
    Diagnostics found = find(module);
    SuggestDroppingHints(module, find, &found);
    return found;
  });
}

Diagnostics CompileWarnings(const Module& module, const Consumer& consumer, const ConvertOptions& options) {
  return Guarded(options.limits, [&] {
    Diagnostics found = UncompiledOps(module, consumer, options);
    Diagnostics types = Finder(module, consumer, options, Looking::kCompile).Run();
    std::ranges::move(types, std::back_inserter(found));
    return found;
  });
}

}  // namespace shlo
