// A growable array of bytes that clears nothing: std::string and std::vector fill what is about to be
// written.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <memory>
#include <new>
#include <utility>

namespace shlo {

template <typename T>
class GrowingBytes {
  static_assert(sizeof(T) == 1);

 public:
  // Moving exchanges the contents.
  GrowingBytes() = default;
  GrowingBytes(const GrowingBytes& other) {
    if (other.size_) std::memcpy(Extend(other.size_), other.data(), other.size_);
  }
  GrowingBytes(GrowingBytes&& other) noexcept { swap(other); }
  GrowingBytes& operator=(GrowingBytes other) noexcept {
    swap(other);
    return *this;
  }

  // As for std::vector; clear() keeps the memory. Pointers are valid until the array grows.
  std::size_t size() const { return size_; }
  std::size_t capacity() const { return capacity_; }
  bool empty() const { return size_ == 0; }
  const T* data() const { return data_.get(); }
  const T& operator[](std::size_t i) const { return data_[i]; }
  void reserve(std::size_t n) {
    if (n > capacity_) Grow(n);
  }
  void clear() { size_ = 0; }
  void push_back(T value) { *Extend(1) = value; }
  void swap(GrowingBytes& other) noexcept {
    data_.swap(other.data_);
    std::swap(size_, other.size_);
    std::swap(capacity_, other.capacity_);
  }

  // Appends n bytes for the caller to write.
  [[gnu::always_inline]] T* Extend(std::size_t n) {
    T* const at = Room(n);
    size_ += n;
    return at;
  }
  // The same for an unknown number: room for at most n, ended by EndAt.
  [[gnu::always_inline]] T* Room(std::size_t n) {
    if (n > capacity_ - size_) [[unlikely]]
      Grow(size_ + n);
    return data_.get() + size_;
  }
  // Ends the bytes before `end`.
  void EndAt(const T* end) { size_ = std::size_t(end - data_.get()); }

 private:
  [[gnu::noinline]] void Grow(std::size_t at_least) {
    if (at_least > SIZE_MAX / 4) throw std::bad_alloc();
    const std::size_t wanted = std::max({at_least, capacity_ + capacity_ / 2, std::size_t(64)});
    std::unique_ptr<T[]> grown(new T[wanted]);
    if (size_) std::memcpy(grown.get(), data_.get(), size_);
    data_ = std::move(grown);
    capacity_ = wanted;
  }

  std::unique_ptr<T[]> data_;
  std::size_t size_ = 0;
  std::size_t capacity_ = 0;
};

}  // namespace shlo
