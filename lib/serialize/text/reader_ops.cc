// Ops: names, the generic form, regions and blocks, and the last step of every form, which resolves operands,
// assigns inherent attributes and names results.
#include <algorithm>
#include <utility>

#include "base/deadline.h"
#include "base/format.h"
#include "ir/module/cells.h"
#include "ir/module/mhlo_attrs.h"
#include "ir/nearest_names.h"
#include "ir/table/form.h"
#include "ir/table/ops.h"
#include "ir/table/trait.h"
#include "serialize/text/reader_impl.h"

namespace shlo::text {

Reader::Draft Reader::NewDraft() {
  Draft d;
  c_.Skip();
  d.name_at = c_.p;
  d.names = names_.size();
  d.uses = uses_.size();
  d.types = d.results = types_.size();
  d.attrs = attrs_.size();
  d.regions = regions_.size();
  d.successors = successors_.size();
  d.groups = groups_.size();
  d.stated = stated_.size();
  return d;
}

void Reader::Drop(const Draft& d) {
  // Unlike resize(), this has no code for growing.
  const auto shrink = [](auto& list, size_t size) { list.erase(list.begin() + ptrdiff_t(size), list.end()); };
  shrink(names_, d.names);
  shrink(uses_, d.uses);
  shrink(types_, d.types);
  shrink(attrs_, d.attrs);
  shrink(regions_, d.regions);
  shrink(successors_, d.successors);
  shrink(groups_, d.groups);
  shrink(stated_, d.stated);
}

bool Reader::ReadOp() {
  Tick();
  Draft d = NewDraft();
  bool ok = c_.Peek() != '%' || ReadResultNames();
  if (ok) {
    d.name_at = (c_.Skip(), c_.p);
    d.loc = LocationAt(d.name_at);
    ok = c_.Peek() == '"' ? ReadGenericOp(d) : ReadCustomOp(d);
  }
  // Define the results of a broken op, so that their uses do not cause more errors.
  if (!ok)
    for (size_t i = d.names; i < names_.size(); ++i)
      Define(names_[i].name, kPoisoned, names_[i].count, names_[i].at);
  Drop(d);
  return ok;
}

bool Reader::ReadResultNames() {
  do {
    ResultName result{0, 1, nullptr};
    if (!ReadValueName(&result.name, &result.at)) return false;
    if (c_.Peek() == ':') {
      ++c_.p;
      int64_t count;
      const char* at = c_.p;
      if (!Is(c_.Peek(), kDigitChar)) return FailExpected("integer number of results");
      if (!ReadInt64(&count)) return false;
      if (count < 1 || count >= INT32_MAX)
        return Fail(at, "expected named operation to have at least 1 result");
      result.count = uint32_t(count);
    }
    names_.push_back(result);
  } while (c_.Eat(','));
  return Expect('=', "after the names of the results");
}

OpName* Reader::FindName(std::string_view name, const char* at) {
  auto& cached = op_name_cache_[name];
  if (cached.Is(name)) return cached.value;
  const uint64_t hash = HashKey(name);
  if (uint32_t id =
          op_name_index_.Find(hash, [&](uint32_t i) { return SameText(op_names_[i - 1].name, name); })) {
    OpName& known = op_names_[id - 1];
    cached.Set(known.name, &known);
    return &known;
  }
  OpName info;
  info.name = name;
  // The name in the dialect's present name.
  const std::string_view dialect = name.substr(0, name.find('.'));
  const std::string now = std::string(mhlo::DialectNow(dialect)).append(name.substr(dialect.size()));
  info.first_use = at;
  info.since = kMinimumVersion;
  info.until = kCurrentVersion;
  if (name.starts_with("vhlo.")) {
    info.vhlo = true;
    info.revision = FindVhlo(name);
    if (!info.revision) {
      FailUnknownVhlo(at, "unknown VHLO op '" + std::string(name) + "'", name,
                      [](std::string_view other) { return bool(FindVhlo(other)); });
      return nullptr;
    }
    info.row = RevisionOf(info.revision).row;
    info.since = RevisionOf(info.revision).since;
    info.until = std::min(RevisionOf(info.revision).until, kCurrentVersion);
  } else if ((info.mhlo = mhlo::FindOpRow(now)) && info.mhlo->fate == mhlo::Fate::kStablehlo) {
    info.row = info.mhlo->row;
  } else if ((info.row = FindOp(now))) {
    // builtin.func, before the dialect func
    info.old = RowOf(info.row).dialect == "chlo" || dialect == "builtin";
  } else if (dialect == "stablehlo") {
    Fail(at,
         StrFormat(
             "unregistered operation '{}' found in dialect ('{}') that does not allow unknown operations",
             name, name.substr(0, name.find('.'))),
         DidYouMean(NearestOp(name), "no version has this op"));
    return nullptr;
  } else if (mhlo::IsRefused(dialect)) {
    Fail(at, StrFormat("ops of '{}' work on buffers, and have no counterpart in StableHLO", dialect),
         "export the program before XLA assigns buffers", Code::kUnsupported);
    return nullptr;
  } else {
    info.string = m_.strings.Intern(now);
  }
  if (info.row && !info.vhlo) {
    info.revision = NewestRevision(info.row);
    info.since = OpRevisions()[RowOf(info.row).first_revision].since;
    info.until = std::min(RevisionOf(info.revision).until, kCurrentVersion);
  }
  info.old = info.old || info.mhlo;
  info.shape = info.revision ? info.revision : FindOtherOp(now);
  if (info.shape && !(info.mhlo && info.mhlo->form == mhlo::Form::kGeneric))
    info.form = RowOf(info.shape).form;
  // A copy: a name completed with its dialect is a temporary, and pages of the text are given back.
  info.name = unescaped_.emplace_back(name);
  op_names_.push_back(info);
  op_name_index_.Insert(hash, uint32_t(op_names_.size()));
  cached.Set(op_names_.back().name, &op_names_.back());
  return &op_names_.back();
}

RevisionId Reader::RevisionFor(const OpName& name) const {
  const RowId row = name.row;
  if (row != ops::kFuncReturn && row != ops::kReturn) return name.revision;
  // VHLO ends functions and other regions with the same op, and so do older texts.
  const Context& context = contexts_.back();
  if (name.vhlo) return NewestRevision(context.function ? ops::kFuncReturn : ops::kReturn);
  if (row == ops::kReturn && context.old_function) return NewestRevision(ops::kFuncReturn);
  return name.revision;
}

bool Reader::ReadUses() {
  if (c_.Peek() != '%') return true;
  do {
    Use use;
    if (!ReadUse(&use)) return false;
    uses_.push_back(use);
  } while (c_.Eat(','));
  return true;
}

bool Reader::ReadSuccessors() {
  do {
    c_.Skip();
    const char* at = c_.p;
    if (!c_.Eat('^')) return FailExpected("a block label, such as ^bb1");
    const std::string_view label = c_.Name();
    if (label.empty()) return Fail(at, "a block label needs a name after '^'");
    successors_.push_back(LabelFor(label, at).block);
  } while (c_.Eat(','));
  return Expect(']', "after the successors");
}

bool Reader::ReadGenericOp(Draft& d) {
  std::string_view name;
  if (!ReadString(&name)) return false;
  if (name.empty()) return Fail(d.name_at, "the op has no name");
  if (!(d.name = FindName(name, d.name_at))) return false;
  d.revision = RevisionFor(*d.name);
  d.shape = d.revision ? d.revision : d.name->shape;
  if (!Expect('(', "before the operands") || !ReadUses() || !Expect(')', "after the operands")) return false;
  if (c_.Eat('[') && !ReadSuccessors()) return false;
  if (c_.Eat('<') && (!ReadAttrDict() || !Expect('>', "after the properties"))) return false;
  const size_t uses = uses_.size();
  const bool passes = d.name->mhlo && uses > d.uses + 1 && mhlo::PassesOperands(*d.name->mhlo);
  if (c_.Eat('(')) {
    do {
      const size_t operand = d.uses + 1 + (regions_.size() - d.regions);
      if (passes && operand < uses) passed_ = uses_[operand];
      if (!AddRegion(d)) return false;
    } while (c_.Eat(','));
    if (!Expect(')', "after the regions")) return false;
  }
  if (!ReadOptionalAttrDict()) return false;
  if (!Expect(':', "before the type of the op") || !ReadFunctionalType(d) || !ReadOptionalLoc(&d.loc))
    return false;
  if (passes && uses - d.uses == d.results - d.types) {
    const auto types = types_.begin() + ptrdiff_t(d.types);
    types_.erase(types + 1, types + ptrdiff_t(uses - d.uses));
    uses_.erase(uses_.begin() + ptrdiff_t(d.uses) + 1, uses_.end());
    d.results = d.types + 1;
  }
  return Finish(d);
}

bool Reader::ReadFunctionalType(Draft& d) {
  BeginTypes(d);
  d.types = types_.size();
  if (!ReadList('(', "before the types of the operands", ')', "after the types of the operands",
                [&] { return ReadType(&types_.emplace_back()); }) ||
      !ExpectArrow())
    return false;
  d.results = types_.size();
  if (c_.Peek() != '(') return ReadType(&types_.emplace_back());
  std::vector<TypeId> results;
  if (!ReadTypeOrList(&results)) return false;
  types_.insert(types_.end(), results.begin(), results.end());
  return true;
}

// --- Regions ----------------------------------------------------------------------------------------

bool Reader::AddRegion(const Draft& d, std::span<const BlockArg> args, bool has_args) {
  ImpliedEnd end;
  if (d.shape && *d.name_at != '"') {
    const OpRow& info = RowOf(d.shape);
    if (OmitsEnd(info.form) || info.form == Form::kParallel)
      end = {FindName(RowOf(info.terminator).name, d.name_at), d.name_at};
  }
  if (!Expect('{', "before a region")) return false;
  Nest nest(this);
  if (!nest) return false;
  const RegionId region = builder_.NewRegion();
  Context context;
  bool isolated = false;
  if (d.shape) {
    const RowId row = RevisionOf(d.shape).row;
    const OpRow& info = RowOf(row);
    isolated = info.Has(Trait::kIsolated);
    context.module = info.form == Form::kModule;
    if (info.Has(Trait::kFunction)) {
      context.function = row;
      context.dialect = info.dialect;
      context.old_function = d.name->name == "stablehlo.func";
    }
  }
  const Scope scope = EnterScope(isolated);
  const RegionId outer = region_;
  const size_t first_label = labels_.size();
  region_ = region;
  contexts_.push_back(context);
  bool ok = ReadRegionBody(region, args, has_args, end);
  if (ok) ok = CheckLabels(first_label);
  contexts_.pop_back();
  region_ = outer;
  LeaveScope(scope);
  builder_.EndRegion(region);
  regions_.push_back(region);
  return ok && !stop_ && Expect('}', "at the end of a region");
}

// Makes the name of a region's argument a name of the operand.
bool Reader::PassOperand(const Use& operand, const BlockArg& arg) {
  ValueId value;
  if (!Resolve(operand, arg.type, &value)) return false;
  if (!value) return Fail(operand.at, "the operand of a region must be defined before it");
  return Define(arg.name, value.v, 1, arg.at);
}

bool Reader::ReadRegionBody(RegionId region, std::span<const BlockArg> args, bool has_args,
                            const ImpliedEnd& end) {
  const std::optional<Use> passed = std::exchange(passed_, std::nullopt);
  bool entry = true;
  const char next = c_.Peek();
  if ((has_args && !(args.empty() && next == '^')) ||
      (!has_args && next != '^' && (next != '}' || end.name))) {
    const BlockId block = builder_.NewBlock();
    builder_.BeginBlock(region, block);
    const bool ok = AddBlockArgs(block, args, /*of_entry=*/true);
    ReadOps(false);
    if (end.name && c_.Peek() == '}') AddEnd(end);
    builder_.EndBlock();
    if (!ok) return false;
  }
  while (!stop_ && c_.Peek() == '^') {
    BlockId block;
    if (!ReadBlockLabel(&block)) return false;
    builder_.BeginBlock(region, block);
    std::vector<BlockArg> block_args;
    bool ok = ReadBlockArgs(&block_args);
    const bool passes = std::exchange(entry, false) && passed && block_args.size() == 1;
    ok = ok &&
         (passes ? PassOperand(*passed, block_args[0])
                 : AddBlockArgs(block, block_args, /*of_entry=*/false)) &&
         Expect(':', "after a block label");
    if (ok) ReadOps(false);
    builder_.EndBlock();
    if (!ok) return false;
  }
  return true;
}

// Adds the last op of the open block, unless it has one.
void Reader::AddEnd(const ImpliedEnd& end) {
  if (const OpId last = builder_.LastOp()) {
    const Op& op = m_.ops[last.v];
    const RevisionId shape = ShapeOf(m_, op);
    if (!shape || RowOf(shape).Has(Trait::kTerminator)) return;
  }
  OpSpec spec;
  spec.revision = end.name->revision;
  if (!spec.revision) spec.name = end.name->string;
  RegionId region;
  if (!RevisionOf(end.name->shape).regions.empty()) {
    region = builder_.NewRegion();
    builder_.BeginBlock(region, builder_.NewBlock());
    builder_.EndBlock();
    builder_.EndRegion(region);
    spec.regions = {&region, 1};
  }
  spec.loc = LocationAt(end.at);
  end.name->used = true;
  builder_.AddOp(spec);
  places_.AddOps(m_.ops.size(), OffsetAt(end.at));
}

bool Reader::ReadBlockLabel(BlockId* block) {
  const char* at = c_.p++;
  const std::string_view name = c_.Name();
  if (name.empty()) return Fail(at, "a block label needs a name after '^'");
  Label& label = LabelFor(name, at);
  if (label.defined) return Fail(at, StrFormat("redefinition of block '^{}'", label.name));
  label.defined = true;
  *block = label.block;
  return true;
}

bool Reader::ReadBlockArgs(std::vector<BlockArg>* args) {
  if (c_.Peek() != '(') return true;
  return ReadList('(', "", ')', "after the block arguments", [&] {
    BlockArg& arg = args->emplace_back();
    if (!ReadValueName(&arg.name, &arg.at) || !Expect(':', "before the type of a block argument"))
      return false;
    arg.type_at = (c_.Skip(), c_.p);
    return ReadType(&arg.type) && ReadOptionalLoc(&arg.loc);
  });
}

bool Reader::AddBlockArgs(BlockId block, std::span<const BlockArg> args, bool of_entry) {
  bool ok = true;
  for (const BlockArg& arg : args) {
    const ValueId value = builder_.AddBlockArg(block, arg.type, arg.loc ? arg.loc : LocationAt(arg.at));
    if (source_ && arg.type_at) places_.AddArg(value, OffsetAt(arg.type_at));
    ok &= Define(arg.name, value.v, 1, arg.at, of_entry);
  }
  return ok;
}

// --- The end of every form --------------------------------------------------------------------------

bool Reader::Finish(Draft& d) {
  d.revision = RevisionFor(*d.name);
  d.shape = d.revision ? d.revision : d.name->shape;
  d.name->used = true;
  const size_t num_operands = uses_.size() - d.uses;
  if (num_operands != d.results - d.types)
    return Fail(d.name_at, (*d.name_at == '"' ? "" : "custom op '" + std::string(d.name->name) + "' ") +
                               "number of operands and types do not match: got " +
                               std::to_string(num_operands) + " operands and " +
                               std::to_string(d.results - d.types) + " types");
  values_.resize(num_operands);
  unresolved_.clear();
  bool ok = true;
  for (size_t i = 0; i < num_operands; ++i) {
    ok &= Resolve(uses_[d.uses + i], types_[d.types + i], &values_[i]);
    if (!values_[i]) unresolved_.push_back(uint32_t(i));
  }
  const size_t num_results = types_.size() - d.results;
  if (names_.size() > d.names) {
    size_t named = 0;
    for (size_t i = d.names; i < names_.size(); ++i) named += names_[i].count;
    if (named != num_results)
      return Fail(names_[d.names].at, "operation defines " + std::to_string(num_results) +
                                          " results but was provided " + std::to_string(named) + " to bind");
  }
  ok &= PlaceAttrs(d);
  if (!ok) return false;
  // A cast between the two spellings of a type, which are the same in memory.
  if (d.revision && RevisionOf(d.revision).row == ops::kCast && num_operands == 1 && num_results == 1 &&
      unresolved_.empty() && types_[d.types] == types_[d.results] && d.names < names_.size() &&
      std::string_view(d.name_at, size_t(c_.p - d.name_at)).find("!vhlo.") != std::string_view::npos)
    return Define(names_[d.names].name, values_[0].v, 1, names_[d.names].at);

  OpSpec spec;
  spec.revision = d.revision;
  if (!d.revision) spec.name = d.name->string;
  spec.operands = values_;
  spec.operand_types = std::span<const TypeId>(types_).subspan(d.types, num_operands);
  spec.results = std::span<const TypeId>(types_).subspan(d.results);
  spec.inherent_attrs = inherent_attrs_;
  spec.discardable_attrs = discardable_attrs_;
  spec.regions = std::span<const RegionId>(regions_).subspan(d.regions);
  spec.successors = std::span<const BlockId>(successors_).subspan(d.successors);
  spec.loc = d.loc;
  const OpId id = builder_.AddOp(spec);
  places_.AddOps(m_.ops.size(), OffsetAt(d.name_at), d.types_at ? OffsetAt(d.types_at) : SourcePlaces::kNone);
  if (source_ && attrs_.size() > d.attrs) NotePlaces(d, id);
  const Op& op = m_.ops[id.v];
  for (uint32_t i : unresolved_) NoteForward(uses_[d.uses + i], types_[d.types + i], op.first_operand + i);
  uint32_t value = op.first_result;
  for (size_t i = d.names; i < names_.size(); ++i) {
    ok &= Define(names_[i].name, value, names_[i].count, names_[i].at);
    value += names_[i].count;
  }
  return ok;
}

// Records the places of an op's attributes. The generic form is read as one piece: its dictionaries have no
// place.
void Reader::NotePlaces(const Draft& d, OpId op) {
  const bool generic = *d.name_at == '"';
  for (size_t i = d.attrs; i < attrs_.size(); ++i) {
    const ParsedAttr& attr = attrs_[i];
    const auto where = reinterpret_cast<uintptr_t>(attr.name.data());
    KnownName& known = name_ids_[(where ^ where >> 6) % name_ids_.size()];
    if (known.name.data() != attr.name.data() || known.name.size() != attr.name.size())
      known = {attr.name, places_.NameId(attr.name)};
    places_.AddAttr(op, known.id, OffsetAt(attr.at),
                    generic || !attr.dictionary ? SourcePlaces::kNone : OffsetAt(attr.dictionary));
  }
}

bool Reader::PlaceAttrs(const Draft& d) {
  const OpRevision& revision = RevisionOf(d.revision);
  inherent_attrs_.clear();
  discardable_attrs_.clear();
  if (revision.attrs.empty() && attrs_.size() == d.attrs && !RevisionOf(d.shape).fills) return true;
  inherent_attrs_.resize(revision.attrs.size());
  for (size_t i = d.attrs; i < attrs_.size(); ++i) {
    ParsedAttr attr = attrs_[i];
    if (d.revision) {
      if (d.name->old) attr.value = FromMhlo(m_, d.revision, &attr.name, attr.value);
      if (d.name->mhlo && MeansNothing(m_, *d.name->mhlo, attr.name, attr.value)) continue;
      if (const int slot = revision.FindSlot(attr.name); slot >= 0 && !InStructAttr(d, revision, attr.name)) {
        if (!PlaceInherentAttr(revision, slot, attr.value, attr.at)) return false;
        continue;
      }
      const Cell* struct_attr = nullptr;
      if (!d.name->vhlo)
        for (const Cell& cell : revision.struct_attrs)
          if (cell.name == attr.name) struct_attr = &cell;
      if (struct_attr && m_.attrs.KindOf(attr.value) == struct_attr->attr_kind()) {
        if (!PlaceStructAttr(*struct_attr, revision, attr.value, attr.at)) return false;
        continue;
      }
      if (attr.name == "stablehlo.compat_version") {
        const bool module = RowOf(d.revision).form == Form::kModule;
        if (module || RowOf(d.revision).Has(Trait::kFunction)) NoteWrittenVersion(attr.value, attr.at);
        if (module) continue;  // Module::version has it
      }
    }
    discardable_attrs_.push_back({m_.strings.Intern(attr.name), attr.value});
  }
  if (d.name->mhlo && !d.name->mhlo->attr.empty())
    if (AttrId& implied = inherent_attrs_[size_t(revision.FindSlot(d.name->mhlo->attr))]; !implied) {
      std::string_view name = d.name->mhlo->attr;
      implied = FromMhlo(m_, d.revision, &name, m_.String(d.name->mhlo->value));
    }
  if (revision.fills && !d.name->vhlo) {
    for (size_t i = 0; i < inherent_attrs_.size(); ++i)
      if (!inherent_attrs_[i] && revision.attrs[i].filled())
        inherent_attrs_[i] = m_.DefaultOf(revision, inherent_attrs_, int(i));
  }
  if (!d.revision && RevisionOf(d.shape).fills) {
    const OpRevision& shape = RevisionOf(d.shape);
    for (size_t i = 0; i < shape.attrs.size(); ++i)
      if (shape.attrs[i].filled() &&
          std::none_of(attrs_.begin() + ptrdiff_t(d.attrs), attrs_.end(),
                       [&](const ParsedAttr& attr) { return attr.name == shape.attrs[i].name; }))
        discardable_attrs_.push_back(
            {m_.strings.Intern(shape.attrs[i].name), m_.DefaultOf(shape, {}, int(i))});
  }
  // As the bytecode reader does, so that both formats of a VHLO program give the same module.
  if (d.revision && d.name->vhlo) m_.DropWrittenDefaults(d.revision, inherent_attrs_);
  // Names must be unique. Sorting keeps the check cheap for long lists.
  if (discardable_attrs_.size() > 1) {
    std::sort(discardable_attrs_.begin(), discardable_attrs_.end(),
              [](const NamedAttr& a, const NamedAttr& b) { return a.name < b.name; });
    for (size_t i = 1; i < discardable_attrs_.size(); ++i)
      if (discardable_attrs_[i].name == discardable_attrs_[i - 1].name)
        return Fail(d.name_at, StrFormat("duplicate key '{}' in dictionary attribute",
                                         m_.strings[discardable_attrs_[i].name]));
  }
  return true;
}

// Returns whether an attribute has the name of a field of a struct attribute of the op. Then it is
// discardable, because the struct attribute has the field.
bool Reader::InStructAttr(const Draft& d, const OpRevision& revision, std::string_view name) const {
  if (d.name->vhlo) return false;
  for (const Cell& struct_attr : revision.struct_attrs)
    for (const FieldRow& field : RowOf(struct_attr.attr_kind()).fields())
      if (field.name == name)
        for (size_t i = d.attrs; i < attrs_.size(); ++i)
          if (attrs_[i].name == struct_attr.name) return true;
  return false;
}

bool Reader::PlaceInherentAttr(const OpRevision& revision, int slot, AttrId value, const char* at) {
  if (inherent_attrs_[size_t(slot)])
    return Fail(at,
                StrFormat("duplicate key '{}' in dictionary attribute", revision.attrs[size_t(slot)].name));
  inherent_attrs_[size_t(slot)] = m_.NormalizeInherentAttr(revision.attrs[size_t(slot)], value);
  return true;
}

// In memory the fields of a struct attribute are inherent attributes of the op.
bool Reader::PlaceStructAttr(const Cell& struct_attr, const OpRevision& revision, AttrId value,
                             const char* at) {
  std::vector<Module::SlotValue> values;
  m_.ExpandStructAttr(struct_attr, revision, value, &values);
  for (const Module::SlotValue& v : values)
    if (!PlaceInherentAttr(revision, v.slot, v.value, at)) return false;
  return true;
}

}  // namespace shlo::text
