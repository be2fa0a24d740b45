// Computes tables of line integrals: columns of a view are moved by what a slope moves them, and added with weights.
#include "gpu/alignment/epipolar/line_table.h"

#include <ATen/ATen.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "core/base/units.h"
#include "gpu/device/grain.h"
#include "gpu/device/parallel_for.h"
#include "gpu/operator/operator_checks.h"

namespace tl::ops {
namespace {

constexpr double reach = 4;  // standard deviations to either side

class LineTable final : public LinearOperator {
 public:
  LineTable(int64_t views, const LineGrid& grid, LineValue value, double width)
      : views_(views), grid_(grid), half_(2 * static_cast<int64_t>(std::ceil(0.5 * reach * width))) {
    const double farthest = std::abs(grid.slope(0)) * 0.5 * static_cast<double>(grid.cols - 1);
    pad_ = static_cast<int64_t>(std::ceil(farthest)) + half_ + 2;
    for (int64_t s = 0; s < grid.slopes; ++s)
      for (int64_t c = 0; c < grid.cols; ++c) {
        const double middle = static_cast<double>(c) - 0.5 * static_cast<double>(grid.cols - 1);
        for (const double above : {0.0, 0.5}) add_line(grid.slope(s) * middle + above, value, width);
      }
  }
  [[nodiscard]] std::string name() const override { return "table of line integrals"; }
  [[nodiscard]] std::vector<int64_t> domain() const override { return {views_, grid_.rows, grid_.cols}; }
  [[nodiscard]] std::vector<int64_t> range() const override { return {views_, grid_.slopes, grid_.heights()}; }

  [[nodiscard]] at::Tensor apply(const at::Tensor& x) const override { return run(x, domain(), range(), true); }
  [[nodiscard]] at::Tensor adjoint(const at::Tensor& y) const override { return run(y, range(), domain(), false); }

 private:
  // What a column takes part in lines with that lie higher there by `shift`.
  void add_line(double shift, LineValue value, double width) {
    const double base = std::floor(shift);
    first_.push_back(pad_ + static_cast<int64_t>(base) - half_ + 1);
    for (int64_t t = 1 - half_; t <= half_; ++t) {
      const double off = (base + static_cast<double>(t) - shift) / width;
      const double gauss = std::exp(-0.5 * off * off) / (width * std::sqrt(2 * pi));
      weights_.push_back(value == LineValue::integral ? gauss : gauss * off / width);
    }
  }
  [[nodiscard]] at::Tensor run(const at::Tensor& in, const std::vector<int64_t>& from, const std::vector<int64_t>& to,
                               bool forward) const {
    require_tensor(in, from, name());
    require_cpu(in, name());
    at::Tensor out = at::zeros(to, in.options());
    if (in.scalar_type() == at::kFloat)
      each_view(in.const_data_ptr<float>(), out.mutable_data_ptr<float>(), forward);
    else
      each_view(in.const_data_ptr<double>(), out.mutable_data_ptr<double>(), forward);
    return out;
  }

  template <class T>
  void each_view(const T* in, T* out, bool forward) const {
    const int64_t pixels = grid_.rows * grid_.cols, lines = grid_.slopes * grid_.heights();
    const std::vector<T> weights(weights_.begin(), weights_.end());
    ops::parallel_for(0, views_, grain(lines * grid_.cols), [&](int64_t begin, int64_t end) {
      std::vector<T> columns;  // from the lowest row up, with zeros at both ends
      for (int64_t v = begin; v < end; ++v) {
        columns.assign(static_cast<std::size_t>(grid_.cols * stride()), T(0));
        if (forward) {
          transpose(in + v * pixels, columns.data());
          add_columns(columns.data(), weights.data(), out + v * lines);
        } else {
          add_lines(in + v * lines, weights.data(), columns.data());
          transpose_back(columns.data(), out + v * pixels);
        }
      }
    });
  }

  [[nodiscard]] int64_t stride() const { return grid_.rows + 2 * pad_; }

  template <class T>
  void transpose(const T* view, T* columns) const {
    for (int64_t r = 0; r < grid_.rows; ++r)
      for (int64_t c = 0; c < grid_.cols; ++c)
        columns[c * stride() + pad_ + grid_.rows - 1 - r] = view[r * grid_.cols + c];
  }
  template <class T>
  void transpose_back(const T* columns, T* view) const {
    for (int64_t r = 0; r < grid_.rows; ++r)
      for (int64_t c = 0; c < grid_.cols; ++c)
        view[r * grid_.cols + c] = columns[c * stride() + pad_ + grid_.rows - 1 - r];
  }
  template <class T>
  void add_columns(const T* columns, const T* weights, T* lines) const {
    const int64_t taps = 2 * half_;
    for (int64_t s = 0; s < grid_.slopes; ++s)
      for (int64_t part = 0; part < 2 * grid_.cols; ++part) {
        const int64_t n = 2 * s * grid_.cols + part, c = part / 2;
        const T* __restrict from = columns + c * stride() + first_[static_cast<std::size_t>(n)];
        T* __restrict to = lines + s * grid_.heights() + (part % 2) * grid_.rows;
        for (int64_t t = 0; t < taps; t += 4) {
          const T* w = weights + n * taps + t;
          const T w0 = w[0], w1 = w[1], w2 = w[2], w3 = w[3];
          const T* f = from + t;
          for (int64_t k = 0; k < grid_.rows; ++k) to[k] += w0 * f[k] + w1 * f[k + 1] + w2 * f[k + 2] + w3 * f[k + 3];
        }
      }
  }
  template <class T>
  void add_lines(const T* lines, const T* weights, T* columns) const {
    const int64_t taps = 2 * half_;
    for (int64_t s = 0; s < grid_.slopes; ++s)
      for (int64_t part = 0; part < 2 * grid_.cols; ++part) {
        const int64_t n = 2 * s * grid_.cols + part, c = part / 2;
        T* to = columns + c * stride() + first_[static_cast<std::size_t>(n)];
        const T* from = lines + s * grid_.heights() + (part % 2) * grid_.rows;
        for (int64_t t = 0; t < taps; ++t) {
          const T weight = weights[n * taps + t];
          for (int64_t k = 0; k < grid_.rows; ++k) to[k + t] += weight * from[k];
        }
      }
  }

  int64_t views_;
  LineGrid grid_;
  int64_t half_, pad_ = 0;       // half_: rows to either side, even: four at a time
  std::vector<int64_t> first_;   // [slope, col, half]: index of the first row in a padded column, for the lowest height
  std::vector<double> weights_;  // [slope, col, half, tap]
};

}  // namespace

LineGrid LineGrid::crossing(int64_t rows, int64_t cols) {
  constexpr int64_t next_to = 3;
  const double step = 1 / static_cast<double>(cols);
  const double steepest = static_cast<double>(rows) / static_cast<double>(cols);
  return {rows, cols, 2 * (static_cast<int64_t>(std::ceil(steepest / step)) + next_to) + 1, step};
}

OperatorPtr make_line_table(int64_t views, const LineGrid& grid, LineValue value, double width) {
  return std::make_shared<LineTable>(views, grid, value, width);
}

}  // namespace tl::ops
