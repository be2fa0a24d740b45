// Registration by ITK against objects that are known at every point, and against SimpleITK; faults, cancel, threads.
#include "core/itk/linear_registration.h"

#include <QElapsedTimer>
#include <cmath>
#include <limits>
#include <thread>

#include "core/base/units.h"
#include "tests/support/python_arrays.h"
#include "tests/support/test_case.h"
#include "tests/support/volumes/ball_phantom.h"

namespace tl::linear_registration_test {

using namespace tl::insight;

namespace {

constexpr double noise = 0.05;           // of the body's value 1
constexpr double shift_error = 0.05;     // [voxels], what is asked for at this noise (measured 0.005)
constexpr double rotation_error = 0.06;  // [deg] (measured 0.037)
constexpr double scale_error = 5e-4;
constexpr double degree = pi / 180;

at::Tensor matrix(const LinearMap& map) {
  const Matrix3 m = matrix_of(map);
  return at::tensor(at::ArrayRef<double>(m.m.data(), 9), at::kDouble).view({3, 3});
}

struct Pair {
  at::Tensor fixed, moving;
  VolumeGrid grid;
};
// The moving object is the fixed one after the map [voxels].
Pair pair_of(int64_t n, const LinearMap& map, double sigma = noise) {
  const at::Tensor at_voxels = test::cube_positions(n), shift = at::tensor({map[0], map[1], map[2]}, at::kDouble);
  const at::Tensor back =
      at::linalg_inv(matrix(map)).matmul((at_voxels.view({3, -1}) - shift.view({3, 1}))).view_as(at_voxels);
  const auto size = static_cast<double>(n);
  return {test::with_noise(test::ball_phantom(at_voxels, size), sigma, 1),
          test::with_noise(test::ball_phantom(back, size), sigma, 2), VolumeGrid::cubic(n, n, n, 1)};
}

LinearRegistrationSpec spec_of(const Pair& p, Motion motion) {
  LinearRegistrationSpec spec;
  spec.fixed = {p.fixed.const_data_ptr<float>(), p.grid};
  spec.moving = {p.moving.const_data_ptr<float>(), p.grid};
  spec.motion = motion;
  return spec;
}
Call call_with(int64_t threads = 2) { return {{}, threads, {}}; }

// Five degrees about an oblique axis and three voxels.
LinearMap rigid_motion() {
  LinearMap map = no_motion;
  map[0] = 2, map[1] = -1, map[2] = 2;
  map[3] = 5 * degree * 2 / 3, map[4] = -5 * degree / 3, map[5] = 5 * degree * 2 / 3;
  return map;
}

double largest(const LinearMap& a, const LinearMap& b, std::size_t first, std::size_t count) {
  double most = 0;
  for (std::size_t i = first; i < first + count; ++i) most = std::max(most, std::abs(a[i] - b[i]));
  return most;
}

}  // namespace

class LinearRegistrationTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void maps_are_matrices_and_back() {
    LinearMap map = rigid_motion();
    map[6] = 1.02, map[7] = 0.97, map[8] = 1.01, map[9] = 0.01, map[10] = -0.02, map[11] = 0.03;
    QVERIFY(largest(map_of(matrix_of(map), {map[0], map[1], map[2]}), map, 0, 12) < 1e-12);  // rounding
  }

  void five_degrees_and_three_voxels() {
    const LinearMap truth = rigid_motion();
    const Pair p = pair_of(96, truth);
    const LinearRegistration found = register_linear(spec_of(p, Motion::rigid), call_with()).or_throw();
    const double shift = largest(found.map, truth, 0, 3), turn = largest(found.map, truth, 3, 3) / degree;
    qInfo("shift %.4f voxels (sigma %.4f), rotation %.4f deg (sigma %.4f), %lld evaluations", shift, found.sigma[0],
          turn, found.sigma[3] / degree, static_cast<long long>(found.evaluations));
    QVERIFY(found.converged);
    QVERIFY(shift < shift_error && turn < rotation_error);
    for (std::size_t i = 0; i < 6; ++i) {
      QVERIFY(!found.flat[i] && found.sigma[i] > 0);
      QVERIFY2(std::abs(found.map[i] - truth[i]) < 5 * found.sigma[i], qPrintable(QString::number(i)));
    }
    QVERIFY(found.overlap > 0.9 && found.overlap < 1);
  }

  void mutual_information_finds_it_too_also_with_inverted_grey() {
    const LinearMap truth = rigid_motion();
    for (const bool is_inverted : {false, true}) {
      Pair p = pair_of(96, truth);
      if (is_inverted) p.moving = 1.2 - p.moving;
      LinearRegistrationSpec spec = spec_of(p, Motion::rigid);
      spec.agreement = Agreement::mutual_information;
      const LinearRegistration found = register_linear(spec, call_with()).or_throw();
      const double shift = largest(found.map, truth, 0, 3), turn = largest(found.map, truth, 3, 3) / degree;
      qInfo("shift %.4f voxels, rotation %.4f deg (sigma %.4f), %lld evaluations", shift, turn, found.sigma[3] / degree,
            static_cast<long long>(found.evaluations));
      QVERIFY(found.converged);
      QVERIFY(shift < shift_error && turn < rotation_error);
      QVERIFY(found.overlap > 0.9 && found.overlap < 1);
    }
  }

