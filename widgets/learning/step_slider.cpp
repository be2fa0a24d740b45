// StepSlider: a slider over the steps, and the values of the shown step.
#include "widgets/learning/step_slider.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QSignalBlocker>
#include <QSlider>

#include "core/base/measured.h"
#include "widgets/learning/run_content.h"
#include "widgets/text/found_text.h"
#include "widgets/text/quantity_text.h"
#include "widgets/theme/layouts.h"
#include "widgets/theme/theme.h"

namespace tl::ui {
namespace {

constexpr std::size_t max_values = 3;  // in the text

}  // namespace

StepSlider::StepSlider(LearningSession& learning, QWidget* parent)
    : QWidget(parent), learning_(learning), slider_(new QSlider(Qt::Horizontal, this)), label_(new QLabel(this)) {
  auto* row = spaced(new QHBoxLayout(this), 2, {1, 0, 1, 0});
  row->addWidget(slider_, 1);
  row->addWidget(label_, 1);
  slider_->setAccessibleName(tr("Step of the run that the views show"));
  slider_->setToolTip(tr("Shows the values of an earlier step in the views. The pipeline is not changed."));
  slider_->setMinimumWidth(Theme::space(20));
  label_->setFont(Theme::number_font());
  label_->setProperty("role", "second");
  label_->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
  connect(slider_, &QSlider::valueChanged, this, [this](int place) {
    const auto step = static_cast<std::size_t>(place);
    learning_.show_step(step < learning_.steps().size() ? std::optional(step) : std::nullopt);
  });
  connect(&learning_, &LearningSession::state_changed, this, &StepSlider::refresh);
  connect(&learning_, &LearningSession::step_shown, this, &StepSlider::refresh);
  refresh();
}

QString StepSlider::text() const {
  const auto step = learning_.shown_step();
  QStringList parts;
  parts << (step ? tr("Step %1 of %2").arg(*step).arg(learning_.steps().size() - 1) : tr("As found"));
  for (const learn::Found& f : learning_.end()->learned.found) {
    if (parts.size() > static_cast<qsizetype>(max_values)) break;
    const QString title = learning_.title_of(f.node, f.name) + QLatin1Char(' ');
    if (!step) {
      parts << title + found_text(f);
      continue;
    }
    learn::Target target;
    target.node = f.node;
    target.name = f.name;
    const auto value = target_value(learning_.steps()[*step].values, target);
    const double sigma = f.uncertainty.size() == 1 && learn::is_determined(f.trust) ? f.uncertainty[0] : 0;
    if (!value) continue;
    const QString unit = unit_text(f.unit);
    parts << title + QString::fromStdString(measured_value(*value, sigma)) +
                 (unit.isEmpty() ? unit : QLatin1Char(' ') + unit);
  }
  return parts.join(QStringLiteral(" · "));
}

void StepSlider::refresh() {
  const bool shown = learning_.state() == JobState::ended && learning_.steps().size() > 1;
  setVisible(shown);
  if (!shown) return;
  const QSignalBlocker quiet(slider_);
  const auto found = static_cast<int>(learning_.steps().size());
  slider_->setRange(0, found);
  slider_->setValue(learning_.shown_step() ? static_cast<int>(*learning_.shown_step()) : found);
  label_->setText(text());
  label_->setToolTip(text());
}

}  // namespace tl::ui
