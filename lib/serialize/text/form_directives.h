// The custom directives of schema/forms.inc. Internal to text_reader.h and text_writer.h.
#pragma once

#include "serialize/text/forms.h"
#include "serialize/text/reader_impl.h"
#include "serialize/text/writer_ops.h"

namespace shlo::text {

// Reader and printer of every directive, as static members so that Reader and OpPrinter need one friend.
struct Directives {
  using Draft = Reader::Draft;
  // Converts a value to a list of integers; returns false if it is not one.
  static bool Ints(const OpPrinter& p, AttrId value, std::span<const int64_t>* out);
  // `args` are the arguments of the directive, resolved for the op's revision. Read appends to the draft;
  // Print returns false if the directive cannot represent the op.
#define SHLO_DIRECTIVE(name)                                        \
  static bool Read##name(Reader& r, Draft& d, const FormRef* args); \
  static bool Print##name(OpPrinter& p, const Op& op, const FormRef* args);
  SHLO_DIRECTIVES(SHLO_DIRECTIVE)
#undef SHLO_DIRECTIVE

 private:
  // Returns the name of the attribute or struct attribute that an argument refers to.
  static std::string_view NameOf(const Draft& d, FormRef ref);
  // Returns the written value of an argument's attribute; none if the revision has no such attribute.
  static AttrId ValueOf(const OpPrinter& p, const Op& op, FormRef ref);
  // Reads a tensor type and returns its element type as well.
  static bool ReadTensorType(Reader& r, Draft& d, TypeId* type, TypeId* element);
  static bool ReadPrecisionList(Reader& r, Draft& d, FormRef ref);
  // "^bb1(%a : type)": a successor with the operands of a cell.
  static bool ReadSuccessorWithOperands(Reader& r, Draft& d, uint8_t cell);
  static void PrintSuccessorWithOperands(OpPrinter& p, BlockId block, std::span<const ValueId> operands);
};

struct Directive {
  bool (*read)(Reader& r, Directives::Draft& d, const FormRef* args);
  bool (*print)(OpPrinter& p, const Op& op, const FormRef* args);
};
// In the order of SHLO_DIRECTIVES; FormatElement::directive is an index into it.
inline constexpr Directive kDirectives[] = {
#define SHLO_DIRECTIVE(name) {&Directives::Read##name, &Directives::Print##name},
    SHLO_DIRECTIVES(SHLO_DIRECTIVE)
#undef SHLO_DIRECTIVE
};

}  // namespace shlo::text
