// The checker of certificates. It follows the matching that a certificate states, and compares each op with
// the one that it is matched with: name, attributes, types, operands and regions. A value of either program
// has a class, which is a value of the first program; an op is equal to its match if their operands have the
// same classes, and then so have their results. Shares no code with the prover but the laws.
#include <algorithm>
#include <set>

#include "base/format.h"
#include "base/guarded.h"
#include "base/printable.h"
#include "base/stack.h"
#include "base/try.h"
#include "ir/module/attr_names.h"
#include "ir/table/attr_class.h"
#include "ir/table/trait.h"
#include "prove/certificate/program_view.h"
#include "prove/common_form.h"
#include "prove/law_record.h"
#include "shlo/certificate.h"

namespace shlo {
namespace {

using certificate::NodeEquality;
using certificate::ProgramView;

tl::unexpected<Diagnostics> Refuse(const std::string& message) {
  return tl::unexpected(Error(Code::kNotEqual, "the certificate does not hold: " + message).value());
}

// One of the programs: the first, whose repeated ops are compared with earlier ones, or the second, whose ops
// are compared with those of the first.
struct Side {
  Side(const Module& module) : view(module), match(view.ops.size()), classes(module.values.size()) {}
  ProgramView view;
  std::vector<uint32_t> match;    // by number of an op: number of an op of the first program; 0: none
  std::vector<uint32_t> classes;  // by value: a value of the first program; 0: not known
};

class Checker {
 public:
  Checker(const Module& a, const Module& b)
      : a_(a),
        b_(b),
        within_(a_.view, a_.view, [this](OpId x, OpId y) { return ClassOf(a_, x) == ClassOf(a_, y); }),
        across_(a_.view, b_.view, [this](OpId x, OpId y) { return ClassOf(a_, x) == ClassOf(b_, y); }),
        open_(a.ops.size()) {}

  uint64_t compared = 0;  // pairs of ops

  // Returns why the matching does not show that these functions are equal, or "".
  std::string Run(const Matching& matching, const std::vector<std::string>& functions) {
    if (a_.view.too_deep || b_.view.too_deep) return "a program is nested too deeply";
    if (!Take(matching.repeats, "repeats", &a_) || !Take(matching.matches, "matches", &b_) || !Repeats())
      return why_;
    for (OpId op : a_.view.top_level) WalkFirst(op);
    if (why_.empty()) Compare(functions);
    return why_;
  }

 private:
  // Keeps the first reason. Returns false.
  bool Fail(std::string why) {
    if (why_.empty()) why_ = std::move(why);
    return false;
  }
  bool FailAt(const Side& side, OpId op, std::string_view why) {
    return Fail(StrFormat("op {} of the {} program, '{}': {}", side.view.numbers[op.v],
                          &side == &a_ ? "first" : "second",
                          side.view.module.NameOf(side.view.module.ops[op.v]), why));
  }

  // --- What the certificate claims ------------------------------------------------------------------

  bool Take(const std::vector<MatchRun>& runs, std::string_view list, Side* side) {
    for (const MatchRun& run : runs) {
      const uint64_t end = run.first + uint64_t(run.count), other = run.to + uint64_t(run.count);
      if (!run.first || !run.to || end > side->view.ops.size() || other > a_.view.ops.size())
        return Fail(StrFormat("'{}' names an op that does not exist", list));
      for (uint32_t i = 0; i < run.count; ++i) {
        uint32_t& match = side->match[run.first + i];
        if (match) return Fail(StrFormat("'{}' names op {} twice", list, run.first + i));
        match = run.to + i;
      }
    }
    return true;
  }
  bool Repeats() {
    for (uint32_t n = 1; n < a_.match.size(); ++n)
      if (a_.match[n] && (a_.match[n] >= n || a_.match[a_.match[n]]))
        return Fail(StrFormat("op {} cannot repeat op {}", n, a_.match[n]));
    return true;
  }
  // The op of the first program that an op is claimed to be equal to; 0: none.
  uint32_t ClassOf(const Side& side, OpId op) const {
    const uint32_t n = side.view.numbers[op.v];
    if (&side == &a_) return a_.match[n] ? a_.match[n] : n;
    const uint32_t to = side.match[n];
    return to && a_.match[to] ? a_.match[to] : to;
  }

  // --- The first program by itself ------------------------------------------------------------------

