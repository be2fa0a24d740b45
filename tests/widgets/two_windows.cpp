// Two windows of the studio, in two processes: neither erases what the other has saved, each says who has a pipeline
// open, and what a killed one has not saved is offered until the user has decided.
#include <QDir>
#include <QPlainTextEdit>
#include <QPushButton>

#include "tests/support/file_tree.h"
#include "tests/support/gui/newcomer.h"
#include "tests/support/gui/studio_process.h"
#include "tests/support/test_case.h"
#include "widgets/session/strokes_files.h"
#include "widgets/window/notices.h"
#include "widgets/window/welcome_page.h"

namespace tl::ui::two_windows_test {
namespace {

using test::Answer;
using test::patience_ms;
using test::Studio;
using test::StudioProcess;

std::string content(const QString& file) { return test::contents(file.toStdString()); }

std::string title_in(const QString& file) {
  Document document;
  return document.open(file).ok() ? document.graph().title : std::string("not a pipeline");
}

void change_title(Studio& studio, const std::string& title) {
  studio.document.edit("Title", [&](Graph& g) { g.title = title; });
}

QList<QPushButton*> buttons_in(const Studio& studio, const QString& text) {
  QList<QPushButton*> found;
  for (QPushButton* b : studio.window.findChild<WelcomePage*>()->findChildren<QPushButton*>())
    if (b->text() == text && b->isVisible()) found << b;
  return found;
}

// The window of the other process may have the keyboard.
void save_by_key(Studio& studio) {
  QVERIFY(test::open_window(studio.window));
  QTest::keyClick(&studio.window, Qt::Key_S, Qt::ControlModifier);
}

}  // namespace

class TwoWindowsTest final : public QObject {
  Q_OBJECT
  const test::NewHome home_;
  const QString me_ = QStringLiteral("two_windows");
  QTemporaryDir folder_;
  QString pipeline_;

  void open(Studio& studio) {
    studio.drop(pipeline_);
    QTRY_VERIFY_WITH_TIMEOUT(studio.document.path() == pipeline_, patience_ms);
  }

  // Both have it open; the other one saves it with the title "theirs".
  void save_in_the_other_window(Studio& studio, StudioProcess& other) {
    QVERIFY(other.execute("open " + pipeline_));
    open(studio);
    QVERIFY(other.execute("title theirs") && other.execute("save"));
  }

 private Q_SLOTS:
  void initTestCase() {
    Theme::instance().set(QStringLiteral("dark"));
    if (qEnvironmentVariableIsSet(test::studio_process_variable)) test::obey_as_studio();
    QVERIFY(home_.enter());
  }
  void init() {
    // What a window of the test before left behind when it was killed.
    QDir(folder_of_unsaved() + "/windows").removeRecursively();
    pipeline_ = folder_.filePath("scan.json");
    Document made;
    made.edit("Title", [](Graph& g) {
      g.title = "first";
      g.nodes["simulate"] = {"input.simulate_scan", 1, {{"views", int64_t{40}}}};
    });
    QVERIFY(made.save(pipeline_).ok());
  }

  void opening_says_who_has_it() {
    Studio studio;
    QVERIFY(studio.open());
    {
      StudioProcess other(me_);
      QVERIFY(other.execute("open " + pipeline_));
      open(studio);
      const QString who = QStringLiteral("process %1 on this machine").arg(other.number());
      QVERIFY(studio.has_message(who));
      QVERIFY(studio.window.notices().error().isVisible() && studio.window.notices().error().text().contains(who));
      test::keep_picture(studio.window, "open_elsewhere");
    }
    // A dead process has nothing open.
    studio.window.messages().clear();
    studio.drop(pipeline_);
    QTRY_VERIFY_WITH_TIMEOUT(studio.has_message("Opening"), patience_ms);
    QTRY_VERIFY_WITH_TIMEOUT(!studio.window.notices().error().isVisible(), patience_ms);
    QVERIFY(!studio.has_message("another window"));
  }

