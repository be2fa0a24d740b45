// Resamples views at other positions by bilinear interpolation, and makes the transpose: lens distortion, rotation of
// views.
#include "gpu/correction/view_resampling.h"

#include <ATen/ATen.h>

#include <cmath>
#include <numeric>
#include <ranges>

#include "gpu/correction/sinograms.h"
#include "gpu/correction/view_resampling_math.h"
#include "gpu/device/launch.h"
#include "gpu/device/parallel_for.h"
#include "gpu/operator/operator_checks.h"

namespace tl::ops {
namespace {

class Resampling final : public LinearOperator {
 public:
  explicit Resampling(const ResamplingSpec& spec) : spec_(spec) {
    spec_.row = spec.row.contiguous();
    spec_.col = spec.col.contiguous();
    range_ = {spec.shape[0], spec.row.size(0), spec.row.size(1)};
  }
  [[nodiscard]] std::string name() const override { return "resampling of views"; }
  [[nodiscard]] std::vector<int64_t> domain() const override { return spec_.shape; }
  [[nodiscard]] std::vector<int64_t> range() const override { return range_; }
  [[nodiscard]] at::Tensor apply(const at::Tensor& x) const override {
    require_tensor(x, spec_.shape, name());
    if (runs_functors(x, name())) return x.scalar_type() == at::kFloat ? on_device<float>(x) : on_device<double>(x);
    return x.scalar_type() == at::kFloat ? forward<float>(x) : forward<double>(x);
  }
  [[nodiscard]] at::Tensor adjoint(const at::Tensor& y) const override {
    require_tensor(y, range_, name());
    if (runs_functors(y, name()))
      return y.scalar_type() == at::kFloat ? transposed_on_device<float>(y) : transposed_on_device<double>(y);
    return y.scalar_type() == at::kFloat ? transposed<float>(y) : transposed<double>(y);
  }

 private:
  // Calls visit(pixel of the result, four source pixels, their weights) for one line of the result.
  template <class T, class Visit>
  void each_pixel(int64_t line, const Visit& visit) const {
    const auto *row = spec_.row.const_data_ptr<double>(), *col = spec_.col.const_data_ptr<double>();
    for (int64_t i = line * range_[2]; i < (line + 1) * range_[2]; ++i) {
      const PictureTaps<T> t = picture_taps<T>(row[i], col[i], spec_.shape[1], spec_.shape[2], beyond());
      visit(i, t.pixels, t.weights);
    }
  }
  [[nodiscard]] int32_t beyond() const { return spec_.outside == OutsideValue::edge ? 1 : 0; }

  // Runs the functor with positions on the device of x; `in` and `out` are set for the direction.
  template <class T>
  [[nodiscard]] at::Tensor on_device(const at::Tensor& x) const {
    at::Tensor out = at::empty(range_, x.options());
    const at::Tensor row = spec_.row.to(x.device()), col = spec_.col.to(x.device());
    launch(x.device(), functor<T>(row, col, x, out), out.numel());
    return out;
  }
  template <class T>
  [[nodiscard]] at::Tensor transposed_on_device(const at::Tensor& y) const {
    const int64_t size = spec_.shape[1] * spec_.shape[2];
    std::vector<int64_t> begins(static_cast<std::size_t>(size + 1), 0);
    const auto each_tap = [&](const auto& take) {
      for (int64_t line = 0; line < range_[1]; ++line)
        each_pixel<T>(line, [&](int64_t i, const int64_t* at, const T* w) {
          for (int64_t k = 0; k < 4; ++k)
            if (w[k] != 0) take(static_cast<std::size_t>(at[k]), 4 * i + k);
        });
    };
    each_tap([&](std::size_t pixel, int64_t) { ++begins[pixel + 1]; });
    std::partial_sum(begins.begin(), begins.end(), begins.begin());
    std::vector<int64_t> next = begins, taps(static_cast<std::size_t>(begins.back()));
    each_tap([&](std::size_t pixel, int64_t tap) { taps[static_cast<std::size_t>(next[pixel]++)] = tap; });
    at::Tensor out = at::empty(spec_.shape, y.options());
    const at::Tensor row = spec_.row.to(y.device()), col = spec_.col.to(y.device());
    const at::Tensor first = device_table(begins, y.device()), all = device_table(taps, y.device());
    launch(y.device(),
           ResampleTransposed<T>{functor<T>(row, col, y, out), table_data<int64_t>(first), table_data<int64_t>(all)},
           out.numel());
    return out;
  }
  template <class T>
  [[nodiscard]] ResamplePixel<T> functor(const at::Tensor& row, const at::Tensor& col, const at::Tensor& in,
                                         at::Tensor& out) const {
    return {row.const_data_ptr<double>(),
            col.const_data_ptr<double>(),
            spec_.shape[1],
            spec_.shape[2],
            range_[1] * range_[2],
            beyond(),
            in.template const_data_ptr<T>(),
            out.template mutable_data_ptr<T>()};
  }
  template <class T>
  [[nodiscard]] at::Tensor forward(const at::Tensor& x) const {
    at::Tensor out = at::empty(range_, x.options());
    const T* source = x.const_data_ptr<T>();
    T* target = out.mutable_data_ptr<T>();
    const int64_t from = spec_.shape[1] * spec_.shape[2], to = range_[1] * range_[2];
    ops::parallel_for(0, range_[0] * range_[1], 16, [&](int64_t first, int64_t last) {
      for (int64_t job = first; job < last; ++job) {
        const int64_t image = job / range_[1], line = job % range_[1];
        if (line == 0) spec_.cancel.check();
        const T* p = source + image * from;
        T* out_image = target + image * to;
        each_pixel<T>(line, [&](int64_t i, const int64_t* at, const T* w) {
          out_image[i] = w[0] * p[at[0]] + w[1] * p[at[1]] + w[2] * p[at[2]] + w[3] * p[at[3]];
        });
      }
    });
    return out;
  }
  // Each thread handles whole images, so that sums are computed in the order of the lines.
  template <class T>
  [[nodiscard]] at::Tensor transposed(const at::Tensor& y) const {
    at::Tensor out = at::zeros(spec_.shape, y.options());
    const T* source = y.const_data_ptr<T>();
    T* target = out.mutable_data_ptr<T>();
    const int64_t from = range_[1] * range_[2], to = spec_.shape[1] * spec_.shape[2];
    ops::parallel_for(0, range_[0], 1, [&](int64_t first, int64_t last) {
      for (int64_t image = first; image < last; ++image) {
        spec_.cancel.check();
        const T* p = source + image * from;
        T* out_image = target + image * to;
        for (int64_t line = 0; line < range_[1]; ++line)
          each_pixel<T>(line, [&](int64_t i, const int64_t* at, const T* w) {
            for (int k = 0; k < 4; ++k) out_image[at[k]] += w[k] * p[i];
          });
      }
    });
    return out;
  }

