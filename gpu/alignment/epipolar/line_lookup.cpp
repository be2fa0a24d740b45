// Interpolates in tables of line integrals, and spreads values back into them.
#include "gpu/alignment/epipolar/line_lookup.h"

#include <ATen/ATen.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "gpu/device/grain.h"
#include "gpu/device/parallel_for.h"
#include "gpu/operator/operator_checks.h"

namespace tl::ops {
namespace {

using Four = std::array<double, 4>;

Four cubic(double t) {
  return {t * (-0.5 + t * (1 - 0.5 * t)), 1 + t * t * (-2.5 + 1.5 * t), t * (0.5 + t * (2 - 1.5 * t)),
          t * t * (-0.5 + 0.5 * t)};
}
Four cubic_slope(double t) {
  return {-0.5 + t * (2 - 1.5 * t), t * (-5 + 4.5 * t), 0.5 + t * (4 - 4.5 * t), t * (-1 + 1.5 * t)};
}

class LineLookup final : public LinearOperator {
 public:
  LineLookup(int64_t views, const LineGrid& grid, at::ScalarType type, std::shared_ptr<const LinesOfViews> lines,
             LookUp what)
      : views_(views),
        grid_(grid),
        type_(type),
        lines_(std::move(lines)),
        slope_(lines_->slope.contiguous()),
        height_(lines_->height.contiguous()),
        what_(what),
        sets_of_(static_cast<std::size_t>(views)) {
    for (std::size_t set = 0; set < lines_->views.size(); ++set)
      sets_of_[static_cast<std::size_t>(lines_->views[set])].push_back(static_cast<int64_t>(set));
  }
  [[nodiscard]] std::string name() const override { return "lines of a table"; }
  [[nodiscard]] std::vector<int64_t> domain() const override { return {views_, grid_.slopes, grid_.heights()}; }
  [[nodiscard]] std::vector<int64_t> range() const override { return slope_.sizes().vec(); }

  [[nodiscard]] at::Tensor apply(const at::Tensor& x) const override {
    require_tensor(x, domain(), name());
    require_cpu(x, name());
    at::Tensor out = at::empty(range(), at::kDouble);
    if (x.scalar_type() == at::kFloat)
      look_up(x.const_data_ptr<float>(), out.mutable_data_ptr<double>());
    else
      look_up(x.const_data_ptr<double>(), out.mutable_data_ptr<double>());
    return out;
  }
  [[nodiscard]] at::Tensor adjoint(const at::Tensor& y) const override {
    require_tensor(y, range(), name());
    require_cpu(y, name());
    const at::Tensor from = y.to(at::kDouble), out = at::zeros(domain(), at::kDouble);
    spread(from.const_data_ptr<double>(), out.mutable_data_ptr<double>());
    return out.to(type_);
  }

 private:
  // The sixteen entries of a line: four slopes from `first` on, four heights at `places` of each.
  struct Entries {
    int64_t first;
    std::array<int64_t, 4> places;
    Four by_slope, by_height;
  };
  [[nodiscard]] Entries entries(int64_t view, int64_t at) const {
    const auto inside = [](double x, int64_t size) {
      return std::clamp(std::isfinite(x) ? x : 0.0, 1.0, static_cast<double>(size) - 2.001);
    };
    const double m =
        inside(slope_.const_data_ptr<double>()[at] / grid_.slope_step + 0.5 * (grid_.slopes - 1.0), grid_.slopes);
    const double y = inside(2 * height_.const_data_ptr<double>()[at] + (grid_.rows - 1.0), grid_.heights());
    const double m0 = std::floor(m), y0 = std::floor(y);
    Entries e{(view * grid_.slopes + static_cast<int64_t>(m0) - 1) * grid_.heights(),
              {},
              what_ == LookUp::by_slope ? cubic_slope(m - m0) : cubic(m - m0),
              what_ == LookUp::by_height ? cubic_slope(y - y0) : cubic(y - y0)};
    for (std::size_t j = 0; j < 4; ++j)
      e.places[j] = grid_.place(static_cast<int64_t>(y0) - 1 + static_cast<int64_t>(j));
    if (what_ == LookUp::by_height)
      for (double& w : e.by_height) w *= 2;
    if (what_ == LookUp::by_slope)
      for (double& w : e.by_slope) w /= grid_.slope_step;
    return e;
  }

  template <class T>
  void look_up(const T* table, double* out) const {
    const int64_t lines = slope_.size(1);
    ops::parallel_for(0, slope_.size(0), grain(16 * lines), [&](int64_t begin, int64_t end) {
      for (int64_t set = begin; set < end; ++set)
        for (int64_t n = set * lines; n < (set + 1) * lines; ++n) {
          const Entries e = entries(lines_->views[static_cast<std::size_t>(set)], n);
          double sum = 0;
          for (std::size_t i = 0; i < 4; ++i) {
            const T* row = table + e.first + static_cast<int64_t>(i) * grid_.heights();
            double along = 0;
            for (std::size_t j = 0; j < 4; ++j) along += e.by_height[j] * static_cast<double>(row[e.places[j]]);
            sum += e.by_slope[i] * along;
          }
          out[n] = sum;
        }
    });
  }
  void spread(const double* in, double* table) const {
    const int64_t lines = slope_.size(1);
    ops::parallel_for(0, views_, 1, [&](int64_t begin, int64_t end) {
      for (int64_t view = begin; view < end; ++view)
        for (const int64_t set : sets_of_[static_cast<std::size_t>(view)])
          for (int64_t n = set * lines; n < (set + 1) * lines; ++n) {
            const Entries e = entries(view, n);
            for (std::size_t i = 0; i < 4; ++i)
              for (std::size_t j = 0; j < 4; ++j)
                table[e.first + static_cast<int64_t>(i) * grid_.heights() + e.places[j]] +=
                    in[n] * e.by_slope[i] * e.by_height[j];
          }
    });
  }

  int64_t views_;
  LineGrid grid_;
  at::ScalarType type_;
  std::shared_ptr<const LinesOfViews> lines_;
  at::Tensor slope_, height_;
  LookUp what_;
  std::vector<std::vector<int64_t>> sets_of_;  // per view
};

}  // namespace

OperatorPtr make_line_lookup(int64_t views, const LineGrid& grid, at::ScalarType type,
                             std::shared_ptr<const LinesOfViews> lines, LookUp what) {
  return std::make_shared<LineLookup>(views, grid, type, std::move(lines), what);
}

}  // namespace tl::ops
