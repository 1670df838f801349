// Composites as calls of their decompositions, and ops as composites.
#include <algorithm>
#include <array>
#include <map>
#include <unordered_set>

#include "base/deadline.h"
#include "base/format.h"
#include "base/try.h"
#include "ir/module/node_words.h"
#include "ir/module/struct_words.h"
#include "ir/table/ops.h"
#include "ir/table/trait.h"
#include "rewrite/legalizer.h"
#include "rewrite/pass.h"

namespace shlo::rewrite {
namespace {

// Puts ops into functions of their own, which composites call.
class Wrapper {
 public:
  Wrapper(const Program& program, std::span<const std::string_view> names, int32_t version,
          Diagnostics* remarks)
      : program_(program),
        from_(program.module),
        editor_(program.module),
        version_(version),
        remarks_(*remarks) {
    names_.insert(names.begin(), names.end());
    for (const OpId op : editor_.OpsOf(editor_.body()))
      if (const std::string_view symbol = from_.SymbolOf(from_.ops[op.v]); !symbol.empty())
        symbols_.emplace(symbol);
  }

  // From the last op to the first, and before the ops in its regions, as the reference's driver: so the
  // functions have the reference's order and names.
  Module Run(SourcePlaces* places) {
    std::vector<OpId> order;
    AppendReversed(from_.top, &order);
    for (const OpId op : order) {
      Tick();
      if (editor_.Has(op) && names_.contains(from_.NameOf(from_.ops[op.v]))) Wrap(op);
    }
    return std::move(editor_).Finish(places);
  }

 private:
  void AppendReversed(OpId root, std::vector<OpId>* order) const {
    std::vector<OpId> todo{root};
    while (!todo.empty()) {
      const OpId op = todo.back();
      todo.pop_back();
      if (op != root) order->push_back(op);
      for (const RegionId region : from_.RegionsOf(from_.ops[op.v]))
        for (const BlockId block : from_.BlocksOf(region)) {
          const auto inside = from_.OpsOf(block);
          todo.insert(todo.end(), inside.begin(), inside.end());
        }
    }
  }

  std::string FreeName(std::string_view op) {
    const std::string name = StrFormat("{}.impl", op);
    uint64_t& next = next_[name];
    std::string free = name;
    while (!symbols_.insert(free).second) free = StrFormat("{}_{}", name, next++);
    return free;
  }

  // An op with uses of outer values in its regions, a terminator, or a symbol cannot move.
  bool CanWrap(OpId op) const {
    const Op& o = from_.ops[op.v];
    if (from_.Has(o, Trait::kTerminator) || from_.Has(o, Trait::kSymbol)) return false;
    std::unordered_set<uint32_t> inside;
    const std::vector<OpId> all = from_.OpsIn(op);
    for (const OpId each : all) inside.insert(each.v);
    for (const OpId each : all) {
      if (each == op) continue;
      for (const ValueId operand : from_.OperandsOf(from_.ops[each.v])) {
        const Value& value = from_.values[operand.v];
        const OpId definer = value.op ? value.op : editor_.ParentOf(value.block);
        if (!inside.contains(definer.v) || value.op == op) return false;
      }
    }
    return true;
  }

  void Wrap(OpId op) {
    const Op& o = from_.ops[op.v];
    if (!CanWrap(op)) {
      remarks_.push_back(
          Warning(Code::kUnsupported,
                  StrFormat("'{}' is not wrapped: it depends on what is around it", from_.NameOf(o)),
                  PlaceOf(from_, op, &program_.source)));
      return;
    }
    const OpSignature signature = from_.SignatureOf(o);
    const std::string name = FreeName(from_.NameOf(o));
    const AttrId loc = o.loc;
    AddFunction(op, name);
    Module& m = editor_.module();
    const auto operands = m.OperandsOf(editor_[op]);
    const std::vector<ValueId> inputs(operands.begin(), operands.end());
    editor_.InsertBefore(op);
    const OpId composite = editor_.Insert({.revision = RevisionAt(ops::kComposite, m.version),
                                           .operands = inputs,
                                           .results = signature.result_types,
                                           .loc = loc},
                                          {{"name", m.String(from_.NameOf(o))},
                                           {"composite_attributes", AttributesOf(o)},
                                           {"decomposition", m.Symbol(name)},
                                           {"version", m.I32(version_)}},
                                          op);
    std::vector<ValueId> results;
    for (uint32_t i = 0; i < signature.result_types.size(); ++i)
      results.push_back(m.ResultOf(editor_[composite], i));
    editor_.Replace(op, results);
  }

