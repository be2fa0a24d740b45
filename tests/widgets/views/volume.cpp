// VolumePane: renders a non-empty image, rotates, shows surfaces, clips, and requests only volumes of limited size.
#include <QComboBox>
#include <QProcess>
#include <QSignalSpy>
#include <QSlider>
#include <QToolButton>
#include <cmath>

#include "tests/support/gui/fake_pictures.h"
#include "tests/support/gui/volume_scene.h"
#include "tests/support/gui/window.h"
#include "tests/support/test_case.h"
#include "widgets/text/entry_line.h"
#include "widgets/views/views_area.h"
#include "widgets/views/volume/range_slider.h"
#include "widgets/views/volume/volume_bar.h"
#include "widgets/views/volume/volume_pane.h"

namespace tl::ui::views_volume_test {

using Scene = test::VolumeScene;
using test::bright_pixels;
using test::BrightPixels;

class ViewsVolumeTest final : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void it_paints_and_turns();
  void the_surface_follows_its_value();
  void a_clip_box_takes_voxels_away();
  void handles_of_the_clip_box_are_dragged();
  void it_asks_for_a_small_box_until_the_volume_exists();
  void thin_volumes_are_reported();
  void a_ball_has_no_rings();
  void the_box_hides_nothing_and_is_hidden_behind_the_object();
  void presets_fit_any_scale_of_values();
  void the_automatic_tint_shows_the_object_and_what_is_in_it();
  void the_panel_is_in_the_area();
  void no_other_qt_is_loaded();
};

void ViewsVolumeTest::it_paints_and_turns() {
  Scene s;
  VolumePane pane(s.source, s.state, "3d");
  s.show(pane);
  const BrightPixels first = bright_pixels(pane.image());
  QVERIFY2(first.count > 500, qPrintable(QString::number(first.count)));
  QTest::mousePress(&pane, Qt::LeftButton, {}, {180, 150});
  const QPointF to(260, 150);
  QMouseEvent move(QEvent::MouseMove, to, pane.mapToGlobal(to), Qt::NoButton, Qt::LeftButton, {});
  QApplication::sendEvent(&pane, &move);
  QTest::mouseRelease(&pane, Qt::LeftButton, {}, {260, 150});
  Scene::settle(pane);
  const BrightPixels turned = bright_pixels(pane.image());
  QVERIFY(turned.count > 500);
  QVERIFY(QLineF(first.middle, turned.middle).length() > 5);
  QTest::keyClick(&pane, Qt::Key_F);
  Scene::settle(pane);
  QVERIFY(QLineF(first.middle, bright_pixels(pane.image()).middle).length() < 1);
  QTest::keyClick(&pane, Qt::Key_Plus);
  Scene::settle(pane);
  QVERIFY(bright_pixels(pane.image()).count > first.count);
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
  const auto large = bright_pixels(pane.image()).count;
  QVERIFY(large > 500);
  pane.set_surface_at(0.8);
  Scene::settle(pane);
  const auto small = bright_pixels(pane.image()).count;
  QVERIFY(small > 50 && small < large);
}

