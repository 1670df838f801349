// The words of a dialect's file. Frozen data of the gate has them, too. Internal to the library.
#pragma once

#include <string_view>

#include "shlo/dialect.h"

namespace shlo::dialect {

template <typename Value>
struct Word {
  std::string_view word;
  Value value;
};

inline constexpr Word<Arity> kArities[] = {
    {"one", Arity::kOne}, {"optional", Arity::kOptional}, {"list", Arity::kList}};

inline constexpr Word<DialectParameter::Kind> kParameters[] = {
    {"type", DialectParameter::Kind::kType},
    {"integer", DialectParameter::Kind::kInteger},
    {"string", DialectParameter::Kind::kString},
    {"case", DialectParameter::Kind::kCase},
    {"attribute", DialectParameter::Kind::kAttribute}};

inline constexpr Word<DialectRelation::Kind> kRelations[] = {{"type", DialectRelation::Kind::kType},
                                                             {"shape", DialectRelation::Kind::kShape},
                                                             {"element", DialectRelation::Kind::kElement}};

// Returns the word of a value.
template <typename Value, size_t kCount>
constexpr std::string_view WordOf(const Word<Value> (&words)[kCount], Value value) {
  for (const Word<Value>& word : words)
    if (word.value == value) return word.word;
  return "";
}

}  // namespace shlo::dialect
