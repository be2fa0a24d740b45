// Measurements in panes: profiles, regions, distances, probes, the histogram, and their numbers.
#include <QTemporaryDir>
#include <QToolButton>
#include <limits>

#include "core/picture/measure.h"
#include "tests/support/gui/fake_pictures.h"
#include "tests/support/gui/window.h"
#include "tests/support/test_case.h"
#include "widgets/views/histogram/histogram_panel.h"
#include "widgets/views/histogram/histogram_plot.h"
#include "widgets/views/measure/profile_panel.h"
#include "widgets/views/panes/slice_pane.h"
#include "widgets/views/pictures/picture_render.h"
#include "widgets/views/views_area.h"

namespace tl::ui::views_measure_test {

class ViewsMeasureTest final : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void labels_do_not_cover_each_other();
  void the_labels_of_a_profile_have_room();
  void a_binned_image_has_the_means();
  void statistics_are_those_of_the_numbers();
  void a_profile_has_the_values_between();
  void the_difference_of_equal_images_is_zero();
  void percentiles_leave_that_much_out();
  void a_region_is_drawn_and_counted();
  void a_profile_is_drawn_and_written();
  void a_distance_is_in_millimetres();
  void a_probe_follows_the_image();
  void what_was_drawn_can_be_moved_and_removed();
  void measuring_without_a_mouse();
  void histogram_handles_set_the_window();
  void percentile_buttons_set_the_window();
  void opacity_points_are_added_moved_and_removed();
};

namespace {

live::Image image_of(int64_t rows, int64_t cols, std::vector<float> pixels) { return {rows, cols, std::move(pixels)}; }

struct OnScreen {
  OnScreen() : state(source), pane(source, state, "pane", Orientation::xy) {
    state.set_crosshair(source.grid().centre);
    pane.resize(500, 400);
    opened = test::open_window(pane);
  }
  // The position on the screen of a pixel's centre.
  [[nodiscard]] QPoint at(double row, double col) const {
    return pane.to_widget(pane.from_pixel({row, col})).toPoint();
  }
  [[nodiscard]] QStringList texts(std::size_t index) {
    return Measurements::texts(pane.measurements().all().at(index), pane.measure_context());
  }
  void draw(QPoint from, QPoint to) {
    QTest::mousePress(&pane, Qt::LeftButton, {}, from);
    QMouseEvent move(QEvent::MouseMove, to, pane.mapToGlobal(to), Qt::NoButton, Qt::LeftButton, {});
    QApplication::sendEvent(&pane, &move);
    QTest::mouseRelease(&pane, Qt::LeftButton, {}, to);
  }
  test::FakePictures source;
  ViewState state;
  SlicePane pane;
  bool opened = false;
};

void drag(QWidget& widget, QPointF from, QPointF to) {
  QTest::mousePress(&widget, Qt::LeftButton, {}, from.toPoint());
  QMouseEvent move(QEvent::MouseMove, to, widget.mapToGlobal(to), Qt::NoButton, Qt::LeftButton, {});
  QApplication::sendEvent(&widget, &move);
  QTest::mouseRelease(&widget, Qt::LeftButton, {}, to.toPoint());
}

}  // namespace

// No pixel is left out, whatever the size: of five columns the second half holds three.
void ViewsMeasureTest::a_binned_image_has_the_means() {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  const auto image = image_of(4, 5, {10,  20, 1, 2, 3,  //
                                     30,  40, 4, 5, 9,  //
                                     nan, 7,  8, 8, 8,  //
                                     7,   7,  8, 8, 14});
  const ColorLookup lookup = make_lookup(ColorMap::viridis, Qt::red);
  const QImage small = render_picture(image, {0, ColorLookup::size}, lookup, 2);  // one colour for each integer
  QCOMPARE(small.size(), QSize(2, 2));
  QCOMPARE(small.pixel(0, 0), lookup.colors[25]);
  QCOMPARE(small.pixel(1, 0), lookup.colors[4]);
  QCOMPARE(small.pixel(0, 1), lookup.colors[ColorLookup::size]);
  QCOMPARE(small.pixel(1, 1), lookup.colors[9]);
  QCOMPARE(render_picture(image, {0, ColorLookup::size}, lookup, 64).size(), QSize(1, 1));
}

