// VolumeFileInfo: metadata of a volume file: sizes, type and position of its voxels, unit and scale of its values. No
// voxels.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "core/base/error.h"
#include "core/base/grid.h"
#include "core/base/units.h"
#include "core/values/infos.h"

namespace tl::io {

// Conversion of stored numbers to values: value = low + stored * step.
struct ValueScale {
  double low = 0, step = 1;
  friend bool operator==(const ValueScale&, const ValueScale&) = default;
};

struct VolumeFileInfo {
  std::filesystem::path path;
  std::string format;      // id of the format with which the file was read: "nrrd", ...
  std::string voxel_type;  // type of the stored numbers: "uint16", "float32", ...
  VolumeGrid grid;         // [mm]; indices grow with +z, +y, +x as far as the file's axes allow
  // Guessed: the file contains no voxel size, and 1 mm is used.
  Origin voxel_size = Origin::guessed;
  std::string voxel_size_source;  // "space directions", "default: 1 mm"
  // Guessed: the file contains no position, and the volume is centred at the origin.
  Origin position = Origin::guessed;
  Unit unit = Unit::none;           // of the values
  std::optional<ValueScale> scale;  // none: the stored numbers are the values
  std::string description;          // the text that Tomoloom embedded, see VolumeTarget::description
  std::vector<std::string> notes;   // decisions and oddities, in sentences
};

// Opens and closes the volume at `path` like open_volume(). Reads no voxels, but may block as long as the disk does:
// not for a GUI thread.
Result<VolumeFileInfo> read_volume_info(const std::filesystem::path& path);

// File extensions of all formats (".tif", ".nrrd", ...), without duplicates, for file dialogs.
std::vector<std::string> volume_extensions();

}  // namespace tl::io
