// Makes scans as RTK writes them: a geometry in XML, and projections as a MetaImage whose rows begin at the bottom.
#pragma once

#include <ATen/ATen.h>

#include <filesystem>
#include <string>
#include <vector>

#include "tests/support/file_tree.h"
#include "tests/support/io/nikon_scan.h"

namespace tl::test::rtk {

using nikon::number_text;

// The text between the tags of a name.
inline std::string element(const std::string& name, const std::string& text) {
  return "<" + name + ">" + text + "</" + name + ">\n";
}

// What all projections share, and the projections.
inline std::string geometry_text(const std::string& common, const std::vector<std::string>& projections) {
  std::string text =
      "<?xml version=\"1.0\"?>\n<!DOCTYPE RTKGEOMETRY>\n<RTKThreeDCircularGeometry version=\"3\">\n" + common;
  for (const std::string& one : projections) text += element("Projection", "\n" + one);
  return text + "</RTKThreeDCircularGeometry>\n";
}

// Views [view, row, col] with row 0 at the top, centred on the origin of the projections but for a displacement [mm].
inline void write_projections(const std::filesystem::path& file, const at::Tensor& views, double pitch,
                              double moved_u = 0, double moved_v = 0) {
  const bool counts = views.scalar_type() == at::kInt;
  const at::Tensor stored = (counts ? views.to(at::kUInt16) : views.to(at::kFloat)).flip(1).contiguous();
  const auto first = [&](int64_t n, double moved) {
    return number_text(moved - 0.5 * static_cast<double>(n - 1) * pitch);
  };
  const std::string step = number_text(pitch);
  put(file,
      "ObjectType = Image\nNDims = 3\nBinaryData = True\nBinaryDataByteOrderMSB = False\n"
      "CompressedData = False\nTransformMatrix = 1 0 0 0 1 0 0 0 1\nOffset = " +
          first(views.size(2), moved_u) + " " + first(views.size(1), moved_v) +
          " 0\nCenterOfRotation = 0 0 0\nElementSpacing = " + step + " " + step + " 1\nDimSize = " +
          std::to_string(views.size(2)) + " " + std::to_string(views.size(1)) + " " + std::to_string(views.size(0)) +
          "\nElementType = " + (counts ? "MET_USHORT" : "MET_FLOAT") + "\nElementDataFile = LOCAL\n" +
          std::string(static_cast<const char*>(stored.const_data_ptr()), stored.nbytes()));
}

// Two projections of 3 x 5 pixels.
inline std::filesystem::path write_small(const std::filesystem::path& folder) {
  write_projections(folder / "projections.mha", at::arange(30, at::kFloat).reshape({2, 3, 5}), 1);
  put(folder / "geometry.xml",
      geometry_text(element("SourceToIsocenterDistance", "60") + element("SourceToDetectorDistance", "120"),
                    {element("GantryAngle", "0"), element("GantryAngle", "90")}));
  return folder / "geometry.xml";
}

}  // namespace tl::test::rtk
