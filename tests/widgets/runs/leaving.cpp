// Leaving: every way out of a window and of its pipeline asks before it ends a run, learning or training, once; a run
// that is asked for while a file is opened is of that file.
#include <QMenu>
#include <QPushButton>

#include "tests/support/disc_scan.h"
#include "tests/support/gui/learning_studio.h"
#include "tests/support/gui/page_studio.h"
#include "tests/support/gui/studio_process.h"
#include "tests/support/painted_phantom.h"
#include "tests/support/test_case.h"
#include "widgets/jobs/job_page.h"
#include "widgets/session/training_session.h"
#include "widgets/window/files/window_records.h"

namespace tl::ui::leaving_test {
namespace {

using test::Answer;
using test::Studio;

// A pipeline whose run goes on until it is ended: of a scan so small that images and other work get their turn at
// once.
Graph endless() {
  Graph g = scan(360, 60, 64);
  g.nodes["sirt"] = {"recon.sirt", 1, {{"iterations", int64_t{100000}}}};
  g.nodes["save"] = {"output.save_volume", 1, {{"file", std::string("endless.tif")}}};
  std::erase_if(g.links, [](const Link& l) { return l.to_node == "fbp"; });
  g.nodes.erase("fbp");
  g.links.push_back({"axis", "projections", "sirt", "projections"});
  g.links.push_back({"sirt", "volume", "save", "volume"});
  return g;
}

bool start_endless_run(Studio& studio) {
  if (!studio.open()) return false;
  studio.document.reset(endless());
  studio.window.show_main_page();
  studio.window.workspaces().show(Workspace::weave);
  QTest::keyClick(&studio.window, Qt::Key_F5);
  return studio.session.has_run() && test::wait_for_work([&] { return studio.session.run_progress().running; });
}

struct TrainingStudio : test::PageStudio {
  [[nodiscard]] QScrollArea& page() override { return window.training_panel(); }
  [[nodiscard]] bool start_endless_training() {
    if (!show(test::painted_phantom(file("p.strokes").toStdString()))) return false;
    type("Depth", 3);
    type("Patches of", 16);
    type("Steps in each", 4);
    type("Epochs", 100000);
    return press("Train") && test::wait_for_work([&] { return !window.training().progress().curves.empty(); });
  }
};

QMenu* menu_of(MainWindow& window, const QString& title) {
  for (QMenu* menu : window.findChildren<QMenu*>())
    if (menu->title() == title) return menu;
  return nullptr;
}

QAction* action_of(MainWindow& window, const QString& text) {
  for (QAction* action : window.actions())
    if (action->text() == text) return action;
  return nullptr;
}

bool is_of_file_dialog(const QDialog& dialog) { return qobject_cast<QFileDialog*>(dialog.parentWidget()) != nullptr; }

// Not test::answer_file_dialog(): that waits until the window has the keyboard again, which the question takes first.
void open_by_dialog(MainWindow& window, const QString& path) {
  QTimer typist;
  QObject::connect(&typist, &QTimer::timeout, &typist, [&] {
    auto* modal = qobject_cast<QDialog*>(QApplication::activeModalWidget());
    auto* files = qobject_cast<QFileDialog*>(modal);
    if (files != nullptr) files->findChild<QLineEdit*>(QStringLiteral("fileNameEdit"))->setText(path);
    // Else it may be the dialog's own box: it does not know the file yet.
    if (files != nullptr || (modal != nullptr && is_of_file_dialog(*modal))) modal->accept();
  });
  typist.start(30);
  QTest::keyClick(&window, Qt::Key_O, Qt::ControlModifier);
}

// A way out of the window, or to another pipeline. `go` may return before the question is asked: files are read on
// another thread.
struct Way {
  QString name;
  std::function<void()> go;
  bool closes = false;
};

std::vector<Way> exits(MainWindow& window, Settings& settings, const QTemporaryDir& folder) {
  const QString pipeline = folder.filePath("other.json"), scan_file = folder.filePath("scan.nx");
  const auto keys = [&window](Qt::Key key) {
    return [&window, key] { QTest::keyClick(&window, key, Qt::ControlModifier); };
  };
  Document other;
  other.reset(scan(180));
  if (!other.save(pipeline).ok()) return {};
  test::write_disc_scan(scan_file.toStdString(), {});
  settings.add_recent(pipeline);
  WindowRecord gone;
  gone.copy = folder.filePath("copy.json");
  if (!QFile::copy(pipeline, gone.copy)) return {};
  FileFlows& files = window.files();
  return {
      {"close", [&window] { window.close(); }, true},
      {"Ctrl+Q", keys(Qt::Key_Q), true},
      {"Quit in the menu", [&window] { action_of(window, "Quit")->trigger(); }, true},
      {"Ctrl+N", keys(Qt::Key_N)},
      {"open", [&window, pipeline] { open_by_dialog(window, pipeline); }},
      {"a pipeline is dropped", [&window, pipeline] { QVERIFY(Studio::drop_on(window, pipeline)); }},
      {"a scan is dropped", [&window, scan_file] { QVERIFY(Studio::drop_on(window, scan_file)); }},
      {"a recent file",
       [&window] {
         QMenu* recent = menu_of(window, "Open recent");
         Q_EMIT recent->aboutToShow();
         recent->actions().front()->trigger();
       }},
      {"a template", [&window] { menu_of(window, "New from template")->actions().front()->trigger(); }},
      {"the example", [&files] { files.open_template(QStringLiteral("example")); }},
      {"recovery", [&files, gone] { files.recover(gone); }},
  };
}

// Staying, on each of these exits, keeps everything; the question is asked once.
void every_exit_asks(MainWindow& window, Document& document, const std::vector<Way>& ways, const QString& words,
                     const std::function<bool()>& goes_on) {
  QVERIFY(!ways.empty());
  const Graph before = document.graph();
  for (const Way& way : ways) {
    QVERIFY2(test::open_window(window), qPrintable(way.name));  // a question leaves the keyboard to nobody
    int asked = 0;
    QString text;
    QTimer person;
    QObject::connect(&person, &QTimer::timeout, &person, [&] {
      auto* box = qobject_cast<QMessageBox*>(QApplication::activeModalWidget());
      if (box == nullptr || !box->isVisible() || is_of_file_dialog(*box)) return;
      ++asked;
      text = box->text() + QLatin1Char('\n') + box->informativeText();
      QTest::keyClick(box, asked % 2 == 0 ? Qt::Key_Escape : Qt::Key_Return);  // the default is to stay
    });
    person.start(20);
    way.go();
    QTRY_VERIFY2(asked > 0 && QApplication::activeModalWidget() == nullptr, qPrintable(way.name));
    test::handle_queued_events();
    QVERIFY2(asked == 1, qPrintable(way.name + QStringLiteral(" asked %1 times").arg(asked)));
    QVERIFY2(text.contains(words), qPrintable(way.name + ": " + text));
    QVERIFY2(text.contains(way.closes ? "Closing the window" : "Another pipeline"), qPrintable(way.name + ": " + text));
    QVERIFY2(window.isVisible() && goes_on() && document.graph() == before, qPrintable(way.name));
  }
}

}  // namespace

class LeavingTest final : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void initTestCase() {
    QApplication::setAttribute(Qt::AA_DontUseNativeDialogs);
    Theme::instance().set(QStringLiteral("dark"));
  }

