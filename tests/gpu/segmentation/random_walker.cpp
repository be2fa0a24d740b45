// Random walker: paths in closed form, harmonic probabilities, renamed labels, what is outside, and bad seeds.
#include "gpu/segmentation/random_walker.h"

#include <ATen/Parallel.h>

#include <cmath>
#include <limits>

#include "tests/support/blobs.h"
#include "tests/support/test_case.h"

namespace tl::random_walker_test {

using namespace tl::ops;

namespace {

constexpr double usual_residual = 1e-5, small_residual = 1e-6, tiny_residual = 1e-10;
// Errors of probabilities exceed the residual by the condition of the equations. Along a path of n steps it grows with
// n^2 (measured for n = 40: 1.7e-5 in float32; float64 ends at 8e-16, since steps are exact after as many as voxels).
constexpr double float32_path_error = 2e-5, float64_path_error = 1e-14;
constexpr double float32_rounding = 1.2e-7;            // of a sum of 1
constexpr double harmonic_error = 10 * tiny_residual;  // ten for the length of the right-hand side (measured 3.4e-11)
constexpr double probability_error = 2e-4;             // of residuals of 1e-5 in blobs with beta 10 (measured 4.8e-5)
// Where two probabilities differ by less than their errors the label is open.
constexpr double min_share = 0.999;

RandomWalkerSpec walker_spec(double tolerance = usual_residual) {
  RandomWalkerSpec spec;
  spec.tolerance = tolerance;
  spec.probabilities = WalkerProbabilities::wanted;
  return spec;
}
RandomWalk walked(const at::Tensor& v, const at::Tensor& seeds, const RandomWalkerSpec& spec) {
  return random_walker(v, seeds, spec).or_throw();
}

// Seeds of three labels in a volume of blobs.
at::Tensor blob_seeds(const at::Tensor& v) {
  at::Tensor seeds = at::zeros(v.sizes(), at::kInt);
  seeds.masked_fill_(v.lt(-1.9), 1);
  seeds.masked_fill_(v.gt(1.9), 2);
  seeds.masked_fill_(v.abs().lt(0.02), 5);
  return seeds;
}

double share_equal(const at::Tensor& a, const at::Tensor& b) { return a.eq(b).to(at::kDouble).mean().item<double>(); }

}  // namespace

class RandomWalkerTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  // In a path of n + 1 equal voxels with seeds at both ends the walk from voxel i ends at the last with probability
  // i/n.
  void a_path_in_closed_form() {
    for (const int64_t n : {2, 5, 40})
      for (const auto& shape : {std::vector<int64_t>{1, n + 1}, {n + 1, 1}, {n + 1, 1, 1}, {1, n + 1, 1}})
        for (const auto type : {at::kFloat, at::kDouble}) {
          const at::Tensor v = at::full(shape, 7, type);
          at::Tensor seeds = at::zeros(shape, at::kInt);
          seeds.view(-1)[0] = 4;
          seeds.view(-1)[n] = 9;
          const RandomWalk walk = walked(v, seeds, walker_spec(small_residual));
          QCOMPARE(walk.names, std::vector<int32_t>({4, 9}));
          const at::Tensor expected = at::arange(n + 1, at::kDouble) / static_cast<double>(n);
          QVERIFY(test::max_difference(walk.probabilities[1].view(-1), expected) <=
                  (type == at::kFloat ? float32_path_error : float64_path_error));
          QVERIFY(test::max_difference(walk.probabilities.sum(0), at::ones(shape)) <= float32_rounding);
          const auto labels = test::values_of<int32_t>(walk.labels);
          for (int64_t i = 0; i <= n; ++i)  // equal probabilities give the smaller label
            if (2 * i != n) QCOMPARE(labels[static_cast<std::size_t>(i)], 2 * i < n ? 4 : 9);
        }
  }
  // A free voxel's probability is the weighted mean of its neighbours', with the weights of the definition.
  void probabilities_are_harmonic() {
    const at::Tensor v = test::blobs({6, 9, 8}, 4).to(at::kDouble), seeds = blob_seeds(v);
    RandomWalkerSpec spec = walker_spec(tiny_residual);
    spec.beta = 2;  // so that rounding does not count
    spec.voxel = {0.5, 0.25, 0.2};
    const RandomWalk walk = walked(v, seeds, spec);
    QVERIFY(walk.residual <= tiny_residual);
    const double scale = -spec.beta / (10 * v.std(/*unbiased=*/false).item<double>());
    const auto a = v.accessor<double, 3>();
    const auto s = seeds.accessor<int32_t, 3>();
    for (int64_t n = 0; n < 3; ++n) {
      const at::Tensor u = walk.probabilities[n];
      const auto p = u.accessor<double, 3>();
      for (int64_t z = 0; z < 6; ++z)
        for (int64_t y = 0; y < 9; ++y)
          for (int64_t x = 0; x < 8; ++x) {
            if (s[z][y][x] != 0) continue;
            double sum = 0, weights = 0;
            for (const auto& [k, j, i] :
                 {std::array<int64_t, 3>{-1, 0, 0}, {1, 0, 0}, {0, -1, 0}, {0, 1, 0}, {0, 0, -1}, {0, 0, 1}}) {
              if (z + k < 0 || z + k > 5 || y + j < 0 || y + j > 8 || x + i < 0 || x + i > 7) continue;
              const double edge = k != 0 ? 0.5 : j != 0 ? 0.25 : 0.2, d = (a[z + k][y + j][x + i] - a[z][y][x]) / edge;
              const double w = std::exp(scale * d * d) + 1e-10;
              sum += w * p[z + k][y + j][x + i];
              weights += w;
            }
            QVERIFY(std::abs(weights * p[z][y][x] - sum) <= harmonic_error);
          }
    }
  }
  // The last label is not solved for but is the rest; another order of labels has another last one.
  void renamed_labels_give_renamed_results() {
    for (int i = 0; i < 3; ++i) {
      const at::Tensor v = test::blobs({14, 18, 16}, 30 + i), seeds = blob_seeds(v);
      const at::Tensor renamed = at::where(seeds.gt(0), 6 - seeds, seeds);  // 1, 2, 5 become 5, 4, 1
      const RandomWalk a = walked(v, seeds, walker_spec()), b = walked(v, renamed.contiguous(), walker_spec());
      QVERIFY(share_equal(6 - a.labels, b.labels) >= min_share);
      QVERIFY(a.residual <= usual_residual && a.steps > 0);
      RandomWalkerSpec smooth = walker_spec();
      smooth.beta = 10;
      const at::Tensor first = walked(v, seeds, smooth).probabilities[0];
      const at::Tensor last = walked(v, renamed.contiguous(), smooth).probabilities[2];
      QVERIFY(test::max_difference(first, last) <= probability_error);
    }
  }
  // scikit-image's example, in other noise: a square with a frame that has a gap.
  void a_square_behind_a_frame() {
    at::Tensor v = test::gaussian({70, 100}, at::kFloat, 1234) * 0.1;
    const at::Tensor noise = test::gaussian({26, 26}, at::kFloat, 1235) * 0.1;
    v.slice(0, 21, 49).slice(1, 36, 64) = 1;
    v.slice(0, 22, 48).slice(1, 37, 63) = noise;
    v[21].slice(0, 49, 51) = 0;
    at::Tensor seeds = at::zeros({70, 100}, at::kInt);
    seeds[14][20] = 1;
    seeds[38][47] = 2;
    const RandomWalk walk = walked(v, seeds, walker_spec());
    QVERIFY(walk.labels.slice(0, 25, 45).slice(1, 40, 60).eq(2).all().item<bool>());
    QVERIFY(walk.labels.slice(0, 0, 15).eq(1).all().item<bool>());
  }
  // Single voxels and small cubes that differ from all around, with weights of 1e-10: the label is that of their
  // surroundings, also where it is the last one, and where it is not.
  void what_is_cut_off_gets_the_label_around_it() {
    at::Tensor v = at::zeros({12, 16, 24}), seeds = at::zeros({12, 16, 24}, at::kInt);
    v.slice(2, 12, 24) = 1;
    for (const int64_t x : {3, 7, 15, 20}) {
      v[4][5][x] = 10;
      v.slice(0, 7, 9).slice(1, 9, 11).slice(2, x, x + 2) = -9;
    }
    for (const bool swapped : {false, true}) {
      seeds[1][1][1] = swapped ? 2 : 1;
      seeds[10][14][22] = swapped ? 1 : 2;
      const RandomWalk walk = walked(v, seeds, walker_spec());
      QVERIFY(walk.labels.slice(2, 0, 12).eq(swapped ? 2 : 1).all().item<bool>());
      QVERIFY(walk.labels.slice(2, 12, 24).eq(swapped ? 1 : 2).all().item<bool>());
    }
  }
  // Twice as large voxels are a quarter of beta: powers of two, which rounding does not touch.
  void voxel_size_scales_beta() {
    const at::Tensor v = test::blobs({6, 12, 11}, 8), seeds = blob_seeds(v);
    RandomWalkerSpec large = walker_spec(), weak = walker_spec();
    large.voxel = {2, 2, 2};
    weak.beta = 130.0 / 4;
    QVERIFY(at::equal(walked(v, seeds, large).probabilities, walked(v, seeds, weak).probabilities));
  }
  void outside_and_islands_are_minus_one() {
    const at::Tensor v = test::blobs({1, 12, 20}, 2)[0];
    at::Tensor seeds = at::zeros({12, 20}, at::kInt);
    seeds.select(1, 10) = -1;  // parts left and right, the right one without seeds
    seeds[3].slice(0, 0, 3) = 1;
    seeds[9].slice(0, 0, 3) = 2;
    seeds[0][9] = -7;
    const RandomWalk walk = walked(v, seeds, walker_spec());
    QVERIFY(walk.labels.slice(1, 10, 20).eq(-1).all().item<bool>());
    QCOMPARE(walk.labels[0][9].item<int64_t>(), int64_t{-1});
    QCOMPARE(walk.labels.slice(1, 0, 10).gt(0).sum().item<int64_t>(), int64_t{119});
    QVERIFY(walk.probabilities.slice(2, 10, 20).eq(0).all().item<bool>());
    // The same as without the other half, but for the deviation of the whole volume, which scales beta.
    RandomWalkerSpec spec = walker_spec();
    const at::Tensor left = v.slice(1, 0, 10).contiguous(), half_seeds = seeds.slice(1, 0, 10).contiguous();
    spec.beta *= left.std(false).item<double>() / v.std(false).item<double>();
    QVERIFY(share_equal(walked(left, half_seeds, spec).labels, walk.labels.slice(1, 0, 10)) >= min_share);
  }
  // Twenty steps: every one waits for all threads several times, which takes long while other programs run.
  void without_probabilities_and_with_threads_the_labels_are_the_same() {
    const at::Tensor v = test::blobs({20, 30, 40}, 11), seeds = blob_seeds(v);
    RandomWalkerSpec spec = walker_spec();
    spec.max_steps = 20;
    const int before = at::get_num_threads();
    at::set_num_threads(1);
    const RandomWalk one = walked(v, seeds, spec);
    QCOMPARE(one.steps, int64_t{40});
    at::set_num_threads(2);
    QVERIFY(at::equal(walked(v, seeds, spec).probabilities, one.probabilities));
    at::set_num_threads(before);
    spec.probabilities = WalkerProbabilities::left_out;
    const RandomWalk plain = walked(v, seeds, spec);
    QVERIFY(at::equal(plain.labels, one.labels) && !plain.probabilities.defined());
    QVERIFY(at::equal(walked(v, seeds.clamp_min(1), spec).labels, seeds.clamp_min(1)));  // nothing to decide
  }
  void refusals() {
    const at::Tensor v = test::blobs({4, 5, 6}, 1);
    const auto says = [](const Result<RandomWalk>& r, const char* text) {
      return !r.ok() && r.error().kind == ErrorKind::invalid && r.error().what.find(text) != std::string::npos &&
             !r.error().hint.empty();
    };
    at::Tensor seeds = at::zeros({4, 5, 6}, at::kInt);
    QVERIFY(says(random_walker(v, seeds, {}), "no seeds"));
    seeds[0][0][0] = 3;
    QVERIFY(says(random_walker(v, seeds, {}), "all seeds have class 3"));
    seeds[3][0][0] = 4;
    at::Tensor bad = v.clone();
    bad[1][1][1] = std::numeric_limits<float>::quiet_NaN();
    QVERIFY(says(random_walker(bad, seeds, {}), "NaN"));
    bad[1][1][1] = std::numeric_limits<float>::infinity();
    QVERIFY(says(random_walker(bad, seeds, {}), "infinite"));
    QVERIFY(says(random_walker(v, at::zeros({4, 5, 5}, at::kInt), {}), "differs from"));
    RandomWalkerSpec spec;
    spec.beta = -1;
    QVERIFY(!random_walker(v, seeds, spec).ok());
    spec = {};
    spec.cancel.cancel();
    QVERIFY_THROWS_EXCEPTION(Failure, (void)random_walker(v, seeds, spec));
    QVERIFY(random_walker(at::ones({4, 5, 6}), seeds, {}).ok());  // a uniform volume
  }
};

TL_TEST_CASE(RandomWalkerTest)

}  // namespace tl::random_walker_test

#include "random_walker.moc"
