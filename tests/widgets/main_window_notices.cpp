// MainWindow: errors and ends are reported where the user looks: refused files, failed saves and runs as banners, the
// end of a run as a note, an unsaved pipeline as a card; no message names an option of the command line.
#include <QDesktopServices>
#include <QFileDialog>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>

#include "tests/support/gui/studio.h"
#include "tests/support/test_case.h"
#include "widgets/canvas/canvas.h"
#include "widgets/inspector/inspector.h"
#include "widgets/theme/theme.h"
#include "widgets/views/views_area.h"
#include "widgets/window/message_panel.h"
#include "widgets/window/notices.h"
#include "widgets/window/state/message_model.h"
#include "widgets/window/status_line.h"
#include "widgets/window/welcome_page.h"

namespace tl::ui::main_window_notices_test {

using test::patience_ms;
using test::Studio;

// Stands for the system's programs that open files.
class Opener final : public QObject {
  Q_OBJECT
 public:
  Opener() { QDesktopServices::setUrlHandler(QStringLiteral("file"), this, "take"); }
  ~Opener() override { QDesktopServices::unsetUrlHandler(QStringLiteral("file")); }
  QStringList opened;

 public Q_SLOTS:
  void take(const QUrl& url) { opened << url.toLocalFile(); }
};

// Answers a series of questions: for each the button to press, in this order; keeps their words.
class Answers final : public QObject {
  Q_OBJECT
 public:
  explicit Answers(QStringList buttons) : buttons_(std::move(buttons)) {
    connect(&timer_, &QTimer::timeout, this, &Answers::answer);
    timer_.start(20);
  }
  QString file;  // for a file dialog
  QStringList words;

 private:
  void answer() {
    if (auto* dialog = qobject_cast<QFileDialog*>(QApplication::activeModalWidget())) {
      dialog->findChild<QLineEdit*>()->setText(file);
      QTest::keyClick(dialog->findChild<QLineEdit*>(), Qt::Key_Return);
      return;
    }
    auto* box = qobject_cast<QMessageBox*>(QApplication::activeModalWidget());
    if (box == nullptr || !box->isVisible() || buttons_.isEmpty()) return;
    const QString wanted = buttons_.takeFirst();
    words << box->text() + QChar('\n') + box->informativeText();
    test::keep_picture(*box, QStringLiteral("question_%1").arg(words.size()), 50);
    for (QAbstractButton* b : box->buttons())
      if (b->text().remove('&') == wanted) return QTest::mouseClick(b, Qt::LeftButton);
    QFAIL(qPrintable(QStringLiteral("no button %1 in: %2").arg(wanted, words.constLast())));
  }
  QStringList buttons_;
  QTimer timer_;
};

class MainWindowNoticesTest final : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void initTestCase() { Theme::instance().set(QStringLiteral("dark")); }
  void a_refused_file_is_reported_over_the_page();
  void not_replacing_is_not_an_error();
  void a_failed_save_is_reported_and_can_be_repaired();
  void quitting_says_that_the_save_failed();
  void a_failed_run_leads_to_the_parameter();
  void the_end_of_a_run_leads_to_its_files();
  void the_end_of_a_run_covers_nothing();
  void an_unsaved_pipeline_is_offered_on_the_welcome_page();
  void no_message_names_an_option();
  void the_status_line_says_what_was_found();
  void repeated_messages_are_one_line();
  void messages_are_of_this_pipeline_and_name_cards();
};

namespace {

bool press_in(const QWidget& where, const QString& text) {
  for (QPushButton* b : where.findChildren<QPushButton*>())
    if (b->isVisible() && b->text() == text) {
      QTest::mouseClick(b, Qt::LeftButton);
      return true;
    }
  return false;
}

void forget_changes(Studio& studio) { QVERIFY(studio.document.save(studio.folder.filePath("forgotten.json")).ok()); }

bool names_an_option(const QString& text) {
  static const QRegularExpression option(QStringLiteral("(^|[^\\w-])--[a-z]"));
  return option.match(text).hasMatch();
}

}  // namespace

