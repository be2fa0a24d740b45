// SlicePane: requests, images and texts under simulated wheel, drags and keys.
#include <QClipboard>
#include <QSignalSpy>
#include <limits>

#include "tests/support/gui/pane_on_screen.h"
#include "tests/support/test_case.h"
#include "widgets/views/panes/slice_pane.h"

namespace tl::ui::views_slices_test {

class ViewsSlicesTest final : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void it_asks_for_the_middle_slice();
  void the_wheel_asks_for_exactly_the_next_slice();
  void keys_walk_through_the_slices();
  void the_value_under_the_cursor_is_the_pixel_there_data();
  void the_value_under_the_cursor_is_the_pixel_there();
  void up_is_plus_y_and_plus_z();
  void a_drag_moves_the_linked_crosshair();
  void zoom_keeps_what_is_under_the_cursor();
  void the_middle_button_pans();
  void the_right_button_sets_the_window_of_all_panes();
  void automatic_window_comes_back();
  void coarse_comes_first_and_old_images_are_dropped();
  void a_change_makes_the_image_stale();
  void work_that_takes_long_says_how_far_it_is();
  void a_failure_is_reported();
  void the_scale_bar_is_as_long_as_it_says();
  void without_a_pixel_size_lengths_are_pixels();
  void pixels_that_are_nan_are_marked();
  void hidden_panes_ask_for_nothing();
};

namespace {

using Grid = VolumeGrid;
using test::drag;
using test::wheel;
using Slice = test::OnScreen<SlicePane>;

}  // namespace

void ViewsSlicesTest::it_asks_for_the_middle_slice() {
  Slice s(Orientation::xy);
  QVERIFY(s.opened);
  QVERIFY(!s.asked().empty());
  QCOMPARE(s.asked().back().node, std::string("fbp"));
  QCOMPARE(s.asked().back().port, std::string("volume"));
  const Grid all = s.source.grid();
  QVERIFY(s.last_grid() == all.slab({3, 4}) || s.last_grid() == all.slab({2, 3}));
  QVERIFY(s.pane.picture().has_value());
}

void ViewsSlicesTest::the_wheel_asks_for_exactly_the_next_slice() {
  Slice s(Orientation::xy);
  const Grid all = s.source.grid();
  s.state.set_crosshair(all.position(2, 4, 4));
  wheel(s.pane, {250, 200}, 1);
  QVERIFY(s.last_grid() == all.slab({3, 4}));
  QCOMPARE(s.pane.position_text(), QString("slice 4 of 6"));
  wheel(s.pane, {250, 200}, -1);
  QVERIFY(s.last_grid() == all.slab({2, 3}));
  wheel(s.pane, {250, 200}, 1, Qt::ShiftModifier);
  QVERIFY(s.last_grid() == all.slab({5, 6}));  // ten would be beyond the end
  // Small scrolls of a touch pad add up.
  const auto count = s.asked().size();
  for (int i = 0; i < 4; ++i) {
    QWheelEvent event({9, 9}, {9, 9}, {}, {0, -30}, Qt::NoButton, Qt::NoModifier, Qt::NoScrollPhase, false);
    QApplication::sendEvent(&s.pane, &event);
  }
  QCOMPARE(s.asked().size(), count + 1);
  QVERIFY(s.last_grid() == all.slab({4, 5}));
}

void ViewsSlicesTest::keys_walk_through_the_slices() {
  Slice s(Orientation::xz);
  const Grid all = s.source.grid();
  const auto y_slice = [&](int64_t j) { return all.sub({0, 6}, {j, j + 1}, {0, 10}); };
  s.state.set_crosshair(all.position(2, 4, 4));
  s.pane.setFocus();
  QTest::keyClick(&s.pane, Qt::Key_Up);
  QVERIFY(s.last_grid() == y_slice(5));
  QTest::keyClick(&s.pane, Qt::Key_Left);
  QVERIFY(s.last_grid() == y_slice(4));
  QTest::keyClick(&s.pane, Qt::Key_PageDown);
  QVERIFY(s.last_grid() == y_slice(0));
  QTest::keyClick(&s.pane, Qt::Key_End);
  QVERIFY(s.last_grid() == y_slice(7));
  QTest::keyClick(&s.pane, Qt::Key_Home);
  QVERIFY(s.last_grid() == y_slice(0));
  const Vec3 before = s.state.crosshair();
  QTest::keyClick(&s.pane, Qt::Key_Right, Qt::ControlModifier);
  QCOMPARE(s.state.crosshair().x, before.x + 0.5);
  QTest::keyClick(&s.pane, Qt::Key_Down, Qt::ControlModifier);
  QCOMPARE(s.state.crosshair().z, before.z - 0.5);
}

