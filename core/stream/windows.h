// Windows: which frames of a stream form a window, and when a window is complete.
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
  int64_t length = 60, hop = 6;  // in views, including lost ones
};

// Frames that are reconstructed together, as in a record of the stream.
struct Window {
  struct View {
    FramePtr frame;
    int64_t row = 0;      // row of the view in a record of the stream
    int64_t ordinal = 0;  // number of views before it in the stream, known so far
  };
  struct Flat {
    FramePtr frame;
    double position = 0;  // see ScanInfo::flat_positions, in views of the stream
  };
  int64_t index = 0;  // number of earlier windows of the stream, including skipped ones
  std::vector<View> views;
  std::vector<Flat> flats;  // taken before its last view
  std::vector<FramePtr> darks;
  int64_t lost = 0;     // views that did not arrive
  bool linear = false;  // the pixels are negative logarithms already
  double newest = 0;    // time at which its last frame arrived [s since 1970]
};

// All functions may be called from any thread.
class Windows {
 public:
  enum class NeedsFlats : uint8_t { no, yes };

  explicit Windows(WindowChoice choice) : choice_(choice) {}

  // Call in the order of arrival, once per frame. `numbering` and `linear` are the same for all frames of a stream.
  void add(FramePtr frame, Numbering numbering, bool linear);
  // No frame follows: gaps are not waited for any more.
  void end();

  // The next complete window. One with gaps is complete once `patience` frames came after it; one that contains views
  // without beam is skipped. With NeedsFlats::yes a window needs flats before its last view: the first window waits for
  // the first flats of the stream, and windows that end before them are skipped.
  std::optional<Window> take_next(NeedsFlats needs);
  // The newest complete window: earlier ones are skipped.
  std::optional<Window> take_newest(NeedsFlats needs);

  [[nodiscard]] int64_t skipped() const;  // windows that were passed over
  [[nodiscard]] bool has_flats() const;
  // Whether a window is not available because no flats arrived before it.
  [[nodiscard]] bool waits_for_flats() const;

  static constexpr int64_t patience = 8;  // frames

 private:
  std::optional<Window> next(NeedsFlats needs);
  // The row of the last of `views` views from `row` on, including lost ones; nothing if it is not known yet.
  [[nodiscard]] std::optional<int64_t> last_of(int64_t row, int64_t views) const;
  [[nodiscard]] bool is_view(int64_t row) const;
  [[nodiscard]] std::optional<int64_t> first_view() const;
  [[nodiscard]] bool is_settled(int64_t first, int64_t last) const;
  [[nodiscard]] bool has_flat_after(int64_t row) const;
  [[nodiscard]] Window window_of(int64_t first, int64_t last) const;
  void hop();
  void limit();

  mutable std::mutex mutex_;
  const WindowChoice choice_;
  std::optional<RecordRows> placed_;
  std::map<int64_t, FramePtr> frames_;  // by row: views that later windows need, and flats and darks
  std::vector<int64_t> view_rows_;      // rows of the stream's views with beam, ascending
  std::optional<int64_t> begin_;        // the first row of the next window
  int64_t highest_ = -1, index_ = 0, skipped_ = 0, kept_views_ = 0;
  bool linear_ = false, ended_ = false, has_flats_ = false, waits_ = false;
};

}  // namespace tl::stream
