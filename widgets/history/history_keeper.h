// HistoryKeeper: enters what the window runs, learns and trains into the history, on a thread of its own.
#pragma once

#include <QObject>
#include <QThreadPool>
#include <functional>
#include <memory>
#include <vector>

#include "core/history/recorder.h"
#include "widgets/session/job_session.h"

namespace tl::ui {

class LearningSession;

// GUI thread only. The sessions must outlive it.
class HistoryKeeper final : public QObject {
  Q_OBJECT
 public:
  HistoryKeeper(LiveSession& session, history::Store store, QObject* parent = nullptr);
  ~HistoryKeeper() override;  // waits until everything is entered
  // A run of output nodes has begun, of the document or of another pipeline; its end comes from the session.
  void begin_run(history::Kind kind);
  void begin_run(history::Kind kind, const Graph& graph);
  // From here on each of its jobs gets a row.
  void follow(JobSession& job, history::Kind kind);
  void follow(LearningSession& learning);
  // Work that another session has done.
  void enter(history::Entry entry, history::Outcome outcome);
  void wait();  // until everything is entered

 Q_SIGNALS:
  void failed(const QString& message);  // of the history alone

 private:
  using Values = std::function<std::vector<history::Value>()>;
  struct Row;
  [[nodiscard]] std::shared_ptr<Row> begin(history::Kind kind, const Graph& graph);
  void end(const std::shared_ptr<Row>& row, history::Outcome outcome, std::vector<history::Value> values = {});
  void follow(JobSession& job, history::Kind kind, const Values& values);

  LiveSession& session_;
  history::Recorder recorder_;
  std::shared_ptr<Row> run_;  // nullptr: none goes on
  QThreadPool disk_;
};

}  // namespace tl::ui
