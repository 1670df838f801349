#include "prove/by_evaluation.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "eval/evaluator.h"
#include "eval/input_generator.h"

namespace shlo {
namespace {

// Size that replaces a dynamic dimension.
constexpr int64_t kTriedExtent = 3;
// Limit of work per function, in computed elements. Bounds the number of input sets.
constexpr uint64_t kWork = 1ull << 29;
constexpr uint64_t kMinSets = 8;
constexpr uint64_t kMaxStepsPerRun = 1ull << 24;
constexpr uint64_t kMaxExhaustiveBits = 16;
// Limit of elements that a message prints per argument.
constexpr uint64_t kShownElements = 16;

std::string Describe(const Diagnostic& d) {
  std::string out;
  if (!d.op.empty()) out += fmt::format("'{}'", d.op);
  if (!d.place.function.empty()) out += fmt::format(" in @{}", d.place.function);
  if (d.place.line != 0)
    out += fmt::format(" at {}:{}", d.place.line, d.place.column);
  else if (!d.place.location.empty())
    out += fmt::format(" at {}", d.place.location);
  return out.empty() ? d.message : fmt::format("{}: {}", out, d.message);
}

// A tensor type as declared, dynamic dimensions included.
struct Declared {
  ElementType element;
  std::vector<int64_t> shape;
  friend bool operator==(const Declared&, const Declared&) = default;
  bool is_static() const { return std::find(shape.begin(), shape.end(), kDynamic) == shape.end(); }
};

std::optional<Declared> DeclaredType(const Module& module, TypeId type) {
  const auto tensor = module.As<TensorType>(type);
  const auto element = tensor ? ElementTypeOf(module, tensor->element) : std::nullopt;
  if (!element) return std::nullopt;
  return Declared{*element, {tensor->shape.begin(), tensor->shape.end()}};
}

uint64_t NumTopLevelOps(const Module& module, OpId function) {
  uint64_t n = 0;
  for (RegionId region : module.RegionsOf(module.ops[function.v]))
    for (BlockId block : module.BlocksOf(region)) n += module.OpsOf(block).size();
  return n;
}

// Compares one function of two programs.
class FunctionProver {
 public:
  FunctionProver(const Module& ma, const Module& mb, Evaluator& a, Evaluator& b, const ProveOptions& options)
      : ma_(ma), mb_(mb), a_(a), b_(b), options_(options) {}

  FunctionProof Run(std::string_view name, OpId fa, OpId fb) {
    proof_.function = name;
    if (PrepareInputs(fa, fb)) CompareAll(fa, fb);
    return std::move(proof_);
  }

 private:
  bool Different(std::string detail) {
    proof_.verdict = Verdict::kDifferent;
    proof_.detail = std::move(detail);
    return false;
  }
  bool NotCovered(std::string detail) {
    proof_.verdict = Verdict::kNotCovered;
    proof_.detail = std::move(detail);
    return false;
  }

  // Compares the signatures and determines the argument types.
  bool PrepareInputs(OpId fa, OpId fb) {
    const auto sa = a_.SignatureOf(fa), sb = b_.SignatureOf(fb);
    if (!sa) return NotCovered(Describe(sa.error()[0]));
    if (!sb) return NotCovered(Describe(sb.error()[0]));
    if (sa->inputs.size() != sb->inputs.size())
      return Different(fmt::format("has {} in the first program, {} in the second",
                                   Count(sa->inputs.size(), "argument"), sb->inputs.size()));
    if (sa->results.size() != sb->results.size())
      return Different(fmt::format("has {} in the first program, {} in the second",
                                   Count(sa->results.size(), "result"), sb->results.size()));
    if (!SameTypes(sa->inputs, sb->inputs, "argument") || !SameTypes(sa->results, sb->results, "result"))
      return false;
    for (size_t i = 0; i < sa->inputs.size(); ++i) {
      Declared declared = *DeclaredType(ma_, sa->inputs[i]);
      if (!declared.is_static()) dynamic_ = true;
      std::replace(declared.shape.begin(), declared.shape.end(), kDynamic, kTriedExtent);
      ValueTypePtr type = MakeTensorType(declared.element, declared.shape);
      if (!type || type->count > options_.max_elements)
        return NotCovered(fmt::format("argument {} has more than {} elements", i, options_.max_elements));
      args_.push_back(std::move(type));
    }
    has_results_ = !sa->results.empty();
    const uint64_t ops_a = NumTopLevelOps(ma_, fa), ops_b = NumTopLevelOps(mb_, fb);
    if (!has_results_ && ops_a != ops_b)
      return NotCovered(fmt::format("has no results, and {} in the first program, {} in the second",
                                    Count(ops_a, "op"), ops_b));
    num_ops_ = std::max(ops_a, ops_b);
    return true;
  }

