// Random numbers: the generators of Salmon et al., "Parallel random numbers: as easy as 1, 2, 3" (2011), word
// by word.
#include <array>

#include "eval/naive/program.h"

namespace shlo::naive {
namespace {

using Word = uint32_t;
Word Rotated(Word v, int by) { return v << by | v >> (32 - by); }

// Threefry-2x32, 20 rounds: a key injection after every 4.
std::array<Word, 2> Threefry(Word k0, Word k1, Word x0, Word x1) {
  const int rotations[] = {13, 15, 26, 6, 17, 29, 16, 24};
  const Word keys[] = {k0, k1, Word(k0 ^ k1 ^ 0x1BD11BDA)};
  x0 += keys[0], x1 += keys[1];
  for (int round = 0; round < 20; ++round) {
    x0 += x1;
    x1 = Rotated(x1, rotations[round % 8]) ^ x0;
    if (round % 4 == 3) {
      const Word injection = Word(round / 4 + 1);
      x0 += keys[injection % 3];
      x1 += keys[(injection + 1) % 3] + injection;
    }
  }
  return {x0, x1};
}

// Philox-4x32, 10 rounds.
std::array<Word, 4> Philox(Word k0, Word k1, std::array<Word, 4> x) {
  for (int round = 0; round < 10; ++round, k0 += 0x9E3779B9, k1 += 0xBB67AE85) {
    const uint64_t first = uint64_t(x[0]) * 0xD2511F53u, third = uint64_t(x[2]) * 0xCD9E8D57u;
    x = {Word(third >> 32) ^ x[1] ^ k0, Word(third), Word(first >> 32) ^ x[3] ^ k1, Word(first)};
  }
  return x;
}

// The vectors of the authors' test suite (kat_vectors).
TEST(NaiveRandom, GeneratorsHaveTheKnownAnswers) {
  EXPECT_EQ(Threefry(0, 0, 0, 0), (std::array<Word, 2>{0x6b200159, 0x99ba4efe}));
  EXPECT_EQ(Philox(0, 0, {0, 0, 0, 0}),
            (std::array<Word, 4>{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}));
}

std::string Algorithm(std::string_view name) {
  return "rng_algorithm = #stablehlo<rng_algorithm " + std::string(name) + ">";
}
Values State(const std::vector<uint64_t>& words) {
  Values state(*TypeOf("ui64"), {int64_t(words.size())});
  for (size_t i = 0; i < words.size(); ++i) state.at[i].re = words[i];
  return state;
}
Word Low(uint64_t v) { return Word(v); }
Word High(uint64_t v) { return Word(v >> 32); }

const char* const kTypes[] = {"ui8", "i16", "ui32", "i32", "f32", "i4", "ui64", "i64", "f64", "f16"};

// Four words per block, or two of 64 bits; the counter begins at state[1], and state[2] (without it,
// state[0]) is its upper half.
TEST(NaiveRandom, Philox) {
  for (const char* name : kTypes)
    for (const std::vector<uint64_t>& words :
         {std::vector<uint64_t>{0x123456789abcdefull, 5}, std::vector<uint64_t>{7, ~0ull, 9}}) {
      const Type type = *TypeOf(name);
      Values out(type, {3, 7});
      std::vector<uint64_t> next = words;
      const uint64_t per_block = type.width == 64 ? 2 : 4;
      for (size_t i = 0; i < out.at.size(); ++i) {
        const unsigned __int128 upper = words.size() == 3 ? words[2] : words[0];
        const unsigned __int128 counter = (upper << 64 | words[1]) + i / per_block;
        const auto block = Philox(Low(words[0]), High(words[0]),
                                  {Low(uint64_t(counter)), High(uint64_t(counter)),
                                   Low(uint64_t(counter >> 64)), High(uint64_t(counter >> 64))});
        const size_t w = i % per_block;
        out.at[i].re =
            type.width == 64 ? block[2 * w] | uint64_t(block[2 * w + 1]) << 32 : block[w] & Ones(type.width);
      }
      const uint64_t blocks = (out.at.size() + per_block - 1) / per_block;
      next[1] += blocks;
      if (next.size() == 3 && next[1] < words[1]) ++next[2];
      for (std::string_view algorithm : {"PHILOX", "DEFAULT"})
        Expect({.name = "stablehlo.rng_bit_generator",
                .operands = {State(words)},
                .results = {TypeText(State(next)), TypeText(out)},
                .attributes = Algorithm(algorithm)},
               {State(next), out});
      if (HasFatalFailure()) return;
    }
}

// 64-bit elements use a block each. Others use its two words in turn, along the first even dimension, or the
// largest.
TEST(NaiveRandom, ThreeFry) {
  for (const char* name : kTypes)
    for (const Ints& shape : {Ints{3, 4}, Ints{4, 3}, Ints{3, 5}, Ints{5, 3}, Ints{6}, Ints{}}) {
      const Type type = *TypeOf(name);
      const std::vector<uint64_t> words = {0xfedcba9876543210ull, 0xfffffffeull};
      size_t split = 0;
      bool even = false;
      for (size_t d = 0; d < shape.size() && !even; ++d) {
        even = shape[d] % 2 == 0;
        if (even || shape[d] > shape[split]) split = d;
      }
      Values out(type, shape);
      Ints half = shape;
      if (!half.empty()) half[split] = (half[split] + 1) / 2;
      const Values blocks(type, half);
      size_t i = 0;
      for (const Ints& at : Indices(shape)) {
        Ints in_half = at;
        if (!at.empty()) in_half[split] /= 2;
        const uint64_t counter = words[1] + (type.width == 64 ? i : blocks.Position(in_half));
        const auto block = Threefry(Low(words[0]), High(words[0]), Low(counter), High(counter));
        out.at[i++].re = type.width == 64 ? block[0] | uint64_t(block[1]) << 32
                                          : block[at.empty() ? 0 : size_t(at[split] % 2)] & Ones(type.width);
      }
      const Values next = State({words[0], words[1] + (type.width == 64 ? out.at.size() : blocks.at.size())});
      Expect({.name = "stablehlo.rng_bit_generator",
              .operands = {State(words)},
              .results = {TypeText(next), TypeText(out)},
              .attributes = Algorithm("THREE_FRY")},
             {next, out});
      if (HasFatalFailure()) return;
    }
}

// States may have words of 32 bits: two of them are one of 64.
TEST(NaiveRandom, StateOfNarrowWords) {
  Values state(*TypeOf("ui32"), {4}), next = state;
  state.at = {{1}, {2}, {~0u}, {3}};
  next.at = {{1}, {2}, {0}, {4}};
  Values out(*TypeOf("ui64"), {1});
  const auto block = Threefry(1, 2, ~0u, 3);
  out.at[0].re = block[0] | uint64_t(block[1]) << 32;
  Expect({.name = "stablehlo.rng_bit_generator",
          .operands = {state},
          .results = {TypeText(state), TypeText(out)},
          .attributes = Algorithm("THREE_FRY")},
         {next, out});
}

// Uniform numbers are in [a, b) and their mean is near the middle; normal ones have this mean and deviation.
TEST(NaiveRandom, RngHasTheDistribution) {
  for (std::string_view name : {"f32", "f64", "bf16", "i32", "ui8"})
    for (std::string_view distribution : {"UNIFORM", "NORMAL"}) {
      const Type type = *TypeOf(name);
      if (!type.format && distribution == "NORMAL") continue;
      const auto scalar = [&](int v) {
        return Values(type, {}, Scalar{type.format ? Encode(*type.format, Wide(v)) : Wrap(type, v)});
      };
      Values shape(*TypeOf("i64"), {2});
      shape.at = {{50}, {40}};
      const std::vector<Values> results =
          ResultsOf({.name = "stablehlo.rng",
                     .operands = {scalar(3), scalar(distribution == "NORMAL" ? 2 : 11), shape},
                     .results = {TypeText(name, {50, 40})},
                     .attributes = "rng_distribution = #stablehlo<rng_distribution " +
                                   std::string(distribution) + ">"});
      ASSERT_EQ(results.size(), 1u);
      double sum = 0, squares = 0, least = 1e9, most = -1e9;
      for (const Scalar& v : results[0].at) {
        const double x = type.format ? double(Decode(*type.format, v.re)) : double(Integer(type, v.re));
        sum += x, squares += x * x, least = std::min(least, x), most = std::max(most, x);
      }
      const double mean = sum / 2000, deviation = std::sqrt(squares / 2000 - mean * mean);
      if (distribution == "UNIFORM") {
        EXPECT_GE(least, 3);
        EXPECT_LE(most, name == "bf16" ? 11 : 10.99999);  // rounded to few digits, 10.99 is 11
        EXPECT_NEAR(mean, type.format ? 7 : 6.5, 0.3) << name;
        EXPECT_NEAR(deviation, 8 / std::sqrt(12.0), 0.1) << name;
      } else {
        EXPECT_NEAR(mean, 3, 0.15) << name;
        EXPECT_NEAR(deviation, 2, 0.1) << name;
        EXPECT_LT(least, 0);
      }
    }
}

}  // namespace
}  // namespace shlo::naive
