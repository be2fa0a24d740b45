// MainWindow: a simulated user session: welcome page, example, keys, drops, search, workspaces, themes.
#include "widgets/window/main_window.h"

#include <QAbstractItemModelTester>
#include <QLineEdit>
#include <QSplitter>

#include "tests/support/gui/studio.h"
#include "tests/support/io/hdf5_maker.h"
#include "tests/support/test_case.h"
#include "widgets/canvas/canvas.h"
#include "widgets/canvas/outline/outline_view.h"
#include "widgets/history/history_page.h"
#include "widgets/inspector/inspector.h"
#include "widgets/inspector/node_form.h"
#include "widgets/session/switches.h"
#include "widgets/theme/theme.h"
#include "widgets/window/files/data_tree.h"
#include "widgets/window/message_panel.h"

namespace tl::ui::main_window_test {

using test::Studio;

class MainWindowTest final : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void initTestCase() { Theme::instance().set(QStringLiteral("dark")); }
  void the_example_is_one_click_away();
  void a_change_is_made_undone_and_redone_by_keyboard();
  void a_dropped_scan_becomes_a_pipeline_with_reasons();
  void a_pixel_size_without_a_unit_is_a_length();
  void a_dropped_pipeline_opens_and_is_remembered();
  void the_history_is_reached_from_the_welcome_page();
  void a_bad_file_is_reported_and_changes_nothing();
  void the_menu_button_is_released_with_its_menu();
  void a_key_means_one_thing();
  void workspaces_are_arrangements_that_are_remembered();
  void themes_are_switched_and_remembered();
  void images_on_the_cards_are_switched_off_and_remembered();
  void every_switch_has_an_action_and_is_remembered();
  void every_widget_with_focus_has_a_name();
  void models_are_sound();
};

namespace {

void write_scan(const QString& path, std::optional<double> pixel_size = {}) {
  test::Hdf5Maker file(path.toStdString());
  file.frames<uint16_t>("/exchange/data", 4, 3, 5, 100);
  file.frames<uint16_t>("/exchange/data_white", 2, 3, 5, 900);
  file.frames<uint16_t>("/exchange/data_dark", 2, 3, 5, 10);
  file.numbers<float>("/exchange/theta", {4}, {0, 45, 90, 135});
  if (pixel_size)
    file.numbers<double>("/measurement/instrument/detection_system/objective/resolution", {}, {*pixel_size});
}
QString make_scan(const QTemporaryDir& folder) {
  QString path = folder.filePath("scan.h5");
  write_scan(path);
  return path;
}

}  // namespace

void MainWindowTest::the_example_is_one_click_away() {
  Studio studio;
  QVERIFY(studio.open_example());
  QVERIFY(studio.document.problems().empty());
  QVERIFY(!studio.document.is_modified());
  QVERIFY(studio.window.inspector().isVisible());
  QVERIFY(studio.window.inspector().form() != nullptr);  // a node is chosen
  QTRY_VERIFY(studio.window.findChild<DataTree*>()->model()->rowCount() == 1);
}

void MainWindowTest::a_change_is_made_undone_and_redone_by_keyboard() {
  Studio studio;
  QVERIFY(studio.open_example());
  studio.selection.set_one("simulate");
  auto* line = studio.window.inspector().form()->field("views")->findChild<QLineEdit*>();
  const ParamValue before = studio.document.graph().nodes.at("simulate").params.at("views");
  QTest::mouseClick(line, Qt::LeftButton);
  line->selectAll();
  QTest::keyClicks(line, "90");
  QTest::keyClick(line, Qt::Key_Return);
  const auto views = [&] { return studio.document.graph().nodes.at("simulate").params.at("views"); };
  QVERIFY(views() == ParamValue(int64_t{90}));
  QVERIFY(studio.window.isWindowModified());
  studio.window.findChild<DataTree*>()->setFocus();  // in a line, Ctrl+Z takes back its typing
  QTest::keyClick(&studio.window, Qt::Key_Z, Qt::ControlModifier);
  QVERIFY(views() == before);
  QVERIFY(!studio.window.isWindowModified());
  QTest::keyClick(&studio.window, Qt::Key_Z, Qt::ControlModifier | Qt::ShiftModifier);
  QVERIFY(views() == ParamValue(int64_t{90}));
  QCOMPARE(line->text(), QString("90"));
}

