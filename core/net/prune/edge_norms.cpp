// Power spectra of kernels, from their autocorrelations: of millions of 3 x 3 kernels 13 numbers each, times cosines.
#include "core/net/prune/edge_norms.h"

#include <ATen/ATen.h>

#include <algorithm>
#include <cmath>

#include "gpu/device/parallel_for.h"

namespace tl::net {
namespace {

// One half of the lags (shifts) of a kernel's autocorrelation: the other half mirrors it; the last one is the zero
// shift.
struct Lags {
  int64_t edge, dims;                       // of the kernels
  std::vector<std::vector<int64_t>> shift;  // by lag and axis

  Lags(int64_t edge_, int64_t dims_) : edge(edge_), dims(dims_) {
    std::vector<int64_t> lag(static_cast<std::size_t>(dims), 1 - edge);
    while (true) {
      shift.push_back(lag);
      if (std::all_of(lag.begin(), lag.end(), [](int64_t l) { return l == 0; })) break;
      for (std::size_t axis = lag.size(); axis-- > 0;) {
        if (++lag[axis] < edge) break;
        lag[axis] = 1 - edge;
      }
    }
  }
  [[nodiscard]] auto count() const { return static_cast<int64_t>(shift.size()); }
};

// [lag, kernel] for kernels [spatial axes, kernel]. Summed over the polyphase kernels, a stride removes the products of
// elements in different phases: the lags that are not multiples of the stride.
at::Tensor autocorrelation(const at::Tensor& taps, const Lags& lags, int64_t spacing, int64_t stride) {
  at::Tensor products = at::zeros({lags.count(), taps.size(-1)}, at::kDouble);
  for (int64_t i = 0; i < lags.count(); ++i) {
    const auto& shift = lags.shift[static_cast<std::size_t>(i)];
    if (std::any_of(shift.begin(), shift.end(), [&](int64_t s) { return s * spacing % stride != 0; })) continue;
    at::Tensor one = taps, other = taps;
    for (int64_t axis = 0; axis < lags.dims; ++axis) {
      const int64_t s = shift[static_cast<std::size_t>(axis)], common = lags.edge - std::abs(s);
      one = one.narrow(axis, std::max<int64_t>(s, 0), common);
      other = other.narrow(axis, std::max<int64_t>(-s, 0), common);
    }
    at::Tensor row = products[i];
    at::sum_out(row, (one * other).flatten(0, -2), 0);
  }
  return products;
}

// [frequency, lag]: the contribution of each lag of one half to the power at each frequency. Along the last axis only
// half of the frequencies, because the power of real kernels is symmetric.
at::Tensor cosines(const Lags& lags, int64_t frequencies) {
  const at::Tensor step = at::arange(frequencies, at::kDouble) * (2 * M_PI / static_cast<double>(frequencies));
  std::vector<at::Tensor> columns;
  for (const auto& shift : lags.shift) {
    at::Tensor angle = at::zeros({1}, at::kDouble);
    for (int64_t axis = 0; axis < lags.dims; ++axis) {
      const at::Tensor along = axis + 1 < lags.dims ? step : step.narrow(0, 0, frequencies / 2 + 1);
      angle = angle.unsqueeze(-1) + along * static_cast<double>(shift[static_cast<std::size_t>(axis)]);
    }
    columns.push_back(angle.cos().flatten() * 2);
  }
  columns.back() /= 2;
  return at::stack(columns, 1);
}

// [frequency, kernel]: the power at the same frequencies, by Fourier transforms of [lag, kernel]: for few kernels with
// many taps.
at::Tensor power_by_fft(const at::Tensor& products, const Lags& lags, int64_t frequencies) {
  const at::Tensor mirrored = products.narrow(0, 0, lags.count() - 1).flip(0);
  const auto dims = static_cast<std::size_t>(lags.dims);
  std::vector<int64_t> shape(dims, 2 * lags.edge - 1), axes(dims);
  shape.insert(shape.begin(), -1);
  for (std::size_t axis = 0; axis < dims; ++axis) axes[axis] = static_cast<int64_t>(axis) + 1;
  const at::Tensor whole = at::cat({products, mirrored}).t().reshape(shape);
  // The centre is not at the first pixel, which rotates phases, but not amplitudes; power is never negative.
  return at::fft_rfftn(whole, std::vector<int64_t>(dims, frequencies), axes).abs().flatten(1).t();
}

// The power of each kernel as a continuous function of frequency.
class Power {
 public:
  // products: [lag, kernel].
  Power(const Lags& lags, const at::Tensor& products) : products_(products.clone()) {
    std::vector<at::Tensor> rows;
    for (const auto& shift : lags.shift)
      rows.push_back(at::tensor(std::vector<double>(shift.begin(), shift.end()), at::kDouble));
    lags_ = at::stack(rows);
    products_.narrow(0, 0, lags.count() - 1).mul_(2);
  }
  // [kernel] at frequencies [kernel, axis].
  [[nodiscard]] at::Tensor at(const at::Tensor& frequency) const {
    return (products_ * angles(frequency).cos()).sum(0);
  }
  // Newton's step towards the maximum, [kernel, axis]; not finite where the power is flat.
  [[nodiscard]] at::Tensor step(const at::Tensor& frequency) const {
    const at::Tensor angle = angles(frequency);
    const at::Tensor slope = -at::matmul((products_ * angle.sin()).t(), lags_);
    const at::Tensor weights = -(products_ * angle.cos()).t().unsqueeze(1);  // [kernel, 1, lag]
    const at::Tensor curvature = at::matmul(weights * lags_.t(), lags_);
    return -std::get<0>(at::linalg_solve_ex(curvature, slope));
  }

