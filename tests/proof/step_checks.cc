// The rungs of conversion steps.
#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <limits>

#include "eval/kernels/kernels.h"
#include "ir/module/lists.h"
#include "ir/module/sample.h"
#include "ir/table/attr_class.h"
#include "law_checks.h"
#include "programs.h"
#include "prove/other_value.h"
#include "shlo/compare.h"
#include "shlo/convert.h"
#include "shlo/verify.h"
#include "versioning/steps.h"

namespace shlo::laws {
namespace {

std::string Messages(const Diagnostics& diagnostics) {
  std::string text;
  for (const Diagnostic& d : diagnostics) text += d.op + ": " + d.message + "; ";
  return text;
}

// Gives every op a separate location and a discardable attribute.
void Enrich(Module* m) {
  const StringId name = m->strings.Intern("test.law");
  for (uint32_t i = 1; i < m->ops.size(); ++i) {
    m->ops[i].loc = m->Make(NameLoc{.name = m->strings.Intern(fmt::format("op {}", i)), .child = {}});
    std::vector<NamedAttr> attrs;
    for (const NamedAttr& attr : m->DiscardableAttrsOf(m->ops[i])) attrs.push_back(attr);
    attrs.push_back({name, m->I64(int64_t(i))});
    m->SetDiscardableAttrs(OpId(i), std::move(attrs));
  }
}

// Compares a converted module with its original, op by op, knowing the rows but not the steps. Ops that exist
// at both versions differ in their revision and the attributes that only one of them has.
std::string StructuralDifference(const Module& before, const Module& after, Version target) {
  if (after.version != target) return fmt::format("the version is {}", after.version.n);
  if (before.ops.size() != after.ops.size() || before.values.size() != after.values.size() ||
      before.blocks.size() != after.blocks.size() || before.regions.size() != after.regions.size())
    return "ops, values, blocks or regions are missing";
  for (uint32_t i = 1; i < before.values.size(); ++i)
    if (before.values[i].type != after.values[i].type || before.values[i].loc != after.values[i].loc)
      return fmt::format("value {} has another type or location", i);
  Module a = before, b = after;
  for (uint32_t i = 1; i < before.ops.size(); ++i) {
    const Op &x = before.ops[i], &y = after.ops[i];
    const auto differs = [&](std::string_view what) {
      return fmt::format("'{}': {}", before.NameOf(x), what);
    };
    if (!std::ranges::equal(before.OperandsOf(x), after.OperandsOf(y))) return differs("operands");
    if (x.first_result != y.first_result || before.NumResults(x) != after.NumResults(y))
      return differs("results");
    if (!std::ranges::equal(before.RegionsOf(x), after.RegionsOf(y))) return differs("regions");
    if (!std::ranges::equal(before.SuccessorsOf(x), after.SuccessorsOf(y))) return differs("successors");
    if (!std::ranges::equal(before.DiscardableAttrsOf(x), after.DiscardableAttrsOf(y)))
      return differs("discardable attributes");
    if (x.loc != y.loc) return differs("location");
    if (x.parent != y.parent || before.NameIdOf(x) != after.NameIdOf(y)) return differs("block or name");
    if (!before.RevisionIdOf(x)) continue;
    const OpRevision &from = RevisionOf(before.RevisionIdOf(x)), &to = RevisionOf(after.RevisionIdOf(y));
    if (!to.LegalAt(target)) return differs("the revision does not exist at the target");
    // An op keeps its row if that exists at the target.
    if (RevisionAt(from.row, target) && to.row != from.row) return differs("another op");
    if (from.row != to.row &&
        RowOf(before.RevisionIdOf(x)).Has(Trait()) != RowOf(after.RevisionIdOf(y)).Has(Trait()))
      return differs("another op");
    if (!RevisionAt(from.row, target)) {
      // Renamed: the new name exists only where the old one does not.
      for (const VersionRow& row : VersionLine())
        if (RevisionAt(from.row, row.version) && RevisionAt(to.row, row.version))
          return differs("another op, which existed before");
    }
    for (size_t s = 0; s < to.attrs.size(); ++s) {
      const int slot = from.FindSlot(to.attrs[s].name);
      const AttrId now = after.InherentAttrsOf(y)[s];
      if (slot < 0 && now && !b.IsDefaultValue(to.attrs[s], now))
        return differs(fmt::format("attribute '{}' appears", to.attrs[s].name));
      if (slot >= 0 && now != before.InherentAttrsOf(x)[size_t(slot)])
        return differs(fmt::format("attribute '{}'", to.attrs[s].name));
    }
    for (size_t s = 0; s < from.attrs.size(); ++s)
      if (to.FindSlot(from.attrs[s].name) < 0)
        if (const AttrId was = before.InherentAttrsOf(x)[s]; was && !a.IsDefaultValue(from.attrs[s], was))
          return differs(fmt::format("attribute '{}' is lost", from.attrs[s].name));
  }
  return {};
}

// Returns values that no default means: some of every class.
std::vector<AttrId> NonDefaults(Module* m, const Cell& cell) {
  const auto list = [&](std::vector<int64_t> values) { return m->I64s(values); };
  const auto pairs = [&](std::vector<int64_t> values) {
    const int64_t shape[] = {int64_t(values.size() / 2), 2};
    return m->I64Elements(shape, values);
  };
  const auto accuracy = [&](double atol, double rtol, int64_t ulps, int64_t mode) {
    return m->Make(ResultAccuracyAttr{
        .atol = atol, .rtol = rtol, .ulps = ulps, .mode = m->Enum(AttrKind::kResultAccuracyMode, mode)});
  };
  const auto index_list = [&](int64_t value) {
    const int64_t dims[] = {1};
    return m->Elements(m->TensorType(dims, m->Type(TypeKind::kIndex)),
                       m->payloads.AddCopy({reinterpret_cast<const char*>(&value), sizeof value}), true);
  };
  std::vector<AttrId> values;
  switch (cell.attr_class()) {
    case AttrClass::kBool:
    case AttrClass::kFlag:
      if (cell.attr_default() != Default::kTrue) values.push_back(m->Bool(true));
      if (cell.attr_default() != Default::kFalse) values.push_back(m->Bool(false));
      break;
    case AttrClass::kI64:
      for (const int64_t v : {INT64_MIN, int64_t(-1), int64_t(0), int64_t(1), int64_t(2), INT64_MAX})
        if (!m->IsDefaultValue(cell, m->I64(v))) values.push_back(m->I64(v));
      break;
    case AttrClass::kI64s:
      values = {list({0}), list({1}), list({-1}), list({0, 1}), list({1, 0, 2}), list({INT64_MAX})};
      break;
    case AttrClass::kI64Elements:
      values = {pairs({0, 1}),       pairs({1, 0}),         pairs({-1, 0}),
                pairs({0, 0, 0, 1}), pairs({INT64_MIN, 0}), pairs({1, 1, 1, 1})};
      if (cell.attr_default() == Default::kEmptyI64s) values.push_back(pairs({0, 0}));
      break;
    case AttrClass::kType:
      for (const TypeKind kind :
           {TypeKind::kF32, TypeKind::kBF16, TypeKind::kTF32, TypeKind::kI32, TypeKind::kF64})
        values.push_back(m->TypeAttr(m->Type(kind)));
      break;
    case AttrClass::kAccuracy: {
      const double kTolerances[] = {1,
                                    -1,
                                    1e-9,
                                    std::numeric_limits<double>::denorm_min(),
                                    std::numeric_limits<double>::infinity(),
                                    std::numeric_limits<double>::quiet_NaN()};
      for (int64_t mode = 0; mode < 3; ++mode) {
        if (mode) values.push_back(accuracy(0, 0, 0, mode));
        for (const double t : kTolerances) {
          values.push_back(accuracy(t, 0, 0, mode));
          values.push_back(accuracy(0, t, 0, mode));
        }
        for (const int64_t ulps : {int64_t(1), int64_t(-1), INT64_MAX})
          values.push_back(accuracy(0, 0, ulps, mode));
      }
      break;
    }
    case AttrClass::kTilings:
      values = {m->Array({{m->Array({})}}), m->Array({{m->Array({{index_list(8)}})}}),
                m->Array({{m->Array({}), m->Array({{index_list(1)}})}})};
      break;
    default: {
      const AttrId other = OtherValue(m, m->NormalizeInherentAttr(cell, m->I64(1)));
      if (other) values.push_back(other);
    }
  }
  return values;
}

// Values of the wrong class.
std::vector<AttrId> Malformed(Module* m, const Cell& cell) {
  std::vector<AttrId> values{m->String("x"), m->Unit(), m->Opaque("other", "<attr>"),
                             m->Array({{m->String("y")}}), m->Float(m->Type(TypeKind::kF32), 1)};
  if (cell.attr_class() != AttrClass::kI64) values.push_back(m->I64(3));
  if (cell.attr_class() != AttrClass::kBool && cell.attr_class() != AttrClass::kFlag)
    values.push_back(m->Bool(true));
  std::erase_if(values, [&](AttrId v) { return m->IsDefaultValue(cell, m->NormalizeInherentAttr(cell, v)); });
  return values;
}

class StepChecks {
 public:
  explicit StepChecks(LawRun* run)
      : run_(*run), from_(RevisionOf(run->law.from)), to_(RevisionOf(run->law.to)) {}

