// The workspace Runs: scans are dropped, ordered, changed, paused and run with mouse and keyboard; what fails is tried
// again; another program's queue is shown; results are opened.
#include <QFile>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QListView>
#include <QPointer>
#include <QPushButton>

#include "tests/support/file_tree.h"
#include "tests/support/gui/runs_studio.h"
#include "tests/support/test_case.h"
#include "widgets/canvas/canvas.h"
#include "widgets/history/history_page.h"
#include "widgets/inspector/inspector.h"
#include "widgets/session/selection.h"
#include "widgets/theme/theme.h"

namespace tl::ui::queue_test {

namespace fs = std::filesystem;

namespace {

struct QueueStudio : test::RunsStudio {
  [[nodiscard]] QueueSession& queue() { return window.queue(); }
  // Three scans that differ, of which the second cannot be read.
  [[nodiscard]] bool drop_three() {
    scan("in/a.nx");
    test::put(file("in/b.nx").toStdString(), "no scan");
    scan("in/c.nx", {90, 8, 64});
    return drop_on(window, file("in")) && table().model()->rowCount() == 3;
  }
  void click_row(int row) {
    const QModelIndex index = table().model()->index(row, QueueModel::scan_column);
    QTest::mouseClick(table().viewport(), Qt::LeftButton, {}, table().visualRect(index).center());
  }
  void key(Qt::Key k, Qt::KeyboardModifiers m = {}) { QTest::keyClick(&table(), k, m); }
  [[nodiscard]] bool ended() {
    return QTest::qWaitFor([&] { return queue().state() == JobState::idle; }, 3 * test::patience_ms);
  }
  [[nodiscard]] bool looked() {
    return QTest::qWaitFor([&] { return !queue().is_looking(); }, test::patience_ms);
  }
  // In light and dark, in the smallest window and in a large one.
  void keep_pictures(const QString& name) {
    for (const QString& theme : {QString("light"), QString("dark")}) {
      Theme::instance().set(theme);
      for (const QSize& size : {QSize(1920, 1200), QSize(1000, 700)}) {
        window.resize(size);
        test::keep_picture(window, name + QString("-%1-%2").arg(theme).arg(size.width()));
      }
    }
  }
  [[nodiscard]] bool says(const QString& words) {
    for (const QLabel* label : window.findChildren<QLabel*>())
      if (label->isVisible() && label->text().contains(words)) return true;
    return false;
  }
};

// Set before the window is made, which opens its history then.
struct OwnHistory {
  QTemporaryDir history_folder;
  OwnHistory() { qputenv("TL_HISTORY", QFile::encodeName(history_folder.filePath("history.sqlite"))); }
  ~OwnHistory() { qputenv("TL_HISTORY", "off"); }
};

struct HistoryStudio : OwnHistory, QueueStudio {};

}  // namespace

class QueueTest final : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void initTestCase() { Theme::instance().set("dark"); }

