#include "serialize/container/jax_releases.h"

#include <algorithm>
#include <array>
#include <charconv>

#include "base/format.h"
#include "base/stack.h"
#include "jax_export_generated.h"
#include "serialize/container/hlo_sharding.h"

namespace shlo::container {
namespace {

using namespace jax_export;

struct Releases {
  std::string_view first;
  std::string_view last;  // empty: all later ones
  uint32_t serialization;
  uint32_t calling_convention;
  int element_type;  // the last one known
};
constexpr Releases kReleases[] = {
#define JAX_RELEASES(first, last, serialization, calling, element) \
  {first, last, serialization, calling, element},
#include "schema/jax_releases.inc"
#undef JAX_RELEASES
};

// Serialization versions with which releases began to read something.
constexpr uint32_t kCustomNodes = 3;
constexpr uint32_t kLongDeviceCount = 5;
constexpr uint32_t kMemorySpaces = 5;
constexpr uint32_t kNamedShardings = 6;
constexpr uint32_t kIndices = 10;
constexpr uint32_t kTrueVersion = 12;  // writes the number itself, and refuses what is older than 5

// The number in a file of this serialization version.
uint16_t StoredVersion(uint32_t version) {
  if (version >= kTrueVersion) return uint16_t(version);
  return version >= kLongDeviceCount ? 3 : version == 1 ? 1 : 2;
}

using ReleaseNumber = std::array<uint32_t, 4>;
bool ParseRelease(std::string_view text, ReleaseNumber* out) {
  *out = {};
  for (uint32_t& part : *out) {
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), part);
    if (error != std::errc()) return false;
    text.remove_prefix(size_t(end - text.data()));
    if (text.empty()) return true;
    if (text[0] != '.') return false;
    text.remove_prefix(1);
  }
  return false;
}

// Finds releases by one of them ("0.8.1"), or the newest that write a serialization version ("4").
const Releases* FindReleases(std::string_view text) {
  if (text.starts_with("jax==")) text.remove_prefix(5);
  ReleaseNumber wanted, first;
  if (!ParseRelease(text, &wanted)) return nullptr;
  const bool is_release = text.find('.') != std::string_view::npos;
  const Releases* found = nullptr;
  for (const Releases& releases : kReleases) {
    const bool fits = is_release
                          ? ParseRelease(releases.first, &first) && first[0] == wanted[0] && first <= wanted
                          : releases.serialization == wanted[0];
    if (fits) found = &releases;
  }
  return found;
}

template <typename Visit>
void ForEachFunction(const FlatTable& exported, Visit visit) {
  for (const FlatTable* f = &exported; f; f = f->GetTable(Exported::VT_VJP)) visit(*f);
}

bool HasCustomNode(const FlatTable& tree) {
  CheckStack();
  if (tree.Get<int8_t>(Tree::VT_KIND) == TreeKind_custom) return true;
  const auto children = tree.GetTables(Tree::VT_CHILDREN);
  return std::any_of(children.begin(), children.end(), HasCustomNode);
}

// The slots of inputs, or of outputs.
struct ValueSlots {
  std::string_view name;
  flatbuffers::voffset_t values, indices, shardings, sharding_indices;
};
constexpr ValueSlots kValueSlots[] = {
    {"input", Exported::VT_INPUTS, Exported::VT_INPUT_INDICES, Exported::VT_IN_SHARDINGS,
     Exported::VT_IN_SHARDING_INDICES},
    {"output", Exported::VT_OUTPUTS, Exported::VT_OUTPUT_INDICES, Exported::VT_OUT_SHARDINGS,
     Exported::VT_OUT_SHARDING_INDICES},
};

size_t CountOf(const FlatTable& table, flatbuffers::voffset_t slot) {
  const FlatField* field = table.Find(slot);
  return field ? std::max(field->tables.size(), field->bytes.size() / sizeof(uint32_t)) : 0;
}

