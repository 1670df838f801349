#include "serialize/text/forms.h"

#include <array>

#include "ir/table/op_rows.h"

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

// A form written by hand has a format of one directive without arguments.
constexpr bool ByHand(std::string_view format) {
  return format.starts_with("custom<") && format.ends_with('>');
}

// Spaces follow mlir-tblgen's printers: none inside brackets or before a comma, one between words.
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
  std::array<FormatElement, N> elements{};
  std::array<uint16_t, kNumForms + 1> first{};
  size_t count = 0;
};

#define SHLO_FORM_MISTAKES(F, found, form)                      \
  F(found, form, kName, "a name is missing")                    \
  F(found, form, kBracket, "a bracket or '?' is missing")       \
  F(found, form, kLiteral, "a literal does not end")            \
  F(found, form, kAnchor, "an anchor is outside of a group")    \
  F(found, form, kGroup, "a group is inside of a group")        \
  F(found, form, kType, "type(...) of a name that has no type") \
  F(found, form, kDirective, "unknown directive")               \
  F(found, form, kWord, "unknown word")
enum class FormMistake : uint8_t {
  kNone,
#define SHLO_MISTAKE(found, form, mistake, text) mistake,
  SHLO_FORM_MISTAKES(SHLO_MISTAKE, , )
};

// Parses a format and appends its elements. With N = 0, counts them only.
template <size_t N>
constexpr FormMistake CompileForm(std::string_view format, Compiled<N>* out) {
  FormatElement scratch;
  Spacing spacing;
  size_t group = 0;  // index + 1 of the open group
  const auto add = [&](ElementTag tag, std::string_view text) -> FormatElement& {
    FormatElement& element = N ? out->elements[out->count] : scratch;
    ++out->count;
    element = {.tag = tag, .text = text};
    if (tag == ElementTag::kLiteral) {
      element.space = spacing.BeforeLiteral(text);
      spacing.AfterLiteral(text);
    } else if (tag == ElementTag::kAttrDict) {
      spacing.after_punctuation = false;  // it prints its own space
    } else if (tag != ElementTag::kArgument && tag != ElementTag::kOptional) {
      element.space = spacing.BeforeOther();
      spacing.AfterOther();
    }
    return element;
  };
  const auto is_word = [](char c) {
    return c == '_' || c == '-' || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
  };
  size_t i = 0;
  bool named = true, bracketed = true;
  const auto word = [&] {
    const size_t begin = i;
    while (i < format.size() && is_word(format[i])) ++i;
    named &= i != begin;
    return format.substr(begin, i - begin);
  };
  const auto expect = [&](char c) {
    bracketed &= i < format.size() && format[i] == c;
    ++i;
  };
  while (i < format.size()) {
    if (!named) return FormMistake::kName;
    if (!bracketed) return FormMistake::kBracket;
    const char c = format[i];
    if (c == ' ') {
      ++i;
    } else if (c == '`') {
      const size_t end = format.find('`', i + 1);
      if (end == format.npos) return FormMistake::kLiteral;
      const std::string_view text = format.substr(i + 1, end - i - 1);
      i = end + 1;
      if (text.empty() || text == " ") {
        if (!text.empty()) add(ElementTag::kLiteral, text).space = false;
        spacing = {.wanted = false, .after_punctuation = true};
      } else {
        add(ElementTag::kLiteral, text);
      }
    } else if (c == '$') {
      ++i;
      add(ElementTag::kName, word());
      if (i < format.size() && format[i] == '^') {
        ++i;
        if (!group) return FormMistake::kAnchor;
        if (N) out->elements[group - 1].anchor = uint8_t(out->count - 1 - group);
      }
    } else if (c == '(') {
      ++i;
      if (group) return FormMistake::kGroup;
      add(ElementTag::kOptional, {});
      group = out->count;
    } else if (c == ')') {
      if (!group) return FormMistake::kBracket;
      ++i;
      expect('?');
      if (N) out->elements[group - 1].length = uint8_t(out->count - group);
      group = 0;
    } else {
      const std::string_view name = word();
      if (name == "operands") {
        add(ElementTag::kOperands, {});
        if (i < format.size() && format[i] == '^') {
          ++i;
          if (N && group) out->elements[group - 1].anchor = uint8_t(out->count - 1 - group);
        }
      } else if (name == "attr-dict") {
        add(ElementTag::kAttrDict, {});
      } else if (name == "functional-type") {
        add(ElementTag::kFunctionalType, {});
      } else if (name == "same-type") {
        add(ElementTag::kSameType, {});
      } else if (name == "one-type") {
        add(ElementTag::kOneType, {});
      } else if (name == "type") {
        expect('(');
        if (i < format.size() && format[i] == '$') {
          ++i;
          add(ElementTag::kTypeOfName, word());
        } else {
          const std::string_view of = word();
          if (of != "operands" && of != "results") return FormMistake::kType;
          add(of == "operands" ? ElementTag::kTypeOfOperands : ElementTag::kTypeOfResults, {});
        }
        expect(')');
        if (i < format.size() && format[i] == '^') {
          ++i;
          if (N && group) out->elements[group - 1].anchor = uint8_t(out->count - 1 - group);
        }
      } else if (name == "custom") {
        expect('<');
        FormatElement& element = add(ElementTag::kCustom, word());
        const size_t at = out->count - 1;
        size_t directive = 0;
        while (directive < std::size(kDirectiveNames) && kDirectiveNames[directive] != element.text)
          ++directive;
        if (directive == std::size(kDirectiveNames)) return FormMistake::kDirective;
        element.directive = uint8_t(directive);
        expect('>');
        expect('(');
        while (i < format.size() && format[i] != ')') {
          if (format[i] == ',' || format[i] == ' ') {
            ++i;
            continue;
          }
          expect('$');
          add(ElementTag::kArgument, word());
          if (N) ++out->elements[at].length;
        }
        expect(')');
        if (i < format.size() && format[i] == '^') {
          // The first argument tells whether the group is present.
          ++i;
          if (!group) return FormMistake::kAnchor;
          if (N) out->elements[group - 1].anchor = uint8_t(at + 1 - group);
        }
      } else {
        return FormMistake::kWord;
      }
    }
  }
  if (!named) return FormMistake::kName;
  return bracketed && !group ? FormMistake::kNone : FormMistake::kBracket;
}

