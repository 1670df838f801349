// Fuzzes evaluation: evaluates a program on random arguments and with small limits, whether it verifies or
// not, and folds its constants. Both must end with values or a diagnostic. A program that verifies must have
// the same values with two threads.
#include <algorithm>
#include <cctype>
#include <cstdint>
#include <cstring>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "eval/input_generator.h"
#include "ir/table/trait.h"
#include "shlo/evaluate.h"
#include "shlo/known_values.h"
#include "shlo/random_tensor.h"
#include "shlo/text_reader.h"
#include "shlo/verify.h"

namespace shlo {
namespace {

void TryFunction(const Module& module, std::string_view name, bool sound, EvalOptions options) {
  const auto types = ArgumentTypes(module, name);
  std::vector<Tensor> args;
  if (types) {
    for (const ValueTypePtr& type : *types) {
      if (type->is_tensor() && type->bytes > options.limits.max_memory) return;
      args.push_back(type->is_tensor() ? RandomTensor(type, args.size()) : Tensor::Token());
    }
  }
  const auto result = Evaluate(module, name, args, options);
  if (!result || !sound) return;
  options.threads = 2;
  const auto again = Evaluate(module, name, args, options);
  if (!again || again->results.size() != result->results.size()) __builtin_trap();
  for (size_t i = 0; i < result->results.size(); ++i) {
    const Tensor &a = result->results[i], &b = again->results[i];
    if (a.type().is_tensor() && !BitEqual(a, b)) __builtin_trap();
  }
}

// --- Mutations ------------------------------------------------------------------------------------

// Byte mutations rarely leave a program that parses. These replace words and lines by others of the same
// kind.
class TextMutation {
 public:
  TextMutation(std::string* text, uint64_t seed) : text_(*text), random_(seed) {}

  void Run() {
    switch (Below(8)) {
      case 0:
      case 1:
        return ReplaceNumber();
      case 2:
      case 3:
        return ReplaceWord([](char c) { return std::isalnum(uint8_t(c)) || c == '_' || c == '.'; });
      case 4:  // a different value
        return ReplaceWord([](char c) { return std::isalnum(uint8_t(c)) || c == '%' || c == '#'; });
      case 5:  // a different type or attribute
        return ReplaceWord([](char c) { return !std::isspace(uint8_t(c)) && c != ',' && c != ')'; });
      default:
        return ChangeLine();
    }
  }

 private:
  struct Piece {
    size_t begin, end;
  };
  size_t Below(size_t n) { return size_t(random_.Next() % n); }

  template <typename IsInside>
  Piece Find(IsInside inside) {
    size_t begin = Below(text_.size());
    while (begin < text_.size() && !inside(text_[begin])) ++begin;
    size_t end = begin;
    while (end < text_.size() && inside(text_[end])) ++end;
    while (begin > 0 && begin < end && inside(text_[begin - 1])) --begin;
    return {begin, end};
  }
  void Replace(Piece piece, const std::string& by) {
    text_.replace(piece.begin, piece.end - piece.begin, by);
  }
  template <typename IsInside>
  void ReplaceWord(IsInside inside) {
    const Piece piece = Find(inside), other = Find(inside);
    Replace(piece, text_.substr(other.begin, other.end - other.begin));
  }
  void ReplaceNumber() {
    static const char* const kNumbers[] = {
        "0",   "1",     "2",          "3",           "7", "8",   "-1",  "-2",         "64",
        "255", "65536", "2147483647", "-2147483648", "?", "1e9", "0.5", "4294967296", "9223372036854775807"};
    // After a letter it is the width of a type or the number of a value.
    const Piece piece = Find([](char c) { return std::isdigit(uint8_t(c)) != 0; });
    Replace(piece, kNumbers[Below(std::size(kNumbers))]);
  }
  void ChangeLine() {
    const auto is_inside = [](char c) { return c != '\n'; };
    const Piece line = Find(is_inside), other = Find(is_inside);
    const std::string text = text_.substr(line.begin, line.end - line.begin);
    switch (Below(3)) {
      case 0:
        return Replace(line, "");
      case 1:
        return Replace({other.begin, other.begin}, text + "\n");
      default:
        return Replace(line, text_.substr(other.begin, other.end - other.begin));
    }
  }

  std::string& text_;
  SplitMix64 random_;
};

}  // namespace
}  // namespace shlo

extern "C" size_t LLVMFuzzerMutate(uint8_t* data, size_t size, size_t max_size);

extern "C" size_t LLVMFuzzerCustomMutator(uint8_t* data, size_t size, size_t max_size, unsigned seed) {
  if (size == 0 || seed % 4 == 0) return LLVMFuzzerMutate(data, size, max_size);
  std::string text(reinterpret_cast<const char*>(data), size);
  shlo::TextMutation(&text, seed).Run();
  if (text.empty() || text.size() > max_size) return LLVMFuzzerMutate(data, size, max_size);
  std::memcpy(data, text.data(), text.size());
  return text.size();
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace shlo;
  auto text = std::make_shared<std::string>(reinterpret_cast<const char*>(data), size);
  const auto module = ReadText(*text, text);
  if (!module) return 0;
  // Small limits, for many executions per second.
  EvalOptions options;
  options.limits.max_memory = 1 << 18;
  options.limits.max_steps = 2'000;
  options.max_call_depth = 16;
  options.max_processes = 4;
  options.timeout_ms = 1000;
  const bool sound = !HasErrors(Verify(*module));
  int functions = 0;
  for (uint32_t i = 1; i < module->ops.size() && functions < 8; ++i) {
    const Op& op = module->ops[i];
    if (!op.revision || !RowOf(op.revision).Has(Trait::kFunction)) continue;
    TryFunction(*module, module->SymbolOf(op), sound, options);
    ++functions;
  }
  (void)KnownValues(*module, {.max_elements = 1000, .limits = {.max_memory = 1 << 18, .max_steps = 1000}});
  return 0;
}
