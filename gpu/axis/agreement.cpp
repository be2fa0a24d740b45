// Correlates opposite views at every half pixel, and compares the remaining difference with noise and sampling.
#include "gpu/axis/agreement.h"

#include <ATen/ATen.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/base/units.h"
#include "gpu/correction/scan_noise.h"

namespace tl::ops {
namespace {

constexpr double rival_share_of_clearness = 0.6;  // least significance, relative to the best position, and
constexpr double rival_residual = 3;              // largest residual of a rival position, relative to the best one
// The sampling's mismatch on the raster of half pixels: the best position is up to a quarter of a pixel away, and views
// are shifted by half a pixel.
constexpr double raster_mismatch = 6.5e-2;
// Largest residual of a possible axis position, relative to the residual explained by noise and sampling.
constexpr double explained_residual = 3;
constexpr double min_noise = 1e-3;  // relative to the rms absorption of a row

// Noise of slopes that are smoothed by a Gaussian, for noise of variance 1 in the pixels.
double noise_of_slopes(double blur) { return 1 / (4 * std::sqrt(pi) * blur * blur * blur); }

// Ratio of the differences at the axis to those explained by noise and sampling, for the worst smoothing.
double worst_excess(const std::vector<SmoothedAgreement>& tried, double axis) {
  double worst = 0;
  for (const SmoothedAgreement& c : tried) worst = std::max(worst, c.excess_near(axis));
  return worst;
}

}  // namespace

int64_t margin_of(double blur) { return static_cast<int64_t>(std::ceil(2 * blur)); }

PixelNoise pixel_noise(const at::Tensor& data) {
  PixelNoise noise;
  std::vector<at::Tensor> rows;
  for (int64_t r = 0; r < data.size(0); ++r) {
    const at::Tensor row = data[r], shape = row.clamp(-20, 20).exp();
    const double level = independent_noise_level(row, shape);
    const at::Tensor own = level * level * shape;
    const double shared = shared_noise_variance(row, own);
    const double least = min_noise * min_noise * row.square().mean().item<double>();
    rows.push_back(own + shared + least);
    noise.variance_floor += least;
    noise.shared += shared / static_cast<double>(data.size(0));
  }
  noise.variance = at::stack(rows, 0);
  return noise;
}

ExpectedNoise expected_noise(const FilteredOppositePairs& f, const OppositePairPlan& plan, const PixelNoise& pixels) {
  const double gain = noise_of_slopes(f.blur());
  const PairNoise of_pairs = noise_of_pairs(pixels.variance, plan);
  ExpectedNoise e{gain * of_pairs.right, gain * of_pairs.left, 0};
  for (const ViewSum& sum : plan.right)
    for (const auto& [view, weight] : sum) e.variance_floor += gain * pixels.variance_floor * weight * weight;
  if (plan.full) return e;
  const at::Tensor inside =
      0.5 * static_cast<double>(plan.right.size()) * (f.inside_right() - f.inside_left()).square().mean(0).sum(0);
  return {at::maximum(e.right, inside), at::maximum(e.left, inside), e.variance_floor};
}

Agreement agreement_of(const FilteredOppositePairs& f, const ExpectedNoise& noise) {
  const at::Tensor right = f.right(), left = f.left(0).flip({2});
  const int64_t w = right.size(2), length = 2 * w, margin = margin_of(f.blur());
  at::Tensor mask = at::zeros({w}, at::kDouble);
  if (w > 2 * margin) mask.slice(0, margin, w - margin).fill_(1);
  const auto spectrum = [&](const at::Tensor& x) { return at::fft_rfft(x, length, -1); };
  const auto back = [&](const at::Tensor& x) {
    return at::fft_irfft(x, length, 0).slice(0, 0, 2 * w - 1).contiguous();
  };
  const at::Tensor r = right * mask, l = left * mask, one = spectrum(mask);
  const at::Tensor product = back((spectrum(r) * spectrum(l)).sum(at::IntArrayRef{0, 1}));
  const at::Tensor own = back(spectrum(r.square().sum(at::IntArrayRef{0, 1})) * one);
  const at::Tensor other = back(spectrum(l.square().sum(at::IntArrayRef{0, 1})) * one);
  const at::Tensor count = back(one * one).round().contiguous();
  const at::Tensor noises = back((spectrum(noise.right * mask) + spectrum(noise.left * mask)) * one);
  Agreement a;
  const double *p = product.const_data_ptr<double>(), *x = own.const_data_ptr<double>(),
               *y = other.const_data_ptr<double>(), *n = count.const_data_ptr<double>(),
               *e = noises.const_data_ptr<double>();
  const double together = static_cast<double>(std::min<int64_t>(right.size(0) * right.size(1), 8));
  const double fewest = std::max(6.0, 2 * f.blur()), sampling = raster_mismatch / (f.blur() * f.blur());
  for (int64_t m = 0; m < 2 * w - 1; ++m) {
    if (n[m] < fewest) continue;
    const double nothing = n[m] * noise.variance_floor + 1e-150;
    const double correlation = p[m] / std::sqrt((x[m] + nothing) * (y[m] + nothing));
    // Neighbouring columns of a smoothed derivative are correlated.
    const double independent = std::max(n[m] * together / (4 * f.blur()), 3.5);
    a.axis.push_back(0.5 * static_cast<double>(m - (w - 1)));
    a.correlation.push_back(correlation);
    a.significance.push_back(std::atanh(std::clamp(correlation, -0.9999, 0.9999)) * std::sqrt(independent - 3));
    a.residual.push_back((x[m] + y[m] - 2 * p[m]) / n[m]);
    a.expected.push_back(std::max(e[m], 0.0) / n[m]);
    a.energy.push_back((x[m] + y[m]) / n[m]);
    const double explained = a.expected.back() + sampling * a.energy.back();
    a.excess.push_back(a.residual.back() / std::max(explained, 1e-300) / (1 + 3 * std::sqrt(2 / independent)));
  }
  if (!a.significance.empty())
    a.best = static_cast<std::size_t>(std::max_element(a.significance.begin(), a.significance.end()) -
                                      a.significance.begin());
  return a;
}

double SmoothedAgreement::correlation_near(double axis) const {
  double most = -1;
  for (std::size_t i = 0; i < agreement.axis.size(); ++i)
    if (std::abs(agreement.axis[i] - axis) <= 1) most = std::max(most, agreement.correlation[i]);
  return most;
}

double SmoothedAgreement::excess_near(double axis) const {
  double least = -1;
  bool there = false;  // enough columns at exactly this position of the raster
  for (std::size_t i = 0; i < agreement.axis.size(); ++i) {
    const double away = std::abs(agreement.axis[i] - axis);
    there = there || away < 0.3;
    if (away <= 1 && (least < 0 || agreement.excess[i] < least)) least = agreement.excess[i];
  }
  return there ? std::max(least, 0.0) : 0;
}

double SmoothedAgreement::explained_near(double axis) const {
  std::size_t nearest = 0;
  for (std::size_t i = 1; i < agreement.axis.size(); ++i)
    if (std::abs(agreement.axis[i] - axis) < std::abs(agreement.axis[nearest] - axis)) nearest = i;
  return agreement.expected[nearest] + sampling_mismatch / (blur * blur) * agreement.energy[nearest];
}

bool Agreement::is_top(std::size_t i) const {
  return i > 0 && i + 1 < axis.size() && correlation[i] >= correlation[i - 1] && correlation[i] >= correlation[i + 1];
}

std::size_t choose_position(std::vector<SmoothedAgreement>& tried) {
  std::size_t clearest = 0;
  for (std::size_t k = 1; k < tried.size(); ++k)
    if (tried[k].significance > tried[clearest].significance) clearest = k;
  const Agreement& most = tried[clearest].agreement;
  if (worst_excess(tried, most.axis[most.best]) <= explained_residual) return clearest;
  double significance = clear_agreement;
  std::optional<std::pair<std::size_t, std::size_t>> explained;
  for (std::size_t k = 0; k < tried.size(); ++k) {
    const Agreement& a = tried[k].agreement;
    for (std::size_t i = 0; i < a.axis.size(); ++i)
      if (a.significance[i] > significance && a.is_top(i) && worst_excess(tried, a.axis[i]) <= explained_residual) {
        significance = a.significance[i];
        explained = {k, i};
      }
  }
  if (!explained) return clearest;
  tried[explained->first].agreement.best = explained->second;
  tried[explained->first].significance = significance;
  return explained->first;
}

std::optional<double> rival_position(const std::vector<SmoothedAgreement>& tried, const SmoothedAgreement& chosen) {
  const Agreement& a = chosen.agreement;
  const double best_excess = worst_excess(tried, a.axis[a.best]);
  const bool explained = best_excess <= explained_residual;
  for (std::size_t i = 1; i + 1 < a.axis.size(); ++i) {
    if (!a.is_top(i) || std::abs(a.axis[i] - a.axis[a.best]) <= 0.5 + chosen.blur) continue;
    if (a.significance[i] <= rival_share_of_clearness * a.significance[a.best]) continue;
    const bool as_good = explained ? worst_excess(tried, a.axis[i]) < std::max(1.0, rival_residual * best_excess)
                                   : a.residual[i] < rival_residual * std::max(a.residual[a.best], 0.0);
    if (as_good) return a.axis[i];
  }
  return {};
}

}  // namespace tl::ops
