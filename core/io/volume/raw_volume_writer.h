// Writer of volumes whose file is a header and a plain block of numbers, in one file or in two.
#pragma once

#include <filesystem>
#include <memory>
#include <string>

#include "core/io/output/volume_writer.h"

namespace tl::io {

// The header stands before the voxels, or in a file of its own if `voxels` names one.
struct RawVolumeFiles {
  std::string header;
  std::filesystem::path voxels = {};
};

// Numbers are little-endian; pages, rows and columns run as volume_axes says.
Result<std::unique_ptr<VolumeWriter>> open_raw_volume(const VolumeTarget& target, const RawVolumeFiles& files);

// "%.17g" in the shortest form that reads back to the same number.
std::string number_text(double value);
// Three numbers, separated.
std::string vector_text(Vec3 v, const char* separator = " ");

}  // namespace tl::io
