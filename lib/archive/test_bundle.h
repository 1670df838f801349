// Bundles that say what a test wants, with checksums that are right: for what an honest writer cannot make.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "archive/journal.h"
#include "archive/pack_writer.h"
#include "archive/test_archive.h"
#include "shlo/certificate.h"
#include "shlo/text_reader.h"

namespace shlo::archive {

// A record to write.
struct BundleRecord {
  RecordKind kind;
  ContentId id;
  std::string content;
  uint64_t ordinal = 0;
};

class TestBundle {
 public:
  std::vector<BundleRecord> records;
  PackHeader header = {.flags = kBundle};

  ContentId Data(const std::string& bytes) {
    records.push_back({RecordKind::kData, IdOf(bytes), bytes});
    return records.back().id;
  }
  ContentId Entry(const std::string& text) {
    records.push_back({RecordKind::kEntry, IdOf(text), text, ++ordinal_});
    return records.back().id;
  }
  void Write(const std::string& path) const {
    std::filesystem::remove(path);
    auto pack = Must(PackWriter::Create(path, header));
    for (const BundleRecord& record : records) {
      StoredContent stored;
      stored.raw = record.content;
      Must(pack->Add(record.kind, record.id, record.content.size(), stored, record.ordinal));
    }
    Must(pack->Finish());
  }

 private:
  uint64_t ordinal_ = 0;
};

inline EntryOrigin TestOrigin() { return {"2026-01-31T12:00:00Z", "test"}; }

// A text as the file of a model, with the facts that are true of it.
inline ArchivedForm TextForm(const std::string& text) {
  Diagnostics errors;
  ArchivedForm form;
  form.tool = "test";
  form.files = {{"net.mlir", IdOf(text), text.size()}};
  const ProgramFile file = ReadPrograms({text, nullptr, ""}, {}, &errors);
  for (const Program& program : file.programs) form.programs.push_back(DescribeProgram(program));
  EXPECT_TRUE(errors.empty()) << Words(errors);
  return form;
}

inline std::string ModelText(const std::string& name, const ArchivedForm& form, uint64_t version = 1) {
  NewModel model;
  model.name = name;
  model.format = form.format;
  model.files = form.files;
  model.programs = form.programs;
  return ModelEntry(model, version, {}, TestOrigin());
}

// Returns a certificate of two texts, as an archive has it.
inline Certificate CertificateOfTexts(const std::string& before, const std::string& after) {
  const Module a = Must(ReadText(before, nullptr)), b = Must(ReadText(after, nullptr));
  ProveOptions prove;
  prove.matching = true;
  const Proof proof = Must(Prove(a, b, prove));
  Certificate certificate = Must(CertificateOf(proof, prove, a, b));
  certificate.producer = "test";
  certificate.programs[0] = {"net.mlir", IdText(IdOf(before)), {}, a.version};
  certificate.programs[1] = {"net.mlir", IdText(IdOf(after)), {}, b.version};
  return certificate;
}

// Returns what another one, such as `text`, has in the place of `from`.
inline std::string Replaced(std::string text, std::string_view from, std::string_view to) {
  const size_t at = text.find(from);
  EXPECT_NE(at, text.npos) << from << " is not in " << text;
  return at == text.npos ? text : text.replace(at, from.size(), to);
}

// Returns the text of a program at a version.
inline std::string TextAt(std::string_view op, uint16_t version) {
  return fmt::format(
      "module attributes {{stablehlo.compat_version = {1} : i64}} {{\n"
      "  func.func @main(%arg0: tensor<4xf32>) -> tensor<4xf32> {{\n"
      "    %0 = stablehlo.{0} %arg0 : tensor<4xf32>\n"
      "    return %0 : tensor<4xf32>\n  }}\n}}\n",
      op, version);
}

}  // namespace shlo::archive
