// Makes scans as a Diondo scanner writes them: raw frames in a folder Projection, and an .xml file.
#pragma once

#include <ATen/ATen.h>

#include <filesystem>
#include <map>
#include <string>

#include "tests/support/file_tree.h"
#include "tests/support/io/raw_frame.h"

namespace tl::test::diondo {

using Keys = std::map<std::string, std::string>;

// The elements of a file with some values replaced; an empty value removes its element.
inline std::string xml_text(const Keys& changed = {}) {
  const std::pair<const char*, Keys> sections[] = {
      {"ScanParameter", {{"HelixMode", "false"}, {"Laminography", "false"}, {"Bediener", "M\xfcller"}}},
      {"Recon",
       {{"ProjectionDimX", "5"},
        {"ProjectionDimY", "3"},
        {"ProjectionPixelSizeX", "1,0"},
        {"ProjectionPixelSizeY", "1,0"},
        {"ProjectionCount", "2"},
        {"ProjectionCenterOffsetX", "0"}}},
      {"Geometrie", {{"SourceDetectorDist", "120,0"}, {"SourceObjectDist", "60,0"}}}};
  std::string text = "<?xml version=\"1.0\" encoding=\"iso-8859-1\"?>\r\n<Scan xmlns:d=\"http://diondo\">\r\n";
  for (const auto& [section, keys] : sections) {
    text += "  <" + std::string(section) + ">\r\n";
    for (auto [key, value] : keys) {
      if (const auto other = changed.find(key); other != changed.end()) value = other->second;
      if (!value.empty()) text += "    <" + key + ">" + value + "</" + key + ">\r\n";
    }
    text += "  </" + std::string(section) + ">\r\n";
  }
  return text + "</Scan>\r\n";
}

inline std::string frame_name(int64_t i) {
  const std::string digits = std::to_string(i);
  return "_0012,50_" + std::string(4 - digits.size(), '0') + digits + ".raw";
}

// Two frames of 3 x 5 pixels and their file.
inline std::filesystem::path write_small(const std::filesystem::path& folder, const Keys& changed = {}) {
  std::filesystem::create_directories(folder / "Projection");
  for (int i = 0; i < 2; ++i)
    write_raw_frame(folder / "Projection" / frame_name(i), (100.0 * i + at::arange(15)).reshape({3, 5}));
  put(folder / "bead.xml", xml_text(changed));
  return folder / "bead.xml";
}

}  // namespace tl::test::diondo
