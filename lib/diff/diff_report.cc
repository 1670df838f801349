#include "diff/diff_report.h"

#include <algorithm>
#include <charconv>
#include <utility>

#include "base/deadline.h"
#include "base/format.h"
#include "shlo/tensor.h"
#include "shlo/text_writer.h"

namespace shlo {
namespace {

// Bytes of an op's text.
constexpr size_t kMaxOp = 400;

// One of the two programs, for reports.
struct Side {
  explicit Side(const Program& program)
      : module(program.module), source(program.source), texts(program.module) {}
  Place PlaceOfOp(OpId op) const { return PlaceOf(module, op, &source); }
  // Returns "4:3" for a place in the program's text, "model.py:4:3" for another one, or "".
  std::string PlaceText(OpId op) const {
    const Place place = PlaceOfOp(op);
    if (!place.line) return place.location;
    const std::string file = place.file == source.name ? "" : NameText(place.file) + ":";
    return StrFormat("{}{}:{}", file, place.line, place.column);
  }
  // Returns the text of an op. A large constant is its first elements, and a hash of all, which tells it
  // from others.
  std::string TextOf(OpId op) {
    constexpr std::string_view kElided = "dense_resource<__elided__>";
    constexpr uint64_t kFirst = 4;
    std::string text = texts.Of(op, kMaxOp);
    const size_t at = text.find(kElided);
    if (at == text.npos) return text;
    const auto value = TensorFromAttr(module, module.InherentAttrOf(module.ops[op.v], "value"));
    if (!value || value->splat() || value->count() <= kFirst) return text;
    std::string elements;
    for (uint64_t i = 0; i < kFirst; ++i) elements += PrintElement(*value, i) + ", ";
    const uint64_t hash = HashBytes(value->data(), value->count() * value->element().bytes());
    return text.replace(at, kElided.size(),
                        StrFormat("dense<[{}... {} in all, hash {:08x}]>", elements,
                                  Count(value->count(), "element"), uint32_t(hash)));
  }
  const Module& module;
  const Source& source;
  OpTexts texts;
};

// Returns the value of a number as text, whatever the locale is.
double NumberOf(const std::string& text) {
  double value = 0;
  std::from_chars(text.data(), text.data() + text.size(), value);
  return value;
}

// --- Text ---------------------------------------------------------------------------------------------

std::string ElementsText(const ElementDifference& e) {
  std::string out =
      StrFormat("{}: {} of {} elements, the first is element {}", e.type, e.differ, e.count, e.first);
  if (!e.largest.empty()) out += StrFormat("; the largest difference is {}", e.largest);
  return out;
}

std::string AspectText(const Difference& d) {
  const std::string_view aspect = AspectName(d.aspect);
  switch (d.aspect) {
    case Aspect::kName:
      return "op";
    case Aspect::kAttribute:
    case Aspect::kConstant:
      return NameText(d.name);
    case Aspect::kArgument:
    case Aspect::kResult:
      return d.name.empty() ? StrFormat("{} {}", aspect, d.index)
                            : StrFormat("{} {}: {}", aspect, d.index, NameText(d.name));
    case Aspect::kOperand:
    case Aspect::kSuccessor:
      return StrFormat("{} {}", aspect, d.index);
    case Aspect::kRegions:
    case Aspect::kOrder:
    case Aspect::kLocation:
      break;
  }
  return std::string(aspect);
}

class Reporter {
 public:
  Reporter(const ProgramDiff& diff, Side& a, Side& b, uint64_t limit, bool color)
      : diff_(diff), a_(a), b_(b), limit_(limit ? limit : ~uint64_t(0)), color_(color) {}

  TerminalText Text() {
    for (const Difference& d : diff_.module) Line("module: " + DifferenceText(d));
    for (const SymbolDifference& symbol : diff_.symbols) PutSymbol(symbol);
    if (!diff_.others.empty()) Line("top level");
    for (const OpDifference& op : diff_.others) PutOp(op);
    if (left_out_) out_.Add("... {} more; --limit=0 prints all\n", Count(left_out_, "line"));
    if (!diff_.counts.empty()) {
      out_ += "ops\n";
      for (const OpCount& count : diff_.counts) {
        const std::string removed = count.removed ? StrFormat("-{}", count.removed) : "";
        const std::string added = count.added ? StrFormat("+{}", count.added) : "";
        out_.Add("  {:>6} {:>6}  {}\n", removed, added, NameText(count.name));
      }
    }
    return std::move(out_);
  }

