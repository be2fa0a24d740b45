// Times networks: a mixed-scale dense network against the same by at::conv2d, forward and with the backward pass, and
// pruned; SK against SW per pixel; MALIS and the drawing of samples against a training step of a U-Net.
#include <ATen/core/grad_mode.h>

#include "core/net/architectures/architectures.h"
#include "core/net/convert.h"
#include "core/net/footprint.h"
#include "core/net/forward.h"
#include "core/net/malis_loss.h"
#include "core/net/prune/prune.h"
#include "core/train/sampling.h"
#include "gpu/simulate/labelled_phantom.h"
#include "tests/bench/bench.h"

using namespace tl;

namespace {

// All layers but the last, each reading a part of one tensor of maps; zeros beyond the edges, which costs least.
at::Tensor by_convolutions(const net::Network& network, const at::Tensor& picture, int64_t depth) {
  const int64_t ny = picture.size(2), nx = picture.size(3);
  at::Tensor maps = at::empty({1, depth + 1, ny, nx});
  maps.select(1, 0).copy_(picture.select(1, 0));
  const at::Tensor bias = network.tensors.at("msd_block.bias");
  for (int64_t i = 0; i < depth; ++i) {
    const int64_t dilation = i % 10 + 1;
    const at::Tensor one =
        at::conv2d(maps.narrow(1, 0, i + 1), network.tensors.at("msd_block.weight" + std::to_string(i)),
                   bias.narrow(0, i, 1), 1, at::IntArrayRef{dilation, dilation}, at::IntArrayRef{dilation, dilation});
    maps.narrow(1, i + 1, 1).copy_(one.relu());
  }
  return at::conv2d(maps, network.tensors.at("final_layer.linear.weight"),
                    network.tensors.at("final_layer.linear.bias"));
}

// The same where gradients are wanted: autograd does not allow maps to be written into one tensor.
at::Tensor by_concatenation(const net::Network& network, const at::Tensor& picture, int64_t depth) {
  std::vector<at::Tensor> maps{picture};
  const at::Tensor bias = network.tensors.at("msd_block.bias");
  for (int64_t i = 0; i < depth; ++i) {
    const int64_t dilation = i % 10 + 1;
    maps.push_back(at::conv2d(at::cat(maps, 1), network.tensors.at("msd_block.weight" + std::to_string(i)),
                              bias.narrow(0, i, 1), 1, at::IntArrayRef{dilation, dilation},
                              at::IntArrayRef{dilation, dilation})
                       .relu());
  }
  return at::conv2d(at::cat(maps, 1), network.tensors.at("final_layer.linear.weight"),
                    network.tensors.at("final_layer.linear.bias"));
}

net::Network with_gradients(net::Network network) {
  std::set<std::string> statistics;  // of batch norm
  for (const net::Layer& l : network.layers) statistics.insert({l.mean, l.variance});
  for (auto& [name, tensor] : network.tensors)
    tensor = tensor.detach().clone().requires_grad_(statistics.count(name) == 0);
  return network;
}

double ratio_of(const bench::Times& slow, const bench::Times& fast) { return slow.processor / fast.processor; }

void report(const char* name, const bench::Times& times, double products, double ratio) {
  char more[64];
  std::snprintf(more, sizeof more, ", \"ratio\": %.2f", ratio);
  bench::report(name, times, products, more);
}

// Forward pass and gradients of all weights.
void time_backward(const net::Network& network, const at::Tensor& picture, int64_t depth, int64_t repeat) {
  const at::AutoGradMode on(true);
  const net::Network with_grad = with_gradients(network);
  const auto products = static_cast<double>(3 * picture.numel() * 9 * depth * (depth + 1) / 2);
  const bench::Times ours =
      bench::median_times(repeat, [&] { net::forward(with_grad, picture).square().mean().backward(); });
  const bench::Times theirs =
      bench::median_times(repeat, [&] { by_concatenation(with_grad, picture, depth).square().mean().backward(); });
  bench::report("msd with gradients by conv2d", theirs, products);
  report("msd with gradients", ours, products, ratio_of(theirs, ours));
}

// A step of a U-Net (unet4, 32 features, patches of 128^2, 2 at a time), and what MALIS and the drawing of samples add
// to it.
void time_training(int64_t repeat) {
  constexpr int64_t edge = 128, batch = 2;
  net::Network network = net::make_network("unet4", {"features=32", "classes=2"}).or_throw();
  net::randomise(network, 1).or_throw();
  const net::Footprint f = net::footprint_of(network).or_throw();
  const int64_t before = f.same ? 0 : f.before, after = f.same ? 0 : f.after, border = before + after;
  ops::LabelledPhantomSpec spec;
  spec.whole = VolumeGrid::cubic(edge, edge, edge, 0.01);
  const auto phantom = ops::LabelledPhantom::make(spec).or_throw();
  train::Item item{"phantom", at::rand({1, edge, edge, edge}), at::Tensor()};
  item.labels = phantom.labels(spec.whole).gt(1).to(at::kInt);
  const std::vector<train::Item> items{item};
  train::Sampling sampling;
  sampling.planes = train::Planes::omnidirectional;
  sampling.edge = edge;
  const auto sampler =
      train::Sampler::make(items, 2, sampling, {2, f.min_output + border, f.alignment, before, after}).or_throw();
  uint64_t index = 0;
  std::vector<at::Tensor> inputs, targets;
  const bench::Times drawing = bench::median_times(repeat, [&] {
    inputs.clear();
    targets.clear();
    for (int64_t b = 0; b < batch; ++b) {
      const auto drawn = sampler.draw(1, index++, train::Variation::varied);
      inputs.push_back(drawn.sample.input);
      targets.push_back(drawn.sample.target);
    }
  });
  const at::AutoGradMode on(true);
  const net::Network with_grad = with_gradients(network);
  const at::Tensor picture = at::stack(inputs);
  const bench::Times step =
      bench::median_times(repeat, [&] { net::forward(with_grad, picture).square().mean().backward(); });
  const at::Tensor map = net::forward(with_grad, picture).detach().requires_grad_();
  const at::Tensor labels =
      at::stack(targets).narrow(1, before, map.size(2)).narrow(2, before, map.size(3)).contiguous();
  const bench::Times malis =
      bench::median_times(repeat, [&] { net::malis_loss_of(with_grad, map, labels).backward(); });
  bench::report("step of a U-Net", step, 1);
  report("drawing of its samples", drawing, 1, drawing.processor / step.processor);
  report("MALIS of its map", malis, 1, malis.processor / step.processor);
}

// n x n pixels, the same network whole and with a share of its filters; random weights, strong enough for paths.
void time_pruned(const net::Network& network, const at::Tensor& picture, const bench::Times& whole, int64_t repeat) {
  net::Network strong = network;
  for (auto& [name, tensor] : strong.tensors)
    if (tensor.dim() > 1) tensor = tensor * 4;
  for (const double keep : {0.1, 0.05, 0.025}) {
    net::PruneOptions options;
    options.keep = keep;
    options.steps = 5;
    const net::Pruned pruned = net::prune(strong, options).or_throw();
    const auto kept = static_cast<double>(pruned.steps.back().kept);
    const bench::Times times = bench::median_times(repeat, [&] { net::forward(pruned.network, picture); });
    const std::string name =
        "msd, " + std::to_string(pruned.steps.back().kept) + " of " + std::to_string(pruned.edges) + " filters kept";
    report(name.c_str(), times, 9 * kept * static_cast<double>(picture.numel()), ratio_of(whole, times));
  }
}

// Windows one by one, and all pixels at once: seconds of a pixel.
void time_windows(int64_t output, int64_t repeat) {
  net::Network window = net::make_network("sw", {}).or_throw();
  net::randomise(window, 1).or_throw();
  const net::Network all = net::fully_convolutional(window).or_throw();
  const net::Footprint f = net::footprint_of(all).or_throw();
  const int64_t width = f.before + f.after + 1;
  const at::Tensor one = at::rand({1, 3, width, width}),
                   picture = at::rand({1, 3, width + output - 1, width + output - 1});
  const bench::Times slow = bench::median_times(repeat, [&] { net::forward(window, one); });
  bench::Times fast = bench::median_times(repeat, [&] { net::forward(all, picture); });
  const auto pixels = static_cast<double>(output * output);
  fast.wall /= pixels;
  fast.processor /= pixels;
  bench::report("sw, one pixel", slow, 1);
  report("sk, one pixel", fast, 1, ratio_of(slow, fast));
}

}  // namespace

