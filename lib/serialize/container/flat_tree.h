// A FlatBuffers file as a tree that can be edited and written again. It is generic: the tables of generated
// code say what the fields are. Unlike the object API of flatc, it tells an absent field from an empty or
// zero one, as readers in Python do.
#pragma once

#include <flatbuffers/flatbuffers.h>
#include <flatbuffers/minireflect.h>

#include <cstdint>
#include <cstring>
#include <deque>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace shlo::container {

struct FlatTable;

// A field that is present.
struct FlatField {
  flatbuffers::voffset_t slot = 0;  // FLATBUFFERS_VTABLE offset: the VT_ constants of generated code
  flatbuffers::ElementaryType type = flatbuffers::ET_UCHAR;
  bool repeated = false;
  std::string_view bytes;                 // a scalar, the scalars of a vector, or a string
  std::vector<std::string_view> strings;  // of a vector of strings
  std::vector<FlatTable> tables;          // a table, or those of a vector
};

// A table: its type, and its fields in slot order.
struct FlatTable {
  const flatbuffers::TypeTable* type = nullptr;
  std::vector<FlatField> fields;

  FlatField* Find(flatbuffers::voffset_t slot);
  const FlatField* Find(flatbuffers::voffset_t slot) const;
  // Returns the field, which it adds if it is absent.
  FlatField* Add(flatbuffers::voffset_t slot);
  void Remove(flatbuffers::voffset_t slot);
  // Returns a scalar, or `absent`.
  template <typename T>
  T Get(flatbuffers::voffset_t slot, T absent = {}) const {
    const FlatField* field = Find(slot);
    if (field && field->bytes.size() == sizeof absent)
      std::memcpy(&absent, field->bytes.data(), sizeof absent);
    return absent;
  }
  std::string_view GetString(flatbuffers::voffset_t slot) const;
  std::span<const FlatTable> GetTables(flatbuffers::voffset_t slot) const;
  const FlatTable* GetTable(flatbuffers::voffset_t slot) const;
};

// Strings that edits add to a tree; they must outlive it.
class FlatStrings {
 public:
  std::string_view Keep(std::string bytes) { return kept_.emplace_back(std::move(bytes)); }
  template <typename T>
  std::string_view KeepScalar(T value) {
    return Keep({reinterpret_cast<const char*>(&value), sizeof value});
  }

 private:
  std::deque<std::string> kept_;
};

// Reads a table that a Verifier has accepted. Sets *unknown if a table has fields that `type` lacks: they
// would be lost, because their types are unknown.
FlatTable ReadFlatTable(const flatbuffers::Table* table, const flatbuffers::TypeTable* type, bool* unknown);

// Returns the file with this root, without identifier. The caller checks that it stays below 2 GiB.
std::string WriteFlatFile(const FlatTable& root);

}  // namespace shlo::container
