// Slices through a Hermitian Fourier grid, their exact transpose (insertion), and the slopes of slices.
#pragma once

#include <c10/util/complex.h>

#include <span>
#include <vector>

#include "core/base/cancel.h"
#include "gpu/filtering/fourier_volume/cells.h"
#include "gpu/filtering/fourier_volume/symmetry.h"

namespace tl::ops {

// Views that are sliced or inserted together: spectra [view, row, half of the columns] in the order of the FFT; only
// the used frequencies are read or written.
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

// Adds blob times sample to the cells, of both halves of each view's plane, for every rotation of a group; and the
// blob alone to `weights`, unless that is nullptr. The order of the sums in a cell does not depend on the number of
// threads, each of which owns whole slices of the grid.
template <class T>
void insert_views(const FourierSizes& sizes, const Spectra<T>& views, std::span<const Rotation> group,
                  c10::complex<T>* grid, T* weights, const BlobTable& blob, const CancelToken& cancel);

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