  void Run() {
    Structure();
    if (!run_.done()) Guard();
    if (run_.done()) return;
    CheckMeaning(StepGenerator(run_.law.op), &run_);
    AnyRank();
  }

 private:
  std::vector<std::pair<SampleVariant, Module>> Samples() {
    std::vector<std::pair<SampleVariant, Module>> samples;
    for (const SampleVariant& variant : SampleVariants(run_.law.op, run_.from)) {
      samples.push_back({variant, MakeSample(run_.law.op, run_.from, variant)});
      samples.push_back(samples.back());
      Enrich(&samples.back().second);
    }
    return samples;
  }

  // Whether the result of the law can state what a sample states, by the rows.
  bool CanState(const SampleVariant& variant) const {
    if (variant.kind == SampleVariant::kValue)
      return to_.FindSlot(from_.attrs[size_t(variant.slot)].name) >= 0;
    const auto lists = [](const OpRevision& r) { return std::ranges::any_of(r.operands, &Cell::variadic); };
    if (variant.kind == SampleVariant::kLonger) return lists(to_);
    if (variant.kind == SampleVariant::kWithRegion) return to_.regions.size() == from_.regions.size();
    return true;
  }

  void Structure() {
    for (const auto& [variant, m] : Samples()) {
      const std::string name = SampleName(run_.law.op, run_.from, variant);
      // Conditions and mesh axes end at separate versions.
      if (variant.kind == SampleVariant::kBreaks || variant.kind == SampleVariant::kMeshAxes) continue;
      const auto there = run_.Apply(m);
      if (!CanState(variant)) {
        run_.Expect(!there, 1, [&] { return name + " is accepted"; });
        if (run_.done()) return;
        continue;
      }
      run_.Expect(bool(there), 1, [&] { return name + " is refused: " + Messages(there.error()); });
      if (!there) {
        if (run_.done()) return;
        continue;
      }
      if (run_.observe) run_.observe(m, *there);
      std::string found = StructuralDifference(m, *there, run_.to);
      run_.Expect(found.empty(), 0, [&] { return name + ": " + found; });
      for (const Diagnostic& d : Verify(*there, {.strictness = Strictness::kLenient}))
        if (d.severity == Severity::kError)
          run_.Expect(
              false, 0, [&] { return name + " does not verify: " + d.message; }, 0);
      if (run_.done()) return;
      const auto back = Convert(*there, run_.from);
      run_.Expect(back && FirstDifference(m, back->module,
                                          {.defaults = variant.kind != SampleVariant::kDefaults}) == "",
                  0, [&] { return name + " and back differs"; });
      if (run_.done()) return;
    }
  }

