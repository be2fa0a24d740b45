// Descends by LibTorch's optimisers on a normalised objective: the only file of core that includes all of torch.
#include <torch/optim.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "core/learn/descent/descent.h"
#include "core/learn/descent/stopping.h"
#include "core/learn/descent/symmetric.h"

namespace tl::learn {
namespace {

constexpr double adam_step = 0.5;  // first step, in natural steps
constexpr double nesterov_momentum = 0.8;
constexpr int64_t max_remembered = int64_t{1} << 25;  // numbers of L-BFGS
constexpr int64_t stale = 8;  // iterations of Adam without a new best, after which the rate is halved

class TorchDescent {
 public:
  explicit TorchDescent(const DescentTask& task)
      : task_(task),
        stop_monitor_(task.stop),
        curvature_scale_(task.curvature_scale.empty() || task.method == Method::adam ? Vector(task.start.size(), 1.0)
                                                                                     : task.curvature_scale),
        u_(in_steps(task.start).requires_grad_()) {}

  Result<Descent> run() {
    StopReason reason = StopReason::none;
    int64_t iteration = 0;
    if (task_.resume) {
      go_on_from(*task_.resume);
      iteration = task_.resume->iteration;
    } else {
      TL_TRY(reason, begin());
    }
    while (reason == StopReason::none) {
      TL_TRY(reason, step(++iteration));
      if (reason == StopReason::none) reason = stop_monitor_.after(iteration, best_.held_out.value_or(best_.loss));
      if (reason == StopReason::none && task_.checkpoint_every > 0 && iteration % task_.checkpoint_every == 0)
        TL_TRY(task_.checkpoint(state(iteration)));
    }
    return Descent{best_, reason, iteration};
  }

 private:
  Result<StopReason> begin() {
    TL_TRY(now_, task_.evaluate(task_.start, 0));
    if (task_.held_out) {
      TL_TRY(now_.held_out, held_out(now_.z));
    }
    best_ = now_;
    TL_TRY(bool go_on, task_.keep_going(now_, best_, 0));
    if (length(now_.gradient) == 0) return StopReason::flat;
    TL_TRY(normalise());
    make_optimiser();
    return go_on ? StopReason::none : StopReason::stopped;
  }

  [[nodiscard]] AdamState state(int64_t iteration) const {
    AdamState s{iteration, last_best_, scale_, rate_, stop_monitor_.standing(), now_, best_, 0, {}, {}};
    const auto own = optimiser_->state().find(u_.unsafeGetTensorImpl());
    if (own == optimiser_->state().end()) return s;
    const auto& adam = static_cast<const torch::optim::AdamParamState&>(*own->second);
    const auto numbers = [](const torch::Tensor& t) {
      return Vector(t.const_data_ptr<double>(), t.const_data_ptr<double>() + t.numel());
    };
    s.steps = adam.step();
    s.mean = numbers(adam.exp_avg());
    s.mean_square = numbers(adam.exp_avg_sq());
    return s;
  }
  void go_on_from(const AdamState& s) {
    now_ = s.now;
    best_ = s.best;
    scale_ = s.scale;
    last_best_ = s.last_best;
    stop_monitor_.go_on_from(s.standing);
    make_optimiser();
    rate_ = s.rate;
    for (auto& group : optimiser_->param_groups()) group.options().set_lr(rate_);
    move_to(now_.z);
    auto adam = std::make_unique<torch::optim::AdamParamState>();
    adam->step(s.steps);
    adam->exp_avg(torch::tensor(s.mean, torch::kDouble));
    adam->exp_avg_sq(torch::tensor(s.mean_square, torch::kDouble));
    optimiser_->state()[u_.unsafeGetTensorImpl()] = std::move(adam);
  }

