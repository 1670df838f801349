#include "eval/sharding.h"

#include <utility>

namespace shlo {
namespace {

// A recursive-descent parser of the few forms that values need.
class ShardingText : public ShardyText {
 public:
  ShardingText(const Module& module, std::string_view text) : ShardyText(text), module_(module) {}

  // <@mesh, [{"x", "y":(1)2}, {}], replicated={...}, unreduced={...}>
  ValueSharding Sharding() {
    ValueSharding out;
    Need("<");
    if (Take("@")) {
      auto mesh = MeshNamed(module_, Symbol());
      mesh ? void(out.mesh = std::move(*mesh)) : Fail();
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
    while (!failed() && Take(",")) {
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
  AxisPart Part(const DeviceMesh& mesh) {
    AxisPart part;
    const std::string name = Quoted();
    while (part.axis < mesh.axes.size() && mesh.axes[part.axis].name != name) ++part.axis;
    if (part.axis == mesh.axes.size()) Fail();
    if (failed()) return {};
    part.size = mesh.axes[part.axis].size;
    if (Take(":")) {
      Need("(");
      part.pre = Number();
      Need(")");
      part.size = Number();
      if (part.pre < 1 || part.size < 1 || part.pre > kMostDevices || part.size > kMostDevices ||
          mesh.axes[part.axis].size % (part.pre * part.size) != 0)
        Fail();
    }
    return part;
  }

  const Module& module_;
};

}  // namespace

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
    for (const ValueSharding& sharding : out) valid = valid && sharding.mesh.valid();
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
