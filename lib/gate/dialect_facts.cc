#include "gate/dialect_facts.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <set>

#include "base/format.h"
#include "base/try.h"
#include "dialect/patterns.h"
#include "dialect/words.h"
#include "ir/table/element_rows.h"
#include "shlo/text_reader.h"
#include "shlo/verify.h"

namespace shlo::gate {
namespace {

Version At(uint16_t number) { return Version{number}; }

class Adder {
 public:
  Adder(const Dialect& dialect, Facts& facts) : d_(dialect), facts_(facts) {}

  void Run() {
    for (const DialectVersion& version : d_.versions)
      facts_.Add(Section::kVersion, std::to_string(version.number),
                 StrFormat("{} {}", version.release.empty() ? "-" : version.release, version.stablehlo.n),
                 At(version.number), At(d_.newest()));
    for (const DialectKind& kind : d_.types) AddKind(kind, Section::kType, " type");
    for (const DialectKind& kind : d_.attributes) AddKind(kind, Section::kAttribute, " attribute");
    for (const DialectOp& op : d_.ops) AddOp(op);
    AddClasses();
  }

 private:
  // Adds a fact of a part, in the versions of both.
  void Add(Section section, std::string key, std::string value, const DialectInterval& a,
           const DialectInterval& b = {}) {
    const uint16_t since = std::max(a.since, b.since), until = std::min({a.until, b.until, d_.newest()});
    if (since <= until) facts_.Add(section, std::move(key), std::move(value), At(since), At(until));
  }

  void AddKind(const DialectKind& kind, Section section, const char* what) {
    const std::string name = kind.name + what;
    Add(section, name, "defined", kind.versions);
    Add(Section::kKindText, name, StrFormat("{}.{}", d_.name, kind.name), kind.versions);
    std::string fields;
    for (const DialectParameter& parameter : kind.parameters) {
      fields += StrFormat("{}{}: {}", fields.empty() ? "" : ", ", parameter.name,
                          WordOf(dialect::kParameters, parameter.kind));
      for (const DialectParameter::Case& c : parameter.cases)
        Add(Section::kCase, StrFormat("{} {} {}", kind.name, parameter.name, c.name), "defined",
            kind.versions, c.versions);
    }
    Add(Section::kFields, name, fields.empty() ? "none" : fields, kind.versions);
  }

  void AddOp(const DialectOp& op) {
    const auto name_at = [&](uint16_t version) { return d_.name + "." + op.NameAt(version); };
    for (const DialectName& name : op.names) {
      const std::string key = d_.name + "." + name.name;
      // The oldest name never changes.
      Add(Section::kOp, key, d_.name + "." + op.names.front().name, name.versions, op.versions);
      for (const DialectAttribute& attr : op.attributes) {
        const std::string of_attr = key + " " + attr.name;
        Add(Section::kAttr, of_attr, attr.kind.text, attr.versions, name.versions);
        Add(Section::kDefault, of_attr,
            !attr.default_value.empty() ? attr.default_value
            : attr.optional             ? "optional"
                                        : "required",
            attr.versions, name.versions);
      }
      for (const auto* const list : {&op.operands, &op.results})
        for (const DialectValue& value : *list) {
          Add(Section::kTypes, key + " " + value.name, value.type.text, value.versions, name.versions);
          patterns_.insert({value.type.text, &value.type});
        }
      for (const DialectRelation& relation : op.relations)
        Add(Section::kRelation,
            StrFormat("{} {} of {}", key, WordOf(dialect::kRelations, relation.kind),
                      fmt::join(relation.values, ", ")),
            "holds", relation.versions, name.versions);
    }
    // Lists of parts are one fact in each version.
    for (uint16_t v = op.versions.since; v <= std::min(op.versions.until, d_.newest()); ++v) {
      for (const bool results : {false, true}) {
        std::string text;
        for (const DialectValue& value : results ? op.results : op.operands)
          if (value.versions.Has(v))
            text += StrFormat("{}{}: {}", text.empty() ? "" : ", ", value.name,
                              WordOf(dialect::kArities, value.ArityAt(v)));
        facts_.Add(results ? Section::kResults : Section::kOperands, name_at(v), text.empty() ? "none" : text,
                   At(v), At(v));
      }
      std::string text;
      for (const DialectRegion& region : op.regions)
        if (region.versions.Has(v))
          text += StrFormat("{}{}: {}", text.empty() ? "" : ", ", region.name,
                            WordOf(dialect::kArities, region.arity));
      facts_.Add(Section::kRegions, name_at(v), text.empty() ? "none" : text, At(v), At(v));
    }
  }

