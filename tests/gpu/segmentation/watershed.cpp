// Watershed: fixtures of section 14, renamed markers, heights by another scale, lines; markers from maxima.
#include "gpu/segmentation/watershed.h"

#include <cmath>
#include <limits>

#include "gpu/segmentation/components.h"
#include "gpu/segmentation/distance.h"
#include "gpu/segmentation/local_extrema.h"
#include "gpu/segmentation/morphology.h"
#include "tests/support/blobs.h"
#include "tests/support/test_case.h"

namespace tl::watershed_test {

using namespace tl::ops;

namespace {

WatershedSpec watershed_spec(Connectivity c, double compactness = 0, WatershedLines lines = WatershedLines::none) {
  return {c, compactness, lines, {}};
}
at::Tensor flooded(const at::Tensor& v, const at::Tensor& markers, const at::Tensor& mask = {},
                   const WatershedSpec& spec = {}) {
  return watershed(v, markers, mask, spec).or_throw();
}
at::Tensor rows(const std::vector<std::vector<float>>& values) {
  at::Tensor v = at::empty({static_cast<int64_t>(values.size()), static_cast<int64_t>(values[0].size())});
  for (std::size_t y = 0; y < values.size(); ++y)
    for (std::size_t x = 0; x < values[y].size(); ++x)
      v[static_cast<int64_t>(y)][static_cast<int64_t>(x)] = values[y][x];
  return v;
}
at::Tensor seeds_at(const at::Tensor& like, const std::vector<std::array<int64_t, 3>>& places) {
  at::Tensor m = at::zeros(like.sizes(), at::kInt);
  for (const auto& [y, x, label] : places) m[y][x] = label;
  return m;
}
using Labels = std::vector<int32_t>;
Labels row(const at::Tensor& labels, int64_t y = 0) { return test::values_of<int32_t>(labels[y]); }

std::vector<int64_t> areas(const at::Tensor& labels) { return test::values_of<int64_t>(at::bincount(labels.view(-1))); }

// Some markers in blobs, of several voxels each.
at::Tensor blob_markers(const at::Tensor& v) {
  return components(v.lt(-1.6), {Connectivity::corners, {}}).or_throw().labels;
}

}  // namespace

class WatershedTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void lines_of_ten_and_seven() {
    for (const float left : {0.0F, 2.0F})
      for (const auto type : {at::kFloat, at::kDouble}) {
        const at::Tensor v = rows({{left, 2, 1, 1, 1, 1, 1, 1, 2, 0}}).to(type);
        QCOMPARE(row(flooded(v, seeds_at(v, {{0, 0, 1}, {0, 9, 2}}))), Labels({1, 1, 1, 1, 1, 2, 2, 2, 2, 2}));
      }
    const at::Tensor v = rows({{-1, -2, -2, -2, -2, -2, -3}});
    QCOMPARE(row(flooded(v, seeds_at(v, {{0, 0, 1}, {0, 6, 2}}))), Labels({1, 2, 2, 2, 2, 2, 2}));
  }
  void a_ridge_and_two_rows() {
    at::Tensor v = at::zeros({5, 6});
    v.select(1, 3) = 2;
    v.slice(1, 4, 6) = 1;
    const at::Tensor seeds = seeds_at(v, {{2, 0, 1}, {2, 5, 2}});
    const at::Tensor plain = flooded(v, seeds),
                     compact = flooded(v, seeds, {}, watershed_spec(Connectivity::faces, 0.01));
    for (int64_t y = 0; y < 5; ++y) {
      QCOMPARE(row(plain, y), Labels({1, 1, 1, 1, 2, 2}));
      QCOMPARE(row(compact, y), Labels({1, 1, 1, 2, 2, 2}));
    }
    const at::Tensor two = rows({{6, 5, 4, 3, 0, 3, 0, 1, 2}, {6, 5, 4, 3, 0, 3, 0, 1, 2}});
    const at::Tensor found = flooded(two, seeds_at(two, {{0, 1, 1}, {0, 7, 2}}));
    QCOMPARE(row(found, 0), Labels({1, 1, 2, 2, 2, 2, 2, 2, 2}));
    QCOMPARE(row(found, 1), Labels(9, 2));
  }
  // Discs (x, y, radius) of section 14 in an array [x, y]; the minima of the rounded distances are the markers.
  void four_touching_discs() {
    at::Tensor discs = at::zeros({406, 270}, at::kBool);
    auto inside = discs.accessor<bool, 2>();
    for (int64_t x = 0; x < 406; ++x)
      for (int64_t y = 0; y < 270; ++y)
        for (const auto& [cx, cy, r] :
             {std::array<int64_t, 3>{200, 208, 100}, {300, 120, 50}, {100, 100, 40}, {340, 208, 80}})
          if ((x - cx) * (x - cx) + (y - cy) * (y - cy) < r * r) inside[x][y] = true;
    const at::Tensor steps = (distance_to_background(discs, {}).or_throw() / 12).round();
    const at::Tensor height = 200 - steps * 12;
    QCOMPARE(areas(flooded(height, {}, steps.gt(0), watershed_spec(Connectivity::faces, 0.01))),
             std::vector<int64_t>({61824, 3653, 20467, 11097, 1301, 11278}));
    QCOMPARE(areas(flooded(height, {}, steps.gt(0), watershed_spec(Connectivity::corners, 0.01))),
             std::vector<int64_t>({61824, 3653, 20466, 12386, 11291}));
    // One marker per disc where maxima nearer than 60 pixels count as one; the discs by their size.
    MarkersSpec spec;
    spec.separation = 60;
    const at::Tensor distance = distance_to_background(discs, {}).or_throw();
    const at::Tensor markers = markers_from_maxima(distance, spec).or_throw();
    QCOMPARE(markers.max().item<int64_t>(), int64_t{4});
    const at::Tensor found = flooded(-distance, markers, discs);
    QVERIFY(at::equal(found.gt(0), discs));
    QCOMPARE(found[200][208].item<int64_t>(), markers[200][208].item<int64_t>());
    QVERIFY(found[300][110].item<int64_t>() != found[200][208].item<int64_t>());
  }
  // Other numbers for the markers give other numbers for the same basins.
  void renamed_markers_rename_basins() {
    for (int i = 0; i < 4; ++i) {
      const at::Tensor v = test::blobs({9, 20, 24}, 70 + i), markers = blob_markers(v);
      const int64_t last = markers.max().item<int64_t>();
      QVERIFY(last > 2);
      const auto renamed = [&](const at::Tensor& labels) { return at::where(labels.gt(0), last + 1 - labels, labels); };
      for (const WatershedSpec& spec :
           {watershed_spec(Connectivity::faces), watershed_spec(Connectivity::corners, 0.05),
            watershed_spec(Connectivity::edges, 0, WatershedLines::drawn)})
        QVERIFY(at::equal(flooded(v, renamed(markers).contiguous(), {}, spec), renamed(flooded(v, markers, {}, spec))));
    }
  }
  void only_the_order_of_heights_counts() {
    const at::Tensor v = test::grey_blobs({9, 20, 24}, 3).to(at::kDouble),
                     markers = blob_markers(test::blobs({9, 20, 24}, 3));
    const at::Tensor found = flooded(v, markers);
    QVERIFY(at::equal(flooded((v * 0.05).exp(), markers), found));
    QVERIFY(at::equal(flooded(v.to(at::kFloat), markers), found));
    QVERIFY(found.gt(0).all().item<bool>());
  }
  // Nowhere do two basins touch, and every line has an adjacent basin.
  void drawn_lines_separate_basins() {
    const at::Tensor v = test::blobs({8, 22, 19}, 12);
    for (const Connectivity c : {Connectivity::faces, Connectivity::corners}) {
      const at::Tensor found = flooded(v, blob_markers(v), {}, watershed_spec(c, 0, WatershedLines::drawn));
      const at::Tensor parts = components(found.gt(0), {c, {}}).or_throw().labels;
      for (int64_t i = 1; i <= parts.max().item<int64_t>(); ++i) {
        const at::Tensor numbers = found.masked_select(parts.eq(i));
        QVERIFY(numbers.min().item<int64_t>() == numbers.max().item<int64_t>());
      }
      const at::Tensor lines = found.eq(0);
      QVERIFY(lines.any().item<bool>());
      MorphologySpec adjacent;  // the neighbours of a voxel: a ball for those by faces, a box for all
      adjacent.element = c == Connectivity::faces ? StructuringElement::ball : StructuringElement::box;
      QVERIFY(dilation(found.gt(0), adjacent).or_throw().masked_select(lines).all().item<bool>());
    }
  }
  // Nothing is drawn over markers that touch.
  void lines_leave_markers_alone() {
    const at::Tensor v = rows({{0, 0, 0, 1, 0, 0}});
    QCOMPARE(row(flooded(v, seeds_at(v, {{0, 0, 1}, {0, 1, 2}, {0, 5, 3}}), {},
                         watershed_spec(Connectivity::faces, 0, WatershedLines::drawn))),
             Labels({1, 2, 2, 0, 3, 3}));
  }
  void nothing_grows_out_of_the_mask() {
    const at::Tensor v = test::blobs({8, 22, 19}, 13), mask = v.lt(0.4), markers = blob_markers(v);
    const at::Tensor found = flooded(v, markers, mask);
    QVERIFY(found.masked_select(mask.logical_not()).eq(0).all().item<bool>());
    const at::Tensor islands = components(mask, {}).or_throw().labels;
    for (int64_t i = 1; i <= islands.max().item<int64_t>(); ++i) {
      const at::Tensor own = islands.eq(i);
      const bool seeded = markers.masked_select(own).ne(0).any().item<bool>();
      QVERIFY(found.masked_select(own).ne(0).all().item<bool>() == seeded);
    }
  }
  void maxima_that_are_near_count_as_one() {
    at::Tensor v = at::zeros({1, 20});
    for (const auto& [x, height] : {std::pair{2, 5}, {5, 6}, {12, 3}, {13, 3}, {17, 4}}) v[0][x] = height;
    const auto markers = [&](double separation) {
      MarkersSpec spec;
      spec.separation = separation;
      return row(markers_from_maxima(v, spec).or_throw());
    };
    const auto at_places = [](const std::vector<std::pair<std::size_t, int32_t>>& places) {
      Labels l(20, 0);
      for (const auto& [x, number] : places) l[x] = number;
      return l;
    };
    QCOMPARE(markers(0), at_places({{2, 1}, {5, 2}, {12, 3}, {13, 3}, {17, 4}}));
    QCOMPARE(markers(3), at_places({{2, 1}, {5, 2}, {12, 3}, {13, 3}, {17, 4}}));
    QCOMPARE(markers(3.5), at_places({{5, 1}, {12, 2}, {13, 2}, {17, 3}}));
    QCOMPARE(markers(6), at_places({{5, 1}, {17, 2}}));
  }
  // Also while extrema are looked for, before there are markers.
  void cancelled_searches_stop() {
    const at::Tensor v = at::arange(60, at::kFloat).view({3, 4, 5});
    const CancelToken token;
    token.cancel();
    for (const Extremum which : {Extremum::maximum, Extremum::minimum})
      QVERIFY_THROWS_EXCEPTION(Failure, (void)local_extrema(v, which, Connectivity::faces, token));
    MarkersSpec markers;
    markers.cancel = token;
    QVERIFY_THROWS_EXCEPTION(Failure, (void)markers_from_maxima(v, markers));
    WatershedSpec spec;
    spec.cancel = token;
    QVERIFY_THROWS_EXCEPTION(Failure, (void)watershed(v, {}, {}, spec));
  }
  void refusals() {
    const at::Tensor v = at::zeros({3, 4}), none = at::zeros({3, 4}, at::kInt), one = at::ones({3, 4}, at::kInt);
    const auto says = [](const Result<at::Tensor>& r, const char* text) {
      return !r.ok() && r.error().kind == ErrorKind::invalid && r.error().what.find(text) != std::string::npos;
    };
    QVERIFY(says(watershed(v, none, {}, {}), "no marker"));
    QVERIFY(says(watershed(v, one, at::zeros({3, 4}, at::kBool), {}), "no marker"));
    QVERIFY(says(watershed(v, {}, {}, {}), "no local minimum"));
    at::Tensor nan = v.clone();
    nan[1][1] = std::numeric_limits<float>::quiet_NaN();
    QVERIFY(says(watershed(nan, one, {}, {}), "1 of 12 voxels are NaN"));
    QVERIFY(says(watershed(v, one, {}, watershed_spec(Connectivity::faces, -1)), "compactness"));
    QVERIFY(says(watershed(v, one, {}, watershed_spec(Connectivity::faces, 1, WatershedLines::drawn)), "lines"));
    QVERIFY(says(watershed(v, at::ones({3, 5}, at::kInt), {}, {}), "differs from"));
    QVERIFY(!markers_from_maxima(nan, {}).ok());
  }
};

TL_TEST_CASE(WatershedTest)

}  // namespace tl::watershed_test

#include "watershed.moc"