  // The loss is divided by its curvature along the first gradient, so that a rate of 1 is a Newton step along it; for
  // negative curvature, so that a rate of 1 is a natural step.
  Result<void> normalise() {
    Vector slope = now_.gradient;
    for (std::size_t i = 0; i < slope.size(); ++i) slope[i] *= curvature_scale_[i];
    const double size = length(slope);
    Vector z = now_.z;
    for (std::size_t i = 0; i < z.size(); ++i)
      z[i] = std::clamp(z[i] - curvature_scale_[i] * slope[i] / size, task_.low[i], task_.high[i]);
    TL_TRY(const Point there, task_.evaluate(z, 0));
    double curvature = 0, moved = 0;
    for (std::size_t i = 0; i < z.size(); ++i) {
      const double by = (z[i] - now_.z[i]) / curvature_scale_[i];
      curvature += (there.gradient[i] - now_.gradient[i]) * curvature_scale_[i] * by;
      moved += by * by;
    }
    curvature = moved > 0 ? curvature / moved : 0;
    scale_ = 1 / std::max(curvature, size / task_.largest_step);
    if (curvature <= 0) scale_ = 1 / size;
    return ok();
  }

  void make_optimiser() {
    const std::vector<torch::Tensor> unknowns{u_};
    using namespace torch::optim;
    switch (task_.method) {
      case Method::adam:
        rate_ = adam_step * task_.rate;
        optimiser_ = std::make_unique<Adam>(
            unknowns,
            AdamOptions(rate_).betas(task_.held_out ? std::make_tuple(0.9, 0.999) : std::make_tuple(0.8, 0.95)));
        return;
      case Method::lbfgs:
        optimiser_ = std::make_unique<LBFGS>(unknowns, LBFGSOptions(task_.rate)
                                                           .max_iter(1)
                                                           .max_eval(12)
                                                           .history_size(remembered())
                                                           .line_search_fn("strong_wolfe"));
        return;
      case Method::nesterov:
        rate_ = task_.rate;
        optimiser_ = std::make_unique<SGD>(unknowns, SGDOptions(rate_).momentum(nesterov_momentum).nesterov(true));
        return;
      default: rate_ = task_.rate; optimiser_ = std::make_unique<SGD>(unknowns, SGDOptions(rate_));
    }
  }

  // Number of steps that L-BFGS stores, two vectors each: fewer if there are millions of unknowns.
  [[nodiscard]] int64_t remembered() const {
    return std::clamp<int64_t>(max_remembered / static_cast<int64_t>(curvature_scale_.size()), 4, 20);
  }
  torch::Tensor in_steps(const Vector& z) const {
    return torch::tensor(z, torch::kDouble) / torch::tensor(curvature_scale_, torch::kDouble);
  }
  Vector unknowns() const {
    const torch::Tensor u = u_.detach().contiguous();
    Vector z(u.const_data_ptr<double>(), u.const_data_ptr<double>() + u.numel());
    for (std::size_t i = 0; i < z.size(); ++i) z[i] *= curvature_scale_[i];
    return z;
  }
  void move_to(const Vector& z) {
    const torch::NoGradGuard quiet;
    u_.copy_(in_steps(z));
  }
  void set_gradient(const Vector& gradient) {
    const torch::Tensor curvature_scale = torch::tensor(curvature_scale_, torch::kDouble);
    const torch::Tensor g = torch::tensor(gradient, torch::kDouble) * curvature_scale * scale_;
    // No unknown may be thrown further than the largest step.
    const torch::Tensor reach = task_.largest_step / std::max(rate_, 1e-12) / curvature_scale;
    u_.mutable_grad() = g.clamp(-reach, reach);
  }
  void within_bounds() {
    Vector z = unknowns();
    for (std::size_t i = 0; i < z.size(); ++i) z[i] = std::clamp(z[i], task_.low[i], task_.high[i]);
    move_to(z);
  }
  void slow_down() {
    rate_ *= 0.5;
    for (auto& group : optimiser_->param_groups()) group.options().set_lr(rate_);
    if (task_.method != Method::adam) optimiser_->state().clear();  // momentum carried it too far
  }

