// Types and attributes of a program.
#include <bit>

#include "base/format.h"
#include "base/printable.h"
#include "capi/internal.h"
#include "ir/module/node_words.h"
#include "ir/table/float_format.h"
#include "shlo/kinds.h"
#include "shlo/module.h"
#include "shlo/print.h"
#include "shlo/types.h"

namespace shlo::capi {
namespace {

// Each returns the id of a node of a program; none if there is no such node.
TypeId TypeOf(const shlo_program* program, shlo_type type) {
  return program && type && type < program->program.module.types.size() ? TypeId(type) : TypeId();
}
AttrId AttrOf(const shlo_program* program, shlo_attr attr) {
  return program && attr && attr < program->program.module.attrs.size() ? AttrId(attr) : AttrId();
}

// The rows that have no mnemonic.
std::string_view KindName(const KindRow& row) {
  if (!row.mnemonic.empty()) return row.mnemonic;
  return row.name == "kInteger" ? "integer" : "opaque";
}

// Returns a field of a node by index; 0 if there is none.
int PutField(const KindRow& row, std::span<const uint64_t> words, uint32_t i, shlo_field* out) {
  if (i >= row.fields().size()) return 0;
  const size_t at = FieldStarts(row.fields(), words)[i];
  const FieldRow& from = row.fields()[i];
  shlo_field field{};
  field.name = Str(from.name);
  // kOptAttr is an attribute that may be 0.
  constexpr shlo_field_kind kKinds[] = {
      SHLO_FIELD_INT,   SHLO_FIELD_FLOAT, SHLO_FIELD_STRING, SHLO_FIELD_TYPE,   SHLO_FIELD_ATTR,
      SHLO_FIELD_ATTR,  SHLO_FIELD_BYTES, SHLO_FIELD_INTS,   SHLO_FIELD_FLOATS, SHLO_FIELD_STRINGS,
      SHLO_FIELD_TYPES, SHLO_FIELD_ATTRS, SHLO_FIELD_NAMED};
  static_assert(std::size(kKinds) == size_t(FieldType::kNamed) + 1);
  field.kind = kKinds[size_t(from.type)];
  field.count = IsList(from.type) ? size_t(words[at]) : 1;
  field.words = words.data() + at + (IsList(from.type) ? 1 : 0);
  return Put(field, out);
}

// Returns the word of an item of a field that has one of two kinds; nullptr if it has not.
const uint64_t* WordOf(const shlo_field* field, size_t i, shlo_field_kind one, shlo_field_kind list) {
  if (!field || !field->words || i >= field->count || (field->kind != one && field->kind != list))
    return nullptr;
  return field->words + i;
}

struct Elements {
  TypeId type, element;
  const void* data = nullptr;
  uint64_t size = 0;
  bool splat = false;
};

Elements ElementsOf(const Module& m, AttrId attr) {
  const auto node = m.attrs[attr];
  const auto bytes = [&](TypeId type, TypeId element, PayloadId payload, bool splat) {
    const Payload p = m.payloads[payload];
    return Elements{type, element, p.data, p.size, splat};
  };
  if (const auto dense = node.As<ElementsAttr>())
    return bytes(dense->type, ElementOf(m, dense->type), dense->payload, dense->splat != 0);
  if (const auto array = node.As<DenseArrayAttr>()) return bytes({}, array->element, array->payload, false);
  if (const auto array = node.As<I64ArrayAttr>())
    return {{}, {}, array->values.data(), array->values.size_bytes(), false};
  if (const auto resource = node.As<ResourceElementsAttr>())
    for (const Resource& r : m.resources)
      if (r.key == resource->key)
        return bytes(resource->type, ElementOf(m, resource->type), r.payload, false);
  Fail(Code::kUnsupported, shlo::StrFormat("the attribute has no bytes: {}", AttrText(m, attr)),
       "pass dense<...>, dense_resource<...> or array<...>");
}

template <typename Print>
shlo_error* TextOf(shlo_buffer** out, const Print& print) {
  return Make(out, [&] {
    std::string text;
    if (!print(&text)) Fail(Code::kLimit, "the text is too long, or nested too deeply");
    return NewBuffer(std::move(text));
  });
}

// Returns a function, by its name, or the one that is evaluated without one.
const Op& FunctionOf(const shlo_program* program, const char* function) {
  const Module& m = Get(program).program.module;
  const uint32_t count = shlo_function_count(program);
  shlo_op found = shlo_function_find(program, function && *function ? function : "main");
  if (!found && (!function || !*function) && count == 1) found = shlo_function_at(program, 0);
  if (!found)
    Fail(Code::kUsage,
         function ? shlo::StrFormat("there is no function {}", SymbolText(function))
                  : shlo::StrFormat("no entry function: no @main, and {}", Count(count, "function")));
  return m.ops[found];
}

shlo_error* FunctionTypesOf(const shlo_program* program, const char* function, bool results,
                            shlo_buffer** out) {
  return Make(out, [&] {
    const Op& op = FunctionOf(program, function);
    const Module& m = program->program.module;
    const auto type = m.FunctionTypeOf(op);
    std::string text;
    if (type)
      for (const TypeId id : results ? type->results : type->inputs) {
        if (!PrintType(m, id, Spelling::kStablehlo, LimitsOf(nullptr, program->bytes).max_output, &text))
          Fail(Code::kLimit, "the types are too long, or nested too deeply");
        text += '\n';
      }
    return NewBuffer(std::move(text));
  });
}

}  // namespace
}  // namespace shlo::capi

