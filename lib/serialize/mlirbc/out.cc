#include "serialize/mlirbc/out.h"

#include <bit>
#include <cstring>

namespace shlo::mlirbc {

// The low zero bits of the first byte count the bytes after it; a one and the value follow. Values of more
// than 56 bits have a first byte of zero and eight bytes.
uint8_t* BytesOut::PutLongVarint(uint8_t* at, uint64_t value) {
  const unsigned more = (std::bit_width(value | 1) - 1) / 7;
  if (more < 8) {
    const uint64_t word = (value << 1 | 1) << more;
    std::memcpy(at, &word, sizeof word);
    return at + more + 1;
  }
  *at = 0;
  std::memcpy(at + 1, &value, sizeof value);
  return at + kMaxVarint;
}

void BytesOut::LongVarint(uint64_t value) { EndRun(PutLongVarint(BeginRun(kMaxVarint), value)); }

void BytesOut::AddSection(Section id, const BytesOut& content) {
  const bool align = content.alignment_ > 1;
  // Whether padding is needed is known only after the code and the size are written.
  BytesOut size;
  size.Varint(content.size());
  const bool pads = align && ((this->size() + 1 + size.size()) & (content.alignment_ - 1));
  Byte(uint8_t(id) | (pads ? kAlignedSection : 0));
  Append(size);
  if (pads) {
    Varint(content.alignment_);
    Align(content.alignment_);
  } else if (content.alignment_ > alignment_) {
    alignment_ = content.alignment_;
  }
  Append(content);
}

void BytesOut::MakeSection(Section id, uint64_t begin) {
  const uint64_t size = this->size() - begin;
  uint8_t frame[1 + kMaxVarint];
  frame[0] = uint8_t(id);
  const size_t length = size_t(PutVarint(frame + 1, size) - frame);
  uint8_t* const end = BeginRun(length);
  std::memmove(end + length - size, end - size, size);
  std::memcpy(end - size, frame, length);
  EndRun(end + length);
}

void BytesOut::Append(const BytesOut& other) {
  size_t at = 0;
  for (const View& view : other.blobs_) {
    bytes_.Bytes(other.bytes_.view().substr(at, view.at - at));
    Blob(view.bytes);
    at = view.at;
  }
  bytes_.Bytes(other.bytes_.view().substr(at));
}

}  // namespace shlo::mlirbc
