// Iterative solvers: known results, monotone where the method is, resumable, and a reconstructed phantom.
#include <ATen/Parallel.h>

#include <cmath>
#include <limits>

#include "core/base/units.h"
#include "gpu/operator/reduce.h"
#include "gpu/projection/projector/projector.h"
#include "gpu/simulate/phantom_library.h"
#include "gpu/solve/cgls.h"
#include "gpu/solve/chambolle_pock.h"
#include "gpu/solve/em.h"
#include "gpu/solve/fista_tv.h"
#include "gpu/solve/sirt.h"
#include "gpu/verify/matrix_operator.h"
#include "gpu/verify/solver_states.h"
#include "tests/support/operator_laws.h"
#include "tests/support/test_case.h"

namespace tl::solvers_test {
using namespace tl::solve;
using verify::deep_copy;
using verify::matrix;
namespace {

at::Tensor vec(std::initializer_list<double> x) { return at::tensor(at::ArrayRef<double>(x), at::kDouble); }
at::Tensor vol(std::initializer_list<double> x) { return vec(x).view({1, 1, -1}); }

// Every operator here is the identity on a volume of this shape: A = I makes total variation pure denoising.
Equations denoising(const at::Tensor& image) {
  return {matrix(at::eye(image.numel(), at::kDouble), image.sizes().vec()), image.reshape({-1}).contiguous()};
}

// A parallel scan of an off-centre disc and a smaller one, with the discrete phantom's own projections.
struct Scan {
  OperatorPtr op;
  at::Tensor truth, data;
};
Scan scan(int64_t size, int64_t views, at::ScalarType type, double pitch = 1, double voxel = 1) {
  const auto cols = static_cast<int64_t>(std::ceil(static_cast<double>(size) * voxel / pitch));
  const auto g = ScanGeometry::parallel(equidistant_angles(views, pi), {1, cols, pitch, pitch}).or_throw();
  const VolumeGrid grid = VolumeGrid::cubic(1, size, size, voxel);
  const double r = 0.5 * static_cast<double>(size) * voxel;
  ops::Phantom phantom = ops::disc(0.5 * r, 1, 0.2 * r, 0.1 * r);
  phantom.parts.push_back(ops::disc(0.2 * r, 1, -0.5 * r, -0.3 * r).parts[0]);
  ops::PhantomSampling sampling;
  sampling.dtype = type;
  Scan s{make_projector({g, grid}).or_throw(), ops::phantom_volume(phantom, grid, sampling), {}};
  s.data = s.op->apply(s.truth);
  return s;
}

double error_of(const at::Tensor& x, const Scan& s) { return ((x - s.truth).norm() / s.truth.norm()).item<double>(); }

// The same views in subsets.
std::vector<Equations> subsets(int64_t size, int64_t views, int64_t count, const Scan& s) {
  const auto g = ScanGeometry::parallel(equidistant_angles(views, pi), {1, size, 1, 1}).or_throw();
  std::vector<Equations> all;
  for (const auto& chosen : ordered_subsets(g, count))
    all.push_back({make_projector({g.select(chosen), VolumeGrid::cubic(1, size, size, 1)}).or_throw(),
                   s.data.index_select(0, at::tensor(at::ArrayRef<int64_t>(chosen), at::kLong)).contiguous()});
  return all;
}

// 7 iterations at once, and 3 and 4 with the state saved in between: the same bits, and the same metrics.
template <class Solver>
void resumes(const Solver& solver, const char* name) {
  std::vector<double> once, pieces;
  auto a = solver.start();
  solver.run(a, {7, {}, [&](const IterationReport& s) { once.push_back(s.objective); }});
  auto b = solver.start();
  solver.run(b, {3, {}, [&](const IterationReport& s) { pieces.push_back(s.objective); }});
  auto saved = deep_copy(b);
  solver.run(b, {2});  // what happens to the old state does not matter
  solver.run(saved, {4, {}, [&](const IterationReport& s) { pieces.push_back(s.objective); }});
  QVERIFY2(saved.x.equal(a.x), name);
  QVERIFY2(saved.iteration == 7 && once == pieces, name);
  // Without a listener nothing changes but the metrics.
  auto silent = solver.start();
  solver.run(silent, {7});
  QVERIFY2(silent.x.equal(a.x), name);
}

template <class Solver>
std::vector<IterationReport> steps(const Solver& solver, int64_t iterations) {
  std::vector<IterationReport> all;
  auto state = solver.start();
  solver.run(state, {iterations, {}, [&](const IterationReport& s) { all.push_back(s); }});
  return all;
}

// Rounding of a sum of squares in float64.
bool never_grows(const std::vector<IterationReport>& all) {
  for (std::size_t i = 1; i < all.size(); ++i)
    if (!(all[i].objective <= all[i - 1].objective * (1 + 1e-12) + 1e-15)) return false;
  return true;
}

}  // namespace

class SolversTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void answers_by_hand() {
    const Sirt sirt({{matrix(at::ones({1, 2}, at::kDouble), {2}), vec({2})}}, {});
    auto s = sirt.start();
    sirt.run(s, {1});
    QVERIFY(s.x.equal(vec({1, 1})));

