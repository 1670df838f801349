#include "shlo/verify.h"

#include <algorithm>
#include <atomic>
#include <optional>
#include <unordered_map>
#include <utility>

#include "base/deadline.h"
#include "base/format.h"
#include "base/guarded.h"
#include "base/printable.h"
#include "base/stack.h"
#include "base/workers.h"
#include "ir/module/cells.h"
#include "ir/module/limits.h"
#include "ir/module/op_nodes.h"
#include "ir/table/attr_class.h"
#include "ir/table/form.h"
#include "ir/table/ops.h"
#include "ir/table/rule.h"
#include "ir/table/trait.h"
#include "ir/verify/dominance.h"
#include "ir/verify/row_checks.h"
#include "ir/verify/rules/rules.h"
#include "ir/verify/shardings.h"
#include "ir/verify/type_class.h"
#include "ir/verify/type_invariants.h"
#include "shlo/print.h"

namespace shlo {
namespace {

constexpr uint32_t kUndefined = 0;
constexpr uint32_t kOutOfScope = ~0u;

// The verdict on a violated constraint of the specification. Measured with jaxlib 0.4.13 and 0.12.0: the
// reference refuses what we report, from its first releases on.
Severity SeverityOfConstraints(Strictness strictness, Version version) {
  if (strictness == Strictness::kLenient) return Severity::kWarning;
  const VersionRow* row = FindVersion(version);
  const bool prototype = row && row->release.empty();
  return strictness == Strictness::kReference && prototype ? Severity::kWarning : Severity::kError;
}

// The constraints of MLIR's dialects are part of MLIR's rules.
bool IsOfMlir(std::string_view dialect) {
  constexpr std::string_view kOthers[] = {"stablehlo", "chlo", "check", "interpreter"};
  return std::ranges::find(kOthers, dialect) == std::end(kOthers);
}

class Verifier final : OpCheck::Sink {
 public:
  Verifier(const Module& m, const VerifyOptions& options)
      : m_(m),
        options_(options),
        constraint_(SeverityOfConstraints(options.strictness, m.version)),
        classes_(m),
        invariants_(m),
        check_(m, *this, inferred_),
        clean_(m.signatures.size()),
        shardings_(m, [this](std::string_view name) { return FindSymbol(name); }),
        stamp_(m.values.size(), kUndefined) {
    if (!AllNodesIn(m, m.version)) nodes_.emplace(m);
  }

  // Returns whether ops directly in the top module whose ids are in a range have findings. Before the first
  // range, Begin.
  bool FindsAny(uint32_t from, uint32_t to) {
    from_ = from;
    to_ = to;
    CheckOp(m_.top, 0);
    return !findings_.empty() || !of_references_.empty();
  }
  // Returns whether the symbols of the top module are unique.
  bool Begin() {
    CollectSymbols(m_.top);
    return findings_.empty();
  }

  Diagnostics Run() {
    if (!m_.top || m_.top.v >= m_.ops.size()) {
      findings_.push_back(
          {Severity::kError, Code::kInvalidProgram, {}, "", {}, "module has no top-level op", ""});
      return std::move(findings_);
    }
    CollectSymbols(m_.top);
    CheckOp(m_.top, 0);
    if (findings_.empty()) findings_ = std::move(of_references_);
    if (dropped_) {
      findings_.push_back({Severity::kNote,
                           Code::kInvalidProgram,
                           {},
                           "",
                           {},
                           StrFormat("{} not shown", Count(dropped_, "more diagnostic")),
                           ""});
    }
    return std::move(findings_);
  }

