// LearningStart: starts learning, after the scan was looked at, with the objective that is chosen or suggested.
#pragma once

#include <QWidget>

#include "widgets/session/learning_session.h"

namespace tl::ui {

class ObjectiveChooser;

class LearningStart final : public QObject {
  Q_OBJECT
 public:
  LearningStart(LearningSession& learning, const ObjectiveChooser& objective, QObject* parent = nullptr);
  // Starts learning, with the suggested objective if none was chosen; resumes if paused. If the scan has not been
  // analysed yet, learning starts after that, unless it is stopped before. Always reported: by waiting(), or by
  // refused() if it cannot start.
  void learn();
  void stop();                                 // what waits, or else learning
  void stop_waiting();                         // after LiveSession::stop()
  [[nodiscard]] QString waiting_text() const;  // empty: it does not wait
  [[nodiscard]] QString why_not() const;       // empty: it can start, or the scan has not been analysed yet
  [[nodiscard]] QString idle_text() const;     // text before the start

 Q_SIGNALS:
  void refused(const QString& why);
  void waiting(const QString& what);

 private:
  void set_waits(bool waits);
  void follow();
  LearningSession& learning_;
  const ObjectiveChooser& objective_;
  bool waits_ = false;  // learn() was called before the scan was analysed
};

}  // namespace tl::ui
