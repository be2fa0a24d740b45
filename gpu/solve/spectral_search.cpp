// Searches for the best thresholds for a given model among levels whose views are computed once.
#include <ATen/ATen.h>

#include <algorithm>
#include <cmath>

#include "core/base/error.h"
#include "gpu/device/parallel_for.h"
#include "gpu/solve/spectral_fit.h"

namespace tl::solve {
namespace {

constexpr int64_t rays_at_once = 256;

// Sums of squares for all pairs (first, second > first) of levels. The transmission is a product of a factor of the
// first level and one of the second, so that only the exponentials of single levels are needed for levels^2 pairs.
struct PairTable {
  const SpectralModel& model;
  const double *step, *measured;
  int64_t levels, rays;

  void add(int64_t first, int64_t last, std::vector<double>& sums) const {
    const int64_t n = last - first, bins = model.bins;
    std::vector<double> outer(static_cast<std::size_t>(levels * bins * n)), inner(outer.size());
    for (int64_t l = 0; l < levels; ++l)
      for (int64_t k = 0; k < bins; ++k)
        for (int64_t r = 0; r < n; ++r) {
          const double length = step[l * rays + first + r];
          const auto at = static_cast<std::size_t>((l * bins + k) * n + r);
          outer[at] = model.weight[static_cast<std::size_t>(k)] * std::exp(-model.at(0, k) * length);
          inner[at] = std::exp((model.at(0, k) - model.at(1, k)) * length);
        }
    std::vector<double> transmitted(static_cast<std::size_t>(n));
    for (int64_t a = 0; a < levels; ++a)
      for (int64_t b = a + 1; b < levels; ++b) {
        std::fill(transmitted.begin(), transmitted.end(), 0.0);
        for (int64_t k = 0; k < bins; ++k) {
          const double* const from = outer.data() + (a * bins + k) * n;
          const double* const with = inner.data() + (b * bins + k) * n;
          for (int64_t r = 0; r < n; ++r) transmitted[static_cast<std::size_t>(r)] += from[r] * with[r];
        }
        double sum = 0;
        for (int64_t r = 0; r < n; ++r) {
          const double p = measured[first + r];
          if (!std::isfinite(p)) continue;
          const double off = -std::log(transmitted[static_cast<std::size_t>(r)]) - p;
          sum += off * off;
        }
        sums[static_cast<std::size_t>(a * levels + b)] += sum;
      }
  }
};

ThresholdSearch best_pair(const at::Tensor& steps, const at::Tensor& measured, const SpectralModel& model,
                          const CancelToken& cancel) {
  const int64_t levels = steps.size(0), rays = steps.size(1), blocks = (rays + rays_at_once - 1) / rays_at_once;
  const PairTable table{model, steps.const_data_ptr<double>(), measured.const_data_ptr<double>(), levels, rays};
  // A fixed number of parts, added in order: the same bits with any number of threads.
  constexpr int64_t parts = 16;
  std::vector<std::vector<double>> sums(parts, std::vector<double>(static_cast<std::size_t>(levels * levels), 0.0));
  ops::parallel_for(0, parts, 1, [&](int64_t begin, int64_t end) {
    for (int64_t part = begin; part < end; ++part)
      for (int64_t b = blocks * part / parts; b < blocks * (part + 1) / parts; ++b) {
        cancel.check();
        table.add(b * rays_at_once, std::min(rays, (b + 1) * rays_at_once), sums[static_cast<std::size_t>(part)]);
      }
  });
  double least = 0;
  ThresholdSearch best;
  for (int64_t a = 0; a < levels; ++a)
    for (int64_t b = a + 1; b < levels; ++b) {
      double sum = 0;
      for (const auto& part : sums) sum += part[static_cast<std::size_t>(a * levels + b)];
      ++best.evaluations;
      if (!best.levels.empty() && !(sum < least)) continue;
      least = sum;
      best.levels = {static_cast<std::size_t>(a), static_cast<std::size_t>(b)};
    }
  const auto finite = measured.isfinite().sum().item<int64_t>();
  best.loss = least / static_cast<double>(std::max<int64_t>(1, finite));
  return best;
}

}  // namespace

ThresholdSearch search_thresholds(const at::Tensor& steps, const at::Tensor& measured, const SpectralModel& model,
                                  std::vector<std::size_t> start, const CancelToken& cancel) {
  const auto levels = static_cast<std::size_t>(steps.size(0));
  TL_CHECK(!start.empty() && start.size() <= levels && steps.is_contiguous() && steps.scalar_type() == at::kDouble,
           "levels are float64, and at least as many as thresholds");
  if (start.size() == 2) return best_pair(steps, measured, model, cancel);
  ThresholdSearch best;
  best.levels = std::move(start);
  const auto loss_of = [&](const std::vector<std::size_t>& chosen) {
    ++best.evaluations;
    const std::vector<int64_t> rows(chosen.begin(), chosen.end());
    return model_loss(model, lengths_of(steps.index_select(0, at::tensor(rows, at::kLong))), measured, cancel);
  };
  best.loss = loss_of(best.levels);
  for (bool improved = true; improved;) {
    improved = false;
    for (std::size_t k = 0; k < best.levels.size(); ++k) {
      const std::size_t first = k > 0 ? best.levels[k - 1] + 1 : 0;
      const std::size_t last = k + 1 < best.levels.size() ? best.levels[k + 1] : levels;
      for (std::size_t l = first; l < last; ++l) {
        std::vector<std::size_t> chosen = best.levels;
        chosen[k] = l;
        const double loss = loss_of(chosen);
        if (!(loss < best.loss)) continue;
        best.loss = loss;
        best.levels = std::move(chosen);
        improved = true;
      }
    }
  }
  return best;
}

}  // namespace tl::solve
