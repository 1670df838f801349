// Names of values and blocks: scopes, uses before definitions, and labels.
#include "serialize/text/reader_names.h"

#include "base/format.h"
#include "ir/verify/type_invariants.h"
#include "shlo/print.h"

namespace shlo::text {

// Numbers index an array. A program has fewer values than bytes, which bounds the array; larger numbers and
// those with leading zeros are treated as names.
bool NameReader::ReadNumberedName(NameRef* name) {
  constexpr int kMostDigits = 9;
  const char* q = c_.p;
  const char* const most = c_.end - q > kMostDigits ? q + kMostDigits : c_.end;
  uint32_t n = 0, digit;
  for (; q < most && (digit = uint32_t(uint8_t(*q)) - '0') < 10; ++q) n = n * 10 + digit;
  if (q == c_.p || (q < c_.end && Is(*q, kDigitChar)) || (*c_.p == '0' && q - c_.p > 1)) return false;
  const size_t limit = text_.size() / 4 + 64;
  if (n >= limit) return false;
  if (n >= numbered_.size()) numbered_.resize(std::clamp(numbered_.size() * 2, size_t(n) + 1, limit));
  c_.p = q;
  *name = n << 1;
  return true;
}

NameReader::NameRef NameReader::NameOf(std::string_view text) {
  const uint64_t hash = HashKey(text);
  uint32_t id = name_index_.Find(hash, [&](uint32_t i) { return SameText(name_texts_[i - 1], text); });
  if (id) {
    name_texts_[id - 1] = text;  // as for TextCache: the last place is in memory
  } else {
    name_texts_.push_back(text);
    named_.emplace_back();
    id = uint32_t(named_.size());
    name_index_.Insert(hash, id);
  }
  return (id - 1) << 1 | 1;
}

bool NameReader::ReadName(NameRef* name) {
  if (ReadNumberedName(name)) return true;
  const std::string_view text = c_.Name();
  if (text.empty()) return false;
  *name = NameOf(text);
  return true;
}

bool NameReader::ReadValueName(NameRef* name, const char** at) {
  if (c_.Peek() != '%') return FailExpected("a value name, such as %0");
  *at = c_.p++;
  return ReadName(name) || Fail(*at, "a value needs a name after '%'");
}

// Returns the name of the value at a place, without its result number.
std::string_view NameReader::NameAt(const char* at) const {
  const char* end = at + 1;
  while (end < text_.data() + text_.size() && Is(*end, kNameChar)) ++end;
  return {at, size_t(end - at)};
}

bool NameReader::ReadUse(Use* use) {
  if (!ReadValueName(&use->name, &use->at)) return false;
  use->number = 0;
  if (c_.At(0) == '#') {
    ++c_.p;
    const char* at = c_.p;
    uint64_t n = 0;
    while (Is(c_.At(0), kDigitChar) && n < UINT32_MAX) n = n * 10 + uint64_t(*c_.p++ - '0');
    if (c_.p == at || n >= UINT32_MAX) return Fail(at, "expected the number of a result after '#'");
    use->number = uint32_t(n);
  }
  return true;
}

bool NameReader::FailUndeclared(const char* at) {
  return Fail(at, "use of undeclared SSA value name", StrFormat("nothing defines '{}' here", NameAt(at)));
}

bool NameReader::Define(NameRef name, uint32_t value, uint32_t count, const char* at, bool of_entry) {
  NameSlot& slot = SlotOf(name);
  if (slot.scope == scope_ && slot.count) {
    if (slot.value == kPoisoned || value == kPoisoned) return true;
    Place first;
    const Value& old = m_.values[slot.value];
    if (const uint64_t offset = places_.OffsetOfOp(old.op); old.op && offset != SourcePlaces::kNone)
      first = PlaceAt(text_.data() + offset);
    return Fail(at,
                of_entry ? StrFormat("region entry argument '{}' is already in use", NameAt(at))
                         : StrFormat("redefinition of SSA value '{}'", NameAt(at)),
                first.line ? "the first definition is on line " + std::to_string(first.line) : std::string());
  }
  undo_.push_back({name, slot});
  slot.value = value;
  slot.count = count;
  slot.scope = scope_;
  if (!slot.forward || forwards_[slot.forward].scope != scope_) return true;
  bool ok = true;
  for (uint32_t i = slot.forward; i; i = forwards_[i].next) {
    Forward& use = forwards_[i];
    use.resolved = true;
    if (value == kPoisoned) continue;
    if (use.number >= count)
      ok = FailUndeclared(use.at);
    else if (m_.values[value + use.number].type != use.type)
      ok = FailTypeOfDefinition(at, use, ValueId(value + use.number));
    else
      ModuleLists(&m_).operands[use.operand] = ValueId(value + use.number);
  }
  slot.forward = forwards_[slot.forward].outer;
  return ok;
}

bool NameReader::Resolve(const Use& use, TypeId type, ValueId* value) {
  const NameSlot& slot = SlotOf(use.name);
  *value = {};
  if (slot.scope != scope_ || !slot.count || slot.value == kPoisoned) return true;
  if (use.number >= slot.count)
    return Fail(use.at, "reference to invalid result number", "the op has " + Count(slot.count, "result"));
  *value = ValueId(slot.value + use.number);
  if (type && m_.values[value->v].type != type) return FailTypeOfUse(use.at, type, *value);
  return true;
}

// An invalid type is the likeliest cause of a type mismatch, and MLIR reports the type because it cannot
// construct it.
bool NameReader::FailTypeOfUse(const char* at, TypeId type, ValueId value) {
  if (unsound_at_) return Fail(unsound_at_, WhyUnsound(m_, unsound_));
  const Value& v = m_.values[value.v];
  std::string hint;
  if (const uint64_t offset = places_.OffsetOfOp(v.op); v.op && offset != SourcePlaces::kNone)
    hint = "it is defined on line " + std::to_string(PlaceAt(text_.data() + offset).line);
  return Fail(at,
              StrFormat("use of value '{}' expects different type than prior uses: '{}' vs '{}'", NameAt(at),
                        TypeText(m_, type), TypeText(m_, v.type)),
              hint);
}

bool NameReader::FailTypeOfDefinition(const char* at, const Forward& use, ValueId value) {
  return Fail(
      at,
      StrFormat("definition of SSA value '{}#{}' has type '{}'", NameAt(at), use.number,
                TypeText(m_, m_.values[value.v].type)),
      StrFormat("it is used on line {} with type '{}'", PlaceAt(use.at).line, TypeText(m_, use.type)));
}

void NameReader::NoteForward(const Use& use, TypeId type, uint32_t operand) {
  NameSlot& slot = SlotOf(use.name);
  if (slot.scope == scope_ && slot.count) return;  // poisoned: the error was reported already
  const bool same = slot.forward && forwards_[slot.forward].scope == scope_;
  const uint32_t outer = same ? forwards_[slot.forward].outer : slot.forward;
  forwards_.push_back(
      {use.name, use.number, use.at, operand, type, same ? slot.forward : 0, outer, scope_, false});
  slot.forward = uint32_t(forwards_.size() - 1);
}

NameReader::Scope NameReader::EnterScope(bool isolated) {
  const Scope scope{undo_.size(), forwards_.size(), scope_, isolated};
  if (isolated) scope_ = ++scopes_;
  return scope;
}

void NameReader::LeaveScope(const Scope& scope) {
  if (scope.opens) {
    for (size_t i = scope.forwards; i < forwards_.size(); ++i) {
      const Forward& use = forwards_[i];
      SlotOf(use.name).forward = 0;
      if (!use.resolved && use.scope == scope_) FailUndeclared(use.at);
    }
    // Shadowed chains become visible again.
    for (size_t i = forwards_.size(); i-- > scope.forwards;)
      if (forwards_[i].outer < scope.forwards) SlotOf(forwards_[i].name).forward = forwards_[i].outer;
    forwards_.resize(scope.forwards);
  }
  while (undo_.size() > scope.undo) {
    NameSlot& slot = SlotOf(undo_.back().name);
    const uint32_t forward = slot.forward;
    slot = undo_.back().old;
    slot.forward = forward;  // uses wait for a definition in the whole isolated scope
    undo_.pop_back();
  }
  scope_ = scope.isolated;
}

NameReader::Label& NameReader::LabelFor(std::string_view name, const char* at) {
  const uint64_t hash = HashKey(name) + region_.v * 0x9E3779B97F4A7C15ull;
  uint32_t id = label_index_.Find(hash, [&](uint32_t i) {
    return labels_[i - 1].region == region_ && SameText(labels_[i - 1].name, name);
  });
  if (!id) {
    labels_.push_back({name, region_, builder_.NewBlock(), false, at});
    id = uint32_t(labels_.size());
    label_index_.Insert(hash, id);
  }
  return labels_[id - 1];
}

bool NameReader::CheckLabels(size_t first) {
  bool ok = true;
  for (size_t i = first; i < labels_.size(); ++i)
    if (labels_[i].region == region_ && !labels_[i].defined)
      ok = Fail(labels_[i].at, StrFormat("reference to an undefined block '^{}'", labels_[i].name));
  return ok;
}

}  // namespace shlo::text
