// Checksum of a file of voxels, by which a header recognises that they are its own.
#pragma once

#include <filesystem>
#include <string>

#include "core/base/error.h"

namespace tl::io {

inline constexpr std::size_t data_checksum_digits = 16;

// Hexadecimal digits for an open file: of its length and of all its bytes up to 16 MiB, of more of 256 pieces of 64 KiB
// that are spread over it, so that headers of large volumes are opened quickly.
Result<std::string> data_checksum(int handle, const std::filesystem::path& where);
// The same of a volume that is a file or a folder: of a folder the names of all files in it that are not hidden, and 4
// pieces of each of up to 64 that are spread over them.
Result<std::string> data_checksum_of(const std::filesystem::path& file_or_folder);

}  // namespace tl::io
