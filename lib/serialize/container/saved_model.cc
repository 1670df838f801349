// Finds the programs of a SavedModel, and writes others in their place. schema/saved_model.inc has the way to
// them.
#include "serialize/container/saved_model.h"

#include <algorithm>
#include <climits>
#include <unordered_map>

#include "base/format.h"
#include "serialize/container/call_module.h"
#include "serialize/container/formats.h"
#include "serialize/container/saved_model_fields.h"
#include "serialize/container/wire.h"
#include "serialize/varint.h"

namespace shlo::container {
namespace {

// Walks from the file down to nodes. `path_` are the messages around the current one.
class Finder {
 public:
  explicit Finder(SavedModel* model) : model_(model) {}

  bool Run() {
    return Visit(model_->bytes,
                 [&](const WireField& f) {
                   if (f.number != field::kSavedModelMetaGraphs || !f.has_length) return;
                   model_->meta_graphs.push_back(f.bytes);
                   Inside(f, [&] { MetaGraph(f.bytes); });
                 }) &&
           ok_;
  }

 private:
  template <typename Function>
  bool Visit(std::string_view message, Function function) {
    const bool valid = ForEachField(message, function);
    ok_ = ok_ && valid;
    return valid;
  }
  // Runs a function for a field of the innermost message.
  template <typename Function>
  void Inside(const WireField& f, Function function) {
    const size_t base = path_.empty() ? 0 : path_.back().begin;
    const size_t begin = size_t(f.bytes.data() - model_->bytes.data());
    path_.push_back({base + f.length_at, begin, begin + f.bytes.size()});
    function();
    path_.pop_back();
  }

  void MetaGraph(std::string_view message) {
    Visit(message, [&](const WireField& f) {
      if (f.number == field::kMetaGraphGraph && f.has_length) Inside(f, [&] { Graph(f.bytes); });
    });
  }
  void Graph(std::string_view message) {
    Visit(message, [&](const WireField& f) {
      if (!f.has_length) return;
      if (f.number == field::kGraphNodes) Inside(f, [&] { Node(f.bytes, ""); });
      if (f.number == field::kGraphLibrary) Inside(f, [&] { Library(f.bytes); });
    });
  }
  void Library(std::string_view message) {
    Visit(message, [&](const WireField& f) {
      if (f.number == field::kLibraryFunctions && f.has_length) Inside(f, [&] { Function(f.bytes); });
    });
  }
  void Function(std::string_view message) {
    std::string name;
    Visit(message, [&](const WireField& f) {
      if (f.number != field::kFunctionSignature || !f.has_length) return;
      Visit(f.bytes, [&](const WireField& g) {
        if (g.number == field::kOpDefName && g.has_length) name = g.bytes;
      });
    });
    Visit(message, [&](const WireField& f) {
      if (f.number == field::kFunctionNodes && f.has_length) Inside(f, [&] { Node(f.bytes, name); });
    });
  }
  void Node(std::string_view message, std::string_view function) {
    std::string_view name, op;
    Visit(message, [&](const WireField& f) {
      if (f.number == field::kNodeName) name = f.bytes;
      if (f.number == field::kNodeOp) op = f.bytes;
    });
    if (op != "XlaCallModule") return;
    ModuleNode node;
    node.name = function.empty() ? std::string(name) : StrFormat("{}/{}", function, name);
    node.attributes = message;
    Visit(message, [&](const WireField& f) {
      if (f.number == field::kNodeAttrs && f.has_length) Inside(f, [&] { Attr(f.bytes, &node); });
    });
    if (node.path.empty()) return;
    // Graphs with different tags may have nodes of the same name.
    if (const size_t twin = ++names_[node.name]; twin > 1) node.name += StrFormat("#{}", twin);
    model_->nodes.push_back(std::move(node));
  }
  void Attr(std::string_view entry, ModuleNode* node) {
    std::string_view key;
    Visit(entry, [&](const WireField& f) {
      if (f.number == field::kMapEntryKey) key = f.bytes;
    });
    if (key != "module") return;
    Visit(entry, [&](const WireField& f) {
      if (f.number != field::kMapEntryValue || !f.has_length) return;
      Inside(f, [&] {
        Visit(f.bytes, [&](const WireField& g) {
          if (g.number != field::kAttrValueString || !g.has_length) return;
          Inside(g, [&] { node->path = path_; });
          node->program = g.bytes;
        });
      });
    });
  }

  SavedModel* model_;
  std::vector<Extent> path_;
  std::unordered_map<std::string, size_t> names_;
  bool ok_ = true;
};

size_t VarintSize(uint64_t x) {
  size_t size = 1;
  for (; x >= 0x80; x >>= 7) ++size;
  return size;
}

// New content of a message or string, by the messages around it, outermost first; the last one is replaced.
struct Splice {
  std::span<const Extent> path;
  std::string_view bytes;
};

// Writes a file again: everything up to a changed length, the new length, and what is in it.
class Splicer {
 public:
  Splicer(const SavedModel& model, std::span<const Splice> splices) : model_(model), splices_(splices) {}

