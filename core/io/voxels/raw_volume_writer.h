// Writer of volumes whose file is a header and a plain block of numbers, in one file or in two.
#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>

#include "core/io/output/volume_writer.h"

namespace tl::io {

// Which part of a file is compressed.
enum class RawPacking : uint32_t { none, voxels_by_gzip, voxels_by_zlib, all_by_gzip };
// The first row of each page: as in volume_axes, or the opposite end.
enum class FirstRow : uint32_t { largest_y, smallest_y };

// The header precedes the voxels, or is a separate file if `voxels` names the file of the voxels.
struct RawVolumeFiles {
  std::string header;
  std::filesystem::path voxels = {};
  RawPacking packing = RawPacking::none;
  // Position in the header at which the size of the compressed voxels in bytes is written, padded with spaces.
  std::optional<std::size_t> packed_bytes_at = {};
  // Position in the header for the checksum of the voxel file, of data_checksum_digits characters.
  std::optional<std::size_t> checksum_at = {};
  FirstRow first_row = FirstRow::largest_y;
};
inline constexpr std::size_t room_for_packed_bytes = 20;  // characters

// Numbers are little-endian; the order of pages, rows and columns is that of volume_axes, except for FirstRow.
Result<std::unique_ptr<VolumeWriter>> open_raw_volume(const VolumeTarget& target, const RawVolumeFiles& files);

// "%.17g" in the shortest form that reads back to the same number.
std::string number_text(double value);
// Three numbers, separated.
std::string vector_text(Vec3 v, const char* separator = " ");

}  // namespace tl::io
