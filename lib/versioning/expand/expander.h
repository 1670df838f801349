// The pass that Expand runs: edits a program, and lets rewrites replace ops. Rewrites are recipes
// (recipe.h), or functions of this folder if a formula cannot represent them.
#pragma once

#include <initializer_list>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "shlo/editor.h"
#include "shlo/expand.h"
#include "shlo/types.h"
#include "versioning/legality.h"

namespace shlo {

using Values = std::vector<ValueId>;
using Dims = std::vector<int64_t>;

// A number that takes the element type of the values around it.
struct Scalar {
  enum Kind : uint8_t {
    kNumber,
    kNan,
    kInfinity,
    kLargest,         // finite value
    kSmallestNormal,  // positive value
    kSmallest,        // positive value, subnormal if the format has these
    kSignBit,         // of an integer as wide as the element type
    kMagnitude,       // all other bits
  } kind = kNumber;
  double number = 0;
  bool negative = false;  // the negated value
  friend auto operator<=>(const Scalar&, const Scalar&) = default;
};

class Expander {
 public:
  // `refused`: ops to leave as they are, because what an earlier run made of them does not verify.
  Expander(const Module& module, const ExpandOptions& options, std::span<const OpId> refused);
  Expansion Run(SourcePlaces* places);
  // Returns the ops whose expansion does not verify. If there are any, the result of Run is of no use.
  const std::vector<OpId>& refused() const { return refused_; }
  // Returns whether the program became too large, so that ops were left as they are.
  bool full() const { return full_; }

  // Returns which expansions are used. Those of the reference add every op, even if there is an equal one.
  Expansions expansions() const { return options_.expansions; }
  bool is_own() const { return expansions() == Expansions::kOwn; }
  // Adds a diagnostic of the reference at the op that is being expanded.
  void Remark(Severity severity, std::string message);

  // --- The program that is expanded ------------------------------------------------------------------------
  const Module& from() const { return m_; }
  const ExpandOptions& options() const { return options_; }
  // Returns the operands of an op in the new program.
  Values OperandsOf(const Op& op) const;
  // Returns the declared type of a result.
  TypeId ResultTypeOf(const Op& op, uint32_t i = 0) const { return m_.SignatureOf(op).result_types[i]; }
  // Returns the value of an integer attribute, or `absent`.
  int64_t IntegerOf(const Op& op, std::string_view name, int64_t absent) const;
  Dims DimsOf(const Op& op, std::string_view name) const;
  // Returns the declared element type of a result.
  TypeId ResultElementOf(const Op& op, uint32_t i = 0) const;
  // Returns the segment sizes that an op states in a discardable attribute.
  Dims SegmentsOf(const Op& op, std::string_view name) const;

  // --- The new program -------------------------------------------------------------------------------------
  Module& out() { return out_; }
  ShapedType Shaped(ValueId value) const { return ShapedType(out_, out_.TypeOf(value)); }
  TypeId ElementOf(ValueId value) const { return Shaped(value).element; }
  Dims ShapeOf(ValueId value) const;
  Dims BoundsOf(ValueId value) const;  // empty, or one per dimension
  // Returns a type with the shape and the bounds of `value`.
  TypeId WithElement(ValueId value, TypeId element);
  TypeId Tensor(const Dims& shape, TypeId element, const Dims& bounds = {});
  TypeId I64() { return out_.Type(TypeKind::kI64); }

  using Attr = ModuleEditor::Attr;
  // Adds an op with one result, unless the expansion has an equal one already.
  ValueId Emit(std::string_view op, const Values& operands, TypeId result,
               std::initializer_list<Attr> attrs = {});
  // As above, for any number of results and regions; always adds the op.
  Values EmitAll(std::string_view op, const Values& operands, const std::vector<TypeId>& results,
                 std::initializer_list<Attr> attrs = {}, const std::vector<RegionId>& regions = {});
  // Applies an element-wise op with its natural result type. If the target lacks the op, or the op is of
  // CHLO, expands it.
  ValueId Apply(std::string_view op, const Values& operands);
  // Returns whether Apply can do that for an element type of the first operand.
  bool CanApply(std::string_view op, TypeId element) const;
  ValueId Compare(std::string_view direction, ValueId lhs, ValueId rhs);
  ValueId Convert(ValueId value, TypeId element);

  // Opens a region with one block with arguments of these types; what is emitted next is in it.
  Values BeginRegion(const std::vector<TypeId>& args);
  // Ends the region.
  RegionId EndRegion(const Values& results, std::string_view terminator = "stablehlo.return");

  // Adds a constant of a static shape, all elements equal; `bytes` are those of one element.
  ValueId Constant(const std::string& bytes, TypeId type);
  ValueId ConstantDims(const Dims& values);  // tensor<Nxi64>
  ValueId Integer(int64_t value);            // tensor<i64>
  // Adds a constant with the element type `element` and the shape of `like`, which may be dynamic.
  ValueId ConstantLike(const std::string& bytes, TypeId element, ValueId like);
  ValueId ConstantLike(const Scalar& literal, TypeId element, ValueId like);

