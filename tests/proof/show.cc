// Prints programs before and after a law as JSON, for the solver (smt.py).
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "law_checks.h"
#include "programs.h"
#include "shlo/types.h"
#include "shlo/verify.h"
#include "versioning/expand/recipe.h"

namespace shlo::laws {
namespace {

class Printer {
 public:
  explicit Printer(const Module& m) : m_(m) {}

  std::string Function(std::string_view name) {
    for (uint32_t i = 1; i < m_.ops.size(); ++i)
      if (m_.SymbolOf(m_.ops[i]) == name && m_.ops[i].regions.count)
        return Region(m_.RegionsOf(m_.ops[i])[0]);
    return "null";
  }
  std::string Functions() {
    std::string out;
    for (uint32_t i = 1; i < m_.ops.size(); ++i)
      if (const std::string_view name = m_.SymbolOf(m_.ops[i]); !name.empty() && m_.ops[i].regions.count)
        out += fmt::format("{}\"{}\": {}", out.empty() ? "" : ", ", name, Function(name));
    return "{" + out + "}";
  }

 private:
  std::string Ints(const std::vector<int64_t>& values) {
    return fmt::format("[{}]", fmt::join(values, ", "));
  }

  std::string Type(TypeId type) {
    const ShapedType shaped(m_, type);
    if (!shaped.element) return "\"other\"";
    const auto element = ElementTypeOf(m_, shaped.element);
    Dims shape;
    for (int64_t d = 0; d < shaped.rank(); ++d) shape.push_back(shaped.dim(d));
    return fmt::format("[\"{}\", {}]", element ? ElementName(*element) : "other", Ints(shape));
  }

  std::string Attr(AttrId attr) {
    int64_t number = 0;
    std::vector<int64_t> list;
    std::string_view text;
    if (const auto e = m_.As<ElementsAttr>(attr)) {
      const auto tensor = TensorFromAttr(m_, attr);
      if (!tensor) return "\"?\"";
      std::vector<uint64_t> bits;
      for (uint64_t i = 0; i < tensor->count(); ++i)
        for (int part = 0; part < (tensor->element().complex ? 2 : 1); ++part)
          bits.push_back(ElementBits(*tensor, i, part));
      return fmt::format("[{}]", fmt::join(bits, ", "));
    }
    if (m_.AsI64s(attr, &list)) return Ints(list);
    if (m_.AsInteger(attr, &number)) return std::to_string(number);
    if (const auto v = m_.As<DenseArrayAttr>(attr)) {
      for (char c : m_.payloads[v->payload].bytes()) list.push_back(c);
      return Ints(list);
    }
    if (const auto value = m_.EnumValue(attr)) return std::to_string(*value);
    if (m_.AsSymbol(attr, &text)) return fmt::format("\"{}\"", text);
    return fmt::format("\"node {}\"", attr.v);
  }

  std::string Region(RegionId region) {
    const BlockId block = m_.BlocksOf(region)[0];
    std::string args, ops;
    for (uint32_t i = 0; i < m_.blocks[block.v].args.count; ++i) {
      const ValueId arg = m_.ArgOf(block, i);
      args += fmt::format("{}[{}, {}]", args.empty() ? "" : ", ", arg.v, Type(m_.TypeOf(arg)));
    }
    for (OpId id : m_.OpsOf(block)) ops += (ops.empty() ? "" : ", ") + OneOp(m_.ops[id.v]);
    return fmt::format("{{\"args\": [{}], \"ops\": [{}]}}", args, ops);
  }

  std::string OneOp(const Op& op) {
    std::string operands, results, attrs, regions;
    for (ValueId operand : m_.OperandsOf(op))
      operands += fmt::format("{}{}", operands.empty() ? "" : ", ", operand.v);
    for (uint32_t i = 0; i < m_.NumResults(op); ++i) {
      const ValueId result = m_.ResultOf(op, i);
      results += fmt::format("{}[{}, {}]", results.empty() ? "" : ", ", result.v, Type(m_.TypeOf(result)));
    }
    if (m_.RevisionIdOf(op))
      for (size_t slot = 0; slot < RevisionOf(m_.RevisionIdOf(op)).attrs.size(); ++slot)
        if (const AttrId attr = m_.InherentAttrsOf(op)[slot]) {
          attrs += fmt::format("{}\"{}\": {}", attrs.empty() ? "" : ", ",
                               RevisionOf(m_.RevisionIdOf(op)).attrs[slot].name, Attr(attr));
          // The number of groups, which the list of their processes does not tell.
          if (const auto groups = m_.As<ElementsAttr>(attr);
              groups && RevisionOf(m_.RevisionIdOf(op)).attrs[slot].name == "replica_groups")
            attrs += fmt::format(", \"#rows\": {}", ShapedType(m_, groups->type).dim(0));
        }
    for (RegionId region : m_.RegionsOf(op)) regions += (regions.empty() ? "" : ", ") + Region(region);
    const std::string_view vhlo = m_.RevisionIdOf(op) ? VhloName(m_.RevisionIdOf(op)) : std::string_view();
    return fmt::format(
        "{{\"op\": \"{}\", \"operands\": [{}], \"results\": [{}], \"attrs\": {{{}}}, \"regions\": [{}]}}",
        vhlo.empty() ? m_.NameOf(op) : vhlo, operands, results, attrs, regions);
  }

  const Module& m_;
};

}  // namespace

void Show(const LawRow& law, uint64_t count) {
  LawRun run{law};
  run.from = run.to = kCurrentVersion;
  if (law.kind == LawKind::kUpgrade) {
    run.to = RevisionOf(law.to).since;
    run.from = Version{uint16_t(run.to.n - 1)};
  } else if (law.kind == LawKind::kDowngrade) {
    run.from = RevisionOf(law.from).since;
    run.to = Version{uint16_t(run.from.n - 1)};
  } else if (law.kind == LawKind::kProgram) {
    return;
  }
  const std::vector<Generator> generators = law.kind == LawKind::kExpansion
                                                ? ExpansionGenerators(law.op)
                                                : std::vector<Generator>{StepGenerator(law.op)};
  uint64_t shown = 0;
  for (uint64_t seed = 1; shown < count && seed < 400; ++seed) {
    Source source(seed);
    Program program;
    if (!generators[seed % generators.size()](law.op, run.from, source, &program)) continue;
    uint64_t elements = 0;
    for (const Tensor& arg : program.args) elements += arg.type().is_tensor() ? arg.count() : 0;
    if (elements == 0 || elements > 24) continue;
    bool wrong = false;
    for (const Diagnostic& d : Verify(program.module, {.strictness = Strictness::kLenient}))
      wrong |= d.severity == Severity::kError;
    const auto after = run.Apply(program.module);
    if (wrong || !after) continue;
    std::string grid;
    for (const std::string& function : program.grid)
      grid += fmt::format("{}\"{}\"", grid.empty() ? "" : ", ", function);
    fmt::print("{{\"before\": {}, \"after\": {}, \"grid\": [{}], \"partitions\": {}}}\n",
               Printer(program.module).Functions(), Printer(*after).Functions(), grid, program.partitions);
    ++shown;
  }
}

}  // namespace shlo::laws
