// Versions and names of dialects.
#include "shlo/dialect.h"

#include <algorithm>
#include <charconv>

#include "base/format.h"
#include "base/nearest.h"

namespace shlo {

const std::string& DialectOp::NameAt(uint16_t version) const {
  for (const DialectName& name : names)
    if (version <= name.versions.until) return name.name;
  return names.back().name;
}

std::string Dialect::VersionName(uint16_t version) const {
  const DialectVersion* row = version >= 1 && version <= versions.size() ? &versions[version - 1] : nullptr;
  return row && !row->release.empty() ? StrFormat("{} {} ({})", name, row->release, version)
                                      : StrFormat("{} {}", name, version);
}

const DialectOp* Dialect::Find(std::string_view op, uint16_t version) const {
  if (!op.starts_with(name) || op.size() <= name.size() || op[name.size()] != '.') return nullptr;
  op.remove_prefix(name.size() + 1);
  for (const DialectOp& row : ops)
    if (row.versions.Has(version) && row.NameAt(version) == op) return &row;
  return nullptr;
}

Result<uint16_t> ParseDialectVersion(const Dialect& dialect, std::string_view text) {
  uint16_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error == std::errc() && end == text.data() + text.size() && number >= 1 && number <= dialect.newest())
    return number;
  Nearest nearest(text);
  for (const DialectVersion& version : dialect.versions) {
    if (!version.release.empty() && version.release == text) return version.number;
    nearest.Try(version.release);
  }
  if (text == "current") return dialect.newest();
  return Error(Code::kUnknownVersion, StrFormat("'{}' is not a version of '{}'", text, dialect.name), {},
               DidYouMean(nearest.best(), StrFormat("write a number from 1 to {}", dialect.newest())));
}

uint16_t DialectVersionFor(const Dialect& dialect, Version stablehlo) {
  uint16_t found = 0;
  for (const DialectVersion& version : dialect.versions)
    if (version.stablehlo <= stablehlo) found = version.number;
  return found;
}

Result<uint16_t> DialectVersionOf(const Module& module, const Dialect& dialect, const Source* source) {
  const std::string name = dialect.name + ".version";
  const AttrId stated = module.top ? module.AttributeOf(module.ops[module.top.v], name) : AttrId();
  if (!stated) return dialect.newest();
  int64_t number = 0;
  if (module.AsInteger(stated, &number) && number >= 1 && number <= dialect.newest()) return uint16_t(number);
  return Error(Code::kUnknownVersion,
               StrFormat("'{}' is not a version of '{}' that '{}' has", name, dialect.name, dialect.file),
               PlaceOfAttr(module, module.top, name, source),
               StrFormat("known versions are 1 to {}", dialect.newest()));
}

bool UsesDialect(const Module& module, const Dialect& dialect) {
  const std::string prefix = dialect.name + ".";
  for (size_t i = 1; i < module.ops.size(); ++i)
    if (!module.RevisionIdOf(module.ops[i]) && module.NameOf(module.ops[i]).starts_with(prefix)) return true;
  for (TypeId type(1); type.v < module.types.size(); ++type.v)
    if (const auto opaque = module.As<OpaqueType>(type))
      if (module.strings[opaque->dialect] == dialect.name) return true;
  for (AttrId attr(1); attr.v < module.attrs.size(); ++attr.v)
    if (const auto opaque = module.As<OpaqueAttr>(attr))
      if (module.strings[opaque->dialect] == dialect.name) return true;
  return false;
}

}  // namespace shlo
