// MainWindow: runs and how they end: existing outputs, stopping, closing, evidence, unsaved changes, recovery.
#include <QPushButton>
#include <cmath>

#include "tests/support/gui/studio.h"
#include "tests/support/test_case.h"
#include "widgets/inspector/curve_plot.h"
#include "widgets/inspector/evidence_panel.h"
#include "widgets/inspector/inspector.h"
#include "widgets/theme/theme.h"
#include "widgets/window/files/autosave.h"
#include "widgets/window/files/data_tree.h"

namespace tl::ui::main_window_runs_test {

using test::answer;
using test::Studio;

class MainWindowRunsTest final : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void initTestCase() { Theme::instance().set(QStringLiteral("dark")); }
  void unsaved_changes_are_asked_about();
  void a_run_writes_its_output_and_asks_before_replacing();
  void a_run_is_stopped_and_the_window_closes_while_one_goes_on();
  void evidence_is_shown_and_accepted();
  void a_crash_loses_little();
};

void MainWindowRunsTest::unsaved_changes_are_asked_about() {
  Studio studio;
  QVERIFY(studio.open_example());
  studio.document.edit("Title", [](Graph& g) { g.title = "changed"; });
  answer("Cancel");
  studio.window.close();
  QVERIFY(studio.window.isVisible());
  answer("Cancel");
  studio.window.files().start_new();
  QVERIFY(!studio.document.graph().nodes.empty());
  const QString file = studio.folder.filePath("kept.json");
  QVERIFY(studio.document.save(file).ok());
  studio.document.edit("Title", [](Graph& g) { g.title = "again"; });
  answer("Save");
  QVERIFY(studio.window.close());
  Document saved;
  QVERIFY(saved.open(file).ok());
  QCOMPARE(saved.graph().title, std::string("again"));
}

void MainWindowRunsTest::a_run_writes_its_output_and_asks_before_replacing() {
  using test::patience_ms;
  Studio studio;
  QVERIFY(studio.open_example());
  studio.make_small(60, 8, 64);
  const QString volume = studio.folder.filePath("example.tif");
  QTest::keyClick(&studio.window, Qt::Key_F5);
  QTRY_VERIFY_WITH_TIMEOUT(studio.has_message("Done in"), patience_ms);
  QVERIFY(QFile::exists(volume));
  QVERIFY(studio.has_message("Wrote " + volume));

  studio.window.messages().clear();
  bool asked = false;
  QTimer watch;
  QObject::connect(&watch, &QTimer::timeout, [&asked] {
    auto* box = qobject_cast<QMessageBox*>(QApplication::activeModalWidget());
    asked = asked || box != nullptr;
    for (QAbstractButton* b : box != nullptr ? box->buttons() : QList<QAbstractButton*>())
      if (b->text().remove('&') == "Replace") QTest::mouseClick(b, Qt::LeftButton);
  });
  watch.start(50);
  QTest::keyClick(&studio.window, Qt::Key_F5);
  QTRY_VERIFY_WITH_TIMEOUT(studio.has_message("Done in"), patience_ms);
  QVERIFY(asked);
  QVERIFY(!studio.has_message("exists already"));
  QVERIFY(studio.document.save(studio.folder.filePath("a.json")).ok());
}

void MainWindowRunsTest::a_run_is_stopped_and_the_window_closes_while_one_goes_on() {
  using test::patience_ms;
  Studio studio;
  QVERIFY(studio.open_example());
  studio.document.edit("Larger", [](Graph& g) {
    g.nodes["simulate"].params["views"] = int64_t{900};
    g.nodes["simulate"].params["cols"] = int64_t{512};
    g.nodes["simulate"].params["rows"] = int64_t{256};
    g.nodes["simulate"].params["phantom"] =
        std::string("shepp_logan_3d");  // few bodies: views are updated between the runs
  });
  QTest::keyClick(&studio.window, Qt::Key_F5);
  QTRY_VERIFY_WITH_TIMEOUT(studio.session.run_progress().running, patience_ms);
  studio.window.findChild<DataTree*>()->setFocus();
  for (int i = 0; i < 2; ++i) QTest::keyClick(&studio.window, Qt::Key_Escape);
  QTRY_VERIFY_WITH_TIMEOUT(studio.has_message("Stopped"), patience_ms);
  QVERIFY(!QFile::exists(studio.folder.filePath("example.tif")));
  QTest::keyClick(&studio.window, Qt::Key_F5);
  QTRY_VERIFY_WITH_TIMEOUT(studio.session.run_progress().running, patience_ms);
  QVERIFY(studio.document.save(studio.folder.filePath("a.json")).ok());
  answer("End and close");
  QVERIFY(studio.window.close());
}

