// Virtual HDF5 datasets: the files and datasets that their frames come from.
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "core/io/hdf5/storage.h"

namespace tl::io {

struct VirtualContext {
  std::shared_ptr<SourceFiles> sources;
  std::vector<std::string> chain;  // virtual datasets that led here
};

// Which frames of a virtual dataset have a source that has them, recursively.
Result<Storage> virtual_storage(hid_t dataset, hid_t plist, const std::vector<int64_t>& shape, const std::string& where,
                                const VirtualContext& context);

// The file in which an open dataset lies.
std::string containing_file(hid_t dataset);
// Sources are relative to the folder of the file that names them, or lie in it. Missing or refused: io.
Result<std::filesystem::path> existing_source(const std::filesystem::path& owner, const std::string& name,
                                              const std::string& where, SourceFiles& sources);
Error missing_source(const std::string& name, const std::string& where);

}  // namespace tl::io
