#include "rewrite/specialize/entry.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>

#include "base/format.h"
#include "base/nearest.h"
#include "ir/table/ops.h"
#include "rewrite/shapes/arguments.h"
#include "shlo/print.h"
#include "shlo/types.h"

namespace shlo::rewrite {
namespace {

constexpr std::string_view kVariableAttr = "jax.global_constant";
constexpr std::string_view kPlatformIndex = "_platform_index";

// Returns the name of the dimension variable that an argument of a function is, or "".
std::string VariableOf(const Module& m, OpId function, uint32_t i) {
  const auto attrs = m.ElementsOf(m.InherentAttrOf(m.ops[function.v], "arg_attrs"));
  const auto dict = i < attrs.size() ? m.As<DictionaryAttr>(attrs[i]) : std::nullopt;
  if (!dict) return {};
  std::string_view name;
  for (const NamedAttr& attr : dict->entries)
    if (m.strings[attr.name] == kVariableAttr) m.AsString(attr.value, &name);
  return name == kPlatformIndex ? std::string() : std::string(name);
}

// Returns the name in an argument's location, loc("x"), or "".
std::string NameInLocation(const Module& m, ValueId arg) {
  const auto name = m.As<NameLoc>(m.values[arg.v].loc);
  return name && !name->child ? std::string(m.strings[name->name]) : std::string();
}

BlockId OneBlock(const Module& m, OpId function) {
  const auto regions = m.RegionsOf(m.ops[function.v]);
  const auto blocks = regions.size() == 1 ? m.BlocksOf(regions[0]) : std::span<const BlockId>();
  return blocks.size() == 1 ? blocks[0] : BlockId();
}

// jax.export wraps a function: the main function finds the values of dimension variables in the sizes of its
// arguments, and passes these and the arguments on. Adds what the calls say about the arguments.
void AddNamesOfCallees(const Module& m, BlockId body, std::vector<EntryArgument>* arguments) {
  const auto argument_of = [&](ValueId value) -> EntryArgument* {
    if (m.values[value.v].block != body) return nullptr;
    for (EntryArgument& argument : *arguments)
      if (argument.index == m.values[value.v].index) return &argument;
    return nullptr;
  };
  std::map<std::string_view, OpId> functions;
  for (const OpId op : m.BodyOpsOf(m.ops[m.top.v])) functions.emplace(m.SymbolOf(m.ops[op.v]), op);
  for (const OpId id : m.OpsOf(body)) {
    const Op& op = m.ops[id.v];
    if (!m.Is(op, ops::kCall)) continue;
    std::string_view callee;
    m.AsSymbol(m.InherentAttrOf(op, "callee"), &callee);
    const auto function = functions.find(callee);
    const BlockId inner = function == functions.end() ? BlockId() : OneBlock(m, function->second);
    const auto operands = m.OperandsOf(op);
    if (!inner || m.blocks[inner.v].args.count != operands.size()) continue;
    for (uint32_t i = 0; i < operands.size(); ++i) {
      if (EntryArgument* const argument = argument_of(operands[i])) {
        const std::string name = NameInLocation(m, m.ArgOf(inner, i));
        if (!name.empty() && !std::ranges::count(argument->names, name)) argument->names.push_back(name);
        continue;
      }
      const std::string variable = VariableOf(m, function->second, i);
      const OpId definer = m.values[operands[i].v].op;
      if (variable.empty() || !definer || !m.Is(m.ops[definer.v], ops::kGetDimensionSize)) continue;
      EntryArgument* const sized = argument_of(m.OperandsOf(m.ops[definer.v])[0]);
      int64_t dim = 0;
      if (!sized || !m.AsInteger(m.InherentAttrOf(m.ops[definer.v], "dimension"), &dim)) continue;
      if (dim >= 0 && uint64_t(dim) < sized->shape.size() && sized->shape[size_t(dim)] == "?")
        sized->shape[size_t(dim)] = variable;
    }
  }
}

}  // namespace

std::vector<EntryArgument> EntryArguments(const Program& program, OpId function,
                                          const std::vector<SignatureValue>& inputs) {
  const Module& m = program.module;
  const BlockId body = OneBlock(m, function);
  std::vector<EntryArgument> out;
  size_t array = 0;
  for (uint32_t i = 0; i < m.blocks[body.v].args.count; ++i) {
    const ValueId value = m.ArgOf(body, i);
    EntryArgument argument{.index = i, .variable = VariableOf(m, function, i)};
    const ShapedType type(m, m.TypeOf(value));
    const auto attrs = m.ElementsOf(m.InherentAttrOf(m.ops[function.v], "arg_attrs"));
    const bool platform =
        i == 0 && i < attrs.size() && argument.variable.empty() && m.As<DictionaryAttr>(attrs[i]) &&
        std::ranges::any_of(m.As<DictionaryAttr>(attrs[i])->entries,
                            [&](const NamedAttr& attr) { return m.strings[attr.name] == kVariableAttr; });
    const bool is_array = type.shaped && argument.variable.empty() && !platform;
    if (is_array) {
      argument.names.push_back(StrFormat("{}", array));
      if (array < inputs.size()) argument.names.push_back(inputs[array].path);
      if (std::string name = NameInLocation(m, value); !name.empty())
        argument.names.push_back(std::move(name));
      if (const std::string_view name = program.source.places.NameOfArg(value); !name.empty())
        argument.names.emplace_back(name);
      const bool stated = array < inputs.size() && inputs[array].ranked && type.ranked &&
                          inputs[array].shape.size() == type.shape.size();
      for (int64_t d = 0; type.ranked && d < type.rank(); ++d)
        argument.shape.push_back(!type.IsDynamic(d) ? StrFormat("{}", type.dim(d))
                                 : stated           ? inputs[array].shape[size_t(d)]
                                                    : "?");
      ++array;
    }
    out.push_back(std::move(argument));
  }
  AddNamesOfCallees(m, body, &out);
  return out;
}

namespace {

std::string ArgumentText(const Module& m, const EntryArgument& argument, TypeId type) {
  const std::string name = argument.names.size() > 1 ? StrFormat(" ('{}')", argument.names.back()) : "";
  return StrFormat("argument {}{} of type {}", argument.names[0], name, TypeText(m, type));
}

// Returns the type that a text gives to an argument; none if it is not one.
TypeId TypeOfText(Module* m, std::string_view text, TypeId declared) {
  if (text.starts_with("tensor<")) return ParsedType(m, text);
  // The element type may be left out: then the text is numbers and x only.
  const bool only_sizes = text.find_first_not_of("0123456789x") == text.npos;
  const std::string element = TypeText(*m, ElementOf(*m, declared));
  const std::string whole = only_sizes ? StrFormat("tensor<{}{}{}>", text, text.empty() ? "" : "x", element)
                                       : StrFormat("tensor<{}>", text);
  return ParsedType(m, whole);
}

class EntryRequest {
 public:
  EntryRequest(Module* m, OpId function, const std::vector<EntryArgument>& arguments,
               const SpecializeOptions& options, const Source* source)
      : m_(*m),
        function_(function),
        body_(OneBlock(*m, function)),
        arguments_(arguments),
        options_(options),
        source_(source),
        values_(options.dims.begin(), options.dims.end()) {}

