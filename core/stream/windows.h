// Windows: which frames of a stream make a window, and when one is complete.
#pragma once

#include <cstdint>
#include <map>
#include <mutex>
#include <optional>
#include <vector>

#include "core/stream/frames/frame.h"
#include "core/stream/record_rows.h"

namespace tl::stream {

struct WindowChoice {
  int64_t length = 60, hop = 6;  // views, those that were lost included
};

// Frames that are reconstructed together. Views without beam are left out.
struct Window {
  struct Flat {
    FramePtr frame;
    double position = 0;  // in views of the window, as ScanInfo::flat_positions
  };
  int64_t index = 0;              // windows of the stream before it
  std::vector<FramePtr> views;    // in the order of the record
  std::vector<int64_t> rows;      // of each view: where it lies in a record of this stream
  std::vector<Flat> flats;        // taken before the last view
  std::vector<FramePtr> darks;
  std::vector<int64_t> missing;   // the numbers of frames that did not arrive
  bool linear = false;            // the pixels are negative logarithms already
  double newest = 0;              // when its newest frame arrived [s since 1970]
  [[nodiscard]] double lost() const;  // the share of its views
};

// add() is called for every frame in the order of arrival; all functions may be called from any thread.
class Windows {
 public:
  Windows(WindowChoice choice, Numbering numbering);

  void add(FramePtr frame, bool linear);
  // No frame follows: gaps are not waited for any more.
  void end();

  // The newest window that is complete and was not taken; those before it are passed over and counted. A window with
  // gaps is complete once `patience` frames came after it. With NeedsFlats::yes none until there are flats before its
  // last view.
  enum class NeedsFlats : uint8_t { no, yes };
  std::optional<Window> take_newest(NeedsFlats needs);
  // The same without passing over any: for computations that must be complete.
  std::optional<Window> take_next(NeedsFlats needs);

  [[nodiscard]] int64_t skipped() const;
  [[nodiscard]] bool has_flats() const;
  // A row of a table of windows, by the views that a record of the stream has in the end.
  struct InRecord {
    int64_t first = 0, last = 0;       // indices of views
    std::vector<int64_t> left_out;     // those between that had not arrived
  };
  [[nodiscard]] InRecord in_record(const std::vector<int64_t>& rows) const;

  static constexpr int64_t patience = 8;  // frames

 private:
  std::optional<Window> next(NeedsFlats needs);
  [[nodiscard]] std::optional<int64_t> last_row() const;
  void pass_over();

  mutable std::mutex mutex_;
  const WindowChoice choice_;
  RecordRows placed_;
  std::map<int64_t, FramePtr> frames_;   // by row: views from the next window on, all flats and darks
  std::vector<int64_t> view_rows_;       // with beam, ascending: all of the stream
  std::optional<int64_t> begin_;         // the first row of the next window
  int64_t highest_ = -1, index_ = 0, skipped_ = 0;
  bool linear_ = false, ended_ = false, has_flats_ = false;
};

}  // namespace tl::stream
