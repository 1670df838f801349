#include <algorithm>

#include "base/format.h"
#include "base/guarded.h"
#include "base/try.h"
#include "base/workers.h"
#include "ir/module/vhlo_clashes.h"
#include "ir/print/trace_nodes.h"
#include "serialize/text/writer_ops.h"
#include "serialize/vhlo_casts.h"
#include "shlo/text_writer.h"

namespace shlo {

namespace {

using text::PutHex;
using text::PutKeyword;

// Sets absent attributes to their defaults, which VHLO spelling prints.
void FillDefaults(Module& m) {
  m.RewriteSignatures([&](SignatureId, EditedSignature* op) {
    if (!op->revision || VhloName(op->revision).empty()) return;
    for (size_t slot = 0; slot < op->inherent_attrs.size(); ++slot)
      if (!op->inherent_attrs[slot])
        op->inherent_attrs[slot] = m.DefaultOf(RevisionOf(op->revision), op->inherent_attrs, int(slot));
  });
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

// {-# dialect_resources: { builtin: { key: "0x<alignment><bytes>" } } #-}, and those that lie outside:
// external_resources: { shlo_outside: { key: "sha256:..." } }.
void PutResources(const Module& m, bool unused, const OutsideTable* outside, text::TextBuffer* text,
                  text::LargeConstants* constants) {
  std::vector<Resource> inside, left;
  for (const Resource& resource : OrderedResources(m, unused))
    (outside && outside->contains(resource.payload) ? left : inside).push_back(resource);
  if (inside.empty() && left.empty()) return;
  text::TextBuffer& out = *text;
  out += "\n{-#\n";
  if (!inside.empty()) out += "  dialect_resources: {\n    builtin: {\n";
  for (size_t i = 0; i < inside.size(); ++i) {
    const Resource& resource = inside[i];
    if (i) out += ",\n";
    out += "      ";
    PutKeyword(out, m.strings[resource.key]);
    out += ": \"0x";
    const char alignment[4] = {char(resource.alignment), char(resource.alignment >> 8),
                               char(resource.alignment >> 16), char(resource.alignment >> 24)};
    PutHex(out, {alignment, 4});
    constants->Add(out, m.payloads.StoredOf(resource.payload));
    out += '"';
  }
  if (!inside.empty()) out += "\n    }\n  }";
  if (!inside.empty() && !left.empty()) out += ",\n";
  if (!left.empty()) out += StrFormat("  external_resources: {{\n    {}: {{\n", kOutsideGroup);
  for (size_t i = 0; i < left.size(); ++i) {
    if (i) out += ",\n";
    out += "      ";
    PutKeyword(out, m.strings[left[i].key]);
    out += StrFormat(": \"{}\"", OutsideText(outside->at(left[i].payload), left[i].alignment));
  }
  if (!left.empty()) out += "\n    }\n  }";
  out += "\n#-}\n";
}

// The text on its way to a sink.
class TextOut {
 public:
  TextOut(const TextWriteOptions& options, const Sink& sink) : options_(options), sink_(sink) {}

  // Takes text and constants.
  bool Write(text::TextBuffer* text, text::LargeConstants* constants) {
    const uint64_t size = text->size() + constants->digits();
    written_ += size;
    if (written_ > options_.limits.max_output) {
      too_long_ = true;
      return false;
    }
    if (!options_.complete) return Pass(text, constants);
    held_.push_back({std::move(*text), std::move(*constants)});
    text->clear();
    *constants = {};
    return true;
  }
  // Passes on what was held.
  bool Finish() {
    for (Piece& piece : held_)
      if (!Pass(&piece.text, &piece.constants)) return false;
    return true;
  }
  uint64_t written() const { return written_; }
  bool too_long() const { return too_long_; }
  bool stopped() const { return stopped_; }

 private:
  struct Piece {
    text::TextBuffer text;
    text::LargeConstants constants;
  };
  bool Pass(text::TextBuffer* text, text::LargeConstants* constants) {
    stopped_ = !constants->WriteOut(text, sink_, NumThreads(options_.limits.threads));
    return !stopped_;
  }
  const TextWriteOptions& options_;
  const Sink& sink_;
  std::vector<Piece> held_;
  uint64_t written_ = 0;
  bool too_long_ = false, stopped_ = false;
};

Result<uint64_t> Write(const Module& module, const TextWriteOptions& options, const Sink& sink) {
  if (!module.top || module.top.v >= module.ops.size())
    return Error(Code::kInvalidProgram, "program has no top-level module");
  if (options.spelling == Spelling::kVhlo)
    if (Diagnostics clashes = VhloClashes(module, options.source); !clashes.empty())
      return tl::unexpected(std::move(clashes));
  TraceNodes(module, "write", options.trace, options.spelling);
  const text::ProgramStyle style(module, options);
  std::vector<bool> vhlo_values;
  TextOut out(options, sink);
  const auto write_out = [&](text::TextBuffer* text, text::LargeConstants* constants) {
    return out.Write(text, constants);
  };
  bool too_long = false;
  const auto print = [&](const Module& m) {
    text::TextBuffer text;
    text::Aliases aliases(m);
    text::OpPrinter printer(m, options, style, &text);
    if (!vhlo_values.empty()) printer.UseVhloValues(&vhlo_values);
    // An exact text is easier to read with types in place; locations contain each other, and would grow.
    const bool wanted = !style.exact || options.locations;
    if (wanted && !options.local_scope && text::Aliases::Needed(m, options.locations)) {
      text::TextBuffer scratch;
      text::OpPrinter collector(m, options, style, &scratch);
      collector.LimitOutput(options.limits.max_output);
      collector.UseAliases(&aliases, /*collecting=*/true);
      if (!vhlo_values.empty()) collector.UseVhloValues(&vhlo_values);
      collector.Program();
      aliases.Number();
      printer.UseAliases(&aliases, /*collecting=*/false);
    }
    printer.LimitOutput(options.limits.max_output);
    printer.WriteTo(write_out, NumThreads(options.limits.threads));
    printer.Program();
    too_long = printer.too_long();
    return !too_long && printer.Finish();
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
  if (ok) {
    text::TextBuffer text;
    text::LargeConstants constants;
    PutResources(module, /*unused=*/style.exact, options.outside, &text, &constants);
    ok = out.Write(&text, &constants) && out.Finish();
  }
  if (out.stopped()) return Error(Code::kIo, "cannot write the text");
  if (too_long || out.too_long())
    return Error(Code::kLimit,
                 StrFormat("the text is longer than the limit of {} bytes", options.limits.max_output),
                 {.file = options.source ? options.source->name : std::string()},
                 "write an artifact, or raise the limit: --max-output (Limits::max_output)");
  if (!ok)
    return Error(Code::kLimit,
                 "types, attributes or regions are nested too deeply, or a constant does not match its type");
  return out.written();
}

}  // namespace

Result<uint64_t> WriteTextTo(const Module& module, const TextWriteOptions& options, const Sink& sink) {
  return Guarded(options.limits, [&] { return Write(module, options, sink); });
}

Result<std::string> WriteText(const Module& module, const TextWriteOptions& options) {
  return Guarded(options.limits, [&]() -> Result<std::string> {
    std::string text;
    // An estimate of the text of an op; constants in hexadecimal add twice their bytes.
    size_t expected = 256 + module.ops.size() * 96;
    for (uint32_t i = 1; i < module.payloads.size(); ++i) {
      const uint64_t size = module.payloads.SizeOf(PayloadId(i));
      if (size > 1024) expected += 2 * size;
    }
    text.reserve(std::min<uint64_t>(expected, options.limits.max_output));
    SHLO_TRY(Write(module, options, [&](std::string_view piece) {
      text.append(piece);
      return true;
    }));
    return text;
  });
}

}  // namespace shlo
