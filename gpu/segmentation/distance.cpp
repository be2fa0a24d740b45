// Distances axis by axis: along x by counting, along y and z as lower envelopes of parabolas. Columns are gathered into
// lines, many next to each other, so that memory is read in rows.
#include "gpu/segmentation/distance.h"

#include <ATen/ATen.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "gpu/device/grain.h"
#include "gpu/device/parallel_for.h"

namespace tl::ops {
namespace {

constexpr double no_distance = std::numeric_limits<double>::infinity();
constexpr int64_t columns_at_once = 16;        // a cache line of float32
constexpr int64_t envelope_operations = 20;    // rough value, for the work per thread
constexpr double exact_in_float32 = 16777216;  // 2^24

// min over q of f(q) + step2 (p - q)^2 for every p, in place. f may be infinite.
class LowerEnvelope {
 public:
  LowerEnvelope(int64_t count, double step2)
      : step2_(step2), apex_(static_cast<std::size_t>(count)), from_(apex_.size()), height_(apex_.size()) {}

  void apply(double* f, int64_t count) {
    int64_t last = -1;
    for (int64_t q = 0; q < count; ++q) {
      if (f[q] == no_distance) continue;
      double start = -no_distance;
      while (last >= 0) {
        start = crossing(last, q, f[q]);
        if (start > from_[at(last)]) break;
        --last;
      }
      ++last;
      apex_[at(last)] = q;
      from_[at(last)] = last == 0 ? -no_distance : start;
      height_[at(last)] = f[q];
    }
    if (last < 0) return;
    int64_t k = 0;
    for (int64_t p = 0; p < count; ++p) {
      while (k < last && from_[at(k + 1)] < static_cast<double>(p)) ++k;
      const auto d = static_cast<double>(p - apex_[at(k)]);
      f[p] = height_[at(k)] + step2_ * d * d;
    }
  }