uint32_t IndexAt(const FlatTable& table, flatbuffers::voffset_t slot, size_t i) {
  uint32_t index;
  std::memcpy(&index, table.Find(slot)->bytes.data() + i * sizeof index, sizeof index);
  return index;
}

std::string RangeOf(const Releases& first, const Releases& last) {
  if (last.last.empty()) return StrFormat("{} and later", first.first);
  return first.first == last.last ? std::string(first.first) : StrFormat("{} to {}", first.first, last.last);
}

// Returns the range of all releases for which `is` holds, which must be neighbors.
template <typename Is>
std::string RangeWhere(Is is) {
  const Releases* first = nullptr;
  const Releases* last = nullptr;
  for (const Releases& releases : kReleases) {
    if (!is(releases)) continue;
    if (!first) first = &releases;
    last = &releases;
  }
  return first ? RangeOf(*first, *last) : "";
}

// Calling convention 10 means that a program may state shardings as Shardy does. Op and attribute names are
// in a portable artifact as they are, so a program without these letters has none.
bool HasShardy(const FlatTable& function) {
  return function.GetString(Exported::VT_PROGRAM).find("sdy") != std::string_view::npos;
}
constexpr uint16_t kShardyConvention = 10;

// Collects what releases cannot read of an exported function, each reason once.
class Blockers {
 public:
  explicit Blockers(const Releases& releases) : releases_(releases) {}

  std::vector<std::string> Of(const FlatTable& exported) {
    CheckStored(exported);
    ForEachFunction(exported, [&](const FlatTable& function) { CheckFunction(function); });
    return std::move(reasons_);
  }

 private:
  uint32_t version() const { return releases_.serialization; }
  void Add(std::string reason) {
    if (std::find(reasons_.begin(), reasons_.end(), reason) == reasons_.end())
      reasons_.push_back(std::move(reason));
  }

  void CheckStored(const FlatTable& exported) {
    const auto stored = exported.Get<uint16_t>(Exported::VT_SERIALIZATION_VERSION);
    const bool read = version() == 1   ? stored == 1
                      : version() == 2 ? stored == 2
                                       : stored == 2 || stored == 3 || version() >= kLongDeviceCount;
    if (!read) Add(StrFormat("serialization version {}", stored));
  }

  void CheckFunction(const FlatTable& function) {
    for (const auto slot : {Exported::VT_IN_TREE, Exported::VT_OUT_TREE})
      if (const FlatTable* tree = function.GetTable(slot);
          tree && version() < kCustomNodes && HasCustomNode(*tree))
        Add("custom nodes in its trees");
    const auto devices = function.Get<uint32_t>(Exported::VT_DEVICES);
    const auto devices_short = function.Get<int16_t>(Exported::VT_DEVICES_SHORT);
    if (version() < kLongDeviceCount && devices_short == 0 && devices != 0) Add(Count(devices, "device"));
    if (version() >= kTrueVersion && devices == 0 && devices_short != 0) Add("a 16-bit number of devices");
    const auto convention = function.Get<uint16_t>(Exported::VT_CALLING_CONVENTION_VERSION);
    if (releases_.calling_convention < kShardyConvention && convention >= kShardyConvention &&
        HasShardy(function))
      Add(StrFormat("shardings of Shardy (calling convention version {})", convention));
    for (const ValueSlots& slots : kValueSlots) CheckValues(function, slots);
  }

  void CheckValues(const FlatTable& function, const ValueSlots& slots) {
    if (version() < kIndices && CountOf(function, slots.indices) > CountOf(function, slots.values))
      Add(StrFormat("{}s by index", slots.name));
    if (version() < kIndices &&
        CountOf(function, slots.sharding_indices) > CountOf(function, slots.shardings))
      Add(StrFormat("shardings of {}s by index", slots.name));
    for (const auto list : {slots.values, flatbuffers::voffset_t(Exported::VT_VALUES)}) {
      for (const FlatTable& value : function.GetTables(list)) {
        const auto type = value.Get<int8_t>(jax_export::Value::VT_ELEMENT_TYPE);
        if (type > releases_.element_type) {
          const char* name = EnumNameElementType(ElementType(type));
          Add(*name ? StrFormat("element type {}", name) : StrFormat("element type number {}", type));
        }
        const auto memory = value.Get<int8_t>(jax_export::Value::VT_MEMORY_SPACE);
        if (version() < kMemorySpaces && memory > MemorySpace_device) Add("values in memory of the host");
      }
    }
    for (const FlatTable& sharding : function.GetTables(slots.shardings)) CheckSharding(function, sharding);
  }

