#include "shlo/mhlo.h"

#include <algorithm>
#include <utility>

#include "base/format.h"
#include "ir/module/mhlo_attrs.h"
#include "ir/table/mhlo.h"

namespace shlo {
namespace {

class Leaving {
 public:
  Leaving(Module* module, const Source* source) : m_(*module), source_(source) {}

  void Leave(OpId id) {
    const Op op = m_.ops[id.v];
    const RevisionId revision = m_.RevisionIdOf(op);
    const bool is_mhlo = !revision && m_.NameOf(op).starts_with("mhlo.");
    const mhlo::OpRow* row =
        revision ? mhlo::OpRowOf(RevisionOf(revision).row) : mhlo::FindOpRow(m_.NameOf(op));
    if (is_mhlo && (!row || row->fate == mhlo::Fate::kNone))
      return Block(id, "op has no counterpart in StableHLO",
                   row ? StrFormat("{}", row->why) : std::string("no release of MHLO that is known has it"));
    if (is_mhlo) return Become(id, *row);
    if (!row) return;
    const auto attrs = m_.DiscardableAttrsOf(op);
    if (std::ranges::none_of(
            attrs, [&](const NamedAttr& attr) { return mhlo::HasProperty(*row, m_.strings[attr.name]); }))
      return;
    std::vector<NamedAttr> kept;
    for (const NamedAttr& attr : std::vector<NamedAttr>(attrs.begin(), attrs.end())) {
      const std::string_view name = m_.strings[attr.name];
      if (!mhlo::HasProperty(*row, name))
        kept.push_back(attr);
      else if (!mhlo::MeansNothing(*row, name, ""))
        Block(id, StrFormat("attribute '{}' has no counterpart in StableHLO", name), "remove it");
    }
    m_.SetDiscardableAttrs(id, std::move(kept));
  }
  Diagnostics& found() { return found_; }

 private:
  void Block(OpId id, std::string message, std::string hint) {
    constexpr size_t kMost = 1000;
    if (found_.size() >= kMost) return;
    Diagnostic d;
    d.code = Code::kBlocked;
    d.place = PlaceOf(m_, id, source_);
    d.op = std::string(m_.NameOf(m_.ops[id.v]));
    d.message = std::move(message);
    d.hint = std::move(hint);
    found_.push_back(std::move(d));
  }

  // Makes an op the one of CHLO.
  void Become(OpId id, const mhlo::OpRow& row) {
    const RevisionId to = NewestRevision(row.row);
    const OpRevision& revision = RevisionOf(to);
    if (m_.ops[id.v].regions.count != revision.regions.size())
      return Block(id, "op has no counterpart in StableHLO", "remove its regions");
    std::vector<AttrId> inherent(revision.attrs.size());
    std::vector<NamedAttr> kept;
    const auto attrs = m_.DiscardableAttrsOf(m_.ops[id.v]);
    for (const NamedAttr& attr : std::vector<NamedAttr>(attrs.begin(), attrs.end())) {
      std::string_view name = m_.strings[attr.name];
      bool largest;
      if (name == "largest" && mhlo::HasProperty(row, name)) {
        if (!m_.AsBool(attr.value, &largest) || !largest)
          Block(id, "attribute 'largest' must be true in CHLO", "negate the operand and the values");
        continue;
      }
      const AttrId value = FromMhlo(m_, to, &name, attr.value);
      const int slot = revision.FindSlot(name);
      if (slot >= 0)
        inherent[size_t(slot)] = m_.NormalizeInherentAttr(revision.attrs[size_t(slot)], value);
      else
        kept.push_back(attr);
    }
    m_.EditSignature(id, [&](EditedSignature& op) {
      op.revision = to;
      op.name = {};
      op.inherent_attrs = inherent;
      op.discardable_attrs = kept;
    });
  }

  Module& m_;
  const Source* const source_;
  Diagnostics found_;
};

}  // namespace

Diagnostics LeaveMhlo(Module* module, const Source* source) {
  Leaving leaving(module, source);
  for (uint32_t i = 1; i < module->ops.size(); ++i) leaving.Leave(OpId(i));
  return std::move(leaving.found());
}

Result<void> LeaveMhlo(Program* program) {
  if (Diagnostics left = LeaveMhlo(&program->module, &program->source); !left.empty())
    return tl::unexpected(std::move(left));
  program->source.mhlo = false;
  return {};
}

bool LeaveMhlo(std::span<Program> programs) {
  bool any = false;
  for (Program& program : programs)
    if (std::exchange(program.source.mhlo, false)) {
      LeaveMhlo(&program.module, nullptr);
      any = true;
    }
  return any;
}

}  // namespace shlo
