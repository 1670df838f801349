// `./dev bench`: measures text -> module -> artifact -> module -> text on generated programs: time,
// throughput and peak memory of every stage, sizes, and the start-up time of the tool. Every stage runs in
// its own process, so that its peak memory is measured separately.
#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <vector>

#include "eval_bench.h"
#include "generator.h"
#include "row_baseline.h"
#include "shlo/convert.h"
#include "shlo/file_io.h"
#include "shlo/mlirbc_writer.h"
#include "shlo/program_io.h"
#include "shlo/shlo_reader.h"
#include "shlo/shlo_writer.h"
#include "shlo/text_reader.h"
#include "shlo/text_writer.h"
#include "shlo/verify.h"

extern char** environ;

namespace shlo::bench {
namespace {

using Clock = std::chrono::steady_clock;

[[noreturn]] void Stop(const Diagnostics& why) {
  for (const Diagnostic& d : why) std::fputs(Render(d).c_str(), stderr);
  std::exit(1);
}
template <typename T>
T Get(Result<T> result) {
  if (!result) Stop(result.error());
  return std::move(*result);
}

// Measurements of one stage, which the child prints for its parent.
struct Sample {
  double best_ns = 0;
  double median_ns = 0;
  uint64_t ops = 0;
  uint64_t bytes = 0;  // of text, or of uncompressed sections; 0 if neither applies
  uint64_t peak_kib = 0;
};

// Returns the peak memory of this process, excluding that of its parent before exec.
uint64_t PeakKib() {
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);) {
    if (line.starts_with("VmHWM:")) return std::strtoull(line.c_str() + 6, nullptr, 10);
  }
  return 0;
}

// Returns the size of the sections of an artifact before compression.
uint64_t PlainSize(const InputFile& file) {
  uint64_t bytes = 0;
  for (const ShloSection& section : Get(InspectShlo(file.bytes)).sections) bytes += section.size;
  return bytes;
}

void Measure(int repeats, Sample* sample, const std::function<void()>& body) {
  std::vector<double> times;
  for (int i = 0; i < repeats; ++i) {
    const auto start = Clock::now();
    body();
    times.push_back(std::chrono::duration<double, std::nano>(Clock::now() - start).count());
  }
  std::sort(times.begin(), times.end());
  sample->best_ns = times.front();
  sample->median_ns = times[times.size() / 2];
}

// Runs in a child: a stage on a file, `repeats` times.
Sample RunStage(const std::string& stage, const std::string& path, int repeats) {
  Sample s;
  const InputFile file = Get(OpenInput(path));
  ReadOptions options;
  if (stage == "parse" || stage == "read" || stage == "read-mlirbc") {
    Measure(repeats, &s,
            [&] { s.ops = Get(ReadProgram(file.bytes, file.owner, options)).module.ops.size() - 1; });
    s.bytes = stage == "read" ? PlainSize(file) : file.bytes.size();
  } else {
    const Module module = Get(ReadProgram(file.bytes, file.owner, options)).module;
    s.ops = module.ops.size() - 1;
    if (stage == "write-mlirbc") {
      Measure(repeats, &s, [&] {
        const auto sink = [](std::string_view) { return true; };
        s.bytes = Get(WriteMlirBytecodeTo(module, {}, sink));
      });
    } else if (stage == "write") {
      Measure(repeats, &s, [&] {
        const auto sink = [](std::string_view) { return true; };
        Get(WriteShloTo(module, {}, sink));
      });
      s.bytes = PlainSize(file);
    } else if (stage == "print") {
      Measure(repeats, &s, [&] { s.bytes = Get(WriteText(module)).size(); });
    } else if (stage == "verify") {
      Measure(repeats, &s, [&] {
        const Diagnostics found = Verify(module);
        if (HasErrors(found)) Stop(found);
      });
    } else if (stage == "convert") {
      Measure(repeats, &s, [&] { Get(Convert(module, Version{64})); });
    }
  }
  return s;
}

// Starts this program again for one stage. Returns its output and peak memory.
Sample Child(const std::string& self, const std::string& stage, const std::string& path, int repeats) {
  int fds[2];
  if (pipe(fds) != 0) std::exit(1);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, fds[1], STDOUT_FILENO);
  posix_spawn_file_actions_addclose(&actions, fds[0]);
  std::string repeats_text = std::to_string(repeats), stage_copy = stage, path_copy = path, self_copy = self;
  char flag[] = "--stage";
  char* argv[] = {self_copy.data(), flag, stage_copy.data(), path_copy.data(), repeats_text.data(), nullptr};
  pid_t pid;
  if (posix_spawn(&pid, self.c_str(), &actions, nullptr, argv, environ) != 0) std::exit(1);
  posix_spawn_file_actions_destroy(&actions);
  close(fds[1]);
  Sample s;
  FILE* in = fdopen(fds[0], "r");
  unsigned long long ops = 0, bytes = 0, peak = 0;
  const int fields = std::fscanf(in, "%lf %lf %llu %llu %llu", &s.best_ns, &s.median_ns, &ops, &bytes, &peak);
  std::fclose(in);
  int status = 0;
  waitpid(pid, &status, 0);
  if (fields != 5 || !WIFEXITED(status) || WEXITSTATUS(status) != 0) {
    std::fprintf(stderr, "bench: stage %s failed\n", stage.c_str());
    std::exit(1);
  }
  s.ops = ops;
  s.bytes = bytes;
  s.peak_kib = peak;
  return s;
}

