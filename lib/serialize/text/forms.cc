#include "serialize/text/forms.h"

#include <array>

namespace shlo::text {
namespace {

constexpr std::string_view kFormats[] = {
#define SHLO_FORM(name, format) format,
#include "schema/forms.inc"
};
constexpr size_t kNumForms = std::size(kFormats);

constexpr std::string_view kDirectiveNames[] = {
#define SHLO_DIRECTIVE(name) #name,
    SHLO_DIRECTIVES(SHLO_DIRECTIVE)
#undef SHLO_DIRECTIVE
};

// A form written out by hand has a format of one directive without arguments.
constexpr bool ByHand(std::string_view format) {
  return format.starts_with("custom<") && format.ends_with('>');
}

// Where blanks go is decided as the reference's generator of printers does: none inside brackets or before
// a comma, one between words.
struct Spacing {
  bool wanted = true;
  bool after_punctuation = false;

  constexpr bool BeforeLiteral(std::string_view text) const {
    if (!wanted) return false;
    if (text.size() != 1 && text != "->") return true;
    const std::string_view tight = after_punctuation ? ">)}]," : "<>(){}[],";
    return tight.find(text[0]) == tight.npos;
  }
  constexpr void AfterLiteral(std::string_view text) {
    wanted = text.size() != 1 || std::string_view("<({[").find(text[0]) == std::string_view::npos;
    const char c = text[0];
    after_punctuation = !(c == '_' || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'));
  }
  constexpr bool BeforeOther() const { return wanted || !after_punctuation; }
  constexpr void AfterOther() {
    wanted = true;
    after_punctuation = false;
  }
};

template <size_t N>
struct Compiled {
  std::array<FormatElement, N> steps{};
  std::array<uint16_t, kNumForms + 1> first{};
  size_t count = 0;
};

// Turns all formats into steps. With N = 0 it only counts them.
template <size_t N>
consteval Compiled<N> Compile() {
  Compiled<N> out;
  FormatElement scratch;
  for (size_t form = 0; form < kNumForms; ++form) {
    out.first[form] = uint16_t(out.count);
    const std::string_view format = kFormats[form];
    if (ByHand(format)) continue;
    Spacing spacing;
    size_t group = 0;  // index + 1 of the open group
    const auto add = [&](StepTag tag, std::string_view text) -> FormatElement& {
      FormatElement& step = N ? out.steps[out.count] : scratch;
      ++out.count;
      step = {.tag = tag, .text = text};
      if (tag == StepTag::kLiteral) {
        step.space = spacing.BeforeLiteral(text);
        spacing.AfterLiteral(text);
      } else if (tag == StepTag::kAttrDict) {
        spacing.after_punctuation = false;  // it brings its own blank
      } else if (tag != StepTag::kArgument && tag != StepTag::kOptional) {
        step.space = spacing.BeforeOther();
        spacing.AfterOther();
      }
      return step;
    };
    const auto is_word = [](char c) {
      return c == '_' || c == '-' || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
             (c >= '0' && c <= '9');
    };
    size_t i = 0;
    const auto word = [&] {
      const size_t begin = i;
      while (i < format.size() && is_word(format[i])) ++i;
      if (i == begin) throw "a name is missing in schema/forms.inc";
      return format.substr(begin, i - begin);
    };
    const auto expect = [&](char c) {
      if (i == format.size() || format[i] != c) throw "a bracket is missing in schema/forms.inc";
      ++i;
    };
    while (i < format.size()) {
      const char c = format[i];
      if (c == ' ') {
        ++i;
      } else if (c == '`') {
        const size_t end = format.find('`', i + 1);
        if (end == format.npos) throw "a literal in schema/forms.inc does not end";
        const std::string_view text = format.substr(i + 1, end - i - 1);
        i = end + 1;
        if (text.empty() || text == " ") {
          if (!text.empty()) add(StepTag::kLiteral, text).space = false;
          spacing = {.wanted = false, .after_punctuation = true};
        } else {
          add(StepTag::kLiteral, text);
        }
      } else if (c == '$') {
        ++i;
        add(StepTag::kName, word());
        if (i < format.size() && format[i] == '^') {
          ++i;
          if (!group) throw "an anchor outside of a group in schema/forms.inc";
          if (N) out.steps[group - 1].anchor = uint8_t(out.count - 1 - group);
        }
      } else if (c == '(') {
        ++i;
        if (group) throw "a group inside a group in schema/forms.inc";
        add(StepTag::kOptional, {});
        group = out.count;
      } else if (c == ')') {
        ++i;
        expect('?');
        if (N) out.steps[group - 1].length = uint8_t(out.count - group);
        group = 0;
      } else {
        const std::string_view name = word();
        if (name == "operands") {
          add(StepTag::kOperands, {});
          if (i < format.size() && format[i] == '^') {
            ++i;
            if (N && group) out.steps[group - 1].anchor = uint8_t(out.count - 1 - group);
          }
        } else if (name == "attr-dict") {
          add(StepTag::kAttrDict, {});
        } else if (name == "functional-type") {
          add(StepTag::kFunctionalType, {});
        } else if (name == "same-type") {
          add(StepTag::kSameType, {});
        } else if (name == "one-type") {
          add(StepTag::kOneType, {});
        } else if (name == "type") {
          expect('(');
          if (format[i] == '$') {
            ++i;
            add(StepTag::kTypeOfName, word());
          } else {
            const std::string_view of = word();
            if (of != "operands" && of != "results") throw "unknown type(...) in schema/forms.inc";
            add(of == "operands" ? StepTag::kTypeOfOperands : StepTag::kTypeOfResults, {});
          }
          expect(')');
          if (i < format.size() && format[i] == '^') {
            ++i;
            if (N && group) out.steps[group - 1].anchor = uint8_t(out.count - 1 - group);
          }
        } else if (name == "custom") {
          expect('<');
          FormatElement& step = add(StepTag::kCustom, word());
          const size_t at = out.count - 1;
          size_t directive = 0;
          while (directive < std::size(kDirectiveNames) && kDirectiveNames[directive] != step.text)
            ++directive;
          if (directive == std::size(kDirectiveNames)) throw "unknown directive in schema/forms.inc";
          step.directive = uint8_t(directive);
          expect('>');
          expect('(');
          while (format[i] != ')') {
            if (format[i] == ',' || format[i] == ' ') {
              ++i;
              continue;
            }
            expect('$');
            add(StepTag::kArgument, word());
            if (N) ++out.steps[at].length;
          }
          ++i;
        } else {
          throw "unknown word in schema/forms.inc";
        }
      }
    }
  }
  out.first[kNumForms] = uint16_t(out.count);
  return out;
}

constexpr size_t kNumSteps = Compile<0>().count;
constexpr auto kCompiled = Compile<kNumSteps>();

// --- Names -----------------------------------------------------------------------------------------

using table::kCells;

constexpr bool HasName(StepTag tag) {
  return tag == StepTag::kName || tag == StepTag::kTypeOfName || tag == StepTag::kArgument;
}

// What a name stands for among the cells of a shape, which begin at `first`.
constexpr FormRef Resolve(size_t first, std::string_view name) {
  uint8_t counts[8] = {};
  for (size_t i = first; i < std::size(kCells); ++i) {
    const Cell& cell = kCells[i];
    RefKind kind = RefKind::kNone;
    switch (cell.tag) {
      case CellTag::kOp:
      case CellTag::kRevision:
        return {};
      case CellTag::kOperand:
        kind = RefKind::kOperand;
        break;
      case CellTag::kAttr:
        kind = RefKind::kAttr;
        break;
      case CellTag::kStructAttr:
        kind = RefKind::kStructAttr;
        break;
      case CellTag::kRegion:
        kind = RefKind::kRegion;
        break;
      case CellTag::kResult:
        kind = RefKind::kResult;
        break;
      default:
        continue;
    }
    const uint8_t index = counts[size_t(kind)]++;
    if (cell.name == name) return {kind, index};
  }
  return {};
}

constexpr size_t kNumRevisions = [] {
  size_t n = 1;  // shape 0 is the empty one
  for (const Cell& cell : kCells) n += cell.tag == CellTag::kRevision;
  return n;
}();

struct Filled {
  Form form = Form::kGeneric;
  uint16_t first_ref = 0;
  uint64_t placed = 0;
  uint32_t placed_struct_attrs = 0;
  bool places_regions = false;
};

template <size_t N>
struct FilledForms {
  std::array<Filled, kNumRevisions> shapes{};
  std::array<FormRef, N> refs{};
  size_t count = 0;
};

// Finds what the names of every shape's form stand for. With N = 0 it only counts them.
template <size_t N>
consteval FilledForms<N> Fill() {
  FilledForms<N> out;
  Form form = Form::kGeneric;
  size_t shape = 0;
  for (size_t i = 0; i < std::size(kCells); ++i) {
    if (kCells[i].tag == CellTag::kOp) form = Form(kCells[i].a);
    if (kCells[i].tag != CellTag::kRevision) continue;
    Filled& filled = out.shapes[++shape];
    filled.form = form;
    filled.first_ref = uint16_t(out.count);
    size_t optional_until = 0;
    const size_t end = kCompiled.first[size_t(form) + 1];
    for (size_t k = kCompiled.first[size_t(form)]; k < end; ++k) {
      const FormatElement& step = kCompiled.steps[k];
      if (step.tag == StepTag::kOptional) optional_until = k + 1 + step.length;
      FormRef ref;
      if (HasName(step.tag)) {
        ref = Resolve(i + 1, step.text);
        // A shape of the past may lack what came later, where the form can do without it.
        const bool spare = k < optional_until || step.tag == StepTag::kArgument;
        if (ref.kind == RefKind::kNone && !(spare && kCells[i].y != 0))
          throw "a form in schema/forms.inc names what an op with this form does not have";
        if (ref.kind == RefKind::kAttr) filled.placed |= uint64_t(1) << ref.index;
        if (ref.kind == RefKind::kStructAttr) filled.placed_struct_attrs |= 1u << ref.index;
        if (ref.kind == RefKind::kRegion) filled.places_regions = true;
      }
      if (N) out.refs[out.count] = ref;
      ++out.count;
    }
  }
  return out;
}

constexpr size_t kNumRefs = Fill<0>().count;
constexpr auto kFilled = Fill<kNumRefs>();

}  // namespace

RevisionForm FormOf(RevisionId revision) {
  const Filled& filled = kFilled.shapes[revision.v];
  const size_t first = kCompiled.first[size_t(filled.form)];
  const size_t end = kCompiled.first[size_t(filled.form) + 1];
  return {.steps = std::span<const FormatElement>(kCompiled.steps).subspan(first, end - first),
          .refs = kFilled.refs.data() + filled.first_ref,
          .placed = filled.placed,
          .placed_struct_attrs = filled.placed_struct_attrs,
          .places_regions = filled.places_regions};
}

}  // namespace shlo::text
