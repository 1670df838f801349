// Containers in parts, for tests: a jax.export file and a SavedModel with given programs.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "jax_export_generated.h"
#include "serialize/varint.h"
#include "shlo/program_io.h"

namespace shlo::container {

// A program as a portable artifact.
inline std::string TestArtifact(std::string_view text, std::string_view version) {
  ReadOptions read;
  read.version = *ParseVersion(version);
  const auto program = ReadProgram(text, nullptr, read);
  WriteOptions write;
  write.format = Format::kMlirBytecode;
  return program ? WriteProgram(*program, write).value_or("") : "";
}

// A portable artifact that returns its argument, negated `count` times.
inline std::string TestProgram(int count = 1) {
  std::string text = "func.func @main(%v0: tensor<4xf32>) -> tensor<4xf32> {\n";
  for (int i = 0; i < count; ++i)
    text +=
        "  %v" + std::to_string(i + 1) + " = stablehlo.negate %v" + std::to_string(i) + " : tensor<4xf32>\n";
  text += "  return %v" + std::to_string(count) + " : tensor<4xf32>\n}\n";
  return TestArtifact(text, "1.9.0");
}

// A jax.export file. Lists are written the way a release does: twice from 0.10.0 on, with shardings before
// 0.9.0.
struct TestExport {
  uint16_t stored_version = 3;
  uint16_t calling_convention = 10;
  std::vector<std::string> programs = {TestProgram()};  // the function, then its gradients
  jax_export::ElementType element_type = jax_export::ElementType_f32;
  jax_export::TreeKind argument = jax_export::TreeKind_dict;  // of one leaf
  uint32_t devices = 8;
  int16_t devices_short = 0;
  bool lists = true;
  bool indices = true;
  std::vector<uint16_t> kept_inputs = {0};
  // The axes of the mesh {x: 4, y: 2} that split each dimension; "-": none.
  std::vector<std::string> split = {"x"};
  bool named = true;
  const char* hlo = nullptr;
  bool unknown_field = false;
  jax_export::MemorySpace memory = jax_export::MemorySpace_unstated;

  std::string Bytes() const {
    flatbuffers::FlatBufferBuilder builder;
    builder.ForceDefaults(true);
    builder.Finish(AddFunction(&builder, 0));
    return {reinterpret_cast<const char*>(builder.GetBufferPointer()), builder.GetSize()};
  }

 private:
  using Builder = flatbuffers::FlatBufferBuilder;
  template <typename T>
  using Offsets = std::vector<flatbuffers::Offset<T>>;

  flatbuffers::Offset<jax_export::Tree> Leaf(Builder* b) const {
    return jax_export::CreateTree(*b, jax_export::TreeKind_leaf);
  }
  flatbuffers::Offset<jax_export::Tree> Node(Builder* b, jax_export::TreeKind kind,
                                             Offsets<jax_export::Tree> children) const {
    const bool dict = kind == jax_export::TreeKind_dict && !children.empty();
    const auto keys = dict ? b->CreateVectorOfStrings({"w"}) : 0;
    const auto name = kind == jax_export::TreeKind_custom ? b->CreateString("point") : 0;
    return jax_export::CreateTree(*b, kind, b->CreateVector(children), keys, name);
  }
  flatbuffers::Offset<jax_export::Mesh> AddMesh(Builder* b) const {
    const auto sizes = b->CreateVector(std::vector<uint32_t>{4, 2});
    const auto names = b->CreateVectorOfStrings({"x", "y"});
    return jax_export::CreateMesh(*b, sizes, names, b->CreateVector(std::vector<int8_t>{1, 1}));
  }
  flatbuffers::Offset<jax_export::NamedSharding> AddNamed(Builder* b) const {
    Offsets<jax_export::SplitAxes> dimensions;
    for (const std::string& axes : split) {
      std::vector<std::string> names;
      for (const char axis : axes)
        if (axis != '-') names.emplace_back(1, axis);
      dimensions.push_back(jax_export::CreateSplitAxes(*b, b->CreateVectorOfStrings(names)));
    }
    const auto spec = jax_export::CreatePartitionSpec(*b, b->CreateVector(dimensions));
    const auto mesh = lists ? AddMesh(b) : 0;
    return jax_export::CreateNamedSharding(*b, mesh, spec);
  }
  flatbuffers::Offset<jax_export::Value> AddValue(Builder* b) const {
    const auto shape = b->CreateVectorOfStrings({"n", "2*n"});
    return jax_export::CreateValue(*b, 0, shape, element_type, memory);
  }
  flatbuffers::Offset<jax_export::Sharding> AddSharding(Builder* b, bool specified) const {
    if (!specified) return jax_export::CreateSharding(*b);
    const std::string_view proto = hlo ? hlo : "";
    const auto bytes = hlo ? b->CreateVector(reinterpret_cast<const int8_t*>(proto.data()), proto.size()) : 0;
    return jax_export::CreateSharding(
        *b, hlo ? jax_export::ShardingKind_hlo : jax_export::ShardingKind_unspecified, bytes,
        named ? AddNamed(b) : 0);
  }

