#include "shlo/reduce.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>

#include "base/deadline.h"
#include "base/guarded.h"
#include "base/try.h"
#include "ir/table/ops.h"
#include "reduce/edits.h"
#include "reduce/shrink.h"
#include "reduce/size.h"
#include "shlo/inline.h"
#include "shlo/verify.h"

namespace shlo {
namespace reduce {
namespace {

class Reducer {
 public:
  Reducer(const Module& module, const StillShows& still_shows, const ReduceOptions& options)
      : still_shows_(still_shows), options_(options), base_(module) {}

  Result<Reduced> Run() {
    const Diagnostics found = Verify(base_, {.strictness = Strictness::kLenient});
    warnings_ = !found.empty();
    if (!options_.allow_invalid && HasErrors(found)) return tl::unexpected(found);
    ++tests_;
    const auto shows = SHLO_TRY(still_shows_(base_));
    if (!shows && Ends())
      return Error(Code::kLimit, "the reduction ended before the program itself was tested", {},
                   "raise the limit: --timeout (Limits::deadline)");
    if (!shows) return Error(Code::kNotEqual, "the program itself does not show it");
    size_ = SizeOf(base_);
    Reduced out;
    out.ops_before = Outline(base_, options_).ops;
    // Until no step finds anything: each step may make room for others.
    for (uint64_t before = ~0ull; before != generation_ && !stopped_;) {
      before = generation_;
      for (const Step& step : kSteps) {
        if (stopped_) break;
        outline_.emplace(base_, options_);
        if (options_.progress) options_.progress(step.name, outline_->ops);
        (this->*step.run)();
        Adopt();
      }
    }
    if (error_) return tl::unexpected(std::move(*error_));
    out.ops_after = Outline(base_, options_).ops;
    out.module = std::move(base_);
    out.tests = tests_;
    out.complete = !stopped_;
    return out;
  }

 private:
  struct Step {
    const char* name;
    void (Reducer::*run)();
  };
  static const std::array<Step, 13> kSteps;

  // --- Tests ----------------------------------------------------------------------------------------

  bool Ends() const {
    if (IsCanceled()) throw Canceled();
    return Limits::Clock::now() >= options_.limits.deadline || (options_.stopped && options_.stopped());
  }

  // Returns whether a candidate shows it, and remembers it if it does.
  bool Try(std::optional<Module> candidate) {
    if (!candidate || stopped_) return false;
    DropUnusedResources(&*candidate);
    const Size size = SizeOf(*candidate);
    if (size >= size_) return false;
    if (!options_.allow_invalid) {
      const Diagnostics found = Verify(*candidate, {.strictness = Strictness::kLenient});
      if (warnings_ ? HasErrors(found) : !found.empty()) return false;
    }
    if (tests_ >= options_.max_tests || Ends()) {
      stopped_ = true;
      return false;
    }
    ++tests_;
    auto shows = still_shows_(*candidate);
    if (Ends()) {
      stopped_ = true;
      return false;
    }
    if (!shows) {
      error_ = std::move(shows.error());
      stopped_ = true;
      return false;
    }
    if (!*shows) return false;
    best_ = std::move(*candidate);
    size_ = size;
    return true;
  }

  // Continues with the smallest program of a step.
  void Adopt() {
    if (!best_) return;
    base_ = std::move(*best_);
    best_.reset();
    ++generation_;
    outline_.emplace(base_, options_);
  }

  // Chooses as many of n changes as possible, where make(chosen) is the program with those that are chosen:
  // all at once, then halves, quarters, and so on.
  template <typename MakeT>
  void Choose(size_t n, const MakeT& make) {
    std::vector<bool> chosen(n);
    std::vector<size_t> left(n);
    for (size_t i = 0; i < n; ++i) left[i] = i;
    for (size_t size = n; size > 0 && !stopped_; size /= 2) {
      for (size_t at = 0; at < left.size() && !stopped_;) {
        const size_t end = std::min(left.size(), at + size);
        for (size_t i = at; i < end; ++i) chosen[left[i]] = true;
        if (Try(make(chosen))) {
          left.erase(left.begin() + std::ptrdiff_t(at), left.begin() + std::ptrdiff_t(end));
          continue;
        }
        for (size_t i = at; i < end; ++i) chosen[left[i]] = false;
        at = end;
      }
    }
  }

