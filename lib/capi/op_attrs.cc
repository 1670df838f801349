#include "capi/op_attrs.h"

#include <algorithm>

#include "base/format.h"
#include "base/printable.h"
#include "capi/internal.h"
#include "ir/nearest_names.h"
#include "ir/table/attr_class.h"
#include "serialize/text/reader_fragments.h"

namespace shlo::capi {
namespace {

// Returns the cell of an inherent attribute of an op, by the names of both; null if there is none.
const Cell* SlotOf(const Module& m, std::string_view op, std::string_view name) {
  const RowId row = FindOp(op);
  const RevisionId id = row ? RevisionAt(row, m.version) : RevisionId();
  const int slot = id ? RevisionOf(id).FindSlot(name) : -1;
  return slot < 0 ? nullptr : &RevisionOf(id).attrs[size_t(slot)];
}

bool IsWord(std::string_view text) {
  return !text.empty() && text.find_first_not_of(
                              "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_"
                              "0123456789") == text.npos;
}

// Returns "[#stablehlo<precision HIGH>]" for "[HIGH]" where an op has precisions, and other texts as they
// are.
std::string PrecisionsOf(const Cell* cell, const std::string& text) {
  if (!cell || cell->attr_class() != AttrClass::kPrecisions) return text;
  std::string out, word;
  for (const char c : text) {
    if (IsWord({&c, 1})) {
      word += c;
      continue;
    }
    if (c != '[' && c != ']' && c != ',' && c != ' ') return text;
    if (!word.empty()) out += StrFormat("#stablehlo<precision {}>", std::exchange(word, {}));
    out += c;
  }
  return out + word;
}

// Returns the type of numbers of a class, where it is not the one that MLIR has without a type.
std::string_view StatedTypeOf(AttrClass c) {
  const TypeKind type = NumberTypeOf(c);
  const bool implied =
      type == TypeKind::kInvalid || type == TypeKind::kI1 || type == TypeKind::kI64 || type == TypeKind::kF64;
  return implied ? std::string_view() : RowOf(type).mnemonic;
}

// Returns a text with what the class of the attribute implies: quotes of a string, '@' of a symbol, the
// type of a number.
std::string Completed(const Cell* cell, std::string text) {
  if (!cell) return text;
  const char first = text.empty() ? ' ' : text[0];
  switch (cell->attr_class()) {
    case AttrClass::kStr:
      return first == '"' ? text : QuotedText(text);
    case AttrClass::kConfig:
      return first == '"' || first == '{' ? text : QuotedText(text);
    case AttrClass::kSymbol:
      return first == '@' ? text : "@" + QuotedText(text);
    default:
      break;
  }
  const std::string_view type = StatedTypeOf(cell->attr_class());
  const bool number = text.find_first_not_of("0123456789.eE+-") == text.npos && !text.empty();
  if (!number || type.empty()) return text;
  const bool whole = text.find_first_of(".eE") == text.npos;
  return StrFormat("{}{} : {}", text, type == "f32" && whole ? ".0" : "", type);
}

}  // namespace

AttrId ParseOpAttr(Module* m, std::string_view op, std::string_view name, const std::string& text) {
  const Cell* const cell = SlotOf(*m, op, name);
  if (cell && cell->attr_class() == AttrClass::kEnum && IsWord(text)) {
    const AttrKind kind = cell->attr_kind();
    if (const EnumCase* found = FindCase(kind, text)) return m->Enum(kind, found->value);
    Nearest nearest(text);
    std::string all;
    for (const EnumCase& c : CasesOf(kind)) {
      nearest.Try(c.name);
      all += (all.empty() ? "" : ", ") + std::string(c.name);
    }
    Fail(Code::kUsage, StrFormat("attribute '{}' of '{}' has no case '{}'", name, op, text),
         DidYouMean(nearest.best(), "pass one of " + all));
  }
  const auto owner = std::make_shared<std::string>(Completed(cell, PrecisionsOf(cell, text)));
  return Take(ReadAttrText(m, *owner, owner));
}

void NameOp(Module* m, std::string_view name, EditedSignature* op) {
  const RowId row = FindOp(name);
  if (row && RowOf(row).name == name) {
    op->revision = RevisionAt(row, m->version);
    if (op->revision) return;
    const OpRow& r = RowOf(row);
    Fail(Code::kUsage,
         StrFormat("'{}' does not exist in version {}, only in {} to {}", name, VersionName(m->version),
                   VersionName(RevisionOf(RevisionId{r.first_revision}).since),
                   VersionName(RevisionOf(NewestRevision(row)).until)));
  }
  // Other dialects may have any op.
  const size_t dot = name.find('.');
  const bool closed = name.starts_with("stablehlo.") || name.starts_with("vhlo.") ||
                      name.starts_with("chlo.") || name.starts_with("func.") || name.starts_with("builtin.");
  if (closed || dot == 0 || dot == name.npos || dot + 1 == name.size())
    Fail(Code::kUsage, StrFormat("unknown op '{}'", name), DidYouMean(NearestOp(name)));
  op->name = m->strings.Intern(name);
}

void PlaceAttr(Module* m, std::string_view name, AttrId value, EditedSignature* op) {
  const OpRevision& revision = RevisionOf(op->revision);
  const auto put = [&](int slot, AttrId attr) {
    const Cell& cell = revision.attrs[size_t(slot)];
    AttrId& placed = op->inherent_attrs[size_t(slot)];
    if (placed) Fail(Code::kUsage, StrFormat("attribute '{}' is stated twice", cell.name));
    if (attr) placed = m->NormalizeInherentAttr(cell, attr);
  };
  if (const int slot = revision.FindSlot(name); slot >= 0) return put(slot, value);
  for (const Cell& struct_attr : revision.struct_attrs) {
    if (struct_attr.name != name) continue;
    if (m->attrs.KindOf(value) != struct_attr.attr_kind())
      Fail(Code::kUsage,
           StrFormat("attribute '{}' is not a #{}.{}", name, RowOf(struct_attr.attr_kind()).dialect,
                     RowOf(struct_attr.attr_kind()).mnemonic));
    std::vector<Module::SlotValue> values;
    m->ExpandStructAttr(struct_attr, revision, value, &values);
    for (const Module::SlotValue& v : values) put(v.slot, v.value);
    return;
  }
  if (name.empty()) Fail(Code::kUsage, "an attribute has no name");
  const StringId key = m->strings.Intern(name);
  const auto at = std::ranges::lower_bound(op->discardable_attrs, name, {},
                                           [&](const NamedAttr& a) { return m->strings[a.name]; });
  if (at != op->discardable_attrs.end() && at->name == key)
    Fail(Code::kUsage, StrFormat("attribute '{}' is stated twice", name));
  op->discardable_attrs.insert(at, {key, value});
}

void FillAttrs(Module* m, EditedSignature* op) {
  const OpRevision& revision = RevisionOf(op->revision);
  for (const Cell& struct_attr : revision.struct_attrs) {
    const auto fields = RowOf(struct_attr.attr_kind()).fields();
    const bool any = std::ranges::any_of(fields, [&](const FieldRow& field) {
      const int slot = revision.FindSlot(field.name);
      return slot >= 0 && op->inherent_attrs[size_t(slot)];
    });
    for (const FieldRow& field : fields) {
      const int slot = any && field.type == FieldType::kInts ? revision.FindSlot(field.name) : -1;
      if (slot < 0 || op->inherent_attrs[size_t(slot)]) continue;
      if (revision.attrs[size_t(slot)].attr_default() == Default::kRequired)
        op->inherent_attrs[size_t(slot)] = m->I64s({});
    }
  }
  for (size_t i = 0; i < op->inherent_attrs.size(); ++i)
    if (!op->inherent_attrs[i] && revision.attrs[i].filled())
      op->inherent_attrs[i] = m->DefaultOf(revision, op->inherent_attrs, int(i));
}

void ClearAttr(const Module& m, std::string_view name, EditedSignature* op) {
  const OpRevision& revision = RevisionOf(op->revision);
  if (const int slot = revision.FindSlot(name); slot >= 0) op->inherent_attrs[size_t(slot)] = {};
  for (const Cell& struct_attr : revision.struct_attrs) {
    if (struct_attr.name != name) continue;
    for (const FieldRow& field : RowOf(struct_attr.attr_kind()).fields())
      if (const int slot = revision.FindSlot(field.name); slot >= 0) op->inherent_attrs[size_t(slot)] = {};
  }
  std::erase_if(op->discardable_attrs, [&](const NamedAttr& a) { return m.strings[a.name] == name; });
}

}  // namespace shlo::capi