  void CheckSharding(const FlatTable& function, const FlatTable& sharding) {
    const bool named = sharding.Find(Sharding::VT_NAMED), hlo = sharding.Find(Sharding::VT_HLO);
    const auto kind = sharding.Get<int8_t>(Sharding::VT_KIND);
    if (version() < kNamedShardings && named && !(hlo && kind == ShardingKind_hlo)) Add("named shardings");
    const bool by_index = CountOf(function, Exported::VT_SHARDINGS) != 0;
    if (version() >= kTrueVersion && hlo && !named && !by_index) Add("HLO shardings without names");
  }

  const Releases& releases_;
  std::vector<std::string> reasons_;
};

bool Reads(const Releases& releases, const FlatTable& exported) {
  return Blockers(releases).Of(exported).empty();
}

// Writes a list of values out that is only there as indices.
void ListValues(FlatTable* function, const ValueSlots& slots) {
  const auto values = function->GetTables(Exported::VT_VALUES);
  const size_t count = CountOf(*function, slots.indices);
  if (count <= CountOf(*function, slots.values)) return;
  std::vector<FlatTable> list;
  for (size_t i = 0; i < count; ++i) {
    const uint32_t index = IndexAt(*function, slots.indices, i);
    if (index >= values.size()) return;
    list.push_back(values[index]);
  }
  function->Add(slots.values)->tables = std::move(list);
}

void ListShardings(FlatTable* function, const ValueSlots& slots) {
  const auto named = function->GetTables(Exported::VT_SHARDINGS);
  const auto meshes = function->GetTables(Exported::VT_MESHES);
  const size_t count = CountOf(*function, slots.sharding_indices);
  if (count <= CountOf(*function, slots.shardings)) return;
  std::vector<FlatTable> list;
  for (size_t i = 0; i < count; ++i) {
    const uint32_t index = IndexAt(*function, slots.sharding_indices, i);
    FlatTable& sharding = list.emplace_back();
    sharding.type = ShardingTypeTable();
    if (index == 0) continue;
    if (index > named.size()) return;
    FlatTable full = named[index - 1];
    if (!full.Find(NamedSharding::VT_MESH)) {
      const auto mesh = full.Get<uint32_t>(NamedSharding::VT_MESH_INDEX);
      if (mesh >= meshes.size()) return;
      full.Add(NamedSharding::VT_MESH)->tables = {meshes[mesh]};
    }
    sharding.Add(Sharding::VT_NAMED)->tables.push_back(std::move(full));
  }
  function->Add(slots.shardings)->tables = std::move(list);
}

// Adds HLO shardings, and the kind that tells older releases to read them.
void AddHloShardings(FlatTable* function, const ValueSlots& slots, FlatStrings* strings) {
  FlatField* shardings = function->Find(slots.shardings);
  if (!shardings) return;
  const auto values = function->GetTables(slots.values);
  for (size_t i = 0; i < shardings->tables.size() && i < values.size(); ++i) {
    FlatTable& sharding = shardings->tables[i];
    const FlatTable* named = sharding.GetTable(Sharding::VT_NAMED);
    if (!named) continue;
    if (!sharding.Find(Sharding::VT_HLO)) {
      const FlatField* shape = values[i].Find(jax_export::Value::VT_SHAPE);
      const auto hlo = HloShardingOf(*named, shape ? shape->strings.size() : 0);
      if (!hlo) continue;
      sharding.Add(Sharding::VT_HLO)->bytes = strings->Keep(*hlo);
    }
    sharding.Add(Sharding::VT_KIND)->bytes = strings->KeepScalar(int8_t(ShardingKind_hlo));
  }
}

