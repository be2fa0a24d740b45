// VolumeFileInfo: what a volume file states: sizes, type and position of its voxels, unit and scale of its values. No
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

// Stored numbers as values: value = low + stored * step.
struct ValueScale {
  double low = 0, step = 1;
  friend bool operator==(const ValueScale&, const ValueScale&) = default;
};

struct VolumeFileInfo {
  std::filesystem::path path;
  std::string format;      // id of the format that read it: "nrrd", ...
  std::string voxel_type;  // of the stored numbers: "uint16", "float32", ...
  VolumeGrid grid;         // [mm]; indices grow with +z, +y, +x as far as the file's axes allow
  // Guessed: the file does not say how large a voxel is, and 1 mm stands in for it.
  Origin voxel_size = Origin::guessed;
  std::string voxel_size_source;  // "space directions", "default: 1 mm"
  // Guessed: the file does not say where the volume is, and it is centred on the origin.
  Origin position = Origin::guessed;
  Unit unit = Unit::none;           // of the values
  std::optional<ValueScale> scale;  // none: the stored numbers are the values
  std::string description;          // the text that Tomoloom embedded, as VolumeTarget::description
  std::vector<std::string> notes;   // decisions and oddities, in sentences
};

// Opens and closes the volume at `path`, as open_volume() does. Reads no voxels, but may block as long as the disk
// does: not for a GUI thread.
Result<VolumeFileInfo> read_volume_info(const std::filesystem::path& path);

// File extensions of all formats (".tif", ".nrrd", ...), without duplicates, for file dialogs.
std::vector<std::string> volume_extensions();

}  // namespace tl::io
