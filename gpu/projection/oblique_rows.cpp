// Samples views along horizontal lines of the object: the lines' positions on a tilted detector, and windowed
// interpolation there.
#include "gpu/projection/oblique_rows.h"

#include <ATen/ATen.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "core/base/error.h"
#include "gpu/device/grain.h"
#include "gpu/device/parallel_for.h"
#include "gpu/operator/forward_mode.h"
#include "gpu/operator/operator_checks.h"

namespace tl::ops {
namespace {

// A Gaussian that decreases to zero at `reach` pixels with two continuous derivatives. Its sum over the pixels is the
// same for every position between them to 2e-6.
struct Window {
  int64_t reach;  // pixels
  double sharpness;

  [[nodiscard]] double at(double x) const {
    const double rest = 1 - x * x / static_cast<double>(reach * reach);
    return rest > 0 ? std::exp(-sharpness * x * x) * rest * rest * rest : 0;
  }
  [[nodiscard]] double slope(double x) const {
    const auto size = static_cast<double>(reach * reach);
    const double rest = 1 - x * x / size;
    if (rest <= 0) return 0;
    return std::exp(-sharpness * x * x) * rest * rest * x * (-2 * sharpness * rest - 6.0 / size);
  }
  [[nodiscard]] double sum() const {
    double sum = 0;
    for (int64_t n = -reach; n <= reach; ++n) sum += at(static_cast<double>(n));
    return sum;
  }
};

// Standard deviation 1 pixel along the rows, 1.6 across them: a sharp edge of the object almost parallel to the rows is
// aliased, and its apparent position would otherwise depend on its position between two rows.
constexpr Window along_rows{4, 0.3125}, across_rows{6, 0.12};
constexpr std::size_t max_taps = 12;

// The pixels along one detector axis that contribute to a point: 2 `reach` of them, starting at `first`.
struct Taps {
  int64_t first = 0;
  std::array<double, max_taps> weight{}, slope{};
};

Taps taps_at(const Window& window, double position, int64_t size, double scale) {
  const int64_t support = 2 * window.reach;
  Taps t;
  // Beyond the width of the window the result no longer changes.
  const double x = std::clamp(position, -1.0 * static_cast<double>(support), static_cast<double>(size - 1 + support));
  const auto low = static_cast<int64_t>(std::floor(x));
  const int64_t begin = low - window.reach + 1;
  t.first = std::clamp<int64_t>(begin, 0, std::max<int64_t>(size - support, 0));
  for (int64_t k = 0; k < support; ++k) {
    const int64_t pixel = std::clamp<int64_t>(begin + k, 0, size - 1);
    const auto at = static_cast<std::size_t>(pixel - t.first);
    const double off = x - static_cast<double>(begin + k);
    t.weight[at] += scale * window.at(off);
    t.slope[at] += scale * window.slope(off);
  }
  return t;
}

class LineSamples final : public LinearOperator {
 public:
  LineSamples(std::vector<int64_t> shape, at::ScalarType type, const at::Tensor& row, const at::Tensor& col,
              LineParts parts)
      : shape_(std::move(shape)), type_(type), heights_(row.size(0)), points_(row.size(1)), parts_(parts) {
    const double across = 1 / across_rows.sum(), along = 1 / along_rows.sum();
    for (int64_t i = 0; i < row.numel(); ++i) {
      rows_.push_back(taps_at(across_rows, row.const_data_ptr<double>()[i], shape_[1], across));
      cols_.push_back(taps_at(along_rows, col.const_data_ptr<double>()[i], shape_[2], along));
    }
  }
  [[nodiscard]] std::string name() const override { return "samples along lines"; }
  [[nodiscard]] std::vector<int64_t> domain() const override { return shape_; }
  [[nodiscard]] std::vector<int64_t> range() const override {
    return {parts_ == LineParts::values ? 1 : 3, shape_[0], heights_, points_};
  }

  [[nodiscard]] at::Tensor apply(const at::Tensor& x) const override {
    require_tensor(x, shape_, name());
    require_cpu(x, name());
    at::Tensor out = at::empty(range(), at::kDouble);
    if (type_ == at::kFloat)
      read(x.const_data_ptr<float>(), out.mutable_data_ptr<double>());
    else
      read(x.const_data_ptr<double>(), out.mutable_data_ptr<double>());
    return out;
  }
  [[nodiscard]] at::Tensor adjoint(const at::Tensor& y) const override {
    at::Tensor out = at::zeros(shape_, at::kDouble);
    spread(y.const_data_ptr<double>(), out.mutable_data_ptr<double>());
    return out.to(type_);
  }

 private:
  [[nodiscard]] int64_t per_view() const { return heights_ * points_; }
  [[nodiscard]] int64_t height_of_block() const { return std::min(2 * across_rows.reach, shape_[1]); }
  [[nodiscard]] int64_t width_of_block() const { return std::min(2 * along_rows.reach, shape_[2]); }

