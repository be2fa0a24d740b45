// Flats and darks in EDF files that the user names: a folder or one of its files, recognised by the naming scheme of
// the ESRF.
#pragma once

#include <filesystem>
#include <memory>
#include <optional>

#include "core/io/edf/info_file.h"
#include "core/io/edf/scan.h"

namespace tl::io {

// A single image of darks as measured (darkend0000.edf) is the sum of DARK_N darks: it is divided when read. A note
// reports this, or that DARK_N is not known.
void divide_sum_of_darks(const std::optional<EsrfInfo>& stated, DarkFiles dark_files, EdfScanParts& parts);

// A reader whose views are the flats or darks that `path` names; a dark that may be a sum is also its dark, so that it
// is divided when it is read as one. For a folder these are the flats (darks) of the scan in it; if it has none, its
// views; or all its files if no name indicates flats or darks; for a file, its images. Notes list what was left out or
// divided. Errors: io, invalid (a folder with other kinds only).
Result<std::unique_ptr<ScanReader>> open_edf_references(const std::filesystem::path& path, Frames kind,
                                                        const ScanAccess& access);

}  // namespace tl::io
