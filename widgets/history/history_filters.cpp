// HistoryFilters: fields and chips, from which a filter of the store is made.
#include "widgets/history/history_filters.h"

#include <QBoxLayout>
#include <QButtonGroup>
#include <QComboBox>
#include <QDateTime>
#include <QLineEdit>
#include <QSignalBlocker>
#include <QTimer>
#include <QToolButton>

#include "widgets/theme/chip_button.h"
#include "widgets/theme/flow_layout.h"
#include "widgets/theme/glyphs.h"
#include "widgets/theme/layouts.h"
#include "widgets/theme/theme.h"

namespace tl::ui {
namespace {

constexpr int typing_pause_ms = 150;
constexpr int narrowest_field = 72, one_row_width = 960;  // [px]
constexpr double day = 86400;                             // s

std::array<QString, 5> kind_titles() {
  return {HistoryFilters::tr("All"), HistoryFilters::tr("Runs"), HistoryFilters::tr("Learning"),
          HistoryFilters::tr("Training"), HistoryFilters::tr("Exports")};
}

}  // namespace

HistoryFilters::HistoryFilters(QWidget* parent)
    : QWidget(parent),
      search_(new QLineEdit(this)),
      scan_(new QLineEdit(this)),
      parameter_(new QLineEdit(this)),
      period_(new QComboBox(this)),
      verdict_(new QComboBox(this)),
      typing_(new QTimer(this)) {
  typing_->setSingleShot(true);
  typing_->setInterval(typing_pause_ms);
  connect(typing_, &QTimer::timeout, this, &HistoryFilters::changed);
  const auto field = [this](QLineEdit* line, const QString& name, const QString& placeholder, const QString& tip) {
    line->setAccessibleName(name);
    line->setPlaceholderText(placeholder);
    line->setToolTip(tip);
    line->setClearButtonEnabled(true);
    connect(line, &QLineEdit::textChanged, typing_, qOverload<>(&QTimer::start));
  };
  field(search_, tr("Search the history"), tr("Search scan, parameter, verdict…"),
        tr("Anywhere in names, parameters, verdicts and errors (Ctrl+F)"));
  search_->addAction(glyph_icon(Glyph::search), QLineEdit::LeadingPosition);
  field(scan_, tr("Scan"), tr("Scan"), tr("A part of the path of a scan"));
  field(parameter_, tr("Parameter"), tr("Parameter"), tr("axis, fbp.cutoff, or with a comparison: cutoff<0.5"));
  auto* chips = spaced(new FlowLayout, 1);
  auto* group = new QButtonGroup(this);
  const auto titles = kind_titles();
  for (std::size_t i = 0; i < kinds_.size(); ++i) {
    kinds_[i] = chip_button(titles[i], tr("Show: %1").arg(titles[i]));
    kinds_[i]->setCheckable(true);
    group->addButton(kinds_[i]);
    chips->addWidget(kinds_[i]);
    connect(kinds_[i], &QToolButton::clicked, this, &HistoryFilters::changed);
  }
  kinds_[0]->setChecked(true);
  period_->setAccessibleName(tr("Period"));
  period_->addItem(tr("any time"), 0);
  period_->addItem(tr("last day"), 1);
  period_->addItem(tr("last 7 days"), 7);
  period_->addItem(tr("last 30 days"), 30);
  verdict_->setAccessibleName(tr("Verdict"));
  verdict_->addItem(tr("any verdict"));
  for (QComboBox* box : {period_, verdict_})
    connect(box, &QComboBox::currentIndexChanged, this, &HistoryFilters::changed);
  // The fields get a row of their own if they do not fit next to the chips.
  auto* fields = new QHBoxLayout;
  fields->setSpacing(Theme::space(1));
  for (QWidget* one : {static_cast<QWidget*>(period_), static_cast<QWidget*>(scan_), static_cast<QWidget*>(parameter_),
                       static_cast<QWidget*>(verdict_)}) {
    one->setMinimumWidth(narrowest_field);
    one->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Fixed);
    fields->addWidget(one, 1);
  }
  rows_ = new QBoxLayout(QBoxLayout::TopToBottom, this);
  rows_->setContentsMargins(0, 0, 0, 0);
  rows_->setSpacing(Theme::space(2));
  rows_->addLayout(chips);
  rows_->addLayout(fields, 1);
}

void HistoryFilters::resizeEvent(QResizeEvent* event) {
  QWidget::resizeEvent(event);
  rows_->setDirection(width() < one_row_width ? QBoxLayout::TopToBottom : QBoxLayout::LeftToRight);
}

history::Filter HistoryFilters::filter() const {
  history::Filter wanted;
  wanted.text = search_->text().trimmed().toStdString();
  wanted.scan = scan_->text().trimmed().toStdString();
  wanted.parameter = parameter_->text().trimmed().toStdString();
  if (verdict_->currentIndex() > 0) wanted.verdict = verdict_->currentText().toStdString();
  for (std::size_t i = 1; i < kinds_.size(); ++i)
    if (kinds_[i]->isChecked()) wanted.kind = history::to_string(static_cast<history::Kind>(i - 1));
  if (const int days = period_->currentData().toInt(); days > 0)
    wanted.since = static_cast<double>(QDateTime::currentSecsSinceEpoch()) - days * day;
  return wanted;
}

bool HistoryFilters::is_empty() const {
  return search_->text().isEmpty() && scan_->text().isEmpty() && parameter_->text().isEmpty() &&
         verdict_->currentIndex() == 0 && period_->currentIndex() == 0 && kinds_[0]->isChecked();
}

void HistoryFilters::clear() {
  {
    const QSignalBlocker a(search_), b(scan_), c(parameter_), d(period_), e(verdict_);
    for (QLineEdit* line : {search_, scan_, parameter_}) line->clear();
    period_->setCurrentIndex(0);
    verdict_->setCurrentIndex(0);
    kinds_[0]->setChecked(true);
  }
  Q_EMIT changed();
}

void HistoryFilters::show_counts(const std::array<int, 4>& of_kinds, const QStringList& verdicts) {
  const auto titles = kind_titles();
  int all = 0;
  for (std::size_t i = 0; i < of_kinds.size(); ++i) {
    all += of_kinds[i];
    kinds_[i + 1]->setText(QStringLiteral("%1 %2").arg(titles[i + 1]).arg(of_kinds[i]));
  }
  kinds_[0]->setText(QStringLiteral("%1 %2").arg(titles[0]).arg(all));
  const QSignalBlocker quiet(verdict_);
  const QString chosen = verdict_->currentIndex() > 0 ? verdict_->currentText() : QString();
  while (verdict_->count() > 1) verdict_->removeItem(1);
  QStringList offered = verdicts;
  if (!chosen.isEmpty() && !offered.contains(chosen)) offered << chosen;
  verdict_->addItems(offered);
  verdict_->setCurrentIndex(chosen.isEmpty() ? 0 : verdict_->findText(chosen));
}

}  // namespace tl::ui
