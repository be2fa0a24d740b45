// Case A6: filtered back-projection or total variation with a network behind it, learned from the pairs of the thesis
// (data/foam_limited_angle.h5), with its errors after 200 epochs, and an epoch against its parts timed alone.
//   file=FILE methods=fbp,tv,2tv,fbp_large epochs=1 tv_iterations=60 folds=0 seed=1
// folds=5: instead of the one slice for validation each fifth of the others is held out once, and the mean is given.
#include <ATen/ATen.h>

#include <cmath>
#include <sstream>

#include "core/node/registry.h"
#include "core/run/executor.h"
#include "gpu/solve/tv_derivative.h"
#include "tests/bench/cases/case_studies.h"
#include "tests/support/learn/tv_network_case.h"

namespace tl::bench {
namespace {

constexpr int64_t samples = 100, width = 256, batch = 2;
constexpr double half = 0.5;  // a voxel above it is material

struct Method {
  const char* name;
  double theirs;  // mean squared error on the validation slice
};
constexpr Method methods[] = {{"fbp", 0.02322}, {"tv", 0.01864}, {"2tv", 0.01805}, {"fbp_large", 0.02268}};

Graph pipeline(const std::string& method, const std::string& file, int64_t tv_iterations) {
  Graph g = test::tv_network(file, Registry::all());
  g.nodes.at("tv").params["iterations"] = tv_iterations;
  if (method == "2tv") g = test::with_second_tv(std::move(g), 1e-8);
  if (method.rfind("fbp", 0) == 0) g = test::with_fbp(std::move(g));
  if (method == "fbp_large") g.nodes.at("network").params["channels"] = NumberList{{160, 96, 64}, Unit::none};
  return g;
}

// Mean squared error, and share of wrong voxels after a threshold, over the held-out slices.
std::pair<double, double> errors(const Graph& g, const learn::HeldOut& held_out) {
  RunOptions options;
  options.memory = int64_t{4} << 30;
  Executor e(Registry::all(), options);
  const auto grid = std::get<VolumeInfo>(e.infos(g, "pairs").or_throw().at("target")).grid;
  const VolumeGrid part = grid.slab({grid.nz - held_out.first - held_out.rows, grid.nz - held_out.first});
  const at::Tensor found = std::get<Volume>(e.pull(g, "network", "volume", part).or_throw()).data,
                   truth = std::get<Volume>(e.pull(g, "pairs", "target", part).or_throw()).data;
  return {(found - truth).square().mean().item<double>(),
          (found > half).ne(truth > half).to(at::kDouble).mean().item<double>()};
}

// Seconds of one batch's reconstruction with its derivative, and of its network forwards and backwards.
std::pair<double, double> parts_alone(int64_t tv_iterations, int64_t repeat) {
  std::vector<double> angles;
  for (int64_t v = 0; v < 50; ++v) angles.push_back(pi / 6 + 2 * pi / 3 * static_cast<double>(v) / 49);
  const double pixel = 1.0 / width;
  solve::DifferentiableTv task;
  const auto g = ScanGeometry::parallel(angles, {batch, 384, pixel, pixel}).or_throw();
  task.op = make_projector({g, VolumeGrid::cubic(batch, width, width, pixel)}).or_throw();
  task.data = at::rand({50, batch, 384});
  task.norm = solve::norm_bound(*task.op, task.data.options(), {});
  task.filtered_norm =
      solve::norm_bound(*solve::filtered_operator(task.op, task.data.options()), task.data.options(), {});
  task.iterations = tv_iterations;
  const solve::TvSpec spec{0, solve::Sign::non_negative, {0, 1, 1}, solve::DualSteps::filtered};
  at::Tensor x = at::rand({batch, 1, width, width});
  std::vector<at::Tensor> kernels;
  for (const auto& [in, out] : {std::pair(1, 64), std::pair(64, 32), std::pair(32, 1)})
    kernels.push_back((0.1 * at::randn({out, in, 3, 3})).requires_grad_());
  const auto best_of = [&](const std::function<void()>& work) {
    double best = HUGE_VAL;
    for (int64_t i = 0; i < repeat; ++i) {
      const auto begun = std::chrono::steady_clock::now();
      work();
      best = std::min(best, std::chrono::duration<double>(std::chrono::steady_clock::now() - begun).count());
    }
    return best;
  };
  const double tv = best_of([&] {
    task.lambda = at::scalar_tensor(1e-3 * task.norm * task.norm, at::kDouble).requires_grad_();
    solve::chambolle_pock(task, spec).square().sum().backward();
  });
  const double network = best_of([&] {
    at::Tensor y = x.clone().requires_grad_();  // the gradient goes on to the reconstruction
    for (std::size_t i = 0; i < kernels.size(); ++i) {
      y = at::conv2d(y, kernels[i], {}, 1, 1);
      if (i + 1 < kernels.size()) y = at::relu(y);
    }
    y.square().mean().backward();
  });
  return {tv, network};
}

}  // namespace

void tv_network_case(Arguments& arguments) {
  const std::string file = arguments.text("file");
  if (file.empty()) stop("say where the pairs are: file=foam_limited_angle.h5");
  std::istringstream wanted(arguments.text("methods", "fbp,tv"));
  const int64_t epochs = arguments.number("epochs", 1), tv_iterations = arguments.number("tv_iterations", 60),
                folds = arguments.number("folds", 0), seed = arguments.number("seed", 1);
  arguments.finish();
  std::printf("%d epochs of batches of %d (published: 200), %d TV iterations (published: 400)\n",
              static_cast<int>(epochs), static_cast<int>(batch), static_cast<int>(tv_iterations));
  std::printf("%-10s %9s %9s %9s %9s %10s %8s %8s\n", "method", "weights", "MSE", "theirs", "wrong", "strength",
              "s/epoch", "seconds");
  double tv_epoch = 0;
  for (std::string name; std::getline(wanted, name, ',');) {
    double theirs = 0;
    for (const Method& m : methods)
      if (name == m.name) theirs = m.theirs;
    if (theirs == 0) stop("no method " + name);
    double mse = 0, wrong = 0, seconds = 0, strength = 0;
    int64_t weights = 0, steps = 0;
    for (int64_t fold = 0; fold < std::max<int64_t>(folds, 1); ++fold) {
      const Graph g = pipeline(name, file, tv_iterations);
      learn::Settings s = learn::settings_of(g).or_throw();
      if (folds > 0) s.held_out = {fold * samples / folds, (fold + 1) * samples / folds - fold * samples / folds, 0};
      const int64_t epoch = (samples + 1 - s.held_out.rows + batch - 1) / batch;
      s.held_out.every = epoch;
      s.stop.iterations = s.stop.patience = epochs * epoch;
      s.seed = static_cast<uint64_t>(seed);
      RunOptions options;
      options.memory = int64_t{4} << 30;
      Executor executor(Registry::all(), options);
      const learn::Learned l = learn::learn(executor, Registry::all(), g, s, {}).or_throw();
      const auto [error, share] = errors(learn::accept(g, l), s.held_out);
      mse += error;
      wrong += share;
      seconds += l.seconds_descent;
      steps += l.iterations;
      for (const learn::Found& f : l.found) {
        if (f.name == "strength" && f.node == "tv") strength = f.value[0];
        if (f.name == "weights") weights = static_cast<int64_t>(f.value.size());
      }
      for (const learn::Progress& p : l.history)
        if (p.held_out)
          std::printf("  %s fold %d: after %d batches, %.0f s: %.5f\n", name.c_str(), static_cast<int>(fold),
                      static_cast<int>(p.iteration), p.seconds, *p.held_out);
      std::fflush(stdout);  // hours before the end
    }
    const double runs = static_cast<double>(std::max<int64_t>(folds, 1));
    const double per_epoch = seconds / static_cast<double>(std::max<int64_t>(steps, 1)) * samples / batch;
    if (name == "tv") tv_epoch = per_epoch;
    std::printf("%-10s %9d %9.5f %9.5f %9.5f %10.3g %8.1f %8.1f\n", name.c_str(), static_cast<int>(weights), mse / runs,
                theirs, wrong / runs, strength, per_epoch, seconds);
    std::fflush(stdout);
  }
  if (tv_epoch == 0) return;
  const auto [tv, network] = parts_alone(tv_iterations, arguments.repeat());
  const double parts = (tv + network) * samples / batch;
  std::printf(
      "an epoch of tv: %.1f s; its parts alone: %.1f s (TV with derivative %.2f, network %.2f s a batch): %.2f\n",
      tv_epoch, parts, tv, network, tv_epoch / parts);
}

}  // namespace tl::bench
