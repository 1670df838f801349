// Refines shapes: gives results the sizes that follow from operands, attributes and constants, and computes
// integers that follow from sizes, from a function on, in the order in which it runs, through the functions
// that it calls. Types are inferred as the verifier does, and values computed as the evaluator does. Linear
// in the ops of each function, once for each function.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "eval/evaluator.h"
#include "rewrite/shapes/operands.h"
#include "shlo/editor.h"
#include "shlo/limits.h"
#include "shlo/source.h"

namespace shlo::rewrite {

class ShapeRefiner {
 public:
  // Refines the program of an editor, which must outlive it. `source` may be null. With `original`, the
  // module that the editor began with, a function that is called with arguments of different shapes gets a
  // copy for each; otherwise this is an error.
  ShapeRefiner(ModuleEditor* editor, const Source* source, const Module* original, const Limits& limits);

  // Refines a function, whose arguments have their types. Arguments whose integers are known become
  // constants. Fails in the reference's words, and then leaves a program that may not verify.
  Result<void> Run(OpId function, std::span<const std::optional<int64_t>> known = {});

  // Returns whether ops of CHLO replaced custom calls of jax; with `original` only.
  bool made_chlo() const { return made_chlo_; }

 private:
  // What a call decides about the function that it calls: for each operand the integer that the function has
  // instead of it, or its type.
  struct Argument {
    bool known = false;
    int64_t value = 0;
    TypeId type;
    friend auto operator<=>(const Argument& a, const Argument& b) {
      return std::tuple(a.known, a.value, a.type.v) <=> std::tuple(b.known, b.value, b.type.v);
    }
    friend bool operator==(const Argument& a, const Argument& b) { return (a <=> b) == 0; }
  };
  using Key = std::vector<Argument>;
  // A function that was refined for a key, or is being refined.
  struct Version {
    OpId function;
    bool done = false;
    bool pure = false;
    std::vector<std::vector<int64_t>> results;  // integers; of a result that is not known none
    std::vector<bool> known;                    // by result
  };

  Result<void> VisitBlock(BlockId block);
  Result<void> Visit(OpId op);
  Result<void> VisitCall(OpId op);
  Result<void> VisitComposite(OpId op);
  Result<void> VisitWhile(OpId op);
  Result<void> VisitCustomCall(OpId op);

  // Returns the refined function for a key, refining it now if it is the first one.
  Result<Version*> VersionFor(OpId function, const Key& key, bool drop);
  Result<void> RefineFunction(OpId function, const Key& key, bool drop, Version* version);
  OpId CopyOf(OpId function);
  bool IsPureFunction(OpId function) const;

  // Gives a value a type that is at least as specific, if all its users take it.
  void Narrow(ValueId value, TypeId type);
  bool Takes(OpId user, ValueId value) const;
  void NarrowResults(OpId op, std::span<const TypeId> types);
  // Replaces the results of an op by constants, if it computes integers from constants.
  bool Fold(OpId op);
  ValueId InsertConstant(TypeId type, const Tensor& value);
  ValueId InsertIntegers(TypeId type, std::span<const int64_t> values);

  ModuleEditor& editor_;
  Module& m_;
  const Source* source_;
  const Module* original_;
  Evaluator evaluator_;
  bool made_chlo_ = false;
  std::map<std::string, OpId, std::less<>> functions_;   // by symbol
  std::map<uint32_t, OpId> original_of_;                 // by copy
  std::map<uint32_t, std::map<Key, Version>> versions_;  // by function as it was written
  std::map<uint32_t, Version*> version_of_;              // by refined function
};

}  // namespace shlo::rewrite
