// Operators of segmentation on raw data, for tests/bench/segmentation_peers.py.
//
// case=forest: samples [features, samples], classes and pixels [features, pixels]; trains, then applies.
// case=components, watershed, random-walker, regions: volume [nz, ny, nx] and labels on the same grid.
#include "gpu/classification/features.h"
#include "gpu/classification/forest.h"
#include "gpu/segmentation/components.h"
#include "gpu/segmentation/random_walker.h"
#include "gpu/segmentation/region_sums.h"
#include "gpu/segmentation/watershed.h"
#include "tests/bench/bench.h"

using namespace tl;

namespace {

// The best of the runs, after one that is not counted: what other programs take makes a run only slower.
bench::Times best_times(int64_t repeat, const std::function<void()>& work) {
  work();
  bench::Times best = bench::time_of(work);
  for (int64_t i = 1; i < repeat; ++i) {
    const bench::Times again = bench::time_of(work);
    if (again.wall < best.wall) best = again;
  }
  return best;
}

struct Volumes {
  at::Tensor volume, labels;
};

// Two classes where the volume is high and low; the rest is to be decided.
at::Tensor seeds_of(const at::Tensor& volume) {
  constexpr double far = 0.95;  // of waves from -1 to 1
  return volume.lt(-far).to(at::kInt) + 2 * volume.gt(far).to(at::kInt);
}

Volumes volumes(bench::Arguments& args) {
  const std::vector<int64_t> shape{args.number("nz", 64), args.number("ny", 64), args.number("nx", 64)};
  const at::Tensor volume = bench::input(args.text("volume"), shape);
  const std::string labels = args.text("labels");
  return {volume, labels.empty() ? volume.gt(0).to(at::kInt) : bench::read_raw(labels, shape).to(at::kInt)};
}

void forest(bench::Arguments& args) {
  const int64_t features = args.number("features", 48), count = args.number("samples", 5000);
  const int64_t pixels = args.number("pixels", 512 * 512);
  const at::Tensor samples = bench::input(args.text("in"), {features, count});
  const at::Tensor classes = bench::input(args.text("classes"), {count}).to(at::kInt).remainder(4);
  const at::Tensor all = bench::input(args.text("apply"), {features, pixels});
  ops::ForestSpec spec;
  spec.trees = args.number("trees", 100);
  const std::string out = args.text("output");
  args.finish();
  const int64_t class_count = classes.max().item<int64_t>() + 1;
  ops::Forest grown;
  const bench::Times training =
      best_times(args.repeat(), [&] { grown = ops::grow_forest(samples, classes, class_count, spec).or_throw(); });
  bench::report("forest, training", training, static_cast<double>(count));
  at::Tensor shares;
  const bench::Times applying =
      best_times(args.repeat(), [&] { shares = ops::forest_probabilities(grown, all).or_throw(); });
  bench::report("forest, applying", applying, static_cast<double>(pixels),
                ", \"nodes\": " + std::to_string(grown.nodes.size()));
  bench::write_raw(out, shares);
}

void feature_stack(bench::Arguments& args) {
  const Volumes v = volumes(args);
  ops::FeatureSpec spec;
  spec.span = args.text("span", "slices") == "volume" ? ops::FeatureSpan::volume : ops::FeatureSpan::slices;
  args.finish();
  const auto [nz, ny, nx] = std::tuple(v.volume.size(0), v.volume.size(1), v.volume.size(2));
  const bench::Times times = best_times(args.repeat(), [&, z = nz, y = ny, x = nx] {
    ops::voxel_features(v.volume, {0, z}, {0, y}, {0, x}, spec).or_throw();
  });
  bench::report("features", times, static_cast<double>(v.volume.numel()));
}

void operators(const std::string& name, bench::Arguments& args) {
  const bool has_labels = !args.text("labels").empty();
  const Volumes v = volumes(args);
  const auto tolerance = std::stod(args.text("tolerance", "1e-3"));
  const std::string out = args.text("output");
  args.finish();
  at::Tensor result;
  std::function<void()> work;
  if (name == "components") {
    work = [&] { result = ops::components(v.labels, {ops::Connectivity::corners, {}}).or_throw().labels; };
  } else if (name == "watershed") {
    work = [&] { result = ops::watershed(v.volume, v.labels, {}, {}).or_throw(); };
  } else if (name == "random-walker") {
    ops::RandomWalkerSpec spec;
    spec.tolerance = tolerance;
    const at::Tensor seeds = has_labels ? v.labels : seeds_of(v.volume);
    work = [&, spec, seeds] { result = ops::random_walker(v.volume, seeds, spec).or_throw().labels; };
  } else if (name == "regions") {
    work = [&] {
      ops::RegionSums sums;
      if (const auto added = sums.add(v.labels, v.volume); !added.ok()) bench::stop(added.error().message());
      result = at::tensor(static_cast<int64_t>(sums.regions().size()));
    };
  } else {
    bench::stop("unknown case " + name);
  }
  const bench::Times times = best_times(args.repeat(), work);
  bench::write_raw(out, result);
  bench::report(name, times, static_cast<double>(v.volume.numel()));
}

}  // namespace

int main(int argc, char** argv) {
  bench::Arguments args(argc, argv);
  const std::string name = args.text("case", "forest");
  if (name == "forest") {
    forest(args);
  } else if (name == "features") {
    feature_stack(args);
  } else {
    operators(name, args);
  }
  return 0;
}
