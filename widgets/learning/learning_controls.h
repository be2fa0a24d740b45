// LearningControls: buttons to learn, pause, finish with the best values and stop, and a line of status.
#pragma once

#include <QWidget>

#include "widgets/session/learning_session.h"

class QLabel;
class QPushButton;

namespace tl::ui {

class ObjectiveChooser;

class LearningControls final : public QWidget {
  Q_OBJECT
 public:
  LearningControls(LearningSession& learning, const ObjectiveChooser& objective, QWidget* parent = nullptr);
  // Starts learning, with the suggested objective if none was chosen; resumes if paused. Where the scan has still to be
  // looked at, it starts after that, unless it is stopped before. Never silent: waiting() says so, and refused() why it
  // cannot start.
  void learn();
  void stop_waiting();  // after LiveSession::stop()

 Q_SIGNALS:
  void refused(const QString& why);
  void waiting(const QString& what);
  void failed(const QString& why);  // the run that was started

 private:
  [[nodiscard]] QString why_not() const;  // empty: it can start, or the scan has still to be looked at
  void wait();
  void refresh();
  [[nodiscard]] QString status_text() const;
  LearningSession& learning_;
  const ObjectiveChooser& objective_;
  QPushButton *learn_, *pause_, *best_, *stop_;
  QLabel* status_;
  bool waits_ = false;  // learn() was called before the scan was looked at
  QString reported_;    // the failure that failed() was emitted for
};

}  // namespace tl::ui
