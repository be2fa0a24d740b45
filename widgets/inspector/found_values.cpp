// FoundValues: shows the values that a node measured: one row per value, and a badge in the verdict's colour.
#include "widgets/inspector/found_values.h"

#include <QFormLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QToolButton>

#include "core/values/enum_rows.h"
#include "widgets/language/translated.h"
#include "widgets/text/typeset.h"
#include "widgets/theme/explain_button.h"
#include "widgets/theme/layouts.h"
#include "widgets/theme/theme.h"

namespace tl::ui {
namespace {

struct VerdictRow {
  Verdict value;
  const char *word, *meaning;
  const char* tone;
};
constexpr VerdictRow verdicts[] = {
    {Verdict::resolved, QT_TRANSLATE_NOOP("tl::ui::FoundValues", "resolved"),
     QT_TRANSLATE_NOOP("tl::ui::FoundValues", "The data distinguish this value from its neighbours."), "good"},
    {Verdict::railed, QT_TRANSLATE_NOOP("tl::ui::FoundValues", "railed"),
     QT_TRANSLATE_NOOP("tl::ui::FoundValues", "The best value lies at the end of the search range: widen the range."),
     "warning"},
    {Verdict::ambiguous, QT_TRANSLATE_NOOP("tl::ui::FoundValues", "ambiguous"),
     QT_TRANSLATE_NOOP("tl::ui::FoundValues", "Two values fit about equally well: look at the curve."), "warning"},
    {Verdict::flat, QT_TRANSLATE_NOOP("tl::ui::FoundValues", "flat"),
     QT_TRANSLATE_NOOP("tl::ui::FoundValues", "The data do not determine this value."), "error"},
};

}  // namespace

FoundValues::FoundValues(QWidget* parent) : QWidget(parent), rows_(new QFormLayout(this)) {
  rows_->setContentsMargins(0, 0, 0, 0);
  rows_->setHorizontalSpacing(Theme::space(3));
  rows_->setVerticalSpacing(Theme::space(2));
  rows_->setRowWrapPolicy(QFormLayout::WrapLongRows);
  setAccessibleName(tr("Found values"));
}

void FoundValues::show_status(const live::NodeStatus& status) {
  // Statuses arrive many times per second while a node runs.
  if (status.found == shown_ && status.verdict == verdict_ && rows_->rowCount() > 0) return;
  shown_ = status.found;
  verdict_ = status.verdict;
  while (rows_->rowCount() > 0) rows_->removeRow(0);
  setVisible(!status.found.empty());
  for (const auto& [name, text] : status.found) {
    auto* value = new QLabel(typeset(translated(text)), this);
    value->setFont(Theme::number_font());
    value->setTextInteractionFlags(Qt::TextSelectableByMouse);
    value->setWordWrap(true);
    rows_->addRow(tr("Found %1").arg(translated(name)), value);
  }
  if (status.found.empty() || status.verdict == Verdict::none) return;
  const VerdictRow& verdict = enum_row(verdicts, status.verdict);
  auto* badge = new QLabel(tr(verdict.word), this);
  badge->setProperty("role", "badge");
  badge->setProperty("tone", verdict.tone);
  badge->setToolTip(tr(verdict.meaning));
  badge->setSizePolicy(QSizePolicy::Maximum, QSizePolicy::Maximum);
  auto* line = new QWidget(this);
  auto* row = framed(new QHBoxLayout(line));
  row->addWidget(badge);
  row->addWidget(explain_button(QString::fromLatin1(words_on_verdicts), tr("the verdict"), line));
  row->addStretch(1);
  rows_->addRow(tr("Verdict"), line);
}

}  // namespace tl::ui