void ViewsSlicesTest::the_value_under_the_cursor_is_the_pixel_there_data() {
  QTest::addColumn<int>("orientation");
  for (const int o : {0, 1, 2, 3}) QTest::newRow(qPrintable(orientation_name(static_cast<Orientation>(o)))) << o;
}
void ViewsSlicesTest::the_value_under_the_cursor_is_the_pixel_there() {
  QFETCH(int, orientation);
  Slice s(static_cast<Orientation>(orientation));
  s.source.value = [](Vec3 p) { return static_cast<float>(p.x + 10 * p.y + 100 * p.z); };
  s.pane.refresh();
  const PlaneView plane = *s.pane.plane();
  const auto& image = *s.pane.picture()->image;
  for (const QPoint at : {QPoint(250, 200), QPoint(200, 150), QPoint(290, 240)}) {
    const picture::PixelPoint pixel = s.pane.to_pixel(s.pane.to_pane(at));
    const auto row = std::lround(pixel.row), col = std::lround(pixel.col);
    // The centre of that pixel in space has the value that the pixel has: pane and volume agree on positions.
    const QPointF centre = s.pane.from_pixel({static_cast<double>(row), static_cast<double>(col)});
    const float expected = s.source.value(plane.to_space(centre));
    QVERIFY(std::abs(picture::value_at(image, row, col) - expected) < 1e-3);
    QVERIFY2(s.pane.value_text(at).startsWith(number_text(picture::value_at(image, row, col)) + " 1/mm"),
             qPrintable(s.pane.value_text(at)));
  }
  QVERIFY(s.pane.value_text({2, 2}).isEmpty());
}

// One bright voxel in the corner of largest x, y and z must be visible at the top right of every slice through it.
void ViewsSlicesTest::up_is_plus_y_and_plus_z() {
  for (const Orientation o : {Orientation::xy, Orientation::xz, Orientation::yz}) {
    Slice s(o);
    const Vec3 corner = s.source.grid().position(5, 7, 9);
    s.source.value = [corner](Vec3 p) { return norm(p - corner) < 1e-6 ? 1.0f : 0.0f; };
    s.state.set_crosshair(corner);
    s.state.set_levels(s.pane.output(), {0, 1}, LevelsMode::manual);
    const QImage clean = s.pane.exported(Annotation::clean);
    QCOMPARE(qGray(clean.pixel(clean.width() - 1, 0)), 255);
    QCOMPARE(qGray(clean.pixel(0, 0)), 0);
    QCOMPARE(qGray(clean.pixel(clean.width() - 1, clean.height() - 1)), 0);
    // On the screen too.
    const QRectF extent = s.pane.plane()->extent();
    const QPointF pixel = s.pane.to_widget(extent.topRight() + QPointF(-0.1, 0.1));
    QCOMPARE(qGray(s.pane.grab().toImage().pixel(pixel.toPoint())), 255);
  }
}

void ViewsSlicesTest::a_drag_moves_the_linked_crosshair() {
  Slice s(Orientation::xy);
  SlicePane other(s.source, s.state, "other", Orientation::yz);
  other.resize(300, 300);
  QVERIFY(test::open_window(other));
  const Grid all = s.source.grid();
  const PlaneView plane = *s.pane.plane();
  const Vec3 goal = all.position(2, 6, 8);
  drag(s.pane, Qt::LeftButton, {250, 200}, s.pane.to_widget(plane.to_pane(goal)).toPoint());
  QVERIFY(std::abs(s.state.crosshair().x - goal.x) < 0.02);
  QVERIFY(std::abs(s.state.crosshair().y - goal.y) < 0.02);
  QVERIFY(std::get<Grid>(s.source.asked["other"].back().region) == all.sub({0, 6}, {0, 8}, {8, 9}));
  // Within its own slice nothing needs to be asked again.
  const auto count = s.asked().size();
  drag(s.pane, Qt::LeftButton, {250, 200}, {280, 220});
  QCOMPARE(s.asked().size(), count);
  // It stays inside the volume.
  drag(s.pane, Qt::LeftButton, {250, 200}, {495, 5});
  const Vec3 last = all.position(0, 7, 9);
  QVERIFY(s.state.crosshair().x <= last.x + 1e-9 && s.state.crosshair().y <= last.y + 1e-9);
}

void ViewsSlicesTest::zoom_keeps_what_is_under_the_cursor() {
  Slice s(Orientation::xy);
  const QPointF at(320, 140);
  const QPointF before = s.pane.to_pane(at);
  const double scale = s.pane.scale().width();
  wheel(s.pane, at, 3, Qt::ControlModifier);
  QVERIFY(s.pane.scale().width() > 1.9 * scale);
  const QPointF after = s.pane.to_pane(at);
  QVERIFY(QLineF(before, after).length() < 1e-9);
  QTest::keyClick(&s.pane, Qt::Key_F);
  QCOMPARE(s.pane.scale().width(), scale);
}

