// RecordGate: holds frames back until a trigger, so that a record begins some seconds before it.
#pragma once

#include <deque>
#include <mutex>
#include <optional>
#include <vector>

#include "core/stream/recorder.h"

namespace tl::stream {

// All functions may be called from any thread.
class RecordGate {
 public:
  // Open from the start unless `before` is given: the seconds of views that are kept while it is closed, within
  // `max_bytes`. Flats and darks are all kept.
  RecordGate(Recorder& recorder, std::optional<double> before, int64_t max_bytes);

  // As Recorder::add(), which may wait for the disk; true for a frame that is held back.
  bool add(FramePtr frame);
  // From now on everything is recorded, first what was kept; where no view was kept, from the next one on. `now`: s since 1970.
  void open(double now);
  // Whether memory was too small for the views before the trigger.
  [[nodiscard]] bool was_short() const;

 private:
  void drop_oldest();
  void drop_before(double time);
  void begin_at(int64_t view);

  mutable std::mutex mutex_;
  Recorder& recorder_;
  const double before_;
  const int64_t max_bytes_;
  bool is_open_;
  bool begun_, short_ = false;  // begun: the recorder knows with which view it begins
  std::deque<FramePtr> views_;
  std::vector<FramePtr> references_;
  int64_t bytes_ = 0;  // of views_
  std::optional<int64_t> first_, last_dropped_;  // numbers of views
};

}  // namespace tl::stream