  void WalkFirst(OpId id) {
    CheckStack();
    const Module& m = a_.view.module;
    const Op& op = m.ops[id.v];
    if (!why_.empty()) return;
    if (const uint32_t earlier = a_.match[a_.view.numbers[id.v]]) {
      if (in_order_ || (a_.view.HasEffects(id) && !a_.view.IsFunctionOp(id)))
        return void(FailAt(a_, id, "cannot repeat another op"));
      CompareOps(a_.view.ops[earlier], &a_, id);
      return;
    }
    const auto new_classes = [&](Range values) {
      for (uint32_t v = values.first; v < values.first + values.count; ++v) a_.classes[v] = v;
    };
    new_classes(m.ResultsOf(op));
    open_[id.v] = true;
    for (RegionId region : m.RegionsOf(op)) {
      const bool before = in_order_;
      in_order_ = certificate::InOrder(m, region);
      for (BlockId block : m.BlocksOf(region)) {
        new_classes(m.blocks[block.v].args);
        for (OpId nested : m.OpsOf(block)) WalkFirst(nested);
      }
      in_order_ = before;
    }
    open_[id.v] = false;
  }

  // --- Ops ------------------------------------------------------------------------------------------

  NodeEquality& NodesOf(const Side& side) { return &side == &a_ ? within_ : across_; }

  // Gives values the classes of others in the first program. Returns whether their types are equal.
  bool TakeClasses(Range x, Side* side, Range y) {
    if (x.count != y.count) return false;
    for (uint32_t i = 0; i < x.count; ++i) {
      const ValueId u(x.first + i), v(y.first + i);
      if (!NodesOf(*side).Equal(a_.view.module.TypeOf(u), side->view.module.TypeOf(v))) return false;
      side->classes[v.v] = a_.classes[u.v];
    }
    return true;
  }

  // Compares an op with the one of the first program that it is matched with, and gives its results the
  // classes of that one's.
  bool CompareOps(OpId x, Side* side, OpId y) {
    CheckStack();
    const Module &m = a_.view.module, &n = side->view.module;
    const Op &p = m.ops[x.v], &q = n.ops[y.v];
    ++compared;
    if (m.RevisionIdOf(p) != n.RevisionIdOf(q) || (!m.RevisionIdOf(p) && m.NameOf(p) != n.NameOf(q)))
      return FailAt(*side, y, StrFormat("is matched with '{}'", m.NameOf(p)));
    if (m.NumOperands(p) != n.NumOperands(q) || p.regions.count != q.regions.count ||
        p.successors.count != q.successors.count)
      return FailAt(*side, y, "has other numbers of operands or regions than its match");
    for (uint32_t i = 0; i < m.NumOperands(p); ++i) {
      const uint32_t known = side->classes[n.OperandsOf(q)[i].v];
      if (!known || known != a_.classes[m.OperandsOf(p)[i].v])
        return FailAt(*side, y, StrFormat("operand {} differs from its match", i));
    }
    if (!CompareAttributes(p, side, y)) return false;
    // Within its own region, arguments would have the same classes as outside.
    uint8_t& open = open_[a_.view.ops[ClassOf(a_, x)].v];
    if (p.regions.count && open) return FailAt(*side, y, "is matched with an op that it is in");
    open = true;
    for (uint32_t i = 0; i < p.regions.count; ++i)
      if (!CompareRegions(m.RegionsOf(p)[i], side, n.RegionsOf(q)[i])) return false;
    open = false;
    return TakeClasses(m.ResultsOf(p), side, n.ResultsOf(q)) ||
           FailAt(*side, y, "results have other types than in its match");
  }

  // A list of empty dictionaries is as good as none.
  static AttrId WithoutEmptyDicts(const Module& m, AttrId list) {
    for (AttrId item : list ? m.ElementsOf(list) : IdList<AttrId>())
      if (const auto dict = m.As<DictionaryAttr>(item); !dict || !dict->entries.empty()) return list;
    return {};
  }

  bool CompareAttributes(const Op& p, Side* side, OpId y) {
    const Module &m = a_.view.module, &n = side->view.module;
    const Op& q = n.ops[y.v];
    NodeEquality& nodes = NodesOf(*side);
    const bool function = m.Has(p, Trait::kFunction);
    const bool declaration = function && (p.regions.count == 0 || m.BlocksOf(m.RegionsOf(p)[0]).empty());
    const auto u = m.InherentAttrsOf(p), v = n.InherentAttrsOf(q);
    const auto cells = RevisionOf(m.RevisionIdOf(p)).attrs;
    for (size_t i = 0; i < cells.size(); ++i) {
      const std::string_view name = cells[i].name;
      AttrId a = u[i], b = v[i];
      // Functions are known by what they compute. Visibility counts for those that the certificate names.
      if (function && (name == "sym_visibility" || (name == "sym_name" && !declaration))) continue;
      // Artifacts cannot state this attribute.
      if (cells[i].attr_default() == Default::kTextOnly && (!a || !b)) continue;
      if (a && m.IsDefaultValue(cells[i], a)) a = {};
      if (b && n.IsDefaultValue(cells[i], b)) b = {};
      if (function && (name == "arg_attrs" || name == "res_attrs")) {
        a = WithoutEmptyDicts(m, a);
        b = WithoutEmptyDicts(n, b);
      }
      if (!nodes.Equal(a, b))
        return FailAt(*side, y, StrFormat("attribute '{}' differs from its match's", name));
    }
    return CompareDiscardable(p, side, y);
  }

