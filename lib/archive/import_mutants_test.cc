// Bundles with small lies. Each is refused, or says nothing else: whatever is accepted is proved again here,
// and its facts are read again. SHLO_MUTANTS=N tries N of them.
#include <gtest/gtest.h>

#include <cstdlib>

#include "archive/form_check.h"
#include "archive/test_bundle.h"
#include "base/json_mutants.h"

namespace shlo::archive {
namespace {

// The records of a bundle: two texts, a certificate, a model, a form and a golden, by their places.
enum Part : size_t { kBefore, kAfter, kProof, kTensor, kModel, kForm, kGolden };

class MutantsTest : public ArchiveTest {
 protected:
  MutantsTest() {
    const std::string before = TextAt("tanh", 62), after = TextAt("tanh", 75);
    const Certificate certificate = CertificateOfTexts(before, after);
    texts_ = {before, after, CertificateText(certificate), std::string(16, '\0')};
    texts_.push_back(ModelText("net", TextForm(before)));
    ArchivedForm form = TextForm(after);
    form.from = IdOf(texts_[kModel]);
    form.proofs = {{"", IdOf(texts_[kProof]), Evidence::kLaws}};
    texts_.push_back(FormEntry(form.from, form, TestOrigin()));
    ArchivedGolden golden;
    golden.function = "main";
    golden.inputs = {{"arg0", "tensor<4xf32>", IdOf(texts_[kTensor]), 16}};
    golden.results = {{"result0", "tensor<4xf32>", IdOf(texts_[kTensor]), 16}};
    golden.reason = "test";
    texts_.push_back(GoldenEntry(form.from, golden, TestOrigin()));
    expected_ = Known(certificate);
  }

  // The statements of a certificate, without its list of matching ops and the bytes of its files: a text
  // with another space is another file.
  static std::string Known(Certificate certificate) {
    for (CertificateSubject& program : certificate.programs) program.sha256.clear();
    certificate.matching.matches.clear();
    certificate.matching.repeats.clear();
    return CertificateText(certificate);
  }

  // Returns a bundle with a lie; ids follow the content or not.
  TestBundle Lie(JsonMutator* mutator) const {
    std::vector<std::string> texts = texts_;
    const size_t part = mutator->Below(texts.size());
    if (part < kProof || part == kTensor) {
      char& c = texts[part][mutator->Below(texts[part].size())];
      c = char(c ^ (1 << mutator->Below(7)));
    } else {
      texts[part] = mutator->Mutate(texts[part]);
    }
    const bool honest = mutator->Below(4) != 0;
    TestBundle bundle;
    for (size_t i = 0; i < texts.size(); ++i) {
      // A consistent forgery also updates the references to the changed text.
      const ContentId old = IdOf(texts_[i]), id = honest ? IdOf(texts[i]) : old;
      for (size_t j = honest ? i + 1 : texts.size(); j < texts.size(); ++j)
        for (size_t at = 0; (at = texts[j].find(IdText(old), at)) != std::string::npos; at += 64)
          texts[j].replace(at, 64, IdText(id));
      bundle.records.push_back(
          {i < kModel ? RecordKind::kData : RecordKind::kEntry, id, texts[i], i < kModel ? 0 : uint64_t(i)});
    }
    return bundle;
  }

  // Returns what is wrong with an archive that has accepted a bundle.
  std::string Wrong(const Archive& archive) const {
    for (const ArchivedModel& model : Must(archive.Select({})))
      for (size_t i = 0; i < model.forms.size(); ++i) {
        const ArchivedForm& form = model.forms[i];
        const std::string text(Must(archive.LoadForm(model, i)).bytes);
        if (form.files[0].size != text.size() ||
            ProgramsText(form.programs) != ProgramsText(TextForm(text).programs))
          return "a fact is wrong";
        if (!form.from || !form.accepted) continue;
        const Module a = Must(ReadText(Must(archive.LoadForm(model, 0)).bytes, nullptr));
        const Module b = Must(ReadText(text, nullptr));
        const Proof proof = Must(Prove(a, b));
        if (proof.verdict != Verdict::kEqual || proof.evidence != form.proofs[0].evidence)
          return "a form is not proved";
        const auto certificate =
            Must(ParseCertificate(Must(archive.Load(form.proofs[0].certificate, "")).bytes));
        if (Known(certificate) != expected_) return "a certificate states something else";
      }
    return Must(Scrub(archive, {.assemble = true})).damage.empty() ? "" : "the archive is damaged";
  }

  std::vector<std::string> texts_;
  std::string expected_;
};

TEST_F(MutantsTest, LiesAreRefusedOrSayNothingElse) {
  const char* const given = std::getenv("SHLO_MUTANTS");
  const int count = given ? std::atoi(given) : 300;
  int accepted = 0;
  for (int seed = 0; seed < count; ++seed) {
    JsonMutator mutator{uint64_t(seed)};
    Lie(&mutator).Write(Path("bundle"));
    const Archive archive = Open();
    Writer writer = Must(Writer::Begin(archive, Options()));
    if (!Import(writer, Path("bundle"))) continue;
    ++accepted;
    Must(writer.Commit());
    EXPECT_EQ(Wrong(archive), "") << "seed " << seed;
    TearDown();
    SetUp();
  }
  EXPECT_EQ(NumPacks(Folder()), 0u);
  // Names, times and reasons are what the sender says.
  EXPECT_LT(accepted, count / 2);
  RecordProperty("accepted", accepted);
  if (given) std::printf("%d of %d mutants accepted, none with another meaning\n", accepted, count);
}

}  // namespace
}  // namespace shlo::archive
