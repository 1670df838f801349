// Prints types and attributes as MLIR text. For programs, see text_writer.h.
#pragma once

#include <cstdint>
#include <string>

#include "shlo/module.h"

namespace shlo {

// The dialect that a text uses for types and attributes.
enum class Spelling : uint8_t { kStablehlo, kVhlo };

// The length in bytes at which messages cut the text of a type or an attribute.
inline constexpr uint64_t kMaxShown = 4096;

// Returns the text of a type for a message, cut at kMaxShown.
std::string TypeText(const Module& module, TypeId type, Spelling spelling = Spelling::kStablehlo);
// Returns the storage type of a quantized type: "u4", or "i8<-8:7>" if its bounds differ from the
// type's.
std::string StorageTypeText(const Module& module, TypeId storage, int64_t flags, int64_t min, int64_t max);
// Returns the text of an attribute, as TypeText does for types.
std::string AttrText(const Module& module, AttrId attr, Spelling spelling = Spelling::kStablehlo);

// Each appends the whole text. Returns false if it is longer than `max_bytes` or nested too deeply; *out then
// ends anywhere.
bool PrintType(const Module& module, TypeId type, Spelling spelling, uint64_t max_bytes, std::string* out);
bool PrintAttr(const Module& module, AttrId attr, Spelling spelling, uint64_t max_bytes, std::string* out);

}  // namespace shlo
