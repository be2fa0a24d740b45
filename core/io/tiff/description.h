// TiffDescription: what the description of a TIFF says about its images, in ImageJ's lines, as OME-XML, or as the
// shape that tifffile writes. One reader for scans and volumes.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/base/error.h"
#include "core/base/grid.h"

struct tiff;  // of libtiff

namespace tl::io {

// Who wrote a description, as far as it says how images are arranged.
enum class TiffDialect : uint32_t { none, imagej, ome, tifffile };

struct TiffAxis {
  std::string name;  // "channels", "slices", "frames"
  int64_t length = 1;
};

struct TiffDescription {
  TiffDialect dialect = TiffDialect::none;
  int64_t images = 0;          // of all axes together; 0: it does not say
  std::vector<TiffAxis> axes;  // of more than one image each
  bool is_colour = false;      // the channels are the colours of one image
  std::optional<Vec3> voxel;   // OME's physical sizes [mm]; z is 0 if it is not stated
};

TiffDescription tiff_description(const std::string& text);

// Invalid unless the images of a file lie along one axis, and it holds as many as its description says. `images`:
// how many it holds.
Result<void> check_tiff_axes(const TiffDescription& stated, int64_t images, const std::string& where);

// The value of a line KEY=VALUE of ImageJ's description; empty if there is none.
std::string imagej_value(const std::string& description, const std::string& key);
bool is_imagej(const std::string& description);

// unavailable: the selected page holds several slices (ImageDepth), or is compressed in a way that this build of
// libtiff cannot decode, which the message names.
Result<void> check_tiff_storage(tiff* file, const std::string& where);

}  // namespace tl::io
