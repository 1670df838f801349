// TensorFlow SavedModels: the parts that reading, describing and writing share.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "shlo/container.h"

namespace shlo::container {

// A message or string that has a length: where the length is written, and the payload, from the start of the
// file.
struct Extent {
  size_t length_at = 0;
  size_t begin = 0;
  size_t end = 0;
};

// An XlaCallModule node.
struct ModuleNode {
  std::string name;          // unique in the file: FUNCTION/NODE, or NODE
  std::vector<Extent> path;  // enclosing messages, outermost first; the last one is the program
  std::string_view program;
  std::string_view attributes;  // the node
};

// A file whose messages were checked as far as they lead to programs and signatures.
struct SavedModel {
  std::string_view bytes;
  std::vector<ModuleNode> nodes;
  std::vector<std::string_view> meta_graphs;
};

Result<SavedModel> OpenSavedModel(std::string_view bytes, const ContainerOptions& options);
ContainerInfo DescribeSavedModel(const SavedModel& model);

// Returns the file with other programs. Only they and the lengths of the messages around them change.
Result<std::string> WriteSavedModel(const SavedModel& model, std::span<const std::string> programs,
                                    const ContainerWriteOptions& options);

}  // namespace shlo::container
