// BackgroundWork: work that goes on after the window is closed, by the program of the command line.
#pragma once

#include <QDateTime>
#include <QObject>
#include <QString>
#include <QStringList>
#include <QTimer>
#include <vector>

#include "core/base/error.h"

namespace tl::ui {

// A task for the command line.
struct BackgroundRequest {
  QString title;      // "Run of foam.tomoloom"
  QStringList words;  // the command
  QString folder;     // working folder: base of relative result names
  QString waits_for;  // a file whose lock this program still holds; empty: none
};

struct BackgroundJob {
  enum class State { running, done, failed };
  QString place;  // folder with its pipeline, log and end
  QString title, folder;
  QDateTime begun;
  State state = State::running;
  [[nodiscard]] QString log() const;
};

// GUI thread only. Each job has a folder in the user's data, which every window reads; the desktop is notified when one
// ends, and each end is reported by the first window that sees it.
class BackgroundWork final : public QObject {
  Q_OBJECT
 public:
  // `folder` empty: in the user's data.
  explicit BackgroundWork(const QString& folder = {}, QObject* parent = nullptr);
  // Why nothing can continue without a window; empty: it can.
  [[nodiscard]] QString obstacle() const;
  // A new folder for the files of a job.
  [[nodiscard]] Result<QString> new_job_folder() const;
  Result<void> start(const QString& place, const BackgroundRequest& request);
  [[nodiscard]] std::vector<BackgroundJob> jobs() const;  // oldest first
  void look();                                            // reports running and ended jobs

 Q_SIGNALS:
  void goes_on(const tl::ui::BackgroundJob& job);  // once, when it is first seen
  void ended(const tl::ui::BackgroundJob& job);    // it is then forgotten; its log is kept until the next start

 private:
  [[nodiscard]] BackgroundJob job_at(const QString& place) const;
  QString folder_;
  QStringList seen_;
  QTimer timer_;
};

}  // namespace tl::ui
