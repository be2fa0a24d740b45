// Registers volumes by B-splines: levels from coarse to fine, L-BFGS on the control points.
#include "gpu/image/warp/bspline_registration.h"

#include <ATen/ATen.h>
#include <c10/core/GradMode.h>

#include <algorithm>
#include <cmath>

#include "gpu/image/gaussian_filter.h"
#include "gpu/image/warp/bspline_field.h"
#include "gpu/image/warp/descent.h"
#include "gpu/image/warp/mutual_information.h"
#include "gpu/image/warp/volume_sampling.h"
#include "gpu/operator/reduce.h"

namespace tl::ops {
namespace {

constexpr int64_t fewest_voxels = 12;  // smallest number of voxels along an axis of a level
constexpr int64_t fewest_of_all = 4;   // for the last level, if all axes are short

struct Level {
  int64_t bin = 1;
  at::Tensor fixed, moving, start;
  at::Tensor asked, counts;  // masks: voxels to compare, and those that can be compared
  OperatorPtr field;
  double variance = 1, low = 0, high = 1;
};

// Number of grey-value bins: as narrow as the noise if there are enough voxels.
int64_t bins_for(double voxels) { return std::clamp<int64_t>(static_cast<int64_t>(1.5 * std::cbrt(voxels)), 32, 160); }

at::Tensor binned(const at::Tensor& x, int64_t bin) {
  if (bin == 1) return x;
  const bool is_volume = x.dim() == 3;
  const at::Tensor y = at::avg_pool3d(is_volume ? x.unsqueeze(0) : x, bin, bin);
  return (is_volume ? y.squeeze(0) : y).contiguous();
}

class Search {
 public:
  explicit Search(const BSplineRegistrationSpec& spec) : spec_(spec) {
    for (std::size_t a = 0; a < 3; ++a)
      points_[a] = control_points(spec.fixed.size(static_cast<int64_t>(a)), spec.spacing[a]);
  }

  Result<BSplineRegistration> run() {
    BSplineRegistration found;
    found.points = at::zeros({3, points_[0], points_[1], points_[2]}, at::kDouble);
    const std::vector<int64_t> bins = levels();
    for (std::size_t i = 0; i < bins.size(); ++i) {
      TL_TRY(Level level, make_level(bins[i]));
      compare_the_same(level, found.points);
      const double from = static_cast<double>(i), all = static_cast<double>(bins.size() + 1);
      minimise(level, level.counts, found, spec_.most_steps, [&](double share) {
        if (spec_.progress) spec_.progress((from + share) / all);
      });
      if (found.overlap <= 0) return no_overlap();
      if (!level.counts.is_same(level.asked)) found.overlap = overlap_of(level, found.points);
      if (i + 1 == bins.size()) estimate(level, found);
    }
    const OperatorPtr whole = field_of(spec_.fixed.sizes().vec(), 1);
    found.displacement = whole->apply(found.points);
    return found;
  }

