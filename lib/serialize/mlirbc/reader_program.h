// The operations of an MLIR bytecode file -> Module. Nested regions are kept on an explicit stack, so that
// deep nesting cannot overflow the call stack.
#pragma once

#include <vector>

#include "ir/module/builder.h"
#include "ir/table/mhlo.h"
#include "ir/table/ops.h"
#include "serialize/mlirbc/reader_nodes.h"

namespace shlo::mlirbc {

class ProgramIn {
 public:
  ProgramIn(Module* module, FileIn* file, NodesIn* nodes, Failure* failure,
            const MlirBytecodeReadOptions& options)
      : m_(*module),
        builder_(module),
        file_(*file),
        file_end_(reinterpret_cast<const uint8_t*>(file->bytes().data()) + file->bytes().size()),
        nodes_(*nodes),
        failure_(failure),
        options_(options) {}

  bool ReadNames();       // looks up every op name
  bool ReadProperties();  // finds their places
  bool ReadProgram();
  // Sets the program's version: the stated one if every op has it, otherwise one that all ops have.
  bool DecideVersion(Version stated);
  // Returns the ops of versions that the artifact mixes, as a sentence; "" if it does not.
  const std::string& mixed() const { return mixed_; }
  bool has_raw_ops() const { return has_raw_ops_; }
  // Ops of MHLO that StableHLO or CHLO has; StableHLO programs hold others of them.
  bool has_mhlo_ops() const { return has_mhlo_ops_; }
  bool has_vhlo_ops() const { return has_vhlo_ops_; }

 private:
  bool Upgradable(Version version) const;
  // A property of an op, in encoding order: by name.
  struct Property {
    std::string_view name;
    int slot = -1;  // or a struct attribute, or a discardable attribute
    const Cell* struct_attr = nullptr;
    bool optional = false;
  };
  struct NameInfo {
    const mhlo::OpRow* mhlo = nullptr;  // its row, of an op of MHLO
    RevisionId revision;
    StringId name;  // without a row
    bool vhlo = false;
    bool old = false;      // its attributes may be in a notation from before StableHLO
    bool returns = false;  // ends functions and other regions under one name
    bool registered = true;
    bool used = false;
    bool cast = false;                // may cast between VHLO and builtin types
    uint32_t num_inherent_attrs = 0;  // of the revision
    // The segments whose sizes are properties: of operands and of results, 0 for none.
    size_t groups[2] = {0, 0};
    std::vector<std::vector<Property>> layouts;  // of properties; that of the newest revision first
  };
  // Attributes and properties of an op, as slots and discardable attributes.
  struct Placed {
    uint32_t name, attrs, properties;  // what they were read from; numbers from 1, 0 none
    uint32_t first_slot = 0;
    uint32_t first_discardable_attr = 0;
    uint32_t num_discardable_attrs = 0;
  };
  // An op that is being read, or whose regions are.
  struct Draft {
    uint32_t name = 0;
    uint32_t placed = 0;
    RevisionId revision;
    AttrId loc;
    const char* at = nullptr;
    uint32_t regions_left = 0;
    bool isolated = false;
    size_t types = 0, operands = 0, successors = 0, regions = 0, undefined = 0;  // marks on the stacks
  };
  struct Frame {
    RegionId region;
    bool top = false;       // not a region: holds the module itself
    bool function = false;  // directly in a function
    bool open_block = false;
    uint32_t block = 0;  // of blocks_, the next one
    uint32_t first_block = 0, end_block = 0;
    uint64_t ops_left = 0;
    size_t first_value = 0, next_value = 0, end_value = 0;
    size_t forwards = 0;
    size_t scope = 0;  // first value of the isolated scope around it
  };
  struct Forward {
    size_t value;      // in values_
    OpId op;           // that uses it
    uint32_t operand;  // in Module::operands
    const char* at;
    TypeId cast_to;  // if a cast uses it: a cast to the type it has would have been left out
  };