  void a_run_is_asked_about_on_every_exit() {
    Studio studio;
    QVERIFY(start_endless_run(studio));
    const auto ways = exits(studio.window, studio.settings, studio.folder);
    every_exit_asks(studio.window, studio.document, ways, QStringLiteral("A run is in progress"),
                    [&] { return studio.session.has_run() && studio.session.run_progress().running; });
    if (QTest::currentTestFailed()) return;
    const Answer leave(QStringLiteral("End and close"), "leave_run");
    QVERIFY(studio.window.close());
    QCOMPARE(leave.by_default, QStringLiteral("Stay"));
  }

  // Another pipeline ends the run of this one, and comes.
  void a_run_is_ended_for_another_pipeline() {
    Studio studio;
    QVERIFY(start_endless_run(studio));
    const auto ways = exits(studio.window, studio.settings, studio.folder);
    const Graph before = studio.document.graph();
    for (const Way& way : ways) {
      if (way.closes || way.name == "open") continue;  // another box of that dialog may come first
      QVERIFY2(test::open_window(studio.window), qPrintable(way.name));
      const Answer leave(QStringLiteral("End and leave"));
      way.go();
      QTRY_VERIFY2(!(studio.document.graph() == before), qPrintable(way.name));
      QTRY_VERIFY2(!studio.session.has_run(), qPrintable(way.name));
      QVERIFY2(leave.words.contains("A run is in progress"), qPrintable(way.name));
      QVERIFY(!QFile::exists(studio.folder.filePath("endless.tif")));
      studio.document.reset(endless());
      studio.window.show_main_page();
      QVERIFY(test::open_window(studio.window));
      QTest::keyClick(&studio.window, Qt::Key_F5);
      QVERIFY2(test::wait_for_work([&] { return studio.session.run_progress().running; }), qPrintable(way.name));
    }
    const Answer leave(QStringLiteral("End and close"));
    QVERIFY(studio.window.close());
  }

