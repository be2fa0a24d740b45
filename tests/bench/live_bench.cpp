// Times what a person waits for in the studio: the next slice, a knob of FBP, an oblique plane being dragged.
#include <filesystem>

#include "core/io/output/volume_writer.h"
#include "core/node/registry.h"
#include "tests/bench/live_watch.h"

using namespace tl;
using bench::Answer;
using bench::tell;
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

}  // namespace

// n x n slices from `views` views of `rows` rows.
int main(int argc, char** argv) {
  bench::Arguments a(argc, argv);
  const int64_t n = a.number("n", 512), views = a.number("views", 360), rows = a.number("rows", 512);
  const int64_t repeat = a.number("times", 15);
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
  const auto show = [&](const Region& region) {
    live::PictureRequest r;
    r.node = "fbp";
    r.port = "volume";
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
    tell(name, answers);
  };
  const Region slice = all.slab({rows / 2, rows / 2 + 1});
  tell("first slice", {show(slice)});
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
  tell("first oblique plane", {show(plane(20))});
  many("oblique plane", [&](double i) { return show(plane(20 + i)); });
  many("axis, oblique plane", [&](double i) { return turn("geometry", "axis", Number{3 + 0.1 * i, Unit::px}); });
  fs::remove(folder / "live_bench.nx");
  return 0;
}
