#include "serialize/text/reader_fragments.h"

#include "serialize/text/reader_attrs.h"

namespace shlo {
namespace text {

// Moves the module into the reader and back, so that a fragment is read as part of it.
template <typename IdT, typename ReadT>
Result<IdT> AttrReader::ReadFragment(Module* module, ReadT&& read) {
  std::swap(m_, *module);
  IdT id;
  bool ok = read(&id);
  if (ok && !c_.AtEnd()) ok = FailExpected("the end of the text");
  std::swap(m_, *module);
  if (!ok) return tl::make_unexpected(std::move(diagnostics_));
  return id;
}

Result<AttrId> AttrReader::ReadAttrInto(Module* module) {
  return ReadFragment<AttrId>(module, [&](AttrId* id) { return ReadAttr(id); });
}
Result<TypeId> AttrReader::ReadTypeInto(Module* module) {
  return ReadFragment<TypeId>(module, [&](TypeId* id) { return ReadType(id); });
}

}  // namespace text

Result<AttrId> ReadAttrText(Module* module, std::string_view text, Buffer owner, uint32_t max_depth) {
  const TextReadOptions options{.limits = {.max_depth = max_depth}};
  return text::AttrReader(text, std::move(owner), options).ReadAttrInto(module);
}

Result<TypeId> ReadTypeText(Module* module, std::string_view text, Buffer owner, uint32_t max_depth) {
  const TextReadOptions options{.limits = {.max_depth = max_depth}};
  return text::AttrReader(text, std::move(owner), options).ReadTypeInto(module);
}

}  // namespace shlo
