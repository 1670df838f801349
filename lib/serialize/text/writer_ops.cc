// Ops, blocks and regions: the generic form.
#include "serialize/text/writer_ops.h"

#include <algorithm>
#include <iterator>
#include <memory>

#include "base/deadline.h"
#include "base/stack.h"
#include "ir/module/attr_names.h"
#include "ir/module/limits.h"
#include "ir/table/form.h"
#include "ir/table/ops.h"
#include "ir/table/trait.h"

namespace shlo::text {

OpPrinter::OpPrinter(const Module& module, const TextWriteOptions& options, const ProgramStyle& style,
                     TextBuffer* out)
    : m_(module),
      options_(options),
      style_(style),
      out_(*out),
      attrs_(module, options.elide_elements, out),
      names_(module, !style.generic && options.spelling == Spelling::kStablehlo, style.mhlo) {
  if (style.boolean_lists) attrs_.ListBooleans();
  if (style.mhlo) attrs_.UseMhlo();
}

// Of mixed programs, a type is also spelled after the op that defines the value.
bool OpPrinter::UsesTexts() const { return !attrs_.collecting() && !vhlo_values_; }

void OpPrinter::Program() {
  attrs_.AliasDefinitions(/*deferred=*/false);
  PrintTop();
  attrs_.AliasDefinitions(/*deferred=*/true);
}

void OpPrinter::PrintTop() {
  const Op& top = m_.ops[m_.top.v];
  if (style_.generic) names_.NameAll(top);
  if (style_.wrap) {
    PrintOp(top, false);
    Put('\n');
    return;
  }
  const RegionId body = m_.RegionsOf(top)[0];
  scope_ = names_.NameRegion(body, scope_);
  const auto ops = m_.OpsOf(m_.BlocksOf(body)[0]);
  if (WorthThreads()) return PrintInThreads(ops);
  PrintOps(ops, false);
}

// Prints ops, each on its line.
void OpPrinter::PrintOps(std::span<const OpId> ops, bool in_func) {
  constexpr size_t kWriteOut = size_t(64) << 10;
  for (OpId op : ops) {
    Tick();
    Indent();
    PrintOp(m_.ops[op.v], in_func);
    Put('\n');
    if (write_out_ && held_ == 0 && (out_.size() >= kWriteOut || !constants_.empty()) && !Finish()) return;
  }
}

bool OpPrinter::Finish() {
  if (attrs_.failed()) return false;
  if (attrs_.too_long() || !write_out_(&out_, &constants_)) attrs_.Fail();
  return !attrs_.failed();
}

// Names the values that are visible in a region.
void OpPrinter::Enter(RegionId region) {
  if (style_.generic) {
    if (entered_.empty()) names_.NameAll(m_.ops[m_.top.v]);
    entered_.resize(1);
    return;
  }
  std::vector<RegionId> around;  // from inside
  while (region) {
    around.push_back(region);
    const BlockId outer = m_.ops[m_.regions[region.v].parent.v].parent;
    region = outer ? m_.blocks[outer.v].parent : RegionId();
  }
  std::ranges::reverse(around);
  size_t same = 0;
  while (same < std::min(around.size(), entered_.size()) && entered_[same].region == around[same]) ++same;
  while (entered_.size() > same) {
    scope_ = entered_.back().outside;
    names_.Leave(scope_);
    entered_.pop_back();
  }
  for (size_t i = same; i < around.size(); ++i) {
    entered_.push_back({around[i], scope_});
    scope_ = names_.NameRegion(around[i], scope_);
  }
}

void OpPrinter::Alone(OpId id) {
  const Op& op = m_.ops[id.v];
  const RegionId region = op.parent ? m_.blocks[op.parent.v].parent : RegionId();
  Enter(region);
  elide_regions_ = true;
  attrs_.Restart();
  PrintOp(op, region && !style_.generic && m_.Is(m_.ops[m_.regions[region.v].parent.v], ops::kFunc));
}

void OpPrinter::Name(ValueId id) {
  const Value& value = m_.values[id.v];
  Enter(m_.blocks[(value.op ? m_.ops[value.op.v].parent : value.block).v].parent);
  elide_regions_ = true;
  names_.PutUse(out_, id);
}

Spelling OpPrinter::SpellingOf(const Op& op) const {
  const bool vhlo =
      options_.spelling == Spelling::kVhlo && m_.RevisionIdOf(op) && !VhloName(m_.RevisionIdOf(op)).empty();
  return vhlo ? Spelling::kVhlo : Spelling::kStablehlo;
}

std::string_view OpPrinter::NameOf(const Op& op) const {
  if (SpellingOf(op) == Spelling::kVhlo) return VhloName(m_.RevisionIdOf(op));
  const mhlo::OpRow* const row = MhloRowOf(op);
  return row ? row->name : m_.NameOf(op);
}

void OpPrinter::PrintOp(const Op& op, bool in_func) {
  if (attrs_.failed()) return;
  if (attrs_.collecting()) {
    out_.clear();
    if (options_.locations && op.loc) aliases_->Visit(op.loc, /*deferrable=*/true);
  }
  names_.PutResults(out_, op);
  if (op.regions.count == 0 && op.successors.count == 0 && m_.RevisionIdOf(op) && UsesTexts())
    PrintBySignature(op, in_func);
  else
    PrintForms(op, in_func);
  TrailingLocation(op.loc, /*of_argument=*/false);
}

// Prints an op in its custom form, or in generic form.
void OpPrinter::PrintForms(const Op& op, bool in_func) {
  const bool generic = style_.generic || ProgramStyle::Has(style_.generic_ops, m_.RevisionIdOf(op));
  const bool holds = !generic && !m_.Is(op, ops::kModule) && !m_.Is(op, ops::kFunc);
  held_ += holds;
  if (generic || !(ShapeOf(op) ? CustomForm(op, in_func) : MhloForm(op))) GenericOp(op);
  held_ -= holds;
}

// Prints an op without regions and successors.
void OpPrinter::PrintBySignature(const Op& op, bool in_func) {
  const auto operands = m_.OperandsOf(op);
  if (texts_.Put(op.signature, in_func, names_, operands, out_)) {
    if (attrs_.too_long()) attrs_.Fail();
    return;
  }
  const size_t begin = out_.size();
  uses_.clear();
  noting_ = operands.data();
  PrintForms(op, in_func);
  noting_ = nullptr;
  // A form that took its text back leaves more uses than operands.
  if (attrs_.failed() || !constants_.empty() || uses_.size() != operands.size()) return;
  for (SignatureTexts::Use& use : uses_) {
    use.begin -= begin;
    use.end -= begin;
  }
  texts_.Note(op.signature, in_func, out_.view().substr(begin), uses_);
}

void OpPrinter::TrailingLocation(AttrId loc, bool of_argument) {
  if (!options_.locations || !loc) return;
  if (attrs_.collecting()) {
    // The op itself was visited before its contents.
    if (of_argument) aliases_->Visit(loc, /*deferrable=*/false);
    return;
  }
  Put(" loc(");
  attrs_.Location(loc, /*in_full=*/of_argument);
  Put(')');
}

void OpPrinter::Operands(std::span<const ValueId> operands) {
  List(operands.size(), [&](size_t i) {
    const size_t begin = out_.size();
    names_.PutUse(out_, operands[i]);
    if (noting_) uses_.push_back({begin, out_.size(), size_t(&operands[i] - noting_)});
  });
}

// In mixed programs the op that defines a value decides its spelling, otherwise the program.
void OpPrinter::TypeOf(ValueId value, Spelling spelling) {
  if (vhlo_values_) spelling = (*vhlo_values_)[value.v] ? Spelling::kVhlo : Spelling::kStablehlo;
  attrs_.Type(m_.TypeOf(value), spelling);
}

void OpPrinter::TypesOf(std::span<const ValueId> values, Spelling spelling) {
  List(values.size(), [&](size_t i) { TypeOf(values[i], spelling); });
}

void OpPrinter::ResultTypes(const Op& op, Spelling spelling) {
  const uint32_t count = m_.NumResults(op);
  const bool bare = count == 1 && m_.types.KindOf(m_.TypeOf(ValueId(op.first_result))) != TypeKind::kFunction;
  if (!bare) Put('(');
  List(count, [&](size_t i) { TypeOf(m_.ResultOf(op, uint32_t(i)), spelling); });
  if (!bare) Put(')');
}

void OpPrinter::FunctionalType(const Op& op, Spelling spelling) {
  Put('(');
  TypesOf(m_.OperandsOf(op), spelling);
  Put(") -> ");
  ResultTypes(op, spelling);
}

void OpPrinter::GenericOp(const Op& op) {
  Put('"');
  // Names of unknown ops may contain any character.
  if (m_.RevisionIdOf(op))
    Put(NameOf(op));
  else
    PutEscaped(out_, NameOf(op));
  Put('"');
  GenericTail(op);
}

// Prints everything after the name.
void OpPrinter::GenericTail(const Op& op) {
  const Spelling spelling = SpellingOf(op);
  Put('(');
  Operands(m_.OperandsOf(op));
  Put(')');
  if (const auto successors = m_.SuccessorsOf(op); !successors.empty()) {
    Put('[');
    List(successors.size(), [&](size_t i) { names_.PutBlock(out_, successors[i]); });
    Put(']');
  }
  Items own;
  if (m_.RevisionIdOf(op)) {
    CollectInherentAttrs(op, spelling, own);
    CollectDiscardableAttrs(op, /*properties=*/true, own);
  }
  Items others;
  CollectDiscardableAttrs(op, /*properties=*/false, others);
  if (const RevisionId shape = m_.RevisionIdOf(op) ? RevisionId() : ShapeOf(op)) {
    const OpRevision& revision = RevisionOf(shape);
    const auto inherent = [&](const Item& item) {
      return revision.FindSlot(item.name) >= 0 ||
             (IsSegmentSizes(item.name) && RowOf(revision.row).Has(Trait::kOperandSegments));
    };
    std::ranges::copy_if(others, std::back_inserter(own), inherent);
    std::erase_if(others, inherent);
  }
  if (m_.Is(op, ops::kModule) && style_.version_on_module && &op == &m_.ops[m_.top.v])
    others.push_back({Item::kVersion, kCompatVersion, {}, nullptr});
  if (const mhlo::OpRow* const row = MhloRowOf(op)) {
    const auto inherent = std::stable_partition(
        others.begin(), others.end(), [&](const Item& item) { return !mhlo::HasProperty(*row, item.name); });
    own.insert(own.end(), inherent, others.end());
    others.erase(inherent, others.end());
  }
  if (style_.properties) {
    if (!own.empty()) PutItems(op, own, spelling, " <{", "}>");
  } else {
    others.insert(others.end(), own.begin(), own.end());
  }
  if (const auto regions = m_.RegionsOf(op); !regions.empty()) {
    Put(" (");
    // Readers accept short names ("return") only in the custom form of a function.
    List(regions.size(), [&](size_t i) { PrintRegion(regions[i], /*entry_arguments=*/true); });
    Put(')');
  }
  PutAttrDict(op, others, spelling);
  Put(" : ");
  FunctionalType(op, spelling);
}

void OpPrinter::BlockArgument(ValueId value, Spelling spelling) {
  names_.PutUse(out_, value);
  Put(": ");
  attrs_.Type(m_.TypeOf(value), spelling);
  TrailingLocation(m_.values[value.v].loc, /*of_argument=*/true);
}

// Prints a comment that lists the predecessors of a block other than the first.
void OpPrinter::Predecessors(BlockId block) {
  const auto blocks = m_.BlocksOf(m_.blocks[block.v].parent);
  if (blocks.size() < 2 || blocks.size() > 1000 || blocks[0] == block) return;
  std::vector<BlockId> from;
  for (BlockId other : blocks) {
    const auto ops = m_.OpsOf(other);
    if (ops.empty()) continue;
    for (BlockId to : m_.SuccessorsOf(m_.ops[ops.back().v]))
      if (to == block) from.push_back(other);
  }
  Put("  // ");
  if (from.empty()) return Put("no predecessors");
  if (from.size() > 1) {
    PutUnsigned(out_, from.size());
    Put(" preds: ");
  } else {
    Put("pred: ");
  }
  List(from.size(), [&](size_t i) { names_.PutBlock(out_, from[i]); });
}

// Returns whether the form of the op around a region omits the region's last op.
bool OpPrinter::EndIsImplied(RegionId region) const {
  if (style_.generic) return false;
  const Op& around = m_.ops[m_.regions[region.v].parent.v];
  const RevisionId shape = ShapeOf(around);
  if (!shape || !OmitsEnd(RowOf(shape).form) || m_.NumResults(around) ||
      ProgramStyle::Has(style_.generic_ops, m_.RevisionIdOf(around)))
    return false;
  const auto blocks = m_.BlocksOf(region);
  if (blocks.size() != 1 || m_.OpsOf(blocks[0]).empty()) return false;
  const Op& end = m_.ops[m_.OpsOf(blocks[0]).back().v];
  if (m_.NameOf(end) != RowOf(RowOf(shape).terminator).name || m_.NumOperands(end) || m_.NumResults(end) ||
      m_.DiscardableAttrsOf(end).size())
    return false;
  if (options_.locations && style_.exact && end.loc != around.loc) return false;
  const auto inner = m_.RegionsOf(end);
  return inner.empty() || (m_.BlocksOf(inner[0]).size() == 1 && m_.OpsOf(m_.BlocksOf(inner[0])[0]).empty());
}

void OpPrinter::PrintBlock(BlockId block, bool header, bool in_func, bool without_end) {
  const Range args = m_.blocks[block.v].args;
  if (header) {
    Indent();
    names_.PutBlock(out_, block);
    if (args.count) {
      const RegionId region = m_.blocks[block.v].parent;
      const Spelling spelling = SpellingOf(m_.ops[m_.regions[region.v].parent.v]);
      Put('(');
      List(args.count, [&](size_t i) { BlockArgument(ValueId(args.first + uint32_t(i)), spelling); });
      Put(')');
    }
    Put(':');
    Predecessors(block);
    Put('\n');
  }
  indent_ += 2;
  if (m_.regions[m_.blocks[block.v].parent.v].parent == m_.top && WorthThreads())
    PrintInThreads(m_.OpsOf(block));
  else
    PrintOps(m_.OpsOf(block).subspan(0, m_.OpsOf(block).size() - without_end), in_func);
  indent_ -= 2;
}

void OpPrinter::PrintRegion(RegionId region, bool entry_arguments, bool print_empty_header, bool in_func) {
  CheckStack();
  if (elide_regions_) return Put("{...}");
  if (++depth_ > kMaxNesting) attrs_.Fail();
  if (attrs_.failed()) return;
  const ValueNames::Scope outside = scope_;
  scope_ = names_.NameRegion(region, outside);
  const auto blocks = m_.BlocksOf(region);
  Put("{\n");
  const bool without_end = EndIsImplied(region);
  for (size_t i = 0; i < blocks.size(); ++i) {
    const Block& block = m_.blocks[blocks[i].v];
    const bool header =
        i > 0 || (entry_arguments && block.args.count != 0) || (print_empty_header && block.ops.count == 0);
    PrintBlock(blocks[i], header, in_func, without_end);
  }
  Indent();
  Put('}');
  names_.Leave(outside);
  scope_ = outside;
  --depth_;
}

}  // namespace shlo::text
