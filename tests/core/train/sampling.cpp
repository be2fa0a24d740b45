// Sampling: planes against slices and linear fields, directions, the prior of patches, masking, variations and splits.
#include "core/train/sampling.h"

#include <ATen/ATen.h>

#include <cmath>
#include <map>

#include "tests/support/test_case.h"

namespace tl::train_sampling_test {

using namespace train;

namespace {

// Voxels have their own coordinates x, y, z as channels; `index` labels them all.
Item coordinates(int64_t nz, int64_t ny, int64_t nx, int32_t index = 0) {
  const at::Tensor z = at::arange(nz, at::kFloat).view({nz, 1, 1}).expand({nz, ny, nx}),
                   y = at::arange(ny, at::kFloat).view({1, ny, 1}).expand({nz, ny, nx}),
                   x = at::arange(nx, at::kFloat).view({1, 1, nx}).expand({nz, ny, nx});
  return {"coordinates", at::stack({x, y, z}), at::full({nz, ny, nx}, index, at::kInt)};
}

// The same slice everywhere along z.
Item column(int64_t nz) {
  const at::Tensor slice = at::arange(20 * 24, at::kFloat).mul(0.37).sin().view({20, 24});
  return {"column", slice.expand({1, nz, 20, 24}).contiguous(),
          slice.gt(0).to(at::kInt).expand({nz, 20, 24}).contiguous()};
}

double largest(const at::Tensor& t) { return t.abs().max().item<double>(); }

Vec3 point(const Sample& s, int64_t j, int64_t i) {
  return {s.input[0][j][i].item<double>(), s.input[1][j][i].item<double>(), s.input[2][j][i].item<double>()};
}

}  // namespace

class TrainingSamples : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void a_plane_along_slices_is_the_slice() {
    const Item item = column(6);
    const Sample s = sample_plane(item, {11.5, 9.5, 2.3}, {1, 0, 0}, {0, 1, 0}, 20, 24);
    QVERIFY(s.input.equal(item.volume.select(1, 0)));
    QVERIFY(s.target.equal(item.labels[0].to(at::kLong)));
  }

  // What is constant along z is sampled as its slice is, below every point of the plane.
  void oblique_planes_of_a_column_equal_its_slice_below() {
    const Item tall = column(60), slice = column(1);
    Draws draws(3, 0);
    for (int64_t n = 0; n < 20; ++n) {
      const Vec3 u{draws.normal(), draws.normal(), draws.normal()}, v{draws.normal(), draws.normal(), draws.normal()};
      const Sample s = sample_plane(tall, {11, 9, 30}, 0.5 * u, 0.5 * v, 15, 17),
                   below =
                       sample_plane(slice, {11, 9, 0}, {0.5 * u.x, 0.5 * u.y, 0}, {0.5 * v.x, 0.5 * v.y, 0}, 15, 17);
      QVERIFY(largest(s.input - below.input) < 1e-5);
      const at::Tensor both = s.target.ge(0);
      QVERIFY(both.any().item<bool>());
      QVERIFY(at::where(both, s.target - below.target, at::zeros_like(s.target)).eq(0).all().item<bool>());
    }
  }

  void linear_fields_are_sampled_exactly_and_nothing_beyond_the_volume_is_labelled() {
    Item item = coordinates(30, 31, 32);
    item.labels = item.volume[0].add(item.volume[1] * 100).add(item.volume[2] * 10000).to(at::kInt);
    const Vec3 centre{15, 14, 16}, u{0.48, 0.6, 0.64}, v{0.8, -0.6, 0};
    const int64_t edge = 61;
    const Sample s = sample_plane(item, centre, u, v, edge, edge);
    int64_t outside = 0;
    for (int64_t j = 0; j < edge; ++j)
      for (int64_t i = 0; i < edge; ++i) {
        const Vec3 p = centre + static_cast<double>(j - edge / 2) * v + static_cast<double>(i - edge / 2) * u;
        const auto label = s.target[j][i].item<int64_t>();
        const bool inside = p.x > -0.5 && p.x < 31.5 && p.y > -0.5 && p.y < 30.5 && p.z > -0.5 && p.z < 29.5;
        outside += inside ? 0 : 1;
        if (!inside) {
          QCOMPARE(label, int64_t{unlabelled});
          continue;
        }
        QCOMPARE(label, std::lround(p.x) + 100 * std::lround(p.y) + 10000 * std::lround(p.z));
        const Vec3 q{std::clamp(p.x, 0.0, 31.0), std::clamp(p.y, 0.0, 30.0), std::clamp(p.z, 0.0, 29.0)};
        QVERIFY(norm(point(s, j, i) - q) < 1e-4);
      }
    QVERIFY(outside > 100);
  }

