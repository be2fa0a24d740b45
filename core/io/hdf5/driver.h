// A virtual file driver through which HDF5 opens every file of a scan, whatever link leads to it.
#pragma once

#include <hdf5.h>

#include <memory>

#include "core/io/reader/source_files.h"

namespace tl::io {

// Makes a file access property list use this driver: read-only, only files that `sources` admits, and an error instead
// of zeros for reads beyond the end of a file. `sources` must outlive all files opened with it.
bool use_scan_driver(hid_t access, SourceFiles& sources);

}  // namespace tl::io
