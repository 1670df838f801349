#include "tasks/container_report.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <charconv>

namespace shlo::tasks {
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

std::string ToText(const std::vector<ContainerProperty>& properties, std::string_view indent) {
  std::string out;
  for (const ContainerProperty& property : properties)
    out +=
        fmt::format("{}{} = {}\n", indent, property.name,
                    property.values.empty() ? "none" : fmt::format("{}", fmt::join(property.values, ", ")));
  return out;
}

std::string ToText(const std::vector<SignatureValue>& values, std::string_view direction) {
  std::string out;
  for (const SignatureValue& value : values) {
    out += fmt::format("  {} {}: {}", direction, value.path, TypeText(value));
    if (!value.memory.empty()) out += fmt::format(" in memory of {}", value.memory);
    if (!value.sharding.empty()) out += fmt::format(" sharded {}", value.sharding);
    out += '\n';
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

std::string ContainerText(const ContainerInfo& info) {
  std::string out = ToText(info.properties, "  ");
  for (const Signature& signature : info.signatures) {
    out += fmt::format("signature      {}\n", signature.name);
    out += ToText(signature.inputs, "in ") + ToText(signature.outputs, "out");
  }
  for (const auto& [name, properties] : info.programs)
    out += fmt::format("contains       {}\n{}", name, ToText(properties, "  "));
  return out;
}

}  // namespace shlo::tasks
