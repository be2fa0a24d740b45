// Chains on the canvas: nodes inserted and removed in the middle, the room that their neighbours make, what the palette
// offers first, and a view that follows.
#include <QLabel>

#include "tests/support/gui/canvas_window.h"
#include "tests/support/test_case.h"
#include "widgets/canvas/minimap.h"
#include "widgets/canvas/outline/node_list.h"
#include "widgets/canvas/outline/outline_view.h"
#include "widgets/theme/theme.h"

namespace tl::ui::canvas_chain_test {
namespace {

using test::CanvasWindow;

bool has_link(const Graph& g, const Link& link) {
  return std::find(g.links.begin(), g.links.end(), link) != g.links.end();
}

// And statistics as a second reader of the volume.
Graph chain() {
  Graph g = test::volume_chain();
  (void)edit::add_node(g, Registry::all(), "measure.statistics");
  g.links.push_back({"fbp", "volume", "statistics", "volume"});
  return g;
}

bool is_apart(const CanvasScene& scene) {
  const auto items = scene.nodes();
  for (const NodeItem* a : items)
    for (const NodeItem* b : items)
      if (a != b && a->scene_rect().intersects(b->scene_rect())) return false;
  return true;
}
QPointF at(CanvasWindow& w, const char* node) { return w.canvas.scene().node(node)->pos(); }
bool is_in_view(CanvasWindow& w, const QString& node) {
  return w.canvas.view().shown_area().contains(w.canvas.scene().node(node)->scene_rect());
}

}  // namespace

class CanvasChainTest final : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void insert_in_the_outline_goes_into_the_chain();
  void enter_in_the_list_of_nodes_goes_into_the_chain();
  void tab_on_the_canvas_adds_after_the_selected_node();
  void a_node_before_several_goes_before_all_of_them();
  void a_node_on_a_link_takes_the_row_and_makes_room();
  void frames_grow_with_what_is_inserted();
  void ctrl_del_closes_the_gap();
  void what_acts_at_once_is_offered_first();
  void the_view_follows_until_it_is_moved_by_hand();
  void the_minimap_covers_no_card_and_follows_the_selection();
  void an_empty_canvas_says_what_to_do();
  void the_bundled_pipelines_are_level_and_apart();
};

void CanvasChainTest::insert_in_the_outline_goes_into_the_chain() {
  CanvasWindow w;
  w.document.reset(chain());
  QVERIFY(w.open());
  OutlineView outline(w.canvas, w.session);
  outline.resize(260, 500);
  QVERIFY(test::open_window(outline));
  outline.setFocus();
  w.selection.set_one("flat_field");
  const Graph before = w.document.graph();
  const QPointF place = at(w, "fbp");
  QTest::keyClick(&outline, Qt::Key_Insert);
  auto* line = outline.palette_popup().findChild<QLineEdit*>();
  QVERIFY(outline.palette_popup().isVisible());
  QTest::keyClicks(line, "stripe removal");
  QTest::keyClick(line, Qt::Key_Return);
  const Graph& g = w.document.graph();
  QVERIFY(has_link(g, {"flat_field", "projections", "stripe_removal", "projections"}));
  QVERIFY(has_link(g, {"stripe_removal", "projections", "fbp", "projections"}));
  QCOMPARE(g.links.size(), before.links.size() + 1);
  QCOMPARE(at(w, "stripe_removal"), place);
  QVERIFY(at(w, "fbp").x() >= place.x() + card_size::width);
  QCOMPARE(at(w, "fbp").y(), place.y());
  QVERIFY(at(w, "statistics").x() > at(w, "fbp").x());
  QVERIFY(is_apart(w.canvas.scene()));
  QCOMPARE(w.document.undo_stack().count(), 1);
  w.document.undo_stack().undo();
  QVERIFY(w.document.graph() == before);
}

