#include "shlo/counterexample.h"

#include <algorithm>
#include <array>
#include <memory>
#include <set>

#include "base/format.h"
#include "base/guarded.h"
#include "base/printable.h"
#include "base/try.h"
#include "ir/module/symbols.h"
#include "ir/table/ops.h"
#include "shlo/convert.h"
#include "shlo/editor.h"
#include "shlo/evaluate.h"
#include "shlo/types.h"

namespace shlo {
namespace {

// The definitions that a function needs, itself first.
std::vector<OpId> DefinitionsFor(const Module& m, std::string_view function) {
  const auto by_name = SymbolsOf(m);
  std::vector<OpId> found;
  std::set<uint32_t> seen;
  std::vector<OpId> todo;
  const auto need = [&](std::string_view name) {
    const auto definition = by_name.find(name);
    if (name.empty() || definition == by_name.end() || !seen.insert(definition->second.v).second) return;
    found.push_back(definition->second);
    todo.push_back(definition->second);
  };
  need(function);
  while (!todo.empty()) {
    const Op& op = m.ops[todo.back().v];
    todo.pop_back();
    ForEachSymbolOf(m, op, need);
    for (OpId nested : m.BodyOpsOf(op)) todo.push_back(nested);
  }
  return found;
}

class Maker {
 public:
  Maker(std::shared_ptr<const Module> a, std::shared_ptr<const Module> b, std::string_view function,
        std::span<const Tensor> inputs)
      : a_(std::move(a)), b_(std::move(b)), function_(function), inputs_(inputs), editor_(a_->version) {}

  // With `bits`, floats are compared as integers: 0 and -0 differ, and so do NaNs.
  Result<Module> Run(bool bits) {
    const auto first = AddProgram(a_, "first"), second = AddProgram(b_, "second");
    if (!first || !second)
      return Error(Code::kUnsupported,
                   StrFormat("{} is not a function of both programs", SymbolText(function_)));
    SHLO_TRY(AddMain(*first, bits));
    return std::move(editor_).Finish();
  }

 private:
  OpId AddOp(RowId row, std::span<const ValueId> operands, std::span<const TypeId> results,
             std::initializer_list<ModuleEditor::Attr> attrs, std::span<const RegionId> regions = {}) {
    return editor_.Insert({.revision = RevisionAt(row, out_.version),
                           .operands = operands,
                           .results = results,
                           .regions = regions},
                          attrs);
  }

  // Returns the type of the function, or nullopt.
  std::optional<TypeId> AddProgram(const std::shared_ptr<const Module>& m, const std::string& name) {
    const std::vector<OpId> definitions = DefinitionsFor(*m, function_);
    if (definitions.empty()) return std::nullopt;
    SymbolNames names;
    for (OpId id : definitions) {
      const std::string old(m->SymbolOf(m->ops[id.v]));
      names[old] = old == function_ ? name : StrFormat("{}.{}", name, old);
    }
    OpCopier copier(m, &editor_, std::move(names));
    for (OpId id : definitions) {
      const OpId copy = copier.Copy(id);
      if (RevisionOf(out_.RevisionIdOf(editor_[copy])).FindSlot("sym_visibility") >= 0)
        editor_.SetAttr(copy, "sym_visibility", out_.String("private"));
    }
    copier.Finish();
    const AttrId type = m->InherentAttrOf(m->ops[definitions[0].v], "function_type");
    if (!type || m->attrs.KindOf(type) != AttrKind::kTypeAttr) return std::nullopt;
    return copier.TypeOf(m->Get<TypeAttr>(type).type);
  }

