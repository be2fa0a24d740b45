// Passes reports of the job of a watched folder to the GUI thread.
#include "widgets/queue/queue_watch.h"

#include <QFile>
#include <algorithm>

namespace tl::ui {

struct QueueWatch::Watching final : jobs::WatchJob::Listener {
  Watching(QueueWatch& w, uint64_t n, const jobs::WatchJob::Settings& settings)
      : watch(w), number(n), job(settings, *this) {}
  void progressed(jobs::WatchJob::Progress p) override {
    QStringList scans;
    for (const auto& scan : p.finished) scans << QFile::decodeName(scan.c_str());
    const auto take = [w = &watch, n = number, scans, unfinished = p.unfinished] {
      if (n != w->number_) return;
      w->unfinished_ = unfinished;
      if (!scans.isEmpty()) Q_EMIT w->finished(scans);
      Q_EMIT w->changed();
    };
    QMetaObject::invokeMethod(&watch, take, Qt::QueuedConnection);
  }
  void ended(jobs::JobEnd) override {
    const auto take = [w = &watch, n = number] {
      std::erase_if(w->left_, [n](const auto& one) { return one->number == n; });
    };
    QMetaObject::invokeMethod(&watch, take, Qt::QueuedConnection);
  }
  QueueWatch& watch;
  const uint64_t number;
  jobs::WatchJob job;
};

QueueWatch::QueueWatch(QObject* parent) : QObject(parent) {}
QueueWatch::~QueueWatch() = default;

void QueueWatch::watch(const QString& folder, double quiet_s) {
  ++number_;
  if (watching_ != nullptr) {
    watching_->job.cancel();
    left_.push_back(std::move(watching_));
  }
  folder_ = folder;
  quiet_s_ = quiet_s;
  unfinished_ = 0;
  if (!folder.isEmpty())
    watching_ = std::make_unique<Watching>(*this, number_,
                                           jobs::WatchJob::Settings{QFile::encodeName(folder).toStdString(), quiet_s});
  Q_EMIT changed();
}

}  // namespace tl::ui
