// Changes a program: inserts, replaces, moves and erases ops, changes what they state, and copies ops of
// other programs into it. Finish returns the changed program.
//
//     shlo::ModuleEditor editor(std::move(module));
//     for (const shlo::OpId op : editor.Ops())
//       if (const shlo::ValueId same = NegatedTwice(editor.module(), op))
//         editor.Replace(op, std::array{same});
//     module = std::move(editor).Finish();
//
// All ids of the program stay valid until Finish, also those of the module before, so that a pass can decide
// with the old module and change the new one. Signatures always state the types that values have.
//
// The editor trusts its caller: ids must be those of parts that it has, and lists must not be the module's
// own. Functions take amortized constant time unless they say otherwise: replacing a value, for each of its
// uses.
#pragma once

#include <cstdint>
#include <functional>
#include <initializer_list>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "shlo/diagnostics.h"
#include "shlo/module.h"
#include "shlo/source.h"

namespace shlo {

class Builder;
class Copier;
class NodeMap;

// Edits a program.
class ModuleEditor {
 public:
  // Begins with a module. One without ops gets an empty builtin.module. Linear in the ops.
  explicit ModuleEditor(Module module);
  // Begins with an empty builtin.module.
  explicit ModuleEditor(Version version);
  // The same, but types and attributes have the ids of a module, so that its ops can be copied.
  static ModuleEditor WithNodesOf(const Module& module);

  // --- The program -------------------------------------------------------------------------------------
  // Returns the module, to read ops and values and to intern types and attributes. Only the editor may change
  // its ops, and only the editor knows which ops are in a block and which blocks in a region.
  Module& module() { return m_; }
  const Module& module() const { return m_; }
  const Op& operator[](OpId op) const { return m_.ops[op.v]; }

  // Returns whether something is part of the program: it exists, and was not erased.
  bool Has(OpId op) const { return op.v < live_.size() && live_[op.v]; }
  bool Has(RegionId region) const;
  bool Has(BlockId block) const;
  bool Has(ValueId value) const;

  // Returns the block of the ops at the top; none if the program lacks it.
  BlockId body() const;
  std::span<const BlockId> BlocksOf(RegionId region) const { return blocks_[region.v]; }
  // Ops of a block in order; none before the first one and after the last one.
  OpId FirstOf(BlockId block) const { return ends_[block.v].first; }
  OpId LastOf(BlockId block) const { return ends_[block.v].last; }
  OpId After(OpId op) const { return links_[op.v].next; }
  OpId Before(OpId op) const { return links_[op.v].previous; }
  // Returns the ops of a block, or of the program, in order: each before the ops in its regions. Linear.
  std::vector<OpId> OpsOf(BlockId block) const;
  std::vector<OpId> Ops() const { return OpsIn(m_.top); }
  // The same for an op and the ops in its regions.
  std::vector<OpId> OpsIn(OpId op) const;
  // Returns the op that a block is in; the op around another one, none for the top module.
  OpId ParentOf(BlockId block) const { return m_.regions[m_.blocks[block.v].parent.v].parent; }
  OpId ParentOf(OpId op) const { return m_.ops[op.v].parent ? ParentOf(m_.ops[op.v].parent) : OpId(); }
  // Returns the op at the top of the program that defines a symbol, or none. Linear in the ops at the top.
  OpId FindSymbol(std::string_view name) const;
  // Returns the op of the first program whose place in the file an op has: itself, or `origin` of Insert.
  OpId OriginOf(OpId op) const { return origins_[op.v]; }

  // --- Uses --------------------------------------------------------------------------------------------
  // Return whether a value, or a result of an op, has uses.
  bool HasUses(ValueId value) const { return first_use_[value.v] != 0; }
  bool HasUses(OpId op) const;
  // Returns whether a value has exactly one use.
  bool HasOneUse(ValueId value) const {
    const uint32_t first = first_use_[value.v];
    return first != 0 && uses_[first - 1].next == 0;
  }
  // Calls visit(OpId, uint32_t operand) for each use, in no particular order; it may change or end that use.
  template <typename Visit>
  void ForEachUse(ValueId value, Visit&& visit) const {
    for (uint32_t use = first_use_[value.v]; use != 0;) {
      const UseLink link = uses_[use - 1];
      use = link.next;
      visit(link.op, link.operand);
    }
  }
  // Returns an op outside of `op` that uses a value of it, or of the ops in it: the first one by id; or none.
  // Linear in the ops in it and in their uses.
  OpId UserOutside(OpId op) const;
  // Makes every use of a value one of another value.
  void ReplaceUses(ValueId value, ValueId with);

  // --- Insertion ---------------------------------------------------------------------------------------
  // Say where the next ops are inserted: first at the end of the program. If the op is erased or moved to
  // another block, at the end of the block.
  void InsertAtEnd(BlockId block);
  void InsertAtStart(BlockId block);
  void InsertBefore(OpId op);
  void InsertAfter(OpId op);

  // Inserts an op. Operands must not be none. It takes its place in the file from `origin`, if given, an op
  // of the first program.
  OpId Insert(const OpSpec& spec, OpId origin = {});
  // An inherent attribute by its name.
  struct Attr {
    std::string_view name;  // as in the row
    AttrId value;           // of the program
  };
  // The same with inherent attributes by name; those that the revision does not have are left out.
  OpId Insert(OpSpec spec, std::initializer_list<Attr> attrs, OpId origin = {});
  // The same for an op whose result types follow from the others. Fails, and inserts nothing, as InferResults
  // does.
  Result<OpId> InsertInferred(const OpSpec& spec);
  // Creates a region without blocks, for an op that is inserted next.
  RegionId NewRegion();
  // Appends a block, with arguments of these types.
  BlockId AddBlock(RegionId region, std::span<const TypeId> args);