void ViewsSlicesTest::the_middle_button_pans() {
  Slice s(Orientation::xy);
  const QPointF under = s.pane.to_pane(QPointF(200, 200));
  drag(s.pane, Qt::MiddleButton, {200, 200}, {260, 170});
  const QPointF now = s.pane.to_pane(QPointF(260, 170));
  QVERIFY(QLineF(under, now).length() < 1e-9);
}

void ViewsSlicesTest::the_right_button_sets_the_window_of_all_panes() {
  Slice s(Orientation::xy);
  s.state.set_levels(s.pane.output(), {0, 10}, LevelsMode::automatic);
  drag(s.pane, Qt::RightButton, {200, 200}, {200, 240});  // down: darker
  const picture::Levels levels = *s.state.levels(s.pane.output());
  QCOMPARE(levels.high - levels.low, 10.0);
  QCOMPARE(levels.low, 10.0 * 40 / test::pane_size.height());
  drag(s.pane, Qt::RightButton, {200, 200}, {300, 200});
  const picture::Levels wider = *s.state.levels(s.pane.output());
  QCOMPARE(wider.high - wider.low, 10 * std::exp(2 * 100.0 / test::pane_size.width()));
  QVERIFY(s.state.levels_mode(s.pane.output()) == LevelsMode::manual);
}

void ViewsSlicesTest::automatic_window_comes_back() {
  Slice s(Orientation::xy);
  const picture::Levels first = *s.state.levels(s.pane.output());
  const auto& pixels = s.pane.picture()->image->pixels;
  const auto [low, high] = std::minmax_element(pixels.begin(), pixels.end());
  QVERIFY(first.low >= *low && first.high <= *high && first.high > first.low);
  s.state.set_levels(s.pane.output(), {-5, 5}, LevelsMode::manual);
  wheel(s.pane, {200, 200}, 1);
  QVERIFY((*s.state.levels(s.pane.output()) == picture::Levels{-5, 5}));  // a person's window stays
  wheel(s.pane, {200, 200}, -1);
  QTest::keyClick(&s.pane, Qt::Key_A);
  QVERIFY(*s.state.levels(s.pane.output()) == first);
}

void ViewsSlicesTest::coarse_comes_first_and_old_images_are_dropped() {
  Slice s(Orientation::xy);
  s.source.set_grid(Grid::cubic(6, 18, 18, 0.5));
  s.source.answers = false;
  s.pane.refresh();
  const live::PictureRequest old = s.asked().back();
  const double sharp_width = s.pane.plane()->extent().width();
  Q_EMIT s.source.picture_ready("pane", s.source.answer(old, 4));
  QCOMPARE(s.pane.picture()->level, int64_t{4});
  QCOMPARE(s.pane.state_caption().front().text, QString(" · coarse 1:4"));
  // Coarse pixels cover the same area.
  const QPointF left = s.pane.from_pixel({0, -0.5}), right = s.pane.from_pixel({0, 4.5});
  QCOMPARE(right.x() - left.x(), sharp_width);
  QCOMPARE(left.x(), -sharp_width / 2);
  s.pane.refresh();
  const live::PictureRequest now = s.asked().back();
  QVERIFY(now.ticket > old.ticket);
  QCOMPARE(s.pane.state_caption().front().text, QString(" · computing"));
  QVERIFY(!s.pane.is_current());
  Q_EMIT s.source.picture_ready("pane", s.source.answer(now));
  QCOMPARE(s.pane.state_caption().front().text, QString(" · live"));
  Q_EMIT s.source.picture_ready("pane", s.source.answer(old, 4));  // too late
  QCOMPARE(s.pane.picture()->level, int64_t{1});
  Q_EMIT s.source.picture_ready("another", s.source.answer(now, 4));
  QCOMPARE(s.pane.picture()->level, int64_t{1});
}

void ViewsSlicesTest::a_change_makes_the_image_stale() {
  Slice s(Orientation::xy);
  QCOMPARE(s.pane.state_caption().size(), std::size_t{1});
  s.source.node_status.state = live::State::stale;
  Q_EMIT s.source.status_changed("flat");
  QCOMPARE(s.pane.state_caption().size(), std::size_t{1});
  Q_EMIT s.source.status_changed("fbp");
  QCOMPARE(s.pane.state_caption().back().text, QString(" · stale"));
  // The request stands: the new image comes by itself. Another grid is requested again.
  const auto count = s.asked().size();
  Q_EMIT s.source.infos_changed();
  QCOMPARE(s.asked().size(), count);
  Q_EMIT s.source.picture_ready("pane", s.source.answer(s.asked().back()));
  QCOMPARE(s.pane.state_caption().size(), std::size_t{1});
  s.source.set_grid(Grid::cubic(4, 4, 4, 1));
  Q_EMIT s.source.infos_changed();
  QCOMPARE(s.asked().size(), count + 1);
}