  void dropped_scans_are_ordered_run_and_opened() {
    QueueStudio s;
    QVERIFY(s.show_runs());
    test::keep_picture(s.window, "queue-empty");
    QVERIFY(s.drop_three());
    QVERIFY(s.looked());
    QCOMPARE(s.names(), (QStringList{"a", "b", "c"}));
    QVERIFY2(s.cell(0, QueueModel::scan_column).contains("60×8×64"), qPrintable(s.cell(0, QueueModel::scan_column)));
    QVERIFY(s.cell(0, QueueModel::state_column).contains("waiting"));
    QVERIFY(s.cell(1, QueueModel::state_column).contains("cannot run"));
    QVERIFY2(s.cell(0, QueueModel::notes_column).contains("memory"), qPrintable(s.cell(0, QueueModel::notes_column)));
    QVERIFY(s.queue().whole().disk > 0 && s.queue().whole().peak > 0 && s.queue().whole().seconds >= 0);
    // Order by keys; the selection moves with the row.
    s.click_row(2);
    s.key(Qt::Key_Up, Qt::AltModifier);
    s.key(Qt::Key_Up, Qt::AltModifier);
    QCOMPARE(s.names(), (QStringList{"c", "a", "b"}));
    QVERIFY((s.table().selected() == std::vector<std::string>{"c"}));
    s.key(Qt::Key_Down, Qt::AltModifier);
    QCOMPARE(s.names(), (QStringList{"a", "c", "b"}));
    // A parameter of one scan.
    s.key(Qt::Key_F2);
    auto* editor = s.table().findChild<QLineEdit*>();
    QVERIFY(editor != nullptr);
    editor->selectAll();
    QTest::keyClicks(editor, "fbp.cutoff=0.5");
    QTest::keyClick(editor, Qt::Key_Return);
    QTRY_COMPARE(s.cell(1, QueueModel::changed_column), QString("fbp.cutoff 0.5|"));  // Qt commits after the key
    QCOMPARE(s.cell(0, QueueModel::changed_column), QString("as the pipeline|"));
    // A pause of one row.
    s.click_row(0);
    s.key(Qt::Key_Space);
    QVERIFY(s.cell(0, QueueModel::state_column).contains("paused"));
    QVERIFY(s.looked());
    test::keep_picture(s.window, "queue-waiting");
    QTest::keyClick(&s.window, Qt::Key_F5);
    QVERIFY(s.queue().is_busy());
    QVERIFY(s.ended());
    QVERIFY2(s.queue().failure().isEmpty(), qPrintable(s.queue().failure()));
    QVERIFY(s.cell(0, QueueModel::state_column).contains("paused"));
    QVERIFY2(s.cell(1, QueueModel::state_column).contains("done"), qPrintable(s.cell(1, QueueModel::state_column)));
    QVERIFY(s.cell(2, QueueModel::state_column).contains("failed"));
    QVERIFY(s.cell(2, QueueModel::notes_column).contains("b.nx"));
    QVERIFY2(s.cell(1, QueueModel::axis_column).contains("px"), qPrintable(s.cell(1, QueueModel::axis_column)));
    QVERIFY(s.cell(1, QueueModel::time_column).contains("took"));
    QVERIFY(s.says("1 failed") && s.says("1 paused") && s.has_message("of which 1 failed"));
    // The Return that ends the editor of a scan that is done does not open its result.
    QSignalSpy opened(&s.table(), &QueueTable::open_wanted);
    s.click_row(1);
    s.key(Qt::Key_F2);
    const QPointer<QLineEdit> of_done = s.table().findChild<QLineEdit*>();
    QVERIFY(!of_done.isNull());
    QTest::keyClick(of_done, Qt::Key_Return);
    QTRY_VERIFY(of_done.isNull());
    QCOMPARE(opened.size(), 0);
    // It goes on, and what was repaired is tried again.
    s.click_row(0);
    s.key(Qt::Key_Space);
    s.scan("in/b.nx", {60, 8, 64});
    QVERIFY(s.press("Retry failed"));
    QVERIFY(s.press("Start queue"));
    QVERIFY(s.ended());
    for (int row = 0; row < 3; ++row)
      QVERIFY2(s.cell(row, QueueModel::state_column).contains("done"),
               qPrintable(s.cell(row, QueueModel::notes_column)));
    QVERIFY(s.looked());
    for (const tl::ScanRow& row : s.queue().rows()) QVERIFY(!s.queue().thumbnail(row.name).isNull());
    s.click_row(1);
    s.keep_pictures("queue-done");
    // Enter shows the voxels that were computed.
    s.key(Qt::Key_Return);
    QTRY_VERIFY_WITH_TIMEOUT(s.window.workspaces().current() == Workspace::see, test::patience_ms);
    QCOMPARE(s.document.graph().nodes.size(), std::size_t{1});
    const GraphNode& shown = s.document.graph().nodes.begin()->second;
    QCOMPARE(shown.type, std::string("input.load_volume"));
    QCOMPARE(std::get<std::string>(shown.params.at("file")), s.queue().folder().toStdString() + "/c/volume.tif");
    // Another pipeline in the window leaves the queue as it is.
    QCOMPARE(s.names(), (QStringList{"a", "c", "b"}));
  }

