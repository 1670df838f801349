#include "versioning/expand/recipe.h"

#include <cctype>
#include <charconv>
#include <cmath>

#include "base/format.h"
#include "base/stack.h"
#include "ir/table/float_format.h"

namespace shlo {
namespace rows {

using enum RecipeTypes;
using enum RecipePrecision;

constexpr Recipe kRecipes[] = {
#define SHLO_RECIPE(op, types, precision, parameters, text) \
  {op, RecipeTypes::types, RecipePrecision::precision, parameters, text},
#include "schema/expansions.inc"
};

}  // namespace rows
namespace {

// A value of a formula: a value of the program, a number without a type, or a list.
struct Term {
  ValueId value;
  Literal literal;
  std::vector<Term> list;

  bool is_list() const { return !list.empty(); }
  bool is_literal() const { return !value && list.empty(); }
};

// Evaluates the text of a recipe while it parses it. Recipes are compiled in and tested, so that a mistake is
// not reported, but ends the evaluation: ok() is false.
class Cooking {
 public:
  Cooking(Expander& e, const Recipe& recipe, const Values& operands) : e_(e), p_(recipe.text) {
    like_ = operands[0];
    base_ = e_.ElementOf(like_);
    if (const auto complex = e_.out().As<ComplexType>(base_)) base_ = complex->element;
    std::string_view names = recipe.parameters;
    for (ValueId operand : operands) {
      const size_t comma = std::min(names.find(", "), names.size());
      names_[names.substr(0, comma)] = Term{.value = operand};
      names.remove_prefix(std::min(comma + 2, names.size()));
    }
  }

  // formula := (name "=" expression ";")* expression
  ValueId Run() {
    while (ok_) {
      const std::string_view before = p_;
      const std::string_view name = Name();
      if (name.empty() || !Take("=") || Peek() == '=') {
        p_ = before;
        break;
      }
      names_[name] = Expression();
      if (!Take(";")) Fail();
    }
    const ValueId result = Value(Expression());
    Peek();
    if (!p_.empty()) Fail();
    return ok_ ? result : ValueId();
  }

 private:
  // --- Words ---------------------------------------------------------------------------------------------
  char Peek() {
    for (;;) {
      while (!p_.empty() && std::isspace(uint8_t(p_[0]))) p_.remove_prefix(1);
      if (!p_.starts_with("//")) break;
      p_.remove_prefix(std::min(p_.find('\n'), p_.size()));
    }
    return p_.empty() ? '\0' : p_[0];
  }
  bool Take(std::string_view word) {
    Peek();
    if (!p_.starts_with(word)) return false;
    p_.remove_prefix(word.size());
    return true;
  }
  std::string_view Name() {
    Peek();
    size_t n = 0;
    while (n < p_.size() && (std::isalnum(uint8_t(p_[n])) || p_[n] == '_')) ++n;
    if (n == 0 || std::isdigit(uint8_t(p_[0]))) return {};
    const std::string_view name = p_.substr(0, n);
    p_.remove_prefix(n);
    return name;
  }
  void Fail() { ok_ = false; }

