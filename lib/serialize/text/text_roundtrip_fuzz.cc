// Fuzzes printing: a program that verifies is printed in every form, and each form must read back as the
// same program. Other programs are only printed.
#include <cstdint>
#include <cstdio>
#include <memory>
#include <string>

#include "shlo/compare.h"
#include "shlo/text_reader.h"
#include "shlo/text_writer.h"
#include "shlo/verify.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace shlo;
  auto text = std::make_shared<std::string>(reinterpret_cast<const char*>(data), size);
  const auto module = ReadText(*text, text);
  if (!module) return 0;
  const bool sound = !HasErrors(Verify(*module));
  for (const bool generic : {false, true}) {
    TextWriteOptions options;
    options.generic = generic;
    options.locations = true;
    const auto printed = WriteText(*module, options);
    if (!printed || !sound) continue;
    auto copy = std::make_shared<std::string>(*printed);
    TextReadOptions read;
    read.version = module->version;
    const auto again = ReadText(*copy, copy, read);
    CompareOptions compare;
    compare.defaults = false;  // forms and struct attributes omit defaults
    const std::string why = again ? FirstDifference(*module, *again, compare) : again.error()[0].message;
    if (why.empty()) continue;
    std::fprintf(stderr, "%s\nprinted as:\n%s\n", why.c_str(), printed->c_str());
    __builtin_trap();
  }
  return 0;
}