  // Every value of a lost attribute but its default is refused, and named; one of another class never gets
  // through.
  void Guard() {
    const Module sample = MakeSample(run_.law.op, run_.from);
    const OpId op = FindOp(sample, run_.law.op);
    for (size_t slot = 0; slot < from_.attrs.size(); ++slot) {
      const Cell& cell = from_.attrs[slot];
      if (to_.FindSlot(cell.name) >= 0) continue;
      Module values = sample;
      const auto attempt = [&](AttrId value, bool passes, std::string_view what) {
        Module m = values;
        m.SetInherentAttr(op, int(slot), value);
        const auto there = run_.Apply(m);
        const bool named =
            there || Messages(there.error()).find(fmt::format("'{}'", cell.name)) != std::string::npos;
        run_.Expect(bool(there) == passes && named, 1, [&] {
          return fmt::format("'{}' {} is {}", cell.name, what, there ? "accepted" : "refused");
        });
      };
      attempt({}, true, "absent");
      const AttrId written = values.DefaultOf(values.ops[op.v], int(slot));
      attempt(written, true, "with its default");
      for (const AttrId value : NonDefaults(&values, cell)) {
        attempt(value, false, "with another value");
        if (run_.done()) return;
      }
      for (const AttrId value : Malformed(&values, cell)) {
        attempt(value, false, "of another class");
        if (run_.done()) return;
      }
    }
    Lists(sample, op);
  }

