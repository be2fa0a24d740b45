// Measures the CPU loops of projector and back-projector: runs each row of the tables that fits a scan, and compares it
// with the last row.
#include "gpu/verify/loops.h"

#include <ATen/ATen.h>

#include <algorithm>
#include <chrono>
#include <functional>
#include <limits>

#include "core/base/grid_projection.h"
#include "core/base/units.h"
#include "gpu/projection/back_projector/select.h"
#include "gpu/projection/projector/select.h"
#include "gpu/projection/projector/shared/kernels.h"
#include "gpu/projection/view_map.h"

namespace tl::ops {
namespace {

constexpr int64_t loop_views = 48;

struct Scan {
  std::string name;
  ScanGeometry geometry;
};

std::vector<Scan> scans() {
  Orbit parallel;
  for (int64_t i = 0; i < loop_views; ++i) parallel.angles.push_back(2 * pi * static_cast<double>(i) / loop_views);
  Orbit cone = parallel;
  cone.beam = Beam::cone;
  cone.source_to_axis = 300;
  cone.axis_to_detector = 100;
  const auto tilted = [](Orbit orbit) {
    orbit.tilt = 1.5 * pi / 180;
    return orbit;
  };
  const DetectorShape tall{24, 96, 1, 1}, line{1, 96, 1, 1};
  const auto of = [](const Orbit& orbit, const DetectorShape& d) {
    return ScanGeometry::from_orbit(orbit, d).or_throw();
  };
  return {{"parallel", of(parallel, tall)},
          {"parallel, one row", of(parallel, line)},
          {"parallel, tilted", of(tilted(parallel), tall)},
          {"cone", of(cone, tall)},
          {"fan", of(cone, line)},
          {"cone, tilted", of(tilted(cone), tall)}};
}

// Best of three runs; slow loops are run once.
template <class Work>
double seconds_of(const Work& work) {
  double best = std::numeric_limits<double>::infinity();
  constexpr double slow = 0.2;  // [s]
  for (int n = 0; n == 0 || (n < 3 && best < slow); ++n) {
    const auto begin = std::chrono::steady_clock::now();
    work();
    best = std::min(best, std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count());
  }
  return best;
}

// One row of a table on one scan. `run` overwrites `output`; `generic` runs the last row, which fits every scan.
struct LoopOnScan {
  const Scan& scan;
  std::string direction, loop, serves;
  bool taken = false;
  double updates = 0;  // voxels times views
  at::Tensor output;
  std::function<void()> run, generic;
};
using Visit = std::function<void(const LoopOnScan&)>;

template <class Loop, class Choice, class Run>
void visit_table(const LoopOnScan& common, std::span<const Loop> table, const Choice& choice, const Run& run,
                 const Visit& visit) {
  bool first = true;
  for (const Loop& loop : table) {
    if (!loop.fits(choice)) continue;
    LoopOnScan one = common;
    one.loop = std::string(loop.name);
    one.serves = std::string(loop.scans);
    one.taken = first;
    one.run = [&run, &loop] { run(loop); };
    one.generic = [&run, &table] { run(table.back()); };
    visit(one);
    first = false;
  }
}

// volume [z, y, x] and projections [view, row, col] are float32.
void visit_loops(const Scan& scan, const VolumeGrid& grid, const at::Tensor& volume, const at::Tensor& projections,
                 const CancelToken& cancel, const Visit& visit) {
  const double updates = static_cast<double>(grid.count() * scan.geometry.views());
  const auto into = [&](const auto& run, const at::Tensor& from, const at::Tensor& to, const auto& choice) {
    run(choice, from.const_data_ptr<float>(), to.mutable_data_ptr<float>(), cancel);
  };
  const auto on = [&](const char* direction, const at::Tensor& output) {
    return LoopOnScan{scan, direction, {}, {}, false, updates, output, {}, {}};
  };
  const at::Tensor voxels = at::empty_like(volume), pixels = at::empty_like(projections);

  const BackProjectorSpec back{scan.geometry, grid};
  const std::vector<ViewMap> maps = view_maps(scan.geometry, grid);
  const BackProjectChoice chosen = back_project_choice(back_project_task(back, maps), KernelChoice::fastest);
  visit_table(
      on("back-projection", voxels), back_project_loops(), chosen,
      [&](const BackProjectLoop& loop) { into(loop.run, projections, voxels, chosen); }, visit);
  visit_table(
      on("its transpose", pixels), back_project_transpose_loops(), chosen,
      [&](const BackProjectLoop& loop) { into(loop.run, volume, pixels, chosen); }, visit);

  const ProjectorSpec forward{scan.geometry, grid};
  const std::vector<RayFan> fans = ray_fans(scan.geometry, grid);
  const ProjectChoice rays = project_choice(project_task(forward, fans), KernelChoice::fastest);
  visit_table(
      on("forward projection", pixels), project_loops<float>(), rays,
      [&](const ProjectLoop<float>& loop) { into(loop.forward, volume, pixels, rays); }, visit);
  visit_table(
      on("transposed projection", voxels), project_loops<float>(), rays,
      [&](const ProjectLoop<float>& loop) { into(loop.transpose, projections, voxels, rays); }, visit);
}

at::Tensor random_volume(const VolumeGrid& grid) { return at::rand({grid.nz, grid.ny, grid.nx}, at::kFloat); }
at::Tensor random_projections(const ScanGeometry& g) {
  return at::rand({g.views(), g.detector().rows, g.detector().cols}, at::kFloat);
}

void put_in_the_middle(const at::Tensor& x, float number) { x[x.size(0) / 2][x.size(1) / 2][x.size(2) / 2] = number; }

}  // namespace

std::vector<LoopOutput> loop_outputs(float number, const CancelToken& cancel) {
  std::vector<Scan> all = scans();
  Orbit along;
  along.angles = {0};
  all.push_back({"one view along the grid", ScanGeometry::from_orbit(along, {7, 33, 1, 1}).or_throw()});
  std::vector<LoopOutput> outputs;
  for (const Scan& scan : all) {
    cancel.check();
    const VolumeGrid grid = scan.geometry.views() == 1 ? VolumeGrid::cubic(7, 33, 33, 1) : default_grid(scan.geometry);
    const at::Tensor volume = random_volume(grid), projections = random_projections(scan.geometry);
    put_in_the_middle(volume, number);
    put_in_the_middle(projections, number);
    visit_loops(scan, grid, volume, projections, cancel, [&](const LoopOnScan& one) {
      one.run();
      outputs.push_back({scan.name, one.direction, one.loop, one.output.clone()});
    });
  }
  return outputs;
}

std::vector<LoopRate> measure_loops(const CancelToken& cancel) {
  std::vector<LoopRate> rates;
  for (const Scan& scan : scans()) {
    cancel.check();
    const VolumeGrid grid = default_grid(scan.geometry);
    visit_loops(scan, grid, random_volume(grid), random_projections(scan.geometry), cancel, [&](const LoopOnScan& one) {
      one.generic();
      const at::Tensor generic = one.output.clone();
      const double size = std::max(generic.norm().item<double>(), std::numeric_limits<double>::min());
      one.output.fill_(std::numeric_limits<float>::quiet_NaN());  // outputs are overwritten
      const double seconds = seconds_of(one.run);
      rates.push_back({scan.name, one.direction, one.loop, one.serves, one.taken, one.updates / seconds,
                       (one.output - generic).norm().item<double>() / size});
    });
  }
  return rates;
}

}  // namespace tl::ops
