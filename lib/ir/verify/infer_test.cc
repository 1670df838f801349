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
    module.EditSignature(id, [](EditedSignature& s) { s.result_types.clear(); });
    const auto types = InferResults(&module, id);
    if (!types) {
      // Its rule compares the written type itself.
      if (module.NameOf(op) == "shape.const_shape") return;
      EXPECT_EQ(types.error()[0].code, Code::kUnsupported) << name << ": " << types.error()[0].message;
      return;
    }
    ASSERT_EQ(types->size(), module.NumResults(op)) << name;
    for (uint32_t i = 0; i < module.NumResults(op); ++i)
      EXPECT_TRUE(CompatibleTypes(module, (*types)[i], module.TypeOf(module.ResultOf(op, i)))) << name;
    if (module.NumResults(op)) inferred.insert(RevisionOf(module.RevisionIdOf(op)).row);
  });
  EXPECT_GT(inferred.size(), 90u);
}

// Results without sizes get those that the types of samples have, or stay as they are.
TEST(RefineResults, FindsTheSizesOfSamples) {
  std::set<RowId> refined;
  ForEachSample([&](const Module& sample, OpId id, const std::string& name) {
    if (HasErrors(Verify(sample))) return;
    Module module = sample;
    const Op op = module.ops[id.v];
    std::vector<TypeId> written, dynamic;
    for (uint32_t i = 0; i < module.NumResults(op); ++i) {
      written.push_back(module.TypeOf(module.ResultOf(op, i)));
      const ShapedType type(module, written.back());
      const std::vector<int64_t> shape(type.shape.size(), kDynamic);
      const bool ranked = type.ranked && !type.encoding;
      dynamic.push_back(ranked ? module.TensorType(shape, type.element) : written.back());
      module.values[op.first_result + i].type = dynamic.back();
    }
    module.EditSignature(id, [&](EditedSignature& s) { s.result_types = dynamic; });
    const auto types = RefineResults(&module, id);
    if (!types) return;  // its results must have sizes
    ASSERT_EQ(types->size(), written.size()) << name;
    for (size_t i = 0; i < written.size(); ++i) {
      EXPECT_TRUE(CompatibleTypes(module, (*types)[i], written[i])) << name;
      if ((*types)[i] != dynamic[i]) refined.insert(RevisionOf(module.RevisionIdOf(op)).row);
    }
  });
  EXPECT_GT(refined.size(), 90u);
}

// Rules may rely on what was checked before, and on nothing else: sanitizers see it if they do not.
TEST(InferResults, SurvivesWrongOps) {
  std::mt19937 random(1);
  const auto below = [&](size_t n) { return uint32_t(random() % n); };
  size_t refused = 0;
  ForEachSample([&](const Module& sample, OpId id, const std::string&) {
    for (int round = 0; round < 12; ++round) {
      Module module = sample;
      EditedSignature op(module.SignatureOf(module.ops[id.v]));
      op.result_types.clear();
      const TypeId types[] = {
          module.TensorType({}, module.Type(TypeKind::kF32)),
          module.TensorType(std::vector<int64_t>{2, kDynamic, 3}, module.Type(TypeKind::kI64)),
          module.TensorType(std::vector<int64_t>{0}, module.Type(TypeKind::kI1)),
          module.Make(UnrankedTensorType{.element = module.Type(TypeKind::kF32)}),
          module.Type(TypeKind::kToken)};
      const auto operands = module.OperandsOf(module.ops[id.v]);
      for (size_t i = 0; i < operands.size(); ++i)
        if (below(3) == 0)
          module.values[operands[i].v].type = op.operand_types[i] = types[below(std::size(types))];
      if (!operands.empty() && below(3) == 0) op.operand_types.pop_back();
      const size_t slots = op.inherent_attrs.size();
      if (slots && below(2) == 0) {
        const std::vector<int64_t> odd = {-1, 7, int64_t(below(5)), INT64_MAX};
        op.inherent_attrs[below(slots)] = below(2) ? AttrId() : module.I64s(std::span(odd).first(below(5)));
      }
      module.SetSignature(id, op.view());
      refused += !InferResults(&module, id);
    }
  });
  EXPECT_GT(refused, 100u);
}

}  // namespace
}  // namespace shlo
