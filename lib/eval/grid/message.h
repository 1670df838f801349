// Messages between the processes of a grid that are elsewhere, and whoever placed them: numbers, texts,
// values and diagnostics as bytes, bit for bit. A message may come from another machine, so that everything
// in it is checked before it is used. Internal to lib/eval.
//
// A message is a byte with the version of this format, a byte with its kind, and fields without gaps. Numbers
// are 64 bits, little-endian; a text or a list is its size, and what is in it. A value is a byte with what it
// is, its type (element types by name, so that their order in the tables does not matter) and its bytes.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "eval/grid/process_exchange.h"
#include "shlo/diagnostics.h"
#include "shlo/tensor.h"

namespace shlo {

enum class MessageKind : uint8_t { kGrid = 1, kJob, kRequest, kAnswer, kValues, kOutcome };

class MessageWriter {
 public:
  explicit MessageWriter(MessageKind kind);
  void Byte(uint8_t byte) { bytes_ += char(byte); }
  void Number(uint64_t number);
  void Text(std::string_view text);
  void Id(ProcessId id);
  void Values(const std::vector<Tensor>& values);
  void Problems(const Diagnostics& diagnostics);
  std::string Take() { return std::move(bytes_); }

 private:
  void Value(const Tensor& value);
  void Type(const ValueType& type, bool splat);

  std::string bytes_;
};

// After the first mistake it is at its end: numbers are 0, texts and lists are empty. End() tells.
class MessageReader {
 public:
  // `owner` keeps the bytes for values, which are views of them.
  MessageReader(std::string_view bytes, Buffer owner, MessageKind kind);
  uint8_t Byte();
  // Returns 0 or 1.
  bool Flag();
  uint64_t Number();
  // Returns a number that fits into 32 bits.
  uint32_t Small();
  // Returns the number of items in a list that follow, of this many bytes each at least.
  uint64_t Count(uint64_t least_bytes);
  std::string_view Text();
  ProcessId Id();
  std::vector<Tensor> Values();
  // Returns at least one diagnostic if `failed`.
  Diagnostics Problems(bool failed);
  // Returns what has not been read, and is then at the end.
  std::string_view Rest();
  // Fails if there was a mistake, or if something follows.
  Result<void> End() const;

 private:
  void Fail();
  std::string_view Take(uint64_t size);
  Tensor Value(int depth);
  ValueTypePtr Type(uint8_t flags);
  QuantizationPtr Parameters();
  std::vector<int64_t> Integers();

  const char* const begin_;
  std::string_view left_;
  const Buffer owner_;
  bool failed_ = false;
  size_t failed_at_ = 0;
  bool other_format_ = false;
};

}  // namespace shlo
