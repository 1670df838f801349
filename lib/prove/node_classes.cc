#include "prove/node_classes.h"

#include <algorithm>
#include <cstring>

#include "base/stack.h"
#include "ir/module/node_words.h"

namespace shlo::prove {
namespace {

// Returns whether all elements of `size` bytes are the same.
bool AllEqual(std::string_view bytes, uint64_t size) {
  return std::memcmp(bytes.data(), bytes.data() + size, bytes.size() - size) == 0;
}

bool InIdentifier(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '$' ||
         c == '.' || c == '-';
}

}  // namespace

void ForEachMention(std::string_view text, const std::function<void(std::string_view)>& visit) {
  for (size_t at = text.find('@'); at != text.npos; at = text.find('@', at)) {
    const size_t first = ++at;
    if (at < text.size() && text[at] == '"') {
      const size_t end = text.find('"', at + 1);
      if (end == text.npos) return;
      visit(text.substr(at + 1, end - at - 1));
      at = end;
      continue;
    }
    while (at < text.size() && InIdentifier(text[at])) ++at;
    if (at > first) visit(text.substr(first, at - first));
  }
}

NodeClasses::NodeClasses(const Module& module, ClassTable* table, SharedBytes* bytes, bool bounds,
                         SymbolClass symbols)
    : module_(module),
      table_(*table),
      bytes_(*bytes),
      bounds_(bounds),
      symbols_(std::move(symbols)),
      strings_(module.strings.size()),
      types_(module.types.size()),
      attrs_(module.attrs.size()) {}

ClassId NodeClasses::Of(StringId id) {
  ClassId& known = strings_[id.v];
  if (!known) {
    const uint32_t words[] = {uint32_t(Tag::kString), bytes_.Number(module_.strings[id])};
    known = table_.Intern(words);
  }
  return known;
}

ClassId NodeClasses::Of(TypeId id) {
  CheckStack();
  if (!id || types_[id.v]) return types_[id.v];
  const auto node = module_.types[id];
  Words words{uint32_t(Tag::kType), uint32_t(node.kind)};
  auto tensor = bounds_ ? std::nullopt : node.As<TensorType>();
  if (tensor && tensor->encoding && module_.attrs.KindOf(tensor->encoding) == AttrKind::kTypeExtensions) {
    // As the type without an encoding.
    words.push_back(Of(tensor->element));
    words.push_back(0);
    words.push_back(uint32_t(tensor->shape.size()));
    for (int64_t extent : tensor->shape) Put(uint64_t(extent), &words);
  } else {
    PutFields(RowOf(node.kind), node.words, &words);
  }
  if (const auto opaque = node.As<OpaqueType>()) PutMentioned(module_.strings[opaque->text], &words);
  return types_[id.v] = table_.Intern(words);
}

ClassId NodeClasses::Of(AttrId id) {
  CheckStack();
  if (!id || attrs_[id.v]) return attrs_[id.v];
  const auto node = module_.attrs[id];
  ClassId result = 0;
  if (const auto elements = node.As<ElementsAttr>()) {
    result = OfElements(elements->type, elements->splat != 0, module_.payloads[elements->payload].bytes());
  } else if (const auto resource = node.As<ResourceElementsAttr>()) {
    const auto found = std::ranges::find(module_.resources, resource->key, &Resource::key);
    // Content that is not in the file is not known to equal anything.
    result = found == module_.resources.end()
                 ? table_.Unique()
                 : OfElements(resource->type, false, module_.payloads[found->payload].bytes());
  } else {
    Words words{uint32_t(Tag::kAttr), uint32_t(node.kind)};
    const auto symbol = node.As<SymbolRefAttr>();
    const ClassId definition = symbol ? symbols_(module_.strings[symbol->root]) : 0;
    if (definition) {
      words.push_back(definition);
      for (StringId nested : symbol->nested) words.push_back(Of(nested));
    } else {
      words.push_back(0);
      PutFields(RowOf(node.kind), node.words, &words);
    }
    if (const auto opaque = node.As<OpaqueAttr>()) PutMentioned(module_.strings[opaque->text], &words);
    result = table_.Intern(words);
  }
  return attrs_[id.v] = result;
}

void NodeClasses::PutFields(const KindRow& row, std::span<const uint64_t> fields, Words* words) {
  ForEachWord(row, fields, [&](FieldType type, size_t at, const FieldRow&) {
    const uint32_t id = uint32_t(fields[at]);
    switch (type) {
      case FieldType::kString:
        return words->push_back(Of(StringId(id)));
      case FieldType::kType:
        return words->push_back(Of(TypeId(id)));
      case FieldType::kAttr:
        return words->push_back(Of(AttrId(id)));
      case FieldType::kPayload:
        return words->push_back(OfPayload(module_.payloads[PayloadId(id)].bytes()));
      case FieldType::kInts:
        return words->push_back(id);
      default:
        return Put(fields[at], words);
    }
  });
}

ClassId NodeClasses::OfPayload(std::string_view bytes) {
  const uint32_t words[] = {uint32_t(Tag::kPayload),
                            bytes_.Number(reinterpret_cast<const uint8_t*>(bytes.data()), bytes.size())};
  return table_.Intern(words);
}

ClassId NodeClasses::OfElements(TypeId type, bool splat, std::string_view bytes) {
  const auto tensor = module_.As<TensorType>(type);
  const uint64_t size = tensor ? module_.ElementBytes(tensor->element) : 0;
  uint64_t count = 0;
  const bool counted = tensor && Module::ElementCount(tensor->shape, &count);
  if (counted && count == 0) {
    splat = false;
    bytes = {};
  } else if (counted && !splat && size && bytes.size() == count * size && AllEqual(bytes, size)) {
    splat = true;
    bytes = bytes.substr(0, size);
  }
  const uint32_t words[] = {uint32_t(Tag::kAttr), uint32_t(AttrKind::kElements), Of(type), splat,
                            OfPayload(bytes)};
  return table_.Intern(words);
}

// Text of an unknown dialect may mention symbols, whose definitions then matter as much as their names.
void NodeClasses::PutMentioned(std::string_view text, Words* words) {
  ForEachMention(text, [&](std::string_view symbol) { words->push_back(symbols_(symbol)); });
}

}  // namespace shlo::prove
