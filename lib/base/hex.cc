#include "base/hex.h"

#include <algorithm>
#include <cstring>
#include <memory>

#include "base/mapped_bytes.h"
#include "base/workers.h"

#if defined(__x86_64__) && defined(__GNUC__)
#include <immintrin.h>
#elif defined(__SSE2__)
#include <emmintrin.h>
#endif

namespace shlo {
namespace {

constexpr char kDigits[] = "0123456789ABCDEF";

// Pieces that stay in the cache between conversion and use.
constexpr size_t kConvertedBytes = size_t(64) << 10;

}  // namespace

#if defined(__x86_64__) && defined(__GNUC__)
#define SHLO_WIDE_HEX
namespace {

#define SHLO_WIDE [[gnu::target("avx2")]]

// Encodes blocks of 32 bytes.
SHLO_WIDE void EncodeWide(const char* bytes, size_t blocks, char* out) {
  const __m256i digits =
      _mm256_broadcastsi128_si256(_mm_loadu_si128(reinterpret_cast<const __m128i*>(kDigits)));
  for (size_t i = 0; i < 2 * blocks; ++i, bytes += 16, out += 32) {
    const __m256i x = _mm256_cvtepu8_epi16(_mm_loadu_si128(reinterpret_cast<const __m128i*>(bytes)));
    const __m256i high = _mm256_srli_epi16(x, 4);
    const __m256i low = _mm256_slli_epi16(_mm256_and_si256(x, _mm256_set1_epi16(0x0f)), 8);
    const __m256i text = _mm256_shuffle_epi8(digits, _mm256_or_si256(high, low));
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(out), text);
  }
}

// Decodes 32 digits to 16 numbers of 16 bits. Sets the highest bit of bytes of `bad` where a character is not
// a digit. Each character is taken for a number and for a letter; where it is not, the result exceeds 15.
SHLO_WIDE inline __m256i DecodedPairs(const char* digits, __m256i* bad) {
  const __m256i x = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(digits));
  const __m256i from_f6 = _mm256_add_epi8(x, _mm256_set1_epi8(char(0xff - '9')));
  const __m256i number =
      _mm256_sub_epi8(_mm256_subs_epu8(from_f6, _mm256_set1_epi8(6)), _mm256_set1_epi8(char(0xf0)));
  const __m256i upper = _mm256_and_si256(x, _mm256_set1_epi8(char(0xdf)));
  const __m256i letter =
      _mm256_adds_epu8(_mm256_sub_epi8(upper, _mm256_set1_epi8('A')), _mm256_set1_epi8(10));
  const __m256i values = _mm256_min_epu8(number, letter);
  *bad = _mm256_or_si256(*bad, _mm256_adds_epu8(values, _mm256_set1_epi8(0x7f - 15)));
  // 16 times the first of two digits, and the second.
  return _mm256_maddubs_epi16(values, _mm256_set1_epi16(0x0110));
}

// Decodes blocks of 64 digits. Returns false if a character is not a digit.
SHLO_WIDE bool DecodeWide(const char* digits, size_t blocks, uint8_t* out) {
  __m256i bad = _mm256_setzero_si256();
  for (; blocks; --blocks, digits += 64, out += 32) {
    const __m256i first = DecodedPairs(digits, &bad), second = DecodedPairs(digits + 32, &bad);
    const __m256i packed = _mm256_packus_epi16(first, second);
    // Packing takes turns between the halves.
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(out), _mm256_permute4x64_epi64(packed, 0xd8));
  }
  return _mm256_movemask_epi8(bad) == 0;
}

// Returns which numbers without sign are at most that.
SHLO_WIDE inline __m256i AtMost(__m256i x, char most) {
  return _mm256_cmpeq_epi8(_mm256_min_epu8(x, _mm256_set1_epi8(most)), x);
}

// Returns where 32 characters are digits or upper-case letters of digits.
SHLO_WIDE inline __m256i AreUpperHex(const char* text) {
  const __m256i x = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(text));
  return _mm256_or_si256(AtMost(_mm256_sub_epi8(x, _mm256_set1_epi8('0')), 9),
                         AtMost(_mm256_sub_epi8(x, _mm256_set1_epi8('A')), 5));
}

// Returns how many blocks of 128 characters have only digits, up to the first that has another character.
SHLO_WIDE size_t CountWide(const char* text, size_t blocks) {
  for (size_t i = 0; i < blocks; ++i, text += 128) {
    const __m256i first = _mm256_and_si256(AreUpperHex(text), AreUpperHex(text + 32));
    const __m256i second = _mm256_and_si256(AreUpperHex(text + 64), AreUpperHex(text + 96));
    if (_mm256_movemask_epi8(_mm256_and_si256(first, second)) != -1) return i;
  }
  return blocks;
}
#undef SHLO_WIDE

}  // namespace
#endif