  bool CompareDiscardable(const Op& p, Side* side, OpId y) {
    const Module &m = a_.view.module, &n = side->view.module;
    const auto u = m.DiscardableAttrsOf(p), v = n.DiscardableAttrsOf(n.ops[y.v]);
    size_t i = 0, j = 0;
    while (true) {
      // The version of a text is about the file.
      while (i < u.size() && m.strings[u[i].name] == kCompatVersion) ++i;
      while (j < v.size() && n.strings[v[j].name] == kCompatVersion) ++j;
      if (i == u.size() && j == v.size()) return true;
      if (i == u.size() || j == v.size() || m.strings[u[i].name] != n.strings[v[j].name] ||
          !NodesOf(*side).Equal(u[i].value, v[j].value))
        return FailAt(*side, y, "discardable attributes differ from its match's");
      ++i, ++j;
    }
  }

  // --- Regions --------------------------------------------------------------------------------------

  bool CompareRegions(RegionId x, Side* side, RegionId y) {
    const Module &m = a_.view.module, &n = side->view.module;
    const OpId parent = n.regions[y.v].parent;
    const auto p = m.BlocksOf(x), q = n.BlocksOf(y);
    const bool in_order = certificate::InOrder(m, x);
    if (p.size() != q.size() || in_order != certificate::InOrder(n, y))
      return FailAt(*side, parent, "a region has another form than its match");
    for (size_t i = 0; i < p.size(); ++i)
      if (!TakeClasses(m.blocks[p[i].v].args, side, n.blocks[q[i].v].args))
        return FailAt(*side, parent, "block arguments have other types than in its match");
    if (in_order) return CompareInOrder(p, side, q, parent);
    const auto u = m.OpsOf(p[0]), v = n.OpsOf(q[0]);
    for (OpId op : v)
      if (const uint32_t match = side->match[side->view.numbers[op.v]])
        if (!CompareOps(a_.view.ops[match], side, op)) return false;
    const uint32_t last = ClassOf(*side, v.back());
    if (!last || last != ClassOf(a_, u.back()))
      return FailAt(*side, v.back(), "is not the end of the block that its match ends");
    Places of_x, of_y;
    if (!PlacesOf(a_, u, &of_x) || !PlacesOf(*side, v, &of_y)) return false;
    return of_x == of_y || FailAt(*side, parent, "side effects differ from its match");
  }

  // Lists the ops of a block that must keep their place: those with effects in order, each with those after
  // it that may not end, which are in any order. First come those that may fail without being used.
  using Places = std::vector<std::pair<uint32_t, std::set<uint32_t>>>;
  bool PlacesOf(const Side& side, std::span<const OpId> ops, Places* out) {
    out->resize(2);
    std::set<uint32_t> used;
    for (OpId op : ops) {
      const bool effects = side.view.HasEffects(op);
      if (!effects && !side.view.MayLoop(op)) {
        if (!side.view.MayFail(op)) continue;
        const uint32_t known = ClassOf(side, op);
        if (!side.view.IsUnused(op))
          used.insert(known);
        else if (known)
          out->front().second.insert(known);
        else
          return FailAt(side, op, "may fail, and is not matched");
        continue;
      }
      const uint32_t known = ClassOf(side, op);
      if (!known) return FailAt(side, op, "has an effect or may not end, and is not matched");
      if (effects)
        out->emplace_back(known, std::set<uint32_t>());
      else
        out->back().second.insert(known);
    }
    // An op that is used fails as well.
    std::erase_if(out->front().second, [&](uint32_t known) { return used.contains(known); });
    return true;
  }

