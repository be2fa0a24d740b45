// Denoises a volume by total variation with fast gradient projection: several steps in one pass on the CPU, one after
// the other on a GPU.
#include <ATen/ATen.h>

#include <cmath>
#include <utility>

#include "gpu/device/launch.h"
#include "gpu/image/total_variation/total_variation.h"
#include "gpu/image/total_variation/total_variation_sweep.h"
#include "gpu/operator/reduce.h"

namespace tl::ops {
namespace {

// Steps in the first pass, after which many denoisings have converged, and in later passes.
constexpr int64_t first_sweep = 2, later_sweeps = 4;
constexpr int64_t plain_steps = first_sweep + 1;  // steps that start from the plain dual, not from its extrapolation

// Momentum factors of FISTA, one after each step: 0 after the first two steps, positive from the third on. A denoising
// that ends after the first sweep thus needs no memory for extrapolated vectors.
class Momentum {
 public:
  double next() {
    if (!std::exchange(begun_, true)) return 0;
    const double after = 0.5 * (1 + std::sqrt(1 + 4 * t_ * t_));
    return (std::exchange(t_, after) - 1) / after;
  }

 private:
  bool begun_ = false;
  double t_ = 1;
};

bool ends_sweep(int64_t done) { return done >= first_sweep && (done - first_sweep) % later_sweeps == 0; }
bool has_settled(const RowChanges& squares, double share) { return squares.last <= share * share * squares.before; }

double dual_length(const at::Tensor& x, const TvDenoising& task) {
  const double norm = gradient_norm({x.size(0), x.size(1), x.size(2)}, task.weights);
  return norm > 0 && task.strength > 0 ? 1 / (norm * norm * task.strength) : 0;
}

int64_t step_by_step(at::Tensor& out, const at::Tensor& x, at::Tensor& dual, TvDenoising& task, double length) {
  at::Tensor inertial = dual.clone(), trial = at::empty_like(x);
  Momentum momentum;
  int64_t done = 0;
  while (true) {
    task.cancel.check();
    trial.copy_(x);
    tv_primal_step(trial, inertial, task.weights, task.strength, task.low);
    tv_dual_step(dual, inertial, trial, task.weights, length, 1, momentum.next());
    ++done;
    if (done < task.steps && (task.settled == 0 || !ends_sweep(done))) continue;
    out.copy_(x);
    tv_primal_step(out, dual, task.weights, task.strength, task.low);
    if (done == task.steps ||
        has_settled({total_of_squares(out - trial), total_of_squares(out - task.before)}, task.settled))
      return done;
  }
}

template <class T>
int64_t in_sweeps(at::Tensor& out, const at::Tensor& x, at::Tensor& dual, TvDenoising& task, double length) {
  std::vector<RowChanges> changes(task.settled > 0 ? static_cast<std::size_t>(x.size(0) * x.size(1)) : 0);
  const AxisWeights<T> weights{static_cast<T>(task.weights[0]), static_cast<T>(task.weights[1]),
                               static_cast<T>(task.weights[2])};
  SweepTask<T> sweep{{x.size(0), x.size(1), x.size(2)},
                     weights,
                     x.const_data_ptr<T>(),
                     dual.mutable_data_ptr<T>(),
                     nullptr,
                     out.mutable_data_ptr<T>(),
                     static_cast<T>(task.strength),
                     static_cast<T>(task.low),
                     task.settled > 0 ? task.before.const_data_ptr<T>() : nullptr,
                     task.settled > 0 ? &changes : nullptr,
                     task.cancel};
  using Step = SweepStep<T>;
  Momentum momentum;
  int64_t done = 0;
  while (true) {
    std::vector<Step> steps;
    const int64_t end = std::min(task.steps, done + (done == 0 ? first_sweep : later_sweeps));
    for (; done < end; ++done)
      steps.push_back({done < plain_steps ? Step::Source::dual : Step::Source::inertial,
                       {weights, static_cast<T>(length), T(1), static_cast<T>(momentum.next())},
                       done + 1 >= plain_steps && done + 1 < task.steps});
    if (steps.back().inertial || steps.back().source == Step::Source::inertial) {
      if (!task.extrapolated.defined() || task.extrapolated.sizes() != dual.sizes() ||
          task.extrapolated.scalar_type() != dual.scalar_type())
        task.extrapolated = at::empty_like(dual);
      sweep.inertial = task.extrapolated.mutable_data_ptr<T>();
    }
    tv_sweep(sweep, steps);
    if (done == task.steps) return done;
    if (task.settled == 0) continue;
    RowChanges sum;
    for (const RowChanges& row : changes) {
      sum.last += row.last;
      sum.before += row.before;
    }
    if (has_settled(sum, task.settled)) return done;
  }
}

}  // namespace

std::vector<double> denoising_momenta(int64_t steps) {
  Momentum momentum;
  std::vector<double> all;
  for (int64_t n = 0; n < steps; ++n) all.push_back(momentum.next());
  return all;
}

int64_t tv_denoise(at::Tensor& out, const at::Tensor& x, at::Tensor& dual, TvDenoising& task) {
  TL_CHECK(x.dim() == 3 && x.is_contiguous() && out.is_contiguous() && dual.is_contiguous() &&
               out.sizes() == x.sizes() && dual.numel() == 3 * x.numel() && out.scalar_type() == x.scalar_type() &&
               dual.scalar_type() == x.scalar_type() && !out.is_alias_of(x) && task.steps >= 1,
           "arrays of a total-variation denoising that do not fit");
  TL_CHECK(task.settled == 0 || (task.before.defined() && task.before.is_contiguous() &&
                                 task.before.sizes() == x.sizes() && task.before.scalar_type() == x.scalar_type()),
           "a denoising that may settle needs the volume before");
  const double length = dual_length(x, task);
  if (!(length > 0)) {
    out.copy_(x);
    tv_primal_step(out, dual, task.weights, 0, task.low);
    return 0;
  }
  if (runs_functors(x, "total-variation denoising")) return step_by_step(out, x, dual, task, length);
  return x.scalar_type() == at::kFloat ? in_sweeps<float>(out, x, dual, task, length)
                                       : in_sweeps<double>(out, x, dual, task, length);
}

}  // namespace tl::ops
