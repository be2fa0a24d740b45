// Computes the absorption of a polychromatic beam, its misfit and its normal equations.
#include "gpu/solve/spectral_model.h"

#include <ATen/ATen.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/base/error.h"
#include "gpu/device/parallel_for.h"

namespace tl::solve {
namespace {

constexpr int64_t rays_per_block = 2048;
constexpr double factor_of_bins = 5;

int64_t blocks_of(int64_t rays) { return (rays + rays_per_block - 1) / rays_per_block; }

// Calls use(block, first, last) for blocks of rays, in parallel.
template <class Use>
void each_block(int64_t rays, const CancelToken& cancel, const Use& use) {
  ops::parallel_for(0, blocks_of(rays), 1, [&](int64_t begin, int64_t end) {
    for (int64_t b = begin; b < end; ++b) {
      cancel.check();
      use(b, b * rays_per_block, std::min(rays, (b + 1) * rays_per_block));
    }
  });
}

// One ray: contributions of the bins to the transmission, and the absorption.
struct RayOfModel {
  const SpectralModel& model;
  std::vector<double> exponent, share;

  explicit RayOfModel(const SpectralModel& m)
      : model(m), exponent(static_cast<std::size_t>(m.bins)), share(static_cast<std::size_t>(m.bins)) {}

