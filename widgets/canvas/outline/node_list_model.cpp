// NodeListModel: lists node types below their categories, filtered by the typed text.
#include "widgets/canvas/outline/node_list_model.h"

#include <QMimeData>
#include <limits>
#include <optional>

#include "widgets/canvas/canvas_view.h"
#include "widgets/canvas/palette/fuzzy.h"
#include "widgets/language/translated.h"

namespace tl::ui {
namespace {

// internal id of category rows; that of a type is the row of its category
constexpr quintptr category_line = ~quintptr{0};

// subtracted from the score of matches in category or synonyms, so that matches in the title rank higher
constexpr int other_malus = 300;

std::optional<int> score(const NodeType& type, const QString& typed) {
  std::optional<int> best = fuzzy_score(typed, translated(type.title));
  const auto consider = [&](const std::string& text) {
    const auto s = fuzzy_score(typed, QString::fromStdString(text));
    if (s && (!best || *s - other_malus > *best)) best = *s - other_malus;
  };
  consider(type.id);
  consider(type.title);  // in English, too
  consider(type.category);
  consider(translated(type.category).toStdString());
  for (const std::string& word : type.synonyms) consider(word);
  return best;
}

}  // namespace

NodeListModel::NodeListModel(const Registry& registry, QObject* parent)
    : QAbstractItemModel(parent), registry_(registry) {
  set_typed({});
}

void NodeListModel::set_typed(const QString& typed) {
  beginResetModel();
  typed_ = typed;
  categories_.clear();
  for (const NodeType& type : registry_.types()) {
    if (!score(type, typed)) continue;
    const QString name = QString::fromStdString(type.category);
    if (categories_.empty() || categories_.back().name != name) categories_.push_back({name, {}});
    categories_.back().types.push_back(&type);
  }
  endResetModel();
}

QModelIndex NodeListModel::best() const {
  QModelIndex found;
  int most = std::numeric_limits<int>::min();
  for (int c = 0; c < rowCount(); ++c) {
    const QModelIndex category = index(c, 0);
    for (int i = 0; i < rowCount(category); ++i) {
      const int now =
          score(*categories_[static_cast<std::size_t>(c)].types[static_cast<std::size_t>(i)], typed_).value_or(most);
      if (now <= most) continue;
      most = now;
      found = index(i, 0, category);
    }
  }
  return found;
}

int NodeListModel::count() const {
  std::size_t sum = 0;
  for (const Category& c : categories_) sum += c.types.size();
  return static_cast<int>(sum);
}

const NodeType* NodeListModel::node_type(const QModelIndex& index) const {
  if (!index.isValid() || index.internalId() == category_line) return nullptr;
  return categories_[index.internalId()].types[static_cast<std::size_t>(index.row())];
}
QString NodeListModel::type_id(const QModelIndex& index) const {
  const NodeType* type = node_type(index);
  return type == nullptr ? QString() : QString::fromStdString(type->id);
}

QModelIndex NodeListModel::index(int row, int column, const QModelIndex& parent) const {
  if (!hasIndex(row, column, parent)) return {};
  return createIndex(row, column, parent.isValid() ? static_cast<quintptr>(parent.row()) : category_line);
}
QModelIndex NodeListModel::parent(const QModelIndex& index) const {
  if (!index.isValid() || index.internalId() == category_line) return {};
  return createIndex(static_cast<int>(index.internalId()), 0, category_line);
}
int NodeListModel::rowCount(const QModelIndex& parent) const {
  if (!parent.isValid()) return static_cast<int>(categories_.size());
  if (parent.internalId() != category_line || parent.column() != 0) return 0;
  return static_cast<int>(categories_[static_cast<std::size_t>(parent.row())].types.size());
}
int NodeListModel::columnCount(const QModelIndex& /*parent*/) const { return 1; }

QVariant NodeListModel::data(const QModelIndex& index, int role) const {
  if (!index.isValid()) return {};
  if (const NodeType* type = node_type(index)) {
    if (role == Qt::DisplayRole) return translated(type->title);
    if (role == Qt::ToolTipRole) return translated(type->summary);
    if (role == category_role) return QString::fromStdString(type->category);
    return {};
  }
  const Category& category = categories_[static_cast<std::size_t>(index.row())];
  const QString shown = translated(category.name.toStdString());
  if (role == Qt::DisplayRole) return shown;
  if (role == category_role) return category.name;
  if (role == count_role) return static_cast<int>(category.types.size());
  if (role == Qt::AccessibleTextRole) return tr("%1, %2 nodes").arg(shown).arg(category.types.size());
  return {};
}

Qt::ItemFlags NodeListModel::flags(const QModelIndex& index) const {
  if (!index.isValid()) return Qt::NoItemFlags;
  const Qt::ItemFlags plain = Qt::ItemIsEnabled | Qt::ItemIsSelectable;
  return node_type(index) == nullptr ? plain : plain | Qt::ItemIsDragEnabled | Qt::ItemNeverHasChildren;
}

QStringList NodeListModel::mimeTypes() const { return {QString::fromLatin1(node_mime_type)}; }
QMimeData* NodeListModel::mimeData(const QModelIndexList& indexes) const {
  if (indexes.isEmpty() || type_id(indexes.front()).isEmpty()) return nullptr;
  auto* data = new QMimeData;
  data->setData(QString::fromLatin1(node_mime_type), type_id(indexes.front()).toUtf8());
  return data;
}

}  // namespace tl::ui
