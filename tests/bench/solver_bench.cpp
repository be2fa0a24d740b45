// Times one iteration of every iterative solver next to one application of the projector and one of its transpose.
#include "core/base/units.h"
#include "gpu/projection/projector/projector.h"
#include "gpu/solve/cgls.h"
#include "gpu/solve/chambolle_pock.h"
#include "gpu/solve/em.h"
#include "gpu/solve/fista_tv.h"
#include "gpu/solve/sirt.h"
#include "tests/bench/bench.h"

using namespace tl;

namespace {

struct Case {
  std::string name;
  std::function<void()> work;
  bench::Times best{1e300, 1e300};
};

template <class Solver>
Case iteration(const std::string& name, const Solver& solver) {
  auto state = std::make_shared<decltype(solver.start())>(solver.start());
  return {name, [solver, state] { solver.run(*state, {1}); }};
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
  const solve::Equations e{op, y};
  // Smoothing far below the contrast, and the hundredth of it that the nodes advise.
  const double norm = solve::operator_norm(*op, x.options(), {});
  const auto tv = [&](double strength) {
    return solve::TvSpec{strength * norm * norm, solve::Sign::non_negative, {1, 1, 1}};
  };
  at::Tensor out;
  std::vector<Case> cases{{"forward and back",
                           [&] {
                             out = op->apply(x);
                             out = op->adjoint(out);
                           }},
                          iteration("SIRT", solve::Sirt({e}, {})),
                          iteration("CGLS", solve::Cgls(e)),
                          iteration("ML-EM", solve::Em({e})),
                          iteration("Chambolle-Pock TV", solve::ChambollePock(e, tv(0.01))),
                          iteration("FISTA-TV, weak", solve::FistaTv(e, {tv(3e-6), 10, 0.01})),
                          iteration("FISTA-TV", solve::FistaTv(e, {tv(0.01), 10, 0.01})),
                          iteration("FISTA-TV, all inner iterations", solve::FistaTv(e, {tv(0.01), 10}))};
  // All cases alternately, the best of each: other programs on the machine slow all of them down equally.
  for (int64_t round = -1; round < a.repeat(); ++round)
    for (Case& c : cases) {
      const bench::Times once = bench::time_of(c.work);
      if (round >= 0) c.best = {std::min(c.best.wall, once.wall), std::min(c.best.processor, once.processor)};
    }
  for (const Case& c : cases) {
    char more[80];
    std::snprintf(more, sizeof more, ", \"over_forward_and_back\": %.3f, \"in_processor_time\": %.3f",
                  c.best.wall / cases[0].best.wall, c.best.processor / cases[0].best.processor);
    bench::report(c.name, c.best, updates, more);
  }
}
