#include "arguments/eval_arguments.h"

#include <algorithm>
#include <charconv>
#include <memory>
#include <numeric>
#include <optional>

#include "base/format.h"
#include "base/try.h"
#include "shlo/file_io.h"
#include "shlo/random_tensor.h"
#include "shlo/text_reader.h"

namespace shlo {
namespace {

constexpr std::string_view kRandom = "random:";

// Parses the seed of "random:SEED".
Result<uint64_t> SeedOf(std::string_view text) {
  const std::string_view digits = text.substr(kRandom.size());
  uint64_t seed = 0;
  const auto parsed = std::from_chars(digits.data(), digits.data() + digits.size(), seed);
  if (parsed.ec != std::errc() || parsed.ptr != digits.data() + digits.size())
    return Error(Code::kUsage, StrFormat("invalid seed in '{}'", text), {},
                 "pass a number, such as random:1");
  return seed;
}

// Parses "3", "arg3" or NumPy's "arr_3".
std::optional<size_t> IndexOf(std::string_view name) {
  for (std::string_view prefix : {"arg", "arr_"})
    if (name.starts_with(prefix)) {
      name.remove_prefix(prefix.size());
      break;
    }
  size_t index = 0;
  const auto parsed = std::from_chars(name.data(), name.data() + name.size(), index);
  if (name.empty() || parsed.ec != std::errc() || parsed.ptr != name.data() + name.size()) return {};
  return index;
}

// Whether text is a number, a list or a boolean, without "dense".
bool IsBare(std::string_view text) {
  const size_t first = text.find_first_not_of(' ');
  return first != text.npos &&
         (std::string_view("[(-+\"").find(text[first]) != std::string_view::npos ||
          (text[first] >= '0' && text[first] <= '9') || text == "true" || text == "false");
}

// Returns the shape of nested lists, by the first list of each depth.
std::vector<int64_t> ShapeOf(std::string_view text) {
  std::vector<int64_t> shape;
  std::vector<bool> closed;
  size_t depth = 0, parentheses = 0;
  for (size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    parentheses += c == '(';
    parentheses -= c == ')' && parentheses > 0;
    if (c == '[' && ++depth > shape.size()) {
      const size_t next = text.find_first_not_of(' ', i + 1);
      shape.push_back(next != text.npos && text[next] == ']' ? 0 : 1);
      closed.push_back(false);
    } else if (c == ']' && depth > 0) {
      closed[--depth] = true;
    } else if (c == ',' && depth > 0 && parentheses == 0 && !closed[depth - 1]) {
      ++shape[depth - 1];
    }
  }
  return shape;
}

// Returns text for a message.
std::string Shortened(const std::string& text) {
  constexpr size_t kMost = 60;
  const size_t first = std::min(text.find_first_not_of(' '), text.size());
  return text.size() - first <= kMost ? text.substr(first) : text.substr(first, kMost) + "...";
}

// Gives whole numbers the point that floats of MLIR have: "[1, 2.5]" becomes "[1.0, 2.5]".
std::string WithPoints(std::string_view text) {
  constexpr std::string_view kOfNumbers = "0123456789abcdefxABCDEFX.+-\"";
  std::string out;
  for (size_t i = 0; i < text.size();) {
    const size_t end = std::min(text.find_first_not_of(kOfNumbers, i), text.size());
    const std::string_view word = text.substr(i, end - i);
    const std::string_view digits = word.substr(std::min(word.find_first_not_of("+-"), word.size()));
    out += word;
    if (!digits.empty() && digits.find_first_not_of("0123456789") == digits.npos) out += ".0";
    if (end < text.size()) out += text[end];
    i = end + 1;
  }
  return out;
}

// Collects the arguments that the caller passes: without the platform index, which jax fills in.
class Arguments {
 public:
  Arguments(const LimitsFor& limits_for, uint64_t bytes_read, const Module& module,
            const ArgumentFlags& flags, EvalOptions* eval)
      : limits_for_(limits_for),
        bytes_read_(bytes_read),
        module_(module),
        flags_(flags),
        eval_(*eval),
        platform_(PlatformArgument(module, flags.entry)) {
    eval_.limits = limits_for(bytes_read);
  }

