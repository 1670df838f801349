// The custom directives of schema/forms.inc: how each is read and written. Not an interface: see
// text_reader.h and text_writer.h.
#pragma once

#include "serialize/text/forms.h"
#include "serialize/text/reader_impl.h"
#include "serialize/text/writer_ops.h"

namespace shlo::text {

// The functions of every directive, as static members so that the reader and the writer need one friend.
struct Directives {
  using Draft = Reader::Draft;
  // `args` are what the names in the brackets of the directive stand for in the op's shape. Read appends to
  // the draft; Print is false when the op has something that the directive cannot say.
#define SHLO_DIRECTIVE(name)                                        \
  static bool Read##name(Reader& r, Draft& d, const FormRef* args); \
  static bool Print##name(OpPrinter& p, const Op& op, const FormRef* args);
  SHLO_DIRECTIVES(SHLO_DIRECTIVE)
#undef SHLO_DIRECTIVE

 private:
  // The name of an attribute or bundle that an argument stands for.
  static std::string_view NameOf(const Draft& d, FormRef ref);
  // The written value of the slot that an argument stands for; none when the shape has no such slot.
  static AttrId ValueOf(const OpPrinter& p, const Op& op, FormRef ref);
  // The value as a list of integers; false when it is none.
  static bool Ints(const OpPrinter& p, AttrId value, std::span<const int64_t>* out);
  // A type of a shape and an element type.
  static bool ReadTensorType(Reader& r, Draft& d, TypeId* type, TypeId* element);
  static bool ReadPrecisionList(Reader& r, Draft& d, FormRef ref);
};

struct Directive {
  bool (*read)(Reader& r, Directives::Draft& d, const FormRef* args);
  bool (*print)(OpPrinter& p, const Op& op, const FormRef* args);
};
// In the order of SHLO_DIRECTIVES, which FormatElement::directive counts in.
inline constexpr Directive kDirectives[] = {
#define SHLO_DIRECTIVE(name) {&Directives::Read##name, &Directives::Print##name},
    SHLO_DIRECTIVES(SHLO_DIRECTIVE)
#undef SHLO_DIRECTIVE
};

}  // namespace shlo::text
