#include "serialize/opaque.h"

#include <algorithm>
#include <charconv>

#include "base/stack.h"
#include "ir/print/attr_printer.h"
#include "ir/table/kind_text.h"
#include "serialize/text/lexer.h"

namespace shlo {
namespace {

constexpr OpaqueRow kOpaqueRows[] = {
#define SHLO_WIRE_OPAQUE(dialect, code, mnemonic, encoding, text) \
  {dialect, code, mnemonic, OpaqueItems(encoding), text},
#include "schema/bytecode.inc"
};

// The letters of factors: i to z, then z_1, z_2, ...
constexpr int64_t kLastLetter = 'z' - 'i';

void PutFactor(text::TextBuffer& out, int64_t factor) {
  if (factor <= kLastLetter) {
    out += char('i' + factor);
  } else {
    out += "z_";
    text::PutInt(out, factor - kLastLetter);
  }
}

bool IsEmptyField(const OpaqueField& field) { return field.numbers.empty() && field.parts.empty(); }

void PrintField(const OpaqueItem& item, const OpaqueField& field, bool follows, text::TextBuffer& out) {
  const auto each = [&](size_t count, std::string_view between, auto&& put) {
    for (size_t i = 0; i < count; ++i) {
      if (i) out += between;
      put(i);
    }
  };
  switch (item.letter) {
    case 'q':
    case 'N':
      each(field.parts.size(), ", ", [&](size_t i) { text::PutQuoted(out, field.parts[i]); });
      break;
    case 'm':
      if (field.symbol)
        text::PutSymbol(out, field.parts[0]);
      else
        (out += item.mnemonic) += field.parts[0];
      break;
    case 'A':
    case 'U':
    case 'o':
      each(field.parts.size(), ", ", [&](size_t i) { out += field.parts[i]; });
      break;
    case 'L':
      each(field.numbers.size(), "", [&](size_t i) { PutFactor(out, field.numbers[i]); });
      break;
    case 'Y':
      each(field.numbers.size(), ", ", [&](size_t i) { PutFactor(out, field.numbers[i]); });
      break;
    case 'Z':
      each(field.numbers.size(), ", ", [&](size_t i) {
        PutFactor(out, int64_t(i));
        out += '=';
        text::PutInt(out, field.numbers[i]);
      });
      break;
    case 'c':
      if (!field.numbers[0]) out += follows ? ", ?" : "?";
      break;
    case 'x':
      if (field.numbers[0]) out += ", custom";
      break;
    case 'r':
      if (field.numbers[0]) out += field.numbers[0] == 1 ? "max" : "min";
      break;
    default:
      each(field.numbers.size(), ", ", [&](size_t i) { text::PutInt(out, field.numbers[i]); });
      break;
  }
}

// Reads the text of one attribute after its mnemonic. Blanks may separate any two words.
class OpaqueParser {
 public:
  OpaqueParser(std::string_view dialect, std::string_view rest) : dialect_(dialect), rest_(rest) {}

  bool AtEnd() {
    SkipBlanks();
    return rest_.empty();
  }

  const OpaqueRow* Any(std::string_view mnemonic, OpaqueFields* fields) {
    CheckStack();
    const std::string_view start = rest_;
    for (const OpaqueRow& row : kOpaqueRows) {
      if (row.dialect != dialect_ || row.mnemonic != mnemonic) continue;
      if (One(row, fields)) return &row;
      rest_ = start;
    }
    return nullptr;
  }

 private:
  void SkipBlanks() {
    while (!rest_.empty() && (rest_[0] == ' ' || rest_[0] == '\n' || rest_[0] == '\t' || rest_[0] == '\r'))
      rest_.remove_prefix(1);
  }
  bool Literal(std::string_view literal) {
    const std::string_view start = rest_;
    for (char c : literal) {
      if (c == ' ') continue;
      SkipBlanks();
      if (rest_.empty() || rest_[0] != c) {
        rest_ = start;
        return false;
      }
      rest_.remove_prefix(1);
    }
    return true;
  }

  bool One(const OpaqueRow& row, OpaqueFields* fields) {
    fields->assign(row.items.size(), {});
    const bool read = WalkFormat(
        row.text, [&](std::string_view text) { return Literal(text); },
        [&](char, size_t field, char) { return Field(row.ItemOf(field), &(*fields)[field]); },
        [&](std::string_view first, size_t) {
          const std::string_view start = rest_;
          const bool there = Literal(first);
          rest_ = start;
          return there;
        });
    if (read && row.mnemonic == "mesh") DropIota(fields);
    return read;
  }

