// Which frames of an HDF5 dataset are projections, flats and darks, and the projections' angles.
#pragma once

#include <string>

#include "core/io/hdf5/scan.h"

namespace tl::io {

// Sorts the frames of parts.projections.dataset by the dataset `image_key`: 0 projection, 1 flat, 2 dark, 3 invalid (""
// = all are projections). `control` (or "") marks alignment frames, -1, which image_key lists as projections. Sets
// frames, flats, darks and the flats' positions; notes say what was left out. Invalid: another number of keys than
// frames, another key, no projection (unless only frames are wanted).
Result<void> sort_frames(const std::string& image_key, const std::string& control, Hdf5ScanParts& parts);

// Reads the projections' angles from a dataset ("" = none) with one per frame or one per projection. `is_axis`: angle i
// belongs to frame i, and there may be fewer or more of them: projections without an angle are left out. Invalid: any
// other number.
Result<void> sort_angles(const std::string& name, bool is_axis, Hdf5ScanParts& parts);

}  // namespace tl::io
