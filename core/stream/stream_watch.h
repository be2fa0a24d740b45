// StreamWatch: problems of a stream, reported once when they begin and when they end.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "core/stream/intake.h"

namespace tl::stream {

struct StreamEvent {
  // first_frame: the number of the first frame. joined: what was missed before the first view. scan: another scan
  // begins. trigger: its condition is met. alarm: there is a problem; disk: with the disk of a record. beam, resumed:
  // the end of an alarm.
  enum class Kind : uint8_t { first_frame, joined, scan, trigger, alarm, disk, beam, resumed } kind = Kind::alarm;
  std::string text;
  int64_t number = 0;                     // of the first frame, or of the scan: 2 is the second scan
  std::vector<std::string> missing = {};  // for joined: "flats", "darks", "frames before 12"
  std::string because = {};               // of scan
  std::filesystem::path record = {};      // for scan: file of its record; empty: it is not recorded
  NearbyValue value = {};                 // of trigger
};

// Thread of the caller.
class StreamWatch {
 public:
  // Events since the last call. `period` and `last_frame` as in Intake.
  std::vector<StreamEvent> look(const IntakeCounts& counts, std::optional<double> period,
                                Intake::Clock::time_point last_frame);
  // As of the last look().
  [[nodiscard]] bool is_silent() const { return silent_; }  // the camera has stopped
  [[nodiscard]] bool is_dark() const { return dark_; }      // the views have no beam

 private:
  bool began_ = false, has_views_ = false, refused_ = false, silent_ = false, dark_ = false;
  int64_t views_ = 0, no_beam_ = 0;
};

}  // namespace tl::stream
