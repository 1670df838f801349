// write_samples: prints the sample of every op of MLIR's dialects, in custom and in generic form, as one text
// divided by
// `// -----`. tests/peer/upstream_ops.py gives them to MLIR.
#include <algorithm>
#include <cstdio>
#include <iterator>
#include <string_view>

#include "ir/module/sample.h"
#include "shlo/text_writer.h"

int main() {
  using namespace shlo;
  for (uint16_t r = 1; r < OpRows().size(); ++r) {
    const OpRow& row = OpRows()[r];
    static constexpr std::string_view kOthers[] = {"stablehlo", "chlo", "check", "interpreter"};
    if (std::ranges::find(kOthers, row.dialect) != std::end(kOthers)) continue;
    for (const SampleVariant& variant : SampleVariants(RowId{r}, kCurrentVersion)) {
      // MLIR has no empty visibility, so that a default cannot be written.
      if (variant.kind == SampleVariant::kDefaults) continue;
      for (const bool generic : {false, true}) {
        TextWriteOptions options;
        options.generic = generic;
        const auto text = WriteText(MakeSample(RowId{r}, kCurrentVersion, variant), options);
        if (!text) return std::fprintf(stderr, "%s\n", std::string(row.name).c_str()), 1;
        std::printf("// %s\n%s// -----\n", SampleName(RowId{r}, kCurrentVersion, variant).c_str(),
                    text->c_str());
      }
    }
  }
  return 0;
}