void MainWindowTest::a_dropped_scan_becomes_a_pipeline_with_reasons() {
  Studio studio;
  QVERIFY(studio.open());
  const QString scan = make_scan(studio.folder);
  studio.drop(scan);
  QTRY_VERIFY(!studio.document.graph().nodes.empty());
  QVERIFY(studio.document.path().isEmpty());
  QVERIFY(studio.has_message("because the beam is parallel"));
  QCOMPARE(studio.settings.recent(), QStringList{scan});
  // The tree says where each value came from.
  auto* tree = studio.window.findChild<DataTree*>();
  QTRY_VERIFY(tree->model()->rowCount(tree->model()->index(0, 0)) > 4);
  QStringList origins;
  const QModelIndex top = tree->model()->index(0, 0);
  for (int row = 0; row < tree->model()->rowCount(top); ++row)
    origins << tree->model()->index(row, ScanModel::origin_column, top).data().toString();
  QVERIFY(origins.contains("file"));
  QVERIFY(origins.contains("guessed"));  // the pixel size
  // A millimetre that nobody measured is not shown as one.
  for (int row = 0; row < tree->model()->rowCount(top); ++row)
    if (tree->model()->index(row, ScanModel::name_column, top).data().toString().startsWith("pixel size"))
      QCOMPARE(tree->model()->index(row, ScanModel::value_column, top).data().toString(), QString("1 px"));
}

// Its unit is that of the format, and the studio says that it was taken from there.
void MainWindowTest::a_pixel_size_without_a_unit_is_a_length() {
  Studio studio;
  QVERIFY(studio.open());
  const QString scan = studio.folder.filePath("unitless.h5");
  write_scan(scan, 2.5);
  studio.drop(scan);
  QTRY_VERIFY(studio.has_message("the pixel size has no unit in the file: it is taken as 2.5"));
  const QAbstractItemModel& tree = *studio.window.findChild<DataTree*>()->model();
  const auto cell = [&](ScanModel::Column column) {
    const QModelIndex top = tree.index(0, 0);
    for (int row = 0; row < tree.rowCount(top); ++row)
      if (tree.index(row, ScanModel::name_column, top).data().toString() == "pixel size u")
        return tree.index(row, column, top).data().toString();
    return QString();
  };
  QTRY_COMPARE(cell(ScanModel::value_column), QString("2.5 µm"));
  QCOMPARE(cell(ScanModel::origin_column), QString("no unit"));
  QTRY_VERIFY(studio.session.info("load", "projections") != nullptr);
  QVERIFY(!is_in_pixels(*studio.session.info("load", "projections")));
  test::keep_picture(studio.window, "unit_guessed", 2000);
}

void MainWindowTest::a_dropped_pipeline_opens_and_is_remembered() {
  Studio studio;
  QVERIFY(studio.open_example());
  const QString file = studio.folder.filePath("a.json");
  QVERIFY(studio.document.save(file).ok());
  const Graph saved = studio.document.graph();
  studio.document.reset({});
  studio.drop(file);
  QTRY_VERIFY(studio.document.graph() == saved);
  QCOMPARE(studio.document.path(), file);
  QVERIFY(studio.window.windowTitle().contains("a.json"));
  QCOMPARE(studio.settings.recent(), QStringList{file});
  // What is recent is one click away on the welcome page.
  studio.document.reset({});
  studio.window.show_welcome();
  for (QToolButton* b : studio.window.findChildren<QToolButton*>())
    if (b->accessibleName() == "a.json") QTest::mouseClick(b, Qt::LeftButton);
  QTRY_VERIFY(studio.document.graph() == saved);
}

void MainWindowTest::the_history_is_reached_from_the_welcome_page() {
  Studio studio;
  QVERIFY(studio.open());
  auto* history = studio.window.findChild<HistoryPage*>();
  QVERIFY(history != nullptr && !history->isVisible());
  QTest::keyClick(&studio.window, Qt::Key_5, Qt::ControlModifier);
  QCOMPARE(studio.window.workspaces().current(), Workspace::runs);
  QVERIFY(history->isVisible());
  studio.window.show_welcome();
  QVERIFY(!history->isVisible());
  for (QToolButton* b : studio.window.findChildren<QToolButton*>())
    if (b->accessibleName() == "Queue and history" && b->isVisible()) QTest::mouseClick(b, Qt::LeftButton);
  QVERIFY(history->isVisible());
}

