#include "eval/sharding.h"

#include <fmt/format.h>

#include <charconv>

namespace shlo {
namespace {

constexpr int64_t kMostDevices = 1 << 20;

// A recursive-descent parser of the few forms that values need. Any failure leaves `failed` set.
class ShardingText {
 public:
  ShardingText(const Module& module, std::string_view text) : module_(module), text_(text) {}

  bool failed() const { return failed_; }
  bool AtEnd() {
    Skip();
    return text_.empty();
  }
  bool Take(std::string_view token) {
    Skip();
    if (!text_.starts_with(token)) return false;
    text_.remove_prefix(token.size());
    return true;
  }
  void Need(std::string_view token) { failed_ = !Take(token) || failed_; }
  int64_t Number() {
    Skip();
    int64_t value = 0;
    const auto parsed = std::from_chars(text_.data(), text_.data() + text_.size(), value);
    failed_ = failed_ || parsed.ec != std::errc();
    text_.remove_prefix(size_t(parsed.ptr - text_.data()));
    return value;
  }
  std::string Quoted() {
    Need("\"");
    const size_t end = text_.find('"');
    if (end == std::string_view::npos) failed_ = true;
    if (failed_) return {};
    std::string name(text_.substr(0, end));
    text_.remove_prefix(end + 1);
    return name;
  }
  // Parses items up to `close`.
  template <typename Item>
  void List(std::string_view close, Item item) {
    while (!failed_ && !Take(close)) {
      item();
      Skip();
      if (!text_.starts_with(close)) Need(",");
    }
  }

