// OpPrinter: prints ops, blocks and regions in generic and custom forms. Built on AttrPrinter (types and
// attributes) and ValueNames.
#pragma once

#include <functional>
#include <span>
#include <string_view>
#include <vector>

#include "ir/module/cells.h"
#include "ir/print/attr_printer.h"
#include "ir/table/attr_class.h"
#include "ir/table/mhlo.h"
#include "serialize/text/forms.h"
#include "serialize/text/program_style.h"
#include "serialize/text/signature_texts.h"
#include "serialize/text/writer_names.h"

namespace shlo::text {

class OpPrinter {
 public:
  OpPrinter(const Module& module, const TextWriteOptions& options, const ProgramStyle& style,
            TextBuffer* out);
  // Prints functions where another printer is, which must outlive this one and print nothing meanwhile.
  OpPrinter(const OpPrinter& other, TextBuffer* out);

  // See AttrPrinter::UseAliases.
  void UseAliases(Aliases* aliases, bool collecting) {
    aliases_ = aliases;
    attrs_.UseAliases(aliases, collecting);
  }
  // Sets which values have VHLO types, as returned by AddVhloCasts. By default, a value has its op's
  // spelling.
  void UseVhloValues(const std::vector<bool>* vhlo) { vhlo_values_ = vhlo; }
  // Prints the whole program: the top module, or only its ops if nothing else is needed.
  void Program();
  // Prints an op of the program with {...} for its regions, and names its values as Program does. Cheap if
  // ops come in the order of the program.
  void Alone(OpId op);
  // Prints the name of a value, as in Alone.
  void Name(ValueId value);
  // Prints a group of attributes of an op as generic text has it, unless none of them is written.
  void Group(OpId op, const Cell& struct_attr) {
    if (StructAttrWritten(m_.ops[op.v], struct_attr)) StructAttr(m_.ops[op.v], struct_attr);
  }
  bool failed() const { return attrs_.failed(); }
  // Takes the text that is complete, with its large constants, and leaves both empty. May be called at any
  // end of an op, in the order of the text. If it returns false, printing ends.
  using WriteOut = std::function<bool(TextBuffer* text, LargeConstants* constants)>;
  // Prints the functions of a large program in several threads if `threads` is more than 1.
  void WriteTo(WriteOut write_out, size_t threads) {
    write_out_ = std::move(write_out);
    threads_ = threads;
    attrs_.UseLargeConstants(&constants_);
  }
  // Passes on the rest. Returns false if printing failed.
  bool Finish();
  // See AttrPrinter::LimitOutput.
  void LimitOutput(uint64_t bytes) { attrs_.LimitOutput(max_output_ = bytes); }
  bool too_long() const { return too_long_ || attrs_.too_long(); }

 private:
  friend struct Directives;
  // An attribute as printed in a dictionary of an op.
  struct Item {
    enum Kind : uint8_t { kAttr, kSlot, kStructAttr, kVersion } kind;
    std::string_view name;
    AttrId value;
    const Cell* cell = nullptr;  // of the inherent or struct attribute
  };
  using Items = std::vector<Item>;

  void Put(std::string_view text) { out_.append(text); }
  void Put(char c) { out_.push_back(c); }
  void Indent() { out_.Fill(indent_, ' '); }
  template <typename PutT>
  void List(size_t count, PutT&& put) {
    PutList(out_, count, put);
  }

  // writer_threads.cc
  bool WorthThreads() const;
  void PrintInThreads(std::span<const OpId> ops);

  // writer_ops.cc
  bool UsesTexts() const;
  void PrintTop();
  void PrintOps(std::span<const OpId> ops, bool in_func);
  void Enter(RegionId region);
  void PrintOp(const Op& op, bool in_func);
  void PrintForms(const Op& op, bool in_func);
  void PrintBySignature(const Op& op, bool in_func);
  void GenericOp(const Op& op);
  void GenericTail(const Op& op);
  void Operands(std::span<const ValueId> operands);
  void TypeOf(ValueId value, Spelling spelling);
  void TypesOf(std::span<const ValueId> values, Spelling spelling);
  void ResultTypes(const Op& op, Spelling spelling);
  void FunctionalType(const Op& op, Spelling spelling);
  // `entry_arguments`: with the label of the entry block if it has arguments, which the form has not printed.
  void PrintRegion(RegionId region, bool entry_arguments = false, bool print_empty_header = true,
                   bool in_func = false);
  void PrintBlock(BlockId block, bool header, bool in_func, bool without_end);
  bool EndIsImplied(RegionId region) const;
  void Predecessors(BlockId block);
  void BlockArgument(ValueId value, Spelling spelling);
  void TrailingLocation(AttrId loc, bool of_argument);
  Spelling SpellingOf(const Op& op) const;
  std::string_view NameOf(const Op& op) const;

