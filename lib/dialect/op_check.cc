#include "dialect/op_check.h"

#include <algorithm>

#include "base/format.h"
#include "base/nearest.h"
#include "dialect/patterns.h"
#include "ir/module/attr_names.h"
#include "ir/module/cells.h"
#include "shlo/print.h"
#include "shlo/types.h"

namespace shlo::dialect {
namespace {

// Returns whether two types are equal as a relation asks.
bool Equal(const Module& m, DialectRelation::Kind kind, TypeId a, TypeId b) {
  if (a == b || kind == DialectRelation::Kind::kType) return a == b;
  const ShapedType x(m, a), y(m, b);
  if (kind == DialectRelation::Kind::kElement) return x.element == y.element;
  return x.ranked == y.ranked && std::ranges::equal(x.shape, y.shape);
}

std::string_view WordFor(DialectRelation::Kind kind) {
  return kind == DialectRelation::Kind::kType    ? "type"
         : kind == DialectRelation::Kind::kShape ? "shape"
                                                 : "element type";
}

}  // namespace

OpIndex::OpIndex(const Dialect& dialect, uint16_t version) {
  for (const DialectOp& op : dialect.ops)
    if (op.versions.Has(version)) ops_.emplace(dialect.name + "." + op.NameAt(version), &op);
}

const DialectOp* OpIndex::Find(std::string_view name) const {
  const auto found = ops_.find(std::string(name));
  return found == ops_.end() ? nullptr : found->second;
}

bool NeedsSegments(const std::vector<DialectValue>& rows, uint16_t version) {
  return 1 < std::ranges::count_if(rows, [&](const DialectValue& row) {
           return row.versions.Has(version) && row.ArityAt(version) != Arity::kOne;
         });
}

std::vector<uint32_t> SizesOf(const Module& module, const Op& op, const std::vector<DialectValue>& rows,
                              uint16_t version, bool results, std::string* why) {
  const std::string_view what = results ? "result" : "operand";
  const uint32_t count = results ? module.NumResults(op) : module.NumOperands(op);
  std::vector<uint32_t> sizes(rows.size());
  if (NeedsSegments(rows, version)) {
    const std::string_view name = results ? kResultSegmentSizes : kOperandSegmentSizes;
    const std::vector<int32_t> segments = I32sOf(module, module.AttributeOf(op, name));
    size_t at = 0;
    uint64_t sum = 0;
    for (size_t i = 0; i < rows.size(); ++i) {
      if (!rows[i].versions.Has(version)) continue;
      const uint32_t size = at < segments.size() ? uint32_t(segments[at]) : 0;
      const Arity arity = rows[i].ArityAt(version);
      if (at < segments.size() &&
          ((arity == Arity::kOne && size != 1) || (arity == Arity::kOptional && size > 1)))
        *why = StrFormat("'{}' gives {} '{}' {}", name, what, rows[i].name, Count(size, "value"));
      sizes[i] = size;
      sum += size;
      ++at;
    }
    if (at != segments.size() || sum != count)
      *why = StrFormat("requires attribute '{}' with {} that sum to {}", name, Count(at, "size"), count);
    return sizes;
  }
  uint32_t least = 0;
  const DialectValue* variable = nullptr;
  for (const DialectValue& row : rows) {
    if (!row.versions.Has(version)) continue;
    if (row.ArityAt(version) == Arity::kOne)
      ++least;
    else
      variable = &row;
  }
  const uint64_t most = !variable                                    ? least
                        : variable->ArityAt(version) == Arity::kList ? UINT32_MAX
                                                                     : uint64_t(least) + 1;
  if (count < least || count > most) {
    *why = StrFormat("expected {}{}, but found {}",
                     !variable      ? ""
                     : count > most ? "at most "
                                    : "at least ",
                     Count(count > most ? most : least, what), count);
    return sizes;
  }
  for (size_t i = 0; i < rows.size(); ++i)
    if (rows[i].versions.Has(version)) sizes[i] = &rows[i] == variable ? count - least : 1;
  return sizes;
}

void OpCheck::Fail(OpId op, Place place, std::string message, std::string hint) {
  Diagnostic& d = out_->emplace_back();
  d.code = Code::kInvalidProgram;
  d.place = std::move(place);
  d.op = m_.NameOf(m_.ops[op.v]);
  d.message = std::move(message);
  d.hint = std::move(hint);
}

bool OpCheck::Fits(const TypePattern& pattern, TypeId type) {
  const uint32_t number = patterns_.try_emplace(&pattern, uint32_t(patterns_.size())).first->second;
  const auto [found, added] = fits_.try_emplace(uint64_t(number) << 32 | type.v);
  if (added) found->second = dialect::Fits(m_, dialect_, pattern, type);
  return found->second;
}

void OpCheck::Check(OpId id, const Source* source, Diagnostics* out) {
  source_ = source;
  out_ = out;
  const Op& op = m_.ops[id.v];
  const size_t before = out->size();
  if (!m_.RevisionIdOf(op) && m_.NameOf(op).starts_with(prefix_)) {
    const std::string_view name = m_.NameOf(op);
    if (const DialectOp* row = index_.Find(name)) {
      CheckRow(id, *row);
    } else {
      const std::string_view word = name.substr(prefix_.size());
      Nearest nearest(word);
      const bool suggest = suggestions_++ < kMostSuggestions;
      const DialectOp* elsewhere = nullptr;
      DialectInterval when;
      for (const DialectOp& other : dialect_.ops) {
        for (const DialectName& n : other.names)
          if (n.name == word) elsewhere = &other, when = n.versions;
        if (suggest && other.versions.Has(version_)) nearest.Try(other.NameAt(version_));
      }
      if (elsewhere)
        Fail(id, PlaceOf(m_, id, source),
             StrFormat("does not exist in {}, {}", dialect_.VersionName(version_), OnlyIn(dialect_, when)),
             StrFormat("the program states its version in the module's attribute '{}version'", prefix_));
      else
        Fail(id, PlaceOf(m_, id, source), StrFormat("unknown op of {}", dialect_.VersionName(version_)),
             DidYouMean(nearest.best(), StrFormat("'{}' defines the ops", dialect_.file)));
    }
  }
  if (out->size() > before) return;
  // Nodes of the dialect may be anywhere.
  Place place;
  if (const std::string& why = nodes_.OfOp(id, source, nullptr, &place); !why.empty())
    Fail(id, std::move(place), why);
}

void OpCheck::CheckRow(OpId id, const DialectOp& row) {
  values_.clear();
  const size_t before = out_->size();
  CheckValues(id, row.operands, false);
  CheckValues(id, row.results, true);
  if (out_->size() == before) CheckRelations(id, row);
  CheckAttributes(id, row);
  CheckRegions(id, row);
}

void OpCheck::CheckValues(OpId id, const std::vector<DialectValue>& rows, bool results) {
  const Op& op = m_.ops[id.v];
  std::string why;
  const std::vector<uint32_t> sizes = SizesOf(m_, op, rows, version_, results, &why);
  if (!why.empty()) return Fail(id, PlaceOf(m_, id, source_), std::move(why));
  uint32_t at = 0;
  for (size_t i = 0; i < rows.size(); ++i) {
    auto& [name, types] = values_.emplace_back(rows[i].name, std::vector<TypeId>());
    for (uint32_t k = 0; k < sizes[i]; ++k, ++at) {
      const TypeId type = m_.TypeOf(results ? m_.ResultOf(op, at) : m_.OperandsOf(op)[at]);
      types.push_back(type);
      if (!Fits(rows[i].type, type))
        Fail(id, PlaceOfTypes(m_, id, source_),
             StrFormat("{} {} '{}' must be {}, but got '{}'", results ? "result" : "operand", at, name,
                       rows[i].type.text, TypeText(m_, type)));
    }
  }
}

const std::vector<TypeId>* OpCheck::TypesOf(std::string_view name) const {
  for (const auto& [value, types] : values_)
    if (value == name && !types.empty()) return &types;
  return nullptr;
}

void OpCheck::CheckRelations(OpId id, const DialectOp& row) {
  for (const DialectRelation& relation : row.relations) {
    if (!relation.versions.Has(version_)) continue;
    TypeId first;
    std::string_view name_of_first;
    for (const std::string& name : relation.values) {
      const std::vector<TypeId>* types = TypesOf(name);
      for (TypeId type : types ? *types : std::vector<TypeId>()) {
        if (!first) {
          first = type;
          name_of_first = name;
        } else if (!Equal(m_, relation.kind, first, type)) {
          return Fail(id, PlaceOfTypes(m_, id, source_),
                      StrFormat("'{}' and '{}' must have the same {}, but got '{}' and '{}'", name_of_first,
                                name, WordFor(relation.kind), TypeText(m_, first), TypeText(m_, type)));
        }
      }
    }
  }
}

void OpCheck::CheckAttributes(OpId id, const DialectOp& row) {
  const Op& op = m_.ops[id.v];
  for (const DialectAttribute& attr : row.attributes) {
    if (!attr.versions.Has(version_)) continue;
    const AttrId value = m_.AttributeOf(op, attr.name);
    if (!value && attr.default_value.empty() && !attr.optional)
      Fail(id, PlaceOf(m_, id, source_), StrFormat("requires attribute '{}'", attr.name));
    else if (value && !dialect::Fits(m_, dialect_, attr.kind, value))
      Fail(id, PlaceOfAttr(m_, id, attr.name, source_),
           StrFormat("attribute '{}' must be {}, but got '{}'", attr.name, attr.kind.text,
                     AttrText(m_, value)));
  }
  for (const NamedAttr& written : m_.DiscardableAttrsOf(op)) {
    if (out_->size() > most_) return;
    const std::string_view name = m_.strings[written.name];
    // Attributes of dialects may be on any op.
    if (name.find('.') != name.npos) continue;
    if ((name == kOperandSegmentSizes && NeedsSegments(row.operands, version_)) ||
        (name == kResultSegmentSizes && NeedsSegments(row.results, version_)))
      continue;
    const DialectAttribute *found = nullptr, *elsewhere = nullptr;
    for (const DialectAttribute& attr : row.attributes)
      if (attr.name == name) (attr.versions.Has(version_) ? found : elsewhere) = &attr;
    if (found) continue;
    Nearest nearest(name);
    if (!elsewhere && suggestions_++ < kMostSuggestions)
      for (const DialectAttribute& attr : row.attributes)
        if (attr.versions.Has(version_)) nearest.Try(attr.name);
    const Place place = PlaceOfAttr(m_, id, name, source_);
    if (elsewhere)
      Fail(id, place,
           StrFormat("attribute '{}' does not exist in {}, {}", name, dialect_.VersionName(version_),
                     OnlyIn(dialect_, elsewhere->versions)));
    else
      Fail(id, place, StrFormat("unknown attribute '{}'", name), DidYouMean(nearest.best()));
  }
}

void OpCheck::CheckRegions(OpId id, const DialectOp& row) {
  const uint32_t count = m_.ops[id.v].regions.count;
  uint32_t least = 0;
  bool list = false;
  for (const DialectRegion& region : row.regions) {
    if (!region.versions.Has(version_)) continue;
    if (region.arity == Arity::kList)
      list = true;
    else
      ++least;
  }
  if (count < least || (!list && count > least))
    Fail(id, PlaceOf(m_, id, source_),
         StrFormat("expected {}{}, but found {}", list ? "at least " : "", Count(least, "region"), count));
}

}  // namespace shlo::dialect