  // --- Terms ---------------------------------------------------------------------------------------------
  // Gives a number the base type of the recipe.
  ValueId Value(const Term& term) {
    if (term.is_list()) Fail();
    if (!ok_ || term.value) return ok_ ? term.value : like_;
    return e_.ConstantLike(term.literal, base_, like_);
  }
  // Gives a number the type of a value.
  ValueId Value(const Term& term, ValueId other) {
    return term.is_literal() ? e_.ConstantLike(term.literal, e_.ElementOf(other), other) : Value(term);
  }
  ValueId Call(std::string_view op, Values operands) {
    if (!ok_) return like_;
    const std::string stablehlo = "stablehlo." + std::string(op);
    if (FindOp(stablehlo)) return e_.Apply(stablehlo, operands);
    for (const std::string& name : {"chlo." + std::string(op), std::string(op)})
      if (const Recipe* recipe = FindRecipe(name, e_.out(), e_.ElementOf(operands[0]))) {
        const ValueId result = Cook(e_, *recipe, operands);
        if (result) return result;
      }
    Fail();
    return like_;
  }
  // Applies an operator of two terms of the same type.
  Term Binary(std::string_view op, const Term& a, const Term& b) {
    const bool numbers = a.is_literal() && b.is_literal() && a.literal.kind == Literal::kNumber &&
                         b.literal.kind == Literal::kNumber;
    if (numbers && (op == "divide" || op == "multiply")) {
      const double x = a.literal.number, y = b.literal.number;
      return {.literal = {.number = op == "divide" ? x / y : x * y,
                          .negative = a.literal.negative != b.literal.negative}};
    }
    const ValueId lhs = a.is_literal() && b.value ? Value(a, b.value) : Value(a);
    const ValueId rhs = Value(b, lhs);
    if (!ok_) return {.value = like_};
    if (std::isupper(uint8_t(op[0]))) return {.value = e_.Compare(op, lhs, rhs)};  // a direction
    return {.value = Call(op, {lhs, rhs})};
  }
  Term Select(ValueId which, const Term& yes, const Term& no) {
    if (yes.is_list()) {
      Term result;
      if (yes.list.size() != no.list.size()) Fail();
      for (size_t i = 0; ok_ && i < yes.list.size(); ++i)
        result.list.push_back(Select(which, yes.list[i], no.list[i]));
      return result;
    }
    const ValueId on_true = yes.is_literal() && no.value ? Value(yes, no.value) : Value(yes);
    const ValueId on_false = Value(no, on_true);
    if (!ok_) return {.value = like_};
    return {.value = e_.Emit("stablehlo.select", {which, on_true, on_false}, e_.out().TypeOf(on_true))};
  }

  // --- Expressions ---------------------------------------------------------------------------------------
  // expression := disjunction ("?" expression ":" expression)?
  Term Expression() {
    const Term which = Or();
    if (!ok_ || !Take("?")) return which;
    const Term yes = Expression();
    if (!Take(":")) Fail();
    const Term no = Expression();
    return ok_ ? Select(Value(which), yes, no) : which;
  }
  Term Or() {
    Term a = And();
    while (ok_ && Take("|")) a = Binary("or", a, And());
    return a;
  }
  Term And() {
    Term a = Comparison();
    while (ok_ && Take("&")) a = Binary("and", a, Comparison());
    return a;
  }
  Term Comparison() {
    const Term a = Sum();
    constexpr struct {
      std::string_view word, direction;
    } kWords[] = {{"==", "EQ"}, {"!=", "NE"}, {"<=", "LE"}, {">=", "GE"}, {"<", "LT"}, {">", "GT"}};
    for (const auto& [word, direction] : kWords)
      if (ok_ && Take(word)) return Binary(direction, a, Sum());
    return a;
  }
  Term Sum() {
    Term a = Product();
    for (;;) {
      if (!ok_) return a;
      if (Take("+"))
        a = Binary("add", a, Product());
      else if (Take("-"))
        a = Binary("subtract", a, Product());
      else
        return a;
    }
  }
  Term Product() {
    Term a = Unary();
    for (;;) {
      if (!ok_) return a;
      if (Take("*"))
        a = Binary("multiply", a, Unary());
      else if (Take("/"))
        a = Binary("divide", a, Unary());
      else if (Take("%"))
        a = Binary("remainder", a, Unary());
      else
        return a;
    }
  }
  Term Unary() {
    if (Take("-")) {
      Term a = Unary();
      if (a.is_literal()) {
        a.literal.negative = !a.literal.negative;
        return a;
      }
      return {.value = Call("negate", {Value(a)})};
    }
    if (Peek() == '!' && !p_.starts_with("!=") && Take("!")) return {.value = Call("not", {Value(Unary())})};
    return Primary();
  }
  Term Primary() {
    const char c = Peek();
    if (Take("(")) {
      Term a = Expression();
      if (!Take(")")) Fail();
      return a;
    }
    if (Take("[")) {
      Term result{.list = List(']')};
      if (result.list.empty()) Fail();
      return result;
    }
    if (std::isdigit(uint8_t(c))) {
      Term number;
      const auto parsed = std::from_chars(p_.data(), p_.data() + p_.size(), number.literal.number);
      p_.remove_prefix(size_t(parsed.ptr - p_.data()));
      return number;
    }
    const std::string_view name = Name();
    if (name.empty()) Fail();
    if (!ok_) return {};
    if (Take("(")) return Function(name, List(')'));
    if (const auto known = names_.find(name); known != names_.end()) return known->second;
    return Constant(name);
  }
  std::vector<Term> List(char end) {
    std::vector<Term> terms;
    const std::string_view close(&end, 1);
    while (ok_ && !Take(close)) {
      terms.push_back(Expression());
      if (!Take(",") && Peek() != end) Fail();
    }
    return terms;
  }
  Term Constant(std::string_view name) {
    constexpr struct {
      std::string_view name;
      Literal literal;
    } kConstants[] = {
        {"nan", {Literal::kNan}},
        {"inf", {Literal::kInfinity}},
        {"largest", {Literal::kLargest}},
        {"smallest", {Literal::kSmallest}},
        {"smallest_normal", {Literal::kSmallestNormal}},
        {"sign_bit", {Literal::kSignBit}},
        {"magnitude", {Literal::kMagnitude}},
        {"pi", {Literal::kNumber, 3.14159265358979323846}},
    };
    for (const auto& constant : kConstants)
      if (constant.name == name) return {.literal = constant.literal};
    if (name == "width") return {.literal = {.number = double(BitWidth(e_.out().types.KindOf(base_)))}};
    Fail();
    return {};
  }

