// Circular convolution of many rows with a real, even response: rows are lanes, so no step shuffles them.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace tl::ops {

// Rows that are transformed together: one vector of them.
template <class T>
inline constexpr int64_t convolution_rows = 64 / static_cast<int64_t>(sizeof(T));

// Which samples of the padded row are not zero, or are wanted.
enum class SampleSpan { all, first_half };

// For an even length 2^a 3^b 5^c 7^d. Made once, used by any number of threads.
template <class T>
class RowConvolution {
 public:
  // response: length / 2 + 1 real values, as ramp_response() gives them.
  RowConvolution(int64_t length, std::span<const double> response);
  [[nodiscard]] int64_t length() const { return length_; }
  // samples[length][convolution_rows], in place, aligned to 64 bytes. No bit of a row depends on the other rows. Where
  // the first half is known alone, the second one counts as zeros, whatever is there; where it is wanted alone, the
  // second one is left with values of no meaning.
  void run(T* samples, SampleSpan known = SampleSpan::all, SampleSpan wanted = SampleSpan::all) const;

  struct Level {
    int radix;
    int64_t block;        // length of the transforms at this level
    std::size_t twiddle;  // where its factors begin
  };
  // Frequencies k and length / 2 - k of the half-length transform, at their places in the order it leaves.
  struct Pair {
    int64_t place, mirror;
    T own, mirror_own, cross;
  };

 private:
  int64_t length_;
  std::vector<Level> levels_;
  std::vector<T> twiddles_;  // per level, for j < block / radix and 1 <= k < radix: cos and -sin of 2 pi j k / block
  std::vector<Pair> pairs_;
};

}  // namespace tl::ops
