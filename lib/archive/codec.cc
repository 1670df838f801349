#include "archive/codec.h"

#include <zstd.h>

#include <algorithm>
#include <array>
#include <new>

namespace shlo::archive {
namespace {

// Bytes of the sample that decides how to store the rest.
constexpr size_t kSample = size_t(16) << 10;
// Less is not worth a frame.
constexpr size_t kSmallest = 64;
// Planes hold exponents and mantissas: matches are rare in both, and a higher level only looks for more of
// them. Other bytes are programs and texts, which are small and full of matches.
constexpr int kPlanesLevel = 1, kBytesLevel = 9;

// Plane p of n bytes in w planes has the bytes p, p + w, ...
size_t PlaneSize(size_t n, size_t w, size_t p) { return (n + w - 1 - p) / w; }

template <size_t W>
void SplitPlanes(std::string_view bytes, char* out) {
  const size_t whole = bytes.size() / W;
  std::array<char*, W> at;
  for (size_t p = 0; p < W; ++p) {
    at[p] = out;
    out += PlaneSize(bytes.size(), W, p);
  }
  const char* in = bytes.data();
  for (size_t i = 0; i < whole; ++i)
    for (size_t p = 0; p < W; ++p) at[p][i] = in[i * W + p];
  for (size_t p = 0; whole * W + p < bytes.size(); ++p) at[p][whole] = in[whole * W + p];
}

template <size_t W>
void JoinPlanes(std::string_view planes, char* out) {
  const size_t size = planes.size(), whole = size / W;
  std::array<const char*, W> at;
  const char* in = planes.data();
  for (size_t p = 0; p < W; ++p) {
    at[p] = in;
    in += PlaneSize(size, W, p);
  }
  for (size_t i = 0; i < whole; ++i)
    for (size_t p = 0; p < W; ++p) out[i * W + p] = at[p][i];
  for (size_t p = 0; whole * W + p < size; ++p) out[whole * W + p] = at[p][whole];
}

// Calls fn<W>() for the number of planes.
template <typename FnT>
void WithPlanes(uint8_t planes, FnT&& fn) {
  if (planes == 2) fn(std::integral_constant<size_t, 2>());
  if (planes == 4) fn(std::integral_constant<size_t, 4>());
  if (planes == 8) fn(std::integral_constant<size_t, 8>());
}

}  // namespace

Encoder::Encoder() : context_(ZSTD_createCCtx(), ZSTD_freeCCtx) {}
Encoder::~Encoder() = default;

size_t Encoder::Compress(std::string_view content, uint8_t planes, int level) {
  if (!context_) return 0;
  std::string_view in = content;
  if (planes > 1) {
    split_.resize(content.size());
    WithPlanes(planes, [&](auto w) { SplitPlanes<w>(content, split_.data()); });
    in = split_;
  }
  compressed_.resize(ZSTD_compressBound(in.size()) + 64);
  ZSTD_CCtx_reset(context_.get(), ZSTD_reset_session_and_parameters);
  ZSTD_CCtx_setParameter(context_.get(), ZSTD_c_compressionLevel, level);
  if (ZSTD_isError(ZSTD_CCtx_setPledgedSrcSize(context_.get(), in.size()))) return 0;
  ZSTD_outBuffer out{compressed_.data(), compressed_.size(), 0};
  ZSTD_inBuffer from{in.data(), 0, 0};
  // Each plane has its own blocks, and with them its own code table: one that does not compress is raw.
  for (uint8_t p = 0; p + 1 < planes; ++p) {
    from.size += PlaneSize(in.size(), planes, p);
    if (ZSTD_compressStream2(context_.get(), &out, &from, ZSTD_e_flush) != 0) return 0;
  }
  from.size = in.size();
  return ZSTD_compressStream2(context_.get(), &out, &from, ZSTD_e_end) == 0 ? out.pos : 0;
}

StoragePlan Encoder::PlanFor(std::string_view bytes) {
  if (bytes.size() < kSmallest) return {};
  const size_t size = std::min(bytes.size(), kSample);
  // Aligned, so that all planes of a sample are those of elements.
  const std::string_view sample = bytes.substr(((bytes.size() - size) / 2) & ~size_t(7), size);
  StoragePlan best;
  size_t smallest = size - size / 16;
  for (const uint8_t planes : {1, 2, 4, 8}) {
    const int level = planes == 1 ? kBytesLevel : kPlanesLevel;
    const size_t compressed = Compress(sample, planes, level);
    // More planes have to be clearly better: they cost time.
    if (compressed == 0 || compressed >= smallest) continue;
    best = {Encoding::kZstd, planes, level};
    smallest = compressed - compressed / 64;
  }
  return best;
}

StoredContent Encoder::Encode(std::string_view content, const StoragePlan& plan) {
  StoredContent out;
  out.raw = content;
  if (plan.encoding == Encoding::kRaw || content.size() < kSmallest) return out;
  const size_t size = Compress(content, plan.planes, plan.level);
  if (size == 0 || size >= content.size() || content.size() / size > kMaxRatio) return out;
  out.encoding = plan.encoding;
  out.planes = plan.planes;
  out.compressed.assign(compressed_.data(), size);
  return out;
}

Result<std::string> DecodeContent(const RecordHeader& header, std::string_view stored) {
  if (header.encoding == Encoding::kRaw) return std::string(stored);
  if (ZSTD_getFrameContentSize(stored.data(), stored.size()) != header.size)
    return Error(Code::kMalformed, "the size of a compressed record is not the one that its header states");
  std::string content(header.size, '\0');
  // Making one takes as long as decompressing a small record.
  thread_local const std::unique_ptr<ZSTD_DCtx, size_t (*)(ZSTD_DCtx*)> context(ZSTD_createDCtx(),
                                                                                ZSTD_freeDCtx);
  if (!context) throw std::bad_alloc();
  const size_t size =
      ZSTD_decompressDCtx(context.get(), content.data(), content.size(), stored.data(), stored.size());
  if (ZSTD_isError(size) || size != content.size())
    return Error(Code::kMalformed, "a compressed record cannot be decompressed");
  if (header.planes == 1) return content;
  std::string joined(content.size(), '\0');
  WithPlanes(header.planes, [&](auto w) { JoinPlanes<w>(content, joined.data()); });
  return joined;
}

}  // namespace shlo::archive
