#include "shlo/compare.h"

#include <unordered_map>
#include <vector>

#include "base/format.h"
#include "base/guarded.h"
#include "base/hex.h"
#include "base/stack.h"
#include "ir/module/cells.h"
#include "ir/module/limits.h"
#include "ir/module/node_words.h"
#include "ir/table/form.h"

namespace shlo {
namespace {

class Comparer {
 public:
  Comparer(const Module& a, const Module& b, const CompareOptions& options)
      : a_(a),
        b_(b),
        options_(options),
        types_(a.types.size(), 0),
        attrs_(a.attrs.size(), 0),
        values_(a.values.size(), 0),
        blocks_(a.blocks.size(), 0) {}

  std::string Run() {
    if (options_.version && a_.version != b_.version)
      return StrFormat("versions differ: {} and {}", VersionName(a_.version), VersionName(b_.version));
    if (!SameResources()) return "dense resources differ";
    Ops(a_.top, b_.top, 0);
    return difference_;
  }

 private:
  bool Differ(OpId op, std::string what) {
    if (difference_.empty()) {
      const Place place = PlaceOf(a_, op, options_.source);
      difference_ = StrFormat("'{}'{}{}: {}", a_.NameOf(a_.ops[op.v]),
                              place.function.empty() ? "" : " in @" + place.function,
                              place.line ? StrFormat(" at line {}", place.line) : "", what);
    }
    return false;
  }

  bool Same(StringId x, StringId y) const { return a_.strings[x] == b_.strings[y]; }

  bool Same(PayloadId x, PayloadId y) const {
    return EqualStored(a_.payloads.StoredOf(x), b_.payloads.StoredOf(y));
  }

  bool Same(TypeId x, TypeId y, int depth = 0) {
    CheckStack();
    if (!x || !y) return !x && !y;
    if (types_[x.v]) return types_[x.v] == y.v;
    if (depth > int(kMaxNesting)) return false;
    const auto p = a_.types[x];
    const auto q = b_.types[y];
    if (p.kind != q.kind || !SameFields(RowOf(p.kind), p.words, q.words, depth)) return false;
    types_[x.v] = y.v;
    return true;
  }

  bool Same(AttrId x, AttrId y, int depth = 0) {
    CheckStack();
    if (!x || !y) return !x && !y;
    if (attrs_[x.v] == y.v) return true;
    if (depth > int(kMaxNesting)) return false;
    const auto p = a_.attrs[x];
    const auto q = b_.attrs[y];
    const bool same = p.kind == AttrKind::kDistinct ? SameDistinct(x, y, depth)
                      : p.kind == q.kind            ? SameFields(RowOf(p.kind), p.words, q.words, depth)
                                                    : SameLine(x, y);
    if (!same) return false;
    attrs_[x.v] = y.v;
    return true;
  }

  // Numbers of distinct attributes only tell them apart; printing numbers them again.
  bool SameDistinct(AttrId x, AttrId y, int depth) {
    const auto p = a_.As<DistinctAttr>(x), q = b_.As<DistinctAttr>(y);
    if (attrs_[x.v] || !p || !q || !Same(p->attribute, q->attribute, depth + 1)) return false;
    return distinct_.emplace(y.v, x.v).first->second == x.v;
  }

  bool SameFields(const KindRow& row, std::span<const uint64_t> x, std::span<const uint64_t> y, int depth) {
    if (x.size() != y.size()) return false;
    return EveryWord(row, x, [&](FieldType type, size_t at, const FieldRow&) {
      const uint32_t u = uint32_t(x[at]), v = uint32_t(y[at]);
      switch (type) {
        case FieldType::kString:
          return Same(StringId(u), StringId(v));
        case FieldType::kType:
          return Same(TypeId(u), TypeId(v), depth + 1);
        case FieldType::kAttr:
          return Same(AttrId(u), AttrId(v), depth + 1);
        case FieldType::kPayload:
          return Same(PayloadId(u), PayloadId(v));
        default:
          return x[at] == y[at];
      }
    });
  }

