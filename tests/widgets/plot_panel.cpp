// PlotPanel: drawing, zooming, reading values and exporting, with mouse and keys in a real window.
#include "widgets/plot/plot_panel.h"

#include <QClipboard>
#include <QGuiApplication>
#include <QMenu>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <cmath>

#include "tests/support/gui/window.h"
#include "tests/support/test_case.h"
#include "widgets/theme/theme.h"

namespace tl::ui::plot_panel_test {

class PlotPanelTest final : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void initTestCase() { Theme::instance().set(QStringLiteral("dark")); }
  void all_data_are_visible_until_zoomed();
  void the_wheel_zooms_about_the_cursor();
  void a_drag_moves_and_a_double_click_shows_everything();
  void shift_and_drag_zooms_into_a_box();
  void keys_zoom_move_and_read();
  void the_mouse_reads_the_nearest_point();
  void logarithmic_axes_need_positive_numbers_or_a_floor();
  void a_band_is_painted_where_it_belongs();
  void maps_are_read_cell_by_cell();
  void numbers_leave_as_csv();
  void drawings_leave_as_svg();
  void themes_change_the_colours_at_once();
  void screen_readers_get_its_values();
  void many_contents_in_a_row_show_the_last();
  void without_a_size_nothing_is_painted();
};

namespace {

PlotContent decay() {
  PlotSeries a{"first", {}, {}};
  PlotSeries b{"second", {}, {}};
  for (int i = 0; i <= 20; ++i) {
    a.x.push_back(i);
    a.y.push_back(-23.24 * (1 - std::exp(-i / 4.0)));
    a.sigma.push_back(0.4);
    b.x.push_back(i);
    b.y.push_back(-23.24 * (1 - std::exp(-i / 2.0)));
  }
  b.color = Token::learnable;
  b.stroke = PlotStroke::dashed;
  b.weight = PlotWeight::faint;
  PlotContent content{{}, {"iteration", ""}, {"axis", "px"}, {a, b}};
  content.marks = {{PlotMark::Along::y, -23.24, 0.8, Token::accent}};
  return content;
}

PlotContent bowl() {
  PlotMap map{{}, {}, {}, {"loss", ""}};
  for (int i = 0; i < 11; ++i) map.x.push_back(-5 + i);
  for (int j = 0; j < 7; ++j) map.y.push_back(-0.3 + 0.1 * j);
  for (const double y : map.y)
    for (const double x : map.x) map.values.push_back(x * x + 100 * y * y);
  PlotContent content{"loss", {"axis", "px"}, {"tilt", "°"}};
  content.map = map;
  return content;
}

struct Window {
  PlotPanel panel{"Test"};
  explicit Window(PlotContent content = decay(), QSize size = {640, 400}) {
    panel.resize(size);
    panel.set_content(std::move(content));
  }
  [[nodiscard]] bool open() {
    QSignalSpy painted(plot(), SIGNAL(afterReplot()));
    if (!test::open_window(panel)) return false;
    panel.show_all();  // at its final size
    return painted.wait();
  }
  // The part of the panel that QCustomPlot paints and hears.
  [[nodiscard]] QWidget* plot() { return panel.findChild<QWidget*>({}, Qt::FindDirectChildrenOnly); }
  [[nodiscard]] QPoint on_plot(std::size_t series, std::size_t point) {
    return (panel.point_pixel(series, point) - QPointF(plot()->pos())).toPoint();
  }
};

void wheel(QWidget* on, QPoint at, int steps, Qt::KeyboardModifiers modifiers = Qt::NoModifier) {
  QWheelEvent event(at, on->mapToGlobal(at), {}, {0, 120 * steps}, Qt::NoButton, modifiers, Qt::NoScrollPhase, false);
  QCoreApplication::sendEvent(on, &event);
}

int count_near(const QImage& image, QColor color, int tolerance) {
  int count = 0;
  for (int y = 0; y < image.height(); ++y)
    for (int x = 0; x < image.width(); ++x) {
      const QColor c = image.pixelColor(x, y);
      count +=
          std::abs(c.red() - color.red()) + std::abs(c.green() - color.green()) + std::abs(c.blue() - color.blue()) <=
                  tolerance
              ? 1
              : 0;
    }
  return count;
}

}  // namespace

