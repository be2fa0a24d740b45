// Median, Gaussian, unsharp, bilateral, non-local-means filters against their definitions, scipy and scikit-image.
#include <ATen/Parallel.h>

#include <cmath>
#include <functional>
#include <limits>

#include "gpu/device/exp_negative.h"
#include "gpu/image/bilateral_filter.h"
#include "gpu/image/gaussian_filter.h"
#include "gpu/image/median_filter.h"
#include "gpu/image/non_local_means.h"
#include "tests/support/operator_laws.h"
#include "tests/support/test_case.h"

namespace tl::volume_filters_test {

using namespace tl::ops;

namespace {

// Sums of some hundred products in float32 against double, relative to values of about 1.
constexpr double float32_sums = 2e-6;
constexpr double float64_sums = 1e-13;

// Integers 0 to 16 that a reference script can make too.
at::Tensor pattern(int64_t nz, int64_t ny, int64_t nx) {
  at::Tensor v = at::empty({nz, ny, nx}, at::kDouble);
  auto a = v.accessor<double, 3>();
  for (int64_t z = 0; z < nz; ++z)
    for (int64_t y = 0; y < ny; ++y)
      for (int64_t x = 0; x < nx; ++x)
        a[z][y][x] = static_cast<double>((7 * z * z + 13 * y * x + 5 * x + 3 * y * y * z + 2 * z) % 17);
  return v;
}

// Every n-th number of a volume.
std::vector<double> picked(const at::Tensor& v, int64_t every) {
  const at::Tensor flat = v.to(at::kDouble).contiguous().view(-1).slice(0, 0, v.numel(), every).contiguous();
  return {flat.const_data_ptr<double>(), flat.const_data_ptr<double>() + flat.numel()};
}

double worst(const std::vector<double>& a, const std::vector<double>& b) {
  if (a.size() != b.size()) return std::numeric_limits<double>::infinity();
  double gap = 0;
  for (std::size_t i = 0; i < a.size(); ++i) gap = std::max(gap, std::abs(a[i] - b[i]));
  return gap;
}

at::Tensor median(const at::Tensor& v, Reach reach, CpuVariant variant = best_cpu_variant()) {
  MedianSpec spec;
  spec.reach = reach;
  spec.variant = variant;
  return median_filter(v, spec).or_throw();
}

BilateralSpec bilateral_spec(Reach reach, double distance, double value) {
  BilateralSpec spec;
  spec.reach = reach;
  spec.sigma_distance = distance;
  spec.sigma_value = value;
  return spec;
}

NonLocalMeansSpec means_spec(Reach search, Reach patch, double strength, double noise) {
  NonLocalMeansSpec spec;
  spec.search = search;
  spec.patch = patch;
  spec.strength = strength;
  spec.noise = noise;
  return spec;
}

GaussianSpec gaussian_spec(const at::Tensor& v, std::array<double, 3> sigma) {
  GaussianSpec spec;
  spec.nz = v.size(0);
  spec.ny = v.size(1);
  spec.nx = v.size(2);
  spec.sigma = sigma;
  return spec;
}

double value_at(const at::Tensor& v, int64_t z, int64_t y, int64_t x) {
  return v
      .accessor<double, 3>()[mirrored_index(z, v.size(0))][mirrored_index(y, v.size(1))][mirrored_index(x, v.size(2))];
}

// f(z, y, x) for every voxel.
at::Tensor by_voxel(const at::Tensor& like, const std::function<double(int64_t, int64_t, int64_t)>& f) {
  at::Tensor out = at::empty(like.sizes(), at::kDouble);
  auto a = out.accessor<double, 3>();
  for (int64_t z = 0; z < like.size(0); ++z)
    for (int64_t y = 0; y < like.size(1); ++y)
      for (int64_t x = 0; x < like.size(2); ++x) a[z][y][x] = f(z, y, x);
  return out;
}

void for_box(Reach r, const std::function<void(int64_t, int64_t, int64_t)>& f) {
  for (int64_t k = -r.z; k <= r.z; ++k)
    for (int64_t j = -r.y; j <= r.y; ++j)
      for (int64_t i = -r.x; i <= r.x; ++i) f(k, j, i);
}

at::Tensor median_by_the_book(const at::Tensor& v, Reach reach) {
  return by_voxel(v, [&](int64_t z, int64_t y, int64_t x) {
    std::vector<double> box;
    for_box(reach, [&](int64_t k, int64_t j, int64_t i) { box.push_back(value_at(v, z + k, y + j, x + i)); });
    std::sort(box.begin(), box.end());
    return box[box.size() / 2];
  });
}

at::Tensor bilateral_by_the_book(const at::Tensor& v, const BilateralSpec& s) {
  return by_voxel(v, [&](int64_t z, int64_t y, int64_t x) {
    double sum = 0, weight = 0;
    for_box(s.reach, [&](int64_t k, int64_t j, int64_t i) {
      const double d = value_at(v, z + k, y + j, x + i) - value_at(v, z, y, x);
      const double near = static_cast<double>(k * k + j * j + i * i) / (2 * s.sigma_distance * s.sigma_distance);
      const double w = std::exp(-near - d * d / (2 * s.sigma_value * s.sigma_value));
      sum += w * value_at(v, z + k, y + j, x + i);
      weight += w;
    });
    return sum / weight;
  });
}

at::Tensor means_by_the_book(const at::Tensor& v, const NonLocalMeansSpec& s) {
  return by_voxel(v, [&](int64_t z, int64_t y, int64_t x) {
    double sum = 0, weight = 0;
    for_box(s.search, [&](int64_t k, int64_t j, int64_t i) {
      double squares = 0;
      for_box(s.patch, [&](int64_t c, int64_t b, int64_t a) {
        const double d = value_at(v, z + c, y + b, x + a) - value_at(v, z + k + c, y + j + b, x + i + a);
        squares += d * d / static_cast<double>(s.patch.count());
      });
      const double w = std::exp(-std::max(0.0, squares - 2 * s.noise * s.noise) / (s.strength * s.strength));
      sum += w * value_at(v, z + k, y + j, x + i);
      weight += w;
    });
    return sum / weight;
  });
}

// Each filter on a volume, with settings that smooth a little.
using Filter = std::function<at::Tensor(const at::Tensor&)>;
std::vector<std::pair<const char*, Filter>> all_filters(Reach reach = {1, 1, 1}) {
  return {{"median", [=](const at::Tensor& v) { return median(v, reach); }},
          {"Gaussian",
           [](const at::Tensor& v) {
             return make_gaussian_filter(gaussian_spec(v, {0.6, 0.8, 1.1})).or_throw()->apply(v);
           }},
          {"unsharp",
           [](const at::Tensor& v) {
             return make_unsharp_mask(gaussian_spec(v, {0.6, 0.8, 1.1}), 0.7).or_throw()->apply(v);
           }},
          {"bilateral",
           [=](const at::Tensor& v) { return bilateral_filter(v, bilateral_spec(reach, 1.1, 0.7)).or_throw(); }},
          {"non-local means", [=](const at::Tensor& v) {
             return non_local_means(v, means_spec(reach, {0, 1, 1}, 0.8, 0.1)).or_throw();
           }}};
}

std::vector<CpuVariant> variants() {
  std::vector<CpuVariant> all = {CpuVariant::plain};
  if (best_cpu_variant() != CpuVariant::plain) all.push_back(CpuVariant::avx2);
  if (best_cpu_variant() == CpuVariant::avx512) all.push_back(CpuVariant::avx512);
  return all;
}

}  // namespace

class VolumeFiltersTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void median_is_the_middle_value() {
    for (const Reach reach :
         {Reach{0, 1, 1}, Reach{1, 1, 1}, Reach{0, 2, 2}, Reach{2, 2, 2}, Reach{1, 0, 3}, Reach{0, 0, 0}})
      for (const auto type : {at::kFloat, at::kDouble})
        for (const CpuVariant variant : variants()) {
          const at::Tensor v = test::gaussian({5, 19, 37}, type, 3);
          const at::Tensor expected = median_by_the_book(v.to(at::kDouble), reach);
          QVERIFY(median(v, reach, variant).to(at::kDouble).equal(expected));
        }
  }
  // scipy 1.17.1: median_filter(v, size, mode="reflect"), every 7th number.
  void median_of_scipy() {
    const at::Tensor v = pattern(4, 5, 6);
    QCOMPARE(picked(median(v, {1, 1, 1}), 7),
             std::vector<double>({1, 5, 10, 8, 7, 6, 4, 5, 10, 11, 9, 7, 9, 8, 11, 10, 10, 5}));
    QCOMPARE(picked(median(v, {0, 2, 1}), 7),
             std::vector<double>({0, 3, 8, 6, 7, 0, 9, 6, 12, 8, 7, 7, 9, 10, 11, 11, 10, 5}));
    QCOMPARE(picked(median(v, {1, 2, 2}), 7),
             std::vector<double>({4, 5, 6, 7, 7, 7, 5, 6, 7, 9, 8, 8, 7, 10, 8, 9, 9, 8}));
  }
  void median_with_nan_values() {
    const float nan = std::numeric_limits<float>::quiet_NaN(), infinity = std::numeric_limits<float>::infinity();
    at::Tensor v = at::ones({3, 9, 9});
    v[1][4][4] = nan;
    v[0][0][0] = -nan;
    v[2][8][8] = -infinity;
    QVERIFY(median(v, {1, 1, 1}).equal(at::ones_like(v)));
    QVERIFY(median(at::full({3, 3, 3}, nan), {1, 1, 1}).isnan().all().item<bool>());
    QVERIFY(median(at::full({3, 3, 3}, infinity), {1, 1, 1}).isinf().all().item<bool>());
  }
  // Each result is an input, so the Jacobian is a selection: J x = the result, and <J d, y> = <d, J^T y>.
  void median_gradient_goes_to_the_chosen_value() {
    for (const Reach reach : {Reach{1, 1, 1}, Reach{1, 2, 0}}) {
      at::Tensor x = test::gaussian({4, 7, 9}, at::kDouble, 4).requires_grad_();
      const at::Tensor y = test::gaussian({4, 7, 9}, at::kDouble, 5), d = test::gaussian({4, 7, 9}, at::kDouble, 6);
      const at::Tensor out = median(x, reach);
      QVERIFY(out.detach().equal(median(x.detach(), reach)));
      out.backward(y);
      // a step so small that no two values change their order
      const at::Tensor jd = (median(x.detach() + 1e-7 * d, reach) - out.detach()) / 1e-7;
      QVERIFY(std::abs(inner_product(jd, y) - inner_product(d, x.grad())) < 1e-6);
    }
  }

