#include "prove/argument_uses.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <string_view>
#include <unordered_map>

#include "base/stack.h"
#include "eval/kernels/kernels.h"
#include "ir/module/symbols.h"
#include "ir/table/float_format.h"
#include "ir/table/ops.h"
#include "shlo/tensor.h"

namespace shlo {
namespace {

// Limits of the analysis: arguments per value, and visits of ops, of which each op has its share.
constexpr size_t kMaxOrigins = 4;
constexpr uint64_t kMaxVisits = 1u << 16, kMaxVisitsPerOp = 4;
constexpr uint64_t kWorkPerVisit = 1000;  // approximate nanoseconds
constexpr int kMaxDepth = 24;
// Limits of the numbers: elements per constant, and all.
constexpr uint64_t kNumbersPerConstant = 8;
constexpr size_t kMaxNumbers = 96;

// Use of an operand.
enum class Use : uint8_t {
  kMoved,       // the result has its elements, perhaps converted
  kIndices,     // index vectors, by an attribute that maps them to dimensions of operand 0
  kStart,       // start indices of a slice, one operand per dimension
  kBranch,      // selects a region
  kComparison,  // compared with the other operand
  kPositive,
  kUnit,
  kMatrix,
  kProduct,  // multiplied and summed
  kExtents,  // sizes of the result
};

// Rows are in the order of ops; `operand` -1 stands for all operands.
struct UseRow {
  std::string_view op;
  int operand;
  Use use;
};
constexpr UseRow kUses[] = {
    {"stablehlo.reshape", 0, Use::kMoved},
    {"stablehlo.transpose", 0, Use::kMoved},
    {"stablehlo.broadcast", 0, Use::kMoved},
    {"stablehlo.broadcast_in_dim", 0, Use::kMoved},
    {"stablehlo.convert", 0, Use::kMoved},
    {"stablehlo.slice", 0, Use::kMoved},
    {"stablehlo.concatenate", -1, Use::kMoved},
    {"stablehlo.reverse", 0, Use::kMoved},
    {"stablehlo.pad", 0, Use::kMoved},
    {"stablehlo.optimization_barrier", -1, Use::kMoved},
    {"stablehlo.tuple", -1, Use::kMoved},
    {"stablehlo.get_tuple_element", 0, Use::kMoved},
    {"stablehlo.uniform_dequantize", 0, Use::kMoved},
    {"stablehlo.dynamic_reshape", 0, Use::kMoved},
    {"stablehlo.dynamic_reshape", 1, Use::kExtents},
    {"stablehlo.dynamic_broadcast_in_dim", 0, Use::kMoved},
    {"stablehlo.dynamic_broadcast_in_dim", 1, Use::kExtents},
    {"stablehlo.dynamic_iota", 0, Use::kExtents},
    {"stablehlo.dynamic_pad", 0, Use::kMoved},
    {"stablehlo.dynamic_pad", 2, Use::kExtents},
    {"stablehlo.dynamic_pad", 3, Use::kExtents},
    {"stablehlo.dynamic_pad", 4, Use::kExtents},
    {"stablehlo.dynamic_conv", 2, Use::kExtents},
    {"stablehlo.real_dynamic_slice", 0, Use::kMoved},
    {"stablehlo.real_dynamic_slice", 1, Use::kExtents},
    {"stablehlo.real_dynamic_slice", 2, Use::kExtents},
    {"stablehlo.real_dynamic_slice", 3, Use::kExtents},
    {"stablehlo.set_dimension_size", 1, Use::kExtents},
    {"stablehlo.gather", 0, Use::kMoved},
    {"stablehlo.gather", 1, Use::kIndices},
    {"stablehlo.dynamic_gather", 0, Use::kMoved},
    {"stablehlo.dynamic_gather", 1, Use::kIndices},
    {"stablehlo.dynamic_gather", 2, Use::kExtents},
    {"stablehlo.torch_index_select", 1, Use::kIndices},
    {"stablehlo.scatter", -1, Use::kIndices},
    {"stablehlo.dynamic_slice", 0, Use::kMoved},
    {"stablehlo.dynamic_slice", -1, Use::kStart},
    {"stablehlo.dynamic_update_slice", 0, Use::kMoved},
    {"stablehlo.dynamic_update_slice", 1, Use::kMoved},
    {"stablehlo.dynamic_update_slice", -1, Use::kStart},
    {"stablehlo.case", 0, Use::kBranch},
    {"stablehlo.compare", -1, Use::kComparison},
    {"stablehlo.log", 0, Use::kPositive},
    {"stablehlo.log_plus_one", 0, Use::kPositive},
    {"stablehlo.sqrt", 0, Use::kPositive},
    {"stablehlo.rsqrt", 0, Use::kPositive},
    {"stablehlo.divide", 1, Use::kPositive},
    {"stablehlo.remainder", 1, Use::kPositive},
    {"stablehlo.power", 0, Use::kPositive},
    {"stablehlo.batch_norm_inference", 4, Use::kPositive},
    {"stablehlo.batch_norm_grad", 3, Use::kPositive},
    {"chlo.lgamma", 0, Use::kPositive},
    {"chlo.digamma", 0, Use::kPositive},
    {"chlo.polygamma", -1, Use::kPositive},
    {"chlo.zeta", -1, Use::kPositive},
    {"chlo.acosh", 0, Use::kPositive},
    {"chlo.acos", 0, Use::kUnit},
    {"chlo.asin", 0, Use::kUnit},
    {"chlo.atanh", 0, Use::kUnit},
    {"chlo.erf_inv", 0, Use::kUnit},
    {"stablehlo.cholesky", 0, Use::kMatrix},
    {"stablehlo.triangular_solve", 0, Use::kMatrix},
    {"stablehlo.dot_general", -1, Use::kProduct},
    {"stablehlo.dot", -1, Use::kProduct},
    {"stablehlo.convolution", -1, Use::kProduct},
    {"stablehlo.dynamic_conv", -1, Use::kProduct},
};

// Use of an operand by row of the op table and operand; -1 for all others.
class UseTable {
 public:
  UseTable() {
    for (const UseRow& row : kUses) uses_[FindOp(row.op).v].push_back(&row);
  }
  const UseRow* Find(RowId row, size_t operand) const {
    const auto found = uses_.find(row.v);
    if (found == uses_.end()) return nullptr;
    for (const UseRow* use : found->second)
      if (use->operand < 0 || size_t(use->operand) == operand) return use;
    return nullptr;
  }