void PlotPanelTest::all_data_are_visible_until_zoomed() {
  Window w;
  QVERIFY(w.open());
  test::keep_picture(w.panel, "plot-dark");
  QVERIFY(w.panel.shows_all());
  PlotRange y = w.panel.range(PlotSide::y);
  QVERIFY(y.low < -23.64 && y.high > 0.4);  // with the bands
  QCOMPARE(w.panel.range(PlotSide::x).low, 0.0);
  QCOMPARE(w.panel.range(PlotSide::x).high, 20.0);
  PlotContent more = decay();
  more.series[0].x.push_back(30);
  more.series[0].y.push_back(-40);
  more.series[0].sigma.push_back(1);
  w.panel.set_content(more);
  QCOMPARE(w.panel.range(PlotSide::x).high, 30.0);
  w.panel.zoom(2);
  const PlotRange zoomed = w.panel.range(PlotSide::x);
  QCOMPARE(zoomed.size(), 15.0);
  w.panel.set_content(decay());  // learning goes on: what somebody looks at stays
  QCOMPARE(w.panel.range(PlotSide::x).low, zoomed.low);
  QCOMPARE(w.panel.range(PlotSide::x).high, zoomed.high);
  w.panel.show_all();
  QCOMPARE(w.panel.range(PlotSide::x).high, 20.0);
}

void PlotPanelTest::the_wheel_zooms_about_the_cursor() {
  Window w;
  QVERIFY(w.open());
  const QPoint at = w.on_plot(0, 5);
  const PlotRange x = w.panel.range(PlotSide::x), y = w.panel.range(PlotSide::y);
  wheel(w.plot(), at, 1);
  QVERIFY(w.panel.range(PlotSide::x).size() < x.size());
  QVERIFY(w.panel.range(PlotSide::y).size() < y.size());
  QVERIFY((w.on_plot(0, 5) - at).manhattanLength() <= 2);
  w.panel.show_all();
  wheel(w.plot(), at, 1, Qt::ControlModifier);
  QVERIFY(w.panel.range(PlotSide::x).size() < x.size());
  QCOMPARE(w.panel.range(PlotSide::y).size(), y.size());
  w.panel.show_all();
  wheel(w.plot(), at, 1, Qt::ShiftModifier);
  QCOMPARE(w.panel.range(PlotSide::x).size(), x.size());
  QVERIFY(w.panel.range(PlotSide::y).size() < y.size());
}

void PlotPanelTest::a_drag_moves_and_a_double_click_shows_everything() {
  Window w;
  QVERIFY(w.open());
  const QPoint at(300, 200);
  const PlotRange before = w.panel.range(PlotSide::x);
  QTest::mousePress(w.plot(), Qt::LeftButton, {}, at);
  QTest::mouseMove(w.plot(), at + QPoint(30, 0));
  QTest::mouseMove(w.plot(), at + QPoint(60, 0));
  QTest::mouseRelease(w.plot(), Qt::LeftButton, {}, at + QPoint(60, 0));
  const PlotRange moved = w.panel.range(PlotSide::x);
  QVERIFY(moved.low < before.low);
  QVERIFY(std::abs(moved.size() - before.size()) < 1e-9);
  QVERIFY(!w.panel.shows_all());
  QTest::mouseDClick(w.plot(), Qt::LeftButton, {}, at);
  QVERIFY(w.panel.shows_all());
  QCOMPARE(w.panel.range(PlotSide::x).low, before.low);
}

void PlotPanelTest::shift_and_drag_zooms_into_a_box() {
  Window w;
  QVERIFY(w.open());
  QTest::mousePress(w.plot(), Qt::LeftButton, Qt::ShiftModifier, QPoint(200, 100));
  QTest::mouseMove(w.plot(), QPoint(300, 150));
  QTest::mouseMove(w.plot(), QPoint(400, 250));
  QTest::mouseRelease(w.plot(), Qt::LeftButton, Qt::ShiftModifier, QPoint(400, 250));
  QVERIFY(w.panel.range(PlotSide::x).size() < 10);
  QVERIFY(!w.panel.shows_all());
}