void Save(const std::string& path, std::string_view bytes) {
  std::ofstream out(path, std::ios::binary);
  out.write(bytes.data(), std::streamsize(bytes.size()));
  if (!out.flush()) {
    std::fprintf(stderr, "bench: cannot write %s\n", path.c_str());
    std::exit(1);
  }
}

void Table(const std::string& self, const std::string& text, const std::string& artifact,
           const std::string& bytecode, int repeats) {
  struct Row {
    const char* stage;
    const char* what;
    const std::string* path;
  };
  const Row rows[] = {{"parse", "text -> module", &text},
                      {"verify", "verify", &artifact},
                      {"convert", "module 73 -> 64", &artifact},
                      {"write", "module -> .shlo", &artifact},
                      {"read", ".shlo -> module", &artifact},
                      {"print", "module -> text", &artifact},
                      {"write-mlirbc", "module -> bytecode", &artifact},
                      {"read-mlirbc", "bytecode -> module", &bytecode}};
  std::printf("  %-18s %10s %10s %10s %10s %12s\n", "stage", "best ms", "median ms", "ns per op", "MB/s",
              "peak MiB");
  for (const Row& row : rows) {
    const Sample s = Child(self, row.stage, *row.path, repeats);
    // Measure peak memory with a single run.
    const Sample once = Child(self, row.stage, *row.path, 1);
    const std::string speed = s.bytes ? fmt::format("{:.1f}", double(s.bytes) * 1e3 / s.best_ns) : "-";
    std::printf("  %-18s %10.2f %10.2f %10.1f %10s %12.1f\n", row.what, s.best_ns / 1e6, s.median_ns / 1e6,
                s.best_ns / double(std::max<uint64_t>(s.ops, 1)), speed.c_str(),
                double(once.peak_kib) / 1024);
    std::fflush(stdout);
  }
}

// Measures the wall time of the tool on a program of three lines: best and median of many runs.
void StartUp(const std::string& tool, const std::string& file) {
  Save(file, "func.func @main(%arg0: tensor<2xi32>) -> tensor<2xi32> {\n  return %arg0 : tensor<2xi32>\n}\n");
  std::vector<double> times;
  const int null = open("/dev/null", O_WRONLY);
  for (int i = 0; i < 200; ++i) {
    std::string name = tool, argument = file;
    char* argv[] = {name.data(), argument.data(), nullptr};
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, null, STDOUT_FILENO);
    const auto start = Clock::now();
    pid_t pid;
    if (posix_spawn(&pid, tool.c_str(), &actions, nullptr, argv, environ) != 0) return;
    int status = 0;
    waitpid(pid, &status, 0);
    times.push_back(std::chrono::duration<double, std::milli>(Clock::now() - start).count());
    posix_spawn_file_actions_destroy(&actions);
  }
  close(null);
  std::sort(times.begin(), times.end());
  std::printf("the tool, start to end, on three lines: best %.2f ms, median %.2f ms\n", times.front(),
              times[times.size() / 2]);
}

void Sizes(const std::string& text, const std::string& artifact) {
  const auto print = [](const char* what, uint64_t bytes, const std::string& note = "") {
    std::printf("  %-44s %12llu bytes%s\n", what, static_cast<unsigned long long>(bytes), note.c_str());
  };
  const InputFile file = Get(OpenInput(artifact));
  const Module module = Get(ReadShlo(file.bytes, file.owner));
  const RowBaseline rows = MeasureRowBaseline(module);
  const uint64_t text_size = std::filesystem::file_size(text), size = file.bytes.size();
  print("text", text_size);
  print("row by row as varints, zstd -3", rows.total);
  print("  of which the op stream alone", rows.ops);
  print(".shlo", size,
        fmt::format(", {:.2f} of the rows, {:.4f} of the text", double(size) / double(rows.total),
                    double(size) / double(text_size)));
}

