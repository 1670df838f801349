#include "shlo/source.h"

#include <algorithm>
#include <mutex>
#include <vector>

#include "ir/module/place_recorder.h"

namespace shlo {

// Reports ask for many places, and counting from the start of the text each time would take longer than all
// else.
struct SourcePlaces::Lines {
  static constexpr size_t kBlock = 1 << 14;
  std::mutex mutex;
  std::vector<uint32_t> before{0};  // number of lines before each block, as far as it was asked for
};

SourcePlaces::SourcePlaces(std::string_view text, Buffer owner)
    : text_(text), owner_(std::move(owner)), lines_(std::make_shared<Lines>()) {}

std::span<const SourcePlaces::Attr> SourcePlaces::AttrsOf(OpId op) const {
  const auto by_op = [](const Attr& a, const Attr& b) { return a.op.v < b.op.v; };
  const auto [first, last] = std::equal_range(attrs_.begin(), attrs_.end(), Attr{op, {}, 0, 0}, by_op);
  return {first, last};
}

uint64_t SourcePlaces::OffsetOfAttr(OpId op, std::string_view name, Part part) const {
  const StringId id = names_.Find(name);
  if (!id || op.v >= ops_.size()) return kNone;
  for (const Attr& attr : AttrsOf(op)) {
    const uint32_t from_op = part == Part::kDictionary ? attr.dictionary : attr.at;
    if (attr.name == id) return from_op ? ops_[op.v].name + from_op : kNone;
  }
  return kNone;
}

uint64_t SourcePlaces::OffsetOfTypes(OpId op) const {
  return op.v < ops_.size() && ops_[op.v].types ? ops_[op.v].name + ops_[op.v].types : kNone;
}

uint64_t SourcePlaces::OffsetOfArg(ValueId value) const {
  const auto found = std::lower_bound(args_.begin(), args_.end(), value,
                                      [](const Arg& arg, ValueId v) { return arg.value.v < v.v; });
  return found != args_.end() && found->value == value ? found->offset : kNone;
}

std::string_view SourcePlaces::NameOfArg(ValueId value) const {
  const uint64_t offset = OffsetOfArg(value);
  if (offset == kNone || offset > text_.size()) return {};
  // "%name : " is in front of the type.
  std::string_view before = text_.substr(0, offset);
  const auto trim = [&] { before = before.substr(0, before.find_last_not_of(" \t\r\n") + 1); };
  trim();
  if (!before.ends_with(':')) return {};
  before.remove_suffix(1);
  trim();
  const size_t percent = before.rfind('%');
  if (percent == std::string_view::npos) return {};
  const std::string_view name = before.substr(percent + 1);
  return name.find_first_of(" \t\r\n\"(){}<>,:") == std::string_view::npos ? name : std::string_view();
}

uint32_t SourcePlaces::LinesBefore(size_t offset) const {
  const auto count = [&](size_t first, size_t last) {
    const auto begin = text_.begin();
    return uint32_t(std::count(begin + std::ptrdiff_t(first), begin + std::ptrdiff_t(last), '\n'));
  };
  if (!lines_) return count(0, offset);
  const size_t block = offset / Lines::kBlock;
  const std::lock_guard lock(lines_->mutex);
  std::vector<uint32_t>& before = lines_->before;
  while (before.size() <= block)
    before.push_back(before.back() +
                     count((before.size() - 1) * Lines::kBlock, before.size() * Lines::kBlock));
  return before[block] + count(block * Lines::kBlock, offset);
}

void SourcePlaces::Locate(uint64_t offset, uint32_t first_line, Place* place) const {
  if (offset > text_.size()) return;
  const size_t start = offset == 0 ? 0 : text_.rfind('\n', offset - 1) + 1;  // npos + 1 is 0
  const size_t end = std::min(text_.find('\n', offset), text_.size());
  place->line = first_line + LinesBefore(start);
  place->column = uint32_t(offset - start + 1);
  constexpr size_t kLongest = 4096;  // longest line to show
  place->source_line = std::string(text_.substr(start, std::min(end - start, kLongest)));
}

void PlaceRecorder::Append(const PlaceRecorder& part, OpId first_op, ValueId first_value) {
  std::vector<StringId> names(part.names_.size());
  for (uint32_t i = 1; i < names.size(); ++i) names[i] = NameId(part.names_[StringId(i)]);
  if (!part.ops_.empty()) ops_.insert(ops_.end(), part.ops_.begin() + 1, part.ops_.end());
  for (const Attr& from : part.attrs_)
    attrs_.push_back({OpId(from.op.v + first_op.v - 1), names[from.name.v], from.at, from.dictionary});
  for (const Arg& from : part.args_)
    args_.push_back({ValueId(from.value.v + first_value.v - 1), from.offset});
}

SourcePlaces SourcePlaces::Rearranged(std::span<const OpId> origins, std::span<const ValueId> values) const {
  SourcePlaces copy(text_, owner_);
  copy.names_ = names_;
  if (empty()) return copy;
  for (uint32_t i = 0; i < origins.size(); ++i) {
    const OpId op(i), origin = origins[i];
    copy.ops_.push_back({OffsetOfOp(origin), Distance(OffsetOfOp(origin), OffsetOfTypes(origin))});
    for (Attr attr : AttrsOf(origin)) {
      attr.op = op;
      copy.attrs_.push_back(attr);
    }
  }
  for (uint32_t i = 0; i < values.size(); ++i)
    if (const uint64_t offset = values[i] ? OffsetOfArg(values[i]) : kNone; offset != kNone)
      copy.args_.push_back({ValueId(i), offset});
  return copy;
}

namespace {

// Sets the file:line:col of a location, looking through names, call sites and fusions.
bool FindFileLoc(const Module& m, AttrId loc, Place* place, int depth = 0) {
  if (!loc || depth > 32) return false;
  const auto node = m.attrs[loc];
  const auto put = [&](StringId file, int64_t line, int64_t column) {
    place->location = std::string(m.strings[file]);
    place->location += ":" + std::to_string(line) + ":" + std::to_string(column);
    return true;
  };
  switch (node.kind) {
    case AttrKind::kFileLineColLoc: {
      const auto at = node.Get<FileLineColLoc>();
      return put(at.file, at.line, at.column);
    }
    case AttrKind::kFileRangeLoc: {
      const auto range = node.Get<FileRangeLoc>();
      return put(range.file, range.start_line, range.start_column);
    }
    case AttrKind::kNameLoc: {
      const auto named = node.Get<NameLoc>();
      if (FindFileLoc(m, named.child, place, depth + 1)) return true;
      place->location = std::string(m.strings[named.name]);
      return true;
    }
    case AttrKind::kCallSiteLoc:
      return FindFileLoc(m, node.Get<CallSiteLoc>().callee, place, depth + 1);
    case AttrKind::kFusedLoc:
      for (const AttrId child : node.Get<FusedLoc>().locations)
        if (FindFileLoc(m, child, place, depth + 1)) return true;
      return false;
    default:
      return false;
  }
}

// Returns the place of a part of an op by its offset, or the place of the op.
Place PlaceAt(const Module& module, OpId op, uint64_t offset, const Source* source) {
  Place place;
  if (source) place.file = source->name;
  place.function = std::string(module.FunctionOf(op));
  if (op.v >= module.ops.size()) return place;
  if (offset == SourcePlaces::kNone && source) offset = source->places.OffsetOfOp(op);
  if (offset != SourcePlaces::kNone)
    source->places.Locate(offset, source->first_line, &place);
  else
    FindFileLoc(module, module.ops[op.v].loc, &place);
  return place;
}

}  // namespace

Place PlaceOf(const Module& module, OpId op, const Source* source) {
  return PlaceAt(module, op, SourcePlaces::kNone, source);
}

Place PlaceOfAttr(const Module& module, OpId op, std::string_view name, const Source* source,
                  SourcePlaces::Part part) {
  uint64_t offset = SourcePlaces::kNone;
  if (source && op.v < module.ops.size()) {
    offset = source->places.OffsetOfAttr(op, name, part);
    // A field of a struct attribute is an attribute in memory, but the text shows the struct.
    if (offset == SourcePlaces::kNone && module.RevisionIdOf(module.ops[op.v]))
      for (const Cell& struct_attr : RevisionOf(module.RevisionIdOf(module.ops[op.v])).struct_attrs)
        for (const FieldRow& field : RowOf(struct_attr.attr_kind()).fields())
          if (field.name == name) offset = source->places.OffsetOfAttr(op, struct_attr.name, part);
  }
  return PlaceAt(module, op, offset, source);
}

Place PlaceOfTypes(const Module& module, OpId op, const Source* source) {
  return PlaceAt(module, op, source ? source->places.OffsetOfTypes(op) : SourcePlaces::kNone, source);
}

Place PlaceOfArg(const Module& module, ValueId arg, const Source* source) {
  const BlockId block = module.values[arg.v].block;
  const OpId owner = block ? module.regions[module.blocks[block.v].parent.v].parent : OpId();
  return PlaceAt(module, owner, source ? source->places.OffsetOfArg(arg) : SourcePlaces::kNone, source);
}

}  // namespace shlo
