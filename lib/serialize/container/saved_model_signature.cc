// Describes SavedModels in words.
#include "base/format.h"
#include "serialize/container/call_module.h"
#include "serialize/container/calling_convention.h"
#include "serialize/container/saved_model.h"
#include "serialize/container/saved_model_fields.h"
#include "serialize/container/wire.h"
#include "serialize/varint.h"

namespace shlo::container {
namespace {

// TensorFlow's DataType, by number.
constexpr std::string_view kTypes[] = {
    "unknown",    "f32",          "f64",     "i32",    "ui8",          "i16",        "i8",
    "string",     "complex<f32>", "i64",     "i1",     "qint8",        "quint8",     "qint32",
    "bf16",       "qint16",       "quint16", "ui16",   "complex<f64>", "f16",        "resource",
    "variant",    "ui32",         "ui64",    "f8E5M2", "f8E4M3FN",     "f8E4M3FNUZ", "f8E4M3B11FNUZ",
    "f8E5M2FNUZ", "i4",           "ui4",     "i2",     "ui2"};

std::string TypeName(uint64_t type) {
  return std::string(type < std::size(kTypes) ? kTypes[type] : kTypes[0]);
}

// Reads a map entry.
struct Entry {
  std::string_view key, value;
};
Entry EntryOf(std::string_view message) {
  Entry entry;
  ForEachField(message, [&](const WireField& f) {
    if (f.number == field::kMapEntryKey) entry.key = f.bytes;
    if (f.number == field::kMapEntryValue) entry.value = f.bytes;
  });
  return entry;
}

void ReadShape(std::string_view message, SignatureValue* value) {
  ForEachField(message, [&](const WireField& f) {
    if (f.number == field::kShapeUnknownRank && f.varint) value->ranked = false;
    if (f.number != field::kShapeDims || !f.has_length) return;
    int64_t size = 0;
    ForEachField(f.bytes, [&](const WireField& g) {
      if (g.number == field::kDimSize) size = int64_t(g.varint);
    });
    value->shape.push_back(size < 0 ? "?" : StrFormat("{}", size));
  });
}

// Calls visit(number) for a repeated number, packed or not.
template <typename Visit>
void ForEachNumber(const WireField& f, Visit visit) {
  if (!f.has_length) return visit(f.varint);
  Cursor cursor(f.bytes);
  while (cursor.left()) {
    const uint64_t number = cursor.Varint();
    if (cursor.ok()) visit(number);
  }
}

// Values of one attribute.
struct AttrValue {
  uint64_t number = 0;
  std::vector<std::string> strings, types, functions;
  std::vector<SignatureValue> shapes;
};
AttrValue ReadAttr(std::string_view message) {
  AttrValue value;
  ForEachField(message, [&](const WireField& f) {
    if (f.number == field::kAttrValueInt || f.number == field::kAttrValueBool) value.number = f.varint;
    if (f.number != field::kAttrValueList || !f.has_length) return;
    ForEachField(f.bytes, [&](const WireField& g) {
      if (g.number == field::kAttrListStrings) value.strings.emplace_back(g.bytes);
      if (g.number == field::kAttrListTypes)
        ForEachNumber(g, [&](uint64_t type) { value.types.push_back(TypeName(type)); });
      if (g.number == field::kAttrListShapes) ReadShape(g.bytes, &value.shapes.emplace_back());
      if (g.number == field::kAttrListFunctions)
        ForEachField(g.bytes, [&](const WireField& h) {
          if (h.number == field::kNamedAttrsName) value.functions.emplace_back(h.bytes);
        });
    });
  });
  return value;
}

std::vector<ContainerProperty> PropertiesOf(const ModuleNode& node) {
  uint64_t version = 0;
  bool shardy = false, tokens = false;
  AttrValue platforms, checks, functions, types, shapes;
  ForEachField(node.attributes, [&](const WireField& f) {
    if (f.number != field::kNodeAttrs) return;
    const Entry entry = EntryOf(f.bytes);
    const auto is = [&](std::string_view name) { return entry.key == name; };
    if (is("version")) version = ReadAttr(entry.value).number;
    if (is("use_shardy_partitioner")) shardy = ReadAttr(entry.value).number;
    if (is("has_token_input_output")) tokens = ReadAttr(entry.value).number;
    if (is("platforms")) platforms = ReadAttr(entry.value);
    if (is("disabled_checks")) checks = ReadAttr(entry.value);
    if (is("function_list")) functions = ReadAttr(entry.value);
    if (is("Tout")) types = ReadAttr(entry.value);
    if (is("Sout")) shapes = ReadAttr(entry.value);
  });
  std::vector<ContainerProperty> all;
  all.push_back({"calling_convention_version", {StrFormat("{}", version)}});
  if (const std::string_view text = CallingConventionText(version); !text.empty())
    all.push_back({"calling_convention_adds", {std::string(text)}});
  if (const std::string releases = ReadingTensorflow(version); !releases.empty())
    all.push_back({"read_by_tensorflow", {releases}});
  const auto add = [&](const char* name, std::vector<std::string> values) {
    if (!values.empty()) all.push_back({name, std::move(values), true});
  };
  add("platforms", platforms.strings);
  std::vector<std::string> results;
  for (size_t i = 0; i < types.types.size() && i < shapes.shapes.size(); ++i) {
    shapes.shapes[i].element_type = types.types[i];
    results.push_back(TypeText(shapes.shapes[i]));
  }
  add("results", std::move(results));
  add("functions", functions.functions);
  add("disabled_checks", checks.strings);
  if (tokens) all.push_back({"has_token_input_output", {"true"}});
  if (shardy) all.push_back({"use_shardy_partitioner", {"true"}});
  return all;
}

SignatureValue ReadTensorInfo(const Entry& entry) {
  SignatureValue value;
  value.path = entry.key;
  value.element_type = kTypes[0];
  ForEachField(entry.value, [&](const WireField& f) {
    if (f.number == field::kTensorInfoType) value.element_type = TypeName(f.varint);
    if (f.number == field::kTensorInfoShape) ReadShape(f.bytes, &value);
  });
  return value;
}

}  // namespace

ContainerInfo DescribeSavedModel(const SavedModel& model) {
  ContainerInfo info;
  info.format = Format::kSavedModel;
  for (const std::string_view graph : model.meta_graphs) {
    std::vector<std::string> tags;
    std::string_view version;
    std::vector<Signature> signatures;
    ForEachField(graph, [&](const WireField& f) {
      if (f.number == field::kMetaGraphMetaInfo)
        ForEachField(f.bytes, [&](const WireField& g) {
          if (g.number == field::kMetaInfoTags) tags.emplace_back(g.bytes);
          if (g.number == field::kMetaInfoTensorflowVersion) version = g.bytes;
        });
      if (f.number != field::kMetaGraphSignatures) return;
      const Entry entry = EntryOf(f.bytes);
      // An entry that TensorFlow adds to keep the graph's initializer.
      if (entry.key == "__saved_model_init_op") return;
      Signature& signature = signatures.emplace_back();
      signature.name = entry.key;
      ForEachField(entry.value, [&](const WireField& g) {
        if (g.number == field::kSignatureDefInputs)
          signature.inputs.push_back(ReadTensorInfo(EntryOf(g.bytes)));
        if (g.number == field::kSignatureDefOutputs)
          signature.outputs.push_back(ReadTensorInfo(EntryOf(g.bytes)));
      });
    });
    info.properties.push_back({"tags", std::move(tags), true});
    info.properties.push_back({"tensorflow_version", {std::string(version)}});
    for (Signature& signature : signatures) info.signatures.push_back(std::move(signature));
  }
  for (const ModuleNode& node : model.nodes) info.programs.emplace_back(node.name, PropertiesOf(node));
  return info;
}

}  // namespace shlo::container
