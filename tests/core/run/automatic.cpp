// Automatic pipeline: valid graphs for every kind of scan, a reason for each choice, and doubts where they are due.
#include "core/run/automatic/automatic.h"

#include <algorithm>

#include "core/io/reader/scan_info.h"
#include "tests/support/test_case.h"

namespace tl::automatic_test {

namespace {

io::ScanInfo scan(Beam beam, double degrees, int64_t views = 360) {
  io::ScanInfo s;
  s.path = "scan.h5";
  s.views = views;
  s.rows = 4;
  s.cols = 64;
  s.flats = s.darks = 3;
  s.beam = beam;
  for (int64_t i = 0; i < views; ++i)
    s.angles.value.push_back(to_stored(degrees * static_cast<double>(i) / static_cast<double>(views), Unit::deg));
  s.angles.origin = s.pixel_size_u.origin = s.pixel_size_v.origin = Origin::file;
  return s;
}

bool says(const std::vector<std::string>& lines, const std::string& word) {
  return std::any_of(lines.begin(), lines.end(),
                     [&](const std::string& l) { return l.find(word) != std::string::npos; });
}

}  // namespace

class AutomaticTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void rings_are_looked_for_where_they_can_be_detected() {
    const auto made = automatic_pipeline(scan(Beam::parallel, 180), {"v.tif", {}, 0.0}).or_throw();
    QCOMPARE(made.graph.nodes.at("rings").type, std::string("correct.stripe_automatic"));
    QVERIFY(says(made.reasons, "rings are looked for"));
    io::ScanInfo s = scan(Beam::parallel, 180);
    s.kind = PixelKind::absorption;
    QCOMPARE(automatic_pipeline(s, {"v.tif", {}, 0.0}).or_throw().graph.nodes.count("rings"), std::size_t{1});
    const auto few = automatic_pipeline(scan(Beam::parallel, 180, 15), {"v.tif", {}, 0.0}).or_throw();
    QCOMPARE(few.graph.nodes.count("rings"), std::size_t{0});
    QVERIFY(!says(few.reasons, "rings"));
  }
  void graphs_are_sound_data() {
    QTest::addColumn<int>("beam");
    QTest::addColumn<double>("degrees");
    QTest::addColumn<bool>("axis_given");
    for (const int beam : {0, 1})
      for (const double degrees : {90.0, 180.0, 360.0})
        for (const bool given : {false, true})
          QTest::addRow("%s %g %s", beam == 0 ? "parallel" : "cone", degrees, given ? "given" : "measured")
              << beam << degrees << given;
  }
  void graphs_are_sound() {
    QFETCH(int, beam);
    QFETCH(double, degrees);
    QFETCH(bool, axis_given);
    AutomaticRequest request{"v.tif", "v.png", {}};
    if (axis_given) request.axis = 2.5;
    const auto made = automatic_pipeline(scan(static_cast<Beam>(beam), degrees), request);
    QVERIFY2(made.ok(), made.ok() ? "" : made.error().message().c_str());
    for (const GraphProblem& p : problems(made.value().graph, Registry::all())) QFAIL(p.error.message().c_str());
    QCOMPARE(made.value().graph.nodes.count(beam == 0 ? "fbp" : "fdk"), std::size_t{1});
    QVERIFY(says(made.value().reasons, beam == 0 ? "FBP" : "FDK"));
    QCOMPARE(says(made.value().doubts, "cover only"), degrees < 170);
    // Half a turn of a parallel beam, or a full one of a cone, determines the axis; less is reported as too little.
    const bool measured = !axis_given && (beam == 0 ? degrees > 170 : degrees > 350);
    QCOMPARE(says(made.value().doubts, "too little to measure the rotation axis"), !axis_given && !measured);
    if (measured) QCOMPARE(made.value().graph.nodes.at("axis").type, std::string("axis.automatic"));
  }
  void the_method_for_the_axis_can_be_chosen() {
    auto made = automatic_pipeline(scan(Beam::parallel, 180), {"v.tif", {}, {}, {}, "moments"});
    QVERIFY(made.ok());
    QCOMPARE(made.value().graph.nodes.at("axis").type, std::string("axis.moments"));
    QVERIFY(!automatic_pipeline(scan(Beam::parallel, 180), {"v.tif", {}, {}, {}, "astrology"}).ok());
  }
  void a_given_axis_is_used() {
    const auto made = automatic_pipeline(scan(Beam::parallel, 180), {"v.tif", {}, -23.6});
    QCOMPARE(made.value().graph.nodes.at("axis").params.at("axis"), (ParamValue{Number{-23.6, Unit::px}}));
    QVERIFY(says(made.value().reasons, "column 7.9"));
  }
  void the_file_s_axis_is_reported_not_used() {
    io::ScanInfo s = scan(Beam::parallel, 180);
    s.axis_hint = io::Found<double>{4.5, Origin::file, "/entry/axis"};
    const auto made = automatic_pipeline(s, {"v.tif", {}, {}});
    QVERIFY(says(made.value().reasons, "4.5 px (/entry/axis), is not used"));
  }
  // Where it can be measured it is, also if the file states one; opposite rays need an upright axis and the source
  // before it.
  void a_stated_axis_stays_where_it_cannot_be_measured() {
    const auto nodes_of_axis = [](const io::StatedOffsets& offsets, const AutomaticRequest& request) {
      io::ScanInfo s = scan(Beam::cone, 360);
      s.offsets = offsets;
      const AutomaticPipeline made = automatic_pipeline(s, request).or_throw();
      for (const GraphProblem& p : problems(made.graph, Registry::all())) return p.error.message();
      if (made.graph.nodes.count("axis") == 0) return std::string(says(made.reasons, "as the file says") ? "kept" : "");
      return made.graph.nodes.at("axis").type;
    };
    const io::Found<double> some{0.3, Origin::file, "ObjectOffsetX"}, zero{0, Origin::file, "ObjectOffsetX"};
    const AutomaticRequest plain{"v.tif", {}, {}}, given{"v.tif", {}, 1.0};
    QCOMPARE(nodes_of_axis({some, {}, {}, {}}, plain), std::string("axis.automatic"));
    QCOMPARE(nodes_of_axis({some, zero, zero, {}}, plain), std::string("axis.automatic"));
    QCOMPARE(nodes_of_axis({some, some, {}, {}}, plain), std::string("kept"));
    QCOMPARE(nodes_of_axis({some, {}, some, {}}, plain), std::string("kept"));
    QCOMPARE(nodes_of_axis({some, some, some, {}}, given), std::string("geometry.set"));
  }
  void stated_positions_of_source_and_detector_need_no_circle() {
    io::ScanInfo s = scan(Beam::cone, 360);
    s.vectors = {std::vector<double>(12 * 360, 1), Origin::file, "scan.geom"};
    const AutomaticPipeline made = automatic_pipeline(s, {"v.tif", {}, {}}).or_throw();
    QVERIFY(problems(made.graph, Registry::all()).empty());
    QCOMPARE(made.graph.nodes.count("axis") + made.graph.nodes.count("fdk"), std::size_t{0});
    QCOMPARE(made.graph.nodes.at("sirt").type, std::string("recon.sirt"));
    QVERIFY(says(made.reasons, "no search for a rotation axis"));
  }
  void stated_positions_on_a_circle_are_filtered() {
    for (const Beam beam : {Beam::parallel, Beam::cone})
      for (const double roll : {0.5, 2.0}) {  // [degrees]
        io::ScanInfo s = scan(beam, 360);
        s.pixel_size_u.value = s.pixel_size_v.value = 0.1;
        Orbit o;
        o.beam = beam;
        o.angles = s.angles.value;
        o.source_to_axis = o.axis_to_detector = 200;
        o.roll.assign(o.angles.size(), 0.0);
        o.roll[0] = roll * pi / 180;
        const DetectorShape detector{s.rows, s.cols, s.pixel_size_u.value, s.pixel_size_v.value};
        s.vectors = {ScanGeometry::from_orbit(o, detector).or_throw().vectors(), Origin::file, "view_positions"};
        const AutomaticPipeline made = automatic_pipeline(s, {"v.tif", {}, {}}).or_throw();
        QVERIFY(problems(made.graph, Registry::all()).empty());
        QCOMPARE(made.graph.nodes.count(beam == Beam::cone ? "fdk" : "fbp"), std::size_t{roll < 1 ? 1U : 0U});
        QCOMPARE(made.graph.nodes.count("sirt"), std::size_t{roll < 1 ? 0U : 1U});
      }
  }
  void correction_follows_the_pixels() {
    io::ScanInfo s = scan(Beam::parallel, 180);
    s.kind = PixelKind::absorption;
    QCOMPARE(automatic_pipeline(s, {"v.tif", {}, 0.0}).value().graph.nodes.count("flat_field"), std::size_t{0});
    s.kind = PixelKind::transmission;
    QCOMPARE(automatic_pipeline(s, {"v.tif", {}, 0.0}).value().graph.nodes.at("flat_field").params.at("reference"),
             ParamValue{std::string("none")});
    s.kind = PixelKind::counts;
    s.flats = 0;
    const auto made = automatic_pipeline(s, {"v.tif", {}, 0.0});
    QVERIFY(!made.ok());
    QCOMPARE(made.error().kind, ErrorKind::invalid);
    QVERIFY(made.error().what.find("no flats") != std::string::npos);
  }
  void few_views_get_a_window() {
    const auto filter = [](int64_t views) {
      return automatic_pipeline(scan(Beam::parallel, 180, views), {"v.tif", {}, 0.0})
          .value()
          .graph.nodes.at("fbp")
          .params.at("filter");
    };
    QCOMPARE(filter(101), ParamValue{std::string("ram_lak")});  // pi/2 x 64 = 100.5 views are full resolution
    QCOMPARE(filter(9), ParamValue{std::string("hann")});
  }
  void guesses_are_doubts() {
    io::ScanInfo s = scan(Beam::parallel, 180);
    QVERIFY(!says(automatic_pipeline(s, {"v.tif", {}, 0.0}).value().doubts, "pixel size"));
    s.pixel_size_u = s.pixel_size_v = {1, Origin::guessed, "default: 1 mm"};
    QVERIFY(says(automatic_pipeline(s, {"v.tif", {}, 0.0}).value().doubts, "does not say its pixel size"));
    s.pixel_size_u = s.pixel_size_v = {1, Origin::guessed, "/entry/pixel (unit guessed)", io::Guess::unit};
    const auto doubts = automatic_pipeline(s, {"v.tif", {}, 0.0}).value().doubts;
    QVERIFY(says(doubts, "taken as 1000 um"));
    QVERIFY(!says(doubts, "per pixel"));
  }
  void outputs() {
    const io::ScanInfo s = scan(Beam::parallel, 180);
    QCOMPARE(automatic_pipeline(s, {"folder", {}, 0.0}).value().graph.nodes.at("save").params.at("format"),
             ParamValue{std::string("tiff_stack")});
    for (const char* bad : {"v.xyz", ""}) QVERIFY(!automatic_pipeline(s, {bad, {}, 0.0}).ok());
  }
};

TL_TEST_CASE(AutomaticTest)

}  // namespace tl::automatic_test

#include "automatic.moc"
