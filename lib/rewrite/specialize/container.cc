// Specialization of jax.export files.
#include <algorithm>
#include <charconv>

#include "base/format.h"
#include "base/guarded.h"
#include "rewrite/specialize/dimension.h"
#include "shlo/specialize.h"
#include "shlo/types.h"

namespace shlo {
namespace {

using namespace rewrite;

// Returns the inputs that a program takes, by the position of its signature.
std::vector<SignatureValue> KeptInputs(const ContainerInfo& info, size_t program) {
  const std::vector<SignatureValue>& all = info.signatures[program].inputs;
  for (const ContainerProperty& property : info.programs[program].second) {
    if (property.name != "kept_inputs") continue;
    std::vector<SignatureValue> kept;
    for (const std::string& text : property.values) {
      size_t index = 0;
      std::from_chars(text.data(), text.data() + text.size(), index);
      if (index < all.size()) kept.push_back(all[index]);
    }
    return kept;
  }
  return all;
}

// Returns the values of the variables in the shapes of inputs, of which a program has the sizes.
DimensionValues ValuesIn(const Program& program, const std::vector<SignatureValue>& inputs,
                         const std::vector<std::pair<std::string, int64_t>>& dims) {
  DimensionValues values(dims.begin(), dims.end());
  const Module& m = program.module;
  std::vector<std::vector<int64_t>> shapes;
  for (const OpId op : m.BodyOpsOf(m.ops[m.top.v])) {
    if (m.SymbolOf(m.ops[op.v]) != "main") continue;
    const auto type = m.FunctionTypeOf(m.ops[op.v]);
    if (!type || type->inputs.size() < inputs.size()) return values;
    // What precedes the inputs is the index of the platform, and tokens.
    for (size_t i = type->inputs.size() - inputs.size(); i < type->inputs.size(); ++i) {
      const ShapedType input(m, type->inputs[i]);
      shapes.emplace_back(input.shape.begin(), input.shape.end());
    }
  }
  for (size_t i = 0; i < std::min(shapes.size(), inputs.size()); ++i)
    for (size_t d = 0; d < std::min(shapes[i].size(), inputs[i].shape.size()); ++d)
      if (const auto solved = Solved(inputs[i].shape[d], shapes[i][d], values)) values.insert(*solved);
  return values;
}

Result<void> SetSizes(std::vector<SignatureValue>* side, const DimensionValues& values) {
  for (SignatureValue& value : *side) {
    for (std::string& dim : value.shape) {
      const auto size = Evaluated(dim, values);
      if (!size) return tl::make_unexpected(size.error());
      dim = StrFormat("{}", *size);
    }
  }
  return {};
}

// The variables of a gradient are among those of its function, which may have more.
std::vector<std::pair<std::string, int64_t>> Used(const DimensionValues& values,
                                                  const std::vector<SignatureValue>& inputs) {
  std::set<std::string, std::less<>> names;
  for (const SignatureValue& input : inputs)
    for (const std::string& dim : input.shape) (void)AddVariables(dim, &names);
  std::vector<std::pair<std::string, int64_t>> used;
  for (const auto& [name, value] : values)
    if (names.contains(name)) used.emplace_back(name, value);
  return used;
}

Result<std::string> SpecializedFile(std::string_view bytes, const SpecializeOptions& options,
                                    const ContainerOptions& container) {
  if (DetectFormat(bytes) != Format::kJaxExport)
    return Error(Code::kUsage, "only a jax.export file can be specialized as a whole",
                 {.file = container.source_name}, "pass -o OUT.mlir to specialize one program");
  auto info = InspectContainer(bytes, container);
  if (!info) return tl::make_unexpected(info.error());
  const auto list = ListContainedPrograms(bytes, container);
  if (!list) return tl::make_unexpected(list.error());
  DimensionValues values;
  std::vector<std::string> programs;
  for (size_t i = 0; i < list->size(); ++i) {
    ReadOptions read;
    read.source_name = container.source_name;
    read.limits = container.limits;
    auto program = ReadProgram((*list)[i].bytes, nullptr, read);
    if (!program) return tl::unexpected(std::move(program.error()));
    SpecializeOptions own = options;
    own.inputs = KeptInputs(*info, i);
    if (i > 0) {
      own.args.clear();
      own.dims = Used(values, own.inputs);
    }
    auto specialized = Specialize(*program, own);
    if (!specialized) return tl::unexpected(std::move(specialized.error()));
    if (i == 0) values = ValuesIn(*specialized, own.inputs, options.dims);
    WriteOptions write;
    write.format = Format::kMlirBytecode;
    write.limits = container.limits;
    auto written = WriteProgram(*specialized, write);
    if (!written) return tl::unexpected(std::move(written.error()));
    programs.push_back(std::move(*written));
  }
  ContainerWriteOptions write;
  write.source_name = container.source_name;
  write.limits = container.limits;
  write.signatures = std::move(info->signatures);
  for (Signature& signature : write.signatures)
    for (std::vector<SignatureValue>* side : {&signature.inputs, &signature.outputs})
      if (auto set = SetSizes(side, values); !set) return tl::unexpected(std::move(set.error()));
  return WriteContainer(bytes, programs, write);
}

}  // namespace

Result<std::vector<SignatureValue>> InputsOf(std::string_view bytes, std::string_view program,
                                             const ContainerOptions& options) {
  auto info = InspectContainer(bytes, options);
  if (!info) return tl::make_unexpected(info.error());
  for (size_t i = 0; i < info->signatures.size() && i < info->programs.size(); ++i)
    if (info->format == Format::kJaxExport &&
        (info->programs[i].first == program || (program.empty() && i == 0)))
      return KeptInputs(*info, i);
  return std::vector<SignatureValue>();
}

Result<std::string> SpecializeContainer(std::string_view bytes, const SpecializeOptions& options,
                                        const ContainerOptions& container) {
  return Guarded(
      options.limits, [&] { return SpecializedFile(bytes, options, container); }, container.source_name);
}

}  // namespace shlo
