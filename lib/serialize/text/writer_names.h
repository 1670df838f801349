// Names of values and blocks in printed text: %0, %arg0, %c_1, %2#1, ^bb0. The values of a region are
// numbered before those inside its ops; sibling regions start from the same numbers. Ops of some rows
// suggest names for their results (constants: %c and %cst); a name in use gets a suffix.
#pragma once

#include <deque>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/text_buffer.h"
#include "shlo/module.h"

namespace shlo::text {

class ValueNames {
 public:
  // `suggest`: use the names that ops suggest, as custom forms do.
  ValueNames(const Module& module, bool suggest, bool mhlo)
      : m_(module),
        suggest_(suggest),
        mhlo_(mhlo),
        values_(Zeros<Name>(module.values.size())),
        block_numbers_(Zeros<uint32_t>(module.blocks.size())) {}

  // Continues where another one is, for regions that no other names, and shares its memory. The other must
  // outlive this one, and name nothing meanwhile.
  ValueNames(const ValueNames& other) = default;

  // State of the numbering; regions inside an op continue from the state of their parent region.
  struct Scope {
    uint32_t next_value = 0;
    uint32_t next_argument = 0;
    uint32_t next_conflict = 0;
    uint32_t taken = 0;  // number of visible elements of taken_
  };

  // Names the values directly in a region and returns the scope for the regions inside.
  Scope NameRegion(RegionId region, const Scope& outside);
  // Names the arguments of a region's entry block, for what precedes the region; NameRegion names them again,
  // identically.
  void NameEntry(RegionId region, const Scope& outside);
  // Names everything below an op without using a name twice, in MLIR's order for the generic form: regions
  // visited last come first. NameRegion has no effect afterwards.
  void NameAll(const Op& top);
  // Call with the outside scope at the end of a region.
  void Leave(const Scope& outside);

  void PutUse(TextBuffer& out, ValueId value) const;  // %0, or %0#1
  void PutBlock(TextBuffer& out, BlockId block) const;
  // Prints "%0, %values:2 = " for an op; nothing if it has no results.
  void PutResults(TextBuffer& out, const Op& op) const;

 private:
  enum : uint32_t { kNumber = 0, kArgument = 1, kFirstBase = 2 };
  static constexpr uint32_t kNone = 0xFFFFFFFF;
  struct Name {
    uint32_t base;      // kNumber, kArgument, or index of a suggested name
    uint32_t number;    // kNone: the suggested name without a suffix
    uint32_t in_group;  // 1 + the index among results that share the name; 0: the only one
  };
  template <typename T>
  using Array = std::shared_ptr<T[]>;
  template <typename T>
  static Array<T> Zeros(size_t n) {
    return Array<T>(new T[n + 1]());
  }
  void NameArguments(RegionId region, BlockId block, bool is_entry, Scope& scope);
  void NameOp(const Op& op, Scope& scope);
  void NameOther(const Op& op, Scope& scope);
  std::string_view ConstantName(const Op& op);
  void NameGroup(uint32_t first, uint32_t count, std::string_view suggested, Scope& scope);
  std::string_view ArgumentName(RegionId region, uint32_t index) const;
  uint32_t BaseOf(std::string_view name);
  void PutName(TextBuffer& out, const Name& name) const;

  const Module& m_;
  const bool suggest_;
  const bool mhlo_;  // whose constants suggest no names
  bool all_named_ = false;
  const Array<Name> values_;             // by value
  const Array<uint32_t> block_numbers_;  // by block
  std::vector<std::string_view> bases_{"", ""};
  std::unordered_map<std::string_view, uint32_t> base_index_;
  std::deque<std::string>
      made_names_;               // suggested names that contain a number; a copy refers to the original
  std::vector<uint32_t> taken_;  // bases in use, in order of their first use
  std::vector<uint8_t> is_taken_{0, 0};  // by base
};

}  // namespace shlo::text
