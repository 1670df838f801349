#include "serialize/container/call_module.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>
#include <protozero/pbf_writer.hpp>

#include "base/format.h"
#include "base/try.h"
#include "serialize/container/formats.h"
#include "serialize/container/saved_model_fields.h"
#include "serialize/container/wire.h"
#include "shlo/editor.h"
#include "shlo/types.h"

namespace shlo::container {
namespace {

// Versions with which something began.
constexpr uint64_t kOldest = 2;
constexpr uint64_t kArtifacts = 4;  // programs are portable artifacts
// Disabled checks; platforms are required. Also calls of TensorFlow functions and tokens: TensorFlow 2.13,
// which loads version 5, has no attributes for them.
constexpr uint64_t kChecks = 6;
constexpr uint64_t kAssertions = 7;    // assertions on shapes are checked
constexpr uint64_t kPolymorphism = 8;  // shapes are refined only if the program says so
constexpr uint64_t kTokens = 9;        // tokens anywhere
constexpr uint64_t kShardy = 10;
constexpr uint64_t kNewest = kShardy;

constexpr std::string_view kPlatform = "platform", kShapeAssertions = "shape_assertions";
constexpr std::string_view kUsesPolymorphism = "jax.uses_shape_polymorphism";

struct TensorflowReleases {
  std::string_view first, last;  // without a last one: all later ones
  uint64_t minimum, maximum;     // versions of XlaCallModule
};
constexpr TensorflowReleases kTensorflow[] = {
#define TENSORFLOW_RELEASES(first, last, minimum, maximum) {first, last, minimum, maximum},
#include "schema/tensorflow_releases.inc"
#undef TENSORFLOW_RELEASES
};

using Minor = std::array<uint32_t, 2>;

// Parses "2.17" or "2.17.1".
std::optional<Minor> ParseMinor(std::string_view text) {
  Minor minor{};
  for (size_t i = 0; i < minor.size(); ++i) {
    if (i) {
      if (!text.starts_with('.')) return std::nullopt;
      text.remove_prefix(1);
    }
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), minor[i]);
    if (error != std::errc()) return std::nullopt;
    text.remove_prefix(size_t(end - text.data()));
  }
  if (text.empty() || text.starts_with('.')) return minor;
  return std::nullopt;
}

// Returns the version to write for what a user asks for, if the node has version `from`.
std::optional<uint64_t> TargetOf(std::string_view text, uint64_t from) {
  for (const std::string_view name : {"tensorflow==", "tensorflow-cpu=="})
    if (text.starts_with(name)) text.remove_prefix(name.size());
  uint64_t version = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), version);
  if (error == std::errc() && end == text.data() + text.size())
    return version >= kOldest && version <= kNewest ? std::optional(version) : std::nullopt;
  const auto wanted = ParseMinor(text);
  if (!wanted) return std::nullopt;
  const TensorflowReleases* found = nullptr;
  for (const TensorflowReleases& releases : kTensorflow)
    if (*ParseMinor(releases.first) <= *wanted) found = &releases;
  return found ? std::optional(std::clamp(from, found->minimum, found->maximum)) : std::nullopt;
}

// --- Attributes ------------------------------------------------------------------------------------------

// The attributes of a node that versions treat differently.
struct CallAttributes {
  uint64_t version = 0;
  std::vector<std::string> platforms, disabled_checks, dim_args_spec;
  bool has_functions = false, has_tokens = false, uses_shardy = false;
};

std::string_view KeyOf(std::string_view entry) {
  std::string_view key;
  ForEachField(entry, [&](const WireField& f) {
    if (f.number == field::kMapEntryKey) key = f.bytes;
  });
  return key;
}