  void scale_and_affine() {
    LinearMap truth = rigid_motion();
    for (std::size_t i = 6; i < 9; ++i) truth[i] = 1.02;
    const Pair scaled = pair_of(64, truth);
    LinearRegistrationSpec spec = spec_of(scaled, Motion::similarity);
    spec.agreement = Agreement::correlation;
    const LinearRegistration found = register_linear(spec, call_with()).or_throw();
    qInfo("scale %.6f, sigma %.6f", found.map[6], found.sigma[6]);
    QVERIFY(largest(found.map, truth, 6, 3) < scale_error);
    QVERIFY(largest(found.map, truth, 0, 3) < shift_error);
    truth[7] = 0.98, truth[11] = 0.01;
    const Pair sheared = pair_of(64, truth);
    const LinearRegistration affine = register_linear(spec_of(sheared, Motion::affine), call_with()).or_throw();
    qInfo("stretch off by %.6f, sigma %.6f", largest(affine.map, truth, 6, 6), affine.sigma[6]);
    // A smaller volume, and nine numbers more than a shift.
    QVERIFY(largest(affine.map, truth, 6, 6) < 2 * scale_error);
    QVERIFY(largest(affine.map, truth, 0, 3) < shift_error);
  }

  void a_cylinder_is_flat_about_its_axis() {
    const at::Tensor at_voxels = test::cube_positions(48);
    const auto cylinder = [&](double x, double y, double z) {
      const at::Tensor r = ((at_voxels[0] - x).square() + (at_voxels[1] - y).square()).sqrt();
      return ((13 - r) / 0.6).sigmoid() * ((15 - (at_voxels[2] - z).abs()) / 0.6).sigmoid();
    };
    const Pair p{test::with_noise(cylinder(0, 0, 0), noise, 1), test::with_noise(cylinder(1, 2, 1), noise, 2),
                 VolumeGrid::cubic(48, 48, 48, 1)};
    const LinearRegistration found = register_linear(spec_of(p, Motion::rigid), call_with()).or_throw();
    for (std::size_t i = 0; i < 6; ++i) QCOMPARE(found.flat[i], i == 5);
    LinearMap truth = no_motion;
    truth[0] = 1, truth[1] = 2, truth[2] = 1;
    QVERIFY(largest(found.map, truth, 0, 3) < shift_error);
  }

  void a_start_leads_across_a_gap_and_voxels_may_differ() {
    LinearMap truth = no_motion;
    truth[0] = 70;
    const Pair p = pair_of(48, no_motion);
    LinearRegistrationSpec spec = spec_of(p, Motion::translation);
    spec.moving.grid.centre = {70, 0, 0};
    const auto refused = register_linear(spec, call_with());
    QVERIFY(!refused.ok() && refused.error().kind == ErrorKind::invalid);
    spec.start[0] = 68;
    const LinearRegistration found = register_linear(spec, call_with()).or_throw();
    QVERIFY(largest(found.map, truth, 0, 3) < shift_error);
    // The same in mm, with voxels of 0.01: nothing depends on the unit.
    for (VolumeView* v : {&spec.fixed, &spec.moving}) {
      VolumeGrid& g = v->grid;
      g = VolumeGrid::cubic(g.nz, g.ny, g.nx, 0.01, 0.01 * g.centre);
    }
    spec.start[0] = 0.68;
    const LinearRegistration small = register_linear(spec, call_with()).or_throw();
    constexpr double rounding = 1e-3;  // [voxels] of a search that ends when its steps are small
    for (std::size_t i = 0; i < 3; ++i) QVERIFY(std::abs(small.map[i] - 0.01 * found.map[i]) < 0.01 * rounding);
  }

  void bits_do_not_depend_on_threads() {
    const Pair p = pair_of(40, rigid_motion());
    for (const Agreement a : {Agreement::mean_squares, Agreement::correlation, Agreement::mutual_information}) {
      LinearRegistrationSpec spec = spec_of(p, Motion::rigid);
      spec.agreement = a;
      const LinearRegistration one = register_linear(spec, call_with(1)).or_throw();
      const LinearRegistration two = register_linear(spec, call_with(2)).or_throw();
      QVERIFY(one.map == two.map && one.sigma == two.sigma && one.agreement == two.agreement);
    }
  }