  // --- Functions ------------------------------------------------------------------------------------

  void DropFunctions() {
    std::vector<OpId> list;
    for (uint32_t i = uint32_t(base_.ops.size()); i-- > 1;) {
      const Function* f = outline_->FunctionOf(OpId(i));
      if (outline_->depth[i] == 0 && !(f && f->together)) list.push_back(OpId(i));
    }
    Choose(list.size(), [&](const std::vector<bool>& chosen) {
      Edits edits(base_);
      for (size_t i = 0; i < list.size(); ++i) {
        if (!chosen[i]) continue;
        edits.fates[list[i].v] = Fate::kDrop;
        if (const Function* f = outline_->FunctionOf(list[i]))
          for (OpId caller : f->callers)
            if (outline_->depth[caller.v] != 0 && !outline_->Ends(caller))
              edits.fates[caller.v] = Fate::kDrop;
      }
      return Apply(base_, *outline_, edits);
    });
  }

  // Ends functions early: they return what the rest would have used.
  void CutFunctions() {
    for (size_t i = 0; i < outline_->functions.size() && !stopped_; ++i) {
      if (!outline_->functions[i].changeable) continue;
      CutFunction(outline_->functions[i]);
      Adopt();
    }
  }

  void CutFunction(const Function& f) {
    const auto list = base_.OpsOf(f.body);
    // The position of the last op that uses each value.
    std::vector<size_t> last_use(base_.values.size(), 0);
    for (size_t i = 0; i < list.size(); ++i) {
      for (OpId op : base_.OpsIn(list[i]))
        for (ValueId operand : base_.OperandsOf(base_.ops[op.v])) last_use[operand.v] = i;
    }
    size_t low = 0, high = list.size() - 1;
    while (low < high && !stopped_) {
      const size_t middle = low + (high - low) / 2;
      Edits edits(base_);
      std::vector<Returned>& returns = edits.returns[f.op.v];
      for (size_t i = 0; i < list.size() - 1; ++i) {
        const Op& op = base_.ops[list[i].v];
        if (i >= middle) edits.fates[list[i].v] = Fate::kDrop;
        for (uint32_t k = 0; i < middle && k < base_.NumResults(op); ++k)
          if (const ValueId v = base_.ResultOf(op, k); last_use[v.v] >= middle)
            returns.push_back({v, Returned::kNew});
      }
      if (Try(Apply(base_, *outline_, edits)))
        high = middle;
      else
        low = middle + 1;
    }
  }

  // --- Ops ------------------------------------------------------------------------------------------

  void DropOps(Substitute substitute) {
    for (uint32_t depth = 1; depth <= outline_->max_depth && !stopped_; ++depth) {
      std::vector<OpId> list;
      for (uint32_t i = uint32_t(base_.ops.size()); i-- > 1;) {
        // A constant that becomes another constant would not make the program smaller.
        const bool constant = base_.NumOperands(base_.ops[i]) == 0 && substitute == Substitute::kZero;
        if (outline_->depth[i] == depth && !outline_->Ends(OpId(i)) && !constant) list.push_back(OpId(i));
      }
      Choose(list.size(), [&](const std::vector<bool>& chosen) {
        Edits edits(base_);
        edits.substitute = substitute;
        for (size_t i = 0; i < list.size(); ++i)
          if (chosen[i]) edits.fates[list[i].v] = Fate::kDrop;
        return Apply(base_, *outline_, edits);
      });
      Adopt();
    }
  }
  void DropOpsForOperands() { DropOps(Substitute::kOperand); }
  void DropOpsForArguments() { DropOps(Substitute::kArgument); }
  void DropOpsForConstants() { DropOps(Substitute::kZero); }

