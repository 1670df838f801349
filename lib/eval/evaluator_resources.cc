// The share of the machine that an evaluation takes, within its limits: steps, memory and threads.
#include <algorithm>
#include <cstdlib>
#include <utility>
#include <vector>

#include "base/deadline.h"
#include "base/format.h"
#include "base/mapped_bytes.h"
#include "eval/evaluator.h"
#include "eval/frame.h"
#include "eval/tensor/memory.h"

namespace shlo {
namespace {

// Number of free buffers to keep. Small, because searching them must be cheaper than malloc.
constexpr size_t kMaxFreeBuffers = 8;

}  // namespace

// --- Steps ----------------------------------------------------------------------------------------

Diagnostics Evaluator::TooManySteps() {
  stopped_ = true;
  return Error(Code::kLimit,
               StrFormat("evaluation exceeds the limit of {} steps",
                         std::min(options_.limits.max_steps, limit_.steps)),
               {}, "if the program ends, raise the limit: --max-steps (Limits::max_steps)")
      .value();
}

Diagnostics Evaluator::TooMuchWork() {
  stopped_ = true;
  return Error(Code::kLimit,
               StrFormat("evaluation takes more work than the limit of {} ms of estimated time",
                         double(max_work_) / 1e6),
               {}, "raise the limit: --max-work (Limits::max_work)")
      .value();
}

Status Evaluator::CountSteps(uint64_t steps) {
  constexpr uint64_t kWorkPerStep = 10;
  work_ += steps * kWorkPerStep;
  Tick(steps);
  if (steps_left_ < steps) return tl::make_unexpected(TooManySteps());
  steps_left_ -= steps;
  // An op may be a loop without an end.
  if (work_ > max_work_) return tl::make_unexpected(TooMuchWork());
  return {};
}

// --- Memory ---------------------------------------------------------------------------------------

Tensor Evaluator::Allocate(const ValueTypePtr& type, bool splat) {
  if (!type) return {};  // overly large shapes have no type
  const uint64_t size = splat ? type->element.bytes() : type->bytes;
  for (size_t i = 0; i < free_.size(); ++i) {
    if (free_[i].size != size) continue;
    std::shared_ptr<uint8_t[]> buffer = std::move(free_[i].buffer);
    free_[i] = std::move(free_.back());
    free_.pop_back();
    return Tensor::Reuse(type, std::move(buffer), splat);  // already counted
  }
  // Free buffers of other sizes must not add to the peak.
  while (!free_.empty() && *live_bytes_ + size > peak_bytes_) free_.pop_back();
  const auto too_much = [&] {
    return size > options_.limits.max_memory || *live_bytes_ > options_.limits.max_memory - size;
  };
  if (too_much()) return {};
  const std::shared_ptr<TensorArena> arena = size < TensorArena::kLeast ? nullptr : arena_;
  uint8_t* bytes = arena ? arena->Allocate(size) : AllocateBytes(size);
  if (!bytes) return {};
  peak_bytes_ = std::max(peak_bytes_, *live_bytes_ += size);
  std::shared_ptr<uint8_t[]> buffer(bytes, [size, live = live_bytes_, arena](uint8_t* p) {
    arena ? arena->Free(p, size) : FreeBytes(p, size);
    *live -= size;
  });
  return Tensor::Reuse(type, std::move(buffer), splat);
}

void Evaluator::ReleaseForGood(Tensor& tensor) {
  constexpr uint64_t kLarge = 64 << 10;
  if (tensor && tensor.type().is_tensor() && !tensor.mutable_data() && tensor.stored_bytes() >= kLarge)
    ReleasePages({reinterpret_cast<const char*>(tensor.data()), tensor.stored_bytes()});
  Release(tensor);
}

void Evaluator::Release(Tensor& tensor) {
  if (!tensor) return;
  const uint64_t size = tensor.stored_bytes();
  std::shared_ptr<uint8_t[]> buffer = tensor.Reclaim();
  if (buffer && size < TensorArena::kLeast && free_.size() < kMaxFreeBuffers)
    free_.push_back({size, std::move(buffer)});
}

// --- Threads --------------------------------------------------------------------------------------

namespace {

// Returns where part i of [0, n) begins; n may be large.
uint64_t Share(uint64_t n, uint64_t i, uint64_t parts) { return n / parts * i + n % parts * i / parts; }

}  // namespace

void Evaluator::Split(uint64_t n, double cost, const std::function<void(uint64_t, uint64_t)>& work) {
  constexpr double kWorthAThread = 50'000, kSlice = 10'000'000;  // nanoseconds
  const Limits ends = CurrentEnds();
  const bool may_end = ends.deadline != Limits().deadline || ends.cancellation;
  uint64_t threads = std::min(n, uint64_t(double(n) * cost / kWorthAThread));
  if (threads > 1) threads = std::min<uint64_t>(threads, NumThreads(options_.limits.threads));
  work_ += uint64_t(double(n) * cost);
  // One op may be more than all that is allowed: it does not begin.
  if (work_ > max_work_) throw WorkLimit();
  const auto in_slices = [&](uint64_t begin, uint64_t end) {
    if (!may_end) return work(begin, end);
    const uint64_t slice = std::max<uint64_t>(1, uint64_t(kSlice / cost));
    for (; begin < end; begin += std::min(slice, end - begin)) {
      ReadClock();
      work(begin, begin + std::min(slice, end - begin));
    }
  };
  if (threads <= 1) return in_slices(0, n);
  // Several parts per thread if each is worth it: threads that the system gives less time take fewer. As many
  // for each thread, because otherwise all would wait for those with one more.
  constexpr double kWorthAPart = 2'000'000;  // nanoseconds
  constexpr uint64_t kPartsPerThread = 4;
  const double all = double(n) * cost;
  const uint64_t per_thread = std::clamp(uint64_t(all / kWorthAPart) / threads, uint64_t(1), kPartsPerThread);
  const uint64_t parts = std::min(n, threads * per_thread);
  pool_.Run(parts, threads, [&](size_t i) { in_slices(Share(n, i, parts), Share(n, i + 1, parts)); });
}

}  // namespace shlo