  Result<bool> AddMain(TypeId type, bool bits) {
    const auto signature = out_.As<FunctionType>(type);
    if (!signature) return Error(Code::kUnsupported, "the function has no type");
    const std::vector<TypeId> inputs = signature->inputs.ToVector(), results = signature->results.ToVector();
    if (inputs.size() != inputs_.size())
      return Error(Code::kUsage,
                   StrFormat("expected {}, got {}", Count(inputs.size(), "argument"), inputs_.size()));
    const RegionId body = editor_.NewRegion();
    AddOp(ops::kFunc, {}, {},
          {{"sym_name", out_.String("main")}, {"function_type", out_.TypeAttr(out_.FunctionType({}, {}))}},
          std::array{body});
    editor_.InsertAtEnd(editor_.AddBlock(body, {}));
    std::vector<ValueId> args;
    for (size_t i = 0; i < inputs.size(); ++i) {
      const auto tensor = out_.As<TensorType>(inputs[i]);
      const ValueTypePtr declared = TensorTypeOf(out_, inputs[i]);
      if (!tensor || tensor->encoding || !declared || IsQuantized(out_, tensor->element) ||
          *declared != inputs_[i].type())
        return Error(
            Code::kUnsupported,
            StrFormat("no constant has the type of argument {}: its type is not a static tensor", i));
      const std::string_view bytes(reinterpret_cast<const char*>(inputs_[i].data()),
                                   inputs_[i].stored_bytes());
      const AttrId value = out_.Elements(inputs[i], out_.payloads.AddCopy(bytes), inputs_[i].splat());
      const TypeId types[] = {inputs[i]};
      args.push_back(out_.ResultOf(out_.ops[AddOp(ops::kConstant, {}, types, {{"value", value}}).v], 0));
    }
    const OpId first = AddOp(ops::kCall, args, results, {{"callee", out_.Symbol("first")}});
    const OpId second = AddOp(ops::kCall, args, results, {{"callee", out_.Symbol("second")}});
    for (uint32_t i = 0; i < results.size(); ++i) {
      if (out_.types.KindOf(results[i]) != TypeKind::kTensor) continue;
      const ValueId values[] = {AsBits(out_.ResultOf(out_.ops[first.v], i), bits),
                                AsBits(out_.ResultOf(out_.ops[second.v], i), bits)};
      AddOp(FindOp("check.expect_eq"), values, {}, {});
    }
    AddOp(ops::kFuncReturn, {}, {}, {});
    return true;
  }

  ValueId AsBits(ValueId value, bool bits) {
    const auto tensor = out_.As<TensorType>(out_.TypeOf(value));
    if (!bits || !IsFloat(out_.types.KindOf(tensor->element))) return value;
    const int64_t width = BitWidth(out_.types.KindOf(tensor->element));
    const TypeKind integer = FindElementType(KindClass::kUnsigned, width);
    if (integer == TypeKind::kInvalid) return value;
    const std::vector<int64_t> shape(tensor->shape.begin(), tensor->shape.end());
    const TypeId types[] = {out_.TensorType(shape, out_.Type(integer))};
    const ValueId operands[] = {value};
    return out_.ResultOf(out_.ops[AddOp(FindOp("stablehlo.bitcast_convert"), operands, types, {}).v], 0);
  }

  const std::shared_ptr<const Module> a_, b_;
  const std::string_view function_;
  const std::span<const Tensor> inputs_;
  ModuleEditor editor_;
  Module& out_ = editor_.module();
};

Result<std::shared_ptr<const Module>> AtVersion(const Module& m, Version version) {
  if (m.version == version) return std::make_shared<const Module>(m);
  auto conversion = SHLO_TRY(Convert(m, version));
  return std::make_shared<const Module>(std::move(conversion.module));
}

Result<Module> Make(const Module& a, const Module& b, std::string_view function,
                    std::span<const Tensor> inputs) {
  const Version checks = RevisionOf(NewestRevision(FindOp("check.expect_eq"))).since;
  const Version version = std::max({a.version, b.version, checks});
  const auto first = SHLO_TRY(AtVersion(a, version));
  const auto second = SHLO_TRY(AtVersion(b, version));
  for (const bool bits : {false, true}) {
    auto program = SHLO_TRY(Maker(first, second, function, inputs).Run(bits));
    const auto result = SHLO_TRY(Evaluate(program, "main", {}));
    if (!result.failed_checks.empty()) return program;
  }
  return Error(Code::kNotEqual, "the program with both functions shows no difference");
}

}  // namespace

Result<Module> CounterexampleProgram(const Module& a, const Module& b, std::string_view function,
                                     std::span<const Tensor> inputs) {
  return Guarded([&] { return Make(a, b, function, inputs); });
}

}  // namespace shlo
