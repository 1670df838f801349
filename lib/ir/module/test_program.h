// Builds programs for tests.
#pragma once

#include <functional>
#include <initializer_list>
#include <string_view>
#include <utility>
#include <vector>

#include "ir/module/builder.h"
#include "shlo/module.h"

namespace shlo {

class TestProgram {
 public:
  explicit TestProgram(Version version = kCurrentVersion) {
    m_.version = version;
    body_ = b_.NewRegion();
    b_.BeginBlock(body_, b_.NewBlock());
  }

  Module& module() { return m_; }
  Builder& builder() { return b_; }

  TypeId Tensor(TypeKind kind, std::vector<int64_t> shape = {}) {
    return m_.TensorType(shape, m_.Type(kind));
  }
  TypeId ComplexTensor(TypeKind kind, std::vector<int64_t> shape = {}) {
    return m_.TensorType(shape, m_.ComplexType(m_.Type(kind)));
  }

  // Adds an op by name at the module's version. Returns its first result, if any.
  ValueId Op(std::string_view name, std::vector<ValueId> operands, std::vector<TypeId> results = {},
             std::vector<std::pair<std::string_view, AttrId>> attributes = {},
             std::vector<RegionId> regions = {}) {
    const RowId row = FindOp(name);
    const RevisionId revision = row ? RevisionAt(row, m_.version) : RevisionId();
    std::vector<AttrId> inherent_attrs(RevisionOf(revision).attrs.size());
    for (const auto& [slot, value] : attributes)
      inherent_attrs[size_t(RevisionOf(revision).FindSlot(slot))] = value;
    const StringId unknown = revision ? StringId() : m_.strings.Intern(name);
    const OpId id = b_.AddOp({.revision = revision,
                              .name = unknown,
                              .operands = operands,
                              .results = results,
                              .inherent_attrs = inherent_attrs,
                              .regions = regions});
    return m_.NumResults(m_.ops[id.v]) ? m_.ResultOf(m_.ops[id.v], 0) : ValueId();
  }
  ValueId Constant(TypeId type, std::string_view bytes, bool splat = false) {
    return Op("stablehlo.constant", {}, {type},
              {{"value", m_.Elements(type, m_.payloads.AddCopy(bytes), splat)}});
  }
  template <typename T>
  ValueId ConstantOf(TypeId type, std::vector<T> values) {
    return Constant(type, {reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T)});
  }

  using Fill = std::function<std::vector<ValueId>(std::vector<ValueId>)>;
  // Adds a function; `fill` receives its arguments, adds ops and returns the results.
  void Function(std::string_view name, std::vector<TypeId> args, std::vector<TypeId> results,
                const Fill& fill, std::string_view visibility = "") {
    const RegionId region = b_.NewRegion();
    const BlockId block = b_.NewBlock();
    std::vector<ValueId> values;
    for (TypeId type : args) values.push_back(b_.AddBlockArg(block, type));
    b_.BeginBlock(region, block);
    Op("func.return", fill(values));
    b_.EndBlock();
    b_.EndRegion(region);
    std::vector<std::pair<std::string_view, AttrId>> attributes = {
        {"sym_name", m_.String(name)}, {"function_type", m_.TypeAttr(m_.FunctionType(args, results))}};
    if (!visibility.empty()) attributes.push_back({"sym_visibility", m_.String(visibility)});
    Op("func.func", {}, {}, attributes, {region});
  }

  // Completes the module. No functions may be added afterwards.
  const Module& Done() {
    b_.EndBlock();
    b_.EndRegion(body_);
    Op("builtin.module", {}, {}, {}, {body_});
    m_.top = OpId(uint32_t(m_.ops.size() - 1));
    return m_;
  }

 private:
  Module m_;
  Builder b_{&m_};
  RegionId body_;
};

}  // namespace shlo
