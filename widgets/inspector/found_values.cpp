// FoundValues: shows the values that a node measured: one row per value, and a badge in the verdict's colour.
#include "widgets/inspector/found_values.h"

#include <QFormLayout>
#include <QLabel>

#include "widgets/text/typeset.h"
#include "widgets/theme/theme.h"

namespace tl::ui {
namespace {

QString verdict_tone(Verdict verdict) {
  switch (verdict) {
    case Verdict::resolved:
      return QStringLiteral("good");
    case Verdict::railed:
    case Verdict::ambiguous:
      return QStringLiteral("warning");
    case Verdict::flat:
      return QStringLiteral("error");
    case Verdict::none:
      break;
  }
  return {};
}

QString verdict_meaning(Verdict verdict) {
  switch (verdict) {
    case Verdict::resolved:
      return FoundValues::tr("The data distinguish this value from its neighbours.");
    case Verdict::railed:
      return FoundValues::tr("The best value lies at the end of the search range: widen the range.");
    case Verdict::ambiguous:
      return FoundValues::tr("Two values fit about equally well: look at the curve.");
    case Verdict::flat:
      return FoundValues::tr("The data do not determine this value.");
    case Verdict::none:
      break;
  }
  return {};
}

QString verdict_word(Verdict verdict) {
  switch (verdict) {
    case Verdict::resolved:
      return FoundValues::tr("resolved");
    case Verdict::railed:
      return FoundValues::tr("railed");
    case Verdict::ambiguous:
      return FoundValues::tr("ambiguous");
    case Verdict::flat:
      return FoundValues::tr("flat");
    case Verdict::none:
      break;
  }
  return {};
}

}  // namespace

FoundValues::FoundValues(QWidget* parent) : QWidget(parent), rows_(new QFormLayout(this)) {
  rows_->setContentsMargins(0, 0, 0, 0);
  rows_->setHorizontalSpacing(Theme::space(3));
  rows_->setVerticalSpacing(Theme::space(2));
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
    auto* value = new QLabel(typeset(QString::fromStdString(text)), this);
    value->setFont(Theme::number_font());
    value->setTextInteractionFlags(Qt::TextSelectableByMouse);
    value->setWordWrap(true);
    rows_->addRow(tr("Found %1").arg(QString::fromStdString(name)), value);
  }
  if (status.found.empty() || status.verdict == Verdict::none) return;
  auto* badge = new QLabel(verdict_word(status.verdict), this);
  badge->setProperty("role", "badge");
  badge->setProperty("tone", verdict_tone(status.verdict));
  badge->setToolTip(verdict_meaning(status.verdict));
  badge->setSizePolicy(QSizePolicy::Maximum, QSizePolicy::Maximum);
  rows_->addRow(tr("Verdict"), badge);
}

}  // namespace tl::ui
