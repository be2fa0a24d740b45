// Tools over a view: the bar, angles, links, colours, typed windows, and measurements that stay with the pipeline.
#include <QComboBox>
#include <QLineEdit>
#include <QTemporaryDir>
#include <QToolButton>
#include <QTreeWidget>

#include "tests/support/gui/fake_pictures.h"
#include "tests/support/gui/window.h"
#include "tests/support/test_case.h"
#include "widgets/views/histogram/histogram_panel.h"
#include "widgets/views/measurement_panel.h"
#include "widgets/views/panes/slice_pane.h"
#include "widgets/views/panes/view_bar.h"
#include "widgets/views/pictures/window_text.h"
#include "widgets/views/views_area.h"

namespace tl::ui::views_tools_test {

class ViewsToolsTest final : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void the_bar_comes_with_the_mouse_and_with_the_keyboard();
  void the_buttons_do_what_the_keys_do();
  void an_angle_is_measured();
  void an_unlinked_view_zooms_alone();
  void the_volume_has_colours_of_its_own();
  void limits_have_three_digits_and_can_be_typed();
  void measurements_are_kept_with_the_pipeline();
  void damaged_measurements_are_left_out();
  void measurements_are_listed_and_written();
};

namespace {

struct Tools {
  Tools() {
    source.set_grid(VolumeGrid::cubic(20, 80, 100, 0.05));
    area.state().set_crosshair(source.grid().centre);
    area.resize(1000, 640);
    opened = test::open_window(area);
  }
  [[nodiscard]] ImagePane& pane() { return *area.cell(0).image_pane(); }
  [[nodiscard]] ViewBar& bar() { return *pane().findChild<ViewBar*>(); }
  [[nodiscard]] QToolButton* button(const QString& name) {
    for (QToolButton* b : bar().findChildren<QToolButton*>())
      if (b->accessibleName() == name) return b;
    return nullptr;
  }
  void draw(QPoint from, QPoint to) {
    QTest::mousePress(&pane(), Qt::LeftButton, {}, from);
    QMouseEvent move(QEvent::MouseMove, to, pane().mapToGlobal(to), Qt::NoButton, Qt::LeftButton, {});
    QApplication::sendEvent(&pane(), &move);
    QTest::mouseRelease(&pane(), Qt::LeftButton, {}, to);
  }
  void measure(Qt::Key tool, QPoint from, QPoint to) {
    pane().setFocus();
    QTest::keyClick(&pane(), tool);
    draw(from, to);
  }
  test::FakePictures source;
  ViewsArea area{source};
  bool opened = false;
};

}  // namespace

void ViewsToolsTest::the_bar_comes_with_the_mouse_and_with_the_keyboard() {
  Tools t;
  QVERIFY(t.opened);
  t.area.cell(1).pane()->setFocus();
  QTRY_VERIFY(!t.bar().isVisible());
  t.pane().setFocus();
  QTRY_VERIFY(t.bar().isVisible());
  QVERIFY(t.pane().rect().contains(t.bar().geometry()));
  test::keep_picture(t.area, "tools-bar", 50);
  t.area.cell(1).pane()->setFocus();
  QTRY_VERIFY(!t.bar().isVisible());
  // Moves on until it is seen: the display joins movements that follow each other at once.
  auto moved_over = [step = 0](QWidget& pane) mutable {
    QTest::mouseMove(&pane, pane.rect().center() + QPoint(++step % 2, 0));
    return true;
  };
  QTRY_VERIFY(moved_over(t.pane()) && t.bar().isVisible());
  QTRY_VERIFY(moved_over(*t.area.cell(1).pane()) && !t.bar().isVisible());
  // How long the image took is shown by the tip, not by the caption.
  QVERIFY2(t.pane().timing_text().contains("31 ms"), qPrintable(t.pane().timing_text()));
  // A narrow pane shows as many as there is room for; the bar stays inside.
  t.pane().setFocus();
  t.area.resize(t.area.minimumSizeHint().expandedTo({420, 400}));
  QTRY_VERIFY(t.pane().rect().contains(t.bar().geometry()));
  for (const QToolButton* b : t.bar().findChildren<QToolButton*>()) {
    QVERIFY(!b->accessibleName().isEmpty());
    QVERIFY2(b->toolTip().endsWith(')'), qPrintable(b->toolTip()));  // the key
  }
}

