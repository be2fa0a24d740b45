// Fast loops of the projector: equal to the generic ones, exact adjoints, all instruction sets and thread numbers.
#include <ATen/Parallel.h>

#include <cstdlib>

#include "core/base/units.h"
#include "gpu/device/cpu_variant.h"
#include "gpu/projection/projector/cpu/parallel_untilted.h"
#include "gpu/projection/projector/projector.h"
#include "gpu/verify/cases.h"
#include "tests/support/test_case.h"

namespace tl::projector_fast_test {

namespace {

// Sums of a few hundred float products.
constexpr double float_rounding = 3e-6;
constexpr double double_rounding = 1e-13;

struct Case {
  const char* name;
  ScanGeometry geometry;
  VolumeGrid grid;
};

ScanGeometry scan(Beam beam, DetectorShape detector, int64_t views, double axis = 0) {
  Orbit o;
  o.beam = beam;
  o.angles = equidistant_angles(views, 2 * pi, 0.05);
  o.source_to_axis = 90;
  o.axis_to_detector = 30;
  o.axis = axis;
  return ScanGeometry::from_orbit(o, detector).or_throw();
}

// Parallel beams in which no ray leaves its slice.
std::vector<Case> level_cases() {
  Orbit shifted;
  shifted.angles = equidistant_angles(7, pi, 0.05);
  for (int i = 0; i < 7; ++i) shifted.shift_v.push_back(0.37 * i - 1);
  const DetectorShape usual{6, 45, 0.5, 0.5};
  return {
      {"slices on rows", scan(Beam::parallel, usual, 9, 1.3), VolumeGrid::cubic(6, 40, 37, 0.5)},
      {"right angles", ScanGeometry::parallel({0, pi / 4, pi / 2, pi, 4.0}, usual).or_throw(),
       VolumeGrid::cubic(6, 32, 33, 0.5)},
      {"rows between slices", scan(Beam::parallel, {5, 45, 0.5, 0.7}, 9),
       VolumeGrid::cubic(9, 33, 40, 0.5, {1, -2, 0.1})},
      {"small pixels", scan(Beam::parallel, {4, 90, 0.2, 0.5}, 5), VolumeGrid::cubic(3, 30, 35, 0.5)},
      {"one slice", scan(Beam::parallel, {1, 45, 0.5, 0.5}, 11), VolumeGrid::cubic(1, 40, 37, 0.5)},
      {"more slices than a block", scan(Beam::parallel, {80, 20, 0.5, 0.5}, 4), VolumeGrid::cubic(83, 14, 15, 0.5)},
      {"moving up and down", ScanGeometry::from_orbit(shifted, usual).or_throw(), VolumeGrid::cubic(7, 34, 33, 0.5)},
  };
}

// Cone beams whose detector columns stand upright.
std::vector<Case> upright_cases() {
  return {
      {"usual", scan(Beam::cone, {40, 45, 0.65, 0.65}, 9, 1.3), VolumeGrid::cubic(35, 40, 37, 0.5)},
      {"coarse rows", scan(Beam::cone, {12, 45, 0.65, 1.0}, 9), VolumeGrid::cubic(20, 33, 40, 0.5, {1, -2, 3})},
      {"fine rows", scan(Beam::cone, {50, 20, 0.65, 0.45}, 5), VolumeGrid::cubic(17, 20, 20, 0.5)},
      {"tall", scan(Beam::cone, {150, 10, 0.65, 0.65}, 3), VolumeGrid::cubic(280, 9, 18, 0.5)},
  };
}

OperatorPtr make(const Case& c, KernelChoice kernel) {
  ProjectorSpec spec{c.geometry, c.grid};
  spec.kernel = kernel;
  return make_projector(std::move(spec)).or_throw();
}

double relative(const at::Tensor& a, const at::Tensor& b) {
  return ((a - b).to(at::kDouble).norm() / b.to(at::kDouble).norm()).item<double>();
}

// Both directions of the fast loops against the generic ones.
void compare(const Case& c, at::ScalarType type, double tolerance) {
  const OperatorPtr fast = make(c, KernelChoice::fastest), generic = make(c, KernelChoice::generic);
  const at::Tensor x = verify::gaussian(fast->domain(), 1, 1).to(type),
                   y = verify::gaussian(fast->range(), 1, 2).to(type);
  const at::Tensor ax = fast->apply(x), aty = fast->adjoint(y);
  const double forward = relative(ax, generic->apply(x)), back = relative(aty, generic->adjoint(y));
  QVERIFY2(forward < tolerance && back < tolerance,
           qPrintable(QString("%1: %2 forward, %3 back").arg(c.name).arg(forward).arg(back)));
  const double a = (ax.to(at::kDouble) * y).sum().item<double>(), b = (aty.to(at::kDouble) * x).sum().item<double>();
  const double norms = (ax.to(at::kDouble).norm() * y.to(at::kDouble).norm()).item<double>();
  QVERIFY2(std::abs(a - b) / norms < tolerance,
           qPrintable(QString("%1: dot test %2").arg(c.name).arg((a - b) / norms)));
}

// Runs `check` once per instruction set that this processor has.
template <class Check>
void every_variant(const Check& check) {
  const auto best = static_cast<int>(ops::best_cpu_variant());
  const char* names[] = {"plain", "avx2", "avx512"};
  for (int v = 0; v <= best; ++v) {
    qputenv("TL_CPU_VARIANT", names[v]);
    check();
  }
  qunsetenv("TL_CPU_VARIANT");
}

}  // namespace

class ProjectorFastTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void the_cases_take_the_fast_loops() {
    for (const auto& list : {level_cases(), upright_cases()})
      for (const Case& c : list) {
        // Loops of their own leave rounding behind; the same loops would not.
        const at::Tensor x = verify::gaussian({c.grid.nz, c.grid.ny, c.grid.nx}, 3, 1).to(at::kFloat);
        const at::Tensor fast = make(c, KernelChoice::fastest)->apply(x);
        QVERIFY2(!at::equal(fast, make(c, KernelChoice::generic)->apply(x)), c.name);
      }
  }
  void level_rays_in_float() {
    every_variant([] {
      for (const Case& c : level_cases()) compare(c, at::kFloat, float_rounding);
    });
  }
  void level_rays_in_double() {
    every_variant([] {
      for (const Case& c : level_cases()) compare(c, at::kDouble, double_rounding);
    });
  }
  void upright_columns() {
    every_variant([] {
      for (const Case& c : upright_cases()) compare(c, at::kFloat, float_rounding);
    });
  }
  void thread_count_changes_no_bit() {
    const int threads = at::get_num_threads();
    for (const auto& list : {level_cases(), upright_cases()})
      for (const Case& c : list) {
        const OperatorPtr op = make(c, KernelChoice::fastest);
        const at::Tensor x = verify::gaussian(op->domain(), 4, 1).to(at::kFloat);
        const at::Tensor y = verify::gaussian(op->range(), 4, 2).to(at::kFloat);
        at::set_num_threads(1);
        const at::Tensor ax = op->apply(x), aty = op->adjoint(y);
        at::set_num_threads(3);
        QVERIFY2(at::equal(op->apply(x), ax) && at::equal(op->adjoint(y), aty), c.name);
      }
    at::set_num_threads(threads);
  }
  void a_cancelled_operator_stops() {
    for (const Case& c : {level_cases()[0], upright_cases()[0]}) {
      ProjectorSpec spec{c.geometry, c.grid};
      spec.cancel.cancel();
      const OperatorPtr op = make_projector(spec).or_throw();
      QVERIFY_THROWS_EXCEPTION(Failure, (void)op->apply(at::zeros(op->domain())));
      QVERIFY_THROWS_EXCEPTION(Failure, (void)op->adjoint(at::zeros(op->range())));
    }
  }
};

TL_TEST_CASE(ProjectorFastTest)

}  // namespace tl::projector_fast_test

#include "projector_fast.moc"
