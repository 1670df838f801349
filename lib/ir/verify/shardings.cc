// The constraints are those of Shardy, in its words.
#include "ir/verify/shardings.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>

#include "base/format.h"
#include "base/printable.h"
#include "ir/table/ops.h"
#include "ir/table/trait.h"
#include "shlo/print.h"
#include "shlo/types.h"

namespace shlo {
namespace {

// Reads the text of attributes in the spelling of the reader of text, which has checked it. Anything else
// makes the reading fail.
class TextScan {
 public:
  explicit TextScan(std::string_view text) : rest_(text) {}
  bool done() const { return rest_.empty(); }
  bool Eat(std::string_view what) {
    if (!rest_.starts_with(what)) return false;
    rest_.remove_prefix(what.size());
    return true;
  }
  bool Number(int64_t* value) {
    const auto parsed = std::from_chars(rest_.data(), rest_.data() + rest_.size(), *value);
    if (parsed.ec != std::errc()) return false;
    rest_.remove_prefix(size_t(parsed.ptr - rest_.data()));
    return true;
  }
  // A string in quotes, as it is spelled: equal names have equal spellings.
  bool Quoted(std::string* value) {
    if (!rest_.starts_with('"')) return false;
    size_t end = 1;
    while (end < rest_.size() && rest_[end] != '"') end += rest_[end] == '\\' ? 2 : 1;
    if (end >= rest_.size()) return false;
    value->assign(rest_.substr(1, end - 1));
    rest_.remove_prefix(end + 1);
    return true;
  }
  bool Symbol(std::string* value) {
    if (!Eat("@")) return false;
    if (rest_.starts_with('"')) return Quoted(value);
    const size_t end = std::min(rest_.find_first_of(",>"), rest_.size());
    value->assign(rest_.substr(0, end));
    rest_.remove_prefix(end);
    return end != 0;
  }
  bool Axes(std::vector<AxisRef>* axes) {
    while (rest_.starts_with('"')) {
      AxisRef& axis = axes->emplace_back();
      if (!Quoted(&axis.name)) return false;
      if (Eat(":(") && (!Number(&axis.pre_size) || !Eat(")") || !Number(&axis.size))) return false;
      if (axis.size == 0 && axis.pre_size != 0) axis.size = 1;  // is wrong, and stays a part
      if (!Eat(", ")) break;
    }
    return true;
  }
  bool Mesh(SdyMesh* mesh) {
    if (!Eat("<[")) return false;
    while (rest_.starts_with('"')) {
      SdyMesh::Axis& axis = mesh->axes.emplace_back();
      if (!Quoted(&axis.name) || !Eat("=") || !Number(&axis.size)) return false;
      if (!Eat(", ")) break;
    }
    if (!Eat("]")) return false;
    if (Eat(", device_ids=[")) {
      do {
        if (!Number(&mesh->device_ids.emplace_back())) return false;
      } while (Eat(", "));
      if (!Eat("]")) return false;
    }
    return Eat(">");
  }
  bool Sharding(SdySharding* out) {
    if (!Eat("<")) return false;
    if (Eat("mesh") ? !Mesh(&out->own_mesh) : !Symbol(&out->mesh)) return false;
    if (!Eat(", [")) return false;
    while (Eat("{")) {
      SdySharding::Dim& dim = out->dims.emplace_back();
      if (!Axes(&dim.axes)) return false;
      if (Eat("?")) dim.closed = false;
      if (!Eat("}")) return false;
      int64_t priority;
      if (Eat("p")) {
        if (!Number(&priority)) return false;
        dim.has_priority = true;
      }
      if (!Eat(", ")) break;
    }
    if (!Eat("]")) return false;
    if (Eat(", replicated={") && (!Axes(&out->replicated) || !Eat("}"))) return false;
    if (Eat(", unreduced=")) {
      if (!Eat("max")) Eat("min");
      if (!Eat("{") || !Axes(&out->unreduced) || !Eat("}")) return false;
    }
    return Eat(">");
  }
  // A factor of a rule: i to z, then z_1, z_2, ...
  bool Factor(int64_t* factor) {
    if (rest_.empty() || rest_[0] < 'i' || rest_[0] > 'z') return false;
    *factor = rest_[0] - 'i';
    rest_.remove_prefix(1);
    int64_t later = 0;
    if (*factor != 'z' - 'i' || !rest_.starts_with('_')) return true;
    rest_.remove_prefix(1);
    if (!Number(&later) || later < 1 || later > INT32_MAX) return false;
    *factor += later;
    return true;
  }

