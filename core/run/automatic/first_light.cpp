// Demonstrates and tests the program: simulates a scan, reconstructs it by the automatic pipeline, compares.
#include "core/run/automatic/first_light.h"

#include <ATen/ATen.h>

#include <cmath>

#include "core/io/open_scan.h"
#include "core/io/output/volume_writer.h"
#include "core/run/automatic/automatic.h"
#include "core/run/automatic/batch.h"
#include "gpu/operator/reduce.h"

namespace tl {
namespace fs = std::filesystem;
namespace {

// Too far off the centre for a reconstruction without axis search to look right, and not an integer number of pixels.
constexpr double axis_px = 3.7;

Graph simulation() {
  Graph graph;
  GraphNode& node = graph.nodes["simulate"];
  node.type = "input.simulate_scan";
  node.params = {{"phantom", std::string("shepp_logan")},
                 {"views", int64_t{360}},
                 {"rows", int64_t{48}},
                 {"cols", int64_t{192}},
                 {"axis", Number{axis_px, Unit::px}},
                 {"photons", Number{2e4, {}}},
                 {"unevenness", Number{0.2, {}}},
                 {"rays", int64_t{2}}};  // detector pixels integrate over their area
  return graph;
}

Result<void> simulate(const Registry& registry, const RunOptions& options, const fs::path& file) {
  Executor executor(registry, options);
  TL_TRY(Value scan, executor.pull(simulation(), "simulate", "projections"));
  return io::write_nxtomo(file, std::get<Projections>(scan), 0, io::no_inputs(options.overwrite));
}

// Root mean square difference over the cylinder that every view sees.
double rms(const Volume& volume, const Volume& truth) {
  const int64_t n = volume.data.size(2);
  const at::Tensor x = (at::arange(n, at::kDouble) - 0.5 * static_cast<double>(n - 1)).square();
  const double radius = 0.5 * static_cast<double>(n) - axis_px - 1;
  const at::Tensor in_field = (x.view({1, n, 1}) + x.view({1, 1, n}) < radius * radius).expand(volume.data.sizes());
  const at::Tensor difference = (volume.data - truth.data).to(at::kDouble).masked_select(in_field);
  return std::sqrt(total_of_squares(difference) / static_cast<double>(difference.numel()));
}

}  // namespace

Result<FirstLight> first_light(const Registry& registry, const RunOptions& options) {
  std::error_code failed;
  fs::create_directories(options.output_dir, failed);
  if (failed) return io_error("the folder cannot be made: " + failed.message(), options.output_dir.string());
  FirstLight out;
  out.true_axis = axis_px;
  out.scan = options.output_dir / "scan.nx";
  out.volume = options.output_dir / "volume.tif";
  out.picture = options.output_dir / "slice.png";
  const auto record = [](const fs::path& output) { return fs::path(output) += ".json"; };
  TL_TRY(check_writable({out.scan, out.volume, record(out.volume), out.picture, record(out.picture)},
                        io::no_inputs(options.overwrite)));
  TL_TRY(simulate(registry, options, out.scan));

  TL_TRY(std::unique_ptr<io::ScanReader> scan, io::open_scan(fs::absolute(out.scan)));
  TL_TRY(AutomaticPipeline chosen, automatic_pipeline(scan->info(), {out.volume.filename(), out.picture.filename()}));
  const Graph& graph = chosen.graph;
  Executor executor(registry, options);
  TL_TRY(out.report, run_batch(executor, graph, registry));

  TL_TRY(Value volume, executor.pull(graph, "fbp", "volume"));
  const auto& found = std::get<Volume>(volume);
  Executor source(registry, options);
  TL_TRY(Value truth, source.pull(simulation(), "simulate", "truth", Region{found.grid}));
  out.rms_error = rms(found, std::get<Volume>(truth));
  out.largest = std::get<Volume>(truth).data.max().item<double>();
  return out;
}

}  // namespace tl
