// QueueHistory: enters the scans that the queue of this window runs into the history.
#pragma once

#include <QObject>
#include <map>
#include <string>

#include "core/run/many/scan_row.h"

namespace tl::ui {

class HistoryKeeper;
class QueueSession;

// GUI thread only. If another program runs a queue, that program enters it.
class QueueHistory final : public QObject {
  Q_OBJECT
 public:
  QueueHistory(QueueSession& queue, HistoryKeeper& keeper, QObject* parent);

 private:
  void follow();
  void enter(const tl::ScanRow& row);
  QueueSession& queue_;
  HistoryKeeper& keeper_;
  QString folder_;  // of the states
  std::map<std::string, ScanState> states_;
};

}  // namespace tl::ui
