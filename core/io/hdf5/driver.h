// The way HDF5 gets at the files of a scan: every file that the library opens, through whatever link, goes through
// here.
#pragma once

#include <hdf5.h>

#include <memory>

#include "core/io/source_files.h"

namespace tl::io {

// Makes a file access list open files with this driver: read-only, only files that `sources` admits, and with an error
// instead of zeros for what lies beyond the end of a file. `sources` outlives all files that are opened.
bool use_scan_driver(hid_t access, SourceFiles& sources);

}  // namespace tl::io
