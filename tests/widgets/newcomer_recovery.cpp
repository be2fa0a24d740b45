// The first hour, its end: the studio is killed in the middle of the work (kill -9), and the next start offers the
// unsaved pipeline on its welcome page. The one that is killed is a process of its own: this program, which works as
// long as a variable of the environment says so.
#include <QLineEdit>
#include <QProcess>
#include <cstdio>

#include "tests/support/gui/newcomer.h"
#include "tests/support/gui/shown_views.h"
#include "tests/support/gui/studio.h"
#include "tests/support/test_case.h"
#include "widgets/inspector/inspector.h"
#include "widgets/inspector/node_form.h"
#include "widgets/theme/theme.h"

namespace tl::ui::newcomer_recovery_test {
namespace {

using test::Budget;
using test::Newcomer;
using test::Studio;

constexpr Budget recovery_budget{3, 4};
constexpr const char* killed_variable = "TL_STUDIO_TO_BE_KILLED";
const Number typed{0.3, Unit::nyquist};

Number cutoff_of(const Document& document) {
  for (const auto& [id, node] : document.graph().nodes)
    if (const auto set = node.params.find("cutoff"); set != node.params.end()) return std::get<Number>(set->second);
  return {};
}

// In the process that will be killed: opens the example, types another value, says what that took, and goes on until
// the end comes.
[[noreturn]] void work_until_killed() {
  Studio studio;
  if (studio.open()) {
    Newcomer user(studio.window);
    try {
      user.press("Try the example");
      user.wait_for("the form of FBP is shown", [&] {
        const NodeForm* form = studio.window.inspector().form();
        return form != nullptr && form->field("cutoff") != nullptr;
      });
      user.click(*studio.window.inspector().form()->field("cutoff")->findChild<QLineEdit*>());
      user.key(Qt::Key_A, Qt::ControlModifier);
      user.type(".3");
      user.key(Qt::Key_Return);
      std::printf("%d %d\n", user.clicks(), user.keys());
      std::fflush(stdout);
      QTest::qWait(test::patience_ms);
    } catch (const test::Stuck& stuck) {
      std::printf("%s\n", qPrintable(stuck.why));
    }
  }
  std::fflush(stdout);
  std::_Exit(1);
}

}  // namespace

class NewcomerRecoveryTest final : public QObject {
  Q_OBJECT
  const test::NewHome home_;

 private Q_SLOTS:
  void initTestCase();
  void what_was_killed_is_recovered();
};

void NewcomerRecoveryTest::initTestCase() {
  Theme::instance().set(QStringLiteral("dark"));
  if (qEnvironmentVariableIsSet(killed_variable)) work_until_killed();
  QVERIFY(home_.enter());
}

void NewcomerRecoveryTest::what_was_killed_is_recovered() {
  const QString kept = QStandardPaths::writableLocation(QStandardPaths::GenericDataLocation) + "/tomoloom/windows";
  QVERIFY(kept.startsWith(home_.folder.path()));
  QProcess killed;
  QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
  environment.insert(QString::fromLatin1(killed_variable), QStringLiteral("1"));
  environment.insert(QStringLiteral("TMPDIR"), home_.folder.path());  // it cannot remove its files itself
  killed.setProcessEnvironment(environment);
  killed.start(QCoreApplication::applicationFilePath(), {QStringLiteral("newcomer_recovery")});
  QVERIFY(killed.waitForStarted(test::patience_ms));
  Budget before;
  QByteArray said;
  const auto has_changed = [&] {
    said += killed.readAllStandardOutput();
    for (const QByteArray& line : said.split('\n'))
      if (std::sscanf(line.constData(), "%d %d", &before.clicks, &before.keys) == 2) return true;
    return killed.state() == QProcess::NotRunning;
  };
  QVERIFY(QTest::qWaitFor(has_changed, test::patience_ms));
  // Some seconds after the last change.
  QVERIFY2(QTest::qWaitFor([&] { return !QDir(kept).entryList({"*.json"}).isEmpty(); }, test::patience_ms),
           said.constData());
  killed.kill();  // SIGKILL
  QVERIFY(killed.waitForFinished(test::patience_ms));
  QCOMPARE(killed.exitStatus(), QProcess::CrashExit);

  Studio studio;
  QVERIFY(studio.open());
  test::keep_picture(studio.window, "newcomer-8-offered");
  test::do_task("8-recovery", recovery_budget, studio.window, [&](Newcomer& user) {
    user.add_work(before);
    user.press("Recover");
    user.expect(cutoff_of(studio.document) == typed, "the value that was typed last is there");
    user.expect(studio.document.is_modified(), "the pipeline counts as unsaved");
    user.wait_for("every view is sharp", [&] {
      const ImagePane* slice = studio.window.findChild<ViewsArea*>()->cell(0).image_pane();
      return slice != nullptr && slice->picture() && test::is_every_view_sharp(studio.window);
    });
    user.expect(studio.window.messages().count(LogLevel::error) == 0, "no error is in the messages");
  });
  QVERIFY(studio.document.save(studio.folder.filePath("kept.json")).ok());
}

TL_TEST_CASE(NewcomerRecoveryTest)

}  // namespace tl::ui::newcomer_recovery_test

#include "newcomer_recovery.moc"
