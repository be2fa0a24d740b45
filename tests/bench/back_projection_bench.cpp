// Times the back-projector alone: one case per layout of its loops, one JSON line per case.
#include <ATen/ATen.h>
#include <ATen/Parallel.h>
#include <time.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "core/base/units.h"
#include "gpu/device/device.h"
#include "gpu/projection/back_projector/back_projector.h"

using namespace tl;

namespace {

struct Case {
  std::string name;
  ScanGeometry geometry;
  VolumeGrid grid;
  DistanceWeight distance;
};

ScanGeometry parallel(int64_t views, DetectorShape detector, double tilt = 0) {
  Orbit o;
  o.angles = equidistant_angles(views, pi);
  o.tilt = tilt;
  return ScanGeometry::from_orbit(o, detector).or_throw();
}

ScanGeometry cone(int64_t views, DetectorShape detector, double tilt = 0) {
  Orbit o;
  o.beam = Beam::cone;
  o.angles = equidistant_angles(views, 2 * pi);
  o.source_to_axis = 4.0 * static_cast<double>(detector.cols);
  o.tilt = tilt;
  return ScanGeometry::from_orbit(o, detector).or_throw();
}

// Sizes of the acceptance list, and a tilted scan of each beam. Voxels and pixels at the axis are 1 mm.
std::vector<Case> cases() {
  const VolumeGrid slice = VolumeGrid::cubic(1, 512, 512, 1), slab = VolumeGrid::cubic(64, 512, 512, 1);
  const VolumeGrid cube = VolumeGrid::cubic(256, 256, 256, 1), thin = VolumeGrid::cubic(64, 256, 256, 1);
  const VolumeGrid plane = VolumeGrid::plane(512, 512, 0.6, {}, {1, 0.2, 0.3}, cross(Vec3{0.3, 0.1, 1}, {1, 0.2, 0.3}));
  const DetectorShape line{1, 512, 1, 1}, rows{64, 512, 1, 1}, square{256, 256, 1, 1}, large{512, 512, 1, 1};
  const DetectorShape wide{64, 256, 1, 1};
  const auto none = DistanceWeight::none, fdk = DistanceWeight::fdk;
  return {{"small slice", parallel(180, {1, 256, 1, 1}), VolumeGrid::cubic(1, 256, 256, 1), none},
          {"slice", parallel(512, line), slice, none},
          {"fan slice", cone(360, {1, 512, 1.5, 1.5}), slice, none},
          {"64 rows", parallel(512, rows), slab, none},
          {"cone", cone(360, square), cube, fdk},
          {"oblique parallel", parallel(360, large), plane, none},
          {"oblique cone", cone(360, large), plane, fdk},
          {"tilted parallel", parallel(90, wide, 0.02), thin, none},
          {"tilted cone", cone(90, wide, 0.02), thin, fdk}};
}

double seconds(clockid_t clock) {
  timespec t{};
  clock_gettime(clock, &t);
  return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
}

enum class Direction { forward, transpose };

// Best of `repeat` runs after one that is not counted: by the clock on the wall, and by the processor time of the
// calling thread, which does its share of the work. The second is what the first would be if no other program ran.
void run(const Case& c, int repeat, Direction direction) {
  const DetectorShape& d = c.geometry.detector();
  const bool back_again = direction == Direction::transpose;
  const at::Tensor from = back_again ? at::rand({c.grid.nz, c.grid.ny, c.grid.nx}, at::kFloat)
                                     : at::rand({c.geometry.views(), d.rows, d.cols}, at::kFloat);
  const OperatorPtr back = make_back_projector({c.geometry, c.grid, c.distance}).or_throw();
  double wall = INFINITY, thread = INFINITY;
  for (int i = 0; i <= repeat; ++i) {
    const double wall_start = seconds(CLOCK_MONOTONIC), thread_start = seconds(CLOCK_THREAD_CPUTIME_ID);
    const at::Tensor to = back_again ? back->adjoint(from) : back->apply(from);
    if (i == 0) continue;
    thread = std::min(thread, seconds(CLOCK_THREAD_CPUTIME_ID) - thread_start);
    wall = std::min(wall, seconds(CLOCK_MONOTONIC) - wall_start);
  }
  const double updates = static_cast<double>(c.grid.count()) * static_cast<double>(c.geometry.views());
  std::printf(
      "{\"case\": \"%s%s\", \"seconds\": %.6g, \"updates_per_s\": %.6g, \"threads\": %d, "
      "\"thread_seconds\": %.6g, \"updates_per_thread_s\": %.6g}\n",
      c.name.c_str(), back_again ? ", transpose" : "", wall, updates / wall, at::get_num_threads(), thread,
      updates / thread);
  std::fflush(stdout);
}

}  // namespace

// usage: bench_back_projection [threads [repeat [case [transpose]]]]
int main(int argc, char** argv) {
  init_devices();
  at::set_num_threads(argc > 1 ? std::atoi(argv[1]) : 2);
  const int repeat = argc > 2 ? std::atoi(argv[2]) : 3;
  for (const Case& c : cases())
    if (argc < 4 || c.name == argv[3])
      run(c, std::max(1, repeat),
          argc > 4 && argv[4] == std::string("transpose") ? Direction::transpose : Direction::forward);
}