void ViewsSlicesTest::work_that_takes_long_says_how_far_it_is() {
  Slice s(Orientation::xy);
  QVERIFY(s.opened);
  const auto caption = [&] {
    QString text;
    for (const CaptionPart& part : s.pane.state_caption()) text += part.text;
    return text;
  };
  QVERIFY(!caption().contains('%'));
  s.source.node_status.state = live::State::running;
  s.source.node_status.fraction = 0.4;
  s.source.node_status.seconds_left = 12;
  QVERIFY(!caption().contains('%'));  // the image is there: the work is for another one
  s.source.answers = false;
  wheel(s.pane, {250, 200}, 1);
  QVERIFY2(caption().endsWith(" · computing · 40 % · 12 s left"), qPrintable(caption()));
  Q_EMIT s.source.picture_ready(s.pane.view(), s.source.answer(s.asked().back(), 2));
  QVERIFY2(caption().endsWith(" · coarse 1:2 · 40 % · 12 s left"), qPrintable(caption()));
  s.source.node_status.fraction = -1;  // per cent are not known
  QVERIFY(!caption().contains('%'));
}

void ViewsSlicesTest::a_failure_is_reported() {
  Slice s(Orientation::xy);
  live::Picture failed = s.source.answer(s.asked().back());
  failed.image = nullptr;
  failed.error = invalid("the detector has no rows");
  Q_EMIT s.source.picture_ready("pane", failed);
  QCOMPARE(s.pane.state_caption().front().text, QString(" · failed"));
  QVERIFY(s.pane.state_caption().front().color == Token::error);
}

void ViewsSlicesTest::the_scale_bar_is_as_long_as_it_says() {
  Slice s(Orientation::xy);
  QStringList texts;
  for (const int notches : {0, 8, 10}) {
    wheel(s.pane, {250, 200}, notches, Qt::ControlModifier);
    const ImagePane::ScaleBar bar = s.pane.scale_bar();
    const double mm = QLineF(s.pane.to_pane({0, 0}), s.pane.to_pane({bar.length, 0})).length();
    QVERIFY(std::abs(mm - bar.value) < 1e-9 * bar.value);
    QVERIFY(bar.length > 45 && bar.length <= 120);
    QCOMPARE(bar.text, length_text(bar.value));
    texts << bar.text;
  }
  QCOMPARE(texts, QStringList({"1 mm", "200 µm", "20 µm"}));
}

void ViewsSlicesTest::without_a_pixel_size_lengths_are_pixels() {
  Slice s(Orientation::xy);
  QVERIFY(s.pane.scale_bar().text.endsWith(" mm"));
  s.source.set_grid(Grid::cubic(6, 80, 100, 1));
  std::get<VolumeInfo>(s.source.infos.at("fbp.volume")).voxel_size = Origin::guessed;
  Q_EMIT s.source.infos_changed();
  QVERIFY2(s.pane.scale_bar().text.endsWith(" px"), qPrintable(s.pane.scale_bar().text));
  QVERIFY2(s.pane.value_text({250, 200}).contains(" 1/px at"), qPrintable(s.pane.value_text({250, 200})));
}

void ViewsSlicesTest::pixels_that_are_nan_are_marked() {
  Slice s(Orientation::xy);
  s.source.value = [](Vec3 p) { return p.x > 0 ? std::numeric_limits<float>::quiet_NaN() : 1.0f; };
  s.pane.refresh();
  const QImage clean = s.pane.exported(Annotation::clean);
  QCOMPARE(clean.pixelColor(9, 0).rgb(), Theme::instance().color(Token::learnable).rgb());
  QVERIFY(clean.pixelColor(0, 0).rgb() != clean.pixelColor(9, 0).rgb());
  QVERIFY2(s.pane.value_text(s.pane.to_widget({1, 0})).startsWith("NaN"), "the value under the cursor");
  const picture::Levels levels = *s.state.levels(s.pane.output());
  QVERIFY(std::isfinite(levels.low) && std::isfinite(levels.high));
  QVERIFY(std::isnan(s.pane.picture()->image->pixels[9]));
}

void ViewsSlicesTest::hidden_panes_ask_for_nothing() {
  Slice s(Orientation::xy);
  s.pane.hide();
  QCOMPARE(s.source.forgotten.back(), QString("pane"));
  const auto count = s.asked().size();
  s.state.set_crosshair(s.source.grid().position(0, 0, 0));
  QCOMPARE(s.asked().size(), count);
  s.pane.show();
  QVERIFY(s.asked().size() > count);
  QVERIFY(s.last_grid() == s.source.grid().slab({0, 1}));
}

TL_TEST_CASE(ViewsSlicesTest)
}  // namespace tl::ui::views_slices_test

#include "slices.moc"
