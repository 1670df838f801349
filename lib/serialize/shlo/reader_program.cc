#include "serialize/shlo/reader_program.h"

#include "artifact_generated.h"
#include "base/deadline.h"
#include "base/format.h"
#include "base/stack.h"
#include "base/try.h"
#include "ir/module/builder.h"
#include "ir/table/ops.h"

namespace shlo::format {
namespace {

constexpr AttrId kGiven{~0u};
constexpr std::string_view kPageName = "page of functions";

// Returns the revision that a code names; none if the row has no such revision.
RevisionId FindRevision(uint64_t wire_id, uint64_t code) {
  if (wire_id > 0xFFFF) return {};
  const RowId id = FindWireId(uint16_t(wire_id));
  if (!id) return {};
  const OpRow& row = RowOf(id);
  for (uint16_t i = 0; i < row.num_revisions; ++i) {
    const RevisionId revision{uint16_t(row.first_revision + i)};
    if (RevisionCode(RevisionOf(revision)) == code) return revision;
  }
  return {};
}

}  // namespace

Result<void> ProgramReader::ReadSignatures(const Content& content) {
  namespace s = signature;
  constexpr std::string_view kName = "signatures";
  uint64_t count = 0;
  Cursor c[s::kNumColumns];
  if (!SplitColumns(content.bytes, {&count, 1}, c))
    return Malformed(kName, "columns do not fill the section");
  if (count > c[s::kOps].left() || count > kMaxCount)
    return Malformed(kName, "more signatures than the section can hold");
  if (!file_.Take(count * sizeof(WireSignature) + content.bytes.size() * sizeof(ResultType)))
    return OutOfMemory(kName);
  signatures_.reserve(count + 1);
  Tracked next_name;
  for (uint64_t i = 1; i <= count; ++i) {
    const auto fail = [&](const char* why) {
      return Malformed(kName, StrFormat("signature {}: {}", i, why));
    };
    WireSignature sig;
    const uint64_t wire_id = c[s::kOps].Varint(), shape = c[s::kRevisions].Varint();
    if (wire_id) {
      sig.revision = FindRevision(wire_id, shape);
      if (!sig.revision) return fail("op is out of range");
    } else {
      if (shape == 0 || shape >= tables_.strings().size()) return fail("string index out of range");
      sig.name = tables_.strings()[shape];
    }
    const uint64_t operands = c[s::kOperands].Varint(), regions = c[s::kRegions].Varint(),
                   successors = c[s::kSuccessors].Varint(), results = c[s::kResults].Varint(),
                   discardable_attrs = c[s::kDiscardableAttrs].Varint();
    if (operands > kMaxCount || regions / 2 > kMaxCount || successors / 2 > kMaxCount)
      return fail("count is too large");
    if (results > c[s::kTypes].left() || discardable_attrs > c[s::kNames].left())
      return fail("count exceeds its column");
    sig.operands = uint32_t(operands);
    sig.regions = uint32_t(regions / 2);
    sig.outlined = regions & 1;
    sig.successors = uint32_t(successors / 2);
    sig.terminator = successors & 1;
    sig.results = uint32_t(results);
    sig.discardable_attrs = uint32_t(discardable_attrs);
    sig.first_type = uint32_t(signature_types_.size());
    sig.inherent_attrs = uint32_t(RevisionOf(sig.revision).attrs.size());
    for (uint64_t k = 0; k < results; ++k) {
      const uint64_t code = c[s::kTypes].Varint(), number = code >> 1;
      if (code & 1) {
        if (number >= operands + sig.inherent_attrs)
          return fail("operand or attribute that gives a result type is out of range");
        signature_types_.push_back({TypeId(), uint32_t(number + 1)});
      } else {
        if (number == 0 || number >= tables_.types().size()) return fail("type index out of range");
        signature_types_.push_back({tables_.types()[number], 0});
      }
    }
    sig.first_name = uint32_t(signature_names_.size());
    for (uint64_t k = 0; k < discardable_attrs; ++k) {
      const uint64_t name = next_name.Decode(c[s::kNames].Varint());
      if (name == 0 || name >= tables_.strings().size()) return fail("string index out of range");
      const StringId id = tables_.strings()[name];
      if (k && m_.strings[signature_names_.back()] >= m_.strings[id])
        return fail("attributes are not sorted by name");
      signature_names_.push_back(id);
    }
    sig.first_slot = uint32_t(signature_attrs_.size());
    for (uint32_t k = 0; k < sig.inherent_attrs; ++k) {
      const uint64_t code = c[s::kInherentAttrs].Varint();
      if (code > tables_.attrs().size()) return fail("attribute index out of range");
      sig.given += code == 0;
      signature_attrs_.push_back(code == 0 ? kGiven : tables_.attrs()[code - 1]);
    }
    signatures_.push_back(sig);
  }
  for (const Cursor& column : c)
    if (!column.done()) return Malformed(kName, "columns and signatures differ in number of entries");
  return {};
}

// Reserves space for a whole body.
bool ProgramReader::Grow(const Totals& t) {
  const uint64_t values = t.args + t.results;
  // An op may be the only one with its signature.
  const uint64_t signatures = t.ops * SignatureTable::kBytes + (t.operands + t.results) * sizeof(TypeId) +
                              t.inherent_attrs * sizeof(AttrId) + t.discardable_attrs * sizeof(NamedAttr);
  const uint64_t memory = signatures + t.ops * (sizeof(Op) + 2 * sizeof(OpId)) +
                          values * (sizeof(Value) + 4) + t.operands * sizeof(ValueId) +
                          t.regions * (sizeof(Region) + sizeof(RegionId)) + t.successors * sizeof(BlockId) +
                          t.blocks * (sizeof(Block) + sizeof(BlockId));
  if (!file_.Take(memory)) return false;
  for (uint64_t total :
       {m_.ops.size() + t.ops, m_.values.size() + values, lists_.operands.size() + t.operands,
        t.inherent_attrs, t.discardable_attrs, m_.regions.size() + t.regions, m_.blocks.size() + t.blocks,
        lists_.successors.size() + t.successors})
    if (total > kMaxCount) return false;
  const auto positions = [&] {
    return Positions{
        uint32_t(m_.ops.size()),         uint32_t(m_.values.size()),       uint32_t(m_.blocks.size()),
        uint32_t(m_.regions.size()),     uint32_t(lists_.operands.size()), uint32_t(lists_.successors.size()),
        uint32_t(lists_.regions.size()), uint32_t(lists_.blocks.size()),   uint32_t(lists_.ops.size())};
  };
  begin_ = next_ = positions();
  m_.ops.resize(m_.ops.size() + t.ops);
  m_.values.resize(m_.values.size() + values);
  m_.blocks.resize(m_.blocks.size() + t.blocks);
  m_.regions.resize(m_.regions.size() + t.regions);
  lists_.operands.resize(lists_.operands.size() + t.operands);
  lists_.successors.resize(lists_.successors.size() + t.successors);
  lists_.regions.resize(lists_.regions.size() + t.regions);
  lists_.blocks.resize(lists_.blocks.size() + t.blocks);
  lists_.ops.resize(lists_.ops.size() + t.ops);  // one more than needed in section 6: the module's own
  end_ = positions();
  return true;
}

// Reads the signatures of a body and the other columns that determine its totals; those columns, except for
// the signatures, are not consumed. Every op, operand and so on takes at least a byte of its column. Returns
// an error message, or null.
const char* ProgramReader::Count(uint64_t num_ops, uint64_t own_regions, Totals* totals) {
  Totals& t = *totals;
  if (num_ops > ops_left_) return "more ops than the stream declares";
  ops_left_ -= num_ops;
  t.ops = num_ops;
  t.body_regions = own_regions;
  ops_.resize(num_ops);
  for (uint32_t& op : ops_) {
    const uint64_t number = next_signature_.Decode(columns_[stream::kSignatures].Varint());
    if (number == 0 || number >= signatures_.size()) return "signature index out of range";
    op = uint32_t(number);
    const WireSignature& sig = signatures_[number];
    t.operands += sig.operands;
    t.results += sig.results;
    t.regions += sig.regions;
    if (sig.outlined && !in_program_) return "function body within a function body";
    if (!sig.outlined) t.body_regions += sig.regions;
    t.successors += sig.successors;
    t.inherent_attrs += sig.inherent_attrs;
    t.given += sig.given;
    t.discardable_attrs += sig.discardable_attrs;
    // Well below an overflow of the sum.
    if ((t.operands | t.results | t.regions | t.successors | t.inherent_attrs | t.discardable_attrs) >> 40)
      return "number of operands, results or regions exceeds the limit";
  }
  if (const uint64_t outlined = t.regions + own_regions - t.body_regions) {
    uint64_t page_bytes = 0;  // where each of them takes a byte
    for (const artifact::Chunk* page : *file_.header().pages()) page_bytes += page->size();
    if (outlined > page_bytes) return "more regions than the pages can hold";
  }
  Cursor regions = columns_[stream::kRegions], arguments = columns_[stream::kArguments];
  if (t.operands > columns_[stream::kOperands].left() ||
      t.given + t.discardable_attrs > columns_[stream::kAttrs].left() ||
      t.successors > columns_[stream::kSuccessors].left() || t.body_regions > regions.left())
    return "column ends early";
  for (uint64_t i = t.body_regions; i; --i) {
    const uint64_t blocks = regions.Varint();
    if (blocks > arguments.left() - t.blocks) return "more blocks than the stream can hold";
    t.blocks += blocks;
  }
  if (t.blocks > columns_[stream::kLengths].left()) return "more blocks than the stream can hold";
  for (uint64_t i = t.blocks; i; --i) {
    const uint64_t args = arguments.Varint();
    if (args > columns_[stream::kTypes].left() - t.args) return "more arguments than the stream can hold";
    t.args += args;
  }
  return regions.ok() && arguments.ok() ? nullptr : "column ends early";
}

// Skips the rest of a body that was counted.
bool ProgramReader::Skip(const Totals& t) {
  for (uint64_t i = t.given + t.discardable_attrs; i; --i)
    next_attr_.Decode(columns_[stream::kAttrs].Varint());
  for (uint64_t i = t.operands; i; --i)
    if (columns_[stream::kOperands].Varint() == 0) columns_[stream::kFar].Skip(1);
  columns_[stream::kRegions].Skip(t.body_regions);
  columns_[stream::kArguments].Skip(t.blocks);
  columns_[stream::kLengths].Skip(t.blocks);
  columns_[stream::kTypes].Skip(t.args);
  columns_[stream::kSuccessors].Skip(t.successors);
  for (const Cursor& column : columns_)
    if (!column.ok()) return false;
  return true;
}

Result<void> ProgramReader::OpenStream(const Content& content, std::string_view name) {
  uint64_t header[stream::kNumHeader];
  if (!SplitColumns(content.bytes, header, columns_))
    return Malformed(name, "columns do not fill the stream");
  ops_left_ = header[stream::kOps];
  if (ops_left_ > columns_[stream::kSignatures].left())
    return Malformed(name, "more ops than the stream can hold");
  if (header[stream::kFirstSignature] - 1 >= signatures_.size() ||
      header[stream::kFirstAttr] - 1 >= tables_.attrs().size())
    return Malformed(name, "first signature or attribute is out of range");
  if (!file_.Take(ops_left_ * sizeof(uint32_t))) return OutOfMemory(name);
  next_signature_ = Tracked(header[stream::kFirstSignature]);
  next_attr_ = Tracked(header[stream::kFirstAttr]);
  return {};
}

Result<void> ProgramReader::CloseStream(std::string_view name) {
  bool done = ops_left_ == 0;
  for (const Cursor& column : columns_) done &= column.done();
  if (!done) return Malformed(name, "columns and ops differ in number of entries");
  return {};
}

Result<BodyIn> ProgramReader::Body(OpId function, uint64_t num_ops, bool wanted, std::string_view name) {
  const Range own = function ? m_.ops[function.v].regions : Range{};
  in_program_ = !function;
  Totals t;
  if (const char* why = Count(num_ops, own.count, &t)) return Malformed(name, why);
  if (!wanted) {
    if (!Skip(t)) return Malformed(name, "column ends early");
    return BodyIn{.num_ops = uint32_t(t.ops), .num_args = uint32_t(t.args)};
  }
  if (!Grow(t)) return OutOfMemory(name);
  error_ = nullptr;
  too_deep_ = false;
  scope_.clear();
  open_ops_.clear();
  late_.clear();
  inherent_attrs_.clear();
  discardable_attrs_.clear();
  next_arg_ = Tracked();
  entry_args_ = 0;
  if (function ? !ReadRegions(own, 1) : !ReadOps(2, BlockId(), 0)) {
    if (too_deep_)
      return Error(Code::kLimit,
                   StrFormat("regions nest more than {} deep", shlo::Count(max_depth_, "level")),
                   {.section = std::string(name)});
    return Malformed(name, error_);
  }
  const bool all = next_.op == end_.op && next_.value == end_.value && next_.block == end_.block &&
                   next_.region == end_.region;
  if (!all) return Malformed(name, "more ops than the blocks hold");
  for (const OpId op : late_) UpdateTypes(&m_, op);
  lists_.ops.resize(next_.op_list);
  return BodyIn{begin_.op, uint32_t(t.ops), begin_.block, uint32_t(t.blocks), uint32_t(t.args), true};
}

// Reads the ops of a block: the code of its length states how many.
bool ProgramReader::ReadOps(uint64_t length, BlockId parent, uint32_t depth) {
  if (length && length - 1 > end_.op - next_.op) return Fail("more ops than the body declares");
  const size_t first = open_ops_.size();
  for (uint64_t left = length - 1; left; --left) {
    if (next_.op == end_.op) return Fail("more ops than the body declares");
    const uint32_t id = next_.op++;
    const WireSignature& sig = signatures_[ops_[id - begin_.op]];
    m_.ops[id].parent = parent;
    open_ops_.push_back(OpId(id));
    if (!ReadOp(id, sig, depth)) return false;
    if (length == 0 && sig.terminator) break;
  }
  if (parent) {
    // Inner blocks have taken their part of the list already.
    const uint32_t count = uint32_t(open_ops_.size() - first);
    m_.blocks[parent.v].ops = {next_.op_list, count};
    if (count) std::memcpy(&lists_.ops[next_.op_list], &open_ops_[first], count * sizeof(OpId));
    next_.op_list += count;
  }
  open_ops_.resize(first);
  return true;
}

bool ProgramReader::ReadOp(uint32_t id, const WireSignature& sig, uint32_t depth) {
  Tick();
  Op& op = m_.ops[id];
  const size_t first_attr = inherent_attrs_.size(), first_discardable = discardable_attrs_.size();
  if (!ReadAttrs(sig) || !ReadOperands(id, sig)) return false;
  if (sig.successors) {
    op.successors = {next_.successor, sig.successors};
    next_.successor += sig.successors;
    for (uint32_t k = 0; k < sig.successors; ++k) {
      const uint64_t number = columns_[stream::kSuccessors].Varint();
      if (number == 0 || number > end_.block - begin_.block) return Fail("block index out of range");
      lists_.successors[op.successors.first + k] = BlockId(uint32_t(begin_.block + number - 1));
    }
  }
  if (sig.regions) {
    op.regions = {next_.region_list, sig.regions};
    next_.region_list += sig.regions;
    for (uint32_t k = 0; k < sig.regions; ++k) {
      const uint32_t region = next_.region++;
      lists_.regions[op.regions.first + k] = RegionId(region);
      m_.regions[region].parent = OpId(id);
    }
    if (sig.outlined) {
      functions_.push_back(OpId(id));
    } else if (!ReadRegions(op.regions, depth + 1)) {
      return false;
    }
  }
  const std::span inherent_attrs = std::span<const AttrId>(inherent_attrs_).subspan(first_attr);
  if (!ReadResults(id, sig, inherent_attrs)) return false;
  op.signature = m_.signatures.Intern(
      {.revision = sig.revision,
       .name = sig.name,
       .inherent_attrs = inherent_attrs,
       .discardable_attrs = std::span<const NamedAttr>(discardable_attrs_).subspan(first_discardable),
       .operand_types = operand_types_,
       .result_types = result_types_});
  inherent_attrs_.resize(first_attr);
  discardable_attrs_.resize(first_discardable);
  return true;
}

bool ProgramReader::ReadAttrs(const WireSignature& sig) {
  Cursor& column = columns_[stream::kAttrs];
  const auto next = [&](AttrId* out) {
    const uint64_t number = next_attr_.Decode(column.Varint());
    if (number == 0 || number >= tables_.attrs().size()) return Fail("attribute index out of range");
    *out = tables_.attrs()[number];
    return true;
  };
  const auto inherent_attrs = std::span(signature_attrs_).subspan(sig.first_slot, sig.inherent_attrs);
  const size_t first = inherent_attrs_.size();
  inherent_attrs_.insert(inherent_attrs_.end(), inherent_attrs.begin(), inherent_attrs.end());
  for (uint32_t k = 0, given = sig.given; given; ++k) {
    if (inherent_attrs[k] != kGiven) continue;
    if (!next(&inherent_attrs_[first + k])) return false;
    --given;
  }
  for (uint32_t k = 0; k < sig.discardable_attrs; ++k) {
    NamedAttr& discardable = discardable_attrs_.emplace_back();
    discardable.name = signature_names_[sig.first_name + k];
    if (!next(&discardable.value)) return false;
  }
  return true;
}

bool ProgramReader::ReadOperands(uint32_t id, const WireSignature& sig) {
  Cursor& column = columns_[stream::kOperands];
  m_.ops[id].first_operand = next_.operand;
  next_.operand += sig.operands;
  for (uint32_t k = 0; k < sig.operands; ++k) {
    const uint64_t code = column.Varint();
    ValueId& operand = lists_.operands[m_.ops[id].first_operand + k];
    if (code == 0) {
      const uint64_t number = columns_[stream::kFar].Varint();
      if (number == 0 || number > end_.value - begin_.value) return Fail("value index out of range");
      operand = ValueId(uint32_t(begin_.value + number - 1));
    } else if (code & 1) {
      const uint64_t number = next_arg_.Decode(code >> 1);
      if (number == 0 || number > entry_args_) return Fail("argument index out of range");
      operand = ValueId(uint32_t(begin_.value + number - 1));
    } else {
      if (code >> 1 > scope_.size()) return Fail("value in scope out of range");
      operand = ValueId(scope_[scope_.size() - (code >> 1)]);
    }
  }
  return true;
}

// Reads the types of operands and results. Operands that come later have none yet.
bool ProgramReader::ReadResults(uint32_t id, const WireSignature& sig, std::span<const AttrId> attrs) {
  Op& op = m_.ops[id];
  const uint32_t first = next_.value;
  if (sig.results > end_.value - first) return Fail("more values than the body declares");
  op.first_result = first;
  operand_types_.clear();
  result_types_.clear();
  bool late = false;
  for (uint32_t k = 0; k < sig.operands; ++k) {
    const ValueId operand = lists_.operands[op.first_operand + k];
    operand_types_.push_back(operand.v < first ? m_.values[operand.v].type : TypeId());
    late |= operand.v >= first;
  }
  if (late) late_.push_back(OpId(id));
  const ResultType* types = signature_types_.data() + sig.first_type;
  for (uint32_t k = 0; k < sig.results; ++k) {
    const uint32_t source = types[k].source;
    const TypeId type = source == 0              ? types[k].type
                        : source <= sig.operands ? operand_types_[source - 1]
                                                 : LeadingType(m_, attrs[source - 1 - sig.operands]);
    if (!type) return Fail("result has no type");
    result_types_.push_back(type);
    m_.values[first + k] = {type, OpId(id), BlockId(), k, AttrId()};
    scope_.push_back(first + k);
  }
  next_.value += sig.results;
  return true;
}

bool ProgramReader::ReadRegions(Range regions, uint32_t depth) {
  CheckStack();
  if (depth > max_depth_) {
    too_deep_ = true;
    return false;
  }
  for (uint32_t r = 0; r < regions.count; ++r) {
    const RegionId region = lists_.regions[regions.first + r];
    const size_t scope = scope_.size();
    const uint64_t count = columns_[stream::kRegions].Varint();
    if (count > end_.block - next_.block) return Fail("more blocks than the body declares");
    const uint32_t first = next_.block;
    next_.block += uint32_t(count);
    m_.regions[region.v].blocks = {next_.block_list, uint32_t(count)};
    for (uint32_t b = first; b < first + count; ++b) {
      lists_.blocks[next_.block_list++] = BlockId(b);
      m_.blocks[b].parent = region;
    }
    for (uint32_t b = first; b < first + count; ++b) {
      const uint64_t args = columns_[stream::kArguments].Varint();
      if (args > end_.value - next_.value) return Fail("more block arguments than the body declares");
      const uint32_t first_arg = next_.value;
      m_.blocks[b].args = {first_arg, uint32_t(args)};
      for (uint32_t k = 0; k < args; ++k) {
        const uint64_t type = columns_[stream::kTypes].Varint();
        if (type == 0 || type >= tables_.types().size()) return Fail("type index out of range");
        m_.values[first_arg + k] = {tables_.types()[type], OpId(), BlockId(b), k, AttrId()};
        scope_.push_back(first_arg + k);
      }
      next_.value += uint32_t(args);
      if (b == begin_.block) entry_args_ = uint32_t(args);
      if (!ReadOps(columns_[stream::kLengths].Varint(), BlockId(b), depth)) return false;
    }
    scope_.resize(scope);
  }
  return true;
}

Result<BodyIn> ProgramReader::ReadProgram(const Content& content) {
  constexpr std::string_view kName = "program";
  SHLO_TRY(OpenStream(content, kName));
  auto body = SHLO_TRY(Body(OpId(), ops_left_, true, kName));
  SHLO_TRY(CloseStream(kName));
  m_.top = OpId(body.first_op);
  const Op& top = m_.ops[m_.top.v];
  if (!m_.Is(top, ops::kModule) || top.regions.count != 1 || m_.BlocksOf(m_.RegionsOf(top)[0]).size() != 1)
    return Malformed(kName, "outermost op is not a module");
  return body;
}

Result<void> ProgramReader::OpenPage(const Content& content) { return OpenStream(content, kPageName); }

Result<BodyIn> ProgramReader::ReadBody(OpId function, uint64_t num_ops, bool wanted) {
  return Body(function, num_ops, wanted, kPageName);
}

Result<void> ProgramReader::ClosePage() { return CloseStream(kPageName); }

Result<void> ProgramReader::ReadLocations(const Content& content, std::span<const BodyIn> bodies,
                                          std::string_view name) {
  Cursor columns[2];
  if (!SplitColumns(content.bytes, {}, columns)) return Malformed(name, "columns do not fill the chunk");
  bool good = true;
  int64_t last = 0;
  const auto next = [&](Cursor& column) -> AttrId {
    const uint64_t code = column.Varint();
    if (code == 0) return {};
    last = int64_t(uint64_t(last) + uint64_t(UnZigZag(code - 1)));
    if (last <= 0 || uint64_t(last) >= tables_.attrs().size() ||
        !IsLocation(m_.attrs.KindOf(tables_.attrs()[size_t(last)]))) {
      good = false;
      last = 0;
      return {};
    }
    return tables_.attrs()[size_t(last)];
  };
  if (columns[0].left())
    for (const BodyIn& body : bodies)
      for (uint32_t i = 0; i < body.num_ops && columns[0].ok(); ++i) {
        const AttrId loc = next(columns[0]);
        if (body.read) m_.ops[body.first_op + i].loc = loc;
      }
  last = 0;
  if (columns[1].left())
    for (const BodyIn& body : bodies) {
      if (!body.read)
        for (uint32_t i = 0; i < body.num_args && columns[1].ok(); ++i) next(columns[1]);
      for (uint32_t b = 0; b < body.num_blocks; ++b) {
        const Range args = m_.blocks[body.first_block + b].args;
        for (uint32_t i = 0; i < args.count; ++i) m_.values[args.first + i].loc = next(columns[1]);
      }
    }
  if (!good) return Malformed(name, "expected a location attribute");
  if (!columns[0].done() || !columns[1].done()) return Malformed(name, "numbers of locations and ops differ");
  return {};
}

}  // namespace shlo::format