  uint64_t Size() { return SizeOf(0, model_.bytes.size(), 0, 0, splices_.size()); }

  std::string Run() {
    out_.reserve(Size());
    Write(0, model_.bytes.size(), 0, 0, splices_.size());
    return std::move(out_);
  }

 private:
  // Calls visit(extent, first, last) for each message at `depth` that has splices of [first, last).
  template <typename Visit>
  void Groups(size_t depth, size_t first, size_t last, Visit visit) const {
    while (first < last) {
      const Extent extent = splices_[first].path[depth];
      size_t end = first + 1;
      while (end < last && splices_[end].path[depth].begin == extent.begin) ++end;
      visit(extent, first, end);
      first = end;
    }
  }
  bool IsReplaced(size_t depth, size_t splice) const { return splices_[splice].path.size() == depth + 1; }

  // Returns the new size of the bytes [begin, end), which have the splices of [first, last) in messages at
  // `depth`.
  uint64_t SizeOf(size_t begin, size_t end, size_t depth, size_t first, size_t last) const {
    uint64_t size = end - begin;
    Groups(depth, first, last, [&](const Extent& extent, size_t from, size_t to) {
      const uint64_t inner = InnerSize(extent, depth, from, to);
      size += VarintSize(inner) + inner - (extent.end - extent.length_at);
    });
    return size;
  }
  uint64_t InnerSize(const Extent& extent, size_t depth, size_t from, size_t to) const {
    return IsReplaced(depth, from) ? splices_[from].bytes.size()
                                   : SizeOf(extent.begin, extent.end, depth + 1, from, to);
  }
  void Write(size_t begin, size_t end, size_t depth, size_t first, size_t last) {
    Groups(depth, first, last, [&](const Extent& extent, size_t from, size_t to) {
      out_ += model_.bytes.substr(begin, extent.length_at - begin);
      ByteBuffer length;
      length.Varint(InnerSize(extent, depth, from, to));
      out_ += length.view();
      if (IsReplaced(depth, from))
        out_ += splices_[from].bytes;
      else
        Write(extent.begin, extent.end, depth + 1, from, to);
      begin = extent.end;
    });
    out_ += model_.bytes.substr(begin, end - begin);
  }

  const SavedModel& model_;
  std::span<const Splice> splices_;
  std::string out_;
};

}  // namespace

Result<SavedModel> OpenSavedModel(std::string_view bytes, const ContainerOptions& options) {
  SavedModel model;
  model.bytes = bytes;
  if (!Finder(&model).Run())
    return Error(Code::kMalformed, "malformed SavedModel: a protobuf message ends early", FileOnly(options),
                 "check that the file is complete");
  return model;
}

Result<std::string> WriteSavedModel(const SavedModel& model, std::span<const std::string> programs,
                                    const ContainerWriteOptions& options) {
  std::vector<Splice> splices;
  std::vector<std::string> adapted;
  adapted.reserve(programs.size());
  Diagnostics blockers;
  for (size_t i = 0; i < programs.size(); ++i) {
    const std::span<const Extent> path = model.nodes[i].path;
    if (options.container_version.empty()) {
      splices.push_back({path, programs[i]});
      continue;
    }
    auto node = AdaptNode(model.nodes[i], programs[i], options);
    if (!node) {
      if (node.error()[0].code != Code::kBlocked) return node;
      blockers.insert(blockers.end(), node.error().begin(), node.error().end());
      continue;
    }
    // The program is in a string, in the value of an entry of the node.
    adapted.push_back(std::move(*node));
    splices.push_back({path.first(path.size() - 3), adapted.back()});
  }
  if (!blockers.empty()) return tl::unexpected(std::move(blockers));
  Splicer splicer(model, splices);
  if (splicer.Size() > INT_MAX)
    return Error(Code::kLimit, "the SavedModel exceeds 2 GiB, where protobuf messages end", FileOnly(options),
                 "pass --extract to write the program alone");
  return splicer.Run();
}

}  // namespace shlo::container

namespace shlo {

// The schema version (1), then a graph that begins with its description or nodes. ONNX files of the first
// version begin with a string at the same place.
bool IsSavedModel(std::string_view bytes) {
  if (!bytes.starts_with("\x08\x01\x12")) return false;
  Cursor cursor(bytes.substr(3));
  if (cursor.Varint() < 2 || !cursor.ok()) return false;
  const std::string_view tag = cursor.Bytes(1);
  return tag == "\x0a" || tag == "\x12";
}

}  // namespace shlo
