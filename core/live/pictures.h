// Pictures: converts a request to a region that a node can compute, and a value to rows of pixels.
#pragma once

#include <optional>

#include "core/live/notification.h"
#include "core/values/values.h"

namespace tl::live {

// The pixels of one image may take 1 / share_of_picture of the memory for blocks: they exist twice, as value and as
// image.
constexpr int64_t share_of_picture = 8;

// The region of a request with defaults filled in and checked against the output's info; a box is binned so that its
// pixels take at most `bytes`. Errors: invalid.
struct PictureRegion {
  Region region;
  int64_t level = 1;  // binning
};
Result<PictureRegion> checked_region(const PictureRequest& request, const Info& info, int64_t bytes);

// The region without flats and darks, which an image of one view does not show; other regions unchanged.
Region without_references(Region region, const PictureRequest& request);

// The same extent with `factor` times fewer points along every axis with more than one point; nothing for projections
// or if the region would not change.
std::optional<Region> coarser(const Region& region, int64_t factor);

// Pixels in the order that PictureRequest describes; `slices` is set for boxes. Errors: invalid if there are no flats
// or darks to show.
struct Pixels {
  std::shared_ptr<const Image> image;
  int64_t slices = 1;
  std::string unit;
};
Result<Pixels> pixels_of(const Value& value, const PictureRequest& request);

// The middle slice of pixels, averaged to at most `width` columns.
std::shared_ptr<const Image> thumbnail_of(const Pixels& pixels, int64_t width);

}  // namespace tl::live
