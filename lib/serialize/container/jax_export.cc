// Reads and writes jax.export files. schema/jax_export.fbs is the layout.
#include "serialize/container/jax_export.h"

#include <algorithm>
#include <cstring>

#include "base/format.h"
#include "base/try.h"
#include "serialize/container/formats.h"
#include "serialize/container/jax_releases.h"

namespace shlo::container {
namespace {

// Offsets in a FlatBuffers file are 32-bit, and the library asserts that they stay positive.
constexpr uint64_t kMaxFile = (uint64_t(1) << 31) - 64;

template <typename T>
T Load(std::string_view bytes, size_t at) {
  T value;
  std::memcpy(&value, bytes.data() + at, sizeof value);
  return value;
}

// Puts programs into a tree, the function's own first.
void SetPrograms(FlatTable* function, std::span<const std::string> programs) {
  for (const std::string& program : programs) {
    function->Add(Jax::VT_PROGRAM)->bytes = program;
    FlatField* vjp = function->Find(Jax::VT_VJP);
    if (!vjp) return;
    function = &vjp->tables[0];
  }
}

void SetShape(FlatTable* value, const SignatureValue& from, FlatStrings* strings) {
  if (from.shape.empty()) return;  // that of a scalar, which stays one
  std::vector<std::string_view> sizes;
  for (const std::string& size : from.shape) sizes.push_back(strings->Keep(size));
  value->Add(jax_export::Value::VT_SHAPE)->strings = std::move(sizes);
}

// Puts shapes into a tree, as SetPrograms does. Inputs and outputs that share a value may get different ones,
// so that each gets its own.
void SetShapes(FlatTable* function, std::span<const Signature> signatures, FlatStrings* strings) {
  for (const Signature& signature : signatures) {
    const FlatField* const shared = function->Find(Jax::VT_VALUES);
    const std::vector<FlatTable> before = shared ? shared->tables : std::vector<FlatTable>();
    std::vector<FlatTable> values;
    const auto set = [&](flatbuffers::voffset_t list, flatbuffers::voffset_t indices,
                         const std::vector<SignatureValue>& shapes) {
      if (FlatField* own = function->Find(list))
        for (size_t i = 0; i < std::min(own->tables.size(), shapes.size()); ++i)
          SetShape(&own->tables[i], shapes[i], strings);
      FlatField* const indexed = function->Find(indices);
      if (!indexed) return;
      std::string bytes;
      for (size_t i = 0; i < indexed->bytes.size() / 4; ++i) {
        const uint32_t old = Load<uint32_t>(indexed->bytes, 4 * i), fresh = uint32_t(values.size());
        if (old >= before.size()) return;
        values.push_back(before[old]);
        if (i < shapes.size()) SetShape(&values.back(), shapes[i], strings);
        bytes.append(reinterpret_cast<const char*>(&fresh), sizeof fresh);
      }
      indexed->bytes = strings->Keep(std::move(bytes));
    };
    set(Jax::VT_INPUTS, Jax::VT_INPUT_INDICES, signature.inputs);
    set(Jax::VT_OUTPUTS, Jax::VT_OUTPUT_INDICES, signature.outputs);
    if (!values.empty()) function->Add(Jax::VT_VALUES)->tables = std::move(values);
    function->Remove(Jax::VT_USES_GLOBAL_CONSTANTS);
    FlatField* vjp = function->Find(Jax::VT_VJP);
    if (!vjp) return;
    function = &vjp->tables[0];
  }
}

// Replaces programs in the bytes of a file that has fields of unknown types, which only stay valid where they
// are: a program that is not longer takes the place of the old one, another is added at the end.
std::string ReplaceInPlace(const JaxFile& file, std::span<const std::string> programs) {
  std::string out(file.bytes());
  const auto store = [&](size_t at, uint32_t value) { std::memcpy(out.data() + at, &value, sizeof value); };
  for (size_t i = 0; i < programs.size(); ++i) {
    const auto* table = reinterpret_cast<const flatbuffers::Table*>(file.functions()[i]);
    const std::string_view old = ProgramOf(file, file.functions()[i]);
    if (old == programs[i]) continue;
    const size_t start = size_t(old.data() - file.bytes().data());
    std::memset(out.data() + start, 0, old.size());
    if (programs[i].size() <= old.size()) {
      std::memcpy(out.data() + start, programs[i].data(), programs[i].size());
      store(start - 4, uint32_t(programs[i].size()));
      continue;
    }
    // The length precedes the program, which begins at a multiple of 16.
    while (out.size() % 16 != 12) out += '\0';
    const auto* field = table->GetAddressOf(Jax::VT_PROGRAM);
    const size_t at =
        size_t(file.InFile({reinterpret_cast<const char*>(field), 4}).data() - file.bytes().data());
    store(at, uint32_t(out.size() - at));
    out.append(4, '\0');
    store(out.size() - 4, uint32_t(programs[i].size()));
    out += programs[i];
  }
  while (out.size() % 4) out += '\0';
  return out;
}

// The verifier recurses into trees of arguments and gradients of functions, as does all that follows.
constexpr uint32_t kMostNesting = 100;

}  // namespace

Result<JaxFile> JaxFile::Open(std::string_view bytes, const ContainerOptions& options) {
  JaxFile file;
  file.bytes_ = file.aligned_ = bytes;
  if (bytes.size() > kMaxFile)
    return Error(Code::kLimit,
                 StrFormat("jax.export file of {} bytes; FlatBuffers end at 2 GiB", bytes.size()),
                 FileOnly(options));
  if (reinterpret_cast<uintptr_t>(bytes.data()) % alignof(uint64_t)) {
    file.copy_ = std::make_shared<std::vector<uint64_t>>(bytes.size() / 8 + 1);
    std::memcpy(file.copy_->data(), bytes.data(), bytes.size());
    file.aligned_ = {reinterpret_cast<const char*>(file.copy_->data()), bytes.size()};
  }
  // A table takes 4 bytes or more. More tables than that are the same ones again and again.
  flatbuffers::Verifier verifier(reinterpret_cast<const uint8_t*>(file.aligned_.data()), bytes.size(),
                                 std::min(options.limits.max_depth, kMostNesting),
                                 flatbuffers::uoffset_t(bytes.size() / 4));
  if (!jax_export::VerifyExportedBuffer(verifier))
    return Error(
        Code::kMalformed,
        "malformed jax.export file: an offset or a length is out of range, or its trees nest too deeply",
        FileOnly(options), "check that the file is complete, or export the function again");
  for (const Jax* function = file.root(); function; function = function->vjp()) {
    std::string name = function->function_name() ? function->function_name()->str() : "";
    if (name.empty()) name = "function";
    while (std::find(file.names_.begin(), file.names_.end(), name) != file.names_.end()) name += "_vjp";
    if (!function->program())
      return Error(Code::kMalformed, StrFormat("malformed jax.export file: '{}' has no program", name),
                   FileOnly(options));
    file.functions_.push_back(function);
    file.names_.push_back(std::move(name));
  }
  return file;
}

const Jax* JaxFile::root() const { return jax_export::GetExported(aligned_.data()); }

std::string_view JaxFile::InFile(std::string_view view) const {
  return bytes_.substr(size_t(view.data() - aligned_.data()), view.size());
}

std::string_view ProgramOf(const JaxFile& file, const Jax* function) {
  const auto* program = function->program();
  return file.InFile({reinterpret_cast<const char*>(program->Data()), program->size()});
}

Result<std::string> WriteJaxExport(const JaxFile& file, std::span<const std::string> programs,
                                   const ContainerWriteOptions& options) {
  uint64_t size = file.bytes().size();
  bool same = options.container_version.empty() && options.signatures.empty();
  for (size_t i = 0; i < programs.size(); ++i) {
    size += programs[i].size() + 64;
    same = same && programs[i] == ProgramOf(file, file.functions()[i]);
  }
  if (same) return std::string(file.bytes());
  if (size > kMaxFile)
    return Error(Code::kLimit, "the jax.export file exceeds 2 GiB, where FlatBuffers end", FileOnly(options),
                 "pass --extract to write the program alone");
  bool unknown = false;
  FlatTable root = ReadFlatTable(reinterpret_cast<const flatbuffers::Table*>(file.root()),
                                 jax_export::ExportedTypeTable(), &unknown);
  if (unknown && options.container_version.empty() && options.signatures.empty()) {
    std::string out = ReplaceInPlace(file, programs);
    auto again = JaxFile::Open(out, options);
    bool holds = again && again->functions().size() == programs.size();
    for (size_t i = 0; holds && i < programs.size(); ++i)
      holds = ProgramOf(*again, again->functions()[i]) == programs[i];
    if (holds) return out;
    return Error(Code::kMalformed, "malformed jax.export file: a program shares its bytes with other fields",
                 FileOnly(options), "export the function again");
  }
  if (unknown)
    return Error(Code::kBlocked, "the file has fields of a newer release of jax, which cannot be changed",
                 FileOnly(options), "export the function again with the release that must read it");
  SetPrograms(&root, programs);
  FlatStrings strings;
  SetShapes(&root, options.signatures, &strings);
  if (!options.container_version.empty()) {
    SHLO_TRY(AdaptToRelease(options.container_version, &root, &strings, options.source_name));
  }
  return WriteFlatFile(root);
}

}  // namespace shlo::container

