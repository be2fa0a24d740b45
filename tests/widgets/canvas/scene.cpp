// Canvas: building, linking, cutting and undoing pipelines with simulated mouse and keys.
#include "widgets/canvas/canvas.h"

#include <QClipboard>
#include <QGuiApplication>
#include <QTemporaryDir>

#include "core/graph/graph_json.h"
#include "tests/support/gui/canvas_window.h"
#include "tests/support/test_case.h"

namespace tl::ui::canvas_test {
namespace {

using test::CanvasWindow;

bool has_link(const Graph& g, const Link& link) {
  return std::find(g.links.begin(), g.links.end(), link) != g.links.end();
}

}  // namespace

class CanvasTest final : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void a_pipeline_is_built_with_the_mouse_alone();
  void all_of_it_is_undone_redone_saved_and_opened();
  void a_refused_link_says_why();
  void a_link_is_picked_up_and_dropped();
  void a_card_goes_onto_a_link();
  void deleting_leaves_a_gap_or_closes_it();
  void the_clipboard_holds_a_pipeline();
  void a_drag_is_one_step_and_snaps();
  void bypass_and_mute_are_shown();
  void many_cards_are_painted_over_several_frames();
};

void CanvasTest::a_pipeline_is_built_with_the_mouse_alone() {
  CanvasWindow w;
  QVERIFY(w.open());
  QTest::mouseDClick(w.viewport(), Qt::LeftButton, {}, {120, 200});
  QVERIFY(w.click_in_palette("Load scan"));
  w.drag(w.port("load_scan", "projections", Side::output), {420, 220});
  QVERIFY(!w.offered().contains("Gaussian filter"));  // it takes volumes
  QVERIFY(w.click_in_palette("Flat-field"));
  w.drag(w.port("flat_field", "projections", Side::output), {700, 220});
  QVERIFY(w.click_in_palette("FBP"));
  w.drag(w.port("fbp", "volume", Side::output), {950, 220});
  QVERIFY(w.click_in_palette("Save volume"));
  QVERIFY(w.document.graph().links == test::volume_chain().links);
  QVERIFY(w.document.problems().empty());
  QCOMPARE(w.document.undo_stack().count(), 4);
  QCOMPARE(w.selection.current(), QString("save_volume"));
  // Cards are placed from left to right and cover nothing.
  const auto items = w.canvas.scene().nodes();
  for (const NodeItem* a : items)
    for (const NodeItem* b : items) QVERIFY(a == b || !a->scene_rect().intersects(b->scene_rect()));
}

void CanvasTest::all_of_it_is_undone_redone_saved_and_opened() {
  CanvasWindow w;
  QVERIFY(w.open());
  QTest::mouseDClick(w.viewport(), Qt::LeftButton, {}, {120, 200});
  QVERIFY(w.click_in_palette("Simulate scan"));
  w.drag(w.port("simulate_scan", "projections", Side::output), {420, 220});
  QVERIFY(w.click_in_palette("FBP"));
  w.drag(w.card("fbp"), w.card("fbp") + QPoint(60, 90));
  const Graph full = w.document.graph();
  while (w.document.undo_stack().canUndo()) w.key(Qt::Key_Z, Qt::ControlModifier);
  QVERIFY(w.document.graph() == Graph());
  QVERIFY(w.canvas.scene().nodes().isEmpty());
  while (w.document.undo_stack().canRedo()) w.key(Qt::Key_Y, Qt::ControlModifier);
  QVERIFY(w.document.graph() == full);
  const QTemporaryDir folder;
  const QString file = folder.filePath("p.json");
  QVERIFY(w.document.save(file).ok());
  CanvasWindow again;
  QVERIFY(again.document.open(file).ok());
  QVERIFY(again.document.graph() == full);
  QVERIFY(again.open());
  QCOMPARE(again.canvas.scene().node("fbp")->pos(), w.canvas.scene().node("fbp")->pos());
}

void CanvasTest::a_refused_link_says_why() {
  CanvasWindow w;
  w.document.reset(test::volume_chain());
  QVERIFY(w.open());
  QSignalSpy refused(&w.canvas, &Canvas::refused);
  const QPoint from = w.port("flat_field", "projections", Side::output),
               to = w.port("save_volume", "volume", Side::input);
  QTest::mousePress(w.viewport(), Qt::LeftButton, {}, from);
  QTest::mouseMove(w.viewport(), (from + to) / 2);
  QTest::mouseMove(w.viewport(), to);
  const auto* hint = w.viewport()->findChild<HintLabel*>();
  QVERIFY(hint->isVisible());
  QVERIFY2(hint->text().contains("projections output cannot feed a volume input"), qPrintable(hint->text()));
  QTest::mouseRelease(w.viewport(), Qt::LeftButton, {}, to);
  QVERIFY(!hint->isVisible());
  QCOMPARE(refused.count(), 1);
  QVERIFY(w.document.graph().links == test::volume_chain().links);
}