using namespace shlo::capi;
using shlo::Module;

extern "C" {

shlo_error* shlo_type_text(const shlo_program* program, shlo_type type, shlo_buffer** out) {
  return TextOf(out, [&](std::string* text) {
    const Module& m = Get(program).program.module;
    if (!TypeOf(program, type)) Fail(shlo::Code::kUsage, shlo::StrFormat("there is no type {}", type));
    return shlo::PrintType(m, shlo::TypeId(type), shlo::Spelling::kStablehlo,
                           LimitsOf(nullptr, program->bytes).max_output, text);
  });
}

shlo_error* shlo_attr_text(const shlo_program* program, shlo_attr attr, shlo_buffer** out) {
  return TextOf(out, [&](std::string* text) {
    const Module& m = Get(program).program.module;
    if (!AttrOf(program, attr)) Fail(shlo::Code::kUsage, shlo::StrFormat("there is no attribute {}", attr));
    return shlo::PrintAttr(m, shlo::AttrId(attr), shlo::Spelling::kStablehlo,
                           LimitsOf(nullptr, program->bytes).max_output, text);
  });
}

shlo_str shlo_type_kind(const shlo_program* program, shlo_type type) {
  if (!TypeOf(program, type)) return {nullptr, 0};
  return Str(KindName(shlo::RowOf(program->program.module.types.KindOf(shlo::TypeId(type)))));
}

shlo_str shlo_attr_kind(const shlo_program* program, shlo_attr attr) {
  if (!AttrOf(program, attr)) return {nullptr, 0};
  return Str(KindName(shlo::RowOf(program->program.module.attrs.KindOf(shlo::AttrId(attr)))));
}

int shlo_type_get(const shlo_program* program, shlo_type type, shlo_type_info* out) {
  if (!TypeOf(program, type)) return 0;
  const Module& m = program->program.module;
  const shlo::ShapedType shaped(m, shlo::TypeId(type));
  shlo_type_info info{};
  info.shaped = shaped.shaped;
  info.ranked = shaped.has_rank();
  if (shaped.has_rank()) {
    info.rank = uint32_t(shaped.shape.size());
    info.shape = shaped.shape.data();
    if (shaped.bounds.size() == shaped.shape.size() && info.rank) info.bounds = shaped.bounds.data();
  }
  info.element = shaped.element.v;
  info.encoding = shaped.encoding.v;
  info.element_kind = shlo_type_kind(program, info.element);
  info.element_bytes = uint32_t(m.ElementBytes(shaped.element));
  info.element_bits = uint32_t(shlo::ElementWidth(m, shaped.element));
  return Put(info, out);
}

uint32_t shlo_type_field_count(const shlo_program* program, shlo_type type) {
  if (!TypeOf(program, type)) return 0;
  return uint32_t(shlo::RowOf(program->program.module.types.KindOf(shlo::TypeId(type))).fields().size());
}

uint32_t shlo_attr_field_count(const shlo_program* program, shlo_attr attr) {
  if (!AttrOf(program, attr)) return 0;
  return uint32_t(shlo::RowOf(program->program.module.attrs.KindOf(shlo::AttrId(attr))).fields().size());
}

int shlo_type_field(const shlo_program* program, shlo_type type, uint32_t i, shlo_field* out) {
  if (!TypeOf(program, type)) return 0;
  const auto node = program->program.module.types[shlo::TypeId(type)];
  return PutField(shlo::RowOf(node.kind), node.words, i, out);
}

int shlo_attr_field(const shlo_program* program, shlo_attr attr, uint32_t i, shlo_field* out) {
  if (!AttrOf(program, attr)) return 0;
  const auto node = program->program.module.attrs[shlo::AttrId(attr)];
  return PutField(shlo::RowOf(node.kind), node.words, i, out);
}

int64_t shlo_field_int(const shlo_field* field, size_t i) {
  const uint64_t* word = WordOf(field, i, SHLO_FIELD_INT, SHLO_FIELD_INTS);
  return word ? int64_t(*word) : 0;
}

double shlo_field_float(const shlo_field* field, size_t i) {
  const uint64_t* word = WordOf(field, i, SHLO_FIELD_FLOAT, SHLO_FIELD_FLOATS);
  return word ? std::bit_cast<double>(*word) : 0;
}

uint32_t shlo_field_id(const shlo_field* field, size_t i) {
  const uint64_t* word = WordOf(field, i, SHLO_FIELD_TYPE, SHLO_FIELD_TYPES);
  if (!word) word = WordOf(field, i, SHLO_FIELD_ATTR, SHLO_FIELD_ATTRS);
  return word ? uint32_t(*word) : 0;
}

shlo_str shlo_field_string(const shlo_program* program, const shlo_field* field, size_t i) {
  const uint64_t* word = WordOf(field, i, SHLO_FIELD_STRING, SHLO_FIELD_STRINGS);
  if (!program || !word || *word >= program->program.module.strings.size()) return {nullptr, 0};
  return Str(program->program.module.strings[shlo::StringId(uint32_t(*word))]);
}

shlo_named_attr shlo_field_named(const shlo_program* program, const shlo_field* field, size_t i) {
  if (!program || !field || !field->words || i >= field->count || field->kind != SHLO_FIELD_NAMED)
    return {{nullptr, 0}, 0, 0};
  const uint64_t name = field->words[2 * i];
  if (name >= program->program.module.strings.size()) return {{nullptr, 0}, 0, 0};
  return {Str(program->program.module.strings[shlo::StringId(uint32_t(name))]),
          uint32_t(field->words[2 * i + 1]), 0};
}

int shlo_attr_int(const shlo_program* program, shlo_attr attr, int64_t* out) {
  return AttrOf(program, attr) && out && program->program.module.AsInteger(shlo::AttrId(attr), out);
}

int shlo_attr_bool(const shlo_program* program, shlo_attr attr, int* out) {
  bool value = false;
  if (!AttrOf(program, attr) || !out || !program->program.module.AsBool(shlo::AttrId(attr), &value)) return 0;
  *out = value;
  return 1;
}

int shlo_attr_float(const shlo_program* program, shlo_attr attr, double* out) {
  if (!AttrOf(program, attr) || !out) return 0;
  const Module& m = program->program.module;
  const auto value = m.As<shlo::FloatAttr>(shlo::AttrId(attr));
  if (!value) return 0;
  const shlo::TypeKind kind = m.types.KindOf(value->type);
  if (!shlo::FloatFormatOf(kind) || value->bits.size() != 1) return 0;
  *out = shlo::DecodeFloat(kind, uint64_t(value->bits[0]));
  return 1;
}

int shlo_attr_string(const shlo_program* program, shlo_attr attr, shlo_str* out) {
  std::string_view text;
  if (!AttrOf(program, attr) || !out || !program->program.module.AsString(shlo::AttrId(attr), &text))
    return 0;
  *out = Str(text);
  return 1;
}

int shlo_attr_symbol(const shlo_program* program, shlo_attr attr, shlo_str* out) {
  if (!AttrOf(program, attr) || !out) return 0;
  const Module& m = program->program.module;
  const auto symbol = m.As<shlo::SymbolRefAttr>(shlo::AttrId(attr));
  if (!symbol) return 0;
  *out = Str(m.strings[symbol->root]);
  return 1;
}

int shlo_attr_enum(const shlo_program* program, shlo_attr attr, shlo_str* out) {
  if (!AttrOf(program, attr) || !out) return 0;
  const Module& m = program->program.module;
  const auto value = m.EnumValue(shlo::AttrId(attr));
  if (!value) return 0;
  const shlo::EnumCase* found = shlo::FindCase(m.attrs.KindOf(shlo::AttrId(attr)), *value);
  if (!found) return 0;
  *out = Str(found->name);
  return 1;
}

int shlo_attr_type_value(const shlo_program* program, shlo_attr attr, shlo_type* out) {
  if (!AttrOf(program, attr) || !out) return 0;
  const auto type = program->program.module.As<shlo::TypeAttr>(shlo::AttrId(attr));
  if (!type) return 0;
  *out = type->type.v;
  return 1;
}

shlo_type shlo_attr_type(const shlo_program* program, shlo_attr attr) {
  return AttrOf(program, attr) ? program->program.module.TypeOf(shlo::AttrId(attr)).v : 0;
}

size_t shlo_attr_array_count(const shlo_program* program, shlo_attr attr) {
  return AttrOf(program, attr) ? program->program.module.ElementsOf(shlo::AttrId(attr)).size() : 0;
}

shlo_attr shlo_attr_array_at(const shlo_program* program, shlo_attr attr, size_t i) {
  if (i >= shlo_attr_array_count(program, attr)) return 0;
  return program->program.module.ElementsOf(shlo::AttrId(attr))[i].v;
}

size_t shlo_attr_dict_count(const shlo_program* program, shlo_attr attr) {
  if (!AttrOf(program, attr)) return 0;
  const auto dict = program->program.module.As<shlo::DictionaryAttr>(shlo::AttrId(attr));
  return dict ? dict->entries.size() : 0;
}

int shlo_attr_dict_at(const shlo_program* program, shlo_attr attr, size_t i, shlo_named_attr* out) {
  if (!out || i >= shlo_attr_dict_count(program, attr)) return 0;
  const Module& m = program->program.module;
  const shlo::NamedAttr entry = m.Get<shlo::DictionaryAttr>(shlo::AttrId(attr)).entries[i];
  *out = {Str(m.strings[entry.name]), entry.value.v, 0};
  return 1;
}

shlo_error* shlo_attr_elements(const shlo_program* program, shlo_attr attr, shlo_elements* out) {
  return Try([&] {
    Require(out, "out");
    const Module& m = Get(program).program.module;
    if (!AttrOf(program, attr)) Fail(shlo::Code::kUsage, shlo::StrFormat("there is no attribute {}", attr));
    const Elements from = ElementsOf(m, shlo::AttrId(attr));
    shlo_elements elements{};
    elements.type = from.type.v;
    elements.element = from.element.v;
    elements.element_kind = from.element ? shlo_type_kind(program, from.element.v) : shlo_str{"i64", 3};
    elements.splat = from.splat;
    elements.data = from.data;
    elements.size = from.size;
    if (from.type) {
      const shlo::ShapedType shaped(m, from.type);
      elements.rank = uint32_t(shaped.shape.size());
      elements.shape = shaped.shape.data();
      const uint64_t bytes = m.ElementBytes(from.element);
      if (!Module::ElementCount(shaped.shape, &elements.count))
        Fail(shlo::Code::kLimit, "the number of elements is too large");
      const uint64_t stored = from.splat ? 1 : elements.count;
      if (!bytes || from.size / bytes != stored || from.size % bytes)
        Fail(shlo::Code::kInvalidProgram,
             shlo::StrFormat("the constant has {}, and its type needs {} elements of {}",
                             shlo::Count(from.size, "byte"), stored, shlo::Count(bytes, "byte")));
    } else {
      const uint64_t bytes = from.element ? m.ElementBytes(from.element) : sizeof(int64_t);
      elements.rank = 1;
      elements.count = bytes ? from.size / bytes : 0;
    }
    Put(elements, out);
  });
}

shlo_error* shlo_argument_types(const shlo_program* program, const char* function, shlo_buffer** out) {
  return FunctionTypesOf(program, function, /*results=*/false, out);
}

shlo_error* shlo_result_types(const shlo_program* program, const char* function, shlo_buffer** out) {
  return FunctionTypesOf(program, function, /*results=*/true, out);
}

}  // extern "C"
