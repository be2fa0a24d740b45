// Descends by a trust region whose curvature comes from differences of gradients.
#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>

#include "core/learn/descent/descent.h"
#include "core/learn/descent/stopping.h"
#include "core/learn/descent/symmetric.h"

namespace tl::learn {
namespace {

constexpr double growth = 3, shrinkage = 0.4, probe = 0.5, shortest = 0.25;
// After a trial that went too far, of its length: as far as the next step may grow, and by how much more the one after.
constexpr double below_failure = 0.5, forgetting = 2;
// Where a step to the minimum of the model ends with more than that share of its slope left, the curvature falls on the
// way, as that of an exponential does: the next one is twice as long as the model says, up to four times; until a step
// goes too far for the first time, which ends the way there.
constexpr double slope_left = 0.25, stretching = 2, most_stretched = 4;
// Of the loss: a gain below it is one of rounding, in float32. A step that promises less is left to the verdict, which
// takes it; where there is none it is made.
constexpr double rounding = 2.4e-7;
// Times the most negative curvature that was seen, that the model may have.
constexpr double most_negative = 10;
constexpr std::size_t most_probed = 8;
constexpr double far_away = 4;    // natural steps from where the curvature was probed: it is probed anew before the end
constexpr double elsewhere = 20;  // natural steps: where curvature is that of another place, and probed anew at once
constexpr double newly_probed = 9;  // natural steps: after probing anew, whose curvature is that of the place

class Newton {
 public:
  explicit Newton(const DescentTask& task)
      : task_(task), n_(task.start.size()), b_(n_), radius_(task.first_step), stop_monitor_(task.stop) {}

  Result<Descent> run() {
    TL_TRY(now_, task_.evaluate(task_.start, 0));
    best_ = now_;
    TL_TRY(bool go_on, task_.keep_going(now_, best_, 0));
    if (go_on && n_ > 1 && n_ <= most_probed) TL_TRY(probe_all());
    int64_t iteration = 0;
    StopReason reason = go_on ? StopReason::none : StopReason::stopped;
    while (reason == StopReason::none) {
      TL_TRY(reason, step(++iteration));
      if (reason == StopReason::none) reason = stop_monitor_.after(iteration, best_.loss);
    }
    return Descent{best_, reason, iteration};
  }

 private:
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
    known_ = true;
    begin_anew();
    return ok();
  }
  // The same along the direction that bends least, of which the way tells least.
  Result<void> probe_weakest() {
    const Eigen axes = eigen(b_);
    Vector z = now_.z, s(n_), y(n_);
    for (std::size_t i = 0; i < n_; ++i) {
      z[i] = std::clamp(z[i] + probe * axes.vectors(i, 0), task_.low[i], task_.high[i]);
      s[i] = z[i] - now_.z[i];
    }
    if (length(s) > 0) {
      TL_TRY(const Point there, task_.evaluate(z, 0));
      for (std::size_t i = 0; i < n_; ++i) y[i] = there.gradient[i] - now_.gradient[i];
      learn_curvature(s, y);
      if (there.loss < best_.loss) best_ = there;
    }
    begin_anew();
    return ok();
  }
  void begin_anew() {
    probed_at_ = now_.z;
    too_far_ = std::numeric_limits<double>::max();
    on_the_way_ = true;
    stretched_ = 1;
  }

  // How far it is from where the curvature was probed; 0 where it never was.
  [[nodiscard]] double from_probed() const {
    Vector moved = now_.z;
    for (std::size_t i = 0; i < probed_at_.size(); ++i) moved[i] -= probed_at_[i];
    return probed_at_.empty() ? 0 : length(moved);
  }

  // Where the descent would end: with the curvature of far away it has not converged yet. Directions that hardly bend
  // would stay where they are.
  Result<StopReason> end() {
    if (from_probed() < far_away) return StopReason::converged;
    TL_TRY(probe_weakest());
    radius_ = std::max(radius_, newly_probed * task_.first_step);
    return StopReason::none;
  }

  [[nodiscard]] bool blocked(std::size_t i) const {
    return (now_.z[i] <= task_.low[i] && now_.gradient[i] > 0) || (now_.z[i] >= task_.high[i] && now_.gradient[i] < 0);
  }

