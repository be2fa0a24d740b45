// HintFollower: adds nodes against what the pixels of a scan show to be wrong to the automatic pipeline of that scan.
#pragma once

#include <QObject>

#include "widgets/session/live_session.h"

namespace tl::ui {

class MessageModel;

// GUI thread only.
class HintFollower final : public QObject {
  Q_OBJECT
 public:
  HintFollower(LiveSession& session, MessageModel& messages, QObject* parent);
  // Call when the document shows the automatic pipeline of a scan: the hints about the scan are applied once, when they
  // arrive.
  void wait_for_hints();

 private:
  void follow();
  LiveSession& session_;
  MessageModel& messages_;
  bool waits_ = false;
};

}  // namespace tl::ui
