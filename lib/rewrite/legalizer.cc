#include "rewrite/legalizer.h"

#include <array>

#include "base/deadline.h"
#include "base/format.h"
#include "ir/table/float_format.h"
#include "ir/table/ops.h"
#include "shlo/types.h"

namespace shlo::rewrite {

Result<void> Legalizer::Run(const Visit& visit) {
  for (const OpId op : editor_.OpsOf(editor_.body()))
    if (from().Is((*this)[op], ops::kFunc)) RunIn(op, visit);
  if (!errors_.empty()) return tl::unexpected(std::move(errors_));
  program_.module = std::move(editor_).Finish(&program_.source.places);
  return {};
}

void Legalizer::RunIn(OpId function, const Visit& visit) {
  for (const OpId op : editor_.OpsIn(function)) {
    Tick();
    if (!editor_.Has(op)) continue;
    op_ = op;
    const Outcome outcome = visit(op);
    if (outcome == kIllegal)
      // Mirrors MLIR.
      Fail(StrFormat("failed to legalize operation '{}' that was explicitly marked illegal",
                     from().NameOf((*this)[op])));
    if (outcome == kIllegal || outcome == kFailed) return;
  }
}

void Legalizer::Fail(std::string message) {
  Diagnostic d;
  d.code = Code::kUnsupported;
  d.place = PlaceOf(from(), op_, &program_.source);
  d.op = from().NameOf((*this)[op_]);
  d.message = std::move(message);
  errors_.push_back(std::move(d));
}

OpId Legalizer::Insert(OpSpec spec, std::initializer_list<ModuleEditor::Attr> attrs) {
  spec.loc = (*this)[op_].loc;
  editor_.InsertBefore(op_);
  return attrs.size() ? editor_.Insert(spec, attrs, op_) : editor_.Insert(spec, op_);
}

ValueId Legalizer::Emit(RowId row, std::initializer_list<ValueId> operands, TypeId type,
                        std::initializer_list<ModuleEditor::Attr> attrs) {
  return Emit(row, std::span(operands.begin(), operands.size()), type, attrs);
}

ValueId Legalizer::Emit(RowId row, std::span<const ValueId> operands, TypeId type,
                        std::initializer_list<ModuleEditor::Attr> attrs) {
  const OpId op = Insert(
      {.revision = RevisionAt(row, from().version), .operands = operands, .results = {&type, 1}}, attrs);
  return out().ResultOf(editor_[op], 0);
}

OpId Legalizer::EmitSame(std::span<const ValueId> operands, std::span<const TypeId> results,
                         std::initializer_list<ModuleEditor::Attr> changed) {
  const OpSignature signature = from().SignatureOf((*this)[op_]);
  std::vector<AttrId> attrs(signature.inherent_attrs.begin(), signature.inherent_attrs.end());
  for (const ModuleEditor::Attr& attr : changed)
    if (const int slot = RevisionOf(signature.revision).FindSlot(attr.name); slot >= 0)
      attrs[size_t(slot)] = attr.value;
  return Insert({.revision = signature.revision,
                 .operands = operands,
                 .results = results,
                 .inherent_attrs = attrs,
                 .discardable_attrs = signature.discardable_attrs});
}

ValueId Legalizer::Constant(TypeId element, size_t count, bool vector, const std::string& bytes) {
  const int64_t size = int64_t(count);
  const TypeId type = out().TensorType(vector ? std::span(&size, 1) : std::span<const int64_t>(), element);
  const AttrId value = out().Elements(type, out().payloads.AddCopy(bytes), /*splat=*/!vector);
  return Emit(ops::kConstant, {}, type, {{"value", value}});
}

ValueId Legalizer::Floats(std::span<const double> numbers, bool vector) {
  std::string bytes;
  for (const double number : numbers) {
    const auto bits = uint32_t(EncodeFloat(TypeKind::kF32, number));
    bytes.append(reinterpret_cast<const char*>(&bits), sizeof bits);
  }
  return Constant(out().Type(TypeKind::kF32), numbers.size(), vector, bytes);
}

ValueId Legalizer::Integers(std::span<const int64_t> numbers, bool vector) {
  std::string bytes;
  for (const int64_t number : numbers) {
    const auto bits = uint32_t(number);
    bytes.append(reinterpret_cast<const char*>(&bits), sizeof bits);
  }
  return Constant(out().Type(TypeKind::kI32), numbers.size(), vector, bytes);
}

RegionId Legalizer::AddRegion(TypeId element) {
  const TypeId scalar = out().TensorType({}, element);
  const RegionId region = editor_.NewRegion();
  const BlockId block = editor_.AddBlock(region, std::array{scalar, scalar});
  editor_.InsertAtEnd(block);
  const AttrId loc = (*this)[op_].loc;
  const ValueId args[] = {out().ArgOf(block, 0), out().ArgOf(block, 1)};
  const OpId add = editor_.Insert({.revision = RevisionAt(ops::kAdd, from().version),
                                   .operands = args,
                                   .results = std::array{scalar},
                                   .loc = loc},
                                  op_);
  const ValueId sum = out().ResultOf(editor_[add], 0);
  editor_.Insert({.revision = RevisionAt(ops::kReturn, from().version), .operands = {&sum, 1}, .loc = loc},
                 op_);
  return region;
}

}  // namespace shlo::rewrite