  // scipy 1.17.1: gaussian_filter(v, (0.7, 1.2, 1.5), mode="reflect", truncate=4), every 7th number.
  void gaussian_of_scipy() {
    const at::Tensor v = pattern(4, 5, 6);
    const std::vector<double> expected = {
        4.632409956114, 5.674389270413, 6.981551778087, 7.652784796926, 8.23274142666,  6.429178023597,
        6.710193424561, 7.166507082981, 7.662391886753, 8.415135089535, 8.365859983164, 7.850446385309,
        8.146037199635, 7.928722988005, 9.072674281429, 9.176465453822, 8.781187946212, 8.708583268044};
    const OperatorPtr g = make_gaussian_filter(gaussian_spec(v, {0.7, 1.2, 1.5})).or_throw();
    QVERIFY(worst(picked(g->apply(v), 7), expected) < 1e-11);  // as many digits as were printed
    QVERIFY(worst(picked(g->apply(v.to(at::kFloat)), 7), expected) < 17 * float32_sums);
  }
  // scikit-image 0.26.0: unsharp_mask(v, radius=1.3, amount=0.8, preserve_range=True), every 7th number.
  void unsharp_of_scikit_image() {
    const at::Tensor v = pattern(4, 5, 6);
    const std::vector<double> expected = {
        -4.574413894966, -3.461400791012, 13.573615825613, 16.934845818426, 6.104826396403,  -5.293697660937,
        2.383263984106,  15.977671088738, -4.438489229467, 16.233408442018, 7.586945259704,  6.38272660093,
        10.073509692612, 4.477104047518,  14.424964005916, 12.397685542195, -1.561755749335, 2.482083340129};
    const OperatorPtr u = make_unsharp_mask(gaussian_spec(v, {1.3, 1.3, 1.3}), 0.8).or_throw();
    QVERIFY(worst(picked(u->apply(v), 7), expected) < 1e-11);
  }
  void gaussian_keeps_sums_and_is_its_own_transpose() {
    for (const auto& [type, bound] : {std::pair{at::kFloat, 1e-6}, {at::kDouble, 1e-12}})
      for (const auto& shape : {std::vector<int64_t>{9, 11, 13}, {1, 8, 5}, {2, 1, 7}}) {
        const at::Tensor v = test::gaussian(shape, type, 2) + 1;
        for (const auto& sigma : {std::array{1.3, 0.9, 2.1}, std::array{0.0, 0.4, 7.0}}) {
          const OperatorPtr g = make_gaussian_filter(gaussian_spec(v, sigma)).or_throw();
          QVERIFY(std::abs(total(g->apply(v)) / total(v) - 1) < bound);
          QVERIFY(test::worst_adjoint_error(*g, type) < bound);
          QVERIFY(test::worst_adjoint_error(*make_unsharp_mask(gaussian_spec(v, sigma), 1.7).or_throw(), type) < bound);
        }
      }
  }

