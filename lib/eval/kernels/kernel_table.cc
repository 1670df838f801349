// Which kernel serves each revision of an op, from kernel_rows.inc: an op cannot gain a revision that nothing
// evaluates. A misspelled name does not compile.
#include <algorithm>
#include <array>

#include "eval/kernel/kernel.h"
#include "eval/kernels/kernels.h"
#include "eval/loops/element_loops.h"
#include "ir/table/op_rows.h"
#include "ir/table/row_text.h"
#include "shlo/evaluate.h"

namespace shlo {

#define SHLO_ELEMENTWISE(...) SHLO_ROW_COMMAS(#__VA_ARGS__)
#define SHLO_BROADCASTING(...) SHLO_ROW_COMMAS(#__VA_ARGS__)
#define SHLO_KERNEL(...) SHLO_ROW_COMMAS(#__VA_ARGS__)
#define SHLO_MOVING(...) SHLO_ROW_COMMAS(#__VA_ARGS__)
#define SHLO_OUTSIDE(...) SHLO_ROW_COMMAS(#__VA_ARGS__)
#define SHLO_PROCESSES(...) SHLO_ROW_COMMAS(#__VA_ARGS__)
#define SHLO_KERNEL_UNTIL(...) SHLO_ROW_COMMAS(#__VA_ARGS__)
#include "eval/kernels/kernel_rows.inc"

// The functions that rows name.
#define SHLO_ELEMENTWISE(op, picker) ElementLoop picker(LoopQuery& query);
#define SHLO_BROADCASTING(op, picker) ElementLoop picker(LoopQuery& query);
#define SHLO_KERNEL(op, kernel, ...) Status kernel(KernelCall& call);
#define SHLO_MOVING(op, kernel) Status kernel(KernelCall& call);
#define SHLO_OUTSIDE(op, kernel, ...) Status kernel(KernelCall& call);
#define SHLO_PROCESSES(op, kernel, ...) Status kernel(KernelCall& call);
#define SHLO_KERNEL_UNTIL(version, op, kernel, ...) Status kernel(KernelCall& call);
#define SHLO_UPSTREAM(op, kernel, ...) Status kernel(KernelCall& call);
#define SHLO_OTHER_DIALECT(op, kernel, ...) Status kernel(KernelCall& call);
#include "eval/kernels/kernel_rows.inc"

namespace {

using table::kCells, table::kNumRevisions, table::kNumRows;

struct KernelRow {
  RowId op;
  uint16_t until;  // serves the revisions that end by then; 0: the others
  KernelEntry entry;
};

consteval KernelRow Row(std::string_view name, Kernel kernel, Takes takes = Takes::kNumbers,
                        Reach reach = Reach::kOperands) {
  return {OpNamed(name), 0, {kernel, nullptr, takes, reach}};
}
// An op that depends on or affects other processes, functions or the caller.
consteval KernelRow Outside(Reach reach, std::string_view name, Kernel kernel,
                            Takes takes = Takes::kNumbers) {
  return {OpNamed(name), 0, {kernel, nullptr, takes, reach}};
}
// An op that moves elements of its first operand.
consteval KernelRow Moving(std::string_view name, Kernel kernel) {
  return {OpNamed(name), 0, {kernel, nullptr, Takes::kStored, Reach::kOperands, true}};
}
// An op that computes each element of its result from the operands' elements at the same index.
consteval KernelRow Elementwise(std::string_view name, LoopPicker picker) {
  return {OpNamed(name), 0, {EvaluateElementwise, picker, Takes::kNumbers}};
}
// Like Elementwise, with operands that broadcast to a common shape.
consteval KernelRow Broadcasting(std::string_view name, LoopPicker picker) {
  return {OpNamed(name), 0, {EvaluateBroadcasting, picker, Takes::kNumbers}};
}
// A kernel for older revisions only.
consteval KernelRow Until(uint16_t version, KernelRow row) {
  row.until = version;
  return row;
}

constexpr KernelRow kKernels[] = {
#define SHLO_ELEMENTWISE(...) Elementwise(__VA_ARGS__),
#define SHLO_BROADCASTING(...) Broadcasting(__VA_ARGS__),
#define SHLO_KERNEL(...) Row(__VA_ARGS__),
#define SHLO_MOVING(...) Moving(__VA_ARGS__),
#define SHLO_OUTSIDE(...) Outside(Reach::kOutside, __VA_ARGS__),
#define SHLO_PROCESSES(...) Outside(Reach::kProcesses, __VA_ARGS__),
#define SHLO_KERNEL_UNTIL(version, ...) Until(version, Row(__VA_ARGS__)),
#include "eval/kernels/kernel_rows.inc"
};

// Ops by their names. Those of other dialects than MLIR's own may do anything, so none is folded.
struct OtherRow {
  std::string_view op;
  KernelEntry entry;
};
constexpr OtherRow Other(Reach reach, std::string_view op, Kernel kernel, Takes takes = Takes::kNumbers) {
  return {op, {kernel, nullptr, takes, reach}};
}
constexpr auto kOthers = [] {
  auto rows = std::to_array<OtherRow>({
#define SHLO_UPSTREAM(...) Other(Reach::kOperands, __VA_ARGS__),
#define SHLO_OTHER_DIALECT(...) Other(Reach::kOutside, __VA_ARGS__),
#include "eval/kernels/kernel_rows.inc"
  });
  std::ranges::sort(rows, {}, &OtherRow::op);
  return rows;
}();

struct Dispatch {
  std::array<KernelEntry, kNumRevisions> kernels{};
  std::array<uint8_t, kNumRows> twice{};   // two rows for one revision of the op
  std::array<uint8_t, kNumRows> unused{};  // a row that serves no revision of the op
};

constexpr Dispatch kDispatch = [] {
  Dispatch d;
  // Rows are counted, because under sanitizers comparing pointers to functions is not a constant expression.
  std::array<uint8_t, std::size(kKernels)> serves{};
  uint16_t row = 0;
  size_t revision = 0;
  for (const Cell& cell : kCells) {
    if (cell.tag == CellTag::kOp) ++row;
    if (cell.tag != CellTag::kRevision) continue;
    ++revision;
    size_t chosen = std::size(kKernels);
    for (size_t k = 0; k < std::size(kKernels); ++k) {
      if (kKernels[k].op != RowId{row}) continue;
      const uint16_t until = kKernels[k].until;
      if (until && (cell.y == 0 || cell.y > until)) continue;
      const bool before = chosen < std::size(kKernels);
      if (before && kKernels[chosen].until == until) d.twice[row] = 1;
      if (!before || until) chosen = k;
    }
    if (chosen == std::size(kKernels)) continue;
    d.kernels[revision] = kKernels[chosen].entry;
    serves[chosen] = 1;
  }
  for (size_t k = 0; k < std::size(kKernels); ++k)
    if (!serves[k]) d.unused[kKernels[k].op.v] = 1;
  return d;
}();

constexpr int kFirstRow = __COUNTER__ + 1;
#define SHLO_OP_KERNEL(row, op)                                            \
  constexpr size_t row = __COUNTER__ - kFirstRow + 1;                      \
  static_assert(!kDispatch.twice[row], op ": a revision has two kernels"); \
  static_assert(!kDispatch.unused[row], op ": a kernel serves no revision of it");
#define SHLO_OP(...) SHLO_OP_KERNEL(SHLO_AT_LINE(row_, __LINE__), SHLO_OP_NAME(__VA_ARGS__))
#include "schema/ops.inc"

}  // namespace

const KernelEntry& KernelOf(RevisionId revision) {
  return kDispatch.kernels[revision.v < kNumRevisions ? revision.v : 0];
}

const KernelEntry& KernelOf(const Module& module, const Op& op) {
  if (const KernelEntry& entry = KernelOf(module.RevisionIdOf(op)); entry.kernel) return entry;
  const std::string_view name = module.NameOf(op);
  const auto row = std::ranges::lower_bound(kOthers, name, {}, &OtherRow::op);
  return row != kOthers.end() && row->op == name ? row->entry : kDispatch.kernels[0];
}

bool EndsBlock(const Module& module, const Op& op) {
  return module.RevisionIdOf(op) ? module.Has(op, Trait::kTerminator)
                                 : KernelOf(module, op).kernel == &EvaluateReturn;
}

LoopPicker PickerOf(RevisionId revision) { return KernelOf(revision).picker; }

bool CanEvaluate(RevisionId revision) { return KernelOf(revision).kernel != nullptr; }

}  // namespace shlo
