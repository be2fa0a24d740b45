// StreamWatch: what is odd about a stream, reported once each time that it begins and ends.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "core/stream/intake.h"

namespace tl::stream {

struct StreamEvent {
  // first_frame: the number of the first frame. joined: what had gone by when the first view came. scan: another one
  // begins. trigger: it holds. alarm: something is wrong; disk: with that of a record. beam, resumed: the end of an
  // alarm.
  enum class Kind : uint8_t { first_frame, joined, scan, trigger, alarm, disk, beam, resumed } kind = Kind::alarm;
  std::string text;
  int64_t number = 0;                     // of the first frame, or the scan: 2 is the second
  std::vector<std::string> missing = {};  // of joined: "flats", "darks", "frames before 12"
  std::string because = {};               // of scan
  std::filesystem::path record = {};      // of scan: in which it is recorded; empty: it is not
  NearbyValue value = {};                 // of trigger
};

// Thread of the caller.
class StreamWatch {
 public:
  // What began or ended since the last call. `period` and `last_frame` as of Intake.
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
