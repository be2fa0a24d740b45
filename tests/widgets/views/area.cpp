// ViewsArea: layouts, menus, maximising, before/after, export; every pane has an accessible name.
#include <QClipboard>
#include <QMenu>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QToolButton>

#include "tests/support/gui/fake_pictures.h"
#include "tests/support/gui/window.h"
#include "tests/support/test_case.h"
#include "widgets/views/histogram/histogram_panel.h"
#include "widgets/views/panes/before_pane.h"
#include "widgets/views/panes/projection_pane.h"
#include "widgets/views/views_area.h"

namespace tl::ui::views_area_test {

class ViewsAreaTest final : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void a_small_arrangement_and_a_large_one();
  void the_arrangement_suits_the_data_and_the_user();
  void only_visible_views_request_images();
  void a_double_click_fills_the_area_and_back();
  void the_menu_chooses_the_pane();
  void before_and_after();
  void before_follows_the_slice_or_says_which_it_is();
  void columns_keep_their_shares_at_every_width();
  void a_sinogram_has_lengths_along_its_columns_alone();
  void the_views_follow_the_selected_node();
  void export_is_clean_or_annotated();
  void pixels_of_a_coarse_image_are_not_exported();
  void actions_have_names_and_panes_too();
  void a_pixel_size_of_a_millimetre_that_was_given_is_one();
};

namespace {

// A sphere with a bubble and a bright corner, in a volume that looks like one.
struct Area {
  Area() {
    source.set_grid(VolumeGrid::cubic(60, 80, 100, 0.05));
    source.value = [](Vec3 p) {
      if (norm(p - Vec3{0.6, 0.5, 0.3}) < 0.35) return 0.01F;
      return norm(p) < 1.4 ? 0.05F + 0.01F * static_cast<float>(std::sin(9 * p.x) * std::cos(7 * p.y)) : 0.0F;
    };
    views = std::make_unique<ViewsArea>(source);
    views->state().set_crosshair(source.grid().centre);
    views->resize(1100, 640);
    opened = test::open_window(*views);
  }
  // Scratch images for people, when a folder for them is named.
  void shoot(const QString& name) const { test::keep_picture(*views, name, 50); }
  test::FakePictures source;
  std::unique_ptr<ViewsArea> views;
  bool opened = false;
};

}  // namespace

void ViewsAreaTest::a_small_arrangement_and_a_large_one() {
  Area a;
  QVERIFY(a.opened);
  QVERIFY(a.views->cell(0).kind() == PaneKind::xy && a.views->cell(1).kind() == PaneKind::sinogram);
  QVERIFY(!a.views->cell(2).isVisible() && a.views->cell(3).kind() == PaneKind::before);
  QVERIFY(a.views->cell(0).width() > a.views->cell(1).width());
  a.shoot("small");
  a.views->set_layout(ViewsLayout::see);
  for (std::size_t i = 0; i < ViewsArea::cells; ++i) QTRY_VERIFY(a.views->cell(i).isVisible());
  QTRY_VERIFY(std::abs(a.views->cell(0).width() - a.views->cell(1).width()) < 20);
  QVERIFY(a.views->cell(1).kind() == PaneKind::xz && a.views->cell(2).kind() == PaneKind::yz);
  a.shoot("see");
  // Each arrangement remembers its panes.
  a.views->cell(1).set_kind(PaneKind::projections);
  a.views->set_layout(ViewsLayout::small);
  QVERIFY(a.views->cell(1).kind() == PaneKind::sinogram);
  a.views->set_layout(ViewsLayout::see);
  QVERIFY(a.views->cell(1).kind() == PaneKind::projections);
  a.shoot("see_projections");
}

