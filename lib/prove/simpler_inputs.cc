#include "prove/simpler_inputs.h"

#include <algorithm>
#include <cstring>

#include "base/format.h"
#include "ir/table/float_format.h"

namespace shlo {
namespace {

// Numbers from simple to less so.
constexpr int kNumbers[] = {0, 1, -1};

// The bytes of one element with a number.
std::string BytesOf(const ValueType& type, int number) {
  const ElementType element = type.element;
  std::string bytes(element.bytes(), '\0');
  const int width = BitWidth(element.kind);
  uint64_t bits = IsFloat(element.kind) ? EncodeFloat(element.kind, number) : uint64_t(int64_t(number));
  if (width < 64) bits &= (uint64_t(1) << width) - 1;
  if (element.part_bytes() <= sizeof bits) std::memcpy(bytes.data(), &bits, element.part_bytes());
  return bytes;
}

class Search {
 public:
  Search(std::vector<Tensor> args, const TryInput& differ, uint32_t left)
      : args_(std::move(args)), differ_(differ), left_(left) {
    for (const Tensor& t : args_)
      for (const int number : kNumbers)
        numbers_.push_back(t.type().is_tensor() ? BytesOf(t.type(), number) : std::string());
  }

  std::vector<Tensor> Run() {
    for (size_t number = 0; number < std::size(kNumbers) && left_ > 0; ++number) {
      for (size_t i = 0; i < args_.size() && left_ > 0; ++i) Whole(i, number);
      if (left_ > 0) Elements(number);
    }
    return std::move(args_);
  }

 private:
  void Try(std::vector<Tensor> args, bool* differ) {
    *differ = false;
    if (left_ == 0 || !std::ranges::all_of(args, [](const Tensor& t) { return bool(t); })) return;
    --left_;
    const Trial trial = differ_(args);
    if (trial == Trial::kStop) left_ = 0;
    if (trial != Trial::kDiffer) return;
    *differ = true;
    args_ = std::move(args);
  }

  // Returns the bytes of an element of an argument that is a number, by its index in kNumbers.
  const std::string& BytesIn(size_t argument, size_t number) const {
    return numbers_[argument * std::size(kNumbers) + number];
  }

  // Returns whether an element of an argument is the number, or a simpler one.
  bool Simple(size_t argument, const uint8_t* element, size_t number) const {
    for (size_t simple = 0; simple <= number; ++simple) {
      const std::string& bytes = BytesIn(argument, simple);
      if (std::memcmp(element, bytes.data(), bytes.size()) == 0) return true;
    }
    return false;
  }

  void Whole(size_t i, size_t number) {
    const Tensor& t = args_[i];
    if (!t.type().is_tensor() || t.count() == 0) return;
    // An argument that has zeros keeps them.
    bool simple = true, zeros = false;
    for (uint64_t k = 0; k < (t.splat() ? 1 : t.count()) && (simple || number != 0) && !zeros; ++k) {
      simple = simple && Simple(i, t.at(k), number);
      zeros = number != 0 && Simple(i, t.at(k), 0);
    }
    if (simple || zeros) return;
    std::vector<Tensor> args = args_;
    args[i] = Tensor::Copy(t.type_ptr(), BytesIn(i, number), true);
    bool differ;
    Try(std::move(args), &differ);
  }

  struct Position {
    uint32_t argument;
    uint64_t element;
  };
  void Elements(size_t number) {
    std::vector<Position> left;
    for (uint32_t i = 0; i < args_.size(); ++i) {
      const Tensor& t = args_[i];
      if (!t.type().is_tensor()) continue;
      for (uint64_t k = 0; k < t.count(); ++k)
        if (!Simple(i, t.at(k), number)) left.push_back({i, k});
    }
    for (size_t size = (left.size() + 1) / 2; size > 0 && left_ > 0; size /= 2)
      for (size_t at = 0; at < left.size() && left_ > 0;) {
        const size_t end = std::min(left.size(), at + size);
        bool differ;
        Try(With(std::span<const Position>(left).subspan(at, end - at), number), &differ);
        if (differ)
          left.erase(left.begin() + std::ptrdiff_t(at), left.begin() + std::ptrdiff_t(end));
        else
          at = end;
      }
  }

  std::vector<Tensor> With(std::span<const Position> positions, size_t number) const {
    std::vector<Tensor> args = args_;
    std::string bytes;
    for (size_t i = 0; i < positions.size(); ++i) {
      const uint32_t argument = positions[i].argument;
      const Tensor& old = args_[argument];
      const std::string& element = BytesIn(argument, number);
      if (i == 0 || positions[i - 1].argument != argument) bytes = old.ToBytes();
      std::memcpy(bytes.data() + positions[i].element * element.size(), element.data(), element.size());
      if (i + 1 == positions.size() || positions[i + 1].argument != argument)
        args[argument] = Tensor::Copy(old.type_ptr(), bytes);
    }
    return args;
  }

  std::vector<Tensor> args_;
  std::vector<std::string> numbers_;  // of the arguments in turn
  const TryInput& differ_;
  uint32_t left_;
};

}  // namespace

std::vector<Tensor> SimplerInputs(std::vector<Tensor> args, const TryInput& differ, uint32_t max_trials) {
  return Search(std::move(args), differ, max_trials).Run();
}

std::optional<std::string> PrintSparse(const Tensor& tensor, uint64_t max_elements) {
  if (tensor.splat()) return std::nullopt;
  const std::string zero = BytesOf(tensor.type(), 0);
  std::string out;
  uint64_t n = 0;
  for (uint64_t i = 0; i < tensor.count(); ++i) {
    if (std::memcmp(tensor.at(i), zero.data(), zero.size()) == 0) continue;
    if (++n > max_elements) return std::nullopt;
    out += StrFormat("{}{} at {}", n == 1 ? ", but " : " and ", PrintElement(tensor, i),
                     IndexString(tensor.type(), i));
  }
  return PrintTensor(Tensor::Copy(tensor.type_ptr(), zero, true)) + out;
}

}  // namespace shlo
