// Special editors: axis overlay and sweep, accepting found values, region on an image, spectrum; also guided mode and
// the report.
#include <QAbstractItemModelTester>
#include <QComboBox>
#include <QDoubleSpinBox>
#include <QLabel>
#include <QPushButton>
#include <cmath>

#include "tests/support/disc_scan.h"
#include "tests/support/gui/studio.h"
#include "tests/support/test_case.h"
#include "widgets/inspector/dialogs/sweep_dialog.h"
#include "widgets/inspector/inspector.h"
#include "widgets/inspector/special_tools.h"
#include "widgets/inspector/values/accept_value.h"
#include "widgets/theme/theme.h"
#include "widgets/window/files/report_flow.h"
#include "widgets/window/guide/guide_panel.h"

namespace tl::ui::special_editors_test {
namespace {

using test::patience_ms;
using test::Studio;

// Scan -> flat field -> crop -> geometry or axis finder -> FBP.
Graph pipeline(const QString& file, const char* axis_node) {
  Graph g;
  g.nodes["load"] = {"input.load_scan", 1, {{"file", file.toStdString()}}};
  g.nodes["flat"] = {"correct.flat_field", 1, {}};
  g.nodes["crop"] = {"correct.crop_bin", 1, {}};
  g.nodes["axis"] = {axis_node, 1, {}};
  g.nodes["fbp"] = {"recon.fbp", 1, {}};
  g.links = {{"load", "projections", "flat", "projections"},
             {"flat", "projections", "crop", "projections"},
             {"crop", "projections", "axis", "projections"},
             {"axis", "projections", "fbp", "projections"}};
  return g;
}

struct WithScan : Studio {
  explicit WithScan(const char* axis_node = "geometry.set") : axis(axis_node) {}
  bool begin() {
    const QString scan = folder.filePath("scan.nx");
    test::write_disc_scan(scan.toStdString(), discs);
    document.reset(pipeline(scan, axis));
    if (!open()) return false;
    window.show_main_page();
    return true;
  }
  SpecialTools& tools() { return *window.inspector().findChild<SpecialTools*>(); }
  bool keep() { return document.save(folder.filePath("kept.json")).ok(); }
  const char* axis;
  test::DiscScan discs;
};

double brightness(QWidget& widget) {
  const QImage image = widget.grab().toImage().convertToFormat(QImage::Format_Grayscale8);
  double sum = 0;
  for (int y = 4; y < image.height() - 4; ++y)
    for (int x = 4; x < image.width() - 4; ++x) sum += image.constScanLine(y)[x];
  return sum / (image.width() * image.height());
}

double axis_of(const Document& document) {
  const auto& params = document.graph().nodes.at("axis").params;
  const auto* set = params.count("axis") == 0 ? nullptr : std::get_if<Number>(&params.at("axis"));
  return set == nullptr ? std::nan("") : set->value;
}

}  // namespace

class SpecialEditorsTest final : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void initTestCase() { Theme::instance().set(QStringLiteral("dark")); }
  void declarations_call_for_them();
  void opposite_views_are_opposite();
  void the_overlay_is_darkest_at_the_axis();
  void a_drag_moves_the_axis_by_half();
  void a_sweep_shares_what_comes_before();
  void a_sweep_finds_the_axis();
  void any_number_can_be_swept();
  void a_found_value_is_accepted_where_nothing_is_driven();
  void a_region_is_drawn();
  void a_region_of_a_volume_counts_upwards();
  void a_spectrum_is_drawn();
  void guided_mode_goes_step_by_step();
  void a_report_is_one_page();
};

void SpecialEditorsTest::declarations_call_for_them() {
  int axes = 0, boxes = 0, spectra = 0;
  for (const NodeType& type : Registry::all().types()) {
    const SpecialParams special = special_params(type);
    axes += special.has_axis() ? 1 : 0;
    boxes += special.has_box() ? 1 : 0;
    spectra += special.has_spectrum() ? 1 : 0;
    // A finder's value can be accepted: there is a node that sets it by hand.
    if (!special.found_axis.empty())
      QVERIFY2(setter_for(Registry::all(), type, special.found_axis) != nullptr, type.id.c_str());
  }
  QVERIFY(axes >= 7);   // six finders and the geometry
  QVERIFY(boxes >= 2);  // of projections and of volumes
  QVERIFY(spectra >= 1);
}