void ViewsToolsTest::the_buttons_do_what_the_keys_do() {
  Tools t;
  QVERIFY(t.opened);
  t.pane().setFocus();
  QTRY_VERIFY(t.bar().isVisible());
  QTest::mouseClick(t.button("Line profile"), Qt::LeftButton);
  QVERIFY(t.pane().tool() == MeasureKind::profile && t.button("Line profile")->isChecked());
  QTest::mouseClick(t.button("Distance"), Qt::LeftButton);
  QVERIFY(t.pane().tool() == MeasureKind::distance && !t.button("Line profile")->isChecked());
  QTest::mouseClick(t.button("Distance"), Qt::LeftButton);
  QVERIFY(!t.pane().tool() && !t.button("Distance")->isChecked());
  t.area.state().set_levels(t.pane().output(), {0, 1}, LevelsMode::manual);
  QTest::mouseClick(t.button("Automatic window"), Qt::LeftButton);
  QVERIFY(t.area.state().levels_mode(t.pane().output()) == LevelsMode::automatic);
  t.pane().zoom_by(4);
  QTest::mouseClick(t.button("Fit the image into the pane"), Qt::LeftButton);
  QVERIFY(t.area.state().camera("xy") == Camera{});
}

void ViewsToolsTest::an_angle_is_measured() {
  Tools t;
  t.measure(Qt::Key_G, {200, 200}, {300, 200});
  const Measurement& m = t.pane().measurements().all().at(0);
  QVERIFY(m.kind == MeasureKind::angle);
  const auto degrees = [&t] {
    return *measure_numbers(t.pane().measurements().all().at(0), t.pane().measure_context()).degrees;
  };
  QCOMPARE(degrees(), 90.0);  // until its second direction is dragged
  t.draw(t.pane().to_widget(m.c).toPoint(), {300, 100});
  QVERIFY(std::abs(degrees() - 45) < 1);
  QVERIFY(Measurements::texts(m, t.pane().measure_context())[0].endsWith("°"));
  test::keep_picture(t.area, "tools-angle", 50);
}

void ViewsToolsTest::an_unlinked_view_zooms_alone() {
  Tools t;
  t.area.cell(1).set_kind(PaneKind::xy);
  ImagePane &first = t.pane(), &second = *t.area.cell(1).image_pane();
  const double fitted = second.scale().width();
  first.zoom_by(2);
  QVERIFY(second.scale().width() > 1.9 * fitted);
  first.setFocus();
  QTest::keyClick(&first, Qt::Key_K);
  QVERIFY(first.linking() == Linking::alone);
  const double alone = first.scale().width();
  second.zoom_by(3);
  QCOMPARE(first.scale().width(), alone);
  QTest::keyClick(&first, Qt::Key_K);
  QVERIFY(first.scale().width() > 2 * alone);
}

void ViewsToolsTest::the_volume_has_colours_of_its_own() {
  Tools t;
  HistogramPanel panel(t.area);
  panel.resize(320, 260);
  QVERIFY(test::open_window(panel));
  auto* colors = panel.findChild<QComboBox*>();
  QCOMPARE(colors->count(), static_cast<int>(all_color_maps().size()));
  const auto choose = [colors](ColorMap map) {
    const int at = colors->findData(static_cast<int>(map));
    colors->setCurrentIndex(at);
    Q_EMIT colors->activated(at);
  };
  choose(ColorMap::bone);
  for (QToolButton* b : panel.findChildren<QToolButton*>())
    if (b->text() == "3D") b->setChecked(true);
  choose(ColorMap::inferno);
  QVERIFY(t.area.state().color_map() == ColorMap::bone && t.area.state().volume_color_map() == ColorMap::inferno);
  test::keep_picture(panel, "tools-histogram", 50);
  // Black to white, whatever is between.
  QCOMPARE(color_at(ColorMap::bone, 0), qRgb(0, 0, 0));
  QCOMPARE(color_at(ColorMap::bone, 1), qRgb(255, 255, 255));
  for (const ColorMap map : {ColorMap::bone, ColorMap::inferno, ColorMap::magma})
    for (int i = 0; i < 64; ++i) QVERIFY(qGray(color_at(map, i / 64.0)) <= qGray(color_at(map, (i + 1) / 64.0)));
}

