// A program in memory: dense arrays addressed by 32-bit ids. Ops, values, blocks and regions are rows of
// arrays; types and attributes are interned; constants are views. A module knows its version. A Builder adds
// ops, and SetVersion and DropDefaults rewrite attributes in place; conversions copy a module and change the
// copy. Where a program was read from is kept next to it (source.h).
//
// An op with a row in the op table has one slot per attribute of its shape, in the order of the shape. A
// slot that was not written is absent (AttrId 0) and means the row's default, so "written" and "defaulted"
// stay apart. Everything else the op carries is a discardable attribute. An op without a row keeps its
// name and has no slots.
//
// StableHLO and VHLO are two spellings of one module: types, attributes and ops are the same rows.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "shlo/diagnostics.h"
#include "shlo/ids.h"
#include "shlo/node_table.h"
#include "shlo/op_table.h"
#include "shlo/pool.h"
#include "shlo/version.h"
#include "shlo/views.h"

namespace shlo {

// A run of entries in one of the module's pools.
struct Range {
  uint32_t first = 0;
  uint32_t count = 0;
};

struct Op {
  RevisionId revision;  // none: an op without a row
  uint16_t reserved = 0;
  StringId name;            // full name, for an op without a row only
  Range operands;           // in Module::operands
  Range results;            // consecutive ValueIds
  uint32_t first_slot = 0;  // in Module::slots; as many as the revision has attributes
  Range discardable;        // in Module::extras: discardable attributes, sorted by name
  Range regions;            // in Module::region_lists
  Range successors;         // in Module::successors
  AttrId loc;               // none: unknown
  BlockId parent;
};

struct Value {
  TypeId type;
  OpId op;        // the op it is a result of, or none for a block argument
  BlockId block;  // the block it is an argument of, or none
  uint32_t index = 0;
  AttrId loc;  // block arguments only; none: unknown
};

struct Block {
  Range args;  // consecutive ValueIds
  Range ops;   // in Module::op_lists
  RegionId parent;
};

struct Region {
  Range blocks;  // in Module::block_lists
  OpId parent;
};

// A dense resource: a named blob outside the program text.
struct Resource {
  StringId key;
  PayloadId payload;
  uint32_t alignment = 1;  // bytes, a power of two
};

class Module {
 public:
  // Arrays take memory from `cache`, which must then outlive this module and its copies.
  explicit Module(PoolCache* cache = nullptr);
  // A module with tables of its own and a view of the ops, values and regions of this one, which must outlive
  // it and stay as it is: for writers, which intern what they write. Its program must not be written to.
  Module ViewOfProgram() const;

  Version version = kCurrentVersion;

  StringTable strings;
  TypeTable types;
  AttrTable attrs;
  PayloadTable payloads;
  std::vector<Resource> resources;  // sorted by key

  // Entry 0 of ops, values, blocks and regions is unused. ops[top] is the builtin.module op.
  Pool<Op> ops;
  Pool<Value> values;
  Pool<Block> blocks;
  Pool<Region> regions;
  OpId top;

  // Pools.
  Pool<ValueId> operands;
  Pool<AttrId> inherent_attrs;
  Pool<NamedAttr> discardable_attrs;
  Pool<RegionId> region_lists;
  Pool<BlockId> block_lists;
  Pool<OpId> op_lists;
  Pool<BlockId> successors;

  // --- Access -------------------------------------------------------------------------------------
  std::span<const ValueId> OperandsOf(const Op& op) const {
    return {operands.data() + op.operands.first, op.operands.count};
  }
  std::span<const AttrId> InherentAttrsOf(const Op& op) const {
    return {inherent_attrs.data() + op.first_slot, RevisionOf(op.revision).attrs.size()};
  }
  std::span<const NamedAttr> DiscardableAttrsOf(const Op& op) const {
    return {discardable_attrs.data() + op.discardable.first, op.discardable.count};
  }
  std::span<const RegionId> RegionsOf(const Op& op) const {
    return {region_lists.data() + op.regions.first, op.regions.count};
  }
  std::span<const BlockId> SuccessorsOf(const Op& op) const {
    return {successors.data() + op.successors.first, op.successors.count};
  }
  std::span<const BlockId> BlocksOf(RegionId r) const {
    return {block_lists.data() + regions[r.v].blocks.first, regions[r.v].blocks.count};
  }
  std::span<const OpId> OpsOf(BlockId b) const {
    return {op_lists.data() + blocks[b.v].ops.first, blocks[b.v].ops.count};
  }
  ValueId ResultOf(const Op& op, uint32_t i) const { return ValueId(op.results.first + i); }
  ValueId ArgOf(BlockId b, uint32_t i) const { return ValueId(blocks[b.v].args.first + i); }
  TypeId TypeOf(ValueId v) const { return values[v.v].type; }
  bool Is(const Op& op, RowId row) const { return op.revision && RevisionOf(op.revision).row == row; }
  // The name as the specification spells it ("stablehlo.add"); of an op without a row, its own.
  std::string_view NameOf(const Op& op) const {
    return op.revision ? RowOf(op.revision).name : strings[op.name];
  }
  // The written value of a named slot; none when absent or when the shape has no such slot.
  AttrId InherentAttrOf(const Op& op, std::string_view name) const;
  // The written value of a slot or discardable attribute.
  AttrId AttributeOf(const Op& op, std::string_view name) const;
  // Symbol name of a func-like op or module ("" when none).
  std::string_view SymbolOf(const Op& op) const;
  // Name of the function an op is in, or is; "" at top level.
  std::string_view FunctionOf(OpId op) const;

