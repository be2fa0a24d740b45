// NumberEditor: edits a number by typing it with a unit, by arrow keys, or by a slider.
#include "widgets/inspector/editors/number_editor.h"

#include <QEvent>
#include <QSlider>
#include <QVBoxLayout>
#include <cmath>

#include "core/base/measured.h"
#include "widgets/language/translated.h"
#include "widgets/text/entry_line.h"
#include "widgets/text/quantity_text.h"
#include "widgets/theme/layouts.h"

namespace tl::ui {
namespace {

constexpr int slider_places = 1000;

// Step of the arrow keys: 1 in the second significant digit, at least 1 for integers.
double arrow_step(double value) {
  if (value == 0) return 0.1;
  return std::pow(10, std::floor(std::log10(std::abs(value))) - 1);
}

}  // namespace

NumberEditor::NumberEditor(const ParamDecl& decl, QWidget* parent)
    : ValueEditor(decl, parent), line_(new EntryLine(this)), scale_(SliderScale::of(decl)), unit_(decl.unit) {
  auto* column = spaced(new QVBoxLayout(this), 0);
  column->addWidget(line_);
  setFocusProxy(line_);
  line_->setAccessibleName(translated(decl.title));
  connect(line_, &EntryLine::committed, this, [this](const QString& text) { enter_text(text, unit_, Change::step); });
  connect(line_, &EntryLine::editing_cancelled, this, &ValueEditor::left);
  connect(line_, &EntryLine::stepped, this, &NumberEditor::step);
  if (!scale_) return;
  slider_ = new QSlider(Qt::Horizontal, this);
  slider_->setRange(0, slider_places);
  slider_->setAccessibleName(tr("%1, slider").arg(translated(decl.title)));
  slider_->setFocusPolicy(Qt::ClickFocus);  // keyboard users have the line
  column->addWidget(slider_);
  connect(slider_, &QSlider::valueChanged, this, [this](int place) {
    enter_number(scale_->to_value(static_cast<double>(place) / slider_places), Change::drag);
  });
}

void NumberEditor::enter_number(double value, Change change) {
  if (decl().kind == ParamKind::integer) {
    Q_EMIT entered(ParamValue{static_cast<int64_t>(std::llround(value))}, change);
  } else {
    Q_EMIT entered(ParamValue{Number{value, decl().unit}}, change);
  }
}

void NumberEditor::step(int steps) {
  if (const auto* whole = std::get_if<int64_t>(&value_)) {
    Q_EMIT entered(ParamValue{*whole + steps}, Change::drag);
  } else if (const auto* number = std::get_if<Number>(&value_)) {
    const double by = arrow_step(number->value);
    const double next = std::round((number->value + steps * by) / by);
    // Fractional steps are applied by division, so that 0.3 does not become 0.30000000000000004.
    const double value = by >= 1 ? next * by : next / std::round(1 / by);
    Q_EMIT entered(ParamValue{Number{value, number->unit}}, Change::drag);
  }
}

void NumberEditor::show_value(const ParamValue& value) {
  value_ = value;
  if (std::holds_alternative<std::monostate>(value)) {
    unit_ = decl().unit;
    line_->show_text({});
    line_->setPlaceholderText(tr("auto: %1").arg(translated(decl().automatic)));
    line_->set_suffix({});
    if (slider_ != nullptr) slider_->hide();
    return;
  }
  if (slider_ != nullptr) slider_->show();
  double shown = 0;
  if (const auto* whole = std::get_if<int64_t>(&value)) {
    shown = static_cast<double>(*whole);
    line_->show_text(QString::number(*whole));
  } else if (const auto* number = std::get_if<Number>(&value)) {
    unit_ = number->unit;
    const QString brief =
        sigma_ > 0 ? QString::fromStdString(measured_value(number->value, sigma_)) : brief_number(number->value);
    line_->show_text(QString::fromStdString(format_quantity(number->value, Unit::none)), brief);
    shown = convert(number->value, number->unit, decl().unit);
  }
  line_->set_suffix(unit_text(unit_));
  place_slider(shown);
}

void NumberEditor::place_slider(double value) {
  if (slider_ == nullptr) return;
  const QSignalBlocker quiet(slider_);
  // During a drag the slider is not moved, so that rounding of the value does not shift it under the mouse.
  if (!slider_->isSliderDown())
    slider_->setValue(static_cast<int>(std::lround(scale_->to_slider(value) * slider_places)));
}

void NumberEditor::show_validity(Validity validity) { line_->show_validity(validity); }
void NumberEditor::show_learned(bool learned) { line_->show_learned(learned); }

}  // namespace tl::ui
