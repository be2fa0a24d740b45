// Writer of volumes whose file is a header and a plain block of numbers, in one file or in two.
#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>

#include "core/io/output/volume_writer.h"

namespace tl::io {

// What of a file is compressed.
enum class RawPacking : uint32_t { none, voxels_by_gzip, voxels_by_zlib, all_by_gzip };
// The row that each page begins with: that of volume_axes, or the other end.
enum class FirstRow : uint32_t { largest_y, smallest_y };

// The header stands before the voxels, or in a file of its own if `voxels` names one.
struct RawVolumeFiles {
  std::string header;
  std::filesystem::path voxels = {};
  RawPacking packing = RawPacking::none;
  // Where in the header the bytes of the packed voxels are to be written, as a number and spaces, over as many spaces.
  std::optional<std::size_t> packed_bytes_at = {};
  // The same for the checksum of the file with the voxels: data_checksum_digits.
  std::optional<std::size_t> checksum_at = {};
  FirstRow first_row = FirstRow::largest_y;
};
inline constexpr std::size_t room_for_packed_bytes = 20;  // characters

// Numbers are little-endian; pages, rows and columns run as volume_axes says, but for FirstRow.
Result<std::unique_ptr<VolumeWriter>> open_raw_volume(const VolumeTarget& target, const RawVolumeFiles& files);

// "%.17g" in the shortest form that reads back to the same number.
std::string number_text(double value);
// Three numbers, separated.
std::string vector_text(Vec3 v, const char* separator = " ");

}  // namespace tl::io