  // Which types fit each pattern, as digits for each element type: what a pattern accepts counts, not how it
  // is written.
  void AddClasses() {
    Module m;
    std::vector<std::pair<std::string, TypeId>> elements;
    for (const ElementRow& row : kElementRows) elements.emplace_back(row.mnemonic, m.Type(row.kind));
    elements.emplace_back("complex<f32>", m.ComplexType(m.Type(TypeKind::kF32)));
    elements.emplace_back("complex<f64>", m.ComplexType(m.Type(TypeKind::kF64)));
    const TypeId token = m.Type(TypeKind::kToken);
    elements.emplace_back("token", token);
    elements.emplace_back("tuple", m.TupleType(std::span(&token, 1)));
    std::set<std::string> names;
    for (const DialectKind& kind : d_.types) names.insert(kind.name);
    for (const std::string& name : names)
      elements.emplace_back("!" + name, m.Make(OpaqueType{.dialect = m.strings.Intern(d_.name),
                                                          .text = m.strings.Intern("." + name)}));
    constexpr int64_t kShape[] = {2, kDynamic};
    for (const auto& [text, pattern] : patterns_) {
      std::string fits;
      for (const auto& [name, element] : elements) {
        fits += StrFormat("{}{}=", fits.empty() ? "" : " ", name);
        for (TypeId type : {element, m.TensorType({}, element),
                            m.TensorType(std::span(kShape).first(1), element), m.TensorType(kShape, element)})
          fits += dialect::Fits(m, d_, *pattern, type) ? '1' : '0';
      }
      facts_.Add(Section::kClass, text, fits, At(1), At(d_.newest()));
    }
  }

  const Dialect& d_;
  Facts& facts_;
  std::map<std::string, const TypePattern*> patterns_;
};

std::string ConvertedTo(const Module& module, const Dialect& dialect, uint16_t target) {
  const auto converted = ConvertDialect(module, dialect, target);
  if (!converted) return Failed(converted.error());
  return TextHash(converted->module, {.generic = true});
}

}  // namespace

Versions VersionsOf(const Dialect& dialect) {
  Versions out;
  for (const DialectVersion& row : dialect.versions)
    out.rows.push_back({At(row.number), dialect.VersionName(row.number),
                        row.release.empty() ? std::to_string(row.number) : row.release});
  return out;
}

void AddDialectFacts(const Dialect& dialect, Facts& facts) { Adder(dialect, facts).Run(); }

WitnessParts ReplayDialect(const Dialect& dialect, std::string_view text, const ReplayOptions& options) {
  WitnessParts parts;
  for (const Section part : kWitnessParts) parts[part] = kNoPart;
  Source source;
  const auto owner = std::make_shared<const std::string>(text);
  const auto module = ReadText(*owner, owner, {.limits = options.limits}, &source);
  if (!module) {
    parts[Section::kVerdict] = "unreadable";
    return parts;
  }
  Diagnostics found = Verify(*module, {.strictness = Strictness::kLenient, .limits = options.limits});
  if (!HasErrors(found)) found = VerifyDialect(*module, dialect, {.limits = options.limits});
  parts[Section::kVerdict] = VerdictOf(found);
  parts[Section::kGeneric] = TextHash(*module, {.generic = true});
  // Not the bytes: a program without a version of StableHLO has that of the tool.
  parts[Section::kShlo] = ShloOf(*module, source).ends_with(kNotReadable) ? "not readable" : "readable";
  if (HasErrors(found)) return parts;
  std::string targets;
  uint16_t lowest = 0;
  for (uint16_t v = 1; v <= options.newest.n && v <= dialect.newest(); ++v) {
    if (!DialectBlockers(*module, dialect, v, {.limits = options.limits}).empty()) continue;
    if (!lowest) lowest = v;
    targets += StrFormat("{}{}", targets.empty() ? "" : " ", v);
  }
  parts[Section::kLowest] = targets;
  if (lowest && lowest < options.version.n)
    parts[Section::kDowngrade] = ConvertedTo(*module, dialect, lowest);
  if (options.version < options.newest)
    parts[Section::kUpgrade] =
        StrFormat("{} {}", options.newest.n, ConvertedTo(*module, dialect, options.newest.n));
  return parts;
}

Result<DialectProgram> ProgramOf(const Dialect& dialect, const WitnessSource& source) {
  const auto module = SHLO_TRY(ReadText(source.text, nullptr));
  const auto version = SHLO_TRY(DialectVersionOf(module, dialect));
  DialectProgram out{"text", version};
  for (size_t i = 1; i < module.ops.size(); ++i) {
    const std::string_view name = module.NameOf(module.ops[i]);
    if (name.starts_with(dialect.name + ".")) out.subject = name;
  }
  return out;
}

}  // namespace shlo::gate