  // A list with one item passes where the other revision has a single value; longer and shorter ones do not.
  void Lists(const Module& sample, OpId id) {
    const bool lists = run_.law.kind == LawKind::kDowngrade &&
                       std::ranges::any_of(from_.operands, &Cell::variadic) &&
                       !std::ranges::any_of(to_.operands, &Cell::variadic);
    if (!lists) return;
    for (uint32_t count = 0; count < 4; ++count) {
      Module m = sample;
      const ValueId operand = m.OperandsOf(m.ops[id.v])[0];
      const std::vector<ValueId> operands(count, operand);
      m.ops[id.v].first_operand = AppendTo(&ModuleLists(&m).operands, std::span(operands)).first;
      m.EditSignature(id, [&](EditedSignature& s) { s.operand_types.assign(count, m.TypeOf(operand)); });
      const auto there = run_.Apply(m);
      run_.Expect(bool(there) == (count == 1), 1,
                  [&] { return fmt::format("{} operands are {}", count, there ? "accepted" : "refused"); });
      if (run_.done()) return;
    }
  }

  // Both revisions are evaluated by the same kernel on the same operands, regions and attributes, and the
  // attributes that only one of them has are absent. So results are equal whatever the shapes are.
  void AnyRank() {
    const KernelEntry &a = KernelOf(run_.law.from), &b = KernelOf(run_.law.to);
    const bool same =
        a.kernel == b.kernel && a.picker == b.picker && a.takes == b.takes && a.reach == b.reach;
    if (same) run_.Expect(true, 6, [] { return ""; });
    run_.basis += same ? "L6: same kernel" : "L6: different kernels";
  }

  LawRun& run_;
  const OpRevision &from_, &to_;
};

}  // namespace

void CheckStep(LawRun* run) { StepChecks(run).Run(); }

namespace {

// Evaluates programs before and after a law.
class MeaningChecks {
 public:
  MeaningChecks(const Generator& generator, LawRun* run) : generator_(generator), run_(*run) {}

  void Run() {
    AtRandom();
    if (!run_.done()) OfOtherTypes();
    if (run_.exhaustive && !run_.done()) EveryStructure();
  }

 private:
  void AtRandom() {
    uint64_t tried = 0, made = 0;
    for (; tried < Most(run_.random_programs) && !run_.done(); ++tried) {
      Source source(tried + 1);
      Program program;
      made += Make(source, &program) && Compare(program, 4, false);
    }
    if (made * 50 < tried)
      run_.Expect(false, 4, [&] { return fmt::format("{} of {} choices make a program", made, tried); });
  }

  // Every variation, in the first program that has it.
  void OfOtherTypes() {
    if (!run_.law.op) return;
    constexpr uint64_t kPrograms = 6, kSeeds = 60;
    const std::vector<Variation> all = VariationsOf(run_.law.op, run_.from);
    for (size_t i = 0; i < all.size() && !run_.done(); ++i) {
      // A fast run tries a third.
      if (!run_.exhaustive && !run_.every_variation && i % 3 != run_.law.name.size() % 3) continue;
      std::string reason = "no program of these types verifies";
      where_ = all[i].Describe();
      // Few rows allow another type at one place alone.
      uint64_t left = all[i].everywhere ? kPrograms : kPrograms / 2;
      // Indices and sizes soon exceed a narrow type.
      const ElementType element = all[i].element.element;
      uint64_t wanted = IsInteger(element.kind) && BitWidth(element.kind) <= 2 ? 8 : 1;
      if (wanted > 1) left *= 4;
      for (uint64_t seed = 1; seed <= kSeeds && left && wanted && !run_.done(); ++seed) {
        Source source(i * kSeeds + seed);
        Program program;
        if (!Make(source, &program)) continue;
        --left;
        if (!Vary(run_.law.op, all[i], source, &program)) continue;
        const bool compared = Compare(program, 4, true);
        run_.variations += compared;
        wanted -= compared;
        if (compared)
          reason.clear();
        else if (!reason.empty())
          reason = "it cannot be evaluated";
      }
      if (!reason.empty()) run_.not_varied[where_] = reason;
    }
    where_.clear();
  }

  // Where the structures are too many, those that were tried are programs like any other.
  void EveryStructure() {
    const uint64_t most = grid_ ? 400 : 20000;
    const uint64_t before = run_.checks[3];
    uint64_t structures = 0;
    bool more = true;
    for (Source every = Source::Every(); more && structures < most && !run_.done(); more = every.Next()) {
      Program program;
      if (Make(every, &program)) Compare(program, 3, false);
      ++structures;
    }
    if (!more) return;
    run_.checks[3] = before;
    run_.checks[4] += structures;
  }

