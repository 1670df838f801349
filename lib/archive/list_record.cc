#include "archive/list_record.h"

#include "serialize/varint.h"

namespace shlo::archive {

std::string WriteList(const ListContent& list) {
  ByteBuffer out;
  out.Varint(list.size);
  out.Varint(list.parts.size());
  for (const ListPart& part : list.parts) {
    out.Varint(part.size * 4 + uint64_t(part.code));
    out.Bytes(part.code == PartCode::kLiteral ? part.literal : IdBytes(part.id));
  }
  return std::string(out.view());
}

std::optional<ListContent> ReadList(std::string_view content) {
  ListContent list;
  Cursor in(content);
  list.size = in.Varint();
  const uint64_t count = in.Varint();
  // A part has at least a byte of content after its head: none is a part of nothing.
  if (!in.ok() || count > content.size() / 2) return std::nullopt;
  list.parts.reserve(count);
  uint64_t total = 0;
  for (uint64_t i = 0; i < count; ++i) {
    const uint64_t head = in.Varint();
    ListPart part;
    part.size = head >> 2;
    if ((head & 3) > uint64_t(PartCode::kHexPiece)) return std::nullopt;
    part.code = PartCode(head & 3);
    if (part.code == PartCode::kLiteral) {
      if (part.size == 0) return std::nullopt;
      part.literal = in.Bytes(part.size);
    } else {
      const std::string_view id = in.Bytes(sizeof part.id.bytes);
      if (in.ok()) std::memcpy(part.id.bytes.data(), id.data(), id.size());
    }
    if (!in.ok() || part.contributes() > list.size - total) return std::nullopt;
    total += part.contributes();
    list.parts.push_back(part);
  }
  if (!in.done() || total != list.size) return std::nullopt;
  return list;
}

}  // namespace shlo::archive
