// Tensors as text, in the spelling of dense elements attributes.
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <cstring>

#include "ir/table/float_format.h"
#include "shlo/tensor.h"

namespace shlo {
namespace {

// The shortest spelling of seven digits or more that reads back as the same value. `value` is exact: every
// format here is a subset of f64.
std::string Decimal(TypeKind kind, double value) {
  const uint64_t bits = EncodeFloat(kind, value);
  std::string text = fmt::format("{:.6e}", value);
  if (EncodeFloat(kind, std::strtod(text.c_str(), nullptr)) == bits) return text;
  char buffer[64];
  const auto end =
      kind == TypeKind::kF32
          ? std::to_chars(buffer, buffer + sizeof buffer, float(value), std::chars_format::scientific)
          : std::to_chars(buffer, buffer + sizeof buffer, value, std::chars_format::scientific);
  text.assign(buffer, end.ptr);
  if (text.find('.') == std::string::npos) text.insert(text.find('e'), ".0");
  return text;
}

std::string Literal(ElementType element, uint64_t bits) {
  const TypeKind kind = element.kind;
  if (kind == TypeKind::kI1) return bits ? "true" : "false";
  if (IsFloat(kind)) {
    if (IsNan(kind, bits) || IsInf(kind, bits))
      return fmt::format("0x{:0{}X}", bits, (BitWidth(kind) + 3) / 4);
    return Decimal(kind, DecodeFloat(kind, bits));
  }
  if (IsUnsignedInteger(kind)) return fmt::format("{}", bits);
  const int unused = 64 - BitWidth(kind);
  return fmt::format("{}", int64_t(bits << unused) >> unused);
}

struct Printer {
  const Tensor& tensor;
  uint64_t left;
  bool lines;
  std::string out;

  // Prints dimension `dim` and what is below it, from element `first`, which spans `count` elements.
  void List(size_t dim, uint64_t first, uint64_t count) {
    const auto& shape = tensor.type().shape;
    if (dim == shape.size()) {
      out += PrintElement(tensor, first);
      --left;
      return;
    }
    const uint64_t extent = uint64_t(shape[dim]);
    const bool nested = lines && dim + 1 < shape.size();
    out += '[';
    for (uint64_t i = 0; i < extent; ++i) {
      if (i > 0) out += nested ? "," : ", ";
      if (nested) fmt::format_to(std::back_inserter(out), "\n{:{}}", "", 2 * (dim + 1));
      if (left == 0) {
        out += "...";
        break;
      }
      List(dim + 1, first + i * (count / extent), count / extent);
    }
    if (nested) fmt::format_to(std::back_inserter(out), "\n{:{}}", "", 2 * dim);
    out += ']';
  }
};

}  // namespace

std::string PrintElement(const Tensor& tensor, uint64_t i) {
  if (!tensor.element().complex) return Literal(tensor.element(), ElementBits(tensor, i));
  return fmt::format("({}, {})", Literal(tensor.element(), ElementBits(tensor, i, 0)),
                     Literal(tensor.element(), ElementBits(tensor, i, 1)));
}

std::string IndexString(const ValueType& type, uint64_t i) {
  std::vector<uint64_t> index(type.shape.size());
  for (size_t d = index.size(); d-- > 0;) {
    const uint64_t extent = std::max<uint64_t>(uint64_t(type.shape[d]), 1);
    index[d] = i % extent;
    i /= extent;
  }
  return fmt::format("[{}]", fmt::join(index, ", "));
}

std::string PrintValues(const Tensor& tensor, uint64_t max_elements, bool lines) {
  if (tensor.count() == 0 && !lines) return "";
  if (tensor.splat() && !lines) return PrintElement(tensor, 0);
  // An empty tensor of many rows would otherwise print all of them.
  if (tensor.count() == 0) return "[]";
  Printer printer{tensor, std::max<uint64_t>(max_elements, 1), lines, {}};
  printer.List(0, 0, tensor.count());
  return std::move(printer.out);
}

namespace {

// Nested lists on lines of their own: what is printed before and after a list depends on whether it is the
// last of its dimension.
struct ReferencePrinter {
  const Tensor& tensor;
  std::string out;

  void NewLine(int64_t indent) {
    out += '\n';
    out.append(size_t(2 * std::max<int64_t>(indent, 0)), ' ');
  }
  void List(size_t dim, uint64_t first, uint64_t count, bool last) {
    const auto& shape = tensor.type().shape;
    if (dim == shape.size()) {
      if (tensor.element().complex)
        out += fmt::format("[{}, {}]", Literal(tensor.element(), ElementBits(tensor, first, 0)),
                           Literal(tensor.element(), ElementBits(tensor, first, 1)));
      else
        out += PrintElement(tensor, first);
      if (!last) out += ", ";
      return;
    }
    NewLine(int64_t(dim) + 1);
    out += '[';
    const uint64_t extent = uint64_t(shape[dim]);
    for (uint64_t i = 0; i < extent; ++i)
      List(dim + 1, first + i * (count / extent), count / extent, i + 1 == extent);
    out += ']';
    if (!last)
      out += ',';
    else
      NewLine(int64_t(dim));
  }
};

}  // namespace

std::string PrintAsReference(const Tensor& tensor) {
  if (tensor.element().kind == TypeKind::kToken) return TypeName(tensor.type());
  if (tensor.element().kind == TypeKind::kTuple) {
    std::string out = TypeName(tensor.type()) + " (\n";
    const auto members = tensor.members();
    for (size_t i = 0; i < members.size(); ++i)
      out += PrintAsReference(members[i]) + (i + 1 < members.size() ? ",\n" : "\n");
    return out + ")";
  }
  // A list of very many empty lists has no elements to show.
  if (tensor.count() == 0) {
    double lists = 1;
    for (int64_t extent : tensor.type().shape) lists *= double(extent > 0 ? extent : 1);
    if (lists > 1e6) return TypeName(tensor.type()) + " {...}";
  }
  ReferencePrinter printer{tensor, TypeName(tensor.type()) + " {"};
  printer.List(0, 0, tensor.count(), true);
  return printer.out + "}";
}

std::string PrintDense(const Tensor& tensor) {
  // Elements that are all equal are one; complex numbers have no space in between.
  Tensor shown = tensor;
  bool equal = tensor.count() > 0;
  for (uint64_t i = 1; equal && i < tensor.count(); ++i)
    equal = std::memcmp(tensor.at(0), tensor.at(i), tensor.element().bytes()) == 0;
  if (equal) shown = Tensor::View(tensor.type_ptr(), tensor.data(), nullptr, true);
  std::string text = PrintTensor(shown);
  if (!tensor.element().complex) return text;
  std::string out;
  bool inside = false;
  for (size_t i = 0; i < text.size(); ++i) {
    inside = text[i] == '(' || (inside && text[i] != ')');
    if (inside && text[i] == ' ') continue;
    out += text[i];
  }
  return out;
}

std::string PrintTensor(const Tensor& tensor, uint64_t max_elements) {
  if (!tensor.type().is_tensor()) return PrintAsReference(tensor);
  return fmt::format("dense<{}> : {}", PrintValues(tensor, max_elements), TypeName(tensor.type()));
}

}  // namespace shlo
