// The rungs of expansions, and of rewrites of programs.
#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "ir/module/sample.h"
#include "ir/table/trait.h"
#include "law_checks.h"
#include "programs.h"
#include "prove/mhlo_calls.h"
#include "shlo/compare.h"
#include "shlo/convert.h"
#include "shlo/expand.h"
#include "shlo/inline.h"
#include "shlo/simplify.h"
#include "shlo/types.h"
#include "shlo/verify.h"
#include "versioning/expand/recipe.h"

namespace shlo::laws {
namespace {

// The newest version that lacks something that the program has, and has the op, if any version does.
Version TargetOf(const LawRow& law, const Module& module) {
  if (RowOf(law.op).dialect == "chlo") return kFirstRelease;
  ConvertOptions options;
  options.allow_other_dialects = true;
  const auto lowest = LowestTarget(module, options);
  Version target = lowest ? *lowest : module.version;
  if (target > kMinimumVersion) --target.n;
  const OpRow& row = RowOf(law.op);
  if (row.num_revisions > 1) target = std::min(target, RevisionOf(RevisionId{row.first_revision}).until);
  return target;
}

size_t CountOps(const Module& m, RowId row) {
  size_t count = 0;
  for (uint32_t i = 1; i < m.ops.size(); ++i) count += m.Is(m.ops[i], row);
  return count;
}

std::string Signature(const Module& m) {
  std::string text;
  for (uint32_t i = 1; i < m.ops.size(); ++i)
    if (const Op& op = m.ops[i]; m.Has(op, Trait::kFunction)) {
      text += std::string(m.SymbolOf(op)) + " " + std::to_string(m.DiscardableAttrsOf(op).size());
      if (const auto type = m.FunctionTypeOf(op)) {
        for (TypeId t : type->inputs) text += " " + std::to_string(t.v);
        text += " ->";
        for (TypeId t : type->results) text += " " + std::to_string(t.v);
      }
      text += "\n";
    }
  return text;
}

class ExpansionChecks {
 public:
  explicit ExpansionChecks(LawRun* run) : run_(*run) {}

  void Run() {
    const std::vector<Generator> generators = ExpansionGenerators(run_.law.op);
    for (const Generator& generator : generators) {
      Structure(generator);
      if (run_.done()) return;
    }
    Guard();
    const uint64_t whole = run_.random_programs;
    run_.random_programs = std::max<uint64_t>(1, whole / generators.size());
    for (const Generator& generator : generators)
      if (!run_.done()) CheckMeaning(generator, &run_);
    run_.random_programs = whole;
    if (!run_.done()) AnyRank();
    if (run_.basis.empty() && run_.checks[2] == 0) run_.basis = "L2: the kernel of the op";
  }

