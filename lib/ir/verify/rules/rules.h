// The specification's constraints on an op, as functions of an OpCheck. Every rule follows its section of the
// specification, with the label of each constraint (C1, I2, ...) next to its check, and reports in the words
// of the reference tool. Used by the verifier only.
#pragma once

#include <algorithm>
#include <initializer_list>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/format.h"
#include "ir/module/cells.h"
#include "shlo/module.h"
#include "shlo/types.h"

namespace shlo {

// Small-vector of dimensions.
class Dims {
 public:
  Dims() = default;
  explicit Dims(std::span<const int64_t> values) {
    for (int64_t v : values) push_back(v);
  }
  Dims(size_t count, int64_t value) {
    for (size_t i = 0; i < count; ++i) push_back(value);
  }
  void push_back(int64_t value) {
    if (size_ < kInline)
      inline_[size_] = value;
    else {
      if (size_ == kInline) spilled_.assign(inline_, inline_ + kInline);
      spilled_.push_back(value);
    }
    ++size_;
  }
  void append(std::span<const int64_t> values) {
    for (int64_t v : values) push_back(v);
  }
  void clear() {
    size_ = 0;
    spilled_.clear();
  }
  size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  int64_t* data() { return size_ > kInline ? spilled_.data() : inline_; }
  const int64_t* data() const { return size_ > kInline ? spilled_.data() : inline_; }
  int64_t& operator[](size_t i) { return data()[i]; }
  int64_t operator[](size_t i) const { return data()[i]; }
  operator std::span<const int64_t>() const { return {data(), size_}; }

 private:
  static constexpr size_t kInline = 10;
  int64_t inline_[kInline];
  size_t size_ = 0;
  std::vector<int64_t> spilled_;
};

using DimSpan = std::span<const int64_t>;

// Integers of an elements attribute, read one at a time.
class IntElements {
 public:
  IntElements() = default;
  IntElements(const Module& module, AttrId attr);
  bool ok() const { return ok_; }
  uint64_t size() const { return size_; }
  int64_t operator[](uint64_t i) const;
  std::span<const int64_t> shape() const { return shape_; }
  bool splat() const { return splat_; }

 private:
  bool ok_ = false, splat_ = false;
  uint64_t size_ = 0;
  uint32_t bytes_ = 0;
  const uint8_t* data_ = nullptr;
  std::span<const int64_t> shape_;
};

// Element type that may not be interned.
struct ElementRef {
  TypeId type;                         // or, if none:
  TypeKind kind = TypeKind::kInvalid;  // a builtin type
  bool complex = false;                // complex<type or kind>
  static ElementRef Kind(TypeKind kind) { return {{}, kind, false}; }
  static ElementRef ComplexOf(TypeId type) { return {type, TypeKind::kInvalid, true}; }
};

// An inferred result type. It is compared part by part, because inference does not intern types.
struct Inferred {
  TypeId type;  // the whole type, or, if none, a tensor of these parts:
  bool ranked = true;
  Dims shape;
  Dims bounds;      // empty: keep `encoding`
  AttrId encoding;  // of an operand
  ElementRef element;
};

// Verification context of one op. Rules return whether the op is valid; Fail reports and returns false.
class OpCheck {
 public:
  // Anchor of a diagnostic: the op, an attribute, or the dictionary around an attribute. `reference` is set
  // if the diagnostic is about a symbol that the op refers to.
  struct About {
    std::string_view attribute;
    bool dictionary = false;
    bool reference = false;
  };
  struct Sink {
    virtual ~Sink() = default;
    virtual void Constraint(OpId op, std::string message, std::string hint, const About& about) = 0;
    // Reports a violated constraint that the reference tool does not check.
    virtual void Beyond(OpId op, std::string message, std::string hint) = 0;
    // Says something about a valid op.
    virtual void Note(OpId op, std::string message, std::string hint) = 0;
    // Reports a violation of MLIR's rules.
    virtual void Invalid(OpId op, std::string message, std::string hint) = 0;
    // Returns the op of a symbol of the module, or none.
    virtual OpId FindSymbol(std::string_view name) const = 0;
  };

  OpCheck(const Module& module, Sink& sink, std::vector<Inferred>& scratch)
      : m(module), sink_(sink), inferred_(scratch) {}
  void Begin(OpId id) {
    id_ = id;
    op_ = &m.ops[id.v];
    shape_ = &RevisionOf(ShapeOf(m, *op_));
    operands_ = m.OperandsOf(*op_);
    num_inferred_ = 0;
    settled_ = false;
    saw_others_ = false;
    about_ = {};
  }
  // Marks the following diagnostics as being about symbols that the op refers to.
  void BeginReferences() { about_.reference = true; }

