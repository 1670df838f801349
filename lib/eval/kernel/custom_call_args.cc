#include "eval/kernel/custom_call_args.h"

#include <algorithm>
#include <numeric>

#include "base/format.h"
#include "base/printable.h"
#include "base/try.h"
#include "ir/table/trait.h"

namespace shlo {

AttrId ConfigOf(const KernelCall& call, std::string_view name) {
  if (!call.module.RevisionIdOf(call.op)) return call.module.AttributeOf(call.op, name);
  for (std::string_view holder : {"mhlo.backend_config", "backend_config", "mhlo.attributes"}) {
    const auto dict = call.module.As<DictionaryAttr>(call.module.AttributeOf(call.op, holder));
    if (!dict) continue;
    for (const NamedAttr entry : dict->entries)
      if (call.module.strings[entry.name] == name) return entry.value;
  }
  return {};
}

Result<int64_t> ConfigInt(const KernelCall& call, std::string_view name, std::optional<int64_t> missing) {
  const AttrId attr = ConfigOf(call, name);
  if (!attr && missing) return *missing;
  int64_t value = 0;
  bool flag = false;
  if (attr && call.module.AsBool(attr, &flag)) return int64_t(flag);
  if (!attr || !call.module.AsInteger(attr, &value))
    return Invalid(StrFormat("missing integer '{}' in the configuration of the custom call", name));
  return value;
}

Result<bool> ConfigFlag(const KernelCall& call, std::string_view name, std::optional<bool> missing) {
  const int64_t value = SHLO_TRY(
      ConfigInt(call, name, missing ? std::optional<int64_t>(int64_t(*missing)) : std::optional<int64_t>()));
  return value != 0;
}

Result<size_t> CountValues(const KernelCall& call) {
  Ints shapes = SHLO_TRY(IntsIfAny(call, "indices_of_shape_operands"));
  const size_t values = call.operands.size() - std::min(call.operands.size(), shapes.size());
  std::sort(shapes.begin(), shapes.end());
  for (size_t i = 0; i < shapes.size(); ++i)
    if (shapes[i] != int64_t(values + i)) return Invalid("shape operands are not the last operands");
  return values;
}

Result<Ints> ShapeOfResult(const KernelCall& call, size_t i) {
  if (call.result_types[i]) return DeclaredShape(call, i);
  const Ints shapes = SHLO_TRY(IntsIfAny(call, "indices_of_shape_operands"));
  if (i >= shapes.size() || shapes[i] < 0 || size_t(shapes[i]) >= call.operands.size())
    return DeclaredShape(call, i);
  return IndexOf(call.operand(size_t(shapes[i])));
}

Result<Ints> MemoryOrder(const KernelCall& call, std::string_view attribute, size_t i, size_t rank) {
  Ints order(rank);
  std::iota(order.begin(), order.end(), 0);
  const AttrId layouts = call.module.AttributeOf(call.op, attribute);
  const auto list = layouts ? call.module.ElementsOf(layouts) : IdList<AttrId>();
  if (list.size() == 0) return order;
  if (i >= list.size())
    return Invalid(StrFormat("'{}' has only {}", attribute, Count(list.size(), "layout")));
  const Tensor layout = SHLO_TRY(TensorFromAttr(call.module, list[i]));
  order = SHLO_TRY(IndexOf(layout));
  if (order.size() != rank)
    return Invalid(StrFormat("'{}' has {}, expected {}", attribute, Count(order.size(), "dimension"), rank));
  SHLO_TRY(CheckDimensions(attribute, order, int64_t(rank)));
  std::reverse(order.begin(), order.end());  // layouts list the innermost dimension first
  return order;
}

Result<RegionId> CalledComputation(const KernelCall& call) {
  const AttrId called = call.module.AttributeOf(call.op, "called_computations");
  const auto list = called ? call.module.ElementsOf(called) : IdList<AttrId>();
  std::string_view symbol;
  if (list.size() != 1 || !call.module.AsSymbol(list[0], &symbol))
    return Invalid("expected 1 called computation");
  for (OpId id : call.module.BodyOpsOf(call.module.ops[call.module.top.v])) {
    const Op& op = call.module.ops[id.v];
    if (!call.module.Has(op, Trait::kFunction) || call.module.SymbolOf(op) != symbol) continue;
    const auto regions = call.module.RegionsOf(op);
    if (regions.size() == 1 && !call.module.BlocksOf(regions[0]).empty()) return regions[0];
  }
  return Invalid(StrFormat("there is no function {}", SymbolText(symbol)));
}

}  // namespace shlo
