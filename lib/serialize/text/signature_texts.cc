#include "serialize/text/signature_texts.h"

namespace shlo::text {

bool SignatureTexts::Put(SignatureId signature, bool in_func, const ValueNames& names,
                         std::span<const ValueId> operands, TextBuffer& out) const {
  const size_t key = KeyOf(signature, in_func);
  const uint32_t state = key < states_.size() ? states_[key] : kNotSeen;
  if (state < kFirst) return false;
  const Text& known = texts_[state - kFirst];
  const std::string_view text = known.text;
  size_t at = 0;
  for (uint32_t i = 0; i < known.num_names; ++i) {
    const Name& name = names_[known.first_name + i];
    out.append(text.substr(at, name.at - at));
    names.PutUse(out, operands[name.operand]);
    at = name.at;
  }
  out.append(text.substr(at));
  return true;
}

void SignatureTexts::Note(SignatureId signature, bool in_func, std::string_view text,
                          std::span<const Use> uses) {
  const size_t key = KeyOf(signature, in_func);
  if (key >= states_.size()) states_.resize(key + 1);
  if (states_[key] == kNotSeen) {
    states_[key] = kSeen;
    return;
  }
  if (text.size() > kLongest) return;
  states_[key] = uint32_t(texts_.size()) + kFirst;
  Text& kept = texts_.emplace_back();
  kept.first_name = uint32_t(names_.size());
  kept.num_names = uint32_t(uses.size());
  size_t from = 0;
  for (const Use& use : uses) {
    kept.text.append(text.substr(from, use.begin - from));
    names_.push_back({uint32_t(kept.text.size()), uint32_t(use.operand)});
    from = use.end;
  }
  kept.text.append(text.substr(from));
}

}  // namespace shlo::text
