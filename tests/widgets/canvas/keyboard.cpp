// Canvas by keyboard: building, linking and changing pipelines through palette, arrow keys and outline.
#include <QAbstractItemModelTester>
#include <QGuiApplication>

#include "tests/support/gui/canvas_window.h"
#include "tests/support/test_case.h"
#include "widgets/canvas/outline/outline_view.h"

namespace tl::ui::canvas_keyboard_test {
namespace {

using test::CanvasWindow;

// The outline in a window next to the canvas that it shares everything with.
struct Both {
  CanvasWindow w;
  OutlineView outline{w.canvas, w.session};
  QAbstractItemModelTester tester{&outline.outline(), QAbstractItemModelTester::FailureReportingMode::Fatal};
  bool open() {
    outline.resize(260, 500);
    if (!w.open() || !test::open_window(outline)) return false;
    outline.setFocus();
    return true;
  }
  void key(int key, Qt::KeyboardModifiers keys = {}) { QTest::keyClick(&outline, static_cast<Qt::Key>(key), keys); }
  bool choose(const QString& text) {
    auto& palette = outline.palette_popup();
    auto* line = palette.findChild<QLineEdit*>();
    if (!palette.isVisible()) return false;
    QTest::keyClicks(line, text);
    QTest::keyClick(line, Qt::Key_Return);
    return !palette.isVisible();
  }
  // "Load scan", "  projections: from Load scan, projections": the lines as somebody would hear them.
  QStringList lines() const {
    QStringList all;
    const QAbstractItemModel& m = *outline.model();
    for (int i = 0; i < m.rowCount(); ++i) {
      const QModelIndex node = m.index(i, 0);
      all << node.data().toString();
      for (int k = 0; k < m.rowCount(node); ++k) all << "  " + m.index(k, 0, node).data().toString();
    }
    return all;
  }
};

}  // namespace

class CanvasKeyboardTest final : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void a_pipeline_is_built_in_the_outline_alone();
  void a_pipeline_is_built_with_the_palette_of_the_canvas();
  void arrows_walk_along_links();
  void space_is_a_tap_or_a_hand();
  void escape_twice_stops();
  void a_title_is_changed_in_place();
  void a_value_is_changed_in_place();
  void every_action_can_be_found();
};

void CanvasKeyboardTest::a_pipeline_is_built_in_the_outline_alone() {
  Both b;
  QVERIFY(b.open());
  b.key(Qt::Key_Insert);
  QVERIFY(b.choose("load scan"));
  b.key(Qt::Key_Insert);
  QVERIFY(b.choose("flat-field"));
  b.key(Qt::Key_Insert);
  QVERIFY(b.choose("fbp"));
  b.key(Qt::Key_Insert);
  QVERIFY(b.choose("save volume"));
  QVERIFY(b.w.document.problems().empty());
  QCOMPARE(b.lines(),
           QStringList({"Load scan", "Flat-field", "  projections: from Load scan, projections", "FBP",
                        "  projections: from Flat-field, projections", "Save volume", "  volume: from FBP, volume"}));
  // Up to FBP: taken out, and the gap is reported; then linked again from the node that can feed it.
  b.key(Qt::Key_Up);
  QCOMPARE(b.w.selection.current(), QString("fbp"));
  b.key(Qt::Key_B, Qt::ControlModifier);
  QVERIFY(b.w.document.graph().nodes.at("fbp").use == NodeUse::active);  // projections are not a volume
  b.key(Qt::Key_M, Qt::ControlModifier);
  QCOMPARE(b.outline.model()->index(2, 1).data().toString(), QString("muted"));
  b.key(Qt::Key_M, Qt::ControlModifier);
  b.key(Qt::Key_Delete);
  QVERIFY(b.lines().contains("  volume: not linked"));
  b.key(Qt::Key_Z, Qt::ControlModifier);
  QVERIFY(b.lines().contains("  volume: from FBP, volume"));
}

