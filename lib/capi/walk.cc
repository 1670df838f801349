// Walking a program: ops, values, blocks and regions. Numbers of the caller are checked before they index.
#include <algorithm>

#include "base/format.h"
#include "base/stack.h"
#include "capi/internal.h"
#include "ir/table/trait.h"
#include "shlo/module.h"
#include "shlo/op_table.h"
#include "shlo/source.h"
#include "shlo/text_writer.h"

namespace shlo::capi {
namespace {

const Module* ModuleOf(const shlo_program* program) { return program ? &program->program.module : nullptr; }

// Each returns a record by its number; nullptr if there is none.
const Op* OpOf(const shlo_program* program, shlo_op op) {
  const Module* m = ModuleOf(program);
  return m && op && op < m->ops.size() ? &m->ops[op] : nullptr;
}
const Value* ValueOf(const shlo_program* program, shlo_value value) {
  const Module* m = ModuleOf(program);
  return m && value && value < m->values.size() ? &m->values[value] : nullptr;
}
const Block* BlockOf(const shlo_program* program, shlo_block block) {
  const Module* m = ModuleOf(program);
  return m && block && block < m->blocks.size() ? &m->blocks[block] : nullptr;
}
const Region* RegionOf(const shlo_program* program, shlo_region region) {
  const Module* m = ModuleOf(program);
  return m && region && region < m->regions.size() ? &m->regions[region] : nullptr;
}

// Ids are structs of one number, so that an array of them is one of numbers.
template <typename Tag>
const uint32_t* Numbers(std::span<const Id<Tag>> ids, size_t* count) {
  static_assert(sizeof(Id<Tag>) == sizeof(uint32_t));
  if (count) *count = ids.size();
  return ids.empty() ? nullptr : &ids.data()->v;
}
const uint32_t* NoNumbers(size_t* count) {
  if (count) *count = 0;
  return nullptr;
}

uint32_t CountOf(size_t records) { return records ? uint32_t(records - 1) : 0; }

const std::vector<uint32_t>& FunctionsOf(const shlo_program& program) {
  const std::lock_guard lock(program.mutex);
  if (!program.functions_known) {
    const Module& m = program.program.module;
    std::vector<uint32_t> found;
    // In program order, which is not that of the numbers.
    const auto visit = [&](const auto& self, OpId id) -> void {
      shlo::CheckStack();
      for (const OpId op : m.BodyOpsOf(m.ops[id.v])) {
        const Op& nested = m.ops[op.v];
        if (m.Has(nested, Trait::kFunction)) found.push_back(op.v);
        if (m.NameOf(nested) == "builtin.module") self(self, op);
      }
    };
    if (m.top) visit(visit, m.top);
    program.functions = std::move(found);
    program.functions_known = true;
  }
  return program.functions;
}

// Lists the uses of all values, ordered by value.
void FindUses(const shlo_program& program) {
  const Module& m = program.program.module;
  std::vector<uint32_t> first(m.values.size() + 1);
  for (uint32_t i = 1; i < m.ops.size(); ++i)
    for (const ValueId operand : m.OperandsOf(m.ops[i])) ++first[operand.v + 1];
  for (size_t i = 1; i < first.size(); ++i) first[i] += first[i - 1];
  std::vector<shlo_use> uses(first.back());
  std::vector<uint32_t> next(first.begin(), first.end() - 1);
  for (uint32_t i = 1; i < m.ops.size(); ++i) {
    uint32_t operand = 0;
    for (const ValueId value : m.OperandsOf(m.ops[i])) uses[next[value.v]++] = {i, operand++};
  }
  program.uses = std::move(uses);
  program.first_use = std::move(first);
}

// Calls visit(name, value, inherent) for the attributes that are written, until it returns true.
template <typename Visit>
bool VisitAttrs(const Module& m, const Op& op, const Visit& visit) {
  if (m.RevisionIdOf(op)) {
    const auto cells = RevisionOf(m.RevisionIdOf(op)).attrs;
    const auto slots = m.InherentAttrsOf(op);
    for (size_t i = 0; i < slots.size(); ++i)
      if (slots[i] && visit(cells[i].name, slots[i], true)) return true;
  }
  for (const NamedAttr& attr : m.DiscardableAttrsOf(op))
    if (visit(m.strings[attr.name], attr.value, false)) return true;
  return false;
}

// Finds the first file, line and column of a location, through names, call sites and fusions.
bool FindPlace(const Module& m, AttrId location, shlo_place* out, int depth = 0) {
  if (!location || location.v >= m.attrs.size() || depth > 32) return false;
  const auto node = m.attrs[location];
  const auto put = [&](StringId file, int64_t line, int64_t column) {
    out->file = Str(m.strings[file]);
    out->line = uint32_t(std::clamp<int64_t>(line, 0, UINT32_MAX));
    out->column = uint32_t(std::clamp<int64_t>(column, 0, UINT32_MAX));
    return true;
  };
  if (const auto at = node.As<FileLineColLoc>()) return put(at->file, at->line, at->column);
  if (const auto range = node.As<FileRangeLoc>())
    return put(range->file, range->start_line, range->start_column);
  if (const auto named = node.As<NameLoc>()) return FindPlace(m, named->child, out, depth + 1);
  if (const auto call = node.As<CallSiteLoc>()) return FindPlace(m, call->callee, out, depth + 1);
  if (const auto fused = node.As<FusedLoc>())
    for (const AttrId child : fused->locations)
      if (FindPlace(m, child, out, depth + 1)) return true;
  return false;
}

shlo_place NoPlace() {
  const shlo_str empty{"", 0};
  shlo_place place{};
  place.file = place.section = place.function = place.location = place.source_line = empty;
  place.offset = SHLO_NO_OFFSET;
  return place;
}

// Returns a group of an op of which an attribute is written; null if there are fewer.
const Cell* GroupOf(const shlo_program* program, shlo_op op, uint32_t i) {
  const Op* record = OpOf(program, op);
  if (!record || !program->program.module.RevisionIdOf(*record)) return nullptr;
  const OpRevision& revision = RevisionOf(program->program.module.RevisionIdOf(*record));
  const auto values = program->program.module.InherentAttrsOf(*record);
  for (const Cell& group : revision.struct_attrs) {
    const bool written = std::ranges::any_of(RowOf(group.attr_kind()).fields(), [&](const FieldRow& field) {
      const int slot = revision.FindSlot(field.name);
      return slot >= 0 && values[size_t(slot)];
    });
    if (written && i-- == 0) return &group;
  }
  return nullptr;
}

}  // namespace
}  // namespace shlo::capi

