// Times the waits of a user of the studio: the next slice, a knob of FBP, an oblique plane being dragged, and that
// plane segmented by a pruned network (depth=N layers; 0: not).
#include <ATen/core/grad_mode.h>

#include <filesystem>
#include <fstream>

#include "core/io/model/safetensors.h"
#include "core/io/output/volume_writer.h"
#include "core/net/architectures/architectures.h"
#include "core/net/files/network_file.h"
#include "core/net/forward.h"
#include "core/net/prune/prune.h"
#include "core/node/registry.h"
#include "tests/bench/live_watch.h"

using namespace tl;
using bench::Answer;
using bench::report_answers;
using bench::Watch;
namespace fs = std::filesystem;

namespace {

// A file of counts with a pattern in it.
std::string write_scan(const fs::path& folder, int64_t n, int64_t views, int64_t rows) {
  Projections p;
  p.geometry = ScanGeometry::parallel(equidistant_angles(views, pi), {rows, n, 1, 1}).or_throw();
  p.kind = PixelKind::counts;
  const at::Tensor line = at::arange(n, at::kFloat).mul_(0.05f).sin_().mul_(2000).add_(8000);
  p.data =
      (line.view({1, 1, n}) + at::arange(views, at::kFloat).view({views, 1, 1})).expand({views, rows, n}).contiguous();
  p.references.flats = at::full({2, rows, n}, 12000, at::kFloat);
  p.references.darks = at::full({2, rows, n}, 100, at::kFloat);
  p.references.flat_positions = {-0.5, -0.5};
  const fs::path file = folder / "live_bench.nx";
  io::write_nxtomo(file, p, 20, io::no_inputs(io::Overwrite::replace)).or_throw();
  return file.string();
}

Graph scan(const std::string& file) {
  Graph g;
  g.nodes["scan"] = {"input.load_scan", 1, {{"file", file}, {"pixel_size", Number{1, Unit::mm}}}};
  g.nodes["flat"] = {"correct.flat_field", 1, {}};
  g.nodes["geometry"] = {"geometry.set", 1, {}};
  g.nodes["fbp"] = {"recon.fbp", 1, {}};
  g.links = {{"scan", "projections", "flat", "projections"},
             {"flat", "projections", "geometry", "projections"},
             {"geometry", "projections", "fbp", "projections"}};
  return g;
}

// Mixed-scale dense, random weights strong enough for paths; 2.5 % of the filters are left.
net::Network pruned_network(int64_t depth) {
  net::Network network = net::make_network("msd", {"depth=" + std::to_string(depth), "classes=2"}).or_throw();
  net::randomise(network, 1).or_throw();
  for (auto& [name, tensor] : network.tensors)
    if (tensor.dim() > 1) tensor = tensor * 4;
  net::PruneOptions options;
  options.keep = 0.025;
  options.steps = 5;
  return net::prune(network, options).or_throw().network;
}

}  // namespace

// n x n slices from `views` views of `rows` rows.
int main(int argc, char** argv) {
  bench::Arguments a(argc, argv);
  const int64_t n = a.number("n", 512), views = a.number("views", 360), rows = a.number("rows", 512);
  const int64_t repeat = a.number("times", 15);
  const int64_t depth = a.number("depth", 0);
  const fs::path folder = a.text("folder", ".");
  a.finish();
  Watch watch;
  live::EngineOptions options;
  options.switches.thumbnails = false;
  live::Engine engine(Registry::all(), options, watch);
  Graph g = scan(write_scan(folder, n, views, rows));
  const VolumeGrid all = VolumeGrid::cubic(rows, n, n, 1);
  engine.set_graph(g);
  uint64_t ticket = 0;
  std::pair<std::string, std::string> shown{"fbp", "volume"};
  const auto show = [&](const Region& region) {
    live::PictureRequest r;
    r.node = shown.first;
    r.port = shown.second;
    r.region = region;
    r.ticket = ++ticket;
    watch.begin(ticket);
    engine.request("view", r);
    return watch.wait();
  };
  const auto turn = [&](const std::string& node, const std::string& name, const ParamValue& value) {
    g.nodes[node].params[name] = value;
    watch.begin(ticket);
    engine.set_graph(g);
    return watch.wait();
  };
  const auto many = [&](const std::string& name, const std::function<Answer(double)>& one) {
    std::vector<Answer> answers;
    for (int64_t i = 0; i < repeat; ++i) answers.push_back(one(static_cast<double>(i + 1)));
    report_answers(name, answers);
  };
  const Region slice = all.slab({rows / 2, rows / 2 + 1});
  report_answers("first slice", {show(slice)});
  many("cutoff", [&](double i) { return turn("fbp", "cutoff", Number{1 - 0.01 * i, Unit::nyquist}); });
  many("axis", [&](double i) { return turn("geometry", "axis", Number{0.1 * i, Unit::px}); });
  many("voxel size", [&](double i) { return turn("fbp", "voxel_size", Number{1 - 1e-4 * i, Unit::mm}); });
  many("next slice", [&](double i) {
    const auto k = rows / 2 + static_cast<int64_t>(i);
    return show(all.slab({k, k + 1}));
  });
  many("slice again", [&](double i) {
    const auto k = rows / 2 + static_cast<int64_t>(i);
    return show(all.slab({k, k + 1}));
  });
  const auto plane = [&](double i) {
    const double t = 0.02 * i;
    return VolumeGrid::plane(n, n, 1, {0, 0, i}, {1, 0, 0}, {0, std::cos(t), std::sin(t)});
  };
  report_answers("first oblique plane", {show(plane(20))});
  many("oblique plane", [&](double i) { return show(plane(20 + i)); });
  many("axis, oblique plane", [&](double i) { return turn("geometry", "axis", Number{3 + 0.1 * i, Unit::px}); });
  if (depth > 0) {
    const fs::path file = folder / "live_bench.safetensors";
    const net::Network network = pruned_network(depth);
    std::ofstream(file, std::ios::binary) << io::to_safetensors(net::model_of(network));
    const at::Tensor picture = at::rand({1, 1, n, n});
    const at::AutoGradMode off(false);
    const bench::Times alone = bench::median_times(repeat, [&] { net::forward(network, picture); });
    bench::report("pruned network alone", alone, 1);
    g.nodes["net"] = {"segment.network", 1, {{"model", file.string()}}};
    g.links.push_back({"fbp", "volume", "net", "volume"});
    engine.set_graph(g);
    shown = {"net", "labels"};
    report_answers("first segmented plane", {show(plane(60))});
    many("segmented oblique plane", [&](double i) { return show(plane(60 + i)); });
    fs::remove(file);
  }
  fs::remove(folder / "live_bench.nx");
  return 0;
}
