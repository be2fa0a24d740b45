// OME-Zarr: volumes as folders of chunks with coarser levels; common to the versions 0.4 (Zarr 2) and 0.5 (Zarr 3).
#pragma once

#include <filesystem>
#include <memory>
#include <string_view>

#include "core/io/output/volume_writer.h"
#include "core/io/volumes/format.h"
#include "core/io/zarr/array.h"

namespace tl::io {

// As VolumeFormat::sniff: whether a folder is a group or an array of this version of Zarr.
int sniff_ome_zarr(const std::filesystem::path& path, ZarrVersion version);

// Opens the finest level of the first image (https://ngff.openmicroscopy.org/0.4, /0.5), or a plain array of rank 2 to
// 5. Further axes must have one index. Nothing outside of the folder is read.
Result<StoredVolume> open_ome_zarr(const std::filesystem::path& path, ZarrVersion version);

// Writes z, y, x with coarser levels, each the mean of 2 x 2 x 2 voxels (of labels: one of them), until no axis has
// more than 128. Lengths are in millimetres; the y axis of the file runs along the rows, which is -y of the scan.
// Chunks have 64^3 voxels; where a slice is large they are flatter and wider, so that never more than 256 MiB of the
// finest level wait to be written.
Result<std::unique_ptr<VolumeWriter>> write_ome_zarr(const VolumeTarget& target, ZarrVersion version);

template <ZarrVersion version>
VolumeFormat ome_zarr_format(std::string_view id, std::string_view title, std::string_view summary) {
  namespace fs = std::filesystem;
  return {.id = id,
          .title = title,
          .extensions = ".ome.zarr .zarr",
          .summary = summary,
          .lacks = "",
          .sniff = [](const fs::path& path) { return sniff_ome_zarr(path, version); },
          .open = [](const fs::path& path, const VolumeAccess& /*access*/) { return open_ome_zarr(path, version); },
          .write = [](const VolumeTarget& target) { return write_ome_zarr(target, version); },
          .output_kind = OutputKind::folder,
          .integer_scale = IntegerScale::by_tomoloom};
}

// Our own statements in the attributes of the group: the exact grid, unit and scale of values, and the embedded text.
inline constexpr const char *zarr_statements = "tomoloom", *zarr_grid = "grid_mm", *zarr_unit = "unit",
                            *zarr_offset = "offset", *zarr_step = "step", *zarr_record = "record";

}  // namespace tl::io
