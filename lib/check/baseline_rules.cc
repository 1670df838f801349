// Rules about changes: a file is compared with what it was before, program by program and function by
// function.
#include <algorithm>
#include <set>
#include <string>

#include "base/format.h"
#include "base/printable.h"
#include "check/collector.h"
#include "ir/table/trait.h"
#include "shlo/compare.h"
#include "shlo/convert.h"
#include "shlo/print.h"
#include "shlo/verify.h"

namespace shlo {
namespace {

struct PublicFunction {
  std::string_view name;
  OpId op;
};

std::vector<PublicFunction> PublicFunctions(const Module& m) {
  std::vector<PublicFunction> found;
  for (const OpId id : m.BodyOpsOf(m.ops[m.top.v])) {
    const Op& op = m.ops[id.v];
    if (m.Has(op, Trait::kFunction) && m.VisibilityOf(op) != "private") found.push_back({m.SymbolOf(op), id});
  }
  return found;
}

// Arguments or results of a function: their types, and their attributes as text.
struct Ports {
  std::vector<std::string> types, attrs;
};

Ports PortsOf(const Module& m, const Op& function, bool arguments) {
  Ports out;
  const auto type = m.FunctionTypeOf(function);
  if (!type) return out;
  for (const TypeId t : arguments ? type->inputs : type->results) out.types.push_back(TypeText(m, t));
  out.attrs.resize(out.types.size());
  size_t i = 0;
  for (const AttrId attr : m.ElementsOf(m.InherentAttrOf(function, arguments ? "arg_attrs" : "res_attrs")))
    if (i < out.attrs.size()) {
      out.attrs[i] = AttrText(m, attr);
      if (out.attrs[i] == "{}") out.attrs[i].clear();
      ++i;
    }
  return out;
}

// Returns the first difference of two signatures; "" if there is none.
std::string FirstDifference(const Module& before, const Op& old, const Module& now, const Op& changed) {
  for (const bool arguments : {true, false}) {
    const char* const word = arguments ? "argument" : "result";
    const Ports a = PortsOf(before, old, arguments), b = PortsOf(now, changed, arguments);
    if (a.types.size() != b.types.size())
      return StrFormat("has {}, but had {}", Count(b.types.size(), word), Count(a.types.size(), word));
    for (size_t i = 0; i < a.types.size(); ++i) {
      if (a.types[i] != b.types[i])
        return StrFormat("{} {} is {}, but was {}", word, i + 1, b.types[i], a.types[i]);
      if (a.attrs[i] != b.attrs[i])
        return StrFormat("{} {} has attributes {}, but had {}", word, i + 1,
                         b.attrs[i].empty() ? "{}" : b.attrs[i], a.attrs[i].empty() ? "{}" : a.attrs[i]);
    }
  }
  return "";
}

class Comparison {
 public:
  Comparison(Collector& out, const Program& before, const Program& now)
      : out_(out), before_(before), now_(now) {}

  void Run() {
    // A program that violates a constraint has a meaning that the new one can keep.
    if (HasErrors(Verify(before_, {.strictness = Strictness::kLenient, .limits = out_.limits}))) {
      out_.AddMessage(CheckRule::kMeaningUnknown, &now_, "the program of the baseline does not verify");
      return;
    }
    CompareTargets();
    CompareSignatures();
    if (out_.Wants(CheckRule::kMeaningChanged) || out_.Wants(CheckRule::kContractChanged) ||
        out_.Wants(CheckRule::kMeaningUnknown))
      CompareMeaning();
  }

 private:
  void CompareTargets() {
    if (!out_.Wants(CheckRule::kLowestTargetRose)) return;
    ConvertOptions options;
    options.portable = true;
    options.limits = out_.limits;
    const auto was = LowestTarget(before_.module, options), is = LowestTarget(now_.module, options);
    if (!was) return out_.Fail(was.error());
    if (!is) return out_.Fail(is.error());
    if (*is > *was)
      out_.AddMessage(CheckRule::kLowestTargetRose, &now_,
                      StrFormat("the lowest target is {}, but was {}", VersionName(*is), VersionName(*was)),
                      StrFormat("see what raised it: shlo-compat --target={}", ShortVersionName(*was)));
  }

