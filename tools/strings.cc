// `strings`: lists the strings of a program and their origins. Marks the strings that have no structured
// encoding and are kept as text, because these are what strings(1) finds in an artifact.
#include <algorithm>

#include "base/format.h"
#include "commands.h"
#include "ir/module/node_words.h"

namespace shlo::tool {
namespace {

struct Origin {
  std::string from;      // "string attribute", "key of a resource", ...
  bool as_text = false;  // opaque text
};

class Collector {
 public:
  explicit Collector(const Module& m) : m_(m), origins_(m.strings.size()) {}

  void Run() {
    for (uint32_t i = 1; i < m_.types.size(); ++i) {
      const auto node = m_.types[TypeId(i)];
      Node("type", RowOf(node.kind), node.words, node.kind == TypeKind::kOpaqueType);
    }
    for (uint32_t i = 1; i < m_.attrs.size(); ++i) {
      const auto node = m_.attrs[AttrId(i)];
      const bool as_text = node.kind == AttrKind::kOpaqueAttr || node.kind == AttrKind::kAffineMap ||
                           node.kind == AttrKind::kIntegerSet || node.kind == AttrKind::kStridedLayout;
      Node(IsLocation(node.kind) ? "location" : "attribute", RowOf(node.kind), node.words, as_text);
    }
    for (uint32_t i = 1; i < m_.ops.size(); ++i) {
      Add(m_.NameIdOf(m_.ops[i]), "name of an op not in the op table", true);
      for (const NamedAttr& discardable : m_.DiscardableAttrsOf(m_.ops[i]))
        Add(discardable.name, "name of a discardable attribute", false);
    }
    for (const Resource& r : m_.resources) Add(r.key, "key of a resource", false);
  }
  const std::vector<Origin>& OriginsOf(StringId id) const { return origins_[id.v]; }

 private:
  void Add(StringId id, std::string from, bool as_text) {
    if (!id || id.v >= origins_.size()) return;
    auto& list = origins_[id.v];
    for (const Origin& o : list) {
      if (o.from == from) return;
    }
    list.push_back({std::move(from), as_text});
  }

  void Node(std::string_view what, const KindRow& row, std::span<const uint64_t> words, bool as_text) {
    ForEachWord(row, words, [&](FieldType type, size_t at, const FieldRow& field) {
      if (type != FieldType::kString) return;
      const StringId string{uint32_t(words[at])};
      if (field.type == FieldType::kNamed) return Add(string, "key of a dictionary", false);
      Add(string,
          as_text ? StrFormat("{} kept as text ({})", what, row.mnemonic.empty() ? "opaque" : row.mnemonic)
          : row.num_fields == 1 ? StrFormat("{} {}", row.mnemonic, what)
                                : StrFormat("{} {}, {}", row.mnemonic, what, field.name),
          as_text);
    });
  }

  const Module& m_;
  std::vector<std::vector<Origin>> origins_;
};

int RunStrings(Context& ctx, const NoFlags&, Answer* answer) {
  answer->json["files"] = Json::array();
  int worst = kDone;
  ctx.check_constants = false;
  for (const std::string& path : ctx.files) {
    Input input;
    worst = std::max(worst, ReadInput(ctx, path, &input));
    Json programs = Json::array();
    for (const Program& program : input.programs) {
      const Module& m = program.module;
      Collector collector(m);
      collector.Run();
      Json list = Json::array();
      for (uint32_t i = 1; i < m.strings.size(); ++i) {
        const auto& origins = collector.OriginsOf(StringId(i));
        if (origins.empty()) continue;  // interned by the reader, but unused
        bool as_text = false;
        std::string from;
        Json from_json = Json::array();
        for (const Origin& o : origins) {
          as_text |= o.as_text;
          from += (from.empty() ? "" : "; ") + o.from;
          from_json.push_back(o.from);
        }
        answer->text.Add("{}  {}  <- {}\n", as_text ? "T" : " ", QuotedText(m.strings[StringId(i)]), from);
        Json s;
        s["string"] = std::string(m.strings[StringId(i)]);
        s["kept_as_text"] = as_text;
        s["from"] = std::move(from_json);
        list.push_back(std::move(s));
      }
      Json p = ProgramJson(program);
      p["strings"] = std::move(list);
      programs.push_back(std::move(p));
    }
    answer->json["files"].push_back(FileJson(path, std::move(programs)));
  }
  return worst;
}

}  // namespace

void AddStrings(Options& options, Context& ctx) {
  AddAnswer<NoFlags>(options, ctx, RunStrings);
  options.Arguments("FILE", &ctx.files, "programs to inspect");
  options.Remark("T marks strings that have no structured encoding and are kept as text.");
  AddReadFlags(options, ctx);
}

}  // namespace shlo::tool
