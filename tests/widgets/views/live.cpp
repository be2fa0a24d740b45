// Views on a live session: every plane shows what was reconstructed, in the right orientation.
#include <QElapsedTimer>
#include <QSignalSpy>
#include <filesystem>

#include "tests/support/gui/window.h"
#include "tests/support/test_case.h"
#include "widgets/views/panes/slice_pane.h"
#include "widgets/views/views_area.h"
#include "widgets/views/volume/volume_pane.h"

namespace tl::ui::views_live_test {

class ViewsLiveTest final : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void the_reconstruction_lies_as_the_object_data();
  void the_reconstruction_lies_as_the_object();
  void a_changed_parameter_changes_the_image();
  void an_oblique_plane_is_reconstructed_alone();
  void flats_come_from_the_node_that_has_them();
  void the_tooth();
};

namespace {

using test::patience_ms;

Graph scan_graph(int64_t rows, int64_t cols) {
  Graph g;
  g.nodes["scan"] = {"input.simulate_scan",
                     1,
                     {{"views", int64_t{180}},
                      {"rows", rows},
                      {"cols", cols},
                      {"phantom", std::string("ellipses")},
                      {"noise", std::string("none")}}};
  g.nodes["flat"] = {"correct.flat_field", 1, {}};
  g.nodes["fbp"] = {"recon.fbp", 1, {}};
  g.links = {{"scan", "projections", "flat", "projections"}, {"flat", "projections", "fbp", "projections"}};
  return g;
}

struct Live {
  explicit Live(Graph graph, std::filesystem::path input = {}) {
    document.reset(std::move(graph));
    live::EngineOptions options;
    options.memory = int64_t{2} << 30;
    options.input_dir = std::move(input);
    session = std::make_unique<LiveSession>(document, options);
    views = std::make_unique<ViewsArea>(*session, selection);
    views->resize(1240, 700);
    opened = test::open_window(*views);
  }
  [[nodiscard]] ImagePane& pane(std::size_t cell) { return *views->cell(cell).image_pane(); }
  // The sharp image of what is wanted now.
  bool settled(std::size_t cell) {
    return QTest::qWaitFor([&] { return pane(cell).is_current(); }, patience_ms);
  }
  void shoot(const QString& name) { test::keep_picture(*views, "live_" + name, 200); }
  Document document;
  Selection selection;
  std::unique_ptr<LiveSession> session;
  std::unique_ptr<ViewsArea> views;
  bool opened = false;
};

enum class Way { as_it_is, upside_down, mirrored };

// How similar the inner parts of two images are: 1 = the same up to brightness and contrast. The rim is left out:
// it is the brightest part, and the same in all directions.
double likeness(const live::Image& a, const live::Image& b, Way way = Way::as_it_is) {
  double n = 0, sa = 0, sb = 0, saa = 0, sbb = 0, sab = 0;
  for (int64_t r = a.rows / 4; r < a.rows - a.rows / 4; ++r)
    for (int64_t c = a.cols / 4; c < a.cols - a.cols / 4; ++c) {
      const double x = static_cast<double>(picture::value_at(a, r, c));
      const double y = static_cast<double>(picture::value_at(b, way == Way::upside_down ? b.rows - 1 - r : r,
                                                             way == Way::mirrored ? b.cols - 1 - c : c));
      n += 1, sa += x, sb += y, saa += x * x, sbb += y * y, sab += x * y;
    }
  return (sab - sa * sb / n) / std::sqrt((saa - sa * sa / n) * (sbb - sb * sb / n));
}

}  // namespace

void ViewsLiveTest::the_reconstruction_lies_as_the_object_data() {
  QTest::addColumn<int>("kind");
  for (const PaneKind kind : {PaneKind::xy, PaneKind::xz, PaneKind::yz, PaneKind::oblique})
    QTest::newRow(qPrintable(pane_kind_name(kind))) << static_cast<int>(kind);
}
void ViewsLiveTest::the_reconstruction_lies_as_the_object() {
  QFETCH(int, kind);
  Live l(scan_graph(96, 96));
  QVERIFY(l.opened);
  l.views->cell(0).set_kind(static_cast<PaneKind>(kind));
  l.selection.set_one("fbp");
  QVERIFY(l.settled(0));
  const VolumeGrid grid = std::get<VolumeInfo>(*l.session->info("fbp", "volume")).grid;
  l.views->state().set_crosshair(grid.position(60, 40, 36));
  QVERIFY(l.settled(0));
  const auto made = l.pane(0).picture();
  QCOMPARE(made->request.node, std::string("fbp"));
  QCOMPARE(made->unit, std::string("1/mm"));
  l.selection.set_one("scan");
  QVERIFY(QTest::qWaitFor([&] { return l.settled(0) && l.pane(0).picture()->request.node == "scan"; }, patience_ms));
  const auto truth = l.pane(0).picture();
  QCOMPARE(made->image->rows, truth->image->rows);
  QCOMPARE(made->image->cols, truth->image->cols);
  // A mirrored image would not be similar: the object has no such symmetry. Along z it is the same everywhere, so that
  // only XY distinguishes up from down.
  const double same = likeness(*made->image, *truth->image);
  const double upside_down = likeness(*made->image, *truth->image, Way::upside_down);
  const double mirrored = likeness(*made->image, *truth->image, Way::mirrored);
  const QString numbers = QStringLiteral("%1, upside down %2, mirrored %3").arg(same).arg(upside_down).arg(mirrored);
  QVERIFY2(same > 0.8 && mirrored < same - 0.1, qPrintable(numbers));
  if (static_cast<PaneKind>(kind) == PaneKind::xy) QVERIFY2(upside_down < same - 0.1, qPrintable(numbers));
}

