// In-memory IR: dense arrays indexed by 32-bit ids. Ops, values, blocks and regions are records in arrays;
// types, attributes and the signatures of ops are interned; constants are views. A module has a version.
// ModuleEditor (editor.h) changes ops, and RewriteSignatures what they state; conversions copy a module and
// change the copy. source.h keeps where a program was read from.
//
// An op with a row in the op table has one slot per inherent attribute of its revision, in the order of the
// revision. A slot without a written value is absent (AttrId 0) and means the row's default, so that written
// and defaulted attributes can be told apart. All other attributes are discardable. An op without a row keeps
// its name and has no slots.
//
// StableHLO and VHLO are two notations for the same module: they share types, attributes and ops.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "shlo/diagnostics.h"
#include "shlo/ids.h"
#include "shlo/node_table.h"
#include "shlo/op_signature.h"
#include "shlo/op_table.h"
#include "shlo/version.h"
#include "shlo/views.h"

namespace shlo {

// A run of values, or of entries in a list of the module.
struct Range {
  uint32_t first = 0;  // index of the first entry
  uint32_t count = 0;  // number of entries
};

// An operation.
struct Op {
  SignatureId signature;       // in Module::signatures
  uint32_t first_operand = 0;  // Module::OperandsOf; as many as the signature has operand types
  uint32_t first_result = 0;   // consecutive ValueIds; as many as the signature has result types
  Range regions;               // Module::RegionsOf
  Range successors;            // Module::SuccessorsOf
  AttrId loc;                  // none: unknown
  BlockId parent;              // the block it is in; none: the top module
};

// An SSA value: an op result or a block argument.
struct Value {
  TypeId type;         // never none in a finished module
  OpId op;             // the op it is a result of, or none for a block argument
  BlockId block;       // the block it is an argument of, or none
  uint32_t index = 0;  // among the results or arguments, from 0
  AttrId loc;          // block arguments only; none: unknown
};

// A basic block.
struct Block {
  Range args;       // consecutive ValueIds
  Range ops;        // Module::OpsOf
  RegionId parent;  // the region it is in
};

// A region of an op.
struct Region {
  Range blocks;  // Module::BlocksOf; the first one is the entry block
  OpId parent;   // the op it belongs to
};

// A dense resource: a named blob in the metadata section of the program.
struct Resource {
  StringId key;            // its name, which ResourceElementsAttr refers to
  PayloadId payload;       // elements in the layout of ElementsAttr
  uint32_t alignment = 1;  // bytes, a power of two
};

// A program at one version.
class Module {
 public:
  Version version = kCurrentVersion;  // decides which revisions its ops have

  // Interned nodes, and what they refer to.
  StringTable strings;
  TypeTable types;
  AttrTable attrs;
  SignatureTable signatures;
  PayloadTable payloads;
  std::vector<Resource> resources;  // sorted by key

  // By id; entry 0 is unused. ops[top] is the builtin.module op.
  std::vector<Op> ops = std::vector<Op>(1);
  std::vector<Value> values = std::vector<Value>(1);
  std::vector<Block> blocks = std::vector<Block>(1);
  std::vector<Region> regions = std::vector<Region>(1);
  OpId top;

  // --- Access -------------------------------------------------------------------------------------
  // Each returns a part of an op, region, block or value. Lists are valid until the module changes.
  OpSignature SignatureOf(const Op& op) const { return signatures[op.signature]; }
  RevisionId RevisionIdOf(const Op& op) const { return signatures.RevisionOf(op.signature); }
  StringId NameIdOf(const Op& op) const { return signatures.NameOf(op.signature); }  // without a row only
  std::span<const ValueId> OperandsOf(const Op& op) const {
    return {operands_.data() + op.first_operand, NumOperands(op)};
  }
  uint32_t NumOperands(const Op& op) const { return signatures.NumOperands(op.signature); }
  uint32_t NumResults(const Op& op) const { return signatures.NumResults(op.signature); }
  // Returns the ids of the results, as a range of values.
  Range ResultsOf(const Op& op) const { return {op.first_result, NumResults(op)}; }
  std::span<const AttrId> InherentAttrsOf(const Op& op) const { return SignatureOf(op).inherent_attrs; }
  std::span<const NamedAttr> DiscardableAttrsOf(const Op& op) const {
    return SignatureOf(op).discardable_attrs;
  }
  std::span<const RegionId> RegionsOf(const Op& op) const {
    return {region_lists_.data() + op.regions.first, op.regions.count};
  }
  std::span<const BlockId> SuccessorsOf(const Op& op) const {
    return {successors_.data() + op.successors.first, op.successors.count};
  }
  std::span<const BlockId> BlocksOf(RegionId r) const {
    return {block_lists_.data() + regions[r.v].blocks.first, regions[r.v].blocks.count};
  }
  std::span<const OpId> OpsOf(BlockId b) const {
    return {op_lists_.data() + blocks[b.v].ops.first, blocks[b.v].ops.count};
  }
  // Returns the ops directly in the regions of an op, in order.
  std::vector<OpId> BodyOpsOf(const Op& op) const;
  // Returns an op and all ops in its regions, in the order of a text: each before the ops in its regions.
  std::vector<OpId> OpsIn(OpId op) const;
  ValueId ResultOf(const Op& op, uint32_t i) const { return ValueId(op.first_result + i); }
  ValueId ArgOf(BlockId b, uint32_t i) const { return ValueId(blocks[b.v].args.first + i); }
  TypeId TypeOf(ValueId v) const { return values[v.v].type; }
  bool Is(const Op& op, RowId row) const {
    const RevisionId revision = RevisionIdOf(op);
    return revision && RevisionOf(revision).row == row;
  }
  // Returns whether an op has a row with the trait.
  bool Has(const Op& op, Trait trait) const { return RowOf(RevisionIdOf(op)).Has(trait); }
  // Returns the StableHLO name ("stablehlo.add"), or the written name of an op without a row.
  std::string_view NameOf(const Op& op) const {
    const RevisionId revision = RevisionIdOf(op);
    return revision ? RowOf(revision).name : strings[signatures.NameOf(op.signature)];
  }
  // Returns the written value of an inherent attribute, or none if it is absent or the revision does not have
  // it.
  AttrId InherentAttrOf(const Op& op, std::string_view name) const;
  // Returns the written value of an inherent or discardable attribute, or none.
  AttrId AttributeOf(const Op& op, std::string_view name) const;
  // Returns the symbol name of a function or module, or "".
  std::string_view SymbolOf(const Op& op) const;
  // Returns the visibility of a symbol, "public" if it states none.
  std::string_view VisibilityOf(const Op& op) const;
  // Returns the name of the function that an op is in, or is; "" at top level.
  std::string_view FunctionOf(OpId op) const;