 private:
  void Report(OpId id, Severity severity, Code code, std::string message, std::string hint = {},
              const OpCheck::About& about = {}) {
    ++num_reported_;
    if (options_.reported) options_.reported->push_back(id);
    Diagnostics* findings = &findings_;
    if (options_.first_of_function) {
      if (first_of_function_ && first_of_function_ != id) return;
      if (about.reference)
        findings = &of_references_;
      else
        first_of_function_ = id;
    }
    if (findings_.size() >= options_.max_diagnostics) {
      ++dropped_;
      return;
    }
    const auto part = about.dictionary ? SourcePlaces::Part::kDictionary : SourcePlaces::Part::kAttr;
    Place place = about.attribute.empty() ? PlaceOf(m_, id, options_.source)
                                          : PlaceOfAttr(m_, id, about.attribute, options_.source, part);
    findings->push_back({severity, code, std::move(place), std::string(m_.NameOf(m_.ops[id.v])), m_.version,
                         std::move(message), std::move(hint)});
  }
  // Reports a message that begins "'func.return' op ", as MLIR's emitOpError.
  void InvalidOp(OpId id, std::string_view message) {
    Invalid(id, StrFormat("'{}' op {}", m_.NameOf(m_.ops[id.v]), message));
  }

  // --- Services for rules -------------------------------------------------------------------------
  void Constraint(OpId id, std::string message, std::string hint, const OpCheck::About& about) override {
    const bool of_mlir = IsOfMlir(RowOf(m_.RevisionIdOf(m_.ops[id.v])).dialect);
    Report(id, of_mlir ? Severity::kError : constraint_, of_mlir ? Code::kInvalidProgram : Code::kConstraint,
           std::move(message), std::move(hint), about);
  }
  void Beyond(OpId id, std::string message, std::string hint) override {
    if (options_.as_reference) return;
    const Severity severity =
        options_.strictness == Strictness::kStrict ? Severity::kError : Severity::kWarning;
    Report(id, severity, Code::kConstraint, std::move(message), std::move(hint));
  }
  void Note(OpId id, std::string message, std::string hint) override {
    if (!options_.as_reference)
      Report(id, Severity::kNote, Code::kConstraint, std::move(message), std::move(hint));
  }
  void Invalid(OpId id, std::string message, std::string hint = {}) override {
    Report(id, Severity::kError, Code::kInvalidProgram, std::move(message), std::move(hint));
  }
  OpId FindSymbol(std::string_view name) const override {
    const auto found = symbols_.find(name);
    return found == symbols_.end() ? OpId() : found->second;
  }
  std::string T(TypeId type) const { return StrFormat("'{}'", TypeText(m_, type)); }

  // Collects the symbols of a module, which ops in it refer to.
  void CollectSymbols(OpId module) {
    symbols_.clear();
    for (RegionId region : m_.RegionsOf(m_.ops[module.v])) {
      for (BlockId block : m_.BlocksOf(region)) {
        for (OpId id : m_.OpsOf(block)) {
          const Op& op = m_.ops[id.v];
          // An op without a row, such as a mesh of another dialect, is a symbol if it has a name.
          if (const RevisionId shape = ShapeOf(m_, op); shape && !RowOf(shape).Has(Trait::kSymbol)) continue;
          const std::string_view name = m_.SymbolOf(op);
          if (!name.empty() && !symbols_.emplace(name, id).second)
            Invalid(id, StrFormat("redefinition of symbol named '{}'", name));
        }
      }
    }
  }

  void CheckOp(OpId id, uint32_t depth) {
    const Op& op = m_.ops[id.v];
    if (clean_[op.signature.v]) return CheckUses(id, op);
    const OpId outer_first = first_of_function_;
    const bool isolated = RowOf(ShapeOf(m_, op)).Has(Trait::kIsolated);
    if (isolated) first_of_function_ = {};
    if (m_.Is(op, ops::kModule) && id != m_.top) {
      auto outer = std::move(symbols_);
      auto outer_clean = std::exchange(clean_, std::vector<bool>(m_.signatures.size()));
      CollectSymbols(id);
      CheckWithRegions(id, op, depth);
      symbols_ = std::move(outer);
      clean_ = std::move(outer_clean);
    } else {
      CheckWithRegions(id, op, depth);
    }
    if (isolated) first_of_function_ = outer_first;
  }