  // What the queue computed is a card below it, which shows the voxels that were computed, and gives the pipeline
  // again.
  void results_are_opened_from_the_history() {
    HistoryStudio s;
    QVERIFY(s.show_runs());
    s.scan("in/a.nx");
    s.scan("in/b.nx", {90, 8, 64});
    QVERIFY(s.drop_on(s.window, s.file("in")));
    QVERIFY(s.press("Start queue"));
    QVERIFY(s.ended());
    auto* page = s.window.findChild<HistoryPage*>();
    QVERIFY(page != nullptr && page->isVisible());
    QTRY_COMPARE_WITH_TIMEOUT(page->model().rowCount(), 2, test::patience_ms);
    QTRY_VERIFY(!page->is_busy());
    QVERIFY(s.looked());
    s.click_row(0);
    QListView& cards = page->cards();
    QTest::mouseClick(cards.viewport(), Qt::LeftButton, {}, cards.visualRect(cards.model()->index(0, 0)).center());
    s.keep_pictures("queue-history");
    QVERIFY(cards.visualRect(cards.model()->index(0, 0)).width() >= 200);
    const std::string written = page->model().at(0).entry.outputs.at(0).path;
    QTest::keyClick(&cards, Qt::Key_Return);
    QTRY_VERIFY_WITH_TIMEOUT(s.window.workspaces().current() == Workspace::see, test::patience_ms);
    QCOMPARE(s.document.graph().nodes.size(), std::size_t{1});
    const GraphNode& shown = s.document.graph().nodes.begin()->second;
    QCOMPARE(shown.type, std::string("input.load_volume"));
    QCOMPARE(std::get<std::string>(shown.params.at("file")), written);
    QVERIFY(fs::exists(written));
  }

  void it_pauses_and_stops_by_its_buttons() {
    QueueStudio s;
    QVERIFY(s.show_runs());
    s.scan("in/a.nx", {180, 48, 160});
    s.scan("in/b.nx", {180, 48, 160});
    QVERIFY(s.drop_on(s.window, s.file("in")));
    QVERIFY(s.press("Start queue"));
    QTRY_VERIFY_WITH_TIMEOUT(s.queue().state() == JobState::running, test::patience_ms);
    QVERIFY(s.press("Pause queue"));
    QTRY_VERIFY_WITH_TIMEOUT(s.queue().state() == JobState::paused, test::patience_ms);
    QVERIFY(s.cell(0, QueueModel::state_column).contains("paused"));
    test::keep_picture(s.window, "queue-paused");
    QVERIFY(s.press("Go on"));
    QTRY_VERIFY_WITH_TIMEOUT(s.queue().state() == JobState::running || s.queue().state() == JobState::idle,
                             test::patience_ms);
    if (s.queue().is_busy()) QVERIFY(s.press("Stop"));
    QVERIFY(s.ended());
    for (const tl::ScanRow& row : s.queue().rows())
      QCOMPARE(row.state == ScanState::done,
               fs::exists(s.queue().folder().toStdString() + "/" + row.name + "/volume.tif"));
  }

  void rows_are_dragged_and_removed() {
    QueueStudio s;
    QVERIFY(s.show_runs());
    QVERIFY(s.drop_three());
    QueueModel& model = s.table().queue_model();
    const std::unique_ptr<QMimeData> first(model.mimeData({model.index(0, 0)}));
    QVERIFY(model.dropMimeData(first.get(), Qt::MoveAction, 3, 0, {}));
    QCOMPARE(s.names(), (QStringList{"b", "c", "a"}));
    s.click_row(1);
    s.key(Qt::Key_Delete);
    QCOMPARE(s.names(), (QStringList{"b", "a"}));
    QVERIFY((s.table().selected() == std::vector<std::string>{"a"}));
  }

  // The same table in the window and on the command line.
  void tables_are_read_and_written() {
    QueueStudio s;
    QVERIFY(s.show_runs());
    s.scan("in/a.nx");
    test::put(s.file("list.csv").toStdString(), "scan,fbp.cutoff\nin/a.nx,0.5\nin/a.nx,0.7\n");
    QVERIFY(s.drop_on(s.table().isVisible() ? static_cast<QWidget&>(s.table()) : s.window, s.file("list.csv")));
    QCOMPARE(s.names(), (QStringList{"a", "a-2"}));
    QCOMPARE(s.cell(1, QueueModel::changed_column), QString("fbp.cutoff 0.7|"));
    QVERIFY(s.queue().write_table(s.file("out.csv")));
    const auto tasks = scan_list({s.file("out.csv").toStdString()}).or_throw();
    QCOMPARE(tasks.size(), std::size_t{2});
    QVERIFY((tasks[0].settings == std::vector<std::string>{"fbp.cutoff=0.5"}));
    QVERIFY(fs::exists(tasks[0].pipeline));
    // What is wrong is said, and nothing is added.
    test::put(s.file("bad.csv").toStdString(), "nothing\nx\n");
    QVERIFY(!s.queue().add({s.file("bad.csv")}));
    QVERIFY(s.says("column that is called scan"));
    QCOMPARE(s.names().size(), 2);
    QVERIFY(!s.queue().set_changes("a", "fbp.cutof=1"));
    QVERIFY(s.says("cutoff"));
  }

