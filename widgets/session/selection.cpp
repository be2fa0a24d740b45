// Selection: holds the selected nodes, shared by canvas, outline, inspector and views.
#include "widgets/session/selection.h"

namespace tl::ui {

void Selection::set(const QStringList& nodes, const QString& current) {
  if (nodes == nodes_ && current == current_) return;
  nodes_ = nodes;
  current_ = current;
  Q_EMIT changed();
}

}  // namespace tl::ui
