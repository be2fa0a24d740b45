// What is known of a pixel size: its length, a number without a unit, or nothing.
#pragma once

#include "core/io/scan_info.h"

namespace tl::io {

// Whether neither file nor user says how large a pixel is, so that guess_missing() took 1 mm: lengths are in pixels.
inline bool has_no_pixel_size(const ScanInfo& scan) {
  const auto stands_in = [](const Found<double>& size) {
    return size.origin == Origin::guessed && size.source.starts_with("default");
  };
  return stands_in(scan.pixel_size_u) && stands_in(scan.pixel_size_v);
}

// Whether the file gives the number alone, and the reader took the unit that its format prescribes: find_number(). It
// is a length all the same.
inline bool is_unit_guessed(const Found<double>& size) {
  return size.origin == Origin::guessed && size.source.find("unit guessed") != std::string::npos;
}

}  // namespace tl::io
