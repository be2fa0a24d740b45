// GuidePanel: leads through the pipeline step by step: list of steps, summary of the current one, Back and Next.
#include "widgets/window/guide/guide_panel.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QListView>
#include <QPushButton>
#include <QVBoxLayout>

#include "core/live/notification.h"
#include "widgets/language/translated.h"
#include "widgets/text/error_text.h"
#include "widgets/theme/layouts.h"
#include "widgets/theme/theme.h"

namespace tl::ui {

GuidePanel::GuidePanel(LiveSession& session, Selection& selection, QWidget* parent)
    : QWidget(parent),
      session_(session),
      selection_(selection),
      model_(session),
      list_(new QListView(this)),
      advice_(new QLabel(this)),
      back_(new QPushButton(tr("Back"), this)),
      next_(new QPushButton(this)) {
  list_->setModel(&model_);
  list_->setAccessibleName(tr("Steps of the pipeline"));
  list_->setSpacing(Theme::space(1));
  list_->setTextElideMode(Qt::ElideRight);
  list_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  as_note(advice_);
  next_->setProperty("role", "primary");
  auto* leave = new QPushButton(tr("Leave guided mode"), this);
  auto* buttons = new QHBoxLayout;
  buttons->addWidget(back_);
  buttons->addWidget(next_, 1);
  auto* foot = spaced(new QVBoxLayout, 2, {3, 0, 3, 3});
  foot->addWidget(advice_);
  foot->addLayout(buttons);
  foot->addWidget(leave);
  auto* column = spaced(new QVBoxLayout(this), 2);
  column->addWidget(list_, 1);
  column->addLayout(foot);
  connect(list_->selectionModel(), &QItemSelectionModel::currentChanged, this, [this](const QModelIndex& index) {
    if (index.isValid()) selection_.set_one(model_.node(index.row()));
  });
  connect(back_, &QPushButton::clicked, this, [this] { go(model_.row_of(selection_.current()) - 1); });
  connect(next_, &QPushButton::clicked, this, [this] {
    const int row = model_.row_of(selection_.current());
    if (model_.rowCount() == 0) return Q_EMIT open_wanted();
    if (row + 1 >= model_.rowCount()) return Q_EMIT run_wanted();
    go(row + 1);
  });
  connect(leave, &QPushButton::clicked, this, &GuidePanel::leave_wanted);
  connect(&selection_, &Selection::changed, this, &GuidePanel::show_step);
  connect(&model_, &GuideModel::modelReset, this, &GuidePanel::show_step);
  connect(&session_, &LiveSession::status_changed, this, [this](const QString& node) {
    if (node == selection_.current()) show_step();
  });
  show_step();
}

void GuidePanel::go(int row) {
  if (row >= 0 && row < model_.rowCount()) selection_.set_one(model_.node(row));
}

void GuidePanel::show_step() {
  const int row = model_.row_of(selection_.current()), rows = model_.rowCount();
  if (row >= 0) list_->setCurrentIndex(model_.index(row));
  back_->setEnabled(row > 0);
  next_->setText(rows == 0 ? tr("Open a scan…") : row + 1 >= rows ? tr("Run all") : tr("Next"));
  const auto& nodes = session_.document().graph().nodes;
  const auto node = nodes.find(selection_.current().toStdString());
  const NodeType* type = node == nodes.end() ? nullptr : session_.document().registry().find(node->second.type);
  const live::NodeStatus status = session_.status(selection_.current());
  if (rows == 0) {
    advice_->setText(tr("Open a scan: its steps appear here."));
  } else if (status.error) {
    advice_->setText(error_text(*status.error));
  } else {
    advice_->setText(type == nullptr ? tr("Choose a step.") : translated(type->summary));
  }
}

}  // namespace tl::ui