  // writer_op_attrs.cc: the attributes of an op
  void CollectInherentAttrs(const Op& op, Spelling spelling, Items& items);
  void CollectDiscardableAttrs(const Op& op, bool properties, Items& items);
  void PutItems(const Op& op, Items& items, Spelling spelling, std::string_view open, std::string_view close);
  void PutAttrDict(const Op& op, Items& items, Spelling spelling);
  void PutItem(const Op& op, const Item& item, Spelling spelling);
  bool DenseList(AttrId attr);
  template <typename PutT>
  void PutDenseList(size_t size, bool splat, std::string_view element, PutT&& put);
  void StructAttr(const Op& op, const Cell& struct_attr);
  bool StructAttrWritten(const Op& op, const Cell& struct_attr) const;
  uint64_t GroupedAttrs(RevisionId revision);
  void PutVersion(Spelling spelling);
  bool StatesVersion(const Op& op) const;

  // forms_writer.cc: forms by their assembly format. Return true if the form represents the op completely;
  // if false, they printed nothing.
  CellValues OperandsAt(const Op& op, size_t index) const;
  RevisionId ShapeOf(const Op& op) const;
  AttrId InherentAt(const Op& op, size_t slot) const;
  bool TypesFollow(const Op& op, const OpRevision& revision) const;
  std::string_view TextAfterMnemonic(AttrId value, const TextClass& text) const;
  BlockId BlockWith(RegionId region, size_t args) const;
  void Inits(BlockId block, size_t first, std::span<const ValueId> inits);
  void PutOpName(const Op& op, bool in_func);
  bool PrintForm(const Op& op, bool in_func);
  bool PrintElements(const Op& op, const RevisionForm& form, size_t from, size_t to);
  bool IsPresent(const Op& op, const FormatElement& element, FormRef ref) const;
  bool IsOmittedDefault(const Op& op, size_t slot) const;
  void PrintOtherAttrs(const Op& op, const RevisionForm& form);
  void AttrsWithKeyword(const Op& op, const RevisionForm& form);
  bool PrintNamed(const Op& op, const OpRevision& revision, FormRef ref);
  bool PrintInherentAttr(const Cell& cell, AttrId value);
  void PutInts(std::span<const int64_t> values);
  bool PrintSameType(const Op& op, bool functional);
  bool While(const Op& op);
  bool Scan(const Op& op);
  bool For(const Op& op);
  bool ScfWhile(const Op& op);
  bool Forall(const Op& op);
  bool Parallel(const Op& op);
  bool ReduceRegions(const Op& op);

  // writer_forms.cc: forms written by hand, with the same result
  bool CustomForm(const Op& op, bool in_func);
  bool Constant(const Op& op);
  bool ModuleOp(const Op& op);
  bool Func(const Op& op);
  bool VhloFunc(const Op& op);
  bool Reduce(const Op& op);
  bool CompactReduction(const Op& op, const Op** inner) const;
  const mhlo::OpRow* MhloRowOf(const Op& op) const;  // form_mhlo.cc
  bool MhloForm(const Op& op);
  bool MhloOperation(const Op& op, mhlo::Form form);
  void FuncArguments(const Op& op, IdList<TypeId> types, std::span<const AttrId> dicts);
  bool DictList(const Op& op, std::string_view slot, size_t count, std::vector<AttrId>* out) const;

  const Module& m_;
  const TextWriteOptions& options_;
  const ProgramStyle& style_;
  TextBuffer& out_;
  Aliases* aliases_ = nullptr;
  const std::vector<bool>* vhlo_values_ = nullptr;
  AttrPrinter attrs_;
  ValueNames names_;
  ValueNames::Scope scope_;
  size_t indent_ = 0;
  size_t depth_ = 0;
  bool elide_regions_ = false;
  LargeConstants constants_;
  WriteOut write_out_;
  size_t threads_ = 1;
  uint64_t max_output_ = ~uint64_t(0);
  bool too_long_ = false;  // another thread's text
  size_t held_ = 0;        // forms around an op that may still take their text back
  struct Entered {
    RegionId region;
    ValueNames::Scope outside;
  };
  std::vector<Entered> entered_;  // regions around the op of Alone, from outside
  // Texts of ops, and the uses in the text that is being printed.
  SignatureTexts texts_;
  std::vector<SignatureTexts::Use> uses_;
  const ValueId* noting_ = nullptr;  // its operands
  std::vector<uint64_t> grouped_;  // by revision: bit per attribute in a struct attribute; top bit: computed
};
}  // namespace shlo::text