void ViewsMeasureTest::statistics_are_those_of_the_numbers() {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  const auto image = image_of(2, 3, {1, 2, nan, 4, 9, 100});
  // Of 1, 2, 4, 9: mean 4, squares 9 + 4 + 0 + 25 = 38.
  const picture::Statistics s = picture::statistics(image, {0, 2}, {0, 2});
  QCOMPARE(s.count, int64_t{4});
  QCOMPARE(s.bad, int64_t{0});
  QCOMPARE(s.mean, 4.0);
  QCOMPARE(s.deviation, std::sqrt(38.0 / 4));
  QCOMPARE(s.min, 1.0);
  QCOMPARE(s.max, 9.0);
  const picture::Statistics all = picture::statistics(image, {-5, 9}, {0, 99});
  QCOMPARE(all.count, int64_t{5});
  QCOMPARE(all.bad, int64_t{1});
  QCOMPARE(all.max, 100.0);
  QCOMPARE(picture::statistics(image, {0, 1}, {2, 3}).count, int64_t{0});
}

void ViewsMeasureTest::a_profile_has_the_values_between() {
  const auto image = image_of(2, 4, {0, 10, 20, 30, 100, 110, 120, 130});
  const auto along_row = picture::profile(image, {0, 0}, {0, 3});
  QCOMPARE(along_row.size(), std::size_t{4});
  for (std::size_t i = 0; i < 4; ++i) QCOMPARE(along_row[i].value, 10.0 * static_cast<double>(i));
  const auto between = picture::profile(image, {0.5, 0.25}, {0.5, 1.25});
  QCOMPARE(between.front().value, 52.5);
  QCOMPARE(between.back().value, 62.5);
  QCOMPARE(between.back().distance, 1.0);
  QVERIFY(std::isnan(picture::profile(image, {0, -2}, {0, 0}).front().value));
}

void ViewsMeasureTest::the_difference_of_equal_images_is_zero() {
  const auto image = image_of(2, 2, {1, -2, 3.5, 1e9F});
  const auto zero = picture::difference(image, image);
  QVERIFY(zero.ok());
  for (const float v : zero.value().pixels) QCOMPARE(v, 0.0F);
  QVERIFY(!picture::difference(image, image_of(1, 4, {1, 2, 3, 4})).ok());
}

void ViewsMeasureTest::percentiles_leave_that_much_out() {
  live::Image image{10, 101, {}};
  for (int i = 0; i < 1010; ++i) image.pixels.push_back(static_cast<float>((i * 37) % 1010));
  const picture::Levels one = picture::percentile_levels(image, 1);
  QVERIFY(std::abs(one.low - 10) <= 1 && std::abs(one.high - 999) <= 1);
  image.pixels[3] = std::numeric_limits<float>::quiet_NaN();
  image.pixels[4] = std::numeric_limits<float>::infinity();
  QCOMPARE(picture::full_levels(image).high, 1009.0);
  const picture::Histogram h = picture::histogram(image, {0, 1010}, 10);
  QCOMPARE(h.counts.size(), std::size_t{10});
  int64_t sum = 0;
  for (const int64_t n : h.counts) sum += n;
  QCOMPARE(sum, int64_t{1008});
  const picture::Levels flat = picture::percentile_levels(image_of(1, 2, {3, 3}), 0.1);
  QVERIFY(flat.low < 3 && flat.high > 3);
}

void ViewsMeasureTest::a_region_is_drawn_and_counted() {
  OnScreen s;
  QVERIFY(s.opened);
  QTest::keyClick(&s.pane, Qt::Key_R);
  // From a little outside the pixel (2, 3) to a little outside (4, 6): 3 x 4 pixels.
  s.draw(s.at(1.7, 2.7), s.at(4.3, 6.3));
  QVERIFY(!s.pane.tool());
  const auto& image = *s.pane.picture()->image;
  const picture::Statistics expected = picture::statistics(image, {2, 5}, {3, 7});
  QCOMPARE(expected.count, int64_t{12});
  const QStringList texts = s.texts(0);
  QCOMPARE(texts[0], "mean " + number_text(expected.mean) + " 1/mm");
  QCOMPARE(texts[1], "sd " + number_text(expected.deviation));
  QCOMPARE(texts[2], "min " + number_text(expected.min));
  QCOMPARE(texts[3], "max " + number_text(expected.max));
  QCOMPARE(texts[4], QString("n 12"));
}

