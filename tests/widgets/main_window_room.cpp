// MainWindow: room and looks: tabs that stay put, docks that fold with one key, a slice in a small window, dark
// surrounds, our own icons; help and preferences.
#include <QComboBox>
#include <QDialogButtonBox>
#include <QLabel>
#include <QListWidget>
#include <QPushButton>
#include <QSpinBox>
#include <QTextBrowser>

#include "tests/support/gui/studio.h"
#include "tests/support/test_case.h"
#include "widgets/canvas/canvas.h"
#include "widgets/inspector/inspector.h"
#include "widgets/theme/theme.h"
#include "widgets/views/panes/before_pane.h"
#include "widgets/views/views_area.h"
#include "widgets/views/volume/volume_pane.h"
#include "widgets/window/dock_folds.h"
#include "widgets/window/files/data_tree.h"
#include "widgets/window/forecast_card.h"
#include "widgets/window/header_bar.h"
#include "widgets/window/help/about_dialog.h"
#include "widgets/window/help/help_window.h"
#include "widgets/window/preferences.h"

namespace tl::ui::main_window_room_test {

using test::patience_ms;
using test::Studio;

class MainWindowRoomTest final : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void initTestCase() { Theme::instance().set(QStringLiteral("dark")); }
  void tabs_stay_where_they_are();
  void the_tab_of_the_workspace_is_underlined();
  void docks_fold_with_one_key_each();
  void a_small_window_leaves_half_its_width_to_a_slice();
  void no_text_is_cut();
  void images_have_a_dark_surround();
  void dialogs_have_our_icons();
  void chips_open_what_they_name();
  void preferences_are_applied_and_remembered();
  void help_has_guide_shortcuts_and_nodes();
  void images_of_the_window();
  void the_canvas_is_fitted_with_the_workspace();
};

namespace {

QList<QToolButton*> tabs_of(const MainWindow& window) {
  QList<QToolButton*> tabs;
  for (QToolButton* b : window.findChild<HeaderBar*>()->findChildren<QToolButton*>())
    if (b->property("role") == "tab") tabs << b;
  return tabs;
}

QAction* action_named(const MainWindow& window, const QString& name) {
  for (QAction* action : window.actions())
    if (action->text().remove('&') == name) return action;
  return nullptr;
}

bool forecast_has_come(Studio& studio) {
  return studio.session.forecast().known && studio.session.forecast().seconds >= 0;
}

}  // namespace

void MainWindowRoomTest::tabs_stay_where_they_are() {
  for (const int width : {1000, 1440, 1680}) {
    Studio studio;
    studio.window.resize(width, 800);
    QVERIFY(studio.open_example());
    studio.window.resize(width, 800);
    test::handle_queued_events();
    const auto places = [&] {
      QList<int> all;
      for (const QToolButton* tab : tabs_of(studio.window)) all << tab->mapTo(&studio.window, QPoint()).x();
      return all;
    };
    const QList<int> before = places();
    QCOMPARE(before.size(), static_cast<qsizetype>(std::size(all_workspaces)));
    QTRY_VERIFY_WITH_TIMEOUT(forecast_has_come(studio), patience_ms);  // its chip appears
    QCOMPARE(places(), before);
    QVERIFY(studio.document.save(studio.folder.filePath("a pipeline with a name that is rather long for a title.json"))
                .ok());
    QCOMPARE(places(), before);
    // Nothing lies on anything else, and the forecast is shown at every width.
    QToolButton* chip = nullptr;
    for (QToolButton* b : studio.window.findChildren<QToolButton*>())
      if (b->accessibleName() == "Time and memory of a whole run") chip = b;
    QVERIFY(chip != nullptr && chip->isVisible());
    const auto* header = studio.window.findChild<HeaderBar*>();
    QRect last;
    for (const QWidget* w : header->findChildren<QWidget*>(QString(), Qt::FindDirectChildrenOnly)) {
      QVERIFY(header->rect().contains(w->geometry()));
      QVERIFY(!last.intersects(w->geometry()));
      last = w->geometry();
    }
  }
}

void MainWindowRoomTest::the_tab_of_the_workspace_is_underlined() {
  Studio studio;
  QVERIFY(studio.open_example());
  for (const QString& theme : Theme::names()) {
    Theme::instance().set(theme);
    for (QToolButton* tab : tabs_of(studio.window)) {
      const QImage picture = tab->grab().toImage();
      const QColor line = picture.pixelColor(picture.width() / 2, picture.height() - 1);
      QCOMPARE(line == Theme::instance().color(Token::accent), tab->isChecked());
    }
  }
  Theme::instance().set("dark");
}

