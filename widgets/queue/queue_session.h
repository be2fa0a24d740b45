// QueueSession: the queue of scans in the studio: changes of its rows by the user, and the job that runs them.
#pragma once

#include <QImage>
#include <QSet>
#include <QStringList>
#include <QTimer>
#include <optional>

#include "core/live/jobs/queue_job.h"
#include "core/run/many/scan_queue.h"
#include "widgets/queue/queue_cluster.h"
#include "widgets/queue/queue_forecast.h"
#include "widgets/queue/queue_watch.h"
#include "widgets/queue/slurm_forms.h"
#include "widgets/session/job_session.h"

namespace tl::ui {

// A queue is a folder of results with its table. It does not depend on the pipeline in the window: each row has a copy
// of the pipeline that was open when it was added. While another program uses the queue, it is shown as that program
// writes it, and cannot be changed; when that program ends, this session takes it over.
class QueueSession final : public JobSessionOf<jobs::QueueJob> {
  Q_OBJECT
 public:
  explicit QueueSession(LiveSession& session, QObject* parent = nullptr);
  ~QueueSession() override;

  bool open(const QString& folder);  // false, with refused(), if it cannot be used; the previous queue stays open
  [[nodiscard]] QString folder() const { return folder_; }    // empty: no queue is open
  [[nodiscard]] QString foreign() const { return foreign_; }  // name of another program that uses the queue, or empty
  [[nodiscard]] const std::vector<tl::ScanRow>& rows() const { return rows_; }
  [[nodiscard]] bool is_running(const tl::ScanRow& row) const;
  [[nodiscard]] bool is_waiting(const tl::ScanRow& row) const;  // or interrupted
  [[nodiscard]] const jobs::RowForecast* forecast(const std::string& name) const;
  [[nodiscard]] bool is_looking() const { return forecasts_->is_looking(); }  // whether forecasts are being computed
  [[nodiscard]] QImage thumbnail(const std::string& name) const;
  // Totals over all waiting rows. Seconds below 0: not known.
  struct Whole {
    int64_t scans = 0, peak = 0, memory = 0, disk = 0, free_disk = -1;  // bytes; free_disk below 0: not known
    double seconds = -1;
    std::string largest;  // the row with the peak
  };
  [[nodiscard]] Whole whole() const;
  // The first existing result of the row; empty: none.
  [[nodiscard]] QString result_of(const tl::ScanRow& row) const;

  // Adds scans, folders of scans and tables. If no queue is open, one is made in the results folder set by the user,
  // else next to the first of the paths.
  bool add(const QStringList& paths);
  bool add_document();  // adds the pipeline of the window with the scan that it loads
  // Adds scans of the folder when they are finished; an empty folder ends this. If no pipeline is open, they get that
  // of the last row.
  void watch(const QString& folder, double quiet_s = 10);
  // What is done with new scans: they are added and run at once, or only listed by QueueWatch::finished().
  enum class Found { run, listed };
  void use_found(Found use);
  [[nodiscard]] Found use_of_found() const { return use_of_found_; }
  [[nodiscard]] const QueueWatch& watched() const { return *watch_; }
  void remove(const std::vector<std::string>& names);
  void move(const std::vector<std::string>& names, std::size_t before);
  // "fbp.cutoff=0.8; axis.axis=3" for one scan; other parameters are as in the pipeline.
  bool set_changes(const std::string& name, const QString& text);
  void hold(const std::vector<std::string>& names);  // pauses the waiting rows; if none waits, resumes the paused ones
  void retry(const std::vector<std::string>& names);
  void retry_failed();
  void use_pipeline(const std::vector<std::string>& names);  // that of the document
  bool write_table(const QString& file);
  void look_again();  // makes new forecasts for all rows: files may have changed

  // Where rows started from now on run.
  enum class Target { computer, slurm };
  void set_target(Target target);  // Slurm only if cluster().obstacle() is empty
  [[nodiscard]] Target target() const { return target_; }
  [[nodiscard]] const QueueCluster& cluster() const { return *cluster_; }
  [[nodiscard]] std::vector<std::string> waiting() const;  // names
  // Resources for rows, by their forecasts; with the other settings of the last request.
  [[nodiscard]] SlurmRequest request_for(const std::vector<std::string>& names) const;
  void send_to_cluster(const std::vector<std::string>& names, const JobResources& resources);
  void send_again(const std::vector<std::string>& names);  // the failed rows, with their previous resources
  void cancel_sent(const std::vector<std::string>& names);

  [[nodiscard]] QString obstacle() const override;
  [[nodiscard]] bool is_unsaved() const override { return is_busy(); }
  void start() override;
  void toggle();  // starts, pauses or goes on

 Q_SIGNALS:
  void rows_changed();
  void forecasts_changed();
  void folder_changed();
  void refused(const QString& why);

 private:
  void leave() override {}  // another pipeline in the window
  void follow_pipeline() override {}
  void show_progress() override { read_rows(); }
  void connect_watch();
  bool add_found(const QStringList& scans);
  bool take(const Result<void>& done);
  void refuse(const Error& error);
  bool take_over(const QString& folder);
  void follow_foreign();
  void read_rows();
  [[nodiscard]] QString folder_for(const QString& scan) const;
  [[nodiscard]] Result<std::string> kept_pipeline();

  std::shared_ptr<ScanQueue> queue_;
  std::shared_ptr<jobs::QueueRates> rates_;
  QueueForecast* forecasts_;
  QueueWatch* watch_;
  QueueCluster* cluster_;
  Target target_ = Target::computer;
  Found use_of_found_ = Found::run;
  QSet<QString> delivered_;  // scans of the watched folder
  enum class WithoutPipeline { refused, as_last_row } without_pipeline_ = WithoutPipeline::refused;
  QTimer foreign_timer_;
  QString folder_, foreign_;
  std::vector<tl::ScanRow> rows_;
};

}  // namespace tl::ui
