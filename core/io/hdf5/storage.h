// Finds which frames of an HDF5 dataset were recorded: HDF5 silently reads a fill value for all others.
#pragma once

#include <hdf5.h>

#include <string>
#include <vector>

#include "core/io/reader/source_files.h"

namespace tl::io {

struct Storage {
  double written = 1;  // fraction of the pixels for which the file has storage
  // By frame (first axis): whether all its pixels have storage. Empty: all frames have, or (with written < 1) there are
  // too many chunks to check. Pixels without storage read as a fill value; an aborted scan cannot be distinguished from
  // pixels that were left out deliberately.
  std::vector<bool> recorded;
  int64_t sources = 0;  // number of source datasets of a virtual dataset
};

// Determines the storage of a dataset: compares its stated size with the lengths of files, finds unwritten chunks, and
// checks the sources of virtual datasets by the same rules. io or invalid: missing or refused files, data beyond the
// end of a file, virtual datasets that refer to themselves. `chain`: the virtual datasets that refer to it.
Result<Storage> check_storage(hid_t dataset, const std::vector<int64_t>& shape, const std::string& where,
                              const std::shared_ptr<SourceFiles>& sources, const std::vector<std::string>& chain);

// Whether all chunks of one frame were written.
bool frame_is_stored(hid_t dataset, const std::vector<int64_t>& shape, const std::vector<hsize_t>& chunk,
                     int64_t frame);

// Text for the frames where `which` is `value`: "0 to 5, 9 to 11"; at most three runs are named.
std::string frame_runs(const std::vector<bool>& which, bool value);

}  // namespace tl::io