void ViewsToolsTest::limits_have_three_digits_and_can_be_typed() {
  const auto texts = [](double low, double high) {
    const auto [a, b] = window_texts({low, high});
    return a + QStringLiteral(" ") + b;
  };
  QCOMPARE(texts(-0.0014634, 0.0098517), QStringLiteral("−0.00146 0.00985"));
  QCOMPARE(texts(0.0004, 0.012134), QStringLiteral("0.0004 0.0121"));
  QCOMPARE(texts(812.4, 40213), QStringLiteral("800 40200"));
  QCOMPARE(texts(1000.1, 1000.9), QStringLiteral("1000.10 1000.90"));
  QCOMPARE(texts(0, 1), QStringLiteral("0 1.00"));
  QVERIFY(typed_limit(" −0,5 ") == -0.5 && typed_limit("1e-3") == 1e-3 && !typed_limit("many"));

  Tools t;
  HistogramPanel panel(t.area);
  panel.resize(320, 260);
  QVERIFY(test::open_window(panel));
  const Output volume = t.area.state().volume();
  t.area.state().set_levels(volume, {-1.23456, 2}, LevelsMode::automatic);
  const auto line = [&panel](const char* name) -> QLineEdit* {
    for (QLineEdit* l : panel.findChildren<QLineEdit*>())
      if (l->accessibleName() == name) return l;
    return nullptr;
  };
  QLineEdit *low = line("Lower limit of the window"), *high = line("Upper limit of the window");
  QCOMPARE(low->text(), QStringLiteral("−1.23"));
  const auto type = [](QLineEdit* l, const QString& text) {
    l->setFocus();
    l->selectAll();
    QTest::keyClicks(l, text);
    QTest::keyClick(l, Qt::Key_Return);
  };
  type(high, "3.5");
  QVERIFY((*t.area.state().levels(volume) == picture::Levels{-1.23456, 3.5}));  // the other keeps its digits
  QVERIFY(t.area.state().levels_mode(volume) == LevelsMode::manual);
  type(low, "nonsense");
  QVERIFY(t.area.state().levels(volume)->low == -1.23456);
  QCOMPARE(low->text(), QStringLiteral("−1.23"));
  type(low, "4");  // above the upper limit
  QVERIFY(t.area.state().levels(volume)->low == -1.23456);
}

void ViewsToolsTest::measurements_are_kept_with_the_pipeline() {
  Tools t;
  QVERIFY(t.opened);
  t.source.graph_.ui = R"({"nodes":{"fbp":{"x":1.0,"y":2.0}}})";
  t.measure(Qt::Key_D, {150, 150}, {250, 220});
  t.measure(Qt::Key_G, {250, 150}, {300, 150});
  t.measure(Qt::Key_R, {100, 100}, {140, 160});
  const auto drawn = t.area.state().all_measurements();
  QCOMPARE(drawn.at("xy").size(), std::size_t{3});
  QVERIFY(read_measurements(t.source.graph_.ui) == drawn);
  QVERIFY(t.source.graph_.ui.find(R"("nodes":{"fbp")") != std::string::npos);
  QCOMPARE(t.source.steps.size(), std::size_t{3});
  // Another session of the same pipeline shows them.
  test::FakePictures opened;
  opened.graph_.ui = t.source.graph_.ui;
  ViewsArea again(opened);
  QVERIFY(again.state().all_measurements() == drawn);
  // An undo step takes the last one back.
  const std::string now = t.source.graph_.ui;
  MeasurementsByView two = drawn;
  two["xy"].pop_back();
  t.source.graph_.ui = with_measurements(now, two);
  Q_EMIT t.source.ui_changed();
  QCOMPARE(t.pane().measurements().all().size(), std::size_t{2});
  // Every view of that kind shows them.
  t.area.cell(1).set_kind(PaneKind::xy);
  QCOMPARE(t.area.cell(1).image_pane()->measurements().all().size(), std::size_t{2});
  t.area.cell(1).set_kind(PaneKind::xz);
  QVERIFY(t.area.cell(1).image_pane()->measurements().empty());
}