  // It was read while a question was open: that is answered first, and the window has one question at a time.
  void a_file_waits_for_the_end_of_a_question() {
    Studio studio;
    QVERIFY(start_endless_run(studio));
    const auto ways = exits(studio.window, studio.settings, studio.folder);
    const QString pipeline = studio.folder.filePath("other.json");
    const Graph before = studio.document.graph();
    for (const bool leaves : {false, true}) {
      QStringList questions;
      QElapsedTimer open_for;
      QTimer person;
      connect(&person, &QTimer::timeout, this, [&] {
        int boxes = 0;
        for (const QWidget* w : QApplication::topLevelWidgets())
          boxes += qobject_cast<const QMessageBox*>(w) != nullptr && w->isVisible() ? 1 : 0;
        auto* box = qobject_cast<QMessageBox*>(QApplication::activeModalWidget());
        if (box == nullptr || boxes == 0) return open_for.invalidate();
        QVERIFY2(boxes == 1, "a question covers another one");
        if (!open_for.isValid()) {
          questions << box->text();
          open_for.start();
        }
        constexpr qint64 long_enough_to_read_the_file_ms = 1500;
        if (!open_for.hasExpired(long_enough_to_read_the_file_ms)) return;
        open_for.invalidate();
        for (QAbstractButton* b : box->buttons())
          if (b->text().remove('&') == (leaves ? "End and leave" : "Stay")) return QTest::mouseClick(b, Qt::LeftButton);
      });
      person.start(20);
      QVERIFY(test::open_window(studio.window));
      studio.window.files().open(pipeline);
      studio.window.files().start_new();
      if (!leaves) {
        QTRY_VERIFY(questions.size() == 2);  // about the file, after the one about the new pipeline
        QTRY_VERIFY(QApplication::activeModalWidget() == nullptr);
        QVERIFY(studio.session.has_run() && studio.document.graph() == before);
      } else {
        // The new pipeline was wished last: the file is not opened over it.
        QVERIFY(studio.document.graph().nodes.empty());
        QTest::qWait(500);
        QVERIFY(studio.document.graph().nodes.empty());
        QVERIFY(questions.size() == 1);
      }
      if (QTest::currentTestFailed()) return;
    }
  }

