#include "versioning/expand/recipe.h"

#include <cctype>
#include <charconv>
#include <cmath>
#include <optional>
#include <tuple>

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

// A value of a formula: a value of the program, a number, whose type is that of `like` or not known yet, or a
// list.
struct Term {
  ValueId value;
  Scalar literal;
  ValueId like;
  std::vector<Term> list;

  bool is_list() const { return !list.empty(); }
  bool is_literal() const { return !value && list.empty(); }
};

// Evaluates the text of a recipe while it parses it. Recipes are compiled in and tested, so that a mistake is
// not reported, but ends the evaluation: ok() is false.
class Cooking {
 public:
  Cooking(Expander& e, const Recipe& recipe, const Values& operands)
      : e_(e),
        p_(recipe.text),
        order_(e.expansions() == Expansions::kOwn     ? RecipeOrder::kShared
               : recipe.order == RecipeOrder::kShared ? RecipeOrder::kNeeded
                                                      : recipe.order) {
    first_ = like_ = operands[0];
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
      if (order_ == RecipeOrder::kNeeded) {
        unread_[name] = p_;
        p_.remove_prefix(std::min(p_.find(';'), p_.size()));
      } else {
        names_[name] = Settled(Expression());
      }
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
  ValueId Number(const Scalar& literal, TypeId element, ValueId like) {
    if (order_ != RecipeOrder::kNeeded) return e_.ConstantLike(literal, element, like);
    ValueId& known = numbers_[{literal, element.v, like.v}];
    if (!known) known = e_.ConstantLike(literal, element, like);
    return known;
  }
  // Gives a number the base type of the recipe.
  ValueId Value(const Term& term) {
    if (term.is_list()) Fail();
    if (!ok_ || term.value) return ok_ ? term.value : like_;
    if (term.like) return Number(term.literal, e_.ElementOf(term.like), term.like);
    return Number(term.literal, base_, like_);
  }
  // Gives a number the type of a value.
  ValueId Value(const Term& term, ValueId other) {
    if (!term.is_literal() || term.like) return Value(term);
    return Number(term.literal, e_.ElementOf(other), order_ == RecipeOrder::kShared ? other : like_);
  }
  // Adds the op of a number at once, unless the order does not matter or `stays`.
  Term Settled(Term term, bool stays = false) {
    if (order_ == RecipeOrder::kShared || stays || !ok_ || !term.is_literal()) return term;
    return {.value = Value(term)};
  }
  // The same for the left operand of an operator, before its right operand is read; two numbers are one.
  Term Left(const Term& term) {
    Peek();
    const size_t digit = p_.starts_with('-') ? 1 : 0;
    return Settled(term, digit < p_.size() && std::isdigit(uint8_t(p_[digit])));
  }
  ValueId Call(std::string_view op, Values operands) {
    const ValueId value = Apply(op, std::move(operands));
    // The parts of a complex number give numbers their shape.
    if (ok_ && order_ == RecipeOrder::kNeeded && e_.ElementOf(like_) != base_ && e_.ElementOf(value) == base_)
      like_ = value;
    return value;
  }
  ValueId Apply(std::string_view op, Values operands) {
    if (!ok_) return like_;
    const std::string stablehlo = "stablehlo." + std::string(op);
    if (FindOp(stablehlo)) return e_.Apply(stablehlo, operands);
    for (const std::string& name : {"chlo." + std::string(op), std::string(op)})
      if (const Recipe* recipe = FindRecipe(name, e_.out(), e_.ElementOf(operands[0]), e_.expansions())) {
        const ValueId result = Cook(e_, *recipe, operands);
        if (result) return result;
      }
    Fail();
    return like_;
  }
  // Applies an operator of two terms of the same type.
  Term Binary(std::string_view op, const Term& a, const Term& b) {
    const bool numbers = a.is_literal() && b.is_literal() && a.literal.kind == Scalar::kNumber &&
                         b.literal.kind == Scalar::kNumber;
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
  Term Operate(std::string_view op, const Term& a, Term (Cooking::*right)()) {
    const Term left = Left(a);
    return Binary(op, left, (this->*right)());
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
    const Term yes = Settled(Expression());
    if (!Take(":")) Fail();
    const Term no = Expression();
    return ok_ ? Select(Value(which), yes, no) : which;
  }
  Term Or() {
    Term a = And();
    while (ok_ && Take("|")) a = Operate("or", a, &Cooking::And);
    return a;
  }
  Term And() {
    Term a = Comparison();
    while (ok_ && Take("&")) a = Operate("and", a, &Cooking::Comparison);
    return a;
  }
  Term Comparison() {
    const Term a = Sum();
    constexpr struct {
      std::string_view word, direction;
    } kWords[] = {{"==", "EQ"}, {"!=", "NE"}, {"<=", "LE"}, {">=", "GE"}, {"<", "LT"}, {">", "GT"}};
    for (const auto& [word, direction] : kWords)
      if (ok_ && Take(word)) return Operate(direction, a, &Cooking::Sum);
    return a;
  }
  Term Sum() {
    Term a = Product();
    for (;;) {
      if (!ok_) return a;
      if (Take("+"))
        a = Operate("add", a, &Cooking::Product);
      else if (Take("-"))
        a = Operate("subtract", a, &Cooking::Product);
      else
        return a;
    }
  }
  Term Product() {
    Term a = Unary();
    for (;;) {
      if (!ok_) return a;
      if (Take("*"))
        a = Operate("multiply", a, &Cooking::Unary);
      else if (Take("/"))
        a = Operate("divide", a, &Cooking::Unary);
      else if (Take("%"))
        a = Operate("remainder", a, &Cooking::Unary);
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
      return Like(number);
    }
    const std::string_view name = Name();
    if (name.empty()) Fail();
    if (!ok_) return {};
    if (const auto unread = unread_.find(name); unread != unread_.end()) Read(name, unread->second);
    if (const auto known = names_.find(name); known != names_.end()) return known->second;
    if (const std::optional<Scalar> constant = Constant(name)) return Like({.literal = *constant});
    if (!Take("(")) return Fail(), Term();
    return Function(name, List(')'));
  }
  // Reads the expression of a name at `from`.
  void Read(std::string_view name, std::string_view from) {
    CheckStack();
    unread_.erase(name);
    std::swap(p_, from);
    names_[name] = Expression();
    if (!Take(";")) Fail();
    p_ = from;
  }
  // A number may be followed by a value in parentheses, whose type it has.
  Term Like(Term number) {
    if (!Take("(")) return number;
    number.like = Value(Expression());
    if (!Take(")")) Fail();
    return number;
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
  std::optional<Scalar> Constant(std::string_view name) {
    constexpr struct {
      std::string_view name;
      Scalar literal;
    } kConstants[] = {
        {"nan", {Scalar::kNan}},
        {"inf", {Scalar::kInfinity}},
        {"largest", {Scalar::kLargest}},
        {"smallest", {Scalar::kSmallest}},
        {"smallest_normal", {Scalar::kSmallestNormal}},
        {"sign_bit", {Scalar::kSignBit}},
        {"magnitude", {Scalar::kMagnitude}},
        {"pi", {Scalar::kNumber, 3.14159265358979323846}},
    };
    for (const auto& constant : kConstants)
      if (constant.name == name) return constant.literal;
    if (name == "width") return Scalar{.number = double(BitWidth(e_.out().types.KindOf(base_)))};
    return std::nullopt;
  }

  // --- Functions -----------------------------------------------------------------------------------------
  // Horner's rule; coefficients of the highest powers first.
  ValueId Polynomial(ValueId x, ValueId sum, std::span<const Term> coefficients) {
    for (const Term& c : coefficients) sum = Call("add", {Call("multiply", {sum, x}), Value(c, x)});
    return sum;
  }
  // Clenshaw's recurrence for a sum of Chebyshev polynomials of x / 2; coefficients of the highest first.
  ValueId Chebyshev(ValueId x, std::span<const Term> coefficients) {
    ValueId b0 = Value(Term(), x), b1 = Value(Term(), x), b2 = Value(Term(), x);
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
  // Returns what a function that changes the element type only returns.
  std::optional<Term> Conversion(std::string_view name, const Term& arg) {
    const auto bitcast = [&](ValueId value, TypeId element) -> Term {
      return {.value = e_.Emit("stablehlo.bitcast_convert", {value}, e_.WithElement(value, element))};
    };
    const auto convert = [&](ValueId value, TypeId element) -> Term {
      return {.value = e_.Convert(value, element)};
    };
    const bool is_unsigned = IsUnsignedInteger(e_.out().types.KindOf(base_));
    const bool widens = name == "widen", to_bits = name == "bits" || name == "unsigned_bits";
    if (!widens && !to_bits && name != "from_bits" && name != "narrow" && name != "to_unsigned") return {};
    const ValueId value = Value(arg);
    if (to_bits) return bitcast(value, Integer(value, name == "unsigned_bits", 1));
    if (name == "from_bits") return bitcast(value, e_.ElementOf(first_));
    if (widens) return convert(value, Integer(value, is_unsigned, 2));
    return convert(value, name == "narrow" ? e_.ElementOf(first_) : Integer(value, true, 1));
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
    if (args.size() == 1)
      if (const std::optional<Term> converted = Conversion(name, args[0])) return *converted;
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
  const RecipeOrder order_;
  ValueId first_;  // the first operand
  ValueId like_;   // the value whose shape numbers have
  TypeId base_;    // the element type of the first operand, or that of its parts
  std::map<std::string_view, Term> names_;
  std::map<std::string_view, std::string_view> unread_;  // by name: its expression, if that is needed later
  std::map<std::tuple<Scalar, uint32_t, uint32_t>, ValueId> numbers_;
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

namespace {

const Recipe* FindRow(std::string_view op, const Module& module, TypeId element, Expansions expansions) {
  if (expansions != Expansions::kOwn)
    for (const Recipe& recipe : ReferenceRecipes())
      if (recipe.expansions == expansions && recipe.op == op && Serves(recipe.types, module, element))
        return &recipe;
  if (expansions != Expansions::kOwn && expansions != Expansions::kReferenceChlo) return nullptr;
  for (const Recipe& recipe : Recipes())
    if (recipe.op == op && Serves(recipe.types, module, element)) return &recipe;
  return nullptr;
}

}  // namespace

const Recipe* FindRecipe(std::string_view op, const Module& module, TypeId element, Expansions expansions) {
  if (const Recipe* const row = FindRow(op, module, element, expansions)) {
    const Recipe& recipe = *row;
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
