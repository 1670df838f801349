#include "serialize/text/writer_names.h"

#include "ir/module/attr_names.h"
#include "ir/module/cells.h"
#include "ir/print/attr_printer.h"
#include "ir/table/mhlo.h"
#include "ir/table/ops.h"
#include "ir/table/trait.h"
#include "shlo/print.h"

namespace shlo::text {

uint32_t ValueNames::BaseOf(std::string_view name) {
  const auto [it, added] = base_index_.try_emplace(name, uint32_t(bases_.size()));
  if (added) {
    bases_.push_back(name);
    is_taken_.push_back(0);
  }
  return it->second;
}

void ValueNames::NameGroup(uint32_t first, uint32_t count, std::string_view suggested, Scope& scope) {
  Name name{};
  if (suggested.empty()) {
    name.number = scope.next_value++;
  } else {
    name.base = BaseOf(suggested);
    if (is_taken_[name.base]) {
      name.number = scope.next_conflict++;
    } else {
      name.number = kNone;
      is_taken_[name.base] = 1;
      taken_.push_back(name.base);
      ++scope.taken;
    }
  }
  for (uint32_t i = 0; i < count; ++i) {
    if (count > 1) name.in_group = i + 1;
    values_[first + i] = name;
  }
}

namespace {

bool IsAnyInteger(TypeKind kind) {
  return IsSignlessInteger(kind) || IsUnsignedInteger(kind) || kind == TypeKind::kInteger;
}

}  // namespace

// Returns the name that a constant suggests: %c and %cst for tensors, %c7_i32 and %true for scalars; "" for
// other ops.
std::string_view ValueNames::ConstantName(const Op& op) {
  const RowId row = RevisionOf(m_.RevisionIdOf(op)).row;
  if (row == ops::kConstant) {
    if (mhlo_) return {};
    const auto tensor = m_.As<TensorType>(m_.TypeOf(ValueId(op.first_result)));
    if (!tensor) return "cst";
    const TypeKind kind = m_.types.KindOf(tensor->element);
    return IsSignlessInteger(kind) || IsUnsignedInteger(kind) || kind == TypeKind::kInteger ? "c" : "cst";
  }
  if (row != ops::kArithConstant) return {};
  const AttrId value = m_.InherentAttrsOf(op)[0];
  int64_t number;
  bool truth;
  if (value && m_.AsBool(value, &truth)) return truth ? "true" : "false";
  if (!value || !m_.AsInteger(value, &number)) return "cst";
  std::string name = "c" + std::to_string(number);
  const TypeId type = m_.TypeOf(ValueId(op.first_result));
  if (IsAnyInteger(m_.types.KindOf(type))) name += "_" + TypeText(m_, type);
  if (const auto known = base_index_.find(name); known != base_index_.end()) return known->first;
  return made_names_.emplace_back(std::move(name));
}

// Names the results of an op without a row.
void ValueNames::NameOther(const Op& op, Scope& scope) {
  const RevisionId shape = FindOtherOp(m_.NameOf(op));
  const OpRevision& revision = RevisionOf(shape);
  const uint32_t first = op.first_result, count = m_.NumResults(op);
  if (shape && RowOf(shape).Has(Trait::kNamesResult) && revision.results.size() == count) {
    for (uint32_t i = 0; i < count; ++i) NameGroup(first + i, 1, revision.results[i].name, scope);
    return;
  }
  std::string_view suggested;
  int64_t number;
  if (shape && RowOf(shape).name == "complex.constant") suggested = "cst";
  if (shape && RowOf(shape).name == "shape.const_size" && m_.AsInteger(m_.AttributeOf(op, "value"), &number))
    suggested = made_names_.emplace_back("c" + std::to_string(number));
  NameGroup(first, count, suggested, scope);
}

void ValueNames::NameOp(const Op& op, Scope& scope) {
  const uint32_t count = m_.NumResults(op);
  if (count == 0) return;
  if (suggest_ && m_.Has(op, Trait::kNamesResult))
    return NameGroup(op.first_result, count, RevisionOf(m_.RevisionIdOf(op)).results[0].name, scope);
  if (!suggest_) return NameGroup(op.first_result, count, {}, scope);
  if (!m_.RevisionIdOf(op) && count == 2)
    if (const auto* row = mhlo::FindOpRow(m_.NameOf(op)); row && row->form == mhlo::Form::kTopK) {
      NameGroup(op.first_result, 1, "values", scope);
      return NameGroup(op.first_result + 1, 1, "indices", scope);
    }
  if (!m_.RevisionIdOf(op)) return NameOther(op, scope);
  const OpRevision& revision = RevisionOf(m_.RevisionIdOf(op));
  if (count == 1 && revision.results.size() == 1 && !revision.results[0].variadic) {
    return NameGroup(op.first_result, count, ConstantName(op), scope);
  }
  // Ops with several result declarations name each group after its declaration.
  if (revision.results.size() > 1) {
    size_t variadic = 0;
    for (const Cell& cell : revision.results) variadic += cell.variadic;
    const size_t fixed = revision.results.size() - variadic;
    if (variadic <= 1 && count >= fixed) {
      uint32_t first = op.first_result;
      for (const Cell& cell : revision.results) {
        const uint32_t size = cell.variadic ? uint32_t(count - fixed) : 1;
        if (size) NameGroup(first, size, cell.name, scope);
        first += size;
      }
      return;
    }
  }
  NameGroup(op.first_result, count, {}, scope);
}

// Returns the name that an op suggests for an argument of a region's entry block; "" for most.
std::string_view ValueNames::ArgumentName(RegionId region, uint32_t index) const {
  const OpId parent = m_.regions[region.v].parent;
  if (!suggest_ || !parent) return {};
  const Op& op = m_.ops[parent.v];
  if (m_.Is(op, ops::kWhile)) return "iterArg";
  if (!m_.Is(op, ops::kChloScan)) return {};
  // The first arguments are inputs; the carries follow.
  const std::vector<int32_t> sizes = I32sOf(m_, m_.AttributeOf(op, kOperandSegmentSizes));
  return !sizes.empty() && int64_t(index) < sizes[0] ? "input" : "carry";
}

void ValueNames::NameAll(const Op& top) {
  Scope running;
  const auto regions = m_.RegionsOf(top);
  std::vector<RegionId> due(regions.begin(), regions.end());
  while (!due.empty()) {
    const RegionId region = due.back();
    due.pop_back();
    running = NameRegion(region, running);
    for (BlockId block : m_.BlocksOf(region))
      for (OpId op : m_.OpsOf(block)) {
        const auto inner = m_.RegionsOf(m_.ops[op.v]);
        due.insert(due.end(), inner.begin(), inner.end());
      }
  }
  all_named_ = true;
}

void ValueNames::NameArguments(RegionId region, BlockId block, bool is_entry, Scope& scope) {
  const Range args = m_.blocks[block.v].args;
  for (uint32_t i = 0; i < args.count; ++i) {
    if (const std::string_view suggested = is_entry ? ArgumentName(region, i) : std::string_view();
        !suggested.empty()) {
      NameGroup(args.first + i, 1, suggested, scope);
      continue;
    }
    Name& name = values_[args.first + i];
    name.base = is_entry ? kArgument : kNumber;
    name.number = is_entry ? scope.next_argument++ : scope.next_value++;
  }
}

void ValueNames::NameEntry(RegionId region, const Scope& outside) {
  const auto blocks = m_.BlocksOf(region);
  if (all_named_ || blocks.empty()) return;
  Scope scope = outside;
  NameArguments(region, blocks[0], /*is_entry=*/true, scope);
  Leave(outside);
}

ValueNames::Scope ValueNames::NameRegion(RegionId region, const Scope& outside) {
  if (all_named_) return outside;
  Scope scope = outside;
  uint32_t number = 0;
  for (BlockId block : m_.BlocksOf(region)) {
    block_numbers_[block.v] = number;
    NameArguments(region, block, number == 0, scope);
    for (OpId op : m_.OpsOf(block)) NameOp(m_.ops[op.v], scope);
    ++number;
  }
  return scope;
}

void ValueNames::Leave(const Scope& outside) {
  while (taken_.size() > outside.taken) {
    is_taken_[taken_.back()] = 0;
    taken_.pop_back();
  }
}

void ValueNames::PutName(TextBuffer& out, const Name& name) const {
  out.push_back('%');
  if (name.base == kArgument) {
    out.append("arg");
  } else if (name.base >= kFirstBase) {
    out.append(bases_[name.base]);
    if (name.number == kNone) return;
    out.push_back('_');
  }
  PutUnsigned(out, name.number);
}

void ValueNames::PutUse(TextBuffer& out, ValueId value) const {
  const Name& name = values_[value.v];
  PutName(out, name);
  if (name.in_group == 0) return;
  out.push_back('#');
  PutUnsigned(out, name.in_group - 1);
}

void ValueNames::PutBlock(TextBuffer& out, BlockId block) const {
  out.append("^bb");
  PutUnsigned(out, block_numbers_[block.v]);
}

void ValueNames::PutResults(TextBuffer& out, const Op& op) const {
  for (uint32_t i = 0; i < m_.NumResults(op);) {
    const uint32_t value = op.first_result + i;
    uint32_t size = 1;
    while (i + size < m_.NumResults(op) && values_[value].in_group != 0 &&
           values_[value + size].in_group == size + 1)
      ++size;
    if (i) out.append(", ");
    PutName(out, values_[value]);
    if (size > 1) {
      out.push_back(':');
      PutUnsigned(out, size);
    }
    i += size;
  }
  if (m_.NumResults(op)) out.append(" = ");
}

}  // namespace shlo::text
