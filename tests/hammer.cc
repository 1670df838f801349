// Mutates artifacts and texts, and checks that reading them yields a diagnostic or a program that verifies:
// never a crash, a hang or a silent error. Deterministic; most useful with AddressSanitizer, which detects
// out-of-bounds reads.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <memory>
#include <sstream>
#include <string>
#include <vector>

#include "base/test_sanitizers.h"
#include "serialize/shlo/test_damage.h"
#include "shlo/compare.h"
#include "shlo/shlo_reader.h"
#include "shlo/shlo_writer.h"
#include "shlo/text_reader.h"
#include "shlo/text_writer.h"
#include "shlo/verify.h"

namespace shlo {
namespace {

constexpr size_t kArtifacts = 10;
constexpr size_t kMutatedTexts = 10000;
constexpr size_t kLargestText = 8192;  // larger files would take too long

struct Score {
  uint64_t cases = 0;
  uint64_t programs = 0;  // still a program
  uint64_t failures = 0;

  void Fail(const std::string& what) {
    if (++failures <= 20) std::printf("FAILED %s\n", what.c_str());
  }
};

struct Random {
  uint64_t state = 0x5348'4C4F;
  uint64_t Next() {  // splitmix64
    uint64_t z = (state += 0x9E3779B97F4A7C15);
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EB;
    return z ^ (z >> 31);
  }
  size_t Below(size_t n) { return n ? Next() % n : 0; }
};

std::string Load(const std::filesystem::path& path) {
  std::ifstream in(path, std::ios::binary);
  std::ostringstream out;
  out << in.rdbuf();
  return out.str();
}

// A heap copy of exact size, so that AddressSanitizer detects reads past the end.
Buffer HeapCopy(const std::string& bytes) {
  auto copy = std::shared_ptr<char[]>(new char[bytes.size()]);
  std::copy(bytes.begin(), bytes.end(), copy.get());
  return {copy, copy.get()};
}

void CheckDiagnostics(const Diagnostics& found, const std::string& what, Score* score) {
  if (found.empty()) return score->Fail(what + ": rejected without a diagnostic");
  for (const Diagnostic& d : found) {
    if (d.message.empty()) return score->Fail(what + ": diagnostic without a message");
    if (Render(d).empty()) return score->Fail(what + ": diagnostic renders as an empty string");
  }
}

// If checksums are repaired after the mutation, only the verifier may detect it.
void TryArtifact(const std::string& bytes, const std::string& what, Score* score, bool repaired = false) {
  ++score->cases;
  const Buffer owner = HeapCopy(bytes);
  const std::string_view view(static_cast<const char*>(owner.get()), bytes.size());
  ShloReadOptions options;
  options.limits.max_memory = 64 << 20;
  auto module = ReadShlo(view, owner, options);
  if (!module) return CheckDiagnostics(module.error(), what, score);
  ++score->programs;
  const Diagnostics found = Verify(*module, {.strictness = Strictness::kLenient});
  if (!HasErrors(found)) return;
  if (repaired) return CheckDiagnostics(found, what, score);
  score->Fail(what + ": read without an error, but: " + Render(found[0]));
}

void TryText(const std::string& text, const std::string& what, Score* score) {
  ++score->cases;
  const Buffer owner = HeapCopy(text);
  const std::string_view view(static_cast<const char*>(owner.get()), text.size());
  auto module = ReadText(view, owner);
  if (!module) return CheckDiagnostics(module.error(), what, score);
  const Diagnostics found = Verify(*module, {.strictness = Strictness::kLenient});
  if (HasErrors(found)) return CheckDiagnostics(found, what, score);
  ++score->programs;
  // A program that verifies must survive printing and reading.
  TextWriteOptions options;
  options.generic = true;
  options.locations = true;
  auto printed = WriteText(*module, options);
  if (!printed) return score->Fail(what + ": verifies but cannot be printed: " + Render(printed.error()[0]));
  TextReadOptions back_options;
  back_options.version = module->version;
  auto back = ReadText(*printed, nullptr, back_options);
  if (!back) return score->Fail(what + ": printed text cannot be read: " + Render(back.error()[0]));
  const std::string difference = FirstDifference(*module, *back);
  if (!difference.empty()) score->Fail(what + ": changed by printing: " + difference);
}

std::string Mutate(const std::string& text, const std::vector<std::string>& pool, Random* random) {
  static const std::string kTokens[] = {"%0",      "^bb0",
                                        "{",       "}",
                                        "(",       ")",
                                        "<",       ">",
                                        "[",       "]",
                                        "->",      ":",
                                        ",",       "=",
                                        "#",       "!",
                                        "@x",      "\"",
                                        "dense",   "loc",
                                        "?",       "*",
                                        "-",       "0x",
                                        "true",    "unit",
                                        "tensor<", "i1",
                                        "f32",     "9999999999999999999999",
                                        "\\",      "//",
                                        "x",       "1e400",
                                        "vhlo.",   "stablehlo.",
                                        "\xFF",    "dense_resource<"};
  std::string out = text;
  const size_t edits = 1 + random->Below(4);
  for (size_t e = 0; e < edits; ++e) {
    const size_t at = random->Below(out.size() + 1);
    switch (random->Below(7)) {
      case 0:  // change one byte
        if (at < out.size()) out[at] = char(random->Next());
        break;
      case 1:
        out.insert(at, kTokens[random->Below(std::size(kTokens))]);
        break;
      case 2:
        out.erase(at, 1 + random->Below(12));
        break;
      case 3: {  // repeat a range
        const std::string run = out.substr(at, random->Below(40));
        out.insert(random->Below(out.size() + 1), run);
        break;
      }
      case 4:
        out.resize(at);
        break;
      case 5: {  // insert a part of another program
        const std::string& other = pool[random->Below(pool.size())];
        out.insert(at, other.substr(random->Below(other.size()), random->Below(60)));
        break;
      }
      default: {  // change a digit
        const size_t digit = out.find_first_of("0123456789", at);
        if (digit != std::string::npos) out[digit] = char('0' + random->Below(10));
      }
    }
  }
  return out;
}

int Hammer() {
  std::vector<std::filesystem::path> paths;
  for (const auto& entry :
       std::filesystem::recursive_directory_iterator(SHLO_SOURCE_DIR "/tests/roundtrip")) {
    if (entry.path().extension() == ".mlir") paths.push_back(entry.path());
  }
  std::sort(paths.begin(), paths.end());
  std::vector<std::string> texts, artifacts, names;
  for (const auto& path : paths) {
    std::string text = Load(path);
    if (text.empty() || text.size() > kLargestText) continue;
    if (artifacts.size() < kArtifacts) {
      auto module = ReadText(text, nullptr);
      if (module && !HasErrors(Verify(*module, {.strictness = Strictness::kLenient}))) {
        if (auto bytes = WriteShlo(*module)) {
          artifacts.push_back(std::move(*bytes));
          names.push_back(path.filename().string());
        }
      }
    }
    texts.push_back(std::move(text));
  }
  Score score;
  SomeCases cases(3);
  if (artifacts.size() < kArtifacts)
    score.Fail("fewer than ten artifacts could be made from tests/roundtrip");
  for (size_t i = 0; i < artifacts.size(); ++i) {
    const std::string& good = artifacts[i];
    TryArtifact(good, names[i], &score);
    for (size_t n = 0; n < good.size(); ++n) {
      if (!cases.Next()) continue;
      TryArtifact(good.substr(0, n), names[i] + " cut to " + std::to_string(n) + " bytes", &score);
    }
    std::string bad = good;
    for (size_t bit = 0; bit < good.size() * 8; ++bit) {
      if (!cases.Next()) continue;
      bad[bit / 8] = char(bad[bit / 8] ^ (1 << bit % 8));
      TryArtifact(bad, names[i] + " with bit " + std::to_string(bit) + " flipped", &score);
      std::string repaired = bad;
      RepairChecksums(&repaired);
      if (repaired != bad) {
        TryArtifact(repaired, names[i] + " with bit " + std::to_string(bit) + " flipped and repaired", &score,
                    true);
      }
      bad[bit / 8] = good[bit / 8];
    }
  }
  std::printf("artifacts: %llu cases, %llu of them still programs\n",
              static_cast<unsigned long long>(score.cases), static_cast<unsigned long long>(score.programs));
  const Score before = score;
  Random random;
  for (size_t i = 0; i < kMutatedTexts && !texts.empty(); ++i) {
    if (!cases.Next()) continue;
    const size_t which = random.Below(texts.size());
    TryText(Mutate(texts[which], texts, &random), "mutated text " + std::to_string(i), &score);
  }
  std::printf("texts: %llu cases, %llu of them still programs\n",
              static_cast<unsigned long long>(score.cases - before.cases),
              static_cast<unsigned long long>(score.programs - before.programs));
  std::printf("%llu passed, %llu failed\n", static_cast<unsigned long long>(score.cases - score.failures),
              static_cast<unsigned long long>(score.failures));
  return score.failures ? 1 : 0;
}

}  // namespace
}  // namespace shlo

int main() { return shlo::Hammer(); }
