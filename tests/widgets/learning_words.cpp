// Texts of the learning dock: numbers of at most seven figures, no cut-off words, accessible names, in every theme.
#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QStyleOptionComboBox>
#include <algorithm>

#include "tests/support/gui/learning_studio.h"
#include "tests/support/test_case.h"
#include "widgets/learning/objective_chooser.h"
#include "widgets/learning/target_list.h"
#include "widgets/theme/theme.h"

namespace tl::ui::learning_words_test {

class LearningWordsTest final : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void initTestCase() { Theme::instance().set(QStringLiteral("dark")); }
  void numbers_are_short_and_words_are_whole();
  void everything_is_there_in_every_theme();
};

// A learned value has sixteen figures; a card shows seven of them. What has no bound says so. Nothing is cut off.
void LearningWordsTest::numbers_are_short_and_words_are_whole() {
  LearningStudio s;
  Graph graph = scan(360);
  graph.nodes["axis"].params["axis"] = Number{3.0123456789012345, Unit::px};
  QVERIFY(s.open(graph, Workspace::weave));
  const NodeItem* item = s.part<Canvas>()->scene().node("axis");
  QVERIFY(item != nullptr);
  const auto& rows = item->card().rows;
  const auto row = std::find_if(rows.begin(), rows.end(), [](const CardRow& r) { return r.param == "axis"; });
  QVERIFY(row != rows.end());
  QCOMPARE(row->value, QStringLiteral("3.012346 px"));
  s.mark("axis");
  s.window.workspaces().show(Workspace::learn);
  QTRY_COMPARE(s.part<TargetList>()->cards().size(), std::size_t{1});
  TargetCard* card = s.part<TargetList>()->cards().front();
  for (const QLabel* label : card->findChildren<QLabel*>())
    QVERIFY2(!label->text().contains("3.01234567"), qPrintable(label->text()));
  QStringList hints;
  for (const QLineEdit* line : card->findChildren<QLineEdit*>()) hints << line->placeholderText();
  QCOMPARE(hints, (QStringList{"3.012346", "none", "none"}));
  auto* box = s.part<ObjectiveChooser>()->findChild<QComboBox*>();
  QStyleOptionComboBox option;
  option.initFrom(box);
  const int room =
      box->style()->subControlRect(QStyle::CC_ComboBox, &option, QStyle::SC_ComboBoxEditField, box).width();
  for (int i = 0; i < box->count(); ++i)
    QVERIFY2(QFontMetrics(box->font()).horizontalAdvance(box->itemText(i)) <= room,
             qPrintable(QStringLiteral("\"%1\" does not fit into %2 px").arg(box->itemText(i)).arg(room)));
  test::keep_picture(s.window.learning_panel(), "learning-short-numbers");
  s.window.workspaces().show(Workspace::weave);
  test::keep_picture(s.window, "learning-short-numbers-canvas");
}

void LearningWordsTest::everything_is_there_in_every_theme() {
  LearningStudio s;
  QVERIFY(s.open(scan(360)));
  s.mark("axis");
  QVERIFY(s.press("Learn"));
  QVERIFY(s.reaches(JobState::ended));
  for (const QString& theme : Theme::names()) {
    Theme::instance().set(theme);
    test::keep_picture(s.window, QStringLiteral("learning-%1-%2").arg(theme).arg(s.window.devicePixelRatioF()));
  }
  Theme::instance().set(QStringLiteral("dark"));
  for (QWidget* w : s.window.learning_panel().findChildren<QWidget*>())
    if (w->isVisibleTo(&s.window) && (w->focusPolicy() & Qt::TabFocus) != 0 && w->focusProxy() == nullptr) {
      const auto* b = qobject_cast<QAbstractButton*>(w);
      const bool named = !w->accessibleName().isEmpty() || (b != nullptr && !b->text().isEmpty());
      QVERIFY2(named, qPrintable(QString::fromLatin1(w->metaObject()->className()) + " " + w->objectName()));
    }
}

TL_TEST_CASE(LearningWordsTest)

}  // namespace tl::ui::learning_words_test

#include "learning_words.moc"