 private:
  std::unordered_map<uint32_t, std::vector<const UseRow*>> uses_;
};

std::vector<int64_t> ShapeOf(const Module& module, TypeId type) {
  const auto tensor = module.As<TensorType>(type);
  return tensor ? std::vector<int64_t>(tensor->shape.begin(), tensor->shape.end()) : std::vector<int64_t>();
}

bool IsIntegerTensor(const Module& module, TypeId type) {
  const auto tensor = module.As<TensorType>(type);
  const auto element = tensor ? ElementTypeOf(module, tensor->element) : std::nullopt;
  return element && element->is_integer();
}

void AddNumber(const Tensor& tensor, uint64_t i, std::vector<Number>* out) {
  const ElementType element = tensor.element();
  if (element.is_bool()) return;
  for (int part = 0; part <= int(element.complex); ++part) {
    const uint64_t bits = ElementBits(tensor, i, part);
    if (IsFloat(element.kind)) {
      const double value = DecodeFloat(element.kind, bits);
      if (!std::isnan(value)) out->push_back({.is_float = true, .integer = 0, .real = value});
      continue;
    }
    const int unused = 64 - BitWidth(element.kind);
    const int64_t value = element.is_unsigned() ? int64_t(bits) : int64_t(bits << unused) >> unused;
    out->push_back({.is_float = false, .integer = value, .real = 0});
  }
}

// How close a value is to an argument that it comes from.
enum class Distance : uint8_t {
  kDirect,    // its elements are those of the argument
  kShifted,   // the same, plus or times constants
  kMirrored,  // a constant minus elements of the argument
  kDerived,   // results of arithmetic
};

// A value that comes from an argument.
struct Origin {
  uint32_t argument;
  Distance distance;
};
using Origins = std::vector<Origin>;

class Analysis {
 public:
  Analysis(const Module& module, OpId function) : m_(module) {
    const auto regions = m_.RegionsOf(m_.ops[function.v]);
    if (regions.size() != 1 || m_.BlocksOf(regions[0]).size() != 1) return;
    const BlockId block = m_.BlocksOf(regions[0])[0];
    uses.resize(m_.blocks[block.v].args.count);
    for (uint32_t i = 0; i < uses.size(); ++i) from_[m_.ArgOf(block, i).v] = {{i, Distance::kDirect}};
    Visit(block, false, 0);
  }
  std::vector<ArgumentUse> uses;
  uint64_t work() const { return visits_ * kWorkPerVisit; }