  // A grid takes a thread per process.
  uint64_t Most(uint64_t programs) const { return grid_ ? std::min<uint64_t>(programs, 100) : programs; }

  // Makes a program that verifies. Returns false if the choices do not make one.
  bool Make(Source& source, Program* program) {
    if (!generator_(run_.law.op, run_.from, source, program)) return false;
    if (run_.law.kind == LawKind::kDowngrade && source.Flip()) {
      const OpId id = FindOp(program->module, run_.law.op);
      for (size_t slot = 0; slot < RevisionOf(run_.law.from).attrs.size(); ++slot)
        if (RevisionOf(run_.law.to).FindSlot(RevisionOf(run_.law.from).attrs[slot].name) < 0)
          program->module.SetInherentAttr(id, int(slot),
                                          program->module.DefaultOf(program->module.ops[id.v], int(slot)));
    }
    grid_ = grid_ || !program->grid.empty();
    for (const Diagnostic& d : Verify(program->module, {.strictness = Strictness::kLenient}))
      if (d.severity == Severity::kError) return false;
    return true;
  }

  // Compares the results before and after the law with each other, and with the reference. Returns false if
  // the program cannot be evaluated; that is a failure unless its types are `varied`.
  bool Compare(const Program& program, int rung, bool varied) {
    const auto before = shlo::laws::Run(program, program.module);
    if (!before) {
      // A kernel may lack types; then nothing shows what the expansion of these does.
      const bool lacks = run_.law.kind == LawKind::kExpansion && before.error()[0].code == Code::kUnsupported;
      if (lacks && !run_.mutation) {
        const auto expanded = run_.Apply(program.module);
        run_.Expect(
            !expanded || !shlo::laws::Run(program, *expanded), rung,
            [&] { return Where() + "only the expansion can be evaluated: " + Messages(before.error()); }, 0);
      } else if (!varied)
        run_.Expect(false, rung, [&] { return "cannot be evaluated: " + Messages(before.error()); });
      return false;
    }
    if (!program.expected.empty()) {
      const std::string found = Differ(*before, program.expected, program.of_reference);
      run_.Expect(found.empty(), 2, [&] { return "the old meaning: " + found; });
    }
    const auto after = run_.Apply(program.module);
    const bool left = !after && run_.law.kind == LawKind::kExpansion && !after.error().empty() &&
                      after.error()[0].severity == Severity::kWarning;
    if (left) {
      run_.checks[1] += 1;
      return true;
    }
    if (!run_.Expect(
            bool(after), 1, [&] { return Where() + "refused: " + Messages(after.error()); }, 0))
      return true;
    if (run_.observe) run_.observe(program.module, *after);
    if (run_.law.from) {
      const std::string other = StructuralDifference(program.module, *after, run_.to);
      if (!run_.Expect(
              other.empty(), 0, [&] { return other; }, 0))
        return true;
    }
    CompareAfter(program, *before, *after, rung);
    return true;
  }

  void CompareAfter(const Program& program, const std::vector<Tensor>& before, const Module& after,
                    int rung) {
    const auto values = shlo::laws::Run(program, after);
    uint64_t elements = 0;
    for (const Tensor& value : before) elements += value.type().is_tensor() ? value.count() : 1;
    const std::string found = values ? Differ(*values, before, program.of_law) : Messages(values.error());
    run_.Expect(
        found.empty(), rung,
        [&] {
          // Few operands tell what is special about them.
          std::string text = Where() + found;
          for (const Tensor& arg : program.args)
            for (uint64_t i = 0; arg.type().is_tensor() && arg.count() <= 8 && i < arg.count(); ++i)
              text += fmt::format("{}{}", i ? ", " : "; operand ", PrintElement(arg, i));
          return text;
        },
        rung == 3 ? std::max<uint64_t>(elements, 1) : 1);
    if (program.expected.empty() || !values) return;
    const std::string other = Differ(*values, program.expected,
                                     {std::max(program.of_reference.ulps, program.of_law.ulps),
                                      std::max(program.of_reference.floor, program.of_law.floor)});
    run_.Expect(other.empty(), 2, [&] { return "the new meaning: " + other; });
  }

  std::string Where() const { return where_.empty() ? "" : where_ + ": "; }

  const Generator& generator_;
  LawRun& run_;
  bool grid_ = false;
  std::string where_;  // the variation
};

}  // namespace

void CheckMeaning(const Generator& generator, LawRun* run) { MeaningChecks(generator, run).Run(); }

}  // namespace shlo::laws
