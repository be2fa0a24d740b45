// Estimates how a model that describes the data only approximately affects the values: by the disagreement between
// bands of the data, and by the differences beyond noise.
#include <algorithm>
#include <cmath>

#include "core/learn/short_number.h"
#include "core/learn/verdict/judge.h"

namespace tl::learn {
namespace {

// Factor on the squared disagreement of bands due to noise: of six bands, one in a hundred exceeds it by chance.
constexpr double beyond_noise = 3;
// Relative to the noise: its level is not known more precisely.
constexpr double unexplained_counts = 0.2;
// Share of the measured contrast: if a model predicts less, its best values are not values of the object.
constexpr double predicted_counts = 0.5;
// Limit of errors of the model [natural steps]. If a value may be displaced by more, it is not known, nor are values
// that depend on it.
constexpr double max_of_model = 1;
// Component of an axis of length 1: unknowns with smaller components are ignored.
constexpr double takes_part = 0.1;

// sum of d d^T over the bands, d their slopes less the mean, times n / (n - 1).
Matrix scatter_of(const std::vector<Vector>& slopes_by_unknown) {
  const std::size_t n = slopes_by_unknown.size(), bands = slopes_by_unknown.front().size();
  Matrix scatter(n);
  std::vector<Vector> d = slopes_by_unknown;
  for (Vector& slopes : d) {
    double mean = 0;
    for (const double s : slopes) mean += s / static_cast<double>(bands);
    for (double& s : slopes) s -= mean;
  }
  const double unbiased = static_cast<double>(bands) / static_cast<double>(bands - 1);
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < n; ++j) scatter(i, j) = unbiased * dot(d[i], d[j]);
  return scatter;
}

// P m P, where P is the inverse curvature over the determined directions.
Matrix in_values(const Matrix& m, const EigenSystem& axes, const std::vector<bool>& determined) {
  const std::size_t n = m.n;
  Matrix out(n);
  const auto axis = [&](std::size_t k) {
    Vector v(n);
    for (std::size_t i = 0; i < n; ++i) v[i] = axes.vectors(i, k);
    return v;
  };
  for (std::size_t a = 0; a < n; ++a)
    for (std::size_t b = 0; b < n; ++b) {
      if (!determined[a] || !determined[b]) continue;
      const double between = dot(axis(a), times(m, axis(b))) / (axes.values[a] * axes.values[b]);
      for (std::size_t i = 0; i < n; ++i)
        for (std::size_t j = 0; j < n; ++j) out(i, j) += between * axes.vectors(i, a) * axes.vectors(j, b);
    }
  return out;
}

double trace(const Matrix& m) {
  double sum = 0;
  for (std::size_t i = 0; i < m.n; ++i) sum += m(i, i);
  return sum;
}

std::string doubt_in_contrast(const std::optional<double>& predicted) {
  if (!predicted || *predicted >= predicted_counts) return {};
  return *predicted > 0 ? "the model predicts only " + short_number(100 * *predicted, 2) +
                              " % of the measured contrast: its values are unreliable"
                        : "the model predicts the measured views no better than their mean: its values are unreliable";
}

}  // namespace

// Computed from points on both sides. On a logarithmic scale losses have a third derivative and no kinks: its
// contribution to a slope is subtracted, using points at half the distance: otherwise bands of larger weight would seem
// to disagree.
Result<std::optional<std::vector<Vector>>> Judge::slopes_by_band(const Vector& z, std::size_t unknown, double step) {
  TL_TRY(keep_going_());
  const auto across = [&](double h) -> Result<std::optional<std::vector<Vector>>> {
    Vector up = z, down = z;
    up[unknown] += h;
    down[unknown] -= h;
    TL_TRY(auto more, problem_.error_by_band(up));
    TL_TRY(const auto less, problem_.error_by_band(down));
    if (!more || !less) return std::optional<std::vector<Vector>>();
    for (std::size_t d = 0; d < more->size(); ++d)
      for (std::size_t band = 0; band < (*more)[d].size(); ++band)
        (*more)[d][band] = ((*more)[d][band] - (*less)[d][band]) / (2 * h);
    return more;
  };
  TL_TRY(auto slopes, across(step));
  if (!slopes || problem_.parameter_block_of(unknown).target.scale != Scale::logarithmic) return slopes;
  TL_TRY(const auto closer, across(0.5 * step));
  for (std::size_t d = 0; d < slopes->size(); ++d)
    for (std::size_t band = 0; band < (*slopes)[d].size(); ++band)
      (*slopes)[d][band] = (4 * (*closer)[d][band] - (*slopes)[d][band]) / 3;
  return slopes;
}

