// RunModel: lists the learning runs stored in the pipeline, newest first.
#include "widgets/learning/run_model.h"

#include <QDateTime>

#include "widgets/language/translated.h"
#include "widgets/text/found_text.h"

namespace tl::ui {

RunModel::RunModel(LearningSession& learning, QObject* parent) : QAbstractListModel(parent), learning_(learning) {
  count_ = learning_.records().size();
  connect(&learning_, &LearningSession::records_changed, this, [this] {
    beginResetModel();
    count_ = learning_.records().size();
    std::erase_if(ticked_, [this](std::size_t i) { return i >= count_; });
    endResetModel();
    Q_EMIT ticked_changed();
  });
}

std::size_t RunModel::record_at(int row) const { return count_ - 1 - static_cast<std::size_t>(row); }
int RunModel::rowCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : static_cast<int>(count_); }

QString RunModel::text(const learn::RunRecord& record) const {
  QStringList parts;
  for (const learn::Found& f : record.learned.found)
    parts << learning_.title_of(f.node, f.name) + QLatin1Char(' ') + found_text(f);
  return parts.join(QStringLiteral(", "));
}

QVariant RunModel::data(const QModelIndex& index, int role) const {
  if (!index.isValid() || index.row() >= rowCount()) return {};
  const std::size_t at = record_at(index.row());
  const learn::RunRecord& record = learning_.records()[at];
  const QString head = tr("Run %1 · %2").arg(at + 1).arg(decision_word(record.decision));
  switch (role) {
    case Qt::DisplayRole:
    case Qt::AccessibleTextRole: return QStringLiteral("%1 · %2").arg(head, text(record));
    case Qt::ToolTipRole: {
      const QDateTime when = QDateTime::fromString(QString::fromStdString(record.when), Qt::ISODate).toLocalTime();
      return tr("%1\n%2\n%3, %4 s: %5\nMethod: %6")
          .arg(when.toString(QStringLiteral("yyyy-MM-dd hh:mm")), text(record),
               iterations_text(record.learned.iterations))
          .arg(record.learned.seconds, 0, 'f', 2)
          .arg(translated(learn::words(record.learned.reason)), method_name(record.settings.method));
    }
    case Qt::CheckStateRole: return ticked_.count(at) != 0 ? Qt::Checked : Qt::Unchecked;
    default: return {};
  }
}

bool RunModel::setData(const QModelIndex& index, const QVariant& value, int role) {
  if (!index.isValid() || index.row() >= rowCount() || role != Qt::CheckStateRole) return false;
  const std::size_t at = record_at(index.row());
  value.toInt() == Qt::Checked ? static_cast<void>(ticked_.insert(at)) : static_cast<void>(ticked_.erase(at));
  Q_EMIT dataChanged(index, index, {Qt::CheckStateRole});
  Q_EMIT ticked_changed();
  return true;
}

Qt::ItemFlags RunModel::flags(const QModelIndex& index) const {
  if (!index.isValid()) return Qt::NoItemFlags;
  return Qt::ItemIsEnabled | Qt::ItemIsSelectable | Qt::ItemIsUserCheckable | Qt::ItemNeverHasChildren;
}

}  // namespace tl::ui
