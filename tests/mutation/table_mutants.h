// Mutants of the tables: gate_mutants.py gives the sources of some tables copies that can be changed, and
// calls these functions before main. The environment chooses one change: SHLO_TABLE_MUTANT=<what>:<number>.
#pragma once

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

#include "shlo/op_table.h"

namespace shlo_mutants {

struct TableMutant {
  std::string what;
  unsigned long number = 0;
  TableMutant() {
    const char* const text = std::getenv("SHLO_TABLE_MUTANT");
    if (!text) return;
    const char* const colon = std::strchr(text, ':');
    what.assign(text, colon);
    number = std::strtoul(colon + 1, nullptr, 10) * 2654435761u >> 7;
  }
  bool Is(std::string_view name) const { return what == name; }
  template <typename T>
  T& Choose(std::vector<T*>& things) {
    if (things.empty()) std::exit(99);
    return *things[number % things.size()];
  }
};

inline void Say(std::string_view what, std::string_view name) {
  std::fprintf(stderr, "planted: %.*s of %.*s\n", int(what.size()), what.data(), int(name.size()),
               name.data());
}

template <typename Tables, typename Cells, typename Original>
void PlantOps(Tables& t, Cells& cells, const Original& original) {
  // The revisions of the copy refer to the cells of the copy.
  const auto move = [&](auto& span) {
    if (!span.empty()) span = {cells.data() + (span.data() - original.data()), span.size()};
  };
  for (auto& r : t.revisions) {
    move(r.operands), move(r.attrs), move(r.struct_attrs), move(r.results), move(r.regions),
        move(r.conditions);
  }
  TableMutant m;
  if (m.what.empty()) return;
  const unsigned long n = m.number / 97;
  const auto cell_if = [&](const auto& wanted) {
    std::vector<typename Cells::value_type*> list;
    for (auto& cell : cells)
      if (wanted(cell)) list.push_back(&cell);
    auto& cell = m.Choose(list);
    Say(m.what, cell.name);
    return &cell;
  };
  const auto row_if = [&](const auto& wanted) {
    std::vector<typename decltype(t.rows)::value_type*> list;
    for (size_t i = 1; i < t.rows.size(); ++i)
      if (wanted(t.rows[i])) list.push_back(&t.rows[i]);
    auto& row = m.Choose(list);
    Say(m.what, row.name);
    return &row;
  };
  const auto revision_if = [&](const auto& wanted) {
    std::vector<typename decltype(t.revisions)::value_type*> list;
    for (size_t i = 1; i < t.revisions.size(); ++i)
      if (wanted(t.revisions[i])) list.push_back(&t.revisions[i]);
    auto& revision = m.Choose(list);
    Say(m.what, t.rows[revision.row.v].name);
    return &revision;
  };
  using shlo::CellTag;
  const auto is_attr = [](const auto& c) { return c.tag == CellTag::kAttr; };
  const auto is_value = [](const auto& c) { return c.tag == CellTag::kOperand || c.tag == CellTag::kResult; };
  if (m.Is("default")) {
    auto* c = cell_if(is_attr);
    c->b = uint8_t((c->b + 1 + n % 3) % 8);
  } else if (m.Is("attr-class")) {
    auto* c = cell_if(is_attr);
    c->a = uint8_t((c->a + 1 + n % 3) % 20);
  } else if (m.Is("confined")) {
    auto* c = cell_if([](const auto& x) {
      return x.tag == CellTag::kAttr && shlo::AttrClassName(x.attr_class()) == "i64";
    });
    c->y = uint16_t((c->y & 0xFF00) | ((c->y & 0xFF) + 1) % 3);
  } else if (m.Is("type-class")) {
    auto* c = cell_if(is_value);
    c->a = uint8_t((c->a + 1 + n % 5) % 60);
  } else if (m.Is("variadic")) {
    auto* c = cell_if(is_value);
    c->variadic = !c->variadic;
  } else if (m.Is("blocks")) {
    auto* c = cell_if([](const auto& x) { return x.tag == CellTag::kRegion; });
    c->a ^= 1;
  } else if (m.Is("wire-id")) {
    auto* r = row_if([](const auto&) { return true; });
    r->wire_id = n % 2 ? uint16_t(400 + n % 50) : t.rows[1 + n % (t.rows.size() - 1)].wire_id;
  } else if (m.Is("since")) {
    auto* r = revision_if([](const auto& x) { return x.since.n > 37; });
    r->since.n = uint16_t(r->since.n + (n % 2 ? 1 : -1));
  } else if (m.Is("until")) {
    auto* r = revision_if([](const auto&) { return true; });
    r->until.n = uint16_t(r->until.n - 1);
  } else if (m.Is("form")) {
    auto* r = row_if([](const auto&) { return true; });
    r->form = shlo::Form((unsigned(r->form) + 1 + n % 3) % 30);
  } else if (m.Is("trait")) {
    auto* r = row_if([](const auto&) { return true; });
    r->traits ^= 1u << n % 12;
  } else if (m.Is("relation")) {
    auto* r = row_if([](const auto& x) { return x.num_relations > 0; });
    r->traits &= ~(1u << unsigned(r->relations[r->num_relations - 1u]));
    --r->num_relations;
  } else if (m.Is("attr-order")) {
    auto* r = revision_if([](const auto& x) { return x.attrs.size() > 1; });
    auto* first = &cells[size_t(r->attrs.data() - cells.data())];
    std::swap(first[n % (r->attrs.size() - 1)], first[n % (r->attrs.size() - 1) + 1]);
  } else if (m.Is("attr-lost")) {
    auto* r = revision_if([](const auto& x) { return !x.attrs.empty(); });
    r->attrs = r->attrs.first(r->attrs.size() - 1);
  } else if (m.Is("operand-lost")) {
    auto* r = revision_if([](const auto& x) { return !x.operands.empty(); });
    r->operands = r->operands.first(r->operands.size() - 1);
  } else if (m.Is("condition")) {
    auto* c = cell_if([](const auto& x) { return x.tag == CellTag::kCond; });
    c->x = uint16_t(c->x + (n % 2 ? 1 : -1));
  } else if (m.Is("rule")) {
    row_if([](const auto& x) { return x.rule != shlo::Rule{}; })->rule = {};
  } else if (m.Is("terminator")) {
    auto* r = row_if([](const auto& x) { return bool(x.terminator); });
    r->terminator.v = uint16_t(r->terminator.v + 1);
  } else if (m.Is("struct")) {
    auto* r = revision_if([](const auto& x) { return !x.struct_attrs.empty(); });
    r->struct_attrs = {};
  }
}

template <typename Rows>
void PlantKinds(Rows& rows, std::string_view prefix) {
  TableMutant m;
  if (m.what.empty() || !m.what.starts_with(prefix)) return;
  const std::string what = m.what.substr(prefix.size());
  const unsigned long n = m.number / 97;
  std::vector<typename Rows::value_type*> list;
  for (auto& row : rows)
    if (what != "fields" || row.num_fields > 1)
      if (what != "vhlo" || !row.vhlo.empty())
        if (what != "since" || row.since.n > 37) list.push_back(&row);
  auto& row = m.Choose(list);
  Say(m.what, row.name);
  if (what == "id") row.id = uint16_t(100 + n % 20);
  if (what == "since") row.since.n = uint16_t(row.since.n + (n % 2 ? 1 : -1));
  if (what == "until") row.until.n = uint16_t(row.until.n - 1 - n % 5);
  if (what == "fields") std::swap(row.field_rows[0], row.field_rows[1]);
  if (what == "vhlo")
    row.vhlo =
        rows[n % rows.size()].vhlo == row.vhlo ? std::string_view("other_v1") : rows[n % rows.size()].vhlo;
  if (what == "mnemonic") row.mnemonic = "other";
  if (what == "width") row.width = uint8_t(row.width + 1);
}

template <typename Cases>
void PlantCases(Cases& cases) {
  TableMutant m;
  if (!m.what.starts_with("case-")) return;
  const size_t at = m.number % (cases.size() - 1);
  Say(m.what, cases[at].name);
  if (m.Is("case-value")) cases[at].value += 1;
  if (m.Is("case-swap")) std::swap(cases[at].value, cases[at + 1].value);
  if (m.Is("case-since")) cases[at].since.n = uint16_t(cases[at].since.n + 1);
  if (m.Is("case-earlier")) cases[at].since.n = uint16_t(cases[at].since.n - 1);
  if (m.Is("case-until")) cases[at].until.n = uint16_t(cases[at].until.n - 1);
  if (m.Is("case-name")) cases[at].name = "OTHER";
}

template <typename Rows>
void PlantVersions(Rows& rows) {
  TableMutant m;
  if (!m.what.starts_with("version-")) return;
  auto& row = rows[m.number % std::size(rows)];
  Say(m.what, row.change);
  if (m.Is("version-date")) row.date.day = uint8_t(row.date.day % 28 + 1);
  if (m.Is("version-format")) row.bytecode_format = int8_t(row.bytecode_format + 1);
  if (m.Is("version-release")) row.release = "9.9.0";
  if (m.Is("version-bound")) row.date_is_bound = !row.date_is_bound;
}

template <typename IndexT>
void PlantCodes(IndexT& index, std::string_view prefix) {
  TableMutant m;
  if (!m.what.starts_with(prefix)) return;
  const std::string what = m.what.substr(prefix.size());
  std::vector<typename decltype(index.by_kind)::value_type*> list;
  for (auto& row : index.by_kind)
    if (what != "encoding" || row.encoding[0]) list.push_back(&row);
  auto& row = m.Choose(list);
  Say(m.what, std::to_string(unsigned(row.dialect)) + " " + std::to_string(row.code));
  if (what == "code") {
    // The next code, of reader and writer alike: a mistake that a round trip does not show.
    auto& codes = index.codes[size_t(row.dialect)];
    const auto next = uint8_t((row.code + 1) % codes.size());
    std::swap(codes[row.code], codes[next]);
    for (auto& other : index.by_kind)
      if (&other != &row && other.dialect == row.dialect && other.code == next) {
        other.code = row.code;
        break;
      }
    row.code = next;
  }
  if (what == "encoding") {
    // v and s, and S and its neighbors, are read as they are written.
    static std::string other;
    other = std::string(row.encoding);
    if (const size_t at = other.find_first_of("vs"); at != other.npos)
      other[at] = other[at] == 'v' ? 's' : 'v';
    else
      other = other.substr(0, other.size() - 2);
    row.encoding = other.c_str();
  }
}

}  // namespace shlo_mutants
