// StatusLine: what is being computed, the last message, the value under the mouse, cache use, and a button for all
// messages.
#pragma once

#include <QTimer>
#include <QWidget>

#include "widgets/session/live_session.h"

class QLabel;
class QProgressBar;
class QToolButton;

namespace tl::ui {

class MessageModel;

class StatusLine final : public QWidget {
  Q_OBJECT
 public:
  static constexpr int height = 26;  // px
  StatusLine(LiveSession& session, MessageModel& messages, QWidget* parent);

  void show_hover(const QString& value);                // the value under the mouse
  void show_job(const QString& text, double fraction);  // such as a training, while nothing runs; empty: none

 Q_SIGNALS:
  void messages_wanted();

 protected:
  void mousePressEvent(QMouseEvent* event) override;
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  void show_activity();
  void show_run();
  [[nodiscard]] QString activity_text() const;
  void show_messages();
  void fit_message();  // shortens the last message to the remaining space
  void show_cache();
  LiveSession& session_;
  MessageModel& messages_;
  QLabel *state_, *last_, *hover_, *cache_;
  QString last_message_;
  QProgressBar* progress_;
  QToolButton* count_;
  QTimer settle_;  // delays the text of an activity, so that short activities are not shown
  bool learning_pauses_ = false;
  QString job_;
  double job_done_ = 0;  // share
};

}  // namespace tl::ui
