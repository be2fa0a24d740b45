// Estimates the time left of a run, and writes a progress line.
#include "core/run/common/progress.h"

#include <algorithm>
#include <cmath>

#include "core/base/text.h"

namespace tl {
namespace {

// Weight of a new block in the smoothed pace: about the last ten blocks count.
constexpr double new_block_weight = 0.2;

std::string format_rate(double per_second) {
  if (per_second >= 1e9) return formatted("%.1f Gvoxel/s", per_second * 1e-9);
  if (per_second >= 1e6) return formatted("%.1f Mvoxel/s", per_second * 1e-6);
  return formatted("%.1f kvoxel/s", per_second * 1e-3);
}

}  // namespace

void ProgressEstimate::update(int64_t done, int64_t total, double seconds) {
  if (done > done_) {
    const double blocks = static_cast<double>(done - done_);
    const double pace = (seconds - seconds_) / blocks;
    const double weight = pace_ > 0 ? 1 - std::pow(1 - new_block_weight, blocks) : 1;
    pace_ += weight * (pace - pace_);
  }
  if (done != done_ || seconds_ == 0) seconds_ = seconds;
  done_ = done;
  total_ = total;
  part_ = 0;
}

void ProgressEstimate::update_block(int64_t done, int64_t total, double seconds) {
  if (total <= 0) return;
  part_ = std::clamp(static_cast<double>(done) / static_cast<double>(total), 0.0, 1.0);
  step_seconds_ = seconds;
}

// Before the first block has ended, the steps within it determine the pace.
double ProgressEstimate::seconds_left() const {
  const double left = static_cast<double>(total_) - blocks_done();
  if (done_ > 0) return pace_ * left;
  return part_ > 0 && total_ > 0 ? step_seconds_ / part_ * left : -1;
}

std::string format_duration(double seconds) {
  const auto whole = static_cast<int64_t>(std::llround(std::max(seconds, 0.0)));
  const int rest = static_cast<int>(whole % 60);
  if (whole < 60) return formatted("%d s", rest);
  if (whole < 3600) return formatted("%d min %02d s", static_cast<int>(whole / 60), rest);
  return formatted("%lld h %02d min", static_cast<long long>(whole / 3600), static_cast<int>(whole % 3600 / 60));
}

std::string progress_line(const ProgressEstimate& estimate, double rate, const std::string& node, int width) {
  constexpr int cells = 24;
  const double fraction = std::clamp(estimate.fraction(), 0.0, 1.0);
  const int filled = static_cast<int>(fraction * cells);
  std::string line = "[" + std::string(static_cast<std::size_t>(filled), '#') +
                     std::string(static_cast<std::size_t>(cells - filled), '.') + "]" +
                     formatted(" %3.0f %%", 100 * fraction);
  if (estimate.seconds_left() >= 0) line += ", " + format_duration(estimate.seconds_left()) + " left";
  if (rate > 0) line += ", " + format_rate(rate);
  if (!node.empty()) line += ", " + node;
  if (width > 0 && static_cast<int>(line.size()) > width) line.resize(static_cast<std::size_t>(width));
  return line;
}

}  // namespace tl
