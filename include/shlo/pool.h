// Growable arrays of trivially copyable records, for the module's large tables, and the memory they share.
// Short lists are plain vectors.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <mutex>
#include <new>
#include <span>
#include <type_traits>
#include <utility>

namespace shlo {

// Memory released by pools for the next program, up to a limit; for callers that read many programs. Must
// outlive the pools that use it. Safe to use from several threads.
class PoolCache {
 public:
  PoolCache() = default;
  PoolCache(const PoolCache&) = delete;
  PoolCache& operator=(const PoolCache&) = delete;
  ~PoolCache();
  // Returns a block of at least `*bytes`, which is raised to its size; nullptr if none fits. A much larger
  // block does not fit.
  void* Take(std::size_t* bytes);
  // Keeps a block of AllocatePool; returns false if it exceeds the limit.
  bool Keep(void* memory, std::size_t bytes);

 private:
  static constexpr std::size_t kMaxBlocks = 16, kMaxBytes = std::size_t(48) << 20;
  struct Block {
    void* memory;
    std::size_t bytes;
  };
  std::mutex mutex_;
  Block blocks_[kMaxBlocks] = {};
  std::size_t count_ = 0, held_ = 0;
};

// Allocates memory of a pool; raises `bytes` to the size of the block. Throws std::bad_alloc. `cache` may be
// null.
void* AllocatePool(std::size_t* bytes, PoolCache* cache);
// The same without a cache, and all bytes are 0; pages of a large block are cleared when they are first used.
void* AllocateZeros(std::size_t* bytes);
void FreePool(void* memory, std::size_t bytes, PoolCache* cache);
// Makes a block of AllocatePool larger without a copy: its contents may move to another address. Returns
// nullptr, and changes nothing, if that cannot be done; otherwise raises `bytes` to the new size.
void* GrowPool(void* memory, std::size_t old_bytes, std::size_t* bytes);

// A growable array of plain records, indexed by dense ids. Growing moves bytes and clears nothing that is
// about to be written. A pool may also be a view of another one's records (see View).
template <typename T>
class Pool {
  static_assert(std::is_trivially_copyable_v<T> && std::is_trivially_destructible_v<T>);

 public:
  using value_type = T;  // as for any container
  // A copy has its own records, also of a view. Moving exchanges the contents.
  explicit Pool(PoolCache* cache = nullptr) : cache_(cache) {}
  Pool(const Pool& other) : cache_(other.cache_) { Append(other.span()); }
  Pool(Pool&& other) noexcept { swap(other); }
  Pool& operator=(const Pool& other) {
    if (this == &other) return *this;
    clear();
    cache_ = other.cache_;
    Append(other.span());
    return *this;
  }
  Pool& operator=(Pool&& other) noexcept {
    swap(other);
    return *this;
  }
  ~Pool() { Free(); }

  // A view of another pool's records. That pool must outlive this one and must not change. Records may be
  // read and appended, which copies them first; they must not be written before.
  static Pool View(const Pool& other) {
    Pool view;
    view.data_ = other.data_;
    view.size_ = view.capacity_ = other.size_;
    view.owned_bytes_ = 0;
    return view;
  }

  // As for std::vector. Pointers are valid until the pool grows.
  std::size_t size() const { return size_; }
  std::size_t capacity() const { return capacity_; }
  bool empty() const { return size_ == 0; }
  T* data() { return data_; }
  const T* data() const { return data_; }
  T* begin() { return data_; }
  T* end() { return data_ + size_; }
  const T* begin() const { return data_; }
  const T* end() const { return data_ + size_; }
  T& operator[](std::size_t i) { return data_[i]; }
  const T& operator[](std::size_t i) const { return data_[i]; }
  T& back() { return data_[size_ - 1]; }
  std::span<const T> span() const { return {data_, size_}; }

  // As for std::vector; clear() keeps the memory.
  void reserve(std::size_t n) {
    if (n > capacity_) Grow(n);
  }
  void clear() { size_ = 0; }
  void resize(std::size_t n, T value = T()) {
    if (n > size_) {
      const std::size_t more = n - size_;
      std::fill_n(Extend(more), more, value);
    }
    size_ = n;
  }
  void push_back(const T& value) {
    const T copy = value;
    *Extend(1) = copy;
  }
  T& emplace_back() { return *new (Extend(1)) T(); }
  // Appends n uninitialized records for the caller to write.
  [[gnu::always_inline]] T* Extend(std::size_t n) {
    if (n > capacity_ - size_) [[unlikely]]
      Grow(size_ + n);
    T* const at = data_ + size_;
    size_ += n;
    return at;
  }
  // The same for an unknown number: room for at most n, ended by EndAt.
  T* Room(std::size_t n) {
    if (n > capacity_ - size_) Grow(size_ + n);
    return data_ + size_;
  }
  // Ends the records of Room before `end`.
  void EndAt(const T* end) { size_ = std::size_t(end - data_); }
  // Appends records that are not in this pool.
  void Append(std::span<const T> records) {
    T* at = Extend(records.size());
    for (const T& record : records) *at++ = record;
  }
  void swap(Pool& other) noexcept {
    std::swap(data_, other.data_);
    std::swap(size_, other.size_);
    std::swap(capacity_, other.capacity_);
    std::swap(owned_bytes_, other.owned_bytes_);
    std::swap(cache_, other.cache_);
  }

 private:
  [[gnu::noinline]] void Grow(std::size_t at_least) {
    const std::size_t wanted = std::max({at_least, capacity_ + capacity_ / 2, 64 / sizeof(T) + 1});
    std::size_t bytes = wanted > SIZE_MAX / 2 / sizeof(T) ? SIZE_MAX : wanted * sizeof(T);
    void* grown = owned_bytes_ ? GrowPool(data_, owned_bytes_, &bytes) : nullptr;
    if (!grown) {
      grown = AllocatePool(&bytes, cache_);
      if (size_) std::memcpy(grown, data_, size_ * sizeof(T));
      Free();
    }
    data_ = static_cast<T*>(grown);
    capacity_ = bytes / sizeof(T);
    owned_bytes_ = bytes;
  }
  void Free() {
    if (owned_bytes_) FreePool(data_, owned_bytes_, cache_);
  }

  T* data_ = nullptr;
  std::size_t size_ = 0;
  std::size_t capacity_ = 0;
  std::size_t owned_bytes_ = 0;  // 0: nothing, or another pool's
  PoolCache* cache_ = nullptr;
};

}  // namespace shlo
