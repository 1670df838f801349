// Maps the nodes of a module to those of another one, which get what they lack.
#pragma once

#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "shlo/editor.h"
#include "shlo/module.h"

namespace shlo {

class NodeMap {
 public:
  // Adds nodes when they are asked for. Symbols are renamed. `to` keeps `from` alive, for its payloads, and
  // has the elements of resources, whose keys could be those of its own.
  NodeMap(std::shared_ptr<const Module> from, Module* to, SymbolNames names = {});
  // Adds all nodes in their order, so that `to` equals a module whose reader had read what `from` was read
  // from. Takes the payloads of `from`.
  NodeMap(Module* from, Module* to);

  StringId Map(StringId string);
  // Each op asks for its signature and types, which usually have been added.
  TypeId Map(TypeId type) { return !type || types_[type.v] ? types_[type.v] : Added(type); }
  AttrId Map(AttrId attr) { return !attr || attrs_[attr.v] ? attrs_[attr.v] : Added(attr); }
  SignatureId Map(SignatureId signature) {
    return !signature || signatures_[signature.v] ? signatures_[signature.v] : Added(signature);
  }

 private:
  TypeId Added(TypeId type);
  AttrId Added(AttrId attr);
  SignatureId Added(SignatureId signature);
  void Add(TypeId type);
  void Add(AttrId attr);
  std::vector<uint64_t> Words(const KindRow& row, std::span<const uint64_t> node, bool symbol);
  StringId Renamed(StringId name);
  PayloadId Map(PayloadId payload);
  AttrId SlotOf(const Cell& cell, AttrId attr);

  const std::shared_ptr<const Module> owner_;  // none: all nodes are added in their order
  const Module& from_;
  Module& to_;
  const SymbolNames names_;
  // By id in `from`; none: not added yet.
  std::vector<StringId> strings_;
  std::vector<TypeId> types_;
  std::vector<AttrId> attrs_;
  std::vector<SignatureId> signatures_;
  std::vector<PayloadId> payloads_;
  uint32_t next_type_ = 1, next_attr_ = 1;  // if they are added in order
  EditedSignature signature_;
};

}  // namespace shlo