  flatbuffers::Offset<jax_export::Exported> AddFunction(Builder* b, size_t order) const {
    using namespace jax_export;
    const std::string& program = programs[order];
    const bool has_vjp = order + 1 < programs.size();
    const auto vjp = has_vjp ? AddFunction(b, order + 1) : 0;
    const auto name = b->CreateString("f");
    // ({'w': input 0}, ...), and no keyword arguments.
    const auto args = Node(b, TreeKind_tuple, {Node(b, argument, {Leaf(b)})});
    const auto in_tree = Node(b, TreeKind_tuple, {args, Node(b, TreeKind_dict, {})});
    const auto out_tree = Leaf(b);
    const auto list = lists ? b->CreateVector(Offsets<jax_export::Value>{AddValue(b)}) : 0;
    const auto in_shardings = lists ? b->CreateVector(Offsets<Sharding>{AddSharding(b, named || hlo)}) : 0;
    const auto out_shardings = lists ? b->CreateVector(Offsets<Sharding>{AddSharding(b, false)}) : 0;
    const auto platforms = b->CreateVectorOfStrings({"cpu", "tpu"});
    const auto effects = b->CreateVector(Offsets<Effect>{});
    const auto checks = b->CreateVector(
        Offsets<DisabledCheck>{CreateDisabledCheck(*b, CheckKind_custom_call, b->CreateString("target"))});
    const auto bytes = b->CreateVector(reinterpret_cast<const int8_t*>(program.data()), program.size());
    const auto kept = b->CreateVector(kept_inputs);
    const auto values = indices ? b->CreateVector(Offsets<jax_export::Value>{AddValue(b)}) : 0;
    const auto meshes = indices ? b->CreateVector(Offsets<Mesh>{AddMesh(b)}) : 0;
    const auto shardings = indices ? b->CreateVector(Offsets<NamedSharding>{AddNamed(b)}) : 0;
    const auto zero = indices ? b->CreateVector(std::vector<uint32_t>{0}) : 0;
    const auto one = indices ? b->CreateVector(std::vector<uint32_t>{1}) : 0;
    ExportedBuilder e(*b);
    e.add_serialization_version(stored_version);
    e.add_function_name(name);
    e.add_in_tree(in_tree);
    e.add_out_tree(out_tree);
    e.add_inputs(list);
    e.add_outputs(list);
    if (devices) e.add_devices(devices);
    if (devices_short) e.add_devices_short(devices_short);
    e.add_in_shardings(in_shardings);
    e.add_out_shardings(out_shardings);
    e.add_platforms(platforms);
    e.add_ordered_effects(effects);
    e.add_unordered_effects(effects);
    e.add_disabled_checks(checks);
    e.add_program(bytes);
    e.add_calling_convention_version(calling_convention);
    e.add_kept_inputs(kept);
    e.add_vjp(vjp);
    e.add_values(values);
    e.add_meshes(meshes);
    e.add_shardings(shardings);
    e.add_input_indices(zero);
    e.add_output_indices(zero);
    e.add_in_sharding_indices(one);
    e.add_out_sharding_indices(zero);
    if (unknown_field) b->AddElement<uint32_t>(Exported::VT_JAX_VERSION + 2, 0xABCD);
    return e.Finish();
  }
};

// A protobuf message, field by field.
struct TestMessage {
  TestMessage& Number(uint32_t field, uint64_t value) {
    bytes.Varint(field << 3);
    bytes.Varint(value);
    return *this;
  }
  TestMessage& Bytes(uint32_t field, std::string_view value) {
    bytes.Varint(field << 3 | 2);
    bytes.Varint(value.size());
    bytes.Bytes(value);
    return *this;
  }
  TestMessage& Add(uint32_t field, const TestMessage& message) { return Bytes(field, message.bytes.view()); }
  std::string str() const { return std::string(bytes.view()); }