CallAttributes AttributesOf(std::string_view node) {
  CallAttributes out;
  ForEachField(node, [&](const WireField& f) {
    if (f.number != field::kNodeAttrs || !f.has_length) return;
    const std::string_view key = KeyOf(f.bytes);
    std::vector<std::string>* const list = key == "platforms"         ? &out.platforms
                                           : key == "disabled_checks" ? &out.disabled_checks
                                           : key == "dim_args_spec"   ? &out.dim_args_spec
                                                                      : nullptr;
    if (list) list->clear();
    ForEachField(f.bytes, [&](const WireField& value) {
      if (value.number != field::kMapEntryValue || !value.has_length) return;
      ForEachField(value.bytes, [&](const WireField& g) {
        if (key == "version" && g.number == field::kAttrValueInt) out.version = g.varint;
        if (key == "has_token_input_output" && g.number == field::kAttrValueBool)
          out.has_tokens = g.varint != 0;
        if (key == "use_shardy_partitioner" && g.number == field::kAttrValueBool)
          out.uses_shardy = g.varint != 0;
        if (g.number != field::kAttrValueList || !g.has_length) return;
        ForEachField(g.bytes, [&](const WireField& h) {
          if (list && h.number == field::kAttrListStrings) list->emplace_back(h.bytes);
          if (key == "function_list" && h.number == field::kAttrListFunctions) out.has_functions = true;
        });
      });
    });
  });
  return out;
}

void AddField(std::string* message, uint32_t number, std::string_view bytes) {
  protozero::pbf_writer(*message).add_bytes(number, bytes.data(), bytes.size());
}

std::string AttrEntry(std::string_view key, std::string_view value) {
  std::string entry;
  AddField(&entry, field::kMapEntryKey, key);
  AddField(&entry, field::kMapEntryValue, value);
  return entry;
}

std::string NumberEntry(std::string_view key, uint64_t number) {
  std::string value;
  protozero::pbf_writer(value).add_uint64(field::kAttrValueInt, number);
  return AttrEntry(key, value);
}

std::string ListEntry(std::string_view key, const std::vector<std::string>& items) {
  std::string list, value;
  for (const std::string& item : items) AddField(&list, field::kAttrListStrings, item);
  AddField(&value, field::kAttrValueList, list);
  return AttrEntry(key, value);
}

// --- Programs --------------------------------------------------------------------------------------------

// The properties of a program that versions treat differently.
struct ProgramFacts {
  bool is_artifact = false;
  bool uses_sdy = false, calls_functions = false, has_assertions = false;
  bool states_polymorphism = false, has_dynamic_arguments = false;
  size_t tokens = 0;
  bool token_first = false;
};

const Op* MainOf(const Module& m) {
  for (uint32_t i = 1; i < m.ops.size(); ++i)
    if (m.SymbolOf(m.ops[i]) == "main" && m.NameOf(m.ops[i]) == "func.func") return &m.ops[i];
  return nullptr;
}

bool IsAssertion(const Module& m, const Op& op) {
  std::string_view target;
  return m.NameOf(op) == "stablehlo.custom_call" && m.NumResults(op) == 0 &&
         m.AsString(m.InherentAttrOf(op, "call_target_name"), &target) && target == "shape_assertion";
}

ProgramFacts FactsOf(std::string_view bytes, const Program& program) {
  const Module& m = program.module;
  ProgramFacts facts;
  facts.is_artifact = program.source.portable;
  // Names of ops and attributes are in an artifact as they are.
  facts.uses_sdy = bytes.find("sdy") != bytes.npos;
  bool stated = false;
  facts.states_polymorphism = m.AsBool(m.AttributeOf(m.ops[m.top.v], kUsesPolymorphism), &stated) && stated;
  for (uint32_t i = 1; i < m.ops.size(); ++i) {
    std::string_view target;
    if (m.NameOf(m.ops[i]) != "stablehlo.custom_call" ||
        !m.AsString(m.InherentAttrOf(m.ops[i], "call_target_name"), &target))
      continue;
    facts.has_assertions |= IsAssertion(m, m.ops[i]);
    facts.calls_functions |= target == "tf.call_tf_function";
  }
  const Op* const main = MainOf(m);
  if (!main || m.RegionsOf(*main).empty() || m.BlocksOf(m.RegionsOf(*main)[0]).empty()) return facts;
  const BlockId entry = m.BlocksOf(m.RegionsOf(*main)[0])[0];
  for (uint32_t i = 0; i < m.blocks[entry.v].args.count; ++i) {
    const TypeId type = m.TypeOf(m.ArgOf(entry, i));
    const bool token = m.types.KindOf(type) == TypeKind::kToken;
    facts.tokens += token;
    facts.token_first |= token && i == 0;
    const ShapedType shaped(m, type);
    facts.has_dynamic_arguments |= std::ranges::find(shaped.shape, kDynamic) != shaped.shape.end();
  }
  return facts;
}

