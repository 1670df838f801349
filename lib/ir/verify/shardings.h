// Checks the shardings of a program: attributes of the dialect sdy, which a module keeps as text, against
// their meshes and the types of the values that they are about. Used by the verifier only.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "shlo/module.h"

namespace shlo {

// An axis of a mesh, or a part of one.
struct AxisRef {
  std::string name;
  int64_t pre_size = 0, size = 0;  // of a part; 0: the whole axis
  bool operator==(const AxisRef&) const = default;
};

// The text of "#sdy.mesh", parsed.
struct SdyMesh {
  struct Axis {
    std::string name;
    int64_t size = 0;
  };
  std::vector<Axis> axes;
  std::vector<int64_t> device_ids;
  const Axis* Find(std::string_view name) const;
  bool maximal() const { return axes.empty() && device_ids.size() == 1; }
};

// The text of "#sdy.sharding", parsed.
struct SdySharding {
  struct Dim {
    std::vector<AxisRef> axes;
    bool closed = true, has_priority = false;
  };
  std::string mesh;  // the symbol; "" if the mesh is in place
  SdyMesh own_mesh;
  std::vector<Dim> dims;
  std::vector<AxisRef> replicated, unreduced;
};

class ShardingChecks {
 public:
  // `find_symbol` returns the op of a symbol of the module around an op, or none.
  using FindSymbol = std::function<OpId(std::string_view)>;
  // Takes a message without the name of the op.
  using Report = std::function<void(std::string message)>;
  ShardingChecks(const Module& module, FindSymbol find_symbol)
      : m_(module), find_symbol_(std::move(find_symbol)) {}

  // Returns whether a program has none, so that nothing need be checked.
  bool none() const { return !m_.strings.Find("sdy"); }
  // Checks the attributes of one op, and reports the first mistake.
  void Check(const Op& op, const Report& report);

 private:
  using Manual = std::vector<std::string_view>;  // axes
  bool CheckMesh(const SdyMesh& mesh, const Report& report) const;
  bool CheckValue(AttrId sharding, TypeId type, const Manual& manual, const Report& report);
  bool CheckList(AttrId shardings, std::span<const TypeId> types, const Manual& manual, const Report& report);
  bool CheckSharding(const SdySharding& sharding, TypeId type, const Manual& manual, const Report& report);
  // The values at one side of a manual computation: their shardings, and types outside and inside.
  struct LocalTypes {
    std::string_view what;
    const std::vector<SdySharding>* shardings;
    std::span<const TypeId> outside;
    std::vector<TypeId> inside;
  };
  bool CheckLocal(const LocalTypes& types, const std::vector<std::string>& manual, const Report& report);
  void CheckManual(const Op& op, const Report& report);
  void CheckNamed(const Op& op, std::span<const TypeId> operands, std::span<const TypeId> results,
                  const Report& report) const;
  void CheckFunction(const Op& op, const Report& report);
  void CheckRule(const Op& op, AttrId rule, const Report& report) const;
  const SdyMesh* MeshOf(const SdySharding& sharding);
  const std::vector<SdySharding>* ShardingsOf(AttrId attr, bool list);
  std::string_view Body(AttrId attr, std::string_view mnemonic) const;
  Manual ManualAround(const Op& op) const;

  const Module& m_;
  const FindSymbol find_symbol_;
  std::unordered_map<uint32_t, std::vector<SdySharding>> shardings_;  // by AttrId
  std::unordered_map<uint32_t, SdyMesh> meshes_;                      // by AttrId
};

}  // namespace shlo