 private:
  [[nodiscard]] static Error no_overlap() {
    return invalid("the two volumes do not overlap", "registration",
                   "Align them rigidly first, and give the table to start from");
  }
  [[nodiscard]] std::vector<int64_t> levels() const {
    int64_t shortest = spec_.fixed.size(0);
    for (int64_t a = 0; a < 3; ++a) shortest = std::min({shortest, spec_.fixed.size(a), spec_.moving.size(a)});
    std::vector<int64_t> bins;
    int64_t finest = spec_.finest;
    while (finest > 1 && shortest / finest < fewest_of_all) finest /= 2;
    for (int64_t bin = spec_.coarsest; bin >= finest; bin /= 2)
      if (bin == finest || shortest / bin >= fewest_voxels) bins.push_back(bin);
    return bins;
  }
  [[nodiscard]] OperatorPtr field_of(const std::vector<int64_t>& shape, int64_t bin) const {
    BSplineFieldSpec field;
    for (std::size_t a = 0; a < 3; ++a) field.shape[a] = shape[a];
    field.spacing = spec_.spacing;
    field.points = points_;
    const double step = static_cast<double>(bin), first = 0.5 * (step - 1);
    field.first = {first, first, first};
    field.step = {step, step, step};
    return make_bspline_field(field);
  }
  [[nodiscard]] Result<at::Tensor> smoothed(const at::Tensor& x) const {
    if (!(spec_.smoothing > 0)) return x;
    GaussianSpec gaussian;
    gaussian.nz = x.size(0);
    gaussian.ny = x.size(1);
    gaussian.nx = x.size(2);
    gaussian.sigma = {spec_.smoothing, spec_.smoothing, spec_.smoothing};
    TL_TRY(const OperatorPtr op, make_gaussian_filter(gaussian));
    return op->apply(x.contiguous());
  }
  [[nodiscard]] Result<Level> make_level(int64_t bin) const {
    Level level;
    level.bin = bin;
    TL_TRY(level.fixed, smoothed(binned(spec_.fixed, bin)));
    TL_TRY(level.moving, smoothed(binned(spec_.moving, bin)));
    const double centre = 0.5 * static_cast<double>(bin - 1);
    level.start = (binned(spec_.start, bin) - centre) / static_cast<double>(bin);
    level.field = field_of(level.fixed.sizes().vec(), bin);
    level.asked = spec_.mask.defined() ? binned(spec_.mask.to(at::kFloat), bin).gt(0.5)
                                       : at::ones(level.fixed.sizes(), at::kBool);
    level.counts = level.asked;
    level.variance = std::max(tl::moments(level.fixed).variance, 1e-300);
    const Extrema range = extrema(level.moving);
    level.low = range.min;
    level.high = range.max;
    return level;
  }

  // Positions at which the voxels of a level are sampled: fractional indices of its moving volume.
  [[nodiscard]] at::Tensor positions_of(const Level& level, const at::Tensor& points) const {
    const at::Tensor field = tl::apply(level.field, points);
    std::vector<at::Tensor> along;
    for (std::size_t a = 0; a < 3; ++a) {
      at::Tensor p = level.start[static_cast<int64_t>(a)];
      for (std::size_t b = 0; b < 3; ++b)
        if (const double w = spec_.to_moving[3 * a + b]; w != 0)
          p = p + field[static_cast<int64_t>(b)] * (w / static_cast<double>(level.bin));
      along.push_back(p);
    }
    return at::stack(along);
  }
  [[nodiscard]] double overlap_of(const Level& level, const at::Tensor& points) const {
    const at::Tensor inside = positions_inside(level.moving.sizes().vec(), positions_of(level, points));
    return total(inside.logical_and(level.asked).to(at::kFloat)) / std::max(1.0, total(level.asked.to(at::kFloat)));
  }
  // Mutual information would grow if voxels without variation left the overlap: the same voxels are compared
  // throughout, a margin inside the overlap.
  void compare_the_same(Level& level, const at::Tensor& points) const {
    if (spec_.likeness != Likeness::mutual_information) return;
    const at::Tensor positions = positions_of(level, points);
    at::Tensor within = level.counts;
    for (int64_t a = 0; a < 3; ++a) {
      const auto last = static_cast<double>(level.moving.size(a) - 1);
      const double margin = std::min(2.0, last / 8);  // voxels of the level
      within = within.logical_and(positions[a].ge(margin)).logical_and(positions[a].le(last - margin));
    }
    if (within.any().item<bool>()) level.counts = within;
  }

  [[nodiscard]] DescentPoint evaluate(const Level& level, const at::Tensor& counts, const at::Tensor& at_points) const {
    spec_.cancel.check();
    const c10::AutoGradMode recording(true);
    const at::Tensor points = at_points.detach().clone().requires_grad_();
    const at::Tensor positions = positions_of(level, points);
    const at::Tensor inside = positions_inside(level.moving.sizes().vec(), positions).logical_and(counts);
    const at::Tensor moved = sampled(level.moving, positions, spec_.cancel);
    const double voxels = total(inside.to(at::kFloat));
    DescentPoint step;
    step.overlap = voxels / std::max(1.0, total(counts.to(at::kFloat)));
    if (voxels == 0) return step;
    at::Tensor loss = dissimilarity(level, moved, inside, voxels) + bending(points) * spec_.stiffness;
    loss.backward();
    step.loss = loss.item<double>();
    step.gradient = points.grad();
    return step;
  }