    const Cgls cgls({matrix(at::diag(vec({1, 2})), {2}), vec({1, 2})});
    auto c = cgls.start();
    cgls.run(c, {1});
    QVERIFY(test::max_difference(c.x, vec({17.0 / 65, 68.0 / 65})) < 1e-15);  // .261538, 1.046154
    cgls.run(c, {1});
    QVERIFY(test::max_difference(c.x, vec({1, 1})) < 1e-15);
    cgls.run(c, {5});  // gamma is rounding or 0 now
    QVERIFY(test::max_difference(c.x, vec({1, 1})) < 1e-15);
    // A start is not ignored: the solution stays, and another start reaches it.
    auto warm = cgls.start(vec({1, 1}));
    QVERIFY(warm.gamma.item<double>() == 0);
    cgls.run(warm, {3});
    QVERIFY(warm.x.equal(vec({1, 1})));
    warm = cgls.start(vec({5, -3}));
    cgls.run(warm, {2});
    QVERIFY(test::max_difference(warm.x, vec({1, 1})) < 1e-14);

    // From 1: A x = 2 = y, a fixed point.
    const Em em({{matrix(at::ones({1, 2}, at::kDouble), {2}), vec({2})}});
    auto e = em.start();
    em.run(e, {3});
    QVERIFY(e.x.equal(vec({1, 1})));
    e = em.start(vec({3, 1}));
    em.run(e, {1});
    QVERIFY(test::max_difference(e.x, vec({1.5, 0.5})) < 1e-15);
  }

  void empty_rows_and_columns() {
    const at::Tensor a = vec({1, 0, 1, 0, 0, 0}).view({2, 3});  // second row and column empty
    const at::Tensor y = vec({2, 7});
    const Sirt sirt({{matrix(a, {3}), y}}, {});
    auto s = sirt.start(vec({0, 5, 0}));
    sirt.run(s, {3});
    QVERIFY(s.x.equal(vec({1, 5, 1})));
    const Cgls cgls({matrix(a, {3}), y});
    auto c = cgls.start(vec({0, 5, 0}));
    cgls.run(c, {3});
    QVERIFY(test::max_difference(c.x, vec({1, 5, 1})) < 1e-15);
    const Em em({{matrix(a, {3}), y}});
    auto e = em.start();
    em.run(e, {3});
    QVERIFY(test::max_difference(e.x, vec({1, 0, 1})) < 1e-15);
    const at::Tensor none = at::zeros({2, 3}, at::kDouble);
    const Equations nothing{matrix(none, {1, 1, 3}), y};
    const Cgls zero(nothing);
    auto z = zero.start(vol({1, 2, 3}));
    zero.run(z, {2});
    QVERIFY(z.x.equal(vol({1, 2, 3})));
    const ChambollePock cp(nothing, {});
    auto p = cp.start(vol({1, 2, 3}));
    cp.run(p, {4});
    QVERIFY(test::max_difference(p.x, vol({1, 2, 3})) < 1e-15);
  }

  void monotone_where_the_method_is() {
    Scan s = scan(24, 20, at::kDouble);
    s.data = (s.data + 0.5 * test::gaussian(s.data.sizes().vec(), at::kDouble, 1)).contiguous();
    QVERIFY(never_grows(steps(Sirt({{s.op, s.data}}, {}), 40)));
    QVERIFY(never_grows(steps(Sirt({{s.op, s.data}}, {1.9, {}, {}}), 40)));
    QVERIFY(never_grows(steps(Sirt({{s.op, s.data}}, {1, 0.0, 1.0}), 40)));
    QVERIFY(never_grows(steps(Cgls({s.op, s.data}), 40)));
    QVERIFY(never_grows(steps(Em({{s.op, s.data}}), 40)));
    for (const int64_t inner : {1, 2, 10})
      QVERIFY(never_grows(steps(FistaTv({s.op, s.data}, {{0.5, Sign::any, {1, 1, 1}}, inner}), 60)));
    const std::vector<IterationReport> all = steps(ChambollePock({s.op, s.data}, {0.5, Sign::any, {1, 1, 1}}), 100);
    QVERIFY(all.back().objective < all.front().objective);
  }

