// NodeList: builds the dock "Nodes": a search line and the tree of node types.
#include "widgets/canvas/outline/node_list.h"

#include <QKeyEvent>
#include <QVBoxLayout>

#include "widgets/canvas/outline/node_list_delegate.h"
#include "widgets/theme/layouts.h"
#include "widgets/theme/theme.h"

namespace tl::ui {

NodeList::NodeList(const Registry& registry, QWidget* parent)
    : QWidget(parent), model_(registry), line_(new QLineEdit), tree_(new QTreeView) {
  auto* box = spaced(new QVBoxLayout(this), 1, {2, 0, 2, 0});
  box->addWidget(line_);
  box->addWidget(tree_, 1);
  line_->setPlaceholderText(tr("Search %1 nodes…").arg(model_.count()));
  line_->setAccessibleName(tr("Search nodes"));
  line_->setClearButtonEnabled(true);
  line_->installEventFilter(this);
  tree_->setModel(&model_);
  tree_->setItemDelegate(new NodeListDelegate(tree_));
  tree_->setAccessibleName(tr("Nodes by category"));
  tree_->setHeaderHidden(true);
  tree_->setRootIsDecorated(false);
  tree_->setIndentation(0);
  tree_->setUniformRowHeights(true);
  tree_->setFrameShape(QFrame::NoFrame);
  tree_->setDragEnabled(true);
  tree_->setDragDropMode(QAbstractItemView::DragOnly);
  tree_->setExpandsOnDoubleClick(false);
  tree_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  tree_->installEventFilter(this);
  connect(line_, &QLineEdit::textChanged, this, &NodeList::typed);
  connect(tree_, &QTreeView::doubleClicked, this, [this](const QModelIndex& i) {
    if (!model_.type_id(i).isEmpty()) take(i);
  });
  connect(tree_, &QTreeView::clicked, this, [this](const QModelIndex& i) {
    if (model_.type_id(i).isEmpty()) tree_->setExpanded(i, !tree_->isExpanded(i));
  });
  connect(&Theme::instance(), &Theme::changed, tree_->viewport(), qOverload<>(&QWidget::update));
}

void NodeList::typed(const QString& text) {
  model_.set_typed(text);
  if (text.isEmpty()) return tree_->collapseAll();
  tree_->expandAll();
  tree_->setCurrentIndex(model_.best());
}

void NodeList::take(const QModelIndex& index) {
  const QString type = model_.type_id(index);
  if (!type.isEmpty())
    Q_EMIT add_wanted(type);
  else if (index.isValid())
    tree_->setExpanded(index, !tree_->isExpanded(index));
}

bool NodeList::eventFilter(QObject* watched, QEvent* event) {
  if (event->type() != QEvent::KeyPress) return QWidget::eventFilter(watched, event);
  auto* key = static_cast<QKeyEvent*>(event);
  if (key->key() == Qt::Key_Return || key->key() == Qt::Key_Enter) {
    take(tree_->currentIndex());
    return true;
  }
  // Arrow keys in the search line move the tree's selection.
  if (watched == line_ && (key->key() == Qt::Key_Down || key->key() == Qt::Key_Up)) {
    QCoreApplication::sendEvent(tree_, event);
    return true;
  }
  return QWidget::eventFilter(watched, event);
}

}  // namespace tl::ui
