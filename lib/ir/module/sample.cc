#include "ir/module/sample.h"

#include <algorithm>
#include <bit>
#include <utility>

#include "base/format.h"
#include "ir/module/builder.h"
#include "ir/table/attr_class.h"
#include "ir/table/ops.h"
#include "ir/table/trait.h"
#include "ir/table/type_class.h"
#include "shlo/types.h"

namespace shlo {
namespace {

// The first version that has replica groups as mesh axes.
Version MeshAxesSince() { return RowOf(AttrKind::kReplicaGroupMeshAxes).since; }

// The last case that exists in all versions of its enum.
int64_t LastCase(AttrKind kind) {
  int64_t last = CasesOf(kind).front().value;
  for (const EnumCase& c : CasesOf(kind))
    if (c.since == RowOf(kind).since && c.until == RowOf(kind).until) last = c.value;
  return last;
}

// The sample of a terminator is an op whose region it ends: the one with the fewest cells.
RowId Host(RowId row, Version version) {
  if (!RowOf(row).Has(Trait::kTerminator)) return row;
  RowId host;
  size_t fewest = SIZE_MAX;
  for (uint16_t r = 1; r < OpRows().size(); ++r) {
    const RevisionId id = RevisionAt(RowId{r}, version);
    if (!id || RowOf(RowId{r}).terminator != row) continue;
    const OpRevision& revision = RevisionOf(id);
    const size_t cells =
        revision.operands.size() + revision.attrs.size() + revision.results.size() + revision.regions.size();
    if (cells > fewest) continue;
    fewest = cells;
    host = RowId{r};
  }
  return host;
}

class Maker {
 public:
  Maker(RowId row, Version version, const SampleVariant& variant)
      : row_(RowOf(row)),
        id_(RevisionAt(row, version)),
        revision_(RevisionOf(id_)),
        variant_(variant),
        b_(&m_) {
    m_.version = version;
  }

  Module Make() {
    PickTypes();
    const RegionId body = b_.NewRegion();
    const BlockId block = b_.NewBlock();
    b_.BeginBlock(body, block);
    if (!IsModule()) MakeBody();
    b_.EndBlock();
    b_.EndRegion(body);
    const RevisionId module = RevisionAt(ops::kModule, m_.version);
    const RegionId regions[] = {body};
    if (IsModule()) {
      m_.top = AddSample({}, regions);
    } else {
      const std::vector<AttrId> inherent_attrs(RevisionOf(module).attrs.size());
      m_.top = b_.AddOp({.revision = module, .inherent_attrs = inherent_attrs, .regions = regions});
    }
    return std::move(m_);
  }

 private:
  bool Breaks(Cond cond) const { return variant_.kind == SampleVariant::kBreaks && variant_.cond == cond; }
  TypeId Scalar(TypeKind kind) { return m_.TensorType({}, m_.Type(kind)); }
  TypeId Vector(TypeKind kind) {
    const int64_t dims[] = {2};
    return m_.TensorType(dims, m_.Type(kind));
  }

  TypeId Future() {
    const TypeId held[] = {Vector(TypeKind::kF32)};
    return m_.Make(FutureType{.types = held});
  }

  TypeId TypeOfCell(const Cell& cell) {
    switch (cell.type_class()) {
      case TypeClass::kToken:
        return m_.Type(TypeKind::kToken);
      case TypeClass::kFuture:
        return Future();
      case TypeClass::kPredOrInt:
      case TypeClass::kInt:
      case TypeClass::kIntegerLike:
      case TypeClass::kFixedIntegerLike:
      case TypeClass::kIntegerLikeOrBuffer:
        return Vector(TypeKind::kI32);
      case TypeClass::kBoolLike:
        return Vector(TypeKind::kI1);
      case TypeClass::kIndex:
      case TypeClass::kSignlessOrIndex:
      case TypeClass::kSize:
        return m_.Type(TypeKind::kIndex);
      case TypeClass::kShape:
      case TypeClass::kIndexTensor:
        return Vector(TypeKind::kIndex);
      case TypeClass::kShapedOrValueShape: {
        const int64_t dims[] = {2, 2};  // has as many dimensions as the shapes above have sizes
        return m_.TensorType(dims, m_.Type(TypeKind::kF32));
      }
      case TypeClass::kWitness:
        return m_.Type(TypeKind::kWitness);
      case TypeClass::kProgramToken:
        return m_.Make(
            OpaqueType{.dialect = m_.strings.Intern("ml_program"), .text = m_.strings.Intern(".token")});
      default:
        return Vector(TypeKind::kF32);
    }
  }

