// Included before every mutated source (tests/mutation/mutate.py). All mutants are compiled into one program;
// the environment chooses the one that is alive.
#pragma once

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include <atomic>

namespace shlo_mutants {

constexpr int kMost = 4096;

// Which mutants a process reached: written to the file SHLO_MUTANT_LOG at its end.
struct Log {
  std::atomic<bool> reached[kMost] = {};
  const int alive = ::getenv("SHLO_MUTANT") ? ::atoi(::getenv("SHLO_MUTANT")) : -1;
  const char* const path = ::getenv("SHLO_MUTANT_LOG");
  ~Log() { Write(); }
  void Write() {
    if (!path) return;
    FILE* const file = ::fopen(path, "a");
    if (!file) return;
    for (int i = 0; i < kMost; ++i)
      if (reached[i]) ::fprintf(file, "%d\n", i);
    ::fclose(file);
  }
};
inline Log log;

inline bool IsAlive(int mutant) {
  if (log.path) log.reached[mutant].store(true, std::memory_order_relaxed);
  return log.alive == mutant;
}

// Constant evaluation sees no mutant.
constexpr bool Alive(int mutant) { return !__builtin_is_constant_evaluated() && IsAlive(mutant); }

}  // namespace shlo_mutants
