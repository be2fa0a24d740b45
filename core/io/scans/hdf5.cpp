// Reads scans from HDF5 files of any layout: the user names the datasets.

#include "core/base/wording.h"
#include "core/io/hdf5/scan.h"
#include "core/io/reader/scan_checks.h"
#include "core/io/reader/scan_format.h"
#include "core/io/scans/frame_kinds.h"

namespace tl::io {
namespace {

// Whoever names the frames means this format, whatever else the file may be. A group is one of the scans of a file of
// another format.
int sniff_hdf5(const std::filesystem::path& path, const ScanAccess& access) {
  if (access.choices.data.empty() || !Hdf5File::is_hdf5(path)) return 0;
  const auto file = Hdf5File::open(path, access.sources);
  return file.ok() && file.value().has(access.choices.data) && !file.value().has_dataset(access.choices.data) ? 20
                                                                                                              : 100;
}

Result<std::unique_ptr<ScanReader>> open_hdf5(const std::filesystem::path& path, const ScanAccess& access) {
  const ScanChoices& choices = access.choices;
  if (choices.data.empty())
    return invalid(
        "an HDF5 file of any layout needs the name of the dataset with the frames", path.string(),
        two_wordings("Name it: --data /PATH/IN/FILE", "Fill in Frames in the file, in the form of the load node"));
  TL_TRY(Hdf5File file, Hdf5File::open(path, access.sources));
  Hdf5ScanParts parts{std::move(file), {}, {}, {}, {}, FrameOrder::views, access.content};
  ScanInfo& info = parts.info;
  info.format = "hdf5";
  if (choices.order == FrameOrder::sinograms) parts.order = FrameOrder::sinograms;
  if (parts.order == FrameOrder::sinograms && !choices.image_key.empty())
    return invalid("frames that are sinograms have no keys", path.string() + ":" + choices.image_key,
                   "Give flats and darks by datasets of their own");
  TL_TRY(parts.projections.dataset, frame_dataset(parts.file, choices.data));
  if (choices.image_key.empty()) {
    parts.projections.frames = all_frame_numbers(*parts.projections.dataset);
  } else {
    TL_TRY(sort_frames(choices.image_key, {}, parts));
  }
  if (!choices.angles_dataset.empty()) {
    if (parts.order == FrameOrder::views) {
      TL_TRY(sort_angles(choices.angles_dataset, false, parts));
    } else {
      TL_TRY(info.angles, read_angles(parts.file, choices.angles_dataset, info.notes));
    }
    info.angles.origin = Origin::user;
  }
  apply_beam(choices, info);
  return make_hdf5_scan(std::move(parts), choices);
}

}  // namespace
}  // namespace tl::io

TL_FORMAT(hdf5) {
  return {"hdf5",
          "HDF5, datasets named by hand",
          ".h5 .hdf5 .hdf .nxs",
          "HDF5 of any layout: frames, keys, flats, darks and angles are named by the load node's parameters.",
          tl::io::sniff_hdf5,
          tl::io::open_hdf5};
}