  void PickTypes() {
    const size_t list = variant_.kind == SampleVariant::kLonger ? 2 : 1;
    for (const Cell& cell : revision_.operands)
      operands_.insert(operands_.end(), cell.variadic ? list : 1, TypeOfCell(cell));
    for (const Cell& cell : revision_.results)
      results_.insert(results_.end(), cell.variadic ? list : 1, TypeOfCell(cell));
    // If the operand and result types must match, the operand decides.
    if (row_.Has(Trait::kCompatibleTypes) || row_.Has(Trait::kPairwiseSameType))
      for (TypeId& result : results_)
        if (!operands_.empty()) result = operands_.front();
    PickUpstreamTypes();
    if (Breaks(Cond::kSameElementTypes))
      for (TypeId& result : results_) result = Vector(TypeKind::kF64);
    if (Breaks(Cond::kNoFutureOperands)) operands_.front() = Future();
    if (Breaks(Cond::kNoMixedFloat8)) {
      operands_[0] = Vector(TypeKind::kF8E4M3FN);
      operands_[1] = Vector(TypeKind::kF8E5M2);
    }
    // Ops that consume a token and return a list return a token as their last result.
    const auto is_token = [](const Cell& cell) { return cell.type_class() == TypeClass::kToken; };
    if (std::ranges::any_of(revision_.operands, is_token) && !revision_.results.empty() &&
        revision_.results.back().variadic)
      results_.back() = m_.Type(TypeKind::kToken);
  }

  // Ops of MLIR's dialects whose operands determine each other or the results.
  void PickUpstreamTypes() {
    const std::string_view op = row_.name;
    if (op == "arith.extsi") results_ = {Vector(TypeKind::kI64)};
    if (op == "arith.trunci") results_ = {Vector(TypeKind::kI8)};
    if (op == "arith.index_cast") results_ = {Vector(TypeKind::kIndex)};
    if (op == "shape.cstr_broadcastable") operands_.push_back(operands_.front());
    if (op == "tensor.from_elements") {
      const int64_t dims[] = {int64_t(operands_.size())};
      for (TypeId& operand : operands_) operand = m_.Type(TypeKind::kF32);
      results_ = {m_.TensorType(dims, operands_.front())};
    }
    if (op == "tensor.insert") {
      const std::vector<int64_t> dims(operands_.size() - 2, 2);
      operands_[0] = m_.Type(TypeKind::kF32);
      operands_[1] = m_.TensorType(dims, operands_[0]);
      results_ = {operands_[1]};
    }
  }

  // A global that is not mutable has a value.
  bool NeedsValue(const Cell& cell) const { return &row_ == &RowOf(ops::kGlobal) && cell.name == "value"; }

  bool IsModule() const { return &row_ == &RowOf(ops::kModule); }
  bool IsFunction() const { return row_.Has(Trait::kFunction); }

  void MakeBody() {
    if (IsFunction()) {
      operands_ = results_ = {Vector(TypeKind::kF32)};
      const RegionId region = MakeRegion(row_, operands_, results_);
      const RegionId regions[] = {region};
      AddSample({}, regions);
      return;
    }
    const bool refers = std::ranges::any_of(revision_.attrs, [](const Cell& cell) {
      return cell.attr_class() == AttrClass::kSymbol || cell.attr_class() == AttrClass::kSymbols;
    });
    if (refers && row_.dialect == "ml_program")
      MakeGlobal("callee", row_.mnemonic() != "global_load_const");
    else if (refers)
      MakeFunction("callee", [&](BlockId) { return std::vector<ValueId>(); });
    if (row_.Has(Trait::kSymbol)) {
      AddSample({}, {});
      return;
    }
    MakeFunction("main", [&](BlockId block) {
      std::vector<ValueId> operands;
      for (uint32_t i = 0; i < operands_.size(); ++i) operands.push_back(m_.ArgOf(block, i));
      const std::vector<RegionId> regions = MakeRegions();
      const OpId id = AddSample(operands, regions);
      std::vector<ValueId> results;
      for (uint32_t i = 0; i < results_.size(); ++i) results.push_back(m_.ResultOf(m_.ops[id.v], i));
      return results;
    });
  }

