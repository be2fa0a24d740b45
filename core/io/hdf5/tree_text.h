// The tree of an HDF5 file as text and JSON.
#pragma once

#include <string>
#include <vector>

#include "core/io/hdf5/tree.h"

namespace tl::io {

// One line per entry: path, then type, shape, unit, storage, attributes, and the target of a link.
std::string describe(const Hdf5Tree& tree);
std::string describe_json(const Hdf5Tree& tree);
// Paths of datasets that may be the frames of a scan: numbers of rank 3, the largest first.
std::vector<std::string> possible_frames(const Hdf5Tree& tree);

}  // namespace tl::io
