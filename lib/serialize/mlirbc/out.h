// Output buffer for MLIR bytecode: small items in a buffer, large constants as views between them. Mirrors
// cursor.h.
#pragma once

#include <string_view>
#include <vector>

#include "base/hex.h"
#include "serialize/mlirbc/format.h"
#include "serialize/varint.h"

namespace shlo::mlirbc {

class BytesOut {
 public:
  void Varint(uint64_t value) {
    if (value < 0x80) return bytes_.Byte(uint8_t(value << 1 | 1));
    LongVarint(value);
  }
  void SignedVarint(int64_t value) { Varint(ZigZag(value)); }
  void Reserve(size_t bytes) { bytes_.Reserve(bytes); }
  // Begins a run of small items: at most `bytes`, written through PutVarint and ended where they end.
  uint8_t* BeginRun(size_t bytes) { return bytes_.BeginRun(bytes); }
  void EndRun(const uint8_t* end) { bytes_.EndRun(end); }
  static constexpr size_t kMaxVarint = 9;
  static uint8_t* PutVarint(uint8_t* at, uint64_t value) {
    if (value < 0x80) {
      *at = uint8_t(value << 1 | 1);
      return at + 1;
    }
    return PutLongVarint(at, value);
  }
  void VarintWithFlag(uint64_t value, bool flag) { Varint(value << 1 | uint64_t(flag)); }
  void Byte(uint8_t value) { bytes_.Byte(value); }
  void Bytes(std::string_view bytes) { bytes_.Bytes(bytes); }
  // Appends bytes that must stay alive until everything is written.
  void Blob(const StoredBytes& bytes) {
    if (bytes.size() < kCopyLimit) {
      VisitBytes(bytes, [&](std::string_view piece) {
        bytes_.Bytes(piece);
        return true;
      });
      return;
    }
    blobs_.push_back({bytes_.size(), bytes});
    blob_bytes_ += bytes.size();
  }
  void Align(uint64_t alignment) {
    while (size() & (alignment - 1)) Byte(kPaddingByte);
    alignment_ = alignment > alignment_ ? alignment : alignment_;
  }
  // Appends a section with its frame. Its alignment counts from the start of this one; large data is not
  // copied.
  void AddSection(Section id, const BytesOut& content);
  // Appends a section of small, unaligned bytes: the data written since the place that size() returned.
  void MakeSection(Section id, uint64_t begin);

  uint64_t size() const { return bytes_.size() + blob_bytes_; }
  bool empty() const { return size() == 0; }
  std::string_view small_bytes() const { return bytes_.view(); }
  void clear() {
    bytes_.clear();
    blobs_.clear();
    blob_bytes_ = 0;
    alignment_ = 1;
  }
  // Calls `sink` with the pieces in order until it returns false. `threads` as VisitBytes.
  template <typename SinkT>
  bool ForEachPiece(SinkT&& sink, size_t threads) const {
    size_t at = 0;
    for (const View& view : blobs_) {
      if (view.at > at && !sink(bytes_.view().substr(at, view.at - at))) return false;
      if (!VisitBytes(view.bytes, sink, threads)) return false;
      at = view.at;
    }
    return at == bytes_.size() || sink(bytes_.view().substr(at));
  }

 private:
  static constexpr size_t kCopyLimit = 4096;
  struct View {
    size_t at;  // in bytes_
    StoredBytes bytes;
  };
  void LongVarint(uint64_t value);
  static uint8_t* PutLongVarint(uint8_t* at, uint64_t value);
  void Append(const BytesOut& other);

  ByteBuffer bytes_;
  std::vector<View> blobs_;
  uint64_t blob_bytes_ = 0;
  uint64_t alignment_ = 1;
};

}  // namespace shlo::mlirbc