void MainWindowNoticesTest::a_refused_file_is_reported_over_the_page() {
  Studio studio;
  QVERIFY(studio.open());
  QFile bad(studio.folder.filePath("bad.json"));
  QVERIFY(bad.open(QIODevice::WriteOnly));
  bad.write("{\"nodes\": 3");
  bad.close();
  const Notice& banner = studio.window.notices().error();
  studio.drop(bad.fileName());
  QTRY_VERIFY(banner.isVisible());  // on the welcome page
  QVERIFY(banner.text().contains("bad.json"));
  QVERIFY(banner.parentWidget()->rect().contains(banner.geometry()));
  test::keep_picture(studio.window, "refused_on_welcome");
  QVERIFY(studio.press("Close this error"));
  QVERIFY(!banner.isVisible());
  QVERIFY(studio.open_example());
  studio.drop(studio.folder.filePath("no_such_scan.h5"));
  QTRY_VERIFY(banner.isVisible());  // over the images
  QVERIFY(banner.text().contains("no_such_scan.h5"));
  for (const QString& theme : Theme::names()) {
    Theme::instance().set(theme);
    test::keep_picture(studio.window, "refused_" + theme);
  }
  Theme::instance().set("dark");
  studio.window.files().open_template("example");
  QVERIFY(!banner.isVisible());  // something else was opened
}

void MainWindowNoticesTest::not_replacing_is_not_an_error() {
  Studio studio;
  QVERIFY(studio.open_example());
  studio.make_small(30, 4, 64);
  QTest::keyClick(&studio.window, Qt::Key_F5);
  QTRY_VERIFY_WITH_TIMEOUT(studio.has_message("Done in"), patience_ms);
  studio.window.messages().clear();
  {
    const Answers no({"Cancel"});
    QTest::keyClick(&studio.window, Qt::Key_F5);
    QTRY_VERIFY_WITH_TIMEOUT(studio.has_message("was not replaced"), patience_ms);
    QCOMPARE(no.words.size(), 1);
  }
  test::handle_queued_events();
  QCOMPARE(studio.window.messages().count(LogLevel::error), 0);
  QVERIFY(!studio.window.notices().error().isVisible());
  for (const auto& [id, node] : studio.document.graph().nodes)
    QVERIFY(studio.session.status(QString::fromStdString(id)).state != live::State::failed);
  forget_changes(studio);
}

void MainWindowNoticesTest::a_failed_save_is_reported_and_can_be_repaired() {
  Studio studio;
  QVERIFY(studio.open_example());
  QDir(studio.folder.path()).mkdir("gone");
  QVERIFY(studio.document.save(studio.folder.filePath("gone/a.json")).ok());
  QVERIFY(QDir(studio.folder.filePath("gone")).removeRecursively());
  studio.document.edit("Title", [](Graph& g) { g.title = "precious"; });
  QTest::keyClick(&studio.window, Qt::Key_S, Qt::ControlModifier);
  const Notice& banner = studio.window.notices().error();
  QVERIFY(banner.isVisible());
  QVERIFY2(banner.text().contains("a.json was not saved"), qPrintable(banner.text()));
  Answers elsewhere({});
  elsewhere.file = studio.folder.filePath("elsewhere.json");
  QVERIFY(press_in(banner, "Save as…"));
  QVERIFY(!banner.isVisible());
  QVERIFY(!studio.document.is_modified());
  QCOMPARE(studio.document.path(), elsewhere.file);
}

void MainWindowNoticesTest::quitting_says_that_the_save_failed() {
  Studio studio;
  QVERIFY(studio.open_example());
  QDir(studio.folder.path()).mkdir("gone");
  QVERIFY(studio.document.save(studio.folder.filePath("gone/a.json")).ok());
  QVERIFY(QDir(studio.folder.filePath("gone")).removeRecursively());
  studio.document.edit("Title", [](Graph& g) { g.title = "precious"; });
  {
    const Answers stay({"Save", "Cancel"});
    studio.window.close();
    QVERIFY(studio.window.isVisible());
    QCOMPARE(stay.words.size(), 2);
    QVERIFY2(stay.words[1].contains("a.json could not be saved"), qPrintable(stay.words[1]));
  }
  QVERIFY(studio.document.is_modified());
  Answers elsewhere({"Save", "Save as…"});
  elsewhere.file = studio.folder.filePath("elsewhere.json");
  QVERIFY(studio.window.close());
  Document saved;
  QVERIFY(saved.open(elsewhere.file).ok());
  QCOMPARE(saved.graph().title, std::string("precious"));
  QVERIFY(!studio.document.is_modified());
}

void MainWindowNoticesTest::a_failed_run_leads_to_the_parameter() {
  Studio studio;
  QVERIFY(studio.open_example());
  studio.document.edit("No name", [](Graph& g) {
    for (auto& [id, node] : g.nodes)
      if (node.type == "output.save_volume") node.params["file"] = std::string();
  });
  studio.selection.set_one("simulate");
  QTest::keyClick(&studio.window, Qt::Key_F5);
  const Notice& banner = studio.window.notices().error();
  QTRY_VERIFY_WITH_TIMEOUT(banner.isVisible(), patience_ms);
  test::keep_picture(studio.window, "failed_run");
  QVERIFY2(press_in(banner, "Go to Save volume"), qPrintable(banner.text()));
  QVERIFY(!banner.isVisible());
  const auto& nodes = studio.document.graph().nodes;
  QCOMPARE(nodes.at(studio.selection.current().toStdString()).type, std::string("output.save_volume"));
  forget_changes(studio);
}