 private:
  // The op is gone, the target has what replaces it, and all else is as before.
  void Structure(const Generator& generator) {
    uint64_t expanded = 0, tried = 0;
    for (uint64_t seed = 1; seed <= 40; ++seed) {
      Source source(1000 + seed);
      Program program;
      if (!generator(run_.law.op, run_.from, source, &program)) continue;
      bool wrong = false;
      for (const Diagnostic& d : Verify(program.module, {.strictness = Strictness::kLenient}))
        wrong |= d.severity == Severity::kError;
      if (wrong) continue;
      Module& m = program.module;
      for (uint32_t i = 1; i < m.ops.size(); ++i)
        m.ops[i].loc = m.Make(NameLoc{.name = m.strings.Intern("law"), .child = {}});
      const AttrId loc = m.ops[1].loc;
      // Positions in a batch have the location of the indices.
      const AttrId of_args = m.Make(NameLoc{.name = m.strings.Intern("argument"), .child = {}});
      for (uint32_t i = 1; i < m.values.size(); ++i)
        if (m.values[i].block) m.values[i].loc = of_args;
      const auto after = run_.Apply(m);
      ++tried;
      expanded += bool(after);
      // An expansion reports the ops that it leaves.
      if (!after) {
        run_.Expect(!after.error().empty() && after.error()[0].severity == Severity::kWarning, 1,
                    [&] { return "refused: " + after.error()[0].message; });
        reasons_.insert(after.error()[0].message);
        continue;
      }
      if (run_.observe) run_.observe(m, *after);
      std::string found;
      for (const Diagnostic& d : Verify(*after, {.strictness = Strictness::kLenient}))
        if (d.severity == Severity::kError) found = d.op + ": " + d.message;
      const Version target = TargetOf(run_.law, m);
      ConvertOptions options;
      options.allow_other_dialects = true;
      // Element types are those of the program.
      for (const Diagnostic& d : Blockers(*after, target, options))
        if (d.severity == Severity::kError && d.message.find("type '") == std::string::npos)
          found = "the target lacks " + d.op + ": " + d.message;
      if (Signature(m) != Signature(*after)) found = "other functions";
      if (const std::string attrs = OtherAttrs(m, *after); !attrs.empty()) found = attrs;
      // A constant that stands for several has no location, as in the reference.
      const auto merged = [&](const Op& op) {
        return after->NameOf(op) == "stablehlo.constant" &&
               after->attrs.KindOf(op.loc) == AttrKind::kUnknownLoc;
      };
      for (uint32_t i = 1; i < after->ops.size(); ++i)
        if (after->ops[i].loc != loc && after->ops[i].loc != of_args && !merged(after->ops[i]))
          found = fmt::format("'{}' has another location", after->NameOf(after->ops[i]));
      run_.Expect(found.empty(), 0, [&] { return found; });
      if (run_.done()) return;
    }
    run_.Expect(
        expanded * 3 >= tried, 0,
        [&] {
          std::string text = fmt::format("{} of {} programs are expanded", expanded, tried);
          for (const std::string& reason : reasons_) text += "; " + reason;
          return text;
        },
        0);
  }

  // An op that is replaced by ops of its kind keeps the attributes that are not what the target lacks.
  std::string OtherAttrs(const Module& before, const Module& after) {
    constexpr std::string_view kRewritten[] = {
        "replica_groups",      "collapsed_slice_dims",         "inserted_window_dims",
        "start_index_map",     "scatter_dims_to_operand_dims", "operand_batching_dims",
        "input_batching_dims", "start_indices_batching_dims",  "scatter_indices_batching_dims",
        "indices_are_sorted"};
    const OpId id = FindOp(before, run_.law.op);
    for (uint32_t i = 1; i < after.ops.size(); ++i) {
      const Op& op = after.ops[i];
      if (!after.Is(op, run_.law.op)) continue;
      const auto cells = RevisionOf(after.RevisionIdOf(op)).attrs;
      for (size_t slot = 0; slot < cells.size(); ++slot)
        if (std::ranges::find(kRewritten, cells[slot].name) == std::end(kRewritten) &&
            after.InherentAttrsOf(op)[slot] != before.InherentAttrOf(before.ops[id.v], cells[slot].name))
          return fmt::format("attribute '{}' is not kept", cells[slot].name);
      // A promise may be dropped, and not added.
      bool was = false, now = false;
      before.AsBool(before.InherentAttrOf(before.ops[id.v], "indices_are_sorted"), &was);
      after.AsBool(after.InherentAttrOf(op, "indices_are_sorted"), &now);
      if (now && !was) return "the indices become sorted";
    }
    return {};
  }

  // Ops that cannot be expanded stay, with a warning.
  void Guard() {
    for (const SampleVariant& variant : SampleVariants(run_.law.op, run_.from)) {
      const Module m = MakeSample(run_.law.op, run_.from, variant);
      ExpandOptions options{.target = TargetOf(run_.law, m), .composites = true};
      options.convert.allow_other_dialects = true;
      const auto expansion = Expand(m, options);
      const size_t before = CountOps(m, run_.law.op);
      const bool stays =
          expansion && CountOps(expansion->module, run_.law.op) == before && expansion->ops.empty();
      run_.Expect(
          expansion && (stays ? true : !expansion->ops.empty()) &&
              (!stays || FirstDifference(m, expansion->module) == ""),
          1, [&] { return SampleName(run_.law.op, run_.from, variant) + " is changed but not expanded"; });
    }
  }

