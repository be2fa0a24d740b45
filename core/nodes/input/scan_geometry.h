// The geometry of a scan on disk as the load node outputs it: with chosen views, mirrored, transposed or reversed.
#pragma once

#include <optional>
#include <vector>

#include "core/base/geometry.h"
#include "core/base/units.h"
#include "core/io/reader/scan_info.h"

namespace tl {

enum class Flip { keep, mirror };
enum class Axes { keep, transpose };
enum class Rotation { as_recorded, reversed };
enum class ViewShifts { as_the_file_says, ignore };

// Changes by the user. Rows and columns are exchanged before they are mirrored.
struct ScanOverrides {
  Flip flip_u = Flip::keep, flip_v = Flip::keep;
  Axes axes = Axes::keep;
  Rotation rotation = Rotation::as_recorded;
  ViewShifts view_shifts = ViewShifts::as_the_file_says;
  std::optional<Length> pixel_size;  // between columns
};

// The geometry of the chosen views, in their order. Invalid, with the parameter of the load node, if a change
// contradicts the metadata of the scan.
Result<ScanGeometry> scan_geometry(const ScanOverrides& overrides, const io::ScanInfo& scan,
                                   const std::vector<int64_t>& chosen);

}  // namespace tl
