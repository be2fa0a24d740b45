// Slices through a Hermitian Fourier grid, their exact transpose (insertion), and the slopes of slices.
#pragma once

#include <c10/util/complex.h>

#include <span>
#include <vector>

#include "core/base/cancel.h"
#include "gpu/filtering/fourier_volume/cells.h"
#include "gpu/filtering/fourier_volume/symmetry.h"

namespace tl::ops {

// Samples of the transforms of views that are sliced or inserted together: [view, row, half of the columns] in the
// order of the FFT; only the used frequencies are read or written.
template <class T>
struct Spectra {
  c10::complex<T>* data;
  std::span<const FourierPlane> planes;
};

// Each used sample becomes the sum over the cells of blob times number; `grid` is Hermitian. Parallel over lines of
// samples.
template <class T>
void slice_grid(const FourierSizes& sizes, const c10::complex<T>* grid, const Spectra<T>& out, const BlobTable& blob,
                const CancelToken& cancel);

// What is inserted: blob times value into the cells, unless there are no values; blob times weight into the weights of
// the cells, unless there are none. Samples without weights have the weight 1.
template <class T>
struct Inserted {
  std::span<const FourierPlane> planes;
  const c10::complex<T>* values = nullptr;
  const T* weights = nullptr;
};
template <class T>
struct FourierCells {
  c10::complex<T>* values = nullptr;
  T* weights = nullptr;
};
// Both halves of each view's plane, for every matrix of a group, which maps positions in cells. The order of the sums
// in a cell does not depend on the number of threads, each of which owns whole slices of the grid.
template <class T>
void insert_views(const FourierSizes& sizes, const Inserted<T>& views, std::span<const Rotation> group,
                  const FourierCells<T>& cells, const BlobTable& blob, const CancelToken& cancel);

// 1 over the sum of blob times number for each used sample, of a real grid with the symmetry x -> -x: how sparse the
// samples are that were inserted around it. 0 where the sum is 0.
template <class T>
void inverse_density(const FourierSizes& sizes, const T* density, std::span<const FourierPlane> planes, T* out,
                     const BlobTable& blob, const CancelToken& cancel);

// Of each view, with `views` = conjugates to take the slices' slopes with, in which the samples have their phases: the
// sums over both halves of its plane of Re(conj(sample) d(slice)) with respect to per_col and per_row, of
// Re(conj(sample) slice), and of a and b times Im(conj(sample) slice).
struct SliceSums {
  std::array<double, 6> position{};  // per_col x, y, z; per_row x, y, z
  double value = 0, phase_a = 0, phase_b = 0;
};
template <class T>
std::vector<SliceSums> slice_sums(const FourierSizes& sizes, const c10::complex<T>* grid, const Spectra<T>& views,
                                  const BlobTable& blob, const CancelToken& cancel);

}  // namespace tl::ops
