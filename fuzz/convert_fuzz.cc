// Fuzzes conversion of programs in any format: expansion or not, to a version that the input chooses. The
// result is a diagnostic, or a program that verifies, reads back from the format it is written in, and
// converts back.
#include <memory>
#include <string>

#include "fuzz/require.h"
#include "fuzz/signatures.h"
#include "fuzz/text_mutator.h"
#include "ir/table/attr_class.h"
#include "ir/table/ops.h"
#include "shlo/compare.h"
#include "shlo/container.h"
#include "shlo/convert.h"
#include "shlo/expand.h"
#include "shlo/program_io.h"
#include "shlo/verify.h"

namespace {

using namespace shlo;
using fuzz::Require;

// Larger programs are converted in the same way, but not a hundred times in a second.
constexpr size_t kMaxOps = 600;

Result<Module> Read(const std::string& bytes, Version version) {
  ReadOptions options;
  options.version = version;
  options.limits.max_memory = 16 << 20;
  const auto owner = std::make_shared<const std::string>(bytes);
  auto program = ReadProgram(*owner, owner, options);
  if (!program) return tl::unexpected(std::move(program.error()));
  return std::move(program->module);
}

void RequireSound(const Module& m, std::string_view what) {
  for (const Diagnostic& d : Verify(m, {.strictness = Strictness::kLenient}))
    Require(d.severity != Severity::kError, what, Render(d));
}

void RequireSame(const Module& a, const Module& b, const CompareOptions& options, std::string_view what) {
  const std::string why = FirstDifference(a, b, options);
  Require(why.empty(), what, why);
}

// Whether VHLO does not keep all of a program: attributes that only text has, and which return ends a
// function.
bool LosesInVhlo(const Module& module) {
  for (uint32_t i = 1; i < module.ops.size(); ++i) {
    const Op& op = module.ops[i];
    if (!module.RevisionIdOf(op)) continue;
    if (module.NameOf(op) == "stablehlo.return" && op.parent) {
      const OpId around = module.regions[module.blocks[op.parent.v].parent.v].parent;
      if (module.Is(module.ops[around.v], ops::kFunc)) return true;
    }
    const auto slots = module.InherentAttrsOf(op);
    for (size_t slot = 0; slot < slots.size(); ++slot)
      if (slots[slot] && RevisionOf(module.RevisionIdOf(op)).attrs[slot].attr_default() == Default::kTextOnly)
        return true;
  }
  return false;
}

// The forms in which programs are written.
enum Form { kCustom, kGeneric, kVhlo, kShlo, kBytecode, kNumForms };

WriteOptions OptionsOf(uint64_t form) {
  WriteOptions options;
  options.format = form == kShlo ? Format::kShlo : form == kBytecode ? Format::kMlirBytecode : Format::kText;
  options.text.generic = form == kGeneric;
  options.text.spelling = form == kVhlo ? Spelling::kVhlo : Spelling::kStablehlo;
  options.text.locations = true;
  options.limits.max_output = 16 << 20;
  options.shlo.zstd_level = 1;
  return options;
}

// Writes the program and reads it. Nothing is returned if the form cannot represent it.
std::unique_ptr<Module> WrittenAndRead(const Module& module, uint64_t form) {
  Program program;
  program.module = module;
  const auto written = WriteProgram(program, OptionsOf(form));
  if (!written) {
    Require(HasErrors(written.error()), "nothing is written, without an error");
    return nullptr;
  }
  auto again = Read(*written, module.version);
  Require(again, "a converted program cannot be read");
  Require(again->version == module.version, "a converted program has another version once it is read");
  if (form == kBytecode || (form == kVhlo && LosesInVhlo(module))) {
    // Reading states defaults and legalizes names; from then on nothing changes.
    program.module = *again;
    const auto twice = WriteProgram(program, OptionsOf(form));
    Require(twice, "a portable artifact that was read cannot be written");
    Require(*twice == *written, "a portable artifact changes when it is read and written");
  } else {
    CompareOptions compare;
    compare.defaults = form == kShlo;
    RequireSame(module, *again, compare, "a converted program is a different one once it is read");
  }
  return std::make_unique<Module>(std::move(*again));
}

// A program that states its version states the target's after it.
void ConvertAndBack(const Module& original, bool states_version, Version target, uint64_t form,
                    const ConvertOptions& options) {
  // Old text may hold what its own version does not.
  const bool legal = Blockers(original, original.version, options).empty();
  const auto there = Convert(original, target, options);
  if (!there) {
    Require(HasErrors(there.error()), "a program is not converted, without a blocker");
    return;
  }
  Require(there->module.version == target, "a converted program has another version");
  fuzz::RequireSignatures(there->module);
  RequireSound(there->module, "a converted program does not verify");
  const auto again = WrittenAndRead(there->module, form);
  if (!again) return;
  const auto back = Convert(*again, original.version, options);
  // A program that was upgraded has its old version; one that was written as VHLO may have lost that.
  if (form != kBytecode && legal) Require(back, "a converted program does not convert back");
  if (!back) return;
  CompareOptions compare;
  compare.defaults = false;
  compare.locations = there->warnings.empty() && form != kBytecode;
  const bool keeps_all = form != kBytecode && !(form == kVhlo && LosesInVhlo(there->module));
  if (keeps_all && !states_version)
    RequireSame(original, back->module, compare, "a program that was converted and back is a different one");
  const auto once_more = Convert(back->module, target, options);
  Require(once_more, "a program that was converted and back cannot be converted again");
  RequireSame(*again, once_more->module, compare, "converting twice gives two programs");
}

}  // namespace

extern "C" size_t LLVMFuzzerCustomMutator(uint8_t* data, size_t size, size_t max_size, unsigned seed) {
  return shlo::fuzz::MutateText(data, size, max_size, seed);
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string bytes(reinterpret_cast<const char*>(data), size);
  if (IsContainer(DetectFormat(bytes))) return 0;
  auto module = Read(bytes, {});
  if (!module || module->ops.size() > kMaxOps ||
      HasErrors(Verify(*module, {.strictness = Strictness::kLenient})))
    return 0;
  fuzz::Choices choices(bytes);
  const Version target{uint16_t(kFirstRelease.n + choices.Below(kCurrentVersion.n - kFirstRelease.n + 1u))};
  const uint64_t form = choices.Below(kNumForms);
  ConvertOptions options;
  options.allow_other_dialects = choices.Below(2);
  options.portable = form == kBytecode;
  if (choices.Below(2)) {
    ExpandOptions expand;
    expand.target = target;
    expand.chlo = choices.Below(4) != 0;
    expand.composites = choices.Below(2);
    expand.convert = options;
    auto expansion = Expand(*module, expand);
    if (!expansion) {
      Require(HasErrors(expansion.error()), "a program is not expanded, without an error");
      return 0;
    }
    RequireSound(expansion->module, "an expanded program does not verify");
    *module = std::move(expansion->module);
  }
  const bool states_version = bytes.find("compat_version") != std::string::npos;
  ConvertAndBack(*module, states_version, target, form, options);
  return 0;
}
