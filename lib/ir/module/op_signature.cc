#include "shlo/op_signature.h"

#include <algorithm>

namespace shlo {
EditedSignature::EditedSignature(const OpSignature& from) { Assign(from); }

void EditedSignature::Assign(const OpSignature& from) {
  revision = from.revision;
  name = from.name;
  inherent_attrs.assign(from.inherent_attrs.begin(), from.inherent_attrs.end());
  discardable_attrs.assign(from.discardable_attrs.begin(), from.discardable_attrs.end());
  operand_types.assign(from.operand_types.begin(), from.operand_types.end());
  result_types.assign(from.result_types.begin(), from.result_types.end());
}

SignatureId SignatureTable::Intern(const OpSignature& s) {
  const size_t inherent = shlo::RevisionOf(s.revision).attrs.size();
  const size_t count =
      inherent + 2 * s.discardable_attrs.size() + s.operand_types.size() + s.result_types.size();
  uint32_t few[32];
  uint32_t* words = few;
  if (count > std::size(few)) {
    many_.resize(count);
    words = many_.data();
  }
  // The counts follow from the words for almost all signatures of a revision, so that they are not hashed.
  uint64_t hash = uint64_t(s.revision.v) << 32 | s.name.v;
  uint32_t* end = words;
  const auto put = [&](uint32_t word) {
    *end++ = word;
    hash = (hash ^ word) * 0x9E3779B97F4A7C15u;
    hash ^= hash >> 32;
  };
  for (size_t i = 0; i < inherent; ++i) put(s.inherent_attrs.empty() ? 0 : s.inherent_attrs[i].v);
  for (const NamedAttr& attr : s.discardable_attrs) put(attr.name.v), put(attr.value.v);
  for (const TypeId type : s.operand_types) put(type.v);
  for (const TypeId type : s.result_types) put(type.v);
  Record record;
  record.revision = s.revision;
  record.name = s.name;
  record.num_inherent = uint16_t(inherent);
  record.num_discardable = uint32_t(s.discardable_attrs.size());
  record.num_operands = uint32_t(s.operand_types.size());
  record.num_results = uint32_t(s.result_types.size());
  const uint32_t found = index_.Find(hash, [&](uint32_t id) {
    const Record& r = records_[id];
    return r.revision == record.revision && r.name == record.name &&
           r.num_discardable == record.num_discardable && r.num_operands == record.num_operands &&
           r.num_results == record.num_results && std::equal(words, end, words_.data() + r.first);
  });
  if (found) return SignatureId(found);
  const uint32_t id = uint32_t(records_.size());
  record.first = uint32_t(words_.size());
  words_.insert(words_.end(), words, end);
  records_.push_back(record);
  index_.Insert(hash, id);
  return SignatureId(id);
}

}  // namespace shlo