void CanvasChainTest::enter_in_the_list_of_nodes_goes_into_the_chain() {
  CanvasWindow w;
  w.document.reset(chain());
  QVERIFY(w.open());
  NodeList list(Registry::all());
  QObject::connect(&list, &NodeList::add_wanted, &w.canvas, &Canvas::add_here);
  list.resize(260, 500);
  QVERIFY(test::open_window(list));
  auto* line = list.findChild<QLineEdit*>();
  const Graph before = w.document.graph();
  w.selection.set_one("flat_field");
  QTest::keyClicks(line, "stripe removal");
  QTest::keyClick(line, Qt::Key_Return);
  const Graph& g = w.document.graph();
  QVERIFY(has_link(g, {"flat_field", "projections", "stripe_removal", "projections"}));
  QVERIFY(has_link(g, {"stripe_removal", "projections", "fbp", "projections"}));
  QCOMPARE(w.selection.current(), QStringLiteral("stripe_removal"));
  QVERIFY(is_apart(w.canvas.scene()));
  QCOMPARE(w.document.undo_stack().count(), 1);
  w.document.undo_stack().undo();
  QVERIFY(w.document.graph() == before);
  // Nothing is current: the node stands alone.
  w.selection.clear();
  QTest::keyClick(line, Qt::Key_Return);
  QCOMPARE(w.document.graph().links.size(), before.links.size());
  QCOMPARE(w.document.graph().nodes.size(), before.nodes.size() + 1);
}

void CanvasChainTest::tab_on_the_canvas_adds_after_the_selected_node() {
  CanvasWindow w;
  QVERIFY(w.open());
  for (const char* words : {"load scan", "flat-field", "fbp", "save volume"}) {
    w.key(Qt::Key_Tab);
    QVERIFY(w.type_in_palette(words));
  }
  QVERIFY(w.document.problems().empty());
  QCOMPARE(w.document.graph().links.size(), std::size_t{3});
  QCOMPARE(at(w, "load_scan").y(), at(w, "save_volume").y());
  QTest::mouseClick(w.viewport(), Qt::LeftButton, {}, w.card("fbp"));
  w.key(Qt::Key_Insert);
  QVERIFY(w.type_in_palette("gaussian filter"));
  QVERIFY(has_link(w.document.graph(), {"gaussian", "volume", "save_volume", "volume"}));
  QVERIFY(has_link(w.document.graph(), {"fbp", "volume", "gaussian", "volume"}));
  // A reconstruction cannot stand between projections: it is a second branch, below the first.
  QTest::mouseClick(w.viewport(), Qt::LeftButton, {}, w.card("flat_field"));
  w.key(Qt::Key_Tab);
  QVERIFY(w.type_in_palette("sirt"));
  QVERIFY(has_link(w.document.graph(), {"flat_field", "projections", "sirt", "projections"}));
  QVERIFY(has_link(w.document.graph(), {"flat_field", "projections", "fbp", "projections"}));
  // What fits nowhere is added without a link.
  w.key(Qt::Key_Tab);
  QVERIFY(w.type_in_palette("simulate scan"));
  QVERIFY(w.document.graph().nodes.count("simulate_scan") == 1);
  QVERIFY(is_apart(w.canvas.scene()));
}

void CanvasChainTest::a_node_before_several_goes_before_all_of_them() {
  CanvasWindow w;
  w.document.reset(chain());
  QVERIFY(w.open());
  QTest::mouseClick(w.viewport(), Qt::LeftButton, {}, w.card("fbp"));
  w.key(Qt::Key_Tab);
  QVERIFY(w.type_in_palette("gaussian filter"));
  QVERIFY(has_link(w.document.graph(), {"gaussian", "volume", "save_volume", "volume"}));
  QVERIFY(has_link(w.document.graph(), {"gaussian", "volume", "statistics", "volume"}));
  QVERIFY(is_apart(w.canvas.scene()));
}

void CanvasChainTest::a_node_on_a_link_takes_the_row_and_makes_room() {
  CanvasWindow w;
  w.document.reset(chain());
  QVERIFY(w.open());
  const QPointF save = at(w, "save_volume"), statistics = at(w, "statistics");
  QVERIFY(statistics.y() > save.y());
  // On the link of the lower row: the upper row stays.
  const QPoint out = w.port("fbp", "volume", Side::output), in = w.port("statistics", "volume", Side::input);
  QTest::mouseDClick(w.viewport(), Qt::LeftButton, {}, (out + in) / 2);
  QVERIFY(w.type_in_palette("gaussian filter"));
  QCOMPARE(at(w, "gaussian").y(), statistics.y());
  QCOMPARE(at(w, "save_volume"), save);
  QVERIFY(at(w, "statistics").x() > statistics.x());
  QVERIFY(is_apart(w.canvas.scene()));
  w.key(Qt::Key_Z, Qt::ControlModifier);
  QCOMPARE(at(w, "statistics"), statistics);
  // A card that is dragged onto a link goes into the row too.
  w.canvas.editor().add("correct.zingers", QPointF(0, 400));
  const QPoint from = w.port("flat_field", "projections", Side::output), to = w.port("fbp", "projections", Side::input);
  w.drag(w.card("zingers"), (from + to) / 2);
  QCOMPARE(at(w, "zingers").y(), at(w, "flat_field").y());
  QVERIFY(at(w, "fbp").x() > at(w, "zingers").x() + card_size::width);
  QVERIFY(is_apart(w.canvas.scene()));
}