  void CheckWithRegions(OpId id, const Op& op, uint32_t depth) {
    CheckStack();
    CheckUses(id, op);
    const size_t found = num_reported_;
    bool ok = !nodes_ || CheckNodes(id, op);
    const RevisionId shape = ShapeOf(m_, op);
    if (shape && ok) {
      check_.Begin(id);
      const OpRow& row = RowOf(shape);
      ok = CheckStructure(check_, row) && CheckTypes(check_, row, classes_) && CheckRelations(check_, row) &&
           CheckLists(check_, row);
      if (row.Has(Trait::kSymbol)) CheckSymbol(id, op);
      if (row.Has(Trait::kFunction)) CheckFunction(id, op);
      if (m_.Is(op, ops::kModule)) CheckModule(id, op);
      if (m_.RevisionIdOf(op) && row.Has(Trait::kTerminator)) CheckReturn(id, op);
      if (!m_.RevisionIdOf(op) && ok) ok = CheckEnds(id, op, row);
      if (row.form == Form::kCall) CheckCall(id, op);
    }
    const RevisionId revision = m_.RevisionIdOf(op);
    if (ok && !shardings_.none() &&
        (!m_.DiscardableAttrsOf(op).empty() || !revision || RowOf(revision).Has(Trait::kFunction)))
      shardings_.Check(op, [&](std::string message) { InvalidOp(id, message); });
    if (op.regions.count) {
      if (depth >= kMaxNesting) {
        Report(id, Severity::kError, Code::kLimit,
               StrFormat("region nesting exceeds the limit of {}", kMaxNesting));
        return;
      }
      const uint32_t outer_floor = floor_;
      if (RowOf(shape).Has(Trait::kIsolated)) floor_ = clock_ + 1;
      for (RegionId region : m_.RegionsOf(op)) CheckRegion(id, op, region, depth + 1);
      floor_ = outer_floor;
    }
    if (!ok || !revision) return;
    const OpRow& row = RowOf(revision);
    if (op.regions.count) check_.Begin(id);  // the ops inside have replaced it
    if (row.Has(Trait::kReturns) && !CheckReturns(id, op)) return;
    CheckInferred(check_, row);
    if (!check_.saw_others() && num_reported_ == found && DependsOnSignature(op, row))
      clean_[op.signature.v] = true;
  }

  // Returns whether the checks of an op see only its signature, if its rule does not ask for more.
  static bool DependsOnSignature(const Op& op, const OpRow& row) {
    return !op.regions.count && !op.successors.count && row.form != Form::kCall &&
           !row.Has(Trait::kTerminator) && !row.Has(Trait::kSymbol) && !row.Has(Trait::kFunction);
  }

  // Reports types, attributes and enum cases that do not exist in the version of the program.
  bool CheckNodes(OpId id, const Op& op) {
    if (Has(nodes_->Of(op), m_.version)) return true;
    for (const MissingNode& missing : nodes_->NotIn(op, m_.version))
      Report(id, Severity::kError, Code::kInvalidProgram,
             StrFormat("{} {} does not exist in version {}, only in {} to {}", missing.name, missing.where,
                       VersionName(m_.version), VersionName(missing.since), VersionName(missing.until)),
             kSetVersion, {.attribute = missing.attribute});
    return false;
  }

  // Reports an invalid type once, at the first op that mentions it.
  void CheckMentionedTypes(OpId id, const Op& op) {
    reported_types_.resize(m_.types.size());
    const auto mention = [&](TypeId type) {
      const TypeId unsound = invariants_.UnsoundIn(type);
      if (!unsound || reported_types_[unsound.v]) return;
      reported_types_[unsound.v] = true;
      Report(id, constraint_, Code::kConstraint, WhyUnsound(m_, unsound));
    };
    const auto mention_all = [&](Range values) {
      for (uint32_t v = values.first; v < values.first + values.count; ++v) mention(m_.TypeOf(ValueId(v)));
    };
    if (m_.RevisionIdOf(op))
      for (AttrId slot : m_.InherentAttrsOf(op))
        if (const auto type = m_.As<TypeAttr>(slot)) mention(type->type);
    mention_all(m_.ResultsOf(op));
    for (RegionId region : m_.RegionsOf(op))
      for (BlockId block : m_.BlocksOf(region)) mention_all(m_.blocks[block.v].args);
  }

