// The vocabulary of schema/ops.inc: the words of a row as functions that return cells. A word accepts any
// arguments and records mistakes instead of failing to compile, so that op_checks.h can name the op and the
// mistake. Code that reads the table includes shlo/op_table.h.
#pragma once

#include "ir/table/attr_class.h"
#include "ir/table/form.h"
#include "ir/table/op_mistakes.h"
#include "ir/table/rule.h"
#include "ir/table/trait.h"
#include "ir/table/type_class.h"
#include "shlo/op_table.h"

namespace shlo::table {

// How a word changes the previous revision: later revisions of a row list only the changes.
enum class Edit : uint8_t { kNone, kAdd, kAddAfter, kDrop, kRename, kMakeList };

// One word of a row. kForm and kEdit are not stored as cells of the table.
struct Word {
  enum Kind : uint8_t { kCell, kForm, kEdit } kind = kCell;
  Edit edit = Edit::kNone;
  Mistake mistake = Mistake::kFine;
  Cell cell{};              // kRename, kMakeList: only the new name
  std::string_view target;  // kAddAfter, kDrop, kRename, kMakeList: a cell of the previous revision
};

// The word that opens a revision. A separate type, so that the revisions of a row are counted by types.
struct Opening : Word {};

// A named run of words, or the words of an edit.
template <size_t N>
struct Words {
  std::array<Word, N> items{};
};

// The arguments of a word, sorted by type; `types` has a letter for each, in order.
struct Arguments {
  char types[8] = {};
  std::string_view name, second;
  int numbers[2] = {};
  Form form{};
  Trait trait{};
  Rule rule{};
  Cond cond{};
  TypeClass type_class{};
  AttrClass attr_class{};
  Default attr_default{};
  AttrKind kind{};

