// Makes scans as a YXLON scanner writes them: frames in a folder Projections, and ScanParameter.xml.
#pragma once

#include <ATen/ATen.h>

#include <filesystem>
#include <map>
#include <string>

#include "tests/support/file_tree.h"
#include "tests/support/io/nikon_scan.h"
#include "tests/support/io/raw_frame.h"

namespace tl::test::yxlon {

using Keys = std::map<std::string, std::string>;

// A file with some values replaced; an empty value removes its element.
inline std::string xml_text(const Keys& changed = {}) {
  const auto element = [&](const std::string& name, std::string value, const std::string& known_as = {}) {
    if (const auto other = changed.find(known_as.empty() ? name : known_as); other != changed.end())
      value = other->second;
    return value.empty() ? std::string() : "<" + name + ">" + value + "</" + name + ">\r\n";
  };
  return "<?xml version=\"1.0\" encoding=\"utf-8\"?>\r\n"
         "<ScanParameter xmlns:xsi=\"http://www.w3.org/2001/XMLSchema-instance\">\r\n<ConeBeamScanParameter>\r\n" +
         element("DetectorOrientation", "Original") + element("DetectorFlipDirections", "None") + "<PixelSize>" +
         element("Height", "1", "PixelHeight") + element("Width", "1", "PixelWidth") +
         "</PixelSize>\r\n<ProjectionSize>" + element("Height", "3", "Rows") + element("Width", "5", "Columns") +
         "</ProjectionSize>\r\n" + element("ProjectionBitdepth", "16") + "<ScanTrajectory xsi:type=\"" +
         (changed.count("type") != 0 ? changed.at("type") : "CircleTrajectory") + "\">\r\n" +
         element("PixelPitch", "1") + element("Fdd", "120") + element("Fod", "60") + element("YoCenter", "0") +
         element("NumberOfProjections", "2") + element("StartAngle", "0") + element("Rotation", "360") +
         "</ScanTrajectory>\r\n<DejustmentParameter>\r\n" + element("HorizontalDetectorOffset", "0") +
         element("VerticalDetectorOffset", "0") + element("DetectorTiltA", "0") + element("DetectorTiltB", "0") +
         element("DetectorTiltC", "0") + "</DejustmentParameter>\r\n</ConeBeamScanParameter>\r\n</ScanParameter>\r\n";
}

inline std::string frame_name(int64_t i, const std::string& ending) {
  const std::string digits = std::to_string(i);
  return "Proj_" + std::string(5 - digits.size(), '0') + digits + ending;
}

// Two frames of 3 x 5 pixels as TIFF, and their file.
inline std::filesystem::path write_small(const std::filesystem::path& folder, const Keys& changed = {}) {
  std::filesystem::create_directories(folder / "Projections");
  for (int i = 0; i < 2; ++i)
    nikon::write_frame(folder / "Projections" / frame_name(i, ".tif"), (100.0 * i + at::arange(15)).reshape({3, 5}));
  put(folder / "ScanParameter.xml", xml_text(changed));
  return folder / "ScanParameter.xml";
}

}  // namespace tl::test::yxlon