void EncodeHex(std::string_view bytes, char* out) {
  const char* p = bytes.data();
  size_t left = bytes.size();
#ifdef SHLO_WIDE_HEX
  if (left >= 256 && __builtin_cpu_supports("avx2")) {
    const size_t blocks = left / 32;
    EncodeWide(p, blocks, out);
    p += 32 * blocks;
    out += 64 * blocks;
    left %= 32;
  }
#endif
#ifdef __SSE2__
  const __m128i low_nibble = _mm_set1_epi8(0x0f), nine = _mm_set1_epi8(9);
  const __m128i zero = _mm_set1_epi8('0'), to_letter = _mm_set1_epi8('A' - '0' - 10);
  const auto digits = [&](__m128i nibbles) {
    const __m128i letters = _mm_and_si128(_mm_cmpgt_epi8(nibbles, nine), to_letter);
    return _mm_add_epi8(_mm_add_epi8(nibbles, zero), letters);
  };
  for (; left >= 16; left -= 16, p += 16, out += 32) {
    const __m128i x = _mm_loadu_si128(reinterpret_cast<const __m128i*>(p));
    const __m128i high = digits(_mm_and_si128(_mm_srli_epi16(x, 4), low_nibble));
    const __m128i low = digits(_mm_and_si128(x, low_nibble));
    _mm_storeu_si128(reinterpret_cast<__m128i*>(out), _mm_unpacklo_epi8(high, low));
    _mm_storeu_si128(reinterpret_cast<__m128i*>(out + 16), _mm_unpackhi_epi8(high, low));
  }
#endif
  for (; left; --left, ++p) {
    *out++ = kDigits[uint8_t(*p) >> 4];
    *out++ = kDigits[uint8_t(*p) & 15];
  }
}

void AppendHex(std::string_view bytes, std::string* out) {
  const size_t before = out->size();
  out->resize(before + 2 * bytes.size());
  EncodeHex(bytes, out->data() + before);
}

bool DecodeHex(std::string_view digits, uint8_t* out) {
  const char* p = digits.data();
  size_t pairs = digits.size() / 2;
#ifdef SHLO_WIDE_HEX
  if (pairs >= 256 && __builtin_cpu_supports("avx2")) {
    if (!DecodeWide(p, pairs / 32, out)) return false;
    p += pairs / 32 * 64;
    out += pairs / 32 * 32;
    pairs %= 32;
  }
#endif
#ifdef __SSE2__
  // Decodes 32 digits to 16 bytes per step. A digit's value is its low nibble, plus 9 for letters.
  const __m128i low_nibble = _mm_set1_epi8(0x0f), nine = _mm_set1_epi8(9), case_bit = _mm_set1_epi8(0x20);
  const __m128i before_0 = _mm_set1_epi8('0' - 1), after_9 = _mm_set1_epi8('9' + 1);
  const __m128i before_a = _mm_set1_epi8('a' - 1), after_f = _mm_set1_epi8('f' + 1);
  const __m128i byte_mask = _mm_set1_epi16(0x00ff);
  __m128i good = _mm_set1_epi8(-1);
  const auto nibbles = [&](__m128i x) {
    const __m128i lower = _mm_or_si128(x, case_bit);
    const __m128i digit = _mm_and_si128(_mm_cmpgt_epi8(x, before_0), _mm_cmplt_epi8(x, after_9));
    const __m128i letter = _mm_and_si128(_mm_cmpgt_epi8(lower, before_a), _mm_cmplt_epi8(lower, after_f));
    good = _mm_and_si128(good, _mm_or_si128(digit, letter));
    const __m128i values = _mm_add_epi8(_mm_and_si128(x, low_nibble), _mm_and_si128(letter, nine));
    // Each 16-bit lane holds (high digit, low digit), first in memory first.
    return _mm_and_si128(_mm_or_si128(_mm_slli_epi16(values, 4), _mm_srli_epi16(values, 8)), byte_mask);
  };
  for (; pairs >= 16; pairs -= 16, p += 32, out += 16) {
    const __m128i a = nibbles(_mm_loadu_si128(reinterpret_cast<const __m128i*>(p)));
    const __m128i b = nibbles(_mm_loadu_si128(reinterpret_cast<const __m128i*>(p + 16)));
    _mm_storeu_si128(reinterpret_cast<__m128i*>(out), _mm_packus_epi16(a, b));
  }
  if (_mm_movemask_epi8(good) != 0xffff) return false;
#endif
  uint8_t bad = 0;
  for (; pairs; --pairs, p += 2) {
    const uint8_t high = HexValue(p[0]), low = HexValue(p[1]);
    bad |= high | low;
    *out++ = uint8_t(high << 4 | (low & 15));
  }
  return bad < 16 && digits.size() % 2 == 0;
}

