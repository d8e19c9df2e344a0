// CRC-32C by the processor's own instruction, which is what C++ readers of TFRecords use.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

#if defined(__SSE4_2__)
#include <nmmintrin.h>
#elif defined(__ARM_FEATURE_CRC32)
#include <arm_acle.h>
#else
#error "this processor has no CRC-32C instruction"
#endif

namespace bench {

inline std::uint32_t crc32c_word(std::uint32_t crc, std::uint64_t word) {
#if defined(__SSE4_2__)
  return static_cast<std::uint32_t>(_mm_crc32_u64(crc, word));
#else
  return __crc32cd(crc, word);
#endif
}

inline std::uint32_t crc32c_byte(std::uint32_t crc, std::uint8_t byte) {
#if defined(__SSE4_2__)
  return _mm_crc32_u8(crc, byte);
#else
  return __crc32cb(crc, byte);
#endif
}

inline std::uint32_t crc32c(const std::uint8_t* bytes, std::size_t length) {
  std::uint32_t crc = ~0u;
  std::size_t at = 0;
  for (; at + 8 <= length; at += 8) {
    std::uint64_t word;
    std::memcpy(&word, bytes + at, 8);
    crc = crc32c_word(crc, word);
  }
  for (; at < length; at++) crc = crc32c_byte(crc, bytes[at]);
  return ~crc;
}

// The form in which TFRecord files keep a checksum.
inline std::uint32_t masked_crc32c(const std::uint8_t* bytes, std::size_t length) {
  const std::uint32_t crc = crc32c(bytes, length);
  return ((crc >> 15) | (crc << 17)) + 0xa282ead8u;
}

}  // namespace bench