  // --- Nodes as views ---------------------------------------------------------------------------
  // Returns the typed view of a type or attribute (views.h), or nullopt if it has a different kind:
  // `if (const auto tensor = m.As<TensorType>(type))`. Lists of a view are valid until a node of the same
  // table is interned.
  template <TypeView V>
  std::optional<V> As(TypeId id) const {
    return types[id].As<V>();
  }
  template <AttrView V>
  std::optional<V> As(AttrId id) const {
    return attrs[id].As<V>();
  }
  // As above, for a node that is known to have this kind.
  template <TypeView V>
  V Get(TypeId id) const {
    return types[id].Get<V>();
  }
  template <AttrView V>
  V Get(AttrId id) const {
    return attrs[id].Get<V>();
  }
  // Interns the node of a view. Fields without an initializer are 0, none or empty.
  template <TypeView V>
  TypeId Make(const V& view) {
    return types.Intern(view);
  }
  template <AttrView V>
  AttrId Make(const V& view) {
    return attrs.Intern(view);
  }

  // --- Interning of common nodes ----------------------------------------------------------------
  // Returns the type of a kind without fields.
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
  // An attribute of an unregistered dialect, kept as text: `text` follows "#dialect".
  AttrId Opaque(std::string_view dialect, std::string_view text);
  AttrId Array(std::span<const AttrId> elements);
  AttrId Dict(std::vector<NamedAttr> entries);  // sorts by name
  // Sorts attributes as dictionaries and signatures have them: by the text of their names.
  void SortByName(std::span<NamedAttr> attrs) const;
  AttrId TypeAttr(TypeId type);
  AttrId Symbol(std::string_view root);
  AttrId I64s(std::span<const int64_t> values);
  AttrId Enum(AttrKind kind, int64_t value);
  // Fuses locations as MLIR's `FusedLoc::get` does: drops unknown and duplicate ones and flattens fused ones
  // with the same metadata. The result may be one of the locations, or unknown.
  AttrId FusedLoc(std::span<const AttrId> locations, AttrId metadata);
  // Elements of `type` from bytes; a payload whose elements are all equal becomes a splat.
  AttrId Elements(TypeId type, PayloadId payload, bool splat);
  AttrId I64Elements(std::span<const int64_t> shape, std::span<const int64_t> values);

  // --- Reading of common nodes ------------------------------------------------------------------
  // Each returns false if the node has a different kind.
  bool AsInteger(AttrId attr, int64_t* out) const;  // integers of one word
  bool AsBool(AttrId attr, bool* out) const;
  bool AsString(AttrId attr, std::string_view* out) const;
  bool AsSymbol(AttrId attr, std::string_view* out) const;    // also a plain string
  bool AsI64s(AttrId attr, std::vector<int64_t>* out) const;  // kI64Array, or kElements of i64
  // Returns the value of an enum attribute (of `kind`, if given), or nullopt.
  std::optional<int64_t> EnumValue(AttrId attr) const;
  std::optional<int64_t> EnumValue(AttrId attr, AttrKind kind) const;
  // Returns the elements of an array attribute; empty for other attributes.
  IdList<AttrId> ElementsOf(AttrId array) const;
  // Returns the type of a typed attribute (integer, float, elements, string); none for others.
  TypeId TypeOf(AttrId attr) const;
  // Returns the `function_type` of an op, or nullopt.
  std::optional<shlo::FunctionType> FunctionTypeOf(const Op& op) const;

