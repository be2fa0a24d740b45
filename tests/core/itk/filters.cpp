// Curvature diffusion, objectness and level sets against SimpleITK; threads, cancel, faults.
#include "core/itk/filters.h"

#include <cmath>

#include "core/base/units.h"
#include "tests/support/python_arrays.h"
#include "tests/support/test_case.h"
#include "tests/support/volumes/ball_phantom.h"

namespace tl::itk_filters_test {

using namespace tl::insight;

namespace {

constexpr double of_range = 1e-4;  // what is asked for; other releases of ITK round differently
constexpr int64_t n = 32;

at::Tensor volume() { return test::with_noise(test::ball_phantom(test::cube_positions(n), n), 0.05, 1); }
VolumeGrid grid() { return VolumeGrid::cubic(n, n, n, 0.01, {1, 2, 3}); }
at::Tensor seed() {
  const at::Tensor xyz = test::cube_positions(n);
  return xyz.square().sum(0).le(16).to(at::kByte).contiguous();
}

using Filter = std::function<Result<void>(const VolumeView&, float*, const Call&)>;
struct Case {
  const char* name;
  Filter filter;
  const char* script;  // makes `out` of the image `x` and the mask `start`
};
std::vector<Case> cases() {
  const auto level_set = [](const VolumeView& v, float* out, const Call& c) {
    const at::Tensor start = seed();
    GeodesicLevelSet spec;
    spec.start = start.const_data_ptr<uint8_t>();
    spec.steps = 60;
    return geodesic_level_set(v, spec, out, c);
  };
  return {
      {"diffusion",
       [](const auto& v, float* out, const Call& c) {
         return curvature_diffusion(v, {8, 0.0625, 1.5}, out, c);
       },
       "out = sitk.CurvatureAnisotropicDiffusion(x, 0.0625, 1.5, 1, 8)"},
      {"tubes",
       [](const auto& v, float* out, const Call& c) {
         return objectness(v, {1, true, 1.5, 0.5, 0.5, 0.2}, out, c);
       },
       "out = frangi(1, True)"},
      {"plates",
       [](const auto& v, float* out, const Call& c) {
         return objectness(v, {2, true, 1.5, 0.5, 0.5, 0.2}, out, c);
       },
       "out = frangi(2, True)"},
      {"dark blobs",
       [](const auto& v, float* out, const Call& c) {
         return objectness(v, {0, false, 1.5, 0.5, 0.5, 0.2}, out, c);
       },
       "out = frangi(0, False)"},
      {"level set", level_set,
       "speed = sitk.BoundedReciprocal(sitk.ShiftScale(sitk.GradientMagnitudeRecursiveGaussian(x, 1.0), 0.0, 10.0))\n"
       "distance = sitk.SignedMaurerDistanceMap(start, False, False, True, 0.0)\n"
       "out = sitk.GeodesicActiveContourLevelSet(distance, sitk.Cast(speed, sitk.sitkFloat32), 1e-3, 1.0, 0.5, 1.0, "
       "60)"},
  };
}

at::Tensor filtered(const Case& c, const at::Tensor& in, int64_t threads) {
  at::Tensor out = at::empty(in.sizes(), at::kFloat);
  c.filter({in.const_data_ptr<float>(), grid()}, out.mutable_data_ptr<float>(), {{}, threads, {}}).or_throw();
  return out;
}

}  // namespace

class ItkFiltersTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void bits_do_not_depend_on_threads_and_something_happens() {
    const at::Tensor in = volume();
    for (const Case& c : cases()) {
      const at::Tensor one = filtered(c, in, 1);
      QVERIFY2(filtered(c, in, 2).equal(one), c.name);
      QVERIFY2(!one.equal(in) && one.isfinite().all().item<bool>() && one.std().item<double>() > 0, c.name);
    }
  }

  void cancelled_calls_throw() {
    const at::Tensor in = volume();
    for (const Case& c : cases()) {
      Call call;
      call.cancel.cancel();
      at::Tensor out = at::empty(in.sizes(), at::kFloat);
      QVERIFY_THROWS_EXCEPTION(
          Failure, (void)c.filter({in.const_data_ptr<float>(), grid()}, out.mutable_data_ptr<float>(), call));
    }
  }