  // L-BFGS evaluates several times within a step; the first evaluation is already known.
  Result<StopReason> line_search(int64_t iteration) {
    std::optional<Error> failure;
    const auto ask = [&]() -> torch::Tensor {
      within_bounds();
      const Vector z = unknowns();
      if (z != now_.z && !failure) {
        auto there = task_.evaluate(z, iteration);
        if (there.ok()) {
          now_ = std::move(there).value();
          if (now_.loss < best_.loss) best_ = now_;
        } else {
          failure = there.error();
        }
      }
      set_gradient(now_.gradient);
      return torch::scalar_tensor(failure ? 1e300 : now_.loss * scale_, torch::kDouble);
    };
    const Vector before = unknowns();
    optimiser_->step(ask);
    within_bounds();
    if (failure) return *failure;
    return moved(before);
  }

  [[nodiscard]] StopReason moved(const Vector& before) const {
    double largest = 0;
    const Vector after = unknowns();
    for (std::size_t i = 0; i < after.size(); ++i) largest = std::max(largest, std::abs(after[i] - before[i]));
    if (largest >= task_.stop.tolerance) return StopReason::none;
    for (std::size_t i = 0; i < after.size(); ++i)
      if (after[i] <= task_.low[i] || after[i] >= task_.high[i]) return StopReason::bound;
    return StopReason::converged;
  }

  Result<StopReason> step(int64_t iteration) {
    StopReason reason = StopReason::none;
    if (task_.method == Method::lbfgs) {
      TL_TRY(reason, line_search(iteration));
      if (unknowns() != now_.z) {
        TL_TRY(now_, task_.evaluate(unknowns(), iteration));
      }
    } else {
      const Vector before = unknowns();
      set_gradient(now_.gradient);
      optimiser_->step();
      within_bounds();
      if (task_.subsets.all()) reason = moved(before);
      TL_TRY(now_, task_.evaluate(unknowns(), iteration));
    }
    if (task_.held_out) {
      TL_TRY(choose_by_rows_held_out(iteration));
    } else if (now_.loss < best_.loss) {
      best_ = now_;
      last_best_ = iteration;
    } else if (task_.method == Method::adam) {
      if ((iteration - last_best_) % stale == 0) slow_down();
      if (task_.subsets.all() && rate_ > task_.stop.tolerance) reason = StopReason::none;
    } else if (task_.method != Method::lbfgs && task_.subsets.all()) {
      now_ = best_;
      move_to(best_.z);
      slow_down();
    }
    if (!task_.subsets.all() && !task_.held_out && rate_ < task_.stop.tolerance) reason = StopReason::converged;
    TL_TRY(const bool go_on, task_.keep_going(now_, best_, iteration));
    return go_on ? reason : StopReason::stopped;
  }

  Result<std::optional<double>> held_out(const Vector& z) const {
    TL_TRY(const double loss, task_.held_out(z));
    return std::optional<double>(loss);
  }
  Result<void> choose_by_rows_held_out(int64_t iteration) {
    if (iteration % task_.held_out_every != 0 && iteration < task_.stop.iterations) return ok();
    TL_TRY(now_.held_out, held_out(now_.z));
    if (*now_.held_out < *best_.held_out) best_ = now_;
    return ok();
  }

  const DescentTask& task_;
  StopMonitor stop_monitor_;
  const Vector curvature_scale_;
  torch::Tensor u_;  // the unknowns in steps over which the objective has equal curvature
  std::unique_ptr<torch::optim::Optimizer> optimiser_;
  Point now_, best_;
  double scale_ = 1, rate_ = 1;
  int64_t last_best_ = 0;
};

}  // namespace

Result<Descent> torch_descent(const DescentTask& task) { return TorchDescent(task).run(); }

}  // namespace tl::learn