 private:
  const Origins& Of(ValueId value) const {
    static const Origins none;
    const auto found = from_.find(value.v);
    return found == from_.end() ? none : found->second;
  }
  // Adds the origins of an operand to a value that is at `distance` from it. Returns whether that changes it.
  bool Add(ValueId value, const Origins& origins, Distance distance) {
    if (origins.empty()) return false;
    Origins& to = from_[value.v];
    bool changed = false;
    for (const Origin& o : origins) {
      const Distance sum = o.distance == Distance::kMirrored && distance == Distance::kMirrored
                               ? Distance::kShifted
                               : std::max(o.distance, distance);
      const auto same =
          std::find_if(to.begin(), to.end(), [&](const Origin& t) { return t.argument == o.argument; });
      if (same != to.end() ? same->distance <= sum : to.size() >= kMaxOrigins) continue;
      changed = true;
      if (same != to.end())
        same->distance = sum;
      else
        to.push_back({o.argument, sum});
    }
    return changed;
  }

  void Visit(BlockId block, bool in_condition, int depth) {
    for (OpId id : m_.OpsOf(block)) {
      if (visits_ >= kMaxVisits + kMaxVisitsPerOp * m_.ops.size()) return;
      ++visits_;
      VisitOp(m_.ops[id.v], in_condition, depth);
    }
  }

  void VisitOp(const Op& op, bool in_condition, int depth) {
    CheckStack();
    const auto operands = m_.OperandsOf(op);
    if (!m_.RevisionIdOf(op)) {  // such as sdy.sharding_constraint
      if (operands.size() == m_.NumResults(op))
        for (uint32_t i = 0; i < m_.NumResults(op); ++i)
          Add(m_.ResultOf(op, i), Of(operands[i]), Distance::kDirect);
      return;
    }
    const RowId row = RevisionOf(m_.RevisionIdOf(op)).row;
    for (size_t i = 0; i < operands.size(); ++i) {
      const Origins origins = Of(operands[i]);
      if (origins.empty()) continue;
      if (const UseRow* use = table_.Find(row, i)) Record(op, *use, i, origins, in_condition);
    }
    const auto regions = m_.RegionsOf(op);
    if (!regions.empty()) return VisitRegions(op, regions, depth);
    std::string_view callee;
    if (RowOf(row).refers)
      for (std::string_view name : {"callee", "decomposition"})
        if (const AttrId attr = m_.InherentAttrOf(op, name)) m_.AsSymbol(attr, &callee);
    if (!callee.empty()) return VisitCall(op, callee, depth);
    if (m_.NumResults(op) != 1) return;
    const ValueId result = m_.ResultOf(op, 0);
    const std::string_view name = RowOf(m_.RevisionIdOf(op)).name;
    if (name == "stablehlo.select" && operands.size() == 3) {
      for (size_t i : {1, 2}) Add(result, Of(operands[i]), Distance::kDirect);
    } else if (KernelOf(m_.RevisionIdOf(op)).picker) {
      // Arithmetic on indices gives indices. Other numbers are followed as long as the rest is constant.
      const bool integers = IsIntegerTensor(m_, m_.TypeOf(result));
      for (size_t i = 0; i < operands.size(); ++i) {
        const Distance distance = ByConstant(op, name, i);
        if (integers || distance != Distance::kDerived) Add(result, Of(operands[i]), distance);
      }
    }
  }

