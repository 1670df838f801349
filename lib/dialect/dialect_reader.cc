// Reads dialects from TOML.
#include <algorithm>

#include "base/format.h"
#include "base/guarded.h"
#include "base/nearest.h"
#include "dialect/patterns.h"
#include "dialect/toml_reader.h"
#include "dialect/words.h"
#include "ir/module/attr_names.h"
#include "serialize/text/reader_fragments.h"
#include "shlo/dialect.h"
#include "shlo/op_table.h"

namespace shlo {
namespace {

using dialect::IsName;
using dialect::kArities;
using dialect::kParameters;
using dialect::kRelations;

constexpr size_t kMaxVersions = 10'000;

class Reader : TomlReader {
 public:
  explicit Reader(std::string file) : TomlReader(file, "docs/dialect.md") { out_.file = std::move(file); }

  Result<Dialect> Run(std::string_view text) {
    const std::optional<toml::table> root = Parse(text);
    if (!root) return tl::unexpected(std::move(errors));
    if (!root->contains("dialect")) {  // another file, whose keys are nobody's business
      Fail(root->source(), "the file does not name its dialect", "write dialect = \"NAME\" first");
      return tl::unexpected(std::move(errors));
    }
    Keys(*root, {"dialect", "version", "op", "type", "attribute"});
    Name(*root);
    for (const toml::table* table : Tables(*root, "version")) Version(*table);
    if (out_.versions.empty())
      Fail(root->source(), "the dialect has no version", "write [[version]] and number = 1");
    for (const toml::table* table : Tables(*root, "type")) Kind(*table, "type", &out_.types);
    for (const toml::table* table : Tables(*root, "attribute")) Kind(*table, "attribute", &out_.attributes);
    for (const toml::table* table : Tables(*root, "op")) Op(*table);
    if (errors.empty()) CheckNames();
    if (!errors.empty()) return tl::unexpected(std::move(errors));
    return std::move(out_);
  }

 private:
  void Name(const toml::table& root) {
    if (!String(root, "dialect", &out_.name)) return;
    const toml::source_region& at = root.get("dialect")->source();
    if (!IsName(out_.name, false)) Fail(at, StrFormat("invalid dialect name '{}'", out_.name));
    for (const OpRow& row : OpRows())
      if (row.name.substr(0, row.name.find('.')) == out_.name)
        return Fail(at, StrFormat("'{}' is a dialect that shlo-compat has", out_.name),
                    "choose another name");
  }

  std::optional<int64_t> Integer(const toml::table& table, std::string_view key, int64_t least,
                                 int64_t most) {
    const toml::node* node = table.get(key);
    if (!node) return std::nullopt;
    const auto value = node->value_exact<int64_t>();
    if (value && *value >= least && *value <= most) return value;
    Fail(node->source(), StrFormat("'{}' is not a number from {} to {}", key, least, most));
    return std::nullopt;
  }

  void Version(const toml::table& table) {
    Keys(table, {"number", "release", "stablehlo"});
    DialectVersion version;
    version.number = uint16_t(out_.versions.size() + 1);
    const auto number = Integer(table, "number", 1, kMaxVersions);
    if (!number || *number != version.number)
      Fail(table.source(), StrFormat("expected version number {}", version.number),
           "versions are numbered from 1, without gaps");
    String(table, "release", &version.release);
    if (std::string text; String(table, "stablehlo", &text)) {
      const auto stablehlo = ParseVersion(text);
      if (!stablehlo)
        Fail(table.get("stablehlo")->source(), stablehlo.error());
      else
        version.stablehlo = *stablehlo;
    }
    if (!out_.versions.empty() && !table.contains("stablehlo"))
      version.stablehlo = out_.versions.back().stablehlo;
    else if (!out_.versions.empty() && version.stablehlo < out_.versions.back().stablehlo)
      Fail(table.source(), "a version has an older release of StableHLO than the one before it");
    for (const DialectVersion& other : out_.versions)
      if (!version.release.empty() && other.release == version.release)
        Fail(table.source(), StrFormat("release '{}' names two versions", version.release));
    if (out_.versions.size() < kMaxVersions) out_.versions.push_back(std::move(version));
  }

