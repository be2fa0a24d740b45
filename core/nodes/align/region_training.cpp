// Makes noisy projections and learns from them.
#include "core/nodes/align/region_training.h"

#include <ATen/ATen.h>
#include <ATen/core/grad_mode.h>

#include <array>
#include <cmath>

#include "core/base/random.h"
#include "core/base/units.h"
#include "gpu/device/parallel_parts.h"

namespace tl {
namespace {

constexpr int64_t training_parts = 4, images_of_part = 16;
constexpr double first_rate = 2e-3;

// Mean 0 and variance 1 over the circle: [n, ring, angle], in place.
void normalise_samples(at::Tensor& samples, const ops::PolarGrid& polar) {
  at::Tensor area = at::empty({polar.rings(), 1}, at::kFloat);
  for (int64_t ring = 0; ring < polar.rings(); ++ring) area[ring].fill_(polar.area(ring) / polar.whole_area());
  samples -= (samples * area).sum({1, 2}, true);
  constexpr double nothing = 1e-30;  // an empty image stays 0
  samples /= (samples.square() * area).sum({1, 2}, true).sqrt().clamp_min(nothing);
}

struct Examples {
  at::Tensor images;   // [n, ring, angle], normalised
  at::Tensor regions;  // int64 [n]
};

class ExampleMaker {
 public:
  explicit ExampleMaker(const RegionTraining& spec) : spec_(spec) {
    for (const Vec3 d : spec.views.directions()) region_of_.push_back(spec.regions.of(d));
  }

  // Those numbered from `first` on: each is a function of its number and the seed.
  [[nodiscard]] Examples make(int64_t first, int64_t count) const {
    const ops::PolarGrid& polar = spec_.views.polar();
    const int64_t edge = spec_.views.edge(), pixels = polar.pixels();
    const at::Tensor white = at::empty({count, edge, edge}, at::kFloat);
    const Philox of_noise{spec_.seed, 101};
    auto* w = white.mutable_data_ptr<float>();
    for (int64_t i = 0; i < white.numel(); ++i)
      w[i] = static_cast<float>(of_noise.normal(static_cast<uint64_t>(first * edge * edge + i)));
    const at::Tensor noise = ops::working_noise(white);
    Examples e{at::empty({count, polar.rings(), polar.angles()}, at::kFloat), at::empty({count}, at::kLong)};
    std::vector<float> image(static_cast<std::size_t>(pixels * pixels));
    const Philox of_pose{spec_.seed, 102};
    for (int64_t i = 0; i < count; ++i) {
      const auto uniform = [&](uint64_t number) {
        return of_pose.uniform(8 * static_cast<uint64_t>(first + i) + number);
      };
      const auto directions = static_cast<double>(region_of_.size());
      const auto d = std::min(static_cast<int64_t>(uniform(0) * directions), static_cast<int64_t>(directions) - 1);
      const double amplitude = spec_.amplitude * std::exp(0.2 * (2 * uniform(1) - 1));
      const double sigma = spec_.noise * std::exp(0.35 * (2 * uniform(2) - 1));
      const auto* view = spec_.views.images().const_data_ptr<float>() + d * pixels * pixels;
      const auto* grain = noise.const_data_ptr<float>() + i * pixels * pixels;
      for (std::size_t p = 0; p < image.size(); ++p)
        image[p] = static_cast<float>(amplitude * view[p] + sigma * grain[p]);
      polar.sample(image.data(), spec_.reach * (2 * uniform(3) - 1), spec_.reach * (2 * uniform(4) - 1),
                   2 * pi * uniform(5), e.images.mutable_data_ptr<float>() + i * polar.numbers());
      e.regions.mutable_data_ptr<int64_t>()[i] = region_of_[static_cast<std::size_t>(d)];
    }
    normalise_samples(e.images, polar);
    return e;
  }

 private:
  const RegionTraining& spec_;
  std::vector<int64_t> region_of_;  // of the fine directions
};

struct Gradients {
  net::NamedTensors of;
  double loss = 0;
};

Gradients gradients_of(const net::NamedTensors& network, const Examples& examples) {
  const at::AutoGradMode on(true);
  net::NamedTensors own;
  for (const auto& [name, tensor] : network) own[name] = tensor.detach().requires_grad_();
  const at::Tensor loss = at::cross_entropy_loss(net::region_scores(own, examples.images), examples.regions);
  loss.backward();
  Gradients g;
  for (const auto& [name, tensor] : own) g.of[name] = tensor.grad();
  g.loss = loss.item<double>();
  return g;
}

}  // namespace

net::NamedTensors trained_region_network(const RegionTraining& spec) {
  const ExampleMaker maker(spec);
  net::NamedTensors network = net::new_region_network(spec.views.polar().rings(), spec.regions.count(), spec.seed);
  net::Optimiser optimiser({.rate = first_rate});
  for (int64_t step = 0; step < spec.steps; ++step) {
    spec.cancel.check();
    std::array<Gradients, training_parts> found;
    ops::parallel_parts(training_parts, 1, [&] {
      return [&](int64_t begin, int64_t end) {
        for (int64_t p = begin; p < end; ++p)
          found.at(static_cast<std::size_t>(p)) =
              gradients_of(network, maker.make((step * training_parts + p) * images_of_part, images_of_part));
      };
    });
    double loss = 0;
    for (const Gradients& g : found) loss += g.loss / training_parts;
    for (auto& [name, tensor] : network) {
      at::Tensor sum = found[0].of.at(name) / training_parts;
      for (std::size_t p = 1; p < found.size(); ++p) sum += found.at(p).of.at(name) / training_parts;
      tensor.mutable_grad() = sum;
    }
    const double progress = static_cast<double>(step) / static_cast<double>(spec.steps);
    optimiser.step(network, step + 1, first_rate * 0.5 * (1 + std::cos(pi * progress)));
    if (spec.progress) spec.progress(step + 1, loss);
  }
  return network;
}

at::Tensor region_probabilities(const net::NamedTensors& network, const ops::PolarGrid& polar, const at::Tensor& images,
                                const CancelToken& cancel) {
  const int64_t n = images.size(0), pixels = polar.pixels();
  std::vector<at::Tensor> blocks(static_cast<std::size_t>((n + images_of_part - 1) / images_of_part));
  ops::parallel_parts(n, images_of_part, [&] {
    return [&](int64_t begin, int64_t end) {
      if (cancel.cancelled()) return;
      const at::AutoGradMode off(false);
      at::Tensor samples = at::empty({end - begin, polar.rings(), polar.angles()}, at::kFloat);
      for (int64_t i = begin; i < end; ++i)
        polar.sample(images.const_data_ptr<float>() + i * pixels * pixels, 0, 0, 0,
                     samples.mutable_data_ptr<float>() + (i - begin) * polar.numbers());
      normalise_samples(samples, polar);
      blocks[static_cast<std::size_t>(begin / images_of_part)] = net::region_scores(network, samples).softmax(1);
    };
  });
  cancel.check();
  return at::cat(blocks);
}

}  // namespace tl
