// SurrogateModel: a Gaussian process through noisy scores at points of the unit cube.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "core/tune/search/reals.h"

namespace tl::tune {

// Rasmussen, Williams 2006, chapters 2 and 5. Kernel (squared exponential or Matern 5/2, a length per variable), noise
// and scale (scores or their logarithms) are those of the largest likelihood, with weak priors; the mean is a constant
// that the scores determine. Values of the model are scores that were scaled to mean 0 and variance 1; less is better
// there too. Costs the cube of the number of points.
class SurrogateModel {
 public:
  struct Data {
    std::vector<RealPoint> x;     // at least two
    std::vector<double> scores;   // finite
    std::vector<bool> unordered;  // by variable: values are equal or different, not near or far
  };
  struct Hyperparameters {
    bool is_smooth = true;  // squared exponential, else Matern
    bool is_logarithmic = false;
    std::vector<double> lengths;
    double noise = 1e-3;  // variance of the noise over that of the function
  };
  // The most likely model; with `start`, the nearest local maximum of the likelihood from there, with its kernel and
  // scale, which is many times faster.
  static SurrogateModel fit(Data data, const Hyperparameters* start);

  // Whether logarithms may be the better scale: positive scores of a ratio between 3 and 300. Below it they differ
  // little from the scores, above it the minimum of a smooth function would become a spike.
  static bool may_be_logarithmic(const std::vector<double>& scores);

  struct Prediction {
    double mean = 0, sd = 0;  // of the function without noise
  };
  [[nodiscard]] Prediction predict(const RealPoint& x) const;
  [[nodiscard]] double mean(const RealPoint& x) const;
  // The sd of the difference of the function at two points.
  [[nodiscard]] double difference_sd(const RealPoint& a, const RealPoint& b) const;
  // Covariance of the gradient at x, by rows; unordered variables have 0.
  [[nodiscard]] std::vector<double> gradient_covariance(const RealPoint& x) const;

  // The least mean of the cube in the variables that are not `fixed` (by variable), from `start` and the best of the
  // data that share its fixed values.
  [[nodiscard]] RealPoint least_mean(const RealPoint& start, const std::vector<bool>& fixed) const;
  // Covariance, by rows, of the place of the minimum near x in these variables, all others fixed: inverse curvature of
  // the mean times the covariance of the gradient times the inverse curvature. Nothing if the mean does not curve
  // upwards there in all directions.
  [[nodiscard]] std::optional<std::vector<double>> minimum_covariance(const RealPoint& x,
                                                                      const std::vector<std::size_t>& variables) const;

  [[nodiscard]] const Data& data() const { return data_; }
  [[nodiscard]] const Hyperparameters& hyperparameters() const { return hyper_; }
  [[nodiscard]] double score_of(double value) const;
  // One sigma of the noise, in the model's values.
  [[nodiscard]] double noise() const;
  // One sigma of the noise of a score near `score`, in units of scores.
  [[nodiscard]] double score_noise(double score) const;
  // How much the logarithm of the likelihood exceeds that of a constant with noise.
  [[nodiscard]] double evidence() const { return log_likelihood_ - constant_likelihood_; }

 private:
  SurrogateModel(Data data, Hyperparameters hyper);
  // Every so many of the points, where there are many: hyperparameters need no more.
  static Data sample_of(const Data& data);
  void scale();
  void solve();
  [[nodiscard]] double kernel(const RealPoint& a, const RealPoint& b) const;
  [[nodiscard]] std::vector<double> kernels(const RealPoint& x) const;
  // The factor's inverse times the vector.
  [[nodiscard]] std::vector<double> forward(std::vector<double> v) const;
  [[nodiscard]] double covariance(const RealPoint& a, const RealPoint& b) const;

  Data data_;
  Hyperparameters hyper_;
  std::vector<double> values_;  // scaled scores
  double centre_ = 0, unit_ = 1;
  double constant_ = 0, variance_ = 1;
  std::vector<double> factor_;   // lower Cholesky factor of kernel plus noise, by columns
  std::vector<double> weights_;  // its inverse times the residuals
  std::vector<double> forward_ones_;
  double ones_ = 1;  // 1' K^-1 1
  double log_likelihood_ = 0, constant_likelihood_ = 0, penalised_ = 0;
};

}  // namespace tl::tune
