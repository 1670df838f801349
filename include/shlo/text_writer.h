// Module -> MLIR text, in the StableHLO or the portable (VHLO) spelling. Mirrored by text_reader.h.
#pragma once

#include <string>

#include "shlo/diagnostics.h"
#include "shlo/module.h"
#include "shlo/source.h"
#include "shlo/trace.h"

namespace shlo {

enum class Spelling : uint8_t { kStablehlo, kVhlo };

struct TextWriteOptions {
  const Source* source = nullptr;  // of the module: whether to write `module { }` and the version
  Spelling spelling = Spelling::kStablehlo;
  // Generic form for every op. Without it custom forms are used where the row has one, unless the program
  // holds an op that only older versions have: then everything is generic, as older consumers expect.
  bool generic = false;
  bool locations = false;  // print loc(...)
  // Print as the reference prints where that is another way than would be chosen here: in the generic form no
  // name is used twice in the program; a reduction is compact though locations in its body are lost by it.
  bool as_reference = false;
  bool aliases = false;         // define affine maps, locations, ... outside of the program, by a name
  bool wrap = false;            // print `module { }` also where the source had none and it says nothing
  bool properties = false;      // print <{...}> also for versions whose own text had none
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

// One type or attribute as text.
std::string TypeText(const Module& module, TypeId type, Spelling spelling = Spelling::kStablehlo);
// The storage type of a quantized type: "u4", or "i8<-8:7>" where the bounds are not those of the type.
std::string StorageTypeText(const Module& module, TypeId storage, int64_t flags, int64_t min, int64_t max);
std::string AttrText(const Module& module, AttrId attr, Spelling spelling = Spelling::kStablehlo);

}  // namespace shlo