  bool CompareInOrder(std::span<const BlockId> p, Side* side, std::span<const BlockId> q, OpId parent) {
    const Module &m = a_.view.module, &n = side->view.module;
    // Ops may use the results of later ones.
    for (size_t i = 0; i < p.size(); ++i) {
      const auto u = m.OpsOf(p[i]), v = n.OpsOf(q[i]);
      if (u.size() != v.size())
        return FailAt(*side, parent, "a block has another number of ops than its match");
      for (size_t k = 0; k < u.size(); ++k) {
        if (side->match[side->view.numbers[v[k].v]] != a_.view.numbers[u[k].v] ||
            !TakeClasses(m.ResultsOf(m.ops[u[k].v]), side, n.ResultsOf(n.ops[v[k].v])))
          return FailAt(*side, v[k], "is not matched with the op at its place");
      }
    }
    for (size_t i = 0; i < p.size(); ++i) {
      const auto u = m.OpsOf(p[i]), v = n.OpsOf(q[i]);
      for (size_t k = 0; k < u.size(); ++k) {
        if (!CompareOps(u[k], side, v[k])) return false;
        const auto to = m.SuccessorsOf(m.ops[u[k].v]), other = n.SuccessorsOf(n.ops[v[k].v]);
        for (size_t s = 0; s < to.size(); ++s)
          if (std::ranges::find(p, to[s]) - p.begin() != std::ranges::find(q, other[s]) - q.begin())
            return FailAt(*side, v[k], "branches to another block than its match");
      }
    }
    return true;
  }

  // --- Programs -------------------------------------------------------------------------------------

  // Compares all matched functions of the second program, and what the module has besides.
  void Compare(const std::vector<std::string>& functions) {
    const Module &m = a_.view.module, &n = b_.view.module;
    if (!CompareDiscardable(m.ops[m.top.v], &b_, n.top)) return;
    std::set<uint32_t> others;
    for (OpId op : b_.view.top_level) {
      const uint32_t match = b_.match[b_.view.numbers[op.v]];
      const bool function = b_.view.IsFunctionOp(op);
      if (!match && function) continue;
      if (!match || (!function && !others.insert(match).second))
        return void(FailAt(b_, op, "is not in the first program"));
      if (m.ops[a_.view.ops[match].v].parent != m.ops[a_.view.top_level[0].v].parent)
        return void(FailAt(b_, op, "is matched with an op within another"));
      if (!CompareOps(a_.view.ops[match], &b_, op)) return;
    }
    for (OpId op : a_.view.top_level)
      if (!a_.view.IsFunctionOp(op) && !others.contains(a_.view.numbers[op.v]))
        return void(FailAt(a_, op, "is not in the second program"));
    for (const std::string& name : functions) {
      const OpId x = a_.view.Definition(name), y = b_.view.Definition(name);
      if (!x || !y || !a_.view.IsFunctionOp(x) || ClassOf(b_, y) != ClassOf(a_, x))
        return void(Fail(StrFormat("there are no functions {} that are matched", SymbolText(name))));
      if (a_.view.IsPublic(x) != b_.view.IsPublic(y))
        return void(FailAt(b_, y, StrFormat("{} has another visibility", SymbolText(name))));
    }
  }

