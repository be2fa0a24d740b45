// PruningCard: shows how small and how good the pruned network is, and saves it.
#include "widgets/training/pruning_card.h"

#include <QFileInfo>
#include <QLabel>
#include <QMessageBox>
#include <QPushButton>
#include <QVBoxLayout>
#include <algorithm>

#include "widgets/text/amounts.h"
#include "widgets/text/error_text.h"
#include "widgets/theme/style_property.h"
#include "widgets/theme/theme.h"
#include "widgets/training/value_rows.h"

namespace tl::ui {

PruningCard::PruningCard(PruningSession& pruning, QWidget* parent)
    : QFrame(parent),
      pruning_(pruning),
      column_(new QVBoxLayout(this)),
      failure_(new QLabel(this)),
      save_(new QPushButton(tr("Save"), this)),
      use_(new QPushButton(tr("Use it"), this)),
      reject_(new QPushButton(this)) {
  setProperty("role", "card");
  setAccessibleName(tr("The pruned network"));
  column_->setContentsMargins(Theme::space(3), Theme::space(2), Theme::space(3), Theme::space(2));
  column_->setSpacing(Theme::space(2));
  failure_->setProperty("tone", "error");
  failure_->setWordWrap(true);
  failure_->hide();
  column_->addWidget(failure_);
  save_->setToolTip(tr("Saves the network, and the report with norm and fate of every filter next to it"));
  auto* buttons = new QHBoxLayout;
  for (QPushButton* b : {save_, use_, reject_}) buttons->addWidget(b);
  buttons->addStretch(1);
  column_->addLayout(buttons);
  connect(save_, &QPushButton::clicked, this, &PruningCard::save);
  connect(use_, &QPushButton::clicked, this, [this] {
    if (pruning_.saved_as() || save()) pruning_.use();
  });
  connect(reject_, &QPushButton::clicked, &pruning_, &PruningSession::reject);
  connect(&pruning_, &PruningSession::state_changed, this, [this] {
    failure_->hide();
    refresh();
  });
  connect(&pruning_, &PruningSession::settings_changed, this, &PruningCard::refresh);
  refresh();
}

// What exists is replaced only after a question.
bool PruningCard::may_replace(const PrunedOutput& output) {
  QStringList there;
  for (const QString& file : {output.network, output.report})
    if (QFileInfo::exists(file)) there << QFileInfo(file).fileName();
  if (there.isEmpty()) return true;
  QMessageBox box(QMessageBox::NoIcon, tr("The output exists"), tr("Replace %1?").arg(there.join(tr(" and "))),
                  QMessageBox::NoButton, this);
  box.setTextFormat(Qt::PlainText);
  QPushButton* replace = box.addButton(tr("Replace"), QMessageBox::AcceptRole);
  box.addButton(QMessageBox::Cancel);
  box.setDefaultButton(QMessageBox::Cancel);
  box.exec();
  return box.clickedButton() == replace;
}

bool PruningCard::save() {
  failure_->hide();
  if (!may_replace(pruning_.output())) return false;
  const Result<void> saved = pruning_.save();
  failure_->setVisible(!saved.ok());
  if (!saved.ok()) failure_->setText(tr("Not saved: %1").arg(error_text(saved.error())));
  return saved.ok();
}

void PruningCard::fill(ValueRows& rows) const {
  const train::PruningProgress& p = pruning_.progress();
  const train::PrunedState &first = p.states.front(), &last = p.states.back();
  using Weight = ValueRows::Weight;
  rows.add_row(tr("Filters"), tr("%1 of %2").arg(last.filters).arg(first.filters), Weight::strong);
  rows.add_row(tr("Parameters"), tr("%1 of %2").arg(last.parameters).arg(first.parameters), Weight::normal);
  if (first.trained && last.trained)
    rows.add_row(tr("Macro F1"),
                 tr("%1, was %2").arg(last.trained->macro_f1, 0, 'f', 3).arg(first.trained->macro_f1, 0, 'f', 3),
                 Weight::normal);
  rows.add_note(tr("%1 steps in %2.").arg(p.states.size() - 1).arg(duration_text(pruning_.end()->seconds)));
  const auto chains =
      std::count_if(p.states.begin(), p.states.end(), [](const train::PrunedState& s) { return s.whole_chains; });
  if (chains > 0)
    rows.add_note(tr("In %1 of them the method alone would have cut most paths through the network: the strongest "
                     "whole chains of filters were kept.")
                      .arg(chains));
  for (const std::string& warning : p.warnings) rows.add_note(QString::fromStdString(warning));
  const PrunedOutput output = pruning_.output();
  rows.add_note(
      (pruning_.saved_as() ? tr("Saved as %1, with the report %2.") : tr("Save writes %1, and the report %2."))
          .arg(QFileInfo(output.network).fileName(), QFileInfo(output.report).fileName()));
}

void PruningCard::refresh() {
  if (values_ != nullptr) {
    values_->hide();
    values_->deleteLater();
    values_ = nullptr;
  }
  const bool shown = pruning_.state() == PruningState::ended && pruning_.progress().states.size() > 1;
  setVisible(shown);
  if (!shown) return;
  values_ = new ValueRows(this);
  fill(*values_);
  column_->insertWidget(0, values_);
  const bool is_saved = pruning_.saved_as().has_value();
  const std::string node = pruning_.network_node();
  set_style_property(*save_, "role", is_saved ? "" : "primary");
  set_style_property(*use_, "role", is_saved ? "primary" : "");
  save_->setEnabled(!is_saved);
  use_->setEnabled(!node.empty());
  use_->setToolTip(node.empty() ? tr("No node of this pipeline applies a network")
                                : tr("Saves the network if it is not saved, and sets it in the node %1: one step that "
                                     "can be undone")
                                      .arg(QString::fromStdString(node)));
  reject_->setText(is_saved ? tr("Close") : tr("Reject"));
  reject_->setToolTip(is_saved ? tr("Forgets the network; its files stay")
                               : tr("Forgets the network; the pipeline stays as it is"));
}

}  // namespace tl::ui
