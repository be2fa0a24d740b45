// Inserts views into a Fourier grid, divides by the weights and transforms back.
#include "gpu/filtering/fourier_volume/fourier_volume.h"

#include <ATen/ATen.h>
#include <ATen/Dispatch.h>

#include "gpu/device/parallel_for.h"
#include "gpu/filtering/fourier_volume/insertion.h"
#include "gpu/filtering/fourier_volume/stacks.h"
#include "gpu/filtering/fourier_volume/transforms.h"
#include "gpu/operator/operator_checks.h"

namespace tl::ops {
namespace {

// Rotations about the axes of the grid as matrices of positions in cells, whose edges may differ between the axes.
std::vector<Rotation> rotations_of_cells(std::vector<Rotation> group, const FourierSampling& s,
                                         const FourierSizes& sizes) {
  const std::array<double, 3> cells{static_cast<double>(sizes.cells[2]) * norm(s.grid.step_x),
                                    static_cast<double>(sizes.cells[1]) * norm(s.grid.step_y),
                                    static_cast<double>(sizes.cells[0]) * norm(s.grid.step_z)};
  for (Rotation& r : group)
    for (std::size_t i = 0; i < 3; ++i)
      for (std::size_t j = 0; j < 3; ++j) r[3 * i + j] *= cells[i] / cells[j];
  return group;
}

template <class T>
void divide_by_weights(c10::complex<T>* grid, const T* weights, int64_t count) {
  ops::parallel_for(0, count, int64_t{1} << 16, [&](int64_t first, int64_t last) {
    for (int64_t i = first; i < last; ++i) grid[i] = weights[i] > 0 ? grid[i] / weights[i] : c10::complex<T>(0);
  });
}

template <class T>
at::Tensor reconstructed(const at::Tensor& projections, const FourierVolumeSpec& spec, const FourierSizes& sizes,
                         const std::vector<Rotation>& group) {
  const FourierSampling& s = spec.sampling;
  const std::vector<FourierPlane> planes = fourier_planes(s, sizes);
  std::vector<double> scales;
  for (const FourierPlane& p : planes) scales.push_back(1 / (p.area * s.grid.voxel_volume()));
  const std::vector<int64_t> shape{sizes.cells[0], sizes.cells[1], sizes.half_x()};
  const auto options = projections.options().requires_grad(false);
  at::Tensor grid = at::zeros(shape, options.dtype(complex_type<T>())), weights = at::zeros(shape, options);
  auto* cells = grid.mutable_data_ptr<c10::complex<T>>();
  const BlobTable blob;
  const int64_t bytes_each = 2 * static_cast<int64_t>(sizeof(T)) * sizes.rows * sizes.half_cols();
  for (const Stack& stack : stacks_of_views(s.geometry.views(), bytes_each)) {
    s.cancel.check();
    const at::Tensor spectra = spectra_of_views(projections.detach().narrow(0, stack.first, stack.count),
                                                part_of(planes, stack), sizes, part_of(scales, stack));
    insert_views<T>(sizes, {spectra.mutable_data_ptr<c10::complex<T>>(), part_of(planes, stack)}, group, cells,
                    weights.mutable_data_ptr<T>(), blob, s.cancel);
  }
  divide_by_weights<T>(cells, weights.const_data_ptr<T>(), grid.numel());
  weights.reset();
  const double all =
      static_cast<double>(sizes.cells[0]) * static_cast<double>(sizes.cells[1]) * static_cast<double>(sizes.cells[2]);
  return volume_of_grid(std::move(grid), sizes, s.grid, s.cancel)
      .mul_(blob_correction(s.grid, sizes, blob_transform(0) / all, options));
}

}  // namespace

Result<at::Tensor> fourier_volume(const at::Tensor& projections, const FourierVolumeSpec& spec) {
  const FourierSampling& s = spec.sampling;
  TL_TRY(const FourierSizes sizes, fourier_sizes(s));
  TL_TRY(const std::vector<Rotation> group, symmetry_group(spec.symmetry));
  const DetectorShape& d = s.geometry.detector();
  require_tensor(projections, {s.geometry.views(), d.rows, d.cols}, "Fourier reconstruction");
  require_cpu(projections, "Fourier reconstruction");
  const std::vector<Rotation> turns = rotations_of_cells(group, s, sizes);
  return projections.scalar_type() == at::kFloat ? reconstructed<float>(projections, spec, sizes, turns)
                                                 : reconstructed<double>(projections, spec, sizes, turns);
}

int64_t fourier_volume_bytes(const FourierSampling& s, const FourierSizes& sizes, int64_t element_size) {
  // The grid, then either its weights or what is left of it after the transform along z; the correction in double.
  const int64_t after_z = 2 * s.grid.nz * sizes.cells[1] * sizes.half_x();
  return element_size * (2 * sizes.grid_numbers() + std::max(sizes.grid_numbers(), after_z)) +
         2 * s.grid.count() * static_cast<int64_t>(sizeof(double)) + 4 * stack_bytes;
}

}  // namespace tl::ops
