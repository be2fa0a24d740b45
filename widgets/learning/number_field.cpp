// NumberField: edits an optional number, parsed with its unit.
#include "widgets/learning/number_field.h"

#include <QHBoxLayout>
#include <charconv>
#include <cmath>

#include "widgets/text/entry_line.h"
#include "widgets/text/quantity_text.h"

namespace tl::ui {

NumberField::NumberField(const QString& name, Unit unit, QWidget* parent)
    : QWidget(parent), line_(new EntryLine(this)), unit_(unit) {
  auto* row = new QHBoxLayout(this);
  row->setContentsMargins(0, 0, 0, 0);
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
  const std::string written = text.trimmed().toStdString();
  std::optional<Number> number;
  if (!written.empty()) {
    Number read{0, unit_};
    const char* end = std::from_chars(written.data(), written.data() + written.size(), read.value).ptr;
    if (end == written.data() || !std::isfinite(read.value)) return show_refused(tr("Not a number."));
    const QString rest = QString::fromUtf8(end).trimmed();
    if (!rest.isEmpty()) {
      const Result<Unit> unit = parse_unit(rest.toStdString());
      if (!unit.ok() || dimension(unit.value()) != dimension(unit_))
        return show_refused(tr("Not a unit like %1.").arg(unit_text(unit_)));
      read.unit = unit.value();
    }
    number = read;
  }
  show_number(number);
  Q_EMIT changed(number);
}

}  // namespace tl::ui
