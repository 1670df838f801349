#include "serialize/text/program_style.h"

#include <algorithm>
#include <span>
#include <string_view>

#include "ir/module/attr_names.h"
#include "ir/table/mhlo.h"
#include "ir/table/ops.h"
#include "ir/table/trait.h"

namespace shlo::text {
namespace {

// The first versions with today's text: schema/older_texts.inc.
struct OpSince {
  Version since;
  std::string_view op;
};
#define SHLO_PROPERTIES_SINCE(n) constexpr Version kProperties{n};
#define SHLO_BOOLEAN_BYTES_SINCE(n) constexpr Version kBooleanBytes{n};
#define SHLO_BARE_CASES_SINCE(n) constexpr Version kBareCases{n};
#include "schema/older_texts.inc"
constexpr OpSince kArrays[] = {
#define SHLO_ARRAYS_SINCE(n, op) {Version{n}, op},
#include "schema/older_texts.inc"
};
constexpr OpSince kForms[] = {
#define SHLO_FORM_SINCE(n, op) {Version{n}, op},
#include "schema/older_texts.inc"
};

// Sets the bits of the ops that a table has from a later version on.
void NoteLater(std::span<const OpSince> table, Version version, std::vector<bool>* later) {
  if (std::ranges::all_of(table, [&](const OpSince& row) { return row.since <= version; })) return;
  later->resize(OpRows().size());
  for (uint16_t i = 1; i < OpRows().size(); ++i)
    for (const OpSince& row : table)
      if (row.op.empty() || row.op == RowOf(RowId{i}).name) {
        (*later)[i] = version < row.since;
        break;
      }
}

// Returns whether the program contains an op that only older versions have.
bool HoldsRetiredOps(const Module& m) {
  // By revision, so that little is read of each op.
  std::vector<char> retired(OpRevisions().size());
  for (uint16_t i = 1; i < OpRevisions().size(); ++i)
    retired[i] = RevisionOf(NewestRevision(OpRevisions()[i].row)).until < kCurrentVersion;
  return std::ranges::any_of(m.ops, [&](const Op& op) { return retired[m.RevisionIdOf(op).v] != 0; });
}

bool FunctionStatesVersion(const Module& m) {
  const StringId key = m.strings.Find(kCompatVersion);
  if (!key) return false;
  for (const Op& op : m.ops)
    if (m.Has(op, Trait::kFunction))
      for (const NamedAttr& discardable : m.DiscardableAttrsOf(op))
        if (discardable.name == key) return true;
  return false;
}

// Returns whether the text of the top module's ops alone would read back as a different program.
bool NeedsModule(const Module& m, const TextWriteOptions& options) {
  const Op& top = m.ops[m.top.v];
  if (!options.source || !options.source->implicit_module) return true;
  if ((options.locations && top.loc) || !m.Is(top, ops::kModule)) return true;
  if (m.RegionsOf(top).size() != 1) return true;
  for (AttrId attr : m.InherentAttrsOf(top))
    if (attr) return true;
  for (const NamedAttr& discardable : m.DiscardableAttrsOf(top))
    if (m.strings[discardable.name] != kCompatVersion) return true;
  const auto blocks = m.BlocksOf(m.RegionsOf(top)[0]);
  if (blocks.size() != 1 || m.blocks[blocks[0].v].args.count != 0) return true;
  // An empty text is not a program, and a nested module alone would be read as the program.
  const auto ops = m.OpsOf(blocks[0]);
  return ops.empty() || (ops.size() == 1 && m.Is(m.ops[ops[0].v], ops::kModule));
}

}  // namespace

ProgramStyle::ProgramStyle(const Module& m, const TextWriteOptions& options)
    : mhlo(options.source && options.source->mhlo && options.spelling == Spelling::kStablehlo),
      exact(options.style == TextStyle::kExact),
      generic(options.generic || (!mhlo && HoldsRetiredOps(m))),
      properties(!exact || m.version >= kProperties),
      version_on_module(
          m.version.valid() && !mhlo &&
          (m.version != kCurrentVersion || (options.source && options.source->version_written)) &&
          !FunctionStatesVersion(m)),
      wrap(!exact || version_on_module || NeedsModule(m, options)),
      space_before_cases(!mhlo &&
                         (exact ? m.version.valid() && m.version < kBareCases : options.spaced_cases)) {
  if (mhlo) {
    dense_lists.assign(OpRows().size(), true);
    generic_ops.resize(OpRows().size());
    for (uint16_t i = 1; i < OpRows().size(); ++i)
      if (const auto* row = mhlo::OpRowOf(RowId{i})) generic_ops[i] = row->form == mhlo::Form::kGeneric;
    return;
  }
  if (!exact || !m.version.valid()) return;
  boolean_lists = m.version < kBooleanBytes;
  NoteLater(kArrays, m.version, &dense_lists);
  NoteLater(kForms, m.version, &generic_ops);
}

std::vector<TextChange> TextChanges() {
  return {
#define SHLO_PROPERTIES_SINCE(n) \
  {Version{n}, "", "inherent attributes in {...}", "inherent attributes in <{...}>"},
#define SHLO_ARRAYS_SINCE(n, op) {Version{n}, op, "lists are dense<...>", "lists are array<...>"},
#define SHLO_BOOLEAN_BYTES_SINCE(n)                                  \
  {Version{n}, "", "hexadecimal constants of i1: a bit per element", \
   "hexadecimal constants of i1: a byte per element"},
#define SHLO_BARE_CASES_SINCE(n) \
  {Version{n}, "", "two spaces before cases of enums", "one space before them"},
#define SHLO_FORM_SINCE(n, op) {Version{n}, op, "generic form", "custom form"},
#include "schema/older_texts.inc"
  };
}

}  // namespace shlo::text
