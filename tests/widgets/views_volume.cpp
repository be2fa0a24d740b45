// VolumePane: renders a non-empty picture, rotates, shows surfaces, clips, and requests only volumes of limited size.
#include <QProcess>
#include <QSignalSpy>
#include <QSlider>
#include <QToolButton>
#include <cmath>

#include "tests/support/fake_pictures.h"
#include "tests/support/gui_main.h"
#include "tests/support/window.h"
#include "widgets/views/views_area.h"
#include "widgets/views/volume/volume_bar.h"
#include "widgets/views/volume/volume_pane.h"

namespace tl::ui {

class ViewsVolumeTest final : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void it_paints_and_turns();
  void up_in_space_is_up_in_the_picture();
  void the_surface_follows_its_value();
  void a_clip_box_takes_voxels_away();
  void handles_of_the_clip_box_are_dragged();
  void the_camera_projects_as_the_picture_shows();
  void it_asks_for_a_small_box_until_the_volume_exists();
  void thin_volumes_are_told();
  void it_lives_in_the_area();
  void no_other_qt_is_loaded();
};

namespace {

// A ball, off the middle: to the right, to the back, high up.
struct Scene {
  Scene() : state(source) {
    source.set_grid(VolumeGrid::cubic(32, 40, 48, 0.1));
    source.value = [](Vec3 p) { return norm(p - Vec3{1.2, 0.6, 0.9}) < 0.6 ? 1.0F : 0.0F; };
    state.set_levels({"fbp", "volume"}, {0, 1}, LevelsMode::manual);
    state.set_color_map(ColorMap::magma);
  }
  void show(VolumePane& pane) {
    pane.resize(360, 300);
    QVERIFY(test::open_window(pane));
    settle(pane);
  }
  // Until the good picture after the last change is there.
  static void settle(VolumePane& pane) {
    QTRY_VERIFY_WITH_TIMEOUT(pane.is_settled(), 20000);
    QCOMPARE(pane.image().size(), pane.size());
  }
  test::FakePictures source;
  ViewState state;
};

// Pixels that are clearly not background, and their middle.
struct Seen {
  int64_t count = 0;
  QPointF middle;
};
Seen seen(const QImage& image) {
  Seen s;
  for (int y = 0; y < image.height(); ++y)
    for (int x = 0; x < image.width(); ++x)
      if (qGray(image.pixel(x, y)) > 90) {
        ++s.count;
        s.middle += QPointF(x, y);
      }
  if (s.count > 0) s.middle /= static_cast<double>(s.count);
  return s;
}

}  // namespace

void ViewsVolumeTest::it_paints_and_turns() {
  Scene s;
  VolumePane pane(s.source, s.state, "3d");
  s.show(pane);
  const Seen first = seen(pane.image());
  QVERIFY2(first.count > 500, qPrintable(QString::number(first.count)));
  QTest::mousePress(&pane, Qt::LeftButton, {}, {180, 150});
  const QPointF to(260, 150);
  QMouseEvent move(QEvent::MouseMove, to, pane.mapToGlobal(to), Qt::NoButton, Qt::LeftButton, {});
  QApplication::sendEvent(&pane, &move);
  QTest::mouseRelease(&pane, Qt::LeftButton, {}, {260, 150});
  Scene::settle(pane);
  const Seen turned = seen(pane.image());
  QVERIFY(turned.count > 500);
  QVERIFY(QLineF(first.middle, turned.middle).length() > 5);
  QTest::keyClick(&pane, Qt::Key_F);
  Scene::settle(pane);
  QVERIFY(QLineF(first.middle, seen(pane.image()).middle).length() < 1);
  QTest::keyClick(&pane, Qt::Key_Plus);
  Scene::settle(pane);
  QVERIFY(seen(pane.image()).count > first.count);
}

void ViewsVolumeTest::up_in_space_is_up_in_the_picture() {
  Scene s;
  VolumePane pane(s.source, s.state, "3d");
  s.show(pane);
  // From the front (along +y) and level: x to the right, z upwards.
  pane.rotate_by(-pane.scene().turn, -pane.scene().rise);
  Scene::settle(pane);
  const Seen ball = seen(pane.image());
  QVERIFY(ball.count > 300);
  QVERIFY2(ball.middle.x() > 200 && ball.middle.y() < 130,
           qPrintable(QStringLiteral("%1, %2").arg(ball.middle.x()).arg(ball.middle.y())));
}

void ViewsVolumeTest::the_surface_follows_its_value() {
  Scene s;
  // Values fall with the distance, so that a higher value has a smaller surface.
  s.source.value = [](Vec3 p) { return static_cast<float>(1.5 - norm(p)); };
  VolumePane pane(s.source, s.state, "3d");
  s.show(pane);
  QTest::keyClick(&pane, Qt::Key_I);
  QVERIFY(pane.scene().style == VolumeStyle::surface);
  Scene::settle(pane);
  const auto large = seen(pane.image()).count;
  QVERIFY(large > 500);
  pane.set_surface_at(0.8);
  Scene::settle(pane);
  const auto small = seen(pane.image()).count;
  QVERIFY(small > 50 && small < large);
}

void ViewsVolumeTest::a_clip_box_takes_voxels_away() {
  Scene s;
  VolumePane pane(s.source, s.state, "3d");
  VolumeBar bar(pane);
  s.show(pane);
  QVERIFY(test::open_window(bar));
  const auto all = seen(pane.image()).count;
  for (QSlider* slider : bar.findChildren<QSlider*>())
    if (slider->accessibleName() == "Keep up to this x") slider->setValue(slider->maximum() * 3 / 4);
  QCOMPARE(pane.scene().clip[1], 0.75);
  Scene::settle(pane);
  const auto cut = seen(pane.image()).count;
  QVERIFY2(cut < all && cut > 0, qPrintable(QStringLiteral("%1 of %2").arg(cut).arg(all)));
  for (QSlider* slider : bar.findChildren<QSlider*>())
    if (slider->accessibleName() == "Keep up to this x") slider->setValue(slider->maximum() / 4);
  Scene::settle(pane);
  QCOMPARE(seen(pane.image()).count, int64_t{0});
}