  const Module& m;
  OpId id() const { return id_; }
  const Op& op() const { return *op_; }
  const OpRevision& revision() const { return *shape_; }

  // --- Operands, results, attributes ------------------------------------------------------------
  size_t num_operands() const { return operands_.size(); }
  size_t num_results() const { return m.NumResults(*op_); }
  std::span<const TypeId> in_types() const { return m.SignatureOf(*op_).operand_types; }
  std::span<const TypeId> out_types() const { return m.SignatureOf(*op_).result_types; }
  TypeId in(size_t i) const { return m.TypeOf(operands_[i]); }
  TypeId out(size_t i) const { return m.TypeOf(ValueId(uint32_t(op_->first_result + i))); }
  ShapedType In(size_t i) const { return ShapedType(m, in(i)); }
  ShapedType Out(size_t i = 0) const { return ShapedType(m, out(i)); }
  TypeId in_element(size_t i) const { return ElementOf(m, in(i)); }
  TypeId out_element(size_t i = 0) const { return ElementOf(m, out(i)); }

  // Returns the written value of an attribute, or none if it is absent or the revision does not have it.
  AttrId Attr(std::string_view name) const {
    const int slot = shape_->FindSlot(name);
    return slot < 0 ? AttrId() : AttrAt(size_t(slot));
  }
  // As above, by the index in revision().attrs. An op without a row has the attribute among its others.
  AttrId AttrAt(size_t slot) const {
    const OpSignature signature = m.SignatureOf(*op_);
    return signature.revision ? signature.inherent_attrs[slot]
                              : m.AttributeOf(*op_, shape_->attrs[slot].name);
  }
  bool Has(std::string_view name) const { return bool(Attr(name)); }
  int64_t Int(std::string_view name, int64_t absent = 0) const;
  bool Flag(std::string_view name) const;
  // A list of integers; empty if absent.
  DimSpan Ints(std::string_view name) const;
  size_t ArraySize(std::string_view name) const;
  // Integers of a constant operand; not ok if it is not constant.
  IntElements Constant(size_t operand);
  // Whether the checks since Begin depend on ops other than this one and those in its regions.
  bool saw_others() const { return saw_others_; }

  // --- Regions ----------------------------------------------------------------------------------
  size_t num_regions() const { return op_->regions.count; }
  bool HasBlock(size_t region) const;
  const Block& BlockOf(size_t region) const;  // its first block
  std::span<const OpId> OpsOf(size_t region) const {
    return m.OpsOf(m.BlocksOf(m.RegionsOf(*op_)[region])[0]);
  }
  size_t num_args(size_t region) const { return HasBlock(region) ? BlockOf(region).args.count : 0; }
  TypeId arg(size_t region, size_t i) const {
    return m.TypeOf(ValueId(uint32_t(BlockOf(region).args.first + i)));
  }
  std::vector<TypeId> arg_types(size_t region) const;
  // The types of the operands of the last op of a region's block; empty if there is none.
  std::span<const TypeId> Returned(size_t region) const;

