// Features of voxels: a Gaussian blob and quadratics with known derivatives, shifts, blocks, voxel sizes, scipy.
#include "gpu/classification/features.h"

#include <ATen/ATen.h>
#include <ATen/Parallel.h>

#include <cmath>

#include "gpu/classification/eigenvalues.h"
#include "tests/support/python_arrays.h"
#include "tests/support/test_case.h"

namespace tl::features_test {

using namespace tl::ops;

namespace {

constexpr double float32_rounding = 2e-5;  // relative to the largest value, of sums over some hundred voxels
// Of differences in place of derivatives, for a blob six voxels wide: (edge / width)^2 / 4, and the sampled kernel.
constexpr double difference_error = 0.02;
constexpr FeatureSpan spans[] = {FeatureSpan::slices, FeatureSpan::volume};

at::Tensor noise(at::IntArrayRef shape, uint64_t seed) {
  at::Generator g = at::detail::createCPUGenerator(seed);
  return at::rand(shape, g, at::kFloat);
}

Result<at::Tensor> of_whole(const at::Tensor& v, const FeatureSpec& spec) {
  return voxel_features(v, {0, v.size(0)}, {0, v.size(1)}, {0, v.size(2)}, spec);
}

FeatureSpec small_spec(FeatureSpan span) {
  FeatureSpec spec;
  spec.span = span;
  spec.sigmas = {0.7, 1.6};
  return spec;
}

// Index of a feature by its name.
int64_t number_of(const FeatureSpec& spec, const std::string& name) {
  const auto names = feature_names(spec);
  const auto at = std::find(names.begin(), names.end(), name);
  if (at == names.end()) throw std::runtime_error("no feature " + name);
  return at - names.begin();
}

double apart(const at::Tensor& a, const at::Tensor& b) { return (a - b).abs().max().item<double>(); }
double largest(const at::Tensor& a) { return a.abs().max().item<double>(); }

}  // namespace

class FeaturesTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void names_are_as_many_as_features() {
    for (const FeatureSpan span : spans) {
      FeatureSpec spec;
      spec.span = span;
      QCOMPARE(feature_count(spec), span == FeatureSpan::slices ? 48 : 60);
      QCOMPARE(static_cast<int64_t>(feature_names(spec).size()), feature_count(spec));
    }
  }

  // A sampled blob exp(-r^2 / 2 s^2) smoothed by sigma is one of width sqrt(s^2 + sigma^2), whose second derivatives
  // in the middle are known.
  void blob() {
    constexpr double width = 6, sigma = 2;
    constexpr int64_t n = 65, middle = n / 2;
    const at::Tensor r2 = (at::arange(n, at::kDouble) - static_cast<double>(middle)).square();
    for (const FeatureSpan span : spans) {
      const bool volume = span == FeatureSpan::volume;
      const int dimensions = volume ? 3 : 2;
      at::Tensor all = r2.view({1, n, 1}) + r2.view({1, 1, n});
      if (volume) all = all + r2.view({n, 1, 1});
      const at::Tensor blob = (all / (-2 * width * width)).exp().to(at::kFloat);
      FeatureSpec spec;
      spec.span = span;
      spec.sigmas = {sigma};
      const Range z = volume ? Range{middle, middle + 1} : Range{0, 1};
      const at::Tensor f =
          voxel_features(blob, z, {middle, middle + 1}, {middle, middle + 1}, spec).or_throw().view({-1});
      const double wider = width * width + sigma * sigma;
      const double height = std::pow(width * width / wider, 0.5 * dimensions);
      const auto close = [&](const std::string& name, double expected) {
        const double got = f[number_of(spec, name)].item<double>();
        QVERIFY2(std::abs(got - expected) <= difference_error * std::abs(expected),
                 (name + " is " + std::to_string(got) + ", not " + std::to_string(expected)).c_str());
      };
      close("gaussian 2", height);
      close("laplacian 2", -dimensions * height / wider);
      close("hessian 2, largest", -height / wider);
      close("hessian 2, smallest", -height / wider);
      const double finer = width * width + 0.66 * 0.66 * sigma * sigma;
      close("difference 2", height - std::pow(width * width / finer, 0.5 * dimensions));
      QVERIFY(std::abs(f[number_of(spec, "gradient 2")].item<double>()) < float32_rounding);
    }
  }