  // Adds a private function that applies a copy of the op to its arguments.
  void AddFunction(OpId op, const std::string& name) {
    Module& m = editor_.module();
    const OpSignature signature = from_.SignatureOf(from_.ops[op.v]);
    const AttrId loc = from_.ops[op.v].loc;
    const RegionId body = editor_.NewRegion();
    const BlockId block = editor_.AddBlock(body, signature.operand_types);
    editor_.InsertAtEnd(editor_.body());
    editor_.Insert(
        {.revision = RevisionAt(ops::kFunc, m.version), .regions = {&body, 1}, .loc = loc},
        {{"sym_name", m.String(name)},
         {"function_type", m.TypeAttr(m.FunctionType(signature.operand_types, signature.result_types))},
         {"sym_visibility", m.String("private")}},
        op);
    editor_.InsertAtEnd(block);
    OpCopier copier(from_, &editor_);
    const auto operands = from_.OperandsOf(from_.ops[op.v]);
    for (uint32_t i = 0; i < operands.size(); ++i) copier[operands[i]] = m.ArgOf(block, i);
    const OpId copy = copier.Copy(op);
    copier.Finish();
    std::vector<ValueId> args, results;
    for (uint32_t i = 0; i < operands.size(); ++i) args.push_back(m.ArgOf(block, i));
    editor_.SetOperands(copy, args);
    for (uint32_t i = 0; i < signature.result_types.size(); ++i)
      results.push_back(m.ResultOf(editor_[copy], i));
    editor_.InsertAtEnd(block);
    editor_.Insert({.revision = RevisionAt(ops::kFuncReturn, m.version), .operands = results, .loc = loc},
                   op);
  }

  // Returns all attributes of an op as one, with those that a struct attribute groups in it.
  AttrId AttributesOf(const Op& op) {
    Module& m = editor_.module();
    const OpSignature signature = from_.SignatureOf(op);
    std::vector<NamedAttr> attrs(signature.discardable_attrs.begin(), signature.discardable_attrs.end());
    const auto add = [&](std::string_view name, AttrId value) {
      if (value) attrs.push_back({m.strings.Intern(name), value});
    };
    const OpRevision& revision = RevisionOf(signature.revision);
    std::unordered_set<std::string_view> grouped;
    for (const Cell& group : revision.struct_attrs) {
      const auto fields = RowOf(group.attr_kind()).fields();
      for (const FieldRow& field : fields) grouped.insert(field.name);
      if (std::ranges::any_of(fields, [&](const auto& f) { return bool(from_.InherentAttrOf(op, f.name)); }))
        add(group.name, StructAttrOf(op, group.attr_kind()));
    }
    for (size_t i = 0; i < revision.attrs.size(); ++i)
      if (!grouped.contains(revision.attrs[i].name)) add(revision.attrs[i].name, signature.inherent_attrs[i]);
    return m.Dict(std::move(attrs));
  }

  AttrId StructAttrOf(const Op& op, AttrKind kind) {
    Module& m = editor_.module();
    const FieldWriter made = StructWordsOf(from_, op, kind);
    std::vector<uint64_t> words(made.words().begin(), made.words().end());
    ForEachWord(RowOf(kind), words, [&](FieldType type, size_t at, const FieldRow&) {
      if (type == FieldType::kType && !words[at]) words[at] = m.Type(TypeKind::kNone).v;
    });
    return m.attrs.Intern(kind, words);
  }

  const Program& program_;
  const Module& from_;
  ModuleEditor editor_;
  const int32_t version_;
  Diagnostics& remarks_;
  std::unordered_set<std::string_view> names_;
  std::unordered_set<std::string> symbols_;
  std::map<std::string, uint64_t> next_;  // number of a name's next variant
};

}  // namespace

Result<void> LegalizeCompositeToCall(const PassRun& run, Program* program) {
  const std::vector<std::string_view> except = run.List("except");
  Legalizer legalizer(program);
  return legalizer.Run([&](OpId op) {
    Legalizer& l = legalizer;
    const Module& m = l.from();
    std::string_view name;
    if (!m.Is(l[op], ops::kComposite) || !m.AsString(m.InherentAttrOf(l[op], "name"), &name) ||
        std::ranges::find(except, name) != except.end())
      return Legalizer::kLegal;
    std::vector<ValueId> operands;
    for (uint32_t i = 0; i < m.NumOperands(l[op]); ++i) operands.push_back(l.Operand(op, i));
    const OpId call = l.Insert({.revision = RevisionAt(ops::kCall, m.version),
                                .operands = operands,
                                .results = m.SignatureOf(l[op]).result_types},
                               {{"callee", m.InherentAttrOf(l[op], "decomposition")}});
    std::vector<ValueId> results;
    for (uint32_t i = 0; i < m.NumResults(l[op]); ++i)
      results.push_back(l.out().ResultOf(l.editor()[call], i));
    l.Replace(results);
    return Legalizer::kDone;
  });
}

Result<void> WrapInComposite(const PassRun& run, Program* program) {
  const int64_t version = SHLO_TRY(run.Number("version", 0));
  const std::vector<std::string_view> names = run.List("op-names");
  for (const std::string_view name : names)
    if (!FindOp(name))
      // Mirrors MLIR.
      run.report.remarks.push_back(
          Warning(Code::kUsage,
                  StrFormat("Unknown op name in opNamesOption: '{}' is not a registered operation.", name)));
  SourcePlaces places = program->source.places;
  program->module = Wrapper(*program, names, int32_t(version), &run.report.remarks).Run(&places);
  program->source.places = std::move(places);
  return {};
}

}  // namespace shlo::rewrite