  // <["x"=2, "y"=4], device_ids=[...]>
  DeviceMesh Mesh() {
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
  // <@mesh, [{"x", "y":(1)2}, {}], replicated={...}, unreduced={...}>
  ValueSharding Sharding() {
    ValueSharding out;
    Need("<");
    if (Take("@")) {
      Skip();
      std::string symbol;
      if (text_.starts_with('"')) {
        symbol = Quoted();
      } else {
        const size_t end = std::min(text_.find_first_of(",> "), text_.size());
        symbol = text_.substr(0, end);
        text_.remove_prefix(end);
      }
      out.mesh = MeshNamed(symbol);
    } else {
      Need("mesh");
      out.mesh = Mesh();
    }
    Need(",");
    Need("[");
    List("]", [&] {
      std::vector<AxisPart>& axes = out.dimensions.emplace_back();
      Need("{");
      List("}", [&] {
        if (Take("?")) return;  // open to more axes
        axes.push_back(Part(out.mesh));
      });
      if (Take("p")) Number();  // priority
    });
    while (!failed_ && Take(",")) {
      const bool unreduced = Take("unreduced");
      if (!unreduced) Need("replicated");
      Need("=");
      Take("max");  // kinds of reduction
      Take("min");
      Take("sum");
      Need("{");
      List("}", [&] {
        Part(out.mesh);
        out.unreduced = out.unreduced || unreduced;
      });
    }
    Need(">");
    return out;
  }

 private:
  void Skip() {
    while (text_.starts_with(' ') || text_.starts_with('\n')) text_.remove_prefix(1);
  }
  AxisPart Part(const DeviceMesh& mesh) {
    AxisPart part;
    const std::string name = Quoted();
    while (part.axis < mesh.axes.size() && mesh.axes[part.axis].name != name) ++part.axis;
    if (part.axis == mesh.axes.size()) failed_ = true;
    if (failed_) return {};
    part.size = mesh.axes[part.axis].size;
    if (Take(":")) {
      Need("(");
      part.pre = Number();
      Need(")");
      part.size = Number();
      if (part.pre < 1 || part.size < 1 || part.pre > kMostDevices || part.size > kMostDevices ||
          mesh.axes[part.axis].size % (part.pre * part.size) != 0)
        failed_ = true;
    }
    return part;
  }
  DeviceMesh MeshNamed(std::string_view symbol) {
    for (RegionId region : module_.RegionsOf(module_.ops[module_.top.v]))
      for (BlockId block : module_.BlocksOf(region))
        for (OpId id : module_.OpsOf(block)) {
          const Op& op = module_.ops[id.v];
          std::string_view name;
          if (module_.NameOf(op) != "sdy.mesh" ||
              !module_.AsString(module_.AttributeOf(op, "sym_name"), &name) || name != symbol)
            continue;
          const auto text = module_.As<OpaqueAttr>(module_.AttributeOf(op, "mesh"));
          if (!text) continue;
          ShardingText inner(module_, module_.strings[text->text]);
          inner.Need(inner.Take("<") ? "mesh" : ".mesh");
          DeviceMesh mesh = inner.Mesh();
          if (!inner.failed()) return mesh;
        }
    failed_ = true;
    return {};
  }

  const Module& module_;
  std::string_view text_;
  bool failed_ = false;
};

bool IsValid(const DeviceMesh& mesh) {
  int64_t devices = 1;
  for (const DeviceMesh::Axis& axis : mesh.axes) {
    if (axis.size < 1 || axis.size > kMostDevices) return false;
    devices *= axis.size;
    if (devices > kMostDevices) return false;
  }
  std::vector<bool> seen(static_cast<size_t>(devices));
  if (!mesh.device_ids.empty() && int64_t(mesh.device_ids.size()) != devices) return false;
  for (int64_t id : mesh.device_ids) {
    if (id < 0 || id >= devices || seen[size_t(id)]) return false;
    seen[size_t(id)] = true;
  }
  return true;
}

}  // namespace

int64_t DeviceMesh::size() const {
  int64_t devices = 1;
  for (const Axis& axis : axes) devices *= axis.size;
  return devices;
}

int64_t DeviceMesh::Coordinate(int64_t position, size_t axis, int64_t pre, int64_t size) const {
  int64_t stride = 1;
  for (size_t a = axes.size(); --a > axis;) stride *= axes[a].size;
  const int64_t whole = position / stride % axes[axis].size;
  return whole / (axes[axis].size / (pre * size)) % size;
}

Result<std::vector<ValueSharding>> ShardingsOf(const Module& module, AttrId attr) {
  std::vector<ValueSharding> out;
  const auto opaque = module.As<OpaqueAttr>(attr);
  if (opaque && module.strings[opaque->dialect] == "sdy") {
    ShardingText text(module, module.strings[opaque->text]);
    const bool bracketed = text.Take("<");
    if (!bracketed) text.Need(".");
    if (text.Take("sharding_per_value")) {
      text.Need("<");
      text.Need("[");
      text.List("]", [&] { out.push_back(text.Sharding()); });
      text.Need(">");
    } else {
      text.Need("sharding");
      out.push_back(text.Sharding());
    }
    if (bracketed) text.Need(">");
    bool valid = !text.failed() && text.AtEnd();
    for (const ValueSharding& sharding : out) valid = valid && IsValid(sharding.mesh);
    if (valid) return out;
  }
  return Error(Code::kInvalidProgram, "sharding cannot be evaluated: unknown mesh, axis or form");
}

Result<std::vector<std::string>> ManualAxesOf(const Module& module, AttrId attr) {
  std::vector<std::string> out;
  const auto opaque = module.As<OpaqueAttr>(attr);
  if (opaque && module.strings[opaque->dialect] == "sdy") {
    ShardingText text(module, module.strings[opaque->text]);
    const bool bracketed = text.Take("<");
    if (!bracketed) text.Need(".");
    text.Need("manual_axes");
    text.Need("{");
    text.List("}", [&] { out.push_back(text.Quoted()); });
    if (bracketed) text.Need(">");
    if (!text.failed() && text.AtEnd()) return out;
  }
  return Error(Code::kInvalidProgram, "attribute 'manual_axes' is not a list of axes");
}

}  // namespace shlo