  // Smoothing adds a constant to a quadratic, and its second differences are exact: away from the borders the
  // eigenvalues are those of its matrix.
  void quadratic() {
    const std::vector<double> matrix = {0.02, 0.006, -0.004, 0.006, -0.03, 0.01, -0.004, 0.01, 0.05};  // x, y, z
    constexpr int64_t n = 41;
    const at::Tensor x = at::arange(n, at::kDouble) - 20.0;
    for (const FeatureSpan span : spans) {
      const bool volume = span == FeatureSpan::volume;
      at::Tensor m = at::tensor(matrix, at::kDouble).view({3, 3});
      if (!volume) m = m.narrow(0, 0, 2).narrow(1, 0, 2);
      const at::Tensor along[3] = {x.view({1, 1, n}), x.view({1, n, 1}), x.view({n, 1, 1})};
      at::Tensor v = at::zeros({volume ? n : 1, n, n}, at::kDouble);
      for (int i = 0; i < (volume ? 3 : 2); ++i)
        for (int j = 0; j < (volume ? 3 : 2); ++j) v = v + 0.5 * m[i][j].item<double>() * along[i] * along[j];
      FeatureSpec spec = small_spec(span);
      const Range inside{15, 26}, z = volume ? inside : Range{0, 1};
      const at::Tensor f = voxel_features(v, z, inside, inside, spec).or_throw();
      const at::Tensor expected = at::linalg_eigvalsh(m);  // ascending
      const double scale = largest(v) * float32_rounding;
      for (const char* sigma : {"0.7", "1.6"}) {
        const std::string hessian = std::string("hessian ") + sigma;
        const auto is = [&](const std::string& name, double value) {
          QVERIFY2(apart(f[number_of(spec, name)], at::full({}, value)) < scale, name.c_str());
        };
        is(hessian + ", smallest", expected[0].item<double>());
        if (volume) is(hessian + ", middle", expected[1].item<double>());
        is(hessian + ", largest", expected[-1].item<double>());
        is(std::string("laplacian ") + sigma, expected.sum().item<double>());
      }
    }
  }

  // Of a plane wave's gradient the structure tensor has one eigenvalue, the others are 0; the smoothed square of a
  // ramp's slope is its square.
  void ramp() {
    const at::Tensor v = (at::arange(64, at::kFloat) * 0.25).view({1, 1, 64}).expand({40, 40, 64}).contiguous();
    for (const FeatureSpan span : spans) {
      FeatureSpec spec = small_spec(span);
      const at::Tensor f = voxel_features(v, {18, 22}, {18, 22}, {30, 34}, spec).or_throw();
      QVERIFY(apart(f[number_of(spec, "gradient 1.6")], at::full({}, 0.25)) < float32_rounding);
      QVERIFY(apart(f[number_of(spec, "structure 1.6, largest")], at::full({}, 0.0625)) < float32_rounding);
      QVERIFY(largest(f[number_of(spec, "structure 1.6, smallest")]) < float32_rounding);
      QVERIFY(largest(f[number_of(spec, "hessian 1.6, largest")]) < float32_rounding);
    }
  }

  void shifts_move_the_features() {
    const at::Tensor v = noise({40, 50, 60}, 1);
    for (const FeatureSpan span : spans) {
      const FeatureSpec spec = small_spec(span);
      const Reach reach = feature_reach(spec);
      const at::Tensor all = of_whole(v, spec).or_throw();
      const at::Tensor moved = of_whole(v.narrow(0, 3, 37).narrow(1, 2, 48).narrow(2, 5, 55), spec).or_throw();
      const auto inner = [&](const at::Tensor& f, int64_t z, int64_t y, int64_t x) {
        return f.narrow(1, z, 6).narrow(2, y, 7).narrow(3, x, 9);
      };
      const int64_t z = std::max<int64_t>(reach.z, 1), y = reach.y, x = reach.x;
      QVERIFY(inner(all, z + 3, y + 2, x + 5).equal(inner(moved, z, y, x)));
    }
  }

