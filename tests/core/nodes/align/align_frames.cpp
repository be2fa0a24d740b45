// Alignment of frames as a node: bursts per view, averages that are as sharp as unmoved frames, geometry, and faults.
#include <ATen/ATen.h>

#include <cmath>
#include <limits>

#include "core/run/executor.h"
#include "tests/support/frames/burst.h"
#include "tests/support/given_scan.h"
#include "tests/support/test_case.h"

namespace tl::align_frames_test {

namespace {

Projections scan_of_frames(const at::Tensor& frames, int64_t group) {
  Projections scan;
  scan.data = frames;
  scan.kind = PixelKind::absorption;
  Orbit o;
  for (int64_t i = 0; i < frames.size(0); ++i) o.angles.push_back(0.1 * static_cast<double>(i / group));
  scan.geometry = ScanGeometry::from_orbit(o, {frames.size(1), frames.size(2), 1, 1}).or_throw();
  return scan;
}

Result<Value> pulled(const Projections& scan, const std::map<std::string, ParamValue>& params, const std::string& port,
                     test::HeardMessages* heard = nullptr) {
  test::given_scan = scan;
  RunOptions options;
  options.events = heard;
  Executor e(test::registry_with_given(), options);
  Graph g;
  g.nodes["scan"] = {"test.given", 1, {}};
  g.nodes["align"] = {"align.frames", 1, params};
  g.links = {{"scan", "projections", "align", "projections"}};
  return e.pull(g, "align", port);
}
Projections views_of(const Projections& scan, const std::map<std::string, ParamValue>& params = {}) {
  return std::get<Projections>(pulled(scan, params, "projections").or_throw());
}

const test::Motion still = [](int64_t, double, double) -> std::array<double, 2> { return {0, 0}; };
test::Motion drift(int64_t group) {
  return [group](int64_t n, double, double) -> std::array<double, 2> {
    const auto i = static_cast<double>(n % group);
    return {1.3 * i, -0.7 * i};
  };
}

// Correlation of two images in rings of spatial frequency up to half of Nyquist: the smallest.
double smallest_ring_correlation(const at::Tensor& a, const at::Tensor& b) {
  const at::Tensor fa = at::fft_fft2(a.to(at::kDouble) - a.mean()), fb = at::fft_fft2(b.to(at::kDouble) - b.mean());
  const at::Tensor f = at::fft_fftfreq(a.size(0), 1.0, at::TensorOptions(at::kDouble)),
                   g = at::fft_fftfreq(a.size(1), 1.0, at::TensorOptions(at::kDouble));
  const at::Tensor radius = (f.square().unsqueeze(1) + g.square().unsqueeze(0)).sqrt();
  double smallest = 1;
  constexpr double width = 0.025, half_of_nyquist = 0.25;  // [cycles/px]
  for (double low = width; low + width <= half_of_nyquist + 1e-9; low += width) {
    const at::Tensor ring = radius.ge(low).logical_and(radius.lt(low + width));
    const at::Tensor x = fa.masked_select(ring), y = fb.masked_select(ring);
    const double together = at::real(x * y.conj()).sum().item<double>();
    smallest = std::min(
        smallest, together / std::sqrt(x.abs().square().sum().item<double>() * y.abs().square().sum().item<double>()));
  }
  return smallest;
}

}  // namespace

class AlignFramesTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  // Three views of six frames each; what comes out is as sharp as if nothing had moved.
  void bursts_per_view_are_averaged() {
    test::BurstSpec spec;
    spec.frames = 18;
    spec.noise = 0.05;
    test::BurstSpec unmoved = spec;
    unmoved.noise = 0;
    const at::Tensor truth = test::burst(unmoved, still)[0];
    const Projections scan = scan_of_frames(test::burst(spec, drift(6)), 6);
    const Projections found = views_of(scan, {{"group", int64_t{6}}});
    QCOMPARE(found.data.size(0), 3);
    QVERIFY(at::equal(views_of(scan).data, found.data));  // by equal angles
    QCOMPARE(views_of(scan, {{"give", std::string("frames")}}).data.size(0), 18);
    const auto orbit = found.geometry.orbit();
    QVERIFY(orbit.has_value());
    for (std::size_t v = 0; v < 3; ++v) QVERIFY(std::abs(orbit->angles.at(v) - 0.1 * static_cast<double>(v)) < 1e-12);
    const Table shifts = std::get<Table>(pulled(scan, {{"group", int64_t{6}}}, "shifts").or_throw());
    QCOMPARE(shifts.columns.at(0).values.size(), 18U);
    constexpr double tolerance = 0.1;  // [px], issue 50
    for (std::size_t i = 1; i < 18; ++i)
      if (i % 6 != 0) {
        QVERIFY(std::abs(shifts.columns.at(2).values[i] - shifts.columns.at(2).values[i - 1] - 1.3) < tolerance);
        QVERIFY(std::abs(shifts.columns.at(3).values[i] - shifts.columns.at(3).values[i - 1] + 0.7) < tolerance);
      }
    // The average lies where the reference frame lies: it is compared with the average of unmoved frames there.
    const double at_reference = -shifts.columns.at(2).values[0] / 1.3;
    const at::Tensor there = test::burst(unmoved, [&](int64_t, double, double) -> std::array<double, 2> {
      return {1.3 * std::round(at_reference), -0.7 * std::round(at_reference)};
    })[0];
    const auto inner = [](const at::Tensor& image) { return image.narrow(0, 10, 108).narrow(1, 10, 108); };
    const double correlation = smallest_ring_correlation(inner(found.data[0]), inner(there));
    const double as_measured = smallest_ring_correlation(inner(scan.data.narrow(0, 0, 6).mean(0)), inner(there));
    qInfo("smallest ring correlation %.3f, without alignment %.3f", correlation, as_measured);
    QVERIFY2(correlation > 0.9, qPrintable(QString::number(correlation)));  // issue 50
    QVERIFY(as_measured < 0.7);
  }
  void frames_stay_where_nothing_moves() {
    test::BurstSpec spec;
    spec.frames = 5;
    spec.noise = 0.3;
    const Projections scan = scan_of_frames(test::burst(spec, still), 5);
    const Projections frames = views_of(scan, {{"give", std::string("frames")}});
    QVERIFY(at::equal(frames.data, scan.data));
    QVERIFY(at::allclose(views_of(scan).data[0], scan.data.mean(0), 1e-5, 1e-6));
    const auto displacement = std::get<Scalar>(pulled(scan, {}, "displacement").or_throw());
    QCOMPARE(displacement.verdict, Verdict::resolved);
  }
  void frames_that_show_nothing() {
    Projections scan = scan_of_frames(at::randn({6, 40, 48}, at::TensorOptions(at::kFloat)), 6);
    test::HeardMessages heard;
    QCOMPARE(std::get<Scalar>(pulled(scan, {}, "displacement", &heard).or_throw()).verdict, Verdict::flat);
    QVERIFY(heard.warned("not determined"));
    scan.data.fill_(1);
    QCOMPARE(std::get<Scalar>(pulled(scan, {}, "displacement").or_throw()).verdict, Verdict::flat);
  }
  void a_range_that_is_too_small_is_railed() {
    test::BurstSpec spec;
    spec.frames = 4;
    const Projections scan = scan_of_frames(test::burst(spec,
                                                        [](int64_t n, double, double) -> std::array<double, 2> {
                                                          return {6.0 * static_cast<double>(n), 0};
                                                        }),
                                            4);
    test::HeardMessages heard;
    (void)pulled(scan, {{"reach", Number{4, Unit::px}}}, "displacement", &heard).or_throw();
    QVERIFY(heard.warned("railed") || heard.warned("ambiguous"));
  }
  void pixels_without_a_value() {
    test::BurstSpec spec;
    spec.frames = 6;
    Projections scan = scan_of_frames(test::burst(spec, drift(6)), 6);
    scan.data[2].narrow(0, 60, 3).narrow(1, 40, 4).fill_(std::numeric_limits<float>::quiet_NaN());
    const Projections found = views_of(scan);
    QVERIFY(found.data.isfinite().all().item<bool>());  // other frames see that place
  }
  // What noise makes of a burst that shows nothing is not used, and the other bursts are aligned all the same.
  void a_burst_that_shows_nothing_stays() {
    test::BurstSpec spec;
    spec.frames = 18;
    Projections scan = scan_of_frames(test::burst(spec, drift(6)), 6);
    scan.data.narrow(0, 6, 6).copy_(at::randn({6, spec.rows, spec.cols}, at::TensorOptions(at::kFloat)));
    test::HeardMessages heard;
    const Table shifts = std::get<Table>(pulled(scan, {}, "shifts", &heard).or_throw());
    QVERIFY(heard.warned("1 of 3 bursts"));
    for (std::size_t i = 0; i < 18; ++i) QCOMPARE(shifts.columns.back().values[i], i / 6 == 1 ? 0.0 : 1.0);
    const auto displacement = std::get<Scalar>(pulled(scan, {}, "displacement").or_throw());
    QCOMPARE(displacement.verdict, Verdict::resolved);
    QVERIFY2(displacement.value.item<double>() < 4, "the shifts of noise do not count");
    const Projections found = views_of(scan);
    QVERIFY(at::allclose(found.data[1], scan.data.narrow(0, 6, 6).mean(0), 1e-5, 1e-6));
    QVERIFY(!at::allclose(found.data[0], scan.data.narrow(0, 0, 6).mean(0), 1e-2, 1e-2));
  }
  void views_of_different_angles_stay() {
    test::BurstSpec spec;
    spec.frames = 6;
    const Projections scan = scan_of_frames(test::burst(spec, drift(6)), 1);
    test::HeardMessages heard;
    QCOMPARE(std::get<Scalar>(pulled(scan, {}, "displacement", &heard).or_throw()).verdict, Verdict::flat);
    QVERIFY(heard.warned("different angles"));
    QVERIFY(at::equal(views_of(scan).data, scan.data));
  }
  void faults() {
    test::BurstSpec spec;
    spec.frames = 6;
    const Projections scan = scan_of_frames(test::burst(spec, still), 6);
    Result<Value> found = pulled(scan, {{"group", int64_t{4}}}, "projections");
    QVERIFY(!found.ok() && found.error().message().find("not a multiple of 4") != std::string::npos);
    Projections counts = scan;
    counts.kind = PixelKind::counts;
    QVERIFY(!pulled(counts, {}, "projections").ok());
    QVERIFY(!pulled(scan_of_frames(scan.data.narrow(0, 0, 1).clone(), 1), {}, "projections").ok());
    Projections nothing = scan;
    nothing.data = at::full_like(scan.data, std::numeric_limits<float>::quiet_NaN());
    found = pulled(nothing, {}, "projections");
    QVERIFY(!found.ok() && found.error().message().find("finite") != std::string::npos);
  }
};

TL_TEST_CASE(AlignFramesTest)

}  // namespace tl::align_frames_test

#include "align_frames.moc"
