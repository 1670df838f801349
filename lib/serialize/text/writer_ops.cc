// Ops, blocks and regions: the generic form.
#include "serialize/text/writer_ops.h"

namespace shlo::text {

namespace {
constexpr Version kProperties{47};  // first version whose text has <{...}>
constexpr size_t kMaxDepth = 2000;  // nesting of regions; more than any reader accepts
}  // namespace

OpPrinter::OpPrinter(const Module& scratch, const TextWriteOptions& options, bool generic, std::string* out)
    : m_(scratch),
      options_(options),
      generic_(generic),
      properties_(options.properties || scratch.version >= kProperties),
      out_(*out),
      attrs_(scratch, options.elide_elements, options.trace ? &options.trace : nullptr, out),
      names_(scratch, !generic && options.spelling == Spelling::kStablehlo) {
  bool function_states = false;
  const StringId key = scratch.strings.Find(kCompatVersion);
  if (key)
    for (const Op& op : scratch.ops)
      if (op.revision && RowOf(op.revision).Has(Trait::kFunction))
        for (const NamedAttr& discardable : scratch.DiscardableAttrsOf(op))
          function_states |= discardable.name == key;
  version_on_module_ =
      !function_states && scratch.version.valid() &&
      (scratch.version != kCurrentVersion || (options.source && options.source->version_written));
}

void OpPrinter::Program() {
  attrs_.AliasDefinitions(/*deferred=*/false);
  PrintTop();
  attrs_.AliasDefinitions(/*deferred=*/true);
}

void OpPrinter::PrintTop() {
  const Op& top = m_.ops[m_.top.v];
  bool wrap = !(options_.source && options_.source->implicit_module) || version_on_module_ || options_.wrap ||
              (options_.locations && top.loc) || m_.RegionsOf(top).size() != 1 ||
              !m_.Is(top, OpNamed("builtin.module"));
  if (!wrap) {
    for (AttrId slot : m_.InherentAttrsOf(top)) wrap |= bool(slot);
    for (const NamedAttr& discardable : m_.DiscardableAttrsOf(top))
      wrap |= m_.strings[discardable.name] != kCompatVersion;
    wrap |= m_.BlocksOf(m_.RegionsOf(top)[0]).size() != 1;
  }
  if (!wrap) {
    // An empty text is no program, and a module alone would be read as the program.
    const BlockId body = m_.BlocksOf(m_.RegionsOf(top)[0])[0];
    const auto ops = m_.OpsOf(body);
    wrap = m_.blocks[body.v].args.count != 0 || ops.empty() ||
           (ops.size() == 1 && m_.Is(m_.ops[ops[0].v], OpNamed("builtin.module")));
  }
  if (options_.as_reference && generic_) names_.NameAll(top);
  if (wrap) {
    PrintOp(top, false);
    Put('\n');
    return;
  }
  const RegionId body = m_.RegionsOf(top)[0];
  scope_ = names_.NameRegion(body, scope_);
  for (OpId op : m_.OpsOf(m_.BlocksOf(body)[0])) {
    PrintOp(m_.ops[op.v], false);
    Put('\n');
  }
}

Spelling OpPrinter::SpellingOf(const Op& op) const {
  const bool vhlo = options_.spelling == Spelling::kVhlo && op.revision && !VhloName(op.revision).empty();
  return vhlo ? Spelling::kVhlo : Spelling::kStablehlo;
}

std::string_view OpPrinter::NameOf(const Op& op) const {
  return SpellingOf(op) == Spelling::kVhlo ? VhloName(op.revision) : m_.NameOf(op);
}

void OpPrinter::PrintOp(const Op& op, bool in_func) {
  if (attrs_.failed()) return;
  if (attrs_.collecting()) {
    out_.clear();
    if (options_.locations && op.loc) aliases_->Visit(op.loc, /*deferrable=*/true);
  }
  names_.PutResults(out_, op);
  if (generic_ || !op.revision || !CustomForm(op, in_func)) GenericOp(op);
  TrailingLocation(op.loc, /*of_argument=*/false);
}

void OpPrinter::TrailingLocation(AttrId loc, bool of_argument) {
  if (!options_.locations || !loc) return;
  if (attrs_.collecting()) {
    // An op was visited before its contents.
    if (of_argument) aliases_->Visit(loc, /*deferrable=*/false);
    return;
  }
  Put(" loc(");
  attrs_.Location(loc, /*in_full=*/of_argument);
  Put(')');
}

void OpPrinter::Operands(std::span<const ValueId> operands) {
  for (size_t i = 0; i < operands.size(); ++i) {
    if (i) Put(", ");
    names_.PutUse(out_, operands[i]);
  }
}

// Between dialects a value has the spelling of what defines it; elsewhere that is the one of the op as well.
void OpPrinter::TypeOf(ValueId value, Spelling spelling) {
  if (vhlo_values_) spelling = (*vhlo_values_)[value.v] ? Spelling::kVhlo : Spelling::kStablehlo;
  attrs_.Type(m_.TypeOf(value), spelling);
}

void OpPrinter::TypesOf(std::span<const ValueId> values, Spelling spelling) {
  for (size_t i = 0; i < values.size(); ++i) {
    if (i) Put(", ");
    TypeOf(values[i], spelling);
  }
}

void OpPrinter::ResultTypes(const Op& op, Spelling spelling) {
  const uint32_t count = op.results.count;
  const bool bare =
      count == 1 && m_.types.KindOf(m_.TypeOf(ValueId(op.results.first))) != TypeKind::kFunction;
  if (!bare) Put('(');
  for (uint32_t i = 0; i < count; ++i) {
    if (i) Put(", ");
    TypeOf(m_.ResultOf(op, i), spelling);
  }
  if (!bare) Put(')');
}

void OpPrinter::FunctionalType(const Op& op, Spelling spelling) {
  Put('(');
  TypesOf(m_.OperandsOf(op), spelling);
  Put(") -> ");
  ResultTypes(op, spelling);
}

void OpPrinter::GenericOp(const Op& op) {
  Put('"');
  // Names of unknown ops may hold anything.
  if (op.revision)
    Put(NameOf(op));
  else
    PutEscaped(out_, NameOf(op));
  Put('"');
  GenericTail(op);
}

// Everything after the name.
void OpPrinter::GenericTail(const Op& op) {
  const Spelling spelling = SpellingOf(op);
  Put('(');
  Operands(m_.OperandsOf(op));
  Put(')');
  if (const auto successors = m_.SuccessorsOf(op); !successors.empty()) {
    Put('[');
    for (size_t i = 0; i < successors.size(); ++i) {
      if (i) Put(", ");
      names_.PutBlock(out_, successors[i]);
    }
    Put(']');
  }
  Borrowed own(*this);
  if (op.revision) {
    CollectInherentAttrs(op, spelling, *own);
    CollectDiscardableAttrs(op, /*properties=*/true, *own);
  }
  Borrowed others(*this);
  CollectDiscardableAttrs(op, /*properties=*/false, *others);
  if (m_.Is(op, OpNamed("builtin.module")) && version_on_module_ && &op == &m_.ops[m_.top.v])
    others->push_back({Item::kVersion, kCompatVersion, {}, nullptr});
  if (properties_) {
    if (!own->empty()) PutItems(op, *own, spelling, " <{", "}>");
  } else {
    others->insert(others->end(), own->begin(), own->end());
  }
  if (const auto regions = m_.RegionsOf(op); !regions.empty()) {
    Put(" (");
    for (size_t i = 0; i < regions.size(); ++i) {
      if (i) Put(", ");
      PrintRegion(regions[i], /*entry_arguments=*/true, /*print_empty_header=*/true,
                  /*in_func=*/m_.Is(op, OpNamed("func.func")));
    }
    Put(')');
  }
  PutAttrDict(op, *others, spelling);
  Put(" : ");
  FunctionalType(op, spelling);
}

void OpPrinter::BlockArgument(ValueId value, Spelling spelling) {
  names_.PutUse(out_, value);
  Put(": ");
  attrs_.Type(m_.TypeOf(value), spelling);
  TrailingLocation(m_.values[value.v].loc, /*of_argument=*/true);
}

// A comment that says which blocks lead to a block other than the first.
void OpPrinter::Predecessors(BlockId block) {
  const auto blocks = m_.BlocksOf(m_.blocks[block.v].parent);
  if (blocks.size() < 2 || blocks.size() > 1000 || blocks[0] == block) return;
  std::vector<BlockId> from;
  for (BlockId other : blocks) {
    const auto ops = m_.OpsOf(other);
    if (ops.empty()) continue;
    for (BlockId to : m_.SuccessorsOf(m_.ops[ops.back().v]))
      if (to == block) from.push_back(other);
  }
  Put("  // ");
  if (from.empty()) return Put("no predecessors");
  if (from.size() > 1) {
    PutUnsigned(out_, from.size());
    Put(" preds: ");
  } else {
    Put("pred: ");
  }
  for (size_t i = 0; i < from.size(); ++i) {
    if (i) Put(", ");
    names_.PutBlock(out_, from[i]);
  }
}

void OpPrinter::PrintBlock(BlockId block, bool header, bool in_func) {
  const Range args = m_.blocks[block.v].args;
  if (header) {
    Indent();
    names_.PutBlock(out_, block);
    if (args.count) {
      const RegionId region = m_.blocks[block.v].parent;
      const Spelling spelling = SpellingOf(m_.ops[m_.regions[region.v].parent.v]);
      Put('(');
      for (uint32_t i = 0; i < args.count; ++i) {
        if (i) Put(", ");
        BlockArgument(ValueId(args.first + i), spelling);
      }
      Put(')');
    }
    Put(':');
    Predecessors(block);
    Put('\n');
  }
  indent_ += 2;
  for (OpId op : m_.OpsOf(block)) {
    Indent();
    PrintOp(m_.ops[op.v], in_func);
    Put('\n');
  }
  indent_ -= 2;
}

void OpPrinter::PrintRegion(RegionId region, bool entry_arguments, bool print_empty_header, bool in_func) {
  if (++depth_ > kMaxDepth) attrs_.Fail();
  if (attrs_.failed()) return;
  const ValueNames::Scope outside = scope_;
  scope_ = names_.NameRegion(region, outside);
  const auto blocks = m_.BlocksOf(region);
  Put("{\n");
  for (size_t i = 0; i < blocks.size(); ++i) {
    const Block& block = m_.blocks[blocks[i].v];
    const bool header =
        i > 0 || (entry_arguments && block.args.count != 0) || (print_empty_header && block.ops.count == 0);
    PrintBlock(blocks[i], header, in_func);
  }
  Indent();
  Put('}');
  names_.Leave(outside);
  scope_ = outside;
  --depth_;
}

}  // namespace shlo::text
