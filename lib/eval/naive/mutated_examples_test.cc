// The example of each op with other numbers in it: evaluation does not depend on the verifier, most of whose
// constraints are warnings. Memory errors are for AddressSanitizer to see, with wide gaps between tensors
// (tests/CMakeLists.txt).
#include <set>

#include "base/test_sanitizers.h"
#include "eval/input_generator.h"
#include "eval/naive/program.h"
#include "ir/module/sample.h"
#include "shlo/random_tensor.h"
#include "shlo/text_writer.h"

namespace shlo::naive {
namespace {

std::vector<std::string> Programs() {
  struct Example {
    std::string_view op, program;
  };
  static constexpr Example kExamples[] = {
#define SHLO_EXAMPLE(name, program) {name, program},
#include "schema/examples.inc"
  };
  std::vector<std::string> programs;
  std::set<std::string_view> ops;
  for (const Example& example : kExamples) {
    ops.insert(example.op);
    programs.emplace_back(example.program);
  }
  for (RowId row{1}; row.v < OpRows().size(); ++row.v) {
    if (ops.contains(RowOf(row).name) || RevisionOf(NewestRevision(row)).until < kCurrentVersion) continue;
    for (const bool generic : {false, true})
      programs.push_back(*WriteText(MakeSample(row, kCurrentVersion), {.generic = generic}));
  }
  return programs;
}

// Replaces the numbers at some places of a text; those after a letter are names or widths.
class Mutation {
 public:
  Mutation(const std::string& text, uint64_t seed) : text_(text), random_(seed) {}

  std::string Run() {
    for (uint64_t left = 1 + Below(3); left; --left) ReplaceOne();
    return text_;
  }

 private:
  static bool IsDigit(char c) { return c >= '0' && c <= '9'; }

  void ReplaceOne() {
    static constexpr const char* kNumbers[] = {"0", "0", "1",   "1",          "2",
                                               "2", "3", "4",   "5",          "6",
                                               "7", "9", "100", "2147483648", "9223372036854775807"};
    std::vector<std::pair<size_t, size_t>> places;
    for (size_t at = 1; at < text_.size(); ++at) {
      if (!IsDigit(text_[at]) || std::isalnum(uint8_t(text_[at - 1])) || text_[at - 1] == '_' ||
          text_[at - 1] == '%' || text_[at - 1] == '.')
        continue;
      size_t end = at;
      while (end < text_.size() && IsDigit(text_[end])) ++end;
      places.emplace_back(text_[at - 1] == '-' ? at - 1 : at, end);
      at = end;
    }
    if (places.empty()) return;
    const auto [begin, end] = places[Below(places.size())];
    const std::string number = text_.substr(begin, end - begin);
    switch (Below(6)) {
      case 0:
        return text_.insert(end, ", " + number), void();
      case 1:
        return text_.replace(begin, end - begin, "-1"), void();
      default:
        text_.replace(begin, end - begin, kNumbers[Below(std::size(kNumbers))]);
    }
  }
  uint64_t Below(uint64_t n) { return random_.Next() % n; }

  std::string text_;
  SplitMix64 random_;
};

struct Counts {
  int read = 0, evaluated = 0;
};

void TryAll(const std::string& text, Counts* counts) {
  const Result<Module> module = Read(text);
  if (!module) return;
  ++counts->read;
  EvalOptions options;
  options.limits.max_memory = 1 << 20;
  options.limits.max_steps = 10'000;
  options.limits.max_work = 50'000'000;
  options.max_processes = 4;
  options.timeout_ms = 1000;
  for (uint32_t i = 1; i < module->ops.size(); ++i) {
    const std::string_view name = module->SymbolOf(module->ops[i]);
    if (name.empty()) continue;
    const auto types = ArgumentTypes(*module, name);
    if (!types) continue;
    std::vector<Tensor> args;
    for (const ValueTypePtr& type : *types) {
      if (!type->is_tensor() || type->bytes > options.limits.max_memory) break;
      args.push_back(RandomTensor(type, args.size()));
    }
    if (args.size() == types->size()) counts->evaluated += Evaluate(*module, name, args, options).has_value();
  }
}

TEST(NaiveDamage, ExamplesWithOtherNumbers) {
  constexpr uint64_t kEach = kSanitized ? 50 : 150;
  Counts counts;
  uint64_t seed = 0;
  for (const std::string& program : Programs()) {
    TryAll(program, &counts);
    for (uint64_t i = 0; i < kEach; ++i) TryAll(Mutation(program, ++seed).Run(), &counts);
  }
  EXPECT_GT(counts.read, 10'000 * kEach / 150);
  EXPECT_GT(counts.evaluated, 2'000 * kEach / 150);
}

}  // namespace
}  // namespace shlo::naive