void SpecialEditorsTest::opposite_views_are_opposite() {
  constexpr double degree = 3.14159265358979323846 / 180;
  const auto scan = [](double first, double last, int count) {
    std::vector<double> angles;
    for (int i = 0; i < count; ++i) angles.push_back((first + (last - first) * i / (count - 1)) * degree);
    return ScanGeometry::parallel(angles, {4, 8, 1, 1}).or_throw();
  };
  QVERIFY(opposite_views(scan(0, 120, 40)).empty());
  const auto half = opposite_views(scan(0, 179, 180));
  QVERIFY(!half.empty());
  QCOMPARE(half.front().first, int64_t{0});
  QCOMPARE(half.front().second, int64_t{179});
  const auto full = opposite_views(scan(0, 359, 360));
  QVERIFY(full.size() >= 2);
  for (const OppositeViews& p : full) QVERIFY(std::abs(std::abs(p.first_angle - p.second_angle) - 180 * degree) < 1e-9);
}

void SpecialEditorsTest::the_overlay_is_darkest_at_the_axis() {
  WithScan studio;
  QVERIFY(studio.begin());
  studio.selection.set_one("axis");
  QVERIFY(studio.press("0°/180° overlay…"));
  AxisDialog& dialog = studio.tools().open_axis(AxisDialog::Page::overlay);
  AxisOverlay& overlay = dialog.overlay();
  QTRY_VERIFY_WITH_TIMEOUT(overlay.has_pictures(), patience_ms);
  test::keep_picture(dialog, "axis_overlay");
  overlay.set_blend(AxisOverlay::Blend::difference);
  std::vector<double> brightnesses;
  for (const double axis : {1.5, 2.5, 3.5, 4.5, 5.5}) {
    overlay.set_axis(axis);
    brightnesses.push_back(brightness(overlay));
  }
  QVERIFY(std::min_element(brightnesses.begin(), brightnesses.end()) - brightnesses.begin() == 2);
  QVERIFY(brightnesses[2] < 0.5 * brightnesses[0]);
  QVERIFY(studio.keep());
}

void SpecialEditorsTest::a_drag_moves_the_axis_by_half() {
  WithScan studio;
  QVERIFY(studio.begin());
  studio.selection.set_one("axis");
  AxisDialog& dialog = studio.tools().open_axis(AxisDialog::Page::overlay);
  AxisOverlay& overlay = dialog.overlay();
  QTRY_VERIFY_WITH_TIMEOUT(overlay.has_pictures(), patience_ms);
  const QPoint start = overlay.rect().center();
  QTest::mousePress(&overlay, Qt::LeftButton, {}, start);
  for (int i = 1; i <= 5; ++i) QTest::mouseMove(&overlay, start + QPoint(4 * i, 0));
  QTest::mouseRelease(&overlay, Qt::LeftButton, {}, start + QPoint(20, 0));
  const double expected = 0.5 * 20 / overlay.zoom();
  QVERIFY(std::abs(axis_of(studio.document) - expected) < 1e-6);
  QTest::keyClick(&overlay, Qt::Key_Right, Qt::ShiftModifier);
  QVERIFY(std::abs(axis_of(studio.document) - expected - 0.05) < 1e-6);
  // One drag is one step.
  studio.document.undo_stack().undo();
  QVERIFY(std::isnan(axis_of(studio.document)));
  QVERIFY(studio.keep());
}

void SpecialEditorsTest::a_sweep_shares_what_comes_before() {
  const Graph g = pipeline("scan.nx", "geometry.set");
  const auto made = sweep_graph(g, Registry::all(), {"axis", {}}, {-1, 0, 1});
  QVERIFY(made.ok());
  QCOMPARE(made.value().graph.nodes.size(), std::size_t{3 + 3 * 2});
  QCOMPARE(made.value().ids.size(), std::size_t{3});
  QVERIFY(problems(made.value().graph, Registry::all()).empty());
  // A finder is replaced by a node that sets the value.
  const auto found = sweep_graph(pipeline("scan.nx", "axis.wedge"), Registry::all(), {"axis", {}}, {2});
  QVERIFY(found.ok());
  QVERIFY(problems(found.value().graph, Registry::all()).empty());
  Graph none = g;
  none.nodes.erase("fbp");
  none.links.pop_back();
  QVERIFY(!sweep_graph(none, Registry::all(), {"axis", {}}, {0}).ok());
}

