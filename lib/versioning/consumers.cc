#include "shlo/consumers.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "ir/guarded.h"
#include "ir/module/node_versions.h"
#include "ir/table/release.h"
#include "shlo/op_table.h"

namespace shlo {
namespace {

struct Row {
  std::string_view package, version, release, dialects;
};
constexpr Row kRows[] = {
#define SHLO_CONSUMER(package, version, release, dialects) {package, version, release, dialects},
#include "schema/consumers.inc"
};

struct Alias {
  std::string_view name, package;
};
constexpr Alias kAliases[] = {
#define SHLO_CONSUMER_ALIAS(name, package) {name, package},
#include "schema/consumers.inc"
};

// StableHLO, and the dialects of MLIR that its programs mix in: every consumer has them.
constexpr std::string_view kCommonDialects[] = {"arith",  "builtin", "cf",  "complex", "func",
                                                "math",   "quant",   "scf", "shape",   "stablehlo",
                                                "tensor", "ub",      "vhlo"};

std::vector<std::string> Words(std::string_view text) {
  std::vector<std::string> words;
  while (!text.empty()) {
    const size_t end = std::min(text.find(' '), text.size());
    if (end) words.emplace_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return words;
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
  return fmt::format("{}", fmt::join(names, ", "));
}

Result<Consumer> Find(std::string_view requirement, std::span<const Consumer> consumers) {
  const size_t op = requirement.find_first_of("=<>!~ ");
  const std::string package = PackageName(requirement.substr(0, op));
  const auto known = [&](const Consumer& consumer) { return PackageName(consumer.package) == package; };
  if (std::ranges::none_of(consumers, known))
    return Error(Code::kUsage, fmt::format("unknown consumer '{}'", package), {},
                 "known: " + ListVersions(consumers, {}));
  std::string_view text = op == requirement.npos ? std::string_view() : requirement.substr(op);
  const std::string hint =
      fmt::format("write {}==VERSION; known: {}", package, ListVersions(consumers, package));
  std::vector<uint32_t> wanted;
  if (!text.starts_with("==") && !text.starts_with(">="))
    return Error(Code::kUsage, fmt::format("expected a version of '{}'", package), {}, hint);
  text.remove_prefix(2);
  if (!ParseNumbers(text, &wanted))
    return Error(Code::kUsage, fmt::format("invalid version '{}' of '{}'", text, package), {}, hint);
  const Consumer* before = nullptr;
  for (const Consumer& consumer : consumers) {
    std::vector<uint32_t> version;
    if (!known(consumer) || !ParseNumbers(consumer.version, &version)) continue;
    if (StartsWith(version, wanted)) return consumer;  // the oldest one
    if (version < wanted) before = &consumer;
  }
  if (!before)
    return Error(Code::kUsage,
                 fmt::format("'{}' {} is older than the versions that are known", package, text), {}, hint);
  Consumer found = *before;
  found.version = std::string(text);
  return found;
}

class Finder {
 public:
  Finder(const Module& module, const Consumer& consumer, const Source* source)
      : m_(module),
        consumer_(consumer),
        source_(source),
        nodes_(module, NodeVersions::Rows::kAll),
        missing_(nodes_.size()),
        seen_(nodes_.size()) {
    for (uint32_t i = 1; i < m_.types.size(); ++i) NoteType(TypeId(i));
    for (uint32_t i = 1; i < m_.attrs.size(); ++i)
      if (const auto opaque = m_.As<OpaqueAttr>(AttrId(i)); opaque && !Has(m_.strings[opaque->dialect]))
        missing_[nodes_.NodeOf(AttrId(i))] = true;
  }

  Diagnostics Run() {
    for (uint32_t i = 1; i < m_.ops.size(); ++i) {
      const OpId id(i);
      const Op& op = m_.ops[i];
      const std::string_view name = m_.NameOf(op);
      if (const std::string_view dialect = name.substr(0, name.find('.')); !Has(dialect))
        Report(id, fmt::format("dialect '{}'", dialect));
      for (const ValueId value : m_.OperandsOf(op)) Check(id, nodes_.NodeOf(m_.TypeOf(value)));
      for (uint32_t r = 0; r < op.results.count; ++r) Check(id, nodes_.NodeOf(m_.TypeOf(m_.ResultOf(op, r))));
      for (const AttrId attr : m_.InherentAttrsOf(op))
        if (attr) Check(id, nodes_.NodeOf(attr));
      for (const NamedAttr& attr : m_.DiscardableAttrsOf(op)) Check(id, nodes_.NodeOf(attr.value));
    }
    return std::move(found_);
  }

 private:
  bool Has(std::string_view dialect) const {
    return std::ranges::find(kCommonDialects, dialect) != std::end(kCommonDialects) ||
           std::ranges::find(consumer_.dialects, dialect) != consumer_.dialects.end();
  }

  void NoteType(TypeId type) {
    const TypeKind kind = m_.types.KindOf(type);
    const auto opaque = m_.As<OpaqueType>(type);
    const bool lacks =
        std::ranges::find(consumer_.lacks_types, RowOf(kind).mnemonic) != consumer_.lacks_types.end();
    if (lacks || (opaque && !Has(m_.strings[opaque->dialect]))) missing_[nodes_.NodeOf(type)] = true;
  }

  // Reports the first missing node inside of one that an op holds; each node is searched once.
  void Check(OpId op, uint32_t root) {
    if (seen_[root]) return;
    std::vector<uint32_t> stack{root};
    while (!stack.empty()) {
      const uint32_t node = stack.back();
      stack.pop_back();
      if (seen_[node]) continue;
      if (missing_[node]) Report(op, nodes_.Describe(node));
      seen_[node] = true;
      nodes_.VisitChildren(node, [&](uint32_t child) { stack.push_back(child); });
    }
  }

  void Report(OpId op, std::string_view missing) {
    Diagnostic d;
    d.code = Code::kBlocked;
    d.place = PlaceOf(m_, op, source_);
    d.op = std::string(m_.NameOf(m_.ops[op.v]));
    d.message = fmt::format("{} {} does not have {}", consumer_.package, consumer_.version, missing);
    found_.push_back(std::move(d));
  }

  const Module& m_;
  const Consumer& consumer_;
  const Source* const source_;
  NodeVersions nodes_;
  std::vector<bool> missing_, seen_;  // by node
  Diagnostics found_;
};

}  // namespace

std::vector<Consumer> KnownConsumers() {
  std::vector<Consumer> consumers;
  for (const Row& row : kRows)
    consumers.push_back({std::string(row.package),
                         std::string(row.version),
                         std::string(row.release),
                         Words(row.dialects),
                         {}});
  return consumers;
}

Result<Consumer> FindConsumer(std::string_view requirement, std::span<const Consumer> consumers) {
  return Guarded([&] { return Find(requirement, consumers); });
}

Result<Version> VersionFor(const Consumer& consumer) {
  return Guarded([&]() -> Result<Version> {
    const auto release = ParseReleaseNumber(consumer.release);
    if (!release)
      return Error(Code::kUsage, fmt::format("invalid release '{}' of '{}' {}", consumer.release,
                                             consumer.package, consumer.version));
    if (*release > NumberOf(kCurrentVersion)) return kCurrentVersion;
    const Version version = VersionOfRelease(*release);
    if (!version.valid())
      return Error(Code::kUnknownVersion, fmt::format("release {} of '{}' {} is older than the first release",
                                                      consumer.release, consumer.package, consumer.version));
    return version;
  });
}

Diagnostics ConsumerBlockers(const Module& module, const Consumer& consumer, const Source* source) {
  return Guarded([&] { return Finder(module, consumer, source).Run(); });
}

}  // namespace shlo