size_t CountUpperHex(std::string_view text) {
  const char* p = text.data();
  const char* const end = p + text.size();
#ifdef SHLO_WIDE_HEX
  if (text.size() >= 512 && __builtin_cpu_supports("avx2")) p += CountWide(p, text.size() / 128) * 128;
#endif
#ifdef __SSE2__
  const __m128i before_0 = _mm_set1_epi8('0' - 1), after_9 = _mm_set1_epi8('9' + 1);
  const __m128i before_a = _mm_set1_epi8('A' - 1), after_f = _mm_set1_epi8('F' + 1);
  const auto is_digit = [&](const char* at) {
    const __m128i x = _mm_loadu_si128(reinterpret_cast<const __m128i*>(at));
    const __m128i digit = _mm_and_si128(_mm_cmpgt_epi8(x, before_0), _mm_cmplt_epi8(x, after_9));
    const __m128i letter = _mm_and_si128(_mm_cmpgt_epi8(x, before_a), _mm_cmplt_epi8(x, after_f));
    return _mm_or_si128(digit, letter);
  };
  while (end - p >= 64) {
    const __m128i all = _mm_and_si128(_mm_and_si128(is_digit(p), is_digit(p + 16)),
                                      _mm_and_si128(is_digit(p + 32), is_digit(p + 48)));
    if (_mm_movemask_epi8(all) != 0xffff) break;
    p += 64;
  }
#endif
  while (p < end && HexValue(*p) < 16 && *p < 'a') ++p;
  return size_t(p - text.data());
}

namespace {

// Converts pieces of stored bytes ahead, in several threads if there are many, and visits them in order.
// `convert(piece, to)` makes `converted` bytes of `piece` bytes.
template <typename ConvertT>
bool VisitConverted(std::string_view stored, size_t piece, size_t converted, size_t threads,
                    const Sink& visit, ConvertT&& convert) {
  if (stored.size() <= kPieceBytes) threads = 1;
  const size_t ahead = threads > 1 ? threads + 1 : 1;
  const auto buffers = std::make_unique_for_overwrite<char[]>(ahead * converted);
  const auto buffer = [&](size_t i) { return buffers.get() + i % ahead * converted; };
  size_t released = 0;
  bool more = true;
  const auto work = [&](size_t i) {
    Tick(1 + piece / 256);
    convert(stored.substr(i * piece, piece), buffer(i));
  };
  const auto take = [&](size_t i) {
    const size_t size = std::min(piece, stored.size() - i * piece), end = i * piece + size;
    more = visit({buffer(i), size * converted / piece});
    if (end - released >= kPieceBytes || (released > 0 && end == stored.size())) {
      ReleasePages(stored.substr(released, end - released));
      released = end;
    }
    return more;
  };
  RunInOrder((stored.size() + piece - 1) / piece, threads, ahead, work, take);
  return more;
}

}  // namespace

bool VisitBytes(const StoredBytes& bytes, const Sink& visit, size_t threads) {
  if (!bytes.hex) return VisitPieces(bytes.stored, visit);
  return VisitConverted(bytes.stored, 2 * kConvertedBytes, kConvertedBytes, threads, visit,
                        [](std::string_view digits, char* to) {
                          // They were digits when the text was read.
                          DecodeHex(digits, reinterpret_cast<uint8_t*>(to));
                        });
}

bool VisitDigits(const StoredBytes& bytes, const Sink& visit, size_t threads) {
  if (bytes.hex) return VisitPieces(bytes.stored, visit);
  return VisitConverted(bytes.stored, kConvertedBytes, 2 * kConvertedBytes, threads, visit, EncodeHex);
}

std::string CopyOf(const StoredBytes& bytes) {
  std::string copy;
  VisitBytes(bytes, [&](std::string_view piece) {
    copy += piece;
    return true;
  });
  return copy;
}

bool EqualStored(const StoredBytes& a, const StoredBytes& b) {
  if (a.size() != b.size()) return false;
  if (a.hex == b.hex) return a.stored.data() == b.stored.data() || EqualBytes(a.stored, b.stored);
  std::string_view rest = a.hex ? b.stored : a.stored;
  return VisitBytes(a.hex ? a : b, [&](std::string_view piece) {
    const bool equal = rest.starts_with(piece);
    rest.remove_prefix(piece.size());
    return equal;
  });
}

}  // namespace shlo