void SpecialEditorsTest::a_sweep_finds_the_axis() {
  WithScan studio("axis.wedge");
  QVERIFY(studio.begin());
  studio.selection.set_one("axis");
  AxisDialog& dialog = studio.tools().open_axis(AxisDialog::Page::sweep);
  SweepView& sweep = dialog.sweep();
  sweep.sweep({"axis", {}}, studio.discs.axis - 2, 2);
  QTRY_VERIFY_WITH_TIMEOUT(sweep.best() >= 0, patience_ms);
  test::keep_picture(dialog, "axis_sweep");
  QVERIFY(std::abs(sweep.value(sweep.best()) - studio.discs.axis) < 1e-9);
  // One to the right of the middle; a click takes its value, Accept puts it behind the finder.
  const QPoint tile(sweep.width() * 5 / 6, sweep.height() / 2);
  QTest::mouseClick(&sweep, Qt::LeftButton, {}, tile);
  QCOMPARE(dialog.findChild<AxisOverlay*>()->axis(), studio.discs.axis);
  for (QPushButton* b : dialog.findChildren<QPushButton*>())
    if (b->text() == "Accept") QTest::mouseClick(b, Qt::LeftButton);
  const auto& nodes = studio.document.graph().nodes;
  QCOMPARE(nodes.size(), std::size_t{6});
  QVERIFY(nodes.at("axis").use == NodeUse::bypassed);
  QVERIFY(studio.keep());
}

void SpecialEditorsTest::any_number_can_be_swept() {
  WithScan studio;
  QVERIFY(studio.begin());
  studio.selection.set_one("fbp");
  studio.window.inspector().sweep("cutoff");
  auto* dialog = studio.window.findChild<SweepDialog*>();
  QVERIFY(dialog != nullptr && dialog->isVisible());
  SweepView& view = dialog->view();
  QTRY_VERIFY_WITH_TIMEOUT(view.is_complete(), patience_ms);
  test::keep_picture(*dialog, "sweep_cutoff");
  QCOMPARE(view.best(), -1);  // no score says which cutoff is right
  // The range ends at 1: the values end there too.
  QVERIFY(view.value(SweepView::tiles - 1) <= 1 + 1e-9 && view.value(0) > 0);
  QTest::mouseClick(&view, Qt::LeftButton, {}, {view.width() / 6, view.height() / 6});
  const auto* taken = std::get_if<Number>(&studio.document.graph().nodes.at("fbp").params.at("cutoff"));
  QVERIFY(taken != nullptr && std::abs(taken->value - view.value(0)) < 1e-9 && taken->unit == Unit::nyquist);
  // Two numbers: three values of each; a click takes both, in one step that can be undone.
  auto* against = dialog->findChild<QComboBox*>();
  const int other = against->findText("axis", Qt::MatchContains);
  QVERIFY(other > 0);
  against->setFocus();
  for (int i = 0; i < other; ++i) QTest::keyClick(against, Qt::Key_Down);
  QCOMPARE(against->currentIndex(), other);
  QVERIFY(view.second(0).has_value());
  QCOMPARE(view.value(0), view.value(3));
  QCOMPARE(*view.second(0), *view.second(2));
  QVERIFY(*view.second(0) < *view.second(8) && view.value(0) < view.value(8));
  const Graph before = studio.document.graph();
  QTest::mouseClick(&view, Qt::LeftButton, {}, {view.width() * 5 / 6, view.height() * 5 / 6});
  QVERIFY(!(studio.document.graph() == before));
  studio.document.undo_stack().undo();
  QVERIFY(studio.document.graph() == before);
  against->setCurrentIndex(0);
  // Values that are not allowed are reported.
  view.sweep({"fbp", "cutoff", Unit::nyquist}, 1, 0.5);
  QVERIFY(!sweep_graph(studio.document.graph(), Registry::all(), {"fbp", "cutoff", Unit::nyquist}, {1.5}).ok());
  QVERIFY(studio.keep());
}

