// Chains against the same ops one at a time: evaluation that returns intermediate values has no chains.
#include "eval/element_chain.h"

#include <gtest/gtest.h>

#include <random>

#include "eval/evaluator.h"
#include "eval/frame.h"
#include "eval/test_program.h"
#include "ir/module/lists.h"
#include "shlo/print.h"
#include "shlo/random_tensor.h"

namespace shlo {
namespace {

struct Generated {
  TestProgram program;
  std::vector<Tensor> args;
};

// A program of element-wise ops, broadcasts and reductions on tensors of one shape, some used more than once.
void Generate(uint32_t seed, Generated* out) {
  std::mt19937 random(seed);
  const auto below = [&](uint32_t n) { return uint32_t(random() % n); };
  static const std::vector<int64_t> kShapes[] = {{1024}, {37, 48}, {3, 64, 50}, {2, 5000}, {4, 1, 700}};
  const std::vector<int64_t> shape = kShapes[below(5)];
  TestProgram& p = out->program;
  Module& m = p.module();
  const TypeId type = p.Tensor(TypeKind::kF32, shape), scalar = p.Tensor(TypeKind::kF32);
  const TypeId mask = p.Tensor(TypeKind::kI1, shape);
  std::vector<TypeId> types = {type, type, scalar, mask};
  std::vector<std::vector<int64_t>> kept;  // dimensions of the operands of broadcasts
  for (size_t first = 0; first < shape.size(); ++first)
    for (size_t last = first; last < shape.size(); ++last) {
      std::vector<int64_t> dims, extents;
      for (size_t d = first; d <= last; ++d) dims.push_back(int64_t(d)), extents.push_back(shape[d]);
      kept.push_back(dims);
      types.push_back(p.Tensor(TypeKind::kF32, extents));
    }
  const size_t results = 1 + below(3);
  p.Function("main", types, std::vector<TypeId>(results, type), [&](std::vector<ValueId> args) {
    std::vector<ValueId> values = {args[0], args[1]}, masks = {args[3]};
    const auto any = [&](const std::vector<ValueId>& from) { return from[below(uint32_t(from.size()))]; };
    for (uint32_t i = 0; i < 30; ++i) {
      const uint32_t kind = below(10);
      if (kind < 4) {
        const char* const names[] = {"add", "subtract", "multiply", "maximum", "divide"};
        values.push_back(
            p.Op(std::string("stablehlo.") + names[below(5)], {any(values), any(values)}, {type}));
      } else if (kind == 4) {
        const char* const names[] = {"negate", "abs", "logistic", "floor"};
        values.push_back(p.Op(std::string("stablehlo.") + names[below(4)], {any(values)}, {type}));
      } else if (kind == 5) {
        values.push_back(p.Op("stablehlo.select", {any(masks), any(values), any(values)}, {type}));
      } else if (kind == 6) {
        values.push_back(p.Op("stablehlo.clamp", {args[2], any(values), args[2]}, {type}));
      } else if (kind == 7) {
        const std::vector<int64_t> none;
        values.push_back(
            p.Op("stablehlo.broadcast_in_dim", {args[2]}, {type}, {{"broadcast_dimensions", m.I64s(none)}}));
      } else {
        const uint32_t k = below(uint32_t(kept.size()));
        values.push_back(p.Op("stablehlo.broadcast_in_dim", {args[4 + k]}, {type},
                              {{"broadcast_dimensions", m.I64s(kept[k])}}));
      }
    }
    std::vector<ValueId> returned;
    for (size_t i = 0; i < results; ++i) returned.push_back(i == 0 ? values.back() : any(values));
    return returned;
  });
  p.Done();
  for (size_t i = 0; i < types.size(); ++i) {
    const ValueTypePtr t = TensorTypeOf(m, types[i]);
    out->args.push_back(i < 2 && below(4) == 0 ? Tensor::Copy(t, std::string("\0\0\x80\x3f", 4), true)
                                               : RandomTensor(t, seed + i));
  }
}

TEST(ElementChain, EqualsSingleOps) {
  for (uint32_t seed = 0; seed < 300; ++seed) {
    Generated g;
    Generate(seed, &g);
    const Module& module = g.program.module();
    EvalOptions options;
    Evaluator single(module, options);
    std::vector<Tensor> intermediates;
    const auto expected = single.Run(single.FindFunction(""), g.args, &intermediates);
    ASSERT_TRUE(expected) << Render(expected.error()[0]);
    for (const uint32_t threads : {1u, 3u}) {
      options.limits.threads = threads;
      const auto result = Evaluate(module, "", g.args, options);
      ASSERT_TRUE(result) << Render(result.error()[0]);
      ASSERT_EQ(result->results.size(), expected->results.size());
      for (size_t i = 0; i < expected->results.size(); ++i)
        ASSERT_TRUE(BitEqual(result->results[i], expected->results[i]))
            << "seed " << seed << ", result " << i;
    }
  }
}

// Evaluates `x` -> max(x * scale + bias, 0), where scale and bias are broadcast.
std::unique_ptr<TestProgram> Normalization(std::vector<int64_t> shape) {
  auto p = std::make_unique<TestProgram>();
  const TypeId type = p->Tensor(TypeKind::kF32, shape), row = p->Tensor(TypeKind::kF32, {shape.back()});
  const std::vector<int64_t> last = {int64_t(shape.size()) - 1};
  p->Function("main", {type, row, row}, {type}, [&](std::vector<ValueId> args) {
    const auto broadcast = [&](ValueId v) {
      return p->Op("stablehlo.broadcast_in_dim", {v}, {type},
                   {{"broadcast_dimensions", p->module().I64s(last)}});
    };
    const ValueId scaled = p->Op("stablehlo.multiply", {args[0], broadcast(args[1])}, {type});
    const ValueId sum = p->Op("stablehlo.add", {scaled, broadcast(args[2])}, {type});
    return std::vector<ValueId>{p->Op("stablehlo.abs", {sum}, {type})};
  });
  p->Done();
  return p;
}

std::vector<Tensor> RandomArguments(const Module& module) {
  const auto types = ArgumentTypes(module, "");
  std::vector<Tensor> args;
  for (const ValueTypePtr& type : *types) args.push_back(RandomTensor(type, args.size()));
  return args;
}

// No result but the last one, and no broadcast, takes memory.
TEST(ElementChain, TakesMemoryForOneResult) {
  const auto p = Normalization({300, 1000});
  const Module& module = p->module();
  const std::vector<Tensor> args = RandomArguments(module);
  EvalProfile profile;
  EvalOptions options;
  options.profile = &profile;
  ASSERT_TRUE(Evaluate(module, "", args, options));
  EXPECT_EQ(profile.peak_bytes, 300u * 1000 * 4);
  EXPECT_EQ(profile.ops["stablehlo.multiply"].runs, 1u);
  EXPECT_EQ(profile.ops["stablehlo.multiply"].bytes, 0u);
  EXPECT_EQ(profile.ops["stablehlo.abs"].bytes, 300u * 1000 * 4);
}

// Every op of a chain counts as a step.
TEST(ElementChain, CountsSteps) {
  const auto p = Normalization({100, 100});
  const std::vector<Tensor> args = RandomArguments(p->module());
  EvalOptions options;
  options.limits.max_steps = 6;  // two broadcasts, three ops and the return
  EXPECT_TRUE(Evaluate(p->module(), "", args, options));
  options.limits.max_steps = 5;
  const auto stopped = Evaluate(p->module(), "", args, options);
  ASSERT_FALSE(stopped);
  EXPECT_EQ(stopped.error()[0].code, Code::kLimit);
}

// A value that is not defined yet is an error, whether its op is deferred or not.
TEST(ElementChain, RefusesUseBeforeDefinition) {
  TestProgram p;
  const TypeId type = p.Tensor(TypeKind::kF32, {2000});
  p.Function("main", {type}, {type}, [&](std::vector<ValueId> args) {
    const ValueId early = p.Op("stablehlo.add", {args[0], args[0]}, {type});
    const ValueId late = p.Op("stablehlo.multiply", {early, args[0]}, {type});
    const ValueId last = p.Op("stablehlo.subtract", {late, early}, {type});
    // The first op uses the result of the second one.
    Module& m = p.module();
    const Op& op = m.ops[m.values[early.v].op.v];
    ModuleLists(&m).operands[op.first_operand + 1] = late;
    return std::vector<ValueId>{last};
  });
  p.Done();
  const std::vector<Tensor> args = {RandomTensor(TensorTypeOf(p.module(), type), 1)};
  const auto result = Evaluate(p.module(), "", args, {});
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error()[0].code, Code::kInvalidProgram);
}

}  // namespace
}  // namespace shlo
