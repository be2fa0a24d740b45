// ScanModel: lists scans and their metadata in two levels; the internal id of a row's index holds the number of its
// scan.
#include "widgets/window/files/scan_model.h"

#include <QMimeData>
#include <QUrl>

#include "widgets/theme/theme.h"

namespace tl::ui {
namespace {

constexpr quintptr top = 0;  // internal id of scans; rows of scan i have i + 1

QString origin_word(const ScanRow& row) {
  if (!row.origin) return {};
  switch (*row.origin) {
    case Origin::file: return ScanModel::tr("file");
    case Origin::guessed: return row.is_unit_guessed ? ScanModel::tr("no unit") : ScanModel::tr("guessed");
    case Origin::user: return ScanModel::tr("yours");
  }
  return {};
}

QVariant color_of(const ScanRow& row, int column) {
  const Theme& theme = Theme::instance();
  if (row.origin == Origin::guessed || row.is_doubt) return theme.color(Token::warning);
  if (row.origin == Origin::user && column == ScanModel::origin_column) return theme.color(Token::accent);
  return theme.color(column == ScanModel::name_column ? Token::text : Token::text_second);
}

QString tooltip(const ScanRow& row) {
  QString text =
      row.name + QStringLiteral(": ") + (row.value.isEmpty() ? ScanModel::tr("the scan does not say") : row.value);
  if (row.origin) text += QChar('\n') + origin_word(row);
  if (!row.source.isEmpty()) text += QStringLiteral(": ") + row.source;
  return text;
}

}  // namespace

void ScanModel::set_scans(std::vector<ScanEntry> scans) {
  beginResetModel();
  scans_ = std::move(scans);
  endResetModel();
}

const ScanEntry* ScanModel::entry(const QModelIndex& index) const {
  if (!index.isValid()) return nullptr;
  const std::size_t at = index.internalId() == top ? static_cast<std::size_t>(index.row())
                                                   : static_cast<std::size_t>(index.internalId() - 1);
  return at < scans_.size() ? &scans_[at] : nullptr;
}
const ScanRow* ScanModel::row(const QModelIndex& index) const {
  if (!index.isValid() || index.internalId() == top) return nullptr;
  const ScanEntry* scan = entry(index);
  const auto at = static_cast<std::size_t>(index.row());
  return scan != nullptr && at < scan->rows.size() ? &scan->rows[at] : nullptr;
}
QString ScanModel::node_of(const QModelIndex& index) const {
  const ScanEntry* scan = entry(index);
  return scan != nullptr ? scan->node : QString();
}

QString ScanModel::path_of(const QModelIndex& index) const {
  const ScanEntry* scan = entry(index);
  return scan != nullptr ? scan->path : QString();
}

void ScanModel::set_states(const QHash<QString, EntryState>& states) {
  if (states == states_) return;
  states_ = states;
  if (!scans_.empty()) Q_EMIT dataChanged(index(0, 0), index(rowCount() - 1, column_count - 1));
}

Qt::ItemFlags ScanModel::flags(const QModelIndex& index) const {
  const Qt::ItemFlags all = QAbstractItemModel::flags(index);
  return path_of(index).isEmpty() ? all : all | Qt::ItemIsDragEnabled;
}

QStringList ScanModel::mimeTypes() const { return {QStringLiteral("text/uri-list")}; }

QMimeData* ScanModel::mimeData(const QModelIndexList& indexes) const {
  QList<QUrl> files;
  for (const QModelIndex& index : indexes) {
    const QUrl file = QUrl::fromLocalFile(path_of(index));
    if (!path_of(index).isEmpty() && !files.contains(file)) files << file;
  }
  auto* data = new QMimeData;
  data->setUrls(files);
  return data;
}

QModelIndex ScanModel::index(int row, int column, const QModelIndex& parent) const {
  if (!hasIndex(row, column, parent)) return {};
  return createIndex(row, column, parent.isValid() ? static_cast<quintptr>(parent.row() + 1) : top);
}
QModelIndex ScanModel::parent(const QModelIndex& index) const {
  if (!index.isValid() || index.internalId() == top) return {};
  return createIndex(static_cast<int>(index.internalId() - 1), 0, top);
}
int ScanModel::rowCount(const QModelIndex& parent) const {
  if (!parent.isValid()) return static_cast<int>(scans_.size());
  if (parent.internalId() != top || parent.column() != 0) return 0;
  return static_cast<int>(scans_[static_cast<std::size_t>(parent.row())].rows.size());
}
int ScanModel::columnCount(const QModelIndex& /*parent*/) const { return column_count; }

QVariant ScanModel::data_of(const ScanEntry& scan, Column column, int role) const {
  const auto known = states_.find(scan.path);
  const EntryState state = known == states_.end() ? EntryState() : *known;
  switch (role) {
    case Qt::DisplayRole:
      if (column == name_column) return scan.title;
      return column == origin_column ? QVariant(scan.format) : QVariant();
    case Qt::AccessibleTextRole:
      return QStringList{scan.title, scan.brief, state.text}.join(QLatin1Char(' ')).simplified();
    case Qt::ForegroundRole: return Theme::instance().color(scan.problem.isEmpty() ? Token::text : Token::error);
    case Qt::ToolTipRole: {
      const QString name = scan.path.isEmpty() ? scan.title : scan.path;
      return scan.problem.isEmpty() ? name : name + QLatin1Char('\n') + scan.problem;
    }
    case brief_role: return scan.brief;
    case state_role: return state.text;
    case state_color_role: return static_cast<int>(state.color);
    default: return {};
  }
}

QVariant ScanModel::data(const QModelIndex& index, int role) const {
  const ScanEntry* scan = entry(index);
  if (scan == nullptr) return {};
  if (role == Qt::TextAlignmentRole && index.column() != name_column)
    return QVariant(Qt::AlignRight | Qt::AlignVCenter);
  const ScanRow* line = row(index);
  if (line == nullptr) return data_of(*scan, static_cast<Column>(index.column()), role);
  switch (role) {
    case Qt::DisplayRole:
      if (index.column() == name_column) return line->name;
      if (index.column() == value_column) return line->value.isEmpty() ? tr("not known") : line->value;
      return origin_word(*line);
    case Qt::ForegroundRole: return color_of(*line, index.column());
    case origin_role: return line->origin ? static_cast<int>(*line->origin) : -1;
    case Qt::ToolTipRole: return tooltip(*line);
    default: return {};
  }
}

}  // namespace tl::ui