  // Puts the ops of a region in the place of the op around it.
  void HoistRegions() {
    for (uint8_t which = 0; which < 4 && !stopped_; ++which) {
      std::vector<OpId> list;
      for (uint32_t i = 1; i < base_.ops.size(); ++i) {
        const auto regions = base_.RegionsOf(base_.ops[i]);
        if (outline_->depth[i] == 0 || outline_->depth[i] == Outline::kNone || regions.size() <= which)
          continue;
        const auto blocks = base_.BlocksOf(regions[which]);
        if (blocks.size() != 1 || base_.OpsOf(blocks[0]).empty()) continue;
        if (outline_->Ends(base_.OpsOf(blocks[0]).back())) list.push_back(OpId(i));
      }
      Choose(list.size(), [&](const std::vector<bool>& chosen) {
        Edits edits(base_);
        for (size_t i = 0; i < list.size(); ++i) {
          if (!chosen[i]) continue;
          edits.fates[list[i].v] = Fate::kHoist;
          edits.regions[list[i].v] = which;
        }
        return Apply(base_, *outline_, edits);
      });
      Adopt();
    }
  }

  void Inline() {
    std::vector<OpId> composites;
    bool calls = false;
    for (uint32_t i = 1; i < base_.ops.size(); ++i) {
      calls = calls || base_.Is(base_.ops[i], ops::kCall);
      if (base_.RevisionIdOf(base_.ops[i]) && base_.InherentAttrOf(base_.ops[i], "decomposition"))
        composites.push_back(OpId(i));
    }
    Choose(composites.size(), [&](const std::vector<bool>& chosen) {
      Edits edits(base_);
      for (size_t i = 0; i < composites.size(); ++i)
        if (chosen[i]) edits.fates[composites[i].v] = Fate::kCall;
      return Apply(base_, *outline_, edits);
    });
    Adopt();
    if (!calls) return;
    // A function that is called often stays one.
    auto inlined = InlineCalls(base_);
    if (inlined && inlined->ops.size() <= 2 * base_.ops.size()) Try(std::move(*inlined));
  }

  // --- Signatures -----------------------------------------------------------------------------------

  // An argument or result of a function, or of all functions that must stay together.
  struct Position {
    uint32_t function;
    uint32_t index;
  };
  template <typename CountT>
  std::vector<Position> Positions(const CountT& count) const {
    std::vector<Position> out;
    bool together = false;
    for (uint32_t f = 0; f < outline_->functions.size(); ++f) {
      const Function& function = outline_->functions[f];
      if (!function.body || !(function.changeable || (function.together && !together))) continue;
      together = together || function.together;
      for (uint32_t i = 0; i < count(function); ++i) out.push_back({f, i});
    }
    return out;
  }
  // Calls visit with each function that a position means.
  template <typename VisitT>
  void ForEach(const Position& p, const VisitT& visit) const {
    const Function& first = outline_->functions[p.function];
    for (const Function& f : outline_->functions)
      if (&f == &first || (first.together && f.together && f.body)) visit(f);
  }

  void DropResults() {
    const auto count = [&](const Function& f) { return base_.NumOperands(base_.ops[f.end.v]); };
    const std::vector<Position> list = Positions(count);
    Choose(list.size(), [&](const std::vector<bool>& chosen) {
      Edits edits(base_);
      std::map<uint32_t, std::vector<bool>> gone;  // by function op
      for (size_t i = 0; i < list.size(); ++i) {
        if (!chosen[i]) continue;
        ForEach(list[i], [&](const Function& f) {
          std::vector<bool>& results = gone[f.op.v];
          results.resize(std::max(size_t(count(f)), size_t(list[i].index) + 1));
          results[list[i].index] = true;
        });
      }
      for (const Function& f : outline_->functions) {
        const auto of = gone.find(f.op.v);
        if (of == gone.end()) continue;
        const auto operands = base_.OperandsOf(base_.ops[f.end.v]);
        std::vector<Returned>& returns = edits.returns[f.op.v];
        for (uint32_t i = 0; i < operands.size(); ++i)
          if (!of->second[i]) returns.push_back({operands[i], i});
      }
      return Apply(base_, *outline_, edits);
    });
  }