void SpecialEditorsTest::a_found_value_is_accepted_where_nothing_is_driven() {
  Graph g = pipeline("scan.nx", "axis.wedge");
  QVERIFY(can_accept(g, Registry::all(), "axis", "axis"));
  QVERIFY(accept_value(g, Registry::all(), "axis", "axis", Number{3.25, Unit::px}).ok());
  QVERIFY(problems(g, Registry::all()).empty());
  const Link* into_fbp = g.link_into("fbp", "projections");
  QVERIFY(into_fbp != nullptr && into_fbp->from_node != "axis");
  QVERIFY(g.nodes.at(into_fbp->from_node).params.at("axis") == ParamValue(Number{3.25, Unit::px}));
  QVERIFY(g.link_into(into_fbp->from_node, "projections")->from_node == "axis");
  // Once more: the value goes behind the finder again, and the pipeline stays sound.
  QVERIFY(accept_value(g, Registry::all(), "axis", "axis", Number{4, Unit::px}).ok());
  QVERIFY(problems(g, Registry::all()).empty());
}

void SpecialEditorsTest::a_region_is_drawn() {
  WithScan studio;
  QVERIFY(studio.begin());
  studio.selection.set_one("crop");
  QTRY_VERIFY(studio.session.info("flat", "projections") != nullptr);
  RegionDialog& dialog = studio.tools().open_region();
  RegionView& view = dialog.view();
  QTRY_VERIFY_WITH_TIMEOUT(view.box() == (PictureBox{{0, studio.discs.rows}, {0, studio.discs.cols}}), patience_ms);
  QTRY_VERIFY_WITH_TIMEOUT(view.has_picture(), patience_ms);
  const auto at = [&](double row, double col) { return view.to_widget(row, col).toPoint(); };
  QTest::mousePress(&view, Qt::LeftButton, {}, at(1, 16));
  QTest::mouseMove(&view, at(3, 30));
  QTest::mouseMove(&view, at(5, 48));
  QTest::mouseRelease(&view, Qt::LeftButton, {}, at(5, 48));
  test::keep_picture(dialog, "region");
  const auto& params = studio.document.graph().nodes.at("crop").params;
  QCOMPARE(params.at("first_row"), ParamValue(int64_t{1}));
  QCOMPARE(params.at("last_row"), ParamValue(int64_t{4}));
  QCOMPARE(params.at("first_col"), ParamValue(int64_t{16}));
  QCOMPARE(params.at("last_col"), ParamValue(int64_t{47}));
  // An edge is a handle.
  QTest::mousePress(&view, Qt::LeftButton, {}, at(3, 48));
  QTest::mouseMove(&view, at(3, 50));
  QTest::mouseRelease(&view, Qt::LeftButton, {}, at(3, 52));
  QTest::keyClick(&view, Qt::Key_Left);
  QCOMPARE(studio.document.graph().nodes.at("crop").params.at("first_col"), ParamValue(int64_t{15}));
  QVERIFY(studio.keep());
}

void SpecialEditorsTest::a_region_of_a_volume_counts_upwards() {
  WithScan studio;
  QVERIFY(studio.begin());
  studio.document.edit("Crop", [](Graph& g) {
    g.nodes["box"] = {"filter.crop_bin_volume", 1, {}};
    g.links.push_back({"fbp", "volume", "box", "volume"});
  });
  studio.selection.set_one("box");
  QTRY_VERIFY_WITH_TIMEOUT(studio.session.info("fbp", "volume") != nullptr, patience_ms);
  RegionView& view = studio.tools().open_region().view();
  QTRY_VERIFY_WITH_TIMEOUT(view.box().cols.size() == studio.discs.cols, patience_ms);
  view.setFocus();
  // Smaller by keys: the lower right corner goes up and left; rows at the bottom of the image are small y.
  for (int i = 0; i < 4; ++i) QTest::keyClick(&view, Qt::Key_Up, Qt::ShiftModifier);
  const auto& params = studio.document.graph().nodes.at("box").params;
  QCOMPARE(params.at("first_y"), ParamValue(int64_t{4}));
  QVERIFY(params.count("last_y") == 0);
  QVERIFY(studio.keep());
}