void CanvasKeyboardTest::a_pipeline_is_built_with_the_palette_of_the_canvas() {
  Both b;
  QVERIFY(b.w.open());
  b.w.key(Qt::Key_Tab);
  QVERIFY(b.w.type_in_palette("simulate"));
  b.w.key(Qt::Key_Tab);
  QVERIFY(b.w.type_in_palette("fbp"));
  QCOMPARE(b.w.document.graph().links.size(), std::size_t{1});  // after the selected node
  QVERIFY(b.w.document.problems().empty());
  b.w.canvas.editor().unlink(Link(b.w.document.graph().links.front()));
  QVERIFY(test::open_window(b.outline));
  b.outline.setFocus();
  b.w.selection.set_one("simulate_scan");
  b.key(Qt::Key_L, Qt::ControlModifier);
  QVERIFY(b.choose("fbp"));
  QVERIFY(b.w.document.problems().empty());
  // The other way: from an input line.
  b.key(Qt::Key_Z, Qt::ControlModifier);
  const QModelIndex fbp = b.outline.outline().index_of("fbp");
  b.outline.setCurrentIndex(fbp);
  b.key(Qt::Key_Right);  // opens
  b.key(Qt::Key_Down);
  QCOMPARE(b.outline.outline().port(b.outline.currentIndex()), QString("projections"));
  b.key(Qt::Key_L, Qt::ControlModifier);
  QVERIFY(b.choose("simulate"));
  QVERIFY(b.w.document.problems().empty());
}

void CanvasKeyboardTest::arrows_walk_along_links() {
  CanvasWindow w;
  Graph g;
  for (const char* type : {"input.load_scan", "recon.fbp", "output.save_volume", "output.save_picture"})
    (void)edit::add_node(g, Registry::all(), type);
  g.links = {{"load_scan", "projections", "fbp", "projections"},
             {"fbp", "volume", "save_volume", "volume"},
             {"fbp", "volume", "save_picture", "volume"}};
  w.document.reset(g);
  QVERIFY(w.open());
  w.key(Qt::Key_Right);
  QCOMPARE(w.selection.current(), QString("load_scan"));
  w.key(Qt::Key_Right);
  QCOMPARE(w.selection.current(), QString("fbp"));
  w.key(Qt::Key_Right);
  const QString upper = w.selection.current();
  w.key(Qt::Key_Down);
  QVERIFY(w.selection.current() != upper);
  w.key(Qt::Key_Up);
  QCOMPARE(w.selection.current(), upper);
  w.key(Qt::Key_Left);
  QCOMPARE(w.selection.current(), QString("fbp"));
  QSignalSpy form(&w.canvas, &Canvas::form_wanted);
  w.key(Qt::Key_Return);
  QCOMPARE(form.count(), 1);
  QCOMPARE(form.at(0).at(0).toString(), QString("fbp"));
}

void CanvasKeyboardTest::space_is_a_tap_or_a_hand() {
  CanvasWindow w;
  QVERIFY(w.open());
  QTest::keyPress(&w.canvas.view(), Qt::Key_Space);
  QTest::keyRelease(&w.canvas.view(), Qt::Key_Space);
  QVERIFY(w.canvas.palette_popup().isVisible());
  QTest::keyClick(w.palette_line(), Qt::Key_Escape);
  QVERIFY(!w.canvas.palette_popup().isVisible());
  const QPointF before = w.canvas.view().mapToScene(0, 0);
  QTest::keyPress(&w.canvas.view(), Qt::Key_Space);
  w.drag({300, 300}, {400, 350});
  QTest::keyRelease(&w.canvas.view(), Qt::Key_Space);
  QVERIFY(!w.canvas.palette_popup().isVisible());
  QCOMPARE(w.canvas.view().mapToScene(0, 0), before - QPointF(100, 50));
}

