#include <cmath>
#include <complex>
#include <cstring>

#include "base/deadline.h"
#include "base/format.h"
#include "diff/differences.h"
#include "ir/table/float_format.h"
#include "shlo/tensor.h"

namespace shlo::diff {
namespace {

double Number(ElementType type, uint64_t bits) {
  if (IsFloat(type.kind)) return DecodeFloat(type.kind, bits);
  const int width = BitWidth(type.kind);
  if (type.is_unsigned() || width > 64) return double(bits);
  return double(int64_t(bits << (64 - width)) >> (64 - width));
}

// The distance of two elements; a NaN if one is not a finite number, 0 for booleans.
double Distance(const Tensor& a, const Tensor& b, uint64_t i) {
  const ElementType type = a.element();
  if (type.is_bool()) return 0;
  std::complex<double> distance = Number(type, ElementBits(b, i)) - Number(type, ElementBits(a, i));
  if (type.complex) distance.imag(Number(type, ElementBits(b, i, 1)) - Number(type, ElementBits(a, i, 1)));
  return std::abs(distance);
}

}  // namespace

bool CompareElements(const Module& m, AttrId a, const Module& n, AttrId b, ElementDifference* out) {
  const auto is_elements = [](const Module& module, AttrId attr) {
    const AttrKind kind = module.attrs.KindOf(attr);
    return kind == AttrKind::kElements || kind == AttrKind::kResourceElements;
  };
  if (!is_elements(m, a) || !is_elements(n, b)) return false;
  const auto x = TensorFromAttr(m, a), y = TensorFromAttr(n, b);
  if (!x || !y || !(x->type() == y->type())) return false;
  out->type = TypeName(x->type());
  out->count = x->count();
  const size_t size = x->element().bytes();
  // All elements of two splats are as the first one.
  const uint64_t times = x->splat() && y->splat() ? x->count() : 1;
  double largest = 0;
  for (uint64_t i = 0; i < x->count(); i += times) {
    if (i % 1024 == 0) Tick(1024 * size / 16 + 1);
    if (std::memcmp(x->at(i), y->at(i), size) == 0) continue;
    if (out->differ == 0) out->first = i;
    out->differ += times;
    const double distance = Distance(*x, *y, i);
    if (distance > largest) largest = distance;
  }
  if (largest > 0) out->largest = StrFormat("{:.6g}", largest);
  return true;
}

}  // namespace shlo::diff