  // Computes the number of elements of a static shape. Returns false for a dynamic dimension, or if the
  // number exceeds 2^62.
  static bool ElementCount(std::span<const int64_t> shape, uint64_t* out);
  // Returns the size of one element in a payload, in bytes: ceil(width / 8), twice for complex; 0 if the type
  // has no payload.
  uint64_t ElementBytes(TypeId element) const;

  // --- Inherent attributes ----------------------------------------------------------------------
  // Normalizes a written attribute to the in-memory representation of its class, from older and VHLO
  // notations (dense for array, unit for bool, an enum for api_version, a string for a symbol). Returns the
  // attribute unchanged if it does not fit, for the verifier to report.
  AttrId NormalizeInherentAttr(const Cell& attr, AttrId value);
  // The value of one inherent attribute, by the index of its slot.
  struct SlotValue {
    int slot;      // index into OpRevision::attrs
    AttrId value;  // none: absent
  };
  // Expands a struct attribute into the inherent attributes it groups, in the order of its fields. Neither
  // text nor bytecode distinguishes an empty list from an absent one, so an empty list becomes absent if the
  // attribute has a default.
  void ExpandStructAttr(const Cell& struct_attr, const OpRevision& revision, AttrId value,
                        std::vector<SlotValue>* out);
  // Returns the default value of an absent attribute in its in-memory representation, as VHLO writes it; none
  // for kOptional, kTextOnly and kRequired. The other attributes provide the context (dimension numbers,
  // ...).
  AttrId DefaultOf(const OpRevision& revision, std::span<const AttrId> inherent_attrs, int slot);
  AttrId DefaultOf(const Op& op, int slot) {
    return DefaultOf(RevisionOf(RevisionIdOf(op)), InherentAttrsOf(op), slot);
  }
  // Returns whether a value means the default of its cell in any notation: any empty list, any number of
  // zeros.
  bool IsDefaultValue(const Cell& cell, AttrId value) const;
  // Returns whether an attribute is absent or equals DefaultOf (for i32 and accuracies, in any notation).
  bool IsDefault(RevisionId revision, std::span<const AttrId> inherent_attrs, int slot);
  bool IsDefault(const Op& op, int slot) { return IsDefault(RevisionIdOf(op), InherentAttrsOf(op), slot); }

  // --- Changes of signatures ----------------------------------------------------------------------
  // Replaces the signature of an op by one with at most as many operands and results, in the same order, and
  // sets the types of the results. The operands must already have the types that the signature states.
  void SetSignature(OpId op, const OpSignature& signature);
  // The same for a signature that `change` makes from the op's own.
  template <typename Change>
  void EditSignature(OpId op, Change&& change) {
    EditedSignature edited(SignatureOf(ops[op.v]));
    change(edited);
    SetSignature(op, edited.view());
  }
  // Sets one inherent attribute of an op.
  void SetInherentAttr(OpId op, int slot, AttrId value);
  // Sets an inherent attribute, or a discardable one if the revision has none of this name; none erases it.
  void SetAttr(OpId op, std::string_view name, AttrId value);
  // Sets the discardable attributes of an op, in any order.
  void SetDiscardableAttrs(OpId op, std::vector<NamedAttr> attrs);
  // Calls `change` once for each signature, in the order of ids, also for those that no op has any more. It
  // may change anything but the types.
  void RewriteSignatures(const std::function<void(SignatureId, EditedSignature*)>& change);
  // Returns how many ops have each signature, by SignatureId.
  std::vector<uint64_t> NumOpsBySignature() const;

  // Erases attributes that equal their default. VHLO writes defaults out, StableHLO does not.
  void DropDefaults();
  // For readers: erases the defaults that VHLO writes out from the attributes of an op, if a VHLO writer
  // reproduces them exactly.
  void DropWrittenDefaults(RevisionId revision, std::span<AttrId> attrs);

  // Switches every op to its revision at `version`. Attributes are matched by name; inherent attributes that
  // the revision does not have become discardable, and vice versa. For readers, which may learn the version
  // late. Ops that do not exist at `version` keep their revision.
  void SetVersion(Version version);

 private:
  friend struct ModuleLists;
  std::vector<ValueId> operands_;
  std::vector<RegionId> region_lists_;
  std::vector<BlockId> block_lists_;
  std::vector<OpId> op_lists_;
  std::vector<BlockId> successors_;
};

// An op to add to a program: see ModuleEditor::Insert.
struct OpSpec {
  SignatureId signature;                         // of the module; or none, and the next lists state it
  RevisionId revision;                           // none: an op without a row
  StringId name;                                 // for ops without a row
  std::span<const ValueId> operands;             // in the order of the row
  std::span<const TypeId> results;               // their types
  std::span<const AttrId> inherent_attrs;        // as many as the revision has attributes, or none
  std::span<const NamedAttr> discardable_attrs;  // in any order
  std::span<const RegionId> regions;             // made before, by NewRegion
  std::span<const BlockId> successors;           // of terminators only
  AttrId loc;                                    // none: unknown
  std::span<const TypeId> operand_types;         // needed if an operand is defined later; otherwise empty
};

}  // namespace shlo
