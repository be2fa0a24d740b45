// MainWindow: a session as a person would have it: welcome page, example, keys, drops, search, workspaces, themes, end.
#include "widgets/window/main_window.h"

#include <QAbstractItemModelTester>
#include <QLabel>
#include <QLineEdit>
#include <QListView>
#include <QMessageBox>
#include <QMimeData>
#include <QPushButton>
#include <QSplitter>
#include <QTemporaryDir>
#include <QToolButton>
#include <QTreeWidget>
#include <cmath>

#include "tests/support/gui_main.h"
#include "tests/support/hdf5_maker.h"
#include "tests/support/window.h"
#include "widgets/inspector/curve_plot.h"
#include "widgets/inspector/evidence_panel.h"
#include "widgets/inspector/inspector.h"
#include "widgets/inspector/node_form.h"
#include "widgets/theme/theme.h"
#include "widgets/window/action_search.h"
#include "widgets/window/autosave.h"
#include "widgets/window/data_tree.h"
#include "widgets/window/file_flows.h"
#include "widgets/window/message_panel.h"
#include "widgets/window/settings.h"

namespace tl::ui {

class MainWindowTest final : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void initTestCase() { Theme::instance().set(QStringLiteral("dark")); }
  void the_example_is_one_click_away();
  void a_change_is_made_undone_and_redone_by_keyboard();
  void a_dropped_scan_becomes_a_pipeline_with_reasons();
  void a_dropped_pipeline_opens_and_is_remembered();
  void a_bad_file_is_told_and_changes_nothing();
  void actions_are_found_by_a_few_letters();
  void workspaces_are_arrangements_that_are_remembered();
  void themes_are_switched_and_remembered();
  void unsaved_changes_are_asked_about();
  void a_run_writes_its_output_and_asks_before_replacing();
  void a_run_is_stopped_and_the_window_closes_while_one_goes_on();
  void evidence_is_shown_and_accepted();
  void a_crash_loses_little();
  void every_widget_with_focus_has_a_name();
  void models_are_sound();
};

namespace {

live::EngineOptions writing_into(const QTemporaryDir& folder) {
  live::EngineOptions options;
  options.output_dir = folder.path().toStdString();
  return options;
}

struct Studio {
  QTemporaryDir folder;
  Document document;
  LiveSession session{document, writing_into(folder)};
  Selection selection;
  Settings settings{folder.filePath("studio.ini")};
  MainWindow window{session, selection, settings};

  [[nodiscard]] bool open() { return test::open_window(window); }
  [[nodiscard]] bool open_example() {
    if (!open()) return false;
    for (QToolButton* b : window.findChildren<QToolButton*>())
      if (b->accessibleName() == "Try the example") QTest::mouseClick(b, Qt::LeftButton);
    return !document.graph().nodes.empty();
  }
  void drop(const QString& path) {
    QMimeData mime;
    mime.setUrls({QUrl::fromLocalFile(path)});
    QDragEnterEvent enter(QPoint(300, 300), Qt::CopyAction, &mime, Qt::LeftButton, Qt::NoModifier);
    QCoreApplication::sendEvent(&window, &enter);
    QVERIFY(enter.isAccepted());
    QDropEvent event(QPointF(300, 300), Qt::CopyAction, &mime, Qt::LeftButton, Qt::NoModifier);
    QCoreApplication::sendEvent(&window, &event);
  }
  [[nodiscard]] bool told(const QString& words) {
    const MessageModel& all = window.messages();
    for (int row = 0; row < all.rowCount(); ++row)
      if (all.at(row).text.contains(words)) return true;
    return false;
  }
};

QString make_scan(const QTemporaryDir& folder) {
  const QString path = folder.filePath("scan.h5");
  test::Hdf5Maker file(path.toStdString());
  file.frames<uint16_t>("/exchange/data", 4, 3, 5, 100);
  file.frames<uint16_t>("/exchange/data_white", 2, 3, 5, 900);
  file.frames<uint16_t>("/exchange/data_dark", 2, 3, 5, 10);
  file.numbers<float>("/exchange/theta", {4}, {0, 45, 90, 135});
  return path;
}

// Presses a button of the message box that opens next.
void answer(const QString& button) {
  QTimer::singleShot(0, qApp, [button] {
    auto* box = qobject_cast<QMessageBox*>(QApplication::activeModalWidget());
    if (box == nullptr) return;
    for (QAbstractButton* b : box->buttons())
      if (b->text().remove('&') == button) QTest::mouseClick(b, Qt::LeftButton);
  });
}

}  // namespace