  template <class T>
  void read(const T* data, double* out) const {
    const int64_t n = per_view(), part = shape_[0] * n, high = height_of_block(), wide = width_of_block();
    const bool slopes = parts_ == LineParts::with_slopes;
    ops::parallel_for(0, shape_[0], grain(n * high * wide), [&](int64_t begin, int64_t end) {
      for (int64_t v = begin; v < end; ++v)
        for (int64_t i = 0; i < n; ++i) {
          const Taps &r = rows_[static_cast<std::size_t>(i)], &c = cols_[static_cast<std::size_t>(i)];
          double value = 0, down = 0, right = 0;
          for (int64_t y = 0; y < high; ++y) {
            const T* line = data + (v * shape_[1] + r.first + y) * shape_[2] + c.first;
            double sum = 0, slope = 0;
            for (int64_t x = 0; x < wide; ++x) {
              const auto pixel = static_cast<double>(line[x]);
              sum += c.weight[static_cast<std::size_t>(x)] * pixel;
              slope += c.slope[static_cast<std::size_t>(x)] * pixel;
            }
            const auto at = static_cast<std::size_t>(y);
            value += r.weight[at] * sum;
            down += r.slope[at] * sum;
            right += r.weight[at] * slope;
          }
          out[v * n + i] = value;
          if (!slopes) continue;
          out[part + v * n + i] = down;
          out[2 * part + v * n + i] = right;
        }
    });
  }

  void spread(const double* from, double* data) const {
    const int64_t n = per_view(), part = shape_[0] * n, high = height_of_block(), wide = width_of_block();
    const bool slopes = parts_ == LineParts::with_slopes;
    ops::parallel_for(0, shape_[0], grain(n * high * wide), [&](int64_t begin, int64_t end) {
      for (int64_t v = begin; v < end; ++v)
        for (int64_t i = 0; i < n; ++i) {
          const Taps &r = rows_[static_cast<std::size_t>(i)], &c = cols_[static_cast<std::size_t>(i)];
          const double value = from[v * n + i], down = slopes ? from[part + v * n + i] : 0,
                       right = slopes ? from[2 * part + v * n + i] : 0;
          for (int64_t y = 0; y < high; ++y) {
            const auto at = static_cast<std::size_t>(y);
            double* line = data + (v * shape_[1] + r.first + y) * shape_[2] + c.first;
            const double plain = r.weight[at] * value + r.slope[at] * down, steep = r.weight[at] * right;
            for (int64_t x = 0; x < wide; ++x)
              line[x] += c.weight[static_cast<std::size_t>(x)] * plain + c.slope[static_cast<std::size_t>(x)] * steep;
          }
        }
    });
  }

  std::vector<int64_t> shape_;
  at::ScalarType type_;
  int64_t heights_, points_;
  LineParts parts_;
  std::vector<Taps> rows_, cols_;  // per point
};

at::Tensor plain(const at::Tensor& x) { return dual_parts(x).value.detach().contiguous(); }

}  // namespace

DetectorLines horizontal_lines(const at::Tensor& vectors, const DetectorShape& detector,
                               const std::vector<double>& heights) {
  TL_CHECK(vectors.dim() == 2 && vectors.size(1) == 12 && vectors.scalar_type() == at::kDouble, "vectors [view, 12]");
  const auto component = [&](int64_t part, int64_t axis) { return vectors.select(1, 3 * part + axis); };
  const at::Tensor length = (component(0, 0).square() + component(0, 1).square()).sqrt();
  const at::Tensor cosine = component(0, 1) / length, sine = -component(0, 0) / length;
  // A step of one pixel along u and v, split into components across and along the rotation axis [mm].
  const auto across = [&](int64_t part) { return (component(part, 0) * cosine + component(part, 1) * sine).mean(); };
  const auto along = [&](int64_t part) { return component(part, 2).mean(); };
  const at::Tensor uu = across(2), uv = across(3), vu = along(2), vv = along(3), determinant = uu * vv - uv * vu;
  const double middle_col = 0.5 * static_cast<double>(detector.cols - 1),
               middle_row = 0.5 * static_cast<double>(detector.rows - 1);
  const at::Tensor s = detector.pitch_u * (at::arange(detector.cols, at::kDouble) - middle_col).unsqueeze(0);
  // Lines are rotated about the rotation axis: rotated about the middle of the detector, a tilt would move them to
  // other slices.
  const at::Tensor axis = -across(1);
  const at::Tensor z = detector.pitch_v * at::tensor(heights, at::kDouble).unsqueeze(1) + vu / uu * axis;
  const at::Tensor a = (vv * s - uv * z) / determinant, b = (uu * z - vu * s) / determinant;
  return {middle_row - b, middle_col + a};
}

OperatorPtr make_line_samples(const std::vector<int64_t>& views, at::ScalarType type, const DetectorLines& lines,
                              LineParts parts) {
  TL_CHECK(views.size() == 3 && lines.row.dim() == 2 && lines.row.sizes() == lines.col.sizes() &&
               lines.row.scalar_type() == at::kDouble && lines.col.scalar_type() == at::kDouble,
           "points on [view, row, col]");
  TL_CHECK(type == at::kFloat || type == at::kDouble, "samples of float32 or float64");
  return std::make_shared<LineSamples>(views, type, plain(lines.row), plain(lines.col), parts);
}

at::Tensor sample_lines(const at::Tensor& views, const DetectorLines& lines) {
  const bool moving = is_differentiated(lines.row) || is_differentiated(lines.col);
  const OperatorPtr op = make_line_samples(views.sizes().vec(), views.scalar_type(), lines,
                                           moving ? LineParts::with_slopes : LineParts::values);
  const at::Tensor parts = tl::apply(op, views.contiguous());
  if (!moving) return parts[0];
  // The added terms are zero; they carry the derivatives with respect to the points.
  return parts[0] + parts[1] * (lines.row - plain(lines.row)) + parts[2] * (lines.col - plain(lines.col));
}

}  // namespace tl::ops
