// Signatures of operations: everything an op states besides the values, blocks and regions it refers to. A
// module interns them, and real programs have a few signatures for many ops. What depends on the signature
// alone is decided once per signature.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "shlo/ids.h"
#include "shlo/node_table.h"
#include "shlo/op_table.h"
#include "shlo/views.h"

namespace shlo {

// A signature. Its lists are views; views into a table are valid until it grows.
struct OpSignature {
  RevisionId revision;                           // none: an op without a row
  StringId name;                                 // full name, for an op without a row only
  std::span<const AttrId> inherent_attrs;        // as many as the revision has attributes, in its order
  std::span<const NamedAttr> discardable_attrs;  // sorted by name
  std::span<const TypeId> operand_types;         // in the order of the operands
  std::span<const TypeId> result_types;          // in the order of the results
};

// A mutable signature, to be interned again. It has the parts of OpSignature.
struct EditedSignature {
  RevisionId revision;                       // none: an op without a row
  StringId name;                             // full name, for an op without a row only
  std::vector<AttrId> inherent_attrs;        // as many as the revision has attributes, in its order
  std::vector<NamedAttr> discardable_attrs;  // sorted by name
  std::vector<TypeId> operand_types;         // in the order of the operands
  std::vector<TypeId> result_types;          // in the order of the results

  EditedSignature() = default;
  // Copies the lists of a signature.
  explicit EditedSignature(const OpSignature& from);
  // The same in place, which keeps the memory.
  void Assign(const OpSignature& from);
  OpSignature view() const {
    return {revision, name, inherent_attrs, discardable_attrs, operand_types, result_types};
  }
};

// The signatures of a module. Equal signatures have equal ids.
class SignatureTable {
 public:
  SignatureTable() : records_(1) {}
  // Returns the id of a signature. The lists may be parts of this table. Without a list of inherent
  // attributes, all that the revision has are absent.
  SignatureId Intern(const OpSignature& signature);
  OpSignature operator[](SignatureId id) const {
    const Record& r = records_[id.v];
    const uint32_t* at = words_.data() + r.first;
    const auto take = [&]<typename T>(uint32_t count, T*) {
      const std::span<const T> list(reinterpret_cast<const T*>(at), count);
      at += count * (sizeof(T) / sizeof(uint32_t));
      return list;
    };
    const auto inherent = take(r.num_inherent, static_cast<AttrId*>(nullptr));
    const auto discardable = take(r.num_discardable, static_cast<NamedAttr*>(nullptr));
    const auto operands = take(r.num_operands, static_cast<TypeId*>(nullptr));
    const auto results = take(r.num_results, static_cast<TypeId*>(nullptr));
    return {r.revision, r.name, inherent, discardable, operands, results};
  }
  // Parts of a signature, without the others.
  RevisionId RevisionOf(SignatureId id) const { return records_[id.v].revision; }
  StringId NameOf(SignatureId id) const { return records_[id.v].name; }
  uint32_t NumOperands(SignatureId id) const { return records_[id.v].num_operands; }
  uint32_t NumResults(SignatureId id) const { return records_[id.v].num_results; }
  std::span<const TypeId> ResultTypesOf(SignatureId id) const {
    const Record& r = records_[id.v];
    const uint32_t* at = words_.data() + r.first + r.num_inherent + 2 * size_t(r.num_discardable);
    return {reinterpret_cast<const TypeId*>(at + r.num_operands), r.num_results};
  }
  // Number of ids, which begin at 1; entry 0 is the signature of no op.
  uint32_t size() const { return uint32_t(records_.size()); }

  // Bytes of a signature beside its lists, for readers that count their memory.
  static constexpr uint64_t kBytes = 64;

 private:
  struct Record {
    RevisionId revision;
    uint16_t num_inherent = 0;
    StringId name;
    uint32_t first = 0;  // in words_: inherent and discardable attributes, operand and result types
    uint32_t num_discardable = 0, num_operands = 0, num_results = 0;
  };
  std::vector<Record> records_;
  std::vector<uint32_t> words_;
  std::vector<uint32_t> many_;  // words of a long signature that is looked up
  IdIndex index_;
};

}  // namespace shlo
