#include "serialize/container/report.h"

#include <fmt/format.h>

#include <charconv>

namespace shlo {
namespace {

// Numbers and "true" are what they look like.
Json PropertyJson(const std::string& value) {
  uint64_t number = 0;
  const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), number);
  if (error == std::errc() && end == value.data() + value.size()) return number;
  return value == "true" ? Json(true) : Json(value);
}

Json PropertiesJson(const std::vector<ContainerProperty>& properties) {
  Json j = Json::object();
  for (const ContainerProperty& property : properties)
    j[property.name] = property.is_list ? Json(property.values) : PropertyJson(property.values[0]);
  return j;
}

Json ValuesJson(const std::vector<SignatureValue>& values) {
  Json list = Json::array();
  for (const SignatureValue& value : values) {
    Json j = Json::object();
    j["path"] = value.path;
    j["type"] = TypeText(value);
    j["element_type"] = value.element_type;
    j["shape"] = value.ranked ? Json(value.shape) : Json(nullptr);
    j["sharding"] = value.sharding.empty() ? Json(nullptr) : Json(value.sharding);
    if (!value.memory.empty()) j["memory"] = value.memory;
    list.push_back(std::move(j));
  }
  return list;
}

TerminalText ToText(const std::vector<ContainerProperty>& properties, std::string_view indent) {
  TerminalText out;
  for (const ContainerProperty& property : properties)
    out.Add("{}{} = {}\n", indent, NameText(property.name),
            property.values.empty() ? TerminalText("none") : Joined(property.values, ", "));
  return out;
}

TerminalText ToText(const std::vector<SignatureValue>& values, std::string_view direction) {
  TerminalText out;
  for (const SignatureValue& value : values) {
    out.Add("  {} {}: {}", direction, NameText(value.path), TypeText(value));
    if (!value.memory.empty()) out.Add(" in memory of {}", NameText(value.memory));
    if (!value.sharding.empty()) out.Add(" sharded {}", NameText(value.sharding));
    out += "\n";
  }
  return out;
}

}  // namespace

Json ContainerJson(const ContainerInfo& info) {
  Json j = PropertiesJson(info.properties);
  Json programs = Json::array(), signatures = Json::array();
  for (const auto& [name, properties] : info.programs) {
    Json program = Json::object();
    program["name"] = name;
    program.update(PropertiesJson(properties));
    programs.push_back(std::move(program));
  }
  for (const Signature& signature : info.signatures)
    signatures.push_back({{"name", signature.name},
                          {"inputs", ValuesJson(signature.inputs)},
                          {"outputs", ValuesJson(signature.outputs)}});
  j["programs"] = std::move(programs);
  j["signatures"] = std::move(signatures);
  return j;
}

TerminalText ContainerText(const ContainerInfo& info) {
  TerminalText out = ToText(info.properties, "  ");
  for (const Signature& signature : info.signatures) {
    out.Add("signature      {}\n", NameText(signature.name));
    out += ToText(signature.inputs, "in ") + ToText(signature.outputs, "out");
  }
  for (const auto& [name, properties] : info.programs)
    out.Add("contains       {}\n{}", NameText(name), ToText(properties, "  "));
  return out;
}

}  // namespace shlo
