// The tour of the window: every part is framed in sight of its card, and it can be left at any stop without a trace.
#include <QLabel>

#include "tests/support/gui/studio.h"
#include "tests/support/test_case.h"
#include "widgets/theme/theme.h"
#include "widgets/window/guide/tour.h"
#include "widgets/window/workspaces.h"

namespace tl::ui::tour_test {

using test::Studio;

class TourTest final : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void initTestCase() { Theme::instance().set(QStringLiteral("dark")); }
  void all_stops_fit_into_the_window_data();
  void all_stops_fit_into_the_window();
  void it_can_be_left();
};

namespace {

bool start(Studio& studio) {
  for (QAction* action : studio.window.actions())
    if (action->text().remove('&') == QLatin1String("Tour of the window")) {
      action->trigger();
      return studio.window.findChild<Tour*>() != nullptr;
    }
  return false;
}

}  // namespace

void TourTest::all_stops_fit_into_the_window_data() {
  QTest::addColumn<QSize>("size");
  QTest::newRow("small") << QSize(1000, 700);
  QTest::newRow("usual") << QSize(1440, 900);
}
void TourTest::all_stops_fit_into_the_window() {
  QFETCH(QSize, size);
  Studio studio;
  studio.window.resize(size);
  QVERIFY(studio.open_example());
  studio.window.resize(size);
  studio.window.workspaces().show(Workspace::see);
  QVERIFY(start(studio));
  const QPointer<Tour> tour = studio.window.findChild<Tour*>();
  QStringList titles;
  while (tour != nullptr && tour->isVisible()) {
    test::handle_queued_events();
    QVERIFY2(studio.window.rect().contains(tour->geometry()), qPrintable(QString::number(tour->stop())));
    for (const QLabel* label : tour->findChildren<QLabel*>())
      QVERIFY2(label->height() >= label->heightForWidth(label->width()), qPrintable(label->text()));
    titles << tour->findChild<QLabel*>()->text();
    test::keep_picture(studio.window, QStringLiteral("tour-%1-%2").arg(size.width()).arg(tour->stop()));
    QTest::keyClick(tour.data(), Qt::Key_Right);
    QVERIFY(titles.size() < 20);
  }
  QVERIFY(titles.size() >= 5);
  QCOMPARE(titles.removeDuplicates(), 0);
  QCOMPARE(studio.window.workspaces().current(), Workspace::see);
}

void TourTest::it_can_be_left() {
  Studio studio;
  QVERIFY(studio.open_example());
  const Graph before = studio.document.graph();
  const int steps = studio.document.undo_stack().count();
  for (const bool by_key : {true, false}) {
    QVERIFY(start(studio));
    const QPointer<Tour> tour = studio.window.findChild<Tour*>();
    QTest::keyClick(tour.data(), Qt::Key_Right);
    if (by_key)
      QTest::keyClick(tour.data(), Qt::Key_Escape);
    else
      QVERIFY(studio.press("Leave the tour"));
    QTRY_VERIFY(tour == nullptr);
  }
  QVERIFY(studio.document.graph() == before);
  QCOMPARE(studio.document.undo_stack().count(), steps);
}

TL_TEST_CASE(TourTest)

}  // namespace tl::ui::tour_test

#include "tour.moc"