void ViewsMeasureTest::a_profile_is_drawn_and_written() {
  OnScreen s;
  QTest::keyClick(&s.pane, Qt::Key_L);
  s.draw(s.at(4, 1), s.at(4, 7));
  auto* panel = s.pane.findChild<ProfilePanel*>();
  QVERIFY(panel != nullptr && panel->isVisible());
  QVERIFY(panel->points().size() >= 7);
  const auto& image = *s.pane.picture()->image;
  // The mouse hits a pixel of the screen, hence a little off the centre: 0.02 pixel of 0.5 per pixel.
  QVERIFY(std::abs(panel->points().front().value - static_cast<double>(picture::value_at(image, 4, 1))) < 0.05);
  QVERIFY(std::abs(panel->points().back().value - static_cast<double>(picture::value_at(image, 4, 7))) < 0.05);
  const QTemporaryDir folder;
  QVERIFY(panel->save_csv(folder.filePath("a.csv")).ok());
  QFile file(folder.filePath("a.csv"));
  QVERIFY(file.open(QIODevice::ReadOnly));
  const QList<QByteArray> lines = file.readAll().trimmed().split('\n');
  QCOMPARE(lines.front(), QByteArray("distance [mm],value [1/mm]"));
  QCOMPARE(static_cast<std::size_t>(lines.size()), panel->points().size() + 1);
  QVERIFY(std::abs(lines.back().split(',')[0].toDouble() - 3.0) < 0.03);  // six pixels of 0.5 mm
  // Another slice: another profile.
  const double before = panel->points().front().value;
  s.pane.step(1);
  QVERIFY(std::abs(panel->points().front().value - before) > 1);
  QTest::keyClick(&s.pane, Qt::Key_Delete);
  QVERIFY(!panel->isVisible());
}

void ViewsMeasureTest::a_distance_is_in_millimetres() {
  OnScreen s;
  QTest::keyClick(&s.pane, Qt::Key_D);
  s.draw(s.at(7, 1), s.at(3, 4));  // 4 and 3 pixels of 0.5 mm
  const Measurement& m = s.pane.measurements().all().at(0);
  QVERIFY(std::abs(QLineF(m.a, m.b).length() - 2.5) < 0.02);
  QCOMPARE(s.texts(0)[0], length_text(QLineF(m.a, m.b).length()));
  QCOMPARE(length_text(2.5), QString("2.5 mm"));
  QCOMPARE(length_text(0.0125), QString("12.5 µm"));
  QCOMPARE(length_text(250), QString("25 cm"));
}

void ViewsMeasureTest::a_probe_follows_the_image() {
  OnScreen s;
  QTest::keyClick(&s.pane, Qt::Key_P);
  QTest::mouseClick(&s.pane, Qt::LeftButton, {}, s.at(2, 5));
  const auto value = [&] { return number_text(picture::value_at(*s.pane.picture()->image, 2, 5)) + " 1/mm"; };
  QCOMPARE(s.texts(0)[0], value());
  s.pane.step(1);
  QCOMPARE(s.texts(0)[0], value());
}

