// QueueTable: selection, keys, and the menu of the rows.
#include "widgets/queue/queue_table.h"

#include <QContextMenuEvent>
#include <QHeaderView>
#include <QKeyEvent>
#include <QMenu>
#include <algorithm>

#include "widgets/queue/queue_delegate.h"
#include "widgets/theme/theme.h"

namespace tl::ui {
namespace {

// px; the notes get the remaining width
constexpr std::array<int, QueueModel::column_count> widths = {84, 190, 120, 130, 130, 110, 130, 0};
constexpr int min_notes = 150;
// Hidden in this order while there is no room for the notes.
constexpr std::array<QueueModel::Column, 2> hidden_when_narrow = {QueueModel::pipeline_column,
                                                                  QueueModel::changed_column};

}  // namespace

QueueTable::QueueTable(QueueSession& queue, QWidget* parent)
    : QTableView(parent), queue_(queue), model_(new QueueModel(queue, this)) {
  setModel(model_);
  setItemDelegate(new QueueDelegate(this));
  setAccessibleName(tr("Queue of scans"));
  setSelectionBehavior(QAbstractItemView::SelectRows);
  setSelectionMode(QAbstractItemView::ExtendedSelection);
  setEditTriggers(QAbstractItemView::DoubleClicked);
  setTabKeyNavigation(false);
  setShowGrid(false);
  setWordWrap(false);
  setDragEnabled(true);
  setAcceptDrops(true);
  setDragDropMode(QAbstractItemView::DragDrop);
  setDefaultDropAction(Qt::MoveAction);
  setDragDropOverwriteMode(false);
  setDropIndicatorShown(true);
  setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  verticalHeader()->hide();
  verticalHeader()->setDefaultSectionSize(QueueDelegate::row_height);
  horizontalHeader()->setHighlightSections(false);
  horizontalHeader()->setDefaultAlignment(Qt::AlignLeft | Qt::AlignVCenter);
  horizontalHeader()->setSectionResizeMode(QHeaderView::Fixed);
  connect(model_, &QAbstractItemModel::modelAboutToBeReset, this, [this] { remembered_ = selected(); });
  connect(model_, &QueueModel::rows_replaced, this, [this] { select(remembered_); });
  connect(selectionModel(), &QItemSelectionModel::selectionChanged, this, &QueueTable::selection_changed);
  connect(this, &QTableView::doubleClicked, this, [this](const QModelIndex& index) {
    if (index.column() != QueueModel::changed_column) open_current();
  });
  fit_columns();
}

std::vector<std::string> QueueTable::selected() const { return model_->names(selectionModel()->selectedRows()); }

void QueueTable::select(const std::vector<std::string>& names) {
  QItemSelection selection;
  QModelIndex first;
  for (const std::string& name : names) {
    const int row = model_->index_of(name);
    if (row < 0) continue;
    selection.select(model_->index(row, 0), model_->index(row, QueueModel::column_count - 1));
    if (!first.isValid()) first = model_->index(row, QueueModel::scan_column);
  }
  if (first.isValid()) selectionModel()->setCurrentIndex(first, QItemSelectionModel::NoUpdate);
  selectionModel()->select(selection, QItemSelectionModel::ClearAndSelect);
}

const tl::ScanRow* QueueTable::current_row() const {
  const QModelIndexList rows = selectionModel()->selectedRows();
  if (rows.isEmpty()) return nullptr;
  return &model_->row(rows.contains(currentIndex().siblingAtColumn(0)) ? currentIndex().row() : rows.first().row());
}

void QueueTable::move_selected(MoveDirection direction) {
  const std::vector<std::string> names = selected();
  if (names.empty()) return;
  const int first = model_->index_of(names.front()), last = model_->index_of(names.back());
  if (direction == MoveDirection::up && first > 0) queue_.move(names, static_cast<std::size_t>(first - 1));
  if (direction == MoveDirection::down && last + 1 < model_->rowCount())
    queue_.move(names, static_cast<std::size_t>(last + 2));
}

void QueueTable::remove_selected() {
  const std::vector<std::string> names = selected();
  if (names.empty()) return;
  const int next = model_->index_of(names.back()) + 1;
  const std::string after = next < model_->rowCount() ? model_->row(next).name : std::string();
  queue_.remove(names);
  if (after.empty() && model_->rowCount() > 0) select({model_->row(model_->rowCount() - 1).name});
  if (!after.empty()) select({after});
}

void QueueTable::open_current() {
  const tl::ScanRow* row = current_row();
  if (row == nullptr) return;
  if (const QString file = queue_.result_of(*row); !file.isEmpty()) Q_EMIT open_wanted(file);
}

void QueueTable::edit_current() {
  if (const tl::ScanRow* row = current_row(); row != nullptr)
    edit(model_->index(model_->index_of(row->name), QueueModel::changed_column));
}

void QueueTable::keyPressEvent(QKeyEvent* event) {
  // Keys that the editor of a cell does not handle, such as the Return that ends editing, are not meant for the row.
  if (state() == EditingState) return QTableView::keyPressEvent(event);
  const bool alt = event->modifiers().testFlag(Qt::AltModifier);
  switch (event->key()) {
    case Qt::Key_Up:
    case Qt::Key_Down:
      if (!alt) break;
      return move_selected(event->key() == Qt::Key_Up ? MoveDirection::up : MoveDirection::down);
    case Qt::Key_Space: return queue_.hold(selected());
    case Qt::Key_R:
      if (event->modifiers() != Qt::NoModifier) break;
      return queue_.retry(selected());
    case Qt::Key_F2: return edit_current();
    case Qt::Key_Delete: return remove_selected();
    case Qt::Key_Return:
    case Qt::Key_Enter: return open_current();
    default: break;
  }
  QTableView::keyPressEvent(event);
}

void QueueTable::contextMenuEvent(QContextMenuEvent* event) {
  if (selected().empty() || !queue_.foreign().isEmpty()) return;
  QMenu menu(this);
  menu.addAction(tr("Open the result\tEnter"), this, &QueueTable::open_current);
  menu.addAction(tr("Change parameters…\tF2"), this, &QueueTable::edit_current);
  menu.addAction(tr("Use the pipeline shown"), this, [this] { queue_.use_pipeline(selected()); });
  menu.addSeparator();
  menu.addAction(tr("Pause or resume\tSpace"), this, [this] { queue_.hold(selected()); });
  menu.addAction(tr("Retry\tR"), this, [this] { queue_.retry(selected()); });
  if (const tl::ScanRow* row = current_row(); row != nullptr)
    if (const RowJob* job = queue_.cluster().job(row->name); job != nullptr) {
      const QString title = tr("Log of %1").arg(QString::fromStdString(row->name));
      menu.addAction(tr("Log of the job…"), this, [this, title, log = job->status.log] { show_log(this, title, log); });
      menu.addAction(tr("Send again"), this, [this] { queue_.send_again(selected()); })
          ->setEnabled(row->state == ScanState::failed);
      menu.addAction(tr("Cancel the job"), this, [this] { queue_.cancel_sent(selected()); })
          ->setEnabled(row->state == ScanState::sent);
    }
  menu.addAction(tr("Move up\tAlt+Up"), this, [this] { move_selected(MoveDirection::up); });
  menu.addAction(tr("Move down\tAlt+Down"), this, [this] { move_selected(MoveDirection::down); });
  menu.addSeparator();
  menu.addAction(tr("Remove from the queue\tDel"), this, &QueueTable::remove_selected);
  menu.exec(event->globalPos());
}

void QueueTable::fit_columns() {
  int rest = viewport()->width();
  for (const int width : widths) rest -= width;
  for (const QueueModel::Column column : hidden_when_narrow) {
    const bool is_hidden = rest < min_notes;
    setColumnHidden(column, is_hidden);
    if (is_hidden) rest += widths.at(column);
  }
  for (int column = 0; column < QueueModel::column_count; ++column)
    if (!isColumnHidden(column))
      setColumnWidth(column, column == QueueModel::notes_column ? std::max(rest, min_notes)
                                                                : widths.at(static_cast<std::size_t>(column)));
}

void QueueTable::resizeEvent(QResizeEvent* event) {
  QTableView::resizeEvent(event);
  fit_columns();
}

}  // namespace tl::ui
