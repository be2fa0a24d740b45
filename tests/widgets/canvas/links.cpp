// Links on the canvas pass around cards, never behind them, and stay where they are while a card is dropped on them.
#include <QDirIterator>

#include "tests/support/gui/canvas_window.h"
#include "tests/support/test_case.h"
#include "widgets/canvas/items/link_route.h"
#include "widgets/theme/theme.h"

namespace tl::ui::canvas_links_test {
namespace {

using test::CanvasWindow;

std::vector<QRectF> card_areas(const CanvasScene& scene) {
  std::vector<QRectF> areas;
  for (const NodeItem* node : scene.nodes()) areas.push_back(node->scene_rect());
  return areas;
}

const LinkItem* link_into(const CanvasScene& scene, const std::string& node) {
  for (const LinkItem* link : scene.links())
    if (link->link().to_node == node) return link;
  return nullptr;
}

}  // namespace

class CanvasLinksTest final : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void initTestCase() { Theme::instance().set(Theme::names().front()); }
  void links_of_bundled_pipelines_pass_behind_no_card();
  void a_card_in_the_way_is_passed_by();
  void a_link_backwards_goes_around_its_cards();
  void a_card_can_still_be_dropped_on_a_link();
};

void CanvasLinksTest::links_of_bundled_pipelines_pass_behind_no_card() {
  int links = 0;
  QDirIterator files(QStringLiteral(TL_SOURCE_DIR "/resources/pipelines"), {QStringLiteral("*.json")});
  while (files.hasNext()) {
    const QString file = files.next();
    CanvasWindow w;
    QVERIFY2(w.document.open(file).ok(), qPrintable(file));
    const std::vector<QRectF> cards = card_areas(w.canvas.scene());
    for (const LinkItem* link : w.canvas.scene().links()) {
      QVERIFY2(!passes_behind(link->path(), cards),
               qPrintable(file + QStringLiteral(": ") + QString::fromStdString(link->link().from_node) +
                          QStringLiteral(" to ") + QString::fromStdString(link->link().to_node)));
      ++links;
    }
  }
  QVERIFY(links > 30);
}

// Two readers of one volume in a row: the link to the second would pass behind the first.
void CanvasLinksTest::a_card_in_the_way_is_passed_by() {
  CanvasWindow w;
  Graph g = test::volume_chain();
  (void)edit::add_node(g, Registry::all(), "measure.statistics");
  g.links.push_back({"fbp", "volume", "statistics", "volume"});
  w.document.reset(g);
  QVERIFY(w.open());
  const CanvasScene& scene = w.canvas.scene();
  const QPointF save = scene.node("save_volume")->pos();
  const LinkItem* link = link_into(scene, "statistics");
  QVERIFY(link != nullptr);
  for (const QPointF shift : {QPointF(228, 0), QPointF(228, 40), QPointF(460, -30), QPointF(228, 260)}) {
    w.canvas.editor().move({{QStringLiteral("statistics"), save + shift}});
    QVERIFY(!passes_behind(link->path(), card_areas(scene)));
    const NodeItem* to = scene.node("statistics");
    QCOMPARE(link->path().currentPosition(), to->port_at_scene(*to->card().port("volume", Side::input)));
    // It can be picked along all of its length.
    for (const double part : {0.05, 0.3, 0.5, 0.7, 0.95})
      QVERIFY(link->distance(link->path().pointAtPercent(part)) < 1);
  }
  test::keep_picture(w.canvas, QStringLiteral("canvas_link_around"), 0);
}

void CanvasLinksTest::a_link_backwards_goes_around_its_cards() {
  CanvasWindow w;
  w.document.reset(test::volume_chain());
  QVERIFY(w.open());
  const CanvasScene& scene = w.canvas.scene();
  const QPointF fbp = scene.node("fbp")->pos();
  w.canvas.editor().move({{QStringLiteral("save_volume"), fbp + QPointF(-60, 300)}});
  QVERIFY(!passes_behind(link_into(scene, "save_volume")->path(), card_areas(scene)));
}

void CanvasLinksTest::a_card_can_still_be_dropped_on_a_link() {
  CanvasWindow w;
  w.document.reset(test::volume_chain());
  QVERIFY(w.open());
  const QString median = w.canvas.editor().add(QStringLiteral("filter.median"), QPointF(0, 320));
  QVERIFY(!median.isEmpty());
  w.canvas.editor().move({{QStringLiteral("save_volume"), w.canvas.scene().node("fbp")->pos() + QPointF(480, 0)}});
  w.canvas.fit_all();
  const LinkItem* link = link_into(w.canvas.scene(), "save_volume");
  const QPoint middle = w.on_view(link->path().pointAtPercent(0.5));
  w.drag(w.card(median), middle);
  const Graph& graph = w.document.graph();
  QCOMPARE(graph.link_into("save_volume", "volume")->from_node, median.toStdString());
  QCOMPARE(graph.link_into(median.toStdString(), "volume")->from_node, std::string("fbp"));
}

TL_TEST_CASE(CanvasLinksTest)

}  // namespace tl::ui::canvas_links_test

#include "links.moc"
