// WatchPanel: the folder that is watched for new scans: what arrived, what is still being written, what becomes of it.
#pragma once

#include <QDateTime>
#include <QTimer>
#include <QWidget>

#include "widgets/queue/queue_session.h"

class QCheckBox;
class QLabel;

namespace tl::ui {

// Hidden while no folder is watched.
class WatchPanel final : public QWidget {
  Q_OBJECT
 public:
  explicit WatchPanel(QueueSession& queue, QWidget* parent = nullptr);
  void choose_folder();  // by a dialog

 private:
  void show_all();
  QueueSession& queue_;
  QLabel *folder_, *arrived_, *unfinished_, *note_;
  QCheckBox* by_themselves_;
  QString last_;
  QDateTime last_time_;
  int count_ = 0;  // of scans that arrived in this folder
  QTimer clock_;   // "arrived 4 min ago"
};

}  // namespace tl::ui
