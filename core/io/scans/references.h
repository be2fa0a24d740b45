// Flats and darks that the user names, in the scan's file or in others, for scans of every format.
#pragma once

#include <memory>

#include "core/io/reader/scan_format.h"

namespace tl::io {

// Replaces the flats and darks of a scan by those that the choices name (ScanChoices::flats and the like); the scan
// itself if they name none. A file without a dataset: of TIFF the frames of that kind by their names, or all if none
// is; of EDF as open_edf_references() does; of other formats the flats (darks) of the scan in it, or its views if it
// has none; of other HDF5 files the only dataset of rank 3. Flats count as taken before the scan. Errors: io, invalid
// (also if there are none), with the file.
Result<std::unique_ptr<ScanReader>> with_chosen_references(std::unique_ptr<ScanReader> scan, const ScanAccess& access);

}  // namespace tl::io
