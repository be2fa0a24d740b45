// Makes scans as a Tescan UniTOM scanner writes them: TIFF frames with di and io, and a .txt file of keys.
#pragma once

#include <ATen/ATen.h>

#include <filesystem>
#include <map>
#include <string>

#include "tests/support/file_tree.h"
#include "tests/support/io/nikon_scan.h"

namespace tl::test::tescan {

using Keys = std::map<std::string, std::string>;

// The lines of a file with some values replaced; an empty value removes its line.
inline std::string txt_text(const Keys& changed = {}) {
  std::string text = "[Acquisition]\r\nOperator = \"M\xfcller\"\r\n";
  for (auto [key, value] : Keys{{"total projections", "\"3\""},
                                {"Columns", "\"5\""},
                                {"Rows", "\"3\""},
                                {"Binned pixelsize (mm)", "\"1.0\""},
                                {"SOD", "\"60.0\""},
                                {"SDD", "\"120.0\""},
                                {"CT start angle", "\"0.0\""},
                                {"CT stop angle", "\"360.0\""},
                                {"basename", "\"bead_\""}}) {
    if (const auto other = changed.find(key); other != changed.end()) value = other->second;
    if (!value.empty()) text += key + " = " + value + "\r\n";
  }
  return text;
}

inline std::string frame_name(int64_t i) {
  const std::string digits = std::to_string(i);
  return "bead_" + std::string(6 - digits.size(), '0') + digits + ".tif";
}

// Two frames of 3 x 5 pixels, their flat and dark, and their file.
inline std::filesystem::path write_small(const std::filesystem::path& folder, const Keys& changed = {}) {
  for (int i = 0; i < 2; ++i) nikon::write_frame(folder / frame_name(i), (100.0 * i + at::arange(15)).reshape({3, 5}));
  nikon::write_frame(folder / "di000000.tif", at::full({3, 5}, 10.0));
  nikon::write_frame(folder / "io000000.tif", at::full({3, 5}, 1000.0));
  put(folder / "settings.txt", txt_text(changed));
  return folder / "settings.txt";
}

}  // namespace tl::test::tescan
