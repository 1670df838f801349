// Prints the fields of types and attributes by their formats (schema/kind_texts.inc).
#include "ir/module/node_words.h"
#include "ir/print/attr_printer.h"

namespace shlo::text {
namespace {

// "operandIndex" for "operand_index".
void PutCamelCase(TextBuffer& out, std::string_view name) {
  bool upper = false;
  for (const char ch : name) {
    if (ch != '_') out.push_back(upper ? char(ch - 'a' + 'A') : ch);
    upper = ch == '_';
  }
}

}  // namespace

void AttrPrinter::Format(const TextFormat& format, const KindRow& row, std::span<const uint64_t> words,
                         Spelling spelling, bool slot) {
  const auto fields = row.fields();
  const FieldStarts starts(fields, words);
  const auto value = [&](char how, size_t field, char) {
    Field(how, fields[field], words.data() + starts[field], spelling, slot);
    return true;
  };
  const auto all = [&](char how) {
    bool first = true;
    for (size_t k = 0; k < fields.size(); ++k) {
      const bool may_be_absent = how == TextFormat::kNonzero || fields[k].type == FieldType::kOptAttr;
      if (may_be_absent && !words[starts[k]]) continue;
      if (!first) Put(", ");
      first = false;
      if (how == TextFormat::kCamelCase)
        PutCamelCase(out_, fields[k].name);
      else
        Put(spelling == Spelling::kVhlo ? fields[k].name : fields[k].text);
      Put(" = ");
      value(how, k, '\0');
    }
  };
  const auto literal = [&](std::string_view text) {
    for (const char ch : text) TextFormat::IsAll(ch) ? all(ch) : Put(ch);
    return true;
  };
  WalkFormat(format.view(), literal, value,
             [&](std::string_view, size_t field) { return words[starts[field]] != 0; });
}

// Prints one field, whose words begin at `words`; `how` is the character of a format before it.
void AttrPrinter::Field(char how, const FieldRow& field, const uint64_t* words, Spelling spelling,
                        bool slot) {
  const bool vhlo = spelling == Spelling::kVhlo;
  const bool in_brackets = TextFormat::IsAll(how) && IsList(field.type);
  if (in_brackets && vhlo && field.type == FieldType::kAttrs)
    return VhloList({words + 1, size_t(words[0])}, slot);
  if (in_brackets) Put('[');
  const FieldType type = ItemOf(field.type);
  const bool flag = IsFlag(field), may_be_dynamic = MayBeDynamic(field);
  const uint64_t count = IsList(field.type) ? *words++ : 1;
  for (uint64_t i = 0; i < count; ++i) {
    const uint64_t word = words[i];
    const AttrId attr{uint32_t(word)};
    std::string_view symbol;
    if (i && how != '#') Put(", ");
    switch (type) {
      case FieldType::kInt:
        if (flag)
          Put(word ? "true" : "false");
        else if (may_be_dynamic && int64_t(word) == kDynamic)
          Put('?');
        else
          PutInt(out_, int64_t(word));
        if (how == '#') Put('x');
        break;
      case FieldType::kFloat:
        PutDouble(out_, std::bit_cast<double>(word));
        break;
      case FieldType::kString:
        vhlo ? VhloString(m_.strings[StringId(uint32_t(word))])
             : PutQuoted(out_, m_.strings[StringId(uint32_t(word))]);
        break;
      case FieldType::kType:
        word ? Type(TypeId(uint32_t(word)), spelling) : Put("none");
        break;
      case FieldType::kAttr:
        if (how == '@')
          Bare(attr, spelling, field);
        else if (vhlo && field.type == FieldType::kAttr && m_.AsSymbol(attr, &symbol))
          VhloString(symbol);
        else
          Attr(attr, spelling);
        break;
      default:
        return Fail();
    }
  }
  if (in_brackets) Put(']');
}

// Prints an attribute without what the field that holds it implies.
void AttrPrinter::Bare(AttrId attr, Spelling spelling, const FieldRow& field) {
  const auto node = m_.attrs[attr];
  if (IsLocation(node.kind)) return Location(attr);
  if (!IsList(field.type)) return Attr(attr, spelling, /*elide=*/spelling == Spelling::kStablehlo);
  Format(TextOf(node.kind).text, RowOf(node.kind), node.words, spelling, false);
}

}  // namespace shlo::text
