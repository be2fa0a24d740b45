// Makes scans as a North Star Imaging scanner writes them: TIFF frames in a folder Radiographs, a project of lines
// <key>VALUE, and a geometry report.
#pragma once

#include <ATen/ATen.h>

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "tests/support/file_tree.h"
#include "tests/support/io/nikon_scan.h"

namespace tl::test::nsi {

using Keys = std::map<std::string, std::string>;

// A project with some values, by section and key, replaced; an empty value removes its line. The scanner's y is up and
// its z along the beam, so that -x is to the right.
inline std::string project_text(const Keys& changed = {}) {
  const std::pair<const char*, Keys> sections[] = {
      {"CT Project Configuration", {{"Rotation range", "360"}}},
      {"Object Radiograph", {{"pitch", "1 1"}, {"number", "2"}, {"angleStep", "180"}}},
      {"Detector", {{"width pixels", "5"}, {"height pixels", "3"}}},
      {"Correction", {{"rotate", "0"}, {"flipH", "False"}, {"flipV", "False"}}},
      {"Processed", {{"clockwise", "True"}}},
      {"Result",
       {{"source", "0 0 -60"},
        {"reference", "2 1 60"},
        {"axis", "0 -1 0"},
        {"normal", "0 0 1"},
        {"horizontal", "-1 0 0"}}}};
  std::string text = "<NSI Reconstruction Project>\r\n<name>M\xfcller\r\n";
  for (const auto& [section, keys] : sections) {
    text += "<" + std::string(section) + ">\r\n";
    for (auto [key, value] : keys) {
      if (const auto other = changed.find(std::string(section) + "/" + key); other != changed.end())
        value = other->second;
      if (!value.empty()) text += "\t<" + key + ">" + value + "\r\n";
    }
    text += "</" + std::string(section) + ">\r\n";
  }
  return text + "</NSI Reconstruction Project>\r\n";
}

inline std::string report_text(double x, double y) {
  return "{\\rtf1\\ansi Geometry Report\\par\r\nImage center\\tab (" + nikon::number_text(x) + ", " +
         nikon::number_text(y) + ") [mm]  / (0.0, 0.0) [in]\\par\r\n}";
}

inline std::string frame_name(int64_t i) {
  const std::string digits = std::to_string(i);
  return "Radiograph" + std::string(5 - digits.size(), '0') + digits + ".tif";
}

// Two frames of 3 x 5 pixels, their flat and dark, and their project.
inline std::filesystem::path write_small(const std::filesystem::path& folder, const Keys& changed = {}) {
  for (const char* name : {"Radiographs", "Corrections"}) std::filesystem::create_directories(folder / name);
  for (int i = 0; i < 2; ++i)
    nikon::write_frame(folder / "Radiographs" / frame_name(i), (100.0 * i + at::arange(15)).reshape({3, 5}));
  nikon::write_frame(folder / "Corrections" / "offset.tif", at::full({3, 5}, 10.0));
  nikon::write_frame(folder / "Corrections" / "gain0.tif", at::full({3, 5}, 1000.0));
  put(folder / "bead.nsipro", project_text(changed));
  return folder / "bead.nsipro";
}

}  // namespace tl::test::nsi