  // --- Functions -----------------------------------------------------------------------------------------
  // Horner's rule; coefficients of the highest powers first.
  ValueId Polynomial(ValueId x, ValueId sum, std::span<const Term> coefficients) {
    for (const Term& c : coefficients) sum = Call("add", {Call("multiply", {sum, x}), Value(c, x)});
    return sum;
  }
  // Clenshaw's recurrence for a sum of Chebyshev polynomials of x / 2; coefficients of the highest first.
  ValueId Chebyshev(ValueId x, std::span<const Term> coefficients) {
    ValueId b0 = Value(Term(), x), b1 = b0, b2 = b0;
    for (const Term& c : coefficients) {
      b2 = b1;
      b1 = b0;
      b0 = Call("add", {Call("subtract", {Call("multiply", {x, b1}), b2}), Value(c, x)});
    }
    return Call("multiply", {Call("subtract", {b0, b2}), Value({.literal = {.number = 0.5}}, x)});
  }
  TypeId Integer(ValueId value, bool is_unsigned, int factor) {
    const TypeKind kind = e_.out().types.KindOf(e_.ElementOf(value));
    return e_.out().IntegerType(BitWidth(kind) * factor, is_unsigned ? 2 : 0);
  }
  Term Function(std::string_view name, const std::vector<Term>& args) {
    if (!ok_ || args.empty()) return Fail(), Term();
    const auto is = [&](std::string_view word, size_t count) { return name == word && args.size() == count; };
    if (args.back().is_list()) {
      const ValueId x = Value(args[0]);
      const std::span<const Term> all = args.back().list;
      if (is("polynomial", 2)) return {.value = Polynomial(x, Value(all[0], x), all.subspan(1))};
      if (is("polynomial", 3)) return {.value = Polynomial(x, Value(args[1]), all)};
      if (is("chebyshev", 2)) return {.value = Chebyshev(x, all)};
    }
    if (is("if_f64", 2)) return args[e_.out().types.KindOf(base_) == TypeKind::kF64 ? 0 : 1];
    const ValueId first = Value(args[0]);
    const auto bitcast = [&](TypeId element) -> Term {
      return {.value = e_.Emit("stablehlo.bitcast_convert", {first}, e_.WithElement(first, element))};
    };
    if (is("bits", 1)) return bitcast(Integer(first, false, 1));
    if (is("unsigned_bits", 1)) return bitcast(Integer(first, true, 1));
    if (is("from_bits", 1)) return bitcast(e_.ElementOf(like_));
    const bool is_unsigned = IsUnsignedInteger(e_.out().types.KindOf(base_));
    if (is("widen", 1)) return {.value = e_.Convert(first, Integer(first, is_unsigned, 2))};
    if (is("narrow", 1)) return {.value = e_.Convert(first, e_.ElementOf(like_))};
    // Numbers among the arguments take the type of the first value.
    ValueId typed;
    for (const Term& arg : args)
      if (!typed && arg.value) typed = arg.value;
    Values operands;
    for (const Term& arg : args) operands.push_back(typed ? Value(arg, typed) : Value(arg));
    return {.value = Call(name, operands)};
  }