  void bilateral_is_its_definition() {
    for (const auto& [type, bound] : {std::pair{at::kFloat, float32_sums}, {at::kDouble, float64_sums}})
      for (const Reach reach : {Reach{0, 2, 2}, Reach{1, 2, 3}, Reach{4, 1, 1}}) {
        const at::Tensor v = test::gaussian({3, 18, 21}, type, 3) + 10;
        BilateralSpec spec = bilateral_spec(reach, 1.2, 0.8);
        const at::Tensor expected = bilateral_by_the_book(v.to(at::kDouble), spec);
        for (const CpuVariant variant : variants()) {
          spec.variant = variant;
          QVERIFY(test::max_difference(bilateral_filter(v, spec).or_throw(), expected) < 10 * bound);
        }
      }
  }
  void non_local_means_is_its_definition() {
    for (const auto& [type, bound] : {std::pair{at::kFloat, float32_sums}, {at::kDouble, float64_sums}})
      for (const auto& [search, patch] : {std::pair{Reach{0, 2, 2}, Reach{0, 1, 1}},
                                          {Reach{1, 1, 2}, Reach{1, 1, 1}},
                                          {Reach{1, 0, 3}, Reach{0, 2, 0}}}) {
        const at::Tensor v = test::gaussian({3, 17, 12}, type, 3) + 10;
        NonLocalMeansSpec spec = means_spec(search, patch, 0.9, 0.3);
        const at::Tensor expected = means_by_the_book(v.to(at::kDouble), spec);
        for (const CpuVariant variant : variants()) {
          spec.variant = variant;
          QVERIFY(test::max_difference(non_local_means(v, spec).or_throw(), expected) < 10 * bound);
        }
      }
  }
  void fast_exponential() {
    for (double x = 0; x > -79; x -= 0.0371) {
      QVERIFY(std::abs(exp_negative(static_cast<float>(x)) / std::exp(static_cast<double>(static_cast<float>(x))) - 1) <
              2.5e-7);
      QVERIFY(std::abs(exp_negative(x) / std::exp(x) - 1) < 1e-15);
    }
    QCOMPARE(exp_negative(0.0f), 1.0f);
    QVERIFY(exp_negative(-1e30f) < 1e-30f && exp_negative(-1e300) < 1e-290);
    QVERIFY(std::isnan(exp_negative(std::numeric_limits<float>::quiet_NaN())));
  }

