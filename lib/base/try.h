// SHLO_TRY, which passes errors on to the caller.
#pragma once

#include <tl/expected.hpp>
#include <type_traits>
#include <utility>

namespace shlo {

// Moves the value out of a result that has one.
template <typename T, typename E>
T TakeValue(tl::expected<T, E>&& result) {
  if constexpr (!std::is_void_v<T>) return *std::move(result);
}

}  // namespace shlo

// Evaluates to the value of a Result, or returns its error from the enclosing function:
//
//   const Module module = SHLO_TRY(ReadText(text));
//   SHLO_TRY(CheckTarget(module));
//
// Use it as a statement, or as the whole right side of a declaration or an assignment: compilers forget to
// destroy the other parts of an expression that it leaves. A statement expression is an extension that g++
// and clang have.
#define SHLO_TRY(...)                                           \
  __extension__({                                               \
    auto result_ = (__VA_ARGS__);                               \
    if (!result_) [[unlikely]]                                  \
      return ::tl::make_unexpected(std::move(result_).error()); \
    ::shlo::TakeValue(std::move(result_));                      \
  })
