// Reads ops by the assembly formats of schema/forms.inc. Mirrored by forms_writer.cc.
#include <algorithm>

#include "base/format.h"
#include "ir/module/attr_names.h"
#include "ir/table/attr_class.h"
#include "ir/table/form.h"
#include "ir/table/inference.h"
#include "ir/table/trait.h"
#include "ir/table/type_class.h"
#include "serialize/text/form_directives.h"
#include "serialize/text/forms.h"
#include "serialize/text/reader_impl.h"
#include "shlo/types.h"

namespace shlo::text {

bool Reader::ReadForm(Draft& d) {
  const RevisionForm form = FormOf(d.shape);
  d.results = SIZE_MAX;
  if (!ReadSteps(d, form, 0, form.elements.size())) return false;
  if (!FormIsComplete(d)) return false;
  return ReadOptionalLoc(&d.loc) && Finish(d);
}

// Adds what the text of a form implies: types, sizes of lists of operands, and regions that it omits.
bool Reader::FormIsComplete(Draft& d) {
  const OpRevision& revision = RevisionOf(d.shape);
  if (!CompleteTypes(d)) return false;
  if (RowOf(revision.row).Has(Trait::kOperandSegments) && groups_.size() > d.groups) {
    std::vector<int32_t> sizes(revision.operands.size());
    for (size_t i = d.groups; i < groups_.size(); ++i) sizes[groups_[i].cell] = int32_t(groups_[i].count);
    PushAttr(kOperandSegmentSizes, MakeI32s(&m_, sizes), d.name_at);
  }
  if (FormOf(d.shape).places_regions)
    while (regions_.size() - d.regions < revision.regions.size() && !revision.regions.back().variadic) {
      regions_.push_back(builder_.NewRegion());
      builder_.EndRegion(regions_.back());
    }
  return true;
}

// Reads the type of an operand or result that a form names; of a list, a list.
bool Reader::StateTypes(Draft& d, FormRef ref, bool list) {
  BeginTypes(d);
  do {
    TypeId type;
    if (!ReadType(&type)) return false;
    stated_.push_back({ref.kind == RefKind::kResult, ref.index, type});
  } while (list && c_.Eat(','));
  return true;
}

TypeId Reader::ConstantType(std::string_view text) {
  if (text == "i1") return m_.Type(TypeKind::kI1);
  if (text == "!shape.witness") return m_.Type(TypeKind::kWitness);
  const size_t dot = text.find('.');
  return m_.Make(OpaqueType{.dialect = m_.strings.Intern(text.substr(1, dot - 1)),
                            .text = m_.strings.Intern(text.substr(dot))});
}

// Returns the type that the class of a value, or a function of another type, implies; none if it is not
// known.
TypeId Reader::ImpliedType(const Cell& cell, std::string_view function, TypeId source) {
  if (!source) {
    if (cell.type_class() == TypeClass::kIndex) return m_.Type(TypeKind::kIndex);
    return cell.type_class() == TypeClass::kWitness ? m_.Type(TypeKind::kWitness) : TypeId();
  }
  if (function.empty()) return source;
  const ShapedType shaped(m_, source);
  if (function == "element") return shaped.element;
  if (function == "part") {
    const auto complex = m_.As<ComplexType>(shaped.element);
    return complex && !shaped.shaped ? complex->element : TypeId();
  }
  const TypeId bit = m_.Type(TypeKind::kI1);
  if (const auto tensor = m_.As<TensorType>(source))
    return m_.TensorType(tensor->shape, bit, tensor->encoding);
  if (m_.types.KindOf(source) == TypeKind::kUnrankedTensor)
    return m_.Make(UnrankedTensorType{.element = bit});
  if (const auto vector = m_.As<VectorType>(source)) {
    const std::vector<int64_t> shape(vector->shape.begin(), vector->shape.end());
    const std::vector<int64_t> scalable(vector->scalable.begin(), vector->scalable.end());
    return m_.Make(VectorType{.element = bit, .shape = shape, .scalable = scalable});
  }
  return bit;
}

// Completes types_ from the types that the form stated by name, in whatever order: others follow from their
// class, from relations of the row, or from the values themselves. Types of whole lists are in types_
// already.
bool Reader::CompleteTypes(Draft& d) {
  const OpRevision& revision = RevisionOf(d.shape);
  const size_t num_uses = uses_.size() - d.uses;
  const bool states_results = d.results != SIZE_MAX;
  if (stated_.size() == d.stated &&
      (states_results || (types_.size() > d.types && revision.results.empty()))) {
    if (!states_results) d.results = types_.size();
    return true;  // the form stated whole lists
  }
  const std::vector<TypeId> results(types_.begin() + ptrdiff_t(states_results ? d.results : types_.size()),
                                    types_.end());
  types_.resize(types_.size() - results.size());
  // The operands and results of each cell; types_ may have those of all operands.
  std::vector<std::vector<TypeId>> of[2] = {std::vector<std::vector<TypeId>>(revision.operands.size()),
                                            std::vector<std::vector<TypeId>>(revision.results.size())};
  std::vector<size_t> sizes(revision.operands.size());
  if (groups_.size() > d.groups) {
    for (size_t i = d.groups; i < groups_.size(); ++i) sizes[groups_[i].cell] = groups_[i].count;
  } else {
    size_t lists_of_operands = 0;
    for (const Cell& cell : revision.operands) lists_of_operands += cell.variadic;
    const size_t fixed = revision.operands.size() - lists_of_operands;
    for (size_t i = 0; i < sizes.size(); ++i)
      sizes[i] = revision.operands[i].variadic ? num_uses - std::min(num_uses, fixed) : 1;
  }
  for (size_t i = d.stated; i < stated_.size(); ++i)
    of[stated_[i].of_result][stated_[i].cell].push_back(stated_[i].type);
  if (types_.size() > d.types) {
    if (types_.size() - d.types != num_uses) return d.results = types_.size(), true;  // which is an error
    size_t next = d.types;
    for (size_t i = 0; i < sizes.size(); ++i)
      for (size_t k = 0; k < sizes[i] && next < types_.size(); ++k) of[0][i].push_back(types_[next++]);
  }
  const auto cell_of = [&](std::string_view name, bool* of_result) {
    for (bool result : {false, true}) {
      const auto cells = result ? revision.results : revision.operands;
      for (size_t i = 0; i < cells.size(); ++i)
        if (cells[i].name == name) return *of_result = result, i;
    }
    return SIZE_MAX;
  };
  for (size_t round = 0; round <= revision.inferences.size(); ++round) {
    for (const Cell& relation : revision.inferences) {
      const TypeRelation infer = TypeRelationOf(relation.name);
      bool result, of_source;
      const size_t cell = cell_of(infer.name, &result), source = cell_of(infer.source, &of_source);
      std::vector<TypeId>& types = of[result][cell];
      if (source == SIZE_MAX) {
        if (types.empty()) types.push_back(ConstantType(infer.source));
        continue;
      }
      const auto infer_from = [&](std::vector<TypeId>& to, const Cell& c, const std::vector<TypeId>& from) {
        if (!to.empty()) return;
        for (TypeId type : from)
          if (const TypeId implied = ImpliedType(c, infer.function, type)) to.push_back(implied);
      };
      infer_from(types, (result ? revision.results : revision.operands)[cell], of[of_source][source]);
      if (infer.function.empty()) infer_from(of[of_source][source], relation, types);
    }
  }
  types_.resize(d.types);
  size_t use = d.uses;
  for (size_t i = 0; i < revision.operands.size(); ++i) {
    std::vector<TypeId>& types = of[0][i];
    const bool stated = !types.empty();
    for (size_t k = 0; k < sizes[i] && use + k < uses_.size() && !stated; ++k) {
      TypeId type = ImpliedType(revision.operands[i], {}, {});
      ValueId value;
      if (!type && !Resolve(uses_[use + k], {}, &value)) return false;
      if (!type && !value) return FailForm(d);
      types.push_back(type ? type : m_.TypeOf(value));
    }
    use += sizes[i];
    types_.insert(types_.end(), types.begin(), types.end());
  }
  d.results = types_.size();
  types_.insert(types_.end(), results.begin(), results.end());
  for (size_t i = 0; i < revision.results.size() && !states_results; ++i) {
    std::vector<TypeId>& types = of[1][i];
    if (const TypeId type = ImpliedType(revision.results[i], {}, {});
        types.empty() && type && !revision.results[i].variadic)
      types.push_back(type);
    types_.insert(types_.end(), types.begin(), types.end());
  }
  return true;
}

bool Reader::ReadSteps(Draft& d, const RevisionForm& form, size_t from, size_t to) {
  const OpRevision& revision = RevisionOf(d.shape);
  for (size_t i = from; i < to; ++i) {
    const FormatElement& element = form.elements[i];
    const FormRef ref = form.refs[i];
    switch (element.tag) {
      case ElementTag::kLiteral:
        if (!ReadLiteral(d, element.text)) return false;
        break;
      case ElementTag::kName:
        if (!ReadNamed(d, revision, ref)) return false;
        break;
      case ElementTag::kOperands:
        if (!ReadUses()) return false;
        break;
      case ElementTag::kAttrDict:
        if (!ReadOptionalAttrDict()) return false;
        break;
      case ElementTag::kTypeOfName:
        if (!StateTypes(
                d, ref,
                (ref.kind == RefKind::kResult ? revision.results : revision.operands)[ref.index].variadic))
          return false;
        break;
      case ElementTag::kTypeOfOperands:
        BeginTypes(d);
        if (!ReadTypeRun()) return false;
        break;
      case ElementTag::kTypeOfResults: {
        BeginTypes(d);
        BeginResultTypes(d);
        std::vector<TypeId> results;
        if (!ReadTypeOrList(&results)) return false;
        types_.insert(types_.end(), results.begin(), results.end());
        while (c_.Eat(','))
          if (!ReadType(&types_.emplace_back())) return false;
        break;
      }
      case ElementTag::kFunctionalType:
        if (!ReadFunctionalType(d)) return false;
        break;
      case ElementTag::kSameType:
      case ElementTag::kOneType:
        if (!ReadSameType(d, element.tag == ElementTag::kSameType)) return false;
        break;
      case ElementTag::kCustom:
        if (!kDirectives[element.directive].read(*this, d, form.refs + i + 1)) return false;
        i += element.length;
        break;
      case ElementTag::kArgument:
        break;
      case ElementTag::kOptional:
        if (GroupFollows(form, revision, i + 1) && !ReadSteps(d, form, i + 1, i + 1 + element.length))
          return false;
        i += element.length;
        break;
    }
  }
  return true;
}

void Reader::BeginResultTypes(Draft& d) {
  if (d.results == SIZE_MAX) d.results = types_.size();
}

bool Reader::ReadTypeRun() {
  do {
    if (!ReadType(&types_.emplace_back())) return false;
  } while (c_.Eat(','));
  return true;
}

bool Reader::ReadLiteral(const Draft& d, std::string_view text) {
  if (text == " ") return true;
  if (Is(text[0], kLetterChar)) {
    if (c_.EatWord(text)) return true;
    c_.Skip();
    return FailCustom(d, c_.p, "expected '" + std::string(text) + "'");
  }
  if (text == "->") return ExpectArrow();
  return c_.Eat(text[0]) || FailExpected("'" + std::string(text) + "'");
}

// Returns whether an optional group that begins with this element follows.
bool Reader::GroupFollows(const RevisionForm& form, const OpRevision& revision, size_t first) {
  while (form.elements[first].text == " ") ++first;
  const FormatElement& element = form.elements[first];
  if (element.text == "->") return c_.Peek() == '-' && c_.At(1) == '>';
  if (element.tag == ElementTag::kLiteral)
    return Is(element.text[0], kLetterChar) ? c_.PeekWord(element.text) : c_.Peek() == element.text[0];
  if (form.refs[first].kind != RefKind::kAttr) return c_.Peek() == '%';
  Cursor ahead = c_;
  return WordOf(revision.attrs[form.refs[first].index].attr_class(), ahead.Word()) >= 0;
}

bool Reader::ReadNamed(Draft& d, const OpRevision& revision, FormRef ref) {
  switch (ref.kind) {
    case RefKind::kOperand: {
      const size_t before = uses_.size();
      if (revision.operands[ref.index].variadic ? !ReadUses() : !ReadUse(&uses_.emplace_back())) return false;
      groups_.push_back({ref.index, uint32_t(uses_.size() - before)});
      return true;
    }
    case RefKind::kAttr: {
      const Cell& cell = revision.attrs[ref.index];
      const char* at = (c_.Skip(), c_.p);
      AttrId value;
      if (cell.attr_class() == AttrClass::kFlag) {  // the word before it says it all
        PushAttr(cell.name, m_.Unit(), at);
        return true;
      }
      if (!ReadInherentAttr(d, cell, &value)) return false;
      PushAttr(cell.name, value, at);
      // An attribute with a type implies the result type if nothing else does.
      return true;
    }
    case RefKind::kRegion:
      do {
        if (!AddRegion(d)) return false;
      } while (revision.regions[ref.index].variadic && c_.Eat(','));
      return true;
    default:
      return FailForm(d);
  }
}

// Reads the value of an inherent attribute; its class implies parts that are omitted in forms.
bool Reader::ReadInherentAttr(const Draft& d, const Cell& cell, AttrId* value) {
  const char ch = c_.Peek();
  // Aliases and full spellings are allowed everywhere.
  if (ch == '#') return ReadAttr(value);
  const AttrShape& is = RowOf(cell.attr_class()).is;
  if (is.of == AttrShape::kInteger && is.type != TypeKind::kI1) {
    Number number;
    if (!ReadNumber(c_, &number)) return FailCustom(d, c_.p, "expected integer value");
    return IntegerAttr(number, m_.Type(is.type), value);
  }
  if (is.of == AttrShape::kFloat) {
    Number number;
    if (!ReadNumber(c_, &number)) return FailExpected("a number");
    return FloatAttr(number, m_.Type(is.type), value);
  }
  switch (cell.attr_class()) {
    case AttrClass::kI64s: {
      if (ch != '[') return ReadAttr(value);
      std::vector<int64_t> ints;
      if (!ReadFormInts(d, &ints)) {
        // Report a missing attribute in brackets as a whole, as MLIR does.
        if (!diagnostics_.empty() && diagnostics_.back().message.ends_with("expected integer value"))
          FailExpected("']'");
        return false;
      }
      *value = m_.I64s(ints);
      return true;
    }
    case AttrClass::kStr: {
      // A ':' begins the type of the op, not of the string.
      std::string_view text;
      if (!ReadString(&text)) return false;
      *value = m_.String(text);
      return true;
    }
    case AttrClass::kEnum:
      return ReadEnumCase(cell.attr_kind(), value, d.name->name);
    default:
      break;
  }
  if (const TextClass* text = TextClassOf(cell.attr_class())) return ReadTextAttr(*text, value);
  const WordsClass* words = WordsClassOf(cell.attr_class());
  if (!words) return ReadAttr(value);
  const char* at = (c_.Skip(), c_.p);
  const int index = WordOf(cell.attr_class(), c_.Word());
  if (index < 0) return FailCustom(d, at, "expected one of: " + std::string(words->words));
  *value = m_.Integer(m_.Type(words->type), index);
  return true;
}

// [1, 2]
bool Reader::ReadFormInts(const Draft& d, std::vector<int64_t>* values) {
  return ReadList('[', "", ']', "", [&] {
    Number number;
    uint64_t bits;
    if (!ReadNumber(c_, &number)) return FailCustom(d, c_.p, "expected integer value");
    if (!FitSmall(number, 64, 1, NumberIn::kAttr, &bits)) return false;
    values->push_back(int64_t(bits));
    return true;
  });
}

// Reads the types of operands and results together; if `functional`, also (types) -> type.
bool Reader::ReadSameType(Draft& d, bool functional) {
  BeginTypes(d);
  if (functional && c_.Peek() == '(') {
    const char* at = c_.p;
    return ReadFunctionalType(d) && CheckFunctionalType(d, at);
  }
  TypeId type;
  if (!ReadType(&type)) return false;
  types_.insert(types_.end(), uses_.size() - d.uses, type);
  d.results = types_.size();
  types_.insert(types_.end(), RevisionOf(d.shape).results.size(), type);
  return true;
}

bool Reader::CheckFunctionalType(const Draft& d, const char* at) {
  const size_t operands = uses_.size() - d.uses, types = d.results - d.types;
  if (operands != types)
    return FailCustom(d, at,
                      std::to_string(operands) + " operands present, but expected " + std::to_string(types));
  if (types_.size() - d.results != RevisionOf(d.shape).results.size())
    return FailCustom(d, at, "expected single output");
  return true;
}

// stablehlo.while(%arg = %init, ...) : types attributes {...} cond { region } do { region }
bool Reader::ReadWhile(Draft& d) {
  std::vector<BlockArg> args;
  if (!ReadInits(&args, "", "after the arguments")) return false;
  const char* at = (c_.Skip(), c_.p);
  if (!args.empty()) {
    if (!Expect(':', "before the types of the operands")) return false;
    BeginTypes(d);
    if (!ReadTypeRun()) return false;
  }
  if (types_.size() - d.types != args.size())
    return FailCustom(d, at,
                      "number of operands and types do not match: got " + std::to_string(args.size()) +
                          " operands and " + std::to_string(types_.size() - d.types) + " types");
  for (size_t i = 0; i < args.size(); ++i) args[i].type = types_[d.types + i];
  if (c_.EatWord("attributes") && !ReadAttrDict()) return false;
  for (std::string_view word : {"cond", "do"})
    if (!ReadLiteral(d, word) || !AddRegion(d, args, true)) return false;
  d.results = types_.size();
  for (size_t i = 0; i < args.size(); ++i) types_.push_back(args[i].type);
  return ReadOptionalLoc(&d.loc) && Finish(d);
}

// scf.for unsigned %i = %from to %to step %by iter_args(%a = %init, ...) -> (types) : type { region } {attrs}
bool Reader::ReadFor(Draft& d) {
  std::vector<BlockArg> args(1);
  std::vector<TypeId> results;
  const char* at = (c_.Skip(), c_.p);
  if (c_.EatWord("unsigned")) PushAttr("unsignedCmp", m_.Unit(), at);
  if (!ReadValueName(&args[0].name, &args[0].at) || !Expect('=', "after the induction variable") ||
      !ReadUse(&uses_.emplace_back()) || !ReadLiteral(d, "to") || !ReadUse(&uses_.emplace_back()) ||
      !ReadLiteral(d, "step") || !ReadUse(&uses_.emplace_back()))
    return false;
  if (c_.EatWord("iter_args")) {
    if (!ReadInits(&args, "before the loop-carried values", "after the loop-carried values")) return false;
    at = c_.p;
    if (!ExpectArrow()) return false;
    BeginTypes(d);
    if (!ReadTypeOrList(&results)) return false;
    if (results.size() + 1 != args.size())
      return FailCustom(d, at, "mismatch in number of loop-carried values and defined values");
  }
  args[0].type = m_.Type(TypeKind::kIndex);
  if (c_.Eat(':') && !ReadType(&args[0].type)) return false;
  types_.insert(types_.end(), 3, args[0].type);
  for (size_t i = 0; i < results.size(); ++i) args[i + 1].type = results[i];
  types_.insert(types_.end(), results.begin(), results.end());
  d.results = types_.size();
  types_.insert(types_.end(), results.begin(), results.end());
  return AddRegion(d, args, true) && ReadOptionalAttrDict() && ReadOptionalLoc(&d.loc) && Finish(d);
}

// (%a = %init, ...): arguments of a region and their first values, perhaps none.
bool Reader::ReadInits(std::vector<BlockArg>* args, std::string_view before, std::string_view after) {
  return ReadList('(', before, ')', after, [&] {
    BlockArg& arg = args->emplace_back();
    return ReadValueName(&arg.name, &arg.at) && Expect('=', "after the name of an argument") &&
           ReadUse(&uses_.emplace_back());
  });
}

// scf.while (%a = %init, ...) : (types) -> (types) { region } do { region } attributes {...}
bool Reader::ReadScfWhile(Draft& d) {
  std::vector<BlockArg> args;
  if (c_.Peek() == '(' && !ReadInits(&args, "", "after the first values")) return false;
  const char* at = (c_.Skip(), c_.p);
  if (!Expect(':', "before the type of the op") || !ReadFunctionalType(d)) return false;
  if (d.results - d.types != args.size())
    return FailCustom(d, at,
                      StrFormat("expected as many input types as operands (expected {} got {})", args.size(),
                                d.results - d.types));
  for (size_t i = 0; i < args.size(); ++i) args[i].type = types_[d.types + i];
  if (!AddRegion(d, args, true) || !ReadLiteral(d, "do") || !AddRegion(d)) return false;
  if (c_.EatWord("attributes") && !ReadAttrDict()) return false;
  return ReadOptionalLoc(&d.loc) && Finish(d);
}

// chlo.scan(%inputs) inits (%inits) dimension=0 attributes {...} { region } : functional type
bool Reader::ReadScan(Draft& d) {
  size_t counts[2];
  for (size_t& count : counts) {
    if (&count == &counts[1] && !ReadLiteral(d, "inits")) return false;
    const size_t before = uses_.size();
    if (!Expect('(', "before the operands") || !ReadUses() || !Expect(')', "after the operands"))
      return false;
    count = uses_.size() - before;
  }
  const char* at = (c_.Skip(), c_.p);
  int64_t dimension;
  if (!ReadLiteral(d, "dimension") || !Expect('=', "after 'dimension'") || !ReadInt64(&dimension))
    return false;
  PushAttr("dimension", m_.I64(dimension), at);
  if (c_.EatWord("attributes") && !ReadAttrDict()) return false;
  if (!AddRegion(d) || !Expect(':', "before the type of the op") || !ReadFunctionalType(d)) return false;
  if (d.results - d.types != counts[0] + counts[1])
    return FailCustom(d, at, "operand types must match the number of inputs and inits");
  const size_t results = types_.size() - d.results;
  if (results < counts[1]) return FailCustom(d, at, "not enough result types to cover the required carries");
  const auto sizes = [&](size_t first, size_t second) {
    return MakeI32s(&m_, std::vector<int32_t>{int32_t(first), int32_t(second)});
  };
  PushAttr(kOperandSegmentSizes, sizes(counts[0], counts[1]), at);
  PushAttr(kResultSegmentSizes, sizes(results - counts[1], counts[1]), at);
  return ReadOptionalLoc(&d.loc) && Finish(d);
}

}  // namespace shlo::text