 private:
  static std::size_t at(int64_t i) { return static_cast<std::size_t>(i); }
  // Position where the parabola at q becomes lower than parabola k. Squares of integers are exact, and so is the order
  // of intersections and positions.
  [[nodiscard]] double crossing(int64_t k, int64_t q, double height) const {
    const auto a = static_cast<double>(apex_[at(k)]), b = static_cast<double>(q);
    return ((height - height_[at(k)]) / step2_ + (b * b - a * a)) / (2 * (b - a));
  }
  double step2_;
  std::vector<int64_t> apex_;
  std::vector<double> from_, height_;
};

template <class T>
void along_rows(const bool* mask, bool target, const Lattice& l, double step, T* out, const CancelToken& cancel) {
  ops::parallel_for(0, l.rows(), grain(l.nx * envelope_operations), [&](int64_t first, int64_t last) {
    cancel.check();
    for (int64_t r = first; r < last; ++r) {
      const bool* row = mask + r * l.nx;
      T* to = out + r * l.nx;
      double since = no_distance;
      for (int64_t x = 0; x < l.nx; ++x) {
        since = row[x] == target ? 0 : since + 1;
        to[x] = static_cast<T>(since);
      }
      since = no_distance;
      for (int64_t x = l.nx; x-- > 0;) {
        since = row[x] == target ? 0 : since + 1;
        const double d = std::min(since, static_cast<double>(to[x])) * step;
        to[x] = static_cast<T>(d * d);
      }
    }
  });
}

// The envelopes of all columns of an axis: `count` values `stride` apart, for columns that begin at rows of nx values;
// row i of `rows` begins at start(i).
template <class T, class Start>
void along_columns(T* data, int64_t rows, const Start& start, int64_t count, int64_t stride, int64_t nx, double step,
                   const CancelToken& cancel) {
  if (count < 2) return;
  const int64_t per_row = (nx + columns_at_once - 1) / columns_at_once;
  ops::parallel_for(0, rows * per_row, grain(count * columns_at_once * envelope_operations),
                    [&](int64_t first, int64_t last) {
                      LowerEnvelope envelope(count, step * step);
                      std::vector<double> lines(static_cast<std::size_t>(count * columns_at_once));
                      for (int64_t task = first; task < last; ++task) {
                        cancel.check();
                        const int64_t x = task % per_row * columns_at_once, columns = std::min(columns_at_once, nx - x);
                        T* from = data + start(task / per_row) + x;
                        bool any = false;
                        for (int64_t q = 0; q < count; ++q)
                          for (int64_t c = 0; c < columns; ++c) {
                            const T value = from[q * stride + c];
                            any = any || value != T{0};
                            lines[static_cast<std::size_t>(c * count + q)] = value;
                          }
                        if (!any) continue;
                        for (int64_t c = 0; c < columns; ++c) envelope.apply(lines.data() + c * count, count);
                        for (int64_t q = 0; q < count; ++q)
                          for (int64_t c = 0; c < columns; ++c)
                            from[q * stride + c] = static_cast<T>(lines[static_cast<std::size_t>(c * count + q)]);
                      }
                    });
}

template <class T>
at::Tensor squared(const at::Tensor& mask, const Lattice& l, bool target, const VoxelSize& voxel,
                   const CancelToken& cancel) {
  at::Tensor out = at::empty(mask.sizes(), mask.options().dtype(c10::CppTypeToScalarType<T>::value));
  T* data = out.mutable_data_ptr<T>();
  along_rows(mask.const_data_ptr<bool>(), target, l, voxel.x, data, cancel);
  const int64_t plane = l.ny * l.nx;
  along_columns(
      data, l.nz, [=](int64_t z) { return z * plane; }, l.ny, l.nx, l.nx, voxel.y, cancel);
  along_columns(
      data, l.ny, [=](int64_t y) { return y * l.nx; }, l.nz, plane, l.nx, voxel.z, cancel);
  return out;
}

}  // namespace

bool squares_fit_float32(const Lattice& lattice, const VoxelSize& voxel) {
  const auto square = [](int64_t n) { return static_cast<double>(n) * static_cast<double>(n); };
  return voxel.cubic() && square(lattice.nz) + square(lattice.ny) + square(lattice.nx) < exact_in_float32;
}

Result<SquaredDistances> squared_distances(const at::Tensor& mask, DistanceTo to, const DistanceSpec& spec,
                                           const std::string& where) {
  TL_TRY(const Lattice l, check_mask(mask, where));
  TL_TRY(check_voxel_size(spec.voxel, where));
  const at::Tensor plain = mask.contiguous();
  const bool target = to == DistanceTo::mask;
  if (squares_fit_float32(l, spec.voxel))
    return SquaredDistances{squared<float>(plain, l, target, {}, spec.cancel), spec.voxel.x};
  return SquaredDistances{squared<double>(plain, l, target, spec.voxel, spec.cancel), 1};
}

Result<at::Tensor> distance_to_background(const at::Tensor& mask, const DistanceSpec& spec) {
  TL_TRY(SquaredDistances squares, squared_distances(mask, DistanceTo::background, spec, "distance"));
  const int64_t count = squares.values.numel();
  const double unit = squares.unit;
  if (squares.values.scalar_type() == at::kFloat) {
    auto* v = squares.values.mutable_data_ptr<float>();
    ops::parallel_for(0, count, serial_updates / envelope_operations, [&](int64_t first, int64_t last) {
      for (int64_t i = first; i < last; ++i) v[i] = static_cast<float>(unit * std::sqrt(static_cast<double>(v[i])));
    });
    return std::move(squares.values);
  }
  at::Tensor out = at::empty(mask.sizes(), mask.options().dtype(at::kFloat));
  auto* to = out.mutable_data_ptr<float>();
  const auto* v = squares.values.const_data_ptr<double>();
  ops::parallel_for(0, count, serial_updates / envelope_operations, [&](int64_t first, int64_t last) {
    for (int64_t i = first; i < last; ++i) to[i] = static_cast<float>(std::sqrt(v[i]));
  });
  return out;
}

}  // namespace tl::ops
