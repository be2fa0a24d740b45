// RecordRows: the rows of frames in a record: views by number, with the flats and darks between them.
#pragma once

#include <cstdint>
#include <map>
#include <optional>

#include "core/stream/frames/frame_numbers.h"

namespace tl::stream {

// If all kinds are numbered together, a frame's row is its number, counted from the beginning of the record. If each
// kind has its own numbers, flats and darks follow the views that arrived before them. Rows without a frame are lost
// frames. Assigned rows do not change, even when the numbering turns out to be different.
class RecordRows {
 public:
  explicit RecordRows(Numbering numbering = Numbering::through_all_kinds) : numbers_(numbering) {}

  // Views from this number on come after the frames that have rows by then, and earlier views have none: frames from
  // before the record do not count as lost. Call before the first add().
  void begin_at(int64_t view) {
    first_view_ = view;
    numbers_.expect(view);
  }
  // Nothing for a frame that already has a row, for implausible numbers, and for frames from before the record.
  std::optional<int64_t> add(FrameKind kind, int64_t number);
  [[nodiscard]] int64_t rows() const { return rows_; }

  // A record that begins with a higher number has so many rows before it, for frames that were overtaken.
  static constexpr int64_t room_before = 64;

 private:
  [[nodiscard]] int64_t first_of(int64_t number) const;
  std::optional<int64_t> row_by_number(FrameKind kind, int64_t number);

  FrameNumbers numbers_;
  std::optional<int64_t> first_view_;        // begin_at()
  std::optional<int64_t> begin_;             // all kinds numbered together: the number of row 0, which need not exist
  std::map<int64_t, int64_t> view_offsets_;  // kinds numbered separately: from this view on, row - number
  std::optional<int64_t> last_view_;         // the highest number of a view
  int64_t rows_ = 0;
};

}  // namespace tl::stream