  void random_planes_have_all_directions_and_pixels_of_a_voxel() {
    const std::vector<Item> items{coordinates(40, 40, 40)};
    Sampling sampling;
    sampling.planes = Planes::omnidirectional;
    sampling.edge = 3;
    const Sampler sampler = Sampler::make(items, 1, sampling, {}).or_throw();
    double squares[3] = {0, 0, 0};
    int64_t count = 0;
    for (uint64_t n = 0; n < 3000; ++n) {
      const Sample s = sampler.draw(7, n, Variation::as_it_is).sample;
      const Vec3 middle = point(s, 1, 1);
      const auto inside = [](double x) { return x > 2 && x < 37; };
      if (!inside(middle.x) || !inside(middle.y) || !inside(middle.z)) continue;
      const Vec3 u = point(s, 1, 2) - middle, v = point(s, 2, 1) - middle;
      QVERIFY(std::abs(norm(u) - 1) < 1e-4 && std::abs(norm(v) - 1) < 1e-4 && std::abs(dot(u, v)) < 1e-4);
      const Vec3 normal = cross(u, v);
      squares[0] += normal.x * normal.x;
      squares[1] += normal.y * normal.y;
      squares[2] += normal.z * normal.z;
      ++count;
    }
    QVERIFY(count > 1500);
    // The variance of n_z^2 on a sphere is 4/45: 5 deviations of the mean.
    for (const double sum : squares)
      QVERIFY(std::abs(sum / static_cast<double>(count) - 1.0 / 3) <
              5 * std::sqrt(4.0 / 45 / static_cast<double>(count)));
  }

  // The patch j is drawn in proportion to sum over i of a_ji / c_i.
  void patches_are_drawn_by_the_prior_of_classes() {
    constexpr int64_t width = 64, edge = 8;
    Item item = coordinates(1, 1, width, unlabelled);
    auto* label = item.labels.mutable_data_ptr<int32_t>();
    // Apart from the ends, near which a voxel lies in fewer patches.
    for (int64_t x = edge; x < width - edge; ++x) label[x] = x < 50 ? 0 : x < 53 ? 1 : unlabelled;
    const std::vector<int64_t> counts = class_counts({item}, 2);
    Sampling sampling;
    sampling.edge = edge;
    sampling.prior = Prior::classes;
    const std::vector<Item> items{item};
    const Sampler sampler = Sampler::make(items, 2, sampling, {}).or_throw();
    constexpr int64_t draws = 20000;
    std::map<int64_t, int64_t> drawn;
    for (int64_t n = 0; n < draws; ++n)
      ++drawn[std::lround(
          sampler.draw(11, static_cast<uint64_t>(n), Variation::as_it_is).sample.input[0][0][0].item<double>())];
    for (int64_t j = 0; j <= width - edge; ++j) {
      double r = 0;
      for (int64_t x = j; x < j + edge; ++x)
        if (label[x] >= 0) r += 1 / static_cast<double>(counts[static_cast<std::size_t>(label[x])]);
      const double p = r / (2 * static_cast<double>(edge)), share = static_cast<double>(drawn[j]) / draws;
      QVERIFY2(std::abs(share - p) <= 5 * std::sqrt(p / draws), qPrintable(QString("patch %1").arg(j)));
    }
  }