#define SHLO_NO_MISTAKE_IN(found, form, no, text) \
  static_assert(found != FormMistake::no, "schema/forms.inc: " form ": " text);
#define SHLO_FORM(name, format)                                                 \
  constexpr FormMistake found_##name = [] {                                     \
    Compiled<0> counted;                                                        \
    return ByHand(format) ? FormMistake::kNone : CompileForm(format, &counted); \
  }();                                                                          \
  SHLO_FORM_MISTAKES(SHLO_NO_MISTAKE_IN, found_##name, #name)
#include "schema/forms.inc"

template <size_t N>
consteval Compiled<N> Compile() {
  Compiled<N> out;
  for (size_t form = 0; form < kNumForms; ++form) {
    out.first[form] = uint16_t(out.count);
    if (!ByHand(kFormats[form])) CompileForm(kFormats[form], &out);
  }
  out.first[kNumForms] = uint16_t(out.count);
  return out;
}

constexpr size_t kNumElements = Compile<0>().count;
constexpr auto kCompiled = Compile<kNumElements>();

// --- Names -----------------------------------------------------------------------------------------

using table::kCells, table::kNumOthers, table::kNumRevisions, table::kNumRows, table::kOtherCells;

static_assert(kNumForms <= 256 && std::size(kDirectiveNames) <= 256);

constexpr bool HasName(ElementTag tag) {
  return tag == ElementTag::kName || tag == ElementTag::kTypeOfName || tag == ElementTag::kArgument;
}

// Resolves a name among the cells of a revision, which begin at `first`.
constexpr FormRef Resolve(std::span<const Cell> cells, size_t first, std::string_view name) {
  uint8_t counts[8] = {};
  for (size_t i = first; i < cells.size(); ++i) {
    const Cell& cell = cells[i];
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

struct Filled {
  Form form = Form::kGeneric;
  uint16_t first_ref = 0;
  uint64_t placed = 0;
  uint32_t placed_struct_attrs = 0;
  bool places_regions = false;
};

template <size_t N>
struct FilledForms {
  std::array<Filled, kNumRevisions + kNumOthers> revisions{};
  std::array<FormRef, N> refs{};
  size_t count = 0;
  std::array<bool, kNumRows + kNumOthers> wrong{};  // the form of a row names something that the op lacks
  size_t row = 0, revision = 0;
};

// Resolves the names of the forms of one table.
template <size_t N>
consteval void FillTable(std::span<const Cell> cells, FilledForms<N>& out) {
  Form form = Form::kGeneric;
  size_t& row = out.row;
  for (size_t i = 0; i < cells.size(); ++i) {
    if (cells[i].tag == CellTag::kOp) form = Form(cells[i].a), ++row;
    if (cells[i].tag != CellTag::kRevision) continue;
    Filled& filled = out.revisions[++out.revision];
    filled.form = form;
    filled.first_ref = uint16_t(out.count);
    size_t optional_until = 0;
    const size_t end = kCompiled.first[size_t(form) + 1];
    for (size_t k = kCompiled.first[size_t(form)]; k < end; ++k) {
      const FormatElement& element = kCompiled.elements[k];
      if (element.tag == ElementTag::kOptional) optional_until = k + 1 + element.length;
      FormRef ref;
      if (HasName(element.tag)) {
        ref = Resolve(cells, i + 1, element.text);
        // An old revision may lack an operand or attribute that the form can omit.
        const bool spare = k < optional_until || element.tag == ElementTag::kArgument;
        if (ref.kind == RefKind::kNone && !(spare && cells[i].y != 0)) out.wrong[row] = true;
        if (ref.kind == RefKind::kAttr) filled.placed |= uint64_t(1) << ref.index;
        if (ref.kind == RefKind::kStructAttr) filled.placed_struct_attrs |= 1u << ref.index;
        if (ref.kind == RefKind::kRegion) filled.places_regions = true;
      }
      if (N) out.refs[out.count] = ref;
      ++out.count;
    }
  }
}

// Resolves the names of every revision's form. With N = 0, counts them only.
template <size_t N>
consteval FilledForms<N> Fill() {
  FilledForms<N> out;
  FillTable(std::span<const Cell>(kCells), out);
  FillTable(std::span<const Cell>(kOtherCells), out);
  return out;
}

constexpr size_t kNumRefs = Fill<0>().count;
constexpr auto kFilled = Fill<kNumRefs>();

constexpr int kFirstRow = __COUNTER__ + 1;
#define SHLO_OP_FORM(op)                                     \
  static_assert(!kFilled.wrong[__COUNTER__ - kFirstRow + 1], \
                op ": its form in schema/forms.inc names something that the op lacks");
#define SHLO_OP(...) SHLO_OP_FORM(SHLO_OP_NAME(__VA_ARGS__))
#include "schema/ops.inc"
#define SHLO_OTHER_OP(name, ...) SHLO_OP_FORM(name)
#include "schema/other_ops.inc"

}  // namespace

RevisionForm FormOf(RevisionId revision) {
  const Filled& filled = kFilled.revisions[revision.v];
  const size_t first = kCompiled.first[size_t(filled.form)];
  const size_t end = kCompiled.first[size_t(filled.form) + 1];
  return {.elements = std::span<const FormatElement>(kCompiled.elements).subspan(first, end - first),
          .refs = kFilled.refs.data() + filled.first_ref,
          .placed = filled.placed,
          .placed_struct_attrs = filled.placed_struct_attrs,
          .places_regions = filled.places_regions};
}

}  // namespace shlo::text
