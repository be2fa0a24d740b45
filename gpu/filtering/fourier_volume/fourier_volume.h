// Reconstruction of a volume by inserting the transforms of its projections into Fourier space.
#pragma once

#include <ATen/core/Tensor.h>

#include <string>

#include "core/base/error.h"
#include "gpu/filtering/fourier_volume/planes.h"

namespace tl::ops {

struct FourierVolumeSpec {
  FourierSampling sampling;
  std::string symmetry = "C1";  // symmetry_group(); axes run through the centre of the grid, along its axes
};

// [view, row, col] -> [z, y, x] in 1/mm, from parallel beams of any directions. The transform of each view is a plane
// through the origin of Fourier space; its samples are spread over the cells within a blob (blob.h), once for each
// rotation of the symmetry, and each cell becomes the weighted mean, sum w F / sum w. Cells that no sample comes close
// to are 0, which is what a missing wedge leaves. The inverse transform is divided by that of the blob (V. Abrishami et
// al., Ultramicroscopy 157, 79 (2015); D. Strelak et al., Int. J. High Perform. Comput. Appl. 33, 948 (2019)).
//
// w is the blob times the weight of the sample, 1 over the density of all samples around it (one step of J. G. Pipe, P.
// Menon, Magn. Reson. Med. 41, 179 (1999)). With the blob alone the mean is drawn towards the origin, where planes are
// dense: a half turn of ellipses comes out 3 % too bright in the middle, with 1.3 times gridrec's error instead of
// 1.03 times.
//
// Rows go on beyond the detector as the outermost ones, so that a long object keeps its value in the outermost slices;
// columns end in air.
//
// The order of the sums does not depend on the number of threads; the last bits of the transforms may. CPU; float32 and
// float64. Memory besides input and output: fourier_volume_bytes(). Errors: those of fourier_sizes() and
// symmetry_group(); throws Failure for shapes, types and devices.
Result<at::Tensor> fourier_volume(const at::Tensor& projections, const FourierVolumeSpec& spec);

// Bytes of the grid, its weights and densities, a stack of views, and the arrays of the last steps.
int64_t fourier_volume_bytes(const FourierSampling& sampling, const FourierSizes& sizes, int64_t element_size);

}  // namespace tl::ops
