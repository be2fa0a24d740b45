// What is checked of an HDF5 dataset before a byte is allocated for it.
#pragma once

#include <hdf5.h>

#include <string>
#include <vector>

#include "core/base/error.h"

namespace tl::io {

// Why a dataset cannot be found: a missing name, or a link whose target (named) is missing.
Error missing_dataset(hid_t file, const std::string& name, const std::string& where);
// "uint16", "float32", ...; other than plain integers and floats: invalid.
Result<std::string> number_type(hid_t dataset, const std::string& where);
// The shape; its number of bytes as doubles fits 63 bits. Zero-size and absent shapes: invalid.
Result<std::vector<int64_t>> dataset_shape(hid_t dataset, const std::string& where);
// Compression filters that this machine lacks: unavailable, with id and Debian package.
Result<void> check_filters(hid_t dataset, const std::string& where);

}  // namespace tl::io
