// Counter-based random numbers: number i of stream s is a pure function of (seed, s, i), independent of the number of
// threads.
#pragma once

#include <array>
#include <cmath>
#include <cstdint>

#include "core/base/macros.h"

namespace tl {

// Philox4x32-10 (Salmon et al., "Parallel random numbers: as easy as 1, 2, 3", SC 2011): four 32-bit words per counter.
struct Philox {
  uint64_t seed = 0;
  uint64_t stream = 0;

  struct Block {
    uint32_t word[4];
  };

  TL_HD Block operator()(uint64_t index) const {
    uint32_t c0 = static_cast<uint32_t>(index), c1 = static_cast<uint32_t>(index >> 32);
    uint32_t c2 = static_cast<uint32_t>(stream), c3 = static_cast<uint32_t>(stream >> 32);
    uint32_t k0 = static_cast<uint32_t>(seed), k1 = static_cast<uint32_t>(seed >> 32);
    for (int round = 0; round < 10; ++round) {
      const uint64_t p0 = uint64_t{0xD2511F53u} * c0;
      const uint64_t p1 = uint64_t{0xCD9E8D57u} * c2;
      const uint32_t n0 = static_cast<uint32_t>(p1 >> 32) ^ c1 ^ k0;
      const uint32_t n2 = static_cast<uint32_t>(p0 >> 32) ^ c3 ^ k1;
      c1 = static_cast<uint32_t>(p1);
      c3 = static_cast<uint32_t>(p0);
      c0 = n0;
      c2 = n2;
      k0 += 0x9E3779B9u;
      k1 += 0xBB67AE85u;
    }
    return {{c0, c1, c2, c3}};
  }

  // Uniform in (0, 1), 53 bits, from words 0 and 1 of the block.
  TL_HD double uniform(uint64_t index) const {
    const Block b = (*this)(index);
    const uint64_t bits = (uint64_t{b.word[0]} << 32) | b.word[1];
    return (static_cast<double>(bits >> 11) + 0.5) * 0x1.0p-53;
  }

  // A standard normal number (Box-Muller) from one block.
  TL_HD double normal(uint64_t index) const {
    const Block b = (*this)(index);
    const double u = (static_cast<double>(((uint64_t{b.word[0]} << 32) | b.word[1]) >> 11) + 0.5) * 0x1.0p-53;
    const double v = (static_cast<double>(((uint64_t{b.word[2]} << 32) | b.word[3]) >> 11) + 0.5) * 0x1.0p-53;
    return std::sqrt(-2.0 * std::log(u)) * std::cos(6.283185307179586477 * v);
  }
};

}  // namespace tl
