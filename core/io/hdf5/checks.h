// Element type, shape and filters of an HDF5 dataset, checked before memory is allocated for it.
#pragma once

#include <hdf5.h>

#include <string>
#include <vector>

#include "core/base/error.h"

namespace tl::io {

// The error for a dataset that cannot be found: a missing name, or a link whose target (named) is missing.
Error missing_dataset(hid_t file, const std::string& name, const std::string& where);
// The element type: "uint16", "float32", ...; invalid if it is not a plain integer or float.
Result<std::string> number_type(hid_t dataset, const std::string& where);
// The shape; its size in bytes as doubles fits 63 bits. Invalid if the shape is absent or has no elements.
Result<std::vector<int64_t>> dataset_shape(hid_t dataset, const std::string& where);
// The name of a filter; empty if its number is unknown.
std::string filter_name(H5Z_filter_t id);
// Unavailable, with the filter's id and Debian package, if a compression filter is not installed.
Result<void> check_filters(hid_t dataset, const std::string& where);

}  // namespace tl::io
