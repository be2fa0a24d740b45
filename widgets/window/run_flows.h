// RunFlows: dialogs and messages around a run: replacing existing outputs, exports, the result at the end.
#pragma once

#include <QObject>
#include <QStringList>

#include "core/exports/plan.h"
#include "widgets/session/live_session.h"

class QWidget;

namespace tl::ui {

class MessageModel;

class RunFlows final : public QObject {
  Q_OBJECT
 public:
  RunFlows(LiveSession& session, MessageModel& messages, QWidget* window);

  void run_all();
  void run_all_again();  // with an empty cache
  // Whether existing files are replaced: the user's answer for the newest
  // run.
  [[nodiscard]] live::Existing existing() const { return existing_; }
  void run_export(const exports::Plan& plan);
  // The pipeline of the newest run, if that is an export; else nullptr.
  [[nodiscard]] const Graph* exported() const { return asked_ == RunRequest::exported ? &export_.graph : nullptr; }

  // Call while a file is being opened: a run requested now is a run of its pipeline, and begins when it is loaded.
  void wait_for_pipeline(const QString& file);
  void pipeline_is_there();
  void stay_with_pipeline();  // the file was not opened: the waiting run is dropped

 Q_SIGNALS:
  void started();
  void failed(const QString& node, const QString& why);  // node: the node that failed; may be empty
  void wrote(const QStringList& files, double seconds);  // a run that wrote files ended without error

 private:
  [[nodiscard]] QString failed_node() const;
  enum class RunRequest { none, all, all_again, exported };
  void begin(RunRequest what);
  void finished(const live::RunEnd& end);
  void run(live::Existing existing);
  live::Existing existing_ = live::Existing::refuse;
  LiveSession& session_;
  MessageModel& messages_;
  QWidget* window_;
  RunRequest asked_ = RunRequest::none;
  RunRequest waits_ = RunRequest::none;  // for the file
  QString opening_;                      // the file; empty: none
  exports::Plan export_;
};

}  // namespace tl::ui