void MainWindowTest::the_example_is_one_click_away() {
  Studio studio;
  QVERIFY(studio.open_example());
  QVERIFY(studio.document.problems().empty());
  QVERIFY(!studio.document.is_modified());
  QVERIFY(studio.window.inspector().isVisible());
  QVERIFY(studio.window.inspector().form() != nullptr);  // a node is chosen
  QTRY_VERIFY(studio.window.findChild<DataTree*>()->model()->rowCount() == 1);
}

void MainWindowTest::a_change_is_made_undone_and_redone_by_keyboard() {
  Studio studio;
  QVERIFY(studio.open_example());
  studio.selection.set_one("simulate");
  auto* line = studio.window.inspector().form()->field("views")->findChild<QLineEdit*>();
  const ParamValue before = studio.document.graph().nodes.at("simulate").params.at("views");
  QTest::mouseClick(line, Qt::LeftButton);
  line->selectAll();
  QTest::keyClicks(line, "90");
  QTest::keyClick(line, Qt::Key_Return);
  const auto views = [&] { return studio.document.graph().nodes.at("simulate").params.at("views"); };
  QVERIFY(views() == ParamValue(int64_t{90}));
  QVERIFY(studio.window.isWindowModified());
  studio.window.findChild<DataTree*>()->setFocus();  // in a line, Ctrl+Z takes back its typing
  QTest::keyClick(&studio.window, Qt::Key_Z, Qt::ControlModifier);
  QVERIFY(views() == before);
  QVERIFY(!studio.window.isWindowModified());
  QTest::keyClick(&studio.window, Qt::Key_Z, Qt::ControlModifier | Qt::ShiftModifier);
  QVERIFY(views() == ParamValue(int64_t{90}));
  QCOMPARE(line->text(), QString("90"));
}

void MainWindowTest::a_dropped_scan_becomes_a_pipeline_with_reasons() {
  Studio studio;
  QVERIFY(studio.open());
  const QString scan = make_scan(studio.folder);
  studio.drop(scan);
  QTRY_VERIFY(!studio.document.graph().nodes.empty());
  QVERIFY(studio.document.path().isEmpty());
  QVERIFY(studio.told("because the beam is parallel"));
  QCOMPARE(studio.settings.recent(), QStringList{scan});
  // The tree says where each value came from.
  auto* tree = studio.window.findChild<DataTree*>();
  QTRY_VERIFY(tree->model()->rowCount(tree->model()->index(0, 0)) > 4);
  QStringList origins;
  const QModelIndex top = tree->model()->index(0, 0);
  for (int row = 0; row < tree->model()->rowCount(top); ++row)
    origins << tree->model()->index(row, ScanModel::origin_column, top).data().toString();
  QVERIFY(origins.contains("file"));
  QVERIFY(origins.contains("guessed"));  // the pixel size
}

void MainWindowTest::a_dropped_pipeline_opens_and_is_remembered() {
  Studio studio;
  QVERIFY(studio.open_example());
  const QString file = studio.folder.filePath("a.json");
  QVERIFY(studio.document.save(file).ok());
  const Graph saved = studio.document.graph();
  studio.document.reset({});
  studio.drop(file);
  QTRY_VERIFY(studio.document.graph() == saved);
  QCOMPARE(studio.document.path(), file);
  QVERIFY(studio.window.windowTitle().contains("a.json"));
  QCOMPARE(studio.settings.recent(), QStringList{file});
  // What is recent is one click away on the welcome page.
  studio.document.reset({});
  studio.window.show_welcome();
  for (QToolButton* b : studio.window.findChildren<QToolButton*>())
    if (b->accessibleName() == "a.json") QTest::mouseClick(b, Qt::LeftButton);
  QTRY_VERIFY(studio.document.graph() == saved);
}

void MainWindowTest::a_bad_file_is_told_and_changes_nothing() {
  Studio studio;
  QVERIFY(studio.open_example());
  const Graph before = studio.document.graph();
  QFile bad(studio.folder.filePath("bad.json"));
  QVERIFY(bad.open(QIODevice::WriteOnly));
  bad.write("{\"nodes\": 3");
  bad.close();
  studio.drop(bad.fileName());
  QTRY_VERIFY(studio.window.messages().count(LogLevel::error) == 1);
  studio.drop(studio.folder.filePath("no_such_scan.h5"));
  QTRY_VERIFY(studio.window.messages().count(LogLevel::error) == 2);
  QVERIFY(studio.told("no_such_scan.h5"));
  QVERIFY(studio.document.graph() == before);
  QVERIFY(studio.settings.recent().isEmpty());
  auto* panel = studio.window.findChild<MessagePanel*>();
  for (QToolButton* b : studio.window.findChildren<QToolButton*>())
    if (b->accessibleName() == "Open the list of messages") QTest::mouseClick(b, Qt::LeftButton);
  QVERIFY(panel->isVisible());
}

