// Virtual HDF5 datasets: finds the files and datasets that contain their frames.
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "core/io/hdf5/storage.h"

namespace tl::io {

struct VirtualContext {
  std::shared_ptr<SourceFiles> sources;
  std::vector<std::string> chain;  // the virtual datasets that refer to this one
};

// Finds, recursively, which frames of a virtual dataset have a recorded source.
Result<Storage> virtual_storage(hid_t dataset, hid_t plist, const std::vector<int64_t>& shape, const std::string& where,
                                const VirtualContext& context);

// The file that contains an open dataset.
std::string containing_file(hid_t dataset);
// The path of a source file: relative to the folder of the file `owner` that refers to it, or its plain file name in
// that folder. Error io if it is missing or access is refused.
Result<std::filesystem::path> existing_source(const std::filesystem::path& owner, const std::string& name,
                                              const std::string& where, SourceFiles& sources);
Error missing_source(const std::string& name, const std::string& where);

}  // namespace tl::io
