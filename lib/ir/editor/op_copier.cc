// Copies of other programs.
#include "ir/editor/copier.h"
#include "shlo/editor.h"

namespace shlo {

OpCopier::OpCopier(const Module& from, ModuleEditor* to)
    : editor_(*to),
      builder_(std::make_unique<Builder>(&to->m_)),
      copier_(std::make_unique<Copier>(from, builder_.get())) {}

OpCopier::OpCopier(std::shared_ptr<const Module> from, ModuleEditor* to, SymbolNames names)
    : editor_(*to),
      builder_(std::make_unique<Builder>(&to->m_)),
      nodes_(std::make_unique<NodeMap>(from, &to->m_, std::move(names))),
      copier_(std::make_unique<Copier>(*from, builder_.get(), nodes_.get())) {}

OpCopier::~OpCopier() = default;

ValueId& OpCopier::operator[](ValueId value) { return (*copier_)[value]; }

OpId OpCopier::Copy(OpId op) {
  const size_t before = editor_.m_.ops.size();
  copier_->location = location;
  const OpId copy = copier_->Copy(op);
  editor_.Adopt(copy);
  for (size_t i = before; i <= copy.v && !nodes_; ++i) editor_.origins_[i] = copier_->op_origins()[i];
  editor_.Place(copy);
  return copy;
}

void OpCopier::Finish() {
  for (const Copier::Late& late : copier_->TakeLate()) editor_.SetOperand(late.op, late.operand, late.value);
}

TypeId OpCopier::TypeOf(TypeId type) { return nodes_ ? nodes_->Map(type) : type; }

}  // namespace shlo