void ViewsToolsTest::damaged_measurements_are_left_out() {
  const auto count = [](const char* ui) {
    std::size_t all = 0;
    for (const auto& [view, list] : read_measurements(ui)) all += list.size();
    return all;
  };
  QCOMPARE(count(R"({"measurements":[{"view":"xy","kind":"probe","a":[1,2]}]})"), std::size_t{1});
  for (const char* ui : {"", "{", R"({"measurements":7})", R"({"measurements":[7,{"view":"xy"}]})",
                         R"({"measurements":[{"view":"xy","kind":"probe","a":[1]}]})",
                         R"({"measurements":[{"view":"xy","kind":"probe","a":[1,1e300]}]})",
                         R"({"measurements":[{"view":"xy","kind":"distance","a":[1,2]}]})",
                         R"({"measurements":[{"view":"xy","kind":"angle","a":[1,2],"b":[1,2]}]})",
                         R"({"measurements":[{"view":3,"kind":"probe","a":[1,2]}]})",
                         R"({"measurements":[{"view":"xy","kind":"x","a":[1,2]}]})"})
    QVERIFY2(count(ui) == 0, ui);
}

void ViewsToolsTest::measurements_are_listed_and_written() {
  Tools t;
  HistogramPanel panel(t.area);
  panel.resize(330, 460);
  QVERIFY(test::open_window(panel));
  auto* measured = panel.findChild<MeasurementPanel*>();
  QTRY_VERIFY(!measured->isVisible());
  test::open_window(t.area);
  t.measure(Qt::Key_D, {150, 150}, {250, 220});
  t.measure(Qt::Key_R, {100, 100}, {140, 160});
  auto* list = measured->findChild<QTreeWidget*>();
  QTRY_COMPARE(list->topLevelItemCount(), 2);
  QVERIFY(measured->isVisible());
  QCOMPARE(list->topLevelItem(0)->text(0), QStringLiteral("XY"));
  QCOMPARE(list->topLevelItem(0)->text(1), QStringLiteral("Distance"));
  QVERIFY(list->topLevelItem(1)->text(2).startsWith("mean "));
  test::keep_picture(panel, "tools-list", 50);
  const QTemporaryDir folder;
  QVERIFY(measured->save_csv(folder.filePath("m.csv")).ok());
  QFile file(folder.filePath("m.csv"));
  QVERIFY(file.open(QIODevice::ReadOnly));
  const QList<QByteArray> lines = file.readAll().trimmed().split('\n');
  QCOMPARE(lines.size(), 3);
  const qsizetype columns = lines[0].count(',');
  for (const QByteArray& line : lines) QCOMPARE(line.count(','), columns);
  const double length = *measure_numbers(t.pane().measurements().all()[0], t.pane().measure_context()).length;
  QCOMPARE(lines[1].split(',')[9].toDouble(), QByteArray::number(length, 'g', 9).toDouble());
  QCOMPARE(lines[1].split(',')[10], QByteArray("mm"));
  // A click on a row selects the measurement, and the key removes it.
  list->setCurrentItem(list->topLevelItem(0));
  QVERIFY(t.pane().measurements().selected() == std::size_t{0});
  QTRY_COMPARE(list->topLevelItemCount(), 2);
  list->setFocus();
  QTest::keyClick(list, Qt::Key_Delete);
  QTRY_COMPARE(list->topLevelItemCount(), 1);
  QCOMPARE(t.pane().measurements().all().size(), std::size_t{1});
}

TL_TEST_CASE(ViewsToolsTest)

}  // namespace tl::ui::views_tools_test

#include "tools.moc"
