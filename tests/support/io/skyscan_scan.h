// Makes scans in the format of a Bruker SkyScan: TIFF frames, and a log file of keys.
#pragma once

#include <ATen/ATen.h>

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "tests/support/file_tree.h"
#include "tests/support/io/nikon_scan.h"

namespace tl::test::skyscan {

namespace fs = std::filesystem;
using nikon::number_text;
using nikon::write_frame;

inline constexpr int64_t views = 90, rows = 40, cols = 64;
inline constexpr double to_object = 60, to_camera = 120, at_object = 0.5, air = 58000;  // [mm], counts

// The lines of a log in the order in which the scanner writes them.
using Lines = std::vector<std::pair<std::string, std::string>>;
inline Lines good_lines() {
  return {{"Scanner", "SkyScan1275"},
          {"Camera Pixel Size (um)", "1000.0"},
          {"Camera X/Y Ratio", "1.0000"},
          {"Filename Prefix", "bead_~00"},
          {"Number Of Files", "  " + std::to_string(views)},
          {"Number Of Rows", " " + std::to_string(rows)},
          {"Number Of Columns", " " + std::to_string(cols)},
          {"Camera binning", "1x1"},
          {"Image Rotation", "0"},
          {"Optical Axis (line)", number_text(0.5 * (rows - 1))},
          {"Object to Source (mm)", number_text(to_object)},
          {"Camera to Source (mm)", number_text(to_camera)},
          {"Image Pixel Size (um)", number_text(1000 * at_object)},
          {"Depth (bits)", "16"},
          {"Reference Intensity", number_text(air)},
          {"Rotation Step (deg)", "4.000"},
          {"Flat Field Correction", "ON"},
          {"Scanning Start Angle", "0.000"},
          {"Scanning Trajectory", "ROUND"}};
}

// The good lines with some replaced; an empty value removes its line.
inline std::string log_text(const Lines& changed = {}) {
  std::string text = "[System]\r\n";
  for (auto [key, value] : good_lines()) {
    for (const auto& [name, other] : changed)
      if (name == key) value = other;
    if (!value.empty()) text += key + "=" + value + "\r\n";
  }
  // A user's name in Latin-1.
  return text + "[User]\r\nUser Name=M\xfcller\r\n";
}

inline std::string frame_name(int64_t i) {
  const std::string digits = std::to_string(i);
  return "bead_~00" + std::string(8 - digits.size(), '0') + digits + ".tif";
}

// Two frames of 3 x 5 pixels.
inline fs::path write_small(const fs::path& folder, Lines changed = {}) {
  changed.insert(changed.begin(), {{"Number Of Files", "2"}, {"Number Of Rows", "3"}, {"Number Of Columns", "5"}});
  for (int i = 0; i < 2; ++i) write_frame(folder / frame_name(i), (100.0 * i + at::arange(15)).reshape({3, 5}));
  put(folder / "bead_~00.log", log_text(changed));
  return folder / "bead_~00.log";
}

}  // namespace tl::test::skyscan
