// JobBridge: carries what a job reports on its own thread to a session on the GUI thread.
#pragma once

#include <QMetaObject>
#include <cstdint>
#include <utility>

namespace tl::ui {

// The session is a QObject with progress_of(number, Progress) and end_of(number, End); both are called later, from its
// event loop, with the number of the job.
template <class Session, class Listener, class Progress, class End>
class JobBridge final : public Listener {
 public:
  JobBridge(Session& session, uint64_t number) : session_(session), number_(number) {}
  void progressed(Progress progress) override {
    QMetaObject::invokeMethod(
        &session_, [this_ = &session_, number = number_, p = std::move(progress)] { this_->progress_of(number, p); },
        Qt::QueuedConnection);
  }
  void ended(End end) override {
    QMetaObject::invokeMethod(
        &session_, [this_ = &session_, number = number_, e = std::move(end)] { this_->end_of(number, e); },
        Qt::QueuedConnection);
  }

 private:
  Session& session_;
  const uint64_t number_;
};

}  // namespace tl::ui