  // --- Nodes as views ---------------------------------------------------------------------------
  // A type or attribute taken apart (views.h): `if (const auto tensor = m.As<TensorType>(type))`. Lists of a
  // view are valid until a node of the same table is interned.
  template <TypeView V>
  std::optional<V> As(TypeId id) const {
    return types[id].As<V>();
  }
  template <AttrView V>
  std::optional<V> As(AttrId id) const {
    return attrs[id].As<V>();
  }
  // The same for a node that is known to be of this kind.
  template <TypeView V>
  V Get(TypeId id) const {
    return types[id].Get<V>();
  }
  template <AttrView V>
  V Get(AttrId id) const {
    return attrs[id].Get<V>();
  }
  // The node of a view. Fields that are not named are 0, none or empty.
  template <TypeView V>
  TypeId Make(const V& view) {
    return types.Intern(view);
  }
  template <AttrView V>
  AttrId Make(const V& view) {
    return attrs.Intern(view);
  }

  // --- Interning of common nodes ----------------------------------------------------------------
  TypeId Type(TypeKind kind) { return types.Intern(kind, std::span<const uint64_t>{}); }
  // Signless integer of any width >= 1; `signedness` 1 signed, 2 unsigned.
  TypeId IntegerType(int64_t width, int signedness = 0);
  TypeId ComplexType(TypeId element);
  TypeId TensorType(std::span<const int64_t> shape, TypeId element, AttrId encoding = {});
  TypeId TupleType(std::span<const TypeId> members);
  TypeId FunctionType(std::span<const TypeId> inputs, std::span<const TypeId> results);
  AttrId Unit() { return attrs.Intern(AttrKind::kUnit, std::span<const uint64_t>{}); }
  AttrId Bool(bool value);
  AttrId Integer(TypeId type, int64_t value);
  AttrId I64(int64_t value);
  AttrId I32(int32_t value);
  AttrId Float(TypeId type, uint64_t bits);
  AttrId String(std::string_view value);
  // An attribute of a dialect that is not known here, as it is spelled: `text` is what follows "#dialect".
  AttrId Opaque(std::string_view dialect, std::string_view text);
  AttrId Array(std::span<const AttrId> elements);
  AttrId Dict(std::vector<NamedAttr> entries);  // sorts by name
  AttrId TypeAttr(TypeId type);
  AttrId Symbol(std::string_view root);
  AttrId I64s(std::span<const int64_t> values);
  AttrId Enum(AttrKind kind, int64_t value);
  // Locations that are one. Unknown ones and repetitions are left out, and fused ones with the same metadata
  // are taken apart; what remains may be one of them, or unknown.
  AttrId FusedLoc(std::span<const AttrId> locations, AttrId metadata);
  // Elements of `type` from bytes; a payload whose elements are all equal becomes a splat.
  AttrId Elements(TypeId type, PayloadId payload, bool splat);
  AttrId I64Elements(std::span<const int64_t> shape, std::span<const int64_t> values);

  // --- Reading of common nodes ------------------------------------------------------------------
  // Each fails when the node is of a different kind.
  bool AsInteger(AttrId attr, int64_t* out) const;  // integers of one limb
  bool AsBool(AttrId attr, bool* out) const;
  bool AsString(AttrId attr, std::string_view* out) const;
  bool AsSymbol(AttrId attr, std::string_view* out) const;    // also a plain string
  bool AsI64s(AttrId attr, std::vector<int64_t>* out) const;  // kI64Array, or kElements of i64
  // The value of an enum attribute, of any kind or of this one.
  std::optional<int64_t> EnumValue(AttrId attr) const;
  std::optional<int64_t> EnumValue(AttrId attr, AttrKind kind) const;
  // The elements of an array attribute; of other attributes, none.
  IdList<AttrId> ElementsOf(AttrId array) const;
  // The type of an attribute that states one (integer, float, elements, string); of others, none.
  TypeId TypeOf(AttrId attr) const;
  // The `function_type` of an op.
  std::optional<shlo::FunctionType> FunctionTypeOf(const Op& op) const;

  // Number of elements of a static tensor shape; nullopt on overflow past 2^62 or a dynamic dimension.
  static bool ElementCount(std::span<const int64_t> shape, uint64_t* out);
  // Bytes one element takes in a payload (ceil(width / 8); complex twice); 0 when the type has no payload.
  uint64_t ElementBytes(TypeId element) const;