  ResamplingSpec spec_;
  std::vector<int64_t> range_;
};

struct Positions {
  at::Tensor row, col;  // [rows, cols] of the pixels, relative to a centre
};

Positions positions_around(const at::Tensor& images, double centre_row, double centre_col) {
  const int64_t rows = images.size(1), cols = images.size(2);
  return {(at::arange(rows, at::kDouble) - centre_row).view({rows, 1}).expand({rows, cols}),
          (at::arange(cols, at::kDouble) - centre_col).view({1, cols}).expand({rows, cols})};
}

at::Tensor resampled(const at::Tensor& images, const at::Tensor& row, const at::Tensor& col,
                     const CancelToken& cancel) {
  return tl::apply(make_resampling({images.sizes().vec(), row, col, OutsideValue::edge, cancel}), images.contiguous());
}

}  // namespace

OperatorPtr make_resampling(const ResamplingSpec& spec) {
  TL_CHECK(spec.shape.size() == 3 && spec.shape[1] > 0 && spec.shape[2] > 0 && spec.row.dim() == 2 &&
               spec.row.sizes().equals(spec.col.sizes()) && spec.row.scalar_type() == at::kDouble &&
               spec.col.scalar_type() == at::kDouble,
           "resampling takes images [n, row, col] and positions [row, col] in double");
  return std::make_shared<Resampling>(spec);
}

Result<at::Tensor> correct_distortion(const at::Tensor& images, const DistortionSpec& spec) {
  const std::string where = "distortion";
  TL_TRY(check_projections_on_any_device(images, where));
  if (spec.factors.empty() || spec.factors.size() > 10)
    return invalid(std::to_string(spec.factors.size()) + " factors of the distortion", where, "Give 1 to 10");
  bool finite = std::isfinite(spec.centre_col) && std::isfinite(spec.centre_row);
  for (const double k : spec.factors) finite = finite && std::isfinite(k);
  if (!finite) return invalid("centre and factors must be finite numbers", where);
  if (images.numel() == 0) return images;
  const Positions p = positions_around(images, spec.centre_row, spec.centre_col);
  const at::Tensor r = (p.row.square() + p.col.square()).sqrt();
  at::Tensor factor = at::zeros_like(r);
  for (const double k : std::views::reverse(spec.factors)) factor = factor * r + k;
  return resampled(images, spec.centre_row + factor * p.row, spec.centre_col + factor * p.col, spec.cancel);
}

Result<at::Tensor> rotate_views(const at::Tensor& images, const RotationSpec& spec) {
  const std::string where = "rotation of views";
  TL_TRY(check_projections_on_any_device(images, where));
  if (!std::isfinite(spec.angle) || !(spec.pitch_u > 0) || !(spec.pitch_v > 0))
    return invalid("the angle must be finite and pixels have a size", where);
  if (images.numel() == 0 || spec.angle == 0) return images;
  const double row = 0.5 * static_cast<double>(images.size(1) - 1), col = 0.5 * static_cast<double>(images.size(2) - 1);
  const Positions p = positions_around(images, row, col);
  // Backward rotation in physical lengths: x along the columns, y upwards.
  const double c = std::cos(spec.angle), s = std::sin(spec.angle), ratio = spec.pitch_v / spec.pitch_u;
  const at::Tensor x = c * p.col - s * ratio * p.row, y = -c * p.row - s / ratio * p.col;
  return resampled(images, row - y, col + x, spec.cancel);
}

}  // namespace tl::ops
