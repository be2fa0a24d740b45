// Slurm as a target of the queue: disabled with a reason where it is missing; a form that the forecast fills; states,
// results, logs and sending again, with programs that stand in for those of Slurm.
#include <QComboBox>
#include <QDialog>
#include <QMenu>
#include <QPlainTextEdit>
#include <QProcess>
#include <QPushButton>
#include <QSpinBox>
#include <QStandardItemModel>

#include "tests/support/gui/runs_studio.h"
#include "tests/support/gui/stand_in_programs.h"
#include "tests/support/test_case.h"
#include "widgets/theme/theme.h"

namespace tl::ui::slurm_test {
namespace {

// Writes a result with its record, but for the scan b.
const QByteArray runs_a_scan =
    "while [ $# -gt 0 ]; do if [ \"$1\" = --out ]; then out=$2; fi; shift; done\n"
    "case $out in */b) echo 'no flat frames in the scan'; exit 2;; esac\n"
    "mkdir -p \"$out\"; echo voxels > \"$out/volume.tif\"\n"
    "echo '{\"format\": \"tomoloom-record\", \"schema_version\": 1, \"run\": {\"seconds\": 12},"
    " \"files\": [\"volume.tif\"], \"parameters\": [{\"node\": \"axis\", \"name\": \"axis\", \"value\": 3.5,"
    " \"unit\": \"px\", \"uncertainty\": 0.1, \"verdict\": \"resolved\"}]}' > \"$out/volume.tif.json\"";

struct SlurmStudio : test::RunsStudio {
  [[nodiscard]] QComboBox& target() { return *window.runs().queue().findChild<QComboBox*>(); }
  [[nodiscard]] bool add_two() {
    for (const char* name : {"a.nx", "b.nx"})
      if (!drop_on(window, scan(name))) return false;
    return table().model()->rowCount() == 2 &&
           QTest::qWaitFor([&] { return !window.queue().is_looking(); }, test::patience_ms);
  }
  [[nodiscard]] QString jobs(const QString& name) { return window.queue().folder() + "/slurm-1/jobs/" + name; }
  // Runs a task as a machine of the cluster would.
  void run_task(int number) {
    QProcess shell;
    shell.setStandardOutputFile(jobs(QString::number(number) + ".log"));
    shell.start("bash", {jobs(QString::number(number) + ".sh")});
    QVERIFY(shell.waitForFinished());
  }
  void choose_in_menu(int row, const QString& text) {
    table().select({table().queue_model().row(row).name});
    QTimer::singleShot(0, &window, [&] {
      auto* menu = qobject_cast<QMenu*>(QApplication::activePopupWidget());
      QVERIFY(menu != nullptr);
      for (QAction* action : menu->actions())
        if (action->text() == text && action->isEnabled()) action->trigger();
      menu->close();
    });
    const QPoint at = table().visualRect(table().model()->index(row, QueueModel::scan_column)).center();
    QContextMenuEvent event(QContextMenuEvent::Mouse, at, table().viewport()->mapToGlobal(at));
    QCoreApplication::sendEvent(table().viewport(), &event);
  }
};

// Answers the form that opens next; `look` sees it before.
template <class Look>
void answer_form(const QString& button, Look look) {
  QTimer::singleShot(0, qApp, [button, look] {
    auto* form = qobject_cast<QDialog*>(QApplication::activeModalWidget());
    QVERIFY(form != nullptr);
    look(*form);
    for (auto* b : form->findChildren<QPushButton*>())
      if (b->text().remove('&') == button) return QTest::mouseClick(b, Qt::LeftButton);
    form->reject();
    QFAIL(qPrintable("no button " + button));
  });
}

}  // namespace

class SlurmTest final : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void initTestCase() { Theme::instance().set(QStringLiteral("dark")); }

  void without_slurm_the_target_is_disabled_with_the_reason() {
    const test::StandInPrograms programs;
    qputenv("PATH", programs.path(".").toUtf8());  // nothing else is found, even where Slurm is installed
    SlurmStudio s;
    QVERIFY(s.show_runs());
    auto* items = qobject_cast<QStandardItemModel*>(s.target().model());
    QVERIFY(items != nullptr && !items->item(1)->isEnabled());
    QVERIFY(items->item(1)->toolTip().contains("sbatch") && s.target().toolTip().contains("sbatch"));
  }

