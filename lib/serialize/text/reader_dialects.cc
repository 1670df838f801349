// Dialect attributes: stablehlo, chlo and vhlo by the rows of schema/kinds.inc, others as text.
#include <algorithm>

#include "base/format.h"
#include "ir/nearest_names.h"
#include "ir/table/kind_text.h"
#include "ir/table/mhlo.h"
#include "serialize/opaque.h"
#include "serialize/text/reader_attrs.h"
#include "shlo/print.h"

namespace shlo::text {

bool AttrReader::ReadDialectAttr(std::string_view dialect, std::string_view mnemonic, const char* at,
                                 AttrId* attr) {
  const size_t written = dialect.size();
  dialect = mhlo::DialectNow(dialect);
  if (dialect == "mhlo")
    if (const auto read = ReadMhloAttr(mnemonic, attr)) return *read;
  const bool known = dialect == "stablehlo" || dialect == "chlo" || dialect == "vhlo";
  // "#stablehlo<precision HIGH>" is "#stablehlo.precision<HIGH>".
  bool inner = false;
  if (known && mnemonic.empty()) {
    ++c_.p;
    mnemonic = c_.Word();
    inner = true;
  }
  if (dialect == "vhlo") {
    if (!ReadVhloAttr(mnemonic, at, attr)) return false;
    return !inner || Expect('>', "at the end of an attribute");
  }
  if (known) {
    AttrKind kind = FindAttrKind(dialect, mnemonic);
    if (dialect == "stablehlo" && mnemonic == "bounds")
      return ReadAttrFields(AttrKind::kTypeExtensions, TextOf(AttrKind::kTypeExtensions).text, attr);
    if (kind == AttrKind::kInvalid)
      return Fail(at, "unknown attribute '#" + std::string(dialect) + "." + std::string(mnemonic) + "'",
                  DidYouMean(NearestKind(AttrKinds(), dialect, mnemonic)));
    if (IsEnum(kind)) {
      if (!inner && !Expect('<', "before an enum case")) return false;
      return ReadEnumCase(kind, attr) && Expect('>', "after an enum case");
    }
    if (!ReadStruct(kind, attr)) return false;
    return !inner || Expect('>', "at the end of an attribute");
  }
  if (dialect == "arith" && (mnemonic == "overflow" || mnemonic == "fastmath"))
    return ReadArithFlags(mnemonic, {}, attr);
  const char* body = at + 1 + written;
  if (c_.At(0) == '<' && !c_.SkipBalanced()) return Fail(at, "the brackets of the attribute do not match");
  std::string text = CanonicalOpaque(dialect, {body, size_t(c_.p - body)});
  if (dialect == "sparse_tensor") text = CanonicalMap(text);
  return KeepText(dialect, std::move(text), at, attr);
}

// Replaces the aliases in the text of an attribute by what they are, if the dialect has aliases there.
bool AttrReader::ReplaceAliases(const char* at, std::string* text) {
  // Aliases of aliases could make much text of little.
  constexpr size_t kMaxText = size_t(16) << 20;
  std::string out;
  Cursor c(*text);
  const char* copied = c.p;
  while (c.p < c.end) {
    if (*c.p == '"') {
      RawText string;
      if (!c.RawString(&string)) ++c.p;
      continue;
    }
    const char* from = c.p++;
    if (*from != '#') continue;
    const std::string_view name = c.Name();
    if (name.empty() || name.find('.') != std::string_view::npos || c.At(0) == '<') continue;
    Alias alias;
    if (!UseAlias({from, name.size() + 1}, at, &alias)) return false;
    std::string spelled;
    if (!PrintAttr(m_, alias.attr, Spelling::kStablehlo, kMaxText, &spelled) ||
        out.size() + spelled.size() > kMaxText)
      return Fail(at, StrFormat("size of the attribute exceeds the limit of {} MiB", kMaxText >> 20), {},
                  Code::kLimit);
    out.append(copied, from) += spelled;
    copied = c.p;
  }
  if (copied != text->data()) *text = out.append(copied, c.end);
  return true;
}

bool AttrReader::KeepText(std::string_view dialect, std::string text, const char* at, AttrId* attr) {
  if (HasOpaqueRows(dialect) && text.find('#') != text.npos && !ReplaceAliases(at, &text)) return false;
  if (!CanonicalizeOpaque(dialect, &text)) {
    std::string_view mnemonic, body;
    SplitOpaque(text, &mnemonic, &body);
    return Fail(at, StrFormat("'{}' is not an attribute '#{}.{}'", body, dialect, mnemonic));
  }
  *attr = m_.Opaque(dialect, text);
  return true;
}

// #mhlo.dot<...>, #mhlo<precision HIGH>; before 2022 #mhlo<"precision HIGH">.
std::optional<bool> AttrReader::ReadMhloAttr(std::string_view mnemonic, AttrId* attr) {
  const char* const begin = c_.p;
  const bool inner = mnemonic.empty();
  bool quoted = false;
  if (inner) {
    ++c_.p;
    quoted = c_.Eat('"');
    mnemonic = c_.Word();
  }
  const AttrKind kind = mhlo::FindAttr(mnemonic);
  if (kind == AttrKind::kInvalid) {
    c_.p = begin;
    return std::nullopt;
  }
  const auto end = [&] {
    return !inner ||
           ((!quoted || Expect('"', "after the attribute")) && Expect('>', "at the end of an attribute"));
  };
  mhlo_nodes_ = true;
  if (IsEnum(kind))
    return (inner || Expect('<', "before an enum case")) && ReadEnumCase(kind, attr) &&
           (inner || Expect('>', "after an enum case")) && end();
  if (!ReadStruct(kind, attr) || !end()) return false;
  // A dimension without a bound was -1.
  if (const auto extensions = m_.As<TypeExtensionsAttr>(*attr)) {
    std::vector<int64_t> bounds(extensions->bounds.begin(), extensions->bounds.end());
    for (int64_t& bound : bounds)
      if (bound == -1) bound = kDynamic;
    *attr = m_.Make(TypeExtensionsAttr{.bounds = bounds});
  }
  return true;
}

// Reads what follows the mnemonic of an attribute, in brackets of any kind.
bool AttrReader::ReadTextAttr(const TextClass& text, AttrId* attr) {
  const char ch = c_.Peek();
  const char* at = c_.p;
  if (ch != '<' && ch != '{' && ch != '[') return FailExpected("'<', '{' or '['");
  if (!c_.SkipBalanced()) return Fail(at, "the brackets of the attribute do not match");
  return KeepText(text.dialect, JoinOpaque(text.mnemonic, {at, size_t(c_.p - at)}), at, attr);
}

// Reports why a word is not a case of an enum and then, as MLIR does, which attribute failed to parse.
bool AttrReader::FailCase(std::string_view op, const char* at, std::string why, std::string_view attr,
                          std::string_view type) {
  const auto fail = [&](const char* place, std::string message) {
    return op.empty() ? Fail(place, std::move(message)) : FailCustom(op, place, message);
  };
  fail(at, std::move(why));
  c_.Skip();
  return fail(c_.p, StrFormat("failed to parse {} parameter 'value' which is to be a `{}`", attr, type));
}

bool AttrReader::ReadEnumCase(AttrKind kind, AttrId* attr, std::string_view op) {
  c_.Skip();
  const char* at = c_.p;
  const std::string_view name = c_.Word();
  if (const EnumCase* found = FindCase(kind, name)) {
    *attr = m_.Enum(kind, found->value);
    return true;
  }
  // MLIR's message names its C++ class: rng_algorithm is RngAlgorithm.
  const auto& row = RowOf(kind);
  std::string camel, cases;
  bool upper = true;
  for (char ch : row.mnemonic) {
    if (ch != '_') camel += upper ? char(ch - 'a' + 'A') : ch;
    upper = ch == '_';
  }
  for (const EnumCase& c : CasesOf(kind)) cases += (cases.empty() ? "" : ", ") + std::string(c.name);
  const std::string type = StrFormat("::mlir::{}::{}", row.dialect, camel);
  return FailCase(
      op, at,
      name.empty() ? "expected valid keyword" : StrFormat("expected {} to be one of: {}", type, cases),
      StrFormat("{}_{}Attr", row.dialect == "chlo" ? "CHLO" : "StableHLO", camel), type);
}

bool AttrReader::ReadInts(std::vector<int64_t>* values, char open, char close) {
  return ReadList(open, "before a list of integers", close, "after a list of integers", [&] {
    int64_t& value = values->emplace_back(kDynamic);
    return c_.Eat('?') || ReadInt64(&value);
  });
}

// --- Portable attributes ----------------------------------------------------------------------------

bool AttrReader::ReadVhloAttr(std::string_view mnemonic, const char* at, AttrId* attr) {
  const auto fail_unknown = [&] {
    return FailUnknownVhlo(
        at, "unknown VHLO attribute '#vhlo." + std::string(mnemonic) + "'", mnemonic,
        [](std::string_view other) { return FindVhloAttrKind(other) != AttrKind::kInvalid; });
  };
  if (mnemonic == "bool_v1") {
    if (!Expect('<', "before a boolean")) return false;
    const bool value = c_.EatWord("true");
    if (!value && !c_.EatWord("false")) return FailExpected("'true' or 'false'");
    *attr = m_.Bool(value);
    return Expect('>', "after a boolean");
  }
  if (mnemonic == "dict_v1") return ReadVhloDict(attr);
  AttrKind kind = FindVhloAttrKind(mnemonic);
  if (kind == AttrKind::kInvalid) return fail_unknown();
  if (IsEnum(kind)) {
    // "#vhlo<precision_v1 HIGH>" or "#vhlo.precision_v1<HIGH>"; the caller consumes the bracket of the
    // former.
    const bool own = c_.Eat('<');
    return ReadEnumCase(kind, attr) && (!own || Expect('>', "after an enum case"));
  }
  switch (kind) {
    case AttrKind::kString:
    case AttrKind::kArray:
    case AttrKind::kTypeAttr:
    case AttrKind::kIntegerAttr:
    case AttrKind::kFloatAttr:
    case AttrKind::kElements: {
      // Each wraps the equivalent builtin attribute.
      if (!Expect('<', "before the value")) return false;
      const char* value_at = (c_.Skip(), c_.p);
      if (!ReadAttr(attr)) return false;
      const AttrKind got = m_.attrs.KindOf(*attr);
      const bool elements =
          kind == AttrKind::kElements && (got == AttrKind::kI64Array || got == AttrKind::kDenseArray);
      if (got != kind && !elements)
        return Fail(value_at, "'#vhlo." + std::string(mnemonic) + "' cannot contain this kind of attribute");
      return Expect('>', "after the value");
    }
    default:
      return ReadStruct(kind, attr, /*vhlo=*/true);
  }
}

// <{#vhlo.string_v1<"key"> = value, ...}>
bool AttrReader::ReadVhloDict(AttrId* attr) {
  if (!Expect('<', "before a dictionary") || !Expect('{', "before the entries")) return false;
  std::vector<NamedAttr> entries;
  const char* at = c_.p;
  if (!c_.Eat('}')) {
    do {
      const char* key_at = (c_.Skip(), c_.p);
      if (c_.Peek() != '#') return FailExpected("VHLO key attribute, such as #vhlo.string_v1<\"name\">");
      AttrId key, value;
      std::string_view name;
      if (!ReadAttr(&key)) return false;
      if (!m_.AsString(key, &name)) return Fail(key_at, "the key of a dictionary must be a string");
      const StringId id = m_.strings.Intern(name);
      if (!Expect('=', "after the key of a dictionary") || !ReadAttr(&value)) return false;
      entries.push_back({id, value});
    } while (c_.Eat(','));
    if (!Expect('}', "after the entries")) return false;
  }
  std::sort(entries.begin(), entries.end(),
            [](const NamedAttr& a, const NamedAttr& b) { return a.name < b.name; });
  for (size_t i = 1; i < entries.size(); ++i)
    if (entries[i].name == entries[i - 1].name)
      return Fail(at, "duplicate key '" + std::string(m_.strings[entries[i].name]) + "'");
  *attr = m_.Dict(std::move(entries));
  return Expect('>', "after a dictionary");
}

// [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]: the batch, feature and spatial dimensions.
bool AttrReader::ReadConvolution(AttrId* attr) {
  struct Part {
    int64_t named[2] = {-1, -1};
    std::vector<int64_t> spatial;
  };
  const auto read = [&](const char* names, Part* part) {
    // The names that have not been read yet.
    const auto missing = [&] {
      std::string out;
      for (int i = 0; i < 2; ++i)
        if (part->named[i] < 0) out += (out.empty() ? "" : ", ") + std::string(1, names[i]);
      return out;
    };
    std::vector<std::pair<uint64_t, int64_t>> spatial;  // number, position
    int64_t position = 0;
    const auto dimension = [&] {
      const char ch = c_.Peek();
      const char* at = c_.p;
      if (Is(ch, kDigitChar) || ch == '-') {
        int64_t number;
        if (!ReadInt64(&number)) return false;
        if (number < 0) return Fail(at, "Unexpected dimension " + std::to_string(number));
        spatial.push_back({uint64_t(number), position});
      } else if (ch == '?') {
        ++c_.p;  // a dimension without a role
      } else {
        const std::string word(c_.Word());
        if (missing().empty()) return Fail(at, "Unexpected keyword " + word);
        const int which = word.size() != 1 ? -1 : word[0] == names[0] ? 0 : word[0] == names[1] ? 1 : -1;
        if (which < 0 || part->named[which] >= 0)
          return Fail(at, "Unexpected dimension " + word + ", expecting " + missing());
        part->named[which] = position;
      }
      ++position;
      return true;
    };
    if (!ReadList('[', "before dimension numbers", ']', "after dimension numbers", dimension)) return false;
    const char* end = c_.p;
    if (!missing().empty()) return Fail(end, "Expected dimensions " + missing() + " not specified");
    std::sort(spatial.begin(), spatial.end());
    for (size_t i = 0; i + 1 < spatial.size(); ++i)
      if (spatial[i].first == spatial[i + 1].first)
        return Fail(end, "Duplicate entries for spatial dimension " + std::to_string(spatial[i].first));
    std::string absent;
    uint64_t next = 0;
    for (const auto& [number, at] : spatial) {
      constexpr size_t kLongest = 200;  // of a list worth printing
      for (; next < number && absent.size() < kLongest; ++next)
        absent += (absent.empty() ? "" : ", ") + std::to_string(next);
      next = number + 1;
      part->spatial.push_back(at);
    }
    if (!absent.empty()) return Fail(end, "Expected spatial dimensions " + absent + " not specified");
    return true;
  };
  Part input, kernel, output;
  if (!read("bf", &input)) return false;
  if (c_.Peek() != 'x') return FailExpected("'x' between dimension numbers");
  ++c_.p;
  if (!read("io", &kernel) || !ExpectArrow() || !read("bf", &output)) return false;
  *attr = m_.Make(ConvDimensionNumbersAttr{.input_batch_dimension = input.named[0],
                                           .input_feature_dimension = input.named[1],
                                           .kernel_input_feature_dimension = kernel.named[0],
                                           .kernel_output_feature_dimension = kernel.named[1],
                                           .output_batch_dimension = output.named[0],
                                           .output_feature_dimension = output.named[1],
                                           .input_spatial_dimensions = input.spatial,
                                           .kernel_spatial_dimensions = kernel.spatial,
                                           .output_spatial_dimensions = output.spatial});
  return true;
}

}  // namespace shlo::text