void MainWindowTest::actions_are_found_by_a_few_letters() {
  Studio studio;
  QVERIFY(studio.open_example());
  QTest::keyClick(&studio.window, Qt::Key_K, Qt::ControlModifier);
  auto* search = studio.window.findChild<ActionSearch*>();
  QTRY_VERIFY(search->isVisible());
  auto* line = search->findChild<QLineEdit*>();
  QTest::keyClicks(line, "light th");
  auto* list = search->findChild<QTreeWidget*>();
  QCOMPARE(list->currentItem()->text(0), QString("Light theme"));
  QTest::keyClick(line, Qt::Key_Return);
  QVERIFY(!search->isVisible());
  QCOMPARE(Theme::instance().name(), QString("light"));
  Theme::instance().set("dark");

  search->open();
  QTest::keyClicks(line, "run all");
  QCOMPARE(list->currentItem()->text(1), QString("F5"));
  QTest::keyClick(line, Qt::Key_Escape);
  QVERIFY(!search->isVisible());
  QVERIFY(match_score("Save as…", "sav") > match_score("Arrange save", "sav"));
  QCOMPARE(match_score("Undo", "xyz"), 0);
}

void MainWindowTest::workspaces_are_arrangements_that_are_remembered() {
  Studio studio;
  QVERIFY(studio.open_example());
  auto* centre = studio.window.findChild<QSplitter*>("centre");
  QVERIFY(centre != nullptr);
  const auto views = [&] { return centre->sizes().constFirst(); };
  QTest::keyClick(&studio.window, Qt::Key_1, Qt::ControlModifier);
  QCOMPARE(studio.window.workspaces().current(), Workspace::weave);
  const int weave = views();
  QTest::keyClick(&studio.window, Qt::Key_2, Qt::ControlModifier);
  QVERIFY(views() > weave + 100);
  QTest::keyClick(&studio.window, Qt::Key_1, Qt::ControlModifier);
  centre->setSizes({weave + 60, centre->height() - weave - 60});
  const int moved = views();
  QTest::keyClick(&studio.window, Qt::Key_4, Qt::ControlModifier);
  QCOMPARE(studio.window.workspaces().current(), Workspace::compare);
  QTest::keyClick(&studio.window, Qt::Key_1, Qt::ControlModifier);
  QCOMPARE(views(), moved);
  studio.window.workspaces().remember();
  QCOMPARE(Settings(studio.folder.filePath("studio.ini")).workspace(), QString("weave"));
}

void MainWindowTest::themes_are_switched_and_remembered() {
  Studio studio;
  QVERIFY(studio.open_example());
  for (const QString& name : Theme::names()) {
    for (QAction* action : studio.window.actions())
      if (action->text() == Theme::title(name) + " theme") action->trigger();
    QCOMPARE(Theme::instance().name(), name);
    QCOMPARE(studio.settings.theme(), name);
    const QImage picture = studio.window.grab().toImage();
    // The header's own ground, beside its texts.
    QCOMPARE(picture.pixelColor(2, 3), Theme::instance().color(Token::bar));
  }
  Theme::instance().set("dark");
}

