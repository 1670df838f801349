#include "rewrite/simplify/formula.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

#include "ir/table/float_format.h"
#include "rewrite/simplify/op_reader.h"

namespace shlo::rewrite {

// --- Parsing ----------------------------------------------------------------------------------------------

class FormulaParser {
 public:
  std::optional<Formula> Parse(std::string_view match, std::string_view where, std::string_view replacement) {
    text_ = match;
    formula_.match_ = ParseTerm();
    if (!AtEnd() || formula_.terms_[formula_.match_].kind != Formula::Term::kOp) Fail();
    for (text_ = where; !AtEnd() && ok_;) {
      formula_.where_.push_back(ParseCondition());
      Skip(',');
    }
    text_ = replacement;
    formula_.replacement_ = ParseTerm();
    formula_.merge_attrs_ = Skip('+');
    if (formula_.merge_attrs_ && ParseWord() != "attributes") Fail();
    if (!AtEnd()) Fail();
    if (!ok_) return std::nullopt;
    return std::move(formula_);
  }

 private:
  void Fail() {
    ok_ = false;
    text_ = {};
  }
  bool AtEnd() {
    while (!text_.empty() && text_[0] == ' ') text_.remove_prefix(1);
    return text_.empty();
  }
  bool Skip(char c) {
    if (AtEnd() || text_[0] != c) return false;
    text_.remove_prefix(1);
    return true;
  }
  std::string_view ParseWord() {
    AtEnd();
    size_t length = 0;
    while (length < text_.size() && (IsWordCharacter(text_[length]))) ++length;
    const std::string_view word = text_.substr(0, length);
    text_.remove_prefix(length);
    return word;
  }
  static bool IsWordCharacter(char c) {
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_' || c == '.' || c == '-';
  }
  uint8_t VariableOf(std::string_view name) {
    const auto found = std::ranges::find(variables_, name);
    if (found != variables_.end()) return uint8_t(found - variables_.begin());
    if (variables_.size() == Formula::kMaxVariables) Fail();
    variables_.push_back(name);
    return uint8_t(variables_.size() - 1);
  }

  // Terms are not deep, because they are in rows of this library.
  uint16_t ParseTerm() {
    Formula::Term term;
    const std::string_view word = ParseWord();
    if (word.empty()) Fail();
    if (word == "0.0" || word == "-0.0") {
      term.kind = Formula::Term::kNumber;
      term.zero = word == "0.0" ? Formula::Term::kPositive : Formula::Term::kNegative;
    } else if (std::from_chars(word.data(), word.data() + word.size(), term.number).ec == std::errc()) {
      term.kind = Formula::Term::kNumber;
    } else if (Skip('(')) {
      term.kind = Formula::Term::kOp;
      const bool has_dialect = word.find('.') != word.npos;
      term.row = FindOp(has_dialect ? std::string(word) : "stablehlo." + std::string(word));
      if (!term.row) Fail();
      while (ok_ && !Skip(')')) {
        if (term.num_operands == Formula::kMaxOperands) return Fail(), 0;
        term.operands[term.num_operands++] = ParseTerm();
        Skip(',');
      }
    } else if (!word.empty()) {
      term.variable = VariableOf(word);
    }
    formula_.terms_.push_back(term);
    return uint16_t(formula_.terms_.size() - 1);
  }

  Formula::Condition ParseCondition() {
    Formula::Condition condition;
    condition.negated = Skip('!');
    condition.name = ParseWord();
    if (!Skip('(')) Fail();
    while (ok_ && !Skip(')')) {
      const std::string_view word = ParseWord();
      const auto variable = std::ranges::find(variables_, word);
      if (word.empty()) Fail();
      if (variable != variables_.end()) {
        condition.variable = int(variable - variables_.begin());
      } else {
        condition.attr = word;
      }
      Skip(',');
    }
    return condition;
  }

  std::string_view text_;
  Formula formula_;
  std::vector<std::string_view> variables_;
  bool ok_ = true;
};

std::optional<Formula> Formula::Parse(std::string_view match, std::string_view where,
                                      std::string_view replacement) {
  return FormulaParser().Parse(match, where, replacement);
}

// --- Application ------------------------------------------------------------------------------------------

namespace {

// Returns the one element of a constant, or of all elements; empty if there are different ones.
Tensor OneElement(const Rewriter& r, ValueId value) {
  const auto elements = r.module().As<ElementsAttr>(r.ConstantOf(value));
  if (!elements || !(elements->splat || CountOf(r.module(), elements->type) == uint64_t(1))) return {};
  Tensor tensor = r.TensorOf(value);
  const bool real = tensor && tensor.count() > 0 && !tensor.element().complex && !tensor.type().quantization;
  return real ? std::move(tensor) : Tensor();
}

}  // namespace

// Binds variables while it matches.
class FormulaMatcher {
 public:
  FormulaMatcher(const Formula& formula, Rewriter& r, OpId op) : f_(formula), r_(r), op_(op), at_(r, op) {}

