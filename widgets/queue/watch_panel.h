// WatchPanel: the folder watched for new scans: scans that have arrived, scans still being written, and what is done
// with them.
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
  int count_ = 0;  // number of scans that arrived in this folder
  QTimer clock_;   // "arrived 4 min ago"
};

}  // namespace tl::ui