// Of two rows, upright slices and a 3D view show nothing.
void ViewsAreaTest::the_arrangement_suits_the_data_and_the_user() {
  Area a;
  QVERIFY(a.opened);
  a.views->set_layout(ViewsLayout::see);
  QVERIFY(a.views->cell(1).kind() == PaneKind::xz);
  const auto open_scan = [](Area& area, int64_t slices) {
    area.source.set_grid(VolumeGrid::cubic(slices, 80, 100, 0.05));
    Q_EMIT area.source.infos_changed();
  };
  const auto are_flat = [](Area& area) {
    return area.views->cell(0).kind() == PaneKind::xy && area.views->cell(1).kind() == PaneKind::sinogram &&
           area.views->cell(3).kind() == PaneKind::before && area.views->cell(2).isHidden();
  };
  open_scan(a, 2);
  QVERIFY(are_flat(a));
  QVERIFY(a.views->cell(0).width() > a.views->cell(1).width());
  a.shoot("flat");
  // What the user changes is kept, for data of this shape only, and in the settings.
  const QSignalSpy changed(a.views.get(), &ViewsArea::arrangement_changed);
  a.views->cell(1).pane()->setFocus();
  a.views->cell(1).set_kind(PaneKind::oblique);
  QCOMPARE(changed.count(), 1);
  a.views->show_for_now(0, PaneKind::projections);  // as a step of the guided mode does
  QCOMPARE(changed.count(), 1);
  open_scan(a, 60);
  QVERIFY(a.views->cell(1).kind() == PaneKind::xz && !a.views->cell(2).isHidden());
  QVERIFY(a.views->cell(3).kind() == PaneKind::volume);
  open_scan(a, 2);
  QVERIFY(a.views->cell(0).kind() == PaneKind::xy && a.views->cell(1).kind() == PaneKind::oblique);
  Area next;
  next.views->restore_arrangements(a.views->arrangements());
  next.views->set_layout(ViewsLayout::see);
  open_scan(next, 2);
  QVERIFY(next.views->cell(1).kind() == PaneKind::oblique && next.views->cell(2).isHidden());
  for (QAction* action : next.views->view_actions())
    if (action->text().startsWith("Show all four panes")) action->trigger();
  QVERIFY(!next.views->cell(2).isHidden());
  next.views->restore_arrangements("no arrangement");
  QVERIFY(are_flat(next));
  // Without a volume, the scan itself is shown.
  next.source.graph_.nodes.erase("fbp");
  next.source.graph_.links.pop_back();
  next.source.graph_.nodes["scan"] = GraphNode{"input.load_scan", 1, {}};
  std::get<ProjectionsInfo>(next.source.infos.at("flat.projections")).geometry =
      ScanGeometry::parallel(equidistant_angles(12, pi), {60, 10, 0.5, 0.5}).value();
  Q_EMIT next.source.graph_changed();
  QVERIFY(next.views->cell(0).kind() == PaneKind::projections && next.views->cell(1).kind() == PaneKind::sinogram);
  QVERIFY(next.views->cell(2).isHidden() && next.views->cell(3).isHidden());
  next.shoot("scan_only");
}

void ViewsAreaTest::only_visible_views_request_images() {
  Area a;
  a.source.asked.clear();
  a.views->state().set_crosshair(a.source.grid().position(10, 20, 30));
  for (const auto& [view, requests] : a.source.asked) QVERIFY2(!view.startsWith("view2"), qPrintable(view));
  QVERIFY(!a.source.asked.empty());
}

void ViewsAreaTest::a_double_click_fills_the_area_and_back() {
  Area a;
  a.views->set_layout(ViewsLayout::see);
  QTRY_VERIFY(a.views->cell(2).isVisible() && a.views->cell(2).height() < a.views->height() - 10);
  QWidget* pane = a.views->cell(2).pane();
  QTest::mouseDClick(pane, Qt::LeftButton, {}, pane->rect().center());
  QTRY_VERIFY(!a.views->cell(0).isVisible() && !a.views->cell(1).isVisible() && a.views->cell(2).isVisible());
  QTRY_VERIFY(a.views->cell(2).width() > a.views->width() - 10 && a.views->cell(2).height() > a.views->height() - 10);
  QTest::keyClick(pane, Qt::Key_Return);
  for (std::size_t i = 0; i < ViewsArea::cells; ++i) QTRY_VERIFY(a.views->cell(i).isVisible());
}

