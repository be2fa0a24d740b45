// QueueSession: handles the scans of a watched folder.
#include <QFile>

#include "widgets/queue/queue_session.h"

namespace tl::ui {

void QueueSession::connect_watch() {
  connect(watch_, &QueueWatch::changed, this, &QueueSession::forecasts_changed);
  connect(watch_, &QueueWatch::finished, this, [this](const QStringList& scans) {
    if (use_of_found_ == Found::run && add_found(scans) && !is_busy()) start();
  });
}

void QueueSession::watch(const QString& folder, double quiet_s) {
  delivered_.clear();
  watch_->watch(folder, quiet_s);
}

void QueueSession::use_found(Found use) {
  use_of_found_ = use;
  Q_EMIT watch_->changed();
}

// The first scan of a folder finds all scans in it: those with a row in the queue are not added again. If a scan is
// found a second time, it has changed since.
bool QueueSession::add_found(const QStringList& scans) {
  QStringList wanted;
  for (const QString& scan : scans) {
    const bool is_first = !delivered_.contains(scan);
    const std::filesystem::path path = QFile::encodeName(scan).toStdString();
    const bool is_known =
        std::any_of(rows_.begin(), rows_.end(), [&](const tl::ScanRow& row) { return row.scan == path; });
    delivered_.insert(scan);
    if (!is_first || !is_known) wanted << scan;
  }
  without_pipeline_ = WithoutPipeline::as_last_row;
  const bool added = add(wanted);
  without_pipeline_ = WithoutPipeline::refused;
  return added;
}

}  // namespace tl::ui