  // --- Changes of ops ----------------------------------------------------------------------------------
  // Sets operand `i`.
  void SetOperand(OpId op, uint32_t i, ValueId value);
  // Sets all operands; their number may change.
  void SetOperands(OpId op, std::span<const ValueId> operands);
  void SetLocation(OpId op, AttrId location) { m_.ops[op.v].loc = location; }
  // Module::SetAttr.
  void SetAttr(OpId op, std::string_view name, AttrId value) { m_.SetAttr(op, name, value); }
  // Changes what an op states by change(EditedSignature&), but not its types. Its revision may change.
  template <typename Change>
  void EditSignature(OpId op, Change&& change) {
    EditedSignature edited(m_.SignatureOf(m_.ops[op.v]));
    change(edited);
    State(op, &edited);
  }
  // Sets the type of a value. Linear in its uses.
  void SetType(ValueId value, TypeId type);
  // Replaces the arguments of a block by others. Uses of those before must be replaced, too.
  Range SetArgs(BlockId block, std::span<const TypeId> types);

  // --- Changes of the program --------------------------------------------------------------------------
  // Erases an op and the ops in it. Operands elsewhere that use its values become none, and must be set
  // before Finish. Linear in the ops in it.
  void Erase(OpId op);
  // Replaces the results of an op by other values, as many, and erases it.
  void Replace(OpId op, std::span<const ValueId> values);
  // Moves an op, which must not contain the place.
  void MoveBefore(OpId op, OpId before);
  // Moves the ops of a block to where ops are inserted, with these values in place of its arguments, but
  // erases its terminator. Returns what that had as operands. The op around the block can be erased then.
  // Linear in the ops of the block.
  std::vector<ValueId> InlineBlock(BlockId block, std::span<const ValueId> args);
  // Renames a symbol where it is defined at the top of the program, and wherever attributes refer to it.
  // Returns false if nothing defines it. Linear in the program.
  bool RenameSymbol(std::string_view name, std::string_view to);

  // --- The result --------------------------------------------------------------------------------------
  // Returns the program with ids in its order. Places and locations of ops are kept: `places`, if given,
  // become those of the result. `origins`, if given, gets OriginOf of each of its ops. Linear; stops at the
  // deadline of the thread.
  Module Finish(SourcePlaces* places = nullptr, std::vector<OpId>* origins = nullptr) &&;
  // Returns the program with the ids that it has. Records of erased ops remain, in no block.
  Module FinishInPlace() &&;

 private:
  friend class OpCopier;
  struct Link {
    OpId previous, next;
  };
  struct Ends {
    OpId first, last;
  };
  // Operands are numbered by their index in Module::operands, uses by that number plus 1; 0: none.
  struct UseLink {
    OpId op;
    uint32_t operand = 0, previous = 0, next = 0;
  };

  void Grow();
  void Enter(OpId op);
  void Adopt(OpId root);
  void Aim();
  void Place(OpId op);
  void Unlink(OpId op);
  void AddUses(OpId op);
  void AddUse(OpId op, uint32_t i);
  void RemoveUse(uint32_t operand);
  void State(OpId op, EditedSignature* edited);
  const Module& Settled();

  Module m_;
  std::vector<bool> live_;                    // by op: part of the program
  std::vector<Link> links_;                   // by op
  std::vector<OpId> origins_;                 // by op
  std::vector<Ends> ends_;                    // by block
  std::vector<std::vector<BlockId>> blocks_;  // by region
  std::vector<uint32_t> first_use_;           // by value
  std::vector<UseLink> uses_;                 // by operand
  BlockId block_;                             // the insertion point
  OpId before_;                               // none: the end of the block
};

// Names of symbols, and what they are renamed to.
using SymbolNames = std::map<std::string, std::string, std::less<>>;

// Copies ops into a program where its editor inserts. To be finished before the values of copies are used.
class OpCopier {
 public:
  // Copies ops of the module that the editor began with, or whose nodes it has. Must outlive the copier.
  OpCopier(const Module& from, ModuleEditor* to);
  // Copies ops of another program of the same version. The new one keeps `from` alive, for its payloads.
  // Symbols are renamed wherever they occur.
  OpCopier(std::shared_ptr<const Module> from, ModuleEditor* to, SymbolNames names = {});
  ~OpCopier();

  // The value that takes the place of one of `from`; to be set for those that are not copied.
  ValueId& operator[](ValueId value);
  // Copies an op and the ops in its regions.
  OpId Copy(OpId op);
  // Sets the operands that were copied before the op or block that defines them.
  void Finish();
  // Returns the type in the new program.
  TypeId TypeOf(TypeId type);
  // Returns the location of a copy; by default that of the original.
  std::function<AttrId(AttrId)> location;

 private:
  ModuleEditor& editor_;
  std::unique_ptr<Builder> builder_;
  std::unique_ptr<NodeMap> nodes_;  // none: those of the editor
  std::unique_ptr<Copier> copier_;
};

}  // namespace shlo
