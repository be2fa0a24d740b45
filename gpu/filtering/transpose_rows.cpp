// Transposes the rows of a convolution's batch into samples and back: full batches of floats in squares of 16 x 16 with
// AVX-512, all others element by element.
#include "gpu/filtering/transpose_rows.h"

#include <type_traits>

#include "gpu/device/cpu_variant.h"
#include "gpu/device/transpose_lanes.h"
#include "gpu/device/vector_lanes.h"
#include "gpu/filtering/row_convolution.h"

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace tl::ops {
namespace {

constexpr int64_t square = 16;
using Sixteen = float __attribute__((vector_size(64)));
using AnySixteen = VectorOf<float, 64>::type;

// Transposes sixteen rows of sixteen, by exchanging pairs, fours, then quarters of registers.
TL_TARGET("avx512f") __attribute__((always_inline)) inline void transpose_square(Sixteen (&a)[square]) {
  Sixteen b[square];
  for (int i = 0; i < square; i += 2) {
    b[i] = __builtin_shufflevector(a[i], a[i + 1], 0, 16, 1, 17, 4, 20, 5, 21, 8, 24, 9, 25, 12, 28, 13, 29);
    b[i + 1] = __builtin_shufflevector(a[i], a[i + 1], 2, 18, 3, 19, 6, 22, 7, 23, 10, 26, 11, 27, 14, 30, 15, 31);
  }
  for (int i = 0; i < square; i += 4)
    for (int j = 0; j < 2; ++j) {
      a[i + 2 * j] =
          __builtin_shufflevector(b[i + j], b[i + j + 2], 0, 1, 16, 17, 4, 5, 20, 21, 8, 9, 24, 25, 12, 13, 28, 29);
      a[i + 2 * j + 1] =
          __builtin_shufflevector(b[i + j], b[i + j + 2], 2, 3, 18, 19, 6, 7, 22, 23, 10, 11, 26, 27, 14, 15, 30, 31);
    }
  // a[4 g + k] holds columns k, k + 4, k + 8 and k + 12 of rows 4 g to 4 g + 3.
  for (int g = 0; g < 2; ++g)
    for (int k = 0; k < 4; ++k) {
      const Sixteen low = a[8 * g + k], high = a[8 * g + 4 + k];
      b[8 * g + k] = __builtin_shufflevector(low, high, 0, 1, 2, 3, 4, 5, 6, 7, 16, 17, 18, 19, 20, 21, 22, 23);
      b[8 * g + 4 + k] =
          __builtin_shufflevector(low, high, 8, 9, 10, 11, 12, 13, 14, 15, 24, 25, 26, 27, 28, 29, 30, 31);
    }
  // b[8 g + k]: columns k and k + 4 of rows 8 g to 8 g + 7, b[8 g + 4 + k]: columns k + 8 and k + 12.
  for (int h = 0; h < 2; ++h)
    for (int k = 0; k < 4; ++k) {
      const Sixteen low = b[4 * h + k], high = b[8 + 4 * h + k];
      a[8 * h + k] = __builtin_shufflevector(low, high, 0, 1, 2, 3, 8, 9, 10, 11, 16, 17, 18, 19, 24, 25, 26, 27);
      a[8 * h + 4 + k] = __builtin_shufflevector(low, high, 4, 5, 6, 7, 12, 13, 14, 15, 20, 21, 22, 23, 28, 29, 30, 31);
    }
}

TL_TARGET("avx512f") void to_samples(const float* rows, int64_t stride, int64_t width, float* samples) {
  for (int64_t x = 0; x < width; x += square) {
    Sixteen a[square];
    for (int64_t r = 0; r < square; ++r) a[r] = *reinterpret_cast<const AnySixteen*>(rows + r * stride + x);
    transpose_square(a);
    for (int64_t r = 0; r < square; ++r) *reinterpret_cast<Sixteen*>(samples + (x + r) * square) = a[r];
  }
}

template <Store store>
TL_TARGET("avx512f")
void to_rows(const float* samples, int64_t stride, int64_t width, float* rows) {
  for (int64_t x = 0; x < width; x += square) {
    Sixteen a[square];
    for (int64_t r = 0; r < square; ++r) a[r] = *reinterpret_cast<const Sixteen*>(samples + (x + r) * square);
    transpose_square(a);
    for (int64_t r = 0; r < square; ++r) {
      float* to = rows + r * stride + x;
#if defined(__x86_64__)
      if constexpr (store == Store::streamed)
        _mm512_stream_ps(to, a[r]);
      else
#endif
        *reinterpret_cast<AnySixteen*>(to) = a[r];
    }
  }
}

template <class T>
bool in_squares(int64_t count) {
  return std::is_same_v<T, float> && count == square && best_cpu_variant() == CpuVariant::avx512;
}

}  // namespace

template <class T>
void rows_to_samples(const T* rows, int64_t count, int64_t width, T* samples) {
  constexpr int64_t lot = convolution_rows<T>;
  int64_t done = 0;
  if constexpr (std::is_same_v<T, float>)
    if (in_squares<T>(count)) {
      done = width / square * square;
      to_samples(rows, width, done, samples);
    }
  if (done < width) slices_to_lanes(rows + done, width, count, width - done, samples + done * lot, lot);
}

template <class T>
void samples_to_rows(const T* samples, int64_t count, int64_t width, T* rows, Store store) {
  constexpr int64_t lot = convolution_rows<T>;
  int64_t done = 0;
  if constexpr (std::is_same_v<T, float>)
    if (in_squares<T>(count)) {
      done = width / square * square;
      // Streaming stores need whole, aligned vectors.
      const bool aligned = reinterpret_cast<uintptr_t>(rows) % sizeof(Sixteen) == 0 && width % square == 0;
      (store == Store::streamed && aligned ? to_rows<Store::streamed> : to_rows<Store::cached>)(samples, width, done,
                                                                                                rows);
    }
  if (done < width) lanes_to_slices(samples + done * lot, lot, count, width - done, rows + done, width);
}

void store_fence() {
#if defined(__x86_64__)
  _mm_sfence();
#endif
}

template void rows_to_samples(const float*, int64_t, int64_t, float*);
template void rows_to_samples(const double*, int64_t, int64_t, double*);
template void samples_to_rows(const float*, int64_t, int64_t, float*, Store);
template void samples_to_rows(const double*, int64_t, int64_t, double*, Store);

}  // namespace tl::ops
