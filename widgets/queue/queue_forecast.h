// QueueForecast: makes forecasts for the rows of a queue with a job on its own thread.
#pragma once

#include <QObject>
#include <QTimer>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "core/live/jobs/queue_forecast_job.h"

namespace tl::ui {

// GUI thread only.
class QueueForecast final : public QObject {
  Q_OBJECT
 public:
  QueueForecast(const Registry& registry, QObject* parent);
  ~QueueForecast() override;  // waits for the end of the jobs

  // Makes forecasts for all rows of the queue soon, and cancels those in progress.
  void look(jobs::QueueForecastJob::Settings settings);
  void forget();
  [[nodiscard]] const std::map<std::string, jobs::RowForecast>& rows() const { return rows_; }
  [[nodiscard]] bool is_looking() const { return timer_.isActive() || looking_ != nullptr; }

 Q_SIGNALS:
  void changed();

 private:
  struct Looking;
  void begin();
  void leave();
  const Registry& registry_;
  QTimer timer_;
  jobs::QueueForecastJob::Settings settings_;
  std::map<std::string, jobs::RowForecast> rows_;
  uint64_t number_ = 0;
  std::unique_ptr<Looking> looking_;
  std::vector<std::unique_ptr<Looking>> left_;  // cancelled jobs, which end without notice
};

}  // namespace tl::ui
