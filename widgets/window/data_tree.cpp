// DataTree: three narrow columns; a click on a scan chooses the node that reads it.
#include "widgets/window/data_tree.h"

#include <QHeaderView>

#include "widgets/theme/theme.h"

namespace tl::ui {

DataTree::DataTree(ScanModel& model, Selection& selection, QWidget* parent) : QTreeView(parent), model_(model) {
  setModel(&model_);
  setHeaderHidden(true);
  setAccessibleName(tr("Data"));
  setUniformRowHeights(true);
  setRootIsDecorated(false);
  setViewportMargins(Theme::space(1), 0, 0, 0);
  setIndentation(Theme::space(3));
  setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  setTextElideMode(Qt::ElideRight);
  header()->setStretchLastSection(false);
  header()->setMinimumSectionSize(Theme::space(8));
  header()->setSectionResizeMode(ScanModel::name_column, QHeaderView::Stretch);
  header()->setSectionResizeMode(ScanModel::value_column, QHeaderView::ResizeToContents);
  header()->setSectionResizeMode(ScanModel::origin_column, QHeaderView::ResizeToContents);
  connect(&model_, &QAbstractItemModel::modelReset, this, &DataTree::show_all);
  connect(this, &QTreeView::clicked, &selection, [this, &selection](const QModelIndex& index) {
    if (const QString node = model_.node_of(index); !node.isEmpty()) selection.set_one(node);
  });
  connect(&Theme::instance(), &Theme::changed, viewport(), qOverload<>(&QWidget::update));
  show_all();
}

void DataTree::show_all() {
  expandAll();
  // A scan's own name may take the whole line.
  for (int row = 0; row < model_.rowCount(); ++row)
    setFirstColumnSpanned(row, {}, model_.scans()[static_cast<std::size_t>(row)].format.isEmpty());
}

}  // namespace tl::ui
