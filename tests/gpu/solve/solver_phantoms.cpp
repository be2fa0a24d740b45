// Iterative solvers: phantoms that come back, from many and few views, and minima that both total-variation methods
// reach.
#include <limits>

#include "gpu/operator/reduce.h"
#include "gpu/solve/cgls.h"
#include "gpu/solve/chambolle_pock.h"
#include "gpu/solve/em.h"
#include "gpu/solve/fista_tv.h"
#include "gpu/solve/sirt.h"
#include "tests/support/operator_laws.h"
#include "tests/support/solver_scans.h"
#include "tests/support/test_case.h"

namespace tl::solver_phantoms_test {
using namespace tl::test::solvers;

class SolverPhantomsTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void phantom_comes_back() {
    const Scan s = scan(32, 48, at::kFloat);
    const Equations e{s.op, s.data};
    const Sirt sirt({e}, {1, 0.0, {}});
    auto a = sirt.start();
    sirt.run(a, {200});
    QVERIFY2(error_of(a.x, s) < 0.08, std::to_string(error_of(a.x, s)).c_str());
    const Sirt sart(subsets(32, 48, 48, s), {0.9, 0.0, {}});
    auto b = sart.start();
    sart.run(b, {20});
    QVERIFY2(error_of(b.x, s) < 0.05, std::to_string(error_of(b.x, s)).c_str());
    const Cgls cgls(e);
    auto c = cgls.start();
    cgls.run(c, {60});
    QVERIFY2(error_of(c.x, s) < 0.07, std::to_string(error_of(c.x, s)).c_str());
    const Em em(subsets(32, 48, 8, s));
    auto m = em.start();
    em.run(m, {40});
    QVERIFY2(error_of(m.x, s) < 0.05, std::to_string(error_of(m.x, s)).c_str());
    QVERIFY(extrema(m.x).min >= 0);
  }

  // Few views of a piecewise constant object: total variation finds what least squares cannot.
  void few_views() {
    const Scan s = scan(32, 12, at::kFloat);
    const Equations e{s.op, s.data};
    const Sirt sirt({e}, {1, 0.0, {}});
    auto a = sirt.start();
    sirt.run(a, {150});
    const TvSpec tv{0.3, Sign::non_negative, {1, 1, 1}};
    const ChambollePock cp(e, tv);
    auto c = cp.start();
    cp.run(c, {800});
    const FistaTv fista(e, {tv, 10});
    auto f = fista.start();
    fista.run(f, {150});
    const QByteArray text = "errors: SIRT " + QByteArray::number(error_of(a.x, s)) + ", Chambolle-Pock " +
                            QByteArray::number(error_of(c.x, s)) + ", FISTA " + QByteArray::number(error_of(f.x, s));
    QVERIFY2(error_of(c.x, s) < 0.25 * error_of(a.x, s) && error_of(f.x, s) < 0.25 * error_of(a.x, s),
             text.constData());
    QVERIFY(extrema(c.x).min >= 0 && extrema(f.x).min >= 0);
  }

  // Both total-variation methods minimise one objective: the accelerated one must reach the primal-dual one's value,
  // whatever the number of inner iterations, and stay there.
  void fista_reaches_the_minimum_data() {
    QTest::addColumn<double>("strength");
    QTest::addColumn<qlonglong>("inner");
    QTest::addColumn<qlonglong>("iterations");
    QTest::newRow("advised strength") << 0.01 << qlonglong{10} << qlonglong{150};
    QTest::newRow("strong, for long") << 0.05 << qlonglong{10} << qlonglong{1000};
    QTest::newRow("strong, two inner iterations") << 0.05 << qlonglong{2} << qlonglong{600};
    QTest::newRow("one inner iteration") << 0.01 << qlonglong{1} << qlonglong{1000};
  }
  void fista_reaches_the_minimum() {
    QFETCH(double, strength);
    QFETCH(qlonglong, inner);
    QFETCH(qlonglong, iterations);
    constexpr double allowed = 1e-3, settled = 0.01;  // of the objective; what the node uses
    Scan s = scan(32, 40, at::kDouble);
    s.data = (s.data + 0.5 * test::gaussian(s.data.sizes().vec(), at::kDouble, 8)).contiguous();
    const Equations e{s.op, s.data};
    const double norm = norm_bound(*s.op, at::kDouble, {});
    const TvSpec tv{strength * norm * norm, Sign::non_negative, {1, 1, 1}};
    const ChambollePock reference(e, tv);
    auto c = reference.start({}, norm);
    double least = std::numeric_limits<double>::infinity();
    reference.run(c, {3999});  // long enough
    reference.run(c, {1, {}, [&](const IterationReport& step) { least = step.objective; }});
    const std::vector<IterationReport> all = steps(FistaTv(e, {tv, inner, settled}), iterations);
    const double excess = all.back().objective / least - 1;
    QVERIFY2(std::abs(excess) < allowed, std::to_string(excess).c_str());
    QVERIFY(never_grows(all));
  }

  // Limited momentum, for slices that share nothing, does not drift either.
  void limited_momentum_reaches_the_minimum() {
    Scan s = scan(32, 40, at::kDouble);
    s.data = (s.data + 0.5 * test::gaussian(s.data.sizes().vec(), at::kDouble, 8)).contiguous();
    const Equations e{s.op, s.data};
    const double norm = norm_bound(*s.op, at::kDouble, {});
    const TvSpec tv{0.05 * norm * norm, Sign::non_negative, {1, 1, 1}};
    const double least = steps(FistaTv(e, {tv, 10, 0.01}), 400).back().objective;
    const double found = steps(FistaTv(e, {tv, 10, 0.01, MomentumRule::limited}), 400).back().objective;
    QVERIFY2(std::abs(found / least - 1) < 1e-3, std::to_string(found / least - 1).c_str());
  }

  // Values do not depend on the sizes of pixels and voxels.
  void scales() {
    for (const double pitch : {0.8, 1.0, 1.25})
      for (const double voxel : {0.8, 1.0, 1.25}) {
        const Scan s = scan(32, 60, at::kFloat, pitch, voxel);
        const at::Tensor inside = at::avg_pool2d(s.truth, {7, 7}, {1, 1}, {3, 3}).gt(0.999);
        const Sirt sirt({{s.op, s.data}}, {});
        auto a = sirt.start();
        sirt.run(a, {120});
        const Cgls cgls({s.op, s.data});
        auto c = cgls.start();
        cgls.run(c, {30});
        for (const at::Tensor& x : {a.x, c.x}) {
          const double mean = x.masked_select(inside).mean().item<double>();
          QVERIFY2(std::abs(mean - 1) < 0.01,
                   (std::to_string(pitch) + " " + std::to_string(voxel) + ": " + std::to_string(mean)).c_str());
        }
      }
  }
};

TL_TEST_CASE(SolverPhantomsTest)
}  // namespace tl::solver_phantoms_test
#include "solver_phantoms.moc"
