// Fuzzes the text reader: any bytes yield diagnostics or a program, and a program can be verified.
#include <cstdint>
#include <memory>
#include <string>

#include "shlo/text_reader.h"
#include "shlo/verify.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  auto text = std::make_shared<std::string>(reinterpret_cast<const char*>(data), size);
  const auto module = shlo::ReadText(*text, text);
  if (module)
    shlo::Verify(*module);
  else if (module.error().empty())
    __builtin_trap();
  return 0;
}
