// Transposes the rows of one batch of a row convolution into samples, and back.
#pragma once

#include <cstdint>

namespace tl::ops {

// streamed: stores that bypass the caches, for large results that are not read again soon. Call store_fence() before
// another thread reads them.
enum class Store { cached, streamed };

// Between consecutive rows [count][width] and samples [width][convolution_rows<T>]; count is at most
// convolution_rows<T>. samples is aligned to 64 bytes.
template <class T>
void rows_to_samples(const T* rows, int64_t count, int64_t width, T* samples);
template <class T>
void samples_to_rows(const T* samples, int64_t count, int64_t width, T* rows, Store store);
void store_fence();

}  // namespace tl::ops
