// Prints a Module as MLIR text, in StableHLO or VHLO spelling. Mirrored by text_reader.h.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "shlo/diagnostics.h"
#include "shlo/limits.h"
#include "shlo/module.h"
#include "shlo/outside.h"
#include "shlo/print.h"
#include "shlo/sink.h"
#include "shlo/source.h"
#include "shlo/trace.h"

namespace shlo {

// Which printer to follow.
enum class TextStyle : uint8_t {
  // Reading the text yields the same program. An op is printed in generic form if its custom form would
  // lose the type of a value or a requested location. Unused resources are kept. `module { }` and <{...}>
  // are omitted if the source, or the version's own text, had none.
  kExact,
  // The output of MLIR's printer, byte for byte: always a module, always <{...}>, aliases (#map, #loc)
  // before and after it, and custom forms even if they lose information.
  kMlir,
};

// Options of printing. lib/serialize/text/program_style.h and writer_forms.cc derive from them and from the
// program how to print each op, for all callers. MLIR reads the text of a program of the current version in
// both styles.
struct TextWriteOptions {
  TextStyle style = TextStyle::kExact;  // see TextStyle
  const Source* source = nullptr;  // of the module: decides whether to print `module { }` and the version
  Spelling spelling = Spelling::kStablehlo;  // of ops, types and attributes
  // Prints every op in generic form. Otherwise an op uses the custom form of its row, unless the program
  // contains an op that only older versions have: then everything is generic, as older consumers expect.
  bool generic = false;
  bool locations = false;    // print loc(...)
  bool local_scope = false;  // no aliases, even in MLIR's style
  // In MLIR's style: two spaces before the case of an enum ("compare  LT"), as MLIR printed before 2026.
  bool spaced_cases = false;
  uint32_t elide_elements = 0;  // elide constants with more elements than this; 0: never (the text is lossy)
  bool complete = false;        // WriteTextTo: pass nothing on before all is printed
  // Resources to leave out, whose names the text then has among the external ones; null: none.
  const OutsideTable* outside = nullptr;
  Trace trace;
  Limits limits;  // length of the text, deadline, threads
};

// Returns the text of a module, ending in a newline. Reading it yields an equal module in every spelling,
// except for defaults: custom forms omit attributes that equal their default, and VHLO spelling writes the
// defaults of absent attributes. Anything without a VHLO form is printed unchanged. The text states its
// version (stablehlo.compat_version) unless it is the current one and the source did not state it. Fails if
// no text can represent the module: unbounded nesting, a constant whose size does not match its type, or more
// text than the limit.
Result<std::string> WriteText(const Module& module, const TextWriteOptions& options = {});

// Writes the text in pieces as they are printed, so that memory does not grow with the text, and returns its
// size. Large constants are converted piece by piece. If it fails, a part of the text may have been written;
// with `options.complete` only if the sink stopped (kIo).
Result<uint64_t> WriteTextTo(const Module& module, const TextWriteOptions& options, const Sink& sink);

// Texts of single ops of a program, for reports. Values have the names that they have in the text of the
// program.
class OpTexts {
 public:
  // `module` must outlive this object unchanged.
  explicit OpTexts(const Module& module);
  ~OpTexts();
  OpTexts(const OpTexts&) = delete;
  OpTexts& operator=(const OpTexts&) = delete;
  // Returns an op in one line of at most `max_bytes`, with {...} for regions. Fast if ops are asked for in
  // the order of the program.
  std::string Of(OpId op, size_t max_bytes);
  // Returns one of an op's groups of attributes (OpRevision::struct_attrs) as generic text has it; "" if none
  // of its attributes is written.
  std::string Group(OpId op, const Cell& struct_attr);
  // Returns the name of a value: "%3".
  std::string NameOf(ValueId value);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace shlo
