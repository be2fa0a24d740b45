// Times the layers of a mixed-scale dense network: ours, and the same through at::conv2d.
#include <ATen/core/grad_mode.h>

#include "core/net/architectures/architectures.h"
#include "core/net/forward.h"
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

}  // namespace

// n x n pixels, `depth` layers.
int main(int argc, char** argv) {
  bench::Arguments a(argc, argv);
  const int64_t n = a.number("n", 512), depth = a.number("depth", 100);
  a.finish();
  const at::AutoGradMode off(false);
  net::Network network = net::make_network("msd", {"depth=" + std::to_string(depth), "classes=2"}).or_throw();
  net::randomise(network, 1).or_throw();
  const at::Tensor picture = at::rand({1, 1, n, n});
  const bench::Times ours = bench::median_times(a.repeat(), [&] { net::forward(network, picture); });
  const bench::Times theirs = bench::median_times(a.repeat(), [&] { by_convolutions(network, picture, depth); });
  const auto products = static_cast<double>(n * n * 9 * depth * (depth + 1) / 2);
  char ratio[64];
  std::snprintf(ratio, sizeof ratio, ", \"ratio\": %.2f", theirs.processor / ours.processor);
  bench::report("msd by conv2d", theirs, products);
  bench::report("msd", ours, products, ratio);
  return 0;
}
