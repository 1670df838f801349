// Classes of the strings, types and attributes of one module. Nodes of two modules have equal classes if they
// mean the same: constants are equal by their elements, whether they are splats, lists or resources, and
// symbols by what they refer to, not by its name. Everything else is compared bit by bit, so that attributes
// of unknown dialects are equal only if they are the same.
#pragma once

#include <functional>
#include <string_view>
#include <vector>

#include "prove/class_table.h"
#include "shlo/module.h"

namespace shlo::prove {

// Returns the class of the definition of a symbol, or none if the module does not define it.
using SymbolClass = std::function<ClassId(std::string_view name)>;

// Calls `visit` with each symbol that text of an unknown dialect mentions, without its '@'.
void ForEachMention(std::string_view text, const std::function<void(std::string_view)>& visit);

class NodeClasses {
 public:
  // `bounds`: distinguish types by the bounds of dynamic dimensions.
  NodeClasses(const Module& module, ClassTable* table, SharedBytes* bytes, bool bounds, SymbolClass symbols);

  // Each returns 0 for none.
  ClassId Of(StringId id);
  ClassId Of(TypeId id);
  ClassId Of(AttrId id);

 private:
  using Words = std::vector<uint32_t>;
  static void Put(uint64_t value, Words* words) {
    words->push_back(uint32_t(value));
    words->push_back(uint32_t(value >> 32));
  }
  void PutFields(const KindRow& row, std::span<const uint64_t> fields, Words* words);
  ClassId OfPayload(std::string_view bytes);
  ClassId OfElements(TypeId type, bool splat, std::string_view bytes);
  void PutMentioned(std::string_view text, Words* words);

  const Module& module_;
  ClassTable& table_;
  SharedBytes& bytes_;
  const bool bounds_;
  const SymbolClass symbols_;
  std::vector<ClassId> strings_, types_, attrs_;  // by id; 0: not known yet
};

}  // namespace shlo::prove
