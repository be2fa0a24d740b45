// Bilinear sampling of pictures at given positions, and its transpose.
#include "gpu/ops/view_resampling.h"

#include <ATen/ATen.h>
#include <ATen/Parallel.h>

#include <algorithm>
#include <cmath>

#include "gpu/ops/operator_checks.h"
#include "gpu/ops/sinograms.h"

namespace tl::ops {
namespace {

// Two neighbouring samples of a line and the share of the second; both inside. weight 0: nothing is seen.
struct Pair {
  int64_t first, second;
  double share, weight;
};

Pair locate(double position, int64_t n, PictureOutside outside) {
  const auto last = static_cast<double>(n - 1);
  if (outside == PictureOutside::zero && !(position >= 0 && position <= last)) return {0, 0, 0, 0};
  const double inside = std::clamp(std::isfinite(position) ? position : 0.0, 0.0, last);
  const auto first = std::min(static_cast<int64_t>(inside), std::max<int64_t>(0, n - 2));
  return {first, std::min(first + 1, n - 1), inside - static_cast<double>(first), 1};
}

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
    return x.scalar_type() == at::kFloat ? forward<float>(x) : forward<double>(x);
  }
  [[nodiscard]] at::Tensor adjoint(const at::Tensor& y) const override {
    require_tensor(y, range_, name());
    return y.scalar_type() == at::kFloat ? transposed<float>(y) : transposed<double>(y);
  }

