// Plants mistakes in programs: each mutant computes or promises other things than the original, as far as
// its text shows. Only ops whose results matter are changed. None may be matched.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <functional>
#include <sstream>
#include <string>
#include <vector>

#include "ir/module/sample.h"
#include "ir/table/attr_class.h"
#include "ir/table/trait.h"
#include "prove/attempt.h"
#include "prove/contract.h"
#include "prove/other_value.h"
#include "shlo/convert.h"
#include "shlo/prove.h"
#include "shlo/text_reader.h"

namespace shlo::prove {
namespace {

TypeId OtherType(Module* m, TypeId type) {
  const auto tensor = m->As<TensorType>(type);
  if (!tensor) return {};
  std::vector<int64_t> shape(tensor->shape.begin(), tensor->shape.end());
  shape.push_back(1);
  return m->TensorType(shape, tensor->element, {});
}

// The ops whose results reach what a function or region returns, determined apart from the prover.
std::vector<bool> LiveOps(const Module& m) {
  std::vector<bool> live(m.ops.size());
  std::vector<OpId> todo{m.top};
  const auto need = [&](OpId op) {
    if (!op || live[op.v]) return;
    live[op.v] = true;
    todo.push_back(op);
  };
  while (!todo.empty()) {
    const Op& op = m.ops[todo.back().v];
    const bool top = todo.back() == m.top;
    todo.pop_back();
    for (ValueId operand : m.OperandsOf(op)) need(m.values[operand.v].op);
    for (RegionId region : m.RegionsOf(op))
      for (BlockId block : m.BlocksOf(region))
        for (OpId nested : m.OpsOf(block)) {
          const Op& n = m.ops[nested.v];
          std::string_view visibility;
          const AttrId attr = m.InherentAttrOf(n, "sym_visibility");
          const bool hidden = attr && m.AsString(attr, &visibility) && visibility == "private";
          const bool ends = n.revision && RowOf(n.revision).Has(Trait::kTerminator);
          if (ends || (top && n.revision && RowOf(n.revision).Has(Trait::kFunction) && !hidden)) need(nested);
        }
  }
  return live;
}

// Returns whether two values are the same by definition, such as constants of the same elements.
bool SameValue(const Module& m, ValueId a, ValueId b) {
  if (a == b) return true;
  const Value &x = m.values[a.v], &y = m.values[b.v];
  if (!x.op || !y.op || x.index != y.index) return false;
  const Op &p = m.ops[x.op.v], &q = m.ops[y.op.v];
  const auto u = m.OperandsOf(p), v = m.OperandsOf(q);
  return p.revision == q.revision && p.revision && !p.regions.count && !q.regions.count &&
         std::ranges::equal(m.InherentAttrsOf(p), m.InherentAttrsOf(q)) &&
         std::ranges::equal(m.DiscardableAttrsOf(p), m.DiscardableAttrsOf(q)) &&
         std::ranges::equal(u, v, [&](ValueId i, ValueId k) { return SameValue(m, i, k); });
}

bool Commutes(const Op& op) { return op.revision && RowOf(op.revision).Has(Trait::kCommutative); }

class Planter {
 public:
  using Visit = std::function<void(const Module&, const std::string&)>;
  Planter(const Module& m, const Visit& visit) : m_(m), visit_(visit), live_(LiveOps(m)) {}

  void Run() {
    for (uint32_t i = 1; i < m_.ops.size(); ++i) {
      if (!live_[i] || OpId(i) == m_.top) continue;
      const Op& op = m_.ops[i];
      if (op.revision && RowOf(op.revision).Has(Trait::kSymbol)) continue;
      Operands(op);
      InherentAttrs(op);
      Discardable(op);
      Types(op);
    }
  }

 private:
  void Operands(const Op& op) {
    const auto operands = m_.OperandsOf(op);
    for (uint32_t i = 0; i + 1 < operands.size(); ++i) {
      if (Commutes(op) || SameValue(m_, operands[i], operands[i + 1])) continue;
      Module mutant = m_;
      std::swap(mutant.operands[op.operands.first + i], mutant.operands[op.operands.first + i + 1]);
      visit_(mutant, fmt::format("operands {} and {} of '{}' swapped", i, i + 1, m_.NameOf(op)));
    }
    // Another value of the same type, from before.
    for (uint32_t i = 0; i < operands.size(); ++i)
      for (uint32_t v = operands[i].v; v-- > 1;) {
        const Value &now = m_.values[operands[i].v], &other = m_.values[v];
        if (other.type != now.type || !SameBlock(now, other) || SameValue(m_, ValueId(v), operands[i]))
          continue;
        Module mutant = m_;
        mutant.operands[op.operands.first + i] = ValueId(v);
        visit_(mutant, fmt::format("operand {} of '{}' replaced", i, m_.NameOf(op)));
        break;
      }
  }
  bool SameBlock(const Value& a, const Value& b) const {
    const auto block = [&](const Value& v) { return v.op ? m_.ops[v.op.v].parent : v.block; };
    return block(a) == block(b);
  }