void ViewsAreaTest::the_menu_chooses_the_pane() {
  Area a;
  QTimer::singleShot(100, [] {
    auto* menu = qobject_cast<QMenu*>(QApplication::activePopupWidget());
    QVERIFY(menu != nullptr);
    for (QAction* action : menu->actions())
      if (action->text() == "Projections")
        QTest::mouseClick(menu, Qt::LeftButton, {}, menu->actionGeometry(action).center());
  });
  a.views->cell(0).pane()->setFocus();
  QTest::keyClick(a.views->cell(0).pane(), Qt::Key_M);
  QVERIFY(a.views->cell(0).kind() == PaneKind::projections);
  QVERIFY(qobject_cast<ProjectionPane*>(a.views->cell(0).pane()) != nullptr);
  // Keys change it, too, and the button follows.
  a.views->cell(0).set_kind(PaneKind::xy);
  a.views->cell(0).pane()->setFocus();
  QTest::keyClick(a.views->cell(0).pane(), Qt::Key_X);
  QVERIFY(a.views->cell(0).kind() == PaneKind::yz);
}

void ViewsAreaTest::before_and_after() {
  Area a;
  auto* live = a.views->cell(0).image_pane();
  auto* before = qobject_cast<BeforePane*>(a.views->cell(3).pane());
  QVERIFY(before != nullptr && !before->picture());
  const auto first = live->picture()->image;
  a.source.step("Change cutoff", [](Graph& graph) {
    graph.nodes["fbp"].params["cutoff"] = Number{0.5, Unit::nyquist};
  });
  QVERIFY(before->picture() && before->picture()->image == first);
  QVERIFY(before->position_text().contains("Change cutoff"));
  a.source.value = [](Vec3) { return 1.0F; };
  live->refresh();
  QVERIFY(live->picture()->image != first);
  QVERIFY(before->picture()->image == first);
  live->setFocus();
  QTest::keyClick(live, Qt::Key_B);
  QVERIFY(live->picture()->image == first);
  QTest::keyClick(live, Qt::Key_B);
  QVERIFY(live->picture()->image != first);
  a.shoot("before");
  // The large slice may become something else: what hangs on it stays alive.
  a.views->cell(0).set_kind(PaneKind::projections);
  Q_EMIT a.source.graph_changed();
  QVERIFY(before->picture()->image == first);
}

void ViewsAreaTest::before_follows_the_slice_or_says_which_it_is() {
  Area a;
  auto* live = a.views->cell(0).image_pane();
  auto* before = qobject_cast<BeforePane*>(a.views->cell(3).pane());
  const auto first = live->picture()->image;
  live->step(1);
  const auto second = live->picture()->image;
  QVERIFY(first != second);
  const QString second_position = live->position_text();
  a.source.step("Change cutoff", [](Graph& graph) {
    graph.nodes["fbp"].params["cutoff"] = Number{0.5, Unit::nyquist};
  });
  live->refresh();
  // Both slices were shown before the step.
  QVERIFY(before->picture() && before->picture()->image == second);
  QVERIFY2(!before->position_text().contains("slice"), qPrintable(before->position_text()));
  live->step(-1);
  QVERIFY(before->picture()->image == first);
  QVERIFY2(!before->position_text().contains("slice"), qPrintable(before->position_text()));
  // The next one was not: the last that was shown stays, with its number.
  live->step(2);
  QVERIFY(before->picture()->image == second);
  const QString number = second_position.section(' ', 1, 1);
  QVERIFY2(before->position_text().startsWith("slice " + number + ' '), qPrintable(before->position_text()));
}

