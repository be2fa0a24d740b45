// DatasetModel: finds the parent of each entry by its path, and describes its contents.
#include "widgets/inspector/dialogs/dataset_model.h"

#include <map>
#include <utility>

#include "core/base/printable.h"
#include "widgets/text/error_text.h"

namespace tl::ui {
namespace {

// A text from an untrusted file, made printable.
QString safe_text(const std::string& text) { return QString::fromStdString(printable(text)); }

QString shape_text(const std::vector<int64_t>& shape) {
  QStringList parts;
  for (const int64_t n : shape) parts << QString::number(n);
  return parts.join(QStringLiteral(" × "));
}

QString contents_text(const io::TreeEntry& entry) {
  switch (entry.kind) {
    case io::TreeKind::group: return {};
    case io::TreeKind::dataset: {
      QString text = safe_text(entry.type);
      if (!entry.shape.empty()) text += QChar(' ') + shape_text(entry.shape);
      if (!entry.unit.empty()) text += QStringLiteral(" [%1]").arg(safe_text(entry.unit));
      return text;
    }
    case io::TreeKind::soft_link:
    case io::TreeKind::external_link: return QObject::tr("link");
    case io::TreeKind::other: break;
  }
  return QObject::tr("neither group nor dataset");
}

QString details_text(const io::TreeEntry& entry) {
  QStringList parts;
  if (!entry.target.empty())
    parts << (entry.link == io::LinkState::none ? QObject::tr("the same group as %1").arg(safe_text(entry.target))
                                                : QStringLiteral("→ ") + safe_text(entry.target));
  if (entry.link == io::LinkState::missing) parts << QObject::tr("missing");
  for (const auto& [name, value] : entry.attributes) parts << safe_text(name) + QChar('=') + safe_text(value);
  if (!entry.problem.empty()) parts << window_text(printable(entry.problem));
  if (!entry.storage.empty()) parts << safe_text(entry.storage);
  return parts.join(QStringLiteral(", "));
}

}  // namespace

QString role_title(io::DatasetRole role) {
  switch (role) {
    case io::DatasetRole::frames: return QObject::tr("Frames");
    case io::DatasetRole::kinds: return QObject::tr("Kinds of the frames");
    case io::DatasetRole::flats: return QObject::tr("Flats");
    case io::DatasetRole::darks: return QObject::tr("Darks");
    case io::DatasetRole::angles: break;
  }
  return QObject::tr("Angles");
}

void DatasetModel::set_tree(io::Hdf5Tree tree) {
  beginResetModel();
  tree_ = std::move(tree);
  positions_.assign(tree_.entries.size(), {});
  top_.clear();
  std::map<std::string, int> known;
  for (int i = 0; i < static_cast<int>(tree_.entries.size()); ++i) {
    const std::string& path = tree_.entries[static_cast<std::size_t>(i)].path;
    known.emplace(path, i);
    if (path == "/") continue;
    const auto above = known.find(path.substr(0, path.rfind('/')));
    TreePosition& position = positions_[static_cast<std::size_t>(i)];
    position.parent = above == known.end() ? -1 : above->second;
    std::vector<int>& siblings =
        position.parent < 0 ? top_ : positions_[static_cast<std::size_t>(position.parent)].children;
    position.row = static_cast<int>(siblings.size());
    siblings.push_back(i);
  }
  endResetModel();
}

void DatasetModel::set_choice(const io::DatasetChoice& choice) {
  const io::DatasetChoice before = std::exchange(choice_, choice);
  for (const io::DatasetChoice* one : {&before, &choice})
    for (const io::DatasetRole role : io::dataset_roles)
      if (const QModelIndex index = index_of((*one)[role]); index.isValid())
        Q_EMIT dataChanged(index, index.siblingAtColumn(column_count - 1));
}

const io::TreeEntry* DatasetModel::entry(const QModelIndex& index) const {
  return index.isValid() ? &tree_.entries[index.internalId()] : nullptr;
}

QModelIndex DatasetModel::index_of(const std::string& path) const {
  for (std::size_t i = 0; i < tree_.entries.size(); ++i)
    if (tree_.entries[i].path == path && path != "/") return createIndex(positions_[i].row, 0, i);
  return {};
}

const std::vector<int>& DatasetModel::children_of(const QModelIndex& parent) const {
  return parent.isValid() ? positions_[parent.internalId()].children : top_;
}

QModelIndex DatasetModel::index(int row, int column, const QModelIndex& parent) const {
  if (!hasIndex(row, column, parent)) return {};
  return createIndex(row, column, static_cast<quintptr>(children_of(parent)[static_cast<std::size_t>(row)]));
}

QModelIndex DatasetModel::parent(const QModelIndex& index) const {
  if (!index.isValid()) return {};
  const int above = positions_[index.internalId()].parent;
  if (above < 0) return {};
  return createIndex(positions_[static_cast<std::size_t>(above)].row, 0, static_cast<quintptr>(above));
}

int DatasetModel::rowCount(const QModelIndex& parent) const {
  return parent.column() > 0 ? 0 : static_cast<int>(children_of(parent).size());
}
int DatasetModel::columnCount(const QModelIndex& /*parent*/) const { return column_count; }

QString DatasetModel::use_of(const std::string& path) const {
  QStringList uses;
  for (const io::DatasetRole role : io::dataset_roles)
    if (choice_[role] == path) uses << role_title(role);
  return uses.join(QStringLiteral(", "));
}

QVariant DatasetModel::data(const QModelIndex& index, int role) const {
  const io::TreeEntry* at = entry(index);
  if (at == nullptr || (role != Qt::DisplayRole && role != Qt::ToolTipRole)) return {};
  if (role == Qt::ToolTipRole) return safe_text(at->path);
  switch (index.column()) {
    case name_column: return safe_text(at->path.substr(at->path.rfind('/') + 1));
    case contents_column: return contents_text(*at);
    case use_column: return use_of(at->path);
    default: return details_text(*at);
  }
}

QVariant DatasetModel::headerData(int section, Qt::Orientation orientation, int role) const {
  if (orientation != Qt::Horizontal || role != Qt::DisplayRole) return {};
  switch (section) {
    case name_column: return tr("Name");
    case contents_column: return tr("Contents");
    case use_column: return tr("Used as");
    default: return tr("Details");
  }
}

}  // namespace tl::ui
