// Goes through the samples of views and the cells around them.
#include "gpu/filtering/fourier_volume/insertion.h"

#include <cmath>
#include <utility>

#include "gpu/device/parallel_parts.h"

namespace tl::ops {
namespace {

constexpr int64_t slab_slices = 8;  // of the grid, that a thread works on at a time

Vec3 position(const FourierPlane& plane, int64_t a, int64_t b) {
  return static_cast<double>(a) * plane.per_col + static_cast<double>(b) * plane.per_row;
}

// The range of a in [first, last] for which low < at_0 + a step < high; rounding widens it.
struct Interval {
  int64_t first, last;
  void limit(double at_0, double step, double low, double high) {
    constexpr double level = 1e-12, rounding = 1e-9;
    if (std::abs(step) < level) {
      if (at_0 <= low || at_0 >= high) last = first - 1;
      return;
    }
    double from = (low - at_0) / step, to = (high - at_0) / step;
    if (from > to) std::swap(from, to);
    first = std::max(first, static_cast<int64_t>(std::ceil(std::max(from - rounding, -1e15))));
    last = std::min(last, static_cast<int64_t>(std::floor(std::min(to + rounding, 1e15))));
  }
};

// The slice's value at p, by the weights of insertion, and with `slopes` its derivatives along x, y and z.
template <class T, bool slopes>
std::array<c10::complex<double>, 4> sliced(const HalfGrid& g, const c10::complex<T>* grid, Vec3 p,
                                           const BlobTable& blob) {
  const BlobTable::Entry<T>* const weights = blob.entries<T>();
  std::array<c10::complex<double>, 4> sum{};
  const CellRange xs = around(p.x, -g.most_x, g.most_x);
  each_line(g, p, {-g.most_z, g.most_z}, [&](int64_t z, int64_t y, double square) {
    const c10::complex<T>*line = grid + g.line(z, y), *mirrored = grid + g.line(-z, -y);
    for (int64_t x = xs.low; x <= xs.high; ++x) {
      const double dx = static_cast<double>(x) - p.x;
      const double weight = blob_weight(weights, static_cast<T>(square + dx * dx));
      const c10::complex<double> value(x < 0 ? std::conj(mirrored[-x]) : line[x]);
      sum[0] += weight * value;
      if constexpr (slopes) {
        const c10::complex<double> change = -2 * blob_slope(blob.entries<double>(), square + dx * dx) * value;
        sum[1] += dx * change;
        sum[2] += (static_cast<double>(y) - p.y) * change;
        sum[3] += (static_cast<double>(z) - p.z) * change;
      }
    }
  });
  return sum;
}

// The sum of blob times number around p of a real grid.
template <class T>
double density_at(const HalfGrid& g, const T* density, Vec3 p, const BlobTable::Entry<T>* table) {
  double sum = 0;
  const CellRange xs = around(p.x, -g.most_x, g.most_x);
  each_line(g, p, {-g.most_z, g.most_z}, [&](int64_t z, int64_t y, double square) {
    const T *line = density + g.line(z, y), *mirrored = density + g.line(-z, -y);
    for (int64_t x = xs.low; x <= xs.high; ++x) {
      const double dx = static_cast<double>(x) - p.x;
      sum += static_cast<double>(blob_weight(table, static_cast<T>(square + dx * dx))) *
             static_cast<double>(x < 0 ? mirrored[-x] : line[x]);
    }
  });
  return sum;
}

// Adds a sample to the cells around p with x >= 0 and z in the slab.
template <class T>
struct Sample {
  c10::complex<T> value;
  T weight;
};
template <class T>
void add_sample(const HalfGrid& g, Vec3 p, const Sample<T>& sample, CellRange slab, const FourierCells<T>& cells,
                const BlobTable::Entry<T>* table) {
  const CellRange xs = around(p.x, 0, g.most_x);
  const int64_t count = xs.high - xs.low + 1;
  if (count <= 0) return;
  std::array<T, blob_cells> square_x{};
  for (int64_t i = 0; i < count; ++i) {
    const double dx = static_cast<double>(xs.low + i) - p.x;
    square_x[static_cast<std::size_t>(i)] = static_cast<T>(dx * dx);
  }
  each_line(g, p, slab, [&](int64_t z, int64_t y, double square) {
    const int64_t at = g.line(z, y) + xs.low;
    const T line = static_cast<T>(square);
    std::array<T, blob_cells> blob;
    for (int64_t i = 0; i < count; ++i)
      blob[static_cast<std::size_t>(i)] = blob_weight(table, line + square_x[static_cast<std::size_t>(i)]);
    if (cells.values != nullptr) {
      auto* to = reinterpret_cast<T*>(cells.values + at);
      for (int64_t i = 0; i < count; ++i) {
        to[2 * i] += blob[static_cast<std::size_t>(i)] * sample.value.real();
        to[2 * i + 1] += blob[static_cast<std::size_t>(i)] * sample.value.imag();
      }
    }
    if (cells.weights == nullptr) return;
    for (int64_t i = 0; i < count; ++i) cells.weights[at + i] += blob[static_cast<std::size_t>(i)] * sample.weight;
  });
}

// Halves of a view's plane: as it is, or mirrored.
enum class Half { plain, mirrored };

// One view in the slab; values and weights are those of the view.
template <class T>
void insert_half(const FourierSizes& sizes, const HalfGrid& g, const FourierPlane& plane, const Inserted<T>& view,
                 Half half, CellRange slab, const FourierCells<T>& cells, const BlobTable::Entry<T>* table) {
  const double sign = half == Half::plain ? 1 : -1;
  const Vec3 step = sign * plane.per_col;
  for (int64_t b = -sizes.most_b; b <= sizes.most_b; ++b) {
    const Vec3 start = sign * static_cast<double>(b) * plane.per_row;
    // The column a = 0 contains its own mirror image.
    Interval range{half == Half::plain ? 0 : 1, sizes.most_a};
    range.limit(start.z, step.z, static_cast<double>(slab.low) - blob_edge, static_cast<double>(slab.high) + blob_edge);
    range.limit(start.x, step.x, -blob_edge, static_cast<double>(g.most_x) + blob_edge);
    range.limit(start.y, step.y, -static_cast<double>(g.most_y) - blob_edge, static_cast<double>(g.most_y) + blob_edge);
    const int64_t line = (b < 0 ? b + sizes.rows : b) * sizes.half_cols();
    for (int64_t a = range.first; a <= range.last; ++a) {
      Sample<T> sample{0, view.weights == nullptr ? T(1) : view.weights[line + a]};
      if (view.values != nullptr)
        sample.value = half == Half::plain ? view.values[line + a] : std::conj(view.values[line + a]);
      add_sample<T>(g, start + static_cast<double>(a) * step, sample, slab, cells, table);
    }
  }
}

FourierPlane turned(const FourierPlane& plane, const Rotation& by) {
  FourierPlane out = plane;
  out.per_col = rotated(by, plane.per_col);
  out.per_row = rotated(by, plane.per_row);
  return out;
}

// Calls f(view, b, index of the sample a = 0) for the lines of samples of all views, in parallel.
template <class F>
void each_sample_line(const FourierSizes& sizes, int64_t views, const CancelToken& cancel, const F& f) {
  constexpr int64_t together = 16;
  const int64_t lines = 2 * sizes.most_b + 1;
  parallel_parts(views * lines, together, [&] {
    return [&](int64_t first, int64_t last) {
      cancel.check();
      for (int64_t i = first; i < last; ++i) {
        const int64_t view = i / lines, b = i % lines - sizes.most_b;
        f(view, b, (view * sizes.rows + (b < 0 ? b + sizes.rows : b)) * sizes.half_cols());
      }
    };
  });
}

}  // namespace

template <class T>
void slice_grid(const FourierSizes& sizes, const c10::complex<T>* grid, const Spectra<T>& out, const BlobTable& blob,
                const CancelToken& cancel) {
  const HalfGrid g(sizes);
  each_sample_line(sizes, static_cast<int64_t>(out.planes.size()), cancel, [&](int64_t view, int64_t b, int64_t line) {
    const FourierPlane& plane = out.planes[static_cast<std::size_t>(view)];
    for (int64_t a = 0; a <= sizes.most_a; ++a)
      out.data[line + a] = c10::complex<T>(sliced<T, false>(g, grid, position(plane, a, b), blob)[0]);
  });
}

template <class T>
void insert_views(const FourierSizes& sizes, const Inserted<T>& views, std::span<const Rotation> group,
                  const FourierCells<T>& cells, const BlobTable& blob, const CancelToken& cancel) {
  const HalfGrid g(sizes);
  const int64_t slices = 2 * g.most_z + 1, each = sizes.rows * sizes.half_cols();
  parallel_parts(slices, slab_slices, [&] {
    return [&](int64_t first, int64_t last) {
      const CellRange slab{first - g.most_z, last - 1 - g.most_z};
      for (std::size_t i = 0; i < views.planes.size(); ++i) {
        cancel.check();
        const int64_t at = static_cast<int64_t>(i) * each;
        const Inserted<T> view{views.planes.subspan(i, 1), views.values == nullptr ? nullptr : views.values + at,
                               views.weights == nullptr ? nullptr : views.weights + at};
        for (const Rotation& by : group) {
          const FourierPlane plane = turned(views.planes[i], by);
          for (const Half half : {Half::plain, Half::mirrored})
            insert_half<T>(sizes, g, plane, view, half, slab, cells, blob.entries<T>());
        }
      }
    };
  });
}

template <class T>
void inverse_density(const FourierSizes& sizes, const T* density, std::span<const FourierPlane> planes, T* out,
                     const BlobTable& blob, const CancelToken& cancel) {
  const HalfGrid g(sizes);
  each_sample_line(sizes, static_cast<int64_t>(planes.size()), cancel, [&](int64_t view, int64_t b, int64_t line) {
    for (int64_t a = 0; a <= sizes.most_a; ++a) {
      const double sum =
          density_at<T>(g, density, position(planes[static_cast<std::size_t>(view)], a, b), blob.entries<T>());
      out[line + a] = static_cast<T>(sum > 0 ? 1 / sum : 0);
    }
  });
}

template <class T>
std::vector<SliceSums> slice_sums(const FourierSizes& sizes, const c10::complex<T>* grid, const Spectra<T>& views,
                                  const BlobTable& blob, const CancelToken& cancel) {
  const HalfGrid g(sizes);
  std::vector<SliceSums> sums(views.planes.size());
  parallel_parts(static_cast<int64_t>(views.planes.size()), 1, [&] {
    return [&](int64_t view, int64_t) {
      cancel.check();
      const FourierPlane& plane = views.planes[static_cast<std::size_t>(view)];
      SliceSums& sum = sums[static_cast<std::size_t>(view)];
      for (int64_t b = -sizes.most_b; b <= sizes.most_b; ++b) {
        const c10::complex<T>* line =
            views.data + (view * sizes.rows + (b < 0 ? b + sizes.rows : b)) * sizes.half_cols();
        for (int64_t a = 0; a <= sizes.most_a; ++a) {
          const auto s = sliced<T, true>(g, grid, position(plane, a, b), blob);
          const c10::complex<double> factor = (a == 0 ? 1.0 : 2.0) * std::conj(c10::complex<double>(line[a]));
          const c10::complex<double> product = factor * s[0];
          sum.value += product.real();
          sum.phase_a += static_cast<double>(a) * product.imag();
          sum.phase_b += static_cast<double>(b) * product.imag();
          for (std::size_t axis = 0; axis < 3; ++axis) {
            const double slope = (factor * s[1 + axis]).real();
            sum.position[axis] += static_cast<double>(a) * slope;
            sum.position[3 + axis] += static_cast<double>(b) * slope;
          }
        }
      }
    };
  });
  return sums;
}

template void slice_grid<float>(const FourierSizes&, const c10::complex<float>*, const Spectra<float>&,
                                const BlobTable&, const CancelToken&);
template void insert_views<float>(const FourierSizes&, const Inserted<float>&, std::span<const Rotation>,
                                  const FourierCells<float>&, const BlobTable&, const CancelToken&);
template void inverse_density<float>(const FourierSizes&, const float*, std::span<const FourierPlane>, float*,
                                     const BlobTable&, const CancelToken&);
template std::vector<SliceSums> slice_sums<float>(const FourierSizes&, const c10::complex<float>*,
                                                  const Spectra<float>&, const BlobTable&, const CancelToken&);
template void slice_grid<double>(const FourierSizes&, const c10::complex<double>*, const Spectra<double>&,
                                 const BlobTable&, const CancelToken&);
template void insert_views<double>(const FourierSizes&, const Inserted<double>&, std::span<const Rotation>,
                                   const FourierCells<double>&, const BlobTable&, const CancelToken&);
template void inverse_density<double>(const FourierSizes&, const double*, std::span<const FourierPlane>, double*,
                                      const BlobTable&, const CancelToken&);
template std::vector<SliceSums> slice_sums<double>(const FourierSizes&, const c10::complex<double>*,
                                                   const Spectra<double>&, const BlobTable&, const CancelToken&);

}  // namespace tl::ops
