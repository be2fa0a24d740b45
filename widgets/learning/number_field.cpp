// NumberField: edits an optional number, parsed with its unit.
#include "widgets/learning/number_field.h"

#include <QHBoxLayout>

#include "widgets/text/entry_line.h"
#include "widgets/text/error_text.h"
#include "widgets/text/quantity_text.h"
#include "widgets/theme/layouts.h"

namespace tl::ui {

NumberField::NumberField(const QString& name, Unit unit, QWidget* parent)
    : QWidget(parent), line_(new EntryLine(this)), unit_(unit) {
  auto* row = framed(new QHBoxLayout(this));
  row->addWidget(line_);
  line_->setAccessibleName(name);
  line_->setMinimumWidth(40);
  setFocusProxy(line_);
  connect(line_, &EntryLine::committed, this, &NumberField::take);
  connect(line_, &EntryLine::editing_cancelled, this, [this] { show_number(number_); });
}

void NumberField::set_placeholder(const QString& text) { line_->setPlaceholderText(text); }
void NumberField::set_unit(Unit unit) {
  unit_ = unit;
  show_number(number_);
}

void NumberField::show_number(const std::optional<Number>& number) {
  number_ = number;
  show_refused({});
  if (!number) return line_->show_text({});
  const bool convertible = dimension(number->unit) == dimension(unit_) && number->unit != Unit::none;
  const double value = convertible ? convert(number->value, number->unit, unit_) : number->value;
  line_->show_text(brief_number(value));
}

void NumberField::show_refused(const QString& why) {
  line_->show_validity(why.isEmpty() ? Validity::valid : Validity::invalid);
  line_->setToolTip(why);
}

void NumberField::take(const QString& text) {
  std::optional<Number> number;
  if (!text.trimmed().isEmpty()) {
    const Result<Number> read = read_number(text, unit_);
    if (!read.ok()) return show_refused(reason_text(read.error()));
    number = read.value();
  }
  show_number(number);
  Q_EMIT changed(number);
}

}  // namespace tl::ui