void MainWindowRoomTest::docks_fold_with_one_key_each() {
  Studio studio;
  QVERIFY(studio.open_example());
  studio.window.findChild<ViewsArea*>()->cell(0).pane()->setFocus();
  const auto press = [&](Qt::Key key) { QTest::keyClick(&studio.window, key); };
  const QWidget& left = *studio.window.findChild<DataTree*>();
  const QWidget& right = studio.window.inspector();
  const QWidget& canvas = studio.window.canvas();
  for (const auto& [key, dock, name] :
       {std::tuple(Qt::Key_F7, &left, "Left dock"), std::tuple(Qt::Key_F8, &right, "Right dock"),
        std::tuple(Qt::Key_F9, &canvas, "Canvas")}) {
    QAction* action = action_named(studio.window, name);
    QVERIFY(action != nullptr);
    QVERIFY(dock->isVisible() && action->isChecked());
    press(key);
    QVERIFY(!dock->isVisible() && !action->isChecked());
    // The next start finds it folded.
    const Settings next(studio.folder.filePath("studio.ini"));
    QVERIFY(!next.is_dock_shown(QString(name).section(' ', 0, 0).toLower()));
    press(key);
    QVERIFY(dock->isVisible() && action->isChecked());
  }
  // Also when another workspace is shown meanwhile.
  press(Qt::Key_F9);
  QTest::keyClick(&studio.window, Qt::Key_1, Qt::ControlModifier);
  QVERIFY(!canvas.isVisible());
  action_named(studio.window, "Reset the workspaces")->trigger();
  QVERIFY(canvas.isVisible());
}

void MainWindowRoomTest::a_small_window_leaves_half_its_width_to_a_slice() {
  Studio studio;
  studio.window.resize(1000, 700);
  QVERIFY(studio.open_example());
  studio.window.resize(1000, 700);
  for (const Workspace workspace : {Workspace::weave, Workspace::see}) {
    studio.window.workspaces().show(workspace);
    auto* views = studio.window.findChild<ViewsArea*>();
    QTRY_VERIFY(views->cell(0).pane()->isVisible());
    QTRY_VERIFY2(2 * views->cell(0).pane()->width() >= studio.window.width(),
                 qPrintable(QString::number(views->cell(0).pane()->width())));
  }
  // The left dock is hidden, and comes back on request.
  const auto* left = studio.window.findChild<DataTree*>();
  QVERIFY(!left->isVisible());
  QTest::keyClick(&studio.window, Qt::Key_F7);
  QVERIFY(left->isVisible());
  QTest::keyClick(&studio.window, Qt::Key_F7);
  studio.window.resize(1440, 900);
  QTRY_VERIFY(left->isVisible());
}

// In every workspace, at every size, buttons have room for their texts and labels for their words.
void MainWindowRoomTest::no_text_is_cut() {
  Studio studio;
  QVERIFY(studio.open_example());
  for (const QSize size : {QSize(1000, 700), QSize(1680, 1050)})
    for (const Workspace workspace : all_workspaces) {
      studio.window.resize(size);
      studio.window.workspaces().show(workspace);
      test::handle_queued_events();
      const auto where = [&](const QString& text) {
        return QStringLiteral("%1 at %2: %3").arg(workspace_name(workspace)).arg(size.width()).arg(text);
      };
      for (const QAbstractButton* b : studio.window.findChildren<QAbstractButton*>())
        if (b->isVisible() && !b->text().isEmpty())
          QVERIFY2(b->width() >= b->minimumSizeHint().width(), qPrintable(where(QStringLiteral("%1, %2 of %3 px in %4")
                                                                                    .arg(b->text())
                                                                                    .arg(b->width())
                                                                                    .arg(b->minimumSizeHint().width())
                                                                                    .arg(b->parentWidget()->width()))));
      for (const QLabel* l : studio.window.findChildren<QLabel*>()) {
        if (!l->isVisible() || l->wordWrap() || l->text().contains('<')) continue;
        // Words that have just come get their room with the next event.
        if (QLayout* layout = l->parentWidget()->layout()) layout->activate();
        const int wide = l->fontMetrics().horizontalAdvance(l->text());
        QVERIFY2(l->contentsRect().width() >= wide, qPrintable(where(l->text())));
      }
    }
}

void MainWindowRoomTest::images_have_a_dark_surround() {
  Studio studio;
  QVERIFY(studio.open_example());
  auto* views = studio.window.findChild<ViewsArea*>();
  for (const QString& theme : Theme::names()) {
    Theme::instance().set(theme);
    const QImage picture = views->cell(0).pane()->grab().toImage();
    QVERIFY2(picture.pixelColor(3, picture.height() / 2).lightness() < 48, qPrintable(theme));
  }
  Theme::instance().set("dark");
}

