#include "shlo/node_table.h"

#include <algorithm>
#include <atomic>
#include <mutex>

#include "base/aligned_bytes.h"
#include "base/hex.h"
#include "base/mapped_bytes.h"

namespace shlo {

void IdIndex::Insert(uint64_t hash, uint32_t id) {
  hashes_.push_back(hash);
  ids_.push_back(id);
  if (ids_.size() * 2 > slots_.size()) return Grow();
  const size_t mask = slots_.size() - 1;
  size_t i = hash & mask;
  while (slots_[i].id) i = (i + 1) & mask;
  slots_[i] = {uint32_t(hash >> 32), id};
}

void IdIndex::Grow() {
  slots_.assign(std::max<size_t>(64, slots_.size() * 4), {});
  const size_t mask = slots_.size() - 1;
  for (size_t k = 0; k < ids_.size(); ++k) {
    size_t i = hashes_[k] & mask;
    while (slots_[i].id) i = (i + 1) & mask;
    slots_[i] = {uint32_t(hashes_[k] >> 32), ids_[k]};
  }
}

std::string_view Arena::Copy(std::string_view bytes) {
  if (bytes.empty()) return {};
  if (bytes.size() > left_) {
    constexpr size_t kChunk = 16384;
    const size_t size = std::max(kChunk, bytes.size());
    chunks_.push_back(std::make_unique_for_overwrite<char[]>(size));
    if (size > kChunk) {  // a large string gets its own chunk; the current one stays open
      std::memcpy(chunks_.back().get(), bytes.data(), bytes.size());
      return {chunks_.back().get(), bytes.size()};
    }
    next_ = chunks_.back().get();
    left_ = size;
  }
  char* at = next_;
  std::memcpy(at, bytes.data(), bytes.size());
  next_ += bytes.size();
  left_ -= bytes.size();
  return {at, bytes.size()};
}

StringId StringTable::Intern(std::string_view text) {
  const uint64_t hash = HashBytes(text.data(), text.size());
  if (const uint32_t found = index_.Find(hash, [&](uint32_t id) { return strings_[id] == text; }))
    return StringId(found);
  const uint32_t id = uint32_t(strings_.size());
  strings_.push_back(arena_.Copy(text));
  index_.Insert(hash, id);
  return StringId(id);
}

StringId StringTable::Find(std::string_view text) const {
  return StringId(
      index_.Find(HashBytes(text.data(), text.size()), [&](uint32_t id) { return strings_[id] == text; }));
}

PayloadId PayloadTable::Find(uint64_t hash, const void* data, uint64_t size) const {
  return PayloadId(index_.Find(hash, [&](uint32_t id) {
    const Payload& p = payloads_[id];
    return p.size == size && (size == 0 || std::memcmp(p.data, data, size) == 0);
  }));
}

PayloadId PayloadTable::AddView(const void* data, uint64_t size, const Buffer& owner) {
  const bool deduplicate = size <= kDeduplicate;
  uint64_t hash = 0;
  if (deduplicate) {
    hash = HashBytes(data, size);
    if (PayloadId found = Find(hash, data, size)) return found;
  }
  const uint32_t id = uint32_t(payloads_.size());
  payloads_.push_back({static_cast<const uint8_t*>(data), size});
  if (owner && (owners_.empty() || owners_.back() != owner)) owners_.push_back(owner);
  if (deduplicate) index_.Insert(hash, id);
  return PayloadId(id);
}

PayloadId PayloadTable::AddCopy(std::string_view bytes) {
  if (bytes.size() <= kDeduplicate) {
    const uint64_t hash = HashBytes(bytes.data(), bytes.size());
    if (PayloadId found = Find(hash, bytes.data(), bytes.size())) return found;
  }
  const std::string_view copy = arena_.Copy(bytes);
  return AddView(copy.data(), copy.size(), nullptr);
}

struct PayloadTable::Digits {
  PayloadId id;
  std::string_view text;
  Buffer owner;
  std::mutex mutex;
  std::shared_ptr<uint8_t> bytes;              // once decoded
  std::atomic<const uint8_t*> data = nullptr;  // then the same
};

PayloadId PayloadTable::AddHex(std::string_view digits, const Buffer& owner) {
  const PayloadId id(uint32_t(payloads_.size()));
  payloads_.push_back({nullptr, digits.size() / 2});
  auto added = std::make_shared<Digits>();
  added->id = id;
  added->text = digits;
  added->owner = owner;
  digits_.push_back(std::move(added));
  return id;
}

std::vector<PayloadId> PayloadTable::Absorb(PayloadTable&& other) {
  std::vector<PayloadId> ids(other.size());
  arena_.Share(other.arena_);
  owners_.insert(owners_.end(), other.owners_.begin(), other.owners_.end());
  auto digits = other.digits_.begin();
  for (uint32_t i = 1; i < other.size(); ++i) {
    const Payload& payload = other.payloads_[i];
    if (payload.data || !payload.size) {
      ids[i] = AddView(payload.data, payload.size, nullptr);
      continue;
    }
    ids[i] = PayloadId(uint32_t(payloads_.size()));
    payloads_.push_back(payload);
    (*digits)->id = ids[i];
    digits_.push_back(std::move(*digits++));
  }
  return ids;
}

PayloadTable::Digits& PayloadTable::DigitsOf(PayloadId id) const {
  return **std::ranges::lower_bound(digits_, id.v, {}, [](const auto& digits) { return digits->id.v; });
}

Payload PayloadTable::Decoded(PayloadId id) const {
  Digits& digits = DigitsOf(id);
  const std::lock_guard lock(digits.mutex);
  if (!digits.data) {
    digits.bytes = AllocateAligned(digits.text.size() / 2);
    DecodeHex(digits.text, digits.bytes.get());  // they were digits when the text was read
    ReleasePages(digits.text);
    digits.data = digits.bytes.get();
  }
  return {digits.data, digits.text.size() / 2};
}

StoredBytes PayloadTable::StoredOf(PayloadId id) const {
  const Payload& payload = payloads_[id.v];
  if (payload.data || !payload.size) return {payload.bytes(), /*hex=*/false};
  const Digits& digits = DigitsOf(id);
  if (const uint8_t* const data = digits.data) return {Payload{data, payload.size}.bytes(), /*hex=*/false};
  return {digits.text, /*hex=*/true};
}

}  // namespace shlo
