// Turns the words of a row into the cells of its revisions, and checks the row. Changes of later revisions
// are applied to the previous one; cells of a revision are sorted into operands, attributes, struct
// attributes, results, regions, conditions.
#pragma once

#include "ir/table/inference.h"
#include "ir/table/newest_version.h"
#include "ir/table/op_cells.h"

namespace shlo::table {

// --- Facts from other tables ----------------------------------------------------------------------------

constexpr bool MayHave(AttrClass c, Default d) {
  using namespace words;
  constexpr auto bits = [](auto... defaults) {
    return (uint64_t(0) | ... | (uint64_t(1) << unsigned(Default(defaults))));
  };
  constexpr uint64_t kMay[] = {
#define SHLO_ATTR_CLASS(name, text, is, words, ...) bits(__VA_ARGS__),
#include "schema/attr_classes.inc"
  };
  return !IsValue(d) || kMay[size_t(c)] >> unsigned(d) & 1;
}

constexpr bool Infers(Rule rule) {
  constexpr bool kInfers[] = {
      false,
#define SHLO_RULE(name, invariant, verify, infer) std::string_view(#infer) != "None",
#include "schema/rules.inc"
  };
  return kInfers[size_t(rule)];
}

constexpr bool HasCases(AttrKind kind) {
  using enum AttrKind;
  constexpr AttrKind kWithCases[] = {
#define SHLO_CASE(kind, ...) kind,
#include "schema/enums.inc"
  };
  for (AttrKind with : kWithCases)
    if (with == kind) return true;
  return false;
}

// The names of the fields of attribute kinds, in the order of kinds.inc.
struct KindFields {
  AttrKind kind{};
  const char* names[12] = {};
};
namespace fields {
constexpr KindFields kKinds[] = {
#define SHLO_FIELD(name, type) #name,
#define SHLO_ATTR(id, name, View, dialect, mnemonic, vhlo, interval, ...) {AttrKind::name, {__VA_ARGS__}},
#include "schema/kinds.inc"
};
}  // namespace fields
constexpr const KindFields* FieldsOf(AttrKind kind) {
  for (const KindFields& row : fields::kKinds)
    if (row.kind == kind) return row.names[0] ? &row : nullptr;
  return nullptr;
}

// --- Revisions ------------------------------------------------------------------------------------------

constexpr bool IsIdentifier(std::string_view name) {
  for (char c : name)
    if (!(c == '_' || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9')))
      return false;
  return !name.empty() && !(name[0] >= '0' && name[0] <= '9');
}

// The order of cells in a revision.
constexpr int OrderOf(CellTag tag) {
  switch (tag) {
    case CellTag::kOperand:
      return 1;
    case CellTag::kAttr:
      return 2;
    case CellTag::kStructAttr:
      return 3;
    case CellTag::kResult:
      return 4;
    case CellTag::kRegion:
      return 5;
    case CellTag::kCond:
      return 6;
    case CellTag::kInfer:
      return 7;
    default:
      return 0;
  }
}

// The cells of a row while it is built.
struct Expansion {
  Cell* cells;
  size_t count = 0;
  size_t revision = 0;  // index of the first cell of the newest revision

  constexpr void InsertAt(size_t at, const Cell& cell) {
    for (size_t i = count; i > at; --i) cells[i] = cells[i - 1];
    cells[at] = cell;
    ++count;
  }
  constexpr void Insert(const Cell& cell) {
    size_t at = count;
    while (at > revision && OrderOf(cells[at - 1].tag) > OrderOf(cell.tag)) --at;
    InsertAt(at, cell);
  }
  // Finds a cell of the newest revision by name and one of two tags; returns count if there is none.
  constexpr size_t Find(std::string_view name, CellTag tag, CellTag or_tag) const {
    for (size_t i = revision; i < count; ++i)
      if (cells[i].name == name && (cells[i].tag == tag || cells[i].tag == or_tag)) return i;
    return count;
  }
  constexpr size_t Count(CellTag tag, bool variadic_only = false) const {
    size_t n = 0;
    for (size_t i = revision; i < count; ++i)
      n += cells[i].tag == tag && (!variadic_only || cells[i].variadic);
    return n;
  }
  constexpr const Cell* Attr(std::string_view name) const {
    const size_t i = Find(name, CellTag::kAttr, CellTag::kAttr);
    return i == count ? nullptr : &cells[i];
  }
};

constexpr Mistake Apply(const Word& word, Expansion* out) {
  const Cell& cell = word.cell;
  switch (word.edit) {
    case Edit::kAdd:
    case Edit::kAddAfter: {
      if (cell.tag == CellTag::kOperand || cell.tag == CellTag::kResult) return Mistake::kAddedValue;
      if (cell.tag == CellTag::kRegion && !cell.variadic) return Mistake::kAddedRegion;
      if (cell.tag == CellTag::kAttr && cell.required()) return Mistake::kAddedDefault;
      if (word.edit == Edit::kAdd) {
        out->Insert(cell);
        return Mistake::kFine;
      }
      const size_t after = out->Find(word.target, cell.tag, cell.tag);
      if (after == out->count) return Mistake::kNoTarget;
      out->InsertAt(after + 1, cell);
      return Mistake::kFine;
    }
    case Edit::kDrop: {
      size_t at = out->Find(word.target, CellTag::kAttr, CellTag::kStructAttr);
      if (at == out->count) {
        at = out->Find(word.target, CellTag::kOperand, CellTag::kResult);
        return at == out->count ? Mistake::kNoTarget : Mistake::kAddedValue;
      }
      if (out->cells[at].tag == CellTag::kAttr && out->cells[at].required()) return Mistake::kAddedDefault;
      for (--out->count; at < out->count; ++at) out->cells[at] = out->cells[at + 1];
      return Mistake::kFine;
    }
    case Edit::kRename:
    case Edit::kMakeList: {
      const size_t at = out->Find(word.target, CellTag::kOperand, CellTag::kResult);
      if (at == out->count)
        return out->Find(word.target, CellTag::kAttr, CellTag::kRegion) == out->count ? Mistake::kNoTarget
                                                                                      : Mistake::kWrongTarget;
      if (word.edit == Edit::kMakeList && out->cells[at].variadic) return Mistake::kWrongTarget;
      out->cells[at].name = cell.name;
      out->cells[at].variadic |= word.edit == Edit::kMakeList;
      return Mistake::kFine;
    }
    default:
      return Mistake::kFine;
  }
}

// Checks the newest revision.
constexpr Mistake CheckAttr(const Expansion& out, const Cell& a) {
  const AttrClass c = a.attr_class();
  const bool kind = c == AttrClass::kEnum || c == AttrClass::kStruct;
  if (kind && a.attr_kind() == AttrKind::kInvalid) return Mistake::kNoKind;
  if (!kind && a.attr_kind() != AttrKind::kInvalid) return Mistake::kKind;
  if (c == AttrClass::kEnum && !HasCases(a.attr_kind())) return Mistake::kNotAnEnum;
  if (c == AttrClass::kStruct && (HasCases(a.attr_kind()) || !FieldsOf(a.attr_kind())))
    return Mistake::kNotAStruct;
  const Default d = a.attr_default();
  if (!MayHave(c, d)) return Mistake::kDefault;
  if (a.filled() && !IsValue(d)) return Mistake::kFilledValue;
  const bool window = d == Default::kOnes || d == Default::kZeroPairs || d == Default::kFalses;
  if (window && !out.Attr("window_dimensions") && !out.Attr("input_spatial_dimensions"))
    return Mistake::kNoWindow;
  if (d == Default::kEmptyConfig && !out.Attr("api_version")) return Mistake::kNoApiVersion;
  return Mistake::kFine;
}

constexpr Mistake CheckCond(const Expansion& out, const Cell& cond, const Cell& revision) {
  const uint16_t until = revision.y ? revision.y : table::kNewestVersion.n;
  if (cond.x < revision.x || cond.x >= until) return Mistake::kCondInterval;
  switch (Cond(cond.a)) {
    case Cond::kSameElementTypes:
      if (!out.Count(CellTag::kOperand) || !out.Count(CellTag::kResult)) return Mistake::kCondCells;
      break;
    case Cond::kNoTypedFfi:
      if (!out.Attr("backend_config") || !out.Attr("api_version")) return Mistake::kCondCells;
      break;
    case Cond::kNoFutureOperands:
      if (!out.Count(CellTag::kOperand)) return Mistake::kCondCells;
      break;
    case Cond::kNoMixedFloat8:
      if (out.Count(CellTag::kOperand) < 2) return Mistake::kCondCells;
      break;
    case Cond::kNoFloat8Passes:
      if (!out.Attr("lhs_precision_type") || !out.Attr("num_primitive_operations"))
        return Mistake::kCondCells;
      break;
  }
  return Mistake::kFine;
}

constexpr Mistake CheckNames(const Expansion& out) {
  for (size_t i = out.revision; i < out.count; ++i) {
    const Cell& cell = out.cells[i];
    if (cell.tag == CellTag::kCond || cell.tag == CellTag::kInfer) continue;
    if (!IsIdentifier(cell.name)) return Mistake::kCellName;
    for (size_t j = out.revision; j < i; ++j) {
      const Cell& other = out.cells[j];
      if (other.name != cell.name || (cell.tag == CellTag::kResult) != (other.tag == CellTag::kResult))
        continue;
      return cell.tag == CellTag::kResult ? Mistake::kResultTwice : Mistake::kNameTwice;
    }
  }
  return Mistake::kFine;
}

constexpr bool Has(uint32_t traits, Trait t) { return traits >> unsigned(t) & 1; }

// The first name, and the argument of a function, are operands or results.
constexpr Mistake CheckInference(const Expansion& out, const Cell& cell) {
  const TypeRelation infer = TypeRelationOf(cell.name);
  const auto is_value = [&](std::string_view name) {
    return out.Find(name, CellTag::kOperand, CellTag::kResult) != out.count;
  };
  const bool known = infer.function.empty() || infer.function == "element" || infer.function == "i1" ||
                     infer.function == "part";
  return known && is_value(infer.name) && (infer.function.empty() || is_value(infer.source))
             ? Mistake::kFine
             : Mistake::kInferArguments;
}

constexpr Mistake CheckTraits(const Expansion& out, uint32_t traits, Rule rule, std::string_view op) {
  const size_t operands = out.Count(CellTag::kOperand), results = out.Count(CellTag::kResult),
               regions = out.Count(CellTag::kRegion), lists = out.Count(CellTag::kOperand, true);
  const bool segments = Has(traits, Trait::kOperandSegments);
  if (lists > 1 && !segments && !Has(traits, Trait::kSameVariadicSize)) return Mistake::kVariadics;
  if (lists < 2 && (segments || Has(traits, Trait::kSameVariadicSize))) return Mistake::kNoVariadics;
  if (out.Count(CellTag::kResult, true) > 1 && !segments) return Mistake::kVariadicResults;
  const Cell* name = out.Attr("sym_name");
  if (Has(traits, Trait::kSymbol) && (!name || name->attr_class() != AttrClass::kStr))
    return Mistake::kSymbolName;
  if (Has(traits, Trait::kFunction) && (!Has(traits, Trait::kSymbol) || !out.Attr("function_type") ||
                                        regions != 1 || !out.Attr("arg_attrs") || !out.Attr("res_attrs")))
    return Mistake::kFunctionType;
  if (Has(traits, Trait::kReturns) && regions == 0) return Mistake::kReturns;
  if (Has(traits, Trait::kCommutative) && operands != 2) return Mistake::kCommutative;
  const uint32_t relations = traits >> unsigned(Trait::kCompatibleTypes);
  if (relations && operands == 0) return Mistake::kNoOperands;
  const uint32_t of_operands =
      1u << unsigned(Trait::kCompatibleOperandElementTypes) | 1u << unsigned(Trait::kSameOperandElementType);
  const bool specified = op.starts_with("stablehlo.") || op.starts_with("chlo.");
  const bool relates = relations & ~(of_operands >> unsigned(Trait::kCompatibleTypes));
  if (results == 0 && (relates || Infers(rule) || (specified && !Has(traits, Trait::kTerminator))))
    return Mistake::kNoResults;
  for (size_t i = out.revision, seen = 0; i < out.count; ++i)
    if (out.cells[i].tag == CellTag::kRegion && ++seen < regions && out.cells[i].variadic)
      return Mistake::kVariadicRegion;
  return Mistake::kFine;
}

constexpr Mistake CheckRevision(const Expansion& out, uint32_t traits, Rule rule, std::string_view op) {
  if (const Mistake m = CheckNames(out); m != Mistake::kFine) return m;
  if (out.Count(CellTag::kAttr) > 24) return Mistake::kManyAttrs;
  uint32_t conds = 0;
  for (size_t i = out.revision; i < out.count; ++i) {
    const Cell& cell = out.cells[i];
    Mistake m = Mistake::kFine;
    if (cell.tag == CellTag::kAttr) m = CheckAttr(out, cell);
    if (cell.tag == CellTag::kStructAttr && (HasCases(cell.attr_kind()) || !FieldsOf(cell.attr_kind())))
      m = Mistake::kNotAStruct;
    if (cell.tag == CellTag::kCond) {
      m = conds >> cell.a & 1 ? Mistake::kCondTwice : CheckCond(out, cell, out.cells[out.revision - 1]);
      conds |= 1u << cell.a;
    }
    if (cell.tag == CellTag::kInfer) m = CheckInference(out, cell);
    if (m != Mistake::kFine) return m;
  }
  return CheckTraits(out, traits, rule, op);
}

// Fields that were added later are absent from older revisions.
constexpr Mistake CheckFields(const Expansion& newest) {
  for (size_t i = newest.revision; i < newest.count; ++i) {
    if (newest.cells[i].tag != CellTag::kStructAttr) continue;
    for (const char* field : FieldsOf(newest.cells[i].attr_kind())->names)
      if (field && !newest.Attr(field)) return Mistake::kFields;
  }
  return Mistake::kFine;
}

constexpr Mistake CheckInterval(const Cell& revision, const Cell* previous) {
  const Version since{revision.x}, until{revision.y ? revision.y : table::kNewestVersion.n};
  if (since < kMinimumVersion) return Mistake::kTooEarly;
  if (revision.y && until < since) return Mistake::kBackwards;
  if (since > table::kNewestVersion || until > table::kNewestVersion) return Mistake::kTooLate;
  if (previous && (previous->y == 0 || previous->y >= revision.x)) return Mistake::kOverlap;
  if (previous && previous->y + 1 != revision.x) return Mistake::kGap;
  return Mistake::kFine;
}

// --- Rows -----------------------------------------------------------------------------------------------

// Upper bound of the cells of a row: no revision has more cells than the row has words.
template <typename... P>
constexpr size_t kRoom = 1 + (size_t(0) + ... + kLength<P>)*(size_t(1) + ... + std::is_same_v<P, Opening>);

// A row with storage for its cells.
template <size_t N>
struct Row {
  Mistake mistake = Mistake::kFine;
  uint16_t count = 0;
  std::array<Cell, N> cells{};
};

struct Head {
  Form form{};
  Rule rule{};
  uint32_t traits = 0;
  size_t words = 0;  // before the first revision
};

constexpr Mistake ReadHead(std::span<const Word> words, Head* head) {
  bool form = false, rule = false, end = false;
  size_t relations = 0;
  for (; head->words < words.size(); ++head->words) {
    const Word& word = words[head->words];
    if (word.kind == Word::kForm) {
      if (std::exchange(form, true)) return Mistake::kFormTwice;
      head->form = Form(word.cell.a);
    } else if (word.kind == Word::kCell && word.cell.tag == CellTag::kTrait) {
      if (Has(head->traits, Trait(word.cell.a))) return Mistake::kTraitTwice;
      head->traits |= 1u << word.cell.a;
      relations += IsRelation(Trait(word.cell.a));
    } else if (word.kind == Word::kCell && word.cell.tag == CellTag::kRule) {
      if (std::exchange(rule, true)) return Mistake::kRuleTwice;
      head->rule = Rule(word.cell.a);
    } else if (word.kind == Word::kCell && word.cell.tag == CellTag::kEnd) {
      if (std::exchange(end, true)) return Mistake::kEndTwice;
    } else {
      break;
    }
  }
  if (head->words == words.size() || words[head->words].kind != Word::kCell ||
      words[head->words].cell.tag != CellTag::kRevision)
    return Mistake::kNoRevision;
  return relations > 4 ? Mistake::kRelations : Mistake::kFine;
}

constexpr Mistake CheckName(std::string_view name, size_t revisions) {
  const size_t dot = name.find('.');
  if (dot == 0 || dot == name.npos || dot + 1 == name.size()) return Mistake::kName;
  for (char c : name)
    if (!(c == '_' || c == '.' || c == '-' || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9')))
      return Mistake::kName;
  return name.size() > 38 || revisions > 9 ? Mistake::kLongName : Mistake::kFine;
}

// Fills `out` with the cells of a row and returns the first mistake.
constexpr Mistake Expand(int id, std::string_view name, std::span<const Word> words, Expansion* out) {
  size_t revisions = 0;
  for (const Word& word : words) revisions += word.kind == Word::kCell && word.cell.tag == CellTag::kRevision;
  if (const Mistake m = CheckName(name, revisions); m != Mistake::kFine) return m;
  for (const Word& word : words)
    if (word.mistake != Mistake::kFine) return word.mistake;
  Head head;
  if (const Mistake m = ReadHead(words, &head); m != Mistake::kFine) return m;

  out->cells[out->count++] = {CellTag::kOp, false, uint8_t(head.form), 0, uint16_t(id), 0, name};
  for (size_t i = 0; i < head.words; ++i)
    if (words[i].kind == Word::kCell) out->cells[out->count++] = words[i].cell;
  size_t previous = 0;  // index of the cell that opens the previous revision
  for (size_t i = head.words; i < words.size();) {
    const Cell& opening = words[i].cell;
    if (const Mistake m = CheckInterval(opening, previous ? &out->cells[previous] : nullptr);
        m != Mistake::kFine)
      return m;
    const size_t opened = out->count;
    out->cells[out->count++] = opening;
    out->revision = out->count;
    for (size_t k = previous + 1; previous && k < opened; ++k)
      if (out->cells[k].tag != CellTag::kCond) out->cells[out->count++] = out->cells[k];
    bool changes = false;
    int order = 0;
    for (++i; i < words.size(); ++i) {
      const Word& word = words[i];
      if (word.kind == Word::kCell && word.cell.tag == CellTag::kRevision) break;
      if (word.kind == Word::kForm || OrderOf(word.cell.tag) == 0) {
        if (word.kind != Word::kEdit) return Mistake::kHeadOrder;
      }
      if (word.kind == Word::kEdit) {
        if (!previous) return Mistake::kFirstEdits;
        if (const Mistake m = Apply(word, out); m != Mistake::kFine) return m;
        changes = true;
        continue;
      }
      if (previous && word.cell.tag != CellTag::kCond) return Mistake::kLaterCells;
      // A struct attribute may be written among the attributes that are its fields.
      const int place =
          word.cell.tag == CellTag::kStructAttr ? OrderOf(CellTag::kAttr) : OrderOf(word.cell.tag);
      if (place < order) return Mistake::kOrder;
      order = place;
      out->Insert(word.cell);
    }
    if (previous && !changes) return Mistake::kNoChange;
    if (const Mistake m = CheckRevision(*out, head.traits, head.rule, name); m != Mistake::kFine) return m;
    previous = opened;
  }
  return CheckFields(*out);
}

template <typename Id, typename Name, typename... P>
constexpr auto MakeRow(Id id, Name name, const P&... parts) {
  Row<kRoom<P...>> row;
  if constexpr (std::is_same_v<Id, int> && std::is_same_v<Name, const char*>) {
    const auto words = Join(parts...);
    Expansion out{row.cells.data()};
    row.mistake = id < 1 || id > 511 ? Mistake::kWireId : Expand(id, name, words.items, &out);
    row.count = uint16_t(out.count);
  } else {
    row.mistake = Mistake::kHead;
  }
  return row;
}

// Makes a row of schema/other_ops.inc, which has neither a wire id nor versions: its only revision is
// inserted before the first cell that is not a word of the head.
template <typename Name, typename... P>
constexpr auto MakeOtherRow(Name name, const P&... parts) {
  constexpr size_t kWords = (size_t(1) + ... + kLength<P>);
  Row<kWords + 1> row;
  if constexpr (std::is_same_v<Name, const char*>) {
    std::array<Word, kWords> words{};
    size_t count = 0;
    bool head = true;
    for (const Word& word : Join(parts...).items) {
      const bool of_head = word.kind == Word::kForm || word.cell.tag == CellTag::kTrait ||
                           word.cell.tag == CellTag::kRule || word.cell.tag == CellTag::kEnd;
      if (std::exchange(head, head && of_head) && !of_head)
        words[count++] = words::Rev(int(kMinimumVersion.n));
      words[count++] = word;
    }
    if (head) words[count++] = words::Rev(int(kMinimumVersion.n));
    Expansion out{row.cells.data()};
    row.mistake = Expand(0, name, words, &out);
    row.count = uint16_t(out.count);
  } else {
    row.mistake = Mistake::kHead;
  }
  return row;
}

}  // namespace shlo::table