void SpecialEditorsTest::a_spectrum_is_drawn() {
  Studio studio;
  Graph g;
  g.nodes["beam"] = {"input.beam_spectrum", 1, {}};
  g.nodes["beam"].params["energies"] = NumberList{{15, 20, 30}, Unit::keV};
  g.nodes["beam"].params["weights"] = NumberList{{1, 3, 2}, Unit::none};
  g.nodes["beam"].params["filter_thickness"] = Number{0.5, Unit::mm};
  studio.document.reset(g);
  QVERIFY(studio.open());
  studio.window.show_main_page();
  studio.selection.set_one("beam");
  QVERIFY(studio.press("Spectrum…"));
  SpectrumDialog& dialog = studio.window.inspector().findChild<SpecialTools*>()->open_spectrum();
  SpectrumView& view = dialog.view();
  QTRY_VERIFY(view.isVisible() && view.hasFocus());
  QTRY_VERIFY_WITH_TIMEOUT(dialog.findChildren<QLabel*>().last()->text().startsWith("Effective energy"), patience_ms);
  test::keep_picture(dialog, "spectrum");
  const auto list = [&](const char* name) {
    return std::get<NumberList>(studio.document.graph().nodes.at("beam").params.at(name)).values;
  };
  // The middle point is dragged down and to the right; it stops before its neighbour. One drag is one step.
  const QPoint middle = view.to_widget({20, 3}).toPoint();
  QTest::mousePress(&view, Qt::LeftButton, {}, middle);
  for (int i = 1; i <= 4; ++i) QTest::mouseMove(&view, middle + QPoint(4 * i, 10 * i));
  QTest::mouseRelease(&view, Qt::LeftButton, {}, middle + QPoint(16, 40));
  QVERIFY(list("energies")[1] > 20 && list("energies")[1] < 30);
  QVERIFY(list("weights")[1] < 3 && list("weights")[1] > 0);
  QCOMPARE(view.current(), 1);
  const Graph dragged = studio.document.graph();
  studio.document.undo_stack().undo();
  QCOMPARE(list("energies"), (std::vector<double>{15, 20, 30}));
  studio.document.undo_stack().redo();
  QVERIFY(studio.document.graph() == dragged);
  QTest::mousePress(&view, Qt::LeftButton, {}, view.to_widget(view.points()[1]).toPoint());
  QTest::mouseMove(&view, view.to_widget({60, 1}).toPoint());
  QTest::mouseRelease(&view, Qt::LeftButton, {}, view.to_widget({60, 1}).toPoint());
  QVERIFY(list("energies")[1] < 30);
  // A double click adds one, Delete takes it away; keys do all that the mouse does.
  QTest::mouseDClick(&view, Qt::LeftButton, {}, view.to_widget({17, 0.5}).toPoint());
  QCOMPARE(list("energies").size(), std::size_t{4});
  QVERIFY(std::abs(list("energies")[1] - 17) < 0.2);
  QTest::keyClick(&view, Qt::Key_Delete);
  QCOMPARE(list("energies").size(), std::size_t{3});
  QTest::keyClick(&view, Qt::Key_Left);
  QTest::keyClick(&view, Qt::Key_Left);
  QCOMPARE(view.current(), 0);
  QTest::keyClick(&view, Qt::Key_Up);
  QVERIFY(list("weights")[0] > 1);
  for (int i = 0; i < 80; ++i) QTest::keyClick(&view, Qt::Key_Up);
  QVERIFY(view.rect().contains(view.to_widget(view.points()[0]).toPoint()));  // the axes follow
  QTest::keyClick(&view, Qt::Key_Right, Qt::ShiftModifier);
  QVERIFY(std::abs(list("energies")[0] - 15.1) < 1e-9);
  QTest::keyClick(&view, Qt::Key_Plus);
  QCOMPARE(list("energies").size(), std::size_t{4});
  // Text is taken whole or refused with the reason.
  const auto before = list("energies");
  dialog.take_text("20000 1\n25000 2\n");
  QCOMPARE(list("energies"), before);
  dialog.take_text("20 1e31\n25 2\n");
  QCOMPARE(list("energies"), before);
  dialog.take_text("10 1\n12\n");
  QCOMPARE(list("energies"), before);
  const auto labels = dialog.findChildren<QLabel*>();
  QVERIFY(std::any_of(labels.begin(), labels.end(), [](const QLabel* l) { return l->text().contains("line 2"); }));
  dialog.take_text("energy,weight\n18,1\n24.5,4\n");
  QCOMPARE(list("energies"), (std::vector<double>{18, 24.5}));
  QCOMPARE(list("weights"), (std::vector<double>{1, 4}));
  QVERIFY(studio.document.save(studio.folder.filePath("kept.json")).ok());
}

