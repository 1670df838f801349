// Converts a program to a release and writes it as a portable artifact, or prints the blockers.
//   convert FILE RELEASE OUT
#include <cstdio>

#include "shlo/conversion.h"
#include "shlo/program_io.h"

namespace {

// Verifies the program, converts it, and verifies the result. Nothing is written if anything is wrong.
shlo::Result<uint64_t> ConvertFile(const char* from, shlo::Version target, const char* to,
                                   shlo::ConversionReport* report) {
  auto program = shlo::ReadProgramFile(from);
  if (!program) return tl::unexpected(program.error());
  const auto converted = shlo::Convert(std::move(*program), {.target = target, .portable = true}, report);
  if (!converted) return tl::unexpected(converted.error());
  return shlo::WriteProgramFile(*converted, to, {.format = shlo::Format::kMlirBytecode});
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 4) return std::fputs("usage: convert FILE RELEASE OUT\n", stderr), 2;
  const auto target = shlo::ParseVersion(argv[2]);  // "1.9.0", "62" or a date
  if (!target) return std::fprintf(stderr, "%s\n", target.error().c_str()), 2;
  shlo::ConversionReport report;
  const auto written = ConvertFile(argv[1], *target, argv[3], &report);
  if (!written) {
    for (const shlo::Diagnostic& d : written.error()) std::fputs(shlo::Render(d).c_str(), stdout);
    return 1;
  }
  for (const shlo::AppliedStep& step : report.steps)
    std::printf("%s -> %s: %llu\n", step.from.c_str(), step.to.c_str(),
                static_cast<unsigned long long>(step.ops));
  std::printf("written for %s\n", shlo::VersionName(*target).c_str());
  return 0;
}
