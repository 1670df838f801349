// Module -> MLIR text, in the StableHLO or the portable (VHLO) spelling. Mirrored by text_reader.h.
#pragma once

#include <string>

#include "shlo/diagnostics.h"
#include "shlo/module.h"
#include "shlo/print.h"
#include "shlo/source.h"
#include "shlo/trace.h"

namespace shlo {

enum class TextStyle : uint8_t {
  // Reading the text gives the same program. An op is printed generically where its custom form would lose
  // the
  // type of a value, or a location that is asked for; resources are kept though nothing uses them. `module {
  // }`
  // and <{...}> are left out where the source, or the version's own text, had none.
  kExact,
  // What MLIR prints for the program, byte for byte: always a module, always <{...}>, aliases (#map, #loc)
  // before and after it, and custom forms though they lose something.
  kMlir,
};

// Everything that can be asked of a text. What follows from it and from the program for each op is decided in
// lib/serialize/text/program_style.h and writer_forms.cc, whoever asks. In both styles MLIR reads the text of
// a program of the current version.
struct TextWriteOptions {
  TextStyle style = TextStyle::kExact;
  const Source* source = nullptr;  // of the module: whether to write `module { }` and the version
  Spelling spelling = Spelling::kStablehlo;
  // Generic form for every op. Without it custom forms are used where the row has one, unless the program
  // holds an op that only older versions have: then everything is generic, as older consumers expect.
  bool generic = false;
  bool locations = false;       // print loc(...)
  bool local_scope = false;     // no aliases, also in MLIR's style
  uint32_t elide_elements = 0;  // elide constants with more elements than this; 0: never (the text is lossy)
  Trace trace;
};

// The text of a module, ending in a newline. Reading it back gives an equal module in every spelling, but for
// defaults: custom forms leave out attributes that are written with their default value, and the portable
// spelling states the values that absent attributes stand for. What the portable dialect has no form
// for stays as it is. The version is stated (stablehlo.compat_version) unless it is the current one and the
// source did not state it. Fails on what no text could hold: unbounded nesting, a constant that is not as
// large as its type.
Result<std::string> WriteText(const Module& module, const TextWriteOptions& options = {});

}  // namespace shlo
