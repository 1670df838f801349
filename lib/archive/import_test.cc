// Bundles of strangers: nothing that they state is believed, nothing is dropped without a word, and nothing
// of a bundle that is refused is visible.
#include <gtest/gtest.h>

#include <functional>

#include "archive/form_check.h"
#include "archive/list_record.h"
#include "archive/test_bundle.h"

namespace shlo::archive {
namespace {

// A model with a form that is proved to be the same, and the parts to lie about.
struct ImportCase {
  std::string before = TextAt("tanh", 62), after = TextAt("tanh", 75);
  Certificate certificate = CertificateOfTexts(before, after);
  ArchivedForm original = TextForm(before), form = TextForm(after);
  Evidence evidence = Evidence::kLaws;
  std::function<std::string(std::string)> edit_model, edit_form, edit_certificate;
  std::function<void(TestBundle&)> edit_bundle;

  TestBundle Make() const {
    const auto edited = [](const auto& edit, std::string text) { return edit ? edit(text) : text; };
    TestBundle bundle;
    bundle.Data(before);
    bundle.Data(after);
    const ContentId proof = bundle.Data(edited(edit_certificate, CertificateText(certificate)));
    const ContentId model = bundle.Entry(edited(edit_model, ModelText("net", original)));
    ArchivedForm newer = form;
    newer.from = model;
    newer.proofs = {{"", proof, evidence}};
    bundle.Entry(edited(edit_form, FormEntry(model, newer, TestOrigin())));
    if (edit_bundle) edit_bundle(bundle);
    return bundle;
  }
};

class ImportTest : public ArchiveTest {
 protected:
  Result<ImportReport> Import(const TestBundle& bundle, const ImportOptions& options = {}) {
    bundle.Write(Path("bundle"));
    const Archive archive = Open();
    Writer writer = Must(Writer::Begin(archive, Options()));
    auto report = archive::Import(writer, Path("bundle"), options);
    if (report) Must(writer.Commit());
    return report;
  }
  // Imports a bundle that is refused. Returns why, and expects that nothing is visible.
  std::string Refused(const ImportCase& of) {
    const auto report = Import(of.Make());
    EXPECT_EQ(Must(Open().Select({})).size(), 0u);
    EXPECT_EQ(NumPacks(Folder()), 0u);
    return report ? "" : Words(report.error());
  }
  void ExpectRefused(const char* what, const ImportCase& of, std::string_view why) {
    const std::string found = Refused(of);
    EXPECT_NE(found.find(why), found.npos) << what << ": " << found;
  }
};

TEST_F(ImportTest, FormsAreCheckedAndAccepted) {
  EXPECT_EQ(Must(Import(ImportCase().Make())).notes, std::vector<std::string>());
  const ArchivedModel model = Must(Open().Find("net"));
  ASSERT_EQ(model.forms.size(), 2u);
  EXPECT_TRUE(model.forms[1].accepted);
  EXPECT_EQ(model.newest(), 1u);
  EXPECT_EQ(model.claimed, 0u);
  // Again: nothing is new.
  EXPECT_EQ(Must(Import(ImportCase().Make())).entries, 0u);
  EXPECT_EQ(Words(Must(CheckForm(Open(), model, 1, {}))), "");
  EXPECT_EQ(Words(Must(CheckSuperseded(Open(), model, 0, {}))), "");
}

TEST_F(ImportTest, ProofsThatDoNotHoldAreRefused) {
  ImportCase of;
  of.edit_certificate = [](const std::string&) { return std::string(R"({"no":"certificate"})"); };
  ExpectRefused("no certificate", of, "not a certificate");
  of = {};
  of.after = TextAt("negate", 75);
  of.form = TextForm(of.after);
  ExpectRefused("another program, whose hash the certificate does not have", of, "is about other files");
  of.certificate.programs[1].sha256 = IdText(IdOf(of.after));
  ExpectRefused("another program", of, "the certificate does not hold");
  of = {};
  of.evidence = Evidence::kCongruence;
  ExpectRefused("stronger evidence", of, "the entry states that the proof is by 'congruence'");
  of.evidence = Evidence::kSampled;
  ExpectRefused("weaker evidence", of, "the entry states that the proof is by 'sampled'");
  of = {};
  of.certificate.producer = "other 1.0";
  ExpectRefused("another producer", of, "states the producer 'other 1.0'");
  of = {};
  of.certificate.programs[0].name = "other.mlir";
  ExpectRefused("another name", of, "names the file 'other.mlir'");
  of = {};
  of.certificate.programs[0].version = Version{63};
  ExpectRefused("another version", of, "it states version 63");
  of = {};
  ++of.certificate.rungs[0][3];
  ExpectRefused("more checks", of, "has not reached the rungs");
  of = {};
  of.edit_certificate = [](const std::string& text) {
    return Replaced(text, R"("functions":)", R"("seed":1,"functions":)");
  };
  ExpectRefused("a seed of nothing", of, "a member has an unknown name");
}

TEST_F(ImportTest, EntriesThatLieAreRefused) {
  const struct {
    const char* what;
    std::string from, to;
    bool model;
    std::string why;
  } rows[] = {
      {"size", R"("size":)", R"("size":1)", true, "does not have the size"},
      {"version of the program", R"("version":62)", R"("version":63)", true, "differ from its entry"},
      {"version of the form", R"("version":75)", R"("version":74)", false, "differ from its entry"},
      {"ops", R"("ops":)", R"("ops":1)", false, "differ from its entry"},
      {"type", "tensor<4xf32>", "tensor<5xf32>", true, "differ from its entry"},
      {"format", R"("format":"text")", R"("format":"shlo")", true, "does not have the format 'shlo'"},
      {"unknown key", R"("files":)", R"("extra":1,"files":)", true, "the key 'extra' is not known"},
      {"unknown key inside", R"("id":)", R"("aid":1,"id":)", true, "the key 'aid' is not known"},
      {"key twice", R"("files":)", R"("files":[],"files":)", true, "a key occurs twice"},
      {"a space", R"("files":)", R"("files": )", true, "is not spelled as entries are"},
      {"an invalid name", R"("name":"net")", R"("name":"../net")", true,
       "cannot be imported: a part of the name"},
      {"a version that is none", R"(,"version":1})", R"(,"version":0})", true,
       "'version' has an invalid value"},
      {"a version beyond the limit", R"(,"version":1})", R"(,"version":1000000001})", true,
       "exceeds its limit"},
      {"a size beyond the limit", R"("size":)", R"("size":9999999999999999)", true, "exceeds its limit"},
      {"an unknown type", R"("type":"model")", R"("type":"later")", true, "is not known"},
      {"a time that is none", R"("time":"2026-)", R"("time":"2026/)", true, "it"},
      {"constants outside", R"("programs":)",
       fmt::format(R"("outside":["{}"],"programs":)", IdText(IdOf(TextAt("tanh", 62)))), true,
       "the external constants of the file differ"},
      {"another tool", R"("tool":"test")", R"("tool":"tess")", false, "states the producer"},
      {"another file name", R"("path":"net.mlir")", R"("path":"nat.mlir")", false, "the form has another"},
  };
  for (const auto& row : rows) {
    ImportCase of;
    (row.model ? of.edit_model : of.edit_form) = [&](const std::string& text) {
      return Replaced(text, row.from, row.to);
    };
    ExpectRefused(row.what, of, row.why);
  }
}

TEST_F(ImportTest, NothingInABundleIsIgnored) {
  ImportCase of;
  of.edit_bundle = [](TestBundle& b) { b.Data("something else"); };
  ExpectRefused("a record that nothing needs", of, "which no entry needs");
  of.edit_bundle = [](TestBundle& b) { b.records.push_back(b.records[0]); };
  ExpectRefused("a record twice", of, "twice");
  of.edit_bundle = [](TestBundle& b) { b.records.push_back({RecordKind::kCensus, IdOf("x"), "x"}); };
  ExpectRefused("a census", of, "a census");
  of.edit_bundle = [](TestBundle& b) {
    b.Entry(AcceptEntry(b.records[3].id, b.records[4].id, TestOrigin()));
  };
  ExpectRefused("an acceptance", of, "cannot state that proofs were accepted");
  of.edit_bundle = [](TestBundle& b) {
    ArchivedModel model;
    model.entry = b.records[3].id;
    model.name = "net";
    model.version = 1;
    b.Entry(RemoveEntry(model, {}, TestOrigin()));
  };
  ExpectRefused("a model that was removed", of, "net@1 was removed");
  of.edit_bundle = [](TestBundle& b) { b.Entry("[[[[[[[[[[[[[[[[[[[["); };
  ExpectRefused("no JSON", of, "cannot be imported");
  of.edit_bundle = [](TestBundle& b) { b.header.flags = 0; };
  ExpectRefused("a pack of an archive", of, "and no bundle");
  of.edit_bundle = [](TestBundle& b) { b.header.sequence = 7; };
  ExpectRefused("a number of a pack", of, "and no bundle");
}

TEST_F(ImportTest, WhatCannotBeCheckedIsClaimed) {
  ImportCase of;
  // The form that it comes from is gone, and with it what its certificate compares it with.
  of.edit_bundle = [&](TestBundle& b) {
    ArchivedModel model;
    model.entry = b.records[3].id;
    model.name = "net";
    model.version = 1;
    b.Entry(RemoveEntry(model, model.entry, TestOrigin()));
    b.records.erase(b.records.begin());
  };
  const ImportReport report = Must(Import(of.Make()));
  ASSERT_EQ(report.notes.size(), 1u);
  EXPECT_EQ(report.notes[0],
            "the form of net@1 at 1.22.0 (75) is claimed: the form that it comes from was removed");
  const ArchivedModel model = Must(Open().Find("net"));
  EXPECT_FALSE(model.forms[1].accepted);
  EXPECT_EQ(model.claimed, 1u);
  EXPECT_EQ(Must(Open().Select({}, false))[0].claimed, 1u);
  const auto newest = NewestForm(model);
  ASSERT_FALSE(newest);
  EXPECT_NE(Words(newest.error()).find("has only claimed forms"), std::string::npos);
  EXPECT_FALSE(CheckForm(Open(), model, 1, {}));
}

TEST_F(ImportTest, WeakEvidenceIsClaimedUnlessItIsAskedFor) {
  const auto body = [](std::string_view op) {
    return fmt::format(
        "func.func @main(%a: tensor<2xi4>) -> tensor<2xi4> {{\n{}  return %0 : tensor<2xi4>\n}}\n", op);
  };
  ImportCase of;
  of.before = body("  %0 = stablehlo.add %a, %a : tensor<2xi4>\n");
  of.after = body(
      "  %c = stablehlo.constant dense<1> : tensor<2xi4>\n"
      "  %0 = stablehlo.shift_left %a, %c : tensor<2xi4>\n");
  of.certificate = CertificateOfTexts(of.before, of.after);
  of.original = TextForm(of.before);
  of.form = TextForm(of.after);
  of.evidence = Evidence::kExhaustive;
  ASSERT_EQ(of.certificate.functions[0].evidence, Evidence::kExhaustive);
  EXPECT_EQ(Must(Import(of.Make())).notes.size(), 1u);
  EXPECT_EQ(Must(Open().Find("net")).newest(), 0u);
  // The same bundle again, with less to ask for.
  EXPECT_EQ(Must(Import(of.Make(), {.at_least = Evidence::kExhaustive})).notes.size(), 0u);
  EXPECT_EQ(Must(Open().Find("net")).newest(), 1u);
  of.certificate.functions[0].inputs = 0;
  TearDown();
  SetUp();
  ExpectRefused("exhaustive by nothing", of, "@main is exhaustive, with 0 input sets");
}

TEST_F(ImportTest, NobodyElseRemovesOrReplacesWhatIsHere) {
  Must(Import(ImportCase().Make()));
  const ArchivedModel model = Must(Open().Find("net"));
  for (const ContentId& form : {ContentId(), model.entry}) {
    TestBundle removal;
    removal.Entry(RemoveEntry(model, form, TestOrigin()));
    EXPECT_EQ(Must(Import(removal)).notes,
              std::vector<std::string>{"net@1 keeps what the source has removed"});
    EXPECT_FALSE(Must(Open().Find("net")).forms[0].removed);
  }
  // A model that states the archive's as its own origin.
  TestBundle other;
  const std::string text = TextAt("negate", 62);
  other.Data(text);
  other.Entry(Replaced(ModelText("nit", TextForm(text)), R"("name":"nit")",
                       fmt::format(R"("imported":"{}","name":"nit")", IdText(model.entry))));
  const auto report = Import(other);
  ASSERT_FALSE(report);
  EXPECT_NE(Words(report.error()).find("has other files"), std::string::npos) << Words(report.error());
}

// Somebody puts a pack into the folder, which states that the checker has accepted its form.
TEST_F(ImportTest, ARecordOfAcceptanceDeletesNothing) {
  const std::string before = TextAt("tanh", 62), evil = TextAt("negate", 75);
  {
    const Archive archive = Open();
    Writer writer = Must(Writer::Begin(archive, Options()));
    NewModel model;
    model.name = "net";
    model.files = {{"net.mlir", Must(writer.AddBytes(before)), before.size()}};
    model.programs = TextForm(before).programs;
    uint64_t version = 0;
    bool existed = false;
    const ContentId entry = Must(writer.AddModel(model, &version, &existed));
    Certificate certificate = CertificateOfTexts(before, TextAt("tanh", 75));
    certificate.programs[1].sha256 = IdText(IdOf(evil));
    ArchivedForm form = TextForm(evil);
    form.from = entry;
    Must(writer.AddBytes(evil));
    form.proofs = {{"", Must(writer.AddBytes(CertificateText(certificate))), Evidence::kLaws}};
    const ContentId added = Must(writer.AddForm(entry, form));
    Must(writer.Commit());
    EXPECT_EQ(Must(archive.Find("net")).newest(), 0u) << "it is only claimed";
    Must(writer.Accept(entry, added));
    Must(writer.Commit());
  }
  const ArchivedModel model = Must(Open().Find("net"));
  ASSERT_EQ(model.newest(), 1u);
  EXPECT_NE(Words(Must(CheckForm(Open(), model, 1, {}))).find("the certificate does not hold"),
            std::string::npos);
  EXPECT_NE(Words(Must(CheckSuperseded(Open(), model, 0, {}))).find("the certificate does not hold"),
            std::string::npos);
}

// Few bytes that stand for many.
TEST_F(ImportTest, BundlesTakeWhatTheyAreWorth) {
  const auto import_file = [&](const std::string& text, const std::string& format) {
    TestBundle bundle;
    ListContent list;
    list.size = text.size() * 64;
    const ContentId piece = bundle.Data(text);
    for (int i = 0; i < 64; ++i) list.parts.push_back({PartCode::kPiece, text.size(), piece, {}});
    IdHasher hasher;
    for (int i = 0; i < 64; ++i) hasher.Add(text);
    const ContentId whole = hasher.Finish();
    bundle.records.push_back({RecordKind::kList, whole, WriteList(list)});
    ArchivedForm form = TextForm(TextAt("tanh", 62));
    form.files = {{"net.mlir", whole, list.size}};
    bundle.Entry(
        Replaced(ModelText("net", form), R"("format":"text")", fmt::format(R"("format":"{}")", format)));
    return Import(bundle, {.max_memory = 1 << 20});
  };
  const auto zeros = import_file(std::string(1 << 16, '\0'), "text");
  ASSERT_FALSE(zeros);
  EXPECT_EQ(zeros.error()[0].code, Code::kLimit) << Words(zeros.error());
  const auto none = import_file(std::string(1 << 10, '\0'), "text");
  ASSERT_FALSE(none);
  EXPECT_NE(none.error()[0].code, Code::kLimit) << Words(none.error());
  ImportCase of;
  of.edit_certificate = [](const std::string&) { return std::string(100'000, '['); };
  ExpectRefused("a deep certificate", of, "nested too deeply");
  of.edit_certificate = [](const std::string&) {
    std::string text = "[0";
    for (int i = 0; i < 1'000'000; ++i) text += ",0";
    return text + "]";
  };
  of.edit_bundle = nullptr;
  ExpectRefused("a long certificate", of, "not a certificate");
}

TEST_F(ImportTest, NumbersHaveALastOne) {
  ImportCase of;
  of.edit_model = [](const std::string& text) {
    return Replaced(text, R"(,"version":1})", R"(,"version":1000000000})");
  };
  Must(Import(of.Make()));
  EXPECT_EQ(Must(Open().Find("net@1000000000")).version, kLastModelVersion);
  // The name has no other version: in an import, and in a model that is added.
  ImportCase second;
  second.before = TextAt("sine", 62);
  second.after = TextAt("sine", 75);
  second.original = TextForm(second.before);
  second.form = TextForm(second.after);
  second.certificate = CertificateOfTexts(second.before, second.after);
  const auto report = Import(second.Make());
  ASSERT_FALSE(report);
  EXPECT_NE(Words(report.error()).find("'net' has version 1000000000, the last one"), std::string::npos);
  const Archive archive = Open();
  Writer writer = Must(Writer::Begin(archive, Options()));
  const auto add = [&](const std::string& name, uint64_t number) {
    NewModel model;
    model.name = name;
    model.version = number;
    model.files = {{"f", Must(writer.AddBytes("f")), 1}};
    uint64_t version = 0;
    bool existed = false;
    const auto added = writer.AddModel(model, &version, &existed);
    return added ? "" : Words(added.error());
  };
  EXPECT_NE(add("net", 0).find("the last one that a name can have"), std::string::npos);
  EXPECT_NE(add("other", kLastModelVersion + 1).find("the last version is 1000000000"), std::string::npos);
  EXPECT_EQ(add("other", kLastModelVersion), "");
  Must(writer.Commit());
  EXPECT_TRUE(Must(Scrub(archive)).damage.empty());
}

}  // namespace
}  // namespace shlo::archive
