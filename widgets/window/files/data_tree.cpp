// DataTree: shows names and values of scans and volumes as a tree, with mouse and keyboard.
#include "widgets/window/files/data_tree.h"

#include <QContextMenuEvent>
#include <QHeaderView>
#include <QKeyEvent>
#include <QMenu>
#include <QPainter>
#include <QStyledItemDelegate>
#include <algorithm>

#include "widgets/theme/theme.h"

namespace tl::ui {
namespace {

// Values from the file need no prefix; guessed and user-given values are prefixed with that word.
class ValueDelegate final : public QStyledItemDelegate {
 public:
  using QStyledItemDelegate::QStyledItemDelegate;

 protected:
  void initStyleOption(QStyleOptionViewItem* option, const QModelIndex& index) const override {
    QStyledItemDelegate::initStyleOption(option, index);
    const QModelIndex place = index.siblingAtColumn(ScanModel::origin_column);
    const QString word = place.data().toString();
    if (place.data(ScanModel::origin_role).toInt() != static_cast<int>(Origin::file) && !word.isEmpty())
      option->text = word + QStringLiteral(" · ") + option->text;
  }
};

// A scan or a volume has two lines: name and state, then its description. Other rows are as by default.
class EntryDelegate final : public QStyledItemDelegate {
 public:
  using QStyledItemDelegate::QStyledItemDelegate;

  void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override {
    const QString brief = index.data(ScanModel::brief_role).toString();
    const QString state = index.data(ScanModel::state_role).toString();
    if (index.parent().isValid()) return QStyledItemDelegate::paint(painter, option, index);
    painter->save();
    const Theme& theme = Theme::instance();
    if (option.state.testFlag(QStyle::State_Selected)) painter->fillRect(option.rect, theme.color(Token::selection));
    const QRect room = option.rect.adjusted(0, 1, -Theme::space(1), -1);
    const QRect upper(room.left(), room.top(), room.width(), room.height() / 2);
    const int of_state = state.isEmpty() ? 0 : option.fontMetrics.horizontalAdvance(state) + Theme::space(2);
    const auto line = [&](const QRect& where, const QString& text, const QColor& color, Qt::Alignment side) {
      painter->setPen(color);
      painter->drawText(where, static_cast<int>(side | Qt::AlignVCenter),
                        painter->fontMetrics().elidedText(text, Qt::ElideMiddle, where.width()));
    };
    painter->setFont(option.font);
    line(upper.adjusted(0, 0, -of_state, 0), index.data().toString(), index.data(Qt::ForegroundRole).value<QColor>(),
         Qt::AlignLeft);
    line(upper, state, theme.color(static_cast<Token>(index.data(ScanModel::state_color_role).toInt())),
         Qt::AlignRight);
    QFont small = option.font;
    small.setPixelSize(11);
    painter->setFont(small);
    line(QRect(room.left(), upper.bottom() + 1, room.width(), room.height() / 2), brief,
         theme.color(Token::text_second), Qt::AlignLeft);
    painter->restore();
  }

  QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override {
    const QSize size = QStyledItemDelegate::sizeHint(option, index);
    return index.parent().isValid() ? size : QSize(size.width(), 2 * option.fontMetrics.height() + Theme::space(1));
  }
};

}  // namespace

DataTree::DataTree(ScanModel& model, Selection& selection, QWidget* parent) : QTreeView(parent), model_(model) {
  setModel(&model_);
  setHeaderHidden(true);
  setAccessibleName(tr("Data"));
  setViewportMargins(Theme::space(2), 0, 0, 0);
  setIndentation(Theme::space(3));
  setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  setTextElideMode(Qt::ElideRight);
  setSelectionMode(QAbstractItemView::ExtendedSelection);
  setDragEnabled(true);
  setDragDropMode(QAbstractItemView::DragOnly);
  setExpandsOnDoubleClick(false);
  header()->setStretchLastSection(false);
  header()->setSectionResizeMode(QHeaderView::Fixed);
  setItemDelegate(new EntryDelegate(this));
  setItemDelegateForColumn(ScanModel::value_column, new ValueDelegate(this));
  setColumnHidden(ScanModel::origin_column, true);
  connect(&model_, &QAbstractItemModel::modelAboutToBeReset, this, [this] { remembered_ = selected_paths(); });
  connect(&model_, &QAbstractItemModel::modelReset, this, &DataTree::show_all);
  connect(this, &QTreeView::clicked, &selection, [this, &selection](const QModelIndex& index) {
    if (const QString node = model_.node_of(index); !node.isEmpty()) selection.set_one(node);
  });
  connect(this, &QTreeView::doubleClicked, this, &DataTree::open_at);
  connect(this, &QTreeView::expanded, this, [this](const QModelIndex& index) { opened_[key_of(index)] = true; });
  connect(this, &QTreeView::collapsed, this, [this](const QModelIndex& index) { opened_[key_of(index)] = false; });
  connect(&Theme::instance(), &Theme::changed, this, &DataTree::fit_columns);
  show_all();
}

QString DataTree::key_of(const QModelIndex& top) const {
  const QString node = model_.node_of(top);
  return node.isEmpty() ? model_.path_of(top) : QStringLiteral("node ") + node;
}

QStringList DataTree::selected_paths() const {
  QStringList paths;
  for (const ScanEntry& entry : model_.scans()) {
    const auto is_of_entry = [&](const QModelIndex& index) {
      return model_.path_of(index) == entry.path && model_.node_of(index) == entry.node;
    };
    const QModelIndexList rows = selectionModel()->selectedRows();
    if (!entry.path.isEmpty() && !paths.contains(entry.path) && std::any_of(rows.begin(), rows.end(), is_of_entry))
      paths << entry.path;
  }
  return paths;
}

// Entries of the pipeline are expanded, listed ones collapsed, until the user changes this.
void DataTree::show_all() {
  for (int row = 0; row < model_.rowCount(); ++row) {
    const QModelIndex top = model_.index(row, 0);
    setFirstColumnSpanned(row, {}, true);
    setExpanded(top, opened_.value(key_of(top), !model_.node_of(top).isEmpty()));
    if (remembered_.contains(model_.path_of(top)))
      selectionModel()->select(top, QItemSelectionModel::Select | QItemSelectionModel::Rows);
  }
  fit_columns();
}

void DataTree::open_at(const QModelIndex& index) {
  const QString path = model_.path_of(index);
  if (!path.isEmpty() && model_.node_of(index).isEmpty()) Q_EMIT open_wanted(path);
}

void DataTree::keyPressEvent(QKeyEvent* event) {
  switch (event->key()) {
    case Qt::Key_Q:
      if (event->modifiers() != Qt::NoModifier) break;
      return Q_EMIT queue_wanted(selected_paths());
    case Qt::Key_Delete: return Q_EMIT remove_wanted(selected_paths());
    case Qt::Key_Return:
    case Qt::Key_Enter: return open_at(currentIndex());
    default: break;
  }
  QTreeView::keyPressEvent(event);
}

void DataTree::contextMenuEvent(QContextMenuEvent* event) {
  const QStringList paths = selected_paths();
  if (paths.isEmpty()) return;
  QMenu menu(this);
  menu.addAction(tr("Open\tEnter"), this, [this] { open_at(currentIndex()); });
  menu.addAction(tr("Add to the queue\tQ"), this, [this, paths] { Q_EMIT queue_wanted(paths); });
  menu.addAction(tr("Remove from the list\tDel"), this, [this, paths] { Q_EMIT remove_wanted(paths); });
  menu.exec(event->globalPos());
}

// Values take precedence over names: if both do not fit, the name column shrinks, but not below a width at which names
// remain distinguishable.
void DataTree::fit_columns() {
  constexpr int min_name = 126;
  const int all = viewport()->width();
  const int value = std::min(sizeHintForColumn(ScanModel::value_column), std::max(all - min_name, 0));
  header()->resizeSection(ScanModel::value_column, value);
  header()->resizeSection(ScanModel::name_column, std::max(all - value, 0));
  viewport()->update();
}
void DataTree::resizeEvent(QResizeEvent* event) {
  QTreeView::resizeEvent(event);
  fit_columns();
}

}  // namespace tl::ui
