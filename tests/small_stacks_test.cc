// Programs as deep as readers allow, in threads with small stacks: whatever is done to one works, or is an
// error (kLimit). 128 KB are the stacks of musl, 512 KB those of macOS. A stack that is exceeded ends the
// test.
#include <gtest/gtest.h>
#include <pthread.h>

#include <functional>
#include <string>
#include <vector>

#include "base/sanitized.h"
#include "base/stack.h"
#include "shlo/certificate.h"
#include "shlo/compare.h"
#include "shlo/convert.h"
#include "shlo/diff.h"
#include "shlo/evaluate.h"
#include "shlo/expand.h"
#include "shlo/inline.h"
#include "shlo/print.h"
#include "shlo/program_io.h"
#include "shlo/prove.h"
#include "shlo/reduce.h"
#include "shlo/verify.h"

namespace shlo {
namespace {

// Frames of AddressSanitizer are several times as large.
constexpr size_t kMusl = size_t(kSanitized ? 1024 : 128) << 10,
                 kMacOs = size_t(kSanitized ? 4096 : 512) << 10, kLarge = size_t(kSanitized ? 512 : 16) << 20;

void OnStack(size_t bytes, const std::function<void()>& body) {
  const auto run = [](void* argument) -> void* {
    (*static_cast<const std::function<void()>*>(argument))();
    return nullptr;
  };
  pthread_attr_t attributes;
  pthread_t thread;
  ASSERT_EQ(pthread_attr_init(&attributes), 0);
  ASSERT_EQ(pthread_attr_setstacksize(&attributes, bytes), 0);
  ASSERT_EQ(pthread_create(&thread, &attributes, run, const_cast<std::function<void()>*>(&body)), 0);
  pthread_join(thread, nullptr);
  pthread_attr_destroy(&attributes);
}

std::string Times(size_t count, std::string_view text) {
  std::string out;
  for (size_t i = 0; i < count; ++i) out += text;
  return out;
}

std::string Nested(size_t depth, std::string_view before, std::string_view inside, std::string_view after) {
  return Times(depth, before).append(inside) + Times(depth, after);
}

// A function whose attribute `x` has a value.
std::string WithAttribute(const std::string& value) {
  return "func.func @main() attributes {x = " + value + "} { return }\n";
}
std::string WithLocation(const std::string& location) {
  return "func.func @main() { return loc(" + location + ") }\n";
}

struct Kind {
  const char* name;
  std::function<std::string(size_t depth)> text;
};

std::string Ifs(size_t depth, std::string_view inside) {
  constexpr std::string_view kElse =
      "}, { \"stablehlo.return\"() : () -> () }) : (tensor<i1>) -> ()\n\"stablehlo.return\"() : () -> ()\n";
  std::string text = "func.func @main(%p: tensor<i1>) {\n" +
                     Nested(depth, "\"stablehlo.if\"(%p) ({\n",
                            std::string(inside) + "\"stablehlo.return\"() : () -> ()\n", kElse);
  text.resize(text.size() - std::string_view("\"stablehlo.return\"() : () -> ()\n").size());
  return text + "return }\n";
}

std::string Calls(size_t depth) {
  std::string text;
  for (size_t i = 0; i < depth; ++i) {
    const std::string from = i ? "private @f" + std::to_string(i) : "@main";
    const std::string call =
        i + 1 < depth ? "%0 = call @f" + std::to_string(i + 1) + "(%a) : (tensor<f32>) -> tensor<f32>\n"
                      : "%0 = stablehlo.tanh %a : tensor<f32>\n";
    text +=
        "func.func " + from + "(%a: tensor<f32>) -> tensor<f32> { " + call + " return %0 : tensor<f32> }\n";
  }
  return text;
}

// Loops in the bodies of loops, which run once.
std::string Whiles(size_t depth) {
  std::string text = "func.func @main(%a: tensor<i1>) -> tensor<i1> {\n";
  for (size_t i = 0; i < depth; ++i)
    text += "%r" + std::to_string(i) + " = \"stablehlo.while\"(%a) ({\n^bb0(%c: tensor<i1>):\n" +
            "\"stablehlo.return\"(%c) : (tensor<i1>) -> ()\n}, {\n^bb0(%b: tensor<i1>):\n";
  text += "%n = stablehlo.not %a : tensor<i1>\n\"stablehlo.return\"(%n) : (tensor<i1>) -> ()\n";
  for (size_t i = depth; i-- > 0;) {
    const std::string result = "%r" + std::to_string(i);
    text += "}) : (tensor<i1>) -> tensor<i1>\n";
    text += i ? "\"stablehlo.return\"(" + result + ") : (tensor<i1>) -> ()\n"
              : "return " + result + " : tensor<i1>\n";
  }
  return text + "}\n";
}

const std::vector<Kind>& Kinds() {
  static const std::vector<Kind> kinds = {
      {"regions", [](size_t n) { return Ifs(n, ""); }},
      {"regions with attributes",
       [](size_t n) { return Ifs(n, "\"x.y\"() {x = " + Nested(n, "[", "", "]") + "} : () -> ()\n"); }},
      {"loops", Whiles},
      {"calls", Calls},
      {"modules", [](size_t n) { return Nested(n, "module {\n", "", "}\n"); }},
      {"tuples",
       [](size_t n) {
         return "func.func @main(%p: " + Nested(n, "tuple<", "tensor<f32>", ">") + ") { return }\n";
       }},
      {"functions as types", [](size_t n) { return WithAttribute(Nested(n, "() -> (", "i1", ")")); }},
      {"lists", [](size_t n) { return WithAttribute(Nested(n, "[", "", "]")); }},
      {"dictionaries", [](size_t n) { return WithAttribute(Nested(n, "{a = ", "1", "}")); }},
      {"symbols in lists", [](size_t n) { return WithAttribute(Nested(n, "[", "@main", "]")); }},
      {"unknown attributes",
       [](size_t n) { return WithAttribute("#foo.bar<" + Nested(n, "<", "", ">") + ">"); }},
      {"affine expressions",
       [](size_t n) { return WithAttribute("affine_map<(d0) -> (" + Nested(n, "(", "d0", ")") + ")>"); }},
      {"affine sums",
       [](size_t n) {
         return WithAttribute("affine_map<(d0) -> (" + Nested(n, "(d0 mod ", "7", ")") + ")>");
       }},
      {"complex types", [](size_t n) { return WithAttribute(Nested(n, "complex<", "f32", ">")); }},
      {"call sites", [](size_t n) { return WithLocation(Nested(n, "callsite(\"a\" at ", "\"b\"", ")")); }},
      {"fused locations", [](size_t n) { return WithLocation(Nested(n, "fused[", "\"b\"", "]")); }},
      {"names of locations", [](size_t n) { return WithLocation(Nested(n, "\"a\"(", "\"b\"", ")")); }},
      {"dense elements",
       [](size_t n) {
         return "func.func @main() { %0 = stablehlo.constant dense<" + Nested(n, "[", "1", "]") +
                "> : tensor<" + Times(n, "1x") + "i32>\n return }\n";
       }},
      {"dimensions",
       [](size_t n) {
         return "func.func @main() -> tensor<" + Times(n, "1x") +
                "2xi32> { %0 = stablehlo.constant dense<\"0x0102030405060708\"> : tensor<" + Times(n, "1x") +
                "2xi32>\n return %0 : tensor<" + Times(n, "1x") + "2xi32> }\n";
       }},
      {"quantized dimensions",
       [](size_t n) {
         std::string blocks;
         for (size_t i = 0; i < n; ++i) blocks += (i ? ", " : "") + std::to_string(i) + ":1";
         return "func.func @main(%a: tensor<" + Times(n, "1x") + "!quant.uniform<i8:f32:{" + blocks + "}, " +
                Nested(n, "{", "0.5", "}") + ">>) { return }\n";
       }},
  };
  return kinds;
}

template <typename T>
std::string Judge(const Result<T>& result) {
  if (result || result.error()[0].code == Code::kLimit) return "";
  return Render(result.error()[0]);
}

// Work on a program; returns "" or the problem.
struct Work {
  const char* name;
  std::function<std::string(const Program& program, Limits limits)> run;
};

ReadOptions ReadWith(Limits limits) {
  ReadOptions options;
  options.limits = limits;
  return options;
}

// Writes in a format where there is room, and reads it here.
std::string ReadBack(const Program& program, Limits limits, Format format) {
  std::string bytes;
  OnStack(kLarge, [&] {
    WriteOptions options;
    options.format = format;
    if (auto written = WriteProgram(program, options)) bytes = std::move(*written);
  });
  if (bytes.empty()) return "";  // the format has no such program
  const auto owner = std::make_shared<const std::string>(std::move(bytes));
  return Judge(ReadProgram(*owner, owner, ReadWith(limits)));
}

std::string WriteIn(const Program& program, Limits limits, Format format) {
  WriteOptions options;
  options.format = format;
  options.limits = limits;
  options.text.locations = true;
  const auto written = WriteProgram(program, options);
  if (!written && written.error()[0].code == Code::kUnsupported) return "";
  return Judge(written);
}

std::string EvaluateIt(const Program& program, Limits limits) {
  const auto types = ArgumentTypes(program.module, "");
  if (!types) return "";
  std::vector<Tensor> arguments;
  for (const ValueTypePtr& type : *types) {
    if (!type || !type->is_tensor()) return "";
    arguments.push_back(Tensor::Copy(type, std::string(type->bytes, '\0')));
  }
  EvalOptions options;
  options.limits = limits;
  const auto result = Evaluate(program.module, "", arguments, options);
  if (!result && result.error()[0].code != Code::kLimit) return "";  // not what is tested here
  return Judge(result);
}

std::string ProveIt(const Program& program, Limits limits) {
  ProveOptions options;
  options.limits = limits;
  options.matching = true;
  const auto proof = Prove(program.module, program.module, options);
  if (!proof) return Judge(proof);
  const auto certificate = CertificateOf(*proof, options, program.module, program.module);
  return certificate || certificate.error()[0].code == Code::kNotEqual ? "" : Judge(certificate);
}

std::string ReduceIt(const Program& program, Limits limits) {
  ReduceOptions options;
  options.limits = limits;
  options.max_tests = 40;
  const auto reduced = Reduce(
      program.module, [](const Module&) -> Result<bool> { return true; }, options);
  if (!reduced && reduced.error()[0].code != Code::kLimit) return "";
  return Judge(reduced);
}

const std::vector<Work>& Works() {
  const auto format = [](Format f) {
    return [f](const Program& p, Limits limits) { return ReadBack(p, limits, f); };
  };
  const auto write = [](Format f) {
    return [f](const Program& p, Limits limits) { return WriteIn(p, limits, f); };
  };
  static const std::vector<Work> works = {
      {"verify",
       [](const Program& p, Limits limits) {
         VerifyOptions options;
         options.limits = limits;
         (void)Verify(p.module, options);
         return std::string();
       }},
      {"read text", format(Format::kText)},
      {"read bytecode", format(Format::kMlirBytecode)},
      {"read shlo", format(Format::kShlo)},
      {"write text", write(Format::kText)},
      {"write bytecode", write(Format::kMlirBytecode)},
      {"write shlo", write(Format::kShlo)},
      {"convert",
       [](const Program& p, Limits limits) {
         ConvertOptions options;
         options.limits = limits;
         options.allow_other_dialects = true;
         const auto converted = Convert(p.module, kMinimumVersion, options);
         return converted || converted.error()[0].code == Code::kBlocked ? "" : Judge(converted);
       }},
      {"expand",
       [](const Program& p, Limits limits) {
         ExpandOptions options;
         options.convert.limits = limits;
         return Judge(Expand(p.module, options));
       }},
      {"inline", [](const Program& p, Limits) { return Judge(InlineCalls(p.module)); }},
      {"evaluate", EvaluateIt},
      {"prove", ProveIt},
      {"diff",
       [](const Program& p, Limits limits) {
         DiffOptions options;
         options.limits = limits;
         return Judge(Diff(p.module, p.module, options));
       }},
      {"compare",
       [](const Program& p, Limits) {
         (void)FirstDifference(p.module, p.module);
         return std::string();
       }},
      {"reduce", ReduceIt},
  };
  return works;
}

std::shared_ptr<const Program> Deep(const Kind& kind, size_t depth) {
  std::shared_ptr<const Program> out;
  OnStack(kLarge, [&] {
    const auto text = std::make_shared<const std::string>(kind.text(depth));
    Limits limits;
    limits.max_depth = 2000;
    auto program = ReadProgram(*text, text, ReadWith(limits));
    if (program) out = std::make_shared<const Program>(std::move(*program));
  });
  return out;
}

TEST(SmallStacks, NothingExceedsThem) {
  for (const Kind& kind : Kinds())
    for (const size_t depth : {190u, 490u, 1990u}) {
      std::shared_ptr<const Program> program = Deep(kind, depth);
      const auto text = std::make_shared<const std::string>(kind.text(depth));
      for (const size_t stack : {kMusl, kMacOs}) {
        Limits limits;
        limits.max_depth = 2000;
        limits.max_steps = 1 << 20;
        OnStack(stack, [&] {
          SCOPED_TRACE(testing::Message() << kind.name << ", " << depth << " levels, " << stack << " bytes");
          (void)ReadProgram(*text, text, ReadWith(limits));
          if (!program) return;
          for (const Work& work : Works()) EXPECT_EQ(work.run(*program, limits), "") << work.name;
        });
      }
      // Its last owner may be in a small thread, too.
      OnStack(kMusl, [&] { program.reset(); });
    }
}

// Nesting as in programs that people write.
TEST(SmallStacks, OrdinaryProgramsFit) {
  for (const Kind& kind : Kinds()) {
    std::shared_ptr<const Program> program = Deep(kind, 12);
    if (!program) continue;
    OnStack(kMusl, [&] {
      SCOPED_TRACE(kind.name);
      const auto text = std::make_shared<const std::string>(kind.text(12));
      const auto read = ReadProgram(*text, text, {});
      EXPECT_TRUE(read) << Render(read.error()[0]);
      for (const Format format : {Format::kText, Format::kMlirBytecode, Format::kShlo}) {
        WriteOptions options;
        options.format = format;
        const auto written = WriteProgram(*program, options);
        EXPECT_TRUE(written || written.error()[0].code == Code::kUnsupported) << Render(written.error()[0]);
      }
      const auto proof = Prove(program->module, program->module);
      EXPECT_TRUE(proof) << Render(proof.error()[0]);
    });
  }
}

// The default limit of depth is reached first in main threads.
TEST(SmallStacks, LargeOnesHoldWhatReadersAllow) {
  for (const Kind& kind : Kinds()) {
    const std::shared_ptr<const Program> program = Deep(kind, 490);
    if (!program) continue;
    OnStack(size_t(kSanitized ? 256 : 8) << 20, [&] {
      for (const Format format : {Format::kText, Format::kShlo}) {
        WriteOptions options;
        options.format = format;
        const auto written = WriteProgram(*program, options);
        EXPECT_TRUE(written) << kind.name << Render(written.error()[0]);
      }
    });
  }
}

__attribute__((noinline)) size_t Recurse(size_t depth) {
  CheckStack();
  volatile char frame[100] = {};
  return depth > size_t(kLarge) ? 0 : frame[depth % 100] + Recurse(depth + 1) + 1;
}

TEST(SmallStacks, AllButTheReserveIsUsed) {
  for (const size_t stack : {kMusl, kMacOs, kLarge})
    OnStack(stack, [&] {
      const auto start = uintptr_t(__builtin_frame_address(0));
      uintptr_t low = start;
      const std::function<void()> descend = [&] {
        CheckStack();
        low = uintptr_t(__builtin_frame_address(0));
        descend();
      };
      EXPECT_THROW(descend(), StackExhausted);
      EXPECT_LT(start - low, stack - kStackReserve);
      EXPECT_GT(start - low, stack - kStackReserve - (32 << 10));
      EXPECT_THROW(Recurse(0), StackExhausted);  // it is found again
    });
}

}  // namespace
}  // namespace shlo