  void constants_stay_and_steps_remain() {
    for (const auto& [name, filter] : all_filters()) {
      const at::Tensor v = at::full({4, 18, 20}, 0.3f);
      QVERIFY2(test::max_difference(filter(v), v) < 1e-7, name);
    }
    // A step of ten times the noise stays where it is; the noise falls.
    at::Tensor step = at::zeros({6, 24, 24}, at::kDouble);
    step.slice(2, 12) += 1;
    const at::Tensor noisy = step + 0.1 * test::gaussian({6, 24, 24}, at::kDouble, 9);
    const auto noise = [&](const at::Tensor& v) { return std::sqrt(total_of_squares((v - step).contiguous())); };
    QVERIFY(noise(median(noisy, {1, 1, 1})) < 0.5 * noise(noisy));
    QVERIFY(noise(bilateral_filter(noisy, bilateral_spec({2, 2, 2}, 1.5, 0.3)).or_throw()) < 0.4 * noise(noisy));
    QVERIFY(noise(non_local_means(noisy, means_spec({2, 2, 2}, {1, 1, 1}, 0.1, 0.1)).or_throw()) < 0.4 * noise(noisy));
  }
  // A part with its neighbourhood gives the bits of the whole.
  void parts_equal_the_whole_bit_by_bit() {
    const at::Tensor v = test::gaussian({14, 40, 37}, at::kFloat, 8);
    for (const auto& [name, filter] : all_filters()) {
      const int64_t halo = 5;  // as far as the widest of them reaches
      const at::Tensor whole = filter(v);
      const at::Tensor part = filter(v.slice(1, 9 - halo, 26 + halo).slice(2, 7 - halo, 20 + halo).contiguous());
      QVERIFY2(part.slice(1, halo, halo + 17).slice(2, halo, halo + 13).equal(whole.slice(1, 9, 26).slice(2, 7, 20)),
               name);
    }
  }
  void bits_do_not_depend_on_threads() {
    const at::Tensor v = test::gaussian({5, 70, 64}, at::kFloat, 3);
    const int before = at::get_num_threads();
    for (const auto& [name, filter] : all_filters()) {
      at::set_num_threads(1);
      const at::Tensor one = filter(v);
      at::set_num_threads(2);
      QVERIFY2(one.equal(filter(v)), name);
    }
    at::set_num_threads(before);
  }
  void small_volumes_and_strides() {
    for (const auto& shape : {std::vector<int64_t>{1, 1, 1}, {2, 1, 3}, {1, 5, 2}})
      for (const auto& [name, filter] : all_filters({2, 2, 2})) {
        const at::Tensor v = test::gaussian(shape, at::kFloat, 3);
        QVERIFY2(filter(v).sizes().equals(shape) && filter(v).isfinite().all().item<bool>(), name);
      }
    const at::Tensor turned = test::gaussian({6, 5, 4}, at::kFloat, 1).transpose(0, 2);
    QVERIFY(median(turned, {1, 1, 1}).equal(median(turned.contiguous(), {1, 1, 1})));
  }
  void refusals() {
    const at::Tensor v = at::zeros({3, 3, 3});
    MedianSpec negative;
    negative.reach.y = -1;
    QVERIFY(!median_filter(v, negative).ok() && !median_filter(v[0], {}).ok() &&
            !median_filter(v.to(at::kInt), {}).ok());
    for (const double wrong : {0.0, -1.0, std::numeric_limits<double>::quiet_NaN()}) {
      QVERIFY(!bilateral_filter(v, bilateral_spec({1, 1, 1}, wrong, 1)).ok());
      QVERIFY(!bilateral_filter(v, bilateral_spec({1, 1, 1}, 1, wrong)).ok());
      QVERIFY(!non_local_means(v, means_spec({1, 1, 1}, {1, 1, 1}, wrong, 0)).ok());
    }
    QVERIFY(!make_gaussian_filter(gaussian_spec(v, {1, -1, 1})).ok());
    MedianSpec cancelled;
    cancelled.cancel.cancel();
    QVERIFY_THROWS_EXCEPTION(Failure, (void)median_filter(v, cancelled));
  }
};

TL_TEST_CASE(VolumeFiltersTest)

}  // namespace tl::volume_filters_test

#include "volume_filters.moc"