  // --- Shapes that are known only at run time --------------------------------------------------------------
  // Returns the size of a dimension, as tensor<i64>.
  ValueId SizeOf(ValueId value, int64_t dimension);
  // The same, computed also where the type states it; as tensor<i64>, and as tensor<1xi64>.
  ValueId SizeAtRunTime(ValueId value, int64_t dimension);
  ValueId RunTimeSize(ValueId value, int64_t dimension);
  // Returns scalars of type tensor<i64> as one tensor<Nxi64>.
  ValueId Stack(const Values& scalars);
  // Returns the shape of a value, as tensor<Nxi64>.
  ValueId Extents(ValueId value);
  // Returns the shape of a value as shape.shape_of.
  ValueId ShapeOp(ValueId value);
  // Broadcasts a value into a shape of `extents` (needed if `type` is dynamic), as broadcast_in_dim does.
  ValueId Broadcast(ValueId value, const Dims& dimensions, TypeId type, ValueId extents);
  // As above, into the shape of another value.
  ValueId BroadcastLike(ValueId value, const Dims& dimensions, ValueId like);
  // Numbers the elements along a dimension of a shape, in `element`.
  ValueId Iota(const Dims& shape, int64_t dimension, TypeId element);
  ValueId IotaLike(ValueId like, int64_t dimension, TypeId element);
  // Returns the part of a value from `start` to `limit` in one dimension, or from the scalar `start`, one
  // element long.
  ValueId Slice(ValueId value, int64_t dimension, int64_t start, int64_t limit);
  ValueId SliceAt(ValueId value, int64_t dimension, ValueId start);
  // Drops a dimension of size 1, or adds one.
  ValueId DropDimension(ValueId value, int64_t dimension);
  ValueId AddDimension(ValueId value, int64_t dimension);

  // Gives what is emitted next the location of a value, or again that of the op being expanded.
  void LocateAt(ValueId value);
  void LocateAtOp() { location_.reset(); }

  // --- Replacing -------------------------------------------------------------------------------------------
  // Sets what replaces a result of the op; casts it to the type of the result, which may state other sizes.
  void Replace(const Op& op, uint32_t result, ValueId value);
  // Changes the operands and inherent attributes of an op, which stays.
  void Change(OpId id, const Values& operands, std::span<const AttrId> inherent_attrs);
  // Replaces an op by one for each of its operands and results.
  void Divide(OpId id, std::span<const AttrId> inherent_attrs);
  // Emits the ops of the first region of an op with these arguments, and returns what its terminator returns.
  Values Inline(const Op& op, const Values& args);
  // Returns the types of the arguments of the first region of an op.
  std::vector<TypeId> BodyTypesOf(const Op& op) const;

  // Returns whether an op has one operand at the target.
  bool TakesOneOperand(const Op& op) const;
  // Returns whether the target and the module both have an op.
  bool Has(RowId row) const;

 private:
  void Visit(OpId id);
  // Returns whether ops are expanded because the target lacks them, as serializers do it.
  bool ForTarget() const { return options_.lacking && target_ != m_.version; }
  bool Lacks(const Op& op);
  // Returns the reason why an op cannot be expanded, or "" once it is.
  std::string_view TryExpand(const Op& op, OpId id);
  // Location of what is emitted; that of the op being expanded if not set.
  std::optional<AttrId> location_;
  ValueId Reshape(ValueId value, const Dims& shape, const Values& extents);

  // Lists the expanded ops that the new program has invalid ops for.
  void Check(const Module& made, std::span<const OpId> origins);

  const Module& m_;
  ModuleEditor editor_;
  Module& out_;
  OpCopier copier_;
  const ExpandOptions options_;
  Version target_;
  Legality legality_;
  std::vector<std::string_view> unfit_;  // by op of m_: why it cannot be expanded, whatever it is
  std::vector<bool> visited_;            // by op of m_
  std::vector<OpId> copies_;             // ops that are not of m_, to be visited
  std::vector<uint64_t> counts_;         // by row of the op table
  std::vector<OpId> expanded_;
  std::vector<OpId> refused_;
  std::vector<OpId> constants_;  // new ops, for what the target lacks
  Diagnostics left_;
  Diagnostics remarks_;
  OpId current_;       // the op of m_ that is being expanded
  OpId at_;            // the op itself, or its copy
  bool kept_ = false;  // it was changed, and stays
  bool full_ = false;
  // Ops of this expansion in the open block: equal ones are added once.
  std::map<std::vector<uint32_t>, ValueId> known_;
  std::vector<std::map<std::vector<uint32_t>, ValueId>> outer_known_;
  std::vector<BlockId> open_;  // of regions that have no op yet
};

// A rewrite in code. Replaces the results of the op and returns "", or adds nothing and returns the reason.
using Rewrite = std::string_view (*)(Expander& e, const Op& op, OpId id);

std::string_view ExpandBroadcasting(Expander& e, const Op& op, OpId id);
std::string_view ExpandBroadcastingAsReference(Expander& e, const Op& op, OpId id);
std::string_view ExpandNumpyBroadcast(Expander& e, const Op& op, OpId id);
std::string_view ExpandConstant(Expander& e, const Op& op, OpId id);
std::string_view ExpandConstantLike(Expander& e, const Op& op, OpId id);
std::string_view ExpandRaggedDot(Expander& e, const Op& op, OpId id);
std::string_view ExpandCollective(Expander& e, const Op& op, OpId id);
std::string_view ExpandComposite(Expander& e, const Op& op, OpId id);
std::string_view ExpandScan(Expander& e, const Op& op, OpId id);
std::string_view ExpandTopK(Expander& e, const Op& op, OpId id);
std::string_view ExpandGather(Expander& e, const Op& op, OpId id);
std::string_view ExpandScatter(Expander& e, const Op& op, OpId id);

}  // namespace shlo
