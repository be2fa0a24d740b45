// Circular convolution of many rows with a real, even response; rows are vector lanes, so no step needs shuffles.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace tl::ops {

// Number of rows transformed together: those of one vector.
template <class T>
inline constexpr int64_t convolution_rows = 64 / static_cast<int64_t>(sizeof(T));

// The samples of the padded row that may be nonzero (known), or whose results are needed (wanted).
enum class SampleSpan { all, first_half };

// For an even length 2^a 3^b 5^c 7^d. Can be used by any number of threads.
template <class T>
class RowConvolution {
 public:
  // response: length / 2 + 1 real values, as from ramp_response().
  RowConvolution(int64_t length, std::span<const double> response);
  [[nodiscard]] int64_t length() const { return length_; }
  // samples[length][convolution_rows], in place, aligned to 64 bytes. Rows do not affect each other. With known =
  // first_half the second half counts as zeros, whatever it contains; with wanted = first_half the second half is
  // undefined afterwards.
  void run(T* samples, SampleSpan known = SampleSpan::all, SampleSpan wanted = SampleSpan::all) const;

  struct Level {
    int radix;
    int64_t block;        // length of the transforms at this level
    std::size_t twiddle;  // index of its first factor
  };
  // Frequencies k and length / 2 - k of the half-length transform, at their positions in its output order.
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
