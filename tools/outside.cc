#include "outside.h"

#include <algorithm>
#include <filesystem>

#include "archive.h"
#include "base/format.h"
#include "base/sha256.h"
#include "base/try.h"

namespace shlo::tool {
namespace {

namespace fs = std::filesystem;

tl::unexpected<Diagnostics> NotFound(const OutsideConstant& constant) {
  const std::string where = constant.file.empty() ? "" : StrFormat(" in '{}'", constant.file);
  return Error(Code::kIo, StrFormat("constant '{}' was not found{}", OutsideName(constant), where), {},
               "pass the file that has it: --weights=PATH");
}

// Whether a path stays below the folder that it is relative to. A program may come from anywhere, and must
// not say which files to open.
bool StaysBelow(const std::string& path) {
  const fs::path normal = fs::path(path).lexically_normal();
  return !path.empty() && normal.is_relative() && *normal.begin() != "..";
}

}  // namespace

InputFile BytesOfTensor(Tensor tensor, std::string name) {
  const auto kept = std::make_shared<Tensor>(tensor.Expanded());
  if (!*kept) return {};
  return InputFile{
      {reinterpret_cast<const char*>(kept->data()), kept->stored_bytes()}, kept, std::move(name)};
}

Result<OutsideFinder::Weights*> OutsideFinder::Open(const std::string& path) {
  const auto found = files_.find(path);
  if (found != files_.end()) return found->second.get();
  auto file = OpenInput(path, kNoStream);  // programs state paths
  if (!file) {
    // The reader of the program names that as the place.
    for (Diagnostic& why : file.error()) why.message = StrFormat("'{}': {}", path, why.message);
    return tl::unexpected(std::move(file.error()));
  }
  auto open = SHLO_TRY(TensorFile::Open(file->bytes, file->owner, file->name));
  auto& weights = files_[path];
  weights = std::make_unique<Weights>(Weights{std::move(open), {}});
  return weights.get();
}

Result<InputFile> OutsideFinder::ByName(const OutsideConstant& constant, const std::string& path) {
  const auto weights = SHLO_TRY(Open(path));
  for (size_t i = 0; i < weights->file.size(); ++i) {
    if (weights->file.name(i) != constant.key) continue;
    auto tensor = SHLO_TRY(weights->file.Read(i));
    return BytesOfTensor(std::move(tensor), path);
  }
  return NotFound(constant);
}

Result<InputFile> OutsideFinder::ByContent(const OutsideConstant& constant, const std::string& path) {
  if (archive::Archive::IsArchive(path)) {
    auto known = archives_.find(path);
    if (known == archives_.end()) {
      auto opened = SHLO_TRY(archive::Archive::Open(path));
      known = archives_.emplace(path, std::move(opened)).first;
    }
    return known->second.Outside()(constant);
  }
  const auto weights = SHLO_TRY(Open(path));
  for (size_t i = 0; i < weights->file.size(); ++i) {
    auto tensor = weights->file.Read(i);
    if (!tensor || tensor->type().bytes != constant.size) continue;
    InputFile bytes = BytesOfTensor(std::move(*tensor), path);
    const auto [sha256, is_new] = weights->known.try_emplace(i);
    if (is_new) sha256->second = Sha256Of(bytes.bytes);
    if (sha256->second == constant.sha256) return bytes;
  }
  return NotFound(constant);
}

Result<InputFile> OutsideFinder::Find(const OutsideConstant& constant, const std::string& folder) {
  const std::lock_guard lock(mutex_);
  Diagnostics why;
  for (const std::string& path : weights_) {
    auto found = ByContent(constant, path);
    if (found) return found;
    if (found.error()[0].message != NotFound(constant).value()[0].message && why.empty())
      why = std::move(found.error());
  }
  if (StaysBelow(constant.file)) {
    const std::string path = (fs::path(folder) / constant.file).string();
    std::error_code error;
    if (fs::exists(path, error)) return ByName(constant, path);
  }
  if (!why.empty()) return tl::unexpected(std::move(why));
  auto missing = NotFound(constant);
  if (!constant.file.empty() && !StaysBelow(constant.file)) {
    missing.value()[0].message =
        StrFormat("constant '{}' is in '{}', outside of the program's folder, where nothing is opened",
                  OutsideName(constant), constant.file);
    missing.value()[0].hint = "pass the file if you trust it: --weights=" + constant.file;
  }
  return missing;
}

FindOutside OutsideOf(Context& ctx, const std::string& source_name) {
  if (!ctx.outside) ctx.outside = std::make_shared<OutsideFinder>(ctx.weights);
  const auto model = SplitModelPath(source_name);
  std::string folder = model ? model->first : fs::path(source_name).parent_path().string();
  if (folder.empty()) folder = ".";
  return [finder = ctx.outside, folder, is_model = model.has_value(), archive = ctx.archive,
          found_outside = ctx.found_outside](const OutsideConstant& constant) -> Result<InputFile> {
    Result<InputFile> found;
    if (archive) {
      found = archive->Outside()(constant);
    } else if (is_model) {
      auto opened = SHLO_TRY(archive::Archive::Open(folder));
      found = opened.Outside()(constant);
    } else {
      found = finder->Find(constant, folder);
    }
    if (found && found_outside) found_outside->emplace_back(constant, *found);
    return found;
  };
}

}  // namespace shlo::tool
