// Makes scans in the format of Zeiss (Xradia) microscopes for tests.
#pragma once

#include "tests/support/io/compound_file_maker.h"

namespace tl::test {

// Pixel (row, col) of view k, counted from 0.
inline uint16_t txrm_pixel(int64_t k, int64_t row, int64_t col) {
  return static_cast<uint16_t>(1000 * k + 20 * row + col);
}

template <class T>
std::vector<T> txrm_frame(int64_t k, int64_t rows, int64_t cols) {
  std::vector<T> pixels;
  for (int64_t r = 0; r < rows; ++r)
    for (int64_t c = 0; c < cols; ++c) pixels.push_back(static_cast<T>(txrm_pixel(k, r, c)));
  return pixels;
}

inline std::string txrm_view(int64_t k) {
  return "ImageData" + std::to_string(k / 100 + 1) + "/Image" + std::to_string(k + 1);
}

// A cone-beam scan of uint16 over half a turn, with a flat of float32 and shifts of the views. Streams may be replaced
// before it is written.
inline CompoundFileMaker txrm_scan(int views, int rows, int cols) {
  CompoundFileMaker file;
  const auto integer = [&](const char* name, int32_t value) { file.numbers<int32_t>(name, {value}); };
  integer("ImageInfo/NoOfImages", views);
  integer("ImageInfo/ImagesTaken", views);
  integer("ImageInfo/ImageHeight", rows);
  integer("ImageInfo/ImageWidth", cols);
  integer("ImageInfo/DataType", 5);
  integer("ImageInfo/AcquisitionMode", 0);
  integer("ImageInfo/XrayGeometry", 1);
  file.numbers<float>("ImageInfo/PixelSize", {4});
  std::vector<float> angles, right, down;
  for (int k = 0; k < views; ++k) {
    angles.push_back(-90.F + 180.F * static_cast<float>(k) / static_cast<float>(views));
    right.push_back(0.25F * static_cast<float>(k % 3));
    down.push_back(-0.5F * static_cast<float>(k % 2));
    file.numbers(txrm_view(k), txrm_frame<uint16_t>(k, rows, cols));
  }
  const auto count = static_cast<std::size_t>(views);
  file.numbers("ImageInfo/Angles", angles);
  file.numbers("ImageInfo/StoRADistance", std::vector<float>(count, -30));
  file.numbers("ImageInfo/DtoRADistance", std::vector<float>(count, 90));
  file.numbers("Alignment/X-Shifts", right);
  file.numbers("Alignment/Y-Shifts", down);
  integer("ReferenceData/DataType", 10);
  file.numbers("ReferenceData/Image", txrm_frame<float>(7, rows, cols));
  return file;
}

}  // namespace tl::test
