// Reads the fields of types and attributes by the formats of schema/kind_texts.inc.
#include <algorithm>

#include "base/format.h"
#include "ir/module/node_words.h"
#include "serialize/text/reader_attrs.h"

namespace shlo::text {

// --- Formats ----------------------------------------------------------------------------------------

// Fails for a character of a format that is missing after a field; -1: before the first one.
bool AttrReader::FailFormat(char missing, const KindRow& row, int after) {
  std::string name(row.field_rows[size_t(std::max(after, 0))].text);
  std::ranges::replace(name, '_', ' ');
  return FailExpect(missing, StrFormat("{} the {}", after < 0 ? "before" : "after", name));
}

bool AttrReader::ReadByFormat(const KindRow& row, const TextFormat& format, FieldWriter* out) {
  // The words of the fields that were read, in the order of the text.
  FieldWriter read;
  struct Run {
    size_t first = 0, size = 0;
  } runs[std::tuple_size_v<decltype(KindRow::field_rows)>];
  int last = -1;  // the field before
  const auto literal = [&](std::string_view text) {
    for (size_t i = 0, end; i < text.size(); i = end) {
      for (end = i; end < text.size() && Is(text[end], kLetterChar);) ++end;
      if (end > i && !ExpectWord(text.substr(i, end - i))) return false;
      if (end > i) continue;
      if (text[end++] != ' ' && !c_.Eat(text[i])) return FailFormat(text[i], row, last);
    }
    return true;
  };
  const auto value = [&](char how, size_t field, char end) {
    const size_t first = read.words().size();
    last = int(field);
    if (!ReadValue(how, row.field_rows[field], end, &read)) return false;
    runs[field] = {first, read.words().size() - first};
    return true;
  };
  if (!WalkFormat(format.view(), literal, value,
                  [&](std::string_view first, size_t) { return c_.Peek() == first[0]; }))
    return false;
  for (size_t i = 0; i < row.num_fields; ++i) {
    if (!runs[i].size) out->Word(0);
    for (const uint64_t word : read.words().subspan(runs[i].first, runs[i].size)) out->Word(word);
  }
  return true;
}

// Reads a field that a format marks with `how`; `end` is the character after a list.
bool AttrReader::ReadValue(char how, const FieldRow& field, char end, FieldWriter* out) {
  if (!IsList(field.type)) return ReadItem(how, field, out);
  FieldWriter items;
  if (c_.Peek() != end) do {
      if (!ReadItem(how, field, &items)) return false;
    } while (c_.Eat(','));
  out->Word(items.words().size());
  for (const uint64_t word : items.words()) out->Word(word);
  return true;
}

bool AttrReader::ReadItem(char how, const FieldRow& field, FieldWriter* out) {
  switch (ItemOf(field.type)) {
    case FieldType::kInt: {
      int64_t value = kDynamic;
      if (!(MayBeDynamic(field) && c_.Eat('?')) && !ReadInt64(&value)) return false;
      out->Int(value);
      return true;
    }
    case FieldType::kFloat: {
      double value;
      if (!ReadDouble(&value)) return false;
      out->Float(value);
      return true;
    }
    case FieldType::kType: {
      TypeId type;
      if (!ReadType(&type)) return false;
      out->Type(type);
      return true;
    }
    case FieldType::kAttr: {
      AttrId attr;
      if (!(how == '@' ? ReadLocBody(&attr) : ReadAttr(&attr))) return false;
      out->Attr(attr);
      return true;
    }
    default:
      return Fail(c_.p, "this field is not supported in text", {}, Code::kUnsupported);
  }
}

bool AttrReader::ReadTypeFields(TypeKind kind, const TextFormat& format, TypeId* type) {
  FieldWriter words;
  if (!ReadByFormat(RowOf(kind), format, &words)) return false;
  *type = m_.types.Intern(kind, words);
  return true;
}

bool AttrReader::ReadAttrFields(AttrKind kind, const TextFormat& format, AttrId* attr) {
  FieldWriter words;
  if (!ReadByFormat(RowOf(kind), format, &words)) return false;
  *attr = m_.attrs.Intern(kind, words);
  return true;
}

// --- Structs ----------------------------------------------------------------------------------------

namespace {

// Returns whether a word names a field. VHLO spelling has some names in camel case.
bool SameField(const FieldRow& field, std::string_view name) {
  if (field.name == name || field.text == name) return true;
  size_t i = 0;
  for (char ch : field.name) {
    if (ch == '_') continue;
    if (i == name.size() || (name[i] | 0x20) != ch) return false;
    ++i;
  }
  return i == name.size();
}

}  // namespace

// <name = value, ...> in any order; omitted fields are zero, empty or none, if they are optional.
bool AttrReader::ReadStruct(AttrKind kind, AttrId* attr, bool vhlo) {
  if (kind == AttrKind::kSubAxisInfo && c_.Peek() == '(')
    return ReadAttrFields(kind, TextOf(kind).text, attr);
  const char* at = (c_.Skip(), c_.p);
  const bool conv = kind == AttrKind::kConvDimensionNumbers;
  if (conv) c_.EatWord("raw");  // "conv raw<fields>"
  if (!Expect('<', "before the fields")) return false;
  if (conv) {
    const bool fields = c_.EatWord("raw");
    if (!fields && c_.Peek() != '>' && !Is(c_.Peek(), kLetterChar))
      return ReadConvolution(attr) && Expect('>', "after the dimension numbers");
  }
  const auto fields = RowOf(kind).fields();
  std::vector<FieldWriter> values(fields.size());
  std::vector<bool> given(fields.size());
  if (!c_.Eat('>')) {
    do {
      if (c_.Peek() == '>') break;  // a comma after the last field
      const std::string_view name = c_.Word();
      if (name.empty()) return FailExpected("valid keyword");
      size_t i = 0;
      while (i < fields.size() && !SameField(fields[i], name)) ++i;
      if (i == fields.size()) {
        std::string names;
        for (const FieldRow& field : fields)
          names += (names.empty() ? "`" : ", `") + std::string(field.text) + "`";
        Fail(name.data(), "expected one of: " + names);
        return FailDimensionNumbers(kind);
      }
      if (given[i]) {
        Fail(name.data(), "duplicated `" + std::string(name) + "` entry");
        return FailDimensionNumbers(kind);
      }
      given[i] = true;
      if (!Expect('=', "after the name of a field") || !ReadField(kind, fields[i], vhlo, &values[i]))
        return false;
    } while (c_.Eat(','));
    if (!Expect('>', "after the fields")) return FailDimensionNumbers(kind);
  }
  FieldWriter all;
  for (size_t i = 0; i < fields.size(); ++i) {
    if (given[i]) {
      for (uint64_t word : values[i].words()) all.Word(word);
      continue;
    }
    const FieldType type = fields[i].type;
    if (type == FieldType::kAttr && kind == AttrKind::kResultAccuracy)
      all.Attr(m_.Enum(AttrKind::kResultAccuracyMode, 0));
    else if (type == FieldType::kAttr || type == FieldType::kType || type == FieldType::kString ||
             kind == AttrKind::kChannelHandle)
      return Fail(at, "field '" + std::string(fields[i].text) + "' is missing");
    else
      all.Word(0);
  }
  *attr = m_.attrs.Intern(kind, all);
  return true;
}

// [<name = "x", size = 2>, #stablehlo.mesh_axis<...>]: the kind of the items may be omitted.
bool AttrReader::ReadMeshAxes(FieldWriter* out) {
  std::vector<AttrId> axes;
  const auto axis = [&] {
    const char* at = (c_.Skip(), c_.p);
    AttrId& read = axes.emplace_back();
    if (!(c_.Peek() == '<' ? ReadStruct(AttrKind::kMeshAxis, &read) : ReadAttr(&read))) return false;
    return m_.attrs.KindOf(read) == AttrKind::kMeshAxis || Fail(at, "expected an axis of a mesh");
  };
  if (!ReadList('[', "before the axes of a mesh", ']', "after the axes of a mesh", axis)) return false;
  out->Ids(std::span<const AttrId>(axes));
  return true;
}

bool AttrReader::ReadField(AttrKind kind, const FieldRow& field, bool vhlo, FieldWriter* out) {
  const char* at = (c_.Skip(), c_.p);
  switch (field.type) {
    case FieldType::kInt: {
      int64_t value;
      if (c_.EatWord("true"))
        value = 1;
      else if (c_.EatWord("false"))
        value = 0;
      else if (!ReadInt64(&value))
        return false;
      out->Int(value);
      return true;
    }
    case FieldType::kString: {
      std::string_view value;
      if (c_.Peek() == '"') {
        if (!ReadString(&value)) return false;
      } else {
        AttrId attr;
        if (!ReadAttr(&attr)) return false;
        if (!m_.AsString(attr, &value)) return Fail(at, "expected a string");
      }
      out->String(m_.strings.Intern(value));
      return true;
    }
    case FieldType::kAttr:
    case FieldType::kOptAttr: {
      AttrId attr;
      // Attributes nested in a VHLO accuracy are in VHLO spelling, too.
      if (vhlo && kind == AttrKind::kResultAccuracy &&
          std::string_view(at, size_t(c_.end - at)).starts_with("#stablehlo"))
        return Fail(at, "expected VHLO result accuracy mode, such as #vhlo<result_accuracy_mode_v1 DEFAULT>");
      if (field.name == "sub_axis_info" && c_.Peek() == '(') {
        if (!ReadStruct(AttrKind::kSubAxisInfo, &attr)) return false;
      } else if (!ReadAttr(&attr)) {
        return false;
      }
      // VHLO spelling has the name of a mesh as a string.
      std::string_view name;
      if (kind == AttrKind::kReplicaGroupMeshAxes && m_.attrs.KindOf(attr) == AttrKind::kString &&
          m_.AsString(attr, &name))
        attr = m_.Symbol(name);
      const AttrKind got = m_.attrs.KindOf(attr);
      if ((kind == AttrKind::kResultAccuracy && got != AttrKind::kResultAccuracyMode) ||
          (kind == AttrKind::kAxisRef && got != AttrKind::kSubAxisInfo))
        return Fail(at, "field '" + std::string(field.text) + "' has the wrong kind of value");
      out->Attr(attr);
      return true;
    }
    case FieldType::kInts: {
      std::vector<int64_t> values;
      if (!ReadInts(&values, '[', ']')) return false;
      out->Ints(values);
      return true;
    }
    case FieldType::kAttrs: {
      AttrId attr;
      if (kind == AttrKind::kMesh && c_.Peek() == '[') return ReadMeshAxes(out);
      if (!ReadAttr(&attr)) return false;
      if (m_.attrs.KindOf(attr) != AttrKind::kArray) return Fail(at, "expected a list");
      const auto is_axis = [&](AttrId axis) { return m_.attrs.KindOf(axis) == AttrKind::kMeshAxis; };
      if (kind == AttrKind::kMesh && !std::ranges::all_of(m_.ElementsOf(attr), is_axis))
        return Fail(at, "expected an axis of a mesh");
      out->Ids<AttrId>(m_.ElementsOf(attr).ToVector());
      return true;
    }
    default:
      return ReadItem('$', field, out);
  }
}

// MLIR's second message about an error in dimension numbers.
bool AttrReader::FailDimensionNumbers(AttrKind kind) {
  const bool numbers = kind == AttrKind::kDotDimensionNumbers || kind == AttrKind::kGatherDimensionNumbers ||
                       kind == AttrKind::kScatterDimensionNumbers;
  c_.Skip();
  if (numbers)
    Fail(c_.p, "failed parsing " + std::string(RowOf(kind).mnemonic) + " dimension numbers attribute");
  return false;
}

}  // namespace shlo::text