void CanvasChainTest::frames_grow_with_what_is_inserted() {
  CanvasWindow w;
  w.document.reset(chain());
  QVERIFY(w.open());
  w.selection.set({"flat_field", "fbp"}, "fbp");
  w.canvas.editor().add_frame();
  const QRectF before = w.canvas.scene().frames().front()->frame().area;
  w.canvas.editor().add_after("correct.zingers", "flat_field");
  const QRectF area = w.canvas.scene().frames().front()->frame().area;
  for (const char* node : {"flat_field", "zingers", "fbp"})
    QVERIFY2(area.contains(w.canvas.scene().node(node)->scene_rect()), node);
  QCOMPARE(area.topLeft(), before.topLeft());
  w.selection.set_one("zingers");
  w.key(Qt::Key_Delete, Qt::ControlModifier);
  QCOMPARE(w.canvas.scene().frames().front()->frame().area, before);
}

void CanvasChainTest::ctrl_del_closes_the_gap() {
  CanvasWindow w;
  w.document.reset(chain());
  QVERIFY(w.open());
  const Graph before = w.document.graph();
  const QPointF gap = at(w, "flat_field"), fbp = at(w, "fbp"), save = at(w, "save_volume");
  QTest::mouseClick(w.viewport(), Qt::LeftButton, {}, w.card("flat_field"));
  w.key(Qt::Key_Delete, Qt::ControlModifier);
  QVERIFY(has_link(w.document.graph(), {"load_scan", "projections", "fbp", "projections"}));
  QCOMPARE(at(w, "fbp"), gap);
  QCOMPARE(at(w, "save_volume"), save + gap - fbp);
  QVERIFY(is_apart(w.canvas.scene()));
  QCOMPARE(w.document.undo_stack().count(), 1);
  w.key(Qt::Key_Z, Qt::ControlModifier);
  QVERIFY(w.document.graph() == before);
  QCOMPARE(at(w, "fbp"), fbp);
  // Deleting alone leaves everything where it is.
  QTest::mouseClick(w.viewport(), Qt::LeftButton, {}, w.card("flat_field"));
  w.key(Qt::Key_Delete);
  QCOMPARE(at(w, "fbp"), fbp);
}

void CanvasChainTest::what_acts_at_once_is_offered_first() {
  CanvasWindow w;
  w.document.reset(chain());
  QVERIFY(w.open());
  w.drag(w.port("flat_field", "projections", Side::output),
         w.port("flat_field", "projections", Side::output) + QPoint(30, 250));
  QVERIFY(w.canvas.palette_popup().isVisible());
  QTest::keyClicks(w.palette_line(), "ring");
  const QStringList offered = w.offered();
  QVERIFY(offered.contains("Pixel offsets"));
  const auto offsets = offered.indexOf("Pixel offsets");
  for (const char* title : {"Stripe removal", "Automatic stripe removal", "Double flat-field"}) {
    const auto remover = offered.indexOf(QString(title));
    QVERIFY2(remover < 0 || remover < offsets, qPrintable(offered.join(", ")));
  }
  QVERIFY2(offsets > 0, qPrintable(offered.join(", ")));
  test::keep_picture(w.canvas.palette_popup(), "palette_ring", 0);
  QTest::keyClick(w.palette_line(), Qt::Key_Escape);
}

