// Containers: files of frameworks with programs and other data. A jax.export file (FlatBuffers) has the
// programs of a function and its gradients; a TensorFlow SavedModel (protobuf) has one in each XlaCallModule
// node. ReadPrograms reads the programs; this header is about the data around them. See
// docs/containers.md.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "shlo/diagnostics.h"
#include "shlo/limits.h"
#include "shlo/program_io.h"

namespace shlo {

// Whether files of this format hold programs of other formats.
bool IsContainer(Format format);

// Options of all functions on containers.
struct ContainerOptions {
  std::string source_name = "<input>";  // names the file in diagnostics
  Limits limits;                        // depth of tables, deadline
};

// A program in a container, undecoded. `bytes` is a view into the container.
struct ContainedProgram {
  std::string name;        // unique in the container
  std::string_view bytes;  // in its own format
};

// Returns the programs of a container in file order. Those of a jax.export file are the function itself, then
// its gradients. A SavedModel may have none.
Result<std::vector<ContainedProgram>> ListContainedPrograms(std::string_view bytes,
                                                            const ContainerOptions& options = {});

// An input or output as the framework's user sees it. A program may lack unused inputs and take others in
// front.
struct SignatureValue {
  std::string path;                // such as "args[0]['weights']"
  std::string element_type;        // StableHLO's spelling where it has one
  std::vector<std::string> shape;  // numbers, expressions of dimension variables, or "?"
  bool ranked = true;              // false: `shape` is unknown
  std::string memory;              // host or any; empty: the device's
  std::string sharding;            // empty: unspecified
};
// A function that a container offers to its callers.
struct Signature {
  std::string name;                     // of the function, or the key of a SavedModel's signature
  std::vector<SignatureValue> inputs;   // in the order of the tree
  std::vector<SignatureValue> outputs;  // as `inputs`
};

// Named facts, for people and scripts: a value, or a list.
struct ContainerProperty {
  std::string name;                 // in snake_case
  std::vector<std::string> values;  // one value unless `is_list`
  bool is_list = false;             // whether there may be several values, or none
};

// The facts of a container. `signatures` has one per exported function or gradient, or all of the
// SavedModel.
struct ContainerInfo {
  Format format = Format::kJaxExport;                                            // which container it is
  std::vector<ContainerProperty> properties;                                     // of the file
  std::vector<std::pair<std::string, std::vector<ContainerProperty>>> programs;  // by name
  std::vector<Signature> signatures;                                             // see above
};
// Returns what a container states. Its programs are not decoded.
Result<ContainerInfo> InspectContainer(std::string_view bytes, const ContainerOptions& options = {});

// Options of writing.
struct ContainerWriteOptions : ContainerOptions {
  // The reader of the file: for a jax.export file a release of jax ("0.8.1"), or a serialization version
  // ("4"); of a SavedModel a version of XlaCallModule ("9"), or a release of TensorFlow ("2.17"). Empty:
  // leave it as it is.
  std::string container_version;
  // Shapes of all inputs and outputs of a jax.export file, by function, as InspectContainer returns them;
  // empty: as they are. Nothing else of the signatures may differ.
  std::vector<Signature> signatures;
};
// Returns the container with other programs in place of those it has, in the order of ListContainedPrograms.
// Everything else keeps its meaning; a container that changes in nothing keeps its bytes. Fails with kBlocked
// if no file of `container_version` can hold this one.
Result<std::string> WriteContainer(std::string_view bytes, std::span<const std::string> programs,
                                   const ContainerWriteOptions& options = {});

// Returns "f32[2, n]".
std::string TypeText(const SignatureValue& value);

}  // namespace shlo