// A profile, a region and two distances that end at one point, as in a small feature.
void ViewsMeasureTest::labels_do_not_cover_each_other() {
  OnScreen s;
  QVERIFY(s.opened);
  for (const auto& [key, from, to] : {std::tuple{Qt::Key_L, QPoint(3, 1), QPoint(4, 6)},
                                      {Qt::Key_R, QPoint(2, 2), QPoint(4, 6)},
                                      {Qt::Key_D, QPoint(6, 2), QPoint(4, 6)},
                                      {Qt::Key_D, QPoint(5, 2), QPoint(4, 6)}}) {
    s.pane.setFocus();
    QTest::keyClick(&s.pane, key);
    s.draw(s.at(from.x(), from.y()), s.at(to.x(), to.y()));
  }
  QCOMPARE(s.pane.measurements().all().size(), std::size_t{4});
  QVERIFY(s.pane.profile_visible());
  const auto boxes = s.pane.measurements().label_boxes(QFontMetricsF(Theme::number_font()), s.pane.label_area(),
                                                       s.pane.measure_context());
  for (std::size_t i = 0; i < boxes.size(); ++i) {
    QVERIFY(s.pane.label_area().contains(boxes[i]));
    for (std::size_t k = 0; k < i; ++k) QVERIFY(!boxes[i].intersects(boxes[k]));
  }
  test::keep_picture(s.pane, "measure-labels", 0);
}

// Long numbers and the distances below the plot are inside of the panel.
void ViewsMeasureTest::the_labels_of_a_profile_have_room() {
  ProfilePanel panel;
  panel.resize(400, 120);
  std::vector<picture::ProfilePoint> points;
  for (int i = 0; i < 100; ++i) points.push_back({static_cast<double>(i), -0.00012345 + 1.1e-7 * i});
  panel.set_profile(points, 0.00123, "mm", "1/mm");
  QVERIFY(test::open_window(panel));
  const QImage picture = panel.grab().toImage();
  const QRgb ground = picture.pixel(1, panel.height() - 1);
  for (int x = 0; x < picture.width(); ++x) QCOMPARE(picture.pixel(x, picture.height() - 1), ground);
  for (int y = 8; y < picture.height(); ++y) QCOMPARE(picture.pixel(0, y), ground);
  test::keep_picture(panel, "measure-profile", 0);
}

void ViewsMeasureTest::what_was_drawn_can_be_moved_and_removed() {
  OnScreen s;
  QTest::keyClick(&s.pane, Qt::Key_D);
  s.draw(s.at(2, 2), s.at(5, 6));
  const Vec3 crosshair = s.state.crosshair();
  const QPointF end = s.pane.measurements().all()[0].b;
  drag(s.pane, s.at(5, 6), s.at(7, 8));
  QVERIFY(QLineF(end, s.pane.measurements().all()[0].b).length() > 1);
  QVERIFY(s.state.crosshair() == crosshair);
  drag(s.pane, s.at(0, 9), s.at(0, 9));  // next to it: nothing is selected any more
  QTest::keyClick(&s.pane, Qt::Key_Delete);
  QCOMPARE(s.pane.measurements().all().size(), std::size_t{1});
  drag(s.pane, s.at(2, 2), s.at(2, 2));
  QTest::keyClick(&s.pane, Qt::Key_Escape);
  QVERIFY(s.pane.measurements().empty());
  QTest::keyClick(&s.pane, Qt::Key_D);
  QTest::keyClick(&s.pane, Qt::Key_Escape);
  QVERIFY(!s.pane.tool());
  // A click alone draws no distance.
  QTest::keyClick(&s.pane, Qt::Key_D);
  QTest::mouseClick(&s.pane, Qt::LeftButton, {}, s.at(2, 2));
  QVERIFY(s.pane.measurements().empty());
}

void ViewsMeasureTest::measuring_without_a_mouse() {
  OnScreen s;
  QTest::keyClick(&s.pane, Qt::Key_D);
  QTest::keyClick(&s.pane, Qt::Key_Return);
  QCOMPARE(s.pane.measurements().all().size(), std::size_t{1});
  const Measurement before = s.pane.measurements().all()[0];
  QTest::keyClick(&s.pane, Qt::Key_Right, Qt::ControlModifier);
  const Measurement moved = s.pane.measurements().all()[0];
  QCOMPARE(moved.a.x() - before.a.x(), 0.5);  // a pixel
  QCOMPARE(moved.b.x() - before.b.x(), 0.5);
  QTest::keyClick(&s.pane, Qt::Key_Up, Qt::ControlModifier | Qt::ShiftModifier);
  QCOMPARE(s.pane.measurements().all()[0].a, moved.a);
  QCOMPARE(s.pane.measurements().all()[0].b.y(), moved.b.y() - 0.5);
  QTest::keyClick(&s.pane, Qt::Key_Delete);
  QVERIFY(s.pane.measurements().empty());
}

