// Reads the forms of models as programs, and runs the checker on their certificates: before an import, before
// old forms are pruned, and for verification. Nothing that an entry states of a file is believed.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "archive/content_id.h"
#include "shlo/archive_work.h"

namespace shlo::archive {

// Returns the file of a form that holds its programs: the only one, or saved_model.pb of a folder.
const ArchivedFile& MainFile(const ArchivedForm& form);

// Returns the type of a golden's tensor. Fails with kMalformed.
Result<ValueTypePtr> TensorTypeNamed(const std::string& type);

// Where the bytes of forms come from, and what reading them may cost.
struct FormBytes {
  // Returns the bytes of an id. `name` is that of the result.
  std::function<Result<InputFile>(const ContentId& id, const std::string& name)> load;
  // Returns the size of the bytes of an id, as it is stored.
  std::function<Result<uint64_t>(const ContentId& id)> size;
  // Returns the limits for what was loaded so far.
  std::function<Limits()> limits;
  // Compare all facts of an entry, and not only the versions: the archive has not read it itself.
  bool foreign = false;
  // Accept what violates the specification only; whoever added a model to the archive could do that.
  bool lenient = false;
};
// Returns those of an archive, which must outlive them.
FormBytes BytesOf(const Archive& archive, const Limits& limits);

// The programs of a form.
struct FormPrograms {
  InputFile file;  // the main one
  std::vector<Program> programs;
};

// Reads and verifies the programs of a form, and compares them, its files and its constants outside with what
// its entry states (FormBytes::foreign). `label` is for diagnostics. Fails with kMalformed if the entry
// states anything else.
Result<FormPrograms> ReadForm(const FormBytes& bytes, const std::string& label, const ArchivedForm& form);

// Runs the checker on the certificates of `form`, which state that its programs are those of `from`. Returns
// what does not hold; empty: all of it does.
Result<Diagnostics> CheckCertificates(const FormBytes& bytes, const std::string& label,
                                      const ArchivedForm& from, const FormPrograms& before,
                                      const ArchivedForm& form, const FormPrograms& after);

}  // namespace shlo::archive