  // Returns how the result of arithmetic relates to an operand, if the other one is constant.
  Distance ByConstant(const Op& op, std::string_view name, size_t operand) const {
    const auto operands = m_.OperandsOf(op);
    if (operands.size() != 2) return Distance::kDerived;
    const Op* other = Source(operands[1 - operand]);
    if (!other || !m_.Is(*other, ops::kConstant)) return Distance::kDerived;
    if (name == "stablehlo.subtract") return operand == 0 ? Distance::kShifted : Distance::kMirrored;
    const bool shifts = name == "stablehlo.add" || name == "stablehlo.multiply" ||
                        name == "stablehlo.maximum" || (name == "stablehlo.divide" && operand == 0);
    return shifts ? Distance::kShifted : Distance::kDerived;
  }

  void VisitCall(const Op& op, std::string_view callee, int depth) {
    if (depth > kMaxDepth) return;
    const OpId function = FunctionNamed(callee);
    if (!function) return;
    const auto regions = m_.RegionsOf(m_.ops[function.v]);
    if (regions.size() != 1 || m_.BlocksOf(regions[0]).size() != 1) return;
    VisitBody(op, m_.BlocksOf(regions[0])[0], false, depth, [](size_t arg, size_t, size_t) { return arg; });
  }

  // Returns whether a visit would find what an earlier one has found, which went as deep. Calls of calls
  // would double the visits otherwise.
  bool IsKnown(BlockId body, bool changed, int depth) {
    const auto [known, inserted] = depths_.emplace(body.v, depth);
    if (!inserted && !changed && known->second <= depth) return true;
    known->second = std::min(known->second, depth);
    return false;
  }

  void VisitRegions(const Op& op, std::span<const RegionId> regions, int depth) {
    if (depth > kMaxDepth) return;
    const bool loop = RowOf(m_.RevisionIdOf(op)).name == "stablehlo.while";
    const bool sorts = RowOf(m_.RevisionIdOf(op)).name == "stablehlo.sort";
    for (size_t r = 0; r < regions.size(); ++r) {
      if (m_.BlocksOf(regions[r]).size() != 1) continue;
      VisitBody(op, m_.BlocksOf(regions[r])[0], loop && r == 0, depth,
                [&](size_t arg, size_t, size_t operands) {
                  return sorts ? arg / 2 : arg % std::max<size_t>(operands, 1);
                });
    }
  }

  // Arguments of the block come from operands, results of the op from those of the terminator.
  template <typename OperandOf>
  void VisitBody(const Op& op, BlockId block, bool in_condition, int depth, OperandOf operand_of) {
    const auto operands = m_.OperandsOf(op);
    const uint32_t args = m_.blocks[block.v].args.count;
    bool changed = m_.RegionsOf(op).size() > 0;  // regions use values from around them, too
    for (uint32_t i = 0; i < args; ++i) {
      const size_t from = operand_of(i, args, operands.size());
      if (from < operands.size()) changed |= Add(m_.ArgOf(block, i), Of(operands[from]), Distance::kDirect);
    }
    if (!IsKnown(block, changed, depth)) Visit(block, in_condition, depth + 1);
    const auto ops = m_.OpsOf(block);
    if (ops.empty()) return;
    const auto returned = m_.OperandsOf(m_.ops[ops.back().v]);
    if (returned.size() == m_.NumResults(op))
      for (uint32_t i = 0; i < m_.NumResults(op); ++i)
        Add(m_.ResultOf(op, i), Of(returned[i]), Distance::kDerived);
  }

  OpId FunctionNamed(std::string_view name) {
    if (functions_.empty() && m_.top) functions_ = SymbolsOf(m_);
    const auto found = functions_.find(name);
    return found == functions_.end() ? OpId() : found->second;
  }