Result<std::string> ArtifactOf(const Program& program) {
  WriteOptions options;
  options.format = Format::kMlirBytecode;
  return WriteProgram(program, options);
}

// Leaves out assertions on shapes.
Module WithoutAssertions(Module module) {
  ModuleEditor editor(std::move(module));
  for (const OpId op : editor.Ops())
    if (editor.Has(op) && IsAssertion(editor.module(), editor[op])) editor.Erase(op);
  return std::move(editor).Finish();
}

// --- A node ----------------------------------------------------------------------------------------------

class Adapter {
 public:
  Adapter(const ModuleNode& node, std::string_view program, const ContainerWriteOptions& options)
      : node_(node), program_(program), options_(options) {}

  Result<std::string> Run() {
    CallAttributes attrs = AttributesOf(node_.attributes);
    const auto target = TargetOf(options_.container_version, attrs.version);
    if (!target)
      return Error(
          Code::kUsage,
          StrFormat("'{}' is neither a version of XlaCallModule nor a release of TensorFlow that has it",
                    options_.container_version),
          FileOnly(options_),
          StrFormat("pass a version from {} to {}, or a release from {} on", kArtifacts, kNewest,
                    kTensorflow[0].first));
    ReadOptions read;
    read.source_name = options_.source_name;
    read.limits = options_.limits;
    auto program = SHLO_TRY(ReadProgram(program_, nullptr, read));
    facts_ = FactsOf(program_, program);
    if (*target != attrs.version) FindBlockers(attrs, *target);
    if (!blockers_.empty()) return tl::unexpected(std::move(blockers_));
    std::optional<Program> changed;
    if (attrs.version < kPolymorphism && *target >= kPolymorphism && facts_.has_dynamic_arguments &&
        !facts_.states_polymorphism) {
      changed = std::move(program);
      // Its shapes are to be refined.
      Module& m = changed->module;
      m.SetAttr(m.top, kUsesPolymorphism, m.Bool(true));
    } else if (attrs.version >= kChecks && *target < kChecks && facts_.has_assertions) {
      // They are disabled. TensorFlow 2.13, which loads these versions, takes them for calls.
      changed = std::move(program);
      changed->module = WithoutAssertions(std::move(changed->module));
    }
    std::string artifact;
    if (changed) {
      artifact = SHLO_TRY(ArtifactOf(*changed));
      program_ = artifact;
    }
    Change(&attrs, *target);
    return Write(attrs, *target);
  }

 private:
  void Block(uint64_t version, std::string what, std::string hint = {}) {
    blockers_.push_back(
        Error(Code::kBlocked,
              StrFormat("version {} of XlaCallModule does not have {}, in '{}'", version, what, node_.name),
              FileOnly(options_), std::move(hint))
            .value()[0]);
  }

  void FindBlockers(const CallAttributes& attrs, uint64_t target) {
    const auto leaves = [&](uint64_t began) { return attrs.version >= began && target < began; };
    if (target < kArtifacts)
      Block(target, "a program format that any release promises to read",
            StrFormat("pass {} or newer", kArtifacts));
    else if (!facts_.is_artifact)
      Block(target, "programs other than portable artifacts", "pass --target=V to write one");
    if (target < kShardy && (attrs.uses_shardy || facts_.uses_sdy))
      Block(target, "shardings of Shardy", "export the model with jax_use_shardy_partitioner=False");
    const bool token_in_front =
        facts_.tokens == 1 && facts_.token_first && attrs.has_tokens && target >= kChecks;
    if (target < kTokens && facts_.tokens && !token_in_front) Block(target, "the tokens of ordered effects");
    const bool checks_assertions = !Disables(attrs, kShapeAssertions);
    if (leaves(kAssertions) && facts_.has_assertions && checks_assertions)
      Block(target, "checked assertions on shapes",
            "export the model with the check 'shape_assertions' disabled");
    if (leaves(kChecks) && Disables(attrs, kPlatform) && attrs.platforms.size() > 1)
      Block(target, "several platforms without their check");
    if (target < kChecks && (attrs.has_functions || facts_.calls_functions))
      Block(target, "calls of TensorFlow functions");
    if (target >= kTokens && !attrs.dim_args_spec.empty())
      Block(target, "arguments for the sizes of dimensions (dim_args_spec)",
            "export the model with a newer jax");
  }

