// WatchedApplication: an application that measures how long its window did not respond: the longest time in which one
// event was handled, with the event and its receiver.
#pragma once

#include <QAbstractEventDispatcher>
#include <QApplication>
#include <QElapsedTimer>
#include <QEvent>
#include <QMetaEnum>
#include <QThread>
#include <algorithm>
#include <ctime>
#include <vector>

namespace tl::test {

class WatchedApplication final : public QApplication {
 public:
  // One event that took long. `processor_ms` is the thread's own CPU time, which is comparable on a shared
  // machine.
  struct Stall {
    double wall_ms = 0, processor_ms = 0;
    QString what;  // "MouseMove to tl::ui::CanvasView"
  };

  WatchedApplication(int& argc, char** argv) : QApplication(argc, argv) {
    // Within an event, a question may run its own event loop: when that loop waits, the window is responsive.
    connect(QAbstractEventDispatcher::instance(), &QAbstractEventDispatcher::aboutToBlock, this, [this] { restart(); });
    connect(QAbstractEventDispatcher::instance(), &QAbstractEventDispatcher::awake, this, [this] { restart(); });
    restart();
  }

  bool notify(QObject* receiver, QEvent* event) override {
    if (QThread::currentThread() != thread()) return QApplication::notify(receiver, event);
    // The receiver may be gone afterwards.
    const bool outermost = depth_ == 0 || rested_;
    const char* name = outermost ? receiver->metaObject()->className() : nullptr;
    const QEvent::Type type = event->type();
    if (outermost) restart();
    rested_ = false;
    ++depth_;
    const bool done = QApplication::notify(receiver, event);
    --depth_;
    if (outermost) end(type, name);
    return done;
  }

  // The longest ones, longest first.
  [[nodiscard]] const std::vector<Stall>& stalls() const { return stalls_; }
  void forget() {
    stalls_.clear();
    restart();
  }

 private:
  static double processor_now() {
    timespec now{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return 1e3 * static_cast<double>(now.tv_sec) + 1e-6 * static_cast<double>(now.tv_nsec);
  }
  void restart() {
    wall_.restart();
    processor_ = processor_now();
    rested_ = true;
  }
  void end(QEvent::Type type, const char* name) {
    constexpr std::size_t most = 10;
    const Stall stall{static_cast<double>(wall_.nsecsElapsed()) * 1e-6, processor_now() - processor_, {}};
    restart();
    if (stalls_.size() == most && stall.processor_ms <= stalls_.back().processor_ms) return;
    const char* event = QMetaEnum::fromType<QEvent::Type>().valueToKey(type);
    stalls_.push_back(stall);
    stalls_.back().what =
        QStringLiteral("%1 to %2").arg(QLatin1String(event == nullptr ? "an event" : event), QLatin1String(name));
    std::sort(stalls_.begin(), stalls_.end(),
              [](const Stall& a, const Stall& b) { return a.processor_ms > b.processor_ms; });
    if (stalls_.size() > most) stalls_.pop_back();
  }

  int depth_ = 0;
  bool rested_ = true;
  QElapsedTimer wall_;
  double processor_ = 0;
  std::vector<Stall> stalls_;
};

}  // namespace tl::test
