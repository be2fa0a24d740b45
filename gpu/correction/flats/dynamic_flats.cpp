// Corrects with dynamic flats: finds principal components of the flats, and their weights in each view by an L1 fit of
// gradients.
#include "gpu/correction/flats/dynamic_flats.h"

#include <ATen/ATen.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "core/base/random.h"
#include "gpu/correction/flats/flat_field.h"
#include "gpu/correction/sinograms.h"
#include "gpu/device/parallel_for.h"

namespace tl::ops {
namespace {

constexpr int64_t analysed_pixels = 16384;  // pixels for parallel analysis: enough for the eigenvalues of noise
constexpr int trials = 10;
constexpr int steps = 25;           // reweighting steps; on real flats the weights converge to 1e-6 within ten
constexpr double settled = 1e-9;    // largest change of a weight at convergence, in standard deviations
constexpr double min_slope = 1e-6;  // gradient of a logarithm: the weight of smaller gradients is limited

double dot(const double* a, const double* b, int64_t count) {
  double lane[8] = {};
  int64_t i = 0;
  for (; i + 8 <= count; i += 8)
    for (int64_t l = 0; l < 8; ++l) lane[l] += a[i + l] * b[i + l];
  for (; i < count; ++i) lane[0] += a[i] * b[i];
  double sum = 0;
  for (const double l : lane) sum += l;
  return sum;
}

// Inner products of the rows of [n, pixels], in cache-sized pieces and a fixed order.
at::Tensor gram(const at::Tensor& a) {
  constexpr int64_t piece = 2048;
  const int64_t n = a.size(0), pixels = a.size(1);
  at::Tensor out = at::zeros({n, n}, at::kDouble);
  const auto* x = a.const_data_ptr<double>();
  auto* target = out.mutable_data_ptr<double>();
  ops::parallel_for(0, n, 1, [&](int64_t first, int64_t last) {
    for (int64_t p = 0; p < pixels; p += piece)
      for (int64_t i = first; i < last; ++i)
        for (int64_t j = 0; j < n; ++j)  // smaller row index first, so that the matrix is bitwise symmetric
          target[i * n + j] +=
              dot(x + std::min(i, j) * pixels + p, x + std::max(i, j) * pixels + p, std::min(piece, pixels - p));
  });
  return out;
}

// Eigenvalues in descending order.
std::vector<double> spectrum(const at::Tensor& deviations) {
  const at::Tensor values = at::linalg_eigvalsh(gram(deviations)).flip({0}).contiguous();
  return {values.const_data_ptr<double>(), values.const_data_ptr<double>() + values.numel()};
}

int64_t parallel_analysis(const at::Tensor& deviations) {
  const int64_t n = deviations.size(0), pixels = deviations.size(1);
  const int64_t every = std::max<int64_t>(1, pixels / analysed_pixels);
  const at::Tensor few = deviations.slice(1, 0, pixels, every).contiguous();
  const at::Tensor spread = (few.square().sum(at::IntArrayRef{0}) / static_cast<double>(n - 1)).sqrt();
  const std::vector<double> own = spectrum(few);
  std::vector<double> sum(own.size(), 0.0), squares(own.size(), 0.0);
  for (int t = 0; t < trials; ++t) {
    at::Tensor noise = at::empty_like(few);
    const Philox random{17, static_cast<uint64_t>(t)};
    for (int64_t i = 0; i < noise.numel(); ++i)
      noise.mutable_data_ptr<double>()[i] = random.normal(static_cast<uint64_t>(i));
    noise = (noise - noise.mean(at::IntArrayRef{0}, true)) * spread;
    const std::vector<double> found = spectrum(noise);
    for (std::size_t k = 0; k < own.size(); ++k) {
      sum[k] += found[k] / trials;
      squares[k] += found[k] * found[k] / trials;
    }
  }
  int64_t kept = 0;
  for (std::size_t k = 0; k + 1 < own.size(); ++k) {
    const double limit = sum[k] + 2 * std::sqrt(std::max(0.0, squares[k] - sum[k] * sum[k]));
    if (own[k] <= limit) break;
    ++kept;
  }
  return kept;
}

// Solves the small symmetric system in place by elimination with pivoting; undetermined unknowns become 0.
void solve(std::vector<double>& a, std::vector<double>& b) {
  const std::size_t n = b.size();
  double size = 0;
  for (std::size_t i = 0; i < n; ++i) size = std::max(size, std::abs(a[i * n + i]));
  std::vector<bool> used(n, false);
  for (std::size_t step = 0; step < n; ++step) {
    std::size_t best = n;
    for (std::size_t i = 0; i < n; ++i)
      if (!used[i] && (best == n || std::abs(a[i * n + i]) > std::abs(a[best * n + best]))) best = i;
    used[best] = true;
    if (!(std::abs(a[best * n + best]) > 1e-12 * size)) {
      b[best] = 0;
      for (std::size_t i = 0; i < n; ++i) a[i * n + best] = a[best * n + i] = 0;
      a[best * n + best] = 1;
      continue;
    }
    for (std::size_t i = 0; i < n; ++i) {
      if (i == best) continue;
      const double f = a[i * n + best] / a[best * n + best];
      for (std::size_t j = 0; j < n; ++j) a[i * n + j] -= f * a[best * n + j];
      b[i] -= f * b[best];
    }
  }
  for (std::size_t i = 0; i < n; ++i) b[i] /= a[i * n + i];
}

// Sums over blocks of b x b pixels; incomplete last blocks are dropped.
std::vector<double> joined(const double* image, int64_t rows, int64_t cols, int64_t b) {
  std::vector<double> out(static_cast<std::size_t>((rows / b) * (cols / b)), 0.0);
  for (int64_t r = 0; r < rows / b * b; ++r)
    for (int64_t c = 0; c < cols / b * b; ++c)
      out[static_cast<std::size_t>(r / b * (cols / b) + c / b)] += image[r * cols + c];
  return out;
}

// The flat model on binned pixels, and the search for the weights of one view.
class WeightSearch {
 public:
  WeightSearch(const FlatModel& m, int64_t binning) {
    full_rows_ = m.mean.size(0);
    full_cols_ = m.mean.size(1);
    binning_ = std::max<int64_t>(1, std::min({binning, full_rows_ / 2, full_cols_ / 2}));
    rows_ = full_rows_ / binning_;
    cols_ = full_cols_ / binning_;
    usable_ = m.usable.const_data_ptr<bool>();
    mean_ = masked(m.mean.const_data_ptr<double>());
    for (int64_t k = 0; k < m.components.size(0); ++k)
      parts_.push_back(masked(m.components.const_data_ptr<double>() + k * full_rows_ * full_cols_));
  }
  // signal: view - dark.
  [[nodiscard]] std::vector<double> weights(const double* signal) const {
    const std::size_t n = parts_.size();
    const std::vector<double> view = masked(signal);
    std::vector<double> w(n, 0.0);
    for (int step = 0; step < steps && n > 0; ++step) {
      const std::vector<double> before = w;
      improve(view, w);
      double change = 0;
      for (std::size_t k = 0; k < n; ++k) change = std::max(change, std::abs(w[k] - before[k]));
      if (change < settled) break;
    }
    return w;
  }