  // Checks that the regions of an op without a row end with the op that its description names.
  bool CheckEnds(OpId id, const Op& op, const OpRow& row) {
    if (!row.terminator || row.terminator == ops::kReturn) return true;
    const std::string_view end = RowOf(row.terminator).name;
    for (RegionId region : m_.RegionsOf(op)) {
      const auto blocks = m_.BlocksOf(region);
      if (blocks.size() != 1 || m_.OpsOf(blocks[0]).empty()) continue;
      const std::string_view found = m_.NameOf(m_.ops[m_.OpsOf(blocks[0]).back().v]);
      if (found == end) continue;
      InvalidOp(id, StrFormat("expects regions to end with '{}', found '{}'", end, found));
      return false;
    }
    return true;
  }

  // Checks that the regions end with stablehlo.return.
  bool CheckReturns(OpId id, const Op& op) {
    for (RegionId region : m_.RegionsOf(op)) {
      for (BlockId block : m_.BlocksOf(region)) {
        const auto ops = m_.OpsOf(block);
        if (ops.empty() || m_.Is(m_.ops[ops.back().v], ops::kReturn)) continue;
        InvalidOp(id, StrFormat("expects regions to end with 'stablehlo.return', found '{}'",
                                m_.NameOf(m_.ops[ops.back().v])));
        return false;
      }
    }
    return true;
  }

  // Checks what does not follow from the signature of an op.
  void CheckUses(OpId id, const Op& op) {
    Tick();
    CheckOperands(id, op);
    if (invariants_.any()) CheckMentionedTypes(id, op);
  }

  void CheckOperands(OpId id, const Op& op) {
    const auto operands = m_.OperandsOf(op);
    for (size_t i = 0; i < operands.size(); ++i) {
      const uint32_t stamp = stamp_[operands[i].v];
      if (stamp >= floor_ && stamp != kOutOfScope && stamp != kUndefined) [[likely]]
        continue;
      if (unreachable_) continue;  // dominance does not apply to unreachable blocks
      if (stamp == kUndefined)
        Invalid(id, StrFormat("operand #{} does not dominate this use", i), "it is defined further down");
      else if (stamp == kOutOfScope)
        Invalid(id, StrFormat("operand #{} does not dominate this use", i),
                "it is defined in a region or block that does not enclose this use");
      else
        Invalid(id, StrFormat("'{}' op using value defined outside the region", m_.NameOf(op)),
                StrFormat("operand #{} is defined outside of the enclosing isolated op", i));
    }
  }

  void Define(Range values) {
    for (uint32_t v = values.first; v < values.first + values.count; ++v) stamp_[v] = clock_;
  }
  void Forget(BlockId block) {
    const auto forget = [&](Range values) {
      for (uint32_t v = values.first; v < values.first + values.count; ++v) stamp_[v] = kOutOfScope;
    };
    forget(m_.blocks[block.v].args);
    for (OpId id : m_.OpsOf(block)) forget(m_.ResultsOf(m_.ops[id.v]));
  }

  void CheckRegion(OpId parent_id, const Op& parent, RegionId region, uint32_t depth) {
    const auto blocks = m_.BlocksOf(region);
    // Regions of an op without a row may be graph regions.
    const RevisionId shape = ShapeOf(m_, parent);
    const bool graph = !shape || RowOf(shape).Has(Trait::kGraph);
    ++clock_;
    if (graph) {
      if (shape && blocks.size() > 1) InvalidOp(parent_id, "expects one block in its region");
      for (BlockId block : blocks) {
        Define(m_.blocks[block.v].args);
        for (OpId id : m_.OpsOf(block)) Define(m_.ResultsOf(m_.ops[id.v]));
      }
      const bool all = parent_id != m_.top;
      for (BlockId block : blocks)
        for (OpId id : m_.OpsOf(block)) {
          if (!all && (id.v < from_ || id.v >= to_)) continue;
          CheckOp(id, depth);
          CheckSuccessors(id, region, id == m_.OpsOf(block).back());
        }
      for (BlockId block : blocks) Forget(block);
      return;
    }
    if (blocks.size() == 1) {
      CheckBlock(parent_id, region, blocks.front(), depth);
      Forget(blocks.front());
      return;
    }
    if (blocks.empty()) return;
    // Several blocks: visit them along the dominator tree, so that the values in scope are those that
    // dominate.
    const DominatorTree tree = BuildDominatorTree(m_, region);
    for (const DominatorTree::Visit& visit : tree.visits) {
      const BlockId block = blocks[visit.block];
      if (visit.leave) {
        Forget(block);
      } else {
        CheckBlock(parent_id, region, block, depth);
      }
    }
    const bool outer = unreachable_;
    unreachable_ = true;
    for (uint32_t index : tree.unreachable) {
      CheckBlock(parent_id, region, blocks[index], depth);
      Forget(blocks[index]);
    }
    unreachable_ = outer;
  }