  // Returns the op that computes a value, looking through broadcasts; nullptr for an argument.
  const Op* Source(ValueId value) const {
    for (int i = 0; i < 4; ++i) {
      const OpId id = m_.values[value.v].op;
      if (!id) return nullptr;
      const Op& op = m_.ops[id.v];
      if (!m_.RevisionIdOf(op)) return nullptr;
      const std::string_view name = RowOf(m_.RevisionIdOf(op)).name;
      if (m_.OperandsOf(op).size() != 1 || (name != "stablehlo.broadcast_in_dim" &&
                                            name != "stablehlo.reshape" && name != "stablehlo.convert"))
        return &op;
      value = m_.OperandsOf(op)[0];
    }
    return nullptr;
  }

  void Record(const Op& op, const UseRow& row, size_t operand, const Origins& origins, bool in_condition) {
    const auto operands = m_.OperandsOf(op);
    const auto bound = [&](int64_t size) {
      if (size != kDynamic)
        for (const Origin& o : origins) AddBound(uses[o.argument], size);
    };
    const auto mark = [&](bool ArgumentUse::*flag, Distance most = Distance::kDirect) {
      for (const Origin& o : origins)
        if (o.distance <= most) uses[o.argument].*flag = true;
    };
    switch (row.use) {
      case Use::kMoved:
        for (uint32_t i = 0; i < m_.NumResults(op); ++i)
          if (m_.NumResults(op) == 1 || i == operand) Add(m_.ResultOf(op, i), origins, Distance::kDirect);
        return;
      case Use::kIndices: {
        const size_t at = row.operand < 0 ? operands.size() / 2 : size_t(row.operand);
        if (operand != at) return;
        const std::vector<int64_t> shape = ShapeOf(m_, m_.TypeOf(operands[0]));
        std::vector<int64_t> map, sizes;
        if (!m_.AsI64s(
                m_.InherentAttrOf(op, row.operand < 0 ? "scatter_dims_to_operand_dims" : "start_index_map"),
                &map))
          map.assign(1, 0);
        m_.AsI64s(m_.InherentAttrOf(op, "slice_sizes"), &sizes);
        for (int64_t d : map) {
          if (d < 0 || size_t(d) >= shape.size() || shape[size_t(d)] == kDynamic) continue;
          bound(shape[size_t(d)] - (sizes.size() == shape.size() ? sizes[size_t(d)] - 1 : 0));
        }
        return;
      }
      case Use::kStart: {
        const std::vector<int64_t> shape = ShapeOf(m_, m_.TypeOf(operands[0]));
        const size_t first = operands.size() - shape.size();
        if (operand < first || operand - first >= shape.size() || shape[operand - first] == kDynamic) return;
        const size_t d = operand - first;
        std::vector<int64_t> sizes;
        if (!m_.AsI64s(m_.InherentAttrOf(op, "slice_sizes"), &sizes) && first == 2)
          sizes = ShapeOf(m_, m_.TypeOf(operands[1]));
        return bound(shape[d] - (d < sizes.size() && sizes[d] != kDynamic ? sizes[d] - 1 : 0));
      }
      case Use::kBranch:
        return bound(int64_t(m_.RegionsOf(op).size()));
      case Use::kComparison: {
        if (operands.size() != 2) return;
        const Op* other = Source(operands[1 - operand]);
        if (other && RowOf(m_.RevisionIdOf(*other)).name == "stablehlo.constant") {
          const Result<Tensor> value = TensorFromAttr(m_, m_.InherentAttrOf(*other, "value"));
          if (!value || value->count() == 0) return;
          for (const Origin& o : origins)
            for (uint64_t i = 0; i < (value->splat() ? 1 : std::min(value->count(), kNumbersPerConstant));
                 ++i)
              AddNumber(*value, i, &uses[o.argument].compared);
        } else if (other && RowOf(m_.RevisionIdOf(*other)).name == "stablehlo.iota") {
          int64_t dimension = 0;
          const std::vector<int64_t> shape = ShapeOf(m_, m_.TypeOf(m_.ResultOf(*other, 0)));
          if (m_.AsInteger(m_.InherentAttrOf(*other, "iota_dimension"), &dimension) && dimension >= 0 &&
              size_t(dimension) < shape.size())
            bound(shape[size_t(dimension)]);
        } else if (in_condition && IsIntegerTensor(m_, m_.TypeOf(operands[operand]))) {
          for (const Origin& o : origins) uses[o.argument].count = true;
        }
        return;
      }
      case Use::kPositive:
        for (const Origin& o : origins)  // such as log(1 - x)
          if (o.distance == Distance::kMirrored) uses[o.argument].probability = true;
        return mark(&ArgumentUse::positive, Distance::kShifted);
      case Use::kUnit:
        return mark(&ArgumentUse::unit);
      case Use::kMatrix:
        return mark(&ArgumentUse::matrix);
      case Use::kProduct: {
        // Weights are the second operand as a rule. If only the first is an argument, it is scaled.
        if (operands.size() < 2 || operand > 1 || (operand == 0 && !Of(operands[1]).empty())) return;
        const uint64_t products = Products(op);
        for (const Origin& o : origins)
          if (o.distance == Distance::kDirect)
            uses[o.argument].fan_in = std::max(uses[o.argument].fan_in, products);
        return;
      }
      case Use::kExtents: {
        std::vector<int64_t> sizes = ShapeOf(m_, m_.TypeOf(m_.ResultOf(op, 0)));
        const std::vector<int64_t> own = ShapeOf(m_, m_.TypeOf(operands[operand]));
        const bool whole = row.op != "stablehlo.dynamic_pad" && row.op != "stablehlo.real_dynamic_slice" &&
                           own.size() == 1 && own[0] == int64_t(sizes.size());
        if (!whole) sizes.assign(1, kDynamic);
        for (const Origin& o : origins) {
          ArgumentUse& use = uses[o.argument];
          if (use.extents.empty())
            use.extents = o.distance == Distance::kDirect ? sizes : std::vector<int64_t>{kDynamic};
        }
        return;
      }
    }
  }

