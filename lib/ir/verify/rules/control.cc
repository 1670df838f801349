// Control flow, tokens, tuples, and asynchronous ops.
#include "ir/table/ops.h"
#include "ir/verify/rules/common.h"

namespace shlo {
namespace {

bool AreCompatible(const OpCheck& c, std::span<const TypeId> a, std::span<const TypeId> b) {
  return std::ranges::equal(a, b, [&](TypeId x, TypeId y) { return CompatibleTypes(c.m, x, y); });
}

}  // namespace

// if C1 to C3, case C1 to C4.
bool InferConditional(OpCheck& c) {
  const bool two = c.m.Is(c.op(), ops::kIf);  // which needs no constraint on their number
  const std::string_view arguments = two ? "C1" : "C2", returns = two ? "C2" : "C3";
  const ShapedType selector = c.In(0);
  if (selector.rank() != 0)
    return c.Fail("I1", "operand should be rank 0 tensor but got rank {}", selector.rank());
  if (c.num_regions() == 0) return c.Fail("C1", "expect at least one branch");
  const auto first = c.Returned(0);
  for (size_t b = 0; b < c.num_regions(); ++b) {
    if (c.num_args(b) != 0)
      return c.Fail(arguments, "branch {} must have 0 arguments, but found {}", b, c.num_args(b));
    const auto returned = c.Returned(b);
    if (!AreCompatible(c, first, returned))
      return c.Fail(returns, "branch 0 and branch {} have mismatched return types: {} vs {}", b,
                    c.Types(first), c.Types(returned));
  }
  for (size_t i = 0; i < first.size(); ++i) {
    Dims types;
    for (size_t b = 0; b < c.num_regions(); ++b) types.push_back(int64_t(c.Returned(b)[i].v));
    if (!InferLeastSpecificOf(c, types)) return false;
  }
  return true;
}

bool VerifyWhile(OpCheck& c) {
  const auto operands = c.in_types();
  const std::vector<TypeId> condition_args = c.arg_types(0), body_args = c.arg_types(1);
  if (!AreCompatible(c, operands, condition_args))
    return c.Fail("C1", "expect operands to be compatible with condition block arguments but got {} vs {}",
                  c.Types(operands), c.Types(condition_args));
  if (!AreCompatible(c, operands, body_args))
    return c.Fail("C2", "expect operands to be compatible with body block arguments but got {} vs {}",
                  c.Types(operands), c.Types(body_args));
  const auto body = c.Returned(1);
  if (!AreCompatible(c, operands, body))
    return c.Fail("C2", "expect operands to be compatible with body block return types but got {} vs {}",
                  c.Types(operands), c.Types(body));
  const auto condition = c.Returned(0);
  if (condition.size() != 1)
    return c.Fail("C1", "expect condition body returns a single value but got {}", condition.size());
  const ShapedType result(c.m, condition[0]);
  if (!result.ranked || result.rank() != 0 || c.m.types.KindOf(result.element) != TypeKind::kI1)
    return c.Fail("C1", "expect condition block return a zero-ranked tensor of i1 but got {}",
                  c.T(result.type));
  return true;
}

// create_token, after_all, outfeed: their result cell determines the type.
bool InferToken(OpCheck& c) { return c.Settle(); }

namespace {

// Tensors, then a token. Labels in this order: nonempty, tensors, a token.
bool CheckReceived(OpCheck& c, const std::array<std::string_view, 3>& labels, std::string_view others) {
  const size_t n = c.num_results();
  if (n == 0) return c.Fail(labels[0], "result is expected to be at least of size 1, but got 0");
  for (size_t i = 0; i + 1 < n; ++i)
    if (const ShapedType type = c.Out(i); !type.ranked)
      return c.Fail(labels[1], "{} to be of tensor type, but got {}", others, c.T(type.type));
  if (c.m.types.KindOf(c.out(n - 1)) == TypeKind::kToken) return true;
  return c.Fail(labels[2], "last element of result types is expected to be of token type, but got {}",
                c.T(c.out(n - 1)));
}

}  // namespace

bool VerifyInfeed(OpCheck& c) {
  if (!CheckReceived(c, {"C1", "C2", "C3"},
                     "all elements of result types, except the last element, are expected"))
    return false;
  const AttrId layout = c.Attr("layout");
  if (!layout) return true;
  const IdList<AttrId> layouts = c.m.ElementsOf(layout);
  if (layouts.size() != c.num_results() - 1)
    return c.Fail(
        "R1",
        "layout-attribute size must be {} (which is the number of op-results - 1 (for token result)), but "
        "got {}",
        c.num_results() - 1, layouts.size());
  for (const AttrId inner : layouts) {
    const AttrKind kind = c.m.attrs.KindOf(inner);
    if (kind != AttrKind::kArray && kind != AttrKind::kI64Array)
      return c.Fail("R1", "layout-attribute expected to have elements of type array, but got {}", c.A(inner));
    for (const AttrId leaf : c.m.ElementsOf(inner))
      if (c.m.attrs.KindOf(leaf) != AttrKind::kIntegerAttr)
        return c.Fail("R1", "layout-attribute's leaf elements are expected to be of type integer, but got {}",
                      c.A(leaf));
  }
  return true;
}

namespace {

// C1 to C3 of send and recv.
void CheckPairs(OpCheck& c) {
  const IntElements pairs(c.m, c.Attr("source_target_pairs"));
  if (!pairs.ok() || pairs.size() == 0) return;  // absent
  if (pairs.shape().size() != 2 || pairs.shape()[1] != 2)
    return c.Beyond("C1", "source_target_pairs have shape ({}), not (N, 2)", c.List(pairs.shape()));
  if (const uint64_t i = FirstRepeatedEnd(pairs); i < pairs.size())
    c.Beyond(i % 2 ? "C3" : "C2", "process {} is twice a {} of source_target_pairs", pairs[i],
             i % 2 ? "target" : "source");
}

// Channels between devices, and from and to the host.
bool CheckChannel(OpCheck& c, int64_t host_channel, std::string_view host_name) {
  constexpr int64_t kDeviceToDevice = 1;
  CheckPairs(c);
  const bool host = c.Flag("is_host_transfer");
  const int64_t type = c.Int("channel_type");
  if (!host && type != kDeviceToDevice)
    return c.Fail("C5", "channel_type should be DEVICE_TO_DEVICE when is_host_transfer is false");
  if (host && type != host_channel)
    return c.Fail("C5", "channel_type should be {} when is_host_transfer is true", host_name);
  return true;
}

}  // namespace

bool InferSend(OpCheck& c) { return CheckChannel(c, 2, "DEVICE_TO_HOST") && c.Settle(); }

bool VerifyRecv(OpCheck& c) {
  return CheckChannel(c, 3, "HOST_TO_DEVICE") &&
         CheckReceived(c, {"R1", "R2", "R3"}, "everything but the last element of result types is expected");
}

// tuple C1. The tuple type need not be in the module: its members are compared.
bool InferTuple(OpCheck& c) {
  const auto tuple = c.m.As<TupleType>(c.out(0));
  if (tuple && std::ranges::equal(tuple->types, c.in_types())) return c.Settle();
  std::string operands;
  for (size_t i = 0; i < c.num_operands(); ++i) {
    const std::string quoted = c.T(c.in(i));
    operands += StrFormat("{}{}", i ? ", " : "", quoted.substr(1, quoted.size() - 2));
  }
  return c.Mismatch(StrFormat("'tuple<{}>'", operands));
}

bool InferGetTupleElement(OpCheck& c) {
  const IdList<TypeId> members = c.m.Get<TupleType>(c.in(0)).types;
  const int64_t index = c.Int("index");
  if (index >= int64_t(members.size()))
    return c.Fail("C1", "index {} is out of bounds of operand with size {}", index, members.size());
  c.Infer(members[size_t(index)]);  // C2
  return true;
}

namespace {

// The body of an asynchronous op is one collective or slice.
bool MayRunAsynchronously(RowId row) {
  for (RowId may : {ops::kAllGather, ops::kAllReduce, ops::kAllToAll, ops::kCollectiveBroadcast,
                    ops::kCollectivePermute, ops::kCollectiveReduce, ops::kDynamicSlice,
                    ops::kDynamicUpdateSlice, ops::kReduceScatter, ops::kSlice})
    if (row == may) return true;
  return false;
}

}  // namespace

bool InferAsyncStart(OpCheck& c) {
  const std::string_view op = "'stablehlo.async_start' op";
  const auto ops = c.OpsOf(0);
  if (ops.size() != 2) return c.Fail("C1", "{} region must contain exactly one operation and a return", op);
  const Op& inner = c.m.ops[ops[0].v];
  if (!c.m.RevisionIdOf(inner) || !MayRunAsynchronously(RevisionOf(c.m.RevisionIdOf(inner)).row))
    return c.Fail("C2", "{} region must contain a collective or slice operation", op);
  if (c.num_operands() != c.num_args(0))
    return c.Fail("C3", "{} number of operands ({}) must match number of region arguments ({})", op,
                  c.num_operands(), c.num_args(0));
  for (size_t i = 0; i < c.num_operands(); ++i)
    if (c.in(i) != c.arg(0, i))
      return c.Fail("C3", "{} operand type {} at index {} must match region argument type {}", op,
                    c.T(c.in(i)), i, c.T(c.arg(0, i)));
  const auto returned = c.Returned(0);
  if (returned.size() != 1)
    return c.Fail("C4", "{} region must return exactly one value, but got {}", op, returned.size());
  // The future of the returned values.
  const TypeId value = returned[0];
  const auto future = c.m.As<FutureType>(c.out(0));
  if (future && future->types.size() == 1 && future->types[0] == value) return c.Settle();
  const std::string quoted = c.T(value);
  return c.Mismatch(StrFormat("'!stablehlo.future<{}>'", quoted.substr(1, quoted.size() - 2)));
}

bool InferAsyncDone(OpCheck& c) {
  const IdList<TypeId> held = c.m.Get<FutureType>(c.in(0)).types;
  if (held.size() != 1)
    return c.Fail("C1", "'stablehlo.async_done' op future must have exactly one type parameter, but got {}",
                  held.size());
  c.Infer(held[0]);
  return true;
}

}  // namespace shlo
