// Document: every edit is one undo step, drags merge, files are opened and saved.
#include "widgets/session/document.h"

#include <QFile>
#include <QSignalSpy>
#include <QTemporaryDir>

#include "tests/support/test_case.h"

namespace tl::ui::document_test {

class DocumentTest final : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void an_edit_is_one_step_and_comes_back();
  void a_drag_is_one_step();
  void moving_a_node_is_only_layout();
  void saved_and_opened_again_it_is_equal();
  void what_is_kept_outside_the_graph_is_not_a_step();
  void a_bad_file_leaves_everything_as_it_was();
  void saving_never_replaces_the_scan();
};

namespace {
void add_fbp(Graph& graph) { graph.nodes["fbp"] = GraphNode{"recon.fbp", 1, {}}; }
}  // namespace

void DocumentTest::an_edit_is_one_step_and_comes_back() {
  Document document;
  QSignalSpy changes(&document, &Document::graph_changed);
  document.edit("Add FBP", add_fbp);
  QCOMPARE(document.graph().nodes.size(), std::size_t{1});
  QVERIFY(document.is_modified());
  QVERIFY(!document.problems().empty());  // its input is not linked
  QCOMPARE(document.undo_stack().undoText(), QString("Add FBP"));
  document.undo_stack().undo();
  QVERIFY(document.graph().nodes.empty());
  QVERIFY(document.problems().empty());
  document.undo_stack().redo();
  QCOMPARE(document.graph().nodes.count("fbp"), std::size_t{1});
  document.edit("Nothing", [](Graph&) {});
  QCOMPARE(document.undo_stack().count(), 1);
  QCOMPARE(changes.count(), 3);
}

void DocumentTest::a_drag_is_one_step() {
  Document document;
  for (int i = 1; i <= 5; ++i) document.edit("Rename", [i](Graph& g) { g.title = std::to_string(i); }, {"title"});
  QCOMPARE(document.undo_stack().count(), 1);
  document.edit("Rename", [](Graph& g) { g.title = "other"; }, {"another drag"});
  QCOMPARE(document.undo_stack().count(), 2);
  document.undo_stack().undo();
  QCOMPARE(document.graph().title, std::string("5"));
  document.undo_stack().undo();
  QCOMPARE(document.graph().title, std::string());
}

void DocumentTest::moving_a_node_is_only_layout() {
  Document document;
  document.edit("Add FBP", add_fbp);
  QSignalSpy graph(&document, &Document::graph_changed);
  QSignalSpy layout(&document, &Document::layout_changed);
  document.edit("Move FBP", [](Graph& g) { g.ui = R"({"fbp":[10,20]})"; });
  QCOMPARE(graph.count(), 0);
  QCOMPARE(layout.count(), 1);
}

void DocumentTest::saved_and_opened_again_it_is_equal() {
  const QTemporaryDir folder;
  Document document;
  document.edit("Title", [](Graph& g) { g.title = "empty"; });
  const QString file = folder.filePath("a.json");
  QVERIFY(document.save(file).ok());
  QVERIFY(!document.is_modified());
  QCOMPARE(document.title(), QString("a.json"));
  Document second;
  QVERIFY(second.open(file).ok());
  QVERIFY(second.graph() == document.graph());
}

// How views show a pipeline is written into copies alone: saving ends no redo, and the graph is as before.
void DocumentTest::what_is_kept_outside_the_graph_is_not_a_step() {
  const QTemporaryDir folder;
  const QString file = folder.filePath("p.json");
  Document document;
  document.set_ui_of_copies(
      [](const std::string& ui) { return ui.empty() ? std::string(R"({"view_settings":{"colors":"bone"}})") : ui; });
  document.edit("Add FBP", add_fbp);
  document.edit("Remove FBP", [](Graph& graph) { graph.nodes.clear(); });
  document.undo_stack().undo();
  QVERIFY(document.save(file).ok());
  QVERIFY(!document.is_modified() && document.undo_stack().canRedo());
  QCOMPARE(document.undo_stack().count(), 2);
  QVERIFY(document.graph().ui.empty());
  Document again;
  QVERIFY(again.open(file).ok());
  QVERIFY(again.graph().ui.find("bone") != std::string::npos);
  QCOMPARE(again.graph().nodes.size(), std::size_t{1});
}

void DocumentTest::saving_never_replaces_the_scan() {
  const QTemporaryDir folder;
  const QString scan = folder.filePath("scan.h5"), link = folder.filePath("link.json"), own = folder.filePath("p.json");
  QFile file(scan);
  QVERIFY(file.open(QIODevice::WriteOnly) && file.write("raw data") == 8);
  file.close();
  QVERIFY(QFile::link(scan, link));
  Document document;
  document.edit("Add scan", [&](Graph& g) {
    g.nodes["load"] = GraphNode{"input.load_scan", 1, {{"file", scan.toStdString()}}};
  });
  for (const QString& name : {scan, link}) {
    const Result<void> refused = document.save(name);
    QVERIFY(!refused.ok());
    QVERIFY(refused.error().message().find("an input") != std::string::npos);
    QVERIFY(document.path().isEmpty() && document.is_modified());
    QVERIFY(file.open(QIODevice::ReadOnly));
    QCOMPARE(file.readAll(), QByteArray("raw data"));
    file.close();
  }
  // Its own file may be replaced.
  QVERIFY(document.save(own).ok());
  document.edit("Rename", [](Graph& g) { g.title = "again"; });
  QVERIFY(document.save(own).ok());
}

void DocumentTest::a_bad_file_leaves_everything_as_it_was() {
  const QTemporaryDir folder;
  QFile file(folder.filePath("bad.json"));
  QVERIFY(file.open(QIODevice::WriteOnly));
  file.write("{\"nodes\": 3");
  file.close();
  Document document;
  document.edit("Add FBP", add_fbp);
  QVERIFY(!document.open(file.fileName()).ok());
  QCOMPARE(document.graph().nodes.size(), std::size_t{1});
  QCOMPARE(document.undo_stack().count(), 1);
}

TL_TEST_CASE(DocumentTest)

}  // namespace tl::ui::document_test

#include "document.moc"
