// TrainingCard: shows how good the trained network is, and saves it into the pipeline.
#include "widgets/training/training_card.h"

#include <QFileInfo>
#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>
#include <cmath>

#include "widgets/labels/label_colors.h"
#include "widgets/session/save_dialog.h"
#include "widgets/text/amounts.h"
#include "widgets/text/error_text.h"
#include "widgets/theme/theme.h"
#include "widgets/training/value_rows.h"

namespace tl::ui {
namespace {

QString score_text(double score) {
  return std::isfinite(score) ? QString::number(score, 'f', 3) : TrainingCard::tr("not measured");
}

QString end_text(train::JobEnd::Why why) {
  switch (why) {
    case train::JobEnd::Why::patience:
      return TrainingCard::tr("no better epoch came");
    case train::JobEnd::Why::taken:
      return TrainingCard::tr("the best was taken");
    case train::JobEnd::Why::all_epochs:
      break;
  }
  return TrainingCard::tr("all epochs");
}

}  // namespace

TrainingCard::TrainingCard(TrainingSession& training, QWidget* parent)
    : QFrame(parent),
      training_(training),
      column_(new QVBoxLayout(this)),
      failure_(new QLabel(this)),
      accept_(new QPushButton(tr("Accept"), this)),
      reject_(new QPushButton(tr("Reject"), this)) {
  setProperty("role", "card");
  setAccessibleName(tr("The trained network"));
  column_->setContentsMargins(Theme::space(3), Theme::space(2), Theme::space(3), Theme::space(2));
  column_->setSpacing(Theme::space(2));
  failure_->setProperty("tone", "error");
  failure_->setWordWrap(true);
  column_->addWidget(failure_);
  accept_->setProperty("role", "primary");
  accept_->setToolTip(tr("Saves the network, and sets it in the node Network: one step that can be undone"));
  reject_->setToolTip(tr("Forgets the network; the pipeline stays as it is"));
  auto* buttons = new QHBoxLayout;
  buttons->addWidget(accept_);
  buttons->addWidget(reject_);
  buttons->addStretch(1);
  column_->addLayout(buttons);
  connect(accept_, &QPushButton::clicked, this, &TrainingCard::accept);
  connect(reject_, &QPushButton::clicked, &training_, &TrainingSession::reject);
  connect(&training_, &TrainingSession::state_changed, this, &TrainingCard::refresh);
  refresh();
}

void TrainingCard::accept() {
  QString file = training_.suggested_file();
  if (file.isEmpty())
    file = ask_for_file(this, {tr("Save the network"),
                               QStringLiteral("network.safetensors"),
                               tr("Networks (*.safetensors)"),
                               {".safetensors"}});
  if (file.isEmpty()) return;
  const Result<void> saved = training_.accept(file);
  failure_->setVisible(!saved.ok());
  if (!saved.ok()) failure_->setText(tr("Not saved: %1").arg(error_text(saved.error())));
}

void TrainingCard::refresh() {
  if (values_ != nullptr) {
    values_->hide();
    values_->deleteLater();
    values_ = nullptr;
  }
  const train::JobProgress& p = training_.progress();
  const bool shown = training_.state() == TrainingState::ended && !p.curves.empty();
  setVisible(shown);
  failure_->hide();
  if (!shown) return;
  const train::JobEnd& end = *training_.end();
  const train::EpochScores& best = p.curves[static_cast<std::size_t>(end.best_epoch - 1)];
  values_ = new ValueRows(this);
  values_->add_row(tr("Macro F1"), score_text(best.macro_f1), ValueRows::Weight::strong);
  LabelTable table;
  table.classes = p.classes;
  for (std::size_t c = 0; c < p.classes.size(); ++c) {
    const int64_t number = p.classes[c].number;
    const QString name = label_name(table, number);
    values_->add_class_row(name.isEmpty() ? tr("class %1").arg(number) : name, score_text(best.f1.at(c)),
                           label_rgb(table, number));
  }
  values_->add_note(tr("Epoch %1 of %2, validation loss %3: %4 after %5.")
                        .arg(end.best_epoch)
                        .arg(p.curves.size())
                        .arg(best.validation_loss, 0, 'g', 3)
                        .arg(end_text(end.why), duration_text(end.seconds)));
  for (const std::string& warning : p.warnings) values_->add_note(QString::fromStdString(warning));
  const QString file = training_.suggested_file();
  values_->add_note(file.isEmpty() ? tr("Accept asks where the network is saved, and sets it in the node Network.")
                                   : tr("Accept saves it as %1 next to the pipeline, and sets it in the node Network.")
                                         .arg(QFileInfo(file).fileName()));
  column_->insertWidget(0, values_);
}

}  // namespace tl::ui
