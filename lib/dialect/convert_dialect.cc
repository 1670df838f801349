// Conversion between versions of a dialect. An op is rewritten at once, whatever the number of versions
// between: each part of its row is there in one interval, so what a version lacks must be absent or have its
// default.
#include <algorithm>
#include <map>
#include <optional>

#include "base/format.h"
#include "base/guarded.h"
#include "base/try.h"
#include "dialect/op_check.h"
#include "ir/module/attr_names.h"
#include "serialize/text/reader_fragments.h"
#include "shlo/dialect.h"

namespace shlo {
namespace {

using dialect::NeedsSegments;
using dialect::OpIndex;
using dialect::SizesOf;

class Conversion {
 public:
  Conversion(const Module& module, const Dialect& dialect, uint16_t from, uint16_t to,
             const DialectOptions& options)
      : m_(module),
        dialect_(dialect),
        from_(from),
        to_(to),
        options_(options),
        index_(dialect, from),
        nodes_(module, dialect, to) {}

  Diagnostics FindBlockers() {
    Diagnostics found;
    for (OpId op(1); op.v < m_.ops.size(); ++op.v) {
      Tick();
      FindBlockersOf(op, &found);
      if (found.size() > options_.max_diagnostics) {
        found.resize(options_.max_diagnostics);
        Diagnostic note = Blocker(m_.top);
        note.severity = Severity::kNote;
        note.op.clear();
        note.place = {};
        note.message = "more blockers not shown";
        found.push_back(std::move(note));
        break;
      }
    }
    return found;
  }

  // Returns the converted module; there are no blockers.
  DialectConversion Apply() {
    DialectConversion out;
    out.from = from_;
    out.to = to_;
    out.module = m_;
    for (OpId op(1); op.v < m_.ops.size(); ++op.v) {
      Tick();
      if (const DialectOp* row = RowOf(op)) Rewrite(op, *row, &out.module);
    }
    if (UsesDialect(m_, dialect_)) StateVersion(&out.module);
    for (const auto& [key, count] : steps_) out.steps.push_back({key.second, key.first, count});
    return out;
  }

 private:
  const DialectOp* RowOf(OpId op) const {
    return m_.RevisionIdOf(m_.ops[op.v]) ? nullptr : index_.Find(m_.NameOf(m_.ops[op.v]));
  }

  // --- Blockers -----------------------------------------------------------------------------------------

  Diagnostic Blocker(OpId op) const {
    Diagnostic d;
    d.code = Code::kBlocked;
    d.op = m_.NameOf(m_.ops[op.v]);
    d.place = PlaceOf(m_, op, options_.source);
    return d;
  }

  // Returns the hint for what exists in other versions.
  std::string HintFor(const DialectInterval& versions) const {
    return to_ < versions.since
               ? StrFormat("first version that can represent it: {}", dialect_.VersionName(versions.since))
               : StrFormat("last version that can represent it: {}", dialect_.VersionName(versions.until));
  }

