// Times networks: a mixed-scale dense network beside the same through at::conv2d, and pruned; SK beside SW per pixel.
#include <ATen/core/grad_mode.h>

#include "core/net/architectures/architectures.h"
#include "core/net/convert.h"
#include "core/net/footprint.h"
#include "core/net/forward.h"
#include "core/net/prune/prune.h"
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

double ratio_of(const bench::Times& slow, const bench::Times& fast) { return slow.processor / fast.processor; }

void report(const char* name, const bench::Times& times, double products, double ratio) {
  char more[64];
  std::snprintf(more, sizeof more, ", \"ratio\": %.2f", ratio);
  bench::report(name, times, products, more);
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
  const net::Network all = net::for_all_pixels(window).or_throw();
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

// n x n pixels, `depth` layers; window=n also times SW and SK of n x n pixels.
int main(int argc, char** argv) {
  bench::Arguments a(argc, argv);
  const int64_t n = a.number("n", 512), depth = a.number("depth", 100), window = a.number("window", 0);
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
  if (window > 0) time_windows(window, a.repeat());
  return 0;
}
