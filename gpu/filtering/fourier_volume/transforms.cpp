// Transforms volumes axis by axis and views in stacks.
#include "gpu/filtering/fourier_volume/transforms.h"

#include <ATen/ATen.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "core/base/units.h"
#include "gpu/device/parallel_for.h"
#include "gpu/filtering/fourier_volume/blob.h"

namespace tl::ops {
namespace {

at::ScalarType complex_type(at::ScalarType type) { return type == at::kFloat ? at::kComplexFloat : at::kComplexDouble; }

// n values in the middle of a line of `length`, index n / 2 first, as transforms take them; and back.
at::Tensor wrapped(const at::Tensor& x, int64_t dim, int64_t length) {
  const int64_t n = x.size(dim), before = n / 2;
  std::vector<int64_t> shape = x.sizes().vec();
  shape[static_cast<std::size_t>(dim)] = length;
  at::Tensor out = at::zeros(shape, x.options());
  out.narrow(dim, 0, n - before).copy_(x.narrow(dim, before, n - before));
  out.narrow(dim, length - before, before).copy_(x.narrow(dim, 0, before));
  return out;
}
at::Tensor unwrapped(const at::Tensor& x, int64_t dim, int64_t n) {
  const int64_t before = n / 2, length = x.size(dim);
  return at::cat({x.narrow(dim, length - before, before), x.narrow(dim, 0, n - before)}, dim);
}

// exp(sign * 2 pi i k shift / length) for the first `count` frequencies of the FFT, with axes of 1 around.
at::Tensor phases(int64_t length, int64_t count, double shift, int64_t dim, int64_t dims, at::ScalarType type) {
  at::Tensor out = at::empty({count}, at::kComplexDouble);
  auto* to = out.mutable_data_ptr<c10::complex<double>>();
  for (int64_t k = 0; k < count; ++k) {
    const int64_t f = 2 * k >= length && count == length ? k - length : k;
    const double angle = 2 * pi * static_cast<double>(f) * shift / static_cast<double>(length);
    to[k] = {std::cos(angle), std::sin(angle)};
  }
  std::vector<int64_t> shape(static_cast<std::size_t>(dims), 1);
  shape[static_cast<std::size_t>(dim)] = count;
  return out.view(shape).to(complex_type(type));
}

// By how much the middle of n voxels lies before the voxel n / 2.
double centre_shift(int64_t n) { return n % 2 == 0 ? 0.5 : 0.0; }

// Phases that move the origin of one axis from the voxel n / 2 to the middle, or back with sign = 1.
at::Tensor axis_phases(const FourierSizes& sizes, int64_t dim, int64_t n, int sign, at::ScalarType type) {
  const int64_t length = sizes.cells.at(static_cast<std::size_t>(dim));
  return phases(length, dim == 2 ? sizes.half_x() : length, sign * centre_shift(n), dim, 3, type);
}

// The phases of a stack of views [view, row, half of the columns] along rows and along columns, times the scale of
// each.
struct ViewPhases {
  at::Tensor rows, cols;
};
ViewPhases view_phases(std::span<const FourierPlane> planes, const FourierSizes& sizes, int sign,
                       std::span<const double> scales, at::ScalarType type) {
  std::vector<at::Tensor> rows, cols;
  for (std::size_t i = 0; i < planes.size(); ++i) {
    const FourierPlane& p = planes[i];
    rows.push_back(phases(sizes.rows, sizes.rows, sign * p.row, 0, 2, at::kDouble) * scales[i]);
    cols.push_back(phases(sizes.cols, sizes.half_cols(), sign * p.col, 1, 2, at::kDouble));
  }
  const at::ScalarType as = complex_type(type);
  return {at::stack(rows).to(as), at::stack(cols).to(as)};
}

}  // namespace

at::Tensor grid_of_volume(const at::Tensor& volume, const FourierSizes& sizes, const CancelToken& cancel) {
  const at::ScalarType type = volume.scalar_type();
  at::Tensor grid = at::fft_rfft(wrapped(volume, 2, sizes.cells[2]), {}, 2);
  grid.mul_(axis_phases(sizes, 2, volume.size(2), -1, type));
  for (const int64_t dim : {1, 0}) {
    cancel.check();
    grid = at::fft_fft(wrapped(grid, dim, sizes.cells.at(static_cast<std::size_t>(dim))), {}, dim);
    grid.mul_(axis_phases(sizes, dim, volume.size(dim), -1, type));
  }
  return grid.contiguous();
}

at::Tensor volume_of_grid(at::Tensor grid, const FourierSizes& sizes, const VolumeGrid& voxels,
                          const CancelToken& cancel) {
  const at::ScalarType type = grid.scalar_type() == at::kComplexFloat ? at::kFloat : at::kDouble;
  // Along z a few lines of the grid at a time: a second array of the padded size is never made.
  constexpr int64_t lines_together = 16;
  at::Tensor part = at::empty({voxels.nz, sizes.cells[1], sizes.half_x()}, grid.options());
  const at::Tensor along_z = axis_phases(sizes, 0, voxels.nz, 1, type);
  for (int64_t y = 0; y < sizes.cells[1]; y += lines_together) {
    cancel.check();
    const int64_t count = std::min(lines_together, sizes.cells[1] - y);
    const at::Tensor lines = grid.narrow(1, y, count) * along_z;
    part.narrow(1, y, count).copy_(unwrapped(at::fft_ifft(lines, {}, 0, "forward"), 0, voxels.nz));
  }
  grid.reset();
  at::Tensor volume = at::empty({voxels.nz, voxels.ny, voxels.nx}, at::TensorOptions(type));
  const at::Tensor along_y = axis_phases(sizes, 1, voxels.ny, 1, type),
                   along_x = axis_phases(sizes, 2, voxels.nx, 1, type);
  for (int64_t z = 0; z < voxels.nz; ++z) {
    cancel.check();
    const at::Tensor across = unwrapped(at::fft_ifft(part.narrow(0, z, 1) * along_y, {}, 1, "forward"), 1, voxels.ny);
    volume.narrow(0, z, 1).copy_(
        unwrapped(at::fft_irfft(across * along_x, sizes.cells[2], 2, "forward"), 2, voxels.nx));
  }
  return volume;
}

at::Tensor spectra_of_views(const at::Tensor& views, std::span<const FourierPlane> planes, const FourierSizes& sizes,
                            std::span<const double> scales) {
  const ViewPhases p = view_phases(planes, sizes, 1, scales, views.scalar_type());
  return at::fft_rfft2(views, at::IntArrayRef({sizes.rows, sizes.cols}), {1, 2}).mul_(p.rows).mul_(p.cols).contiguous();
}

at::Tensor views_of_spectra(const at::Tensor& spectra, std::span<const FourierPlane> planes, const FourierSizes& sizes,
                            const DetectorShape& detector, std::span<const double> scales) {
  const at::ScalarType type = spectra.scalar_type() == at::kComplexFloat ? at::kFloat : at::kDouble;
  const ViewPhases p = view_phases(planes, sizes, -1, scales, type);
  const at::Tensor images =
      at::fft_irfft2(spectra * p.rows * p.cols, at::IntArrayRef({sizes.rows, sizes.cols}), {1, 2});
  return images.narrow(1, 0, detector.rows).narrow(2, 0, detector.cols).contiguous();
}

at::Tensor blob_correction(const VolumeGrid& voxels, const FourierSizes& sizes, double factor,
                           const at::TensorOptions& options) {
  at::Tensor out = at::empty({voxels.nz, voxels.ny, voxels.nx}, at::kDouble);
  auto* to = out.mutable_data_ptr<double>();
  const std::array<int64_t, 3> n{voxels.nz, voxels.ny, voxels.nx};
  const auto square = [&](std::size_t axis, int64_t i) {
    const double at =
        (static_cast<double>(i) - 0.5 * static_cast<double>(n[axis] - 1)) / static_cast<double>(sizes.cells[axis]);
    return at * at;
  };
  ops::parallel_for(0, voxels.nz, 1, [&](int64_t first, int64_t last) {
    for (int64_t k = first; k < last; ++k)
      for (int64_t j = 0; j < voxels.ny; ++j)
        for (int64_t i = 0; i < voxels.nx; ++i)
          to[(k * voxels.ny + j) * voxels.nx + i] =
              factor / blob_transform(std::sqrt(square(0, k) + square(1, j) + square(2, i)));
  });
  return out.to(options);
}

}  // namespace tl::ops