  Result<std::vector<Tensor>> Get() {
    if (!flags_.inputs.empty()) {
      SHLO_TRY(TakeInputs());
    }
    for (size_t i = 0; i < flags_.args.size(); ++i) SHLO_TRY(Put(i, flags_.args[i]));
    for (const std::string& arg : flags_.named_args) {
      const size_t equals = arg.find('=');
      const auto index = IndexOf(std::string_view(arg).substr(0, equals));
      if (equals == std::string::npos || !index || *index > kMost)
        return Error(Code::kUsage, StrFormat("invalid --arg '{}'; expected INDEX=VALUE", arg), {},
                     "write INDEX as 0 or arg0");
      SHLO_TRY(Put(*index, arg.substr(equals + 1)));
    }
    std::vector<Tensor> all;
    for (size_t i = 0; i < values_.size(); ++i) {
      if (!values_[i])
        return Error(Code::kEvaluation, StrFormat("argument {} has no value", i), EntryPlace(),
                     StrFormat("pass a value with --arg {}=@FILE.npy", i));
      all.push_back(std::move(values_[i]));
    }
    eval_.limits.max_memory -= created_bytes_;
    return WithPlatformIndex(module_, flags_.entry, std::move(all),
                             size_t(flags_.replicas * flags_.partitions), flags_.platform_index);
  }

 private:
  static constexpr size_t kMost = 1 << 20;  // arguments

  // Opens a file of arrays. Limits grow with it: it is an input, too.
  Result<TensorFile> Open(const std::string& path) {
    auto file = SHLO_TRY(OpenInput(path));
    file_bytes_ += file.bytes.size();
    eval_.limits = limits_for_(bytes_read_ + file_bytes_);
    return TensorFile::Open(file.bytes, file.owner, file.name, {.limits = eval_.limits});
  }

  // Creates an argument. Unlike those of files, it counts as memory of the evaluation.
  Result<Tensor> RandomArgument(const ValueTypePtr& type, uint64_t seed) {
    if (!type->is_tensor())
      return Error(Code::kUnsupported, StrFormat("there are no random values of type {}", TypeName(*type)));
    const uint64_t most = eval_.limits.max_memory;
    const bool fits = created_bytes_ <= most && type->bytes <= most - created_bytes_;
    Tensor tensor = fits ? RandomTensor(type, seed) : Tensor();
    if (!tensor)
      return Error(Code::kLimit,
                   StrFormat("{} exceeds the memory limit of {} MiB", TypeName(*type), most >> 20), {},
                   "pass --max-memory to raise the limit");
    created_bytes_ += type->bytes;
    return tensor;
  }

  Place EntryPlace() const {
    Place place;
    if (eval_.source) place.file = eval_.source->name;
    return place;
  }

  // Returns the types of the arguments that the caller passes, repeated for every process.
  Result<const std::vector<ValueTypePtr>*> Types() {
    if (types_.empty()) {
      auto types = SHLO_TRY(ArgumentTypes(module_, flags_.entry, eval_.source));
      if (platform_) types.erase(types.begin() + ptrdiff_t(*platform_));
      for (uint64_t i = 0; i < flags_.replicas * flags_.partitions; ++i)
        types_.insert(types_.end(), types.begin(), types.end());
    }
    return &types_;
  }
  // Returns the type of one argument, which has the shape of the file if its own is dynamic; nullptr if there
  // is no such argument, or it has no such type, which evaluation reports.
  ValueTypePtr TypeOf(size_t index, const std::vector<int64_t>& shape) {
    if (declared_.empty()) {
      declared_ = DeclaredArguments(module_, flags_.entry);
      if (platform_ && *platform_ < declared_.size())
        declared_.erase(declared_.begin() + ptrdiff_t(*platform_));
    }
    if (index >= declared_.size() * flags_.replicas * flags_.partitions) return nullptr;
    return ArgumentType(module_, declared_[index % declared_.size()], shape);
  }

  Result<void> Put(size_t index, const std::string& text) {
    if (index >= values_.size()) values_.resize(index + 1);
    values_[index] = SHLO_TRY(Parse(index, text));
    return {};
  }

