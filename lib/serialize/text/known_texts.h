// Texts of ops that were printed before. Most ops of a large program are like others but for their values.
#pragma once

#include <cstdint>
#include <cstdlib>
#include <memory>
#include <span>
#include <string_view>

#include "serialize/text/writer_names.h"

namespace shlo::text {

// A table of fixed size, in which a new text takes the place of another one. Only a few of its pages are
// touched by most programs.
class KnownTexts {
 public:
  KnownTexts();
  KnownTexts(const KnownTexts&) = delete;
  KnownTexts& operator=(const KnownTexts&) = delete;

  // Everything that the text of an op without regions and successors depends on, except names of values: its
  // revision, attributes, and the types of its operands and results.
  class Key {
   public:
    Key(const Module& module, const Op& op, bool in_func);
    // Returns false for an op with more than a table entry holds.
    explicit operator bool() const { return words_ != 0; }

   private:
    friend class KnownTexts;
    static constexpr size_t kWords = 12;
    uint64_t hash_ = 0;
    uint32_t words_ = 0;
    uint32_t ids_[2 * kWords];
  };

  // The name of an operand in a text.
  struct Use {
    size_t begin, end, operand;
  };

  // Prints the text of such an op after its results. Returns false if it is not known.
  bool Put(const Key& key, const ValueNames& names, std::span<const ValueId> operands, TextBuffer& out) const;
  // Keeps a text, unless it is long. `uses` are in its order.
  void Keep(const Key& key, std::string_view text, std::span<const Use> uses);

 private:
  static constexpr size_t kEntries = 1024, kUses = 8, kText = 360;
  struct Entry {
    Key key;
    uint16_t size, uses;
    struct {
      uint16_t at, operand;
    } names[kUses];
    char text[kText];  // without names
  };
  struct Free {
    void operator()(Entry* entries) const { std::free(entries); }
  };
  Entry& EntryOf(const Key& key) const { return entries_[key.hash_ % kEntries]; }

  const std::unique_ptr<Entry[], Free> entries_;
};

}  // namespace shlo::text
