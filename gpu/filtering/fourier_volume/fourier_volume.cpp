// Inserts views into a Fourier grid, divides by the weights and transforms back.
#include "gpu/filtering/fourier_volume/fourier_volume.h"

#include <ATen/ATen.h>
#include <ATen/Dispatch.h>

#include <algorithm>

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

// Cells whose nearest samples are about a cell away or farther fade to 0: their mean would be that of samples on one
// side, and would widen the band by a cell on every side.
constexpr double full_density = 0.12;  // blob(1)

template <class T>
void divide_by_weights(const FourierCells<T>& cells, const T* density, int64_t count) {
  ops::parallel_for(0, count, int64_t{1} << 16, [&](int64_t first, int64_t last) {
    for (int64_t i = first; i < last; ++i) {
      const T share = std::min<T>(1, density[i] / static_cast<T>(full_density));
      cells.values[i] = cells.weights[i] > 0 ? cells.values[i] * (share / cells.weights[i]) : c10::complex<T>(0);
    }
  });
}

// The rows of views continued to the padded length by the outermost ones: index 0 is the first row, and what lies
// before it comes at the end, as transforms take it.
at::Tensor continued_rows(const at::Tensor& views, int64_t length) {
  const int64_t rows = views.size(1), after = (length - rows) / 2;
  const at::Tensor index = at::arange(length, at::kLong);
  return views.index_select(1, at::where(index < rows + after, index.clamp_max(rows - 1), at::zeros_like(index)));
}

// The grid of the weighted means.
template <class T>
class MeanGrid {
 public:
  MeanGrid(const FourierVolumeSpec& spec, const FourierSizes& sizes, const std::vector<Rotation>& group,
           const at::TensorOptions& options)
      : s_(spec.sampling),
        sizes_(sizes),
        group_(group),
        planes_(fourier_planes(spec.sampling, sizes)),
        density_(at::zeros(shape(), options)) {
    for (const FourierPlane& p : planes_) scales_.push_back(1 / (p.area * s_.grid.voxel_volume()));
  }

  at::Tensor of(const at::Tensor& projections) {
    insert_views<T>(sizes_, {planes_}, group_, {nullptr, numbers(density_)}, blob_, s_.cancel);
    at::Tensor values = at::zeros(shape(), density_.options().dtype(complex_type<T>()));
    const at::Tensor weights = at::zeros(shape(), density_.options());
    const FourierCells<T> cells{values.mutable_data_ptr<c10::complex<T>>(), numbers(weights)};
    const int64_t bytes_each = 2 * static_cast<int64_t>(sizeof(T)) * sizes_.rows * sizes_.half_cols();
    for (const Stack& stack : stacks_of_views(s_.geometry.views(), bytes_each)) {
      s_.cancel.check();
      const auto planes = part_of(planes_, stack);
      const at::Tensor rarity = at::zeros({stack.count, sizes_.rows, sizes_.half_cols()}, density_.options());
      inverse_density<T>(sizes_, numbers(density_), planes, numbers(rarity), blob_, s_.cancel);
      const at::Tensor spectra =
          spectra_of_views(continued_rows(projections.detach().narrow(0, stack.first, stack.count), sizes_.rows),
                           planes, sizes_, part_of(scales_, stack))
              .mul_(rarity);
      insert_views<T>(sizes_, {planes, spectra.mutable_data_ptr<c10::complex<T>>(), numbers(rarity)}, group_, cells,
                      blob_, s_.cancel);
    }
    divide_by_weights<T>(cells, numbers(density_), values.numel());
    return values;
  }

 private:
  [[nodiscard]] std::vector<int64_t> shape() const { return {sizes_.cells[0], sizes_.cells[1], sizes_.half_x()}; }
  static T* numbers(const at::Tensor& x) { return x.mutable_data_ptr<T>(); }

  const FourierSampling& s_;
  const FourierSizes& sizes_;
  const std::vector<Rotation>& group_;
  std::vector<FourierPlane> planes_;
  std::vector<double> scales_;
  BlobTable blob_;
  at::Tensor density_;  // sum of the blobs of all samples in each cell
};

template <class T>
at::Tensor reconstructed(const at::Tensor& projections, const FourierVolumeSpec& spec, const FourierSizes& sizes,
                         const std::vector<Rotation>& group) {
  const FourierSampling& s = spec.sampling;
  const auto options = projections.options().requires_grad(false);
  at::Tensor grid = MeanGrid<T>(spec, sizes, group, options).of(projections);
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
  // The grid, with its weights and densities, or with what is left of it after the transform along z; the correction in
  // double.
  const int64_t views = 2 * element_size * s.geometry.views() * sizes.rows * sizes.half_cols();
  const int64_t after_z = 2 * s.grid.nz * sizes.cells[1] * sizes.half_x();
  return element_size * (2 * sizes.grid_numbers() + std::max(2 * sizes.grid_numbers(), after_z)) +
         2 * s.grid.count() * static_cast<int64_t>(sizeof(double)) + 4 * std::min(stack_bytes, views);
}

}  // namespace tl::ops