  // --- Slots ------------------------------------------------------------------------------------
  // Brings a written attribute into the one in-memory representation of its class: older and portable
  // spellings (dense for array, unit for bool, an enum for api_version, a string for a symbol). Returns
  // the attribute unchanged when it does not fit, for the verifier to report.
  AttrId NormalizeInherentAttr(const Cell& attr, AttrId value);
  // The fields of a written bundle as values of the slots that they name, in the order of the fields. Neither
  // text nor bytecode tells an empty list from none, so an empty list is left to the default where there is
  // one.
  struct SlotValue {
    int slot;
    AttrId value;
  };
  void ExpandStructAttr(const Cell& struct_attr, const OpRevision& revision, AttrId value,
                        std::vector<SlotValue>* out);
  // The value an absent slot stands for, in its in-memory representation, as the portable spelling writes
  // it; none for kOptional, kTextOnly and kRequired. `op` gives the context (dimension numbers, ...).
  AttrId DefaultOf(const Op& op, int slot);
  // Whether a value is the default of its cell in any spelling: empty, whatever its shape; zeros, however
  // many.
  bool IsDefaultValue(const Cell& cell, AttrId value) const;
  // Whether a slot is absent or written as DefaultOf spells it (i32 and accuracies in any spelling).
  // The same for an op that is not in the module yet: of this revision, with these attributes.
  AttrId DefaultOf(const OpRevision& revision, std::span<const AttrId> attrs, int slot);
  bool IsDefault(const Op& op, int slot);

  // Forgets what is written with the value that its absence stands for: from the portable spelling, which
  // states everything, to the other.
  void DropDefaults();
  // Erases the defaults that VHLO writes out from the attributes of an op that is being read: those only that
  // a writer of VHLO writes again in the same way.
  void DropWrittenDefaults(RevisionId revision, std::span<AttrId> attrs);

  // Gives ops of rows with several shapes the shape of `version`, moving slots by name; attributes that
  // the shape does not have become discardable ones and the other way round. For readers, which may learn
  // the version late. Ops that do not exist at `version` keep their shape.
  void SetVersion(Version version);
};

// What Builder::AddOp needs to know about an op.
struct OpSpec {
  RevisionId revision;
  StringId name;  // for ops without a row
  std::span<const ValueId> operands;
  std::span<const TypeId> results;
  std::span<const AttrId> inherent_attrs;        // as many as the revision has attributes
  std::span<const NamedAttr> discardable_attrs;  // in any order
  std::span<const RegionId> regions;             // built before, by NewRegion
  std::span<const BlockId> successors;
  AttrId loc;
};

// Builds a module from the inside out: regions first, then the op that owns them. Blocks collect ops
// until EndBlock; open blocks nest like a stack.
class Builder {
 public:
  explicit Builder(Module* module) : m_(*module) {}

  RegionId NewRegion();
  // A block of a region, in order of creation. May be created before it is begun, as a successor.
  BlockId NewBlock();
  ValueId AddBlockArg(BlockId block, TypeId type, AttrId loc = {});  // args of one block in one run
  void BeginBlock(RegionId region, BlockId block);
  void EndBlock();
  void EndRegion(RegionId region);
  // Appends an op to the open block; with no open block the op stands alone (the top module).
  OpId AddOp(const OpSpec& spec);

  // The same part by part, for readers of large programs: nothing of an op is put together elsewhere first.
  // Until EndOp other ops, values and blocks wait.
  OpId BeginOp(RevisionId revision, StringId name, AttrId loc) {
    const OpId id(uint32_t(m_.ops.size()));
    Op& op = m_.ops.emplace_back();
    op.revision = revision;
    op.name = name;
    op.loc = loc;
    op.operands.first = uint32_t(m_.operands.size());
    op.results.first = uint32_t(m_.values.size());
    if (!open_.empty()) {
      op.parent = open_.back().block;
      pending_ops_.push_back(id);
    }
    return id;
  }
  // Room for operands and results, of which the caller writes the values and the types.
  ValueId* AddOperands(size_t count) { return m_.operands.Extend(count); }
  Value* AddResults(OpId op, size_t count) {
    Value* const first = m_.values.Extend(count);
    for (size_t i = 0; i < count; ++i) first[i] = {TypeId(), op, BlockId(), uint32_t(i), AttrId()};
    return first;
  }
  // As many slots as the shape has attributes, or none at all; discardable attributes in any order.
  Op& EndOp(OpId id, std::span<const AttrId> inherent_attrs, std::span<const NamedAttr> discardable_attrs);

  Module& module() { return m_; }

 private:
  Module& m_;
  struct OpenBlock {
    BlockId block;
    size_t first;  // in pending_ops_
  };
  std::vector<OpenBlock> open_;
  std::vector<OpId> pending_ops_;
  struct PendingRegion {
    RegionId region;
    size_t first;  // in pending_blocks_
  };
  std::vector<PendingRegion> open_regions_;
  std::vector<BlockId> pending_blocks_;
};

}  // namespace shlo
