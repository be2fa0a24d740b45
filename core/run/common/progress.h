// Progress of a run for display: fraction, time left, throughput. Pure arithmetic and text: no clock, no terminal.
#pragma once

#include <cstdint>
#include <string>

namespace tl {

// Estimates the time left from the pace so far. Recent pace counts more, so that a slow first block (plans, caches)
// does not spoil the estimate.
class ProgressEstimate {
 public:
  // `done` of `total` blocks after `seconds` since the start. Calls go forward in time.
  void update(int64_t done, int64_t total, double seconds);
  // `done` of `total` steps of the current block, such as iterations, after `seconds` since the start. Counts until the
  // next update(); ignored while the number of blocks is not known.
  void update_block(int64_t done, int64_t total, double seconds);
  [[nodiscard]] double fraction() const { return total_ > 0 ? blocks_done() / static_cast<double>(total_) : 0; }
  // Seconds until the end; negative if not known.
  [[nodiscard]] double seconds_left() const;
  // Seconds from the start to the last finished block.
  [[nodiscard]] double seconds() const { return seconds_; }

 private:
  [[nodiscard]] double blocks_done() const { return static_cast<double>(done_) + part_; }
  int64_t done_ = 0, total_ = 0;
  double part_ = 0;  // finished fraction of the current block
  double seconds_ = 0;
  double step_seconds_ = 0;  // time from the start to its last step [s]
  double pace_ = 0;          // smoothed seconds per block; 0 = not known
};

// "4 s", "2 min 05 s", "3 h 20 min".
std::string format_duration(double seconds);

// One line for a terminal of `width` columns: bar, percentage, time left, throughput, current work. Never longer than
// the width. `rate` is in voxels per second, 0 if it is not known.
std::string progress_line(const ProgressEstimate& estimate, double rate, const std::string& node, int width);

}  // namespace tl
