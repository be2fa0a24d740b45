// Leaving: closing the window, and going to another pipeline, asks before it ends work; a run that is asked for
// while a file is opened is of that file.
#include <QMenu>
#include <QPushButton>

#include "tests/support/disc_scan.h"
#include "tests/support/gui/learning_studio.h"
#include "tests/support/gui/studio_process.h"
#include "tests/support/test_case.h"
#include "widgets/window/files/pipeline_templates.h"

namespace tl::ui::leaving_test {
namespace {

using test::Answer;
using test::Studio;

// Long enough to go on while a test asks.
bool start_long_run(Studio& studio) {
  if (!studio.open_example()) return false;
  studio.document.edit("Larger", [](Graph& g) {
    auto& params = g.nodes["simulate"].params;
    params["views"] = int64_t{900};
    params["cols"] = int64_t{384};
    params["rows"] = int64_t{192};
    params["noise"] = std::string("none");  // the first pictures would wait for its counts
    params["phantom"] = std::string("shepp_logan_3d");
  });
  studio.document.undo_stack().setClean();
  QTest::keyClick(&studio.window, Qt::Key_F5);
  return studio.session.has_run() && test::wait_for_work([&] { return studio.session.run_progress().running; });
}

}  // namespace

class LeavingTest final : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void initTestCase() { Theme::instance().set(QStringLiteral("dark")); }

  void a_run_is_asked_about() {
    Studio studio;
    QVERIFY(start_long_run(studio));
    const Graph before = studio.document.graph();
    for (const Qt::Key key : {Qt::Key_Return, Qt::Key_Escape}) {  // the default is to stay
      const Answer answer(key, "leave_run");
      QVERIFY(!studio.window.close());
      QVERIFY2(answer.words.contains("A run goes on"), qPrintable(answer.words));
      QCOMPARE(answer.by_default, QStringLiteral("Stay"));
      QVERIFY(studio.window.isVisible() && studio.session.has_run());
      QVERIFY(studio.document.graph() == before);
    }
    const Answer leave(QStringLiteral("End and close"));
    QVERIFY(studio.window.close());
  }

  void learning_is_asked_about() {
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
    QVERIFY(studio.reaches(LearningState::ended));
    studio.document.undo_stack().setClean();
    {
      const Answer stay(Qt::Key_Return);
      studio.window.files().start_new();
      QVERIFY2(stay.words.contains("neither accepted nor rejected"), qPrintable(stay.words));
      QVERIFY(!studio.document.graph().nodes.empty());
    }
    studio.window.learning().reject();
    studio.document.undo_stack().setClean();
    const Answer unexpected(Qt::Key_Escape);
    const bool is_closed = studio.window.close();
    QVERIFY2(is_closed, qPrintable(unexpected.words));
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
    QVERIFY(studio.told("runs as soon as it is open"));
    QTRY_VERIFY_WITH_TIMEOUT(studio.told("Wrote " + studio.folder.filePath("scan_volume.tif")), test::patience_ms);
    QVERIFY(!studio.told("nothing to run"));
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
    QVERIFY(!studio.told("Wrote"));
  }

  // At once after the pipeline has come, before it is checked.
  void a_run_at_the_first_moment_begins() {
    Studio studio;
    QVERIFY(studio.open_example());
    studio.document.edit("Smaller", [](Graph& g) {
      auto& params = g.nodes["simulate"].params;
      params["views"] = int64_t{60};
      params["cols"] = int64_t{64};
      params["rows"] = int64_t{8};
    });
    studio.document.undo_stack().setClean();
    QTest::keyClick(&studio.window, Qt::Key_F5);
    QVERIFY(studio.session.has_run());
    QTRY_VERIFY_WITH_TIMEOUT(studio.told("Wrote " + studio.folder.filePath("example.tif")), test::patience_ms);
  }
};

TL_TEST_CASE(LeavingTest)

}  // namespace tl::ui::leaving_test

#include "leaving.moc"