void PlotPanelTest::keys_zoom_move_and_read() {
  Window w;
  QVERIFY(w.open());
  w.panel.setFocus();
  QTRY_VERIFY(w.panel.hasFocus());
  QTest::keyClick(&w.panel, Qt::Key_Right);
  QCOMPARE(w.panel.read_text(), QString("first: 0.00 ± 0.4 px at 0"));
  QTest::keyClick(&w.panel, Qt::Key_Right);
  QVERIFY2(w.panel.read_text().endsWith("at 1"), qPrintable(w.panel.read_text()));
  QTest::keyClick(&w.panel, Qt::Key_Down);
  QVERIFY2(w.panel.read_text().startsWith("second"), qPrintable(w.panel.read_text()));
  test::keep_picture(w.panel, "plot-read");
  QTest::keyClick(&w.panel, Qt::Key_Escape);
  QVERIFY(w.panel.read_text().isEmpty());
  const PlotRange all = w.panel.range(PlotSide::x);
  QTest::keyClick(&w.panel, Qt::Key_Plus);
  const PlotRange zoomed = w.panel.range(PlotSide::x);
  QVERIFY(std::abs(zoomed.size() - all.size() / 1.25) < 1e-9);
  QTest::keyClick(&w.panel, Qt::Key_Right, Qt::ControlModifier);
  QVERIFY(w.panel.range(PlotSide::x).low > zoomed.low);
  QTest::keyClick(&w.panel, Qt::Key_0);
  QVERIFY(w.panel.shows_all());
  QTest::keyClick(&w.panel, Qt::Key_C, Qt::ControlModifier);
  QCOMPARE(QGuiApplication::clipboard()->text(), w.panel.csv());
}

void PlotPanelTest::the_mouse_reads_the_nearest_point() {
  Window w;
  QVERIFY(w.open());
  QSignalSpy spy(&w.panel, &PlotPanel::cursor_text_changed);
  QTest::mouseMove(w.plot(), w.on_plot(0, 8) + QPoint(3, 1));
  QTRY_COMPARE(w.panel.read_text(), QString("first: -20.09 ± 0.4 px at 8"));
  QVERIFY(!spy.isEmpty());
}

void PlotPanelTest::logarithmic_axes_need_positive_numbers_or_a_floor() {
  Window w;
  QVERIFY(w.open());
  w.panel.setFocus();
  QTest::keyClick(&w.panel, Qt::Key_L);
  QCOMPARE(w.panel.scale(PlotSide::y), PlotScale::linear);  // the values are negative
  PlotContent content = decay();
  content.series.resize(1);
  content.floor = -23.24;
  w.panel.set_content(content);
  QTest::keyClick(&w.panel, Qt::Key_L);
  QCOMPARE(w.panel.scale(PlotSide::y), PlotScale::logarithmic);
  QVERIFY(w.panel.range(PlotSide::y).low > 0);
  test::keep_picture(w.panel, "plot-log");
  QTest::keyClick(&w.panel, Qt::Key_L, Qt::ShiftModifier);
  QCOMPARE(w.panel.scale(PlotSide::x), PlotScale::logarithmic);
  QCOMPARE(w.panel.range(PlotSide::x).low, 1.0);  // 0 does not exist there
  w.panel.set_content(decay());
  QCOMPARE(w.panel.scale(PlotSide::y), PlotScale::linear);
}

void PlotPanelTest::a_band_is_painted_where_it_belongs() {
  PlotContent content = decay();
  content.series.resize(1);
  content.marks.clear();
  for (double& s : content.series[0].sigma) s = 3;
  Window with(content);
  QVERIFY(with.open());
  const QPoint line = with.on_plot(0, 15), inside = line + QPoint(0, 12), outside = line - QPoint(0, 90);
  const QImage image = with.plot()->grab().toImage();
  QVERIFY(image.pixelColor(inside) != image.pixelColor(outside));
  QCOMPARE(image.pixelColor(outside), Theme::instance().color(Token::dock));
}

void PlotPanelTest::maps_are_read_cell_by_cell() {
  Window w(bowl());
  QVERIFY(w.open());
  test::keep_picture(w.panel, "plot-map");
  const PlotRange x = w.panel.range(PlotSide::x);
  QCOMPARE(x.low, -5.5);
  QCOMPARE(x.high, 5.5);
  QTest::mouseMove(w.plot(), w.plot()->rect().center());
  QTRY_VERIFY2(w.panel.read_text().contains(" at "), qPrintable(w.panel.read_text()));
  QVERIFY(w.panel.csv().startsWith("axis [px],tilt [°],loss\n-5,"));
}

void PlotPanelTest::numbers_leave_as_csv() {
  QTemporaryDir folder;
  PlotPanel panel("Test");
  PlotContent one = decay();
  one.series.resize(1);
  panel.set_content(one);
  QVERIFY(panel.csv().startsWith("iteration,axis [px],uncertainty\n0,0,0.4\n1,"));
  panel.set_content(decay());
  QVERIFY(panel.csv().startsWith("series,iteration,axis [px],uncertainty\nfirst,0,"));
  QVERIFY(panel.csv().contains("\nsecond,20,"));
  QVERIFY(panel.save_csv(folder.filePath("a.csv")).ok());
  QFile file(folder.filePath("a.csv"));
  QVERIFY(file.open(QIODevice::ReadOnly));
  QCOMPARE(QString::fromUtf8(file.readAll()), panel.csv());
  QVERIFY(!panel.save_csv(folder.filePath("nowhere/a.csv")).ok());
}