  void a_queue_of_another_program_is_shown_and_taken_over() {
    QueueStudio s;
    QVERIFY(s.show_runs());
    const std::string folder = s.file("shared").toStdString();
    auto other = ScanQueue::open(Registry::all(), folder).or_throw();
    other->add({{"a", s.scan("in/a.nx").toStdString(), {}}}, "parallel").or_throw();
    QVERIFY(s.queue().open(s.file("shared")));
    QCOMPARE(s.names(), (QStringList{"a"}));
    QVERIFY(s.says("another run writes into this folder"));
    QVERIFY(!s.queue().obstacle().isEmpty() && !s.queue().add({s.file("in/a.nx")}));
    s.click_row(0);
    s.key(Qt::Key_Delete);
    QCOMPARE(s.names(), (QStringList{"a"}));
    other->add({{"b", s.file("in/a.nx").toStdString(), {}}}, "parallel").or_throw();
    QTRY_COMPARE_WITH_TIMEOUT(s.names(), (QStringList{"a", "b"}), test::patience_ms);
    other.reset();
    QTRY_VERIFY_WITH_TIMEOUT(s.queue().foreign().isEmpty(), test::patience_ms);
    QVERIFY(s.queue().add({s.file("in/a.nx")}));
    QCOMPARE(s.names().size(), 3);
  }

  // A run of the pipeline with its own scan is a row like the others.
  void the_pipeline_of_the_window_runs_in_the_queue() {
    QueueStudio s;
    QVERIFY(s.show_runs());
    QTest::keyClick(&s.window, Qt::Key_1, Qt::ControlModifier);
    QTest::keyClick(&s.window, Qt::Key_F5, Qt::ControlModifier);
    QVERIFY(s.has_message("loads no scan"));
    Graph graph = test::disc_pipeline();
    graph.nodes["load"].params["file"] = s.scan("in/a.nx").toStdString();
    s.document.reset(graph);
    QTest::keyClick(&s.window, Qt::Key_F5, Qt::ControlModifier);
    QVERIFY(s.window.runs().isVisible());
    QCOMPARE(s.names(), (QStringList{"a"}));
    QVERIFY(s.ended());
    QVERIFY2(s.cell(0, QueueModel::state_column).contains("done"), qPrintable(s.cell(0, QueueModel::notes_column)));
  }

  void scans_of_a_watched_folder_run_when_they_are_finished() {
    QueueStudio s;
    QVERIFY(s.show_runs());
    QDir().mkpath(s.file("night"));
    s.queue().watch(s.file("night"), 0.3);
    QVERIFY(s.says("Watching"));
    test::keep_picture(s.window, "queue-watching");
    const std::string whole = test::contents(s.scan("in/a.nx").toStdString());
    test::put(s.file("night/a.nx").toStdString(), whole.substr(0, whole.size() / 2));
    QTRY_COMPARE_WITH_TIMEOUT(s.queue().watched().unfinished(), qint64{1}, test::patience_ms);
    QTest::qWait(800);
    QVERIFY(s.names().isEmpty());
    test::put(s.file("night/a.nx").toStdString(), whole);
    QTRY_VERIFY_WITH_TIMEOUT(s.cell(0, QueueModel::state_column).contains("done"), 2 * test::patience_ms);
    QVERIFY(s.press("Stop watching"));
    QVERIFY(s.queue().watched().folder().isEmpty());
  }

