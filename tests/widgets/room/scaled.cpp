// The window at 2560 x 1440, and at 1000 x 700 with a scale of 200 %: nothing is clipped, outside of its window or on
// top of something else, in every workspace, in guided mode, on the welcome page and in the dialogs. Each size is a
// process of its own (this program) on a screen of its own, because Qt reads the scale before it starts.
#include <QLabel>
#include <QProcess>
#include <QScrollArea>
#include <QStandardPaths>
#include <cstdio>

#include "tests/support/disc_scan.h"
#include "tests/support/gui/studio.h"
#include "tests/support/test_case.h"
#include "widgets/export/export_dialog.h"
#include "widgets/queue/queue_session.h"
#include "widgets/theme/theme.h"
#include "widgets/views/views_area.h"
#include "widgets/window/help/help_window.h"
#include "widgets/window/preferences.h"

namespace tl::ui::scaled_test {
namespace {

using test::patience_ms;
using test::Studio;

constexpr const char* size_variable = "TL_SCALED_WINDOW";
constexpr int tolerance = 1;  // px of a rounded position

QString text_of(const QWidget& widget) {
  if (const auto* button = qobject_cast<const QAbstractButton*>(&widget)) return button->text();
  if (const auto* label = qobject_cast<const QLabel*>(&widget)) return label->text();
  return {};
}

bool scrolls(const QWidget& widget, const QWidget& window) {
  for (const QWidget* w = &widget; w != &window && w != nullptr; w = w->parentWidget())
    if (qobject_cast<const QAbstractScrollArea*>(w->parentWidget()) != nullptr) return true;
  return false;
}

// Each in words.
QStringList faults_of(QWidget& window) {
  QStringList faults;
  QList<QWidget*> with_text;
  for (QWidget* w : window.findChildren<QWidget*>()) {
    if (!w->isVisible() || w->window() != &window) continue;
    const QString text = text_of(*w);
    const QRect place(w->mapTo(&window, QPoint()), w->size());
    if (!scrolls(*w, window) && !w->size().isEmpty() &&
        !window.rect().adjusted(-tolerance, -tolerance, tolerance, tolerance).contains(place))
      faults << QStringLiteral("outside: %1 \"%2\" at %3,%4 %5x%6")
                    .arg(QString::fromLatin1(w->metaObject()->className()), text)
                    .arg(place.x())
                    .arg(place.y())
                    .arg(place.width())
                    .arg(place.height());
    if (text.isEmpty()) continue;
    with_text << w;
    const auto* label = qobject_cast<const QLabel*>(w);
    if (label == nullptr && w->width() < w->minimumSizeHint().width())
      faults << QStringLiteral("cut: the button \"%1\" has %2 of %3 px")
                    .arg(text)
                    .arg(w->width())
                    .arg(w->minimumSizeHint().width());
    if (label != nullptr && !label->wordWrap() && !text.contains('<') &&
        label->contentsRect().width() < label->fontMetrics().horizontalAdvance(text))
      faults << QStringLiteral("cut: the words \"%1\"").arg(text);
    if (label != nullptr && label->wordWrap() && label->height() < label->heightForWidth(label->width()) - tolerance)
      faults << QStringLiteral("cut: lines of \"%1\"").arg(text);
  }
  for (qsizetype i = 0; i < with_text.size(); ++i)
    for (qsizetype k = i + 1; k < with_text.size(); ++k) {
      const QWidget *a = with_text[i], *b = with_text[k];
      if (a->parentWidget() != b->parentWidget() || a->parentWidget()->layout() == nullptr) continue;
      const QRect both = a->geometry() & b->geometry();
      if (both.width() > tolerance && both.height() > tolerance)
        faults << QStringLiteral("on top of each other: \"%1\" and \"%2\"").arg(text_of(*a), text_of(*b));
    }
  return faults;
}

// In the process of a size: says every fault on a line of its own, and at the end that it looked everywhere.
[[noreturn]] void walk(const QSize& size) {
  QCoreApplication::setAttribute(Qt::AA_DontUseNativeDialogs);
  const auto say = [](const QString& words) {
    std::printf("%s\n", qPrintable(words));
    std::fflush(stdout);
  };
  Studio studio;
  const int percent = qRound(100 * studio.window.devicePixelRatioF());
  studio.window.resize(size);
  if (!studio.open()) std::_Exit(1);
  const auto look = [&](QWidget& window, const QString& name) {
    test::handle_queued_events();
    QTest::qWait(150);
    for (const QString& fault : faults_of(window)) say("FAULT " + name + ": " + fault);
    test::keep_picture(window, QStringLiteral("scaled_%1_%2_%3").arg(name).arg(size.width()).arg(percent), 1500);
  };
  const auto resized = [&] {
    studio.window.resize(size);
    test::handle_queued_events();
    if (studio.window.size() != size)
      say(QStringLiteral("FAULT the window needs %1 x %2").arg(studio.window.width()).arg(studio.window.height()));
  };
  resized();
  look(studio.window, "welcome");
  studio.press("Try the example");
  resized();
  auto* views = studio.window.findChild<ViewsArea*>();
  (void)QTest::qWaitFor(
      [&] { return views->cell(0).image_pane() != nullptr && views->cell(0).image_pane()->is_current(); }, patience_ms);
  for (const Workspace workspace : all_workspaces) {
    studio.window.workspaces().show(workspace);
    resized();
    look(studio.window, workspace_name(workspace));
  }
  const QString scan = studio.folder.filePath("a scan with quite a long name.nx");
  test::write_disc_scan(scan.toStdString(), {60, 8, 64});
  studio.document.reset(test::disc_pipeline());
  studio.window.workspaces().show(Workspace::runs);
  studio.window.queue().add({scan, studio.folder.filePath("gone.nx")});
  QTest::qWait(1500);
  look(studio.window, "runs_with_rows");
  studio.window.workspaces().show(Workspace::weave);
  studio.press("Try the example");
  studio.window.set_mode(MainWindow::Mode::guided);
  resized();
  look(studio.window, "guided");
  studio.window.set_mode(MainWindow::Mode::free);
  const auto look_at_dialog = [&](QWidget* dialog, const QString& name) {
    if (dialog == nullptr) return say("FAULT no dialog: " + name);
    if (dialog->width() > size.width() || dialog->height() > size.height())
      say(QStringLiteral("FAULT %1 is %2 x %3").arg(name).arg(dialog->width()).arg(dialog->height()));
    look(*dialog, name);
    dialog->close();
    if (!test::open_window(studio.window)) say("FAULT the window has no keyboard after " + name);
  };
  QTest::keyClick(&studio.window, Qt::Key_E, Qt::ControlModifier);
  look_at_dialog(studio.window.findChild<ExportDialog*>(), "export");
  for (QAction* action : studio.window.actions())
    if (action->text().startsWith("Preferences")) action->trigger();
  look_at_dialog(studio.window.findChild<Preferences*>(), "preferences");
  QTest::keyClick(&studio.window, Qt::Key_F1);
  look_at_dialog(studio.window.findChild<HelpWindow*>(), "help");
  studio.document.undo_stack().setClean();
  say(QStringLiteral("LOOKED at %1 %").arg(percent));
  std::_Exit(0);
}

}  // namespace

class ScaledTest final : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void initTestCase() {
    Theme::instance().set(QStringLiteral("dark"));
    if (!qEnvironmentVariableIsSet(size_variable)) return;
    const QStringList size = qEnvironmentVariable(size_variable).split('x');
    walk({size.value(0).toInt(), size.value(1).toInt()});
  }