void MainWindowRoomTest::dialogs_have_our_icons() {
  Studio studio;
  QVERIFY(studio.open());
  QDialogButtonBox buttons(QDialogButtonBox::Save | QDialogButtonBox::Cancel | QDialogButtonBox::Discard);
  for (const QAbstractButton* b : buttons.buttons()) QVERIFY2(b->icon().isNull(), qPrintable(b->text()));
  // Drawn in colours of the theme: each pixel of the icon is that colour or transparent.
  const QImage icon = QApplication::style()->standardIcon(QStyle::SP_MessageBoxWarning).pixmap(32, 32).toImage();
  QVERIFY(!icon.isNull());
  const QColor color = Theme::instance().color(Token::warning);
  for (int y = 0; y < icon.height(); ++y)
    for (int x = 0; x < icon.width(); ++x) {
      const QColor pixel = icon.pixelColor(x, y);
      if (pixel.alpha() == 255) QVERIFY(std::abs(pixel.hue() - color.hue()) <= 3);
    }
}

void MainWindowRoomTest::chips_open_what_they_name() {
  Studio studio;
  studio.window.resize(1680, 1020);
  QVERIFY(studio.open_example());
  studio.window.resize(1680, 1020);
  QTRY_VERIFY_WITH_TIMEOUT(forecast_has_come(studio), patience_ms);
  QVERIFY(studio.press("Time and memory of a whole run"));
  auto* card = studio.window.findChild<ForecastCard*>();
  QVERIFY(card != nullptr && card->isVisible());
  QString words;
  for (const QLabel* label : card->findChildren<QLabel*>()) words += label->text() + '\n';
  QVERIFY2(words.contains("Memory") && words.contains("Time") && words.contains("Save volume"), qPrintable(words));
  test::keep_picture(*card, "forecast_card", 50);
  card->close();
  QVERIFY(studio.press("Computing device"));
  const auto* preferences = studio.window.findChild<Preferences*>();
  QVERIFY(preferences != nullptr && preferences->isVisible());
}

void MainWindowRoomTest::preferences_are_applied_and_remembered() {
  Studio studio;
  QVERIFY(studio.open());
  action_named(studio.window, "Preferences…")->trigger();
  auto* dialog = studio.window.findChild<Preferences*>();
  QVERIFY(dialog != nullptr);
  QVERIFY(QTest::qWaitForWindowExposed(dialog, patience_ms));
  const auto restart_is_asked = [&] {
    for (const QLabel* label : dialog->findChildren<QLabel*>())
      if (label->isVisible() && label->text().contains("next start")) return true;
    return false;
  };
  for (const QString& theme : Theme::names()) {
    Theme::instance().set(theme);
    test::keep_picture(*dialog, "preferences_" + theme, 50);
  }
  Theme::instance().set("dark");
  QVERIFY(!restart_is_asked());
  // The theme changes at once.
  auto* theme = dialog->findChild<QComboBox*>();
  theme->setFocus();
  QTest::keyClick(theme, Qt::Key_Down);
  QCOMPARE(Theme::instance().name(), QString("light"));
  QCOMPARE(studio.settings.theme(), QString("light"));
  QVERIFY(!restart_is_asked());
  Theme::instance().set("dark");
  for (QSpinBox* box : dialog->findChildren<QSpinBox*>()) {
    box->setFocus();
    box->selectAll();
    QTest::keyClicks(box, box->accessibleName() == "Memory" ? "8" : "2");
  }
  for (QLineEdit* line : dialog->findChildren<QLineEdit*>()) {
    if (line->accessibleName() != "Results") continue;
    line->setFocus();
    QTest::keyClicks(line, studio.folder.path());
    QTest::keyClick(line, Qt::Key_Tab);
  }
  QVERIFY(restart_is_asked());
  const Settings next(studio.folder.filePath("studio.ini"));
  const Settings::Computing computing = next.computing();
  QCOMPARE(computing.threads, 2);
  QCOMPARE(computing.memory_gb, 8);
  QCOMPARE(computing.cache_gb, 2);
  QCOMPARE(computing.results, studio.folder.path());
}

