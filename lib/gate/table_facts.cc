// Facts of the tables: versions, ops, kinds, steps, and the classes of types.
#include <fmt/ranges.h>

#include <array>

#include "base/format.h"
#include "gate/facts.h"
#include "ir/table/attr_class.h"
#include "ir/table/constraints.h"
#include "ir/table/trait.h"
#include "ir/table/type_class.h"
#include "ir/verify/type_class.h"
#include "shlo/kinds.h"
#include "shlo/op_table.h"
#include "shlo/text_reader.h"
#include "shlo/types.h"
#include "shlo/window.h"
#include "versioning/steps.h"

namespace shlo::gate {
namespace {

// --- Versions -------------------------------------------------------------------------------------------

// Whether a window of a certain age holds a version, and one that is a day shorter does not.
std::string WindowVerdict(Version from, Version to, int64_t age) {
  const auto holds = [&](int64_t days) {
    return CheckCompatibilityWindow(from, to, {days, days}).has_value() ? "inside" : "outside";
  };
  return StrFormat("{}, {} a day less", holds(age), holds(age - 1));
}

void AddVersions(Facts& facts) {
  Date newest;
  for (const VersionRow& row : VersionLine())
    if (!row.date_is_bound) newest = row.date;
  for (const VersionRow& row : VersionLine()) {
    const std::string n = StrFormat("{}", row.version.n);
    const auto add = [&](Section section, const std::string& key, std::string value) {
      facts.Add(section, key, std::move(value), row.version, kCurrentVersion);
    };
    add(Section::kVersion, n, row.release.empty() ? "prototype" : std::string(row.release));
    add(Section::kFormat, n, StrFormat("{}", row.bytecode_format));
    add(Section::kDate, n, ReleaseDateString(row));
    const int64_t age = DaysFromDate(newest) - DaysFromDate(row.date);
    add(Section::kWindow, n + " backward", WindowVerdict(row.version, kCurrentVersion, age));
    if (row.version < kCurrentVersion)
      add(Section::kWindow, n + " forward", WindowVerdict(kCurrentVersion, row.version, age));
  }
  const CompatibilityWindow window;
  const auto all = [&](const char* key, std::string value) {
    facts.Add(Section::kWindow, key, std::move(value), kMinimumVersion, kCurrentVersion);
  };
  all("backward", Count(uint64_t(window.backward_days), "day"));
  all("forward", Count(uint64_t(window.forward_days), "day"));
  for (const char* text :
       {"backward=2y,forward=3w", "forward=5m", "backward=7d", "backward=7", "forward=w"}) {
    const auto parsed = ParseCompatibilityWindow(text);
    all(text, parsed ? StrFormat("{} and {} days", parsed->backward_days, parsed->forward_days) : "invalid");
  }
}

constexpr unsigned kNumTypeClasses = 0
#define SHLO_TYPE_CLASS(...) +1
#include "schema/type_classes.inc"
    ;

// --- Classes of types -----------------------------------------------------------------------------------

// Types that every class is asked about. Append-only: frozen values have a digit for each.
constexpr std::array kProbes = {"i1",
                                "i4",
                                "i32",
                                "ui8",
                                "si32",
                                "index",
                                "f32",
                                "f8E4M3FN",
                                "tf32",
                                "complex<f32>",
                                "none",
                                "i3",
                                "tensor<i1>",
                                "tensor<2xi1>",
                                "tensor<2xi2>",
                                "tensor<2xi4>",
                                "tensor<2xi32>",
                                "tensor<i32>",
                                "tensor<2xui8>",
                                "tensor<2xui32>",
                                "tensor<ui32>",
                                "tensor<2xsi32>",
                                "tensor<2xi64>",
                                "tensor<i64>",
                                "tensor<2xui64>",
                                "tensor<2xf32>",
                                "tensor<f32>",
                                "tensor<2xf64>",
                                "tensor<2xbf16>",
                                "tensor<2xf8E5M2>",
                                "tensor<2xf4E2M1FN>",
                                "tensor<2xf8E8M0FNU>",
                                "tensor<2xtf32>",
                                "tensor<2xcomplex<f32>>",
                                "tensor<2xcomplex<f64>>",
                                "tensor<2xindex>",
                                "tensor<index>",
                                "tensor<?xindex>",
                                "tensor<?xf32>",
                                "tensor<?xi64>",
                                "tensor<2x3xf32>",
                                "tensor<2x3xi64>",
                                "tensor<2x?xi32>",
                                "tensor<*xf32>",
                                "tensor<*xi1>",
                                "tensor<?xf32, #stablehlo.bounds<4>>",
                                "tensor<2x!quant.uniform<i8:f32, 2.0:1>>",
                                "tensor<2x!quant.uniform<i8:f32:0, {2.0:1, 3.0:2}>>",
                                "tensor<2xi3>",
                                "memref<2xf32>",
                                "memref<*xf32>",
                                "vector<2xf32>",
                                "vector<2xi1>",
                                "vector<2xindex>",
                                "vector<2xi32>",
                                "tuple<tensor<2xf32>>",
                                "tuple<>",
                                "!stablehlo.token",
                                "!stablehlo.future<tensor<2xf32>>",
                                "!shape.witness",
                                "!shape.shape",
                                "!shape.size",
                                "!shape.value_shape",
                                "!ml_program.token",
                                "(i32) -> i32",
                                "tensor<2x!stablehlo.token>",
                                "tensor<4xi32>",
                                "tensor<0xf32>",
                                "tensor<2xui2>",
                                "tensor<2xf16>"};

std::string ProbeText(const char* type) { return StrFormat("\"gate.probe\"() : () -> {}\n", type); }

void AddClasses(Facts& facts) {
  std::string text;
  std::array<bool, kProbes.size()> readable{};
  for (size_t i = 0; i < kProbes.size(); ++i) {
    readable[i] = ReadText(ProbeText(kProbes[i]), nullptr).has_value();
    if (readable[i]) text += ProbeText(kProbes[i]);
  }
  const auto module = ReadText(text, nullptr);
  if (!module) return;
  std::vector<TypeId> types;
  for (uint32_t i = 1; i < module->ops.size(); ++i)
    if (module->NumResults(module->ops[i]) == 1)
      types.push_back(module->TypeOf(module->ResultOf(module->ops[i], 0)));
  const TypeClasses classes(*module);
  for (unsigned c = 0; c < kNumTypeClasses; ++c) {
    std::string digits;
    size_t next = 0;
    for (const bool known : readable)
      digits += !known || next >= types.size() ? '-' : classes.Fits(types[next++], TypeClass(c)) ? '1' : '0';
    facts.Add(Section::kClass, TypeClassName(TypeClass(c)), digits, kMinimumVersion, kCurrentVersion);
  }
}

// --- Ops ------------------------------------------------------------------------------------------------

std::string NamesOf(std::span<const Cell> cells) {
  std::string out;
  for (const Cell& cell : cells) {
    out += StrFormat("{}{}{}", out.empty() ? "" : ", ", cell.name, cell.variadic ? "..." : "");
    if (cell.tag == CellTag::kRegion && !cell.one_block()) out += " of any blocks";
  }
  return out.empty() ? "none" : out;
}

std::string KindOfAttr(const Cell& cell) {
  std::string out(AttrClassName(cell.attr_class()));
  if (cell.attr_kind() != AttrKind::kInvalid) out += StrFormat(" {}", RowOf(cell.attr_kind()).name);
  return out;
}

std::string ChangesOf(const Step& step) {
  const auto name = [](RevisionId id) { return VhloName(id).empty() ? RowOf(id).name : VhloName(id); };
  const auto slots = [](const std::array<int8_t, Step::kMaxSlots>& from, size_t count) {
    std::string out;
    for (size_t i = 0; i < count; ++i) out += StrFormat(" {}", from[i]);
    return out;
  };
  return StrFormat("{} to {}: {}, up{}, down{}", name(step.from), name(step.to), unsigned(step.changes),
                   slots(step.up_attrs, RevisionOf(step.to).attrs.size()),
                   slots(step.down_attrs, RevisionOf(step.from).attrs.size()));
}

void AddRevision(Facts& facts, RevisionId id) {
  const OpRevision& revision = RevisionOf(id);
  const OpRow& row = RowOf(id);
  const std::string op(row.name);
  const auto add = [&](Section section, std::string key, std::string value) {
    facts.Add(section, std::move(key), std::move(value), revision.since, revision.until);
  };
  add(Section::kOp, op, StrFormat("{}", row.wire_id));
  add(Section::kForm, op, std::string(AssemblyFormatOf(row.form)));
  std::string traits = row.terminator ? StrFormat("ends with {}", RowOf(row.terminator).name) : "";
  for (unsigned t = 0; !TraitName(Trait(t)).empty(); ++t) {
    if (!row.Has(Trait(t))) continue;
    bool relation = false;
    for (uint8_t i = 0; i < row.num_relations; ++i) relation = relation || row.relations[i] == Trait(t);
    if (relation)
      add(Section::kRelation, StrFormat("{} {}", op, TraitName(Trait(t))), "yes");
    else
      traits += StrFormat("{}{}", traits.empty() ? "" : ", ", TraitName(Trait(t)));
  }
  add(Section::kTraits, op, traits.empty() ? "none" : traits);
  if (const auto vhlo = VhloName(id); !vhlo.empty()) add(Section::kVhlo, op, std::string(vhlo));
  add(Section::kOperands, op, NamesOf(revision.operands));
  add(Section::kResults, op, NamesOf(revision.results));
  add(Section::kRegions, op, NamesOf(revision.regions));
  for (const auto cells : {revision.operands, revision.results})
    for (const Cell& cell : cells)
      add(Section::kTypes,
          StrFormat("{} {} {}", op, cell.tag == CellTag::kOperand ? "operand" : "result", cell.name),
          TypeClassName(cell.type_class()));
  std::string order;
  for (const Cell& cell : revision.attrs) {
    const std::string key = StrFormat("{} {}", op, cell.name);
    add(Section::kAttr, key, KindOfAttr(cell));
    add(Section::kDefault, key,
        StrFormat("{}{}", DefaultName(cell.attr_default()), cell.filled() ? ", written" : ""));
    add(Section::kConfined, key, StrFormat("{}", unsigned(cell.confined())));
    order += StrFormat("{}{}", order.empty() ? "" : " ", cell.name);
  }
  if (!order.empty()) add(Section::kAttrOrder, op, order);
  for (const Cell& cell : revision.struct_attrs)
    add(Section::kStruct, StrFormat("{} {}", op, cell.name), std::string(RowOf(cell.attr_kind()).name));
  for (const Cell& cell : revision.conditions)
    if (const Version last = std::min(Version{cell.x}, revision.until); revision.since <= last)
      facts.Add(Section::kCondition, StrFormat("{} {}", op, CondName(Cond(cell.a))), "yes", revision.since,
                last);
}

// Where consumers, which are built on the reference, enforce a constraint.
EnforcedBy ByConsumers(EnforcedBy enforced) {
  const bool beyond = uint8_t(enforced) & uint8_t(EnforcedBy::kBeyond);
  const auto others = EnforcedBy(uint8_t(enforced) & ~uint8_t(EnforcedBy::kBeyond));
  return beyond ? others | EnforcedBy::kUnchecked : others;
}

void AddOps(Facts& facts) {
  for (uint16_t r = 1; r < OpRows().size(); ++r) {
    const OpRow& row = OpRows()[r];
    facts.Add(Section::kOpId, StrFormat("{}", row.wire_id), std::string(row.name), kMinimumVersion,
              kCurrentVersion);
    for (uint16_t i = 0; i < row.num_revisions; ++i)
      AddRevision(facts, RevisionId{uint16_t(row.first_revision + i)});
    const Version since = RevisionOf(RevisionId{row.first_revision}).since,
                  until = RevisionOf(NewestRevision(RowId{r})).until;
    for (const Constraint& constraint : ConstraintsOf(RowId{r}))
      facts.Add(Section::kConstraint, StrFormat("{} {}", row.name, constraint.label()),
                StrFormat("{}", fmt::join(EnforcementNames(ByConsumers(constraint.enforced)), ", ")), since,
                until);
  }
  for (const Step& step : Steps())
    facts.Add(Section::kStep, StrFormat("{} {}", RowOf(step.to).name, step.boundary.n), ChangesOf(step),
              step.boundary, kCurrentVersion);
}

// --- Kinds ----------------------------------------------------------------------------------------------

std::string FieldsOf(const KindRow& row) {
  constexpr std::string_view kTypes[] = {"int",           "float",   "string", "type",   "attr",
                                         "optional attr", "payload", "ints",   "floats", "strings",
                                         "types",         "attrs",   "entries"};
  std::string out;
  for (const FieldRow& field : row.fields())
    out += StrFormat("{}{} {}", out.empty() ? "" : ", ", kTypes[size_t(field.type)], field.name);
  return StrFormat("{}; class {}, {} bits{}", out, unsigned(row.kind_class), row.width,
                   row.quantized_storage ? ", may be stored" : "");
}

void AddKind(Facts& facts, const KindRow& row, Section section, Section ids) {
  const std::string name = StrFormat("{}{}", row.name, section == Section::kType ? " type" : " attribute");
  const auto add = [&](Section s, const std::string& key, std::string value) {
    facts.Add(s, key, std::move(value), row.since, row.until);
  };
  add(section, name, StrFormat("{}", row.id));
  facts.Add(ids, StrFormat("{}", row.id), std::string(row.name), kMinimumVersion, kCurrentVersion);
  std::string text = StrFormat("{}.{}", row.dialect, row.mnemonic);
  for (const FieldRow& field : row.fields())
    if (field.text != field.name) text += StrFormat(" {}: {}", field.name, field.text);
  add(Section::kKindText, name, text);
  add(Section::kKindVhlo, name, std::string(row.vhlo));
  add(Section::kFields, name, FieldsOf(row));
}

void AddKinds(Facts& facts) {
  for (const KindRow& row : TypeKinds())
    if (row.id) AddKind(facts, row, Section::kType, Section::kTypeId);
  for (const KindRow& row : AttrKinds()) {
    if (!row.id) continue;
    AddKind(facts, row, Section::kAttribute, Section::kAttributeId);
    for (const EnumCase& c : CasesOf(AttrKind(row.id))) {
      facts.Add(Section::kCase, StrFormat("{} {}", row.name, c.name), StrFormat("{}", c.value), c.since,
                c.until);
      facts.Add(Section::kCaseId, StrFormat("{} {}", row.name, c.value), std::string(c.name), kMinimumVersion,
                kCurrentVersion);
    }
  }
}

}  // namespace

void AddTableFacts(Facts& facts) {
  AddVersions(facts);
  AddClasses(facts);
  AddOps(facts);
  AddKinds(facts);
}

}  // namespace shlo::gate
