#include "ir/verify/row_checks.h"

#include <algorithm>

#include "base/format.h"
#include "base/nearest.h"
#include "ir/module/attr_names.h"
#include "ir/table/attr_class.h"
#include "ir/table/rule.h"
#include "ir/table/trait.h"
#include "ir/verify/conditions.h"

namespace shlo {
namespace {

bool IsIntegerOf(const Module& m, AttrId value, TypeKind kind) {
  const auto integer = m.As<IntegerAttr>(value);
  return integer && m.types.KindOf(integer->type) == kind;
}

bool IsFloatOf(const Module& m, AttrId value, TypeKind kind) {
  const auto number = m.As<FloatAttr>(value);
  return number && m.types.KindOf(number->type) == kind;
}

bool IsElementsOf(const Module& m, AttrId value, TypeKind kind) {
  const auto elements = m.As<ElementsAttr>(value);
  const auto tensor = elements ? m.As<TensorType>(elements->type) : std::nullopt;
  return tensor && m.types.KindOf(tensor->element) == kind;
}

// A set of flags, which is kept as text.
bool IsFlagsOfArith(const Module& m, AttrId value, std::string_view prefix) {
  const auto opaque = m.As<OpaqueAttr>(value);
  return opaque && m.strings[opaque->dialect] == "arith" && m.strings[opaque->text].starts_with(prefix);
}

// An attribute that is kept as text: ".mnemonic<...>", or "<mnemonic...>" if other brackets follow.
bool IsText(const Module& m, AttrId value, const TextClass& text) {
  const auto opaque = m.As<OpaqueAttr>(value);
  if (!opaque || m.strings[opaque->dialect] != text.dialect) return false;
  std::string_view rest = m.strings[opaque->text];
  if (!rest.starts_with('.') && !rest.starts_with('<')) return false;
  rest.remove_prefix(1);
  if (!rest.starts_with(text.mnemonic)) return false;
  rest.remove_prefix(text.mnemonic.size());
  return rest.starts_with('<') || rest.starts_with('{') || rest.starts_with('[');
}

// An array whose elements all satisfy a predicate.
template <typename Predicate>
bool IsArrayOf(const Module& m, AttrId value, Predicate&& predicate) {
  const auto array = m.As<ArrayAttr>(value);
  return array && std::ranges::all_of(array->elements, predicate);
}

bool IsElementsKind(AttrKind kind) {
  return kind == AttrKind::kElements || kind == AttrKind::kResourceElements ||
         kind == AttrKind::kStringElements || kind == AttrKind::kSparseElements;
}

// Returns the number of cells that are not lists, and whether there are lists.
size_t NumFixed(std::span<const Cell> cells, bool* lists) {
  const size_t num_lists = size_t(std::ranges::count_if(cells, &Cell::variadic));
  *lists = num_lists > 0;
  return cells.size() - num_lists;
}

// Returns whether the cells can take `count` values.
bool CountFits(std::span<const Cell> cells, size_t count) {
  bool lists;
  const size_t fixed = NumFixed(cells, &lists);
  return lists ? count >= fixed : count == fixed;
}

bool CheckCounts(OpCheck& c) {
  const OpRevision& revision = c.revision();
  const Op& op = c.op();
  bool lists;
  if (!CountFits(revision.regions, op.regions.count)) {
    const size_t n = NumFixed(revision.regions, &lists);
    if (n == 0) return c.Invalid("requires zero regions");
    if (n == 1) return c.Invalid("requires one region");
    return c.Invalid("expected {} regions", n);
  }
  if (!CountFits(revision.results, c.m.NumResults(op))) {
    const size_t n = NumFixed(revision.results, &lists);  // a list is the only result, and fits
    if (n == 0) return c.Invalid("requires zero results");
    if (n == 1) return c.Invalid("requires one result");
    return c.Invalid("expected {} results", n);
  }
  if (op.successors.count && !RowOf(revision.row).Has(Trait::kTerminator))
    return c.Invalid("requires 0 successors but found {}", op.successors.count);
  if (!CountFits(revision.operands, c.m.NumOperands(op))) {
    const size_t n = NumFixed(revision.operands, &lists);
    if (lists) return c.Invalid("expected {} or more operands, but found {}", n, c.m.NumOperands(op));
    if (n == 0) return c.Invalid("requires zero operands");
    if (n == 1) return c.Invalid("requires a single operand");
    return c.Invalid("expected {} operands, but found {}", n, c.m.NumOperands(op));
  }
  return true;
}

// Returns the description of a kind in messages, in the reference's words.
std::string_view KindWords(AttrKind kind) {
  switch (kind) {
    case AttrKind::kComparisonDirection:
    case AttrKind::kChloComparisonDirection:
      return "Which comparison operation to perform.";
    case AttrKind::kComparisonType:
    case AttrKind::kChloComparisonType:
      return "Which comparison type to use.";
    case AttrKind::kFftType:
      return "XLA fast fourier transform type.";
    case AttrKind::kRngAlgorithm:
      return "XLA PRNG algorithm to be used.";
    case AttrKind::kRngDistribution:
      return "XLA PRNG distribution to be used.";
    case AttrKind::kTranspose:
      return "Transpose options";
    case AttrKind::kChannelHandle:
      return "two 64-bit integers 'handle' and 'type'";
    case AttrKind::kConvDimensionNumbers:
      return "Structure of dimension information for conv op";
    case AttrKind::kDotDimensionNumbers:
      return "Attribute that models the dimension information for dot.";
    case AttrKind::kDotAlgorithm:
      return "Attribute that models the algorithm constraints to use for computing dot.";
    case AttrKind::kGatherDimensionNumbers:
      return "Attribute that models the dimension information for gather";
    case AttrKind::kScatterDimensionNumbers:
      return "Attribute that models the dimension information for scatter";
    case AttrKind::kRaggedDotDimensionNumbers:
      return "Attribute that models the dimension information for ragged dot.";
    default:
      return RowOf(kind).mnemonic;
  }
}

// "allowed 64-bit signless integer cases: 0, 1, 2", as MLIR says.
std::string CasesOf(const WordsClass& words) {
  std::string cases;
  for (int64_t i = 0; !WordAt(words, i).empty(); ++i) cases += StrFormat("{}{}", i ? ", " : "", i);
  return StrFormat("allowed {}-bit signless integer cases: {}", words.type == TypeKind::kI64 ? 64 : 32,
                   cases);
}

// Returns the description of an attribute's class in messages, in the reference's words.
std::string ClassWords(const Cell& cell) {
  const AttrClass attr_class = cell.attr_class();
  if (const WordsClass* words = WordsClassOf(attr_class)) return CasesOf(*words);
  if (const TextClass* text = TextClassOf(attr_class))
    return StrFormat("attribute '#{}.{}'", text->dialect, text->mnemonic);
  if (attr_class == AttrClass::kEnum || attr_class == AttrClass::kStruct)
    return std::string(KindWords(cell.attr_kind()));
  constexpr std::string_view kConfined[] = {"", " whose value is non-negative", " whose value is positive"};
  return StrFormat("{}{}", RowOf(attr_class).words, kConfined[size_t(cell.confined())]);
}

// Returns the struct attribute that an attribute is a field of, or nullptr.
const Cell* StructAttrOf(const OpRevision& revision, const Cell& attr) {
  for (const Cell& struct_attr : revision.struct_attrs)
    for (const FieldRow& field : RowOf(struct_attr.attr_kind()).fields())
      if (field.name == attr.name) return &struct_attr;
  return nullptr;
}

bool CheckDiscardableAttrs(OpCheck& c, const OpRow& row) {
  const OpRevision& revision = c.revision();
  for (const NamedAttr& discardable : c.m.DiscardableAttrsOf(c.op())) {
    const std::string_view name = c.m.strings[discardable.name];
    for (const Cell& struct_attr : revision.struct_attrs)
      if (struct_attr.name == name)
        return c.Invalid("attribute '{}' failed to satisfy constraint: {}", name,
                         KindWords(struct_attr.attr_kind()));
    if (row.num_revisions == 1 || revision.FindSlot(name) >= 0) continue;
    for (uint16_t k = 0; k < row.num_revisions; ++k) {
      const OpRevision& other = RevisionOf(RevisionId{uint16_t(row.first_revision + k)});
      if (other.FindSlot(name) < 0) continue;
      return c.InvalidWithHint(
          StrFormat("attribute '{}' does not exist in version {}, only in {} to {}", name,
                    VersionName(c.m.version), VersionName(other.since), VersionName(other.until)),
          kSetVersion);
    }
  }
  return true;
}

// Returns whether the cell allows an integer.
bool IsAllowed(const Module& m, const Cell& cell, AttrId attr) {
  if (cell.confined() == Confined::kNo) return true;
  int64_t value = 0;
  m.AsInteger(attr, &value);
  return value >= (cell.confined() == Confined::kPositive ? 1 : 0);
}

// A struct attribute whose fields are all optional, such as the algorithm of dot_general, must have all
// fields or none: VHLO can represent a part of it, but StableHLO cannot.
bool CheckStructAttrs(OpCheck& c) {
  const OpRevision& revision = c.revision();
  const auto inherent_attrs = c.m.InherentAttrsOf(c.op());
  for (const Cell& struct_attr : revision.struct_attrs) {
    size_t fields = 0, given = 0;
    for (size_t i = 0; i < inherent_attrs.size(); ++i) {
      const Cell& cell = revision.attrs[i];
      if (cell.attr_default() != Default::kNoneType || StructAttrOf(revision, cell) != &struct_attr) continue;
      ++fields;
      given += bool(inherent_attrs[i]);
    }
    if (given && given != fields)
      return c.InvalidWithHint(
          StrFormat("attribute '{}' has {} of its {} fields", struct_attr.name, given, fields),
          "set all of them, or none");
  }
  return true;
}

// Returns the hint for an attribute that is missing: one with nearly its name, if the op has it.
std::string MisspelledHint(const OpCheck& c, std::string_view missing) {
  Nearest nearest(missing);
  for (const NamedAttr& discardable : c.m.DiscardableAttrsOf(c.op()))
    nearest.Try(c.m.strings[discardable.name]);
  if (nearest.best().empty()) return {};
  return StrFormat("rename attribute '{}' to '{}'", nearest.best(), missing);
}

bool CheckInherentAttrs(OpCheck& c, const OpRow& row) {
  if (!c.m.DiscardableAttrsOf(c.op()).empty() && !CheckDiscardableAttrs(c, row)) return false;
  if (!c.revision().struct_attrs.empty() && !CheckStructAttrs(c)) return false;
  const OpRevision& revision = c.revision();
  std::string_view missing;
  for (size_t i = 0; i < revision.attrs.size(); ++i) {
    const Cell& cell = revision.attrs[i];
    if (cell.attr_default() != Default::kRequired || c.AttrAt(i)) continue;
    const Cell* struct_attr = StructAttrOf(revision, cell);
    const std::string_view name = struct_attr ? struct_attr->name : cell.name;
    if (missing.empty() || name < missing) missing = name;
  }
  if (!missing.empty())
    return c.InvalidWithHint(StrFormat("requires attribute '{}'", missing), MisspelledHint(c, missing));
  // Report the first by name, in the order in which the reference checks a dictionary.
  const Cell* wrong = nullptr;
  bool of_class = true;
  for (size_t i = 0; i < revision.attrs.size(); ++i) {
    const Cell& cell = revision.attrs[i];
    const AttrId value = c.AttrAt(i);
    if (!value) continue;
    const bool fits_class = FitsClass(c.m, cell, value);
    if (fits_class && IsAllowed(c.m, cell, value)) [[likely]]
      continue;
    if (wrong && wrong->name < cell.name) continue;
    wrong = &cell;
    of_class = fits_class;
  }
  if (!wrong) return true;
  if (!of_class)
    return c.Invalid("attribute '{}' failed to satisfy constraint: {}", wrong->name, ClassWords(*wrong));
  return c.FailInDictionary(wrong->name, "attribute '{}' failed to satisfy constraint: {}", wrong->name,
                            ClassWords(*wrong));
}

// Checks the class of each value. Cells that are lists share the values left by the others equally.
template <typename TypeAt>
bool CheckClasses(OpCheck& c, const TypeClasses& classes, std::span<const Cell> cells, size_t count,
                  std::string_view what, TypeAt type_at) {
  if (cells.empty() || count == 0) return true;
  size_t lists = 0;
  for (const Cell& cell : cells) lists += cell.variadic;
  const size_t share = lists ? (count - (cells.size() - lists)) / lists : 0;
  size_t i = 0;
  for (const Cell& cell : cells) {
    const size_t n = cell.variadic ? share : 1;
    for (size_t k = 0; k < n && i < count; ++k, ++i) {
      const TypeId type = type_at(i);
      if (classes.Fits(type, cell.type_class())) [[likely]]
        continue;
      return c.FailOp("", "{} #{} must be {}{}, but got {}", what, i, cell.variadic ? "variadic of " : "",
                      TypeClassName(cell.type_class()), c.T(type));
    }
  }
  return true;
}

bool SameElements(const OpCheck& c, bool results) {
  const TypeId element = c.num_operands() ? c.in_element(0) : c.out_element();
  for (size_t i = 1; i < c.num_operands(); ++i)
    if (c.in(i) != c.in(0) && c.in_element(i) != element) return false;
  for (size_t i = 0; results && i < c.num_results(); ++i)
    if (c.out_element(i) != element) return false;
  return true;
}

// Compares all types with the first one.
template <typename Fits>
bool AllFit(const OpCheck& c, bool results, Fits fits) {
  const TypeId first = c.num_operands() ? c.in(0) : c.out(0);
  for (size_t i = 0; i < c.num_operands(); ++i)
    if (c.in(i) != first && !fits(c.in(i), first)) return false;
  for (size_t i = 0; results && i < c.num_results(); ++i)
    if (c.out(i) != first && !fits(c.out(i), first)) return false;
  return true;
}

// Mirrors MLIR's ElementwiseMappable: if any operand or result is a tensor or vector, results and operands of
// these types have one shape.
bool CheckElementwise(OpCheck& c) {
  const auto is_same = [](TypeId, TypeId) { return false; };
  if (c.num_operands() && c.num_results() && AllFit(c, true, is_same)) [[likely]]
    return true;
  const auto mappable = [&](TypeId type) {
    const TypeKind kind = c.m.types.KindOf(type);
    return kind == TypeKind::kTensor || kind == TypeKind::kUnrankedTensor || kind == TypeKind::kVector;
  };
  // Other constraints of each row with this trait imply that a result is a scalar if all operands are.
  TypeId first;
  for (size_t i = 0; i < c.num_operands() && !first; ++i)
    if (mappable(c.in(i))) first = c.in(i);
  if (!first) return true;
  const auto fits = [&](TypeId type) {
    if (type == first || !mappable(type)) return true;
    if (c.m.types.KindOf(type) != c.m.types.KindOf(first)) return false;
    const auto a = c.m.As<VectorType>(type), b = c.m.As<VectorType>(first);
    return CompatibleShapes(c.m, type, first) && (!a || std::ranges::equal(a->scalable, b->scalable));
  };
  bool same = true;
  for (size_t i = 0; i < c.num_operands(); ++i) same = same && fits(c.in(i));
  for (size_t i = 0; i < c.num_results(); ++i) same = same && fits(c.out(i));
  return same || c.FailRelation("all non-scalar operands/results must have the same shape and base type");
}

bool CheckPairwise(OpCheck& c, bool whole_type) {
  if (c.num_operands() != c.num_results())
    return c.FailRelation("requires the same number of operands and results");
  for (size_t i = 0; i < c.num_operands(); ++i) {
    if (c.in(i) == c.out(i)) continue;
    if (whole_type) return c.FailRelation("requires the same type for operand and result at index {}", i);
    if (c.in_element(i) != c.out_element(i))
      return c.FailRelation("requires the same element type for operand and result at index {}", i);
  }
  return true;
}

bool CheckRelation(OpCheck& c, Trait relation) {
  const Module& m = c.m;
  if (c.num_operands() + c.num_results() == 0) return true;
  switch (relation) {
    case Trait::kCompatibleTypes:
      return AllFit(c, true, [&](TypeId a, TypeId b) { return CompatibleTypes(m, a, b); }) ||
             c.FailRelation("requires compatible types for all operands and results");
    case Trait::kCompatibleElementTypes:
      return AllFit(c, true, [&](TypeId a, TypeId b) { return CompatibleElements(m, a, b); }) ||
             c.FailRelation("requires compatible element types for all operands and results");
    case Trait::kCompatibleOperandElementTypes:
      return AllFit(c, false, [&](TypeId a, TypeId b) { return CompatibleElements(m, a, b); }) ||
             c.FailRelation("requires compatible element types for all operands");
    case Trait::kSameElementType:
      if (c.num_operands() == 0) return c.FailRelation("expected 1 or more operands, but found 0");
      return SameElements(c, true) ||
             c.FailRelation("requires the same element type for all operands and results");
    case Trait::kSameOperandElementType:
      return SameElements(c, false) || c.FailRelation("requires the same element type for all operands");
    case Trait::kSameShape:
      if (c.num_operands() == 0) return c.FailRelation("expected 1 or more operands, but found 0");
      return AllFit(c, true, [&](TypeId a, TypeId b) { return CompatibleShapes(m, a, b); }) ||
             c.FailRelation("requires the same shape for all operands and results");
    case Trait::kElementwise:
      return CheckElementwise(c);
    case Trait::kPairwiseSameType:
      return CheckPairwise(c, true);
    case Trait::kPairwiseSameElementType:
      return CheckPairwise(c, false);
    case Trait::kSameType:
      return AllFit(c, true,
                    [&](TypeId a, TypeId b) {
                      return ElementOf(m, a) == ElementOf(m, b) && CompatibleShapes(m, a, b);
                    }) ||
             c.FailRelation("requires the same type for all operands and results");
    default:
      return true;
  }
}

bool SameElement(const Module& m, const ElementRef& inferred, TypeId written) {
  if (inferred.complex) {
    const auto complex = m.As<ComplexType>(written);
    return complex && complex->element == inferred.type;
  }
  if (inferred.type) return CompatibleElements(m, inferred.type, written);
  return m.types.KindOf(written) == inferred.kind;
}

bool FitsInferred(const OpCheck& c, const Inferred& inferred, TypeId written) {
  if (inferred.type) return CompatibleTypes(c.m, inferred.type, written);
  const ShapedType result(c.m, written);
  if (!result.shaped) return false;
  // broadcast_select and scan infer only a shape; see their rows.
  const Rule rule = RowOf(c.revision().row).rule;
  if (rule != Rule::kChloBroadcastSelect && rule != Rule::kScan &&
      !SameElement(c.m, inferred.element, result.element))
    return false;
  if (!inferred.ranked || !result.ranked) return true;
  DimSpan bounds = inferred.bounds;
  if (bounds.empty() && inferred.encoding) {
    const auto extensions = c.m.As<TypeExtensionsAttr>(inferred.encoding);
    if (extensions) bounds = extensions->bounds;
  }
  return CompatibleShapes(inferred.shape, result.shape) && WithinBounds(result.shape, bounds) &&
         WithinBounds(inferred.shape, result.bounds);
}

// FitsClass for the classes that are AttrShape::kOther.
bool FitsOther(const Module& m, const Cell& cell, AttrId value) {
  const AttrKind kind = m.attrs.KindOf(value);
  const auto is_index_list = [&](AttrId a) { return IsElementsOf(m, a, TypeKind::kIndex); };
  if (const TextClass* text = TextClassOf(cell.attr_class())) return IsText(m, value, *text);
  if (const WordsClass* words = WordsClassOf(cell.attr_class())) {
    int64_t number = -1;
    return IsIntegerOf(m, value, words->type) && m.AsInteger(value, &number) &&
           !WordAt(*words, number).empty();
  }
  switch (cell.attr_class()) {
    case AttrClass::kAny:
      return true;
    case AttrClass::kTypedAttr:
      return bool(m.TypeOf(value));
    case AttrClass::kOverflow:
      return IsFlagsOfArith(m, value, ".overflow<");
    case AttrClass::kFastMath:
      return IsFlagsOfArith(m, value, ".fastmath<");
    case AttrClass::kFlag:  // an op without a row keeps it as it is in text
      return kind == AttrKind::kUnit || IsIntegerOf(m, value, TypeKind::kI1);
    case AttrClass::kStr:
      return kind == AttrKind::kString || kind == AttrKind::kTypedString;
    case AttrClass::kBools:
      return kind == AttrKind::kDenseArray &&
             m.types.KindOf(m.Get<DenseArrayAttr>(value).element) == TypeKind::kI1;
    case AttrClass::kElements:
      return IsElementsKind(kind);
    case AttrClass::kIndexElements:
      return IsElementsKind(kind) && m.types.KindOf(ElementOf(m, m.TypeOf(value))) == TypeKind::kIndex;
    case AttrClass::kReplicaGroups:
      return kind == AttrKind::kReplicaGroupMeshAxes || IsElementsOf(m, value, TypeKind::kI64);
    case AttrClass::kEnum:
      return kind == cell.attr_kind() && FindCase(kind, *m.EnumValue(value, kind)) != nullptr;
    case AttrClass::kStruct:
      return kind == cell.attr_kind();
    case AttrClass::kLayouts:
      return IsArrayOf(m, value, is_index_list);
    case AttrClass::kTilings:
      return IsArrayOf(m, value, [&](AttrId a) { return IsArrayOf(m, a, is_index_list); });
    case AttrClass::kConfig:
      return kind == AttrKind::kString || kind == AttrKind::kDict;
    default:
      return false;
  }
}

}  // namespace

bool FitsClass(const Module& m, const Cell& cell, AttrId value) {
  const AttrShape& is = RowOf(cell.attr_class()).is;
  switch (is.of) {
    case AttrShape::kInteger:
      return IsIntegerOf(m, value, is.type);
    case AttrShape::kFloat:
      return IsFloatOf(m, value, is.type);
    case AttrShape::kNode:
      return m.attrs.KindOf(value) == is.kind;
    case AttrShape::kArray:
      return IsArrayOf(m, value, [&](AttrId a) { return m.attrs.KindOf(a) == is.kind; });
    case AttrShape::kElements:
      return IsElementsOf(m, value, is.type);
    case AttrShape::kOther:
      return FitsOther(m, cell, value);
  }
  return false;
}

bool CheckStructure(OpCheck& c, const OpRow& row) {
  const OpRevision& revision = c.revision();
  if (!revision.LegalAt(c.m.version))
    return c.InvalidWithHint(
        StrFormat("does not exist in version {}, only in {} to {}", VersionName(c.m.version),
                  VersionName(revision.since), VersionName(revision.until)),
        kSetVersion);
  if (!CheckCounts(c) || !CheckInherentAttrs(c, row)) return false;
  const Cell* broken = nullptr;
  ForEachCondition(revision, [&](const Cell& condition) {
    if (c.m.version.n <= condition.x && !Satisfies(c.m, c.op(), Cond(condition.a))) broken = &condition;
  });
  if (!broken) return true;
  return c.Invalid("version {} requires that {}", VersionName(c.m.version), CondName(Cond(broken->a)));
}

bool CheckTypes(OpCheck& c, const OpRow& row, const TypeClasses& classes) {
  const OpRevision& revision = c.revision();
  if (!CheckClasses(c, classes, revision.operands, c.num_operands(), "operand",
                    [&](size_t i) { return c.in(i); }) ||
      !CheckClasses(c, classes, revision.results, c.num_results(), "result",
                    [&](size_t i) { return c.out(i); }))
    return false;
  const RuleRow& rule = RowOf(row.rule);
  if (rule.invariant && !rule.invariant(c)) return false;
  if (c.num_regions() == 0) return true;
  for (size_t i = 0; i < c.num_regions(); ++i) {
    const Cell& cell = revision.regions[std::min(i, revision.regions.size() - 1)];
    const size_t blocks = c.m.BlocksOf(c.m.RegionsOf(c.op())[i]).size();
    if (!cell.one_block() || blocks == 1) continue;
    return c.FailOp("", "region #{}{} failed to verify constraint: region with 1 blocks", i,
                    cell.name.empty() ? "" : StrFormat(" ('{}')", cell.name));
  }
  return true;
}

bool CheckRelations(OpCheck& c, const OpRow& row) {
  for (uint8_t i = 0; i < row.num_relations; ++i)
    if (!CheckRelation(c, row.relations[i])) return false;
  const RuleRow& rule = RowOf(row.rule);
  if (rule.verify && !rule.verify(c)) return false;
  if (c.revision().inferences.empty()) return true;
  if (!FitsCells(c.m, c.op(), c.revision()))
    return !c.m.AttributeOf(c.op(), kOperandSegmentSizes) ||
           c.Invalid("operands do not fit the sizes in attribute '{}'", kOperandSegmentSizes);
  const Cell* broken = BrokenInference(c.m, c.op(), c.revision());
  return !broken || c.FailOp("", "failed to verify that types satisfy {}", broken->name);
}

bool CheckLists(OpCheck& c, const OpRow& row) {
  if (!row.Has(Trait::kSameVariadicSize)) return true;
  size_t lists = 0;
  for (const Cell& cell : c.revision().operands) lists += cell.variadic;
  if ((c.num_operands() - (c.revision().operands.size() - lists)) % lists == 0) return true;
  return c.Invalid("expected lists of operands of the same size, but found {} operands", c.num_operands());
}

bool Infers(const OpRow& row) { return row.Has(Trait::kCompatibleTypes) || RowOf(row.rule).infer; }

bool InferTypes(OpCheck& c, const OpRow& row, const TypeClasses& classes) {
  if (!CheckStructure(c, row) || !CheckClasses(c, classes, c.revision().operands, c.num_operands(), "operand",
                                               [&](size_t i) { return c.in(i); }))
    return false;
  const RuleRow& rule = RowOf(row.rule);
  if ((rule.invariant && !rule.invariant(c)) || !CheckLists(c, row)) return false;
  if (row.Has(Trait::kCompatibleTypes) && c.num_operands() > 0) return InferMostSpecific(c);
  return !rule.infer || rule.infer(c);
}

bool CheckInferred(OpCheck& c, const OpRow& row) {
  const RuleRow& rule = RowOf(row.rule);
  RuleFn infer = rule.infer;
  if (row.Has(Trait::kCompatibleTypes)) {
    // The result type is the most specific operand type.
    if (c.num_operands() == 0 || AllFit(c, true, [](TypeId, TypeId) { return false; })) return true;
    infer = InferMostSpecific;
  }
  if (!infer) return true;
  if (!infer(c)) return c.FailOp("", "failed to infer returned types");
  if (c.settled()) return true;
  const auto inferred = c.inferred();
  bool fits = inferred.size() == c.num_results();
  for (size_t i = 0; fits && i < inferred.size(); ++i) fits = FitsInferred(c, inferred[i], c.out(i));
  if (fits) return true;
  std::string types;
  for (size_t i = 0; i < inferred.size(); ++i) types += (i ? ", " : "") + c.T(inferred[i]);
  c.Mismatch(types);
  return c.FailOp("", "failed to infer returned types");
}

}  // namespace shlo
