// Active contours: level sets, black images, a disc, and flips; fixtures of scikit-image's tests.
#include <ATen/Parallel.h>

#include <cmath>
#include <limits>

#include "gpu/segmentation/chan_vese.h"
#include "gpu/segmentation/geodesic_contour.h"
#include "gpu/segmentation/level_set.h"
#include "tests/support/blobs.h"
#include "tests/support/test_case.h"

namespace tl::contours_test {

using namespace tl::ops;

namespace {

constexpr double float64_rounding = 1e-15;  // of sums in another order, of values up to 1
// Of the voxels of a ball of radius 6: noise and smoothing leave some on the wrong side (measured 5.5 %).
constexpr double max_misplaced = 0.06;

ChanVeseSpec chan_vese_steps(int64_t steps) {
  ChanVeseSpec spec;
  spec.steps = steps;
  return spec;
}
GeodesicContourSpec contour_spec(int64_t steps, double balloon = 0) {
  GeodesicContourSpec spec;
  spec.steps = steps;
  spec.balloon = balloon;
  return spec;
}
at::Tensor mask_of(const std::vector<std::string>& rows) {
  at::Tensor m = at::empty({static_cast<int64_t>(rows.size()), static_cast<int64_t>(rows[0].size())}, at::kBool);
  for (std::size_t y = 0; y < rows.size(); ++y)
    for (std::size_t x = 0; x < rows[y].size(); ++x)
      m[static_cast<int64_t>(y)][static_cast<int64_t>(x)] = rows[y][x] == '1';
  return m;
}

}  // namespace

class ContoursTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void first_shapes() {
    QVERIFY(at::equal(checkerboard_level_set({6, 6}).or_throw(),
                      mask_of({"000001", "000001", "000001", "000001", "000001", "111110"})));
    for (const int64_t edge : {0, -1}) QVERIFY(!checkerboard_level_set({6, 6}, edge).ok());
    QVERIFY(at::equal(ball_level_set({6, 6}), mask_of({"000000", "001110", "011111", "011111", "011111", "001110"})));
    QCOMPARE(ball_level_set({7, 7, 7}).sum().item<int64_t>(), int64_t{81});
    QVERIFY(at::equal(ball_level_set({9, 9}, {0, 4, 4}, 3), ball_level_set({1, 9, 9}, {5, 4, 4}, 3)[0]));
  }
  void black_images() {
    const at::Tensor black = at::zeros({11, 11}), start = ball_level_set({11, 11}, {0, 5, 5}, 3);
    QVERIFY(!chan_vese(black, start, chan_vese_steps(6)).or_throw().any().item<bool>());
    QVERIFY(!geodesic_contour(black, start, contour_spec(6)).or_throw().any().item<bool>());
    GeodesicContourSpec growing = contour_spec(6, 1);
    growing.threshold = -1;
    growing.smoothing = 0;
    QVERIFY(geodesic_contour(black, start, growing).or_throw().all().item<bool>());
    int64_t before = 81;
    for (int64_t steps = 1; steps <= 5; ++steps) {
      const int64_t now = chan_vese(at::zeros({7, 7, 7}), ball_level_set({7, 7, 7}), chan_vese_steps(steps))
                              .or_throw()
                              .sum()
                              .item<int64_t>();
      QVERIFY(now <= before);
      before = now;
    }
    QCOMPARE(before, int64_t{0});
  }
  void a_blob_from_two_starts() {
    const at::Tensor d = at::arange(-5, 6, at::kDouble).square();
    const at::Tensor v = (-(d.view({11, 1}) + d) / 10).exp();
    const at::Tensor a = chan_vese(v, ball_level_set({11, 11}, {0, 5, 5}, 3), chan_vese_steps(10)).or_throw();
    QVERIFY(at::equal(a, chan_vese(v, ball_level_set({11, 11}, {0, 5, 5}, 6), chan_vese_steps(10)).or_throw()));
    QVERIFY(a.any().item<bool>() && !a.all().item<bool>());
  }
  void a_shrinking_contour_stops_at_a_disc() {
    for (const auto type : {at::kFloat, at::kDouble}) {
      const at::Tensor disc = ball_level_set({11, 11}, {0, 5, 5}, 3.5).to(type);
      const at::Tensor found = geodesic_contour(edge_map(disc, {10, 1, {}}).or_throw(),
                                                ball_level_set({11, 11}, {0, 5, 5}, 6), contour_spec(10, -1))
                                   .or_throw();
      QVERIFY(at::equal(
          found, mask_of({"00000000000", "00000000000", "00000100000", "00011111000", "00011111000", "00111111100",
                          "00011111000", "00011111000", "00000100000", "00000000000", "00000000000"})));
    }
  }
  void a_volume_of_two_means_is_divided() {
    const at::Tensor ball = ball_level_set({18, 20, 22}, {9, 10, 11}, 6);
    const at::Tensor v = ball.to(at::kFloat) + 0.2 * test::gaussian({18, 20, 22}, at::kFloat, 3);
    const at::Tensor found = chan_vese(v, ball_level_set({18, 20, 22}, {9, 10, 11}, 3), chan_vese_steps(20)).or_throw();
    const double misplaced = found.ne(ball).sum().item<double>() / ball.sum().item<double>();
    QVERIFY2(misplaced <= max_misplaced, qPrintable(QString::number(misplaced)));
  }
  void a_part_with_its_reach_gives_the_edge_map_of_the_whole() {
    const at::Tensor v = test::blobs({30, 29, 31}, 4);
    const auto part = [](const at::Tensor& of, int64_t from, int64_t to) {
      return of.slice(0, from, to).slice(1, from, to).slice(2, from, to).contiguous();
    };
    for (const double sigma : {0.1, 0.7, 1.5}) {
      const EdgeMapSpec spec{3, sigma, {}};
      const int64_t reach = edge_map_reach(spec), first = 12, last = 17;
      const at::Tensor found = edge_map(part(v, first - reach, last + reach), spec).or_throw();
      QVERIFY(at::equal(part(found, reach, reach + last - first), part(edge_map(v, spec).or_throw(), first, last)));
    }
  }
  // A flipped volume gives the flipped contour.
  void flips() {
    const at::Tensor v = test::blobs({8, 13, 11}, 3).to(at::kDouble), start = v.gt(0.5);
    const at::Tensor edges = edge_map(v, {3, 1, {}}).or_throw();
    const at::Tensor of_flipped = edge_map(v.flip({0, 2}).contiguous(), {3, 1, {}}).or_throw();
    QVERIFY(test::max_difference(of_flipped, edges.flip({0, 2})) <= float64_rounding);
    for (const std::vector<int64_t>& axes : {std::vector<int64_t>{0}, {1}, {2}, {0, 1, 2}}) {
      const auto flipped = [&](const at::Tensor& x) { return x.flip(axes).contiguous(); };
      QVERIFY(at::equal(chan_vese(flipped(v), flipped(start), chan_vese_steps(4)).or_throw(),
                        flipped(chan_vese(v, start, chan_vese_steps(4)).or_throw())));
      QVERIFY(at::equal(geodesic_contour(flipped(edges), flipped(start), contour_spec(4, 1)).or_throw(),
                        flipped(geodesic_contour(edges, start, contour_spec(4, 1)).or_throw())));
    }
  }
  void threads_change_nothing() {
    const at::Tensor v = test::blobs({20, 33, 31}, 5), start = v.gt(0.7), edges = edge_map(v, {3, 1, {}}).or_throw();
    const int before = at::get_num_threads();
    at::set_num_threads(1);
    const at::Tensor one = chan_vese(v, start, chan_vese_steps(5)).or_throw();
    const at::Tensor one_edge = geodesic_contour(edges, start, contour_spec(5, -1)).or_throw();
    at::set_num_threads(3);
    QVERIFY(at::equal(chan_vese(v, start, chan_vese_steps(5)).or_throw(), one));
    QVERIFY(at::equal(geodesic_contour(edges, start, contour_spec(5, -1)).or_throw(), one_edge));
    at::set_num_threads(before);
  }
  void cancelled_contours_stop() {
    const at::Tensor v = at::zeros({4, 5, 6}), start = at::ones({4, 5, 6}, at::kBool);
    EdgeMapSpec map;
    ChanVeseSpec chan;
    GeodesicContourSpec geodesic;
    for (const CancelToken& token : {map.cancel, chan.cancel, geodesic.cancel}) token.cancel();
    QVERIFY_THROWS_EXCEPTION(Failure, (void)edge_map(v, map));
    QVERIFY_THROWS_EXCEPTION(Failure, (void)chan_vese(v, start, chan));
    QVERIFY_THROWS_EXCEPTION(Failure, (void)geodesic_contour(v, start, geodesic));
  }
  void refusals() {
    const at::Tensor v = at::zeros({5, 6}), start = at::ones({5, 6}, at::kBool);
    at::Tensor nan = v.clone();
    nan[1][1] = std::numeric_limits<float>::quiet_NaN();
    QVERIFY(!chan_vese(nan, start, {}).ok() && !geodesic_contour(nan, start, {}).ok() && !edge_map(nan, {}).ok());
    for (const float sign : {1.0F, -1.0F}) {
      at::Tensor infinite = v.clone();
      infinite[1][1] = sign * std::numeric_limits<float>::infinity();
      for (const auto& refused :
           {chan_vese(infinite, start, {}), geodesic_contour(infinite, start, {}), edge_map(infinite, {})})
        QVERIFY(!refused.ok() && refused.error().what.find("infinite") != std::string::npos);
    }
    ChanVeseSpec heavy;
    heavy.outside = std::numeric_limits<double>::infinity();
    QVERIFY(!chan_vese(v, start, heavy).ok());
    QVERIFY(!chan_vese(v, at::ones({5, 5}, at::kBool), {}).ok());
    QVERIFY(!chan_vese(v, start, chan_vese_steps(-1)).ok());
    QVERIFY(!edge_map(v, {-1, 1, {}}).ok() && !edge_map(v, {1, 0, {}}).ok() && !edge_map(v, {1, 101, {}}).ok());
    QVERIFY(!geodesic_contour(v, start, contour_spec(1, std::numeric_limits<double>::infinity())).ok());
    QVERIFY(at::equal(chan_vese(v, start, chan_vese_steps(0)).or_throw(), start));
  }
};

TL_TEST_CASE(ContoursTest)

}  // namespace tl::contours_test

#include "contours.moc"
