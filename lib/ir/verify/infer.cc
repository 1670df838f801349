#include "ir/verify/infer.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/guarded.h"
#include "base/stack.h"
#include "ir/table/rule.h"
#include "ir/table/trait.h"
#include "ir/table/type_class.h"
#include "ir/verify/row_checks.h"
#include "ir/verify/type_class.h"

namespace shlo {
namespace {

// Collects what the rules report.
class Collector final : public OpCheck::Sink {
 public:
  explicit Collector(const Module& module) : m_(module) {}
  void Constraint(OpId op, std::string message, std::string hint, const OpCheck::About&) override {
    Add(op, Code::kConstraint, std::move(message), std::move(hint));
  }
  void Beyond(OpId, std::string, std::string) override {}
  void Note(OpId, std::string, std::string) override {}
  void Invalid(OpId op, std::string message, std::string hint) override {
    Add(op, Code::kInvalidProgram, std::move(message), std::move(hint));
  }
  OpId FindSymbol(std::string_view) const override { return {}; }
  Diagnostics Take() { return std::move(found_); }

 private:
  void Add(OpId op, Code code, std::string message, std::string hint) {
    found_.push_back({Severity::kError,
                      code,
                      {},
                      std::string(m_.NameOf(m_.ops[op.v])),
                      m_.version,
                      std::move(message),
                      std::move(hint)});
  }
  const Module& m_;
  Diagnostics found_;
};

TypeId Interned(Module* m, const Inferred& inferred) {
  if (inferred.type) return inferred.type;
  TypeId element = inferred.element.type ? inferred.element.type : m->Type(inferred.element.kind);
  if (inferred.element.complex) element = m->ComplexType(element);
  if (!inferred.ranked) return m->Make(UnrankedTensorType{.element = element});
  AttrId encoding = inferred.encoding;
  if (!inferred.bounds.empty()) {
    const DimSpan bounds = inferred.bounds;
    const bool bounded = std::ranges::any_of(bounds, [](int64_t bound) { return bound != kDynamic; });
    encoding = bounded ? m->Make(TypeExtensionsAttr{.bounds = bounds}) : AttrId();
  }
  return m->TensorType(inferred.shape, element, encoding);
}

Result<std::vector<TypeId>> Infer(Module* module, OpId id) {
  const auto unknown = [&] {
    Diagnostic d;
    d.code = Code::kUnsupported;
    d.op = std::string(module->NameOf(module->ops[id.v]));
    d.version = module->version;
    d.message = "result types do not follow from operands and attributes";
    d.hint = "state the result types";
    return Error(std::move(d));
  };
  const Op op = module->ops[id.v];
  if (!module->RevisionIdOf(op)) return unknown();
  const OpRow& row = RowOf(module->RevisionIdOf(op));
  if (RevisionOf(module->RevisionIdOf(op)).results.empty()) return std::vector<TypeId>();
  // Rules compare these types with the written ones.
  if (row.rule == Rule::kConstant)
    if (const TypeId type = module->TypeOf(module->InherentAttrOf(op, "value")))
      return std::vector<TypeId>{type};
  if (row.rule == Rule::kTuple) {
    const auto members = module->SignatureOf(op).operand_types;
    return std::vector<TypeId>{module->TupleType(members)};
  }
  if (!Infers(row)) return unknown();
  const std::span<const Cell> cells = RevisionOf(module->RevisionIdOf(op)).results;
  const bool token = cells.size() == 1 && !cells[0].variadic && cells[0].type_class() == TypeClass::kToken;
  // Rules look at some properties of written types, which are mostly those of the first operand.
  size_t results = 0;
  for (const Cell& cell : cells) results += cell.variadic ? module->NumOperands(op) : 1;
  const TypeId placeholder = module->NumOperands(op) ? module->TypeOf(module->OperandsOf(op)[0])
                                                     : module->TensorType({}, module->Type(TypeKind::kF32));
  const uint32_t first = uint32_t(module->values.size());
  for (size_t i = 0; i < results; ++i)
    module->values.push_back({placeholder, id, BlockId(), uint32_t(i), AttrId()});
  const Op before = module->ops[id.v];
  module->ops[id.v].first_result = first;
  module->EditSignature(id, [&](EditedSignature& s) { s.result_types.assign(results, placeholder); });

  Collector found(*module);
  std::vector<Inferred> scratch;
  OpCheck check(*module, found, scratch);
  check.Begin(id);
  const bool valid = InferTypes(check, row, TypeClasses(*module));
  module->ops[id.v] = before;
  if (!valid) return tl::unexpected(found.Take());
  // Its rule infers only a shape.
  const bool partial = row.rule == Rule::kScan;
  if (token) return std::vector<TypeId>{module->Type(TypeKind::kToken)};
  if (check.settled() || partial || check.inferred().empty() != (results == 0)) return unknown();
  std::vector<TypeId> types;
  // Interning may move what the rules refer to.
  const std::vector<Inferred> inferred(check.inferred().begin(), check.inferred().end());
  types.reserve(inferred.size());
  for (const Inferred& type : inferred) types.push_back(Interned(module, type));
  return types;
}

// Returns a written type with the sizes of a shape where it is dynamic; the type itself if they differ.
TypeId Refined(Module* m, TypeId written, DimSpan shape) {
  const ShapedType type(*m, written);
  if (!type.ranked && !type.unranked) return written;
  if (type.ranked && !CompatibleShapes(shape, type.shape)) return written;
  Dims sizes;
  for (size_t i = 0; i < shape.size(); ++i) {
    const int64_t size = type.ranked && type.shape[i] != kDynamic ? type.shape[i] : shape[i];
    if (size < 0 && size != kDynamic) return written;
    sizes.push_back(size);
  }
  if (!WithinBounds(sizes, type.bounds)) return written;
  // Bounds are those of dynamic sizes.
  const bool drop = IsStatic(sizes) && m->As<TypeExtensionsAttr>(type.encoding);
  return m->TensorType(sizes, type.element, drop ? AttrId() : type.encoding);
}

TypeId Refined(Module* m, TypeId written, const Inferred& inferred) {
  if (!inferred.type) return inferred.ranked ? Refined(m, written, inferred.shape) : written;
  const TypeId refined = MostSpecificType(m, written, inferred.type);
  return refined ? refined : written;
}

bool HasShapeOfOperands(const OpRow& row) {
  for (uint8_t i = 0; i < row.num_relations; ++i)
    if (row.relations[i] == Trait::kSameShape || row.relations[i] == Trait::kSameType) return true;
  return false;
}

Result<std::vector<TypeId>> Refine(Module* module, OpId id) {
  const Op op = module->ops[id.v];
  const TypeId* const written = module->SignatureOf(op).result_types.data();
  std::vector<TypeId> types(written, written + module->NumResults(op));
  const RevisionId revision = ShapeOf(*module, op);
  if (!revision || types.empty()) return types;
  const OpRow& row = RowOf(revision);
  Collector found(*module);
  std::vector<Inferred> scratch;
  OpCheck check(*module, found, scratch);
  check.Begin(id);
  const TypeClasses classes(*module);
  const RuleRow& rule = RowOf(row.rule);
  const bool infers = module->RevisionIdOf(op) && Infers(row);
  const bool valid = infers ? InferTypes(check, row, classes)
                            : CheckStructure(check, row) && CheckTypes(check, row, classes) &&
                                  (!rule.verify || rule.verify(check));
  if (!valid) return tl::unexpected(found.Take());
  // Interning may move what the rules refer to.
  const std::vector<Inferred> inferred(check.inferred().begin(), check.inferred().end());
  if (inferred.size() == types.size()) {
    for (size_t i = 0; i < types.size(); ++i) types[i] = Refined(module, types[i], inferred[i]);
  } else if (HasShapeOfOperands(row) && module->NumOperands(op) > 0) {
    const ShapedType operand(*module, module->TypeOf(module->OperandsOf(op)[0]));
    const Dims shape(operand.shape);
    if (operand.ranked)
      for (TypeId& type : types) type = Refined(module, type, shape);
  }
  return types;
}

}  // namespace

TypeId MostSpecificType(Module* module, TypeId written, TypeId other) {
  CheckStack();
  if (written == other) return written;
  const auto tuple = module->As<TupleType>(written), others = module->As<TupleType>(other);
  if (tuple && others && tuple->types.size() == others->types.size()) {
    const std::vector<TypeId> from = others->types.ToVector();
    std::vector<TypeId> members = tuple->types.ToVector();
    for (size_t i = 0; i < members.size(); ++i)
      if (members[i] = MostSpecificType(module, members[i], from[i]); !members[i]) return {};
    return module->TupleType(members);
  }
  if (!CompatibleTypes(*module, written, other)) return {};
  const ShapedType type(*module, other);
  const Dims shape(type.shape);
  return type.ranked ? Refined(module, written, shape) : written;
}

bool HasTypesOfOperands(const OpRow& row) { return RowOf(row.rule).infer == &InferOperandTypes; }

Result<std::vector<TypeId>> InferResults(Module* module, OpId op) {
  return Guarded([&] { return Infer(module, op); });
}

Result<std::vector<TypeId>> RefineResults(Module* module, OpId op) {
  return Guarded([&] { return Refine(module, op); });
}

}  // namespace shlo
