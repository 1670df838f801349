#include "serialize/shlo_reader_program.h"

#include <fmt/format.h>

#include "artifact_generated.h"

namespace shlo::format {
namespace {

constexpr AttrId kGiven{~0u};
constexpr RowId kModuleRow = OpNamed("builtin.module");

// The shape a code names; none when the row has no such shape.
ShapeId FindShape(uint64_t wire_id, uint64_t code) {
  if (wire_id > 0xFFFF) return {};
  const RowId id = FindWireId(uint16_t(wire_id));
  if (!id) return {};
  const OpRow& row = RowOf(id);
  for (uint16_t i = 0; i < row.num_shapes; ++i) {
    const ShapeId shape{uint16_t(row.first_shape + i)};
    if (ShapeCode(ShapeOf(shape)) == code) return shape;
  }
  return {};
}

}  // namespace

Result<bool> ProgramReader::ReadSignatures(const Content& content) {
  namespace s = signature;
  constexpr std::string_view kName = "signatures";
  uint64_t count = 0;
  Cursor c[s::kNumColumns];
  if (!SplitColumns(content.bytes, {&count, 1}, c))
    return Malformed(kName, "columns do not fill the section");
  if (count > c[s::kOps].left() || count > kMaxCount)
    return Malformed(kName, "more signatures than the section can hold");
  if (!file_.Take(count * sizeof(Signature) + content.bytes.size() * 4)) return OutOfMemory(kName);
  signatures_.reserve(count + 1);
  Tracked next_name;
  for (uint64_t i = 1; i <= count; ++i) {
    const auto fail = [&](const char* why) {
      return Malformed(kName, fmt::format("signature {}: {}", i, why));
    };
    Signature sig;
    const uint64_t wire_id = c[s::kOps].Varint(), shape = c[s::kShapes].Varint();
    if (wire_id) {
      sig.shape = FindShape(wire_id, shape);
      if (!sig.shape) return fail("no such op");
    } else {
      if (shape == 0 || shape >= tables_.strings().size()) return fail("no such string");
      sig.name = tables_.strings()[shape];
    }
    const uint64_t operands = c[s::kOperands].Varint(), regions = c[s::kRegions].Varint(),
                   successors = c[s::kSuccessors].Varint(), results = c[s::kResults].Varint(),
                   extras = c[s::kExtras].Varint();
    if (operands > kMaxCount || regions / 2 > kMaxCount || successors > kMaxCount)
      return fail("a count is too large");
    if (results > c[s::kTypes].left() || extras > c[s::kNames].left())
      return fail("a count is larger than its column");
    sig.operands = uint32_t(operands);
    sig.regions = uint32_t(regions / 2);
    sig.outlined = regions & 1;
    sig.successors = uint32_t(successors);
    sig.results = uint32_t(results);
    sig.extras = uint32_t(extras);
    sig.first_type = uint32_t(signature_types_.size());
    for (uint64_t k = 0; k < results; ++k) {
      const uint64_t type = c[s::kTypes].Varint();
      if (type == 0 || type >= tables_.types().size()) return fail("no such type");
      signature_types_.push_back(tables_.types()[type]);
    }
    sig.first_name = uint32_t(signature_names_.size());
    for (uint64_t k = 0; k < extras; ++k) {
      const uint64_t name = next_name.Decode(c[s::kNames].Varint());
      if (name == 0 || name >= tables_.strings().size()) return fail("no such string");
      const StringId id = tables_.strings()[name];
      if (k && m_.strings[signature_names_.back()] >= m_.strings[id])
        return fail("attributes are not sorted by name");
      signature_names_.push_back(id);
    }
    sig.first_slot = uint32_t(signature_slots_.size());
    sig.slots = uint32_t(ShapeOf(sig.shape).attrs.size());
    for (uint32_t k = 0; k < sig.slots; ++k) {
      const uint64_t code = c[s::kSlots].Varint();
      if (code > tables_.attrs().size()) return fail("no such attribute");
      sig.given += code == 0;
      signature_slots_.push_back(code == 0 ? kGiven : tables_.attrs()[code - 1]);
    }
    signatures_.push_back(sig);
  }
  for (const Cursor& column : c)
    if (!column.done()) return Malformed(kName, "columns and signatures do not agree");
  return true;
}

// Makes room for a whole stream.
bool ProgramReader::Grow(const Totals& t, const uint64_t* header) {
  const uint64_t ops = header[stream::kOps], blocks = header[stream::kNumBlocks],
                 args = header[stream::kArgs];
  const uint64_t values = args + t.results;
  const uint64_t memory = ops * (sizeof(Op) + sizeof(OpId)) + values * (sizeof(Value) + 4) +
                          t.operands * sizeof(ValueId) + t.slots * sizeof(AttrId) +
                          t.extras * sizeof(NamedAttr) + t.regions * (sizeof(Region) + sizeof(RegionId)) +
                          t.successors * sizeof(BlockId) + blocks * (sizeof(Block) + sizeof(BlockId));
  if (!file_.Take(memory)) return false;
  for (uint64_t total :
       {m_.ops.size() + ops, m_.values.size() + values, m_.operands.size() + t.operands,
        m_.slots.size() + t.slots, m_.extras.size() + t.extras, m_.regions.size() + t.regions,
        m_.blocks.size() + blocks, m_.successors.size() + t.successors})
    if (total > kMaxCount) return false;
  const auto positions = [&] {
    return Positions{
        uint32_t(m_.ops.size()),         uint32_t(m_.values.size()),     uint32_t(m_.blocks.size()),
        uint32_t(m_.regions.size()),     uint32_t(m_.operands.size()),   uint32_t(m_.slots.size()),
        uint32_t(m_.extras.size()),      uint32_t(m_.successors.size()), uint32_t(m_.region_lists.size()),
        uint32_t(m_.block_lists.size()), uint32_t(m_.op_lists.size())};
  };
  begin_ = next_ = positions();
  m_.ops.resize(m_.ops.size() + ops);
  m_.values.resize(m_.values.size() + values);
  m_.blocks.resize(m_.blocks.size() + blocks);
  m_.regions.resize(m_.regions.size() + t.regions);
  m_.operands.resize(m_.operands.size() + t.operands);
  m_.slots.resize(m_.slots.size() + t.slots);
  m_.extras.resize(m_.extras.size() + t.extras);
  m_.successors.resize(m_.successors.size() + t.successors);
  m_.region_lists.resize(m_.region_lists.size() + t.regions);
  m_.block_lists.resize(m_.block_lists.size() + blocks);
  m_.op_lists.resize(m_.op_lists.size() + ops);  // one more than needed in section 6: the module's own
  end_ = positions();
  return true;
}

Result<StreamIn> ProgramReader::Stream(const Content& content, std::string_view name, OpId function,
                                       uint64_t first_signature, uint64_t first_attr) {
  uint64_t header[stream::kNumHeader];
  if (!SplitColumns(content.bytes, header, columns_))
    return Malformed(name, "columns do not fill the stream");
  const uint64_t ops = header[stream::kOps];
  if (ops > columns_[stream::kSignatures].left() ||
      header[stream::kNumBlocks] > columns_[stream::kBlocks].left() ||
      header[stream::kArgs] > columns_[stream::kTypes].left() ||
      header[stream::kNumFar] > columns_[stream::kFar].left())
    return Malformed(name, "more ops, blocks or operands than the stream can hold");
  if (!file_.Take(ops * sizeof(uint32_t) + header[stream::kNumFar] * sizeof(uint32_t)))
    return OutOfMemory(name);

  // Signatures first: they tell how much of everything there is.
  Totals t;
  Tracked next_signature(first_signature);
  next_attr_ = Tracked(first_attr);
  ops_.resize(ops);
  for (uint32_t& op : ops_) {
    const uint64_t number = next_signature.Decode(columns_[stream::kSignatures].Varint());
    if (number == 0 || number >= signatures_.size()) return Malformed(name, "no such signature");
    op = uint32_t(number);
    const Signature& sig = signatures_[number];
    t.operands += sig.operands;
    t.results += sig.results;
    t.regions += sig.regions;
    if (sig.outlined) t.outlined += sig.regions;
    t.successors += sig.successors;
    t.slots += sig.slots;
    t.given += sig.given;
    t.extras += sig.extras;
  }
  uint64_t page_bytes = 0;  // every region takes a byte at least, here or in a page
  if (t.outlined)
    for (const artifact::Chunk* page : *file_.header().pages()) page_bytes += page->size();
  if (t.operands > columns_[stream::kOperands].left() ||
      t.given + t.extras > columns_[stream::kAttrs].left() ||
      t.successors > columns_[stream::kSuccessors].left() || t.outlined > page_bytes ||
      t.regions - t.outlined > columns_[stream::kBlocks].left())
    return Malformed(name, "a column is shorter than the ops need");
  if (!Grow(t, header)) return OutOfMemory(name);

  error_ = nullptr;
  too_deep_ = false;
  scope_.clear();
  far_.clear();
  in_program_ = !function;
  if (function ? !ReadRegions(m_.ops[function.v].regions, 1) : !ReadOps(1, BlockId(), 0)) {
    if (too_deep_)
      return Error(Code::kLimit, fmt::format("regions nest more than {} deep", max_depth_),
                   {.section = std::string(name)});
    return Malformed(name, error_);
  }
  for (uint32_t place : far_) {
    const uint64_t number = columns_[stream::kFar].Varint();
    if (number == 0 || number > end_.value - begin_.value) return Malformed(name, "no such value");
    m_.operands[place] = ValueId(uint32_t(begin_.value + number - 1));
  }
  for (const Cursor& column : columns_)
    if (!column.done()) return Malformed(name, "columns and ops do not agree");
  const bool all = next_.op == end_.op && next_.value == end_.value && next_.block == end_.block &&
                   next_.region == end_.region && far_.size() == header[stream::kNumFar];
  if (!all) return Malformed(name, "the stream states other numbers than it has");
  m_.op_lists.resize(next_.op_list);
  return StreamIn{begin_.op, uint32_t(ops), begin_.block, uint32_t(header[stream::kNumBlocks]),
                  uint32_t(header[stream::kArgs])};
}

bool ProgramReader::ReadOps(uint32_t count, BlockId parent, uint32_t depth) {
  uint32_t list = next_.op_list;
  if (parent) {
    if (count > end_.op_list - next_.op_list) return Fail("more ops than the stream states");
    m_.blocks[parent.v].ops = {list, count};
    next_.op_list += count;
  }
  for (uint32_t i = 0; i < count; ++i) {
    if (next_.op == end_.op) return Fail("more ops than the stream states");
    const uint32_t id = next_.op++;
    const Signature& sig = signatures_[ops_[id - begin_.op]];
    if (parent) m_.op_lists[list++] = OpId(id);
    Op& op = m_.ops[id];
    op.shape = sig.shape;
    op.name = sig.name;
    op.parent = parent;

    op.first_slot = next_.slot;
    next_.slot += sig.slots;
    const AttrId* slots = signature_slots_.data() + sig.first_slot;
    if (sig.given == 0) {
      if (sig.slots) std::memcpy(&m_.slots[op.first_slot], slots, sig.slots * sizeof(AttrId));
    } else {
      for (uint32_t k = 0; k < sig.slots; ++k) {
        AttrId slot = slots[k];
        if (slot == kGiven) {
          const uint64_t number = next_attr_.Decode(columns_[stream::kAttrs].Varint());
          if (number == 0 || number >= tables_.attrs().size()) return Fail("no such attribute");
          slot = tables_.attrs()[number];
        }
        m_.slots[op.first_slot + k] = slot;
      }
    }
    if (sig.extras) {
      op.extra = {next_.extra, sig.extras};
      next_.extra += sig.extras;
      for (uint32_t k = 0; k < sig.extras; ++k) {
        const uint64_t number = next_attr_.Decode(columns_[stream::kAttrs].Varint());
        if (number == 0 || number >= tables_.attrs().size()) return Fail("no such attribute");
        m_.extras[op.extra.first + k] = {signature_names_[sig.first_name + k], tables_.attrs()[number]};
      }
    }

    op.operands = {next_.operand, sig.operands};
    next_.operand += sig.operands;
    for (uint32_t k = 0; k < sig.operands; ++k) {
      const uint64_t code = columns_[stream::kOperands].Varint();
      const uint32_t place = op.operands.first + k;
      if (code == 0) {
        if (far_.size() == columns_[stream::kFar].left()) return Fail("too few far operands");
        far_.push_back(place);
      } else {
        if (code > scope_.size()) return Fail("no such value in scope");
        m_.operands[place] = ValueId(scope_[scope_.size() - code]);
      }
    }
    if (sig.successors) {
      op.successors = {next_.successor, sig.successors};
      next_.successor += sig.successors;
      for (uint32_t k = 0; k < sig.successors; ++k) {
        const uint64_t number = columns_[stream::kSuccessors].Varint();
        if (number == 0 || number > end_.block - begin_.block) return Fail("no such block");
        m_.successors[op.successors.first + k] = BlockId(uint32_t(begin_.block + number - 1));
      }
    }
    if (sig.regions) {
      op.regions = {next_.region_list, sig.regions};
      next_.region_list += sig.regions;
      for (uint32_t k = 0; k < sig.regions; ++k) {
        const uint32_t region = next_.region++;
        m_.region_lists[op.regions.first + k] = RegionId(region);
        m_.regions[region].parent = OpId(id);
      }
    }
    if (sig.outlined) {
      if (!in_program_) return Fail("a function body within a function body");
      functions_.push_back(OpId(id));
    } else if (sig.regions && !ReadRegions(m_.ops[id].regions, depth + 1)) {
      return false;
    }
    if (sig.results) {
      const uint32_t first = next_.value;
      if (sig.results > end_.value - first) return Fail("more values than the stream states");
      m_.ops[id].results = {first, sig.results};
      next_.value += sig.results;
      for (uint32_t k = 0; k < sig.results; ++k) {
        m_.values[first + k] = {signature_types_[sig.first_type + k], OpId(id), BlockId(), k, AttrId()};
        scope_.push_back(first + k);
      }
    } else {
      m_.ops[id].results = {next_.value, 0};
    }
  }
  return true;
}

bool ProgramReader::ReadRegions(Range regions, uint32_t depth) {
  if (depth > max_depth_) {
    too_deep_ = true;
    return false;
  }
  Cursor& structure = columns_[stream::kBlocks];
  for (uint32_t r = 0; r < regions.count; ++r) {
    const RegionId region = m_.region_lists[regions.first + r];
    const size_t scope = scope_.size();
    const uint64_t count = structure.Varint();
    if (count > end_.block - next_.block) return Fail("more blocks than the stream states");
    const uint32_t first = next_.block;
    next_.block += uint32_t(count);
    m_.regions[region.v].blocks = {next_.block_list, uint32_t(count)};
    for (uint32_t b = first; b < first + count; ++b) {
      m_.block_lists[next_.block_list++] = BlockId(b);
      m_.blocks[b].parent = region;
    }
    for (uint32_t b = first; b < first + count; ++b) {
      const uint64_t args = structure.Varint(), ops = structure.Varint();
      if (!structure.ok() || args > columns_[stream::kTypes].left() || ops > end_.op - next_.op ||
          args > end_.value - next_.value)
        return Fail("more block arguments or ops than the stream states");
      const uint32_t first_arg = next_.value;
      next_.value += uint32_t(args);
      m_.blocks[b].args = {first_arg, uint32_t(args)};
      for (uint32_t k = 0; k < args; ++k) {
        const uint64_t type = columns_[stream::kTypes].Varint();
        if (type == 0 || type >= tables_.types().size()) return Fail("no such type");
        m_.values[first_arg + k] = {tables_.types()[type], OpId(), BlockId(b), k, AttrId()};
        scope_.push_back(first_arg + k);
      }
      if (!ReadOps(uint32_t(ops), BlockId(b), depth)) return false;
    }
    scope_.resize(scope);
  }
  return true;
}

Result<StreamIn> ProgramReader::ReadProgram(const Content& content) {
  auto stream = Stream(content, "program", OpId(), 1, 1);
  if (!stream) return stream;
  m_.top = OpId(stream->first_op);
  const Op& top = m_.ops[m_.top.v];
  if (!m_.Is(top, kModuleRow) || top.regions.count != 1 || m_.BlocksOf(m_.RegionsOf(top)[0]).size() != 1)
    return Malformed("program", "the outermost op is not a module");
  return stream;
}

Result<StreamIn> ProgramReader::ReadBody(const Content& content, OpId function, uint64_t first_signature,
                                         uint64_t first_attr) {
  return Stream(content, "body of a function", function, first_signature, first_attr);
}

Result<bool> ProgramReader::ReadLocations(const Content& content, const StreamIn& stream,
                                          std::string_view name) {
  Cursor columns[2];
  if (!SplitColumns(content.bytes, {}, columns)) return Malformed(name, "columns do not fill the stream");
  int64_t last = 0;
  const char* error = nullptr;
  const auto next = [&](Cursor& column) -> AttrId {
    const uint64_t code = column.Varint();
    if (code == 0) return {};
    last = int64_t(uint64_t(last) + uint64_t(UnZigZag(code - 1)));
    if (last <= 0 || uint64_t(last) >= tables_.attrs().size() ||
        !IsLocation(m_.attrs.KindOf(tables_.attrs()[size_t(last)]))) {
      error = "not a location";
      last = 0;
      return {};
    }
    return tables_.attrs()[size_t(last)];
  };
  if (columns[0].left())
    for (uint32_t i = 0; i < stream.num_ops; ++i) m_.ops[stream.first_op + i].loc = next(columns[0]);
  last = 0;
  if (columns[1].left())
    for (uint32_t b = 0; b < stream.num_blocks; ++b) {
      const Range args = m_.blocks[stream.first_block + b].args;
      for (uint32_t i = 0; i < args.count; ++i) m_.values[args.first + i].loc = next(columns[1]);
    }
  if (error) return Malformed(name, error);
  if (!columns[0].done() || !columns[1].done())
    return Malformed(name, "locations and ops do not agree in number");
  return true;
}

}  // namespace shlo::format