  static void AddBound(ArgumentUse& use, int64_t size) {
    constexpr size_t kMaxBounds = 8;
    if (use.bounds.size() < kMaxBounds &&
        std::find(use.bounds.begin(), use.bounds.end(), size) == use.bounds.end())
      use.bounds.push_back(size);
  }

  // Number of products in a sum of a contraction: elements of the operand, over those that are in no sum.
  uint64_t Products(const Op& op) const {
    const auto operands = m_.OperandsOf(op);
    const std::vector<int64_t> lhs = ShapeOf(m_, m_.TypeOf(operands[0])),
                               rhs = ShapeOf(m_, m_.TypeOf(operands[1]));
    double products = 1;
    std::vector<int64_t> dimensions;
    int64_t feature = 0;
    if (m_.AsI64s(m_.InherentAttrOf(op, "lhs_contracting_dimensions"), &dimensions)) {
      for (int64_t d : dimensions)
        if (d >= 0 && size_t(d) < lhs.size() && lhs[size_t(d)] != kDynamic)
          products *= double(lhs[size_t(d)]);
    } else if (m_.AsInteger(m_.InherentAttrOf(op, "kernel_output_feature_dimension"), &feature)) {
      for (size_t d = 0; d < rhs.size(); ++d)
        if (int64_t(d) != feature && rhs[d] != kDynamic) products *= double(rhs[d]);
    } else if (!lhs.empty() && lhs.back() != kDynamic) {
      products = double(lhs.back());
    }
    return uint64_t(std::clamp(products, 1.0, 0x1p40));
  }

