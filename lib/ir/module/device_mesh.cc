#include "ir/module/device_mesh.h"

#include <algorithm>
#include <charconv>

namespace shlo {

int64_t DeviceMesh::size() const {
  int64_t devices = 1;
  for (const Axis& axis : axes) devices *= axis.size;
  return devices;
}

bool DeviceMesh::valid() const {
  int64_t devices = 1;
  for (const Axis& axis : axes) {
    if (axis.size < 1 || axis.size > kMostDevices / devices) return false;
    devices *= axis.size;
  }
  if (device_ids.empty()) return true;
  if (int64_t(device_ids.size()) != devices) return false;
  if (axes.empty()) return device_ids[0] >= 0;
  std::vector<bool> seen(static_cast<size_t>(devices));
  for (const int64_t id : device_ids) {
    if (id < 0 || id >= devices || seen[size_t(id)]) return false;
    seen[size_t(id)] = true;
  }
  return true;
}

int64_t DeviceMesh::Coordinate(int64_t position, size_t axis, int64_t pre, int64_t size) const {
  int64_t stride = 1;
  for (size_t a = axes.size(); --a > axis;) stride *= axes[a].size;
  const int64_t whole = position / stride % axes[axis].size;
  return whole / (axes[axis].size / (pre * size)) % size;
}

namespace {

AttrId EntryNamed(const Module& module, const DictionaryAttr& dict, std::string_view name) {
  for (const NamedAttr entry : dict.entries)
    if (module.strings[entry.name] == name) return entry.value;
  return {};
}

// {axes = [{name = "x", size = 2 : i64}, ...], device_ids = dense<...> : tensor<...xi64>}
std::optional<DeviceMesh> MeshOfDictionary(const Module& module, const DictionaryAttr& dict) {
  DeviceMesh mesh;
  const auto axes = module.As<ArrayAttr>(EntryNamed(module, dict, "axes"));
  if (!axes) return std::nullopt;
  for (const AttrId item : axes->elements) {
    const auto axis = module.As<DictionaryAttr>(item);
    std::string_view name;
    int64_t size = 0;
    if (!axis || !module.AsString(EntryNamed(module, *axis, "name"), &name) ||
        !module.AsInteger(EntryNamed(module, *axis, "size"), &size))
      return std::nullopt;
    mesh.axes.push_back({std::string(name), size});
  }
  if (const AttrId ids = EntryNamed(module, dict, "device_ids"))
    if (!module.AsI64s(ids, &mesh.device_ids)) return std::nullopt;
  return mesh;
}

}  // namespace

std::optional<DeviceMesh> MeshOf(const Module& module, AttrId attr) {
  if (!attr) return std::nullopt;
  if (const auto stated = module.As<MeshAttr>(attr)) {
    DeviceMesh mesh;
    for (const AttrId item : stated->axes) {
      const auto axis = module.As<MeshAxisAttr>(item);
      if (!axis) return std::nullopt;
      mesh.axes.push_back({std::string(module.strings[axis->name]), axis->size});
    }
    if (stated->device_ids && !module.AsI64s(stated->device_ids, &mesh.device_ids)) return std::nullopt;
    return mesh;
  }
  if (const auto dict = module.As<DictionaryAttr>(attr)) return MeshOfDictionary(module, *dict);
  if (const auto opaque = module.As<OpaqueAttr>(attr)) {
    if (module.strings[opaque->dialect] != "sdy") return std::nullopt;
    ShardyText text(module.strings[opaque->text]);
    const bool bracketed = text.Take("<");
    text.Need(bracketed ? "mesh" : ".mesh");
    DeviceMesh mesh = text.Mesh();
    if (bracketed) text.Need(">");
    if (text.failed() || !text.AtEnd()) return std::nullopt;
    return mesh;
  }
  std::string_view symbol;
  if (module.AsSymbol(attr, &symbol)) return MeshNamed(module, symbol);
  return std::nullopt;
}

std::optional<DeviceMesh> MeshDefinedBy(const Module& module, const Op& op) {
  for (const std::string_view name : {"stablehlo.mesh", "mesh"}) {
    const AttrId attr = module.AttributeOf(op, name);
    std::string_view symbol;
    if (!attr || module.AsSymbol(attr, &symbol)) continue;  // a name may lead back here
    if (auto mesh = MeshOf(module, attr)) return mesh;
  }
  return std::nullopt;
}

std::optional<DeviceMesh> MeshNamed(const Module& module, std::string_view symbol) {
  if (!module.top) return std::nullopt;
  for (const OpId id : module.BodyOpsOf(module.ops[module.top.v])) {
    const Op& op = module.ops[id.v];
    std::string_view own;
    if (!module.AsString(module.AttributeOf(op, "sym_name"), &own) || own != symbol) continue;
    if (auto mesh = MeshDefinedBy(module, op)) return mesh;
  }
  return std::nullopt;
}

bool ShardyText::Next(std::string_view token) {
  while (text_.starts_with(' ') || text_.starts_with('\n')) text_.remove_prefix(1);
  return text_.starts_with(token);
}

bool ShardyText::AtEnd() {
  Next("");
  return text_.empty();
}

bool ShardyText::Take(std::string_view token) {
  if (!Next(token)) return false;
  text_.remove_prefix(token.size());
  return true;
}

int64_t ShardyText::Number() {
  Next("");
  int64_t value = 0;
  const auto parsed = std::from_chars(text_.data(), text_.data() + text_.size(), value);
  failed_ = failed_ || parsed.ec != std::errc();
  text_.remove_prefix(size_t(parsed.ptr - text_.data()));
  return value;
}

std::string ShardyText::Quoted() {
  Need("\"");
  const size_t end = text_.find('"');
  if (end == std::string_view::npos) failed_ = true;
  if (failed_) return {};
  std::string name(text_.substr(0, end));
  text_.remove_prefix(end + 1);
  return name;
}

std::string ShardyText::Symbol() {
  if (Next("\"")) return Quoted();
  const size_t end = std::min(text_.find_first_of(",> "), text_.size());
  std::string symbol(text_.substr(0, end));
  text_.remove_prefix(end);
  return symbol;
}

DeviceMesh ShardyText::Mesh() {
  DeviceMesh mesh;
  Need("<");
  Need("[");
  List("]", [&] {
    DeviceMesh::Axis axis{Quoted(), 1};
    Need("=");
    axis.size = Number();
    mesh.axes.push_back(std::move(axis));
  });
  if (Take(",")) {
    Need("device_ids");
    Need("=");
    Need("[");
    List("]", [&] { mesh.device_ids.push_back(Number()); });
  }
  Need(">");
  return mesh;
}

}  // namespace shlo