  // A line without a column is printed as column 0, and read back as a position.
  bool SameLine(AttrId x, AttrId y) const {
    if (options_.columns) return false;
    const auto range = a_.As<FileRangeLoc>(x);
    const auto position = b_.As<FileLineColLoc>(y);
    return range && position && range->start_column == 0 && range->end_column == 0 && position->column == 0 &&
           range->start_line == range->end_line && range->start_line == position->line &&
           Same(range->file, position->file);
  }

  // An unknown location is the same as none.
  bool SameLoc(AttrId x, AttrId y) {
    if (!options_.locations) return true;
    if (a_.attrs.KindOf(x) == AttrKind::kUnknownLoc) x = {};
    if (b_.attrs.KindOf(y) == AttrKind::kUnknownLoc) y = {};
    return Same(x, y);
  }

  bool SameResources() {
    if (a_.resources.size() != b_.resources.size()) return false;
    for (size_t i = 0; i < a_.resources.size(); ++i) {
      const Resource &x = a_.resources[i], &y = b_.resources[i];
      if (!Same(x.key, y.key) || !Same(x.payload, y.payload) || x.alignment != y.alignment) return false;
    }
    return true;
  }

  // The custom form of a function omits argument attributes if all are empty.
  static bool OnlyEmptyDicts(const Module& m, AttrId attr) {
    if (!attr) return true;
    if (m.attrs.KindOf(attr) != AttrKind::kArray) return false;
    for (const AttrId member : m.ElementsOf(attr)) {
      const auto dict = m.As<DictionaryAttr>(member);
      if (!dict || !dict->entries.empty()) return false;
    }
    return true;
  }

  bool Slots(OpId id, const Op& x, const Op& y) {
    const auto p = a_.InherentAttrsOf(x);
    const auto q = b_.InherentAttrsOf(y);
    for (size_t i = 0; i < p.size(); ++i) {
      if (Same(p[i], q[i])) continue;
      if (!options_.defaults && (!p[i] || !q[i])) {
        if (OnlyEmptyDicts(a_, p[i]) && OnlyEmptyDicts(b_, q[i])) continue;
        // Defaults are compared on copies: computing one may intern.
        Module ca = a_, cb = b_;
        const AttrId u = p[i] ? p[i] : ca.DefaultOf(x, int(i));
        const AttrId v = q[i] ? q[i] : cb.DefaultOf(y, int(i));
        if (Comparer(ca, cb, options_).Same(u, v)) continue;
        if (ca.IsDefault(x, int(i)) && cb.IsDefault(y, int(i))) continue;
      }
      return Differ(id, StrFormat("attribute '{}' differs", RevisionOf(a_.RevisionIdOf(x)).attrs[i].name));
    }
    return true;
  }

  // Block arguments have locations, results do not.
  bool ComparesLocation(OpId id, const Value& value) const {
    const RevisionId shape = ShapeOf(a_, a_.ops[id.v]);
    return value.block && !(options_.custom_forms && NamesArguments(RowOf(shape).form));
  }

  bool Values(OpId id, Range x, Range y, std::string_view what) {
    if (x.count != y.count) return Differ(id, StrFormat("{} and {} {}", x.count, y.count, what));
    for (uint32_t i = 0; i < x.count; ++i) {
      const Value& u = a_.values[x.first + i];
      const Value& v = b_.values[y.first + i];
      if (!Same(u.type, v.type)) return Differ(id, StrFormat("type of #{} of the {} differs", i, what));
      if (ComparesLocation(id, u) && !SameLoc(u.loc, v.loc))
        return Differ(id, StrFormat("location of #{} of the {} differs", i, what));
      values_[x.first + i] = y.first + i;
    }
    return true;
  }

  bool Ops(OpId xi, OpId yi, int depth) {
    CheckStack();
    if (depth > int(kMaxNesting))
      return Differ(xi, StrFormat("region nesting exceeds the limit of {}", kMaxNesting));
    if (!SameOp(xi, yi)) return false;
    const Op& x = a_.ops[xi.v];
    const Op& y = b_.ops[yi.v];
    for (uint32_t r = 0; r < x.regions.count; ++r)
      if (!Regions(xi, a_.RegionsOf(x)[r], b_.RegionsOf(y)[r], depth)) return false;
    if (depth == 0) {
      for (const auto& [u, v] : forward_)
        if (values_[u] != v) return Differ(xi, "a forward reference differs");
    }
    return true;
  }

