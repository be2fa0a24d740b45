// Spectra of kernels, as products with the matrix of the Fourier transform: quicker than FFTs of so few pixels.
#include "core/net/prune/edge_norms.h"

#include <ATen/ATen.h>

#include <algorithm>
#include <cmath>

namespace tl::net {
namespace {

// [tap, frequency], taps `spacing` apart.
at::Tensor fourier_matrix(int64_t taps, int64_t spacing, int64_t frequencies) {
  const at::Tensor positions = at::arange(taps, at::kDouble) * static_cast<double>(spacing);
  const at::Tensor angles = at::arange(frequencies, at::kDouble) * (-2 * M_PI / static_cast<double>(frequencies));
  const at::Tensor phase = positions.unsqueeze(1) * angles.unsqueeze(0);
  return at::complex(phase.cos(), phase.sin());
}

// Squares of the amplitudes, [n, frequencies].
at::Tensor power_spectrum(const at::Tensor& kernels, int64_t spacing, int64_t frequencies) {
  const int64_t dims = kernels.dim() - 1;
  const at::Tensor matrix = fourier_matrix(kernels.size(1), spacing, frequencies);
  at::Tensor x = at::complex(kernels, at::zeros_like(kernels));
  for (int64_t axis = 1; axis <= dims; ++axis) {
    // Of real kernels one half of the spectrum mirrors the other.
    const at::Tensor m = axis == dims ? matrix.narrow(1, 0, frequencies / 2 + 1) : matrix;
    x = at::matmul(x.movedim(axis, -1), m).movedim(-1, axis);
  }
  return at::view_as_real(x.contiguous()).square().sum(-1).flatten(1);
}

// The taps whose position along each axis has that phase; empty if there are none.
at::Tensor taps_of_phase(const at::Tensor& kernels, int64_t spacing, int64_t stride, int64_t phase) {
  at::Tensor part = kernels;
  for (int64_t axis = 1; axis < kernels.dim(); ++axis, phase /= stride) {
    at::Tensor here = at::arange(kernels.size(axis), at::kLong).mul(spacing).remainder(stride).eq(phase % stride);
    if (!here.any().item<bool>()) return {};
    std::vector<int64_t> shape(static_cast<std::size_t>(kernels.dim()), 1);
    shape[static_cast<std::size_t>(axis)] = -1;
    part = part * here.view(shape);
  }
  return part;
}

}  // namespace

at::Tensor operator_norms(const at::Tensor& kernels, int64_t dilation, int64_t stride, const CancelToken& cancel) {
  const int64_t dims = kernels.dim() - 1, count = kernels.size(0), edge = kernels.size(1);
  const at::Tensor taps = kernels.to(at::kDouble);
  const int64_t spacing = stride == 1 ? 1 : dilation, span = spacing * (edge - 1) + 1;
  // Each tap in a phase of its own.
  if (edge == 1 || (spacing == 1 && stride >= edge)) return taps.flatten(1).square().sum(1).sqrt();
  const int64_t frequencies =
      dims == 2 ? std::clamp<int64_t>(12 * span, 64, 1024) : std::clamp<int64_t>(6 * span, 24, 128);
  const auto phases = static_cast<int64_t>(std::pow(stride, dims));
  constexpr int64_t numbers_at_a_time = 1 << 20;
  const int64_t chunk = std::max<int64_t>(numbers_at_a_time / static_cast<int64_t>(std::pow(frequencies, dims)), 1);
  at::Tensor norms = at::zeros({count}, at::kDouble);
  for (int64_t first = 0; first < count; first += chunk) {
    cancel.check();
    const at::Tensor some = taps.narrow(0, first, std::min(chunk, count - first));
    at::Tensor power;
    for (int64_t phase = 0; phase < phases; ++phase) {
      const at::Tensor part = taps_of_phase(some, spacing, stride, phase);
      if (!part.defined()) continue;
      const at::Tensor more = power_spectrum(part, spacing, frequencies);
      power = power.defined() ? power + more : more;
    }
    norms.narrow(0, first, some.size(0)).copy_(power.amax(1).sqrt());
  }
  return norms;
}

at::Tensor channel_factors(const Network& network, const Layer& l, int64_t channels) {
  const auto all = [&](double factor) { return at::full({channels}, factor, at::kDouble); };
  const std::vector<int64_t> box(static_cast<std::size_t>(network.dims), l.kernel);
  switch (l.kind) {
    case LayerKind::batch_norm: {
      const auto tensor = [&](const std::string& name) { return network.tensors.at(name).to(at::kDouble); };
      return tensor(l.weight).abs() / (tensor(l.variance) + l.epsilon).sqrt();
    }
    case LayerKind::average_pool: {
      at::Tensor kernel = at::ones(box, at::kDouble);
      kernel /= static_cast<double>(kernel.numel());
      return all(operator_norms(kernel.unsqueeze(0), 1, l.stride).item<double>());
    }
    case LayerKind::resize:
      // To the size of another layer: that of all channels alike, behind the last filters; it chooses no path.
      return all(l.inputs.size() > 1 ? 1
                                     : std::pow(static_cast<double>(l.stride), static_cast<double>(network.dims) / 2));
    default:
      return all(1);
  }
}

std::size_t own_batch_norm(const Network& network, std::size_t layer) {
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
    // A map becomes one number, or a pixel a square: each weight meets one pixel only.
    const bool one_pixel = l.kind != LayerKind::convolution;
    at::Tensor norm = one_pixel ? kernels.flatten(1).to(at::kDouble).square().sum(1).sqrt()
                                : operator_norms(kernels, l.dilation, l.stride, cancel);
    norm = norm.view({filters.size(0), filters.size(1)});
    if (const std::size_t b = own_batch_norm(network, i); b != 0)
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
