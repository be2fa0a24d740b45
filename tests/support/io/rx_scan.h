// Makes scans as an RX Solutions scanner writes them: TIFF frames in a folder Proj, geom.csv or unireconstruction.xml.
#pragma once

#include <ATen/ATen.h>

#include <filesystem>
#include <string>

#include "core/base/geometry.h"
#include "tests/support/file_tree.h"
#include "tests/support/io/nikon_scan.h"

namespace tl::test::rx {

inline std::string frame_name(int64_t i) {
  const std::string digits = std::to_string(i);
  return "scan_" + std::string(4 - digits.size(), '0') + digits + ".tif";
}

// The scanner's x, y, z are y, z, x of ours; `height` is that of our height 0.
inline std::string geometry_line(int64_t i, const View& view, const DetectorShape& d, double height) {
  const Vec3 top = view.detector + 0.5 * static_cast<double>(d.rows) * view.v;
  const Vec3 right = view.detector + 0.5 * static_cast<double>(d.cols) * view.u;
  std::string line = std::to_string(i);
  for (const Vec3& p : {view.beam, view.detector, top, right})
    for (const double number : {p.y, p.z + height, p.x}) line += ";" + nikon::number_text(number);
  return line + "\r\n";
}

inline std::string geometry_text(const ScanGeometry& scan, double height) {
  std::string text = "G\xe9om\xe9trie\r\nimage;source X;source Y;source Z;...\r\n";
  for (int64_t i = 0; i < scan.views(); ++i) text += geometry_line(i, scan.view(i), scan.detector(), height);
  return text;
}

inline std::string circle_text(double sod, double sdd, int64_t images) {
  return "<?xml version=\"1.0\" encoding=\"ISO-8859-1\"?>\r\n<unireconstruction>\r\n"
         "  <!-- op\xe9rateur > -->\r\n  <conebeam name=\"&quot;bead&quot; > 1\">\r\n"
         "    <acquisitioninfo>\r\n      <geometry sod=\"" +
         nikon::number_text(sod) + "\" sdd=\"" + nikon::number_text(sdd) +
         "\" />\r\n    </acquisitioninfo>\r\n    <profile images=\"" + std::to_string(images) +
         "\"></profile>\r\n    <correction offsetX=\"-1,5\"/>\r\n  </conebeam>\r\n</unireconstruction>\r\n";
}

// Two views on a circle, of 3 x 5 pixels.
inline ScanGeometry small_geometry() { return ScanGeometry::cone({0, 1}, {3, 5, 1, 1}, 60, 60).or_throw(); }

// Two frames of 3 x 5 pixels and the positions of their views.
inline std::filesystem::path write_small(const std::filesystem::path& folder,
                                         const ScanGeometry& scan = small_geometry()) {
  std::filesystem::create_directories(folder / "Proj");
  for (int i = 0; i < 2; ++i)
    nikon::write_frame(folder / "Proj" / frame_name(i), (100.0 * i + at::arange(15)).reshape({3, 5}));
  put(folder / "geom.csv", geometry_text(scan, 0));
  return folder / "geom.csv";
}

}  // namespace tl::test::rx
