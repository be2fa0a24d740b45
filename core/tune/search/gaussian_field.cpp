// A Gaussian process by rows of an incomplete Cholesky factor.
#include "core/tune/search/gaussian_field.h"

#include <algorithm>
#include <cmath>

namespace tl::tune {

GaussianField::GaussianField(const Landscape& landscape, const std::vector<int64_t>& cells, double length, double noise)
    : count_(cells.size()), length_(length), noise_(noise), remaining_(count_, 1.0) {
  for (const int64_t cell : cells) {
    std::vector<double>& x = points_.emplace_back(landscape.dims());
    for (std::size_t d = 0; d < x.size(); ++d)
      x[d] = (static_cast<double>(landscape.coordinate(cell, d)) + 0.5) / static_cast<double>(landscape.sizes()[d]);
  }
}

double GaussianField::kernel(std::size_t a, std::size_t b) const {
  double squared = 0;
  for (std::size_t d = 0; d < points_[a].size(); ++d) {
    const double step = points_[a][d] - points_[b][d];
    squared += step * step;
  }
  const double r = std::sqrt(5 * squared) / length_;
  return (1 + r + r * r / 3) * std::exp(-r);
}

void GaussianField::add(std::size_t index) {
  const double pivot = std::sqrt(std::max(remaining_[index], 0.0) + noise_);
  std::vector<double> row(count_);
  for (std::size_t i = 0; i < count_; ++i) row[i] = kernel(index, i);
  for (const std::vector<double>& other : rows_) {
    const double share = other[index];
    for (std::size_t i = 0; i < count_; ++i) row[i] -= share * other[i];
  }
  for (std::size_t i = 0; i < count_; ++i) {
    row[i] /= pivot;
    remaining_[i] -= row[i] * row[i];
  }
  rows_.push_back(std::move(row));
  added_.push_back(index);
  pivots_.push_back(pivot);
}

GaussianField::Prediction GaussianField::predict(const std::vector<double>& values) const {
  Prediction p{std::vector<double>(count_, 0.0), std::vector<double>(count_, 0.0)};
  // Forward substitution: the factor has the rows' values at the members that were added, and the pivots.
  std::vector<double> solved(values.size());
  for (std::size_t k = 0; k < values.size(); ++k) {
    double sum = values[k];
    for (std::size_t j = 0; j < k; ++j) sum -= rows_[j][added_[k]] * solved[j];
    solved[k] = sum / pivots_[k];
    for (std::size_t i = 0; i < count_; ++i) p.mean[i] += solved[k] * rows_[k][i];
  }
  for (std::size_t i = 0; i < count_; ++i) p.sd[i] = std::sqrt(std::max(remaining_[i], 0.0));
  return p;
}

}  // namespace tl::tune