  // Reads 'since' and 'until'. They are within `around`.
  DialectInterval Interval(const toml::table& table, const DialectInterval& around) {
    DialectInterval interval = around;
    const int64_t newest = std::max<int64_t>(out_.newest(), 1);
    if (const auto since = Integer(table, "since", 1, newest)) interval.since = uint16_t(*since);
    if (const auto until = Integer(table, "until", 1, newest)) interval.until = uint16_t(*until);
    if (interval.since > interval.until)
      Fail(table.source(),
           StrFormat("it ends at version {}, before it begins at {}", interval.until, interval.since));
    else if (interval.since < around.since || interval.until > around.until)
      Fail(table.source(), "it exists in versions without the thing it belongs to");
    return interval;
  }

  // Reads 'name' of a part. `what` is for messages.
  std::string PartName(const toml::table& table, std::string_view what, bool dots = false) {
    std::string name;
    if (!String(table, "name", &name)) {
      if (!table.contains("name")) Fail(table.source(), StrFormat("{} has no 'name'", what));
    } else if (!IsName(name, dots)) {
      Fail(table.get("name")->source(), StrFormat("invalid name '{}' of {}", name, what));
    }
    return name;
  }

  template <typename Word, size_t kCount>
  const Word* Choose(const toml::table& table, std::string_view key, const Word (&words)[kCount]) {
    std::string text;
    if (!String(table, key, &text)) return nullptr;
    Nearest nearest(text);
    for (const Word& word : words) {
      if (word.word == text) return &word;
      nearest.Try(word.word);
    }
    std::string list;
    for (const Word& word : words) list += StrFormat("{}{}", list.empty() ? "" : ", ", word.word);
    Fail(table.get(key)->source(), StrFormat("unknown value '{}' of '{}'", text, key),
         DidYouMean(nearest.best(), "write one of: " + list));
    return nullptr;
  }

  void Kind(const toml::table& table, std::string_view what, std::vector<DialectKind>* out) {
    Keys(table, {"name", "since", "until", "parameters"});
    DialectKind kind;
    kind.line = table.source().begin.line;
    kind.versions = Interval(table, {});
    kind.name = PartName(table, StrFormat("a [[{}]]", what));
    for (const toml::table* item : Tables(table, "parameters")) {
      Keys(*item, {"name", "kind", "cases"});
      DialectParameter& parameter = kind.parameters.emplace_back();
      parameter.name = PartName(*item, "a parameter");
      if (const auto* const word = Choose(*item, "kind", kParameters)) parameter.kind = word->value;
      if (!item->contains("kind")) Fail(item->source(), "a parameter has no 'kind'");
      for (const toml::table* c : Tables(*item, "cases")) {
        Keys(*c, {"name", "since", "until"});
        parameter.cases.push_back({PartName(*c, "a case"), Interval(*c, kind.versions)});
      }
      if ((parameter.kind == DialectParameter::Kind::kCase) == parameter.cases.empty())
        Fail(item->source(), "'cases' belong to parameters of kind \"case\"");
    }
    out->push_back(std::move(kind));
  }

  void Op(const toml::table& table) {
    Keys(table,
         {"name", "formerly", "since", "until", "operands", "results", "attributes", "regions", "same"});
    DialectOp op;
    op.line = table.source().begin.line;
    op.versions = Interval(table, {});
    Names(table, &op);
    for (const toml::table* item : Tables(table, "operands")) Value(*item, "an operand", op, &op.operands);
    for (const toml::table* item : Tables(table, "results")) Value(*item, "a result", op, &op.results);
    for (const toml::table* item : Tables(table, "attributes")) Attribute(*item, &op);
    for (const toml::table* item : Tables(table, "regions")) Region(*item, &op);
    for (const toml::table* item : Tables(table, "same")) Relation(*item, &op);
    out_.ops.push_back(std::move(op));
  }

  void Names(const toml::table& table, DialectOp* op) {
    uint32_t since = op->versions.since;
    for (const toml::table* item : Tables(table, "formerly")) {
      Keys(*item, {"name", "until"});
      DialectName name{PartName(*item, "a former name", true), {uint16_t(since), uint16_t(since)}};
      const auto until = Integer(*item, "until", since, std::max<int64_t>(out_.newest() - 1, since));
      if (!until) {
        if (!item->contains("until")) Fail(item->source(), "a former name has no 'until'");
        continue;
      }
      name.versions.until = uint16_t(*until);
      since = uint32_t(*until) + 1;
      op->names.push_back(std::move(name));
    }
    op->names.push_back({PartName(table, "an [[op]]", true), {uint16_t(since), op->versions.until}});
    if (since > op->versions.until)
      Fail(table.source(), "a former name ends when the op does", "the last name is the op's own");
  }

