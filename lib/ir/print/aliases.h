// Aliases of printed text: attributes and types that are defined once, outside of the program, and referred
// to by name (#map, #loc1, !tuple). Which of them have a name, their order and their numbers follow MLIR's
// printer: inner before outer, then by name, then in the order in which the program uses them.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "shlo/module.h"

namespace shlo::text {

class Aliases {
 public:
  explicit Aliases(const Module& module) : m_(module) {}

  // Returns whether a module may have aliases. `locations`: the locations of ops are printed.
  static bool Needed(const Module& module, bool locations);

  // Step 1: visit everything that the program prints, in order. An alias that is used only after ops is
  // `deferrable`: it may be defined after the program.
  void Visit(AttrId attr, bool deferrable) { VisitAttr(attr, deferrable); }
  void Visit(TypeId type) { VisitType(type, false); }
  // Step 2: assign the names.
  void Number();

  // Returns "#map1" or "!tuple"; "" without an alias.
  std::string_view NameOf(AttrId attr) const { return NameIn(by_attr_, attr.v); }
  std::string_view NameOf(TypeId type) const { return NameIn(by_type_, type.v); }

  struct Entry {
    std::string name;  // with its sigil; empty: no alias, visited only
    uint32_t id = 0;
    uint32_t depth = 0;
    bool is_type = false;
    bool deferrable = false;
  };
  // Returns the aliases to define before or after the program, in order.
  std::vector<const Entry*> Definitions(bool deferred) const;

 private:
  uint32_t VisitAttr(AttrId attr, bool deferrable);
  uint32_t VisitType(TypeId type, bool deferrable);
  uint32_t VisitFields(const KindRow& row, std::span<const uint64_t> words, bool deferrable);
  std::string_view BaseOf(AttrId attr) const;
  std::string_view BaseOf(TypeId type) const;
  uint32_t& Slot(std::vector<uint32_t>& index, uint32_t id);
  std::string_view NameIn(const std::vector<uint32_t>& index, uint32_t id) const {
    return id < index.size() && index[id] ? std::string_view(entries_[index[id] - 1].name)
                                          : std::string_view();
  }

  const Module& m_;
  std::vector<Entry> entries_;               // in the order of visits
  std::vector<uint32_t> order_;              // of the entries with a name, as they are defined
  std::vector<uint32_t> by_attr_, by_type_;  // entry + 1 by id
};

}  // namespace shlo::text