  [[nodiscard]] at::Tensor dissimilarity(const Level& level, const at::Tensor& moved, const at::Tensor& inside,
                                         double voxels) const {
    // exp(-2 I) is the fraction of the variance that the other volume does not explain (E. H. Linfoot, Information and
    // Control 1, 85, 1957), as in the correlation below: the stiffness then has the same weight.
    if (spec_.likeness == Likeness::mutual_information)
      return at::exp(
          -2 * mutual_information(moved, {level.fixed, inside, level.low, level.high, bins_for(voxels), spec_.cancel}));
    const at::Tensor weight = inside.to(at::kFloat);
    if (spec_.likeness == Likeness::mean_squares)
      return differentiable_sum_of_squares((moved - level.fixed) * weight) / (voxels * level.variance);
    const auto mean = [&](const at::Tensor& x) { return differentiable_sum(x * weight) / voxels; };
    const at::Tensor f = level.fixed - mean(level.fixed).to(at::kFloat), m = moved - mean(moved).to(at::kFloat);
    const at::Tensor both = mean(f * m);
    return 1 - both * both / (mean(f * f) * mean(m * m)).clamp_min(1e-300);
  }

  // Mean square of second differences along each axis.
  [[nodiscard]] static at::Tensor bending(const at::Tensor& points) {
    at::Tensor sum = at::zeros({}, at::kDouble);
    for (int64_t a = 1; a < 4; ++a) {
      const int64_t n = points.size(a);
      const at::Tensor second =
          points.narrow(a, 2, n - 2) - 2 * points.narrow(a, 1, n - 2) + points.narrow(a, 0, n - 2);
      sum = sum + differentiable_mean(second * second);
    }
    return sum;
  }

  void minimise(const Level& level, const at::Tensor& counts, BSplineRegistration& found, int64_t most_steps,
                const std::function<void(double)>& progress) const {
    const DescentEnd end = descend([&](const at::Tensor& points) { return evaluate(level, counts, points); },
                                   found.points, {static_cast<double>(level.bin), most_steps, progress});
    found.points = end.at;
    found.converged = end.converged;
    found.loss = end.loss;
    found.overlap = end.overlap;
  }

  // Fits both halves of a chequerboard of blocks, starting from the result: half their difference is the sigma of the
  // whole.
  void estimate(const Level& level, BSplineRegistration& found) const {
    constexpr int64_t block = 4, steps = 10;
    at::Tensor parity = at::zeros(level.fixed.sizes(), at::kLong);
    for (int64_t a = 0; a < 3; ++a) {
      std::vector<int64_t> shape = {1, 1, 1};
      shape[static_cast<std::size_t>(a)] = level.fixed.size(a);
      parity = parity + at::arange(level.fixed.size(a), at::kLong).div(block, "floor").view(shape);
    }
    const at::Tensor even = parity.remainder(2).eq(0);
    std::array<at::Tensor, 2> fields;
    for (std::size_t half = 0; half < 2; ++half) {
      BSplineRegistration part = found;
      minimise(level, level.counts.logical_and(half == 0 ? even : even.logical_not()), part, steps, [](double) {});
      fields[half] = level.field->apply(part.points);
    }
    const at::Tensor difference = 0.5 * (fields[0] - fields[1]);
    for (std::size_t a = 0; a < 3; ++a)
      found.sigma[a] = std::sqrt(total_of_squares(difference[static_cast<int64_t>(a)].contiguous()) /
                                 static_cast<double>(level.fixed.numel()));
  }

  const BSplineRegistrationSpec& spec_;
  std::array<int64_t, 3> points_{};
};

}  // namespace

Result<BSplineRegistration> register_bspline(const BSplineRegistrationSpec& spec) {
  double points = 1;
  for (std::size_t a = 0; a < 3; ++a) {
    if (!(spec.spacing[a] >= 1))
      return invalid("control points have to be a voxel apart or more", "spacing", "Increase the spacing");
    points *= static_cast<double>(control_points(spec.fixed.size(static_cast<int64_t>(a)), spec.spacing[a]));
  }
  if (points > static_cast<double>(spec.fixed.numel()))
    return invalid("the volume has fewer voxels than control points", "spacing", "Increase the spacing");
  return Search(spec).run();
}

}  // namespace tl::ops
