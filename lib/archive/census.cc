#include "archive/census.h"

#include "archive/limits.h"
#include "serialize/varint.h"

namespace shlo::archive {

std::string WriteCensus(const Census& census) {
  ByteBuffer out;
  for (const auto* packs : {&census.live, &census.replaced}) {
    out.Varint(packs->size());
    for (const auto& [sequence, hash] : *packs) {
      out.Word(sequence);
      out.Bytes({reinterpret_cast<const char*>(hash.data()), hash.size()});
    }
  }
  return std::string(out.view());
}

std::optional<Census> ReadCensus(std::string_view content) {
  Census census;
  Cursor in(content);
  for (auto* packs : {&census.live, &census.replaced}) {
    const uint64_t count = in.Varint();
    for (uint64_t i = 0; i < count && in.ok(); ++i) {
      const uint64_t sequence = in.Word();
      const std::string_view hash = in.Bytes(sizeof(PackHash));
      // Sorted, so that the same packs have the same bytes.
      if (!in.ok() || sequence == 0 || sequence > kMaxNumber ||
          (!packs->empty() && packs->rbegin()->first >= sequence))
        return std::nullopt;
      std::memcpy((*packs)[sequence].data(), hash.data(), hash.size());
    }
  }
  if (!in.done()) return std::nullopt;
  return census;
}

}  // namespace shlo::archive