  // One stroke in a dark half; the bright half is farther away than a patch is long.
  void input_is_scaled_by_what_samples_can_contain() {
    Item item{"one", at::arange(2 * 20 * 60, at::kFloat).view({1, 2, 20, 60}), at::full({2, 20, 60}, -1, at::kInt)};
    item.volume.narrow(3, 30, 30).fill_(1e6);
    item.labels[1][9][12] = 0;
    item.labels[1][10][14] = 0;
    const std::vector<Item> items{item};
    Sampling sampling;
    sampling.edge = 8;
    const net::InputScaling s = Sampler::make(items, 1, sampling, {}).or_throw().scaling();
    // Slice 1 alone; rows 9 and 10, columns 12 and 14, and 7 pixels around each of the two voxels.
    at::Tensor mask = at::zeros({20, 60}, at::kBool);
    mask.narrow(0, 2, 15).narrow(1, 5, 15).fill_(true);
    mask.narrow(0, 3, 15).narrow(1, 7, 15).fill_(true);
    const at::Tensor values = item.volume[0][1].to(at::kDouble).masked_select(mask);
    constexpr double rounding = 1e-9;
    QVERIFY(std::abs(s.mean[0] / values.mean().item<double>() - 1) < rounding);
    QVERIFY(std::abs(s.deviation[0] / values.std(false).item<double>() - 1) < rounding);
    // With labels everywhere it is the whole volume.
    items[0].labels.zero_();
    const net::InputScaling all = Sampler::make(items, 1, sampling, {}).or_throw().scaling();
    QVERIFY(std::abs(all.mean[0] / item.volume.to(at::kDouble).mean().item<double>() - 1) < rounding);
  }

  void masking_leaves_as_many_pixels_of_every_class() {
    Item item = coordinates(1, 100, 100);
    item.labels.narrow(1, 0, 10).fill_(1);
    const std::vector<Item> items{item};
    Sampling sampling;
    sampling.masking = Masking::balanced;
    const Sampler sampler = Sampler::make(items, 2, sampling, {}).or_throw();
    const at::Tensor target = sampler.draw(5, 0, Variation::varied).sample.target;
    QCOMPARE(target.eq(1).sum().item<int64_t>(), int64_t{1000});
    // 9000 pixels stay with probability 1/9: 1000 +- 30.
    QVERIFY(std::abs(target.eq(0).sum().item<int64_t>() - 1000) < 150);
  }

  void labels_follow_turns_mirrors_and_displacements() {
    const at::Tensor numbers = at::arange(30 * 30, at::kInt).view({1, 30, 30});
    const Sample whole{numbers.to(at::kFloat), numbers[0].to(at::kLong)};
    Draws draws(1, 0);
    int64_t moved = 0;
    for (int64_t n = 0; n < 20; ++n) {
      const Sample s = varied(whole, {}, 1, draws);
      QVERIFY(s.input[0].to(at::kLong).equal(s.target));
      moved += s.target.equal(whole.target) ? 0 : 1;
    }
    QVERIFY(moved > 10);
    Augmentation elastic;
    elastic.quarter_turns = elastic.mirrors = false;
    elastic.elastic = 3;
    const Item item = coordinates(1, 40, 50);
    const Sample flat{item.volume.select(1, 0), item.volume[0][0].to(at::kLong)};
    const Sample s = varied(flat, elastic, 1, draws);
    const at::Tensor by = s.input - flat.input;
    QVERIFY(largest(by.narrow(0, 0, 2)) <= 3 && largest(by.narrow(0, 0, 2)) > 0.5);
    QVERIFY(largest(s.target.to(at::kFloat) - s.input[0]) <= 0.5);
  }

  void blur_keeps_constants_and_noise_has_its_deviation() {
    Augmentation a;
    a.quarter_turns = a.mirrors = false;
    a.blur = 2;
    const Sample flat{at::full({2, 64, 64}, 3.5, at::kFloat), at::zeros({64, 64}, at::kLong)};
    Draws draws(2, 0);
    QVERIFY(largest(varied(flat, a, 1, draws).input - 3.5) < 1e-5);
    a.blur = 0;
    a.noise = 0.5;
    double largest_deviation = 0;
    for (int64_t n = 0; n < 20; ++n)
      largest_deviation = std::max(largest_deviation, varied(flat, a, 4, draws).input.std().item<double>());
    QVERIFY(largest_deviation > 1.5 && largest_deviation < 2.1);
  }

