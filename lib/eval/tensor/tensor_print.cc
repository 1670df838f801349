// Prints tensors in the syntax of dense elements attributes.
#include <fmt/ranges.h>

#include <algorithm>
#include <cstring>

#include "base/format.h"
#include "base/stack.h"
#include "ir/print/numbers.h"
#include "shlo/tensor.h"

namespace shlo {
namespace {

// One part of an element, as constants spell it.
void PutPart(text::TextBuffer& out, const Tensor& tensor, uint64_t i, int part) {
  const uint64_t bits = ElementBits(tensor, i, part);
  const TypeKind kind = tensor.element().kind;
  if (kind == TypeKind::kI1) {
    out += bits ? "true" : "false";
  } else if (IsFloat(kind)) {
    text::PutFloat(out, kind, bits);
  } else if (IsUnsignedInteger(kind)) {
    text::PutUnsigned(out, bits);
  } else {
    const int unused = 64 - BitWidth(kind);
    text::PutInt(out, int64_t(bits << unused) >> unused);
  }
}

// An element; two parts in parentheses if it is complex.
void PutElement(text::TextBuffer& out, const Tensor& tensor, uint64_t i) {
  if (!tensor.element().complex) return PutPart(out, tensor, i, 0);
  out += '(';
  PutPart(out, tensor, i, 0);
  out += ',';
  PutPart(out, tensor, i, 1);
  out += ')';
}

void NewLine(text::TextBuffer& out, size_t level) {
  out += '\n';
  out.Fill(2 * level, ' ');
}

struct Printer {
  const Tensor& tensor;
  uint64_t left;
  bool lines;
  text::TextBuffer out;

  // Prints the list of dimension `dim`: `count` elements from element `first`.
  void List(size_t dim, uint64_t first, uint64_t count) {
    CheckStack();
    const auto& shape = tensor.type().shape;
    if (dim == shape.size()) {
      PutElement(out, tensor, first);
      --left;
      return;
    }
    const uint64_t extent = uint64_t(shape[dim]);
    const bool nested = lines && dim + 1 < shape.size();
    out += '[';
    for (uint64_t i = 0; i < extent; ++i) {
      if (i > 0) out += nested ? "," : ", ";
      if (nested) NewLine(out, dim + 1);
      if (left == 0) {
        out += "...";
        break;
      }
      List(dim + 1, first + i * (count / extent), count / extent);
    }
    if (nested) NewLine(out, dim);
    out += ']';
  }
};

}  // namespace

std::string PrintElement(const Tensor& tensor, uint64_t i) {
  text::TextBuffer out;
  PutElement(out, tensor, i);
  return std::string(out.view());
}

std::string IndexString(const ValueType& type, uint64_t i) {
  std::vector<uint64_t> index(type.shape.size());
  for (size_t d = index.size(); d-- > 0;) {
    const uint64_t extent = std::max<uint64_t>(uint64_t(type.shape[d]), 1);
    index[d] = i % extent;
    i /= extent;
  }
  return StrFormat("[{}]", fmt::join(index, ", "));
}

std::string PrintValues(const Tensor& tensor, uint64_t max_elements, bool lines) {
  if (tensor.count() == 0 && !lines) return "";
  if (tensor.splat() && !lines) return PrintElement(tensor, 0);
  // An empty tensor may have very many rows.
  if (tensor.count() == 0) return "[]";
  Printer printer{tensor, std::max<uint64_t>(max_elements, 1), lines, {}};
  printer.List(0, 0, tensor.count());
  return std::string(printer.out.view());
}

namespace {

// Mirrors the reference interpreter, which prints nested lists on separate lines.
struct ReferencePrinter {
  const Tensor& tensor;
  text::TextBuffer out;

  void List(size_t dim, uint64_t first, uint64_t count, bool last) {
    CheckStack();
    const auto& shape = tensor.type().shape;
    if (dim == shape.size()) {
      if (tensor.element().complex) out += '[';
      PutPart(out, tensor, first, 0);
      if (tensor.element().complex) {
        out += ", ";
        PutPart(out, tensor, first, 1);
        out += ']';
      }
      if (!last) out += ", ";
      return;
    }
    NewLine(out, dim + 1);
    out += '[';
    const uint64_t extent = uint64_t(shape[dim]);
    for (uint64_t i = 0; i < extent; ++i)
      List(dim + 1, first + i * (count / extent), count / extent, i + 1 == extent);
    out += ']';
    if (!last)
      out += ',';
    else
      NewLine(out, dim);
  }
};

}  // namespace

std::string PrintAsReference(const Tensor& tensor) {
  CheckStack();
  if (tensor.element().kind == TypeKind::kToken) return TypeName(tensor.type());
  if (tensor.element().kind == TypeKind::kTuple) {
    std::string out = TypeName(tensor.type()) + " (\n";
    const auto members = tensor.members();
    for (size_t i = 0; i < members.size(); ++i)
      out += PrintAsReference(members[i]) + (i + 1 < members.size() ? ",\n" : "\n");
    return out + ")";
  }
  // An empty tensor may have very many rows.
  if (tensor.count() == 0) {
    double lists = 1;
    for (int64_t extent : tensor.type().shape) lists *= double(extent > 0 ? extent : 1);
    if (lists > 1e6) return TypeName(tensor.type()) + " {...}";
  }
  ReferencePrinter printer{tensor, {}};
  (printer.out += TypeName(tensor.type())) += " {";
  printer.List(0, 0, tensor.count(), true);
  printer.out += '}';
  return std::string(printer.out.view());
}

std::string PrintDense(const Tensor& tensor) {
  // Mirrors MLIR: equal elements print as a splat.
  Tensor shown = tensor;
  bool equal = tensor.count() > 0;
  for (uint64_t i = 1; equal && i < tensor.count(); ++i)
    equal = std::memcmp(tensor.at(0), tensor.at(i), tensor.element().bytes()) == 0;
  if (equal) shown = Tensor::View(tensor.type_ptr(), tensor.data(), nullptr, true);
  return PrintTensor(shown);
}

std::string PrintTensor(const Tensor& tensor, uint64_t max_elements) {
  if (!tensor.type().is_tensor()) return PrintAsReference(tensor);
  return StrFormat("dense<{}> : {}", PrintValues(tensor, max_elements), TypeName(tensor.type()));
}

}  // namespace shlo
