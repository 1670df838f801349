// Refinement of calls: the function that a call has is refined for the arguments of the call.
#include "base/format.h"
#include "base/stack.h"
#include "eval/kernels/kernels.h"
#include "ir/table/ops.h"
#include "ir/table/trait.h"
#include "ir/verify/infer.h"
#include "rewrite/shapes/refiner.h"

namespace shlo::rewrite {
namespace {

bool IsToken(const Module& m, TypeId type) { return m.types.KindOf(type) == TypeKind::kToken; }

// Returns the integer that a dimension argument has: a constant scalar.
std::optional<int64_t> DimensionOf(const Module& m, ValueId value) {
  const auto tensor = m.As<TensorType>(m.TypeOf(value));
  if (!tensor || !tensor->shape.empty()) return std::nullopt;
  const auto integers = IntegersOf(m, value);
  return integers ? std::optional((*integers)[0]) : std::nullopt;
}

}  // namespace

bool ShapeRefiner::IsPureFunction(OpId function) const {
  for (const OpId op : editor_.OpsIn(function)) {
    const Op& o = editor_[op];
    if (op == function || m_.Has(o, Trait::kTerminator)) continue;
    if (m_.Is(o, ops::kCall)) {
      std::string_view callee;
      m_.AsSymbol(m_.InherentAttrOf(o, "callee"), &callee);
      const auto found = functions_.find(callee);
      const auto version = found == functions_.end() ? version_of_.end() : version_of_.find(found->second.v);
      if (version == version_of_.end() || !version->second->pure) return false;
      continue;
    }
    const KernelEntry& entry = KernelOf(m_, o);
    if (!entry.kernel || entry.reach != Reach::kOperands) return false;
  }
  return true;
}

OpId ShapeRefiner::CopyOf(OpId function) {
  const std::string base(m_.SymbolOf(original_->ops[function.v]));
  std::string name;
  for (int i = 1; functions_.contains(name = StrFormat("{}_{}", base, i));) ++i;
  editor_.InsertAtEnd(editor_.body());
  OpCopier copier(*original_, &editor_);
  const OpId copy = copier.Copy(function);
  copier.Finish();
  editor_.SetAttr(copy, "sym_name", m_.String(name));
  editor_.SetAttr(copy, "sym_visibility", m_.String("private"));
  functions_.emplace(name, copy);
  return copy;
}

Result<ShapeRefiner::Version*> ShapeRefiner::VersionFor(OpId function, const Key& key, bool drop) {
  const auto copied = original_of_.find(function.v);
  std::map<Key, Version>& versions = versions_[copied == original_of_.end() ? function.v : copied->second.v];
  const auto [found, is_new] = versions.try_emplace(key);
  Version* const version = &found->second;
  if (!is_new && version->done) return version;
  // Mirrors MLIR, here and below.
  if (!is_new || (!original_ && std::ranges::any_of(versions, [](const auto& v) {
        return v.second.function && !v.second.done;
      })))
    return Error(
        ErrorAtOp(editor_, function, source_, Code::kUnsupported,
                  StrFormat("Function {} is being refined recursively", m_.SymbolOf(editor_[function]))));
  if (versions.size() > 1) {
    if (!original_)
      return Error(ErrorAtOp(
          editor_, function, source_, Code::kUnsupported,
          StrFormat("'{}' op refined with incompatible refinement keys", m_.NameOf(editor_[function]))));
    constexpr size_t kMostCopies = 10'000;
    if (versions.size() > kMostCopies)
      return Error(
          ErrorAtOp(editor_, function, source_, Code::kLimit,
                    StrFormat("function is called with more than {} different shapes", kMostCopies)));
    const OpId copy = CopyOf(function);
    original_of_[copy.v] = function;
    function = copy;
  }
  version->function = function;
  version_of_[function.v] = version;
  if (auto refined = RefineFunction(function, key, drop, version); !refined)
    return tl::unexpected(std::move(refined.error()));
  return version;
}

Result<void> ShapeRefiner::RefineFunction(OpId function, const Key& key, bool drop, Version* version) {
  CheckStack();
  const BlockId body = BodyOf(editor_, function);
  const std::vector<bool> kept = [&] {
    std::vector<bool> all;
    for (const Argument& argument : key) all.push_back(!drop || !argument.known);
    return all;
  }();
  std::vector<TypeId> types;
  std::vector<ValueId> args;
  for (uint32_t i = 0; i < key.size(); ++i) {
    args.push_back(m_.ArgOf(body, i));
    const TypeId type = m_.TypeOf(args[i]);
    const TypeId refined = key[i].known ? TypeId() : MostSpecificType(&m_, type, key[i].type);
    types.push_back(refined ? refined : type);
  }
  if (std::ranges::find(kept, false) == kept.end()) {
    for (uint32_t i = 0; i < key.size(); ++i) Narrow(args[i], types[i]);
  } else {
    std::vector<TypeId> left;
    for (size_t i = 0; i < kept.size(); ++i)
      if (kept[i]) left.push_back(types[i]);
    const Range fresh = editor_.SetArgs(body, left);
    uint32_t next = fresh.first;
    for (size_t i = 0; i < kept.size(); ++i) {
      if (!kept[i]) continue;
      m_.values[next].loc = m_.values[args[i].v].loc;
      editor_.ReplaceUses(args[i], ValueId(next++));
    }
    editor_.SetAttr(function, "arg_attrs",
                    KeptEntries(&m_, m_.InherentAttrOf(editor_[function], "arg_attrs"), kept));
  }
  // Constants in the order of the arguments.
  editor_.InsertAtStart(body);
  for (size_t i = 0; i < key.size(); ++i)
    if (key[i].known) editor_.ReplaceUses(args[i], InsertIntegers(types[i], std::vector{key[i].value}));
  UpdateFunctionType(&editor_, function);
  if (auto visited = VisitBlock(body); !visited) return visited;
  UpdateFunctionType(&editor_, function);
  if (const OpId last = editor_.LastOf(body)) {
    for (const ValueId value : m_.OperandsOf(editor_[last])) {
      auto integers = IntegersOf(m_, value);
      version->known.push_back(bool(integers));
      version->results.push_back(integers ? std::move(*integers) : std::vector<int64_t>());
    }
  }
  version->pure = IsPureFunction(function);
  version->done = true;
  return {};
}

Result<void> ShapeRefiner::VisitCall(OpId op) {
  std::string_view callee;
  m_.AsSymbol(m_.InherentAttrOf(editor_[op], "callee"), &callee);
  const auto found = functions_.find(callee);
  if (found == functions_.end()) return {};
  const OpId function = found->second;
  const BlockId body = BodyOf(editor_, function);
  const std::vector<ValueId> operands(m_.OperandsOf(editor_[op]).begin(), m_.OperandsOf(editor_[op]).end());
  if (!body) return {};
  // Dimension arguments come first, after or between tokens.
  Key key;
  std::vector<ValueId> left;
  std::vector<bool> kept;
  bool leading = true;
  for (const ValueId operand : operands) {
    const std::optional<int64_t> dimension = leading ? DimensionOf(m_, operand) : std::nullopt;
    leading = leading && (dimension || IsToken(m_, m_.TypeOf(operand)));
    key.push_back({bool(dimension), dimension.value_or(0), m_.TypeOf(operand)});
    kept.push_back(!dimension);
    if (!dimension) left.push_back(operand);
  }
  const auto first = versions_.find(function.v);
  const bool same = first == versions_.end() || first->second.contains(key);
  if (first == versions_.end() && m_.blocks[body.v].args.count != operands.size()) return {};
  const auto update = [&] {
    editor_.SetOperands(op, left);
    editor_.SetAttr(op, "arg_attrs", KeptEntries(&m_, m_.AttributeOf(editor_[op], "arg_attrs"), kept));
  };
  const bool in_progress = same && first != versions_.end() && !first->second.find(key)->second.done;
  if (same && !in_progress) update();
  auto version = VersionFor(function, key, /*drop=*/true);
  if (!version) return tl::unexpected(std::move(version.error()));
  if (!same) update();
  editor_.SetAttr(op, "callee", m_.Symbol(m_.SymbolOf(editor_[(*version)->function])));
  // The results have the types that the function returns.
  const auto type = m_.FunctionTypeOf(editor_[(*version)->function]);
  const std::vector<TypeId> types = type->results.ToVector();
  editor_.InsertBefore(op);
  for (uint32_t i = 0; i < std::min<size_t>(types.size(), m_.NumResults(editor_[op])); ++i) {
    const ValueId result = m_.ResultOf(editor_[op], i);
    Narrow(result, types[i]);
    if (!(*version)->known[i] || !editor_.HasUses(result)) continue;
    editor_.ReplaceUses(result, InsertIntegers(m_.TypeOf(result), (*version)->results[i]));
  }
  if ((*version)->pure && !editor_.HasUses(op)) editor_.Erase(op);
  return {};
}

Result<void> ShapeRefiner::VisitComposite(OpId op) {
  std::string_view name;
  m_.AsSymbol(m_.InherentAttrOf(editor_[op], "decomposition"), &name);
  const auto found = functions_.find(name);
  if (found == functions_.end()) return {};
  const BlockId body = BodyOf(editor_, found->second);
  if (!body || m_.blocks[body.v].args.count != m_.NumOperands(editor_[op])) return {};
  // A composite has an interface of its own, and keeps its operands.
  Key key;
  for (const ValueId operand : m_.OperandsOf(editor_[op])) {
    const std::optional<int64_t> dimension = DimensionOf(m_, operand);
    key.push_back({bool(dimension), dimension.value_or(0), m_.TypeOf(operand)});
  }
  auto version = VersionFor(found->second, key, /*drop=*/false);
  if (!version) return tl::unexpected(std::move(version.error()));
  editor_.SetAttr(op, "decomposition", m_.Symbol(m_.SymbolOf(editor_[(*version)->function])));
  NarrowResults(op, m_.FunctionTypeOf(editor_[(*version)->function])->results.ToVector());
  return {};
}

}  // namespace shlo::rewrite
