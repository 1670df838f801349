#include "ir/verify/infer.h"

#include <gtest/gtest.h>

#include <random>
#include <set>

#include "ir/module/sample.h"
#include "shlo/types.h"
#include "shlo/verify.h"

namespace shlo {
namespace {

// Calls visit(module, op, name) for a sample of each op at the newest version.
template <typename Visit>
void ForEachSample(const Visit& visit) {
  for (uint16_t i = 1; i < OpRows().size(); ++i)
    for (const SampleVariant& variant : SampleVariants(RowId{i}, kCurrentVersion)) {
      const Module module = MakeSample(RowId{i}, kCurrentVersion, variant);
      if (const OpId op = FindOp(module, RowId{i}))
        visit(module, op, SampleName(RowId{i}, kCurrentVersion, variant));
    }
}

TEST(InferResults, AgreesWithTheTypesOfSamples) {
  std::set<RowId> inferred;
  ForEachSample([&](const Module& sample, OpId id, const std::string& name) {
    // Samples satisfy MLIR's rules, not all constraints.
    if (HasErrors(Verify(sample))) return;
    Module module = sample;
    const Op op = module.ops[id.v];
    module.ops[id.v].results.count = 0;
    const auto types = InferResults(&module, id);
    if (!types) {
      // Its rule compares the written type itself.
      if (module.NameOf(op) == "shape.const_shape") return;
      EXPECT_EQ(types.error()[0].code, Code::kUnsupported) << name << ": " << types.error()[0].message;
      return;
    }
    ASSERT_EQ(types->size(), op.results.count) << name;
    for (uint32_t i = 0; i < op.results.count; ++i)
      EXPECT_TRUE(CompatibleTypes(module, (*types)[i], module.TypeOf(module.ResultOf(op, i)))) << name;
    if (op.results.count) inferred.insert(RevisionOf(op.revision).row);
  });
  EXPECT_GT(inferred.size(), 90u);
}

// Rules may rely on what was checked before, and on nothing else: sanitizers see it if they do not.
TEST(InferResults, SurvivesWrongOps) {
  std::mt19937 random(1);
  const auto below = [&](size_t n) { return uint32_t(random() % n); };
  size_t refused = 0;
  ForEachSample([&](const Module& sample, OpId id, const std::string&) {
    for (int round = 0; round < 12; ++round) {
      Module module = sample;
      Op& op = module.ops[id.v];
      op.results.count = 0;
      const TypeId types[] = {
          module.TensorType({}, module.Type(TypeKind::kF32)),
          module.TensorType(std::vector<int64_t>{2, kDynamic, 3}, module.Type(TypeKind::kI64)),
          module.TensorType(std::vector<int64_t>{0}, module.Type(TypeKind::kI1)),
          module.Make(UnrankedTensorType{.element = module.Type(TypeKind::kF32)}),
          module.Type(TypeKind::kToken)};
      for (uint32_t i = 0; i < op.operands.count; ++i)
        if (below(3) == 0)
          module.values[module.operands[op.operands.first + i].v].type = types[below(std::size(types))];
      if (op.operands.count && below(3) == 0) --op.operands.count;
      const size_t slots = RevisionOf(op.revision).attrs.size();
      if (slots && below(2) == 0) {
        AttrId& slot = module.inherent_attrs[op.first_slot + below(slots)];
        const std::vector<int64_t> odd = {-1, 7, int64_t(below(5)), INT64_MAX};
        slot = below(2) ? AttrId() : module.I64s(std::span(odd).first(below(5)));
      }
      refused += !InferResults(&module, id);
    }
  });
  EXPECT_GT(refused, 100u);
}

}  // namespace
}  // namespace shlo
