#include "shlo/hints.h"

#include <algorithm>
#include <array>

#include "base/guarded.h"
#include "ir/module/node_versions.h"
#include "ir/table/trait.h"
#include "shlo/editor.h"
#include "versioning/hint_remedy.h"

namespace shlo {
namespace {

enum class HintIf : uint8_t { kAlways, kOneDevice };
struct HintRow {
  std::string_view name;
  HintIf condition;
};
constexpr HintRow kHints[] = {
#define SHLO_HINT(name, condition) {name, HintIf::condition},
#include "schema/hints.inc"
};
constexpr std::string_view kMesh = "sdy.mesh";

// Returns whether the program states that it runs on one device.
bool IsForOneDevice(const Module& m) {
  const auto stated = [&](std::string_view name, int64_t otherwise) {
    int64_t count = otherwise;
    m.AsInteger(m.AttributeOf(m.ops[m.top.v], name), &count);
    return count;
  };
  return stated("mhlo.num_partitions", 0) == 1 && stated("mhlo.num_replicas", 1) == 1;
}

// Drops the attributes of a module in place.
class HintDropper {
 public:
  explicit HintDropper(Module* module) : m_(*module), one_device_(IsForOneDevice(*module)) {
    for (size_t i = 0; i < std::size(kHints); ++i)
      if (kHints[i].condition == HintIf::kAlways || one_device_) names_[i] = m_.strings.Find(kHints[i].name);
  }

  // Returns whether the module has a name of a hint at all.
  bool HasAny() const {
    return std::ranges::any_of(names_, [](StringId name) { return bool(name); });
  }

  void Run() {
    const std::vector<uint64_t> num_ops = m_.NumOpsBySignature();
    m_.RewriteSignatures([&](SignatureId id, EditedSignature* op) {
      num_ops_ = num_ops[id.v];
      std::erase_if(op->discardable_attrs, [&](const NamedAttr& attr) { return Drops(attr); });
      if (op->revision && RowOf(op->revision).Has(Trait::kFunction)) DropOfFunction(op);
    });
  }

  std::array<uint64_t, std::size(kHints)> counts() const { return counts_; }

 private:
  bool Drops(const NamedAttr& attr) {
    const auto found = std::ranges::find(names_, attr.name);
    if (!attr.name || found == names_.end()) return false;
    counts_[size_t(found - names_.begin())] += num_ops_;
    return true;
  }

  // Arguments and results have a dictionary each.
  void DropOfFunction(EditedSignature* op) {
    for (const std::string_view name : {"arg_attrs", "res_attrs"}) {
      const int slot = RevisionOf(op->revision).FindSlot(name);
      if (slot < 0) continue;
      AttrId& list = op->inherent_attrs[size_t(slot)];
      if (!list || m_.attrs.KindOf(list) != AttrKind::kArray) continue;
      const auto elements = m_.ElementsOf(list);
      std::vector<AttrId> kept(elements.begin(), elements.end());
      bool changed = false;
      for (AttrId& dict : kept) changed |= DropOfDict(&dict);
      if (changed) list = m_.Array(kept);
    }
  }

  bool DropOfDict(AttrId* dict) {
    const auto found = m_.As<DictionaryAttr>(*dict);
    if (!found) return false;
    std::vector<NamedAttr> entries(found->entries.begin(), found->entries.end());
    const auto end =
        std::remove_if(entries.begin(), entries.end(), [&](const NamedAttr& attr) { return Drops(attr); });
    if (end == entries.end()) return false;
    entries.erase(end, entries.end());
    *dict = m_.Dict(std::move(entries));
    return true;
  }

  Module& m_;
  const bool one_device_;
  std::array<StringId, std::size(kHints)> names_;
  std::array<uint64_t, std::size(kHints)> counts_{};
  uint64_t num_ops_ = 0;  // with the signature whose attributes are dropped
};

// Leaves out the meshes of a program in which nothing can name them. Returns how many there were.
uint64_t DropMeshes(Module* module, SourcePlaces* places) {
  ModuleEditor editor(std::move(*module));
  uint64_t count = 0;
  for (const OpId op : editor.Ops()) {
    if (!editor.Has(op) || editor.module().NameOf(editor[op]) != kMesh) continue;
    editor.Erase(op);
    ++count;
  }
  *module = std::move(editor).Finish(places);
  return count;
}

// Whether attributes or ops of the program can name a mesh: those of sdy, and groups of devices by mesh axes.
class MeshUses {
 public:
  explicit MeshUses(const Module& module) : m_(module), seen_(module.attrs.size()) {}

  bool Any() {
    for (uint32_t i = 1; i < m_.ops.size(); ++i) {
      const Op& op = m_.ops[i];
      if (m_.NameOf(op) == kMesh) continue;
      if (m_.NameOf(op).starts_with("sdy.")) return true;
      for (const AttrId attr : m_.InherentAttrsOf(op))
        if (Uses(attr)) return true;
      for (const NamedAttr& attr : m_.DiscardableAttrsOf(op))
        if (Uses(attr.value)) return true;
    }
    return false;
  }

 private:
  bool Uses(AttrId root) {
    std::vector<AttrId> stack{root};
    while (!stack.empty()) {
      const AttrId attr = stack.back();
      stack.pop_back();
      if (!attr || seen_[attr.v]) continue;
      seen_[attr.v] = true;
      const auto view = m_.attrs[attr];
      const auto opaque = view.As<OpaqueAttr>();
      const std::string_view dialect = opaque ? m_.strings[opaque->dialect] : RowOf(view.kind).dialect;
      if (dialect == "sdy" || view.kind == AttrKind::kReplicaGroupMeshAxes) return true;
      ForEachChild(
          RowOf(view.kind), view.words, [](TypeId) {}, [&](AttrId child) { stack.push_back(child); });
    }
    return false;
  }

  const Module& m_;
  std::vector<bool> seen_;
};

WithoutHints Drop(const Module& module, SourcePlaces* places) {
  WithoutHints out;
  out.module = module;
  HintDropper dropper(&out.module);
  if (!dropper.HasAny()) return out;
  dropper.Run();
  const auto counts = dropper.counts();
  for (size_t i = 0; i < counts.size(); ++i)
    if (counts[i]) out.dropped.push_back({std::string(kHints[i].name), counts[i]});
  if (out.dropped.empty() || !out.module.strings.Find(kMesh) || MeshUses(out.module).Any()) return out;
  if (const uint64_t meshes = DropMeshes(&out.module, places))
    out.dropped.push_back({std::string(kMesh), meshes});
  return out;
}

}  // namespace

Result<WithoutHints> DropHints(const Module& module, SourcePlaces* places) {
  return Guarded([&]() -> Result<WithoutHints> {
    if (!module.top || module.top.v >= module.ops.size())
      return Error(Code::kInvalidProgram, "module has no top-level op");
    return Drop(module, places);
  });
}

void SuggestDroppingHints(const Module& module, const std::function<Diagnostics(const Module&)>& find,
                          Diagnostics* found) {
  if (found->empty()) return;
  const WithoutHints without = Drop(module, nullptr);
  if (without.dropped.empty()) return;
  const Diagnostics left = find(without.module);
  for (Diagnostic& d : *found)
    if (d.severity != Severity::kNote &&
        std::ranges::find(left, d.message, &Diagnostic::message) == left.end())
      d.hint += (d.hint.empty() ? "" : ", or ") +
                std::string("pass --drop-hints to leave out what changes no result");
}

}  // namespace shlo