Result<void> Judge::model_errors(const Point& best, Spread& out) {
  const Vector& z = best.z;
  const std::size_t n = problem_.size();
  if (n > max_exact) return ok();
  if (const std::string limit = problem_.exceeded_limit(); !limit.empty())
    for (std::string& objection : out.objection)
      if (objection.empty()) objection = limit;
  TL_TRY(const std::optional<double> unexplained, problem_.unexplained(z));
  if (unexplained && *unexplained > unexplained_counts) {
    TL_TRY(out.predicted, problem_.explained(z));
    // A step s raises the loss by s^2 / 2 over the inverse of the curvature.
    out.excess = best.loss * *unexplained / (1 + *unexplained);
    const Matrix inverse = in_values(out.curvature, out.axes, out.determined);
    for (std::size_t i = 0; i < n; ++i)
      out.unexplained.push_back(std::sqrt(std::max(0.0, 2 * out.excess * inverse(i, i))));
  }
  std::vector<std::vector<Vector>> slopes;  // indexed by direction of the bands, unknown, band
  for (std::size_t i = 0; i < n; ++i) {
    TL_TRY(const auto found, slopes_by_band(z, i, out.step));
    if (!found) return ok();
    slopes.resize(found->size(), std::vector<Vector>(n));
    for (std::size_t d = 0; d < found->size(); ++d) slopes[d][i] = (*found)[d];
  }
  out.model = Matrix(n);
  for (const std::vector<Vector>& direction : slopes) {
    const std::size_t bands = direction.front().size();
    if (bands < 2) continue;
    Matrix found = in_values(scatter_of(direction), out.axes, out.determined);
    bool counts = false;
    for (std::size_t i = 0; i < n; ++i) counts = counts || found(i, i) > beyond_noise * out.covariance(i, i);
    if (!counts) continue;
    // For one band, not the mean of all: all bands may have the error in common.
    for (std::size_t k = 0; k < found.a.size(); ++k)
      found.a[k] = static_cast<double>(bands) * (found.a[k] - out.covariance.a[k]);
    // Along a direction of negative variance, bands disagree less than expected from noise.
    found = positive_part(found);
    if (trace(found) > trace(out.model)) out.model = std::move(found);
  }
  return ok();
}

std::vector<std::string> Judge::doubts_by_axis(const Spread& s) const {
  const std::string contrast = doubt_in_contrast(s.predicted);
  std::vector<std::string> all(s.determined.size(), contrast);
  for (std::size_t k = 0; k < all.size(); ++k) {
    for (std::size_t i = 0; i < s.objection.size() && all[k].empty(); ++i)
      if (std::abs(s.axes.vectors(i, k)) > takes_part) all[k] = s.objection[i];
    if (all[k].empty() && s.determined[k] && 2 * s.excess > max_of_model * max_of_model * s.axes.values[k])
      all[k] = "the views differ from the model by more than noise explains";
  }
  return all;
}

std::string Judge::doubt_in_model(std::size_t unknown, const Vector& z, const Spread& s) const {
  const auto size = [&](std::size_t i, double steps) {
    const ParameterBlock& b = problem_.parameter_block_of(i);
    const std::string unit(symbol(b.decl->unit));
    const double here = b.slope(z[i], i - b.offset);
    return short_number(from_stored(std::abs(steps * here), b.decl->unit)) + (unit.empty() ? "" : " ") + unit;
  };
  if (std::string contrast = doubt_in_contrast(s.predicted); !contrast.empty()) return contrast;
  // The largest deviation counts for each value: if the model is wrong, it is wrong for all.
  double disagreement = 0, beyond = 0;
  for (std::size_t i = 0; i < s.model.n; ++i)
    disagreement = std::max(disagreement, std::sqrt(std::max(0.0, s.model(i, i))));
  for (const double steps : s.unexplained) beyond = std::max(beyond, steps);
  if (disagreement > max_of_model)
    return "parts of the data disagree, about this one by " +
           size(unknown, std::sqrt(std::max(0.0, s.model(unknown, unknown)))) +
           ", more than noise explains: the model does not describe them";
  if (beyond > max_of_model)
    return "the views differ from the model by more than noise explains: that may displace the value by up to " +
           size(unknown, s.unexplained[unknown]);
  return {};
}

}  // namespace tl::learn
