// Custom assembly forms written by hand. Each returns whether it can represent the op completely; otherwise
// the op is printed in generic form.
#include <algorithm>

#include "ir/module/attr_names.h"
#include "ir/table/form.h"
#include "ir/table/ops.h"
#include "ir/table/trait.h"
#include "serialize/text/writer_ops.h"

namespace shlo::text {

bool OpPrinter::CustomForm(const Op& op, bool in_func) {
  if (SpellingOf(op) == Spelling::kVhlo) return m_.Is(op, ops::kFunc) && VhloFunc(op);
  switch (RowOf(ShapeOf(op)).form) {
    case Form::kGeneric:
      return false;
    case Form::kConstant:
      return Constant(op);
    case Form::kModule:
      return ModuleOp(op);
    case Form::kFunc:
      return Func(op);
    case Form::kReduce:
      return Reduce(op);
    case Form::kWhile:
      return While(op);
    case Form::kScan:
      return Scan(op);
    case Form::kFor:
      return For(op);
    case Form::kScfWhile:
      return ScfWhile(op);
    case Form::kForall:
      return Forall(op);
    case Form::kParallel:
      return Parallel(op);
    case Form::kReduceRegions:
      return ReduceRegions(op);
    default:
      return PrintForm(op, in_func);
  }
}

// op {attrs} dense<...> : type
bool OpPrinter::Constant(const Op& op) {
  if (m_.NumOperands(op) || m_.NumResults(op) != 1 || op.regions.count || op.successors.count) return false;
  const AttrId value = m_.AttributeOf(op, "value");
  const TypeId type = value ? m_.TypeOf(value) : TypeId();
  const bool typed = type && type == m_.TypeOf(ValueId(op.first_result));
  // In other dialects the form cannot state a second type.
  if (!typed && !m_.Is(op, ops::kConstant)) return false;
  Put(NameOf(op));
  if (!typed) {
    // MLIR prints these in generic form, but without quotes.
    GenericTail(op);
    return true;
  }
  Items items;
  CollectDiscardableAttrs(op, true, items);
  CollectDiscardableAttrs(op, false, items);
  if (!m_.RevisionIdOf(op)) std::erase_if(items, [](const Item& item) { return item.name == "value"; });
  PutAttrDict(op, items, Spelling::kStablehlo);
  Put(' ');
  attrs_.Attr(value, Spelling::kStablehlo);
  return true;
}

// module @name attributes {...} { ... }
bool OpPrinter::ModuleOp(const Op& op) {
  const auto regions = m_.RegionsOf(op);
  if (regions.size() != 1 || m_.NumOperands(op) || m_.NumResults(op) || op.successors.count) return false;
  const auto blocks = m_.BlocksOf(regions[0]);
  if (blocks.size() != 1 || m_.blocks[blocks[0].v].args.count) return false;
  const OpRevision& revision = RevisionOf(m_.RevisionIdOf(op));
  const auto inherent_attrs = m_.InherentAttrsOf(op);
  Items items;
  std::string_view name;
  bool named = false;
  for (size_t i = 0; i < inherent_attrs.size(); ++i) {
    if (!inherent_attrs[i]) continue;
    if (revision.attrs[i].name == "sym_name") {
      if (!m_.AsString(inherent_attrs[i], &name) || m_.attrs.KindOf(inherent_attrs[i]) != AttrKind::kString)
        return false;
      named = true;
    } else {
      items.push_back({Item::kSlot, revision.attrs[i].name, inherent_attrs[i], &revision.attrs[i]});
    }
  }
  CollectDiscardableAttrs(op, false, items);
  if (&op == &m_.ops[m_.top.v] && style_.version_on_module)
    items.push_back({Item::kVersion, kCompatVersion, {}, nullptr});
  Put("module");
  if (named) {
    Put(' ');
    PutSymbol(out_, name);
  }
  if (!items.empty()) {
    Put(" attributes");
    PutAttrDict(op, items, Spelling::kStablehlo);
  }
  Put(' ');
  PrintRegion(regions[0], /*entry_arguments=*/false, /*print_empty_header=*/false);
  return true;
}

// Returns the dictionaries of arg_attrs or res_attrs; false if the custom form cannot represent them, for
// example because their number is wrong. A list of empty dictionaries reads back as none, which is
// equivalent.
bool OpPrinter::DictList(const Op& op, std::string_view slot_name, size_t count,
                         std::vector<AttrId>* out) const {
  const int slot = RevisionOf(m_.RevisionIdOf(op)).FindSlot(slot_name);
  const AttrId attr = slot < 0 ? AttrId() : m_.InherentAttrsOf(op)[size_t(slot)];
  if (!attr) return true;
  if (m_.attrs.KindOf(attr) != AttrKind::kArray) return false;
  const IdList<AttrId> list = m_.ElementsOf(attr);
  if (list.empty()) return true;
  if (list.size() != count) return false;
  for (const AttrId item : list) {
    if (m_.attrs.KindOf(item) != AttrKind::kDict) return false;
    out->push_back(item);
  }
  return true;
}

void OpPrinter::FuncArguments(const Op& op, IdList<TypeId> types, std::span<const AttrId> dicts) {
  const RegionId body = m_.RegionsOf(op)[0];
  const auto blocks = m_.BlocksOf(body);
  List(types.size(), [&](size_t i) {
    ValueId value;
    if (!blocks.empty()) {
      value = m_.ArgOf(blocks[0], uint32_t(i));
      names_.PutUse(out_, value);
      Put(": ");
    }
    attrs_.Type(types[i], Spelling::kStablehlo);
    if (i < dicts.size() && !m_.Get<DictionaryAttr>(dicts[i]).entries.empty()) {
      Put(' ');
      // MLIR resolves aliases everywhere except here.
      if (!attrs_.collecting()) attrs_.Attr(dicts[i], Spelling::kStablehlo);
    }
    if (value) TrailingLocation(m_.values[value.v].loc, /*of_argument=*/true);
  });
}

namespace {

// Returns whether the entry block of a function op matches its signature.
std::optional<FunctionType> SignatureOf(const Module& m, const Op& op) {
  const auto type = m.FunctionTypeOf(op);
  if (!type) return std::nullopt;
  const auto regions = m.RegionsOf(op);
  if (regions.size() != 1 || m.NumOperands(op) || m.NumResults(op) || op.successors.count)
    return std::nullopt;
  const auto blocks = m.BlocksOf(regions[0]);
  if (blocks.empty()) return type;
  const Range args = m.blocks[blocks[0].v].args;
  if (args.count != type->inputs.size()) return std::nullopt;
  for (uint32_t i = 0; i < args.count; ++i)
    if (m.values[args.first + i].type != type->inputs[i]) return std::nullopt;
  // An empty body would read back as a declaration, or not at all.
  return blocks.size() > 1 || !m.OpsOf(blocks[0]).empty() ? type : std::nullopt;
}

}  // namespace

// func.func private @f(%arg0: type {attrs}) -> (type {attrs}) attributes {...} { ... }
bool OpPrinter::Func(const Op& op) {
  std::string_view name, visibility;
  const AttrId sym_name = m_.InherentAttrOf(op, "sym_name");
  const AttrId sym_visibility = m_.InherentAttrOf(op, "sym_visibility");
  if (!sym_name || m_.attrs.KindOf(sym_name) != AttrKind::kString || !m_.AsString(sym_name, &name))
    return false;
  const auto signature = SignatureOf(m_, op);
  if (!signature) return false;
  const IdList<TypeId> inputs = signature->inputs, results = signature->results;
  if (sym_visibility) {
    if (m_.attrs.KindOf(sym_visibility) != AttrKind::kString || !m_.AsString(sym_visibility, &visibility))
      return false;
    if (visibility != "" && visibility != "private" && visibility != "public" && visibility != "nested")
      return false;
  }
  std::vector<AttrId> arg_dicts, result_dicts;
  if (!DictList(op, "arg_attrs", inputs.size(), &arg_dicts) ||
      !DictList(op, "res_attrs", results.size(), &result_dicts))
    return false;
  const RegionId body = m_.RegionsOf(op)[0];
  names_.NameEntry(body, scope_);

  Put(NameOf(op));
  Put(' ');
  if (!visibility.empty()) {
    Put(visibility);
    Put(' ');
  }
  PutSymbol(out_, name);
  Put('(');
  FuncArguments(op, inputs, arg_dicts);
  Put(')');
  if (!results.empty()) {
    Put(" -> ");
    const auto has_dict = [&](size_t i) {
      return i < result_dicts.size() && !m_.Get<DictionaryAttr>(result_dicts[i]).entries.empty();
    };
    const bool bare =
        results.size() == 1 && !has_dict(0) && m_.types.KindOf(results[0]) != TypeKind::kFunction;
    if (!bare) Put('(');
    List(results.size(), [&](size_t i) {
      attrs_.Type(results[i], Spelling::kStablehlo);
      if (!has_dict(i)) return;
      Put(' ');
      attrs_.Attr(result_dicts[i], Spelling::kStablehlo);
    });
    if (!bare) Put(')');
  }
  Items items;
  CollectDiscardableAttrs(op, true, items);
  CollectDiscardableAttrs(op, false, items);
  if (!items.empty()) {
    Put(" attributes");
    PutAttrDict(op, items, Spelling::kStablehlo);
  }
  if (!m_.BlocksOf(body).empty()) {
    Put(' ');
    PrintRegion(body, /*entry_arguments=*/false, /*print_empty_header=*/true,
                /*in_func=*/m_.Is(op, ops::kFunc));
  }
  return true;
}

// vhlo.func_v1 @f(%arg0: type) -> (type) { ... } {attrs}
bool OpPrinter::VhloFunc(const Op& op) {
  constexpr Spelling kP = Spelling::kVhlo;
  std::string_view name;
  const AttrId sym_name = m_.InherentAttrOf(op, "sym_name");
  if (!sym_name || m_.attrs.KindOf(sym_name) != AttrKind::kString || !m_.AsString(sym_name, &name))
    return false;
  const auto signature = SignatureOf(m_, op);
  if (!signature) return false;
  const IdList<TypeId> inputs = signature->inputs, results = signature->results;
  const RegionId body = m_.RegionsOf(op)[0];
  const auto blocks = m_.BlocksOf(body);
  if (blocks.empty()) return false;
  names_.NameEntry(body, scope_);
  Put(VhloName(m_.RevisionIdOf(op)));
  Put(' ');
  PutSymbol(out_, name);
  Put('(');
  List(inputs.size(), [&](size_t i) { BlockArgument(m_.ArgOf(blocks[0], uint32_t(i)), kP); });
  Put(") -> (");
  List(results.size(), [&](size_t i) { attrs_.Type(results[i], kP); });
  Put(") ");
  PrintRegion(body);
  Items items;
  CollectInherentAttrs(op, kP, items);
  std::erase_if(items, [](const Item& i) { return i.name == "sym_name" || i.name == "function_type"; });
  CollectDiscardableAttrs(op, true, items);
  CollectDiscardableAttrs(op, false, items);
  PutAttrDict(op, items, kP);
  return true;
}

// Returns whether a reduction's body is one commutative op on its two arguments, so that its name suffices.
bool OpPrinter::CompactReduction(const Op& op, const Op** inner_out) const {
  const auto blocks = m_.BlocksOf(m_.RegionsOf(op)[0]);
  const Range args = m_.blocks[blocks[0].v].args;
  const auto ops = m_.OpsOf(blocks[0]);
  if (ops.size() != 2 || args.count != 2) return false;
  const Op& inner = m_.ops[ops[0].v];
  const Op& result = m_.ops[ops[1].v];
  if (!m_.Has(inner, Trait::kCommutative)) return false;
  if (!m_.Is(result, ops::kReturn) || m_.DiscardableAttrsOf(inner).size() ||
      m_.DiscardableAttrsOf(result).size())
    return false;
  const auto operands = m_.OperandsOf(inner);
  const auto returned = m_.OperandsOf(result);
  if (operands.size() != 2 || operands[0].v != args.first || operands[1].v != args.first + 1) return false;
  if (m_.NumResults(inner) != 1 || returned.size() != 1 || returned[0].v != inner.first_result) return false;
  // Implied ops get the location of the reduction.
  if (options_.locations && style_.exact)
    for (AttrId loc : {inner.loc, result.loc, m_.values[args.first].loc, m_.values[args.first + 1].loc})
      if (loc != op.loc) return false;
  // The type of the inner op is implied by the first input's element type.
  const TypeId type = m_.TypeOf(operands[0]);
  if (m_.TypeOf(operands[1]) != type || m_.TypeOf(returned[0]) != type) return false;
  const auto input = m_.As<TensorType>(m_.TypeOf(m_.OperandsOf(op)[0])), scalar = m_.As<TensorType>(type);
  if (!input || !scalar || !scalar->shape.empty() || scalar->encoding || scalar->element != input->element)
    return false;
  *inner_out = &inner;
  return true;
}

// op(%a init: %b) applies op2 across dimensions = [1] {attrs} : (types) -> type
// op(%a init: %b), (%c init: %d) across dimensions = [1] : (types) -> (types)
//  reducer(%x: type, %y: type) (%z: type, %w: type)  { ... }
bool OpPrinter::Reduce(const Op& op) {
  const auto operands = m_.OperandsOf(op);
  const auto regions = m_.RegionsOf(op);
  const int slot = RevisionOf(m_.RevisionIdOf(op)).FindSlot("dimensions");
  if (operands.empty() || operands.size() % 2 || regions.size() != 1 || slot < 0 || op.successors.count)
    return false;
  const AttrId dimensions = m_.InherentAttrsOf(op)[size_t(slot)];
  const auto blocks = m_.BlocksOf(regions[0]);
  if (!dimensions || m_.attrs.KindOf(dimensions) != AttrKind::kI64Array || blocks.size() != 1) return false;
  if (m_.blocks[blocks[0].v].args.count != operands.size() || m_.OpsOf(blocks[0]).empty()) return false;
  const Op* inner = nullptr;
  const bool compact = CompactReduction(op, &inner);
  const size_t pairs = operands.size() / 2;
  Put(NameOf(op));
  for (size_t i = 0; i < pairs; ++i) {
    Put(i ? ", (" : "(");
    names_.PutUse(out_, operands[i]);
    Put(" init: ");
    names_.PutUse(out_, operands[i + pairs]);
    Put(')');
  }
  if (compact) {
    Put(" applies ");
    Put(NameOf(*inner));
  }
  Put(" across dimensions = ");
  PutInts(m_.Get<I64ArrayAttr>(dimensions).values);
  Items items;
  CollectDiscardableAttrs(op, true, items);
  CollectDiscardableAttrs(op, false, items);
  PutAttrDict(op, items, Spelling::kStablehlo);
  Put(" : ");
  FunctionalType(op, Spelling::kStablehlo);
  if (compact) return true;
  Put('\n');
  Indent();
  Put(" reducer");
  names_.NameEntry(regions[0], scope_);
  for (size_t i = 0; i < pairs; ++i) {
    Put('(');
    BlockArgument(m_.ArgOf(blocks[0], uint32_t(i)), Spelling::kStablehlo);
    Put(", ");
    BlockArgument(m_.ArgOf(blocks[0], uint32_t(i + pairs)), Spelling::kStablehlo);
    Put(") ");
  }
  Put(' ');
  PrintRegion(regions[0]);
  return true;
}

}  // namespace shlo::text
