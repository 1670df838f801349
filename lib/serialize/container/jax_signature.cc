// Describes jax.export files in words.
#include <fmt/ranges.h>

#include "base/format.h"
#include "base/stack.h"
#include "serialize/container/calling_convention.h"
#include "serialize/container/jax_export.h"
#include "serialize/container/jax_releases.h"

namespace shlo::container {
namespace {

using namespace jax_export;
using Strings = flatbuffers::Vector<flatbuffers::Offset<flatbuffers::String>>;

std::vector<std::string> ListOf(const Strings* strings) {
  std::vector<std::string> list;
  for (unsigned i = 0; strings && i < strings->size(); ++i) list.push_back(strings->Get(i)->str());
  return list;
}

std::string_view ElementName(ElementType type) {
  switch (type) {
    case ElementType_c64:
      return "complex<f32>";
    case ElementType_c128:
      return "complex<f64>";
    case ElementType_f8_e4m3b11fnuz:
      return "f8E4M3B11FNUZ";
    case ElementType_f8_e4m3fn:
      return "f8E4M3FN";
    case ElementType_f8_e4m3fnuz:
      return "f8E4M3FNUZ";
    case ElementType_f8_e5m2:
      return "f8E5M2";
    case ElementType_f8_e5m2fnuz:
      return "f8E5M2FNUZ";
    case ElementType_f8_e4m3:
      return "f8E4M3";
    case ElementType_f8_e3m4:
      return "f8E3M4";
    case ElementType_f8_e8m0fnu:
      return "f8E8M0FNU";
    case ElementType_f4_e2m1fn:
      return "f4E2M1FN";
    case ElementType_key_fry:
      return "key<fry>";
    case ElementType_key_rbg:
      return "key<rbg>";
    case ElementType_key_unsafe_rbg:
      return "key<unsafe_rbg>";
    default: {
      // The others have the name of StableHLO.
      const std::string_view name = EnumNameElementType(type);
      return name.empty() ? "unknown" : name;
    }
  }
}

// "['x', ('y', 'z'), None] on {x: 4, y: 2, z: 1}".
std::string ShardingText(const NamedSharding* named, const Mesh* mesh) {
  std::string text;
  const auto quoted = [](const std::string& name) { return StrFormat("'{}'", name); };
  if (const PartitionSpec* spec = named->spec()) {
    for (unsigned i = 0; spec->dimensions() && i < spec->dimensions()->size(); ++i) {
      std::vector<std::string> axes = ListOf(spec->dimensions()->Get(i)->axes());
      for (std::string& axis : axes) axis = quoted(axis);
      if (i) text += ", ";
      text += axes.empty() ? "None" : axes.size() == 1 ? axes[0] : StrFormat("({})", fmt::join(axes, ", "));
    }
    if (const auto axes = ListOf(spec->unreduced()); !axes.empty())
      text += StrFormat("{}unreduced={{{}}}", text.empty() ? "" : ", ", fmt::join(axes, ", "));
    if (const auto axes = ListOf(spec->reduced()); !axes.empty())
      text += StrFormat("{}reduced={{{}}}", text.empty() ? "" : ", ", fmt::join(axes, ", "));
  }
  text = StrFormat("[{}]", text);
  if (named->mesh()) mesh = named->mesh();
  if (!mesh) return text;
  const std::vector<std::string> names = ListOf(mesh->axis_names());
  std::vector<std::string> axes;
  for (unsigned i = 0; i < names.size(); ++i) {
    const bool sized = mesh->axis_sizes() && i < mesh->axis_sizes()->size();
    axes.push_back(sized ? StrFormat("{}: {}", names[i], mesh->axis_sizes()->Get(i)) : names[i]);
  }
  return StrFormat("{} on {{{}}}", text, fmt::join(axes, ", "));
}

struct Side {
  const Tree* tree;
  const flatbuffers::Vector<flatbuffers::Offset<jax_export::Value>>* values;
  const flatbuffers::Vector<uint32_t>* indices;
  const flatbuffers::Vector<flatbuffers::Offset<Sharding>>* shardings;
  const flatbuffers::Vector<uint32_t>* sharding_indices;
  bool inputs;
};

std::string ShardingOf(const Jax* function, const Side& side, unsigned i) {
  const NamedSharding* named = nullptr;
  if (side.sharding_indices && i < side.sharding_indices->size() && function->shardings()) {
    const uint32_t index = side.sharding_indices->Get(i);
    if (index && index <= function->shardings()->size()) named = function->shardings()->Get(index - 1);
  } else if (side.shardings && i < side.shardings->size()) {
    const Sharding* sharding = side.shardings->Get(i);
    named = sharding->named();
    if (!named && sharding->hlo()) return sharding->hlo()->size() ? "HLO sharding" : "replicated";
  }
  if (!named) return "";
  const auto* meshes = function->meshes();
  const Mesh* mesh =
      meshes && named->mesh_index() < meshes->size() ? meshes->Get(named->mesh_index()) : nullptr;
  return ShardingText(named, mesh);
}

std::vector<SignatureValue> Describe(const Jax* function, const Side& side) {
  std::vector<SignatureValue> out;
  const std::vector<std::string> paths = LeafPaths(side.tree, side.inputs);
  const bool indexed = side.indices && side.indices->size();
  const unsigned count = indexed ? side.indices->size() : side.values ? side.values->size() : 0;
  for (unsigned i = 0; i < count; ++i) {
    const auto* list = indexed ? function->values() : side.values;
    const uint32_t index = indexed ? side.indices->Get(i) : i;
    SignatureValue& value = out.emplace_back();
    // A tree of other leaves is wrong, but no reason to show nothing.
    value.path = paths.size() == count ? paths[i] : StrFormat("{}{}", side.inputs ? "input " : "output ", i);
    value.sharding = ShardingOf(function, side, i);
    if (!list || index >= list->size()) {
      value.element_type = "unknown";
      continue;
    }
    const jax_export::Value* type = list->Get(index);
    value.element_type = ElementName(type->element_type());
    value.shape = ListOf(type->shape());
    if (type->memory_space() == MemorySpace_host) value.memory = "host";
    if (type->memory_space() == MemorySpace_any) value.memory = "any";
  }
  return out;
}

// The verifier has bounded the depth of the tree.
void AddLeaves(const Tree* tree, const std::string& path, bool is_root, bool inputs,
               std::vector<std::string>* out) {
  CheckStack();
  if (tree->kind() == TreeKind_leaf) {
    out->push_back(path);
    return;
  }
  const unsigned count = tree->children() ? tree->children()->size() : 0;
  for (unsigned i = 0; i < count; ++i) {
    std::string child;
    if (is_root && inputs) {
      child = i == 0 ? "args" : "kwargs";
    } else if (tree->kind() == TreeKind_dict && tree->keys() && i < tree->keys()->size()) {
      child = StrFormat("{}['{}']", path, tree->keys()->Get(i)->string_view());
    } else {
      child = StrFormat("{}[{}]", path, i);
    }
    AddLeaves(tree->children()->Get(i), child, false, inputs, out);
  }
}

std::string DisabledCheckText(const DisabledCheck* check) {
  const std::string target = check->custom_call_target() ? check->custom_call_target()->str() : "";
  if (check->kind() == CheckKind_custom_call) return StrFormat("custom_call {}", target);
  return EnumNameCheckKind(check->kind());
}

std::vector<std::string> EffectsOf(const flatbuffers::Vector<flatbuffers::Offset<Effect>>* effects) {
  std::vector<std::string> list;
  for (unsigned i = 0; effects && i < effects->size(); ++i)
    list.push_back(effects->Get(i)->type_name() ? effects->Get(i)->type_name()->str() : "");
  return list;
}

std::vector<ContainerProperty> PropertiesOf(const Jax* function) {
  std::vector<ContainerProperty> all;
  const auto add = [&](const char* name, std::string value) { all.push_back({name, {std::move(value)}}); };
  const auto add_list = [&](const char* name, std::vector<std::string> values) {
    if (!values.empty()) all.push_back({name, std::move(values), true});
  };
  const uint32_t convention = function->calling_convention_version();
  add("calling_convention_version", StrFormat("{}", convention));
  if (const std::string_view text = CallingConventionText(convention); !text.empty())
    add("calling_convention_adds", std::string(text));
  if (const std::string releases = CallingConventionReleases(convention); !releases.empty())
    add("calling_convention_of", "jax " + releases);
  add_list("platforms", ListOf(function->platforms()));
  add("devices", StrFormat("{}", function->devices() ? function->devices() : function->devices_short()));
  std::vector<std::string> kept;
  for (unsigned i = 0; function->kept_inputs() && i < function->kept_inputs()->size(); ++i)
    kept.push_back(StrFormat("{}", function->kept_inputs()->Get(i)));
  const bool indexed = function->input_indices() && function->input_indices()->size();
  const unsigned inputs = indexed              ? function->input_indices()->size()
                          : function->inputs() ? function->inputs()->size()
                                               : 0;
  if (kept.size() != inputs) all.push_back({"kept_inputs", std::move(kept), true});
  if (function->uses_global_constants()) add("uses_global_constants", "true");
  add_list("ordered_effects", EffectsOf(function->ordered_effects()));
  add_list("unordered_effects", EffectsOf(function->unordered_effects()));
  std::vector<std::string> checks;
  for (unsigned i = 0; function->disabled_checks() && i < function->disabled_checks()->size(); ++i)
    checks.push_back(DisabledCheckText(function->disabled_checks()->Get(i)));
  add_list("disabled_checks", std::move(checks));
  return all;
}

}  // namespace

std::vector<std::string> LeafPaths(const Tree* tree, bool inputs) {
  std::vector<std::string> paths;
  if (tree) AddLeaves(tree, inputs ? "" : "result", true, inputs, &paths);
  return paths;
}

ContainerInfo DescribeJaxExport(const JaxFile& file) {
  ContainerInfo info;
  info.format = Format::kJaxExport;
  const Jax* root = file.root();
  bool unknown = false;
  const FlatTable tree =
      ReadFlatTable(reinterpret_cast<const flatbuffers::Table*>(root), ExportedTypeTable(), &unknown);
  const auto add = [&](const char* name, std::string value) {
    info.properties.push_back({name, {std::move(value)}});
  };
  add("serialization_version", StrFormat("{}", root->serialization_version()));
  const std::string written = WritingReleases(tree);
  if (root->jax_version())
    add("written_by", "jax " + root->jax_version()->str());
  else if (!written.empty())
    add("written_by", "jax " + written);
  std::vector<std::string> readers = ReadingReleases(tree);
  info.properties.push_back({"read_by_jax", std::move(readers), true});
  if (unknown) add("unknown_fields", "true");
  for (size_t i = 0; i < file.functions().size(); ++i) {
    const Jax* f = file.functions()[i];
    info.programs.emplace_back(file.names()[i], PropertiesOf(f));
    Signature& signature = info.signatures.emplace_back();
    signature.name = file.names()[i];
    signature.inputs = Describe(f, {f->in_tree(), f->inputs(), f->input_indices(), f->in_shardings(),
                                    f->in_sharding_indices(), true});
    signature.outputs = Describe(f, {f->out_tree(), f->outputs(), f->output_indices(), f->out_shardings(),
                                     f->out_sharding_indices(), false});
  }
  return info;
}

}  // namespace shlo::container
