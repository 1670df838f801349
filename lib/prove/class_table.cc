#include "prove/class_table.h"

#include <cstring>

#include "base/deadline.h"
#include "base/mapped_bytes.h"

namespace shlo::prove {

uint32_t SharedBytes::Number(const uint8_t* data, uint64_t size) {
  std::vector<uint32_t>& here = by_address_[size ? data : nullptr];
  for (uint32_t number : here)
    if (bytes_[number].size == size) return number;
  uint64_t hash = 0;
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  VisitPieces(bytes, [&](std::string_view piece) {
    hash = HashBytes(piece.data(), piece.size(), hash);
    return true;
  });
  uint32_t number = index_.Find(hash, [&](uint32_t other) {
    return EqualBytes(bytes, {reinterpret_cast<const char*>(bytes_[other].data), bytes_[other].size});
  });
  if (!number) {
    number = uint32_t(bytes_.size());
    bytes_.push_back({data, size});
    index_.Insert(hash, number);
  }
  here.push_back(number);
  return number;
}

ClassId ClassTable::Intern(std::span<const uint32_t> words) {
  Tick(1 + words.size() / 16);
  const uint64_t hash = HashBytes(words.data(), words.size_bytes());
  const uint32_t found = index_.Find(hash, [&](uint32_t id) {
    const Class& c = classes_[id];
    return c.count == words.size() &&
           std::memcmp(words_.data() + c.first, words.data(), words.size_bytes()) == 0;
  });
  if (found) return found;
  const ClassId id = size();
  classes_.push_back({words_.size(), uint32_t(words.size())});
  words_.insert(words_.end(), words.begin(), words.end());
  index_.Insert(hash, id);
  return id;
}

ClassId ClassTable::Unique() {
  const uint32_t words[] = {uint32_t(Tag::kUnique), size()};
  return Intern(words);
}

}  // namespace shlo::prove