void MainWindowNoticesTest::the_end_of_a_run_leads_to_its_files() {
  Studio studio;
  QVERIFY(studio.open_example());
  studio.make_small(30, 4, 64);
  QTest::keyClick(&studio.window, Qt::Key_F5);
  const Notice& note = studio.window.notices().done();
  QTRY_VERIFY_WITH_TIMEOUT(note.isVisible(), patience_ms);
  QVERIFY2(note.text().contains("example.tif"), qPrintable(note.text()));
  for (const QString& theme : Theme::names()) {
    Theme::instance().set(theme);
    test::keep_picture(studio.window, "end_of_run_" + theme);
  }
  Theme::instance().set("dark");
  const Opener opener;
  QVERIFY(press_in(note, "Show folder"));
  QVERIFY(!note.isVisible());
  QCOMPARE(opener.opened, QStringList{studio.folder.path()});
  forget_changes(studio);
}

// In no workspace and at no size: it lies below views, canvas and docks, which make room.
void MainWindowNoticesTest::the_end_of_a_run_covers_nothing() {
  Studio studio;
  QVERIFY(studio.open_example());
  studio.make_small(30, 4, 64);
  QTest::keyClick(&studio.window, Qt::Key_F5);
  const Notice& note = studio.window.notices().done();
  QTRY_VERIFY_WITH_TIMEOUT(note.isVisible(), patience_ms);
  // It stays while the mouse is over it.
  QEnterEvent enter{QPointF(), QPointF(), QPointF()};
  QCoreApplication::sendEvent(studio.window.findChild<Notices*>()->end_of_run(), &enter);
  const auto in_window = [&](const QWidget& widget) {
    return QRect(widget.mapTo(&studio.window, QPoint()), widget.size());
  };
  auto* views = studio.window.findChild<ViewsArea*>();
  for (const QSize& size : {QSize(1440, 900), QSize(1000, 700)}) {
    studio.window.resize(size);
    for (const Workspace workspace : all_workspaces) {
      studio.window.workspaces().show(workspace);
      test::handle_queued_events();
      QVERIFY(note.isVisible());
      QVERIFY(studio.window.rect().contains(in_window(note)));
      QVERIFY(!in_window(note).intersects(in_window(*views)));
      QVERIFY(!in_window(note).intersects(in_window(studio.window.inspector())));
      if (!studio.window.canvas().isVisible()) continue;
      QVERIFY(!in_window(note).intersects(in_window(studio.window.canvas())));
    }
    studio.window.workspaces().show(Workspace::weave);
    test::keep_picture(studio.window, QStringLiteral("end_of_run_%1").arg(size.width()));
  }
  const int high = studio.window.canvas().height();
  QVERIFY(studio.press("Close this note"));
  QTRY_VERIFY(studio.window.canvas().height() > high);
  forget_changes(studio);
}

void MainWindowNoticesTest::an_unsaved_pipeline_is_offered_on_the_welcome_page() {
  const QTemporaryDir home;
  const QByteArray home_before = qgetenv("HOME");
  qputenv("HOME", home.path().toLocal8Bit());
  const QString left = QStandardPaths::writableLocation(QStandardPaths::GenericDataLocation) + "/tomoloom/unsaved.json";
  QVERIFY(left.startsWith(home.path()));
  QDir().mkpath(QFileInfo(left).absolutePath());
  Document made;
  made.edit("Title", [](Graph& g) { g.title = "precious"; });
  QVERIFY(made.save(left).ok());
  {
    Studio studio;
    QVERIFY(studio.open());
    QCOMPARE(QApplication::activeModalWidget(), static_cast<QWidget*>(nullptr));
    test::keep_picture(studio.window, "recovery");
    QVERIFY(studio.press("Recover"));
    QCOMPARE(studio.document.graph().title, std::string("precious"));
    QVERIFY(studio.document.is_modified());
    studio.window.show_welcome();
    QVERIFY(!studio.press("Recover"));  // the offer is gone
    studio.document.reset({});
  }
  QVERIFY(made.save(left).ok());
  {
    Studio studio;
    QVERIFY(studio.open());
    QVERIFY(studio.press("Discard"));
    QVERIFY(!studio.press("Recover"));
  }
  {
    Studio studio;
    QVERIFY(studio.open());
    QVERIFY(!studio.press("Recover"));
  }
  qputenv("HOME", home_before);
}