 private:
  std::string_view rest_;
};

std::string TextOf(const AxisRef& axis) {
  return axis.size ? StrFormat("\"{}\":({}){}", axis.name, axis.pre_size, axis.size)
                   : StrFormat("\"{}\"", axis.name);
}

// Products of sizes from untrusted programs saturate.
int64_t Times(int64_t a, int64_t b) {
  int64_t out;
  return __builtin_mul_overflow(a, b, &out) ? INT64_MAX : out;
}
int64_t NextPreSize(const AxisRef& axis) { return Times(axis.pre_size, axis.size); }

bool SameAxes(const SdyMesh& a, const SdyMesh& b) {
  const auto same = [](const SdyMesh::Axis& x, const SdyMesh::Axis& y) {
    return x.name == y.name && x.size == y.size;
  };
  return std::ranges::equal(a.axes, b.axes, same) && a.device_ids == b.device_ids;
}

int64_t SizeOf(const SdyMesh& mesh, const AxisRef& axis) {
  if (axis.size) return axis.size;
  const SdyMesh::Axis* whole = mesh.Find(axis.name);
  return whole ? whole->size : 1;
}

}  // namespace

const SdyMesh::Axis* SdyMesh::Find(std::string_view name) const {
  for (const Axis& axis : axes)
    if (axis.name == name) return &axis;
  return nullptr;
}

std::string_view ShardingChecks::Body(AttrId attr, std::string_view mnemonic) const {
  const auto opaque = m_.As<OpaqueAttr>(attr);
  if (!opaque || m_.strings[opaque->dialect] != "sdy") return {};
  std::string_view text = m_.strings[opaque->text];
  const bool around = text.starts_with('<');
  if (!around && !text.starts_with('.')) return {};
  text.remove_prefix(1);
  if (around && text.ends_with('>')) text.remove_suffix(1);
  if (!text.starts_with(mnemonic)) return {};
  text.remove_prefix(mnemonic.size());
  return text.starts_with('<') || text.starts_with('{') ? text : std::string_view();
}

// Returns the shardings of an attribute, which is a list or one; nullptr for other attributes.
const std::vector<SdySharding>* ShardingChecks::ShardingsOf(AttrId attr, bool list) {
  const auto known = shardings_.find(attr.v);
  if (known != shardings_.end()) return &known->second;
  std::string_view body = Body(attr, list ? "sharding_per_value" : "sharding");
  if (body.empty()) return nullptr;
  std::vector<SdySharding> out;
  TextScan scan(body);
  if (list) {
    if (!scan.Eat("<[")) return nullptr;
    if (!scan.Eat("]>")) {
      do {
        if (!scan.Sharding(&out.emplace_back())) return nullptr;
      } while (scan.Eat(", "));
      if (!scan.Eat("]>")) return nullptr;
    }
  } else if (!scan.Sharding(&out.emplace_back())) {
    return nullptr;
  }
  if (!scan.done()) return nullptr;
  return &(shardings_[attr.v] = std::move(out));
}

const SdyMesh* ShardingChecks::MeshOf(const SdySharding& sharding) {
  if (sharding.mesh.empty()) return &sharding.own_mesh;
  const OpId id = find_symbol_(sharding.mesh);
  if (!id || m_.NameOf(m_.ops[id.v]) != "sdy.mesh") return nullptr;
  const AttrId attr = m_.AttributeOf(m_.ops[id.v], "mesh");
  const auto known = meshes_.find(attr.v);
  if (known != meshes_.end()) return &known->second;
  SdyMesh mesh;
  TextScan scan(Body(attr, "mesh"));
  if (!attr || !scan.Mesh(&mesh)) return nullptr;
  return &(meshes_[attr.v] = std::move(mesh));
}

bool ShardingChecks::CheckMesh(const SdyMesh& mesh, const Report& report) const {
  const auto fail = [&](std::string message) { return report(std::move(message)), false; };
  int64_t devices = 1;
  for (size_t i = 0; i < mesh.axes.size(); ++i) {
    if (mesh.axes[i].size <= 0)
      return fail(StrFormat("axis size must be at least 1, got: {}", mesh.axes[i].size));
    devices = Times(devices, mesh.axes[i].size);
  }
  for (int64_t id : mesh.device_ids)
    if (id < 0) return fail(StrFormat("device id must be non-negative, got: {}", id));
  if (mesh.axes.empty())
    return mesh.device_ids.size() <= 1 || fail("axes is empty and device_ids has more than one element");
  std::vector<std::string_view> names;
  for (const SdyMesh::Axis& axis : mesh.axes) names.push_back(axis.name);
  std::ranges::sort(names);
  if (const auto twice = std::ranges::adjacent_find(names); twice != names.end())
    return fail(StrFormat("duplicate axis name: \"{}\"", *twice));
  if (mesh.device_ids.empty()) return true;
  if (devices != int64_t(mesh.device_ids.size()))
    return fail(StrFormat("total product of axis sizes must match total number of device ids, got: {} != {}",
                          devices, mesh.device_ids.size()));
  std::vector<int64_t> ids = mesh.device_ids;
  std::ranges::sort(ids);
  for (size_t i = 0; i < ids.size(); ++i)
    if (ids[i] != int64_t(i))
      return fail(StrFormat("sorted device ids must be iota(product(axes)), got: {}", fmt::join(ids, ", ")));
  return true;
}

bool ShardingChecks::CheckSharding(const SdySharding& sharding, TypeId type, const Manual& manual,
                                   const Report& report) {
  const auto fail = [&](std::string message) { return report(std::move(message)), false; };
  const SdyMesh* mesh = MeshOf(sharding);
  if (!mesh) return fail(StrFormat("unknown mesh: {}", SymbolText(sharding.mesh)));
  const bool plain = sharding.dims.empty() && sharding.replicated.empty() && sharding.unreduced.empty();
  if (mesh->maximal() || !type)
    return plain || fail(
                        "a maximal sharding can only have a sharding with rank 0 and no replicated or "
                        "unreduced axes.");
  if (const auto tuple = m_.As<TupleType>(type); tuple && tuple->types.size() == 1) type = tuple->types[0];
  const ShapedType shaped(m_, type);
  // A type of an unregistered dialect may be one of tensors.
  if (m_.types.KindOf(type) == TypeKind::kOpaqueType) return true;
  if (!shaped.shaped)
    return plain ||
           fail(StrFormat("non-shaped tensors can only have a sharding with rank 0 and no replicated or "
                          "unreduced axes. type: '{}'",
                          TypeText(m_, type)));
  if (!shaped.ranked)
    return fail(StrFormat("only ranked tensors can have a sharding. type: '{}'", TypeText(m_, type)));
  if (sharding.dims.size() != shaped.shape.size())
    return fail(
        StrFormat("sharding doesn't match tensor rank: {} != {}", sharding.dims.size(), shaped.shape.size()));
  std::vector<AxisRef> seen;
  const auto check = [&](const std::vector<AxisRef>& axes) {
    const AxisRef* previous = nullptr;
    for (const AxisRef& axis : axes) {
      if (!mesh->Find(axis.name)) return fail(StrFormat("unknown axis name: \"{}\"", axis.name));
      if (std::ranges::find(seen, axis) != seen.end())
        return fail(StrFormat("duplicate axis ref: {}", TextOf(axis)));
      seen.push_back(axis);
      if (axis.size && previous && previous->size && previous->name == axis.name &&
          NextPreSize(*previous) == axis.pre_size)
        return fail(
            StrFormat("two consecutive sub-axes can be merged: {}, {}", TextOf(*previous), TextOf(axis)));
      previous = &axis;
    }
    return true;
  };
  for (size_t i = 0; i < sharding.dims.size(); ++i) {
    const SdySharding::Dim& dim = sharding.dims[i];
    if (dim.has_priority && dim.closed && dim.axes.empty())
      return fail(StrFormat("dim {} is empty and closed but has a priority", i));
    if (!check(dim.axes)) return false;
  }
  const auto place = [&](const AxisRef& axis) {
    size_t i = 0;
    while (i < mesh->axes.size() && mesh->axes[i].name != axis.name) ++i;
    return std::make_pair(i, axis.pre_size);
  };
  for (const auto& [axes, name] :
       {std::pair(&sharding.replicated, "replicated"), {&sharding.unreduced, "unreduced"}}) {
    if (!std::ranges::is_sorted(*axes, {}, place))
      return fail(StrFormat("{} axes are not ordered w.r.t. mesh", name));
    if (!check(*axes)) return false;
  }
  std::ranges::sort(seen, {}, place);
  const AxisRef* previous = nullptr;
  for (const AxisRef& axis : seen) {
    const bool same = previous && previous->name == axis.name;
    if (same && (!previous->size || !axis.size))
      return fail(StrFormat("both sub-axis and full-axis are used for axis name: \"{}\"", axis.name));
    const AxisRef* const before = same ? previous : nullptr;
    previous = &axis;
    if (!axis.size) continue;
    const int64_t whole = mesh->Find(axis.name)->size;
    if (axis.pre_size < 1) return fail(StrFormat("sub-axis pre-size must be at least 1: {}", TextOf(axis)));
    if (axis.size <= 1) return fail(StrFormat("sub-axis sizes must be greater than 1: {}", TextOf(axis)));
    if (whole % NextPreSize(axis) != 0)
      return fail(StrFormat("sub-axis next pre-size {} doesn't divide the size of the full axis {}: {}",
                            NextPreSize(axis), whole, TextOf(axis)));
    if (axis.size == whole)
      return fail(StrFormat("sub-axis size is equal to the full axis size: {}", TextOf(axis)));
    if (before && NextPreSize(*before) > axis.pre_size)
      return fail(StrFormat("overlapping sub-axes: {}, {}", TextOf(*before), TextOf(axis)));
  }
  for (const AxisRef& axis : seen)
    if (std::ranges::find(manual, axis.name) != manual.end())
      return fail(StrFormat(
          "operates on axis \"{}\" which is already bound by a parent sdy.manual_computation op", axis.name));
  return true;
}

bool ShardingChecks::CheckValue(AttrId attr, TypeId type, const Manual& manual, const Report& report) {
  const auto* shardings = ShardingsOf(attr, false);
  return !shardings || CheckSharding(shardings->front(), type, manual, report);
}

bool ShardingChecks::CheckList(AttrId attr, std::span<const TypeId> types, const Manual& manual,
                               const Report& report) {
  const auto* shardings = ShardingsOf(attr, true);
  if (!shardings) return true;
  if (types.empty() && shardings->size() == 1) {
    const SdySharding& only = shardings->front();
    const SdyMesh* mesh = MeshOf(only);
    if ((mesh && mesh->maximal()) || (only.dims.empty() && only.replicated.empty() && only.unreduced.empty()))
      return CheckSharding(only, {}, manual, report);
  }
  if (shardings->size() != types.size())
    return report(StrFormat("shardings don't match number of values: {} shardings vs {} values",
                            shardings->size(), types.size())),
           false;
  for (size_t i = 0; i < types.size(); ++i) {
    const auto at = [&](std::string message) {
      report(types.size() == 1 ? "- " + message : StrFormat("{} - {}", i, message));
    };
    if (!CheckSharding((*shardings)[i], types[i], manual, at)) return false;
  }
  return true;
}

// Returns the axes that the manual computations around an op are manual on.
ShardingChecks::Manual ShardingChecks::ManualAround(const Op& op) const {
  Manual manual;
  for (BlockId block = op.parent; block;) {
    const OpId around = m_.regions[m_.blocks[block.v].parent.v].parent;
    if (!around) break;
    const Op& parent = m_.ops[around.v];
    block = parent.parent;
    if (m_.RevisionIdOf(parent) || m_.NameOf(parent) != "sdy.manual_computation") continue;
    std::string_view body = Body(m_.AttributeOf(parent, "manual_axes"), "manual_axes");
    for (size_t open; (open = body.find('"')) != body.npos;) {
      const size_t close = body.find('"', open + 1);
      if (close == body.npos) break;
      manual.push_back(body.substr(open + 1, close - open - 1));
      body.remove_prefix(close + 1);
    }
  }
  return manual;
}

namespace {

std::string ShapeText(const Module& m, std::span<const int64_t> shape, TypeId element) {
  std::string text = "'tensor<";
  for (int64_t size : shape) text += size == kDynamic ? std::string("?x") : StrFormat("{}x", size);
  return StrFormat("{}{}>'", text, TypeText(m, element));
}

}  // namespace

// The types inside of a manual computation are those outside divided by the sizes of its axes.
bool ShardingChecks::CheckLocal(const LocalTypes& types, const std::vector<std::string>& manual,
                                const Report& report) {
  const auto fail = [&](std::string message) { return report(std::move(message)), false; };
  const auto [what, shardings, outside, inside] = types;
  if (outside.size() != inside.size())
    return fail(StrFormat("number of op {}s and region {}s must match. Op has {} op {}s and {} region {}s",
                          what, what, outside.size(), what, inside.size(), what));
  for (size_t i = 0; i < outside.size(); ++i) {
    const SdySharding& sharding = (*shardings)[i];
    const SdyMesh* mesh = MeshOf(sharding);
    const ShapedType global(m_, outside[i]), local(m_, inside[i]);
    if (!mesh || !global.ranked || sharding.dims.size() != global.shape.size()) continue;
    std::vector<int64_t> shape(global.shape.begin(), global.shape.end());
    for (size_t d = 0; d < shape.size(); ++d) {
      int64_t parts = 1;
      const AxisRef* free = nullptr;
      for (const AxisRef& axis : sharding.dims[d].axes) {
        if (std::ranges::find(manual, axis.name) == manual.end()) {
          free = &axis;
          continue;
        }
        if (free)
          return fail(
              StrFormat("{} sharding at index {} must have all manual axes come before free axes in its "
                        "dimension sharding at index {}. Saw manual axis {} after free axis {}",
                        what, i, d, TextOf(axis), TextOf(*free)));
        parts = Times(parts, SizeOf(*mesh, axis));
      }
      if (shape[d] == kDynamic || parts < 1) continue;
      if (shape[d] % parts)
        return fail(StrFormat("{} dimension size {} is not divisible by the manual axes size {}", what,
                              shape[d], parts));
      shape[d] /= parts;
    }
    if (!local.ranked || local.element != global.element || !std::ranges::equal(local.shape, shape))
      return fail(
          StrFormat("{} shape, corresponding sharding, and region {} shape at index {} must match. Expected "
                    "local shape {}, actual local shape '{}'",
                    what, what, i, ShapeText(m_, shape, global.element), TypeText(m_, inside[i])));
  }
  return true;
}

void ShardingChecks::CheckManual(const Op& op, const Report& report) {
  const auto regions = m_.RegionsOf(op);
  const auto blocks = regions.size() == 1 ? m_.BlocksOf(regions[0]) : std::span<const BlockId>();
  if (blocks.size() != 1) return;
  std::vector<std::string> manual;
  TextScan scan(Body(m_.AttributeOf(op, "manual_axes"), "manual_axes"));
  scan.Eat("{");
  for (std::string axis; scan.Quoted(&axis); scan.Eat(", ")) manual.push_back(axis);
  const Manual around = ManualAround(op);
  for (const std::string& axis : manual)
    if (std::ranges::find(around, axis) != around.end())
      return report(StrFormat(
          "operates on axis \"{}\" which is already bound by a parent sdy.manual_computation op", axis));
  const OpSignature signature = m_.SignatureOf(op);
  LocalTypes in{
      "operand", ShardingsOf(m_.AttributeOf(op, "in_shardings"), true), signature.operand_types, {}};
  for (uint32_t i = 0; i < m_.blocks[blocks[0].v].args.count; ++i)
    in.inside.push_back(m_.TypeOf(m_.ArgOf(blocks[0], i)));
  LocalTypes out{
      "result", ShardingsOf(m_.AttributeOf(op, "out_shardings"), true), signature.result_types, {}};
  if (const auto ops = m_.OpsOf(blocks[0]); !ops.empty()) {
    const auto returned = m_.SignatureOf(m_.ops[ops.back().v]).operand_types;
    out.inside.assign(returned.begin(), returned.end());
  }
  // All meshes are the same, or empty.
  const SdyMesh* mesh = nullptr;
  for (const auto* shardings : {in.shardings, out.shardings})
    for (size_t i = 0; shardings && i < shardings->size(); ++i) {
      const SdyMesh* other = MeshOf((*shardings)[i]);
      if (!other || other->axes.empty()) continue;
      if (mesh && mesh != other && !SameAxes(*mesh, *other))
        return report("all in and out shardings must be bound to the same mesh or an empty mesh.");
      mesh = other;
    }
  for (const std::string& axis : manual)
    if (mesh && !mesh->Find(axis)) return report(StrFormat("unknown manual axis: \"{}\"", axis));
  if (in.shardings && in.shardings->size() == in.outside.size() && !CheckLocal(in, manual, report)) return;
  if (out.shardings && out.shardings->size() == out.outside.size()) CheckLocal(out, manual, report);
}

void ShardingChecks::CheckFunction(const Op& op, const Report& report) {
  const auto type = m_.FunctionTypeOf(op);
  const StringId key = m_.strings.Find("sdy.sharding");
  if (!type || !key) return;
  const auto check = [&](std::string_view slot, std::string_view what, const auto& types) {
    const AttrId attr = m_.InherentAttrOf(op, slot);
    if (!attr || m_.attrs.KindOf(attr) != AttrKind::kArray) return true;
    const IdList<AttrId> dicts = m_.ElementsOf(attr);
    for (size_t i = 0; i < dicts.size() && i < types.size(); ++i) {
      if (m_.attrs.KindOf(dicts[i]) != AttrKind::kDict) continue;
      for (const NamedAttr& entry : m_.Get<DictionaryAttr>(dicts[i]).entries) {
        if (entry.name != key) continue;
        const auto at = [&](std::string message) { report(StrFormat("{} {} - {}", what, i, message)); };
        if (Body(entry.value, "sharding").empty())
          return at("should have a sharding attribute of type TensorShardingAttr"), false;
        if (!CheckValue(entry.value, types[i], {}, at)) return false;
      }
    }
    return true;
  };
  if (check("arg_attrs", "arg", type->inputs)) check("res_attrs", "result", type->results);
}

// A rule has a mapping for each operand and result, with a group of factors for each dimension.
void ShardingChecks::CheckRule(const Op& op, AttrId rule, const Report& report) const {
  TextScan scan(Body(rule, "op_sharding_rule"));
  if (!scan.Eat("<(")) return;
  // The number of dimensions of each value, and the factors of all of them.
  struct Mapping {
    size_t rank = 0;
    std::vector<int64_t> factors;
  };
  std::vector<Mapping> sides[2];
  for (auto& mappings : sides) {
    while (scan.Eat("[")) {
      Mapping& mapping = mappings.emplace_back();
      for (int64_t factor; scan.Factor(&factor);) {
        ++mapping.rank;
        do mapping.factors.push_back(factor);
        while (scan.Factor(&factor));
        if (!scan.Eat(", ")) break;
      }
      if (!scan.Eat("]")) return;
      if (!scan.Eat(", ")) break;
    }
    if (&mappings == &sides[0] ? !scan.Eat(")->(") : !scan.Eat(")")) return;
  }
  int64_t factors = 0, size = 0;
  if (scan.Eat(" {"))
    for (int64_t factor; scan.Factor(&factor) && scan.Eat("=") && scan.Number(&size); scan.Eat(", "))
      ++factors;
  const auto check = [&](const auto& mappings, std::span<const TypeId> types, std::string_view what) {
    if (types.size() != mappings.size())
      return report(StrFormat("number of {}s and mappings must match: {} != {}", what, types.size(),
                              mappings.size())),
             false;
    for (size_t i = 0; i < types.size(); ++i) {
      const ShapedType shaped(m_, types[i]);
      const std::string at = types.size() == 1 ? StrFormat("{} - ", what) : StrFormat("{} {} - ", what, i);
      if (!shaped.ranked)
        return report(StrFormat("{}expected a ranked tensor with a static shape. type: '{}'", at,
                                TypeText(m_, types[i]))),
               false;
      if (shaped.shape.size() != mappings[i].rank)
        return report(StrFormat("{}mapping rank must match: {} != {}", at, mappings[i].rank,
                                shaped.shape.size())),
               false;
      for (int64_t factor : mappings[i].factors)
        if (factor >= factors)
          return report(StrFormat("{}expecting factor indices to be within 0<=...<num_factors; received: {}, "
                                  "num_factors: {}",
                                  at, factor, factors)),
                 false;
    }
    return true;
  };
  const OpSignature signature = m_.SignatureOf(op);
  if (check(sides[0], signature.operand_types, "operand")) check(sides[1], signature.result_types, "result");
}

void ShardingChecks::Check(const Op& op, const Report& report) {
  if (m_.RevisionIdOf(op)) {
    if (m_.Has(op, Trait::kFunction)) return CheckFunction(op, report);
    if (m_.DiscardableAttrsOf(op).size() == 0) return;
  }
  const OpSignature signature = m_.SignatureOf(op);
  const auto operands = signature.operand_types, results = signature.result_types;
  if (const AttrId attr = m_.AttributeOf(op, "sdy.sharding")) {
    if (Body(attr, "sharding_per_value").empty())
      return report("should have a sharding attribute of type TensorShardingPerValueAttr");
    const auto of_results = [&](std::string message) { report("result " + message); };
    if (!CheckList(attr, results, ManualAround(op), of_results)) return;
  }
  if (const AttrId attr = m_.AttributeOf(op, "sdy.sharding_rule")) CheckRule(op, attr, report);
  if (m_.RevisionIdOf(op) || !m_.NameOf(op).starts_with("sdy.")) return;
  if (m_.NameOf(op) == "sdy.mesh") {
    // An exporter without Shardy's attributes states the mesh as StableHLO does.
    if (!m_.AttributeOf(op, "mesh") && !m_.AttributeOf(op, "stablehlo.mesh"))
      return report("requires attribute 'mesh'");
    SdyMesh mesh;
    TextScan scan(Body(m_.AttributeOf(op, "mesh"), "mesh"));
    if (scan.Mesh(&mesh)) CheckMesh(mesh, report);
    return;
  }
  for (std::string_view name : {"sharding", "out_sharding"})
    if (const AttrId attr = m_.AttributeOf(op, name))
      if (!CheckValue(attr, results.empty() ? TypeId() : results[0], ManualAround(op), report)) return;
  const bool manual = m_.NameOf(op) == "sdy.manual_computation";
  for (const bool in : {true, false}) {
    const std::string_view name = in ? "in_shardings" : "out_shardings";
    const std::string_view what = !manual ? name : in ? "operand" : "result";
    if (const AttrId attr = m_.AttributeOf(op, name)) {
      const auto of_list = [&](std::string message) { report(StrFormat("{} {}", what, message)); };
      if (!CheckList(attr, in ? operands : results, ManualAround(op), of_list)) return;
    }
  }
  if (manual) CheckManual(op, report);
  if (m_.NameOf(op) == "sdy.named_computation") CheckNamed(op, operands, results, report);
  int64_t direction;
  if (m_.NameOf(op) == "sdy.propagation_barrier" &&
      m_.AsInteger(m_.AttributeOf(op, "allowed_direction"), &direction) && direction == 3)
    report(
        "cannot specify `BOTH` as the direction. Not blocking propagation direction makes the op redundant.");
}

// The region of a named computation has the types of the op.
void ShardingChecks::CheckNamed(const Op& op, std::span<const TypeId> operands,
                                std::span<const TypeId> results, const Report& report) const {
  const auto regions = m_.RegionsOf(op);
  const auto blocks = regions.size() == 1 ? m_.BlocksOf(regions[0]) : std::span<const BlockId>();
  if (blocks.size() != 1) return;
  const uint32_t args = m_.blocks[blocks[0].v].args.count;
  if (args != operands.size())
    return report(StrFormat("number of block arguments must match the number of operands: {} != {}", args,
                            operands.size()));
  for (uint32_t i = 0; i < args; ++i)
    if (const TypeId type = m_.TypeOf(m_.ArgOf(blocks[0], i)); type != operands[i])
      return report(
          StrFormat("expected the type of the {}'th block argument to match the type of the corresponding "
                    "operand: '{}' vs '{}'",
                    i, TypeText(m_, type), TypeText(m_, operands[i])));
  const auto ops = m_.OpsOf(blocks[0]);
  if (ops.empty()) return;
  const auto returned = m_.SignatureOf(m_.ops[ops.back().v]).operand_types;
  if (std::ranges::equal(returned, results)) return;
  const auto list = [&](std::span<const TypeId> types) {
    std::string text;
    for (TypeId type : types) text += StrFormat("{}'{}'", text.empty() ? "" : ", ", TypeText(m_, type));
    return text;
  };
  report(StrFormat("inferred type(s) {} are incompatible with return type(s) of operation {}", list(returned),
                   list(results)));
}

}  // namespace shlo
