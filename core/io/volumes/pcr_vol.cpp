// Volumes of phoenix scanners (GE, Waygate), read only: a .pcr file of keys, and a .vol file of numbers next to it.
//
// Keys as in the readers of SlicerMorph and pi2: Volume_SizeX, Y and Z; Format is 1 (uint8), 5 (uint16) or 10
// (float32), little-endian; VoxelSizeRec [mm]. Columns, rows and slices are taken along +x, +y and +z.
#include <algorithm>

#include "core/base/text.h"
#include "core/io/text/key_value_file.h"
#include "core/io/volumes/format.h"
#include "core/io/voxels/raw_voxels.h"

namespace tl::io {
namespace {

namespace fs = std::filesystem;

int sniff_pcr_vol(const fs::path& path) {
  if (lower_case(path.extension().string()) != ".pcr") return 0;
  const auto file = KeyValueFile::open(path, KeyCase::is_ignored);
  if (!file.ok()) return 0;
  const auto size = file.value().text("Volume_SizeX");
  return size.ok() && size.value() ? 90 : 0;
}

// The file that VOL_File names, without its folder on the scanner's computer, or else the one called as the .pcr file.
Result<fs::path> vol_of_pcr(const KeyValueFile& file) {
  const fs::path& path = file.file().path;
  std::error_code failed;
  TL_TRY(const auto named, file.text("VOL_File"));
  if (named && !named->empty()) {
    const std::string name = named->substr(named->find_last_of("/\\") + 1);
    if (fs::is_regular_file(path.parent_path() / name, failed)) return names_companion(path, name);
  }
  for (const char* ending : {".vol", ".VOL"})
    if (const std::string name = path.stem().string() + ending; fs::is_regular_file(path.parent_path() / name, failed))
      return names_companion(path, name);
  return invalid("the file with the voxels is not there", path.string(),
                 "Copy " + path.stem().string() + ".vol into the folder of the .pcr file");
}

Result<StoredVolume> open_pcr_vol(const fs::path& path, const VolumeAccess& /*access*/) {
  constexpr int64_t most = int64_t{1} << 24;
  constexpr Bounds voxel_sizes{1e-9, 1e6};  // [mm]
  TL_TRY(const KeyValueFile file, KeyValueFile::open(path, KeyCase::is_ignored, DecimalSign::point_or_comma));
  RawBlock block;
  TL_TRY(block.cols, file.required_integer("Volume_SizeX", 1, most));
  TL_TRY(block.rows, file.required_integer("Volume_SizeY", 1, most));
  TL_TRY(block.pages, file.required_integer("Volume_SizeZ", 1, most));
  TL_TRY(const int64_t type, file.required_integer("Format", 0, 1000));
  block.type = type == 1 ? "uint8" : type == 5 ? "uint16" : type == 10 ? "float32" : "";
  if (block.type.empty())
    return unavailable("numbers of the Format " + std::to_string(type) + " have no public definition", path.string(),
                       "Export the volume with 8, 16 or 32 bits");
  TL_TRY(block.file, vol_of_pcr(file));
  StoredVolume volume;
  VolumeFileInfo& info = volume.info;
  info.path = path;
  info.format = "pcr_vol";
  info.voxel_type = block.type;
  TL_TRY(check_volume_sizes(block.pages, block.rows, block.cols, path.string()));
  TL_TRY(volume.voxels, raw_voxels(block));
  TL_TRY(const auto voxel, file.number("VoxelSizeRec", voxel_sizes));
  if (voxel) {
    info.voxel_size = Origin::file;
    info.voxel_size_source = "VoxelSizeRec";
  } else {
    guess_voxel_size(info);
  }
  const double mm = voxel.value_or(1);
  set_grid({block.pages, block.rows, block.cols, {}, {0, 0, mm}, {0, mm, 0}, {mm, 0, 0}}, volume);
  volume.files = {file.file(), {block.file, stamp_of(block.file)}};
  return volume;
}

}  // namespace
}  // namespace tl::io

::tl::io::VolumeFormat tl_volume_format_pcr_vol() {
  return {"pcr_vol",
          "phoenix volume",
          ".pcr",
          "A .pcr file of keys and a .vol file of numbers next to it, from phoenix scanners (GE, Waygate).",
          "",
          tl::io::sniff_pcr_vol,
          tl::io::open_pcr_vol,
          nullptr};
}
