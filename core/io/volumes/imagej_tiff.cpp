// One TIFF of many pages: ImageJ's stacks with their calibration, BigTIFF, and plain multi-page TIFFs.
#include "core/io/tiff/description.h"
#include "core/io/tiff/file.h"
#include "core/io/volumes/format.h"
#include "core/io/volumes/tiff_volume.h"

namespace tl::io {
namespace {

namespace fs = std::filesystem;

int sniff_imagej_tiff(const fs::path& path) {
  std::error_code failed;
  return fs::is_regular_file(path, failed) && TiffFile::is_tiff(path) ? 60 : 0;
}

Result<StoredVolume> open_imagej_volume(const fs::path& path, const VolumeAccess& /*access*/) {
  TL_TRY(TiffFile file, TiffFile::open(path));
  const std::string text = file.description();
  const TiffResolution resolution = file.resolution();
  TL_TRY(const TiffPage page, file.page(0));
  TL_TRY(const int64_t pages, file.pages());
  const TiffDescription stated = tiff_description(text);
  TL_TRY(check_tiff_axes(stated, pages, path.string()));
  StoredVolume volume;
  volume.info.path = path;
  volume.info.format = "imagej_tiff";
  volume.info.voxel_type = page.type;
  volume.files = {{path, stamp_of(path)}};
  if (!stated.axes.empty() && stated.axes.front().name != "slices")
    volume.info.notes.push_back("What the file calls " + stated.axes.front().name +
                                " is taken as slices: " + std::to_string(pages) + ".");
  std::vector<TiffFrame> all;
  for (int64_t k = 0; k < pages; ++k) all.push_back({path, k, pages});
  TL_TRY(volume.voxels, tiff_voxels(std::move(all)));
  TL_TRY(
      apply_statements({text, resolution.x, resolution.y, resolution.centimetre}, pages, page.rows, page.cols, volume));
  return volume;
}

}  // namespace
}  // namespace tl::io

::tl::io::VolumeFormat tl_volume_format_imagej_tiff() {
  return {"imagej_tiff",
          "One TIFF (ImageJ)",
          ".tif .tiff",
          "One multi-page file with ImageJ's calibration and the pipeline, BigTIFF where it exceeds 4 GiB.",
          "",
          tl::io::sniff_imagej_tiff,
          tl::io::open_imagej_volume,
          tl::io::open_imagej_tiff,
          tl::io::OutputKind::file,
          "float32 uint16 uint8",
          tl::io::Compression::gzip,
          tl::io::IntegerScale::by_imagej};
}
