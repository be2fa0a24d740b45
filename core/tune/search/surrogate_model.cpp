// Likelihood, predictions and gradients of a Gaussian process.
#include "core/tune/search/surrogate_model.h"

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <optional>
#include <utility>

#include "core/tune/search/box_minimum.h"

namespace tl::tune {
namespace {

constexpr std::size_t most_fitted = 120;  // points from which hyperparameters are found
constexpr double shortest = .03, longest = 10, least_noise = 1e-8, most_noise = 1e3;
// Priors of the logarithms: mean and sd.
constexpr double usual_length = .5, length_spread = 1.2, usual_noise = 1e-3, noise_spread = 3;

using Vector = Eigen::VectorXd;
using ColumnMatrix = Eigen::Map<const Eigen::MatrixXd>;
using ConstVector = Eigen::Map<const Eigen::VectorXd>;

double square(double v) { return v * v; }

}  // namespace

SurrogateModel::SurrogateModel(Data data, Hyperparameters hyper) : data_(std::move(data)), hyper_(std::move(hyper)) {
  scale();
  solve();
}

void SurrogateModel::scale() {
  values_ = data_.scores;
  double jacobian = 0;  // logarithm of the derivative of all values by their scores
  if (hyper_.is_logarithmic)
    for (double& v : values_) {
      v = std::log(v);
      jacobian -= v;
    }
  const auto count = static_cast<double>(values_.size());
  centre_ = std::accumulate(values_.begin(), values_.end(), 0.0) / count;
  double variance = 0;
  for (const double v : values_) variance += square(v - centre_) / count;
  unit_ = variance > 0 ? std::sqrt(variance) : 1;
  for (double& v : values_) v = (v - centre_) / unit_;
  jacobian -= count * std::log(unit_);
  // Those of the values, with variance and constant at their best; the same constants are left out of both.
  log_likelihood_ = constant_likelihood_ = jacobian;
  if (variance > 0) return;
  constant_likelihood_ = std::numeric_limits<double>::infinity();
}

double SurrogateModel::kernel(const RealPoint& a, const RealPoint& b) const {
  double squared = 0;
  for (std::size_t d = 0; d < a.size(); ++d) {
    const double apart = data_.unordered[d] ? (a[d] == b[d] ? 0.0 : 1.0) : a[d] - b[d];
    squared += square(apart / hyper_.lengths[d]);
  }
  if (hyper_.is_smooth) return std::exp(-squared / 2);
  const double r = std::sqrt(5 * squared);
  return (1 + r + r * r / 3) * std::exp(-r);
}

std::vector<double> SurrogateModel::kernels(const RealPoint& x) const {
  std::vector<double> all;
  all.reserve(data_.x.size());
  for (const RealPoint& other : data_.x) all.push_back(kernel(x, other));
  return all;
}

void SurrogateModel::solve() {
  const auto count = static_cast<Eigen::Index>(data_.x.size());
  Eigen::MatrixXd k(count, count);
  for (Eigen::Index j = 0; j < count; ++j)
    for (Eigen::Index i = j; i < count; ++i)
      k(i, j) = kernel(data_.x[static_cast<std::size_t>(i)], data_.x[static_cast<std::size_t>(j)]) +
                (i == j ? hyper_.noise : 0.0);
  const Eigen::LLT<Eigen::MatrixXd> factor(k);
  if (factor.info() != Eigen::Success) {
    log_likelihood_ = penalised_ = -std::numeric_limits<double>::infinity();
    return;
  }
  const ConstVector y(values_.data(), count);
  const Vector ones = Vector::Ones(count);
  const Vector forward_ones = factor.matrixL().solve(ones);
  ones_ = forward_ones.squaredNorm();
  const Vector forward_y = factor.matrixL().solve(y);
  constant_ = forward_ones.dot(forward_y) / ones_;
  const Vector residual = forward_y - constant_ * forward_ones;
  // Not below the rounding of the values, so that scores without noise have a finite likelihood.
  variance_ = std::max(residual.squaredNorm() / static_cast<double>(count), 1e-12);
  const Vector weights = factor.matrixU().solve(residual);
  const Eigen::MatrixXd lower = factor.matrixL();
  factor_.assign(lower.data(), lower.data() + lower.size());
  weights_.assign(weights.data(), weights.data() + count);
  forward_ones_.assign(forward_ones.data(), forward_ones.data() + count);
  const double half = static_cast<double>(count) / 2;
  log_likelihood_ += -half * std::log(variance_) - lower.diagonal().array().log().sum();
  penalised_ = log_likelihood_ - square(std::log(hyper_.noise / usual_noise) / noise_spread) / 2;
  for (const double length : hyper_.lengths) penalised_ -= square(std::log(length / usual_length) / length_spread) / 2;
}

SurrogateModel::Data SurrogateModel::sample_of(const Data& data) {
  const std::size_t count = data.x.size();
  if (count <= most_fitted) return data;
  Data sample{{}, {}, data.unordered};
  for (std::size_t i = 0; i < most_fitted; ++i) {
    sample.x.push_back(data.x[i * count / most_fitted]);
    sample.scores.push_back(data.scores[i * count / most_fitted]);
  }
  return sample;
}

bool SurrogateModel::may_be_logarithmic(const std::vector<double>& scores) {
  constexpr double least_ratio = 3, most_ratio = 300;
  const auto [least, most] = std::minmax_element(scores.begin(), scores.end());
  return *least > 0 && *most > least_ratio * *least && *most < most_ratio * *least;
}

SurrogateModel SurrogateModel::fit(Data data, const Hyperparameters* start) {
  const std::size_t dims = data.x.front().size();
  const Data sample = sample_of(data);
  std::vector<double> low(dims, std::log(shortest)), high(dims, std::log(longest));
  low.push_back(std::log(least_noise));
  high.push_back(std::log(most_noise));
  // The most likely hyperparameters near `begin`, and their penalised likelihood.
  const auto best_from = [&](const Hyperparameters& begin, int calls) {
    std::vector<double> x;
    for (const double length : begin.lengths) x.push_back(std::log(length));
    x.push_back(std::log(begin.noise));
    const auto of = [&](const std::vector<double>& at) {
      Hyperparameters h = begin;
      for (std::size_t d = 0; d < dims; ++d) h.lengths[d] = std::exp(at[d]);
      h.noise = std::exp(at[dims]);
      return h;
    };
    const auto value = [&](const std::vector<double>& at) { return -SurrogateModel(sample, of(at)).penalised_; };
    const BoxMinimum found = box_minimum(value, std::move(x), low, high, .1, calls);
    return std::pair{of(found.x), -found.value};
  };
  const int calls = static_cast<int>(30 * (dims + 1));
  if (start != nullptr) return {std::move(data), best_from(*start, calls / 2).first};
  std::optional<std::pair<Hyperparameters, double>> best;
  for (const bool logarithmic : {false, true}) {
    if (logarithmic && !may_be_logarithmic(data.scores)) continue;
    for (const bool smooth : {true, false})
      for (const double noise : {1e-4, 1e-1}) {
        auto found = best_from({smooth, logarithmic, std::vector<double>(dims, .7), noise}, calls);
        if (!best || found.second > best->second) best = std::move(found);
      }
  }
  return {std::move(data), best->first};
}

std::vector<double> SurrogateModel::forward(std::vector<double> v) const {
  const auto count = static_cast<Eigen::Index>(v.size());
  const ColumnMatrix lower(factor_.data(), count, count);
  Eigen::Map<Vector> x(v.data(), count);
  lower.triangularView<Eigen::Lower>().solveInPlace(x);
  return v;
}

double SurrogateModel::mean(const RealPoint& x) const {
  double sum = constant_;
  for (std::size_t i = 0; i < data_.x.size(); ++i) sum += weights_[i] * kernel(x, data_.x[i]);
  return sum;
}

double SurrogateModel::covariance(const RealPoint& a, const RealPoint& b) const {
  const std::vector<double> first = forward(kernels(a)), second = forward(kernels(b));
  const double of_first = 1 - std::inner_product(first.begin(), first.end(), forward_ones_.begin(), 0.0);
  const double of_second = 1 - std::inner_product(second.begin(), second.end(), forward_ones_.begin(), 0.0);
  return variance_ * (kernel(a, b) - std::inner_product(first.begin(), first.end(), second.begin(), 0.0) +
                      of_first * of_second / ones_);
}

SurrogateModel::Prediction SurrogateModel::predict(const RealPoint& x) const {
  return {mean(x), std::sqrt(std::max(covariance(x, x), 0.0))};
}

double SurrogateModel::difference_sd(const RealPoint& a, const RealPoint& b) const {
  return std::sqrt(std::max(covariance(a, a) + covariance(b, b) - 2 * covariance(a, b), 0.0));
}

std::vector<double> SurrogateModel::gradient_covariance(const RealPoint& x) const {
  const std::size_t dims = x.size(), count = data_.x.size();
  std::vector<std::vector<double>> rows(dims);  // the factor's inverse times the kernel's derivatives
  std::vector<double> of_constant(dims, 0.0);
  for (std::size_t d = 0; d < dims; ++d) {
    std::vector<double> derivative(count, 0.0);
    if (!data_.unordered[d])
      for (std::size_t i = 0; i < count; ++i) {
        const double slope = -(x[d] - data_.x[i][d]) / square(hyper_.lengths[d]);
        if (hyper_.is_smooth) {
          derivative[i] = slope * kernel(x, data_.x[i]);
        } else {
          double squared = 0;
          for (std::size_t e = 0; e < dims; ++e)
            squared += square((data_.unordered[e] ? (x[e] == data_.x[i][e] ? 0.0 : 1.0) : x[e] - data_.x[i][e]) /
                              hyper_.lengths[e]);
          const double r = std::sqrt(5 * squared);
          derivative[i] = slope * 5 / 3 * (1 + r) * std::exp(-r);
        }
      }
    rows[d] = forward(std::move(derivative));
    of_constant[d] = -std::inner_product(rows[d].begin(), rows[d].end(), forward_ones_.begin(), 0.0);
  }
  std::vector<double> covariance(dims * dims, 0.0);
  for (std::size_t a = 0; a < dims; ++a)
    for (std::size_t b = 0; b < dims; ++b) {
      if (data_.unordered[a] || data_.unordered[b]) continue;
      const double prior = a == b ? (hyper_.is_smooth ? 1.0 : 5.0 / 3) / square(hyper_.lengths[a]) : 0;
      covariance[a * dims + b] =
          variance_ * (prior - std::inner_product(rows[a].begin(), rows[a].end(), rows[b].begin(), 0.0) +
                       of_constant[a] * of_constant[b] / ones_);
    }
  return covariance;
}

std::optional<std::vector<double>> SurrogateModel::minimum_covariance(const RealPoint& x,
                                                                      const std::vector<std::size_t>& variables) const {
  const auto count = static_cast<Eigen::Index>(variables.size());
  // A tenth of the length on which the mean changes: rounding and higher derivatives are small there.
  const auto step = [&](Eigen::Index i) {
    return std::min(.02, .1 * hyper_.lengths[variables[static_cast<std::size_t>(i)]]);
  };
  const auto shifted = [&](Eigen::Index i, double by, Eigen::Index j, double and_by) {
    RealPoint at = x;
    at[variables[static_cast<std::size_t>(i)]] += by;
    at[variables[static_cast<std::size_t>(j)]] += and_by;
    return mean(at);
  };
  Eigen::MatrixXd curvature(count, count), gradient(count, count);
  const std::vector<double> covariance = gradient_covariance(x);
  for (Eigen::Index i = 0; i < count; ++i)
    for (Eigen::Index j = 0; j < count; ++j) {
      const double a = step(i), b = step(j);
      curvature(i, j) =
          i == j ? (shifted(i, a, i, 0) - 2 * mean(x) + shifted(i, -a, i, 0)) / (a * a)
                 : (shifted(i, a, j, b) - shifted(i, a, j, -b) - shifted(i, -a, j, b) + shifted(i, -a, j, -b)) /
                       (4 * a * b);
      gradient(i, j) =
          covariance[variables[static_cast<std::size_t>(i)] * x.size() + variables[static_cast<std::size_t>(j)]];
    }
  const Eigen::LLT<Eigen::MatrixXd> factor(curvature);
  if (factor.info() != Eigen::Success) return std::nullopt;
  const Eigen::MatrixXd half = factor.solve(gradient);
  const Eigen::MatrixXd place = factor.solve(half.transpose());
  return std::vector<double>(place.data(), place.data() + place.size());
}

RealPoint SurrogateModel::least_mean(const RealPoint& start, const std::vector<bool>& fixed) const {
  std::vector<std::size_t> free;
  for (std::size_t d = 0; d < start.size(); ++d)
    if (!fixed[d]) free.push_back(d);
  if (free.empty()) return start;
  const auto point = [&](const std::vector<double>& at) {
    RealPoint x = start;
    for (std::size_t i = 0; i < free.size(); ++i) x[free[i]] = at[i];
    return x;
  };
  std::vector<std::pair<double, RealPoint>> starts = {{mean(start), start}};
  for (const RealPoint& x : data_.x) {
    bool shares = true;
    for (std::size_t d = 0; d < x.size(); ++d) shares = shares && (!fixed[d] || x[d] == start[d]);
    if (shares) starts.emplace_back(mean(x), x);
  }
  std::sort(starts.begin(), starts.end());
  constexpr std::size_t most_starts = 5;
  starts.resize(std::min(starts.size(), most_starts));
  BoxMinimum best{{}, std::numeric_limits<double>::infinity()};
  for (const auto& [value, from] : starts) {
    std::vector<double> x;
    for (const std::size_t d : free) x.push_back(from[d]);
    BoxMinimum found = box_minimum([&](const std::vector<double>& at) { return mean(point(at)); }, std::move(x),
                                   std::vector<double>(free.size(), 0.0), std::vector<double>(free.size(), 1.0), .05,
                                   static_cast<int>(200 * free.size()));
    if (found.value < best.value) best = std::move(found);
  }
  return point(best.x);
}

double SurrogateModel::score_of(double value) const {
  const double scaled = centre_ + unit_ * value;
  return hyper_.is_logarithmic ? std::exp(scaled) : scaled;
}

double SurrogateModel::noise() const { return std::sqrt(variance_ * hyper_.noise); }

double SurrogateModel::score_noise(double score) const {
  const double sd = noise() * unit_;
  return hyper_.is_logarithmic ? sd * score : sd;
}

}  // namespace tl::tune