  // What the other one has not saved yet is in its copy.
  void the_difference_is_shown_and_saved_elsewhere() {
    Studio studio;
    QVERIFY(studio.open());
    StudioProcess other(me_);
    save_in_the_other_window(studio, other);
    QVERIFY(studio.window.notices().error().isVisible());
    QVERIFY(studio.press("Show the difference"));
    const QPlainTextEdit* lines = nullptr;
    for (const auto* text : studio.window.findChildren<QPlainTextEdit*>())
      if (text->isVisible() && text->accessibleName().contains("scan.json")) lines = text;
    QVERIFY(lines != nullptr);
    QVERIFY2(lines->toPlainText().contains("theirs"), qPrintable(lines->toPlainText()));
    test::keep_picture(*lines->window(), "difference");
    lines->window()->close();
    // Save as, when it is opened once more.
    open(studio);
    studio.document.undo_stack().setClean();
    studio.drop(pipeline_);
    QTRY_VERIFY_WITH_TIMEOUT(studio.window.notices().error().isVisible(), patience_ms);
    const QString elsewhere = folder_.filePath("mine.json");
    QVERIFY(test::answer_file_dialog(
        studio.window, elsewhere, [&] { QTimer::singleShot(0, &studio.window, [&] { studio.press("Save as…"); }); }));
    QTRY_COMPARE(studio.document.path(), elsewhere);
  }