  // An expansion that applies only element-wise ops, constants and broadcasts of scalars to the operands
  // computes each element from the elements at its index. Then scalars decide, at any rank and shape.
  void AnyRank() {
    const OpRevision& revision = RevisionOf(RevisionAt(run_.law.op, run_.from));
    const bool recipe =
        std::ranges::any_of(Recipes(), [&](const Recipe& r) { return r.op == RowOf(run_.law.op).name; });
    if (!recipe) return;
    uint64_t types = 0;
    for (const ElementType& element : ElementTypesFor(run_.from, revision.operands[0].type_class())) {
      Module scratch;
      const TypeId scalar = scratch.Type(element.kind);
      if (!FindRecipe(RowOf(run_.law.op).name, scratch,
                      element.complex ? scratch.ComplexType(scalar) : scalar))
        continue;
      TestProgram p(run_.from);
      const TypeId type = TypeOf(p, element, {kDynamic, kDynamic, kDynamic});
      const bool predicate = RowOf(run_.law.op).name.starts_with("chlo.is_");
      const TypeId result = predicate ? p.Tensor(TypeKind::kI1, {kDynamic, kDynamic, kDynamic}) : type;
      p.Function("main", std::vector<TypeId>(revision.operands.size(), type), {result},
                 [&](std::vector<ValueId> a) {
                   return std::vector<ValueId>{p.Op(RowOf(run_.law.op).name, a, {result})};
                 });
      const auto after = run_.Apply(p.Done());
      bool pointwise = bool(after);
      for (uint32_t i = 1; after && i < after->ops.size(); ++i) {
        const Op& op = after->ops[i];
        if (!after->NumResults(op)) continue;
        const ShapedType shape(*after, after->TypeOf(after->ResultOf(op, 0)));
        if (shape.rank() != 3 || shape.IsStatic()) continue;
        const bool of_scalar = after->NameOf(op) == "stablehlo.dynamic_broadcast_in_dim" &&
                               ShapedType(*after, after->TypeOf(after->OperandsOf(op)[0])).rank() == 0;
        // Choices by element, or by a scalar.
        const bool chosen = after->NameOf(op) == "stablehlo.select" || after->NameOf(op) == "stablehlo.clamp";
        pointwise &= of_scalar || chosen || (after->Has(op, Trait::kElementwise));
        if (!of_scalar)
          for (ValueId operand : after->OperandsOf(op)) {
            const ShapedType s(*after, after->TypeOf(operand));
            pointwise &= s.rank() == 3 || s.rank() == 0;
          }
      }
      if (!pointwise) return;
      ++types;
    }
    run_.Expect(
        types > 0, 6, [] { return "no element type is expanded"; }, types);
    run_.basis = "L2: the kernel of the op; L6: element by element";
  }

