// Levels of flats, darks and views: odd frames are found whatever the noise, the beam's profile and the groups in time,
// and sound series are left alone.
#include "gpu/correction/flats/reference_levels.h"

#include <cmath>
#include <limits>

#include "tests/support/operator_laws.h"
#include "tests/support/test_case.h"

namespace tl::reference_levels_test {

using namespace tl::ops;

namespace {

constexpr int64_t rows = 4, cols = 64;
constexpr double dark_level = 100, beam = 10000;
// Transmissions are quantiles of rows that are averaged: noise of a hundredth, and a quarter of a pixel's.
constexpr double transmission_tolerance = 0.02;

// Counts of a beam that is brighter in the middle, times a level, with noise of a hundredth.
at::Tensor frame(double level, uint64_t seed) {
  const at::Tensor profile = 1 - 0.5 * at::linspace(-1, 1, cols, at::kDouble).square();
  return dark_level + beam * level * profile * (1 + 0.01 * test::gaussian({rows, cols}, at::kDouble, seed));
}
at::Tensor frames(const std::vector<double>& levels, uint64_t seed = 1) {
  std::vector<at::Tensor> all;
  for (const double level : levels) all.push_back(frame(level, seed++));
  return at::stack(all);
}
at::Tensor darks(const std::vector<double>& levels) { return frames(levels, 1000); }

std::vector<int64_t> indices(const std::vector<OddFrame>& odd) {
  std::vector<int64_t> all;
  for (const OddFrame& o : odd) all.push_back(o.index);
  return all;
}

using Indices = std::vector<int64_t>;

}  // namespace

class ReferenceLevelsTest : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void one_flat_of_many_is_odd() {
    for (const double level : {0.0, 0.1, 0.5, 0.9, 1.3, 3.0}) {
      ReferenceSample s{frames({1, 1, 1, 1, level, 1, 1, 1, 1}), darks({0, 0, 0}), {}, {}};
      const ReferenceLevels found = compare_references(s);
      QCOMPARE(indices(found.odd_flats), Indices{4});
      QVERIFY(level > 2 || std::abs(found.odd_flats[0].level - level) < transmission_tolerance);
      QVERIFY(found.odd_darks.empty() && found.flats_exceed_darks && found.flat_spread < 0.01);
    }
  }

  // A series whose levels scatter, or drift, has no odd one.
  void equally_scattered_levels_are_not_odd() {
    const std::vector<std::vector<double>> series = {
        {1, 1, 1}, {1, 0.97, 1.04, 0.99, 1.02, 0.95}, {1, 0.95, 0.9, 0.85, 0.8}, {1, 1, 1, 0.6, 0.6, 0.6}};
    for (const auto& levels : series) {
      const ReferenceLevels found = compare_references({frames(levels), darks({0}), {}, {}});
      QVERIFY2(found.odd_flats.empty(), qPrintable(QString::number(levels.size())));
    }
  }

  // Of two that disagree neither is odd; how much they differ is reported.
  void two_frames_are_not_judged() {
    const ReferenceLevels found = compare_references({frames({1, 0.4}), darks({0, 0.3}), {}, {}});
    QVERIFY(found.odd_flats.empty() && found.odd_darks.empty());
    QVERIFY(found.flat_spread > 0.5 && found.dark_spread > 0.2);
  }

  // The beam of a ring decays: the flats after the scan are darker than those before, however few they are.
  void groups_in_time_may_differ() {
    const std::vector<double> two = {-0.5, -0.5, -0.5, 99.5, 99.5};
    QVERIFY(compare_references({frames({1, 1, 1, 0.6, 0.6}), {}, {}, two}).odd_flats.empty());
    QVERIFY(compare_references({frames({1, 1, 1, 0.6}), {}, {}, {-0.5, -0.5, -0.5, 99.5}}).odd_flats.empty());
    // Hardly any signal is a closed shutter, whenever it was.
    QCOMPARE(indices(compare_references({frames({1, 1, 1, 0}), {}, {}, {-0.5, -0.5, -0.5, 99.5}}).odd_flats),
             Indices{3});
    // Within a group it is odd even where the groups differ by more.
    const std::vector<double> four = {-0.5, -0.5, -0.5, -0.5, 99.5, 99.5, 99.5, 99.5};
    QCOMPARE(indices(compare_references({frames({1, 1, 0.8, 1, 0.6, 0.6, 0.6, 0.6}), {}, {}, four}).odd_flats),
             Indices{2});
  }

  void the_shutter_was_open_for_one_dark() {
    for (const double level : {0.02, 0.5, 1.0}) {
      const ReferenceLevels found = compare_references({frames({1, 1, 1}), darks({0, level, 0, 0, 0}), {}, {}});
      QCOMPARE(indices(found.odd_darks), Indices{1});
      QVERIFY(found.odd_flats.empty());
    }
    const ReferenceLevels all = compare_references({frames({1, 1, 1}), darks({1.1, 1.1, 1.1}), frames({1}), {}});
    QVERIFY(all.odd_darks.empty() && !all.flats_exceed_darks && !all.has_transmissions);
  }

  // What views say: with sound references transmissions lie between 0 and 1; darks with light in them, and flats
  // without, leave views outside.
  void views_are_measured_by_the_references() {
    const at::Tensor object = frame(0.2, 7), air = frame(1, 8);
    const at::Tensor views = at::stack({object, air, object});
    const ReferenceLevels sound = compare_references({frames({1, 1, 1}), darks({0, 0, 0}), views, {}});
    QVERIFY(sound.has_transmissions);
    QVERIFY(std::abs(sound.low_transmission - 0.2) < transmission_tolerance);
    QVERIFY(std::abs(sound.high_transmission - 1) < transmission_tolerance);
    const ReferenceLevels open = compare_references({frames({1, 1, 1}), darks({0.7, 0.7, 0.7}), views, {}});
    QVERIFY(open.flats_exceed_darks && open.low_transmission < -1);
    const ReferenceLevels closed = compare_references({frames({0.3, 0.3, 0.3}), darks({0, 0, 0}), views, {}});
    QVERIFY(closed.high_transmission > 3);
    // An odd frame takes no part in it.
    const ReferenceLevels one = compare_references({frames({1, 0, 1}), darks({0, 0.9, 0}), views, {}});
    QVERIFY(std::abs(one.low_transmission - 0.2) < transmission_tolerance);
  }

  void zingers_and_dead_pixels_change_nothing() {
    at::Tensor flats = frames({1, 1, 1, 1, 1});
    flats[2][1][10] = 6e5;
    flats[3][0][5] = std::numeric_limits<double>::quiet_NaN();
    flats.select(2, 20).fill_(0);
    const ReferenceLevels found = compare_references({flats.to(at::kFloat), darks({0, 0, 0}).to(at::kFloat), {}, {}});
    QVERIFY(found.odd_flats.empty() && found.odd_darks.empty());
  }

  void nothing_is_reported_without_flats() {
    const ReferenceLevels found = compare_references({{}, darks({0, 1, 0}), frames({1}), {}});
    QVERIFY(found.odd_darks.empty() && !found.has_transmissions);
  }
};

TL_TEST_CASE(ReferenceLevelsTest)

}  // namespace tl::reference_levels_test

#include "reference_levels.moc"
