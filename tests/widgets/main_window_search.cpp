// Finding things in the window: actions and nodes by words, pages of the help; and fields that the wheel passes over.
#include <QComboBox>
#include <QLineEdit>
#include <QListWidget>
#include <QSpinBox>
#include <QTextBrowser>
#include <QTreeWidget>
#include <QWheelEvent>

#include "tests/support/gui/studio.h"
#include "tests/support/test_case.h"
#include "widgets/canvas/canvas.h"
#include "widgets/canvas/outline/outline_view.h"
#include "widgets/theme/theme.h"
#include "widgets/window/action_search.h"
#include "widgets/window/help/help_window.h"
#include "widgets/window/preferences.h"
#include "widgets/window/workspaces.h"

namespace tl::ui::main_window_search_test {

using test::Studio;

class MainWindowSearchTest final : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void initTestCase() { Theme::instance().set(QStringLiteral("dark")); }
  void actions_are_found_by_a_few_letters();
  void docks_and_actions_of_the_canvas_are_found();
  void words_lead_to_actions_and_nodes();
  void help_is_searched();
  void the_wheel_changes_no_value();
};

void MainWindowSearchTest::actions_are_found_by_a_few_letters() {
  Studio studio;
  QVERIFY(studio.open_example());
  QTest::keyClick(&studio.window, Qt::Key_K, Qt::ControlModifier);
  auto* search = studio.window.findChild<ActionSearch*>();
  QTRY_VERIFY(search->isVisible());
  auto* line = search->findChild<QLineEdit*>();
  QTest::keyClicks(line, "light th");
  auto* list = search->findChild<QTreeWidget*>();
  QCOMPARE(list->currentItem()->text(0), QString("Light theme"));
  QTest::keyClick(line, Qt::Key_Return);
  QVERIFY(!search->isVisible());
  QCOMPARE(Theme::instance().name(), QString("light"));
  Theme::instance().set("dark");

  search->open();
  QTest::keyClicks(line, "run all");
  QCOMPARE(list->currentItem()->text(1), QString("F5"));
  QTest::keyClick(line, Qt::Key_Escape);
  QVERIFY(!search->isVisible());
}

// Docks and the actions of canvas and outline are found too, also by other words.
void MainWindowSearchTest::docks_and_actions_of_the_canvas_are_found() {
  Studio studio;
  QVERIFY(studio.open_example());
  auto* search = studio.window.findChild<ActionSearch*>();
  auto* line = search->findChild<QLineEdit*>();
  auto* list = search->findChild<QTreeWidget*>();
  const auto found = [&](const QString& words) {
    search->open();
    line->setText(words);
    QStringList names;
    for (int i = 0; i < list->topLevelItemCount(); ++i) names << list->topLevelItem(i)->text(0);
    return names;
  };
  QVERIFY(found("link").contains("Connect to…"));
  QVERIFY(found("fit").contains("Fit all"));
  for (const QAction* action : studio.window.canvas().graph_actions().all())
    QVERIFY2(found(action->text()).contains(action->text()), qPrintable(action->text()));
  QCOMPARE(found("outline").value(0), QString("Go to the outline"));
  QTest::keyClick(line, Qt::Key_Return);
  QTRY_VERIFY(studio.window.findChild<OutlineView*>()->hasFocus());
  // Where a dock is hidden, the workspace that has it is shown.
  studio.window.workspaces().show(Workspace::learn);
  QVERIFY(!studio.window.canvas().isVisible());
  QCOMPARE(found("go to the canvas").value(0), QString("Go to the canvas"));
  QTest::keyClick(line, Qt::Key_Return);
  QTRY_VERIFY(studio.window.canvas().view().hasFocus());
  QCOMPARE(studio.window.workspaces().current(), Workspace::weave);
}