  void CheckBlock(OpId parent_id, RegionId region, BlockId block, uint32_t depth) {
    Define(m_.blocks[block.v].args);
    const auto ops = m_.OpsOf(block);
    if (ops.empty()) {
      Invalid(parent_id, "empty block: expect at least a terminator");
      return;
    }
    for (size_t i = 0; i < ops.size(); ++i) {
      const Op& op = m_.ops[ops[i].v];
      const bool last = i + 1 == ops.size(), clean = clean_[op.signature.v];
      CheckOp(ops[i], depth);
      Define(m_.ResultsOf(op));
      if (clean && !last) continue;  // it is no terminator, and has no successors
      const RevisionId shape = ShapeOf(m_, op);
      const bool terminator = shape && RowOf(shape).Has(Trait::kTerminator);
      if (terminator && !last) InvalidOp(ops[i], "must be the last operation in the parent block");
      if (last && shape && !terminator)
        Invalid(ops[i], StrFormat("block with no terminator, has '{}'", m_.NameOf(op)));
      CheckSuccessors(ops[i], region, last);
    }
  }

  void CheckSuccessors(OpId id, RegionId region, bool last) {
    const Op& op = m_.ops[id.v];
    if (!last && op.successors.count)
      InvalidOp(id, "operation with block successors must terminate its parent block");
    for (BlockId successor : m_.SuccessorsOf(op))
      if (m_.blocks[successor.v].parent != region) Invalid(id, "branching to block of a different region");
  }

  bool HasDialect(StringId attribute) const {
    return m_.strings[attribute].find('.') != std::string_view::npos;
  }

  // The attributes of a module, and of arguments and results of functions, belong to dialects.
  void CheckModule(OpId id, const Op& op) {
    for (const NamedAttr& attr : m_.DiscardableAttrsOf(op))
      if (!HasDialect(attr.name))
        return InvalidOp(id, StrFormat("can only contain attributes with dialect-prefixed names, found: '{}'",
                                       m_.strings[attr.name]));
  }

  void CheckSymbol(OpId id, const Op& op) {
    if (m_.SymbolOf(op).empty()) return;  // a module may have no name
    const OpId parent = ParentOf(op);
    if (parent && m_.RevisionIdOf(m_.ops[parent.v]) && !m_.Is(m_.ops[parent.v], ops::kModule))
      return InvalidOp(id, "symbol's parent must have the SymbolTable trait");
    std::string_view visibility;
    m_.AsString(m_.InherentAttrOf(op, "sym_visibility"), &visibility);
    constexpr std::string_view kAllowed[] = {"", "public", "private", "nested"};
    if (std::ranges::find(kAllowed, visibility) == std::end(kAllowed))
      return InvalidOp(
          id, StrFormat(R"(visibility expected to be one of ["public", "private", "nested"], but got "{}")",
                        visibility));
    const auto regions = m_.RegionsOf(op);
    const bool is_public = visibility.empty() || visibility == "public";
    if (is_public && m_.Has(op, Trait::kFunction) && !regions.empty() && m_.BlocksOf(regions.front()).empty())
      InvalidOp(id, "symbol declaration cannot have public visibility");
  }