  Result<std::vector<EntryType>> Types() {
    ReadArguments();
    for (size_t i = 0; i < arguments_.size(); ++i) Solve(i);
    CheckNames();
    std::vector<EntryType> out;
    for (size_t i = 0; i < arguments_.size(); ++i) out.push_back(TypeOfArgument(i));
    if (!errors_.empty()) return tl::unexpected(std::move(errors_));
    return out;
  }

 private:
  TypeId DeclaredType(size_t i) const { return m_.TypeOf(m_.ArgOf(body_, arguments_[i].index)); }
  void Fail(std::string message, std::string hint = {}) {
    Diagnostic d;
    d.code = Code::kUsage;
    d.place = PlaceOf(m_, function_, source_);
    d.message = std::move(message);
    d.hint = std::move(hint);
    errors_.push_back(std::move(d));
  }

  // Finds the argument of each --arg, and its type.
  void ReadArguments() {
    given_.resize(arguments_.size());
    for (const auto& [name, text] : options_.args) {
      size_t found = arguments_.size();
      Nearest nearest(name);
      for (size_t i = 0; i < arguments_.size(); ++i) {
        for (const std::string& own : arguments_[i].names) nearest.Try(own);
        if (std::ranges::count(arguments_[i].names, name)) found = i;
      }
      if (found == arguments_.size()) {
        Fail(StrFormat("the program has no argument '{}'", name), DidYouMean(nearest.best()));
        continue;
      }
      const TypeId declared = DeclaredType(found), type = TypeOfText(&m_, text, declared);
      if (!type) {
        Fail(StrFormat("'{}' is not the type of an argument", text), "write 8x128xf32, or 8x128");
        continue;
      }
      const ShapedType from(m_, declared), to(m_, type);
      if (from.element != to.element || !CompatibleShapes(m_, declared, type) || !to.IsStatic()) {
        Fail(StrFormat("{} cannot have the type {}", ArgumentText(m_, arguments_[found], declared),
                       TypeText(m_, type)));
        continue;
      }
      given_[found] = type;
    }
  }

