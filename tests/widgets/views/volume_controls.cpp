// The 3D view's slices in place, typed surface value, range sliders and names of its controls.
#include <QComboBox>
#include <QMenu>
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
#include "widgets/views/scene/volume_transfer.h"
#include "widgets/views/views_area.h"
#include "widgets/views/volume/overflow_row.h"
#include "widgets/views/volume/range_slider.h"
#include "widgets/views/volume/volume_bar.h"
#include "widgets/views/volume/volume_pane.h"

namespace tl::ui::volume_controls_test {

using Scene = test::VolumeScene;
using test::bright_pixels;

class VolumeControlsTest final : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void slices_lie_at_the_crosshair();
  void a_corner_is_cut_out_at_the_slices();
  void the_value_of_the_surface_is_typed();
  void a_range_slider_is_moved_by_keys();
  void every_control_has_a_name();
  void a_narrow_bar_has_a_menu();
  void the_view_is_kept_with_the_pipeline();
  void what_a_file_says_is_checked();
  void one_material_is_opaque_and_two_are_not();
};

void VolumeControlsTest::slices_lie_at_the_crosshair() {
  Scene s;
  s.source.value = [](Vec3 p) { return p.z > 0 ? 1.0F : 0.1F; };
  s.state.set_volume_color_map(ColorMap::grey);
  s.state.set_opacity({{0, 0}, {1, 0}});  // the slices alone
  VolumePane pane(s.source, s.state, "3d");
  s.show(pane);
  QCOMPARE(bright_pixels(pane.image()).count, int64_t{0});
  s.state.set_crosshair({0, 0, 1});
  pane.set_slices(VolumeSlices::pixels);
  pane.look_at_face(2);  // along y: the slices at fixed x and z are lines
  Scene::settle(pane);
  test::keep_picture(pane, "slices", 0);
  const VolumeCamera camera = VolumeCamera::of(pane.scene(), {4.7, 3.9, 3.1});
  const auto gray = [&](Vec3 p) { return qGray(pane.image().pixel(camera.project(p, pane.size()).toPoint())); };
  QVERIFY(gray({1.5, 0, 0.5}) > 200);
  QVERIFY(gray({1.5, 0, -0.8}) < 90);
  QTest::keyClick(&pane, Qt::Key_L);  // cut
  QTest::keyClick(&pane, Qt::Key_L);  // hidden
  QVERIFY(pane.scene().slices == VolumeSlices::hidden);
}

void VolumeControlsTest::a_corner_is_cut_out_at_the_slices() {
  for (const VolumeStyle style : {VolumeStyle::cloud, VolumeStyle::surface}) {
    Scene s;
    s.source.set_grid(VolumeGrid::cubic(48, 48, 48, 0.1));
    // A bright ball in a dark shell.
    s.source.value = [](Vec3 p) { return norm(p) < 1.2 ? 1.0F : norm(p) < 2.2 ? 0.45F : 0.0F; };
    s.state.set_volume_color_map(ColorMap::grey);
    s.state.set_opacity({{0, 0}, {0.2, 0}, {0.35, 1}, {1, 1}});
    VolumePane pane(s.source, s.state, "3d");
    pane.set_style(style);
    s.show(pane);
    s.state.set_crosshair({0, 0, 0});
    const QPoint middle = pane.rect().center();
    pane.set_slices(VolumeSlices::cut);
    Scene::settle(pane);
    test::keep_picture(pane, style == VolumeStyle::cloud ? "corner_cloud" : "corner_surface", 0);
    // At the corner all three slices show the ball.
    for (const QPoint off : {QPoint(0, 9), QPoint(8, -5), QPoint(-8, -5)})
      QVERIFY(qGray(pane.image().pixel(middle + off)) > 220);
  }
}

void VolumeControlsTest::the_value_of_the_surface_is_typed() {
  Scene s;
  s.source.value = [](Vec3 p) { return static_cast<float>(1.5 - norm(p)); };
  VolumePane pane(s.source, s.state, "3d");
  VolumeBar bar(pane);
  s.show(pane);
  QVERIFY(test::open_window(bar));
  auto* value = bar.findChild<EntryLine*>();
  QVERIFY(!value->isVisible());
  for (QToolButton* button : bar.findChildren<QToolButton*>())
    if (button->text() == "Surface") QTest::mouseClick(button, Qt::LeftButton);
  QTRY_VERIFY(value->isVisible());
  Scene::settle(pane);
  const double first = *pane.surface_value();
  QVERIFY(first > pane.value_range()->low && first < pane.value_range()->high);
  value->setFocus();
  value->selectAll();
  QTest::keyClicks(value, "0.9");
  QTest::keyClick(value, Qt::Key_Return);
  QCOMPARE(*pane.surface_value(), 0.9);
  Scene::settle(pane);
  const auto small = bright_pixels(pane.image()).count;
  // A window that changes does not move the surface.
  s.state.set_levels({"fbp", "volume"}, {-1, 3}, LevelsMode::manual);
  QCOMPARE(*pane.surface_value(), 0.9);
  value->selectAll();
  QTest::keyClicks(value, "0.2");
  QTest::keyClick(value, Qt::Key_Return);
  Scene::settle(pane);
  QVERIFY(bright_pixels(pane.image()).count > small);
  value->selectAll();
  QTest::keyClicks(value, "77");
  QTest::keyClick(value, Qt::Key_Return);
  QCOMPARE(*pane.surface_value(), 0.2);
  QVERIFY(value->property("invalid").toBool());
  QVERIFY(value->toolTip().contains("1.4"));
}