void ViewsLiveTest::a_changed_parameter_changes_the_image() {
  Live l(scan_graph(8, 96));
  l.selection.set_one("fbp");
  QVERIFY(l.settled(0));
  const auto before = l.pane(0).picture()->image;
  l.document.edit("Change the axis", [](Graph& g) { g.nodes["scan"].params["axis"] = Number{4, Unit::px}; });
  QVERIFY(
      QTest::qWaitFor([&] { return l.pane(0).picture()->final && l.pane(0).picture()->image != before; }, patience_ms));
  QVERIFY(likeness(*before, *l.pane(0).picture()->image) < 0.999);
  QVERIFY(l.views->cell(3).image_pane()->picture()->image == before);
  QTRY_VERIFY(l.views->cell(3).image_pane()->position_text().contains("Change the axis"));
}

void ViewsLiveTest::an_oblique_plane_is_reconstructed_alone() {
  Live l(scan_graph(64, 64));
  l.views->cell(0).set_kind(PaneKind::oblique);
  l.selection.set_one("fbp");
  QVERIFY(l.settled(0));
  l.views->state().set_oblique({{0.8, 0.6, 0}, {0, 0, 1}});
  QVERIFY(l.settled(0));
  const auto& picture = *l.pane(0).picture();
  QCOMPARE(std::get<VolumeGrid>(picture.request.region).nz, int64_t{1});
  QVERIFY(l.session->status("fbp").state != live::State::current);  // the volume itself does not exist
  l.views->set_layout(ViewsLayout::see);
  QVERIFY(l.settled(0) && l.settled(1) && l.settled(2));
  auto* volume = qobject_cast<VolumePane*>(l.views->cell(3).pane());
  l.views->state().set_opacity({{0, 0}, {0.25, 0}, {0.6, 0.15}, {1, 0.8}});
  QTRY_VERIFY_WITH_TIMEOUT(volume->is_settled(), patience_ms);
  l.shoot("see");
}

void ViewsLiveTest::flats_come_from_the_node_that_has_them() {
  Live l(scan_graph(16, 64));
  l.views->cell(0).set_kind(PaneKind::projections);
  l.selection.set_one("flat");
  QVERIFY(l.settled(0));
  l.pane(0).setFocus();
  QTest::keyClick(&l.pane(0), Qt::Key_T);
  QVERIFY(l.settled(0));
  QCOMPARE(l.pane(0).picture()->request.node, std::string("scan"));
  QVERIFY(l.pane(0).position_text().startsWith("flat field 1 of"));
  l.shoot("flats");
}

void ViewsLiveTest::the_tooth() {
  std::filesystem::path shared = std::filesystem::path(TL_SOURCE_DIR) / "../shared/data";
  if (qEnvironmentVariableIsSet("TL_SHARED_DATA")) shared = qgetenv("TL_SHARED_DATA").toStdString();
  if (!std::filesystem::exists(shared / "aps_tooth.h5")) QSKIP("the shared data folder is not here");
  Graph g;
  g.nodes["load"] = {"input.load_scan", 1, {{"file", std::string("aps_tooth.h5")}}};
  g.nodes["flat"] = {"correct.flat_field", 1, {}};
  g.nodes["axis"] = {"geometry.set", 1, {{"axis", Number{0, Unit::px}}}};
  g.nodes["fbp"] = {"recon.fbp", 1, {}};
  g.links = {{"load", "projections", "flat", "projections"},
             {"flat", "projections", "axis", "projections"},
             {"axis", "projections", "fbp", "projections"}};
  Live l(g, shared);
  l.selection.set_one("axis");
  QVERIFY(l.settled(0) && l.settled(1));
  const picture::Statistics blurred = picture::statistics(*l.pane(0).picture()->image, {0, 640}, {0, 640});
  const auto before = l.pane(0).picture()->image;
  l.document.edit("Axis −23.67 px", [](Graph& e) { e.nodes["axis"].params["axis"] = Number{-23.67, Unit::px}; });
  QVERIFY(
      QTest::qWaitFor([&] { return l.pane(0).picture()->final && l.pane(0).picture()->image != before; }, patience_ms));
  // A right axis makes the image sharper: its values spread more.
  const picture::Statistics sharp = picture::statistics(*l.pane(0).picture()->image, {0, 640}, {0, 640});
  QCOMPARE(sharp.count, int64_t{640} * 640);
  QVERIFY(sharp.deviation > blurred.deviation);
  l.shoot("tooth");
}

TL_TEST_CASE(ViewsLiveTest)

}  // namespace tl::ui::views_live_test

#include "live.moc"
