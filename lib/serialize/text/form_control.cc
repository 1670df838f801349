// Custom directives of ops with regions, successors and lists of indices: cf, scf, tensor and sdy; and the
// forms of scf that name the arguments of their regions.
#include <algorithm>
#include <cstring>

#include "base/format.h"
#include "ir/module/attr_names.h"
#include "serialize/text/form_directives.h"

namespace shlo::text {

// --- Types -----------------------------------------------------------------------------------------

// " -> type", " -> (types)", or nothing: the types of the results.
bool Directives::ReadResultTypes(Reader& r, Draft&, const FormRef*) {
  if (!r.c_.EatArrow()) return true;
  std::vector<TypeId> types;
  if (!r.ReadTypeOrList(&types)) return false;
  for (TypeId type : types) r.stated_.push_back({true, 0, type});
  return true;
}

bool Directives::PrintResultTypes(OpPrinter& p, const Op& op, const FormRef*) {
  if (p.m_.NumResults(op) == 0) return true;
  p.Put(" -> ");
  p.ResultTypes(op, Spelling::kStablehlo);
  return true;
}

// The type of the callee, a function, which implies the others.
bool Directives::ReadCalleeType(Reader& r, Draft& d, const FormRef*) {
  r.BeginTypes(d);
  const char* at = (r.c_.Skip(), r.c_.p);
  TypeId type;
  if (!r.ReadType(&type)) return false;
  const auto function = r.m_.As<FunctionType>(type);
  if (!function) return r.FailCustom(d, at, "expected the type of a function");
  const std::vector<TypeId> inputs = function->inputs.ToVector(), results = function->results.ToVector();
  r.types_.push_back(type);
  r.types_.insert(r.types_.end(), inputs.begin(), inputs.end());
  d.results = r.types_.size();
  r.types_.insert(r.types_.end(), results.begin(), results.end());
  return true;
}

bool Directives::PrintCalleeType(OpPrinter& p, const Op& op, const FormRef*) {
  const OpSignature signature = p.m_.SignatureOf(op);
  const auto function = p.m_.As<FunctionType>(signature.operand_types[0]);
  if (!function || !std::ranges::equal(function->inputs, signature.operand_types.subspan(1)) ||
      !std::ranges::equal(function->results, signature.result_types))
    return false;
  p.attrs_.Type(signature.operand_types[0], Spelling::kStablehlo);
  return true;
}

// --- Lists -----------------------------------------------------------------------------------------

// [0, %i, 2]: numbers, and operands of a cell where the attribute has a dynamic size.
bool Reader::ReadMixed(char open, std::string_view before, char close, std::string_view after, uint8_t cell,
                       std::vector<int64_t>* values) {
  const size_t first = uses_.size();
  if (!ReadList(open, before, close, after, [&] {
        values->push_back(kDynamic);
        return c_.Peek() == '%' ? ReadUse(&uses_.emplace_back()) : ReadInt64(&values->back());
      }))
    return false;
  groups_.push_back({cell, uint32_t(uses_.size() - first)});
  return true;
}

bool Directives::ReadMixedIndices(Reader& r, Draft& d, const FormRef* args) {
  const char* at = (r.c_.Skip(), r.c_.p);
  std::vector<int64_t> values;
  if (!r.ReadMixed('[', "", ']', "", args[0].index, &values)) return false;
  r.PushAttr(NameOf(d, args[1]), r.m_.I64s(values), at);
  return true;
}

bool Directives::PrintMixedIndices(OpPrinter& p, const Op& op, const FormRef* args) {
  std::span<const int64_t> values;
  if (!Ints(p, ValueOf(p, op, args[1]), &values)) return false;
  const auto [first, count] = p.OperandsAt(op, args[0].index);
  const auto operands = p.m_.OperandsOf(op).subspan(first, count);
  if (size_t(std::ranges::count(values, kDynamic)) != operands.size()) return false;
  p.Put('[');
  size_t next = 0;
  p.List(values.size(), [&](size_t i) {
    if (values[i] == kDynamic)
      p.Operands(operands.subspan(next++, 1));
    else
      PutInt(p.out_, values[i]);
  });
  p.Put(']');
  return true;
}

// [<@mesh, [{}]>, ...]: the list of an attribute without the brackets around it.
bool Directives::ReadShardings(Reader& r, Draft& d, const FormRef* args) {
  const char* at = (r.c_.Skip(), r.c_.p);
  if (r.c_.Peek() != '[') return r.FailExpected("'['");
  if (!r.c_.SkipBalanced()) return r.Fail(at, "the brackets of the attribute do not match");
  const TextClass& text = *TextClassOf(AttrClass::kShardingPerValue);
  AttrId value;
  if (!r.KeepText(text.dialect,
                  StrFormat(".{}<{}>", text.mnemonic, std::string_view(at, size_t(r.c_.p - at))), at, &value))
    return false;
  r.PushAttr(NameOf(d, args[0]), value, at);
  return true;
}

bool Directives::PrintShardings(OpPrinter& p, const Op& op, const FormRef* args) {
  const AttrId value = ValueOf(p, op, args[0]);
  const std::string_view body =
      value ? p.TextAfterMnemonic(value, *TextClassOf(AttrClass::kShardingPerValue)) : std::string_view();
  if (!body.starts_with('<') || !body.ends_with('>')) return false;
  p.Put(body.substr(1, body.size() - 2));
  return true;
}

// --- Regions ---------------------------------------------------------------------------------------

// (%a: type, ...) { ops }: a region of one block, whose arguments precede it.
bool Directives::ReadArguments(Reader& r, Draft& d, const FormRef*) {
  std::vector<Reader::BlockArg> args;
  if (r.c_.Peek() != '(') return r.FailExpected("'('");
  return r.ReadBlockArgs(&args) && r.AddRegion(d, args, true);
}

bool Directives::PrintArguments(OpPrinter& p, const Op& op, const FormRef*) {
  const auto blocks = p.m_.BlocksOf(p.m_.RegionsOf(op)[0]);
  if (blocks.size() != 1 || p.m_.OpsOf(blocks[0]).empty()) return false;
  p.names_.NameEntry(p.m_.RegionsOf(op)[0], p.scope_);
  p.Put('(');
  const Range args = p.m_.blocks[blocks[0].v].args;
  p.List(args.count,
         [&](size_t i) { p.BlockArgument(p.m_.ArgOf(blocks[0], uint32_t(i)), Spelling::kStablehlo); });
  p.Put(") ");
  p.PrintRegion(p.m_.RegionsOf(op)[0]);
  return true;
}

// case 2 { ops } case 5 { ops } default { ops }, each on its own line. The default region is the first.
bool Directives::ReadSwitchRegions(Reader& r, Draft& d, const FormRef* args) {
  const char* at = (r.c_.Skip(), r.c_.p);
  std::vector<int64_t> cases;
  while (r.c_.EatWord("case"))
    if (!r.ReadInt64(&cases.emplace_back()) || !r.AddRegion(d)) return false;
  if (!r.ReadLiteral(d, "default") || !r.AddRegion(d)) return false;
  std::rotate(r.regions_.end() - ptrdiff_t(cases.size()) - 1, r.regions_.end() - 1, r.regions_.end());
  r.PushAttr(NameOf(d, args[0]), r.m_.I64s(cases), at);
  return true;
}

bool Directives::PrintSwitchRegions(OpPrinter& p, const Op& op, const FormRef* args) {
  const auto regions = p.m_.RegionsOf(op);
  std::span<const int64_t> cases;
  if (!Ints(p, ValueOf(p, op, args[0]), &cases) || regions.size() != cases.size() + 1) return false;
  for (size_t i = 0; i < cases.size(); ++i) {
    p.Put('\n');
    p.Indent();
    p.Put("case ");
    PutInt(p.out_, cases[i]);
    p.Put(' ');
    p.PrintRegion(regions[i + 1], /*entry_arguments=*/true);
  }
  p.Put('\n');
  p.Indent();
  p.Put("default ");
  p.PrintRegion(regions[0], /*entry_arguments=*/true);
  return true;
}

// --- Successors ------------------------------------------------------------------------------------

bool Directives::ReadSuccessorWithOperands(Reader& r, Draft& d, uint8_t cell) {
  r.c_.Skip();
  const char* at = r.c_.p;
  if (!r.c_.Eat('^')) return r.FailExpected("a block label, such as ^bb1");
  const std::string_view label = r.c_.Name();
  if (label.empty()) return r.Fail(at, "a block label needs a name after '^'");
  r.successors_.push_back(r.LabelFor(label, at).block);
  const size_t before = r.uses_.size(), types = r.stated_.size();
  if (r.c_.Eat('(')) {
    if (!r.ReadUses() || !r.Expect(':', "before the types of the operands") ||
        !r.StateTypes(d, {RefKind::kOperand, cell}, true) || !r.Expect(')', "after the operands"))
      return false;
  }
  if (r.stated_.size() - types != r.uses_.size() - before)
    return r.FailCustom(d, at, "number of operands and types do not match");
  r.groups_.push_back({cell, uint32_t(r.uses_.size() - before)});
  return true;
}

void Directives::PrintSuccessorWithOperands(OpPrinter& p, BlockId block, std::span<const ValueId> operands) {
  p.names_.PutBlock(p.out_, block);
  if (operands.empty()) return;
  p.Put('(');
  p.Operands(operands);
  p.Put(" : ");
  p.TypesOf(operands, Spelling::kStablehlo);
  p.Put(')');
}

// ^bb1(%a, %b : type, type)
bool Directives::ReadSuccessor(Reader& r, Draft& d, const FormRef* args) {
  return ReadSuccessorWithOperands(r, d, args[0].index);
}

bool Directives::PrintSuccessor(OpPrinter& p, const Op& op, const FormRef* args) {
  const auto cells = RevisionOf(p.ShapeOf(op)).operands;
  const size_t index = size_t(std::count_if(cells.begin(), cells.begin() + args[0].index,
                                            [](const Cell& cell) { return cell.variadic; }));
  const auto successors = p.m_.SuccessorsOf(op);
  if (successors.size() != size_t(std::ranges::count_if(cells, &Cell::variadic))) return false;
  const auto [first, count] = p.OperandsAt(op, args[0].index);
  PrintSuccessorWithOperands(p, successors[index], p.m_.OperandsOf(op).subspan(first, count));
  return true;
}

// weights([1, 2]), or nothing
bool Directives::ReadBranchWeights(Reader& r, Draft& d, const FormRef* args) {
  const char* at = (r.c_.Skip(), r.c_.p);
  if (!r.c_.EatWord("weights")) return true;
  std::vector<int64_t> values;
  if (!r.Expect('(', "before the weights") || !r.ReadFormInts(d, &values) ||
      !r.Expect(')', "after the weights"))
    return false;
  const std::vector<int32_t> weights(values.begin(), values.end());
  r.PushAttr(NameOf(d, args[0]), MakeI32s(&r.m_, weights), at);
  return true;
}

namespace {

// Returns the elements of a vector of integers, as signed numbers.
bool IntegersOf(const Module& m, AttrId value, std::vector<int64_t>* out) {
  const auto elements = m.As<ElementsAttr>(value);
  const auto vector = elements ? m.As<VectorType>(elements->type) : std::nullopt;
  if (!vector || vector->shape.size() != 1 || vector->shape[0] < 0 || vector->shape[0] > 1 << 16)
    return false;
  const size_t bytes = m.ElementBytes(vector->element);
  const Payload payload = m.payloads[elements->payload];
  if (bytes == 0 || bytes > 8 || payload.size < bytes * (elements->splat ? 1 : uint64_t(vector->shape[0])))
    return false;
  for (int64_t i = 0; i < vector->shape[0]; ++i) {
    uint64_t bits = 0;
    std::memcpy(&bits, payload.data + (elements->splat ? 0 : bytes * uint64_t(i)), bytes);
    const int unused = 64 - 8 * int(bytes);
    out->push_back(int64_t(bits << unused) >> unused);
  }
  return true;
}

}  // namespace

bool Directives::PrintBranchWeights(OpPrinter& p, const Op& op, const FormRef* args) {
  const AttrId value = ValueOf(p, op, args[0]);
  if (!value) return true;
  const std::vector<int32_t> weights = I32sOf(p.m_, value);
  if (weights.empty()) return false;
  p.Put(" weights(");
  p.PutInts(std::vector<int64_t>(weights.begin(), weights.end()));
  p.Put(')');
  return true;
}

// default: ^bb1(%a : type), 42: ^bb2, ...
bool Directives::ReadSwitchCases(Reader& r, Draft& d, const FormRef* args) {
  const char* at = (r.c_.Skip(), r.c_.p);
  if (!r.ReadLiteral(d, "default") || !r.Expect(':', "after 'default'") ||
      !ReadSuccessorWithOperands(r, d, args[0].index))
    return false;
  const size_t first = r.groups_.size();
  std::vector<Number> values;
  while (r.c_.Eat(',')) {
    if (!ReadNumber(r.c_, &values.emplace_back())) return r.FailCustom(d, r.c_.p, "expected integer value");
    if (!r.Expect(':', "after the value of a case") || !ReadSuccessorWithOperands(r, d, args[1].index))
      return false;
  }
  std::vector<int32_t> segments;
  uint32_t all = 0;
  for (size_t i = first; i < r.groups_.size(); ++i) {
    segments.push_back(int32_t(r.groups_[i].count));
    all += r.groups_[i].count;
  }
  r.groups_.resize(first);
  r.groups_.push_back({args[1].index, all});
  r.PushAttr(NameOf(d, args[3]), MakeI32s(&r.m_, segments), at);
  if (values.empty()) return true;
  const TypeId flag = r.stated_[d.stated].type;  // the form states it before the cases
  std::string bytes;
  for (const Number& value : values) {
    AttrId number;
    int64_t bits;
    if (!r.IntegerAttr(value, flag, &number)) return false;
    if (!r.m_.AsInteger(number, &bits)) return r.FailForm(d);
    bytes.append(reinterpret_cast<const char*>(&bits), r.m_.ElementBytes(flag));
  }
  const int64_t shape[] = {int64_t(values.size())}, scalable[] = {0};
  const TypeId type = r.m_.Make(VectorType{.element = flag, .shape = shape, .scalable = scalable});
  r.PushAttr(NameOf(d, args[2]), r.ElementsOf(type, bytes, false), at);
  return true;
}

bool Directives::PrintSwitchCases(OpPrinter& p, const Op& op, const FormRef* args) {
  const auto successors = p.m_.SuccessorsOf(op);
  const std::vector<int32_t> segments = I32sOf(p.m_, ValueOf(p, op, args[3]));
  std::vector<int64_t> values;
  if (const AttrId value = ValueOf(p, op, args[2]); value && !IntegersOf(p.m_, value, &values)) return false;
  if (successors.size() != values.size() + 1 || segments.size() != values.size()) return false;
  const auto [first_default, defaults] = p.OperandsAt(op, args[0].index);
  auto [first, left] = p.OperandsAt(op, args[1].index);
  const auto line = [&](std::string_view label) {
    p.Put('\n');
    p.Indent();
    p.Put("  ");
    p.Put(label);
    p.Put(": ");
  };
  line("default");
  PrintSuccessorWithOperands(p, successors[0], p.m_.OperandsOf(op).subspan(first_default, defaults));
  for (size_t i = 0; i < values.size(); ++i) {
    if (segments[i] < 0 || uint32_t(segments[i]) > left) return false;
    p.Put(',');
    line(StrFormat("{}", values[i]));
    PrintSuccessorWithOperands(p, successors[i + 1], p.m_.OperandsOf(op).subspan(first, size_t(segments[i])));
    first += uint32_t(segments[i]);
    left -= uint32_t(segments[i]);
  }
  p.Put('\n');
  p.Indent();
  return left == 0;
}

// --- Loops over several dimensions -----------------------------------------------------------------

// (%i, %j): arguments of type index
bool Reader::ReadIndexNames(std::vector<BlockArg>* args) {
  return ReadList('(', "before the induction variables", ')', "after the induction variables", [&] {
    BlockArg& arg = args->emplace_back();
    arg.type = m_.Type(TypeKind::kIndex);
    return ReadValueName(&arg.name, &arg.at);
  });
}

// scf.forall (%i) = (0) to (%n) step (1) shared_outs(%o = %t) -> (types) { region } {attrs}, or
// scf.forall (%i) in (%n)
bool Reader::ReadForall(Draft& d) {
  std::vector<BlockArg> args;
  std::vector<int64_t> bounds[3];
  const char* at = (c_.Skip(), c_.p);
  const auto read = [&](uint8_t cell) {  // (0, %n)
    return ReadMixed('(', "before the bounds", ')', "after the bounds", cell, &bounds[cell]);
  };
  d.results = SIZE_MAX;
  if (!ReadIndexNames(&args)) return false;
  const size_t rank = args.size();
  if (c_.EatWord("in")) {
    bounds[0].assign(rank, 0);
    bounds[2].assign(rank, 1);
    if (!read(1)) return false;
  } else if (!Expect('=', "after the induction variables") || !read(0) || !ReadLiteral(d, "to") || !read(1) ||
             !ReadLiteral(d, "step") || !read(2)) {
    return false;
  }
  for (const auto& list : bounds)
    if (list.size() != rank) return FailCustom(d, at, "expected as many bounds as induction variables");
  const char* const names[] = {"staticLowerBound", "staticUpperBound", "staticStep"};
  for (size_t i = 0; i < 3; ++i) PushAttr(names[i], m_.I64s(bounds[i]), at);
  const size_t before = uses_.size();
  if (c_.EatWord("shared_outs")) {
    std::vector<TypeId> types;
    if (!ReadInits(&args, "before the shared outputs", "after the shared outputs") || !ExpectArrow() ||
        !ReadTypeOrList(&types))
      return false;
    if (types.size() != args.size() - rank)
      return FailCustom(d, at, "mismatch in number of outputs and types");
    for (size_t i = 0; i < types.size(); ++i) {
      args[rank + i].type = types[i];
      stated_.push_back({false, 3, types[i]});
      stated_.push_back({true, 0, types[i]});
    }
  }
  groups_.push_back({3, uint32_t(uses_.size() - before)});
  return AddRegion(d, args, true) && ReadOptionalAttrDict() && FormIsComplete(d) && ReadOptionalLoc(&d.loc) &&
         Finish(d);
}

bool OpPrinter::Forall(const Op& op) {
  const OpRevision& shape = RevisionOf(ShapeOf(op));
  const auto operands = m_.OperandsOf(op);
  const auto regions = m_.RegionsOf(op);
  if (!FitsCells(m_, op, shape) || regions.size() != 1 || op.successors.count) return false;
  const auto [first_output, outputs] = OperandsAt(op, 3);
  std::span<const int64_t> bounds[3];
  const char* const names[] = {"staticLowerBound", "staticUpperBound", "staticStep"};
  for (size_t i = 0; i < 3; ++i)
    if (!Directives::Ints(*this, m_.AttributeOf(op, names[i]), &bounds[i])) return false;
  const size_t rank = bounds[0].size();
  const BlockId block = BlockWith(regions[0], rank + outputs);
  if (!block || bounds[1].size() != rank || bounds[2].size() != rank || m_.NumResults(op) != outputs)
    return false;
  const auto types = m_.SignatureOf(op).operand_types.subspan(first_output, outputs);
  if (!std::ranges::equal(types, m_.SignatureOf(op).result_types)) return false;
  for (size_t i = 0; i < outputs; ++i)
    if (m_.TypeOf(m_.ArgOf(block, uint32_t(rank + i))) != types[i]) return false;
  names_.NameEntry(regions[0], scope_);
  const auto put = [&](size_t which) {
    const auto [first, count] = OperandsAt(op, which);
    size_t next = first;
    const size_t end = first + count;
    Put('(');
    List(rank, [&](size_t i) {
      if (bounds[which][i] != kDynamic)
        PutInt(out_, bounds[which][i]);
      else if (next < end)
        names_.PutUse(out_, operands[next++]);
    });
    Put(')');
  };
  for (size_t i = 0; i < 3; ++i)
    if (size_t(std::ranges::count(bounds[i], kDynamic)) != OperandsAt(op, i).second) return false;
  Put(m_.NameOf(op));
  Put(" (");
  List(rank, [&](size_t i) { names_.PutUse(out_, m_.ArgOf(block, uint32_t(i))); });
  Put(')');
  const bool normal = std::ranges::all_of(bounds[0], [](int64_t v) { return v == 0; }) &&
                      std::ranges::all_of(bounds[2], [](int64_t v) { return v == 1; });
  Put(normal ? " in " : " = ");
  if (!normal) {
    put(0);
    Put(" to ");
  }
  put(1);
  if (!normal) {
    Put(" step ");
    put(2);
  }
  if (outputs) {
    Put(" shared_outs");
    Inits(block, rank, operands.subspan(first_output, outputs));
    Put(" -> (");
    TypesOf(operands.subspan(first_output, outputs), Spelling::kStablehlo);
    Put(')');
  }
  Put(' ');
  PrintRegion(regions[0]);
  RevisionForm form = FormOf(ShapeOf(op));
  for (const char* name : names) form.placed |= uint64_t(1) << shape.FindSlot(name);
  PrintOtherAttrs(op, form);
  return true;
}

// scf.parallel (%i) = (%a) to (%b) step (%c) init (%d) -> types { region } {attrs}
bool Reader::ReadParallel(Draft& d) {
  std::vector<BlockArg> args;
  std::vector<TypeId> types;
  const char* at = (c_.Skip(), c_.p);
  d.results = SIZE_MAX;
  const auto uses = [&](uint8_t cell) {
    const size_t before = uses_.size();
    if (!Expect('(', "before the operands") || !ReadUses() || !Expect(')', "after the operands"))
      return false;
    groups_.push_back({cell, uint32_t(uses_.size() - before)});
    return true;
  };
  if (!ReadIndexNames(&args) || !Expect('=', "after the induction variables") || !uses(0) ||
      !ReadLiteral(d, "to") || !uses(1) || !ReadLiteral(d, "step") || !uses(2))
    return false;
  if (!c_.EatWord("init"))
    groups_.push_back({3, 0});
  else if (!uses(3))
    return false;
  if (c_.EatArrow() && !ReadTypeOrList(&types)) return false;
  if (types.size() != groups_.back().count)
    return FailCustom(d, at, "mismatch in number of initial values and types");
  for (TypeId type : types) {
    stated_.push_back({false, 3, type});
    stated_.push_back({true, 0, type});
  }
  return AddRegion(d, args, true) && ReadOptionalAttrDict() && FormIsComplete(d) && ReadOptionalLoc(&d.loc) &&
         Finish(d);
}

bool OpPrinter::Parallel(const Op& op) {
  const OpRevision& shape = RevisionOf(ShapeOf(op));
  const auto operands = m_.OperandsOf(op);
  const auto regions = m_.RegionsOf(op);
  if (!FitsCells(m_, op, shape) || regions.size() != 1 || op.successors.count) return false;
  const size_t rank = OperandsAt(op, 0).second;
  const BlockId block = BlockWith(regions[0], rank);
  const auto [first_init, inits] = OperandsAt(op, 3);
  const OpSignature signature = m_.SignatureOf(op);
  if (!block ||
      !std::ranges::equal(signature.operand_types.subspan(first_init, inits), signature.result_types))
    return false;
  names_.NameEntry(regions[0], scope_);
  Put(m_.NameOf(op));
  Put(" (");
  List(rank, [&](size_t i) { names_.PutUse(out_, m_.ArgOf(block, uint32_t(i))); });
  const char* const words[] = {") = (", ") to (", ") step (", ") init ("};
  for (size_t i = 0; i < (inits ? 4 : 3); ++i) {
    const auto [first, count] = OperandsAt(op, i);
    Put(words[i]);
    Operands(operands.subspan(first, count));
  }
  Put(')');
  if (inits) {
    Put(" -> ");
    ResultTypes(op, Spelling::kStablehlo);
  }
  Put(' ');
  PrintRegion(regions[0]);
  PrintOtherAttrs(op, FormOf(ShapeOf(op)));
  return true;
}

// scf.reduce(%a, %b : types) { region } { region } {attrs}
bool Reader::ReadReduceRegions(Draft& d) {
  d.results = SIZE_MAX;
  if (c_.Eat('(')) {
    if (!ReadUses() || !Expect(':', "before the types of the operands")) return false;
    BeginTypes(d);
    if (!ReadTypeRun() || !Expect(')', "after the types of the operands")) return false;
    for (size_t i = d.uses; i < uses_.size(); ++i) {
      if (i > d.uses) c_.Eat(',');
      if (!AddRegion(d)) return false;
    }
  }
  d.results = types_.size();
  return ReadOptionalAttrDict() && ReadOptionalLoc(&d.loc) && Finish(d);
}

bool OpPrinter::ReduceRegions(const Op& op) {
  const auto operands = m_.OperandsOf(op);
  const auto regions = m_.RegionsOf(op);
  if (m_.NumResults(op) || op.successors.count || operands.size() != regions.size()) return false;
  Put(m_.NameOf(op));
  if (!operands.empty()) {
    Put('(');
    Operands(operands);
    Put(" : ");
    TypesOf(operands, Spelling::kStablehlo);
    Put(')');
  }
  Put(' ');
  for (size_t i = 0; i < regions.size(); ++i) {
    if (i) Put(", ");
    PrintRegion(regions[i], /*entry_arguments=*/true);
  }
  PrintOtherAttrs(op, FormOf(ShapeOf(op)));
  return true;
}

}  // namespace shlo::text