void MainWindowRoomTest::help_has_guide_shortcuts_and_nodes() {
  Studio studio;
  QVERIFY(studio.open());
  QTest::keyClick(&studio.window, Qt::Key_F1);
  auto* help = studio.window.findChild<HelpWindow*>();
  QVERIFY(help != nullptr && help->isVisible());
  const auto text = [&] {
    for (const QTextBrowser* page : help->findChildren<QTextBrowser*>())
      if (page->isVisible()) return page->toPlainText();
    return QString();
  };
  QListWidget* chapters = nullptr;
  for (auto* list : help->findChildren<QListWidget*>())
    if (list->accessibleName() == "Contents of Guide") chapters = list;
  QVERIFY(chapters != nullptr && chapters->count() > 20);
  for (int i = 0; i < chapters->count(); ++i) {
    chapters->setCurrentRow(i);
    QVERIFY2(text().startsWith(chapters->item(i)->text()), qPrintable(chapters->item(i)->text()));
  }
  chapters->setCurrentRow(1);
  QVERIFY(text().contains("From a scan to a volume"));
  test::keep_picture(*help, "help_guide");
  action_named(studio.window, "Shortcuts")->trigger();
  QVERIFY(text().contains("Left dock") && text().contains("F7"));
  test::keep_picture(*help, "help_shortcuts");
  action_named(studio.window, "Node reference")->trigger();
  const auto* nodes = help->findChildren<QListWidget*>().constLast();
  QVERIFY(nodes->count() > 40);
  QVERIFY(text().contains(nodes->item(0)->text()));
  test::keep_picture(*help, "help_nodes");
  action_named(studio.window, "About Tomoloom")->trigger();
  auto* about = studio.window.findChild<AboutDialog*>();
  QVERIFY(about != nullptr && about->isVisible());
  test::keep_picture(*about, "about");
}

// For people to look at; nothing is tested.
void MainWindowRoomTest::images_of_the_window() {
  if (qEnvironmentVariableIsEmpty("TL_PICTURES")) QSKIP("TL_PICTURES names no folder");
  Studio studio;
  QVERIFY(studio.open_example());
  const int percent = qRound(100 * studio.window.devicePixelRatioF());
  for (const QSize size : {QSize(1000, 700), QSize(1680, 1050), QSize(2560, 1440)})
    for (const Workspace workspace : all_workspaces) {
      studio.window.resize(size);
      studio.window.workspaces().show(workspace);
      const auto are_sharp = [&] {
        const auto panes = studio.window.findChildren<ImagePane*>();
        const auto volumes = studio.window.findChildren<VolumePane*>();
        return std::all_of(panes.begin(), panes.end(),
                           [](const ImagePane* p) {
                             return !p->isVisible() || p->is_current() || qobject_cast<const BeforePane*>(p) != nullptr;
                           }) &&
               std::all_of(volumes.begin(), volumes.end(),
                           [](const VolumePane* p) { return !p->isVisible() || p->is_settled(); });
      };
      if (workspace != Workspace::compare) QTRY_VERIFY_WITH_TIMEOUT(are_sharp(), 3 * patience_ms);
      for (const QString& theme : Theme::names()) {
        Theme::instance().set(theme);
        const QString name = QStringLiteral("%1_%2_%3_%4").arg(workspace_name(workspace), theme);
        test::keep_picture(studio.window, name.arg(size.width()).arg(percent), 500);
      }
    }
  Theme::instance().set("dark");
  const double forecast = studio.session.forecast().seconds;
  QTest::keyClick(&studio.window, Qt::Key_F5);
  QTRY_VERIFY_WITH_TIMEOUT(studio.has_message("Done in"), patience_ms);
  qInfo("forecast %.1f s; %s", forecast, qPrintable(studio.window.messages().last()->text));
}

// Whatever was zoomed to by hand: another arrangement shows the pipeline again, and the card that is worked on.
void MainWindowRoomTest::the_canvas_is_fitted_with_the_workspace() {
  Studio studio;
  QVERIFY(studio.open_example());
  CanvasView& view = studio.window.canvas().view();
  for (const Workspace next : {Workspace::see, Workspace::weave}) {
    const QPointF at = view.viewport()->rect().center();
    for (int i = 0; i < 10; ++i) {
      QWheelEvent turn(at, view.viewport()->mapToGlobal(at), {}, {0, 120}, {}, {}, Qt::NoScrollPhase, false);
      QApplication::sendEvent(view.viewport(), &turn);
    }
    QVERIFY(view.transform().m11() > 1.5);
    studio.window.workspaces().show(next);
    QTRY_VERIFY(view.transform().m11() <= 1);
    const NodeItem* current = studio.window.canvas().scene().node(studio.selection.current());
    QTRY_VERIFY(current != nullptr && view.shown_area().intersects(current->scene_rect()));
  }
}

TL_TEST_CASE(MainWindowRoomTest)

}  // namespace tl::ui::main_window_room_test

#include "main_window_room.moc"