void MainWindowTest::unsaved_changes_are_asked_about() {
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

void MainWindowTest::a_run_writes_its_output_and_asks_before_replacing() {
  constexpr int patience_ms = 60000;  // a whole run on a busy machine
  Studio studio;
  QVERIFY(studio.open_example());
  studio.document.edit("Smaller", [](Graph& g) {
    g.nodes["simulate"].params["views"] = int64_t{60};
    g.nodes["simulate"].params["cols"] = int64_t{64};
    g.nodes["simulate"].params["rows"] = int64_t{8};
  });
  const QString volume = studio.folder.filePath("example.tif");
  QTest::keyClick(&studio.window, Qt::Key_F5);
  QTRY_VERIFY_WITH_TIMEOUT(studio.told("Done in"), patience_ms);
  QVERIFY(QFile::exists(volume));
  QVERIFY(studio.told("Wrote " + volume));

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
  QTRY_VERIFY_WITH_TIMEOUT(studio.told("Done in"), patience_ms);
  QVERIFY(asked);
  QVERIFY(!studio.told("exists already"));
  QVERIFY(studio.document.save(studio.folder.filePath("a.json")).ok());
}

void MainWindowTest::a_run_is_stopped_and_the_window_closes_while_one_goes_on() {
  constexpr int patience_ms = 60000;
  Studio studio;
  QVERIFY(studio.open_example());
  studio.document.edit("Larger", [](Graph& g) {
    g.nodes["simulate"].params["views"] = int64_t{900};
    g.nodes["simulate"].params["cols"] = int64_t{512};
    g.nodes["simulate"].params["rows"] = int64_t{256};
  });
  QTest::keyClick(&studio.window, Qt::Key_F5);
  QTRY_VERIFY_WITH_TIMEOUT(studio.session.run_state().running, patience_ms);
  studio.window.findChild<DataTree*>()->setFocus();
  for (int i = 0; i < 2; ++i) QTest::keyClick(&studio.window, Qt::Key_Escape);
  QTRY_VERIFY_WITH_TIMEOUT(studio.told("Stopped"), patience_ms);
  QVERIFY(!QFile::exists(studio.folder.filePath("example.tif")));
  QTest::keyClick(&studio.window, Qt::Key_F5);
  QTRY_VERIFY_WITH_TIMEOUT(studio.session.run_state().running, patience_ms);
  QVERIFY(studio.document.save(studio.folder.filePath("a.json")).ok());
  QVERIFY(studio.window.close());
}

void MainWindowTest::evidence_is_shown_and_accepted() {
  constexpr int patience_ms = 60000;
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

void MainWindowTest::a_crash_loses_little() {
  const QTemporaryDir folder;
  const QString copy = folder.filePath("state/unsaved.json");
  Document document;
  Autosave autosave(document, copy);
  autosave.save_now();
  QVERIFY(!autosave.has_copy());  // nothing was changed
  document.edit("Title", [](Graph& g) { g.title = "precious"; });
  autosave.save_now();
  QVERIFY(autosave.has_copy());
  // A second studio leaves the first one's copy alone.
  Document other;
  const Autosave second(other, copy);
  QVERIFY(second.recovery().isEmpty());
  QVERIFY(second.file() != copy);
  // One that died (its file lies there, unlocked) is found by the next.
  const QString left = folder.filePath("left/unsaved.json");
  QVERIFY(QDir(folder.path()).mkdir("left") && QFile::copy(copy, left));
  const Autosave next(other, left);
  QVERIFY(!next.recovery().isEmpty());
  Studio studio;
  QVERIFY(studio.open());
  studio.window.files().recover(next.recovery());
  QCOMPARE(studio.document.graph().title, std::string("precious"));
  QVERIFY(studio.document.is_modified());
  QVERIFY(document.save(folder.filePath("kept.json")).ok());
  QVERIFY(!autosave.has_copy());
  studio.document.reset({});
}

void MainWindowTest::every_widget_with_focus_has_a_name() {
  Studio studio;
  QVERIFY(studio.open_example());
  int named = 0;
  for (const QWidget* w : studio.window.findChildren<QWidget*>()) {
    const bool takes_keys = (w->focusPolicy() & Qt::TabFocus) != 0 && w->isVisible();
    const QString own = QAccessible::queryAccessibleInterface(const_cast<QWidget*>(w))->text(QAccessible::Name);
    // The viewport of a scroll area is part of it.
    const auto* area = qobject_cast<const QAbstractScrollArea*>(w->parentWidget());
    if (!takes_keys || qobject_cast<const QSplitter*>(w) != nullptr || (area != nullptr && area->viewport() == w))
      continue;
    QVERIFY2(!own.isEmpty(),
             qPrintable(QStringLiteral("%1 in %2")
                            .arg(w->metaObject()->className(), w->parentWidget()->metaObject()->className())));
    ++named;
  }
  QVERIFY(named > 10);
}

void MainWindowTest::models_are_sound() {
  MessageModel messages;
  QAbstractItemModelTester first(&messages, QAbstractItemModelTester::FailureReportingMode::Fatal);
  for (int i = 0; i < 1005; ++i) messages.add(i % 2 == 0 ? LogLevel::info : LogLevel::error, "fbp", QString::number(i));
  QCOMPARE(messages.rowCount(), 1000);
  QCOMPARE(messages.at(0).text, QString("5"));
  messages.clear();
  QCOMPARE(messages.last(), static_cast<const Message*>(nullptr));

  ScanModel scans;
  QAbstractItemModelTester second(&scans, QAbstractItemModelTester::FailureReportingMode::Fatal);
  scans.set_scans(
      {{"load", "scan.h5", "dxchange", {}, {{"flats", "2", {}, Origin::file}, {"pixel", "1", {}, Origin::guessed}}},
       {"other", "b.nx", "nxtomo", "broken", {}}});
  QCOMPARE(scans.rowCount(), 2);
  QCOMPARE(scans.rowCount(scans.index(0, 0)), 2);
  QCOMPARE(scans.node_of(scans.index(1, 0, scans.index(0, 0))), QString("load"));
  scans.set_scans({});
  QCOMPARE(scans.rowCount(), 0);
}

}  // namespace tl::ui

TL_GUI_TEST_MAIN(tl::ui::MainWindowTest)
#include "main_window.moc"