void AdaptFunction(const Releases& releases, FlatTable* function, FlatStrings* strings) {
  const auto stored = StoredVersion(releases.serialization);
  function->Add(Exported::VT_SERIALIZATION_VERSION)->bytes = strings->KeepScalar(stored);
  const auto devices = function->Get<uint32_t>(Exported::VT_DEVICES);
  const auto devices_short = function->Get<int16_t>(Exported::VT_DEVICES_SHORT);
  if (releases.serialization < kLongDeviceCount && devices > 0 && devices <= 0x7FFF)
    function->Add(Exported::VT_DEVICES_SHORT)->bytes = strings->KeepScalar(int16_t(devices));
  if (releases.serialization >= kLongDeviceCount && devices == 0 && devices_short > 0)
    function->Add(Exported::VT_DEVICES)->bytes = strings->KeepScalar(uint32_t(devices_short));
  const auto convention = function->Get<uint16_t>(Exported::VT_CALLING_CONVENTION_VERSION);
  if (convention == kShardyConvention && releases.calling_convention < convention && !HasShardy(*function))
    function->Add(Exported::VT_CALLING_CONVENTION_VERSION)->bytes =
        strings->KeepScalar(uint16_t(convention - 1));
  for (const ValueSlots& slots : kValueSlots) {
    if (releases.serialization < kIndices) ListValues(function, slots);
    if (releases.serialization < kIndices) ListShardings(function, slots);
    if (releases.serialization < kNamedShardings) AddHloShardings(function, slots, strings);
  }
}

}  // namespace

std::vector<std::string> ReadingReleases(const FlatTable& exported) {
  std::vector<std::string> ranges;
  const Releases* first = nullptr;
  const Releases* last = nullptr;
  for (const Releases& releases : kReleases) {
    if (Reads(releases, exported)) {
      if (!first) first = &releases;
      last = &releases;
    } else if (first) {
      ranges.push_back(RangeOf(*first, *last));
      first = nullptr;
    }
  }
  if (first) ranges.push_back(RangeOf(*first, *last));
  return ranges;
}

std::string WritingReleases(const FlatTable& exported) {
  const auto stored = exported.Get<uint16_t>(Exported::VT_SERIALIZATION_VERSION);
  const bool indices = exported.Find(Exported::VT_INPUT_INDICES) != nullptr;
  return RangeWhere([&](const Releases& releases) {
    return StoredVersion(releases.serialization) == stored && (releases.serialization >= kIndices) == indices;
  });
}

std::string CallingConventionReleases(uint32_t version) {
  return RangeWhere([&](const Releases& releases) { return releases.calling_convention == version; });
}

Result<void> AdaptToRelease(std::string_view release, FlatTable* exported, FlatStrings* strings,
                            const std::string& file) {
  const Releases* releases = FindReleases(release);
  if (!releases)
    return Error(
        Code::kUsage, StrFormat("'{}' is not a release of jax that has jax.export", release), {},
        StrFormat("pass a release from {} on, or a serialization version from {} to {}", kReleases[0].first,
                  kReleases[0].serialization, std::end(kReleases)[-1].serialization));
  for (FlatTable* f = exported; f;) {
    AdaptFunction(*releases, f, strings);
    FlatField* vjp = f->Find(Exported::VT_VJP);
    f = vjp ? &vjp->tables[0] : nullptr;
  }
  Diagnostics errors;
  Place place;
  place.file = file;
  for (const std::string& reason : Blockers(*releases).Of(*exported))
    errors.push_back(Error(Code::kBlocked,
                           StrFormat("jax {} cannot read {}", RangeOf(*releases, *releases), reason), place)
                         .value()[0]);
  if (!errors.empty()) return tl::unexpected(std::move(errors));
  return {};
}

}  // namespace shlo::container
