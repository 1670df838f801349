// Cuts the computation of one value out of each of two programs, as two programs with one function. Values
// that both programs have are its arguments, so that its results are compared for all values of these, those
// that never occur included.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "prove/contract_differences.h"

namespace shlo::prove {

// A program with a function of the arguments that the other program's has, too.
struct CutOut {
  Module module;
  OpId function;
  uint64_t ops = 0;  // that were cut out, without those of called functions
};

// Returns whether an op with results and without side effects depends on constants only.
bool IsClosed(const Side& side, OpId op);

class Cutter {
 public:
  // Both must be numbered.
  Cutter(const Side& a, const Side& b);

  // Cuts out the computation of `a` and of `b`. On failure returns false, and the reason in *why.
  bool Cut(ValueId a, ValueId b, CutOut* of_a, CutOut* of_b, std::string* why);

 private:
  struct Cone {
    std::vector<OpId> ops;        // in order of definition
    std::vector<ClassId> inputs;  // classes that it uses
    std::vector<ValueId> values;  // the values of these
  };
  bool Collect(const Side& side, const std::vector<ValueId>& other, ValueId root, Cone* cone,
               std::string* why);
  bool CollectOrTake(const Side& side, const std::vector<ValueId>& other, ValueId root, Cone* cone,
                     std::string* why);
  bool Closed(const Side& side, ValueId value);

  const Side a_, b_;
  std::vector<ValueId> of_a_, of_b_;  // a value of each class; none if there is none
};

}  // namespace shlo::prove
