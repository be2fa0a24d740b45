// Checksum of a file of voxels, by which a header detects whether the file is the one it describes.
#pragma once

#include <filesystem>
#include <string>

#include "core/base/error.h"

namespace tl::io {

inline constexpr std::size_t data_checksum_digits = 16;

// Hexadecimal checksum of an open file: of its length and all bytes for up to 16 MiB, of 256 blocks of 64 KiB spread
// over a larger one, so that headers of large volumes are opened quickly.
Result<std::string> data_checksum(int handle, const std::filesystem::path& where);
// Checksum of a volume that is a file or a folder: for a folder, of the names of all files that are not hidden, and of
// 4 blocks of each of up to 64 files spread over the folder.
Result<std::string> data_checksum_of(const std::filesystem::path& file_or_folder);

}  // namespace tl::io
