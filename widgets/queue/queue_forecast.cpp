// Starts the job again after every change, and passes its reports to the GUI thread.
#include "widgets/queue/queue_forecast.h"

#include <algorithm>

namespace tl::ui {
namespace {

constexpr int after_change_ms = 200;  // several changes are looked at together

}  // namespace

struct QueueForecast::Looking final : jobs::QueueForecastJob::Listener {
  Looking(QueueForecast& f, uint64_t n, const jobs::QueueForecastJob::Settings& settings)
      : forecast(f), number(n), job(f.registry_, settings, *this) {}
  void progressed(jobs::QueueForecastJob::Progress p) override {
    const auto take = [f = &forecast, n = number, rows = std::move(p.rows)] {
      if (n != f->number_) return;
      for (const auto& [name, row] : rows) f->rows_.insert_or_assign(name, row);
      Q_EMIT f->changed();
    };
    QMetaObject::invokeMethod(&forecast, take, Qt::QueuedConnection);
  }
  void ended(jobs::JobEnd) override {
    const auto take = [f = &forecast, n = number] {
      std::erase_if(f->left_, [n](const auto& one) { return one->number == n; });
      if (n != f->number_) return;
      f->looking_.reset();
      Q_EMIT f->changed();
    };
    QMetaObject::invokeMethod(&forecast, take, Qt::QueuedConnection);
  }
  QueueForecast& forecast;
  const uint64_t number;
  jobs::QueueForecastJob job;
};

QueueForecast::QueueForecast(const Registry& registry, QObject* parent) : QObject(parent), registry_(registry) {
  timer_.setSingleShot(true);
  timer_.setInterval(after_change_ms);
  connect(&timer_, &QTimer::timeout, this, &QueueForecast::begin);
}

QueueForecast::~QueueForecast() = default;

void QueueForecast::leave() {
  ++number_;
  if (looking_ == nullptr) return;
  looking_->job.cancel();
  left_.push_back(std::move(looking_));
}

void QueueForecast::look(jobs::QueueForecastJob::Settings settings) {
  settings_ = std::move(settings);
  leave();
  timer_.start();
}

void QueueForecast::begin() {
  settings_.thumbnails_of.clear();
  for (const auto& [name, row] : rows_)
    if (row.thumbnail) settings_.thumbnails_of.insert_or_assign(name, row);
  looking_ = std::make_unique<Looking>(*this, number_, settings_);
  Q_EMIT changed();
}

void QueueForecast::forget() {
  timer_.stop();
  leave();
  rows_.clear();
  settings_ = {};
  Q_EMIT changed();
}

}  // namespace tl::ui