void ViewsVolumeTest::handles_of_the_clip_box_are_dragged() {
  constexpr std::size_t high_x = 1;
  Scene s;
  VolumePane pane(s.source, s.state, "3d");
  VolumeBar bar(pane);
  s.show(pane);
  QVERIFY(!pane.handles());
  QVERIFY(test::open_window(bar));
  for (QToolButton* button : bar.findChildren<QToolButton*>())
    if (button->text() == "Clip") QTest::mouseClick(button, Qt::LeftButton);
  QVERIFY(pane.handles());
  const ClipHandles before = *pane.handles();
  const QPoint grip = before.place(high_x, pane.size()).toPoint();
  QCOMPARE(before.at(grip, pane.size()), high_x);
  // Towards the opposite face: a third of the way.
  const QPointF way = before.place(0, pane.size()) - before.place(high_x, pane.size());
  const double turn = pane.scene().turn;
  QTest::mousePress(&pane, Qt::LeftButton, {}, grip);
  for (int i = 1; i <= 8; ++i) QTest::mouseMove(&pane, grip + (way * i / 24).toPoint());
  QTest::mouseRelease(&pane, Qt::LeftButton, {}, grip + (way / 3).toPoint());
  test::keep_picture(pane, "clip_handles");
  QCOMPARE(pane.scene().turn, turn);  // a handle does not turn the volume
  const double kept = pane.scene().clip[high_x];
  QVERIFY2(std::abs(kept - 2.0 / 3) < 0.08, qPrintable(QString::number(kept)));  // perspective: not exactly linear
  for (QSlider* slider : bar.findChildren<QSlider*>())
    if (slider->accessibleName() == "Keep up to this x")
      QVERIFY(std::abs(slider->value() / static_cast<double>(slider->maximum()) - kept) < 0.01);
}

void ViewsVolumeTest::the_camera_projects_as_the_picture_shows() {
  constexpr double tolerance = 6;  // px: the ball's edge is a voxel wide
  Scene s;
  VolumePane pane(s.source, s.state, "3d");
  s.show(pane);
  const Vec3 edges{4.7, 3.9, 3.1};  // from the first to the last voxel
  const QPointF ball = VolumeCamera::of(pane.scene(), edges).project({1.2, 0.6, 0.9}, pane.size());
  const QPointF middle = seen(pane.image()).middle;
  QVERIFY2(std::hypot(ball.x() - middle.x(), ball.y() - middle.y()) < tolerance,
           qPrintable(QStringLiteral("%1 %2, %3 %4").arg(ball.x()).arg(ball.y()).arg(middle.x()).arg(middle.y())));
}

void ViewsVolumeTest::it_asks_for_a_small_box_until_the_volume_exists() {
  Scene s;
  s.source.answers = false;
  s.source.set_grid(VolumeGrid::cubic(300, 300, 300, 0.1));
  VolumePane pane(s.source, s.state, "3d");
  pane.resize(200, 200);
  QVERIFY(test::open_window(pane));
  const auto asked = [&] { return std::get<VolumeGrid>(s.source.asked["3d"].back().region); };
  QVERIFY(asked() == s.source.grid().binned(3));
  s.source.node_status.state = live::State::current;
  Q_EMIT s.source.status_changed("fbp");
  QVERIFY(asked() == s.source.grid());
}

void ViewsVolumeTest::thin_volumes_are_told() {
  Scene s;
  s.source.set_grid(VolumeGrid::cubic(1, 300, 300, 0.1));
  VolumePane pane(s.source, s.state, "3d");
  pane.resize(200, 200);
  QVERIFY(test::open_window(pane));
  QVERIFY(s.source.asked["3d"].empty());
  QVERIFY(pane.image().isNull());
}

void ViewsVolumeTest::it_lives_in_the_area() {
  Scene s;
  ViewsArea views(s.source);
  views.state().set_levels({"fbp", "volume"}, {0, 1}, LevelsMode::manual);
  views.set_layout(ViewsLayout::see);
  views.resize(1000, 700);
  QVERIFY(test::open_window(views));
  auto* pane = qobject_cast<VolumePane*>(views.cell(3).pane());
  QVERIFY(pane != nullptr);
  Scene::settle(*pane);
  test::keep_picture(views, "see_3d", 0);
  // Away and back again while pictures are under way.
  for (int i = 0; i < 5; ++i) {
    views.set_layout(i % 2 == 0 ? ViewsLayout::small : ViewsLayout::see);
    test::handle_queued_events();
  }
}

void ViewsVolumeTest::no_other_qt_is_loaded() {
  QProcess ldd;
  ldd.start("ldd", {QCoreApplication::applicationFilePath()});
  QVERIFY(ldd.waitForFinished());
  const QByteArray libraries = ldd.readAllStandardOutput();
  QVERIFY(libraries.contains("libvtkRenderingVolumeOpenGL2"));
  QVERIFY(libraries.contains("libQt6Widgets"));
  QVERIFY(
      !libraries.contains("libQt"
                          "5"));
}

}  // namespace tl::ui

TL_GUI_TEST_MAIN(tl::ui::ViewsVolumeTest)
#include "views_volume.moc"