  constexpr bool Are(std::string_view wanted) const { return std::string_view(types) == wanted; }
  template <typename T>
  constexpr void Take(size_t i, T value) {
    if constexpr (std::is_same_v<T, const char*>) {
      types[i] = 's';
      (name.data() ? second : name) = value;
    } else if constexpr (std::is_same_v<T, int>) {
      numbers[types[0] == 'i'] = value;
      types[i] = 'i';
    } else if constexpr (std::is_same_v<T, Trait>) {
      types[i] = 't', trait = value;
    } else if constexpr (std::is_same_v<T, Rule>) {
      types[i] = 'r', rule = value;
    } else if constexpr (std::is_same_v<T, Cond>) {
      types[i] = 'c', cond = value;
    } else if constexpr (std::is_same_v<T, TypeClass>) {
      types[i] = 'y', type_class = value;
    } else if constexpr (std::is_same_v<T, AttrClass>) {
      types[i] = 'a', attr_class = value;
    } else if constexpr (std::is_same_v<T, Default>) {
      types[i] = 'd', attr_default = value;
    } else if constexpr (std::is_same_v<T, AttrKind>) {
      types[i] = 'k', kind = value;
    } else {
      types[i] = '?';
    }
  }
};

template <typename... A>
constexpr Arguments Read(A... values) {
  Arguments arguments;
  if constexpr (sizeof...(A) < std::size(Arguments{}.types)) {
    size_t i = 0;
    (arguments.Take(i++, values), ...);
  } else {
    arguments.types[0] = '?';
  }
  return arguments;
}

constexpr Word MakeCell(bool sound, Mistake mistake, Cell cell) {
  Word word;
  if (!sound) word.mistake = mistake;
  word.cell = cell;
  return word;
}
constexpr uint16_t Number(const Arguments& a, int i) {
  return a.numbers[i] < 0 || a.numbers[i] > 9999 ? uint16_t(9999) : uint16_t(a.numbers[i]);
}
constexpr Word Typed(CellTag tag, bool variadic, const Arguments& a) {
  return MakeCell(a.Are("s") || a.Are("sy"), Mistake::kValueArguments,
                  {tag, variadic, uint8_t(a.type_class), 0, 0, 0, a.name});
}
constexpr Word Region(bool variadic, bool one_block, const Arguments& a) {
  return MakeCell(a.Are("s"), Mistake::kRegionArguments,
                  {CellTag::kRegion, variadic, uint8_t(one_block), 0, 0, 0, a.name});
}
constexpr Word Attribute(const Arguments& a, bool filled) {
  const bool sound = a.Are("sad") || (!filled && (a.Are("sa") || a.Are("sak") || a.Are("sakd")));
  return MakeCell(sound, filled ? Mistake::kFilledArguments : Mistake::kAttrArguments,
                  {CellTag::kAttr, false, uint8_t(a.attr_class), uint8_t(a.attr_default), uint16_t(a.kind),
                   uint16_t(filled ? 1 << 8 : 0), a.name});
}

// Collects the forms, words and runs of a row in order; records anything else as a mistake.
template <typename T>
constexpr size_t kLength = 1;
template <size_t N>
constexpr size_t kLength<Words<N>> = N;
constexpr void Append(Word* out, const Word& word) { *out = word; }
constexpr void Append(Word* out, const Opening& word) { *out = word; }
template <size_t N>
constexpr void Append(Word* out, const Words<N>& words) {
  for (const Word& word : words.items) *out++ = word;
}
constexpr void Append(Word* out, Form form) {
  out->kind = Word::kForm;
  out->cell.a = uint8_t(form);
}
template <typename T>
constexpr void Append(Word* out, const T&) {
  out->mistake = Mistake::kNotACell;
}
template <typename... P>
constexpr auto Join(const P&... parts) {
  Words<(size_t(0) + ... + kLength<P>)> out;
  size_t at = 0;
  ((Append(out.items.data() + at, parts), at += kLength<P>), ...);
  return out;
}
template <typename... P>
constexpr auto Edits(Edit edit, std::string_view target, const P&... parts) {
  auto out = Join(parts...);
  for (size_t i = 0; i < out.items.size(); ++i) {
    Word& word = out.items[i];
    if (word.kind != Word::kCell || word.cell.tag < CellTag::kOperand || word.cell.tag == CellTag::kCond)
      word.mistake = Mistake::kEditArguments;
    word.kind = Word::kEdit;
    word.edit = edit;
    // A run is added in its order.
    word.target = i && edit == Edit::kAddAfter ? out.items[i - 1].cell.name : target;
  }
  return out;
}
constexpr Word NameEdit(Edit edit, std::string_view wanted, const Arguments& a) {
  Word word;
  word.kind = Word::kEdit;
  word.edit = edit;
  word.target = a.name;
  word.cell.name = a.second;
  if (!a.Are(wanted)) word.mistake = Mistake::kEditArguments;
  return word;
}

// --- The words: see schema/ops.inc ----------------------------------------------------------------------
namespace words {
using enum TypeClass;
#define SHLO_ATTR_CLASS(name, ...) constexpr auto name = AttrClass::k##name;
#define SHLO_DEFAULT(name, ...) constexpr auto name = Default::k##name;
#include "schema/attr_classes.inc"

constexpr Word Is(auto... a) {
  const Arguments args = Read(a...);
  return MakeCell(args.Are("t"), Mistake::kIsArguments,
                  {CellTag::kTrait, false, uint8_t(args.trait), 0, 0, 0, {}});
}
constexpr Word By(auto... a) {
  const Arguments args = Read(a...);
  return MakeCell(args.Are("r"), Mistake::kByArguments,
                  {CellTag::kRule, false, uint8_t(args.rule), 0, 0, 0, {}});
}
constexpr Opening Rev(auto... a) {
  const Arguments args = Read(a...);
  return {MakeCell(args.Are("i") || args.Are("ii"), Mistake::kRevArguments,
                   {CellTag::kRevision, false, 0, 0, Number(args, 0), Number(args, 1), {}})};
}
constexpr Word EndsWith(auto... a) {
  const Arguments args = Read(a...);
  return MakeCell(args.Are("s"), Mistake::kEndArguments, {CellTag::kEnd, false, 0, 0, 0, 0, args.name});
}
constexpr Word In(auto... a) { return Typed(CellTag::kOperand, false, Read(a...)); }
constexpr Word Ins(auto... a) { return Typed(CellTag::kOperand, true, Read(a...)); }
constexpr Word Out(auto... a) { return Typed(CellTag::kResult, false, Read(a...)); }
constexpr Word Outs(auto... a) { return Typed(CellTag::kResult, true, Read(a...)); }
constexpr Word Reg(auto... a) { return Region(false, true, Read(a...)); }
constexpr Word Regs(auto... a) { return Region(true, true, Read(a...)); }
constexpr Word AnyReg(auto... a) { return Region(false, false, Read(a...)); }
constexpr Word AnyRegs(auto... a) { return Region(true, false, Read(a...)); }
constexpr Word At(auto... a) { return Attribute(Read(a...), false); }
constexpr Word Filled(auto... a) { return Attribute(Read(a...), true); }
template <typename T>
constexpr Word Confine(const T& attr, Confined values) {
  Word word;
  if constexpr (std::is_same_v<T, Word>) word = attr;
  const AttrClass c = word.cell.attr_class();
  if (!std::is_same_v<T, Word> || word.cell.tag != CellTag::kAttr ||
      (c != I32 && c != I64 && c != UI32 && c != UI64))
    word.mistake = Mistake::kConfinedArguments;
  word.cell.y |= uint16_t(values);
  return word;
}
constexpr Word NonNegative(const auto& attr) { return Confine(attr, Confined::kNonNegative); }
constexpr Word Positive(const auto& attr) { return Confine(attr, Confined::kPositive); }
constexpr Word StructAttr(auto... a) {
  const Arguments args = Read(a...);
  return MakeCell(args.Are("sk"), Mistake::kStructArguments,
                  {CellTag::kStructAttr, false, 0, 0, uint16_t(args.kind), 0, args.name});
}
constexpr Word If(auto... a) {
  const Arguments args = Read(a...);
  return MakeCell(args.Are("ic"), Mistake::kIfArguments,
                  {CellTag::kCond, false, uint8_t(args.cond), 0, Number(args, 0), 0, {}});
}
constexpr Word Infer(auto... a) {
  const Arguments args = Read(a...);
  return MakeCell(args.Are("s"), Mistake::kInferArguments, {CellTag::kInfer, false, 0, 0, 0, 0, args.name});
}
constexpr auto Add(const auto&... cells) { return Edits(Edit::kAdd, {}, cells...); }
constexpr auto AddAfter(std::string_view name, const auto&... cells) {
  return Edits(Edit::kAddAfter, name, cells...);
}
constexpr Word Drop(auto... a) { return NameEdit(Edit::kDrop, "s", Read(a...)); }
constexpr Word Rename(auto... a) { return NameEdit(Edit::kRename, "ss", Read(a...)); }
constexpr Word MakeList(auto... a) { return NameEdit(Edit::kMakeList, "ss", Read(a...)); }
}  // namespace words

}  // namespace shlo::table
