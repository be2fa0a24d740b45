// Times one iteration of every iterative solver beside one application of the projector and one of its transpose.
#include "core/base/units.h"
#include "gpu/ops/projector.h"
#include "gpu/solve/cgls.h"
#include "gpu/solve/chambolle_pock.h"
#include "gpu/solve/em.h"
#include "gpu/solve/fista_tv.h"
#include "gpu/solve/sirt.h"
#include "tests/bench/bench.h"

using namespace tl;

namespace {

template <class Solver>
void time_iterations(const char* name, const Solver& solver, const bench::Times& both, int64_t repeat, double updates) {
  auto state = solver.start();
  const bench::Times times = bench::median_times(repeat, [&] { solver.run(state, {1}); });
  char more[80];
  std::snprintf(more, sizeof more, ", \"over_forward_and_back\": %.3f, \"in_processor_time\": %.3f",
                times.wall / both.wall, times.processor / both.processor);
  bench::report(name, times, updates, more);
}

}  // namespace

int main(int argc, char** argv) {
  bench::Arguments a(argc, argv);
  const int64_t n = a.number("n", 256), views = a.number("views", 180), rows = a.number("rows", 64);
  const bool parallel = a.text("beam", "parallel") == "parallel";
  a.finish();
  const DetectorShape detector{rows, n, 1, 1};
  const auto angles = equidistant_angles(views, parallel ? pi : 2 * pi);
  const ScanGeometry g = parallel ? ScanGeometry::parallel(angles, detector).or_throw()
                                  : ScanGeometry::cone(angles, detector, 4 * double(n), 0).or_throw();
  const OperatorPtr op = make_projector({g, VolumeGrid::cubic(rows, n, n, 1)}).or_throw();
  const at::Tensor x = bench::input({}, op->domain()).abs(), y = op->apply(x);
  const double updates = 2 * static_cast<double>(x.numel()) * static_cast<double>(views);
  at::Tensor out;
  const bench::Times both = bench::median_times(a.repeat(), [&] {
    out = op->apply(x);
    out = op->adjoint(out);
  });
  bench::report("forward and back", both, updates);
  const solve::Equations e{op, y};
  const solve::TvSpec tv{0.1, solve::Sign::non_negative, {1, 1, 1}};
  time_iterations("SIRT", solve::Sirt({e}, {}), both, a.repeat(), updates);
  time_iterations("CGLS", solve::Cgls(e), both, a.repeat(), updates);
  time_iterations("ML-EM", solve::Em({e}), both, a.repeat(), updates);
  time_iterations("Chambolle-Pock TV", solve::ChambollePock(e, tv), both, a.repeat(), updates);
  time_iterations("FISTA-TV", solve::FistaTv(e, {tv, 10}), both, a.repeat(), updates);
}