void MainWindowSearchTest::words_lead_to_actions_and_nodes() {
  Studio studio;
  QVERIFY(studio.open_example());
  auto* search = studio.window.findChild<ActionSearch*>();
  auto* line = search->findChild<QLineEdit*>();
  auto* list = search->findChild<QTreeWidget*>();
  const auto first = [&](const QString& words) {
    search->open();
    line->setText(words);
    return list->topLevelItem(0)->text(0);
  };
  QCOMPARE(first("sweep"), QString("Sweep parameters"));
  QCOMPARE(first("language"), QString("Preferences…"));
  QCOMPARE(first("mesh"), QString("Export…"));
  QVERIFY2(first("contrast").contains("theme") || first("contrast").contains("histogram"),
           qPrintable(first("contrast")));
  // Letters that are only scattered over a name do not match.
  QVERIFY2(first("slrum x").startsWith("No action or node matches"), qPrintable(first("slrum x")));
  QVERIFY(list->currentItem() == nullptr || !list->currentItem()->flags().testFlag(Qt::ItemIsSelectable));
  QTest::keyClick(line, Qt::Key_Return);
  // A node is added like from the palette, as one step.
  const std::size_t before = studio.document.graph().nodes.size();
  QVERIFY2(first("watershed").contains("watershed", Qt::CaseInsensitive), qPrintable(first("watershed")));
  QTest::keyClick(line, Qt::Key_Return);
  QTRY_COMPARE(studio.document.graph().nodes.size(), before + 1);
  studio.document.undo_stack().undo();
  QCOMPARE(studio.document.graph().nodes.size(), before);
}

void MainWindowSearchTest::help_is_searched() {
  Studio studio;
  QVERIFY(studio.open());
  QTest::keyClick(&studio.window, Qt::Key_F1);
  auto* help = studio.window.findChild<HelpWindow*>();
  QVERIFY(help != nullptr);
  ListedPages* guide = nullptr;
  for (auto* pages : help->findChildren<ListedPages*>())
    if (pages->isVisible()) guide = pages;
  QVERIFY(guide != nullptr);
  auto* list = guide->findChild<QListWidget*>();
  auto* words = guide->findChild<QLineEdit*>();
  const int all = list->count();
  const auto shown = [&] {
    int n = 0;
    for (int i = 0; i < all; ++i) n += list->item(i)->isHidden() ? 0 : 1;
    return n;
  };
  QTest::keyClicks(words, "slurm");
  QVERIFY(shown() >= 1 && shown() < all);
  QVERIFY(guide->findChild<QTextBrowser*>()->toPlainText().contains("slurm", Qt::CaseInsensitive));
  QCOMPARE(guide->findChild<QTextBrowser*>()->textCursor().selectedText().toLower(), QString("slurm"));
  test::keep_picture(*help, "help-search");
  words->setText("qqzzqq");
  QCOMPARE(shown(), 0);
  words->clear();
  QCOMPARE(shown(), all);
}

void MainWindowSearchTest::the_wheel_changes_no_value() {
  Studio studio;
  QVERIFY(studio.open());
  QTest::keyClick(&studio.window, Qt::Key_Comma, Qt::ControlModifier);
  auto* preferences = studio.window.findChild<Preferences*>();
  QVERIFY(preferences != nullptr && preferences->isVisible());
  int turned = 0;
  const auto turn = [&](QWidget& field) {
    const QPointF at = field.rect().center();
    QWheelEvent event(at, field.mapToGlobal(at), {}, {0, 240}, Qt::NoButton, Qt::NoModifier, Qt::NoScrollPhase, false);
    QCoreApplication::sendEvent(&field, &event);
    ++turned;
  };
  for (auto* box : preferences->findChildren<QSpinBox*>()) {
    const int before = box->value();
    turn(*box);
    QCOMPARE(box->value(), before);
  }
  for (auto* box : preferences->findChildren<QComboBox*>()) {
    const int before = box->currentIndex();
    turn(*box);
    QCOMPARE(box->currentIndex(), before);
  }
  QVERIFY(turned >= 4);
}

TL_TEST_CASE(MainWindowSearchTest)

}  // namespace tl::ui::main_window_search_test

#include "main_window_search.moc"