  // Adds a global of the type that the op loads or stores.
  void MakeGlobal(std::string_view name, bool is_mutable) {
    const RevisionId revision = RevisionAt(ops::kGlobal, m_.version);
    std::vector<AttrId> inherent_attrs(RevisionOf(revision).attrs.size());
    const auto set = [&](std::string_view attr, AttrId value) {
      inherent_attrs[size_t(RevisionOf(revision).FindSlot(attr))] = value;
    };
    const TypeId type = Vector(TypeKind::kF32);
    set("sym_name", m_.String(name)), set("type", m_.TypeAttr(type)), set("value", Zeros(type));
    if (is_mutable) set("is_mutable", m_.Bool(true));
    b_.AddOp({.revision = revision, .inherent_attrs = inherent_attrs});
  }

  // Adds a function; `fill` adds ops to its block and returns the values to return, or none for constants.
  template <typename Fill>
  void MakeFunction(std::string_view name, Fill&& fill) {
    const RegionId region = b_.NewRegion();
    const BlockId block = b_.NewBlock();
    for (TypeId type : operands_) b_.AddBlockArg(block, type);
    b_.BeginBlock(region, block);
    std::vector<ValueId> returned = fill(block);
    if (returned.size() != results_.size()) returned = Values(block, results_);
    AddPlain(ops::kFuncReturn, returned, {});
    b_.EndBlock();
    b_.EndRegion(region);
    const RevisionId revision = RevisionAt(ops::kFunc, m_.version);
    std::vector<AttrId> inherent_attrs(RevisionOf(revision).attrs.size());
    inherent_attrs[size_t(RevisionOf(revision).FindSlot("sym_name"))] = m_.String(name);
    inherent_attrs[size_t(RevisionOf(revision).FindSlot("function_type"))] =
        m_.TypeAttr(m_.FunctionType(operands_, results_));
    const RegionId regions[] = {region};
    b_.AddOp({.revision = revision, .inherent_attrs = inherent_attrs, .regions = regions});
  }

  OpId AddPlain(RowId row, std::span<const ValueId> operands, std::span<const TypeId> results) {
    const RevisionId revision = RevisionAt(row, m_.version);
    const std::vector<AttrId> inherent_attrs(RevisionOf(revision).attrs.size());
    return b_.AddOp(
        {.revision = revision, .operands = operands, .results = results, .inherent_attrs = inherent_attrs});
  }

  // Returns values of some types inside a block: block arguments if they match, otherwise results of a custom
  // op.
  std::vector<ValueId> Values(BlockId block, std::span<const TypeId> types) {
    std::vector<ValueId> values;
    for (TypeId type : types) {
      ValueId value;
      for (uint32_t i = 0; i < m_.blocks[block.v].args.count && !value; ++i)
        if (m_.TypeOf(m_.ArgOf(block, i)) == type) value = m_.ArgOf(block, i);
      values.push_back(value ? value : Make(type));
    }
    return values;
  }

  ValueId Make(TypeId type) {
    const TypeId types[] = {type};
    OpId id;
    if (m_.types.KindOf(type) != TypeKind::kTensor) {
      if (m_.types.KindOf(type) == TypeKind::kToken) {
        id = AddPlain(ops::kCreateToken, {}, types);
      } else {  // a future
        const TypeId held[] = {Vector(TypeKind::kF32)};
        const ValueId inputs[] = {Make(held[0])};
        const RegionId regions[] = {MakeRegion(RowOf(ops::kAsyncStart), held, held)};
        id = b_.AddOp({.revision = RevisionAt(ops::kAsyncStart, m_.version),
                       .operands = inputs,
                       .results = types,
                       .regions = regions});
      }
    } else {
      const AttrId value[] = {Zeros(type)};
      id = b_.AddOp(
          {.revision = RevisionAt(ops::kConstant, m_.version), .results = types, .inherent_attrs = value});
    }
    return m_.ResultOf(m_.ops[id.v], 0);
  }

  AttrId Zeros(TypeId tensor_type) {
    const std::string bytes(m_.ElementBytes(ElementOf(m_, tensor_type)), '\0');
    return m_.Elements(tensor_type, m_.payloads.AddCopy(bytes), true);
  }

  RegionId MakeRegion(const OpRow& parent, std::span<const TypeId> args, std::span<const TypeId> returned) {
    const RegionId region = b_.NewRegion();
    const BlockId block = b_.NewBlock();
    for (TypeId type : args) b_.AddBlockArg(block, type);
    b_.BeginBlock(region, block);
    AddPlain(parent.terminator, Values(block, returned), {});
    b_.EndBlock();
    b_.EndRegion(region);
    return region;
  }

