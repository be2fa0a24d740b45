// Solves Otsu's equation with soft classes by Newton's method; its derivative is that of one more Newton step.
#include "gpu/segmentation/thresholds/soft_otsu.h"

#include <ATen/ATen.h>
#include <c10/core/GradMode.h>
#include <torch/csrc/autograd/autograd.h>

#include <cmath>
#include <vector>

#include "gpu/operator/forward_mode.h"
#include "gpu/operator/reduce.h"
#include "gpu/segmentation/thresholds/thresholds.h"

namespace tl::ops {
namespace {

constexpr int max_steps = 40;

// Values, or the levels of a histogram with their counts as weights.
struct Weighted {
  at::Tensor values, counts;  // counts: undefined = 1 each
  [[nodiscard]] at::Tensor sum(const at::Tensor& x) const {
    return differentiable_sum(counts.defined() ? x * counts : x);
  }
};

// 2 t - m(t) - m'(t) per threshold, m and m' being the means of the soft classes on its two sides: [classes - 1].
at::Tensor imbalance(const Weighted& w, const at::Tensor& least, const at::Tensor& thresholds, double gamma) {
  const int64_t steps = thresholds.size(0);
  // For the classes from each one upwards: weights and moments.
  const at::Tensor all = w.counts.defined() ? differentiable_sum(w.counts)
                                            : at::scalar_tensor(static_cast<double>(w.values.numel()), at::kDouble);
  std::vector<at::Tensor> weight{all}, moment{w.sum(w.values)};
  for (int64_t k = 0; k < steps; ++k) {
    const at::Tensor above = soft_step(w.values, least, thresholds[k], gamma);
    weight.push_back(w.sum(above));
    moment.push_back(w.sum(above * w.values));
  }
  weight.push_back(at::zeros({}, at::kDouble));
  moment.push_back(at::zeros({}, at::kDouble));
  std::vector<at::Tensor> mean;
  for (std::size_t c = 0; c + 1 < weight.size(); ++c) {
    const at::Tensor own = weight[c] - weight[c + 1];
    mean.push_back((moment[c] - moment[c + 1]) / own);
  }
  std::vector<at::Tensor> rest;
  for (int64_t k = 0; k < steps; ++k) {
    const auto c = static_cast<std::size_t>(k);
    rest.push_back(2 * thresholds[k] - mean[c] - mean[c + 1]);
  }
  return at::stack(rest);
}

struct Equation {
  at::Tensor rest, jacobian;  // [n], [n, n]
};
Equation equation_at(const Weighted& w, const at::Tensor& least, const at::Tensor& thresholds, double gamma) {
  const c10::AutoGradMode with_gradient(true);
  const at::Tensor t = thresholds.detach().clone().requires_grad_();
  const at::Tensor rest = imbalance(w, least, t, gamma);
  std::vector<at::Tensor> rows;
  for (int64_t k = 0; k < rest.size(0); ++k)
    rows.push_back(torch::autograd::grad({rest[k]}, {t}, {}, /*retain_graph=*/true)[0]);
  return {rest.detach(), at::stack(rows)};
}

at::Tensor without_derivatives(const at::Tensor& x) { return dual_parts(x).value.detach(); }

struct Solution {
  at::Tensor thresholds, jacobian;
};

// Newton's method from `t` on, until it changes by less than `settled` of the range, or only by rounding.
Result<Solution> solve(const Weighted& w, const SoftOtsu& found, at::Tensor t, double settled,
                       const SoftOtsuSpec& spec) {
  const double range = found.maximum - found.minimum;
  const at::Tensor least = at::scalar_tensor(found.minimum, at::kDouble);
  at::Tensor jacobian;
  double before = HUGE_VAL;
  for (int step = 0; step < max_steps; ++step) {
    spec.cancel.check();
    const Equation e = equation_at(w, least, t, spec.sharpness);
    jacobian = e.jacobian;
    const at::Tensor by = at::linalg_solve(jacobian, e.rest);
    const double size = by.abs().max().item<double>() / range;
    if (!std::isfinite(size)) return invalid("the values form no classes", "soft Otsu", "Choose fewer classes");
    // Neither below the least value nor across another threshold.
    t = std::get<0>((t - by.clamp(-range / 32, range / 32)).sort());
    t = t.clamp(found.minimum + range / 1024, found.maximum - range / 1024);
    if (size < settled || (size >= before && size < 1e-6)) break;
    before = size;
  }
  return Solution{t, jacobian};
}

// Midway between the means of the classes given by Otsu's thresholds of the levels: if there is a gap, these thresholds
// are at the end of a class, but the solution is in the middle of the gap.
std::vector<double> between_means(const GreyLevels& levels, const std::vector<double>& thresholds) {
  std::vector<double> count(thresholds.size() + 1, 0), sum(count), middle;
  std::size_t c = 0;
  for (std::size_t i = 0; i < levels.value.size(); ++i) {
    while (c < thresholds.size() && levels.value[i] > thresholds[c]) ++c;
    count[c] += static_cast<double>(levels.count[i]);
    sum[c] += static_cast<double>(levels.count[i]) * levels.value[i];
  }
  for (std::size_t k = 0; k + 1 < count.size(); ++k)
    middle.push_back(0.5 * (sum[k] / count[k] + sum[k + 1] / count[k + 1]));
  return middle;
}

}  // namespace

at::Tensor soft_step(const at::Tensor& values, const at::Tensor& least, const at::Tensor& threshold, double sharpness) {
  const auto as_values = [&](const at::Tensor& x) { return x.to(values.device(), values.scalar_type()); };
  const at::Tensor scale = sharpness / (threshold.to(at::kDouble) - least.to(at::kDouble));
  return 0.5 * (1 + at::tanh((values - as_values(threshold)) * as_values(scale)));
}

Result<SoftOtsu> soft_otsu(const at::Tensor& values, const SoftOtsuSpec& spec) {
  const std::string where = "soft Otsu";
  if (!values.defined() || (values.scalar_type() != at::kFloat && values.scalar_type() != at::kDouble))
    return invalid("the values are not floating-point numbers", where);
  if (spec.classes < 2 || spec.classes > max_soft_classes)
    return invalid("choose 2 to " + std::to_string(max_soft_classes) + " classes", where);
  if (!(spec.sharpness > 0) || !std::isfinite(spec.sharpness)) return invalid("the sharpness must be positive", where);
  const at::Tensor plain = without_derivatives(values).contiguous();
  GreyHistogram histogram;
  histogram.add(plain.cpu());
  if (histogram.count() != plain.numel())
    return invalid(std::to_string(plain.numel() - histogram.count()) + " values are not finite", where,
                   "Check the result of the node before this one");
  SoftOtsu found;
  if (histogram.count() > 0) {
    found.minimum = histogram.minimum();
    found.maximum = histogram.maximum();
  }
  if (!(found.maximum > found.minimum)) {
    found.thresholds = at::full({spec.classes - 1}, found.maximum, at::kDouble);
    return found;
  }
  const auto numbers = [](const auto& list) {
    return at::tensor(at::ArrayRef<double>(std::vector<double>(list.begin(), list.end())), at::kDouble);
  };
  // On the levels of the histogram first, which are far fewer than the values.
  const GreyLevels levels = histogram.levels();
  TL_TRY(const std::vector<double> otsu, multi_otsu_thresholds(histogram, spec.classes));
  const std::vector<double> first = between_means(levels, otsu);
  TL_TRY(const Solution near, solve({numbers(levels.value), numbers(levels.count)}, found, numbers(first), 1e-9, spec));
  const bool single = plain.scalar_type() == at::kFloat;
  TL_TRY(const Solution exact, solve({plain, {}}, found, near.thresholds, single ? 1e-7 : 1e-13, spec));
  found.thresholds = exact.thresholds;
  if (!is_differentiated(values)) return found;
  // At the solution, one Newton step has the same derivative with respect to the values as the solution.
  const at::Tensor rest = imbalance({values, {}}, values.amin(), exact.thresholds, spec.sharpness);
  const at::Tensor moved = (rest - without_derivatives(rest)).unsqueeze(1);
  found.thresholds = exact.thresholds - at::linalg_solve(exact.jacobian, moved).squeeze(1);
  return found;
}

}  // namespace tl::ops
