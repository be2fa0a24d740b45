// Iterative solvers: known results, monotone where the method is, resumable.
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
#include "tests/support/solver_scans.h"
#include "tests/support/test_case.h"

namespace tl::solvers_test {
using namespace tl::solve;
using verify::deep_copy;
using verify::matrix;
using namespace tl::test::solvers;
namespace {

at::Tensor vec(std::initializer_list<double> x) { return at::tensor(at::ArrayRef<double>(x), at::kDouble); }
at::Tensor vol(std::initializer_list<double> x) { return vec(x).view({1, 1, -1}); }

// Every operator here is the identity on a volume of this shape: A = I makes total variation pure denoising.
Equations denoising(const at::Tensor& image) {
  return {matrix(at::eye(image.numel(), at::kDouble), image.sizes().vec()), image.reshape({-1}).contiguous()};
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
