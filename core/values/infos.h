// Infos: properties of a graph's values that are known before they are computed: kinds, shapes, geometry, regions. No
// tensors, so that planning, forms and views can use it without the array library.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "core/base/geometry.h"
#include "core/base/grid.h"
#include "core/base/units.h"
#include "core/values/label_table.h"

namespace tl {

// The quantity of the pixels of projections.
enum class PixelKind { counts, transmission, absorption, thickness };
std::string_view to_string(PixelKind kind);

// How reliable a value found from the data is.
enum class Verdict { none, resolved, railed, ambiguous, flat };
std::string_view to_string(Verdict verdict);

// The type of a port, in the order of Value's alternatives; port_types.h has a row of each.
enum class PortType { projections, volume, labels, scalar, table, spectrum, maps, model };

// Origin of a number of a scan. Wherever the number is shown, its origin is shown, too.
enum class Origin { file, guessed, user };
std::string_view to_string(Origin origin);

// Info of a whole output before it is computed.
struct ProjectionsInfo {
  ScanGeometry geometry;  // of the whole scan
  PixelKind kind = PixelKind::counts;
  int64_t flats = 0, darks = 0;
  double energy = 0;  // [keV], 0 = not known
  // Guessed: the size of a pixel is not known, and lengths in mm are in fact in pixels of the detector.
  Origin pixel_size = Origin::user;
  // The geometry contains a placeholder for a value that is not measured yet (an axis).
  bool pending = false;
};
struct VolumeInfo {
  VolumeGrid grid;
  Unit unit = Unit::per_mm;
  bool pending = false;
  Origin voxel_size = Origin::user;  // guessed: lengths in mm are actually in pixels of the detector
};
struct LabelsInfo {
  VolumeGrid grid;
  LabelTable table = {};  // empty: the numbers are objects, or classes without names
  // The range of slices with labels, so that a node that collects strokes need not read others. Empty: nothing is
  // labelled.
  std::optional<Range> labelled = {};
};
struct PlainInfo {};  // scalar, table, spectrum, model: small values, known only after computing
struct MapsInfo {
  VolumeGrid grid;
  std::vector<LabelClass> channels = {};  // meaning or name of each channel
  bool pending = false;                   // the channels are known only after a measurement
  Unit unit = Unit::none;
};
using Info = std::variant<ProjectionsInfo, VolumeInfo, LabelsInfo, PlainInfo, MapsInfo>;

// A region: a box of a scan, any grid through a volume, or the whole of a small value.
struct WholeRegion {
  friend bool operator==(const WholeRegion&, const WholeRegion&) = default;
};
using Region = std::variant<ScanRegion, VolumeGrid, WholeRegion>;
// For a volume on the scan's pixels. In a cone beam the voxel size also depends on the distances, and on their
// origin.
Origin voxel_size_of(const ProjectionsInfo& scan);
// Whether lengths are in pixels, because neither file nor user stated the pixel size.
bool is_in_pixels(const Info& info);
// The grid of a volume, labels or maps; null for other values.
const VolumeGrid* grid_of(const Info& info);
Region full_region(const Info& info);
// The region that represents the whole in small images and grey windows: the middle slice, the middle view, or for a
// detector with few rows the middle sinogram.
Region middle_region(const Info& info);
ScanRegion middle_sinogram(const ProjectionsInfo& scan);
int64_t region_bytes(const Region& region, int64_t element_size);  // of one channel

}  // namespace tl
