// The share of the machine that an evaluation takes, within its limits: steps, memory and threads.
#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstdlib>
#include <exception>
#include <utility>
#include <vector>

#include "eval/evaluator.h"
#include "eval/memory.h"
#include "eval/worker_pool.h"
#include "ir/deadline.h"
#include "ir/mapped_bytes.h"
#include "ir/workers.h"

namespace shlo {
namespace {

// Number of free buffers to keep. Small, because searching them must be cheaper than malloc.
constexpr size_t kMaxFreeBuffers = 8;

}  // namespace

// --- Steps ----------------------------------------------------------------------------------------

Diagnostics Evaluator::TooManySteps() {
  stopped_ = true;
  return Error(Code::kLimit,
               fmt::format("evaluation exceeds the limit of {} steps",
                           std::min(options_.limits.max_steps, limit_.steps)),
               {}, "if the program ends, raise the limit: --max-steps (Limits::max_steps)")
      .value();
}

Diagnostics Evaluator::TooMuchWork() {
  stopped_ = true;
  return Error(Code::kLimit,
               fmt::format("evaluation takes more work than the limit of {} ms", max_work_ / 1'000'000), {},
               "raise the limit: --max-work (Limits::max_work)")
      .value();
}

Status Evaluator::CountSteps(uint64_t steps) {
  constexpr uint64_t kWorkPerStep = 10;
  work_ += steps * kWorkPerStep;
  Tick(steps);
  if (steps_left_ < steps) return tl::make_unexpected(TooManySteps());
  steps_left_ -= steps;
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
    read_.emplace_back(reinterpret_cast<const char*>(tensor.data()), tensor.stored_bytes());
  Release(tensor);
}

void Evaluator::GiveBackPages() {
  for (std::string_view bytes : read_) ReleasePages(bytes);
  read_.clear();
}

void Evaluator::Release(Tensor& tensor) {
  if (!tensor) return;
  const uint64_t size = tensor.stored_bytes();
  std::shared_ptr<uint8_t[]> buffer = tensor.Reclaim();
  if (buffer && size < TensorArena::kLeast && free_.size() < kMaxFreeBuffers)
    free_.push_back({size, std::move(buffer)});
}

const uint8_t* Evaluator::Staged(const uint8_t* bytes, uint64_t size) {
  // Threads that map pages of the same 2 MiB wait for each other.
  constexpr uint64_t kLeast = 128 << 10, kPart = 2 << 20;
  if (size < kLeast || size > kMostStaged || !MappedAt(bytes)) return bytes;
  const std::string_view all(reinterpret_cast<const char*>(bytes), size);
  if (!populated_.empty() && populated_.data() != all.data()) read_.push_back(populated_);
  populated_ = all;
  const auto in_parts = [&](const std::function<bool(std::string_view)>& visit) {
    const uint64_t before = uintptr_t(bytes) % kPart, parts = (before + size + kPart - 1) / kPart;
    std::atomic<bool> done = true;
    const auto part = [&](uint64_t i) {
      const uint64_t begin = i == 0 ? 0 : i * kPart - before;
      if (!visit(all.substr(begin, (i + 1) * kPart - before - begin))) done = false;
    };
    if (parts > 1 && NumThreads(options_.threads) > 1) {
      Pool().Run(std::min<uint64_t>(parts, NumThreads(options_.threads)), parts, part);
    } else {
      for (uint64_t i = 0; i < parts; ++i) part(i);
    }
    return done.load();
  };
  if (in_parts(PopulatePages)) return bytes;
  populated_ = {};
  if (!stage_ || stage_.count() < size) {
    stage_ = Tensor();
    const int64_t shape[1] = {int64_t(std::bit_ceil(size))};
    stage_ = Allocate(MakeTensorType({TypeKind::kUI8}, shape), false);
    if (!stage_) return bytes;
  }
  // If the file cannot be read, who reads the mapped bytes finds out why.
  uint8_t* const to = stage_.mutable_data();
  const bool read =
      in_parts([&](std::string_view part) { return ReadMapped(part, to + (part.data() - all.data())); });
  return read ? to : bytes;
}

// --- Threads --------------------------------------------------------------------------------------

namespace {

// Returns where part i of [0, n) begins; n may be large.
uint64_t Share(uint64_t n, uint64_t i, uint64_t parts) { return n / parts * i + n % parts * i / parts; }

}  // namespace

WorkerPool& Evaluator::Pool() {
  if (!pool_) pool_ = std::make_unique<WorkerPool>();
  return *pool_;
}

void Evaluator::Split(uint64_t n, double cost, const std::function<void(uint64_t, uint64_t)>& work) {
  constexpr double kWorthAThread = 50'000, kSlice = 10'000'000;  // nanoseconds
  const Limits::Clock::time_point deadline = CurrentDeadline();
  uint64_t threads = std::min(n, uint64_t(double(n) * cost / kWorthAThread));
  if (threads > 1) threads = std::min<uint64_t>(threads, NumThreads(options_.threads));
  work_ += uint64_t(double(n) * cost);
  // One op may be more than all that is allowed: it does not begin.
  if (work_ > max_work_) throw WorkLimit();
  const auto in_slices = [&](uint64_t begin, uint64_t end) {
    if (deadline == Limits::Clock::time_point::max()) return work(begin, end);
    const uint64_t slice = std::max<uint64_t>(1, uint64_t(kSlice / cost));
    for (; begin < end; begin += std::min(slice, end - begin)) {
      if (Limits::Clock::now() >= deadline) throw DeadlinePassed();
      work(begin, begin + std::min(slice, end - begin));
    }
  };
  if (threads <= 1) return in_slices(0, n);
  // Several parts per thread if each is worth it: threads that the system gives less time take fewer.
  constexpr double kWorthAPart = 2'000'000;  // nanoseconds
  constexpr uint64_t kPartsPerThread = 4;
  const uint64_t parts =
      std::min(n, std::clamp(uint64_t(double(n) * cost / kWorthAPart), threads, threads * kPartsPerThread));
  // Work may throw std::bad_alloc on any thread; rethrow it in the caller.
  std::vector<std::exception_ptr> thrown(parts);
  const auto part = [&](uint64_t i) {
    if (i == 0) return GiveBackPages();
    try {
      in_slices(Share(n, i - 1, parts), Share(n, i, parts));
    } catch (...) {
      thrown[i - 1] = std::current_exception();
    }
  };
  Pool().Run(threads, parts + 1, part);
  for (const std::exception_ptr& exception : thrown)
    if (exception) std::rethrow_exception(exception);
}

}  // namespace shlo
