// Ops of a dialect against their rows. Internal to the library.
#pragma once

#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "dialect/node_check.h"
#include "shlo/dialect.h"

namespace shlo::dialect {

// The ops of a version, by their names in programs.
class OpIndex {
 public:
  OpIndex(const Dialect& dialect, uint16_t version);
  const DialectOp* Find(std::string_view name) const;

 private:
  std::unordered_map<std::string, const DialectOp*> ops_;
};

// Returns how many operands (or results) each row has, for those that the version lacks 0. Without an answer,
// `why` says what is wrong.
std::vector<uint32_t> SizesOf(const Module& module, const Op& op, const std::vector<DialectValue>& rows,
                              uint16_t version, bool results, std::string* why);
// Returns whether sizes do not follow from the number of values, so that an attribute states them.
bool NeedsSegments(const std::vector<DialectValue>& rows, uint16_t version);

// Checks ops at the version of their program.
class OpCheck {
 public:
  // All must outlive this. Once there are more than `most` diagnostics, the attributes of an op need not add
  // others.
  OpCheck(const Module& module, const Dialect& dialect, uint16_t version, size_t most)
      : m_(module),
        dialect_(dialect),
        version_(version),
        most_(most),
        index_(dialect, version),
        nodes_(module, dialect, version),
        prefix_(dialect.name + ".") {}

  // Appends what is wrong with an op and what it holds, without places of `source`.
  void Check(OpId op, const Source* source, Diagnostics* out);

 private:
  void CheckRow(OpId op, const DialectOp& row);
  void CheckValues(OpId op, const std::vector<DialectValue>& rows, bool results);
  void CheckAttributes(OpId op, const DialectOp& row);
  void CheckRegions(OpId op, const DialectOp& row);
  void CheckRelations(OpId op, const DialectOp& row);
  void Fail(OpId op, Place place, std::string message, std::string hint = {});
  bool Fits(const TypePattern& pattern, TypeId type);
  // Returns the types of the values that rows have, by the row's name.
  const std::vector<TypeId>* TypesOf(std::string_view name) const;

  const Module& m_;
  const Dialect& dialect_;
  const uint16_t version_;
  const size_t most_;
  const OpIndex index_;
  int suggestions_ = 0;
  NodeCheck nodes_;
  const std::string prefix_;
  const Source* source_ = nullptr;
  Diagnostics* out_ = nullptr;
  std::vector<std::pair<std::string_view, std::vector<TypeId>>> values_;  // of the op
  std::unordered_map<uint64_t, bool> fits_;  // by pattern, of one dialect, and type
  std::unordered_map<const TypePattern*, uint32_t> patterns_;
};

}  // namespace shlo::dialect