  // Compares ops without their regions. Inlined into the recursion, its variables would fill the stack.
  [[gnu::noinline]] bool SameOp(OpId xi, OpId yi) {
    const Op& x = a_.ops[xi.v];
    const Op& y = b_.ops[yi.v];
    if (a_.RevisionIdOf(x) != b_.RevisionIdOf(y) || a_.NameOf(x) != b_.NameOf(y))
      return Differ(xi, StrFormat("is '{}' in the second program", b_.NameOf(y)));
    if (a_.NumOperands(x) != b_.NumOperands(y))
      return Differ(xi, StrFormat("has {} and {} operands", a_.NumOperands(x), b_.NumOperands(y)));
    if (!Values(xi, a_.ResultsOf(x), b_.ResultsOf(y), "results")) return false;
    for (uint32_t i = 0; i < a_.NumOperands(x); ++i) {
      const uint32_t u = a_.OperandsOf(x)[i].v;
      const uint32_t v = b_.OperandsOf(y)[i].v;
      // A forward reference is compared when its definition is reached.
      if (values_[u] == 0)
        forward_.push_back({u, v});
      else if (values_[u] != v)
        return Differ(xi, StrFormat("operand #{} differs", i));
    }
    if (!Slots(xi, x, y)) return false;
    const auto p = a_.DiscardableAttrsOf(x);
    const auto q = b_.DiscardableAttrsOf(y);
    if (p.size() != q.size())
      return Differ(xi, StrFormat("has {} and {} discardable attributes", p.size(), q.size()));
    for (size_t i = 0; i < p.size(); ++i)
      if (!Same(p[i].name, q[i].name) || !Same(p[i].value, q[i].value))
        return Differ(xi, StrFormat("attribute '{}' differs", a_.strings[p[i].name]));
    if (!SameLoc(x.loc, y.loc)) return Differ(xi, "location differs");
    if (x.successors.count != y.successors.count)
      return Differ(xi, StrFormat("has {} and {} successors", x.successors.count, y.successors.count));
    for (uint32_t i = 0; i < x.successors.count; ++i)
      if (blocks_[a_.SuccessorsOf(x)[i].v] != b_.SuccessorsOf(y)[i].v)
        return Differ(xi, StrFormat("successor #{} differs", i));
    if (x.regions.count != y.regions.count)
      return Differ(xi, StrFormat("has {} and {} regions", x.regions.count, y.regions.count));
    return true;
  }

  bool Regions(OpId parent, RegionId x, RegionId y, int depth) {
    const auto p = a_.BlocksOf(x);
    const auto q = b_.BlocksOf(y);
    if (p.size() != q.size()) return Differ(parent, StrFormat("has {} and {} blocks", p.size(), q.size()));
    for (size_t i = 0; i < p.size(); ++i) blocks_[p[i].v] = q[i].v;
    for (size_t i = 0; i < p.size(); ++i) {
      if (!Values(parent, a_.blocks[p[i].v].args, b_.blocks[q[i].v].args, "block arguments")) return false;
      const auto u = a_.OpsOf(p[i]);
      const auto v = b_.OpsOf(q[i]);
      for (size_t k = 0; k < std::min(u.size(), v.size()); ++k)
        if (!Ops(u[k], v[k], depth + 1)) return false;
      if (u.size() != v.size())
        return Differ(parent, StrFormat("has blocks of {} and {} ops", u.size(), v.size()));
    }
    return true;
  }

  const Module& a_;
  const Module& b_;
  const CompareOptions& options_;
  std::unordered_map<uint32_t, uint32_t> distinct_;  // distinct attributes of a, by their match in b
  std::vector<uint32_t> types_, attrs_, values_,
      blocks_;  // id in b_ that corresponds to an id in a_; 0: unknown
  std::vector<std::pair<uint32_t, uint32_t>> forward_;
  std::string difference_;
};

}  // namespace

std::string FirstDifference(const Module& a, const Module& b, const CompareOptions& options) {
  const auto compare = [&]() -> Result<std::string> { return Comparer(a, b, options).Run(); };
  auto difference = Guarded(compare);
  return difference ? std::move(*difference) : std::move(difference.error()[0].message);
}

}  // namespace shlo