  // --- Diagnostics ------------------------------------------------------------------------------
  // The label names a constraint of the op in schema/constraints.inc ("C5"), which the hint states. Empty if
  // there is no row for the constraint.
  template <typename... Args>
  bool Fail(std::string_view label, fmt::format_string<Args...> format, Args&&... args) {
    sink_.Constraint(id_, StrFormat(format, std::forward<Args>(args)...), HintOf(label), about_);
    return false;
  }
  // As above; the message begins with the name of the op: "'stablehlo.add' op ".
  template <typename... Args>
  bool FailOp(std::string_view label, fmt::format_string<Args...> format, Args&&... args) {
    sink_.Constraint(id_, OpPrefix() + StrFormat(format, std::forward<Args>(args)...), HintOf(label), about_);
    return false;
  }
  // As above, for a constraint that the reference tool does not check: the op may be valid, and checks go on.
  template <typename... Args>
  void Beyond(std::string_view label, fmt::format_string<Args...> format, Args&&... args) {
    sink_.Beyond(id_, OpPrefix() + StrFormat(format, std::forward<Args>(args)...), HintOf(label));
  }
  // Says something about a valid op.
  void Note(std::string_view message, std::string_view hint) {
    sink_.Note(id_, OpPrefix().append(message), std::string(hint));
  }
  // As FailOp, for a relation between operands and results that a trait of the op requires.
  template <typename... Args>
  bool FailRelation(fmt::format_string<Args...> format, Args&&... args) {
    sink_.Constraint(id_, OpPrefix() + StrFormat(format, std::forward<Args>(args)...), HintOfRelations(),
                     about_);
    return false;
  }
  // Reports that no result type can be inferred from the operands.
  template <typename... Args>
  bool FailInference(fmt::format_string<Args...> format, Args&&... args) {
    sink_.Constraint(id_, StrFormat(format, std::forward<Args>(args)...), HintOfInference(), about_);
    return false;
  }
  // Reports an attribute that the reference checks while it parses the dictionary.
  template <typename... Args>
  bool FailInDictionary(std::string_view attribute, fmt::format_string<Args...> format, Args&&... args) {
    sink_.Constraint(id_, OpPrefix() + StrFormat(format, std::forward<Args>(args)...), {}, {attribute, true});
    return false;
  }
  // Reports at the place of an attribute.
  template <typename... Args>
  bool FailAt(std::string_view label, std::string_view attribute, fmt::format_string<Args...> format,
              Args&&... args) {
    sink_.Constraint(id_, StrFormat(format, std::forward<Args>(args)...), HintOf(label), {attribute});
    return false;
  }
  // Reports a violation of MLIR's rules, not of the specification's constraints.
  template <typename... Args>
  bool Invalid(fmt::format_string<Args...> format, Args&&... args) {
    sink_.Invalid(id_, OpPrefix() + StrFormat(format, std::forward<Args>(args)...), {});
    return false;
  }
  bool InvalidWithHint(std::string message, std::string hint) {
    sink_.Invalid(id_, OpPrefix() + message, std::move(hint));
    return false;
  }
  // Reports that the result types differ from the inferred types.
  bool Mismatch(std::string_view types) {
    sink_.Constraint(id_,
                     StrFormat("{}inferred type(s) {} are incompatible with return type(s) of operation {}",
                               OpPrefix(), types, Types(out_types())),
                     HintOfInference(), about_);
    return false;
  }
  std::string OpPrefix() const { return StrFormat("'{}' op ", m.NameOf(*op_)); }

  // Parts of messages: "'tensor<2xf32>'", "'a', 'b'", "1, 2, 3", "[1, ?]".
  std::string T(TypeId type) const;
  std::string T(const Inferred& type) const;
  std::string Types(std::span<const TypeId> types) const;
  static std::string List(DimSpan dims);
  static std::string Sizes(DimSpan dims);
  std::string A(AttrId attr) const;

  OpId FindSymbol(std::string_view name) {
    saw_others_ = true;
    return sink_.FindSymbol(name);
  }

  // --- Inference --------------------------------------------------------------------------------
  // Adds a result type.
  void Infer(TypeId type);
  Inferred& InferTensor(DimSpan revision, ElementRef element);
  // Adds a tensor type with an encoding, or with bounds instead of it.
  void InferTensor(DimSpan revision, ElementRef element, AttrId encoding);
  void InferTensor(DimSpan revision, ElementRef element, AttrId encoding, DimSpan bounds);
  // Skips the comparison of the result types: the rule compared them itself, or does not constrain them.
  bool Settle() {
    settled_ = true;
    return true;
  }
  bool settled() const { return settled_; }
  std::span<Inferred> inferred() { return {inferred_.data(), num_inferred_}; }

 private:
  Inferred& NewInferred();
  // "C5 of gather: offset_dims in [0, rank(result))".
  std::string HintOf(std::string_view label) const;
  std::string HintOfRelations() const;
  std::string HintOfInference() const;

  Sink& sink_;
  OpId id_;
  const Op* op_ = nullptr;
  const OpRevision* shape_ = nullptr;
  std::span<const ValueId> operands_;
  std::vector<Inferred>& inferred_;
  size_t num_inferred_ = 0;
  bool settled_ = false;
  bool saw_others_ = false;
  About about_;
};

using RuleFn = bool (*)(OpCheck&);
struct RuleRow {
  RuleFn invariant = nullptr;
  RuleFn verify = nullptr;
  RuleFn infer = nullptr;
};
const RuleRow& RowOf(Rule rule);

// The functions of schema/rules.inc. None means no function.
#define SHLO_RULE(name, invariant, verify, infer) \
  bool invariant(OpCheck&);                       \
  bool verify(OpCheck&);                          \
  bool infer(OpCheck&);
#include "schema/rules.inc"
// The most specific type of the operands; of all ops whose types are compatible.
bool InferMostSpecific(OpCheck& c);

}  // namespace shlo
