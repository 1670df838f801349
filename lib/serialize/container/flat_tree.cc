#include "serialize/container/flat_tree.h"

#include <algorithm>

#include "base/stack.h"

namespace shlo::container {
namespace {

using flatbuffers::ElementaryType;
using flatbuffers::FlatBufferBuilder;
using flatbuffers::Table;
using flatbuffers::TypeCode;
using flatbuffers::TypeTable;
using flatbuffers::uoffset_t;
using flatbuffers::voffset_t;

voffset_t SlotOf(size_t index) { return voffset_t(flatbuffers::FieldIndexToOffset(voffset_t(index))); }

const TypeCode& CodeOf(const TypeTable* type, voffset_t slot) { return type->type_codes[(slot - 4) / 2]; }

const TypeTable* ElementOf(const TypeTable* type, const TypeCode& code) {
  return type->type_refs[code.sequence_ref]();
}

bool IsOffset(ElementaryType type) {
  return type == flatbuffers::ET_STRING || type == flatbuffers::ET_SEQUENCE;
}

const uint8_t* Follow(const uint8_t* at) { return at + flatbuffers::ReadScalar<uoffset_t>(at); }

std::string_view StringAt(const uint8_t* at) {
  return reinterpret_cast<const flatbuffers::String*>(at)->string_view();
}

FlatField ReadField(const uint8_t* at, const TypeTable* type, voffset_t slot, bool* unknown) {
  const TypeCode& code = CodeOf(type, slot);
  FlatField field;
  field.slot = slot;
  field.type = ElementaryType(code.base_type);
  field.repeated = code.is_repeating != 0;
  const bool is_table = field.type == flatbuffers::ET_SEQUENCE;
  const TypeTable* element = is_table ? ElementOf(type, code) : nullptr;
  if (!field.repeated) {
    if (is_table)
      field.tables.push_back(ReadFlatTable(reinterpret_cast<const Table*>(Follow(at)), element, unknown));
    else if (IsOffset(field.type))
      field.bytes = StringAt(Follow(at));
    else
      field.bytes = {reinterpret_cast<const char*>(at), flatbuffers::InlineSize(field.type, nullptr)};
    return field;
  }
  at = Follow(at);
  const auto count = flatbuffers::ReadScalar<uoffset_t>(at);
  at += sizeof count;
  if (!IsOffset(field.type)) {
    const size_t size = flatbuffers::InlineSize(field.type, nullptr);
    field.bytes = {reinterpret_cast<const char*>(at), size * count};
    return field;
  }
  for (uoffset_t i = 0; i < count; ++i, at += sizeof(uoffset_t)) {
    if (is_table)
      field.tables.push_back(ReadFlatTable(reinterpret_cast<const Table*>(Follow(at)), element, unknown));
    else
      field.strings.push_back(StringAt(Follow(at)));
  }
  return field;
}

uoffset_t WriteTable(FlatBufferBuilder* builder, const FlatTable& table);

uoffset_t WriteOffsets(FlatBufferBuilder* builder, const std::vector<uoffset_t>& offsets) {
  std::vector<flatbuffers::Offset<void>> list(offsets.begin(), offsets.end());
  return builder->CreateVector(list).o;
}

// Writes a vector of scalars. The functions that take the size of an element differ between releases of
// FlatBuffers; those that take its type do not.
template <typename T>
uoffset_t WriteScalars(FlatBufferBuilder* builder, std::string_view bytes) {
  std::vector<T> scalars(bytes.size() / sizeof(T));
  if (!bytes.empty()) std::memcpy(scalars.data(), bytes.data(), bytes.size());
  return builder->CreateVector(scalars).o;
}

// Writes a vector of bytes without another copy: programs are large. They hold aligned constants, which
// readers may use where they are.
uoffset_t WriteBytes(FlatBufferBuilder* builder, std::string_view bytes) {
  builder->ForceVectorAlignment(bytes.size(), 1, 16);
  return builder->CreateVector(reinterpret_cast<const uint8_t*>(bytes.data()), bytes.size()).o;
}

// Writes what a field refers to.
uoffset_t WriteTarget(FlatBufferBuilder* builder, const FlatField& field) {
  const auto string = [&](std::string_view text) {
    return builder->CreateString(text.data(), text.size()).o;
  };
  std::vector<uoffset_t> offsets;
  if (field.type == flatbuffers::ET_SEQUENCE) {
    for (const FlatTable& table : field.tables) offsets.push_back(WriteTable(builder, table));
    return field.repeated ? WriteOffsets(builder, offsets) : offsets[0];
  }
  if (field.type == flatbuffers::ET_STRING) {
    if (!field.repeated) return string(field.bytes);
    for (const std::string_view text : field.strings) offsets.push_back(string(text));
    return WriteOffsets(builder, offsets);
  }
  switch (flatbuffers::InlineSize(field.type, nullptr)) {
    case 8:
      return WriteScalars<uint64_t>(builder, field.bytes);
    case 4:
      return WriteScalars<uint32_t>(builder, field.bytes);
    case 2:
      return WriteScalars<uint16_t>(builder, field.bytes);
    default:
      return WriteBytes(builder, field.bytes);
  }
}

template <typename T>
void AddScalar(FlatBufferBuilder* builder, const FlatField& field) {
  T value;
  std::memcpy(&value, field.bytes.data(), sizeof value);
  builder->AddElement<T>(field.slot, value);
}

uoffset_t WriteTable(FlatBufferBuilder* builder, const FlatTable& table) {
  CheckStack();
  std::vector<uoffset_t> targets(table.fields.size());
  for (size_t i = 0; i < table.fields.size(); ++i) {
    const FlatField& field = table.fields[i];
    if (field.repeated || IsOffset(field.type)) targets[i] = WriteTarget(builder, field);
  }
  const uoffset_t start = builder->StartTable();
  // Largest first, so that nothing is padded.
  for (const size_t size : {8, 4, 2, 1}) {
    for (size_t i = 0; i < table.fields.size(); ++i) {
      const FlatField& field = table.fields[i];
      if (targets[i]) {
        if (size == sizeof(uoffset_t)) builder->AddOffset(field.slot, flatbuffers::Offset<void>(targets[i]));
        continue;
      }
      if (field.bytes.size() != size) continue;
      if (size == 8) AddScalar<uint64_t>(builder, field);
      if (size == 4) AddScalar<uint32_t>(builder, field);
      if (size == 2) AddScalar<uint16_t>(builder, field);
      if (size == 1) AddScalar<uint8_t>(builder, field);
    }
  }
  return builder->EndTable(start);
}

}  // namespace

const FlatField* FlatTable::Find(voffset_t slot) const {
  for (const FlatField& field : fields)
    if (field.slot == slot) return &field;
  return nullptr;
}

FlatField* FlatTable::Find(voffset_t slot) {
  return const_cast<FlatField*>(const_cast<const FlatTable*>(this)->Find(slot));
}

FlatField* FlatTable::Add(voffset_t slot) {
  if (FlatField* field = Find(slot)) return field;
  const TypeCode& code = CodeOf(type, slot);
  FlatField field;
  field.slot = slot;
  field.type = ElementaryType(code.base_type);
  field.repeated = code.is_repeating != 0;
  const auto at =
      std::find_if(fields.begin(), fields.end(), [&](const FlatField& f) { return f.slot > slot; });
  return &*fields.insert(at, std::move(field));
}

void FlatTable::Remove(voffset_t slot) {
  std::erase_if(fields, [&](const FlatField& field) { return field.slot == slot; });
}

std::string_view FlatTable::GetString(voffset_t slot) const {
  const FlatField* field = Find(slot);
  return field ? field->bytes : std::string_view();
}

std::span<const FlatTable> FlatTable::GetTables(voffset_t slot) const {
  const FlatField* field = Find(slot);
  return field ? std::span(field->tables) : std::span<const FlatTable>();
}

const FlatTable* FlatTable::GetTable(voffset_t slot) const {
  const FlatField* field = Find(slot);
  return field && !field->tables.empty() ? &field->tables[0] : nullptr;
}

FlatTable ReadFlatTable(const Table* table, const TypeTable* type, bool* unknown) {
  CheckStack();
  FlatTable result;
  result.type = type;
  const uint8_t* vtable = table->GetVTable();
  const auto end = flatbuffers::ReadScalar<voffset_t>(vtable);
  for (voffset_t slot = SlotOf(0); slot < end; slot = voffset_t(slot + 2)) {
    const voffset_t offset = table->GetOptionalFieldOffset(slot);
    if (!offset) continue;
    if (slot >= SlotOf(type->num_elems)) {
      *unknown = true;
      continue;
    }
    result.fields.push_back(ReadField(reinterpret_cast<const uint8_t*>(table) + offset, type, slot, unknown));
  }
  return result;
}

std::string WriteFlatFile(const FlatTable& root) {
  FlatBufferBuilder builder;
  builder.Finish(flatbuffers::Offset<void>(WriteTable(&builder, root)));
  return {reinterpret_cast<const char*>(builder.GetBufferPointer()), builder.GetSize()};
}

}  // namespace shlo::container