  void CompareSignatures() {
    const auto functions = PublicFunctions(now_.module), olds = PublicFunctions(before_.module);
    const auto is_old = [&](const PublicFunction& f) {
      return std::ranges::any_of(olds, [&](const PublicFunction& old) { return old.name == f.name; });
    };
    for (const PublicFunction& f : functions) {
      functions_.emplace(f.name, f.op);
      if (!is_old(f)) settled_.insert(std::string(f.name));  // nobody calls a new one yet
    }
    for (const PublicFunction& old : olds) {
      const auto same = std::find_if(functions.begin(), functions.end(),
                                     [&](const PublicFunction& f) { return f.name == old.name; });
      if (same == functions.end()) {
        settled_.insert(std::string(old.name));
        out_.AddMessage(CheckRule::kRemoved, &now_, StrFormat("function {} is gone", SymbolText(old.name)));
        continue;
      }
      const std::string what = FirstDifference(before_.module, before_.module.ops[old.op.v], now_.module,
                                               now_.module.ops[same->op.v]);
      if (what.empty()) continue;
      settled_.insert(std::string(old.name));
      out_.AddOp(CheckRule::kSignatureChanged, now_, same->op,
                 StrFormat("{}: {}", SymbolText(old.name), what));
    }
  }

  // Without an evaluator only the same program has the same meaning for sure.
  Result<std::vector<MeaningChange>> MeaningChanges() const {
    if (const MeaningComparison& compare = out_.settings.compare_meaning)
      return compare(before_, now_, out_.limits);
    std::vector<MeaningChange> changes;
    const std::string what = FirstDifference(before_.module, now_.module,
                                             {.locations = false, .version = false, .defaults = false});
    if (!what.empty())
      changes.push_back({"", CheckRule::kMeaningUnknown,
                         StrFormat("this build does not compare what programs compute: {}", what)});
    return changes;
  }

  void CompareMeaning() {
    const auto changes = MeaningChanges();
    if (!changes) return out_.Fail(changes.error());
    for (const MeaningChange& change : *changes) {
      if (change.function.empty()) {
        out_.AddMessage(change.rule, &now_, change.detail);
        continue;
      }
      const auto function = functions_.find(change.function);
      if (function != functions_.end() && !settled_.contains(change.function))
        out_.AddOp(change.rule, now_, function->second,
                   StrFormat("{}: {}", SymbolText(change.function), change.detail));
    }
  }

  Collector& out_;
  const Program& before_;
  const Program& now_;
  std::map<std::string, OpId, std::less<>> functions_;  // public ones, as they are now
  std::set<std::string> settled_;                       // that have a finding, or cannot be compared
};

}  // namespace

void CheckAgainst(Collector& out, const ProgramFile& baseline) {
  if (baseline.file.bytes == out.file.file.bytes) return;
  // Programs of a container have names; those of a text correspond by their order.
  for (size_t i = 0; i < baseline.programs.size(); ++i) {
    const Program& before = baseline.programs[i];
    const Program* now = nullptr;
    for (const Program& p : out.file.programs)
      if (!p.name.empty() && p.name == before.name) now = &p;
    if (before.name.empty() && i < out.file.programs.size()) now = &out.file.programs[i];
    if (!now)
      out.AddMessage(CheckRule::kRemoved, nullptr,
                     before.name.empty() ? StrFormat("program {} of the file is gone", i + 1)
                                         : StrFormat("program '{}' is gone", before.name));
    else
      Comparison(out, before, *now).Run();
  }
}

}  // namespace shlo