  bool SameTypes(std::span<const TypeId> a, std::span<const TypeId> b, std::string_view what) {
    for (size_t i = 0; i < a.size(); ++i) {
      const auto da = DeclaredType(ma_, a[i]), db = DeclaredType(mb_, b[i]);
      if (!da && !db)
        return NotCovered(fmt::format("{} {} has a type that cannot be evaluated: {}", what, i,
                                      RowOf(ma_.types.KindOf(a[i])).mnemonic));
      if (!da || !db || *da != *db)
        return Different(fmt::format("{} {} has a different type in the second program", what, i));
    }
    return true;
  }

  void CompareAll(OpId fa, OpId fb) {
    const InputGenerator inputs(args_,
                                options_.seed ^ HashBytes(proof_.function.data(), proof_.function.size()));
    uint64_t elements = 64;
    for (const ValueTypePtr& type : args_) elements = std::max(elements, type->count);
    const uint64_t cost = (elements + 64) * (num_ops_ + 8 * args_.size());
    const uint64_t affordable = std::max(kMinSets, kWork / std::max<uint64_t>(cost, 1));

    const uint64_t bits = inputs.total_bits();
    const bool exhaustive = bits <= kMaxExhaustiveBits && 1ull << bits <= affordable && !dynamic_;
    if (exhaustive) {
      for (uint64_t i = 0; i < 1ull << bits; ++i)
        if (!CompareOn(fa, fb, inputs.ExhaustiveSet(i))) return;
      proof_.exhaustive = true;
      return Equal(fmt::format("all {} possible inputs", proof_.inputs));
    }
    const uint64_t sets = std::max<uint64_t>(1, std::min<uint64_t>(affordable, options_.max_inputs));
    const uint64_t all_boundary = inputs.boundary_sets();
    // Reserve a quarter of the inputs for random values.
    const uint64_t boundary = std::min(all_boundary, sets - sets / 4);
    // If there are too many combinations, sample them evenly with a coprime step.
    uint64_t step = 1;
    if (boundary < all_boundary)
      for (step = all_boundary * 5 / 8 | 1; std::gcd(step, all_boundary) != 1;) step += 2;
    for (uint64_t i = 0; i < boundary; ++i)
      if (!CompareOn(fa, fb, inputs.BoundarySet(i * step % all_boundary))) return;
    for (uint64_t i = 0; i < sets - boundary; ++i)
      if (!CompareOn(fa, fb, inputs.RandomSet(i))) return;
    Equal(fmt::format("{} of {} sets of boundary values, {} of random values", boundary, all_boundary,
                      sets - boundary));
  }

  void Equal(std::string inputs) {
    proof_.verdict = Verdict::kEqual;
    proof_.detail = has_results_
                        ? fmt::format("results agree on {}", inputs)
                        : fmt::format("no results; {} {} on {}", Count(compared_, "intermediate value"),
                                      compared_ == 1 ? "agrees" : "agree", inputs);
    if (failed_checks_ > 0)
      proof_.detail += fmt::format("; same {} in both programs", Count(failed_checks_, "failed check"));
    if (dynamic_) proof_.detail += fmt::format("; dynamic dimensions evaluated with size {}", kTriedExtent);
  }

  // Evaluates both programs on one input. Returns false once the verdict is known.
  bool CompareOn(OpId fa, OpId fb, std::vector<Tensor> args) {
    if (args.size() != args_.size()) return NotCovered("not enough memory for the arguments");
    std::vector<Tensor> values_a, values_b;
    Result<EvalResult> ra = a_.Run(fa, args, has_results_ ? nullptr : &values_a);
    if (!ra) return NotCovered(Describe(ra.error()[0]));
    Result<EvalResult> rb = b_.Run(fb, args, has_results_ ? nullptr : &values_b);
    if (!rb) return NotCovered(Describe(rb.error()[0]));
    ++proof_.inputs;
    const std::vector<Tensor>& a = has_results_ ? ra->results : values_a;
    const std::vector<Tensor>& b = has_results_ ? rb->results : values_b;
    if (a.size() != b.size())
      return NotCovered("has no results, and computes different numbers of intermediate values");
    compared_ = a.size();
    for (size_t i = 0; i < a.size(); ++i) {
      const std::string what = fmt::format("{} {}", has_results_ ? "result" : "intermediate value", i);
      if (a[i].type() != b[i].type())
        return Different(fmt::format("{} has type {} in the first program, {} in the second", what,
                                     TypeName(a[i].type()), TypeName(b[i].type())));
      if (const auto at = FirstDifference(a[i], b[i]))
        return Different(DifferenceText(what, a[i], b[i], *at, args));
    }
    return SameChecks(ra->failed_checks, rb->failed_checks, args);
  }

