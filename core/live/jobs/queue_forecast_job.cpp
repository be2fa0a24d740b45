// Checks the scans in the rows of a queue one by one, and estimates time and memory of their runs.
#include "core/live/jobs/queue_forecast_job.h"

#include <ctime>
#include <filesystem>

#include "core/base/wording.h"
#include "core/history/thumbnail.h"
#include "core/io/bytes/input_files.h"
#include "core/io/open_scan.h"
#include "core/live/jobs/queue_rates.h"
#include "core/live/run_forecast.h"
#include "core/run/executor.h"
#include "core/run/many/many_scans.h"
#include "core/run/many/scan_queue.h"

namespace tl::jobs {
namespace {

constexpr int64_t thumbnail_px = 96;
constexpr int64_t at_rest_s = 10;  // a file changed within so many seconds may still be written; as for `watch`

std::string describe(const io::ScanInfo& info) {
  return info.format + " · " + std::to_string(info.views) + " x " + std::to_string(info.rows) + " x " +
         std::to_string(info.cols);
}

bool is_still_changing(const std::vector<std::filesystem::path>& files) {
  const int64_t now = std::time(nullptr);
  for (const auto& file : files)
    if (const auto stamp = io::stamp_of(file); stamp && now - stamp->seconds < at_rest_s) return true;
  return false;
}

// Whether two rows have the same scan, pipeline and settings.
bool is_double(const ScanRow& a, const ScanRow& b) {
  return a.name != b.name && a.scan == b.scan && a.pipeline == b.pipeline && a.settings == b.settings;
}

}  // namespace

class QueueForecastJob::Work final : public JobWorkOf<QueueForecastJob> {
 public:
  using JobWorkOf::JobWorkOf;

 private:
  Result<void> work() override {
    begin_work();
    const std::vector<ScanRow> rows = settings_.queue->rows();
    for (std::size_t i = 0; i < rows.size(); ++i) {
      if (control().token().cancelled()) return cancelled();
      RowForecast& known = progress_.rows[rows[i].name];
      look_at(rows[i], known);
      for (std::size_t k = 0; k < i; ++k)
        if (is_double(rows[k], rows[i]))
          known.notes.push_back("duplicate of row " + std::to_string(k + 1) + ": it would compute the same again");
      step_ended(static_cast<double>(i + 1) / static_cast<double>(rows.size()));
    }
    report();
    return ok();
  }

  void look_at(const ScanRow& row, RowForecast& known) {
    const RunOptions options = run_options(settings_, control().token());
    std::error_code failed;
    if (!std::filesystem::exists(row.scan, failed)) {
      known.error = message_for(FrontEnd::window, io_error("the scan is missing", row.scan.string(),
                                                           "It was moved or deleted, or its disk is not there"));
    } else if (const auto scan = io::open_scan(row.scan, {}, {.cancel = options.cancel}); scan.ok()) {
      known.scan = describe(scan.value()->info());
      if (row.state != ScanState::done && is_still_changing(scan.value()->files()))
        known.notes.emplace_back("the scan has changed within the last 10 s: it may still be being written");
    } else {
      known.error = message_for(FrontEnd::window, scan.error());
    }
    if (row.state == ScanState::done) add_results(row, known, options);
    if (known.error.empty()) check_run(row, known, options);
    if (row.state == ScanState::running && settings_.queue->running() != row.name)
      known.notes.emplace_back("it was interrupted, and is run again");
  }

  void add_results(const ScanRow& row, RowForecast& known, const RunOptions& options) {
    known.key = row.key;
    if (const auto before = settings_.thumbnails_of.find(row.name);
        before != settings_.thumbnails_of.end() && before->second.key == row.key) {
      known.thumbnail = before->second.thumbnail;
      return;
    }
    std::vector<std::filesystem::path> files;
    for (const std::string& file : row.files) files.push_back(settings_.queue->folder() / file);
    picture::Image image = history::small_slice(files, thumbnail_px, options.cancel);
    if (!image.pixels.empty()) known.thumbnail = std::make_shared<const picture::Image>(std::move(image));
  }

  void check_run(const ScanRow& row, RowForecast& known, const RunOptions& options) {
    const Result<ScanCheck> check = settings_.queue->check(row, options);
    if (!check.ok()) {
      known.error = message_for(FrontEnd::window, check.error());
      return;
    }
    if (check.value().has_changed) known.notes.emplace_back("the scan has changed since its results were made");
    if (check.value().lacks_files) known.notes.emplace_back("results are missing: retry makes them again");
    if (row.state == ScanState::done) return;
    live::Rates rates = settings_.rates->get();
    // Measures once per pipeline: other scans have the same nodes.
    const bool measures = settings_.measures && measured_.insert(row.pipeline).second;
    const Result<live::RunForecast> run =
        live::forecast_run(registry_, check.value().graph, check.value().options, rates,
                           measures ? live::Probe::some_slices : live::Probe::none);
    if (!run.ok()) {
      known.error = message_for(FrontEnd::window, run.error());
      return;
    }
    settings_.rates->set(rates);
    known.peak = run.value().peak;
    known.disk = run.value().output_bytes;
    known.seconds = run.value().seconds;
  }

  std::set<std::string> measured_;  // pipelines
};

QueueForecastJob::QueueForecastJob(const Registry& registry, const Settings& settings, Listener& listener)
    : Job(std::make_unique<Work>(registry, settings, listener), settings.threads) {}

}  // namespace tl::jobs
