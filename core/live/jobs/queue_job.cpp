// The work of a queue.
#include "core/live/jobs/queue_job.h"

#include <algorithm>
#include <chrono>

#include "core/live/jobs/queue_rates.h"
#include "core/live/run_forecast.h"
#include "core/run/common/progress.h"
#include "core/run/executor.h"
#include "core/run/many/many_scans.h"
#include "core/run/many/scan_queue.h"

namespace tl::jobs {

class QueueJob::Work final : public JobWorkOf<QueueJob> {
 public:
  using JobWorkOf::JobWorkOf;

 private:
  // Events of one scan: forwards its progress and warnings, and pauses between its blocks.
  class Events final : public EventSink {
   public:
    Events(Work& work, const Graph* graph) : work_(work), graph_(graph) {}
    void node_started(std::string_view node) override {
      const auto known = graph_ == nullptr ? std::map<std::string, GraphNode>::const_iterator()
                                           : graph_->nodes.find(std::string(node));
      const NodeType* type =
          graph_ == nullptr || known == graph_->nodes.end() ? nullptr : work_.registry_.find(known->second.type);
      work_.progress_.doing = type == nullptr ? std::string(node) : type->title;
      work_.progress_.step = work_.progress_.steps = 0;
    }
    // For an iterating node, each iteration is a part of its block.
    void node_progress(std::string_view, int64_t done, int64_t total) override {
      if (total > 0) {
        work_.progress_.step = done;
        work_.progress_.steps = total;
        estimate_.update_block(done, total, seconds());
      }
      report_estimate();
    }
    void run_progress(int64_t done, int64_t total) override {
      estimate_.update(done, total, seconds());
      report_estimate();
    }
    void message(LogLevel level, std::string_view, std::string_view text) override {
      if (level != LogLevel::warning && level != LogLevel::error) return;
      auto& notes = work_.progress_.notes[work_.progress_.running];
      if (std::find(notes.begin(), notes.end(), text) == notes.end()) notes.emplace_back(text);
    }

   private:
    [[nodiscard]] double seconds() const {
      return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin_).count();
    }
    void report_estimate() {
      work_.progress_.scan_done = estimate_.fraction();
      work_.progress_.scan_seconds_left = estimate_.seconds_left();
      work_.block_ended();
    }

    Work& work_;
    const Graph* graph_;
    ProgressEstimate estimate_;
    const std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
  };

  Result<void> work() override {
    begin_work();
    ScanQueue& queue = *settings_.queue;
    while (const std::optional<ScanRow> row = queue.take_next()) {
      begin_scan(*row);
      block_ended();  // pauses before the scan, if a pause is requested
      RunOptions options = run_options(settings_, control().token());
      // Also for a graph that cannot run: run() then reports the reason.
      const Result<ScanCheck> check = queue.check(*row, options);
      Events events(*this, check.ok() ? &check.value().graph : nullptr);
      options.events = &events;
      TL_TRY(const ScanOutcome outcome, queue.run(*row, options));
      if (check.ok()) end_scan(outcome, check.value().graph);
      ++progress_.scans;
      if (outcome.row.state == ScanState::failed) ++progress_.failed;
      progress_.running.clear();
      report();
    }
    return ok();
  }

  void begin_scan(const ScanRow& row) {
    progress_.running = row.name;
    progress_.doing.clear();
    progress_.step = progress_.steps = 0;
    progress_.notes.erase(row.name);
    progress_.scan_done = 0;
    progress_.scan_seconds_left = -1;
    report();
  }

  // Rates and throughput.
  void end_scan(const ScanOutcome& outcome, const Graph& graph) {
    if (!outcome.report) return;
    settings_.rates->learn(*outcome.report, registry_, graph);
    for (const auto& [node, stats] : outcome.report->nodes) {
      const auto known = graph.nodes.find(node);
      if (known != graph.nodes.end() && registry_.has_role(known->second.type, NodeRole::load_scan))
        bytes_ += static_cast<double>(stats.voxels) * sizeof(float);
    }
    seconds_ += outcome.report->seconds;
    if (seconds_ > 0) progress_.bytes_per_second = bytes_ / seconds_;
  }

  // The finished share of the scans, all weighted equally; scans added meanwhile reduce it.
  void block_ended() {
    int64_t waiting = 0;
    for (const ScanRow& row : settings_.queue->rows())
      if (row.state == ScanState::waiting && row.name != progress_.running) ++waiting;
    const auto ended = static_cast<double>(progress_.scans);
    const double all = ended + 1 + static_cast<double>(waiting);
    constexpr double just_begun = 1e-6;  // smallest share, as the estimate of the remaining time divides by it
    step_ended(std::max(just_begun, (ended + progress_.scan_done) / all));
  }

  double bytes_ = 0, seconds_ = 0;
};

QueueJob::QueueJob(const Registry& registry, const Settings& settings, Listener& listener)
    : Job(std::make_unique<Work>(registry, settings, listener), settings.threads) {}

}  // namespace tl::jobs
