#include "serialize/text/known_texts.h"

#include <cstring>
#include <new>

namespace shlo::text {

KnownTexts::Key::Key(const Module& m, const Op& op, bool in_func) {
  const auto attrs = m.InherentAttrsOf(op);
  const auto discardable = m.DiscardableAttrsOf(op);
  const auto operands = m.OperandsOf(op);
  const size_t size = 2 + attrs.size() + 2 * discardable.size() + operands.size() + op.results.count;
  if (size > std::size(ids_) || operands.size() > kUses) return;
  uint32_t* id = ids_;
  *id++ = op.revision.v << 1 | uint32_t(in_func);
  // How many there are of each kind: those of inherent attributes follow from the revision.
  *id++ = uint32_t(operands.size() << 16 | op.results.count << 8 | discardable.size());
  for (const AttrId attr : attrs) *id++ = attr.v;
  for (const NamedAttr& attr : discardable) {
    *id++ = attr.name.v;
    *id++ = attr.value.v;
  }
  for (const ValueId operand : operands) *id++ = m.values[operand.v].type.v;
  for (uint32_t i = 0; i < op.results.count; ++i) *id++ = m.values[op.results.first + i].type.v;
  if (size % 2) *id = 0;
  words_ = uint32_t(size + 1) / 2;
  uint64_t hash = 0;
  for (uint32_t i = 0; i < words_; ++i) {
    uint64_t word;
    std::memcpy(&word, ids_ + 2 * i, sizeof word);
    hash = (hash ^ word) * 0x9E3779B97F4A7C15;
    hash ^= hash >> 32;
  }
  hash_ = hash;
}

KnownTexts::KnownTexts() : entries_(static_cast<Entry*>(std::calloc(kEntries, sizeof(Entry)))) {
  if (!entries_) throw std::bad_alloc();
}

bool KnownTexts::Put(const Key& key, const ValueNames& names, std::span<const ValueId> operands,
                     TextBuffer& out) const {
  const Entry& known = EntryOf(key);
  if (known.key.hash_ != key.hash_ || known.key.words_ != key.words_ ||
      std::memcmp(known.key.ids_, key.ids_, key.words_ * sizeof(uint64_t)) != 0)
    return false;
  size_t at = 0;
  for (size_t i = 0; i < known.uses; ++i) {
    out.append({known.text + at, known.names[i].at - at});
    names.PutUse(out, operands[known.names[i].operand]);
    at = known.names[i].at;
  }
  out.append({known.text + at, known.size - at});
  return true;
}

void KnownTexts::Keep(const Key& key, std::string_view text, std::span<const Use> uses) {
  size_t names = 0;
  for (const Use& use : uses) names += use.end - use.begin;
  if (uses.size() > kUses || text.size() - names > kText) return;
  Entry& entry = EntryOf(key);
  entry.key = key;
  entry.uses = uint16_t(uses.size());
  entry.size = 0;
  size_t from = 0;
  const auto add = [&](size_t until) {
    std::memcpy(entry.text + entry.size, text.data() + from, until - from);
    entry.size = uint16_t(entry.size + until - from);
  };
  for (size_t i = 0; i < uses.size(); ++i) {
    add(uses[i].begin);
    entry.names[i] = {entry.size, uint16_t(uses[i].operand)};
    from = uses[i].end;
  }
  add(text.size());
}

}  // namespace shlo::text
