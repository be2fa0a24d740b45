// Computes the planes of views in the Fourier grid of a volume, and the sizes of padded arrays.
#include "gpu/filtering/fourier_volume/planes.h"

#include <algorithm>
#include <cmath>

#include "gpu/filtering/fft_size.h"
#include "gpu/operator/dual.h"
#include "gpu/projection/view_map.h"

namespace tl::ops {
namespace {

using Slope = Dual<12>;

Slope square_root(const Slope& x) {
  Slope root(std::sqrt(x.value));
  for (std::size_t i = 0; i < root.slope.size(); ++i) root.slope[i] = x.slope[i] / (2 * root.value);
  return root;
}
double square_root(double x) { return std::sqrt(x); }
Slope absolute(const Slope& x) { return x.value < 0 ? -1.0 * x : x; }
double absolute(double x) { return std::abs(x); }

// per_col, per_row, col, row, area.
template <class S>
std::array<S, 9> plane_numbers(const std::array<S, 12>& view, const FourierSampling& s, const FourierSizes& sizes) {
  const DetectorShape& d = s.geometry.detector();
  const std::array<S, 12> map = map_coefficients(view, Beam::parallel, d.rows, d.cols);
  const Triple<S> col{map[1], map[2], map[3]}, row{map[5], map[6], map[7]}, beam{view[0], view[1], view[2]};
  const auto along = [](const Triple<S>& v, Vec3 to) { return v[0] * to.x + v[1] * to.y + v[2] * to.z; };
  const std::array<Vec3, 3> steps{s.grid.step_x, s.grid.step_y, s.grid.step_z};
  std::array<S, 9> out;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    const auto cells = static_cast<double>(sizes.cells[2 - axis]);
    out[axis] = cells / static_cast<double>(sizes.cols) * along(col, steps[axis]);
    out[3 + axis] = cells / static_cast<double>(sizes.rows) * along(row, steps[axis]);
  }
  out[6] = map[0] + along(col, s.grid.centre);
  out[7] = map[4] + along(row, s.grid.centre);
  out[8] = absolute(dot3(col, cross3(row, beam))) / square_root(dot3(beam, beam));
  return out;
}

template <class S>
std::array<S, 12> numbers_of(const View& v) {
  return {v.beam.x, v.beam.y, v.beam.z, v.detector.x, v.detector.y, v.detector.z,
          v.u.x,    v.u.y,    v.u.z,    v.v.x,        v.v.y,        v.v.z};
}

// How far the field of view reaches along an axis, in steps of the grid: that of the view whose beam is most across it.
double field_along(const ScanGeometry& geometry, Vec3 step) {
  const DetectorShape& d = geometry.detector();
  double least = 2, field = 0;
  const Vec3 axis = (1 / norm(step)) * step;
  for (int64_t i = 0; i < geometry.views(); ++i) {
    const View& v = geometry.view(i);
    const double along_beam = std::abs(dot(axis, v.beam)) / norm(v.beam);
    if (along_beam >= least) continue;
    least = along_beam;
    field =
        std::abs(dot(axis, v.u)) * static_cast<double>(d.cols) + std::abs(dot(axis, v.v)) * static_cast<double>(d.rows);
  }
  // Where no view looks across the axis, its detector's edges are a bound.
  const double edge = std::max(static_cast<double>(d.cols) * d.pitch_u, static_cast<double>(d.rows) * d.pitch_v);
  return std::min(field, edge) / norm(step);
}

}  // namespace

Result<FourierSizes> fourier_sizes(const FourierSampling& s) {
  const std::string where = "Fourier reconstruction";
  if (!s.geometry.is_parallel() || s.geometry.views() < 1)
    return invalid("Fourier reconstruction needs a parallel beam", where, "Use FDK or an iterative method");
  TL_TRY(s.grid.validate());
  if (!(s.padding >= 1 && s.padding <= 4))
    return invalid("the padding is " + std::to_string(s.padding), where, "Choose a value from 1 to 4");
  if (!(s.cutoff > 0 && s.cutoff <= 1))
    return invalid("the cutoff is " + std::to_string(s.cutoff) + " of the Nyquist frequency", where,
                   "Choose a value above 0 and at most 1");
  constexpr double longest = 1 << 20;               // of a padded edge
  constexpr int64_t most_cells = int64_t{1} << 40;  // of a grid
  const auto padded = [&](double n) { return fft_length(static_cast<int64_t>(std::ceil(s.padding * n))); };
  const DetectorShape& d = s.geometry.detector();
  FourierSizes sizes;
  const std::array<std::pair<int64_t, Vec3>, 3> axes{
      {{s.grid.nz, s.grid.step_z}, {s.grid.ny, s.grid.step_y}, {s.grid.nx, s.grid.step_x}}};
  double cells = 1;
  for (std::size_t a = 0; a < 3; ++a) {
    const auto& [n, step] = axes.at(a);
    // A grid smaller than the field of view would fold what lies around it into the volume.
    const double length = std::max(static_cast<double>(n), std::ceil(field_along(s.geometry, step) - 1e-6));
    if (s.padding * length > longest)
      return invalid(
          "the volume and the field of view are " + std::to_string(static_cast<int64_t>(length)) + " voxels long",
          where, "Choose larger voxels");
    sizes.cells.at(a) = padded(length);
    cells *= static_cast<double>(sizes.cells.at(a));
  }
  if (cells > static_cast<double>(most_cells) || s.padding * static_cast<double>(std::max(d.rows, d.cols)) > longest)
    return invalid("the Fourier grid would have " + std::to_string(cells) + " cells", where, "Choose larger voxels");
  sizes.rows = padded(static_cast<double>(d.rows));
  sizes.cols = padded(static_cast<double>(d.cols));
  const auto highest = [&](int64_t n) {
    return std::min(n / 2 - 1, static_cast<int64_t>(s.cutoff * static_cast<double>(n) / 2));
  };
  sizes.most_a = highest(sizes.cols);
  sizes.most_b = highest(sizes.rows);
  return sizes;
}

std::vector<FourierPlane> fourier_planes(const FourierSampling& sampling, const FourierSizes& sizes) {
  std::vector<FourierPlane> planes;
  for (int64_t i = 0; i < sampling.geometry.views(); ++i) {
    const auto n = plane_numbers(numbers_of<double>(sampling.geometry.view(i)), sampling, sizes);
    planes.push_back({{n[0], n[1], n[2]}, {n[3], n[4], n[5]}, n[6], n[7], n[8]});
  }
  return planes;
}

std::array<std::array<double, 12>, 9> plane_slopes(const FourierSampling& sampling, const FourierSizes& sizes,
                                                   int64_t view) {
  std::array<Slope, 12> vectors = numbers_of<Slope>(sampling.geometry.view(view));
  for (std::size_t i = 0; i < vectors.size(); ++i) vectors[i].slope[i] = 1;
  const auto numbers = plane_numbers(vectors, sampling, sizes);
  std::array<std::array<double, 12>, 9> out{};
  for (std::size_t i = 0; i < numbers.size(); ++i) out[i] = numbers[i].slope;
  return out;
}

}  // namespace tl::ops
