// RecordRows: in which row of a record a frame lies: views by number, with the flats and darks between them.
#pragma once

#include <cstdint>
#include <map>
#include <optional>

#include "core/stream/frames/frame_numbers.h"

namespace tl::stream {

// Where numbers go through all kinds, a frame's row is its number, counted from the beginning of the record. Where each
// kind has numbers of its own, flats and darks follow the views that came before them. Rows without a frame are lost
// frames. Rows that were given stay, also when the numbering turns out to be the other one.
class RecordRows {
 public:
  explicit RecordRows(Numbering numbering = Numbering::through_all_kinds) : numbers_(numbering) {}

  // Views from this number on follow the frames that have rows then, and earlier ones have none: what came before the
  // record began is not lost. Before the first add().
  void begin_at(int64_t view) {
    first_view_ = view;
    numbers_.expect(view);
  }
  // Nothing for a frame that has a row, for implausible numbers, and for frames before the beginning of the record.
  std::optional<int64_t> add(FrameKind kind, int64_t number);
  [[nodiscard]] int64_t rows() const { return rows_; }

  // A record that begins with a higher number begins so many rows earlier, for frames that were overtaken.
  static constexpr int64_t room_before = 64;

 private:
  [[nodiscard]] int64_t first_of(int64_t number) const;
  std::optional<int64_t> row_by_number(FrameKind kind, int64_t number);

  FrameNumbers numbers_;
  std::optional<int64_t> first_view_;        // begin_at()
  std::optional<int64_t> begin_;             // through all kinds: the number of row 0, which may not exist
  std::map<int64_t, int64_t> view_offsets_;  // per kind: from this view on, row - number
  std::optional<int64_t> last_view_;         // the highest number of a view
  int64_t rows_ = 0;
};

}  // namespace tl::stream
