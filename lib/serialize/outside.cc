#include "shlo/outside.h"

#include <algorithm>
#include <bit>
#include <charconv>
#include <unordered_map>

#include "base/format.h"
#include "base/hex.h"
#include "base/sha256.h"

namespace shlo {
namespace {

bool IsPlain(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '.' || c == '_' ||
         c == '/' || c == '+' || c == '-';
}

// Names may have any bytes: others than these are a percent sign and two digits.
std::string Escaped(std::string_view name) {
  std::string out;
  for (const char c : name) out += IsPlain(c) ? std::string(1, c) : StrFormat("%{:02x}", uint8_t(c));
  return out;
}

std::optional<std::string> Unescaped(std::string_view text) {
  std::string out;
  for (size_t i = 0; i < text.size(); ++i) {
    uint8_t byte = uint8_t(text[i]);
    if (text[i] == '%') {
      if (!DecodeHex(text.substr(i + 1, 2), &byte) || text.size() - i < 3) return std::nullopt;
      i += 2;
    } else if (!IsPlain(text[i])) {
      return std::nullopt;
    }
    out += char(byte);
  }
  return out;
}

std::optional<uint64_t> NumberOf(std::string_view text) {
  uint64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return number;
}

}  // namespace

std::string OutsideName(const OutsideConstant& constant) {
  return constant.key.empty() ? "sha256:" + Sha256Text(constant.sha256) : constant.key;
}

void MakeResources(Module* module, const OutsideTable& ids, std::string_view prefix) {
  Module& m = *module;
  std::unordered_map<uint32_t, StringId> keys;  // by payload
  size_t next = 0;
  const auto key_of = [&](PayloadId payload) {
    StringId& key = keys[payload.v];
    while (!key) {
      const StringId candidate = m.strings.Intern(StrFormat("{}{}", prefix, next++));
      if (std::ranges::find(m.resources, candidate, &Resource::key) != m.resources.end()) continue;
      key = candidate;
      m.resources.push_back({candidate, payload, 64});
    }
    return key;
  };
  const auto replaced = [&](AttrId attr) {
    const auto elements = m.As<ElementsAttr>(attr);
    if (!elements || elements->splat || !ids.contains(elements->payload)) return attr;
    const StringId key = key_of(elements->payload);
    return m.Make(ResourceElementsAttr{.type = elements->type, .key = key});
  };
  m.RewriteSignatures([&](SignatureId, EditedSignature* op) {
    for (AttrId& attr : op->inherent_attrs) attr = replaced(attr);
  });
  std::ranges::sort(
      m.resources, [&](const Resource& a, const Resource& b) { return m.strings[a.key] < m.strings[b.key]; });
}

std::string OutsideText(const OutsideConstant& constant, uint32_t alignment) {
  return StrFormat("sha256:{} size:{} alignment:{} file:{} key:{}", Sha256Text(constant.sha256),
                   constant.size, alignment, Escaped(constant.file), Escaped(constant.key));
}

std::optional<OutsideConstant> ParseOutsideText(std::string_view text, uint32_t* alignment) {
  OutsideConstant constant;
  constexpr std::string_view kNames[] = {"sha256:", "size:", "alignment:", "file:", "key:"};
  for (size_t i = 0; i < std::size(kNames); ++i) {
    const bool last = i + 1 == std::size(kNames);
    const size_t end = last ? text.size() : text.find(' ');
    if (end == text.npos || !text.starts_with(kNames[i])) return std::nullopt;
    const std::string_view value = text.substr(kNames[i].size(), end - kNames[i].size());
    text.remove_prefix(last ? end : end + 1);
    if (i == 0) {
      if (value.size() != 64 || !DecodeHex(value, constant.sha256.data())) return std::nullopt;
    } else if (i <= 2) {
      const auto number = NumberOf(value);
      if (!number) return std::nullopt;
      if (i == 1) constant.size = *number;
      if (i == 2 && (*number > (1u << 31) || !std::has_single_bit(*number))) return std::nullopt;
      if (i == 2) *alignment = uint32_t(*number);
    } else {
      auto name = Unescaped(value);
      if (!name) return std::nullopt;
      (i == 3 ? constant.file : constant.key) = std::move(*name);
    }
  }
  return constant;
}

}  // namespace shlo
