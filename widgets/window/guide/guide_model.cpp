// GuideModel: lists the pipeline's steps in two lines each: number and title, then the state.
#include "widgets/window/guide/guide_model.h"

#include "widgets/session/layout.h"
#include "widgets/text/error_text.h"
#include "widgets/theme/theme.h"

namespace tl::ui {

GuideModel::GuideModel(LiveSession& session, QObject* parent) : QAbstractListModel(parent), session_(session) {
  connect(&session_.document(), &Document::graph_changed, this, &GuideModel::rebuild);
  connect(&session_.document(), &Document::layout_changed, this, &GuideModel::rebuild);
  connect(&session_, &LiveSession::status_changed, this, [this](const QString& id) {
    if (const int row = row_of(id); row >= 0) Q_EMIT dataChanged(index(row), index(row));
  });
  connect(&Theme::instance(), &Theme::changed, this, [this] {
    if (!nodes_.isEmpty()) Q_EMIT dataChanged(index(0), index(static_cast<int>(nodes_.size()) - 1));
  });
  rebuild();
}

void GuideModel::rebuild() {
  const Graph& graph = session_.document().graph();
  QStringList now;
  if (const auto order = topological_order(graph); order.ok())
    for (const std::string& id : order.value()) now << QString::fromStdString(id);
  if (now == nodes_) {
    // Titles may have changed, but the steps have not: keep the selection.
    if (!now.isEmpty()) Q_EMIT dataChanged(index(0), index(static_cast<int>(now.size()) - 1));
    return;
  }
  beginResetModel();
  nodes_ = now;
  endResetModel();
}

QString GuideModel::title(const QString& id) const { return session_.document().card_title(id); }

live::State GuideModel::state(const QString& id) const {
  const auto node = session_.document().graph().nodes.find(id.toStdString());
  const bool is_there = node != session_.document().graph().nodes.end();
  return shown_state(is_there ? node->second.use : NodeUse::active, session_.status(id));
}

int GuideModel::rowCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : static_cast<int>(nodes_.size());
}

QVariant GuideModel::data(const QModelIndex& index, int role) const {
  if (!index.isValid() || index.row() >= nodes_.size()) return {};
  const QString id = nodes_[index.row()];
  const live::NodeStatus status = session_.status(id);
  const QString word = Theme::state_word(state(id));
  if (role == Qt::DisplayRole)
    return tr("%1   %2\n      %3 %4")
        .arg(index.row() + 1)
        .arg(title(id), Theme::state_glyph(state(id)), status.error ? window_text(status.error->what) : word);
  if (role == Qt::AccessibleTextRole) return tr("Step %1: %2, %3").arg(index.row() + 1).arg(title(id), word);
  if (role == Qt::ToolTipRole && status.error) return error_text(*status.error);
  return {};
}

}  // namespace tl::ui