  // Removes arguments that nothing uses.
  void DropArguments() {
    const auto count = [&](const Function& f) { return base_.blocks[f.body.v].args.count; };
    std::vector<bool> used(base_.values.size());
    for (const Op& op : base_.ops)
      for (const ValueId operand : base_.OperandsOf(op)) used[operand.v] = true;
    std::vector<Position> list = Positions(count);
    std::erase_if(list, [&](const Position& p) {
      bool any = false;
      ForEach(p, [&](const Function& f) {
        any = any || (p.index < count(f) && used[base_.ArgOf(f.body, p.index).v]);
      });
      return any;
    });
    Choose(list.size(), [&](const std::vector<bool>& chosen) {
      Edits edits(base_);
      for (size_t i = 0; i < list.size(); ++i)
        if (chosen[i])
          ForEach(list[i], [&](const Function& f) {
            if (list[i].index < count(f)) edits.args[base_.ArgOf(f.body, list[i].index).v] = true;
          });
      return Apply(base_, *outline_, edits);
    });
  }

  // --- What remains ---------------------------------------------------------------------------------

  void DropLocations() {
    if (HasLocations(base_)) Try(WithoutLocations(base_));
  }

  void DropAttributes() {
    const auto list = RemovableAttributes(base_);
    Choose(list.size(), [&](const std::vector<bool>& chosen) {
      return std::optional(WithoutAttributes(base_, list, chosen));
    });
  }

  void ShrinkConstants() {
    for (const bool zero : {true, false}) {
      const auto list = Constants(base_);
      Choose(list.size(),
             [&](const std::vector<bool>& chosen) { return WithSplats(base_, list, chosen, zero); });
      Adopt();
    }
  }

  void ShrinkShapes() {
    if (options_.keep_signatures) return;
    int64_t done = -1;  // an extent that is small already
    for (const Extents& change : ExtentChanges(ExtentsOf(base_))) {
      if (change.from == done || !Try(WithExtents(base_, change))) continue;
      Adopt();
      if (change.from == 0) return;
      done = change.from;
    }
  }

  const StillShows& still_shows_;
  const ReduceOptions& options_;
  Module base_;                     // what the current step begins with
  std::optional<Module> best_;      // the smallest program of the current step
  std::optional<Outline> outline_;  // of base_
  Size size_{};                     // of best_, or else of base_
  bool warnings_ = false;           // the program itself has warnings
  uint64_t tests_ = 0;
  uint64_t generation_ = 0;
  bool stopped_ = false;
  std::optional<Diagnostics> error_;
};

constexpr std::array<Reducer::Step, 13> Reducer::kSteps = {{
    {"functions", &Reducer::DropFunctions},
    {"locations", &Reducer::DropLocations},
    {"ends of functions", &Reducer::CutFunctions},
    {"ops", &Reducer::DropOpsForOperands},
    {"results", &Reducer::DropResults},
    {"regions", &Reducer::HoistRegions},
    {"calls", &Reducer::Inline},
    {"ops for arguments", &Reducer::DropOpsForArguments},
    {"ops for constants", &Reducer::DropOpsForConstants},
    {"arguments", &Reducer::DropArguments},
    {"attributes", &Reducer::DropAttributes},
    {"constants", &Reducer::ShrinkConstants},
    {"shapes", &Reducer::ShrinkShapes},
}};

}  // namespace
}  // namespace reduce

Result<Reduced> Reduce(const Module& module, const StillShows& still_shows, const ReduceOptions& options) {
  const Limits ends{.cancellation = options.limits.cancellation};  // the deadline has a result
  return Guarded(ends, [&] { return reduce::Reducer(module, still_shows, options).Run(); });
}

}  // namespace shlo
