// Interpolates in tables of line integrals, and spreads values back into them, a view at a time.
#include "gpu/alignment/epipolar/line_values.h"

#include <ATen/ATen.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "gpu/device/parallel_for.h"
#include "gpu/operator/operator_checks.h"

namespace tl::ops {
namespace {

struct CubicWeights {
  std::array<double, 4> value, slope;
};
CubicWeights cubic_weights(double t) {
  return {{t * (-0.5 + t * (1 - 0.5 * t)), 1 + t * t * (-2.5 + 1.5 * t), t * (0.5 + t * (2 - 1.5 * t)),
           t * t * (-0.5 + 0.5 * t)},
          {-0.5 + t * (2 - 1.5 * t), t * (-5 + 4.5 * t), 0.5 + t * (4 - 4.5 * t), t * (-1 + 1.5 * t)}};
}

template <class T>
class LineValuesOf final : public LineValues {
 public:
  LineValuesOf(int64_t views, const LineGrid& grid, LineValue value, double width, LinesOfViews lines)
      : views_(views),
        grid_(grid),
        table_(grid, value, width),
        lines_(std::move(lines)),
        slope_(lines_.slope.contiguous()),
        height_(lines_.height.contiguous()),
        wanted_(lines_.wanted.contiguous()),
        sets_of_(static_cast<std::size_t>(views)) {
    for (std::size_t set = 0; set < lines_.views.size(); ++set)
      sets_of_[static_cast<std::size_t>(lines_.views[set])].push_back(static_cast<int64_t>(set));
  }
  [[nodiscard]] std::string name() const override { return "line integrals of views"; }
  [[nodiscard]] std::vector<int64_t> domain() const override { return {views_, grid_.rows, grid_.cols}; }
  [[nodiscard]] std::vector<int64_t> range() const override { return slope_.sizes().vec(); }

  [[nodiscard]] at::Tensor apply(const at::Tensor& x) const override { return look_up<false>(x).value; }
  [[nodiscard]] WithSlopes with_slopes(const at::Tensor& x) const override { return look_up<true>(x); }

  [[nodiscard]] at::Tensor adjoint(const at::Tensor& y) const override {
    require_tensor(y, range(), name());
    require_cpu(y, name());
    const at::Tensor from = y.to(at::kDouble), out = at::empty(domain(), c10::CppTypeToScalarType<T>::value);
    const double* in = from.const_data_ptr<double>();
    T* views = out.mutable_data_ptr<T>();
    ops::parallel_for(0, views_, 1, [&](int64_t begin, int64_t end) {
      std::vector<double> sums;
      std::vector<T> lines(static_cast<std::size_t>(grid_.size()));
      typename LineTable<T>::Memory memory;
      for (int64_t view = begin; view < end; ++view) {
        sums.assign(lines.size(), 0.0);
        each_line(view, [&](int64_t n) {
          const Entries e = entries(n);
          for (std::size_t i = 0; i < 4; ++i) {
            double* row = sums.data() + e.first + static_cast<int64_t>(i) * grid_.heights();
            for (std::size_t j = 0; j < 4; ++j) row[j] += in[n] * e.slope.value[i] * e.height.value[j];
          }
        });
        std::copy(sums.begin(), sums.end(), lines.begin());
        table_.view_of(lines.data(), views + view * grid_.rows * grid_.cols, memory);
      }
    });
    return out;
  }

 private:
  // The sixteen entries of a line: four slopes from `first` on, four heights of each.
  struct Entries {
    int64_t first;
    CubicWeights slope, height;
  };
  [[nodiscard]] Entries entries(int64_t n) const {
    const auto inside = [](double x, int64_t size) {
      return std::clamp(std::isfinite(x) ? x : 0.0, 1.0, static_cast<double>(size) - 2.001);
    };
    const double m =
        inside(slope_.const_data_ptr<double>()[n] / grid_.slope_step + 0.5 * (grid_.slopes - 1.0), grid_.slopes);
    const double y = inside(2 * height_.const_data_ptr<double>()[n] + (grid_.rows - 1.0), grid_.heights());
    const double m0 = std::floor(m), y0 = std::floor(y);
    return {(static_cast<int64_t>(m0) - 1) * grid_.heights() + static_cast<int64_t>(y0) - 1, cubic_weights(m - m0),
            cubic_weights(y - y0)};
  }

  // The lines of a view that are wanted, in their order.
  template <class F>
  void each_line(int64_t view, const F& f) const {
    const int64_t lines = slope_.size(1);
    const bool* wanted = wanted_.const_data_ptr<bool>();
    for (const int64_t set : sets_of_[static_cast<std::size_t>(view)])
      for (int64_t n = set * lines; n < (set + 1) * lines; ++n)
        if (wanted[n]) f(n);
  }

  template <bool slopes>
  [[nodiscard]] WithSlopes look_up(const at::Tensor& x) const {
    require_tensor(x, domain(), name());
    require_cpu(x, name());
    TL_CHECK(x.scalar_type() == c10::CppTypeToScalarType<T>::value, "views of the type that lines were made for");
    const auto zeros = [&] { return at::zeros(range(), at::kDouble); };
    WithSlopes out{zeros(), slopes ? zeros() : at::Tensor(), slopes ? zeros() : at::Tensor()};
    double* value = out.value.mutable_data_ptr<double>();
    double* by_slope = slopes ? out.by_slope.mutable_data_ptr<double>() : nullptr;
    double* by_height = slopes ? out.by_height.mutable_data_ptr<double>() : nullptr;
    const T* views = x.const_data_ptr<T>();
    ops::parallel_for(0, views_, 1, [&](int64_t begin, int64_t end) {
      std::vector<T> lines(static_cast<std::size_t>(grid_.size()));
      typename LineTable<T>::Memory memory;
      for (int64_t view = begin; view < end; ++view) {
        if (sets_of_[static_cast<std::size_t>(view)].empty()) continue;
        table_.lines_of(views + view * grid_.rows * grid_.cols, lines.data(), memory);
        each_line(view, [&](int64_t n) {
          const Entries e = entries(n);
          double sum = 0, along_slope = 0, along_height = 0;
          for (std::size_t i = 0; i < 4; ++i) {
            const T* row = lines.data() + e.first + static_cast<int64_t>(i) * grid_.heights();
            double here = 0, change = 0;
            for (std::size_t j = 0; j < 4; ++j) {
              here += e.height.value[j] * static_cast<double>(row[j]);
              if constexpr (slopes) change += e.height.slope[j] * static_cast<double>(row[j]);
            }
            sum += e.slope.value[i] * here;
            if constexpr (slopes) {
              along_slope += e.slope.slope[i] * here;
              along_height += e.slope.value[i] * change;
            }
          }
          value[n] = sum;
          if constexpr (slopes) {
            by_slope[n] = along_slope / grid_.slope_step;
            by_height[n] = 2 * along_height;
          }
        });
      }
    });
    return out;
  }

  int64_t views_;
  LineGrid grid_;
  LineTable<T> table_;
  LinesOfViews lines_;
  at::Tensor slope_, height_, wanted_;
  std::vector<std::vector<int64_t>> sets_of_;  // per view
};

}  // namespace

std::shared_ptr<const LineValues> make_line_values(int64_t views, const LineGrid& grid, at::ScalarType type,
                                                   LineValue value, double width, LinesOfViews lines) {
  if (type == at::kFloat) return std::make_shared<LineValuesOf<float>>(views, grid, value, width, std::move(lines));
  return std::make_shared<LineValuesOf<double>>(views, grid, value, width, std::move(lines));
}

}  // namespace tl::ops
