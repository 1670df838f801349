#include "ir/verify/type_class.h"

#include <algorithm>
#include <array>

#include "ir/table/type_class.h"
#include "shlo/types.h"

namespace shlo {
namespace {

// Classes of elements, and of types that have none, with the words of messages.
enum Element : uint8_t {
  Fp,
  Fp32Or64,
  Pred,
  Int,
  SInt,
  I32,
  UI32,
  Complex,
  Quant,
  QuantPerAxis,
  Dimension,
  AnyInteger,
  Index,
  NonEmptyInteger,
  FixedInteger,
  SignlessInteger,
  AnyFloat,
  AnyElement,
  Shape,
  Size,
  ValueShape,
  Witness,
  ProgramToken,
  kNumElements,
};
constexpr std::string_view kElementWords[kNumElements] = {
    "4/6/8/16/32/64-bit float",
    "32/64-bit float",
    "bool",
    "2/4/8/16/32/64-bit integer",
    "2/4/8/16/32/64-bit signless integer",
    "32-bit signless integer",
    "32-bit unsigned integer",
    "complex type with 32/64-bit float elements",
    "per-tensor integer quantized",
    "per-axis integer quantized",
    "index or 2/4/8/16/32/64-bit integer",
    "integer",
    "index",
    "signless-non-zero-bitwidth-integer",
    "signless-fixed-width-integer",
    "signless integer",
    "floating-point",
    "any non-token type",
    "shape",
    "size",
    "value shape",
    "witness",
    "Token for establishing execution ordering in a graph",
};

enum Container : uint8_t {
  kRanked,
  kScalar,
  kVector,
  kStatic,
  kStaticVector,
  kStaticIntVector,
  kStaticIntMatrix,
  kStaticOrBounded,
  kAnyRank,
  kBuffer,
  kWithDims,
  kShapedAny,
  kExtents,
  kIntBuffer,
  kLike,
  kPlain,
  kTokens,
  kFutures,
  kTuples,
  kNumContainers,
};
// How a message combines the words of a container and its elements.
enum class Phrase : uint8_t {
  kOfValues,   // "tensor of index values"
  kContainer,  // "extent tensor": the words of the elements are left out
  kLike,       // "bool-like": the words of the container are left out
  kElement,    // "index"
};
struct ContainerRow {
  std::string_view words;
  Phrase phrase = Phrase::kOfValues;
};
constexpr ContainerRow kContainers[kNumContainers] = {
    {"ranked tensor"},
    {"0D tensor"},
    {"1D tensor"},
    {"statically shaped tensor"},
    {"statically shaped 1-dimensional tensor"},
    {"statically shaped 1-dimensional integer tensor"},
    {"statically shaped 2-dimensional integer tensor"},
    {"statically shaped or single bounded dimension tensor"},
    {"tensor"},
    {"memref"},
    {"non-0-ranked or unranked tensor", Phrase::kContainer},
    {"shaped"},  // a tensor, vector or memref
    {"extent tensor", Phrase::kContainer},
    {"memref of signless-integer", Phrase::kContainer},
    {"", Phrase::kLike},  // the element type itself, or a vector or tensor of it
    {"", Phrase::kElement},
    {"token"},
    {"future"},
    {"nested tuple with any combination"},
};

struct Alternative {
  Container container{};
  uint8_t num_elements = 0;
  std::array<Element, 6> elements{};
  TypeClass members{};  // of a tuple
  constexpr uint32_t mask() const {
    uint32_t bits = 0;
    for (uint8_t i = 0; i < num_elements; ++i) bits |= 1u << elements[i];
    return bits;
  }
};
struct ClassRow {
  uint8_t num_alternatives = 0;
  std::array<Alternative, 6> alternatives{};
};

template <typename... Elements>
constexpr Alternative Of(Container container, Elements... elements) {
  return {container, uint8_t(sizeof...(elements)), {elements...}};
}
template <typename... Alternatives>
constexpr ClassRow Row(Alternatives... alternatives) {
  return {uint8_t(sizeof...(alternatives)), {alternatives...}};
}

// The words of schema/type_classes.inc; some are names of types, too.
namespace class_words {

#define SHLO_CONTAINER(name, container)           \
  template <typename... E>                        \
  constexpr Alternative name(E... elements) {     \
    return Of(Container::container, elements...); \
  }
SHLO_CONTAINER(Ranked, kRanked)
SHLO_CONTAINER(Scalar, kScalar)
SHLO_CONTAINER(Vector, kVector)
SHLO_CONTAINER(Static, kStatic)
SHLO_CONTAINER(StaticVector, kStaticVector)
SHLO_CONTAINER(StaticIntVector, kStaticIntVector)
SHLO_CONTAINER(StaticIntMatrix, kStaticIntMatrix)
SHLO_CONTAINER(StaticOrBounded, kStaticOrBounded)
SHLO_CONTAINER(AnyRank, kAnyRank)
SHLO_CONTAINER(Buffer, kBuffer)
SHLO_CONTAINER(WithDims, kWithDims)
SHLO_CONTAINER(Shaped, kShapedAny)
SHLO_CONTAINER(Extents, kExtents)
SHLO_CONTAINER(IntBuffer, kIntBuffer)
SHLO_CONTAINER(Like, kLike)
SHLO_CONTAINER(Plain, kPlain)
SHLO_CONTAINER(Token, kTokens)
SHLO_CONTAINER(Future, kFutures)
#undef SHLO_CONTAINER
constexpr Alternative Tuple(TypeClass members) { return {kTuples, 0, {}, members}; }

constexpr ClassRow kRows[] = {
#define SHLO_TYPE_CLASS(name, ...) Row(__VA_ARGS__),
#include "schema/type_classes.inc"
};

}  // namespace class_words

using class_words::kRows;
constexpr size_t kNumClasses = std::size(kRows);
static_assert(kNumClasses <= 64 * TypeClasses::kWords, "TypeClasses keeps a bit per class");

// --- Membership ---------------------------------------------------------------------------------------

bool HasWidth(int width) {
  return width == 2 || width == 4 || width == 8 || width == 16 || width == 32 || width == 64;
}

// Specification, "Types", quantized_type_c7: the zero points are values of the storage type.
bool HasValidZeroPoints(const Module& m, TypeId element) {
  const QuantizedType quant(m, element);
  const TypeKind storage = m.types.KindOf(quant.storage);
  if (!IsSignlessInteger(storage) && !IsUnsignedInteger(storage)) return false;
  if (BitWidth(storage) < 2 || BitWidth(storage) > 32) return false;
  return std::ranges::all_of(quant.zero_points,
                             [&](int64_t z) { return quant.storage_min <= z && z <= quant.storage_max; });
}

// Returns the element class of a type of an unregistered dialect that rows name, or kNumElements.
Element ElementOfOpaque(const Module& m, const OpaqueType& type) {
  struct Named {
    std::string_view dialect, text;
    Element element;
  };
  constexpr Named kNamed[] = {{"shape", ".shape", Shape},
                              {"shape", ".size", Size},
                              {"shape", ".value_shape", ValueShape},
                              {"ml_program", ".token", ProgramToken}};
  for (const Named& named : kNamed)
    if (m.strings[type.dialect] == named.dialect && m.strings[type.text] == named.text) return named.element;
  return kNumElements;
}

uint32_t ElementBits(const Module& m, TypeId element) {
  const auto node = m.types[element];
  const auto bit = [](Element e) { return 1u << e; };
  constexpr uint32_t kSignless = 1u << NonEmptyInteger | 1u << FixedInteger | 1u << SignlessInteger;
  if (IsFloat(node.kind)) {
    const bool common = node.kind == TypeKind::kF32 || node.kind == TypeKind::kF64;
    const int width = BitWidth(node.kind);
    return bit(AnyFloat) | (width == 6 || HasWidth(width) ? bit(Fp) : 0) | (common ? bit(Fp32Or64) : 0);
  }
  switch (node.kind) {
    case TypeKind::kIndex:
      return bit(Index) | bit(Dimension) | bit(NonEmptyInteger);
    case TypeKind::kInteger: {
      const auto integer = node.Get<IntegerType>();
      if (integer.signedness != 0) return bit(AnyInteger);
      return bit(AnyInteger) | (integer.width > 0 ? kSignless : bit(SignlessInteger));
    }
    case TypeKind::kComplex: {
      const TypeKind part = m.types.KindOf(node.Get<ComplexType>().element);
      return part == TypeKind::kF32 || part == TypeKind::kF64 ? bit(Complex) : 0;
    }
    case TypeKind::kUniformQuantized:
      return HasValidZeroPoints(m, element) ? bit(Quant) : 0;
    case TypeKind::kUniformQuantizedPerAxis:
      return HasValidZeroPoints(m, element) ? bit(QuantPerAxis) : 0;
    case TypeKind::kI1:
      return bit(Pred) | bit(AnyInteger) | kSignless;
    case TypeKind::kWitness:
      return bit(Witness);
    case TypeKind::kOpaqueType: {
      const Element named = ElementOfOpaque(m, node.Get<OpaqueType>());
      return named == kNumElements ? 0 : bit(named);
    }
    default:
      break;
  }
  const bool is_signless = IsSignlessInteger(node.kind);
  if ((!is_signless && !IsUnsignedInteger(node.kind)) || !HasWidth(BitWidth(node.kind))) return 0;
  return bit(Int) | bit(Dimension) | bit(AnyInteger) | (is_signless ? bit(SInt) | kSignless : 0) |
         (node.kind == TypeKind::kI32 ? bit(I32) : 0) | (node.kind == TypeKind::kUI32 ? bit(UI32) : 0);
}

// Specification, quantized_type_c12 and c13: an axis of the tensor with as many sizes as there are scales.
bool HasValidAxis(const Module& m, const ShapedType& tensor) {
  if (m.types.KindOf(tensor.element) != TypeKind::kUniformQuantizedPerAxis) return true;
  const QuantizedType quant(m, tensor.element);
  if (quant.dimension < 0) return true;  // invalid in any tensor: see type_invariants.h
  if (quant.dimension >= tensor.rank()) return false;
  const int64_t size = tensor.shape[size_t(quant.dimension)];
  return size == kDynamic || size == int64_t(quant.scales.size());
}

// Exactly one dimension is dynamic, and it has a bound.
bool HasSingleBound(const ShapedType& tensor) {
  if (tensor.bounds.empty()) return false;
  const auto bounded = std::ranges::count_if(tensor.bounds, [](int64_t b) { return b != kDynamic; });
  return bounded == 1 && std::ranges::count(tensor.shape, kDynamic) == 1;
}

}  // namespace

TypeClasses::TypeClasses(const Module& m) : bits_(m.types.size() * kWords) {
  for (uint32_t id = 1; id < m.types.size(); ++id) {
    const auto node = m.types[TypeId(id)];
    uint32_t containers = 0, elements = 0;
    switch (node.kind) {
      case TypeKind::kTensor: {
        const ShapedType tensor(m, TypeId(id));
        elements = ElementBits(m, tensor.element);
        if (!HasValidAxis(m, tensor)) elements = 0;
        const bool is_static = tensor.IsStatic();
        const int64_t rank = tensor.rank();
        containers = 1u << kRanked | 1u << kAnyRank | 1u << kShapedAny | 1u << kLike |
                     (rank == 0) << kScalar | (rank == 1) << kVector | (rank == 1) << kExtents |
                     (rank > 0) << kWithDims;
        if (is_static) containers |= 1u << kStatic;
        if (is_static && rank == 1) containers |= 1u << kStaticVector | 1u << kStaticIntVector;
        if (is_static && rank == 2) containers |= 1u << kStaticIntMatrix;
        if (is_static || HasSingleBound(tensor)) containers |= 1u << kStaticOrBounded;
        break;
      }
      case TypeKind::kUnrankedTensor:
        elements = ElementBits(m, node.Get<UnrankedTensorType>().element);
        containers = 1u << kAnyRank | 1u << kShapedAny | 1u << kLike | 1u << kWithDims;
        break;
      case TypeKind::kVector:
        elements = ElementBits(m, node.Get<VectorType>().element);
        containers = 1u << kShapedAny | 1u << kLike;
        break;
      case TypeKind::kMemref:
        elements = ElementBits(m, node.Get<MemRefType>().element);
        containers = 1u << kBuffer | 1u << kShapedAny | 1u << kIntBuffer;
        break;
      case TypeKind::kUnrankedMemref:
        containers = 1u << kShapedAny;
        break;
      case TypeKind::kToken:
        containers = 1u << kTokens;
        break;
      case TypeKind::kFuture:
        containers = 1u << kFutures;
        break;
      case TypeKind::kTuple:
        containers = 1u << kTuples;
        break;
      default:
        elements = ElementBits(m, TypeId(id));
        containers = 1u << kLike | 1u << kPlain;
        break;
    }
    elements |= 1u << AnyElement;
    uint64_t* bits = &bits_[id * kWords];
    bits[0] = 1;  // any type
    for (size_t c = 1; c < kNumClasses; ++c) {
      for (uint8_t a = 0; a < kRows[c].num_alternatives; ++a) {
        const Alternative& alternative = kRows[c].alternatives[a];
        if (!(containers >> alternative.container & 1)) continue;
        bool fits = alternative.num_elements == 0 || (elements & alternative.mask());
        if (alternative.container == kTuples) {
          // Members come before the tuple, nested tuples too.
          fits = std::ranges::all_of(node.Get<TupleType>().types, [&](TypeId member) {
            const bool nested = m.types.KindOf(member) == TypeKind::kTuple;
            const TypeClass wanted = nested ? TypeClass(c) : alternative.members;
            return Fits(member, wanted);
          });
        }
        if (fits) bits[c / 64] |= 1ull << c % 64;
      }
    }
  }
}

std::string TypeClassName(TypeClass c) {
  if (c == TypeClass::kAny) return "any type";
  std::string out;
  const ClassRow& row = kRows[size_t(c)];
  for (uint8_t a = 0; a < row.num_alternatives; ++a) {
    const Alternative& alternative = row.alternatives[a];
    if (a) out += " or ";
    const auto [words, phrase] = kContainers[alternative.container];
    if (phrase == Phrase::kLike || phrase == Phrase::kElement) {
      for (uint8_t e = 0; e < alternative.num_elements; ++e) {
        if (e) out += " or ";
        out += kElementWords[alternative.elements[e]];
      }
      if (phrase == Phrase::kLike) out += "-like";
      continue;
    }
    out += words;
    if (phrase == Phrase::kContainer) continue;
    if (alternative.container == kTuples) {
      out += " of ";
      out += TypeClassName(alternative.members);
      out += " values";
    }
    for (uint8_t e = 0; e < alternative.num_elements; ++e) {
      out += e ? " or " : " of ";
      out += kElementWords[alternative.elements[e]];
    }
    if (alternative.num_elements) out += " values";
  }
  return out;
}

}  // namespace shlo
