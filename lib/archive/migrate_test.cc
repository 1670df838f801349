// Certificates of converted forms: what verification says of those that do not hold.
#include <gtest/gtest.h>

#include <functional>

#include "archive/test_archive.h"
#include "shlo/certificate.h"
#include "shlo/text_reader.h"

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
    const Module a = Must(ReadText(before_, nullptr)), b = Must(ReadText(after_, nullptr));
    ProveOptions prove;
    prove.matching = true;
    const Proof proof = Must(Prove(a, b, prove));
    EXPECT_EQ(proof.evidence, Evidence::kExhaustive);
    Certificate certificate = Must(CertificateOf(proof, prove, a, b));
    certificate.programs[0] = {"a", IdText(IdOf(before_)), {}, a.version};
    certificate.programs[1] = {"b", IdText(IdOf(after_)), {}, b.version};
    return certificate;
  }
  // Adds a model whose second form has these certificates. Returns what verification says of it.
  Result<Diagnostics> Check(const std::string& after, const std::vector<std::string>& certificates,
                            Evidence evidence) {
    const Archive archive = Open();
    Writer writer = Must(Writer::Begin(archive, Options()));
    const ContentId model = Add(writer, fmt::format("m{}", ++models_), before_);
    ArchivedForm form;
    form.from = model;
    form.files = {{"b.mlir", Must(writer.AddBytes(after)), after.size()}};
    for (const std::string& text : certificates)
      form.proofs.push_back({"", Must(writer.AddBytes(text)), evidence});
    Must(writer.AddForm(model, form));
    Must(writer.Commit());
    return CheckForm(archive, Must(archive.Find(fmt::format("m{}", models_))), 1, {});
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
      {"less than is known", Evidence::kSampled, [](Certificate&) {}, ""},
      {"more than is known", Evidence::kLaws, [](Certificate&) {},
       "m3@1: error: evaluation does not confirm the certificate [not-equal]\n"},
      {"another input", Evidence::kExhaustive,
       [](Certificate& c) { c.programs[0].sha256 = std::string(64, '0'); },
       "m4@1: error: the certificate is about other files [not-equal]\n"},
      {"another output", Evidence::kExhaustive,
       [](Certificate& c) { c.programs[1].sha256 = std::string(64, '0'); },
       "m5@1: error: the certificate is about other files [not-equal]\n"},
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
  EXPECT_EQ(none[0].place.file, "m6@1");
}

TEST_F(CheckFormTest, EvaluationIsDoneAgain) {
  // Another program, with the names of its files changed in the certificate, too.
  const std::string other = Function("  %0 = stablehlo.multiply %a, %a : tensor<2xi4>\n");
  Certificate certificate = Certify();
  certificate.programs[1].sha256 = IdText(IdOf(other));
  EXPECT_EQ(Words(Must(Check(other, {CertificateText(certificate)}, Evidence::kExhaustive))),
            "m1@1: error: evaluation does not confirm the certificate [not-equal]\n");
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
