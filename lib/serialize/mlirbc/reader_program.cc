#include "serialize/mlirbc/reader_program.h"

#include <algorithm>

#include "base/deadline.h"
#include "base/format.h"
#include "ir/module/op_nodes.h"
#include "ir/table/ops.h"
#include "ir/table/trait.h"

namespace shlo::mlirbc {

// --- The program ---------------------------------------------------------------------------------

bool ProgramIn::ReadProgram() {
  InCursor c = file_.In(kIrSection);
  if (c.Varint() != 1 << 1) return c.Fail("expected one top-level op without block arguments");
  // Most ops have about this many bytes; a guess that avoids most reallocations.
  const size_t guess = std::min<size_t>(c.left() / 8, 1u << 24);
  builder_.Reserve(guess);
  cursors_.push_back(c);
  Frame top;
  top.top = true;
  top.ops_left = 1;
  frames_.push_back(top);
  while (!frames_.empty()) {
    Frame& frame = frames_.back();
    Tick();
    bool ok;
    if (frame.ops_left) {
      --frame.ops_left;
      ok = ReadPlainOp() || ReadOp();
    } else if (frame.top) {
      frames_.pop_back();
      ok = true;
    } else if (frame.block < frame.end_block) {
      ok = BeginBlock();
    } else {
      ok = EndRegion();
    }
    if (!ok || *failure_) return false;
  }
  if (cursors_.back().left()) return cursors_.back().Fail("trailing data after the last op");
  m_.top = OpId(uint32_t(m_.ops.size() - 1));
  if (!m_.Is(m_.ops[m_.top.v], ops::kModule))
    return c.Fail("top-level op is not builtin.module", Code::kUnsupported);
  return true;
}

bool ProgramIn::DefineValues(uint32_t first, uint32_t count, const char* at) {
  Frame& frame = frames_.back();
  if (count > frame.end_value - frame.next_value)
    return cursors_.back().FailAt(at, StrFormat("region declares {}, but defines more",
                                                Count(frame.end_value - frame.first_value, "value")));
  for (uint32_t i = 0; i < count; ++i) values_[frame.next_value++] = ValueId(first + i);
  return true;
}

// Adds a null operand if its value is not defined yet, and records which value it waits for.
void ProgramIn::ReadOperands(InCursor& c, size_t count, ValueId* out) {
  const size_t scope = frames_.back().scope, num_values = values_.size() - scope;
  for (size_t i = 0; i < count; ++i) {
    const uint32_t index = c.Index(num_values, "value");
    if (!c.ok()) return;
    out[i] = values_[scope + index];
    if (!out[i]) undefined_.push_back({i, scope + index});
  }
}

bool ProgramIn::ReadOp() {
  InCursor& c = cursors_.back();
  Draft d;
  d.at = c.position();
  d.name = c.Index(names_.size(), "op name");
  const uint8_t mask = c.Byte();
  d.loc = nodes_.LocationAt(c);
  if (!c.ok()) return false;
  NameInfo& info = names_[d.name];
  info.used = true;
  d.revision = info.revision;
  if (info.returns) d.revision = ReturnOf(frames_.back());
  if (mask & 0x80) return c.FailAt(d.at, "unknown bits in the op's encoding mask");
  if ((mask & kHasProperties) && file_.format() < kProperties)
    return c.FailAt(
        d.at, StrFormat("op has properties, which bytecode format {} does not support", file_.format()));
  if ((mask & kHasUseLists) && file_.format() < kUseListOrders)
    return c.FailAt(
        d.at, StrFormat("op has use-list orders, which bytecode format {} does not support", file_.format()));
  uint32_t attrs = 0, properties = 0;
  if (mask & kHasAttrs) attrs = 1 + c.Index(nodes_.num_attrs(), "attribute");
  if (mask & kHasProperties) properties = 1 + c.Index(properties_.size(), "properties");
  if (!c.ok()) return false;
  if ((attrs || properties) && !Place(d.name, attrs, properties, d.at, &d.placed)) {
    if (Diagnostic& why = failure_->diagnostics.front(); why.op.empty())
      why.op = d.revision ? std::string(RowOf(d.revision).name) : std::string(m_.strings[info.name]);
    return false;
  }
  return ReadParts(d, mask);
}

bool ProgramIn::ReadParts(Draft& d, uint8_t mask) {
  InCursor& c = cursors_.back();
  d.types = types_.size();
  d.operands = operands_.size();
  d.successors = successors_.size();
  d.regions = regions_.size();
  d.undefined = undefined_.size();
  uint64_t num_results = 0;
  if (mask & kHasResults) {
    num_results = c.Count("result");
    for (uint64_t i = 0; i < num_results; ++i) types_.push_back(nodes_.TypeAt(c));
  }
  if (mask & kHasOperands) {
    const uint64_t count = c.Count("operand");
    operands_.resize(d.operands + count);
    ReadOperands(c, count, operands_.data() + d.operands);
  }
  if (mask & kHasSuccessors) {
    const Frame& frame = frames_.back();
    const uint64_t count = c.Count("successor");
    for (uint64_t i = 0; i < count; ++i) {
      const uint32_t block = c.Index(frame.end_block - frame.first_block, "block");
      if (!c.ok()) return false;
      successors_.push_back(blocks_[frame.first_block + block]);
    }
  }
  if ((mask & kHasUseLists) && !ReadUseLists(num_results)) return false;
  if (!(mask & kHasRegions)) return c.ok() && FinishOp(d);
  const uint64_t word = c.Varint();
  if (!c.ok()) return false;
  d.isolated = word & 1;
  const uint64_t count = word >> 1;
  if (count == 0 || count > c.left())
    return c.FailAt(
        d.at, StrFormat("op has {}, with only {} left", Count(count, "region"), Count(c.left(), "byte")));
  d.regions_left = uint32_t(count);
  drafts_.push_back(d);
  if (drafts_.size() > options_.limits.max_depth)
    return c.FailAt(d.at, StrFormat("nesting of regions exceeds the limit of {}", options_.limits.max_depth),
                    Code::kLimit, "pass --max-depth to raise the limit");
  if (d.isolated && file_.format() >= kLazyRegions) {
    const char* at = c.position();
    Section id;
    std::string_view content;
    if (!file_.ReadSection(c, &id, &content)) return false;
    if (id != kIrSection) return c.FailAt(at, "expected section 'operations' for the regions of an op");
    const InCursor inner = c.Part(content);
    cursors_.push_back(inner);
  }
  return BeginRegion();
}

bool ProgramIn::BeginRegion() {
  InCursor& c = cursors_.back();
  const Draft& d = drafts_.back();
  Frame frame;
  frame.region = builder_.NewRegion();
  frame.function = d.revision && RowOf(d.revision).Has(Trait::kFunction);
  frame.scope = d.isolated ? values_.size() : frames_.back().scope;
  frame.forwards = forwards_.size();
  frame.first_block = frame.block = uint32_t(blocks_.size());
  frame.first_value = frame.next_value = values_.size();
  const uint64_t num_blocks = c.Count("block");
  if (num_blocks) {
    const uint64_t num_values = c.Count("region value");
    if (!c.ok()) return false;
    for (uint64_t i = 0; i < num_blocks; ++i) blocks_.push_back(builder_.NewBlock());
    values_.resize(values_.size() + num_values);
  }
  frame.end_block = uint32_t(blocks_.size());
  frame.end_value = values_.size();
  frames_.push_back(frame);
  return c.ok();
}

bool ProgramIn::BeginBlock() {
  InCursor& c = cursors_.back();
  Frame& frame = frames_.back();
  if (frame.open_block) builder_.EndBlock();
  const BlockId block = blocks_[frame.block++];
  builder_.BeginBlock(frame.region, block);
  frame.open_block = true;
  const char* at = c.position();
  const uint64_t header = c.Varint();
  frame.ops_left = header >> 1;
  if (frame.ops_left > c.left())
    return c.FailAt(at, StrFormat("block has {}, with only {} left", Count(frame.ops_left, "op"),
                                  Count(c.left(), "byte")));
  if (!(header & 1)) return c.ok();
  const uint64_t count = c.Count("block argument");
  for (uint64_t i = 0; i < count && c.ok(); ++i) {
    const char* arg_at = c.position();
    TypeId type;
    AttrId loc;
    if (file_.format() >= kElidedLocations) {
      const uint64_t word = c.Varint();
      if (c.ok() && (word >> 1) >= nodes_.num_types())
        return c.FailAt(arg_at,
                        StrFormat("type index {} out of range [0, {})", word >> 1, nodes_.num_types()));
      if (c.ok()) type = nodes_.Type(uint32_t(word >> 1));
      if (word & 1) loc = nodes_.LocationAt(c);
    } else {
      type = nodes_.TypeAt(c);
      loc = nodes_.LocationAt(c);
    }
    if (!c.ok()) return false;
    if (!DefineValues(builder_.AddBlockArg(block, type, loc).v, 1, arg_at)) return false;
  }
  if (c.ok() && file_.format() >= kUseListOrders) {
    const char* mask_at = c.position();
    const uint8_t mask = c.Byte();
    if (mask & ~kHasUseLists) return c.FailAt(mask_at, "unknown bits in the block's encoding mask");
    if (mask && !ReadUseLists(count)) return false;
  }
  return c.ok();
}

bool ProgramIn::EndRegion() {
  InCursor& c = cursors_.back();
  const Frame frame = frames_.back();
  frames_.pop_back();
  if (frame.open_block) builder_.EndBlock();
  builder_.EndRegion(frame.region);
  if (frame.next_value != frame.end_value)
    return c.Fail(StrFormat("region declares {}, but defines {}",
                            Count(frame.end_value - frame.first_value, "value"),
                            frame.next_value - frame.first_value));
  // Uses before the definition: values of this region are known now, others are not yet.
  size_t kept = frame.forwards;
  for (size_t i = frame.forwards; i < forwards_.size(); ++i) {
    if (forwards_[i].value < frame.first_value)
      forwards_[kept++] = forwards_[i];
    else if (const ValueId value = values_[forwards_[i].value]; m_.TypeOf(value) == forwards_[i].cast_to)
      return c.FailAt(forwards_[i].at, "cast between a VHLO type and a builtin type precedes its operand");
    else
      ModuleLists(&m_).operands[forwards_[i].operand] = value, UpdateTypes(&m_, forwards_[i].op);
  }
  forwards_.resize(kept);
  values_.resize(frame.first_value);
  blocks_.resize(frame.first_block);
  Draft& d = drafts_.back();
  regions_.push_back(frame.region);
  if (--d.regions_left) return BeginRegion();
  if (d.isolated && file_.format() >= kLazyRegions) {
    if (c.left()) return c.Fail("trailing data after the last region of an op");
    cursors_.pop_back();
  }
  const Draft finished = d;
  drafts_.pop_back();
  return FinishOp(finished);
}

bool ProgramIn::FinishOp(const Draft& d) {
  const NameInfo& info = names_[d.name];
  OpSpec spec;
  spec.revision = d.revision;
  if (!d.revision) spec.name = info.name;
  spec.operands = std::span<const ValueId>(operands_).subspan(d.operands);
  spec.results = std::span<const TypeId>(types_).subspan(d.types);
  spec.successors = std::span<const BlockId>(successors_).subspan(d.successors);
  spec.regions = std::span<const RegionId>(regions_).subspan(d.regions);
  spec.loc = d.loc;
  spec.inherent_attrs = InherentAttrsOf(d.placed, info);
  spec.discardable_attrs = DiscardableAttrsOf(d.placed);
  const bool forward = undefined_.size() > d.undefined;
  const bool cast = info.cast && spec.operands.size() == spec.results.size();
  const bool elided = cast && !forward && spec.regions.empty() && IsRespelling(spec);
  uint32_t first = 0, count = 0;
  if (elided) {
    for (ValueId value : spec.operands)
      if (!DefineValues(value.v, 1, d.at)) return false;
  } else {
    const OpId id = builder_.AddOp(spec);
    const Op& op = m_.ops[id.v];
    first = op.first_result;
    count = m_.NumResults(op);
    for (; undefined_.size() > d.undefined; undefined_.pop_back()) {
      const size_t i = undefined_.back().operand;
      forwards_.push_back({undefined_.back().value, id, op.first_operand + uint32_t(i), d.at,
                           cast ? spec.results[i] : TypeId()});
    }
  }
  types_.resize(d.types);
  operands_.resize(d.operands);
  successors_.resize(d.successors);
  regions_.resize(d.regions);
  return count == 0 || DefineValues(first, count, d.at);
}

// The reference casts values between VHLO and builtin types where dialects meet.
bool ProgramIn::IsRespelling(const OpSpec& cast) const {
  for (size_t i = 0; i < cast.operands.size(); ++i)
    if (m_.TypeOf(cast.operands[i]) != cast.results[i]) return false;
  return true;
}

// The use-list order at the time of writing. It has no semantics, so it is only checked.
bool ProgramIn::ReadUseLists(uint64_t num_values) {
  InCursor& c = cursors_.back();
  const uint64_t lists = num_values == 1 ? 1 : c.Count("use-list");
  if (c.ok() && lists > num_values) return c.Fail("more use-list orders than values");
  for (uint64_t i = 0; i < lists && c.ok(); ++i) {
    if (num_values != 1) c.Index(num_values, "use-list value");
    const char* at = c.position();
    const uint64_t word = c.Varint();
    const bool pairs = word & 1;
    const uint64_t count = word >> 1;
    if (c.ok() && count > c.left())
      return c.FailAt(at, StrFormat("use count {} exceeds the {} left", count, Count(c.left(), "byte")));
    if (pairs && (count & 1))
      return c.FailAt(at, "use-list order has an odd number of indices for its pairs");
    seen_.assign(pairs ? 0 : count, false);
    for (uint64_t k = 0; k < count && c.ok(); ++k) {
      const char* use_at = c.position();
      const uint64_t use = c.Varint();
      if (!c.ok() || pairs) continue;
      if (use >= count)
        return c.FailAt(
            use_at, StrFormat("use-list order of {} uses is not a permutation: it has index {}", count, use));
      if (seen_[use])
        return c.FailAt(use_at, StrFormat("use-list order is not a permutation: it has index {} twice", use));
      seen_[use] = true;
    }
  }
  return c.ok();
}

// --- The version ---------------------------------------------------------------------------------

// Returns whether every op has a revision at a later version, with all its attributes.
bool ProgramIn::Upgradable(Version version) const {
  return std::ranges::all_of(names_, [&](const NameInfo& info) {
    if (!info.used || !info.vhlo || info.returns) return true;
    const RevisionId newer = RevisionAt(RevisionOf(info.revision).row, version);
    return newer && std::ranges::all_of(RevisionOf(info.revision).attrs, [&](const Cell& attr) {
             return RevisionOf(newer).FindSlot(attr.name) >= 0;
           });
  });
}

bool ProgramIn::DecideVersion(Version stated) {
  InCursor c = file_.In(kDialectSection);
  const NameInfo* oldest = nullptr;  // the op that ends first
  const NameInfo* newest = nullptr;  // the op that begins last
  for (const NameInfo& info : names_) {
    if (!info.used) continue;
    has_vhlo_ops_ |= info.vhlo;
    has_mhlo_ops_ |= info.mhlo && info.mhlo->fate != mhlo::Fate::kNone;
    has_raw_ops_ |= !info.vhlo && !info.mhlo && info.revision && RowOf(info.revision).dialect == "stablehlo";
    if (!info.vhlo || info.returns) continue;
    if (!oldest || RevisionOf(info.revision).until < RevisionOf(oldest->revision).until) oldest = &info;
    if (!newest || RevisionOf(info.revision).since > RevisionOf(newest->revision).since) newest = &info;
  }
  Version version = stated.valid() ? stated : kCurrentVersion;
  if (oldest && newest) {
    const Version first = RevisionOf(newest->revision).since;
    const Version last = std::min(RevisionOf(oldest->revision).until, kCurrentVersion);
    if (first > last) {
      const std::string both =
          StrFormat("'{}' (removed after {}) and '{}' (added in {})", VhloName(oldest->revision),
                    VersionName(last), VhloName(newest->revision), VersionName(first));
      // jaxlib writes such artifacts when an expansion adds an op that the target has in an older form.
      if (!stated.valid() || stated > last || !Upgradable(first))
        return c.Fail("no version contains both " + both, Code::kInvalidProgram);
      mixed_ = "the artifact mixes versions: it has " + both;
      version = first;
    } else if (version < first || version > last) {
      if (stated.valid())
        return c.Fail(
            StrFormat("'{}' does not exist in {}, the version stated by the producer",
                      VhloName(version < first ? newest->revision : oldest->revision), VersionName(version)),
            Code::kInvalidProgram);
      version = last;
    }
  }
  if (const std::string missing = NodeNotIn(m_, version); !missing.empty())
    return c.Fail(stated.valid() ? StrFormat("{} does not exist in {}, the version stated by the producer",
                                             missing, VersionName(version))
                                 : StrFormat("no version can represent this program: {} does not exist in {}",
                                             missing, VersionName(version)),
                  Code::kInvalidProgram);
  const auto legal = [&](RevisionId revision) { return !revision || RevisionOf(revision).LegalAt(version); };
  if (std::ranges::all_of(names_, [&](const NameInfo& info) {
        if (info.returns) return legal(return_) && legal(function_return_);
        return !info.used || legal(info.revision);
      }))
    m_.version = version;
  else
    m_.SetVersion(version);
  return true;
}

}  // namespace shlo::mlirbc
