// OutlineModel: lists the pipeline's nodes in order of execution, and below each its inputs.
#include "widgets/canvas/outline/outline_model.h"

#include "widgets/text/amounts.h"
#include "widgets/text/error_text.h"
#include "widgets/theme/theme.h"

namespace tl::ui {
namespace {
constexpr quintptr node_line = ~quintptr{0};  // internal id of node rows; that of an input is the row of its node
}  // namespace

OutlineModel::OutlineModel(GraphEditor& editor, LiveSession& session, QObject* parent)
    : QAbstractItemModel(parent), editor_(editor), session_(session), lines_(lines()) {
  connect(&editor.document(), &Document::graph_changed, this, &OutlineModel::rebuild);
  connect(&editor.document(), &Document::layout_changed, this, [this] {
    if (lines() != lines_) rebuild();  // a title may have changed
  });
  connect(&session, &LiveSession::status_changed, this, &OutlineModel::update_state);
}

std::vector<OutlineModel::Line> OutlineModel::lines() const {
  const Graph& graph = editor_.document().graph();
  std::vector<std::string> ids;
  if (const auto order = topological_order(graph); order.ok())
    ids = order.value();
  else
    for (const auto& [id, node] : graph.nodes) ids.push_back(id);
  std::vector<Line> all;
  for (const std::string& id : ids) {
    if (graph.nodes.count(id) == 0) continue;
    Line line{QString::fromStdString(id), editor_.title(QString::fromStdString(id)), {}};
    const NodeType* type = editor_.document().registry().find(graph.nodes.at(id).type);
    const auto add = [&](const std::string& name, const Link* link) {
      const QString port = QString::fromStdString(name);
      line.inputs.push_back({port, link == nullptr
                                       ? tr("%1: not linked").arg(port)
                                       : tr("%1: from %2, %3")
                                             .arg(port, editor_.title(QString::fromStdString(link->from_node)),
                                                  QString::fromStdString(link->from_port))});
    };
    if (type != nullptr) {
      for (const PortDecl& p : type->inputs) add(p.name, graph.link_into(id, p.name));
      for (const ParamDecl& p : type->params)
        if (const Link* link = graph.link_into(id, p.name)) add(p.name, link);
    }
    all.push_back(std::move(line));
  }
  return all;
}

void OutlineModel::rebuild() {
  beginResetModel();
  lines_ = lines();
  endResetModel();
}

void OutlineModel::update_state(const QString& id) {
  const QModelIndex first = index_of(id);
  if (first.isValid()) Q_EMIT dataChanged(first, first.siblingAtColumn(1));
}

QString OutlineModel::node(const QModelIndex& index) const {
  if (!index.isValid()) return {};
  const auto row = index.internalId() == node_line ? static_cast<std::size_t>(index.row()) : index.internalId();
  return lines_[row].id;
}
QString OutlineModel::port(const QModelIndex& index) const {
  if (!index.isValid() || index.internalId() == node_line) return {};
  return lines_[index.internalId()].inputs[static_cast<std::size_t>(index.row())].port;
}
QModelIndex OutlineModel::index_of(const QString& id) const {
  for (std::size_t i = 0; i < lines_.size(); ++i)
    if (lines_[i].id == id) return createIndex(static_cast<int>(i), 0, node_line);
  return {};
}

QModelIndex OutlineModel::index(int row, int column, const QModelIndex& parent) const {
  if (!hasIndex(row, column, parent)) return {};
  return createIndex(row, column, parent.isValid() ? static_cast<quintptr>(parent.row()) : node_line);
}
QModelIndex OutlineModel::parent(const QModelIndex& index) const {
  if (!index.isValid() || index.internalId() == node_line) return {};
  return createIndex(static_cast<int>(index.internalId()), 0, node_line);
}
int OutlineModel::rowCount(const QModelIndex& parent) const {
  if (!parent.isValid()) return static_cast<int>(lines_.size());
  if (parent.internalId() != node_line || parent.column() != 0) return 0;
  return static_cast<int>(lines_[static_cast<std::size_t>(parent.row())].inputs.size());
}
int OutlineModel::columnCount(const QModelIndex& /*parent*/) const { return 2; }

live::State OutlineModel::state(const QString& id) const {
  const auto found = editor_.document().graph().nodes.find(id.toStdString());
  const bool is_there = found != editor_.document().graph().nodes.end();
  return shown_state(is_there ? found->second.use : NodeUse::active, session_.status(id));
}
QString OutlineModel::state_label(const QString& id) const { return Theme::state_word(state(id)); }

// State and cache use of a node: "current, 84 MB in the cache, pinned".
QString OutlineModel::state_and_cache_text(const QString& id) const {
  QStringList words{state_label(id)};
  if (const qint64 bytes = session_.cached_bytes(id); bytes > 0) words << tr("%1 in the cache").arg(bytes_text(bytes));
  if (session_.is_pinned(id)) words << tr("pinned");
  return words.join(QStringLiteral(", "));
}

QVariant OutlineModel::data(const QModelIndex& index, int role) const {
  if (!index.isValid()) return {};
  const QString id = node(index);
  const bool is_node = index.internalId() == node_line;
  if (role == state_role && is_node) return static_cast<int>(state(id));
  if (!is_node) {
    const Input& input = lines_[index.internalId()].inputs[static_cast<std::size_t>(index.row())];
    if (role == Qt::DisplayRole && index.column() == 0) return input.text;
    return {};
  }
  const live::NodeStatus status = session_.status(id);
  if (role == Qt::DisplayRole || (role == Qt::EditRole && index.column() == 0))
    return index.column() == 0 ? lines_[static_cast<std::size_t>(index.row())].title : state_label(id);
  if (role == Qt::ToolTipRole) return status.error ? error_text(*status.error) : state_and_cache_text(id);
  if (role == Qt::AccessibleTextRole)
    return index.column() == 0 ? tr("%1, %2").arg(lines_[static_cast<std::size_t>(index.row())].title, state_label(id))
                               : state_and_cache_text(id);
  return {};
}

bool OutlineModel::setData(const QModelIndex& index, const QVariant& value, int role) {
  if (role != Qt::EditRole || !port(index).isEmpty() || node(index).isEmpty()) return false;
  editor_.rename(node(index), value.toString());
  return true;
}

QVariant OutlineModel::headerData(int section, Qt::Orientation orientation, int role) const {
  if (orientation != Qt::Horizontal || role != Qt::DisplayRole) return {};
  return section == 0 ? tr("Node") : tr("State");
}

Qt::ItemFlags OutlineModel::flags(const QModelIndex& index) const {
  if (!index.isValid()) return Qt::NoItemFlags;
  const Qt::ItemFlags plain = Qt::ItemIsEnabled | Qt::ItemIsSelectable;
  if (index.internalId() != node_line) return plain | Qt::ItemNeverHasChildren;
  return index.column() == 0 ? plain | Qt::ItemIsEditable : plain;
}

}  // namespace tl::ui
