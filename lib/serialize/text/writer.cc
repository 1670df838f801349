#include <fmt/format.h>

#include <algorithm>

#include "ir/guarded.h"
#include "serialize/text/writer_ops.h"
#include "serialize/vhlo_casts.h"
#include "shlo/text_writer.h"

namespace shlo {

namespace {

using text::PutHex;
using text::PutKeyword;

// Sets absent attributes to their defaults, which VHLO spelling prints.
void FillDefaults(Module& m) {
  for (size_t i = 1; i < m.ops.size(); ++i) {
    const Op op = m.ops[i];
    if (!op.revision || VhloName(op.revision).empty()) continue;
    const size_t count = RevisionOf(op.revision).attrs.size();
    for (size_t slot = 0; slot < count; ++slot)
      if (!m.inherent_attrs[op.first_slot + slot])
        m.inherent_attrs[op.first_slot + slot] = m.DefaultOf(op, int(slot));
  }
}

// Returns the resources in the order in which attributes first use them, then unused ones.
std::vector<Resource> OrderedResources(const Module& m, bool unused) {
  std::vector<Resource> rest = m.resources, ordered;
  for (uint32_t i = 1; i < m.attrs.size() && !rest.empty(); ++i) {
    const auto elements = m.As<ResourceElementsAttr>(AttrId(i));
    if (!elements) continue;
    const auto found = std::ranges::find(rest, elements->key, &Resource::key);
    if (found == rest.end()) continue;
    ordered.push_back(*found);
    rest.erase(found);
  }
  if (unused) ordered.insert(ordered.end(), rest.begin(), rest.end());
  return ordered;
}

// {-# dialect_resources: { builtin: { key: "0x<alignment><bytes>" } } #-}
void PutResources(const Module& m, bool unused, std::string& out) {
  const std::vector<Resource> resources = OrderedResources(m, unused);
  if (resources.empty()) return;
  out += "\n{-#\n  dialect_resources: {\n    builtin: {\n";
  for (size_t i = 0; i < resources.size(); ++i) {
    const Resource& resource = resources[i];
    if (i) out += ",\n";
    out += "      ";
    PutKeyword(out, m.strings[resource.key]);
    out += ": \"0x";
    const char alignment[4] = {char(resource.alignment), char(resource.alignment >> 8),
                               char(resource.alignment >> 16), char(resource.alignment >> 24)};
    PutHex(out, {alignment, 4});
    PutHex(out, m.payloads[resource.payload].bytes());
    out += '"';
  }
  out += "\n    }\n  }\n#-}\n";
}

Result<std::string> Write(const Module& module, const TextWriteOptions& options) {
  std::string out;
  if (!module.top || module.top.v >= module.ops.size())
    return Error(Code::kInvalidProgram, "program has no top-level module");
  // Estimate of the text per op; constants in hexadecimal add twice their bytes.
  size_t expected = 256 + module.ops.size() * 96;
  for (uint32_t i = 1; i < module.payloads.size(); ++i) {
    const uint64_t size = module.payloads[PayloadId(i)].size;
    if (size > 1024) expected += 2 * size;
  }
  out.reserve(expected);
  const text::ProgramStyle style(module, options);
  std::vector<bool> vhlo_values;
  bool too_long = false;
  const auto print = [&](const Module& m) {
    text::Aliases aliases(m);
    text::OpPrinter printer(m, options, style, &out);
    if (!vhlo_values.empty()) printer.UseVhloValues(&vhlo_values);
    if (!style.exact && !options.local_scope && text::Aliases::Needed(m, options.locations)) {
      std::string scratch;
      text::OpPrinter collector(m, options, style, &scratch);
      collector.LimitOutput(options.limits.max_output);
      collector.UseAliases(&aliases, /*collecting=*/true);
      if (!vhlo_values.empty()) collector.UseVhloValues(&vhlo_values);
      collector.Program();
      aliases.Number();
      printer.UseAliases(&aliases, /*collecting=*/false);
    }
    printer.LimitOutput(options.limits.max_output);
    printer.Program();
    too_long = printer.too_long();
    return !printer.failed() && !too_long;
  };
  bool ok;
  if (options.spelling == Spelling::kVhlo) {
    Module filled = module;
    FillDefaults(filled);
    vhlo_values = AddVhloCasts(&filled);
    ok = print(filled);
  } else {
    ok = print(module);
  }
  if (too_long)
    return Error(Code::kLimit,
                 fmt::format("the text is longer than the limit of {} bytes", options.limits.max_output),
                 {.file = options.source ? options.source->name : std::string()},
                 "write an artifact, or raise the limit: --max-output (Limits::max_output)");
  if (!ok)
    return Error(Code::kLimit,
                 "types, attributes or regions are nested too deeply, or a constant does not match its type");
  PutResources(module, /*unused=*/style.exact, out);
  return out;
}

}  // namespace

Result<std::string> WriteText(const Module& module, const TextWriteOptions& options) {
  return Guarded(options.limits, [&] { return Write(module, options); });
}

}  // namespace shlo