  void InherentAttrs(const Op& op) {
    const auto cells = RevisionOf(op.revision).attrs;
    for (uint32_t i = 0; i < cells.size(); ++i) {
      const AttrId now = m_.InherentAttrsOf(op)[i];
      Module mutant = m_;
      AttrId other;
      if (now)
        other = OtherValue(&mutant, now);
      else if (const AttrId absent = mutant.DefaultOf(op, int(i)))
        other = OtherValue(&mutant, absent);
      if (!other || mutant.IsDefaultValue(cells[i], other)) continue;
      mutant.inherent_attrs[op.first_slot + i] = other;
      if (cells[i].attr_default() == Default::kTextOnly && !now) continue;  // VHLO has lost it
      visit_(mutant, fmt::format("'{}' of '{}' changed", cells[i].name, m_.NameOf(op)));
    }
  }

  void Discardable(const Op& op) {
    for (uint32_t i = 0; i < op.discardable.count; ++i) {
      Module mutant = m_;
      NamedAttr& attr = mutant.discardable_attrs[op.discardable.first + i];
      const AttrId other = OtherValue(&mutant, attr.value);
      if (!other) continue;
      attr.value = other;
      visit_(mutant, fmt::format("'{}' of '{}' changed", m_.strings[attr.name], m_.NameOf(op)));
    }
  }

  void Types(const Op& op) {
    for (uint32_t i = 0; i < op.results.count; ++i) {
      Module mutant = m_;
      const TypeId other = OtherType(&mutant, mutant.values[op.results.first + i].type);
      if (!other) continue;
      mutant.values[op.results.first + i].type = other;
      visit_(mutant, fmt::format("type of result {} of '{}' changed", i, m_.NameOf(op)));
    }
  }

  const Module& m_;
  const Visit& visit_;
  const std::vector<bool> live_;
};

struct Numbers {
  size_t programs = 0, mutants = 0;
  std::vector<std::string> missed;
};

// Returns whether both programs are equal by congruence and laws, contract included.
bool Matched(const Module& a, const Module& b) {
  const auto attempt = Attempt::Make(a, b, Form::kSteps, {});
  if (!attempt) return false;
  std::vector<std::string_view> names;
  for (RegionId region : a.RegionsOf(a.ops[a.top.v]))
    for (BlockId block : a.BlocksOf(region))
      for (OpId op : a.OpsOf(block))
        if (const std::string_view name = a.SymbolOf(a.ops[op.v]);
            !name.empty() && a.ops[op.v].revision && RowOf(a.ops[op.v].revision).Has(Trait::kFunction))
          names.push_back(name);
  (*attempt)->Compare(names);
  if (!(*attempt)->ContractOfModules().empty()) return false;
  return std::ranges::all_of(names, [&](std::string_view name) {
    return (*attempt)->Equal(name) && (*attempt)->ContractOf(name).empty();
  });
}

void PlantIn(const Module& m, const std::string& name, Numbers* n) {
  ASSERT_TRUE(Matched(m, m)) << name;
  ++n->programs;
  const Planter::Visit visit = [&](const Module& mutant, const std::string& change) {
    ++n->mutants;
    if (Matched(m, mutant)) n->missed.push_back(name + ": " + change);
  };
  Planter(m, visit).Run();
}

std::string ReadFile(const std::filesystem::path& path) {
  std::ifstream in(path, std::ios::binary);
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

// No mistake in a sample of any op at its newest version is matched.
TEST(Mutants, OfSamplesAreNotMatched) {
  Numbers n;
  for (uint16_t r = 1; r < OpRows().size(); ++r) {
    const Version version = std::min(RevisionOf(NewestRevision(RowId{r})).until, kCurrentVersion);
    for (const SampleVariant& variant : SampleVariants(RowId{r}, version))
      PlantIn(MakeSample(RowId{r}, version, variant), SampleName(RowId{r}, version, variant), &n);
  }
  EXPECT_GT(n.mutants, 1000u);
  EXPECT_EQ(n.missed, std::vector<std::string>());
}

TEST(Mutants, OfTestFilesAreNotMatched) {
  Numbers n;
  for (const auto& file : std::filesystem::directory_iterator(SHLO_SOURCE_DIR "/tests/roundtrip")) {
    if (file.path().extension() != ".mlir" || file.path().filename().string().starts_with("bad-")) continue;
    const std::string text = ReadFile(file.path());
    const auto m = ReadText(text, nullptr);
    if (m) PlantIn(*m, file.path().filename().string(), &n);
  }
  EXPECT_GT(n.programs, 20u);
  EXPECT_GT(n.mutants, 300u);
  EXPECT_EQ(n.missed, std::vector<std::string>());
}

}  // namespace
}  // namespace shlo::prove
