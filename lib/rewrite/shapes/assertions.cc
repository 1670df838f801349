#include "rewrite/shapes/assertions.h"

#include "base/format.h"
#include "base/guarded.h"
#include "rewrite/driver.h"
#include "rewrite/pass.h"
#include "rewrite/shapes/operands.h"

namespace shlo::rewrite {
namespace {

constexpr std::string_view kShapeAssertion = "shape_assertion";

// Returns a message with values in place of {0}, {1}, ...; those without a value stay, and {{ is a brace.
std::string Filled(std::string_view message, std::span<const int64_t> values) {
  std::string out;
  while (!message.empty()) {
    const size_t open = message.find('{');
    out += message.substr(0, open);
    if (open == message.npos) break;
    message.remove_prefix(open + 1);
    if (message.starts_with('{')) {
      out += '{';
      message.remove_prefix(1);
      continue;
    }
    const size_t digits = std::min(message.find_first_not_of("0123456789"), message.size());
    size_t index = 0;
    for (size_t i = 0; i < std::min<size_t>(digits, 4); ++i) index = index * 10 + size_t(message[i] - '0');
    if (digits == 0 || digits > 4 || !message.substr(digits).starts_with('}') || index >= values.size()) {
      out += '{';
      continue;
    }
    out += StrFormat("{}", values[index]);
    message.remove_prefix(digits + 1);
  }
  return out;
}

// Returns why an assertion does not hold; empty if it does.
std::string ViolationOf(const Module& m, OpId op) {
  const auto operands = m.OperandsOf(m.ops[op.v]);
  // Mirrors MLIR, here and below.
  if (operands.empty() || m.NumResults(m.ops[op.v]) > 0)
    return "expects 1 <= size(inputs) and size(results) = 0";
  std::vector<int64_t> values;
  for (size_t i = 0; i < operands.size(); ++i) {
    const auto value = IntegersOf(m, operands[i]);
    if (!value || value->size() != 1)
      return i == 0 ? "expects static assert_what (operand #0)"
                    : StrFormat("expects static error_message_input (operand #{})", i);
    values.push_back((*value)[0]);
  }
  if (values[0] != 0) return {};
  std::string_view message;
  m.AsString(m.AttributeOf(m.ops[op.v], "error_message"), &message);
  return Filled(message.empty() ? "shape assertion failed" : message, std::span(values).subspan(1));
}

}  // namespace

Result<void> CheckShapeAssertions(ModuleEditor* editor, const Source* source, bool check) {
  Diagnostics errors;
  std::vector<OpId> held;
  for (const OpId op : editor->Ops()) {
    if (CallTargetOf(editor->module(), op) != kShapeAssertion) continue;
    std::string violation = check ? ViolationOf(editor->module(), op) : std::string();
    if (violation.empty())
      held.push_back(op);
    else
      errors.push_back(ErrorAtOp(*editor, op, source, Code::kConstraint, std::move(violation)));
  }
  if (!errors.empty()) return tl::unexpected(std::move(errors));
  for (const OpId op : held) editor->Erase(op);
  return {};
}

Result<void> CheckAssertions(const PassRun& run, Program* program) {
  return Guarded(run.limits, [&]() -> Result<void> {
    const auto check = run.Flag("enable-shape-assertions", true);
    if (!check) return tl::make_unexpected(check.error());
    ModuleEditor editor(program->module);
    if (auto done = CheckShapeAssertions(&editor, &program->source, *check); !done) return done;
    if (auto cleaned = Apply({}, &editor, {.limits = run.limits}); !cleaned)
      return tl::unexpected(std::move(cleaned.error()));
    program->module = std::move(editor).Finish(&program->source.places);
    return {};
  });
}

}  // namespace shlo::rewrite
