#include "eval/kernel/move_elements.h"

#include <algorithm>
#include <cstring>

#include "base/deadline.h"

namespace shlo {
namespace {

template <size_t kBytes>
void CopyRow(uint8_t* to, int64_t to_step, const uint8_t* from, int64_t from_step, int64_t n) {
  for (int64_t i = 0; i < n; ++i) std::memcpy(to + i * to_step, from + i * from_step, kBytes);
}

// Copies n elements; steps in bytes.
void CopyRow(uint8_t* to, int64_t to_step, const uint8_t* from, int64_t from_step, int64_t n, size_t bytes) {
  if (to_step == int64_t(bytes) && from_step == int64_t(bytes)) {
    std::memcpy(to, from, size_t(n) * bytes);
    return;
  }
  switch (bytes) {
    case 1:
      return CopyRow<1>(to, to_step, from, from_step, n);
    case 2:
      return CopyRow<2>(to, to_step, from, from_step, n);
    case 4:
      return CopyRow<4>(to, to_step, from, from_step, n);
    case 8:
      return CopyRow<8>(to, to_step, from, from_step, n);
    case 16:
      return CopyRow<16>(to, to_step, from, from_step, n);
    default:
      for (int64_t i = 0; i < n; ++i) std::memcpy(to + i * to_step, from + i * from_step, bytes);
  }
}

}  // namespace

Ints StridesOf(std::span<const int64_t> shape) {
  Ints strides(shape.size(), 1);
  for (size_t d = shape.size(); d-- > 1;) strides[d - 1] = strides[d] * std::max<int64_t>(shape[d], 1);
  return strides;
}

namespace {

// A dimension of a copy; steps are in bytes.
struct Dim {
  int64_t extent, from, to;
};

// Calls visit(offset in the source, offset in the result) for each index of the dimensions, in order.
template <typename Visit>
void ForEachOffset(std::span<const Dim> dims, Visit visit) {
  std::vector<int64_t> index(dims.size(), 0);
  int64_t from = 0, to = 0;
  for (;;) {
    Tick();
    visit(from, to);
    size_t d = dims.size();
    for (; d-- > 0;) {
      from += dims[d].from;
      to += dims[d].to;
      if (++index[d] < dims[d].extent) break;
      from -= dims[d].from * dims[d].extent;
      to -= dims[d].to * dims[d].extent;
      index[d] = 0;
    }
    if (d == size_t(-1)) return;
  }
}

}  // namespace

void CopyStrided(std::span<const int64_t> shape, const uint8_t* from, std::span<const int64_t> from_strides,
                 uint8_t* to, std::span<const int64_t> to_strides, size_t bytes) {
  for (int64_t extent : shape)
    if (extent <= 0) return;
  // Merge adjacent dimensions that are contiguous on both sides.
  std::vector<Dim> dims;
  dims.reserve(shape.size() + 1);
  for (size_t d = 0; d < shape.size(); ++d) {
    if (shape[d] == 1) continue;
    const Dim dim{shape[d], from_strides[d] * int64_t(bytes), to_strides[d] * int64_t(bytes)};
    if (!dims.empty() && dims.back().from == dim.from * dim.extent && dims.back().to == dim.to * dim.extent)
      dims.back() = {dims.back().extent * dim.extent, dim.from, dim.to};
    else
      dims.push_back(dim);
  }
  if (dims.empty()) {
    std::memcpy(to, from, bytes);
    return;
  }
  const Dim inner = dims.back();
  dims.pop_back();
  // If elements that are adjacent in `from` are elsewhere in `to`, copies the block of both dimensions at a
  // time: one after the other, they would be read from a different line of the cache each.
  constexpr int64_t kFew = 4;
  const auto adjacent = std::ranges::find_if(
      dims, [&](const Dim& dim) { return dim.from == int64_t(bytes) && dim.extent >= kFew; });
  if (adjacent != dims.end() && inner.from != int64_t(bytes) && inner.extent >= kFew && bytes <= 8) {
    const Dim across = *adjacent;
    dims.erase(adjacent);
    const int64_t block = 64 / int64_t(bytes);
    for (int64_t b = 0; b < inner.extent; b += block)
      for (int64_t a = 0; a < across.extent; a += block) {
        const int64_t rows = std::min(block, across.extent - a), columns = std::min(block, inner.extent - b);
        ForEachOffset(dims, [&](int64_t from_offset, int64_t to_offset) {
          const uint8_t* const source = from + from_offset + a * across.from + b * inner.from;
          uint8_t* const target = to + to_offset + a * across.to + b * inner.to;
          for (int64_t r = 0; r < rows; ++r)
            CopyRow(target + r * across.to, inner.to, source + r * across.from, inner.from, columns, bytes);
        });
      }
    return;
  }
  ForEachOffset(dims, [&](int64_t from_offset, int64_t to_offset) {
    CopyRow(to + to_offset, inner.to, from + from_offset, inner.from, inner.extent, bytes);
  });
}

void FillElements(uint8_t* to, const uint8_t* element, uint64_t count, size_t bytes) {
  if (count == 0) return;
  if (bytes == 1) {
    std::memset(to, *element, count);
    return;
  }
  std::memcpy(to, element, bytes);
  // Doubling needs few calls of memcpy.
  constexpr uint64_t kMost = 1 << 20;  // of which `bytes` is a divisor
  for (uint64_t done = bytes; done < count * bytes;) {
    const uint64_t n = std::min({done, kMost, count * bytes - done});
    Tick(1 + n / 256);
    std::memcpy(to + done, to, n);
    done += n;
  }
}

Tensor Dense(KernelHost& host, const Tensor& tensor) {
  if (!tensor.splat()) return tensor;
  Tensor out = host.Allocate(tensor.type_ptr(), false);
  if (out) FillElements(out.mutable_data(), tensor.data(), tensor.count(), tensor.element().bytes());
  return out;
}

namespace {

// Returns a splat result if the operand is a splat.
Result<Tensor> SplatOrRoom(KernelHost& host, const Tensor& operand, const ValueTypePtr& type) {
  const bool splat = operand.splat() && type->count > 0;
  Tensor out = host.Allocate(type, splat);
  if (!out) return OutOfMemory();
  if (splat) std::memcpy(out.mutable_data(), operand.data(), operand.element().bytes());
  return out;
}

}  // namespace

Result<Tensor> Broadcast(KernelHost& host, const Tensor& operand, std::span<const int64_t> dimensions,
                         const ValueTypePtr& type) {
  const std::vector<int64_t>& shape = operand.type().shape;
  if (dimensions.size() != shape.size())
    return Invalid("broadcast_dimensions does not match the operand rank");
  SHLO_TRY(CheckDimensions("broadcast_dimensions", dimensions, type->rank()));
  const Ints own = StridesOf(shape);
  Ints strides(type->shape.size(), 0);
  for (size_t d = 0; d < shape.size(); ++d) {
    const size_t to = size_t(dimensions[d]);
    if (shape[d] != 1 && shape[d] != type->shape[to])
      return Error(Code::kEvaluation, "operand cannot be broadcast to the result shape");
    strides[to] = shape[d] == 1 ? 0 : own[d];
  }
  if (operand.count() == 1 && type->count > 0) {
    Tensor out = host.Allocate(type, true);
    if (!out) return OutOfMemory();
    std::memcpy(out.mutable_data(), operand.data(), operand.element().bytes());
    return out;
  }
  Tensor out = SHLO_TRY(SplatOrRoom(host, operand, type));
  if (!out.splat())
    CopyStrided(type->shape, operand.data(), strides, out.mutable_data(), StridesOf(type->shape),
                operand.element().bytes());
  return out;
}

Result<Tensor> Transpose(KernelHost& host, const Tensor& operand, std::span<const int64_t> permutation,
                         const ValueTypePtr& type) {
  const Ints own = StridesOf(operand.type().shape);
  Ints strides(permutation.size());
  for (size_t d = 0; d < permutation.size(); ++d) strides[d] = own[size_t(permutation[d])];
  Tensor out = SHLO_TRY(SplatOrRoom(host, operand, type));
  if (out.splat() || type->count == 0) return out;
  const Ints to_strides = StridesOf(type->shape);
  const size_t bytes = operand.element().bytes();
  constexpr uint64_t kLarge = 1 << 16;  // elements that are worth more threads
  if (type->count < kLarge) {
    CopyStrided(type->shape, operand.data(), strides, out.mutable_data(), to_strides, bytes);
    return out;
  }
  uint8_t* const to = out.mutable_data();
  const uint64_t rows = uint64_t(type->shape[0]);
  // Elements are copied in rows of one of the dimensions that are dense on either side.
  int64_t row = type->shape.back();
  for (size_t d = 0; d < strides.size(); ++d)
    if (strides[d] == 1) row = std::max(row, type->shape[d]);
  constexpr double kPerElement = 0.5, kPerRow = 20;  // nanoseconds, approximately
  const double cost = kPerElement + kPerRow / double(row);
  host.Split(rows, double(type->count) / double(rows) * cost, [&](uint64_t begin, uint64_t end) {
    Ints shape = type->shape;
    shape[0] = int64_t(end - begin);
    CopyStrided(shape, operand.data() + int64_t(begin) * strides[0] * int64_t(bytes), strides,
                to + int64_t(begin) * to_strides[0] * int64_t(bytes), to_strides, bytes);
  });
  return out;
}

Result<Tensor> Slice(KernelHost& host, const Tensor& operand, std::span<const int64_t> start,
                     std::span<const int64_t> strides, const ValueTypePtr& type) {
  const Ints own = StridesOf(operand.type().shape);
  Ints steps(own.size());
  int64_t offset = 0;
  for (size_t d = 0; d < own.size(); ++d) {
    steps[d] = type->shape[d] > 1 ? own[d] * strides[d] : 0;  // other strides can be of any size
    offset += own[d] * start[d];
  }
  Tensor out = SHLO_TRY(SplatOrRoom(host, operand, type));
  const size_t bytes = operand.element().bytes();
  if (!out.splat() && type->count > 0)
    CopyStrided(type->shape, operand.data() + offset * int64_t(bytes), steps, out.mutable_data(),
                StridesOf(type->shape), bytes);
  return out;
}

Result<Tensor> Reverse(KernelHost& host, const Tensor& operand, std::span<const int64_t> dimensions) {
  const ValueTypePtr& type = operand.type_ptr();
  SHLO_TRY(CheckDimensions("dimensions", dimensions, type->rank()));
  const Ints own = StridesOf(type->shape);
  Ints steps = own;
  int64_t offset = 0;
  for (int64_t d : dimensions) {
    steps[size_t(d)] = -own[size_t(d)];
    offset += own[size_t(d)] * (type->shape[size_t(d)] - 1);
  }
  Tensor out = SHLO_TRY(SplatOrRoom(host, operand, type));
  const size_t bytes = operand.element().bytes();
  if (!out.splat() && type->count > 0)
    CopyStrided(type->shape, operand.data() + offset * int64_t(bytes), steps, out.mutable_data(), own, bytes);
  return out;
}

Result<Tensor> Concatenate(KernelHost& host, std::span<const Tensor* const> operands, int64_t dimension,
                           const ValueTypePtr& type) {
  Tensor out = host.Allocate(type, false);
  if (!out) return OutOfMemory();
  const size_t bytes = type->element.bytes();
  const Ints strides = StridesOf(type->shape);
  int64_t offset = 0;
  for (const Tensor* operand : operands) {
    const std::vector<int64_t>& shape = operand->type().shape;
    const Ints from = operand->splat() ? Ints(shape.size(), 0) : StridesOf(shape);
    CopyStrided(shape, operand->data(), from,
                out.mutable_data() + offset * strides[size_t(dimension)] * int64_t(bytes), strides, bytes);
    offset += shape[size_t(dimension)];
  }
  return out;
}

Result<Tensor> Pad(KernelHost& host, const Tensor& operand, const Tensor& value, std::span<const int64_t> low,
                   std::span<const int64_t> interior, const ValueTypePtr& type) {
  Tensor out = host.Allocate(type, false);
  if (!out) return OutOfMemory();
  const size_t bytes = type->element.bytes();
  FillElements(out.mutable_data(), value.data(), type->count, bytes);
  const std::vector<int64_t>& shape = operand.type().shape;
  const Ints own = operand.splat() ? Ints(shape.size(), 0) : StridesOf(shape);
  const Ints target = StridesOf(type->shape);
  Ints extents(shape.size()), steps(shape.size());
  int64_t from = 0, to = 0;
  for (size_t d = 0; d < shape.size(); ++d) {
    // The elements i whose position low + i * step is in the result.
    const int64_t step = interior[d] + 1;
    const int64_t first = low[d] >= 0 ? 0 : (-low[d] + step - 1) / step;
    const int64_t room = type->shape[d] - 1 - low[d];
    const int64_t last = room < 0 ? -1 : std::min(shape[d] - 1, room / step);
    extents[d] = std::max<int64_t>(last - first + 1, 0);
    if (extents[d] == 0) return out;
    steps[d] = target[d] * step;
    from += own[d] * first;
    to += target[d] * (low[d] + first * step);
  }
  CopyStrided(extents, operand.data() + from * int64_t(bytes), own, out.mutable_data() + to * int64_t(bytes),
              steps, bytes);
  return out;
}

}  // namespace shlo