// Measures nanoseconds per op, which should not grow with the program.
void Scaling(const std::string& self, const std::string& text, const std::string& artifact,
             const std::function<uint64_t(const std::string&)>& prepare) {
  std::printf("how it grows (best of some runs)\n  %10s %16s %10s %16s %16s %12s\n", "ops", "parse ns per op",
              "MB/s", "verify ns per op", "print ns per op", "parse MiB");
  for (const uint64_t ops : {1000, 10000, 100000, 1000000}) {
    const uint64_t count = prepare(MakeProgram(ops));
    const int repeats = ops > 100000 ? 3 : 9;
    const Sample parse = Child(self, "parse", text, repeats),
                 verify = Child(self, "verify", artifact, repeats),
                 print = Child(self, "print", artifact, repeats), once = Child(self, "parse", text, 1);
    std::printf("  %10llu %16.1f %10.1f %16.1f %16.1f %12.1f\n", static_cast<unsigned long long>(count),
                parse.best_ns / double(count), double(parse.bytes) * 1e3 / parse.best_ns,
                verify.best_ns / double(count), print.best_ns / double(count), double(once.peak_kib) / 1024);
    std::fflush(stdout);
  }
}

int Run(const std::string& self, const std::string& tool, uint64_t ops, uint64_t weights) {
  const std::string dir = std::filesystem::temp_directory_path() / fmt::format("shlo_bench_{}", getpid());
  std::filesystem::create_directory(dir);
  const std::string text = dir + "/program.mlir", artifact = dir + "/program.shlo",
                    bytecode = dir + "/program.mlirbc";
  const auto prepare = [&](const std::string& bytes) {
    Save(text, bytes);
    const Module module = Get(ReadText(bytes, nullptr));
    const Diagnostics found = Verify(module);
    if (HasErrors(found)) Stop(found);
    Save(artifact, Get(WriteShlo(module)));
    Save(bytecode, Get(WriteMlirBytecode(module)));
    return module.ops.size() - 1;
  };
  uint64_t count = prepare(MakeProgram(ops));
  std::printf("a program of %llu ops, %.1f MB of text\n", static_cast<unsigned long long>(count),
              double(std::filesystem::file_size(text)) / 1e6);
  Table(self, text, artifact, bytecode, 7);
  std::printf("sizes\n");
  Sizes(text, artifact);
  prepare(MakeProgram(ops, ops));
  std::printf("sizes when no two layers are alike\n");
  Sizes(text, artifact);
  count = prepare(MakeWeights(weights));
  std::printf("%.0f MiB of weights in %llu ops\n", double(weights) / (1 << 20),
              static_cast<unsigned long long>(count));
  Table(self, text, artifact, bytecode, 5);
  count = prepare(MakeDecimals(weights / 4));
  std::printf("%.0f MiB of constants written as decimals, in %llu ops\n",
              double(std::filesystem::file_size(text)) / (1 << 20), static_cast<unsigned long long>(count));
  Table(self, text, artifact, bytecode, 3);
  Scaling(self, text, artifact, prepare);
  EvalTable();
  StartUp(tool, text);
  std::filesystem::remove_all(dir);
  return 0;
}

}  // namespace
}  // namespace shlo::bench

int main(int argc, char** argv) {
  using namespace shlo::bench;
  const std::vector<std::string> args(argv + 1, argv + argc);
  if (args.size() == 4 && args[0] == "--stage") {
    const Sample s = RunStage(args[1], args[2], std::atoi(args[3].c_str()));
    std::printf("%f %f %llu %llu %llu\n", s.best_ns, s.median_ns, static_cast<unsigned long long>(s.ops),
                static_cast<unsigned long long>(s.bytes), static_cast<unsigned long long>(PeakKib()));
    return 0;
  }
  if (args.size() == 1 && args[0] == "--eval") {
    EvalTable();
    return 0;
  }
  if ((args.size() == 2 || args.size() == 3) && args[0] == "--eval")
    return EvalFile(args[1], args.size() == 3 && args[2] == "fast", 0);
  const auto count = [](const std::string& arg) {
    return !arg.empty() && arg.find_first_not_of("0123456789") == std::string::npos;
  };
  if (args.size() == 1 || (args.size() == 3 && count(args[1]) && count(args[2]))) {
    const uint64_t ops = args.size() == 3 ? std::strtoull(args[1].c_str(), nullptr, 10) : 200000;
    const uint64_t mib = args.size() == 3 ? std::strtoull(args[2].c_str(), nullptr, 10) : 64;
    return Run("/proc/self/exe", args[0], ops, mib << 20);
  }
  if (args.size() == 3 && args[0] == "--generate" && count(args[2])) {
    const uint64_t size = std::strtoull(args[2].c_str(), nullptr, 10);
    std::string text;
    if (args[1] == "ops") text = MakeProgram(size);
    if (args[1] == "weights") text = MakeWeights(size);
    if (args[1] == "decimals") text = MakeDecimals(size);
    if (!text.empty()) return std::fwrite(text.data(), 1, text.size(), stdout) == text.size() ? 0 : 1;
  }
  std::fputs(
      "usage: shlo_bench TOOL [OPS MIB]\n       shlo_bench --generate ops COUNT\n"
      "       shlo_bench --generate weights|decimals BYTES\n       shlo_bench --eval [FILE [fast]]\n",
      stderr);
  return 2;
}
