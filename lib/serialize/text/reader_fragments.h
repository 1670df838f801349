// Reads one type or attribute of text into an existing module, for bytecode that stores them as text.
#pragma once

#include <string_view>

#include "shlo/diagnostics.h"
#include "shlo/module.h"

namespace shlo {

// `owner` keeps `text` alive. The whole text must be one attribute or type.
Result<AttrId> ReadAttrText(Module* module, std::string_view text, Buffer owner, uint32_t max_depth = 500);
Result<TypeId> ReadTypeText(Module* module, std::string_view text, Buffer owner, uint32_t max_depth = 500);

}  // namespace shlo
