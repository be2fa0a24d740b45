// Makes scans in the format of a phoenix scanner: TIFF frames, and a .pca file of keys.
#pragma once

#include <ATen/ATen.h>

#include <filesystem>
#include <map>
#include <string>

#include "tests/support/file_tree.h"
#include "tests/support/io/nikon_scan.h"

namespace tl::test::phoenix {

using Keys = std::map<std::string, std::string>;

// The sections of a file with some values replaced; an empty value removes its line.
inline std::string pca_text(const Keys& changed = {}) {
  const std::pair<const char*, Keys> sections[] = {
      {"General", {{"Version", "2.8.2"}, {"SystemName", "v|tome|x"}}},
      {"Geometry", {{"FDD", "120.0"}, {"FOD", "60.0"}, {"Magnification", "2.0"}, {"VoxelSizeX", "0.5"}}},
      {"CT", {{"Type", "0"}, {"NumberImages", "2"}, {"RotationSector", "360.00000000"}}},
      {"Detector", {{"Name", "DXR250"}, {"PixelsizeX", "1.0"}, {"PixelsizeY", "1.0"}}},
      {"Xray", {{"Name", "xs|240"}, {"Voltage", "120"}}}};
  std::string text;
  for (const auto& [section, keys] : sections) {
    text += "[" + std::string(section) + "]\r\n";
    for (auto [key, value] : keys) {
      if (const auto other = changed.find(key); other != changed.end()) value = other->second;
      if (!value.empty()) text += key + "=" + value + "\r\n";
    }
  }
  return text;
}

inline std::string frame_name(int64_t number) {
  const std::string digits = std::to_string(number);
  return "bead_" + std::string(4 - digits.size(), '0') + digits + ".tif";
}

// Writes two frames of 3 x 5 pixels and their file.
inline std::filesystem::path write_small(const std::filesystem::path& folder, const Keys& changed = {}) {
  for (int i = 0; i < 2; ++i)
    nikon::write_frame(folder / frame_name(i + 1), (100.0 * i + at::arange(15)).reshape({3, 5}));
  put(folder / "bead.pca", pca_text(changed));
  return folder / "bead.pca";
}

}  // namespace tl::test::phoenix
