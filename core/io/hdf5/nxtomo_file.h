// The metadata of an NXtomo file. Internal to the writers of NXtomo.
#pragma once

#include <vector>

#include "core/base/geometry.h"
#include "core/io/hdf5/nexus_groups.h"

namespace tl::io {

// Whether view vectors are written for readers to use, or as the ground truth of a simulated scan, which readers must
// not see.
enum class KnownGeometry { to_reader, as_truth };

// Metadata for the frames: one key and one angle per frame, darks and flats included.
struct NxtomoMetadata {
  const ScanGeometry& geometry;
  const Orbit& orbit;
  double energy_kev = 0;  // 0 = not known
  std::vector<int32_t> keys;
  std::vector<double> degrees;
  KnownGeometry known = KnownGeometry::to_reader;
};
// Writes the groups that every NXtomo file has, and the links between them, including links to datasets written later.
void write_nxtomo_groups(NexusGroups& file);
// Writes groups, sizes, distances and angles. The frames are written as the dataset nxtomo_frames.
void write_nxtomo_metadata(NexusGroups& file, const NxtomoMetadata& facts);
inline constexpr const char* nxtomo_detector = "/entry/instrument/detector";
inline constexpr const char* nxtomo_angles = "/entry/sample/rotation_angle";
// For scans that angles and distances cannot describe: twelve numbers per view (not per flat or dark), as in
// ScanGeometry::vectors().
inline constexpr const char* nxtomo_positions = "/entry/instrument/detector/view_positions";
inline constexpr const char* nxtomo_truth = "/entry/instrument/detector/view_vectors";  // the same; readers ignore it
inline constexpr const char* nxtomo_frames = "/entry/instrument/detector/data";

}  // namespace tl::io
