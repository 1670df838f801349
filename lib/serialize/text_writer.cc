#include "serialize/text_writer.h"

#include <algorithm>

#include "serialize/portable_casts.h"
#include "serialize/text_writer_ops.h"

namespace shlo {

namespace {

using text::PutHex;
using text::PutKeyword;

// Whether the program holds an op that only older versions have.
bool HoldsRetiredOps(const Module& m) {
  std::vector<bool> retired(OpRows().size());
  for (uint16_t i = 1; i < OpRows().size(); ++i)
    retired[i] = ShapeOf(NewestShape(RowId{i})).until < kCurrentVersion;
  for (const Op& op : m.ops)
    if (op.shape && retired[ShapeOf(op.shape).row.v]) return true;
  return false;
}

// The portable spelling writes absent slots with the values they stand for. Returns the number filled in.
void FillDefaults(Module& m) {
  for (size_t i = 1; i < m.ops.size(); ++i) {
    const Op op = m.ops[i];
    if (!op.shape || PortableName(op.shape).empty()) continue;
    const size_t count = ShapeOf(op.shape).attrs.size();
    for (size_t slot = 0; slot < count; ++slot)
      if (!m.slots[op.first_slot + slot]) m.slots[op.first_slot + slot] = m.DefaultOf(op, int(slot));
  }
}

// Resources in the order in which attributes first name them; then those that none names.
std::vector<Resource> OrderedResources(const Module& m, bool unused) {
  std::vector<Resource> rest = m.resources, ordered;
  for (uint32_t i = 1; i < m.attrs.size() && !rest.empty(); ++i) {
    const auto node = m.attrs[AttrId(i)];
    if (node.kind != AttrKind::kResourceElements) continue;
    const auto found = std::ranges::find(rest, StringId(uint32_t(node.words[1])), &Resource::key);
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

}  // namespace

Result<std::string> WriteText(const Module& module, const TextWriteOptions& options) {
  std::string out;
  if (!module.top || module.top.v >= module.ops.size())
    return Error(Code::kInvalidProgram, "the program has no top-level module");
  // Roughly what op text takes; constants in hexadecimal add twice their bytes.
  size_t expected = 256 + module.ops.size() * 96;
  for (uint32_t i = 1; i < module.payloads.size(); ++i) {
    const uint64_t size = module.payloads[PayloadId(i)].size;
    if (size > 1024) expected += 2 * size;
  }
  out.reserve(expected);
  const bool generic = options.generic || HoldsRetiredOps(module);
  std::vector<bool> portable_values;
  const auto print = [&](const Module& m) {
    text::Aliases aliases(m);
    text::OpPrinter printer(m, options, generic, &out);
    if (!portable_values.empty()) printer.UsePortableValues(&portable_values);
    if (options.aliases && text::Aliases::Needed(m, options.locations)) {
      std::string scratch;
      text::OpPrinter collector(m, options, generic, &scratch);
      collector.UseAliases(&aliases, /*collecting=*/true);
      if (!portable_values.empty()) collector.UsePortableValues(&portable_values);
      collector.Program();
      aliases.Number();
      printer.UseAliases(&aliases, /*collecting=*/false);
    }
    printer.Program();
    return !printer.failed();
  };
  bool ok;
  if (options.spelling == Spelling::kPortable) {
    Module filled = module;
    FillDefaults(filled);
    portable_values = AddPortableCasts(&filled);
    ok = print(filled);
  } else {
    ok = print(module);
  }
  if (!ok)
    return Error(Code::kLimit,
                 "a type, attribute or region is nested too deeply, or a constant does not fit its type");
  PutResources(module, /*unused=*/!options.as_reference, out);
  return out;
}

std::string TypeText(const Module& module, TypeId type, Spelling spelling) {
  std::string out;
  text::AttrPrinter(module, 0, nullptr, &out).Type(type, spelling);
  return out;
}

std::string StorageTypeText(const Module& module, TypeId storage, int64_t flags, int64_t min, int64_t max) {
  std::string out;
  text::AttrPrinter(module, 0, nullptr, &out).StorageType(storage, flags, min, max);
  return out;
}

std::string AttrText(const Module& module, AttrId attr, Spelling spelling) {
  std::string out;
  text::AttrPrinter(module, 0, nullptr, &out).Attr(attr, spelling);
  return out;
}

}  // namespace shlo