  void FindBlockersOf(OpId id, Diagnostics* out) const {
    const Op& op = m_.ops[id.v];
    const auto fail = [&](std::string message, std::string hint = {}) {
      Diagnostic& d = out->emplace_back(Blocker(id));
      d.message = std::move(message);
      d.hint = std::move(hint);
    };
    if (const DialectOp* row = RowOf(id)) {
      if (!row->versions.Has(to_))
        return fail(StrFormat("op does not exist in {}", dialect_.VersionName(to_)), HintFor(row->versions));
      for (const DialectAttribute& attr : row->attributes) {
        if (!attr.versions.Has(from_) || attr.versions.Has(to_)) continue;
        const AttrId value = m_.AttributeOf(op, attr.name);
        if (value && value != DefaultOf(attr))
          fail(StrFormat("attribute '{}' does not exist in {}", attr.name, dialect_.VersionName(to_)),
               HintFor(attr.versions));
      }
      for (const bool results : {false, true}) {
        const auto& rows = results ? row->results : row->operands;
        std::string why;
        const std::vector<uint32_t> sizes = SizesOf(m_, op, rows, from_, results, &why);
        for (size_t i = 0; i < rows.size(); ++i) {
          const DialectValue& value = rows[i];
          const std::string_view what = results ? "result" : "operand";
          if (!value.versions.Has(from_)) continue;
          if (!value.versions.Has(to_)) {
            if (sizes[i])
              fail(StrFormat("{} '{}' does not exist in {}", what, value.name, dialect_.VersionName(to_)),
                   HintFor(value.versions));
          } else if (value.ArityAt(to_) == Arity::kOne && sizes[i] != 1) {
            fail(StrFormat("{} '{}' is one value in {}, but has {}", what, value.name,
                           dialect_.VersionName(to_), sizes[i]),
                 HintFor({value.list_since, value.versions.until}));
          }
        }
      }
      uint32_t left = op.regions.count;
      for (const DialectRegion& region : row->regions) {
        if (!region.versions.Has(from_)) continue;
        const uint32_t size = region.arity == Arity::kList ? left : std::min(left, 1u);
        left -= size;
        if (size && !region.versions.Has(to_))
          fail(StrFormat("region '{}' does not exist in {}", region.name, dialect_.VersionName(to_)),
               HintFor(region.versions));
      }
    }
    FindNodes(id, out);
  }

  // Returns the attribute with this name that the target lacks, or null.
  const DialectAttribute* Removed(const DialectOp& row, std::string_view name) const {
    for (const DialectAttribute& attr : row.attributes)
      if (attr.name == name && attr.versions.Has(from_) && !attr.versions.Has(to_)) return &attr;
    return nullptr;
  }

  // Types and attributes of the dialect that the target lacks; one per op.
  void FindNodes(OpId id, Diagnostics* out) const {
    const DialectOp* row = RowOf(id);
    Place place;
    const std::string& why = nodes_.OfOp(
        id, options_.source, [&](std::string_view name) { return row && Removed(*row, name); }, &place);
    if (why.empty()) return;
    Diagnostic& d = out->emplace_back(Blocker(id));
    d.place = std::move(place);
    d.message = why;
  }

  // Returns the default as an attribute of the module, or none if the module does not have it.
  AttrId DefaultOf(const DialectAttribute& attr) const {
    if (attr.default_value.empty()) return {};
    const auto [found, added] = defaults_.try_emplace(&attr);
    if (!added) return found->second;
    if (!scratch_) scratch_.emplace(m_);
    const auto value = ReadAttrText(&*scratch_, attr.default_value, nullptr);
    if (value && value->v < m_.attrs.size()) found->second = *value;
    return found->second;
  }

  // --- Rewriting ----------------------------------------------------------------------------------------

  void Count(std::string change, uint16_t since_newer) { ++steps_[{since_newer, std::move(change)}]; }

  // Returns the first version of the newer of two forms.
  uint16_t BoundaryOf(const DialectInterval& versions) const {
    return versions.since > std::min(from_, to_) ? versions.since : uint16_t(versions.until + 1);
  }

