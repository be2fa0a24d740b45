// Planes of a SlicePane: the oblique one turned by its line and like a ball, and keys that choose a plane.
#include "tests/support/gui/pane_on_screen.h"
#include "tests/support/test_case.h"
#include "widgets/views/panes/slice_pane.h"

namespace tl::ui::views_oblique_test {
namespace {

using Grid = VolumeGrid;
using test::drag;
using test::wheel;
using Slice = test::OnScreen<SlicePane>;

double along(Vec3 v, Vec3 unit) { return dot(v, unit); }

}  // namespace

class ViewsObliqueTest final : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void the_oblique_plane_turns_by_its_line() {
    Slice s(Orientation::xy);
    SlicePane oblique(s.source, s.state, "oblique", Orientation::oblique);
    oblique.resize(300, 300);
    QVERIFY(test::open_window(oblique));
    s.state.set_oblique({{1, 0, 0}, {0, 0, 1}});
    s.state.set_crosshair(s.source.grid().centre);
    const QPoint centre = s.pane.to_widget({0, 0}).toPoint();
    const auto count = s.source.asked["oblique"].size();
    drag(s.pane, Qt::LeftButton, centre + QPoint(100, 0), centre + QPoint(71, -71));  // 45 degrees towards +y
    const PlaneDirections frame = s.state.oblique();
    QVERIFY(std::abs(along(frame.right, {std::sqrt(0.5), std::sqrt(0.5), 0}) - 1) < 1e-3);
    QVERIFY(std::abs(along(frame.up, {0, 0, 1}) - 1) < 1e-9);
    QVERIFY(s.source.asked["oblique"].size() >= count + 3);  // at every move
    const Grid plane = std::get<Grid>(s.source.asked["oblique"].back().region);
    QCOMPARE(plane.nz, int64_t{1});
    QVERIFY(std::abs(along(plane.step_x, frame.right) - 0.5) < 1e-9);
    // Its corners reach those of the volume.
    QVERIFY(static_cast<double>(plane.nx) * 0.5 >= (5 + 4) * std::sqrt(0.5) - 0.01);
    QCOMPARE(plane.ny, int64_t{6});
  }

  void the_oblique_plane_turns_like_a_ball() {
    Slice s(Orientation::oblique);
    const PlaneDirections before = s.state.oblique();
    drag(s.pane, Qt::LeftButton, {200, 200}, {290, 200}, Qt::AltModifier);
    const PlaneDirections turned = s.state.oblique();
    QVERIFY(std::abs(std::acos(along(turned.right, before.right)) - 90 * pi / 450) < 1e-6);
    QVERIFY(std::abs(along(turned.up, before.up) - 1) < 1e-9);
    QTest::keyClick(&s.pane, Qt::Key_Up, Qt::AltModifier);
    QVERIFY(std::abs(std::acos(along(s.state.oblique().up, turned.up)) - pi / 180) < 1e-6);
    const auto count = s.asked().size();
    wheel(s.pane, {200, 200}, 1);
    QCOMPARE(s.asked().size(), count + 1);
  }

  void x_y_z_choose_the_plane() {
    Slice s(Orientation::xy);
    s.pane.setFocus();
    QTest::keyClick(&s.pane, Qt::Key_X);
    QVERIFY(s.pane.orientation() == Orientation::yz);
    QCOMPARE(s.last_grid().nx, int64_t{1});
    QTest::keyClick(&s.pane, Qt::Key_Y);
    QCOMPARE(s.last_grid().ny, int64_t{1});
    QTest::keyClick(&s.pane, Qt::Key_Z);
    QCOMPARE(s.last_grid().nz, int64_t{1});
    QTest::keyClick(&s.pane, Qt::Key_O);
    QVERIFY(s.pane.orientation() == Orientation::oblique);
    QVERIFY(s.state.has_oblique_pane());
  }
};

TL_TEST_CASE(ViewsObliqueTest)
}  // namespace tl::ui::views_oblique_test

#include "oblique.moc"
