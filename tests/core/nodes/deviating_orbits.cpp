// Nodes given scans whose views roll and are magnified, or whose detector has a pitch: they use that, or refuse it by
// name.
#include <ATen/ATen.h>
#include <ATen/Parallel.h>

#include <QTemporaryDir>
#include <cmath>

#include "core/base/units.h"
#include "core/run/automatic/batch.h"
#include "gpu/simulate/phantom.h"
#include "tests/support/given_scan.h"
#include "tests/support/node_pipeline.h"
#include "tests/support/test_case.h"

namespace tl::deviating_scans_test {

namespace {

constexpr std::size_t views = 96;
constexpr double degree = pi / 180, attenuation = 0.02, radius = 9;

Orbit nominal(Beam beam) {
  Orbit o;
  o.beam = beam;
  o.angles = equidistant_angles(views, 2 * pi);
  o.axis_to_detector = 100;
  if (beam == Beam::cone) o.source_to_axis = 100;
  return o;
}
std::vector<double> waves(double reach, double middle = 0) {
  double mean = 0;
  for (std::size_t i = 0; i < views; ++i) mean += std::sin(3 * static_cast<double>(i)) / views;
  std::vector<double> all;
  for (std::size_t i = 0; i < views; ++i) all.push_back(middle + reach * (std::sin(3 * static_cast<double>(i)) - mean));
  return all;
}

// A ball seen in this orbit.
Projections scan_in(const Orbit& o) {
  const double pixel = o.beam == Beam::cone ? 1 : 0.5;
  ops::Phantom ball;
  ball.parts.push_back({ops::Solid::ellipsoid, {0, 0, 0}, {radius, radius, radius}, attenuation});
  Projections p;
  p.geometry = ScanGeometry::from_orbit(o, {40, 56, pixel, pixel}).or_throw();
  p.data = ops::phantom_projections(ball, p.geometry, {at::kFloat, 2, {}});
  p.kind = PixelKind::absorption;
  return p;
}

Graph after_scan(const std::string& type, std::map<std::string, ParamValue> params = {}) {
  Graph g;
  g.nodes["scan"] = {"test.given", 1, {}};
  const NodeType* known = Registry::all().find(type);
  g.nodes["node"] = {type, known == nullptr ? 1 : known->version, std::move(params)};
  g.links = {{"scan", "projections", "node", "projections"}};
  return g;
}

// The message of the node's check, empty if it takes the scan.
std::string refusal(const Graph& g) {
  Executor e(test::registry_with_given(), test::options_in({}));
  const auto checked = e.check(g);
  return checked.ok() ? "" : checked.error().message();
}
bool says(const std::string& text, const char* part) { return text.find(part) != std::string::npos; }

// Mean value in the middle of the ball.
double value_by(const std::string& type, const Orbit& o) {
  test::given_scan = scan_in(o);
  Executor e(test::registry_with_given(), test::options_in({}));
  const at::Tensor v = std::get<Volume>(e.pull(after_scan(type), "node", "volume").or_throw()).data;
  const auto middle = [&](int64_t axis) { return std::pair{v.size(axis) / 2 - 4, int64_t{8}}; };
  at::Tensor part = v;
  for (int64_t axis = 0; axis < 3; ++axis) part = part.narrow(axis, middle(axis).first, middle(axis).second);
  return part.mean().item<double>();
}

}  // namespace

class DeviatingScans : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void initTestCase() { at::set_num_threads(1); }

  void values_are_to_scale_data() {
    QTest::addColumn<QString>("type");
    QTest::addColumn<bool>("cone");
    QTest::newRow("FDK") << "recon.fdk" << true;
    QTest::newRow("FBP") << "recon.fbp" << false;
  }
  void values_are_to_scale() {
    QFETCH(QString, type);
    QFETCH(bool, cone);
    const std::string id = type.toStdString();
    const Orbit plain = nominal(cone ? Beam::cone : Beam::parallel);
    const double value = value_by(id, plain);
    constexpr double sampled = 0.01, as_plain = 0.002;  // of the value, for 96 views of 56 columns
    QVERIFY2(std::abs(value / attenuation - 1) < sampled, qPrintable(QString::number(value)));
    for (int kind = 0; kind < 4; ++kind) {
      Orbit o = plain;
      if (kind == 0) o.roll = waves(0.95 * degree);
      if (kind == 1) o.magnification = waves(0.05, 1.02);
      if (kind == 2) o.pitch = 4 * degree;
      if (kind == 3) o.yaw = (cone ? 3 : 20) * degree;
      const double other = value_by(id, o);
      QVERIFY2(std::abs(other / value - 1) < as_plain,
               qPrintable(QString("%1: %2").arg(kind).arg(other / value, 0, 'g', 8)));
    }
  }

