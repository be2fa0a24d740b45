// TiffDescription: information in the description tag of a TIFF about its images: as ImageJ's lines, OME-XML, or the
// shape that tifffile writes. Used for scans and volumes.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/base/error.h"
#include "core/base/grid.h"

struct tiff;  // of libtiff

namespace tl::io {

// The program that wrote a description, if the description states how images are arranged.
enum class TiffDialect : uint32_t { none, imagej, ome, tifffile };

struct TiffAxis {
  std::string name;  // "channels", "slices", "frames"
  int64_t length = 1;
};

struct TiffDescription {
  TiffDialect dialect = TiffDialect::none;
  int64_t images = 0;          // number of images over all axes; 0: not stated
  std::vector<TiffAxis> axes;  // axes with more than one image
  bool is_colour = false;      // the channels are the colours of one image
  std::optional<Vec3> voxel;   // OME's physical voxel size [mm]; z is 0 if it is not stated
};

TiffDescription tiff_description(const std::string& text);

// Invalid if the images of a file lie along more than one axis, or if their number `images` differs from that in the
// description.
Result<void> check_tiff_axes(const TiffDescription& stated, int64_t images, const std::string& where);

// The value of a line KEY=VALUE in ImageJ's description; empty if there is none.
std::string imagej_value(const std::string& description, const std::string& key);
bool is_imagej(const std::string& description);

// unavailable: the selected page holds several slices (ImageDepth), or has a compression, named in the message, that
// this build of libtiff cannot decode.
Result<void> check_tiff_storage(tiff* file, const std::string& where);

}  // namespace tl::io
