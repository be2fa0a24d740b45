// ValueRows: lays out labels whose text can be selected and copied.
#include "widgets/jobs/value_rows.h"

#include <QLabel>
#include <QToolButton>
#include <QVBoxLayout>

#include "widgets/theme/explain_button.h"
#include "widgets/theme/layouts.h"
#include "widgets/theme/theme.h"

namespace tl::ui {

ValueRows::ValueRows(QWidget* parent) : QWidget(parent), column_(new QVBoxLayout(this)) { spaced(column_, 1); }

void ValueRows::add_row(const QString& name, const QString& value, Weight weight) { add(name, value, weight, {}); }
void ValueRows::add_class_row(const QString& name, const QString& value, QRgb color) {
  add(name, value, Weight::normal, QColor::fromRgb(color));
}

QHBoxLayout* ValueRows::add(const QString& name, const QString& value, Weight weight, const QColor& mark) {
  auto* row = new QHBoxLayout;
  row->setSpacing(Theme::space(2));
  if (mark.isValid()) {
    auto* label = new QLabel(this);
    QPixmap square(10, 10);
    square.fill(mark);
    label->setPixmap(square);
    row->addWidget(label);
  }
  auto* number = new QLabel(value, this);
  QFont font = Theme::number_font();
  font.setWeight(weight == Weight::strong ? QFont::DemiBold : QFont::Normal);
  number->setFont(font);
  number->setTextInteractionFlags(Qt::TextSelectableByMouse);
  row->addWidget(new QLabel(name, this));
  row->addStretch(1);
  row->addWidget(number);
  column_->addLayout(row);
  return row;
}

// The value next to its name, the verdict at the end.
void ValueRows::add_judged_row(const QString& name, const QString& value, const Badge& verdict) {
  QHBoxLayout* row = add(name, value, Weight::strong, {});
  row->addItem(row->takeAt(1));
  auto* badge = new QLabel(verdict.word, this);
  badge->setProperty("role", "badge");
  badge->setProperty("tone", verdict.tone);
  badge->setToolTip(verdict.meaning);
  badge->setAccessibleName(tr("Verdict on %1: %2").arg(name, verdict.word));
  row->addWidget(badge);
  row->addWidget(explain_button(QString::fromLatin1(words_on_verdicts), tr("the verdict on %1").arg(name), this));
}

void ValueRows::add_note(const QString& text) {
  if (text.isEmpty()) return;
  auto* note = as_note(new QLabel(text, this));
  note->setTextInteractionFlags(Qt::TextSelectableByMouse);
  column_->addWidget(note);
}

}  // namespace tl::ui
