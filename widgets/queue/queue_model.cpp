// QueueModel: texts, editing, and dragging of rows.
#include "widgets/queue/queue_model.h"

#include <QMimeData>
#include <QUrl>
#include <algorithm>

namespace tl::ui {
namespace {

const QString rows_mime = QStringLiteral("application/x-tomoloom-queue-rows");

}  // namespace

QueueModel::QueueModel(QueueSession& queue, QObject* parent)
    : QAbstractTableModel(parent), queue_(queue), rows_(queue.rows()) {
  connect(&queue, &QueueSession::rows_changed, this, &QueueModel::take);
  connect(&queue, &QueueSession::forecasts_changed, this, &QueueModel::refresh);
  connect(&queue, &JobSession::progressed, this, &QueueModel::refresh);
  connect(&queue, &JobSession::state_changed, this, &QueueModel::refresh);
}

// Rows whose texts alone have changed keep their selection.
void QueueModel::take() {
  const std::vector<tl::ScanRow>& now = queue_.rows();
  const bool same = std::equal(now.begin(), now.end(), rows_.begin(), rows_.end(),
                               [](const tl::ScanRow& a, const tl::ScanRow& b) { return a.name == b.name; });
  if (same) {
    rows_ = now;
    return refresh();
  }
  beginResetModel();
  rows_ = now;
  endResetModel();
  Q_EMIT rows_replaced();
}

void QueueModel::refresh() {
  if (!rows_.empty()) Q_EMIT dataChanged(index(0, 0), index(rowCount() - 1, column_count - 1));
}

int QueueModel::index_of(const std::string& name) const {
  const auto row = std::find_if(rows_.begin(), rows_.end(), [&](const tl::ScanRow& one) { return one.name == name; });
  return row == rows_.end() ? -1 : static_cast<int>(row - rows_.begin());
}

std::vector<std::string> QueueModel::names(const QModelIndexList& indexes) const {
  std::vector<int> numbers;
  for (const QModelIndex& index : indexes) numbers.push_back(index.row());
  std::sort(numbers.begin(), numbers.end());
  numbers.erase(std::unique(numbers.begin(), numbers.end()), numbers.end());
  std::vector<std::string> names;
  for (const int number : numbers) names.push_back(row(number).name);
  return names;
}

int QueueModel::rowCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : static_cast<int>(rows_.size());
}
int QueueModel::columnCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : column_count; }

RowText QueueModel::text(const QModelIndex& index) const {
  const tl::ScanRow& one = row(index.row());
  switch (index.column()) {
    case number_column: return {QString::number(index.row() + 1), {}, Token::text_second};
    case scan_column: return scan_text(queue_, one);
    case pipeline_column: return pipeline_text(one);
    case changed_column: return changed_text(one);
    case state_column: return row_state_text(queue_, one);
    case time_column: return time_text(queue_, one);
    case axis_column: return found_value_text(one);
    case notes_column: return notes_text(queue_, one);
    default: return {};
  }
}

QVariant QueueModel::data(const QModelIndex& index, int role) const {
  if (!index.isValid() || index.row() >= rowCount()) return {};
  const tl::ScanRow& one = row(index.row());
  switch (role) {
    case Qt::DisplayRole: return text(index).first;
    case Qt::AccessibleTextRole: {
      const RowText words = text(index);
      return QString(words.first + QLatin1Char(' ') + words.second).trimmed();
    }
    case Qt::EditRole: return index.column() == changed_column ? QVariant(changes_to_edit(one)) : QVariant();
    case Qt::DecorationRole: return index.column() == number_column ? QVariant(queue_.thumbnail(one.name)) : QVariant();
    case Qt::ToolTipRole:
      if (index.column() == scan_column) return QString::fromStdString(one.scan.string());
      if (index.column() == notes_column) {
        QStringList all = all_notes(queue_, one);
        if (!one.error.empty()) all.prepend(notes_text(queue_, one).first);
        return all.isEmpty() ? QVariant() : QVariant(all.join(QLatin1Char('\n')));
      }
      if (index.column() == changed_column)
        return tr(
            "Parameters that differ from the pipeline for this scan, such as fbp.cutoff=0.8. F2 or a double click "
            "changes them");
      return {};
    case second_role: return text(index).second;
    case first_color_role: return static_cast<int>(text(index).first_color);
    case second_color_role: return static_cast<int>(text(index).second_color);
    case progress_role:
      return index.column() == state_column && queue_.is_running(one) ? queue_.progress().scan_done : -1.0;
    default: return {};
  }
}

bool QueueModel::setData(const QModelIndex& index, const QVariant& value, int role) {
  if (role != Qt::EditRole || index.column() != changed_column) return false;
  if (value.toString() == changes_to_edit(row(index.row()))) return false;
  return queue_.set_changes(row(index.row()).name, value.toString());
}

QVariant QueueModel::headerData(int section, Qt::Orientation orientation, int role) const {
  if (orientation != Qt::Horizontal || role != Qt::DisplayRole) return {};
  static constexpr std::array<const char*, column_count> titles = {"",
                                                                   QT_TR_NOOP("Scan"),
                                                                   QT_TR_NOOP("Pipeline"),
                                                                   QT_TR_NOOP("Changed"),
                                                                   QT_TR_NOOP("State"),
                                                                   QT_TR_NOOP("Time left"),
                                                                   QT_TR_NOOP("Axis"),
                                                                   QT_TR_NOOP("Notes and warnings")};
  return tr(titles.at(static_cast<std::size_t>(section)));
}

Qt::ItemFlags QueueModel::flags(const QModelIndex& index) const {
  if (!queue_.foreign().isEmpty()) return Qt::ItemIsEnabled | Qt::ItemIsSelectable;
  if (!index.isValid()) return Qt::ItemIsDropEnabled;
  const Qt::ItemFlags all = Qt::ItemIsEnabled | Qt::ItemIsSelectable | Qt::ItemIsDragEnabled;
  const bool is_edited = index.column() == changed_column && !queue_.is_running(row(index.row()));
  return is_edited ? all | Qt::ItemIsEditable : all;
}

QStringList QueueModel::mimeTypes() const { return {rows_mime, QStringLiteral("text/uri-list")}; }

QMimeData* QueueModel::mimeData(const QModelIndexList& indexes) const {
  auto* data = new QMimeData;
  QByteArrayList all;
  for (const std::string& name : names(indexes)) all << QByteArray::fromStdString(name);
  data->setData(rows_mime, all.join('\n'));
  return data;
}

bool QueueModel::dropMimeData(const QMimeData* data, Qt::DropAction, int row, int, const QModelIndex& parent) {
  if (data->hasFormat(rows_mime)) {
    std::vector<std::string> moved;
    for (const QByteArray& name : data->data(rows_mime).split('\n')) moved.push_back(name.toStdString());
    const int before = row >= 0 ? row : parent.isValid() ? parent.row() : rowCount();
    queue_.move(moved, static_cast<std::size_t>(before));
    return true;
  }
  QStringList files;
  for (const QUrl& url : data->urls())
    if (url.isLocalFile()) files << url.toLocalFile();
  return queue_.add(files);
}

}  // namespace tl::ui