void SpecialEditorsTest::guided_mode_goes_step_by_step() {
  WithScan studio("axis.wedge");
  QVERIFY(studio.begin());
  const Graph before = studio.document.graph();
  QTest::keyClick(&studio.window, Qt::Key_F4);
  QCOMPARE(studio.window.mode(), MainWindow::Mode::guided);
  auto* guide = studio.window.findChild<GuidePanel*>();
  QVERIFY(guide->isVisible());
  QAbstractItemModelTester tester(&guide->steps(), QAbstractItemModelTester::FailureReportingMode::Fatal);
  QCOMPARE(guide->steps().rowCount(), 5);
  QCOMPARE(studio.selection.current(), QString("load"));
  for (const char* node : {"flat", "crop", "axis", "fbp"}) {
    QVERIFY(studio.press("Next"));
    QCOMPARE(studio.selection.current(), QString(node));
    QVERIFY(studio.window.inspector().form() != nullptr);
  }
  QVERIFY(guide->findChildren<QPushButton*>().at(1)->text() == "Run all" || studio.press("Back"));
  test::keep_picture(studio.window, "guided");
  QVERIFY(studio.document.graph() == before);  // it edits through the forms alone
  QVERIFY(studio.press("Leave guided mode"));
  QCOMPARE(studio.window.mode(), MainWindow::Mode::free);
  QVERIFY(studio.keep());
}

void SpecialEditorsTest::a_report_is_one_page() {
  WithScan studio("axis.wedge");
  QVERIFY(studio.begin());
  studio.document.edit("Title", [](Graph& g) { g.title = "Discs <one> & two"; });
  studio.selection.set_one("axis");
  QVERIFY(studio.press("Measure"));
  QTRY_VERIFY_WITH_TIMEOUT(!studio.session.status("axis").found.empty(), patience_ms);
  const QString path = studio.folder.filePath("report.html");
  QVERIFY(studio.window.reports().write(path).ok());
  QFile file(path);
  QVERIFY(file.open(QIODevice::ReadOnly));
  const QString page = QString::fromUtf8(file.readAll());
  QVERIFY(page.contains("Discs &lt;one&gt; &amp; two"));
  QVERIFY(!page.contains("<one>"));
  QVERIFY(page.contains("data:image/png;base64,"));
  QVERIFY(!page.contains("src=\"http") && !page.contains("href=\"http") && !page.contains("<script"));
  QVERIFY(page.contains("<svg ") && page.contains("@misc{"));
  QVERIFY(page.contains("Axis by wedge consistency"));
  QVERIFY(page.contains("px") && page.contains("resolved"));
  QVERIFY(!studio.window.reports().write(studio.folder.filePath("no/such/folder/report.html")).ok());
  const QString pdf = studio.folder.filePath("report.pdf");
  QVERIFY(studio.window.reports().write(pdf).ok());
  QFile pages(pdf);
  QVERIFY(pages.open(QIODevice::ReadOnly) && pages.readAll().startsWith("%PDF-"));
  const QString copy = qEnvironmentVariable("TL_PICTURES");
  if (!copy.isEmpty()) QFile::copy(path, copy + "/report.html");
  if (!copy.isEmpty()) QFile::copy(pdf, copy + "/report.pdf");
  QVERIFY(studio.keep());
}

TL_TEST_CASE(SpecialEditorsTest)

}  // namespace tl::ui::special_editors_test

#include "special_editors.moc"