  bool ReadOp();
  bool BeginRegion();
  bool BeginBlock();
  bool EndRegion();
  // vhlo.return_v1 ends functions and other regions.
  RevisionId ReturnOf(const Frame& frame) const { return frame.function ? function_return_ : return_; }
  bool IsPlaced(uint32_t placed, uint64_t name, uint64_t attrs, uint64_t properties) const {
    const Placed& p = placed_[placed];
    return p.name == name && p.attrs == attrs && p.properties == properties;
  }
  bool ReadPlainOp();
  bool ReadParts(Draft& draft, uint8_t mask);
  void ReadOperands(InCursor& c, size_t count, ValueId* out);
  bool FinishOp(const Draft& draft);
  bool IsRespelling(const OpSpec& cast) const;
  std::span<const AttrId> InherentAttrsOf(uint32_t placed, const NameInfo& info) const {
    return std::span<const AttrId>(placed_inherent_attrs_)
        .subspan(placed_[placed].first_slot, placed ? info.num_inherent_attrs : 0);
  }
  std::span<const NamedAttr> DiscardableAttrsOf(uint32_t placed) const {
    return std::span<const NamedAttr>(placed_discardable_attrs_)
        .subspan(placed_[placed].first_discardable_attr, placed_[placed].num_discardable_attrs);
  }
  bool ReadUseLists(uint64_t num_values);
  bool Place(uint32_t name, uint32_t attrs, uint32_t properties, const char* at, uint32_t* placed);
  bool PlaceAttr(const NameInfo& info, const Property* property, std::string_view name, AttrId value,
                 const char* at);
  void AddLayouts(std::string_view name, NameInfo* info) const;
  void AddLayouts(const WireOp& op, NameInfo* info) const;
  void AddLayout(std::vector<Property> layout, NameInfo* info) const;
  const std::vector<Property>& LayoutFor(const NameInfo& info, InCursor properties) const;
  bool ReadSegments(InCursor& p, size_t groups, std::string_view name);
  bool DefineValues(uint32_t first, uint32_t count, const char* at);

  Module& m_;
  Builder builder_;
  FileIn& file_;
  const uint8_t* const file_end_;
  NodesIn& nodes_;
  Failure* failure_;
  const MlirBytecodeReadOptions& options_;

  const RevisionId return_ = NewestRevision(ops::kReturn);
  const RevisionId function_return_ = NewestRevision(ops::kFuncReturn);
  std::vector<NameInfo> names_;
  std::vector<std::string_view> properties_;
  std::vector<Placed> placed_;  // from 1
  IdIndex placed_index_;
  std::vector<uint32_t> last_placed_;  // by number of properties: usually the right one
  std::vector<AttrId> placed_inherent_attrs_;
  std::vector<NamedAttr> placed_discardable_attrs_;
  bool has_raw_ops_ = false;
  bool has_mhlo_ops_ = false;
  std::string mixed_;
  bool has_vhlo_ops_ = false;

  std::vector<InCursor> cursors_;
  std::vector<Frame> frames_;
  std::vector<Draft> drafts_;
  std::vector<ValueId> values_;  // by number, of the open scopes
  std::vector<Forward> forwards_;
  std::vector<BlockId> blocks_;

  // Parts of the ops on drafts_.
  std::vector<TypeId> types_;
  std::vector<ValueId> operands_;  // none: not defined yet
  struct Undefined {
    size_t operand;  // of the op
    size_t value;    // in values_
  };
  std::vector<Undefined> undefined_;
  std::vector<BlockId> successors_;
  std::vector<RegionId> regions_;
  std::vector<Module::SlotValue> struct_attr_values_;
  std::vector<AttrId> inherent_attrs_;
  std::vector<NamedAttr> discardable_attrs_;
  std::vector<bool> seen_;
};

}  // namespace shlo::mlirbc