  // Parses a constant ("dense<[1, 2]> : tensor<2xi32>"), "@FILE.npy", or "random:SEED".
  Result<Tensor> Parse(size_t index, const std::string& text) {
    if (text.starts_with('@')) {
      auto file = SHLO_TRY(Open(text.substr(1)));
      if (file.size() != 1)
        return Error(Code::kEvaluation,
                     StrFormat("expected a file of 1 array for argument {}, got {}", index, file.size()),
                     {.file = text.substr(1)}, "pass a .npy file, or all arguments with --inputs");
      return ReadFor(file, 0, index);
    }
    if (text.starts_with(kRandom)) {
      const auto seed = SHLO_TRY(SeedOf(text));
      const auto types = SHLO_TRY(Types());
      if (index >= types->size()) return NoArgument(index, types->size());
      return RandomArgument((*types)[index], seed);
    }
    const auto typed = SHLO_TRY(WithType(index, text));
    auto tensors = ParseTensors(typed, StrFormat("<argument {}>", index));
    if (!tensors || tensors->size() != 1) {
      const std::string why = tensors ? "expected a single constant" : tensors.error()[0].message;
      return Error(Code::kUsage, StrFormat("argument {}: {}, in '{}'", index, why, Shortened(text)), {},
                   "write '[1, 2]', 'dense<1> : tensor<2xi32>', @FILE.npy or random:SEED");
    }
    return std::move((*tensors)[0]);
  }

  // Makes the error for the value of an argument that the function does not have.
  tl::unexpected<Diagnostics> NoArgument(size_t index, size_t count) const {
    const size_t passed = std::max(flags_.args.size(), index + 1);
    return Error(Code::kUsage, StrFormat("expected {}, got {}", Count(count, "argument"), passed),
                 EntryPlace());
  }

  // Completes values that have no type, "[1, 2]" or "dense<1>", by the type of the argument.
  Result<std::string> WithType(size_t index, const std::string& text) {
    const bool has_type = text.find(':') != text.npos;
    const bool is_dense = text.starts_with("dense<") && text.ends_with('>');
    if (has_type || !(is_dense || IsBare(text))) return text;
    const std::string values = is_dense ? text.substr(6, text.size() - 7) : text;
    const ValueTypePtr type = TypeOf(index, ShapeOf(values));
    if (const size_t count = declared_.size() * flags_.replicas * flags_.partitions; !type && index >= count)
      return NoArgument(index, count);
    if (!type || !type->is_tensor()) return text;
    return StrFormat("dense<{}> : {}", IsFloat(type->element.kind) ? WithPoints(values) : values,
                     TypeName(*type));
  }

  Result<Tensor> ReadFor(const TensorFile& file, size_t i, size_t index) {
    auto shape = SHLO_TRY(file.Shape(i));
    return ReadAs(file, i, TypeOf(index, shape));
  }

  Result<void> TakeInputs() {
    if (flags_.inputs.starts_with(kRandom)) {
      const auto seed = SHLO_TRY(SeedOf(flags_.inputs));
      const auto types = SHLO_TRY(Types());
      for (const ValueTypePtr& type : *types) {
        auto tensor = SHLO_TRY(RandomArgument(type, seed + values_.size()));
        values_.push_back(std::move(tensor));
      }
      return {};
    }
    auto file = SHLO_TRY(Open(flags_.inputs));
    const auto order = SHLO_TRY(ArgumentOrder(file));
    values_.resize(file.size());
    for (size_t i = 0; i < file.size(); ++i) {
      const size_t index = order[i];
      values_[index] = SHLO_TRY(ReadFor(file, i, index));
    }
    return {};
  }

