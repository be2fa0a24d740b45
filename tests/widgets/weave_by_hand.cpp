// From an empty canvas to a written volume, by mouse only and by keyboard only; then everything is undone, redone,
// saved and opened again, and is the same.
#include <QAbstractItemView>
#include <QLineEdit>
#include <QPushButton>
#include <cmath>
#include <memory>

#include "tests/support/disc_scan.h"
#include "tests/support/gui/shown_views.h"
#include "tests/support/gui/studio.h"
#include "tests/support/test_case.h"
#include "widgets/canvas/canvas.h"
#include "widgets/canvas/outline/outline_view.h"
#include "widgets/inspector/editors/path_editor.h"
#include "widgets/inspector/inspector.h"
#include "widgets/inspector/node_form.h"
#include "widgets/theme/theme.h"
#include "widgets/views/views_area.h"

namespace tl::ui::weave_by_hand_test {
namespace {

using test::patience_ms;
using test::Studio;

// The hands of a person who has the mouse alone.
struct Mouse {
  Studio& studio;
  Canvas& canvas = *studio.window.findChild<Canvas*>();
  [[nodiscard]] QWidget* viewport() const { return canvas.view().viewport(); }
  [[nodiscard]] QPoint at(const QPointF& scene) const { return canvas.view().mapFromScene(scene); }

  // Double click on empty canvas, then the line of the palette.
  bool add(const QString& title, const QPoint& where) const {
    QTest::mouseDClick(viewport(), Qt::LeftButton, {}, where);
    auto* list = canvas.palette_popup().findChild<QListView*>();
    for (int row = 0; canvas.palette_popup().isVisible() && row < list->model()->rowCount(); ++row) {
      const QModelIndex index = list->model()->index(row, 0);
      if (index.data().toString() != title) continue;
      list->scrollTo(index);
      QTest::mouseClick(list->viewport(), Qt::LeftButton, {}, list->visualRect(index).center());
      return !canvas.palette_popup().isVisible();
    }
    return false;
  }
  // Where a card has room, else where none is: cards move when the canvas is fitted to them.
  [[nodiscard]] QPoint empty_place() const {
    constexpr int margin = 20, step = 30;
    for (const QSize room : {QSize(210, 150), QSize(4, 4)})
      for (int y = margin; y + room.height() < viewport()->height(); y += step)
        for (int x = margin; x + room.width() < viewport()->width(); x += step)
          if (canvas.view().items(QRect(QPoint(x, y) - QPoint(2, 2), room)).isEmpty()) return {x, y};
    return {};
  }
  [[nodiscard]] QPoint port(const QString& node, const QString& name, Side side) const {
    const NodeItem* item = canvas.scene().node(node);
    return at(item->port_at_scene(*item->card().port(name, side)));
  }
  void drag(const QPoint& from, const QPoint& to) const {
    QTest::mousePress(viewport(), Qt::LeftButton, {}, from);
    for (int i = 1; i <= 4; ++i) QTest::mouseMove(viewport(), from + (to - from) * i / 4);
    QTest::mouseRelease(viewport(), Qt::LeftButton, {}, to);
  }
  void link(const QString& from, const QString& to, const QString& port_name) const {
    drag(port(from, port_name, Side::output), port(to, port_name, Side::input));
  }
  void choose(const QString& node) const {
    const NodeItem* item = canvas.scene().node(node);
    QTest::mouseClick(viewport(), Qt::LeftButton, {}, at(item->mapToScene(item->card().title_area().center())));
  }
};

}  // namespace

class WeaveByHandTest final : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void initTestCase() {
    Theme::instance().set(QStringLiteral("dark"));
    QCoreApplication::setAttribute(Qt::AA_DontUseNativeDialogs);
  }
  void by_mouse_alone();
  void by_keyboard_alone();
  void taken_back_made_again_saved_and_opened();
  void an_oblique_plane_is_dragged_through_what_was_woven();
  void the_tooth_takes_less_than_ten_actions();
};