  void CheckFunction(OpId id, const Op& op) {
    const auto type = m_.FunctionTypeOf(op);
    if (!type) {
      InvalidOp(id,
                "attribute 'function_type' failed to satisfy constraint: type attribute of function type");
      return;
    }
    if (m_.SymbolOf(op).empty()) InvalidOp(id, "requires attribute 'sym_name'");
    const auto check_count = [&](std::string_view slot, size_t count, std::string_view what) {
      const auto dictionaries = m_.ElementsOf(m_.InherentAttrOf(op, slot));
      const size_t n = dictionaries.size();
      for (const AttrId attr : dictionaries)
        if (const auto dictionary = m_.As<DictionaryAttr>(attr))
          for (const NamedAttr& entry : dictionary->entries)
            if (!HasDialect(entry.name))
              return InvalidOp(id, StrFormat("{}s may only have dialect attributes", what));
      if (n != 0 && n != count)
        InvalidOp(id,
                  StrFormat("expects {} attribute array to have the same number of elements as the number of "
                            "function {}s, got {}, but expected {}",
                            what, what, n, count));
    };
    check_count("arg_attrs", type->inputs.size(), "argument");
    check_count("res_attrs", type->results.size(), "result");
    for (RegionId region : m_.RegionsOf(op)) {
      const auto blocks = m_.BlocksOf(region);
      if (blocks.empty()) continue;  // a declaration
      const Block& entry = m_.blocks[blocks.front().v];
      if (entry.args.count != type->inputs.size()) {
        InvalidOp(id, StrFormat("entry block must have {} arguments to match function signature",
                                type->inputs.size()));
        continue;
      }
      for (uint32_t i = 0; i < entry.args.count; ++i) {
        const TypeId actual = m_.TypeOf(ValueId(entry.args.first + i)), stated = type->inputs[i];
        if (actual == stated) continue;
        InvalidOp(id,
                  StrFormat("type of entry block argument #{}({}) must match the type of the corresponding "
                            "argument in function signature({})",
                            i, T(actual), T(stated)));
        break;
      }
    }
  }

  // Returns the op that owns the region of an op.
  OpId ParentOf(const Op& op) const {
    return op.parent ? m_.regions[m_.blocks[op.parent.v].parent.v].parent : OpId();
  }

  void CheckReturn(OpId id, const Op& op) {
    const OpId parent_id = ParentOf(op);
    if (!parent_id) return;
    const Op& parent = m_.ops[parent_id.v];
    const bool in_function = m_.Has(parent, Trait::kFunction);
    const OpRow& row = RowOf(m_.RevisionIdOf(op));
    const RowId terminator = RevisionOf(m_.RevisionIdOf(op)).row;
    // The reference lets stablehlo.return end a function; artifacts have one op for both, so it returns
    // there.
    const bool ends_function = in_function && m_.Is(op, ops::kReturn) && !options_.as_reference;
    if (!ends_function &&
        (!m_.RevisionIdOf(parent) || RowOf(m_.RevisionIdOf(parent)).terminator != terminator)) {
      // stablehlo.return may end any region, scf.yield those of ops without a row.
      if (row.dialect == "stablehlo" || (row.dialect == "scf" && !m_.RevisionIdOf(parent))) return;
      if (row.dialect == "scf")
        return InvalidOp(
            id,
            "expects parent op to be one of 'scf.execute_region, scf.for, scf.if, scf.index_switch, "
            "scf.while'");
      const auto host = std::ranges::find(OpRows(), terminator, &OpRow::terminator);
      InvalidOp(id, StrFormat("expects parent op '{}'", host->name));
      return;
    }
    if (!in_function) return;
    const auto type = m_.FunctionTypeOf(parent);
    if (!type) return;
    const IdList<TypeId> results = type->results;
    const std::string_view name = m_.SymbolOf(parent);
    const auto operands = m_.OperandsOf(op);
    if (operands.size() != results.size()) {
      InvalidOp(id, StrFormat("has {} operands, but enclosing function ({}) {}s {}", operands.size(),
                              SymbolText(name), row.mnemonic(), results.size()));
      return;
    }
    for (size_t i = 0; i < operands.size(); ++i) {
      if (m_.TypeOf(operands[i]) == results[i]) continue;
      Invalid(id,
              StrFormat("type of {} operand {} ({}) doesn't match function result type ({}) in function {}",
                        row.mnemonic(), i, T(m_.TypeOf(operands[i])), T(results[i]), SymbolText(name)));
      break;
    }
  }

