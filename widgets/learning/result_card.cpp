// ResultCard: shows the result of learning, a row per value and the determined combinations, and accepts or rejects it.
#include "widgets/learning/result_card.h"

#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>

#include "widgets/text/found_text.h"
#include "widgets/theme/theme.h"

namespace tl::ui {

ResultCard::ResultCard(LearningSession& learning, QWidget* parent)
    : QFrame(parent),
      learning_(learning),
      column_(new QVBoxLayout(this)),
      accept_(new QPushButton(tr("Accept"), this)),
      reject_(new QPushButton(tr("Reject"), this)) {
  setProperty("role", "card");
  setAccessibleName(tr("What was found"));
  column_->setContentsMargins(Theme::space(3), Theme::space(2), Theme::space(3), Theme::space(2));
  column_->setSpacing(Theme::space(2));
  accept_->setProperty("role", "primary");
  accept_->setToolTip(tr("Writes the values into the pipeline: one step that can be undone"));
  reject_->setToolTip(tr("Leaves the pipeline as it is; the run stays in the history"));
  auto* buttons = new QHBoxLayout;
  buttons->addWidget(accept_);
  buttons->addWidget(reject_);
  buttons->addStretch(1);
  column_->addLayout(buttons);
  connect(accept_, &QPushButton::clicked, &learning_, &LearningSession::accept);
  connect(reject_, &QPushButton::clicked, &learning_, &LearningSession::reject);
  connect(&learning_, &LearningSession::state_changed, this, &ResultCard::refresh);
  refresh();
}

void ResultCard::add_note(const QString& text) {
  if (text.isEmpty()) return;
  auto* note = new QLabel(text, values_);
  note->setProperty("role", "second");
  note->setWordWrap(true);
  note->setTextInteractionFlags(Qt::TextSelectableByMouse);
  values_->layout()->addWidget(note);
}

void ResultCard::add_found(const learn::Found& found) {
  auto* row = new QHBoxLayout;
  row->setSpacing(Theme::space(2));
  auto* name = new QLabel(learning_.title_of(found.node, found.name), values_);
  auto* value = new QLabel(found_text(found), values_);
  QFont font = Theme::number_font();
  font.setWeight(QFont::DemiBold);
  value->setFont(font);
  value->setTextInteractionFlags(Qt::TextSelectableByMouse);
  auto* badge = new QLabel(trust_word(found.trust), values_);
  badge->setProperty("role", "badge");
  badge->setProperty("tone", trust_tone(found.trust));
  badge->setToolTip(trust_meaning(found.trust));
  badge->setAccessibleName(tr("Verdict on %1: %2").arg(name->text(), badge->text()));
  row->addWidget(name);
  row->addWidget(value);
  row->addStretch(1);
  row->addWidget(badge);
  static_cast<QVBoxLayout*>(values_->layout())->addLayout(row);
  add_note(QString::fromStdString(found.explanation));
  if (found.derivative == learn::Derivative::differences)
    add_note(tr("Gradient by finite differences: a node between it and the objective is not differentiable."));
}

void ResultCard::refresh() {
  if (values_ != nullptr) {
    values_->hide();
    values_->deleteLater();
    values_ = nullptr;
  }
  const bool shown = learning_.state() == LearningState::ended;
  setVisible(shown);
  if (!shown) return;
  values_ = new QWidget(this);
  auto* inner = new QVBoxLayout(values_);
  inner->setContentsMargins(0, 0, 0, 0);
  inner->setSpacing(Theme::space(1));
  const learn::Learned& learned = learning_.end()->learned;
  for (const learn::Found& found : learned.found) add_found(found);
  for (const learn::Combination& c : learned.combinations) add_note(QString::fromStdString(c.text));
  if (learned.found.size() > 1 && learned.condition > 0)
    add_note(tr("Condition number %1").arg(learned.condition, 0, 'g', 3));
  const QString why_not = learning_.unacceptable();
  accept_->setVisible(why_not.isEmpty());
  reject_->setText(why_not.isEmpty() ? tr("Reject") : tr("Close"));
  add_note(why_not.isEmpty() ? tr("Accept writes this result into the pipeline; until then the views show it.")
                             : why_not);
  column_->insertWidget(0, values_);
}

}  // namespace tl::ui