void MainWindowNoticesTest::no_message_names_an_option() {
  Studio studio;
  QVERIFY(studio.open_example());
  studio.make_small(30, 4, 64);
  QTest::keyClick(&studio.window, Qt::Key_F5);
  QTRY_VERIFY_WITH_TIMEOUT(studio.has_message("Done in"), patience_ms);
  // The output exists: refused without a question where only this node runs.
  std::string save;
  for (const auto& [id, node] : studio.document.graph().nodes)
    if (node.type == "output.save_volume") save = id;
  studio.session.run_to({QString::fromStdString(save)});
  QTRY_VERIFY_WITH_TIMEOUT(studio.has_message("exists already") || studio.has_message("was not replaced"), patience_ms);
  // A load node without a file.
  studio.document.edit("Load", [](Graph& g) { g.nodes["load"] = {"input.load_scan", 1, {}}; });
  const auto hint = [&] { return studio.window.canvas().scene().node("load")->card().hint; };
  QTRY_VERIFY(!hint().isEmpty());
  QVERIFY2(!names_an_option(hint()), qPrintable(hint()));
  const MessageModel& all = studio.window.messages();
  for (int row = 0; row < all.rowCount(); ++row)
    QVERIFY2(!names_an_option(all.at(row).text), qPrintable(all.at(row).text));
  forget_changes(studio);
}

void MainWindowNoticesTest::the_status_line_says_what_was_found() {
  Studio studio;
  QVERIFY(studio.open_example());
  studio.window.messages().clear();
  studio.window.messages().add(LogLevel::info, "axis",
                               "Axis -23.67 ± 0.02 px, resolved. Least energy outside the Fourier wedge.");
  bool shown = false;
  for (const QLabel* label : studio.window.findChild<StatusLine*>()->findChildren<QLabel*>()) {
    QVERIFY(!label->text().contains("Least energy"));
    shown = shown || label->text() == "Axis −23.67 ± 0.02 px, resolved";
  }
  QVERIFY(shown);
}

// Every image of a plane that is turned may say the same; errors are each counted.
void MainWindowNoticesTest::repeated_messages_are_one_line() {
  MessageModel messages;
  for (int i = 0; i < 3; ++i) messages.add(LogLevel::info, "network", "turned planes are cut");
  QCOMPARE(messages.rowCount(), 1);
  messages.add(LogLevel::info, "axis", "turned planes are cut");
  for (int i = 0; i < 2; ++i) messages.add(LogLevel::error, "axis", "no axis");
  QCOMPARE(messages.rowCount(), 4);
  // What was said before comes to the end instead of a second time.
  messages.add(LogLevel::info, "network", "turned planes are cut");
  QCOMPARE(messages.rowCount(), 4);
  QCOMPARE(messages.last()->node, QString("network"));
}

// Nodes are called as their cards are, messages of an earlier pipeline are not shown, and the newest is in sight.
void MainWindowNoticesTest::messages_are_of_this_pipeline_and_name_cards() {
  Studio studio;
  QVERIFY(studio.open_example());
  MessageModel& messages = studio.window.messages();
  messages.add(LogLevel::warning, {}, "of the pipeline before");
  studio.document.reset(studio.document.graph());
  auto* panel = studio.window.findChild<MessagePanel*>();
  auto* list = panel->findChild<QListView*>();
  panel->open();
  const auto shown = [&] {
    QStringList lines;
    for (int row = 0; row < messages.rowCount(); ++row)
      if (!list->isRowHidden(row)) lines << messages.index(row).data().toString();
    return lines.join('\n');
  };
  QVERIFY(!shown().contains("of the pipeline before"));
  messages.add(LogLevel::info, "simulate", "a message of a card");
  QVERIFY2(shown().contains("Simulate scan: a message of a card"), qPrintable(shown()));
  QVERIFY(QRegularExpression("^\\d\\d:\\d\\d:\\d\\d  ")
              .match(messages.index(messages.rowCount() - 1).data().toString())
              .hasMatch());
  for (int i = 0; i < 60; ++i) messages.add(LogLevel::info, "simulate", QString("message %1").arg(i));
  QTRY_VERIFY(panel->rect().intersects(
      QRect(list->visualRect(messages.index(messages.rowCount() - 1)).topLeft(), QSize(1, 1))));
  test::keep_picture(studio.window, "messages");
}

TL_TEST_CASE(MainWindowNoticesTest)

}  // namespace tl::ui::main_window_notices_test

#include "main_window_notices.moc"
