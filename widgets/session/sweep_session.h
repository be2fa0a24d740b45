// SweepSession: a sweep over parameters in the studio. Its table and montage go next to the pipeline.
#pragma once

#include "core/live/jobs/sweep_job.h"
#include "widgets/session/job_session.h"

namespace tl::ui {

class SweepSession final : public JobSessionOf<jobs::SweepJob> {
  Q_OBJECT
 public:
  explicit SweepSession(LiveSession& session, QObject* parent = nullptr) : JobSessionOf(session, parent) {}
  // One or two parameters with their values, as for learn::parse_sweep_axis(), separated by a semicolon.
  [[nodiscard]] QString over() const { return over_; }
  void set_over(const QString& text);
  [[nodiscard]] const std::vector<learn::SweepAxis>& axes() const { return axes_; }  // of the newest sweep
  [[nodiscard]] QString obstacle() const override;
  [[nodiscard]] bool has_best() const override { return progress().report.best.has_value(); }
  [[nodiscard]] bool is_unsaved() const override { return is_busy(); }
  void use_best();  // one undoable step

 private:
  void prepare(jobs::SweepJob::Settings& settings) override;
  [[nodiscard]] Result<learn::SweepRequest> request() const;
  QString over_;
  std::vector<learn::SweepAxis> axes_;
};

}  // namespace tl::ui