void VolumeControlsTest::a_range_slider_is_moved_by_keys() {
  RangeSlider range("from", "to");
  range.resize(200, 20);
  QVERIFY(test::open_window(range));
  const auto handles = range.findChildren<QSlider*>();
  handles[0]->setFocus();
  QTest::keyClick(handles[0], Qt::Key_PageUp);
  QCOMPARE(range.low(), 0.05);
  QTest::keyClick(handles[0], Qt::Key_End);
  QVERIFY(range.low() < range.high());
  QCOMPARE(range.high(), 1.0);
  handles[1]->setFocus();
  QTest::keyClick(handles[1], Qt::Key_Home);
  QCOMPARE(range.low(), 0.0);
  QVERIFY(range.high() > 0 && range.high() < 0.02);
  // The bar between the handles moves both.
  range.set(0.2, 0.4);
  QTest::mousePress(&range, Qt::LeftButton, {}, {62, 10});
  QTest::mouseMove(&range, {62 + 94, 10});
  QTest::mouseRelease(&range, Qt::LeftButton, {}, {62 + 94, 10});
  QVERIFY(std::abs(range.low() - 0.7) < 0.02 && std::abs(range.high() - 0.9) < 0.02);
}

void VolumeControlsTest::every_control_has_a_name() {
  Scene s;
  VolumePane pane(s.source, s.state, "3d");
  VolumeBar bar(pane);
  const auto named = [](const QWidget* w) { return !w->accessibleName().isEmpty() && !w->toolTip().isEmpty(); };
  for (const QToolButton* w : bar.findChildren<QToolButton*>()) QVERIFY2(named(w), qPrintable(w->text()));
  for (const QSlider* w : bar.findChildren<QSlider*>()) QVERIFY(named(w));
  for (const QComboBox* w : bar.findChildren<QComboBox*>()) QVERIFY(named(w));
  for (const EntryLine* w : bar.findChildren<EntryLine*>()) QVERIFY(named(w));
}

// At any width every control can be reached, and none is cut.
void VolumeControlsTest::a_narrow_bar_has_a_menu() {
  Scene s;
  VolumePane pane(s.source, s.state, "3d");
  VolumeBar bar(pane);
  QVERIFY(test::open_window(bar));
  auto* row = bar.findChild<OverflowRow*>();
  std::vector<QWidget*> controls;
  for (QWidget* w : row->findChildren<QWidget*>(QString(), Qt::FindDirectChildrenOnly))
    if (w != &row->more()) controls.push_back(w);
  QCOMPARE(controls.size(), std::size_t{7});
  for (const int width : {bar.sizeHint().width() + 40, 420, 300, 180, 120}) {
    bar.resize(width, bar.height());
    test::handle_queued_events();
    QMenu* menu = row->more().menu();
    Q_EMIT menu->aboutToShow();
    std::size_t shown = 0;
    for (const QWidget* w : controls) {
      if (w->isHidden()) continue;
      ++shown;
      QVERIFY(row->rect().contains(w->geometry()) && w->width() >= w->sizeHint().width());
      QVERIFY(row->more().isHidden() || !w->geometry().intersects(row->more().geometry()));
    }
    QCOMPARE(static_cast<std::size_t>(menu->actions().size()), controls.size() - shown);
    QCOMPARE(row->more().isHidden(), shown == controls.size());
    if (width > 120) QVERIFY(shown > 0);
  }
  // The menu does what the control would.
  for (QAction* action : row->more().menu()->actions())
    if (action->text() == "Surface") action->trigger();
  QVERIFY(pane.scene().style == VolumeStyle::surface);
}

