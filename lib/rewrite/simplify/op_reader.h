// Reads the parts of an op that rules ask for.
#pragma once

#include <array>
#include <string_view>
#include <vector>

#include "rewrite/driver.h"
#include "shlo/types.h"

namespace shlo::rewrite {

// Returns the sizes of a tensor type; nullopt for other types.
inline std::optional<std::vector<int64_t>> SizesOf(const Module& m, TypeId type) {
  const auto tensor = m.As<TensorType>(type);
  if (!tensor) return std::nullopt;
  return std::vector<int64_t>(tensor->shape.begin(), tensor->shape.end());
}

// Returns the number of elements of a static tensor; nullopt for other types, and if there are too many.
inline std::optional<uint64_t> CountOf(const Module& m, TypeId type) {
  const auto tensor = m.As<TensorType>(type);
  uint64_t count = 0;
  if (!tensor || !Module::ElementCount(tensor->shape, &count)) return std::nullopt;
  return count;
}

class OpReader {
 public:
  OpReader(const Rewriter& r, OpId op) : r_(r), op_(op) {}
  uint32_t num_operands() const { return r_.module().NumOperands(r_[op_]); }
  ValueId operand(uint32_t i) const { return r_.module().OperandsOf(r_[op_])[i]; }
  std::vector<ValueId> operands() const {
    const auto all = r_.module().OperandsOf(r_[op_]);
    return {all.begin(), all.end()};
  }
  uint32_t num_results() const { return r_.module().NumResults(r_[op_]); }
  ValueId result(uint32_t i = 0) const { return r_.module().ResultOf(r_[op_], i); }
  TypeId type(uint32_t i = 0) const { return TypeOf(result(i)); }
  TypeId operand_type(uint32_t i) const { return TypeOf(operand(i)); }
  // Returns the first block of a region; none if it is empty.
  BlockId block(uint32_t region) const {
    const auto regions = r_.module().RegionsOf(r_[op_]);
    if (region >= regions.size()) return {};
    const auto blocks = r_.editor().BlocksOf(regions[region]);
    return blocks.size() == 1 ? blocks[0] : BlockId();
  }
  // Returns an attribute; what is absent or of another kind is empty, or 0.
  AttrId attr(std::string_view name) const { return r_.module().InherentAttrOf(r_[op_], name); }
  std::vector<int64_t> ints(std::string_view name) const {
    std::vector<int64_t> values;
    r_.module().AsI64s(attr(name), &values);
    return values;
  }
  int64_t integer(std::string_view name) const {
    int64_t value = 0;
    r_.module().AsInteger(attr(name), &value);
    return value;
  }
  std::vector<NamedAttr> discardable_attrs() const {
    const auto attrs = r_.module().DiscardableAttrsOf(r_[op_]);
    return {attrs.begin(), attrs.end()};
  }

 private:
  TypeId TypeOf(ValueId value) const { return r_.module().TypeOf(value); }

  const Rewriter& r_;
  const OpId op_;
};

// Returns whether the numbers are 0, 1, 2, ...
inline bool IsIota(std::span<const int64_t> numbers) {
  for (size_t i = 0; i < numbers.size(); ++i)
    if (numbers[i] != int64_t(i)) return false;
  return true;
}

// Replaces an op by a new one of a row with the same result type and discardable attributes.
inline bool ReplaceWith(Rewriter& r, OpId op, RowId row, std::span<const ValueId> operands,
                        std::initializer_list<ModuleEditor::Attr> attrs = {}) {
  const ValueId value = r.Emit(row, operands, OpReader(r, op).type(), attrs);
  r.MergeAttrs(op, value);
  r.Replace(op, value);
  return true;
}

}  // namespace shlo::rewrite
