// The extension module shlo._core: the C API of shlo/shlo.h for the Python files of the package, which have
// the interface for users. Names are those of the C API without its prefix.
#include "bind.h"

#ifdef SHLO_PYTHON_COMMAND
#include "tool_main.h"
#endif

namespace shlo::python {

#ifdef SHLO_PYTHON_COMMAND
// Runs the command line in this process, as its only job: it handles signals and writes to the standard
// streams.
static int RunCommand(const std::vector<std::string>& words) {
  std::vector<std::string> copies = words;
  std::vector<char*> argv;
  argv.reserve(copies.size() + 1);
  for (std::string& word : copies) argv.push_back(word.data());
  argv.push_back(nullptr);
  Interrupts interrupts;
  const int code = WithoutGil(
      [&] { return tool::Main(int(words.size()), argv.data(), [&] { return interrupts.Poll(); }); });
  if (ThrowsInterrupt(true)) throw nb::python_error();
  return code;
}
#endif

NB_MODULE(_core, module) {
  // Objects that are still in use when the interpreter ends are not a mistake.
  nb::set_leak_warnings(false);
  SHLO_BIND(api_version);
  SHLO_BIND(library_version);
  module.def("has_evaluator", [] { return shlo_has_evaluator() != 0; });
#ifdef SHLO_PYTHON_COMMAND
  module.def("run_command", &RunCommand);
  module.def("printed_text", [](const nb::bytes& text, const std::string& medium) {
    return tool::PrintedText({text.c_str(), text.size()}, medium);
  });
#endif
  DefineEnding(module);
  DefineInterrupts(module);
  DefineVersions(module);
  DefinePrograms(module);
  DefineWalk(module);
  DefineTensors(module);
  DefineGrid(module);
  DefineBuilder(module);
  DefineReports(module);
}

}  // namespace shlo::python