  LawRun& run_;
  std::set<std::string> reasons_;
};

// A custom call as jax writes it for an op of MHLO.
bool MhloCallProgram(RowId, Version version, Source& s, Program* out) {
  constexpr std::string_view kOps[] = {"mhlo.erf", "mhlo.acos", "mhlo.sinh", "mhlo.atanh", "mhlo.topk"};
  const std::string_view name = kOps[s.Pick(5)];
  Dims shape(1 + s.Pick(2));
  for (int64_t& d : shape) d = s.Between(1, 4);
  TestProgram p(version);
  Module& m = p.module();
  const TypeId type = p.Tensor(TypeKind::kF32, shape);
  const bool top = name == "mhlo.topk";
  Dims less = shape;
  less.back() = 1 + int64_t(s.Pick(uint64_t(shape.back())));
  std::vector<TypeId> results{type};
  if (top) results = {p.Tensor(TypeKind::kF32, less), p.Tensor(TypeKind::kI32, less)};
  p.Function("main", {type}, results, [&](std::vector<ValueId> a) {
    const ValueId first = p.Op("stablehlo.custom_call", a, results, {{"call_target_name", m.String(name)}});
    std::vector<NamedAttr> inner;
    if (top) {
      inner.push_back({m.strings.Intern("k"), m.I64(less.back())});
      inner.push_back({m.strings.Intern("largest"), m.Bool(true)});
    }
    m.SetDiscardableAttrs(m.values[first.v].op, {{m.strings.Intern("mhlo.attributes"), m.Dict(inner)},
                                                 {m.strings.Intern("mhlo.version"), m.I64(1)}});
    std::vector<ValueId> values{first};
    if (top) values.push_back(ValueId(first.v + 1));
    return values;
  });
  out->module = p.Done();
  std::vector<uint64_t> bits;
  for (int64_t i = 0; i < CountOf(shape); ++i) bits.push_back(AnyBits(s, TypeKind::kF32));
  out->args = {TensorOfBits({TypeKind::kF32}, shape, bits)};
  // The target computes what the op computes: the kernel of the op, in a program that has it.
  const Module with_op = [&] {
    uint64_t restored = 0;
    return prove::RestoreMhloOps(out->module, &restored);
  }();
  out->options.custom_calls[std::string(name)] =
      [name, top, less](const Module&, const Op&,
                        std::span<const Tensor> operands) -> Result<std::vector<Tensor>> {
    TestProgram q;
    const TypeId of = TypeIn(q, operands[0].type());
    std::vector<TypeId> made{of};
    if (top) made = {q.Tensor(TypeKind::kF32, less), q.Tensor(TypeKind::kI32, less)};
    const std::string chlo = top ? "chlo.top_k" : "chlo." + std::string(name.substr(5));
    q.Function("main", {of}, made, [&](std::vector<ValueId> a) {
      std::vector<std::pair<std::string_view, AttrId>> attrs;
      if (top) attrs.push_back({"k", q.module().I64(less.back())});
      const ValueId first = q.Op(chlo, a, made, attrs);
      std::vector<ValueId> values{first};
      if (top) values.push_back(ValueId(first.v + 1));
      return values;
    });
    auto result = Evaluate(q.Done(), "main", operands);
    if (!result) return tl::unexpected(std::move(result.error()));
    return std::move(result->results);
  };
  return true;
}

}  // namespace

void CheckExpansion(LawRun* run) { ExpansionChecks(run).Run(); }

void CheckProgramLaw(LawRun* run) {
  if (run->law.name == "inlining of calls") {
    CheckMeaning(CallGenerator(), run);
    run->basis = "L2: the evaluation of calls";
  } else if (run->law.name == "exact rewrites") {
    CheckMeaning(SimplifiedGenerator(), run);
    run->basis = "L2: the evaluation of the program";
  } else if (run->law.name.starts_with("custom calls of MHLO")) {
    CheckMeaning(MhloCallProgram, run);
    run->basis = "L2: the kernel of the op of CHLO";
  } else {
    // Every op with a default, in programs that compute.
    for (uint16_t r = 1; r < OpRows().size() && !run->done(); ++r) {
      const RowId row{r};
      const Version version = std::min(RevisionOf(NewestRevision(row)).until, kCurrentVersion);
      const auto variants = SampleVariants(row, version);
      if (variants.size() < 2 || variants[1].kind != SampleVariant::kDefaults) continue;
      const Module absent = MakeSample(row, version), written = MakeSample(row, version, variants[1]);
      const auto dropped = run->Apply(written);
      run->Expect(dropped && FirstDifference(absent, *dropped, {.defaults = false}) == "", 0,
                  [&] { return std::string(RowOf(row).name) + ": dropping defaults changes it"; });
      for (const SampleVariant& variant : variants)
        if (variant.kind == SampleVariant::kValue) {
          const Module other = MakeSample(row, version, variant);
          const auto kept = run->Apply(other);
          run->Expect(kept && FirstDifference(other, *kept) == "", 1,
                      [&] { return SampleName(row, version, variant) + ": dropped"; });
        }
    }
    for (const LawRow& law : Laws()) {
      if (law.kind != LawKind::kDowngrade || run->done()) continue;
      const Generator inner = StepGenerator(law.op);
      const Generator generator = [&](RowId, Version, Source& s, Program* p) {
        if (!inner(law.op, std::min(kCurrentVersion, RevisionOf(law.from).until), s, p)) return false;
        const OpId id = FindOp(p->module, law.op);
        Module& m = p->module;
        const std::span<const Cell> cells = RevisionOf(m.RevisionIdOf(m.ops[id.v])).attrs;
        for (size_t slot = 0; slot < cells.size(); ++slot)
          if (!m.InherentAttrsOf(m.ops[id.v])[slot])
            m.SetInherentAttr(id, int(slot),
                              m.NormalizeInherentAttr(cells[slot], m.DefaultOf(m.ops[id.v], int(slot))));
        return true;
      };
      const uint64_t whole = run->random_programs;
      const bool exhaustive = run->exhaustive;
      run->random_programs = std::max<uint64_t>(12, whole / 26);
      run->exhaustive = false;
      CheckMeaning(generator, run);
      run->random_programs = whole;
      run->exhaustive = exhaustive;
    }
    run->basis = "L2: the reference of each op with several revisions";
  }
}

void Check(LawRun* run) {
  run->from = run->to = kCurrentVersion;
  switch (run->law.kind) {
    case LawKind::kUpgrade:
      run->to = RevisionOf(run->law.to).since;
      run->from = Version{uint16_t(run->to.n - 1)};
      return CheckStep(run);
    case LawKind::kDowngrade:
      run->from = RevisionOf(run->law.from).since;
      run->to = Version{uint16_t(run->from.n - 1)};
      return CheckStep(run);
    case LawKind::kExpansion:
      return CheckExpansion(run);
    case LawKind::kProgram:
      return CheckProgramLaw(run);
  }
}

Result<Module> LawRun::Apply(const Module& module) {
  const auto rewrite = [&](const Module& m) -> Result<Module> {
    switch (law.kind) {
      case LawKind::kUpgrade:
      case LawKind::kDowngrade: {
        auto converted = Convert(m, to);
        if (!converted) return tl::unexpected(std::move(converted.error()));
        return std::move(converted->module);
      }
      case LawKind::kExpansion: {
        ExpandOptions options{.target = TargetOf(law, m), .composites = true};
        options.convert.allow_other_dialects = true;
        auto expanded = Expand(m, options);
        if (!expanded) return tl::unexpected(std::move(expanded.error()));
        if (!expanded->left.empty()) return tl::unexpected(std::move(expanded->left));
        return std::move(expanded->module);
      }
      case LawKind::kProgram:
        break;
    }
    if (law.name == "inlining of calls") return InlineCalls(m);
    if (law.name == "exact rewrites") {
      shlo::Program program;
      program.module = m;
      auto done = Simplify(&program);
      if (!done) return tl::unexpected(std::move(done.error()));
      return std::move(program.module);
    }
    if (law.name.starts_with("custom calls of MHLO")) {
      uint64_t restored = 0;
      return prove::RestoreMhloOps(m, &restored);
    }
    Module dropped = m;
    dropped.DropDefaults();
    return dropped;
  };
  if (mutation && mutation->kind == Mutation::kRefuse) {
    ++changed;
    return Error(Code::kBlocked, "refused");
  }
  auto result = rewrite(module);
  if (!mutation) return result;
  if (!result && mutation->kind == Mutation::kIgnoreGuard) {
    Module lossy = module;
    DropWhatIsLost(law, &lossy);
    result = rewrite(lossy);
    changed += bool(result);
    return result;
  }
  if (result && mutation->kind != Mutation::kIgnoreGuard && Plant(*mutation, law, &*result)) ++changed;
  return result;
}

}  // namespace shlo::laws
