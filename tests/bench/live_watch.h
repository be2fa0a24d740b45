// What the benchmarks of live images share: how long the coarse and the sharp image take after a change.
#pragma once

#include <condition_variable>
#include <mutex>

#include "core/live/engine.h"
#include "tests/bench/bench.h"

namespace tl::bench {

// From a request, or from a change of the graph, to the first and to the sharp image [ms]; and the processor time up
// to the first and of all of it, which other programs on the machine change less.
struct Answer {
  double first = 0, sharp = 0, first_processor = 0, processor = 0;
};

class Watch final : public live::Listener {
 public:
  void notify(live::Notification notification) override {
    const auto* ready = std::get_if<live::PictureReady>(&notification);
    if (ready == nullptr) return;
    const live::Picture& p = ready->picture;
    if (p.error) stop(p.error->message());
    const std::lock_guard lock(mutex_);
    const double now = 1e3 * std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
    if (p.request.ticket != ticket_ || !open_) return;
    if (answer_.first == 0) {
      answer_.first = now;
      answer_.first_processor = 1e3 * (processor_seconds() - processor_);
    }
    if (!p.final) return;
    answer_.sharp = now;
    answer_.processor = 1e3 * (processor_seconds() - processor_);
    open_ = false;
    changed_.notify_all();
  }
  void begin(uint64_t ticket) {
    const std::lock_guard lock(mutex_);
    ticket_ = ticket;
    answer_ = {};
    open_ = true;
    processor_ = processor_seconds();
    start_ = std::chrono::steady_clock::now();
  }
  Answer wait() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return !open_; });
    return answer_;
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  std::chrono::steady_clock::time_point start_;
  double processor_ = 0;
  Answer answer_;
  uint64_t ticket_ = 0;
  bool open_ = false;
};

inline void report_answers(const std::string& name, std::vector<Answer> answers) {
  const auto median = [&](double Answer::*of) {
    std::sort(answers.begin(), answers.end(), [of](const Answer& a, const Answer& b) { return a.*of < b.*of; });
    return answers[answers.size() / 2].*of;
  };
  const double first = median(&Answer::first), early = median(&Answer::first_processor),
               processor = median(&Answer::processor), sharp = median(&Answer::sharp);
  std::printf(
      "{\"case\": \"%s\", \"first_ms\": %.1f, \"sharp_ms\": %.1f, \"best_ms\": %.1f, \"worst_ms\": %.1f, "
      "\"first_processor_ms\": %.1f, \"processor_ms\": %.1f, \"times\": %zu}\n",
      name.c_str(), first, sharp, answers.front().sharp, answers.back().sharp, early, processor, answers.size());
  std::fflush(stdout);
}

}  // namespace tl::bench
