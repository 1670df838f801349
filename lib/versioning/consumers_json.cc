#include "versioning/consumers_json.h"

#include <utility>

#include "base/format.h"
#include "base/try.h"
#include "ir/json.h"

namespace shlo {
namespace {

constexpr const char* kFormat =
    "write {\"consumers\": [{\"package\": \"plugin\", \"version\": \"2.1\", \"stablehlo\": \"1.4.0\", "
    "\"dialects\": [\"chlo\"], \"lacks_types\": [\"f4E2M1FN\"], \"cannot_compile\": "
    "[\"stablehlo.gather@1.1.0\"]}]}";

bool GetString(const Json& entry, const char* key, std::string* out) {
  const auto found = entry.find(key);
  if (found == entry.end() || !found->is_string()) return false;
  *out = found->get<std::string>();
  return !out->empty();
}

// A list of strings, which may be absent.
bool GetStrings(const Json& entry, const char* key, std::vector<std::string>* out) {
  const auto found = entry.find(key);
  if (found == entry.end()) return true;
  if (!found->is_array()) return false;
  for (const Json& item : *found) {
    if (!item.is_string()) return false;
    out->push_back(item.get<std::string>());
  }
  return true;
}

}  // namespace

Result<std::vector<Consumer>> ParseConsumers(std::string_view text, const std::string& file) {
  const auto invalid = [&](std::string why) {
    return Error(Code::kUsage, std::move(why), {.file = file}, kFormat);
  };
  const Json json = Json::parse(text.begin(), text.end(), nullptr, /*allow_exceptions=*/false);
  if (!json.is_object()) return invalid("not a JSON object");
  const auto list = json.find("consumers");
  if (list == json.end() || !list->is_array()) return invalid("expected a list 'consumers'");
  std::vector<Consumer> consumers;
  for (const Json& entry : *list) {
    Consumer& consumer = consumers.emplace_back();
    if (!entry.is_object() || !GetString(entry, "package", &consumer.package) ||
        !GetString(entry, "version", &consumer.version) ||
        !GetString(entry, "stablehlo", &consumer.release) ||
        !GetStrings(entry, "dialects", &consumer.dialects) ||
        !GetStrings(entry, "lacks_types", &consumer.lacks_types) ||
        !GetStrings(entry, "cannot_compile", &consumer.uncompiled))
      return invalid(StrFormat("entry {} of 'consumers' is not valid", consumers.size()));
    SHLO_TRY(CompiledVersionFor(consumer));
    // Its own requirement names an entry, unless its version is not one.
    auto self = FindConsumer(consumer.package + "==" + consumer.version, {&consumer, 1});
    if (!self) return invalid(StrFormat("entry {}: {}", consumers.size(), self.error()[0].message));
  }
  return consumers;
}

Json ConsumerJson(const std::string& requirement, const NamedConsumer& consumer) {
  Json j = Json::object();
  j["requirement"] = requirement;
  j["target"] = ToJson(consumer.version);
  if (!consumer.package || consumer.is_version) return j;
  j["package"] = consumer.package->package;
  j["version"] = consumer.package->version;
  j["stablehlo"] = consumer.package->release;
  // A guess: nothing was measured of this version.
  if (!consumer.package->assumed_as.empty()) j["assumed_as"] = consumer.package->assumed_as;
  return j;
}

Json ToJson(const Consumer& consumer) {
  Json j = Json::object();
  j["package"] = consumer.package;
  j["version"] = consumer.version;
  j["stablehlo"] = consumer.release;
  j["dialects"] = consumer.dialects;
  j["lacks_types"] = consumer.lacks_types;
  j["cannot_compile"] = consumer.uncompiled;
  return j;
}

std::string ConsumersText(std::span<const Consumer> consumers) {
  Json list = Json::array();
  for (const Consumer& consumer : consumers) list.push_back(ToJson(consumer));
  return Dumped({{"consumers", std::move(list)}});
}

}  // namespace shlo
