#include "serialize/text/writer_ops.h"
#include "shlo/text_writer.h"

namespace shlo {
namespace {

// Constants with more elements say nothing in a line.
constexpr uint32_t kElide = 16;

}  // namespace

struct OpTexts::State {
  explicit State(const Module& module)
      : options{.elide_elements = kElide}, style(module, options), printer(module, options, style, &text) {}
  const TextWriteOptions options;
  const text::ProgramStyle style;
  text::TextBuffer text;
  text::OpPrinter printer;
};

OpTexts::OpTexts(const Module& module) : state_(std::make_unique<State>(module)) {}
OpTexts::~OpTexts() = default;

std::string OpTexts::Of(OpId op, size_t max_bytes) {
  text::TextBuffer& text = state_->text;
  text.clear();
  state_->printer.LimitOutput(max_bytes);
  state_->printer.Alone(op);
  // Forms break lines around regions.
  std::string line;
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '\n') {
      line += text[i];
      continue;
    }
    while (i + 1 < text.size() && text[i + 1] == ' ') ++i;
    line += ' ';
  }
  if (line.size() > max_bytes) {
    line.resize(max_bytes);
    line += "...";
  }
  return line;
}

std::string OpTexts::Group(OpId op, const Cell& struct_attr) {
  state_->text.clear();
  state_->printer.Group(op, struct_attr);
  return std::string(state_->text.view());
}

std::string OpTexts::NameOf(ValueId value) {
  state_->text.clear();
  state_->printer.Name(value);
  return std::string(state_->text.view());
}

}  // namespace shlo
