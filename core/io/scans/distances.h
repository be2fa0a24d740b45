// Distances of a scan in an HDF5 file, and the beam that they make.
#pragma once

#include <string>

#include "core/io/reader/scan_info.h"

namespace tl::io {

// Makes the distances of `info` positive (none for a source at 0), and its beam a cone if the source is a tube or the
// magnification at the detector exceeds 1.01; notes say so. `source_type` is text of the file, or empty.
void set_beam_kind(const std::string& source_type, ScanInfo& info);

// (Source to detector) / (source to axis); 1 if there is no source.
double magnification_of(const ScanInfo& info);

}  // namespace tl::io