void CanvasChainTest::the_view_follows_until_it_is_moved_by_hand() {
  CanvasWindow w;
  QVERIFY(w.open());
  for (const char* words :
       {"simulate", "flat-field", "zinger", "stripe removal", "fbp", "gaussian filter", "median", "save volume"}) {
    w.key(Qt::Key_Tab);
    QVERIFY(w.type_in_palette(words));
    QVERIFY2(is_in_view(w, w.selection.current()), words);
  }
  const double small = w.canvas.view().transform().m11();
  w.canvas.resize(1800, 700);
  QTRY_VERIFY(w.canvas.view().transform().m11() > small);
  QVERIFY(w.canvas.view().shown_area().contains(w.canvas.scene().all_cards()));
  QWheelEvent turn(QPointF(300, 200), w.viewport()->mapToGlobal(QPointF(300, 200)), {}, {0, 120}, {}, {},
                   Qt::NoScrollPhase, false);
  QApplication::sendEvent(w.viewport(), &turn);
  const double by_hand = w.canvas.view().transform().m11();
  w.canvas.resize(1200, 500);
  QTRY_COMPARE(w.viewport()->height(), 500);
  QCOMPARE(w.canvas.view().transform().m11(), by_hand);
  // A new node is still scrolled into view.
  w.selection.set_one("save_volume");
  w.canvas.view().scroll_by_hand(at(w, "simulate_scan"));
  w.canvas.editor().add("filter.median", {});
  QVERIFY(is_in_view(w, w.selection.current()));
  QCOMPARE(w.canvas.view().transform().m11(), by_hand);
  w.key(Qt::Key_Home);
  w.canvas.resize(1500, 600);
  QTRY_VERIFY(w.canvas.view().transform().m11() != by_hand);
}

void CanvasChainTest::the_minimap_covers_no_card_and_follows_the_selection() {
  CanvasWindow w;
  w.document.reset(chain());
  QVERIFY(w.open());
  auto* map = w.canvas.findChild<Minimap*>();
  const auto covers = [&] {
    for (const NodeItem* node : w.canvas.scene().nodes())
      if (map->isVisible() &&
          w.canvas.view().mapFromScene(node->scene_rect()).boundingRect().intersects(map->geometry()))
        return true;
    return false;
  };
  QTRY_VERIFY(map->isVisible() && !covers());
  const QPoint first = map->pos();
  // A card that is moved under it sends it to another corner.
  w.drag(w.card("load_scan"), map->geometry().center() + QPoint(0, -20));
  QTRY_VERIFY(map->pos() != first && !covers());
  const QImage before = map->grab().toImage();
  w.selection.clear();
  QTRY_VERIFY(map->grab().toImage() != before);
  // Where cards are everywhere, it fades.
  w.document.edit("Add many", [](Graph& g) {
    for (int i = 0; i < 120; ++i) (void)edit::add_node(g, Registry::all(), "filter.gaussian");
    g.ui.clear();
  });
  int i = 0;
  for (const auto& [id, node] : Graph(w.document.graph()).nodes) {
    w.canvas.editor().move({{QString::fromStdString(id), QPointF(195 * (i % 12), 185 * (i / 12))}});
    ++i;
  }
  w.canvas.view().show_area(w.canvas.scene().all_cards().adjusted(600, 300, -600, -300), 1);
  QTRY_VERIFY(map->is_faded());
  w.canvas.graph_actions().minimap->trigger();
  QVERIFY(!map->isVisible());
}

void CanvasChainTest::an_empty_canvas_says_what_to_do() {
  CanvasWindow w;
  QVERIFY(w.open());
  auto* hint = w.canvas.findChild<EmptyHint*>();
  QVERIFY(hint->isVisible());
  test::keep_picture(w.canvas, "canvas_empty", 0);
  QSignalSpy wanted(&w.canvas, &Canvas::template_wanted);
  // Its last words are a link.
  QTest::mouseClick(hint, Qt::LeftButton, {}, QPoint(hint->width() - 12, hint->height() / 2));
  QCOMPARE(wanted.count(), 1);
  w.key(Qt::Key_Tab);
  QVERIFY(w.type_in_palette("simulate"));
  QVERIFY(!hint->isVisible());
  w.key(Qt::Key_Z, Qt::ControlModifier);
  QVERIFY(hint->isVisible());
}

// Images of them, in both themes, for people to look at.
void CanvasChainTest::the_bundled_pipelines_are_level_and_apart() {
  for (const char* theme : {"light", "dark"}) {
    Theme::instance().set(QString(theme));
    for (const char* name : {"parallel", "phase", "example-learning", "rings-by-gradient", "axis-by-gradient"}) {
      CanvasWindow w({1080, 520});
      QVERIFY2(w.document.open(QStringLiteral(TL_SOURCE_DIR "/resources/pipelines/%1.json").arg(name)).ok(), name);
      QVERIFY(w.open());
      QVERIFY2(is_apart(w.canvas.scene()), name);
      QVERIFY(w.canvas.view().transform().m11() >= 0.7);
      test::keep_picture(w.canvas, QStringLiteral("canvas_%1_%2").arg(QString(name), QString(theme)), 800);
    }
  }
}

TL_TEST_CASE(CanvasChainTest)

}  // namespace tl::ui::canvas_chain_test

#include "chain.moc"