  static bool Disables(const CallAttributes& attrs, std::string_view check) {
    return std::ranges::find(attrs.disabled_checks, check) != attrs.disabled_checks.end();
  }

  void Change(CallAttributes* attrs, uint64_t target) const {
    if (attrs->version >= kChecks && target < kChecks) {
      // A check that a version does not have needs no list. Without platforms, any platform will do.
      if (Disables(*attrs, kPlatform)) attrs->platforms.clear();
      attrs->disabled_checks.clear();
    }
    if (attrs->version < kChecks && target >= kChecks && attrs->platforms.empty()) {
      attrs->platforms.push_back("CPU");
      attrs->disabled_checks.emplace_back(kPlatform);
    }
    if (attrs->version < kAssertions && target >= kAssertions && facts_.has_assertions &&
        !Disables(*attrs, kShapeAssertions))
      attrs->disabled_checks.emplace_back(kShapeAssertions);
  }

  // Writes the node: its fields in their order, with other attributes. Those that versions lack are at their
  // default by now, and releases refuse nodes with attributes that they do not know.
  std::string Write(const CallAttributes& attrs, uint64_t target) const {
    std::vector<std::pair<std::string_view, std::string>> changed;
    changed.emplace_back("version", NumberEntry("version", target));
    const auto list = [&](std::string_view key, const std::vector<std::string>& items) {
      changed.emplace_back(key, items.empty() ? "" : ListEntry(key, items));
    };
    list("platforms", attrs.platforms);
    list("disabled_checks", attrs.disabled_checks);
    if (target < kShardy) changed.emplace_back("use_shardy_partitioner", "");
    if (!attrs.has_tokens) changed.emplace_back("has_token_input_output", "");
    if (target < kChecks) changed.emplace_back("function_list", "");
    std::string out;
    ForEachField(node_.attributes, [&](const WireField& f) {
      if (f.number != field::kNodeAttrs || !f.has_length) {
        out += f.raw;
        return;
      }
      const std::string_view key = KeyOf(f.bytes);
      if (key == "module")
        AddField(&out, field::kNodeAttrs, ModuleEntry(f.bytes));
      else if (std::ranges::find(changed, key, &std::pair<std::string_view, std::string>::first) ==
               changed.end())
        out += f.raw;
    });
    for (const auto& [key, entry] : changed)
      if (!entry.empty()) AddField(&out, field::kNodeAttrs, entry);
    return out;
  }

  // Returns the attribute with the new program; all other fields of its messages stay.
  std::string ModuleEntry(std::string_view entry) const {
    std::string out;
    ForEachField(entry, [&](const WireField& f) {
      if (f.number != field::kMapEntryValue || !f.has_length) {
        out += f.raw;
        return;
      }
      std::string value;
      ForEachField(f.bytes, [&](const WireField& g) {
        if (g.number == field::kAttrValueString && g.has_length)
          AddField(&value, g.number, program_);
        else
          value += g.raw;
      });
      AddField(&out, f.number, value);
    });
    return out;
  }

  const ModuleNode& node_;
  std::string_view program_;
  const ContainerWriteOptions& options_;
  ProgramFacts facts_;
  Diagnostics blockers_;
};

}  // namespace

std::string ReadingTensorflow(uint64_t version) {
  const TensorflowReleases *first = nullptr, *last = nullptr;
  for (const TensorflowReleases& releases : kTensorflow) {
    if (version < releases.minimum || version > releases.maximum) continue;
    if (!first) first = &releases;
    last = &releases;
  }
  if (!first) return "";
  if (last->last.empty()) return StrFormat("{} and later", first->first);
  return first->first == last->last ? std::string(first->first)
                                    : StrFormat("{} to {}", first->first, last->last);
}

Result<std::string> AdaptNode(const ModuleNode& node, std::string_view program,
                              const ContainerWriteOptions& options) {
  return Adapter(node, program, options).Run();
}

}  // namespace shlo::container