  // Device ids in order are those of a mesh without ids, unless it has no axes.
  static void DropIota(OpaqueFields* fields) {
    std::vector<int64_t>& ids = (*fields)[1].numbers;
    bool iota = !(*fields)[0].parts.empty();
    for (size_t i = 0; i < ids.size(); ++i) iota = iota && ids[i] == int64_t(i);
    if (iota) ids.clear();
  }

  // Reads items between commas. If an item cannot be read after a comma, the comma is left to the caller.
  template <typename ItemT>
  void List(ItemT&& item) {
    std::string_view end = rest_;
    while (item()) {
      end = rest_;
      if (!Literal(",")) break;
    }
    rest_ = end;
  }

  bool Number(std::vector<int64_t>* numbers) {
    SkipBlanks();
    int64_t value = 0;
    const auto parsed = std::from_chars(rest_.data(), rest_.data() + rest_.size(), value);
    if (parsed.ec != std::errc()) return false;
    rest_.remove_prefix(size_t(parsed.ptr - rest_.data()));
    numbers->push_back(value);
    return true;
  }
  bool Factor(std::vector<int64_t>* numbers) {
    if (rest_.empty() || rest_[0] < 'i' || rest_[0] > 'z') return false;
    int64_t factor = rest_[0] - 'i';
    rest_.remove_prefix(1);
    if (factor == kLastLetter && rest_.starts_with('_')) {
      rest_.remove_prefix(1);
      std::vector<int64_t> later;
      if (!Number(&later) || later[0] <= 0 || later[0] > INT32_MAX) return false;
      factor += later[0];
    }
    numbers->push_back(factor);
    return true;
  }
  bool Quoted(std::vector<std::string>* parts) {
    SkipBlanks();
    if (!rest_.starts_with('"')) return false;
    size_t end = 1;
    while (end < rest_.size() && rest_[end] != '"') end += rest_[end] == '\\' ? 2 : 1;
    if (end >= rest_.size()) return false;
    std::string value;
    if (!text::Unescape(rest_.substr(1, end - 1), &value)) return false;
    rest_.remove_prefix(end + 1);
    parts->push_back(std::move(value));
    return true;
  }
  bool Word(std::string_view word) {
    if (!rest_.starts_with(word)) return false;
    rest_.remove_prefix(word.size());
    return true;
  }
  // A nested attribute, of which the text may have all: "#sdy.sharding<...>" or "#sdy<axis_ref...>".
  bool Part(std::string_view mnemonic, OpaqueField* field, bool* later_row) {
    SkipBlanks();
    OpaqueFields inner;
    const std::string_view start = rest_;
    const bool whole = Word("#");
    const bool around = whole && Word(dialect_) && !Word(".") && Word("<");
    const OpaqueRow* row = !whole || Word(mnemonic) ? Any(mnemonic, &inner) : nullptr;
    if (!row || (around && !Literal(">"))) {
      rest_ = start;
      return false;
    }
    // Among several rows, the one that was tried first reports the shortest message.
    *later_row |= row != std::ranges::find_if(kOpaqueRows, [&](const OpaqueRow& other) {
                    return other.dialect == dialect_ && other.mnemonic == mnemonic;
                  });
    field->parts.push_back(PrintOpaque(*row, inner));
    return true;
  }

