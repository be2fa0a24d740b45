// MessagePanel: shows the list of messages, and copies or clears it.
#include "widgets/window/message_panel.h"

#include <QApplication>
#include <QClipboard>
#include <QLabel>
#include <QListView>
#include <QPushButton>
#include <QScrollBar>
#include <QToolButton>
#include <QVBoxLayout>

#include "widgets/theme/glyphs.h"
#include "widgets/theme/layouts.h"
#include "widgets/theme/theme.h"
#include "widgets/window/state/message_model.h"

namespace tl::ui {

MessagePanel::MessagePanel(MessageModel& model, QWidget* parent)
    : QFrame(parent), model_(model), list_(new QListView(this)) {
  setProperty("role", "dock");
  setFixedHeight(Theme::space(50));
  auto* heading = as_heading(new QLabel(tr("Messages"), this));
  auto* copy = new QPushButton(tr("Copy all"), this);
  auto* clear = new QPushButton(tr("Clear"), this);
  auto* close = new QToolButton(this);
  close->setIcon(glyph_icon(Glyph::cross));
  close->setAccessibleName(tr("Close messages"));
  close->setToolTip(close->accessibleName());
  list_->setModel(&model_);
  list_->setWordWrap(true);
  list_->setAccessibleName(tr("Messages"));
  auto* head = new QHBoxLayout;
  head->addWidget(heading, 1);
  head->addWidget(copy);
  head->addWidget(clear);
  head->addWidget(close);
  auto* column = spaced(new QVBoxLayout(this), 2, {3, 2, 3, 2});
  column->addLayout(head);
  column->addWidget(list_, 1);
  connect(close, &QToolButton::clicked, this, &QWidget::hide);
  connect(clear, &QPushButton::clicked, &model_, &MessageModel::clear);
  connect(copy, &QPushButton::clicked, this, [this] {
    QStringList lines;
    for (int row = 0; row < model_.rowCount(); ++row)
      if (!model_.is_earlier(row)) lines << model_.data(model_.index(row), Qt::DisplayRole).toString();
    QApplication::clipboard()->setText(lines.join(QChar('\n')));
  });
  const auto go = [this](const QModelIndex& index) {
    if (const QString& node = model_.at(index.row()).node; !node.isEmpty()) Q_EMIT node_wanted(node);
  };
  connect(list_, &QListView::clicked, this, go);
  connect(list_, &QListView::activated, this, go);
  connect(&model_, &MessageModel::pipeline_begun, this, &MessagePanel::hide_earlier);
  // New messages come into sight unless the user has scrolled up to read.
  const QScrollBar* bar = list_->verticalScrollBar();
  connect(&model_, &QAbstractItemModel::rowsAboutToBeInserted, this,
          [this, bar] { is_at_end_ = bar->value() == bar->maximum(); });
  connect(
      &model_, &QAbstractItemModel::rowsInserted, this,
      [this] {
        if (is_at_end_) list_->scrollToBottom();
      },
      Qt::QueuedConnection);
  hide();
}

void MessagePanel::hide_earlier() {
  for (int row = 0; row < model_.rowCount(); ++row) list_->setRowHidden(row, model_.is_earlier(row));
}

void MessagePanel::open() {
  show();
  list_->scrollToBottom();
  list_->setFocus();
}

}  // namespace tl::ui