// Also next to a 3D view, whose bar once asked for more than half.
void ViewsAreaTest::columns_keep_their_shares_at_every_width() {
  Area a;
  const auto wide = [&a](std::size_t i) { return a.views->cell(i).width(); };
  a.views->set_layout(ViewsLayout::see);
  QVERIFY(a.views->cell(3).kind() == PaneKind::volume);
  for (int width = 2560; width >= 760; width -= 60) {
    a.views->resize(width, 700);
    test::handle_queued_events();
    QVERIFY2(std::abs(wide(0) - wide(1)) <= 1 && std::abs(wide(2) - wide(3)) <= 1,
             qPrintable(QStringLiteral("%1 px: %2 and %3").arg(width).arg(wide(2)).arg(wide(3))));
  }
  a.views->set_layout(ViewsLayout::small);
  for (const PaneKind kind : {PaneKind::before, PaneKind::volume, PaneKind::projections}) {
    a.views->cell(3).set_kind(kind);
    for (const int width : {760, 1000, 1600}) {
      a.views->resize(width, 700);
      test::handle_queued_events();
      const double share = static_cast<double>(wide(0)) / (wide(0) + wide(3));
      QVERIFY2(std::abs(share - 0.575) < 0.01, qPrintable(QStringLiteral("%1 px: %2").arg(width).arg(share)));
    }
  }
}

void ViewsAreaTest::a_sinogram_has_lengths_along_its_columns_alone() {
  Area a;
  auto* sinogram = a.views->cell(1).image_pane();
  QCOMPARE(sinogram->camera_slot(), QString("sinogram"));
  auto& scan = std::get<ProjectionsInfo>(a.source.infos.at("flat.projections"));
  scan.pixel_size = Origin::file;
  const ImagePane::ScaleBar bar = sinogram->scale_bar();
  QVERIFY2(bar.text.endsWith(" mm"), qPrintable(bar.text));
  QVERIFY(std::abs(bar.length - bar.value / scan.geometry.detector().pitch_u * sinogram->scale().width()) < 1e-6);
  QCOMPARE(sinogram->mm_per_unit(), 0.0);
  scan.pixel_size = Origin::guessed;
  QVERIFY2(sinogram->scale_bar().text.endsWith(" px"), qPrintable(sinogram->scale_bar().text));
}

void ViewsAreaTest::the_views_follow_the_selected_node() {
  Area a;
  ViewState& state = a.views->state();
  QCOMPARE(state.volume(), (Output{"fbp", "volume"}));
  state.follow("flat");
  QCOMPARE(state.projections(), (Output{"flat", "projections"}));
  QCOMPARE(state.volume(), (Output{"fbp", "volume"}));  // what comes of it
  state.follow("fbp");
  QCOMPARE(state.projections(), (Output{"flat", "projections"}));  // what went in
  state.pin();
  state.follow("scan");
  QCOMPARE(state.projections(), (Output{"flat", "projections"}));
  QCOMPARE(state.volume(), (Output{"fbp", "volume"}));
  state.unpin();
  QCOMPARE(state.projections(), (Output{"scan", "projections"}));
  QCOMPARE(state.volume().node, QString("scan"));  // the object itself
  state.follow("flat");
  a.source.graph_.nodes.erase("fbp");
  a.source.graph_.nodes.erase("scan");
  a.source.graph_.links.clear();
  Q_EMIT a.source.graph_changed();
  QVERIFY(state.volume().empty());
  QVERIFY(!a.views->cell(0).image_pane()->picture());
  a.shoot("no_volume");
}

void ViewsAreaTest::export_is_clean_or_annotated() {
  Area a;
  const QTemporaryDir folder;
  const QString file = folder.filePath("a.png");
  a.views->cell(0).pane()->setFocus();
  QVERIFY(a.views->export_png(file, Annotation::clean).ok());
  const QImage pixels(file);
  QCOMPARE(pixels.size(), QSize(100, 80));  // the pixels of the slice
  a.views->resize(a.views->minimumSizeHint());
  a.views->cell(0).image_pane()->zoom_by(0.01);
  const double mm = std::abs(a.source.grid().step_x.x);
  QVERIFY(a.views->cell(0).image_pane()->scale().width() * mm < 0.5);  // of a pixel of the screen for each of the slice
  QVERIFY(a.views->export_png(file, Annotation::clean).ok());
  QVERIFY(QImage(file) == pixels);  // however small it is shown
  a.views->cell(0).image_pane()->fit();
  QVERIFY(a.views->export_png(file, Annotation::annotated).ok());
  QCOMPARE(QImage(file).size(), 2 * a.views->cell(0).pane()->size());
  QVERIFY(!a.views->export_png(folder.filePath("no/such/folder.png"), Annotation::clean).ok());
  QTest::keyClick(a.views->cell(0).pane(), Qt::Key_C, Qt::ControlModifier);
  QCOMPARE(QApplication::clipboard()->image().size(), 2 * a.views->cell(0).pane()->size());
}

