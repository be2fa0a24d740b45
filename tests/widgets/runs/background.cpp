// Work that goes on when the window is closed: the command line is asked to do it, the next window shows that it goes
// on, and how it has ended.
#include <QPushButton>

#include "tests/support/gui/learning_studio.h"
#include "tests/support/gui/newcomer.h"
#include "tests/support/gui/stand_in_programs.h"
#include "tests/support/gui/studio_process.h"
#include "tests/support/test_case.h"
#include "widgets/session/command_line.h"
#include "widgets/window/files/background_work.h"
#include "widgets/window/notices.h"

namespace tl::ui::background_test {
namespace {

using test::Answer;

// A run that goes on until it is ended.
bool start_endless_run(test::Studio& studio) {
  if (!studio.open()) return false;
  Graph g = scan(360, 60, 64);
  g.nodes["sirt"] = {"recon.sirt", 1, {{"iterations", int64_t{100000}}}};
  g.nodes["more"] = {"output.save_volume", 1, {{"file", std::string("endless.tif")}}};
  std::erase_if(g.links, [](const Link& l) { return l.to_node == "fbp"; });
  g.nodes.erase("fbp");
  g.links.push_back({"axis", "projections", "sirt", "projections"});
  g.links.push_back({"sirt", "volume", "more", "volume"});
  studio.document.reset(g);
  studio.window.show_main_page();
  studio.window.workspaces().show(Workspace::weave);
  QTest::keyClick(&studio.window, Qt::Key_F5);
  return studio.session.has_run() && test::wait_for_work([&] { return studio.session.run_progress().running; });
}

}  // namespace

class BackgroundTest final : public QObject {
  Q_OBJECT
  const test::NewHome home_;

 private Q_SLOTS:
  void initTestCase() {
    Theme::instance().set(QStringLiteral("dark"));
    QVERIFY(home_.enter());
  }

  void a_run_goes_on_and_the_next_window_says_how_it_ended() {
    const test::StandInPrograms programs;
    programs.command_line("echo \"$@\" > " + programs.path("words").toUtf8() + "\nwhile [ ! -e " +
                          programs.path("finish").toUtf8() + " ]; do sleep 0.05; done\necho the last words");
    programs.program("notify-send", "echo \"$@\" > " + programs.path("notified").toUtf8());
    {
      test::Studio studio;
      QVERIFY(start_endless_run(studio));
      const Answer goes_on(QStringLiteral("Go on in the background"), "go_on_in_the_background");
      QVERIFY(studio.window.close());
      QVERIFY2(goes_on.words.contains("In the background the run"), qPrintable(goes_on.words));
      QCOMPARE(goes_on.by_default, QStringLiteral("Stay"));
    }
    QTRY_VERIFY_WITH_TIMEOUT(programs.text("words").startsWith("run "), test::patience_ms);
    QVERIFY2(programs.text("words").contains("--allow-outside"), programs.text("words").constData());
    // The pipeline is a copy that can be run.
    const QString kept = QString::fromUtf8(programs.text("words")).section(' ', 1, 1);
    Document document;
    QVERIFY(document.open(kept).ok());
    QVERIFY(document.graph().nodes.contains("sirt"));
    test::Studio next;
    QVERIFY(next.open());
    QTRY_VERIFY_WITH_TIMEOUT(next.has_message("has been running in the background since"), test::patience_ms);
    programs.write("finish", "now");
    QTRY_VERIFY_WITH_TIMEOUT(next.has_message("has ended in the background"), 3 * test::patience_ms);
    QTRY_VERIFY_WITH_TIMEOUT(programs.text("notified").contains("done"), test::patience_ms);
    QVERIFY(next.window.notices().done().isVisible() && next.window.notices().done().text().contains("has ended"));
    test::keep_picture(next.window, "background_ended");
    // Said once.
    test::Studio later;
    QVERIFY(later.open());
    test::handle_queued_events();
    QVERIFY(!later.has_message("in the background"));
  }

  void one_that_fails_or_is_killed_is_said_to_have_failed() {
    const test::StandInPrograms programs;
    programs.command_line("echo disk full; exit 3");
    BackgroundWork work;
    const QString place = work.new_job_folder().or_throw();
    work.start(place, {"Run of it", {command_line_program(), "run"}, place, {}}).or_throw();
    test::Studio studio;
    QVERIFY(studio.open());
    QTRY_VERIFY_WITH_TIMEOUT(studio.has_message("Run of it failed in the background"), 3 * test::patience_ms);
    QVERIFY(studio.window.notices().error().isVisible());
    QVERIFY(studio.press("Show the log"));
  }

  // Nothing is offered where the command line is missing, and staying keeps the run.
  void without_the_command_line_nothing_is_offered() {
    const test::StandInPrograms programs;
    qputenv("PATH", programs.path(".").toUtf8());
    test::Studio studio;
    QVERIFY(start_endless_run(studio));
    QVERIFY(!studio.window.background().obstacle().isEmpty());
    {
      const Answer stay(Qt::Key_Escape);
      QVERIFY(!studio.window.close());
      QVERIFY2(!stay.words.contains("background"), qPrintable(stay.words));
      QVERIFY(studio.session.has_run());
    }
    const Answer leave(QStringLiteral("End and close"));
    QVERIFY(studio.window.close());
  }
};

TL_TEST_CASE(BackgroundTest)

}  // namespace tl::ui::background_test

#include "background.moc"