void CanvasTest::a_link_is_picked_up_and_dropped() {
  CanvasWindow w;
  w.document.reset(test::volume_chain());
  QVERIFY(w.open());
  w.drag(w.port("save_volume", "volume", Side::input), w.port("save_volume", "volume", Side::input) + QPoint(-20, 260));
  QVERIFY(!w.canvas.palette_popup().isVisible());
  QVERIFY(w.document.graph().link_into("save_volume", "volume") == nullptr);
  // Dropped on the body of a card it finds the port that fits.
  w.drag(w.port("fbp", "volume", Side::output), w.card("save_volume"));
  QVERIFY(has_link(w.document.graph(), {"fbp", "volume", "save_volume", "volume"}));
  // A chosen link is deleted.
  const QPoint out = w.port("flat_field", "projections", Side::output), in = w.port("fbp", "projections", Side::input);
  QTest::mouseClick(w.viewport(), Qt::LeftButton, {}, (out + in) / 2);
  QVERIFY(w.canvas.scene().chosen_link() != nullptr);
  w.key(Qt::Key_Delete);
  QVERIFY(w.document.graph().link_into("fbp", "projections") == nullptr);
}

void CanvasTest::a_card_goes_onto_a_link() {
  CanvasWindow w;
  Graph g = test::volume_chain();
  (void)edit::add_node(g, Registry::all(), "correct.zingers");
  w.document.reset(g);
  QVERIFY(w.open());
  const QPoint out = w.port("flat_field", "projections", Side::output), in = w.port("fbp", "projections", Side::input);
  w.drag(w.card("zingers"), (out + in) / 2);
  QVERIFY(has_link(w.document.graph(), {"flat_field", "projections", "zingers", "projections"}));
  QVERIFY(has_link(w.document.graph(), {"zingers", "projections", "fbp", "projections"}));
  QCOMPARE(w.document.undo_stack().undoText(), QString("Insert Zinger removal"));
  w.key(Qt::Key_Z, Qt::ControlModifier);
  QVERIFY(w.document.graph() == g);
}

void CanvasTest::deleting_leaves_a_gap_or_closes_it() {
  CanvasWindow w;
  w.document.reset(test::volume_chain());
  QVERIFY(w.open());
  QTest::mouseClick(w.viewport(), Qt::LeftButton, {}, w.card("flat_field"));
  w.key(Qt::Key_Delete, Qt::ControlModifier);
  QVERIFY(has_link(w.document.graph(), {"load_scan", "projections", "fbp", "projections"}));
  w.key(Qt::Key_Z, Qt::ControlModifier);
  QTest::mouseClick(w.viewport(), Qt::LeftButton, {}, w.card("flat_field"));
  w.key(Qt::Key_Delete);
  QVERIFY(w.document.graph().link_into("fbp", "projections") == nullptr);
  QCOMPARE(w.document.graph().nodes.count("flat_field"), std::size_t{0});
}

void CanvasTest::the_clipboard_holds_a_pipeline() {
  CanvasWindow w;
  w.document.reset(test::volume_chain());
  QVERIFY(w.open());
  QTest::mouseClick(w.viewport(), Qt::LeftButton, {}, w.card("fbp"));
  QTest::mouseClick(w.viewport(), Qt::LeftButton, Qt::ShiftModifier, w.card("save_volume"));
  w.key(Qt::Key_C, Qt::ControlModifier);
  const QString text = QGuiApplication::clipboard()->text();
  QVERIFY(graph_from_json(text.toStdString(), Registry::all(), "clipboard", Completeness::draft).ok());
  w.key(Qt::Key_V, Qt::ControlModifier);
  QVERIFY(has_link(w.document.graph(), {"fbp_2", "volume", "save_volume_2", "volume"}));
  QVERIFY(w.document.graph().link_into("fbp_2", "projections") == nullptr);
  QCOMPARE(w.selection.nodes().size(), 2);
  w.key(Qt::Key_V, Qt::ControlModifier | Qt::ShiftModifier);
  QVERIFY(has_link(w.document.graph(), {"flat_field", "projections", "fbp_3", "projections"}));
  w.key(Qt::Key_D, Qt::ControlModifier);
  QVERIFY(w.document.graph().nodes.count("fbp_4") == 1);
  QTest::mouseClick(w.viewport(), Qt::LeftButton, {}, w.card("load_scan"));
  w.key(Qt::Key_X, Qt::ControlModifier);
  QVERIFY(w.document.graph().nodes.count("load_scan") == 0);
  QSignalSpy refused(&w.canvas, &Canvas::refused);
  const Graph before = w.document.graph();
  QGuiApplication::clipboard()->setText("no pipeline");
  w.key(Qt::Key_V, Qt::ControlModifier);
  QCOMPARE(refused.count(), 1);
  QVERIFY(w.document.graph() == before);
}

