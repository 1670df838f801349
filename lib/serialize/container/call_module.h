// The versions of XlaCallModule, TensorFlow's op that calls a program: what each implies, and what a node
// needs so that another version means the same.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "serialize/container/saved_model.h"

namespace shlo::container {

// Returns the releases of TensorFlow that load a version: "2.14 to 2.15"; "" if none is known.
std::string ReadingTensorflow(uint64_t version);

// Returns the node with another program and at another version: a version ("9"), or the nearest that a
// release of TensorFlow ("2.17", "2.17.1") loads. Fails with kBlocked, and a reason for each thing that the
// version cannot have.
Result<std::string> AdaptNode(const ModuleNode& node, std::string_view program,
                              const ContainerWriteOptions& options);

}  // namespace shlo::container
