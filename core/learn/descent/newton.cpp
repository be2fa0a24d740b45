// Descends by a trust-region method whose curvature comes from differences of gradients.
#include <algorithm>
#include <cmath>
#include <limits>

#include "core/learn/descent/descent.h"
#include "core/learn/descent/stopping.h"
#include "core/learn/descent/symmetric.h"

namespace tl::learn {
namespace {

constexpr double growth = 3, shrinkage = 0.4, probe = 0.5, shortest = 0.25;
// Limits after a failed trial, as fractions of its length: the longest next step, and the factor by which that limit
// grows per success.
constexpr double below_failure = 0.5, forgetting = 2;
constexpr std::size_t max_probed = 8;
constexpr double far_away = 4;      // [natural steps] beyond this distance, curvature is probed again before the end
constexpr double newly_probed = 9;  // step limit [natural steps] after probing again, since that curvature is local

class Newton {
 public:
  explicit Newton(const DescentTask& task)
      : task_(task), n_(task.start.size()), b_(n_), radius_(task.first_step), stop_monitor_(task.stop) {}

  Result<Descent> run() {
    TL_TRY(now_, task_.evaluate(task_.start, 0));
    best_ = now_;
    TL_TRY(bool go_on, task_.keep_going(now_, best_, 0));
    known_ = given();
    if (go_on && !given() && n_ > 1 && n_ <= max_probed) TL_TRY(probe_all());
    int64_t iteration = 0;
    StopReason reason = go_on ? StopReason::none : StopReason::stopped;
    while (reason == StopReason::none) {
      TL_TRY(reason, step(++iteration));
      if (reason == StopReason::none) reason = stop_monitor_.after(iteration, best_.loss);
    }
    return Descent{best_, reason, iteration};
  }

 private:
  // Whether the objective estimates its own curvature; steps then add only the error of that estimate.
  [[nodiscard]] bool given() const { return !now_.curvature.empty(); }

  // The estimate with or without the correction: whichever predicted the last gain better (J. Dennis, D. Gay, R.
  // Welsch, "An adaptive nonlinear least-squares algorithm", ACM Trans. Math. Software 7, 1981).
  [[nodiscard]] Matrix model(bool rest_counts) const {
    if (!given()) return b_;
    Matrix m(n_);
    for (std::size_t i = 0; i < m.a.size(); ++i) m.a[i] = now_.curvature[i] + (rest_counts ? b_.a[i] : 0);
    return m;
  }

  // Columns of the curvature, each from one more gradient.
  Result<void> probe_all() {
    for (std::size_t i = 0; i < n_; ++i) {
      Vector z = now_.z;
      const double by = z[i] + probe <= task_.high[i] ? probe : -probe;
      z[i] = std::max(z[i] + by, task_.low[i]);
      const double moved = z[i] - now_.z[i];
      if (moved == 0) continue;
      TL_TRY(const Point there, task_.evaluate(z, 0));
      for (std::size_t j = 0; j < n_; ++j) b_(j, i) = (there.gradient[j] - now_.gradient[j]) / moved;
      if (there.loss < best_.loss) best_ = there;
    }
    for (std::size_t i = 0; i < n_; ++i)
      for (std::size_t j = 0; j < i; ++j) b_(i, j) = b_(j, i) = 0.5 * (b_(i, j) + b_(j, i));
    for (std::size_t i = 0; i < now_.curvature.size(); ++i) b_.a[i] -= now_.curvature[i];
    rest_counts_ = known_ = true;
    probed_at_ = now_.z;
    return ok();
  }

  // Called before the descent ends: curvature probed far away does not prove convergence, and unknowns with little
  // curvature would not move.
  Result<StopReason> end() {
    Vector moved = now_.z;
    for (std::size_t i = 0; i < probed_at_.size(); ++i) moved[i] -= probed_at_[i];
    const bool probes = probed_at_.empty() ? given() && n_ <= max_probed : length(moved) >= far_away;
    if (!probes) return StopReason::converged;
    TL_TRY(probe_all());
    radius_ = std::max(radius_, newly_probed * task_.first_step);
    return StopReason::none;
  }

  [[nodiscard]] bool blocked(std::size_t i) const {
    return (now_.z[i] <= task_.low[i] && now_.gradient[i] > 0) || (now_.z[i] >= task_.high[i] && now_.gradient[i] < 0);
  }

