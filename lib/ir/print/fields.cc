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
  const std::string_view text = format.view();
  const auto fields = row.fields();
  const FieldStarts starts(fields, words);
  bool part = false;
  for (size_t i = 0; i < text.size(); ++i) {
    const char ch = text[i];
    if (TextFormat::IsValue(ch)) {
      const size_t field = size_t(text[++i] - '0');
      Field(ch, fields[field], words.data() + starts[field], spelling, slot);
    } else if (TextFormat::IsAll(ch)) {
      bool first = true;
      for (size_t k = 0; k < fields.size(); ++k) {
        const bool may_be_absent = ch == TextFormat::kNonzero || fields[k].type == FieldType::kOptAttr;
        if (may_be_absent && !words[starts[k]]) continue;
        if (!first) Put(", ");
        first = false;
        if (ch == TextFormat::kCamelCase)
          PutCamelCase(out_, fields[k].name);
        else
          Put(spelling == Spelling::kVhlo ? fields[k].name : fields[k].text);
        Put(" = ");
        Field(ch, fields[k], words.data() + starts[k], spelling, slot);
      }
    } else if (ch != '|') {
      Put(ch);
    } else if (part = !part; part && !words[starts[size_t(text[text.find_first_of("$@", i) + 1] - '0')]]) {
      i = text.find('|', i + 1);
      part = false;
    }
  }
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
