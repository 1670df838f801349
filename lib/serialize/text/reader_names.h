// Reads the names of values and blocks, and resolves their uses by scope.
#pragma once

#include <vector>

#include "ir/module/builder.h"
#include "ir/module/place_recorder.h"
#include "serialize/text/reader_attrs.h"

namespace shlo::text {

class NameReader : public AttrReader {
 protected:
  NameReader(std::string_view text, Buffer owner, const TextReadOptions& options)
      : AttrReader(text, std::move(owner), options), builder_(&m_), places_(text, owner_) {
    forwards_.emplace_back();
  }

  struct NameSlot {
    uint32_t value = 0;  // first ValueId; kPoisoned if its definition has an error
    uint32_t count = 0;
    uint32_t scope = 0;    // isolated scope in which it is visible; 0: not defined
    uint32_t forward = 0;  // head of the chain of uses before the definition, in forwards_
  };
  static constexpr uint32_t kPoisoned = UINT32_MAX;
  using NameRef = uint32_t;  // numeric names are even, others odd
  struct Use {
    NameRef name;
    uint32_t number;  // the n of %x#n
    const char* at;
  };
  struct Forward {
    NameRef name;
    uint32_t number;
    const char* at;
    uint32_t operand;  // in the list of operands
    TypeId type;
    uint32_t next;   // chain of the same name
    uint32_t outer;  // the chain this one shadows
    uint32_t scope;
    bool resolved;
  };
  struct Undo {
    NameRef name;
    NameSlot old;
  };
  NameRef NameOf(std::string_view text);
  bool ReadNumberedName(NameRef* name);  // the "0" of "%0"; reads nothing of other names
  bool ReadName(NameRef* name);          // the "x" of "%x"; false, without a message, if it is empty
  bool ReadValueName(NameRef* name, const char** at);  // "%x"
  bool ReadUse(Use* use);                              // "%x" or "%x#2"
  bool Define(NameRef name, uint32_t value, uint32_t count, const char* at, bool of_entry = false);
  // Resolves a use. A use before the definition yields no value; NoteForward records it once the operand
  // has its index.
  bool Resolve(const Use& use, TypeId type, ValueId* value);
  std::string_view NameAt(const char* at) const;
  bool FailTypeOfUse(const char* at, TypeId type, ValueId value);
  bool FailTypeOfDefinition(const char* at, const Forward& use, ValueId value);
  bool FailUndeclared(const char* at);
  void NoteForward(const Use& use, TypeId type, uint32_t operand);
  NameSlot& SlotOf(NameRef name) { return name & 1 ? named_[name >> 1] : numbered_[name >> 1]; }
  struct Scope {
    size_t undo;
    size_t forwards;
    uint32_t isolated;
    bool opens;  // opened an isolated scope
  };
  Scope EnterScope(bool isolated);
  void LeaveScope(const Scope& scope);

  struct Label {
    std::string_view name;
    RegionId region;
    BlockId block;
    bool defined;
    const char* at;
  };
  Label& LabelFor(std::string_view name, const char* at);  // in the open region
  bool CheckLabels(size_t first);  // checks that every label from `first` on has its block

  Builder builder_;
  // Places of ops are always recorded, for messages; those of their parts only if requested.
  PlaceRecorder places_;
  RegionId region_;     // the open region
  uint32_t scope_ = 0;  // the isolated scope that is open
  std::vector<Label> labels_;

 private:
  std::vector<NameSlot> numbered_;
  std::vector<NameSlot> named_;
  std::vector<std::string_view> name_texts_;
  IdIndex name_index_;
  std::vector<Undo> undo_;
  std::vector<Forward> forwards_;  // from 1
  uint32_t scopes_ = 0;            // scopes opened so far
  IdIndex label_index_;            // by region and name
};

}  // namespace shlo::text