  void nothing_is_clipped_or_outside_data() {
    QTest::addColumn<QString>("size");
    QTest::addColumn<QString>("scale");
    QTest::newRow("large") << "2560x1440"
                           << "1";
    QTest::newRow("small at 200 %") << "1000x700"
                                    << "2";
    QTest::newRow("small") << "1000x700"
                           << "1";
  }

  void nothing_is_clipped_or_outside() {
    QFETCH(QString, size);
    QFETCH(QString, scale);
    const QString screen = QStandardPaths::findExecutable("xvfb-run");
    if (screen.isEmpty()) QSKIP("a screen of its own needs xvfb-run");
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    environment.insert(QString::fromLatin1(size_variable), size);
    environment.insert("QT_SCALE_FACTOR", scale);
    QProcess other;
    other.setProcessEnvironment(environment);
    other.setProcessChannelMode(QProcess::MergedChannels);
    other.start(screen, {"-a", "-s", "-screen 0 2560x1440x24", QCoreApplication::applicationFilePath(), "scaled"});
    QVERIFY(other.waitForStarted(patience_ms));
    QVERIFY(QTest::qWaitFor([&] { return other.state() == QProcess::NotRunning; }, 3 * patience_ms));
    const QString said = QString::fromUtf8(other.readAll());
    QStringList faults;
    for (const QString& line : said.split('\n'))
      if (line.startsWith("FAULT")) faults << line;
    QVERIFY2(said.contains("LOOKED at " + scale + "00 %"), qPrintable(said.right(2000)));
    QVERIFY2(faults.isEmpty(), qPrintable(faults.join('\n')));
  }
};

TL_TEST_CASE(ScaledTest)

}  // namespace tl::ui::scaled_test

#include "scaled.moc"