void PlotPanelTest::drawings_leave_as_svg() {
  QTemporaryDir folder;
  Window w;
  QVERIFY(w.open());
  QVERIFY(w.panel.save_svg(folder.filePath("a.svg")).ok());
  QFile file(folder.filePath("a.svg"));
  QVERIFY(file.open(QIODevice::ReadOnly));
  const QByteArray svg = file.readAll();
  QVERIFY(svg.startsWith("<?xml"));
  QVERIFY(svg.contains("<path"));
  QVERIFY(svg.contains(">first<"));
  QVERIFY(!svg.contains("<image"));  // lines, no pixels
  QVERIFY(!w.panel.save_svg(folder.filePath("nowhere/a.svg")).ok());
  const QString kept = qEnvironmentVariable("TL_PICTURES");
  if (!kept.isEmpty()) (void)w.panel.save_svg(kept + "/plot.svg");
}

void PlotPanelTest::themes_change_the_colours_at_once() {
  Window w;
  QVERIFY(w.open());
  for (const QString& name : Theme::names()) {
    Theme::instance().set(name);
    const auto is_painted_in = [&](Token token, int tolerance, int pixels) {
      return count_near(w.plot()->grab().toImage(), Theme::instance().color(token), tolerance) > pixels;
    };
    QTRY_VERIFY(is_painted_in(Token::dock, 6, w.plot()->width() * w.plot()->height() / 2));
    QTRY_VERIFY(is_painted_in(Token::busy, 60, 50));
    test::keep_picture(w.panel, "plot-theme-" + name);
  }
  Theme::instance().set(QStringLiteral("dark"));
}

void PlotPanelTest::screen_readers_get_its_values() {
  PlotPanel panel("Loss");
  QCOMPARE(panel.accessibleName(), QString("Loss"));
  panel.set_content(decay());
  QVERIFY(panel.accessibleDescription().contains("first"));
  QVERIFY(panel.accessibleDescription().contains("21"));
  QMenu menu;
  panel.fill_menu(menu);
  QVERIFY(menu.actions().size() >= 6);
}

// Learning reports its steps faster than a screen shows them: one paint per pass of the event loop at most, and what
// it shows at the end is the last one, as in a panel that got nothing else.
void PlotPanelTest::many_contents_in_a_row_show_the_last() {
  constexpr int contents = 50, passes = 5;
  const auto content = [](int i) {
    PlotContent one = decay();
    one.series[0].y.back() = -i;
    return one;
  };
  Window w, fresh(content(contents - 1));
  QVERIFY(w.open());
  QSignalSpy painted(w.plot(), SIGNAL(afterReplot()));
  for (int i = 0; i < contents; ++i) {
    w.panel.set_content(content(i));
    if (i % (contents / passes) == contents / passes - 1) QCoreApplication::processEvents();
  }
  QVERIFY2(painted.count() > 0 && painted.count() <= passes, std::to_string(painted.count()).c_str());
  QVERIFY(fresh.open());
  w.panel.show_all();
  QTRY_COMPARE(w.panel.grab().toImage(), fresh.panel.grab().toImage());
}

// A splitter may leave a dock no height: then QCustomPlot painted into images of no size, with a warning for each.
void PlotPanelTest::without_a_size_nothing_is_painted() {
  QTest::failOnWarning(QRegularExpression(QStringLiteral(".*")));
  QWidget window;
  window.resize(400, 300);
  PlotPanel panel(QStringLiteral("Squeezed"), &window);
  panel.setMinimumSize(0, 0);
  panel.set_content(decay());
  QVERIFY(test::open_window(window));
  for (const QSize size : {QSize(400, 2), QSize(2, 200), QSize(0, 0), QSize(400, 200), QSize(1, 1), QSize(300, 150)}) {
    panel.resize(size);
    panel.set_content(decay());
    test::handle_queued_events();
  }
  const QImage image = panel.grab().toImage();
  QVERIFY(count_near(image, Theme::instance().color(Token::busy), 60) > 20);  // the curve is there again
}

TL_TEST_CASE(PlotPanelTest)

}  // namespace tl::ui::plot_panel_test

#include "plot_panel.moc"