  // Finds values of variables in the type that an argument is given.
  void Solve(size_t i) {
    if (!given_[i]) return;
    const ShapedType type(m_, given_[i]);
    const std::vector<std::string>& shape = arguments_[i].shape;
    for (size_t d = 0; d < shape.size() && d < type.shape.size(); ++d)
      if (const auto solved = Solved(shape[d], type.shape[d], values_)) values_.insert(*solved);
  }

  void CheckNames() {
    std::set<std::string, std::less<>> known;
    for (const EntryArgument& argument : arguments_) {
      if (!argument.variable.empty()) known.insert(argument.variable);
      for (const std::string& dim : argument.shape)
        if (dim != "?") (void)AddVariables(dim, &known);
    }
    for (const auto& [name, value] : options_.dims) {
      Nearest nearest(name);
      for (const std::string& variable : known) nearest.Try(variable);
      if (!known.contains(name))
        Fail(StrFormat("the program has no dimension variable '{}'", name), DidYouMean(nearest.best()));
      else if (value < 0)
        Fail(StrFormat("dimension variable '{}' cannot be {}", name, value));
    }
  }

  EntryType TypeOfArgument(size_t i) {
    const EntryArgument& argument = arguments_[i];
    const TypeId declared = DeclaredType(i);
    if (!argument.variable.empty()) {
      const auto value = Evaluated(argument.variable, values_);
      if (!value) errors_.insert(errors_.end(), value.error().begin(), value.error().end());
      return {declared, value.value_or(0)};
    }
    if (argument.names.empty()) return {declared, {}};
    const ShapedType type(m_, declared);
    if (type.ranked && type.IsStatic()) return {declared, {}};
    if (argument.shape.empty() || std::ranges::count(argument.shape, "?") > 0) {
      if (!given_[i])
        Fail(StrFormat("{} has no static shape", ArgumentText(m_, argument, declared)),
             StrFormat("pass --arg {}=TYPE", argument.names.back()));
      return {given_[i], {}};
    }
    std::vector<int64_t> sizes;
    for (const std::string& dim : argument.shape) {
      const auto size = Evaluated(dim, values_);
      if (!size) {
        errors_.insert(errors_.end(), size.error().begin(), size.error().end());
        return {declared, {}};
      }
      sizes.push_back(*size);
      if (*size < 0)
        Fail(StrFormat("dimension '{}' of {} would be {}", dim, ArgumentText(m_, argument, declared), *size));
    }
    if (given_[i] && !std::ranges::equal(sizes, ShapedType(m_, given_[i]).shape)) {
      Fail(StrFormat("{} cannot have the type {}: its dimensions are [{}], which are [{}]",
                     ArgumentText(m_, argument, declared), TypeText(m_, given_[i]),
                     fmt::join(argument.shape, ", "), fmt::join(sizes, ", ")));
      return {declared, {}};
    }
    return {m_.TensorType(sizes, type.element, type.encoding), {}};
  }

  Module& m_;
  const OpId function_;
  const BlockId body_;
  const std::vector<EntryArgument>& arguments_;
  const SpecializeOptions& options_;
  const Source* source_;
  DimensionValues values_;
  std::vector<TypeId> given_;  // by argument
  Diagnostics errors_;
};

}  // namespace

Result<std::vector<EntryType>> TypesFor(Module* m, OpId function, const std::vector<EntryArgument>& arguments,
                                        const SpecializeOptions& options, const Source* source) {
  return EntryRequest(m, function, arguments, options, source).Types();
}

}  // namespace shlo::rewrite