  // The reach is enough, and no smaller one is.
  void blocks_equal_the_whole() {
    const at::Tensor v = noise({44, 46, 70}, 2);
    for (const FeatureSpan span : spans) {
      const FeatureSpec spec = small_spec(span);
      const Reach r = feature_reach(spec);
      const at::Tensor all = of_whole(v, spec).or_throw();
      const Range z{20, 23}, y{19, 26}, x{25, 42};
      const auto part = [&](Reach around) {
        const Range wz = z.grown(around.z, {0, 44}), wy = y.grown(around.y, {0, 46}), wx = x.grown(around.x, {0, 70});
        const at::Tensor block =
            v.narrow(0, wz.begin, wz.size()).narrow(1, wy.begin, wy.size()).narrow(2, wx.begin, wx.size());
        const auto within = [](Range in, Range of) { return Range{in.begin - of.begin, in.end - of.begin}; };
        return voxel_features(block, within(z, wz), within(y, wy), within(x, wx), spec).or_throw();
      };
      const at::Tensor expected =
          all.narrow(1, z.begin, z.size()).narrow(2, y.begin, y.size()).narrow(3, x.begin, x.size());
      QVERIFY(part(r).equal(expected));
      QVERIFY(part({r.z + 2, r.y + 3, r.x + 1}).equal(expected));
      QVERIFY(!part({r.z, r.y, r.x - 1}).equal(expected));
      QVERIFY(!part({r.z, r.y - 1, r.x}).equal(expected));
      if (span == FeatureSpan::volume) QVERIFY(!part({r.z - 1, r.y, r.x}).equal(expected));
      // At the borders of the volume, too.
      const at::Tensor corner = voxel_features(v.narrow(1, 0, 5 + r.y).narrow(2, 70 - 4 - r.x, 4 + r.x), {0, 44},
                                               {0, 5}, {r.x, 4 + r.x}, spec)
                                    .or_throw();
      QVERIFY(corner.equal(all.narrow(2, 0, 5).narrow(3, 66, 4)));
    }
  }

  void slices_are_on_their_own() {
    const at::Tensor v = noise({5, 30, 31}, 3);
    const FeatureSpec spec = small_spec(FeatureSpan::slices);
    const at::Tensor all = of_whole(v, spec).or_throw();
    QVERIFY(of_whole(v.narrow(0, 2, 1), spec).or_throw().equal(all.narrow(1, 2, 1)));
  }

  // Half the edge and twice the standard deviation in voxels is the same; slopes per edge double.
  void lengths_are_those_of_the_voxels() {
    const at::Tensor v = noise({30, 32, 34}, 4);
    FeatureSpec coarse = small_spec(FeatureSpan::volume), fine = coarse;
    coarse.sigmas = {2};
    fine.sigmas = {1};
    fine.voxel = {0.5, 0.5, 0.5};
    const at::Tensor a = of_whole(v, coarse).or_throw(), b = of_whole(v, fine).or_throw();
    QVERIFY(feature_reach(fine) == feature_reach(coarse));
    QVERIFY(a[0].equal(b[0]));
    QVERIFY(apart(4 * a[1], b[1]) < float32_rounding * largest(b[1]));  // the Laplacian
    QVERIFY(apart(2 * a[2], b[2]) < float32_rounding * largest(b[2]));  // the gradient
    // Thick slices: smoothing along z takes fewer of them.
    fine.voxel = {2, 1, 1};
    QVERIFY(feature_reach(fine).z < feature_reach(fine).x);
    fine.voxel = {1, 1, 1};
    const at::Tensor turned = of_whole(v.transpose(0, 2).contiguous(), fine).or_throw().transpose(1, 3);
    const at::Tensor straight = of_whole(v, fine).or_throw();
    QVERIFY(apart(turned, straight) < float32_rounding * largest(straight));  // isotropic
  }

  void threads_do_not_matter() {
    const at::Tensor v = noise({6, 90, 130}, 5);
    for (const FeatureSpan span : spans) {
      const int before = at::get_num_threads();
      at::set_num_threads(1);
      const at::Tensor one = of_whole(v, small_spec(span)).or_throw();
      at::set_num_threads(3);
      const at::Tensor three = of_whole(v, small_spec(span)).or_throw();
      at::set_num_threads(before);
      QVERIFY(one.equal(three));
    }
  }