 private:
  [[nodiscard]] std::vector<double> masked(const double* image) const {
    std::vector<double> kept(static_cast<std::size_t>(full_rows_ * full_cols_));
    for (std::size_t i = 0; i < kept.size(); ++i) kept[i] = usable_[i] && std::isfinite(image[i]) ? image[i] : 0;
    return joined(kept.data(), full_rows_, full_cols_, binning_);
  }
  // One step of reweighted least squares for the gradient of ln(view / flat(w)), with the flat linearized at w.
  void improve(const std::vector<double>& view, std::vector<double>& w) const {
    const std::size_t n = parts_.size(), pixels = view.size();
    std::vector<double> residual(pixels), slopes(pixels * n);
    for (std::size_t i = 0; i < pixels; ++i) {
      double flat = mean_[i];
      for (std::size_t k = 0; k < n; ++k) flat += w[k] * parts_[k][i];
      const bool good = flat > 0 && view[i] > 0;
      residual[i] = good ? std::log(view[i] / flat) : std::nan("");
      for (std::size_t k = 0; k < n; ++k) slopes[i * n + k] = good ? parts_[k][i] / flat : 0;
    }
    std::vector<double> normal(n * n, 0.0), right(n, 0.0), d(n);
    const auto add = [&](std::size_t i, std::size_t j) {
      const double r = residual[j] - residual[i];
      if (!std::isfinite(r)) return;
      const double weight = 1 / std::max(std::abs(r), min_slope);
      for (std::size_t k = 0; k < n; ++k) d[k] = slopes[j * n + k] - slopes[i * n + k];
      for (std::size_t k = 0; k < n; ++k) {
        right[k] += weight * d[k] * r;
        for (std::size_t l = 0; l < n; ++l) normal[k * n + l] += weight * d[k] * d[l];
      }
    };
    const auto cols = static_cast<std::size_t>(cols_);
    for (std::size_t i = 0; i < pixels; ++i) {
      if ((i + 1) % cols != 0) add(i, i + 1);
      if (i + cols < pixels) add(i, i + cols);
    }
    solve(normal, right);
    for (std::size_t k = 0; k < n; ++k) w[k] += right[k];
  }