void WeaveByHandTest::by_mouse_alone() {
  Studio studio;
  const QString scan = studio.folder.filePath("discs.nx");
  test::write_disc_scan(scan.toStdString(), {});
  QVERIFY(studio.open());
  QVERIFY(studio.press("New pipeline"));
  QVERIFY(studio.press("Weave"));
  const Mouse mouse{studio};
  const std::vector<std::pair<QString, QString>> wanted = {{"Load scan", "load_scan"},
                                                           {"Flat-field", "flat_field"},
                                                           {"Axis by wedge consistency", "wedge"},
                                                           {"FBP", "fbp"},
                                                           {"Save volume", "save_volume"}};
  QVERIFY(mouse.viewport()->width() > 700);
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    QVERIFY2(mouse.add(wanted[i].first, mouse.empty_place()), qPrintable(wanted[i].first));
    QVERIFY2(studio.document.graph().nodes.count(wanted[i].second.toStdString()) == 1,
             qPrintable(studio.selection.current()));
  }
  for (std::size_t i = 0; i + 1 < wanted.size(); ++i)
    mouse.link(wanted[i].second, wanted[i + 1].second, i + 2 < wanted.size() ? "projections" : "volume");
  QCOMPARE(studio.document.graph().links.size(), std::size_t{4});
  // The file is let go over its field.
  mouse.choose("load_scan");
  QCOMPARE(studio.selection.current(), QString("load_scan"));
  auto* path = studio.window.inspector().form()->field("file")->findChild<PathEditor*>();
  QVERIFY(Studio::drop_on(*path, scan));
  mouse.choose("save_volume");
  path = studio.window.inspector().form()->field("file")->findChild<PathEditor*>();
  QVERIFY(Studio::drop_on(*path, studio.folder.filePath("woven.tif")));
  QVERIFY(studio.document.problems().empty());
  test::keep_picture(studio.window, "woven_by_mouse");
  QVERIFY(studio.press("Run all"));
  QTRY_VERIFY_WITH_TIMEOUT(studio.has_message("Done in"), patience_ms);
  QVERIFY(QFile::exists(studio.folder.filePath("woven.tif")));
  QCOMPARE(studio.window.messages().count(LogLevel::error), 0);
  QVERIFY(studio.document.save(studio.folder.filePath("kept.json")).ok());
}

void WeaveByHandTest::by_keyboard_alone() {
  Studio studio;
  const QString scan = studio.folder.filePath("discs.nx");
  test::write_disc_scan(scan.toStdString(), {});
  QVERIFY(studio.open());
  QTest::keyClick(&studio.window, Qt::Key_N, Qt::ControlModifier);
  // Tab goes round the window and reaches the outline.
  auto* outline = studio.window.findChild<OutlineView*>();
  constexpr int max_tabs = 80;
  for (int i = 0; i < max_tabs && !outline->hasFocus(); ++i)
    QTest::keyClick(QApplication::focusWidget() != nullptr ? QApplication::focusWidget() : &studio.window,
                    Qt::Key_Backtab);
  QVERIFY(outline->hasFocus());
  for (const char* words : {"load scan", "flat-field", "axis by wedge", "fbp", "save volume"}) {
    QTest::keyClick(outline, Qt::Key_Insert);
    QVERIFY(outline->palette_popup().isVisible());
    auto* line = outline->palette_popup().findChild<QLineEdit*>();
    QTest::keyClicks(line, words);
    QTest::keyClick(line, Qt::Key_Return);
    QVERIFY(!outline->palette_popup().isVisible());
  }
  QCOMPARE(studio.document.graph().nodes.size(), std::size_t{5});
  QCOMPARE(studio.document.graph().links.size(), std::size_t{4});
  // Enter opens the form with the keyboard in its first field.
  QTest::keyClick(outline, Qt::Key_Return);
  QVERIFY(QApplication::focusWidget() != nullptr && qobject_cast<QLineEdit*>(QApplication::focusWidget()) != nullptr);
  QTest::keyClick(QApplication::focusWidget(), Qt::Key_A, Qt::ControlModifier);
  QTest::keyClicks(QApplication::focusWidget(), studio.folder.filePath("typed.tif"));
  QTest::keyClick(QApplication::focusWidget(), Qt::Key_Return);
  outline->setFocus(Qt::TabFocusReason);
  QTest::keyClick(outline, Qt::Key_Home);
  QCOMPARE(studio.selection.current(), QString("load_scan"));
  QTest::keyClick(outline, Qt::Key_Return);
  QTest::keyClicks(QApplication::focusWidget(), scan);
  QTest::keyClick(QApplication::focusWidget(), Qt::Key_Return);
  QVERIFY(studio.document.problems().empty());
  QTest::keyClick(&studio.window, Qt::Key_F5);
  QTRY_VERIFY_WITH_TIMEOUT(studio.has_message("Done in"), patience_ms);
  QVERIFY(QFile::exists(studio.folder.filePath("typed.tif")));
  QVERIFY(studio.document.save(studio.folder.filePath("kept.json")).ok());
}