  void rows_are_sent_followed_and_sent_again() {
    const test::StandInPrograms programs;
    programs.command_line(runs_a_scan);
    programs.program("sbatch", "echo \"$@\" >> " + programs.path("calls").toUtf8() + "\necho 17");
    programs.program("squeue", "cat " + programs.path("states").toUtf8());
    programs.program("scancel", "echo scancel \"$@\" >> " + programs.path("calls").toUtf8());
    programs.write("states", "17_1 RUNNING\n17_2 PENDING\n");
    SlurmStudio s;
    QVERIFY(s.show_runs());
    QVERIFY(s.add_two());
    s.target().setFocus();
    QTest::keyClick(&s.target(), Qt::Key_Down);
    QVERIFY(s.window.queue().target() == QueueSession::Target::slurm);
    // A form that the user leaves sends nothing.
    answer_form("Cancel", [](QDialog&) {});
    QTest::keyClick(&s.window, Qt::Key_F5);
    QVERIFY(programs.text("calls").isEmpty() && s.window.queue().waiting().size() == 2);
    answer_form("Send 2 scans", [](QDialog& form) {
      const auto memory = form.findChildren<QDoubleSpinBox*>();
      QVERIFY(memory.size() == 1 && memory.front()->value() >= 1);  // at least 1 GiB
      const auto numbers = form.findChildren<QSpinBox*>();
      QCOMPARE(numbers.size(), 3);
      numbers.front()->setValue(3);
      test::keep_picture(form, "slurm_form");
    });
    QTest::keyClick(&s.window, Qt::Key_F5);
    QTRY_VERIFY_WITH_TIMEOUT(s.cell(0, QueueModel::state_column).contains("running|Slurm job 17_1"), test::patience_ms);
    QVERIFY2(s.cell(1, QueueModel::state_column).contains("sent"), qPrintable(s.cell(1, QueueModel::state_column)));
    const QByteArray calls = programs.text("calls");
    QVERIFY2(calls.contains("--cpus-per-task=3") && calls.contains("--array=1-2"), calls.constData());
    test::keep_picture(s.window, "slurm_sent");
    // Rows that were sent do not run here.
    QVERIFY(s.window.queue().waiting().empty());
    s.run_task(1);
    s.run_task(2);
    programs.write("states", "");
    QTRY_VERIFY_WITH_TIMEOUT(s.cell(0, QueueModel::state_column).contains("done"), test::patience_ms);
    QVERIFY2(s.cell(0, QueueModel::axis_column).contains("3.5"), qPrintable(s.cell(0, QueueModel::axis_column)));
    QVERIFY(s.window.queue().result_of(s.window.queue().rows().front()).endsWith("a/volume.tif"));
    QTRY_VERIFY_WITH_TIMEOUT(s.cell(1, QueueModel::state_column).contains("failed"), test::patience_ms);
    QVERIFY2(s.cell(1, QueueModel::notes_column).contains("no flat frames"),
             qPrintable(s.cell(1, QueueModel::notes_column)));
    // The log.
    s.choose_in_menu(1, "Log of the job…");
    QPlainTextEdit* log = nullptr;
    for (auto* text : s.window.findChildren<QPlainTextEdit*>())
      if (text->isVisible() && text->accessibleName() == "Log of b") log = text;
    QVERIFY(log != nullptr && log->toPlainText().contains("no flat frames"));
    log->window()->close();
    // Again, with what was asked for.
    programs.write("states", "17_1 PENDING\n");
    s.choose_in_menu(1, "Send again");
    QTRY_VERIFY_WITH_TIMEOUT(s.cell(1, QueueModel::state_column).contains("sent"), test::patience_ms);
    QCOMPARE(programs.text("calls").count("--cpus-per-task=3"), 2);
    // Cancelled: the row is paused.
    QTRY_VERIFY_WITH_TIMEOUT(s.cell(1, QueueModel::state_column).contains("17_1"), test::patience_ms);
    s.choose_in_menu(1, "Cancel the job");
    QTRY_VERIFY_WITH_TIMEOUT(s.cell(1, QueueModel::state_column).contains("paused"), test::patience_ms);
    QVERIFY(programs.text("calls").contains("scancel --quiet 17_1"));
  }

  void what_slurm_refuses_waits_again() {
    const test::StandInPrograms programs;
    programs.command_line(runs_a_scan);
    programs.program("sbatch", "echo 'invalid partition' >&2; exit 1");
    programs.program("squeue", "true");
    SlurmStudio s;
    QVERIFY(s.show_runs());
    QVERIFY(s.add_two());
    s.target().setFocus();
    QTest::keyClick(&s.target(), Qt::Key_Down);
    answer_form("Send 2 scans", [](QDialog&) {});
    QTest::keyClick(&s.window, Qt::Key_F5);
    QTRY_VERIFY_WITH_TIMEOUT(s.has_message("invalid partition"), test::patience_ms);
    QTRY_COMPARE_WITH_TIMEOUT(s.window.queue().waiting().size(), std::size_t{2}, test::patience_ms);
    QVERIFY(!QFileInfo::exists(s.window.queue().folder() + "/slurm-1"));
  }
};

TL_TEST_CASE(SlurmTest)

}  // namespace tl::ui::slurm_test

#include "slurm.moc"