void MainWindowRunsTest::evidence_is_shown_and_accepted() {
  using test::patience_ms;
  constexpr double true_axis = 6.3, tolerance = 0.2;  // px: of the example; the method claims a hundredth
  Studio studio;
  QVERIFY(studio.open_example());
  studio.document.edit("Drive", [](Graph& g) {
    g.nodes["set"] = GraphNode{"geometry.set", 1, {}};
    g.links.push_back({"flat_field", "projections", "set", "projections"});
    g.links.push_back({"axis", "axis", "set", "axis"});
  });
  studio.selection.set_one("axis");
  auto* panel = studio.window.inspector().findChild<EvidencePanel*>();
  QVERIFY(panel->isVisible());
  const auto press = [&](const QString& words) {
    for (QPushButton* b : panel->findChildren<QPushButton*>())
      if (b->text() == words && b->isVisible()) QTest::mouseClick(b, Qt::LeftButton);
  };
  press("Measure");
  auto* plot = panel->findChild<CurvePlot*>();
  QTRY_VERIFY_WITH_TIMEOUT(plot->isVisible() && plot->curve().mark.has_value(), patience_ms);
  QVERIFY(std::abs(*plot->curve().mark - true_axis) < tolerance);
  QVERIFY(plot->curve().x.size() > 10);
  press("Accept");
  const Graph& graph = studio.document.graph();
  QVERIFY(graph.link_into("set", "axis") == nullptr);
  const auto* accepted = std::get_if<Number>(&graph.nodes.at("set").params.at("axis"));
  QVERIFY(accepted != nullptr && accepted->unit == Unit::px);
  QCOMPARE(accepted->value, *plot->curve().mark);
  QVERIFY(studio.document.save(studio.folder.filePath("a.json")).ok());
}

void MainWindowRunsTest::a_crash_loses_little() {
  const QTemporaryDir folder;
  const QString state = folder.filePath("state/windows");
  Document document;
  Autosave autosave(document, state);
  QVERIFY(!autosave.save_now() && !autosave.has_copy());  // nothing was changed
  document.edit("Title", [](Graph& g) { g.title = "precious"; });
  QVERIFY(autosave.save_now() && autosave.has_copy());
  // A second studio leaves the first one's copy alone.
  Document other;
  Autosave second(other, state);
  QVERIFY(second.records().left_copies().empty());
  QVERIFY(second.records().copy_file() != autosave.records().copy_file());
  // One that died (its file lies there, unlocked) is found by the next, again and again.
  const QString left = folder.filePath("left/windows/gone.json");
  QVERIFY(QDir(folder.path()).mkpath("left/windows") && QFile::copy(autosave.records().copy_file(), left));
  Autosave next(other, folder.filePath("left/windows")), after_next(other, folder.filePath("left/windows"));
  QCOMPARE(next.records().left_copies().size(), std::size_t{1});
  QCOMPARE(after_next.records().left_copies().size(), std::size_t{1});
  Studio studio;
  QVERIFY(studio.open());
  studio.window.files().recover(next.records().left_copies().front());
  QCOMPARE(studio.document.graph().title, std::string("precious"));
  QVERIFY(studio.document.is_modified());
  QVERIFY(!QFile::exists(left));  // the window has a copy of its own now
  QVERIFY(document.save(folder.filePath("kept.json")).ok());
  QVERIFY(!autosave.has_copy());
  studio.document.reset({});
}

TL_TEST_CASE(MainWindowRunsTest)

}  // namespace tl::ui::main_window_runs_test

#include "main_window_runs.moc"