void WeaveByHandTest::taken_back_made_again_saved_and_opened() {
  Studio studio;
  QVERIFY(studio.open());
  QTest::keyClick(&studio.window, Qt::Key_N, Qt::ControlModifier);
  auto* canvas = studio.window.findChild<Canvas*>();
  for (const char* type : {"input.simulate_scan", "correct.flat_field", "recon.fbp", "output.save_volume"})
    canvas->add_here(type);
  canvas->editor().link({"simulate_scan", "projections", "flat_field", "projections"});
  canvas->editor().link({"flat_field", "projections", "fbp", "projections"});
  canvas->editor().link({"fbp", "volume", "save_volume", "volume"});
  canvas->editor().set_parameter("simulate_scan", "cols", int64_t{256});
  canvas->editor().set_parameter("simulate_scan", "rows", int64_t{128});
  canvas->editor().set_parameter("save_volume", "file", studio.folder.filePath("again.tif").toStdString());
  QTest::keyClick(&studio.window, Qt::Key_F5);
  QTRY_VERIFY_WITH_TIMEOUT(studio.session.run_progress().running, patience_ms);
  QTest::keyClick(&studio.window, Qt::Key_Period, Qt::ControlModifier);
  QTRY_VERIFY_WITH_TIMEOUT(studio.has_message("Stopped") || studio.has_message("Done in"), patience_ms);

  const Graph full = studio.document.graph();
  const QUndoStack& steps = studio.document.undo_stack();
  // Each key takes back exactly one step; a step that does not move says where the key went.
  const auto takes = [&](const Qt::KeyboardModifiers modifiers, int by) {
    const int before = steps.index();
    QTest::keyClick(&canvas->view(), Qt::Key_Z, modifiers);
    if (steps.index() == before + by) return true;
    qWarning("step %d of %d did not move to %d: undo is \"%s\"; %s", before, steps.count(), steps.index(),
             qPrintable(steps.undoText()), qPrintable(test::keyboard_state()));
    return false;
  };
  while (steps.canUndo()) QVERIFY(takes(Qt::ControlModifier, -1));
  QVERIFY(studio.document.graph().nodes.empty());
  QVERIFY(studio.document.graph().links.empty());
  while (steps.canRedo()) QVERIFY(takes(Qt::ControlModifier | Qt::ShiftModifier, 1));
  QVERIFY(studio.document.graph() == full);

  const QString file = studio.folder.filePath("kept.json");
  const auto press = [&](Qt::Key key) {
    return test::answer_file_dialog(studio.window, file,
                                    [&] { QTest::keyClick(&studio.window, key, Qt::ControlModifier); });
  };
  QVERIFY(press(Qt::Key_S));
  QTRY_VERIFY(QFile::exists(file));
  QVERIFY(!studio.document.is_modified());
  QTest::keyClick(&studio.window, Qt::Key_N, Qt::ControlModifier);
  QVERIFY(studio.document.graph().nodes.empty());
  QVERIFY(press(Qt::Key_O));
  QTRY_VERIFY_WITH_TIMEOUT(!studio.document.graph().nodes.empty(), patience_ms);
  QVERIFY(studio.document.graph() == full);
  QCOMPARE(studio.document.path(), file);
}

