// Runs each row of the tables of loops that fits a scan, and compares it with the last one.
#include "gpu/verify/loops.h"

#include <ATen/ATen.h>

#include <algorithm>
#include <chrono>
#include <limits>

#include "core/base/coverage.h"
#include "core/base/units.h"
#include "gpu/projection/back_projector/select.h"
#include "gpu/projection/projector/kernels.h"
#include "gpu/projection/projector/select.h"
#include "gpu/projection/view_map.h"

namespace tl::ops {
namespace {

constexpr int64_t views = 48;

struct Scan {
  std::string name;
  ScanGeometry geometry;
};

std::vector<Scan> scans() {
  Orbit parallel;
  for (int64_t i = 0; i < views; ++i) parallel.angles.push_back(2 * pi * static_cast<double>(i) / views);
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

// Best of three; slow ones are run once.
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

// Runs the rows of a table that fit; `run` calls one of them. The last row is the generic loop.
template <class Loop, class Choice, class Run>
void add_rates(const Scan& scan, const std::string& direction, std::span<const Loop> table, const Choice& choice,
               double updates, const at::Tensor& to, const Run& run, std::vector<LoopRate>& rates) {
  run(table.back());
  const at::Tensor generic = to.clone();
  const double size = std::max(generic.norm().item<double>(), std::numeric_limits<double>::min());
  bool first = true;
  for (const Loop& loop : table) {
    if (!loop.fits(choice)) continue;
    to.fill_(std::numeric_limits<float>::quiet_NaN());  // outputs are overwritten
    const double seconds = seconds_of([&] { run(loop); });
    rates.push_back({scan.name, direction, std::string(loop.name), std::string(loop.scans), first, updates / seconds,
                     (to - generic).norm().item<double>() / size});
    first = false;
  }
}

void add_scan(const Scan& scan, const CancelToken& cancel, std::vector<LoopRate>& rates) {
  const VolumeGrid grid = default_grid(scan.geometry);
  const DetectorShape& d = scan.geometry.detector();
  const at::Tensor volume = at::rand({grid.nz, grid.ny, grid.nx}, at::kFloat);
  const at::Tensor projections = at::rand({views, d.rows, d.cols}, at::kFloat);
  const double updates = static_cast<double>(grid.count() * views);
  const auto into = [&](const auto& run, const at::Tensor& from, const at::Tensor& to, const auto& choice) {
    run(choice, from.const_data_ptr<float>(), to.mutable_data_ptr<float>(), cancel);
  };

  const BackProjectorSpec back{scan.geometry, grid};
  const std::vector<ViewMap> maps = view_maps(scan.geometry, grid);
  const BackProjectChoice chosen = back_project_choice(back_project_task(back, maps), KernelChoice::fastest);
  at::Tensor out = at::empty_like(volume);
  add_rates(
      scan, "back-projection", back_project_loops(), chosen, updates, out,
      [&](const BackProjectLoop& loop) { into(loop.run, projections, out, chosen); }, rates);
  at::Tensor views_out = at::empty_like(projections);
  add_rates(
      scan, "its transpose", back_project_transpose_loops(), chosen, updates, views_out,
      [&](const BackProjectLoop& loop) { into(loop.run, volume, views_out, chosen); }, rates);

  const ProjectorSpec forward{scan.geometry, grid};
  const std::vector<RayFan> fans = ray_fans(scan.geometry, grid);
  const ProjectChoice rays = project_choice(project_task(forward, fans), KernelChoice::fastest);
  add_rates(
      scan, "forward projection", project_loops<float>(), rays, updates, views_out,
      [&](const ProjectLoop<float>& loop) { into(loop.forward, volume, views_out, rays); }, rates);
  add_rates(
      scan, "transposed projection", project_loops<float>(), rays, updates, out,
      [&](const ProjectLoop<float>& loop) { into(loop.transpose, projections, out, rays); }, rates);
}

}  // namespace

std::vector<LoopRate> measure_loops(const CancelToken& cancel) {
  std::vector<LoopRate> rates;
  for (const Scan& scan : scans()) {
    cancel.check();
    add_scan(scan, cancel, rates);
  }
  return rates;
}

}  // namespace tl::ops