  void learning_is_asked_about_on_every_exit() {
    LearningStudio studio;
    QVERIFY(studio.open(scan(360, 240, 160)));
    studio.mark("axis");
    QTRY_VERIFY_WITH_TIMEOUT(studio.button("Learn") != nullptr && studio.button("Learn")->isEnabled(), patience_ms);
    QVERIFY(studio.press("Learn"));
    QVERIFY(test::wait_for_work([&] { return studio.window.learning().is_busy(); }));
    QVERIFY2(studio.window.learning().failure().isEmpty(), qPrintable(studio.window.learning().failure()));
    studio.document.undo_stack().setClean();
    {
      const Answer stay(Qt::Key_Return, "leave_learning");
      QVERIFY(!studio.window.close());
      QVERIFY2(stay.words.contains("learned"), qPrintable(stay.words));
    }
    QVERIFY(studio.reaches(JobState::ended));
    studio.document.undo_stack().setClean();
    every_exit_asks(studio.window, studio.document, exits(studio.window, studio.settings, studio.folder),
                    QStringLiteral("neither accepted nor rejected"),
                    [&] { return studio.window.learning().state() == JobState::ended; });
    if (QTest::currentTestFailed()) return;
    studio.window.learning().reject();
    studio.document.undo_stack().setClean();
    const Answer unexpected(Qt::Key_Escape);
    const bool is_closed = studio.window.close();
    QVERIFY2(is_closed, qPrintable(unexpected.words));
  }

  void training_is_asked_about_on_every_exit() {
    TrainingStudio studio;
    QVERIFY(studio.start_endless_training());
    studio.document.undo_stack().setClean();
    every_exit_asks(studio.window, studio.document, exits(studio.window, studio.settings, studio.folder),
                    QStringLiteral("A network is being trained"),
                    [&] { return studio.window.training().state() == JobState::running; });
    if (QTest::currentTestFailed()) return;
    const Answer leave(QStringLiteral("End and close"), "leave_training");
    QVERIFY(studio.window.close());
  }

  // While it is read and checked, and a run of what was shown before would end without a word.
  void a_run_of_a_file_that_is_being_opened_waits_for_it() {
    Studio studio;
    const QString scan_file = studio.folder.filePath("scan.nx");
    test::write_disc_scan(scan_file.toStdString(), {});
    QVERIFY(studio.open());
    studio.drop(scan_file);
    QTest::keyClick(&studio.window, Qt::Key_F5);
    QVERIFY(studio.document.graph().nodes.empty());  // it is not open yet
    QVERIFY(studio.has_message("runs as soon as it is open"));
    QTRY_VERIFY_WITH_TIMEOUT(studio.has_message("Wrote " + studio.folder.filePath("scan_volume.tif")),
                             test::patience_ms);
    QVERIFY(!studio.has_message("nothing to run"));
    // A file that cannot be opened runs nothing.
    studio.window.messages().clear();
    const QString bad = studio.folder.filePath("bad.json");
    QFile out(bad);
    QVERIFY(out.open(QIODevice::WriteOnly) && out.write("{") == 1);
    out.close();
    studio.drop(bad);
    QTest::keyClick(&studio.window, Qt::Key_F5);
    QTRY_VERIFY_WITH_TIMEOUT(studio.window.messages().count(LogLevel::error) == 1, test::patience_ms);
    QVERIFY(!studio.session.has_run());
    QVERIFY(!studio.has_message("Wrote"));
  }

  // At once after the pipeline has come, before it is checked.
  void a_run_at_the_first_moment_begins() {
    Studio studio;
    QVERIFY(studio.open_example());
    studio.make_small(60, 8, 64);
    studio.document.undo_stack().setClean();
    QTest::keyClick(&studio.window, Qt::Key_F5);
    QVERIFY(studio.session.has_run());
    QTRY_VERIFY_WITH_TIMEOUT(studio.has_message("Wrote " + studio.folder.filePath("example.tif")), test::patience_ms);
  }
};

TL_TEST_CASE(LeavingTest)

}  // namespace tl::ui::leaving_test

#include "leaving.moc"
