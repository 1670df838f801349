// Reads ops by the assembly formats of schema/forms.inc. Mirrored by forms_writer.cc.
#include "ir/module/attr_names.h"
#include "ir/table/attr_class.h"
#include "serialize/text/form_directives.h"
#include "serialize/text/forms.h"
#include "serialize/text/reader_impl.h"

namespace shlo::text {

bool Reader::ReadForm(Draft& d) {
  const RevisionForm form = FormOf(d.revision);
  d.results = SIZE_MAX;
  if (!ReadSteps(d, form, 0, form.elements.size())) return false;
  if (d.results == SIZE_MAX) d.results = types_.size();
  if (d.results == d.types) {
    // The form has no operand types: they are those of the values.
    for (size_t i = d.uses; i < uses_.size(); ++i) {
      ValueId value;
      if (!Resolve(uses_[i], {}, &value)) return false;
      if (!value) return FailForm(d);
      types_.insert(types_.begin() + ptrdiff_t(d.results++), m_.TypeOf(value));
    }
  }
  return ReadOptionalLoc(&d.loc) && Finish(d);
}

bool Reader::ReadSteps(Draft& d, const RevisionForm& form, size_t from, size_t to) {
  const OpRevision& revision = RevisionOf(d.revision);
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
        BeginTypes(d);
        if (ref.kind == RefKind::kResult) BeginResultTypes(d);
        if ((ref.kind == RefKind::kOperand && revision.operands[ref.index].variadic) ||
            (ref.kind == RefKind::kResult && revision.results[ref.index].variadic)) {
          if (!ReadTypeRun()) return false;
          break;
        }
        if (!ReadType(&types_.emplace_back())) return false;
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
        if (GroupFollows(form, i + 1) && !ReadSteps(d, form, i + 1, i + 1 + element.length)) return false;
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
bool Reader::GroupFollows(const RevisionForm& form, size_t first) {
  while (form.elements[first].text == " ") ++first;
  const FormatElement& element = form.elements[first];
  if (element.tag == ElementTag::kLiteral)
    return Is(element.text[0], kLetterChar) ? c_.PeekWord(element.text) : c_.Peek() == element.text[0];
  return c_.Peek() == '%';
}

bool Reader::ReadNamed(Draft& d, const OpRevision& revision, FormRef ref) {
  switch (ref.kind) {
    case RefKind::kOperand:
      if (revision.operands[ref.index].variadic) return ReadUses();
      return ReadUse(&uses_.emplace_back());
    case RefKind::kAttr: {
      const Cell& cell = revision.attrs[ref.index];
      const char* at = (c_.Skip(), c_.p);
      AttrId value;
      if (!ReadInherentAttr(d, cell, &value)) return false;
      PushAttr(cell.name, value, at);
      // An attribute with a type implies the result type if nothing else does.
      return true;
    }
    case RefKind::kRegion:
      do {
        RegionId region;
        if (!ReadRegion(d, {}, false, &region)) return false;
        regions_.push_back(region);
      } while (c_.Eat(','));
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
  switch (cell.attr_class()) {
    case AttrClass::kI32:
    case AttrClass::kI64:
    case AttrClass::kUI32:
    case AttrClass::kUI64: {
      Number number;
      if (!ReadNumber(c_, &number)) return FailCustom(d, c_.p, "expected integer value");
      const AttrClass c = cell.attr_class();
      const TypeKind kind = c == AttrClass::kI32    ? TypeKind::kI32
                            : c == AttrClass::kI64  ? TypeKind::kI64
                            : c == AttrClass::kUI32 ? TypeKind::kUI32
                                                    : TypeKind::kUI64;
      return IntegerAttr(number, m_.Type(kind), value);
    }
    case AttrClass::kF32:
    case AttrClass::kF64: {
      Number number;
      if (!ReadNumber(c_, &number)) return FailExpected("a number");
      return FloatAttr(
          number, m_.Type(cell.attr_class() == AttrClass::kF32 ? TypeKind::kF32 : TypeKind::kF64), value);
    }
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
      return ReadAttr(value);
  }
}

// [1, 2]
bool Reader::ReadFormInts(const Draft& d, std::vector<int64_t>* values) {
  if (!c_.Eat('[')) return FailExpected("'['");
  if (c_.Eat(']')) return true;
  do {
    Number number;
    uint64_t bits;
    if (!ReadNumber(c_, &number)) return FailCustom(d, c_.p, "expected integer value");
    if (!FitSmall(number, 64, 1, NumberIn::kAttr, &bits)) return false;
    values->push_back(int64_t(bits));
  } while (c_.Eat(','));
  return c_.Eat(']') || FailExpected("']'");
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
  types_.insert(types_.end(), RevisionOf(d.revision).results.size(), type);
  return true;
}

bool Reader::CheckFunctionalType(const Draft& d, const char* at) {
  const size_t operands = uses_.size() - d.uses, types = d.results - d.types;
  if (operands != types)
    return FailCustom(d, at,
                      std::to_string(operands) + " operands present, but expected " + std::to_string(types));
  if (types_.size() - d.results != RevisionOf(d.revision).results.size())
    return FailCustom(d, at, "expected single output");
  return true;
}

// stablehlo.while(%arg = %init, ...) : types attributes {...} cond { region } do { region }
bool Reader::ReadWhile(Draft& d) {
  std::vector<BlockArg> args;
  if (!c_.Eat('(')) return FailExpected("'('");
  if (!c_.Eat(')')) {
    do {
      BlockArg& arg = args.emplace_back();
      if (!ReadValueName(&arg.name, &arg.at) || !Expect('=', "after the name of an argument") ||
          !ReadUse(&uses_.emplace_back()))
        return false;
    } while (c_.Eat(','));
    if (!Expect(')', "after the arguments")) return false;
  }
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
  for (std::string_view word : {"cond", "do"}) {
    RegionId region;
    if (!ReadLiteral(d, word) || !ReadRegion(d, args, true, &region)) return false;
    regions_.push_back(region);
  }
  d.results = types_.size();
  for (size_t i = 0; i < args.size(); ++i) types_.push_back(args[i].type);
  return ReadOptionalLoc(&d.loc) && Finish(d);
}

// scf.for %i = %from to %to step %by iter_args(%a = %init, ...) -> (types) : type { region } {attrs}
bool Reader::ReadFor(Draft& d) {
  std::vector<BlockArg> args(1);
  if (!ReadValueName(&args[0].name, &args[0].at) || !Expect('=', "after the induction variable") ||
      !ReadUse(&uses_.emplace_back()) || !ReadLiteral(d, "to") || !ReadUse(&uses_.emplace_back()) ||
      !ReadLiteral(d, "step") || !ReadUse(&uses_.emplace_back()))
    return false;
  // Without loop-carried values the region may omit its terminator, which this reader does not support.
  if (!c_.EatWord("iter_args")) return FailForm(d);
  if (!Expect('(', "before the loop-carried values")) return false;
  do {
    BlockArg& arg = args.emplace_back();
    if (!ReadValueName(&arg.name, &arg.at) || !Expect('=', "after the name of an argument") ||
        !ReadUse(&uses_.emplace_back()))
      return false;
  } while (c_.Eat(','));
  const char* at = c_.p;
  std::vector<TypeId> results;
  if (!Expect(')', "after the loop-carried values") || !ExpectArrow()) return false;
  BeginTypes(d);
  if (!ReadTypeOrList(&results)) return false;
  if (results.size() + 1 != args.size())
    return FailCustom(d, at, "mismatch in number of loop-carried values and defined values");
  args[0].type = m_.Type(TypeKind::kIndex);
  if (c_.Eat(':') && !ReadType(&args[0].type)) return false;
  types_.insert(types_.end(), 3, args[0].type);
  for (size_t i = 0; i < results.size(); ++i) args[i + 1].type = results[i];
  types_.insert(types_.end(), results.begin(), results.end());
  d.results = types_.size();
  types_.insert(types_.end(), results.begin(), results.end());
  RegionId region;
  if (!ReadRegion(d, args, true, &region)) return false;
  regions_.push_back(region);
  return ReadOptionalAttrDict() && ReadOptionalLoc(&d.loc) && Finish(d);
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
  RegionId region;
  if (!ReadRegion(d, {}, false, &region)) return false;
  regions_.push_back(region);
  if (!Expect(':', "before the type of the op") || !ReadFunctionalType(d)) return false;
  if (d.results - d.types != counts[0] + counts[1])
    return FailCustom(d, at, "operand types must match the number of inputs and inits");
  const size_t results = types_.size() - d.results;
  if (results < counts[1]) return FailCustom(d, at, "not enough result types to cover the required carries");
  const auto sizes = [&](size_t first, size_t second) {
    const int32_t values[] = {int32_t(first), int32_t(second)};
    return m_.Make(DenseArrayAttr{
        .element = m_.Type(TypeKind::kI32),
        .payload = m_.payloads.AddCopy({reinterpret_cast<const char*>(values), sizeof values})});
  };
  PushAttr(kOperandSegmentSizes, sizes(counts[0], counts[1]), at);
  PushAttr(kResultSegmentSizes, sizes(results - counts[1], counts[1]), at);
  return ReadOptionalLoc(&d.loc) && Finish(d);
}

}  // namespace shlo::text
