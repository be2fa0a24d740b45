// Special editors: axis overlay, accepting found values, region on an image, spectrum; also guided mode and
// the report.
#include <QAbstractItemModelTester>
#include <QDoubleSpinBox>
#include <QLabel>
#include <QPushButton>
#include <cmath>

#include "tests/support/gui/axis_studio.h"
#include "tests/support/test_case.h"
#include "widgets/inspector/values/accept_value.h"
#include "widgets/theme/theme.h"
#include "widgets/window/files/report_flow.h"
#include "widgets/window/guide/guide_panel.h"

namespace tl::ui::special_editors_test {
namespace {

using test::axis_pipeline;
using test::AxisStudio;
using test::patience_ms;
using test::Studio;

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
  AxisStudio studio;
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
  AxisStudio studio;
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

void SpecialEditorsTest::a_found_value_is_accepted_where_nothing_is_driven() {
  Graph g = axis_pipeline("scan.nx", "axis.wedge");
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
  AxisStudio studio;
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
  AxisStudio studio;
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
  AxisStudio studio("axis.wedge");
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
  AxisStudio studio("axis.wedge");
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
