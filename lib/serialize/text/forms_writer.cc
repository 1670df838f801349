// Writes ops by the assembly formats of schema/forms.inc. Mirrored by forms_reader.cc.
#include <algorithm>
#include <cmath>

#include "ir/module/attr_names.h"
#include "ir/module/cells.h"
#include "ir/table/attr_class.h"
#include "ir/table/form.h"
#include "ir/table/trait.h"
#include "ir/table/type_class.h"
#include "serialize/opaque.h"
#include "serialize/text/form_directives.h"
#include "serialize/text/forms.h"
#include "serialize/text/writer_ops.h"

namespace shlo::text {
RevisionId OpPrinter::ShapeOf(const Op& op) const { return shlo::ShapeOf(m_, op); }

CellValues OpPrinter::OperandsAt(const Op& op, size_t index) const {
  return OperandsOf(m_, op, RevisionOf(ShapeOf(op)), index);
}

// Returns the value of an inherent attribute, which an op without a row has among its others.
AttrId OpPrinter::InherentAt(const Op& op, size_t slot) const {
  if (m_.RevisionIdOf(op)) return m_.InherentAttrsOf(op)[slot];
  return m_.AttributeOf(op, RevisionOf(ShapeOf(op)).attrs[slot].name);
}

// Returns whether the types that a form leaves out are those that its reader infers.
bool OpPrinter::TypesFollow(const Op& op, const OpRevision& revision) const {
  if (m_.RevisionIdOf(op)) return true;  // its directives see to it
  for (size_t i = 0; i < revision.results.size(); ++i) {
    const Cell& cell = revision.results[i];
    const TypeKind kind = cell.type_class() == TypeClass::kIndex     ? TypeKind::kIndex
                          : cell.type_class() == TypeClass::kWitness ? TypeKind::kWitness
                                                                     : TypeKind::kInvalid;
    if (kind != TypeKind::kInvalid && m_.types.KindOf(m_.TypeOf(m_.ResultOf(op, uint32_t(i)))) != kind)
      return false;
  }
  return !BrokenInference(m_, op, revision);
}

void OpPrinter::PutOpName(const Op& op, bool in_func) {
  const OpRow& row = RowOf(ShapeOf(op));
  Put(in_func && row.dialect == "func" ? row.mnemonic() : NameOf(op));
}

bool OpPrinter::PrintForm(const Op& op, bool in_func) {
  const RevisionId shape = ShapeOf(op);
  const RevisionForm form = FormOf(shape);
  const OpRevision& revision = RevisionOf(shape);
  // All names must resolve, and what the form does not print must follow.
  const bool branches = RowOf(revision.row).dialect == "cf";
  if (!FitsCells(m_, op, revision) || (op.regions.count && !form.places_regions) ||
      (op.successors.count && !branches) || !TypesFollow(op, revision))
    return false;
  const size_t mark = out_.size();
  PutOpName(op, in_func);
  if (PrintElements(op, form, 0, form.elements.size())) return true;
  attrs_.Rewind(mark);
  return false;
}

bool OpPrinter::PrintElements(const Op& op, const RevisionForm& form, size_t from, size_t to) {
  const OpRevision& revision = RevisionOf(ShapeOf(op));
  for (size_t i = from; i < to; ++i) {
    const FormatElement& element = form.elements[i];
    const FormRef ref = form.refs[i];
    const bool flag = element.tag == ElementTag::kName && ref.kind == RefKind::kAttr &&
                      revision.attrs[ref.index].attr_class() == AttrClass::kFlag;
    if (flag) continue;  // the word before it says it all
    if (element.space) Put(' ');
    switch (element.tag) {
      case ElementTag::kLiteral:
        Put(element.text);
        break;
      case ElementTag::kName:
        if (!PrintNamed(op, revision, ref)) return false;
        break;
      case ElementTag::kOperands:
        Operands(m_.OperandsOf(op));
        break;
      case ElementTag::kAttrDict:
        PrintOtherAttrs(op, form);
        break;
      case ElementTag::kTypeOfName: {
        const bool operand = ref.kind == RefKind::kOperand;
        const auto [first, count] =
            operand ? OperandsAt(op, ref.index) : ValuesOf(revision.results, ref.index, m_.NumResults(op));
        for (uint32_t k = 0; k < count; ++k) {
          if (k) Put(", ");
          const ValueId value = operand ? m_.OperandsOf(op)[first + k] : m_.ResultOf(op, first + k);
          TypeOf(value, Spelling::kStablehlo);
        }
        break;
      }
      case ElementTag::kTypeOfOperands:
        TypesOf(m_.OperandsOf(op), Spelling::kStablehlo);
        break;
      case ElementTag::kTypeOfResults:
        for (uint32_t k = 0; k < m_.NumResults(op); ++k) {
          if (k) Put(", ");
          TypeOf(m_.ResultOf(op, k), Spelling::kStablehlo);
        }
        break;
      case ElementTag::kFunctionalType:
        FunctionalType(op, Spelling::kStablehlo);
        break;
      case ElementTag::kSameType:
      case ElementTag::kOneType:
        if (!PrintSameType(op, element.tag == ElementTag::kSameType)) return false;
        break;
      case ElementTag::kCustom:
        if (!kDirectives[element.directive].print(*this, op, form.refs + i + 1)) return false;
        i += element.length;
        break;
      case ElementTag::kArgument:
        break;
      case ElementTag::kOptional:
        if (IsPresent(op, form.elements[i + 1 + element.anchor], form.refs[i + 1 + element.anchor]) &&
            !PrintElements(op, form, i + 1, i + 1 + element.length))
          return false;
        i += element.length;
        break;
    }
  }
  return true;
}

// Returns whether the anchor of an optional group is present.
bool OpPrinter::IsPresent(const Op& op, const FormatElement& element, FormRef ref) const {
  switch (ref.kind) {
    case RefKind::kOperand:
      return OperandsAt(op, ref.index).second != 0;
    case RefKind::kRegion: {
      const auto regions = m_.RegionsOf(op);
      return ref.index < regions.size() && (m_.RevisionIdOf(op) || !m_.BlocksOf(regions[ref.index]).empty());
    }
    case RefKind::kResult:
      return m_.NumResults(op) != 0;
    case RefKind::kAttr: {
      const AttrId value = InherentAt(op, ref.index);
      bool flag;
      if (value && m_.AsBool(value, &flag) && !flag &&
          RevisionOf(ShapeOf(op)).attrs[ref.index].attr_class() == AttrClass::kFlag)
        return false;
      return value && !IsOmittedDefault(op, ref.index);
    }
    default:
      return element.tag == ElementTag::kOperands && m_.NumOperands(op) != 0;
  }
}

// Returns whether forms omit a written attribute because it equals its default.
bool OpPrinter::IsOmittedDefault(const Op& op, size_t slot) const {
  const Cell& cell = RevisionOf(ShapeOf(op)).attrs[slot];
  const AttrId value = InherentAt(op, slot);
  switch (cell.attr_default()) {
    case Default::kFalse:
    case Default::kTrue:
    case Default::kZero:
    case Default::kOne:
    case Default::kMinusOne:
    case Default::kEmptyString:
    case Default::kEmptyDict:
    case Default::kNoFastMath:
    case Default::kNoOverflow:
      return m_.IsDefaultValue(cell, value);
    case Default::kEmptyArray:
      // Layouts and tilings are optional: an explicit default differs from an absent one.
      return (cell.attr_class() == AttrClass::kSymbols || cell.attr_class() == AttrClass::kAliases) &&
             m_.IsDefaultValue(cell, value);
    case Default::kDefaultAccuracy: {
      // A tolerance of -0.0 is a default, but is printed.
      const auto accuracy = m_.As<ResultAccuracyAttr>(value);
      return m_.IsDefaultValue(cell, value) && !std::signbit(accuracy->atol) && !std::signbit(accuracy->rtol);
    }
    default:
      return false;
  }
}

void OpPrinter::PrintOtherAttrs(const Op& op, const RevisionForm& form) {
  const OpRevision& revision = RevisionOf(ShapeOf(op));
  if (m_.DiscardableAttrsOf(op).size() == 0 && revision.attrs.empty()) return;
  Items items;
  if (!m_.RevisionIdOf(op)) {
    CollectDiscardableAttrs(op, false, items);
    std::erase_if(items, [&](const Item& item) {
      const int slot = revision.FindSlot(item.name);
      if (slot >= 0) return (form.placed >> slot & 1) || IsOmittedDefault(op, size_t(slot));
      return IsSegmentSizes(item.name) && RowOf(revision.row).Has(Trait::kOperandSegments);
    });
    return PutAttrDict(op, items, Spelling::kStablehlo);
  }
  CollectInherentAttrs(op, Spelling::kStablehlo, items);
  std::erase_if(items, [&](const Item& item) {
    if (item.kind == Item::kSlot) {
      const size_t slot = size_t(item.cell - revision.attrs.data());
      return (form.placed >> slot & 1) || IsOmittedDefault(op, slot);
    }
    return item.kind == Item::kStructAttr &&
           (form.placed_struct_attrs >> (item.cell - revision.struct_attrs.data()) & 1);
  });
  CollectDiscardableAttrs(op, true, items);
  CollectDiscardableAttrs(op, false, items);
  PutAttrDict(op, items, Spelling::kStablehlo);
}

bool OpPrinter::PrintNamed(const Op& op, const OpRevision& revision, FormRef ref) {
  switch (ref.kind) {
    case RefKind::kOperand: {
      const auto [first, count] = OperandsAt(op, ref.index);
      Operands(m_.OperandsOf(op).subspan(first, count));
      return true;
    }
    case RefKind::kAttr: {
      const AttrId value = InherentAt(op, ref.index);
      return value && PrintInherentAttr(revision.attrs[ref.index], value);
    }
    case RefKind::kRegion: {
      const auto regions = m_.RegionsOf(op);
      const bool list = revision.regions[ref.index].variadic;
      for (size_t i = ref.index; i < regions.size() && (list || i == ref.index); ++i) {
        if (i > ref.index) Put(", ");
        PrintRegion(regions[i], /*entry_arguments=*/true);
      }
      return true;
    }
    default:
      return false;
  }
}

// Prints the value of an attribute without the parts that its class implies; false if it has another class.
bool OpPrinter::PrintInherentAttr(const Cell& cell, AttrId value) {
  const auto node = m_.attrs[value];
  if (const AttrShape& is = RowOf(cell.attr_class()).is;
      is.of == AttrShape::kInteger || is.of == AttrShape::kFloat) {
    const AttrKind kind = is.of == AttrShape::kInteger ? AttrKind::kIntegerAttr : AttrKind::kFloatAttr;
    if (node.kind != kind || m_.types.KindOf(m_.TypeOf(value)) != is.type) return false;
    attrs_.NumberWithoutType(value);
    return true;
  }
  switch (cell.attr_class()) {
    case AttrClass::kStr:
      if (node.kind != AttrKind::kString) return false;
      break;
    case AttrClass::kI64s:
      if (node.kind != AttrKind::kI64Array) return false;
      PutInts(node.Get<I64ArrayAttr>().values);
      return true;
    case AttrClass::kEnum: {
      if (node.kind != cell.attr_kind()) return false;
      const EnumCase* found = FindCase(node.kind, *m_.EnumValue(value));
      if (!found) return false;
      if (style_.space_before_cases) Put(' ');
      Put(found->name);
      return true;
    }
    case AttrClass::kSymbol:
      if (node.kind != AttrKind::kSymbolRef) return false;
      break;
    default:
      break;
  }
  if (const WordsClass* words = WordsClassOf(cell.attr_class())) {
    int64_t number;
    if (node.kind != AttrKind::kIntegerAttr || m_.types.KindOf(m_.TypeOf(value)) != words->type ||
        !m_.AsInteger(value, &number) || WordAt(*words, number).empty())
      return false;
    Put(WordAt(*words, number));
    return true;
  }
  if (const TextClass* text = TextClassOf(cell.attr_class())) {
    const std::string_view body = TextAfterMnemonic(value, *text);
    Put(body);
    return !body.empty();
  }
  attrs_.Attr(value, Spelling::kStablehlo);
  return true;
}

// Returns the text of an attribute after its mnemonic; "" if it is another one.
std::string_view OpPrinter::TextAfterMnemonic(AttrId value, const TextClass& text) const {
  const auto opaque = m_.As<OpaqueAttr>(value);
  std::string_view mnemonic, body;
  if (!opaque || m_.strings[opaque->dialect] != text.dialect ||
      !SplitOpaque(m_.strings[opaque->text], &mnemonic, &body) || mnemonic != text.mnemonic)
    return {};
  return body;
}

void OpPrinter::PutInts(std::span<const int64_t> values) {
  Put('[');
  List(values.size(), [&](size_t i) { PutInt(out_, values[i]); });
  Put(']');
}

bool OpPrinter::PrintSameType(const Op& op, bool functional) {
  const auto operands = m_.OperandsOf(op);
  if (operands.empty() && m_.NumResults(op) == 0) return false;
  const TypeId type = operands.empty() ? m_.TypeOf(m_.ResultOf(op, 0)) : m_.TypeOf(operands[0]);
  const OpSignature signature = m_.SignatureOf(op);
  const auto differs = [&](TypeId other) { return other != type; };
  const bool same = m_.types.KindOf(type) != TypeKind::kFunction &&
                    std::ranges::none_of(signature.operand_types, differs) &&
                    std::ranges::none_of(signature.result_types, differs);
  if (same)
    attrs_.Type(type, Spelling::kStablehlo);
  else if (functional)
    FunctionalType(op, Spelling::kStablehlo);
  return same || functional;
}

// stablehlo.while(%arg = %init, ...) : types attributes {...}
// cond { region } do { region }
bool OpPrinter::While(const Op& op) {
  const auto operands = m_.OperandsOf(op);
  const auto regions = m_.RegionsOf(op);
  if (regions.size() != 2 || op.successors.count || operands.size() != m_.NumResults(op)) return false;
  // The form prints each type once. MLIR drops any type that differs.
  const OpSignature signature = m_.SignatureOf(op);
  if (style_.exact && !std::ranges::equal(signature.operand_types, signature.result_types)) return false;
  for (RegionId region : regions) {
    const auto blocks = m_.BlocksOf(region);
    if (blocks.size() != 1 || m_.OpsOf(blocks[0]).empty()) return false;
    const Range args = m_.blocks[blocks[0].v].args;
    if (args.count != operands.size()) return false;
    for (uint32_t i = 0; i < args.count && style_.exact; ++i)
      if (m_.values[args.first + i].type != m_.TypeOf(operands[i])) return false;
  }
  names_.NameEntry(regions[1], scope_);
  Put(NameOf(op));
  Inits(m_.BlocksOf(regions[1])[0], 0, operands);
  if (!operands.empty()) {
    Put(" : ");
    TypesOf(operands, Spelling::kStablehlo);
  }
  AttrsWithKeyword(op, FormOf(m_.RevisionIdOf(op)));
  Put('\n');
  Indent();
  Put("cond ");
  PrintRegion(regions[0]);
  Put(" do ");
  PrintRegion(regions[1]);
  return true;
}

// Returns the only block of a region if it has `args` arguments and an op; otherwise none.
BlockId OpPrinter::BlockWith(RegionId region, size_t args) const {
  const auto blocks = m_.BlocksOf(region);
  const bool fits =
      blocks.size() == 1 && m_.blocks[blocks[0].v].args.count == args && !m_.OpsOf(blocks[0]).empty();
  return fits ? blocks[0] : BlockId();
}

// Prints "(%a = %init, ...)", the arguments of a block from `first` on and their first values.
void OpPrinter::Inits(BlockId block, size_t first, std::span<const ValueId> inits) {
  Put('(');
  List(inits.size(), [&](size_t i) {
    names_.PutUse(out_, m_.ArgOf(block, uint32_t(first + i)));
    Put(" = ");
    names_.PutUse(out_, inits[i]);
  });
  Put(')');
}

// scf.for unsigned %i = %from to %to step %by iter_args(%a = %init, ...) -> (types) : type { region } {attrs}
bool OpPrinter::For(const Op& op) {
  const auto operands = m_.OperandsOf(op);
  const auto regions = m_.RegionsOf(op);
  if (operands.size() < 3 || m_.NumResults(op) != operands.size() - 3 || regions.size() != 1 ||
      op.successors.count)
    return false;
  const BlockId block = BlockWith(regions[0], operands.size() - 2);
  if (!block) return false;
  const auto arg = [&](size_t i) { return m_.ArgOf(block, uint32_t(i)); };
  const TypeId type = m_.TypeOf(arg(0));
  const OpSignature signature = m_.SignatureOf(op);
  for (size_t i = 0; i < operands.size(); ++i)
    if (m_.TypeOf(operands[i]) != (i < 3 ? type : m_.TypeOf(arg(i - 2)))) return false;
  if (!std::ranges::equal(signature.operand_types.subspan(3), signature.result_types)) return false;
  names_.NameEntry(regions[0], scope_);
  Put(NameOf(op));
  const char* const words[] = {" = ", " to ", " step "};
  Put(m_.AttributeOf(op, "unsignedCmp") ? " unsigned " : " ");
  names_.PutUse(out_, arg(0));
  for (size_t i = 0; i < 3; ++i) {
    Put(words[i]);
    names_.PutUse(out_, operands[i]);
  }
  if (operands.size() > 3) {
    Put(" iter_args");
    Inits(block, 1, operands.subspan(3));
    Put(" -> (");
    TypesOf(operands.subspan(3), Spelling::kStablehlo);
    Put(')');
  }
  Put(' ');
  if (m_.types.KindOf(type) != TypeKind::kIndex) {
    Put(" : ");
    attrs_.Type(type, Spelling::kStablehlo);
    Put(' ');
  }
  PrintRegion(regions[0]);
  Items items;
  CollectDiscardableAttrs(op, false, items);
  std::erase_if(items, [](const Item& item) { return item.name == "unsignedCmp"; });
  PutAttrDict(op, items, Spelling::kStablehlo);
  return true;
}

// scf.while (%a = %init, ...) : (types) -> (types) { region } do { region } attributes {...}
bool OpPrinter::ScfWhile(const Op& op) {
  const auto operands = m_.OperandsOf(op);
  const auto regions = m_.RegionsOf(op);
  if (regions.size() != 2 || op.successors.count) return false;
  const BlockId before = BlockWith(regions[0], operands.size());
  if (!before || m_.BlocksOf(regions[1]).size() != 1) return false;
  for (size_t i = 0; i < operands.size(); ++i)
    if (m_.TypeOf(operands[i]) != m_.TypeOf(m_.ArgOf(before, uint32_t(i)))) return false;
  names_.NameEntry(regions[0], scope_);
  Put(m_.NameOf(op));
  if (!operands.empty()) {
    Put(' ');
    Inits(before, 0, operands);
  }
  Put(" : ");
  FunctionalType(op, Spelling::kStablehlo);
  Put(' ');
  PrintRegion(regions[0]);
  Put(" do ");
  PrintRegion(regions[1], /*entry_arguments=*/true);
  AttrsWithKeyword(op, FormOf(ShapeOf(op)));
  return true;
}

void OpPrinter::AttrsWithKeyword(const Op& op, const RevisionForm& form) {
  const size_t mark = out_.size();
  Put(" attributes");
  const size_t empty = out_.size();
  PrintOtherAttrs(op, form);
  if (out_.size() == empty) attrs_.Rewind(mark);
}

// chlo.scan(%inputs) inits (%inits) dimension=0 attributes {...} { region } : functional type
bool OpPrinter::Scan(const Op& op) {
  const auto operands = m_.OperandsOf(op);
  const auto regions = m_.RegionsOf(op);
  const AttrId dimension = m_.InherentAttrOf(op, "dimension");
  if (regions.size() != 1 || op.successors.count || !dimension) return false;
  const std::vector<int32_t> ins = I32sOf(m_, m_.AttributeOf(op, kOperandSegmentSizes)),
                             outs = I32sOf(m_, m_.AttributeOf(op, kResultSegmentSizes));
  const auto fit = [](const std::vector<int32_t>& sizes, size_t count) {
    return sizes.size() == 2 && sizes[0] >= 0 && sizes[1] >= 0 &&
           size_t(sizes[0]) + size_t(sizes[1]) == count;
  };
  if (!fit(ins, operands.size()) || !fit(outs, m_.NumResults(op)) || ins[1] != outs[1]) return false;
  const size_t mark = out_.size();
  Put(NameOf(op));
  Put('(');
  Operands(operands.subspan(0, size_t(ins[0])));
  Put(") inits (");
  Operands(operands.subspan(size_t(ins[0])));
  Put(") dimension=");
  const OpRevision& revision = RevisionOf(m_.RevisionIdOf(op));
  const int slot = revision.FindSlot("dimension");
  if (!PrintInherentAttr(revision.attrs[size_t(slot)], dimension)) {
    attrs_.Rewind(mark);
    return false;
  }
  Put(' ');
  Items items;
  CollectInherentAttrs(op, Spelling::kStablehlo, items);
  std::erase_if(items, [](const Item& item) { return item.name == "dimension"; });
  CollectDiscardableAttrs(op, false, items);
  if (!items.empty()) Put(" attributes");
  PutAttrDict(op, items, Spelling::kStablehlo);
  Put(' ');
  PrintRegion(regions[0], /*entry_arguments=*/true);
  Put(" : ");
  FunctionalType(op, Spelling::kStablehlo);
  return true;
}

}  // namespace shlo::text
