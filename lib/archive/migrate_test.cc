// Certificates of converted forms: what verification says of those that do not hold.
#include <gtest/gtest.h>

#include <functional>

#include "archive/test_bundle.h"

namespace shlo::archive {
namespace {

std::string Function(const std::string& body) {
  return "func.func @main(%a: tensor<2xi4>) -> tensor<2xi4> {\n" + body + "  return %0 : tensor<2xi4>\n}\n";
}

class CheckFormTest : public ArchiveTest {
 protected:
  // Equal programs. No law says so: they are evaluated.
  const std::string before_ = Function("  %0 = stablehlo.add %a, %a : tensor<2xi4>\n");
  const std::string after_ = Function(
      "  %c = stablehlo.constant dense<1> : tensor<2xi4>\n"
      "  %0 = stablehlo.shift_left %a, %c : tensor<2xi4>\n");

  Certificate Certify() const {
    Certificate certificate = CertificateOfTexts(before_, after_);
    EXPECT_EQ(certificate.functions[0].evidence, Evidence::kExhaustive);
    return certificate;
  }
  // Adds a model whose second form has these certificates. Returns what verification says of it.
  Result<Diagnostics> Check(const std::string& after, const std::vector<std::string>& certificates,
                            Evidence evidence) {
    const Archive archive = Open();
    Writer writer = Must(Writer::Begin(archive, Options()));
    NewModel model;
    model.name = fmt::format("m{}", ++models_);
    model.files = {{"net.mlir", Must(writer.AddBytes(before_)), before_.size()}};
    model.programs = TextForm(before_).programs;
    uint64_t version = 0;
    bool existed = false;
    const ContentId entry = Must(writer.AddModel(model, &version, &existed));
    ArchivedForm form = TextForm(after);
    form.from = entry;
    Must(writer.AddBytes(after));
    for (const std::string& text : certificates)
      form.proofs.push_back({"", Must(writer.AddBytes(text)), evidence});
    Must(writer.AddForm(entry, form));
    Must(writer.Commit());
    return CheckForm(archive, Must(archive.Find(model.name)), 1, {});
  }

 private:
  int models_ = 0;
};

TEST_F(CheckFormTest, EachClaimIsVerified) {
  const struct {
    const char* what;
    Evidence evidence;
    std::function<void(Certificate&)> edit;
    std::string found;
  } rows[] = {
      {"as it was made", Evidence::kExhaustive, [](Certificate&) {}, ""},
      {"less than is known", Evidence::kSampled, [](Certificate&) {},
       "m2@1: error: the entry states that the proof is by 'sampled', and it is by 'exhaustive' "
       "[not-equal]\n"},
      {"more than is known", Evidence::kLaws, [](Certificate&) {},
       "m3@1: error: the entry states that the proof is by 'laws', and it is by 'exhaustive' [not-equal]\n"},
      {"another input", Evidence::kExhaustive,
       [](Certificate& c) { c.programs[0].sha256 = std::string(64, '0'); },
       "m4@1: error: the certificate is about other files [not-equal]\n"},
      {"another output", Evidence::kExhaustive,
       [](Certificate& c) { c.programs[1].sha256 = std::string(64, '0'); },
       "m5@1: error: the certificate is about other files [not-equal]\n"},
      {"two hashes", Evidence::kExhaustive, [](Certificate& c) { c.programs[1].content_hash = "x"; },
       "m6@1: error: the certificate is about other files [not-equal]\n"},
  };
  for (const auto& row : rows) {
    Certificate certificate = Certify();
    row.edit(certificate);
    EXPECT_EQ(Words(Must(Check(after_, {CertificateText(certificate)}, row.evidence))), row.found)
        << row.what;
  }
  const Diagnostics none = Must(Check(after_, {"{}"}, Evidence::kExhaustive));
  ASSERT_EQ(none.size(), 1u);
  EXPECT_EQ(none[0].code, Code::kMalformed);
  EXPECT_EQ(none[0].place.file, "m7@1");
}

TEST_F(CheckFormTest, EvaluationIsDoneAgain) {
  // Another program, with the names of its files changed in the certificate, too.
  const std::string other = Function("  %0 = stablehlo.multiply %a, %a : tensor<2xi4>\n");
  Certificate certificate = Certify();
  certificate.programs[1].sha256 = IdText(IdOf(other));
  EXPECT_NE(Words(Must(Check(other, {CertificateText(certificate)}, Evidence::kExhaustive)))
                .find("@main was evaluated again, with another outcome"),
            std::string::npos);
}

TEST_F(CheckFormTest, ThereIsACertificateForEachProgram) {
  const std::string text = CertificateText(Certify());
  const struct {
    std::string after;
    std::vector<std::string> certificates;
  } rows[] = {{after_, {text, text}},
              {after_ + "// -----\n" + after_, {text}},
              {after_ + "// -----\n" + after_, {text, text}}};
  int model = 0;
  for (const auto& row : rows)
    EXPECT_EQ(
        Words(Must(Check(row.after, row.certificates, Evidence::kExhaustive))),
        fmt::format("m{}@1: error: there are not as many certificates as programs [malformed]\n", ++model));
}

}  // namespace
}  // namespace shlo::archive
