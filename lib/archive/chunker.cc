#include "archive/chunker.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <string>

#include "archive/content_id.h"
#include "base/deadline.h"
#include "base/mapped_bytes.h"

namespace shlo::archive {
namespace {

using Gear = std::array<uint64_t, 256>;

Gear MakeGear() {
  Gear gear;
  for (size_t b = 0; b < gear.size(); ++b) {
    std::string text("shlo gear");
    text += '\0';
    text += char(b);
    const ContentId id = IdOf(text);
    std::memcpy(&gear[b], id.bytes.data(), sizeof gear[b]);
  }
  return gear;
}

// Few cuts before the normal size and many after it make chunks of similar sizes.
constexpr uint64_t kFew = ~uint64_t(0) << (64 - 18), kMany = ~uint64_t(0) << (64 - 14);
// The hash depends on as many bytes as it has bits.
constexpr size_t kWindow = 64;

size_t FirstChunk(const Gear& gear, std::string_view bytes) {
  if (bytes.size() <= kMinChunk) return bytes.size();
  const auto* const data = reinterpret_cast<const uint8_t*>(bytes.data());
  const size_t normal = std::min(bytes.size(), kNormalChunk), most = std::min(bytes.size(), kMaxChunk);
  uint64_t h = 0;
  size_t i = kMinChunk - kWindow;
  for (; i < kMinChunk - 1; ++i) h = (h << 1) + gear[data[i]];
  for (; i < normal - 1; ++i) {
    h = (h << 1) + gear[data[i]];
    if ((h & kFew) == 0) return i + 1;
  }
  for (; i < most; ++i) {
    h = (h << 1) + gear[data[i]];
    if ((h & kMany) == 0) return i + 1;
  }
  return most;
}

}  // namespace

std::vector<size_t> ChunkSizes(std::string_view bytes) {
  if (bytes.size() <= kMinChunk) return bytes.empty() ? std::vector<size_t>() : std::vector{bytes.size()};
  const Gear gear = MakeGear();
  std::vector<size_t> sizes;
  size_t read = 0;
  for (size_t at = 0; at < bytes.size();) {
    sizes.push_back(FirstChunk(gear, bytes.substr(at)));
    Tick(sizes.back() / 16);
    at += sizes.back();
    if (at - read >= kPieceBytes) {
      ReleasePages(bytes.substr(read, at - read));
      read = at;
    }
  }
  return sizes;
}

}  // namespace shlo::archive