void WeaveByHandTest::an_oblique_plane_is_dragged_through_what_was_woven() {
  constexpr double tolerance = 0.1;  // of the attenuation: 90 views of 64 columns and a filter
  Studio studio;
  const test::DiscScan discs;
  const QString scan = studio.folder.filePath("discs.nx");
  test::write_disc_scan(scan.toStdString(), discs);
  QVERIFY(studio.open());
  studio.drop(scan);
  QTRY_VERIFY(!studio.document.graph().nodes.empty());
  QVERIFY(studio.press("See"));
  auto* views = studio.window.findChild<ViewsArea*>();
  auto* slice = views->cell(0).image_pane();
  QTRY_VERIFY_WITH_TIMEOUT(slice->is_current(), patience_ms);
  QVERIFY(std::abs(test::disc_mean(*slice->picture()) - discs.attenuation) < tolerance * discs.attenuation);
  // O turns the third view into the oblique plane; its line in the first one is a handle.
  // Of few rows, slice, sinogram and before are shown.
  views->cell(1).set_kind(PaneKind::xz);
  // O turns it into the oblique plane; its line in the first view is a handle.
  auto* oblique = views->cell(1).image_pane();
  oblique->setFocus();
  QTest::keyClick(oblique, Qt::Key_O);
  QTRY_VERIFY_WITH_TIMEOUT(oblique->is_current(), patience_ms);
  const Vec3 before = views->state().oblique().normal();
  const QPointF centre = QRectF(slice->rect()).center();
  const double reach = 0.3 * std::min(slice->width(), slice->height());
  const QPoint grip = (centre + QPointF(std::sqrt(0.5) * reach, -std::sqrt(0.5) * reach)).toPoint();
  QTest::mousePress(slice, Qt::LeftButton, {}, grip);
  for (int i = 1; i <= 6; ++i) QTest::mouseMove(slice, grip + QPoint(-6 * i, -3 * i));
  QTest::mouseRelease(slice, Qt::LeftButton, {}, grip + QPoint(-36, -18));
  const Vec3 after = views->state().oblique().normal();
  QVERIFY(std::abs(dot(before, after)) < 0.999);
  QTRY_VERIFY_WITH_TIMEOUT(oblique->is_current(), patience_ms);
  const auto* grid = std::get_if<VolumeGrid>(&oblique->picture()->region);
  QVERIFY(grid != nullptr);
  // The plane on the screen is the plane that was dragged.
  const Vec3 across = cross(grid->step_x, grid->step_y);
  QVERIFY(std::abs(dot(across, after)) / norm(across) > 0.999);
  QVERIFY(studio.document.save(studio.folder.filePath("kept.json")).ok());
}

// As the user guide counts them.
void WeaveByHandTest::the_tooth_takes_less_than_ten_actions() {
  const QString data = qEnvironmentVariable("TL_SHARED_DATA", TL_SOURCE_DIR "/../shared/data");
  const QString source = data + "/aps_tooth.h5";
  if (!QFile::exists(source)) QSKIP("the shared data folder is not here");
  constexpr double axis = -23.6, tolerance = 0.5;  // px: column 295.9 of 640
  Studio studio;
  const QString scan = studio.folder.filePath("aps_tooth.h5");
  QVERIFY(QFile::copy(source, scan));
  QVERIFY(studio.open());
  int actions = 0;
  studio.drop(scan);
  ++actions;
  QTRY_VERIFY_WITH_TIMEOUT(!studio.document.graph().nodes.empty(), patience_ms);
  auto* views = studio.window.findChild<ViewsArea*>();
  QTRY_VERIFY_WITH_TIMEOUT(views->cell(0).image_pane()->is_current(), patience_ms);
  // The card of the node that finds the axis.
  QString finder;
  for (const auto& [id, node] : studio.document.graph().nodes)
    if (node.type.starts_with("axis.")) finder = QString::fromStdString(id);
  QVERIFY(!finder.isEmpty());
  Mouse{studio}.choose(finder);
  ++actions;
  QCOMPARE(studio.selection.current(), finder);
  const live::NodeStatus status = studio.session.status(finder);
  QCOMPARE(status.verdict, Verdict::resolved);
  QVERIFY(std::abs(std::stod(status.found.at("axis")) - axis) < tolerance);
  QTest::keyClick(&studio.window, Qt::Key_F5);
  ++actions;
  QTRY_VERIFY_WITH_TIMEOUT(studio.has_message("Done in"), patience_ms);
  QVERIFY(QFile::exists(studio.folder.filePath("aps_tooth_volume.tif")));
  QVERIFY(actions < 10);
  QVERIFY(studio.document.save(studio.folder.filePath("kept.json")).ok());
}

TL_TEST_CASE(WeaveByHandTest)

}  // namespace tl::ui::weave_by_hand_test

#include "weave_by_hand.moc"