  bool Field(const OpaqueItem& item, OpaqueField* field) {
    bool later_row = false;
    switch (item.letter) {
      case 'q':
        return Quoted(&field->parts);
      case 'N':
        List([&] { return Quoted(&field->parts); });
        return true;
      case 'm': {
        SkipBlanks();
        if (!rest_.starts_with('@')) return Literal(item.mnemonic) && Part(item.mnemonic, field, &later_row);
        field->symbol = true;
        rest_.remove_prefix(1);
        if (rest_.starts_with('"')) return Quoted(&field->parts);
        size_t end = 0;
        const auto word = [](char c) {
          return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
                 c == '$' || c == '.' || c == '-';
        };
        while (end < rest_.size() && word(rest_[end])) ++end;
        if (!end) return false;
        field->parts.emplace_back(rest_.substr(0, end));
        rest_.remove_prefix(end);
        return true;
      }
      case 'A':
      case 'U':
        List([&] { return Part(item.mnemonic, field, &later_row); });
        return item.letter == 'A' || later_row;
      case 'o':
        return Part(item.mnemonic, field, &later_row);
      case 'L':
        SkipBlanks();
        while (Factor(&field->numbers)) {
        }
        return !field->numbers.empty();
      case 'Y':
        List([&] { return SkipBlanks(), Factor(&field->numbers); });
        return true;
      case 'Z': {
        bool in_order = true;
        List([&] {
          std::vector<int64_t> factor;
          SkipBlanks();
          if (!Factor(&factor)) return false;
          in_order &= factor[0] == int64_t(field->numbers.size());
          return Literal("=") && Number(&field->numbers);
        });
        return in_order;
      }
      case 'c':
        field->numbers = {!(Literal(",?") || Literal("?"))};
        return true;
      case 'x':
        field->numbers = {Literal(",custom")};
        return true;
      case 'r':
        field->numbers = {Literal("max") ? 1 : Literal("min") ? 2 : 0};
        return field->numbers[0] != 0;
      case 'S':
        List([&] { return Number(&field->numbers); });
        return true;
      default:
        return Number(&field->numbers) && (item.letter != 'p' || field->numbers[0] >= 0);
    }
  }

  std::string_view dialect_, rest_;
};

}  // namespace

const OpaqueItem& OpaqueRow::ItemOf(size_t field) const {
  return *std::ranges::find(items, field, &OpaqueItem::field);
}

bool HasOpaqueRows(std::string_view dialect) {
  return std::ranges::any_of(kOpaqueRows, [&](const OpaqueRow& row) { return row.dialect == dialect; });
}

const OpaqueRow* FindOpaqueRow(std::string_view dialect, uint64_t code) {
  for (const OpaqueRow& row : kOpaqueRows)
    if (row.dialect == dialect && row.code == code) return &row;
  return nullptr;
}

std::string JoinOpaque(std::string_view mnemonic, std::string_view body) {
  const bool brackets = body.starts_with('<');
  std::string text(brackets ? "." : "<");
  text.append(mnemonic);
  if (!body.empty() && body[0] >= 'a' && body[0] <= 'z') text += ' ';
  text.append(body);
  if (!brackets) text += '>';
  return text;
}

bool SplitOpaque(std::string_view text, std::string_view* mnemonic, std::string_view* body) {
  if (text.size() < 2 || (text[0] != '.' && text[0] != '<')) return false;
  if (text[0] == '<') {
    if (text.back() != '>') return false;
    text.remove_suffix(1);
  }
  text.remove_prefix(1);
  size_t end = 0;
  while (end < text.size() && ((text[end] >= 'a' && text[end] <= 'z') || text[end] == '_')) ++end;
  *mnemonic = text.substr(0, end);
  if (end < text.size() && text[end] == ' ') ++end;
  *body = text.substr(end);
  return !mnemonic->empty();
}

std::string PrintOpaque(const OpaqueRow& row, const OpaqueFields& fields) {
  text::TextBuffer out;
  WalkFormat(
      row.text, [&](std::string_view text) { return out.append(text), true; },
      [&](char, size_t field, char) {
        PrintField(row.ItemOf(field), fields[field], field > 0 && !IsEmptyField(fields[field - 1]), out);
        return true;
      },
      [&](std::string_view, size_t field) { return !IsEmptyField(fields[field]); });
  return std::string(out.view());
}

bool CanonicalizeOpaque(std::string_view dialect, std::string* text) {
  std::string_view mnemonic, body;
  if (!SplitOpaque(*text, &mnemonic, &body)) return true;
  const auto of_mnemonic = [&](const OpaqueRow& row) {
    return row.dialect == dialect && row.mnemonic == mnemonic;
  };
  if (std::ranges::none_of(kOpaqueRows, of_mnemonic)) return true;
  const auto parsed = ParseOpaque(dialect, *text);
  if (!parsed) return false;
  *text = JoinOpaque(parsed->row->mnemonic, PrintOpaque(*parsed->row, parsed->fields));
  return true;
}

std::optional<ParsedOpaque> ParseOpaque(std::string_view dialect, std::string_view text) {
  std::string_view mnemonic, body;
  if (!SplitOpaque(text, &mnemonic, &body)) return std::nullopt;
  OpaqueParser parser(dialect, body);
  ParsedOpaque parsed;
  parsed.row = parser.Any(mnemonic, &parsed.fields);
  if (!parsed.row || !parser.AtEnd()) return std::nullopt;
  return parsed;
}

}  // namespace shlo