  ByteBuffer bytes;
};

// A SavedModel with one program in the graph, and others in a function of its library. Fields with numbers
// above 100 are not TensorFlow's.
inline std::string TestSavedModel(const std::vector<std::string>& programs) {
  const auto entry = [](std::string_view key, const TestMessage& value) {
    return TestMessage().Bytes(1, key).Add(2, value);
  };
  const auto node = [&](const std::string& name, std::string_view program) {
    TestMessage shapes, types, platforms;
    shapes.Add(
        7, TestMessage().Add(2, TestMessage().Number(1, 4)).Add(2, TestMessage().Number(1, ~uint64_t(0))));
    types.Bytes(6, "\x01");
    platforms.Bytes(2, "CPU").Bytes(2, "TPU");
    TestMessage m;
    m.Bytes(1, name).Bytes(2, "XlaCallModule").Bytes(3, "x").Bytes(102, "unknown");
    m.Add(5, entry("version", TestMessage().Number(3, 9)));
    m.Add(5, entry("Sout", TestMessage().Add(1, shapes)));
    m.Add(5, entry("Tout", TestMessage().Add(1, types)));
    m.Add(5, entry("module", TestMessage().Number(101, 7).Bytes(2, program)));
    m.Add(5, entry("platforms", TestMessage().Add(1, platforms)));
    return m;
  };
  const TestMessage other = TestMessage().Bytes(1, "module").Bytes(2, "Const");
  TestMessage function, library, graph, info, input, output, signature, meta_graph, model;
  function.Add(1, TestMessage().Bytes(1, "inner")).Add(3, other);
  for (size_t i = 1; i < programs.size(); ++i)
    function.Add(3, node("call_" + std::to_string(i), programs[i]));
  function.Bytes(103, "after");
  library.Add(1, TestMessage().Add(1, TestMessage().Bytes(1, "empty"))).Add(1, function);
  graph.Add(1, other);
  if (!programs.empty()) graph.Add(1, node("call_0", programs[0]));
  graph.Add(2, library).Add(4, TestMessage().Number(1, 1000));
  info.Bytes(4, "serve").Bytes(5, "2.21.0");
  input.Bytes(1, "x:0").Number(2, 1).Add(3, TestMessage().Number(3, 1));
  output.Bytes(1, "y:0").Number(2, 14).Add(3, TestMessage().Add(2, TestMessage().Number(1, 4)));
  signature.Add(1, entry("x", input)).Add(2, entry("y", output)).Bytes(3, "predict");
  meta_graph.Add(1, info).Add(2, graph).Add(5, entry("serving_default", signature)).Bytes(104, "end");
  model.Number(1, 1).Add(2, meta_graph).Number(105, 42);
  return model.str();
}

}  // namespace shlo::container