  const Module& m_;
  const UseTable table_;
  std::unordered_map<uint32_t, Origins> from_;  // by value
  std::unordered_map<std::string_view, OpId> functions_;
  std::unordered_map<uint32_t, int> depths_;  // by block: the lowest depth of a visit
  uint64_t visits_ = 0;
};

// Counts of the numbers of a program, in program order.
struct NumberCounts {
  std::vector<Number> constants;                         // in program order
  std::map<std::pair<int64_t, double>, int64_t> counts;  // of all numbers; floats by value
};

std::pair<int64_t, double> KeyOf(const Number& n) {
  // -0 and 0 are different numbers.
  return n.is_float ? std::pair(int64_t(std::signbit(n.real)) + INT64_MIN, n.real)
                    : std::pair(n.integer, 0.5);
}

void CountNumbers(const Module& module, int64_t sign, NumberCounts* out) {
  std::vector<int64_t> list;
  std::vector<Number> numbers;
  for (uint32_t i = 1; i < module.ops.size(); ++i) {
    const Op& op = module.ops[i];
    if (!module.RevisionIdOf(op)) continue;
    if (RowOf(module.RevisionIdOf(op)).name == "stablehlo.constant") {
      const Result<Tensor> value = TensorFromAttr(module, module.InherentAttrOf(op, "value"));
      if (!value || value->count() == 0) continue;
      numbers.clear();
      for (uint64_t e = 0; e < (value->splat() ? 1 : std::min(value->count(), kNumbersPerConstant)); ++e)
        AddNumber(*value, e, &numbers);
      for (const Number& n : numbers) out->counts[KeyOf(n)] += sign;
      out->constants.insert(out->constants.end(), numbers.begin(), numbers.end());
      continue;
    }
    for (AttrId attr : module.InherentAttrsOf(op)) {
      int64_t value = 0;
      list.clear();
      if (!attr) continue;
      if (module.AsInteger(attr, &value))
        list.push_back(value);
      else if (!module.AsI64s(attr, &list) || list.size() > 64)
        continue;
      for (int64_t v : list) out->counts[KeyOf({.is_float = false, .integer = v, .real = 0})] += sign;
    }
  }
}

}  // namespace

std::vector<ArgumentUse> ArgumentUses(const Module& module, OpId function, uint64_t* work) {
  Analysis analysis(module, function);
  if (work) *work += analysis.work();
  return std::move(analysis.uses);
}

void MergeUses(std::vector<ArgumentUse>* uses, std::vector<ArgumentUse> more) {
  for (size_t i = 0; i < std::min(uses->size(), more.size()); ++i) {
    ArgumentUse &to = (*uses)[i], &from = more[i];
    for (int64_t bound : from.bounds)
      if (std::find(to.bounds.begin(), to.bounds.end(), bound) == to.bounds.end()) to.bounds.push_back(bound);
    if (to.extents.empty()) to.extents = std::move(from.extents);
    for (const Number& n : from.compared)
      if (std::find(to.compared.begin(), to.compared.end(), n) == to.compared.end()) to.compared.push_back(n);
    to.count = to.count || from.count;
    to.positive = to.positive || from.positive;
    to.unit = to.unit || from.unit;
    to.probability = to.probability || from.probability;
    to.matrix = to.matrix || from.matrix;
    to.fan_in = std::max(to.fan_in, from.fan_in);
  }
}

std::vector<Number> NumbersOf(const Module& a, const Module& b) {
  NumberCounts counts;
  CountNumbers(a, 1, &counts);
  CountNumbers(b, -1, &counts);
  std::vector<Number> out;
  std::map<std::pair<int64_t, double>, bool> seen;
  const auto add = [&](const Number& n) {
    if (out.size() < kMaxNumbers && seen.emplace(KeyOf(n), true).second) out.push_back(n);
  };
  for (const auto& [key, count] : counts.counts) {
    if (count == 0) continue;
    if (key.second == 0.5 && key.first > INT64_MIN + 1)
      add({.is_float = false, .integer = key.first, .real = 0});
    else
      add({.is_float = true, .integer = 0, .real = key.second});
  }
  for (const Number& n : counts.constants) add(n);
  return out;
}

}  // namespace shlo