using namespace shlo::capi;
using shlo::Module;

extern "C" {

uint32_t shlo_op_count(const shlo_program* program) {
  return program ? CountOf(program->program.module.ops.size()) : 0;
}
uint32_t shlo_value_count(const shlo_program* program) {
  return program ? CountOf(program->program.module.values.size()) : 0;
}
uint32_t shlo_block_count(const shlo_program* program) {
  return program ? CountOf(program->program.module.blocks.size()) : 0;
}
uint32_t shlo_region_count(const shlo_program* program) {
  return program ? CountOf(program->program.module.regions.size()) : 0;
}
uint32_t shlo_type_count(const shlo_program* program) {
  return program ? CountOf(program->program.module.types.size()) : 0;
}
uint32_t shlo_attr_count(const shlo_program* program) {
  return program ? CountOf(program->program.module.attrs.size()) : 0;
}

shlo_op shlo_module_op(const shlo_program* program) { return program ? program->program.module.top.v : 0; }

uint32_t shlo_function_count(const shlo_program* program) {
  return Ask(0u, [&] { return program ? uint32_t(FunctionsOf(*program).size()) : 0; });
}

shlo_op shlo_function_at(const shlo_program* program, uint32_t i) {
  return Ask(0u, [&] {
    if (!program) return 0u;
    const std::vector<uint32_t>& functions = FunctionsOf(*program);
    return i < functions.size() ? functions[i] : 0;
  });
}

shlo_op shlo_function_find(const shlo_program* program, const char* name) {
  return Ask(0u, [&] {
    if (!program || !name) return 0u;
    const Module& m = program->program.module;
    for (const uint32_t op : FunctionsOf(*program))
      if (m.SymbolOf(m.ops[op]) == name) return op;
    return 0u;
  });
}

shlo_str shlo_op_name(const shlo_program* program, shlo_op op) {
  const shlo::Op* record = OpOf(program, op);
  return record ? Str(program->program.module.NameOf(*record)) : shlo_str{nullptr, 0};
}

shlo_str shlo_op_vhlo_name(const shlo_program* program, shlo_op op) {
  const shlo::Op* record = OpOf(program, op);
  return record && program->program.module.RevisionIdOf(*record)
             ? Str(shlo::VhloName(program->program.module.RevisionIdOf(*record)))
             : shlo_str{nullptr, 0};
}

shlo_str shlo_op_symbol(const shlo_program* program, shlo_op op) {
  const shlo::Op* record = OpOf(program, op);
  return record ? Str(program->program.module.SymbolOf(*record)) : shlo_str{nullptr, 0};
}

shlo_block shlo_op_block(const shlo_program* program, shlo_op op) {
  const shlo::Op* record = OpOf(program, op);
  return record ? record->parent.v : 0;
}

shlo_op shlo_op_parent(const shlo_program* program, shlo_op op) {
  return shlo_region_op(program, shlo_block_region(program, shlo_op_block(program, op)));
}

const shlo_value* shlo_op_operands(const shlo_program* program, shlo_op op, size_t* count) {
  const shlo::Op* record = OpOf(program, op);
  return record ? Numbers(program->program.module.OperandsOf(*record), count) : NoNumbers(count);
}

const shlo_region* shlo_op_regions(const shlo_program* program, shlo_op op, size_t* count) {
  const shlo::Op* record = OpOf(program, op);
  return record ? Numbers(program->program.module.RegionsOf(*record), count) : NoNumbers(count);
}

const shlo_block* shlo_op_successors(const shlo_program* program, shlo_op op, size_t* count) {
  const shlo::Op* record = OpOf(program, op);
  return record ? Numbers(program->program.module.SuccessorsOf(*record), count) : NoNumbers(count);
}

const shlo_op* shlo_block_ops(const shlo_program* program, shlo_block block, size_t* count) {
  if (!BlockOf(program, block)) return NoNumbers(count);
  return Numbers(program->program.module.OpsOf(shlo::BlockId(block)), count);
}

const shlo_block* shlo_region_blocks(const shlo_program* program, shlo_region region, size_t* count) {
  if (!RegionOf(program, region)) return NoNumbers(count);
  return Numbers(program->program.module.BlocksOf(shlo::RegionId(region)), count);
}

uint32_t shlo_op_result_count(const shlo_program* program, shlo_op op) {
  const shlo::Op* record = OpOf(program, op);
  return record ? program->program.module.NumResults(*record) : 0;
}

shlo_value shlo_op_result(const shlo_program* program, shlo_op op, uint32_t i) {
  const shlo::Op* record = OpOf(program, op);
  return record && i < program->program.module.NumResults(*record) ? record->first_result + i : 0;
}

uint32_t shlo_block_arg_count(const shlo_program* program, shlo_block block) {
  const shlo::Block* record = BlockOf(program, block);
  return record ? record->args.count : 0;
}

shlo_value shlo_block_arg(const shlo_program* program, shlo_block block, uint32_t i) {
  const shlo::Block* record = BlockOf(program, block);
  return record && i < record->args.count ? record->args.first + i : 0;
}

shlo_region shlo_block_region(const shlo_program* program, shlo_block block) {
  const shlo::Block* record = BlockOf(program, block);
  return record ? record->parent.v : 0;
}

shlo_op shlo_region_op(const shlo_program* program, shlo_region region) {
  const shlo::Region* record = RegionOf(program, region);
  return record ? record->parent.v : 0;
}

shlo_type shlo_value_type(const shlo_program* program, shlo_value value) {
  const shlo::Value* record = ValueOf(program, value);
  return record ? record->type.v : 0;
}

shlo_op shlo_value_op(const shlo_program* program, shlo_value value) {
  const shlo::Value* record = ValueOf(program, value);
  return record ? record->op.v : 0;
}

shlo_block shlo_value_block(const shlo_program* program, shlo_value value) {
  const shlo::Value* record = ValueOf(program, value);
  return record ? record->block.v : 0;
}

uint32_t shlo_value_index(const shlo_program* program, shlo_value value) {
  const shlo::Value* record = ValueOf(program, value);
  return record ? record->index : 0;
}

shlo_str shlo_value_name(const shlo_program* program, shlo_value value) {
  const shlo::Value* record = ValueOf(program, value);
  if (!record) return Str("");
  const shlo::Module& m = program->program.module;
  if (const auto named = m.As<shlo::NameLoc>(record->loc)) return Str(m.strings[named->name]);
  return Str(program->program.source.places.NameOfArg(shlo::ValueId(value)));
}

shlo_error* shlo_value_uses(const shlo_program* program, shlo_value value, const shlo_use** uses,
                            size_t* count) {
  return Try([&] {
    Require(uses, "uses");
    Require(count, "count");
    *uses = nullptr;
    *count = 0;
    const shlo_program& p = Get(program);
    const std::lock_guard lock(p.mutex);
    if (p.first_use.empty()) FindUses(p);
    if (!ValueOf(program, value)) return;
    *count = p.first_use[value + 1] - p.first_use[value];
    if (*count) *uses = p.uses.data() + p.first_use[value];
  });
}

uint32_t shlo_op_attr_count(const shlo_program* program, shlo_op op) {
  const shlo::Op* record = OpOf(program, op);
  if (!record) return 0;
  uint32_t count = 0;
  VisitAttrs(program->program.module, *record, [&](std::string_view, shlo::AttrId, bool) {
    ++count;
    return false;
  });
  return count;
}

int shlo_op_attr_at(const shlo_program* program, shlo_op op, uint32_t i, shlo_named_attr* out) {
  const shlo::Op* record = OpOf(program, op);
  if (!record || !out) return 0;
  return VisitAttrs(program->program.module, *record,
                    [&](std::string_view name, shlo::AttrId value, bool inherent) {
                      if (i--) return false;
                      *out = {Str(name), value.v, inherent};
                      return true;
                    });
}

shlo_attr shlo_op_attr(const shlo_program* program, shlo_op op, const char* name) {
  const shlo::Op* record = OpOf(program, op);
  return record && name ? program->program.module.AttributeOf(*record, name).v : 0;
}

shlo_str shlo_op_attr_group(const shlo_program* program, shlo_op op, uint32_t i) {
  const shlo::Cell* group = GroupOf(program, op, i);
  return Str(group ? group->name : "");
}

shlo_error* shlo_op_attr_group_text(const shlo_program* program, shlo_op op, uint32_t i, shlo_buffer** out) {
  return Make(out, [&] {
    const shlo::Module& m = Get(program).program.module;
    const shlo::Cell* group = GroupOf(program, op, i);
    if (!group) Fail(shlo::Code::kUsage, shlo::StrFormat("op {} has no group {} of attributes", op, i));
    return NewBuffer(shlo::OpTexts(m).Group(shlo::OpId(op), *group));
  });
}

shlo_attr shlo_op_location(const shlo_program* program, shlo_op op) {
  const shlo::Op* record = OpOf(program, op);
  return record ? record->loc.v : 0;
}

int shlo_op_place(const shlo_program* program, shlo_op op, shlo_place* out) {
  const shlo::Op* record = OpOf(program, op);
  if (!record) return 0;
  const Module& m = program->program.module;
  const shlo::Source& source = program->program.source;
  shlo_place place = NoPlace();
  place.function = Str(m.FunctionOf(shlo::OpId(op)));
  const uint64_t offset = source.places.OffsetOfOp(shlo::OpId(op));
  if (offset == shlo::SourcePlaces::kNone) return FindPlace(m, record->loc, &place) ? Put(place, out) : 0;
  return Ask(0, [&] {
    shlo::Place found;
    source.places.Locate(offset, source.first_line, &found);
    place.file = Str(source.name);
    place.line = found.line;
    place.column = found.column;
    return Put(place, out);
  });
}

int shlo_location_place(const shlo_program* program, shlo_attr location, shlo_place* out) {
  shlo_place place = NoPlace();
  if (!program || !FindPlace(program->program.module, shlo::AttrId(location), &place)) return 0;
  return Put(place, out);
}

}  // extern "C"
