#include "ir/verify_rows.h"

#include <fmt/format.h>

#include <algorithm>

#include "ir/conditions.h"

namespace shlo {
namespace {

bool IsIntegerOf(const Module& m, AttrId value, TypeKind kind) {
  auto node = m.attrs[value];
  return node.kind == AttrKind::kIntegerAttr && m.types.KindOf(TypeId(uint32_t(node.words[0]))) == kind;
}

bool IsElementsOf(const Module& m, AttrId value, TypeKind kind) {
  Module::ElementsView elements;
  Module::TensorView tensor;
  return m.AsElements(value, &elements) && m.AsTensor(elements.type, &tensor) &&
         m.types.KindOf(tensor.element) == kind;
}

// An array whose elements all satisfy a predicate.
template <typename Predicate>
bool IsArrayOf(const Module& m, AttrId value, Predicate&& predicate) {
  auto node = m.attrs[value];
  if (node.kind != AttrKind::kArray) return false;
  const auto items = FieldReader(node.words).List();
  return std::ranges::all_of(items, [&](uint64_t item) { return predicate(AttrId(uint32_t(item))); });
}

bool IsElementsKind(AttrKind kind) {
  return kind == AttrKind::kElements || kind == AttrKind::kResourceElements ||
         kind == AttrKind::kStringElements || kind == AttrKind::kSparseElements;
}

// "exactly 2", "at least 1".
std::string Expected(std::span<const Cell> cells) {
  size_t fixed = 0;
  bool variadic = false;
  for (const Cell& cell : cells) cell.variadic ? variadic = true : (++fixed, false);
  return fmt::format("{}{}", variadic ? "at least " : "", fixed);
}

// Whether `count` values can be shared out over the cells; variadic cells all get the same number when
// `same_size`.
bool CountFits(std::span<const Cell> cells, size_t count, bool same_size) {
  size_t fixed = 0, variadic = 0;
  for (const Cell& cell : cells) ++(cell.variadic ? variadic : fixed);
  if (variadic == 0) return count == fixed;
  if (count < fixed) return false;
  return !same_size || (count - fixed) % variadic == 0;
}

// Tensor element class of an operand, looking through quantization where the class allows it.
bool FitsTypeClass(const Module& m, TypeId type, TypeClass c) {
  if (c == TypeClass::kAny) return true;
  auto node = m.types[type];
  if (node.kind != TypeKind::kTensor && node.kind != TypeKind::kUnrankedTensor) return false;
  const TypeId element(uint32_t(node.words[0]));
  const TypeKind kind = m.types.KindOf(element);
  const bool quant = kind == TypeKind::kUniformQuantized || kind == TypeKind::kUniformQuantizedPerAxis ||
                     kind == TypeKind::kUniformQuantizedSubChannel;
  const bool pred = kind == TypeKind::kI1;
  const bool integer = (!pred && IsSignlessInteger(kind)) || IsUnsignedInteger(kind) ||
                       kind == TypeKind::kInteger || kind == TypeKind::kIndex;
  const bool is_unsigned = IsUnsignedInteger(kind);
  const bool fp = IsFloat(kind);
  const bool complex = kind == TypeKind::kComplex;
  switch (c) {
    case TypeClass::kAny:
    case TypeClass::kTensor:
      return true;
    case TypeClass::kPredOrInt:
      return pred || integer;
    case TypeClass::kInt:
      return integer;
    case TypeClass::kIntFpComplexQuant:
      return integer || fp || complex || quant;
    case TypeClass::kSIntFpComplexQuant:
      return (integer && !is_unsigned) || fp || complex || quant;
    case TypeClass::kFpComplexQuant:
      return fp || complex || quant;
    case TypeClass::kFpQuant:
      return fp || quant;
    case TypeClass::kFp:
      return fp;
    case TypeClass::kFpOrComplex:
      return fp || complex;
    case TypeClass::kNonQuant:
      return !quant;
  }
  return true;
}

// Types that one op of kSameType may mix: equal up to dimensions that are not known, encodings and
// quantization parameters.
bool Compatible(const Module& m, TypeId a, TypeId b) {
  if (a == b) return true;
  Module::TensorView x, y;
  if (!m.AsTensor(a, &x) || !m.AsTensor(b, &y)) {
    return m.types.KindOf(a) == TypeKind::kUnrankedTensor || m.types.KindOf(b) == TypeKind::kUnrankedTensor;
  }
  const auto quantized = [&](TypeId t) {
    const TypeKind kind = m.types.KindOf(t);
    return kind >= TypeKind::kUniformQuantized && kind <= TypeKind::kUniformQuantizedSubChannel;
  };
  if (x.element != y.element && !quantized(x.element) && !quantized(y.element)) return false;
  if (x.shape.size() != y.shape.size()) return false;
  for (size_t i = 0; i < x.shape.size(); ++i)
    if (x.shape[i] != y.shape[i] && x.shape[i] != kDynamic && y.shape[i] != kDynamic) return false;
  return true;
}

void CheckCounts(const Module& m, const Op& op, const ShapeRow& shape, const OpRow& row,
                 const Report& report) {
  const auto check = [&](std::span<const Cell> cells, size_t count, std::string_view what, bool same_size) {
    if (CountFits(cells, count, same_size)) return;
    report(Severity::kError, Code::kInvalidProgram,
           fmt::format("has {} {}, expected {}", count, what, Expected(cells)), "");
  };
  check(shape.operands, op.operands.count, "operands", row.Has(Trait::kSameVariadicSize));
  check(shape.results, op.results.count, "results", false);
  check(shape.regions, op.regions.count, "regions", false);
  if (op.successors.count && !row.Has(Trait::kTerminator))
    report(Severity::kError, Code::kInvalidProgram, "has successors but does not end a block", "");
  (void)m;
}

void CheckSlots(const Module& m, const Op& op, const ShapeRow& shape, const OpRow& row,
                const Report& report) {
  const auto slots = m.SlotsOf(op);
  for (size_t i = 0; i < slots.size(); ++i) {
    const Cell& cell = shape.attrs[i];
    if (!slots[i]) {
      if (cell.attr_default() == Default::kRequired)
        report(Severity::kError, Code::kInvalidProgram, fmt::format("requires attribute '{}'", cell.name),
               "");
    } else if (!FitsClass(m, cell, slots[i])) {
      std::string_view expected = AttrClassName(cell.attr_class());
      if (cell.attr_kind() != AttrKind::kInvalid) expected = RowOf(cell.attr_kind()).mnemonic;
      report(Severity::kError, Code::kInvalidProgram,
             fmt::format("attribute '{}' is not of class {}", cell.name, expected), "");
    }
  }
  if (op.extra.count == 0 || row.num_shapes == 1) return;
  for (const NamedAttr& extra : m.ExtrasOf(op)) {
    for (uint16_t k = 0; k < row.num_shapes; ++k) {
      const ShapeRow& other = ShapeOf(ShapeId{uint16_t(row.first_shape + k)});
      if (other.FindSlot(m.strings[extra.name]) < 0) continue;
      report(Severity::kError, Code::kInvalidProgram,
             fmt::format("attribute '{}' does not exist at version {}; versions {} to {} have it",
                         m.strings[extra.name], VersionName(m.version), VersionName(other.since),
                         VersionName(other.until)),
             "state the version the program is written for");
      break;
    }
  }
}

void CheckTypes(const Module& m, const Op& op, const ShapeRow& shape, const OpRow& row,
                const Report& report) {
  const auto operands = m.OperandsOf(op);
  if (!std::ranges::any_of(shape.operands, [](const Cell& c) { return c.variadic; }) &&
      operands.size() == shape.operands.size()) {
    for (size_t i = 0; i < operands.size(); ++i) {
      const Cell& cell = shape.operands[i];
      if (FitsTypeClass(m, m.TypeOf(operands[i]), cell.type_class())) continue;
      report(Severity::kWarning, Code::kConstraint,
             fmt::format("operand '{}' must be a {}", cell.name, TypeClassName(cell.type_class())),
             "the specification does not define the op on this type");
      break;  // the same operand type again would say the same
    }
  }
  if (row.Has(Trait::kSameType) && !operands.empty() && op.results.count > 0) {
    // Pairwise for ops that pass a list through; everything against the first otherwise.
    const bool pairwise = shape.operands.front().variadic;
    const size_t n = std::max<size_t>(operands.size(), op.results.count);
    for (size_t i = 0; i < n; ++i) {
      const TypeId operand = m.TypeOf(operands[pairwise ? std::min(i, operands.size() - 1) : 0]);
      const bool fits =
          (i >= operands.size() || Compatible(m, operand, m.TypeOf(operands[i]))) &&
          (i >= op.results.count || Compatible(m, operand, m.TypeOf(m.ResultOf(op, uint32_t(i)))));
      if (fits) continue;
      report(Severity::kWarning, Code::kConstraint, "operands and results must have compatible types", "");
      break;
    }
  }
}

}  // namespace

bool FitsClass(const Module& m, const Cell& cell, AttrId value) {
  const AttrKind kind = m.attrs.KindOf(value);
  switch (cell.attr_class()) {
    case AttrClass::kAny:
      return true;
    case AttrClass::kBool:
    case AttrClass::kFlag:
      return IsIntegerOf(m, value, TypeKind::kI1);
    case AttrClass::kI32:
    case AttrClass::kApiVersion:
      return IsIntegerOf(m, value, TypeKind::kI32);
    case AttrClass::kI64:
      return IsIntegerOf(m, value, TypeKind::kI64);
    case AttrClass::kUI32:
      return IsIntegerOf(m, value, TypeKind::kUI32);
    case AttrClass::kUI64:
      return IsIntegerOf(m, value, TypeKind::kUI64);
    case AttrClass::kF32:
      return kind == AttrKind::kFloatAttr &&
             m.types.KindOf(TypeId(uint32_t(m.attrs[value].words[0]))) == TypeKind::kF32;
    case AttrClass::kF64:
      return kind == AttrKind::kFloatAttr &&
             m.types.KindOf(TypeId(uint32_t(m.attrs[value].words[0]))) == TypeKind::kF64;
    case AttrClass::kStr:
      return kind == AttrKind::kString;
    case AttrClass::kI64s:
      return kind == AttrKind::kI64Array;
    case AttrClass::kBools:
      return kind == AttrKind::kDenseArray &&
             m.types.KindOf(TypeId(uint32_t(m.attrs[value].words[0]))) == TypeKind::kI1;
    case AttrClass::kI64Elements:
      return IsElementsOf(m, value, TypeKind::kI64);
    case AttrClass::kElements:
      return IsElementsKind(kind);
    case AttrClass::kReplicaGroups:
      return kind == AttrKind::kReplicaGroupMeshAxes || IsElementsOf(m, value, TypeKind::kI64);
    case AttrClass::kSymbol:
      return kind == AttrKind::kSymbolRef;
    case AttrClass::kSymbols:
      return IsArrayOf(m, value, [&](AttrId a) { return m.attrs.KindOf(a) == AttrKind::kSymbolRef; });
    case AttrClass::kArray:
      return kind == AttrKind::kArray;
    case AttrClass::kDict:
      return kind == AttrKind::kDict;
    case AttrClass::kDicts:
      return IsArrayOf(m, value, [&](AttrId a) { return m.attrs.KindOf(a) == AttrKind::kDict; });
    case AttrClass::kType:
      return kind == AttrKind::kTypeAttr;
    case AttrClass::kEnum:
      return kind == cell.attr_kind() && FindCase(kind, int64_t(m.attrs[value].words[0])) != nullptr;
    case AttrClass::kStruct:
      return kind == cell.attr_kind();
    case AttrClass::kAccuracy:
      return kind == AttrKind::kResultAccuracy;
    case AttrClass::kPrecisions:
      return IsArrayOf(m, value, [&](AttrId a) { return m.attrs.KindOf(a) == AttrKind::kPrecision; });
    case AttrClass::kAliases:
      return IsArrayOf(m, value,
                       [&](AttrId a) { return m.attrs.KindOf(a) == AttrKind::kOutputOperandAlias; });
    case AttrClass::kLayouts:
      return IsArrayOf(m, value, [&](AttrId a) { return IsElementsOf(m, a, TypeKind::kIndex); });
    case AttrClass::kTilings:
      return IsArrayOf(m, value, [&](AttrId a) {
        return IsArrayOf(m, a, [&](AttrId b) { return IsElementsOf(m, b, TypeKind::kIndex); });
      });
    case AttrClass::kConfig:
      return kind == AttrKind::kString || kind == AttrKind::kDict;
  }
  return true;
}

void CheckRow(const Module& m, const Op& op, const Report& report) {
  const ShapeRow& shape = ShapeOf(op.shape);
  const OpRow& row = RowOf(shape.row);
  if (!shape.LegalAt(m.version)) {
    report(Severity::kError, Code::kInvalidProgram,
           fmt::format("does not exist at version {}; versions {} to {} have it", VersionName(m.version),
                       VersionName(shape.since), VersionName(shape.until)),
           "state the version the program is written for");
    return;
  }
  CheckCounts(m, op, shape, row, report);
  CheckSlots(m, op, shape, row, report);
  for (const Cell& condition : shape.conditions) {
    if (m.version.n > condition.x || Satisfies(m, op, Cond(condition.a))) continue;
    report(Severity::kError, Code::kInvalidProgram,
           fmt::format("at version {} it is demanded that {}", VersionName(m.version),
                       CondName(Cond(condition.a))),
           "");
  }
  CheckTypes(m, op, shape, row, report);
}

}  // namespace shlo
