// The camera of the 3D view: which way it looks, what fills the image, and how long its scale bar is.
#include <QLineF>

#include "tests/support/gui/volume_scene.h"
#include "tests/support/test_case.h"
#include "widgets/views/scene/volume_camera.h"
#include "widgets/views/volume/orientation_cube.h"

namespace tl::ui::views_volume_camera_test {

using Scene = test::VolumeScene;
using test::bright_pixels;
using test::BrightPixels;

class ViewsVolumeCameraTest final : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void up_in_space_is_up_in_the_image();
  void the_camera_projects_as_the_image_shows();
  void a_click_on_the_cube_turns_to_that_side();
  void the_scale_bar_has_the_length_it_says();
  void the_object_fills_the_image();
};

namespace {

const Vec3 box_edges{4.7, 3.9, 3.1};  // of the scene, from the first to the last voxel [mm]

// Where the image shows the centre of the box.
QPointF box_centre(const VolumePane& pane) {
  return VolumeCamera::of(pane.scene(), box_edges).project({}, pane.size());
}

}  // namespace

void ViewsVolumeCameraTest::up_in_space_is_up_in_the_image() {
  Scene s;
  VolumePane pane(s.source, s.state, "3d");
  s.show(pane);
  // From the front (along +y) and level: x to the right, z upwards.
  pane.rotate_by(-pane.scene().turn, -pane.scene().rise);
  Scene::settle(pane);
  const BrightPixels ball = bright_pixels(pane.image());
  QVERIFY(ball.count > 300);
  const QPointF from_centre = ball.middle - box_centre(pane);
  QVERIFY2(from_centre.x() > 20 && from_centre.y() < -20,
           qPrintable(QStringLiteral("%1, %2").arg(from_centre.x()).arg(from_centre.y())));
}

void ViewsVolumeCameraTest::the_camera_projects_as_the_image_shows() {
  constexpr double tolerance = 6;  // px: the ball's edge is a voxel wide
  Scene s;
  VolumePane pane(s.source, s.state, "3d");
  s.show(pane);
  const QPointF ball = VolumeCamera::of(pane.scene(), box_edges).project({1.2, 0.6, 0.9}, pane.size());
  const QPointF middle = bright_pixels(pane.image()).middle;
  QVERIFY2(std::hypot(ball.x() - middle.x(), ball.y() - middle.y()) < tolerance,
           qPrintable(QStringLiteral("%1 %2, %3 %4").arg(ball.x()).arg(ball.y()).arg(middle.x()).arg(middle.y())));
}

void ViewsVolumeCameraTest::a_click_on_the_cube_turns_to_that_side() {
  Scene s;
  VolumePane pane(s.source, s.state, "3d");
  s.show(pane);
  const QPointF middle = pane.cube().area.center();
  QCOMPARE(pane.cube().face_at(middle + QPointF(0, -20)), std::optional<std::size_t>(5));
  QTest::mouseClick(&pane, Qt::LeftButton, {}, (middle + QPointF(0, -20)).toPoint());
  QVERIFY(pane.scene().rise > 1.5);
  Scene::settle(pane);
  // From above, x runs to the right and y upwards: the ball is at the upper right.
  const QPointF ball = bright_pixels(pane.image()).middle - box_centre(pane);
  QVERIFY(ball.x() > 10 && ball.y() < -5);
  QTest::keyClick(&pane, Qt::Key_X);
  QCOMPARE(pane.scene().rise, 0.0);
  Scene::settle(pane);
  test::keep_picture(pane, "looking_along_x", 0);
  const OrientationCube cube = pane.cube();
  QCOMPARE(cube.face_at(cube.area.center()), std::optional<std::size_t>(1));
  QVERIFY(!cube.face_at(cube.area.topLeft() - QPointF(5, 5)));
}

void ViewsVolumeCameraTest::the_scale_bar_has_the_length_it_says() {
  Scene s;
  VolumePane pane(s.source, s.state, "3d");
  s.show(pane);
  const ImagePane::ScaleBar bar = pane.scale_bar();
  QVERIFY(bar.length > 20 && bar.length <= 121);
  QVERIFY2(bar.text.endsWith("mm") || bar.text.endsWith("µm"), qPrintable(bar.text));
  const VolumeCamera camera = VolumeCamera::of(pane.scene(), box_edges);
  const QPointF from = camera.project(camera.focus, pane.size()),
                to = camera.project(camera.focus + bar.value * camera.right, pane.size());
  QVERIFY(std::abs(QLineF(from, to).length() - bar.length) < 1);
  pane.zoom_by(4);
  QVERIFY(pane.scale_bar().value < bar.value);
}

void ViewsVolumeCameraTest::the_object_fills_the_image() {
  Scene s;
  VolumePane pane(s.source, s.state, "3d");
  s.show(pane);
  const auto subject = pane.scene().subject;
  const VolumeCamera camera = VolumeCamera::of(pane.scene(), box_edges);
  QVERIFY(camera.distance < 0.6 * VolumeCamera::of(VolumeScene{}, box_edges).distance);
  const QPointF off = bright_pixels(pane.image()).middle - QRectF(pane.rect()).center();
  QVERIFY2(std::hypot(off.x(), off.y()) < 0.1 * pane.height(),
           qPrintable(QString::number(std::hypot(off.x(), off.y()))));
  // With the handles of the box the whole of it is seen, and the object again without them.
  pane.set_handles(VolumePane::Handles::shown);
  Scene::settle(pane);
  QVERIFY(pane.scene().subject == whole_box);
  pane.set_handles(VolumePane::Handles::hidden);
  Scene::settle(pane);
  QVERIFY(pane.scene().subject == subject);
  s.source.value = [](Vec3 p) { return norm(p + Vec3{1, 1, 1}) < 0.5 ? 5.0F : 0.0F; };
  pane.hide();
  pane.show();  // asks for the voxels
  QTRY_VERIFY_WITH_TIMEOUT(pane.value_range() && pane.value_range()->high > 1, test::patience_ms);
  Scene::settle(pane);
  QVERIFY(pane.scene().subject == subject);
}

TL_TEST_CASE(ViewsVolumeCameraTest)

}  // namespace tl::ui::views_volume_camera_test

#include "volume_camera.moc"
