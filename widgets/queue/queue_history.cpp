// QueueHistory: enters each row whose scan has ended since the last look, with the files that it names.
#include "widgets/queue/queue_history.h"

#include <QDateTime>
#include <QFile>
#include <filesystem>

#include "widgets/history/history_keeper.h"
#include "widgets/queue/queue_session.h"

namespace tl::ui {

QueueHistory::QueueHistory(QueueSession& queue, HistoryKeeper& keeper, QObject* parent)
    : QObject(parent), queue_(queue), keeper_(keeper) {
  connect(&queue, &QueueSession::rows_changed, this, &QueueHistory::follow);
}

void QueueHistory::follow() {
  const bool known = folder_ == queue_.folder();
  folder_ = queue_.folder();
  std::map<std::string, ScanState> now;
  for (const tl::ScanRow& row : queue_.rows()) {
    now[row.name] = row.state;
    const auto before = states_.find(row.name);
    const bool has_ended = row.state == ScanState::done || row.state == ScanState::failed;
    // States of a newly opened queue were entered before; jobs of a cluster enter themselves.
    const bool was_sent = before != states_.end() && before->second == ScanState::sent;
    if (known && has_ended && !was_sent && before != states_.end() && before->second != row.state &&
        queue_.foreign().isEmpty())
      enter(row);
  }
  states_ = std::move(now);
}

void QueueHistory::enter(const tl::ScanRow& row) {
  const std::filesystem::path folder = QFile::encodeName(folder_).toStdString();
  history::Entry entry;
  entry.inputs = {{row.scan.string(), {}, 0}};
  entry.title = std::filesystem::path(row.pipeline).stem().string();
  entry.begun = static_cast<double>(QDateTime::currentSecsSinceEpoch()) - row.seconds;
  history::Outcome outcome;
  outcome.seconds = row.seconds;
  for (const std::string& file : row.files) outcome.files.push_back(folder / file);
  if (row.state == ScanState::failed) outcome.error = invalid(row.error);
  keeper_.enter(std::move(entry), std::move(outcome));
}

}  // namespace tl::ui