void CanvasTest::a_drag_is_one_step_and_snaps() {
  CanvasWindow w;
  w.document.reset(test::volume_chain());
  QVERIFY(w.open());
  const QPointF before = w.canvas.scene().node("load_scan")->pos();
  w.drag(w.card("load_scan"), w.card("load_scan") + QPoint(33, 170));
  QCOMPARE(w.document.undo_stack().count(), 1);
  QCOMPARE(w.document.undo_stack().undoText(), QString("Move Load scan"));
  QVERIFY(w.canvas.scene().node("load_scan")->pos().y() > before.y() + 100);
  w.canvas.graph_actions().snap->trigger();
  w.drag(w.card("load_scan"), w.card("load_scan") + QPoint(41, 27));
  const QPointF at = w.canvas.scene().node("load_scan")->pos();
  QCOMPARE(std::fmod(at.x(), grid_step), 0.0);
  QCOMPARE(std::fmod(at.y(), grid_step), 0.0);
  w.key(Qt::Key_Z, Qt::ControlModifier);
  QCOMPARE(w.canvas.scene().node("load_scan")->pos(), before);
}

void CanvasTest::bypass_and_mute_are_shown() {
  CanvasWindow w;
  w.document.reset(test::volume_chain());
  QVERIFY(w.open());
  QTest::mouseClick(w.viewport(), Qt::LeftButton, {}, w.card("flat_field"));
  w.key(Qt::Key_B, Qt::ControlModifier);
  QVERIFY(w.document.graph().nodes.at("flat_field").use == NodeUse::bypassed);
  QCOMPARE(w.canvas.scene().node("flat_field")->card().state, live::State::bypassed);
  QVERIFY(w.document.problems().empty());
  QSignalSpy refused(&w.canvas, &Canvas::refused);
  QTest::mouseClick(w.viewport(), Qt::LeftButton, {}, w.card("fbp"));
  w.key(Qt::Key_B, Qt::ControlModifier);
  QCOMPARE(refused.count(), 1);
  QVERIFY(w.document.graph().nodes.at("fbp").use == NodeUse::active);
  w.key(Qt::Key_M, Qt::ControlModifier);
  QCOMPARE(w.canvas.scene().node("fbp")->card().state_text, QString("muted"));
}

// A frame that would take too long shows some cards as they were; soon all of them are sharp, and a pipeline of a few
// cards is sharp at once.
void CanvasTest::many_cards_are_painted_over_several_frames() {
  const auto late = [](CanvasWindow& w) {
    const auto nodes = w.canvas.scene().nodes();
    return std::count_if(nodes.begin(), nodes.end(), [](const NodeItem* n) { return n->is_late(); });
  };
  CanvasWindow few;
  few.document.reset(test::volume_chain());
  QVERIFY(few.open());
  few.canvas.fit_all();
  few.viewport()->repaint();
  QCOMPARE(late(few), 0);

  CanvasWindow w({1600, 1000});
  QVERIFY(w.open());
  constexpr int columns = 16, rows = 10;
  for (int row = 0; row < rows; ++row)
    for (int column = 0; column < columns; ++column)
      (void)w.canvas.editor().add("filter.gaussian", QPointF(220 * column, 190 * row));
  w.canvas.fit_all();
  w.canvas.view().zoom_by(1.3, w.viewport()->rect().center());
  const auto nodes = w.canvas.scene().nodes();
  QTRY_VERIFY(std::all_of(nodes.begin(), nodes.end(), [](const NodeItem* n) { return n->is_sharp(); }));
  w.viewport()->repaint();
  QTRY_COMPARE(late(w), 0);
  const QImage sharp = w.viewport()->grab().toImage();
  // The same as when everything is painted again without a limit of time.
  for (NodeItem* node : nodes) node->set_card(Card(node->card()));
  int frames = 0;
  do {
    w.viewport()->repaint();
    ++frames;
  } while (late(w) > 0 && frames < columns * rows);
  QVERIFY(frames > 1);
  QCOMPARE(w.viewport()->grab().toImage(), sharp);
}

TL_TEST_CASE(CanvasTest)

}  // namespace tl::ui::canvas_test

#include "scene.moc"