  bool Matches() {
    return at_.num_results() == 1 && MatchesOperands(f_.terms_[f_.match_], op_) &&
           std::ranges::all_of(f_.where_, [&](const auto& c) { return Holds(c) != c.negated; });
  }

  // Returns the replacement; none, and inserts nothing, if it does not have the type of the result.
  ValueId Replacement() {
    const Formula::Term& term = f_.terms_[f_.replacement_];
    if (term.kind == Formula::Term::kNumber) return r_.EmitSplat(at_.type(), term.number);
    if (term.kind == Formula::Term::kVariable) {
      const ValueId value = bound_[term.variable];
      return r_.module().TypeOf(value) == at_.type() ? value : ValueId();
    }
    std::array<ValueId, Formula::kMaxOperands> operands;
    for (uint8_t i = 0; i < term.num_operands; ++i)
      operands[i] = bound_[f_.terms_[term.operands[i]].variable];
    return r_.Emit(term.row, std::span(operands).first(term.num_operands), at_.type());
  }

 private:
  bool MatchesOperands(const Formula::Term& term, OpId op) {
    if (r_.module().NumOperands(r_[op]) != term.num_operands) return false;
    for (uint8_t i = 0; i < term.num_operands; ++i)
      if (!Matches(f_.terms_[term.operands[i]], r_.module().OperandsOf(r_[op])[i])) return false;
    return true;
  }

  bool Matches(const Formula::Term& term, ValueId value) {
    switch (term.kind) {
      case Formula::Term::kNumber:
        return IsNumber(term, value);
      case Formula::Term::kOp: {
        const OpId definer = r_.Definer(value, term.row);
        return definer && MatchesOperands(term, definer);
      }
      case Formula::Term::kVariable:
        break;
    }
    ValueId& bound = bound_[term.variable];
    if (bound) return bound == value;
    bound = value;
    return true;
  }

  bool IsNumber(const Formula::Term& term, ValueId value) const {
    const Tensor tensor = OneElement(r_, value);
    if (!tensor) return false;
    const uint64_t bits = ElementBits(tensor, 0);
    const ElementType element = tensor.element();
    if (element.is_float()) {
      const double real = DecodeFloat(element.kind, bits);
      return real == double(term.number) && (term.zero == Formula::Term::kAnySign ||
                                             std::signbit(real) == (term.zero == Formula::Term::kNegative));
    }
    const uint32_t width = element.width();
    const uint64_t mask = width < 64 ? (uint64_t(1) << width) - 1 : ~uint64_t(0);
    return (bits & mask) == (uint64_t(term.number) & mask);
  }

  bool Holds(const Formula::Condition& condition) const {
    const std::string_view name = condition.name;
    if (condition.variable < 0) {
      const std::vector<int64_t> numbers = at_.ints(condition.attr);
      if (name == "none") return numbers.empty();
      if (name == "iota") return IsIota(numbers);
      if (name == "sorted") return std::ranges::is_sorted(numbers);
      return name == "zeros" && std::ranges::all_of(numbers, [](int64_t n) { return n == 0; });
    }
    const ValueId value = bound_[size_t(condition.variable)];
    const TypeId type = r_.module().TypeOf(value);
    if (name == "constant") return bool(r_.ConstantOf(value));
    if (name == "splat") {
      const auto elements = r_.module().As<ElementsAttr>(r_.ConstantOf(value));
      return elements && elements->splat;
    }
    if (name == "result_type") return type == at_.type();
    const auto count = CountOf(r_.module(), type);
    if (name == "static") return count.has_value();
    if (name == "empty") return count == uint64_t(0);
    if (name == "same_count") return count && count == CountOf(r_.module(), at_.type());
    if (name != "sizes_one") return false;
    const auto sizes = SizesOf(r_.module(), type);
    return count && std::ranges::all_of(at_.ints(condition.attr), [&](int64_t i) {
             return i >= 0 && size_t(i) < sizes->size() && (*sizes)[size_t(i)] == 1;
           });
  }

  const Formula& f_;
  Rewriter& r_;
  const OpId op_;
  const OpReader at_;
  std::array<ValueId, Formula::kMaxVariables> bound_;
};

bool Formula::Apply(Rewriter& r, OpId op) const {
  FormulaMatcher matcher(*this, r, op);
  if (!matcher.Matches()) return false;
  const ValueId value = matcher.Replacement();
  if (!value) return false;
  if (merge_attrs_) r.MergeAttrs(op, value);
  r.Replace(op, value);
  return true;
}

}  // namespace shlo::rewrite