  Json Document() {
    Json j = Json::object();
    j["equal"] = diff_.equal();
    j["matched"] = diff_.matched;
    j["module"] = DifferencesJson(diff_.module);
    j["symbols"] = Json::array();
    for (const SymbolDifference& symbol : diff_.symbols) j["symbols"].push_back(SymbolJson(symbol));
    j["others"] = OpsJson(diff_.others);
    j["counts"] = Json::array();
    for (const OpCount& count : diff_.counts)
      j["counts"].push_back({{"name", count.name}, {"removed", count.removed}, {"added", count.added}});
    return j;
  }

 private:
  void Line(std::string_view line, char sign = ' ') {
    if (lines_++ >= limit_) {
      ++left_out_;
      return;
    }
    const bool colored = color_ && sign != ' ';
    const Literal colors[] = {"\033[31m", "\033[32m", "\033[33m"};
    if (colored) out_ += colors[sign == '-' ? 0 : sign == '+' ? 1 : 2];
    out_.Add("{}", line);
    if (colored) out_ += "\033[0m";
    out_ += "\n";
  }
  // Texts of ops that are not printed take time for nothing.
  bool full() const { return lines_ >= limit_; }

  std::string Before(const Difference& d) {
    return d.aspect == Aspect::kOperand && d.value_a ? a_.texts.NameOf(d.value_a) : d.before;
  }
  std::string After(const Difference& d) {
    return d.aspect == Aspect::kOperand && d.value_b ? b_.texts.NameOf(d.value_b) : d.after;
  }
  std::string DifferenceText(const Difference& d) {
    if (d.aspect == Aspect::kConstant) return StrFormat("{}: {}", AspectText(d), ElementsText(d.elements));
    if (d.aspect == Aspect::kOrder) return "moved in the order of side effects";
    const std::string before = Before(d), after = After(d);
    return StrFormat("{}: {} -> {}{}", AspectText(d), before.empty() ? "absent" : before,
                     after.empty() ? "absent" : after, before == after ? " (a different value)" : "");
  }

  void PutOpLine(char sign, Side& side, OpId op, const std::string& before = {}) {
    if (full()) return Line("");
    const std::string place = side.PlaceText(op);
    const std::string from = before.empty() || before == place ? "" : before + " -> ";
    Line(StrFormat("  {} {}{}{}", sign, from, place.empty() ? "" : place + "  ", side.TextOf(op)), sign);
  }
  void PutOp(const OpDifference& op) {
    Tick();
    const bool is_same = op.a && op.b && std::ranges::none_of(op.differences, [](const Difference& d) {
                           return d.aspect == Aspect::kName;
                         });
    if (is_same) {
      PutOpLine('~', b_, op.b, full() ? "" : a_.PlaceText(op.a));
    } else {
      if (op.a) PutOpLine('-', a_, op.a);
      if (op.b) PutOpLine('+', b_, op.b);
    }
    for (const Difference& d : op.differences) Line(full() ? "" : "      " + DifferenceText(d));
  }

  static std::string NameOf(const Side& side, OpId op) {
    return op ? SymbolText(side.module.SymbolOf(side.module.ops[op.v])) : "";
  }
  void PutSymbol(const SymbolDifference& symbol) {
    if (!symbol.a || !symbol.b) {
      if (symbol.a)
        PutOpLine('-', a_, symbol.a);
      else
        PutOpLine('+', b_, symbol.b);
      return;
    }
    const std::string name = NameOf(a_, symbol.a), now = NameOf(b_, symbol.b);
    Line(name == now ? name : StrFormat("{} -> {}", name, now));
    for (const Difference& d : symbol.differences)
      if (d.aspect != Aspect::kName) Line("  " + DifferenceText(d));
    for (const OpDifference& op : symbol.ops) PutOp(op);
  }