  void Rewrite(OpId id, const DialectOp& row, Module* out) {
    const Op& op = m_.ops[id.v];
    const std::string &old_name = row.NameAt(from_), &new_name = row.NameAt(to_);
    if (old_name != new_name) {
      const StringId name = out->strings.Intern(dialect_.name + "." + new_name);
      out->EditSignature(id, [&](EditedSignature& s) { s.name = name; });
      for (const DialectName& name : row.names)
        if (name.versions.since > std::min(from_, to_) && name.versions.since <= std::max(from_, to_))
          Count(StrFormat("{0}.{1} -> {0}.{2}", dialect_.name, old_name, new_name), name.versions.since);
    }
    std::vector<NamedAttr> attrs;
    for (const NamedAttr& attr : m_.DiscardableAttrsOf(op)) {
      const std::string_view name = m_.strings[attr.name];
      if (IsSegmentSizes(name)) continue;
      const DialectAttribute* removed = Removed(row, name);
      if (!removed)
        attrs.push_back(attr);
      else
        Count(StrFormat("{}.{}: attribute '{}'", dialect_.name, new_name, name),
              BoundaryOf(removed->versions));
    }
    for (const bool results : {false, true}) {
      const auto& rows = results ? row.results : row.operands;
      std::string why;
      const std::vector<uint32_t> sizes = SizesOf(m_, op, rows, from_, results, &why);
      for (const DialectValue& value : rows)
        if (value.list_since > std::min(from_, to_) && value.list_since <= std::max(from_, to_))
          Count(StrFormat("{}.{}: list '{}'", dialect_.name, new_name, value.name), value.list_since);
      if (!NeedsSegments(rows, to_)) continue;
      std::string bytes;
      for (size_t i = 0; i < rows.size(); ++i) {
        if (!rows[i].versions.Has(to_)) continue;
        for (int shift = 0; shift < 32; shift += 8) bytes += char(sizes[i] >> shift & 0xFF);
      }
      const AttrId segments =
          out->Make(DenseArrayAttr{.element = out->IntegerType(32), .payload = out->payloads.AddCopy(bytes)});
      attrs.push_back({out->strings.Intern(results ? kResultSegmentSizes : kOperandSegmentSizes), segments});
    }
    const auto before = m_.DiscardableAttrsOf(op);
    if (std::ranges::equal(before, attrs)) return;
    out->SetDiscardableAttrs(id, std::move(attrs));
  }

  void StateVersion(Module* out) const { out->SetAttr(out->top, dialect_.name + ".version", out->I64(to_)); }

  const Module& m_;
  const Dialect& dialect_;
  const uint16_t from_, to_;
  const DialectOptions& options_;
  const OpIndex index_;
  mutable dialect::NodeCheck nodes_;
  mutable std::optional<Module> scratch_;  // in which defaults are read
  mutable std::map<const DialectAttribute*, AttrId> defaults_;
  std::map<std::pair<uint16_t, std::string>, uint64_t> steps_;
};

// Returns the version that a program is at, if it verifies.
Result<uint16_t> CheckProgram(const Module& module, const Dialect& dialect, uint16_t target,
                              const DialectOptions& options) {
  if (target < 1 || target > dialect.newest())
    return Error(Code::kUnknownVersion, StrFormat("unknown version {} of '{}'", target, dialect.name));
  const auto version = SHLO_TRY(DialectVersionOf(module, dialect, options.source));
  if (Diagnostics found = VerifyDialect(module, dialect, options); !found.empty())
    return tl::unexpected(std::move(found));
  return version;
}

}  // namespace

Result<DialectConversion> ConvertDialect(const Module& module, const Dialect& dialect, uint16_t target,
                                         const DialectOptions& options) {
  return Guarded(options.limits, [&]() -> Result<DialectConversion> {
    const auto from = SHLO_TRY(CheckProgram(module, dialect, target, options));
    Conversion conversion(module, dialect, from, target, options);
    if (Diagnostics found = conversion.FindBlockers(); !found.empty())
      return tl::unexpected(std::move(found));
    DialectConversion out = conversion.Apply();
    // A relation may hold in the target only. Ids, and so places, are those of the program.
    if (Diagnostics found = VerifyDialect(out.module, dialect, options); !found.empty()) {
      for (Diagnostic& d : found) {
        d.code = Code::kBlocked;
        d.message += StrFormat(" in {}", dialect.VersionName(target));
      }
      return tl::unexpected(std::move(found));
    }
    return out;
  });
}

Diagnostics DialectBlockers(const Module& module, const Dialect& dialect, uint16_t target,
                            const DialectOptions& options) {
  const auto converted = ConvertDialect(module, dialect, target, options);
  return converted ? Diagnostics() : converted.error();
}

}  // namespace shlo