void MainWindowTest::a_bad_file_is_reported_and_changes_nothing() {
  Studio studio;
  QVERIFY(studio.open_example());
  const Graph before = studio.document.graph();
  QFile bad(studio.folder.filePath("bad.json"));
  QVERIFY(bad.open(QIODevice::WriteOnly));
  bad.write("{\"nodes\": 3");
  bad.close();
  studio.drop(bad.fileName());
  QTRY_VERIFY(studio.window.messages().count(LogLevel::error) == 1);
  studio.drop(studio.folder.filePath("no_such_scan.h5"));
  QTRY_VERIFY(studio.window.messages().count(LogLevel::error) == 2);
  QVERIFY(studio.has_message("no_such_scan.h5"));
  QVERIFY(studio.document.graph() == before);
  QVERIFY(studio.settings.recent().isEmpty());
  auto* panel = studio.window.findChild<MessagePanel*>();
  for (QToolButton* b : studio.window.findChildren<QToolButton*>())
    if (b->accessibleName() == "Open the list of messages") QTest::mouseClick(b, Qt::LeftButton);
  QVERIFY(panel->isVisible());
}

void MainWindowTest::the_menu_button_is_released_with_its_menu() {
  Studio studio;
  QVERIFY(studio.open_example());
  QToolButton* button = nullptr;
  for (auto* b : studio.window.findChildren<QToolButton*>())
    if (b->accessibleName() == "Menu") button = b;
  QVERIFY(button != nullptr);
  bool opened = false;
  QTimer::singleShot(0, &studio.window, [&] {
    opened = QApplication::activePopupWidget() != nullptr;
    if (opened) QTest::keyClick(QApplication::activePopupWidget(), Qt::Key_Escape);
  });
  QTest::mousePress(button, Qt::LeftButton);
  QTRY_VERIFY(opened);
  QVERIFY(!button->isDown());
  QVERIFY(!button->testAttribute(Qt::WA_UnderMouse) || button->rect().contains(button->mapFromGlobal(QCursor::pos())));
}

// Keys of the window against each other and against those of the canvas: one key, one text.
void MainWindowTest::a_key_means_one_thing() {
  Studio studio;
  QVERIFY(studio.open_example());
  QHash<QKeySequence, QString> meaning;
  const auto words = [](const QAction* a) { return a->text().remove(QChar('&')).section(QChar(' '), 0, 0); };
  int keys = 0;
  for (const QList<QAction*>& actions : {studio.window.actions(), studio.window.canvas().graph_actions().all()})
    for (const QAction* action : actions)
      for (const QKeySequence& key : action->shortcuts()) {
        const QString before = meaning.value(key, words(action));
        QVERIFY2(before == words(action), qPrintable(key.toString() + ": " + before + ", " + action->text()));
        meaning.insert(key, words(action));
        ++keys;
      }
  QVERIFY(keys > 40);
}

void MainWindowTest::workspaces_are_arrangements_that_are_remembered() {
  Studio studio;
  QVERIFY(studio.open_example());
  auto* centre = studio.window.findChild<QSplitter*>("centre");
  QVERIFY(centre != nullptr);
  const auto views = [&] { return centre->sizes().constFirst(); };
  QTest::keyClick(&studio.window, Qt::Key_1, Qt::ControlModifier);
  QCOMPARE(studio.window.workspaces().current(), Workspace::weave);
  const int weave = views();
  QTest::keyClick(&studio.window, Qt::Key_2, Qt::ControlModifier);
  QVERIFY(views() > weave + 100);
  QTest::keyClick(&studio.window, Qt::Key_1, Qt::ControlModifier);
  centre->setSizes({weave + 60, centre->height() - weave - 60});
  const int moved = views();
  QTest::keyClick(&studio.window, Qt::Key_4, Qt::ControlModifier);
  QCOMPARE(studio.window.workspaces().current(), Workspace::compare);
  QTest::keyClick(&studio.window, Qt::Key_1, Qt::ControlModifier);
  QCOMPARE(views(), moved);
  studio.window.workspaces().remember();
  QCOMPARE(Settings(studio.folder.filePath("studio.ini")).workspace(), QString("weave"));
}

void MainWindowTest::themes_are_switched_and_remembered() {
  Studio studio;
  QVERIFY(studio.open_example());
  for (const QString& name : Theme::names()) {
    for (QAction* action : studio.window.actions())
      if (action->text() == Theme::title(name) + " theme") action->trigger();
    QCOMPARE(Theme::instance().name(), name);
    QCOMPARE(studio.settings.theme(), name);
    const QImage picture = studio.window.grab().toImage();
    // The header's own background, next to its texts.
    QCOMPARE(picture.pixelColor(2, 3), Theme::instance().color(Token::bar));
  }
  Theme::instance().set("dark");
}