  void resume() {
    const Scan s = scan(16, 12, at::kFloat);
    const Equations e{s.op, s.data};
    const auto parts = subsets(16, 12, 4, s);
    resumes(Sirt({e}, {1, 0.0, {}}), "SIRT");
    resumes(Sirt(parts, {0.8, {}, {}}), "OS-SART");
    resumes(Cgls(e), "CGLS");
    resumes(Em({e}), "ML-EM");
    resumes(Em(parts), "OS-EM");
    resumes(FistaTv(e, {{0.1, Sign::non_negative, {1, 1, 1}}, 5}), "FISTA-TV");
    resumes(ChambollePock(e, {0.1, Sign::non_negative, {1, 1, 1}}), "Chambolle-Pock");
    // SIRT's estimate is its whole state: three runs of ten started from x are one run of thirty.
    const Sirt sirt({e}, {});
    auto once = sirt.start();
    sirt.run(once, {30});
    at::Tensor x;
    for (int run = 0; run < 3; ++run) {
      auto part = sirt.start(x);
      sirt.run(part, {10});
      x = part.x;
    }
    QVERIFY(x.equal(once.x));
  }

  void same_bits_for_any_thread_count() {
    const Scan s = scan(40, 30, at::kFloat);
    std::vector<std::vector<at::Tensor>> found;
    for (const int threads : {1, 2}) {
      at::set_num_threads(threads);
      const ChambollePock cp({s.op, s.data}, {0.1, Sign::non_negative, {1, 1, 1}});
      auto c = cp.start();
      cp.run(c, {4});
      const Cgls cgls({s.op, s.data});
      auto g = cgls.start();
      cgls.run(g, {4});
      found.push_back({c.x, g.x});
    }
    at::set_num_threads(2);
    QVERIFY(found[0][0].equal(found[1][0]) && found[0][1].equal(found[1][1]));
  }

  // Slices that share nothing are systems of their own: a slab gives what it gives within the whole.
  void slices_apart() {
    const auto g = ScanGeometry::parallel(equidistant_angles(12, pi), {4, 14, 1, 1}).or_throw();
    const VolumeGrid grid = VolumeGrid::cubic(4, 14, 14, 1);
    const OperatorPtr op = make_projector({g, grid}).or_throw();
    const at::Tensor data = test::gaussian(op->range(), at::kDouble, 6);
    const Cgls whole({op, data}, Coupling::by_slice), joint({op, data});
    auto w = whole.start(), j = joint.start();
    whole.run(w, {6});
    joint.run(j, {6});
    QVERIFY(test::max_difference(w.x, j.x) > 1e-3);
    for (int64_t k = 0; k < 4; ++k) {
      const OperatorPtr one =
          make_projector({g.crop({{0, 12}, {3 - k, 4 - k}, {0, 14}}), grid.slab({k, k + 1})}).or_throw();
      const Cgls alone({one, data.narrow(1, 3 - k, 1).contiguous()});
      auto a = alone.start();
      alone.run(a, {6});
      QVERIFY(test::max_difference(a.x[0], w.x[k]) < 1e-12);
    }
  }

  // A step of height h over n1 | n2 samples becomes lambda / n1 and h - lambda / n2, along every direction.
  void exact_denoising() {
    struct Case {
      int64_t n1, n2;
      double h, lambda;
    };
    for (const Case& c : {Case{2, 2, 1, 0.2}, {3, 5, 2, 0.9}, {4, 2, 1, 5}}) {
      const bool joined = c.lambda * (1.0 / static_cast<double>(c.n1) + 1.0 / static_cast<double>(c.n2)) >= c.h;
      const double mean = c.h * static_cast<double>(c.n2) / static_cast<double>(c.n1 + c.n2);
      const at::Tensor line = at::cat({at::zeros({c.n1}, at::kDouble), at::full({c.n2}, c.h, at::kDouble)});
      const at::Tensor expected =
          at::cat({at::full({c.n1}, joined ? mean : c.lambda / static_cast<double>(c.n1), at::kDouble),
                   at::full({c.n2}, joined ? mean : c.h - c.lambda / static_cast<double>(c.n2), at::kDouble)});
      const int64_t n = c.n1 + c.n2;
      for (const auto& shape : {std::vector<int64_t>{1, 1, n}, {1, n, 1}, {n, 1, 1}}) {
        const Equations e = denoising(line.view(shape));
        const TvSpec spec{c.lambda, Sign::any, {1, 1, 1}};
        const ChambollePock cp(e, spec);
        auto s = cp.start({}, 1);
        cp.run(s, {3000});
        QVERIFY(test::max_difference(s.x.reshape({-1}), expected) < 1e-6);
        const FistaTv fista(e, {spec, 400});
        auto f = fista.start({}, 1);
        fista.run(f, {3});
        QVERIFY(test::max_difference(f.x.reshape({-1}), expected) < 1e-6);
      }
    }
  }

