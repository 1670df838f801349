// Fuzzes text: any bytes yield diagnostics or a program, which can be verified. A program that verifies is
// printed in every form, and each form must read back as the same program. Other programs are only printed.
#include <memory>
#include <string>

#include "fuzz/require.h"
#include "fuzz/signatures.h"
#include "fuzz/text_mutator.h"
#include "shlo/compare.h"
#include "shlo/text_reader.h"
#include "shlo/text_writer.h"
#include "shlo/verify.h"

extern "C" size_t LLVMFuzzerCustomMutator(uint8_t* data, size_t size, size_t max_size, unsigned seed) {
  return shlo::fuzz::MutateText(data, size, max_size, seed);
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace shlo;
  const auto text = std::make_shared<std::string>(reinterpret_cast<const char*>(data), size);
  const auto module = ReadText(*text, text);
  if (!module) {
    fuzz::Require(HasErrors(module.error()), "a program is refused without an error");
    return 0;
  }
  fuzz::RequireSignatures(*module);
  const bool sound = !HasErrors(Verify(*module, {.strictness = Strictness::kLenient}));
  for (const bool generic : {false, true}) {
    TextWriteOptions options;
    options.generic = generic;
    options.locations = true;
    options.limits.max_output = 16 << 20;
    const auto printed = WriteText(*module, options);
    if (!printed || !sound) continue;
    const auto copy = std::make_shared<std::string>(*printed);
    TextReadOptions read;
    read.version = module->version;
    const auto again = ReadText(*copy, copy, read);
    fuzz::Require(again, "a printed program cannot be read");
    CompareOptions compare;
    compare.defaults = false;  // forms and struct attributes omit defaults
    const std::string why = FirstDifference(*module, *again, compare);
    fuzz::Require(why.empty(), "a printed program is a different one", why + "\nprinted as:\n" + *printed);
  }
  return 0;
}