  // Checks that a call matches its function. Other ops that refer to symbols have a rule that checks them.
  void CheckCall(OpId id, const Op& op) {
    std::string_view name;
    if (!m_.AsSymbol(m_.InherentAttrOf(op, "callee"), &name)) return;
    const OpId callee = FindSymbol(name);
    const auto type = callee ? m_.FunctionTypeOf(m_.ops[callee.v]) : std::nullopt;
    if (!type) {
      InvalidOp(id, StrFormat("'{}' does not reference a valid function", name));
      return;
    }
    const IdList<TypeId> inputs = type->inputs, results = type->results;
    const auto operands = m_.OperandsOf(op);
    if (operands.size() != inputs.size()) return InvalidOp(id, "incorrect number of operands for callee");
    for (size_t i = 0; i < inputs.size(); ++i)
      if (m_.TypeOf(operands[i]) != inputs[i])
        return InvalidOp(
            id, StrFormat("operand type mismatch: expected operand type {}, but provided {} for operand "
                          "number {}",
                          T(inputs[i]), T(m_.TypeOf(operands[i])), i));
    if (m_.NumResults(op) != results.size()) return InvalidOp(id, "incorrect number of results for callee");
    for (uint32_t i = 0; i < results.size(); ++i)
      if (m_.TypeOf(m_.ResultOf(op, i)) != results[i])
        return InvalidOp(id, StrFormat("result type mismatch at index {}", i));
  }

  const Module& m_;
  const VerifyOptions& options_;
  const Severity constraint_;  // of a violated constraint
  const TypeClasses classes_;
  const TypeInvariants invariants_;
  // Set only if the module has types or attributes that do not exist in its version.
  std::optional<OpNodes> nodes_;
  std::vector<bool> reported_types_;  // by TypeId
  std::vector<Inferred> inferred_;
  uint32_t from_ = 0, to_ = ~0u;
  OpCheck check_;
  std::vector<bool> clean_;  // by SignatureId: an op with it was checked and has no findings
  ShardingChecks shardings_;
  // When each value came into scope, in ticks of clock_; values older than floor_ are outside of the
  // enclosing isolated op.
  std::vector<uint32_t> stamp_;
  uint32_t clock_ = 1;
  uint32_t floor_ = 1;
  bool unreachable_ = false;
  std::unordered_map<std::string_view, OpId> symbols_;  // of the nearest module around an op
  Diagnostics findings_;
  // With first_of_function: the op reported in the current function, and diagnostics kept for the end.
  OpId first_of_function_;
  Diagnostics of_references_;
  size_t num_reported_ = 0;  // also those that are dropped
  size_t dropped_ = 0;
};

// Returns whether a large program has no findings, verifying its functions in several threads. Programs that
// have some are verified again in order.
bool IsClean(const Module& module, const VerifyOptions& options) {
  constexpr uint32_t kOpsOfPart = 8192;
  const size_t threads = NumThreads(options.limits.threads);
  const uint32_t ops = uint32_t(module.ops.size());
  if (threads <= 1 || ops < 4 * kOpsOfPart || !module.top || module.top.v >= ops) return false;
  const uint32_t parts = uint32_t(std::min<size_t>(ops / kOpsOfPart, 16 * threads));
  VerifyOptions of_part = options;
  of_part.reported = nullptr;
  of_part.max_diagnostics = 1;
  std::atomic<bool> clean = true;
  std::atomic<uint32_t> next = 0;
  RunParts(threads, threads, [&](size_t) {
    Verifier verifier(module, of_part);
    if (!verifier.Begin()) clean = false;
    for (uint32_t i; clean && (i = next++) < parts;)
      if (verifier.FindsAny(uint32_t(uint64_t(ops) * i / parts), uint32_t(uint64_t(ops) * (i + 1) / parts)))
        clean = false;
  });
  return clean;
}

}  // namespace

Diagnostics Verify(const Module& module, const VerifyOptions& options) {
  return Guarded(options.limits,
                 [&] { return IsClean(module, options) ? Diagnostics() : Verifier(module, options).Run(); });
}

Diagnostics Verify(const Program& program, VerifyOptions options) {
  options.source = &program.source;
  return Verify(program.module, options);
}

bool HasErrors(const Diagnostics& diagnostics) {
  return std::ranges::any_of(diagnostics, [](const Diagnostic& d) { return d.severity == Severity::kError; });
}

}  // namespace shlo