  void eigenvalues_of_random_matrices() {
    constexpr int64_t n = 500;
    const at::Tensor half = noise({n, 3, 3}, 6).sub(0.5).to(at::kDouble);
    const at::Tensor m = half + half.transpose(1, 2);
    const auto row = [&](int64_t i, int64_t j) { return m.select(1, i).select(1, j).to(at::kFloat).contiguous(); };
    at::Tensor xx = row(0, 0), yy = row(1, 1), zz = row(2, 2), xy = row(0, 1), xz = row(0, 2), yz = row(1, 2);
    const auto data = [](at::Tensor& t) { return t.mutable_data_ptr<float>(); };
    eigenvalues_3({data(xx), data(yy), data(zz), data(xy), data(xz), data(yz)}, n);
    const at::Tensor expected = at::linalg_eigvalsh(m);
    QVERIFY(apart(zz, expected.select(1, 0)) < float32_rounding);
    QVERIFY(apart(yy, expected.select(1, 1)) < float32_rounding);
    QVERIFY(apart(xx, expected.select(1, 2)) < float32_rounding);
    xx = row(0, 0);
    yy = row(1, 1);
    xy = row(0, 1);
    eigenvalues_2({data(xx), data(yy), nullptr, data(xy), nullptr, nullptr}, n);
    const at::Tensor flat = at::linalg_eigvalsh(m.narrow(1, 0, 2).narrow(2, 0, 2));
    QVERIFY(apart(yy, flat.select(1, 0)) < float32_rounding);
    QVERIFY(apart(xx, flat.select(1, 1)) < float32_rounding);
  }

  void what_cannot_be_is_refused() {
    const at::Tensor v = noise({4, 20, 20}, 7);
    const auto refused = [&](FeatureSpec spec, Range z = {0, 4}) {
      const auto r = voxel_features(v, z, {0, 20}, {0, 20}, spec);
      return !r.ok() && r.error().kind == ErrorKind::invalid;
    };
    FeatureSpec spec;
    QVERIFY(!refused(spec));
    QVERIFY(refused(spec, {2, 5}));
    QVERIFY(refused(spec, {2, 2}));
    spec.sigmas = {1, 0};
    QVERIFY(refused(spec));
    spec.sigmas = {std::nan("")};
    QVERIFY(refused(spec));
    spec.sigmas = {};
    QVERIFY(refused(spec));
    spec.sigmas = {1e6};
    QVERIFY(refused(spec));
    spec.sigmas = {1};
    spec.kinds = {};
    QVERIFY(refused(spec));
    QVERIFY(!voxel_features(at::zeros({4, 4, 4}, at::kInt), {0, 4}, {0, 4}, {0, 4}, FeatureSpec{}).ok());
  }

  void scipy_gives_the_same() {
    if (const QString why = test::PythonArrays::missing("scipy"); !why.isEmpty()) QSKIP(qPrintable(why));
    const test::PythonArrays arrays("scipy");
    arrays.put("v", noise({20, 36, 44}, 8));
    arrays.run(R"(
from scipy import ndimage as ndi
volume = load('v', 'f4').astype('f8')
def smooth(x, sigma):
    return ndi.gaussian_filter(x, sigma, mode='reflect', truncate=4)
def difference(x, axis, kernel):
    return ndi.correlate1d(x, kernel, axis=axis, mode='reflect')
def eigenvalues(m):
    m = np.moveaxis(np.array(m), (0, 1), (-2, -1))
    return list(np.moveaxis(np.linalg.eigvalsh(m)[..., ::-1], -1, 0))
def features(v, sigma):
    axes = range(v.ndim)
    g = smooth(v, sigma)
    slopes = [difference(g, a, [-.5, 0, .5]) for a in axes]
    second = [[difference(g, a, [1, -2, 1]) if a == b else difference(slopes[a], b, [-.5, 0, .5]) for b in axes] for a in axes]
    tensor = [[smooth(slopes[a] * slopes[b], sigma / 2) for b in axes] for a in axes]
    return ([g, sum(second[a][a] for a in axes), np.sqrt(sum(s * s for s in slopes))] + eigenvalues(tensor) +
            eigenvalues(second) + [g - smooth(v, .66 * sigma)])
save('volume', np.concatenate([features(volume, s) for s in (.7, 1.6)]), 'f8')
slices = [np.concatenate([features(s, sigma) for sigma in (.7, 1.6)]) for s in volume]
save('slices', np.stack(slices, axis=1), 'f8')
)");
    for (const FeatureSpan span : spans) {
      const FeatureSpec spec = small_spec(span);
      const at::Tensor ours = of_whole(arrays.get("v", at::kFloat), spec).or_throw();
      const at::Tensor theirs = arrays.get(span == FeatureSpan::volume ? "volume" : "slices", at::kDouble);
      const auto names = feature_names(spec);
      QCOMPARE(ours.sizes(), theirs.sizes());
      for (int64_t f = 0; f < ours.size(0); ++f)
        QVERIFY2(apart(ours[f], theirs[f]) < float32_rounding, names[static_cast<std::size_t>(f)].c_str());
    }
  }
};

TL_TEST_CASE(FeaturesTest)

}  // namespace tl::features_test

#include "features.moc"