void CanvasKeyboardTest::escape_twice_stops() {
  CanvasWindow w;
  QVERIFY(w.open());
  QSignalSpy stop(&w.canvas, &Canvas::stop_wanted);
  w.key(Qt::Key_Escape);
  QCOMPARE(stop.count(), 0);
  w.key(Qt::Key_Escape);
  QCOMPARE(stop.count(), 1);
}

void CanvasKeyboardTest::a_title_is_changed_in_place() {
  CanvasWindow w;
  w.document.edit("Add", [](Graph& g) { (void)edit::add_node(g, Registry::all(), "recon.fbp"); });
  QVERIFY(w.open());
  w.selection.set_one("fbp");
  w.key(Qt::Key_F2);
  auto* editor = w.viewport()->findChild<InlineEditor*>();
  QVERIFY(editor->isVisible());
  QTest::keyClicks(editor, "Fl final");  // letters that are shortcuts of the canvas
  QTest::keyClick(editor, Qt::Key_Return);
  QVERIFY(!editor->isVisible());
  QCOMPARE(w.canvas.editor().title("fbp"), QString("Fl final"));
  QCOMPARE(w.document.undo_stack().undoText(), QString("Rename FBP"));
  w.key(Qt::Key_F2);
  QTest::keyClicks(editor, "other");
  QTest::keyClick(editor, Qt::Key_Escape);
  QCOMPARE(w.canvas.editor().title("fbp"), QString("Fl final"));
  w.key(Qt::Key_C, Qt::AltModifier);
  QVERIFY(w.canvas.scene().node("fbp")->card().collapsed);
}

void CanvasKeyboardTest::a_value_is_changed_in_place() {
  CanvasWindow w;
  w.document.edit("Add", [](Graph& g) { (void)edit::add_node(g, Registry::all(), "filter.gaussian"); });
  QVERIFY(w.open());
  const NodeItem* item = w.canvas.scene().node("gaussian");
  const auto& rows = item->card().rows;
  const auto sigma = std::find_if(rows.begin(), rows.end(), [](const CardRow& r) { return r.param == "sigma"; });
  QVERIFY(sigma != rows.end());
  const auto row = static_cast<std::size_t>(sigma - rows.begin());
  const QPoint at = w.on_view(item->mapToScene(item->card().row_area(row).center()));
  QTest::mouseDClick(w.viewport(), Qt::LeftButton, {}, at);
  auto* editor = w.viewport()->findChild<InlineEditor*>();
  QVERIFY(editor->isVisible());
  QTest::keyClicks(editor, "wide");
  QTest::keyClick(editor, Qt::Key_Return);
  QVERIFY(editor->isVisible());  // it is not a number: the editor stays and says so
  QVERIFY(!editor->toolTip().isEmpty());
  editor->selectAll();
  QTest::keyClicks(editor, "2.5");
  QTest::keyClick(editor, Qt::Key_Return);
  QVERIFY(!editor->isVisible());
  QCOMPARE(std::get<Number>(w.document.graph().nodes.at("gaussian").params.at("sigma")).value, 2.5);
  w.key(Qt::Key_Z, Qt::ControlModifier);
  QVERIFY(w.document.graph().nodes.at("gaussian").params.empty());
}

void CanvasKeyboardTest::every_action_can_be_found() {
  CanvasWindow w;
  QSet<QString> names, keys;
  for (const QAction* action : w.canvas.graph_actions().all()) {
    QVERIFY2(!action->text().isEmpty(), qPrintable(action->objectName()));
    QVERIFY2(!names.contains(action->objectName()), qPrintable(action->objectName()));
    names.insert(action->objectName());
    for (const QKeySequence& key : action->shortcuts()) {
      QVERIFY2(!keys.contains(key.toString()), qPrintable(key.toString()));
      keys.insert(key.toString());
    }
    QVERIFY(w.canvas.actions().contains(action));
  }
}

TL_TEST_CASE(CanvasKeyboardTest)

}  // namespace tl::ui::canvas_keyboard_test

#include "keyboard.moc"