  std::vector<RegionId> MakeRegions() {
    std::vector<RegionId> regions;
    const TypeKind element = Breaks(Cond::kSameElementTypes) ? TypeKind::kF64 : TypeKind::kF32;
    const TypeId scalar = Scalar(element);
    const std::vector<TypeId> truth{Scalar(TypeKind::kI1)};
    const auto scalars = [&](size_t n) { return std::vector<TypeId>(n, scalar); };
    const std::string_view op = row_.mnemonic();
    for (const Cell& cell : revision_.regions) {
      // A list of branches has at least one branch; the regions of a composite are optional.
      if (cell.variadic && op == "composite" && variant_.kind != SampleVariant::kWithRegion) continue;
      std::vector<TypeId> args = scalars(2);
      std::vector<TypeId> returned = scalars(1);
      if (cell.name == "cond")
        args = operands_, returned = truth;
      else if (op == "while" || op == "composite" || op == "scan")
        args = operands_, returned = results_;
      else if (op == "for")
        args = operands_, args.erase(args.begin(), args.begin() + 2), returned = results_;
      else if (op == "async_start")
        args = returned = {Vector(TypeKind::kF32)};
      else if (op == "case" || op == "if" || op == "assuming")
        args = {}, returned = results_;
      else if (op == "sort")
        args = scalars(2 * operands_.size()), returned = truth;
      else if (cell.name == "select")
        returned = truth;
      else if (op == "map")
        args = scalars(operands_.size());
      else if (row_.Has(Trait::kSameVariadicSize))
        args = scalars(2 * results_.size()), returned = scalars(results_.size());
      regions.push_back(MakeRegion(row_, args, returned));
    }
    return regions;
  }

  // --- The op itself --------------------------------------------------------------------------------
  OpId AddSample(std::span<const ValueId> operands, std::span<const RegionId> regions) {
    std::vector<AttrId> inherent_attrs;
    const Cell* chosen = variant_.slot >= 0 ? &revision_.attrs[size_t(variant_.slot)] : nullptr;
    for (const Cell& cell : revision_.attrs) {
      const bool group =
          chosen && chosen->attr_default() == Default::kNoneType && cell.attr_default() == Default::kNoneType;
      if (variant_.kind == SampleVariant::kMeshAxes && &cell == chosen)
        inherent_attrs.push_back(MeshAxes());
      else if (cell.required() || NeedsValue(cell))
        inherent_attrs.push_back(Required(cell));
      else if (variant_.kind == SampleVariant::kValue && (&cell == chosen || group))
        inherent_attrs.push_back(Unusual(cell));
      else
        inherent_attrs.push_back({});
    }
    if (Breaks(Cond::kNoTypedFfi)) {
      inherent_attrs[size_t(revision_.FindSlot("api_version"))] = m_.I32(4);
      inherent_attrs[size_t(revision_.FindSlot("backend_config"))] = SomeDict();
    }
    if (Breaks(Cond::kNoFloat8Passes)) {
      const auto set = [&](std::string_view name, AttrId value) {
        inherent_attrs[size_t(revision_.FindSlot(name))] = value;
      };
      const AttrId float8 = m_.TypeAttr(m_.Type(TypeKind::kF8E4M3FN));
      set("lhs_precision_type", float8), set("rhs_precision_type", float8);
      set("accumulation_type", m_.TypeAttr(m_.Type(TypeKind::kF32)));
      set("lhs_component_count", m_.I64(1)), set("rhs_component_count", m_.I64(1));
      set("num_primitive_operations", m_.I64(3)), set("allow_imprecise_accumulation", m_.Bool(false));
    }
    const std::span<const TypeId> results = IsFunction() ? std::span<const TypeId>() : results_;
    const OpId id = b_.AddOp({.revision = id_,
                              .operands = operands,
                              .results = results,
                              .inherent_attrs = inherent_attrs,
                              .regions = regions});
    if (variant_.kind != SampleVariant::kDefaults) return id;
    for (size_t i = 0; i < revision_.attrs.size(); ++i) {
      if (revision_.attrs[i].required() || NeedsValue(revision_.attrs[i])) continue;
      const AttrId value = m_.DefaultOf(m_.ops[id.v], int(i));
      m_.SetInherentAttr(id, int(i), m_.NormalizeInherentAttr(revision_.attrs[i], value));
    }
    return id;
  }