namespace {
struct Histogram {
  Histogram() : views(source), panel(views) {
    views.state().set_crosshair(source.grid().centre);
    views.resize(900, 600);
    opened = test::open_window(views);
    panel.resize(320, 220);
    opened = opened && test::open_window(panel);
  }
  [[nodiscard]] picture::Levels levels() { return *views.state().levels(views.state().volume()); }
  void press(const QString& name) {
    for (QToolButton* b : panel.findChildren<QToolButton*>())
      if (b->accessibleName() == name) QTest::mouseClick(b, Qt::LeftButton);
  }
  test::FakePictures source;
  ViewsArea views;
  HistogramPanel panel;
  bool opened = false;
};
}  // namespace

void ViewsMeasureTest::histogram_handles_set_the_window() {
  Histogram h;
  QVERIFY(h.opened);
  HistogramPlot& plot = h.panel.plot();
  const auto& image = *h.views.active_pane()->picture()->image;
  QVERIFY(plot.counts().range == picture::full_levels(image));
  const picture::Levels full = plot.counts().range;
  h.views.state().set_levels(h.views.state().volume(), full, LevelsMode::manual);
  const double quarter = full.low + 0.25 * (full.high - full.low);
  drag(plot, {plot.x_of(full.low), 40}, {plot.x_of(quarter), 40});
  QVERIFY(std::abs(h.levels().low - quarter) < 0.02 * (full.high - full.low));
  QCOMPARE(h.levels().high, full.high);
  const picture::Levels before = h.levels();
  drag(plot, {plot.x_of(0.5 * (before.low + before.high)), 40}, {plot.x_of(0.5 * (before.low + before.high)) - 20, 40});
  QVERIFY(h.levels().low < before.low);
  QVERIFY(std::abs((h.levels().high - h.levels().low) - (before.high - before.low)) < 1e-6);
}

void ViewsMeasureTest::percentile_buttons_set_the_window() {
  Histogram h;
  const auto& image = *h.views.active_pane()->picture()->image;
  h.press("Clip 5 % of the pixels at each end");
  QVERIFY(h.levels() == picture::percentile_levels(image, 5));
  QVERIFY(h.views.state().levels_mode(h.views.state().volume()) == LevelsMode::manual);
  h.press("Window from the smallest to the largest value");
  QVERIFY(h.levels() == picture::full_levels(image));
  h.press("Automatic window");
  QVERIFY(h.views.state().levels_mode(h.views.state().volume()) == LevelsMode::automatic);
}

void ViewsMeasureTest::opacity_points_are_added_moved_and_removed() {
  Histogram h;
  HistogramPlot& plot = h.panel.plot();
  ViewState& state = h.views.state();
  state.set_levels(state.volume(), plot.counts().range, LevelsMode::manual);
  plot.set_curve(HistogramPlot::Curve::opacity);
  state.set_opacity({{0, 0}, {1, 1}});
  const QPointF middle = plot.pixel_of({0.5, 0.2});
  QTest::mouseDClick(&plot, Qt::LeftButton, {}, middle.toPoint());
  QCOMPARE(state.opacity().size(), std::size_t{3});
  QVERIFY(std::abs(state.opacity()[1].position - 0.5) < 0.01);
  drag(plot, plot.pixel_of(state.opacity()[1]), plot.pixel_of({0.7, 0.6}));
  QVERIFY(std::abs(state.opacity()[1].position - 0.7) < 0.02 && std::abs(state.opacity()[1].opacity - 0.6) < 0.02);
  QTest::mouseDClick(&plot, Qt::LeftButton, {}, plot.pixel_of(state.opacity()[1]).toPoint());
  QCOMPARE(state.opacity().size(), std::size_t{2});
}

TL_TEST_CASE(ViewsMeasureTest)

}  // namespace tl::ui::views_measure_test

#include "measure.moc"
