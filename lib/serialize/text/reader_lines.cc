// Reads ops by lines that were read before, and keeps new ones. A line stands for all that differ from it in
// the names of values only, if the values have the same types: they have the same op, attributes and types.
#include <algorithm>

#include "serialize/text/reader_impl.h"

namespace shlo::text {
namespace {

// Buckets by hash, each with the newest of its lines. All lines are dropped before one more is kept than
// these.
constexpr size_t kBucketBits = 12, kMostLines = size_t(1) << kBucketBits;
// Limit of known_lines_pay_, and where it is below 0, how many lines pass until one is looked up again.
constexpr int kMostPay = 4096, kRetry = 64;

// Returns where the next op, or the end of a block, begins; null if what follows the line may continue its
// op.
const char* NextOp(const char* p, const char* end) {
  while (p < end && Is(*p, kSpaceChar)) ++p;
  if (p == end) return nullptr;
  if (*p == '%' || *p == '}' || *p == '"') return p;
  Cursor c(p, end);
  return c.PeekWord("return") || std::string_view(p, size_t(end - p)).starts_with("stablehlo.") ? p : nullptr;
}

}  // namespace

bool Reader::ReadKnownLine(bool* ok) {
  line_.begin = nullptr;
  if (options_.trace) return false;  // a trace has what is read of every op
  if (known_lines_pay_ < 0) {
    if (--known_lines_pay_ > -kRetry) return false;
    known_lines_pay_ = 0;
  }
  const char* const from = c_.p;
  if (!line_.Find(from, c_.end)) return false;
  if (line_index_.empty()) line_index_.resize(size_t(1) << kBucketBits);
  const uint32_t index = line_index_[line_.hash >> (32 - kBucketBits)];
  std::array<NameRef, OpLine::kMostNames> names;
  const char* next = line_.end;
  if (!index || !ReadKnownNames(known_lines_[index - 1], names.data()) ||
      (!line_.has_loc && !(next = NextOp(line_.end, c_.end)))) {
    --known_lines_pay_;
    c_.p = from;
    return false;
  }
  const KnownLine& known = known_lines_[index - 1];
  std::array<ValueId, OpLine::kMostNames> values;
  if (!ResolveKnown(known, names.data(), values.data())) return c_.p = from, false;
  known_lines_pay_ = std::min(known_lines_pay_ + 4, kMostPay);
  const uint32_t num_operands = m_.ops[known.op.v].operands.count;
  const bool named = known.num_names > num_operands;
  AttrId loc = LocationAt(line_.name_at);
  c_.p = next;
  if (line_.has_loc && !ReadOptionalLoc(&loc)) {
    if (named) Define(names[0], kPoisoned, 1, from);
    *ok = false;
    return true;
  }
  const OpId id = builder_.AddOpLike(known.op, {values.data(), num_operands}, loc);
  NoteKnownPlaces(known, id);
  *ok = !named || Define(names[0], m_.ops[id.v].results.first, 1, from);
  return true;
}

// Finds the operands of a known line; false if one is not there, or has another type.
bool Reader::ResolveKnown(const KnownLine& known, const NameRef* names, ValueId* values) {
  const Op& like = m_.ops[known.op.v];
  if (RevisionFor(*known.name) != like.revision) return false;
  names += known.num_names - like.operands.count;
  for (uint32_t i = 0; i < like.operands.count; ++i) {
    const NameSlot& slot = SlotOf(names[i]);
    const uint32_t number = known.numbers[i];
    if (slot.scope != scope_ || number >= slot.count || slot.value == kPoisoned) return false;
    values[i] = ValueId(slot.value + number);
    const ValueId other = m_.operands[like.operands.first + i];
    if (m_.values[values[i].v].type != m_.values[other.v].type) return false;
  }
  return true;
}

void Reader::NoteKnownPlaces(const KnownLine& known, OpId op) {
  const auto offset = [&](PlaceInLine place) {
    const char* const at = AtPlace(place);
    return at ? OffsetAt(at) : SourcePlaces::kNone;
  };
  places_.AddOps(m_.ops.size(), OffsetAt(line_.name_at), offset(known.types_at));
  if (!source_) return;
  for (uint32_t i = 0; i < known.num_attrs; ++i) {
    const AttrInLine& attr = line_attrs_[known.first_attr + i];
    places_.AddAttr(op, attr.name, offset(attr.at), offset(attr.dictionary));
  }
}

// Compares the pieces between the names of the line, and reads these.
bool Reader::ReadKnownNames(const KnownLine& known, NameRef* names) {
  const uint32_t count = line_.num_names;
  if (known.num_names != count) return false;
  const char* text = line_texts_.data() + known.text;
  const char* at = line_.begin;
  for (uint32_t i = 0;; ++i) {
    pieces_at_[i] = at;
    const char* const end = i < count ? line_.begin + line_.names[i] : line_.end;
    const size_t size = known.pieces[i];
    if (size_t(end - at) != size || !SameText(at, text, size)) return false;
    if (i == count) return true;
    text += size;
    at = end + 1;
    if (FindNumberedName(at, &names[i])) continue;
    c_.p = at;
    if (!ReadName(&names[i])) return false;
    at = c_.p;
  }
}

// Keeps the line from which an op was read, if its names are all the line has to say about values.
void Reader::KeepLine(const Draft& d) {
  if (!CanKeepLine(d)) return;
  if (known_lines_.size() == kMostLines) {
    ForgetLines();
    line_index_.resize(size_t(1) << kBucketBits);
  }
  KnownLine& known = known_lines_.emplace_back();
  line_index_[line_.hash >> (32 - kBucketBits)] = uint16_t(known_lines_.size());
  known.name = d.name;
  known.op = OpId(uint32_t(m_.ops.size() - 1));
  known.text = uint32_t(line_texts_.size());
  known.num_names = line_.num_names;
  const char* at = line_.begin;
  for (uint32_t i = 0; i <= line_.num_names; ++i) {
    pieces_at_[i] = at;
    const char* const end = i < line_.num_names ? line_.begin + line_.names[i] : line_.end;
    known.pieces[i] = uint16_t(end - at);
    line_texts_.append(at, end);
    at = i < line_.num_names ? EndOfName(end + 1) : end;
  }
  for (size_t i = d.uses; i < uses_.size(); ++i) known.numbers[i - d.uses] = uint16_t(uses_[i].number);
  known.types_at = PlaceOf(d.types_at);
  known.first_attr = uint32_t(line_attrs_.size());
  known.num_attrs = uint32_t(attrs_.size() - d.attrs);
  if (!source_) return;
  const bool generic = *d.name_at == '"';
  for (size_t i = d.attrs; i < attrs_.size(); ++i)
    line_attrs_.push_back({places_.NameId(attrs_[i].name), PlaceOf(attrs_[i].at),
                           PlaceOf(generic ? nullptr : attrs_[i].dictionary)});
}

void Reader::ForgetLines() {
  line_index_ = {};
  known_lines_ = {};
  line_texts_ = {};
  line_attrs_ = {};
}

bool Reader::CanKeepLine(const Draft& d) const {
  const size_t named = names_.size() - d.names, uses = uses_.size() - d.uses;
  // A search for more of the op skips the space before it.
  if (ended_at_ < line_.end || !std::all_of(line_.end, ended_at_, [](char ch) { return Is(ch, kSpaceChar); }))
    return false;
  if (d.name_at != line_.name_at || named + uses != line_.num_names) return false;
  const Op& op = m_.ops[m_.ops.size() - 1];
  if (op.regions.count || op.successors.count || op.operands.count != uses) return false;
  for (size_t i = 0; i < uses; ++i) {
    const Use& use = uses_[d.uses + i];
    if (use.at != line_.begin + line_.names[named + i] || use.number > UINT16_MAX) return false;
  }
  return true;
}

// Returns where a place of the line is in its pieces.
Reader::PlaceInLine Reader::PlaceOf(const char* at) const {
  if (!at) return kNoPlace;
  uint16_t piece = 0;
  while (piece < line_.num_names && pieces_at_[piece + 1u] <= at) ++piece;
  return {piece, uint16_t(at - pieces_at_[piece])};
}

const char* Reader::AtPlace(PlaceInLine place) const {
  return place.piece == kNoPlace.piece ? nullptr : pieces_at_[place.piece] + place.offset;
}

}  // namespace shlo::text
