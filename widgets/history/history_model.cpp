// HistoryModel: texts of entries, and their thumbnails as images.
#include "widgets/history/history_model.h"

#include <QDateTime>
#include <cmath>

#include "widgets/language/translated.h"
#include "widgets/text/amounts.h"
#include "widgets/text/error_text.h"
#include "widgets/text/typeset.h"

namespace tl::ui {
namespace {

QImage image_of(const history::Thumbnail& thumbnail) {
  if (thumbnail.rows < 1 || thumbnail.cols < 1) return {};
  const auto* const pixels = reinterpret_cast<const uchar*>(thumbnail.pixels.data());
  return QImage(pixels, thumbnail.cols, thumbnail.rows, thumbnail.cols, QImage::Format_Grayscale8).copy();
}

QString kind_text(history::Kind kind) {
  switch (kind) {
    case history::Kind::run: return HistoryModel::tr("Run");
    case history::Kind::learning: return HistoryModel::tr("Learning");
    case history::Kind::training: return HistoryModel::tr("Training");
    case history::Kind::exported: return HistoryModel::tr("Export");
  }
  return {};
}

bool is_sure(const history::Entry& entry) {
  for (const history::Value& value : entry.values)
    if (!value.verdict.empty() && value.verdict != "resolved") return false;
  return true;
}

}  // namespace

int HistoryModel::rowCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : static_cast<int>(entries_.size());
}

QVariant HistoryModel::data(const QModelIndex& index, int role) const {
  if (!index.isValid()) return {};
  const ListedEntry& listed = at(index.row());
  const QString title = translated(listed.entry.title);
  if (role == Qt::DisplayRole || role == Qt::AccessibleTextRole)
    return QStringList{name(listed.entry), kind_and_time(listed.entry), title, outcome(listed), size(listed.entry)}
        .join(QStringLiteral(", "));
  if (role != Qt::ToolTipRole) return {};
  QStringList lines{name(listed.entry), title};
  if (!listed.entry.error.empty()) lines << window_text(listed.entry.error);
  for (const history::Value& value : listed.entry.values)
    if (value.found())
      lines << typeset(QStringLiteral("%1.%2 %3 %4")
                           .arg(QString::fromStdString(value.node), QString::fromStdString(value.name),
                                QString::fromStdString(history::value_text(value)), translated(value.verdict)));
  for (const history::File& file : listed.entry.outputs) lines << QString::fromStdString(file.path);
  lines.removeAll(QString());
  return lines.join(QLatin1Char('\n'));
}

void HistoryModel::set(std::vector<ListedEntry> entries) {
  beginResetModel();
  entries_ = std::move(entries);
  thumbnails_.clear();
  for (const ListedEntry& listed : entries_) thumbnails_.push_back(image_of(listed.entry.thumbnail));
  endResetModel();
}

EntryMark HistoryModel::mark(const ListedEntry& listed) {
  switch (listed.entry.state) {
    case history::State::running: return EntryMark::running;
    case history::State::failed: return EntryMark::failed;
    case history::State::cancelled: return EntryMark::cancelled;
    case history::State::interrupted: return EntryMark::interrupted;
    case history::State::done: break;
  }
  if (listed.outputs != history::Presence::there) return EntryMark::moved;
  return is_sure(listed.entry) ? EntryMark::done : EntryMark::unsure;
}

QString HistoryModel::outcome(const ListedEntry& listed) {
  switch (mark(listed)) {
    case EntryMark::running: return tr("running");
    case EntryMark::cancelled: return tr("stopped");
    case EntryMark::interrupted: return tr("interrupted");
    case EntryMark::failed: {
      // Only the error itself is shown; its place and hint are in the tool tip.
      const QString error = window_text(listed.entry.error);
      return error.section(QStringLiteral(" ("), 0, 0);
    }
    case EntryMark::moved:
      return listed.outputs == history::Presence::missing ? tr("files missing") : tr("files changed");
    case EntryMark::done:
    case EntryMark::unsure: break;
  }
  const history::Value* const found = history::first_found(listed.entry);
  if (found == nullptr) return tr("done");
  QString text = typeset(QString::fromStdString(history::value_text(*found)));
  // A measured value explains itself; a count or a choice needs its name.
  if (!found->uncertainty)
    text =
        QStringLiteral("%1.%2 %3").arg(QString::fromStdString(found->node), QString::fromStdString(found->name), text);
  return mark(listed) == EntryMark::done ? text : text + QStringLiteral(" · ") + translated(found->verdict);
}

QString HistoryModel::name(const history::Entry& entry) { return QString::fromStdString(history::name_of(entry)); }

QString HistoryModel::kind_and_time(const history::Entry& entry) {
  const QDateTime begun = QDateTime::fromSecsSinceEpoch(static_cast<qint64>(entry.begun));
  const qint64 days = begun.date().daysTo(QDate::currentDate());
  const QString time = begun.toString(QStringLiteral("HH:mm"));
  const QString when = days == 0   ? tr("today %1").arg(time)
                       : days == 1 ? tr("yesterday %1").arg(time)
                                   : begun.toString(QStringLiteral("yyyy-MM-dd HH:mm"));
  return kind_text(entry.kind) + QStringLiteral(" · ") + when;
}

QString HistoryModel::size(const history::Entry& entry) {
  const int64_t bytes = history::bytes_of(entry);
  return bytes > 0 ? bytes_text(bytes) : duration_text(entry.seconds);
}

}  // namespace tl::ui
