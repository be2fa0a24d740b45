// Alignment of views: shifts that are known, an object that leaves the detector, jumps, nothing wrong, and faults.
#include <ATen/ATen.h>

#include <cmath>
#include <limits>

#include "tests/support/learn/moved_scan.h"
#include "tests/support/node_pipeline.h"
#include "tests/support/test_case.h"

namespace tl::align_views_test {

using ops::ViewChange;
using ops::ViewChanges;
using test::MovedScan;

namespace {

constexpr double good = 0.1;  // [px] rms, issue 49

// A quarter of the pixels of the benchmark's scans.
MovedScan small() {
  MovedScan s;
  s.views = 120;
  s.rows = 48;
  s.cols = 64;
  return s;
}

struct Found {
  Table table;
  Scalar displacement;
  ScanGeometry geometry;
};

Found align(const Projections& scan, const std::map<std::string, ParamValue>& params = {},
            test::HeardMessages* heard = nullptr) {
  test::given_scan = scan;
  RunOptions options;
  options.events = heard;
  Executor e(test::registry_with_given(), options);
  const Graph g = test::aligned_graph(params);
  return {std::get<Table>(e.pull(g, "align", "views").or_throw()),
          std::get<Scalar>(e.pull(g, "align", "displacement").or_throw()),
          std::get<Projections>(e.pull(g, "align", "projections").or_throw()).geometry};
}

void verify_shifts(const Found& found, const ViewChanges& truth, const ScanGeometry& stated, double limit = good) {
  QCOMPARE(found.displacement.verdict, Verdict::resolved);
  for (const ViewChange kind : {ViewChange::shift_u, ViewChange::shift_v}) {
    const test::ChangeError e = test::change_error(found.table, truth, kind, stated);
    const std::string text =
        std::string(ops::to_string(kind)) + ": error " + std::to_string(e.error) + ", sigma " + std::to_string(e.sigma);
    qInfo("%s", text.c_str());
    QVERIFY2(e.error < limit && e.error < 3 * e.sigma, text.c_str());
  }
}

Result<Value> pulled(const Projections& scan) {
  test::given_scan = scan;
  Executor e(test::registry_with_given(), {});
  return e.pull(test::aligned_graph(), "align", "views");
}

}  // namespace

class AlignViewsTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void random_shifts() {
    const MovedScan s = small();
    const ViewChanges truth = test::random_shifts(s, 4);
    const Projections scan = test::moved_scan(s, truth);
    const Found found = align(scan);
    verify_shifts(found, truth, scan.geometry);
    // The geometry has them, so that a second alignment finds nothing.
    const auto orbit = found.geometry.orbit();
    QVERIFY(orbit.has_value());
    Projections corrected = scan;
    corrected.geometry = found.geometry;
    QVERIFY(align(corrected, {{"coarsest", std::string("2")}}).displacement.value.item<double>() < good);
  }
  void an_object_that_leaves_rows_and_columns() {
    MovedScan s = small();
    s.leaves = true;
    const ViewChanges truth = test::random_shifts(s, 2);
    const Projections scan = test::moved_scan(s, truth);
    verify_shifts(align(scan), truth, scan.geometry);
  }
  void a_walk_with_a_jump() {
    const MovedScan s = small();
    int64_t jump = 0;
    const ViewChanges truth = test::random_walk(s, 0.2, 5, jump);
    const Projections scan = test::moved_scan(s, truth);
    const Found found = align(scan);
    verify_shifts(found, truth, scan.geometry);
    const std::vector<double>& jumps = test::table_column(found.table, "jump");
    for (std::size_t i = 0; i < jumps.size(); ++i) QCOMPARE(jumps[i], i == static_cast<std::size_t>(jump) ? 1.0 : 0.0);
  }
  void nothing_wrong_changes_nothing() {
    const MovedScan s = small();
    const Projections scan = test::moved_scan(s, test::random_shifts(s, 0));
    const Found found = align(scan);
    verify_shifts(found, test::random_shifts(s, 0), scan.geometry);
    QVERIFY(found.geometry == scan.geometry);
  }
  void cone_beam() {
    MovedScan s = small();
    s.cone = 6 * pi / 180;
    const ViewChanges truth = test::random_shifts(s, 3);
    const Projections scan = test::moved_scan(s, truth);
    verify_shifts(align(scan), truth, scan.geometry);
  }
  // Pixels without a value, and a view of equal pixels, do not spoil the others.
  void bad_pixels_and_dead_views() {
    const MovedScan s = small();
    const ViewChanges truth = test::random_shifts(s, 2);
    Projections scan = test::moved_scan(s, truth);
    scan.data.select(0, 7).narrow(0, 10, 4).narrow(1, 20, 5).fill_(std::numeric_limits<float>::quiet_NaN());
    scan.data.select(0, 30).fill_(3.5);
    const Found found = align(scan);
    QCOMPARE(test::table_column(found.table, "shift_u_sigma")[30], 0.0);  // it shows nothing
    ViewChanges others = truth;
    others.values[60] = others.values[61] = 0;
    const test::ChangeError e = test::change_error(found.table, others, ViewChange::shift_v, scan.geometry);
    QVERIFY2(e.error < good, std::to_string(e.error).c_str());
  }
  void shifts_beyond_the_range_are_railed() {
    const MovedScan s = small();
    const Projections scan = test::moved_scan(s, test::random_shifts(s, 4));
    test::HeardMessages heard;
    const Found found = align(scan, {{"reach", Number{1, Unit::px}}}, &heard);
    QCOMPARE(found.displacement.verdict, Verdict::railed);
    QVERIFY(heard.warned("railed"));
  }
  // At the end of their range rolls mean nothing, and would bend the geometry.
  void with_rolls_railed_shifts_are_not_used() {
    const MovedScan s = small();
    const Projections scan = test::moved_scan(s, test::random_shifts(s, 4));
    const Found found = align(scan, {{"reach", Number{1, Unit::px}}, {"roll", true}, {"finest", std::string("4")}});
    QCOMPARE(found.displacement.verdict, Verdict::railed);
    QVERIFY(found.geometry == scan.geometry);
  }
  void faults() {
    MovedScan s = small();
    s.views = 12;
    Projections scan = test::moved_scan(s, test::random_shifts(s, 0));
    Projections one = scan;
    one.data = scan.data.narrow(0, 0, 1).contiguous();
    one.geometry = scan.geometry.crop({{0, 1}, {0, s.rows}, {0, s.cols}});
    const auto few = pulled(one);
    QVERIFY(!few.ok() && few.error().kind == ErrorKind::invalid && !few.error().hint.empty());
    Projections empty = scan;
    empty.data = at::zeros_like(scan.data);
    QCOMPARE(align(empty).displacement.verdict, Verdict::flat);
    QVERIFY(align(empty).geometry == scan.geometry);
    Projections nothing = scan;
    nothing.data = at::full_like(scan.data, std::numeric_limits<float>::quiet_NaN());
    const auto refused = pulled(nothing);
    QVERIFY(!refused.ok() && refused.error().kind == ErrorKind::invalid);
    Projections saturated = scan;
    saturated.data = at::full_like(scan.data, 2);
    QCOMPARE(align(saturated).displacement.verdict, Verdict::flat);
    Projections counts = scan;
    counts.kind = PixelKind::counts;
    QVERIFY(!pulled(counts).ok());
  }
};

TL_TEST_CASE(AlignViewsTest)

}  // namespace tl::align_views_test

#include "align_views.moc"