 private:
  // visit(pixel of the result, four pixels of the picture, their weights), a line of the result at a time.
  template <class T, class Visit>
  void each_pixel(int64_t line, const Visit& visit) const {
    const int64_t cols = range_[2], width = spec_.shape[2];
    const auto *row = spec_.row.const_data_ptr<double>(), *col = spec_.col.const_data_ptr<double>();
    for (int64_t i = line * cols; i < (line + 1) * cols; ++i) {
      const Pair r = locate(row[i], spec_.shape[1], spec_.outside), c = locate(col[i], width, spec_.outside);
      const double seen = r.weight * c.weight;
      const T weights[4] = {static_cast<T>(seen * (1 - r.share) * (1 - c.share)),
                            static_cast<T>(seen * (1 - r.share) * c.share),
                            static_cast<T>(seen * r.share * (1 - c.share)), static_cast<T>(seen * r.share * c.share)};
      const int64_t pixels[4] = {r.first * width + c.first, r.first * width + c.second, r.second * width + c.first,
                                 r.second * width + c.second};
      visit(i, pixels, weights);
    }
  }
  template <class T>
  [[nodiscard]] at::Tensor forward(const at::Tensor& x) const {
    at::Tensor out = at::empty(range_, x.options());
    const T* source = x.const_data_ptr<T>();
    T* target = out.mutable_data_ptr<T>();
    const int64_t from = spec_.shape[1] * spec_.shape[2], to = range_[1] * range_[2];
    at::parallel_for(0, range_[0] * range_[1], 16, [&](int64_t first, int64_t last) {
      for (int64_t job = first; job < last; ++job) {
        const int64_t picture = job / range_[1], line = job % range_[1];
        if (line == 0) spec_.cancel.check();
        const T* p = source + picture * from;
        T* out_picture = target + picture * to;
        each_pixel<T>(line, [&](int64_t i, const int64_t* at, const T* w) {
          out_picture[i] = w[0] * p[at[0]] + w[1] * p[at[1]] + w[2] * p[at[2]] + w[3] * p[at[3]];
        });
      }
    });
    return out;
  }
  // One picture belongs to one thread: sums are taken in the order of the lines.
  template <class T>
  [[nodiscard]] at::Tensor transposed(const at::Tensor& y) const {
    at::Tensor out = at::zeros(spec_.shape, y.options());
    const T* source = y.const_data_ptr<T>();
    T* target = out.mutable_data_ptr<T>();
    const int64_t from = range_[1] * range_[2], to = spec_.shape[1] * spec_.shape[2];
    at::parallel_for(0, range_[0], 1, [&](int64_t first, int64_t last) {
      for (int64_t picture = first; picture < last; ++picture) {
        spec_.cancel.check();
        const T* p = source + picture * from;
        T* out_picture = target + picture * to;
        for (int64_t line = 0; line < range_[1]; ++line)
          each_pixel<T>(line, [&](int64_t i, const int64_t* at, const T* w) {
            for (int k = 0; k < 4; ++k) out_picture[at[k]] += w[k] * p[i];
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

Positions around(const at::Tensor& pictures, double centre_row, double centre_col) {
  const int64_t rows = pictures.size(1), cols = pictures.size(2);
  return {(at::arange(rows, at::kDouble) - centre_row).view({rows, 1}).expand({rows, cols}),
          (at::arange(cols, at::kDouble) - centre_col).view({1, cols}).expand({rows, cols})};
}

at::Tensor resampled(const at::Tensor& pictures, const at::Tensor& row, const at::Tensor& col,
                     const CancelToken& cancel) {
  return tl::apply(make_resampling({pictures.sizes().vec(), row, col, PictureOutside::edge, cancel}),
                   pictures.contiguous());
}

}  // namespace

OperatorPtr make_resampling(const ResamplingSpec& spec) {
  TL_CHECK(spec.shape.size() == 3 && spec.shape[1] > 0 && spec.shape[2] > 0 && spec.row.dim() == 2 &&
               spec.row.sizes().equals(spec.col.sizes()) && spec.row.scalar_type() == at::kDouble &&
               spec.col.scalar_type() == at::kDouble,
           "resampling takes pictures [n, row, col] and positions [row, col] in double");
  return std::make_shared<Resampling>(spec);
}

Result<at::Tensor> correct_distortion(const at::Tensor& pictures, const DistortionSpec& spec) {
  const std::string where = "distortion";
  TL_TRY(check_projections(pictures, where));
  if (spec.factors.empty() || spec.factors.size() > 10)
    return invalid(std::to_string(spec.factors.size()) + " factors of the distortion", where, "Give 1 to 10");
  bool finite = std::isfinite(spec.centre_col) && std::isfinite(spec.centre_row);
  for (const double k : spec.factors) finite = finite && std::isfinite(k);
  if (!finite) return invalid("centre and factors must be finite numbers", where);
  if (pictures.numel() == 0) return pictures;
  const Positions p = around(pictures, spec.centre_row, spec.centre_col);
  const at::Tensor r = (p.row.square() + p.col.square()).sqrt();
  at::Tensor factor = at::zeros_like(r);
  for (auto k = spec.factors.rbegin(); k != spec.factors.rend(); ++k) factor = factor * r + *k;
  return resampled(pictures, spec.centre_row + factor * p.row, spec.centre_col + factor * p.col, spec.cancel);
}

Result<at::Tensor> rotate_views(const at::Tensor& pictures, const RotationSpec& spec) {
  const std::string where = "rotation of views";
  TL_TRY(check_projections(pictures, where));
  if (!std::isfinite(spec.angle) || !(spec.pitch_u > 0) || !(spec.pitch_v > 0))
    return invalid("the angle must be finite and pixels have a size", where);
  if (pictures.numel() == 0 || spec.angle == 0) return pictures;
  const double row = 0.5 * static_cast<double>(pictures.size(1) - 1),
               col = 0.5 * static_cast<double>(pictures.size(2) - 1);
  const Positions p = around(pictures, row, col);
  // Turned backwards in lengths: x along the columns, y upwards.
  const double c = std::cos(spec.angle), s = std::sin(spec.angle), ratio = spec.pitch_v / spec.pitch_u;
  const at::Tensor x = c * p.col - s * ratio * p.row, y = -c * p.row - s / ratio * p.col;
  return resampled(pictures, row - y, col + x, spec.cancel);
}

}  // namespace tl::ops