  AttrId SomeDict() { return m_.Dict({{m_.strings.Intern("test.key"), m_.I64(1)}}); }
  AttrId IndexList() {
    const int64_t dims[] = {1};
    return Zeros(m_.TensorType(dims, m_.Type(TypeKind::kIndex)));
  }
  AttrId ArrayOf(AttrId item) { return m_.Array({{item}}); }
  AttrId Pairs(int64_t a, int64_t b) {
    const int64_t dims[] = {1, 2};
    const int64_t values[] = {a, b};
    return m_.I64Elements(dims, values);
  }
  AttrId Bools(char value) {
    return m_.Make(DenseArrayAttr{.element = m_.Type(TypeKind::kI1),
                                  .payload = m_.payloads.AddCopy(std::string(1, value))});
  }
  AttrId F32(double value) {
    return m_.Float(m_.Type(TypeKind::kF32), std::bit_cast<uint32_t>(float(value)));
  }
  AttrId Accuracy(double atol, int64_t mode) {
    return m_.Make(ResultAccuracyAttr{.atol = atol, .mode = m_.Enum(AttrKind::kResultAccuracyMode, mode)});
  }
  AttrId Alias() { return m_.Make(OutputOperandAliasAttr{}); }
  AttrId MeshAxes() {
    const AttrId axes[] = {m_.Make(AxisRefAttr{.name = m_.strings.Intern("x")})};
    return m_.Make(ReplicaGroupMeshAxesAttr{.mesh = m_.Symbol("mesh"), .axes = axes});
  }
  AttrId Struct(AttrKind kind) {
    FieldWriter fields;
    for (const FieldRow& field : RowOf(kind).fields()) IsList(field.type) ? fields.Ints({}) : fields.Int(0);
    return m_.attrs.Intern(kind, fields);
  }

  // Returns a value of the attribute's class.
  AttrId Required(const Cell& cell) {
    switch (cell.attr_class()) {
      case AttrClass::kAny:
        return F32(0.5);
      case AttrClass::kFloatPredicate:
      case AttrClass::kRoundingMode:
      case AttrClass::kDirection:
      case AttrClass::kReduction:
      case AttrClass::kMesh:
      case AttrClass::kSharding:
      case AttrClass::kShardingPerValue:
      case AttrClass::kManualAxes:
      case AttrClass::kAxisRefList:
      case AttrClass::kAxisRefLists:
      case AttrClass::kAllToAllParams:
      case AttrClass::kIndex:
        return {};  // of schema/other_ops.inc only
      case AttrClass::kOverflow:
        return m_.Opaque("arith", ".overflow<nsw>");
      case AttrClass::kFastMath:
        return m_.Opaque("arith", ".fastmath<nnan>");
      case AttrClass::kFlag:
        return m_.Bool(true);
      case AttrClass::kBool:
      case AttrClass::kI32:
      case AttrClass::kApiVersion:
      case AttrClass::kI64:
      case AttrClass::kIntPredicate:
      case AttrClass::kUI32:
      case AttrClass::kUI64:
        return m_.Integer(m_.Type(NumberTypeOf(cell.attr_class())), 1);
      case AttrClass::kF32:
        return F32(0.5);
      case AttrClass::kF64:
        return m_.Float(m_.Type(TypeKind::kF64), std::bit_cast<uint64_t>(0.5));
      case AttrClass::kStr:
        return m_.String(cell.name == "sym_visibility" ? "private" : "main");
      case AttrClass::kI64s: {
        const int64_t values[] = {0};
        return m_.I64s(values);
      }
      case AttrClass::kBools:
        return Bools(1);
      case AttrClass::kI64Elements:
      case AttrClass::kReplicaGroups:
        return Pairs(0, 1);
      case AttrClass::kElements:
      case AttrClass::kIndexElements:
      case AttrClass::kTypedAttr:
        return Zeros(results_.empty() ? Vector(TypeKind::kF32) : results_.front());
      case AttrClass::kSymbol:
        return m_.Symbol("callee");
      case AttrClass::kSymbols:
        return ArrayOf(m_.Symbol("callee"));
      case AttrClass::kArray:
        return ArrayOf(m_.I64(1));
      case AttrClass::kDict:
        return SomeDict();
      case AttrClass::kDicts:
        return ArrayOf(SomeDict());
      case AttrClass::kType:
        return m_.TypeAttr(IsFunction() ? m_.FunctionType(operands_, results_) : m_.Type(TypeKind::kF32));
      case AttrClass::kEnum:
        return m_.Enum(cell.attr_kind(), LastCase(cell.attr_kind()));
      case AttrClass::kStruct:
        return Struct(cell.attr_kind());
      case AttrClass::kAccuracy:
        return Accuracy(1, 2);
      case AttrClass::kPrecisions:
        return ArrayOf(m_.Enum(AttrKind::kPrecision, 1));
      case AttrClass::kAliases:
        return ArrayOf(Alias());
      case AttrClass::kLayouts:
        return ArrayOf(IndexList());
      case AttrClass::kTilings:
        return ArrayOf(ArrayOf(IndexList()));
      case AttrClass::kConfig:
        return m_.String("config");
    }
    return {};
  }

