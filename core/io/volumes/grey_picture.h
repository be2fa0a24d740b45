// Decoding of grey pictures as scanners write their slices: BMP and PNG.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "core/base/error.h"

namespace tl::io {

// Rows from the top; 8 or 16 bits a pixel.
struct GreyPicture {
  int64_t rows = 0, cols = 0;
  int bits = 8;
  std::vector<uint16_t> pixels;
};

// The picture of a file whose name ends in .bmp (uncompressed, with a palette of greys) or .png (grey, of 8 or 16
// bits). Errors, with the file: io (unreadable), invalid (damaged, larger than any slice), unavailable (colours, other
// bits, compressed BMP).
Result<GreyPicture> read_grey_picture(const std::filesystem::path& file);

}  // namespace tl::io