  void Value(const toml::table& table, std::string_view what, const DialectOp& op,
             std::vector<DialectValue>* out) {
    Keys(table, {"name", "type", "arity", "list-since", "since", "until"});
    DialectValue value;
    value.name = PartName(table, what);
    value.versions = Interval(table, op.versions);
    std::vector<std::string> types;
    Strings(table, "type", &types);
    if (types.empty()) types.emplace_back("any");
    if (auto pattern = dialect::ParseTypePattern(types))
      value.type = std::move(*pattern);
    else
      Fail(table.get("type")->source(), pattern.error(), "docs/dialect.md describes types");
    if (const auto* const word = Choose(table, "arity", kArities)) value.arity = word->value;
    if (const auto since = Integer(table, "list-since", value.versions.since + 1, out_.newest())) {
      value.list_since = uint16_t(*since);
      if (value.arity != Arity::kList)
        Fail(table.source(), "'list-since' belongs to a list", "add arity = \"list\"");
    }
    // Programs of those versions have none.
    const bool changes = value.versions.since > op.versions.since || value.versions.until < op.versions.until;
    if (changes && (value.arity == Arity::kOne || value.list_since))
      Fail(table.source(), StrFormat("{} that some versions lack must be optional or a list", what),
           "add arity = \"optional\"");
    out->push_back(std::move(value));
  }

  void Attribute(const toml::table& table, DialectOp* op) {
    Keys(table, {"name", "kind", "default", "optional", "since", "until"});
    DialectAttribute attr;
    attr.name = PartName(table, "an attribute");
    attr.versions = Interval(table, op->versions);
    std::string kind = "any";
    String(table, "kind", &kind);
    if (auto pattern = dialect::ParseAttributePattern(kind))
      attr.kind = std::move(*pattern);
    else
      Fail(table.get("kind")->source(), pattern.error(), "docs/dialect.md describes kinds of attributes");
    Boolean(table, "optional", &attr.optional);
    if (String(table, "default", &attr.default_value)) {
      Module scratch;
      const auto value = ReadAttrText(&scratch, attr.default_value, nullptr);
      if (!value)
        Fail(table.get("default")->source(),
             StrFormat("'default' is not an attribute: {}", value.error()[0].message),
             "write it as MLIR does: default = \"1 : i64\"");
      else if (errors.empty() && !dialect::Fits(scratch, out_, attr.kind, *value))
        Fail(table.get("default")->source(), StrFormat("'default' is not of kind '{}'", attr.kind.text));
      if (attr.optional)
        Fail(table.source(), "an attribute with a default is not optional",
             "absent means the default: delete 'optional'");
    }
    if (IsSegmentSizes(attr.name))
      Fail(table.source(), StrFormat("'{}' follows from the operands and results", attr.name));
    const bool changes = attr.versions.since > op->versions.since || attr.versions.until < op->versions.until;
    if (changes && attr.default_value.empty() && !attr.optional)
      Fail(table.source(), "an attribute that some versions lack must have a default or be optional",
           "add default = \"...\"");
    op->attributes.push_back(std::move(attr));
  }

  void Region(const toml::table& table, DialectOp* op) {
    Keys(table, {"name", "arity", "since", "until"});
    DialectRegion region;
    region.name = PartName(table, "a region");
    region.versions = Interval(table, op->versions);
    if (const auto* const word = Choose(table, "arity", kArities)) region.arity = word->value;
    if (region.arity == Arity::kOptional)
      Fail(table.source(), "a region is one or a list", "write arity = \"list\"");
    if (!op->regions.empty() && op->regions.back().arity == Arity::kList)
      Fail(table.source(), "a region follows a list of regions", "the list is the last one");
    const bool changes =
        region.versions.since > op->versions.since || region.versions.until < op->versions.until;
    if (changes && region.arity == Arity::kOne)
      Fail(table.source(), "a region that some versions lack must be a list", "add arity = \"list\"");
    op->regions.push_back(std::move(region));
  }