  void masks_leave_voxels_out() {
    Pair p = pair_of(48, rigid_motion());
    at::Tensor mask = at::ones({48, 48, 48}, at::kByte);
    // Something that does not move with the object.
    for (at::Tensor* v : {&p.fixed, &p.moving}) v->narrow(0, 0, 8) += 20;
    mask.narrow(0, 0, 14) = 0;
    LinearRegistrationSpec spec = spec_of(p, Motion::rigid);
    spec.coarsest = 2;  // a coarser one would mix it with the object
    spec.mask = mask.const_data_ptr<uint8_t>();
    const LinearRegistration found = register_linear(spec, call_with()).or_throw();
    QVERIFY(largest(found.map, rigid_motion(), 0, 3) < 2 * shift_error);  // of half the volume
    mask.zero_();
    const auto refused = register_linear(spec, call_with());
    QVERIFY(!refused.ok() && refused.error().where == "mask");
  }

  void faults_are_named() {
    Pair p = pair_of(24, no_motion);
    const at::Tensor good = p.moving;
    p.moving = at::full({24, 24, 24}, 0.5, at::kFloat);
    auto result = register_linear(spec_of(p, Motion::rigid), call_with());
    QVERIFY(!result.ok() && result.error().where == "moving");
    p.moving = good.clone();
    p.moving.view(-1)[100] = std::numeric_limits<float>::quiet_NaN();
    result = register_linear(spec_of(p, Motion::rigid), call_with());
    QVERIFY(!result.ok() && result.error().where == "moving");
  }

  void cancel_is_quick_from_another_thread() {
    const Pair p = pair_of(96, rigid_motion());
    for (const Agreement a : {Agreement::mean_squares, Agreement::mutual_information}) {
      LinearRegistrationSpec spec = spec_of(p, Motion::rigid);
      spec.agreement = a;
      Call call = call_with();
      std::atomic<bool> has_begun = false;
      call.progress = [&](double) { has_begun = true; };
      std::jthread other([&] {
        while (!has_begun) std::this_thread::yield();
        call.cancel.cancel();
      });
      bool is_cancelled = false;
      try {
        (void)register_linear(spec, call);
      } catch (const Failure& e) {
        is_cancelled = e.error().kind == ErrorKind::cancelled;
      }
      QVERIFY(is_cancelled);
    }
  }

  void first_calls_at_once_do_not_disturb_each_other() {
    const Pair p = pair_of(24, no_motion);
    std::array<LinearMap, 4> found{};
    {
      std::vector<std::jthread> threads;
      for (LinearMap& map : found)
        threads.emplace_back(
            [&] { map = register_linear(spec_of(p, Motion::translation), call_with(1)).or_throw().map; });
    }
    for (const LinearMap& map : found) QVERIFY(map == found[0]);
  }

  // SimpleITK with the same smoothing and levels. Its steps become short before they arrive, so it starts once more
  // from where it ended, until its gradient is 0.
  void agrees_with_simpleitk() {
    const QString missing = test::PythonArrays::missing("SimpleITK");
    if (!missing.isEmpty()) QSKIP(qPrintable(missing));
    const Pair p = pair_of(64, rigid_motion());
    const LinearRegistration found = register_linear(spec_of(p, Motion::rigid), call_with()).or_throw();
    const test::PythonArrays python("SimpleITK");
    python.put("fixed", p.fixed);
    python.put("moving", p.moving);
    python.run(R"(
import SimpleITK as sitk
def image(name):
    x = sitk.GetImageFromArray(load(name, 'f4'))
    x.SetOrigin([-(n - 1) / 2 for n in x.GetSize()])
    return sitk.SmoothingRecursiveGaussian(x, 0.7)
start = sitk.Euler3DTransform()
def search(step, shortest, shrink, smooth):
    r = sitk.ImageRegistrationMethod()
    r.SetMetricAsMeanSquares()
    r.SetInterpolator(sitk.sitkLinear)
    r.SetOptimizerAsRegularStepGradientDescent(step, shortest, 1000, gradientMagnitudeTolerance=1e-9)
    r.SetOptimizerScalesFromPhysicalShift()
    r.SetShrinkFactorsPerLevel(shrink)
    r.SetSmoothingSigmasPerLevel(smooth)
    r.SetInitialTransform(start, inPlace=True)
    r.Execute(image('fixed'), image('moving'))
search(1.0, 1e-5, [4, 2, 1], [2, 1, 0])
search(0.1, 1e-7, [1], [0])
save('matrix', start.GetMatrix(), 'f8')
save('shift', start.GetTranslation(), 'f8')
)");
    const at::Tensor m = python.get("matrix", at::kDouble), t = python.get("shift", at::kDouble);
    Matrix3 matrix;
    std::copy_n(m.const_data_ptr<double>(), 9, matrix.m.begin());
    const auto* s = t.const_data_ptr<double>();
    const LinearMap theirs = map_of(matrix, {s[0], s[1], s[2]});
    // At the corners of the volume's body, 32 voxels from the middle.
    const double apart = std::max(largest(found.map, theirs, 0, 3), 32 * largest(found.map, theirs, 3, 3));
    qInfo("SimpleITK is %.4f voxels away", apart);
    constexpr double same_place = 0.01;  // [voxels], what is asked for
    QVERIFY(apart < same_place);
  }
};

TL_TEST_CASE(LinearRegistrationTest)

}  // namespace tl::linear_registration_test

#include "linear_registration.moc"
