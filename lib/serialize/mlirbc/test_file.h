// An MLIR bytecode file in parts, for tests of its reader: every part can be made invalid before the file is
// built. Starts as a valid portable artifact of 1.9.0: @main(%a: tensor<2xf32>) returns a + constant.
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "serialize/mlirbc/format.h"
#include "serialize/mlirbc/out.h"
#include "shlo/mlirbc_reader.h"

namespace shlo::mlirbc {

// Reads bytes that live as long as the module does: constants are views into them.
inline Result<Module> ReadOwned(std::string bytes, const MlirBytecodeReadOptions& options = {},
                                Diagnostics* warnings = nullptr, Source* source = nullptr) {
  auto owner = std::make_shared<std::string>(std::move(bytes));
  return ReadMlirBytecode(*owner, owner, options, warnings, source);
}

struct TestFile {
  struct Node {
    uint64_t dialect;
    std::string bytes;
    bool encoded = true;
    int64_t stated_size = -1;  // -1: that of `bytes`
  };
  struct Name {
    uint64_t dialect, string;
    bool registered = true;
  };

  uint64_t format = 6;
  std::string magic = std::string(kMagic), producer = "StableHLO_v1.9.0";
  std::vector<std::string> strings = {"builtin", "vhlo", "module",    "func_v1", "constant_v1",
                                      "add_v1",  "main", "return_v1", "",        "a.py"};
  std::vector<std::pair<uint64_t, bool>> dialects = {{0, false}, {1, false}};  // string, versioned
  std::vector<Name> names = {{0, 2}, {1, 3}, {1, 4}, {1, 5}, {1, 7}};
  std::vector<Node> attrs;
  std::vector<Node> types;
  std::vector<std::string> properties;
  std::string ir;
  int64_t stated_attrs = -1, stated_types = -1, stated_strings = -1, stated_names = -1,
          stated_properties = -1;
  // Sections in file order, and the replacement for the content of one.
  std::vector<int> order = {kDialectSection,        kNodeOffsetSection, kNodeSection,   kIrSection,
                            kResourceOffsetSection, kResourceSection,   kStringSection, kPropertySection};
  std::vector<std::pair<int, std::string>> replaced;
  std::vector<std::pair<int, std::string>> appended;
  std::string after;      // bytes after the last section
  size_t cut = SIZE_MAX;  // the size of a truncated file

  // Numbers as the format writes them.
  static std::string V(std::initializer_list<uint64_t> values) {
    BytesOut out;
    for (uint64_t v : values) out.Varint(v);
    return std::string(out.small_bytes());
  }
  static std::string S(int64_t value) {
    BytesOut out;
    out.SignedVarint(value);
    return std::string(out.small_bytes());
  }
  static std::string B(std::initializer_list<int> bytes) {
    std::string out;
    for (int b : bytes) out.push_back(char(b));
    return out;
  }
  static std::string Section(int id, const std::string& content) {
    return B({id}) + V({content.size()}) + content;
  }

  TestFile() {
    attrs = {{0, V({15})},                           // 0: unknown location
             {1, V({1, 0})},                         // 1: array_v1<[]>
             {1, V({17, 2})},                        // 2: the type of @main
             {1, V({14, 6})},                        // 3: "main"
             {1, V({14, 8})},                        // 4: ""
             {1, V({15, 1, 4}) + B({0, 0, 0, 64})},  // 5: dense<2.0>
             {0, V({2, 9})},                         // 6: "a.py"
             {0, V({11, 6, 3, 4})}};                 // 7: a.py:3:4
    types = {{1, V({4})},                            // 0: f32
             {1, V({20, 1}) + S(2) + V({0})},        // 1: tensor<2xf32>
             {1, V({8, 1, 1, 1, 1})}};               // 2: (1) -> 1
    properties = {V({0, 0}), V({1, 2, 1, 3, 4}), V({5})};
    ir = Ir(Body());
  }
  // The operations: module, function, and the body of the function.
  static std::string Body() {
    return V({1, 3}) +                                                         // blocks, values
           V({3 << 1 | 1, 1, 1 << 1}) + B({0}) +                               // ops and argument
           V({2}) + B({kHasProperties | kHasResults}) + V({0, 2, 1, 1}) +      // constant
           V({3}) + B({kHasResults | kHasOperands}) + V({7, 1, 1, 2, 0, 1}) +  // add
           V({4}) + B({kHasOperands}) + V({0, 1, 2});                          // return
  }
  static std::string Ir(const std::string& body) {
    const std::string function =
        V({1}) + B({kHasProperties | kHasRegions}) + V({0, 1, 1 << 1 | 1}) + Section(kIrSection, body);
    const std::string module = V({1, 0, 1 << 1}) + function;
    return V({1 << 1, 0}) + B({kHasProperties | kHasRegions}) + V({0, 0, 1 << 1 | 1}) +
           Section(kIrSection, module);
  }

  std::string Content(int id) const {
    for (const auto& [which, content] : replaced)
      if (which == id) return content;
    BytesOut out;
    switch (id) {
      case kStringSection: {
        out.Varint(stated_strings >= 0 ? uint64_t(stated_strings) : strings.size());
        for (size_t i = strings.size(); i-- > 0;) out.Varint(strings[i].size() + 1);
        for (const std::string& text : strings) {
          out.Bytes(text);
          out.Byte(0);
        }
        break;
      }
      case kDialectSection: {
        out.Varint(dialects.size());
        for (const auto& [name, versioned] : dialects) {
          if (format >= kDialectVersions)
            out.VarintWithFlag(name, versioned);
          else
            out.Varint(name);
          if (versioned) out.Bytes(Section(kDialectVersionSection, "\1"));
        }
        if (format >= kElidedLocations) out.Varint(stated_names >= 0 ? uint64_t(stated_names) : names.size());
        for (const Name& name : names) {
          out.Varint(name.dialect);
          out.Varint(1);
          if (format >= kProperties)
            out.VarintWithFlag(name.string, name.registered);
          else
            out.Varint(name.string);
        }
        break;
      }
      case kNodeOffsetSection:
        out.Varint(stated_attrs >= 0 ? uint64_t(stated_attrs) : attrs.size());
        out.Varint(stated_types >= 0 ? uint64_t(stated_types) : types.size());
        for (const auto* nodes : {&attrs, &types})
          for (const Node& node : *nodes) {
            out.Varint(node.dialect);
            out.Varint(1);
            out.VarintWithFlag(node.stated_size >= 0 ? uint64_t(node.stated_size) : node.bytes.size(),
                               node.encoded);
          }
        break;
      case kNodeSection:
        for (const auto* nodes : {&attrs, &types})
          for (const Node& node : *nodes) out.Bytes(node.bytes);
        break;
      case kIrSection:
        out.Bytes(ir);
        break;
      case kResourceOffsetSection:
        out.Varint(0);
        break;
      case kPropertySection:
        out.Varint(stated_properties >= 0 ? uint64_t(stated_properties) : properties.size());
        for (const std::string& bytes : properties) {
          out.Varint(bytes.size());
          out.Bytes(bytes);
        }
        break;
      default:
        break;
    }
    std::string content(out.small_bytes());
    for (const auto& [which, more] : appended)
      if (which == id) content += more;
    return content;
  }

  std::string Bytes() const {
    std::string out = magic + V({format}) + producer + '\0';
    for (int id : order) out += Section(id, Content(id));
    out += after;
    return out.substr(0, cut);
  }
};

}  // namespace shlo::mlirbc
