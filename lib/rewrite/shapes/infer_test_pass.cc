// The pass of the reference's own tests of inference: ops that ask for the types of an op's results, or for
// the shape of one, get the answer.
#include <string>
#include <vector>

#include "base/format.h"
#include "ir/verify/infer.h"
#include "rewrite/driver.h"
#include "rewrite/pass.h"
#include "rewrite/shapes/reify.h"

namespace shlo::rewrite {
namespace {

// An op that asks, and the op that it asks about.
struct Question {
  OpId asks;
  OpId about;
};

std::vector<Question> QuestionsOf(const Module& m, std::string_view name) {
  std::vector<Question> questions;
  for (const OpId op : m.OpsIn(m.top)) {
    const Op& o = m.ops[op.v];
    if (m.RevisionIdOf(o) || m.NameOf(o) != name || m.NumOperands(o) != 1) continue;
    if (const OpId about = m.values[m.OperandsOf(o)[0].v].op) questions.push_back({op, about});
  }
  return questions;
}

// Replaces an op by one that states the types.
void StateTypes(ModuleEditor* editor, OpId asks, std::span<const TypeId> types) {
  Module& m = editor->module();
  const OpSignature signature = m.SignatureOf((*editor)[asks]);
  const std::vector<TypeId> results(signature.result_types.begin(), signature.result_types.end());
  std::vector<NamedAttr> attrs(signature.discardable_attrs.begin(), signature.discardable_attrs.end());
  for (size_t i = 0; i < types.size(); ++i)
    attrs.push_back({m.strings.Intern(StrFormat("types{}", i)), m.TypeAttr(types[i])});
  const ValueId operand = m.OperandsOf((*editor)[asks])[0];
  editor->InsertBefore(asks);
  const OpId answer = editor->Insert({.name = m.strings.Intern("hlo_test_infer.return_types"),
                                      .operands = {&operand, 1},
                                      .results = results,
                                      .discardable_attrs = attrs,
                                      .loc = (*editor)[asks].loc},
                                     asks);
  std::vector<ValueId> values;
  for (uint32_t i = 0; i < results.size(); ++i) values.push_back(m.ResultOf((*editor)[answer], i));
  editor->Replace(asks, values);
}

}  // namespace

Result<void> InferForTest(const PassRun& run, Program* program) {
  Module inferred = program->module;
  std::vector<std::pair<OpId, std::vector<TypeId>>> answers;
  for (const Question& question : QuestionsOf(inferred, "hlo_test_infer.get_return_types"))
    if (auto types = InferResults(&inferred, question.about)) answers.emplace_back(question.asks, *types);
  ModuleEditor editor(std::move(inferred));
  for (const auto& [asks, types] : answers) StateTypes(&editor, asks, types);
  for (const Question& question : QuestionsOf(program->module, "hlo_test_infer.get_return_type_components"))
    if (const TypeId type = TypeOfDot(&editor, question.about))
      StateTypes(&editor, question.asks, {&type, 1});
  for (const Question& question : QuestionsOf(program->module, "hlo_test_infer.reify_return_type_shapes")) {
    if (editor.module().NumResults(editor[question.asks]) != 1) continue;
    std::string warning;
    editor.InsertBefore(question.asks);
    const ValueId shape = ReifyShape(&editor, editor[question.asks].parent, question.about, &warning);
    if (shape) editor.Replace(question.asks, std::array{shape});
    if (warning.empty()) continue;
    Diagnostic remark = Warning(Code::kUnsupported, std::move(warning),
                                PlaceOf(program->module, question.about, &program->source));
    remark.op = std::string(program->module.NameOf(program->module.ops[question.about.v]));
    run.report.remarks.push_back(std::move(remark));
  }
  // What only the questions used is dead.
  if (auto cleaned = Apply({}, &editor, {.limits = run.limits}); !cleaned)
    return tl::unexpected(std::move(cleaned.error()));
  program->module = std::move(editor).Finish(&program->source.places);
  return {};
}

}  // namespace shlo::rewrite
