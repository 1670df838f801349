// The boundary of the library: callers may be compiled without exceptions, so what runs out of memory inside
// comes out as a diagnostic. Every public function that may need much memory runs its work in Guarded.
#pragma once

#include <new>
#include <stdexcept>
#include <string>
#include <system_error>
#include <type_traits>
#include <utility>

#include "shlo/diagnostics.h"

namespace shlo {

// Returns work(); where that runs out of memory or threads, an error at `file`: of the system (kIo), or of
// the input (kLimit) where that states sizes of its own and is as likely damaged. The result is a Result, or
// Diagnostics.
template <typename Work>
auto Guarded(Work&& work, const std::string& file = {}, Code code = Code::kIo) -> decltype(work()) {
  const auto fail = [&](const char* message) -> decltype(work()) {
    auto error = Error(code, message, {.file = file});
    if constexpr (std::is_same_v<decltype(work()), Diagnostics>)
      return std::move(error.value());
    else
      return error;
  };
  constexpr const char* kNoMemory = "the program needs more memory than there is";
  try {
    return work();
  } catch (const std::bad_alloc&) {
    return fail(kNoMemory);
  } catch (const std::length_error&) {  // more than any memory holds
    return fail(kNoMemory);
  } catch (const std::system_error&) {
    return fail("the system has no more threads");
  }
}

}  // namespace shlo
