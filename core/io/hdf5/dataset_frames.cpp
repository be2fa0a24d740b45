// Costs and gaps of reading an HDF5 dataset: frames per read, bytes, frames that were never recorded.
#include <algorithm>
#include <array>
#include <cmath>

#include "core/io/hdf5/checks.h"
#include "core/io/hdf5/file.h"
#include "core/io/reader/scan_checks.h"

namespace tl::io {

// The number of frames per read of a virtual dataset. The library keeps all its sources open, at more than half a
// megabyte each, until the dataset is closed: thousands would exceed a reader's memory.
int64_t Hdf5Dataset::frames_of_sources() const {
  constexpr int64_t max_open = 64;
  if (storage_.sources <= max_open) return shape_[0];
  return std::max<int64_t>(1, max_open * shape_[0] / storage_.sources);
}

// The number of frames per read of a chunked dataset: the library allocates some kilobytes per chunk before it reads.
int64_t Hdf5Dataset::frames_of_chunks(Range rows, Range cols) const {
  constexpr int64_t max_chunks = 1 << 13;
  if (chunk_.size() != 3) return shape_[0];
  const auto along = [](Range r, hsize_t step) {
    const auto length = static_cast<int64_t>(step);
    return (r.end + length - 1) / length - r.begin / length;
  };
  const int64_t each = along(rows, chunk_[1]) * along(cols, chunk_[2]);
  return static_cast<int64_t>(chunk_[0]) * std::max<int64_t>(1, max_chunks / std::max<int64_t>(1, each));
}

// Bytes to decompress: whole chunks.
int64_t Hdf5Dataset::touched_bytes(Range frames, Range rows, Range cols) const {
  const std::array<Range, 3> ranges = {frames, rows, cols};
  int64_t bytes = sizeof(double);
  for (std::size_t d = 0; d < 3; ++d) {
    const auto step = chunk_.size() == 3 ? std::max<int64_t>(1, static_cast<int64_t>(chunk_[d])) : 1;
    bytes *= ((ranges[d].end + step - 1) / step - ranges[d].begin / step) * step;
  }
  return bytes;
}

// Whether a frame was recorded. With too many chunks to check all, those of a frame are checked when it is first read.
bool Hdf5Dataset::is_recorded(int64_t frame) const {
  const auto f = static_cast<std::size_t>(frame);
  if (!recorded().empty()) return recorded()[f];
  if (chunk_.empty()) return true;
  asked_.resize(static_cast<std::size_t>(shape_[0]), Asked::not_yet);
  if (asked_[f] == Asked::not_yet)
    asked_[f] = frame_is_stored(id_.get(), shape_, chunk_, frame) ? Asked::there : Asked::missing;
  return asked_[f] == Asked::there;
}

// io if any of these frames was not recorded. Frames are numbered as in the dataset; the caller knows the numbers of
// the views.
Result<void> Hdf5Dataset::check_recorded(std::span<const int64_t> frames) const {
  if (written() >= 1) return ok();
  std::vector<bool> missing(static_cast<std::size_t>(shape_[0]), false);
  bool any = false;
  for (const int64_t f : frames)
    if (!is_recorded(f)) missing[static_cast<std::size_t>(f)] = any = true;
  if (any) return io_error("frames " + frame_runs(missing, true) + " were never recorded, or not as a whole", where_);
  if (recorded().empty() && chunk_.empty())
    return io_error("only " + std::to_string(std::lround(100 * written())) +
                        " % of the pixels were ever recorded, in which frames is not known",
                    where_, "Record the scan again, or copy it whole");
  return ok();
}

Result<std::vector<double>> Hdf5Dataset::read_all() const {
  constexpr int64_t most = 1 << 24;
  const Hdf5ErrorsSilenced quiet;
  int64_t count = 1;
  for (const int64_t n : shape_) count *= n;  // cannot overflow: dataset_shape() checked it
  if (count > most)
    return invalid("a list of " + std::to_string(count) + " numbers is longer than any scan", where_,
                   "The file is probably damaged");
  std::vector<double> values(static_cast<std::size_t>(count));
  if (count > 0 && H5Dread(id_.get(), H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()) < 0)
    return io_error("the values cannot be read", where_, "HDF5 says: " + Hdf5ErrorsSilenced::problem());
  return values;
}

}  // namespace tl::io
