#include "serialize/container/foreign_formats.h"

#include <cstdint>
#include <cstring>

#include "serialize/container/wire.h"

namespace shlo::container {
namespace {

bool StartsWithText(std::string_view bytes, std::string_view word) {
  const size_t at = bytes.find_first_not_of(" \t\r\n");
  return at != std::string_view::npos && bytes.substr(at).starts_with(word);
}

// A header of JSON, after its length.
bool IsSafetensors(std::string_view bytes) {
  uint64_t size;
  if (bytes.size() < 10) return false;
  std::memcpy(&size, bytes.data(), sizeof size);
  return size >= 2 && size <= bytes.size() - 8 && bytes[8] == '{' && (bytes[9] == '"' || bytes[9] == '}');
}

// Protobuf files have no magic number. Their fields tell them apart, by number and type; a text, or anything
// else, is not a message from its first byte to its last.
struct Fields {
  bool valid = false;
  uint32_t seen = 0;     // bit i: field i
  uint32_t strings = 0;  // bit i: field i has a length
  uint64_t first = 0;    // the number in field 1
  std::string_view first_bytes;
};
Fields FieldsOf(std::string_view bytes) {
  Fields fields;
  fields.valid = !bytes.empty() && ForEachField(bytes, [&](const WireField& f) {
    if (f.number >= 32) return;
    fields.seen |= 1u << f.number;
    if (f.has_length) fields.strings |= 1u << f.number;
    if (f.number == 1) fields.first = f.varint;
    if (f.number == 1) fields.first_bytes = f.bytes;
  });
  return fields;
}

// ir_version = 1, producer_name = 2, graph = 7, opset_import = 8.
bool IsOnnx(std::string_view bytes) {
  if (!bytes.starts_with('\x08')) return false;
  const Fields f = FieldsOf(bytes);
  return f.valid && f.first >= 1 && f.first < 100 && (f.strings >> 7 & 1) && (f.strings >> 8 & 1);
}

// name = 1, entry_computation_name = 2, computations = 3, host_program_shape = 4, id = 5.
bool IsHloModule(std::string_view bytes) {
  if (!bytes.starts_with('\x0a')) return false;
  const Fields f = FieldsOf(bytes);
  return f.valid && (f.strings & 0b1110) == 0b1110 && (f.seen >> 5 & 1) && !(f.strings >> 5 & 1);
}

// hlo_module = 1.
bool IsHlo(std::string_view bytes) {
  if (!bytes.starts_with('\x0a')) return false;
  const Fields f = FieldsOf(bytes);
  return f.valid && IsHloModule(f.first_bytes);
}

// node = 1, library = 2, versions = 4. The first node has a name and an op.
bool IsGraphDef(std::string_view bytes) {
  if (!bytes.starts_with('\x0a')) return false;
  const Fields f = FieldsOf(bytes);
  if (!f.valid || !(f.strings >> 4 & 1) || (f.seen & ~0b110110u)) return false;
  const Fields node = FieldsOf(f.first_bytes);
  return node.valid && (node.strings & 0b110) == 0b110;
}

bool IsPickle(std::string_view bytes) {
  // Protocols 2 to 5 begin with their number and end with a stop.
  return bytes.size() > 3 && bytes[0] == '\x80' && bytes[1] >= 2 && bytes[1] <= 5 && bytes.back() == '.';
}

bool IsSavedModelText(std::string_view bytes) { return StartsWithText(bytes, "saved_model_schema_version"); }
bool IsHloText(std::string_view bytes) { return StartsWithText(bytes, "HloModule "); }

// Signatures, the more specific first: the bytes at an offset, or a function.
struct FormatSignature {
  ForeignFormat format;
  std::string_view magic;
  size_t offset = 0;
  bool (*accepts)(std::string_view) = nullptr;
};

using namespace std::string_view_literals;
constexpr std::string_view kUnpack = "unpack it first";
constexpr std::string_view kExportJax = "export the function with jax.export, and pass that file";
constexpr std::string_view kArrays = "pass arrays to 'shlo-compat eval' with --args or --inputs";
constexpr std::string_view kNotAProgram = "pass MLIR text, MLIR bytecode, a .shlo archive, or a container";

constexpr FormatSignature kSignatures[] = {
    {{"text with a UTF-8 byte order mark, which MLIR refuses", "save it as UTF-8 without a byte order mark"},
     "\xef\xbb\xbf"},
    {{"text in UTF-32", "save it as UTF-8"}, "\xff\xfe\0\0"sv},
    {{"text in UTF-16", "save it as UTF-8"}, "\xff\xfe"},
    {{"text in UTF-16", "save it as UTF-8"}, "\xfe\xff"},
    {{"text in UTF-16", "save it as UTF-8"}, "\0m\0o\0d\0u"sv},
    {{"text in UTF-16", "save it as UTF-8"}, "m\0o\0d\0u\0"sv},
    {{"a gzip archive", kUnpack}, "\x1f\x8b"},
    {{"a zstd archive", kUnpack}, "\x28\xb5\x2f\xfd"},
    {{"a bzip2 archive", kUnpack}, "BZh"},
    {{"an xz archive", kUnpack},
     "\xfd"
     "7zXZ\0"sv},
    {{"a tar archive", kUnpack}, "ustar", 257},
    {{"a 7z archive", kUnpack}, "7z\xbc\xaf\x27\x1c"},
    {{"a zip archive (also .npz, .keras, .pt and .pt2)",
      "pass an .npz to 'shlo-compat eval' with --inputs; export models to StableHLO first"},
     "PK\x03\x04"},
    {{"an empty zip archive", kNotAProgram}, "PK\x05\x06"},
    {{"a NumPy array", kArrays}, "\x93NUMPY"},
    {{"a safetensors file", kArrays}, "", 0, IsSafetensors},
    {{"an HDF5 file (also .h5 models of Keras)", "export the model to StableHLO first"}, "\x89HDF\r\n\x1a\n"},
    {{"a Python pickle (also .pkl and old .pt)", "export the model to StableHLO first"}, "", 0, IsPickle},
    {{"a TensorFlow Lite model",
      "export the original model to StableHLO; TensorFlow Lite cannot be converted back"},
     "TFL3",
     4},
    {{"an ONNX Runtime model", "export the original model to StableHLO"}, "ORTM", 4},
    {{"a GGUF file, which has weights but no program", kNotAProgram}, "GGUF"},
    {{"an ONNX model", "convert it to StableHLO first, or export the original model"}, "", 0, IsOnnx},
    {{"an HLO module (protobuf)", kExportJax}, "", 0, IsHloModule},
    {{"an HLO module (protobuf)", kExportJax}, "", 0, IsHlo},
    {{"HLO text", kExportJax}, "", 0, IsHloText},
    {{"a TensorFlow graph", "save the model as a SavedModel, and pass its folder"}, "", 0, IsGraphDef},
    {{"a SavedModel in text form", "save the model in binary form (as_text=False)"}, "", 0, IsSavedModelText},
    {{"LLVM bitcode", "pass the StableHLO that it was compiled from"}, "BC\xc0\xde"},
    {{"LLVM bitcode", "pass the StableHLO that it was compiled from"}, "\xde\xc0\x17\x0b"},
    {{"an ELF binary", "pass the StableHLO that it was compiled from"},
     "\x7f"
     "ELF"},
    {{"a Mach-O binary", "pass the StableHLO that it was compiled from"}, "\xcf\xfa\xed\xfe"},
    {{"a PNG image", kNotAProgram}, "\x89PNG"},
    {{"a JPEG image", kNotAProgram}, "\xff\xd8\xff"},
    {{"a PDF document", kNotAProgram}, "%PDF-"},
};

}  // namespace

const ForeignFormat* DetectForeignFormat(std::string_view bytes) {
  for (const FormatSignature& signature : kSignatures) {
    const bool matches = signature.accepts ? signature.accepts(bytes)
                                           : bytes.size() >= signature.offset &&
                                                 bytes.substr(signature.offset).starts_with(signature.magic);
    if (matches) return &signature.format;
  }
  return nullptr;
}

}  // namespace shlo::container