  int64_t full_rows_ = 0, full_cols_ = 0, binning_ = 1, rows_ = 0, cols_ = 0;
  const bool* usable_ = nullptr;
  std::vector<double> mean_;
  std::vector<std::vector<double>> parts_;
};

}  // namespace

Result<FlatModel> make_flat_model(const FlatModelSpec& spec) {
  const std::string where = "dynamic flat-field";
  if (!spec.flats.defined() || spec.flats.dim() != 3 || spec.flats.size(0) < 2)
    return invalid("principal components need at least two flats", where,
                   "Use the flat-field correction by averaged flats");
  const int64_t n = spec.flats.size(0), rows = spec.flats.size(1), cols = spec.flats.size(2);
  if (spec.darks.defined() &&
      (spec.darks.dim() != 3 || spec.darks.size(0) < 1 || spec.darks.size(1) != rows || spec.darks.size(2) != cols))
    return invalid("flats and darks have different sizes", where);
  if (spec.components && (*spec.components < 0 || *spec.components > n - 1))
    return invalid(std::to_string(*spec.components) + " components of " + std::to_string(n) + " flats", where,
                   "At most one less than there are flats");
  FlatModel m;
  m.dark = spec.darks.defined() ? average_frames(spec.darks, FrameAverage::mean) : at::zeros({rows, cols}, at::kDouble);
  m.mean = average_frames(spec.flats, FrameAverage::mean) - m.dark;
  m.usable = m.mean.gt(0).logical_and(m.mean.isfinite());
  at::Tensor deviations = at::empty({n, rows * cols}, at::kDouble);
  for (int64_t i = 0; i < n; ++i) {
    const at::Tensor one = spec.flats[i].detach().to(at::kDouble) - m.dark - m.mean;
    deviations[i].copy_(at::where(m.usable.logical_and(one.isfinite()), one, at::zeros({}, at::kDouble)).view({-1}));
  }
  const int64_t kept = spec.components ? *spec.components : parallel_analysis(deviations);
  const auto [values, vectors] = at::linalg_eigh(gram(deviations));
  std::vector<at::Tensor> components;
  for (int64_t k = 0; k < kept; ++k) {
    const at::Tensor v = vectors.select(1, n - 1 - k).contiguous();
    at::Tensor c = at::zeros({rows * cols}, at::kDouble);
    for (int64_t i = 0; i < n; ++i) c += v[i] * deviations[i];
    components.push_back(c.view({rows, cols}) / std::sqrt(static_cast<double>(n - 1)));
  }
  m.components = components.empty() ? at::zeros({0, rows, cols}, at::kDouble) : at::stack(components);
  return m;
}

Result<DynamicFlatFieldResult> dynamic_flat_field(const at::Tensor& projections, const FlatModel& model,
                                                  const DynamicFlatsSpec& spec) {
  const std::string where = "dynamic flat-field";
  TL_TRY(check_projections(projections, where));
  const int64_t views = projections.size(0), rows = projections.size(1), cols = projections.size(2);
  if (!model.mean.defined() || !model.mean.sizes().equals({rows, cols}))
    return invalid("the flats have another size than the projections", where);
  if (spec.binning < 1) return invalid("the binning must be 1 or more", where);
  const int64_t kept = model.components.size(0);
  DynamicFlatFieldResult result{at::empty(projections.sizes(), projections.options().requires_grad(false)),
                                at::zeros({views, kept}, at::kDouble)};
  const at::Tensor plain = projections.detach();
  const WeightSearch search(model, spec.binning);
  auto* weights = result.weights.mutable_data_ptr<double>();
  ops::parallel_for(0, views, 1, [&](int64_t first, int64_t last) {
    for (int64_t v = first; v < last; ++v) {
      spec.cancel.check();
      const at::Tensor signal = (plain[v].to(at::kDouble) - model.dark).contiguous();
      const std::vector<double> w = search.weights(signal.const_data_ptr<double>());
      at::Tensor flat = model.mean;
      for (int64_t k = 0; k < kept; ++k) {
        weights[v * kept + k] = w[static_cast<std::size_t>(k)];
        flat = flat + w[static_cast<std::size_t>(k)] * model.components[k];
      }
      const at::Tensor usable = model.usable.logical_and(flat.gt(0)), one = at::ones({}, at::kDouble);
      result.transmission[v].copy_(at::where(usable, signal, one) / at::where(usable, flat, one));
    }
  });
  return result;
}

}  // namespace tl::ops
