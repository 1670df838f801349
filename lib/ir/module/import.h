// Copies definitions of one module into another one.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "shlo/module.h"

namespace shlo {

// Types, attributes and payloads become nodes of the other module, which keeps `from` alive for its payloads.
class Importer {
 public:
  // Both modules must have the same version. Symbols in `names` are renamed wherever they occur.
  Importer(std::shared_ptr<const Module> from, Module* to, Builder* builder,
           std::map<std::string, std::string, std::less<>> names);

  // Adds a copy of an op, with its regions, to the open block.
  OpId Copy(OpId op);
  // Sets the operands that are defined after their uses. To be called once, when all is copied.
  void Finish();

  TypeId Import(TypeId type);
  AttrId Import(AttrId attr);

 private:
  std::vector<uint64_t> Words(const KindRow& row, std::span<const uint64_t> node, bool symbol);
  EditedSignature Import(const OpSignature& from);
  AttrId Slot(const Cell& cell, AttrId attr);
  StringId Renamed(StringId name);

  const std::shared_ptr<const Module> owner_;
  const Module& m_;
  Module& out_;
  Builder& builder_;
  const std::map<std::string, std::string, std::less<>> names_;
  std::unordered_map<uint32_t, TypeId> types_;
  std::unordered_map<uint32_t, AttrId> attrs_;
  std::vector<ValueId> values_;
  std::vector<BlockId> blocks_;
  struct Late {
    uint32_t operand;
    ValueId value;
  };
  std::vector<Late> late_;
};

}  // namespace shlo
