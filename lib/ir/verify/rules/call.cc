// Ops that call functions or custom targets.
#include <set>

#include "base/stack.h"
#include "ir/table/trait.h"
#include "ir/verify/rules/common.h"

namespace shlo {
namespace {

// A layout is a permutation of the dimensions of a tensor; other types have none.
bool CheckLayouts(OpCheck& c, std::span<const TypeId> types, IdList<AttrId> layouts, std::string_view what) {
  if (types.size() != layouts.size())
    return c.FailOp("R1", "Number of {}s must match the number of {} layouts, {} != {}", what, what,
                    types.size(), layouts.size());
  for (size_t i = 0; i < types.size(); ++i) {
    const AttrId attr = layouts[i];
    const IntElements layout(c.m, attr);
    const ShapedType type(c.m, types[i]);
    if (c.m.types.KindOf(types[i]) == TypeKind::kTuple)
      return c.FailOp("R2", "Tuple types are not fully supported with layout constraints yet");
    if (!type.shaped) {
      if (layout.size() == 0) continue;
      return c.FailOp("R2", "Only tensor types can have non-empty layout: {} #{} of type {} has layout {}",
                      what, i, c.T(types[i]), c.A(attr));
    }
    const TypeKind kind = c.m.types.KindOf(types[i]);
    if (kind == TypeKind::kUnrankedTensor || kind == TypeKind::kUnrankedMemref) continue;
    bool permutes = layout.ok() && layout.size() == type.shape.size();
    Dims values;
    for (uint64_t k = 0; permutes && k < layout.size(); ++k) {
      values.push_back(layout[k]);
      permutes = 0 <= layout[k] && layout[k] < type.rank();
    }
    if (!permutes || !IsUnique(values))
      return c.FailOp("R2", "incorrect layout {} for type {}, layout must be a permutation of [0, {})",
                      c.A(attr), c.T(types[i]), type.rank());
  }
  return true;
}

bool CheckAllLayouts(OpCheck& c) {
  if (!c.Has("operand_layouts") && !c.Has("result_layouts")) return true;
  if (c.Has("operand_layouts") != c.Has("result_layouts"))
    return c.FailOp("R1",
                    "Layout attributes should be specified for either both operands and results or none.");
  std::vector<TypeId> results(c.out_types().begin(), c.out_types().end());
  if (results.size() == 1)
    if (const auto tuple = c.m.As<TupleType>(results[0])) results = tuple->types.ToVector();
  return CheckLayouts(c, c.in_types(), c.m.ElementsOf(c.Attr("operand_layouts")), "operand") &&
         CheckLayouts(c, results, c.m.ElementsOf(c.Attr("result_layouts")), "result");
}

// Follows indices into a nested tuple; none if one is out of bounds.
TypeId PartOf(const Module& m, TypeId type, DimSpan indices) {
  for (int64_t i : indices) {
    const auto tuple = m.As<TupleType>(type);
    if (!tuple || i < 0 || i >= int64_t(tuple->types.size())) return {};
    type = tuple->types[size_t(i)];
  }
  return type;
}

// Several results are treated as one tuple.
TypeId OutputPart(const OpCheck& c, DimSpan indices) {
  if (c.num_results() == 1) return PartOf(c.m, c.out(0), indices);
  if (indices.empty() || indices[0] < 0 || indices[0] >= int64_t(c.num_results())) return {};
  return PartOf(c.m, c.out(size_t(indices[0])), indices.subspan(1));
}

bool CheckAliases(OpCheck& c, IdList<AttrId> aliases) {
  for (const AttrId attr : aliases) {
    const auto alias = c.m.Get<OutputOperandAliasAttr>(attr);
    if (alias.operand_index < 0 || alias.operand_index >= int64_t(c.num_operands()))
      return c.FailOp(
          "R3", "expects operandIndex in the output_operand_alias attribute to be in range [0, {}); got: {}.",
          c.num_operands(), alias.operand_index);
    const TypeId operand = PartOf(c.m, c.in(size_t(alias.operand_index)), alias.operand_tuple_indices);
    if (!operand)
      return c.FailOp("R3", "operand_tuple_indices in the output_operand_alias attribute out of bounds");
    const TypeId output = OutputPart(c, alias.output_tuple_indices);
    if (!output)
      return c.FailOp("R3", "output_tuple_indices in the output_operand_alias attribute out of bounds");
    if (operand != output)
      return c.FailOp(
          "R4",
          "shapes mismatch in the output_operand_alias attribute: operand part has type {} and output part "
          "has type "
          "{}",
          c.T(operand), c.T(output));
  }
  return true;
}

bool IsBuffer(const OpCheck& c, TypeId type) { return c.m.types.KindOf(type) == TypeKind::kMemref; }
bool IsTensor(const OpCheck& c, TypeId type) {
  const TypeKind kind = c.m.types.KindOf(type);
  return kind == TypeKind::kTensor || kind == TypeKind::kUnrankedTensor;
}

// Pin and Unpin turn a tensor into a buffer and back.
bool CheckPin(OpCheck& c, std::string_view name, bool pin) {
  const std::string_view from = pin ? "tensor" : "memref", to = pin ? "memref" : "tensor";
  if (c.num_operands() != 1) return c.FailOp("R7", "{} custom_call should have one input", name);
  if (!(pin ? IsTensor(c, c.in(0)) : IsBuffer(c, c.in(0))))
    return c.FailOp("R7", "{} custom_call should have a {} input", name, from);
  if (c.num_results() != 1) return c.FailOp("R7", "{} custom_call should have one output", name);
  if (!(pin ? IsBuffer(c, c.out(0)) : IsTensor(c, c.out(0))))
    return c.FailOp("R7", "{} custom_call should have a {} output", name, to);
  if (!CompatibleShapes(c.m, c.in(0), c.out(0)) || c.in_element(0) != c.out_element())
    return c.FailOp("R7", "{} custom_call should have compatible input and output types", name);
  return true;
}

bool CheckCreateBuffer(OpCheck& c) {
  if (c.num_operands() != 0) return c.FailOp("R6", "CreateBuffer custom_call shouldn't have any inputs");
  if (c.num_results() != 1) return c.FailOp("R6", "CreateBuffer custom_call should have one result");
  return IsBuffer(c, c.out(0)) || c.FailOp("R6", "CreateBuffer custom_call should have a memref result");
}

using Path = std::vector<int64_t>;

// Every buffer in a type is among the paths; the reader limits the depth of tuples.
bool CheckBufferOutputs(OpCheck& c, TypeId type, Path& path, const std::set<Path>& aliased) {
  CheckStack();
  if (IsBuffer(c, type))
    return aliased.contains(path) ||
           c.FailOp("R8", "buffer output [{}] is not used in output_operand_alias", c.List(path));
  const auto tuple = c.m.As<TupleType>(type);
  if (!tuple || path.size() > 64) return true;
  for (size_t i = 0; i < tuple->types.size(); ++i) {
    path.push_back(int64_t(i));
    if (!CheckBufferOutputs(c, tuple->types[i], path, aliased)) return false;
    path.pop_back();
  }
  return true;
}

// Each buffer has exactly one alias.
bool CheckBuffers(OpCheck& c, IdList<AttrId> aliases) {
  std::set<Path> outputs;
  std::set<std::pair<int64_t, Path>> operands;
  bool ok = true;
  for (const AttrId attr : aliases) {
    const auto alias = c.m.Get<OutputOperandAliasAttr>(attr);
    if (!IsBuffer(c, PartOf(c.m, c.in(size_t(alias.operand_index)), alias.operand_tuple_indices))) continue;
    if (!outputs.emplace(alias.output_tuple_indices.begin(), alias.output_tuple_indices.end()).second)
      ok = c.FailOp("R8", "buffer output [{}] is used in output_operand_alias more than once",
                    c.List(alias.output_tuple_indices));
    if (!operands
             .emplace(alias.operand_index,
                      Path(alias.operand_tuple_indices.begin(), alias.operand_tuple_indices.end()))
             .second)
      ok = c.FailOp("R8", "buffer operand {}[{}] is used in output_operand_alias more than once",
                    alias.operand_index, c.List(alias.operand_tuple_indices));
  }
  const bool one = c.num_results() == 1;
  for (size_t i = 0; i < c.num_results(); ++i) {
    Path path;
    if (!one) path.push_back(int64_t(i));
    if (!CheckBufferOutputs(c, c.out(i), path, outputs)) return false;
  }
  return ok;
}

}  // namespace

bool VerifyCustomCall(OpCheck& c) {
  const int64_t api_version = c.Int("api_version", 1);
  const EnumCase* version = FindCase(AttrKind::kCustomCallApiVersion, api_version);
  if (!version)  // all cases are as old as the op
    return c.FailOp("", "attribute 'api_version' failed to satisfy constraint: Custom call API version");
  if (!CheckAllLayouts(c)) return false;
  const auto aliases = c.m.ElementsOf(c.Attr("output_operand_aliases"));
  if (!CheckAliases(c, aliases)) return false;
  if (const AttrId config = c.Attr("backend_config")) {
    const bool typed = version->name == "API_VERSION_TYPED_FFI";
    const AttrKind kind = c.m.attrs.KindOf(config);
    if (kind != (typed ? AttrKind::kDict : AttrKind::kString))
      return c.FailOp("R5", "backend_config for api_version {} must be a {} attribute.", version->name,
                      typed ? "dictionary" : "string");
  }
  std::string_view target;
  c.m.AsString(c.Attr("call_target_name"), &target);
  if (target == "CreateBuffer") return CheckCreateBuffer(c);
  if (target == "Pin" || target == "Unpin") return CheckPin(c, target, target == "Pin");
  bool buffers = false;
  for (size_t i = 0; i < c.num_results(); ++i)
    buffers |= IsBuffer(c, c.out(i)) || c.m.types.KindOf(c.out(i)) == TypeKind::kTuple;
  return (!buffers && aliases.empty()) || CheckBuffers(c, aliases);
}

namespace {

// C1: letters, digits and '_', then one or more of '.' and more of them.
bool IsNamespaced(std::string_view name) {
  const auto alpha = [](char ch) { return (ch >= 'a' && ch <= 'z') || (ch >= 'A' && ch <= 'Z'); };
  const auto word = [&](char ch) { return alpha(ch) || (ch >= '0' && ch <= '9') || ch == '_'; };
  if (name.empty() || !alpha(name[0])) return false;
  size_t i = 1;
  while (i < name.size() && word(name[i])) ++i;
  size_t parts = 0;
  while (i < name.size() && name[i] == '.') {
    const size_t start = ++i;
    while (i < name.size() && (word(name[i]) || name[i] == '$')) ++i;
    if (i == start) return false;
    ++parts;
  }
  return parts > 0 && i == name.size();
}

// The function type of a function op.
std::optional<FunctionType> TypeOfFunction(const Module& m, OpId id) {
  if (!id || !m.Has(m.ops[id.v], Trait::kFunction)) return std::nullopt;
  return m.FunctionTypeOf(m.ops[id.v]);
}

}  // namespace

bool VerifyComposite(OpCheck& c) {
  c.BeginReferences();
  std::string_view name, decomposition;
  c.m.AsString(c.Attr("name"), &name);
  if (!IsNamespaced(name))
    return c.Fail(
        "C1",
        "name must be a valid namespaced op name, i.e. it must match the following regular expression: "
        "^[a-zA-Z][a-zA-Z0-9_]*([.][a-zA-Z0-9_$]+)+$ e.g. \"my_namespace.my_op\"");
  c.m.AsSymbol(c.Attr("decomposition"), &decomposition);
  const auto type = TypeOfFunction(c.m, c.FindSymbol(decomposition));
  if (!type) return c.Fail("C2", "'{}' does not reference a valid function", decomposition);
  const IdList<TypeId> inputs = type->inputs, results = type->results;
  if (c.num_operands() != inputs.size())
    return c.Fail("C3", "has {} operand(s), but decomposition has {}", c.num_operands(), inputs.size());
  for (size_t i = 0; i < inputs.size(); ++i)
    if (c.in(i) != inputs[i])
      return c.Fail("C3", "operand at index {} has type {}, but decomposition has type {}", i, c.T(c.in(i)),
                    c.T(inputs[i]));
  if (c.num_results() != results.size())
    return c.Fail("C4", "has {} result(s), but decomposition has {}", c.num_results(), results.size());
  for (size_t i = 0; i < results.size(); ++i)
    if (c.out(i) != results[i])
      return c.Fail("C4", "result at index {} has type {}, but decomposition has type {}", i, c.T(c.out(i)),
                    c.T(results[i]));
  return true;
}

bool VerifyRunParallel(OpCheck& c) {
  const auto programs = c.m.ElementsOf(c.Attr("programs"));
  if (programs.empty() || c.m.ElementsOf(programs[0]).empty())
    return c.Fail("R1", "`programs` attribute cannot be empty");
  const size_t partitions = c.m.ElementsOf(programs[0]).size();
  size_t num_inputs = 0, num_results = 0;
  for (const AttrId replica : programs) {
    const IdList<AttrId> row = c.m.ElementsOf(replica);
    if (row.size() != partitions)
      return c.Fail("R1", "Sizes of second dimension of `programs` should all match {} but got {}",
                    partitions, row.size());
    for (const AttrId program : row) {
      std::string_view name;
      c.m.AsSymbol(program, &name);
      const auto type = TypeOfFunction(c.m, c.FindSymbol(name));
      if (!type) return c.Fail("R1", "Function \"{}\" not found", name);
      num_inputs += type->inputs.size();
      num_results += type->results.size();
    }
  }
  if (c.num_operands() != num_inputs)
    return c.Fail("R2",
                  "Number of inputs ({}) should match the sum of the number of inputs of all programs ({})",
                  c.num_operands(), num_inputs);
  if (c.num_results() != num_results)
    return c.Fail("R3",
                  "Number of results ({}) should match the sum of the number of results of all programs ({})",
                  c.num_results(), num_results);
  if (!c.Has("infeed")) return true;
  const auto infeed = c.m.ElementsOf(c.Attr("infeed"));
  if (infeed.empty()) return c.Fail("R4", "infeed attribute is optional or should not be empty");
  for (const AttrId item : infeed) {
    std::string_view name;
    c.m.AsSymbol(item, &name);
    const auto type = TypeOfFunction(c.m, c.FindSymbol(name));
    if (!type) return c.Fail("R4", "Function \"{}\" not found", name);
    if (type->results.size() != 1)
      return c.Fail("R4", "Function \"{}\" should return 1 tensor but returns {}", name,
                    type->results.size());
    const TypeId result = type->results[0];
    if (!ShapedType(c.m, result).shaped)
      return c.Fail("R4", "Function \"{}\" should return a tensor type, but instead returns {}", name,
                    c.T(result));
  }
  return true;
}

}  // namespace shlo