namespace shlo {

// The slots of the root table that every release writes, whatever they hold, say what the file is: it has no
// magic number.
bool IsJaxExport(std::string_view bytes) {
  using container::Jax;
  const uint64_t size = bytes.size();
  if (size < 64) return false;
  const uint64_t root = container::Load<uint32_t>(bytes, 0);
  if (root % 4 || root + 4 > size) return false;
  const int64_t vtable = int64_t(root) - container::Load<int32_t>(bytes, root);
  if (vtable < 4 || uint64_t(vtable) + 4 > size) return false;
  const uint64_t vtable_size = container::Load<uint16_t>(bytes, vtable);
  const uint64_t table_size = container::Load<uint16_t>(bytes, vtable + 2);
  // Room for as many new fields as there are.
  constexpr uint64_t kMaxVtable = 2 * Jax::VT_JAX_VERSION;
  if (vtable_size % 2 || vtable_size <= Jax::VT_CALLING_CONVENTION_VERSION || vtable_size > kMaxVtable)
    return false;
  if (uint64_t(vtable) + vtable_size > size || root + table_size > size) return false;
  for (const auto slot :
       {Jax::VT_SERIALIZATION_VERSION, Jax::VT_FUNCTION_NAME, Jax::VT_IN_TREE, Jax::VT_OUT_TREE,
        Jax::VT_PLATFORMS, Jax::VT_PROGRAM, Jax::VT_CALLING_CONVENTION_VERSION}) {
    const uint64_t field = container::Load<uint16_t>(bytes, size_t(vtable) + slot);
    if (field < 4 || field + 2 > table_size) return false;
  }
  return true;
}

}  // namespace shlo
