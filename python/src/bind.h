// Functions of the C API as functions of Python, by their signatures: Bind<shlo_op_text>. A handle is an
// object of its class, a text a str (None: NULL), and a pointer with a size bytes or a list; what a function
// returns through its last parameter is the result. Functions that need more are written out where they are
// defined.
#pragma once

#include <nanobind/stl/optional.h>

#include <optional>
#include <tuple>

#include "call.h"

namespace shlo::python {
namespace bind {

template <typename...>
struct List {};

// Each part takes what Python passes (`Given`), and makes parameters of C of it. This one is a number.
template <typename C>
struct Part {
  using Given = C;
  explicit Part(Given given) : value(given) {}
  std::tuple<C> Pass() { return {value}; }
  C value;
};
template <typename Handle>
struct Part<Handle*> {
  using Given = const Owned<std::remove_const_t<Handle>>&;
  explicit Part(Given given) : handle(given.handle) {}
  std::tuple<Handle*> Pass() { return {handle}; }
  Handle* handle;
};
template <>
struct Part<const char*> {
  using Given = std::optional<std::string>;
  explicit Part(Given given) : text(std::move(given)) {}
  std::tuple<const char*> Pass() { return {text ? text->c_str() : nullptr}; }
  Given text;
};
template <typename C>
struct BytesPart {
  using Given = std::optional<nb::object>;
  explicit BytesPart(const Given& given) {
    if (given) input.emplace(*given);
  }
  std::tuple<const C*, size_t> Pass() {
    if (!input) return {nullptr, 0};
    return {static_cast<const C*>(input->data()), input->size()};
  }
  std::optional<Input> input;
};
struct NumbersPart {
  using Given = std::vector<uint32_t>;
  explicit NumbersPart(Given given) : numbers(std::move(given)) {}
  std::tuple<const uint32_t*, size_t> Pass() { return {numbers.data(), numbers.size()}; }
  Given numbers;
};
struct TensorsPart {
  using Given = std::vector<const Tensor*>;
  explicit TensorsPart(const Given& given) : handles(HandlesOf(given)) {}
  std::tuple<const shlo_tensor* const*, size_t> Pass() { return {handles.data(), handles.size()}; }
  std::vector<const shlo_tensor*> handles;
};

// The results of functions.
inline nb::object Result(shlo_str text) { return Name(text); }
inline nb::object Result(const char* text) { return Text(text); }
inline nb::object Result(shlo_buffer* text) { return text == nullptr ? nb::none() : TakeText(text); }
template <typename Number>
requires std::is_arithmetic_v<Number> nb::object Result(Number number) { return nb::int_(number); }
template <typename Handle>
nb::object Result(Handle* handle) {
  return nb::cast(new Owned<Handle>(handle), nb::rv_policy::take_ownership);
}

struct NoOut {
  std::tuple<> Pass() { return {}; }
  static nb::object Take() { return nb::none(); }
};
template <typename T>
struct Out {
  std::tuple<T*> Pass() { return {&value}; }
  nb::object Take() { return Result(value); }
  T value{};
};

template <typename T>
concept Settable = std::is_arithmetic_v<T> && !std::is_const_v<T>;

// Divides the parameters of a function into parts, and the one for its result.
template <typename Parts, typename... C>
struct Split;
template <typename... Parts>
struct Split<List<Parts...>> {
  using In = List<Parts...>;
  using Result = NoOut;
};
template <typename... Parts, typename First, typename... Rest>
struct Split<List<Parts...>, First, Rest...> : Split<List<Parts..., Part<First>>, Rest...> {};
template <typename... Parts, typename... Rest>
struct Split<List<Parts...>, const void*, size_t, Rest...> : Split<List<Parts..., BytesPart<void>>, Rest...> {
};
template <typename... Parts, typename... Rest>
struct Split<List<Parts...>, const char*, size_t, Rest...> : Split<List<Parts..., BytesPart<char>>, Rest...> {
};
template <typename... Parts, typename... Rest>
struct Split<List<Parts...>, const uint32_t*, size_t, Rest...> : Split<List<Parts..., NumbersPart>, Rest...> {
};
template <typename... Parts, typename... Rest>
struct Split<List<Parts...>, const shlo_tensor* const*, size_t, Rest...>
    : Split<List<Parts..., TensorsPart>, Rest...> {};
template <typename... Parts, typename T>
struct Split<List<Parts...>, T**> {
  using In = List<Parts...>;
  using Result = Out<T*>;
};
template <typename... Parts, Settable T>
struct Split<List<Parts...>, T*> {
  using In = List<Parts...>;
  using Result = Out<T>;
};

template <auto F, bool kWork, typename OutT, typename Parts>
struct Call;
template <auto F, bool kWork, typename OutT, typename... Parts>
struct Call<F, kWork, OutT, List<Parts...>> {
  static nb::object Of(typename Parts::Given... given) {
    std::tuple<Parts...> parts(std::forward<typename Parts::Given>(given)...);
    OutT out;
    const auto passed =
        std::apply([&](auto&... part) { return std::tuple_cat(part.Pass()..., out.Pass()); }, parts);
    const auto call = [&] { return std::apply(F, passed); };
    const auto result = [&] {
      if constexpr (kWork)
        return WithoutGil(call);
      else
        return call();
    }();
    if constexpr (std::is_same_v<decltype(result), shlo_error* const>) {
      Check(result);
      return out.Take();
    } else if constexpr (std::is_same_v<decltype(result), const uint32_t* const>) {
      return ListOf(result, out.value);
    } else {
      return Result(result);
    }
  }
};

template <auto F, bool kWork, typename R, typename... C>
constexpr auto CallOf(R (*)(C...)) {
  using Parts = Split<List<>, C...>;
  return &Call<F, kWork, typename Parts::Result, typename Parts::In>::Of;
}

}  // namespace bind

// Defines a function. Those that work for long release the GIL: BindWork.
template <auto F>
void Bind(nb::module_& module, const char* name) {
  module.def(name, bind::CallOf<F, false>(F));
}
template <auto F>
void BindWork(nb::module_& module, const char* name) {
  module.def(name, bind::CallOf<F, true>(F));
}
#define SHLO_BIND(name) Bind<shlo_##name>(module, #name)
#define SHLO_BIND_WORK(name) BindWork<shlo_##name>(module, #name)

}  // namespace shlo::python
