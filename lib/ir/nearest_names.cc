#include "ir/nearest_names.h"

#include <string>

#include "shlo/op_table.h"

namespace shlo {

std::string_view NearestOp(std::string_view name) {
  const bool full = name.find('.') != name.npos;
  Nearest nearest(name);
  for (const OpRow& row : OpRows().subspan(1)) nearest.Try(full ? row.name : row.mnemonic(), row.name);
  return nearest.best();
}

std::string_view NearestKind(std::span<const KindRow> kinds, std::string_view dialect,
                             std::string_view word) {
  Nearest nearest(word);
  for (const KindRow& row : kinds)
    if (row.dialect == dialect) nearest.Try(row.mnemonic);
  return nearest.best();
}

std::string_view NearestVersionWord(std::string_view word) {
  std::string lower(word.substr(0, 16));
  for (char& c : lower)
    if (c >= 'A' && c <= 'Z') c = char(c - 'A' + 'a');
  for (std::string_view newest : {"latest", "newest", "now", "head", "today"})
    if (lower == newest) return "current";
  for (std::string_view oldest : {"oldest", "min", "earliest"})
    if (lower == oldest) return "minimum";
  Nearest nearest(lower);
  for (std::string_view known : {"current", "minimum"}) nearest.Try(known);
  nearest.Try("week_4", "WEEK_4");
  nearest.Try("week_12", "WEEK_12");
  nearest.Try("max", "MAX");
  return nearest.best();
}

}  // namespace shlo