  void equal_seeds_draw_equal_samples_in_any_order() {
    const std::vector<Item> items{coordinates(10, 20, 30), coordinates(12, 22, 32)};
    Sampling sampling;
    sampling.planes = Planes::omnidirectional;
    sampling.augmentation.noise = 1;
    const Sampler sampler = Sampler::make(items, 1, sampling, {}).or_throw();
    const Sampler::Drawn later = sampler.draw(4, 9, Variation::varied), earlier = sampler.draw(4, 2, Variation::varied);
    QVERIFY(sampler.draw(4, 2, Variation::varied).sample.input.equal(earlier.sample.input));
    QVERIFY(sampler.draw(4, 9, Variation::varied).sample.input.equal(later.sample.input));
    QVERIFY(!sampler.draw(5, 9, Variation::varied).sample.input.equal(later.sample.input));
  }

  void slices_have_their_direction_and_the_sizes_that_a_network_takes() {
    const std::vector<Item> items{coordinates(20, 30, 41)};
    for (int64_t axis = 0; axis < 3; ++axis) {
      Sampling sampling;
      sampling.axis = axis;
      const Sampler sampler = Sampler::make(items, 1, sampling, {}).or_throw();
      const at::Tensor input = sampler.draw(1, 0, Variation::as_it_is).sample.input;
      // The coordinate along the axis is channel 2 - axis.
      QCOMPARE(largest(input[2 - axis] - input[2 - axis][0][0]), 0.0);
      QCOMPARE(input.size(1), axis == 0 ? int64_t{30} : int64_t{20});
      QCOMPARE(input.size(2), axis == 2 ? int64_t{30} : int64_t{41});
    }
    const Sampler sixteens = Sampler::make(items, 1, {}, {2, 16, 16, 0, 0}).or_throw();
    QVERIFY(sixteens.draw(1, 0, Variation::as_it_is).sample.input.sizes().equals({3, 16, 32}));
    QVERIFY(!Sampler::make(items, 1, {}, {2, 32, 16, 0, 0}).ok());
  }

  void blocks_are_apart_and_have_every_class() {
    Item item = coordinates(40, 12, 10, unlabelled);
    // Two strokes along z, which no cut across x or y would give to both sides.
    item.labels.select(2, 3).select(1, 3).fill_(0);
    item.labels.select(2, 8).select(1, 3).fill_(1);
    const TrainingSet set = split_by_block({item}, 0.25, 6).or_throw();
    const at::Tensor training = set.training[0].labels, validation = set.validation[0].labels;
    QVERIFY(training.ge(0).logical_and(validation.ge(0)).logical_not().all().item<bool>());
    const at::Tensor t = training.amax({1, 2}).ge(0).nonzero().flatten(),
                     v = validation.amax({1, 2}).ge(0).nonzero().flatten();
    QCOMPARE(v.min().item<int64_t>() - t.max().item<int64_t>(), int64_t{7});
    for (const at::Tensor& part : {training, validation})
      for (const int64_t c : {0, 1}) QVERIFY(part.eq(c).any().item<bool>());
    const double share = static_cast<double>(v.numel()) / static_cast<double>(v.numel() + t.numel());
    QVERIFY(std::abs(share - 0.25) < 0.06);
  }

  void what_cannot_be_split_or_shown_is_refused() {
    Item dot = coordinates(9, 9, 9, unlabelled);
    dot.labels[4][4][4].fill_(0);
    const auto split = split_by_block({dot}, 0.2, 1);
    QVERIFY(!split.ok() && split.error().where == "coordinates" && !split.error().hint.empty());
    QVERIFY(!split_by_item({dot}, 0.2, 1).ok());
    const std::vector<Item> none{coordinates(4, 4, 4, unlabelled)}, flat{coordinates(1, 8, 8)};
    QVERIFY(!Sampler::make(none, 1, {}, {}).ok());
    Sampling sampling;
    sampling.planes = Planes::omnidirectional;
    QVERIFY(!Sampler::make(flat, 1, sampling, {}).ok());
    std::vector<Item> five(5, coordinates(2, 4, 4));
    for (std::size_t i = 0; i < five.size(); ++i) five[i].name = std::to_string(i);
    const TrainingSet set = split_by_item(five, 0.2, 3).or_throw();
    QCOMPARE(set.training.size(), std::size_t{4});
    for (const Item& i : set.training) QVERIFY(i.name != set.validation.at(0).name);
  }
};

TL_TEST_CASE(TrainingSamples)

}  // namespace tl::train_sampling_test

#include "sampling.moc"
