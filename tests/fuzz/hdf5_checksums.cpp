// Finding and renewing the checksums of HDF5 metadata.
#include "tests/fuzz/hdf5_checksums.h"

#include <algorithm>
#include <array>
#include <string_view>

namespace tl::fuzz {
namespace {

uint32_t rotated(uint32_t x, int bits) { return (x << bits) | (x >> (32 - bits)); }

uint32_t word(const unsigned char* p, std::size_t bytes) {
  uint32_t w = 0;
  for (std::size_t i = 0; i < std::min<std::size_t>(bytes, 4); ++i) w |= static_cast<uint32_t>(p[i]) << (8 * i);
  return w;
}

const unsigned char* bytes_at(const std::string& text, std::size_t at) {
  return reinterpret_cast<const unsigned char*>(text.data()) + at;
}

}  // namespace

uint32_t lookup3(const unsigned char* k, std::size_t length) {
  uint32_t a = 0xdeadbeef + static_cast<uint32_t>(length), b = a, c = a;
  for (; length > 12; length -= 12, k += 12) {
    a += word(k, 4);
    b += word(k + 4, 4);
    c += word(k + 8, 4);
    a -= c, a ^= rotated(c, 4), c += b;
    b -= a, b ^= rotated(a, 6), a += c;
    c -= b, c ^= rotated(b, 8), b += a;
    a -= c, a ^= rotated(c, 16), c += b;
    b -= a, b ^= rotated(a, 19), a += c;
    c -= b, c ^= rotated(b, 4), b += a;
  }
  if (length == 0) return c;
  a += word(k, length);
  if (length > 4) b += word(k + 4, length - 4);
  if (length > 8) c += word(k + 8, length - 8);
  c ^= b, c -= rotated(b, 14);
  a ^= c, a -= rotated(c, 11);
  b ^= a, b -= rotated(a, 25);
  c ^= b, c -= rotated(b, 16);
  a ^= c, a -= rotated(c, 4);
  b ^= a, b -= rotated(a, 14);
  c ^= b, c -= rotated(b, 24);
  return c;
}

// The format does not say the length of each kind of block in one place; a length at which the checksum is right is the
// block's length, since a wrong one fits by chance once in four thousand million.
Hdf5Checksums::Hdf5Checksums(const std::string& good) {
  constexpr std::array<std::string_view, 15> signatures = {"\x89HDF", "OHDR", "OCHK", "FRHP", "FHIB",
                                                           "BTHD",    "BTIN", "BTLF", "FAHD", "FADB",
                                                           "EAHD",    "EAIB", "EASB", "EADB", "FSHD"};
  constexpr std::size_t longest = 4096;
  for (const std::string_view signature : signatures)
    for (std::size_t at = good.find(signature); at != std::string::npos; at = good.find(signature, at + 1))
      for (std::size_t length = 8; length <= longest && at + length + 4 <= good.size(); ++length)
        if (word(bytes_at(good, at + length), 4) == lookup3(bytes_at(good, at), length)) {
          blocks_.push_back({at, length});
          break;
        }
}

void Hdf5Checksums::repair(std::string& bad) const {
  for (const Block& block : blocks_) {
    if (block.begin + block.length + 4 > bad.size()) continue;
    const uint32_t sum = lookup3(bytes_at(bad, block.begin), block.length);
    for (std::size_t i = 0; i < 4; ++i) bad[block.begin + block.length + i] = static_cast<char>(sum >> (8 * i));
  }
}

}  // namespace tl::fuzz