// n x n pixels, `depth` layers; window=n also times SW and SK of n x n pixels; gradients=1, training=1.
int main(int argc, char** argv) {
  bench::Arguments a(argc, argv);
  const int64_t n = a.number("n", 512), depth = a.number("depth", 100), window = a.number("window", 0);
  const bool gradients = a.number("gradients", 0) != 0, training = a.number("training", 0) != 0;
  a.finish();
  const at::AutoGradMode off(false);
  net::Network network = net::make_network("msd", {"depth=" + std::to_string(depth), "classes=2"}).or_throw();
  net::randomise(network, 1).or_throw();
  const at::Tensor picture = at::rand({1, 1, n, n});
  const bench::Times ours = bench::median_times(a.repeat(), [&] { net::forward(network, picture); });
  const bench::Times theirs = bench::median_times(a.repeat(), [&] { by_convolutions(network, picture, depth); });
  const auto products = static_cast<double>(n * n * 9 * depth * (depth + 1) / 2);
  bench::report("msd by conv2d", theirs, products);
  report("msd", ours, products, ratio_of(theirs, ours));
  time_pruned(network, picture, ours, a.repeat());
  if (gradients) time_backward(network, picture, depth, a.repeat());
  if (window > 0) time_windows(window, a.repeat());
  if (training) time_training(a.repeat());
  return 0;
}
