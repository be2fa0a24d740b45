// Makes scans in the format of a Nikon X-Tek scanner: TIFF frames, and a text file of keys.
#pragma once

#include <ATen/ATen.h>
#include <tiffio.h>

#include <QByteArray>
#include <algorithm>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "tests/support/file_tree.h"

namespace tl::test::nikon {

using Keys = std::map<std::string, std::string>;

// The settings of a scan, in Nikon's terms [mm, degrees].
struct Scanner {
  double initial_angle = 0, angular_step = 4;
  double object_offset_x = 0, object_roll = 0, detector_offset_x = 0, detector_offset_y = 0;
};
inline constexpr double source_to_object = 60, source_to_detector = 120, pixel_x = 1, pixel_y = 1.25, white = 60000;
inline constexpr int64_t views = 90, rows = 40, cols = 64;

inline void write_frame(const std::filesystem::path& file, const at::Tensor& counts) {
  const at::Tensor pixels = counts.round().to(at::kInt).contiguous();
  TIFF* tiff = TIFFOpen(file.c_str(), "w");
  const auto width = static_cast<uint32_t>(counts.size(1));
  TIFFSetField(tiff, TIFFTAG_IMAGEWIDTH, width);
  TIFFSetField(tiff, TIFFTAG_IMAGELENGTH, static_cast<uint32_t>(counts.size(0)));
  TIFFSetField(tiff, TIFFTAG_BITSPERSAMPLE, 16);
  TIFFSetField(tiff, TIFFTAG_SAMPLESPERPIXEL, 1);
  TIFFSetField(tiff, TIFFTAG_PHOTOMETRIC, PHOTOMETRIC_MINISBLACK);
  std::vector<uint16_t> line(width);
  for (int64_t r = 0; r < counts.size(0); ++r) {
    const int* from = pixels.const_data_ptr<int>() + r * counts.size(1);
    std::transform(from, from + counts.size(1), line.begin(), [](int n) { return static_cast<uint16_t>(n); });
    TIFFWriteScanline(tiff, line.data(), static_cast<uint32_t>(r), 0);
  }
  TIFFClose(tiff);
}

inline std::string xtekct_text(const Keys& keys, const std::string& end = "\r\n") {
  std::string text = "[XTekCT]" + end;
  for (const auto& [key, value] : keys) text += key + "=" + value + end;
  return text + "[Xrays]" + end + "XraykV=100" + end;
}

inline std::string number_text(double value) { return QByteArray::number(value, 'g', 12).toStdString(); }

inline Keys keys_of(const Scanner& s) {
  return {{"Name", "bead"},
          {"InputSeparator", "_"},
          {"InputFolderName", ""},
          {"Projections", std::to_string(views)},
          {"WhiteLevel", number_text(white)},
          {"DetectorPixelsX", std::to_string(cols)},
          {"DetectorPixelsY", std::to_string(rows)},
          {"DetectorPixelSizeX", number_text(pixel_x)},
          {"DetectorPixelSizeY", number_text(pixel_y)},
          {"SrcToObject", number_text(source_to_object)},
          {"SrcToDetector", number_text(source_to_detector)},
          {"InitialAngle", number_text(s.initial_angle)},
          {"AngularStep", number_text(s.angular_step)},
          {"DetectorOffsetX", number_text(s.detector_offset_x)},
          {"DetectorOffsetY", number_text(s.detector_offset_y)},
          {"ObjectOffsetX", number_text(s.object_offset_x)},
          {"ObjectRoll", number_text(s.object_roll)},
          {"ObjectTilt", "0"}};
}

// A scan of two frames of 3 x 5 pixels in a folder, pixel i of frame f being 100 f + i, with some keys replaced; an
// empty value removes its key. The path of its file.
inline std::filesystem::path write_small_scan(const std::filesystem::path& folder, const Keys& changed = {}) {
  Keys keys = keys_of({});
  keys["Projections"] = "2";
  keys["DetectorPixelsX"] = "5";
  keys["DetectorPixelsY"] = "3";
  for (const auto& [key, value] : changed) {
    keys[key] = value;
    if (value.empty()) keys.erase(key);
  }
  for (int i = 0; i < 2; ++i)
    write_frame(folder / ("bead_000" + std::to_string(i + 1) + ".tif"), (100.0 * i + at::arange(15)).reshape({3, 5}));
  put(folder / "bead.xtekct", xtekct_text(keys));
  return folder / "bead.xtekct";
}

}  // namespace tl::test::nikon
