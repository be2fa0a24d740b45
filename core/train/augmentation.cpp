// Varies a sample: rotation, mirroring, displacement, blurring, added noise.
#include <ATen/ATen.h>

#include <algorithm>
#include <cmath>

#include "core/train/sampling.h"
#include "gpu/image/gaussian_filter.h"

namespace tl::train {
namespace {

void rotate(Sample& s, Draws& draws) {
  const bool square = s.target.size(-1) == s.target.size(-2);
  const int64_t turns = square ? draws.below(4) : 2 * draws.below(2);
  s.input = s.input.rot90(turns, {-2, -1});
  s.target = s.target.rot90(turns, {-2, -1});
}

void mirror(Sample& s, Draws& draws) {
  for (int64_t axis = -s.target.dim(); axis < 0; ++axis)
    if (draws.uniform() < 0.5) {
      s.input = s.input.flip(axis);
      s.target = s.target.flip(axis);
    }
}

// Displacements along y and x of every pixel, interpolated linearly on a coarse lattice.
at::Tensor displacements(const Augmentation& a, int64_t ny, int64_t nx, Draws& draws) {
  const auto nodes = [&](int64_t n) { return 2 + static_cast<int64_t>(static_cast<double>(n) / a.elastic_length); };
  at::Tensor coarse = at::empty({1, 2, nodes(ny), nodes(nx)}, at::kFloat);
  auto* at = coarse.mutable_data_ptr<float>();
  for (int64_t i = 0; i < coarse.numel(); ++i) at[i] = static_cast<float>(draws.between(-a.elastic, a.elastic));
  return at::upsample_bilinear2d(coarse, {ny, nx}, true)[0].contiguous();
}

// Values by linear interpolation, labels from the nearest pixel.
void displace(Sample& s, const Augmentation& a, Draws& draws) {
  const int64_t ny = s.target.size(0), nx = s.target.size(1);
  const at::Tensor by = displacements(a, ny, nx, draws);
  s.input = s.input.contiguous();
  s.target = s.target.contiguous();
  const auto* move = by.const_data_ptr<float>();
  Sample moved{at::empty_like(s.input), at::empty_like(s.target)};
  const int64_t channels = s.input.size(0);
  const auto* from = s.input.const_data_ptr<float>();
  const auto* numbers = s.target.const_data_ptr<int64_t>();
  auto* to = moved.input.mutable_data_ptr<float>();
  auto* target = moved.target.mutable_data_ptr<int64_t>();
  for (int64_t j = 0; j < ny; ++j)
    for (int64_t i = 0; i < nx; ++i) {
      const double y = std::clamp(static_cast<double>(j) + static_cast<double>(move[j * nx + i]), 0.0,
                                  static_cast<double>(ny - 1)),
                   x = std::clamp(static_cast<double>(i) + static_cast<double>(move[(ny + j) * nx + i]), 0.0,
                                  static_cast<double>(nx - 1));
      const auto j0 = static_cast<int64_t>(y), i0 = static_cast<int64_t>(x);
      const int64_t j1 = std::min(j0 + 1, ny - 1), i1 = std::min(i0 + 1, nx - 1);
      const auto wy = static_cast<float>(y - static_cast<double>(j0)),
                 wx = static_cast<float>(x - static_cast<double>(i0));
      for (int64_t c = 0; c < channels; ++c) {
        const float* map = from + c * ny * nx;
        to[(c * ny + j) * nx + i] = (1 - wy) * ((1 - wx) * map[j0 * nx + i0] + wx * map[j0 * nx + i1]) +
                                    wy * ((1 - wx) * map[j1 * nx + i0] + wx * map[j1 * nx + i1]);
      }
      target[j * nx + i] = numbers[std::llround(y) * nx + std::llround(x)];
    }
  s = std::move(moved);
}

void blur(Sample& s, double sigma) {
  at::Tensor boxes = s.input.contiguous();
  const bool is_plane = s.target.dim() == 2;
  ops::GaussianSpec spec;
  spec.nz = is_plane ? 1 : s.target.size(0);
  spec.ny = s.target.size(-2);
  spec.nx = s.target.size(-1);
  spec.sigma = {is_plane ? 0 : sigma, sigma, sigma};
  const OperatorPtr gaussian = ops::make_gaussian_filter(spec).or_throw();
  std::vector<at::Tensor> channels;
  for (int64_t c = 0; c < boxes.size(0); ++c)
    channels.push_back(gaussian->apply(boxes[c].view({spec.nz, spec.ny, spec.nx})).view(s.target.sizes()));
  s.input = at::stack(channels);
}

void add_noise(Sample& s, double deviation, Draws& draws) {
  s.input = s.input.clone(at::MemoryFormat::Contiguous);
  auto* voxel = s.input.mutable_data_ptr<float>();
  for (int64_t i = 0; i < s.input.numel(); ++i) voxel[i] += static_cast<float>(deviation * draws.normal());
}

}  // namespace

Sample varied(Sample sample, const Augmentation& a, double deviation, Draws& draws) {
  if (a.quarter_turns) rotate(sample, draws);
  if (a.mirrors) mirror(sample, draws);
  if (a.elastic > 0) displace(sample, a, draws);
  if (a.blur > 0) {
    // A smaller blur changes no voxel.
    constexpr double least = 0.05;
    if (const double sigma = draws.between(0, a.blur); sigma > least) blur(sample, sigma);
  }
  if (a.noise > 0) add_noise(sample, draws.between(0, a.noise) * deviation, draws);
  return {sample.input.contiguous(), sample.target.contiguous()};
}

}  // namespace tl::train