  // The length below which a step is unnecessary. At a bound the judge makes no last step.
  [[nodiscard]] double enough() const {
    for (std::size_t i = 0; i < n_; ++i)
      if (now_.z[i] <= task_.low[i] || now_.z[i] >= task_.high[i]) return task_.stop.tolerance;
    return std::max(task_.stop.tolerance, task_.settled);
  }

  // The minimum of the quadratic model within the radius, over the unknowns that are free to move.
  Vector model_step(bool& inside) const {
    Vector s(n_, 0.0);
    std::vector<std::size_t> open;
    for (std::size_t i = 0; i < n_; ++i)
      if (!blocked(i)) open.push_back(i);
    inside = open.empty();
    if (open.empty()) return s;
    Vector g(open.size());
    Matrix b(open.size());
    const Matrix whole = model(rest_counts_);
    for (std::size_t i = 0; i < open.size(); ++i) {
      g[i] = now_.gradient[open[i]];
      for (std::size_t j = 0; j < open.size(); ++j) b(i, j) = whole(open[i], open[j]);
    }
    const Vector part = known_ ? within(b, g, inside) : downhill(g);
    for (std::size_t i = 0; i < open.size(); ++i) {
      const std::size_t at = open[i];
      s[at] = std::clamp(now_.z[at] + part[i], task_.low[at], task_.high[at]) - now_.z[at];
    }
    return s;
  }

  [[nodiscard]] Vector downhill(const Vector& g) const {
    const double size = length(g);
    Vector s(g.size(), 0.0);
    for (std::size_t i = 0; i < g.size() && size > 0; ++i) s[i] = -radius_ * g[i] / size;
    return s;
  }

  Vector within(const Matrix& b, const Vector& g, bool& inside) const {
    const EigenSystem e = eigen_system(b);
    Vector c(g.size(), 0.0);
    for (std::size_t k = 0; k < g.size(); ++k)
      for (std::size_t i = 0; i < g.size(); ++i) c[k] += e.vectors(i, k) * g[i];
    const auto along = [&](double shift) {
      Vector w(g.size());
      for (std::size_t k = 0; k < g.size(); ++k) w[k] = -c[k] / (e.values[k] + shift);
      return w;
    };
    const double largest = std::max(std::abs(e.values.front()), std::abs(e.values.back()));
    const double floor = 1e-12 * largest;
    Vector w;
    inside = e.values.front() > floor && length(w = along(0)) <= radius_;
    if (!inside) {
      double low = std::max(0.0, -e.values.front()) + floor + 1e-300, high = low + length(g) / radius_ + largest;
      for (int round = 0; round < 100; ++round) {
        const double mid = 0.5 * (low + high);
        (length(along(mid)) > radius_ ? low : high) = mid;
      }
      w = along(high);
    }
    Vector s(g.size(), 0.0);
    for (std::size_t k = 0; k < g.size(); ++k)
      for (std::size_t i = 0; i < g.size(); ++i) s[i] += e.vectors(i, k) * w[k];
    return s;
  }

  void learn_curvature(const Vector& s, Vector y, const Point& there) {
    if (given()) {
      Matrix between(n_);
      for (std::size_t i = 0; i < between.a.size(); ++i) between.a[i] = 0.5 * (now_.curvature[i] + there.curvature[i]);
      const Vector predicted_gain = times(between, s);
      for (std::size_t i = 0; i < n_; ++i) y[i] -= predicted_gain[i];
    }
    if (!known_) {
      const double c = dot(s, y) / dot(s, s);
      for (std::size_t i = 0; i < n_; ++i) b_(i, i) = c;
      known_ = true;
      if (n_ == 1) return;
    }
    Vector rest = times(b_, s);
    for (std::size_t i = 0; i < n_; ++i) rest[i] = y[i] - rest[i];
    const double scale = dot(rest, s);
    if (std::abs(scale) <= 1e-8 * length(rest) * length(s)) return;
    for (std::size_t i = 0; i < n_; ++i)
      for (std::size_t j = 0; j < n_; ++j) b_(i, j) += rest[i] * rest[j] / scale;
  }