  Side a_, b_;
  NodeEquality within_, across_;
  std::vector<uint8_t> open_;  // by op of the first program: its regions are being walked or compared
  bool in_order_ = false;
  std::string why_;
};

// Adds the functions that callers can name; all of them, unless some are public.
void AddFunctions(const ProgramView& a, const ProgramView& b, std::set<std::string>* names) {
  for (const bool all : {false, true}) {
    for (const ProgramView* view : {&a, &b})
      for (OpId op : view->top_level)
        if (view->IsFunctionOp(op) && (all || view->IsPublic(op)))
          names->emplace(view->module.SymbolOf(view->module.ops[op.v]));
    if (!names->empty()) return;
  }
}

// Sorts the functions of a certificate by how they are checked. Returns what contradicts itself, or "".
std::string TakeFunctions(const Certificate& certificate, const Module& a, const Module& b,
                          CertificateCheck* check) {
  std::set<std::string> missing, stated;
  const ProgramView view_a(a), view_b(b);
  if (view_a.too_deep || view_b.too_deep) return "a program is nested too deeply";
  AddFunctions(view_a, view_b, &missing);
  const std::set<std::string> all = missing;
  for (const CertifiedFunction& f : certificate.functions) {
    const bool evaluated = f.evidence == Evidence::kSampled || f.evidence == Evidence::kExhaustive;
    if (!all.contains(f.function)) return StrFormat("there is no public function {}", SymbolText(f.function));
    if (!stated.insert(f.function).second) return StrFormat("it states {} twice", SymbolText(f.function));
    if (evaluated != (f.inputs != 0) || (!evaluated && f.parts != 0))
      return StrFormat("{} is {}, with {} and {}", SymbolText(f.function), EvidenceName(f.evidence),
                       Count(f.inputs, "input set"), Count(f.parts, "part"));
    if (f.evidence == Evidence::kNone) continue;
    if (f.evidence == Evidence::kCongruence && !certificate.laws.empty())
      return StrFormat("{} needs laws", SymbolText(f.function));
    if (f.evidence == Evidence::kLaws && certificate.laws.empty())
      return StrFormat("{} needs laws, and it states none", SymbolText(f.function));
    (evaluated ? check->evaluated : check->verified).push_back(f.function);
    missing.erase(f.function);
  }
  check->not_covered.assign(missing.begin(), missing.end());
  return "";
}

Result<CertificateCheck> Check(const Certificate& certificate, const Module& a, const Module& b) {
  CertificateCheck check;
  const Module* const modules[] = {&a, &b};
  for (size_t i = 0; i < std::size(modules); ++i)
    if (certificate.programs[i].version != modules[i]->version)
      return Refuse(StrFormat("it states version {} for the {} program, which has {}",
                              certificate.programs[i].version.n, i == 0 ? "first" : "second",
                              modules[i]->version.n));
  if (const std::string why = TakeFunctions(certificate, a, b, &check); !why.empty()) return Refuse(why);
  if (check.evaluated.empty() && (certificate.seed != 0 || certificate.max_inputs != 0))
    return Refuse("it states a seed, and that nothing was evaluated");
  for (const CertifiedFunction& f : certificate.functions)
    check.weakest = std::min(check.weakest, f.evidence);
  if (!check.not_covered.empty()) check.weakest = Evidence::kNone;
  const Matching& matching = certificate.matching;
  if (check.verified.empty()) {
    check.weakest = check.evaluated.empty() ? Evidence::kNone : check.weakest;
    const bool nothing = matching.form.empty() && matching.matches.empty() && matching.repeats.empty() &&
                         certificate.laws.empty();
    return nothing ? Result<CertificateCheck>(std::move(check))
                   : Refuse("it states laws or matches, and no function that needs them");
  }
  const auto form = prove::FormOfName(matching.form);
  if (!form) return Refuse(StrFormat("form '{}' is not known", matching.form));
  auto common = SHLO_TRY(prove::BringTogether(a, b, *form));
  if (certificate.laws != common.laws) return Refuse("it states other laws than the applied ones");
  for (size_t i = 0; i < certificate.laws.size(); ++i)
    if (i >= certificate.rungs.size() || !HasReached(certificate.laws[i].name, certificate.rungs[i]))
      return Refuse(StrFormat("'{}' has not reached the rungs it states", certificate.laws[i].name));
  if (certificate.rungs.size() != certificate.laws.size()) return Refuse("it states rungs without a law");
  Checker checker(common.a, common.b);
  if (const std::string why = checker.Run(matching, check.verified); !why.empty()) return Refuse(why);
  check.ops = checker.compared;
  return check;
}

// Evaluates again what the certificate says was evaluated.
Result<CertificateCheck> CheckAgain(const Certificate& certificate, const Module& a, const Module& b,
                                    ProveOptions options) {
  auto check = Check(certificate, a, b);
  if (!check || check->evaluated.empty()) return check;
  options.seed = certificate.seed;
  options.max_inputs = certificate.max_inputs;
  const auto proof = SHLO_TRY(Prove(a, b, options));
  for (const CertifiedFunction& f : certificate.functions) {
    if (f.evidence != Evidence::kSampled && f.evidence != Evidence::kExhaustive) continue;
    const auto found = std::ranges::find(proof.functions, f.function, &FunctionProof::function);
    const bool same = found != proof.functions.end() && found->verdict == Verdict::kEqual &&
                      found->evidence == f.evidence && found->inputs == f.inputs &&
                      found->cut_outs == f.parts;
    if (!same || !proof.contract.empty())
      return Refuse(StrFormat("@{} was evaluated again, with another outcome than {} by {}", f.function,
                              EvidenceName(f.evidence), Count(f.inputs, "input set")));
  }
  return check;
}

}  // namespace

Result<CertificateCheck> CheckCertificate(const Certificate& certificate, const Module& a, const Module& b) {
  return Guarded([&] { return Check(certificate, a, b); });
}

Result<CertificateCheck> CheckCertificate(const Certificate& certificate, const Module& a, const Module& b,
                                          const ProveOptions& options) {
  return Guarded(options.limits, [&] { return CheckAgain(certificate, a, b, options); });
}

}  // namespace shlo
