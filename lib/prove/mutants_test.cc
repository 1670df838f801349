// Plants mistakes in programs. Congruence may match none of them, and the checker of certificates may accept
// none in the place of the original.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <functional>
#include <sstream>
#include <string>
#include <vector>

#include "ir/module/sample.h"
#include "ir/table/trait.h"
#include "prove/attempt.h"
#include "prove/planter.h"
#include "shlo/certificate.h"
#include "shlo/prove.h"
#include "shlo/text_reader.h"

namespace shlo::prove {
namespace {

struct Numbers {
  size_t programs = 0, mutants = 0;
  std::vector<std::string> missed;
};

// Returns whether both programs are equal by congruence and laws, contract included.
bool Matched(const Module& a, const Module& b) {
  const auto attempt = Attempt::Make(a, b, Form::kSteps, {});
  if (!attempt) return false;
  std::vector<std::string_view> names;
  for (OpId op : a.BodyOpsOf(a.ops[a.top.v]))
    if (const std::string_view name = a.SymbolOf(a.ops[op.v]);
        !name.empty() && a.Has(a.ops[op.v], Trait::kFunction))
      names.push_back(name);
  (*attempt)->Compare(names);
  if (!(*attempt)->ContractOfModules().empty()) return false;
  return std::ranges::all_of(names, [&](std::string_view name) {
    return (*attempt)->Equal(name) && (*attempt)->ContractOf(name).empty();
  });
}

void PlantIn(const Module& m, const std::string& name, Numbers* n) {
  ASSERT_TRUE(Matched(m, m)) << name;
  ++n->programs;
  ProveOptions options;
  options.matching = true;
  options.max_inputs = 1;
  const auto proof = Prove(m, m, options);
  ASSERT_TRUE(proof) << name;
  const auto certificate = CertificateOf(*proof, options, m, m);
  // Without functions there is nothing to certify.
  ASSERT_TRUE(certificate || proof->functions.empty()) << name << ": " << Render(certificate.error()[0]);
  const Planter::Visit visit = [&](const Module& mutant, const std::string& change) {
    ++n->mutants;
    if (Matched(m, mutant)) n->missed.push_back(name + ": " + change);
    if (!certificate) return;
    if (CheckCertificate(*certificate, m, mutant) || CheckCertificate(*certificate, mutant, m))
      n->missed.push_back(name + ", certificate: " + change);
  };
  Planter(m, visit).Run();
}

std::string ReadFile(const std::filesystem::path& path) {
  std::ifstream in(path, std::ios::binary);
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

// No mistake in a sample of any op at its newest version is matched.
TEST(Mutants, OfSamplesAreNotMatched) {
  Numbers n;
  for (uint16_t r = 1; r < OpRows().size(); ++r) {
    const Version version = std::min(RevisionOf(NewestRevision(RowId{r})).until, kCurrentVersion);
    for (const SampleVariant& variant : SampleVariants(RowId{r}, version))
      PlantIn(MakeSample(RowId{r}, version, variant), SampleName(RowId{r}, version, variant), &n);
  }
  EXPECT_GT(n.mutants, 1000u);
  EXPECT_EQ(n.missed, std::vector<std::string>());
}

TEST(Mutants, OfTestFilesAreNotMatched) {
  Numbers n;
  for (const auto& file : std::filesystem::directory_iterator(SHLO_SOURCE_DIR "/tests/roundtrip")) {
    if (file.path().extension() != ".mlir" || file.path().filename().string().starts_with("bad-")) continue;
    const std::string text = ReadFile(file.path());
    const auto m = ReadText(text, nullptr);
    if (m) PlantIn(*m, file.path().filename().string(), &n);
  }
  EXPECT_GT(n.programs, 20u);
  EXPECT_GT(n.mutants, 300u);
  EXPECT_EQ(n.missed, std::vector<std::string>());
}

}  // namespace
}  // namespace shlo::prove