void VolumeControlsTest::the_view_is_kept_with_the_pipeline() {
  Scene s;
  VolumePane pane(s.source, s.state, "3d");
  s.show(pane);
  pane.set_style(VolumeStyle::surface);
  pane.set_preset("tooth");
  pane.set_surface_value(0.75);
  pane.set_clip({0, 0.5, 0.25, 1, 0, 1});
  pane.set_slices(VolumeSlices::cut);
  QVERIFY(s.source.steps.empty());  // none of it is a step to undo
  s.state.set_volume_color_map(ColorMap::viridis);
  s.state.set_color_map(ColorMap::bone);
  const ViewSettings kept = s.state.settings();
  const std::string ui = with_view_settings(R"({"frames":[]})", kept);
  QVERIFY(ui.find("frames") != std::string::npos);
  // Another pipeline, and this one again.
  s.state.restart();
  s.source.graph_.ui.clear();
  Q_EMIT s.source.graph_changed();
  QVERIFY(s.state.settings() == ViewSettings());
  QVERIFY(pane.scene().clip == whole_box && pane.scene().style == VolumeStyle::cloud);
  s.state.restart();
  s.source.graph_.ui = ui;
  Q_EMIT s.source.graph_changed();
  QVERIFY(s.state.settings() == kept);
  QCOMPARE(*pane.surface_value(), 0.75);
  QVERIFY(pane.scene().clip == kept.volume.clip && pane.scene().slices == VolumeSlices::cut);
  const VolumeBar bar(pane);
  for (const QToolButton* button : bar.findChildren<QToolButton*>())
    if (button->text() == "Clip") QVERIFY(button->isChecked());
  // A later step of the pipeline leaves the view as it is by then.
  pane.set_preset("bone");
  s.source.step("Change cutoff", [](Graph& g) { g.nodes["fbp"].params["cutoff"] = Number{0.5, Unit::nyquist}; });
  QCOMPARE(s.state.volume_preset(), QString("bone"));
}

void VolumeControlsTest::what_a_file_says_is_checked() {
  const ViewSettings first;
  for (const char* ui :
       {"", "[]", "{", R"({"view_settings":3})", R"({"view_settings":{"colors":"pink","volume":[]}})",
        R"({"view_settings":{"volume":{"tint":"wood","style":7,"slices":"x","colors":1}}})",
        R"({"view_settings":{"volume":{"clip":[0,1,0,1,0.5,0.5]}}})",
        R"({"view_settings":{"volume":{"clip":[0,2,0,1,0,1]}}})", R"({"view_settings":{"volume":{"opacity":[[0,0]]}}})",
        R"({"view_settings":{"volume":{"opacity":[[0.5,0],[0.2,1]]}}})",
        R"({"view_settings":{"volume":{"opacity":[[0,0],[1,"a"]]}}})",
        R"({"view_settings":{"volume":{"clip":[0,1],"surface_values":{"a":"b"}}}})"})
    QVERIFY2(read_view_settings(ui) == first, ui);
  ViewSettings settings = first;
  settings.volume.style = VolumeStyle::surface;
  settings.volume.preset = window_tint;
  settings.volume.class_surfaces = true;
  settings.volume.surface_values["fbp.volume"] = 1e-3;
  settings.volume.opacity = {{0, 0}, {0.25, 1}, {0.25, 0}, {1, 0}};
  QVERIFY(read_view_settings(with_view_settings({}, settings)) == settings);
  for (const ColorMap map : all_color_maps()) {
    settings.colors = settings.volume.colors = map;
    QVERIFY(read_view_settings(with_view_settings({}, settings)) == settings);
  }
  QCOMPARE(with_view_settings(with_view_settings({}, settings), first), std::string());
}

// Automatic: foam, of one material, is a surface; where something denser lies inside, one looks through what is around.
void VolumeControlsTest::one_material_is_opaque_and_two_are_not() {
  picture::Image image{100, 1000, {}};
  const auto opacity_of_most = [&image](double dense_share) {
    std::uint32_t state = 1;
    image.pixels.clear();
    for (int64_t i = 0; i < image.rows * image.cols; ++i) {
      state = 1664525 * state + 1013904223;
      const float noise = 0.1F * (static_cast<float>(state >> 8) / static_cast<float>(1 << 24) - 0.5F);
      const double place = static_cast<double>(i) / static_cast<double>(image.rows * image.cols);
      image.pixels.push_back(noise + (place < 0.5 ? 0.0F : place < 1 - dense_share ? 1.0F : 2.0F));
    }
    const picture::ObjectValues values = picture::object_values(image);
    VolumeScene scene;
    scene.preset = automatic_tint;
    scene.colors = {0xff000000, 0xffffffff};
    constexpr double size = 128;
    return transfer_of(scene, values, size).opacity.at(1).second;
  };
  QVERIFY2(opacity_of_most(0) > 0.5, qPrintable(QString::number(opacity_of_most(0))));
  QVERIFY2(opacity_of_most(0.02) < 0.1, qPrintable(QString::number(opacity_of_most(0.02))));
}

TL_TEST_CASE(VolumeControlsTest)

}  // namespace tl::ui::volume_controls_test

#include "volume_controls.moc"
