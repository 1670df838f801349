// The part of the text reader that all others share: the text, the cursor, the module to fill, and
// diagnostics. Every parsing function of the reader returns false after reporting the error.
#pragma once

#include <deque>
#include <string>
#include <string_view>

#include "base/stack.h"
#include "serialize/text/lexer.h"
#include "shlo/module.h"
#include "shlo/text_reader.h"

namespace shlo::text {

class ReaderBase {
 protected:
  ReaderBase(std::string_view text, Buffer owner, const TextReadOptions& options);

  // --- Diagnostics (reader_base.cc) -----------------------------------------------------------------
  // A message for an error that MLIR's parser reports as well has MLIR's words, byte for byte.
  bool Fail(const char* at, std::string message, std::string hint = {}, Code code = Code::kSyntax);
  // Fails with the diagnostic of a function that failed at this place.
  bool FailWith(const char* at, const Diagnostics& why) {
    return Fail(at, why[0].message, why[0].hint, why[0].code);
  }
  // Fails for a name of VHLO that no version has. A later revision of a name that `is_known` is of a newer
  // release; any other name is as likely to be misspelled.
  bool FailUnknownVhlo(const char* at, std::string message, std::string_view name,
                       bool (*is_known)(std::string_view));
  // Fails with the prefix of MLIR's custom assembly format of an op.
  bool FailCustom(std::string_view op, const char* at, std::string_view message);
  bool FailExpected(std::string_view what);  // "expected <what>" at the cursor
  Place PlaceAt(const char* at) const;
  // Returns the place as a location attribute if implicit locations are requested, otherwise none.
  AttrId LocationAt(const char* at) {
    return options_.implicit_locations.empty() ? AttrId() : NewLocation(at);
  }
  AttrId NewLocation(const char* at);
  AttrId NowhereInFile();
  [[gnu::always_inline]] bool Expect(char ch, std::string_view context) {
    return c_.Eat(ch) || FailExpect(ch, context);
  }
  bool FailExpect(char ch, std::string_view context);
  // Reads items between brackets and commas, perhaps none: item() returns whether it read one.
  template <typename ItemT>
  bool ReadList(char open, std::string_view before, char close, std::string_view after, ItemT&& item) {
    if (!Expect(open, before)) return false;
    if (c_.Eat(close)) return true;
    do {
      if (!item()) return false;
    } while (c_.Eat(','));
    return Expect(close, after);
  }
  bool ExpectWord(std::string_view word);
  const char* EndOfLineBefore(const char* token) const;
  bool ExpectArrow(std::string_view context = {});

  // Counts nesting; converts to false above the limit.
  class Nest {
   public:
    explicit Nest(ReaderBase* r) : r_(r), ok_(++r->depth_ <= r->options_.limits.max_depth) {
      CheckStack();
      if (ok_) return;
      r->Fail(r->c_.p, "nesting is deeper than the limit of " + std::to_string(r->options_.limits.max_depth),
              "pass --max-depth to raise the limit", Code::kLimit);
      r->stop_ = true;  // enclosing constructs cannot continue
    }
    Nest(const Nest&) = delete;
    Nest& operator=(const Nest&) = delete;
    ~Nest() { --r_->depth_; }
    explicit operator bool() const { return ok_; }

   private:
    ReaderBase* r_;
    bool ok_;
  };
  uint64_t OffsetAt(const char* at) const { return uint64_t(at - text_.data()); }

  Module m_;
  std::string_view text_;
  Buffer owner_;
  const TextReadOptions& options_;
  Cursor c_;
  bool stop_ = false;
  uint32_t depth_ = 0;
  size_t num_digits_ = 0;  // of constants that stay digits
  Diagnostics diagnostics_;
  const char* failed_at_ = nullptr;    // furthest place of the last message
  std::deque<std::string> unescaped_;  // strings that differ from their spelling

 private:
  // The place of the last implicit location, from which to count the line of the next one.
  const char* located_ = nullptr;
  int64_t located_line_ = 1;
};

}  // namespace shlo::text
