// Removes stripes by fitting: a polynomial per column in an orthonormal basis over the views, smoothed by a Gaussian
// along the columns.
#include "gpu/correction/stripes/fitting.h"

#include <ATen/ATen.h>

#include <cmath>
#include <memory>

#include "core/base/units.h"
#include "gpu/correction/sinograms.h"
#include "gpu/device/launch.h"
#include "gpu/device/parallel_for.h"
#include "gpu/operator/linear_operator.h"
#include "gpu/operator/operator_checks.h"

namespace tl::ops {
namespace {

constexpr int64_t highest_order = 20;

// Orthonormal polynomials on equidistant views, [order + 1][views]: x times the previous one, orthogonalized twice
// (Gram-Schmidt).
std::vector<std::vector<double>> orthonormal_polynomials(int64_t views, int64_t order) {
  const auto n = static_cast<std::size_t>(views);
  std::vector<std::vector<double>> basis;
  std::vector<double> next(n, 1.0);
  for (int64_t k = 0; k <= order; ++k) {
    for (int pass = 0; pass < 2; ++pass)
      for (const auto& b : basis) {
        double along = 0;
        for (std::size_t i = 0; i < n; ++i) along += b[i] * next[i];
        for (std::size_t i = 0; i < n; ++i) next[i] -= along * b[i];
      }
    double squares = 0;
    for (const double v : next) squares += v * v;
    const double scale = 1 / std::sqrt(squares);
    for (double& v : next) v *= scale;
    basis.push_back(next);
    for (std::size_t i = 0; i < n; ++i) next[i] *= 2 * static_cast<double>(i) / static_cast<double>(views) - 1;
  }
  return basis;
}

// x -> P P^T x for every column of [view, col]; sums over the views in double and in order.
class ColumnFit final : public LinearOperator {
 public:
  ColumnFit(int64_t views, int64_t cols, int64_t order)
      : shape_{views, cols}, basis_(orthonormal_polynomials(views, order)) {}
  [[nodiscard]] std::string name() const override { return "polynomial columns"; }
  [[nodiscard]] std::vector<int64_t> domain() const override { return shape_; }
  [[nodiscard]] std::vector<int64_t> range() const override { return shape_; }
  [[nodiscard]] at::Tensor apply(const at::Tensor& x) const override {
    require_tensor(x, shape_, name());
    if (runs_functors(x, name())) return on_device(x);
    return x.scalar_type() == at::kFloat ? project<float>(x) : project<double>(x);
  }
  [[nodiscard]] at::Tensor adjoint(const at::Tensor& y) const override { return apply(y); }

 private:
  [[nodiscard]] at::Tensor on_device(const at::Tensor& x) const {
    std::vector<double> all;
    for (const auto& b : basis_) all.insert(all.end(), b.begin(), b.end());
    const at::Tensor basis = at::tensor(at::ArrayRef<double>(all), at::kDouble)
                                 .view({static_cast<int64_t>(basis_.size()), shape_[0]})
                                 .to(x.device());
    return basis.t().matmul(basis.matmul(x.to(at::kDouble))).to(x.scalar_type());
  }

  template <class T>
  [[nodiscard]] at::Tensor project(const at::Tensor& x) const {
    const int64_t views = shape_[0], cols = shape_[1];
    at::Tensor out = at::empty_like(x);
    const T* source = x.const_data_ptr<T>();
    T* target = out.mutable_data_ptr<T>();
    ops::parallel_for(0, cols, 64, [&](int64_t first, int64_t last) {
      const auto width = static_cast<std::size_t>(last - first);
      std::vector<double> fit(static_cast<std::size_t>(views) * width, 0.0), along(width);
      for (const auto& b : basis_) {
        std::fill(along.begin(), along.end(), 0.0);
        for (int64_t v = 0; v < views; ++v)
          for (std::size_t c = 0; c < width; ++c)
            along[c] += b[static_cast<std::size_t>(v)] *
                        static_cast<double>(source[v * cols + first + static_cast<int64_t>(c)]);
        for (int64_t v = 0; v < views; ++v)
          for (std::size_t c = 0; c < width; ++c)
            fit[static_cast<std::size_t>(v) * width + c] += b[static_cast<std::size_t>(v)] * along[c];
      }
      for (int64_t v = 0; v < views; ++v)
        for (std::size_t c = 0; c < width; ++c)
          target[v * cols + first + static_cast<int64_t>(c)] =
              static_cast<T>(fit[static_cast<std::size_t>(v) * width + c]);
    });
    return out;
  }
  std::vector<int64_t> shape_;
  std::vector<std::vector<double>> basis_;
};

// Gaussian over the columns, mirrored at the edges, by a real FFT.
at::Tensor smooth_columns(const at::Tensor& sinogram, double sigma) {
  const int64_t cols = sinogram.size(1);
  const at::Tensor closed = at::cat({sinogram, sinogram.flip({1})}, 1);
  const double unit = pi * sigma / static_cast<double>(cols);  // 2 pi sigma k / (2 cols)
  const at::Tensor k = at::arange(cols + 1, sinogram.options().dtype(at::kDouble));
  const at::Tensor keep = (k.square() * (-0.5 * unit * unit)).exp().to(sinogram.scalar_type());
  return at::fft_irfft(at::fft_rfft(closed, std::nullopt, 1) * keep, 2 * cols, 1).narrow(1, 0, cols);
}

}  // namespace

at::Tensor fit_columns(const at::Tensor& sinogram, int64_t order) {
  return tl::apply(std::make_shared<ColumnFit>(sinogram.size(0), sinogram.size(1), order), sinogram.contiguous());
}

Result<at::Tensor> remove_stripes_by_fitting(const at::Tensor& projections, const StripeFittingSpec& spec) {
  const std::string where = "stripe removal by fitting";
  TL_TRY(check_projections_on_any_device(projections, where));
  if (spec.order < 0 || spec.order > highest_order || (projections.numel() > 0 && spec.order >= projections.size(0)))
    return invalid("a polynomial of order " + std::to_string(spec.order) + " cannot be fitted to " +
                       std::to_string(projections.size(0)) + " views",
                   where, "Choose a lower order");
  if (!(spec.sigma > 0)) return invalid("the smoothing over columns needs a positive sigma", where);
  return map_sinograms(projections, spec.cancel, [&](const at::Tensor& sinogram) {
    // One value is subtracted first, so that a constant sinogram is exactly zero in between.
    const at::Tensor level = sinogram.select(0, 0).select(0, sinogram.size(1) / 2).detach();
    const at::Tensor fit = fit_columns(sinogram - level, spec.order), smooth = smooth_columns(fit, spec.sigma);
    at::Tensor moved = sinogram + (smooth - fit);
    if (spec.model == StripeModel::offset) return moved;
    const at::Tensor was = fit + level, size = was.detach().abs();
    const at::Tensor usable = size.gt(1e-3 * size.max());
    return at::where(usable, sinogram * ((smooth + level) / at::where(usable, was, at::ones_like(was))), moved);
  });
}

}  // namespace tl::ops
