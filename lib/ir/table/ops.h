// Constants for ops that code refers to by name. A name that is not in schema/ops.inc does not compile
// (op_table.cc). FindOp finds any op.
#pragma once

#include "shlo/op_table.h"

#define SHLO_NAMED_OPS(F)                                   \
  F(kAdd, "stablehlo.add")                                  \
  F(kAllGather, "stablehlo.all_gather")                     \
  F(kAllReduce, "stablehlo.all_reduce")                     \
  F(kAllToAll, "stablehlo.all_to_all")                      \
  F(kArithConstant, "arith.constant")                       \
  F(kAsyncStart, "stablehlo.async_start")                   \
  F(kCall, "func.call")                                     \
  F(kCreateToken, "stablehlo.create_token")                 \
  F(kCast, "builtin.unrealized_conversion_cast")            \
  F(kChloConj, "chlo.conj")                                 \
  F(kChloConstant, "chlo.constant")                         \
  F(kChloScan, "chlo.scan")                                 \
  F(kCollectiveBroadcast, "stablehlo.collective_broadcast") \
  F(kCollectivePermute, "stablehlo.collective_permute")     \
  F(kCollectiveReduce, "stablehlo.collective_reduce")       \
  F(kCompare, "stablehlo.compare")                          \
  F(kConstant, "stablehlo.constant")                        \
  F(kCustomCall, "stablehlo.custom_call")                   \
  F(kDivide, "stablehlo.divide")                            \
  F(kDynamicSlice, "stablehlo.dynamic_slice")               \
  F(kDynamicUpdateSlice, "stablehlo.dynamic_update_slice")  \
  F(kFunc, "func.func")                                     \
  F(kFuncReturn, "func.return")                             \
  F(kGlobal, "ml_program.global")                           \
  F(kIf, "stablehlo.if")                                    \
  F(kModule, "builtin.module")                              \
  F(kMultiply, "stablehlo.multiply")                        \
  F(kReduceScatter, "stablehlo.reduce_scatter")             \
  F(kReturn, "stablehlo.return")                            \
  F(kSlice, "stablehlo.slice")                              \
  F(kSqrt, "stablehlo.sqrt")                                \
  F(kSubtract, "stablehlo.subtract")                        \
  F(kWhile, "stablehlo.while")

namespace shlo::ops {

#define SHLO_NAMED_OP(identifier, name) extern const RowId identifier;
SHLO_NAMED_OPS(SHLO_NAMED_OP)
#undef SHLO_NAMED_OP

}  // namespace shlo::ops