  Expander& e_;
  std::string_view p_;  // the rest of the text
  ValueId like_;        // the first operand
  TypeId base_;         // its element type, or that of its parts
  std::map<std::string_view, Term> names_;
  bool ok_ = true;
};

bool Serves(RecipeTypes types, const Module& m, TypeId element) {
  const TypeKind kind = m.types.KindOf(element);
  const KindClass kind_class = ClassOf(kind);
  const bool is_float = FloatFormatOf(kind) != nullptr;
  switch (types) {
    case RecipeTypes::kFloat:
      return is_float;
    case RecipeTypes::kF64:
      return kind == TypeKind::kF64;
    case RecipeTypes::kUpToF32:
      return is_float && BitWidth(kind) <= 32;
    case RecipeTypes::kComplex:
      return m.As<ComplexType>(element).has_value();
    case RecipeTypes::kSigned:
      return kind_class == KindClass::kSignless && kind != TypeKind::kI1 && BitWidth(kind) < 64;
    case RecipeTypes::kSigned64:
      return kind == TypeKind::kI64;
    case RecipeTypes::kUnsigned:
      return kind_class == KindClass::kUnsigned && BitWidth(kind) < 64;
    case RecipeTypes::kUnsigned64:
      return kind == TypeKind::kUI64;
  }
  return false;
}

}  // namespace

std::span<const Recipe> Recipes() { return rows::kRecipes; }

const Recipe* FindRecipe(std::string_view op, const Module& module, TypeId element) {
  for (const Recipe& recipe : Recipes()) {
    if (recipe.op != op || !Serves(recipe.types, module, element)) continue;
    const TypeKind kind = module.types.KindOf(element);
    const FloatFormat* const format = FloatFormatOf(kind);
    // Scales (f8E8M0FNU) are powers of two: neither zero nor negative, as most results are.
    if (format && !format->is_signed()) return nullptr;
    // There is no integer type as wide as f6E2M3FN or tf32, and formats without -0 have NaN at its bits.
    const int width = BitWidth(kind);
    const bool has_bits = FindTypeKind("", StrFormat("i{}", width)) != TypeKind::kInvalid &&
                          !(format && format->flavor == FloatFormat::kFnuz);
    const bool takes_bits = recipe.text.find("bits(") != std::string_view::npos;
    return takes_bits && width && !has_bits ? nullptr : &recipe;
  }
  return nullptr;
}

ValueId Cook(Expander& e, const Recipe& recipe, const Values& operands) {
  CheckStack();
  const TypeId element = e.ElementOf(operands[0]);
  const TypeKind kind = e.out().types.KindOf(element);
  const int least = recipe.precision == RecipePrecision::kExact ? 0
                    : recipe.precision == RecipePrecision::kOwn ? 16
                                                                : 32;
  if (!FloatFormatOf(kind) || BitWidth(kind) >= least) return Cooking(e, recipe, operands).Run();
  Values wide;
  for (ValueId operand : operands) wide.push_back(e.Convert(operand, e.out().Type(TypeKind::kF32)));
  const ValueId result = Cooking(e, recipe, wide).Run();
  return result && e.ElementOf(result) == e.ElementOf(wide[0]) ? e.Convert(result, element) : result;
}

}  // namespace shlo