  void a_ball_is_found_whole_by_its_level_set() {
    const at::Tensor xyz = test::cube_positions(n);
    const at::Tensor radius = xyz.square().sum(0).sqrt(),
                     ball = ((10 - radius) / 0.5).sigmoid().to(at::kFloat).contiguous();
    const at::Tensor start = seed();
    GeodesicLevelSet spec;
    spec.start = start.const_data_ptr<uint8_t>();
    spec.edge = 0.02;
    spec.steps = 500;
    at::Tensor out = at::empty(ball.sizes(), at::kFloat);
    geodesic_level_set({ball.const_data_ptr<float>(), grid()}, spec, out.mutable_data_ptr<float>(), {{}, 2, {}})
        .or_throw();
    const auto inside = static_cast<double>(out.lt(0).sum().item<int64_t>()), truth = 4 * pi / 3 * 1000;
    // The border stops in a layer of a voxel: 30 % of the volume for a radius of 10.
    QVERIFY2(std::abs(inside / truth - 1) < 0.3, qPrintable(QString::number(inside)));
  }

  void few_voxels_are_refused() {
    const at::Tensor in = at::rand({2, 8, 8});
    at::Tensor out = at::empty(in.sizes(), at::kFloat);
    const auto r =
        objectness({in.const_data_ptr<float>(), VolumeGrid::cubic(2, 8, 8, 1)}, {}, out.mutable_data_ptr<float>(), {});
    QVERIFY(!r.ok() && r.error().kind == ErrorKind::invalid);
  }

  void equal_simpleitk() {
    const QString missing = test::PythonArrays::missing("SimpleITK");
    if (!missing.isEmpty()) QSKIP(qPrintable(missing));
    const at::Tensor in = volume();
    for (const Case& c : cases()) {
      const test::PythonArrays python("SimpleITK");
      python.put("x", in);
      python.put("start", seed());
      python.run(
          QString("import SimpleITK as sitk\n"
                  "x = sitk.GetImageFromArray(load('x', 'f4'))\n"
                  "start = sitk.GetImageFromArray(load('start', 'u1'))\n"
                  "def frangi(dimension, bright):\n"
                  "    scaled = sitk.GetArrayFromImage(x).astype('f8')\n"
                  "    def d(*orders):\n"
                  "        y = sitk.Cast(x, sitk.sitkFloat32)\n"
                  "        for axis, order in enumerate(orders):\n"
                  "            y = sitk.RecursiveGaussian(y, 1.5, True, order, axis)\n"
                  "        return sitk.GetArrayFromImage(y).astype('f8')\n"
                  "    xx, yy, zz, xy, xz, yz = d(2,0,0), d(0,2,0), d(0,0,2), d(1,1,0), d(1,0,1), d(0,1,1)\n"
                  "    h = np.stack([np.stack([xx,xy,xz],-1), np.stack([xy,yy,yz],-1), np.stack([xz,yz,zz],-1)],-2)\n"
                  "    e = np.linalg.eigvalsh(h)\n"
                  "    e = np.take_along_axis(e, np.argsort(abs(e), -1), -1)\n"
                  "    a = abs(e)\n"
                  "    sign = -1 if bright else 1\n"
                  "    ok = np.all(sign * e[..., dimension:] > 0, -1) if dimension < 3 else True\n"
                  "    out = np.ones(e.shape[:-1])\n"
                  "    if dimension < 2:\n"
                  "        ra = a[..., dimension] / np.prod(a[..., dimension+1:], -1) ** (1 / (2 - dimension))\n"
                  "        out *= 1 - np.exp(-0.5 * (ra / 0.5) ** 2)\n"
                  "    if dimension > 0:\n"
                  "        rb = a[..., dimension-1] / np.prod(a[..., dimension:], -1) ** (1 / (3 - dimension))\n"
                  "        out *= np.exp(-0.5 * (rb / 0.5) ** 2)\n"
                  "    out *= 1 - np.exp(-0.5 * (a**2).sum(-1) / 0.2**2)\n"
                  "    return sitk.GetImageFromArray((out * ok).astype('f4'))\n") +
          c.script + "\nsave('out', sitk.GetArrayFromImage(out), 'f4')\n");
      const at::Tensor theirs = python.get("out", at::kFloat), ours = filtered(c, in, 2);
      const double range = theirs.max().item<double>() - theirs.min().item<double>();
      const double apart = (theirs - ours).abs().max().item<double>() / range;
      qInfo("%s: %.2e of the range apart", c.name, apart);
      QVERIFY2(apart < of_range, c.name);
    }
  }
};

TL_TEST_CASE(ItkFiltersTest)

}  // namespace tl::itk_filters_test

#include "filters.moc"