  const LimitsFor& limits_for_;
  const uint64_t bytes_read_;
  const Module& module_;
  const ArgumentFlags& flags_;
  EvalOptions& eval_;
  uint64_t file_bytes_ = 0, created_bytes_ = 0;
  const std::optional<size_t> platform_;
  std::vector<TypeId> declared_;  // of one process
  std::vector<ValueTypePtr> types_;
  std::vector<Tensor> values_;
};

}  // namespace

Result<std::vector<Tensor>> GetArguments(const LimitsFor& limits_for, uint64_t bytes_read,
                                         const Module& module, const ArgumentFlags& flags,
                                         EvalOptions* eval) {
  return Arguments(limits_for, bytes_read, module, flags, eval).Get();
}

Result<std::vector<Tensor>> WithPlatformIndex(const Module& module, std::string_view function,
                                              std::vector<Tensor> passed, size_t processes, uint64_t index) {
  const auto platform = PlatformArgument(module, function);
  if (!platform) return passed;
  const std::vector<TypeId> declared = DeclaredArguments(module, function);
  if (declared.size() <= *platform) return passed;
  const size_t own = declared.size() - 1;
  const ValueTypePtr type = TensorTypeOf(module, declared[*platform]);
  if (passed.size() != own * processes || !type || !type->element.is_integer() || type->count != 1)
    return passed;
  Tensor tensor = Tensor::Uninitialized(type);
  if (!tensor) return Error(Code::kLimit, "out of memory");
  for (uint32_t b = 0; b < type->bytes; ++b) tensor.mutable_data()[b] = b < 8 ? uint8_t(index >> (8 * b)) : 0;
  for (size_t process = processes; process-- > 0;)
    passed.insert(passed.begin() + ptrdiff_t(process * own + *platform), tensor);
  return passed;
}

Result<std::vector<size_t>> ArgumentOrder(const TensorFile& file) {
  std::vector<size_t> order(file.size());
  std::iota(order.begin(), order.end(), size_t(0));
  std::vector<std::optional<size_t>> numbers(file.size());
  for (size_t i = 0; i < order.size(); ++i) numbers[i] = IndexOf(file.name(i));
  if (std::ranges::none_of(numbers, [](const auto& number) { return number.has_value(); })) return order;
  std::vector<bool> seen(file.size());
  for (size_t i = 0; i < order.size(); ++i) {
    if (!numbers[i] || *numbers[i] >= order.size() || seen[*numbers[i]])
      return Error(Code::kMalformed,
                   StrFormat("array '{}' is not one of {} numbered arguments", file.name(i), order.size()),
                   {.file = file.file()}, "name the arrays arg0, arg1, and so on, or none of them so");
    seen[order[i] = *numbers[i]] = true;
  }
  return order;
}

Result<Tensor> ReadAs(const TensorFile& file, size_t i, const ValueTypePtr& type) {
  auto typed = file.Read(i, type);
  if (typed || typed.error()[0].code != Code::kMalformed) return typed;
  auto as_stated = file.Read(i);
  return as_stated ? as_stated : typed;
}

ValueTypePtr ArgumentType(const Module& module, TypeId declared, const std::vector<int64_t>& shape) {
  if (ValueTypePtr type = TensorTypeOf(module, declared)) return type;
  const auto tensor = module.As<TensorType>(declared);
  const auto element = tensor ? ElementTypeOf(module, tensor->element) : std::nullopt;
  return element ? MakeTensorType(*element, shape) : nullptr;
}

Result<std::vector<Tensor>> ParseTensors(const std::string& text, const std::string& source_name) {
  // Parse the text as an attribute of an op, to accept every constant of the grammar.
  auto source = std::make_shared<std::string>("\"shlo.argument\"() {value = " + text + "} : () -> ()\n");
  TextReadOptions options;
  options.source_name = source_name;
  auto module = SHLO_TRY(ReadText(*source, {source, source->data()}, options));
  AttrId value;
  for (uint32_t i = 1; i < module.ops.size() && !value; ++i)
    value = module.AttributeOf(module.ops[i], "value");
  std::vector<AttrId> attrs{value};
  if (const auto array = module.As<ArrayAttr>(value)) attrs = array->elements.ToVector();
  std::vector<Tensor> tensors;
  for (AttrId attr : attrs) {
    auto tensor = SHLO_TRY(TensorFromAttr(module, attr));
    tensors.push_back(tensor.Owned());
    if (!tensors.back()) return Error(Code::kLimit, "out of memory");
  }
  return tensors;
}

Json ProfileJson(const EvalProfile& profile) {
  Json ops = Json::object();
  for (const auto& [name, row] : profile.ops)
    ops[name] = {{"runs", row.runs}, {"nanoseconds", row.nanoseconds}, {"bytes", row.bytes}};
  return {{"ops", std::move(ops)}, {"peak_bytes", profile.peak_bytes}};
}

}  // namespace shlo