void MainWindowTest::images_on_the_cards_are_switched_off_and_remembered() {
  Studio studio;
  QVERIFY(studio.open_example());
  const NodeItem* card = studio.window.canvas().scene().node("simulate");
  QVERIFY(card != nullptr);
  QTRY_VERIFY_WITH_TIMEOUT(!card->card().picture.isNull(), 150000);
  const double tall = card->card().size.height();
  studio.window.canvas().view().setFocus();
  QTest::keyClick(&studio.window.canvas().view(), Qt::Key_P, Qt::AltModifier);
  QVERIFY(!studio.session.switches().thumbnails);
  QVERIFY(card->card().picture.isNull());
  QVERIFY(card->card().size.height() < tall - 80);
  QVERIFY(!studio.settings.switches().thumbnails);
  QTest::keyClick(&studio.window.canvas().view(), Qt::Key_P, Qt::AltModifier);
  QVERIFY(studio.settings.switches().thumbnails);
  QTRY_VERIFY_WITH_TIMEOUT(!card->card().picture.isNull(), 150000);
}

void MainWindowTest::every_switch_has_an_action_and_is_remembered() {
  Studio studio;
  QVERIFY(studio.open_example());
  const QList<QAction*> actions = studio.window.canvas().graph_actions().switches;
  const std::vector<SwitchAction> switches = switch_actions();
  QCOMPARE(static_cast<std::size_t>(actions.size()), switches.size());
  for (std::size_t i = 0; i < switches.size(); ++i) {
    QAction* action = actions[static_cast<qsizetype>(i)];
    const auto value = switches[i].value;
    QCOMPARE(action->objectName(), QString(switches[i].key));
    const bool before = studio.session.switches().*value;
    QCOMPARE(action->isChecked(), before);
    action->trigger();
    QCOMPARE(studio.session.switches().*value, !before);
    const Settings next_start(studio.folder.filePath("studio.ini"));
    QCOMPARE(next_start.switches().*value, !before);
    action->trigger();
    QCOMPARE(studio.session.switches().*value, before);
  }
}

void MainWindowTest::every_widget_with_focus_has_a_name() {
  Studio studio;
  QVERIFY(studio.open_example());
  int named = 0;
  for (const QWidget* w : studio.window.findChildren<QWidget*>()) {
    const bool takes_keys = (w->focusPolicy() & Qt::TabFocus) != 0 && w->isVisible();
    const QString own = QAccessible::queryAccessibleInterface(const_cast<QWidget*>(w))->text(QAccessible::Name);
    // The viewport of a scroll area is part of it.
    const auto* area = qobject_cast<const QAbstractScrollArea*>(w->parentWidget());
    if (!takes_keys || qobject_cast<const QSplitter*>(w) != nullptr || (area != nullptr && area->viewport() == w))
      continue;
    QVERIFY2(!own.isEmpty(),
             qPrintable(QStringLiteral("%1 in %2")
                            .arg(w->metaObject()->className(), w->parentWidget()->metaObject()->className())));
    ++named;
  }
  QVERIFY(named > 10);
}

void MainWindowTest::models_are_sound() {
  MessageModel messages;
  QAbstractItemModelTester first(&messages, QAbstractItemModelTester::FailureReportingMode::Fatal);
  for (int i = 0; i < 1005; ++i) messages.add(i % 2 == 0 ? LogLevel::info : LogLevel::error, "fbp", QString::number(i));
  QCOMPARE(messages.rowCount(), 1000);
  QCOMPARE(messages.at(0).text, QString("5"));
  messages.clear();
  QCOMPARE(messages.last(), static_cast<const Message*>(nullptr));

  ScanModel scans;
  QAbstractItemModelTester second(&scans, QAbstractItemModelTester::FailureReportingMode::Fatal);
  scans.set_scans(
      {{"load", "scan.h5", "dxchange", {}, {{"flats", "2", {}, Origin::file}, {"pixel", "1", {}, Origin::guessed}}},
       {"other", "b.nx", "nxtomo", "broken", {}}});
  QCOMPARE(scans.rowCount(), 2);
  QCOMPARE(scans.rowCount(scans.index(0, 0)), 2);
  QCOMPARE(scans.node_of(scans.index(1, 0, scans.index(0, 0))), QString("load"));
  scans.set_scans({});
  QCOMPARE(scans.rowCount(), 0);
}

TL_TEST_CASE(MainWindowTest)

}  // namespace tl::ui::main_window_test

#include "main_window.moc"
