// Turns exceptions into diagnostics at the boundary of the library, because callers may be compiled without
// exceptions. Every public function that may need much memory runs its work in Guarded.
#pragma once

#include <new>
#include <stdexcept>
#include <string>
#include <system_error>
#include <type_traits>
#include <utility>

#include "base/deadline.h"
#include "base/stack.h"
#include "shlo/diagnostics.h"

namespace shlo {

// Returns work(), which is a Result or Diagnostics, or an error at `file` if it runs out of memory or threads
// or stack, passes its deadline, or is canceled. `code` is kIo, or kLimit if the input states its sizes and
// may be damaged.
template <typename Work>
auto Guarded(Work&& work, const std::string& file = {}, Code code = Code::kIo) -> decltype(work()) {
  const auto fail = [&](const char* message, Code why, const char* hint) -> decltype(work()) {
    auto error = Error(why, message, {.file = file}, hint);
    if constexpr (std::is_same_v<decltype(work()), Diagnostics>)
      return std::move(error.value());
    else
      return error;
  };
  constexpr const char* kNoMemory = "out of memory";
  try {
    return work();
  } catch (const StackExhausted&) {
    return fail(kStackMessage, Code::kLimit, kStackHint);
  } catch (const std::bad_alloc&) {
    return fail(kNoMemory, code, "");
  } catch (const std::length_error&) {  // more than any memory holds
    return fail(kNoMemory, code, "");
  } catch (const std::system_error&) {
    return fail("cannot create a thread", code, "");
  } catch (const Canceled&) {
    return fail(kCanceledMessage, Code::kCanceled, "");
  } catch (const DeadlinePassed&) {
    return fail("not done at the deadline", Code::kLimit, "raise the limit: --timeout (Limits::deadline)");
  }
}

// Likewise, until the deadline of `limits` or their cancellation, after which nothing has a result.
template <typename Work>
auto Guarded(const Limits& limits, Work&& work, const std::string& file = {}, Code code = Code::kIo)
    -> decltype(work()) {
  const DeadlineScope scope(limits);
  const auto unless_canceled = [&]() -> decltype(work()) {
    auto result = work();
    if (IsCanceled()) throw Canceled();
    return result;
  };
  return Guarded(unless_canceled, file, code);
}

}  // namespace shlo