  // A = I: for any dual field q, p = -gradient* q is feasible, so primal minus dual bounds the error from above.
  void duality_gap() {
    const at::Tensor image = test::gaussian({4, 6, 5}, at::kDouble, 3) + 1;
    const double lambda = 0.3;
    const auto gap = [&](const at::Tensor& x, const at::Tensor& q) {
      const at::Tensor d = ops::make_gradient({4, 6, 5}).or_throw()->adjoint(q);
      return 0.5 * total_of_squares(x - image) + lambda * ops::total_variation(x, {1, 1, 1}) -
             (inner_product(d, image) - 0.5 * total_of_squares(d));
    };
    const ChambollePock cp(denoising(image), {lambda, Sign::any, {1, 1, 1}});
    auto s = cp.start({}, 1);
    cp.run(s, {20});
    const double norm = std::sqrt(12.0);  // of the gradient: q is that of the gradient over its norm
    const double first = gap(s.x, s.q / norm);
    cp.run(s, {1500});
    const double last = gap(s.x, s.q / norm);
    QVERIFY2(first > 0 && last > -1e-12 && last < 1e-6 * first,
             (std::to_string(first) + " " + std::to_string(last)).c_str());
    QVERIFY(s.q.square().sum(0).max().item<double>() <= 12 * lambda * lambda * (1 + 1e-12));
    // The other method finds the same minimum.
    const FistaTv fista(denoising(image), {{lambda, Sign::any, {1, 1, 1}}, 500});
    auto f = fista.start({}, 1);
    fista.run(f, {2});
    QVERIFY(test::max_difference(f.x, s.x) < 1e-4);
  }

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

  void norm() {
    QVERIFY(std::abs(operator_norm(*matrix(at::diag(vec({1, -3, 2})), {3}), at::kDouble, {}, 40) - 3) < 1e-6);
    QVERIFY(operator_norm(*matrix(at::zeros({2, 3}, at::kDouble), {3}), at::kDouble, {}) == 0);
  }

  void refusals_and_cancel() {
    const Scan s = scan(8, 6, at::kFloat);
    const auto refuses = [](const auto& body) {
      try {
        body();
      } catch (const Failure& f) {
        return f.error().kind;
      }
      return ErrorKind::internal;
    };
    QVERIFY(refuses([&] { Sirt({{s.op, s.data}}, {2, {}, {}}); }) == ErrorKind::invalid);
    QVERIFY(refuses([&] { Sirt({{s.op, s.data}}, {1, 1.0, 0.0}); }) == ErrorKind::invalid);
    QVERIFY(refuses([&] { Sirt({}, {}); }) == ErrorKind::invalid);
    QVERIFY(refuses([&] { Cgls({s.op, s.truth}); }) == ErrorKind::invalid);
    QVERIFY(refuses([&] { ChambollePock({s.op, s.data}, {-1, Sign::any, {1, 1, 1}}); }) == ErrorKind::invalid);
    QVERIFY(refuses([&] { FistaTv({s.op, s.data}, {{}, 0}); }) == ErrorKind::invalid);
    QVERIFY(refuses([&] { (void)Sirt({{s.op, s.data}}, {}).start(s.data); }) == ErrorKind::invalid);
    CancelToken cancel;
    const Sirt sirt({{s.op, s.data}}, {});
    auto state = sirt.start();
    QVERIFY(refuses([&] {
              sirt.run(state, {100, cancel, [&](const IterationReport& step) {
                                 if (step.iteration == 3) cancel.cancel();
                               }});
            }) == ErrorKind::cancelled);
    QCOMPARE(state.iteration, 3);
  }
};

TL_TEST_CASE(SolversTest)
}  // namespace tl::solvers_test
#include "solvers.moc"
