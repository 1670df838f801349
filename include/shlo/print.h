// Prints types and attributes as MLIR text. For programs, see text_writer.h.
#pragma once

#include <cstdint>
#include <string>

#include "shlo/module.h"

namespace shlo {

// The dialect that a text uses for types and attributes.
enum class Spelling : uint8_t { kStablehlo, kVhlo };

// Returns the text of a type, as messages and programs print it.
std::string TypeText(const Module& module, TypeId type, Spelling spelling = Spelling::kStablehlo);
// Returns the storage type of a quantized type: "u4", or "i8<-8:7>" if its bounds differ from those of the
// type.
std::string StorageTypeText(const Module& module, TypeId storage, int64_t flags, int64_t min, int64_t max);
// Returns the text of an attribute, as TypeText does for types.
std::string AttrText(const Module& module, AttrId attr, Spelling spelling = Spelling::kStablehlo);

}  // namespace shlo
