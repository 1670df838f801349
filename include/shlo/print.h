// Types and attributes as MLIR text. Programs: see text_writer.h.
#pragma once

#include <cstdint>
#include <string>

#include "shlo/module.h"

namespace shlo {

enum class Spelling : uint8_t { kStablehlo, kVhlo };

// One type or attribute, in every message and in programs alike.
std::string TypeText(const Module& module, TypeId type, Spelling spelling = Spelling::kStablehlo);
// The storage type of a quantized type: "u4", or "i8<-8:7>" where the bounds are not those of the type.
std::string StorageTypeText(const Module& module, TypeId storage, int64_t flags, int64_t min, int64_t max);
std::string AttrText(const Module& module, AttrId attr, Spelling spelling = Spelling::kStablehlo);

}  // namespace shlo