  // Locks do not reach there: a record that is renewed is that of a living window, an old one is not.
  void another_machine_is_named() {
    Studio studio;
    QVERIFY(studio.open());
    const QString record = folder_of_unsaved() + "/windows/beamline3-4711-1.window";
    const auto write = [&] {
      QFile out(record);
      QVERIFY(out.open(QIODevice::WriteOnly));
      out.write(R"({"host": "beamline3", "process": 4711, "pipeline": ")" + pipeline_.toUtf8() +
                R"(", "opened": "2026-05-01T12:00:00Z"})");
    };
    write();
    open(studio);
    QVERIFY(studio.has_message("process 4711 on beamline3"));
    QVERIFY(buttons_in(studio, "Recover").isEmpty());
    QFile old(record);
    QVERIFY(old.open(QIODevice::ReadWrite));
    QVERIFY(old.setFileTime(QDateTime::currentDateTime().addSecs(-3600), QFileDevice::FileModificationTime));
    old.close();
    studio.window.messages().clear();
    QTest::keyClick(&studio.window, Qt::Key_N, Qt::ControlModifier);
    QVERIFY(studio.document.path().isEmpty());
    open(studio);
    QVERIFY(!studio.has_message("beamline3"));
  }

  void the_second_save_asks() {
    Studio studio;
    QVERIFY(studio.open());
    StudioProcess other(me_);
    save_in_the_other_window(studio, other);
    QCOMPARE(title_in(pipeline_), std::string("theirs"));
    const std::string theirs = content(pipeline_);
    change_title(studio, "ours");
    for (const char* theme : {"light", "dark"}) {
      Theme::instance().set(QLatin1String(theme));
      const Answer escape(Qt::Key_Escape, "changed_file");
      save_by_key(studio);
      QVERIFY2(escape.words.contains("scan.json") && escape.words.contains(QString::number(other.number())),
               qPrintable(escape.words));
      QVERIFY2(escape.details.contains("theirs") && escape.details.contains("ours"), qPrintable(escape.details));
      QCOMPARE(escape.by_default, QStringLiteral("Save as…"));
    }
    QVERIFY(content(pipeline_) == theirs && studio.document.is_modified());
    // Elsewhere: the default, by the keyboard.
    const QString elsewhere = folder_.filePath("ours.json");
    {
      const Answer enter(Qt::Key_Return);
      QVERIFY(test::answer_file_dialog(studio.window, elsewhere,
                                       [&] { QTimer::singleShot(0, &studio.window, [&] { save_by_key(studio); }); }));
    }
    QTRY_COMPARE(title_in(elsewhere), std::string("ours"));
    QVERIFY(content(pipeline_) == theirs && studio.document.path() == elsewhere);
    // The other window's own second save asks nothing: nobody else has changed its file.
    QVERIFY(other.execute("title again") && other.execute("save"));
    QTRY_COMPARE_WITH_TIMEOUT(title_in(pipeline_), std::string("again"), test::patience_ms);
  }

  void overwriting_is_a_decision_for_this_version() {
    Studio studio;
    QVERIFY(studio.open());
    StudioProcess other(me_);
    save_in_the_other_window(studio, other);
    change_title(studio, "ours");
    const Answer overwrite(QStringLiteral("Overwrite"));
    save_by_key(studio);
    QCOMPARE(title_in(pipeline_), std::string("ours"));
    QVERIFY(!studio.document.is_modified());
    // Closing saves under the same rule.
    Document editor;
    QVERIFY(editor.open(pipeline_).ok());
    editor.edit("Title", [](Graph& g) { g.title = "an editor's"; });
    QVERIFY(editor.save(pipeline_).ok());
    change_title(studio, "lost?");
    QStringList asked;
    QTimer look;
    connect(&look, &QTimer::timeout, this, [&] {
      auto* box = qobject_cast<QMessageBox*>(QApplication::activeModalWidget());
      if (box == nullptr) return;
      asked << box->windowTitle();
      const QString wanted = asked.size() == 1 ? QStringLiteral("Save") : QStringLiteral("Cancel");
      for (QAbstractButton* b : box->buttons())
        if (b->text().remove('&') == wanted) return b->click();
    });
    look.start(30);
    QVERIFY(!studio.window.close());
    QCOMPARE(asked.size(), 2);
    QCOMPARE(title_in(pipeline_), std::string("an editor's"));
    look.stop();
    studio.document.undo_stack().setClean();
  }

  void copies_stay_until_the_user_has_decided() {
    {
      // Two windows are killed; both copies are there, with their files.
      StudioProcess first(me_), second(me_);
      QVERIFY(first.execute("open " + pipeline_) && first.execute("title kept") &&
              second.execute("title untitled work"));
    }
    StudioProcess living(me_);
    QVERIFY(living.execute("title of the living"));
    {
      Studio studio;
      QVERIFY(studio.open());
      QCOMPARE(buttons_in(studio, "Recover").size(), 2);
      for (const char* theme : {"light", "dark"}) {
        Theme::instance().set(QLatin1String(theme));
        test::keep_picture(studio.window, QStringLiteral("recovery-%1").arg(QLatin1String(theme)));
      }
      QVERIFY(studio.window.close());
    }
    // Nothing was decided: offered again.
    Studio studio;
    QVERIFY(studio.open());
    QCOMPARE(buttons_in(studio, "Recover").size(), 2);
    // The one with a file. By the keyboard.
    for (QPushButton* b : buttons_in(studio, "Recover"))
      if (b->toolTip().contains("scan.json")) {
        b->setFocus();
        QTest::keyClick(b, Qt::Key_Space);
        break;
      }
    QCOMPARE(studio.document.graph().title, std::string("kept"));
    QCOMPARE(studio.document.path(), pipeline_);
    QVERIFY(studio.document.is_modified());
    save_by_key(studio);
    QCOMPARE(title_in(pipeline_), std::string("kept"));
    studio.window.show_welcome();
    QCOMPARE(buttons_in(studio, "Discard").size(), 1);
    QTest::mouseClick(buttons_in(studio, "Discard").constFirst(), Qt::LeftButton);
    QVERIFY(buttons_in(studio, "Discard").isEmpty());
    // The living one's copy was neither offered nor removed.
    living.kill();
    studio.window.show_welcome();
    QCOMPARE(buttons_in(studio, "Recover").size(), 1);
    QTest::mouseClick(buttons_in(studio, "Recover").constFirst(), Qt::LeftButton);
    QCOMPARE(studio.document.graph().title, std::string("of the living"));
    studio.document.undo_stack().setClean();
    studio.window.findChild<Autosave*>()->discard();
  }

  // Saved and recovered as it is, although it cannot run: a link is missing.
  void a_draft_is_opened_and_recovered() {
    const auto make_draft = [](Graph& g) { g.nodes["fbp"] = {"recon.fbp", 1, {}}; };
    Document draft;
    draft.edit("Draft", make_draft);
    QVERIFY(draft.save(pipeline_).ok());
    Studio studio;
    QVERIFY(studio.open());
    open(studio);
    QVERIFY(studio.document.graph().nodes.contains("fbp"));
    Document unsaved;
    Autosave gone(unsaved, folder_.filePath("windows"));
    unsaved.edit("Draft", make_draft);
    QVERIFY(gone.save_now());
    WindowRecord record;
    record.copy = gone.records().copy_file();
    studio.window.files().recover(record);
    QVERIFY(studio.document.path().isEmpty() && studio.document.graph().nodes.contains("fbp"));
    studio.document.undo_stack().setClean();
  }
};

TL_TEST_CASE(TwoWindowsTest)

}  // namespace tl::ui::two_windows_test

#include "two_windows.moc"
