// Writes the metadata of an NXtomo file.
#include "core/io/hdf5/nxtomo_file.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/base/units.h"

namespace tl::io {
namespace {

// A full turn with the axis so far from the middle that opposite views share less than half of the field: readers then
// combine opposite views.
bool is_half_acquisition(const NxtomoMetadata& facts) {
  constexpr double nearly_all = 355;  // [deg]
  double least = std::numeric_limits<double>::infinity(), most = -least;
  for (std::size_t i = 0; i < facts.keys.size(); ++i) {
    if (facts.keys[i] != 0) continue;
    least = std::min(least, facts.degrees[i]);
    most = std::max(most, facts.degrees[i]);
  }
  return most - least >= nearly_all &&
         std::abs(facts.orbit.axis) > static_cast<double>(facts.geometry.detector().cols) / 6;
}

}  // namespace

void write_nxtomo_groups(NexusGroups& w) {
  const std::string entry = "/entry", instrument = entry + "/instrument", detector = nxtomo_detector;
  w.root_attribute("default", "entry");
  w.group(entry, "NXentry");
  w.text(entry + "/definition", "NXtomo");
  w.text(entry + "/program_name", "Tomoloom");
  w.group(instrument, "NXinstrument");
  w.group(detector, "NXdetector");
  // nabu and tomoscan need this link: no definition requires it, but all files of the ESRF have it.
  w.link(detector + "/image_key", detector + "/image_key_control");
  w.group(instrument + "/source", "NXsource");
  w.text(instrument + "/source/probe", "x-ray");
  w.group(entry + "/sample", "NXsample");
  w.object_attribute(entry, "default", "data");
  w.group(entry + "/data", "NXdata");
  w.object_attribute(entry + "/data", "signal", "data");
  w.link(nxtomo_frames, entry + "/data/data");
  w.link(detector + "/image_key", entry + "/data/image_key");
  w.link(nxtomo_angles, entry + "/data/rotation_angle");
}

void write_nxtomo_metadata(NexusGroups& w, const NxtomoMetadata& facts) {
  const Orbit& orbit = facts.orbit;
  const std::string entry = "/entry", instrument = entry + "/instrument", detector = nxtomo_detector;
  write_nxtomo_groups(w);
  w.numbers(detector + "/image_key", H5T_NATIVE_INT32, facts.keys, "");
  w.text(detector + "/field_of_view", is_half_acquisition(facts) ? "Half" : "Full");
  const DetectorShape& shape = facts.geometry.detector();
  w.number(detector + "/x_pixel_size", shape.pitch_u, "mm");
  w.number(detector + "/y_pixel_size", shape.pitch_v, "mm");
  w.number(detector + "/distance", orbit.axis_to_detector, "mm");
  w.number(detector + "/x_rotation_axis_pixel_position", orbit.axis, "px");
  if (facts.geometry.beam() == Beam::cone) {
    w.text(instrument + "/source/type", "Fixed Tube X-ray");
    w.number(instrument + "/source/distance", -orbit.source_to_axis,
             "mm");  // upstream of the sample
  } else {
    w.text(instrument + "/source/type", "Synchrotron X-ray Source");
  }
  if (facts.energy_kev > 0) {
    w.group(instrument + "/beam", "NXbeam");
    w.number(instrument + "/beam/incident_energy", facts.energy_kev, "keV");
  }
  w.numbers(nxtomo_angles, H5T_NATIVE_DOUBLE, facts.degrees, "degree");
  const bool plain = orbit.is_nominal() && orbit.tilt == 0 && orbit.lamino == 0 && orbit.shift_u.empty() &&
                     orbit.shift_v.empty() && orbit.source_shift_u == 0 && orbit.source_shift_v == 0;
  // NXtomo has no fields for tilts, shifts and rolls: vectors (beam, detector, u, v of each view) are stored next to
  // the frames, and read in place of angles and distances. A plain scan has none: its axis is a hint for readers.
  const char* vectors = facts.known == KnownGeometry::to_reader ? nxtomo_positions : nxtomo_truth;
  if (!plain) w.numbers(vectors, H5T_NATIVE_DOUBLE, facts.geometry.vectors(), "mm");
}

}  // namespace tl::io
