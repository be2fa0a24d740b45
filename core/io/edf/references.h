// Flats and darks of EDF that the user names: a folder or one of its files, read by the names that the ESRF gives them.
#pragma once

#include <filesystem>
#include <memory>
#include <optional>

#include "core/io/edf/info_file.h"
#include "core/io/edf/scan.h"

namespace tl::io {

// A single image of darks as measured (darkend0000.edf) is the sum of DARK_N darks: reads divide it. A note says so, or
// that the number is not known.
void divide_sum_of_darks(const std::optional<EsrfInfo>& stated, DarkFiles dark_files, EdfScanParts& parts);

// A reader whose views are the flats or darks that `path` names; a dark that may be a sum is also its dark, so that it
// is divided when it is read as one. Of a folder these are the flats (darks) that a scan in it would have, or its
// views if it has none, or all its files if no name says flat or dark; of a file its images. Its notes say what was
// left out or divided. Errors: io, invalid (a folder with others only).
Result<std::unique_ptr<ScanReader>> open_edf_references(const std::filesystem::path& path, Frames kind,
                                                        const ScanAccess& access);

}  // namespace tl::io
