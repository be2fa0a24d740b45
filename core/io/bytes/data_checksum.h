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

}  // namespace tl::io
