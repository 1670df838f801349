// Finds where a file has the constants of its programs, and collects the facts that `show` prints.
#include <algorithm>
#include <set>

#include "ir/table/trait.h"
#include "shlo/archive.h"
#include "shlo/print.h"

namespace shlo::archive {
namespace {

// Smaller constants stay in what is around them.
constexpr uint64_t kConstant = 1024;
// `show` is for people.
constexpr size_t kMostFunctions = 64;
constexpr uint64_t kLongestType = 1024;

std::string_view DialectOf(std::string_view op) { return op.substr(0, op.find('.')); }

}  // namespace

std::vector<ConstantRange> ConstantRanges(std::string_view file, std::span<const Program> programs) {
  std::vector<ConstantRange> found;
  for (const Program& program : programs) {
    const PayloadTable& payloads = program.module.payloads;
    for (uint32_t i = 1; i < payloads.size(); ++i) {
      const StoredBytes bytes = payloads.StoredOf(PayloadId(i));
      const uint64_t size = bytes.stored.size();
      if (bytes.size() < kConstant || bytes.stored.data() < file.data() ||
          bytes.stored.data() + size > file.data() + file.size())
        continue;
      found.push_back({uint64_t(bytes.stored.data() - file.data()), size, bytes.hex});
    }
  }
  // Programs of a container may share bytes, and the larger of two that overlap is kept.
  std::ranges::sort(found, [](const ConstantRange& a, const ConstantRange& b) {
    return a.offset != b.offset ? a.offset < b.offset : a.size > b.size;
  });
  std::vector<ConstantRange> out;
  for (const ConstantRange& range : found)
    if (out.empty() || range.offset >= out.back().offset + out.back().size) out.push_back(range);
  return out;
}

ArchivedProgram DescribeProgram(const Program& program) {
  const Module& m = program.module;
  ArchivedProgram out;
  out.name = program.name;
  out.version = m.version;
  out.ops = m.ops.size() - 1;
  out.constants = m.payloads.size() - 1;
  for (uint32_t i = 1; i < m.payloads.size(); ++i) out.constant_bytes += m.payloads.SizeOf(PayloadId(i));
  std::vector<ArchivedFunction> hidden_functions;
  std::set<std::string, std::less<>> calls, dialects;
  for (uint32_t i = 1; i < m.ops.size(); ++i) {
    const Op& op = m.ops[i];
    const std::string_view name = m.NameOf(op), dialect = DialectOf(name);
    if (!dialects.contains(dialect)) dialects.emplace(dialect);
    std::string_view target;
    if (name == "stablehlo.custom_call" && m.AsString(m.InherentAttrOf(op, "call_target_name"), &target) &&
        !calls.contains(target))
      calls.emplace(target);
    if (!m.Has(op, Trait::kFunction)) continue;
    const bool hidden = m.VisibilityOf(op) == "private";
    const auto type = m.As<TypeAttr>(m.InherentAttrOf(op, "function_type"));
    std::vector<ArchivedFunction>& list = hidden ? hidden_functions : out.functions;
    if (!type || list.size() == kMostFunctions) continue;
    std::string text;
    if (!PrintType(m, type->type, Spelling::kStablehlo, kLongestType, &text)) text += "...";
    list.push_back({std::string(m.SymbolOf(op)), std::move(text)});
  }
  // As Prove does: what has no public function is a library of all.
  if (out.functions.empty()) out.functions = std::move(hidden_functions);
  out.custom_calls.assign(calls.begin(), calls.end());
  out.dialects.assign(dialects.begin(), dialects.end());
  return out;
}

}  // namespace shlo::archive
