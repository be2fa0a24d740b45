// Models of the canvas: layout JSON, fuzzy search, palette, node list and outline, under Qt's model tester.
#include <QAbstractItemModelTester>
#include <QMimeData>

#include "tests/support/gui/canvas_window.h"
#include "tests/support/test_case.h"
#include "widgets/canvas/outline/node_list.h"
#include "widgets/canvas/palette/fuzzy.h"
#include "widgets/canvas/placing.h"

namespace tl::ui::canvas_models_test {
namespace {
constexpr auto fatal = QAbstractItemModelTester::FailureReportingMode::Fatal;
}

class CanvasModelsTest final : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void a_layout_comes_back();
  void a_damaged_layout_is_read_safely();
  void every_node_gets_a_position();
  void fuzzy_search_prefers_words();
  void the_palette_finds_by_synonym_and_remembers();
  void the_node_list_is_sound();
  void nodes_are_dragged_from_the_list();
  void nodes_that_are_gone_are_not_selected();
};

// By undo, and in another pipeline; those that are left stay selected.
void CanvasModelsTest::nodes_that_are_gone_are_not_selected() {
  Document document(Registry::all());
  Selection selection;
  GraphEditor editor(document, selection);
  const QString first = editor.add("input.simulate_scan", QPointF()), second = editor.add_after("recon.fbp", first);
  selection.set({first, second}, second);
  document.undo_stack().undo();
  QCOMPARE(selection.nodes(), QStringList{first});
  QCOMPARE(selection.current(), first);
  editor.set_parameter(second, "cutoff", Number{0.5, Unit::nyquist});  // changes nothing
  QVERIFY(!document.graph().nodes.contains(second.toStdString()));
  document.reset({});
  QVERIFY(selection.nodes().isEmpty() && selection.current().isEmpty());
}

void CanvasModelsTest::a_layout_comes_back() {
  Layout layout(R"({"zoom":2,"nodes":{"fbp":{"x":1,"y":2,"colour":"red"}},"theirs":[1]})");
  layout.cards["fbp"].at = QPointF(10.04, -20);
  layout.cards["load"] = {QPointF(1, 1), true, "My scan"};
  layout.frames.push_back({{0, 0, 300, 200}, "why"});
  const Layout back(layout.text());
  QCOMPARE(back.card("fbp").at.value(), QPointF(10, -20));
  QVERIFY(back.card("load") == layout.card("load"));
  QVERIFY(back.frames == layout.frames);
  QCOMPARE(back.text(), layout.text());
  for (const char* kept : {"\"zoom\":2", "\"colour\":\"red\"", "\"theirs\":[1]"})
    QVERIFY2(back.text().find(kept) != std::string::npos, back.text().c_str());
  QCOMPARE(Layout().text(), std::string());
}

void CanvasModelsTest::a_damaged_layout_is_read_safely() {
  for (const char* text :
       {"", "[]", "3", "{", R"({"nodes":3,"frames":{}})", R"({"nodes":{"a":7},"frames":[1,{},{"x":"1"}]})",
        R"({"nodes":{"a":{"x":1e300,"y":0}},"frames":[{"x":0,"y":0,"width":-1e9,"height":5}]})",
        R"({"nodes":{"a":{"x":null,"y":[],"title":3,"collapsed":"yes"}}})"}) {
    const Layout layout{std::string(text)};
    QVERIFY2(!layout.card("a").at, text);
    QVERIFY2(layout.frames.empty(), text);
    (void)layout.text();
  }
  QCOMPARE(Layout(R"({"frames":[{"x":0,"y":0,"width":-100,"height":5}]})").frames.at(0).area,
           QRectF(0, 0, Layout::smallest_frame, Layout::smallest_frame));
}

void CanvasModelsTest::every_node_gets_a_position() {
  Graph g;
  for (int i = 0; i < 12; ++i) (void)edit::add_node(g, Registry::all(), "filter.gaussian");
  g.ui = R"({"nodes":{"gaussian":{"x":100,"y":100}}})";
  const Layout layout = placed_layout(g, Registry::all());
  QCOMPARE(layout.card("gaussian").at.value(), QPointF(100, 100));
  for (const auto& [a, node] : g.nodes)
    for (const auto& [b, other] : g.nodes)
      QVERIFY(a == b || !card_area(layout, g, Registry::all(), a).intersects(card_area(layout, g, Registry::all(), b)));
}

