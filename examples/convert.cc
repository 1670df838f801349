// Converts a program to a release and writes it as a portable artifact, or prints the blockers.
//   convert FILE RELEASE OUT
#include "shlo/convert.h"

#include <cstdio>

#include "shlo/program_io.h"

namespace {

int Fail(const shlo::Diagnostics& why) {
  for (const shlo::Diagnostic& d : why) std::fputs(shlo::Render(d).c_str(), stdout);
  return 1;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 4) return std::fputs("usage: convert FILE RELEASE OUT\n", stderr), 2;
  auto program = shlo::ReadProgramFile(argv[1]);
  if (!program) return Fail(program.error());
  const auto target = shlo::ParseVersion(argv[2]);  // "1.9.0", "62" or a date
  if (!target) return std::fprintf(stderr, "%s\n", target.error().c_str()), 2;

  // A conversion is a new module. Ops keep their ids, so the source still has their places.
  shlo::ConvertOptions options;
  options.source = &program->source;
  auto conversion = shlo::Convert(program->module, *target, options);
  if (!conversion) return Fail(conversion.error());
  for (const shlo::AppliedStep& step : conversion->steps)
    std::printf("%s -> %s: %llu\n", step.from.c_str(), step.to.c_str(),
                static_cast<unsigned long long>(step.ops));
  program->module = std::move(conversion->module);

  shlo::WriteOptions write;
  write.format = shlo::Format::kMlirBytecode;
  if (auto written = shlo::WriteProgramFile(*program, argv[3], write); !written) return Fail(written.error());
  std::printf("written for %s\n", shlo::VersionName(*target).c_str());
  return 0;
}
