// Dictionaries of attributes, and aliases.
#include <algorithm>
#include <cstring>

#include "base/format.h"
#include "serialize/text/reader_attrs.h"

namespace shlo::text {

// --- Dictionaries -----------------------------------------------------------------------------------

bool AttrReader::ReadAttrDict() {
  const char* from = (c_.Skip(), c_.p);
  const size_t size = c_.Peek() == '{' ? BracketedSize(from, c_.end) : 0;
  if (!size) return ReadNewAttrDict();
  const std::string_view text(from, size);
  auto& entry = dict_cache_[text];
  if (entry.Is(text)) {
    for (uint32_t i = 0; i < entry.value.count; ++i) {
      ParsedAttr attr = cached_attrs_[entry.value.first + i];
      attr.at = from + (attr.at - entry.text);
      attr.dictionary = from;
      attrs_.push_back(attr);
    }
    c_.p += size;
    return true;
  }
  const size_t first = attrs_.size();
  if (!ReadNewAttrDict()) return false;
  if (c_.p == from + size && cached_attrs_.size() < UINT32_MAX / 2) {
    const CachedDict dict{uint32_t(cached_attrs_.size()), uint32_t(attrs_.size() - first)};
    cached_attrs_.insert(cached_attrs_.end(), attrs_.begin() + ptrdiff_t(first), attrs_.end());
    entry.Set(text, dict);
  }
  return true;
}

bool AttrReader::ReadNewAttrDict() {
  const char* const dictionary = (c_.Skip(), c_.p);
  return ReadList('{', "before the attributes", '}', "after the attributes", [&] {
    ParsedAttr attr;
    attr.dictionary = dictionary;
    if (c_.Peek() == '"') {
      attr.at = c_.p;
      if (!ReadString(&attr.name)) return false;
    } else {
      attr.name = c_.Word();
      attr.at = c_.p - attr.name.size();
    }
    if (attr.name.empty()) return FailExpected("the name of an attribute");
    if (c_.Eat('=')) {
      if (!ReadAttr(&attr.value)) return false;
    } else {
      attr.value = m_.Unit();
    }
    attrs_.push_back(attr);
    return true;
  });
}

bool AttrReader::ReadDictEntries(std::vector<NamedAttr>* entries) {
  const char* at = (c_.Skip(), c_.p);
  const size_t mark = attrs_.size();
  if (!ReadAttrDict()) return false;
  for (size_t i = mark; i < attrs_.size(); ++i)
    entries->push_back({m_.strings.Intern(attrs_[i].name), attrs_[i].value});
  attrs_.resize(mark);
  std::sort(entries->begin(), entries->end(),
            [](const NamedAttr& a, const NamedAttr& b) { return a.name < b.name; });
  for (size_t i = 1; i < entries->size(); ++i)
    if ((*entries)[i].name == (*entries)[i - 1].name)
      return Fail(at,
                  StrFormat("duplicate key '{}' in dictionary attribute", m_.strings[(*entries)[i].name]));
  return true;
}

bool AttrReader::ReadDictAttr(AttrId* attr) {
  std::vector<NamedAttr> entries;
  if (!ReadDictEntries(&entries)) return false;
  *attr = m_.Dict(std::move(entries));
  return true;
}

// --- Aliases ----------------------------------------------------------------------------------------

bool AttrReader::ReadAliasDefinition() {
  const char* at = c_.p++;
  const std::string_view name = c_.Name();
  if (name.empty()) return Fail(at, "an alias needs a name");
  const std::string_view key(at, name.size() + 1);
  if (name.find('.') != std::string_view::npos) return Fail(at, "the name of an alias must not contain '.'");
  if (!Expect('=', "after the name of an alias")) return false;
  Alias& alias = aliases_[key];
  if (alias.defined_at && alias.defined_at != at)
    return Fail(at, StrFormat("redefinition of alias id '{}'", name));
  Alias read;
  if (!ReadAliasAt(key, at, &read)) return false;
  aliases_[key] = read;
  return true;
}

// Reads the value after "name =", with the cursor there.
bool AttrReader::ReadAliasAt(std::string_view name, const char* at, Alias* out) {
  Nest nest(this);
  if (!nest) return false;
  aliases_[name].open = true;
  aliases_[name].defined_at = at;
  c_.EatWord("type");  // an older spelling: !t = type i32
  const bool ok = name[0] == '!' ? ReadType(&out->type) : ReadAttr(&out->attr);
  aliases_[name].open = false;
  out->defined_at = at;
  return ok;
}

bool AttrReader::UseAlias(std::string_view name, const char* at, Alias* out) {
  auto found = aliases_.find(name);
  if (found == aliases_.end()) {
    // Locations are defined at the end of a text, so search the rest of it once for definitions.
    if (!scanned_aliases_) {
      scanned_aliases_ = true;
      for (const char* q = text_.data(); q < c_.end;) {
        const char* next = static_cast<const char*>(std::memchr(q, '\n', size_t(c_.end - q)));
        if (*q == '#' || *q == '!') {
          Cursor c(q + 1, next ? next : c_.end);
          const std::string_view alias = c.Name();
          if (!alias.empty() && c.Eat('=')) later_aliases_.try_emplace({q, alias.size() + 1}, c.p);
        }
        if (!next) break;
        q = next + 1;
      }
    }
    const auto later = later_aliases_.find(name);
    if (later == later_aliases_.end())
      return Fail(at, StrFormat("undefined symbol alias id '{}'", name.substr(1)));
    const Cursor here = c_;
    const std::string_view key = later->first;
    c_.p = later->second;
    Alias read;
    const bool ok = ReadAliasAt(key, key.data(), &read);
    c_ = here;
    if (!ok) return false;
    *out = aliases_[key] = read;
    return true;
  }
  if (found->second.open) return Fail(at, "alias " + std::string(name) + " refers to itself");
  *out = found->second;
  if (!out->type && !out->attr)
    return Fail(at, "the definition of alias " + std::string(name) + " has an error");
  return true;
}

}  // namespace shlo::text