void ViewsVolumeTest::a_clip_box_takes_voxels_away() {
  Scene s;
  VolumePane pane(s.source, s.state, "3d");
  VolumeBar bar(pane);
  s.show(pane);
  QVERIFY(test::open_window(bar));
  const auto all = bright_pixels(pane.image()).count;
  for (QSlider* slider : bar.findChildren<QSlider*>())
    if (slider->accessibleName() == "Keep up to this x") slider->setValue(slider->maximum() * 3 / 4);
  QCOMPARE(pane.scene().clip[1], 0.75);
  Scene::settle(pane);
  const auto cut = bright_pixels(pane.image()).count;
  QVERIFY2(cut < all && cut > 0, qPrintable(QStringLiteral("%1 of %2").arg(cut).arg(all)));
  for (QSlider* slider : bar.findChildren<QSlider*>())
    if (slider->accessibleName() == "Keep up to this x") slider->setValue(slider->maximum() / 4);
  Scene::settle(pane);
  QCOMPARE(bright_pixels(pane.image()).count, int64_t{0});
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
  const QPoint grip = before.handle_position(high_x, pane.size()).toPoint();
  QCOMPARE(before.at(grip, pane.size()), high_x);
  // Towards the opposite face: a third of the way.
  const QPointF way = before.handle_position(0, pane.size()) - before.handle_position(high_x, pane.size());
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

void ViewsVolumeTest::it_asks_for_a_small_box_until_the_volume_exists() {
  Scene s;
  s.source.answers = false;
  s.source.set_grid(VolumeGrid::cubic(300, 300, 300, 0.1));
  VolumePane pane(s.source, s.state, "3d");
  pane.resize(200, 200);
  QVERIFY(test::open_window(pane));
  const auto asked = [&] { return std::get<VolumeGrid>(s.source.asked["3d"].back().region); };
  QVERIFY(asked() == s.source.grid().binned(3));
  // All of it when nothing else is to be done.
  QVERIFY(s.source.asked["3d"].back().finer == Region(s.source.grid()));
  s.source.node_status.state = live::State::current;
  s.source.node_status.whole = true;
  Q_EMIT s.source.status_changed("fbp");
  QVERIFY(asked() == s.source.grid());
  QVERIFY(!s.source.asked["3d"].back().finer);
}

void ViewsVolumeTest::thin_volumes_are_reported() {
  Scene s;
  s.source.set_grid(VolumeGrid::cubic(1, 300, 300, 0.1));
  VolumePane pane(s.source, s.state, "3d");
  pane.resize(200, 200);
  QVERIFY(test::open_window(pane));
  QVERIFY(s.source.asked["3d"].empty());
  QVERIFY(pane.image().isNull());
}

// The image of a smooth ball is smooth: within it, brightness differs from that of its neighbourhood by noise alone.
void ViewsVolumeTest::a_ball_has_no_rings() {
  // Grey levels. Measured: 2.8; with the voxels as they are 18.7, and 18.3 if rays are jittered but voxels not
  // smoothed.
  constexpr double max_roughness = 5;
  Scene s;
  s.source.set_grid(VolumeGrid::cubic(64, 64, 64, 0.1));
  s.source.value = [](Vec3 p) { return norm(p) < 2.4 ? 1.0F : 0.0F; };
  s.state.set_volume_color_map(ColorMap::grey);
  s.state.set_opacity({{0, 0}, {0.3, 0}, {0.7, 0.35}, {1, 0.8}});
  VolumePane pane(s.source, s.state, "3d");
  s.show(pane);
  test::keep_picture(pane, "ball", 0);
  const QImage& image = pane.image();
  const BrightPixels ball = bright_pixels(image);
  QVERIFY(ball.count > 5000);
  // Second differences over three pixels along both axes, in the inner half of the ball.
  const double radius = 0.5 * std::sqrt(static_cast<double>(ball.count) / 3.14159);
  double sum = 0;
  int64_t count = 0;
  constexpr int apart = 3;
  for (int y = 0; y < image.height(); ++y)
    for (int x = 0; x < image.width(); ++x) {
      if (std::hypot(x - ball.middle.x(), y - ball.middle.y()) > radius) continue;
      const auto gray = [&](int dx, int dy) { return static_cast<double>(qGray(image.pixel(x + dx, y + dy))); };
      const double across = gray(-apart, 0) + gray(apart, 0) - 2 * gray(0, 0);
      const double down = gray(0, -apart) + gray(0, apart) - 2 * gray(0, 0);
      sum += across * across + down * down;
      count += 2;
    }
  const double roughness = std::sqrt(sum / static_cast<double>(count) / 6);  // 6: of independent noise
  QVERIFY2(roughness < max_roughness, qPrintable(QString::number(roughness)));
}

void ViewsVolumeTest::the_box_hides_nothing_and_is_hidden_behind_the_object() {
  Scene s;
  s.source.set_grid(VolumeGrid::cubic(48, 48, 48, 0.1));
  s.source.value = [](Vec3 p) { return norm(p) < 2.2 ? 1.0F : 0.0F; };
  s.state.set_opacity({{0, 0}, {0.3, 0}, {0.5, 1}, {1, 1}});
  s.state.set_volume_color_map(ColorMap::grey);
  VolumePane pane(s.source, s.state, "3d");
  s.show(pane);
  test::keep_picture(pane, "box", 0);
  const double half = 0.5 * 4.7;
  const VolumeCamera camera = VolumeCamera::of(pane.scene(), {2 * half, 2 * half, 2 * half});
  const QColor ground = pane.scene().background;
  const auto color_at_point = [&](Vec3 p) {
    const QPointF at = camera.project(p, pane.size());
    return QColor(pane.image().pixel(at.toPoint()));
  };
  // The camera is in front, to the right and above: the corner at low x, high y, low z is the far one.
  const Vec3 far_corner{-half, half, -half}, near_corner{half, -half, half};
  QVERIFY(norm(camera.eye - near_corner) < norm(camera.eye - far_corner));
  const auto ball = qGray(color_at_point({0, 0, 0}).rgb());
  QVERIFY(ball > 120);
  int hidden = 0, shown = 0;
  for (const Vec3 along : {Vec3{1, 0, 0}, Vec3{0, -1, 0}, Vec3{0, 0, 1}})
    for (int i = 0; i <= 20; ++i) {
      const Vec3 p = far_corner + (2 * half * i / 20) * along;
      // The ball covers it if the ray passes its middle by less than its radius.
      const Vec3 ray = (1 / norm(p - camera.eye)) * (p - camera.eye);
      const double miss = norm(cross(ray, Vec3{} - camera.eye));
      const QColor color = color_at_point(p);
      if (miss < 1.9) {
        ++hidden;
        // As bright as the shaded ball, not as the line: no step against the pixels next to it.
        const QPointF at = camera.project(p, pane.size());
        const auto gray = [&](QPointF off) { return qGray(pane.image().pixel((at + off).toPoint())); };
        const int neighbour = (gray({4, 4}) + gray({-4, -4})) / 2;
        QVERIFY2(std::abs(qGray(color.rgb()) - neighbour) < 25, qPrintable(QString::number(i)));
      } else if (miss > 2.5) {
        ++shown;
        int most = 0;  // the line is one pixel wide and smoothed
        const QPoint at = camera.project(p, pane.size()).toPoint();
        for (const QPoint off : {QPoint(0, 0), QPoint(-1, 0), QPoint(0, -1), QPoint(-1, -1)})
          most = std::max(most, std::abs(qGray(pane.image().pixel(at + off)) - qGray(ground.rgb())));
        QVERIFY2(most > 15, qPrintable(QString::number(i)));
      }
    }
  QVERIFY(hidden > 5);
  QVERIFY(shown > 5);
}

// A preset shows the same for counts and for attenuation: it follows the object's values, not the window.
void ViewsVolumeTest::presets_fit_any_scale_of_values() {
  std::vector<BrightPixels> all;
  for (const float scale : {1.0F, 1e-4F, 3e4F}) {
    Scene s;
    s.source.value = [scale](Vec3 p) {
      const double r = norm(p);
      return scale * (r < 0.7 ? 2.0F : r < 1.3 ? 1.0F : 0.1F);
    };
    s.state.set_levels({"fbp", "volume"}, {0, 1e-9}, LevelsMode::manual);  // a useless window
    VolumePane pane(s.source, s.state, "3d");
    VolumeBar bar(pane);
    auto* choice = bar.findChild<QComboBox*>();
    choice->setCurrentIndex(choice->findData("tooth"));
    Q_EMIT choice->activated(choice->currentIndex());
    QCOMPARE(s.state.volume_preset(), QString("tooth"));
    s.show(pane);
    all.push_back(bright_pixels(pane.image()));
  }
  QVERIFY(all[0].count > 2000);
  for (const BrightPixels& one : all) QVERIFY(std::abs(one.count - all[0].count) < all[0].count / 50);
  // Editing the opacity in the histogram takes over again.
  Scene s;
  s.state.set_volume_preset("bone");
  s.state.set_opacity({{0, 0}, {1, 1}});
  QVERIFY(s.state.volume_preset().isEmpty());
}

// A dense ball in a larger one of usual values in noise: both are visible, whatever the scale of the values and the
// window.
void ViewsVolumeTest::the_automatic_tint_shows_the_object_and_what_is_in_it() {
  for (const float scale : {1.0F, 1e-4F, 3e4F}) {
    Scene s;
    s.source.set_grid(VolumeGrid::cubic(64, 64, 64, 0.1));
    std::uint32_t state = 1;
    s.source.value = [scale, &state](Vec3 p) {
      state = 1664525 * state + 1013904223;
      const float noise = 0.1F * (static_cast<float>(state >> 8) / static_cast<float>(1 << 24) - 0.5F);
      const double r = norm(p);
      return scale * (noise + (r < 0.5 ? 1.0F : r < 2.4 ? 0.35F : 0.0F));
    };
    s.state.set_levels({"fbp", "volume"}, {0, 1e-9}, LevelsMode::manual);  // a useless window
    s.state.set_volume_color_map(ColorMap::grey);
    VolumePane pane(s.source, s.state, "3d");
    s.show(pane);
    test::keep_picture(pane, QStringLiteral("automatic_%1").arg(static_cast<double>(scale)), 0);
    const QPoint middle = pane.rect().center();
    const auto gray = [&](QPoint off) {
      int sum = 0;
      for (int dy = -2; dy <= 2; ++dy)
        for (int dx = -2; dx <= 2; ++dx) sum += qGray(pane.image().pixel(middle + off + QPoint(dx, dy)));
      return sum / 25;
    };
    const int ground = qGray(pane.scene().background.rgb()), object = gray({55, 0}), dense = gray({0, 0});
    QVERIFY2(object > ground + 40, qPrintable(QStringLiteral("%1 over %2").arg(object).arg(ground)));
    QVERIFY2(dense > object + 40, qPrintable(QStringLiteral("%1 over %2").arg(dense).arg(object)));
  }
}

// Not the box: a small object in a large field is seen as large as one that fills it. Values that change move no
// camera.
void ViewsVolumeTest::the_panel_is_in_the_area() {
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
  // Away and back again while images are under way.
  for (int i = 0; i < 5; ++i) {
    views.set_layout(i % 2 == 0 ? ViewsLayout::small : ViewsLayout::see);
    test::handle_queued_events();
  }
}

void ViewsVolumeTest::no_other_qt_is_loaded() {
  QProcess ldd;
  ldd.start("ldd", {QCoreApplication::applicationFilePath()});
  QVERIFY(ldd.waitForFinished(test::patience_ms));
  const QByteArray libraries = ldd.readAllStandardOutput();
  QVERIFY(libraries.contains("libvtkRenderingVolumeOpenGL2"));
  QVERIFY(libraries.contains("libQt6Widgets"));
  QVERIFY(
      !libraries.contains("libQt"
                          "5"));
}

TL_TEST_CASE(ViewsVolumeTest)

}  // namespace tl::ui::views_volume_test

#include "volume.moc"
