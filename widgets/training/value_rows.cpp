// ValueRows: lays out labels that can be selected and copied.
#include "widgets/training/value_rows.h"

#include <QLabel>
#include <QVBoxLayout>

#include "widgets/theme/theme.h"

namespace tl::ui {

ValueRows::ValueRows(QWidget* parent) : QWidget(parent), column_(new QVBoxLayout(this)) {
  column_->setContentsMargins(0, 0, 0, 0);
  column_->setSpacing(Theme::space(1));
}

void ValueRows::add_row(const QString& name, const QString& value, Weight weight) { add(name, value, weight, {}); }
void ValueRows::add_class_row(const QString& name, const QString& value, QRgb color) {
  add(name, value, Weight::normal, QColor::fromRgb(color));
}

void ValueRows::add(const QString& name, const QString& value, Weight weight, const QColor& mark) {
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
}

void ValueRows::add_note(const QString& text) {
  auto* note = new QLabel(text, this);
  note->setProperty("role", "second");
  note->setWordWrap(true);
  note->setTextInteractionFlags(Qt::TextSelectableByMouse);
  column_->addWidget(note);
}

}  // namespace tl::ui
