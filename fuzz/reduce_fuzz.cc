// Fuzzes reduction: a program is reduced as long as it has an op of a name that the input chooses. The result
// has one, verifies if that was asked for, is not larger, and is the same the next time.
#include <memory>
#include <string>

#include "fuzz/require.h"
#include "fuzz/text_mutator.h"
#include "reduce/size.h"
#include "shlo/compare.h"
#include "shlo/reduce.h"
#include "shlo/text_reader.h"
#include "shlo/text_writer.h"
#include "shlo/verify.h"

extern "C" size_t LLVMFuzzerCustomMutator(uint8_t* data, size_t size, size_t max_size, unsigned seed) {
  return shlo::fuzz::MutateText(data, size, max_size, seed);
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace shlo;
  using fuzz::Require;
  constexpr size_t kMaxOps = 150;
  const auto text = std::make_shared<std::string>(reinterpret_cast<const char*>(data), size);
  const auto module = ReadText(*text, text);
  if (!module || module->ops.size() < 3 || module->ops.size() > kMaxOps) return 0;
  fuzz::Choices choices(*text);
  ReduceOptions options;
  options.max_tests = 40;
  options.keep_signatures = choices.Below(2);
  options.allow_invalid = choices.Below(4) == 0;
  const Diagnostics before = Verify(*module, {.strictness = Strictness::kLenient});
  if (HasErrors(before) && !options.allow_invalid) return 0;
  // Op 0 means none.
  const Op& chosen = module->ops[1 + choices.Below(module->ops.size() - 1)];
  const std::string name(module->NameOf(chosen));
  const StillShows test = [&](const Module& candidate) -> Result<bool> {
    for (uint32_t i = 1; i < candidate.ops.size(); ++i)
      if (candidate.NameOf(candidate.ops[i]) == name) return true;
    return false;
  };
  const auto reduced = Reduce(*module, test, options);
  Require(reduced, "a reduction fails");
  Require(*test(reduced->module), "a reduced program does not show it", name);
  Require(reduce::SizeOf(reduced->module) <= reduce::SizeOf(*module), "a reduced program is larger");
  Require(reduced->tests <= options.max_tests, "more tests than allowed");
  if (!options.allow_invalid) {
    const Diagnostics after = Verify(reduced->module, {.strictness = Strictness::kLenient});
    Require(!HasErrors(after) && (after.empty() || !before.empty()), "a reduced program does not verify",
            after.empty() ? "" : Render(after[0]));
    const auto written = WriteText(reduced->module);
    Require(written, "a reduced program cannot be written");
    TextReadOptions read;
    read.version = module->version;
    Require(ReadText(*written, nullptr, read), "a reduced program cannot be read");
  }
  if (choices.Below(8) == 0) {
    const auto again = Reduce(*module, test, options);
    Require(again, "a reduction fails the second time");
    const std::string why = FirstDifference(reduced->module, again->module);
    Require(why.empty(), "the same reduction has two results", why);
  }
  return 0;
}