  // Returns a value of the attribute's class that is not its default.
  AttrId Unusual(const Cell& cell) {
    const auto integer = [&](int64_t v) { return m_.Integer(m_.Type(NumberTypeOf(cell.attr_class())), v); };
    switch (cell.attr_default()) {
      case Default::kTrue:
        return m_.Bool(false);
      case Default::kZero:
        return integer(1);
      case Default::kOne:
        return integer(2);
      case Default::kMinusOne:
        return integer(0);
      case Default::kOnes: {
        const int64_t values[] = {2};
        return m_.I64s(values);
      }
      case Default::kZeroPairs:
        return Pairs(1, 2);
      case Default::kDefaultPrecisions: {
        const AttrId high = m_.Enum(AttrKind::kPrecision, 1);
        return m_.Array({{high, high}});
      }
      default:
        return Required(cell);
    }
  }

  const OpRow& row_;
  const RevisionId id_;
  const OpRevision& revision_;
  const SampleVariant variant_;
  Module m_;
  Builder b_;
  std::vector<TypeId> operands_;
  std::vector<TypeId> results_;
};

}  // namespace

std::vector<SampleVariant> SampleVariants(RowId row, Version version) {
  std::vector<SampleVariant> variants;
  const RowId host = Host(row, version);
  const RevisionId id = RevisionAt(host, version);
  if (!id || !RevisionAt(row, version)) return variants;
  const OpRevision& revision = RevisionOf(id);
  variants.push_back({SampleVariant::kAbsent});
  if (host != row) return variants;
  variants.push_back({SampleVariant::kDefaults});
  bool group = false;
  for (size_t i = 0; i < revision.attrs.size(); ++i) {
    const Cell& cell = revision.attrs[i];
    if (cell.attr_class() == AttrClass::kReplicaGroups && version >= MeshAxesSince())
      variants.push_back({SampleVariant::kMeshAxes, int(i)});
    if (cell.required()) continue;
    if (cell.attr_default() == Default::kNoneType && std::exchange(group, true)) continue;
    variants.push_back({SampleVariant::kValue, int(i)});
  }
  const auto variadic = [](const Cell& cell) { return cell.variadic; };
  if (std::ranges::any_of(revision.operands, variadic)) variants.push_back({SampleVariant::kLonger});
  if (std::ranges::any_of(revision.regions, variadic)) variants.push_back({SampleVariant::kWithRegion});
  const OpRow& op = RowOf(row);
  for (uint16_t s = 0; s < op.num_revisions; ++s)
    for (const Cell& cond : RevisionOf(RevisionId{uint16_t(op.first_revision + s)}).conditions)
      if (version.n > cond.x) variants.push_back({SampleVariant::kBreaks, -1, Cond(cond.a)});
  return variants;
}

Module MakeSample(RowId row, Version version, const SampleVariant& variant) {
  return Maker(Host(row, version), version, variant).Make();
}

OpId FindOp(const Module& module, RowId row) {
  for (uint32_t i = uint32_t(module.ops.size()); i-- > 1;)
    if (module.Is(module.ops[i], row)) return OpId(i);
  return {};
}

std::string SampleName(RowId row, Version version, const SampleVariant& variant) {
  constexpr std::string_view kNames[] = {"absent",       "defaults",    "",          "mesh axes in ",
                                         "longer lists", "with region", "breaking: "};
  const RevisionId revision = RevisionAt(row, version);
  const std::string_view detail = variant.slot >= 0 ? RevisionOf(revision).attrs[size_t(variant.slot)].name
                                  : variant.kind == SampleVariant::kBreaks ? CondName(variant.cond)
                                                                           : std::string_view();
  return StrFormat("{} at {}, {}{}", RowOf(row).name, VersionName(version), kNames[variant.kind], detail);
}

}  // namespace shlo
