// Bytes of mapped files take memory page by page as they are read. Code that reads large ones once gives the
// pages back, so that its memory does not grow with the file.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/deadline.h"

namespace shlo {

// Notes that a file is mapped at these bytes, read-only, and that it is no longer. `fd` stays open meanwhile.
void AddMapping(const void* data, size_t size, int fd, std::string path);
void RemoveMapping(const void* data);

// Returns the path of the file that is mapped at an address, or nullptr. Valid as long as the mapping.
const std::string* MappedAt(const void* address);
// Returns the path of a mapped file that has become shorter, so that bytes of it are zeros or cannot be read
// at all; "" if there is none.
std::string ShorterFile();

// Gives back the pages of these bytes if a file is mapped there; they are read from it again when used.
void ReleasePages(std::string_view bytes);

// The size of a piece that is read at once.
inline constexpr size_t kPieceBytes = size_t(4) << 20;

// Calls visit(piece) for consecutive pieces of the bytes until it returns false, and gives each one back.
// Ticks. Returns whether all were visited.
template <typename VisitT>
bool VisitPieces(std::string_view bytes, VisitT&& visit) {
  for (size_t at = 0; at < bytes.size(); at += kPieceBytes) {
    const std::string_view piece = bytes.substr(at, kPieceBytes);
    Tick(1 + piece.size() / 256);
    const bool more = visit(piece);
    if (bytes.size() > kPieceBytes) ReleasePages(piece);
    if (!more) return false;
  }
  return true;
}

// Returns whether two runs of bytes are equal.
bool EqualBytes(std::string_view a, std::string_view b);

}  // namespace shlo