// The pixels of a first look are not the pixels of the slice: a file of them would be taken for a result.
void ViewsAreaTest::pixels_of_a_coarse_image_are_not_exported() {
  Area a;
  const QTemporaryDir folder;
  const QString file = folder.filePath("a.png");
  ImagePane* pane = a.views->cell(0).image_pane();
  pane->setFocus();
  const live::PictureRequest asked = pane->picture()->request;
  Q_EMIT a.source.picture_ready(pane->view(), a.source.answer(asked, 4));
  QCOMPARE(pane->picture()->level, 4);
  QVERIFY(!a.views->export_png(file, Annotation::clean).ok());
  QVERIFY(!QFile::exists(file));
  QVERIFY(a.views->export_png(file, Annotation::annotated).ok());
  Q_EMIT a.source.picture_ready(pane->view(), a.source.answer(asked));
  QVERIFY(a.views->export_png(file, Annotation::clean).ok());
  QCOMPARE(QImage(file).size(), QSize(100, 80));
}

void ViewsAreaTest::actions_have_names_and_panes_too() {
  Area a;
  QVERIFY(a.views->view_actions().size() > 12);
  for (QAction* action : a.views->view_actions()) QVERIFY(!action->text().isEmpty());
  a.views->set_layout(ViewsLayout::see);
  for (QWidget* child : a.views->findChildren<QWidget*>())
    if (child->focusPolicy() != Qt::NoFocus)
      QVERIFY2(!child->accessibleName().isEmpty(), child->metaObject()->className());
}

// Only a guessed pixel size is not a length: 1 mm from the file or from the user is shown as such.
void ViewsAreaTest::a_pixel_size_of_a_millimetre_that_was_given_is_one() {
  test::FakePictures source;
  source.set_grid(VolumeGrid::cubic(6, 80, 100, 1));
  const auto set_origin = [&source](Origin origin) {
    for (const char* key : {"scan.projections", "flat.projections"})
      std::get<ProjectionsInfo>(source.infos.at(key)).pixel_size = origin;
    std::get<VolumeInfo>(source.infos.at("fbp.volume")).voxel_size = origin;
  };
  set_origin(Origin::guessed);
  ViewsArea views(source);
  views.cell(1).set_kind(PaneKind::projections);
  views.resize(900, 700);
  QVERIFY(test::open_window(views));
  const ImagePane &slice = *views.cell(0).image_pane(), &view = *views.cell(1).image_pane();
  for (const ImagePane* pane : {&slice, &view})
    QVERIFY2(pane->scale_bar().text.endsWith(" px"), qPrintable(pane->scale_bar().text));
  QCOMPARE(slice.unit_text(), QString("1/px"));
  for (const Origin given : {Origin::file, Origin::user}) {
    set_origin(given);
    for (const ImagePane* pane : {&slice, &view})
      QVERIFY2(pane->scale_bar().text.endsWith(" mm"), qPrintable(pane->scale_bar().text));
    QCOMPARE(slice.unit_text(), QString("1/mm"));
  }
  // A smaller pixel has a smaller unit, on the detector too.
  auto& scan = std::get<ProjectionsInfo>(source.infos.at("flat.projections"));
  scan.geometry = ScanGeometry::parallel(equidistant_angles(12, pi), {6, 10, 0.001, 0.001}).value();
  QVERIFY2(view.scale_bar().text.endsWith(QStringLiteral(" µm")), qPrintable(view.scale_bar().text));
}

TL_TEST_CASE(ViewsAreaTest)

}  // namespace tl::ui::views_area_test

#include "area.moc"