  // A step that need not be made. Beside a bound nothing is settled afterwards.
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
    for (std::size_t i = 0; i < open.size(); ++i) {
      g[i] = now_.gradient[open[i]];
      for (std::size_t j = 0; j < open.size(); ++j) b(i, j) = b_(open[i], open[j]);
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
    const Eigen e = eigen(b);
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

  // What the model says that a step gains.
  [[nodiscard]] double foretold(const Vector& s) const { return -(dot(now_.gradient, s) + 0.5 * dot(s, times(b_, s))); }

  void stretch(Vector& s) const {
    const double by = std::min(stretched_, radius_ / length(s));
    for (std::size_t i = 0; i < n_ && by > 1; ++i)
      s[i] = std::clamp(now_.z[i] + by * s[i], task_.low[i], task_.high[i]) - now_.z[i];
  }

  void learn_curvature(const Vector& s, const Vector& y) {
    if (!known_) {
      const double c = dot(s, y) / dot(s, s);
      for (std::size_t i = 0; i < n_; ++i) b_(i, i) = c;
      known_ = true;
      if (n_ == 1) return;
    }
    Vector rest = times(b_, s);
    for (std::size_t i = 0; i < n_; ++i) rest[i] = y[i] - rest[i];
    const double scale = dot(rest, s), size = dot(s, s);
    if (std::abs(scale) <= 1e-8 * length(rest) * length(s)) return;
    Matrix next = b_;
    for (std::size_t i = 0; i < n_; ++i)
      for (std::size_t j = 0; j < n_; ++j) next(i, j) += rest[i] * rest[j] / scale;
    // Along a bent valley most of what the model misses is slope across it, of which that makes any curvature there.
    // The least change that explains the slopes does not (M. Powell's symmetric form of Broyden's, 1970).
    const double seen = std::min({0.0, eigen(b_).values.front(), dot(s, y) / size});
    if (eigen(next).values.front() < most_negative * seen) {
      next = b_;
      for (std::size_t i = 0; i < n_; ++i)
        for (std::size_t j = 0; j < n_; ++j)
          next(i, j) += (rest[i] * s[j] + s[i] * rest[j] - scale / size * s[i] * s[j]) / size;
    }
    b_ = next;
  }

  Result<StopReason> step(int64_t iteration) {
    bool inside = false;
    Vector s = model_step(inside);
    if (known_ && inside && from_probed() > elsewhere) {
      TL_TRY(probe_all());
      s = model_step(inside);
    }
    double largest = 0;
    for (const double v : s) largest = std::max(largest, std::abs(v));
    if (largest == 0) return at_rest();
    const bool is_rounding = task_.settled > 0 && foretold(s) < rounding * std::abs(now_.loss);
    if (known_ && inside && (largest < enough() || is_rounding)) return end();
    if (known_ && inside) stretch(s);
    Vector z = now_.z;
    for (std::size_t i = 0; i < n_; ++i) z[i] += s[i];
    TL_TRY(const Point there, task_.evaluate(z, iteration));
    Vector y(n_);
    for (std::size_t i = 0; i < n_; ++i) y[i] = there.gradient[i] - now_.gradient[i];
    const double predicted = known_ ? foretold(s) : 0;
    const double gained = now_.loss - there.loss;
    const bool was_known = known_;
    // Over less than that, kinks of the interpolation are taken for curvature. But where the model said that the slope
    // would end, and most of it is left, its curvature is from elsewhere: beyond a cliff, steps would stay short.
    const bool steep_still = known_ && inside && dot(there.gradient, s) < 0.5 * dot(now_.gradient, s);
    if (!known_ || length(s) >= shortest || steep_still) learn_curvature(s, y);
    const double slope = dot(there.gradient, s), slope_before = dot(now_.gradient, s);
    on_the_way_ = on_the_way_ && gained > 0 && slope < 0;
    if (!known_ || !inside || !on_the_way_)
      stretched_ = 1;
    else if (slope < slope_left * slope_before)
      stretched_ = std::min(stretching * stretched_, most_stretched);
    const bool better = gained > 0 || (gained == 0 && length(there.gradient) < length(now_.gradient));
    // Still downhill at the rim, or as good as the model said: further next time. But not where a trial has just
    // failed: along a bent valley every other one would.
    if (better && (dot(there.gradient, s) < 0 || !was_known || gained > 0.5 * predicted))
      radius_ = std::min(
          {std::max(radius_, growth * length(s)), task_.largest_step, std::max(length(s), below_failure * too_far_)});
    too_far_ = better ? forgetting * too_far_ : length(s);
    if (!better) radius_ = shrinkage * length(s);
    if (better) now_ = there;
    if (there.loss < best_.loss) best_ = there;
    // A trial that was not taken is nobody's standing: told, it would draw a loss that rises.
    TL_TRY(const bool go_on, task_.keep_going(now_, best_, iteration));
    if (!go_on) return StopReason::stopped;
    const bool by_rounding = !better && std::max(std::abs(gained), predicted) < rounding * std::abs(now_.loss);
    if (radius_ < 0.5 * task_.stop.tolerance || by_rounding) return end();
    return StopReason::none;
  }

  // Nothing to move: at bounds, at a stationary point, or nothing depends on the unknowns.
  [[nodiscard]] StopReason at_rest() const {
    for (std::size_t i = 0; i < n_; ++i)
      if (blocked(i)) return StopReason::bound;
    return known_ && eigen(b_).values.back() > 0 ? StopReason::converged : StopReason::flat;
  }

  const DescentTask& task_;
  std::size_t n_;
  Matrix b_;
  bool known_ = false;
  double radius_;
  // A length at which a trial has failed; more with every success since.
  double too_far_ = std::numeric_limits<double>::max();
  double stretched_ = 1;
  bool on_the_way_ = true;  // no step has gone too far since the curvature was probed
  Point now_, best_;
  Vector probed_at_;  // empty: the curvature was not probed
  StopMonitor stop_monitor_;
};

}  // namespace

Result<Descent> newton(const DescentTask& task) { return Newton(task).run(); }

}  // namespace tl::learn