  Result<StopReason> step(int64_t iteration) {
    bool inside = false;
    const Vector s = model_step(inside);
    double largest = 0;
    for (const double v : s) largest = std::max(largest, std::abs(v));
    if (largest == 0) return at_rest();
    if (known_ && inside && largest < enough()) return end();
    Vector z = now_.z;
    for (std::size_t i = 0; i < n_; ++i) z[i] += s[i];
    Result<Point> trial = task_.evaluate(z, iteration);
    if (!trial.ok() && trial.error().kind == ErrorKind::invalid) return reject(s, iteration);
    TL_TRY(Point there, std::move(trial));
    if (there.curvature.empty()) there.curvature = now_.curvature;  // no estimate at this point: keep the last one
    Vector y(n_);
    for (std::size_t i = 0; i < n_; ++i) y[i] = there.gradient[i] - now_.gradient[i];
    const auto predicted_gain = [&](bool rest_counts) {
      return -(dot(now_.gradient, s) + 0.5 * dot(s, times(model(rest_counts), s)));
    };
    const double predicted = known_ ? predicted_gain(rest_counts_) : 0;
    const double gained = now_.loss - there.loss;
    const bool was_known = known_;
    // Over short steps, kinks of the interpolation look like curvature, so that such steps do not update it. Exception:
    // if the model predicted a zero slope and most of the slope is left, its curvature belongs to another region,
    // beyond a cliff, and steps would stay short. An estimate refuted by a trial is wrong, however short the step.
    const bool steep_still = known_ && inside && dot(there.gradient, s) < 0.5 * dot(now_.gradient, s);
    const bool better = gained > 0 || (gained == 0 && length(there.gradient) < length(now_.gradient));
    const bool refuted = given() && !better;
    if (!known_ || length(s) >= shortest || steep_still || refuted) {
      if (given()) rest_counts_ = std::abs(predicted_gain(true) - gained) < std::abs(predicted_gain(false) - gained);
      learn_curvature(s, y, there);
    }
    // If the loss still decreases at the border of the trust region, or as predicted, the next step may be longer; but
    // not after a failed trial: along a curved valley every other trial would fail.
    if (better && (dot(there.gradient, s) < 0 || !was_known || gained > 0.5 * predicted))
      radius_ = std::min(
          {std::max(radius_, growth * length(s)), task_.largest_step, std::max(length(s), below_failure * too_far_)});
    too_far_ = better ? forgetting * too_far_ : length(s);
    if (!better) radius_ = shrinkage * length(s);
    if (better) now_ = there;
    if (there.loss < best_.loss) best_ = there;
    // A rejected trial is not the present state: reporting it would show a rising loss.
    TL_TRY(const bool go_on, task_.keep_going(now_, best_, iteration));
    if (!go_on) return StopReason::stopped;
    if (radius_ < 0.5 * task_.stop.tolerance) return end();
    return StopReason::none;
  }

  // Values that the pipeline refuses, such as a detector behind the source, count as too long a step.
  Result<StopReason> reject(const Vector& s, int64_t iteration) {
    too_far_ = length(s);
    radius_ = shrinkage * length(s);
    TL_TRY(const bool go_on, task_.keep_going(now_, best_, iteration));
    if (!go_on) return StopReason::stopped;
    return radius_ < 0.5 * task_.stop.tolerance ? end() : Result<StopReason>(StopReason::none);
  }

  // No step: at bounds, at a stationary point, or the objective does not depend on the unknowns.
  [[nodiscard]] StopReason at_rest() const {
    for (std::size_t i = 0; i < n_; ++i)
      if (blocked(i)) return StopReason::bound;
    return known_ && eigen_system(model(rest_counts_)).values.back() > 0 ? StopReason::converged : StopReason::flat;
  }

  const DescentTask& task_;
  std::size_t n_;
  Matrix b_;
  bool known_ = false, rest_counts_ = false;
  double radius_;
  // A length at which a trial has failed; more with every success since.
  double too_far_ = std::numeric_limits<double>::max();
  Point now_, best_;
  Vector probed_at_;  // empty: the curvature has not been probed
  StopMonitor stop_monitor_;
};

}  // namespace

Result<Descent> newton(const DescentTask& task) { return Newton(task).run(); }

}  // namespace tl::learn
