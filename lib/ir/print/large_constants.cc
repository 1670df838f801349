#include "ir/print/large_constants.h"

#include "base/deadline.h"
#include "base/hex.h"

namespace shlo::text {

bool LargeConstants::WriteOut(TextBuffer* text, const Sink& sink, size_t threads) {
  const std::string_view all = *text;
  size_t at = 0;
  bool ok = true;
  for (const Entry& entry : entries_) {
    ok = ok && (entry.at == at || sink(all.substr(at, entry.at - at))) &&
         VisitDigits(
             entry.bytes,
             [&](std::string_view digits) {
               Tick(digits.size() / 32);
               return sink(digits);
             },
             threads);
    at = entry.at;
  }
  ok = ok && (at == all.size() || sink(all.substr(at)));
  text->clear();
  entries_.clear();
  digits_ = 0;
  return ok;
}

}  // namespace shlo::text
