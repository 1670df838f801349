// Custom forms of ops, as named by the op table. Other ops have the generic form only.
#include <algorithm>

#include "base/format.h"
#include "ir/nearest_names.h"
#include "ir/table/form.h"
#include "ir/table/ops.h"
#include "ir/table/trait.h"
#include "serialize/text/reader_impl.h"
#include "shlo/types.h"

namespace shlo::text {

bool Reader::FailForm(const Draft& d) {
  return Fail(d.name_at, "the custom form of '" + std::string(d.name->name) + "' is not supported",
              "use the generic form: \"" + std::string(d.name->name) + "\"(operands) {attributes} : type",
              Code::kUnsupported);
}

bool Reader::ReadCustomOp(Draft& d) {
  std::string_view word = c_.Word();
  if (word.empty()) return FailExpected("an op");
  if (word.find('.') == std::string_view::npos) {
    // The dialect may be omitted: it is builtin at top level, and the function's dialect inside a function.
    std::string full;
    const Context& context = contexts_.back();
    if (word == "module")
      full = "builtin.module";
    else if (!context.dialect.empty())
      full = std::string(context.dialect) + "." + std::string(word);
    const auto known = [&] { return FindOp(full) || FindOtherOp(full); };
    if (full.empty() || !known()) full = "func." + std::string(word);
    if (!known())
      return Fail(d.name_at, "unknown op '" + std::string(word) + "'", DidYouMean(NearestOp(word)));
    d.name = FindName(full, d.name_at);
  } else {
    d.name = FindName(word, d.name_at);
  }
  if (!d.name) return false;
  d.revision = RevisionFor(*d.name);
  d.shape = d.revision ? d.revision : d.name->shape;
  if (d.name->vhlo && d.name->form != Form::kFunc) return FailForm(d);
  if (d.name->mhlo && !d.name->row) return ReadMhlo(d);
  switch (d.name->form) {
    case Form::kModule:
      return ReadModule(d);
    case Form::kFunc:
      return ReadFunction(d);
    case Form::kConstant:
      return ReadConstant(d);
    case Form::kReduce:
      return ReadReduce(d);
    case Form::kWhile:
      return ReadWhile(d);
    case Form::kScan:
      return ReadScan(d);
    case Form::kFor:
      return ReadFor(d);
    case Form::kScfWhile:
      return ReadScfWhile(d);
    case Form::kForall:
      return ReadForall(d);
    case Form::kParallel:
      return ReadParallel(d);
    case Form::kReduceRegions:
      return ReadReduceRegions(d);
    case Form::kOneLine:  // the form of most ops: a fast path without its format
    case Form::kGeneric:
      break;
    default:
      return ReadForm(d);
  }
  return ReadOneLine(d);
}

// module @name attributes {...} { ops }
bool Reader::ReadModule(Draft& d) {
  if (c_.Peek() == '@') {
    const char* at = c_.p;
    std::string_view name;
    if (!ReadSymbol(&name)) return false;
    PushAttr("sym_name", m_.String(name), at);
  }
  if (c_.EatWord("attributes") && !ReadAttrDict()) return false;
  return AddRegion(d, {}, true) && ReadOptionalLoc(&d.loc) && Finish(d);
}

// --- Functions --------------------------------------------------------------------------------------

// func.func public @name(%a: t {attrs} loc(..), ...) -> (t {attrs}, ...) attributes {...} { body }
bool Reader::ReadFunction(Draft& d) {
  const char* at = (c_.Skip(), c_.p);
  for (std::string_view visibility : {"public", "private", "nested"})
    if (c_.PeekWord(visibility)) {
      PushAttr("sym_visibility", m_.String(visibility), at);
      c_.EatWord(visibility);
      break;
    }
  std::string_view name;
  at = (c_.Skip(), c_.p);
  if (!ReadSymbol(&name)) return false;
  PushAttr("sym_name", m_.String(name), at);

  std::vector<BlockArg> args;
  std::vector<AttrId> arg_dicts, result_dicts;
  std::vector<TypeId> inputs, results;
  bool named = false;
  BeginTypes(d);
  if (!ReadFunctionArgs(&args, &arg_dicts, &named)) return false;
  if (c_.EatArrow() && !ReadFunctionResults(&results, &result_dicts)) return false;
  for (const BlockArg& arg : args) inputs.push_back(arg.type);
  PushAttr("function_type", m_.TypeAttr(m_.FunctionType(inputs, results)), at);
  const auto push_dicts = [&](std::string_view attr, std::vector<AttrId>& dicts) {
    if (std::none_of(dicts.begin(), dicts.end(), [](AttrId a) { return bool(a); })) return;
    for (AttrId& dict : dicts)
      if (!dict) dict = m_.Dict({});
    PushAttr(attr, m_.Array(dicts), at);
  };
  push_dicts("arg_attrs", arg_dicts);
  push_dicts("res_attrs", result_dicts);
  if (c_.EatWord("attributes") && !ReadAttrDict()) return false;

  if (c_.Peek() == '{') {
    if (!named && !args.empty()) return Fail(c_.p, "the arguments of a function with a body need names");
    if (!AddRegion(d, args, true)) return false;
  } else {
    regions_.push_back(builder_.NewRegion());
    builder_.EndRegion(regions_.back());
  }
  // VHLO spelling has the attributes after the body.
  if (d.name->vhlo && !ReadOptionalAttrDict()) return false;
  if (!ReadOptionalLoc(&d.loc)) return false;
  return Finish(d);
}

bool Reader::ReadFunctionArgs(std::vector<BlockArg>* args, std::vector<AttrId>* dicts, bool* named) {
  const auto item = [&] {
    BlockArg arg;
    if (args->empty()) *named = c_.Peek() == '%';
    arg.at = (c_.Skip(), c_.p);
    if (*named && (!ReadValueName(&arg.name, &arg.at) || !Expect(':', "before the type of an argument")))
      return false;
    arg.type_at = (c_.Skip(), c_.p);
    if (!ReadType(&arg.type)) return false;
    AttrId dict;
    if (c_.Peek() == '{' && !ReadDictAttr(&dict)) return false;
    if (dict && m_.Get<DictionaryAttr>(dict).entries.empty()) dict = {};
    dicts->push_back(dict);
    if (!ReadOptionalLoc(&arg.loc)) return false;
    args->push_back(arg);
    return true;
  };
  return ReadList('(', "before the arguments of a function", ')', "after the arguments of a function", item);
}

bool Reader::ReadFunctionResults(std::vector<TypeId>* results, std::vector<AttrId>* dicts) {
  if (c_.Peek() != '(') {
    results->emplace_back();
    dicts->emplace_back();
    return ReadType(&results->back());
  }
  return ReadList('(', "", ')', "after the results of a function", [&] {
    AttrId& dict = dicts->emplace_back();
    if (!ReadType(&results->emplace_back())) return false;
    if (c_.Peek() == '{' && !ReadDictAttr(&dict)) return false;
    if (dict && m_.Get<DictionaryAttr>(dict).entries.empty()) dict = {};
    return true;
  });
}

// --- Constants --------------------------------------------------------------------------------------

// stablehlo.constant {attrs} dense<...> : t, or stablehlo.constant() {value = ...} : () -> t
bool Reader::ReadConstant(Draft& d) {
  if (c_.Eat('(')) {
    if (!Expect(')', "after 'constant('")) return false;
    if (c_.Eat('<') && (!ReadAttrDict() || !Expect('>', "after the properties"))) return false;
    if (!ReadOptionalAttrDict() || !Expect(':', "before the type of the constant") || !ReadFunctionalType(d))
      return false;
    return ReadOptionalLoc(&d.loc) && Finish(d);
  }
  if (!ReadOptionalAttrDict()) return false;
  const char* at = (c_.Skip(), c_.p);
  AttrId value;
  if (!ReadAttr(&value)) return false;
  const TypeId type = m_.TypeOf(value);
  if (!type) return Fail(at, "the value of a constant must have a type");
  PushAttr("value", value, at);
  types_.push_back(type);
  return ReadOptionalLoc(&d.loc) && Finish(d);
}

// --- Reductions -------------------------------------------------------------------------------------

// stablehlo.reduce(%a init: %b), (%c init: %d) applies stablehlo.add across dimensions = [1] : type, or
// stablehlo.reduce(%a init: %b) across dimensions = [1] : type reducer(%x: t, %y: t) { region }
bool Reader::ReadReduce(Draft& d) {
  d.loc = LocationAt((c_.Skip(), c_.p));  // MLIR's location of this op: after the name
  std::vector<Use> inits;
  do {
    Use input, init;
    if (!Expect('(', "before an input and its initial value") || !ReadUse(&input) || !ExpectWord("init") ||
        !Expect(':', "after 'init'") || !ReadUse(&init) || !Expect(')', "after the initial value"))
      return false;
    uses_.push_back(input);
    inits.push_back(init);
  } while (c_.Eat(','));
  uses_.insert(uses_.end(), inits.begin(), inits.end());
  OpName* inner = nullptr;
  if (c_.EatWord("applies")) {
    const std::string_view name = c_.Word();
    const char* at = c_.p - name.size();
    if (name.empty()) return FailExpected("the name of an op");
    inner = FindName(name, at);
    if (!inner) return false;
    if (!inner->revision || !RowOf(inner->revision).Has(Trait::kCommutative))
      return Fail(
          at,
          "expected the inner-op to be a commutative binary-op from the stablehlo dialect, with zero region, "
          "producing single result");
  }
  std::vector<int64_t> dimensions;
  const char* at = (c_.Skip(), c_.p);
  if (!ExpectWord("across") || !ExpectWord("dimensions") || !Expect('=', "after 'dimensions'") ||
      !ReadInts(&dimensions, '[', ']'))
    return false;
  PushAttr("dimensions", m_.I64s(dimensions), at);
  if (!ReadOptionalAttrDict() || !Expect(':', "before the type of the op") || !ReadFunctionalType(d))
    return false;
  if (inner) {
    if (!ReadOptionalLoc(&d.loc) || !ReadAppliedReducer(d, *inner)) return false;
    inner->used = true;
    return Finish(d);
  }
  if (!ExpectWord("reducer")) return false;
  std::vector<BlockArg> args, rest;
  while (c_.Eat('(')) {
    BlockArg a, b;
    if (!ReadReducerArg(&a) || !Expect(',', "between the arguments") || !ReadReducerArg(&b) ||
        !Expect(')', "after the arguments"))
      return false;
    args.push_back(a);
    rest.push_back(b);
  }
  args.insert(args.end(), rest.begin(), rest.end());
  return AddRegion(d, args, true) && ReadOptionalLoc(&d.loc) && Finish(d);
}

// %x: type loc(...)
bool Reader::ReadReducerArg(BlockArg* arg) {
  if (!ReadValueName(&arg->name, &arg->at) || !Expect(':', "before the type of an argument")) return false;
  arg->type_at = (c_.Skip(), c_.p);
  return ReadType(&arg->type) && ReadOptionalLoc(&arg->loc);
}

// Adds the region that "applies" implies: the op on two scalars of the input's element type, and a return.
bool Reader::ReadAppliedReducer(Draft& d, const OpName& inner) {
  TypeId element;
  if (d.results > d.types) {
    const TypeId input = types_[d.types];
    const ShapedType tensor(m_, input);
    if (tensor.IsTensorOrVector() || m_.types.KindOf(input) == TypeKind::kUnrankedTensor)
      element = tensor.element;
  }
  if (!element) return Fail(d.name_at, "the inputs of the reduction must be tensors");
  const TypeId scalar = m_.TensorType({}, element);
  const RegionId region = regions_.emplace_back(builder_.NewRegion());
  const BlockId block = builder_.NewBlock();
  builder_.BeginBlock(region, block);
  const ValueId args[] = {builder_.AddBlockArg(block, scalar, d.loc),
                          builder_.AddBlockArg(block, scalar, d.loc)};
  const TypeId results[] = {scalar};
  OpSpec spec;
  spec.revision = inner.revision;
  spec.operands = args;
  spec.results = results;
  spec.loc = d.loc;
  const OpId op = builder_.AddOp(spec);
  OpSpec end;
  const ValueId value[] = {m_.ResultOf(m_.ops[op.v], 0)};
  end.revision = NewestRevision(ops::kReturn);
  end.operands = value;
  end.loc = d.loc;
  builder_.AddOp(end);
  places_.AddOps(m_.ops.size(), OffsetAt(d.name_at));
  builder_.EndBlock();
  builder_.EndRegion(region);
  return true;
}

// --- One line ---------------------------------------------------------------------------------------

// op %a, %b {attrs} : type, or : (t, t) -> t, or : t, t -> t. Also accepted for ops without a row and ops
// whose custom form is not supported, if nothing else is in the text.
bool Reader::ReadOneLine(Draft& d) {
  const bool sure = d.name->form != Form::kGeneric;
  if (!sure && c_.Peek() != '%' && c_.Peek() != '{' && c_.Peek() != ':') return FailForm(d);
  if (c_.Peek() == '%') {
    do {
      if (!sure && c_.Peek() != '%') return FailForm(d);
      if (!ReadUse(&uses_.emplace_back())) return false;
    } while (c_.Eat(','));
  }
  if (!ReadOptionalAttrDict()) return false;
  if (!sure && c_.Peek() != ':') return FailForm(d);
  if (!Expect(':', "before the type of the op")) return false;
  BeginTypes(d);
  if (c_.Peek() == '(') {
    // "(a, b) -> c"; a single operand of function type would need the generic form.
    const char* at = c_.p;
    if (!ReadFunctionalType(d) || (sure && !CheckFunctionalType(d, at))) return false;
    return ReadOptionalLoc(&d.loc) && Finish(d);
  }
  if (!ReadTypeRun()) return false;
  const size_t operands = uses_.size() - d.uses;
  const size_t listed = types_.size() - d.types;
  if (c_.EatArrow()) {
    d.results = types_.size();
    std::vector<TypeId> results;
    if (!ReadTypeOrList(&results)) return false;
    types_.insert(types_.end(), results.begin(), results.end());
    return ReadOptionalLoc(&d.loc) && Finish(d);
  }
  // One type for all operands and results.
  if (listed != 1) return FailForm(d);
  const TypeId type = types_[d.types];
  if (!sure)
    for (size_t i = d.uses; i < uses_.size(); ++i) {
      ValueId value;
      if (!Resolve(uses_[i], {}, &value)) return false;
      if (value && m_.TypeOf(value) != type) return FailForm(d);  // the type has a different meaning here
    }
  types_.pop_back();
  for (size_t i = 0; i < operands; ++i) types_.push_back(type);
  d.results = types_.size();
  size_t results = 0;
  if (d.revision && std::none_of(RevisionOf(d.revision).results.begin(), RevisionOf(d.revision).results.end(),
                                 [](const Cell& cell) { return cell.variadic; })) {
    results = RevisionOf(d.revision).results.size();
  } else if (d.name->mhlo) {
    results = 1;
  } else {
    for (size_t i = d.names; i < names_.size(); ++i) results += names_[i].count;
    constexpr size_t kMaxResults = 1 << 16;
    if (results > kMaxResults)
      return Fail(d.name_at, StrFormat("number of results exceeds the limit of {}", kMaxResults), {},
                  Code::kLimit);
  }
  for (size_t i = 0; i < results; ++i) types_.push_back(type);
  return ReadOptionalLoc(&d.loc) && Finish(d);
}

}  // namespace shlo::text
