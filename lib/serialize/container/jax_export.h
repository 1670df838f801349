// jax.export files: the parts that reading, describing and writing share.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "jax_export_generated.h"
#include "serialize/container/flat_tree.h"
#include "shlo/container.h"

namespace shlo::container {

using Jax = jax_export::Exported;  // its VT_ constants name slots

// A file that was checked. FlatBuffers are read at their alignment, so bytes that are not aligned are copied.
class JaxFile {
 public:
  static Result<JaxFile> Open(std::string_view bytes, const ContainerOptions& options);

  const Jax* root() const;
  // Returns the part of the file that was opened for a view into `root()`.
  std::string_view InFile(std::string_view view) const;
  std::string_view bytes() const { return bytes_; }
  // The function, and its gradients of rising order.
  const std::vector<const Jax*>& functions() const { return functions_; }
  // Unique names of `functions()`.
  const std::vector<std::string>& names() const { return names_; }

 private:
  std::string_view bytes_;
  std::shared_ptr<std::vector<uint64_t>> copy_;
  std::string_view aligned_;
  std::vector<const Jax*> functions_;
  std::vector<std::string> names_;
};

// Returns the program's bytes, as a view into the file.
std::string_view ProgramOf(const JaxFile& file, const Jax* function);

// Returns what the file and its functions state.
ContainerInfo DescribeJaxExport(const JaxFile& file);
// Returns the names of leaves in the order of the tree, such as "args[0]['w']".
std::vector<std::string> LeafPaths(const jax_export::Tree* tree, bool inputs);

// Returns the file with other programs.
Result<std::string> WriteJaxExport(const JaxFile& file, std::span<const std::string> programs,
                                   const ContainerWriteOptions& options);

}  // namespace shlo::container
