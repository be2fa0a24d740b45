// DataTree: shows names and values of the open scans as a tree; clicking a scan selects the node that reads it.
#include "widgets/window/files/data_tree.h"

#include <QHeaderView>
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
    if (!index.parent().isValid()) {
      option->text = word;  // the format of the scan
    } else if (place.data(ScanModel::origin_role).toInt() != static_cast<int>(Origin::file) && !word.isEmpty()) {
      option->text = word + QStringLiteral(" · ") + option->text;
    }
  }
};

}  // namespace

DataTree::DataTree(ScanModel& model, Selection& selection, QWidget* parent) : QTreeView(parent), model_(model) {
  setModel(&model_);
  setHeaderHidden(true);
  setAccessibleName(tr("Data"));
  setUniformRowHeights(true);
  setRootIsDecorated(false);
  setViewportMargins(Theme::space(2), 0, 0, 0);
  setIndentation(Theme::space(3));
  setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  setTextElideMode(Qt::ElideRight);
  header()->setStretchLastSection(false);
  header()->setSectionResizeMode(QHeaderView::Fixed);
  setItemDelegateForColumn(ScanModel::value_column, new ValueDelegate(this));
  setColumnHidden(ScanModel::origin_column, true);
  connect(&model_, &QAbstractItemModel::modelReset, this, &DataTree::show_all);
  connect(this, &QTreeView::clicked, &selection, [this, &selection](const QModelIndex& index) {
    if (const QString node = model_.node_of(index); !node.isEmpty()) selection.set_one(node);
  });
  connect(&Theme::instance(), &Theme::changed, this, &DataTree::fit_columns);
  show_all();
}

void DataTree::show_all() {
  expandAll();
  // A scan's own name may span all columns.
  for (int row = 0; row < model_.rowCount(); ++row)
    setFirstColumnSpanned(row, {}, model_.scans()[static_cast<std::size_t>(row)].format.isEmpty());
  fit_columns();
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
