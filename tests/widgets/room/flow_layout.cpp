// Narrow places: rows of buttons go on in further rows, at every width; choices that are cut are in the tip, and whole
// in the open list.
#include <QAbstractItemView>
#include <QComboBox>
#include <QHelpEvent>
#include <QLineEdit>
#include <QPushButton>
#include <QToolTip>
#include <QVBoxLayout>

#include "tests/support/gui/window.h"
#include "tests/support/test_case.h"
#include "widgets/theme/cut_text.h"
#include "widgets/theme/flow_layout.h"
#include "widgets/theme/theme.h"

namespace tl::ui::flow_layout_test {
namespace {

const QStringList texts{"Open", "Repeat with its scan", "Report…", "Compare 2", "Delete, frees 12.5 GB…"};

struct Row {
  QWidget whole;
  FlowLayout* flow = new FlowLayout;
  QList<QPushButton*> buttons;
  QPushButton* below = new QPushButton("below");
  explicit Row(bool stretches = false) {
    auto* column = new QVBoxLayout(&whole);
    column->setContentsMargins(0, 0, 0, 0);
    column->addLayout(flow);
    column->addWidget(below);
    column->addStretch(1);
    for (const QString& text : texts) {
      if (stretches && buttons.size() == 2) flow->add_stretch();
      buttons << new QPushButton(text);
      flow->addWidget(buttons.back());
    }
  }
  void resize(int width) {
    whole.resize(width, 400);
    whole.layout()->activate();
  }
  [[nodiscard]] int rows() const {
    QSet<int> tops;
    for (const QPushButton* b : buttons) tops.insert(b->y());
    return static_cast<int>(tops.size());
  }
};

// Of what the mouse brings up over the middle of the field.
QString tip_over(QWidget& field) {
  const QPoint middle = field.rect().center();
  QToolTip::showText(field.mapToGlobal(middle), QStringLiteral("-"), &field);  // stays where the field has no tip
  QHelpEvent event(QEvent::ToolTip, middle, field.mapToGlobal(middle));
  QCoreApplication::sendEvent(&field, &event);
  return QToolTip::text();
}

}  // namespace

class FlowLayoutTest final : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void initTestCase() { Theme::instance().set(QStringLiteral("dark")); }

  void every_button_has_its_room_at_every_width() {
    Row row;
    QVERIFY(test::open_window(row.whole));
    const int one_row = row.flow->sizeHint().width();
    for (int width = row.flow->minimumSize().width(); width <= one_row + 50; width += 7) {
      row.resize(width);
      QRect last;
      for (const QPushButton* b : row.buttons) {
        QVERIFY(b->width() >= b->minimumSizeHint().width() && b->height() >= b->minimumSizeHint().height());
        QVERIFY(b->x() >= 0 && b->geometry().right() < width);
        QVERIFY(b->y() > last.bottom() || b->x() > last.right());  // reading order, nothing on anything else
        last = b->geometry();
      }
      QVERIFY(row.below->y() > last.bottom());
      QCOMPARE(row.rows() == 1, width >= one_row);
    }
    row.resize(row.flow->minimumSize().width());
    QVERIFY(row.rows() >= 3);
  }

  void hidden_buttons_take_no_room() {
    Row row;
    QVERIFY(test::open_window(row.whole));
    const int all = row.flow->sizeHint().width(), of_second = row.buttons[1]->sizeHint().width();
    row.buttons[1]->hide();
    QCOMPARE(row.flow->sizeHint().width(), all - of_second - row.flow->spacing());
    row.resize(all);
    QCOMPARE(row.buttons[2]->x(), row.buttons[0]->geometry().right() + 1 + row.flow->spacing());
  }

  void what_follows_a_stretch_is_at_the_right() {
    Row row(true);
    QVERIFY(test::open_window(row.whole));
    const int width = row.flow->sizeHint().width() + 100;
    row.resize(width);
    QCOMPARE(row.rows(), 1);
    QCOMPARE(row.buttons.back()->geometry().right() + 1, width);
    QVERIFY(row.buttons[2]->x() - row.buttons[1]->geometry().right() > 100);
  }

  void a_cut_choice_is_in_the_tip_and_in_the_list() {
    QWidget form;
    auto* box = new QComboBox(&form);
    box->addItems({"none", "a choice whose words are much longer than its field has room for"});
    box->setToolTip("What it is for");
    box->setGeometry(0, 0, 120, 28);
    form.resize(400, 200);
    QVERIFY(test::open_window(form));
    QCOMPARE(cut_text(*box), QString());
    QCOMPARE(tip_over(*box), QString("What it is for"));
    box->setCurrentIndex(1);
    QCOMPARE(cut_text(*box), box->currentText());
    QCOMPARE(tip_over(*box), box->currentText() + "\nWhat it is for");
    box->showPopup();
    QTRY_VERIFY(box->view()->isVisible());
    QVERIFY(box->view()->viewport()->width() >= box->view()->sizeHintForColumn(0));
    box->hidePopup();
    box->resize(600, 28);
    QCOMPARE(cut_text(*box), QString());
  }

  void a_cut_example_of_a_line_is_in_the_tip() {
    QWidget form;
    form.setToolTip("<p><b>Memory</b> &amp; cache</p>");
    auto* line = new QLineEdit(&form);
    line->setPlaceholderText("auto: a quarter of what is free & more");
    line->setGeometry(0, 0, 100, 28);
    form.resize(400, 200);
    QVERIFY(test::open_window(form));
    QCOMPARE(cut_text(*line), line->placeholderText());
    // The window has the tip: only what is in it counts for its fields.
    QCOMPARE(tip_over(*line), line->placeholderText());
    line->setText("3");
    QCOMPARE(cut_text(*line), QString());
    line->clear();
    line->resize(380, 28);
    QCOMPARE(cut_text(*line), QString());
  }
};

TL_TEST_CASE(FlowLayoutTest)

}  // namespace tl::ui::flow_layout_test

#include "flow_layout.moc"
