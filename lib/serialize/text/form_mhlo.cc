// Custom forms of MHLO ops that have no row in schema/ops.inc: those that schema/mhlo.inc names.
#include "ir/table/mhlo.h"
#include "serialize/text/reader_impl.h"
#include "serialize/text/writer_ops.h"

namespace shlo::text {

// --- Reading ----------------------------------------------------------------------------------------

bool Reader::ReadMhlo(Draft& d) {
  switch (d.name->mhlo->form) {
    case mhlo::Form::kTopK:
      return ReadTopK(d);
    case mhlo::Form::kTrace: {
      if (!ReadUse(&uses_.emplace_back()) || !Expect(',', "before the tag")) return false;
      const char* at = (c_.Skip(), c_.p);
      std::string_view tag;
      if (!ReadString(&tag)) return false;
      PushAttr("tag", m_.String(tag), at);
      if (!ReadOptionalAttrDict() || !Expect(':', "before the type of the op")) return false;
      BeginTypes(d);
      if (!ReadType(&types_.emplace_back())) return false;
      break;
    }
    case mhlo::Form::kShapes:
      if (!ReadUses() || !ReadOptionalAttrDict() || !Expect(':', "before the type of the op")) return false;
      BeginTypes(d);
      if (!ReadTypeRun() || !ExpectArrow()) return false;
      d.results = types_.size();
      return ReadTypeRun() && ReadOptionalLoc(&d.loc) && Finish(d);
    case mhlo::Form::kResultless: {
      // The state of the generator.
      if (!ReadOptionalAttrDict()) return false;
      const int64_t shape[] = {2};
      d.results = types_.size();
      types_.push_back(m_.TensorType(shape, m_.Type(TypeKind::kUI64)));
      return ReadOptionalLoc(&d.loc) && Finish(d);
    }
    default:
      return ReadOneLine(d);
  }
  d.results = types_.size();
  return ReadOptionalLoc(&d.loc) && Finish(d);
}

// mhlo.topk(%a, k=1, largest=true) {attributes} : type -> (type, type)
bool Reader::ReadTopK(Draft& d) {
  if (!Expect('(', "before the operand") || !ReadUse(&uses_.emplace_back()) ||
      !Expect(',', "after the operand") || !ReadLiteral(d, "k") || !Expect('=', "after 'k'"))
    return false;
  const char* at = (c_.Skip(), c_.p);
  int64_t k;
  if (!ReadInt64(&k)) return false;
  PushAttr("k", m_.I64(k), at);
  if (c_.Eat(',')) {
    if (!ReadLiteral(d, "largest") || !Expect('=', "after 'largest'")) return false;
    at = (c_.Skip(), c_.p);
    const bool largest = c_.EatWord("true");
    if (!largest && !c_.EatWord("false")) return FailExpected("'true' or 'false'");
    PushAttr("largest", m_.Bool(largest), at);
  }
  if (!Expect(')', "after the attributes") || !ReadOptionalAttrDict() ||
      !Expect(':', "before the type of the op"))
    return false;
  BeginTypes(d);
  if (!ReadType(&types_.emplace_back()) || !ExpectArrow()) return false;
  d.results = types_.size();
  std::vector<TypeId> results;
  if (!ReadTypeOrList(&results)) return false;
  types_.insert(types_.end(), results.begin(), results.end());
  return ReadOptionalLoc(&d.loc) && Finish(d);
}

// --- Writing ----------------------------------------------------------------------------------------

// Returns the row of an op of MHLO, or of one that is printed as such.
const mhlo::OpRow* OpPrinter::MhloRowOf(const Op& op) const {
  if (!m_.RevisionIdOf(op)) return mhlo::FindOpRow(m_.NameOf(op));
  return style_.mhlo ? mhlo::OpRowOf(RevisionOf(m_.RevisionIdOf(op)).row) : nullptr;
}

// Prints an op without a row in schema/ops.inc. Returns false, and prints nothing, if it has no custom form.
bool OpPrinter::MhloForm(const Op& op) {
  const mhlo::OpRow* const row = mhlo::FindOpRow(m_.NameOf(op));
  if (!row || row->form == mhlo::Form::kGeneric || op.regions.count || op.successors.count) return false;
  const size_t mark = out_.size();
  Put(row->name);
  if (MhloOperation(op, row->form)) return true;
  attrs_.Rewind(mark);
  return false;
}

bool OpPrinter::MhloOperation(const Op& op, mhlo::Form form) {
  const auto operands = m_.OperandsOf(op);
  const auto type_of = [&](uint32_t i) { return m_.TypeOf(m_.ResultOf(op, i)); };
  Items items;
  CollectDiscardableAttrs(op, false, items);
  // Returns an attribute that the form has outside of the dictionary.
  const auto take = [&](std::string_view name) {
    AttrId value;
    std::erase_if(items, [&](const Item& item) {
      if (item.name == name) value = item.value;
      return item.name == name;
    });
    return value;
  };
  constexpr Spelling kS = Spelling::kStablehlo;
  switch (form) {
    case mhlo::Form::kTopK: {
      const AttrId k = take("k"), largest = take("largest");
      int64_t number;
      bool value = true;
      if (operands.size() != 1 || m_.NumResults(op) != 2 || !k || !m_.AsInteger(k, &number) ||
          m_.types.KindOf(m_.TypeOf(k)) != TypeKind::kI64 || (largest && !m_.AsBool(largest, &value)))
        return false;
      Put('(');
      Operands(operands);
      Put(", k = ");
      PutInt(out_, number);
      // MLIR omits the default.
      if (!value || (largest && style_.exact)) Put(value ? ", largest = true" : ", largest = false");
      Put(')');
      PutAttrDict(op, items, kS);
      Put(" : ");
      TypesOf(operands, kS);
      Put(" -> (");
      attrs_.Type(type_of(0), kS);
      Put(", ");
      attrs_.Type(type_of(1), kS);
      Put(')');
      return true;
    }
    case mhlo::Form::kTrace: {
      const AttrId tag = take("tag");
      if (operands.size() != 1 || m_.NumResults(op) || !tag || m_.attrs.KindOf(tag) != AttrKind::kString)
        return false;
      Put(' ');
      Operands(operands);
      Put(", ");
      attrs_.Attr(tag, kS);
      PutAttrDict(op, items, kS);
      Put(" : ");
      TypesOf(operands, kS);
      return true;
    }
    case mhlo::Form::kShapes:
      if (operands.empty() || m_.NumResults(op) == 0) return false;
      Put(' ');
      Operands(operands);
      PutAttrDict(op, items, kS);
      Put(" : ");
      TypesOf(operands, kS);
      Put(" -> ");
      List(m_.NumResults(op), [&](size_t i) { attrs_.Type(type_of(uint32_t(i)), kS); });
      return true;
    case mhlo::Form::kResultless: {
      const auto state = m_.NumResults(op) == 1 ? m_.As<TensorType>(type_of(0)) : std::nullopt;
      if (!operands.empty() || !state || state->shape.size() != 1 || state->shape[0] != 2 ||
          state->encoding || m_.types.KindOf(state->element) != TypeKind::kUI64)
        return false;
      PutAttrDict(op, items, kS);
      return true;
    }
    default:
      if (operands.empty() || m_.NumResults(op) != 1) return false;
      Put(' ');
      Operands(operands);
      PutAttrDict(op, items, kS);
      Put(" : ");
      if (form == mhlo::Form::kSameType) return PrintSameType(op, /*functional=*/true);
      FunctionalType(op, kS);
      return true;
  }
}

}  // namespace shlo::text