void CanvasModelsTest::fuzzy_search_prefers_words() {
  QVERIFY(fuzzy_score("fbp", "FBP") > fuzzy_score("fbp", "Filtered back-projection"));
  QVERIFY(fuzzy_score("fbp", "Filtered back-projection").has_value());
  QVERIFY(fuzzy_score("sav", "Save volume") > fuzzy_score("sav", "Autosave"));
  QVERIFY(!fuzzy_score("xyz", "Save volume"));
  QVERIFY(fuzzy_score("", "anything").has_value());
}

void CanvasModelsTest::the_palette_finds_by_synonym_and_remembers() {
  QSettings().clear();
  PaletteModel model;
  const QAbstractItemModelTester tester(&model, fatal);
  remember_node("recon.sirt");
  model.set_entries(node_entries(Registry::all()), recent_nodes());
  QCOMPARE(model.rowCount(), static_cast<int>(Registry::all().types().size()));
  QCOMPARE(model.entry(model.index(0))->key, QString("recon.sirt"));
  for (const NodeType& type : Registry::all().types()) {
    model.set_typed(QString::fromStdString(type.title));
    QCOMPARE(model.entry(model.index(0))->key, QString::fromStdString(type.id));
    for (const std::string& word : type.synonyms) {
      model.set_typed(QString::fromStdString(word));
      bool found = false;
      for (int i = 0; i < model.rowCount(); ++i)
        found = found || model.entry(model.index(i))->key == QString::fromStdString(type.id);
      QVERIFY2(found, (type.id + " by " + word).c_str());
    }
  }
  model.set_typed("qqqqq");
  QCOMPARE(model.rowCount(), 0);
  QVERIFY(model.entry(model.index(0)) == nullptr);
}

void CanvasModelsTest::the_node_list_is_sound() {
  NodeListModel model(Registry::all());
  const QAbstractItemModelTester tester(&model, fatal);
  int sum = 0;
  for (int i = 0; i < model.rowCount(); ++i) sum += model.index(i, 0).data(NodeListModel::count_role).toInt();
  QCOMPARE(sum, static_cast<int>(Registry::all().types().size()));
  model.set_typed("flat-field");
  QVERIFY(model.count() >= 1 && model.count() < 10);
  QMimeData* data = model.mimeData({model.index(0, 0, model.index(0, 0))});
  QVERIFY(data->hasFormat(node_mime_type));
  delete data;
  QVERIFY(model.mimeData({model.index(0, 0)}) == nullptr);
}

void CanvasModelsTest::nodes_are_dragged_from_the_list() {
  test::CanvasWindow w;
  QVERIFY(w.open());
  NodeList list(Registry::all());
  QVERIFY(test::open_window(list));
  QSignalSpy add(&list, &NodeList::add_wanted);
  auto* line = list.findChild<QLineEdit*>();
  QTest::keyClicks(line, "sirt");
  QTest::keyClick(line, Qt::Key_Return);
  QCOMPARE(add.count(), 1);
  QCOMPARE(add.at(0).at(0).toString(), QString("recon.sirt"));
  w.canvas.add_here("recon.sirt");
  QCOMPARE(w.selection.current(), QString("sirt"));
  // A drop on the empty canvas, and one onto a link.
  const auto drop = [&](const char* type, const QPoint& at) {
    QMimeData data;
    data.setData(node_mime_type, type);
    QDragEnterEvent enter(at, Qt::CopyAction, &data, Qt::LeftButton, {});
    QApplication::sendEvent(w.viewport(), &enter);
    QDropEvent event(at, Qt::CopyAction, &data, Qt::LeftButton, {});
    QApplication::sendEvent(w.viewport(), &event);
    return enter.isAccepted() && event.isAccepted();
  };
  QVERIFY(drop("output.save_volume", w.card("sirt") + QPoint(420, 0)));
  w.drag(w.port("sirt", "volume", Side::output), w.port("save_volume", "volume", Side::input));
  QCOMPARE(w.document.graph().links.size(), std::size_t{1});
  const QPoint out = w.port("sirt", "volume", Side::output), in = w.port("save_volume", "volume", Side::input);
  QVERIFY(drop("filter.gaussian", (out + in) / 2));
  QVERIFY(w.document.graph().link_into("gaussian", "volume") != nullptr);
  QCOMPARE(w.document.graph().link_into("save_volume", "volume")->from_node, std::string("gaussian"));
}

TL_TEST_CASE(CanvasModelsTest)

}  // namespace tl::ui::canvas_models_test

#include "models.moc"