  void fdk_names_its_limits() {
    Orbit o = nominal(Beam::cone);
    o.roll = waves(1.5 * degree);
    test::given_scan = scan_in(o);
    for (const char* type : {"recon.fdk", "recon.iterative_fdk", "align.reprojection", "correct.spectral"}) {
      const std::string why = refusal(after_scan(type));
      QVERIFY2(says(why, "roll by up to 1.5") && says(why, "up to 1 deg") && says(why, "recon.sirt"),
               (std::string(type) + ": " + why).c_str());
    }
    QCOMPARE(refusal(after_scan("recon.sirt")), std::string());
    o.roll.clear();
    o.pitch = 8 * degree;
    test::given_scan = scan_in(o);
    const std::string why = refusal(after_scan("recon.fdk"));
    QVERIFY2(says(why, "pitch of 8 deg") && says(why, "up to 5 deg") && says(why, "recon.sirt"), why.c_str());
    o.pitch = 4 * degree;
    o.roll = waves(0.95 * degree);
    test::given_scan = scan_in(o);
    QCOMPARE(refusal(after_scan("recon.fdk")), std::string());
  }
  void filtering_of_rolling_parallel_views_warns() {
    Orbit o = nominal(Beam::parallel);
    o.roll = waves(3 * degree);
    test::given_scan = scan_in(o);
    test::HeardMessages heard;
    RunOptions options = test::options_in({});
    options.events = &heard;
    Executor e(test::registry_with_given(), options);
    (void)e.pull(after_scan("recon.fbp"), "node", "volume").or_throw();
    QVERIFY2(heard.warned("views roll by up to 3"), heard.warnings.c_str());
  }
  void what_compares_rows_names_what_it_does_not_take() {
    for (const Beam beam : {Beam::parallel, Beam::cone}) {
      Orbit o = nominal(beam);
      o.roll = waves(0.1 * degree);
      o.magnification = waves(0.01, 1);
      test::given_scan = scan_in(o);
      for (const char* type :
           beam == Beam::parallel
               ? std::vector<const char*>{"axis.wedge", "axis.moments", "axis.automatic", "objective.wedge",
                                          "objective.variance", "correct.stitch_half_turn"}
               : std::vector<const char*>{"axis.conjugate_rays", "geometry.from_balls"}) {
        const std::string why = refusal(after_scan(type));
        QVERIFY2(says(why, "views that roll") && says(why, "magnified views"),
                 (std::string(type) + ": " + why).c_str());
      }
    }
  }

  void set_geometry_keeps_and_replaces() {
    Orbit o = nominal(Beam::cone);
    o.roll = waves(0.5 * degree);
    o.magnification = waves(0.01, 1);
    o.pitch = degree;
    test::given_scan = scan_in(o);
    const auto made = [](const Graph& g) {
      Executor e(test::registry_with_given(), test::options_in({}));
      return std::get<Projections>(e.pull(g, "node", "projections").or_throw()).geometry.orbit().value();
    };
    const Orbit before = test::given_scan.geometry.orbit().value();
    const Orbit kept = made(after_scan("geometry.set", {{"axis", Number{2, Unit::px}}}));
    for (std::size_t i = 0; i < views; ++i) {
      QVERIFY(std::abs(kept.roll[i] - before.roll[i]) < 1e-9);
      QVERIFY(std::abs(kept.magnification[i] - before.magnification[i]) < 1e-9);
    }
    QVERIFY(std::abs(kept.axis - 2) < 1e-9 && std::abs(kept.pitch - degree) < 1e-9);
    const Orbit other =
        made(after_scan("geometry.set", {{"pitch", Number{2, Unit::deg}}, {"roll", NumberList{{0}, Unit::deg}}}));
    QVERIFY(other.roll.empty() && std::abs(other.pitch - 2 * degree) < 1e-9);
  }

  // Written and read back, to 1e-12 of the positions [mm], with usual fields that say about the same.
  void saved_projections_keep_the_geometry() {
    for (const Beam beam : {Beam::parallel, Beam::cone}) {
      Orbit o = nominal(beam);
      o.roll = waves(0.5 * degree);
      o.magnification = waves(0.01, 1);
      o.tilt = 0.02;
      o.axis = 1.5;
      o.shift_u = waves(0.7);
      o.pitch = beam == Beam::cone ? degree : 0;
      test::given_scan = scan_in(o);
      const QTemporaryDir dir;
      RunOptions options = test::options_in(dir.path().toStdString());
      const std::string file = (dir.path() + "/views.nx").toStdString();
      Executor e(test::registry_with_given(), options);
      const Graph save = after_scan("output.save_projections", {{"file", std::string("views.nx")}});
      const auto report = run_batch(e, save, test::registry_with_given());
      QVERIFY2(report.ok(), report.ok() ? "" : report.error().message().c_str());
      Graph load;
      load.nodes["load"] = {"input.load_scan", Registry::all().find("input.load_scan")->version, {{"file", file}}};
      const auto read = std::get<Projections>(e.pull(load, "load", "projections").or_throw());
      const std::vector<double> want = test::given_scan.geometry.vectors(), is = read.geometry.vectors();
      QCOMPARE(is.size(), want.size());
      for (std::size_t i = 0; i < want.size(); ++i) QVERIFY(std::abs(is[i] - want[i]) < 1e-12);
      QVERIFY(at::equal(read.data, test::given_scan.data));
    }
  }
};

TL_TEST_CASE(DeviatingScans)

}  // namespace tl::deviating_scans_test

#include "deviating_orbits.moc"
