// Pairs of programs, as text, that congruence must match, and others that it must not.
#include <gtest/gtest.h>

#include <string>

#include "shlo/prove.h"
#include "shlo/text_reader.h"

namespace shlo {
namespace {

Module Read(const std::string& text) {
  const Buffer owner = std::make_shared<std::string>(text);
  auto m = ReadText(*static_cast<const std::string*>(owner.get()), owner);
  EXPECT_TRUE(m) << (m ? "" : Render(m.error()[0])) << text;
  return m ? std::move(*m) : Module();
}

Proof ProveTexts(const std::string& a, const std::string& b) {
  ProveOptions options;
  options.max_inputs = 16;
  const auto proof = Prove(Read(a), Read(b), options);
  EXPECT_TRUE(proof);
  return proof ? *proof : Proof();
}

std::string Details(const Proof& proof) {
  std::string out;
  for (const FunctionProof& f : proof.functions) {
    out += "@" + f.function + ": " + f.detail + "\n";
    for (const Diagnostic& d : f.contract) out += "  " + d.message + "\n";
  }
  for (const Diagnostic& d : proof.contract) out += d.message + "\n";
  return out;
}

void Same(const std::string& a, const std::string& b) {
  for (const auto& proof : {ProveTexts(a, b), ProveTexts(b, a), ProveTexts(a, a)}) {
    EXPECT_EQ(proof.verdict, Verdict::kEqual) << a << b << Details(proof);
    EXPECT_EQ(proof.evidence, Evidence::kCongruence) << a << b << Details(proof);
  }
}

// Neither equal nor known to be different: nobody can evaluate these programs.
void NotCovered(const std::string& a, const std::string& b) {
  for (const auto& proof : {ProveTexts(a, b), ProveTexts(b, a)}) {
    EXPECT_EQ(proof.verdict, Verdict::kNotCovered) << a << b << Details(proof);
  }
}

void OtherContract(const std::string& a, const std::string& b, const std::string& message) {
  for (const auto& proof : {ProveTexts(a, b), ProveTexts(b, a)}) {
    EXPECT_EQ(proof.verdict, Verdict::kOtherContract) << a << b << Details(proof);
    EXPECT_NE(Details(proof).find(message), std::string::npos) << Details(proof);
  }
}

// A function of two f32 vectors with these ops.
std::string Main(const std::string& body) {
  return "func.func @main(%a: tensor<4xf32>, %b: tensor<4xf32>) -> tensor<4xf32> {\n" + body + "\n}\n";
}

TEST(Congruence, OrderAndDuplicatesAndDeadOpsDoNotMatter) {
  Same(Main("%0 = stablehlo.sine %a : tensor<4xf32>\n"
            "%1 = stablehlo.cosine %b : tensor<4xf32>\n"
            "%2 = stablehlo.subtract %0, %1 : tensor<4xf32>\n"
            "return %2 : tensor<4xf32>"),
       Main("%y = stablehlo.cosine %b : tensor<4xf32>\n"
            "%dead = stablehlo.tanh %y : tensor<4xf32>\n"
            "%x = stablehlo.sine %a : tensor<4xf32>\n"
            "%again = stablehlo.sine %a : tensor<4xf32>\n"
            "%2 = stablehlo.subtract %again, %y : tensor<4xf32>\n"
            "return %2 : tensor<4xf32>"));
}

TEST(Congruence, ConstantsAreEqualByTheirElements) {
  Same(Main("%0 = stablehlo.constant dense<2.0> : tensor<4xf32>\n"
            "%1 = stablehlo.add %a, %0 : tensor<4xf32>\n"
            "%2 = stablehlo.multiply %1, %0 : tensor<4xf32>\n"
            "return %2 : tensor<4xf32>"),
       Main("%0 = stablehlo.constant dense<[2.0, 2.0, 2.0, 2.0]> : tensor<4xf32>\n"
            "%1 = stablehlo.constant dense<\"0x00000040000000400000004000000040\"> : tensor<4xf32>\n"
            "%2 = stablehlo.add %a, %1 : tensor<4xf32>\n"
            "%3 = stablehlo.multiply %2, %0 : tensor<4xf32>\n"
            "return %3 : tensor<4xf32>"));
}

// An op that nobody can evaluate, so that nothing but congruence decides.
std::string Unknown(const std::string& constant, const std::string& op = "\"other.op\"(%a, %c)") {
  return Main("%c = stablehlo.constant dense<" + constant + "> : tensor<4xf32>\n%0 = " + op +
              " : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>\nreturn %0 : tensor<4xf32>");
}

TEST(Congruence, ComparesConstantsBitByBit) {
  Same(Unknown("0.0"), Unknown("[0.0, 0.0, 0.0, 0.0]"));
  NotCovered(Unknown("0.0"), Unknown("-0.0"));
  NotCovered(Unknown("0x7FC00000"), Unknown("0x7FC00001"));
  NotCovered(Unknown("1.0"), Unknown("[1.0, 1.0, 1.0, 2.0]"));
}

TEST(Congruence, ComparesUnknownOpsBitByBit) {
  Same(Unknown("1.0", "\"other.op\"(%a, %c) {x = #other.y<\"z\">}"),
       Unknown("1.0", "\"other.op\"(%a, %c) {x = #other.y<\"z\">}"));
  NotCovered(Unknown("1.0"), Unknown("1.0", "\"other.po\"(%a, %c)"));
  NotCovered(Unknown("1.0"), Unknown("1.0", "\"other.op\"(%c, %a)"));
  NotCovered(Unknown("1.0"), Unknown("1.0", "\"other.op\"(%a, %c) {x}"));
  NotCovered(Unknown("1.0", "\"other.op\"(%a, %c) {x = #other.y<\"z\">}"),
             Unknown("1.0", "\"other.op\"(%a, %c) {x = #other.y<\"Z\">}"));
  NotCovered(Unknown("1.0", "\"other.op\"(%a, %c) {x = 1 : i32}"),
             Unknown("1.0", "\"other.op\"(%a, %c) {x = 1 : i64}"));
}

// Two private functions, and what @main returns of them.
std::string Calls(const std::string& f, const std::string& g, const std::string& called) {
  const auto function = [](const std::string& name, const std::string& op) {
    return "func.func private @" + name + "(%x: tensor<4xf32>) -> tensor<4xf32> {\n%0 = \"other." + op +
           "\"(%x) : (tensor<4xf32>) -> tensor<4xf32>\nreturn %0 : tensor<4xf32>\n}\n";
  };
  return "module {\n" +
         Main("%0 = call @" + called + "(%a) : (tensor<4xf32>) -> tensor<4xf32>\nreturn %0 : tensor<4xf32>") +
         function("f", f) + function("g", g) + "}\n";
}

TEST(Congruence, FollowsCallsWhateverTheirNames) {
  Same(Calls("one", "two", "f"), Calls("two", "one", "g"));
  NotCovered(Calls("one", "two", "f"), Calls("one", "two", "g"));
  NotCovered(Calls("one", "two", "f"), Calls("two", "one", "f"));
}

TEST(Congruence, FollowsSymbolsInTextOfUnknownDialects) {
  const auto program = [](const std::string& op) {
    return "module {\n" +
           Main(
               "%0 = \"other.run\"(%a) {f = #other.ref<@f>} : (tensor<4xf32>) -> tensor<4xf32>\n"
               "return %0 : tensor<4xf32>") +
           "func.func private @f(%x: tensor<4xf32>) -> tensor<4xf32> {\n%0 = stablehlo." + op +
           " %x : tensor<4xf32>\nreturn %0 : tensor<4xf32>\n}\n}\n";
  };
  Same(program("sine"), program("sine"));
  NotCovered(program("sine"), program("cosine"));
}

// Side effects: `first` and `second` are targets of custom calls.
std::string Effects(const std::string& first, const std::string& second, bool effect = true) {
  const auto call = [&](const std::string& target) {
    return "stablehlo.custom_call @" + target + "(%a) {has_side_effect = " + (effect ? "true" : "false") +
           "} : (tensor<4xf32>) -> tensor<4xf32>\n";
  };
  return Main("%0 = " + call(first) + "%1 = " + call(second) + "return %b : tensor<4xf32>");
}

TEST(Congruence, KeepsTheOrderOfSideEffects) {
  Same(Effects("x", "y"), Effects("x", "y"));
  NotCovered(Effects("x", "y"), Effects("y", "x"));
  NotCovered(Effects("x", "x"), Effects("x", "y"));
  NotCovered(Effects("x", "x"), Main("%0 = stablehlo.custom_call @x(%a) {has_side_effect = true} : "
                                     "(tensor<4xf32>) -> tensor<4xf32>\nreturn %b : tensor<4xf32>"));
  Same(Effects("x", "y", false), Effects("y", "x", false));
  Same(Effects("x", "y", false), Main("return %b : tensor<4xf32>"));
  OtherContract(Effects("x", "y"), Effects("x", "y", false), "attribute 'has_side_effect'");
}

TEST(Congruence, TellsResultsOfSideEffectsApart) {
  const auto program = [](const std::string& result) {
    const std::string call =
        "= stablehlo.custom_call @x(%a) {has_side_effect = true} : (tensor<4xf32>) -> tensor<4xf32>\n";
    return Main("%0 " + call + "%1 " + call + "%2 = stablehlo.add " + result + ", " + result +
                " : tensor<4xf32>\nreturn %2 : tensor<4xf32>");
  };
  Same(program("%0"), program("%0"));
  NotCovered(program("%0"), program("%1"));
}

TEST(Congruence, EvaluationDoesNotSeeSideEffects) {
  NotCovered(Main("%z = stablehlo.constant dense<0.0> : tensor<f32>\n"
                  "%s = stablehlo.constant dense<4> : tensor<1xi64>\n"
                  "%0 = stablehlo.rng %z, %z, %s, distribution = UNIFORM : (tensor<f32>, tensor<f32>, "
                  "tensor<1xi64>) -> tensor<4xf32>\nreturn %b : tensor<4xf32>"),
             Main("return %b : tensor<4xf32>"));
}

// Evaluation can observe them, whatever the call states.
TEST(Congruence, ChecksAreEffects) {
  const auto check = [](const std::string& target, const std::string& expected, const std::string& attrs) {
    return Main("%0 = stablehlo.add %a, %b : tensor<4xf32>\nstablehlo.custom_call @" + target + "(%0, " +
                expected + ")" + attrs +
                " : (tensor<4xf32>, tensor<4xf32>) -> ()\nreturn %0 : tensor<4xf32>");
  };
  for (const std::string target :
       {"check.eq", "check.expect_eq", "check.expect_close", "check.expect_almost_eq", "check.other"})
    for (const std::string attrs : {"", " {has_side_effect = false}", " {has_side_effect = true}"}) {
      Same(check(target, "%0", attrs), check(target, "%0", attrs));
      // One of them fails for most operands, or none can be evaluated.
      const Verdict right = target == "check.other" ? Verdict::kNotCovered : Verdict::kDifferent;
      const std::string none = Main("%0 = stablehlo.add %a, %b : tensor<4xf32>\nreturn %0 : tensor<4xf32>");
      for (const std::string& other : {check(target, "%a", attrs), none}) {
        if (target != "check.other" && other == none) continue;  // holds for all operands
        EXPECT_EQ(ProveTexts(check(target, "%0", attrs), other).verdict, right) << target << attrs << other;
        EXPECT_EQ(ProveTexts(other, check(target, "%0", attrs)).verdict, right) << target << attrs << other;
      }
      EXPECT_EQ(ProveTexts(check(target, "%a", attrs), none).verdict, right) << target << attrs;
    }
  const auto assertion = [](const std::string& direction) {
    return Main(
        "%i = stablehlo.slice %a [0:1] : (tensor<4xf32>) -> tensor<1xf32>\n"
        "%j = stablehlo.slice %b [0:1] : (tensor<4xf32>) -> tensor<1xf32>\n"
        "%c = stablehlo.compare " +
        direction +
        ", %i, %j : (tensor<1xf32>, tensor<1xf32>) -> tensor<1xi1>\n"
        "%d = stablehlo.reshape %c : (tensor<1xi1>) -> tensor<i1>\n"
        "stablehlo.custom_call @shape_assertion(%d) {error_message = \"no\"} : (tensor<i1>) -> ()\n"
        "return %a : tensor<4xf32>");
  };
  Same(assertion("LT"), assertion("LT"));
  EXPECT_EQ(ProveTexts(assertion("LT"), assertion("GT")).verdict, Verdict::kDifferent);
  EXPECT_EQ(ProveTexts(assertion("LT"), Main("return %a : tensor<4xf32>")).verdict, Verdict::kDifferent);
  // So is an op of another dialect that has no results.
  const auto assert_op = [](const std::string& direction) {
    return "func.func @main(%a: tensor<i32>, %b: tensor<i32>) -> tensor<i32> {\n"
           "%c = stablehlo.compare " +
           direction +
           ", %a, %b : (tensor<i32>, tensor<i32>) -> tensor<i1>\n"
           "%d = \"tensor.extract\"(%c) : (tensor<i1>) -> i1\n"
           "\"cf.assert\"(%d) {msg = \"no\"} : (i1) -> ()\nreturn %a : tensor<i32>\n}\n";
  };
  Same(assert_op("LT"), assert_op("LT"));
  EXPECT_EQ(ProveTexts(assert_op("LT"), assert_op("GT")).verdict, Verdict::kDifferent);
}

// A function of a shape with these ops, which returns its first argument.
std::string OfShape(const std::string& body) {
  return "func.func private @f(%v: tensor<4xf32>, %s: tensor<1xi64>) -> tensor<?xf32> {\n"
         "%0 = stablehlo.dynamic_reshape %v, %s : (tensor<4xf32>, tensor<1xi64>) -> tensor<?xf32>\n"
         "return %0 : tensor<?xf32>\n}\n"
         "func.func @main(%a: tensor<4xf32>, %s: tensor<1xi64>, %n: tensor<i32>, %x: tensor<?xf32>, "
         "%y: tensor<?xf32>) -> tensor<4xf32> {\n" +
         body + "return %a : tensor<4xf32>\n}\n";
}

TEST(Congruence, UnusedOpsThatMayFailCount) {
  const std::string kMayFail[] = {
      "%0 = stablehlo.dynamic_reshape %a, %s : (tensor<4xf32>, tensor<1xi64>) -> tensor<?xf32>\n",
      "%0 = stablehlo.dynamic_reshape %a, %s : (tensor<4xf32>, tensor<1xi64>) -> tensor<4xf32>\n",
      "%0 = stablehlo.dynamic_broadcast_in_dim %a, %s, dims = [0] : (tensor<4xf32>, tensor<1xi64>) -> "
      "tensor<?xf32>\n",
      "%0 = stablehlo.dynamic_iota %s, dim = 0 : (tensor<1xi64>) -> tensor<?xf32>\n",
      "%0 = stablehlo.real_dynamic_slice %a, %s, %s, %s : (tensor<4xf32>, tensor<1xi64>, tensor<1xi64>, "
      "tensor<1xi64>) -> tensor<?xf32>\n",
      "%0 = stablehlo.add %x, %y : tensor<?xf32>\n",
      "%0 = func.call @f(%a, %s) : (tensor<4xf32>, tensor<1xi64>) -> tensor<?xf32>\n",
      "%0 = tensor.cast %x : tensor<?xf32> to tensor<4xf32>\n",
      "%t = stablehlo.constant dense<true> : tensor<i1>\n%0 = \"stablehlo.if\"(%t) ({\n"
      "%1 = stablehlo.add %x, %y : tensor<?xf32>\nstablehlo.return %x : tensor<?xf32>\n}, {\n"
      "stablehlo.return %y : tensor<?xf32>\n}) : (tensor<i1>) -> tensor<?xf32>\n"};
  for (const std::string& op : kMayFail) {
    Same(OfShape(op), OfShape(op));
    for (const auto& proof : {ProveTexts(OfShape(op), OfShape("")), ProveTexts(OfShape(""), OfShape(op))})
      EXPECT_FALSE(proof.verdict == Verdict::kEqual && proof.evidence >= Evidence::kExhaustive)
          << op << Details(proof);
  }
  // Twice, after something that uses it, or in another order.
  const auto used = [](const std::string& more) {
    return "func.func @main(%x: tensor<?xf32>, %y: tensor<?xf32>) -> tensor<?xf32> {\n" + more +
           "%9 = stablehlo.add %x, %y : tensor<?xf32>\nreturn %9 : tensor<?xf32>\n}\n";
  };
  Same(used(""), used("%0 = stablehlo.add %x, %y : tensor<?xf32>\n"));
  const std::string two[] = {"%0 = stablehlo.add %x, %y : tensor<?xf32>\n",
                             "%1 = stablehlo.subtract %x, %y : tensor<?xf32>\n"};
  Same(OfShape(two[0] + two[1]), OfShape(two[1] + two[0]));
  Same(OfShape(two[0]), OfShape(two[0] + "%1 = stablehlo.add %x, %y : tensor<?xf32>\n"));
  // These cannot fail.
  Same(OfShape(""),
       OfShape("%0 = stablehlo.get_dimension_size %x, dim = 0 : (tensor<?xf32>) -> tensor<i32>\n"
               "%1 = stablehlo.negate %x : tensor<?xf32>\n%2 = stablehlo.add %a, %a : tensor<4xf32>\n"));
}

TEST(Congruence, KeepsTheOrderOfCollectives) {
  const auto reduce = [](const std::string& operand, int channel) {
    return "= \"stablehlo.all_reduce\"(" + operand +
           ") ({\n^bb0(%x: tensor<f32>, %y: tensor<f32>):\n%s = stablehlo.add %x, %y : tensor<f32>\n"
           "stablehlo.return %s : tensor<f32>\n}) {channel_handle = #stablehlo.channel_handle<handle = " +
           std::to_string(channel) +
           ", type = 1>, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>} : (tensor<4xf32>) -> "
           "tensor<4xf32>\n";
  };
  const std::string end = "%2 = stablehlo.subtract %0, %1 : tensor<4xf32>\nreturn %2 : tensor<4xf32>";
  const std::string program = Main("%0 " + reduce("%a", 1) + "%1 " + reduce("%b", 2) + end);
  Same(program, program);
  NotCovered(program, Main("%1 " + reduce("%b", 2) + "%0 " + reduce("%a", 1) + end));
  NotCovered(program, Main("%0 " + reduce("%a", 1) + "%1 " + reduce("%b", 1) + end));
}

std::string While(const std::string& condition, const std::string& body, const std::string& result) {
  return Main(
      "%n = stablehlo.constant dense<10> : tensor<i32>\n%one = stablehlo.constant dense<1> : tensor<i32>\n"
      "%zero = stablehlo.constant dense<0> : tensor<i32>\n"
      "%r:2 = stablehlo.while(%i = %zero, %v = %a) : tensor<i32>, tensor<4xf32>\ncond {\n"
      "%c = stablehlo.compare " +
      condition +
      ", %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>\n"
      "stablehlo.return %c : tensor<i1>\n} do {\n"
      "%j = stablehlo.add %i, %one : tensor<i32>\n" +
      body + "stablehlo.return %j, %w : tensor<i32>, tensor<4xf32>\n}\nreturn " + result +
      " : tensor<4xf32>");
}

TEST(Congruence, ComparesRegionsUpToNames) {
  const std::string body = "%w = \"other.op\"(%v, %b) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>\n";
  Same(While("LT", body, "%r#1"), While("LT", body, "%r#1"));
  NotCovered(While("LT", body, "%r#1"), While("GT", body, "%r#1"));
  NotCovered(While("LT", body, "%r#1"), While("LT", body, "%a"));
  NotCovered(
      While("LT", body, "%r#1"),
      While("LT", "%w = \"other.op\"(%b, %v) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>\n", "%r#1"));
}

TEST(Congruence, DoesNotIgnoreLoopsThatMayNotEnd) {
  const std::string body = "%w = stablehlo.add %v, %b : tensor<4xf32>\n";
  const Proof proof = ProveTexts(While("LT", body, "%b"), Main("return %b : tensor<4xf32>"));
  EXPECT_LT(proof.evidence, Evidence::kLaws) << Details(proof);
  Same(While("LT", body, "%b"), While("LT", body, "%b"));
}

// A private function that is called, and whose result is not used.
TEST(Congruence, IgnoresCallsOfFunctionsThatEnd) {
  const auto program = [](const std::string& function) {
    return "module {\n" +
           Main("%0 = call @f(%b) : (tensor<4xf32>) -> tensor<4xf32>\nreturn %a : tensor<4xf32>") + function +
           "\n}\n";
  };
  const std::string type = "(%x: tensor<4xf32>) -> tensor<4xf32> {\n", end = " %x : tensor<4xf32>\n",
                    without = Main("return %a : tensor<4xf32>");
  Same(program("func.func private @f" + type + "return" + end + "}"), without);
  // The ops of a graph are in no order, but are one block.
  Same(program("ml_program.subgraph private @f" + type + "ml_program.output" + end + "}"), without);
  // Of two blocks, the first could follow the second.
  const Proof blocks = ProveTexts(
      program("func.func private @f" + type + "return" + end + "^bb1:\nreturn" + end + "}"), without);
  EXPECT_LT(blocks.evidence, Evidence::kLaws) << Details(blocks);
}

TEST(Congruence, ComparesBranchesAndBlocks) {
  const auto graph = [](const std::string& first, const std::string& second) {
    return "\"func.func\"() <{function_type = (tensor<4xf32>) -> tensor<4xf32>, sym_name = \"main\"}> ({\n"
           "^bb0(%a: tensor<4xf32>):\n\"cf.cond_br\"(%a)[" +
           first + ", " + second +
           "] : (tensor<4xf32>) -> ()\n"
           "^bb1:\n%0 = \"other.one\"(%a) : (tensor<4xf32>) -> tensor<4xf32>\n"
           "\"func.return\"(%0) : (tensor<4xf32>) -> ()\n"
           "^bb2:\n%1 = \"other.two\"(%a) : (tensor<4xf32>) -> tensor<4xf32>\n"
           "\"func.return\"(%1) : (tensor<4xf32>) -> ()\n}) : () -> ()\n";
  };
  Same(graph("^bb1", "^bb2"), graph("^bb1", "^bb2"));
  NotCovered(graph("^bb1", "^bb2"), graph("^bb2", "^bb1"));
}

TEST(Congruence, NamesTheLawsThatItUses) {
  const std::string op = "\"other.op\"(%a) : (tensor<4xf32>) -> tensor<4xf32>\n";
  const std::string inlined = Main("%0 = " + op + "%1 = " + op + "return %1 : tensor<4xf32>"),
                    calls = "module {\n" +
                            Main(
                                "%0 = call @f(%a) : (tensor<4xf32>) -> tensor<4xf32>\n"
                                "%1 = call @f(%a) : (tensor<4xf32>) -> tensor<4xf32>\n"
                                "return %1 : tensor<4xf32>") +
                            "func.func private @f(%a: tensor<4xf32>) -> tensor<4xf32> {\n%0 = " + op +
                            "return %0 : tensor<4xf32>\n}\n}\n";
  for (const Proof& proof : {ProveTexts(calls, inlined), ProveTexts(inlined, calls)}) {
    EXPECT_EQ(proof.verdict, Verdict::kEqual) << Details(proof);
    EXPECT_EQ(proof.evidence, Evidence::kLaws);
    ASSERT_EQ(proof.laws.size(), 1u);
    EXPECT_EQ(proof.laws[0].name, "inlining of calls");
    EXPECT_EQ(proof.laws[0].count, 2u);
    EXPECT_FALSE(proof.laws[0].approximate);
  }
}

// The type of a channel is in the text only: VHLO loses it, so that its absence is not a difference.
TEST(Congruence, IgnoresWhatVhloLoses) {
  const auto program = [](int type) {
    return Main(
        "%0 = \"stablehlo.all_reduce\"(%a) ({\n^bb0(%x: tensor<f32>, %y: tensor<f32>):\n"
        "%s = stablehlo.add %x, %y : tensor<f32>\nstablehlo.return %s : tensor<f32>\n}) {channel_handle = "
        "#stablehlo.channel_handle<handle = 1, type = " +
        std::to_string(type) +
        ">, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>} : (tensor<4xf32>) -> "
        "tensor<4xf32>\nreturn %0 : tensor<4xf32>");
  };
  OtherContract(program(1), program(2), "attribute 'channel_type' is ");
  const Module a = Read(program(1));
  Module b = a;
  for (uint32_t i = 1; i < a.ops.size(); ++i)
    if (a.NameOf(a.ops[i]) == "stablehlo.all_reduce")
      b.SetInherentAttr(OpId(i), RevisionOf(a.RevisionIdOf(a.ops[i])).FindSlot("channel_type"), {});
  for (const auto& [x, y] : {std::pair<const Module*, const Module*>(&a, &b), {&b, &a}}) {
    const auto proof = Prove(*x, *y, {});
    ASSERT_TRUE(proof);
    EXPECT_EQ(proof->verdict, Verdict::kEqual) << Details(*proof);
  }
}

TEST(Congruence, ReportsTheContractApart) {
  const auto gather = [](const std::string& sorted) {
    return "func.func @main(%a: tensor<4xf32>, %i: tensor<2x1xi32>) -> tensor<2xf32> {\n"
           "%0 = \"stablehlo.gather\"(%a, %i) {dimension_numbers = #stablehlo.gather<collapsed_slice_dims = "
           "[0], "
           "start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1>" +
           sorted + "} : (tensor<4xf32>, tensor<2x1xi32>) -> tensor<2xf32>\nreturn %0 : tensor<2xf32>\n}\n";
  };
  Same(gather(""), gather(", indices_are_sorted = false"));
  OtherContract(gather(""), gather(", indices_are_sorted = true"), "attribute 'indices_are_sorted'");
  const auto attributes = [](const std::string& module, const std::string& arg, const std::string& op) {
    return "module " + module + " {\nfunc.func @main(%a: tensor<4xf32>" + arg +
           ") -> tensor<4xf32> {\n%0 = stablehlo.tanh %a " + op +
           " : tensor<4xf32>\nreturn %0 : tensor<4xf32>\n}\n}\n";
  };
  Same(attributes("@x", "", ""), attributes("@y", "", ""));
  OtherContract(attributes("", "", ""), attributes("attributes {mhlo.num_partitions = 2 : i32}", "", ""),
                "'mhlo.num_partitions'");
  OtherContract(attributes("", "", ""), attributes("", " {tf.aliasing_output = 0 : i32}", ""),
                "attributes of argument 0");
  OtherContract(attributes("", "", ""), attributes("", "", "{mhlo.sharding = \"{replicated}\"}"),
                "'mhlo.sharding'");
  const auto bounded = [](const std::string& bound) {
    const std::string type = "tensor<?xf32, #stablehlo.bounds<" + bound + ">>";
    return "func.func @main(%a: " + type + ") -> " + type + " {\n%0 = stablehlo.tanh %a : " + type +
           "\nreturn %0 : " + type + "\n}\n";
  };
  OtherContract(bounded("4"), bounded("5"), "function_type");
}

// Promises in functions that an op refers to, alone or in a list.
TEST(Congruence, ReportsTheContractOfWhatIsReferredTo) {
  const auto program = [](const std::string& reference, const std::string& sorted) {
    return "module {\nfunc.func @main(%a: tensor<4xf32>, %i: tensor<2x1xi32>) -> tensor<2xf32> {\n%0 = " +
           reference +
           " : (tensor<4xf32>, tensor<2x1xi32>) -> tensor<2xf32>\nreturn %0 : tensor<2xf32>\n}\n"
           "func.func private @f(%a: tensor<4xf32>, %i: tensor<2x1xi32>) -> tensor<2xf32> {\n"
           "%0 = \"stablehlo.gather\"(%a, %i) {dimension_numbers = #stablehlo.gather<collapsed_slice_dims = "
           "[0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1>, "
           "indices_are_sorted = " +
           sorted +
           "} : (tensor<4xf32>, tensor<2x1xi32>) -> tensor<2xf32>\nreturn %0 : tensor<2xf32>\n}\n}\n";
  };
  for (const std::string reference :
       {"call @f(%a, %i)", "stablehlo.custom_call @x(%a, %i) {called_computations = [@f]}",
        "stablehlo.composite \"a.b\" %a, %i {decomposition = @f}"}) {
    Same(program(reference, "true"), program(reference, "true"));
    OtherContract(program(reference, "true"), program(reference, "false"),
                  "attribute 'indices_are_sorted' is ");
  }
}

// Parts: %1 of %u, which nobody can evaluate, and of %b, between ops that nobody can evaluate.
std::string Between(const std::string& part) {
  return "func.func @main(%a: tensor<i1>, %b: tensor<i1>) -> tensor<i1> {\n"
         "%u = \"other.op\"(%a) : (tensor<i1>) -> tensor<i1>\n" +
         part + "%2 = \"other.op\"(%1) : (tensor<i1>) -> tensor<i1>\nreturn %2 : tensor<i1>\n}\n";
}

TEST(Parts, AreEvaluatedForAllInputs) {
  const std::string absorbed =
      Between("%0 = stablehlo.or %u, %b : tensor<i1>\n%1 = stablehlo.and %u, %0 : tensor<i1>\n");
  const std::string twice = Between("%1 = stablehlo.and %u, %u : tensor<i1>\n");
  const std::string taken =
      "func.func @main(%a: tensor<i1>, %b: tensor<i1>) -> tensor<i1> {\n"
      "%u = \"other.op\"(%a) : (tensor<i1>) -> tensor<i1>\n"
      "%2 = \"other.op\"(%u) : (tensor<i1>) -> tensor<i1>\nreturn %2 : tensor<i1>\n}\n";
  for (const std::string& same : {twice, taken})
    for (const Proof& proof : {ProveTexts(absorbed, same), ProveTexts(same, absorbed)}) {
      EXPECT_EQ(proof.verdict, Verdict::kEqual) << same << Details(proof);
      EXPECT_EQ(proof.evidence, Evidence::kExhaustive) << same << Details(proof);
      EXPECT_EQ(proof.functions[0].cut_outs, 1u);
      EXPECT_EQ(proof.functions[0].inputs, 4u);
    }
  NotCovered(absorbed, Between("%1 = stablehlo.or %u, %b : tensor<i1>\n"));
  NotCovered(taken, Between("%1 = stablehlo.not %u : tensor<i1>\n"));
}

TEST(Parts, ThatOnlyOneProgramHasMustEnd) {
  const auto program = [](const std::string& going) {
    return Main("%z = stablehlo.constant dense<" + going +
                "> : tensor<i1>\n%w = stablehlo.while(%v = %z) : tensor<i1>\ncond {\n"
                "stablehlo.return %v : tensor<i1>\n} do {\nstablehlo.return %v : tensor<i1>\n}\n"
                "return %a : tensor<4xf32>");
  };
  const std::string without = Main("return %a : tensor<4xf32>");
  const Proof ends = ProveTexts(program("false"), without);
  EXPECT_EQ(ends.verdict, Verdict::kEqual) << Details(ends);
  EXPECT_EQ(ends.evidence, Evidence::kExhaustive) << Details(ends);
  EXPECT_NE(ProveTexts(program("true"), without).verdict, Verdict::kEqual);
  EXPECT_NE(ProveTexts(without, program("true")).verdict, Verdict::kEqual);
}

// An input for which results have different shapes is not a counterexample.
TEST(Parts, ThatDifferInShapeHaveNoCounterexample) {
  const auto program = [](const std::string& size, const std::string& values) {
    return "func.func @main(%a: tensor<1xi32>) -> tensor<?xi32> {\n"
           "%seven = stablehlo.constant dense<7> : tensor<1xi32>\n"
           "%0 = stablehlo.and %a, %seven : tensor<1xi32>\n%1 = stablehlo.negate %0 : tensor<1xi32>\n"
           "%2 = stablehlo.dynamic_iota " +
           size +
           ", dim = 0 : (tensor<1xi32>) -> tensor<?xi32>\n%3 = stablehlo.reverse %2, dims = [0] : "
           "tensor<?xi32>\n"
           "%4 = \"other.op\"(" +
           values + ") : (tensor<?xi32>) -> tensor<?xi32>\nreturn %4 : tensor<?xi32>\n}\n";
  };
  const Proof proof = ProveTexts(program("%0", "%2"), program("%1", "%3"));
  EXPECT_EQ(proof.verdict, Verdict::kNotCovered);
  EXPECT_NE(Details(proof).find("result 0 has type tensor<"), std::string::npos) << Details(proof);
  EXPECT_FALSE(proof.functions[0].part);
  const Proof values = ProveTexts(Between("%1 = stablehlo.and %u, %b : tensor<i1>\n"),
                                  Between("%1 = stablehlo.or %u, %b : tensor<i1>\n"));
  EXPECT_TRUE(values.functions[0].part) << Details(values);
}

TEST(Parts, CountWhatTheyCover) {
  // A part of two bits that is one of them, and a part of one bit that is always false.
  const auto program = [](const std::string& first, const std::string& second) {
    return "func.func @main(%a: tensor<i1>, %b: tensor<i1>) -> (tensor<i1>, tensor<i1>) {\n"
           "%u = \"other.op\"(%a) : (tensor<i1>) -> tensor<i1>\n" +
           first + "%2 = stablehlo." + second +
           " %b, %b : tensor<i1>\n%3 = \"other.op\"(%1) : (tensor<i1>) -> tensor<i1>\n"
           "%4 = \"other.op\"(%2) : (tensor<i1>) -> tensor<i1>\nreturn %3, %4 : tensor<i1>, tensor<i1>\n}\n";
  };
  const Proof proof = ProveTexts(
      program("%0 = stablehlo.or %u, %b : tensor<i1>\n%1 = stablehlo.and %u, %0 : tensor<i1>\n", "xor"),
      program("%1 = stablehlo.and %u, %u : tensor<i1>\n", "subtract"));
  EXPECT_EQ(proof.verdict, Verdict::kEqual) << Details(proof);
  const FunctionProof& f = proof.functions[0];
  EXPECT_EQ(f.detail, "'stablehlo.and' (2 ops), 'stablehlo.xor' (1 op)");
  EXPECT_TRUE(f.exhaustive);
  EXPECT_EQ(f.cut_outs, 2u);
  EXPECT_EQ(f.inputs, 6u);
  EXPECT_EQ(f.coverage.compared, 6u);
  EXPECT_EQ(f.coverage.elements, 2u);
  EXPECT_EQ(f.coverage.telling, 1u);
  EXPECT_EQ(f.coverage.distinct, 2u);
}

TEST(Parts, TheFirstThatDiffersIsReportedOrElseTheFirst) {
  // Evaluation tells the second of these pairs apart, and nothing from the first, which are always 0.
  const char* const kAlike[][2] = {{"stablehlo.and %x, %zero", "stablehlo.multiply %x, %zero"},
                                   {"stablehlo.clamp %zero, %x, %zero", "stablehlo.subtract %x, %x"}};
  const char* const kDifferent[][2] = {{"stablehlo.add %x, %one", "stablehlo.or %x, %one"},
                                       {"stablehlo.maximum %x, %one", "stablehlo.minimum %x, %one"}};
  const auto program = [](const std::string& first, const std::string& second) {
    return "func.func @main(%x: tensor<i32>) -> (tensor<i32>, tensor<i32>) {\n"
           "%zero = stablehlo.constant dense<0> : tensor<i32>\n"
           "%one = stablehlo.constant dense<1> : tensor<i32>\n%0 = " +
           first + " : tensor<i32>\n%1 = " + second +
           " : tensor<i32>\n%2 = \"other.op\"(%0) : (tensor<i32>) -> tensor<i32>\n"
           "%3 = \"other.op\"(%1) : (tensor<i32>) -> tensor<i32>\nreturn %2, %3 : tensor<i32>, "
           "tensor<i32>\n}\n";
  };
  const char* const kReported[2][2] = {{"'stablehlo.and'", "'stablehlo.maximum'"},
                                       {"'stablehlo.add'", "'stablehlo.add'"}};
  for (int first : {0, 1})
    for (int second : {0, 1}) {
      const auto& p = (first ? kDifferent : kAlike)[0];
      const auto& q = (second ? kDifferent : kAlike)[1];
      const Proof proof = ProveTexts(program(p[0], q[0]), program(p[1], q[1]));
      EXPECT_EQ(proof.verdict, Verdict::kNotCovered);
      const std::string said = std::string(kReported[first][second]) + ", cut out with 2 ops: ";
      EXPECT_NE(Details(proof).find(said), std::string::npos) << said << Details(proof);
    }
}

TEST(Parts, ThatDifferDoNotDecide) {
  // x * 2 is not x, but one or the other of it and its inverse has each bit.
  const auto program = [](const std::string& operand) {
    return "func.func @main(%a: tensor<i4>) -> tensor<i4> {\n%c = stablehlo.constant dense<2> : tensor<i4>\n"
           "%x = stablehlo.multiply %a, %c : tensor<i4>\n%n = stablehlo.not " +
           operand + " : tensor<i4>\n%y = stablehlo.or " + operand +
           ", %n : tensor<i4>\nreturn %y : tensor<i4>\n}\n";
  };
  const Proof proof = ProveTexts(program("%x"), program("%a"));
  EXPECT_EQ(proof.verdict, Verdict::kEqual) << Details(proof);
  EXPECT_EQ(proof.evidence, Evidence::kExhaustive) << Details(proof);
}

TEST(Parts, AreFoundInCalleesAndLoops) {
  const auto program = [](const std::string& body) {
    return "module {\nfunc.func @main(%a: tensor<i1>, %b: tensor<4xf32>) -> (tensor<i1>, tensor<4xf32>) {\n"
           "%0 = call @f(%a) : (tensor<i1>) -> tensor<i1>\n"
           "%1 = \"other.op\"(%b) : (tensor<4xf32>) -> tensor<4xf32>\n"
           "return %0, %1 : tensor<i1>, tensor<4xf32>\n}\n"
           "func.func private @f(%a: tensor<i1>) -> tensor<i1> {\n"
           "%w = stablehlo.while(%v = %a) : tensor<i1>\ncond {\nstablehlo.return %v : tensor<i1>\n} do {\n" +
           body + "stablehlo.return %r : tensor<i1>\n}\nreturn %w : tensor<i1>\n}\n}\n";
  };
  const std::string never = "%r = stablehlo.xor %v, %v : tensor<i1>\n";
  const Proof same =
      ProveTexts(program(never),
                 program("%r = stablehlo.compare NE, %v, %v : (tensor<i1>, tensor<i1>) -> tensor<i1>\n"));
  EXPECT_EQ(same.evidence, Evidence::kExhaustive) << Details(same);
  const Proof wrong = ProveTexts(program(never), program("%r = stablehlo.or %v, %v : tensor<i1>\n"));
  EXPECT_EQ(wrong.verdict, Verdict::kNotCovered) << Details(wrong);
}

TEST(Congruence, RecursionIsNotFollowedForever) {
  const std::string program =
      "module {\n" + Main("%0 = call @f(%a) : (tensor<4xf32>) -> tensor<4xf32>\nreturn %0 : tensor<4xf32>") +
      "func.func private @f(%x: tensor<4xf32>) -> tensor<4xf32> {\n"
      "%0 = call @f(%x) : (tensor<4xf32>) -> tensor<4xf32>\nreturn %0 : tensor<4xf32>\n}\n}\n";
  NotCovered(program, program);
}

}  // namespace
}  // namespace shlo
