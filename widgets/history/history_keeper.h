// HistoryKeeper: enters runs, learning and training of the window into the history, on its own thread.
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
  // A run of output nodes of the document or of another pipeline has begun; the session reports its end.
  void begin_run(history::Kind kind);
  void begin_run(history::Kind kind, const Graph& graph);
  // From now on each job of `job` gets a row in the history.
  void follow(JobSession& job, history::Kind kind);
  void follow(LearningSession& learning);
  // Enters work that another session has done.
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