  void Relation(const toml::table& table, DialectOp* op) {
    Keys(table, {"of", "what", "since", "until"});
    DialectRelation relation;
    relation.versions = Interval(table, op->versions);
    Strings(table, "of", &relation.values);
    if (const auto* const word = Choose(table, "what", kRelations)) relation.kind = word->value;
    if (relation.values.size() < 2) Fail(table.source(), "'of' names less than two operands or results");
    for (const std::string& name : relation.values) {
      Nearest nearest(name);
      bool found = false;
      for (const auto* const list : {&op->operands, &op->results})
        for (const DialectValue& value : *list) {
          found = found || value.name == name;
          nearest.Try(value.name);
        }
      if (!found)
        Fail(table.source(), StrFormat("there is no operand or result '{}'", name),
             DidYouMean(nearest.best()));
    }
    op->relations.push_back(std::move(relation));
  }

  // --- Names that stand for one thing in each version -------------------------------------------------

  struct Named {
    std::string name;
    DialectInterval versions;
    uint32_t line;
  };
  template <typename Item>
  static void Append(const std::vector<Item>& items, uint32_t line, std::vector<Named>* out) {
    for (const Item& item : items) out->push_back({item.name, item.versions, line});
  }

  void FailAtLine(uint32_t line, std::string message, std::string hint = {}) {
    toml::source_region at;
    at.begin.line = line;
    at.begin.column = 1;
    Fail(at, std::move(message), std::move(hint));
  }

  void CheckDistinct(std::vector<Named> items, std::string_view what) {
    std::ranges::stable_sort(items, {}, [](const Named& i) { return std::pair(i.name, i.versions.since); });
    for (size_t i = 1; i < items.size(); ++i)
      if (items[i - 1].name == items[i].name && items[i].versions.since <= items[i - 1].versions.until)
        FailAtLine(items[i].line, StrFormat("{} '{}' is defined twice in one version", what, items[i].name));
  }

  void CheckKinds(const std::vector<DialectKind>& kinds, std::string_view what) {
    std::vector<Named> names;
    for (const DialectKind& kind : kinds) {
      names.push_back({kind.name, kind.versions, kind.line});
      for (const DialectParameter& parameter : kind.parameters) {
        std::vector<Named> cases;
        Append(parameter.cases, kind.line, &cases);
        CheckDistinct(std::move(cases), "case");
      }
    }
    CheckDistinct(std::move(names), what);
  }

  void CheckNames() {
    CheckKinds(out_.types, "type");
    CheckKinds(out_.attributes, "attribute");
    std::vector<Named> names;
    for (const DialectOp& op : out_.ops) {
      Append(op.names, op.line, &names);
      std::vector<Named> values, attributes, regions;
      Append(op.operands, op.line, &values);
      Append(op.results, op.line, &values);
      Append(op.attributes, op.line, &attributes);
      Append(op.regions, op.line, &regions);
      CheckDistinct(std::move(values), "operand or result");
      CheckDistinct(std::move(attributes), "attribute");
      CheckDistinct(std::move(regions), "region");
    }
    CheckDistinct(std::move(names), "op");
    CheckOwn();
  }

  // Patterns name types and attributes that exist.
  void CheckOwn() {
    const auto check = [&](const std::vector<DialectKind>& kinds, std::string_view name, uint32_t line,
                           char sigil) {
      Nearest nearest(name);
      for (const DialectKind& kind : kinds) {
        if (kind.name == name) return;
        nearest.Try(kind.name);
      }
      FailAtLine(line, StrFormat("there is no {} '{}{}'", sigil == '!' ? "type" : "attribute", sigil, name),
                 DidYouMean(nearest.best()));
    };
    for (const DialectOp& op : out_.ops) {
      for (const auto* const list : {&op.operands, &op.results})
        for (const DialectValue& value : *list)
          for (const TypePattern::Alternative& one : value.type.alternatives) {
            if (!one.own.empty()) check(out_.types, one.own, op.line, '!');
            for (const std::string& word : one.elements)
              if (word.starts_with('!')) check(out_.types, std::string_view(word).substr(1), op.line, '!');
          }
      for (const DialectAttribute& attr : op.attributes)
        if (attr.kind.kind == AttributePattern::Kind::kOwn)
          check(out_.attributes, attr.kind.name, op.line, '#');
    }
  }

  Dialect out_;
};

}  // namespace

Result<Dialect> ParseDialect(std::string_view toml, std::string file) {
  return Guarded([&] { return Reader(file).Run(toml); }, file);
}

}  // namespace shlo
