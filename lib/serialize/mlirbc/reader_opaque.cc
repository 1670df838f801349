// Attributes of dialects without kinds: decodes them to the text that the module keeps.
#include <bit>

#include "base/format.h"
#include "serialize/mlirbc/reader_nodes.h"
#include "shlo/print.h"

namespace shlo::mlirbc {
namespace {

// Attributes repeat nested ones in their text, so a few bytes could become much text.
constexpr uint64_t kMaxText = 64u << 20;
constexpr int64_t kMaxFactor = INT32_MAX;  // that a text can name

}  // namespace

AttrId NodesIn::DecodeOpaque(InCursor& c, const OpaqueRow& row) {
  OpaqueFields fields(row.items.size());
  const auto fail = [&](std::string message) {
    c.Fail(std::move(message));
    return AttrId();
  };
  // Each text counts before it is kept.
  const auto keep = [&](std::string_view part, OpaqueField* field) {
    opaque_text_ += part.size();
    if (opaque_text_ > kMaxText)
      return c.Fail(StrFormat("size of attributes kept as text exceeds the limit of {} MiB", kMaxText >> 20),
                    Code::kLimit);
    field->parts.emplace_back(part);
    return true;
  };
  // Returns the text of an attribute after its mnemonic, which must be the one of the item.
  const auto add_part = [&](const OpaqueItem& item, AttrId attr, OpaqueField* field) {
    if (!c.ok()) return false;
    const auto opaque = m_.As<OpaqueAttr>(attr);
    std::string_view mnemonic, body;
    if (!opaque || m_.strings[opaque->dialect] != row.dialect ||
        !SplitOpaque(m_.strings[opaque->text], &mnemonic, &body) || mnemonic != item.mnemonic)
      return c.Fail(StrFormat("expected an attribute '{}' in '{}'", item.mnemonic, row.mnemonic));
    return keep(body, field);
  };
  for (const OpaqueItem& item : row.items) {
    OpaqueField& field = fields[item.field];
    switch (item.letter) {
      case 'q': {
        const uint32_t number = c.Index(file_.strings().size(), "string");
        if (!c.ok() || !keep(file_.strings()[number], &field)) return {};
        break;
      }
      case 'N':
        for (uint64_t i = c.Count("string"); i > 0 && c.ok(); --i) {
          StringId string;
          if (!DecodeString(c, AttrAt(c), &string) || !keep(m_.strings[string], &field)) return {};
        }
        break;
      case 'm': {
        const AttrId attr = AttrAt(c);
        if (!c.ok()) return {};
        std::string_view name;
        field.symbol = m_.attrs.KindOf(attr) == AttrKind::kSymbolRef && m_.AsSymbol(attr, &name);
        if (field.symbol ? !keep(name, &field) : !add_part(item, attr, &field)) return {};
        break;
      }
      case 'A':
      case 'U':
        for (uint64_t i = c.Count("attribute"); i > 0 && c.ok(); --i)
          if (!add_part(item, AttrAt(c), &field)) return {};
        break;
      case 'o': {
        const uint64_t word = c.Varint();
        if (!c.ok() || !(word & 1)) break;
        if (word >> 1 >= attrs_.size())
          return fail(StrFormat("attribute index {} out of range [0, {})", word >> 1, attrs_.size()));
        if (!add_part(item, Attr(uint32_t(word >> 1)), &field)) return {};
        break;
      }
      case 'c':
      case 'x': {
        const uint8_t value = c.Byte();
        if (value > 1) return fail("boolean is neither 0 nor 1");
        field.numbers.push_back(value);
        break;
      }
      case 'p': {
        const uint64_t word = c.Varint();
        if (word & 1) field.numbers.push_back(int64_t(word >> 1));
        break;
      }
      case 'r':
        field.numbers.push_back(c.SignedVarint());
        if (field.numbers[0] < 0 || field.numbers[0] > 2) return fail("unknown reduction kind");
        break;
      case 's':
        field.numbers.push_back(c.SignedVarint());
        break;
      default:
        for (uint64_t i = c.Count("number"); i > 0 && c.ok(); --i) {
          field.numbers.push_back(c.SignedVarint());
          const bool factor = item.letter == 'L' || item.letter == 'Y';
          if (factor && (field.numbers.back() < 0 || field.numbers.back() > kMaxFactor))
            return fail("factor number out of range");
        }
        if (item.letter == 'L' && field.numbers.empty()) return fail("dimension has no factors");
        break;
    }
    if (!c.ok()) return {};
  }
  if (c.left()) return fail("trailing bytes after the attribute");
  const std::string body = PrintOpaque(row, fields);
  return m_.Opaque(row.dialect, JoinOpaque(row.mnemonic, body));
}

AttrId NodesIn::DecodeMhloText(InCursor& c, uint64_t code, AttrId) {
  struct Enum {
    std::string_view mnemonic;
    uint64_t code;
    std::vector<std::string_view> cases;
  };
  const Enum enums[] = {
#define SHLO_MHLO_TEXT(mnemonic, code, ...) {mnemonic, code, {__VA_ARGS__}},
#include "schema/mhlo.inc"
  };
  for (const Enum& one : enums) {
    if (one.code != code) continue;
    const uint64_t value = c.Varint();
    if (c.ok() && (value >= one.cases.size() || c.left())) c.Fail("unknown case of an enum");
    return c.ok() ? m_.Opaque("mhlo", StrFormat("<{} {}>", one.mnemonic, one.cases[value])) : AttrId();
  }
  return {};
}

TypeId NodesIn::DecodeMhloText(InCursor& c, uint64_t code, TypeId) {
  constexpr uint64_t kAsyncBundle = 1;
  if (code != kAsyncBundle) return {};
  std::string text;
  for (uint64_t i = c.Count("type"); i > 0 && c.ok(); --i) {
    const TypeId type = TypeAt(c);
    if (!c.ok() || !type) return {};
    text += text.empty() ? ".async_bundle<" : ", ";
    if (!PrintType(m_, type, Spelling::kStablehlo, kMaxText, &text) ||
        (opaque_text_ += text.size()) > kMaxText) {
      c.Fail(StrFormat("size of types kept as text exceeds the limit of {} MiB", kMaxText >> 20),
             Code::kLimit);
      return {};
    }
  }
  if (c.ok() && (text.empty() || c.left())) c.Fail("malformed type of an asynchronous op");
  if (!c.ok()) return {};
  return m_.Make(OpaqueType{.dialect = m_.strings.Intern("mhlo"), .text = m_.strings.Intern(text + ">")});
}

TypeId NodesIn::DecodeQuantizedAny(InCursor& c, uint64_t code) {
  std::string text;
  bool whole = true;
  // Not TypeText, which cuts long types.
  const auto print = [&](TypeId type) {
    std::string out;
    whole = PrintType(m_, type, Spelling::kStablehlo, kMaxText, &out);
    return out;
  };
  if (code == 3) {
    const TypeId expressed = TypeAt(c);
    const double min = std::bit_cast<double>(c.SignedVarint()), max = std::bit_cast<double>(c.SignedVarint());
    if (!c.ok()) return {};
    text = StrFormat(".calibrated<{}<{:.16e}:{:.16e}>>", print(expressed), min, max);
  } else {
    const int64_t flags = int64_t(c.Varint());
    const TypeId storage = TypeAt(c), expressed = code == 2 ? TypeAt(c) : TypeId();
    const int64_t min = c.SignedVarint(), max = c.SignedVarint();
    if (!c.ok()) return {};
    text = StrFormat(".any<{}{}{}>", StorageTypeText(m_, storage, flags, min, max), expressed ? ":" : "",
                     expressed ? print(expressed) : "");
  }
  opaque_text_ += text.size();
  if (opaque_text_ > kMaxText || !whole)
    return c.Fail(StrFormat("size of types kept as text exceeds the limit of {} MiB", kMaxText >> 20),
                  Code::kLimit),
           TypeId();
  return m_.Make(OpaqueType{.dialect = m_.strings.Intern("quant"), .text = m_.strings.Intern(text)});
}

}  // namespace shlo::mlirbc
