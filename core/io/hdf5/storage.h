// Which frames of an HDF5 dataset were recorded: HDF5 gives a fill value for all others without a word.
#pragma once

#include <hdf5.h>

#include <string>
#include <vector>

#include "core/io/source_files.h"

namespace tl::io {

struct Storage {
  double written = 1;  // share of the pixels that have storage
  // Whether all of a frame has storage, one for each along the first axis; empty: so it is with all,
  // or (with written < 1) there are too many chunks to ask for each. What has none
  // would be read as a fill value, and a deliberate one cannot be told from a scan that was cut short.
  std::vector<bool> recorded;
  int64_t sources = 0;  // datasets that a virtual one is made of
};

// The storage of a dataset, in whatever files: claims against the lengths of files, chunks that were never written,
// sources of virtual datasets by the same rules. io or invalid: files that are missing or refused, claims beyond the
// end of the file, virtual datasets that refer to themselves. `chain`: the virtual datasets that led here.
Result<Storage> check_storage(hid_t dataset, const std::vector<int64_t>& shape, const std::string& where,
                              const std::shared_ptr<SourceFiles>& sources, const std::vector<std::string>& chain);

// Whether all chunks of one frame were written.
bool frame_is_stored(hid_t dataset, const std::vector<int64_t>& shape, const std::vector<hsize_t>& chunk,
                     int64_t frame);

// "0 to 5 and 9 to 11 of 512": the frames for which `which` is `value`; at most three runs are named.
std::string frame_runs(const std::vector<bool>& which, bool value);

}  // namespace tl::io
