// RangeForm: shows the session's settings, and changes them.
#include "widgets/export/range_form.h"

#include <QGridLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QVBoxLayout>
#include <algorithm>
#include <cmath>

#include "widgets/export/range_histogram.h"
#include "widgets/export/segments.h"
#include "widgets/text/entry_line.h"
#include "widgets/text/quantity_text.h"
#include "widgets/theme/style_property.h"
#include "widgets/theme/theme.h"

namespace tl::ui {
namespace {

constexpr int export_label_width = 88, percent_width = 80, limit_width = 148;  // px
const QString row_label = QStringLiteral("row_label");
constexpr double much_clipped = 0.01;  // share

QString percent_text(int64_t count, int64_t all) {
  const double percent = 100.0 * static_cast<double>(count) / static_cast<double>(std::max<int64_t>(all, 1));
  return QString::number(percent, 'g', 2);
}

}  // namespace

QLabel* export_row_label(const QString& text) {
  auto* label = new QLabel(text);
  label->setObjectName(row_label);
  label->setFixedWidth(export_label_width);
  return label;
}

void align_row_labels(QWidget& form) {
  int widest = export_label_width;
  const QList<QLabel*> labels = form.findChildren<QLabel*>(row_label);
  for (const QLabel* label : labels) widest = std::max(widest, label->sizeHint().width());
  for (QLabel* label : labels) label->setFixedWidth(widest);
}

RangeForm::RangeForm(ExportSession& session, QWidget* parent)
    : QWidget(parent),
      session_(session),
      types_(new Segments(tr("Type"))),
      modes_(new Segments(tr("Range"))),
      type_row_(new QWidget),
      range_(nullptr),
      type_note_(new QLabel),
      clipped_(new QLabel),
      step_(new QLabel),
      histogram_(new RangeHistogram) {
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(Theme::space(2));
  auto* type_line = new QHBoxLayout(type_row_);
  type_line->setContentsMargins(0, 0, 0, 0);
  type_line->addWidget(export_row_label(tr("Type")));
  type_line->addWidget(types_, 1);
  type_line->addWidget(type_note_);
  type_note_->setProperty("role", "second");
  column->addWidget(type_row_);
  range_ = build_range();
  column->addWidget(range_);
  connect(types_, &Segments::chosen, this, [this](int index) {
    const exports::Format* const format = session_.format();
    if (format == nullptr || index >= static_cast<int>(format->sample_types.size())) return;
    session_.change([&](exports::Settings& s) { s.type = format->sample_types[static_cast<std::size_t>(index)]; });
  });
  connect(modes_, &Segments::chosen, this, [this](int index) {
    session_.change([index](exports::Settings& s) { s.range = static_cast<exports::RangeMode>(index); });
  });
  connect(histogram_, &RangeHistogram::range_moved, this, [this](double low, double high) {
    session_.change([&](exports::Settings& s) {
      s.range = exports::RangeMode::fixed;
      s.low = low;
      s.high = high;
    });
  });
  connect(&session_, &ExportSession::changed, this, &RangeForm::show_session);
  connect(&session_, &ExportSession::values_changed, this, &RangeForm::show_session);
  show_session();
}

EntryLine* RangeForm::number_line(const QString& name, int width) {
  auto* line = new EntryLine;
  line->setAccessibleName(name);
  line->setFixedWidth(width);
  return line;
}

QWidget* RangeForm::build_range() {
  auto* whole = new QWidget;
  auto* grid = new QGridLayout(whole);
  grid->setContentsMargins(0, 0, 0, 0);
  grid->setSpacing(Theme::space(2));
  modes_->set_texts({tr("Window"), tr("Percentiles"), tr("Full"), tr("Fixed")});
  auto* first = new QHBoxLayout;
  first->addWidget(modes_, 1);
  percent_row_ = new QWidget;
  auto* percents = new QHBoxLayout(percent_row_);
  percents->setContentsMargins(0, 0, 0, 0);
  percents_ = {number_line(tr("Lower percentile"), percent_width), number_line(tr("Upper percentile"), percent_width)};
  for (EntryLine* line : percents_) line->set_suffix(QStringLiteral("%"));
  percents->addWidget(percents_[0]);
  percents->addWidget(new QLabel(tr("to")));
  percents->addWidget(percents_[1]);
  first->addWidget(percent_row_);
  limits_ = {number_line(tr("Lower value"), limit_width), number_line(tr("Upper value"), limit_width)};
  auto* middle = new QVBoxLayout;
  middle->setSpacing(0);
  for (QLabel* label : {clipped_, step_}) {
    label->setAlignment(Qt::AlignCenter);
    label->setWordWrap(true);
    middle->addWidget(label);
  }
  clipped_->setAccessibleName(tr("What is clipped"));
  step_->setProperty("role", "second");
  auto* last = new QHBoxLayout;
  last->addWidget(limits_[0], 0, Qt::AlignTop);
  last->addLayout(middle, 1);
  last->addWidget(limits_[1], 0, Qt::AlignTop);
  grid->addWidget(export_row_label(tr("Range")), 0, 0);
  grid->addLayout(first, 0, 1);
  grid->addWidget(histogram_, 1, 1);
  grid->addLayout(last, 2, 1);
  grid->setColumnStretch(1, 1);
  take_number(*percents_[0], &exports::Settings::percent_below, exports::RangeMode::percentiles);
  take_number(*percents_[1], &exports::Settings::percent_above, exports::RangeMode::percentiles);
  take_number(*limits_[0], &exports::Settings::low, exports::RangeMode::fixed);
  take_number(*limits_[1], &exports::Settings::high, exports::RangeMode::fixed);
  return whole;
}

void RangeForm::take_number(EntryLine& line, double exports::Settings::*member, exports::RangeMode mode) {
  connect(&line, &EntryLine::committed, this, [this, &line, member, mode](const QString& text) {
    bool is_number = false;
    const double value = QString::fromStdString(typed_number(text)).toDouble(&is_number);
    const bool is_percent = mode == exports::RangeMode::percentiles;
    is_number = is_number && std::isfinite(value) && (!is_percent || (value >= 0 && value <= 100));
    if (is_number && is_percent) {
      exports::Settings would = session_.settings();
      would.*member = value;
      is_number = would.percent_below < would.percent_above;
    }
    line.show_validity(is_number ? Validity::valid : Validity::invalid);
    if (!is_number) return;
    session_.change([&](exports::Settings& s) {
      s.*member = value;
      s.range = mode;
    });
  });
}

void RangeForm::show_session() {
  const exports::Format* const format = session_.format();
  const exports::Settings& s = session_.settings();
  const bool has_types = format != nullptr && !format->sample_types.empty();
  type_row_->setVisible(has_types);
  if (has_types) {
    QStringList texts;
    for (const std::string& type : format->sample_types) texts << QString::fromStdString(type);
    types_->set_texts(texts);
    types_->choose(static_cast<int>(texts.indexOf(QString::fromStdString(s.type))));
    type_note_->setText(session_.has_range() ? tr("scale and offset are kept") : tr("values are unchanged"));
  }
  range_->setVisible(session_.has_range());
  if (!session_.has_range()) return;
  modes_->choose(static_cast<int>(s.range));
  percent_row_->setVisible(s.range == exports::RangeMode::percentiles);
  // What is being typed stays.
  const auto show = [](EntryLine& line, const QString& full, const QString& brief = {}) {
    if (!(line.hasFocus() && line.isModified())) line.show_text(full, brief);
  };
  show(*percents_[0], QString::number(s.percent_below));
  show(*percents_[1], QString::number(s.percent_above));
  for (std::size_t i = 0; i < limits_.size(); ++i) {
    const double value = i == 0 ? s.low : s.high;
    show(*limits_.at(i), QString::number(value, 'g', 9), brief_number(value));
    limits_.at(i)->set_suffix(unit_text(session_.unit()));
  }
  histogram_->show_values(session_.values(), {s.low, s.high});
  show_clipped();
}

void RangeForm::show_clipped() {
  const exports::Settings& s = session_.settings();
  if (session_.values() == nullptr) {
    set_style_property(*clipped_, "tone", {});
    clipped_->setText(session_.failure().isEmpty() ? tr("The histogram of the values is being computed…")
                                                   : session_.failure());
    step_->clear();
    return;
  }
  const exports::Clipped c = session_.clipped();
  QString text =
      tr("clipped: %1 % below, %2 % above").arg(percent_text(c.below, c.values), percent_text(c.above, c.values));
  if (c.not_numbers > 0) text += tr(", %1 % NaN").arg(percent_text(c.not_numbers, c.values));
  if (!session_.counts_all()) text += tr(", in the middle slice");
  set_style_property(*clipped_, "tone", c.share() > much_clipped ? "warning" : "good");
  clipped_->setText(text);
  const std::string type = session_.format()->is_grey ? "uint8" : s.type;
  step_->setText(tr("grey step %1 %2")
                     .arg(brief_number(exports::grey_step(type, {s.low, s.high})), unit_text(session_.unit()))
                     .trimmed());
}

}  // namespace tl::ui
