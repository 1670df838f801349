// Verification of the types and attributes of a dialect at a version. Internal to the library.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "shlo/dialect.h"

namespace shlo::dialect {

class NodeCheck {
 public:
  // `module` and `dialect` must outlive this.
  NodeCheck(const Module& module, const Dialect& dialect, uint16_t version, uint32_t depth = 0)
      : m_(module),
        dialect_(dialect),
        version_(version),
        depth_(depth),
        types_(module.types.size()),
        attrs_(module.attrs.size()) {}

  // Each returns what is wrong with a node or one within it, or "". The text is valid as long as this.
  const std::string& Of(TypeId type);
  const std::string& Of(AttrId attr);

  // Returns what is wrong with a node that an op holds itself, and its place, or "". `skips` says which
  // discardable attributes do not count; null: none.
  using Skips = std::function<bool(std::string_view name)>;
  const std::string& OfOp(OpId op, const Source* source, const Skips& skips, Place* place);

 private:
  template <typename Opaque, typename Table, typename Id>
  const std::string& OfNode(const Table& table, Id id, const std::vector<DialectKind>& kinds, char sigil,
                            std::vector<const std::string*>* known);
  std::string Check(std::string_view text, const std::vector<DialectKind>& kinds, char sigil);
  std::string CheckParameter(const DialectParameter& parameter, std::string_view text,
                             const std::string& kind);

  const Module& m_;
  const Dialect& dialect_;
  const uint16_t version_;
  const uint32_t depth_;  // of parameters within parameters
  int suggestions_ = 0;
  std::vector<const std::string*> types_, attrs_;  // by node: what is wrong; null: not known
  std::vector<std::unique_ptr<std::string>> problems_;
};

// Returns "only in acme 2", "only in acme 2 and newer", "only in acme 1 to 2".
std::string OnlyIn(const Dialect& dialect, const DialectInterval& versions);

}  // namespace shlo::dialect