  bool SameChecks(const Diagnostics& a, const Diagnostics& b, std::span<const Tensor> args) {
    failed_checks_ = std::max(failed_checks_, a.size());
    if (a.size() != b.size())
      return Different(fmt::format("{} in the first program, {} in the second; first: {}{}",
                                   Count(a.size(), "failed check"), b.size(),
                                   Describe(a.size() > b.size() ? a[0] : b[0]), ArgumentsText(args, {})));
    for (size_t i = 0; i < a.size(); ++i)
      if (a[i].op != b[i].op || a[i].message != b[i].message)
        return Different(fmt::format("failed check {} differs: {}; {}{}", i, Describe(a[i]), Describe(b[i]),
                                     ArgumentsText(args, {})));
    return true;
  }

  static std::string Bits(const Tensor& t, uint64_t i) {
    const int digits = (BitWidth(t.element().kind) + 3) / 4;
    std::string out = fmt::format("{} (bits 0x{:0{}X}", PrintElement(t, i), ElementBits(t, i), digits);
    if (t.element().complex) out += fmt::format(", 0x{:0{}X}", ElementBits(t, i, 1), digits);
    return out + ")";
  }

  static std::string DifferenceText(const std::string& what, const Tensor& a, const Tensor& b, uint64_t at,
                                    std::span<const Tensor> args) {
    return fmt::format("{} differs at {}: {} in the first program, {} in the second{}", what,
                       IndexString(a.type(), at), Bits(a, at), Bits(b, at),
                       ArgumentsText(args, std::make_pair(&a.type(), at)));
  }

  // Prints the input: the elements at the index of the difference if shapes are equal, or whole arguments.
  static std::string ArgumentsText(std::span<const Tensor> args,
                                   std::optional<std::pair<const ValueType*, uint64_t>> where) {
    std::string out;
    for (size_t i = 0; i < args.size(); ++i) {
      out += fmt::format("{}%arg{} = ", i == 0 ? "; for " : ", ", i);
      if (where && args[i].type().shape == where->first->shape && args[i].count() > kShownElements)
        out += fmt::format("{} at that index", Bits(args[i], where->second));
      else
        out += PrintTensor(args[i], kShownElements);
    }
    return out;
  }

  const Module& ma_;
  const Module& mb_;
  Evaluator& a_;
  Evaluator& b_;
  const ProveOptions& options_;
  FunctionProof proof_;
  std::vector<ValueTypePtr> args_;
  bool has_results_ = false;
  bool dynamic_ = false;
  uint64_t num_ops_ = 0;
  size_t compared_ = 0;
  size_t failed_checks_ = 0;
};

}  // namespace

struct ByEvaluation::Programs {
  Programs(const Module& a, const Module& b, const ProveOptions& o)
      : ma(a), mb(b), options(o), ea(a, EvalOptionsOf(o.source_a)), eb(b, EvalOptionsOf(o.source_b)) {}
  static EvalOptions EvalOptionsOf(const Source* source) {
    EvalOptions options;
    options.max_steps = kMaxStepsPerRun;
    options.source = source;
    return options;
  }
  const Module& ma;
  const Module& mb;
  const ProveOptions options;
  Evaluator ea, eb;
};

ByEvaluation::ByEvaluation(const Module& a, const Module& b, const ProveOptions& options)
    : programs_(std::make_unique<Programs>(a, b, options)) {}
ByEvaluation::~ByEvaluation() = default;

FunctionProof ByEvaluation::Compare(std::string_view name, OpId function_a, OpId function_b) {
  Programs& p = *programs_;
  return FunctionProver(p.ma, p.mb, p.ea, p.eb, p.options).Run(name, function_a, function_b);
}

}  // namespace shlo
