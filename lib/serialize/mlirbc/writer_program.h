// The operations of a module to be written: their properties and attributes, value numbers, isolated ops, and
// the order in which MLIR would keep the uses of a value.
#pragma once

#include <unordered_map>
#include <vector>

#include "serialize/mlirbc/writer_nodes.h"
#include "shlo/mlirbc_writer.h"

namespace shlo::mlirbc {

class ProgramOut {
 public:
  // `vhlo_values` is what AddVhloCasts returned for the module.
  ProgramOut(Module* module, NodesOut* nodes, std::vector<bool> vhlo_values,
             const MlirBytecodeWriteOptions& options, uint64_t format)
      : m_(*module),
        nodes_(*nodes),
        vhlo_values_(std::move(vhlo_values)),
        options_(options),
        format_(format) {}

  // Collects every name, type and attribute in the order of the format, and numbers values. Returns false if
  // that failed.
  bool Collect();
  // Returns the content of the operation section; properties are collected on the way.
  bool WriteOps(BytesOut* out);
  void WriteProperties(BytesOut* out) const;
  OpId failed_op() const { return failed_op_; }  // the op that could not be written, if any

 private:
  // The attributes and properties of the ops with a signature.
  struct Placed {
    bool known = false;
    RevisionId revision;
    uint32_t name = 0;
    uint32_t first_property = 0, num_properties = 0;  // in property_keys_
    uint32_t uses = 0;                                // ops after the first one
    uint32_t properties_index = 0;                    // from 1; 0: not written yet
    Key dict;
    bool has_segments = false;
    AttrId segments[2];  // sizes of variadic operands and of results, where properties hold them
    bool has_properties() const { return num_properties || has_segments; }
  };
  struct PropertyKey {
    Key key;
    bool optional = false;
  };
  // The properties of a revision in the order of their names.
  struct RevisionProperties {
    struct Item {
      std::string_view name;
      int slot = -1;  // or a struct attribute, or a discardable attribute
      const Cell* struct_attr = nullptr;
      bool optional = false;
      bool discardable = false;      // an attribute in the release that is mirrored
      std::string_view filled = {};  // replaces a missing attribute of the dialect arith
    };
    bool known = false;
    bool vhlo = false;
    bool named = false;     // written as attributes, not as properties
    bool segments = false;  // segment sizes are properties
    uint32_t name = 0;
    std::vector<Item> items;
  };

  void CollectNodes();
  // Numbers values, notes the order of ops and finds isolated ones, while another thread collects nodes.
  void NumberValues();
  const RevisionProperties& PropertiesOf(RevisionId revision);
  const RevisionProperties& PropertiesOf(StringId op_without_row);
  static bool IsLaterProperty(const RevisionProperties& p, std::string_view name);
  Placed MakePlaced(const Op& op);
  AttrId StructAttrOf(const Op& op, const Cell& struct_attr);
  void CollectOp(OpId id);
  void CollectPlaced(const Placed& placed, uint32_t uses);
  void CheckForeign(OpId id) {
    if (options_.vhlo && (nodes_.has_non_vhlo() || !nodes_.has_refused().empty())) Refuse(id);
  }
  void Refuse(OpId id);
  void CollectArgs(BlockId block);
  // Returns the key of a value's type, VHLO or builtin as its definition has it.
  Key TypeKeyOf(ValueId value) {
    return nodes_.TypeKey(m_.TypeOf(value), vhlo_values_.empty() ? options_.vhlo : vhlo_values_[value.v]);
  }
  Key LocationKey(AttrId loc);

  bool NumberRegion(RegionId region, uint32_t depth);
  void AddOuterValues(RegionId region);
  void NoteUse(ValueId value, RegionId from);
  RegionId RegionOf(ValueId value) const;
  void CollectUses();
  void WriteRegion(RegionId region, BytesOut* out);
  void NumberProperties();
  void WriteInThreads(std::span<const OpId> ops, BytesOut* out);
  void WriteOp(OpId id, BytesOut* out);
  void WriteRegions(const Op& op, bool isolated, BytesOut* out);
  void NoteMade(RegionId region, std::vector<uint32_t>* order);
  bool HasUseLists(uint32_t first_value, uint32_t count);
  uint32_t PropertiesIndex(Placed& placed);
  size_t SegmentsOf(const Op& op, bool results) const;
  void WriteSegments(AttrId attr, BytesOut* out) const;

  Module& m_;
  NodesOut& nodes_;
  const std::vector<bool> vhlo_values_;  // empty: all or none, by the options
  const MlirBytecodeWriteOptions& options_;
  const uint64_t format_;

  std::vector<RevisionProperties> shapes_;
  std::unordered_map<uint32_t, RevisionProperties> without_row_;  // by name
  std::vector<Placed> placed_;                                    // by SignatureId
  std::vector<PropertyKey> property_keys_;
  Key unknown_location_;
  OpId failed_op_;

  // Of NumberValues.
  std::vector<uint32_t> value_numbers_;
  std::vector<uint32_t> region_depth_;  // from 1
  std::vector<uint32_t> region_values_;
  std::vector<uint32_t> region_base_;   // number of values in the enclosing regions
  std::vector<RegionId> region_order_;  // outer ones first
  std::vector<uint8_t> isolated_;       // by op
  struct OpenOp {
    OpId op;
    uint32_t captured;  // depth of the outermost region whose values it uses
    bool trait;
  };
  std::vector<OpenOp> open_;
  bool too_deep_ = false;
  bool has_rewritten_ = false;        // some op is, see rewritten_
  bool reorders_ = false;             // the reference reorders uses in some op
  std::vector<OpId> text_order_;      // ops, each before those in its regions
  std::vector<uint32_t> op_numbers_;  // in this order, where uses are reordered
  size_t threads_ = 1;                // that write the ops of the top op

  // Uses of values with more than one, in program order: owner's number and operand's index.
  std::vector<uint32_t> first_use_;  // by value, into uses_
  std::vector<uint64_t> uses_;
  std::vector<uint64_t> uses_from_front_;             // of one value
  std::vector<uint64_t> front_;                       // the same in the order of the reference's list
  std::vector<std::pair<uint64_t, uint32_t>> order_;  // id of a use, place in that list
  BytesOut use_lists_;                                // of one op or block
  std::vector<uint32_t> made_,
      made_before_;                 // from text: when a parser creates an op; number of ops before a block
  std::vector<uint8_t> rewritten_;  // by revision: the reference recreates the op for this target

  std::vector<std::string> properties_;
  IdIndex properties_index_;
};

}  // namespace shlo::mlirbc