  // Closed while it watches, the next window watches on: what has arrived meanwhile runs, what ran does not run again.
  void watching_goes_on_at_the_next_start() {
    QueueStudio s;
    QVERIFY(s.show_runs());
    s.scan("night/a.nx");
    s.queue().watch(s.file("night"), 0.3);
    QTRY_VERIFY_WITH_TIMEOUT(s.cell(0, QueueModel::state_column).contains("done"), 2 * test::patience_ms);
    const QString folder = s.queue().folder();
    QVERIFY(s.ended());
    s.queue().watch({});  // of this window, which is still there
    s.settings.set_watched({s.file("night"), 0.3, true});
    s.document.reset({});
    s.scan("night/b.nx");
    QVERIFY(s.queue().open(s.file("elsewhere")));  // gives the queue free
    s.settings.set_queue_folder(folder);
    Document document;
    LiveSession session{document, test::writing_into(s.folder)};
    Selection selection;
    MainWindow next{session, selection, s.settings};
    QVERIFY(test::open_window(next));
    QTRY_COMPARE_WITH_TIMEOUT(next.queue().watched().folder(), s.file("night"), test::patience_ms);
    const auto rows = [&] { return next.queue().rows(); };
    QTRY_VERIFY_WITH_TIMEOUT(rows().size() == 2 && rows()[1].state == ScanState::done, 2 * test::patience_ms);
    QCOMPARE(rows()[0].name, std::string("a"));
    QCOMPARE(rows()[1].name, std::string("b"));
    QCOMPARE(rows()[1].pipeline, rows()[0].pipeline);
    QTest::qWait(1000);  // several looks
    QCOMPARE(rows().size(), std::size_t{2});
    // What has changed since runs again, in a row of its own.
    s.scan("night/b.nx", {90, 8, 64});
    QTRY_VERIFY_WITH_TIMEOUT(rows().size() == 3 && rows()[2].state == ScanState::done, 2 * test::patience_ms);
    test::keep_picture(next, "queue-watching-again");
    next.queue().watch({});
    QVERIFY(s.settings.watched().folder.isEmpty());
    next.findChild<Autosave*>()->discard();
  }

  // While a node iterates, the row says at which iteration, how much of the scan is done and what is left.
  void a_row_shows_its_iterations() {
    QueueStudio s;
    QVERIFY(s.show_runs());
    Graph graph = test::disc_pipeline();
    graph.nodes["fbp"] = {"recon.sirt", 1, {{"iterations", int64_t{2000}}}};
    s.document.reset(graph);
    s.scan("in/a.nx", {90, 16, 96});
    QVERIFY(s.drop_on(s.window, s.file("in")));
    QVERIFY(s.press("Start queue"));
    QTRY_VERIFY_WITH_TIMEOUT(s.queue().progress().step > 20 && s.queue().progress().steps == 2000, test::patience_ms);
    QTRY_VERIFY2_WITH_TIMEOUT(s.cell(0, QueueModel::state_column).contains("of 2000"),
                              qPrintable(s.cell(0, QueueModel::state_column)), test::patience_ms);
    QVERIFY2(s.cell(0, QueueModel::state_column).contains("SIRT"), qPrintable(s.cell(0, QueueModel::state_column)));
    QVERIFY2(s.cell(0, QueueModel::time_column).contains("left"), qPrintable(s.cell(0, QueueModel::time_column)));
    QVERIFY(s.queue().progress().scan_done > 0 && s.queue().progress().scan_done < 1);
    test::keep_picture(s.window, "queue-iterating");
    QVERIFY(s.press("Stop"));
    QVERIFY(s.ended());
    QVERIFY(!fs::exists(s.queue().folder().toStdString() + "/a/volume.tif"));
  }

  // The next window has the queue again, and the workspace.
  void the_queue_is_there_at_the_next_start() {
    QueueStudio s;
    QVERIFY(s.show_runs());
    QVERIFY(s.drop_three());
    QCOMPARE(s.settings.queue_folder(), s.queue().folder());
    QTest::keyClick(&s.window, Qt::Key_1, Qt::ControlModifier);
    QVERIFY(!s.window.runs().isVisible() && s.window.canvas().isVisible() && s.window.inspector().isVisible());
    QTest::keyClick(&s.window, Qt::Key_5, Qt::ControlModifier);
    QVERIFY(s.window.runs().isVisible() && !s.window.canvas().isVisible() && !s.window.inspector().isVisible());
    QVERIFY(s.table().hasFocus());
  }
};

TL_TEST_CASE(QueueTest)

}  // namespace tl::ui::queue_test

#include "queue.moc"