 private:
  [[nodiscard]] at::Tensor angles(const at::Tensor& frequency) const { return at::matmul(lags_, frequency.t()); }
  at::Tensor lags_, products_;  // [lag, axis], [lag, kernel]
};

// The largest power of each kernel [kernel] from samples [frequency, kernel]: by Newton's method from the two highest
// bands of the first axis, which is divided into as many bands as there can be peaks; between samples, a lower band may
// have the higher peak.
at::Tensor largest_power(const at::Tensor& samples, const Power& power, const Lags& lags, int64_t frequencies) {
  const int64_t kernels = samples.size(1), row = samples.size(0) / frequencies;
  const int64_t bands = std::min(2 * lags.edge, frequencies), kept = std::min<int64_t>(bands, 2);
  std::vector<at::Tensor> values, places;
  for (int64_t b = 0; b < bands; ++b) {
    const int64_t begin = frequencies * b / bands * row, end = frequencies * (b + 1) / bands * row;
    const auto [value, place] = at::max(samples.narrow(0, begin, end - begin), 0);
    values.push_back(value);
    places.push_back(place + begin);
  }
  const auto [value, band] = at::topk(at::stack(values), kept, 0);
  const at::Tensor place = at::stack(places).gather(0, band);
  at::Tensor best = at::zeros({kernels}, at::kDouble);
  const double spacing = 2 * M_PI / static_cast<double>(frequencies);
  constexpr int newton_steps = 4;  // each doubles the number of digits: from 1/64 of a period to rounding error
  for (int64_t k = 0; k < kept; ++k) {
    std::vector<at::Tensor> axes;  // converts the index of a sample to frequencies, the last axis first
    at::Tensor rest = place[k];
    for (int64_t axis = lags.dims; axis-- > 0;) {
      const int64_t length = axis + 1 == lags.dims ? frequencies / 2 + 1 : frequencies;
      axes.insert(axes.begin(), rest.remainder(length).to(at::kDouble) * spacing);
      rest = at::floor_divide(rest, length);
    }
    at::Tensor frequency = at::stack(axes, 1), highest = value[k];
    for (int s = 0; s < newton_steps; ++s) {
      const at::Tensor next = frequency + power.step(frequency).clamp(-spacing, spacing), there = power.at(next);
      const at::Tensor better = there > highest;  // false if the step is not finite
      highest = at::where(better, there, highest);
      frequency = at::where(better.unsqueeze(1), next, frequency);
    }
    best = at::maximum(best, highest);
  }
  return best;
}

}  // namespace

at::Tensor operator_norms(const at::Tensor& kernels, int64_t dilation, int64_t stride, const CancelToken& cancel) {
  const int64_t dims = kernels.dim() - 1, count = kernels.size(0), edge = kernels.size(1);
  // Each element of the kernel is in a phase of its own.
  if (edge == 1 || (stride >= edge && dilation == 1)) return kernels.flatten(1).to(at::kDouble).square().sum(1).sqrt();
  const Lags lags(edge, dims);
  const int64_t frequencies =
      dims == 2 ? std::clamp<int64_t>(12 * edge, 64, 1024) : std::clamp<int64_t>(6 * edge, 24, 128);
  int64_t spectrum = frequencies / 2 + 1;
  for (int64_t axis = 1; axis < dims; ++axis) spectrum *= frequencies;
  constexpr int64_t max_cosines = 1 << 20, numbers_at_a_time = 1 << 18;
  const bool by_cosines = lags.count() <= max_cosines / spectrum;
  const at::Tensor factors = by_cosines ? cosines(lags, frequencies) : at::Tensor();
  const int64_t chunk = std::max<int64_t>(numbers_at_a_time / spectrum, 1), chunks = (count + chunk - 1) / chunk;
  at::Tensor norms = at::zeros({count}, at::kDouble);
  ops::parallel_for(0, chunks, 1, [&](int64_t begin, int64_t end) {
    for (int64_t c = begin; c < end; ++c) {
      cancel.check();
      const int64_t first = c * chunk, n = std::min(chunk, count - first);
      const at::Tensor taps = kernels.narrow(0, first, n).to(at::kDouble).movedim(0, -1).contiguous();
      const at::Tensor products = autocorrelation(taps, lags, dilation, stride);
      const at::Tensor samples = by_cosines ? at::matmul(factors, products) : power_by_fft(products, lags, frequencies);
      norms.narrow(0, first, n).copy_(largest_power(samples, Power(lags, products), lags, frequencies).sqrt());
    }
  });
  return norms;
}

at::Tensor channel_factors(const Network& network, const Layer& l, int64_t channels) {
  const auto all = [&](double factor) { return at::full({channels}, factor, at::kDouble); };
  const std::vector<int64_t> box(static_cast<std::size_t>(network.dims), l.kernel);
  switch (row_of(l.kind).gain) {
    case Gain::one: break;
    case Gain::statistics: {
      const auto tensor = [&](const std::string& name) { return network.tensors.at(name).to(at::kDouble); };
      return tensor(l.weight).abs() / (tensor(l.variance) + l.epsilon).sqrt();
    }
    case Gain::window: {
      at::Tensor kernel = at::ones(box, at::kDouble);
      kernel /= static_cast<double>(kernel.numel());
      return all(operator_norms(kernel.unsqueeze(0), 1, l.stride).item<double>());
    }
    case Gain::pixels:
      // Resizing to another layer's size has the same factor for all channels, after the last filters; it does not
      // influence the choice of a path.
      return all(l.inputs.size() > 1 ? 1
                                     : std::pow(static_cast<double>(l.stride), static_cast<double>(network.dims) / 2));
  }
  return all(1);
}

std::size_t batch_norm_fed_only_by(const Network& network, std::size_t layer) {
  const std::vector<bool> used = used_layers(network);
  std::size_t reader = 0;
  for (std::size_t i = layer + 1; i < used.size(); ++i) {
    const auto& inputs = network.layers[i].inputs;
    if (!used[i] || std::count(inputs.begin(), inputs.end(), static_cast<int64_t>(layer)) == 0) continue;
    if (reader != 0) return 0;
    reader = i;
  }
  return reader != 0 && network.layers[reader].kind == LayerKind::batch_norm ? reader : 0;
}

EdgeMatrices operator_norms_of(const Network& network, const CancelToken& cancel) {
  EdgeMatrices norms;
  for (const std::size_t i : filter_layers(network)) {
    const Layer& l = network.layers[i];
    const at::Tensor filters = filters_of(network, l), kernels = filters.flatten(0, 1);
    // A map becomes one number, or a pixel a square: each weight is multiplied with one pixel only.
    const bool one_pixel = !row_of(l.kind).has_window();
    at::Tensor norm = one_pixel ? kernels.flatten(1).to(at::kDouble).square().sum(1).sqrt()
                                : operator_norms(kernels, l.dilation, l.stride, cancel);
    norm = norm.view({filters.size(0), filters.size(1)});
    if (const std::size_t b = batch_norm_fed_only_by(network, i); b != 0)
      norm = norm * channel_factors(network, network.layers[b], filters.size(0)).unsqueeze(1);
    norms[l.name] = norm.contiguous();
  }
  return norms;
}

EdgeMatrices l1_norms_of(const Network& network) {
  EdgeMatrices norms;
  for (const std::size_t i : filter_layers(network)) {
    const at::Tensor filters = filters_of(network, network.layers[i]);
    norms[network.layers[i].name] = filters.to(at::kDouble).abs().flatten(2).sum(2).contiguous();
  }
  return norms;
}

}  // namespace tl::net
