// stablehlo-legalize-deprecated-ops: ops that StableHLO 1.0 was to drop, in terms of others.
#include <array>

#include "base/format.h"
#include "base/try.h"
#include "ir/table/float_format.h"
#include "ir/table/ops.h"
#include "rewrite/legalizer.h"
#include "rewrite/pass.h"
#include "shlo/types.h"

namespace shlo::rewrite {
namespace {

using Outcome = Legalizer::Outcome;

Outcome LowerBroadcast(Legalizer& l, OpId op) {
  std::vector<int64_t> sizes, dims;
  l.from().AsI64s(l.from().InherentAttrOf(l[op], "broadcast_sizes"), &sizes);
  const int64_t rank = ShapedType(l.from(), l.ResultType(op)).rank();
  for (int64_t d = int64_t(sizes.size()); d < rank; ++d) dims.push_back(d);
  l.Replace(l.Emit(ops::kBroadcastInDim, {l.Operand(op, 0)}, l.ResultType(op),
                   {{"broadcast_dimensions", l.out().I64s(dims)}}));
  return Legalizer::kDone;
}

Outcome LowerCreateToken(Legalizer& l, OpId op) {
  l.Replace(l.Emit(ops::kAfterAll, {}, l.ResultType(op)));
  return Legalizer::kDone;
}

Outcome LowerCrossReplicaSum(Legalizer& l, OpId op) {
  const ValueId operand = l.Operand(op, 0);
  const TypeId type = l.ResultType(op);
  const RegionId add = l.AddRegion(ElementOf(l.from(), type));
  const OpId reduce = l.Insert({.revision = RevisionAt(ops::kAllReduce, l.from().version),
                                .operands = {&operand, 1},
                                .results = {&type, 1},
                                .regions = {&add, 1}},
                               {{"replica_groups", l.from().InherentAttrOf(l[op], "replica_groups")}});
  l.Replace(l.out().ResultOf(l.editor()[reduce], 0));
  return Legalizer::kDone;
}

Outcome LowerDotAsGeneral(Legalizer& l, OpId op) {
  const int64_t last = ShapedType(l.from(), l.OperandType(op, 0)).rank() - 1, first = 0;
  l.Replace(l.Emit(ops::kDotGeneral, {l.Operand(op, 0), l.Operand(op, 1)}, l.ResultType(op),
                   {{"lhs_batching_dimensions", l.out().I64s({})},
                    {"rhs_batching_dimensions", l.out().I64s({})},
                    {"lhs_contracting_dimensions", l.out().I64s({&last, 1})},
                    {"rhs_contracting_dimensions", l.out().I64s({&first, 1})},
                    {"precision_config", l.from().InherentAttrOf(l[op], "precision_config")}}));
  return Legalizer::kDone;
}

// Returns the bytes of 1 in an element type, or "" if it has none.
std::string OneIn(const Module& m, TypeId element) {
  if (const auto complex = m.As<ComplexType>(element)) {
    const std::string real = OneIn(m, complex->element);
    return real + std::string(real.size(), '\0');
  }
  const TypeKind kind = m.types.KindOf(element);
  const uint64_t size = m.ElementBytes(element);
  if (size == 0 || size > sizeof(uint64_t)) return {};
  const uint64_t bits = FloatFormatOf(kind) ? EncodeFloat(kind, 1) : 1;
  return {reinterpret_cast<const char*>(&bits), size};
}

// The product of 1 and the operand.
Outcome LowerUnaryEinsum(Legalizer& l, OpId op) {
  const TypeId element = ElementOf(l.from(), l.OperandType(op, 0)), scalar = l.out().TensorType({}, element);
  const std::string bytes = OneIn(l.from(), element);
  std::string_view config;
  if (bytes.empty() || !l.from().AsString(l.from().InherentAttrOf(l[op], "einsum_config"), &config))
    return Legalizer::kIllegal;
  const std::string binary = StrFormat(",{}", config);
  const AttrId value = l.out().Elements(scalar, l.out().payloads.AddCopy(bytes), /*splat=*/true);
  const ValueId one = l.Emit(ops::kConstant, {}, scalar, {{"value", value}});
  l.Replace(l.Emit(ops::kEinsum, {one, l.Operand(op, 0)}, l.ResultType(op),
                   {{"einsum_config", l.out().String(binary)}}));
  return Legalizer::kDone;
}

Outcome Refuse(Legalizer&, OpId) { return Legalizer::kIllegal; }

struct DeprecatedOp {
  std::string_view op;
  Outcome (*lower)(Legalizer& l, OpId op);
  bool unused = false;  // has no replacement, since hardly anybody uses it
};
constexpr DeprecatedOp kDeprecatedOps[] = {
    {"stablehlo.broadcast", LowerBroadcast},
    {"stablehlo.create_token", LowerCreateToken},
    {"stablehlo.cross-replica-sum", LowerCrossReplicaSum},
    {"stablehlo.dot", LowerDotAsGeneral},
    {"stablehlo.map", Refuse, true},
    {"stablehlo.rng", Refuse, true},
    {"stablehlo.unary_einsum", LowerUnaryEinsum},
};

}  // namespace

Result<void> LegalizeDeprecatedOps(const PassRun& run, Program* program) {
  const bool fail_on_unused = SHLO_TRY(run.Flag("fail-on-unused", true));
  Legalizer legalizer(program);
  return legalizer.Run([&](OpId op) {
    const std::string_view name = legalizer.from().NameOf(legalizer[op]);
    for (const DeprecatedOp& row : kDeprecatedOps)
      if (row.op == name && (!row.unused || fail_on_unused)) return row.lower(legalizer, op);
    return Legalizer::kLegal;
  });
}

}  // namespace shlo::rewrite