  Json DifferencesJson(const std::vector<Difference>& differences) {
    Json list = Json::array();
    for (const Difference& d : differences) {
      Json j = Json::object();
      j["aspect"] = std::string(AspectName(d.aspect));
      if (!d.name.empty()) j["name"] = d.name;
      if (d.aspect == Aspect::kOperand || d.aspect == Aspect::kArgument || d.aspect == Aspect::kResult ||
          d.aspect == Aspect::kSuccessor)
        j["index"] = d.index;
      const std::string before = Before(d), after = After(d);
      j["before"] = before.empty() ? Json(nullptr) : Json(before);
      j["after"] = after.empty() ? Json(nullptr) : Json(after);
      if (d.aspect == Aspect::kConstant) {
        const ElementDifference& e = d.elements;
        j["elements"] = {{"type", e.type}, {"count", e.count}, {"differ", e.differ}, {"first", e.first}};
        j["elements"]["largest"] = e.largest.empty() ? Json(nullptr) : Json(NumberOf(e.largest));
      }
      list.push_back(std::move(j));
    }
    return list;
  }
  static Json OpJson(Side& side, OpId op) {
    if (!op) return nullptr;
    Tick();
    Json j = Json::object();
    j["name"] = std::string(side.module.NameOf(side.module.ops[op.v]));
    j["text"] = side.TextOf(op);
    const Place place = side.PlaceOfOp(op);
    if (place.line) j["file"] = place.file;
    if (place.line) j["line"] = place.line;
    if (place.column) j["column"] = place.column;
    if (!place.location.empty()) j["location"] = place.location;
    return j;
  }
  static const char* Change(OpId a, OpId b) { return !a ? "added" : !b ? "removed" : "changed"; }
  Json OpsJson(const std::vector<OpDifference>& ops) {
    Json list = Json::array();
    for (const OpDifference& op : ops) {
      Json j = Json::object();
      j["change"] = Change(op.a, op.b);
      j["a"] = OpJson(a_, op.a);
      j["b"] = OpJson(b_, op.b);
      j["differences"] = DifferencesJson(op.differences);
      list.push_back(std::move(j));
    }
    return list;
  }
  Json SymbolJson(const SymbolDifference& symbol) {
    const std::string_view a = symbol.a ? a_.module.SymbolOf(a_.module.ops[symbol.a.v]) : "";
    const std::string_view b = symbol.b ? b_.module.SymbolOf(b_.module.ops[symbol.b.v]) : "";
    Json j = Json::object();
    j["name"] = std::string(symbol.b ? b : a);
    j["change"] = symbol.a && symbol.b && a != b ? "renamed" : Change(symbol.a, symbol.b);
    if (symbol.a && symbol.b && a != b) j["renamed_from"] = std::string(a);
    j["a"] = OpJson(a_, symbol.a);
    j["b"] = OpJson(b_, symbol.b);
    j["differences"] = DifferencesJson(symbol.differences);
    j["ops"] = OpsJson(symbol.ops);
    return j;
  }

  const ProgramDiff& diff_;
  Side &a_, &b_;
  const uint64_t limit_;
  const bool color_;
  uint64_t lines_ = 0, left_out_ = 0;
  TerminalText out_;
};

}  // namespace

std::string Align(Program* a, Program* b) {
  const Version of_a = a->module.version, of_b = b->module.version;
  if (of_a == of_b) return {};
  if (const auto done = BringToOneVersion(&a->module, &b->module); !done)
    return StrFormat("compared as they are, at {} and {}: {}", VersionName(of_a), VersionName(of_b),
                     done.error()[0].message);
  return StrFormat("{} at {}, {} at {}: compared at {}", NameText(a->source.name), VersionName(of_a),
                   NameText(b->source.name), VersionName(of_b), VersionName(std::max(of_a, of_b)));
}

TerminalText DiffText(const ProgramDiff& diff, const Program& a, const Program& b, uint64_t limit,
                      bool color) {
  Side side_a(a), side_b(b);
  return Reporter(diff, side_a, side_b, limit, color).Text();
}

TerminalText DiffVerdict(const ProgramDiff& diff, Version of_a, Version of_b) {
  TerminalText out;
  out.Add("{} ({} at {}, {} at {}; {} matched)\n", diff.equal() ? "equal" : "different",
          Count(diff.ops_a, "op"), VersionName(of_a), Count(diff.ops_b, "op"), VersionName(of_b),
          diff.matched);
  return out;
}

Json DiffJson(const ProgramDiff& diff, const Program& a, const Program& b) {
  Side side_a(a), side_b(b);
  return Reporter(diff, side_a, side_b, 0, /*color=*/false).Document();
}

}  // namespace shlo
