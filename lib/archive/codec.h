// How the content of a record is stored: raw, or as one zstd frame of its planes (docs/archive-format.md,
// "Records").
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "archive/pack_format.h"
#include "shlo/diagnostics.h"

struct ZSTD_CCtx_s;
struct ZSTD_DCtx_s;

namespace shlo::archive {

// How to store the chunks of one run of bytes.
struct StoragePlan {
  Encoding encoding = Encoding::kRaw;
  uint8_t planes = 1;
  int level = 1;  // of zstd
};

// Content as it is stored.
struct StoredContent {
  Encoding encoding = Encoding::kRaw;
  uint8_t planes = 1;
  std::string_view raw;  // the content itself, if it is stored raw
  std::string compressed;
  std::string_view bytes() const { return encoding == Encoding::kRaw ? raw : compressed; }
};

// Compresses. Has memory that it uses again, so each thread has one.
class Encoder {
 public:
  Encoder();
  Encoder(const Encoder&) = delete;
  Encoder& operator=(const Encoder&) = delete;
  ~Encoder();
  // Decides how to store bytes by compressing a sample of them in several ways.
  StoragePlan PlanFor(std::string_view bytes);
  // Stores a content as planned, or raw if that is not smaller. `content` must outlive the result.
  StoredContent Encode(std::string_view content, const StoragePlan& plan);

 private:
  // Compresses the planes to `compressed_`. Returns the size, or 0 if it fails.
  size_t Compress(std::string_view content, uint8_t planes, int level);

  std::unique_ptr<ZSTD_CCtx_s, size_t (*)(ZSTD_CCtx_s*)> context_;
  std::string split_, compressed_;
};

// Decodes the stored bytes of a record whose header has no Problem(). Fails with kMalformed.
Result<std::string> DecodeContent(const RecordHeader& header, std::string_view stored);

}  // namespace shlo::archive