  // `length` of material m is at length[m * stride].
  double absorption(const double* length, int64_t stride) {
    double least = 0;
    for (int64_t k = 0; k < model.bins; ++k) {
      double x = 0;
      for (int64_t m = 0; m < model.materials; ++m) x += model.at(m, k) * length[m * stride];
      exponent[static_cast<std::size_t>(k)] = x;
      least = k == 0 ? x : std::min(least, x);
    }
    double sum = 0;
    for (std::size_t k = 0; k < share.size(); ++k) {
      share[k] = std::exp(least - exponent[k]);
      sum += model.weight[k] * share[k];
    }
    for (double& s : share) s /= sum;
    return least - std::log(sum);
  }
};

void require_rays(const at::Tensor& lengths, const at::Tensor& measured) {
  TL_CHECK(lengths.dim() == 2 && measured.dim() == 1 && lengths.size(1) == measured.size(0) &&
               lengths.scalar_type() == at::kDouble && measured.scalar_type() == at::kDouble &&
               lengths.is_contiguous() && measured.is_contiguous(),
           "lengths [material, ray] and absorption [ray] are float64");
}

}  // namespace

at::Tensor polychromatic_absorption(const at::Tensor& lengths, const at::Tensor& attenuation,
                                    const at::Tensor& weight) {
  const bool fits = lengths.dim() > 1 && attenuation.dim() == 2 && weight.dim() == 1 &&
                    lengths.size(0) == attenuation.size(0) && attenuation.size(1) == weight.size(0) &&
                    weight.size(0) > 0;
  if (!fits)
    throw Failure(invalid("lengths, attenuations and weights do not fit together", "polychromatic absorption",
                          "Give every material an attenuation at every energy of the spectrum"));
  const std::vector<int64_t> shape(lengths.sizes().begin() + 1, lengths.sizes().end());
  const at::Tensor rays = lengths.reshape({lengths.size(0), -1});
  const at::Tensor share = (weight / weight.sum()).to(lengths.options()).unsqueeze(1);
  const at::Tensor mu = attenuation.to(lengths.options()).t();
  const int64_t together = std::max<int64_t>(1, exponents_at_once / weight.size(0));
  std::vector<at::Tensor> parts;
  for (int64_t first = 0; first < rays.size(1); first += together) {
    const at::Tensor exponent = at::matmul(mu, rays.narrow(1, first, std::min(together, rays.size(1) - first)));
    // Relative to the photons with the smallest absorption, so that nothing underflows.
    const at::Tensor least = std::get<0>(exponent.detach().min(0, true));
    parts.push_back(least.squeeze(0) - at::log((share * at::exp(least - exponent)).sum(0)));
  }
  if (parts.empty()) return at::zeros(shape, lengths.options());
  return (parts.size() == 1 ? parts.front() : at::cat(parts)).reshape(shape);
}

void SpectralModel::sort_bins() {
  std::vector<int64_t> order(static_cast<std::size_t>(bins));
  std::iota(order.begin(), order.end(), 0);
  const SpectralModel old = *this;
  std::stable_sort(order.begin(), order.end(),
                   [&](int64_t a, int64_t b) { return old.at(materials - 1, a) > old.at(materials - 1, b); });
  for (int64_t k = 0; k < bins; ++k) {
    const int64_t from = order[static_cast<std::size_t>(k)];
    weight[static_cast<std::size_t>(k)] = old.weight[static_cast<std::size_t>(from)];
    for (int64_t m = 0; m < materials; ++m) attenuation[static_cast<std::size_t>(m * bins + k)] = old.at(m, from);
  }
}

SpectralModel starting_model(const std::vector<double>& mean, int64_t bins) {
  SpectralModel model;
  model.materials = static_cast<int64_t>(mean.size());
  model.bins = bins;
  for (const double mu : mean)
    for (int64_t k = 0; k < bins; ++k) {
      const double at = bins == 1 ? 0 : 1 - 2 * static_cast<double>(k) / static_cast<double>(bins - 1);
      model.attenuation.push_back(mu * std::pow(factor_of_bins, at));
    }
  model.weight.assign(static_cast<std::size_t>(bins), 1 / static_cast<double>(bins));
  return model;
}

at::Tensor model_absorption(const SpectralModel& model, const at::Tensor& lengths, const CancelToken& cancel) {
  at::Tensor absorption = at::empty({lengths.size(1)}, at::kDouble);
  require_rays(lengths, absorption);
  const int64_t rays = lengths.size(1);
  const double* length = lengths.const_data_ptr<double>();
  double* out = absorption.data_ptr<double>();
  each_block(rays, cancel, [&](int64_t, int64_t first, int64_t last) {
    RayOfModel ray(model);
    for (int64_t r = first; r < last; ++r) out[r] = ray.absorption(length + r, rays);
  });
  return absorption;
}

at::Tensor lengths_of(const at::Tensor& steps) {
  at::Tensor lengths = steps.clone();
  const int64_t n = steps.size(0);
  if (n > 1) lengths.narrow(0, 0, n - 1).sub_(steps.narrow(0, 1, n - 1));
  return lengths;
}

double model_loss(const SpectralModel& model, const at::Tensor& lengths, const at::Tensor& measured,
                  const CancelToken& cancel) {
  require_rays(lengths, measured);
  const int64_t rays = measured.size(0);
  const double* length = lengths.const_data_ptr<double>();
  const double* p = measured.const_data_ptr<double>();
  std::vector<double> sums(static_cast<std::size_t>(blocks_of(rays))), counts(sums.size());
  each_block(rays, cancel, [&](int64_t b, int64_t first, int64_t last) {
    RayOfModel ray(model);
    double sum = 0, count = 0;
    for (int64_t r = first; r < last; ++r) {
      if (!std::isfinite(p[r])) continue;
      const double off = ray.absorption(length + r, rays) - p[r];
      sum += off * off;
      ++count;
    }
    sums[static_cast<std::size_t>(b)] = sum;
    counts[static_cast<std::size_t>(b)] = count;
  });
  return std::accumulate(sums.begin(), sums.end(), 0.0) /
         std::max(1.0, std::accumulate(counts.begin(), counts.end(), 0.0));
}

NormalEquations normal_equations(const SpectralModel& model, const StepViews& views, const at::Tensor& measured,
                                 const CancelToken& cancel) {
  const at::Tensor lengths = lengths_of(views.steps);
  require_rays(lengths, measured);
  const int64_t rays = measured.size(0), materials = model.materials, bins = model.bins;
  const bool moving = views.slopes.defined();
  const int64_t n = materials * bins + bins + (moving ? materials : 0);
  const double* length = lengths.const_data_ptr<double>();
  const double* slope = moving ? views.slopes.const_data_ptr<double>() : nullptr;
  const double* p = measured.const_data_ptr<double>();
  // For each block: upper triangle of the matrix, gradient, loss, count.
  const int64_t width = n * n + n + 2;
  std::vector<double> sums(static_cast<std::size_t>(blocks_of(rays) * width), 0.0);
  each_block(rays, cancel, [&](int64_t b, int64_t first, int64_t last) {
    double* const sum = sums.data() + b * width;
    RayOfModel ray(model);
    std::vector<double> row(static_cast<std::size_t>(n)), mean(static_cast<std::size_t>(materials));
    for (int64_t r = first; r < last; ++r) {
      if (!std::isfinite(p[r])) continue;
      const double off = ray.absorption(length + r, rays) - p[r];
      double* x = row.data();
      for (int64_t m = 0; m < materials; ++m) {
        double& effective = mean[static_cast<std::size_t>(m)];
        effective = 0;
        for (int64_t k = 0; k < bins; ++k) {
          const auto bin = static_cast<std::size_t>(k);
          const double share = model.weight[bin] * ray.share[bin];
          *x++ = share * length[m * rays + r];
          effective += share * model.at(m, k);
        }
      }
      for (int64_t k = 0; k < bins; ++k) *x++ = 1 - ray.share[static_cast<std::size_t>(k)];
      if (moving)
        for (int64_t m = 0; m < materials; ++m) {
          const double below = m > 0 ? mean[static_cast<std::size_t>(m - 1)] : 0;
          *x++ = (mean[static_cast<std::size_t>(m)] - below) * slope[m * rays + r];
        }
      for (int64_t i = 0; i < n; ++i) {
        const double at = row[static_cast<std::size_t>(i)];
        for (int64_t j = i; j < n; ++j) sum[i * n + j] += at * row[static_cast<std::size_t>(j)];
        sum[n * n + i] += at * off;
      }
      sum[n * n + n] += off * off;
      ++sum[n * n + n + 1];
    }
  });
  std::vector<double> total(static_cast<std::size_t>(width), 0.0);
  for (int64_t b = 0; b < blocks_of(rays); ++b)
    for (int64_t i = 0; i < width; ++i)
      total[static_cast<std::size_t>(i)] += sums[static_cast<std::size_t>(b * width + i)];
  const double count = std::max(1.0, total.back());
  for (double& t : total) t /= count;
  NormalEquations e;
  e.unknowns = n;
  e.loss = total[static_cast<std::size_t>(n * n + n)];
  e.gradient.assign(total.begin() + n * n, total.begin() + n * n + n);
  e.matrix.assign(total.begin(), total.begin() + n * n);
  for (int64_t i = 0; i < n; ++i)
    for (int64_t j = 0; j < i; ++j)
      e.matrix[static_cast<std::size_t>(i * n + j)] = e.matrix[static_cast<std::size_t>(j * n + i)];
  return e;
}

}  // namespace tl::solve
